//! test OpStore
// An unsigned output of 16 bits is widened without its sign, also if the input at its location is signed.
//! pixels 2 2
//! plane 0.0 u32 5
//! expect out 0.0 u32 32768 32768 32768 32768
#version 450
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
layout(location = 0) flat in int n;
layout(location = 0) out uint16_t o;
void main() { o = uint16_t(n >= 0 ? 0x8000 : 1); }
