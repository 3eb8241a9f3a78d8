//! test OpImageSampleImplicitLod
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! target R32_SFLOAT
//! pixels 4 2
//! expect target f32 0 1 2 3 4 5 6 7
#version 450
layout(set = 0, binding = 1) uniform sampler2D t;
layout(location = 0) out vec4 o;
void main() {
    vec2 c = gl_FragCoord.xy / vec2(4.0, 2.0);
    o = texture(t, c);
}
