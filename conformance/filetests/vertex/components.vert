//! test OpLoad
//! vertices 2
//! input 0.0 f32 1 2
//! input 0.1 f32 3 4
//! input 0.2 f32 5 6
//! input 1.3 u32 7 8
//! expect out 3.1 f32 1 2
//! expect out 3.2 f32 3 4
//! expect out 3.0 f32 5 6
//! expect out 4.3 u32 7 8
#version 460
// Several variables in one location.
layout(location = 0) in vec2 a;
layout(location = 0, component = 2) in float b;
layout(location = 1, component = 3) in uint c;
layout(location = 3, component = 1) out vec2 x;
layout(location = 3) out float y;
layout(location = 4, component = 3) flat out uint z;
void main() { x = a; y = b; z = c; }
