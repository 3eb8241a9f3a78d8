// Glazed vases in a studio. The floor is what has no colour.
#version 450
#extension GL_GOOGLE_include_directive : require
#include "parts/studio.glsl"

#ifndef GLOSS
#define GLOSS 0.04
#endif

in vec3 place;
in vec3 facing;
in vec3 tint;

uniform vec3 eye;
uniform vec3 backdrop;

out vec4 pixel;

// Feet of the vases: how much of the light from above they take away from the floor.
float shade(vec2 p) {
    vec4 feet[3] = vec4[](vec4(-0.15, -0.25, 0.60, 2.0), vec4(0.98, 0.35, 0.62, 0.9), vec4(-1.05, 0.42, 0.28, 1.1));
    float light = 1.0;
    for (int i = 0; i < 3; i++) {
        // Contact, and a soft shadow away from the large box.
        float d = length(p - feet[i].xy);
        light *= 1.0 - 0.80 * exp(-pow(d / (feet[i].z * 0.95), 2.5));
        vec2 away = normalize(vec2(0.78, -0.32));
        vec2 q = p - feet[i].xy;
        float along = dot(q, away);
        float across = abs(dot(q, vec2(-away.y, away.x)));
        float reach = feet[i].w * 0.75;
        float wide = feet[i].z * (0.75 + 0.25 * along);
        light *= 1.0 - 0.55 * smoothstep(wide + 0.30, wide - 0.25, across)
            * smoothstep(-0.1, 0.25, along) * smoothstep(reach + 0.5, reach - 0.5, along);
    }
    return light;
}

vec3 filmic(vec3 c) {
    c *= 0.85;
    return clamp(c * (2.51 * c + 0.03) / (c * (2.43 * c + 0.59) + 0.14), 0.0, 1.0);
}

void main() {
    vec3 v = normalize(eye - place);
    vec3 n = normalize(facing);
    n = dot(n, v) < 0.0 ? -n : n;
    vec3 light;
    if (dot(tint, vec3(1.0)) < 0.01) {
        n = vec3(0.0, 1.0, 0.0);
        light = backdrop * (0.93 + 0.05 * noise(place * 60.0)) * mix(vec3(1.0), vec3(shade(place.xz)), 0.95);
        // A little of the vases in the polished floor is left to the imagination: only the box shows.
        float fresnel = 0.02 + 0.5 * pow(1.0 - v.y, 5.0);
        light += fresnel * studio(reflect(-v, n), 0.5) * 0.15;
        light = mix(light, backdrop, smoothstep(2.0, 9.0, length(place.xz)));
    } else {
        // The glaze is thin on edges and pools below: darker and deeper there. Fine cracks, specks of iron.
        float pool = smoothstep(0.9, 0.0, place.y) * 0.35 + 0.25 * noise(place * vec3(5.0, 2.0, 5.0));
        vec3 base = tint * mix(1.25, 0.60, pool);
        float speck = smoothstep(0.66, 0.80, 0.6 * noise(place * 31.0) + 0.4 * noise(place.zxy * 73.0)) * 0.55;
        base = mix(base, vec3(0.20, 0.13, 0.08), speck);
        n = normalize(n + 0.015 * (vec3(noise(place * 9.0), noise(place * 9.0 + 31.0), noise(place * 9.0 + 57.0)) - 0.5));
        float inside = smoothstep(0.0, 0.25, place.y) * 0.55 + 0.45;
        light = base * diffuse(n) * inside;
        float fresnel = GLOSS + (1.0 - GLOSS) * pow(1.0 - max(dot(n, v), 0.0), 5.0);
        vec3 r = reflect(-v, n);
        vec3 seen = r.y < 0.0 ? backdrop * (0.55 + 0.45 * smoothstep(0.0, 0.6, place.y)) : studio(r, 0.03);
        light += fresnel * seen * inside;
    }
    pixel = vec4(pow(filmic(light), vec3(1.0 / 2.2)), 1.0);
}
