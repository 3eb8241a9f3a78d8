#version 120
// GLSL 1.20: the letter F.
uniform vec2 u_resolution;

float bar(vec2 at, vec2 low, vec2 high) {
    vec2 inside = step(low, at) * step(at, high);
    return inside.x * inside.y;
}

void main() {
    vec2 at = gl_FragCoord.xy / u_resolution;
    float ink = bar(at, vec2(0.23, 0.12), vec2(0.36, 0.88));
    ink = max(ink, bar(at, vec2(0.23, 0.74), vec2(0.77, 0.88)));
    ink = max(ink, bar(at, vec2(0.23, 0.46), vec2(0.61, 0.58)));
    gl_FragColor = mix(vec4(0.9, 0.85, 0.7, 1.0), vec4(0.2, 0.1, 0.4, 1.0), ink);
}
