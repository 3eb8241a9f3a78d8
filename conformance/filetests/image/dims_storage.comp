//! test OpImageRead, OpImageWrite
//! image 0.1 R32_SFLOAT 1d 4 f32 iota 4
//! image 0.2 R32_SFLOAT 1d_array 2 layers 3 f32 iota 6
//! image 0.3 R32_SFLOAT 2d_array 2x2 layers 2 f32 iota 8
//! image 0.4 R32_SFLOAT 3d 2x2x2 f32 iota 8
//! image 0.5 R32_SFLOAT cube 1x1 f32 iota 6
//! image 0.6 R32_SFLOAT cube_array 1x1 layers 12 f32 iota 12
//! image 0.7 R32_SFLOAT buffer 1 f32 iota 5
//! bind 0.0 f32 zeros 14
//! expect 0.0 f32 2 5 6 3 4 10 3 4 23 22 222 1 12 5
//! expect image 0.1 f32 0 50 2 3
//! expect image 0.2 f32 0 1 51 3 4 5
//! expect image 0.3 f32 0 1 2 3 4 52 6 7
//! expect image 0.4 f32 0 1 2 3 53 5 6 7
//! expect image 0.5 f32 0 1 2 54 4 5
//! expect image 0.6 f32 0 1 2 3 4 5 6 55 8 9 10 11
//! expect 0.7 f32 0 1 2 3 56
#version 460
// Storage images of every dimensionality: reads, writes, sizes.
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1, r32f) uniform image1D a;
layout(set = 0, binding = 2, r32f) uniform image1DArray b;
layout(set = 0, binding = 3, r32f) uniform image2DArray c;
layout(set = 0, binding = 4, r32f) uniform image3D e;
layout(set = 0, binding = 5, r32f) uniform imageCube f;
layout(set = 0, binding = 6, r32f) uniform imageCubeArray g;
layout(set = 0, binding = 7, r32f) uniform imageBuffer h;
void main() {
    d[0] = imageLoad(a, 2).x;
    d[1] = imageLoad(b, ivec2(1, 2)).x;
    d[2] = imageLoad(c, ivec3(0, 1, 1)).x;
    d[3] = imageLoad(e, ivec3(1, 1, 0)).x;
    d[4] = imageLoad(f, ivec3(0, 0, 4)).x;
    d[5] = imageLoad(g, ivec3(0, 0, 10)).x;
    d[6] = imageLoad(h, 3).x;
    d[7] = float(imageSize(a));
    d[8] = float(imageSize(b).x + 0 + 7 * imageSize(b).y);
    d[9] = float(imageSize(c).x + 10 * imageSize(c).z);
    ivec3 s = imageSize(e);
    d[10] = float(s.x + 10 * s.y + 100 * s.z);
    d[11] = float(imageSize(f).x);
    d[12] = float(imageSize(g).x + imageSize(g).z + 9);
    d[13] = float(imageSize(h));
    imageStore(a, 1, vec4(50.0));
    imageStore(b, ivec2(0, 1), vec4(51.0));
    imageStore(c, ivec3(1, 0, 1), vec4(52.0));
    imageStore(e, ivec3(0, 0, 1), vec4(53.0));
    imageStore(f, ivec3(0, 0, 3), vec4(54.0));
    imageStore(g, ivec3(0, 0, 7), vec4(55.0));
    imageStore(h, 4, vec4(56.0));
}
