#version 450
// A picture in a kaleidoscope: give one with --texture.

layout(set = 0, binding = 0) uniform Inputs {
    vec2 resolution;
    float time;
};
layout(set = 0, binding = 1) uniform sampler2D picture;
layout(location = 0) out vec4 color;

void main() {
    vec2 p = (2.0 * gl_FragCoord.xy - resolution) / resolution.y;
    float sector = 3.14159265 / 4.0;
    float a = mod(atan(p.y, p.x) + 0.2 * time, 2.0 * sector);
    a = abs(a - sector);
    vec2 q = length(p) * vec2(cos(a), sin(a));
    color = vec4(texture(picture, 0.5 + 0.45 * q).rgb * smoothstep(1.9, 0.6, length(p)), 1.0);
}
