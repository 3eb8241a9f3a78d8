//! test OpEmitVertex, OpEndPrimitive
//! modes input: Triangles, output: TriangleStrip, max_vertices: 5, invocations: 1
//! primitives 3
//! given primitive_id 4
//! input Position.0 f32 1 2 3 4 5 6 7 8 9
//! input 0.0 u32 10 11 12 13 14 15 16 17 18
//! expect count u32 4 4 3
//! expect strips u32 1 0 0 1 1 0 0 1 1 0 0
//! expect out Position.0 f32 1 2 3 6 4 5 6 15 7 8 9
//! expect out Position.3 f32 1*11
//! expect out 0.0 u32 10 11 12 0 13 14 15 0 16 17 18
//! expect out PrimitiveId.0 u32 4 4 4 104 5 5 5 105 6 6 6
//! expect out Layer.0 i32 0 0 0 1 1 1 1 2 2 2 2
#version 450
layout(triangles) in;
layout(triangle_strip, max_vertices = 5) out;
layout(location = 0) flat in uint n[];
layout(location = 0) flat out uint m;
void main() {
    for (int i = 0; i < gl_in.length(); i++) {
        gl_Position = vec4(gl_in[i].gl_Position.x, 0.0, 0.0, 1.0);
        m = n[i];
        gl_PrimitiveID = gl_PrimitiveIDIn;
        gl_Layer = gl_PrimitiveIDIn - 4;
        EmitVertex();
    }
    EndPrimitive();
    EndPrimitive();
    if (gl_PrimitiveIDIn == 6) return;
    float sum = gl_in[0].gl_Position.x + gl_in[1].gl_Position.x + gl_in[2].gl_Position.x;
    gl_Position = vec4(sum, 0.0, 0.0, 1.0);
    m = 0u;
    gl_PrimitiveID = gl_PrimitiveIDIn + 100;
    gl_Layer = gl_PrimitiveIDIn - 3;
    EmitVertex();
}
