// Random numbers by counters: they depend on the pixel, the sample and the dimension alone. Each pair of dimensions is a
// shuffled and scrambled (0, 2)-sequence: Burley, "Practical Hash-based Owen Scrambling".

var<private> pixel_seed: u32;
var<private> sample_index: u32;
var<private> dimension: u32;

// PCG. Spec: Jarzynski and Olano, "Hash Functions for GPU Rendering".
fn hash(x: u32) -> u32 {
    let state = x * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return (word >> 22u) ^ word;
}

fn begin_sample(pixel: vec2u, sample: u32) {
    pixel_seed = hash(pixel.x ^ hash(pixel.y));
    sample_index = sample;
    dimension = 0u;
}

// Owen's scrambling from the highest bit downwards, by the hash of Laine and Karras.
fn scramble(value: u32, seed: u32) -> u32 {
    var x = reverseBits(value);
    x ^= x * 0x3d20adeau;
    x += seed;
    x *= (seed >> 16u) | 1u;
    x ^= x * 0x05526c56u;
    x ^= x * 0x53a22864u;
    return reverseBits(x);
}

// The second dimension of Sobol's sequence: digit k is the sum of the digits j of the index that contain the bits of k.
fn sobol(index: u32) -> u32 {
    var v = index;
    v ^= v >> 16u;
    v ^= (v >> 8u) & 0x00ff00ffu;
    v ^= (v >> 4u) & 0x0f0f0f0fu;
    v ^= (v >> 2u) & 0x33333333u;
    v ^= (v >> 1u) & 0x55555555u;
    return reverseBits(v);
}

fn unit_interval(x: u32) -> f32 {
    return f32(x >> 8u) * 5.9604644775390625e-8;
}

// The next two dimensions.
fn random() -> vec2f {
    let seed = hash(pixel_seed ^ hash(dimension));
    dimension += 1u;
    let index = scramble(sample_index, seed);
    let x = scramble(reverseBits(index), hash(seed ^ 0x68bc21ebu));
    let y = scramble(sobol(index), hash(seed ^ 0x02e5be93u));
    return vec2f(unit_interval(x), unit_interval(y));
}

// A number for one triangle on the way of a ray, whatever the order in which a ray meets triangles.
fn random_at(instance: u32, primitive: u32) -> f32 {
    return unit_interval(hash(hash(hash(pixel_seed ^ sample_index * 0x9e3779b9u) ^ dimension) ^ hash(instance) ^ primitive * 0x85ebca6bu));
}
