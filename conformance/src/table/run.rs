//! Runs the modules of a table in every variant, and compares their output with the rows.

use std::sync::Arc;

use quadrille_jit::ir::Stage;
use quadrille_jit::{env, spirv};

use super::build::LANES;
use super::make::{Made, make};
use super::{Extent, Kind, Section, Table};
use crate::lanes::{self, Job, Variant};
use crate::tools::{self, Ask};
use crate::value::Scalar;

/// A module made from a table, for other drivers.
pub struct Generated {
    /// SPIR-V text.
    pub text: String,
    /// Inputs and units of work.
    pub job: Job,
    /// Source of its operands.
    pub kind: String,
    made: Made,
}

/// Makes the modules of a table, without those that assemblers fold.
pub fn generate(table: &Table) -> Vec<Generated> {
    let mut list = Vec::new();
    for section in table.sections.iter().filter(|s| !s.rows.is_empty()) {
        for kind in [Kind::Constant, Kind::Uniform, Kind::Varying] {
            let Some(made) = make(table, section, kind, Extent::Full) else { continue };
            let (text, job) = (made.text.clone(), made.job.clone());
            list.push(Generated { text, job, kind: format!("{kind:?} {}", section.result_name()), made });
        }
    }
    list
}

impl Generated {
    /// Values of the output with their types; only those with an expected value.
    pub fn values(&self, output: &[u8]) -> Vec<(Scalar, u64)> {
        let words: Vec<u32> =
            output.chunks_exact(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])).collect();
        let all = values(&self.made, &words);
        let expected = self.made.expected.iter().zip(all);
        expected.filter(|(e, _)| e.want.is_some()).map(|(e, v)| (e.ty, v)).collect()
    }
}

impl Section {
    fn result_name(&self) -> String {
        let leaves: Vec<String> = self.result.leaves().iter().map(Scalar::to_string).collect();
        leaves.join(" ")
    }
}

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counts {
    /// Number of modules.
    pub modules: usize,
    /// Runs: modules times variants.
    pub runs: usize,
    /// Number of compared values.
    pub values: usize,
}

/// Instructions that Khronos' validator accepts in kernels only, whose modules have no signed integers.
const OF_KERNELS: [&str; 8] = [
    "OpIsFinite",
    "OpIsNormal",
    "OpLessOrGreater",
    "OpOrdered",
    "OpSatConvertSToU",
    "OpSatConvertUToS",
    "OpSignBitSet",
    "OpUnordered",
];

/// Runs a table; reports failures to `fail` with their line.
pub fn run(
    table: &Table,
    lanes: &[u32],
    second_opinion: Ask,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) {
    for section in &table.sections {
        let Some(first) = section.rows.first() else { continue };
        let extents = table.extents(section);
        for kind in Kind::ALL {
            // Assemblers can get literals wrong; the other kinds only load values. (The allowed place of a decoration
            // depends on the rest of a module.)
            let ask = second_opinion == Ask::All || (second_opinion == Ask::Some && kind == Kind::Constant);
            let ask = ask && section.decorate.is_none() && !OF_KERNELS.contains(&table.name.as_str());
            let lanes = if section.group { &[LANES as u32][..] } else { lanes };
            for &extent in extents {
                let Some(made) = make(table, section, kind, extent) else { continue };
                let variants = |words: &[u32]| extent.select(kind.variants(lanes, words));
                if let Err(e) = run_one(&made, variants, ask, counts, fail) {
                    fail(first.line, format!("{kind:?}: {e}"));
                    if env::is_on(env::FILETEST_TEXT) {
                        eprintln!("{}", made.text);
                    }
                }
            }
        }
    }
}

fn run_one(
    made: &Made,
    variants: impl Fn(&[u32]) -> Vec<Variant>,
    second_opinion: bool,
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) -> Result<(), String> {
    let words = tools::assemble(&made.text, second_opinion)?;
    let variants = variants(&words);
    if variants.is_empty() {
        return Ok(());
    }
    if second_opinion && let Some(Err(e)) = tools::validate(&words) {
        return Err(format!("spirv-val: {e}"));
    }
    run_words(made, &words, &variants, counts, fail)
}

/// Runs a module in the given words, and compares its results.
///
/// # Errors
/// The error of the compiler.
pub fn run_words(
    made: &Made,
    words: &[u32],
    variants: &[Variant],
    counts: &mut Counts,
    fail: &mut dyn FnMut(usize, String),
) -> Result<(), String> {
    let module = spirv::Module::parse(words).map_err(|e| e.to_string())?;
    let shader = Arc::new(module.lower("main", Stage::Compute, &[]).map_err(|e| e.to_string())?);
    let layout = lanes::layout(&made.job.buffers);
    counts.modules += 1;
    let mut reference: Option<Vec<u64>> = None;
    let mut builder = lanes::Builder::default();
    for &variant in variants {
        let mut run = || {
            let f = builder.build(&shader, &layout, variant)?;
            lanes::run(&shader, &f, &made.job)
        };
        let outcome = run().map_err(|e| format!("{variant}: {e}"))?;
        counts.runs += 1;
        let words: Vec<u32> = outcome.buffers[1]
            .bytes
            .chunks_exact(4)
            .map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]]))
            .collect();
        let values = values(made, &words);
        for (k, (e, got)) in made.expected.iter().zip(&values).enumerate() {
            let same = |r: &Vec<u64>| r[k] == *got || (e.ty.is_nan(r[k]) && e.ty.is_nan(*got));
            if let Some(want) = e.want {
                counts.values += 1;
                if !e.tolerance.accepts(e.ty, *got, want) {
                    let (got, want) = (e.ty.show(*got), e.ty.show(want));
                    fail(e.line, format!("{got}, expected {want} ({}; {variant})", e.form));
                    return Ok(());
                }
            }
            if reference.as_ref().is_some_and(|r| !same(r)) {
                let (got, want) = (e.ty.show(*got), e.ty.show(reference.as_ref().map_or(0, |r| r[k])));
                fail(e.line, format!("{got}, the first variant has {want} ({}; {variant})", e.form));
                return Ok(());
            }
        }
        reference.get_or_insert(values);
    }
    Ok(())
}

/// Converts words of output to values; a high half is joined to its low half and set to zero.
fn values(made: &Made, words: &[u32]) -> Vec<u64> {
    let mut out: Vec<u64> = made
        .expected
        .iter()
        .zip(words)
        .map(|(e, w)| u64::from(*w) & (u64::MAX >> (64 - e.ty.bits().clamp(8, 32))))
        .collect();
    // A high half is one block of lanes after its low half.
    let mut k = 0;
    while k < out.len() {
        if made.expected[k].ty.words() == 1 {
            k += 1;
            continue;
        }
        let lanes = made.lanes();
        for lane in 0..lanes {
            out[k + lane] |= out[k + lanes + lane] << 32;
            out[k + lanes + lane] = 0;
        }
        k += 2 * lanes;
    }
    out
}
