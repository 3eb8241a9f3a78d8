//! test OpAtomicLoad, OpDPdx
// Pixels that are not covered load by atomics, as they do by loads.
//! bind 0.0 u32 3
//! pixels 8 4
//! covered 11111100 11111000 11110000 11100000
//! expect out 0.0 f32 3 3 3 3 3 3 0 0 3 3 3 3 3 0*3 3 3 3 3 0*4 3 3 3 0*5
#version 450
#extension GL_KHR_memory_scope_semantics : require
layout(std430, binding = 0) buffer B { uint factor; };
layout(location = 0) out float o;
void main() {
    float f = gl_FragCoord.x * float(atomicLoad(factor, gl_ScopeQueueFamily, 0, 0));
    o = dFdx(f);
}
