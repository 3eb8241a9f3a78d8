//! Formats reports for people: the error, its place in the source, the invocation, the values, and the specification.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use quadrille_jit::excerpt::{Message, Source};

use crate::report::{Frame, Report};

/// Texts of source files, by their names in modules.
#[derive(Clone, Debug, Default)]
pub struct Sources(BTreeMap<String, Arc<str>>);

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, file: impl Into<String>, text: impl Into<Arc<str>>) {
        self.0.insert(file.into(), text.into());
    }

    /// Adds all files of another collection.
    pub fn extend(&mut self, other: &Sources) {
        self.0.extend(other.0.iter().map(|(file, text)| (file.clone(), text.clone())));
    }

    /// Returns the text of a file.
    pub fn text(&self, file: &str) -> Option<&Arc<str>> {
        self.0.get(file)
    }

    /// Returns the file and text of a place with a line. A module that does not name its file has only one.
    pub(crate) fn of(&self, at: &Frame) -> Option<(&str, &Arc<str>)> {
        let (file, text) = match &at.file {
            Some(file) => self.0.get_key_value(file)?,
            None if self.0.len() == 1 => self.0.first_key_value()?,
            None => return None,
        };
        (at.line > 0 && text.lines().count() >= at.line as usize).then_some((file, text))
    }
}

/// Formats a report with the source lines that it refers to.
///
/// ```text
/// error[pow-domain]: `pow` of -0.25 and 2.2, written to output `color`
///   --> tone.frag:7:9
///   |
/// 7 | vec3 c = pow(x, vec3(2.2));
///   | ^^^^^^^^^^^^^^^^^^^^^^^^^^^ x = -0.25
///   = in: fragment shader main, pixel (3, 0); 24 times
///   = GLSL.std.450 Pow: The resulting value is undefined if x < 0. [...]
/// ```
pub fn report(report: &Report, sources: &Sources) -> String {
    let values: Vec<String> = report.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let title = format!("{}[{}]: {}", report.level, report.kind, report.message);
    let first = if values.is_empty() { "here".to_owned() } else { values.join(", ") };
    // Related places with their descriptions.
    let mut notes = report.others.iter().map(|other| {
        let by = other.invocation.as_ref().map(|i| format!(" by {i}")).unwrap_or_default();
        (format!("{}{by}", other.what), &other.at)
    });
    let mut text = excerpt(title, &report.at, first, sources);
    for (what, at) in &mut notes {
        text = format!("{text}\n{}", excerpt(format!("  {what}"), at, "here".into(), sources));
    }
    for frame in &report.called_from {
        let _ = write!(text, "\n  = called from {frame}");
    }
    if let Some(invocation) = &report.invocation {
        let times = if report.count > 1 { format!("; {} times", report.count) } else { String::new() };
        let _ = write!(text, "\n  = in: {invocation}{times}");
    } else if report.count > 1 {
        let _ = write!(text, "\n  = {} times", report.count);
    }
    let _ = write!(text, "\n  = {}: {}", report.kind.clause(), report.kind.says());
    text
}

/// Formats a title with the line of a place, or with its name if the source is unknown.
fn excerpt(title: String, at: &Frame, text: String, sources: &Sources) -> String {
    let Some((file, source)) = sources.of(at) else {
        let shown = if text == "here" { String::new() } else { format!(": {text}") };
        return format!("{title}\n  --> {at}{shown}");
    };
    let message = Message { line: at.line, column: at.column, length: 0, text };
    let (file, text) = (file.to_owned(), source.to_string());
    Source { title, file, text, messages: vec![message], help: None }.to_string()
}

/// Formats all reports, separated by empty lines, and their number.
pub fn all(reports: &[Report], sources: &Sources) -> String {
    let mut text = String::new();
    for r in reports {
        let _ = writeln!(text, "{}\n", report(r, sources));
    }
    let _ = writeln!(text, "{}", summary(reports));
    text
}

/// Formats `2 errors, 1 warning`, or a text for no findings.
pub fn summary(reports: &[Report]) -> String {
    use crate::kind::Level;
    let counts = [Level::Error, Level::Warning, Level::Note].into_iter().filter_map(|level| {
        let n = reports.iter().filter(|r| r.level == level).count();
        (n > 0).then(|| format!("{n} {level}{}", if n == 1 { "" } else { "s" }))
    });
    let counts: Vec<String> = counts.collect();
    if counts.is_empty() { "nothing found".into() } else { counts.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use crate::report::{Invocation, Other};
    use quadrille_jit::ir::Stage;

    fn example() -> Report {
        let at = |line, column| Frame { file: Some("tone.frag".into()), line, column, ..Frame::default() };
        let who = Invocation::new(Stage::Fragment, "main").id("pixel", &[3, 0]);
        let written = Other { what: "written to output `color`".into(), at: at(3, 0), invocation: None };
        let report = Report::new(Kind::PowDomain, "`pow` of -0.25 and 2.2").at(at(2, 3)).by(who);
        report.value("x", "-0.25").other(written)
    }

    #[test]
    fn reports_show_their_lines() {
        let mut sources = Sources::default();
        sources.add("tone.frag", "void main() {\n  v = pow(x, 2.2);\n  color = v;\n}\n");
        let mut report = example();
        report.count = 24;
        let expected = "\
error[pow-domain]: `pow` of -0.25 and 2.2
  --> tone.frag:2:3
  |
2 |   v = pow(x, 2.2);
  |   ^ x = -0.25
  written to output `color`
  --> tone.frag:3:3
  |
3 |   color = v;
  |   ^^^^^^^^^^ here
  = in: fragment shader main, pixel (3, 0); 24 times
  = GLSL.std.450 Pow: The resulting value is undefined if x < 0. The resulting value is undefined if x = 0 and y <= 0.";
        assert_eq!(super::report(&report, &sources), expected);
    }

    #[test]
    fn without_the_source_places_are_named() {
        let text = report(&example(), &Sources::default());
        assert!(text.contains("--> tone.frag:2:3: x = -0.25\n"), "{text}");
        let nowhere = Report::new(Kind::UndefUsed, "used").at(Frame {
            id: 9,
            instruction: Some("OpUndef".into()),
            ..Frame::default()
        });
        assert!(report(&nowhere, &Sources::default()).contains("--> OpUndef %9\n"));
    }

    #[test]
    fn summaries_count_levels() {
        let warning = Report::new(Kind::ClampOrder, "");
        assert_eq!(summary(&[example(), warning.clone(), warning]), "1 error, 2 warnings");
        assert_eq!(summary(&[]), "nothing found");
    }
}
