//! Adds two buffers on the device, step by step: everything that a compute shader needs.
//!
//! `cargo run --example add_buffers`

use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    BufferUsage, ComputePipelineDesc, DescriptorBinding, DescriptorKind, Device, DeviceOptions, ShaderStage,
    Stage,
};

const SHADER: &str = "
@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> sum: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
    if id.x < arrayLength(&sum) {
        sum[id.x] = a[id.x] + b[id.x];
    }
}";

/// Adds two buffers and checks the sums.
pub fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n = 1000;
    let device = Device::new(DeviceOptions::default())?;

    // Three buffers in device memory.
    let a: Vec<f32> = (0..n).map(|i| i as f32).collect();
    let b: Vec<f32> = (0..n).map(|i| 2.0 * i as f32).collect();
    let a = device.create_buffer_with(&a, BufferUsage::STORAGE)?;
    let b = device.create_buffer_with(&b, BufferUsage::STORAGE)?;
    let sum = device.create_buffer_with(&vec![0f32; n], BufferUsage::STORAGE)?;

    // A descriptor set with the three buffers.
    let bindings = [0, 1, 2].map(|i| DescriptorBinding::new(i, DescriptorKind::StorageBuffer));
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let set = device.create_descriptor_set(&set_layout)?;
    for (binding, buffer) in [&a, &b, &sum].into_iter().enumerate() {
        set.write_buffer(binding as u32, buffer)?;
    }

    // The shader, compiled for that layout.
    let words = compile_wgsl(SHADER, &Options::named("add.wgsl"))?;
    let module = device.create_shader_module(&words)?;
    let layout = device.create_pipeline_layout(&[set_layout], 0)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc {
        stage: ShaderStage::only(&module, Stage::Compute)?,
        layout: layout.clone(),
    })?;

    // Record, submit, wait, read.
    let mut commands = device.create_command_buffer();
    commands
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(&layout, 0, &set)
        .dispatch(n.div_ceil(64) as u32, 1, 1)
        .end()?;
    device.queue().run(&commands)?;

    let sum: Vec<f32> = sum.read_all()?;
    assert!(sum.iter().enumerate().all(|(i, s)| *s == 3.0 * i as f32));
    println!("{n} sums, the last is {}", sum[n - 1]);
    Ok(())
}
