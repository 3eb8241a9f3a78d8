//! test OpAccessChain, OpStore
//! vertices 4
//! input 0.0 u32 0 1 0 1
//! expect out 1.0 f32 0 1 0 1
//! expect out 1.1 f32 0*4
//! expect out 3.0 f32 7*4
//! expect out 4.0 f32 1 2 1 2
//! expect out 4.1 f32 3*4
//! expect out 6.0 f32 8*4
#version 450
layout(location = 0) in uint k;
layout(location = 1) out Block { vec2 a; float b[2]; } block[2];
void main() {
    for (uint i = 0; i < 2; i++) {
        block[i].a = vec2(i + k, 3 * i);
        block[i].b[1] = 7 + i;
    }
}
