//! Runs one module on many inputs: the interpreter against generated code of both tiers, at several lane group sizes
//! and host levels.

use std::sync::Arc;

use quadrille_jit::{Tier, spirv, testing};

use crate::lanes::{self, Outcome, Variant, Work};
use crate::program;
use crate::random::{Made, Random};
use crate::tools;

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Number of modules.
    pub modules: u64,
    /// Executions: a workgroup (fragment modules: a picture) of one module, run by one executor on one input set.
    pub executions: u64,
    /// Executions by the interpreter.
    pub interpreted: u64,
    /// Executions that verified claims about unchecked accesses.
    pub verified: u64,
    /// Modules with at least one unchecked access.
    pub claiming: u64,
    /// Accesses without a bounds check.
    pub dropped: u64,
    /// Claims about the unchecked accesses.
    pub claims: u64,
}

impl Tally {
    /// Adds the counts of another run.
    pub fn add(&mut self, other: Tally) {
        self.modules += other.modules;
        self.executions += other.executions;
        self.interpreted += other.interpreted;
        self.verified += other.verified;
        self.claiming += other.claiming;
        self.dropped += other.dropped;
        self.claims += other.claims;
    }
}

/// Amount of work per module.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Number of input sets.
    pub inputs: u64,
    /// Number of generated variants, chosen by the seed; `None` runs all. Every third of them verifies claims. Two more
    /// always verify claims: one of generated code, and the interpreter.
    pub variants: Option<usize>,
    /// One of this many input sets also runs in the interpreter; the others only compare generated code.
    pub interpret: u64,
}

/// Lane group sizes.
const SIZES: [u32; 4] = [8, 4, 16, 32];

/// Generated variants in which a module runs.
fn codes(seed: u64, most: Option<usize>) -> Vec<Variant> {
    let mut random = Random::new(!seed);
    let mut list: Vec<Variant> = Variant::verifying(*random.pick(&SIZES)).into();
    let Some(most) = most else {
        let all = lanes::every_variant(&SIZES).into_iter();
        list.extend(all.filter(|v| v.code.is_some() && !v.verifies));
        return list;
    };
    let levels = testing::cpu_levels();
    for k in 0..most {
        let tier = if k % 2 == 0 { Tier::Optimized } else { Tier::First };
        let code = Variant::code(*random.pick(&SIZES), tier, *random.pick(&levels));
        let variant = Variant { verifies: k % 3 == 2, ..code };
        if !list.contains(&variant) {
            list.push(variant);
        }
    }
    list
}

/// Runs a module of [`crate::random::make`] in every variant.
///
/// # Errors
/// The first disagreement, or the reason why the module does not run.
pub fn check(made: &Made, effort: Effort, tally: &mut Tally) -> Result<(), String> {
    let words = tools::assemble(&made.text, false)?;
    let module = spirv::Module::parse(&words).map_err(|e| e.to_string())?;
    let shader =
        Arc::new(module.lower("main", made.stage(), &made.specialization()).map_err(|e| e.to_string())?);
    let layout = lanes::layout(&made.job(&shader, 0).buffers);
    let build = |variant: Variant| {
        let f = lanes::build(&shader, &layout, variant).map_err(|e| format!("{variant}: {e}"))?;
        Ok::<_, String>((variant, f))
    };
    let codes = codes(made.seed, effort.variants).into_iter().map(build).collect::<Result<Vec<_>, _>>()?;
    // One interpreter per lane group size if the module observes the size; otherwise also one of another size.
    let mut sizes: Vec<u32> = codes.iter().map(|(v, _)| v.lanes).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let twins =
        sizes.iter().map(|&lanes| build(Variant::interpreter(lanes))).collect::<Result<Vec<_>, _>>()?;
    tally.modules += 1;
    if let Some(claims) = codes.iter().find_map(|(v, f)| f.claims().filter(|_| v.code.is_some())) {
        tally.claims += claims.list.len() as u64;
        tally.dropped += claims.dropped as u64;
        tally.claiming += u64::from(claims.dropped > 0);
    }
    for k in 0..effort.inputs {
        let job = made.job(&shader, k);
        let groups = match job.work {
            Work::Compute(groups) | Work::Tasks(groups) | Work::Meshes { groups, .. } => {
                u64::from(groups.iter().product::<u32>())
            }
            _ => 1,
        };
        let mut references: Vec<(u32, Outcome)> = Vec::new();
        let interprets = k.is_multiple_of(effort.interpret.max(1));
        // A module that does not observe its subgroup gives the same results at all sizes, so one interpreter is
        // enough; its size alternates.
        let of = |size: u32| match shader.observes_subgroup || made.ordered {
            true => size,
            false => sizes[k as usize % sizes.len()],
        };
        for (variant, f) in twins.iter().filter(|(v, _)| interprets && of(v.lanes) == v.lanes) {
            let outcome = lanes::run(&shader, f, &job).map_err(|e| format!("input {k}, {variant}: {e}"))?;
            tally.executions += groups;
            tally.interpreted += groups;
            references.push((variant.lanes, outcome));
        }
        for (variant, f) in codes.iter().filter(|(v, _)| interprets || v.code.is_some()) {
            let outcome = lanes::run(&shader, f, &job).map_err(|e| format!("input {k}, {variant}: {e}"))?;
            tally.executions += groups;
            tally.interpreted += if variant.code.is_none() { groups } else { 0 };
            tally.verified += if variant.verifies { groups } else { 0 };
            match references.iter().find(|(lanes, _)| *lanes == of(variant.lanes)) {
                Some((lanes, reference)) if *reference != outcome => {
                    let what = program::difference(reference, &outcome);
                    let first = if interprets { "interpreter" } else { "first code" };
                    return Err(format!("input {k}, {variant}, {first} at S = {lanes}: {what}"));
                }
                Some(_) => {}
                None => references.push((of(variant.lanes), outcome)),
            }
        }
    }
    Ok(())
}

/// Finds the smallest number of statements of a module for which [`check`] fails, and returns it with the failure.
pub fn shortest(make: impl Fn(usize) -> Made, statements: usize, effort: Effort) -> (usize, String) {
    let wrong = |n: usize| check(&make(n), effort, &mut Tally::default()).err();
    let (mut low, mut high) = (0, statements);
    while low < high {
        let middle = (low + high) / 2;
        if wrong(middle).is_some() { high = middle } else { low = middle + 1 }
    }
    (high, wrong(high).unwrap_or_default())
}

/// Reduces the text while the same two executors still disagree: removes lines, or replaces results by undefined values
/// (zero), as long as the module is still accepted. The result is for human readers; it may be invalid otherwise.
pub fn reduce(made: &Made, effort: Effort) -> String {
    let mut lines: Vec<String> = made.text.lines().map(String::from).collect();
    let Some((lanes, code, k, how)) = culprit(&made.text, made, effort) else { return made.text.clone() };
    let fails = |lines: &[String]| differs(&lines.join("\n"), made, lanes, code, k) == Some(how);
    let body = |lines: &[String]| lines.iter().position(|l| l.contains("= OpFunction ")).unwrap_or(0);
    let mut size = lines.len() / 4;
    let mut passes = 0;
    while size > 0 {
        // Declarations last, one by one and backwards, so that uses go before their declarations.
        let mut end = lines.len();
        let before = lines.clone();
        while end > if size > 1 { body(&lines) } else { 0 } {
            let at = end.saturating_sub(size);
            let mut fewer = lines.clone();
            fewer.drain(at..end);
            let needed = at < body(&lines) && lines[at].contains("Decorate");
            if !needed && fails(&fewer) {
                lines = fewer;
            } else if size == 1
                && let Some(simple) = undefined(&lines[at])
            {
                let mut other = lines.clone();
                other[at] = simple;
                if other[at] != lines[at] && fails(&other) {
                    lines = other;
                }
            }
            end = at;
        }
        passes += 1;
        if size > 1 {
            size /= 2;
        } else if lines == before || passes > 16 {
            break;
        }
    }
    let (lanes, code) = (format!("interpreter at S = {lanes}"), code.to_string());
    format!("; {how:?}: {code}, {lanes}, input {k}\n{}", lines.join("\n"))
}

/// Returns the instruction with an undefined result or, for a constant, zero.
fn undefined(line: &str) -> Option<String> {
    let (id, rest) = line.split_once(" = Op")?;
    let ty = rest.split_whitespace().nth(1).filter(|t| t.starts_with('%'))?;
    let kept = ["Undef", "Variable", "Function", "Type", "Label", "Phi", "AccessChain", "ConstantNull"];
    if kept.iter().any(|w| rest.starts_with(w)) {
        return None;
    }
    let word = if rest.starts_with("Constant") { "OpConstantNull" } else { "OpUndef" };
    Some(format!("{id} = {word} {ty}"))
}

/// Outcome of the comparison of an executor with the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Same,
    Different,
    Broken,
}

/// Compares an executor with the interpreter on input `k`; `None` if the module does not run.
fn differs(text: &str, made: &Made, lanes: u32, code: Variant, k: u64) -> Option<Compared> {
    let words = tools::assemble(text, false).ok()?;
    let module = spirv::Module::parse(&words).ok()?;
    let shader = Arc::new(module.lower("main", made.stage(), &made.specialization()).ok()?);
    let job = made.job(&shader, k);
    let layout = lanes::layout(&job.buffers);
    let run = |variant: Variant| {
        let f = lanes::build(&shader, &layout, variant)?;
        lanes::run_for(&shader, &f, &job, std::time::Duration::from_millis(300))
    };
    let want = run(Variant::interpreter(lanes)).ok()?;
    match run(code) {
        Ok(got) => Some(if got == want { Compared::Same } else { Compared::Different }),
        Err(quadrille_jit::Error::Internal(_)) => Some(Compared::Broken),
        Err(_) => None,
    }
}

/// Finds the first executor that differs from an interpreter: the interpreter's lane group size, the executor, the
/// input, and the difference.
fn culprit(text: &str, made: &Made, effort: Effort) -> Option<(u32, Variant, u64, Compared)> {
    let codes = codes(made.seed, effort.variants);
    for k in 0..effort.inputs {
        // The executor's own size first.
        for code in &codes {
            let how = differs(text, made, code.lanes, *code, k)?;
            if how != Compared::Same {
                return Some((code.lanes, *code, k, how));
            }
        }
        let interpreters = SIZES.map(Variant::interpreter);
        for other in interpreters.iter().filter(|_| !made.ordered) {
            let how = differs(text, made, SIZES[0], *other, k)?;
            if how != Compared::Same {
                return Some((SIZES[0], *other, k, how));
            }
        }
    }
    None
}
