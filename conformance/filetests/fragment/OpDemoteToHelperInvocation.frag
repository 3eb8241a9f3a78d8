//! test OpDemoteToHelperInvocation, OpIsHelperInvocationEXT
//! bind 0.0 u32 0 0
//! pixels 8 4
//! expect 0.0 u32 16 0
//! expect out 0.0 f32 2 0 6 0 10 0 14 0 2 0 6 0 10 0 14 0 2 0 6 0 10 0 14 0 2 0 6 0 10 0 14 0
//! expect out 0.1 f32 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0
//! expect alive 10101010 10101010 10101010 10101010
#version 450
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) out vec4 o;
layout(set = 0, binding = 0) buffer B { uint n; uint helpers; };
void main() {
    float f = gl_FragCoord.x * gl_FragCoord.x;
    if (int(gl_FragCoord.x) % 2 == 1) demote;
    atomicAdd(n, 1);                       // not by helpers
    float dx = dFdx(f);                    // helpers still take part
    float h = helperInvocationEXT() ? 1.0 : 0.0;
    o = vec4(dx, dFdx(h), 0.0, 0.0);
}
