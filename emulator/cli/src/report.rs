//! Errors of the command: one kind of report for all errors, with the source line if there is one.

use std::ffi::OsStr;
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use miette::{Diagnostic, GraphicalReportHandler, LabeledSpan, SourceCode};
use quadrille::files;
use quadrille::frontend::CompileError;
use quadrille::terminal::{plain, to_stderr};

use crate::excerpt::{self, Excerpt, Label};

/// Result of a subcommand's parts.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

/// Reason for which the command ends early.
#[derive(Debug)]
pub enum Failure {
    /// A report for the user.
    Report(Box<Report>),
    /// Standard output is closed, so nobody reads a report.
    Quiet,
}

/// A message, advice, and the place in a source.
#[derive(Debug)]
pub struct Report {
    message: String,
    help: Option<String>,
    source: Option<Excerpt>,
    labels: Vec<LabeledSpan>,
    /// True if work did not end, for which the device was lost.
    unended: bool,
    /// True if the command line is wrong: the exit code is that of other wrong command lines.
    usage: bool,
}

/// Exit code for a wrong command line, also of an unknown option.
pub const USAGE: u8 = 2;

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.message))
    }
}

impl std::error::Error for Report {}

impl Diagnostic for Report {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        self.help.as_ref().map(|h| Box::new(plain(h)) as Box<dyn fmt::Display>)
    }
    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.source.as_ref().map(|s| s as &dyn SourceCode)
    }
    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        (!self.labels.is_empty())
            .then(|| Box::new(self.labels.iter().cloned()) as Box<dyn Iterator<Item = _>>)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Report(report) => match &report.help {
                Some(help) => write!(f, "{report} ({help})"),
                None => write!(f, "{report}"),
            },
            Failure::Quiet => f.write_str("standard output is closed"),
        }
    }
}

impl Failure {
    /// A failure with a message.
    pub fn new(message: impl Into<String>) -> Self {
        Failure::Report(Box::new(Report {
            message: message.into(),
            help: None,
            source: None,
            labels: Vec::new(),
            unended: false,
            usage: false,
        }))
    }

    /// A failure of the command line itself: options that do not go together, or have no effect, or are missing, or
    /// have values that they or the shader do not take.
    pub fn usage(message: impl Into<String>) -> Self {
        Failure::new(message).of_usage()
    }

    /// The same failure as one of the command line.
    pub fn of_usage(mut self) -> Self {
        if let Failure::Report(report) = &mut self {
            report.usage = true;
        }
        self
    }

    /// Adds advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        if let Failure::Report(report) = &mut self {
            report.help = Some(help.into());
        }
        self
    }

    /// True if the report shows a line of the source, and thereby the source's name.
    pub fn shows_source(&self) -> bool {
        matches!(self, Failure::Report(report) if report.source.is_some())
    }

    /// True if work did not end, for which the device was lost.
    pub fn is_unended(&self) -> bool {
        matches!(self, Failure::Report(report) if report.unended)
    }

    /// Adds a message about a line of a file; the line is shown if the file can be read.
    pub fn at_line(mut self, file: &str, line: u32, label: &str) -> Self {
        let Failure::Report(report) = &mut self else { return self };
        let text = crate::sources::source_text(file).unwrap_or_default();
        match line_span(&text, line as usize).filter(|_| report.source.is_none()) {
            Some(span) => {
                let here = Label { start: span.0, end: span.1, text: label.into() };
                let (source, labels) = Excerpt::new(file, &text, &[here]);
                (report.source, report.labels) = (Some(source), labels);
            }
            None => report.message = format!("{}: {file}:{line}: {label}", report.message),
        }
        self
    }

    /// True if the command line is wrong.
    pub fn is_usage(&self) -> bool {
        matches!(self, Failure::Report(report) if report.usage)
    }

    /// Adds the name of a file to the message.
    pub fn in_file(mut self, name: &str) -> Self {
        if let Failure::Report(report) = &mut self {
            report.message = format!("{name}: {}", report.message);
        }
        self
    }

    /// A file that cannot be read or written.
    pub fn file(doing: &str, path: &Path, error: &std::io::Error) -> Self {
        Failure::new(format!("cannot {doing} {}: {}", path.display(), files::reason(error)))
    }

    /// An error of the device or the compiler; `source` is the shader's name and text, if it has one.
    pub fn device(error: &quadrille::Error, source: Option<(&str, &str)>) -> Self {
        use quadrille::Error;
        let mut error = error.clone();
        let mut label = None;
        if let Error::Invalid { place, .. } | Error::Unsupported { place, .. } = &mut error
            && let (Some(line), Some((name, text))) = (place.line, source)
            // A place in an included file has another name.
            && place.file.as_deref().is_none_or(|file| file == name)
            && let Some(span) = line_span(text, line as usize)
        {
            // The line is shown, so its number is not needed.
            (place.file, place.line) = (None, None);
            let here = Label { start: span.0, end: span.1, text: "from here".into() };
            label = Some(Excerpt::new(name, text, &[here]));
        }
        let mut failure = Failure::new(error.to_string());
        if let Failure::Report(report) = &mut failure {
            report.unended = matches!(error, Error::DeviceLost(_));
            if let Some((source, labels)) = label {
                report.labels = labels;
                report.source = Some(source);
            }
        }
        failure
    }
}

impl From<CompileError> for Failure {
    fn from(error: CompileError) -> Self {
        let text: &str = &error.source_text;
        let mut labels = Vec::new();
        let mut lost = Vec::new();
        for d in error.distinct() {
            match (d.line > 0).then(|| line_span(text, d.line as usize)).flatten() {
                Some(_) if d.column > 0 => {
                    let start = excerpt::offset(text, d.line, d.column);
                    let end = (start + (d.length as usize).max(1)).min(text.len());
                    labels.push(Label { start: start.min(end), end, text: d.message });
                }
                Some((start, end)) => labels.push(Label { start, end, text: d.message }),
                None => lost.push(d.message),
            }
        }
        let unsupported = matches!(error.cause.as_deref(), Some(quadrille::Error::Unsupported { .. }));
        let mut message = match unsupported {
            true => format!("{} is not supported", error.file),
            false => format!("{} is not valid {}", error.file, error.language),
        };
        for m in lost {
            message = format!("{message}: {m}");
        }
        let shown = (!labels.is_empty()).then(|| Excerpt::new(&error.file, text, &labels));
        let (source, labels) = shown.unzip();
        let labels = labels.unwrap_or_default();
        Failure::Report(Box::new(Report {
            message,
            help: error.help.clone(),
            source,
            labels,
            unended: false,
            usage: false,
        }))
    }
}

/// Byte range of line `line` (from 1) without its indentation; `None` if there is no such line.
fn line_span(text: &str, line: usize) -> Option<(usize, usize)> {
    let start = if line == 1 { 0 } else { text.match_indices('\n').nth(line.checked_sub(2)?)?.0 + 1 };
    let rest = text.get(start..)?;
    let content = rest.lines().next().unwrap_or("");
    let indent = content.len() - content.trim_start().len();
    Some((start + indent, start + content.trim_end().len().max(indent)))
}

/// Suppresses the output of panics, so that a defect of Quadrille is reported in one line.
pub fn install() {
    std::panic::set_hook(Box::new(|info| {
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            let _ = writeln!(std::io::stderr(), "{info}\n{}", std::backtrace::Backtrace::force_capture());
        }
    }));
}

/// True unless the user wants no colours on a screen.
pub fn colours() -> bool {
    takes_colours(std::env::var_os("NO_COLOR").as_deref())
}

/// The same for a value of `NO_COLOR`. Spec: no-color.org, by which an empty value is none.
fn takes_colours(no_color: Option<&OsStr>) -> bool {
    no_color.is_none_or(OsStr::is_empty)
}

/// Prints a warning; the command continues.
pub fn warn(message: &str) {
    // Nobody reads it, or the disk is full: no reason to stop.
    to_stderr(format_args!("warning: {message}"));
}

/// Prints additional information that was requested.
pub fn note(message: &str) {
    to_stderr(format_args!("{message}"));
}

/// Prints an error and returns the exit code.
pub fn print(failure: &Failure) -> ExitCode {
    let Failure::Report(report) = failure else { return ExitCode::SUCCESS };
    let mut text = String::new();
    let screen = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let theme = match screen && colours() {
        true => miette::GraphicalTheme::unicode(),
        false => miette::GraphicalTheme::unicode_nocolor(),
    };
    // Only a screen has a width: in a file or a log each message is one line, found by its words.
    let handler = GraphicalReportHandler::new_themed(theme).with_width(100).with_wrap_lines(screen);
    if handler.render_report(&mut text, report.as_ref()).is_err() {
        text = report.to_string();
    }
    let _ = writeln!(std::io::stderr(), "{}", text.trim_matches('\n'));
    if report.usage { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_no_color_is_none() {
        assert!(takes_colours(None) && takes_colours(Some(OsStr::new(""))));
        assert!(!takes_colours(Some(OsStr::new("0"))));
    }

    #[test]
    fn spans_of_lines() {
        let text = "a\n  bc  \n\nd";
        let of = |line| line_span(text, line).map(|(start, end)| (start, end - start));
        assert_eq!(of(1), Some((0, 1)));
        assert_eq!(of(2), Some((4, 2)));
        assert_eq!(of(3), Some((9, 0)));
        assert_eq!(of(4), Some((10, 1)));
        assert_eq!(of(5), None);
        assert_eq!(of(0), None);
    }
}
