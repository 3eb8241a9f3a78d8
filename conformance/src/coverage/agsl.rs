//! Rows of AGSL: functions by signature, and features by the first cell of their row. A row is tested if
//! `agsl/functions.test` or `agsl/features.test` has cases for it, and all of them pass.

use super::inventory;
use super::report::Counted;
use crate::agsl::{self, Section};

const FUNCTIONS: &str = include_str!("../../inventory/agsl_functions.csv");
const FEATURES: &str = include_str!("../../inventory/agsl_features.md");

/// Counts the signatures.
pub fn functions() -> Counted {
    let rows = FUNCTIONS.lines().skip(1).map(inventory::fields);
    let rows = rows.map(|fields| fields.get(1).cloned().unwrap_or_default()).collect();
    count("agsl_functions.csv", rows, agsl::functions(), |row, section| row == section)
}

/// Counts the rows of the tables of features.
pub fn features() -> Counted {
    count("agsl_features.md", feature_rows(), agsl::features(), |row, section| row.starts_with(section))
}

/// First cells of the rows of the tables, without heads and rules.
pub fn feature_rows() -> Vec<String> {
    let lines: Vec<&str> = FEATURES.lines().collect();
    let is_row = |at: usize| {
        let rule = |line: Option<&&str>| line.is_some_and(|l| l.starts_with("|---"));
        lines[at].starts_with("| ") && !rule(lines.get(at + 1)) && !rule(Some(&lines[at]))
    };
    let cell = |line: &str| {
        // A `||` in backticks does not separate cells.
        line.trim_start_matches("| ").split(" | ").next().unwrap_or_default().trim().to_owned()
    };
    (0..lines.len()).filter(|at| is_row(*at)).map(|at| cell(lines[at])).collect()
}

fn count(
    table: &str,
    rows: Vec<String>,
    sections: Result<Vec<Section>, String>,
    fits: impl Fn(&str, &str) -> bool,
) -> Counted {
    let mut out = Counted { table: table.into(), rows: rows.len(), ..Counted::default() };
    let (sections, device) = match (sections, agsl::device()) {
        (Ok(sections), Ok(device)) => (sections, device),
        (Err(e), _) => {
            out.missing.push(e);
            return out;
        }
        (_, Err(e)) => {
            out.missing.push(e.to_string());
            return out;
        }
    };
    for section in sections.iter().filter(|s| !rows.iter().any(|row| fits(row, &s.row))) {
        out.missing.push(format!("{}: tested, but no row", section.row));
    }
    for row in &rows {
        let Some(section) = sections.iter().find(|s| fits(row, &s.row)) else {
            out.missing.push(format!("{row} (no test)"));
            continue;
        };
        out.implemented += 1;
        let wrong = agsl::run(section, &device);
        match (section.cases.is_empty(), wrong.first()) {
            (false, None) => out.tested += 1,
            (true, _) => out.missing.push(format!("{row} (no test)")),
            (_, Some(wrong)) => out.missing.push(format!("{row}: {wrong}")),
        }
    }
    out
}
