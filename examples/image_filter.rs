//! Filters a picture with a compute shader: draws its edges like a pencil sketch, and writes `filtered.png`.
//!
//! `cargo run --example image_filter [PICTURE]`

use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    Aspects, ComputePipelineDesc, DescriptorBinding, DescriptorKind, Device, DeviceOptions, Format,
    ImageDesc, ImageUsage, ImageViewDesc, Resource, ShaderStage, Stage,
};

const PICTURE: &[u8] = include_bytes!("../assets/gallery/still_life.png");

const SHADER: &str = "
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var filtered: texture_storage_2d<rgba8unorm, write>;

fn brightness(at: vec2i) -> f32 {
    let size = vec2i(textureDimensions(picture));
    let color = textureLoad(picture, clamp(at, vec2i(0), size - 1), 0).rgb;
    return dot(color, vec3f(0.299, 0.587, 0.114));
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
    let size = textureDimensions(picture);
    if id.x >= size.x || id.y >= size.y {
        return;
    }
    // The Sobel operator.
    let at = vec2i(id.xy);
    var gradient = vec2f(0.0);
    for (var i = -1; i <= 1; i++) {
        let weight = f32(2 - abs(i));
        gradient.x += weight * (brightness(at + vec2i(1, i)) - brightness(at + vec2i(-1, i)));
        gradient.y += weight * (brightness(at + vec2i(i, 1)) - brightness(at + vec2i(i, -1)));
    }
    let line = 1.0 - smoothstep(0.1, 0.9, length(gradient));
    let paper = 0.75 + 0.25 * brightness(at);
    textureStore(filtered, at, vec4f(vec3f(0.98, 0.96, 0.92) * line * paper, 1.0));
}";

/// Filters a picture; returns four bytes per pixel.
pub fn filter(picture: &image::RgbaImage) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (width, height) = picture.dimensions();
    let format = Format::R8G8B8A8_UNORM;
    let device = Device::new(DeviceOptions::default())?;

    // Two images: the shader reads one and writes the other.
    let create = |usage| device.create_bound_image(ImageDesc::new_2d(format, width, height, usage));
    let source = create(ImageUsage::SAMPLED)?;
    let target = create(ImageUsage::STORAGE)?;
    source.write_level(Aspects::COLOR, 0, picture.as_raw())?;
    let source_view = device.create_image_view(&source, ImageViewDesc::new_2d(format))?;
    let target_view = device.create_image_view(&target, ImageViewDesc::new_2d(format))?;

    let set_layout = device.create_descriptor_set_layout(&[
        DescriptorBinding::new(0, DescriptorKind::SampledImage),
        DescriptorBinding::new(1, DescriptorKind::StorageImage),
    ])?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write(0, 0, Resource::Image(&source_view))?;
    set.write(1, 0, Resource::Image(&target_view))?;

    let module = device.create_shader_module(&compile_wgsl(SHADER, &Options::named("filter.wgsl"))?)?;
    let layout = device.create_pipeline_layout(&[set_layout], 0)?;
    let stage = ShaderStage::only(&module, Stage::Compute)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;

    let mut commands = device.create_command_buffer();
    commands
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(&layout, 0, &set)
        .dispatch(width.div_ceil(8), height.div_ceil(8), 1)
        .end()?;
    device.queue().run(&commands)?;

    Ok(target.read_level(Aspects::COLOR, 0)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let picture = match std::env::args().nth(1) {
        Some(path) => image::open(path)?,
        None => image::load_from_memory(PICTURE)?,
    };
    let picture = picture.into_rgba8();
    let (width, height) = picture.dimensions();
    let pixels = filter(&picture)?;
    image::save_buffer("filtered.png", &pixels, width, height, image::ColorType::Rgba8)?;
    println!("filtered.png: {width} x {height}");
    Ok(())
}
