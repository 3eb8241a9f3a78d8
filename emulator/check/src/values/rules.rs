//! Rules of the specifications about operands for which an instruction is undefined.
//!
//! Component-wise instructions are checked component by component ([`component`]), others on the whole vector or matrix
//! ([`whole`]).

use quadrille_jit::ir::{Partial, Ty};

use super::number::{all_digits, float, is_nan, is_non_finite, signed, text};
use crate::kind::Kind;

/// Extent of the undefinedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    /// The behaviour: executing the instruction is an error.
    Behavior,
    /// The resulting value: using it is an error.
    Value,
    /// The result is a NaN or an infinity on devices that support these: using it is an error.
    NonFinite,
}

/// Types and values of one component of each operand.
#[derive(Clone, Copy, Debug)]
pub struct Operands<'a> {
    /// Types.
    pub tys: &'a [Ty],
    /// Values, in the encoding of the interpreter.
    pub bits: &'a [u64],
}

impl Operands<'_> {
    fn ty(&self, i: usize) -> Ty {
        self.tys.get(i).copied().unwrap_or(Ty::I32)
    }
    fn u(&self, i: usize) -> u64 {
        self.bits.get(i).copied().unwrap_or(0)
    }
    fn s(&self, i: usize) -> i64 {
        signed(self.ty(i), self.u(i))
    }
    fn f(&self, i: usize) -> f64 {
        float(self.ty(i), self.u(i))
    }
    /// Bit width of the first operand's type.
    fn width(&self) -> u64 {
        u64::from(self.ty(0).bits().unwrap_or(32))
    }
    fn any_nan(&self) -> bool {
        (0..self.bits.len()).any(|i| is_nan(self.ty(i), self.u(i)))
    }
}

/// Returns the rule that one component of an instruction violates; `result` is the type of its result.
pub fn component(inst: Partial, result: Ty, on: Operands<'_>) -> Option<(Kind, Undefined)> {
    use Undefined::{Behavior, NonFinite, Value};
    let when = |broken: bool, kind: Kind, what: Undefined| broken.then_some((kind, what));
    match inst {
        Partial::UDiv | Partial::UMod => when(on.u(1) == 0, Kind::DivisionByZero, Behavior),
        Partial::SDiv | Partial::SRem | Partial::SMod => {
            let least = on.u(0) == 1 << (on.width() - 1);
            when(on.u(1) == 0, Kind::DivisionByZero, Behavior).or(when(
                least && on.s(1) == -1,
                Kind::DivisionOverflow,
                Behavior,
            ))
        }
        Partial::FRem | Partial::FMod => when(on.f(1) == 0.0, Kind::RemainderByZero, Value),
        Partial::ShiftLeftLogical | Partial::ShiftRightLogical | Partial::ShiftRightArithmetic => {
            when(on.u(1) >= on.width(), Kind::ShiftTooWide, Value)
        }
        Partial::BitFieldSExtract | Partial::BitFieldUExtract | Partial::BitFieldInsert => {
            let last = inst.operands() - 1;
            let end = on.u(last - 1).saturating_add(on.u(last));
            when(end > on.width(), Kind::BitFieldOutOfRange, Value)
        }
        Partial::ConvertFToU | Partial::ConvertFToS => when(
            !converts(on.f(0), result, inst == Partial::ConvertFToS),
            Kind::ConversionOutOfRange,
            Behavior,
        ),
        Partial::Asin | Partial::Acos => when(on.f(0).abs() > 1.0, Kind::AsinDomain, NonFinite),
        Partial::Acosh => when(on.f(0) < 1.0, Kind::AcoshDomain, NonFinite),
        Partial::Atanh => when(on.f(0).abs() >= 1.0, Kind::AtanhDomain, NonFinite),
        Partial::Atan2 => when(on.f(0) == 0.0 && on.f(1) == 0.0, Kind::Atan2Zero, Value),
        Partial::Pow => {
            let (x, y) = (on.f(0), on.f(1));
            when(x < 0.0 || (x == 0.0 && y <= 0.0), Kind::PowDomain, Value)
        }
        Partial::Log | Partial::Log2 => when(on.f(0) <= 0.0, Kind::LogDomain, NonFinite),
        Partial::Sqrt => when(on.f(0) < 0.0, Kind::SqrtNegative, NonFinite),
        Partial::InverseSqrt => when(on.f(0) <= 0.0, Kind::InverseSqrtDomain, NonFinite),
        Partial::FMin | Partial::FMax => when(on.any_nan(), Kind::NanInMinMax, Value),
        Partial::FClamp => {
            when(on.any_nan(), Kind::NanInMinMax, Value).or(when(on.f(1) > on.f(2), Kind::ClampOrder, Value))
        }
        Partial::NClamp => when(on.f(1) > on.f(2), Kind::ClampOrder, Value),
        Partial::UClamp => when(on.u(1) > on.u(2), Kind::ClampOrder, Value),
        Partial::SClamp => when(on.s(1) > on.s(2), Kind::ClampOrder, Value),
        Partial::SmoothStep => {
            let (edge0, edge1) = (on.f(0), on.f(1));
            // It clamps, and the result would not show a NaN.
            when(on.any_nan(), Kind::NanInMinMax, Value)
                .or(when(edge0 == edge1, Kind::SmoothStepEdges, Value))
                .or(when(edge0 > edge1, Kind::SmoothStepReversed, Value))
        }
        Partial::Frexp | Partial::FrexpStruct => {
            when(is_non_finite(on.ty(0), on.u(0)), Kind::FrexpNonFinite, Value)
        }
        Partial::Ldexp => {
            let most = if on.ty(0) == Ty::F64 { 1024 } else { 128 };
            when(on.s(1) > most, Kind::LdexpOverflow, Value)
        }
        Partial::MatrixInverse | Partial::Normalize => None,
    }
}

/// True if an integer type can hold the truncated float.
fn converts(x: f64, to: Ty, is_signed: bool) -> bool {
    let bits = to.bits().unwrap_or(32) as i32 - i32::from(is_signed);
    let least = if is_signed { -(2f64.powi(bits)) } else { 0.0 };
    let whole = x.trunc();
    // False for NaN.
    whole >= least && whole < 2f64.powi(bits)
}

/// Returns the rule that an instruction violates on a whole vector or matrix: its components are finite, but the
/// result's are not.
pub fn whole(inst: Partial, ty: Ty, operand: &[u64], result: &[u64]) -> Option<(Kind, Undefined)> {
    let kind = match inst {
        Partial::MatrixInverse => Kind::SingularMatrix,
        Partial::Normalize => Kind::NormalizeZero,
        _ => return None,
    };
    let finite = |list: &[u64]| !list.iter().any(|&bits| is_non_finite(ty, bits));
    if !finite(operand) {
        return None;
    }
    if !finite(result) {
        return Some((kind, Undefined::NonFinite));
    }
    // A scalar is normalized to its sign, so the result for zero is finite although it is undefined.
    let zero = inst == Partial::Normalize && operand.iter().all(|&bits| float(ty, bits) == 0.0);
    zero.then_some((kind, Undefined::Value))
}

/// Returns the specification's names for the operands of an instruction.
fn names(inst: Partial) -> &'static [&'static str] {
    match inst {
        Partial::ShiftLeftLogical | Partial::ShiftRightLogical | Partial::ShiftRightArithmetic => {
            &["base", "shift"]
        }
        Partial::BitFieldInsert => &["base", "insert", "offset", "count"],
        Partial::BitFieldSExtract | Partial::BitFieldUExtract => &["base", "offset", "count"],
        Partial::FClamp | Partial::NClamp | Partial::UClamp | Partial::SClamp => &["x", "minVal", "maxVal"],
        Partial::SmoothStep => &["edge0", "edge1", "x"],
        Partial::Atan2 => &["y", "x"],
        Partial::Ldexp => &["x", "exp"],
        _ => &["x", "y"],
    }
}

/// Returns the source name of an instruction.
fn call(inst: Partial) -> &'static str {
    match inst {
        Partial::UDiv | Partial::SDiv => "division",
        Partial::UMod | Partial::SRem | Partial::SMod | Partial::FRem | Partial::FMod => "remainder",
        Partial::ShiftLeftLogical | Partial::ShiftRightLogical | Partial::ShiftRightArithmetic => "shift",
        Partial::BitFieldInsert => "`bitfieldInsert`",
        Partial::BitFieldSExtract | Partial::BitFieldUExtract => "`bitfieldExtract`",
        Partial::ConvertFToU | Partial::ConvertFToS => "conversion",
        Partial::Asin => "`asin`",
        Partial::Acos => "`acos`",
        Partial::Acosh => "`acosh`",
        Partial::Atanh => "`atanh`",
        Partial::Atan2 => "`atan`",
        Partial::Pow => "`pow`",
        Partial::Log => "`log`",
        Partial::Log2 => "`log2`",
        Partial::Sqrt => "`sqrt`",
        Partial::InverseSqrt => "`inversesqrt`",
        Partial::MatrixInverse => "`inverse`",
        Partial::FMin => "`min`",
        Partial::FMax => "`max`",
        Partial::FClamp | Partial::NClamp | Partial::UClamp | Partial::SClamp => "`clamp`",
        Partial::SmoothStep => "`smoothstep`",
        Partial::Frexp | Partial::FrexpStruct => "`frexp`",
        Partial::Ldexp => "`ldexp`",
        Partial::Normalize => "`normalize`",
    }
}

/// True if operand `i`, if it is an integer, is shown as a signed one. Amounts of shifts, offsets and counts count without a
/// sign, but those that break a rule are small numbers or negative ones in the source.
fn is_signed(inst: Partial, i: usize) -> bool {
    match inst {
        Partial::SDiv | Partial::SRem | Partial::SMod | Partial::SClamp | Partial::BitFieldSExtract => true,
        Partial::ShiftRightArithmetic | Partial::Ldexp => true,
        Partial::ShiftLeftLogical | Partial::ShiftRightLogical | Partial::BitFieldUExtract => i >= 1,
        Partial::BitFieldInsert => i >= 2,
        _ => false,
    }
}

/// Describes the violation, with the operands by name: `` `pow` of -0.25 and 2.2``.
pub fn describe(inst: Partial, on: Operands<'_>) -> (String, Vec<(String, String)>) {
    let converts = matches!(inst, Partial::ConvertFToU | Partial::ConvertFToS);
    let texts: Vec<String> = (0..on.bits.len())
        .map(|i| match converts {
            true => all_digits(on.ty(i), on.u(i)),
            false => text(on.ty(i), on.u(i), is_signed(inst, i)),
        })
        .collect();
    let title = match (&texts[..], inst) {
        ([x, y], Partial::UDiv | Partial::SDiv) => format!("{x} / {y}"),
        ([x, y], Partial::UMod | Partial::SRem | Partial::SMod | Partial::FRem | Partial::FMod) => {
            format!("remainder of {x} by {y}")
        }
        ([_, y], Partial::ShiftLeftLogical | Partial::ShiftRightLogical | Partial::ShiftRightArithmetic) => {
            format!("shift of {} bits by {y}", on.width())
        }
        ([x], Partial::ConvertFToU) => format!("conversion of {x} to an unsigned integer"),
        ([x], Partial::ConvertFToS) => format!("conversion of {x} to a signed integer"),
        (list, _) => format!("{} of {}", call(inst), listed(list)),
    };
    let values = names(inst).iter().zip(texts).map(|(name, text)| ((*name).to_owned(), text)).collect();
    (title, values)
}

/// Describes the violation of a whole vector or matrix.
pub fn describe_whole(inst: Partial, ty: Ty, operand: &[u64]) -> (String, Vec<(String, String)>) {
    let texts: Vec<String> = operand.iter().map(|&bits| text(ty, bits, false)).collect();
    let list = format!("({})", texts.join(", "));
    (format!("{} of {list}", call(inst)), vec![("x".to_owned(), list)])
}

/// Formats `a`, `a and b`, `a, b and c`.
fn listed(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [one] => one.clone(),
        [rest @ .., last] => format!("{} and {last}", rest.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Undefined::{Behavior, NonFinite, Value};

    fn floats(list: &[f32]) -> Vec<u64> {
        list.iter().map(|x| u64::from(x.to_bits())).collect()
    }

    #[track_caller]
    fn check(inst: Partial, ty: Ty, result: Ty, bits: &[u64], expected: Option<(Kind, Undefined)>) {
        let tys = vec![ty; bits.len()];
        assert_eq!(bits.len(), inst.operands(), "{inst:?}");
        assert_eq!(component(inst, result, Operands { tys: &tys, bits }), expected, "{inst:?} {bits:x?}");
    }

    #[track_caller]
    fn float_rule(inst: Partial, args: &[f32], expected: Option<(Kind, Undefined)>) {
        check(inst, Ty::F32, Ty::F32, &floats(args), expected);
    }

    #[test]
    fn integers() {
        let int = |inst, bits: &[u64], expected| check(inst, Ty::I32, Ty::I32, bits, expected);
        let (zero, over) = (Some((Kind::DivisionByZero, Behavior)), Some((Kind::DivisionOverflow, Behavior)));
        for inst in [Partial::UDiv, Partial::UMod] {
            int(inst, &[7, 0], zero);
            int(inst, &[0, 1], None);
            int(inst, &[0x8000_0000, 0xffff_ffff], None);
        }
        for inst in [Partial::SDiv, Partial::SRem, Partial::SMod] {
            int(inst, &[7, 0], zero);
            int(inst, &[0x8000_0000, 0xffff_ffff], over);
            int(inst, &[0x8000_0001, 0xffff_ffff], None);
            int(inst, &[0x8000_0000, 1], None);
        }
        check(Partial::SDiv, Ty::I8, Ty::I8, &[0x80, 0xff], over);
        for inst in [Partial::ShiftLeftLogical, Partial::ShiftRightLogical, Partial::ShiftRightArithmetic] {
            int(inst, &[1, 32], Some((Kind::ShiftTooWide, Value)));
            int(inst, &[1, 0xffff_ffff], Some((Kind::ShiftTooWide, Value)));
            int(inst, &[1, 31], None);
        }
        check(Partial::ShiftLeftLogical, Ty::I64, Ty::I64, &[1, 63], None);
        let field = Some((Kind::BitFieldOutOfRange, Value));
        int(Partial::BitFieldUExtract, &[0, 24, 8], None);
        int(Partial::BitFieldUExtract, &[0, 25, 8], field);
        int(Partial::BitFieldSExtract, &[0, 32, 0], None);
        int(Partial::BitFieldSExtract, &[0, 0xffff_ffff, 1], field);
        int(Partial::BitFieldInsert, &[0, 0, 0, 32], None);
        int(Partial::BitFieldInsert, &[0, 0, 1, 32], field);
        let order = Some((Kind::ClampOrder, Value));
        int(Partial::UClamp, &[1, 0, 0xffff_ffff], None);
        int(Partial::SClamp, &[1, 0, 0xffff_ffff], order);
        int(Partial::UClamp, &[1, 3, 2], order);
    }

    #[test]
    fn conversions() {
        let out = Some((Kind::ConversionOutOfRange, Behavior));
        let to = |inst, x: f32, ty, expected| check(inst, Ty::F32, ty, &floats(&[x]), expected);
        to(Partial::ConvertFToU, -0.9, Ty::I32, None);
        to(Partial::ConvertFToU, -1.0, Ty::I32, out);
        to(Partial::ConvertFToU, 4_294_967_040.0, Ty::I32, None);
        to(Partial::ConvertFToU, 4_294_967_296.0, Ty::I32, out);
        to(Partial::ConvertFToU, 255.9, Ty::I8, None);
        to(Partial::ConvertFToU, 256.0, Ty::I8, out);
        to(Partial::ConvertFToS, -2_147_483_648.0, Ty::I32, None);
        to(Partial::ConvertFToS, 2_147_483_648.0, Ty::I32, out);
        to(Partial::ConvertFToS, -128.9, Ty::I8, None);
        to(Partial::ConvertFToS, -129.0, Ty::I8, out);
        to(Partial::ConvertFToS, f32::NAN, Ty::I32, out);
        to(Partial::ConvertFToU, f32::INFINITY, Ty::I64, out);
    }

    #[test]
    fn domains_of_functions() {
        let nan = f32::NAN;
        let rows: &[(Partial, &[f32], Kind, Undefined)] = &[
            (Partial::Asin, &[1.000_000_1], Kind::AsinDomain, NonFinite),
            (Partial::Acos, &[-1.5], Kind::AsinDomain, NonFinite),
            (Partial::Acosh, &[0.99], Kind::AcoshDomain, NonFinite),
            (Partial::Atanh, &[1.0], Kind::AtanhDomain, NonFinite),
            (Partial::Atan2, &[-0.0, 0.0], Kind::Atan2Zero, Value),
            (Partial::Pow, &[-0.25, 2.2], Kind::PowDomain, Value),
            (Partial::Pow, &[-2.0, 2.0], Kind::PowDomain, Value),
            (Partial::Pow, &[0.0, 0.0], Kind::PowDomain, Value),
            (Partial::Log, &[0.0], Kind::LogDomain, NonFinite),
            (Partial::Log2, &[-1.0], Kind::LogDomain, NonFinite),
            (Partial::Sqrt, &[-1e-9], Kind::SqrtNegative, NonFinite),
            (Partial::InverseSqrt, &[0.0], Kind::InverseSqrtDomain, NonFinite),
            (Partial::FMin, &[nan, 1.0], Kind::NanInMinMax, Value),
            (Partial::FMax, &[1.0, nan], Kind::NanInMinMax, Value),
            (Partial::FClamp, &[nan, 0.0, 1.0], Kind::NanInMinMax, Value),
            (Partial::FClamp, &[0.5, 1.0, 0.0], Kind::ClampOrder, Value),
            (Partial::NClamp, &[0.5, 1.0, 0.0], Kind::ClampOrder, Value),
            (Partial::SmoothStep, &[1.0, 1.0, 0.5], Kind::SmoothStepEdges, Value),
            (Partial::SmoothStep, &[1.0, 0.0, 0.5], Kind::SmoothStepReversed, Value),
            (Partial::SmoothStep, &[0.0, 1.0, nan], Kind::NanInMinMax, Value),
            (Partial::SmoothStep, &[0.0, nan, 0.5], Kind::NanInMinMax, Value),
            (Partial::FMod, &[1.0, -0.0], Kind::RemainderByZero, Value),
            (Partial::FRem, &[1.0, 0.0], Kind::RemainderByZero, Value),
            (Partial::Frexp, &[f32::INFINITY], Kind::FrexpNonFinite, Value),
            (Partial::FrexpStruct, &[nan], Kind::FrexpNonFinite, Value),
        ];
        for &(inst, args, kind, what) in rows {
            float_rule(inst, args, Some((kind, what)));
        }
        let fine: &[(Partial, &[f32])] = &[
            (Partial::Asin, &[1.0]),
            (Partial::Acos, &[-1.0]),
            (Partial::Acos, &[nan]),
            (Partial::Acosh, &[1.0]),
            (Partial::Atanh, &[0.999_999]),
            (Partial::Atan2, &[0.0, -1.0]),
            (Partial::Pow, &[0.0, 0.1]),
            (Partial::Pow, &[2.0, -3.0]),
            (Partial::Log, &[1e-30]),
            (Partial::Sqrt, &[-0.0]),
            (Partial::InverseSqrt, &[1e-30]),
            (Partial::FMin, &[f32::INFINITY, 1.0]),
            (Partial::NClamp, &[nan, 0.0, 1.0]),
            (Partial::FClamp, &[3.0, 1.0, 1.0]),
            (Partial::SmoothStep, &[0.0, 1.0, 2.0]),
            (Partial::SmoothStep, &[0.0, 1.0, f32::INFINITY]),
            (Partial::FMod, &[-1.0, 0.5]),
            (Partial::Frexp, &[0.0]),
        ];
        for &(inst, args) in fine {
            float_rule(inst, args, None);
        }
        let ldexp = |exp: i32| {
            let bits = [u64::from(1f32.to_bits()), u64::from(exp as u32)];
            component(Partial::Ldexp, Ty::F32, Operands { tys: &[Ty::F32, Ty::I32], bits: &bits })
        };
        assert_eq!(ldexp(129), Some((Kind::LdexpOverflow, Value)));
        assert_eq!((ldexp(128), ldexp(-200)), (None, None));
    }

    #[test]
    fn whole_vectors() {
        let normalize =
            |x: &[f32], result: &[f32]| whole(Partial::Normalize, Ty::F32, &floats(x), &floats(result));
        assert_eq!(normalize(&[0.0; 3], &[f32::NAN; 3]), Some((Kind::NormalizeZero, NonFinite)));
        assert_eq!(normalize(&[0.0], &[0.0]), Some((Kind::NormalizeZero, Value)));
        assert_eq!(normalize(&[1.0, 0.0], &[1.0, 0.0]), None);
        assert_eq!(normalize(&[f32::NAN, 0.0], &[f32::NAN; 2]), None);
        let inverse = |r: f32| whole(Partial::MatrixInverse, Ty::F32, &floats(&[1.0; 4]), &floats(&[r; 4]));
        assert_eq!(inverse(f32::INFINITY), Some((Kind::SingularMatrix, NonFinite)));
        assert_eq!(inverse(2.0), None);
    }

    #[test]
    fn every_instruction_has_a_rule_and_words() {
        for &inst in Partial::ALL {
            assert!(!call(inst).is_empty());
            let tys = vec![Ty::F32; inst.operands()];
            let on = Operands { tys: &tys, bits: &floats(&vec![0.5; inst.operands()]) };
            let (title, values) = describe(inst, on);
            assert!(title.contains("0.5") && values.len() == inst.operands(), "{inst:?}: {title}");
        }
        let on = Operands { tys: &[Ty::F32; 2], bits: &floats(&[-0.25, 2.2]) };
        assert_eq!(describe(Partial::Pow, on).0, "`pow` of -0.25 and 2.2");
        let on = Operands { tys: &[Ty::I32; 2], bits: &[0xffff_fff9, 0] };
        assert_eq!(describe(Partial::SDiv, on).0, "-7 / 0");
        let on = Operands { tys: &[Ty::I32; 2], bits: &[0xffff_fffe, 0xffff_fff8] };
        assert_eq!(describe(Partial::ShiftRightLogical, on).0, "shift of 32 bits by -8");
        assert_eq!(describe(Partial::ShiftRightLogical, on).1[0].1, "4294967294");
        let on = Operands { tys: &[Ty::I32; 3], bits: &[0xffff_fffe, 0xffff_ffff, 3] };
        assert_eq!(describe(Partial::BitFieldUExtract, on).0, "`bitfieldExtract` of 4294967294, -1 and 3");
        let on = Operands { tys: &[Ty::F32], bits: &floats(&[2_147_483_648.0]) };
        let (title, values) = describe(Partial::ConvertFToS, on);
        assert_eq!(title, "conversion of 2147483648 to a signed integer");
        assert_eq!(values, [("x".to_owned(), "2147483648".to_owned())]);
        assert_eq!(describe_whole(Partial::Normalize, Ty::F32, &[0, 0]).0, "`normalize` of (0, 0)");
    }
}
