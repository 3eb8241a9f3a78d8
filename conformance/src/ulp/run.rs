//! Runs a function on batches of operands, in every variant.

use std::sync::Arc;

use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{Shader, Stage};
use quadrille_jit::{CpuLevel, Tier, spirv};

use super::functions::Function;
use crate::lanes::{self, Buffer, Given, Job, Variant, Work};
use crate::text::{GLSL, Module, OPENCL};
use crate::tools;
use crate::value::{Scalar, Type};

/// Invocations per workgroup.
const LOCAL: u32 = 64;

/// Text of a module that applies a function to arrays.
pub fn text(f: &Function, from: Scalar, to: Scalar) -> String {
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
    let input = Input { pointer: &pointer, buffer: &input, zero: &zero, base: &base };
    let mut operands = operands(&mut m, f.arity, from, &input);
    let ty = m.scalar(to);
    let result = match (f.name.strip_prefix("OpenCL "), f.name.starts_with("Op")) {
        (Some(name), _) => {
            if let ("pown" | "rootn", [_, n]) = (name, &mut operands[..]) {
                let int = m.scalar(Scalar::Int(32, true));
                *n = m.push(&format!("OpConvertFToS {int} {n}"));
            }
            m.push(&format!("OpExtInst {ty} {OPENCL} {name} {}", operands.join(" ")))
        }
        (None, true) => m.push(&format!("{} {ty} {}", f.name, operands.join(" "))),
        (None, false) => m.push(&format!("OpExtInst {ty} {GLSL} {} {}", f.name, operands.join(" "))),
    };
    let words = words(&mut m, to, &result);
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

/// Names of the operands' buffer in a module.
struct Input<'a> {
    pointer: &'a str,
    buffer: &'a str,
    zero: &'a str,
    /// Index of the invocation's first word.
    base: &'a str,
}

/// Loads the operands of an invocation.
fn operands(m: &mut Module, arity: usize, from: Scalar, input: &Input<'_>) -> Vec<String> {
    let word_ty = Scalar::Int(32, false);
    let word = m.scalar(word_ty);
    let Input { pointer, buffer, zero, base } = input;
    let mut at = 0;
    let mut next = |m: &mut Module| {
        let offset = m.u32(at);
        at += 1;
        let index = m.push(&format!("OpIAdd {word} {base} {offset}"));
        let p = m.push(&format!("OpAccessChain {pointer} {buffer} {zero} {index}"));
        m.push(&format!("OpLoad {word} {p}"))
    };
    let operand = m.scalar(from);
    let mut operands = Vec::new();
    for _ in 0..arity {
        let low = next(m);
        operands.push(match from.bits() {
            64 => {
                let high = next(m);
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
    operands
}

/// The words of a result.
fn words(m: &mut Module, to: Scalar, result: &str) -> Vec<String> {
    let word_ty = Scalar::Int(32, false);
    let word = m.scalar(word_ty);
    match to.bits() {
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
    }
}

/// A function, compiled to run.
pub struct Runner {
    shader: Arc<Shader>,
    from: Scalar,
    to: Scalar,
    arity: usize,
    /// Variants; the optimized tier at S = 8 is the first.
    variants: Vec<(Variant, LaneFn)>,
}

impl Runner {
    /// Compiles a function.
    ///
    /// # Errors
    /// The error of the assembler or of the compiler.
    pub fn new(f: &Function, from: Scalar, to: Scalar) -> Result<Runner, String> {
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
    ///
    /// # Errors
    /// The error of a run, or a difference between two variants.
    pub fn run(&self, operands: &[u64], compare: bool) -> Result<Vec<u64>, String> {
        let n = operands.len() / self.arity;
        let input = operands
            .iter()
            .flat_map(|bits| bits.to_le_bytes().into_iter().take(4 * self.from.words()))
            .collect();
        let size = 4 * self.to.words();
        let job = job(input, size * n.next_multiple_of(LOCAL as usize), n);
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

/// A job with `n` invocations on the operands, and `size` bytes of results.
pub fn job(input: Vec<u8>, size: usize, n: usize) -> Job {
    Job {
        buffers: vec![buffer(0, input), buffer(1, vec![0; size])],
        descriptors: Vec::new(),
        push: Vec::new(),
        work: Work::Compute([(n as u32).div_ceil(LOCAL), 1, 1]),
        given: Given::default(),
    }
}

fn buffer(binding: u32, bytes: Vec<u8>) -> Buffer {
    Buffer { set: 0, binding, bytes }
}
