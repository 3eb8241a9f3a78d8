//! test OpEmitVertex
//! modes input: LinesAdjacency, output: TriangleStrip, max_vertices: 1, invocations: 1
//! primitives 2
//! input 0.0 f32 1 2 3 4 10 20 30 40
//! expect out 0.0 f32 4321 43210
#version 450
layout(lines_adjacency) in;
layout(triangle_strip, max_vertices = 1) out;
layout(location = 0) in float a[];
layout(location = 0) out float b;
void main() {
    b = a[0] + 10.0 * a[1] + 100.0 * a[2] + 1000.0 * a[3];
    EmitVertex();
}
