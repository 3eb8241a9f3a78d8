//! test OpLoad
//! pixels 8 4
//! plane 0.0 f32 2 100 100
//! plane 1.0 u32 7
//! plane 2.0 f32 0 1 0
//! expect out 0.0 f32 2*32
//! expect out 0.1 f32 7*32
//! expect out 0.2 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
#version 450
#extension GL_EXT_mesh_shader : require
// What a primitive has once does not vary over it.
layout(location = 0) perprimitiveEXT in float once;
layout(location = 1) perprimitiveEXT flat in uint number;
layout(location = 2) in float varies;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(once, float(number), varies, 1.0);
}
