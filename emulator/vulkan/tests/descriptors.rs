//! Partially bound descriptors, whose resources may be destroyed.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use ash::vk;

/// A uniform block in a branch that is not taken; its buffer is destroyed before the commands run. Spec: Vulkan,
/// VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT.
#[test]
fn destroyed_buffers_behind_a_false_branch_are_not_read() {
    let gpu = Gpu::new(&[c"VK_EXT_descriptor_indexing", c"VK_KHR_maintenance3"]);
    let out = gpu.buffer(256, vk::BufferUsageFlags::STORAGE_BUFFER);
    let uniform = gpu.buffer(1 << 22, vk::BufferUsageFlags::UNIFORM_BUFFER);
    uniform.write(&[9u32]);
    let d = &gpu.device;
    let compute = vk::ShaderStageFlags::COMPUTE;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let binding = |number, ty| {
            vk::DescriptorSetLayoutBinding::default()
                .binding(number)
                .descriptor_type(ty)
                .descriptor_count(1)
                .stage_flags(compute)
        };
        let (storage, uniforms) = (vk::DescriptorType::STORAGE_BUFFER, vk::DescriptorType::UNIFORM_BUFFER);
        let bindings = [binding(0, storage), binding(1, uniforms)];
        let flags = [vk::DescriptorBindingFlags::empty(), vk::DescriptorBindingFlags::PARTIALLY_BOUND];
        let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings).push_next(&mut flags);
        let sets = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let push = [vk::PushConstantRange::default().stage_flags(compute).size(4)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        let module = gpu.shader(include_str!("shaders/branch.comp.spvasm"));
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(compute).module(module).name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
        d.destroy_shader_module(module, None);
        let size = |ty| vk::DescriptorPoolSize::default().ty(ty).descriptor_count(1);
        let sizes = [size(storage), size(uniforms)];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&sets);
        let set = d.allocate_descriptor_sets(&info).unwrap();
        for (number, ty, buffer) in [(0, storage, out.buffer), (1, uniforms, uniform.buffer)] {
            let infos = [vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE)];
            let write = vk::WriteDescriptorSet::default().dst_set(set[0]).dst_binding(number);
            d.update_descriptor_sets(&[write.descriptor_type(ty).buffer_info(&infos)], &[]);
        }
        let run = |taken: u32| {
            gpu.run(|cmd| {
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
                d.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &set, &[]);
                d.cmd_push_constants(cmd, layout, compute, 0, &taken.to_ne_bytes());
                d.cmd_dispatch(cmd, 1, 1, 1);
            });
            out.read::<u32>()[0]
        };
        assert_eq!(run(1), 9);
        uniform.destroy(&gpu);
        assert_eq!(run(0), 7);
        // An invocation that takes the branch does not read the new owner of the memory either.
        let other = gpu.buffer(1 << 22, vk::BufferUsageFlags::UNIFORM_BUFFER);
        other.write(&[5u32]);
        assert_eq!(run(1), 0);
        other.destroy(&gpu);

        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(sets[0], None);
    }
    out.destroy(&gpu);
}

/// Bytes past the end of an inline uniform block go to the block of the next binding. Spec: Vulkan, VkWriteDescriptorSet.
#[test]
fn bytes_of_inline_uniform_blocks_continue_in_the_next_binding() {
    let gpu = Gpu::new(&[c"VK_KHR_maintenance1", c"VK_EXT_inline_uniform_block"]);
    let out = gpu.buffer(256, vk::BufferUsageFlags::STORAGE_BUFFER);
    let d = &gpu.device;
    let compute = vk::ShaderStageFlags::COMPUTE;
    let (storage, inline) = (vk::DescriptorType::STORAGE_BUFFER, vk::DescriptorType::INLINE_UNIFORM_BLOCK);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let bindings = [(0, storage, 1), (1, inline, 16), (2, inline, 16)].map(|(binding, ty, count)| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(binding).descriptor_type(ty);
            binding.descriptor_count(count).stage_flags(compute)
        });
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        let sets = [d.create_descriptor_set_layout(&info, None).unwrap()];
        let push = [vk::PushConstantRange::default().stage_flags(compute).size(4)];
        let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets).push_constant_ranges(&push);
        let layout = d.create_pipeline_layout(&info, None).unwrap();
        // The shader reads its block, which is binding 1, if the constant is not zero.
        let text = include_str!("shaders/branch.comp.spvasm").replace("Binding 1", "Binding 2");
        let module = gpu.shader(&text);
        let stage = vk::PipelineShaderStageCreateInfo::default().stage(compute).module(module).name(c"main");
        let info = [vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout)];
        let pipeline = d.create_compute_pipelines(vk::PipelineCache::null(), &info, None).unwrap()[0];
        d.destroy_shader_module(module, None);
        let sizes =
            [(storage, 1), (inline, 32)].map(|(ty, n)| vk::DescriptorPoolSize { ty, descriptor_count: n });
        let mut blocks =
            vk::DescriptorPoolInlineUniformBlockCreateInfo::default().max_inline_uniform_block_bindings(2);
        let info =
            vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes).push_next(&mut blocks);
        let pool = d.create_descriptor_pool(&info, None).unwrap();
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&sets);
        let set = d.allocate_descriptor_sets(&info).unwrap();
        let infos = [vk::DescriptorBufferInfo::default().buffer(out.buffer).range(vk::WHOLE_SIZE)];
        let write = vk::WriteDescriptorSet::default().dst_set(set[0]).dst_binding(0);
        d.update_descriptor_sets(&[write.descriptor_type(storage).buffer_info(&infos)], &[]);
        // Eight bytes of the first block, and the first four of the second.
        let bytes = [1u32, 2, 11].map(u32::to_ne_bytes).concat();
        let mut data = vk::WriteDescriptorSetInlineUniformBlock::default().data(&bytes);
        let mut write = vk::WriteDescriptorSet::default().dst_set(set[0]).dst_binding(1).dst_array_element(8);
        write.descriptor_count = 12;
        d.update_descriptor_sets(&[write.descriptor_type(inline).push_next(&mut data)], &[]);
        gpu.run(|cmd| {
            d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
            d.cmd_bind_descriptor_sets(cmd, vk::PipelineBindPoint::COMPUTE, layout, 0, &set, &[]);
            d.cmd_push_constants(cmd, layout, compute, 0, &1u32.to_ne_bytes());
            d.cmd_dispatch(cmd, 1, 1, 1);
        });
        assert_eq!(out.read::<u32>()[0], 11);
        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(pool, None);
        d.destroy_pipeline_layout(layout, None);
        d.destroy_descriptor_set_layout(sets[0], None);
    }
    out.destroy(&gpu);
}

/// A layout with the promised VkDescriptorSetVariableDescriptorCountLayoutSupport is supported, and without a binding
/// of variable size nothing is promised. Spec: Vulkan, vkGetDescriptorSetLayoutSupport.
#[test]
fn the_largest_variable_count_is_the_one_promised() {
    let gpu =
        Gpu::new(&[c"VK_EXT_descriptor_indexing", c"VK_KHR_maintenance3", c"VK_EXT_inline_uniform_block"]);
    let promised = |ty: vk::DescriptorType, count: u32, flags: vk::DescriptorBindingFlags| {
        let binding = |number, ty, n| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(number).descriptor_type(ty);
            binding.descriptor_count(n).stage_flags(vk::ShaderStageFlags::COMPUTE)
        };
        let bindings = [binding(0, vk::DescriptorType::UNIFORM_BUFFER, 3), binding(1, ty, count)];
        let flags = [vk::DescriptorBindingFlags::empty(), flags];
        let mut flags = vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings).push_next(&mut flags);
        let mut variable = vk::DescriptorSetVariableDescriptorCountLayoutSupport {
            max_variable_descriptor_count: u32::MAX,
            ..Default::default()
        };
        let mut support = vk::DescriptorSetLayoutSupport::default().push_next(&mut variable);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        unsafe { gpu.device.get_descriptor_set_layout_support(&info, &mut support) };
        let supported = support.supported == vk::TRUE;
        (supported, variable.max_variable_descriptor_count)
    };
    let (fixed, variable) =
        (vk::DescriptorBindingFlags::empty(), vk::DescriptorBindingFlags::VARIABLE_DESCRIPTOR_COUNT);
    let storage = vk::DescriptorType::STORAGE_BUFFER;
    assert_eq!(promised(storage, 1, fixed), (true, 0));
    let (_, most) = promised(storage, 0, variable);
    assert_eq!(promised(storage, most, variable), (true, most));
    assert!(!promised(storage, most + 1, variable).0);
    let block = vk::DescriptorType::INLINE_UNIFORM_BLOCK;
    let (_, most) = promised(block, 4, variable);
    assert!(most >= 256 && most % 4 == 0);
    assert_eq!(promised(block, most, variable), (true, most));
    assert!(!promised(block, most + 4, variable).0);
    assert_eq!(promised(block, most, fixed), (true, 0));
}
