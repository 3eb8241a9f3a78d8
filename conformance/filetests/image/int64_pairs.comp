//! test OpImageRead, OpImageWrite
// Texels of two 64-bit integers, read and written without a format.
//! image 0.1 R64G64_UINT 2 1 u32 1 2 3 4 5 6 7 8
//! image 0.2 R64G64_SINT buffer 2 u32 4294967295 4294967295 9 0 0 0 0 0
//! bind 0.0 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.0 u32 1 2 3 4 0 0 1 0 4294967295 4294967295 9 0 0 0 1 0
//! expect image 0.1 u32 1 2 3 4 11 22 33 44
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_image_load_formatted : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { u64vec4 d[]; };
layout(set = 0, binding = 1) uniform u64image2D t;
layout(set = 0, binding = 2) uniform i64imageBuffer b;

void main() {
    d[0] = imageLoad(t, ivec2(0, 0));
    imageStore(t, ivec2(1, 0), u64vec4(11ul + (22ul << 32), 33ul + (44ul << 32), 5ul, 6ul));
    d[1] = u64vec4(imageLoad(b, 0));
}
