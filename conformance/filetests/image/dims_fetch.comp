//! test OpImageFetch
//! image 0.1 R32_SFLOAT 1d 4 f32 iota 4
//! image 0.2 R32_SFLOAT 1d_array 4 layers 3 f32 iota 12
//! image 0.3 R32_SFLOAT 2d_array 2x2 layers 3 f32 iota 12
//! image 0.4 R32_SFLOAT 3d 2x2x3 f32 iota 12
//! image 0.5 R32_SFLOAT buffer 1 f32 iota 7
//! image 0.6 R32_SFLOAT 2d 2x2 samples 4 f32 iota 16
//! image 0.7 R32_SFLOAT 2d_array 2x2 layers 2 samples 4 f32 iota 32
//! bind 0.0 f32 zeros 16
//! expect 0.0 f32 3 6 10 7 5 11 27 4 4 3 22 223 7 4 422 4
#version 460
// Texels and sizes of images of every dimensionality.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D a;
layout(set = 0, binding = 2) uniform sampler1DArray b;
layout(set = 0, binding = 3) uniform sampler2DArray c;
layout(set = 0, binding = 4) uniform sampler3D e;
layout(set = 0, binding = 5) uniform samplerBuffer f;
layout(set = 0, binding = 6) uniform sampler2DMS g;
layout(set = 0, binding = 7) uniform sampler2DMSArray h;
void main() {
    d[0] = texelFetch(a, 3, 0).x;
    d[1] = texelFetch(b, ivec2(2, 1), 0).x;
    d[2] = texelFetch(c, ivec3(0, 1, 2), 0).x;
    d[3] = texelFetch(e, ivec3(1, 1, 1), 0).x;
    d[4] = texelFetch(f, 5).x;
    d[5] = texelFetch(g, ivec2(1, 1), 2).x;
    d[6] = texelFetch(h, ivec3(1, 1, 1), 2).x;
    d[7] = float(textureSize(a, 0));
    d[8] = float(textureSize(b, 0).x);
    d[9] = float(textureSize(b, 0).y);
    d[10] = float(textureSize(c, 0).x + 10 * textureSize(c, 0).y);
    ivec3 s = textureSize(e, 0);
    d[11] = float(s.z + 10 * s.y + 100 * s.x);
    d[12] = float(textureSize(f));
    d[13] = float(textureSamples(g));
    ivec3 t = textureSize(h);
    d[14] = float(t.x + 10 * t.z + 100 * textureSamples(h));
    d[15] = float(textureSize(g).x * textureSize(g).y);
}
