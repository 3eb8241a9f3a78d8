//! test OpImageRead, OpImageWrite
//! feature image format: rgba32f | rgba16f | rg32f | rg16f | r11f_g11f_b10f | r32f | r16f
//! image 0.1 R32G32B32A32_SFLOAT 2 1 u32 1069547520 3221225472 1048576000 1077936128 0 0 0 0
//! image 0.2 R32G32_SFLOAT 2 1 u32 1069547520 3221225472 0 0
//! image 0.3 R32_SFLOAT 2 1 u32 1069547520 0
//! image 0.4 R16G16B16A16_SFLOAT 2 1 u16 15872 49152 13312 16896 0 0 0 0
//! image 0.5 R16G16_SFLOAT 2 1 u16 15872 49152 0 0
//! image 0.6 R16_SFLOAT 2 1 u16 15872 0
//! image 0.7 B10G11R11_UFLOAT_PACK32 2 1 u32 1746928608 0
//! bind 0.0 f32 zeros 28
//! expect 0.0 f32 1.5 -2.0 0.25 3.0 1.5 -2.0 0 1 1.5 0 0 1 1.5 -2.0 0.25 3.0 1.5 -2.0 0 1 1.5 0 0 1 1.5 2.0 0.25 1.0
//! expect image 0.1 u32 1069547520 3221225472 1048576000 1077936128 1056964608 1082130432 3214934016 1090519040
//! expect image 0.2 u32 1069547520 3221225472 1056964608 1082130432
//! expect image 0.3 u32 1069547520 1056964608
//! expect image 0.4 u16 15872 49152 13312 16896 14336 17408 48384 18432
//! expect image 0.5 u16 15872 49152 14336 17408
//! expect image 0.6 u16 15872 14336
//! expect image 0.7 u32 1746928608 2418148224
#version 460
// Storage images of every format: a texel read, another written.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { vec4 d[]; };
layout(set = 0, binding = 1, rgba32f) uniform image2D i1;
layout(set = 0, binding = 2, rg32f) uniform image2D i2;
layout(set = 0, binding = 3, r32f) uniform image2D i3;
layout(set = 0, binding = 4, rgba16f) uniform image2D i4;
layout(set = 0, binding = 5, rg16f) uniform image2D i5;
layout(set = 0, binding = 6, r16f) uniform image2D i6;
layout(set = 0, binding = 7, r11f_g11f_b10f) uniform image2D i7;
void main() {
    d[0] = imageLoad(i1, ivec2(0, 0));
    imageStore(i1, ivec2(1, 0), vec4(0.5, 4.0, -1.25, 8.0));
    d[1] = imageLoad(i2, ivec2(0, 0));
    imageStore(i2, ivec2(1, 0), vec4(0.5, 4.0, -1.25, 8.0));
    d[2] = imageLoad(i3, ivec2(0, 0));
    imageStore(i3, ivec2(1, 0), vec4(0.5, 4.0, -1.25, 8.0));
    d[3] = imageLoad(i4, ivec2(0, 0));
    imageStore(i4, ivec2(1, 0), vec4(0.5, 4.0, -1.25, 8.0));
    d[4] = imageLoad(i5, ivec2(0, 0));
    imageStore(i5, ivec2(1, 0), vec4(0.5, 4.0, -1.25, 8.0));
    d[5] = imageLoad(i6, ivec2(0, 0));
    imageStore(i6, ivec2(1, 0), vec4(0.5, 4.0, -1.25, 8.0));
    d[6] = imageLoad(i7, ivec2(0, 0));
    imageStore(i7, ivec2(1, 0), vec4(0.5, 4.0, 8.0, 9.0));
}
