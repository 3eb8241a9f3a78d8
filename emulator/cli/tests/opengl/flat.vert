#version 330 core
// Two triangles, each with the colour of one of its vertices.
const vec2 corners[6] = vec2[](
    vec2(-0.93, -0.83), vec2(0.87, -0.73), vec2(-0.83, 0.23),
    vec2(0.91, -0.57), vec2(0.71, 0.93), vec2(-0.71, 0.41));
flat out vec4 tint;
out vec2 smoothly;

void main() {
    gl_Position = vec4(corners[gl_VertexID], 0.0, 1.0);
    tint = vec4(float(gl_VertexID) / 5.0, 1.0 - float(gl_VertexID) / 5.0, 0.25 * float(gl_VertexID % 3), 1.0);
    smoothly = corners[gl_VertexID] * 0.5 + 0.5;
}
