//! Adds two buffers through the driver, without the loader.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use ash::vk;

#[test]
fn add_two_buffers() {
    let gpu = Gpu::new(&[]);
    let n = 1000_u32;
    let storage = vk::BufferUsageFlags::STORAGE_BUFFER;
    let buffers = [0, 1, 2].map(|_| gpu.buffer(u64::from(n) * 4, storage));
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| i as f32 * 0.5).collect();
    buffers[0].write(&a);
    buffers[1].write(&b);
    buffers[2].write(&vec![7.0_f32; n as usize]);

    let d = &gpu.device;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let module = gpu.shader(include_str!("shaders/add.comp.spvasm"));
        let bindings = [0, 1, 2].map(|i| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(i)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        });
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let set_layout = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let push = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(4)];
        let info =
            vk::PipelineLayoutCreateInfo::default().set_layouts(&set_layout).push_constant_ranges(&push);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::COMPUTE)
            .module(module)
            .name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
        d.destroy_shader_module(module, None);

        let sizes =
            [vk::DescriptorPoolSize::default().ty(vk::DescriptorType::STORAGE_BUFFER).descriptor_count(3)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layout);
        let set = d.allocate_descriptor_sets(&info).unwrap();
        let more = d.allocate_descriptor_sets(&info);
        assert_eq!(more.unwrap_err(), vk::Result::ERROR_OUT_OF_POOL_MEMORY);
        // One write for three bindings: descriptors beyond the end of a binding go to the next one.
        let infos = [0, 1, 2].map(|i: usize| {
            vk::DescriptorBufferInfo::default().buffer(buffers[i].buffer).range(vk::WHOLE_SIZE)
        });
        let write = vk::WriteDescriptorSet::default()
            .dst_set(set[0])
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .buffer_info(&infos);
        d.update_descriptor_sets(&[write], &[]);

        gpu.run(|cmd| {
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
            d.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &set, &[]);
            d.cmd_push_constants(cmd, layout, vk::ShaderStageFlags::COMPUTE, 0, &(n - 1).to_ne_bytes());
            d.cmd_dispatch(cmd, n.div_ceil(64), 1, 1);
        });
        let sum: Vec<f32> = buffers[2].read();
        for i in 0..n as usize - 1 {
            assert_eq!(sum[i], a[i] + b[i]);
        }
        assert_eq!(sum[n as usize - 1], 7.0, "past the count in the push constants");

        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(set_layout[0], None);
    }
    buffers.into_iter().for_each(|b| b.destroy(&gpu));
}

#[test]
fn fills_and_copies() {
    let gpu = Gpu::new(&[]);
    let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let (a, b) = (gpu.buffer(64, usage), gpu.buffer(64, usage));
    let d = &gpu.device;
    gpu.run(|cmd| {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_fill_buffer(cmd, a.buffer, 0, vk::WHOLE_SIZE, 0x0102_0304);
            gpu.barrier(cmd);
            d.cmd_update_buffer(cmd, a.buffer, 8, &5_u32.to_ne_bytes());
            let barrier = vk::MemoryBarrier::default()
                .src_access_mask(vk::AccessFlags::TRANSFER_WRITE)
                .dst_access_mask(vk::AccessFlags::TRANSFER_READ);
            let stage = vk::PipelineStageFlags::TRANSFER;
            d.cmd_pipeline_barrier(cmd, stage, stage, Default::default(), &[barrier], &[], &[]);
            let region = vk::BufferCopy { src_offset: 4, dst_offset: 12, size: 8 };
            d.cmd_copy_buffer(cmd, a.buffer, b.buffer, &[region]);
        }
    });
    let words: Vec<u32> = b.read();
    assert_eq!(words[..6], [0, 0, 0, 0x0102_0304, 5, 0]);
    a.destroy(&gpu);
    b.destroy(&gpu);
}
