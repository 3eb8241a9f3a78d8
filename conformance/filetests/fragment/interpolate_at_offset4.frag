//! test GLSL InterpolateAtOffset
//! pixels 8 4
//! plane 0.0 f32 0 16 0
//! plane 0.1 f32 0 0 1
//! plane 0.2 f32 0 0 2
//! plane 0.3 f32 0 4 0
//! expect out 0.0 f32 12*32
//! expect out 0.1 f32 0.25*32
//! expect out 0.2 f32 0.5*32
//! expect out 0.3 f32 3*32
#version 460
layout(location = 0) in vec4 c;
layout(location = 0) out vec4 o;
void main() {
    vec2 p = floor(gl_FragCoord.xy);
    o = interpolateAtOffset(c, vec2(0.25, -0.25)) - vec4(16.0 * p.x, p.y, 2.0 * p.y, 4.0 * p.x);
}
