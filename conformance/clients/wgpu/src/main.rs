//! wgpu on Quadrille: a compute pass (Collatz lengths, compared with the host's) and a triangle, which is written to
//! a PNG and checked in three places.
//!
//! `cargo run --release [-- OUT.png]` runs without the Vulkan loader; with `--loader` in front, the loader finds the
//! driver (`VK_DRIVER_FILES`).

use std::error::Error;

use quadrille_client_wgpu::{draw, instance, read};
use wgpu::util::DeviceExt;

type Res<T> = Result<T, Box<dyn Error>>;

const SIZE: u32 = 256;

fn collatz(mut n: u32) -> u32 {
    let mut i = 0;
    while n > 1 {
        n = if n.is_multiple_of(2) { n / 2 } else { 3 * n + 1 };
        i += 1;
    }
    i
}

const COMPUTE: &str = "
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
fn collatz(start: u32) -> u32 {
    var n = start;
    var i = 0u;
    while n > 1u {
        if n % 2u == 0u { n = n / 2u; } else { n = 3u * n + 1u; }
        i = i + 1u;
    }
    return i;
}
@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] = collatz(v[id.x]); }
";

const TRIANGLE: &str = "
struct V { @builtin(position) at: vec4f, @location(0) colour: vec3f }
@vertex fn vs(@builtin(vertex_index) i: u32) -> V {
    var at = array(vec2f(0.0, 0.8), vec2f(-0.8, -0.8), vec2f(0.8, -0.8));
    var colour = array(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), vec3f(0.0, 0.0, 1.0));
    return V(vec4f(at[i], 0.0, 1.0), colour[i]);
}
@fragment fn fs(v: V) -> @location(0) vec4f { return vec4f(v.colour, 1.0); }
";

fn compute(device: &wgpu::Device, queue: &wgpu::Queue) -> Res<()> {
    let input: Vec<u32> = (1..=65536).collect();
    let bytes: Vec<u8> = input.iter().flat_map(|v| v.to_le_bytes()).collect();
    let storage = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: None,
        contents: &bytes,
        usage: wgpu::BufferUsages::STORAGE | wgpu::BufferUsages::COPY_SRC,
    });
    let out = device.create_buffer(&wgpu::BufferDescriptor {
        label: None,
        size: bytes.len() as u64,
        usage: wgpu::BufferUsages::MAP_READ | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    });
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: None,
        source: wgpu::ShaderSource::Wgsl(COMPUTE.into()),
    });
    let pipeline = device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
        label: None,
        layout: None,
        module: &module,
        entry_point: Some("main"),
        compilation_options: Default::default(),
        cache: None,
    });
    let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
        label: None,
        layout: &pipeline.get_bind_group_layout(0),
        entries: &[wgpu::BindGroupEntry { binding: 0, resource: storage.as_entire_binding() }],
    });
    let mut encoder = device.create_command_encoder(&Default::default());
    {
        let mut pass = encoder.begin_compute_pass(&Default::default());
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.dispatch_workgroups(1024, 1, 1);
    }
    encoder.copy_buffer_to_buffer(&storage, 0, &out, 0, bytes.len() as u64);
    queue.submit([encoder.finish()]);
    for (n, got) in input.iter().zip(read(device, &out)?.chunks_exact(4)) {
        let got = u32::from_le_bytes([got[0], got[1], got[2], got[3]]);
        if got != collatz(*n) {
            return Err(format!("collatz({n}) is {}, not {got}", collatz(*n)).into());
        }
    }
    println!("compute: 65536 values right");
    Ok(())
}

fn triangle(device: &wgpu::Device, queue: &wgpu::Queue, path: &str) -> Res<()> {
    let pixels = draw(device, queue, SIZE, TRIANGLE)?;
    let at = |x: u32, y: u32| -> [u8; 4] {
        let i = ((y * SIZE + x) * 4) as usize;
        [pixels[i], pixels[i + 1], pixels[i + 2], pixels[i + 3]]
    };
    // Check a pixel outside, one near the top corner, and the centroid, where all three colours have the same weight.
    if at(2, 2) != [0, 0, 0, 255] {
        return Err(format!("the background is {:?}", at(2, 2)).into());
    }
    let top = at(128, 30);
    if top[0] < 230 || top[1] > 20 || top[2] > 20 {
        return Err(format!("the top corner is {top:?}").into());
    }
    let middle = at(128, 162);
    if middle[..3].iter().any(|c| c.abs_diff(85) > 3) {
        return Err(format!("the middle is {middle:?}").into());
    }
    image::save_buffer(path, &pixels, SIZE, SIZE, image::ExtendedColorType::Rgba8)?;
    println!("triangle: right, in {path}");
    Ok(())
}

fn main() -> Res<()> {
    let mut arguments = std::env::args().skip(1).peekable();
    let loader = arguments.next_if(|a| a == "--loader").is_some();
    let path = arguments.next().unwrap_or_else(|| "triangle.png".into());
    let instance = if loader { by_loader() } else { instance()? };
    let adapter = pollster::block_on(instance.request_adapter(&Default::default()))?;
    let name = adapter.get_info().name;
    println!("adapter: {name}");
    if !name.contains("Quadrille") {
        return Err("the adapter is another driver's".into());
    }
    let missing = wgpu::DownlevelFlags::compliant() - adapter.get_downlevel_capabilities().flags;
    if !missing.is_empty() {
        return Err(format!("not compliant with WebGPU: {missing:?}").into());
    }
    let (device, queue) = pollster::block_on(adapter.request_device(&Default::default()))?;
    compute(&device, &queue)?;
    triangle(&device, &queue, &path)
}

/// Returns an instance without any setting for Quadrille, as an ordinary program creates it.
fn by_loader() -> wgpu::Instance {
    let mut desc = wgpu::InstanceDescriptor::new_without_display_handle();
    desc.backends = wgpu::Backends::VULKAN;
    wgpu::Instance::new(desc)
}
