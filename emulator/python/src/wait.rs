//! Waits for the device without the interpreter's lock. Meanwhile other Python threads run, shader output is delivered,
//! and Ctrl-C ends the wait.

use std::time::Duration;

use pyo3::prelude::*;
use quadrille::Fence;

use crate::errors::{self, Source};
use crate::printf;

/// Interval between checks for Python signals.
const STEP: Duration = Duration::from_millis(50);

/// Waits until the fence is signaled. If an exception such as KeyboardInterrupt ends the wait, the work continues to
/// its end or to the end of its budget.
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
