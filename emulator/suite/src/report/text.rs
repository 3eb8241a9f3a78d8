//! Text: one line per test and a summary, in the style of `cargo nextest`.

use std::fmt::Write;

use quadrille::terminal::plain;

use crate::outcome::{Counts, Outcome, Report};

/// Style of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// True to use terminal escapes for colours.
    pub color: bool,
}

impl Style {
    fn word(self, word: &str, code: u8) -> String {
        if self.color { format!("\x1b[1;{code}m{word:>12}\x1b[0m") } else { format!("{word:>12}") }
    }

    fn of(self, outcome: &Outcome) -> String {
        match outcome {
            Outcome::Passed => self.word("PASS", 32),
            Outcome::Failed { .. } => self.word("FAIL", 31),
            Outcome::Skipped { .. } => self.word("SKIP", 33),
        }
    }
}

/// The text before the first test.
pub fn start(all: usize, chosen: usize, style: Style) -> String {
    let tests = if chosen == 1 { "test" } else { "tests" };
    let rest = all - chosen;
    let rest = if rest > 0 { format!(" ({rest} more are not selected)") } else { String::new() };
    format!("{} {chosen} {tests}{rest}\n", style.word("Starting", 32))
}

/// The line of a test; if it failed, also the reasons.
pub fn test(report: &Report, style: Style) -> String {
    let mut text = line(report, style);
    if let Outcome::Failed { failures } = &report.outcome {
        for failure in failures {
            indented(&mut text, &failure.to_string());
            if let Some(pictures) = &failure.pictures {
                let differ = pictures.difference.as_ref().unwrap_or(&pictures.actual);
                indented(&mut text, &format!("see {}", differ.display()));
            }
        }
        if !report.printed.is_empty() {
            indented(&mut text, "printed:");
            report.printed.iter().for_each(|line| indented(&mut text, &format!("  {line}")));
        }
    }
    text
}

fn line(report: &Report, style: Style) -> String {
    let (word, name) = (style.of(&report.outcome), plain(&report.name));
    let resumed = if report.resumed { " (as before)" } else { "" };
    let reason = match &report.outcome {
        Outcome::Skipped { reason } => format!(": {}", plain(reason)),
        _ => String::new(),
    };
    format!("{word} [{:>8.3}s] {name}{reason}{resumed}\n", report.seconds)
}

fn indented(text: &mut String, block: &str) {
    for line in block.lines() {
        text.push_str("    ");
        text.push_str(&plain(line));
        text.push('\n');
    }
}

/// The counts, and the lines of failed tests again.
pub fn summary(counts: &Counts, failed: &[Report], style: Style) -> String {
    let mut text = "------------\n".to_owned();
    let color = if counts.failed > 0 { 31 } else { 32 };
    let mut parts = vec![format!("{} passed", counts.passed)];
    let mut part = |n: usize, what: &str| {
        if n > 0 {
            parts.push(format!("{n} {what}"));
        }
    };
    part(counts.failed, "failed");
    part(counts.skipped, "skipped");
    part(counts.resumed, "taken from the journal");
    part(counts.left, "not run after a failure");
    let tests = if counts.all() == 1 { "test" } else { "tests" };
    let _ = writeln!(
        text,
        "{} [{:>8.3}s] {} {tests} run: {}",
        style.word("Summary", color),
        counts.seconds,
        counts.all(),
        parts.join(", ")
    );
    failed.iter().for_each(|report| text.push_str(&line(report, style)));
    text
}
