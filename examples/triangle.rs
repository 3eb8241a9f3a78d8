//! Draws a triangle with a colour at each corner and writes `triangle.png`: everything that a draw needs.
//!
//! `cargo run --example triangle`

use bytemuck::{Pod, Zeroable};
use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    Aspects, BufferUsage, Device, DeviceOptions, Format, GraphicsPipelineDesc, ImageDesc, ImageUsage,
    ImageViewDesc, Rect, RenderingAttachment, RenderingInfo, ShaderStage, Stage, VertexAttribute,
    VertexBinding, VertexRate,
};

const SHADER: &str = "
struct Vertex {
    @builtin(position) position: vec4f,
    @location(0) color: vec3f,
}

@vertex
fn vertex(@location(0) position: vec2f, @location(1) color: vec3f) -> Vertex {
    return Vertex(vec4f(position, 0.0, 1.0), color);
}

@fragment
fn fragment(@location(0) color: vec3f) -> @location(0) vec4f {
    return vec4f(color, 1.0);
}";

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Vertex {
    position: [f32; 2],
    color: [f32; 3],
}

const CORNERS: [Vertex; 3] = [
    Vertex { position: [0.0, 0.8], color: [0.95, 0.35, 0.20] },
    Vertex { position: [-0.8, -0.7], color: [0.15, 0.60, 0.55] },
    Vertex { position: [0.8, -0.7], color: [0.95, 0.80, 0.30] },
];

/// Renders the picture; returns four bytes per pixel.
pub fn draw(width: u32, height: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let format = Format::R8G8B8A8_UNORM;
    let device = Device::new(DeviceOptions::default())?;
    let corners = device.create_buffer_with(&CORNERS, BufferUsage::VERTEX)?;

    // An image to draw into.
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let picture = device.create_bound_image(ImageDesc::new_2d(format, width, height, usage))?;
    let view = device.create_image_view(&picture, ImageViewDesc::new_2d(format))?;

    // Both stages, and the memory layout of a vertex.
    let module = device.create_shader_module(&compile_wgsl(SHADER, &Options::named("triangle.wgsl"))?)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let vertex = ShaderStage::only(&module, Stage::Vertex)?;
    let fragment = ShaderStage::only(&module, Stage::Fragment)?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    desc.state.color_formats = vec![Some(format)];
    desc.state.vertex_bindings =
        vec![VertexBinding { binding: 0, stride: size_of::<Vertex>() as u32, rate: VertexRate::Vertex }];
    desc.state.vertex_attributes = vec![
        VertexAttribute { location: 0, binding: 0, format: Format::R32G32_SFLOAT, offset: 0 },
        VertexAttribute { location: 1, binding: 0, format: Format::R32G32B32_SFLOAT, offset: 8 },
    ];
    let pipeline = device.create_graphics_pipeline(&desc)?;

    // Clear, draw, read.
    let rendering = RenderingInfo {
        area: Rect { x: 0, y: 0, width, height },
        colors: vec![Some(RenderingAttachment::clear(&view, [0.06, 0.07, 0.10, 1.0]))],
        ..Default::default()
    };
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&rendering)
        .bind_graphics_pipeline(&pipeline)
        .bind_vertex_buffers(0, &[(&corners, 0)])
        .set_size(width, height)
        .draw(3, 1, 0, 0)
        .end_rendering()
        .end()?;
    device.queue().run(&commands)?;

    Ok(picture.read_level(Aspects::COLOR, 0)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (width, height) = (640, 480);
    let pixels = draw(width, height)?;
    image::save_buffer("triangle.png", &pixels, width, height, image::ColorType::Rgba8)?;
    println!("triangle.png: {width} x {height}");
    Ok(())
}
