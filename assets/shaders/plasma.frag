#version 450
// Domain-warped noise. The smallest interface: uniforms in a block, one output.

layout(set = 0, binding = 0) uniform Inputs {
    vec2 resolution;
    float time;
};
layout(location = 0) out vec4 color;

float hash(uvec2 p) {
    uint h = p.x * 1597334677u ^ p.y * 3812015801u;
    h = (h ^ (h >> 15)) * 2246822519u;
    return float((h ^ (h >> 13)) & 0xffffffu) / 16777216.0;
}

float noise(vec2 p) {
    vec2 cell = floor(p);
    vec2 f = p - cell;
    f = f * f * (3.0 - 2.0 * f);
    uvec2 c = uvec2(ivec2(cell) + 1000);
    return mix(mix(hash(c), hash(c + uvec2(1, 0)), f.x),
               mix(hash(c + uvec2(0, 1)), hash(c + uvec2(1, 1)), f.x), f.y);
}

float fbm(vec2 p) {
    float sum = 0.0, scale = 0.5;
    for (int i = 0; i < 6; i++) {
        sum += scale * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 3.1;
        scale *= 0.5;
    }
    return sum;
}

void main() {
    vec2 uv = 3.0 * gl_FragCoord.xy / resolution.y;
    vec2 q = vec2(fbm(uv + 0.05 * time), fbm(uv + vec2(5.2, 1.3) - 0.04 * time));
    vec2 r = vec2(fbm(uv + 4.0 * q + vec2(1.7, 9.2)), fbm(uv + 4.0 * q + vec2(8.3, 2.8) + 0.1 * time));
    float f = fbm(uv + 4.0 * r);
    vec3 c = mix(vec3(0.05, 0.08, 0.22), vec3(0.12, 0.45, 0.62), clamp(f * f * 4.0, 0.0, 1.0));
    c = mix(c, vec3(0.95, 0.55, 0.25), clamp(length(q) * length(q) * 0.9 - 0.15, 0.0, 1.0));
    c = mix(c, vec3(0.98, 0.92, 0.80), clamp(r.x * r.x * 1.4 - 0.1, 0.0, 1.0));
    color = vec4(c * (0.35 + 1.1 * f), 1.0);
}
