//! Objects that are destroyed before objects made from them, as Vulkan allows.

#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::sync::Mutex;

use ash::vk;
use common::{Gpu, sum, triangle};

/// Serializes tests that measure the heap, which all devices of the process share.
static HEAP: Mutex<()> = Mutex::new(());

/// Heap memory in use, in bytes, as reported by VK_EXT_memory_budget.
fn heap_usage(gpu: &Gpu) -> u64 {
    let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
    let mut out = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    unsafe { gpu.instance.get_physical_device_memory_properties2(gpu.physical, &mut out) };
    let size = out.memory_properties.memory_heaps[0].size;
    assert!((1..=size).contains(&budget.heap_budget[0]));
    assert_eq!(budget.heap_budget[1..], [0; 15]);
    budget.heap_usage[0]
}

/// A recorded command buffer, a buffer and an image keep no heap memory once the memory is freed.
#[test]
fn freed_memory_goes_back_to_the_heap() {
    let _turn = HEAP.lock().unwrap_or_else(|e| e.into_inner());
    let gpu = Gpu::new(&[c"VK_EXT_memory_budget"]);
    let d = &gpu.device;
    // More than other tests of this process allocate in the meantime.
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
        assert!(heap_usage(&gpu) >= size);
        d.free_memory(buffer.memory, None);
        assert!(heap_usage(&gpu) < before + size);
        d.destroy_buffer(buffer.buffer, None);
        d.reset_command_buffer(cmd[0], vk::CommandBufferResetFlags::empty()).unwrap();
        assert!(heap_usage(&gpu) < before + size);
        d.free_command_buffers(gpu.pool, &cmd);
    }
}

/// Creates a layout of sets with one descriptor, for compute shaders.
fn set_layout(gpu: &Gpu, kind: vk::DescriptorType) -> vk::DescriptorSetLayout {
    let bindings = [vk::DescriptorSetLayoutBinding::default()
        .descriptor_type(kind)
        .descriptor_count(1)
        .stage_flags(vk::ShaderStageFlags::COMPUTE)];
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_descriptor_set_layout(&info, None) }.unwrap()
}

/// An image with a view, held by a descriptor set and a recorded command buffer, keeps no heap memory once it is freed.
#[test]
fn freed_memory_of_images_goes_back_to_the_heap() {
    let _turn = HEAP.lock().unwrap_or_else(|e| e.into_inner());
    let gpu = Gpu::new(&[c"VK_EXT_memory_budget"]);
    let d = &gpu.device;
    let sampled = vk::DescriptorType::SAMPLED_IMAGE;
    let before = heap_usage(&gpu);
    // SAFETY: valid usage of Vulkan: objects that refer to the memory are destroyed after it is freed, and not used in
    // between.
    unsafe {
        let usage = vk::ImageUsageFlags::SAMPLED | vk::ImageUsageFlags::TRANSFER_DST;
        let picture = gpu.image(vk::Format::R8G8B8A8_UNORM, 2048, usage);
        let layouts = [set_layout(&gpu, sampled)];
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

/// Sets of a pool are freed one by one in any order, the rest with the pool.
#[test]
fn sets_are_freed_in_any_order() {
    let gpu = Gpu::new(&[]);
    let d = &gpu.device;
    let n = 100;
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let layout = set_layout(&gpu, storage);
        // Robotics simulators list other types than they allocate.
        let sizes = [vk::DescriptorPoolSize::default().ty(vk::DescriptorType::SAMPLER).descriptor_count(1)];
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
        // An allocation succeeds for all sets or for none.
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

/// Destroys an object.
type End<'a> = Box<dyn FnOnce() + 'a>;

/// Objects that a program has made, in order.
struct Work<'a> {
    gpu: &'a Gpu,
    ends: Vec<End<'a>>,
    sum: [common::Mapped; 3],
    commands: vk::CommandBuffer,
    fence: vk::Fence,
    seed: u32,
}

/// A command that destroys an object.
type Destroy<T> = unsafe fn(&ash::Device, T, Option<&vk::AllocationCallbacks<'_>>);

impl<'a> Work<'a> {
    /// Records how to destroy an object.
    fn made<T: Copy + 'a>(&mut self, object: T, destroy: Destroy<T>) {
        let gpu = self.gpu;
        // SAFETY: `end` calls each closure once, after the submitted work is done.
        self.ends.push(Box::new(move || unsafe { destroy(&gpu.device, object, None) }));
    }

    /// Creates an object of most kinds, and submits commands that use them.
    fn submit(gpu: &'a Gpu, seed: u32) -> Work<'a> {
        let d = &gpu.device;
        let sum = sum::buffers(gpu, seed);
        let recipe = sum::Recipe::new(gpu).unwrap();
        let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC;
        let picture = gpu.image(triangle::FORMAT, 16, usage);
        let (pass, framebuffer) = triangle::pass(gpu, &picture, 16).unwrap();
        let (drawing, drawing_layout) = triangle::pipeline(gpu, pass).unwrap();
        let texels = vk::BufferViewCreateInfo::default().buffer(sum[0].buffer).format(vk::Format::R32_SFLOAT);
        let queries = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(1);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let cache = d.create_pipeline_cache(&Default::default(), None).unwrap();
            let pipeline = recipe.pipeline(gpu, cache).unwrap();
            let (sets, set) = recipe.set(gpu, sum::handles(&sum)).unwrap();
            let view = d.create_buffer_view(&texels.range(vk::WHOLE_SIZE), None).unwrap();
            let queries = d.create_query_pool(&queries, None).unwrap();
            let event = d.create_event(&Default::default(), None).unwrap();
            let semaphore = d.create_semaphore(&Default::default(), None).unwrap();
            let sampler = d.create_sampler(&Default::default(), None).unwrap();
            let fence = d.create_fence(&Default::default(), None).unwrap();
            let pool = d.create_command_pool(&Default::default(), None).unwrap();
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let commands = d.allocate_command_buffers(&info).unwrap()[0];
            d.begin_command_buffer(commands, &Default::default()).unwrap();
            d.cmd_reset_query_pool(commands, queries, 0, 1);
            recipe.record(gpu, commands, pipeline, set, sum::COUNT);
            let clear = [vk::ClearValue::default()];
            let info = vk::RenderPassBeginInfo::default().render_pass(pass).framebuffer(framebuffer);
            let extent = vk::Extent2D { width: 16, height: 16 };
            let info = info.render_area(extent.into()).clear_values(&clear);
            d.cmd_begin_render_pass(commands, &info, vk::SubpassContents::INLINE);
            triangle::draw(gpu, commands, drawing, 16, 16);
            d.cmd_end_render_pass(commands);
            d.cmd_write_timestamp(commands, vk::PipelineStageFlags::ALL_COMMANDS, queries, 0);
            d.cmd_set_event(commands, event, vk::PipelineStageFlags::ALL_COMMANDS);
            d.end_command_buffer(commands).unwrap();
            let (list, signals) = ([commands], [semaphore]);
            let info = vk::SubmitInfo::default().command_buffers(&list).signal_semaphores(&signals);
            d.queue_submit(gpu.queue, &[info], fence).unwrap();
            let mut work = Work { gpu, ends: Vec::new(), sum, commands, fence, seed };
            for buffer in sum::handles(&work.sum) {
                work.made(buffer, ash::Device::destroy_buffer);
            }
            for memory in [0, 1, 2].map(|i| work.sum[i].memory) {
                work.made(memory, ash::Device::free_memory);
            }
            work.made(picture.image, ash::Device::destroy_image);
            work.made(picture.memory, ash::Device::free_memory);
            work.made(picture.view, ash::Device::destroy_image_view);
            work.made(pass, ash::Device::destroy_render_pass);
            work.made(framebuffer, ash::Device::destroy_framebuffer);
            work.made(drawing, ash::Device::destroy_pipeline);
            work.made(drawing_layout, ash::Device::destroy_pipeline_layout);
            work.made(pipeline, ash::Device::destroy_pipeline);
            work.made(cache, ash::Device::destroy_pipeline_cache);
            work.made(recipe.module, ash::Device::destroy_shader_module);
            work.made(recipe.layout, ash::Device::destroy_pipeline_layout);
            work.made(recipe.set_layout, ash::Device::destroy_descriptor_set_layout);
            work.made(sets, ash::Device::destroy_descriptor_pool);
            work.made(view, ash::Device::destroy_buffer_view);
            work.made(queries, ash::Device::destroy_query_pool);
            work.made(event, ash::Device::destroy_event);
            work.made(semaphore, ash::Device::destroy_semaphore);
            work.made(sampler, ash::Device::destroy_sampler);
            work.made(fence, ash::Device::destroy_fence);
            work.made(pool, ash::Device::destroy_command_pool);
            work
        }
    }

    /// Waits, checks the results, and destroys all objects in an order that depends on the seed.
    fn end(mut self) {
        // SAFETY: valid usage of Vulkan: the objects to wait for are live.
        unsafe { self.gpu.device.wait_for_fences(&[self.fence], true, u64::MAX).unwrap() };
        assert!(sum::is_right(&self.sum, self.seed), "seed {}: {:?}", self.seed, self.commands);
        let mut state = u64::from(self.seed) * 2 + 1;
        while !self.ends.is_empty() {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (state >> 33) as usize % self.ends.len();
            (self.ends.swap_remove(at))();
        }
    }
}

/// Once the commands that use them are done, objects of a device may be destroyed in any order, pools together with
/// their allocations; other commands in flight are unaffected. Spec: Vulkan, "Object Lifetime".
#[test]
fn objects_go_in_any_order() {
    let gpu = Gpu::new(&[c"VK_EXT_memory_budget"]);
    let mut before = Work::submit(&gpu, 0);
    for seed in 1..60 {
        let next = Work::submit(&gpu, seed);
        std::mem::replace(&mut before, next).end();
    }
    before.end();
}
