//! test OpKill
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! plane 0.1 f32 0 1 0
//! expect out 0.0 f32 0 1.5 2.5 0 4.5 5.5 0 7.5 0.5 0 2.5 3.5 0 5.5 6.5 0 0.5 1.5 0 3.5 4.5 0 6.5 7.5 0 1.5 2.5 0 4.5 5.5 0 7.5
//! expect alive 01101101 10110110 11011011 01101101
#version 450
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 o;
void main() {
    if ((uint(gl_FragCoord.x) + 2 * uint(gl_FragCoord.y)) % 3 == 0) discard;
    o = vec4(v.y, 1.0, 0.0, 0.0);
}
