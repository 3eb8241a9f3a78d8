//! Runs a compute shader on arrays.
//!
//! Arrays arrive as flat bytes, which the Python code has checked to be contiguous. Arrays in device memory are bound
//! directly. Others are copied to the device before the shader runs, and back if the shader writes to them.

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1, PyReadwriteArray1};
use pyo3::prelude::*;
use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::apps::kind_name;
use quadrille::ir::ResourceKind;
use quadrille::{
    Aspects, Buffer, BufferDesc, BufferUsage, FORMATS, Format, Image, ImageDesc, ImageType, ImageUsage,
    ImageView, ImageViewDesc, Result, ViewDim,
};

use crate::device::{Device, Memory};
use crate::errors;
use crate::instances::{Instances, Program};
use crate::module::Module;
use crate::picture::{SamplerArg, sampler_desc};
use crate::printf;
use crate::wait::wait;

/// Set, binding, element.
type Slot = (u32, u32, u32);

/// A copied array; the flag is true if the shader writes to it.
type BufferArg<'py> = (Slot, Bound<'py, PyArray1<u8>>, bool);
/// Device memory: offset of the first byte, and number of bytes.
type MemoryArg = (Slot, Py<Memory>, u64, usize);
/// Dimensionality; width, height and depth; layers; levels.
type ShapeArg = (String, [u32; 3], u32, u32);
/// An array of texels, ordered by level and then layer: format, shape, written flag, sampler.
type ImageArg<'py> = (Slot, Bound<'py, PyArray1<u8>>, String, ShapeArg, bool, Option<SamplerArg>);

/// Borrowed bytes of an array, for reading or for exclusive writing.
pub enum Bytes<'py> {
    Read(PyReadonlyArray1<'py, u8>),
    Write(PyReadwriteArray1<'py, u8>),
}

impl<'py> Bytes<'py> {
    pub fn new(array: &Bound<'py, PyArray1<u8>>, written: bool) -> PyResult<Self> {
        let shared = |e: &dyn std::fmt::Display| {
            let message = format!("an array that the shader writes to: {e} (is it bound twice?)");
            errors::invalid(array.py(), &message)
        };
        Ok(match written {
            true => Bytes::Write(array.try_readwrite().map_err(|e| shared(&e))?),
            false => Bytes::Read(array.try_readonly().map_err(|e| shared(&e))?),
        })
    }

    pub fn get(&self) -> PyResult<&[u8]> {
        Ok(match self {
            Bytes::Read(array) => array.as_slice()?,
            Bytes::Write(array) => array.as_slice()?,
        })
    }

    /// Returns the destination of the shader's output; None for a read-only array.
    pub fn get_mut(&mut self) -> PyResult<Option<&mut [u8]>> {
        match self {
            Bytes::Read(_) => Ok(None),
            Bytes::Write(array) => Ok(Some(array.as_slice_mut()?)),
        }
    }
}

/// A compute shader of a module, compiled for a device.
#[pyclass(frozen, module = "quadrille._quadrille")]
pub struct Kernel {
    all: Instances<Compute>,
}

fn create(device: &quadrille::Device, program: Program<'_>) -> Result<Compute> {
    let Program { words, entry, specialization } = program;
    Compute::new(device, &ComputeDesc { words, entry, specialization, push: &[] })
}

/// Set, binding, kind, count, name, smallest size in bytes, written flag, type, declared format.
type BindingRow = (u32, u32, &'static str, u32, String, u32, bool, String, Option<&'static str>);

#[pymethods]
impl Kernel {
    #[new]
    fn new(
        py: Python<'_>,
        device: &Device,
        module: Py<Module>,
        entry: Option<String>,
        spec: Vec<(u32, String)>,
    ) -> PyResult<Self> {
        Ok(Kernel { all: Instances::new(py, device, module, entry, spec, create)? })
    }

    /// Size of a workgroup in invocations.
    #[getter]
    fn local_size(&self, py: Python<'_>) -> PyResult<[u32; 3]> {
        self.all.with(py, |compute| Ok(compute.shader().local_size))
    }

    /// Size of the push constants, in bytes.
    #[getter]
    fn push_size(&self, py: Python<'_>) -> PyResult<u32> {
        self.all.with(py, |compute| Ok(compute.shader().push_size))
    }

    /// Resources that must be bound.
    fn bindings(&self, py: Python<'_>) -> PyResult<Vec<BindingRow>> {
        self.all.with(py, |compute| {
            let row = |b: &quadrille::ir::Binding| -> Result<BindingRow> {
                let known = compute.resources().iter().find(|r| (r.set, r.binding) == (b.set, b.binding));
                let ty = known.map(|r| r.ty.clone()).unwrap_or_default();
                let format = compute.declared_format(b.set, b.binding)?.map(Format::name);
                // naga names the resource variable; glslang may name the block instead.
                let name = match known {
                    Some(r) if b.name.is_empty() => r.name.clone(),
                    _ => b.name.clone(),
                };
                Ok((b.set, b.binding, kind_name(b.kind), b.count, name, b.size, b.written, ty, format))
            };
            compute.shader().bindings.iter().map(row).collect()
        })
    }

    /// Runs workgroups with the given resources.
    fn run(
        &self,
        py: Python<'_>,
        groups: [u32; 3],
        buffers: Vec<BufferArg<'_>>,
        memories: Vec<MemoryArg>,
        images: Vec<ImageArg<'_>>,
        samplers: Vec<(Slot, SamplerArg)>,
        push: Vec<u8>,
    ) -> PyResult<()> {
        let mut compute = self.all.take(py)?;
        let module = self.all.module();
        let failed = |e: quadrille::Error| module.error(py, &e);
        compute.set_push(&push).map_err(failed)?;

        let mut arrays = buffers
            .iter()
            .map(|(slot, array, written)| Ok((*slot, Bytes::new(array, *written)?)))
            .collect::<PyResult<Vec<_>>>()?;
        let contents = arrays.iter().map(|(slot, b)| Ok((*slot, b.get()?))).collect::<PyResult<Vec<_>>>()?;
        let bound = py.detach(|| -> Result<Vec<Buffer>> {
            contents.iter().map(|(slot, bytes)| self.bind_copy(&mut compute, *slot, bytes)).collect()
        });
        let bound = bound.map_err(failed)?;
        for ((set, binding, element), memory, offset, len) in &memories {
            self.bind_memory(&mut compute, (*set, *binding, *element), memory.get(), *offset, *len)
                .map_err(failed)?;
        }
        let mut pictures = Vec::new();
        for ((set, binding, element), array, format, shape, written, by) in &images {
            let bytes = Bytes::new(array, *written)?;
            let usage = if self.is_storage(&compute, *set, *binding) {
                ImageUsage::STORAGE
            } else {
                ImageUsage::SAMPLED
            };
            let format = format_of(py, format)?;
            let (image, view) = self.image(format, shape, usage, bytes.get()?).map_err(failed)?;
            let by = by.as_ref().map(|by| sampler_desc(py, by)).transpose()?;
            let by = by.map(|by| self.all.device.create_sampler(by)).transpose().map_err(failed)?;
            compute.bind_view_at(*set, *binding, *element, &view, by).map_err(failed)?;
            pictures.push((image, bytes));
        }
        for ((set, binding, element), by) in &samplers {
            let by = self.all.device.create_sampler(sampler_desc(py, by)?).map_err(failed)?;
            compute.bind_sampler_at(*set, *binding, *element, by).map_err(failed)?;
        }

        let submitted = py.detach(|| compute.submit(groups));
        let done = submitted.map_err(failed).and_then(|fence| wait(py, &fence, module.source()));
        printf::deliver(py)?;
        // After an error, work that still runs keeps its resources; this instance is not given back, so nothing
        // changes them.
        done?;
        for ((_, bytes), buffer) in arrays.iter_mut().zip(&bound) {
            if let Some(to) = bytes.get_mut()? {
                let (memory, offset) = buffer.memory().map_err(failed)?;
                py.detach(|| memory.read_into(offset, to)).map_err(failed)?;
            }
        }
        for (image, bytes) in &mut pictures {
            if let Some(to) = bytes.get_mut()? {
                py.detach(|| read_texels(image, to)).map_err(failed)?;
            }
        }
        compute.unbind().map_err(failed)?;
        self.all.give(compute);
        Ok(())
    }
}

impl Kernel {
    fn is_storage(&self, compute: &Compute, set: u32, binding: u32) -> bool {
        let mut all = compute.shader().bindings.iter();
        all.any(|b| (b.set, b.binding) == (set, binding) && b.kind == ResourceKind::StorageImage)
    }

    /// Binds a buffer with a copy of the bytes.
    fn bind_copy(
        &self,
        compute: &mut Compute,
        (set, binding, element): Slot,
        bytes: &[u8],
    ) -> Result<Buffer> {
        // Buffers consist of whole words, and an empty array also needs a buffer.
        let size = (bytes.len() as u64).next_multiple_of(4).max(4);
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM;
        let buffer = self.all.device.create_bound_buffer(BufferDesc { size, usage })?;
        compute.bind_buffer_at(set, binding, element, &buffer, bytes.len())?;
        buffer.write(0, bytes)?;
        Ok(buffer)
    }

    /// Binds device memory as a buffer.
    fn bind_memory(
        &self,
        compute: &mut Compute,
        (set, binding, element): Slot,
        memory: &Memory,
        offset: u64,
        len: usize,
    ) -> Result<()> {
        let size = (len as u64).next_multiple_of(4).max(4);
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM;
        let buffer = self.all.device.create_buffer(BufferDesc { size, usage })?;
        buffer.bind(&memory.inner, offset)?;
        compute.bind_buffer_at(set, binding, element, &buffer, len)
    }

    /// Creates an image with these texels, and a view of the whole image.
    fn image(
        &self,
        format: Format,
        (dim, extent, layers, levels): &ShapeArg,
        usage: ImageUsage,
        texels: &[u8],
    ) -> Result<(Image, ImageView)> {
        let (extent, layers, levels) = (*extent, *layers, *levels);
        let [width, height, _] = extent;
        let (image_type, dim) = match dim.as_str() {
            "1D" => (ImageType::D1, ViewDim::D1),
            "1DArray" => (ImageType::D1, ViewDim::D1Array),
            "2DArray" => (ImageType::D2, ViewDim::D2Array),
            "3D" => (ImageType::D3, ViewDim::D3),
            "Cube" => (ImageType::D2, ViewDim::Cube),
            "CubeArray" => (ImageType::D2, ViewDim::CubeArray),
            _ => (ImageType::D2, ViewDim::D2),
        };
        let desc = ImageDesc::new_2d(format, width, height, usage);
        let desc = ImageDesc { image_type, extent, layers, levels, ..desc };
        let image = self.all.device.create_bound_image(desc)?;
        image.keep_zeros();
        let mut rest = texels;
        for (level, layer) in subresources(&image) {
            let size = bytes_of(&image, level)?.min(rest.len());
            let (bytes, after) = rest.split_at(size);
            image.write_layer(Aspects::COLOR, level, layer, bytes)?;
            rest = after;
        }
        let view = ImageViewDesc { dim, layers, levels, ..ImageViewDesc::new_2d(format) };
        let view = self.all.device.create_image_view(&image, view)?;
        Ok((image, view))
    }
}

/// Yields all subresources, ordered by level and then layer.
fn subresources(image: &Image) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (levels, layers) = (image.desc().levels, image.desc().layers);
    (0..levels).flat_map(move |level| (0..layers).map(move |layer| (level, layer)))
}

/// Size of one layer of a level, in bytes.
fn bytes_of(image: &Image, level: u32) -> Result<usize> {
    let s = image.subresource(Aspects::COLOR, level, 0)?;
    let sides = s.blocks().into_iter().map(|side| side as usize);
    Ok(sides.fold(s.format.bytes() as usize, usize::saturating_mul))
}

/// Reads all texels in the order of `subresources`.
fn read_texels(image: &Image, to: &mut [u8]) -> Result<()> {
    let mut rest = to;
    for (level, layer) in subresources(image) {
        let bytes = image.read_layer(Aspects::COLOR, level, layer)?;
        let (here, after) = rest.split_at_mut(bytes.len().min(rest.len()));
        here.copy_from_slice(&bytes[..here.len()]);
        rest = after;
    }
    Ok(())
}

/// Returns the format with this Vulkan name, without `VK_FORMAT_`.
pub fn format_of(py: Python<'_>, name: &str) -> PyResult<Format> {
    let row = FORMATS.iter().find(|row| row.name == name);
    row.map(|row| row.format).ok_or_else(|| errors::invalid(py, &format!("there is no format {name}")))
}
