// A photographer's studio: what comes from each direction, and what a glaze makes of it.
#pragma once

// Light from a direction: a warm room, a large soft box above left, a narrow one right, a window behind.
vec3 studio(vec3 d, float blur) {
    vec3 room = mix(vec3(0.16, 0.13, 0.11), vec3(0.42, 0.44, 0.48), smoothstep(-0.4, 0.9, d.y));
    float soft = 0.04 + blur;
    vec2 a = vec2(dot(d, normalize(vec3(0.8, 0.0, 0.6))), dot(d, normalize(vec3(-0.45, 0.75, -0.1))));
    float box_a = smoothstep(0.36 + soft, 0.36 - soft, abs(a.x)) * smoothstep(0.72 - soft, 0.72 + soft, a.y);
    vec2 b = vec2(dot(d, vec3(0.93, 0.0, 0.36)), d.y);
    float box_b = smoothstep(0.90 - soft * 0.3, 0.90 + soft * 0.3, b.x) * smoothstep(0.75 + soft, 0.75 - soft, abs(b.y));
    return room + vec3(5.0, 4.6, 4.1) * box_a + vec3(1.1, 1.5, 2.2) * box_b;
}

// All that comes from the half above a surface, about.
vec3 diffuse(vec3 n) {
    float key = max(dot(n, normalize(vec3(-0.45, 0.75, 0.35))), 0.0);
    float fill = max(dot(n, normalize(vec3(0.93, 0.1, 0.36))), 0.0);
    return vec3(0.20, 0.19, 0.19) + 0.10 * n.y + vec3(1.05, 0.97, 0.88) * key + vec3(0.16, 0.22, 0.32) * fill;
}

float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    float sum = 0.0;
    for (int k = 0; k < 8; k++) {
        vec3 c = vec3(k & 1, k >> 1 & 1, k >> 2);
        vec3 w = mix(1.0 - f, f, c);
        uvec3 q = uvec3(ivec3(i + c)) * uvec3(1597334677u, 3812015801u, 2798796415u);
        uint h = (q.x ^ q.y ^ q.z) * 1597334677u;
        sum += w.x * w.y * w.z * float(h >> 8) / 16777215.0;
    }
    return sum;
}
