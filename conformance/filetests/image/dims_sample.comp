//! test OpImageSampleExplicitLod
//! image 0.1 R32_SFLOAT 1d 4 f32 iota 4
//! image 0.2 R32_SFLOAT 1d_array 4 layers 3 f32 iota 12
//! image 0.3 R32_SFLOAT 2d_array 2x2 layers 3 f32 iota 12
//! image 0.4 R32_SFLOAT 3d 2x2x3 f32 iota 12
//! image 0.5 R32_SFLOAT cube 2x2 f32 iota 24
//! image 0.6 R32_SFLOAT cube_array 2x2 layers 12 f32 iota 48
//! sampler 0.1 nearest clamp
//! bind 0.0 f32 zeros 9
//! expect 0.0 f32 2 9 7 10 3 14 41 1 22
#version 460
// Texels of images of every dimensionality, by normalized coordinates.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D a;
layout(set = 0, binding = 2) uniform sampler1DArray b;
layout(set = 0, binding = 3) uniform sampler2DArray c;
layout(set = 0, binding = 4) uniform sampler3D e;
layout(set = 0, binding = 5) uniform samplerCube f;
layout(set = 0, binding = 6) uniform samplerCubeArray g;
void main() {
    d[0] = textureLod(a, 0.625, 0.0).x;
    d[1] = textureLod(b, vec2(0.375, 2.0), 0.0).x;
    d[2] = textureLod(c, vec3(0.75, 0.75, 1.0), 0.0).x;
    d[3] = textureLod(e, vec3(0.25, 0.75, 0.9), 0.0).x;
    // +X: s is -z, t is -y.
    d[4] = textureLod(f, vec3(1.0, -0.5, -0.5), 0.0).x;
    // -Y: s is +x, t is -z.
    d[5] = textureLod(f, vec3(-0.5, -1.0, -0.5), 0.0).x;
    // +Z of the second cube: s is +x, t is -y.
    d[6] = textureLod(g, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x;
    d[7] = textureLod(a, 0.3, 0.0).x;
    // -Z of the first: s is -x.
    d[8] = textureLod(g, vec4(0.5, -0.5, -1.0, 0.0), 0.0).x;
}
