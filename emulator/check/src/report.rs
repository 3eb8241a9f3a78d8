//! Reports: one per cause, with the first invocation in which it occurred and a count.
//!
//! The result does not depend on the order in which threads find errors: the smallest invocation is kept, and reports
//! are sorted by place.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use quadrille_jit::ir::Stage;

use crate::kind::{Kind, Level, Levels};

/// A place in a shader.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Frame {
    /// Source file, as the module names it.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub file: Option<String>,
    /// Line, from 1; 0 if unknown.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "is_zero"))]
    pub line: u32,
    /// Column in bytes, from 1; 0 if unknown.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "is_zero"))]
    pub column: u32,
    /// Name of the function in the source.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub function: Option<String>,
    /// Result id of the SPIR-V instruction, 0 if it has none.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "is_zero"))]
    pub id: u32,
    /// Name of the instruction if no line is known: `OpFDiv`.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub instruction: Option<String>,
    /// Offset of the SPIR-V instruction in its module, in words, if no line is known; else 0.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "is_zero"))]
    pub word: u32,
}

#[cfg(feature = "json")]
fn is_zero(n: &u32) -> bool {
    *n == 0
}

impl fmt::Display for Frame {
    /// Formats `blur.comp:12:5`, or the instruction.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), 1..) => write!(f, "{file}:{}", self.line)?,
            (None, 1..) => write!(f, "line {}", self.line)?,
            _ => {
                write!(f, "{}", self.instruction.as_deref().unwrap_or("SPIR-V"))?;
                match (self.id, self.word) {
                    (0, 0) => {}
                    (0, word) => write!(f, " at word {word}")?,
                    (id, _) => write!(f, " %{id}")?,
                }
            }
        }
        if self.line > 0 && self.column > 0 {
            write!(f, ":{}", self.column)?;
        }
        match &self.function {
            Some(name) => write!(f, " in {name}"),
            None => Ok(()),
        }
    }
}

/// An invocation of a shader. Ordered by execution: by dispatch or draw, then by ids.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Invocation {
    /// Number of the dispatch or draw.
    pub step: u64,
    /// Name of the stage: `compute`.
    pub stage: &'static str,
    /// Name of the entry point.
    pub entry: String,
    /// Named ids, most significant first: `("workgroup", [1, 0, 0])`, `("pixel", [4, 7])`.
    pub ids: Vec<(&'static str, Vec<u32>)>,
}

impl Invocation {
    /// Creates an invocation of an entry point, without ids.
    pub fn new(stage: Stage, entry: &str) -> Invocation {
        Invocation { step: 0, stage: stage.name(), entry: entry.to_owned(), ids: Vec::new() }
    }

    /// Adds an id.
    pub fn id(mut self, name: &'static str, value: &[u32]) -> Invocation {
        self.ids.push((name, value.to_owned()));
        self
    }
}

impl fmt::Display for Invocation {
    /// Formats `compute shader main, workgroup (1, 0, 0), invocation (3, 0, 0)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} shader {}", self.stage, self.entry)?;
        for (name, value) in &self.ids {
            match &value[..] {
                [one] => write!(f, ", {name} {one}")?,
                list => {
                    let list: Vec<String> = list.iter().map(u32::to_string).collect();
                    write!(f, ", {name} ({})", list.join(", "))?;
                }
            }
        }
        Ok(())
    }
}

/// A related place, such as the other access of a race or the place where a NaN surfaced.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Other {
    /// Description of the event there: `read by another invocation`.
    pub what: String,
    /// Place of the event.
    pub at: Frame,
    /// Invocation, if it was another one.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub invocation: Option<Invocation>,
}

/// An error that was found.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
pub struct Report {
    /// Kind of error.
    pub kind: Kind,
    /// Severity.
    pub level: Level,
    /// Description, as a sentence.
    pub message: String,
    /// Place of the error.
    pub at: Frame,
    /// Calls of the function that contains the place, innermost first.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub called_from: Vec<Frame>,
    /// Name of the variable, buffer member or image in the source.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub variable: Option<String>,
    /// First invocation in which it occurred.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Option::is_none"))]
    pub invocation: Option<Invocation>,
    /// Named values in that invocation.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub values: Vec<(String, String)>,
    /// Related places.
    #[cfg_attr(feature = "json", serde(skip_serializing_if = "Vec::is_empty"))]
    pub others: Vec<Other>,
    /// Number of occurrences: executions of the place by invocations.
    pub count: u64,
    /// Set if only the source text can tell the place of a declaration: the name of the variable, and `true` for an
    /// output.
    #[cfg_attr(feature = "json", serde(skip))]
    pub(crate) declares: Option<(String, bool)>,
}

impl Report {
    /// Creates a report of one occurrence, without a place.
    pub fn new(kind: Kind, message: impl Into<String>) -> Report {
        Report {
            kind,
            level: kind.level(),
            message: message.into(),
            at: Frame::default(),
            called_from: Vec::new(),
            variable: None,
            invocation: None,
            values: Vec::new(),
            others: Vec::new(),
            count: 1,
            declares: None,
        }
    }

    /// Sets the place.
    pub fn at(mut self, at: Frame) -> Report {
        self.at = at;
        self
    }

    /// Sets the variable.
    pub fn about(mut self, variable: impl Into<String>) -> Report {
        self.variable = Some(variable.into());
        self
    }

    /// Sets the invocation.
    pub fn by(mut self, invocation: Invocation) -> Report {
        self.invocation = Some(invocation);
        self
    }

    /// Adds a value.
    pub fn value(mut self, name: impl Into<String>, value: impl Into<String>) -> Report {
        self.values.push((name.into(), value.into()));
        self
    }

    /// Adds a related place.
    pub fn other(mut self, other: Other) -> Report {
        self.others.push(other);
        self
    }

    fn cause(&self) -> Cause {
        let seconds = self.others.iter().filter(|o| o.invocation.is_some());
        let seconds = seconds.map(|o| self.place(&o.at)).collect();
        let variable = self.variable.as_deref().map(|name| root(name).to_owned());
        Cause(Reverse(self.level), self.place(&self.at), self.kind, variable, seconds)
    }

    /// Returns the part of a place that distinguishes causes: only the line if the report is about a variable. A
    /// missing descriptor is a single cause wherever it is used.
    fn place(&self, at: &Frame) -> Frame {
        match (&self.variable, at.line) {
            (Some(_), _) if self.kind == Kind::MissingDescriptor => Frame::default(),
            (Some(_), 1..) => Frame {
                file: at.file.clone(),
                line: at.line,
                function: at.function.clone(),
                ..Frame::default()
            },
            _ => at.clone(),
        }
    }

    /// Merges a report about another part of the same variable.
    fn joined(&mut self, other: &Report) {
        if let (Some(ours), Some(theirs)) = (&self.variable, &other.variable)
            && ours != theirs
        {
            self.variable = Some(common(ours, theirs).to_owned());
        }
    }
}

/// Returns the variable of a path: `light` for `light.color.x`.
pub fn root(name: &str) -> &str {
    &name[..name.find(['.', '[']).unwrap_or(name.len())]
}

/// Returns the common prefix of two paths in a variable.
fn common<'a>(a: &'a str, b: &str) -> &'a str {
    let same = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let ends =
        |n: usize| [a, b].iter().all(|name| matches!(name.as_bytes().get(n), None | Some(b'.' | b'[')));
    let n = (0..=same).rev().find(|&n| a.is_char_boundary(n) && ends(n)).unwrap_or(0);
    if n == 0 { a } else { &a[..n] }
}

/// Key by which reports are merged: level (a kind has one), place, kind, variable, places of other invocations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cause(Reverse<Level>, Frame, Kind, Option<String>, Vec<Frame>);

/// Largest number of causes that are kept; errors win over warnings and notes, then those at the first places.
const MAX_CAUSES: usize = 1000;

/// Collects reports from all threads.
#[derive(Debug, Default)]
pub struct Reports {
    levels: Levels,
    found: Mutex<Found>,
}

#[derive(Debug, Default)]
struct Found {
    causes: BTreeMap<Cause, Report>,
    left_out: bool,
}

impl Reports {
    /// Creates an empty collection with these severities.
    pub fn new(levels: Levels) -> Reports {
        Reports { levels, found: Mutex::default() }
    }

    /// True if reports of a kind are wanted; expensive checks are skipped otherwise.
    pub fn wants(&self, kind: Kind) -> bool {
        self.levels.of(kind) != Level::Off
    }

    /// Adds a report, merging it with one of the same cause.
    pub fn add(&self, mut report: Report) {
        report.level = self.levels.of(report.kind);
        if report.level == Level::Off {
            return;
        }
        let mut found = self.lock();
        match found.causes.entry(report.cause()) {
            Entry::Vacant(entry) => {
                entry.insert(report);
            }
            Entry::Occupied(mut entry) => {
                let old = entry.get_mut();
                let count = old.count.saturating_add(report.count);
                let order =
                    |r: &Report| (r.invocation.clone(), r.at.clone(), r.message.clone(), r.values.clone());
                if order(&report) < order(old) {
                    std::mem::swap(old, &mut report);
                }
                old.joined(&report);
                old.count = count;
            }
        }
        if found.causes.len() > MAX_CAUSES {
            found.causes.pop_last();
            found.left_out = true;
        }
    }

    /// Returns the reports found so far, sorted by place.
    pub fn found(&self) -> Vec<Report> {
        in_order(self.lock().causes.values().cloned().collect())
    }

    /// Removes and returns the reports, sorted by place.
    pub fn take(&self) -> Vec<Report> {
        in_order(std::mem::take(&mut *self.lock()).causes.into_values().collect())
    }

    /// True if there were more causes than are kept.
    pub fn left_out(&self) -> bool {
        self.lock().left_out
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Found> {
        // A panic in another thread leaves the map consistent.
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Sorts reports by place; the keys of merged causes are not in this order.
fn in_order(mut reports: Vec<Report>) -> Vec<Report> {
    reports.sort_by(|a, b| (&a.at, a.kind, &a.variable).cmp(&(&b.at, b.kind, &b.variable)));
    reports
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(line: u32, x: u32) -> Report {
        let at = Frame { line, ..Frame::default() };
        let who = Invocation::new(Stage::Compute, "main").id("invocation", &[x, 0, 0]);
        Report::new(Kind::DivisionByZero, "7 / 0").at(at).by(who).value("x", x.to_string())
    }

    #[test]
    fn one_report_for_each_cause_with_the_least_invocation() {
        let orders = [[5, 2, 9], [9, 5, 2], [2, 9, 5]];
        for order in orders {
            let reports = Reports::default();
            order.into_iter().for_each(|x| reports.add(report(3, x)));
            reports.add(report(1, 4));
            let found = reports.found();
            assert_eq!(found.iter().map(|r| (r.at.line, r.count)).collect::<Vec<_>>(), [(1, 1), (3, 3)]);
            assert_eq!(found[1].values, [("x".to_owned(), "2".to_owned())]);
            let who = found[1].invocation.as_ref().unwrap().to_string();
            assert_eq!(who, "compute shader main, invocation (2, 0, 0)");
        }
    }

    #[test]
    fn other_variables_and_other_places_are_other_causes() {
        let reports = Reports::default();
        reports.add(report(3, 0).about("a"));
        reports.add(report(3, 0).about("b"));
        let other = |line| Other {
            what: "there".into(),
            at: Frame { line, ..Frame::default() },
            invocation: report(3, 1).invocation,
        };
        reports.add(report(3, 0).about("b").other(other(8)));
        reports.add(report(3, 0).about("b").other(other(9)));
        assert_eq!(reports.take().len(), 4);
        assert_eq!(reports.found().len(), 0);
    }

    #[test]
    fn parts_of_a_variable_on_a_line_are_one_cause() {
        let reports = Reports::default();
        let part = |name: &str, id| {
            let mut part = report(3, 0).about(name);
            (part.at.id, part.at.column) = (id, id);
            part
        };
        reports.add(part("v.x", 7));
        reports.add(part("v.y[2]", 8));
        reports.add(part("vw", 9));
        let found = reports.take();
        let names: Vec<_> = found.iter().map(|r| (r.variable.as_deref().unwrap(), r.count)).collect();
        assert_eq!(names, [("v", 2), ("vw", 1)]);
        assert_eq!(
            ["a.b.c", "a.b", "a[1]", "ab"].map(|other| common("a.b.d", other)),
            ["a.b", "a.b", "a", "a.b.d"]
        );
        // Without a variable, two operations on one line are two causes; a missing descriptor has no line.
        for (line, id) in [(3, 7), (3, 8)] {
            let mut one = report(line, 0);
            one.at.id = id;
            reports.add(one);
        }
        for line in [4, 5] {
            reports.add(Report { kind: Kind::MissingDescriptor, ..report(line, 0).about("t") });
        }
        let lines: Vec<_> = reports.take().iter().map(|r| (r.at.line, r.count)).collect();
        assert_eq!(lines, [(3, 1), (3, 1), (4, 2)]);
    }

    #[test]
    fn what_is_off_is_not_kept_and_too_many_are_left_out() {
        let mut levels = Levels::default();
        levels.set(Kind::DivisionByZero, Level::Off);
        let reports = Reports::new(levels);
        reports.add(report(3, 0));
        assert!(!reports.wants(Kind::DivisionByZero) && reports.found().is_empty());

        let reports = Reports::default();
        let n = MAX_CAUSES as u32 + 7;
        (0..n).rev().for_each(|line| reports.add(report(line, 0)));
        let found = reports.found();
        assert_eq!((found.len(), found[0].at.line, reports.left_out()), (MAX_CAUSES, 0, true));
    }

    /// Any number of notes leaves room for an error behind them.
    #[test]
    fn errors_are_kept_before_notes() {
        let reports = Reports::default();
        let n = MAX_CAUSES as u32 + 7;
        let note = |line| Report { kind: Kind::SmoothStepReversed, ..report(line, 0) };
        (0..n).for_each(|line| reports.add(note(line)));
        reports.add(report(n, 0));
        let found = reports.found();
        let last = found.last().map(|r| (r.at.line, r.level));
        assert_eq!((found.len(), last, reports.left_out()), (MAX_CAUSES, Some((n, Level::Error)), true));
    }
}
