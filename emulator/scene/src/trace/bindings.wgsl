// Inputs of the path tracer: the view, the geometry, materials, lights, and the sums of all samples.

struct View {
    // Position of the camera, and its focal distance.
    eye: vec4f,
    // Directions of unit length; w is 1 for a perspective camera and 0 for an orthographic one.
    forward: vec4f,
    // From the middle of the picture to its edges: at distance 1, or absolute for an orthographic camera.
    right: vec4f,
    up: vec4f,
    // Axes of the lens, as long as its radius.
    lens_x: vec4f,
    lens_y: vec4f,
    background: vec4f, // colour, and its weight; 2 leaves it out
    // Distances of the near and far planes, intensity of the environment.
    range: vec4f,
    // Width, height, number of bounces, 1 if the environment is not black.
    size: vec4u,
    // Lights, emitters, columns and rows of the environment's cells.
    counts: vec4u,
}
struct Job {
    // First pixel, first sample, number of samples.
    x: u32,
    y: u32,
    first: u32,
    samples: u32,
}
struct Instance {
    first_index: u32,
    first_vertex: u32,
    material: u32,
    features: u32,
    // Index of the emitter of the first triangle, or NONE.
    first_emitter: u32,
    // Number of the node, from 1.
    object: u32,
    pad_0: u32,
    pad_1: u32,
}
struct Picture {
    offset: u32,
    width: u32,
    height: u32,
    // Bits of the sampler; see `sampled`.
    sampler: u32,
}
// A triangle that emits light, in the world.
struct Emitter {
    a: vec4f, // w is the sum of the probabilities up to this emitter
    b: vec4f, // w is the probability
    c: vec4f, // w is the area
    instance: u32,
    primitive: u32,
    // 1 if the corners are clockwise at the front.
    mirrored: u32,
    pad: u32,
}

const NONE = 0xffffffffu;

@group(0) @binding(0) var scene: acceleration_structure;
@group(0) @binding(1) var<uniform> view: View;
@group(0) @binding(2) var<uniform> job: Job;
// Vertices of 18 floats: position, normal, tangent, two sets of texture coordinates, colour.
@group(0) @binding(3) var<storage, read> vertices: array<f32>;
@group(0) @binding(4) var<storage, read> indices: array<u32>;
@group(0) @binding(5) var<storage, read> instances: array<Instance>;
@group(0) @binding(6) var<storage, read> materials: array<Material>;
@group(0) @binding(7) var<storage, read> pictures: array<Picture>;
// The first 256 are the linear values of sRGB bytes.
@group(0) @binding(8) var<storage, read> texels: array<u32>;
@group(0) @binding(9) var<storage, read> lights: array<Light>;
@group(0) @binding(10) var<storage, read> emitters: array<Emitter>;
// Of the environment's cells: sums of the rows' probabilities, then sums of the cells' within each row, then densities.
@group(0) @binding(11) var<storage, read> cells: array<f32>;
@group(0) @binding(12) var panorama: texture_2d<f32>;
@group(0) @binding(13) var panorama_sampler: sampler;
// By the square root of the viewing cosine, and by roughness: scale and bias of GGX, albedo of sheen.
@group(0) @binding(14) var<storage, read> albedos: array<vec4f>;
// For each pixel, sums in 64-bit fixed point: low word, high word.
@group(0) @binding(15) var<storage, read_write> sums: array<vec2u>;
// For each pixel, the number of the node and of the material, from 1, or 0.
@group(0) @binding(16) var<storage, read_write> names: array<vec2u>;
