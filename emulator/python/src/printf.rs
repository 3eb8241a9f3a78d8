//! Output of shaders (`debugPrintfEXT`). Lines wait here until a thread that holds the interpreter's lock passes them
//! to `quadrille._printf`, where programs can capture them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use quadrille::process::PerProcess;
use quadrille::set_print_sink;

/// Largest number of waiting lines; further lines go to the standard error stream at once.
const MAX_LINES: usize = 1 << 16;

static LINES: PerProcess<Mutex<Vec<String>>> = PerProcess::new();
/// True if lines are waiting. Checked without the lock, which could be held forever in a child of `fork`.
static ANY: AtomicBool = AtomicBool::new(false);

/// Directs the output of this process's shaders to Python from now on.
pub fn install() {
    set_print_sink(Some(Arc::new(|line: &str| {
        let mut lines = LINES.get().lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() < MAX_LINES {
            lines.push(line.to_owned());
            ANY.store(true, Ordering::Release);
        } else {
            quadrille::terminal::to_stderr(format_args!("{line}"));
        }
    })));
}

/// Passes the waiting lines to Python.
pub fn deliver(py: Python<'_>) -> PyResult<()> {
    if !ANY.swap(false, Ordering::Acquire) {
        return Ok(());
    }
    let lines = std::mem::take(&mut *LINES.get().lock().unwrap_or_else(PoisonError::into_inner));
    if lines.is_empty() {
        return Ok(());
    }
    py.import("quadrille._printf")?.call_method1("deliver", (lines,)).map(|_| ())
}
