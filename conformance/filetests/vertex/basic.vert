//! test OpLoad, OpStore
//! vertices 5
//! input 0.0 f32 1 2 3 4 5
//! input 0.1 f32 10 20 30 40 50
//! input 1.0 u32 7 8 9 10 11
//! expect out Position.0 f32 1 2 3 4 5
//! expect out Position.1 f32 11 22 33 44 55
//! expect out Position.3 f32 1*5
//! expect out 0.0 u32 7 9 11 13 15
//! expect out 1.2 f32 2 4 6 8 10
#version 450
layout(location = 0) in vec2 p;
layout(location = 1) in uint n;
layout(location = 0) flat out uint id;
layout(location = 1) out vec3 c;
void main() {
    gl_Position = vec4(p.x, p.x + p.y, 0.0, 1.0);
    id = n + gl_VertexIndex + gl_InstanceIndex;
    c = vec3(p, p.x * 2.0);
}
