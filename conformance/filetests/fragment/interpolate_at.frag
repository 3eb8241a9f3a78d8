//! test GLSL InterpolateAtCentroid, GLSL InterpolateAtSample, GLSL InterpolateAtOffset
// One sample, at the centre.
//! pixels 8 4
//! plane 0.0 f32 1 2 3
//! plane 0.1 f32 0 1 0
//! expect out 0.0 f32 3.5 5.5 7.5 9.5 11.5 13.5 15.5 17.5 6.5 8.5 10.5 12.5 14.5 16.5 18.5 20.5 9.5 11.5 13.5 15.5 17.5 19.5 21.5 23.5 12.5 14.5 16.5 18.5 20.5 22.5 24.5 26.5
//! expect out 0.1 f32 3.5 5.5 7.5 9.5 11.5 13.5 15.5 17.5 6.5 8.5 10.5 12.5 14.5 16.5 18.5 20.5 9.5 11.5 13.5 15.5 17.5 19.5 21.5 23.5 12.5 14.5 16.5 18.5 20.5 22.5 24.5 26.5
//! expect out 0.2 f32 3.25 5.25 7.25 9.25 11.25 13.25 15.25 17.25 6.25 8.25 10.25 12.25 14.25 16.25 18.25 20.25 9.25 11.25 13.25 15.25 17.25 19.25 21.25 23.25 12.25 14.25 16.25 18.25 20.25 22.25 24.25 26.25
//! expect out 0.3 f32 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7
#version 450
layout(location = 0) in vec2 v;
layout(location = 0) out vec4 o;
void main() { o = vec4(interpolateAtCentroid(v.x), interpolateAtSample(v.x, 0), interpolateAtOffset(v.x, vec2(0.25, -0.25)), interpolateAtOffset(v.y, vec2(-0.5, 0.0))); }
