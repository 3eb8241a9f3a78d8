//! A descriptor set with its layouts, and compute pipelines that use it.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::c_void;

use ash::vk;
use vk::DescriptorType as D;

use super::Gpu;

/// The descriptors of one binding, which is an array if it has several.
pub enum Bound<'a> {
    Buffers(D, &'a [vk::Buffer]),
    Images(D, &'a [vk::DescriptorImageInfo]),
    /// Images with samplers that belong to the layout.
    Sampled(&'a [vk::DescriptorImageInfo]),
    Texels(D, &'a [vk::BufferView]),
}

impl Bound<'_> {
    fn kind(&self) -> D {
        match self {
            Bound::Buffers(kind, _) | Bound::Images(kind, _) | Bound::Texels(kind, _) => *kind,
            Bound::Sampled(_) => D::COMBINED_IMAGE_SAMPLER,
        }
    }

    fn count(&self) -> u32 {
        match self {
            Bound::Buffers(_, list) => list.len() as u32,
            Bound::Images(_, list) | Bound::Sampled(list) => list.len() as u32,
            Bound::Texels(_, list) => list.len() as u32,
        }
    }

    /// Samplers of the layout.
    fn samplers(&self) -> Vec<vk::Sampler> {
        match self {
            Bound::Sampled(list) => list.iter().map(|info| info.sampler).collect(),
            Bound::Buffers(..) | Bound::Images(..) | Bound::Texels(..) => Vec::new(),
        }
    }
}

/// Chains of a dispatch's pipeline and stage, and offsets of dynamic buffers.
#[derive(Clone, Copy)]
pub struct Extra<'a> {
    pub of_pipeline: *const c_void,
    pub of_stage: *const c_void,
    pub offsets: &'a [u32],
}

impl Default for Extra<'_> {
    fn default() -> Self {
        Extra { of_pipeline: std::ptr::null(), of_stage: std::ptr::null(), offsets: &[] }
    }
}

/// A descriptor set, number 0 of its pipeline layout.
pub struct Sets {
    pub layout: vk::PipelineLayout,
    pub layouts: [vk::DescriptorSetLayout; 1],
    pool: vk::DescriptorPool,
    pub sets: Vec<vk::DescriptorSet>,
}

impl Sets {
    /// Creates a set for some stages with these bindings, numbered from 0.
    pub fn new(gpu: &Gpu, stages: vk::ShaderStageFlags, bindings: &[Bound<'_>]) -> Sets {
        let d = &gpu.device;
        let samplers: Vec<_> = bindings.iter().map(Bound::samplers).collect();
        let of_layout: Vec<_> = (0..)
            .zip(bindings.iter().zip(&samplers))
            .map(|(i, (bound, samplers))| {
                let binding = vk::DescriptorSetLayoutBinding::default()
                    .binding(i)
                    .descriptor_type(bound.kind())
                    .descriptor_count(bound.count())
                    .stage_flags(stages);
                if samplers.is_empty() { binding } else { binding.immutable_samplers(samplers) }
            })
            .collect();
        let sizes: Vec<_> = bindings
            .iter()
            .map(|b| vk::DescriptorPoolSize { ty: b.kind(), descriptor_count: b.count() })
            .collect();
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        let made = unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&of_layout);
            let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            Sets { layout, layouts, pool, sets: d.allocate_descriptor_sets(&info).unwrap() }
        };
        (0..).zip(bindings).for_each(|(i, bound)| made.write(gpu, i, bound));
        made
    }

    fn write(&self, gpu: &Gpu, binding: u32, bound: &Bound<'_>) {
        let write = vk::WriteDescriptorSet::default().dst_set(self.sets[0]).dst_binding(binding);
        let write = write.descriptor_type(bound.kind());
        let ranges: Vec<_>;
        let write = match bound {
            Bound::Buffers(_, list) => {
                // Offsets move a range, so that a dynamic buffer has one of its own.
                let dynamic = [D::UNIFORM_BUFFER_DYNAMIC, D::STORAGE_BUFFER_DYNAMIC].contains(&bound.kind());
                let range = if dynamic { 4 } else { vk::WHOLE_SIZE };
                let of = |b: &vk::Buffer| vk::DescriptorBufferInfo::default().buffer(*b).range(range);
                ranges = list.iter().map(of).collect();
                write.buffer_info(&ranges)
            }
            Bound::Images(_, list) | Bound::Sampled(list) => write.image_info(list),
            Bound::Texels(_, list) => write.texel_buffer_view(list),
        };
        // SAFETY: valid usage of Vulkan: the set is not in use, and the objects in its descriptors are live.
        unsafe { gpu.device.update_descriptor_sets(&[write], &[]) };
    }

    pub fn bind(&self, gpu: &Gpu, cmd: vk::CommandBuffer, point: vk::PipelineBindPoint) {
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { gpu.device.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &self.sets, &[]) };
    }

    /// Runs workgroups of a compute shader; `constant` is its specialization constant 0.
    pub fn dispatch(&self, gpu: &Gpu, shader: &str, constant: u32, groups: [u32; 3]) {
        self.dispatch_with(gpu, shader, constant, groups, &Extra::default());
    }

    /// Like [`Self::dispatch`], with chains and offsets.
    pub fn dispatch_with(&self, gpu: &Gpu, shader: &str, constant: u32, groups: [u32; 3], extra: &Extra<'_>) {
        let (d, point) = (&gpu.device, vk::PipelineBindPoint::COMPUTE);
        let module = gpu.shader(shader);
        let entry = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
        let data = constant.to_ne_bytes();
        let special = vk::SpecializationInfo::default().map_entries(&entry).data(&data);
        let mut stage = vk::PipelineShaderStageCreateInfo::default()
            .module(module)
            .stage(vk::ShaderStageFlags::COMPUTE)
            .name(c"main")
            .specialization_info(&special);
        stage.p_next = extra.of_stage;
        let mut info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout);
        info.p_next = extra.of_pipeline;
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
            gpu.run(|cmd| {
                d.cmd_bind_pipeline(cmd, point, pipeline);
                d.cmd_bind_descriptor_sets(cmd, point, self.layout, 0, &self.sets, extra.offsets);
                d.cmd_dispatch(cmd, groups[0], groups[1], groups[2]);
            });
            d.destroy_pipeline(pipeline, None);
            d.destroy_shader_module(module, None);
        }
    }

    pub fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the set are done, and its objects are not used afterwards.
        unsafe {
            gpu.device.destroy_descriptor_pool(self.pool, None);
            gpu.device.destroy_pipeline_layout(self.layout, None);
            gpu.device.destroy_descriptor_set_layout(self.layouts[0], None);
        }
    }
}
