//! JSON: one line per test, and one with the counts.

use serde_json::json;

use crate::outcome::{Counts, Report};

/// `{"test":{...}}` with a line end.
pub fn test(report: &Report) -> String {
    format!("{}\n", json!({ "test": Report { made_of: Vec::new(), ..report.clone() } }))
}

/// `{"summary":{...}}` with a line end.
pub fn summary(counts: &Counts) -> String {
    format!("{}\n", json!({ "summary": counts }))
}
