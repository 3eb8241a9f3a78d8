//! Proof that the tests notice mistakes. The instructions of each row are changed, one row, type and way at a time, as
//! if the lowering were wrong, and the modules that use the row run again. A change that no test notices is a survivor.
//! Survivors are listed unless [`equivalent`] gives the reason why they cannot be noticed.

use std::collections::BTreeMap;
use std::sync::Mutex;

use rspirv::spirv::{Decoration, ExecutionMode, Op};

use quadrille_jit::spirv::tables::{self, Effect, Mode};

use super::edit::{self, HOWS, How};
use super::equivalent;
use super::facts::{Fact, Table};
use super::inventory::grammar_name;
use super::part::Part;
use super::{Record, in_parallel};

/// Number of changed modules to run before a change counts as unnoticed.
const TRIES: usize = 60;

/// Number of modules to try before a change counts as not applicable.
const UNFIT: usize = 6;

/// Result of a mutation run.
#[derive(Default)]
pub struct Mutated {
    /// Number of changes tried.
    pub changes: usize,
    /// Changes that a wrong value revealed.
    pub by_value: usize,
    /// Changes noticed only because the changed module was refused.
    pub refused: usize,
    /// Unnoticed changes without an explanation.
    pub survivors: Vec<String>,
    /// Unnoticed changes with their explanations.
    pub explained: Vec<(String, &'static str)>,
    /// Rows without a possible change: a compared module that uses the row is the only possible test.
    pub unchanged: BTreeMap<&'static str, Vec<String>>,
}

/// Runs every change of every row that `record` lists as checked, or of each row whose number in the list is a multiple of
/// `step`.
pub fn run(parts: &[Part<'_>], record: &Record, step: usize) -> Mutated {
    let mut work: Vec<(&Fact, How)> = Vec::new();
    let mut out = Mutated::default();
    for fact in record.checked.keys().step_by(step) {
        match unchanged(fact) {
            Some(why) => {
                let name = grammar_name(fact.table, fact.number);
                let list = out.unchanged.entry(why).or_default();
                if list.last() != Some(&name) {
                    list.push(name);
                }
            }
            None => work.extend(HOWS.map(|how| (fact, how))),
        }
    }
    let results = Mutex::new(Vec::new());
    in_parallel(work.len(), |i| {
        let (fact, how) = work[i];
        let result = try_change(parts, record, fact, how);
        if let Ok(mut list) = results.lock() {
            list.push((i, result));
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|r| r.0);
    let mut applied: BTreeMap<&Fact, bool> = BTreeMap::new();
    for (i, result) in results {
        let (fact, how) = work[i];
        let any = applied.entry(fact).or_default();
        let Some(result) = result else { continue };
        *any = true;
        out.changes += 1;
        let name = grammar_name(fact.table, fact.number);
        match result {
            Noticed::Value => out.by_value += 1,
            Noticed::Refused => out.refused += 1,
            Noticed::Never(tried) => {
                let text = format!("{:?} {name} {} {how:?} ({tried} modules)", fact.table, fact.class);
                match equivalent::reason(fact.table, &name, &fact.class, how) {
                    Some(why) => out.explained.push((text, why)),
                    None => out.survivors.push(text),
                }
            }
        }
    }
    for (fact, _) in applied.into_iter().filter(|a| !a.1) {
        let list = out.unchanged.entry("shape of the module, or of no number").or_default();
        let name = grammar_name(fact.table, fact.number);
        if list.last() != Some(&name) {
            list.push(name);
        }
    }
    out
}

enum Noticed {
    Value,
    Refused,
    Never(usize),
}

/// Changes a row in one module after another until one notices; `None` if the change never applies.
fn try_change(parts: &[Part<'_>], record: &Record, fact: &Fact, how: How) -> Option<Noticed> {
    let mut list: Vec<usize> = record.checked.get(fact)?.clone();
    list.sort_by_key(|i| parts[*i].words.len());
    let (mut refused, mut tried, mut unfit) = (false, 0, 0);
    // Modules of the row's own file first; then others, from the shortest on, in even steps.
    let name = grammar_name(fact.table, fact.number);
    let (own, others): (Vec<usize>, Vec<usize>) =
        list.into_iter().partition(|i| !name.is_empty() && parts[*i].file.contains(&format!("{name}.")));
    let step = (others.len() / TRIES).max(1);
    for i in own.into_iter().chain(others.into_iter().step_by(step)) {
        let part = &parts[i];
        let Some(sites) = part.facts.get(fact) else { continue };
        let Some(words) = edit::changed(&part.words, sites, fact, how) else {
            // A change that does not apply to a row in these modules rarely applies to it in others.
            unfit += 1;
            match (tried, unfit) {
                (0, UNFIT) => break,
                _ => continue,
            }
        };
        tried += 1;
        let outcome = part.run_words(&words);
        match (outcome.failure, outcome.wrong) {
            (Some(_), true) => return Some(Noticed::Value),
            (Some(_), false) => refused = true,
            (None, _) => {}
        }
    }
    match (refused, tried) {
        (_, 0) => None,
        (true, _) => Some(Noticed::Refused),
        (false, n) => Some(Noticed::Never(n)),
    }
}

/// Reason why a row cannot be changed, if there is one.
fn unchanged(fact: &Fact) -> Option<&'static str> {
    const HINT: &str = "promises and hints: nothing depends on them";
    match fact.table {
        Table::Capability => Some("capabilities: a module without them is refused"),
        Table::Decoration => {
            let d = Decoration::from_u32(fact.number)?;
            (tables::decoration(d) == Some(Effect::Hint)).then_some(HINT)
        }
        Table::Mode => {
            let m = ExecutionMode::from_u32(fact.number)?;
            tables::mode(m).is_ok_and(|m| m == Mode::Hint).then_some(HINT)
        }
        Table::ImageOperand => {
            let row = tables::IMAGE_OPERANDS.iter().find(|r| r.0.bits() == fact.number);
            row.is_none_or(|r| r.2 == Effect::Hint).then_some(HINT)
        }
        Table::StorageClass | Table::Dim | Table::ImageFormat => Some("changed with the accesses to it"),
        Table::Other("access" | "access dim" | "access format" | "GroupOperation" | "SpecConstantOp") => None,
        Table::Other(_) => Some("scopes, semantics and controls: nothing depends on them"),
        Table::Instruction => {
            let op = Op::from_u32(fact.number)?;
            let memory = [Op::MemoryBarrier, Op::Nop, Op::Unreachable, Op::LifetimeStart, Op::LifetimeStop];
            memory.contains(&op).then_some("instructions without an effect")
        }
        _ => None,
    }
}
