//! Renders a torus knot above a tiled floor, with a shadow map, mipmaps and four samples per pixel, to
//! `torus_knot.png`.
//!
//! Two passes: the first renders the shadow map, the depth as seen from the light. The second renders the picture.
//!
//! `cargo run --example torus_knot`

use std::f32::consts::TAU;

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4, vec3};
use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    AddressMode, Aspects, BufferUsage, CompareOp, DepthState, DescriptorBinding, DescriptorKind, Device,
    DeviceOptions, Format, GraphicsPipelineDesc, Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc,
    IndexType, Rect, RenderingAttachment, RenderingInfo, Resource, SamplerDesc, ShaderStage, VertexAttribute,
    VertexBinding, VertexRate,
};

const SHADER: &str = "
struct Scene {
    camera: mat4x4f,
    light: mat4x4f,
    eye: vec4f,
    sun: vec4f,
}
@group(0) @binding(0) var<uniform> scene: Scene;
@group(0) @binding(1) var shadow_map: texture_depth_2d;
@group(0) @binding(2) var shadow_sampler: sampler_comparison;
@group(0) @binding(3) var tiles: texture_2d<f32>;
@group(0) @binding(4) var tile_sampler: sampler;

struct Vertex {
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
}
struct Surface {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) color: vec4f,
}

@vertex
fn light_vertex(v: Vertex) -> @builtin(position) vec4f {
    return scene.light * vec4f(v.position, 1.0);
}

@vertex
fn vertex(v: Vertex) -> Surface {
    return Surface(scene.camera * vec4f(v.position, 1.0), v.position, v.normal, v.color);
}

fn lit(position: vec3f, normal: vec3f) -> f32 {
    let p = scene.light * vec4f(position + 0.02 * normal, 1.0);
    let at = p.xy * vec2f(0.5, -0.5) + 0.5;
    if any(abs(p.xy) > vec2f(0.99)) {
        return 1.0;
    }
    let texel = 1.0 / vec2f(textureDimensions(shadow_map));
    var sum = 0.0;
    for (var y = -2; y <= 2; y++) {
        for (var x = -2; x <= 2; x++) {
            sum += textureSampleCompareLevel(shadow_map, shadow_sampler, at + vec2f(f32(x), f32(y)) * texel, p.z);
        }
    }
    return sum / 25.0;
}

@fragment
fn fragment(s: Surface) -> @location(0) vec4f {
    let n = normalize(s.normal);
    let to_eye = normalize(scene.eye.xyz - s.position);
    let half = normalize(to_eye + scene.sun.xyz);
    let tile = textureSample(tiles, tile_sampler, s.position.xz * 0.5).rgb;
    let base = mix(s.color.rgb, tile, s.color.a);
    let shine = mix(0.9, 0.15, s.color.a);
    let direct = max(dot(n, scene.sun.xyz), 0.0) * lit(s.position, n);
    let sky = mix(vec3f(0.10, 0.08, 0.07), vec3f(0.22, 0.28, 0.38), 0.5 + 0.5 * n.y);
    let rim = pow(1.0 - max(dot(n, to_eye), 0.0), 4.0);
    var color = base * (sky + vec3f(1.9, 1.7, 1.4) * direct);
    color += shine * (direct * pow(max(dot(n, half), 0.0), 60.0) + 0.35 * rim * sky);
    // Fade into the haze.
    let far = 1.0 - exp(-0.0035 * dot(s.position.xz, s.position.xz));
    color = mix(color, vec3f(0.62, 0.70, 0.80), far);
    return vec4f(color / (0.55 + color), 1.0);
}";

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Vertex {
    position: Vec3,
    normal: Vec3,
    /// Alpha is the weight of the tiles.
    color: [f32; 4],
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Scene {
    camera: Mat4,
    light: Mat4,
    eye: Vec4,
    sun: Vec4,
}

/// Vertices and triangles of the floor and of the knot.
fn meshes() -> (Vec<Vertex>, Vec<u32>) {
    let floor = |x, z| Vertex { position: vec3(x, -1.15, z), normal: Vec3::Y, color: [0.0, 0.0, 0.0, 1.0] };
    let mut vertices = vec![floor(-60.0, -60.0), floor(60.0, -60.0), floor(60.0, 60.0), floor(-60.0, 60.0)];
    let mut indices = vec![0, 2, 1, 0, 3, 2];
    let (around, along) = (32, 400);
    let path = |t: f32| -> Vec3 {
        let r = 1.0 + 0.42 * (3.0 * t).cos();
        vec3(r * (2.0 * t).cos(), 0.42 * (3.0 * t).sin() * 1.3 + 0.1, r * (2.0 * t).sin())
    };
    for i in 0..along {
        let t = TAU * i as f32 / along as f32;
        let (here, next) = (path(t), path(t + 0.01));
        let tangent = (next - here).normalize();
        let side = tangent.cross(here + next).normalize();
        let out = side.cross(tangent);
        for j in 0..around {
            let (s, c) = (TAU * j as f32 / around as f32).sin_cos();
            let normal = side * c + out * s;
            let stripe = 0.5 + 0.5 * (t * 12.0 + s).sin();
            let color = [0.75 + 0.15 * stripe, 0.22 + 0.35 * stripe, 0.10 + 0.05 * stripe, 0.0];
            vertices.push(Vertex { position: here + normal * 0.22, normal, color });
            let at = |i: u32, j: u32| 4 + (i % along) * around + j % around;
            indices.extend([
                at(i, j),
                at(i, j + 1),
                at(i + 1, j),
                at(i, j + 1),
                at(i + 1, j + 1),
                at(i + 1, j),
            ]);
        }
    }
    (vertices, indices)
}

/// Light and dark tiles with a joint, and each smaller mip level as the average of the previous one.
fn write_tiles(image: &Image, size: u32) -> quadrille::Result<()> {
    let tile = |x: u32, y: u32| {
        let half = size / 2;
        let joint = x % half < 3 || y % half < 3;
        let light = (x / half + y / half).is_multiple_of(2);
        match (joint, light) {
            (true, _) => [60.0, 58.0, 55.0, 255.0f32],
            (_, true) => [214.0, 208.0, 196.0, 255.0],
            _ => [122.0, 130.0, 138.0, 255.0],
        }
    };
    let mut texels: Vec<[f32; 4]> = (0..size * size).map(|i| tile(i % size, i / size)).collect();
    let (mut side, mut level) = (size as usize, 0);
    loop {
        let bytes: Vec<u8> = texels.iter().flatten().map(|c| c.round() as u8).collect();
        image.write_level(Aspects::COLOR, level, &bytes)?;
        if side == 1 {
            return Ok(());
        }
        let small = side / 2;
        let average = |i: usize| -> [f32; 4] {
            let at = (i / small) * 2 * side + (i % small) * 2;
            std::array::from_fn(|c| {
                [at, at + 1, at + side, at + side + 1].iter().map(|&k| texels[k][c]).sum::<f32>() / 4.0
            })
        };
        texels = (0..small * small).map(average).collect();
        (side, level) = (small, level + 1);
    }
}

/// Renders the picture; returns four bytes per pixel.
pub fn draw(width: u32, height: u32, shadow_size: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (color, depth) = (Format::R8G8B8A8_UNORM, Format::D32_SFLOAT);
    let device = Device::new(DeviceOptions::default())?;

    let (vertices, indices) = meshes();
    let vertex_buffer = device.create_buffer_with(&vertices, BufferUsage::VERTEX)?;
    let index_buffer = device.create_buffer_with(&indices, BufferUsage::INDEX)?;
    let sun = vec3(0.55, 0.75, 0.35).normalize();
    let eye = vec3(2.2, 1.5, 3.3);
    let camera = Mat4::perspective_rh(0.75, width as f32 / height as f32, 0.1, 100.0)
        * Mat4::look_at_rh(eye, vec3(0.0, -0.15, 0.0), Vec3::Y);
    let light = Mat4::orthographic_rh(-3.0, 3.0, -3.0, 3.0, 0.0, 14.0)
        * Mat4::look_at_rh(sun * 7.0, Vec3::ZERO, Vec3::Y);
    let scene = Scene { camera, light, eye: eye.extend(1.0), sun: sun.extend(0.0) };
    let scene = device.create_buffer_with(&[scene], BufferUsage::UNIFORM)?;

    // Attachments: the shadow map, four samples per pixel, the picture.
    let attachment = |format, width, height, samples, usage| -> quadrille::Result<(Image, ImageView)> {
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, width, height, usage) };
        let image = device.create_bound_image(desc)?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
        Ok((image, view))
    };
    let depth_usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
    let (_, shadow) = attachment(depth, shadow_size, shadow_size, 1, depth_usage | ImageUsage::SAMPLED)?;
    let (_, samples) = attachment(color, width, height, 4, ImageUsage::COLOR_ATTACHMENT)?;
    let (_, depths) = attachment(depth, width, height, 4, depth_usage)?;
    let (picture, resolved) =
        attachment(color, width, height, 1, ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC)?;

    let tile_size = 256u32;
    let levels = tile_size.ilog2() + 1;
    let tile_desc =
        ImageDesc { levels, ..ImageDesc::new_2d(color, tile_size, tile_size, ImageUsage::SAMPLED) };
    let tiles = device.create_bound_image(tile_desc)?;
    write_tiles(&tiles, tile_size)?;
    let tiles = device.create_image_view(&tiles, ImageViewDesc { levels, ..ImageViewDesc::new_2d(color) })?;

    let set_layout = device.create_descriptor_set_layout(&[
        DescriptorBinding::new(0, DescriptorKind::UniformBuffer),
        DescriptorBinding::new(1, DescriptorKind::SampledImage),
        DescriptorBinding::new(2, DescriptorKind::Sampler),
        DescriptorBinding::new(3, DescriptorKind::SampledImage),
        DescriptorBinding::new(4, DescriptorKind::Sampler),
    ])?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write(0, 0, Resource::Buffer { buffer: &scene, offset: 0, range: None })?;
    set.write(1, 0, Resource::Image(&shadow))?;
    let compare = SamplerDesc {
        compare: Some(CompareOp::LessOrEqual),
        ..SamplerDesc::linear(AddressMode::ClampToEdge)
    };
    set.write(2, 0, Resource::Sampler(&device.create_sampler(compare)?))?;
    set.write(3, 0, Resource::Image(&tiles))?;
    let sharp = SamplerDesc { anisotropy: Some(16f32.to_bits()), ..SamplerDesc::linear(AddressMode::Repeat) };
    set.write(4, 0, Resource::Sampler(&device.create_sampler(sharp)?))?;

    // Pipelines: the same vertex layout, different shaders and attachments.
    let module = device.create_shader_module(&compile_wgsl(SHADER, &Options::named("torus_knot.wgsl"))?)?;
    let layout = device.create_pipeline_layout(&[set_layout], 0)?;
    let pipeline = |vertex: &str, fragment: Option<&str>, samples| {
        let stage = |name: &str| ShaderStage::new(&module, name);
        let mut desc = GraphicsPipelineDesc::new(&layout, stage(vertex), fragment.map(stage));
        desc.state.vertex_bindings =
            vec![VertexBinding { binding: 0, stride: size_of::<Vertex>() as u32, rate: VertexRate::Vertex }];
        let attribute = |location, format, offset| VertexAttribute { location, binding: 0, format, offset };
        desc.state.vertex_attributes = vec![
            attribute(0, Format::R32G32B32_SFLOAT, 0),
            attribute(1, Format::R32G32B32_SFLOAT, 12),
            attribute(2, Format::R32G32B32A32_SFLOAT, 24),
        ];
        desc.state.color_formats = fragment.map(|_| Some(color)).into_iter().collect();
        desc.state.depth_format = Some(depth);
        desc.state.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        desc.state.samples = samples;
        device.create_graphics_pipeline(&desc)
    };
    let shadow_pipeline = pipeline("light_vertex", None, 1)?;
    let scene_pipeline = pipeline("vertex", Some("fragment"), 4)?;

    let area = |width, height| Rect { x: 0, y: 0, width, height };
    let shadow_pass = RenderingInfo {
        area: area(shadow_size, shadow_size),
        depth: Some(RenderingAttachment::clear_depth(&shadow, 1.0)),
        ..Default::default()
    };
    let haze = [0.53, 0.56, 0.59, 1.0];
    let scene_pass = RenderingInfo {
        area: area(width, height),
        colors: vec![Some(RenderingAttachment {
            resolve: Some(resolved.clone()),
            ..RenderingAttachment::clear(&samples, haze)
        })],
        depth: Some(RenderingAttachment::clear_depth(&depths, 1.0)),
        ..Default::default()
    };
    let n = indices.len() as u32;
    let mut commands = device.create_command_buffer();
    commands
        .bind_vertex_buffers(0, &[(&vertex_buffer, 0)])
        .bind_index_buffer(&index_buffer, 0, IndexType::U32)
        .bind_graphics_set(&layout, 0, &set);
    commands
        .begin_rendering(&shadow_pass)
        .bind_graphics_pipeline(&shadow_pipeline)
        .set_size(shadow_size, shadow_size)
        .draw_indexed(n, 1, 0, 0, 0)
        .end_rendering();
    commands
        .begin_rendering(&scene_pass)
        .bind_graphics_pipeline(&scene_pipeline)
        .set_size(width, height)
        .draw_indexed(n, 1, 0, 0, 0)
        .end_rendering()
        .end()?;
    device.queue().run(&commands)?;

    Ok(picture.read_level(Aspects::COLOR, 0)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (width, height) = (960, 640);
    let pixels = draw(width, height, 1024)?;
    image::save_buffer("torus_knot.png", &pixels, width, height, image::ColorType::Rgba8)?;
    println!("torus_knot.png: {width} x {height}");
    Ok(())
}
