//! Comparison of one result with the exact one, and with the precision that Vulkan permits and that we promise.

use super::Measured;
use super::functions::{Function, Promise};
use super::range::{F16, F64, Format, power};
use crate::value::Scalar;

/// One result, and the exact one.
struct Case<'a> {
    f: &'a Function,
    from: Scalar,
    format: Format,
    operands: [f64; 4],
    /// The exact result as the sum of two numbers.
    exact: f64,
    low: f64,
    value: f64,
}

/// Distance of a result from the exact one.
struct Distance {
    /// The exact result; an infinity counts as the power of two that follows the finite numbers.
    exact: f64,
    /// The result, with the same meaning of infinities.
    value: f64,
    /// `true` if the exact result is denormal.
    tiny: bool,
    absolute: f64,
    /// Distance between the numbers of the format at the exact result.
    unit: f64,
    /// The distance in units.
    error: f64,
}

/// Compares one result.
pub fn judge(f: &Function, from: Scalar, to: Scalar, bits: &[u64], got: u64, m: &mut Measured) {
    m.tried += 1;
    let case = Case::new(f, from, to, bits, got);
    let Some(distance) = case.distance(m) else { return };
    m.compared += 1;
    let nearest = distance.error <= 0.5;
    if nearest {
        m.nearest += 1;
    }
    if nearest && f.promise == Promise::Rounded {
        case.record(&distance, m);
    } else if !nearest && case.is_of_flushed_operands() {
        m.flushed += 1;
        m.compared -= 1;
    } else {
        case.bound(&distance, nearest, m);
    }
}

/// Value of an operand as f64, and the remaining error.
fn number(ty: Scalar, bits: u64) -> (f64, f64) {
    let (value, back) = match ty {
        Scalar::Int(n, true) => {
            let v = ((bits << (64 - n)) as i64) >> (64 - n);
            (i128::from(v), (v as f64) as i128)
        }
        Scalar::Int(..) | Scalar::Bool => (i128::from(bits), (bits as f64) as i128),
        Scalar::Float(_) => return (ty.to_f64(bits), 0.0),
    };
    (back as f64, (value - back) as f64)
}

impl<'a> Case<'a> {
    fn new(f: &'a Function, from: Scalar, to: Scalar, bits: &[u64], got: u64) -> Case<'a> {
        let mut operands = [0.0; 4];
        let mut rest = 0.0;
        for (a, b) in operands.iter_mut().zip(bits) {
            (*a, rest) = number(from, *b);
        }
        let args = &operands[..bits.len()];
        let plain = (f.exact)(args);
        let finite = args.iter().all(|a| a.is_finite());
        let (exact, low) = match (f.from, to.bits()) {
            (Some(_), _) => (args[0], rest),
            // Below this magnitude, two f64 cannot hold the remainder.
            (None, 64) if plain.is_finite() && plain.abs() > power(-960) && finite => match (f.big)(args) {
                // At overflow, rounding decides; the host is right for single operations.
                (high, _) if high.is_infinite() => (plain, 0.0),
                exact => exact,
            },
            _ => (plain, 0.0),
        };
        Case { f, from, format: Format::of(to.bits()), operands, exact, low, value: to.to_f64(got) }
    }

    fn args(&self) -> &[f64] {
        &self.operands[..self.f.arity]
    }

    /// The operands as text.
    fn show(&self) -> String {
        self.args().iter().map(|a| format!("{a:?}")).collect::<Vec<_>>().join(", ")
    }

    /// Reports a result that should be another special value.
    fn unexpected(&self, m: &mut Measured) {
        m.fail(format!("{:?} at ({}), expected {:?}", self.value, self.show(), self.exact));
    }

    /// Returns the distance of the result from the exact one; `None` after special values and flushed results, which it
    /// compares itself.
    fn distance(&self, m: &mut Measured) -> Option<Distance> {
        let Case { f, format, exact, value, .. } = *self;
        if exact.is_nan() || self.args().iter().any(|a| a.is_nan()) {
            // Vulkan permits anything. We promise NaN, except where the function ignores a NaN operand.
            if exact.is_nan() != value.is_nan() && f.promise != Promise::Vulkan {
                self.unexpected(m);
            }
            return None;
        }
        // Infinities count as the power of two that follows the finite numbers.
        let beyond = power(format.most) * 2.0;
        let limit = |x: f64| if x.abs() > beyond { beyond.copysign(x) } else { x };
        let unlimited = format.precision == F64.precision;
        let (e, v) = if unlimited { (exact, value) } else { (limit(exact), limit(value)) };
        let low = if e == exact { self.low } else { 0.0 };
        if e == 0.0 && v == 0.0 && e.is_sign_negative() != v.is_sign_negative() && f.signed_zero {
            self.unexpected(m);
            return None;
        }
        if unlimited && !(e.is_finite() && v.is_finite()) {
            if e != v {
                self.unexpected(m);
            }
            return None;
        }
        let tiny = e.abs() < format.min_normal();
        if tiny && value == 0.0 && e != 0.0 && e.abs() > format.ulp(0.0) / 2.0 {
            m.flushed += 1;
            return None;
        }
        let absolute = ((v - e) - low).abs();
        // At a power of two, the numbers above are further apart than those below.
        let outward = if low == 0.0 { v - e } else { low };
        let above = is_power_of_two(e) && outward * e.signum() > 0.0 && !tiny;
        let unit = format.ulp(e) * if above { 2.0 } else { 1.0 };
        Some(Distance { exact: e, value: v, tiny, absolute, unit, error: absolute / unit })
    }

    /// Records the error of a result in the function's domain.
    fn record(&self, distance: &Distance, m: &mut Measured) {
        m.note(distance.error, distance.tiny, self.args());
        m.worst_absolute = m.worst_absolute.max(if self.exact.is_finite() { distance.absolute } else { 0.0 });
    }

    /// `true` if the result is that of operands of which some denormal ones are zero: any subset of them may be flushed.
    fn is_of_flushed_operands(&self) -> bool {
        let is_denormal = |a: f64| {
            matches!(self.from, Scalar::Float(_)) && a.abs() < Format::of(self.from.bits()).min_normal()
        };
        if !self.args().iter().any(|&a| a != 0.0 && is_denormal(a)) {
            return false;
        }
        let n = self.f.arity;
        (1..1 << n).any(|which| {
            let mut flat = self.operands;
            for (k, a) in flat[..n].iter_mut().enumerate() {
                if which >> k & 1 == 1 && is_denormal(*a) {
                    *a = 0.0_f64.copysign(*a);
                }
            }
            let zeroed = (self.f.exact)(&flat[..n]);
            let anything = zeroed.is_nan() || (self.f.permits)(&flat[..n], self.format).any;
            let near = (self.value - zeroed).abs() <= 4.0 * self.format.ulp(zeroed);
            anything || self.value == zeroed || near
        })
    }

    /// Compares a result with the range that Vulkan permits, and with the promise.
    fn bound(&self, distance: &Distance, nearest: bool, m: &mut Measured) {
        let &Distance { exact: e, value: v, tiny, absolute, unit, error } = distance;
        let (exact, value) = (self.exact, self.value);
        let range = (self.f.permits)(self.args(), self.format);
        if value.is_nan() {
            if !range.any {
                m.fail(format!("NaN at ({}), exact is {exact:e}", self.show()));
            }
            return;
        }
        let good = nearest || range.any || value >= range.low && value <= range.high;
        if !range.any && error > 0.0 && exact.is_finite() && !tiny {
            let room = if v >= e { range.high - e } else { e - range.low };
            if room > 0.0 && room.is_finite() {
                m.share = m.share.max(absolute / room);
            }
        }
        if !(self.f.domain)(self.args()) {
            if !good {
                m.fail(format!(
                    "{value:e} at ({}), exact is {exact:e}: more than Vulkan permits",
                    self.show()
                ));
            }
            return;
        }
        self.record(distance, m);
        let is_half = self.format.precision == F16.precision;
        let slack = if is_half { 0.5 } else { 0.0 };
        let promised = match self.f.promise {
            Promise::Rounded => nearest,
            Promise::Ulp(bound) => error <= if is_half { bound.min(0.51) } else { bound } || nearest,
            Promise::EachUlp(bound) => error <= bound || nearest,
            Promise::Absolute(bound) => absolute <= bound + slack * unit,
            Promise::Vulkan => true,
        };
        if !good {
            m.fail(format!(
                "{value:e} at ({}), exact is {exact:e}: more than Vulkan permits ({error:.2} ulp)",
                self.show()
            ));
        } else if !promised {
            m.fail(format!("{value:e} at ({}), exact is {exact:e}: {error:.3} ulp", self.show()));
        }
    }
}

fn is_power_of_two(x: f64) -> bool {
    x.to_bits() & ((1 << 52) - 1) == 0
}
