//! What shaders print (`debugPrintfEXT`): lines wait here until a thread that has the interpreter's lock hands them
//! to `quadrille._printf`, which is where programs catch them.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use pyo3::prelude::*;
use quadrille::set_print_sink;

/// Lines that wait at most; what comes on top of them goes to the standard error stream at once.
const MAX_LINES: usize = 1 << 16;

static LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// There are some: asked for without a lock, which a child of `fork` might find taken.
static ANY: AtomicBool = AtomicBool::new(false);

/// From now on, what shaders of this process print goes to Python.
pub fn install() {
    set_print_sink(Some(Arc::new(|line: &str| {
        let mut lines = LINES.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() < MAX_LINES {
            lines.push(line.to_owned());
            ANY.store(true, Ordering::Release);
        } else {
            quadrille::terminal::to_stderr(format_args!("{line}"));
        }
    })));
}

/// Hands on what was printed so far.
pub fn deliver(py: Python<'_>) -> PyResult<()> {
    if !ANY.swap(false, Ordering::Acquire) {
        return Ok(());
    }
    let lines = std::mem::take(&mut *LINES.lock().unwrap_or_else(PoisonError::into_inner));
    if lines.is_empty() {
        return Ok(());
    }
    py.import("quadrille._printf")?.call_method1("deliver", (lines,)).map(|_| ())
}
