//! Instance and device of hostile programs, ways to bind descriptors, and their pipelines.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ops::Deref;
use std::sync::OnceLock;

use ash::vk;
use quadrille::Error;

use super::super::{FIRST, KINDS, SLOTS, shader};
use crate::calls::heaps::{self, HEAP_PIPELINE, Heaps, Mapping, Mappings};
pub(super) use crate::client::text;
use crate::client::{Host, Opened};

/// Descriptor types, by kind.
pub(super) const TYPES: [vk::DescriptorType; KINDS] = [
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
    vk::DescriptorType::SAMPLED_IMAGE,
    vk::DescriptorType::STORAGE_IMAGE,
    vk::DescriptorType::UNIFORM_TEXEL_BUFFER,
    vk::DescriptorType::SAMPLER,
];
/// Index of samplers in [`TYPES`]. Mutable descriptors are never samplers.
pub(super) const SAMPLER: usize = KINDS - 1;
const COMPUTE: vk::ShaderStageFlags = vk::ShaderStageFlags::COMPUTE;
/// Distance between the descriptors of two bindings in heaps, in bytes.
pub(super) const HEAP_STRIDE: u32 = SLOTS * heaps::DESCRIPTOR as u32;

/// A way to bind descriptors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// A set of a pool, with partially bound arrays that are updated while submissions run. `true` makes the
    /// descriptors mutable.
    Pool(bool),
    /// A range of a descriptor buffer. `true` makes the descriptors mutable.
    Buffer(bool),
    /// Heaps, with the source of the mappings: 0 a constant offset, 1 an index in the push data, 2 an index in memory, 3 an
    /// index in memory for each element.
    Heap(u32),
}

pub(super) const WAYS: [Way; 8] = [
    Way::Pool(false),
    Way::Pool(true),
    Way::Buffer(false),
    Way::Buffer(true),
    Way::Heap(0),
    Way::Heap(1),
    Way::Heap(2),
    Way::Heap(3),
];

/// Names of the words of live resources that shaders found, by way.
pub const FOUND: [&str; 8] = [
    "word found by a set",
    "word found by a mutable set",
    "word found by a buffer",
    "word found by a mutable buffer",
    "word found by a heap",
    "word found by a pushed index",
    "word found by an index",
    "word found by an array of indices",
];

impl Way {
    pub fn is_mutable(self) -> bool {
        matches!(self, Way::Pool(true) | Way::Buffer(true))
    }

    /// Name of the words of live resources that shaders found.
    pub fn found(self) -> &'static str {
        match self {
            Way::Pool(false) => FOUND[0],
            Way::Pool(true) => FOUND[1],
            Way::Buffer(false) => FOUND[2],
            Way::Buffer(true) => FOUND[3],
            Way::Heap(0) => FOUND[4],
            Way::Heap(1) => FOUND[5],
            Way::Heap(2) => FOUND[6],
            Way::Heap(_) => FOUND[7],
        }
    }

    /// Returns the binding of a kind.
    pub fn binding(self, kind: usize) -> u32 {
        if self.is_mutable() && kind != SAMPLER { FIRST } else { FIRST + kind as u32 }
    }
}

/// Number of words of push data: the index, zero, and the address of the indices (two words).
pub(super) const PUSHED: usize = 4;

/// Returns the mappings of the bindings to heaps.
fn mappings(source: u32) -> Vec<Mapping> {
    let stride = heaps::DESCRIPTOR as u32;
    let at = |binding: u32| if binding == FIRST + SAMPLER as u32 { 0 } else { binding * HEAP_STRIDE };
    let of = |binding: u32| match source {
        _ if binding < FIRST => Mapping::new(binding, 0, &[at(binding), stride]),
        0 => Mapping::new(binding, 0, &[at(binding), stride]),
        1 => Mapping::new(binding, 1, &[at(binding), 0, stride, stride]),
        2 => Mapping::new(binding, 2, &[at(binding), 8, 4 * binding, stride, stride]),
        _ => Mapping::new(binding, 3, &[at(binding), 8, 4 * binding, stride]),
    };
    (0..FIRST + KINDS as u32).map(of).collect()
}

/// Layouts and pipelines of one way to bind descriptors.
pub(super) struct Bound {
    pub way: Way,
    /// Descriptor set layout; null with heaps.
    pub set: vk::DescriptorSetLayout,
    pub layout: vk::PipelineLayout,
    /// Pipelines, created on first use: the first has an index for each invocation, the second the same index for all.
    pipelines: [OnceLock<vk::Pipeline>; 2],
}

/// A device, and the objects that all programs share.
pub(super) struct Client {
    opened: Opened,
    pub buffers: ash::ext::descriptor_buffer::Device,
    pub heaps: Heaps,
    pub sampler: vk::Sampler,
    pub ways: Vec<Bound>,
}

impl Deref for Client {
    type Target = Opened;

    fn deref(&self) -> &Opened {
        &self.opened
    }
}

impl Client {
    pub fn new(entry: ash::Entry) -> Result<Client, String> {
        let host = Host::new(entry, vk::API_VERSION_1_3, &[]).map_err(text)?;
        let opened = open(host)?;
        let (instance, device) = (&opened.instance, &opened.device);
        // SAFETY: the device is live and supports every way; the structures live until the calls return.
        unsafe {
            Ok(Client {
                buffers: ash::ext::descriptor_buffer::Device::new(instance, device),
                heaps: Heaps::new(instance, device.handle())?,
                ways: WAYS.iter().map(|way| bound(device, *way)).collect::<Result<_, _>>()?,
                sampler: device.create_sampler(&Default::default(), None).map_err(text)?,
                opened,
            })
        }
    }

    /// Returns a pipeline for a way to bind descriptors. `same`: all invocations use the same index.
    pub fn pipeline(&self, of: &Bound, same: bool) -> Result<vk::Pipeline, String> {
        let place = &of.pipelines[usize::from(same)];
        if let Some(made) = place.get() {
            return Ok(*made);
        }
        let words = shader(same, of.way.is_mutable()).map_err(|e: Error| e.to_string())?;
        let d = &self.device;
        // SAFETY: the layouts are live, the SPIR-V is valid, and the structures live until the calls return.
        let made = unsafe {
            let info = vk::ShaderModuleCreateInfo::default().code(&words);
            let module = d.create_shader_module(&info, None).map_err(text)?;
            let all;
            let chained;
            let mut stage =
                vk::PipelineShaderStageCreateInfo::default().stage(COMPUTE).name(c"main").module(module);
            let mut flags = vk::PipelineCreateFlags2CreateInfoKHR::default();
            match of.way {
                Way::Pool(_) => {}
                Way::Buffer(_) => flags.flags = vk::PipelineCreateFlags2KHR::DESCRIPTOR_BUFFER_EXT,
                Way::Heap(source) => {
                    flags.flags = HEAP_PIPELINE;
                    all = mappings(source);
                    chained = Mappings::new(&all);
                    stage.p_next = (&raw const chained).cast();
                }
            }
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(of.layout);
            let info = [info.push_next(&mut flags)];
            let made = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None);
            d.destroy_shader_module(module, None);
            made.map_err(|(_, code)| format!("{:?}: {code}", of.way))?[0]
        };
        Ok(*place.get_or_init(|| made))
    }
}

/// Opens a device with the extensions and features that the programs use.
fn open(host: Host) -> Result<Opened, String> {
    let own = [c"VK_EXT_descriptor_buffer", c"VK_EXT_mutable_descriptor_type", c"VK_EXT_robustness2"];
    let names: Vec<_> = own.iter().chain(&heaps::EXTENSIONS).copied().collect();
    let mut twelve = vk::PhysicalDeviceVulkan12Features::default()
        .buffer_device_address(true)
        .descriptor_indexing(true)
        .descriptor_binding_partially_bound(true)
        .descriptor_binding_update_unused_while_pending(true)
        .descriptor_binding_storage_buffer_update_after_bind(true)
        .descriptor_binding_uniform_buffer_update_after_bind(true)
        .descriptor_binding_uniform_texel_buffer_update_after_bind(true)
        .descriptor_binding_storage_image_update_after_bind(true)
        .descriptor_binding_sampled_image_update_after_bind(true)
        .runtime_descriptor_array(true)
        .shader_storage_buffer_array_non_uniform_indexing(true)
        .shader_uniform_buffer_array_non_uniform_indexing(true)
        .shader_sampled_image_array_non_uniform_indexing(true)
        .shader_storage_image_array_non_uniform_indexing(true)
        .shader_uniform_texel_buffer_array_non_uniform_indexing(true);
    let mut thirteen = vk::PhysicalDeviceVulkan13Features::default().synchronization2(true);
    let mut buffers = vk::PhysicalDeviceDescriptorBufferFeaturesEXT::default().descriptor_buffer(true);
    let mut mutable =
        vk::PhysicalDeviceMutableDescriptorTypeFeaturesEXT::default().mutable_descriptor_type(true);
    let mut robust = vk::PhysicalDeviceRobustness2FeaturesEXT::default()
        .robust_buffer_access2(true)
        .robust_image_access2(true)
        .null_descriptor(true);
    let mut five = vk::PhysicalDeviceMaintenance5FeaturesKHR::default().maintenance5(true);
    let mut with_heaps = heaps::Features::new();
    let core = vk::PhysicalDeviceFeatures::default()
        .robust_buffer_access(true)
        .shader_storage_image_read_without_format(true)
        .shader_storage_image_write_without_format(true)
        .shader_storage_buffer_array_dynamic_indexing(true)
        .shader_uniform_buffer_array_dynamic_indexing(true)
        .shader_sampled_image_array_dynamic_indexing(true)
        .shader_storage_image_array_dynamic_indexing(true);
    let mut info = vk::DeviceCreateInfo::default()
        .enabled_features(&core)
        .push_next(&mut twelve)
        .push_next(&mut thirteen)
        .push_next(&mut buffers)
        .push_next(&mut mutable)
        .push_next(&mut robust)
        .push_next(&mut five);
    with_heaps.next = info.p_next.cast_mut();
    info.p_next = (&raw const with_heaps).cast();
    // SAFETY: the structures of the chain outlive the call. Programs wait for their work before they drop the client.
    unsafe { Opened::new(host, &names, info) }.map_err(text)
}

/// Returns the set layout bindings of a way to bind descriptors.
fn bindings(way: Way) -> Vec<vk::DescriptorSetLayoutBinding<'static>> {
    let fixed = (0..FIRST).map(|n| (n, vk::DescriptorType::STORAGE_BUFFER, 1));
    let arrays: Vec<_> = match way.is_mutable() {
        true => vec![
            (FIRST, vk::DescriptorType::MUTABLE_EXT, SLOTS),
            (way.binding(SAMPLER), TYPES[SAMPLER], SLOTS),
        ],
        false => (0..KINDS).map(|kind| (way.binding(kind), TYPES[kind], SLOTS)).collect(),
    };
    fixed
        .chain(arrays)
        .map(|(number, ty, count)| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(number).descriptor_type(ty);
            binding.descriptor_count(count).stage_flags(COMPUTE)
        })
        .collect()
}

/// Creates the layouts of a way to bind descriptors.
///
/// # Safety
/// The device must be live and support the way.
unsafe fn bound(d: &ash::Device, way: Way) -> Result<Bound, String> {
    let none = Bound {
        way,
        set: vk::DescriptorSetLayout::null(),
        layout: vk::PipelineLayout::null(),
        pipelines: Default::default(),
    };
    if matches!(way, Way::Heap(_)) {
        return Ok(none);
    }
    let bindings = bindings(way);
    use vk::DescriptorBindingFlags as F;
    let of_array = match way {
        Way::Pool(_) => F::PARTIALLY_BOUND | F::UPDATE_AFTER_BIND | F::UPDATE_UNUSED_WHILE_PENDING,
        Way::Buffer(_) | Way::Heap(_) => F::PARTIALLY_BOUND,
    };
    let flags: Vec<_> =
        bindings.iter().map(|b| if b.binding < FIRST { F::empty() } else { of_array }).collect();
    let lists: Vec<_> = bindings
        .iter()
        .map(|b| match b.descriptor_type {
            vk::DescriptorType::MUTABLE_EXT => {
                vk::MutableDescriptorTypeListEXT::default().descriptor_types(&TYPES[..SAMPLER])
            }
            _ => vk::MutableDescriptorTypeListEXT::default(),
        })
        .collect();
    let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
    let mut lists = vk::MutableDescriptorTypeCreateInfoEXT::default().mutable_descriptor_type_lists(&lists);
    let of = match way {
        Way::Pool(_) => vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL,
        Way::Buffer(_) | Way::Heap(_) => vk::DescriptorSetLayoutCreateFlags::DESCRIPTOR_BUFFER_EXT,
    };
    let info = vk::DescriptorSetLayoutCreateInfo::default().flags(of).bindings(&bindings);
    let info = info.push_next(&mut flags).push_next(&mut lists);
    // SAFETY: the device is live, and the structures live until the calls return.
    unsafe {
        let set = d.create_descriptor_set_layout(&info, None).map_err(text)?;
        let sets = [set];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
        let layout = d.create_pipeline_layout(&info, None).map_err(text)?;
        Ok(Bound { set, layout, ..none })
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let d = &self.opened.device;
        // SAFETY: nothing is in flight, and programs have destroyed all other objects.
        unsafe {
            for bound in &self.ways {
                bound.pipelines.iter().filter_map(OnceLock::get).for_each(|p| d.destroy_pipeline(*p, None));
                d.destroy_pipeline_layout(bound.layout, None);
                d.destroy_descriptor_set_layout(bound.set, None);
            }
            d.destroy_sampler(self.sampler, None);
        }
    }
}
