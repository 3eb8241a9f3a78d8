// Inputs of a scene's shaders: features of a variant, whose bits the host declares, and bindings.

fn has(feature: u32) -> bool {
    return (FEATURES & feature) != 0u;
}

fn has_texture(slot: u32) -> bool {
    return ((TEXTURES >> slot) & 1u) != 0u;
}

// Group 0: the view and the frame.
struct View {
    clip_from_world: mat4x4f,
}
struct Frame {
    eye: vec4f,
    // For a pixel at x, y of clip space, the direction of its ray is origin + x * right + y * up.
    ray: vec4f,
    ray_right: vec4f,
    ray_up: vec4f,
    // Rotates directions of the scene to directions of the environment: cosine and sine about y.
    environment: vec4f, // cos, sin, intensity, last level of the specular cube
    size: vec4f, // width, height, lights, last level of the backdrop
    background: vec4f, // colour, and its weight
}
@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var<uniform> frame: Frame;
@group(0) @binding(2) var<storage, read> joints: array<mat4x4f>;
@group(0) @binding(3) var<storage, read> weights: array<f32>;

// Group 1: the material. The host declares the textures and samplers of its slots.
@group(1) @binding(0) var<uniform> material: Material;

// Group 2: the draw.
struct Draw {
    world: mat4x4f,
    vertices: u32,
    // Number of sets of four joints per vertex, and index of the mesh's first joint.
    joint_sets: u32,
    first_joint: u32,
    targets: u32,
    first_weight: u32,
    pad_0: u32,
    pad_1: u32,
    pad_2: u32,
}
struct Influence {
    joints: vec4u,
    weights: vec4f,
}
@group(2) @binding(0) var<uniform> draw: Draw;
@group(2) @binding(1) var<storage, read> influences: array<Influence>;
// For each target: position, normal and tangent of each vertex.
@group(2) @binding(2) var<storage, read> deltas: array<vec4f>;

// Group 3: light.
@group(3) @binding(0) var<storage, read> lights: array<Light>;
@group(3) @binding(1) var<storage, read> shadow_views: array<mat4x4f>;
@group(3) @binding(2) var shadow_maps: texture_depth_2d_array;
@group(3) @binding(3) var shadow_sampler: sampler_comparison;
@group(3) @binding(4) var specular_cube: texture_cube<f32>;
@group(3) @binding(5) var diffuse_cube: texture_cube<f32>;
@group(3) @binding(6) var sheen_cube: texture_cube<f32>;
// By the cosine of the viewing angle and the roughness: scale and bias of GGX, albedo of sheen.
@group(3) @binding(7) var albedo_table: texture_2d<f32>;
@group(3) @binding(8) var smooth_sampler: sampler;
// Picture behind transmitting surfaces; smaller levels are blurred.
@group(3) @binding(9) var backdrop: texture_2d<f32>;
@group(3) @binding(10) var panorama: texture_2d<f32>;
@group(3) @binding(11) var panorama_sampler: sampler;

struct Varying {
    @builtin(position) clip: vec4f,
    @location(0) position: vec3f,
    @location(1) normal: vec3f,
    @location(2) tangent: vec4f,
    @location(3) uv: vec4f,
    @location(4) color: vec4f,
}
