//! test OpEmitVertex, OpEndPrimitive
//! primitives 2
//! input 0.0 u32 3 40
//! expect count u32 100 70
//! expect strips u32 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 0 0 1 1 0*39 1 0*29
//! expect out 0.0 u32 iota 100 iota 70
//! expect out 1.0 f64 0.5*170
#version 450
// More vertices than a word has bits, in strips of a length that differs by primitive; 64 bits.
layout(points) in;
layout(triangle_strip, max_vertices = 100) out;
layout(location = 0) flat in uint n[];
layout(location = 0) flat out uint m;
layout(location = 1) flat out double d;
void main() {
    uint most = n[0] == 3u ? 1000u : 70u;
    for (uint i = 0; i < most; i++) {
        m = i;
        d = 0.5lf;
        EmitVertex();
        if (i % n[0] == n[0] - 1u) EndPrimitive();
    }
}
