//! Traces paths of light with a ray tracing pipeline: glass, metal and matt spheres, which an intersection shader finds
//! in boxes, on a floor of two triangles. Writes `path_tracer.png`.
//! The ray generation shader follows a path from hit to hit. The closest hit shaders say where it goes on, and the miss
//! shader is the light: the sky.
//!
//! `cargo run --example path_tracer`

use quadrille::frontend::{Options, compile_glsl};
use quadrille::launch::{Groups, Primitives, ScenePart, build_scene, tables};
use quadrille::{
    BindPoint, BufferUsage, DescriptorBinding, DescriptorKind, Device, DeviceOptions, RayTracingPipelineDesc,
    Resource, ShaderGroup, ShaderStage, Stage,
};

const SIZE: [u32; 2] = [480, 270];
const PATHS: u32 = 24;

/// Declarations of all shaders.
const HEAD: &str = "#version 460
#extension GL_EXT_ray_tracing : require
struct Path { vec3 light; uint seed; vec3 origin; float ended; vec3 direction; };
float random(inout uint seed) {
    seed = seed * 747796405u + 2891336453u;
    uint word = ((seed >> ((seed >> 28u) + 4u)) ^ seed) * 277803737u;
    return float(((word >> 22u) ^ word) >> 8) / 16777216.0;
}
vec3 sphere(inout uint seed) {
    float z = 2.0 * random(seed) - 1.0, a = 6.2831853 * random(seed);
    return vec3(sqrt(1.0 - z * z) * vec2(cos(a), sin(a)), z);
}";

const RAYGEN: &str = "layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
layout(set = 0, binding = 1) buffer Pixels { uint pixels[]; };
layout(push_constant) uniform Push { uint paths; };
layout(location = 0) rayPayloadEXT Path path;
    void main() {
        uint pixel = gl_LaunchIDEXT.y * gl_LaunchSizeEXT.x + gl_LaunchIDEXT.x, seed = pixel * 9781u + 1u;
        vec3 sum = vec3(0.0);
        for (uint n = 0u; n < paths; n++) {
            vec2 at = vec2(gl_LaunchIDEXT.xy) + vec2(random(seed), random(seed));
            vec2 p = (2.0 * at - vec2(gl_LaunchSizeEXT.xy)) / float(gl_LaunchSizeEXT.y);
            path = Path(vec3(1.0), seed, vec3(0.0, 1.6, 7.0), 0.0, normalize(vec3(p.x, -p.y - 0.25, -2.2)));
            for (int bounce = 0; bounce < 8 && path.ended == 0.0; bounce++)
                traceRayEXT(scene, gl_RayFlagsOpaqueEXT, 0xff, 0, 1, 0, path.origin, 1e-3, path.direction, 1e3, 0);
            sum += path.ended * path.light;
            seed = path.seed;
        }
        pixels[pixel] = packUnorm4x8(vec4(pow(sum / float(paths), vec3(1.0 / 2.2)), 1.0));
    }";

const SKY: &str = "layout(location = 0) rayPayloadInEXT Path path;
    void main() {
        vec3 d = gl_WorldRayDirectionEXT;
        vec3 sky = mix(vec3(0.95, 0.9, 0.85), vec3(0.3, 0.5, 0.9), clamp(d.y * 1.4, 0.0, 1.0));
        path.light *= sky + 8.0 * pow(max(dot(d, normalize(vec3(1, 1.2, 0.6))), 0.0), 60.0);
        path.ended = 1.0;
    }";

const SPHERE: &str = "hitAttributeEXT vec3 normal;
    void main() {
        // Sphere n is in box n: at x = 2 n - 4.
        vec3 o = gl_ObjectRayOriginEXT - vec3(2.0 * float(gl_PrimitiveID) - 4.0, 0.95, 0.0);
        float b = dot(o, gl_ObjectRayDirectionEXT), q = b * b - dot(o, o) + 0.9025;
        if (q < 0.0) return;
        float front = -b - sqrt(q), t = front > gl_RayTminEXT ? front : -b + sqrt(q);
        normal = normalize(o + t * gl_ObjectRayDirectionEXT);
        reportIntersectionEXT(t, 0u);
    }";

const SPHERE_HIT: &str = "layout(location = 0) rayPayloadInEXT Path path; hitAttributeEXT vec3 normal;
    void main() {
        vec3 d = gl_WorldRayDirectionEXT, color = 0.5 + 0.4 * cos(1.7 * float(gl_PrimitiveID) + vec3(0, 2, 4));
        vec3 n = dot(normal, d) < 0.0 ? normal : -normal;
        path.origin = gl_WorldRayOriginEXT + gl_HitTEXT * d;
        int kind = gl_PrimitiveID % 3;
        if (kind == 0) path.direction = normalize(n + sphere(path.seed));
        if (kind == 1) path.direction = normalize(reflect(d, n) + 0.08 * sphere(path.seed));
        if (kind == 2) {
            vec3 inside = refract(d, n, n == normal ? 1.0 / 1.5 : 1.5);
            float mirrored = inside == vec3(0.0) ? 1.0 : 0.04 + 0.96 * pow(1.0 + dot(d, n), 5.0);
            path.direction = random(path.seed) < mirrored ? reflect(d, n) : inside;
        }
        path.light *= kind == 2 ? vec3(0.98) : color;
    }";

const FLOOR_HIT: &str = "layout(location = 0) rayPayloadInEXT Path path;
    void main() {
        path.origin = gl_WorldRayOriginEXT + gl_HitTEXT * gl_WorldRayDirectionEXT;
        bool even = mod(dot(floor(path.origin.xz), vec2(1.0)), 2.0) == 0.0;
        path.light *= even ? vec3(0.75) : vec3(0.35, 0.3, 0.3);
        path.direction = normalize(vec3(0, 1, 0) + sphere(path.seed));
    }";

/// Five spheres in boxes, and the floor, whose hits use the second hit group.
fn scene() -> [ScenePart; 2] {
    let sphere = |n: u32| [[2.0 * n as f32 - 4.95, 0.0, -0.95], [2.0 * n as f32 - 3.05, 1.9, 0.95]];
    let boxes = Primitives::Boxes((0..5).map(sphere).collect());
    let [a, b, c, d] = [[-50.0, 0.0, -50.0], [50.0, 0.0, -50.0], [-50.0, 0.0, 50.0], [50.0, 0.0, 50.0]];
    let floor = Primitives::Triangles(vec![[a, c, b], [b, c, d]]);
    let part = |(primitives, record_offset)| ScenePart { primitives, opaque: true, record_offset };
    [(boxes, 0), (floor, 1)].map(part)
}

/// Traces this number of paths for each pixel; returns four bytes per pixel.
pub fn trace(width: u32, height: u32, paths: u32) -> Result<Vec<u8>, Box<dyn std::error::Error>> {
    let device = Device::new(DeviceOptions::default())?;
    let scene = build_scene(&device, &scene())?;
    let pixels = device.create_buffer_with(&vec![0u32; (width * height) as usize], BufferUsage::STORAGE)?;
    let kinds = [DescriptorKind::AccelerationStructure, DescriptorKind::StorageBuffer];
    let bindings: Vec<_> = (0..).zip(kinds).map(|(b, kind)| DescriptorBinding::new(b, kind)).collect();
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write(0, 0, Resource::Structure(&scene))?;
    set.write_buffer(1, &pixels)?;
    let layout = device.create_pipeline_layout(&[set_layout], 4)?;
    let mut desc = RayTracingPipelineDesc::new(&layout);
    let shaders = [
        (Stage::RayGeneration, RAYGEN),
        (Stage::Miss, SKY),
        (Stage::Intersection, SPHERE),
        (Stage::ClosestHit, SPHERE_HIT),
        (Stage::ClosestHit, FLOOR_HIT),
    ];
    for (stage, source) in shaders {
        let words = compile_glsl(&format!("{HEAD}\n{source}"), stage, &Options::named(stage.name()))?;
        desc.stages.push((stage, ShaderStage::only(&device.create_shader_module(&words)?, stage)?));
    }
    let spheres = ShaderGroup::Procedural { intersection: 2, closest_hit: Some(3), any_hit: None };
    let floor = ShaderGroup::Triangles { closest_hit: Some(4), any_hit: None };
    desc.groups = vec![ShaderGroup::General(0), ShaderGroup::General(1), spheres, floor];
    let pipeline = device.create_ray_tracing_pipeline(&desc)?;
    let tables = tables(&device, &pipeline, &Groups::of(&desc)?)?;
    let mut commands = device.create_command_buffer();
    commands
        .bind_ray_tracing_pipeline(&pipeline)
        .bind_descriptor_sets(BindPoint::RayTracing, &layout, 0, &[&set], &[])
        .push_constants(0, &[paths])
        .trace_rays(&tables.tables, [width, height, 1])
        .end()?;
    device.queue().run(&commands)?;
    Ok(bytemuck::cast_slice::<u32, u8>(&pixels.read_all::<u32>()?).to_vec())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [width, height] = SIZE;
    let bytes = trace(width, height, PATHS)?;
    image::save_buffer("path_tracer.png", &bytes, width, height, image::ColorType::Rgba8)?;
    println!("path_tracer.png: {width} x {height}, {PATHS} paths per pixel");
    Ok(())
}
