//! Instances, physical devices, logical devices and queues. This file has the logical devices.
//!
//! * `instance`, `physical`: instances, physical devices and their queries.
//! * `queue`: queues and queue families.
//! * `faults`: faults, and the reason of a loss. `reports`: reports about memory and addresses.
//! * `placed`: maps of memory at addresses of the application. `counter_pools`: pools of performance counters.
//! * `border_color`, `private_data`: indices of custom border colours; private data slots.
//!
//! Left to others: the values of queries are in `capabilities`; `command_buffer::submit` submits.

mod border_color;
mod counter_pools;
pub(crate) mod faults;
pub(crate) mod instance;
pub(crate) mod physical;
pub(crate) mod placed;
pub(crate) mod private_data;
pub(crate) mod queue;
mod reports;

use ash::vk;
use quadrille::DeviceOptions;

use crate::capabilities::{features, heap};
use crate::interface::chain::{find, slice};
use crate::interface::guard::{Nobody, Subject, VkResult, code, commands, device_code, guard, log, running};
use crate::interface::handle::{create, destroy, get, get_opt, objects};
use crate::newer::{
    PhysicalDeviceMaintenance9FeaturesKHR, PhysicalDeviceOpacityMicromapFeaturesKHR,
    PhysicalDeviceShader64BitIndexingFeaturesEXT, PhysicalDeviceVertexAttributeRobustnessFeaturesEXT,
};
use crate::registry::extensions::Offer;
use crate::registry::row::{Extension, Kind};
use border_color::BorderColors;
use counter_pools::CounterPools;
use faults::Faults;
use physical::{GLOBAL_PRIORITIES, PhysicalDevice};
use placed::PlacedMaps;
use queue::{Queue, families};
use reports::Reports;

/// A VkDevice.
pub struct Device {
    /// The device itself.
    pub device: quadrille::Device,
    /// Enabled extensions, including those of the instance.
    pub enabled: Vec<Extension>,
    /// Version of Vulkan that the application requested.
    pub api_version: u32,
    /// Versions and extensions of the physical device.
    pub offer: Offer,
    /// Registered custom border colours.
    pub border_colors: BorderColors,
    /// Faults that the application has not read yet.
    pub faults: Faults,
    /// Receivers of reports about memory and addresses.
    pub reports: Reports,
    /// Pools of performance counters.
    pub counters: CounterPools,
    /// Maps of memory at addresses of the application.
    pub placed: PlacedMaps,
    queues: Vec<Numbered>,
}

/// Number of a queue: queues of a family with different flags are counted apart. Spec: Vulkan, VkDeviceQueueInfo2.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Number {
    family: u32,
    flags: vk::DeviceQueueCreateFlags,
    index: u32,
}

/// A queue with its number.
struct Numbered {
    number: Number,
    queue: vk::Queue,
}

objects!(Device => Device);

impl Subject for vk::Device {
    unsafe fn fail(self, _: vk::Result) {
        // SAFETY: the caller promises a live or null handle.
        if let Some(device) = unsafe { get_opt::<Device>(self) } {
            device.device.lose(&format!("{} has failed, and returns no code", running()));
        }
    }
}

/// Returns the Vulkan 1.0 features that a device is created with, if any are given.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn core_features<'a>(info: &vk::DeviceCreateInfo<'a>) -> Option<&'a vk::PhysicalDeviceFeatures> {
    // SAFETY: the caller promises a valid create info.
    unsafe {
        let in_chain = find::<vk::PhysicalDeviceFeatures2>(info.p_next).map(|f| &f.features);
        info.p_enabled_features.as_ref().or(in_chain)
    }
}

/// Checks that all requested features are supported.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn check_features(offer: &Offer, info: &vk::DeviceCreateInfo<'_>) -> VkResult {
    // SAFETY: the caller promises a valid create info.
    let missing = unsafe {
        let core = core_features(info);
        let extended = || features::extended_missing(offer, info.p_next);
        let of_versions = || crate::capabilities::versions::feature_missing(offer, info.p_next);
        let named = |[structure, field]: [&str; 2]| format!("{field} of {structure}");
        let in_core = core.and_then(features::core_missing).map(str::to_owned);
        in_core.or_else(|| extended().or_else(of_versions).map(named))
    };
    match missing {
        None => Ok(()),
        Some(name) => {
            log(&format!("feature {name} is not supported"));
            Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
        }
    }
}

/// Checks that all requested global priorities are supported.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn check_priorities(info: &vk::DeviceCreateInfo<'_>) -> VkResult {
    // SAFETY: the caller promises a valid create info.
    unsafe {
        let queues = slice(info.p_queue_create_infos, info.queue_create_info_count);
        let mut asked = queues.iter().filter_map(|queue| {
            find::<vk::DeviceQueueGlobalPriorityCreateInfoKHR<'_>>(queue.p_next).map(|p| p.global_priority)
        });
        match asked.all(|priority| GLOBAL_PRIORITIES.contains(&priority)) {
            true => Ok(()),
            false => Err(vk::Result::ERROR_NOT_PERMITTED_KHR),
        }
    }
}

/// Returns the numbers of the requested queues, or an error for more queues of a family than there are.
///
/// # Safety
/// `info` is valid.
unsafe fn asked_queues(info: &vk::DeviceCreateInfo<'_>) -> VkResult<Vec<Number>> {
    // SAFETY: the caller promises a valid create info.
    let asked = unsafe { slice(info.p_queue_create_infos, info.queue_create_info_count) };
    let families = families();
    let mut all: Vec<Number> = Vec::new();
    for of in asked {
        let (family, flags) = (of.queue_family_index, of.flags);
        let others = all.iter().filter(|number| number.family == family).count() as u32;
        let n = others.saturating_add(of.queue_count);
        if families.get(family as usize).is_none_or(|f| n > f.queue_count) {
            log(&format!("no {n} queues of family {family}"));
            return Err(vk::Result::ERROR_INITIALIZATION_FAILED);
        }
        all.extend((0..of.queue_count).map(|index| Number { family, flags, index }));
    }
    Ok(all)
}

/// Assigns the device's queues to the requested numbers.
fn queues(device: &quadrille::Device, asked: &[Number]) -> Vec<Numbered> {
    let all = (0..).map_while(|n| device.queue_at(n));
    let make = |(queue, &number)| Numbered { number, queue: create(Queue { queue }) };
    all.zip(asked).map(make).collect()
}

/// Depth is clamped to the range from 0 to 1, with fixed-point formats and with float formats.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn depth_zero_one(info: &vk::DeviceCreateInfo<'_>, enabled: &[Extension]) -> [bool; 2] {
    // SAFETY: the caller promises a valid create info.
    let asked = unsafe { find::<vk::PhysicalDeviceDepthClampZeroOneFeaturesEXT<'_>>(info.p_next) };
    let clamps = asked.is_some_and(|f| f.depth_clamp_zero_one == vk::TRUE);
    let unrestricted = enabled.contains(&"VK_EXT_depth_range_unrestricted");
    [clamps, clamps && !unrestricted]
}

/// The bytes of bottom levels list micromaps, as an application with VK_KHR_opacity_micromap expects.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn micromap_blocks(info: &vk::DeviceCreateInfo<'_>) -> bool {
    // SAFETY: the caller promises a valid create info.
    let asked = unsafe { find::<PhysicalDeviceOpacityMicromapFeaturesKHR>(info.p_next) };
    asked.is_some_and(|f| f.micromap == vk::TRUE)
}

/// Attributes without a description have a value, by either of two extensions.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn absent_attributes(info: &vk::DeviceCreateInfo<'_>) -> bool {
    // SAFETY: the caller promises a valid create info.
    let (first, second) = unsafe {
        let first = find::<PhysicalDeviceVertexAttributeRobustnessFeaturesEXT>(info.p_next);
        (first, find::<PhysicalDeviceMaintenance9FeaturesKHR>(info.p_next))
    };
    first.is_some_and(|f| f.vertex_attribute_robustness == vk::TRUE)
        || second.is_some_and(|f| f.maintenance9 == vk::TRUE)
}

/// Descriptors cover more than maxStorageBufferRange bytes, as an application with VK_EXT_shader_64bit_indexing expects.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn long_ranges(info: &vk::DeviceCreateInfo<'_>) -> bool {
    // SAFETY: the caller promises a valid create info.
    let asked = unsafe { find::<PhysicalDeviceShader64BitIndexingFeaturesEXT>(info.p_next) };
    asked.is_some_and(|f| f.shader64_bit_indexing == vk::TRUE)
}

fn find_queue(device: &Device, number: Number) -> vk::Queue {
    let found = device.queues.iter().find(|q| q.number == number);
    found.map_or(vk::Queue::null(), |q| q.queue)
}

/// The result code of a device that is not created. Programs show the code at most, so that an environment variable with
/// an invalid value, or a trace that cannot be written, is also reported on standard error.
fn refused(error: &quadrille::Error) -> vk::Result {
    match code(error) {
        vk::Result::ERROR_UNKNOWN => {
            // With this variable, all errors are reported.
            if !quadrille::env::log() {
                quadrille::terminal::to_stderr(format_args!("quadrille: vkCreateDevice: {error}"));
            }
            vk::Result::ERROR_INITIALIZATION_FAILED
        }
        code => code,
    }
}

/// The command vkDestroyDevice, whose failure the device cannot report.
///
/// # Safety
/// Valid usage of Vulkan.
pub unsafe extern "system" fn destroy_device(device: vk::Device, _: *const vk::AllocationCallbacks<'_>) {
    let body = || {
        drop(heap::leave(device));
        // SAFETY: the caller promises a live or null handle that is not used any more, and so are those of its queues.
        if let Some(device) = unsafe { destroy::<Device>(device) } {
            for numbered in device.queues {
                // SAFETY: the queues are those of this device, destroyed with it, and none is used any more.
                drop(unsafe { destroy::<Queue>(numbered.queue) });
            }
        }
    };
    // SAFETY: nobody is a valid subject.
    unsafe { guard("destroy_device", Nobody, body) }
}

commands! {
    fn create_device(
        physical: vk::PhysicalDevice,
        info: *const vk::DeviceCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Device,
    ) -> vk::Result {
        let info = &*info;
        let physical = get::<PhysicalDevice>(physical);
        let (offer, api_version) = (physical.offer, physical.api_version);
        let (names, n) = (info.pp_enabled_extension_names, info.enabled_extension_count);
        let mut enabled = offer.enable(Kind::Device, &physical.extensions, names, n)?;
        enabled.extend(&physical.extensions);
        check_features(&offer, info)?;
        check_priorities(info)?;
        let asked_queues = asked_queues(info)?;
        let sparse_buffers = core_features(info).is_some_and(|f| f.sparse_residency_buffer == vk::TRUE);
        let faults = Faults::default();
        let options = DeviceOptions {
            explicit_order: true,
            micromap_blocks: micromap_blocks(info),
            long_ranges: long_ranges(info),
            sparse_buffers,
            depth_zero_one: depth_zero_one(info, &enabled),
            absent_attributes: absent_attributes(info),
            report_sink: Some(faults.sink(enabled.contains(&"VK_KHR_device_fault"))),
            ..DeviceOptions::default()
        };
        // 0 means one thread per processor; finding that number would take time.
        if options.threads > 0 && options.threads > options.threads_in_use() {
            let (asked, used) = (options.threads, options.threads_in_use());
            log(&format!("{asked} threads are too many, {used} are used"));
        }
        let device =
            quadrille::Device::with_queues(options, asked_queues.len()).map_err(|e| refused(&e))?;
        let queues = queues(&device, &asked_queues);
        let kept = device.clone();
        *out = create(Device {
            device,
            enabled,
            api_version,
            offer,
            border_colors: BorderColors::default(),
            faults,
            reports: Reports::of(info),
            counters: CounterPools::default(),
            placed: PlacedMaps::of(info),
            queues,
        });
        heap::enter(*out, kept);
        Ok(())
    }

    fn get_device_queue(device: vk::Device, family: u32, index: u32, out: *mut vk::Queue) {
        let flags = vk::DeviceQueueCreateFlags::empty();
        *out = find_queue(get::<Device>(device), Number { family, flags, index });
    }

    fn get_device_queue2(
        device: vk::Device,
        info: *const vk::DeviceQueueInfo2<'_>,
        out: *mut vk::Queue,
    ) {
        let vk::DeviceQueueInfo2 { flags, queue_family_index, queue_index, .. } = *info;
        let number = Number { family: queue_family_index, flags, index: queue_index };
        *out = find_queue(get::<Device>(device), number);
    }

    fn device_wait_idle(device: vk::Device) -> vk::Result {
        let device = &get::<Device>(device).device;
        device.wait_idle().map_err(|e| device_code(device, &e))
    }

    fn get_device_group_peer_memory_features(
        _d: vk::Device,
        _heap: u32,
        _local: u32,
        _remote: u32,
        out: *mut vk::PeerMemoryFeatureFlags,
    ) {
        *out = vk::PeerMemoryFeatureFlags::COPY_SRC
            | vk::PeerMemoryFeatureFlags::COPY_DST
            | vk::PeerMemoryFeatureFlags::GENERIC_SRC
            | vk::PeerMemoryFeatureFlags::GENERIC_DST;
    }
}
