//! Folds constants. Only exact operations are folded, because their results cannot differ from those of the compiled
//! shader.

use super::super::functions::Fun;
use super::super::syntax::{BinaryOp, UnaryOp};
use super::super::tree::Constant;
use super::super::types::Scalar;

/// Converts a component to another scalar type, as constructors do.
pub(super) fn convert(value: Constant, to: Scalar) -> Constant {
    use Constant::{Bool, Float, Int};
    match (to, value) {
        (Scalar::Bool, Int(n)) => Bool(n != 0),
        (Scalar::Bool, Float(x)) => Bool(x != 0.0),
        (Scalar::Int, Bool(b)) => Int(b.into()),
        // Rounds towards zero and saturates at 32 bits.
        (Scalar::Int, Float(x)) => Int((x as i32).into()),
        (Scalar::Int, Int(_)) => narrow(value),
        (Scalar::Float, Bool(b)) => Float(f32::from(u8::from(b))),
        (Scalar::Float, Int(n)) => Float(n as f32),
        _ => value,
    }
}

/// Returns the 32 bits of a value that is an `int`, not a literal.
fn narrow(value: Constant) -> Constant {
    match value {
        Constant::Int(n) => Constant::Int((n as i32).into()),
        Constant::Bool(_) | Constant::Float(_) => value,
    }
}

/// Folds an operation on a literal (then the result is one, too) or on another value.
pub(super) fn unary(op: UnaryOp, value: &[Constant], literal: bool) -> Option<Vec<Constant>> {
    let one = |value: &Constant| match (op, *value) {
        (UnaryOp::Plus, value) => Some(value),
        (UnaryOp::Minus, Constant::Int(n)) => Some(Constant::Int(n.wrapping_neg())),
        (UnaryOp::Minus, Constant::Float(x)) => Some(Constant::Float(-x)),
        (UnaryOp::Not, Constant::Bool(b)) => Some(Constant::Bool(!b)),
        _ => None,
    };
    let bits = |value: Constant| if literal { value } else { narrow(value) };
    value.iter().map(|value| one(value).map(bits)).collect()
}

/// Folds an operation component by component; a scalar is applied to each component of a vector. Returns `None` for
/// operations that are left to the shader, such as integer division by zero. If both sides are literals, so is the
/// result.
pub(super) fn binary(
    op: BinaryOp,
    left: &[Constant],
    right: &[Constant],
    literal: bool,
) -> Option<Vec<Constant>> {
    if literal {
        return folded(op, left, right);
    }
    let bits = |side: &[Constant]| side.iter().copied().map(narrow).collect::<Vec<_>>();
    Some(bits(&folded(op, &bits(left), &bits(right))?))
}

fn folded(op: BinaryOp, left: &[Constant], right: &[Constant]) -> Option<Vec<Constant>> {
    use BinaryOp as B;
    match op {
        B::Equal | B::NotEqual => {
            let equal = left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a == b);
            return Some(vec![Constant::Bool(equal == (op == B::Equal))]);
        }
        _ => {}
    }
    let n = left.len().max(right.len());
    let fits = |side: &[Constant]| side.len() == n || side.len() == 1;
    if !fits(left) || !fits(right) {
        return None;
    }
    let at = |side: &[Constant], i: usize| if side.len() == 1 { side[0] } else { side[i] };
    (0..n).map(|i| component(op, at(left, i), at(right, i))).collect()
}

fn component(op: BinaryOp, left: Constant, right: Constant) -> Option<Constant> {
    use BinaryOp as B;
    use Constant::{Bool, Float, Int};
    Some(match (left, right) {
        (Int(a), Int(b)) => match op {
            // More than 64 bits are an `int`, which the shader computes.
            B::Add => Int(a.checked_add(b)?),
            B::Sub => Int(a.checked_sub(b)?),
            B::Mul => Int(a.checked_mul(b)?),
            B::Div if b != 0 => Int(a.wrapping_div(b)),
            B::Less => Bool(a < b),
            B::Greater => Bool(a > b),
            B::LessEqual => Bool(a <= b),
            B::GreaterEqual => Bool(a >= b),
            _ => return None,
        },
        (Float(a), Float(b)) => match op {
            B::Add => Float(a + b),
            B::Sub => Float(a - b),
            B::Mul => Float(a * b),
            B::Div => Float(a / b),
            B::Less => Bool(a < b),
            B::Greater => Bool(a > b),
            B::LessEqual => Bool(a <= b),
            B::GreaterEqual => Bool(a >= b),
            _ => return None,
        },
        (Bool(a), Bool(b)) => match op {
            B::And => Bool(a && b),
            B::Or => Bool(a || b),
            B::Xor => Bool(a != b),
            _ => return None,
        },
        _ => return None,
    })
    .filter(is_finite)
}

/// False for infinities and NaN, which are left to the shader.
fn is_finite(value: &Constant) -> bool {
    !matches!(value, Constant::Float(x) if !x.is_finite())
}

/// Folds the functions that are exact, component by component for floats.
pub(super) fn function(fun: Fun, arguments: &[&[Constant]]) -> Option<Vec<Constant>> {
    let n = arguments.iter().map(|a| a.len()).max()?;
    let at = |argument: usize, i: usize| match arguments.get(argument)? {
        [Constant::Float(x)] => Some(*x),
        list => match list.get(i)? {
            Constant::Float(x) => Some(*x),
            _ => None,
        },
    };
    let component = |i: usize| {
        let x = at(0, i)?;
        if !x.is_finite() {
            return None;
        }
        Some(Constant::Float(match fun {
            Fun::Abs => x.abs(),
            Fun::Floor => x.floor(),
            Fun::Ceil => x.ceil(),
            Fun::Fract => x - x.floor(),
            Fun::Sqrt if x >= 0.0 => x.sqrt(),
            Fun::Min => least(x, at(1, i)?),
            Fun::Max => greatest(x, at(1, i)?),
            Fun::Clamp => least(greatest(x, at(1, i)?), at(2, i)?),
            Fun::Saturate => least(greatest(x, 0.0), 1.0),
            _ => return None,
        }))
    };
    (0..n).map(component).collect()
}

/// The lesser number, the first one if the second is NaN. Of equal ones the second, as shaders do with variables: Rust leaves
/// open which of two zeros of different signs its `min` and `max` return.
fn least(a: f32, b: f32) -> f32 {
    if a < b || b.is_nan() { a } else { b }
}

/// The greater number; otherwise like [`least`].
fn greatest(a: f32, b: f32) -> f32 {
    if b < a || b.is_nan() { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loops, sizes of arrays and indices need constants, whatever the sign of a zero.
    #[test]
    fn the_second_of_equal_numbers_counts() {
        let folded = |fun, arguments: &[f32]| {
            let arguments: Vec<[Constant; 1]> = arguments.iter().map(|x| [Constant::Float(*x)]).collect();
            let arguments: Vec<&[Constant]> = arguments.iter().map(|list| &list[..]).collect();
            match function(fun, &arguments)?[..] {
                [Constant::Float(x)] => Some(x.to_bits()),
                _ => None,
            }
        };
        let bits = |x: f32| Some(x.to_bits());
        for fun in [Fun::Min, Fun::Max] {
            for (a, b) in [(0.0, -0.0), (-0.0, 0.0), (-0.0, -0.0)] {
                assert_eq!(folded(fun, &[a, b]), bits(b), "{a} {b}");
            }
        }
        assert_eq!(folded(Fun::Min, &[2.0, -3.0]), bits(-3.0));
        assert_eq!(folded(Fun::Max, &[2.0, -3.0]), bits(2.0));
        assert_eq!(folded(Fun::Max, &[2.0, f32::NAN]), bits(2.0));
        assert_eq!(folded(Fun::Saturate, &[-0.0]), bits(0.0));
        assert_eq!(folded(Fun::Clamp, &[2.0, 0.0, 1.0]), bits(1.0));
        assert_eq!(folded(Fun::Clamp, &[-1.0, 0.0, -0.0]), bits(-0.0));
    }
}
