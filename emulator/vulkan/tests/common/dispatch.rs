//! One workgroup of a compute shader, with buffers.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::Gpu;

/// Runs one workgroup of a module with these buffers as bindings of set 0, and returns the last buffer.
pub fn run(gpu: &Gpu, module: &str, buffers: &[(vk::DescriptorType, Vec<u32>)]) -> Vec<u32> {
    run_with(gpu, module, buffers, None)
}

/// Like [`run`], with this required subgroup size.
pub fn run_with(
    gpu: &Gpu,
    module: &str,
    buffers: &[(vk::DescriptorType, Vec<u32>)],
    subgroup_size: Option<u32>,
) -> Vec<u32> {
    let (d, point) = (&gpu.device, vk::PipelineBindPoint::COMPUTE);
    let bindings: Vec<_> = (0..)
        .zip(buffers)
        .map(|(binding, (ty, _))| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(binding)
                .descriptor_type(*ty)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        })
        .collect();
    let sizes: Vec<_> =
        buffers.iter().map(|(ty, _)| vk::DescriptorPoolSize::default().ty(*ty).descriptor_count(1)).collect();
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_BUFFER;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let module = gpu.shader(module);
        let mut required = vk::PipelineShaderStageRequiredSubgroupSizeCreateInfo::default();
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .module(module)
            .stage(vk::ShaderStageFlags::COMPUTE)
            .name(c"main");
        if let Some(size) = subgroup_size {
            required = required.required_subgroup_size(size);
            stage = stage.push_next(&mut required);
        }
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap();
        let mut mapped = Vec::new();
        for (binding, (ty, data)) in (0..).zip(buffers) {
            let buffer = gpu.buffer(data.len() as u64 * 4, usage);
            buffer.write(data);
            let range = [vk::DescriptorBufferInfo::default().buffer(buffer.buffer).range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default().dst_set(set[0]).dst_binding(binding);
            d.update_descriptor_sets(&[write.descriptor_type(*ty).buffer_info(&range)], &[]);
            mapped.push(buffer);
        }
        gpu.run(|c| {
            d.cmd_bind_pipeline(c, point, pipeline);
            d.cmd_bind_descriptor_sets(c, point, layout, 0, &set, &[]);
            d.cmd_dispatch(c, 1, 1, 1);
        });
        let result = mapped.last().unwrap().read();
        mapped.into_iter().for_each(|b| b.destroy(gpu));
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline(pipeline, None);
        d.destroy_shader_module(module, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(layouts[0], None);
        result
    }
}
