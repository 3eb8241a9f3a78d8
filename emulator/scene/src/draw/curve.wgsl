// From light to displayed colours.

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

// A colour without the factor alpha.
fn straight(color: vec3f, alpha: f32) -> vec3f {
    if alpha >= 1.0 {
        return color;
    }
    return clamp(color / max(alpha, 1e-4), vec3f(0.0), vec3f(1.0));
}
