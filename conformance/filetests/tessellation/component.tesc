//! test OpAccessChain
//! patches 1 4
//! input Position.0 f32 1 2 3 4
//! input Position.1 f32 10 20 30 40
//! input Position.2 f32 100 200 300 400
//! input Position.3 f32 0.5 0.5 0.5 0.5
//! expect out Position.0 f32 1 0 0 0
//! expect out Position.1 f32 0 20 0 0
//! expect out Position.2 f32 0 0 300 0
//! expect out Position.3 f32 0 0 0 0.5
//! expect out 0.0 f32 2 3 4 1
//! expect out 1.0 f32 11 13 17 19
//! expect out 1.1 f32 11 13 17 19
#version 450
// A component of a vector by the invocation; 16 rows of a matrix.
layout(vertices = 4) out;
layout(location = 0) out float next[];
layout(location = 1) out mat2 m[];
void main() {
    int k = gl_InvocationID;
    gl_out[gl_InvocationID].gl_Position[k] = gl_in[k].gl_Position[k];
    next[gl_InvocationID] = gl_in[(k + 1) & 3].gl_Position.x;
    float v = k == 0 ? 11.0 : k == 1 ? 13.0 : k == 2 ? 17.0 : 19.0;
    m[gl_InvocationID][k & 1][0] = 0.0;
    m[gl_InvocationID] = mat2(v);
    m[gl_InvocationID][0][k & 1] = v;
    m[gl_InvocationID][0][1] = v;
    m[gl_InvocationID][0][0] = v;
}
