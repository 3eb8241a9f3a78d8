//! test OpAccessChain, OpVariable
// A structure with a half float stays in memory since its array is indexed dynamically.
//! bind 0.0 u32 0 1 2 3 4 5 6 7
//! bind 0.1 f32 zeros 8
//! expect 0.1 f32 10 20.5 31 2.5 13 23.5 34 4.5
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
layout(local_size_x = 8) in;
layout(binding = 0) readonly buffer In { uint x[]; };
layout(binding = 1) buffer Out { float y[]; };
struct S { float16_t h; float a[4]; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    S s;
    s.h = float16_t(float(x[i]) * 0.5);
    for (int k = 0; k < 4; k++) s.a[k] = float(k) * 10.0;
    if (x[i] > 2) s.h += 1.0hf;
    s.a[x[i] & 3] = 5.0;
    y[i] = float(s.h) + s.a[(x[i] + 1) & 3];
}
