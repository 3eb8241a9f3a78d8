//! Formats reports as JSON for programs: one line per report, and one with the counts.

use serde_json::json;

use crate::kind::Level;
use crate::report::Report;

/// Formats `{"report":{...}}` and a line end.
pub fn report(report: &Report) -> String {
    format!("{}\n", json!({ "report": report }))
}

/// Formats `{"summary":{"error":1,"warning":0,"note":0}}` and a line end.
pub fn summary(reports: &[Report]) -> String {
    let count = |level| reports.iter().filter(|r| r.level == level).count();
    let counts = json!({
        "error": count(Level::Error), "warning": count(Level::Warning), "note": count(Level::Note),
    });
    format!("{}\n", json!({ "summary": counts }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::report::{Frame, Invocation};
    use quadrille_jit::ir::Stage;

    #[test]
    fn a_line_for_each() {
        let who = Invocation::new(Stage::Compute, "main").id("invocation", &[3, 0, 0]);
        let at = Frame { file: Some("a.comp".into()), line: 4, ..Frame::default() };
        let one = Report::new(Kind::DivisionByZero, "7 / 0").at(at).by(who).value("divisor", "0");
        let value: serde_json::Value = serde_json::from_str(&report(&one)).unwrap();
        let expected = json!({ "report": {
            "kind": "division-by-zero", "level": "error", "message": "7 / 0", "count": 1,
            "at": { "file": "a.comp", "line": 4 },
            "invocation": { "step": 0, "stage": "compute", "entry": "main", "ids": [["invocation", [3, 0, 0]]] },
            "values": [["divisor", "0"]],
        }});
        assert_eq!(value, expected);
        assert_eq!(summary(&[one]), "{\"summary\":{\"error\":1,\"note\":0,\"warning\":0}}\n");
    }
}
