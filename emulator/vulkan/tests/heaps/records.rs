//! Bindings of ray tracing shaders that are mapped to the shader record.

use super::*;

/// Each source in the shader record leads to a uniform block. Spec: Vulkan, VkDescriptorMappingSourceEXT.
#[test]
fn bindings_are_mapped_to_shader_records() {
    let h = Heaps::new();
    let (heap, heap_at) = h.buffer(4096, HEAP);
    let (out, out_at) = h.buffer(256, STORAGE);
    let (uniform, uniform_at) = h.buffer(256, UNIFORM);
    let (table, table_at) = h.buffer(256, 0x400);
    uniform.write(&[9u32]);
    let mut bytes = vec![0u8; 4096];
    let mut put = |at: usize, kind, of: Range| {
        bytes[at..at + 16].copy_from_slice(&h.descriptor(kind, (&raw const of).cast()));
    };
    put(64, vk::DescriptorType::STORAGE_BUFFER, Range { address: out_at, size: 256 });
    put(1024, vk::DescriptorType::UNIFORM_BUFFER, Range { address: uniform_at, size: 4 });
    heap.write(&bytes);
    // An index, the address of the block, and the number itself.
    let record = [words(0, 4), uniform_at, words(23, 0)];
    let cases = [
        // The index is 4, or 0, at which there is no descriptor.
        (8, vec![words(960, 4), words(16, 0)], 9),
        (8, vec![words(960, 0), words(16, 0)], 0),
        (9, vec![words(16, 0)], 23),
        (10, vec![words(8, 0)], 9),
    ];
    let rt = ash::khr::ray_tracing_pipeline::Device::new(&h.gpu.instance, &h.gpu.device);
    for (source, data, expected) in cases {
        let mappings = [Mapping::of(0, 0, &[words(64, 0)]), Mapping::of(1, source, &data)];
        let pipeline = h.ray_pipeline(&rt, &mappings);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let handle = rt.get_ray_tracing_shader_group_handles(pipeline, 0, 1, 32).unwrap();
            let behind = record.iter().flat_map(|word| word.to_ne_bytes());
            table.write(&handle.into_iter().chain(behind).collect::<Vec<u8>>());
            out.write(&[7u32; 2]);
            let region = |address, size| vk::StridedDeviceAddressRegionKHR {
                device_address: address,
                stride: size,
                size,
            };
            let none = region(0, 0);
            h.gpu.run(|cmd| {
                let point = vk::PipelineBindPoint::RAY_TRACING_KHR;
                h.gpu.device.cmd_bind_pipeline(cmd, point, pipeline);
                let info = BindInfo {
                    ty: 1_000_135_003,
                    next: std::ptr::null(),
                    range: Range { address: heap_at, size: 4096 },
                    reserved: [0; 2],
                };
                (h.bind_resources)(cmd, &info);
                rt.cmd_trace_rays(cmd, &region(table_at, 64), &none, &none, &none, 2, 1, 1);
            });
            h.gpu.device.destroy_pipeline(pipeline, None);
        }
        assert_eq!(out.read::<u32>()[..2], [expected; 2], "source {source}, {data:?}");
    }
    // Other stages have no shader record.
    let mappings = [Mapping::of(0, 0, &[]), Mapping::of(1, 9, &[])];
    let made = h.try_pipeline(include_str!("../shaders/branch.comp.spvasm"), &mappings, 0);
    assert!(made.is_err());
    [heap, out, uniform, table].into_iter().for_each(|b| b.destroy(&h.gpu));
}

impl Heaps {
    /// Creates a pipeline of one ray generation shader, with heaps.
    fn ray_pipeline(
        &self,
        rt: &ash::khr::ray_tracing_pipeline::Device,
        mappings: &[Mapping],
    ) -> vk::Pipeline {
        let all = mappings.as_ptr();
        let mappings = Mappings { ty: 1_000_135_006, next: std::ptr::null(), n: mappings.len() as u32, all };
        let module = self.gpu.shader(include_str!("../shaders/mapped.rgen.spvasm"));
        let mut stages = [vk::PipelineShaderStageCreateInfo::default()
            .stage(vk::ShaderStageFlags::RAYGEN_KHR)
            .module(module)
            .name(c"main")];
        stages[0].p_next = (&raw const mappings).cast();
        let unused = vk::SHADER_UNUSED_KHR;
        let groups = [vk::RayTracingShaderGroupCreateInfoKHR::default()
            .ty(vk::RayTracingShaderGroupTypeKHR::GENERAL)
            .closest_hit_shader(unused)
            .any_hit_shader(unused)
            .intersection_shader(unused)];
        let mut flags = vk::PipelineCreateFlags2CreateInfoKHR::default()
            .flags(vk::PipelineCreateFlags2KHR::from_raw(1 << 36));
        let info = [vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(&stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(1)
            .push_next(&mut flags)];
        let none = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let made = rt.create_ray_tracing_pipelines(none.0, none.1, &info, None).unwrap()[0];
            self.gpu.device.destroy_shader_module(module, None);
            made
        }
    }
}
