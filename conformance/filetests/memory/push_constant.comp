//! test OpLoad
//! bind 0.0 u32 zeros 8
//! push u32 100 1 2 3
//! push f32 3.5
//! dispatch 1 1 1
//! expect 0.0 u32 108 109 110 108 109 110 108 109
#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };


layout(push_constant) uniform Push { uint a; uint b[3]; float f; };
void main() {
    uint i = gl_GlobalInvocationID.x;
    d[i] = a + b[i % 3] + uint(f * 2.0);
}
