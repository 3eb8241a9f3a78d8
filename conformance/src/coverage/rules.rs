//! Validation rules and universal limits of SPIR-V, and the tests of `jit` that break or reach them.
//!
//! In those tests, each case begins with the name of its rule, or a comment names the rules and limits of the test.

use super::inventory::{self, reason};
use super::report::Counted;

const RULES: &str = include_str!("../../inventory/spirv_validation_rules.csv");
const LIMITS: &str = include_str!("../../inventory/spirv_limits.csv");
const RULE_TESTS: &str = include_str!("../../../jit/tests/validation.rs");
const LIMIT_TESTS: &str = include_str!("../../../jit/tests/limits.rs");

/// Reason why a rule is out of scope.
fn excluded(id: &str) -> Option<&'static str> {
    match id {
        "K-INT01" => Some(reason::KERNEL),
        _ if id.starts_with("Control-flow nesting depth") => {
            Some("at most 128 levels of control flow, including inlined calls; deeper nesting is refused")
        }
        _ => None,
    }
}

fn count(table: &str, csv: &str, tests: &str) -> Counted {
    let mut out = Counted { table: table.into(), ..Counted::default() };
    for line in csv.lines().skip(1).map(inventory::fields) {
        let Some(name) = line.first().filter(|n| !n.is_empty()) else { continue };
        if let Some(why) = excluded(name) {
            out.excluded.push((name.clone(), why));
            continue;
        }
        out.rows += 1;
        out.implemented += 1;
        // Tests name a limit by the text before its details.
        let short = name.split(" (").next().and_then(|n| n.split(" /").next()).unwrap_or(name);
        match tests.contains(short) {
            true => out.tested += 1,
            false => out.missing.push(format!("{name} (no test)")),
        }
    }
    out
}

/// Counts the rules of sections 2.3, 2.4, 2.11, 2.16 and 2.18.2 that a test breaks. The test's module is refused, or
/// runs for a reason that the test states.
pub fn rules() -> Counted {
    count("spirv_validation_rules.csv", RULES, RULE_TESTS)
}

/// Counts the limits of section 2.17 that a running module reaches.
pub fn limits() -> Counted {
    count("spirv_limits.csv", LIMITS, LIMIT_TESTS)
}
