// A still life in the manner of Shadertoy: signed distance fields, marched, with soft shadows,
// ambient occlusion and one bounce of reflection.

const float FAR = 40.0;

mat2 turn(float a) {
    float c = cos(a), s = sin(a);
    return mat2(c, -s, s, c);
}

float sphere(vec3 p, float r) {
    return length(p) - r;
}

float torus(vec3 p, vec2 r) {
    return length(vec2(length(p.xz) - r.x, p.y)) - r.y;
}

float rounded_box(vec3 p, vec3 half_size, float r) {
    vec3 q = abs(p) - half_size + r;
    return length(max(q, 0.0)) + min(max(q.x, max(q.y, q.z)), 0.0) - r;
}

float smooth_min(float a, float b, float k) {
    float h = clamp(0.5 + 0.5 * (b - a) / k, 0.0, 1.0);
    return mix(b, a, h) - k * h * (1.0 - h);
}

// Distance and material.
vec2 scene(vec3 p) {
    vec2 d = vec2(p.y, 0.0);

    vec3 q = p - vec3(-1.55, 0.75, 0.35);
    q.xz = turn(0.5) * q.xz;
    float cube = rounded_box(q, vec3(0.75), 0.16);
    cube = max(cube, -sphere(q, 0.93));
    if (cube < d.x) d = vec2(cube, 1.0);
    float pearl = sphere(q, 0.42 + 0.02 * sin(iTime * 2.0));
    if (pearl < d.x) d = vec2(pearl, 2.0);

    q = p - vec3(0.45, 0.62, -0.55);
    q.xy = turn(0.45 + 0.2 * sin(iTime)) * q.xy;
    float ring = torus(q, vec2(0.62, 0.2));
    if (ring < d.x) d = vec2(ring, 3.0);

    q = p - vec3(1.75, 0.0, 0.65);
    float blob = sphere(q - vec3(0.0, 0.55, 0.0), 0.55);
    for (int i = 0; i < 3; i++) {
        float a = float(i) * 2.094 + iTime * 0.5;
        vec3 centre = vec3(0.45 * cos(a), 1.05 + 0.25 * sin(a * 1.7), 0.45 * sin(a));
        blob = smooth_min(blob, sphere(q - centre, 0.27), 0.28);
    }
    if (blob < d.x) d = vec2(blob, 4.0);
    return d;
}

vec3 normal_at(vec3 p) {
    vec2 e = vec2(0.0006, -0.0006);
    return normalize(e.xyy * scene(p + e.xyy).x + e.yyx * scene(p + e.yyx).x +
                     e.yxy * scene(p + e.yxy).x + e.xxx * scene(p + e.xxx).x);
}

vec2 march(vec3 origin, vec3 direction, int steps) {
    float t = 0.02;
    float material = -1.0;
    for (int i = 0; i < steps; i++) {
        vec2 d = scene(origin + t * direction);
        if (d.x < 0.0004 * t) {
            material = d.y;
            break;
        }
        t += d.x;
        if (t > FAR) break;
    }
    return vec2(t, material);
}

float shadow(vec3 origin, vec3 direction) {
    float lit = 1.0;
    float t = 0.03;
    for (int i = 0; i < 40; i++) {
        float d = scene(origin + t * direction).x;
        lit = min(lit, 9.0 * d / t);
        t += clamp(d, 0.02, 0.25);
        if (lit < 0.005 || t > 7.0) break;
    }
    lit = clamp(lit, 0.0, 1.0);
    return lit * lit * (3.0 - 2.0 * lit);
}

float occlusion(vec3 p, vec3 n) {
    float sum = 0.0;
    float weight = 1.0;
    for (int i = 1; i <= 5; i++) {
        float h = 0.07 * float(i);
        sum += (h - scene(p + h * n).x) * weight;
        weight *= 0.75;
    }
    return clamp(1.0 - 1.6 * sum, 0.0, 1.0);
}

const vec3 SUN = vec3(0.696, 0.464, -0.547);

vec3 sky(vec3 d) {
    float up = max(d.y, 0.0);
    vec3 color = mix(vec3(0.95, 0.55, 0.36), vec3(0.10, 0.20, 0.42), pow(up, 0.45));
    float sun = max(dot(d, SUN), 0.0);
    return color + vec3(1.0, 0.8, 0.5) * (0.35 * pow(sun, 8.0) + 2.0 * pow(sun, 400.0));
}

vec3 albedo_of(float material, vec3 p) {
    if (material < 0.5) {
        // Tiles, faded where they would be smaller than a pixel. At the floor's edges quads are not whole, and the width
        // is anything: quadrille-allow: derivative-divergent
        vec2 q = p.xz * 0.9, w = fwidth(q) + 0.001;
        vec2 s = 2.0 * (abs(fract((q - 0.5 * w) * 0.5) - 0.5) - abs(fract((q + 0.5 * w) * 0.5) - 0.5)) / w;
        float tile = clamp(0.5 - 0.5 * s.x * s.y, 0.0, 1.0);
        return mix(vec3(0.10, 0.09, 0.12), vec3(0.55, 0.49, 0.43), tile);
    }
    if (material < 1.5) return vec3(0.74, 0.16, 0.09);
    if (material < 2.5) return vec3(0.95, 0.92, 0.85);
    if (material < 3.5) return vec3(0.90, 0.52, 0.09);
    return vec3(0.05, 0.32, 0.36);
}

vec3 shade(vec3 p, vec3 n, vec3 d, float material) {
    vec3 albedo = albedo_of(material, p);
    float sun = max(dot(n, SUN), 0.0);
    if (sun > 0.0) sun *= shadow(p + 0.002 * n, SUN);
    float ao = occlusion(p, n);
    vec3 light = 2.0 * sun * vec3(1.0, 0.80, 0.56);
    light += ao * (0.5 + 0.5 * n.y) * vec3(0.30, 0.38, 0.58);
    light += ao * 0.25 * max(dot(n, vec3(-SUN.x, 0.0, -SUN.z)), 0.0) * vec3(1.0, 0.7, 0.5);
    float glint = pow(max(dot(n, normalize(SUN - d)), 0.0), 60.0);
    return albedo * light + sun * glint * (material < 0.5 ? 0.15 : 1.2);
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    vec2 uv = (2.0 * fragCoord - iResolution.xy) / iResolution.y;
    float a = 0.25 * sin(0.2 * iTime) + 0.008 * iMouse.x;
    vec3 eye = vec3(5.6 * sin(a), 2.3, -5.6 * cos(a));
    vec3 forward = normalize(vec3(0.1, 0.55, 0.0) - eye);
    vec3 right = normalize(cross(vec3(0.0, 1.0, 0.0), forward));
    vec3 up = cross(forward, right);
    vec3 d = normalize(uv.x * right + uv.y * up + 2.3 * forward);

    vec3 color = sky(d);
    vec2 hit = march(eye, d, 110);
    if (hit.y >= 0.0) {
        vec3 p = eye + hit.x * d;
        vec3 n = normal_at(p);
        color = shade(p, n, d, hit.y);

        // One mirror bounce, by Fresnel.
        float base = hit.y > 1.5 && hit.y < 2.5 ? 0.25 : (hit.y < 0.5 ? 0.03 : 0.06);
        float fresnel = base + (1.0 - base) * pow(1.0 - max(dot(n, -d), 0.0), 5.0);
        if (hit.y > 0.5) fresnel *= occlusion(p, n);
        vec3 r = reflect(d, n);
        vec3 seen = sky(r);
        vec2 second = march(p + 0.01 * n, r, 48);
        if (second.y >= 0.0) {
            vec3 q = p + 0.01 * n + second.x * r;
            vec3 m = normal_at(q);
            seen = albedo_of(second.y, q) * (0.35 + 1.7 * max(dot(m, SUN), 0.0));
        } else if (second.x < FAR) {
            seen = color; // along the surface: the steps ran out
        }
        color = mix(color, seen, fresnel);
        color = mix(color, vec3(0.95, 0.55, 0.36), 1.0 - exp(-0.00012 * hit.x * hit.x * hit.x));
    }

    // Filmic curve, gamma, vignette.
    color *= 0.62;
    color = color * (2.51 * color + 0.03) / (color * (2.43 * color + 0.59) + 0.14);
    color = pow(clamp(color, 0.0, 1.0), vec3(1.0 / 2.2));
    vec2 v = fragCoord / iResolution.xy;
    color *= 0.75 + 0.25 * pow(16.0 * v.x * v.y * (1.0 - v.x) * (1.0 - v.y), 0.25);
    fragColor = vec4(color, 1.0);
}
