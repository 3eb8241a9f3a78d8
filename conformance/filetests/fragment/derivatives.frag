//! test OpDPdx, OpDPdy, OpFwidth
// Differences within the row and column of the quad (may be fine or coarse; Quadrille: fine).
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! plane 0.1 f32 0 1 0
//! expect out 0.0 f32 2.5 2.5 6.5 6.5 10.5 10.5 14.5 14.5 3.5 3.5 7.5 7.5 11.5 11.5 15.5 15.5 4.5 4.5 8.5 8.5 12.5 12.5 16.5 16.5 5.5 5.5 9.5 9.5 13.5 13.5 17.5 17.5
//! expect out 0.1 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
//! expect out 0.2 f32 3 4 9 10 15 16 21 22 4 5 10 11 16 17 22 23 5 6 11 12 17 18 23 24 6 7 12 13 18 19 24 25
#version 450
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 o;
void main() {
    float f = gl_FragCoord.x * gl_FragCoord.x + gl_FragCoord.y * gl_FragCoord.x;
    o = vec4(dFdx(f), dFdy(f), fwidth(f), v.x);
}
