//! Lowers built-in functions of numbers (sections 15.1 to 15.7, 15.10 and 15.11 of the draft).
//!
//! If naga's function of the same name differs or is missing, the draft's semantics are spelled out. `min`, `max` and
//! `clamp` return the number if one operand is NaN. The classification functions for floats test their bits. `select`
//! takes the value for `true` first, and `modf` and `frexp` write through a pointer.

use naga::{
    BinaryOperator as B, DerivativeAxis, DerivativeControl, Expression, MathFunction as M, Scalar,
    ScalarKind, TypeInner,
};

use super::super::super::parts::build::Value;
use super::super::super::parts::source::Span;
use super::super::tree::{ExprId, ExprKind, Literal};
use super::{Lower, Lowered, Name};

/// Functions of floats or float vectors; all arguments and the result have one type.
const FLOATS: [(&str, M, usize); 30] = [
    ("acos", M::Acos, 1),
    ("asin", M::Asin, 1),
    ("atan", M::Atan, 1),
    ("atan2", M::Atan2, 2),
    ("ceil", M::Ceil, 1),
    ("cos", M::Cos, 1),
    ("cosh", M::Cosh, 1),
    ("exp", M::Exp, 1),
    ("exp2", M::Exp2, 1),
    ("floor", M::Floor, 1),
    ("fma", M::Fma, 3),
    ("fract", M::Fract, 1),
    ("inverseSqrt", M::InverseSqrt, 1),
    ("log", M::Log, 1),
    ("log2", M::Log2, 1),
    ("mix", M::Mix, 3),
    ("pow", M::Pow, 2),
    ("round", M::Round, 1),
    ("sign", M::Sign, 1),
    ("sin", M::Sin, 1),
    ("sinh", M::Sinh, 1),
    ("smoothStep", M::SmoothStep, 3),
    ("smoothstep", M::SmoothStep, 3),
    ("sqrt", M::Sqrt, 1),
    ("step", M::Step, 2),
    ("tan", M::Tan, 1),
    ("tanh", M::Tanh, 1),
    ("trunc", M::Trunc, 1),
    ("faceForward", M::FaceForward, 3),
    ("reflect", M::Reflect, 2),
];

/// Packing and unpacking functions, with the number of components and scalar type of the argument, then of the result.
const PACKING: [(&str, M, (u32, Scalar), (u32, Scalar)); 10] = {
    const U: (u32, Scalar) = (1, Scalar::U32);
    const V2: (u32, Scalar) = (2, Scalar::F32);
    const V4: (u32, Scalar) = (4, Scalar::F32);
    [
        ("pack4x8snorm", M::Pack4x8snorm, V4, U),
        ("pack4x8unorm", M::Pack4x8unorm, V4, U),
        ("pack2x16snorm", M::Pack2x16snorm, V2, U),
        ("pack2x16unorm", M::Pack2x16unorm, V2, U),
        ("pack2x16float", M::Pack2x16float, V2, U),
        ("unpack4x8snorm", M::Unpack4x8snorm, U, V4),
        ("unpack4x8unorm", M::Unpack4x8unorm, U, V4),
        ("unpack2x16snorm", M::Unpack2x16snorm, U, V2),
        ("unpack2x16unorm", M::Unpack2x16unorm, U, V2),
        ("unpack2x16float", M::Unpack2x16float, U, V2),
    ]
};

/// Derivative functions.
const DERIVATIVES: [(&str, DerivativeAxis, DerivativeControl); 9] = {
    use DerivativeAxis::{Width, X, Y};
    use DerivativeControl::{Coarse, Fine, None};
    [
        ("dpdx", X, None),
        ("dpdxCoarse", X, Coarse),
        ("dpdxFine", X, Fine),
        ("dpdy", Y, None),
        ("dpdyCoarse", Y, Coarse),
        ("dpdyFine", Y, Fine),
        ("fwidth", Width, None),
        ("fwidthCoarse", Width, Coarse),
        ("fwidthFine", Width, Fine),
    ]
};

/// Functions that sources of 2021 use but the draft lacks.
const LATER: [&str; 4] = ["smoothstep", "transpose", "workgroupBarrier", "storageBarrier"];

/// Functions that write to a variable.
pub(super) const WRITERS: [&str; 2] = ["modf", "frexp"];

/// A call of a built-in function.
struct Call<'a> {
    name: Name<'a>,
    arguments: &'a [ExprId],
    span: Span,
}

impl<'s> Lower<'s, '_> {
    pub(super) fn call_builtin(
        &mut self,
        name: Name<'s>,
        arguments: &[ExprId],
        span: Span,
    ) -> Lowered<Option<Value>> {
        if name.text.starts_with("texture") {
            return self.call_texture(name, arguments, span);
        }
        if LATER.contains(&name.text) && self.settings.strict {
            return self.error(name.span, format!("no function has the name `{}` here", name.text));
        }
        let call = &Call { name, arguments, span };
        match name.text {
            writer if WRITERS.contains(&writer) => self.split(call).map(Some),
            "arrayLength" => self.array_length(call).map(Some),
            "workgroupBarrier" | "storageBarrier" => {
                let memory = if name.text == "workgroupBarrier" {
                    naga::Barrier::WORK_GROUP
                } else {
                    naga::Barrier::STORAGE
                };
                self.arguments(call, 0)?;
                self.b.push(naga::Statement::ControlBarrier(memory));
                Ok(None)
            }
            _ => self.call_math(call).map(Some),
        }
    }

    fn call_math(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let name = call.name.text;
        if let Some((_, fun, n)) = FLOATS.iter().find(|(other, ..)| *other == name) {
            return self.call_floats(call, *fun, *n);
        }
        if let Some((_, fun, from, to)) = PACKING.iter().find(|(other, ..)| *other == name) {
            let wanted = self.b.vector(from.0, from.1);
            let value = self.only(call, wanted)?;
            let ty = self.b.vector(to.0, to.1);
            return Ok(self.b.math(*fun, &[value], ty));
        }
        if let Some((_, axis, ctrl)) = DERIVATIVES.iter().find(|(other, ..)| *other == name) {
            let values = self.floats(call, 1)?;
            self.current.uses.derivatives.get_or_insert(call.span);
            let derivative = Expression::Derivative { axis: *axis, ctrl: *ctrl, expr: values[0].expr };
            return Ok(self.b.add(derivative, values[0].ty));
        }
        match name {
            "all" | "any" => self.all_or_any(call),
            "select" => self.call_select(call),
            "isNan" | "isInf" | "isFinite" | "isNormal" => self.question(call),
            "abs" | "min" | "max" | "clamp" => self.call_numbers(call),
            "countOneBits" | "reverseBits" => {
                let fun = if name == "countOneBits" { M::CountOneBits } else { M::ReverseBits };
                let values = self.arguments(call, 1)?;
                match self.b.components(values[0].ty) {
                    Some((_, Scalar::I32 | Scalar::U32)) => Ok(self.b.math(fun, &values, values[0].ty)),
                    _ => self.wrong(call, &values),
                }
            }
            "cross" | "dot" | "distance" | "length" | "normalize" => self.call_geometry(call),
            "determinant" | "transpose" => self.call_matrix(call),
            "ldexp" => self.ldexp(call),
            _ => self.error(call.name.span, format!("no function has the name `{name}` here")),
        }
    }

    /// Evaluates all arguments, of which there must be `n`.
    fn arguments(&mut self, call: &Call<'_>, n: usize) -> Lowered<Vec<Value>> {
        let mut values = Vec::new();
        let mut failed = false;
        for id in call.arguments {
            match self.value(*id) {
                Ok(value) => values.push(value),
                Err(_) => failed = true,
            }
        }
        if call.arguments.len() != n {
            let message = format!("`{}` takes {n} arguments, not {}", call.name.text, call.arguments.len());
            return self.error(call.span, message);
        }
        self.b.at(call.span);
        if failed { Err(super::Failed) } else { Ok(values) }
    }

    fn only(&mut self, call: &Call<'_>, ty: super::Ty) -> Lowered<Value> {
        let values = self.arguments(call, 1)?;
        if values[0].ty != ty {
            return self.mismatch(self.tree.span(call.arguments[0]), ty, values[0].ty);
        }
        Ok(values[0])
    }

    /// Reports that the function does not exist for these types.
    fn wrong<T>(&mut self, call: &Call<'_>, values: &[Value]) -> Lowered<T> {
        let types: Vec<String> = values.iter().map(|v| format!("`{}`", self.type_name(v.ty))).collect();
        self.error(
            call.span,
            format!("there is no `{}` for values of the types {}", call.name.text, types.join(", ")),
        )
    }

    /// Evaluates arguments that must have one type; literals are converted to the type of the others.
    fn alike(&mut self, call: &Call<'_>, n: usize) -> Lowered<Vec<Value>> {
        let mut values = self.arguments(call, n)?;
        let literal =
            |this: &Self, id: ExprId| matches!(this.tree.get(id).kind, ExprKind::Literal(Literal::I32(_)));
        if let Some(at) = (0..n).find(|at| !literal(self, call.arguments[*at])) {
            let ty = values[at].ty;
            for (value, id) in values.iter_mut().zip(call.arguments) {
                *value = self.fit(*id, *value, ty);
            }
        }
        if values.iter().any(|value| value.ty != values[0].ty) {
            return self.wrong(call, &values);
        }
        Ok(values)
    }

    fn floats(&mut self, call: &Call<'_>, n: usize) -> Lowered<Vec<Value>> {
        let mut values = self.alike(call, n)?;
        let float = self.b.scalar(Scalar::F32);
        for (value, id) in values.iter_mut().zip(call.arguments) {
            *value = self.fit(*id, *value, float);
        }
        match self.b.components(values[0].ty) {
            Some((_, Scalar::F32)) => Ok(values),
            _ => self.wrong(call, &values),
        }
    }

    fn call_floats(&mut self, call: &Call<'_>, fun: M, n: usize) -> Lowered<Value> {
        let values = self.floats(call, n)?;
        let ty = values[0].ty;
        let scalar = self.b.components(ty).is_some_and(|(n, _)| n == 1);
        match (fun, values.as_slice()) {
            // naga has these functions only for vectors.
            (M::Reflect, &[e1, e2]) if scalar => {
                let product = self.b.binary(B::Multiply, e2, e1);
                let two = self.b.f32(2.0);
                let doubled = self.b.binary(B::Multiply, two, product);
                let along = self.b.binary(B::Multiply, doubled, e2);
                Ok(self.b.binary(B::Subtract, e1, along))
            }
            (M::FaceForward, &[e1, e2, e3]) if scalar => {
                let product = self.b.binary(B::Multiply, e2, e3);
                let zero = self.b.f32(0.0);
                let faces = self.b.binary(B::Less, product, zero);
                let turned = self.b.unary(naga::UnaryOperator::Negate, e1);
                Ok(self.b.select(faces, e1, turned))
            }
            _ => Ok(self.b.math(fun, &values, ty)),
        }
    }

    fn all_or_any(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let values = self.arguments(call, 1)?;
        match self.b.components(values[0].ty) {
            Some((n, Scalar::BOOL)) if n > 1 => {
                let fun = if call.name.text == "all" {
                    naga::RelationalFunction::All
                } else {
                    naga::RelationalFunction::Any
                };
                let ty = self.b.scalar(Scalar::BOOL);
                Ok(self.b.add(Expression::Relational { fun, argument: values[0].expr }, ty))
            }
            _ => self.wrong(call, &values),
        }
    }

    /// Lowers `select(yes, no, condition)`.
    fn call_select(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let mut values = self.arguments(call, 3)?;
        values[0] = self.fit(call.arguments[0], values[0], values[1].ty);
        values[1] = self.fit(call.arguments[1], values[1], values[0].ty);
        let (yes, no, condition) = (values[0], values[1], values[2]);
        let (Some((n, _)), Some((m, Scalar::BOOL))) =
            (self.b.components(yes.ty), self.b.components(condition.ty))
        else {
            return self.wrong(call, &values);
        };
        if yes.ty != no.ty || (n != m && (m != 1 || self.settings.strict)) {
            return self.wrong(call, &values);
        }
        let condition = if n == m { condition } else { self.b.splat(n, condition) };
        Ok(self.b.select(condition, yes, no))
    }

    /// Lowers the classification functions of floats by tests of their bits.
    fn question(&mut self, call: &Call<'_>) -> Lowered<Value> {
        const EXPONENT: u32 = 0x7f80_0000;
        let value = self.floats(call, 1)?[0];
        let n = self.b.components(value.ty).map_or(1, |(n, _)| n);
        let bits = self.b.bitcast(value, ScalarKind::Uint);
        let number = |this: &mut Self, number: u32| {
            let number = this.b.u32(number);
            this.b.splat(n, number)
        };
        let magnitude = matches!(call.name.text, "isNan" | "isInf");
        let mask = number(self, if magnitude { 0x7fff_ffff } else { EXPONENT });
        let masked = self.b.binary(B::And, bits, mask);
        let exponent = number(self, EXPONENT);
        Ok(match call.name.text {
            "isNan" => self.b.binary(B::Greater, masked, exponent),
            "isInf" => self.b.binary(B::Equal, masked, exponent),
            "isFinite" => self.b.binary(B::NotEqual, masked, exponent),
            _ => {
                let finite = self.b.binary(B::NotEqual, masked, exponent);
                let zero = number(self, 0);
                let large = self.b.binary(B::NotEqual, masked, zero);
                self.b.binary(if n == 1 { B::LogicalAnd } else { B::And }, finite, large)
            }
        })
    }

    fn call_numbers(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let n = match call.name.text {
            "abs" => 1,
            "clamp" => 3,
            _ => 2,
        };
        let values = self.alike(call, n)?;
        let ty = values[0].ty;
        let Some((_, scalar)) = self.b.components(ty).filter(|(_, scalar)| *scalar != Scalar::BOOL) else {
            return self.wrong(call, &values);
        };
        let float = scalar == Scalar::F32;
        // A literal is never NaN.
        let known = |at: usize| matches!(self.tree.get(call.arguments[at]).kind, ExprKind::Literal(_));
        Ok(match call.name.text {
            "abs" if scalar == Scalar::U32 => values[0],
            "abs" => self.b.math(M::Abs, &values, ty),
            "min" | "max" => {
                let fun = if call.name.text == "min" { M::Min } else { M::Max };
                let (a, b) = ((values[0], known(0)), (values[1], known(1)));
                if float { self.of_numbers(fun, a, b) } else { self.b.math(fun, &values, ty) }
            }
            _ if float => {
                let (x, low, high) = ((values[0], known(0)), (values[1], known(1)), (values[2], known(2)));
                let raised = self.of_numbers(M::Max, x, low);
                self.of_numbers(M::Min, (raised, x.1 || low.1), high)
            }
            _ => {
                // SClamp and UClamp first take the maximum, then the minimum.
                let raised = self.b.math(M::Max, &values[..2], ty);
                self.b.math(M::Min, &[raised, values[2]], ty)
            }
        })
    }

    /// Returns the smaller or larger of two floats, or the other operand if one is NaN. Each flag is true if its
    /// operand is known not to be NaN.
    fn of_numbers(&mut self, fun: M, (a, a_known): (Value, bool), (b, b_known): (Value, bool)) -> Value {
        let mut result = self.b.math(fun, &[a, b], a.ty);
        for (value, known, other) in [(a, a_known, b), (b, b_known, a)] {
            if !known {
                let number = self.b.binary(B::Equal, value, value);
                result = self.b.select(number, result, other);
            }
        }
        result
    }

    fn call_geometry(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let (fun, n) = match call.name.text {
            "cross" => (M::Cross, 2),
            "dot" => (M::Dot, 2),
            "distance" => (M::Distance, 2),
            "length" => (M::Length, 1),
            _ => (M::Normalize, 1),
        };
        let values = self.floats(call, n)?;
        let ty = values[0].ty;
        let components = self.b.components(ty).map_or(1, |(n, _)| n);
        let float = self.b.scalar(Scalar::F32);
        match fun {
            M::Cross if components != 3 => self.wrong(call, &values),
            M::Dot | M::Normalize if components == 1 => self.wrong(call, &values),
            M::Cross | M::Normalize => Ok(self.b.math(fun, &values, ty)),
            _ => Ok(self.b.math(fun, &values, float)),
        }
    }

    fn call_matrix(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let values = self.arguments(call, 1)?;
        let TypeInner::Matrix { columns, rows, scalar } = *self.b.inner(values[0].ty) else {
            return self.wrong(call, &values);
        };
        if call.name.text == "transpose" {
            let ty = self.b.matrix(rows as u32, columns as u32, scalar);
            return Ok(self.b.math(M::Transpose, &values, ty));
        }
        if columns != rows {
            return self.wrong(call, &values);
        }
        let ty = self.b.scalar(scalar);
        Ok(self.b.math(M::Determinant, &values, ty))
    }

    fn ldexp(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let values = self.arguments(call, 2)?;
        match (self.b.components(values[0].ty), self.b.components(values[1].ty)) {
            (Some((n, Scalar::F32)), Some((m, exponent @ (Scalar::I32 | Scalar::U32)))) if n == m => {
                let power = if exponent == Scalar::I32 {
                    values[1]
                } else {
                    self.b.bitcast(values[1], ScalarKind::Sint)
                };
                Ok(self.b.math(M::Ldexp, &[values[0], power], values[0].ty))
            }
            _ => self.wrong(call, &values),
        }
    }

    /// Lowers `modf` and `frexp`: one part is the result, the other is written through the pointer.
    fn split(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let exponent = call.name.text == "frexp";
        let &[x, to] = call.arguments else {
            let message = format!("`{}` takes 2 arguments, not {}", call.name.text, call.arguments.len());
            return self.error(call.span, message);
        };
        let x_value = self.value(x)?;
        let place = self.place(to)?;
        let Some((n, Scalar::F32)) = self.b.components(x_value.ty) else {
            return self.wrong(call, &[x_value, place]);
        };
        let Some((target, space)) = self.b.pointee(place.ty) else {
            return self.error(self.tree.span(to), "expected a variable to write to");
        };
        let writable = matches!(
            space,
            naga::AddressSpace::Function | naga::AddressSpace::Private | naga::AddressSpace::WorkGroup
        ) || matches!(space, naga::AddressSpace::Storage { access } if access.contains(naga::StorageAccess::STORE));
        let fits = match self.b.components(target) {
            Some((m, Scalar::I32 | Scalar::U32)) => exponent && m == n,
            Some((m, Scalar::F32)) => !exponent && m == n,
            _ => false,
        };
        if !fits || !writable {
            return self.wrong(call, &[x_value, place]);
        }
        self.b.at(call.span);
        let both = self.b.split_result(n, exponent);
        let both = self.b.math(if exponent { M::Frexp } else { M::Modf }, &[x_value], both);
        let fraction = self.b.member(both, 0);
        let mut other = self.b.member(both, 1);
        if let Some((_, Scalar::U32)) = self.b.components(target) {
            other = self.b.bitcast(other, ScalarKind::Uint);
        }
        self.b.store(place, other);
        Ok(fraction)
    }

    fn array_length(&mut self, call: &Call<'_>) -> Lowered<Value> {
        let &[array] = call.arguments else {
            let message = format!("`arrayLength` takes 1 argument, not {}", call.arguments.len());
            return self.error(call.span, message);
        };
        let place = self.place(array)?;
        let dynamic = self.b.pointee(place.ty).is_some_and(|(ty, _)| {
            matches!(self.b.inner(ty), TypeInner::Array { size: naga::ArraySize::Dynamic, .. })
        });
        if !dynamic {
            return self.error(self.tree.span(array), "expected a runtime-sized array");
        }
        let ty = self.b.scalar(Scalar::U32);
        Ok(self.b.add(Expression::ArrayLength(place.expr), ty))
    }
}
