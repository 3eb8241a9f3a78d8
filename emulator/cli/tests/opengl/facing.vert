#version 330 core
// A counter-clockwise triangle at the left, and a clockwise one at the right, which is higher.
const vec2 corners[6] = vec2[](
    vec2(-0.93, -0.83), vec2(-0.13, -0.73), vec2(-0.53, 0.43),
    vec2(0.11, -0.31), vec2(0.51, 0.87), vec2(0.91, -0.47));

void main() {
    gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0);
}
