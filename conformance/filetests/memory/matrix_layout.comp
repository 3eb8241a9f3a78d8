//! test OpLoad, OpStore
//! bind 0.0 f32 1 2 3 9 4 5 6 9 10 11 12 9 13 14 15 9 16 17 18 9
//! bind 0.1 f32 zeros 24
//! expect 0.1 f32 1 4 0 0 2 5 0 0 3 6 0 0 10 13 16 _ 11 14 17 _ 12 15 18 _
#version 460
// Matrices in rows and in columns.
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer A { layout(row_major) mat3x2 a; layout(column_major) mat3 b; };
layout(std430, set = 0, binding = 1) buffer B { layout(column_major) mat3x4 c; layout(row_major) mat3 d; };
void main() {
    c = mat3x4(vec4(a[0], 0, 0), vec4(a[1], 0, 0), vec4(a[2], 0, 0));
    d = b;
}
