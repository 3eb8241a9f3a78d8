//! test OpFwidthCoarse
//! pixels 8 4
//! expect out 0.0 f32 3 3 5 5 7 7 9 9 3 3 5 5 7 7 9 9 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11
//! expect out 0.1 f32 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11 7 7 9 9 11 11 13 13 7 7 9 9 11 11 13 13
//! expect out 1.0 f32 3 3 5 5 7 7 9 9 3 3 5 5 7 7 9 9 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11
//! expect out 1.1 f32 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11 7 7 9 9 11 11 13 13 7 7 9 9 11 11 13 13
//! expect out 1.2 f32 7 7 9 9 11 11 13 13 7 7 9 9 11 11 13 13 9 9 11 11 13 13 15 15 9 9 11 11 13 13 15 15
//! expect out 2.0 f32 3 3 5 5 7 7 9 9 3 3 5 5 7 7 9 9 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11
//! expect out 2.1 f32 5 5 7 7 9 9 11 11 5 5 7 7 9 9 11 11 7 7 9 9 11 11 13 13 7 7 9 9 11 11 13 13
//! expect out 2.2 f32 7 7 9 9 11 11 13 13 7 7 9 9 11 11 13 13 9 9 11 11 13 13 15 15 9 9 11 11 13 13 15 15
//! expect out 2.3 f32 9 9 11 11 13 13 15 15 9 9 11 11 13 13 15 15 11 11 13 13 15 15 17 17 11 11 13 13 15 15 17 17
#version 460
// As derivatives_vec2.frag.
layout(location = 0) out vec2 o0;
layout(location = 1) out vec3 o1;
layout(location = 2) out vec4 o2;
void main() {
    vec2 p = floor(gl_FragCoord.xy);
    o0 = fwidthCoarse(vec2(1.0 * p.x + 2.0 * p.y + p.x * p.y, 2.0 * p.x + 3.0 * p.y + p.x * p.y));
    o1 = fwidthCoarse(vec3(1.0 * p.x + 2.0 * p.y + p.x * p.y, 2.0 * p.x + 3.0 * p.y + p.x * p.y, 3.0 * p.x + 4.0 * p.y + p.x * p.y));
    o2 = fwidthCoarse(vec4(1.0 * p.x + 2.0 * p.y + p.x * p.y, 2.0 * p.x + 3.0 * p.y + p.x * p.y, 3.0 * p.x + 4.0 * p.y + p.x * p.y, 4.0 * p.x + 5.0 * p.y + p.x * p.y));
}
