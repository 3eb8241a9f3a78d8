//! Collects the errors of a source, up to a limit.

use super::source::{Lines, Span};
use crate::{CompileError, Diagnostic, Language};

/// Number of errors after which the rest of a source is not read.
const MAX_ERRORS: usize = 20;

/// The errors of one source.
#[derive(Default)]
pub(crate) struct Report {
    found: Vec<(Span, String)>,
    help: Option<String>,
    ended: bool,
    /// Number of errors about the values of overridable constants.
    of_constants: usize,
}

impl Report {
    /// Reports an error at `span`. Only the first error at each position is kept.
    pub fn error(&mut self, span: Span, message: impl Into<String>) {
        if !self.full() && self.found.iter().all(|(other, _)| other.start != span.start) {
            self.found.push((span, message.into()));
        }
    }

    /// Reports an error at `span` about the values of overridable constants.
    pub fn constant_error(&mut self, span: Span, message: impl Into<String>) {
        let before = self.found.len();
        self.error(span, message);
        self.of_constants += self.found.len() - before;
    }

    /// Reports an error after which the rest of the source is not read: later errors would follow from this one.
    pub fn last_error(&mut self, span: Span, message: impl Into<String>) {
        self.error(span, message);
        self.ended = true;
    }

    /// Sets the help text for the errors; the first one wins.
    pub fn help(&mut self, help: impl Into<String>) {
        self.help.get_or_insert_with(|| help.into());
    }

    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// True if no more errors are taken: after the last one, or at the limit.
    pub fn full(&self) -> bool {
        self.ended || self.found.len() >= MAX_ERRORS
    }

    /// Converts the report into an error with all messages in source order.
    pub fn into_error(mut self, language: Language, file: &str, source: &str) -> CompileError {
        self.found.sort_by_key(|(span, _)| span.start);
        let of_constants = self.of_constants > 0 && self.of_constants == self.found.len();
        let lines = Lines::of(source);
        let diagnostic = |(span, message): (Span, String)| {
            let (line, column) = lines.place(span.start);
            Diagnostic { line, column, length: span.end.saturating_sub(span.start), message }
        };
        let all = self.found.into_iter().map(diagnostic).collect();
        let mut error =
            CompileError::from_diagnostics(language, file, source, all, "the source does not compile");
        error.help = self.help;
        error.of_constants = of_constants;
        error
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_come_in_order_once_and_not_without_end() {
        let source = "one\ntwo three\n";
        let mut report = Report::default();
        report.error(Span::new(8, 13), "late");
        report.error(Span::new(8, 9), "the same place");
        report.error(Span::new(0, 3), "early");
        let error = report.into_error(Language::Wgsl, "x", source);
        let all: Vec<_> = error.diagnostics().map(|d| (d.line, d.column, d.length, d.message)).collect();
        assert_eq!(all, [(1, 1, 3, "early".to_owned()), (2, 5, 5, "late".to_owned())]);

        let mut report = Report::default();
        for at in 0..100 {
            report.error(Span::new(at, at + 1), "again");
        }
        assert!(report.full());
        let error = report.into_error(Language::Wgsl, "x", &"x".repeat(100));
        assert_eq!(error.diagnostics().count(), MAX_ERRORS);
    }
}
