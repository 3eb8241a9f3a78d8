//! Draws a box of spheres by a compute shader with ray queries: a query for what a pixel shows, one for its shadow, and
//! the same again for what a sphere mirrors. Writes `ray_query.png`.
//!
//! The acceleration structure knows the boxes of spheres alone. The shader finds the spheres in them.
//!
//! `cargo run --example ray_query`

use quadrille::frontend::{Options, compile_glsl};
use quadrille::launch::{Primitives, ScenePart, build_scene};
use quadrille::{
    BufferUsage, ComputePipelineDesc, DescriptorBinding, DescriptorKind, Device, DeviceOptions, Resource,
    ShaderStage, Stage,
};

const WIDTH: u32 = 480;
const HEIGHT: u32 = 270;
/// Spheres along each edge of the box.
const EDGE: u32 = 4;

const SHADER: &str = "#version 460
#extension GL_EXT_ray_query : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) readonly buffer Spheres { vec4 spheres[]; };
layout(set = 0, binding = 2) writeonly buffer Pixels { uint pixels[]; };
layout(push_constant) uniform Push { uvec2 size; };

// Distance of the sphere, or -1.
float distance_of(vec4 sphere, vec3 origin, vec3 direction) {
    vec3 o = origin - sphere.xyz;
    float b = dot(o, direction), q = b * b - dot(o, o) + sphere.w * sphere.w;
    return q < 0.0 ? -1.0 : -b - sqrt(q);
}

// The closest sphere and its distance; -1 if there is none. With `any`, the first that is found.
int closest(vec3 origin, vec3 direction, bool any, out float t) {
    rayQueryEXT query;
    uint flags = any ? gl_RayFlagsTerminateOnFirstHitEXT : gl_RayFlagsNoneEXT;
    t = 100.0;
    rayQueryInitializeEXT(query, scene, flags, 0xff, origin, 1e-3, direction, t);
    while (rayQueryProceedEXT(query)) {
        int box = rayQueryGetIntersectionPrimitiveIndexEXT(query, false);
        float at = distance_of(spheres[box], origin, direction);
        if (at <= 1e-3 || at >= t) continue;
        rayQueryGenerateIntersectionEXT(query, at);
        t = at;
    }
    bool hit = rayQueryGetIntersectionTypeEXT(query, true) == gl_RayQueryCommittedIntersectionGeneratedEXT;
    return hit ? rayQueryGetIntersectionPrimitiveIndexEXT(query, true) : -1;
}

void main() {
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (any(greaterThanEqual(pixel, size))) return;
    vec2 p = (2.0 * vec2(pixel) + 1.0 - vec2(size)) / float(size.y);
    vec3 origin = vec3(-5.0, 3.6, -7.0), forward = normalize(-origin);
    vec3 right = normalize(cross(vec3(0, 1, 0), forward));
    vec3 direction = normalize(3.2 * forward + p.x * right - p.y * cross(forward, right));
    vec3 light = normalize(vec3(-0.5, 1.0, -0.6)), color = vec3(0.0);
    float weight = 1.0, t, unused;
    for (int bounce = 0; bounce < 3; bounce++) {
        int sphere = closest(origin, direction, false, t);
        if (sphere < 0) {
            color += weight * mix(vec3(0.9, 0.9, 0.95), vec3(0.3, 0.45, 0.7), 0.5 + 0.5 * direction.y);
            break;
        }
        origin += t * direction;
        vec3 normal = normalize(origin - spheres[sphere].xyz);
        float sun = closest(origin, light, true, unused) < 0 ? max(dot(normal, light), 0.0) : 0.0;
        vec3 own = 0.55 + 0.4 * cos(float(sphere) * 0.7 + vec3(0, 2, 4));
        color += weight * 0.75 * own * (sun + 0.2 + 0.1 * normal.y);
        direction = reflect(direction, normal);
        weight *= 0.25;
    }
    pixels[pixel.y * size.x + pixel.x] = packUnorm4x8(vec4(pow(color, vec3(1.0 / 2.2)), 1.0));
}";

/// Centers and radii of the spheres.
fn spheres() -> Vec<[f32; 4]> {
    let at = |k: u32| k as f32 - 0.5 * (EDGE - 1) as f32;
    let radius = |n: u32| 0.32 + 0.14 * (n % 5) as f32 / 4.0;
    (0..EDGE.pow(3)).map(|n| [at(n % EDGE), at(n / EDGE % EDGE), at(n / EDGE / EDGE), radius(n)]).collect()
}

/// Draws the spheres; returns four bytes per pixel.
pub fn draw(width: u32, height: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let device = Device::new(DeviceOptions::default())?;
    let spheres = spheres();
    let around = |&[x, y, z, r]: &[f32; 4]| [[x - r, y - r, z - r], [x + r, y + r, z + r]];
    let boxes = Primitives::Boxes(spheres.iter().map(around).collect());
    let scene = build_scene(&device, &[ScenePart { primitives: boxes, opaque: false, record_offset: 0 }])?;
    let spheres = device.create_buffer_with(&spheres, BufferUsage::STORAGE)?;
    let pixels = device.create_buffer_with(&vec![0u32; (width * height) as usize], BufferUsage::STORAGE)?;
    let kinds =
        [DescriptorKind::AccelerationStructure, DescriptorKind::StorageBuffer, DescriptorKind::StorageBuffer];
    let bindings: Vec<_> = (0..).zip(kinds).map(|(b, kind)| DescriptorBinding::new(b, kind)).collect();
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write(0, 0, Resource::Structure(&scene))?;
    set.write_buffer(1, &spheres)?;
    set.write_buffer(2, &pixels)?;
    let layout = device.create_pipeline_layout(&[set_layout], 8)?;

    let words = compile_glsl(SHADER, Stage::Compute, &Options::named("ray_query.comp"))?;
    let stage = ShaderStage::new(&device.create_shader_module(&words)?, "main");
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let mut commands = device.create_command_buffer();
    commands
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(&layout, 0, &set)
        .push_constants(0, &[width, height])
        .dispatch(width.div_ceil(8), height.div_ceil(8), 1)
        .end()?;
    device.queue().run(&commands)?;
    Ok(bytemuck::cast_slice::<u32, u8>(&pixels.read_all::<u32>()?).to_vec())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let bytes = draw(WIDTH, HEIGHT)?;
    image::save_buffer("ray_query.png", &bytes, WIDTH, HEIGHT, image::ColorType::Rgba8)?;
    println!("ray_query.png: {WIDTH} x {HEIGHT}");
    Ok(())
}
