//! test OpLoad
//! pixels 8 4
//! given front_facing 0
//! given primitive_id 11
//! given layer 3
//! given viewport_index 2
//! given samples 4
//! given sample_id 2
//! given sample_mask 13
//! expect out 0.0 u32 0*32
//! expect out 0.1 u32 11*32
//! expect out 0.2 u32 3*32
//! expect out 0.3 u32 2*32
//! expect out 1.0 f32 0.125*32
//! expect out 1.1 f32 0.625*32
//! expect out 1.2 f32 2*32
//! expect out 1.3 f32 13*32
//! expect out SampleMask.0 u32 6*32
//! expect out FragDepth.0 f32 0.25*32
#version 460
// What a fragment is told of its primitive and its sample, and what it says.
layout(location = 0) out uvec4 a;
layout(location = 1) out vec4 b;
void main() {
    a = uvec4(gl_FrontFacing ? 1 : 0, uint(gl_PrimitiveID), uint(gl_Layer), uint(gl_ViewportIndex));
    b = vec4(gl_SamplePosition, float(gl_SampleID), float(gl_SampleMaskIn[0]));
    gl_SampleMask[0] = 6;
    gl_FragDepth = 0.25;
}
