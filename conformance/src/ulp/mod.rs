//! Accuracy of shader maths: distance of the results from exact values.
//!
//! A dense sweep over the functions of [`functions`], including special values, runs as generated code in both tiers
//! and in the interpreter, which must agree bit for bit.
//!
//! f16 and f32 are compared with f64 (the host's functions, whose error is negligible there), f64 with 240 bits
//! ([`big`]). [`range`] is Vulkan's precision table. Flushing denormal operands or results to zero is permitted, and
//! counted separately. If the exact result is infinite or NaN, ours must be, too.

mod big;
mod functions;
mod inputs;
mod range;

use std::sync::Arc;

use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::{CpuLevel, Tier, spirv};

pub use functions::{Function, Promise, all};
use range::{Format, power};

use crate::lanes::{self, Buffer, Given, Job, Variant, Work};
use crate::text::{GLSL, Module};
use crate::tools;
use crate::value::{Scalar, Type};

/// Amount of work per function.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Operand tuples of a function that has too many for an exhaustive test.
    pub tuples: u64,
    /// True to test all 2^32 operands of unary functions of f32.
    pub exhaustive: bool,
    /// One of this many batches also runs in the interpreter and in the other variants.
    pub compare_every: u64,
}

/// Measurement of a function at a width.
#[derive(Clone, Debug, Default)]
pub struct Measured {
    /// Instruction; for conversions with the operand type.
    pub name: String,
    /// Width of the result in bits.
    pub width: u32,
    /// Number of operand tuples.
    pub tried: u64,
    /// Number of finite results that were compared.
    pub compared: u64,
    /// Largest error in units in the last place.
    pub worst: f64,
    /// Operands with the largest error.
    pub worst_at: Vec<f64>,
    /// Largest absolute error.
    pub worst_absolute: f64,
    /// Number of results that are the nearest value.
    pub nearest: u64,
    /// Number of denormal results or operands that were flushed to zero.
    pub flushed: u64,
    /// Largest error as a share of the error that Vulkan permits; at most 1 everywhere means conformant.
    pub share: f64,
    /// Promised precision.
    pub promise: Option<Promise>,
    /// Results outside of the permitted or promised precision, and differences between variants.
    pub failures: Vec<String>,
    /// Number of failures; `failures` has only a few of them.
    pub failed: u64,
}

impl Measured {
    fn note(&mut self, error: f64, tiny: bool, at: &[f64]) {
        if error > self.worst && !tiny {
            self.worst = error;
            self.worst_at = at.to_vec();
        }
    }
    fn fail(&mut self, message: String) {
        self.failed += 1;
        if self.failures.len() < 8 {
            self.failures.push(message);
        }
    }
}

/// Values per batch.
const BATCH: usize = 1 << 14;
const LOCAL: u32 = 64;

/// Text of a module that applies a function to arrays.
fn text(f: &Function, from: Scalar, to: Scalar) -> String {
    let mut m = Module::new([LOCAL, 1, 1]);
    let word_ty = Scalar::Int(32, false);
    let (input, output) = (m.words_buffer(0), m.words_buffer(1));
    let word = m.scalar(word_ty);
    let vector = m.ty(&Type::Vector(word_ty, 3));
    let global = m.builtin("GlobalInvocationId", &Type::Vector(word_ty, 3));
    let global = m.push(&format!("OpLoad {vector} {global}"));
    let id = m.push(&format!("OpCompositeExtract {word} {global} 0"));
    let pointer = m.pointer("StorageBuffer", &word);
    let zero = m.u32(0);
    let stride = m.u32((f.arity * from.words()) as u32);
    let base = m.push(&format!("OpIMul {word} {id} {stride}"));
    let mut at = 0;
    let mut next = |m: &mut Module| {
        let offset = m.u32(at);
        at += 1;
        let index = m.push(&format!("OpIAdd {word} {base} {offset}"));
        let p = m.push(&format!("OpAccessChain {pointer} {input} {zero} {index}"));
        m.push(&format!("OpLoad {word} {p}"))
    };
    let operand = m.scalar(from);
    let mut operands = Vec::new();
    for _ in 0..f.arity {
        let low = next(&mut m);
        operands.push(match from.bits() {
            64 => {
                let high = next(&mut m);
                let pair = m.ty(&Type::Vector(word_ty, 2));
                let pair = m.push(&format!("OpCompositeConstruct {pair} {low} {high}"));
                m.push(&format!("OpBitcast {operand} {pair}"))
            }
            32 if from == word_ty => low,
            32 => m.push(&format!("OpBitcast {operand} {low}")),
            bits => {
                let half = m.scalar(Scalar::Int(bits, false));
                let half = m.push(&format!("OpUConvert {half} {low}"));
                m.push(&format!("OpBitcast {operand} {half}"))
            }
        });
    }
    let ty = m.scalar(to);
    let operands = operands.join(" ");
    let result = match f.name.starts_with("Op") {
        true => m.push(&format!("{} {ty} {operands}", f.name)),
        false => m.push(&format!("OpExtInst {ty} {GLSL} {} {operands}", f.name)),
    };
    let words = match to.bits() {
        64 => {
            let pair = m.ty(&Type::Vector(word_ty, 2));
            let pair = m.push(&format!("OpBitcast {pair} {result}"));
            (0..2).map(|k| m.push(&format!("OpCompositeExtract {word} {pair} {k}"))).collect()
        }
        32 => vec![m.push(&format!("OpBitcast {word} {result}"))],
        _ => {
            let half = m.scalar(Scalar::Int(16, false));
            let half = m.push(&format!("OpBitcast {half} {result}"));
            vec![m.push(&format!("OpUConvert {word} {half}"))]
        }
    };
    let stride = m.u32(words.len() as u32);
    let base = m.push(&format!("OpIMul {word} {id} {stride}"));
    for (k, w) in words.iter().enumerate() {
        let k = m.u32(k as u32);
        let index = m.push(&format!("OpIAdd {word} {base} {k}"));
        let p = m.push(&format!("OpAccessChain {pointer} {output} {zero} {index}"));
        m.push_only(&format!("OpStore {p} {w}"));
    }
    m.finish()
}

/// A function, compiled to run.
struct Runner {
    shader: Arc<Shader>,
    from: Scalar,
    to: Scalar,
    arity: usize,
    /// Variants; the optimized tier at S = 8 is the first.
    variants: Vec<(Variant, LaneFn)>,
}

impl Runner {
    fn new(f: &Function, from: Scalar, to: Scalar) -> Result<Runner, String> {
        let words = tools::assemble(&text(f, from, to), false)?;
        let module = spirv::Module::parse(&words).map_err(|e| e.to_string())?;
        let shader = Arc::new(module.lower("main", Stage::Compute, &[]).map_err(|e| e.to_string())?);
        let code = Variant::code;
        let list = [
            code(8, Tier::Optimized, CpuLevel::host()),
            Variant::interpreter(8),
            code(4, Tier::First, CpuLevel::V2),
            code(16, Tier::Optimized, CpuLevel::V2),
            code(32, Tier::First, CpuLevel::host()),
        ];
        let layout = lanes::layout(&[buffer(0, Vec::new()), buffer(1, Vec::new())]);
        let variants = list
            .into_iter()
            .map(|v| lanes::build(&shader, &layout, v).map(|f| (v, f)).map_err(|e| format!("{v}: {e}")))
            .collect::<Result<_, _>>()?;
        Ok(Runner { shader, from, to, arity: f.arity, variants })
    }

    /// Computes the results of a batch of operand tuples with the first variant and, if `compare`, with all others.
    fn run(&self, operands: &[u64], compare: bool) -> Result<Vec<u64>, String> {
        let n = operands.len() / self.arity;
        let input = operands
            .iter()
            .flat_map(|bits| bits.to_le_bytes().into_iter().take(4 * self.from.words()))
            .collect();
        let output = vec![0; 4 * self.to.words() * n.next_multiple_of(LOCAL as usize)];
        let groups = (n as u32).div_ceil(LOCAL);
        let job = Job {
            buffers: vec![buffer(0, input), buffer(1, output)],
            descriptors: Vec::new(),
            push: Vec::new(),
            work: Work::Compute([groups, 1, 1]),
            given: Given::default(),
        };
        let size = 4 * self.to.words();
        let mut first: Option<Vec<u64>> = None;
        for (variant, f) in &self.variants[..if compare { self.variants.len() } else { 1 }] {
            let outcome = lanes::run(&self.shader, f, &job).map_err(|e| format!("{variant}: {e}"))?;
            let bytes = &outcome.buffers[1].bytes;
            let value = |c: &[u8]| c.iter().rev().fold(0u64, |v, b| v << 8 | u64::from(*b));
            let got: Vec<u64> = bytes.chunks_exact(size).take(n).map(value).collect();
            match &first {
                None => first = Some(got),
                Some(want) => {
                    let same = |i: &usize| {
                        want[*i] == got[*i] || self.to.is_nan(want[*i]) && self.to.is_nan(got[*i])
                    };
                    if let Some(i) = (0..n).find(|i| !same(i)) {
                        let at = &operands[i * self.arity..][..self.arity];
                        return Err(format!(
                            "{variant}: {} at {at:x?}, {} has {}",
                            self.to.show(got[i]),
                            self.variants[0].0,
                            self.to.show(want[i])
                        ));
                    }
                }
            }
        }
        Ok(first.unwrap_or_default())
    }
}

/// Makes a module that applies a function to its first operand tuples, with its job and the type of its results.
pub fn sweep(f: &Function, width: u32, tuples: u64) -> (String, Job, Scalar) {
    let to = Scalar::Float(width);
    let from = f.from.unwrap_or(to);
    let mut input = Vec::new();
    let most = tuples as usize;
    let mut n = 0;
    let effort = Effort { tuples, exhaustive: false, compare_every: 1 };
    inputs::each(from, f.arity, effort, &mut |tuple| {
        if n < most {
            n += 1;
            let bytes = tuple.iter().flat_map(|b| b.to_le_bytes().into_iter().take(4 * from.words()));
            input.extend(bytes);
        }
    });
    let output = vec![0; 4 * to.words() * n];
    let groups = (n as u32).div_ceil(LOCAL);
    let buffers = vec![buffer(0, input), buffer(1, output)];
    (
        text(f, from, to),
        Job {
            buffers,
            descriptors: Vec::new(),
            push: Vec::new(),
            work: Work::Compute([groups, 1, 1]),
            given: Given::default(),
        },
        to,
    )
}

fn buffer(binding: u32, bytes: Vec<u8>) -> Buffer {
    Buffer { set: 0, binding, bytes }
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

/// Measures a function at a width.
pub fn measure(f: &Function, width: u32, effort: Effort) -> Measured {
    let to = Scalar::Float(width);
    let from = f.from.unwrap_or(to);
    let name = f.from.map_or(f.name.to_string(), |t| format!("{} from {t}", f.name));
    let mut m = Measured { name, width, promise: Some(f.promise), ..Measured::default() };
    let runner = match Runner::new(f, from, to) {
        Ok(r) => r,
        Err(e) => {
            m.fail(e);
            return m;
        }
    };
    let mut batch = Vec::with_capacity(BATCH * f.arity);
    let mut number_of = 0;
    let mut flush = |m: &mut Measured, batch: &mut Vec<u64>| {
        if batch.is_empty() {
            return;
        }
        let compare = number_of % effort.compare_every.max(1) == 0;
        number_of += 1;
        match runner.run(batch, compare) {
            Ok(got) => {
                for (bits, got) in batch.chunks_exact(f.arity).zip(got) {
                    judge(f, from, to, bits, got, m);
                }
            }
            Err(e) => m.fail(e),
        }
        batch.clear();
    };
    inputs::each(from, f.arity, effort, &mut |tuple| {
        batch.extend_from_slice(tuple);
        if batch.len() >= BATCH * f.arity {
            flush(&mut m, &mut batch);
        }
    });
    flush(&mut m, &mut batch);
    m
}

/// Compares one result.
fn judge(f: &Function, from: Scalar, to: Scalar, bits: &[u64], got: u64, m: &mut Measured) {
    m.tried += 1;
    let format = Format::of(to.bits());
    let mut args = [0.0; 4];
    let mut rest = 0.0;
    for (a, b) in args.iter_mut().zip(bits) {
        (*a, rest) = number(from, *b);
    }
    let n = bits.len();
    let plain = (f.exact)(&args[..n]);
    let (exact, low) = match (f.from, to.bits()) {
        (Some(_), _) => (args[0], rest),
        // Below this magnitude, two f64 cannot hold the remainder.
        (None, 64) if plain.is_finite() && plain.abs() > power(-960) => match (f.big)(&args[..n]) {
            // At overflow, rounding decides; the host is right for single operations.
            (high, _) if high.is_infinite() => (plain, 0.0),
            exact => exact,
        },
        _ => (plain, 0.0),
    };
    let value = to.to_f64(got);
    let show = || args[..n].iter().map(|a| format!("{a:?}")).collect::<Vec<_>>().join(", ");
    if exact.is_nan() || args[..n].iter().any(|a| a.is_nan()) {
        // Vulkan permits anything. We promise NaN, except where the function ignores a NaN operand.
        let expected = exact.is_nan() == value.is_nan();
        if !expected && f.promise != Promise::Vulkan {
            m.fail(format!("{value:?} at ({}), expected {exact:?}", show()));
        }
        return;
    }
    // Infinities count as the power of two that follows the finite numbers.
    let beyond = power(format.most) * 2.0;
    let limit = |x: f64| if x.abs() > beyond { beyond.copysign(x) } else { x };
    let unlimited = to.bits() == 64;
    let (e, v) = if unlimited { (exact, value) } else { (limit(exact), limit(value)) };
    let low = if e == exact { low } else { 0.0 };
    if e == 0.0 && v == 0.0 && e.is_sign_negative() != v.is_sign_negative() && f.signed_zero {
        m.fail(format!("{value:?} at ({}), expected {exact:?}", show()));
        return;
    }
    if unlimited && !(e.is_finite() && v.is_finite()) {
        if e != v {
            m.fail(format!("{value:?} at ({}), expected {exact:?}", show()));
        }
        return;
    }
    let least = format.min_normal();
    let tiny = e.abs() < least;
    if tiny && value == 0.0 && e != 0.0 && e.abs() > format.ulp(0.0) / 2.0 {
        m.flushed += 1;
        return;
    }
    let absolute = ((v - e) - low).abs();
    // At a power of two, the numbers above are further apart than those below.
    let outward = if low == 0.0 { v - e } else { low };
    let above = is_power_of_two(e) && outward * e.signum() > 0.0 && !tiny;
    let unit = format.ulp(e) * if above { 2.0 } else { 1.0 };
    let error = absolute / unit;
    m.compared += 1;
    let nearest = error <= 0.5;
    if nearest {
        m.nearest += 1;
    }
    let denormal_operand = args[..n].iter().any(|a| {
        matches!(from, Scalar::Float(_)) && *a != 0.0 && a.abs() < Format::of(from.bits()).min_normal()
    });
    if nearest && f.promise == Promise::Rounded {
        m.worst_absolute = m.worst_absolute.max(if exact.is_finite() { absolute } else { 0.0 });
        m.note(error, tiny, &args[..n]);
        return;
    }
    let range = (f.permits)(&args[..n], format);
    if !nearest && denormal_operand {
        // Any subset of the denormal operands may be flushed to zero.
        for which in 1..1 << n {
            let mut flat = args;
            for (k, a) in flat[..n].iter_mut().enumerate() {
                if which >> k & 1 == 1 && a.abs() < Format::of(from.bits()).min_normal() {
                    *a = 0.0_f64.copysign(*a);
                }
            }
            let zeroed = (f.exact)(&flat[..n]);
            let anything = zeroed.is_nan() || (f.permits)(&flat[..n], format).any;
            let near = (value - zeroed).abs() <= 4.0 * format.ulp(zeroed);
            if anything || value == zeroed || near {
                m.flushed += 1;
                m.compared -= 1;
                return;
            }
        }
    }
    if value.is_nan() {
        if !range.any {
            m.fail(format!("NaN at ({}), exact is {exact:e}", show()));
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
    if !(f.domain)(&args[..n]) {
        if !good {
            m.fail(format!("{value:e} at ({}), exact is {exact:e}: more than Vulkan permits", show()));
        }
        return;
    }
    m.note(error, tiny, &args[..n]);
    m.worst_absolute = m.worst_absolute.max(if exact.is_finite() { absolute } else { 0.0 });
    let slack = if to.bits() == 16 { 0.5 } else { 0.0 };
    let promised = match f.promise {
        Promise::Rounded => nearest,
        Promise::Ulp(bound) => error <= if to.bits() == 16 { bound.min(0.51) } else { bound } || nearest,
        Promise::Absolute(bound) => absolute <= bound + slack * unit,
        Promise::Vulkan => true,
    };
    if !good {
        m.fail(format!(
            "{value:e} at ({}), exact is {exact:e}: more than Vulkan permits ({error:.2} ulp)",
            show()
        ));
    } else if !promised {
        m.fail(format!("{value:e} at ({}), exact is {exact:e}: {error:.3} ulp", show()));
    }
}

fn is_power_of_two(x: f64) -> bool {
    x.to_bits() & ((1 << 52) - 1) == 0
}
