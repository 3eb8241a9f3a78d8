//! Emits the built-in functions of AGSL.

use naga::{BinaryOperator as Op, MathFunction as Math, RelationalFunction, UnaryOperator};

use super::super::functions::Fun;
use super::super::types::{Number, Scalar};
use super::{Emitter, number_type};
use crate::parts::build::{Builder, Value};

/// Returns the naga function with the same meaning, if there is one.
fn same(fun: Fun) -> Option<Math> {
    Some(match fun {
        Fun::Radians => Math::Radians,
        Fun::Degrees => Math::Degrees,
        Fun::Sin => Math::Sin,
        Fun::Cos => Math::Cos,
        Fun::Tan => Math::Tan,
        Fun::Asin => Math::Asin,
        Fun::Acos => Math::Acos,
        Fun::Atan => Math::Atan,
        Fun::Atan2 => Math::Atan2,
        Fun::Pow => Math::Pow,
        Fun::Exp => Math::Exp,
        Fun::Log => Math::Log,
        Fun::Exp2 => Math::Exp2,
        Fun::Log2 => Math::Log2,
        Fun::Sqrt => Math::Sqrt,
        Fun::InverseSqrt => Math::InverseSqrt,
        Fun::Abs => Math::Abs,
        Fun::Sign => Math::Sign,
        Fun::Floor => Math::Floor,
        Fun::Ceil => Math::Ceil,
        Fun::Fract => Math::Fract,
        Fun::Min => Math::Min,
        Fun::Max => Math::Max,
        Fun::Clamp => Math::Clamp,
        Fun::Saturate => Math::Saturate,
        Fun::Mix => Math::Mix,
        Fun::Step => Math::Step,
        Fun::SmoothStep => Math::SmoothStep,
        Fun::Length => Math::Length,
        Fun::Distance => Math::Distance,
        Fun::Dot => Math::Dot,
        Fun::Cross => Math::Cross,
        Fun::Normalize => Math::Normalize,
        Fun::FaceForward => Math::FaceForward,
        Fun::Reflect => Math::Reflect,
        Fun::Refract => Math::Refract,
        Fun::Inverse => Math::Inverse,
        _ => return None,
    })
}

/// True for functions of a vector as a whole.
fn is_geometric(fun: Fun) -> bool {
    matches!(
        fun,
        Fun::Length
            | Fun::Distance
            | Fun::Dot
            | Fun::Cross
            | Fun::Normalize
            | Fun::FaceForward
            | Fun::Reflect
            | Fun::Refract
    )
}

impl Emitter<'_, '_> {
    pub(super) fn builtin(&mut self, fun: Fun, given: &[(Value, Number)], result: Number) -> Value {
        let ty = number_type(self.b, result);
        let values: Vec<Value> = given.iter().map(|(value, _)| *value).collect();
        if is_geometric(fun) {
            return match given[0].1.is_scalar() {
                true => self.geometric_of_scalars(fun, &values),
                false => match same(fun) {
                    Some(math) => self.b.math(math, &values, ty),
                    None => values[0],
                },
            };
        }
        // A scalar argument is applied to each component of the vector arguments.
        let wide: Vec<Value> = values.iter().map(|v| self.b.splat(result.rows.into(), *v)).collect();
        if let Some(math) = same(fun) {
            return self.b.math(math, if fun == Fun::Inverse { &values } else { &wide }, ty);
        }
        let compare = |emitter: &mut Self, op| emitter.b.binary(op, values[0], values[1]);
        match fun {
            Fun::Mod => self.modulo(wide[0], wide[1], ty),
            Fun::MatrixCompMult => self.by_column(result, |b, i| {
                let (x, y) = (b.member(values[0], i), b.member(values[1], i));
                b.binary(Op::Multiply, x, y)
            }),
            Fun::LessThan => compare(self, Op::Less),
            Fun::LessThanEqual => compare(self, Op::LessEqual),
            Fun::GreaterThan => compare(self, Op::Greater),
            Fun::GreaterThanEqual => compare(self, Op::GreaterEqual),
            Fun::Equal => compare(self, Op::Equal),
            Fun::NotEqual => {
                // Negate the equality, so that NaN is not equal to anything.
                let equal = compare(self, Op::Equal);
                self.b.unary(UnaryOperator::LogicalNot, equal)
            }
            Fun::Not => self.b.unary(UnaryOperator::LogicalNot, values[0]),
            Fun::Any => self.relational(RelationalFunction::Any, values[0]),
            Fun::All => self.relational(RelationalFunction::All, values[0]),
            Fun::Unpremul => self.unpremul(values[0]),
            Fun::ToLinearSrgb => self.transfer(values[0], true),
            Fun::FromLinearSrgb => self.transfer(values[0], false),
            _ => values[0],
        }
    }

    /// Emits `x - y * floor(x / y)`.
    fn modulo(&mut self, x: Value, y: Value, ty: super::Ty) -> Value {
        let quotient = self.b.binary(Op::Divide, x, y);
        let floor = self.b.math(Math::Floor, &[quotient], ty);
        let product = self.b.binary(Op::Multiply, y, floor);
        self.b.binary(Op::Subtract, x, product)
    }

    /// The same formulas for vectors of one component.
    fn geometric_of_scalars(&mut self, fun: Fun, values: &[Value]) -> Value {
        let b = &mut *self.b;
        let ty = values[0].ty;
        let abs = |b: &mut Builder, v: Value| b.math(Math::Abs, &[v], ty);
        let mul = |b: &mut Builder, x: Value, y: Value| b.binary(Op::Multiply, x, y);
        match (fun, values) {
            (Fun::Length, [x]) => abs(b, *x),
            (Fun::Distance, [x, y]) => {
                let difference = b.binary(Op::Subtract, *x, *y);
                abs(b, difference)
            }
            (Fun::Dot, [x, y]) => mul(b, *x, *y),
            (Fun::Normalize, [x]) => {
                let length = abs(b, *x);
                b.binary(Op::Divide, *x, length)
            }
            (Fun::FaceForward, [n, i, reference]) => {
                let dot = mul(b, *reference, *i);
                let zero = b.f32(0.0);
                let towards = b.binary(Op::Less, dot, zero);
                let turned = b.unary(UnaryOperator::Negate, *n);
                b.select(towards, *n, turned)
            }
            (Fun::Reflect, [i, n]) => {
                let dot = mul(b, *n, *i);
                let two = b.f32(2.0);
                let twice = mul(b, two, dot);
                let along = mul(b, twice, *n);
                b.binary(Op::Subtract, *i, along)
            }
            (Fun::Refract, [i, n, eta]) => {
                // k = 1 - eta * eta * (1 - dot * dot); 0 where k < 0, else eta * i - (eta * dot + sqrt(k)) * n.
                let (zero, one) = (b.f32(0.0), b.f32(1.0));
                let dot = mul(b, *n, *i);
                let square = mul(b, dot, dot);
                let rest = b.binary(Op::Subtract, one, square);
                let eta_square = mul(b, *eta, *eta);
                let lost = mul(b, eta_square, rest);
                let k = b.binary(Op::Subtract, one, lost);
                let total = b.binary(Op::Less, k, zero);
                let positive = b.math(Math::Max, &[k, zero], ty);
                let root = b.math(Math::Sqrt, &[positive], ty);
                let eta_dot = mul(b, *eta, dot);
                let sum = b.binary(Op::Add, eta_dot, root);
                let (straight, bent) = (mul(b, *eta, *i), mul(b, sum, *n));
                let refracted = b.binary(Op::Subtract, straight, bent);
                b.select(total, zero, refracted)
            }
            _ => values[0],
        }
    }

    /// Emits `rgb / max(a, 0.0001)`, and `a`.
    fn unpremul(&mut self, color: Value) -> Value {
        let b = &mut *self.b;
        let (rgb, alpha, least) = (b.swizzle(color, &[0, 1, 2]), b.member(color, 3), b.f32(0.0001));
        let divisor = b.math(Math::Max, &[alpha, least], alpha.ty);
        let divisor = b.splat(3, divisor);
        let rgb = b.binary(Op::Divide, rgb, divisor);
        b.compose(color.ty, &[rgb, alpha])
    }

    /// Converts between the working colour space, sRGB, and linear sRGB. Negative components are converted by their
    /// absolute values and keep their signs.
    fn transfer(&mut self, color: Value, to_linear: bool) -> Value {
        let n = Number::vector(Scalar::Float, 3);
        let ty = number_type(self.b, n);
        let b = &mut *self.b;
        let all = |b: &mut Builder, x: f32| {
            let x = b.f32(x);
            b.splat(3, x)
        };
        let abs = b.math(Math::Abs, &[color], ty);
        let (offset, scale, slope) = (all(b, 0.055), all(b, 1.055), all(b, 12.92));
        let (edge, low, high) = if to_linear {
            let sum = b.binary(Op::Add, abs, offset);
            let base = b.binary(Op::Divide, sum, scale);
            let exponent = all(b, 2.4);
            (0.04045, b.binary(Op::Divide, abs, slope), b.math(Math::Pow, &[base, exponent], ty))
        } else {
            let exponent = all(b, 1.0 / 2.4);
            let power = b.math(Math::Pow, &[abs, exponent], ty);
            let scaled = b.binary(Op::Multiply, power, scale);
            (0.003_130_8, b.binary(Op::Multiply, abs, slope), b.binary(Op::Subtract, scaled, offset))
        };
        let edge = all(b, edge);
        let is_low = b.binary(Op::LessEqual, abs, edge);
        let value = b.select(is_low, low, high);
        let sign = b.math(Math::Sign, &[color], ty);
        b.binary(Op::Multiply, value, sign)
    }
}
