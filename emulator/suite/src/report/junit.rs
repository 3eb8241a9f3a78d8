//! JUnit XML for build servers: one suite per file.

use std::collections::BTreeMap;
use std::time::Duration;

use quick_junit::{NonSuccessKind, Report as Document, TestCase, TestCaseStatus, TestSuite};

use crate::outcome::{Counts, Outcome, Report};

/// The document.
pub fn document(reports: &[Report], counts: &Counts) -> Result<String, quick_junit::SerializeError> {
    let mut suites: BTreeMap<&str, TestSuite> = BTreeMap::new();
    for report in reports {
        let suite = suites.entry(&report.file).or_insert_with(|| TestSuite::new(report.file.as_str()));
        suite.add_test_case(case(report));
    }
    let mut document = Document::new("quadrille test");
    document.set_time(Duration::from_secs_f64(counts.seconds));
    for (_, mut suite) in suites {
        let seconds: f64 = suite.test_cases.iter().filter_map(|c| c.time).map(|t| t.as_secs_f64()).sum();
        suite.set_time(Duration::from_secs_f64(seconds));
        document.add_test_suite(suite);
    }
    document.to_string().map(|xml| as_the_schema_has_it(&xml))
}

/// Removes the attribute `skipped` of the root element, which strict readers of the format (Jenkins' `junit-10.xsd`) do
/// not accept; each suite has its own.
fn as_the_schema_has_it(xml: &str) -> String {
    let root = xml.find("<testsuites").unwrap_or(0);
    let end = xml[root..].find('>').map_or(root, |length| root + length);
    let (head, rest) = xml.split_at(end);
    let cut = head.find(" skipped=\"").and_then(|from| {
        let value = from + " skipped=\"".len();
        Some(from..value + head[value..].find('"')? + 1)
    });
    match cut {
        Some(cut) => [&head[..cut.start], &head[cut.end..], rest].concat(),
        None => xml.to_owned(),
    }
}

fn case(report: &Report) -> TestCase {
    let status = match &report.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Skipped { reason } => {
            let mut status = TestCaseStatus::skipped();
            status.set_message(reason.as_str());
            status
        }
        Outcome::Failed { failures } => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let all: Vec<String> = failures.iter().map(ToString::to_string).collect();
            status.set_message(all.first().and_then(|m| m.lines().next()).unwrap_or_default());
            status.set_type("failure");
            status.set_description(all.join("\n"));
            status
        }
    };
    // The name within the file.
    let name = report.name.strip_prefix(&report.file).and_then(|rest| rest.strip_prefix("::"));
    let mut case = TestCase::new(name.unwrap_or(&report.name), status);
    case.set_classname(report.file.as_str());
    case.set_time(Duration::from_secs_f64(report.seconds.max(0.0)));
    if !report.printed.is_empty() {
        case.set_system_out(report.printed.join("\n"));
    }
    case
}
