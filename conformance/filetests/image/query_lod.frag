//! test OpImageQueryLod
// One level: it is the one that is accessed. The gradient is four texels: lod 2.
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! target R32_SFLOAT
//! pixels 4 2
//! expect target f32 20*8 ~ 0.01
#version 450
layout(set = 0, binding = 1) uniform sampler2D t;
layout(location = 0) out vec4 o;
void main() {
    vec2 c = gl_FragCoord.xy / vec2(4.0, 2.0);
    vec2 l = textureQueryLod(t, c * 4.0);
    o = vec4(l.x + 10.0 * l.y);
}
