// Converts samples of a picture to pixels: tone mapping of each sample, average, sRGB.

struct Output {
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
@group(0) @binding(0) var<uniform> output: Output;
@group(0) @binding(1) var single: texture_2d<f32>;
@group(0) @binding(1) var multiple: texture_multisampled_2d<f32>;
@group(0) @binding(2) var<storage, read_write> pixels: array<u32>;
@group(0) @binding(3) var<storage, read_write> linear: array<vec4f>;
@group(0) @binding(4) var<storage, read> coverage: array<f32>;

// Alpha of a sample is the part that is light; the rest is colour without tone mapping.
fn shown(sample: vec4f) -> vec3f {
    return mix(clamp(sample.rgb, vec3f(0.0), vec3f(1.0)), neutral(sample.rgb * output.exposure), sample.a);
}

fn put(at: vec2u, shown: vec3f, light: vec3f) {
    let i = at.y * output.width + at.x;
    var alpha = 1.0;
    if output.transparent == 1u {
        alpha = coverage[i];
    }
    pixels[i] = pack4x8unorm(vec4f(srgb(straight(shown, alpha)), alpha));
    linear[i] = vec4f(light, alpha);
}

@compute @workgroup_size(8, 8)
fn tone_single(@builtin(global_invocation_id) id: vec3u) {
    if id.x < output.width && id.y < output.height {
        let sample = textureLoad(single, id.xy, 0);
        put(id.xy, shown(sample), sample.rgb * mix(1.0, output.exposure, sample.a));
    }
}

@compute @workgroup_size(8, 8)
fn tone_multiple(@builtin(global_invocation_id) id: vec3u) {
    if id.x < output.width && id.y < output.height {
        var sum = vec3f(0.0);
        var light = vec3f(0.0);
        for (var i = 0u; i < output.samples; i++) {
            let sample = textureLoad(multiple, id.xy, i);
            sum += shown(sample);
            light += sample.rgb * mix(1.0, output.exposure, sample.a);
        }
        let n = f32(output.samples);
        put(id.xy, sum / n, light / n);
    }
}
