//! Runs shader tests: reflection to layouts, data to resources, and back.

use std::collections::BTreeMap;

use bytemuck::Pod;
use quadrille_jit::ir::{self, ResourceKind, Stage};
use quadrille_jit::reserve;
use quadrille_raster::format::{Aspects, Format};
use quadrille_raster::image::ImageType;
use quadrille_raster::sampling::ViewDim;
use quadrille_raster::state::{CullMode, DepthState, Rect};

use super::{Bound, Picture, ShaderTest, TestImage, unbound};
use crate::descriptor::{DescriptorBinding, DescriptorKind, DescriptorSet, Resource};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::pipeline::{ComputePipelineDesc, GraphicsPipelineDesc};
use crate::pipeline_layout::PipelineLayout;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::shader::ShaderStage;
use crate::{Buffer, BufferDesc, BufferViewDesc, Image, ImageDesc, ImageViewDesc, Memory};

/// A finished run of a [`ShaderTest`].
#[derive(Debug)]
pub struct TestRun {
    buffers: BTreeMap<(u32, u32, u32), Buffer>,
    images: BTreeMap<(u32, u32, u32), Image>,
    target: Option<Image>,
}

impl TestRun {
    /// Contents of a buffer.
    pub fn read<T: Pod>(&self, set: u32, binding: u32) -> Result<Vec<T>> {
        self.buffers.get(&(set, binding, 0)).ok_or_else(|| unbound(set, binding))?.read_all()
    }

    /// Contents of an element of an array of buffers.
    pub fn read_at<T: Pod>(&self, set: u32, binding: u32, element: u32) -> Result<Vec<T>> {
        let buffer = self.buffers.get(&(set, binding, element));
        buffer.ok_or_else(|| unbound(set, binding))?.read_all()
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

/// Makes layouts of what the shaders use and fills sets with what the test binds.
fn resources(device: &Device, test: &ShaderTest, shaders: &[&ir::Shader]) -> Result<Resources> {
    let mut used: BTreeMap<(u32, u32), &ir::Binding> = BTreeMap::new();
    for binding in shaders.iter().flat_map(|s| &s.bindings) {
        used.insert((binding.set, binding.binding), binding);
    }
    for &(set, binding, _) in test.bound.keys() {
        ensure(used.contains_key(&(set, binding)), || {
            format!("the shader does not use set {set} binding {binding}")
        })?;
    }
    let n_sets = used.keys().map(|k| k.0.saturating_add(1)).max().unwrap_or(0);
    let n_sets = n_sets.min(device.limits().max_bound_descriptor_sets + 1);
    let mut layouts = Vec::new();
    for number in 0..n_sets {
        let of_set = used.values().filter(|b| b.set == number);
        let bindings: Vec<_> = of_set
            .map(|b| DescriptorBinding {
                // Arrays without a size have what is bound.
                count: match test
                    .bound
                    .range((b.set, b.binding, 0)..=(b.set, b.binding, u32::MAX))
                    .next_back()
                {
                    Some((&(.., last), _)) if b.count == 0 => last + 1,
                    _ => b.count.max(1),
                },
                ..DescriptorBinding::new(b.binding, DescriptorKind::of(b.kind))
            })
            .collect();
        layouts.push(device.create_descriptor_set_layout(&bindings)?);
    }
    let push = shaders.iter().map(|s| s.push_size).max().unwrap_or(0).max(test.push.len() as u32);
    let layout = device.create_pipeline_layout(&layouts, push)?;
    let sets = layouts.iter().map(|l| device.create_descriptor_set(l)).collect::<Result<Vec<_>>>()?;
    let mut run = TestRun { buffers: BTreeMap::new(), images: BTreeMap::new(), target: None };
    for (&(set, binding), used) in &used {
        let elements = test.bound.range((set, binding, 0)..=(set, binding, u32::MAX));
        let mut any = false;
        for (&(.., element), bound) in elements {
            any = true;
            fill(device, &sets[set as usize], used, element, bound, &mut run)?;
        }
        ensure(any, || {
            let name = if used.name.is_empty() { String::new() } else { format!(" ({})", used.name) };
            format!("nothing is bound at set {set} binding {binding}{name}")
        })?;
    }
    Ok(Resources { layout, sets, run })
}

fn fill(
    device: &Device,
    set: &DescriptorSet,
    used: &ir::Binding,
    element: u32,
    bound: &Bound,
    run: &mut TestRun,
) -> Result<()> {
    let place = (used.set, used.binding, element);
    match bound {
        Bound::Bytes(_) | Bound::Zeros(_) => {
            let usage = BufferUsage::UNIFORM | BufferUsage::STORAGE;
            let (size, bytes) = match bound {
                Bound::Bytes(bytes) => (bytes.len() as u64, &bytes[..]),
                Bound::Zeros(size) => (*size, &[][..]),
                _ => (0, &[][..]),
            };
            let buffer = device.create_bound_buffer(BufferDesc { size: size.max(1), usage })?;
            buffer.write(0, bytes)?;
            let resource = Resource::Buffer { buffer: &buffer, offset: 0, range: None };
            set.write(used.binding, element, resource)?;
            run.buffers.insert(place, buffer);
        }
        Bound::Image(shape, _) if shape.dim == ViewDim::Buffer => {
            let usage = BufferUsage::UNIFORM_TEXEL | BufferUsage::STORAGE_TEXEL;
            let size = (shape.texels.len() as u64).max(1);
            let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
            buffer.write(0, &shape.texels)?;
            let desc = BufferViewDesc { format: shape.format, offset: 0, range: None };
            let view = device.create_buffer_view(&buffer, desc)?;
            set.write(used.binding, element, Resource::TexelBuffer(&view))?;
            run.buffers.insert(place, buffer);
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
            run.images.insert(place, image);
        }
        Bound::Sampler(desc) => {
            set.write(used.binding, element, Resource::Sampler(&device.create_sampler(*desc)?))?;
        }
    }
    Ok(())
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

fn stage(device: &Device, test: &ShaderTest, kind: Stage) -> Result<ShaderStage> {
    let module = device.create_shader_module(&test.words)?;
    let entry = match &test.entry {
        Some(entry) => entry.clone(),
        None => module.only_entry(kind)?.to_string(),
    };
    Ok(ShaderStage { spec: test.spec.clone(), lanes: test.lanes, ..ShaderStage::new(&module, entry) })
}

pub(super) fn dispatch(device: &Device, test: &ShaderTest, groups: [u32; 3]) -> Result<TestRun> {
    let stage = stage(device, test, Stage::Compute)?;
    let shader = device.reflect(&stage, Stage::Compute)?;
    let Resources { layout, sets, run } = resources(device, test, &[&shader])?;
    let desc = ComputePipelineDesc { stage, layout: layout.clone() };
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
    let fragment = stage(device, test, Stage::Fragment)?;
    let words = match &test.vertex {
        Some(words) => words,
        None => crate::fullscreen::vertex_words()?,
    };
    let vertex = ShaderStage::only(&device.create_shader_module(words)?, Stage::Vertex)?;
    let vertex = ShaderStage { lanes: test.lanes, ..vertex };
    let mut shaders =
        vec![device.reflect(&vertex, Stage::Vertex)?, device.reflect(&fragment, Stage::Fragment)?];
    let mut between = Vec::new();
    for (kind, words) in &test.between {
        let stage = ShaderStage::only(&device.create_shader_module(words)?, *kind)?;
        let stage = ShaderStage { lanes: test.lanes, ..stage };
        shaders.push(device.reflect(&stage, *kind)?);
        between.push((*kind, stage));
    }
    let shaders: Vec<&ir::Shader> = shaders.iter().map(|s| &**s).collect();
    let Resources { layout, sets, mut run } = resources(device, test, &shaders)?;
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
