//! test OpControlBarrier, OpLoad, OpStore
//! modes output_vertices: Some(3)
//! patches 3 2
//! given primitive_id 5
//! input 0.0 f32 1 2 3 4 5 6
//! input 0.1 f32 10 20 30 40 50 60
//! input Position.0 f32 7 8 9 10 11 12
//! input 2.1 u32 100 200 300 400 500 600
//! expect out Position.0 f32 7 8 7 9 10 9 11 12 11
//! expect out Position.3 f32 1*9
//! expect out 0.0 f32 1 2 1 3 4 3 5 6 5
//! expect out 0.1 f32 10 20 10 30 40 30 50 60 50
//! expect out 1.0 u32 0 1 2 0 1 2 0 1 2
//! expect out 1.1 u32 5*3 6*3 7*3
//! expect out 1.2 u32 2*9
//! expect out 3.0 f32 2 1 2 4 3 4 6 5 6
//! expect out 4.0 u32 200 100 0 400 300 0 600 500 0
//! expect patch TessLevelOuter.0 f32 1 3 5
//! expect patch TessLevelOuter.1 f32 2 4 6
//! expect patch TessLevelOuter.2 f32 1 3 5
//! expect patch TessLevelOuter.3 f32 0*3
//! expect patch TessLevelInner.0 f32 3*3
//! expect patch 5.0 f32 4 10 16
#version 450
// Outputs that other invocations read behind a barrier; built-ins; vertices by constants, by the invocation and by
// numbers that are neither; a vertex that is not there; inputs that nobody writes.
layout(vertices = 3) out;
layout(location = 0) in vec2 p[];
layout(location = 2) in uvec3 n[];
layout(location = 0) out vec2 q[];
layout(location = 1) out uvec3 ids[];
layout(location = 3) out float neighbour[];
layout(location = 4) out uint other[];
layout(location = 5) patch out float sum;
void main() {
    int i = gl_InvocationID;
    gl_out[gl_InvocationID].gl_Position = vec4(gl_in[i % 2].gl_Position.xyz, 1.0);
    q[gl_InvocationID] = p[i % 2];
    ids[gl_InvocationID] = uvec3(i, gl_PrimitiveID, gl_PatchVerticesIn);
    // The third is past the end of the patch: 0.
    other[gl_InvocationID] = n[(i + 1) % 2 + (i == 2 ? 40 : 0)].y + n[0].x;
    barrier();
    neighbour[gl_InvocationID] = q[(i + 1) % 2].x;
    gl_TessLevelOuter[i] = q[i].x;
    barrier();
    if (i == 1) {
        sum = q[0].x + q[1].x + gl_TessLevelOuter[2];
        gl_TessLevelInner[0] = 3.0;
    }
}
