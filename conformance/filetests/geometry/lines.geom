//! test OpEmitVertex
//! modes input: Lines, output: LineStrip, max_vertices: 2, invocations: 1
//! primitives 2
//! input 0.0 f32 1 2 3 4
//! expect count u32 2 2
//! expect out 0.0 f32 2 1 4 3
#version 450
layout(lines) in;
layout(line_strip, max_vertices = 2) out;
layout(location = 0) in float a[];
layout(location = 0) out float b;
void main() {
    b = a[1];
    EmitVertex();
    b = a[0];
    EmitVertex();
}
