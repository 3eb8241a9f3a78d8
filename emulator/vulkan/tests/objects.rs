//! Extensions of objects and memory: bindings of several resources at once, dedicated and zeroed memory, priorities, data of
//! the application, feedback about pipelines, tools.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use crate::common::{Gpu, sum};
use ash::vk;

const USAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
    vk::BufferUsageFlags::TRANSFER_SRC.as_raw() | vk::BufferUsageFlags::TRANSFER_DST.as_raw(),
);

/// Creates a device with an extension and its feature structure.
fn gpu(extension: &'static CStr, feature: &mut impl vk::ExtendsDeviceCreateInfo) -> Gpu {
    let extensions = [extension];
    Gpu::with(&extensions, |info| info.push_next(feature)).unwrap()
}

/// Two buffers share one allocation: each is at its own offset. Requirements are those of the first version of the query.
#[test]
fn buffers_are_bound_together() {
    let gpu = Gpu::new(&[c"VK_KHR_bind_memory2", c"VK_KHR_get_memory_requirements2"]);
    let d = &gpu.device;
    let bind = ash::khr::bind_memory2::Device::new(&gpu.instance, d);
    let requirements = ash::khr::get_memory_requirements2::Device::new(&gpu.instance, d);
    let info = vk::BufferCreateInfo::default().size(64).usage(USAGE);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let buffers = [(); 2].map(|()| d.create_buffer(&info, None).unwrap());
        let mut need = vk::MemoryRequirements2::default();
        let which = vk::BufferMemoryRequirementsInfo2::default().buffer(buffers[0]);
        requirements.get_buffer_memory_requirements2(&which, &mut need);
        let first = d.get_buffer_memory_requirements(buffers[0]);
        let need = need.memory_requirements;
        assert_eq!((need.size, need.alignment), (first.size, first.alignment));
        assert_eq!(need.memory_type_bits, first.memory_type_bits);
        let offset = need.size.next_multiple_of(need.alignment);
        let info = vk::MemoryAllocateInfo::default().allocation_size(offset + need.size);
        let memory = d.allocate_memory(&info, None).unwrap();
        let of = |i: usize, offset| {
            vk::BindBufferMemoryInfo::default().buffer(buffers[i]).memory(memory).memory_offset(offset)
        };
        let infos = [of(0, 0), of(1, offset)];
        (bind.fp().bind_buffer_memory2_khr)(d.handle(), 2, infos.as_ptr()).result().unwrap();
        gpu.run(|cmd| {
            d.cmd_fill_buffer(cmd, buffers[0], 0, 64, 1);
            d.cmd_fill_buffer(cmd, buffers[1], 0, 64, 2);
        });
        let at = d.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).unwrap().cast::<u8>();
        let word = |byte: u64| at.add(byte as usize).cast::<u32>().read();
        assert_eq!([word(0), word(60), word(offset), word(offset + 60)], [1, 1, 2, 2]);
        buffers.iter().for_each(|&b| d.destroy_buffer(b, None));
        d.free_memory(memory, None);
    }
}

/// Memory may belong to one buffer. Spec: Vulkan, VkMemoryDedicatedAllocateInfo.
#[test]
fn memory_is_dedicated_to_a_buffer() {
    let gpu = Gpu::new(&[c"VK_KHR_dedicated_allocation", c"VK_KHR_get_memory_requirements2"]);
    let d = &gpu.device;
    let requirements = ash::khr::get_memory_requirements2::Device::new(&gpu.instance, d);
    let info = vk::BufferCreateInfo::default().size(256).usage(USAGE);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let buffer = d.create_buffer(&info, None).unwrap();
        let mut dedicated = vk::MemoryDedicatedRequirements::default();
        let mut need = vk::MemoryRequirements2::default().push_next(&mut dedicated);
        let which = vk::BufferMemoryRequirementsInfo2::default().buffer(buffer);
        requirements.get_buffer_memory_requirements2(&which, &mut need);
        let size = need.memory_requirements.size;
        // A required dedicated allocation is preferred, too.
        let (requires, prefers) =
            (dedicated.requires_dedicated_allocation, dedicated.prefers_dedicated_allocation);
        assert!(requires <= prefers && prefers <= vk::TRUE);
        let mut owner = vk::MemoryDedicatedAllocateInfo::default().buffer(buffer);
        let info = vk::MemoryAllocateInfo::default().allocation_size(size).push_next(&mut owner);
        let mapped = gpu.bound(buffer, d.allocate_memory(&info, None).unwrap(), 256);
        gpu.run(|cmd| d.cmd_fill_buffer(cmd, buffer, 0, 256, 9));
        assert_eq!(mapped.read::<u32>(), [9; 64]);
        mapped.destroy(&gpu);
    }
}

/// VkPhysicalDeviceZeroInitializeDeviceMemoryFeaturesEXT, which the bindings lack.
#[repr(C)]
struct ZeroInitialize {
    ty: vk::StructureType,
    next: *const c_void,
    on: vk::Bool32,
}

/// Memory that is asked to be zero is, also where freed memory held other bytes.
#[test]
fn memory_begins_as_zeros() {
    let ty = vk::StructureType::from_raw(1_000_620_000);
    let feature = ZeroInitialize { ty, next: std::ptr::null(), on: vk::TRUE };
    let gpu = Gpu::with(&[c"VK_EXT_zero_initialize_device_memory"], |mut info| {
        info.p_next = (&raw const feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    let info = vk::BufferCreateInfo::default().size(1 << 16).usage(USAGE);
    for _ in 0..4 {
        // VK_MEMORY_ALLOCATE_ZERO_INITIALIZE_BIT_EXT.
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::from_raw(8));
        let allocate = vk::MemoryAllocateInfo::default().push_next(&mut flags);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        let mapped = unsafe {
            let buffer = gpu.device.create_buffer(&info, None).unwrap();
            let size = gpu.device.get_buffer_memory_requirements(buffer).size;
            let memory = gpu.device.allocate_memory(&allocate.allocation_size(size), None).unwrap();
            gpu.bound(buffer, memory, info.size)
        };
        assert!(mapped.read::<u64>().iter().all(|&word| word == 0));
        mapped.write(&vec![u64::MAX; 1 << 13]);
        mapped.destroy(&gpu);
    }
}

/// Priorities are hints: memory of each of them keeps its bytes, also when its priority changes.
#[test]
fn memory_has_priorities() {
    let mut priority = vk::PhysicalDeviceMemoryPriorityFeaturesEXT::default().memory_priority(true);
    let mut pageable =
        vk::PhysicalDevicePageableDeviceLocalMemoryFeaturesEXT::default().pageable_device_local_memory(true);
    let extensions = [c"VK_EXT_memory_priority", c"VK_EXT_pageable_device_local_memory"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut priority).push_next(&mut pageable)).unwrap();
    let commands = ash::ext::pageable_device_local_memory::Device::new(&gpu.instance, &gpu.device);
    let info = vk::BufferCreateInfo::default().size(64).usage(USAGE);
    for first in [0.0, 0.5, 1.0] {
        let mut of = vk::MemoryPriorityAllocateInfoEXT::default().priority(first);
        let allocate = vk::MemoryAllocateInfo::default().push_next(&mut of);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let buffer = gpu.device.create_buffer(&info, None).unwrap();
            let size = gpu.device.get_buffer_memory_requirements(buffer).size;
            let memory = gpu.device.allocate_memory(&allocate.allocation_size(size), None).unwrap();
            let mapped = gpu.bound(buffer, memory, info.size);
            mapped.write(&[5u32; 16]);
            (commands.fp().set_device_memory_priority_ext)(commands.device(), memory, 1.0 - first);
            assert_eq!(mapped.read::<u32>(), [5; 16]);
            mapped.destroy(&gpu);
        }
    }
}

/// Each slot has a value for each object, which is zero until it is set. Spec: Vulkan, "Private Data".
#[test]
fn objects_have_data_of_the_application() {
    use vk::Handle;
    let mut feature = vk::PhysicalDevicePrivateDataFeatures::default().private_data(true);
    let gpu = gpu(c"VK_EXT_private_data", &mut feature);
    let commands = ash::ext::private_data::Device::new(&gpu.instance, &gpu.device);
    let buffers = [(); 2].map(|()| gpu.buffer(16, USAGE));
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let (fns, device) = (commands.fp(), commands.device());
        let slots = [(); 2].map(|()| {
            let (mut slot, info) = (vk::PrivateDataSlot::null(), vk::PrivateDataSlotCreateInfo::default());
            let made = (fns.create_private_data_slot_ext)(device, &info, std::ptr::null(), &mut slot);
            made.result().unwrap();
            slot
        });
        let get = |i: usize, slot: usize| {
            let mut value = u64::MAX;
            let object = buffers[i].buffer.as_raw();
            (fns.get_private_data_ext)(device, vk::ObjectType::BUFFER, object, slots[slot], &mut value);
            value
        };
        let set = |i: usize, slot: usize, value| {
            let object = buffers[i].buffer.as_raw();
            let set = (fns.set_private_data_ext)(device, vk::ObjectType::BUFFER, object, slots[slot], value);
            set.result().unwrap();
        };
        assert_eq!([get(0, 0), get(1, 1)], [0, 0]);
        set(0, 0, 7);
        set(1, 0, 8);
        set(0, 1, u64::MAX - 1);
        set(0, 0, 9);
        assert_eq!([get(0, 0), get(1, 0), get(0, 1), get(1, 1)], [9, 8, u64::MAX - 1, 0]);
        slots.iter().for_each(|&s| (fns.destroy_private_data_slot_ext)(device, s, std::ptr::null()));
    }
    buffers.into_iter().for_each(|b| b.destroy(&gpu));
}

/// The creation of a pipeline tells that it happened, and for each stage how long it took.
#[test]
fn pipelines_tell_of_their_creation() {
    use vk::PipelineCreationFeedbackFlags as F;
    let gpu = Gpu::new(&[c"VK_EXT_pipeline_creation_feedback"]);
    let recipe = sum::Recipe::new(&gpu).unwrap();
    let mut whole = vk::PipelineCreationFeedback::default();
    let mut stages = [vk::PipelineCreationFeedback::default()];
    let mut feedback = vk::PipelineCreationFeedbackCreateInfo::default()
        .pipeline_creation_feedback(&mut whole)
        .pipeline_stage_creation_feedbacks(&mut stages);
    let stage = vk::PipelineShaderStageCreateInfo::default()
        .module(recipe.module)
        .stage(vk::ShaderStageFlags::COMPUTE)
        .name(c"main");
    let info =
        vk::ComputePipelineCreateInfo::default().stage(stage).layout(recipe.layout).push_next(&mut feedback);
    let start = std::time::Instant::now();
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the calls.
    unsafe {
        let made = gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None).unwrap();
        gpu.device.destroy_pipeline(made[0], None);
        gpu.device.destroy_shader_module(recipe.module, None);
        gpu.device.destroy_pipeline_layout(recipe.layout, None);
        gpu.device.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
    let most = start.elapsed().as_nanos() as u64;
    assert!(whole.flags.contains(F::VALID) && (1..=most).contains(&whole.duration), "{whole:?}");
    // A stage may be without feedback.
    assert!(!stages[0].flags.contains(F::VALID) || stages[0].duration <= most, "{stages:?}");
}

/// The driver itself is the only tool that it may list. Spec: Vulkan, vkGetPhysicalDeviceToolProperties.
#[test]
fn tools_are_listed() {
    let gpu = Gpu::new(&[c"VK_EXT_tooling_info"]);
    let commands = ash::ext::tooling_info::Instance::new(&vk_quadrille::entry(), &gpu.instance);
    let list = commands.fp().get_physical_device_tool_properties_ext;
    let mut count = u32::MAX;
    // SAFETY: valid usage of Vulkan: the physical device is live, and the count outlives the call.
    unsafe { list(gpu.physical, &mut count, std::ptr::null_mut()).result().unwrap() };
    assert!(count <= 1, "{count}");
    let mut tools = vec![vk::PhysicalDeviceToolProperties::default(); count as usize];
    // SAFETY: valid usage of Vulkan: the array has this number of elements.
    unsafe { list(gpu.physical, &mut count, tools.as_mut_ptr()).result().unwrap() };
    assert!(tools.iter().all(|tool| tool.name[0] != 0));
}

/// Buffers have addresses of their own, by the commands of the first extension with addresses.
#[test]
fn buffers_have_addresses() {
    let mut feature = vk::PhysicalDeviceBufferDeviceAddressFeaturesEXT::default().buffer_device_address(true);
    let gpu = gpu(c"VK_EXT_buffer_device_address", &mut feature);
    let commands = ash::ext::buffer_device_address::Device::new(&gpu.instance, &gpu.device);
    let buffers = [(); 2].map(|()| gpu.buffer(256, vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS));
    let [a, b] = [0, 1].map(|i| {
        let info = vk::BufferDeviceAddressInfo::default().buffer(buffers[i].buffer);
        // SAFETY: valid usage of Vulkan: the buffer is live and bound.
        unsafe { (commands.fp().get_buffer_device_address_ext)(commands.device(), &info) }
    });
    assert!(a != 0 && b != 0 && a.abs_diff(b) >= 256, "{a:#x} {b:#x}");
    buffers.into_iter().for_each(|b| b.destroy(&gpu));
}

/// Queries that the host resets are not available, and count anew. Spec: Vulkan, vkResetQueryPool.
#[test]
fn queries_are_reset_on_the_host() {
    let mut feature = vk::PhysicalDeviceHostQueryResetFeatures::default().host_query_reset(true);
    let gpu = gpu(c"VK_EXT_host_query_reset", &mut feature);
    let (d, commands) = (&gpu.device, ash::ext::host_query_reset::Device::new(&gpu.instance, &gpu.device));
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(3);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let pool = d.create_query_pool(&info, None).unwrap();
        let reset = |first, count| {
            (commands.fp().reset_query_pool_ext)(d.handle(), pool, first, count);
        };
        let available = || {
            let mut got = [[0u64; 2]; 3];
            let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
            let _ = d.get_query_pool_results(pool, 0, &mut got, flags);
            got.map(|[_, available]| available != 0)
        };
        let write = || {
            gpu.run(|cmd| {
                for query in 0..3 {
                    d.cmd_write_timestamp(cmd, vk::PipelineStageFlags::BOTTOM_OF_PIPE, pool, query);
                }
            });
        };
        reset(0, 3);
        assert_eq!(available(), [false; 3]);
        write();
        assert_eq!(available(), [true; 3]);
        reset(1, 1);
        assert_eq!(available(), [true, false, true]);
        reset(0, 3);
        write();
        assert_eq!(available(), [true; 3]);
        d.destroy_query_pool(pool, None);
    }
}

/// Every physical device is a group of its own.
#[test]
fn devices_are_groups() {
    let gpu = Gpu::new(&[]);
    // SAFETY: valid usage of Vulkan: the instance is live, and the array has the number of elements beside it.
    let groups = unsafe {
        let count = gpu.instance.enumerate_physical_device_groups_len().unwrap();
        let mut groups = vec![vk::PhysicalDeviceGroupProperties::default(); count];
        gpu.instance.enumerate_physical_device_groups(&mut groups).unwrap();
        groups
    };
    let [group] = &groups[..] else { panic!("{groups:?}") };
    assert_eq!((group.physical_device_count, group.physical_devices[0]), (1, gpu.physical));
}

/// Fences and semaphores are exported and imported as opaque descriptors, but not as handles of Windows.
#[test]
#[cfg(target_os = "linux")]
fn handles_of_fences_and_semaphores_are_described() {
    use vk::{ExternalFenceFeatureFlags as F, ExternalSemaphoreFeatureFlags as S};
    let gpu = Gpu::new(&[]);
    let fence = |ty| {
        let info = vk::PhysicalDeviceExternalFenceInfo::default().handle_type(ty);
        let mut out = vk::ExternalFenceProperties::default();
        // SAFETY: valid usage of Vulkan: the structures are live during the call.
        unsafe { gpu.instance.get_physical_device_external_fence_properties(gpu.physical, &info, &mut out) };
        assert!(out.external_fence_features.is_empty() || out.compatible_handle_types.contains(ty));
        out.external_fence_features
    };
    let semaphore = |ty| {
        let info = vk::PhysicalDeviceExternalSemaphoreInfo::default().handle_type(ty);
        let mut out = vk::ExternalSemaphoreProperties::default();
        let get = |out: &mut _| {
            // SAFETY: valid usage of Vulkan: the structures are live during the call.
            unsafe {
                gpu.instance.get_physical_device_external_semaphore_properties(gpu.physical, &info, out)
            }
        };
        get(&mut out);
        assert!(out.external_semaphore_features.is_empty() || out.compatible_handle_types.contains(ty));
        out.external_semaphore_features
    };
    use vk::{ExternalFenceHandleTypeFlags as OfFence, ExternalSemaphoreHandleTypeFlags as OfSemaphore};
    assert_eq!(fence(OfFence::OPAQUE_FD), F::EXPORTABLE | F::IMPORTABLE);
    assert_eq!(fence(OfFence::OPAQUE_WIN32), F::empty());
    assert_eq!(semaphore(OfSemaphore::OPAQUE_FD), S::EXPORTABLE | S::IMPORTABLE);
    assert_eq!(semaphore(OfSemaphore::OPAQUE_WIN32), S::empty());
}

/// Pipelines that promise not to access protected memory run in command buffers that are not protected; so do those that
/// promise nothing. Spec: Vulkan, VK_PIPELINE_CREATE_NO_PROTECTED_ACCESS_BIT.
#[test]
fn pipelines_promise_not_to_access_protected_memory() {
    let mut feature =
        vk::PhysicalDevicePipelineProtectedAccessFeaturesEXT::default().pipeline_protected_access(true);
    let gpu = gpu(c"VK_EXT_pipeline_protected_access", &mut feature);
    let d = &gpu.device;
    let recipe = sum::Recipe::new(&gpu).unwrap();
    let [a, b, sum] = sum::buffers(&gpu, 1);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(recipe.module)
            .name(c"main");
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(recipe.layout);
        let flags = [
            vk::PipelineCreateFlags::NO_PROTECTED_ACCESS_EXT,
            vk::PipelineCreateFlags::PROTECTED_ACCESS_ONLY_EXT,
            vk::PipelineCreateFlags::empty(),
        ];
        let infos = flags.map(|flags| info.flags(flags));
        let made = d.create_compute_pipelines(vk::PipelineCache::null(), &infos, None).unwrap();
        let (pool, set) = recipe.set(&gpu, [a.buffer, b.buffer, sum.buffer]).unwrap();
        // A protected command buffer, which the second pipeline needs, needs protected memory.
        for pipeline in [made[0], made[2]] {
            sum.write(&[0.0f32; 64]);
            gpu.run(|cmd| recipe.record(&gpu, cmd, pipeline, set, 64));
            let expected: Vec<f32> =
                a.read::<f32>().iter().zip(b.read::<f32>()).map(|(a, b)| a + b).take(64).collect();
            assert!(expected.iter().any(|v| *v != 0.0));
            assert_eq!(sum.read::<f32>()[..64], expected);
        }
        made.iter().for_each(|&pipeline| d.destroy_pipeline(pipeline, None));
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
        d.destroy_shader_module(recipe.module, None);
    }
    [a, b, sum].into_iter().for_each(|buffer| buffer.destroy(&gpu));
}
