//! test OpLoad
//! pixels 8 4
//! given frag_width 4
//! given frag_height 2
//! given frag_invocations 3
//! expect out 0.0 u32 4*32
//! expect out 0.1 u32 2*32
//! expect out 0.2 u32 3*32
//! expect out 0.3 u32 8*32
#version 460
#extension GL_EXT_fragment_invocation_density : require
// The size of a fragment, and the number of its invocations. They are the same in all lanes, so that a branch is uniform.
layout(location = 0) out uvec4 a;
void main() {
    int area = gl_FragSizeEXT.x * gl_FragSizeEXT.y;
    if (area == 1) discard;
    a = uvec4(gl_FragSizeEXT, gl_FragInvocationCountEXT, area);
}
