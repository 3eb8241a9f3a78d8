//! Renders a meadow before sunset to `meadow.png`: a geometry shader turns each point into a blade of grass, and
//! some points into a flower as well.
//!
//! The geometry shader decides how many triangles a plant needs. The triangles of the grass are never stored in
//! memory.
//!
//! `cargo run --release --example meadow`

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

// The height of the ground.
float ground(vec2 at) {
    return 0.22 * sin(at.x * 0.55 + 0.4) * cos(at.y * 0.4) + 0.02 * sin(at.x * 2.3 + at.y * 1.7);
}
";

/// One point per plant: dense near the eye, and sparser in wider rows farther away.
const VERTEX: &str = "
layout(constant_id = 0) const uint SIDE = 1;
layout(location = 0) out vec3 root;
layout(location = 1) out vec4 chance;

uint mixed(uint h) {
    h = (h ^ (h >> 16)) * 0x7feb352du;
    h = (h ^ (h >> 15)) * 0x846ca68bu;
    return h ^ (h >> 16);
}

void main() {
    uint n = gl_VertexIndex;
    for (int i = 0; i < 4; i++)
        chance[i] = float(mixed(n * 4u + uint(i)) >> 8) / 16777216.0;
    vec2 t = (vec2(n % SIDE, n / SIDE) + chance.xy) / float(SIDE);
    float away = 0.35 + 34.0 * t.y * t.y;
    vec2 at = vec2((t.x - 0.5) * 2.5 * (away + 0.6), -away);
    root = vec3(at.x, ground(at), at.y);
    // Position and kind of the plant need different random numbers.
    chance = fract(chance * 61.0);
}";

/// Turns a point into a blade of grass, sometimes with a flower.
const GEOMETRY: &str = "
layout(points) in;
layout(triangle_strip, max_vertices = 41) out;
layout(location = 0) in vec3 root[];
layout(location = 1) in vec4 chance[];
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 tint;

void put(vec3 p, vec3 n, vec3 c) {
    place = p;
    normal = n;
    tint = c;
    gl_Position = scene.camera * vec4(p, 1.0);
    EmitVertex();
}

void main() {
    vec3 r = root[0];
    vec4 k = chance[0];
    float away = distance(r, scene.eye.xyz);
    float angle = 6.2832 * k.z;
    vec3 side = vec3(cos(angle), 0.0, sin(angle)), front = vec3(-side.z, 0.0, side.x);
    float gust = 0.5 + 0.5 * sin(r.x * 0.9 + 2.0 * sin(r.z * 0.5));
    vec2 wind = vec2(0.45, 0.12) * gust + 0.55 * (k.xw - 0.5);
    float patches = 0.5 + 0.5 * sin(r.x * 1.3 + sin(r.z * 0.9)) * cos(r.z * 1.1 + 0.5);
    bool flower = fract(k.w * 37.0) < 0.002 + 0.016 * patches * patches;
    float tall = flower ? 0.30 + 0.14 * k.x : 0.13 + 0.20 * k.y * k.y + 0.07 * patches;
    float wide = (flower ? 0.0035 : 0.005 + 0.004 * k.x) * (1.0 + 0.13 * away);
    vec3 low = vec3(0.010, 0.030, 0.008);
    vec3 high = mix(vec3(0.07, 0.20, 0.02), vec3(0.36, 0.38, 0.07), k.x * (0.3 + 0.7 * patches));

    // The blade, bent by the wind; far blades have fewer vertices.
    int steps = away < 3.0 ? 6 : away < 8.0 ? 3 : 2;
    for (int i = 0; i < steps; i++) {
        float t = float(i) / float(steps);
        vec3 p = r + vec3(wind.x * t * t, t, wind.y * t * t) * tall;
        vec3 w = side * wide * (1.0 - t * (flower ? 0.3 : 0.8)), c = mix(low, high, t * sqrt(t));
        put(p - w, front - 0.6 * side, c);
        put(p + w, front + 0.6 * side, c);
    }
    vec3 tip = r + vec3(wind.x, 1.0, wind.y) * tall;
    put(tip, front, high);
    EndPrimitive();
    if (!flower)
        return;

    // Six petals and the center of the flower, facing the light.
    float kind = fract(k.y * 13.0 + 0.35 * patches);
    vec3 petal = kind < 0.45 ? vec3(0.95, 0.10, 0.05) : kind < 0.7 ? vec3(0.95, 0.92, 0.88) : vec3(0.42, 0.24, 0.90);
    float size = (0.36 + 0.28 * k.x) * (1.0 + 0.07 * away);
    vec3 up = normalize(vec3(wind.x, 0.9, wind.y) + 0.9 * (scene.eye.xyz - tip) / away);
    vec3 u = normalize(cross(up, vec3(0.3, 0.1, 1.0))), v = cross(up, u);
    for (int i = 0; i < 6; i++) {
        float a = 6.2832 * (float(i) / 6.0 + k.y);
        vec3 d = cos(a) * u + sin(a) * v, e = cross(up, d);
        put(tip, up, 0.4 * petal);
        put(tip + size * (0.024 * d + 0.017 * e + 0.004 * up), up + 0.5 * e, petal);
        put(tip + size * (0.024 * d - 0.017 * e + 0.004 * up), up - 0.5 * e, petal);
        put(tip + size * (0.040 * d + 0.009 * up), up + 0.5 * d, petal);
        EndPrimitive();
    }
    for (int i = 0; i < 4; i++) {
        vec2 q = size * 0.007 * vec2((i & 1) * 2 - 1, (i >> 1) * 2 - 1);
        put(tip + q.x * u + q.y * v + size * 0.008 * up, up, vec3(0.95, 0.66, 0.08));
    }
    EndPrimitive();
}";

/// The sky close to the horizon.
const SKY: &str = "
vec3 sky(vec3 d) {
    float up = max(d.y, 0.0), glow = max(dot(d, scene.sun.xyz), 0.0);
    vec3 c = mix(vec3(1.45, 0.74, 0.36), vec3(0.10, 0.22, 0.60), pow(up, 0.44));
    return c + vec3(1.0, 0.55, 0.20) * (0.55 * pow(glow, 5.0) + 0.8 * pow(glow, 60.0));
}

// Colours at the edges of blades are extrapolated and may be negative.
vec4 tone(vec3 c) {
    return vec4(sqrt(1.0 - exp(-1.1 * max(c, 0.0))), 1.0);
}
";

/// Light on leaves: from the front, and from behind through the leaf.
const FRAGMENT: &str = "
layout(location = 0) in vec3 place;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec3 tint;
layout(location = 0) out vec4 color;

void main() {
    vec3 ray = place - scene.eye.xyz;
    float far = length(ray);
    ray /= far;
    vec3 n = normalize(normal);
    n = dot(n, ray) > 0.0 ? -n : n;
    float facing = dot(n, scene.sun.xyz), against = max(dot(ray, scene.sun.xyz), 0.0);
    vec3 sun = vec3(3.4, 2.3, 1.2) * (max(facing, 0.0) + max(-facing, 0.0) * (0.45 + 0.9 * against * against));
    vec3 c = tint * (sun + vec3(0.26, 0.36, 0.55) * (0.7 + 0.3 * n.y));
    color = tone(mix(sky(normalize(vec3(ray.x, 0.03, ray.z))), c, exp(-0.0020 * far * far)));
}";

/// The ground between the blades: a grid of squares, two triangles each.
const GROUND_VERTEX: &str = "
layout(location = 0) out vec3 place;
layout(location = 1) out vec3 normal;
layout(location = 2) out vec3 tint;

void main() {
    const uvec2 CORNER[6] = uvec2[](uvec2(0), uvec2(1, 0), uvec2(0, 1), uvec2(0, 1), uvec2(1, 0), uvec2(1));
    uint cell = gl_VertexIndex / 6;
    vec2 t = vec2(uvec2(cell % 100, cell / 100) + CORNER[gl_VertexIndex % 6]) / 100.0;
    vec2 at = vec2((t.x - 0.5) * 90.0, -45.0 * t.y * t.y);
    place = vec3(at.x, ground(at) - 0.01, at.y);
    normal = vec3(0.0, 1.0, 0.0);
    // Dark like the feet of the blades near the eye, light like the grass far away.
    tint = mix(vec3(0.010, 0.028, 0.008), vec3(0.10, 0.17, 0.03), smoothstep(2.0, 16.0, -at.y));
    gl_Position = scene.camera * vec4(place, 1.0);
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

/// The sun, clouds and hills. Each row of hills is darker than the row behind it.
const BACKDROP_FRAGMENT: &str = "
layout(location = 0) in vec3 ray;
layout(location = 0) out vec4 color;

void main() {
    vec3 d = normalize(ray);
    vec3 c = sky(d);
    c += vec3(9.0, 6.0, 3.0) * smoothstep(0.99935, 0.99955, dot(d, scene.sun.xyz));
    vec2 w = d.xz / (max(d.y, 0.0) + 0.08);
    float cloud = sin(w.x * 0.8 + 1.5 * sin(w.y * 0.6)) * sin(w.y * 1.9 + sin(w.x * 1.1)) + 0.4 * sin(w.x * 3.1 + w.y * 5.0);
    c = mix(c, vec3(1.7, 1.0, 0.65), 0.5 * smoothstep(0.3, 1.2, cloud) * smoothstep(0.04, 0.3, d.y));
    float a = atan(d.x, -d.z);
    for (int k = 0; k < 4; k++) {
        float s = float(k);
        float h = 0.100 - 0.021 * s + 0.020 * sin(a * 3.1 + 1.9 * s) + 0.010 * sin(a * 7.7 + 4.0 * s) + 0.004 * sin(a * 19.0 + s);
        // Trees on the nearest hills.
        h += 0.0022 * s * abs(sin(a * (90.0 + 17.0 * s)) * sin(a * (53.0 + s)));
        vec3 hill = mix(vec3(0.40, 0.36, 0.42), vec3(0.05, 0.09, 0.05), s / 3.0);
        vec3 haze = sky(vec3(d.x, 0.02, d.z));
        c = mix(c, mix(haze, hill, 0.35 + 0.16 * s), smoothstep(h + 0.0012, h - 0.0012, d.y));
    }
    color = tone(c);
}";

/// Number of plants along a side of the grid.
const SIDE: u32 = 420;

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
    let eye = vec3(0.0, 0.55, 0.0);
    let sun = vec3(0.30, 0.155, -0.92).normalize();
    let scene = Scene {
        camera: camera(eye, vec3(0.0, 0.40, -2.0), 1.75, width as f32 / height as f32),
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
    let desc = |vertex: &ShaderStage, fragment: &ShaderStage| {
        let mut desc = GraphicsPipelineDesc::new(&layout, vertex.clone(), Some(fragment.clone()));
        desc.state.color_formats = vec![Some(color)];
        desc.state.depth_format = Some(depth);
        desc.state.depth =
            DepthState { test: true, write: true, compare: CompareOp::LessOrEqual, bounds: false };
        desc.state.samples = 4;
        desc
    };

    let mut vertex = stage(Stage::Vertex, "meadow.vert", &[VERTEX])?;
    vertex.spec = vec![(0, side.into())];
    let fragment = stage(Stage::Fragment, "meadow.frag", &[SKY, FRAGMENT])?;
    let mut grass = desc(&vertex, &fragment);
    grass.geometry = Some(stage(Stage::Geometry, "meadow.geom", &[GEOMETRY])?);
    grass.state.topology = Topology::PointList;
    let grass = device.create_graphics_pipeline(&grass)?;

    let vertex = stage(Stage::Vertex, "ground.vert", &[GROUND_VERTEX])?;
    let ground = device.create_graphics_pipeline(&desc(&vertex, &fragment))?;

    let vertex = stage(Stage::Vertex, "backdrop.vert", &[BACKDROP_VERTEX])?;
    let fragment = stage(Stage::Fragment, "backdrop.frag", &[SKY, BACKDROP_FRAGMENT])?;
    let backdrop = device.create_graphics_pipeline(&desc(&vertex, &fragment))?;

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
        .bind_graphics_pipeline(&grass)
        .set_size(width, height)
        .push_constants(0, &[scene])
        .draw(side * side, 1, 0, 0)
        .bind_graphics_pipeline(&ground)
        .draw(6 * 100 * 100, 1, 0, 0)
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
    image::save_buffer("meadow.png", &pixels, width, height, image::ColorType::Rgba8)?;
    println!("meadow.png: {width} x {height}, {} plants", SIDE * SIDE);
    Ok(())
}
