//! Waiting for the device without the interpreter's lock: other threads of Python run meanwhile, what shaders print
//! is handed on, and Ctrl-C ends the wait.

use std::time::Duration;

use pyo3::prelude::*;
use quadrille::Fence;

use crate::errors::{self, Source};
use crate::printf;

/// How often it is asked for signals.
const STEP: Duration = Duration::from_millis(50);

/// Waits until the fence is signaled. An exception (KeyboardInterrupt) leaves the work to its end, or to that of its
/// budget.
pub fn wait(py: Python<'_>, fence: &Fence, source: Source<'_>) -> PyResult<()> {
    loop {
        let done = py.detach(|| fence.wait(Some(STEP)));
        printf::deliver(py)?;
        match done {
            Ok(true) => return Ok(()),
            Ok(false) => py.check_signals()?,
            Err(e) => return Err(errors::device(py, &e, Some(source))),
        }
    }
}
