// From sums to a picture.

struct Plate {
    width: u32,
    height: u32,
    samples: u32,
    exposure: f32,
    // 1 if pixels have alpha.
    transparent: u32,
    pad_0: u32,
    pad_1: u32,
    pad_2: u32,
}
@group(0) @binding(0) var<uniform> plate: Plate;
@group(0) @binding(1) var<storage, read> sums: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> pixels: array<u32>;
@group(0) @binding(3) var<storage, read_write> linear: array<vec4f>;

fn mean(at: u32) -> f32 {
    let sum = sums[at];
    return (f32(bitcast<i32>(sum.y)) * 16.0 + f32(sum.x) * 3.7252902984619140625e-9) / f32(plate.samples);
}

fn mean3(at: u32) -> vec3f {
    return vec3f(mean(at), mean(at + 1u), mean(at + 2u));
}

@compute @workgroup_size(8, 8)
fn develop(@builtin(global_invocation_id) id: vec3u) {
    if id.x >= plate.width || id.y >= plate.height {
        return;
    }
    let i = id.y * plate.width + id.x;
    let light = mean3(i * SUMS) * plate.exposure;
    let plain = mean3(i * SUMS + 3u);
    let lit = 1.0 - mean(i * SUMS + 6u);
    // Light of the lit part of the pixel is tone mapped; colours are shown as they are.
    var shown = clamp(plain, vec3f(0.0), vec3f(1.0));
    if lit > 0.0 {
        shown += lit * neutral(light / lit);
    }
    var alpha = 1.0;
    if plate.transparent == 1u {
        alpha = clamp(mean(i * SUMS + 15u), 0.0, 1.0);
    }
    pixels[i] = pack4x8unorm(vec4f(srgb(straight(shown, alpha)), alpha));
    linear[i] = vec4f(light + plain, alpha);
}
