//! Converts errors to exceptions of `quadrille._errors`, with the file, the line and the text of the source.

use pyo3::prelude::*;
use pyo3::types::PyDict;
use quadrille::frontend::CompileError;
use quadrille::{Error, Place};

/// Name and text of a source, for excerpts in messages.
#[derive(Clone, Copy)]
pub struct Source<'a> {
    pub name: &'a str,
    pub text: &'a str,
}

/// Creates an exception of this class.
fn exception(
    py: Python<'_>,
    class: &str,
    message: &str,
    fill: impl FnOnce(&Bound<'_, PyDict>) -> PyResult<()>,
) -> PyErr {
    let make = || {
        let keywords = PyDict::new(py);
        fill(&keywords)?;
        py.import("quadrille._errors")?.getattr(class)?.call((message,), Some(&keywords))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(e) => e,
    }
}

/// Converts an error of the device. If the source is given, the exception shows the line.
pub fn device(py: Python<'_>, error: &Error, source: Option<Source<'_>>) -> PyErr {
    let placed = |class: &str, message: &str, place: &Place| {
        exception(py, class, message, |keywords| {
            keywords.set_item("file", place.file.as_deref().or(source.map(|s| s.name)))?;
            keywords.set_item("line", place.line)?;
            // The error may be about an included file.
            let text = source.filter(|s| place.file.as_deref().is_none_or(|file| file == s.name));
            keywords.set_item("source", text.map(|s| s.text))
        })
    };
    let plain = |class: &str, message: &str| exception(py, class, message, |_| Ok(()));
    match error {
        Error::Invalid { message, place } => placed("InvalidError", message, place),
        Error::Unsupported { what, place } => placed("UnsupportedError", what, place),
        Error::Limit(message) => plain("LimitError", message),
        Error::OutOfMemory(message) => plain("OutOfMemoryError", message),
        Error::DeviceLost(message) | Error::ChecksFailed(message) | Error::Aborted { text: message, .. } => {
            plain("DeviceLostError", message)
        }
        Error::Internal(_) => plain("InternalError", &error.to_string()),
    }
}

/// Converts a compile error.
pub fn compile(py: Python<'_>, error: CompileError) -> PyErr {
    if let Some(cause) = &error.cause {
        return device(py, cause, None);
    }
    exception(py, "CompileError", &error.message, |keywords| {
        let all: Vec<(u32, u32, u32, String)> =
            error.distinct().map(|d| (d.line, d.column, d.length, d.message)).collect();
        keywords.set_item("file", &*error.file)?;
        keywords.set_item("line", (error.line > 0).then_some(error.line))?;
        keywords.set_item("column", (error.column > 0).then_some(error.column))?;
        keywords.set_item("diagnostics", all)?;
        keywords.set_item("language", error.language.to_string())?;
        keywords.set_item("hint", error.help.as_deref())?;
        keywords.set_item("source", &*error.source_text)
    })
}

/// Creates an `InvalidError` for a check in this crate.
pub fn invalid(py: Python<'_>, message: &str) -> PyErr {
    device(py, &Error::invalid(message), None)
}
