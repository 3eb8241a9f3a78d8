// Marbles: a path tracer that gets better from frame to frame.
//
// Cube A is the evening sky, Buffer A gathers light, Buffer B is the glare of what is bright, Image shows it.

const float PI = 3.14159265;
const vec3 SUN = vec3(-0.716, 0.438, -0.543);
const vec3 SUN_LIGHT = vec3(5.2, 3.6, 2.1);

// Each marble: number; centre and radius; kind (glass, stone, metal) and hue. As a list of calls, since arrays that are
// indexed in the innermost loop are slow.
#define MARBLES(M) \
    M(0, vec4(-0.350, 0.550, 0.150, 0.550), vec2(0, 0.58)) \
    M(1, vec4(0.950, 0.480, -0.250, 0.480), vec2(2, 0.10)) \
    M(2, vec4(0.350, 0.360, 1.050, 0.360), vec2(0, 0.97)) \
    M(3, vec4(-1.450, 0.460, -0.600, 0.460), vec2(1, 0.45)) \
    M(4, vec4(-1.150, 0.300, 1.250, 0.300), vec2(0, 0.13)) \
    M(5, vec4(1.655, 0.180, -1.577, 0.180), vec2(1, 0.55)) \
    M(6, vec4(-3.129, 0.180, -0.314, 0.180), vec2(0, 0.74)) \
    M(7, vec4(0.656, 0.340, -1.956, 0.340), vec2(0, 0.90)) \
    M(8, vec4(-1.695, 0.220, 0.238, 0.220), vec2(1, 0.74)) \
    M(9, vec4(1.757, 0.180, -0.493, 0.180), vec2(0, 0.70)) \
    M(10, vec4(-1.869, 0.260, -1.552, 0.260), vec2(2, 0.79)) \
    M(11, vec4(-0.521, 0.260, -0.668, 0.260), vec2(0, 0.92)) \
    M(12, vec4(2.880, 0.180, -0.138, 0.180), vec2(0, 0.35)) \
    M(13, vec4(0.368, 0.340, -2.854, 0.340), vec2(0, 0.69)) \
    M(14, vec4(2.377, 0.180, 0.586, 0.180), vec2(1, 0.90)) \
    M(15, vec4(0.904, 0.220, -1.155, 0.220), vec2(2, 0.87)) \
    M(16, vec4(-1.223, 0.180, 0.299, 0.180), vec2(0, 0.42)) \
    M(17, vec4(0.899, 0.180, 0.398, 0.180), vec2(1, 0.79)) \
    M(18, vec4(-2.459, 0.240, -1.157, 0.240), vec2(0, 0.86)) \
    M(19, vec4(1.601, 0.240, 1.157, 0.240), vec2(2, 0.57)) \
    M(20, vec4(1.775, 0.200, -1.053, 0.200), vec2(0, 0.62)) \
    M(21, vec4(-3.141, 0.200, 1.064, 0.200), vec2(0, 0.38)) \
    M(22, vec4(0.466, 0.160, 0.151, 0.160), vec2(0, 0.58)) \
    M(23, vec4(0.593, 0.200, 1.625, 0.200), vec2(0, 0.61)) \
    M(24, vec4(-0.014, 0.160, -1.788, 0.160), vec2(0, 0.08)) \
    M(25, vec4(2.772, 0.240, -0.912, 0.240), vec2(1, 0.64))

vec3 hue(float h) {
    return clamp(abs(fract(h + vec3(0.0, 2.0, 1.0) / 3.0) * 6.0 - 3.0) - 1.0, 0.0, 1.0);
}

float hash(vec3 p) {
    uvec3 q = uvec3(ivec3(floor(p))) * uvec3(1597334677u, 3812015801u, 2798796415u);
    uint n = q.x ^ q.y ^ q.z;
    n = (n ^ (n >> 15)) * 2246822519u;
    return float((n ^ (n >> 13)) >> 8) / 16777216.0;
}

float noise(vec3 p) {
    vec3 f = fract(p), i = p - f, w = f * f * (3.0 - 2.0 * f);
    vec4 near = vec4(hash(i), hash(i + vec3(1, 0, 0)), hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)));
    i.z += 1.0;
    vec4 far = vec4(hash(i), hash(i + vec3(1, 0, 0)), hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)));
    vec4 m = mix(near, far, w.z);
    vec2 n = mix(m.xz, m.yw, w.x);
    return mix(n.x, n.y, w.y);
}

float clouds(vec3 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += weight * noise(p);
        p = 2.03 * p + 17.0;
        weight *= 0.5;
    }
    return sum;
}
