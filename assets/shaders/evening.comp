#version 450
// A panorama of a sky before sunset above a calm sea, equirectangular, for `quadrille render --environment`. Values are
// radiances, up to some thousands in the disk of the sun.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba32f) uniform writeonly image2D panorama;

float hash(vec2 p) { return fract(sin(dot(p, vec2(127.1, 311.7))) * 43758.5453); }

float noise(vec2 p) {
    vec2 i = floor(p), f = smoothstep(0.0, 1.0, fract(p));
    return mix(mix(hash(i), hash(i + vec2(1, 0)), f.x), mix(hash(i + vec2(0, 1)), hash(i + vec2(1, 1)), f.x), f.y);
}

float clouds(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 6; i++) {
        sum += weight * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p;
        weight *= 0.5;
    }
    return sum;
}

vec3 sky(vec3 d, vec3 sun) {
    float up = max(d.y, 0.0);
    float near = max(dot(d, sun), 0.0);
    vec3 color = mix(vec3(0.95, 0.62, 0.36), vec3(0.16, 0.3, 0.62), pow(up, 0.38));
    color = mix(color, vec3(0.5, 0.34, 0.42), 0.5 * exp(-9.0 * up) * (1.0 - near));
    color += vec3(1.0, 0.5, 0.2) * (0.9 * pow(near, 6.0) + 6.0 * pow(near, 90.0) + 40.0 * pow(near, 1500.0));
    // Clouds in a layer above, seen in perspective.
    vec2 p = d.xz / (up + 0.12);
    float cover = smoothstep(0.48, 0.78, clouds(p * vec2(0.7, 1.9) + 3.0));
    vec3 lit = vec3(0.42, 0.36, 0.42) + vec3(2.2, 1.0, 0.45) * pow(near, 3.0);
    return mix(color, lit, cover * smoothstep(0.02, 0.2, up) * 0.8);
}

void main() {
    vec2 size = vec2(imageSize(panorama));
    vec2 turn = (0.5 - (vec2(gl_GlobalInvocationID.xy) + 0.5) / size) * vec2(-6.2831853, 3.1415927);
    vec3 d = vec3(cos(turn.y) * cos(turn.x), sin(turn.y), cos(turn.y) * sin(turn.x));
    vec3 sun = normalize(vec3(0.8, 0.19, -0.6));
    vec3 color = sky(d, sun);
    color += vec3(3600.0, 2500.0, 1500.0) * smoothstep(0.99982, 0.99988, dot(d, sun));
    if (d.y < 0.0) {
        vec3 back = normalize(vec3(d.x, max(-d.y, 0.02 + 0.05 * noise(d.xz / (0.004 - d.y) * 3.0)), d.z));
        color = mix(vec3(0.02, 0.05, 0.07), sky(back, sun), 0.06 + 0.7 * pow(1.0 + d.y, 12.0));
    }
    imageStore(panorama, ivec2(gl_GlobalInvocationID.xy), vec4(color, 1.0));
}
