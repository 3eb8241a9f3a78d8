#version 130
// GLSL 1.30: derivatives of a wave, with their signs.
uniform vec2 resolution;
out vec4 color;

void main() {
    vec2 at = gl_FragCoord.xy / resolution;
    float height = 4.0 * at.y * at.y + 2.0 * at.x;
    color = vec4(0.5 + 4.0 * dFdx(height), 0.5 + 4.0 * dFdy(height), fwidth(height), 1.0);
}
