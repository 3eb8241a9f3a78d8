//! Suppressions: comments in the source that turn a kind off for a line.
//!
//! `quadrille-allow: KIND` in any comment applies to its own line and the next one; commas separate several kinds.

use crate::kind::Kind;
use crate::report::Report;
use crate::text::Sources;

/// Start of such a comment.
const MARK: &str = "quadrille-allow:";

/// True if a line allows a kind.
fn line_allows(line: &str, kind: Kind) -> bool {
    let Some((_, list)) = line.split_once(MARK) else { return false };
    let words = list.split(',').filter_map(|w| w.split_whitespace().next());
    words.map(|w| w.trim_end_matches("*/")).any(|w| w == kind.id())
}

/// True if the source allows a report, at its line or at the one above.
pub fn is_allowed(report: &Report, sources: &Sources) -> bool {
    let Some((_, text)) = sources.of(&report.at) else { return false };
    let lines = text.lines().skip((report.at.line as usize).saturating_sub(2));
    lines.take(if report.at.line > 1 { 2 } else { 1 }).any(|line| line_allows(line, report.kind))
}

/// Removes the reports that the source allows.
pub fn retain(reports: &mut Vec<Report>, sources: &Sources) {
    reports.retain(|report| !is_allowed(report, sources));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Frame;

    #[test]
    fn comments_hold_for_their_line_and_the_next() {
        let text = "void main() {\n  // quadrille-allow: pow-domain, log-domain\n  a = pow(x, y);\n  b = log(x);\n\
            c = log(x); /* quadrille-allow: log-domain*/\n}";
        let mut sources = Sources::default();
        sources.add("a.frag", text);
        let at = |line, kind| {
            Report::new(kind, "").at(Frame { file: Some("a.frag".into()), line, ..Frame::default() })
        };
        let allowed = |line, kind| is_allowed(&at(line, kind), &sources);
        assert!(allowed(3, Kind::PowDomain) && allowed(3, Kind::LogDomain) && allowed(2, Kind::PowDomain));
        assert!(
            !allowed(3, Kind::SqrtNegative) && !allowed(4, Kind::LogDomain) && !allowed(1, Kind::PowDomain)
        );
        assert!(allowed(5, Kind::LogDomain));
        let mut list = vec![at(3, Kind::PowDomain), at(4, Kind::PowDomain)];
        retain(&mut list, &sources);
        assert_eq!(list.len(), 1);
    }
}
