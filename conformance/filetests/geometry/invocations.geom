//! test OpEmitVertex
//! modes input: Points, output: LineStrip, max_vertices: 3, invocations: 3
//! primitives 4
//! given primitive_id 0
//! input 0.0 f32 0 1 2 3
//! expect count u32 0 1 2 1 1 2 2 1 2 3 1 2
//! expect out 0.0 f32 10 20 21 100 110 120 121 200 201 210 220 221 300 301 302 310 320 321
//! expect strips u32 1 1 0 1 1 1 0 1 0 1 1 0 1 0 0 1 1 0
#version 450
// Each lane is an invocation of a primitive and emits as many vertices as it likes; what is past the last is dropped.
layout(points, invocations = 3) in;
layout(line_strip, max_vertices = 3) out;
layout(location = 0) in float a[];
layout(location = 0) out float b;
void main() {
    int n = gl_InvocationID == 0 ? int(a[0]) : gl_InvocationID;
    if (gl_InvocationID == 0 && gl_PrimitiveIDIn == 3) n = 50;
    for (int i = 0; i < n; i++) {
        b = float(gl_PrimitiveIDIn * 100 + gl_InvocationID * 10 + i);
        EmitVertex();
    }
}
