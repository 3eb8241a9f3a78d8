#version 450
// Compile-time bench, small: a tinted gradient with a vignette.
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 color;
layout(push_constant) uniform Push { float time; };

void main() {
    vec2 p = uv * 2.0 - 1.0;
    vec3 tint = 0.5 + 0.5 * cos(time + uv.xyx + vec3(0.0, 2.0, 4.0));
    float vignette = 1.0 - 0.3 * dot(p, p);
    color = vec4(tint * vignette, 1.0);
}
