//! test OpEmitStreamVertex
//! modes input: Points, output: Points
//! primitives 2
//! input 0.0 f32 1 2
//! expect count u32 2 3
//! expect count@1 u32 1 0
//! expect out 0.0 f32 10 20 11 21 31
//! expect out 1.0@1 f32 100
// Spec: SPIR-V, execution mode OutputVertices: "the maximum number of vertices the shader will ever emit in a single
// invocation", whichever the streams.
#version 450
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in float value[];
layout(stream = 0, location = 0) out float first;
layout(stream = 1, location = 1) out float second;
void main() {
    for (int i = 1; i < 4; i++) {
        if (i < 3 || value[0] > 1.0) {
            first = float(10 * i) + value[0] - 1.0;
            EmitStreamVertex(0);
        }
        if (value[0] == 1.0) {
            second = 100.0;
            if (i > 1) EmitStreamVertex(1);
        }
    }
}
