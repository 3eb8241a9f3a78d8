//! Several queues: families, and ordering between queues by semaphores and events.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::sync::Mutex;

use crate::common::{Gpu, Mapped, sum};
use ash::vk;

const USAGE: vk::BufferUsageFlags = vk::BufferUsageFlags::from_raw(
    vk::BufferUsageFlags::TRANSFER_SRC.as_raw() | vk::BufferUsageFlags::TRANSFER_DST.as_raw(),
);
const WORDS: u64 = 1 << 10;

/// Creates a device with all available queues, and returns those of each family.
fn all_queues(extensions: &[&std::ffi::CStr]) -> (Gpu, Vec<Vec<vk::Queue>>) {
    let families = {
        let gpu = Gpu::new(&[]);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        unsafe { gpu.instance.get_physical_device_queue_family_properties(gpu.physical) }
    };
    let priorities = vec![1.0; families.iter().map(|f| f.queue_count as usize).max().unwrap()];
    let infos: Vec<_> = (0..families.len())
        .map(|i| {
            let n = families[i].queue_count as usize;
            vk::DeviceQueueCreateInfo::default()
                .queue_family_index(i as u32)
                .queue_priorities(&priorities[..n])
        })
        .collect();
    let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
    let gpu = Gpu::with_queues(&infos, extensions, |info| info.push_next(&mut timeline)).unwrap();
    // SAFETY: the device was created with these queues.
    let get = |family, index| unsafe { gpu.device.get_device_queue(family as u32, index) };
    let queues = (0..families.len()).map(|f| (0..families[f].queue_count).map(|i| get(f, i)).collect());
    let queues = queues.collect();
    (gpu, queues)
}

/// Returns a command buffer recorded by `record`.
fn commands(gpu: &Gpu, record: impl FnOnce(vk::CommandBuffer)) -> vk::CommandBuffer {
    let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let cmd = gpu.device.allocate_command_buffers(&info).unwrap()[0];
        gpu.device.begin_command_buffer(cmd, &Default::default()).unwrap();
        record(cmd);
        gpu.device.end_command_buffer(cmd).unwrap();
        cmd
    }
}

fn timelines(gpu: &Gpu) -> ash::khr::timeline_semaphore::Device {
    ash::khr::timeline_semaphore::Device::new(&gpu.instance, &gpu.device)
}

fn timeline(gpu: &Gpu) -> vk::Semaphore {
    let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_semaphore(&vk::SemaphoreCreateInfo::default().push_next(&mut kind), None) }
        .unwrap()
}

/// Submits a command buffer that waits for `wait` on the timeline semaphore and then signals `signal`.
fn submit(gpu: &Gpu, queue: vk::Queue, cmd: vk::CommandBuffer, order: vk::Semaphore, wait: u64, signal: u64) {
    let (waits, signals, list) = ([wait], [signal], [cmd]);
    let mut values = vk::TimelineSemaphoreSubmitInfo::default()
        .wait_semaphore_values(&waits)
        .signal_semaphore_values(&signals);
    let semaphores = [order];
    let info = vk::SubmitInfo::default()
        .wait_semaphores(&semaphores)
        .wait_dst_stage_mask(&[vk::PipelineStageFlags::ALL_COMMANDS])
        .signal_semaphores(&semaphores)
        .command_buffers(&list)
        .push_next(&mut values);
    // SAFETY: valid usage of Vulkan: the queue, the command buffers and the semaphores are live.
    unsafe { gpu.device.queue_submit(queue, &[info], vk::Fence::null()) }.unwrap();
}

/// Waits for a value with a timeout; returns `true` if it was reached.
fn reached(gpu: &Gpu, order: vk::Semaphore, value: u64) -> bool {
    let (semaphores, values) = ([order], [value]);
    let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
    // SAFETY: valid usage of Vulkan: the objects to wait for are live.
    unsafe { timelines(gpu).wait_semaphores(&info, 60_000_000_000) }.is_ok()
}

fn copy(gpu: &Gpu, from: &Mapped, to: &Mapped) -> vk::CommandBuffer {
    let region = [vk::BufferCopy { src_offset: 0, dst_offset: 0, size: WORDS * 4 }];
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
    commands(gpu, |c| unsafe { gpu.device.cmd_copy_buffer(c, from.buffer, to.buffer, &region) })
}

/// Each requested queue has its own handle. Spec: Vulkan, "Devices and Queues".
#[test]
fn families_have_queues_of_their_own() {
    let (gpu, queues) = all_queues(&[c"VK_KHR_timeline_semaphore"]);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let families = unsafe { gpu.instance.get_physical_device_queue_family_properties(gpu.physical) };
    let needs = vk::QueueFlags::COMPUTE | vk::QueueFlags::TRANSFER;
    assert!(families.iter().all(|f| f.queue_flags.contains(needs)));
    assert!(families[0].queue_flags.contains(vk::QueueFlags::GRAPHICS));
    assert!(families.iter().any(|f| !f.queue_flags.contains(vk::QueueFlags::GRAPHICS)));
    let mut all: Vec<_> = queues.concat();
    all.sort();
    all.dedup();
    assert_eq!(all.len(), families.iter().map(|f| f.queue_count as usize).sum::<usize>());
    assert!(all.iter().all(|q| *q != vk::Queue::null()));
}

/// VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR, which the bindings lack.
#[repr(C)]
struct Optimal {
    ty: vk::StructureType,
    next: *mut std::ffi::c_void,
    granularity: vk::Extent3D,
}

/// Every queue copies images texel by texel, and a resource may be concurrent for one family. Spec: Vulkan, `maintenance11`,
/// VkQueueFamilyOptimalImageTransferGranularityPropertiesKHR.
#[test]
fn queues_copy_texel_by_texel() {
    // VkPhysicalDeviceMaintenance11FeaturesKHR has the members of this structure.
    let feature = vk::PhysicalDeviceDynamicRenderingFeatures {
        s_type: vk::StructureType::from_raw(1_000_657_000),
        dynamic_rendering: vk::TRUE,
        ..Default::default()
    };
    let gpu = Gpu::with(&[c"VK_KHR_maintenance11"], |mut info| {
        info.p_next = (&raw const feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    let ty = vk::StructureType::from_raw(1_000_657_001);
    // SAFETY: valid usage of Vulkan: the structures are live during the calls.
    unsafe {
        let n = gpu.instance.get_physical_device_queue_family_properties2_len(gpu.physical);
        let none = Optimal { ty, next: std::ptr::null_mut(), granularity: vk::Extent3D::default() };
        let mut optimal: Vec<Optimal> = (0..n).map(|_| Optimal { ..none }).collect();
        let mut all: Vec<_> = optimal
            .iter_mut()
            .map(|of| vk::QueueFamilyProperties2 { p_next: (&raw mut *of).cast(), ..Default::default() })
            .collect();
        gpu.instance.get_physical_device_queue_family_properties2(gpu.physical, &mut all);
        let texel = vk::Extent3D { width: 1, height: 1, depth: 1 };
        assert!(all.iter().all(|of| of.queue_family_properties.min_image_transfer_granularity == texel));
        let powers = |e: vk::Extent3D| [e.width, e.height, e.depth].iter().all(|n| n.is_power_of_two());
        assert!(optimal.iter().all(|of| powers(of.granularity)));
    }
    let info = vk::BufferCreateInfo::default().size(64).usage(USAGE);
    let buffer = gpu.buffer_with(&info.sharing_mode(vk::SharingMode::CONCURRENT).queue_family_indices(&[0]));
    // SAFETY: valid usage of Vulkan: recording has begun, and the buffer is live.
    gpu.run(|cmd| unsafe { gpu.device.cmd_fill_buffer(cmd, buffer.buffer, 4, 8, 7) });
    assert_eq!(buffer.read::<u32>()[..5], [0, 7, 7, 0, 0]);
    buffer.destroy(&gpu);
}

/// A wait may be submitted before the signal, to another queue. Spec: Vulkan, "Semaphore Signaling".
#[test]
fn work_is_passed_on_from_queue_to_queue_in_reverse_order_of_submission() {
    let (gpu, queues) = all_queues(&[c"VK_KHR_timeline_semaphore"]);
    let queues = queues.concat();
    let buffers: Vec<_> = (0..=queues.len()).map(|_| gpu.buffer(WORDS * 4, USAGE)).collect();
    let data: Vec<u32> = (0..WORDS as u32).map(|i| i * 7 + 1).collect();
    buffers[0].write(&data);
    let order = timeline(&gpu);
    for (i, &queue) in queues.iter().enumerate().rev() {
        let cmd = copy(&gpu, &buffers[i], &buffers[i + 1]);
        submit(&gpu, queue, cmd, order, i as u64 + 1, i as u64 + 2);
    }
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let info = vk::SemaphoreSignalInfo::default().semaphore(order).value(1);
        timelines(&gpu).signal_semaphore(&info).unwrap();
        assert!(reached(&gpu, order, queues.len() as u64 + 1));
        assert_eq!(buffers.last().unwrap().read::<u32>(), data);
        gpu.device.device_wait_idle().unwrap();
        gpu.device.destroy_semaphore(order, None);
    }
    buffers.into_iter().for_each(|b| b.destroy(&gpu));
}

/// A queue that waits for the host blocks no other queue. Spec: Vulkan, "Events".
#[test]
fn a_queue_that_waits_for_an_event_holds_up_no_other() {
    let (gpu, queues) = all_queues(&[c"VK_KHR_timeline_semaphore"]);
    let order = timeline(&gpu);
    let (from, to) = (gpu.buffer(WORDS * 4, USAGE), gpu.buffer(WORDS * 4, USAGE));
    from.write(&[5u32; WORDS as usize]);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let event = gpu.device.create_event(&Default::default(), None).unwrap();
        let waits = commands(&gpu, |c| {
            let (host, all) = (vk::PipelineStageFlags::HOST, vk::PipelineStageFlags::ALL_COMMANDS);
            gpu.device.cmd_wait_events(c, &[event], host, all, &[], &[], &[]);
        });
        let info = vk::SubmitInfo::default();
        let (list, done) = ([waits], gpu.device.create_fence(&Default::default(), None).unwrap());
        gpu.device.queue_submit(queues[0][0], &[info.command_buffers(&list)], done).unwrap();
        submit(&gpu, queues[1][0], copy(&gpu, &from, &to), order, 0, 1);
        assert!(reached(&gpu, order, 1));
        assert_eq!(to.read::<u32>(), [5u32; WORDS as usize]);
        assert!(!gpu.device.get_fence_status(done).unwrap());
        gpu.device.set_event(event).unwrap();
        gpu.device.wait_for_fences(&[done], true, 60_000_000_000).unwrap();
        gpu.device.device_wait_idle().unwrap();
        gpu.device.destroy_fence(done, None);
        gpu.device.destroy_event(event, None);
        gpu.device.destroy_semaphore(order, None);
    }
    from.destroy(&gpu);
    to.destroy(&gpu);
}

/// More queues than exist, and families that do not exist, are refused.
#[test]
fn queues_that_are_not_there_are_refused() {
    for (family, n) in [(0, 100), (2, 1), (u32::MAX, 1)] {
        let priorities = vec![1.0; n];
        let info =
            vk::DeviceQueueCreateInfo::default().queue_family_index(family).queue_priorities(&priorities);
        let code = Gpu::with_queues(&[info], &[], |info| info).err();
        assert_eq!(code, Some(vk::Result::ERROR_INITIALIZATION_FAILED));
    }
}

/// Creates a pipeline, records a sum, submits it to a queue, and checks the result.
fn sum_of_a_thread(
    gpu: &Gpu,
    recipe: &sum::Recipe,
    cache: vk::PipelineCache,
    queue: &Mutex<vk::Queue>,
    seed: u32,
) {
    let d = &gpu.device;
    let buffers = sum::buffers(gpu, seed);
    let pipeline = recipe.pipeline(gpu, cache).unwrap();
    let (sets, set) = recipe.set(gpu, sum::handles(&buffers)).unwrap();
    // SAFETY: valid usage of Vulkan: the pools belong to this thread, and the queue is locked.
    unsafe {
        let pool = d.create_command_pool(&Default::default(), None).unwrap();
        let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
        let commands = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(commands[0], &Default::default()).unwrap();
        recipe.record(gpu, commands[0], pipeline, set, sum::COUNT);
        d.end_command_buffer(commands[0]).unwrap();
        let fence = d.create_fence(&Default::default(), None).unwrap();
        let info = vk::SubmitInfo::default().command_buffers(&commands);
        d.queue_submit(*queue.lock().unwrap(), &[info], fence).unwrap();
        d.wait_for_fences(&[fence], true, 60_000_000_000).unwrap();
        assert!(sum::is_right(&buffers, seed), "thread and round {seed}");
        d.destroy_fence(fence, None);
        d.destroy_command_pool(pool, None);
        d.destroy_descriptor_pool(sets, None);
        d.destroy_pipeline(pipeline, None);
    }
    buffers.into_iter().for_each(|b| b.destroy(gpu));
}

/// Only queues and pools are synchronized here; the device, the objects of pipelines, and the pipeline cache need no
/// synchronization. Spec: Vulkan, "Threading Behavior".
#[test]
fn threads_make_record_and_submit_at_once() {
    const THREADS: usize = 8;
    let (gpu, queues) = all_queues(&[c"VK_KHR_timeline_semaphore"]);
    let queues: Vec<_> = queues[0].iter().map(|&q| Mutex::new(q)).collect();
    let recipe = sum::Recipe::new(&gpu).unwrap();
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    let cache = unsafe { gpu.device.create_pipeline_cache(&Default::default(), None) }.unwrap();
    // All threads use one queue, then several.
    for shared in [1, queues.len()] {
        std::thread::scope(|s| {
            for thread in 0..THREADS {
                let (gpu, recipe, queue) = (&gpu, &recipe, &queues[thread % shared]);
                s.spawn(move || {
                    for round in 0..10 {
                        sum_of_a_thread(gpu, recipe, cache, queue, (thread * 100 + round) as u32);
                    }
                });
            }
        });
    }
    // SAFETY: all threads have ended, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_pipeline_cache(cache, None);
        gpu.device.destroy_shader_module(recipe.module, None);
        gpu.device.destroy_pipeline_layout(recipe.layout, None);
        gpu.device.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
}
