//! The `quadrille` command, which `python -m quadrille` runs.

use std::ffi::OsString;
use std::path::PathBuf;

use pyo3::prelude::*;
use quadrille::set_print_sink;

/// Runs the command and returns its exit code. The first argument is the name of the program; `driver` is the library
/// of the Vulkan driver.
#[pyfunction]
pub fn command(py: Python<'_>, arguments: Vec<OsString>, driver: PathBuf) -> u8 {
    // Output of shaders goes to the standard error stream, as in the separate program.
    set_print_sink(None);
    py.detach(|| quadrille_cli::main_with_driver(arguments, driver))
}
