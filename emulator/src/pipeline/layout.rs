//! Pipeline layouts: descriptor set layouts, dynamic offsets, and the size of push constants.

use std::sync::Arc;

use quadrille_jit::spirv::heap::Heap;
use quadrille_jit::{abi, ir};

use crate::descriptor::{DescriptorBinding, DescriptorKind, DescriptorSetLayout};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device, shared};

struct Inner {
    /// Number that identifies the device.
    device: u64,
    sets: Vec<DescriptorSetLayout>,
    push_size: u32,
    abi: Arc<abi::Layout>,
}

/// Places where shaders find descriptors and push constants. Spec: Vulkan, "Pipeline Layouts".
#[derive(Clone)]
pub struct PipelineLayout(Arc<Inner>);

objects! { PipelineLayout: "pipeline layout" = |l| Some(l.0.device); }
shared!(PipelineLayout);

impl std::fmt::Debug for PipelineLayout {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PipelineLayout({:?}, push: {})", self.0.sets, self.0.push_size)
    }
}

impl PipelineLayout {
    pub(crate) fn new(device: &Device, sets: &[DescriptorSetLayout], push_size: u32) -> Result<Self> {
        sets.iter().try_for_each(|set| same_device(set, device))?;
        at_most("descriptor sets", sets.len() as u64, LIMITS.max_bound_descriptor_sets.into())?;
        at_most("push constants", push_size.into(), LIMITS.max_push_constants_size.into())?;
        let mut bindings = abi::BindingLayout::attachments().to_vec();
        let mut n_dynamic = 0;
        for (number, set) in sets.iter().enumerate() {
            for (position, b) in set.bindings().iter().enumerate() {
                let dynamic = b.kind.is_dynamic().then_some(n_dynamic);
                if dynamic.is_some() {
                    n_dynamic += b.count;
                }
                let (offset, form) = set.place(position);
                bindings.push(abi::BindingLayout {
                    set: number as u32,
                    binding: b.binding,
                    offset,
                    count: b.count,
                    dynamic,
                    form,
                });
            }
        }
        let most = LIMITS.max_descriptor_set_uniform_buffers_dynamic
            + LIMITS.max_descriptor_set_storage_buffers_dynamic;
        at_most("dynamic buffers", n_dynamic.into(), most.into())?;
        let abi = Arc::new(abi::Layout { bindings });
        let inner = Inner { device: device.id(), sets: sets.to_vec(), push_size, abi };
        Ok(PipelineLayout(Arc::new(inner)))
    }

    /// Returns the layout of pipelines whose shaders use descriptor heaps; the heaps are two uniform buffers in set 0.
    /// Spec: Vulkan, "Descriptor Heaps".
    ///
    /// # Errors
    /// `OutOfMemory` if the host lacks memory for the tables of the device.
    pub fn of_heaps(device: &Device) -> Result<Self> {
        let heap = |h: Heap| DescriptorBinding::new(h as u32, DescriptorKind::UniformBuffer);
        let set = DescriptorSetLayout::new(device, &[heap(Heap::Resource), heap(Heap::Sampler)], false)?;
        PipelineLayout::new(device, &[set], LIMITS.max_push_constants_size)
    }

    /// Returns a layout with the sets of all `layouts`, each of which may omit sets that another one has.
    ///
    /// # Errors
    /// Those of [`Device::create_pipeline_layout`].
    pub fn joined(device: &Device, layouts: &[PipelineLayout]) -> Result<Self> {
        if let [first, rest @ ..] = layouts
            && rest.iter().all(|l| l.push_size() == first.push_size() && l.has_sets_of(first))
        {
            return Ok(first.clone());
        }
        let n = layouts.iter().map(|l| l.sets().len()).max().unwrap_or(0);
        let mut sets = Vec::with_capacity(n);
        for i in 0..n {
            let mut given = layouts.iter().filter_map(|l| l.sets().get(i));
            let first = given.clone().next();
            sets.extend(given.find(|s| !s.bindings().is_empty()).or(first).cloned());
        }
        let push = layouts.iter().map(PipelineLayout::push_size).max().unwrap_or(0);
        PipelineLayout::new(device, &sets, push)
    }

    fn has_sets_of(&self, other: &Self) -> bool {
        let (a, b) = (self.sets(), other.sets());
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.compatible(b))
    }

    /// Descriptor set layouts, by set number.
    pub fn sets(&self) -> &[DescriptorSetLayout] {
        &self.0.sets
    }

    /// Size of push constants, in bytes.
    pub fn push_size(&self) -> u32 {
        self.0.push_size
    }

    /// The layout for generated code.
    pub fn abi(&self) -> &Arc<abi::Layout> {
        &self.0.abi
    }

    /// Returns `Invalid` unless the layout has every resource that the shader uses, with the right type.
    pub(crate) fn check(&self, shader: &ir::Shader) -> Result<()> {
        for b in &shader.bindings {
            let found = self.0.sets.get(b.set as usize).and_then(|s| s.binding(b.binding));
            let name = if b.name.is_empty() { String::new() } else { format!(" ({})", b.name) };
            let Some(found) = found.filter(|f| f.count > 0) else {
                return Err(Error::invalid(format!(
                    "`{}` uses set {} binding {}{name}, which the pipeline layout lacks",
                    shader.name, b.set, b.binding
                )));
            };
            ensure(found.kind.serves(b.kind), || {
                format!(
                    "`{}` uses set {} binding {}{name} as {:?}, the pipeline layout has {:?}",
                    shader.name, b.set, b.binding, b.kind, found.kind
                )
            })?;
        }
        ensure(shader.push_size <= self.0.push_size, || {
            format!(
                "`{}` uses {} bytes of push constants, the pipeline layout has {}",
                shader.name, shader.push_size, self.0.push_size
            )
        })
    }
}
