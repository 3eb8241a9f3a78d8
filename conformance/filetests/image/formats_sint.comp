//! test OpImageRead, OpImageWrite
//! feature image format: rgba32i | rgba16i | rgba8i | rg32i | rg16i | rg8i | r32i | r16i
//! feature image format: r8i
//! image 0.1 R32G32B32A32_SINT 2 1 u32 5 4294967289 100 4294967168 0 0 0 0
//! image 0.2 R32G32_SINT 2 1 u32 5 4294967289 0 0
//! image 0.3 R32_SINT 2 1 u32 5 0
//! image 0.4 R16G16B16A16_SINT 2 1 u16 5 65529 100 65408 0 0 0 0
//! image 0.5 R16G16_SINT 2 1 u16 5 65529 0 0
//! image 0.6 R16_SINT 2 1 u16 5 0
//! image 0.7 R8G8B8A8_SINT 2 1 u8 5 249 100 128 0 0 0 0
//! image 0.8 R8G8_SINT 2 1 u8 5 249 0 0
//! image 0.9 R8_SINT 2 1 u8 5 0
//! bind 0.0 i32 zeros 36
//! expect 0.0 i32 5 -7 100 -128 5 -7 0 1 5 0 0 1 5 -7 100 -128 5 -7 0 1 5 0 0 1 5 -7 100 -128 5 -7 0 1 5 0 0 1
//! expect image 0.1 u32 5 4294967289 100 4294967168 4294967295 64 4294967196 127
//! expect image 0.2 u32 5 4294967289 4294967295 64
//! expect image 0.3 u32 5 4294967295
//! expect image 0.4 u16 5 65529 100 65408 65535 64 65436 127
//! expect image 0.5 u16 5 65529 65535 64
//! expect image 0.6 u16 5 65535
//! expect image 0.7 u8 5 249 100 128 255 64 156 127
//! expect image 0.8 u8 5 249 255 64
//! expect image 0.9 u8 5 255
#version 460
// Storage images of every format: a texel read, another written.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { ivec4 d[]; };
layout(set = 0, binding = 1, rgba32i) uniform iimage2D i1;
layout(set = 0, binding = 2, rg32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage2D i3;
layout(set = 0, binding = 4, rgba16i) uniform iimage2D i4;
layout(set = 0, binding = 5, rg16i) uniform iimage2D i5;
layout(set = 0, binding = 6, r16i) uniform iimage2D i6;
layout(set = 0, binding = 7, rgba8i) uniform iimage2D i7;
layout(set = 0, binding = 8, rg8i) uniform iimage2D i8;
layout(set = 0, binding = 9, r8i) uniform iimage2D i9;
void main() {
    d[0] = imageLoad(i1, ivec2(0, 0));
    imageStore(i1, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[1] = imageLoad(i2, ivec2(0, 0));
    imageStore(i2, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[2] = imageLoad(i3, ivec2(0, 0));
    imageStore(i3, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[3] = imageLoad(i4, ivec2(0, 0));
    imageStore(i4, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[4] = imageLoad(i5, ivec2(0, 0));
    imageStore(i5, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[5] = imageLoad(i6, ivec2(0, 0));
    imageStore(i6, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[6] = imageLoad(i7, ivec2(0, 0));
    imageStore(i7, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[7] = imageLoad(i8, ivec2(0, 0));
    imageStore(i8, ivec2(1, 0), ivec4(-1, 64, -100, 127));
    d[8] = imageLoad(i9, ivec2(0, 0));
    imageStore(i9, ivec2(1, 0), ivec4(-1, 64, -100, 127));
}
