//! From counts of instructions to counts of lines, functions and branches.
//!
//! Functions are inlined, so an instruction of the source occurs in the shader once per call; the counts of all copies
//! are added. The count of a line is the count of its most often executed instruction.

use std::cell::RefCell;
use std::collections::BTreeMap;

use quadrille_jit::ir::debug::{Call, Debug, Place};
use quadrille_jit::ir::{If, Imm, Inst, Note, Op, Shader, Value};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::cost::{Profile, ShaderCost, ShaderKey};
use crate::counts::{Counts, Totals, walk};
use crate::coverage::{Branch, Coverage, one_line};
use crate::names::Names;

/// Spec: SPIR-V, 3.49.
const OP_LOGICAL_OR: u32 = 166;
const OP_LOGICAL_AND: u32 = 167;
const OP_SELECT: u32 = 169;
const OP_SWITCH: u32 = 251;

/// True if an operation may be a choice of the source: `&&`, `||`, `?:`.
pub(crate) fn chooses(op: Op) -> bool {
    matches!(op, Op::And | Op::Or | Op::Select)
}

/// An instruction or a branch with a line.
struct Site {
    place: Place,
    /// Number of invocations that reached it.
    hits: u64,
    /// For a branch, the count of each of its ways. Empty for a test of a switch that only selects among further tests.
    ways: Option<Vec<u64>>,
}

/// Ways of a branch whose sides were taken this often. A switch is a chain of tests, each of which leads to one case;
/// `sent` is the number of invocations that it sends there, if others fall through to the case.
fn ways(debug: &Debug, branch: &If, taken: [u64; 2], sent: Option<u64>) -> Vec<u64> {
    let switches = debug.place(branch.src).and_then(|p| opcode(debug, p)) == Some(OP_SWITCH);
    match (switches, branch.els.nodes.is_empty()) {
        (false, _) => taken.to_vec(),
        (true, true) => vec![sent.unwrap_or(taken[0])],
        (true, false) => Vec::new(),
    }
}

/// Opcode of the SPIR-V instruction at a place.
fn opcode(debug: &Debug, place: &Place) -> Option<u32> {
    debug.words.get(place.word as usize).map(|word| word & 0xffff)
}

/// Choices that compilers implement without a branch where this is cheap; their ways are those of the branch that they
/// replace. For `&&` and `||`, these are that the right side decides, and that it is not evaluated; for `?:`, the two
/// sides. Conversions from truth values to numbers look the same.
fn choices(debug: &Debug, insts: &[(Inst, Counts)]) -> Vec<(Place, Vec<u64>)> {
    // By SPIR-V instruction and call, because an operation on vectors has several scalars.
    let mut found: BTreeMap<(u32, u32), (Place, &Inst, Option<Vec<u64>>)> = BTreeMap::new();
    for (inst, counts) in insts {
        let Some(place) = debug.place(inst.src).filter(|p| p.line > 0) else { continue };
        let [held, not] = [counts.held, counts.hits - counts.held.min(counts.hits)];
        let ways = match (inst.op, opcode(debug, place)) {
            (Op::And, Some(OP_LOGICAL_AND)) | (Op::Select, Some(OP_SELECT)) => vec![held, not],
            (Op::Or, Some(OP_LOGICAL_OR)) => vec![not, held],
            _ => continue,
        };
        match found.get_mut(&(place.word, place.call)) {
            None => drop(found.insert((place.word, place.call), (*place, inst, Some(ways)))),
            // A vector is one choice if all of its scalars have the same condition.
            Some((_, first, known)) if inst.op != Op::Select || first.args.first() != inst.args.first() => {
                *known = None;
            }
            Some(_) => {}
        }
    }
    found.into_values().filter_map(|(place, _, ways)| Some((place, ways?))).collect()
}

/// Instructions and branches of a shader with a line, in order.
fn sites(shader: &Shader, debug: &Debug, totals: &Totals) -> Vec<Site> {
    let sites = RefCell::new(Vec::new());
    let (mut n_insts, mut n_branches) = (0, 0);
    let mut chosen = Vec::new();
    // The condition of a case to which others fall through is that of the switch, or else a variable.
    let mut read: FxHashSet<Value> = FxHashSet::default();
    let sent: RefCell<FxHashMap<Value, u64>> = RefCell::default();
    let add = |src, hits, ways| {
        let place = debug.place(src).copied().filter(|p| p.line > 0);
        sites.borrow_mut().extend(place.map(|place| Site { place, hits, ways }));
    };
    let mut inst = |i: &Inst| {
        let counts = totals.insts[n_insts];
        if i.op != Op::Note || matches!(i.imm, Imm::Note(Note::Leaves)) {
            add(i.src, counts.hits, None);
        }
        if chooses(i.op) {
            chosen.push((i.clone(), counts));
        }
        if i.op == Op::VarGet {
            read.extend(i.results.first());
        }
        if i.op == Op::Or && i.args.get(1).is_some_and(|v| read.contains(v)) {
            sent.borrow_mut().extend(i.results.first().map(|&v| (v, counts.held)));
        }
        n_insts += 1;
    };
    let mut branch = |b: &If| {
        let taken = totals.branches[n_branches];
        let sent = sent.borrow().get(&b.cond).copied();
        add(b.src, taken[0] + taken[1], Some(ways(debug, b, taken, sent)));
        n_branches += 1;
    };
    walk(&shader.body, &mut inst, &mut branch);
    let chosen = choices(debug, &chosen);
    let site = |(place, ways): (Place, Vec<u64>)| Site { place, hits: ways.iter().sum(), ways: Some(ways) };
    sites.into_inner().into_iter().chain(chosen.into_iter().map(site)).collect()
}

fn file(debug: &Debug, place: &Place) -> String {
    debug.files.get(place.file as usize).map_or_else(String::new, |f| f.name.clone())
}

/// Coverage of an entry point. Shaders without debug information have no lines.
pub(crate) fn coverage(shader: &Shader, debug: Option<&Debug>, totals: &Totals) -> Coverage {
    let mut coverage = Coverage::default();
    let Some(debug) = debug else { return coverage };
    let sites = sites(shader, debug, totals);
    // By file, line and SPIR-V instruction: the scalars of one instruction count once.
    let mut words: BTreeMap<(u32, u32, u32), BTreeMap<u32, u64>> = BTreeMap::new();
    for Site { place, hits, .. } in &sites {
        let calls = words.entry((place.file, place.line, place.word)).or_default();
        let most = calls.entry(place.call).or_default();
        *most = (*most).max(*hits);
    }
    for ((number, line, _), calls) in &words {
        let place = Place { file: *number, ..Place::default() };
        let count = coverage.file(&file(debug, &place)).lines.entry(*line).or_default();
        *count = (*count).max(calls.values().sum());
    }
    functions(debug, &sites, totals.invocations, &mut coverage);
    branch_counts(debug, &sites, &mut coverage);
    for f in &debug.files {
        if let Some(of) = coverage.files.get_mut(&f.name).filter(|_| !f.text.is_empty()) {
            of.text = Some(f.text.clone());
        }
    }
    coverage
}

/// The first sites of a call.
#[derive(Clone, Copy, Default)]
struct First<'s> {
    /// In the called function itself.
    own: Option<&'s Site>,
    /// In the called function or in the functions that it calls.
    within: Option<&'s Site>,
}

/// Returns the first sites of each call, in one pass over the sites.
fn first_sites<'s>(debug: &Debug, sites: &'s [Site]) -> Vec<First<'s>> {
    let mut all = vec![First::default(); debug.calls.len()];
    for site in sites {
        let mut call = site.place.call as usize;
        if let Some(first) = all.get_mut(call) {
            first.own.get_or_insert(site);
        }
        // The callers of a call with a site have one already.
        while let Some(first) = all.get_mut(call)
            && first.within.is_none()
        {
            first.within = Some(site);
            let Some((caller, _)) = debug.calls[call].from else { break };
            call = caller as usize;
        }
    }
    all
}

fn functions(debug: &Debug, sites: &[Site], invocations: u64, coverage: &mut Coverage) {
    let first_sites = first_sites(debug, sites);
    for (n, (call, first)) in debug.calls.iter().zip(first_sites).enumerate() {
        let Some(function) = debug.functions.get(call.function as usize) else { continue };
        // Functions that a front end adds around the author's function have no lines, or have the same name.
        let Some(place) = first.own.map(|s| s.place) else { continue };
        let name_of = |c: &Call| debug.functions.get(c.function as usize).map(|f| &f.name);
        let mut inner = debug.calls.iter().filter(|c| c.from.is_some_and(|(caller, _)| caller == n as u32));
        if call.from.is_none() && inner.any(|c| name_of(c) == Some(&function.name)) {
            continue;
        }
        // Every invocation enters the entry point; other functions are entered where their first instruction runs.
        let hits = if call.from.is_none() { invocations } else { first.within.map_or(0, |s| s.hits) };
        let line = if function.line > 0 { function.line } else { place.line };
        let functions = &mut coverage.file(&file(debug, &place)).functions;
        // The name that a tracefile of earlier runs has.
        *functions.entry((line, one_line(&function.name))).or_default() += hits;
    }
}

fn branch_counts(debug: &Debug, sites: &[Site], coverage: &mut Coverage) {
    let branches = || sites.iter().filter_map(|s| Some((&s.place, s.ways.as_ref()?)));
    // Branches of a line, numbered in the order of the module.
    let mut by_line: BTreeMap<(u32, u32), BTreeMap<u32, u32>> = BTreeMap::new();
    for (place, _) in branches() {
        by_line.entry((place.file, place.line)).or_default().insert(place.word, 0);
    }
    for words in by_line.values_mut() {
        (0..).zip(words.values_mut()).for_each(|(n, number)| *number = n);
    }
    // The ways of a SPIR-V instruction are numbered within a call; other calls use the same numbers.
    let mut seen: BTreeMap<(u32, u32), u32> = BTreeMap::new();
    for (place, ways) in branches() {
        let first = seen.entry((place.word, place.call)).or_default();
        let block = by_line[&(place.file, place.line)][&place.word];
        let of = coverage.file(&file(debug, place));
        for (way, taken) in (*first..).zip(ways) {
            let branch = Branch { line: place.line, block, branch: way };
            *of.branches.entry(branch).or_default() += taken;
        }
        *first += ways.len() as u32;
    }
}

/// Adds the cost of an entry point, with the names of all files.
pub(crate) fn cost(
    profile: &mut Profile,
    shader: &Shader,
    (debug, names): (Option<&Debug>, &Names),
    totals: &Totals,
) {
    profile.invocations += totals.invocations;
    let nowhere = Debug::default();
    let debug = debug.unwrap_or(&nowhere);
    let names = names.of(debug);
    let mut n = 0;
    let mut sum = ShaderCost { invocations: totals.invocations, ..ShaderCost::default() };
    let mut inst = |i: &Inst| {
        let place = debug.place(i.src).copied().filter(|p| p.line > 0);
        let (name, line) = match &place {
            Some(place) => (names.get(place.file as usize).map_or("", String::as_str), place.line),
            // Code that sets up the shader belongs to no line.
            None => ("", 0),
        };
        if i.op != Op::Note {
            profile.add(name, line, &totals.insts[n]);
            sum.operations += totals.insts[n].active;
            sum.instructions += totals.insts[n].issued;
        }
        n += 1;
    };
    walk(&shader.body, &mut inst, &mut |_| ());
    let file = names.first().cloned().unwrap_or_default();
    let key = ShaderKey { stage: shader.stage.name(), file, entry: shader.name.clone() };
    let all = profile.shaders.entry(key).or_default();
    all.invocations += sum.invocations;
    all.operations += sum.operations;
    all.instructions += sum.instructions;
    for (name, f) in names.iter().zip(&debug.files).filter(|(_, f)| !f.text.is_empty()) {
        profile.texts.entry(name.clone()).or_insert_with(|| f.text.clone());
    }
}

#[cfg(test)]
mod tests {
    use quadrille_jit::ir::debug::{File, Function};

    use super::*;

    /// An entry point on line 1 that calls `outer` very often, which calls `inner` before its own line 2. A search
    /// through all sites for each call would take minutes.
    #[test]
    fn functions_are_entered_at_their_first_sites() {
        const CALLS: u32 = 200_000;
        let function = |name: &str, line| Function { name: name.to_owned(), line };
        let site =
            |call, line, hits| Site { place: Place { line, call, ..Place::default() }, hits, ways: None };
        let mut debug = Debug {
            files: vec![File { name: "a.comp".to_owned(), text: String::new() }],
            functions: vec![function("main", 1), function("outer", 2), function("inner", 3)],
            calls: vec![Call { function: 0, from: None }],
            ..Debug::default()
        };
        let mut sites = vec![site(0, 1, 8)];
        for n in 0..CALLS {
            let outer = 2 * n + 1;
            let calls =
                [Call { function: 1, from: Some((0, 0)) }, Call { function: 2, from: Some((outer, 0)) }];
            debug.calls.extend(calls);
            sites.extend([site(outer + 1, 3, 5), site(outer, 2, 4)]);
        }
        let mut coverage = Coverage::default();
        functions(&debug, &sites, 8, &mut coverage);
        let entered = u64::from(CALLS) * 5;
        let expected: [(u32, &str, u64); 3] = [(1, "main", 8), (2, "outer", entered), (3, "inner", entered)];
        let expected = expected.map(|(line, name, hits)| ((line, name.to_owned()), hits));
        assert_eq!(coverage.files["a.comp"].functions, expected.into());
    }

    /// A function has one name, in this run and in the tracefile of earlier ones.
    #[test]
    fn names_of_functions_are_one_line() {
        let debug = Debug {
            files: vec![File { name: "a.comp".to_owned(), text: String::new() }],
            functions: vec![Function { name: "f\r\ng".to_owned(), line: 2 }],
            calls: vec![Call { function: 0, from: None }],
            ..Debug::default()
        };
        let sites = [Site { place: Place { line: 2, ..Place::default() }, hits: 3, ways: None }];
        let mut coverage = Coverage::default();
        functions(&debug, &sites, 3, &mut coverage);
        assert_eq!(coverage.files["a.comp"].functions, [((2u32, "f  g".to_owned()), 3u64)].into());
    }

    /// The text of a minified shader is one line. A count of the branches before each one would take minutes.
    #[test]
    fn a_line_may_have_very_many_branches() {
        const BRANCHES: u32 = 200_000;
        let debug = Debug {
            files: vec![File { name: "a.comp".to_owned(), text: String::new() }],
            ..Debug::default()
        };
        // The last ones come first, and every one is executed in two calls.
        let site = |call, n| Site {
            place: Place { line: 1, call, word: 3 * n, ..Place::default() },
            hits: 3,
            ways: Some(vec![1, 2]),
        };
        let sites: Vec<Site> =
            (0..2).flat_map(|call| (0..BRANCHES).rev().map(move |n| site(call, n))).collect();
        let mut coverage = Coverage::default();
        branch_counts(&debug, &sites, &mut coverage);
        let branches = &coverage.files["a.comp"].branches;
        assert_eq!(branches.len(), 2 * BRANCHES as usize);
        let of = |block, branch| branches.get(&Branch { line: 1, block, branch });
        assert_eq!([of(0, 0), of(BRANCHES - 1, 1)], [Some(&2), Some(&4)]);
        assert_eq!(of(BRANCHES, 0), None);
    }
}
