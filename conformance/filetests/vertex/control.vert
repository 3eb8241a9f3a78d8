//! test OpSelectionMerge
// Divergent control flow over vertices; a matrix output.
//! vertices 9
//! expect out 0.0 f32 0 1 3 6 10 15 21 28 36
//! expect out 0.1 f32 0 10 0 10 0 10 0 10 0
//! expect out 1.0 f32 -0.0 -1 -2 -3 -4 -5 -6 -7 -8
#version 450
layout(location = 0) out mat2 m;
void main() {
    float s = 0.0;
    for (int k = 0; k <= gl_VertexIndex; k++) s += float(k);
    m = mat2(0.0);
    m[0][0] = s;
    if (gl_VertexIndex % 2 == 1) m[0][1] = 10.0;
    m[1][0] = -float(gl_VertexIndex);
    gl_Position = vec4(0.0);
}
