//! Counts differences by instruction.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::Heard;
use super::cases::Asked;
use super::wire::Answer;
use crate::value::Scalar;

/// Comparison of the values of one instruction with one driver.
#[derive(Clone, Debug, Default)]
pub struct Count {
    /// Number of compared values.
    pub values: u64,
    /// Values with the same bits, or NaN on both sides.
    pub exact: u64,
    /// Largest difference, in units in the last place (integers: in ones), among the finite differences.
    pub largest: f64,
    /// Sum of the finite differences.
    pub sum: f64,
    /// Differences with NaN or infinity on one side.
    pub wild: u64,
}

impl Count {
    fn add(&mut self, ty: Scalar, ours: u64, theirs: u64) -> bool {
        self.values += 1;
        if same(ty, ours, theirs) {
            self.exact += 1;
            return true;
        }
        match distance(ty, ours, theirs) {
            Some(d) => {
                self.largest = self.largest.max(d);
                self.sum += d;
            }
            None => self.wild += 1,
        }
        false
    }
}

/// True for the same bits, or NaN on both sides.
fn same(ty: Scalar, a: u64, b: u64) -> bool {
    let mask = if ty == Scalar::Bool { u64::MAX } else { ty.mask() };
    a & mask == b & mask || ty.is_nan(a) && ty.is_nan(b)
}

/// Number of steps between two values of a type; `None` if one is NaN or infinite.
fn distance(ty: Scalar, a: u64, b: u64) -> Option<f64> {
    let n = ty.bits();
    match ty {
        Scalar::Float(_) => {
            if !ty.to_f64(a).is_finite() || !ty.to_f64(b).is_finite() {
                return None;
            }
            let order = |v: u64| {
                let v = v & ty.mask();
                let low = (v & (ty.mask() >> 1)) as i128;
                if v >> (n - 1) == 1 { -low } else { low }
            };
            Some((order(a) - order(b)).unsigned_abs() as f64)
        }
        Scalar::Int(n, true) => {
            let wide = |v: u64| i128::from(((v << (64 - n)) as i64) >> (64 - n));
            Some((wide(a) - wide(b)).unsigned_abs() as f64)
        }
        _ => Some((i128::from(a) - i128::from(b)).unsigned_abs() as f64),
    }
}

/// Comparisons of one instruction.
#[derive(Clone, Debug, Default)]
pub struct Row {
    /// Counts per driver.
    pub counts: Vec<Count>,
    /// The first difference, per driver.
    pub first: Vec<String>,
    /// Number of values for which all drivers agree with each other and not with us.
    pub alone: u64,
    /// The first of these values.
    pub example: String,
}

/// Counts by instruction and result type.
pub fn count(asked: &[Asked], heard: &[Heard]) -> BTreeMap<(String, String), Row> {
    let mut rows: BTreeMap<(String, String), Row> = BTreeMap::new();
    for (k, a) in asked.iter().enumerate() {
        let theirs: Vec<Option<Vec<super::cases::Value>>> = heard
            .iter()
            .map(|h| match h.answers.get(k) {
                Some(Answer::Done(buffers)) => Some((a.look)(buffers)),
                _ => None,
            })
            .collect();
        for (i, ours) in a.ours.iter().enumerate() {
            for name in &a.instructions {
                let key = (name.clone(), ours.ty.to_string());
                let row = rows.entry(key).or_default();
                row.counts.resize(heard.len(), Count::default());
                row.first.resize(heard.len(), String::new());
                let mut others: Vec<u64> = Vec::new();
                let mut differs = 0;
                for ((count, first), list) in row.counts.iter_mut().zip(&mut row.first).zip(&theirs) {
                    let Some(v) = list.as_ref().and_then(|l| l.get(i)) else { continue };
                    others.push(v.bits);
                    let equal = count.add(ours.ty, ours.bits, v.bits);
                    differs += usize::from(!equal);
                    if !equal && first.is_empty() {
                        let (ours, theirs) = (ours.ty.show(ours.bits), ours.ty.show(v.bits));
                        *first = format!("{} value {i}: ours {ours}, theirs {theirs}", a.form);
                    }
                }
                let together = others.windows(2).all(|w| same(ours.ty, w[0], w[1]));
                if others.len() == heard.len() && differs == others.len() && differs > 1 && together {
                    row.alone += 1;
                    if row.example.is_empty() {
                        row.example = format!(
                            "{} value {i}: ours {}, theirs {}",
                            a.form,
                            ours.ty.show(ours.bits),
                            ours.ty.show(others[0])
                        );
                    }
                }
            }
        }
    }
    rows
}

/// Reasons why differences of an instruction are not errors.
const EXPLAINED: &[(&[&str], &str)] = &[
    (
        &["GLSL Log", "GLSL Log2", "GLSL Exp", "GLSL Exp2", "GLSL Pow"],
        "precision (`ulp` measures ours); ours flushes denormals, which Vulkan permits; Pow of negative numbers is undefined",
    ),
    (
        &["GLSL Sin", "GLSL Cos", "GLSL Tan"],
        "precision (`ulp` measures ours); Vulkan guarantees none far from 0: next to multiples of pi all bits differ",
    ),
    (
        &[
            "GLSL Asin",
            "GLSL Acos",
            "GLSL Atan",
            "GLSL Atan2",
            "GLSL Sinh",
            "GLSL Cosh",
            "GLSL Tanh",
            "GLSL Asinh",
            "GLSL Acosh",
            "GLSL Atanh",
        ],
        "precision (`ulp` measures ours): the others evaluate the formulas of Vulkan's table, which cancel near 0 and overflow early",
    ),
    (&["GLSL Fma"], "ours is fused; the others round the product"),
    (
        &["GLSL FMin", "GLSL FMax", "GLSL FSign"],
        "NaN operands: undefined; of two zeros of different sign, either is right",
    ),
    (
        &["GLSL FClamp", "GLSL NMin", "GLSL NMax", "GLSL NClamp"],
        "`maths/signed_zeros.spvasm`: of two zeros of different sign, either is right",
    ),
    (
        &["OpDPdx", "OpDPdy", "OpFwidth"],
        "`builtins/derivative_quads.comp`: the others have no derivatives in compute shaders",
    ),
    (
        &["GLSL Ldexp"],
        "exponents above the maximum: undefined; below the minimum: may be flushed; lavapipe 22.3 crashes for some widths other than 32 bits",
    ),
    (&["GLSL SmoothStep"], "edge0 >= edge1 or NaN: undefined; rounding"),
    (&["GLSL Degrees", "GLSL Radians"], "SwiftShader flushes denormals"),
    (
        &["GLSL InverseSqrt", "GLSL Normalize"],
        "precision; for f16, ours is the nearest value; SwiftShader flushes denormals",
    ),
    (
        &["OpFMod", "OpFRem"],
        "error of the formula: ours keeps the quotient of f16 in f32; SwiftShader flushes denormals",
    ),
    (&["OpConvertFToS", "OpConvertFToU"], "out of range or NaN: undefined; ours saturates, and NaN gives 0"),
    (&["OpSDiv", "OpUDiv", "OpUMod"], "division by zero: undefined; ours gives 0"),
    (&["OpSMod", "OpSRem"], "negative operands: undefined in Vulkan, ours follows SPIR-V; division by zero"),
    (
        &["OpShiftLeftLogical", "OpShiftRightLogical", "OpShiftRightArithmetic"],
        "shifts by the width or more: undefined; ours shifts modulo the width",
    ),
    (&["GLSL PackSnorm2x16", "GLSL PackSnorm4x8"], "NaN: ours gives 0"),
    (
        &["GLSL PackHalf2x16", "OpQuantizeToF16", "OpFConvert"],
        "rounding: ours rounds to nearest even; lavapipe rounds f64 twice",
    ),
    (&["GLSL UnpackHalf2x16"], "lavapipe flushes denormals"),
    (&["GLSL UnpackUnorm4x8", "GLSL UnpackSnorm4x8", "OpConvertUToF"], "SwiftShader rounds twice"),
    (&["OpUnreachable", "OpNop", "OpUndef"], "undefined: `control/OpUnreachable.spvasm` reaches it"),
    (&["OpLoad", "OpStore"], "out of bounds (`memory/robust_wrap.comp`): ours follows robustBufferAccess2"),
    (
        &["OpVariable", "OpControlBarrier"],
        "uninitialized workgroup memory (`memory/shared.comp`): ours is zero, theirs undefined",
    ),
    (&["OpAccessChain"], "`memory/scalar_layout.comp`: lavapipe 22.3 uses another layout for scalar blocks"),
    (&["OpBitcast"], "lavapipe 22.3 drops part of a u64; SwiftShader has no 16-bit integers"),
    (
        &["OpSDotAccSat", "OpSUDotAccSat"],
        "lavapipe 22.3 wraps where the sum must saturate; SwiftShader agrees with us",
    ),
    (
        &["OpGroupNonUniformShuffleUp", "OpGroupNonUniformShuffleDown"],
        "source lane outside of the group: undefined; ours gives 0",
    ),
    (&["OpExtInst"], "precision, in `module/glsl_functions.comp`"),
    (&["OpAtomicExchange"], "last value of several invocations, whose order is undefined"),
    (
        &[
            "GLSL Ceil",
            "GLSL Floor",
            "GLSL Fract",
            "GLSL FrexpStruct",
            "GLSL Sqrt",
            "GLSL FMix",
            "OpFAdd",
            "OpFSub",
            "OpFMul",
            "OpFDiv",
            "OpFNegate",
        ],
        "SwiftShader flushes denormals; signs of zeros",
    ),
    (
        &[
            "OpFOrdEqual",
            "OpFOrdNotEqual",
            "OpFOrdGreaterThan",
            "OpFOrdLessThanEqual",
            "OpFUnordEqual",
            "OpFUnordNotEqual",
            "OpFUnordGreaterThan",
            "OpFUnordLessThanEqual",
        ],
        "SwiftShader flushes denormals",
    ),
];

/// The explanation of an instruction's differences.
pub fn explanation(name: &str) -> &'static str {
    EXPLAINED.iter().find(|(names, _)| names.contains(&name)).map_or("", |(_, why)| why)
}

/// Formats the tables as Markdown.
pub fn markdown(asked: &[Asked], heard: &[Heard], rows: &BTreeMap<(String, String), Row>) -> String {
    let mut out = String::new();
    let _ = writeln!(out, "| driver | subgroup | cases run | refused | crashed | values | exact |");
    let _ = writeln!(out, "|---|---:|---:|---:|---:|---:|---:|");
    for (d, h) in heard.iter().enumerate() {
        let of = |f: fn(&Answer) -> bool| h.answers.iter().filter(|a| f(a)).count();
        let sum = |f: fn(&Count) -> u64| rows.values().filter_map(|r| r.counts.get(d)).map(f).sum::<u64>();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {:.3} % |",
            h.device,
            h.lanes,
            of(|a| matches!(a, Answer::Done(_))),
            of(|a| matches!(a, Answer::Refused(_))),
            of(|a| matches!(a, Answer::Crashed)),
            sum(|c| c.values),
            100.0 * sum(|c| c.exact) as f64 / sum(|c| c.values).max(1) as f64
        );
    }
    let all_exact = |r: &&Row| r.counts.iter().all(|c| c.exact == c.values);
    let exact = rows.values().filter(all_exact).count();
    let _ = writeln!(
        out,
        "\n{} cases, {} rows of instruction and result type; {exact} rows agree exactly with every driver. The others:\n",
        asked.len(),
        rows.len()
    );
    let _ = write!(out, "| instruction | type |");
    for h in heard {
        let _ = write!(out, " {}: values | exact | largest | mean | NaN or infinite |", short(&h.device));
    }
    let _ = writeln!(out, " against both | why |");
    let _ = write!(out, "|---|---|");
    for _ in heard {
        let _ = write!(out, "---:|---:|---:|---:|---:|");
    }
    let _ = writeln!(out, "---:|---|");
    for ((name, ty), row) in rows.iter().filter(|(_, r)| !all_exact(r)) {
        let _ = write!(out, "| {name} | {ty} |");
        for c in &row.counts {
            let finite = c.values - c.exact - c.wild;
            let mean = c.sum / finite.max(1) as f64;
            let _ = write!(
                out,
                " {} | {:.2} % | {} | {} | {} |",
                c.values,
                100.0 * c.exact as f64 / c.values.max(1) as f64,
                number(c.largest),
                number(mean),
                c.wild
            );
        }
        let _ = writeln!(out, " {} | {} |", row.alone, explanation(name));
    }
    out
}

fn short(device: &str) -> &str {
    device.split([' ', '(']).next().unwrap_or(device)
}

fn number(x: f64) -> String {
    if x >= 1e6 { format!("{x:.1e}") } else { format!("{}", (x * 10.0).round() / 10.0) }
}
