//! test OpImageSampleExplicitLod, OpImageFetch, OpImageGather, OpImageRead, OpImageWrite
//! image 0.1 R32G32_SINT 2 2 i32 1 -10 2 -20 3 -30 4 -40
//! image 0.2 R32_SINT 2 1 i32 -7 8
//! sampler 0.1 nearest clamp
//! bind 0.0 i32 zeros 16
//! expect 0.0 i32 2 -20 0 1 3 -30 0 1 -30 -40 -20 -10 -7 0 0 1
//! expect image 0.2 i32 -7 -9
#version 460
// Textures and storage images of integers.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { ivec4 d[]; };
layout(set = 0, binding = 1) uniform isampler2D a;
layout(set = 0, binding = 2, r32i) uniform iimage2D b;
void main() {
    d[0] = textureLod(a, vec2(0.75, 0.25), 0.0);
    d[1] = texelFetch(a, ivec2(0, 1), 0);
    d[2] = textureGather(a, vec2(0.5), 1);
    d[3] = imageLoad(b, ivec2(0, 0));
    imageStore(b, ivec2(1, 0), ivec4(-9));
}
