//! Device-generated commands: sequences in memory that dispatch and draw.

#![expect(unsafe_code, reason = "a Vulkan client")]

#[path = "generated_commands/calls.rs"]
mod calls;
mod common;

use std::mem::transmute;
use std::ptr::null;

use ash::vk;
use calls::{
    Allocator, DISPATCH, DRAW, DRAW_COUNT, DRAW_INDEXED, DRAW_MESH_TASKS, EXECUTION_SET, INDEX_BUFFER,
    MemoryInfo, PUSH_CONSTANT, SEQUENCE_INDEX, Sequences, SetInfo, ShadersInfo, VERTEX_BUFFER, With,
    WriteShader, buffer, destroy, execute, find, layout, set,
};
use common::bench::{Bench, CLEAR, Draw, When, check};
use common::{Gpu, assemble};

/// Shader whose workgroups each add `add` plus twice the third word of push constants to a word in memory. The first
/// two push constant words are an address; the fourth is the index of the word from there.
fn adds(add: u32) -> String {
    format!(
        "OpCapability Shader
        OpCapability Int64
        OpCapability PhysicalStorageBufferAddresses
        OpExtension \"SPV_KHR_physical_storage_buffer\"
        OpMemoryModel PhysicalStorageBuffer64 GLSL450
        OpEntryPoint GLCompute %main \"main\"
        OpExecutionMode %main LocalSize 1 1 1
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        OpMemberDecorate %block 1 Offset 8
        OpMemberDecorate %block 2 Offset 12
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %u64 = OpTypeInt 64 0
        %c0 = OpConstant %u32 0
        %c1 = OpConstant %u32 1
        %c2 = OpConstant %u32 2
        %four = OpConstant %u64 4
        %add = OpConstant %u32 {add}
        %word = OpTypePointer PhysicalStorageBuffer %u32
        %block = OpTypeStruct %u64 %u32 %u32
        %ptr_block = OpTypePointer PushConstant %block
        %ptr_u64 = OpTypePointer PushConstant %u64
        %ptr_u32 = OpTypePointer PushConstant %u32
        %push = OpVariable %ptr_block PushConstant
        %main = OpFunction %void None %fn
        %label = OpLabel
        %p0 = OpAccessChain %ptr_u64 %push %c0
        %base = OpLoad %u64 %p0
        %p1 = OpAccessChain %ptr_u32 %push %c1
        %a = OpLoad %u32 %p1
        %p2 = OpAccessChain %ptr_u32 %push %c2
        %i = OpLoad %u32 %p2
        %wide = OpUConvert %u64 %i
        %bytes = OpIMul %u64 %wide %four
        %at = OpIAdd %u64 %base %bytes
        %p = OpConvertUToPtr %word %at
        %twice = OpIMul %u32 %a %c2
        %sum = OpIAdd %u32 %twice %add
        %old = OpAtomicIAdd %u32 %p %c1 %c0 %sum
        OpReturn
        OpFunctionEnd"
    )
}

#[test]
fn sequences_dispatch() {
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let features = vk::PhysicalDeviceFeatures::default().shader_int64(true);
    let extensions = [
        c"VK_KHR_buffer_device_address",
        c"VK_KHR_dynamic_rendering",
        c"VK_KHR_maintenance5",
        c"VK_EXT_device_generated_commands",
    ];
    let gpu =
        Gpu::with(&extensions, |info| info.enabled_features(&features).push_next(&mut address)).unwrap();
    let (d, compute) = (&gpu.device, vk::ShaderStageFlags::COMPUTE);
    let (results, at) = buffer(&gpu, &[0u32; 8]);
    let push = [vk::PushConstantRange::default().stage_flags(compute).size(16)];
    let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let pipeline_layout = d.create_pipeline_layout(&info, None).unwrap();
        let pipelines = [100, 1000].map(|add| {
            let module = gpu.shader(&adds(add));
            let stage = vk::PipelineShaderStageCreateInfo::default().stage(compute).name(c"main");
            let info =
                vk::ComputePipelineCreateInfo::default().stage(stage.module(module)).layout(pipeline_layout);
            let made = d.create_compute_pipelines(vk::PipelineCache::null(), &[info], None).unwrap()[0];
            d.destroy_shader_module(module, None);
            made
        });
        let set = set(&gpu, &[Some(pipelines[0]), Some(pipelines[1]), None]);
        let tokens = [
            (EXECUTION_SET, With::Nothing, 0),
            (PUSH_CONSTANT, With::Range(8, 4), 4),
            (SEQUENCE_INDEX, With::Range(12, 4), 8),
            (DISPATCH, With::Nothing, 12),
        ];
        let (code, layout_of_all) = layout(&gpu, compute, 28, &tokens);
        assert_eq!(code, vk::Result::SUCCESS);
        assert_ne!(layout(&gpu, compute, 28, &tokens[..3]).0, vk::Result::SUCCESS, "nothing dispatches");

        // Preprocessing needs no memory.
        let info = MemoryInfo {
            ty: 1_000_572_002,
            next: null(),
            set,
            layout: layout_of_all,
            most: 6,
            most_draws: 0,
        };
        let mut need = vk::MemoryRequirements2::default();
        type Requirements =
            unsafe extern "system" fn(vk::Device, *const MemoryInfo, *mut vk::MemoryRequirements2<'_>);
        let requirements: Requirements =
            transmute(find(&gpu, c"vkGetGeneratedCommandsMemoryRequirementsEXT"));
        requirements(d.handle(), &info, &mut need);
        assert_eq!(need.memory_requirements.size, 0);

        // Each sequence: pipeline, push constant, space for the sequence index, workgroups. Sequences with pipelines
        // that the set lacks, or beyond the limits, are skipped.
        let sequences = [
            [0u32, 1, 77, 1, 1, 1, 0],
            [1, 2, 77, 2, 1, 1, 0],
            [2, 3, 77, 1, 1, 1, 0],
            [0, 4, 77, u32::MAX, 1, 1, 0],
            [1, 5, 77, 1, 2, 3, 0],
            [0, 6, 77, 1, 1, 1, 0],
        ];
        let (data, address) = buffer(&gpu, &sequences);
        let (count, count_address) = buffer(&gpu, &[5u32]);
        let of =
            Sequences { set, layout: layout_of_all, address, most: 6, count: count_address, most_draws: 0 };
        let run = |of: Sequences| {
            results.write(&[0u32; 8]);
            gpu.run(|cmd| {
                d.cmd_bind_pipeline(cmd, vk::PipelineBindPoint::COMPUTE, pipelines[0]);
                d.cmd_push_constants(cmd, pipeline_layout, compute, 0, &at.to_ne_bytes());
                d.cmd_push_constants(cmd, pipeline_layout, compute, 8, &[0; 8]);
                execute(&gpu, cmd, of);
            });
            results.read::<u32>()
        };
        assert_eq!(run(of), [102, 2 * 1004, 0, 0, 6 * 1010, 0, 0, 0]);
        assert_eq!(run(Sequences { count: 0, ..of })[..6], [102, 2 * 1004, 0, 0, 6 * 1010, 112]);
        assert_eq!(run(Sequences { most: 2, ..of })[..6], [102, 2 * 1004, 0, 0, 0, 0]);
        // Beyond the end of their memory there are no sequences.
        assert_eq!(run(Sequences { count: 0, most: 900, ..of })[..6], [102, 2 * 1004, 0, 0, 6 * 1010, 112]);

        // Sequences without pipeline tokens use the bound pipeline.
        let (code, plain) = layout(&gpu, compute, 28, &[(DISPATCH, With::Nothing, 12)]);
        assert_eq!(code, vk::Result::SUCCESS);
        let all = run(Sequences { set: 0, layout: plain, count: 0, ..of });
        assert_eq!(all[..2], [100 * (1 + 2 + 1 + 6 + 1), 0]);

        for layout in [layout_of_all, plain] {
            destroy(&gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout);
        }
        destroy(&gpu, c"vkDestroyIndirectExecutionSetEXT", set);
        pipelines.iter().for_each(|&pipeline| d.destroy_pipeline(pipeline, None));
        d.destroy_pipeline_layout(pipeline_layout, None);
        [data, count].into_iter().for_each(|b| b.destroy(&gpu));
    }
    results.destroy(&gpu);
}

/// Like [`sequences_dispatch`], with shader objects; the second is put into the set later.
#[test]
fn sequences_bind_shader_objects() {
    let mut address = vk::PhysicalDeviceBufferDeviceAddressFeatures::default().buffer_device_address(true);
    let mut objects = vk::PhysicalDeviceShaderObjectFeaturesEXT::default().shader_object(true);
    let features = vk::PhysicalDeviceFeatures::default().shader_int64(true);
    let extensions = [
        c"VK_KHR_buffer_device_address",
        c"VK_KHR_dynamic_rendering",
        c"VK_KHR_maintenance5",
        c"VK_EXT_shader_object",
        c"VK_EXT_device_generated_commands",
    ];
    let gpu = Gpu::with(&extensions, |info| {
        info.enabled_features(&features).push_next(&mut address).push_next(&mut objects)
    });
    let gpu = gpu.unwrap();
    let (d, compute) = (&gpu.device, vk::ShaderStageFlags::COMPUTE);
    let objects = ash::ext::shader_object::Device::new(&gpu.instance, d);
    let (results, at) = buffer(&gpu, &[0u32; 4]);
    let push = [vk::PushConstantRange::default().stage_flags(compute).size(16)];
    let info = vk::PipelineLayoutCreateInfo::default().push_constant_ranges(&push);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let pipeline_layout = d.create_pipeline_layout(&info, None).unwrap();
        let shaders = [100, 1000].map(|add| {
            let code: Vec<u8> = assemble(&adds(add)).iter().flat_map(|w| w.to_ne_bytes()).collect();
            let info = vk::ShaderCreateInfoEXT::default().stage(compute).name(c"main").code(&code);
            let info = info.code_type(vk::ShaderCodeTypeEXT::SPIRV).push_constant_ranges(&push);
            objects.create_shaders(&[info], None).unwrap()[0]
        });
        let info = ShadersInfo {
            ty: 1_000_572_011,
            next: null(),
            n: 1,
            first: &shaders[0],
            layouts: null(),
            most: 2,
            n_ranges: 1,
            ranges: push.as_ptr(),
        };
        let info = SetInfo { ty: 1_000_572_003, next: null(), kind: 1, info: (&raw const info).cast() };
        let write = WriteShader { ty: 1_000_572_009, next: null(), index: 1, shader: shaders[1] };
        type Create =
            unsafe extern "system" fn(vk::Device, *const SetInfo, Allocator, *mut u64) -> vk::Result;
        type Update = unsafe extern "system" fn(vk::Device, u64, u32, *const WriteShader);
        let create: Create = transmute(find(&gpu, c"vkCreateIndirectExecutionSetEXT"));
        let update: Update = transmute(find(&gpu, c"vkUpdateIndirectExecutionSetShaderEXT"));
        let mut set = 0;
        assert_eq!(create(d.handle(), &info, null(), &mut set), vk::Result::SUCCESS);

        let tokens = [
            (EXECUTION_SET, With::Shaders, 0),
            (SEQUENCE_INDEX, With::Range(12, 4), 4),
            (DISPATCH, With::Nothing, 8),
        ];
        let (code, layout) = layout(&gpu, compute, 20, &tokens);
        assert_eq!(code, vk::Result::SUCCESS);
        let (data, address) = buffer(&gpu, &[[0u32, 0, 1, 1, 1], [1, 0, 2, 1, 1], [0, 0, 3, 1, 1]]);
        let of = Sequences { set, layout, address, most: 3, count: 0, most_draws: 0 };
        let run = || {
            results.write(&[0u32; 4]);
            gpu.run(|cmd| {
                objects.cmd_bind_shaders(cmd, &[compute], &[shaders[0]]);
                d.cmd_push_constants(cmd, pipeline_layout, compute, 0, &at.to_ne_bytes());
                d.cmd_push_constants(cmd, pipeline_layout, compute, 8, &[0; 8]);
                execute(&gpu, cmd, of);
            });
            results.read::<u32>()
        };
        assert_eq!(run(), [100, 0, 300, 0], "nothing is at number 1 of the set");
        update(d.handle(), set, 1, &write);
        assert_eq!(run(), [100, 2000, 300, 0]);

        destroy(&gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout);
        destroy(&gpu, c"vkDestroyIndirectExecutionSetEXT", set);
        shaders.iter().for_each(|&shader| objects.destroy_shader(shader, None));
        d.destroy_pipeline_layout(pipeline_layout, None);
        data.destroy(&gpu);
    }
    results.destroy(&gpu);
}

/// Two triangles that cover a rectangle of the image, in pixels.
fn rectangle(x: [f32; 2], y: [f32; 2]) -> [[f32; 4]; 6] {
    let [x, y] = [x, y].map(|side| side.map(|at| at / 8.0 - 1.0));
    [[0, 0], [1, 0], [0, 1], [0, 1], [1, 0], [1, 1]].map(|[i, j]| [x[i], y[j], 0.0, 1.0])
}

const SHADERS: &[(vk::ShaderStageFlags, &str)] = &[
    (vk::ShaderStageFlags::VERTEX, include_str!("shaders/positions.vert.spvasm")),
    (vk::ShaderStageFlags::FRAGMENT, include_str!("shaders/color.frag.spvasm")),
];

const WHITE: [u8; 4] = [255; 4];

/// Words of an address, followed by `a` and `b`.
fn place(address: u64, a: u32, b: u32) -> [u32; 4] {
    [address as u32, (address >> 32) as u32, a, b]
}

/// Returns the pixels that sequences draw in place of the bench's own draw.
fn drawn(bench: &Bench, draw: &Draw<'_>, vertices: Option<vk::Buffer>, of: Sequences) -> Vec<[u8; 4]> {
    bench.draw_with(draw, |cmd, when| {
        if when == When::Begin {
            if let Some(vertices) = vertices {
                // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
                unsafe { bench.gpu.device.cmd_bind_vertex_buffers(cmd, 0, &[vertices], &[0]) };
            }
            execute(&bench.gpu, cmd, of);
        }
    })
}

#[test]
fn sequences_draw() {
    let bench = Bench::new();
    let gpu = &bench.gpu;
    let topology = vk::PrimitiveTopology::TRIANGLE_LIST;
    let draw = Draw { shaders: SHADERS, topology, vertices: 0, stride: Some(16), ..Draw::default() };
    let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
    let left = rectangle([0.0, 4.0], [0.0, 16.0]);
    let right = rectangle([10.0, 16.0], [8.0, 16.0]);
    let (vertices, vertices_at) = buffer(gpu, &[left, right]);
    let mut layouts = Vec::new();
    let mut of = |stride, tokens: &[(i32, With, u32)], address, most| {
        let (code, layout) = layout(gpu, stages, stride, tokens);
        assert_eq!(code, vk::Result::SUCCESS);
        layouts.push(layout);
        Sequences { set: 0, layout, address, most, count: 0, most_draws: 3 }
    };
    let both = |x: u32, y: u32| match (x, y) {
        (0..4, _) => WHITE,
        (10.., 8..) => WHITE,
        _ => CLEAR,
    };

    // Draws with the bound state.
    let (draws, at) = buffer(gpu, &[[6u32, 1, 0, 0], [6, 1, 6, 0]]);
    let plain = of(16, &[(DRAW, With::Nothing, 0)], at, 2);
    check(&drawn(&bench, &draw, Some(vertices.buffer), plain), both);
    let one = Sequences { most: 1, ..plain };
    check(&drawn(&bench, &draw, Some(vertices.buffer), one), |x, _| if x < 4 { WHITE } else { CLEAR });

    // Each sequence binds its own vertices.
    let sequence = |first: u64| {
        let mut words = place(vertices_at + 96 * first, 96, 16).to_vec();
        words.extend([6u32, 1, 0, 0]);
        words
    };
    let (owned, owned_at) = buffer(gpu, &[sequence(0), sequence(1)].concat());
    let tokens = [(VERTEX_BUFFER, With::Number(0), 0), (DRAW, With::Nothing, 16)];
    check(&drawn(&bench, &draw, None, of(32, &tokens, owned_at, 2)), both);

    // 16-bit indices, with the type of Vulkan and of DXGI; a sequence with an invalid type is skipped.
    let (indices, indices_at) = buffer(gpu, &[0u16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
    for (mode, ty, other) in [(1, 0u32, 42u32), (2, 57, 0)] {
        let sequence = |first: u64, ty| {
            let mut words = place(indices_at + 12 * first, 12, ty).to_vec();
            words.extend([6u32, 1, 0, 0, 0]);
            words
        };
        let all = [sequence(0, ty), sequence(1, ty)].concat();
        let (indexed, indexed_at) = buffer(gpu, &all);
        let tokens = [(INDEX_BUFFER, With::Number(mode), 0), (DRAW_INDEXED, With::Nothing, 16)];
        let sequences = of(36, &tokens, indexed_at, 2);
        check(&drawn(&bench, &draw, Some(vertices.buffer), sequences), both);
        indexed.write(&[sequence(0, ty), sequence(1, other)].concat());
        let left = |x, _| if x < 4 { WHITE } else { CLEAR };
        check(&drawn(&bench, &draw, Some(vertices.buffer), sequences), left);
        indexed.destroy(gpu);
    }

    // Several draws per sequence, with a limited count.
    let counted = |count| place(at, 16, count);
    let (lists, lists_at) = buffer(gpu, &[counted(2), counted(0)]);
    let sequences = of(16, &[(DRAW_COUNT, With::Nothing, 0)], lists_at, 2);
    check(&drawn(&bench, &draw, Some(vertices.buffer), sequences), both);
    let limited = Sequences { most_draws: 1, ..sequences };
    check(&drawn(&bench, &draw, Some(vertices.buffer), limited), |x, _| if x < 4 { WHITE } else { CLEAR });

    layouts.iter().for_each(|&layout| destroy(gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout));
    [vertices, draws, owned, indices, lists].into_iter().for_each(|b| b.destroy(gpu));
}

/// Sequences set strides. Those after an invalid one, whose buffer has no vertices, set theirs as well.
#[test]
fn sequences_set_strides() {
    let bench = Bench::new();
    let gpu = &bench.gpu;
    let (topology, dynamic) =
        (vk::PrimitiveTopology::TRIANGLE_LIST, &[vk::DynamicState::VERTEX_INPUT_BINDING_STRIDE]);
    let draw = Draw { shaders: SHADERS, topology, dynamic, vertices: 0, stride: Some(32), ..Draw::default() };
    let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
    let sides = [rectangle([0.0, 4.0], [0.0, 16.0]), rectangle([10.0, 16.0], [8.0, 16.0])];
    let (vertices, vertices_at) = buffer(gpu, &sides);
    let other = gpu.buffer(256, vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS);
    let commands = ash::khr::buffer_device_address::Device::new(&gpu.instance, &gpu.device);
    let info = vk::BufferDeviceAddressInfo::default().buffer(other.buffer);
    // SAFETY: valid usage of Vulkan: the buffer is live.
    let other_at = unsafe { commands.get_buffer_device_address(&info) };
    let sequence = |address| [&place(address, 96, 16)[..], &[6u32, 1, 0, 0]].concat();
    let all = [other_at, vertices_at, vertices_at + 96].map(sequence).concat();
    let (data, address) = buffer(gpu, &all);
    let tokens = [(VERTEX_BUFFER, With::Number(0), 0), (DRAW, With::Nothing, 16)];
    let (code, layout) = layout(gpu, stages, 32, &tokens);
    assert_eq!(code, vk::Result::SUCCESS);
    let of = Sequences { set: 0, layout, address, most: 3, count: 0, most_draws: 0 };
    check(&drawn(&bench, &draw, None, of), |x, y| match (x, y) {
        (0..4, _) | (10.., 8..) => WHITE,
        _ => CLEAR,
    });
    destroy(gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout);
    [vertices, other, data].into_iter().for_each(|b| b.destroy(gpu));
}

/// Peak memory of this process, in bytes.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// The sequence count is in device memory. Of very many sequences, the first and the last draw, in order; memory does
/// not grow with their number.
#[test]
fn any_number_of_sequences_takes_bounded_memory() {
    const SEQUENCES: usize = 1 << 18;
    let bench = Bench::new();
    let gpu = &bench.gpu;
    let topology = vk::PrimitiveTopology::TRIANGLE_LIST;
    let draw = Draw { shaders: SHADERS, topology, vertices: 0, stride: Some(16), ..Draw::default() };
    let stages = vk::ShaderStageFlags::VERTEX | vk::ShaderStageFlags::FRAGMENT;
    let (left, right) = (rectangle([0.0, 4.0], [0.0, 16.0]), rectangle([10.0, 16.0], [8.0, 16.0]));
    let (vertices, vertices_at) = buffer(gpu, &[left, right]);
    let sequence = |first: u64, n: u32| {
        let [a, b, c, d] = place(vertices_at + 96 * first, 96, 16);
        [a, b, c, d, n, 1, 0, 0]
    };
    // The sequences between them draw a single vertex each, alternately from the two rectangles. One vertex forms no
    // triangle.
    let mut all: Vec<[u32; 8]> = (0..SEQUENCES as u64).map(|i| sequence(i % 2, 1)).collect();
    (all[0], all[SEQUENCES - 1]) = (sequence(0, 6), sequence(1, 6));
    let (data, at) = buffer(gpu, &all);
    let (count, count_at) = buffer(gpu, &[u32::MAX]);
    let tokens = [(VERTEX_BUFFER, With::Number(0), 0), (DRAW, With::Nothing, 16)];
    let (code, layout) = layout(gpu, stages, 32, &tokens);
    assert_eq!(code, vk::Result::SUCCESS);
    let of =
        Sequences { set: 0, layout, address: at, most: SEQUENCES as u32, count: count_at, most_draws: 0 };
    let before = peak();
    check(&drawn(&bench, &draw, None, of), |x, y| match (x, y) {
        (0..4, _) | (10.., 8..) => WHITE,
        _ => CLEAR,
    });
    let grown = peak() - before;
    assert!(grown < 100 << 20, "{grown} bytes for {SEQUENCES} sequences");
    destroy(gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout);
    [vertices, data, count].into_iter().for_each(|b| b.destroy(gpu));
}

/// Like [`sequences_draw`], with workgroups of a mesh stage: the columns of two pixels that `columns.mesh` draws.
#[test]
fn sequences_draw_meshes() {
    let bench = Bench::new();
    let gpu = &bench.gpu;
    let shaders: &[_] = &[
        (vk::ShaderStageFlags::MESH_EXT, include_str!("shaders/columns.mesh.spvasm")),
        (vk::ShaderStageFlags::FRAGMENT, include_str!("shaders/mesh.frag.spvasm")),
    ];
    let draw = Draw { shaders, vertices: 0, ..Draw::default() };
    let stages = vk::ShaderStageFlags::MESH_EXT | vk::ShaderStageFlags::FRAGMENT;
    let (groups, address) = buffer(gpu, &[[1u32, 1, 1], [3, 1, 1], [u32::MAX, 1, 1]]);
    let (code, layout) = layout(gpu, stages, 12, &[(DRAW_MESH_TASKS, With::Nothing, 0)]);
    assert_eq!(code, vk::Result::SUCCESS);
    let of = Sequences { set: 0, layout, address, most: 3, count: 0, most_draws: 0 };
    check(&drawn(&bench, &draw, None, of), |x, _| if x < 6 { [255, 0, 0, 255] } else { CLEAR });
    destroy(gpu, c"vkDestroyIndirectCommandsLayoutEXT", layout);
    groups.destroy(gpu);
}
