//! Emits operators, calls, and evaluations of children.

use naga::{BinaryOperator as Op, RelationalFunction, Statement, UnaryOperator};

use super::super::tree::{BinaryOp, Direction, ExprId, UnaryOp};
use super::super::types::{AgslKind, Number, Scalar, Type};
use super::{Child, Emitter, number_type, sample};
use crate::parts::build::{Builder, Value};

impl Emitter<'_, '_> {
    pub(super) fn unary(&mut self, op: UnaryOp, value: Value, ty: Type) -> Value {
        let n = ty.number().unwrap_or(Number::vector(Scalar::Float, 1));
        match op {
            UnaryOp::Plus => value,
            UnaryOp::Not => self.b.unary(UnaryOperator::LogicalNot, value),
            UnaryOp::Minus if n.is_matrix() => self.by_column(n, |b, i| {
                let column = b.member(value, i);
                b.unary(UnaryOperator::Negate, column)
            }),
            UnaryOp::Minus => self.b.unary(UnaryOperator::Negate, value),
        }
    }

    /// Builds a matrix column by column with `column`.
    pub(super) fn by_column(&mut self, n: Number, column: impl Fn(&mut Builder, u32) -> Value) -> Value {
        let columns: Vec<Value> = (0..n.columns).map(|i| column(self.b, i.into())).collect();
        let ty = number_type(self.b, n);
        self.b.compose(ty, &columns)
    }

    pub(super) fn binary(
        &mut self,
        op: BinaryOp,
        left: Value,
        left_ty: Type,
        right: Value,
        right_ty: Type,
    ) -> Value {
        use BinaryOp as B;
        let naga_op = match op {
            B::Equal => return self.equal(left, right, left_ty),
            B::NotEqual => {
                let equal = self.equal(left, right, left_ty);
                return self.b.unary(UnaryOperator::LogicalNot, equal);
            }
            B::Mul => Op::Multiply,
            B::Div => Op::Divide,
            B::Add => Op::Add,
            B::Sub => Op::Subtract,
            B::Less => Op::Less,
            B::Greater => Op::Greater,
            B::LessEqual => Op::LessEqual,
            B::GreaterEqual => Op::GreaterEqual,
            B::And => Op::LogicalAnd,
            B::Or => Op::LogicalOr,
            B::Xor => Op::NotEqual,
        };
        let scalar = Number::vector(Scalar::Float, 1);
        let (l, r) = (left_ty.number().unwrap_or(scalar), right_ty.number().unwrap_or(scalar));
        if !l.is_matrix() && !r.is_matrix() {
            let n = l.rows.max(r.rows).into();
            let (left, right) = (self.b.splat(n, left), self.b.splat(n, right));
            return self.b.binary(naga_op, left, right);
        }
        if op == B::Mul {
            return self.b.binary(naga_op, left, right);
        }
        let shape = if l.is_matrix() { l } else { r };
        self.by_column(shape, |b, i| {
            let part = |b: &mut Builder, value: Value, n: Number| {
                if n.is_matrix() { b.member(value, i) } else { b.splat(shape.rows.into(), value) }
            };
            let (left, right) = (part(b, left, l), part(b, right, r));
            b.binary(naga_op, left, right)
        })
    }

    /// Emits a comparison that is true if all components and members are equal.
    fn equal(&mut self, left: Value, right: Value, ty: Type) -> Value {
        let parts = match ty {
            Type::Number(n) if n.is_scalar() => return self.b.binary(Op::Equal, left, right),
            Type::Number(n) if n.is_vector() => {
                let equal = self.b.binary(Op::Equal, left, right);
                return self.relational(RelationalFunction::All, equal);
            }
            Type::Number(n) => vec![Type::Number(n.part()); n.columns.into()],
            Type::Struct(n) => self.program.structs[n as usize].fields.iter().map(|(_, ty)| *ty).collect(),
            _ => Vec::new(),
        };
        let mut all = None;
        for (i, ty) in parts.into_iter().enumerate() {
            self.parts = self.parts.saturating_sub(1);
            if self.parts == 0 {
                break;
            }
            let (l, r) = (self.b.member(left, i as u32), self.b.member(right, i as u32));
            let equal = self.equal(l, r, ty);
            all = Some(match all {
                None => equal,
                Some(before) => self.b.binary(Op::LogicalAnd, before, equal),
            });
        }
        match all {
            Some(all) => all,
            None => self.b.bool(true),
        }
    }

    pub(super) fn relational(&mut self, fun: RelationalFunction, argument: Value) -> Value {
        let ty = self.b.scalar(naga::Scalar::BOOL);
        self.b.add(naga::Expression::Relational { fun, argument: argument.expr }, ty)
    }

    /// Emits `&&` and `||`: the second operand is evaluated only if the first does not decide.
    pub(super) fn logical(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Value {
        let first = self.value(left);
        if !self.program.exprs[right.0 as usize].effects {
            let second = self.value(right);
            let op = if op == BinaryOp::And { Op::LogicalAnd } else { Op::LogicalOr };
            return self.b.binary(op, first, second);
        }
        let result = self.b.local("decided", first.ty, None);
        self.b.store(result, first);
        self.b.begin_block();
        let second = self.value(right);
        self.b.store(result, second);
        let evaluated = self.b.end_block();
        let (accept, reject) = match op {
            BinaryOp::And => (evaluated, naga::Block::new()),
            _ => (naga::Block::new(), evaluated),
        };
        self.b.push(Statement::If { condition: first.expr, accept, reject });
        self.b.load(result)
    }

    /// Emits `?:`. If an operand has side effects, only the selected operand is evaluated.
    pub(super) fn select(&mut self, condition: ExprId, yes: ExprId, no: ExprId, ty: Type) -> Value {
        let effects = |id: ExprId| self.program.exprs[id.0 as usize].effects;
        let plain = ty.number().is_some_and(|n| !n.is_matrix());
        let needs_branch = effects(yes) || effects(no) || !plain;
        let condition = self.value(condition);
        if !needs_branch {
            let (yes, no) = (self.value(yes), self.value(no));
            return self.b.select(condition, yes, no);
        }
        if ty == Type::Void {
            let accept = self.discarded(yes);
            let reject = self.discarded(no);
            self.b.push(Statement::If { condition: condition.expr, accept, reject });
            return self.b.f32(0.0);
        }
        let ty = self.ty(ty);
        let result = self.b.local("chosen", ty, None);
        let branch = |emitter: &mut Self, id: ExprId| {
            emitter.b.begin_block();
            let value = emitter.value(id);
            emitter.b.store(result, value);
            emitter.b.end_block()
        };
        let accept = branch(self, yes);
        let reject = branch(self, no);
        self.b.push(Statement::If { condition: condition.expr, accept, reject });
        self.b.load(result)
    }

    fn discarded(&mut self, id: ExprId) -> naga::Block {
        self.b.begin_block();
        self.discard(id);
        self.b.end_block()
    }

    // Calls.

    /// Calls a function of the program. Each `out` argument is a temporary variable during the call.
    pub(super) fn call(&mut self, function: u32, arguments: &[ExprId]) -> Option<Value> {
        let program = self.program;
        let parameters = &program.functions[function as usize].parameters;
        let handle = self.functions[function as usize]?;
        let mut values = Vec::new();
        let mut outs = Vec::new();
        for ((ty, direction), argument) in parameters.iter().zip(arguments) {
            if *direction == Direction::In {
                values.push(self.value(*argument));
                continue;
            }
            let target = self.target(*argument);
            let naga_ty = self.ty(*ty);
            let variable = self.b.local("passed", naga_ty, None);
            let before = match direction {
                Direction::InOut => self.load_target(&target, *ty),
                _ => self.b.zero(naga_ty),
            };
            self.b.store(variable, before);
            values.push(variable);
            outs.push((target, variable));
        }
        let result = self.b.call(handle, &values);
        for (target, variable) in outs {
            let value = self.b.load(variable);
            self.store_target(&target, value);
        }
        result
    }

    pub(super) fn eval(&mut self, child: u32, arguments: &[Value]) -> Value {
        let kind = self.program.children[child as usize].kind;
        match (self.children[child as usize], kind, arguments) {
            (Child::Picture(picture), _, [coord]) => sample(self.b, picture, *coord),
            (Child::Program(function), ..) => match self.b.call(function, arguments) {
                Some(color) => color,
                None => self.b.f32(0.0),
            },
            (_, AgslKind::Blender, [src, dst]) => {
                let alpha = self.b.member(*src, 3);
                let one = self.b.f32(1.0);
                let rest = self.b.binary(Op::Subtract, one, alpha);
                let rest = self.b.splat(4, rest);
                let below = self.b.binary(Op::Multiply, *dst, rest);
                self.b.binary(Op::Add, *src, below)
            }
            (_, _, [color]) if kind == AgslKind::ColorFilter => *color,
            _ => {
                let ty = self.b.vector(4, naga::Scalar::F32);
                self.b.zero(ty)
            }
        }
    }
}
