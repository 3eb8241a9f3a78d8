//! Coverage of files by line, function and branch, which can be added up.

use std::collections::BTreeMap;

/// One way of a branch on a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    /// Line.
    pub line: u32,
    /// Number of the branch on its line.
    pub block: u32,
    /// Number of the way.
    pub branch: u32,
}

/// A name without line breaks, as tracefiles have it: a line break would end its record.
pub(crate) fn one_line(name: &str) -> String {
    name.replace(['\n', '\r'], " ")
}

/// Adds to a count, which stays at the largest number.
pub(crate) fn count(to: &mut u64, n: u64) {
    *to = to.saturating_add(n);
}

/// Coverage of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// Execution count of each line with code.
    pub lines: BTreeMap<u32, u64>,
    /// Entry count of functions, by line and name.
    pub functions: BTreeMap<(u32, String), u64>,
    /// Count of each way.
    pub branches: BTreeMap<Branch, u64>,
    /// Text, if it is known.
    pub text: Option<String>,
}

impl FileCoverage {
    /// Number of executed lines, and of all lines with code.
    pub fn line_counts(&self) -> (usize, usize) {
        (self.lines.values().filter(|n| **n > 0).count(), self.lines.len())
    }
    /// Number of entered functions, and of all functions.
    pub fn function_counts(&self) -> (usize, usize) {
        (self.functions.values().filter(|n| **n > 0).count(), self.functions.len())
    }
    /// Number of ways that were taken, and of all ways.
    pub fn branch_counts(&self) -> (usize, usize) {
        (self.branches.values().filter(|n| **n > 0).count(), self.branches.len())
    }
}

/// Coverage by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By name.
    pub files: BTreeMap<String, FileCoverage>,
}

impl Coverage {
    /// Returns the coverage of a file, and adds it if necessary.
    pub fn file(&mut self, name: &str) -> &mut FileCoverage {
        if !self.files.contains_key(name) {
            self.files.insert(name.to_owned(), FileCoverage::default());
        }
        self.files.get_mut(name).expect("the file was just inserted")
    }

    /// Adds the coverage of other shaders, runs or processes.
    pub fn add(&mut self, other: &Coverage) {
        for (name, from) in &other.files {
            let to = self.file(name);
            from.lines.iter().for_each(|(k, n)| count(to.lines.entry(*k).or_default(), *n));
            from.functions.iter().for_each(|(k, n)| count(to.functions.entry(k.clone()).or_default(), *n));
            from.branches.iter().for_each(|(k, n)| count(to.branches.entry(*k).or_default(), *n));
            if to.text.is_none() {
                to.text.clone_from(&from.text);
            }
        }
    }
}
