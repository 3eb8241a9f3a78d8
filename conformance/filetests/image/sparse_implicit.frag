//! test OpImageSparseSampleImplicitLod, OpImageSparseSampleDrefImplicitLod
//! image 0.1 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! image 0.2 R32_SFLOAT 4 2 f32 0 1 2 3 4 5 6 7
//! sampler 0.2 nearest clamp less
//! target R32_SFLOAT
//! pixels 4 2
//! expect target f32 300 301 302 303 304 315 316 317
#version 450
#extension GL_ARB_sparse_texture2 : require
layout(set = 0, binding = 1) uniform sampler2D t;
layout(set = 0, binding = 2) uniform sampler2DShadow s;
layout(location = 0) out vec4 o;
void main() {
    vec2 c = gl_FragCoord.xy / vec2(4.0, 2.0);
    vec4 v;
    float a;
    int first = sparseTextureARB(t, c, v);
    int second = sparseTextureARB(s, vec3(c, 4.5), a);
    o = vec4(v.x + 10.0 * a + (sparseTexelsResidentARB(first) ? 100.0 : 0.0)
         + (sparseTexelsResidentARB(second) ? 200.0 : 0.0));
}
