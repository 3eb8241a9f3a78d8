//! test OpImageRead, OpImageWrite
//! feature image format: rgba16 | rgb10_a2 | rgba8 | rg16 | rg8 | r16 | r8
//! image 0.1 R16G16B16A16_UNORM 2 1 u16 65535 0 65535 65535 0 0 0 0
//! image 0.2 R16G16_UNORM 2 1 u16 65535 0 0 0
//! image 0.3 R16_UNORM 2 1 u16 65535 777
//! image 0.4 R8G8B8A8_UNORM 2 1 u8 255 0 255 255 0 0 0 0
//! image 0.5 R8G8_UNORM 2 1 u8 255 0 0 0
//! image 0.6 R8_UNORM 2 1 u8 255 77
//! image 0.7 A2B10G10R10_UNORM_PACK32 2 1 u32 4293919743 0
//! bind 0.0 f32 zeros 28
//! expect 0.0 f32 1.0 0.0 1.0 1.0 1.0 0.0 0 1 1.0 0 0 1 1.0 0.0 1.0 1.0 1.0 0.0 0 1 1.0 0 0 1 1.0 0.0 1.0 1.0 ~ 0.0001
//! expect image 0.1 u16 65535 0 65535 65535 0 65535 0 65535
//! expect image 0.2 u16 65535 0 0 65535
//! expect image 0.3 u16 65535 0
//! expect image 0.4 u8 255 0 255 255 0 255 0 255
//! expect image 0.5 u8 255 0 0 255
//! expect image 0.6 u8 255 0
//! expect image 0.7 u32 4293919743 1047552
#version 460
// Storage images of every format: a texel read, another written.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 d[]; };
layout(set = 0, binding = 1, rgba16) uniform image2D i1;
layout(set = 0, binding = 2, rg16) uniform image2D i2;
layout(set = 0, binding = 3, r16) uniform image2D i3;
layout(set = 0, binding = 4, rgba8) uniform image2D i4;
layout(set = 0, binding = 5, rg8) uniform image2D i5;
layout(set = 0, binding = 6, r8) uniform image2D i6;
layout(set = 0, binding = 7, rgb10_a2) uniform image2D i7;
void main() {
    d[0] = imageLoad(i1, ivec2(0, 0));
    imageStore(i1, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 1.0));
    d[1] = imageLoad(i2, ivec2(0, 0));
    imageStore(i2, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 1.0));
    d[2] = imageLoad(i3, ivec2(0, 0));
    imageStore(i3, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 1.0));
    d[3] = imageLoad(i4, ivec2(0, 0));
    imageStore(i4, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 1.0));
    d[4] = imageLoad(i5, ivec2(0, 0));
    imageStore(i5, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 1.0));
    d[5] = imageLoad(i6, ivec2(0, 0));
    imageStore(i6, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 1.0));
    d[6] = imageLoad(i7, ivec2(0, 0));
    imageStore(i7, ivec2(1, 0), vec4(0.0, 1.0, 0.0, 0.0));
}
