//! test OpLoad, OpStore
// 16-bit inputs and outputs pass between stages as 32-bit words: floats as floats, integers with their sign.
//! vertices 4
//! input 0.0 f32 1 2.5 -3 1000
//! input 1.0 u32 1 0xffffffff 32768 7
//! expect out Position.0 f32 2 5 -6 2000
//! expect out 0.0 f32 1.5 3 -2.5 1000.5
//! expect out 1.0 u32 2 0 0xffff8001 8
//! expect out 2.0 u32 1 65535 32768 7
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) in float16_t p;
layout(location = 1) in int16_t n;
layout(location = 0) out float16_t h;
layout(location = 1) flat out int16_t i;
layout(location = 2) flat out uint16_t u;
void main() {
    gl_Position = vec4(float(p) * 2.0, 0.0, 0.0, 1.0);
    h = p + 0.5hf;
    i = n + 1s;
    u = uint16_t(n);
}
