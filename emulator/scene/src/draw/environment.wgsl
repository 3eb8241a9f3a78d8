// The environment, by direction.


// The built-in sky: a bright horizon below a soft blue, light around the sun, ground.
fn sky(d: vec3f) -> vec3f {
    let sun = SUN_DIRECTION;
    let up = max(d.y, 0.0);
    let zenith = vec3f(0.22, 0.37, 0.66);
    let horizon = vec3f(0.80, 0.85, 0.92);
    var above = mix(horizon, zenith, 1.0 - exp2(-4.5 * up));
    let glow = max(dot(d, sun), 0.0);
    let g2 = glow * glow;
    let g8 = g2 * g2 * g2 * g2;
    above += vec3f(0.55, 0.45, 0.32) * g8 + vec3f(2.6, 2.3, 1.9) * pow(glow, 60.0);
    let below = mix(vec3f(0.34, 0.32, 0.30), vec3f(0.17, 0.16, 0.155), clamp(-2.0 * d.y, 0.0, 1.0));
    return mix(below, above, smoothstep(-0.06, 0.06, d.y));
}

fn environment(d: vec3f, level: f32) -> vec3f {
    if SKY == 1u {
        return sky(d);
    }
    let uv = vec2f(atan2(d.z, d.x) / (2.0 * PI) + 0.5, acos(clamp(d.y, -1.0, 1.0)) / PI);
    return textureSampleLevel(panorama, panorama_sampler, uv, level).rgb;
}
