//! Runs shader tests: reflection to layouts, data to resources, and back.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytemuck::Pod;
use quadrille_jit::ir::{self, ResourceKind, Stage};
use quadrille_jit::reserve;
use quadrille_jit::spirv::reflect;
use quadrille_raster::format::{Aspects, Format};
use quadrille_raster::image::ImageType;
use quadrille_raster::sampling::ViewDim;
use quadrille_raster::state::{CullMode, DepthState, Rect};
use serde::de::DeserializeOwned;

use super::source::Code;
use super::{Bound, Picture, ShaderTest, SpecValue, TestImage, assertions, unbound};
use crate::data::{fit, structs, typed};
use crate::descriptor::{DescriptorBinding, DescriptorKind, DescriptorSet, Resource};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::pipeline::{ComputePipelineDesc, GraphicsPipelineDesc};
use crate::pipeline_layout::PipelineLayout;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::shader::{ShaderModule, ShaderStage};
use crate::{Buffer, BufferDesc, BufferViewDesc, Image, ImageDesc, ImageViewDesc, Memory};

/// A finished run of a [`ShaderTest`].
#[derive(Debug, Default)]
pub struct TestRun {
    /// With the bytes that were bound, of which an empty buffer has one more.
    buffers: BTreeMap<(u32, u32, u32), (Buffer, usize)>,
    images: BTreeMap<(u32, u32, u32), Image>,
    target: Option<Image>,
    /// Modules that were run.
    modules: Vec<ShaderModule>,
    /// What assertions wrote, if shaders have any.
    assertions: Option<Buffer>,
    pub(super) printed: Vec<String>,
}

impl TestRun {
    /// Contents of a buffer. `Invalid` if they are no whole number of values.
    pub fn read<T: Pod>(&self, set: u32, binding: u32) -> Result<Vec<T>> {
        self.read_at(set, binding, 0)
    }

    /// Contents of an element of an array of buffers. `Invalid` if they are no whole number of values.
    pub fn read_at<T: Pod>(&self, set: u32, binding: u32, element: u32) -> Result<Vec<T>> {
        let buffer = self.buffers.get(&(set, binding, element));
        let (buffer, bytes) = buffer.ok_or_else(|| unbound(set, binding))?;
        let one = size_of::<T>().max(1);
        ensure(bytes.is_multiple_of(one), || {
            let ty = std::any::type_name::<T>();
            format!(
                "{bytes} bytes at set {set}, binding {binding} are no whole number of {ty}, of {one} bytes each"
            )
        })?;
        buffer.read(0, bytes / one)
    }

    /// Contents of a buffer as the shader's block lays them out, by the names of its members: the offsets and strides
    /// of std140, std430, scalar or WGSL's layout are the shader's business.
    ///
    /// ```
    /// use quadrille::ShaderTest;
    /// #[derive(serde::Deserialize, Debug, PartialEq)]
    /// struct Light { position: [f32; 3], on: u32 }
    /// let source = "
    ///     struct Light { position: vec3f, on: u32 }
    ///     @group(0) @binding(0) var<storage, read_write> lights: array<Light>;
    ///     @compute @workgroup_size(2)
    ///     fn main(@builtin(global_invocation_id) id: vec3u) { lights[id.x] = Light(vec3f(id), 1u); }";
    /// let run = ShaderTest::wgsl(source)?.bind_zeros::<u8>(0, 0, 32).dispatch([1, 1, 1])?;
    /// let lights: Vec<Light> = run.read_block(0, 0)?;
    /// assert_eq!(lights[1], Light { position: [1.0, 0.0, 0.0], on: 1 });
    /// # Ok::<(), quadrille::Error>(())
    /// ```
    pub fn read_block<T: DeserializeOwned>(&self, set: u32, binding: u32) -> Result<T> {
        typed::from_value(&self.read_json(set, binding)?)
    }

    /// As [`read_block`](Self::read_block), as JSON; floats that JSON has no number for are strings.
    pub fn read_json(&self, set: u32, binding: u32) -> Result<serde_json::Value> {
        let bytes = self.read::<u8>(set, binding)?;
        for module in &self.modules {
            let reflection = reflect::reflect(module.module())?;
            let mut all = reflection.entry_points.into_iter().flat_map(|e| e.bindings);
            let found = all.find(|r| (r.set, r.binding) == (set, binding)).and_then(|r| r.block);
            if let Some(block) = found {
                return structs::decode(&block, &bytes);
            }
        }
        Err(Error::invalid(format!("set {set}, binding {binding} is no buffer whose members are known")))
    }

    /// What the shaders printed by `debugPrintfEXT`, in the order of their invocations.
    pub fn printed(&self) -> &[String] {
        &self.printed
    }

    /// `Invalid` if an assertion of a shader failed.
    pub(super) fn check_assertions(&self, codes: &[&Code]) -> Result<()> {
        let Some(buffer) = &self.assertions else { return Ok(()) };
        let asserts = |code: &&&Code| code.text.contains("quadrille_assert") || code.text.contains("ASSERT");
        let code = codes.iter().find(asserts).or(codes.first());
        let (file, text) = code.map_or(("", ""), |c| (&c.file, &c.text));
        assertions::check(&buffer.read_all::<u32>()?, file, text)
    }

    /// Texels of an image, in the order of [`TestImage::texels`].
    pub fn read_image<T: Pod>(&self, set: u32, binding: u32) -> Result<Vec<T>> {
        texels(self.images.get(&(set, binding, 0)).ok_or_else(|| unbound(set, binding))?)
    }

    /// Texels of an element of an array of images.
    pub fn read_image_at<T: Pod>(&self, set: u32, binding: u32, element: u32) -> Result<Vec<T>> {
        texels(self.images.get(&(set, binding, element)).ok_or_else(|| unbound(set, binding))?)
    }

    /// Texels of the picture that was drawn, as its format lays them out.
    pub fn read_target<T: Pod>(&self) -> Result<Vec<T>> {
        texels(self.drawn()?)
    }

    /// The picture that was drawn; components of other formats are converted to 8 bits.
    pub fn picture(&self) -> Result<Picture> {
        to_picture(self.drawn()?)
    }

    /// An image that was bound, as a picture.
    pub fn image_picture(&self, set: u32, binding: u32) -> Result<Picture> {
        to_picture(self.images.get(&(set, binding, 0)).ok_or_else(|| unbound(set, binding))?)
    }

    fn drawn(&self) -> Result<&Image> {
        self.target.as_ref().ok_or_else(|| Error::invalid("a dispatch draws no picture"))
    }
}

fn texels<T: Pod>(image: &Image) -> Result<Vec<T>> {
    let mut bytes = Vec::new();
    each_row(image, |memory, at, row| {
        let start = bytes.len();
        reserve::grow(&mut bytes, row)?;
        bytes.resize(start + row, 0);
        memory.read_into(at, &mut bytes[start..])
    })?;
    let count = bytes.len() / size_of::<T>().max(1);
    let mut out: Vec<T> = reserve::zeroed(count)?;
    let to: &mut [u8] = bytemuck::cast_slice_mut(&mut out);
    let n = to.len();
    to.copy_from_slice(&bytes[..n]);
    Ok(out)
}

fn to_picture(image: &Image) -> Result<Picture> {
    let [width, height, _] = image.desc().extent;
    let bytes = image.read_level(Aspects::COLOR, 0)?;
    let format = image.format();
    let same = matches!(format, Format::R8G8B8A8_UNORM | Format::R8G8B8A8_SRGB);
    if same {
        return Picture::from_bytes(width, height, &bytes);
    }
    let n = format.bytes() as usize;
    let to_u8 = |bits: u32| match format.is_integer() {
        true => bits.min(255) as u8,
        false => (f32::from_bits(bits).clamp(0.0, 1.0) * 255.0 + 0.5) as u8,
    };
    let pixels = bytes.chunks_exact(n).map(|texel| format.unpack(texel).map(to_u8)).collect();
    Ok(Picture { width, height, pixels })
}

/// Everything bound, as resources.
struct Resources {
    layout: PipelineLayout,
    sets: Vec<DescriptorSet>,
    run: TestRun,
}

/// A stage with what it is made of.
struct Part {
    stage: ShaderStage,
    kind: Stage,
    shader: Arc<ir::Shader>,
}

/// Makes layouts of what the shaders use and fills sets with what the test binds.
fn resources(device: &Device, test: &ShaderTest, parts: &[&Part]) -> Result<Resources> {
    let mut used: BTreeMap<(u32, u32), &ir::Binding> = BTreeMap::new();
    for binding in parts.iter().flat_map(|p| &p.shader.bindings) {
        used.insert((binding.set, binding.binding), binding);
    }
    for &(set, binding, _) in test.bound.keys() {
        ensure(used.contains_key(&(set, binding)), || {
            format!("the shader does not use set {set}, binding {binding}")
        })?;
    }
    let declared = parts.iter().map(|p| p.shader.push_size).max().unwrap_or(0);
    if !test.loose {
        fit::push(test.push.len(), declared)?;
    }
    let n_sets = used.keys().map(|k| k.0.saturating_add(1)).max().unwrap_or(0);
    let n_sets = n_sets.min(device.limits().max_bound_descriptor_sets + 1);
    let mut layouts = Vec::new();
    for number in 0..n_sets {
        let of_set = used.values().filter(|b| b.set == number);
        let bindings: Vec<_> = of_set
            .map(|b| DescriptorBinding {
                // Arrays without a size have what is bound.
                count: match elements(test, b).next_back() {
                    Some((last, _)) if b.count == 0 => last + 1,
                    _ => b.count.max(1),
                },
                ..DescriptorBinding::new(b.binding, DescriptorKind::of(b.kind))
            })
            .collect();
        layouts.push(device.create_descriptor_set_layout(&bindings)?);
    }
    let layout = device.create_pipeline_layout(&layouts, declared.max(test.push.len() as u32))?;
    let sets = layouts.iter().map(|l| device.create_descriptor_set(l)).collect::<Result<Vec<_>>>()?;
    let modules = parts.iter().map(|p| p.stage.module.clone()).collect();
    let mut filled = Filled {
        device,
        declared: declared_images(test, parts)?,
        loose: test.loose,
        run: TestRun { modules, ..TestRun::default() },
    };
    for used in used.values() {
        let set = &sets[used.set as usize];
        let mut any = false;
        for (element, bound) in elements(test, used) {
            any = true;
            filled.fill(set, used, element, bound)?;
        }
        if !any && assertions::is_buffer(used) {
            let usage = BufferUsage::STORAGE;
            let buffer = device.create_bound_buffer(BufferDesc { size: assertions::BYTES, usage })?;
            set.write(used.binding, 0, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
            filled.run.assertions = Some(buffer);
            continue;
        }
        ensure(any, || format!("nothing is bound at {}", fit::describe(used)))?;
    }
    Ok(Resources { layout, sets, run: filled.run })
}

/// What is bound to a binding, by element.
fn elements<'a>(
    test: &'a ShaderTest,
    b: &ir::Binding,
) -> impl DoubleEndedIterator<Item = (u32, &'a Bound)> + use<'a> {
    let range = (b.set, b.binding, 0)..=(b.set, b.binding, u32::MAX);
    test.bound.range(range).map(|(&(.., element), bound)| (element, bound))
}

/// What the shaders say of their images, if images are bound that have to fit.
fn declared_images(test: &ShaderTest, parts: &[&Part]) -> Result<Vec<reflect::Resource>> {
    let mut declared = Vec::new();
    if !test.loose && test.bound.values().any(|b| matches!(b, Bound::Image(..))) {
        for part in parts {
            let reflection = reflect::reflect(part.stage.module.module())?;
            let of_stage = reflection.entry_points.into_iter();
            let of_stage = of_stage.filter(|e| e.stage == part.kind && e.name == part.stage.entry);
            declared.extend(of_stage.flat_map(|e| e.bindings));
        }
    }
    Ok(declared)
}

/// Resources while they are made.
struct Filled<'a> {
    device: &'a Device,
    declared: Vec<reflect::Resource>,
    loose: bool,
    run: TestRun,
}

impl Filled<'_> {
    fn fill(&mut self, set: &DescriptorSet, used: &ir::Binding, element: u32, bound: &Bound) -> Result<()> {
        let place = (used.set, used.binding, element);
        let device = self.device;
        if let Bound::Image(shape, _) = bound {
            let here = |r: &&reflect::Resource| (r.set, r.binding) == (used.set, used.binding);
            self.declared
                .iter()
                .filter(here)
                .try_for_each(|r| fit::image(r, shape.dim, shape.format, shape.samples))?;
        }
        match bound {
            Bound::Bytes(_) | Bound::Zeros(_) => {
                let usage = BufferUsage::UNIFORM | BufferUsage::STORAGE;
                let (size, bytes) = match bound {
                    Bound::Bytes(bytes) => (bytes.len() as u64, &bytes[..]),
                    Bound::Zeros(size) => (*size, &[][..]),
                    _ => (0, &[][..]),
                };
                if !self.loose {
                    fit::buffer(used, size)?;
                }
                let buffer = device.create_bound_buffer(BufferDesc { size: size.max(1), usage })?;
                buffer.write(0, bytes)?;
                let resource = Resource::Buffer { buffer: &buffer, offset: 0, range: None };
                set.write(used.binding, element, resource)?;
                self.run.buffers.insert(place, (buffer, size as usize));
            }
            Bound::Image(shape, _) if shape.dim == ViewDim::Buffer => {
                let usage = BufferUsage::UNIFORM_TEXEL | BufferUsage::STORAGE_TEXEL;
                let size = shape.texels.len();
                let buffer = device.create_bound_buffer(BufferDesc { size: (size as u64).max(1), usage })?;
                buffer.write(0, &shape.texels)?;
                let desc = BufferViewDesc { format: shape.format, offset: 0, range: None };
                let view = device.create_buffer_view(&buffer, desc)?;
                set.write(used.binding, element, Resource::TexelBuffer(&view))?;
                self.run.buffers.insert(place, (buffer, size));
            }
            Bound::Image(shape, sampler) => {
                let usage = match used.kind {
                    ResourceKind::StorageImage => ImageUsage::STORAGE,
                    ResourceKind::InputAttachment => ImageUsage::INPUT_ATTACHMENT,
                    _ => ImageUsage::SAMPLED,
                };
                let image = make_image(device, shape, usage)?;
                let whole = ImageViewDesc { dim: shape.dim, ..ImageViewDesc::new_2d(shape.format) };
                let whole = ImageViewDesc { levels: shape.levels, layers: shape.layers, ..whole };
                let view = device.create_image_view(&image, whole)?;
                if used.kind == ResourceKind::CombinedImageSampler {
                    let sampler = device.create_sampler(*sampler)?;
                    set.write(used.binding, element, Resource::Combined(&view, &sampler))?;
                } else {
                    set.write(used.binding, element, Resource::Image(&view))?;
                }
                self.run.images.insert(place, image);
            }
            Bound::Sampler(desc) => {
                set.write(used.binding, element, Resource::Sampler(&device.create_sampler(*desc)?))?;
            }
        }
        Ok(())
    }
}

/// An image with its texels.
fn make_image(device: &Device, shape: &TestImage, usage: ImageUsage) -> Result<Image> {
    let [width, height, _] = shape.extent;
    let image_type = match shape.dim {
        ViewDim::D1 | ViewDim::D1Array => ImageType::D1,
        ViewDim::D3 => ImageType::D3,
        _ => ImageType::D2,
    };
    let desc = ImageDesc {
        image_type,
        extent: shape.extent,
        levels: shape.levels,
        layers: shape.layers,
        samples: shape.samples,
        ..ImageDesc::new_2d(shape.format, width, height, usage)
    };
    let image = device.create_bound_image(desc)?;
    let mut from = shape.texels.as_slice();
    each_row(&image, |memory, at, row| {
        let (bytes, rest) =
            from.split_at_checked(row).ok_or_else(|| Error::invalid("image with too few texels"))?;
        from = rest;
        memory.write(at, bytes)
    })?;
    ensure(from.is_empty(), || format!("{} bytes too many for the image", from.len()))?;
    for level in 0..shape.levels {
        for layer in 0..shape.layers {
            image.refresh(level, layer)?;
        }
    }
    Ok(image)
}

/// Calls `f` for each row of texels with its memory, offset and size, in the order of
/// [`TestImage::texels`].
fn each_row(image: &Image, mut f: impl FnMut(&Memory, u64, usize) -> Result<()>) -> Result<()> {
    let desc = image.desc();
    let (levels, layers, samples) = (desc.levels, desc.layers, u64::from(desc.samples));
    for level in 0..levels {
        for layer in 0..layers {
            let s = image.subresource(Aspects::COLOR, level, layer)?;
            let (memory, base) = image.plane_memory(s.memory)?;
            let [w, h, d] = s.blocks().map(u64::from);
            let row = w as usize * s.format.bytes() as usize;
            for sample in 0..samples {
                for (z, y) in (0..d).flat_map(|z| (0..h).map(move |y| (z, y))) {
                    let within = sample * s.sample_pitch + z * s.slice_pitch + y * s.row_pitch;
                    f(memory, base + s.offset + within, row)?;
                }
            }
        }
    }
    Ok(())
}

/// The stage under test.
fn tested(device: &Device, test: &ShaderTest, kind: Stage) -> Result<Part> {
    let module = device.create_shader_module(&test.code.words)?;
    let entry = match &test.entry {
        Some(entry) => entry.clone(),
        None => module.only_entry(kind)?.to_string(),
    };
    let spec = test.spec.iter().map(|(id, value)| match value {
        SpecValue::Text(text) => fit::specialization_text(module.module(), *id, text),
        SpecValue::Bits(bits) if test.loose => Ok((*id, *bits)),
        SpecValue::Bits(bits) => fit::specialization_bits(module.module(), *id, *bits),
    });
    let spec = spec.collect::<Result<Vec<_>>>()?;
    let stage = ShaderStage { spec, lanes: test.lanes, ..ShaderStage::new(&module, entry) };
    let shader = device.reflect(&stage, kind)?;
    Ok(Part { stage, kind, shader })
}

/// A stage beside the one under test.
fn helping(device: &Device, test: &ShaderTest, kind: Stage, words: &[u32]) -> Result<Part> {
    let stage = ShaderStage::only(&device.create_shader_module(words)?, kind)?;
    let stage = ShaderStage { lanes: test.lanes, ..stage };
    let shader = device.reflect(&stage, kind)?;
    Ok(Part { stage, kind, shader })
}

pub(super) fn dispatch(device: &Device, test: &ShaderTest, groups: [u32; 3]) -> Result<TestRun> {
    let part = tested(device, test, Stage::Compute)?;
    let Resources { layout, sets, run } = resources(device, test, &[&part])?;
    let desc = ComputePipelineDesc { stage: part.stage, layout: layout.clone() };
    let pipeline = device.create_compute_pipeline(&desc)?;
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).push_constants(0, &test.push);
    for (number, set) in sets.iter().enumerate() {
        commands.bind_compute_set(&layout, number as u32, set);
    }
    commands.dispatch(groups[0], groups[1], groups[2]).end()?;
    device.queue().run(&commands)?;
    Ok(run)
}

pub(super) fn draw(device: &Device, test: &ShaderTest, width: u32, height: u32) -> Result<TestRun> {
    let fragment = tested(device, test, Stage::Fragment)?;
    let words = match &test.vertex {
        Some(code) => &code.words,
        None => crate::fullscreen::vertex_words()?,
    };
    let vertex = helping(device, test, Stage::Vertex, words)?;
    let between = test.between.iter().map(|(kind, code)| helping(device, test, *kind, &code.words));
    let between = between.collect::<Result<Vec<_>>>()?;
    let parts: Vec<&Part> = [&vertex, &fragment].into_iter().chain(&between).collect();
    let Resources { layout, sets, mut run } = resources(device, test, &parts)?;
    let (vertex, fragment) = (vertex.stage, fragment.stage);
    let between = between.into_iter().map(|part| (part.kind, part.stage));
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    for (kind, stage) in between {
        match kind {
            Stage::TessellationControl => desc.tessellation_control = Some(stage),
            Stage::TessellationEvaluation => desc.tessellation_evaluation = Some(stage),
            Stage::Task => desc.task = Some(stage),
            Stage::Mesh => (desc.mesh, desc.vertex) = (Some(stage), None),
            _ => desc.geometry = Some(stage),
        }
    }
    let has_mesh = desc.mesh.is_some();
    desc.fixed.patch_control_points = test.patch_control_points;
    desc.state.color_formats = vec![Some(test.target)];
    desc.state.blend = vec![test.blend];
    desc.state.samples = test.samples;
    desc.state.topology = test.topology;
    desc.state.cull = CullMode::default();
    if let Some((compare, _)) = test.depth {
        desc.state.depth_format = Some(Format::D32_SFLOAT);
        desc.state.depth = DepthState { test: true, write: true, compare, bounds: false };
    }
    let pipeline = device.create_graphics_pipeline(&desc)?;
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let target = device.create_bound_image(ImageDesc::new_2d(test.target, width, height, usage))?;
    let mut view = device.create_image_view(&target, ImageViewDesc::new_2d(test.target))?;
    let mut resolve = None;
    if test.samples > 1 {
        let desc = ImageDesc::new_2d(test.target, width, height, usage);
        let image = device.create_bound_image(ImageDesc { samples: test.samples, ..desc })?;
        let several = device.create_image_view(&image, ImageViewDesc::new_2d(test.target))?;
        resolve = Some(std::mem::replace(&mut view, several));
    }
    let mut depth = None;
    if let Some((_, before)) = test.depth {
        let format = Format::D32_SFLOAT;
        let desc = ImageDesc::new_2d(format, width, height, ImageUsage::DEPTH_STENCIL_ATTACHMENT);
        let image = device.create_bound_image(ImageDesc { samples: test.samples, ..desc })?;
        let whole = ImageViewDesc { aspect: Aspects::DEPTH, ..ImageViewDesc::new_2d(format) };
        depth = Some(RenderingAttachment::clear_depth(&device.create_image_view(&image, whole)?, before));
    }
    let color = RenderingAttachment { resolve, ..RenderingAttachment::clear(&view, test.clear) };
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&RenderingInfo {
            area: Rect::of_size(width, height),
            layers: 1,
            colors: vec![Some(color)],
            depth,
            ..RenderingInfo::default()
        })
        .bind_graphics_pipeline(&pipeline)
        .set_size(width, height)
        .push_constants(0, &test.push);
    for (number, set) in sets.iter().enumerate() {
        commands.bind_graphics_set(&layout, number as u32, set);
    }
    match has_mesh {
        true => commands.draw_mesh_tasks(test.workgroups),
        false => commands.draw(test.vertices, 1, 0, 0),
    };
    commands.end_rendering().end()?;
    device.queue().run(&commands)?;
    run.target = Some(target);
    Ok(run)
}
