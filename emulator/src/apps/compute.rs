//! Runs one compute shader or ray tracing pipeline on buffers, pictures and scenes that are bound by number, as
//! `quadrille run` does.
//!
//! The shaders determine the interface; see [`crate`] for devices, pipelines and command buffers.

use std::collections::BTreeMap;

use image::{DynamicImage, RgbaImage};
use quadrille_jit::ir::{self, ResourceKind, Stage};
use quadrille_jit::spirv::reflect;

use super::binding::Interface;
use super::texel;
use super::texture::{picture_of, sampler, storage, texture};
use crate::data::fit::{self, describe, kind_name};
use crate::data::pixels::{self, FloatPicture};
use crate::launch::{ScenePart, Tables, build_scene, fit_records};
use crate::{
    Aspects, BindPoint, Buffer, BufferDesc, BufferUsage, BufferViewDesc, ComputePipeline,
    ComputePipelineDesc, Device, Error, Fence, Format, Image, ImageView, RayTracingPipeline, Resource,
    Result, Sampler, ShaderStage, Submit,
};

/// Parameters for creating a [`Compute`].
#[derive(Clone, Debug)]
pub struct ComputeDesc<'a> {
    /// SPIR-V words.
    pub words: &'a [u32],
    /// Entry point; `None` selects the only compute entry point.
    pub entry: Option<&'a str>,
    /// Specialization constants as text, by id; see [`super::parse_specialization`].
    pub specialization: &'a [(u32, &'a str)],
    /// Push constants; missing bytes are zero and cause one of the [`Compute::warnings`].
    pub push: &'a [u8],
}

/// A bound resource.
enum Bound {
    Buffer(Buffer, usize),
    /// Read-only image.
    Texture(ImageView),
    Storage(Image),
    /// A scene, which the descriptor set keeps alive.
    Scene,
}

/// A ray tracing pipeline with its shader binding tables.
pub(super) struct Launch {
    pub pipeline: RayTracingPipeline,
    pub tables: Tables,
    /// The ray generation shader.
    pub raygen: ir::Shader,
    /// Number of hit group records.
    pub hit_records: usize,
}

/// A pipeline and what it needs to run.
pub(super) enum Work {
    Dispatch(ComputePipeline),
    Launch(Box<Launch>),
}

/// A compute shader or ray tracing pipeline with its bound resources.
pub struct Compute {
    device: Device,
    work: Work,
    interface: Interface,
    push: Vec<u8>,
    /// Bindings of all shaders.
    bindings: Vec<ir::Binding>,
    /// Resources by set, binding and array element.
    bound: BTreeMap<(u32, u32, u32), Bound>,
    /// Reflected descriptions of the bindings.
    resources: Vec<reflect::Resource>,
    warnings: Vec<String>,
}

/// A program before its resources are bound.
pub(super) struct Program {
    pub work: Work,
    pub interface: Interface,
    pub bindings: Vec<ir::Binding>,
    pub resources: Vec<reflect::Resource>,
    /// Size of the declared push constants, in bytes.
    pub push_size: u32,
}

impl Compute {
    /// Compiles the shader.
    ///
    /// # Errors
    /// Those of modules and pipelines; `Invalid` if there is no such entry point, or if there are more push constants
    /// than the shader declares.
    pub fn new(device: &Device, desc: &ComputeDesc<'_>) -> Result<Compute> {
        let module = device.create_shader_module(desc.words)?;
        let spec = super::parse_specialization(module.module(), desc.specialization)?;
        let entry = match desc.entry {
            Some(name) => name,
            None => module.only_entry(Stage::Compute)?,
        };
        let shader = module.module().lower(entry, Stage::Compute, &spec)?;
        if module.module().has_kernels() {
            return Err(Error::invalid(format!(
                "'{entry}' is an OpenCL kernel, which runs with arguments and a number of invocations, not with bindings \
                 and workgroups"
            )));
        }
        let reflection = reflect::reflect(module.module())?;
        let reflected =
            reflection.entry_points.into_iter().find(|e| e.name == entry && e.stage == Stage::Compute);
        let resources = reflected.map(|e| e.bindings).unwrap_or_default();
        let interface = Interface::new(device, &shader)?;
        let stage = ShaderStage { spec, ..ShaderStage::new(&module, entry) };
        let layout = interface.layout.clone();
        fit::push(desc.push.len(), shader.push_size)?;
        let work = Work::Dispatch(device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?);
        let (bindings, push_size) = (shader.bindings, shader.push_size);
        Compute::of(device, Program { work, interface, bindings, resources, push_size }, desc.push)
    }

    /// Adds push constants and samplers to a program.
    pub(super) fn of(device: &Device, program: Program, push: &[u8]) -> Result<Compute> {
        let Program { work, interface, bindings, resources, push_size } = program;
        fit::push(push.len(), push_size)?;
        let mut push = push.to_vec();
        let mut warnings = Vec::new();
        if push.len() < push_size as usize {
            let given = push.len();
            warnings.push(format!("{given} of {push_size} bytes of push constants are given: the rest is 0"));
        }
        push.resize(push_size as usize, 0);
        default_samplers(device, &interface, &bindings)?;
        let (device, bound) = (device.clone(), BTreeMap::new());
        Ok(Compute { device, work, interface, push, bindings, bound, resources, warnings })
    }

    /// Missing inputs that the shader expects.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Reads a bound buffer as the members of the shader's block, by name, if the block has members of more than one
    /// type.
    ///
    /// # Errors
    /// `Invalid` if the binding is not a buffer whose members are known; those of [`Compute::read_at`].
    #[cfg(feature = "json")]
    pub fn read_block(&self, set: u32, binding: u32, element: u32) -> Result<serde_json::Value> {
        let resource = self.resources.iter().find(|r| (r.set, r.binding) == (set, binding));
        let block = resource.and_then(|r| r.block.as_ref());
        let block = block.ok_or_else(|| {
            Error::invalid(format!("set {set}, binding {binding} is not a buffer whose members are known"))
        })?;
        crate::data::structs::decode(block, &self.read_at(set, binding, element)?)
    }

    /// The shader, with its workgroup size and bindings; of a ray tracing pipeline, the ray generation shader.
    pub fn shader(&self) -> &ir::Shader {
        match &self.work {
            Work::Dispatch(pipeline) => pipeline.shader(),
            Work::Launch(launch) => &launch.raygen,
        }
    }

    /// Returns the binding, which the shader must use.
    fn binding(&self, set: u32, binding: u32) -> Result<&ir::Binding> {
        let all = &self.bindings;
        all.iter().find(|b| (b.set, b.binding) == (set, binding)).ok_or_else(|| {
            let all: Vec<String> = all.iter().map(describe).collect();
            let there = if all.is_empty() { "nothing".into() } else { all.join("; ") };
            Error::invalid(format!("the shader does not use set {set}, binding {binding}; it uses: {there}"))
        })
    }

    /// True if the binding takes a picture and not bytes.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding.
    pub fn is_image(&self, set: u32, binding: u32) -> Result<bool> {
        use ResourceKind::*;
        Ok(matches!(self.binding(set, binding)?.kind, SampledImage | CombinedImageSampler | StorageImage))
    }

    /// Returns the binding, which must have an array element of this number.
    fn element(&self, set: u32, binding: u32, element: u32) -> Result<&ir::Binding> {
        let b = self.binding(set, binding)?;
        if b.count != 0 && element >= b.count {
            return Err(Error::invalid(format!(
                "element {element} is past the end of {}: its number of elements is {}",
                describe(b),
                b.count
            )));
        }
        Ok(b)
    }

    /// Creates a buffer with these contents and binds it to an element of a binding; `element` is 0 if the binding is
    /// not an array. Texels of a buffer have the format that the shader declares.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding, if the binding is not a buffer, or if its block is larger than
    /// the contents; those of [`Compute::bind_texels_at`].
    pub fn bind_at(&mut self, set: u32, binding: u32, element: u32, contents: &[u8]) -> Result<()> {
        if fit::takes_texels(self.binding(set, binding)?) {
            return self.bind_texels_at(set, binding, element, None, contents);
        }
        self.check_buffer(set, binding, element, contents.len())?;
        // Buffers consist of whole words, and an empty list also needs a buffer.
        let size = (contents.len() as u64).next_multiple_of(4).max(4);
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM;
        let buffer = self.device.create_bound_buffer(BufferDesc { size, usage })?;
        buffer.write(0, contents)?;
        self.bind_buffer_at(set, binding, element, &buffer, contents.len())
    }

    /// Creates a buffer of texels with these contents and binds it to an element of a binding; without a `format`, the texels
    /// have the one that the shader declares.
    ///
    /// # Errors
    /// `Invalid` if the binding does not take such texels, or if the contents are not whole texels; those of buffer views.
    pub fn bind_texels_at(
        &mut self,
        set: u32,
        binding: u32,
        element: u32,
        format: Option<Format>,
        contents: &[u8],
    ) -> Result<()> {
        let b = self.element(set, binding, element)?;
        let declared = self.resources.iter().find(|r| (r.set, r.binding) == (set, binding));
        let format = fit::texels(b, declared, format, contents.len())?;
        let size = (contents.len() as u64).next_multiple_of(4).max(4);
        let usage = BufferUsage::UNIFORM_TEXEL | BufferUsage::STORAGE_TEXEL;
        let buffer = self.device.create_bound_buffer(BufferDesc { size, usage })?;
        buffer.write(0, contents)?;
        let range = Some(contents.len() as u64);
        let view = self.device.create_buffer_view(&buffer, BufferViewDesc { format, offset: 0, range })?;
        self.interface.write_element(b, element, Resource::TexelBuffer(&view))?;
        self.bound.insert((set, binding, element), Bound::Buffer(buffer, contents.len()));
        Ok(())
    }

    /// Binds the first `len` bytes of a buffer to an element of a binding. Shaders access the buffer directly, without
    /// a copy.
    ///
    /// # Errors
    /// Those of [`Compute::bind_at`]; `Invalid` if the buffer is shorter than `len` or lacks the required usage.
    pub fn bind_buffer_at(
        &mut self,
        set: u32,
        binding: u32,
        element: u32,
        buffer: &Buffer,
        len: usize,
    ) -> Result<()> {
        let b = self.check_buffer(set, binding, element, len)?;
        let range = Some((len as u64).max(1));
        self.interface.write_element(b, element, Resource::Buffer { buffer, offset: 0, range })?;
        self.bound.insert((set, binding, element), Bound::Buffer(buffer.clone(), len));
        Ok(())
    }

    /// Returns the binding if it takes a buffer of `len` bytes.
    fn check_buffer(&self, set: u32, binding: u32, element: u32, len: usize) -> Result<&ir::Binding> {
        let b = self.element(set, binding, element)?;
        fit::buffer(b, len as u64)?;
        Ok(b)
    }

    /// Binds an image view to an element of a binding, with the sampler for a combined image sampler (`None`: repeat
    /// and linear filter). Storage images are read back from level 0 of the view's image.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding or if it is not an image; those of descriptor sets.
    pub fn bind_view_at(
        &mut self,
        set: u32,
        binding: u32,
        element: u32,
        view: &ImageView,
        by: Option<Sampler>,
    ) -> Result<()> {
        let b = self.element(set, binding, element)?;
        let bound = match b.kind {
            ResourceKind::StorageImage => Bound::Storage(view.image().clone()),
            ResourceKind::SampledImage | ResourceKind::CombinedImageSampler => Bound::Texture(view.clone()),
            kind => {
                let what = format!("an image for the {} at {}", kind_name(kind), describe(b));
                return Err(Error::invalid(what));
            }
        };
        if b.kind == ResourceKind::CombinedImageSampler {
            let by = by.map_or_else(|| sampler(&self.device), Ok)?;
            self.interface.write_element(b, element, Resource::Combined(view, &by))?;
        } else {
            self.interface.write_element(b, element, Resource::Image(view))?;
        }
        self.bound.insert((set, binding, element), bound);
        Ok(())
    }

    /// Binds a sampler to an element of a separate sampler binding.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding or if it is not a separate sampler.
    pub fn bind_sampler_at(&mut self, set: u32, binding: u32, element: u32, by: Sampler) -> Result<()> {
        let b = self.element(set, binding, element)?;
        if b.kind != ResourceKind::Sampler {
            let what = format!("a sampler for the {} at {}", kind_name(b.kind), describe(b));
            return Err(Error::invalid(what));
        }
        self.interface.write_element(b, element, Resource::Sampler(&by))
    }

    /// Returns the format that the shader declares for a storage image; `None` if it declares none or the binding is
    /// not an image.
    ///
    /// # Errors
    /// `Unsupported` for a format that Quadrille's images do not have.
    pub fn declared_format(&self, set: u32, binding: u32) -> Result<Option<Format>> {
        let resource = self.resources.iter().find(|r| (r.set, r.binding) == (set, binding));
        fit::declared_format(resource.map_or("", |r| r.format.as_str()))
    }

    /// Reflected descriptions of the module's bindings.
    pub fn resources(&self) -> &[reflect::Resource] {
        &self.resources
    }

    /// Sets the push constants for later dispatches; missing bytes are zero.
    ///
    /// # Errors
    /// `Invalid` if there are more bytes than the shader declares.
    pub fn set_push(&mut self, push: &[u8]) -> Result<()> {
        fit::push(push.len(), self.push.len() as u32)?;
        self.push.fill(0);
        self.push[..push.len()].copy_from_slice(push);
        Ok(())
    }

    /// Creates an image from this picture and binds it to an element of a binding. Storage images have one level and
    /// the format that the shader declares (`R8G8B8A8_UNORM` if none). Sampled images have all levels and a float
    /// format if the picture has floats.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding or if it is not an image.
    pub fn bind_picture_at(
        &mut self,
        set: u32,
        binding: u32,
        element: u32,
        picture: &DynamicImage,
    ) -> Result<()> {
        let b = self.element(set, binding, element)?;
        let bound = match b.kind {
            ResourceKind::StorageImage => {
                let declared = self.resources.iter().find(|r| (r.set, r.binding) == (set, binding));
                let format = texel::format(declared.map_or("", |r| r.format.as_str()))?;
                let (image, view) = storage(&self.device, picture, format)?;
                self.interface.write_element(b, element, Resource::Image(&view))?;
                Bound::Storage(image)
            }
            ResourceKind::SampledImage => {
                let view = texture(&self.device, picture, false)?;
                self.interface.write_element(b, element, Resource::Image(&view))?;
                Bound::Texture(view)
            }
            ResourceKind::CombinedImageSampler => {
                let view = texture(&self.device, picture, false)?;
                let combined = Resource::Combined(&view, &sampler(&self.device)?);
                self.interface.write_element(b, element, combined)?;
                Bound::Texture(view)
            }
            kind => {
                return Err(Error::invalid(format!(
                    "a picture for the {} at {}",
                    kind_name(kind),
                    describe(b)
                )));
            }
        };
        self.bound.insert((set, binding, element), bound);
        Ok(())
    }

    /// Returns the format and the size of a bound storage image.
    ///
    /// # Errors
    /// `Invalid` if the binding is not a storage image.
    pub fn storage_at(&self, set: u32, binding: u32, element: u32) -> Result<(Format, (u32, u32))> {
        let Some(Bound::Storage(image)) = self.bound.get(&(set, binding, element)) else {
            return Err(no_storage(set, binding));
        };
        let [width, height, _] = image.desc().extent;
        Ok((image.desc().format, (width, height)))
    }

    /// Reads a bound storage image as floats, without clamping.
    ///
    /// # Errors
    /// `Invalid` if no storage image is bound there, or if its format is an integer format. `OutOfMemory` if the host
    /// lacks memory for the texels.
    pub fn read_floats_at(&self, set: u32, binding: u32, element: u32) -> Result<FloatPicture> {
        let (format, size) = self.storage_at(set, binding, element)?;
        FloatPicture::of_texels(size, format, &self.read_at(set, binding, element)?)
    }

    /// Number of components of a bound storage image that a picture of 8 bits does not hold: floats outside 0 to 1, NaN, and
    /// integers outside 0 to 255.
    ///
    /// # Errors
    /// Those of [`Compute::storage_at`]. `OutOfMemory` if the host lacks memory for the texels.
    pub fn beyond_8_bits_at(&self, set: u32, binding: u32, element: u32) -> Result<usize> {
        let (format, size) = self.storage_at(set, binding, element)?;
        let texels = self.read_at(set, binding, element)?;
        let floats = FloatPicture::of_texels(size, format, &texels);
        let floats = floats.map_or(0, |floats| floats.beyond_8_bits());
        Ok(floats + texel::integers_beyond_8_bits(&texels, format))
    }

    /// Reads a bound storage image as a NumPy file: an array of height, width and components; for a 3D image of several
    /// slices, of depth, height, width and components. Only layer 0 of array images is read.
    ///
    /// # Errors
    /// Those of [`Compute::storage_at`]. `Unsupported` for a format whose components are not whole bytes, `OutOfMemory`
    /// if the host lacks memory for the file.
    pub fn read_npy_at(&self, set: u32, binding: u32, element: u32) -> Result<Vec<u8>> {
        let Some(Bound::Storage(image)) = self.bound.get(&(set, binding, element)) else {
            return Err(no_storage(set, binding));
        };
        let (kind, components) = texel::components(image.desc().format)?;
        let [width, height, depth] = image.desc().extent.map(|n| n as usize);
        let shape = [depth, height, width, components];
        let shape = &shape[usize::from(depth == 1)..4 - usize::from(components == 1)];
        pixels::npy(kind, shape, &self.read_at(set, binding, element)?)
    }

    /// Calls [`Compute::bind_at`] for element 0, and fails like it.
    pub fn bind(&mut self, set: u32, binding: u32, contents: &[u8]) -> Result<()> {
        self.bind_at(set, binding, 0, contents)
    }

    /// Calls [`Compute::bind_picture_at`] for element 0, and fails like it.
    pub fn bind_picture(&mut self, set: u32, binding: u32, picture: &DynamicImage) -> Result<()> {
        self.bind_picture_at(set, binding, 0, picture)
    }

    /// Calls [`Compute::read_at`] for element 0, and fails like it.
    pub fn read(&self, set: u32, binding: u32) -> Result<Vec<u8>> {
        self.read_at(set, binding, 0)
    }

    /// Calls [`Compute::read_picture_at`] for element 0, and fails like it.
    pub fn read_picture(&self, set: u32, binding: u32) -> Result<RgbaImage> {
        self.read_picture_at(set, binding, 0)
    }

    /// Unbinds all resources, which are no longer kept alive; separate samplers have their default again.
    ///
    /// # Errors
    /// Those of descriptor sets.
    pub fn unbind(&mut self) -> Result<()> {
        self.bound.clear();
        self.interface.clear(&self.device)?;
        default_samplers(&self.device, &self.interface, &self.bindings)
    }

    /// Bindings that the shader uses and that have nothing bound. Samplers are never among them, because they have a
    /// default.
    pub fn unbound(&self) -> impl Iterator<Item = &ir::Binding> {
        let free = |b: &&ir::Binding| {
            let mut elements = self.bound.range((b.set, b.binding, 0)..=(b.set, b.binding, u32::MAX));
            b.kind != ResourceKind::Sampler && elements.next().is_none()
        };
        self.bindings.iter().filter(free)
    }

    /// True if the binding takes a scene and not bytes.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding.
    pub fn is_scene(&self, set: u32, binding: u32) -> Result<bool> {
        Ok(self.binding(set, binding)?.kind == ResourceKind::AccelerationStructure)
    }

    /// Builds acceleration structures of a scene and binds them to an element of a binding.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding or if it is not an acceleration structure; if a part of the scene
    /// of a ray tracing pipeline has no hit group record; those of builds.
    pub fn bind_scene_at(&mut self, set: u32, binding: u32, element: u32, parts: &[ScenePart]) -> Result<()> {
        let b = self.element(set, binding, element)?;
        if b.kind != ResourceKind::AccelerationStructure {
            return Err(Error::invalid(format!("a scene for the {} at {}", kind_name(b.kind), describe(b))));
        }
        if let Work::Launch(launch) = &self.work {
            fit_records(parts, launch.hit_records)?;
        }
        let structure = build_scene(&self.device, parts)?;
        self.interface.write_element(b, element, Resource::Structure(&structure))?;
        self.bound.insert((set, binding, element), Bound::Scene);
        Ok(())
    }

    /// Runs the shader with this number of workgroups, or the ray tracing pipeline with this size, and waits until it
    /// has finished.
    ///
    /// # Errors
    /// Those of [`Compute::submit`], and of [`Queue::run`](crate::Queue::run): a shader that does not end loses the
    /// device.
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<()> {
        self.submit(groups)?.wait(None).map(|_| ())
    }

    /// Submits what [`Compute::dispatch`] runs; the fence is signaled when it has finished. Until then the caller must
    /// not modify the bound resources.
    ///
    /// # Errors
    /// `Limit` for more workgroups or a larger trace than [`Limits`](crate::Limits) allow; those of
    /// [`Queue::submit`](crate::Queue::submit).
    pub fn submit(&mut self, groups: [u32; 3]) -> Result<Fence> {
        let mut commands = self.device.create_command_buffer();
        match &self.work {
            Work::Dispatch(pipeline) => {
                commands.bind_compute_pipeline(pipeline);
                self.interface.bind(&mut commands, BindPoint::Compute);
                let [x, y, z] = groups;
                commands.push_constants(0, &self.push).dispatch(x, y, z);
            }
            Work::Launch(launch) => {
                commands.bind_ray_tracing_pipeline(&launch.pipeline);
                self.interface.bind(&mut commands, BindPoint::RayTracing);
                commands.push_constants(0, &self.push).trace_rays(&launch.tables.tables, groups);
            }
        }
        commands.end()?;
        let fence = self.device.create_fence(false);
        self.device
            .queue()
            .submit(&[Submit { commands: &[&commands], ..Submit::default() }], Some(&fence))?;
        Ok(fence)
    }

    /// Array size of a binding: 1 if it is not an array, 0 for a runtime-sized array.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding.
    pub fn elements(&self, set: u32, binding: u32) -> Result<u32> {
        Ok(self.binding(set, binding)?.count)
    }

    /// Reads a bound buffer, or the texels of a bound image in the layout of its format.
    ///
    /// # Errors
    /// `Invalid` if nothing is bound there, or a scene. `OutOfMemory` if the host lacks memory for the bytes.
    pub fn read_at(&self, set: u32, binding: u32, element: u32) -> Result<Vec<u8>> {
        match self.bound.get(&(set, binding, element)) {
            Some(Bound::Buffer(buffer, len)) => buffer.read(0, *len),
            Some(Bound::Storage(image)) => image.read_level(Aspects::COLOR, 0),
            Some(Bound::Texture(view)) => view.image().read_level(Aspects::COLOR, 0),
            Some(Bound::Scene) => {
                Err(Error::invalid(format!("set {set}, binding {binding} is a scene, which has no bytes")))
            }
            None => Err(nothing_bound(set, binding, element)),
        }
    }

    /// Reads the pixels of a bound image; of array images, those of layer 0.
    ///
    /// # Errors
    /// `Invalid` if nothing is bound there, or a buffer or a scene, or a 3D image of several slices. `Unsupported` for a format whose components are not
    /// whole bytes, `OutOfMemory` if the host lacks memory for the pixels.
    pub fn read_picture_at(&self, set: u32, binding: u32, element: u32) -> Result<RgbaImage> {
        match self.bound.get(&(set, binding, element)) {
            Some(Bound::Storage(image)) => picture_of(image),
            Some(Bound::Texture(view)) => picture_of(view.image()),
            Some(Bound::Buffer(..) | Bound::Scene) => {
                Err(Error::invalid(format!("set {set}, binding {binding} is not an image")))
            }
            None => Err(nothing_bound(set, binding, element)),
        }
    }
}

/// Writes the default to every separate sampler.
fn default_samplers(device: &Device, interface: &Interface, bindings: &[ir::Binding]) -> Result<()> {
    let sampler = sampler(device)?;
    let mut separate = bindings.iter().filter(|b| b.kind == ResourceKind::Sampler);
    separate.try_for_each(|b| interface.write(b, Resource::Sampler(&sampler)))
}

fn no_storage(set: u32, binding: u32) -> Error {
    Error::invalid(format!("set {set}, binding {binding} has no bound storage image"))
}

fn nothing_bound(set: u32, binding: u32, element: u32) -> Error {
    Error::invalid(format!("nothing is bound to set {set}, binding {binding}, element {element}"))
}
