//! test OpImageSampleImplicitLod
//! image 0.1 R32_SINT 2 1 i32 -5 6
//! sampler 0.1 nearest clamp
//! pixels 8 4
//! target R32_SINT
//! expect target i32 -5 -5 -5 -5 6 6 6 6 -5 -5 -5 -5 6 6 6 6 -5 -5 -5 -5 6 6 6 6 -5 -5 -5 -5 6 6 6 6
#version 460
layout(set = 0, binding = 1) uniform isampler2D a;
layout(location = 0) out ivec4 o;
void main() { o = texture(a, vec2(gl_FragCoord.x / 8.0, 0.5)); }
