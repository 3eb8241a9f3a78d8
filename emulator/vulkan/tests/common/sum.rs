//! A sum of two buffers: the objects that compute it.

#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::prelude::VkResult;
use ash::vk;

use super::{Gpu, Mapped};

/// Number of floats of each buffer.
pub const COUNT: u32 = 256;

/// Objects from which the pipelines are made.
pub struct Recipe {
    pub module: vk::ShaderModule,
    pub set_layout: vk::DescriptorSetLayout,
    pub layout: vk::PipelineLayout,
}

impl Recipe {
    pub fn new(gpu: &Gpu) -> VkResult<Recipe> {
        let d = &gpu.device;
        let bindings = [0, 1, 2].map(|i| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(i)
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)
        });
        let push = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(4)];
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layout = d.create_descriptor_set_layout(&info, None)?;
            let layouts = [set_layout];
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None)?;
            let module = gpu.try_shader(include_str!("../shaders/add.comp.spvasm"))?;
            Ok(Recipe { module, set_layout, layout })
        }
    }

    pub fn pipeline(&self, gpu: &Gpu, cache: vk::PipelineCache) -> VkResult<vk::Pipeline> {
        self.pipeline_of(gpu, cache, c"main")
    }

    /// Creates the pipeline of an entry point.
    pub fn pipeline_of(
        &self,
        gpu: &Gpu,
        cache: vk::PipelineCache,
        entry: &std::ffi::CStr,
    ) -> VkResult<vk::Pipeline> {
        let stage = vk::PipelineShaderStageCreateInfo::default()
            .module(self.module)
            .stage(vk::ShaderStageFlags::COMPUTE)
            .name(entry);
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout);
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        let made = unsafe { gpu.device.create_compute_pipelines(cache, &[info], None) };
        made.map(|list| list[0]).map_err(|(_, code)| code)
    }

    /// Creates a pool with a set of these buffers.
    pub fn set(
        &self,
        gpu: &Gpu,
        buffers: [vk::Buffer; 3],
    ) -> VkResult<(vk::DescriptorPool, vk::DescriptorSet)> {
        let (d, storage) = (&gpu.device, vk::DescriptorType::STORAGE_BUFFER);
        let sizes = [vk::DescriptorPoolSize::default().ty(storage).descriptor_count(3)];
        let layouts = [self.set_layout];
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None)?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info)?[0];
            for (i, buffer) in (0..).zip(buffers) {
                let range = [vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE)];
                let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(i);
                d.update_descriptor_sets(&[write.descriptor_type(storage).buffer_info(&range)], &[]);
            }
            Ok((pool, set))
        }
    }

    /// Records the sum of `count` values.
    pub fn record(
        &self,
        gpu: &Gpu,
        cmd: vk::CommandBuffer,
        pipeline: vk::Pipeline,
        set: vk::DescriptorSet,
        values: u32,
    ) {
        let (d, point) = (&gpu.device, vk::PipelineBindPoint::COMPUTE);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
        unsafe {
            d.cmd_bind_pipeline(cmd, point, pipeline);
            d.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &[set], &[]);
            let push = values.to_ne_bytes();
            d.cmd_push_constants(cmd, self.layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
            d.cmd_dispatch(cmd, values / 64, 1, 1);
        }
    }
}

/// Creates two buffers of numbers that depend on a seed, and one for their sum.
pub fn buffers(gpu: &Gpu, seed: u32) -> [Mapped; 3] {
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER;
    let buffers = [0; 3].map(|_| gpu.buffer(u64::from(COUNT) * 4, usage));
    let numbers = |factor: u32| -> Vec<f32> { (0..COUNT).map(|i| (i * factor + seed) as f32).collect() };
    buffers[0].write(&numbers(3));
    buffers[1].write(&numbers(5));
    buffers
}

/// Returns the handles of the buffers.
pub fn handles(buffers: &[Mapped; 3]) -> [vk::Buffer; 3] {
    [0, 1, 2].map(|i| buffers[i].buffer)
}

/// `true` if the third buffer has the sum.
pub fn is_right(buffers: &[Mapped; 3], seed: u32) -> bool {
    let sums: Vec<f32> = (0..COUNT).map(|i| (i * 8 + 2 * seed) as f32).collect();
    buffers[2].read::<f32>() == sums
}
