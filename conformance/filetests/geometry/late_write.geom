//! test OpEmitVertex
//! primitives 2
//! input 0.0 f32 1 2
//! expect count u32 2 2
//! expect out 0.0 f32 1 1 2 2
//! expect out 1.0 f32 0 5 0 10
//! expect out PrimitiveId.0 u32 0 3 0 3
#version 450
// What is written after the first vertex only is an output all the same, 0 in the first.
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) in float a[];
layout(location = 0) out float b;
layout(location = 1) out float c;
void more() {
    c = a[0] * 5.0;
    gl_PrimitiveID = 3;
}
void main() {
    b = a[0];
    EmitVertex();
    more();
    b = a[0];
    EmitVertex();
}
