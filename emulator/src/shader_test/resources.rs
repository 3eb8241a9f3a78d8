//! Resources of a test's shaders: reflects stages to layouts, and converts data to resources.

use std::collections::BTreeMap;
use std::sync::Arc;

use quadrille_jit::ir::{self, ResourceKind, Stage};
use quadrille_jit::spirv::reflect;
use quadrille_raster::sampling::ViewDim;

use super::images::{aspect, make_image};
use super::run::TestRun;
use super::source::Other;
use super::{Bound, ShaderTest, SpecValue, assertions};
use crate::data::fit;
use crate::descriptor::{DescriptorBinding, DescriptorKind, DescriptorSet, Resource};
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::{BufferUsage, ImageUsage};
use crate::launch::build_scene;
use crate::pipeline::layout::PipelineLayout;
use crate::resource::buffer::BufferDesc;
use crate::resource::buffer_view::BufferViewDesc;
use crate::resource::image::ImageViewDesc;
use crate::shader::ShaderStage;

/// Creates the stage under test.
pub(super) fn tested(device: &Device, test: &ShaderTest, kind: Stage) -> Result<Part> {
    part(device, test, kind, &test.code.words, test.entry.as_deref())
}

/// Creates another stage.
pub(super) fn helping(device: &Device, test: &ShaderTest, other: &Other) -> Result<Part> {
    part(device, test, other.stage, &other.code.words, other.entry.as_deref())
}

/// Creates a stage with those specialization constants that its module has.
pub(super) fn part(
    device: &Device,
    test: &ShaderTest,
    kind: Stage,
    words: &[u32],
    entry: Option<&str>,
) -> Result<Part> {
    let module = device.create_shader_module(words)?;
    let entry = match entry {
        Some(entry) => entry.to_owned(),
        None => module.only_entry(kind)?.to_owned(),
    };
    let declared = |id: u32| module.module().spec_constants().iter().any(|c| c.spec_id == id);
    let spec = test.spec.iter().filter(|(id, _)| declared(*id)).map(|(id, value)| match value {
        SpecValue::Text(text) => fit::specialization_text(module.module(), *id, text),
        SpecValue::Bits(bits) if test.loose => Ok((*id, *bits)),
        SpecValue::Bits(bits) => fit::specialization_bits(module.module(), *id, *bits),
    });
    let spec = spec.collect::<Result<Vec<_>>>()?;
    let stage = ShaderStage { spec, lanes: test.lanes, ..ShaderStage::new(&module, entry) };
    let shader = device.reflect(&stage, kind)?;
    Ok(Part { stage, kind, shader })
}

/// Returns `Invalid` for the first specialization constant that none of the stages has.
fn fit_specialization(test: &ShaderTest, parts: &[&Part]) -> Result<()> {
    let modules = || parts.iter().map(|p| p.stage.module.module());
    let declared = |id: u32| modules().any(|m| m.spec_constants().iter().any(|c| c.spec_id == id));
    match test.spec.iter().find(|(id, _)| !test.loose && !declared(*id)) {
        Some((id, _)) => Err(fit::no_specialization(modules(), *id)),
        None => Ok(()),
    }
}

/// All bound resources, with their layout and sets.
pub(super) struct Resources {
    pub layout: PipelineLayout,
    pub sets: Vec<DescriptorSet>,
    pub run: TestRun,
}

/// A stage with its reflected shader.
pub(super) struct Part {
    pub stage: ShaderStage,
    pub kind: Stage,
    shader: Arc<ir::Shader>,
}

/// Creates layouts for the resources that the shaders use, and fills the sets with the test's data.
pub(super) fn resources(device: &Device, test: &ShaderTest, parts: &[&Part]) -> Result<Resources> {
    let mut used: BTreeMap<(u32, u32), &ir::Binding> = BTreeMap::new();
    for binding in parts.iter().flat_map(|p| &p.shader.bindings) {
        used.insert((binding.set, binding.binding), binding);
    }
    for &(set, binding, _) in test.bound.keys() {
        ensure(used.contains_key(&(set, binding)), || {
            format!("the shader does not use set {set}, binding {binding}")
        })?;
    }
    fit_specialization(test, parts)?;
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
                // A runtime-sized array has as many elements as are bound.
                count: match elements(test, b).next_back() {
                    Some((last, _)) if b.count == 0 => last.saturating_add(1),
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
            buffer.keep_zeros();
            set.write(used.binding, 0, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
            filled.run.assertions = Some(buffer);
            continue;
        }
        ensure(any, || format!("nothing is bound at {}", fit::describe(used)))?;
    }
    Ok(Resources { layout, sets, run: filled.run })
}

/// Yields the data bound to a binding, by array element.
fn elements<'a>(
    test: &'a ShaderTest,
    b: &ir::Binding,
) -> impl DoubleEndedIterator<Item = (u32, &'a Bound)> + use<'a> {
    let range = (b.set, b.binding, 0)..=(b.set, b.binding, u32::MAX);
    test.bound.range(range).map(|(&(.., element), bound)| (element, bound))
}

/// Returns the shaders' image declarations, if images are bound that must match them.
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

/// Resources under construction.
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
                buffer.keep_zeros();
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
                let whole = ImageViewDesc { aspect: aspect(shape.format), ..whole };
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
            Bound::Scene(parts) => {
                let scene = build_scene(device, parts)?;
                set.write(used.binding, element, Resource::Structure(&scene))?;
            }
            Bound::Structure(structure) => {
                set.write(used.binding, element, Resource::Structure(structure))?
            }
            Bound::Sampler(desc) => {
                set.write(used.binding, element, Resource::Sampler(&device.create_sampler(*desc)?))?;
            }
        }
        Ok(())
    }
}
