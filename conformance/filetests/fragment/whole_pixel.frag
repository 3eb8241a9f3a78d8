//! test OpConvertFToU, OpConvertFToS
// FragCoord is the centre of the pixel: as an integer it is the pixel's coordinate.
//! pixels 8 4
//! expect out 0.0 f32 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
//! expect out 0.1 f32 0 0 0 0 0 0 0 0 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3
//! expect out 0.2 f32 1 3 5 7 9 11 13 15 1 3 5 7 9 11 13 15 1 3 5 7 9 11 13 15 1 3 5 7 9 11 13 15
//! expect out 0.3 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
#version 450
layout(location = 0) out vec4 o;
void main() {
    uint x = uint(gl_FragCoord.x);
    int y = int(gl_FragCoord.y);
    o = vec4(x, y, int(gl_FragCoord.x * 2.0), gl_FragCoord.x);
}
