//! Operators by the draft's rules. Some differ from naga's operators of the same name:
//!
//! * `%` of signed integers and floats takes the sign of the divisor (OpSMod, OpFMod).
//! * `!=` of floats is false if an operand is NaN (OpFOrdNotEqual).

use naga::{BinaryOperator, MathFunction, Scalar, ScalarKind, TypeInner, UnaryOperator};

use super::super::super::parts::build::Value;
use super::super::super::parts::source::Span;
use super::super::tree::{Binary, ExprId, Unary};
use super::{Lower, Lowered};

impl Lower<'_, '_> {
    pub(super) fn unary(&mut self, op: Unary, value: Value, span: Span) -> Lowered<Value> {
        let kind = self.b.components(value.ty).map(|(_, scalar)| scalar.kind);
        let op = match (op, kind) {
            (Unary::Minus, Some(ScalarKind::Sint | ScalarKind::Float)) => UnaryOperator::Negate,
            (Unary::Not, Some(ScalarKind::Bool)) => UnaryOperator::LogicalNot,
            (Unary::Complement, Some(ScalarKind::Sint | ScalarKind::Uint)) => UnaryOperator::BitwiseNot,
            _ => {
                let (sign, name) = (unary_sign(op), self.type_name(value.ty));
                return self.error(span, format!("there is no `{sign}` for a value of type `{name}`"));
            }
        };
        Ok(self.b.unary(op, value))
    }

    pub(super) fn binary(&mut self, op: Binary, left: ExprId, right: ExprId, span: Span) -> Lowered<Value> {
        // Evaluate the right side even if the left is erroneous, to report its errors too.
        let a = self.value(left);
        let b = self.value(right);
        let (mut a, mut b) = (a?, b?);
        if !matches!(op, Binary::ShiftLeft | Binary::ShiftRight) {
            a = self.fit_to_component(left, a, b);
            b = self.fit_to_component(right, b, a);
        } else {
            let amount = self.b.scalar(Scalar::U32);
            b = self.fit(right, b, amount);
        }
        self.b.at(span);
        let integers = matches!(self.b.components(b.ty), Some((_, Scalar::I32 | Scalar::U32)));
        if integers && matches!(op, Binary::Divide | Binary::Remainder) {
            b = self.divisor(right, b);
        }
        match self.operate(op, a, b) {
            Some(value) => Ok(value),
            None => {
                let (sign, a, b) = (binary_sign(op), self.type_name(a.ty), self.type_name(b.ty));
                self.error(span, format!("there is no `{sign}` for values of the types `{a}` and `{b}`"))
            }
        }
    }

    /// Converts an integer literal to the component type of the other operand.
    fn fit_to_component(&mut self, id: ExprId, value: Value, beside: Value) -> Value {
        let scalar = match *self.b.inner(beside.ty) {
            TypeInner::Scalar(scalar)
            | TypeInner::Vector { scalar, .. }
            | TypeInner::Matrix { scalar, .. } => scalar,
            _ => return value,
        };
        let component = self.b.scalar(scalar);
        self.fit(id, value, component)
    }

    fn operate(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        use BinaryOperator as B;
        match op {
            Binary::Multiply if a.ty != b.ty || self.is_matrix(a) => self.mixed_product(a, b),
            Binary::Add | Binary::Subtract if self.is_matrix(a) && a.ty == b.ty && !self.settings.strict => {
                let op = if op == Binary::Add { B::Add } else { B::Subtract };
                Some(self.b.add(naga::Expression::Binary { op, left: a.expr, right: b.expr }, a.ty))
            }
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide | Binary::Remainder => {
                self.arithmetic(op, a, b)
            }
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessEqual
            | Binary::Greater
            | Binary::GreaterEqual => self.compare(op, a, b),
            Binary::Or | Binary::And | Binary::Xor => self.bits(op, a, b),
            Binary::ShiftLeft | Binary::ShiftRight => self.shift(op, a, b),
            // Handled before the operands are evaluated.
            Binary::AndThen | Binary::OrElse => None,
        }
    }

    fn is_matrix(&self, value: Value) -> bool {
        matches!(self.b.inner(value.ty), TypeInner::Matrix { .. })
    }

    /// Lowers `*` between scalars, vectors and matrices of `f32`.
    fn mixed_product(&mut self, a: Value, b: Value) -> Option<Value> {
        use TypeInner::{Matrix, Scalar as S, Vector};
        let fits = match (self.b.inner(a.ty), self.b.inner(b.ty)) {
            (S(Scalar::F32), Vector { scalar: Scalar::F32, .. } | Matrix { .. })
            | (Vector { scalar: Scalar::F32, .. } | Matrix { .. }, S(Scalar::F32)) => true,
            (Vector { size, scalar: Scalar::F32 }, Matrix { rows, .. }) => size == rows,
            (Matrix { columns, .. }, Vector { size, scalar: Scalar::F32 }) => columns == size,
            (Matrix { columns, .. }, Matrix { rows, .. }) => columns == rows,
            _ => return self.arithmetic(Binary::Multiply, a, b),
        };
        fits.then(|| self.b.binary(BinaryOperator::Multiply, a, b))
    }

    /// Brings both operands to one type. Sources of 2021 also combine a scalar with a vector.
    fn evened(&mut self, a: Value, b: Value) -> Option<(Value, Value, u32, Scalar)> {
        let ((n, s), (m, t)) = (self.b.components(a.ty)?, self.b.components(b.ty)?);
        if s != t {
            return None;
        }
        match (n, m) {
            _ if n == m => Some((a, b, n, s)),
            _ if self.settings.strict => None,
            (1, _) => Some((self.b.splat(m, a), b, m, s)),
            (_, 1) => Some((a, self.b.splat(n, b), n, s)),
            _ => None,
        }
    }

    fn arithmetic(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        let (a, b, n, scalar) = self.evened(a, b)?;
        if scalar == Scalar::BOOL {
            return None;
        }
        let op = match op {
            Binary::Add => BinaryOperator::Add,
            Binary::Subtract => BinaryOperator::Subtract,
            Binary::Multiply => BinaryOperator::Multiply,
            Binary::Divide => BinaryOperator::Divide,
            _ => return Some(self.remainder(a, b, n, scalar.kind)),
        };
        Some(self.b.binary(op, a, b))
    }

    /// Lowers the remainder, which has the sign of the divisor.
    fn remainder(&mut self, a: Value, b: Value, n: u32, kind: ScalarKind) -> Value {
        use BinaryOperator as B;
        match kind {
            ScalarKind::Float => {
                let quotient = self.b.binary(B::Divide, a, b);
                let floor = self.b.math(MathFunction::Floor, &[quotient], a.ty);
                let whole = self.b.binary(B::Multiply, b, floor);
                self.b.binary(B::Subtract, a, whole)
            }
            ScalarKind::Sint => {
                let zero = self.b.i32(0);
                let zero = self.b.splat(n, zero);
                // `rest` has the sign of the dividend; a division by zero gives 0.
                let rest = self.b.binary(B::Modulo, a, b);
                let signs = self.b.binary(B::ExclusiveOr, rest, b);
                let differ = self.b.binary(B::Less, signs, zero);
                let some = self.b.binary(B::NotEqual, rest, zero);
                let both = self.b.binary(if n == 1 { B::LogicalAnd } else { B::And }, differ, some);
                let moved = self.b.binary(B::Add, rest, b);
                self.b.select(both, moved, rest)
            }
            _ => self.b.binary(B::Modulo, a, b),
        }
    }

    fn compare(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        use BinaryOperator as B;
        let (n, scalar) = self.b.components(a.ty)?;
        if a.ty != b.ty {
            return None;
        }
        let op = match op {
            Binary::NotEqual if scalar.kind == ScalarKind::Float => {
                let less = self.b.binary(B::Less, a, b);
                let greater = self.b.binary(B::Greater, a, b);
                return Some(self.b.binary(
                    if n == 1 { B::LogicalOr } else { B::InclusiveOr },
                    less,
                    greater,
                ));
            }
            Binary::Equal => B::Equal,
            Binary::NotEqual => B::NotEqual,
            _ if scalar == Scalar::BOOL => return None,
            Binary::Less => B::Less,
            Binary::LessEqual => B::LessEqual,
            Binary::Greater => B::Greater,
            _ => B::GreaterEqual,
        };
        Some(self.b.binary(op, a, b))
    }

    fn bits(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        let (_, scalar) = self.b.components(a.ty)?;
        let fits = match scalar.kind {
            ScalarKind::Bool => op != Binary::Xor,
            ScalarKind::Sint | ScalarKind::Uint => true,
            _ => false,
        };
        let op = match op {
            Binary::Or => BinaryOperator::InclusiveOr,
            Binary::And => BinaryOperator::And,
            _ => BinaryOperator::ExclusiveOr,
        };
        (fits && a.ty == b.ty).then(|| self.b.binary(op, a, b))
    }

    /// Lowers shifts; the amount is taken modulo 32.
    fn shift(&mut self, op: Binary, a: Value, b: Value) -> Option<Value> {
        let ((n, scalar), (m, amount)) = (self.b.components(a.ty)?, self.b.components(b.ty)?);
        if amount != Scalar::U32 || !matches!(scalar.kind, ScalarKind::Sint | ScalarKind::Uint) {
            return None;
        }
        // Of the shifts that combine a vector and a scalar, the draft lists only `vecN<u32> >> u32`.
        let drafted = op == Binary::ShiftRight && scalar == Scalar::U32;
        let b = match (n, m) {
            _ if n == m => b,
            (_, 1) if drafted || !self.settings.strict => self.b.splat(n, b),
            _ => return None,
        };
        let mask = self.b.u32(31);
        let mask = self.b.splat(n, mask);
        let b = self.b.binary(BinaryOperator::And, b, mask);
        let op = if op == Binary::ShiftLeft { BinaryOperator::ShiftLeft } else { BinaryOperator::ShiftRight };
        Some(self.b.binary(op, a, b))
    }
}

fn unary_sign(op: Unary) -> &'static str {
    match op {
        Unary::Minus => "-",
        Unary::Not => "!",
        Unary::Complement => "~",
        Unary::AddressOf => "&",
        Unary::Follow => "*",
    }
}

fn binary_sign(op: Binary) -> &'static str {
    match op {
        Binary::OrElse => "||",
        Binary::AndThen => "&&",
        Binary::Or => "|",
        Binary::Xor => "^",
        Binary::And => "&",
        Binary::Equal => "==",
        Binary::NotEqual => "!=",
        Binary::Less => "<",
        Binary::LessEqual => "<=",
        Binary::Greater => ">",
        Binary::GreaterEqual => ">=",
        Binary::ShiftLeft => "<<",
        Binary::ShiftRight => ">>",
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
    }
}
