//! test OpStore
//! vertices 1
//! expect xfb u32 0 0 0 1 0 8 2 0 12 3 0 16 4 0 20 5 0 24 6 0 28 7 0 32 8 0 36 9 0 40 10 0 48 11 0 52 12 0 56
//! expect xfb_buffers u32 64 0 0 0 0 0 0 0
// Spec: GLSL 4.60, "Transform Feedback Layout Qualifiers": what contains a double begins at a multiple of 8, and takes
// a multiple of 8, in a structure too.
#version 450
struct Inner { vec3 a; mat3x2 b; double c; };
struct Outer { float x; Inner y; };
layout(location = 0, xfb_buffer = 0, xfb_stride = 64, xfb_offset = 0) out Captured { Outer o; int e; };
void main() {
    o.x = 1.0;
    o.y.a = vec3(2.0);
    o.y.b = mat3x2(3.0);
    o.y.c = 4.0lf;
    e = 5;
}
