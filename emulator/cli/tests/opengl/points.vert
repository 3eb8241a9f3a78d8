#version 330 core
// Three points of different sizes.
const vec3 points[3] = vec3[](vec3(-0.43, 0.37, 17.0), vec3(0.51, 0.61, 9.0), vec3(0.23, -0.47, 23.0));

void main() {
    gl_Position = vec4(points[gl_VertexID].xy, 0.0, 1.0);
    gl_PointSize = points[gl_VertexID].z;
}
