#version 150
// GLSL 1.50: the number of each row and column.
out vec4 color;

void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    color = vec4(vec2(at % 16) / 15.0, fract(gl_FragCoord.x) + fract(gl_FragCoord.y) - 0.5, 1.0);
}
