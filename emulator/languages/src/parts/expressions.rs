//! Appends expressions with their types. Front ends have checked the operands; naga's validator finds any that they
//! missed.

use naga::{BinaryOperator, Expression, Literal, MathFunction, Scalar, ScalarKind, TypeInner, UnaryOperator};

use super::build::{Builder, Expr, Ty, Value};
use super::types::size;

impl Builder {
    pub fn literal(&mut self, literal: Literal) -> Value {
        let ty = self.scalar(literal.scalar());
        self.add(Expression::Literal(literal), ty)
    }

    pub fn i32(&mut self, n: i32) -> Value {
        self.literal(Literal::I32(n))
    }

    pub fn u32(&mut self, n: u32) -> Value {
        self.literal(Literal::U32(n))
    }

    pub fn f32(&mut self, n: f32) -> Value {
        self.literal(Literal::F32(n))
    }

    pub fn bool(&mut self, b: bool) -> Value {
        self.literal(Literal::Bool(b))
    }

    /// Appends the zero value of a type.
    pub fn zero(&mut self, ty: Ty) -> Value {
        self.add(Expression::ZeroValue(ty), ty)
    }

    /// Appends a vector, matrix, array or structure made of `parts`.
    pub fn compose(&mut self, ty: Ty, parts: &[Value]) -> Value {
        let components = parts.iter().map(|v| v.expr).collect();
        self.add(Expression::Compose { ty, components }, ty)
    }

    /// Replicates a scalar into `n` components; for one component the result is the scalar itself.
    pub fn splat(&mut self, n: u32, value: Value) -> Value {
        match self.components(value.ty) {
            Some((1, scalar)) if n > 1 => {
                let ty = self.vector(n, scalar);
                self.add(Expression::Splat { size: size(n), value: value.expr }, ty)
            }
            _ => value,
        }
    }

    /// Selects components of a vector value by number; one component gives a scalar.
    pub fn swizzle(&mut self, vector: Value, components: &[u8]) -> Value {
        let Some((_, scalar)) = self.components(vector.ty) else { return vector };
        match components {
            &[one] => self.member(vector, u32::from(one)),
            _ => {
                use naga::SwizzleComponent::{W, X, Y, Z};
                let mut pattern = [X; 4];
                for (to, from) in pattern.iter_mut().zip(components) {
                    *to = *[X, Y, Z, W].get(usize::from(*from)).unwrap_or(&X);
                }
                let n = u32::try_from(components.len()).unwrap_or(4);
                let ty = self.vector(n, scalar);
                self.add(Expression::Swizzle { size: size(n), vector: vector.expr, pattern }, ty)
            }
        }
    }

    /// Selects member, column, element or component `index`. The result is a pointer if `base` is one, otherwise a
    /// value.
    pub fn member(&mut self, base: Value, index: u32) -> Value {
        let pointee = self.pointee(base.ty);
        let whole = pointee.map_or(base.ty, |(ty, _)| ty);
        let member = self.members(whole).and_then(|m| m.get(index as usize)).map(|m| m.ty);
        let part = member.or_else(|| self.element(whole).map(|(ty, _)| ty)).unwrap_or(whole);
        let ty = pointee.map_or(part, |(_, space)| self.pointer(part, space));
        self.add(Expression::AccessIndex { base: base.expr, index }, ty)
    }

    /// Selects the element, column or component with a dynamic index. The result is a pointer if `base` is one,
    /// otherwise a value.
    pub fn index(&mut self, base: Value, index: Value) -> Value {
        let pointee = self.pointee(base.ty);
        let whole = pointee.map_or(base.ty, |(ty, _)| ty);
        let part = self.element(whole).map_or(whole, |(ty, _)| ty);
        let ty = pointee.map_or(part, |(_, space)| self.pointer(part, space));
        self.add(Expression::Access { base: base.expr, index: index.expr }, ty)
    }

    /// Loads through a pointer; a value is returned unchanged.
    pub fn load(&mut self, pointer: Value) -> Value {
        match self.pointee(pointer.ty) {
            Some((ty, _)) => self.add(Expression::Load { pointer: pointer.expr }, ty),
            None => pointer,
        }
    }

    pub fn unary(&mut self, op: UnaryOperator, value: Value) -> Value {
        self.add(Expression::Unary { op, expr: value.expr }, value.ty)
    }

    /// Appends a binary operation that naga supports for these operands; the result type follows from them.
    pub fn binary(&mut self, op: BinaryOperator, left: Value, right: Value) -> Value {
        use BinaryOperator as B;
        let ty = match op {
            B::Equal | B::NotEqual | B::Less | B::LessEqual | B::Greater | B::GreaterEqual => {
                let n = self.components(left.ty).map_or(1, |(n, _)| n);
                self.vector(n, Scalar::BOOL)
            }
            B::Multiply => self.product(left.ty, right.ty),
            B::Add | B::Subtract | B::Divide | B::Modulo => match self.components(left.ty) {
                Some((1, _)) => right.ty,
                _ => left.ty,
            },
            _ => left.ty,
        };
        self.add(Expression::Binary { op, left: left.expr, right: right.expr }, ty)
    }

    fn product(&mut self, left: Ty, right: Ty) -> Ty {
        use TypeInner::{Matrix, Scalar, Vector};
        match (self.inner(left).clone(), self.inner(right).clone()) {
            (Matrix { rows, scalar, .. }, Matrix { columns, .. }) => {
                self.matrix(columns as u32, rows as u32, scalar)
            }
            (Matrix { rows, scalar, .. }, Vector { .. }) => self.vector(rows as u32, scalar),
            (Vector { scalar, .. }, Matrix { columns, .. }) => self.vector(columns as u32, scalar),
            (Scalar(_), _) => right,
            _ => left,
        }
    }

    /// Returns `yes` if the condition is true, else `no`.
    pub fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.add(Expression::Select { condition: condition.expr, accept: yes.expr, reject: no.expr }, yes.ty)
    }

    /// Calls a math function with one to four arguments and a result of type `ty`.
    pub fn math(&mut self, fun: MathFunction, arguments: &[Value], ty: Ty) -> Value {
        let argument = |i: usize| arguments.get(i).map(|v| v.expr);
        let Some(arg) = argument(0) else { return self.zero(ty) };
        self.add(Expression::Math { fun, arg, arg1: argument(1), arg2: argument(2), arg3: argument(3) }, ty)
    }

    /// Converts the components of a scalar or vector by value.
    pub fn convert(&mut self, value: Value, to: Scalar) -> Value {
        let n = self.components(value.ty).map_or(1, |(n, _)| n);
        let ty = self.vector(n, to);
        let convert = Some(to.width);
        self.add(Expression::As { expr: value.expr, kind: to.kind, convert }, ty)
    }

    /// Reinterprets the bits of a scalar or vector as another kind of the same width.
    pub fn bitcast(&mut self, value: Value, kind: ScalarKind) -> Value {
        let Some((n, scalar)) = self.components(value.ty) else { return value };
        let ty = self.vector(n, Scalar { kind, width: scalar.width });
        self.add(Expression::As { expr: value.expr, kind, convert: None }, ty)
    }

    /// Appends an expression outside all functions, for constants and initial values of variables.
    pub fn global(&mut self, expression: Expression) -> Expr {
        self.module.global_expressions.append(expression, naga::Span::UNDEFINED)
    }
}
