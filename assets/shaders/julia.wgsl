// A Julia set with smooth colours, four samples a pixel.

struct Inputs {
    resolution: vec2f,
    time: f32,
    frame: u32,
    mouse: vec4f,
}

@group(0) @binding(0) var<uniform> inputs: Inputs;

const LIMIT: u32 = 400u;

fn palette(t: f32) -> vec3f {
    return 0.5 + 0.5 * cos(6.28318 * (vec3f(0.9, 0.95, 1.0) * t + vec3f(0.55, 0.66, 0.78)));
}

fn julia(start: vec2f, c: vec2f) -> vec3f {
    var z = start;
    var trap = 1e9;
    var n = 0u;
    while n < LIMIT && dot(z, z) < 256.0 {
        z = vec2f(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        trap = min(trap, abs(z.x * z.y) + 0.3 * abs(dot(z, z) - 0.4));
        n++;
    }
    if n == LIMIT {
        return palette(0.35 + 2.0 * trap) * 0.25;
    }
    let smooth_n = f32(n) + 1.0 - log2(0.5 * log2(dot(z, z)));
    let t = pow(smooth_n / 110.0, 0.55);
    return palette(t) * (0.45 + 0.9 * exp(-6.0 * trap)) * smoothstep(0.0, 0.12, t);
}

@fragment
fn main(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let angle = 0.4 * inputs.time;
    let c = vec2f(-0.8, 0.156) + 0.012 * vec2f(sin(angle), 1.0 - cos(angle));
    var sum = vec3f(0.0);
    for (var s = 0u; s < 4u; s++) {
        let jitter = vec2f(f32(s & 1u), f32(s >> 1u)) * 0.5 - 0.25;
        let uv = (2.0 * (position.xy + jitter) - inputs.resolution) / inputs.resolution.y;
        sum += julia(uv * 0.78 * mat2x2f(0.94, 0.34, -0.34, 0.94), c);
    }
    let color = sum * 0.25;
    return vec4f(pow(clamp(color, vec3f(0.0), vec3f(1.0)), vec3f(0.8)), 1.0);
}
