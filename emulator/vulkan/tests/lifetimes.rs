//! Objects that go while others that were made from them stay, as Vulkan allows.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::sync::Mutex;

use ash::vk;
use common::Gpu;

/// Tests that look at the heap, which is one for the process, take turns.
static HEAP: Mutex<()> = Mutex::new(());

/// Bytes in use of the one heap, as VK_EXT_memory_budget tells.
fn heap_usage(gpu: &Gpu) -> u64 {
    let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
    let mut out = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
    // SAFETY: valid usage of Vulkan.
    unsafe { gpu.instance.get_physical_device_memory_properties2(gpu.physical, &mut out) };
    let size = out.memory_properties.memory_heaps[0].size;
    assert!((1..=size).contains(&budget.heap_budget[0]));
    assert_eq!(budget.heap_budget[1..], [0; 15]);
    budget.heap_usage[0]
}

/// A recorded command buffer, a buffer and an image keep no memory from the heap once it is freed.
#[test]
fn freed_memory_goes_back_to_the_heap() {
    let _turn = HEAP.lock().unwrap_or_else(|e| e.into_inner());
    let gpu = Gpu::new(&[c"VK_EXT_memory_budget"]);
    let d = &gpu.device;
    // More than what other tests of this process take in the meantime.
    let size = 16 << 20;
    let before = heap_usage(&gpu);
    let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
    // SAFETY: valid usage of Vulkan: the recorded commands are not submitted after the memory is freed.
    unsafe {
        let buffer = gpu.buffer(size, usage);
        let cmd = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        d.cmd_fill_buffer(cmd[0], buffer.buffer, 0, vk::WHOLE_SIZE, 7);
        d.end_command_buffer(cmd[0]).unwrap();
        let submit = vk::SubmitInfo::default().command_buffers(&cmd);
        d.queue_submit(gpu.queue, &[submit], vk::Fence::null()).unwrap();
        d.queue_wait_idle(gpu.queue).unwrap();
        assert!(heap_usage(&gpu) >= before + size);
        d.free_memory(buffer.memory, None);
        assert!(heap_usage(&gpu) < before + size);
        d.destroy_buffer(buffer.buffer, None);
        d.reset_command_buffer(cmd[0], vk::CommandBufferResetFlags::empty()).unwrap();
        assert!(heap_usage(&gpu) < before + size);
        d.free_command_buffers(gpu.pool, &cmd);
    }
}

/// The same of an image with a view, which a descriptor set and a recorded command buffer hold.
#[test]
fn freed_memory_of_images_goes_back_to_the_heap() {
    let _turn = HEAP.lock().unwrap_or_else(|e| e.into_inner());
    let gpu = Gpu::new(&[c"VK_EXT_memory_budget"]);
    let d = &gpu.device;
    let sampled = vk::DescriptorType::SAMPLED_IMAGE;
    let before = heap_usage(&gpu);
    // SAFETY: valid usage of Vulkan: what refers to the memory is only destroyed after it is freed.
    unsafe {
        let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
        let picture = gpu.image(vk::Format::R8G8B8A8_UNORM, 2048, usage);
        let bindings = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(sampled)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::COMPUTE)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let sizes = [vk::DescriptorPoolSize::default().ty(sampled).descriptor_count(1)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap()[0];
        let layout = vk::ImageLayout::GENERAL;
        let images = [vk::DescriptorImageInfo::default().image_view(picture.view).image_layout(layout)];
        let write =
            vk::WriteDescriptorSet::default().dst_set(set).descriptor_type(sampled).image_info(&images);
        d.update_descriptor_sets(&[write], &[]);
        let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
        let cmd = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        d.cmd_clear_color_image(cmd[0], picture.image, layout, &Default::default(), &[common::WHOLE]);
        d.end_command_buffer(cmd[0]).unwrap();
        assert!(heap_usage(&gpu) >= before + (16 << 20));
        d.free_memory(picture.memory, None);
        assert!(heap_usage(&gpu) < before + (16 << 20));
        d.destroy_image_view(picture.view, None);
        d.destroy_image(picture.image, None);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_descriptor_set_layout(layouts[0], None);
    }
}

/// Sets of a pool go one by one in any order, and the rest with the pool.
#[test]
fn sets_are_freed_in_any_order() {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    let n = 100;
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    // SAFETY: valid usage of Vulkan.
    unsafe {
        let bindings = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(storage)
            .descriptor_count(1)
            .stage_flags(vk::ShaderStageFlags::COMPUTE)];
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layout = d.create_descriptor_set_layout(&info, None).unwrap();
        let sizes = [vk::DescriptorPoolSize::default().ty(storage).descriptor_count(n)];
        let info = vk::DescriptorPoolCreateInfo::default()
            .flags(vk::DescriptorPoolCreateFlags::FREE_DESCRIPTOR_SET)
            .max_sets(n)
            .pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let allocate = |n: u32| {
            let layouts = vec![layout; n as usize];
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            d.allocate_descriptor_sets(&info)
        };
        let mut sets = allocate(n).unwrap();
        // All or nothing.
        d.free_descriptor_sets(pool, &sets.split_off(98)).unwrap();
        assert_eq!(allocate(3).unwrap_err(), vk::Result::ERROR_OUT_OF_POOL_MEMORY);
        sets.extend(allocate(2).unwrap());
        for round in 0..50 {
            let gone: Vec<_> = (0..sets.len()).step_by(3 + round % 4).rev().map(|i| sets.remove(i)).collect();
            d.free_descriptor_sets(pool, &gone).unwrap();
            sets.extend(allocate(gone.len() as u32).unwrap());
            assert_eq!(allocate(1).unwrap_err(), vk::Result::ERROR_OUT_OF_POOL_MEMORY);
            let distinct: std::collections::HashSet<_> = sets.iter().collect();
            assert_eq!(distinct.len(), n as usize);
        }
        d.reset_descriptor_pool(pool, vk::DescriptorPoolResetFlags::empty()).unwrap();
        let sets = allocate(n).unwrap();
        d.free_descriptor_sets(pool, &[vk::DescriptorSet::null(), sets[0]]).unwrap();
        d.destroy_descriptor_pool(pool, None);
        d.destroy_descriptor_set_layout(layout, None);
    }
}
