//! test GLSL InterpolateAtCentroid, GLSL InterpolateAtSample, GLSL InterpolateAtOffset
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! plane 0.1 f32 0 0 1
//! plane 1.0 f32 0 2 0
//! plane 1.1 f32 0 0 4
//! plane 1.2 f32 0 8 0
//! plane 2.0 f32 0 16 0
//! plane 2.1 f32 0 0 1
//! plane 2.2 f32 0 0 2
//! plane 2.3 f32 0 4 0
//! given samples 4
//! given sample_mask 4
//! expect out 0.0 f32 0.125*32
//! expect out 0.1 f32 0.625*32
//! expect out 1.0 f32 0.25*32
//! expect out 1.1 f32 2.5*32
//! expect out 1.2 f32 1*32
//! expect out 2.0 f32 2*32
//! expect out 2.1 f32 0.625*32
//! expect out 2.2 f32 1.25*32
//! expect out 2.3 f32 0.5*32
//! expect out 3.0 f32 0.875*32
//! expect out 3.1 f32 0.375*32
//! expect out 4.0 f32 1.75*32
//! expect out 4.1 f32 1.5*32
//! expect out 4.2 f32 7*32
//! expect out 5.0 f32 14*32
//! expect out 5.1 f32 0.375*32
//! expect out 5.2 f32 0.75*32
//! expect out 5.3 f32 3.5*32
//! expect out 6.0 f32 0.75*32
//! expect out 6.1 f32 0.25*32
//! expect out 7.0 f32 1.5*32
//! expect out 7.1 f32 1*32
//! expect out 7.2 f32 6*32
#version 460
// interpolateAt* of vectors, less the values at the pixel's corner.
layout(location = 0) in vec2 a;
layout(location = 1) in vec3 b;
layout(location = 2) in vec4 c;
layout(location = 0) out vec2 oa;
layout(location = 1) out vec3 ob;
layout(location = 2) out vec4 oc;
layout(location = 3) out vec2 pa;
layout(location = 4) out vec3 pb;
layout(location = 5) out vec4 pc;
layout(location = 6) out vec2 qa;
layout(location = 7) out vec3 qb;
void main() {
    vec2 p = floor(gl_FragCoord.xy);
    vec2 ca = p;
    vec3 cb = vec3(2.0 * p.x, 4.0 * p.y, 8.0 * p.x);
    vec4 cc = vec4(16.0 * p.x, p.y, 2.0 * p.y, 4.0 * p.x);
    oa = interpolateAtCentroid(a) - ca;
    ob = interpolateAtCentroid(b) - cb;
    oc = interpolateAtCentroid(c) - cc;
    pa = interpolateAtSample(a, 1) - ca;
    pb = interpolateAtSample(b, 1) - cb;
    pc = interpolateAtSample(c, 1) - cc;
    qa = interpolateAtOffset(a, vec2(0.25, -0.25)) - ca;
    qb = interpolateAtOffset(b, vec2(0.25, -0.25)) - cb;
}
