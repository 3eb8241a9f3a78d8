//! Renders mountains around a lake to `terrain.png`: tessellation divides a coarse grid of patches, finely near
//! the eye and coarsely far from it, and displaces the vertices.
//!
//! The number of divisions of an edge depends only on its two ends, so adjacent patches divide their common edge
//! alike and meet without a crack.
//!
//! `cargo run --release --example terrain`

use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4, vec3};
use quadrille::frontend::{Options, compile_glsl};
use quadrille::{
    Aspects, CompareOp, DepthState, Device, DeviceOptions, Format, GraphicsPipelineDesc, Image, ImageDesc,
    ImageUsage, ImageView, ImageViewDesc, Rect, RenderingAttachment, RenderingInfo, ShaderStage, Stage,
    Topology,
};

/// First lines of every shader.
const HEAD: &str = "#version 450
layout(push_constant) uniform Scene { mat4 camera; vec4 eye; vec4 sun; } scene;
";

/// The ground: fractal noise with its slope.
const HEIGHT: &str = "
float hash(ivec2 p) {
    uint h = uint(p.x) * 0x8da6b343u + uint(p.y) * 0xd8163841u;
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return float((h ^ (h >> 15)) >> 8) / 16777216.0;
}

// The value and the gradient of smooth noise.
vec3 noise(vec2 p) {
    ivec2 i = ivec2(floor(p));
    vec2 f = p - floor(p);
    vec2 u = f * f * f * (f * (f * 6.0 - 15.0) + 10.0);
    vec2 du = 30.0 * f * f * (f * (f - 2.0) + 1.0);
    float a = hash(i), b = hash(i + ivec2(1, 0)), c = hash(i + ivec2(0, 1)), d = hash(i + ivec2(1, 1));
    float k = a - b - c + d;
    return vec3(a + (b - a) * u.x + (c - a) * u.y + k * u.x * u.y,
                du * vec2(b - a + k * u.y, c - a + k * u.x));
}

// Height of the ground and its slope: octaves that flatten on steep slopes of the earlier octaves.
vec3 height(vec2 at, int octaves) {
    const mat2 turn = mat2(0.8, -0.6, 0.6, 0.8);
    mat2 m = mat2(0.35);
    vec2 p = 0.35 * at, slope = vec2(0.0), sum_slope = vec2(0.0);
    float sum = 0.0, weight = 1.0;
    for (int i = 0; i < octaves; i++) {
        vec3 n = noise(p + 17.3);
        vec2 g = transpose(m) * n.yz;
        slope += g * weight;
        float damp = 1.0 / (1.0 + 0.9 * dot(slope, slope));
        sum += weight * damp * n.x;
        sum_slope += weight * damp * g;
        weight *= 0.48;
        p = turn * p * 2.0;
        m = 2.0 * turn * m;
    }
    return vec3(2.6 * sum - 2.0, 2.6 * sum_slope);
}
";

/// Corners of a grid of square patches with four vertices each.
const VERTEX: &str = "
layout(constant_id = 0) const uint SIDE = 1;
layout(constant_id = 1) const float SIZE = 1.0;
layout(location = 0) out vec2 ground;

void main() {
    uint cell = gl_VertexIndex / 4, corner = gl_VertexIndex % 4;
    uvec2 at = uvec2(cell % SIDE, cell / SIDE) + uvec2(corner & 1u, corner >> 1);
    ground = (vec2(at) / float(SIDE) - 0.5) * SIZE;
}";

/// Tessellation control shader: sets the levels of a patch.
const CONTROL: &str = "
layout(vertices = 4) out;
layout(location = 0) in vec2 ground_in[];
layout(location = 0) out vec2 ground[];

// Both patches of an edge compute the level from the same two ends.
float level(int a, int b) {
    vec3 middle = vec3(0.5 * (ground_in[a] + ground_in[b]), 0.0).xzy;
    return clamp(100.0 * distance(ground_in[a], ground_in[b]) / distance(middle, scene.eye.xyz), 1.0, 64.0);
}

void main() {
    ground[gl_InvocationID] = ground_in[gl_InvocationID];
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = level(0, 2);
        gl_TessLevelOuter[1] = level(0, 1);
        gl_TessLevelOuter[2] = level(1, 3);
        gl_TessLevelOuter[3] = level(2, 3);
        gl_TessLevelInner[0] = max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]);
        gl_TessLevelInner[1] = max(gl_TessLevelOuter[0], gl_TessLevelOuter[2]);
        // A tessellation level of 0 drops the patch: it lies behind the eye.
        vec2 ahead = vec2(scene.camera[0].w, scene.camera[2].w);
        vec2 middle = 0.5 * (ground_in[0] + ground_in[3]) - scene.eye.xz;
        if (dot(ahead, middle) < -distance(ground_in[0], ground_in[3]))
            gl_TessLevelOuter[0] = 0.0;
    }
}";

/// Displaces the vertices to the height of the ground.
const EVALUATION: &str = "
layout(quads, fractional_odd_spacing) in;
layout(location = 0) in vec2 ground[];
layout(location = 0) out vec3 place;

void main() {
    vec2 t = gl_TessCoord.xy;
    vec2 at = mix(mix(ground[0], ground[1], t.x), mix(ground[2], ground[3], t.x), t.y);
    place = vec3(at.x, max(height(at, 8).x, 0.0), at.y);
    gl_Position = scene.camera * vec4(place, 1.0);
}";

/// The background: the sky.
const SKY: &str = "
vec3 sky(vec3 d) {
    float up = max(d.y, 0.0), glow = max(dot(d, scene.sun.xyz), 0.0);
    vec3 c = mix(vec3(1.05, 0.86, 0.70), vec3(0.16, 0.36, 0.78), pow(up, 0.42));
    // Thin clouds, stretched by the wind.
    vec2 w = d.xz / (up + 0.12);
    float cloud = noise(w * vec2(0.9, 2.2)).x * 0.6 + noise(w * vec2(2.3, 6.0) + 7.0).x * 0.3 + noise(w * 9.0).x * 0.1;
    c = mix(c, vec3(1.25, 1.10, 1.0), 0.75 * smoothstep(0.48, 0.85, cloud) * smoothstep(0.0, 0.25, up));
    return c + vec3(1.0, 0.62, 0.28) * (0.6 * pow(glow, 6.0) + 1.5 * pow(glow, 300.0));
}

vec4 tone(vec3 c) {
    return vec4(sqrt(1.0 - exp(-1.15 * c)), 1.0);
}
";

/// Rock, grass, snow, sand and water, with sunlight and distance haze.
const FRAGMENT: &str = "
layout(location = 0) in vec3 place;
layout(location = 0) out vec4 color;

vec3 land(vec3 p, vec3 h) {
    vec3 n = normalize(vec3(-h.y, 1.0, -h.z));
    float grain = noise(p.xz * 9.0).x, fine = noise(p.xz * 41.0).x;
    vec3 rock = mix(vec3(0.25, 0.20, 0.17), vec3(0.44, 0.38, 0.33), grain) * (0.75 + 0.5 * noise(vec2(p.y * 16.0, p.x)).x);
    vec3 grass = mix(vec3(0.07, 0.15, 0.03), vec3(0.24, 0.29, 0.07), grain) * (0.7 + 0.6 * fine);
    vec3 base = mix(rock, grass, smoothstep(0.55, 0.74, n.y + 0.12 * (grain - 0.5)));
    base = mix(vec3(0.60, 0.51, 0.36), base, smoothstep(0.02, 0.09, h.x + 0.03 * grain));
    float snow = smoothstep(0.95, 1.35, h.x + 0.35 * grain) * smoothstep(0.42, 0.60, n.y);
    base = mix(base, vec3(0.92, 0.94, 0.98), snow);
    // Shadow: a hill may block the sun.
    float shade = 1.0;
    for (int i = 1; i <= 16; i++) {
        float t = 0.07 * float(i) * (1.0 + 0.12 * float(i));
        vec3 q = p + scene.sun.xyz * t;
        shade = min(shade, smoothstep(-0.05 * t - 0.02, 0.06 * t + 0.02, q.y - height(q.xz, 5).x));
    }
    float lit = max(dot(n, scene.sun.xyz), 0.0) * shade;
    return base * (lit * vec3(3.4, 2.6, 1.8) + (0.5 + 0.5 * n.y) * vec3(0.26, 0.36, 0.55) + 0.10 * max(-dot(n.xz, scene.sun.xyz.xz), 0.0));
}

vec3 lake(vec3 p, vec3 ray, float far, float depth) {
    vec2 w = 0.05 * (noise(p.xz * vec2(14.0, 22.0)).yz / 18.0 + noise(p.zx * 47.0).yz / 47.0) / (1.0 + 0.2 * far);
    vec3 n = normalize(vec3(w.x, 1.0, w.y)), d = reflect(ray, n);
    // Reflection: the sky, or the hill that the ray hits.
    vec3 seen = sky(d);
    float t = 0.05;
    for (int i = 0; i < 90; i++) {
        vec3 q = p + d * t;
        float above = q.y - height(q.xz, 5).x;
        if (above < 0.01 * t) {
            seen = mix(seen, land(q, height(q.xz, 7)), exp(-0.006 * (far + t) * (far + t)));
            break;
        }
        t += max(0.3 * above, 0.02);
    }
    float mirror = 0.03 + 0.97 * pow(1.0 - max(dot(-ray, n), 0.0), 5.0);
    vec3 deep = mix(vec3(0.05, 0.19, 0.18), vec3(0.01, 0.05, 0.08), clamp(3.0 * depth, 0.0, 1.0));
    vec3 glint = vec3(6.0, 4.5, 3.0) * pow(max(dot(d, scene.sun.xyz), 0.0), 500.0);
    return mix(deep, seen, mirror) + glint;
}

void main() {
    vec3 ray = place - scene.eye.xyz;
    float far = length(ray);
    ray /= far;
    vec3 h = height(place.xz, 11);
    vec3 c = h.x <= 0.0 ? lake(place, ray, far, -h.x) : land(place, h);
    vec3 haze = sky(normalize(vec3(ray.x, max(ray.y, 0.02), ray.z)));
    color = tone(mix(haze, c, exp(-0.0035 * far * far)));
}";

/// A triangle over the whole picture, at the far end of the depth range.
const BACKDROP_VERTEX: &str = "
layout(location = 0) out vec3 ray;

void main() {
    vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    gl_Position = vec4(at, 1.0, 1.0);
    vec4 far = inverse(scene.camera) * gl_Position;
    ray = far.xyz / far.w - scene.eye.xyz;
}";

const BACKDROP_FRAGMENT: &str = "
layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 color;

void main() {
    color = tone(sky(normalize(ray)));
}";

/// Number of patches along a side of the grid, and the length of the side.
const SIDE: u32 = 48;
const SIZE: f32 = 24.0;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Scene {
    camera: Mat4,
    eye: Vec4,
    sun: Vec4,
}

/// Matrix from world to clip space. `focal` is the focal length relative to half of the picture's height.
fn camera(eye: Vec3, target: Vec3, focal: f32, aspect: f32) -> Mat4 {
    let lens = Mat4::perspective_rh(2.0 * (1.0 / focal).atan(), aspect, 0.05, 60.0);
    // In Vulkan, y points down.
    Mat4::from_scale(vec3(1.0, -1.0, 1.0)) * lens * Mat4::look_at_rh(eye, target, Vec3::Y)
}

/// Renders the picture; returns four bytes per pixel.
pub fn draw(width: u32, height: u32, side: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let (color, depth) = (Format::R8G8B8A8_UNORM, Format::D32_SFLOAT);
    let device = Device::new(DeviceOptions::default())?;
    let eye = vec3(-7.676, 0.22, 2.738);
    let sun = vec3(0.20, 0.42, -0.85).normalize();
    let scene = Scene {
        camera: camera(eye, vec3(0.0, 0.136, 0.0), 1.75, width as f32 / height as f32),
        eye: eye.extend(1.0),
        sun: sun.extend(0.0),
    };

    // Attachments: four samples per pixel, depth, and the picture.
    let attachment = |format, samples, usage| -> quadrille::Result<(Image, ImageView)> {
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, width, height, usage) };
        let image = device.create_bound_image(desc)?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
        Ok((image, view))
    };
    let (_, samples) = attachment(color, 4, ImageUsage::COLOR_ATTACHMENT)?;
    let (_, depths) = attachment(depth, 4, ImageUsage::DEPTH_STENCIL_ATTACHMENT)?;
    let (picture, resolved) = attachment(color, 1, ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC)?;

    let stage = |kind, file, parts: &[&str]| -> Result<ShaderStage, Box<dyn std::error::Error>> {
        let words = compile_glsl(&(HEAD.to_owned() + &parts.concat()), kind, &Options::named(file))?;
        Ok(ShaderStage::new(&device.create_shader_module(&words)?, "main"))
    };
    let layout = device.create_pipeline_layout(&[], size_of::<Scene>() as u32)?;
    let state = |desc: &mut GraphicsPipelineDesc, write, compare| {
        desc.state.color_formats = vec![Some(color)];
        desc.state.depth_format = Some(depth);
        desc.state.depth = DepthState { test: true, write, compare, bounds: false };
        desc.state.samples = 4;
    };

    let mut vertex = stage(Stage::Vertex, "terrain.vert", &[VERTEX])?;
    vertex.spec = vec![(0, side.into()), (1, SIZE.to_bits().into())];
    let fragment = stage(Stage::Fragment, "terrain.frag", &[HEIGHT, SKY, FRAGMENT])?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    desc.tessellation_control = Some(stage(Stage::TessellationControl, "terrain.tesc", &[CONTROL])?);
    desc.tessellation_evaluation =
        Some(stage(Stage::TessellationEvaluation, "terrain.tese", &[HEIGHT, EVALUATION])?);
    desc.state.topology = Topology::PatchList;
    desc.fixed.patch_control_points = 4;
    state(&mut desc, true, CompareOp::Less);
    let terrain = device.create_graphics_pipeline(&desc)?;

    let vertex = stage(Stage::Vertex, "backdrop.vert", &[BACKDROP_VERTEX])?;
    let fragment = stage(Stage::Fragment, "backdrop.frag", &[HEIGHT, SKY, BACKDROP_FRAGMENT])?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    state(&mut desc, false, CompareOp::LessOrEqual);
    let backdrop = device.create_graphics_pipeline(&desc)?;

    let pass = RenderingInfo {
        area: Rect { x: 0, y: 0, width, height },
        colors: vec![Some(RenderingAttachment {
            resolve: Some(resolved.clone()),
            ..RenderingAttachment::clear(&samples, [0.0; 4])
        })],
        depth: Some(RenderingAttachment::clear_depth(&depths, 1.0)),
        ..Default::default()
    };
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&pass)
        .bind_graphics_pipeline(&terrain)
        .set_size(width, height)
        .push_constants(0, &[scene])
        .draw(4 * side * side, 1, 0, 0)
        .bind_graphics_pipeline(&backdrop)
        .draw(3, 1, 0, 0)
        .end_rendering()
        .end()?;
    device.queue().run(&commands)?;

    Ok(picture.read_level(Aspects::COLOR, 0)?)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (width, height) = (960, 540);
    let pixels = draw(width, height, SIDE)?;
    image::save_buffer("terrain.png", &pixels, width, height, image::ColorType::Rgba8)?;
    println!("terrain.png: {width} x {height}, {} patches", SIDE * SIDE);
    Ok(())
}
