#version 330 core
// GLSL 3.30: courses of bricks, each shifted against the course below, and brighter.
uniform vec2 resolution;
uniform float time;
out vec4 color;

void main() {
    vec2 at = gl_FragCoord.xy / resolution.y * 5.0;
    float course = floor(at.y);
    at.x += 0.37 * course + 0.1 * time;
    vec2 inside = fract(at);
    bool mortar = inside.x < 0.08 || inside.y < 0.16;
    color = mortar ? vec4(0.75, 0.75, 0.7, 1.0) : vec4(vec3(0.5, 0.2, 0.15) * (0.6 + 0.2 * course), 1.0);
}
