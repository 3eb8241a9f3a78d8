#version 330 core
// Two triangles intersect, and a third one is partly in front of the near plane, which is at -1.
const vec3 corners[9] = vec3[](
    vec3(-0.93, -0.83, -0.7), vec3(0.87, -0.73, -0.7), vec3(0.07, 0.93, 0.9),
    vec3(-0.83, 0.57, -0.2), vec3(0.91, -0.13, -0.2), vec3(0.81, 0.77, -0.2),
    vec3(-0.97, 0.61, -1.6), vec3(-0.31, 0.67, 0.3), vec3(-0.57, 0.97, 0.3));
out vec3 tint;

void main() {
    gl_Position = vec4(corners[gl_VertexID], 1.0);
    tint = vec3(gl_VertexID < 3, gl_VertexID >= 3 && gl_VertexID < 6, gl_VertexID >= 6);
}
