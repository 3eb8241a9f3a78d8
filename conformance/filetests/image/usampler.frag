//! test OpImageSampleImplicitLod
//! image 0.1 R32_UINT 2 1 u32 5 6
//! sampler 0.1 nearest clamp
//! pixels 8 4
//! target R32_UINT
//! expect target u32 5 5 5 5 6 6 6 6 5 5 5 5 6 6 6 6 5 5 5 5 6 6 6 6 5 5 5 5 6 6 6 6
#version 460
layout(set = 0, binding = 1) uniform usampler2D a;
layout(location = 0) out uvec4 o;
void main() { o = texture(a, vec2(gl_FragCoord.x / 8.0, 0.5)); }
