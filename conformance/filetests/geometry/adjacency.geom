//! test OpEmitVertex
//! modes input: TrianglesAdjacency, output: Points
//! primitives 2
//! input Position.1 f32 1 2 3 4 5 6 10 20 30 40 50 60
//! input 3.2 f32 0.5 0 0.25 0 0 0.125 5 0 0 0 0 1
//! expect count u32 2 2
//! expect out Position.0 f32 21 12 210 120
//! expect out PointSize.0 f32 0.875 0.875 6 6
//! expect out ViewportIndex.0 i32 0 1 0 1
#version 450
layout(triangles_adjacency) in;
layout(points, max_vertices = 2) out;
in gl_PerVertex { vec4 gl_Position; } gl_in[];
layout(location = 3) in vec4 a[6];
void main() {
    float all = 0.0, odd = 0.0, size = 0.0;
    for (int i = 0; i < 6; i++) {
        all += gl_in[i].gl_Position.y;
        if (i % 2 == 1) odd += gl_in[i].gl_Position.y;
        size += a[i].z;
    }
    for (int k = 0; k < 2; k++) {
        gl_Position = vec4(k == 0 ? all : odd, 0.0, 0.0, 1.0);
        gl_PointSize = size;
        gl_ViewportIndex = k;
        EmitVertex();
    }
}
