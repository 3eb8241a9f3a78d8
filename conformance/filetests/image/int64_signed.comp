//! test OpAtomicIAdd, OpAtomicSMin, OpAtomicSMax, OpImageRead, OpImageWrite
// Signed 64-bit texels: added to in ascending order, compared with their sign, written and read.
//! image 0.1 R64_SINT 4 1 u32 1 1 2 0 3 0 4 0
//! bind 0.0 u32 zeros 10
//! dispatch 1 1 1
//! expect 0.0 u32 1 1 2 0 3 0 4 0 4294967293 4294967295
//! expect image 0.1 u32 4294967295 0 4294967294 4294967295 3 0 4294967293 4294967295
#version 450
#extension GL_EXT_shader_image_int64 : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { int64_t d[]; };
layout(set = 0, binding = 1, r64i) uniform i64image2D t;

void main() {
    d[0] = imageAtomicAdd(t, ivec2(0, 0), -2l);
    d[1] = imageAtomicMin(t, ivec2(1, 0), -2l);
    d[2] = imageAtomicMax(t, ivec2(2, 0), -2l);
    d[3] = imageLoad(t, ivec2(3, 0)).x;
    imageStore(t, ivec2(3, 0), i64vec4(-3l));
    d[4] = imageLoad(t, ivec2(3, 0)).x;
}
