//! Memory mapped at addresses of the application, queues of several threads, and flags of images with 64 bits.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::c_void;

use ash::vk;
use common::{Gpu, sum};

/// Addresses that this test owns: whole pages of zeros, which are never given back.
#[cfg(not(windows))]
fn own(bytes: usize, page: usize) -> *mut c_void {
    // So many bytes that the allocator maps them on their own.
    let room = Vec::leak(vec![0u8; (bytes + page).max(1 << 20)]);
    let at = room.as_ptr().align_offset(page);
    room[at..].as_mut_ptr().cast()
}

/// The device and the map see each other's writes; without the map, the memory keeps its bytes. Spec: Vulkan,
/// VkMemoryMapPlacedInfoEXT. (Windows maps no files over reserved addresses.)
#[cfg(not(windows))]
#[test]
fn memory_is_mapped_where_the_application_says() {
    let mut features = vk::PhysicalDeviceMapMemoryPlacedFeaturesEXT::default()
        .memory_map_placed(true)
        .memory_map_range_placed(true)
        .memory_unmap_reserve(true);
    let extensions = [c"VK_KHR_map_memory2", c"VK_EXT_map_memory_placed"];
    let gpu = Gpu::with(&extensions, |info| info.push_next(&mut features)).unwrap();
    let d = &gpu.device;
    let commands = ash::khr::map_memory2::Device::new(&gpu.instance, d);
    let (map, unmap_memory) = (commands.fp().map_memory2_khr, commands.fp().unmap_memory2_khr);
    let mut placed = vk::PhysicalDeviceMapMemoryPlacedPropertiesEXT::default();
    let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut placed);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them, and the test owns the addresses.
    unsafe {
        gpu.instance.get_physical_device_properties2(gpu.physical, &mut all);
        let page = placed.min_placed_memory_map_alignment as usize;
        assert!(page.is_power_of_two() && page <= 65_536, "{page}");
        let recipe = sum::Recipe::new(&gpu).unwrap();
        let pipeline = recipe.pipeline(&gpu, vk::PipelineCache::null()).unwrap();
        let buffers = sum::buffers(&gpu, 9);
        let (sets, set) = recipe.set(&gpu, sum::handles(&buffers)).unwrap();
        d.unmap_memory(buffers[2].memory);

        let at = own(page, page);
        let mut place = vk::MemoryMapPlacedInfoEXT { p_placed_address: at, ..Default::default() };
        let info = vk::MemoryMapInfoKHR::default()
            .flags(vk::MemoryMapFlags::PLACED_EXT)
            .memory(buffers[2].memory)
            .size(vk::WHOLE_SIZE)
            .push_next(&mut place);
        let mapped = || {
            let mut at = std::ptr::null_mut();
            map(d.handle(), &info, &mut at).result().unwrap();
            at
        };
        assert_eq!(mapped(), at);
        gpu.run(|c| recipe.record(&gpu, c, pipeline, set, sum::COUNT));
        let sums = std::slice::from_raw_parts(at.cast::<f32>(), sum::COUNT as usize);
        let right: Vec<f32> = (0..sum::COUNT).map(|i| (i * 8 + 18) as f32).collect();
        assert_eq!(sums, right);
        // The host writes through the map, the driver reads the same bytes.
        at.cast::<f32>().write(123.0);
        assert_eq!(buffers[2].read::<f32>()[0], 123.0);

        let mut unmap = vk::MemoryUnmapInfoKHR::default().memory(buffers[2].memory);
        unmap.flags = vk::MemoryUnmapFlagsKHR::RESERVE_EXT;
        unmap_memory(d.handle(), &unmap).result().unwrap();
        at.cast::<f32>().write(5.0);
        assert_eq!(buffers[2].read::<f32>()[0], 123.0, "the addresses are not mapped any more");
        // Freeing memory unmaps it, too.
        assert_eq!(mapped(), at);
        assert_eq!(at.cast::<f32>().read(), 123.0);

        buffers.into_iter().for_each(|b| b.destroy(&gpu));
        d.destroy_descriptor_pool(sets, None);
        d.destroy_pipeline(pipeline, None);
        d.destroy_shader_module(recipe.module, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
}

/// VK_DEVICE_QUEUE_CREATE_INTERNALLY_SYNCHRONIZED_BIT_KHR.
const SYNCHRONIZED: vk::DeviceQueueCreateFlags = vk::DeviceQueueCreateFlags::from_raw(1 << 2);

/// VkPhysicalDeviceInternallySynchronizedQueuesFeaturesKHR and VkPhysicalDeviceExtendedFlagsFeaturesKHR.
#[repr(C)]
struct Feature {
    ty: vk::StructureType,
    next: *mut c_void,
    on: vk::Bool32,
}

impl Feature {
    fn new(ty: i32) -> Feature {
        Feature { ty: vk::StructureType::from_raw(ty), next: std::ptr::null_mut(), on: vk::TRUE }
    }
}

/// Queues of one family with different flags have indices of their own. Spec: Vulkan, VkDeviceCreateInfo and
/// VkDeviceQueueInfo2.
#[test]
fn queues_with_different_flags_are_counted_apart() {
    let mut feature = Feature::new(1_000_504_000);
    let plain = vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0, 1.0]);
    let queues = [plain.flags(SYNCHRONIZED).queue_priorities(&[1.0]), plain];
    let extensions = [c"VK_KHR_internally_synchronized_queues"];
    let gpu = Gpu::with_queues(&queues, &extensions, |mut info| {
        info.p_next = (&raw mut feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    // SAFETY: valid usage of Vulkan: the device was created with these queues.
    let found = unsafe {
        [
            gpu.device.get_device_queue2(&vk::DeviceQueueInfo2::default().flags(SYNCHRONIZED)),
            gpu.device.get_device_queue2(&vk::DeviceQueueInfo2::default()),
            gpu.device.get_device_queue2(&vk::DeviceQueueInfo2::default().queue_index(1)),
        ]
    };
    // SAFETY: valid usage of Vulkan: the device was created with two queues without flags.
    let plain = [0, 1].map(|index| unsafe { gpu.device.get_device_queue(0, index) });
    assert_eq!(found[1..], plain);
    let mut all = found.to_vec();
    all.sort();
    all.dedup();
    assert!(all.len() == 3 && !all.contains(&vk::Queue::null()), "{found:?}");
}

/// Threads submit to one queue at once without a lock. Spec: Vulkan, VK_KHR_internally_synchronized_queues.
#[test]
fn several_threads_use_a_queue_at_once() {
    const THREADS: u32 = 4;
    let mut feature = Feature::new(1_000_504_000);
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0]).flags(SYNCHRONIZED)];
    let extensions = [c"VK_KHR_internally_synchronized_queues"];
    let gpu = Gpu::with_queues(&queues, &extensions, |mut info| {
        info.p_next = (&raw mut feature).cast();
        info
    });
    let mut gpu = gpu.unwrap();
    let recipe = sum::Recipe::new(&gpu).unwrap();
    // SAFETY: valid usage of Vulkan: each thread uses its own objects, and the queue is synchronized internally.
    unsafe {
        let info = vk::DeviceQueueInfo2::default().flags(SYNCHRONIZED);
        gpu.queue = gpu.device.get_device_queue2(&info);
        assert_ne!(gpu.queue, vk::Queue::null());
        let protected = vk::DeviceQueueInfo2::default().flags(vk::DeviceQueueCreateFlags::PROTECTED);
        assert_eq!(gpu.device.get_device_queue2(&protected), vk::Queue::null());
        let (gpu, recipe) = (&gpu, &recipe);
        let d = &gpu.device;
        std::thread::scope(|scope| {
            for thread in 0..THREADS {
                scope.spawn(move || {
                    let pipeline = recipe.pipeline(gpu, vk::PipelineCache::null()).unwrap();
                    let pool = d.create_command_pool(&Default::default(), None).unwrap();
                    let info =
                        vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
                    let cmd = d.allocate_command_buffers(&info).unwrap();
                    let fence = d.create_fence(&Default::default(), None).unwrap();
                    for seed in (thread * 100)..(thread * 100 + 25) {
                        let buffers = sum::buffers(gpu, seed);
                        let (sets, set) = recipe.set(gpu, sum::handles(&buffers)).unwrap();
                        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
                        recipe.record(gpu, cmd[0], pipeline, set, sum::COUNT);
                        d.end_command_buffer(cmd[0]).unwrap();
                        let submit = [vk::SubmitInfo::default().command_buffers(&cmd)];
                        d.queue_submit(gpu.queue, &submit, fence).unwrap();
                        if seed % 2 == 0 {
                            d.queue_wait_idle(gpu.queue).unwrap();
                        }
                        d.wait_for_fences(&[fence], true, u64::MAX).unwrap();
                        d.reset_fences(&[fence]).unwrap();
                        d.reset_command_pool(pool, Default::default()).unwrap();
                        assert!(sum::is_right(&buffers, seed), "seed {seed}");
                        d.destroy_descriptor_pool(sets, None);
                        buffers.into_iter().for_each(|b| b.destroy(gpu));
                    }
                    d.destroy_fence(fence, None);
                    d.destroy_command_pool(pool, None);
                    d.destroy_pipeline(pipeline, None);
                });
            }
        });
        d.destroy_shader_module(recipe.module, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
    }
}

/// VkImageUsageFlags2CreateInfoKHR and VkImageCreateFlags2CreateInfoKHR.
#[repr(C)]
struct Wide {
    ty: vk::StructureType,
    next: *mut c_void,
    flags: u64,
}

/// Flags of 64 bits replace those of the structure that they extend. Spec: Vulkan, VK_KHR_extended_flags.
#[test]
fn images_have_flags_of_64_bits() {
    use vk::ImageUsageFlags as U;
    let mut feature = Feature::new(1_000_668_004);
    let gpu = Gpu::with(&[c"VK_KHR_extended_flags"], |mut info| {
        info.p_next = (&raw mut feature).cast();
        info
    });
    let gpu = gpu.unwrap();
    let query = |usage: U, wide: Option<U>, flags: Option<vk::ImageCreateFlags>| {
        let mut flags_of = Wide {
            ty: vk::StructureType::from_raw(1_000_668_001),
            next: std::ptr::null_mut(),
            flags: flags.unwrap_or_default().as_raw().into(),
        };
        let mut usage_of = Wide {
            ty: vk::StructureType::from_raw(1_000_668_002),
            next: if flags.is_some() { (&raw mut flags_of).cast() } else { std::ptr::null_mut() },
            flags: wide.unwrap_or_default().as_raw().into(),
        };
        let mut info = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(vk::Format::D32_SFLOAT)
            .ty(vk::ImageType::TYPE_2D)
            .usage(usage);
        if wide.is_some() {
            info.p_next = (&raw mut usage_of).cast();
        }
        let mut out = vk::ImageFormatProperties2::default();
        // SAFETY: valid usage of Vulkan: the chain consists of live structures.
        unsafe { gpu.instance.get_physical_device_image_format_properties2(gpu.physical, &info, &mut out) }
    };
    let refused = Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED);
    assert_eq!(query(U::COLOR_ATTACHMENT, None, None), refused, "depth is no colour");
    assert_eq!(query(U::COLOR_ATTACHMENT, Some(U::DEPTH_STENCIL_ATTACHMENT), None), Ok(()));
    assert_eq!(query(U::DEPTH_STENCIL_ATTACHMENT, Some(U::COLOR_ATTACHMENT), None), refused);
    let blocks = vk::ImageCreateFlags::BLOCK_TEXEL_VIEW_COMPATIBLE;
    assert_eq!(query(U::SAMPLED, Some(U::SAMPLED), Some(blocks)), refused, "the format has no blocks");
    // No feature beyond those of VkFormatProperties3 is defined.
    let mut more = [u64::MAX; 5];
    more[0] = 1_000_668_000;
    more[1] = 0;
    let mut out = vk::FormatProperties2 { p_next: more.as_mut_ptr().cast(), ..Default::default() };
    // SAFETY: valid usage of Vulkan: the chain is VkFormatProperties4KHR with its type and no successor.
    unsafe {
        let format = vk::Format::R8G8B8A8_UNORM;
        gpu.instance.get_physical_device_format_properties2(gpu.physical, format, &mut out);
    }
    assert_eq!(more[2..], [0; 3]);
}
