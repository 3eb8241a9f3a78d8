//! Device addresses through the library.

use quadrille::*;

/// Adds the numbers of a list at one address to memory at another address.
#[cfg(feature = "glsl")]
const SOURCE: &str = "#version 450
    #extension GL_EXT_buffer_reference : require
    layout(local_size_x = 8) in;
    layout(buffer_reference, std430, buffer_reference_align = 4) buffer Words { uint w[]; };
    layout(push_constant) uniform P { Words from, to; };
    void main() {
        uint i = gl_GlobalInvocationID.x;
        to.w[i] = from.w[i] + from.w[i + 8];
    }";

#[test]
#[cfg(feature = "glsl")]
fn buffers_are_reached_by_address() -> Result<()> {
    let device = Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })?;
    let words = frontend::compile_glsl(SOURCE, Stage::Compute, &frontend::Options::default())?;
    let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
    let layout = device.create_pipeline_layout(&[], 16)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?;
    let run = |from: u64, to: u64| -> Result<()> {
        let mut commands = device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline);
        commands.push_constants(0, &[from, to]).dispatch(1, 1, 1);
        commands.end()?;
        device.queue().run(&commands)
    };
    let usage = BufferUsage::SHADER_DEVICE_ADDRESS;
    let from = device.create_buffer_with(&(0..12).collect::<Vec<u32>>(), usage)?;
    let to = device.create_buffer_with(&[7u32; 6], usage)?;
    let (a, b) = (from.device_address()?, to.device_address()?);
    assert!(a != 0 && b != 0 && a != b);
    run(a, b)?;
    // Past the end of either buffer: reads return zero, and nothing is written.
    assert_eq!(to.read_all::<u32>()?, [8, 10, 12, 14, 4, 5]);
    run(a + 16, b + 20)?;
    assert_eq!(to.read_all::<u32>()?, [8, 10, 12, 14, 4, 4]);
    // Null, an address without a buffer, and the address of a destroyed buffer.
    for wrong in [0, 77 << 40, u64::MAX] {
        run(wrong, b)?;
        assert_eq!(to.read_all::<u32>()?, [0; 6]);
        run(a, wrong)?;
    }
    drop(from);
    to.write(0, &[1u32; 6])?;
    run(a, b)?;
    assert_eq!(to.read_all::<u32>()?, [0; 6]);
    // Buffers without the usage have no device address.
    let plain = device.create_buffer_with(&[0u32], BufferUsage::STORAGE)?;
    assert!(matches!(plain.device_address(), Err(Error::Invalid { .. })));
    Ok(())
}

/// Reads and writes the member at byte 2^31 behind an address.
const FAR: &str = "
    OpCapability Shader
    OpCapability Int64
    OpCapability PhysicalStorageBufferAddresses
    OpExtension \"SPV_KHR_physical_storage_buffer\"
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    OpEntryPoint GLCompute %main \"main\"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %S Block
    OpMemberDecorate %S 0 Offset 0
    OpMemberDecorate %S 1 Offset 8
    OpMemberDecorate %B 0 Offset 0
    OpMemberDecorate %B 1 Offset 2147483648
    OpDecorate %B Block
    OpDecorate %buf DescriptorSet 0
    OpDecorate %buf Binding 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %u = OpTypeInt 32 0
    %u64 = OpTypeInt 64 0
    %c0 = OpConstant %u 0
    %c1 = OpConstant %u 1
    %val = OpConstant %u 0x41414141
    %S = OpTypeStruct %u64 %u
    %pS = OpTypePointer StorageBuffer %S
    %buf = OpVariable %pS StorageBuffer
    %p64 = OpTypePointer StorageBuffer %u64
    %pu = OpTypePointer StorageBuffer %u
    %B = OpTypeStruct %u %u
    %pB = OpTypePointer PhysicalStorageBuffer %B
    %pBu = OpTypePointer PhysicalStorageBuffer %u
    %main = OpFunction %void None %fn
    %l = OpLabel
    %a = OpAccessChain %p64 %buf %c0
    %ad = OpLoad %u64 %a
    %b = OpConvertUToPtr %pB %ad
    %q = OpAccessChain %pBu %b %c1
    %r = OpLoad %u %q Aligned 4
    %o = OpAccessChain %pu %buf %c1
    OpStore %o %r
    OpStore %q %val Aligned 4
    OpReturn
    OpFunctionEnd";

#[test]
fn members_far_from_an_address_are_in_its_buffer() -> Result<()> {
    const AT: u64 = 1 << 31;
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let words = frontend::load_spirv(FAR.as_bytes(), &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let sets = device.create_descriptor_set_layout(&[binding])?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?;
    let stage = ShaderStage::new(&module, "main");
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let set = device.create_descriptor_set(&sets)?;
    let usage = BufferUsage::STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let target = device.create_bound_buffer(BufferDesc { size: AT + 16, usage })?;
    target.write(AT, &[0x1234u32])?;
    let params = device.create_buffer_with(&[target.device_address()?, 0], BufferUsage::STORAGE)?;
    set.write_buffer(0, &params)?;
    let mut c = device.create_command_buffer();
    c.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(1, 1, 1).end()?;
    device.queue().run(&c)?;
    assert_eq!(params.read::<u32>(8, 1)?, [0x1234]);
    assert_eq!(target.read::<u32>(AT, 1)?, [0x4141_4141]);
    // From byte 16 on, the buffer is too short for the member.
    params.write(0, &[target.device_address()? + 16, 0])?;
    device.queue().run(&c)?;
    assert_eq!(params.read::<u32>(8, 1)?, [0]);
    assert_eq!(target.read::<u32>(AT, 4)?, [0x4141_4141, 0, 0, 0]);
    Ok(())
}
