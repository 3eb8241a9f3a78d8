//! test OpImageRead, OpImageWrite
//! feature image format: rgba16_snorm | rgba8_snorm | rg16_snorm | rg8_snorm | r16_snorm | r8_snorm
//! image 0.1 R16G16B16A16_SNORM 2 1 u16 32767 32769 0 32767 0 0 0 0
//! image 0.2 R16G16_SNORM 2 1 u16 32767 32769 0 0
//! image 0.3 R16_SNORM 2 1 u16 32767 0
//! image 0.4 R8G8B8A8_SNORM 2 1 u8 127 129 0 127 0 0 0 0
//! image 0.5 R8G8_SNORM 2 1 u8 127 129 0 0
//! image 0.6 R8_SNORM 2 1 u8 127 0
//! bind 0.0 f32 zeros 24
//! expect 0.0 f32 1.0 -1.0 0.0 1.0 1.0 -1.0 0 1 1.0 0 0 1 1.0 -1.0 0.0 1.0 1.0 -1.0 0 1 1.0 0 0 1 ~ 0.0001
//! expect image 0.1 u16 32767 32769 0 32767 32769 32767 32767 0
//! expect image 0.2 u16 32767 32769 32769 32767
//! expect image 0.3 u16 32767 32769
//! expect image 0.4 u8 127 129 0 127 129 127 127 0
//! expect image 0.5 u8 127 129 129 127
//! expect image 0.6 u8 127 129
#version 460
// Storage images of every format: a texel read, another written.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 d[]; };
layout(set = 0, binding = 1, rgba16_snorm) uniform image2D i1;
layout(set = 0, binding = 2, rg16_snorm) uniform image2D i2;
layout(set = 0, binding = 3, r16_snorm) uniform image2D i3;
layout(set = 0, binding = 4, rgba8_snorm) uniform image2D i4;
layout(set = 0, binding = 5, rg8_snorm) uniform image2D i5;
layout(set = 0, binding = 6, r8_snorm) uniform image2D i6;
void main() {
    d[0] = imageLoad(i1, ivec2(0, 0));
    imageStore(i1, ivec2(1, 0), vec4(-1.0, 1.0, 1.0, 0.0));
    d[1] = imageLoad(i2, ivec2(0, 0));
    imageStore(i2, ivec2(1, 0), vec4(-1.0, 1.0, 1.0, 0.0));
    d[2] = imageLoad(i3, ivec2(0, 0));
    imageStore(i3, ivec2(1, 0), vec4(-1.0, 1.0, 1.0, 0.0));
    d[3] = imageLoad(i4, ivec2(0, 0));
    imageStore(i4, ivec2(1, 0), vec4(-1.0, 1.0, 1.0, 0.0));
    d[4] = imageLoad(i5, ivec2(0, 0));
    imageStore(i5, ivec2(1, 0), vec4(-1.0, 1.0, 1.0, 0.0));
    d[5] = imageLoad(i6, ivec2(0, 0));
    imageStore(i6, ivec2(1, 0), vec4(-1.0, 1.0, 1.0, 0.0));
}
