// Gathers light: red, green and blue are sums, alpha counts paths.

const int PATHS = 2;

// Random numbers: the first of each path are spread evenly over all paths of the pixel.
uint state;
uint pixel;
int path;
int drawn;

uint scramble(uint n) {
    n = ((n >> ((n >> 28) + 4u)) ^ n) * 277803737u;
    return (n >> 22) ^ n;
}

float random() {
    drawn++;
    if (drawn <= 12) {
        float start = float(scramble(pixel + uint(drawn) * 2654435769u) >> 8) / 16777216.0;
        return fract(start + float(path) * fract(float(drawn) * (0.6785 * float(drawn) + 0.7051)));
    }
    state = state * 747796405u + 2891336453u;
    return float(scramble(state) >> 8) / 16777216.0;
}

vec3 sky(vec3 d, float blur) {
    return textureLod(iChannel1, d, blur).rgb;
}

vec3 onSphere() {
    float z = 2.0 * random() - 1.0, a = 2.0 * PI * random();
    return vec3(sqrt(1.0 - z * z) * vec2(cos(a), sin(a)), z);
}

// The nearest marble along a ray, how far it is, and what it is.
int nearest(vec3 ro, vec3 rd, out float t, out vec4 marble, out vec2 made) {
    int found = -1;
    t = 1e9;
#define HIT(I, S, K) { \
        const vec4 s = S; \
        vec3 oc = ro - s.xyz; \
        float b = dot(oc, rd), h = b * b - dot(oc, oc) + s.w * s.w, d = -b - sqrt(max(h, 0.0)); \
        bool hit = h > 0.0 && d > 1e-4 && d < t; \
        t = hit ? d : t; \
        found = hit ? I : found; \
    }
    MARBLES(HIT)
#define IS(I, S, K) if (found == I) { marble = S; made = K; }
    MARBLES(IS)
    return found;
}

// How much of the sun comes to a point. Glass lets some through, more in the middle of its shadow.
vec3 sunlight(vec3 p) {
    vec3 d = normalize(SUN + 0.035 * onSphere());
    vec3 light = SUN_LIGHT;
#define SHADE(I, S, K) { \
        const vec4 s = S; \
        vec3 oc = p - s.xyz; \
        float b = dot(oc, d), h = (b * b - dot(oc, oc)) / (s.w * s.w) + 1.0; \
        vec3 glass = mix(vec3(1.0), hue(K.y), 0.55) * (0.12 + 1.5 * h * h * h); \
        light *= h > 0.0 && b < 0.0 ? (K.x < 0.5 ? glass : vec3(0.0)) : vec3(1.0); \
    }
    MARBLES(SHADE)
    return light;
}

float fresnel(float cosine, float at0) {
    return at0 + (1.0 - at0) * pow(1.0 - clamp(cosine, 0.0, 1.0), 5.0);
}

// The ribbon in a glass marble: how far along a ray from inside, or -1; its colour.
float ribbon(int i, vec4 m, vec2 made, vec3 ro, vec3 rd, float far, out vec3 color) {
    float turn = 6.2831 * hash(vec3(i, 3, 5));
    vec3 axis = normalize(vec3(cos(turn), 0.6, sin(turn)));
    vec3 side = normalize(cross(axis, vec3(0.3, 1.0, 0.2))), other = cross(axis, side);
    float before = 0.0;
    float last = 0.0;
    for (int k = 0; k <= 10; k++) {
        float t = far * (float(k) + 0.5 * random()) / 11.0;
        vec3 q = (ro + rd * t - m.xyz) / m.w;
        float y = dot(q, axis), a = 3.2 * y;
        vec2 p = mat2(cos(a), -sin(a), sin(a), cos(a)) * vec2(dot(q, side), dot(q, other));
        float d = p.x - 0.16 * sin(3.0 * p.y);
        float wide = 0.78 * sqrt(max(0.0, 0.86 - y * y));
        if (k > 0 && d * before < 0.0 && abs(p.y) < wide) {
            float f = smoothstep(-wide, wide, p.y);
            vec3 one = mix(vec3(1.0), hue(made.y), 0.86), two = mix(vec3(1.0), hue(made.y + 0.14), 0.75);
            color = mix(one, two, smoothstep(0.35, 0.65, f + 0.12 * sin(9.0 * y)));
            color = mix(color, vec3(0.96), smoothstep(0.06, 0.02, abs(abs(f - 0.5) - 0.36)));
            return mix(last, t, abs(before) / (abs(before) + abs(d)));
        }
        before = d;
        last = t;
    }
    return -1.0;
}

vec3 trace(vec3 ro, vec3 rd) {
    vec3 light = vec3(0.0), through = vec3(1.0);
    float blur = 0.0;
    for (int bounce = 0; bounce < 5; bounce++) {
        float t;
        vec4 m;
        vec2 made;
        int i = nearest(ro, rd, t, m, made);
        float ground = rd.y < 0.0 ? -ro.y / rd.y : 1e9;
        if (i < 0 && ground > 60.0) return light + through * sky(rd, blur);
        if (ground < t) {
            // Lacquered wood.
            vec3 p = ro + rd * ground;
            float grain = noise(vec3(p.x * 1.2, 4.0, p.z * 14.0)) + 0.5 * noise(vec3(p.x * 3.0, 9.0, p.z * 41.0));
            vec3 wood = mix(vec3(0.050, 0.020, 0.012), vec3(0.150, 0.060, 0.028), smoothstep(0.35, 1.15, grain));
            float far = smoothstep(9.0, 30.0, length(p.xz));
            if (random() < fresnel(-rd.y, 0.05)) {
                ro = p + vec3(0, 1e-3, 0);
                rd = normalize(reflect(rd, vec3(0, 1, 0)) + 0.045 * onSphere());
                rd.y = abs(rd.y);
                blur = max(blur, 3.0);
                through *= 1.0 - 0.6 * far;
                continue;
            }
            light += through * wood * sunlight(p) * SUN.y;
            ro = p + vec3(0, 1e-3, 0);
            rd = normalize(vec3(0, 1, 0) + 0.999 * onSphere());
            through *= wood;
            blur = 7.0;
            continue;
        }
        vec3 p = ro + rd * t, n = (p - m.xyz) / m.w;
        float kind = made.x;
        vec3 tint = hue(made.y);
        if (kind > 1.5) {
            // Metal.
            vec3 color = mix(vec3(0.95, 0.90, 0.86), mix(vec3(1.0), tint, 0.75), 0.55);
            through *= mix(color, vec3(1.0), fresnel(-dot(rd, n), 0.0));
            ro = p + n * 1e-3;
            rd = normalize(reflect(rd, n) + 0.02 * onSphere());
            blur = max(blur, 2.0);
            continue;
        }
        if (random() < fresnel(-dot(rd, n), 0.04)) {
            ro = p + n * 1e-3;
            rd = reflect(rd, n);
            // The sun itself, in the lacquer.
            light += through * smoothstep(0.9975, 0.9990, dot(rd, SUN)) * 8.0 * sunlight(ro);
            blur = max(blur, 1.0);
            continue;
        }
        if (kind > 0.5) {
            // Stone with bands.
            vec3 q = (p - m.xyz) / m.w;
            float bands = q.y * 1.6 + 0.7 * q.x + 0.9 * noise(2.0 * q + float(7 * i));
            vec3 color = mix(mix(vec3(0.9), tint, 0.75) * 0.85, mix(vec3(1.0), tint, 0.35) * 0.95, smoothstep(0.3, 0.7, abs(fract(bands * 1.1) * 2.0 - 1.0)));
            light += through * color * max(dot(n, SUN), 0.0) * sunlight(p + n * 1e-3);
            through *= color;
            ro = p + n * 1e-3;
            rd = normalize(n + 0.999 * onSphere());
            blur = 7.0;
            continue;
        }
        // Into the glass, perhaps to the ribbon, and out again.
        vec3 inside = refract(rd, n, 1.0 / 1.5);
        float far = -2.0 * dot(inside, p - m.xyz);
        vec3 color;
        float on = ribbon(i, m, made, p, inside, far, color);
        if (on > 0.0) {
            vec3 q = p + inside * on;
            vec3 up = normalize(q - m.xyz + vec3(0, 0.4 * m.w, 0));
            vec3 direct = sunlight(m.xyz + (q - m.xyz) * 1.02 + SUN * 1.2 * m.w) * (0.35 + 0.45 * max(dot(up, SUN), 0.0));
            return light + through * color * (direct * 0.55 + 0.95 * sky(normalize(up + 0.3 * onSphere()), 7.0) * (0.35 + 0.65 * smoothstep(-0.6, 0.8, up.y)));
        }
        vec3 exit = p + inside * far, out_n = (exit - m.xyz) / m.w;
        through *= exp(-0.35 * far / m.w * (1.0 - mix(vec3(1.0), tint, 0.25)));
        rd = normalize(refract(inside, -out_n, 1.5));
        ro = exit + out_n * 1e-3;
        blur = max(blur, 1.0);
    }
    return light;
}

void mainImage(out vec4 fragColor, in vec2 fragCoord) {
    pixel = (uint(fragCoord.y) * 4096u + uint(fragCoord.x)) * 747796405u + 1u;
    state = scramble(pixel + uint(iFrame) * 1013904223u);
    fragColor = iFrame == 0 ? vec4(0.0) : texelFetch(iChannel0, ivec2(fragCoord), 0);
    vec3 eye = vec3(0.45, 2.05, 5.2), to = vec3(-0.02, 0.22, 0.1);
    vec3 w = normalize(to - eye), u = normalize(cross(w, vec3(0, 1, 0))), v = cross(u, w);
    float focus = 4.75;
    for (int i = 0; i < PATHS; i++) {
        path = iFrame * PATHS + i;
        drawn = 0;
        // A tent over the pixel.
        vec2 j = 2.0 * vec2(random(), random()) - 1.0;
        j = sign(j) * (1.0 - sqrt(1.0 - abs(j)));
        vec2 p = (2.0 * (fragCoord + 0.9 * j) - iResolution.xy) / iResolution.y;
        vec3 d = normalize(3.35 * w + p.x * u + p.y * v);
        float a = 2.0 * PI * random(), r = 0.085 * sqrt(random());
        vec3 lens = r * (cos(a) * u + sin(a) * v);
        vec3 light = trace(eye + lens, normalize(d * focus / dot(d, w) - lens));
        // A path that found the sun by chance would be a spot for long.
        fragColor += vec4(min(light, vec3(8.0)), 1.0);
    }
}
