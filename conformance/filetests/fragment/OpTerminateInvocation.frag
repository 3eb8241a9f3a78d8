//! test OpTerminateInvocation
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! plane 0.1 f32 0 1 0
//! expect out 0.0 f32 0*3 3.5 4.5 5.5 6.5 7.5 0*3 3.5 4.5 5.5 6.5 7.5 0*3 3.5 4.5 5.5 6.5 7.5 0*3 3.5 4.5 5.5 6.5 7.5
//! expect alive 00011111 00011111 00011111 00011111
#version 450
#extension GL_EXT_terminate_invocation : require
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 o;
void main() {
    if (gl_FragCoord.x < 3.0) terminateInvocation;
    o = vec4(v.y);
}
