//! Pipeline binaries: pipelines created from the data of other pipelines, without shader modules.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ptr::null;

use crate::common::binaries::{Binaries, CAPTURE, CreateInfo, Handles, WithNext};
use crate::common::{Gpu, assemble};
use ash::vk;

const MISSING: vk::Result = vk::Result::from_raw(1_000_483_000);

/// A compute shader that writes `value` to the word that push constants address.
fn writes(value: u32) -> String {
    format!(
        "OpCapability Shader
        OpCapability PhysicalStorageBufferAddresses
        OpExtension \"SPV_KHR_physical_storage_buffer\"
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %id SpecId 3
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %zero = OpConstant %u32 0
        %id = OpSpecConstant %u32 0
        %value = OpConstant %u32 {value}
        %word = OpTypePointer PhysicalStorageBuffer %u32
        %block = OpTypeStruct %word
        %ptr_block = OpTypePointer PushConstant %block
        %ptr_word = OpTypePointer PushConstant %word
        %push = OpVariable %ptr_block PushConstant
        %main = OpFunction %void None %fn
        %label = OpLabel
        %at = OpAccessChain %ptr_word %push %zero
        %p = OpLoad %word %at
        %sum = OpIAdd %u32 %value %id
        OpStore %p %sum Aligned 4
        OpReturn
        OpFunctionEnd"
    )
}

fn gpu() -> Gpu {
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let extensions = [
        c"VK_KHR_buffer_device_address",
        c"VK_KHR_maintenance5",
        c"VK_KHR_pipeline_binary",
        c"VK_KHR_dynamic_rendering",
    ];
    Gpu::with(&extensions, |info| info.push_next(&mut address)).unwrap()
}

/// Returns the word that a pipeline writes.
fn run(gpu: &Gpu, pipeline: vk::Pipeline, layout: vk::PipelineLayout) -> u32 {
    let buffer = gpu.buffer(16, vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
    let commands = ash::khr::buffer_device_address::Device::new(&gpu.instance, &gpu.device);
    let info = vk::BufferDeviceAddressInfo::default().buffer(buffer.buffer);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    gpu.run(|cmd| unsafe {
        let address = commands.get_buffer_device_address(&info).to_ne_bytes();
        let d = &gpu.device;
        d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipeline);
        d.cmd_push_constants(cmd, layout, vk::ShaderStageFlags::COMPUTE, 0, &address);
        d.cmd_dispatch(cmd, 1, 1, 1);
    });
    let word = buffer.read::<u32>()[0];
    buffer.destroy(gpu);
    word
}

#[test]
fn pipelines_are_made_of_binaries() {
    let gpu = gpu();
    let (d, binaries) = (&gpu.device, Binaries::new(&gpu));
    let module = gpu.shader(&writes(40));
    let entry = [vk::SpecializationMapEntry { constant_id: 3, offset: 0, size: 4 }];
    let two = 2_u32.to_ne_bytes();
    let spec = vk::SpecializationInfo::default().map_entries(&entry).data(&two);
    let stage = vk::PipelineShaderStageCreateInfo::default()
        .stage(vk::ShaderStageFlags::COMPUTE)
        .specialization_info(&spec)
        .name(c"main");
    let push = [vk::PushConstantRange::default().stage_flags(vk::ShaderStageFlags::COMPUTE).size(8)];
    let layout = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let layout = d.create_pipeline_layout(&layout, None).unwrap();
        let make = |info: vk::ComputePipelineCreateInfo<'_>| {
            let made = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None);
            made.map(|pipelines| pipelines[0]).map_err(|(_, code)| code)
        };
        let info = vk::ComputePipelineCreateInfo::default().stage(stage.module(module)).layout(layout);
        let mut capture = vk::PipelineCreateFlags2CreateInfoKHR::default().flags(CAPTURE);
        let first = make(info.push_next(&mut capture)).unwrap();
        let plain = make(info).unwrap();

        // Keys of different modules differ, and a module in the chain has the same key.
        let key = binaries.key_of((&raw const info).cast());
        let (words, other) = (assemble(&writes(40)), assemble(&writes(41)));
        let chained = |words: &[u32]| {
            let mut code = vk::ShaderModuleCreateInfo::default().code(words);
            let stage = stage.push_next(&mut code);
            let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
            binaries.key_of((&raw const info).cast())
        };
        assert_eq!(key, chained(&words));
        assert_ne!(key, chained(&other));
        let global = binaries.key_of(null());
        assert_ne!(key, global);
        assert_eq!(global, binaries.key_of(null()));

        // There is one binary for the stage, and none for a pipeline that captured no data.
        assert_eq!(binaries.of_pipeline(first, None), (vk::Result::SUCCESS, 1, vec![]));
        assert_eq!(binaries.of_pipeline(plain, Some(1)).1, 0);
        let (code, n, made) = binaries.of_pipeline(first, Some(4));
        assert_eq!((code, n), (vk::Result::SUCCESS, 1));
        let (binary_key, data) = binaries.data(made[0]);
        binaries.destroy(&made);
        binaries.destroy(&[0]);
        let released = WithNext { ty: 1_000_483_005, next: null(), member: vk::Handle::as_raw(first) };
        assert_eq!((binaries.release)(d.handle(), &released, null()), vk::Result::SUCCESS);
        d.destroy_pipeline(first, None);
        d.destroy_pipeline(plain, None);
        d.destroy_shader_module(module, None);

        // The driver has no internal cache.
        let asks = WithNext { ty: 1_000_483_007, next: (&raw const info).cast(), member: 0 };
        let pipeline = vk::Pipeline::null();
        let asks = CreateInfo { ty: 1_000_483_001, next: null(), kept: null(), pipeline, info: &asks };
        assert_eq!(binaries.make(&asks, None), (MISSING, 0, vec![]));

        // A pipeline created from the data alone counts as not requiring compilation.
        let (code, mut made) = binaries.of_data(&[binary_key], std::slice::from_ref(&data));
        assert_eq!(code, vk::Result::SUCCESS);
        let named = Handles { ty: 1_000_483_002, next: null(), n: 1, binaries: made.as_mut_ptr() };
        let mut info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(layout);
        info.p_next = (&raw const named).cast();
        info.flags = vk::PipelineCreateFlags::FAIL_ON_PIPELINE_COMPILE_REQUIRED;
        let second = make(info).unwrap();
        assert_eq!(run(&gpu, second, layout), 42, "with the constant of the second create info");
        d.destroy_pipeline(second, None);

        // There is no binary of another stage.
        info.stage.stage = vk::ShaderStageFlags::VERTEX;
        assert_eq!(make(info), Err(vk::Result::ERROR_UNKNOWN));
        binaries.destroy(&made);

        // Damaged data, or a wrong key, fails; the other binaries are still created.
        let mut bad = data.clone();
        *bad.last_mut().unwrap() ^= 1;
        let (code, made) = binaries.of_data(&[binary_key; 2], &[bad, data.clone()]);
        assert_eq!((code, made[0]), (vk::Result::ERROR_INITIALIZATION_FAILED, 0));
        assert_eq!(binaries.data(made[1]), (binary_key, data.clone()));
        binaries.destroy(&made);
        for data in [&data[..data.len() - 4], &data[..10], &[]] {
            let (code, made) = binaries.of_data(&[binary_key], &[data.to_vec()]);
            assert_eq!((code, &made[..]), (vk::Result::ERROR_INITIALIZATION_FAILED, &[0][..]));
        }
        let (code, _) = binaries.of_data(&[key], &[data]);
        assert_eq!(code, vk::Result::ERROR_INITIALIZATION_FAILED, "not the key of the data");
        d.destroy_pipeline_layout(layout, None);
    }
}
