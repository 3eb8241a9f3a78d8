//! Formats reports as SARIF 2.1.0, for build servers and editors.
//!
//! Spec: OASIS, Static Analysis Results Interchange Format (SARIF) Version 2.1.0.

use serde_json::{Value, json};

use crate::kind::{Kind, Level};
use crate::report::{Frame, Report};

/// Address of the schema.
pub const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// Formats a log of one run. `default_file` is the file of reports whose modules name none: the shader.
pub fn log(reports: &[Report], default_file: Option<&str>) -> String {
    let mut kinds: Vec<Kind> = reports.iter().map(|r| r.kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let rules: Vec<Value> = kinds.iter().map(|&k| rule(k)).collect();
    let results: Vec<Value> = reports.iter().map(|r| result(r, &kinds, default_file)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "quadrille check",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules,
            }},
            "columnKind": "utf16CodeUnits",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn level(level: Level) -> &'static str {
    if level == Level::Off { "none" } else { level.name() }
}

fn rule(kind: Kind) -> Value {
    json!({
        "id": kind.id(),
        "shortDescription": { "text": kind.title() },
        "fullDescription": { "text": format!("{}: {}", kind.clause(), kind.says()) },
        "defaultConfiguration": { "level": level(kind.level()) },
    })
}

fn result(report: &Report, kinds: &[Kind], default_file: Option<&str>) -> Value {
    let mut text = report.message.clone();
    for (name, value) in &report.values {
        text += &format!("; {name} = {value}");
    }
    if let Some(invocation) = &report.invocation {
        text += &format!("; first in {invocation}");
    }
    let mut result = json!({
        "ruleId": report.kind.id(),
        "ruleIndex": kinds.binary_search(&report.kind).unwrap_or(0),
        "level": level(report.level),
        "message": { "text": text },
        "locations": [location(&report.at, default_file)],
        "occurrenceCount": report.count.max(1),
    });
    if !report.others.is_empty() {
        let others = report.others.iter().enumerate().map(|(i, other)| {
            let by = other.invocation.as_ref().map(|i| format!(" by {i}")).unwrap_or_default();
            let mut place = location(&other.at, default_file);
            place["id"] = json!(i + 1);
            place["message"] = json!({ "text": format!("{}{by}", other.what) });
            place
        });
        result["relatedLocations"] = others.collect();
    }
    if !report.called_from.is_empty() {
        let frames = std::iter::once(&report.at).chain(&report.called_from);
        let frames: Vec<Value> = frames.map(|f| json!({ "location": location(f, default_file) })).collect();
        result["stacks"] = json!([{ "frames": frames }]);
    }
    result
}

/// Formats a place: the file if it has one, and the function or instruction.
fn location(at: &Frame, default_file: Option<&str>) -> Value {
    let mut place = json!({});
    if let Some(file) = at.file.as_deref().or(default_file) {
        place["physicalLocation"] = json!({ "artifactLocation": { "uri": uri(file) } });
        if at.line > 0 {
            let mut region = json!({ "startLine": at.line });
            if at.column > 0 {
                region["startColumn"] = json!(at.column);
            }
            place["physicalLocation"]["region"] = region;
        }
    }
    let name = match (&at.function, at.line) {
        (Some(function), _) => Some(json!({ "name": function, "kind": "function" })),
        (None, 0) => Some(json!({ "name": at.to_string(), "kind": "element" })),
        (None, _) => None,
    };
    if let Some(name) = name {
        place["logicalLocations"] = json!([name]);
    }
    place
}

/// Formats a path as a relative or absolute URI reference, escaping reserved characters.
fn uri(path: &str) -> String {
    let mut uri = String::new();
    for byte in path.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'/' | b'-' | b'_' | b'.' | b'~' => {
                uri.push(byte as char)
            }
            byte => uri += &format!("%{byte:02X}"),
        }
    }
    if path.starts_with('/') { format!("file://{uri}") } else { uri }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Invocation, Other};
    use quadrille_jit::ir::Stage;

    #[test]
    fn logs_have_what_the_format_asks_for() {
        let at =
            |line, column| Frame { file: Some("my shaders/a.comp".into()), line, column, ..Frame::default() };
        let who = Invocation::new(Stage::Compute, "main").id("invocation", &[3, 0, 0]);
        let other = Other { what: "read".into(), at: at(9, 2), invocation: Some(who.clone()) };
        let mut race = Report::new(Kind::PowDomain, "pow").at(at(4, 0)).by(who).other(other);
        race.called_from.push(at(20, 1));
        let nowhere = Report::new(Kind::ClampOrder, "clamp").at(Frame {
            id: 7,
            instruction: Some("OpExtInst".into()),
            ..Frame::default()
        });
        let log: Value = serde_json::from_str(&log(&[race, nowhere], None)).unwrap();
        assert_eq!(log["version"], "2.1.0");
        let run = &log["runs"][0];
        let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
        let results = run["results"].as_array().unwrap();
        assert_eq!((rules.len(), results.len()), (2, 2));
        for result in results {
            let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
            assert_eq!(rule["id"], result["ruleId"]);
            assert!(result["message"]["text"].is_string());
            assert!(["error", "warning", "note", "none"].contains(&result["level"].as_str().unwrap()));
        }
        let place = &results[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "my%20shaders/a.comp");
        assert_eq!(place["region"], json!({ "startLine": 4 }));
        assert_eq!(results[0]["relatedLocations"][0]["physicalLocation"]["region"]["startColumn"], 2);
        assert_eq!(results[0]["stacks"][0]["frames"].as_array().unwrap().len(), 2);
        assert_eq!(results[1]["locations"][0]["logicalLocations"][0]["name"], "OpExtInst %7");
    }

    #[test]
    fn paths_become_uris() {
        assert_eq!(uri("a/b c.frag"), "a/b%20c.frag");
        assert_eq!(uri("/tmp/ü.comp"), "file:///tmp/%C3%BC.comp");
    }
}
