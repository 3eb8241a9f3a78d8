//! Emits expressions: values, and the targets of stores. `operators` emits operators and calls.

use naga::{BinaryOperator as Op, Literal};

use super::super::tree::{BinaryOp, Constant, Expr, ExprId, Lane, Variable};
use super::super::types::{Element, Number, Scalar, Type};
use super::{Emitter, is_small_matrix, naga_scalar, number_type};
use crate::parts::build::{Builder, Value};

/// Target of a store: a variable or a part of it, or some components of a vector.
pub(super) struct Target {
    pointer: Value,
    /// Components in the order of a swizzle; `None` for all.
    lanes: Option<Vec<u8>>,
}

impl Emitter<'_, '_> {
    pub(super) fn ty_of(&self, id: ExprId) -> Type {
        self.program.exprs[id.0 as usize].ty
    }

    fn number_of(&self, id: ExprId) -> Number {
        self.ty_of(id).number().unwrap_or(Number::vector(Scalar::Float, 1))
    }

    /// Evaluates an expression only for its side effects.
    pub(super) fn discard(&mut self, id: ExprId) {
        let program = self.program;
        let typed = &program.exprs[id.0 as usize];
        match &typed.expr {
            Expr::Call(function, arguments) => {
                self.call(*function, arguments);
            }
            Expr::Comma(first, second) => {
                self.discard(*first);
                self.discard(*second);
            }
            _ if typed.effects => {
                self.value(id);
            }
            _ => {}
        }
    }

    pub(super) fn value(&mut self, id: ExprId) -> Value {
        let program = self.program;
        let typed = &program.exprs[id.0 as usize];
        match &typed.expr {
            Expr::Constant(value) => self.constant(value, typed.ty),
            Expr::Variable(Variable::Uniform(n)) => self.uniform(*n, typed.ty),
            Expr::Variable(variable) => {
                let pointer = self.variable(*variable);
                self.b.load(pointer)
            }
            Expr::Construct(parts) => self.construct(parts, typed.ty),
            Expr::Splat(one) => {
                let n = self.number_of(id).rows;
                let one = self.value(*one);
                self.b.splat(n.into(), one)
            }
            Expr::Diagonal(one) => {
                let one = self.value(*one);
                self.diagonal(one, self.number_of(id))
            }
            Expr::Convert(from) => {
                let (to, is) = (self.number_of(id).scalar, self.number_of(*from).scalar);
                let value = self.value(*from);
                if to == is { value } else { self.b.convert(value, naga_scalar(to)) }
            }
            Expr::Swizzle(base, lanes) => self.swizzle(*base, lanes),
            Expr::Index(base, index) => self.index(id, *base, *index),
            Expr::Field(base, field) => match self.pointer(id) {
                Some(pointer) => self.b.load(pointer),
                None => {
                    let base = self.value(*base);
                    self.b.member(base, *field)
                }
            },
            Expr::Unary(op, operand) => {
                let value = self.value(*operand);
                self.unary(*op, value, typed.ty)
            }
            Expr::Step { target, up, prefix } => self.step(*target, *up, *prefix),
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                self.logical(*op, *left, *right)
            }
            Expr::Binary(op, left, right) => {
                let (a, b) = (self.value(*left), self.value(*right));
                self.binary(*op, a, self.ty_of(*left), b, self.ty_of(*right))
            }
            Expr::Assign(op, target, value) => self.assign(*op, *target, *value),
            Expr::Select(condition, yes, no) => self.select(*condition, *yes, *no, typed.ty),
            Expr::Comma(first, second) => {
                self.discard(*first);
                self.value(*second)
            }
            Expr::Call(function, arguments) => match self.call(*function, arguments) {
                Some(value) => value,
                None => self.b.f32(0.0),
            },
            Expr::Builtin(builtin, arguments) => {
                let values: Vec<(Value, Number)> =
                    arguments.iter().map(|a| (self.value(*a), self.number_of(*a))).collect();
                self.builtin(builtin.fun, &values, self.number_of(id))
            }
            Expr::Eval(child, arguments) => {
                let values: Vec<Value> = arguments.iter().map(|a| self.value(*a)).collect();
                self.eval(*child, &values)
            }
            Expr::Wrong => self.b.f32(0.0),
        }
    }

    // Parts.

    fn constant(&mut self, value: &[Constant], ty: Type) -> Value {
        let literal = |b: &mut Builder, c: &Constant| {
            b.literal(match *c {
                Constant::Bool(x) => Literal::Bool(x),
                Constant::Int(x) => Literal::I32(x as i32),
                Constant::Float(x) => Literal::F32(x),
            })
        };
        match value {
            [one] => literal(self.b, one),
            _ => {
                let parts: Vec<Value> = value.iter().map(|c| literal(self.b, c)).collect();
                let n = ty.number().unwrap_or(Number::vector(Scalar::Float, 4));
                self.compose(&parts, n)
            }
        }
    }

    /// Builds a vector or matrix from its components, column by column.
    fn compose(&mut self, parts: &[Value], n: Number) -> Value {
        if n.is_scalar() {
            return parts[0];
        }
        let ty = number_type(self.b, n);
        if !n.is_matrix() {
            return self.b.compose(ty, parts);
        }
        let column = number_type(self.b, n.part());
        let columns: Vec<Value> =
            parts.chunks(n.rows.into()).map(|parts| self.b.compose(column, parts)).collect();
        self.b.compose(ty, &columns)
    }

    fn construct(&mut self, parts: &[ExprId], ty: Type) -> Value {
        let values: Vec<Value> = parts.iter().map(|p| self.value(*p)).collect();
        let Some(n) = ty.number() else {
            let ty = self.ty(ty);
            return self.b.compose(ty, &values);
        };
        let mut components = Vec::new();
        for (part, value) in parts.iter().zip(values) {
            match self.number_of(*part) {
                of if of.is_scalar() => components.push(value),
                of => components.extend((0..of.rows).map(|i| self.b.member(value, i.into()))),
            }
        }
        self.compose(&components, n)
    }

    fn diagonal(&mut self, one: Value, n: Number) -> Value {
        let zero = self.b.f32(0.0);
        let n_rows = usize::from(n.rows);
        let parts: Vec<Value> =
            (0..n_rows * n_rows).map(|i| if i % (n_rows + 1) == 0 { one } else { zero }).collect();
        self.compose(&parts, n)
    }

    fn swizzle(&mut self, base: ExprId, lanes: &[Lane]) -> Value {
        let of = self.number_of(base);
        let value = self.value(base);
        let components: Option<Vec<u8>> =
            lanes.iter().map(|lane| if let Lane::Component(i) = lane { Some(*i) } else { None }).collect();
        if let (Some(components), true) = (&components, of.is_vector()) {
            return self.b.swizzle(value, components);
        }
        let parts: Vec<Value> = lanes
            .iter()
            .map(|lane| match lane {
                Lane::Component(_) if of.is_scalar() => value,
                Lane::Component(i) => self.b.member(value, (*i).into()),
                Lane::Zero => self.number(0, of.scalar),
                Lane::One => self.number(1, of.scalar),
            })
            .collect();
        self.compose(&parts, Number { rows: lanes.len() as u8, ..of })
    }

    pub(super) fn number(&mut self, n: u8, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Bool => self.b.bool(n != 0),
            Scalar::Int => self.b.i32(n.into()),
            Scalar::Float => self.b.f32(n.into()),
        }
    }

    /// Returns the value of a constant integer expression.
    fn constant_index(&self, id: ExprId) -> Option<u32> {
        match &self.program.exprs[id.0 as usize].expr {
            Expr::Constant(value) => match value[..] {
                [Constant::Int(n)] => u32::try_from(n).ok(),
                _ => None,
            },
            _ => None,
        }
    }

    fn index(&mut self, id: ExprId, base: ExprId, index: ExprId) -> Value {
        if let Some(pointer) = self.pointer(id) {
            return self.b.load(pointer);
        }
        if let (Expr::Variable(Variable::Uniform(n)), Type::Array(Element::Number(of), _)) =
            (&self.program.exprs[base.0 as usize].expr, self.ty_of(base))
        {
            let (array, number) = (self.variable(Variable::Uniform(*n)), self.value(index));
            return self.uniform_element(array, number, of);
        }
        let value = self.value(base);
        match self.constant_index(index) {
            Some(n) => self.b.member(value, n),
            None => {
                // Only a variable can be indexed dynamically.
                let variable = self.b.local("indexed", value.ty, None);
                self.b.store(variable, value);
                let index = self.value(index);
                let pointer = self.b.index(variable, index);
                self.b.load(pointer)
            }
        }
    }

    /// Returns a pointer to a variable that is not a uniform, or to a part of it.
    fn pointer(&mut self, id: ExprId) -> Option<Value> {
        let program = self.program;
        match &program.exprs[id.0 as usize].expr {
            Expr::Variable(Variable::Uniform(_)) => None,
            Expr::Variable(variable) => Some(self.variable(*variable)),
            Expr::Field(base, field) => {
                let base = self.pointer(*base)?;
                Some(self.b.member(base, *field))
            }
            Expr::Index(base, index) => {
                let base = self.pointer(*base)?;
                Some(match self.constant_index(*index) {
                    Some(n) => self.b.member(base, n),
                    None => {
                        let index = self.value(*index);
                        self.b.index(base, index)
                    }
                })
            }
            _ => None,
        }
    }

    // Uniforms.

    fn uniform(&mut self, number: u32, ty: Type) -> Value {
        let pointer = self.variable(Variable::Uniform(number));
        match ty {
            Type::Number(n) if is_small_matrix(n) => {
                let zero = self.b.i32(0);
                self.uniform_element(pointer, zero, n)
            }
            Type::Array(Element::Number(n), count) => {
                self.parts = self.parts.saturating_sub(count);
                if self.parts == 0 {
                    return self.b.f32(0.0);
                }
                let elements: Vec<Value> = (0..count)
                    .map(|i| {
                        let i = self.b.i32(i as i32);
                        self.uniform_element(pointer, i, n)
                    })
                    .collect();
                let ty = self.ty(ty);
                self.b.compose(ty, &elements)
            }
            _ => self.b.load(pointer),
        }
    }

    /// Returns an element of a uniform array. A matrix of two rows occupies two elements.
    fn uniform_element(&mut self, array: Value, index: Value, n: Number) -> Value {
        if !is_small_matrix(n) {
            let pointer = self.b.index(array, index);
            return self.b.load(pointer);
        }
        let (one, two) = (self.b.i32(1), self.b.i32(2));
        let first = self.b.binary(Op::Multiply, index, two);
        let second = self.b.binary(Op::Add, first, one);
        let columns: Vec<Value> = [first, second]
            .into_iter()
            .map(|index| {
                let pointer = self.b.index(array, index);
                self.b.load(pointer)
            })
            .collect();
        let ty = number_type(self.b, n);
        self.b.compose(ty, &columns)
    }

    // Stores.

    pub(super) fn target(&mut self, id: ExprId) -> Target {
        let program = self.program;
        match &program.exprs[id.0 as usize].expr {
            Expr::Swizzle(base, lanes) => {
                let scalar = self.number_of(*base).is_scalar();
                let inner = self.target(*base);
                if scalar {
                    return inner;
                }
                let component = |lane: &Lane| match (lane, &inner.lanes) {
                    (Lane::Component(i), Some(lanes)) => lanes.get(usize::from(*i)).copied().unwrap_or(0),
                    (Lane::Component(i), None) => *i,
                    _ => 0,
                };
                let lanes = lanes.iter().map(component).collect();
                Target { pointer: inner.pointer, lanes: Some(lanes) }
            }
            Expr::Index(base, index) => {
                let inner = self.target(*base);
                match (inner.lanes, self.constant_index(*index)) {
                    (Some(lanes), n) => {
                        let lane = n.and_then(|n| lanes.get(n as usize)).copied().unwrap_or(0);
                        Target { pointer: inner.pointer, lanes: Some(vec![lane]) }
                    }
                    (None, Some(n)) => Target { pointer: self.b.member(inner.pointer, n), lanes: None },
                    (None, None) => {
                        let index = self.value(*index);
                        Target { pointer: self.b.index(inner.pointer, index), lanes: None }
                    }
                }
            }
            Expr::Field(base, field) => {
                let inner = self.target(*base);
                Target { pointer: self.b.member(inner.pointer, *field), lanes: None }
            }
            Expr::Variable(variable) => Target { pointer: self.variable(*variable), lanes: None },
            // The checker rejects every other target.
            _ => {
                let value = self.value(id);
                Target { pointer: self.b.local("lost", value.ty, None), lanes: None }
            }
        }
    }

    pub(super) fn load_target(&mut self, target: &Target, n: Type) -> Value {
        let Some(lanes) = &target.lanes else { return self.b.load(target.pointer) };
        let parts: Vec<Value> = lanes
            .iter()
            .map(|lane| {
                let pointer = self.b.member(target.pointer, (*lane).into());
                self.b.load(pointer)
            })
            .collect();
        self.compose(&parts, n.number().unwrap_or(Number::vector(Scalar::Float, 1)))
    }

    pub(super) fn store_target(&mut self, target: &Target, value: Value) {
        match &target.lanes {
            None => self.b.store(target.pointer, value),
            Some(lanes) => {
                for (i, lane) in lanes.iter().enumerate() {
                    let part = if lanes.len() == 1 { value } else { self.b.member(value, i as u32) };
                    let pointer = self.b.member(target.pointer, (*lane).into());
                    self.b.store(pointer, part);
                }
            }
        }
    }

    fn assign(&mut self, op: Option<BinaryOp>, target: ExprId, value: ExprId) -> Value {
        let ty = self.ty_of(target);
        let of = self.ty_of(value);
        let mut value = self.value(value);
        let target = self.target(target);
        if let Some(op) = op {
            let old = self.load_target(&target, ty);
            value = self.binary(op, old, ty, value, of);
        }
        self.store_target(&target, value);
        value
    }

    fn step(&mut self, target: ExprId, up: bool, prefix: bool) -> Value {
        let ty = self.ty_of(target);
        let scalar = self.number_of(target).scalar;
        let target = self.target(target);
        let old = self.load_target(&target, ty);
        let one = self.number(1, scalar);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        let new = self.binary(op, old, ty, one, Type::Number(Number::vector(scalar, 1)));
        self.store_target(&target, new);
        if prefix { new } else { old }
    }
}
