//! GitHub Actions annotations, which show failures next to their lines.

use quadrille::terminal::plain;

use crate::outcome::{Outcome, Report};

/// One `::error file=...,line=...,title=...::message` per failure.
pub fn test(report: &Report) -> String {
    let Outcome::Failed { failures } = &report.outcome else { return String::new() };
    let annotation = |failure: &crate::outcome::Failure| {
        let mut properties = match &failure.place {
            None => format!("file={}", property(&report.file)),
            Some(place) => {
                let mut text = format!("file={}", property(&place.file));
                if place.line > 0 {
                    text += &format!(",line={}", place.line);
                }
                if place.column > 0 {
                    text += &format!(",col={}", place.column);
                }
                text
            }
        };
        properties += &format!(",title={}", property(&report.name));
        format!("::error {properties}::{}\n", message(&failure.message))
    };
    failures.iter().map(annotation).collect()
}

/// Escapes characters that would end a line or a command.
fn message(text: &str) -> String {
    plain(text).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::outcome::{Failure, Place};

    #[test]
    fn commands_are_escaped() {
        let place = Place { file: "a,b.toml".into(), line: 3, column: 1 };
        let failures = vec![Failure::new("1\n100%", Some(place))];
        let report = Report {
            name: "a,b.toml::x".into(),
            file: "a,b.toml".into(),
            outcome: Outcome::Failed { failures },
            seconds: 0.0,
            printed: Vec::new(),
            resumed: false,
            made_of: Vec::new(),
        };
        let expected = "::error file=a%2Cb.toml,line=3,col=1,title=a%2Cb.toml%3A%3Ax::1%0A100%25\n";
        assert_eq!(test(&report), expected);
        assert_eq!(test(&Report { outcome: Outcome::Passed, ..report }), "");
    }
}
