//! Runs kernels of OpenCL on arrays.
//!
//! Arrays, images and values arrive as bytes, which the Python code has prepared. Arrays in device memory are used directly;
//! others are copied to the device, and back when the kernel has finished.

use std::path::PathBuf;

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use quadrille::apps::kernel::{ArgumentKind, Kernel, KernelDesc, KernelImage, Range, Ty};
use quadrille::{Buffer, BufferDesc, BufferUsage, Result, ViewDim};

use crate::device::{Device, Memory};
use crate::errors;
use crate::instances::{Instances, Program};
use crate::kernel::{Bytes, format_of};
use crate::module::Module;
use crate::picture::{SamplerArg, sampler_desc};
use crate::printf;
use crate::wait::wait;

/// A copied array by the number of its argument; the flag is true if its memory may be written.
type ArrayArg<'py> = (usize, Bound<'py, PyArray1<u8>>, bool);
/// Device memory by the number of its argument: offset of the first byte, and number of bytes.
type MemoryArg = (usize, Py<Memory>, u64, usize);
/// An array of texels by the number of its argument: format, extent and layers, and the flag of arrays.
type ImageArg<'py> = (usize, Bound<'py, PyArray1<u8>>, String, ([u32; 3], u32), bool);
/// Name, kind, size in bytes, type of the elements, offset and type of each scalar, read-only flag.
type ArgumentRow = (String, &'static str, u32, Option<&'static str>, Vec<(u32, &'static str)>, bool);

/// A kernel of a module, compiled for a device.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct OpenClKernel {
    all: Instances<Kernel>,
}

fn create(device: &quadrille::Device, program: Program<'_>) -> Result<Kernel> {
    let Program { words, entry, specialization } = program;
    Kernel::new(device, &KernelDesc { words, entry, specialization })
}

#[pymethods]
impl OpenClKernel {
    #[new]
    fn new(
        py: Python<'_>,
        device: &Device,
        module: Py<Module>,
        entry: Option<String>,
        spec: Vec<(u32, String)>,
    ) -> PyResult<Self> {
        Ok(OpenClKernel { all: Instances::new(py, device, module, entry, spec, create)? })
    }

    /// Workgroup size that the kernel requires.
    #[getter]
    fn required_local(&self, py: Python<'_>) -> PyResult<Option<[u32; 3]>> {
        self.all.with(py, |kernel| Ok(kernel.required_local()))
    }

    /// The arguments, in order.
    fn arguments(&self, py: Python<'_>) -> PyResult<Vec<ArgumentRow>> {
        self.all.with(py, |kernel| {
            let row = |argument: &quadrille::apps::kernel::Argument| -> ArgumentRow {
                let (kind, scalars) = match &argument.kind {
                    ArgumentKind::Buffer => ("buffer", Vec::new()),
                    ArgumentKind::Workgroup => ("workgroup", Vec::new()),
                    ArgumentKind::Value(scalars) => {
                        ("value", scalars.iter().map(|&(at, ty)| (at, dtype(ty))).collect())
                    }
                    ArgumentKind::Image(_) => ("image", Vec::new()),
                    ArgumentKind::Sampler => ("sampler", Vec::new()),
                };
                let element = argument.element.map(dtype);
                (argument.name.clone(), kind, argument.size, element, scalars, argument.constant)
            };
            Ok(kernel.arguments().iter().map(row).collect())
        })
    }

    /// Dimensionality of an argument that is an image.
    fn image_dim(&self, py: Python<'_>, index: usize) -> PyResult<&'static str> {
        self.all.with(py, |kernel| {
            Ok(match kernel.image_dim(index)? {
                ViewDim::D1 => "1D",
                ViewDim::D1Array => "1DArray",
                ViewDim::D2Array => "2DArray",
                ViewDim::D3 => "3D",
                ViewDim::Buffer => "Buffer",
                ViewDim::D2 | ViewDim::Cube | ViewDim::CubeArray | ViewDim::Null => "2D",
            })
        })
    }

    /// Runs the kernel. Returns the numbers of the read-only arrays that it has written to.
    fn launch(
        &self,
        py: Python<'_>,
        sizes: ([u32; 3], Option<[u32; 3]>, [u32; 3], u32),
        arrays: Vec<ArrayArg<'_>>,
        memories: Vec<MemoryArg>,
        values: Vec<(usize, Bound<'_, PyBytes>)>,
        locals: Vec<(usize, u32)>,
        images: Vec<ImageArg<'_>>,
        samplers: Vec<(usize, SamplerArg)>,
    ) -> PyResult<Vec<usize>> {
        let (global, local, offset, dimensions) = sizes;
        let range = Range { global, local, offset, dimensions };
        let mut kernel = self.all.take(py)?;
        let module = self.all.module();
        let failed = |e: quadrille::Error| module.error(py, &e);
        let mut bytes = arrays
            .iter()
            .map(|(index, array, written)| Ok((*index, Bytes::new(array, *written)?)))
            .collect::<PyResult<Vec<_>>>()?;
        let mut buffers = Vec::new();
        for (index, bytes) in &bytes {
            let contents = bytes.get()?;
            let buffer = py.detach(|| self.copied(contents)).map_err(failed)?;
            kernel.set_shared_buffer(*index, &buffer).map_err(failed)?;
            buffers.push(buffer);
        }
        for (index, memory, offset, len) in &memories {
            let buffer = self.shared(memory.get(), *offset, *len).map_err(failed)?;
            kernel.set_shared_buffer(*index, &buffer).map_err(failed)?;
        }
        for (index, value) in &values {
            kernel.set_value(*index, value.as_bytes()).map_err(failed)?;
        }
        for &(index, bytes) in &locals {
            kernel.set_local(index, bytes).map_err(failed)?;
        }
        let mut pictures = Vec::new();
        for (index, array, format, (extent, layers), written) in &images {
            let bytes = Bytes::new(array, *written)?;
            let (format, texels) = (format_of(py, format)?, bytes.get()?);
            let (extent, layers) = (*extent, *layers);
            let image = KernelImage { layers, ..KernelImage::new(format, extent, texels) };
            py.detach(|| kernel.set_image(*index, &image)).map_err(failed)?;
            pictures.push((*index, bytes));
        }
        for (index, by) in &samplers {
            kernel.set_sampler(*index, sampler_desc(py, by)?).map_err(failed)?;
        }
        let submitted = py.detach(|| kernel.submit(&range));
        let done = submitted.map_err(failed).and_then(|fence| wait(py, &fence, module.source()));
        printf::deliver(py)?;
        // After an error, work that still runs keeps its resources; this instance is not given back, so nothing
        // changes them.
        done?;
        for (index, bytes) in &mut pictures {
            if let Some(to) = bytes.get_mut()? {
                let texels = py.detach(|| kernel.read::<u8>(*index)).map_err(failed)?;
                to.copy_from_slice(&texels);
            }
        }
        let changed = copied_back(py, module, &mut bytes, &buffers)?;
        kernel.clear();
        self.all.give(kernel);
        Ok(changed)
    }
}

impl OpenClKernel {
    /// A buffer with a copy of the bytes.
    fn copied(&self, bytes: &[u8]) -> Result<Buffer> {
        let buffer = self.all.device.create_bound_buffer(desc(bytes.len()))?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// A buffer in device memory.
    fn shared(&self, memory: &Memory, offset: u64, len: usize) -> Result<Buffer> {
        let buffer = self.all.device.create_buffer(desc(len))?;
        buffer.bind(&memory.inner, offset)?;
        Ok(buffer)
    }
}

/// Copies results from buffers to the arrays whose memory may be written. Returns the numbers of the other arrays whose
/// buffers have changed.
fn copied_back(
    py: Python<'_>,
    module: &Module,
    arrays: &mut [(usize, Bytes<'_>)],
    buffers: &[Buffer],
) -> PyResult<Vec<usize>> {
    let failed = |e: quadrille::Error| module.error(py, &e);
    let mut changed = Vec::new();
    for ((index, bytes), buffer) in arrays.iter_mut().zip(buffers) {
        let (memory, at) = buffer.memory().map_err(failed)?;
        if let Some(to) = bytes.get_mut()? {
            py.detach(|| memory.read_into(at, to)).map_err(failed)?;
            continue;
        }
        let before = bytes.get()?;
        let now = py.detach(|| buffer.read::<u8>(0, before.len())).map_err(failed)?;
        if now != before {
            changed.push(*index);
        }
    }
    Ok(changed)
}

/// A buffer that kernels reach through its address.
fn desc(len: usize) -> BufferDesc {
    // Buffers consist of whole words, and an empty array also needs a buffer.
    let size = (len as u64).next_multiple_of(4).max(4);
    BufferDesc { size, usage: BufferUsage::STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS }
}

/// Type of numpy. The types of kernels have no signs; signed ones stand for both.
fn dtype(ty: Ty) -> &'static str {
    match (ty.is_float(), ty.bytes()) {
        (true, 2) => "f2",
        (true, 8) => "f8",
        (true, _) => "f4",
        (false, 1) => "i1",
        (false, 2) => "i2",
        (false, 8) => "i8",
        (false, _) => "i4",
    }
}

/// The SPIR-V of a file that another compiler handles, such as OpenCL C; None for other files.
#[pyfunction]
pub fn spirv_of(py: Python<'_>, path: PathBuf) -> PyResult<Option<Bound<'_, PyBytes>>> {
    let words = py.detach(|| quadrille_cli::spirv_of(&path)).map_err(|m| errors::invalid(py, &m))?;
    Ok(words.map(|words| PyBytes::new(py, &words)))
}
