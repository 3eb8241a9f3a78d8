//! Decimal numbers as floats that are narrower than f64, rounded once.

use std::cmp::Ordering;

use super::value::half_bits;

/// Bits of the half float nearest to a number in text, ties to even; `None` for text that is not a number.
pub fn parse_half(text: &str) -> Option<u16> {
    nearest(text, half_bits)
}

/// Parses a number, and rounds it to a type with at most half the precision of f64; `None` for text that is not a number.
/// `round` rounds a number to nearest.
pub(crate) fn nearest<T: PartialEq>(text: &str, round: impl Fn(f64) -> T) -> Option<T> {
    let near: f64 = text.parse().ok()?;
    let (inner, outer) = match near < 0.0 {
        true => (near.next_up(), near.next_down()),
        false => (near.next_down(), near.next_up()),
    };
    let (inner, outer) = (round(inner), round(outer));
    // The narrow type's ties have even significands in f64, their neighbours odd ones. Only at a tie does it matter that
    // `near` is rounded itself.
    if near == 0.0 || near.to_bits() & 1 == 1 || inner == outer {
        return Some(round(near));
    }
    // Ties of floats with at most 8 exponent bits have fewer digits, so that these are exact.
    Some(match magnitude(text).cmp(&magnitude(&format!("{near:.200}"))) {
        Ordering::Less => inner,
        Ordering::Equal => round(near),
        Ordering::Greater => outer,
    })
}

/// Magnitude of a number other than zero, in the order of numbers: the place of its first digit, and its digits without
/// zeros around them. 12.50 has 2 and `125`.
fn magnitude(text: &str) -> (i128, String) {
    let text = text.trim_start_matches(['-', '+']);
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let digits = format!("{whole}{part}");
    let zeros = digits.len() - digits.trim_start_matches('0').len();
    let exponent = exponent.parse::<i64>().unwrap_or(0);
    (i128::from(exponent) + whole.len() as i128 - zeros as i128, digits.trim_matches('0').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 1 + 2^-11 is the middle of 1 and the next half float, 2^-25 that of 0 and the smallest, 65520 that of the largest
    /// and the next power of two.
    #[test]
    fn numbers_next_to_ties_are_rounded_once() {
        for (text, bits) in [
            ("1.00048828125", 0x3c00),
            ("1.00048828125000000000000000", 0x3c00),
            ("1.00048828125000000000000001", 0x3c01),
            ("+0.00100048828125000000000001E3", 0x3c01),
            ("100048828125000000000000001e-26", 0x3c01),
            ("1.00048828124999999999999999", 0x3c00),
            ("-1.00048828125000000000000001", 0xbc01),
            // The middle of 1 + 2^-10 and 1 + 2^-9.
            ("1.00146484375", 0x3c02),
            ("1.00146484374999999999999999", 0x3c01),
            ("-1.00146484374999999999999999", 0xbc01),
            ("2.98023223876953125e-8", 0),
            ("2.98023223876953125000000001e-8", 1),
            ("65519.99999999999999999999", 0x7bff),
            ("65520", 0x7c00),
            ("0", 0),
            ("-0.0", 0x8000),
            ("1e-400", 0),
            ("1e-9999999999999999999999", 0),
            ("inf", 0x7c00),
            ("-1e400", 0xfc00),
            ("0.1", 0x2e66),
        ] {
            assert_eq!(parse_half(text), Some(bits), "{text}");
        }
        assert_eq!(parse_half("nan").map(|bits| bits & 0x7e00), Some(0x7e00));
        assert_eq!(parse_half("1.x"), None);
    }
}
