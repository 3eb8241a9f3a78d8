//! test OpImageSampleImplicitLod
//! image 0.1 R32_SFLOAT 2d 8x8 levels 4 f32 0*64 1*16 2*4 3
//! sampler 0.1 nearest clamp
//! pixels 8 8
//! target R32G32B32A32_SFLOAT
//! expect target f32 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3 0 2 1 3
#version 460
#extension GL_ARB_sparse_texture_clamp : require
// One texel per pixel: the level is the bias, or the least level.
layout(set = 0, binding = 1) uniform sampler2D a;
layout(location = 0) out vec4 o;
void main() {
    vec2 p = gl_FragCoord.xy / 8.0;
    o = vec4(texture(a, p).x, texture(a, p, 2.0).x, textureClampARB(a, p, 1.0).x, textureGradClampARB(a, p, vec2(0.0), vec2(0.0), 3.0).x);
}
