// Converts samples of a picture to pixels: tone mapping of each sample, average, sRGB.

struct Output {
    width: u32,
    height: u32,
    samples: u32,
    exposure: f32,
}
@group(0) @binding(0) var<uniform> output: Output;
@group(0) @binding(1) var single: texture_2d<f32>;
@group(0) @binding(1) var multiple: texture_multisampled_2d<f32>;
@group(0) @binding(2) var<storage, read_write> pixels: array<u32>;
@group(0) @binding(3) var<storage, read_write> linear: array<vec4f>;

// Spec: Khronos PBR Neutral Tone Mapper.
fn neutral(light: vec3f) -> vec3f {
    let start = 0.8 - 0.04;
    let desaturation = 0.15;
    let least = min(light.r, min(light.g, light.b));
    let offset = select(0.04, least - 6.25 * least * least, least < 0.08);
    let color = light - offset;
    let peak = max(color.r, max(color.g, color.b));
    if peak < start {
        return color;
    }
    let d = 1.0 - start;
    let compressed = 1.0 - d * d / (peak + d - start);
    let g = 1.0 - 1.0 / (desaturation * (peak - compressed) + 1.0);
    return mix(color * (compressed / peak), vec3f(compressed), g);
}

fn srgb(c: vec3f) -> vec3f {
    let x = clamp(c, vec3f(0.0), vec3f(1.0));
    return select(1.055 * pow(x, vec3f(1.0 / 2.4)) - 0.055, x * 12.92, x <= vec3f(0.0031308));
}

// Alpha of a sample is the part that is light; the rest is colour without tone mapping.
fn shown(sample: vec4f) -> vec3f {
    return mix(clamp(sample.rgb, vec3f(0.0), vec3f(1.0)), neutral(sample.rgb * output.exposure), sample.a);
}

fn put(at: vec2u, shown: vec3f, light: vec3f) {
    let i = at.y * output.width + at.x;
    pixels[i] = pack4x8unorm(vec4f(srgb(shown), 1.0));
    linear[i] = vec4f(light, 1.0);
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
