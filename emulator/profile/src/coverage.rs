//! What ran: lines, functions and branches of files, which can be added up.

use std::collections::BTreeMap;

/// A side of a branch of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Branch {
    /// Line.
    pub line: u32,
    /// Number of the branch among those of the line.
    pub block: u32,
    /// Which of its ways.
    pub branch: u32,
}

/// What ran of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileCoverage {
    /// How often invocations came to each line that has code.
    pub lines: BTreeMap<u32, u64>,
    /// How often functions were entered, by line and name.
    pub functions: BTreeMap<(u32, String), u64>,
    /// How often each way was taken.
    pub branches: BTreeMap<Branch, u64>,
    /// Text, where it is known.
    pub text: Option<String>,
}

impl FileCoverage {
    /// Lines that ran, and lines that have code.
    pub fn line_counts(&self) -> (usize, usize) {
        (self.lines.values().filter(|n| **n > 0).count(), self.lines.len())
    }
    /// Functions that were entered, and all.
    pub fn function_counts(&self) -> (usize, usize) {
        (self.functions.values().filter(|n| **n > 0).count(), self.functions.len())
    }
    /// Ways that were taken, and all.
    pub fn branch_counts(&self) -> (usize, usize) {
        (self.branches.values().filter(|n| **n > 0).count(), self.branches.len())
    }
}

/// What ran, by file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// By name.
    pub files: BTreeMap<String, FileCoverage>,
}

impl Coverage {
    /// A file, there or not.
    pub fn file(&mut self, name: &str) -> &mut FileCoverage {
        if !self.files.contains_key(name) {
            self.files.insert(name.to_owned(), FileCoverage::default());
        }
        self.files.get_mut(name).expect("a file that was just put there")
    }

    /// Adds what ran in other shaders, runs or processes.
    pub fn add(&mut self, other: &Coverage) {
        for (name, from) in &other.files {
            let to = self.file(name);
            let add = |to: &mut u64, n: u64| *to = to.saturating_add(n);
            from.lines.iter().for_each(|(k, n)| add(to.lines.entry(*k).or_default(), *n));
            from.functions.iter().for_each(|(k, n)| add(to.functions.entry(k.clone()).or_default(), *n));
            from.branches.iter().for_each(|(k, n)| add(to.branches.entry(*k).or_default(), *n));
            if to.text.is_none() {
                to.text.clone_from(&from.text);
            }
        }
    }
}
