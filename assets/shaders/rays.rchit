// The colour of a point of a triangle: its barycentric coordinates.
#version 460
#extension GL_EXT_ray_tracing : require

layout(location = 0) rayPayloadInEXT vec3 color;
hitAttributeEXT vec2 barycentric;

void main() {
    color = vec3(1.0 - barycentric.x - barycentric.y, barycentric);
}
