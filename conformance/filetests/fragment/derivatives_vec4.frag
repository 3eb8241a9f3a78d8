//! test OpDPdx, OpDPdy, OpFwidth, OpDPdxFine, OpDPdyFine, OpFwidthFine, OpDPdxCoarse, OpDPdyCoarse
//! pixels 8 4
//! expect out 0.0 f32 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4
//! expect out 0.1 f32 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5
//! expect out 0.2 f32 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5 6 6 6 6 6 6 6 6
//! expect out 0.3 f32 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5 6 6 6 6 6 6 6 6 7 7 7 7 7 7 7 7
//! expect out 1.0 f32 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9
//! expect out 1.1 f32 3 4 5 6 7 8 9 10 3 4 5 6 7 8 9 10 3 4 5 6 7 8 9 10 3 4 5 6 7 8 9 10
//! expect out 1.2 f32 4 5 6 7 8 9 10 11 4 5 6 7 8 9 10 11 4 5 6 7 8 9 10 11 4 5 6 7 8 9 10 11
//! expect out 1.3 f32 5 6 7 8 9 10 11 12 5 6 7 8 9 10 11 12 5 6 7 8 9 10 11 12 5 6 7 8 9 10 11 12
//! expect out 2.0 f32 3 4 5 6 7 8 9 10 4 5 6 7 8 9 10 11 5 6 7 8 9 10 11 12 6 7 8 9 10 11 12 13
//! expect out 2.1 f32 5 6 7 8 9 10 11 12 6 7 8 9 10 11 12 13 7 8 9 10 11 12 13 14 8 9 10 11 12 13 14 15
//! expect out 2.2 f32 7 8 9 10 11 12 13 14 8 9 10 11 12 13 14 15 9 10 11 12 13 14 15 16 10 11 12 13 14 15 16 17
//! expect out 2.3 f32 9 10 11 12 13 14 15 16 10 11 12 13 14 15 16 17 11 12 13 14 15 16 17 18 12 13 14 15 16 17 18 19
//! expect out 3.0 f32 1 1 1 1 1 1 1 1 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4
//! expect out 3.1 f32 2 2 2 2 2 2 2 2 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5
//! expect out 3.2 f32 3 3 3 3 3 3 3 3 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5 6 6 6 6 6 6 6 6
//! expect out 3.3 f32 4 4 4 4 4 4 4 4 5 5 5 5 5 5 5 5 6 6 6 6 6 6 6 6 7 7 7 7 7 7 7 7
//! expect out 4.0 f32 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9 2 3 4 5 6 7 8 9
//! expect out 4.1 f32 3 4 5 6 7 8 9 10 3 4 5 6 7 8 9 10 3 4 5 6 7 8 9 10 3 4 5 6 7 8 9 10
//! expect out 4.2 f32 4 5 6 7 8 9 10 11 4 5 6 7 8 9 10 11 4 5 6 7 8 9 10 11 4 5 6 7 8 9 10 11
//! expect out 4.3 f32 5 6 7 8 9 10 11 12 5 6 7 8 9 10 11 12 5 6 7 8 9 10 11 12 5 6 7 8 9 10 11 12
//! expect out 5.0 f32 3 4 5 6 7 8 9 10 4 5 6 7 8 9 10 11 5 6 7 8 9 10 11 12 6 7 8 9 10 11 12 13
//! expect out 5.1 f32 5 6 7 8 9 10 11 12 6 7 8 9 10 11 12 13 7 8 9 10 11 12 13 14 8 9 10 11 12 13 14 15
//! expect out 5.2 f32 7 8 9 10 11 12 13 14 8 9 10 11 12 13 14 15 9 10 11 12 13 14 15 16 10 11 12 13 14 15 16 17
//! expect out 5.3 f32 9 10 11 12 13 14 15 16 10 11 12 13 14 15 16 17 11 12 13 14 15 16 17 18 12 13 14 15 16 17 18 19
//! expect out 6.0 f32 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3
//! expect out 6.1 f32 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 2 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4
//! expect out 6.2 f32 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 3 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5 5
//! expect out 6.3 f32 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 4 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6 6
//! expect out 7.0 f32 2 2 4 4 6 6 8 8 2 2 4 4 6 6 8 8 2 2 4 4 6 6 8 8 2 2 4 4 6 6 8 8
//! expect out 7.1 f32 3 3 5 5 7 7 9 9 3 3 5 5 7 7 9 9 3 3 5 5 7 7 9 9 3 3 5 5 7 7 9 9
//! expect out 7.2 f32 4 4 6 6 8 8 10 10 4 4 6 6 8 8 10 10 4 4 6 6 8 8 10 10 4 4 6 6 8 8 10 10
//! expect out 7.3 f32 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11
#version 460
// Derivatives of vectors; values grow with x, y and x * y.
layout(location = 0) out vec4 o0;
layout(location = 1) out vec4 o1;
layout(location = 2) out vec4 o2;
layout(location = 3) out vec4 o3;
layout(location = 4) out vec4 o4;
layout(location = 5) out vec4 o5;
layout(location = 6) out vec4 o6;
layout(location = 7) out vec4 o7;
void main() {
    vec2 p = floor(gl_FragCoord.xy);
    vec4 v4 = vec4(1.0 * p.x + 2.0 * p.y + p.x * p.y, 2.0 * p.x + 3.0 * p.y + p.x * p.y, 3.0 * p.x + 4.0 * p.y + p.x * p.y, 4.0 * p.x + 5.0 * p.y + p.x * p.y);
    o0 = dFdx(v4);
    o1 = dFdy(v4);
    o2 = fwidth(v4);
    o3 = dFdxFine(v4);
    o4 = dFdyFine(v4);
    o5 = fwidthFine(v4);
    o6 = dFdxCoarse(v4);
    o7 = dFdyCoarse(v4);
}
