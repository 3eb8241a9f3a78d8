//! Simulates two chemicals that react and spread (Gray-Scott model) for 6,000 steps in a compute shader, and
//! writes the resulting pattern to `reaction_diffusion.png`.
//!
//! Two buffers alternate: each step reads one and writes the other.
//!
//! `cargo run --example reaction_diffusion`

use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    BufferUsage, ComputePipelineDesc, DescriptorBinding, DescriptorKind, Device, DeviceOptions, ShaderStage,
    Stage,
};

const WIDTH: u32 = 512;
const HEIGHT: u32 = 320;
const STEPS: u32 = 6_000;

/// The shader. A declaration of `SIZE`, the size of the grid, precedes this text.
const SHADER: &str = "
@group(0) @binding(0) var<storage, read_write> now: array<vec2f>;
@group(0) @binding(1) var<storage, read_write> next: array<vec2f>;
@group(0) @binding(2) var<storage, read_write> pixels: array<u32>;

fn at(p: vec2i) -> vec2f {
    // The top and bottom edges are connected; the left and right edges are closed.
    let q = vec2i(clamp(p.x, 0, SIZE.x - 1), (p.y + SIZE.y) % SIZE.y);
    return now[q.y * SIZE.x + q.x];
}

fn around(p: vec2i) -> vec2f {
    let near = at(p + vec2i(1, 0)) + at(p - vec2i(1, 0)) + at(p + vec2i(0, 1)) + at(p - vec2i(0, 1));
    let far = at(p + vec2i(1, 1)) + at(p - vec2i(1, 1)) + at(p + vec2i(1, -1)) + at(p - vec2i(1, -1));
    return 0.2 * near + 0.05 * far;
}

@compute @workgroup_size(64, 1)
fn step(@builtin(global_invocation_id) id: vec3u) {
    let p = vec2i(id.xy);
    let c = at(p);
    let spread = around(p) - c;
    let reaction = c.x * c.y * c.y;
    // The feed rate increases to the right.
    let feed = mix(0.022, 0.056, f32(id.x) / f32(SIZE.x));
    let kill = 0.0615;
    next[p.y * SIZE.x + p.x] = c + vec2f(
        1.0 * spread.x - reaction + feed * (1.0 - c.x),
        0.5 * spread.y + reaction - (kill + feed * 0.02) * c.y - feed * c.y,
    );
}

@compute @workgroup_size(64, 1)
fn paint(@builtin(global_invocation_id) id: vec3u) {
    let p = vec2i(id.xy);
    let b = at(p).y;
    // Light the pattern from the top left like a relief.
    let slope = vec2f(at(p + vec2i(1, 0)).y - at(p - vec2i(1, 0)).y, at(p + vec2i(0, 1)).y - at(p - vec2i(0, 1)).y);
    let n = normalize(vec3f(-4.0 * slope, 1.0));
    let light = max(dot(n, normalize(vec3f(-0.5, -0.6, 0.7))), 0.0);
    let t = smoothstep(0.05, 0.32, b);
    let deep = vec3f(0.03, 0.09, 0.14);
    let coral = vec3f(0.98, 0.46, 0.30);
    var color = mix(deep, coral, t) * (0.35 + 0.9 * light);
    color += pow(light, 30.0) * 0.35 * t;
    pixels[p.y * SIZE.x + p.x] = pack4x8unorm(vec4f(color, 1.0));
}";

/// Simulates this number of steps; returns four bytes per pixel. The width is a multiple of 64.
pub fn grow(width: u32, height: u32, steps: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let device = Device::new(DeviceOptions::default())?;

    // The first chemical everywhere, and a few squares of the second one.
    let mut cells = vec![[1.0f32, 0.0]; (width * height) as usize];
    let mut seed = 1u32;
    for _ in 0..40 {
        let mut random = |n: u32| {
            seed = seed.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
            (seed >> 8) % n
        };
        let (left, top) = (random(width - 10), random(height - 10));
        for y in top..top + 10 {
            for x in left..left + 10 {
                cells[(y * width + x) as usize] = [0.5, 0.25];
            }
        }
    }
    let one = device.create_buffer_with(&cells, BufferUsage::STORAGE)?;
    let two = device.create_buffer_with(&cells, BufferUsage::STORAGE)?;
    let pixels = device.create_buffer_with(&vec![0u32; cells.len()], BufferUsage::STORAGE)?;

    let bindings: Vec<_> = (0..3).map(|b| DescriptorBinding::new(b, DescriptorKind::StorageBuffer)).collect();
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let set = |now, next| -> quadrille::Result<_> {
        let set = device.create_descriptor_set(&set_layout)?;
        set.write_buffer(0, now)?;
        set.write_buffer(1, next)?;
        set.write_buffer(2, &pixels)?;
        Ok(set)
    };
    let sets = [set(&one, &two)?, set(&two, &one)?];

    let source = format!("const SIZE = vec2i({width}, {height});{SHADER}");
    let module = device.create_shader_module(&compile_wgsl(&source, &Options::named("reaction.wgsl"))?)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let pipeline = |entry: &str| {
        let stage = ShaderStage::new(&module, entry);
        device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })
    };
    assert_eq!(module.module().entry_points().iter().filter(|e| e.stage == Stage::Compute).count(), 2);
    let (step, paint) = (pipeline("step")?, pipeline("paint")?);

    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&step);
    for i in 0..steps {
        commands
            .bind_compute_set(&layout, 0, &sets[(i % 2) as usize])
            .dispatch(width / 64, height, 1)
            // The next step reads the values that this step writes.
            .pipeline_barrier();
    }
    commands
        .bind_compute_pipeline(&paint)
        .bind_compute_set(&layout, 0, &sets[0])
        .dispatch(width / 64, height, 1)
        .end()?;
    device.queue().run(&commands)?;

    Ok(bytemuck::cast_slice::<u32, u8>(&pixels.read_all::<u32>()?).to_vec())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = grow(WIDTH, HEIGHT, STEPS)?;
    image::save_buffer("reaction_diffusion.png", &bytes, WIDTH, HEIGHT, image::ColorType::Rgba8)?;
    println!("reaction_diffusion.png: {WIDTH} x {HEIGHT} after {STEPS} steps");
    Ok(())
}
