//! One module, many inputs: the interpreter against generated code of both tiers, at several lane group sizes
//! and host levels.

use std::sync::Arc;

use quadrille_jit::ir::Stage;
use quadrille_jit::{CpuLevel, Tier, spirv};

use crate::filetest;
use crate::lanes::{self, Outcome, Variant, Work};
use crate::program;
use crate::random::{Made, Random};

/// What was run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Modules.
    pub modules: u64,
    /// Workgroups of one module run by one executor on one input set.
    pub executions: u64,
    /// Those of them that the interpreter ran.
    pub interpreted: u64,
}

impl Tally {
    /// Adds another.
    pub fn add(&mut self, other: Tally) {
        self.modules += other.modules;
        self.executions += other.executions;
        self.interpreted += other.interpreted;
    }
}

/// How much is tried on a module.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Input sets.
    pub inputs: u64,
    /// Generated variants, chosen by the seed; all if `None`.
    pub variants: Option<usize>,
}

/// Lane group sizes.
const SIZES: [u32; 4] = [8, 4, 16, 32];

/// The generated variants that a module is tried in.
fn codes(seed: u64, most: Option<usize>) -> Vec<Variant> {
    let mut list: Vec<Variant> = lanes::variants(&SIZES).into_iter().filter(|v| v.code.is_some()).collect();
    let Some(most) = most else { return list };
    let mut random = Random::new(!seed);
    let levels: Vec<CpuLevel> = CpuLevel::ALL.into_iter().filter(|c| *c <= CpuLevel::host()).collect();
    list.clear();
    for k in 0..most {
        let tier = if k % 2 == 0 { Tier::Optimized } else { Tier::First };
        let variant = Variant { lanes: *random.pick(&SIZES), code: Some((tier, *random.pick(&levels))) };
        if !list.contains(&variant) {
            list.push(variant);
        }
    }
    list
}

/// Runs a module of [`crate::random::make`] in every way.
///
/// # Errors
/// The first disagreement, or why the module does not run.
pub fn check(made: &Made, effort: Effort, tally: &mut Tally) -> Result<(), String> {
    let words = filetest::assemble(&made.text, false)?;
    let module = spirv::Module::parse(&words).map_err(|e| e.to_string())?;
    let shader = Arc::new(module.lower("main", Stage::Compute, &[]).map_err(|e| e.to_string())?);
    let layout = lanes::layout(&made.job(0).buffers);
    let build = |variant: Variant| {
        let f = lanes::build(&shader, &layout, variant).map_err(|e| format!("{variant}: {e}"))?;
        Ok::<_, String>((variant, f))
    };
    let codes = codes(made.seed, effort.variants).into_iter().map(build).collect::<Result<Vec<_>, _>>()?;
    // One interpreter per lane group size that shows; where none shows, also one of another size.
    let mut sizes: Vec<u32> = codes.iter().map(|(v, _)| v.lanes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let twins =
        sizes.iter().map(|&lanes| build(Variant { lanes, code: None })).collect::<Result<Vec<_>, _>>()?;
    tally.modules += 1;
    for k in 0..effort.inputs {
        let job = made.job(k);
        let Work::Compute(groups) = job.work else { continue };
        let groups = u64::from(groups.iter().product::<u32>());
        let mut references: Vec<(u32, Outcome)> = Vec::new();
        // Without subgroups in sight, one interpreter speaks for all sizes; which one it is goes round.
        let of = |size: u32| match shader.observes_subgroup {
            true => size,
            false => sizes[k as usize % sizes.len()],
        };
        for (variant, f) in twins.iter().filter(|(v, _)| of(v.lanes) == v.lanes) {
            let outcome = lanes::run(&shader, f, &job).map_err(|e| format!("input {k}, {variant}: {e}"))?;
            tally.executions += groups;
            tally.interpreted += groups;
            references.push((variant.lanes, outcome));
        }
        for (variant, f) in &codes {
            let outcome = lanes::run(&shader, f, &job).map_err(|e| format!("input {k}, {variant}: {e}"))?;
            tally.executions += groups;
            let reference = references.iter().find(|(lanes, _)| *lanes == of(variant.lanes));
            if let Some((lanes, reference)) = reference
                && *reference != outcome
            {
                let what = program::difference(reference, &outcome);
                return Err(format!("input {k}, {variant}, interpreter at S = {lanes}: {what}"));
            }
        }
    }
    Ok(())
}

/// The fewest statements of a module that [`check`] objects to, and the objection.
pub fn shortest(make: impl Fn(usize) -> Made, statements: usize, effort: Effort) -> (usize, String) {
    let wrong = |n: usize| check(&make(n), effort, &mut Tally::default()).err();
    let (mut low, mut high) = (0, statements);
    while low < high {
        let middle = (low + high) / 2;
        if wrong(middle).is_some() { high = middle } else { low = middle + 1 }
    }
    (high, wrong(high).unwrap_or_default())
}
