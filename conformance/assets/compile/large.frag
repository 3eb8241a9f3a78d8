#version 450
// Compile-time bench, about 600 lines: a material viewer: eight procedural patterns with bump mapping, four
// light kinds, tone mapping; everything reachable from main.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(set = 0, binding = 0) uniform Scene {
    vec4 lights[8];
    vec4 tints[8];
    vec2 size;
    float time;
    int pattern;
} scene;

float hash1(float n) {
    return fract(sin(n) * 43758.5453);
}

float hash2(vec2 p) {
    p = fract(p * vec2(123.34, 456.21));
    p += dot(p, p + 45.32);
    return fract(p.x * p.y);
}

vec2 hash22(vec2 p) {
    vec3 a = fract(p.xyx * vec3(0.1031, 0.1030, 0.0973));
    a += dot(a, a.yzx + 33.33);
    return fract((a.xx + a.yz) * a.zy);
}

float value_noise(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    float a = hash2(i), b = hash2(i + vec2(1.0, 0.0));
    float c = hash2(i + vec2(0.0, 1.0)), d = hash2(i + vec2(1.0, 1.0));
    return mix(mix(a, b, f.x), mix(c, d, f.x), f.y);
}

float cells(vec2 p) {
    vec2 i = floor(p), f = fract(p);
    float best = 8.0;
    for (int y = -1; y <= 1; y++) {
        for (int x = -1; x <= 1; x++) {
            vec2 o = vec2(float(x), float(y));
            vec2 d = o + hash22(i + o) - f;
            best = min(best, dot(d, d));
        }
    }
    return sqrt(best);
}

// marble: its own octaves, so that nothing is shared by accident.
float fold_marble(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 3; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.50, 1.2, -1.2, 1.50) * p + 0.5;
        weight *= 0.5;
    }
    return sum;
}

float marble(vec2 p) {
    float v = sin(p.x * 3.0 + 4.0 * fold_marble(p));
    v = pow(0.5 + 0.5 * v, 1.5);
    return mix(v, fold_marble(p * 2.0), 0.2);
}

vec3 marble_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = marble(p);
    float x = marble(p + vec2(e, 0.0)) - c;
    float y = marble(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 marble_color(vec2 p) {
    float v = marble(p);
    vec3 dark = vec3(0.10, 0.30, 0.05);
    vec3 light = vec3(0.90, 0.60, 0.40);
    vec3 c = mix(dark, light, v) * scene.tints[0].rgb;
    if (v > 0.70) c += 0.1 * scene.tints[3].rgb;
    return c;
}

// wood: its own octaves, so that nothing is shared by accident.
float fold_wood(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 4; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.55, 1.2, -1.2, 1.55) * p + 1.5;
        weight *= 0.5;
    }
    return sum;
}

float wood(vec2 p) {
    float r = length(p - vec2(0.3, 0.1)) * 4.0;
    r += fold_wood(p * vec2(1.0, 4.0));
    return fract(r) * 0.6 + 0.4 * fold_wood(p * 8.0);
}

vec3 wood_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = wood(p);
    float x = wood(p + vec2(e, 0.0)) - c;
    float y = wood(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 wood_color(vec2 p) {
    float v = wood(p);
    vec3 dark = vec3(0.17, 0.28, 0.15);
    vec3 light = vec3(0.85, 0.64, 0.52);
    vec3 c = mix(dark, light, v) * scene.tints[1].rgb;
    if (v > 0.72) c += 0.1 * scene.tints[4].rgb;
    return c;
}

// tiles: its own octaves, so that nothing is shared by accident.
float fold_tiles(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.60, 1.2, -1.2, 1.60) * p + 2.5;
        weight *= 0.5;
    }
    return sum;
}

float tiles(vec2 p) {
    vec2 t = fract(p * 5.0);
    vec2 e = smoothstep(vec2(0.02), vec2(0.06), t) * smoothstep(vec2(0.02), vec2(0.06), 1.0 - t);
    return e.x * e.y * (0.6 + 0.4 * fold_tiles(p * 3.0));
}

vec3 tiles_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = tiles(p);
    float x = tiles(p + vec2(e, 0.0)) - c;
    float y = tiles(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 tiles_color(vec2 p) {
    float v = tiles(p);
    vec3 dark = vec3(0.24, 0.26, 0.25);
    vec3 light = vec3(0.80, 0.68, 0.64);
    vec3 c = mix(dark, light, v) * scene.tints[2].rgb;
    if (v > 0.74) c += 0.1 * scene.tints[5].rgb;
    return c;
}

// scales: its own octaves, so that nothing is shared by accident.
float fold_scales(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 3; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.65, 1.2, -1.2, 1.65) * p + 3.5;
        weight *= 0.5;
    }
    return sum;
}

float scales(vec2 p) {
    vec2 q = p * 6.0;
    q.x += 0.5 * mod(floor(q.y), 2.0);
    return clamp(1.0 - length(fract(q) - vec2(0.5, 0.0)), 0.0, 1.0) * fold_scales(q);
}

vec3 scales_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = scales(p);
    float x = scales(p + vec2(e, 0.0)) - c;
    float y = scales(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 scales_color(vec2 p) {
    float v = scales(p);
    vec3 dark = vec3(0.31, 0.24, 0.35);
    vec3 light = vec3(0.75, 0.72, 0.76);
    vec3 c = mix(dark, light, v) * scene.tints[3].rgb;
    if (v > 0.76) c += 0.1 * scene.tints[6].rgb;
    return c;
}

// cloth: its own octaves, so that nothing is shared by accident.
float fold_cloth(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 4; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.70, 1.2, -1.2, 1.70) * p + 4.5;
        weight *= 0.5;
    }
    return sum;
}

float cloth(vec2 p) {
    vec2 q = p * 7.0 * 6.2831853;
    float a = sin(q.x) * sin(q.y), b = cos(q.x * 2.0) * 0.25;
    return clamp(0.5 + 0.4 * a + b * fold_cloth(p), 0.0, 1.0);
}

vec3 cloth_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = cloth(p);
    float x = cloth(p + vec2(e, 0.0)) - c;
    float y = cloth(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 cloth_color(vec2 p) {
    float v = cloth(p);
    vec3 dark = vec3(0.38, 0.22, 0.05);
    vec3 light = vec3(0.70, 0.76, 0.88);
    vec3 c = mix(dark, light, v) * scene.tints[4].rgb;
    if (v > 0.78) c += 0.1 * scene.tints[7].rgb;
    return c;
}

// rust: its own octaves, so that nothing is shared by accident.
float fold_rust(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 5; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.75, 1.2, -1.2, 1.75) * p + 5.5;
        weight *= 0.5;
    }
    return sum;
}

float rust(vec2 p) {
    float a = fold_rust(p * 8.0);
    float b = fold_rust(p * 8.0 + vec2(a, -a) * 2.0);
    return smoothstep(0.3, 0.7, b) * 0.7 + 0.3 * a;
}

vec3 rust_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = rust(p);
    float x = rust(p + vec2(e, 0.0)) - c;
    float y = rust(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 rust_color(vec2 p) {
    float v = rust(p);
    vec3 dark = vec3(0.45, 0.20, 0.15);
    vec3 light = vec3(0.65, 0.80, 0.40);
    vec3 c = mix(dark, light, v) * scene.tints[5].rgb;
    if (v > 0.80) c += 0.1 * scene.tints[0].rgb;
    return c;
}

// water: its own octaves, so that nothing is shared by accident.
float fold_water(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 3; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.80, 1.2, -1.2, 1.80) * p + 6.5;
        weight *= 0.5;
    }
    return sum;
}

float water(vec2 p) {
    vec2 q = p * 9.0 + scene.time * vec2(0.3, 0.2);
    float a = cells(q), b = cells(q * 1.7 + 3.0);
    return mix(a * b, fold_water(q), 0.25);
}

vec3 water_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = water(p);
    float x = water(p + vec2(e, 0.0)) - c;
    float y = water(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 water_color(vec2 p) {
    float v = water(p);
    vec3 dark = vec3(0.52, 0.18, 0.25);
    vec3 light = vec3(0.60, 0.84, 0.52);
    vec3 c = mix(dark, light, v) * scene.tints[6].rgb;
    if (v > 0.82) c += 0.1 * scene.tints[1].rgb;
    return c;
}

// stars: its own octaves, so that nothing is shared by accident.
float fold_stars(vec2 p) {
    float sum = 0.0, weight = 0.5;
    for (int i = 0; i < 4; i++) {
        sum += weight * value_noise(p);
        p = mat2(1.85, 1.2, -1.2, 1.85) * p + 7.5;
        weight *= 0.5;
    }
    return sum;
}

float stars(vec2 p) {
    vec2 q = floor(p * 10.0);
    float h = hash2(q + 7.0);
    float d = length(fract(p * 10.0) - 0.5);
    return h > 0.9 ? smoothstep(0.4, 0.0, d) * hash1(h * 100.0) : 0.05 * fold_stars(p);
}

vec3 stars_normal(vec2 p, float strength) {
    const float e = 0.005;
    float c = stars(p);
    float x = stars(p + vec2(e, 0.0)) - c;
    float y = stars(p + vec2(0.0, e)) - c;
    return normalize(vec3(-x * strength, -y * strength, e));
}

vec3 stars_color(vec2 p) {
    float v = stars(p);
    vec3 dark = vec3(0.59, 0.16, 0.35);
    vec3 light = vec3(0.55, 0.88, 0.64);
    vec3 c = mix(dark, light, v) * scene.tints[7].rgb;
    if (v > 0.84) c += 0.1 * scene.tints[2].rgb;
    return c;
}

struct Surface {
    vec3 albedo;
    vec3 normal;
    float gloss;
    float metal;
};

Surface surface(int pattern, vec2 p) {
    Surface s;
    switch (pattern) {
        case 0:
            s.albedo = marble_color(p);
            s.normal = marble_normal(p, 0.2);
            s.gloss = 8.0;
            s.metal = 0.000;
            break;
        case 1:
            s.albedo = wood_color(p);
            s.normal = wood_normal(p, 0.3);
            s.gloss = 16.0;
            s.metal = 0.125;
            break;
        case 2:
            s.albedo = tiles_color(p);
            s.normal = tiles_normal(p, 0.4);
            s.gloss = 24.0;
            s.metal = 0.250;
            break;
        case 3:
            s.albedo = scales_color(p);
            s.normal = scales_normal(p, 0.5);
            s.gloss = 32.0;
            s.metal = 0.375;
            break;
        case 4:
            s.albedo = cloth_color(p);
            s.normal = cloth_normal(p, 0.6);
            s.gloss = 40.0;
            s.metal = 0.500;
            break;
        case 5:
            s.albedo = rust_color(p);
            s.normal = rust_normal(p, 0.7);
            s.gloss = 48.0;
            s.metal = 0.625;
            break;
        case 6:
            s.albedo = water_color(p);
            s.normal = water_normal(p, 0.8);
            s.gloss = 56.0;
            s.metal = 0.750;
            break;
        case 7:
            s.albedo = stars_color(p);
            s.normal = stars_normal(p, 0.9);
            s.gloss = 64.0;
            s.metal = 0.875;
            break;
        default:
            s.albedo = vec3(0.5);
            s.normal = vec3(0.0, 0.0, 1.0);
            s.gloss = 16.0;
            s.metal = 0.0;
    }
    return s;
}

float fresnel(float c, float f0) {
    float k = 1.0 - c;
    float k2 = k * k;
    return f0 + (1.0 - f0) * k2 * k2 * k;
}

float distribution(float nh, float roughness) {
    float a = roughness * roughness;
    float d = nh * nh * (a * a - 1.0) + 1.0;
    return a * a / (3.14159265 * d * d + 0.0001);
}

float visibility(float nl, float nv, float roughness) {
    float k = (roughness + 1.0) * (roughness + 1.0) / 8.0;
    return 1.0 / ((nl * (1.0 - k) + k) * (nv * (1.0 - k) + k) * 4.0 + 0.0001);
}

vec3 point_light(Surface s, vec3 at, vec3 eye, vec4 light, vec3 tint) {
    vec3 d = light.xyz - at;
    float r2 = dot(d, d);
    vec3 l = d * inversesqrt(r2), h = normalize(l + eye);
    float nl = max(dot(s.normal, l), 0.0), nv = max(dot(s.normal, eye), 0.001);
    float nh = max(dot(s.normal, h), 0.0);
    float roughness = sqrt(2.0 / (s.gloss + 2.0));
    float spec = distribution(nh, roughness) * visibility(nl, nv, roughness);
    float f = fresnel(max(dot(h, eye), 0.0), mix(0.04, 0.9, s.metal));
    return (s.albedo * (1.0 - s.metal) + spec * f) * nl * tint * light.w / (1.0 + r2);
}

vec3 spot_light(Surface s, vec3 at, vec3 eye, vec4 light, vec3 tint) {
    vec3 l = normalize(light.xyz - at);
    float cone = smoothstep(0.85, 0.95, l.z);
    if (cone <= 0.0) return vec3(0.0);
    float diffuse = max(dot(s.normal, l), 0.0);
    float gloss = pow(max(dot(reflect(-l, s.normal), eye), 0.0), s.gloss);
    return (s.albedo * diffuse + gloss) * tint * cone * light.w;
}

vec3 sun_light(Surface s, vec3 eye, vec3 direction, vec3 tint) {
    float diffuse = max(dot(s.normal, direction), 0.0);
    vec3 h = normalize(direction + eye);
    float gloss = pow(max(dot(s.normal, h), 0.0), s.gloss);
    return s.albedo * diffuse * tint + gloss * 0.2 * tint;
}

vec3 sky_light(Surface s) {
    float up = 0.5 + 0.5 * s.normal.y;
    return s.albedo * mix(vec3(0.10, 0.08, 0.06), vec3(0.25, 0.30, 0.40), up);
}

vec3 lighting(Surface s, vec3 at, vec3 eye) {
    vec3 sum = sky_light(s) + sun_light(s, eye, normalize(vec3(0.4, 0.7, 0.6)), vec3(1.0, 0.95, 0.85));
    for (int i = 0; i < 8; i++) {
        vec4 light = scene.lights[i];
        if (light.w <= 0.0) continue;
        vec3 tint = scene.tints[i].rgb;
        if (i % 3 == 2) {
            sum += spot_light(s, at, eye, light, tint);
        } else {
            sum += point_light(s, at, eye, light, tint);
        }
    }
    return sum;
}

vec3 tone_reinhard(vec3 c) {
    return c / (1.0 + c);
}

vec3 tone_filmic(vec3 c) {
    c = max(vec3(0.0), c - 0.004);
    return (c * (6.2 * c + 0.5)) / (c * (6.2 * c + 1.7) + 0.06);
}

vec3 tone_aces(vec3 c) {
    return clamp((c * (2.51 * c + 0.03)) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}

vec3 curve(vec3 x) {
    return ((x * (0.15 * x + 0.05) + 0.004) / (x * (0.15 * x + 0.50) + 0.06)) - 0.0667;
}

vec3 tone_curve(vec3 c) {
    return curve(c * 2.0) / curve(vec3(11.2));
}

vec3 tone(int kind, vec3 c) {
    if (kind == 0) return tone_reinhard(c);
    if (kind == 1) return tone_filmic(c);
    if (kind == 2) return tone_aces(c);
    return tone_curve(c);
}

float shape_circle(vec2 p, float r) {
    return length(p) - r;
}

float shape_square(vec2 p, float r) {
    vec2 d = abs(p) - r;
    return length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
}

float shape_diamond(vec2 p, float r) {
    return (abs(p.x) + abs(p.y) - r) * 0.7071068;
}

float shape_hexagon(vec2 p, float r) {
    vec2 q = abs(p);
    q -= 2.0 * min(dot(vec2(-0.8660254, 0.5), q), 0.0) * vec2(-0.8660254, 0.5);
    return length(q - vec2(clamp(q.x, -0.577 * r, 0.577 * r), r)) * sign(q.y - r);
}

float shape_cross_(vec2 p, float r) {
    vec2 q = abs(p);
    if (q.y > q.x) q = q.yx;
    vec2 d = q - vec2(r, r * 0.3);
    return max(d.x, d.y);
}

float shape_ring(vec2 p, float r) {
    return abs(length(p) - r) - 0.1 * r;
}

float shape_drop(vec2 p, float r) {
    float k = clamp(0.5 + p.y / r, 0.0, 1.0);
    return length(p * vec2(1.0 + k, 1.0)) - r;
}

float shape_gear(vec2 p, float r) {
    float a = atan(p.y, p.x);
    return length(p) - r * (0.9 + 0.1 * sign(sin(a * 12.0)));
}

float shape(int kind, vec2 p, float r) {
    switch (kind) {
        case 0: return shape_circle(p, r);
        case 1: return shape_square(p, r);
        case 2: return shape_diamond(p, r);
        case 3: return shape_hexagon(p, r);
        case 4: return shape_cross_(p, r);
        case 5: return shape_ring(p, r);
        case 6: return shape_drop(p, r);
        case 7: return shape_gear(p, r);
    }
    return 1.0;
}

vec3 overlay(vec3 c, vec2 p) {
    for (int i = 0; i < 8; i++) {
        float a = scene.time * 0.3 + float(i) * 0.7853982;
        vec2 q = p - 0.7 * vec2(cos(a), sin(a));
        float d = shape(i, q, 0.08);
        float edge = fwidth(d);
        float fill = 1.0 - smoothstep(-edge, edge, d);
        float outline = 1.0 - smoothstep(0.0, edge * 2.0, abs(d) - 0.004);
        c = mix(c, scene.tints[i].rgb, 0.6 * fill);
        c = mix(c, vec3(1.0), 0.8 * outline);
    }
    return c;
}

vec3 ball(vec2 p, vec2 centre, float radius, int pattern, vec3 behind) {
    vec2 d = (p - centre) / radius;
    float r2 = dot(d, d);
    if (r2 >= 1.0) return behind;
    float z = sqrt(1.0 - r2);
    vec3 n = vec3(d, z);
    vec2 st = vec2(atan(n.x, n.z), asin(clamp(n.y, -1.0, 1.0)));
    Surface s = surface(pattern, st);
    vec3 t = normalize(vec3(n.z, 0.0, -n.x)), b = cross(n, t);
    s.normal = normalize(t * s.normal.x + b * s.normal.y + n * s.normal.z);
    vec3 c = lighting(s, vec3(p, z * radius), vec3(0.0, 0.0, 1.0));
    return mix(behind, c, smoothstep(1.0, 0.97, r2));
}

void main() {
    vec2 p = (uv * 2.0 - 1.0) * vec2(scene.size.x / scene.size.y, -1.0);
    vec3 c = mix(vec3(0.05, 0.06, 0.08), vec3(0.12, 0.14, 0.18), uv.y);
    for (int i = 0; i < 4; i++) {
        vec2 centre = vec2(float(i % 2) - 0.5, float(i / 2) - 0.5);
        c = ball(p, centre, 0.42, (scene.pattern + i) % 8, c);
    }
    c = overlay(c, p);
    c = tone(scene.pattern % 4, c);
    float grain = hash2(uv * scene.size + fract(scene.time)) - 0.5;
    color = vec4(pow(max(c, 0.0), vec3(1.0 / 2.2)) + grain / 255.0, 1.0);
}
