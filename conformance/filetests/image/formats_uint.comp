//! test OpImageRead, OpImageWrite
//! feature image format: rgba32ui | rgba16ui | rgb10_a2ui | rgba8ui | rg32ui | rg16ui | rg8ui | r32ui
//! feature image format: r16ui | r8ui
//! image 0.1 R32G32B32A32_UINT 2 1 u32 5 200 100 255 0 0 0 0
//! image 0.2 R32G32_UINT 2 1 u32 5 200 0 0
//! image 0.3 R32_UINT 2 1 u32 5 0
//! image 0.4 R16G16B16A16_UINT 2 1 u16 5 200 100 255 0 0 0 0
//! image 0.5 R16G16_UINT 2 1 u16 5 200 0 0
//! image 0.6 R16_UINT 2 1 u16 5 0
//! image 0.7 R8G8B8A8_UINT 2 1 u8 5 200 100 255 0 0 0 0
//! image 0.8 R8G8_UINT 2 1 u8 5 200 0 0
//! image 0.9 R8_UINT 2 1 u8 5 0
//! image 0.10 A2B10G10R10_UINT_PACK32 2 1 u32 2684358632 0
//! bind 0.0 u32 zeros 40
//! expect 0.0 u32 5 200 100 255 5 200 0 1 5 0 0 1 5 200 100 255 5 200 0 1 5 0 0 1 5 200 100 255 5 200 0 1 5 0 0 1 1000 3 512 2
//! expect image 0.1 u32 5 200 100 255 255 1 77 128
//! expect image 0.2 u32 5 200 255 1
//! expect image 0.3 u32 5 255
//! expect image 0.4 u16 5 200 100 255 255 1 77 128
//! expect image 0.5 u16 5 200 255 1
//! expect image 0.6 u16 5 255
//! expect image 0.7 u8 5 200 100 255 255 1 77 128
//! expect image 0.8 u8 5 200 255 1
//! expect image 0.9 u8 5 255
//! expect image 0.10 u32 2684358632 3223321607
#version 460
// Storage images of every format: a texel read, another written.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uvec4 d[]; };
layout(set = 0, binding = 1, rgba32ui) uniform uimage2D i1;
layout(set = 0, binding = 2, rg32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage2D i3;
layout(set = 0, binding = 4, rgba16ui) uniform uimage2D i4;
layout(set = 0, binding = 5, rg16ui) uniform uimage2D i5;
layout(set = 0, binding = 6, r16ui) uniform uimage2D i6;
layout(set = 0, binding = 7, rgba8ui) uniform uimage2D i7;
layout(set = 0, binding = 8, rg8ui) uniform uimage2D i8;
layout(set = 0, binding = 9, r8ui) uniform uimage2D i9;
layout(set = 0, binding = 10, rgb10_a2ui) uniform uimage2D i10;
void main() {
    d[0] = imageLoad(i1, ivec2(0, 0));
    imageStore(i1, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[1] = imageLoad(i2, ivec2(0, 0));
    imageStore(i2, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[2] = imageLoad(i3, ivec2(0, 0));
    imageStore(i3, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[3] = imageLoad(i4, ivec2(0, 0));
    imageStore(i4, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[4] = imageLoad(i5, ivec2(0, 0));
    imageStore(i5, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[5] = imageLoad(i6, ivec2(0, 0));
    imageStore(i6, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[6] = imageLoad(i7, ivec2(0, 0));
    imageStore(i7, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[7] = imageLoad(i8, ivec2(0, 0));
    imageStore(i8, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[8] = imageLoad(i9, ivec2(0, 0));
    imageStore(i9, ivec2(1, 0), uvec4(255, 1, 77, 128));
    d[9] = imageLoad(i10, ivec2(0, 0));
    imageStore(i10, ivec2(1, 0), uvec4(7, 1023, 1, 3));
}
