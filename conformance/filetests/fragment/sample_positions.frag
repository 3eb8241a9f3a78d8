//! test OpLoad
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! plane 1.0 f32 0 1 0
//! plane 2.0 f32 0 1 0
//! given samples 4
//! given sample_id 1
//! given sample_mask 12
//! expect out 0.0 f32 0.875*32
//! expect out 0.1 f32 0.125*32
//! expect out 0.2 f32 0.875*32
#version 460
// Where inputs are interpolated: the sample that is shaded, since a shader with sample inputs runs for each
// sample, centroid (the first covered sample), the sample that is shaded.
layout(location = 0) in float a;
layout(location = 1) centroid in float b;
layout(location = 2) sample in float c;
layout(location = 0) out vec3 o;
void main() { o = vec3(a, b, c) - floor(vec3(a, b, c)); }
