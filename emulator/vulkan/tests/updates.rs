//! Descriptors that are updated after they are bound, and while commands that do not use them are pending.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::{Gpu, Mapped, Picture, WHOLE};
use ash::vk;
use vk::DescriptorType as D;

/// Kinds of the bindings from 1 on; binding 0 is the buffer of results.
const KINDS: [D; 5] =
    [D::STORAGE_BUFFER, D::SAMPLED_IMAGE, D::STORAGE_IMAGE, D::UNIFORM_TEXEL_BUFFER, D::STORAGE_TEXEL_BUFFER];

/// Resources with one value, of every kind.
struct Resources {
    buffer: Mapped,
    picture: Picture,
    view: vk::BufferView,
}

impl Resources {
    fn new(gpu: &Gpu, value: u32) -> Resources {
        use vk::BufferUsageFlags as B;
        use vk::ImageUsageFlags as I;
        let usage = B::STORAGE_BUFFER | B::UNIFORM_TEXEL_BUFFER | B::STORAGE_TEXEL_BUFFER;
        let buffer = gpu.buffer(16, usage);
        buffer.write(&[value; 4]);
        let format = vk::Format::R32_UINT;
        let picture = gpu.image(format, 4, I::SAMPLED | I::STORAGE | I::TRANSFER_DST);
        let color = vk::ClearColorValue { uint32: [value; 4] };
        let info = vk::BufferViewCreateInfo::default().buffer(buffer.buffer).format(format).range(16);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        let view = unsafe {
            let d = &gpu.device;
            let general = vk::ImageLayout::GENERAL;
            gpu.run(|cmd| d.cmd_clear_color_image(cmd, picture.image, general, &color, &[WHOLE]));
            d.create_buffer_view(&info, None).unwrap()
        };
        Resources { buffer, picture, view }
    }

    /// Writes all descriptors but that of the results.
    fn write(&self, gpu: &Gpu, set: vk::DescriptorSet) {
        let buffer = [vk::DescriptorBufferInfo::default().buffer(self.buffer.buffer).range(vk::WHOLE_SIZE)];
        let image = [vk::DescriptorImageInfo {
            image_view: self.picture.view,
            image_layout: vk::ImageLayout::GENERAL,
            ..Default::default()
        }];
        let views = [self.view];
        let writes: Vec<_> = (1..)
            .zip(KINDS)
            .map(|(binding, kind)| {
                let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding);
                let write = write.descriptor_type(kind);
                match binding {
                    1 => write.buffer_info(&buffer),
                    2 | 3 => write.image_info(&image),
                    _ => write.texel_buffer_view(&views),
                }
            })
            .collect();
        // SAFETY: valid usage of Vulkan: the bindings may be updated now, and the resources are live.
        unsafe { gpu.device.update_descriptor_sets(&writes, &[]) };
    }

    fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the view are done.
        unsafe { gpu.device.destroy_buffer_view(self.view, None) };
        self.buffer.destroy(gpu);
        self.picture.destroy(gpu);
    }
}

fn gpu() -> Gpu {
    let mut indexing = vk::PhysicalDeviceDescriptorIndexingFeatures::default()
        .descriptor_binding_storage_buffer_update_after_bind(true)
        .descriptor_binding_sampled_image_update_after_bind(true)
        .descriptor_binding_storage_image_update_after_bind(true)
        .descriptor_binding_uniform_texel_buffer_update_after_bind(true)
        .descriptor_binding_storage_texel_buffer_update_after_bind(true)
        .descriptor_binding_update_unused_while_pending(true);
    let extensions = [c"VK_EXT_descriptor_indexing", c"VK_KHR_maintenance3"];
    Gpu::with(&extensions, |info| info.push_next(&mut indexing)).unwrap()
}

/// Commands read what descriptors name when they are submitted. Spec: Vulkan,
/// VK_DESCRIPTOR_BINDING_UPDATE_AFTER_BIND_BIT.
#[test]
fn descriptors_are_updated_after_they_are_bound() {
    let gpu = gpu();
    let (d, stage, point) = (&gpu.device, vk::ShaderStageFlags::COMPUTE, vk::PipelineBindPoint::COMPUTE);
    let out = gpu.buffer(20, vk::BufferUsageFlags::STORAGE_BUFFER);
    let [early, late] = [11, 22].map(|value| Resources::new(&gpu, value));
    let kinds = [&[D::STORAGE_BUFFER][..], &KINDS].concat();
    let bindings: Vec<_> = (0..)
        .zip(&kinds)
        .map(|(i, &kind)| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(i).descriptor_type(kind);
            binding.descriptor_count(1).stage_flags(stage)
        })
        .collect();
    use vk::DescriptorBindingFlags as F;
    let flags = [F::UPDATE_AFTER_BIND | F::UPDATE_UNUSED_WHILE_PENDING; 6];
    let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
    let sizes: Vec<_> = kinds.iter().map(|&ty| vk::DescriptorPoolSize { ty, descriptor_count: 1 }).collect();
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let info = vk::DescriptorSetLayoutCreateInfo::default()
            .flags(vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL)
            .bindings(&bindings)
            .push_next(&mut flags);
        let layouts = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let module = gpu.shader(include_str!("shaders/kinds.comp.spvasm"));
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(stage).module(module).name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
        let info = vk::DescriptorPoolCreateInfo::default()
            .flags(vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND)
            .max_sets(1)
            .pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let set = d.allocate_descriptor_sets(&info).unwrap();
        let results = [vk::DescriptorBufferInfo::default().buffer(out.buffer).range(vk::WHOLE_SIZE)];
        let write = vk::WriteDescriptorSet::default().dst_set(set[0]).descriptor_type(D::STORAGE_BUFFER);
        d.update_descriptor_sets(&[write.buffer_info(&results)], &[]);
        early.write(&gpu, set[0]);
        gpu.run(|cmd| {
            d.cmd_bind_pipeline(cmd, point, pipeline);
            d.cmd_bind_descriptor_sets(cmd, point, layout, 0, &set, &[]);
            d.cmd_dispatch(cmd, 1, 1, 1);
            late.write(&gpu, set[0]);
        });
        assert_eq!(out.read::<u32>(), [22; 5]);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline(pipeline, None);
        d.destroy_shader_module(module, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(layouts[0], None);
    }
    out.destroy(&gpu);
    [early, late].into_iter().for_each(|r| r.destroy(&gpu));
}
