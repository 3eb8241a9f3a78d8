// The sky: lighter at the horizon.
#version 460
#extension GL_EXT_ray_tracing : require

layout(location = 0) rayPayloadInEXT vec3 color;

void main() {
    color = mix(vec3(0.85, 0.9, 1.0), vec3(0.25, 0.45, 0.8), clamp(abs(gl_WorldRayDirectionEXT.y) * 2.0, 0.0, 1.0));
}
