#version 450
// Compile-time bench, about 150 lines: a ray-marched scene with soft shadows, ambient occlusion, a checkered
// floor and value noise.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push {
    vec2 size;
    float time;
};

const int STEPS = 64;
const float FAR = 30.0;

struct Hit {
    float distance;
    int material;
};

float hash(vec2 p) {
    p = fract(p * vec2(123.34, 456.21));
    p += dot(p, p + 45.32);
    return fract(p.x * p.y);
}

float noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    float a = hash(i), b = hash(i + vec2(1.0, 0.0));
    float c = hash(i + vec2(0.0, 1.0)), d = hash(i + vec2(1.0, 1.0));
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

float fbm(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += weight * noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p;
        weight *= 0.5;
    }
    return sum;
}

float sphere(vec3 p, float r) {
    return length(p) - r;
}

float box(vec3 p, vec3 b) {
    vec3 q = abs(p) - b;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0);
}

float torus(vec3 p, vec2 t) {
    vec2 q = vec2(length(p.xz) - t.x, p.y);
    return length(q) - t.y;
}

float blend(float a, float b, float k) {
    float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return mix(b, a, h) - k * h * (1.0 - h);
}

Hit nearer(Hit a, Hit b) {
    if (a.distance < b.distance) return a;
    return b;
}

Hit scene(vec3 p) {
    Hit hit = Hit(p.y + 1.0, 0);
    float s = sphere(p - vec3(-1.2, 0.2 * sin(time), 0.0), 0.9);
    float b = box(p - vec3(-0.4, -0.4, 0.3), vec3(0.5));
    hit = nearer(hit, Hit(blend(s, b, 0.3), 1));
    vec3 q = p - vec3(1.5, -0.3, 0.0);
    float angle = time * 0.5;
    q.xz = mat2(cos(angle), sin(angle), -sin(angle), cos(angle)) * q.xz;
    hit = nearer(hit, Hit(torus(q, vec2(0.8, 0.25)), 2));
    return hit;
}

vec3 normal(vec3 p) {
    const vec2 e = vec2(0.001, -0.001);
    return normalize(e.xyy * scene(p + e.xyy).distance + e.yyx * scene(p + e.yyx).distance
        + e.yxy * scene(p + e.yxy).distance + e.xxx * scene(p + e.xxx).distance);
}

float shadow(vec3 origin, vec3 direction) {
    float light = 1.0, t = 0.02;
    for (int i = 0; i < 24; i++) {
        float d = scene(origin + direction * t).distance;
        light = min(light, 12.0 * d / t);
        t += clamp(d, 0.02, 0.4);
        if (light < 0.01 || t > 8.0) break;
    }
    return clamp(light, 0.0, 1.0);
}

float occlusion(vec3 p, vec3 n) {
    float sum = 0.0, scale = 1.0;
    for (int i = 1; i <= 5; i++) {
        float h = 0.08 * float(i);
        sum += (h - scene(p + n * h).distance) * scale;
        scale *= 0.7;
    }
    return clamp(1.0 - 2.0 * sum, 0.0, 1.0);
}

vec3 albedo(int material, vec3 p) {
    switch (material) {
        case 0: {
            vec2 c = floor(p.xz);
            return vec3(mod(c.x + c.y, 2.0) < 1.0 ? 0.25 : 0.6) * (0.7 + 0.3 * fbm(p.xz * 4.0));
        }
        case 1: return vec3(0.9, 0.35, 0.2);
        default: return mix(vec3(0.2, 0.4, 0.8), vec3(0.9), fbm(p.xy * 6.0));
    }
}

vec3 sky(vec3 d) {
    return mix(vec3(0.75, 0.8, 0.9), vec3(0.2, 0.4, 0.7), clamp(d.y * 1.5, 0.0, 1.0));
}

void main() {
    vec2 p = (uv * 2.0 - 1.0) * vec2(size.x / size.y, -1.0);
    vec3 origin = vec3(0.0, 0.8, -4.5), direction = normalize(vec3(p, 1.8));
    float t = 0.0;
    Hit hit = Hit(0.0, -1);
    for (int i = 0; i < STEPS; i++) {
        hit = scene(origin + direction * t);
        if (hit.distance < 0.001 * t) break;
        t += hit.distance;
        if (t > FAR) {
            hit.material = -1;
            break;
        }
    }
    vec3 c = sky(direction);
    if (hit.material >= 0) {
        vec3 at = origin + direction * t, n = normal(at), light = normalize(vec3(0.6, 0.8, -0.4));
        float diffuse = max(dot(n, light), 0.0) * shadow(at + n * 0.01, light);
        float gloss = pow(max(dot(reflect(direction, n), light), 0.0), 32.0);
        vec3 lit = albedo(hit.material, at) * (diffuse + 0.25 * occlusion(at, n)) + 0.3 * gloss * diffuse;
        c = mix(lit, c, 1.0 - exp(-0.002 * t * t));
    }
    color = vec4(sqrt(c), 1.0);
}
