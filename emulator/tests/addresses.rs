//! Device addresses through the library.
#![cfg(feature = "glsl")]

use quadrille::*;

/// Sums a list of numbers behind an address into another address.
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
    // Past the end of either: zero, and nothing written.
    assert_eq!(to.read_all::<u32>()?, [8, 10, 12, 14, 4, 5]);
    run(a + 16, b + 20)?;
    assert_eq!(to.read_all::<u32>()?, [8, 10, 12, 14, 4, 4]);
    // Null, an address that nobody has, and that of a buffer which is gone.
    for wrong in [0, 77 << 40, u64::MAX] {
        run(wrong, b)?;
        assert_eq!(to.read_all::<u32>()?, [0; 6]);
        run(a, wrong)?;
    }
    drop(from);
    to.write(0, &[1u32; 6])?;
    run(a, b)?;
    assert_eq!(to.read_all::<u32>()?, [0; 6]);
    // Buffers without the usage have none.
    let plain = device.create_buffer_with(&[0u32], BufferUsage::STORAGE)?;
    assert!(matches!(plain.device_address(), Err(Error::Invalid { .. })));
    Ok(())
}
