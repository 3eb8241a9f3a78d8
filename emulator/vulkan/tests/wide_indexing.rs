//! 64-bit indexing through Vulkan: accesses behind 4 GiB of one buffer, by descriptor and by address.

#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use crate::common::{self, Gpu, Mapped};
use ash::vk;
use quadrille_jit::testing::{self, Requirement};

/// VkPhysicalDeviceShader64BitIndexingFeaturesEXT.
#[repr(C)]
struct Feature {
    ty: vk::StructureType,
    next: *mut c_void,
    on: vk::Bool32,
}

/// VK_PIPELINE_CREATE_2_64_BIT_INDEXING_BIT_EXT.
const PIPELINE_FLAG: vk::PipelineCreateFlags2KHR = vk::PipelineCreateFlags2KHR::from_raw(1 << 43);
/// VK_SHADER_CREATE_64_BIT_INDEXING_BIT_EXT.
const SHADER_FLAG: vk::ShaderCreateFlagsEXT = vk::ShaderCreateFlagsEXT::from_raw(1 << 15);

/// Size of the buffer: 5 GiB, and some words.
const SIZE: u64 = (5 << 30) + 64;
/// Number of a word behind 4 GiB.
const WORD: u64 = (1 << 30) + 5;

/// With one buffer of words, the results, and push constants: the address of the buffer, the number of a word, and one behind the
/// end. Each word is read, and then the three behind it are written. The module does not request 64-bit indexing itself.
const MODULE: &str = "
OpCapability Shader
OpCapability Int64
OpCapability PhysicalStorageBufferAddresses
OpExtension \"SPV_KHR_physical_storage_buffer\"
OpMemoryModel PhysicalStorageBuffer64 GLSL450
OpEntryPoint GLCompute %main \"main\" %a %d %p
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %array ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %pushed Block
OpMemberDecorate %pushed 0 Offset 0
OpMemberDecorate %pushed 1 Offset 8
OpMemberDecorate %pushed 2 Offset 16
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 0
OpDecorate %d DescriptorSet 0
OpDecorate %d Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u32 = OpTypeInt 32 0
%u64 = OpTypeInt 64 0
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%c2 = OpConstant %u32 2
%c3 = OpConstant %u32 3
%c4 = OpConstant %u32 4
%c5 = OpConstant %u32 5
%c7 = OpConstant %u32 7
%c9 = OpConstant %u32 9
%l1 = OpConstant %u64 1
%l2 = OpConstant %u64 2
%l3 = OpConstant %u64 3
%half = OpConstant %u64 32
%array = OpTypeRuntimeArray %u32
%block = OpTypeStruct %array
%pblock = OpTypePointer StorageBuffer %block
%pword = OpTypePointer StorageBuffer %u32
%physical = OpTypePointer PhysicalStorageBuffer %block
%pphysical = OpTypePointer PhysicalStorageBuffer %u32
%pushed = OpTypeStruct %physical %u64 %u64
%ppushed = OpTypePointer PushConstant %pushed
%pptr = OpTypePointer PushConstant %physical
%plong = OpTypePointer PushConstant %u64
%a = OpVariable %pblock StorageBuffer
%d = OpVariable %pblock StorageBuffer
%p = OpVariable %ppushed PushConstant
%main = OpFunction %void None %fn
%entry = OpLabel
%at0 = OpAccessChain %pptr %p %c0
%words = OpLoad %physical %at0
%at1 = OpAccessChain %plong %p %c1
%word = OpLoad %u64 %at1
%at2 = OpAccessChain %plong %p %c2
%beyond = OpLoad %u64 %at2
%d0 = OpAccessChain %pword %d %c0 %c0
%d1 = OpAccessChain %pword %d %c0 %c1
%d2 = OpAccessChain %pword %d %c0 %c2
%d3 = OpAccessChain %pword %d %c0 %c3
%d4 = OpAccessChain %pword %d %c0 %c4
%d5 = OpAccessChain %pword %d %c0 %c5
%a0 = OpAccessChain %pword %a %c0 %word
%v0 = OpLoad %u32 %a0
OpStore %d0 %v0
%short = OpUConvert %u32 %word
%a1 = OpAccessChain %pword %a %c0 %short
%v1 = OpLoad %u32 %a1
OpStore %d1 %v1
%a2 = OpAccessChain %pword %a %c0 %beyond
%v2 = OpLoad %u32 %a2
OpStore %d2 %v2
OpStore %a2 %c9
%n = OpArrayLength %u64 %a 0
%low = OpUConvert %u32 %n
OpStore %d3 %low
%rest = OpShiftRightLogical %u64 %n %half
%high = OpUConvert %u32 %rest
OpStore %d4 %high
%p5 = OpInBoundsAccessChain %pphysical %words %c0 %short
%v5 = OpLoad %u32 %p5 Aligned 4
OpStore %d5 %v5
%next = OpIAdd %u64 %word %l1
%a6 = OpAccessChain %pword %a %c0 %next
OpStore %a6 %c7
%second = OpIAdd %u64 %word %l2
%p7 = OpInBoundsAccessChain %pphysical %words %c0 %second
OpStore %p7 %c9 Aligned 4
%third = OpIAdd %u64 %word %l3
%a8 = OpAccessChain %pword %a %c0 %third
%old = OpAtomicIAdd %u32 %a8 %c1 %c0 %c5
OpReturn
OpFunctionEnd
";

const EXTENSIONS: [&CStr; 4] = [
    c"VK_EXT_shader_64bit_indexing",
    c"VK_KHR_buffer_device_address",
    c"VK_KHR_maintenance5",
    c"VK_EXT_shader_object",
];

fn gpu() -> Gpu {
    let ty = vk::StructureType::from_raw(1_000_627_000);
    let mut feature = Feature { ty, next: std::ptr::null_mut(), on: vk::TRUE };
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let mut objects = vk::PhysicalDeviceShaderObjectFeaturesEXT::default().shader_object(true);
    let mut five = vk::PhysicalDeviceMaintenance5FeaturesKHR::default().maintenance5(true);
    five.p_next = (&raw mut feature).cast();
    let core = vk::PhysicalDeviceFeatures::default().shader_int64(true);
    let gpu = Gpu::with(&EXTENSIONS, |mut info| {
        // The last structure ends the chain with the feature.
        address.p_next = (&raw mut five).cast();
        objects.p_next = (&raw mut address).cast();
        info.p_next = (&raw mut objects).cast();
        info.enabled_features(&core)
    });
    gpu.unwrap()
}

/// True if the device's memory has room for the buffer. Only the pages that the test touches take memory of the host.
fn has_room(gpu: &Gpu) -> bool {
    // SAFETY: valid usage of Vulkan: the physical device is live.
    let all = unsafe { gpu.instance.get_physical_device_memory_properties(gpu.physical) };
    all.memory_heaps[0].size > SIZE + (1 << 28)
}

struct Test {
    gpu: Gpu,
    words: Mapped,
    results: Mapped,
    address: u64,
    sets: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    push: vk::PushConstantRange,
    pool: vk::DescriptorPool,
    set: vk::DescriptorSet,
}

impl Test {
    fn new(gpu: Gpu) -> Test {
        let (d, stage) = (&gpu.device, vk::ShaderStageFlags::COMPUTE);
        let ty = vk::DescriptorType::STORAGE_BUFFER;
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let words = gpu.buffer(SIZE, usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
        let results = gpu.buffer(24, usage);
        let of = |binding| {
            let binding = vk::DescriptorSetLayoutBinding::default().binding(binding).descriptor_type(ty);
            binding.descriptor_count(1).stage_flags(stage)
        };
        let bindings = [of(0), of(1)];
        let commands = ash::khr::buffer_device_address::Device::new(&gpu.instance, d);
        let push = vk::PushConstantRange { stage_flags: stage, offset: 0, size: 24 };
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let info = vk::BufferDeviceAddressInfo::default().buffer(words.buffer);
            let address = commands.get_buffer_device_address(&info);
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let sets = d.create_descriptor_set_layout(&info, None).unwrap();
            let (all, pushed) = ([sets], [push]);
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&all).push_constant_ranges(&pushed);
            let layout = d.create_pipeline_layout(&info, None).unwrap();
            let sizes = [vk::DescriptorPoolSize::default().ty(ty).descriptor_count(2)];
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None).unwrap();
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&all);
            let set = d.allocate_descriptor_sets(&info).unwrap()[0];
            for (binding, buffer) in [&words, &results].into_iter().enumerate() {
                let range = [vk::DescriptorBufferInfo::default().buffer(buffer.buffer).range(vk::WHOLE_SIZE)];
                let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding as u32);
                d.update_descriptor_sets(&[write.descriptor_type(ty).buffer_info(&range)], &[]);
            }
            Test { words, results, address, sets, layout, push, pool, set, gpu }
        }
    }

    /// Runs one workgroup of what `bind` binds, and checks all its reads and writes.
    fn run(&self, bind: impl FnOnce(vk::CommandBuffer)) {
        let d = &self.gpu.device;
        for (k, value) in [1000, 0, 0, 40].into_iter().enumerate() {
            self.words.put(4 * (WORD + k as u64), value);
        }
        // An offset of 32 bits would lead there.
        self.words.put(4 * (WORD - (1 << 30)), 77u32);
        self.results.write(&[5u32; 6]);
        let push: Vec<u8> = [self.address, WORD, SIZE / 4 + 5].iter().flat_map(|n| n.to_le_bytes()).collect();
        self.gpu.run(|c| {
            bind(c);
            // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
            unsafe {
                let point = vk::PipelineBindPoint::COMPUTE;
                d.cmd_bind_descriptor_sets(c, point, self.layout, 0, &[self.set], &[]);
                d.cmd_push_constants(c, self.layout, vk::ShaderStageFlags::COMPUTE, 0, &push);
                d.cmd_dispatch(c, 1, 1, 1);
            }
        });
        let n = SIZE / 4;
        assert_eq!(self.results.read::<u32>(), [1000, 1000, 0, n as u32, (n >> 32) as u32, 1000]);
        let found: Vec<u32> = (1..4).map(|k| self.words.at(4 * (WORD + k))).collect();
        assert_eq!(found, [7, 9, 45]);
        assert_eq!(self.words.at::<u32>(4 * (WORD - (1 << 30))), 77);
    }

    fn pipeline(&self, flags: vk::PipelineCreateFlags2KHR) -> Result<vk::Pipeline, vk::Result> {
        let d = &self.gpu.device;
        let module = self.gpu.shader(MODULE);
        let stage = vk::PipelineShaderStageCreateInfo::default().module(module).name(c"main");
        let stage = stage.stage(vk::ShaderStageFlags::COMPUTE);
        let mut flags = vk::PipelineCreateFlags2CreateInfoKHR::default().flags(flags);
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout);
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let made =
                d.create_compute_pipelines(vk::PipelineCache::null(), &[info.push_next(&mut flags)], None);
            d.destroy_shader_module(module, None);
            made.map(|made| made[0]).map_err(|(_, e)| e)
        }
    }
}

/// The buffer has 5 GiB. Pipelines and shader objects have 64-bit indexing by their flags; without the flag, the length of 64 bits
/// is refused.
#[test]
fn buffers_of_more_than_4_gib() {
    let gpu = gpu();
    if !has_room(&gpu) {
        testing::skipped(Requirement::Memory, "the device has less than 5.3 GiB of memory");
        return;
    }
    let test = Test::new(gpu);
    let d = &test.gpu.device;
    let pipeline = test.pipeline(PIPELINE_FLAG).unwrap();
    // SAFETY: valid usage of Vulkan: recording has begun, and the pipeline is live.
    test.run(|c| unsafe { d.cmd_bind_pipeline(c, vk::PipelineBindPoint::COMPUTE, pipeline) });
    assert!(test.pipeline(vk::PipelineCreateFlags2KHR::empty()).is_err());

    let objects = ash::ext::shader_object::Device::new(&test.gpu.instance, d);
    let code: Vec<u8> = common::assemble(MODULE).iter().flat_map(|w| w.to_le_bytes()).collect();
    let (sets, push) = ([test.sets], [test.push]);
    let stage = vk::ShaderStageFlags::COMPUTE;
    let info = vk::ShaderCreateInfoEXT::default().stage(stage).name(c"main").flags(SHADER_FLAG);
    let info = info.set_layouts(&sets).push_constant_ranges(&push);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let source = info.code(&code).code_type(vk::ShaderCodeTypeEXT::SPIRV);
        let shader = objects.create_shaders(&[source], None).unwrap()[0];
        test.run(|c| objects.cmd_bind_shaders(c, &[stage], &[shader]));
        let binary = objects.get_shader_binary_data(shader).unwrap();
        let returned = info.code(&binary).code_type(vk::ShaderCodeTypeEXT::BINARY);
        let again = objects.create_shaders(&[returned], None).unwrap()[0];
        test.run(|c| objects.cmd_bind_shaders(c, &[stage], &[again]));
        [shader, again].into_iter().for_each(|shader| objects.destroy_shader(shader, None));
        d.destroy_pipeline(pipeline, None);
        d.destroy_descriptor_pool(test.pool, None);
        d.destroy_pipeline_layout(test.layout, None);
        d.destroy_descriptor_set_layout(test.sets, None);
    }
    let Test { gpu, words, results, .. } = test;
    words.destroy(&gpu);
    results.destroy(&gpu);
}
