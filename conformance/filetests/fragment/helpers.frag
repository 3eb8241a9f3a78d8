//! test OpDPdx
// Pixels that are not covered take part in derivatives, and have no outputs.
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! plane 0.1 f32 0 1 0
//! covered 11111100 11111000 11110000 11100000
//! expect out 0.0 f32 2.5 2.5 6.5 6.5 10.5 10.5 0 0 3.5 3.5 7.5 7.5 11.5 0*3 4.5 4.5 8.5 8.5 0*4 5.5 5.5 9.5 0*5
//! expect out 0.1 f32 0.5 1.5 2.5 3.5 4.5 5.5 0 0 0.5 1.5 2.5 3.5 4.5 0*3 0.5 1.5 2.5 3.5 0*4 0.5 1.5 2.5 0*5
//! expect alive 11111100 11111000 11110000 11100000
#version 450
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 o;
void main() {
    float f = gl_FragCoord.x * gl_FragCoord.x + gl_FragCoord.y * gl_FragCoord.x;
    o = vec4(dFdx(f), dFdy(f), 0.0, v.x);
}
