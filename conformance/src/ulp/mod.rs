//! Accuracy of shader maths: distance of the results from exact values.
//!
//! A dense sweep over the functions of [`functions`], including special values, runs as generated code in both tiers
//! and in the interpreter, which must agree bit for bit.
//!
//! f16 and f32 are compared with f64 (the host's functions, whose error is negligible there), f64 with 240 bits
//! ([`big`]). [`range`] is Vulkan's precision table, [`opencl`] that of OpenCL. [`run`] computes the results, [`judge`] compares one of them. Flushing denormal operands or results to zero is permitted, and
//! counted separately. If the exact result is infinite or NaN, ours must be, too.

mod big;
mod functions;
mod inputs;
mod judge;
mod opencl;
mod range;
mod run;

pub use functions::{Function, Promise};
use judge::judge;
use run::Runner;

use crate::lanes::Job;
use crate::value::Scalar;

/// All measured functions.
pub fn all() -> Vec<Function> {
    let mut list = functions::all();
    list.extend(opencl::all());
    list
}

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
    // Exact values of transcendental functions take long in 240 bits.
    let slow = width == 64 && f.name.starts_with("OpenCL ");
    let tuples = if slow { effort.tuples / 16 } else { effort.tuples };
    inputs::each(from, f.arity, Effort { tuples, ..effort }, &mut |tuple| {
        batch.extend_from_slice(tuple);
        if batch.len() >= BATCH * f.arity {
            flush(&mut m, &mut batch);
        }
    });
    flush(&mut m, &mut batch);
    m
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
    (run::text(f, from, to), run::job(input, 4 * to.words() * n, n), to)
}
