//! Features, built-in functions and variables of WGSL as drafted in January 2021, and the file tests that demonstrate
//! them. A test names its rows with `row`. A row counts if each of its tests compares values and passes, or gets the
//! error that it expects.

use std::collections::BTreeMap;

use super::report::Counted;
use super::{Record, inventory};
use crate::filetest::FileTest;
use crate::table::Counts;
use crate::tools::Ask;

const FEATURES: &str = include_str!("../../inventory/wgsl_2021_features.csv");
const BUILTINS: &str = include_str!("../../inventory/wgsl_2021_builtins.csv");

/// Rows of the features in the notation of the tests: `CATEGORY: FEATURE`.
fn features() -> impl Iterator<Item = String> {
    FEATURES.lines().skip(1).map(inventory::fields).map(|line| format!("{}: {}", line[0], line[1]))
}

/// Rows of the functions and variables: `NAME SIGNATURE`.
fn builtins() -> impl Iterator<Item = String> {
    BUILTINS.lines().skip(1).map(inventory::fields).map(|line| format!("{} {}", line[1], line[2]))
}

/// Counts both tables by row.
pub fn tables(files: &[FileTest], record: &Record) -> [Counted; 2] {
    let mut passes: BTreeMap<&str, bool> = BTreeMap::new();
    for file in files.iter().filter(|f| !f.rows().is_empty()) {
        let right = match file.refuses() {
            true => file.run(Ask::Nothing, &mut Counts::default()).is_empty(),
            false => record.passed.contains(&file.name),
        };
        for row in file.rows() {
            let all = passes.entry(row).or_insert(true);
            *all &= right;
        }
    }
    let counted = |table: &str, rows: Vec<String>| {
        let mut out = Counted { table: table.into(), rows: rows.len(), ..Counted::default() };
        out.implemented = out.rows;
        for row in rows {
            match passes.get(row.as_str()) {
                Some(true) => out.tested += 1,
                Some(false) => out.missing.push(format!("{row} (a test fails)")),
                None => out.missing.push(format!("{row} (no test)")),
            }
        }
        out
    };
    [
        counted("wgsl_2021_features.csv", features().collect()),
        counted("wgsl_2021_builtins.csv", builtins().collect()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tests_name_rows_that_there_are() {
        let rows: Vec<String> = features().chain(builtins()).collect();
        assert_eq!(rows.len(), 171 + 269);
        for file in crate::filetest::all() {
            for row in file.rows() {
                assert!(rows.contains(row), "{}: there is no row `{row}`", file.name);
            }
        }
    }
}
