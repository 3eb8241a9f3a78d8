//! Coverage: counts the rows of the specifications that are in scope, implemented, and checked by a test.
//!
//! ```text
//!   inventory (CSV)  -> rows in scope ---------------\
//!   tables of jit    -> rows implemented -------------> report
//!   file tests -> part -> words -> facts (rows, types) -/
//!                   \-> run, compared? /
//! ```
//!
//! A row counts as tested if a module uses it, and the module's results were compared and equal those that its test
//! expects. A row that works on many types must be tested with each of [`classes::required`]. [`mutate`] proves that
//! these modules notice wrong lowerings.
//!
//! * [`inventory`]: the rows, and the reasons why some are out of scope. [`classes`]: types to test.
//! * [`facts`]: rows that a module uses. [`part`]: the modules of the file tests.
//! * [`glsl`]: functions and variables of GLSL, by name.
//! * [`language`]: features of GLSL, by row.
//! * [`agsl`]: functions and features of AGSL, by the cases of their rows.
//! * [`elsewhere`]: rows that other tests check.
//! * [`mutate`]: breaks one row at a time by [`edit`]ing the modules that use it.
//! * [`equivalent`]: changes that no test can notice, with reasons.
//! * [`wgsl`]: WGSL as drafted in January 2021, by row.
//! * [`rules`]: validation rules and limits, by the tests of `jit`.
//! * [`report`]: text, JSON and Markdown.

pub mod agsl;
pub mod classes;
pub mod edit;
pub mod elsewhere;
pub mod equivalent;
pub mod facts;
pub mod glsl;
pub mod inventory;
pub mod language;
pub mod mutate;
pub mod pairs;
pub mod part;
pub mod report;
pub mod rules;
pub mod wgsl;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use quadrille_jit::spirv::{grammar, newer, ops, tables as rows};

use crate::filetest::FileTest;
use facts::{Fact, Table};
use part::Part;

/// Results of running the file tests.
#[derive(Default)]
pub struct Record {
    /// Facts, each with the numbers of the parts that checked it.
    pub checked: BTreeMap<Fact, Vec<usize>>,
    /// Files all of whose values were compared and right.
    pub passed: BTreeSet<String>,
    /// Failures; a failed part checks nothing.
    pub failures: Vec<String>,
    /// Number of compared values.
    pub compared: usize,
}

/// Runs `work` over `0..n` on all processors.
pub fn in_parallel(n: usize, work: impl Fn(usize) + Sync) {
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let i = next.fetch_add(1, Ordering::Relaxed);
                    if i >= n {
                        break;
                    }
                    work(i);
                }
            });
        }
    });
}

/// Parts of all file tests, and the errors of files without parts.
pub fn all_parts(files: &[FileTest]) -> (Vec<Part<'_>>, Vec<String>) {
    let made = Mutex::new(Vec::new());
    in_parallel(files.len(), |i| {
        let list = part::parts(&files[i]);
        if let Ok(mut made) = made.lock() {
            made.push((i, list));
        }
    });
    let mut made = made.into_inner().unwrap_or_default();
    made.sort_by_key(|m| m.0);
    let (mut parts, mut failures) = (Vec::new(), Vec::new());
    for (_, list) in made {
        match list {
            Ok(list) => parts.extend(list),
            Err(e) => failures.push(e),
        }
    }
    (parts, failures)
}

/// Runs the parts and records the facts that they check.
pub fn record(parts: &[Part<'_>]) -> Record {
    let outcomes = Mutex::new(Vec::new());
    in_parallel(parts.len(), |i| {
        let outcome = parts[i].run();
        if let Ok(mut list) = outcomes.lock() {
            list.push((i, outcome));
        }
    });
    let mut outcomes = outcomes.into_inner().unwrap_or_default();
    outcomes.sort_by_key(|o| o.0);
    let mut record = Record::default();
    let mut failed: BTreeSet<&str> = BTreeSet::new();
    for (i, outcome) in outcomes {
        record.compared += outcome.compared;
        match outcome.failure {
            Some(e) => {
                failed.insert(parts[i].file);
                record.failures.push(e);
            }
            None if outcome.compared == 0 => {}
            None => {
                record.passed.insert(parts[i].file.into());
                for fact in parts[i].facts.keys() {
                    record.checked.entry(fact.clone()).or_default().push(i);
                }
            }
        }
    }
    record.passed.retain(|file| !failed.contains(file.as_str()));
    record
}

/// Counts every table.
pub fn tables(files: &[FileTest], record: &Record) -> Vec<report::Counted> {
    let mut list = report::count(record);
    list.push(glsl::functions(files, record));
    list.push(glsl::variables(files, record));
    list.push(language::features(files, record));
    list.push(agsl::functions());
    list.push(agsl::features());
    list.extend(wgsl::tables(files, record));
    list.push(rules::rules());
    list.push(rules::limits());
    list
}

/// All rows of the tables of `jit`.
pub fn implemented() -> BTreeSet<(Table, u32)> {
    let mut out = BTreeSet::new();
    out.extend(ops::ROWS.iter().map(|r| (Table::Instruction, grammar::number(r.0))));
    out.extend(ops::GLSL_ROWS.iter().map(|r| (Table::Glsl, r.0 as u32)));
    out.extend(ops::OPENCL_ROWS.iter().map(|r| (Table::OpenCl, r.0 as u32)));
    out.extend(ops::CAPABILITIES.iter().map(|c| (Table::Capability, *c as u32)));
    out.extend(newer::CAPABILITIES.iter().map(|number| (Table::Capability, *number)));
    out.extend(rows::DECORATIONS.iter().map(|r| (Table::Decoration, newer::decoration_number(r.0))));
    out.extend(rows::BUILT_INS.iter().map(|r| (Table::BuiltIn, r.0 as u32)));
    out.extend(rows::KERNEL_BUILT_INS.iter().map(|r| (Table::BuiltIn, r.0 as u32)));
    out.insert((Table::BuiltIn, rspirv::spirv::BuiltIn::WorkgroupSize as u32));
    out.extend(rows::EXECUTION_MODES.iter().map(|r| (Table::Mode, r.0 as u32)));
    out.extend(rows::STORAGE_CLASSES.iter().map(|c| (Table::StorageClass, *c as u32)));
    out.extend(rows::IMAGE_FORMATS.iter().map(|f| (Table::ImageFormat, *f as u32)));
    out.insert((Table::ImageOperand, 0));
    out.extend(rows::IMAGE_OPERANDS.iter().map(|r| (Table::ImageOperand, r.0.bits())));
    out.extend(rows::DIMS.iter().map(|r| (Table::Dim, r.0 as u32)));
    out
}
