//! test OpKill
// Neither discarded nor helper invocations write memory.
//! bind 0.0 u32 0 0
//! pixels 8 4
//! covered 11111111 11111111 11111111 11110000
//! expect 0.0 u32 16 28
//! expect out 0.0 f32 0*3 1*5 0*3 1*5 0*3 1*5 0*3 1 0*4
#version 450
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) buffer B { uint n; uint before; };
void main() {
    atomicAdd(before, 1);
    if (gl_FragCoord.x < 3.0) discard;
    atomicAdd(n, 1);
    o = vec4(1.0);
}
