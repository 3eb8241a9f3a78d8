//! test OpStore
//! vertices 1
//! expect xfb u32 0 0 0 1 0 4 2 0 8 3 0 12 4 0 16 5 0 20 6 1 4 7 1 8
//! expect xfb_buffers u32 24 0 16 0 0 0 0 0
//! expect out 0.0 f32 5
//! expect out 1.0 u32 7
//! expect out 2.0 u32 0
#version 450
// What is captured and never written is 0.
layout(xfb_buffer = 0, xfb_stride = 24) out;
layout(xfb_buffer = 1, xfb_stride = 16) out;
layout(xfb_buffer = 0) out gl_PerVertex { layout(xfb_offset = 0) vec4 gl_Position; };
layout(location = 0, xfb_buffer = 0, xfb_offset = 16) out vec2 a;
layout(location = 1, xfb_buffer = 1, xfb_offset = 4) flat out uint n[2];
void main() {
    gl_Position = vec4(1.0);
    a = vec2(5.0);
    n[0] = 7u;
}
