//! Objects of the lab: buffers and pipelines.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::{Gpu, triangle};
use super::N;

/// Creates a buffer for all usages; its memory is not mapped.
pub fn buffer(gpu: &Gpu) -> vk::Buffer {
    use vk::BufferUsageFlags as U;
    let usage = U::STORAGE_BUFFER
        | U::INDIRECT_BUFFER
        | U::VERTEX_BUFFER
        | U::INDEX_BUFFER
        | U::CONDITIONAL_RENDERING_EXT
        | U::TRANSFER_SRC
        | U::TRANSFER_DST;
    let (d, info) = (&gpu.device, vk::BufferCreateInfo::default().size(u64::from(N) * 4).usage(usage));
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let buffer = d.create_buffer(&info, None).unwrap();
        let size = d.get_buffer_memory_requirements(buffer).size;
        let memory =
            d.allocate_memory(&vk::MemoryAllocateInfo::default().allocation_size(size), None).unwrap();
        d.bind_buffer_memory(buffer, memory, 0).unwrap();
        buffer
    }
}

/// Creates the pipeline of sums, with its layout and its descriptor set.
pub fn sum(gpu: &Gpu, buffers: &[vk::Buffer; 3]) -> (vk::PipelineLayout, vk::Pipeline, vk::DescriptorSet) {
    let d = &gpu.device;
    let (stage, ty) = (vk::ShaderStageFlags::COMPUTE, vk::DescriptorType::STORAGE_BUFFER);
    let bindings = [0, 1, 2].map(|i| {
        let binding = vk::DescriptorSetLayoutBinding::default().binding(i).descriptor_type(ty);
        binding.descriptor_count(1).stage_flags(stage)
    });
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let set_layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let push = [vk::PushConstantRange::default().stage_flags(stage).size(4)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&set_layouts);
        let layout = d.create_pipeline_layout(&info.push_constant_ranges(&push), None).unwrap();
        let module = gpu.shader(include_str!("../../shaders/add.comp.spvasm"));
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
        let sizes = [vk::DescriptorPoolSize::default().ty(ty).descriptor_count(3)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&set_layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap()[0];
        let infos = buffers.map(|b| vk::DescriptorBufferInfo::default().buffer(b).range(vk::WHOLE_SIZE));
        let write = vk::WriteDescriptorSet::default().dst_set(set).descriptor_type(ty).buffer_info(&infos);
        d.update_descriptor_sets(&[write], &[]);
        (layout, pipeline, set)
    }
}

/// Creates a pipeline for dynamic rendering, with vertices from attributes or computed in the shader.
pub fn draw(gpu: &Gpu, attributes: bool) -> vk::Pipeline {
    if !attributes {
        return triangle::pipeline(gpu, vk::RenderPass::null()).unwrap().0;
    }
    let texts = [
        include_str!("../../shaders/positions.vert.spvasm"),
        include_str!("../../shaders/color.frag.spvasm"),
    ];
    let bindings = [vk::VertexInputBindingDescription { binding: 0, stride: 16, ..Default::default() }];
    let format = vk::Format::R32G32B32A32_SFLOAT;
    let attributes = [vk::VertexInputAttributeDescription { location: 0, binding: 0, format, offset: 0 }];
    let input = vk::PipelineVertexInputStateCreateInfo::default()
        .vertex_binding_descriptions(&bindings)
        .vertex_attribute_descriptions(&attributes);
    triangle::pipeline_of(gpu, vk::RenderPass::null(), texts, &input).unwrap().0
}
