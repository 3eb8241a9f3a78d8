//! test OpEmitStreamVertex
//! primitives 1
//! input 0.0 f32 1
//! expect xfb u32 4 0 0 5 0 4 6 0 8 0 0 16 1 0 20 2 0 24 3 0 28 0 2 8 1 2 12
//! expect xfb_buffers u32 32 0 0 0 24 1 0 0
//! expect out 0.0 f32 1
//! expect out 1.0@1 f64 2
#version 450
layout(points) in;
layout(points, max_vertices = 2) out;
layout(location = 0) in float a[];
layout(xfb_buffer = 0, xfb_stride = 32) out;
layout(xfb_buffer = 2, xfb_stride = 24, stream = 1) out;
layout(stream = 0, xfb_buffer = 0, xfb_offset = 0, location = 0) out vec3 v;
layout(stream = 1, xfb_buffer = 2, xfb_offset = 8, location = 1) flat out double d;
layout(stream = 0, xfb_buffer = 0) out gl_PerVertex { layout(xfb_offset = 16) vec4 gl_Position; };
void main() {
    v = vec3(a[0]);
    gl_Position = vec4(2.0);
    EmitStreamVertex(0);
    d = 2.0lf;
    EmitStreamVertex(1);
}
