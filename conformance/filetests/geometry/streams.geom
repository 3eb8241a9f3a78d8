//! test OpEmitStreamVertex, OpEndStreamPrimitive
//! modes input: Points, output: Points
//! primitives 3
//! input 0.0 f32 1 2 3
//! expect count u32 1 1 1
//! expect count@1 u32 2 0 2
//! expect count@3 u32 1 2 3
//! expect out 0.0 f32 1 2 3
//! expect out 1.0@1 f32 10 11 30 31
//! expect out 1.1@1 f32 0.5 0.5 0.5 0.5
//! expect out 2.0@3 u32 7 7 8 7 8 9
//! expect strips@3 u32 1 1 1 1 1 1
#version 450
layout(points) in;
layout(points, max_vertices = 8) out;
layout(location = 0) in float a[];
layout(stream = 0, location = 0) out float s0;
layout(stream = 1, location = 1) out vec2 s1;
layout(stream = 3, location = 2) flat out uint s3;
void main() {
    s0 = a[0];
    EmitStreamVertex(0);
    if (a[0] != 2.0) {
        for (int i = 0; i < 2; i++) {
            s1 = vec2(a[0] * 10.0 + float(i), 0.5);
            EmitStreamVertex(1);
        }
    }
    for (uint i = 0; i < uint(a[0]); i++) {
        s3 = 7 + i;
        EmitStreamVertex(3);
        EndStreamPrimitive(3);
    }
}
