//! Native extension of the Python package `quadrille`: wraps the device, the front ends and the apps in a few classes
//! for Python objects and numpy arrays.
//!
//! ```text
//!   device    devices, and device memory as the storage of numpy arrays
//!   module    compilation of sources to SPIR-V, and reflection of modules
//!   kernel    compute shaders on arrays
//!   opencl    kernels of OpenCL on arrays
//!   picture   fragment shaders and Shadertoys that render to arrays; image files
//!   instances instances of compute shaders and kernels, one for each thread that runs them
//!   printf    output of shader prints
//!   command   the `quadrille` command
//!   wait      waiting for work and Ctrl-C without holding the interpreter's lock
//!   errors    errors as exceptions
//! ```
//!
//! The Python code in `python/quadrille` provides the convenient interface, and checks and prepares all arguments.

mod command;
mod device;
mod errors;
mod instances;
mod kernel;
mod module;
mod opencl;
mod picture;
mod printf;
mod wait;

use pyo3::prelude::*;
use pyo3::types::PyString;

// The entry points of the Vulkan driver: this library exports them, and the build backend makes it loadable without Python.
use vk_quadrille as _;

/// True if `QUADRILLE_BLESS` requests that expected pictures be rewritten.
#[pyfunction]
fn bless() -> bool {
    quadrille::env::bless()
}

/// Text for people, whose characters do not control a terminal.
#[pyfunction]
fn plain(text: &Bound<'_, PyString>) -> String {
    quadrille::terminal::plain(&text.to_string_lossy()).into_owned()
}

#[pymodule]
fn _quadrille(m: &Bound<'_, PyModule>) -> PyResult<()> {
    printf::install();
    m.add("__version__", env!("CARGO_PKG_VERSION"))?;
    m.add("VULKAN_VERSION", quadrille::limits::VULKAN_VERSION)?;
    m.add_class::<device::Device>()?;
    m.add_class::<device::Memory>()?;
    m.add_class::<module::Module>()?;
    m.add_class::<kernel::Kernel>()?;
    m.add_class::<opencl::OpenClKernel>()?;
    m.add_class::<picture::Renderer>()?;
    m.add_class::<picture::Shadertoy>()?;
    m.add_function(wrap_pyfunction!(bless, m)?)?;
    m.add_function(wrap_pyfunction!(plain, m)?)?;
    m.add_function(wrap_pyfunction!(command::command, m)?)?;
    m.add_function(wrap_pyfunction!(module::compile, m)?)?;
    m.add_function(wrap_pyfunction!(module::language_of, m)?)?;
    m.add_function(wrap_pyfunction!(opencl::spirv_of, m)?)?;
    m.add_function(wrap_pyfunction!(picture::read_picture, m)?)?;
    m.add_function(wrap_pyfunction!(picture::write_picture, m)?)?;
    m.add_function(wrap_pyfunction!(picture::compare_pictures, m)?)?;
    Ok(())
}
