// Functions of images, of memory and of invocations: every signature.

//# imageSize_1D.comp
//! function imageSize(readonly writeonly gimage1D image)
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT 1d 4 f32 0*4
//! image 0.2 R32_SINT 1d 4 i32 0*4
//! image 0.3 R32_UINT 1d 4 u32 0*4
//! expect 0.0 i32 4 4 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image1D i0;
layout(set = 0, binding = 2) writeonly uniform iimage1D i1;
layout(set = 0, binding = 3) writeonly uniform uimage1D i2;
void main() {
    d[0] = imageSize(i0);
    d[1] = imageSize(i1);
    d[2] = imageSize(i2);
}

//# imageSize_2D.comp
//! function imageSize(readonly writeonly gimage2D image)
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 f32 0*8
//! image 0.2 R32_SINT 2d 4x2 i32 0*8
//! image 0.3 R32_UINT 2d 4x2 u32 0*8
//! expect 0.0 i32 4 2 4 2 4 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image2D i0;
layout(set = 0, binding = 2) writeonly uniform iimage2D i1;
layout(set = 0, binding = 3) writeonly uniform uimage2D i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i1).x;
    d[3] = imageSize(i1).y;
    d[4] = imageSize(i2).x;
    d[5] = imageSize(i2).y;
}

//# imageSize_3D.comp
//! function imageSize(readonly writeonly gimage3D image)
//! bind 0.0 i32 zeros 9
//! image 0.1 R32_SFLOAT 3d 4x2x2 f32 0*16
//! image 0.2 R32_SINT 3d 4x2x2 i32 0*16
//! image 0.3 R32_UINT 3d 4x2x2 u32 0*16
//! expect 0.0 i32 4 2 2 4 2 2 4 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image3D i0;
layout(set = 0, binding = 2) writeonly uniform iimage3D i1;
layout(set = 0, binding = 3) writeonly uniform uimage3D i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i0).z;
    d[3] = imageSize(i1).x;
    d[4] = imageSize(i1).y;
    d[5] = imageSize(i1).z;
    d[6] = imageSize(i2).x;
    d[7] = imageSize(i2).y;
    d[8] = imageSize(i2).z;
}

//# imageSize_Cube.comp
//! function imageSize(readonly writeonly gimageCube image)
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT cube 2x2 f32 0*24
//! image 0.2 R32_SINT cube 2x2 i32 0*24
//! image 0.3 R32_UINT cube 2x2 u32 0*24
//! expect 0.0 i32 2 2 2 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform imageCube i0;
layout(set = 0, binding = 2) writeonly uniform iimageCube i1;
layout(set = 0, binding = 3) writeonly uniform uimageCube i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i1).x;
    d[3] = imageSize(i1).y;
    d[4] = imageSize(i2).x;
    d[5] = imageSize(i2).y;
}

//# imageSize_CubeArray.comp
//! function imageSize(readonly writeonly gimageCubeArray image)
//! bind 0.0 i32 zeros 9
//! image 0.1 R32_SFLOAT cube_array 1x1 layers 12 f32 0*12
//! image 0.2 R32_SINT cube_array 1x1 layers 12 i32 0*12
//! image 0.3 R32_UINT cube_array 1x1 layers 12 u32 0*12
//! expect 0.0 i32 1 1 2 1 1 2 1 1 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform imageCubeArray i0;
layout(set = 0, binding = 2) writeonly uniform iimageCubeArray i1;
layout(set = 0, binding = 3) writeonly uniform uimageCubeArray i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i0).z;
    d[3] = imageSize(i1).x;
    d[4] = imageSize(i1).y;
    d[5] = imageSize(i1).z;
    d[6] = imageSize(i2).x;
    d[7] = imageSize(i2).y;
    d[8] = imageSize(i2).z;
}

//# imageSize_2DArray.comp
//! function imageSize(readonly writeonly gimage2DArray image)
//! bind 0.0 i32 zeros 9
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 f32 0*24
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 i32 0*24
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 u32 0*24
//! expect 0.0 i32 4 2 3 4 2 3 4 2 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image2DArray i0;
layout(set = 0, binding = 2) writeonly uniform iimage2DArray i1;
layout(set = 0, binding = 3) writeonly uniform uimage2DArray i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i0).z;
    d[3] = imageSize(i1).x;
    d[4] = imageSize(i1).y;
    d[5] = imageSize(i1).z;
    d[6] = imageSize(i2).x;
    d[7] = imageSize(i2).y;
    d[8] = imageSize(i2).z;
}

//# imageSize_1DArray.comp
//! function imageSize(readonly writeonly gimage1DArray image)
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 f32 0*12
//! image 0.2 R32_SINT 1d_array 4 layers 3 i32 0*12
//! image 0.3 R32_UINT 1d_array 4 layers 3 u32 0*12
//! expect 0.0 i32 4 3 4 3 4 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image1DArray i0;
layout(set = 0, binding = 2) writeonly uniform iimage1DArray i1;
layout(set = 0, binding = 3) writeonly uniform uimage1DArray i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i1).x;
    d[3] = imageSize(i1).y;
    d[4] = imageSize(i2).x;
    d[5] = imageSize(i2).y;
}

//# imageSize_2DMS.comp
//! function imageSize(readonly writeonly gimage2DMS image)
//! bind 0.0 i32 zeros 6
//! image 0.1 R32_SFLOAT 2d 2x1 samples 4 f32 0*8
//! image 0.2 R32_SINT 2d 2x1 samples 4 i32 0*8
//! image 0.3 R32_UINT 2d 2x1 samples 4 u32 0*8
//! expect 0.0 i32 2 1 2 1 2 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image2DMS i0;
layout(set = 0, binding = 2) writeonly uniform iimage2DMS i1;
layout(set = 0, binding = 3) writeonly uniform uimage2DMS i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i1).x;
    d[3] = imageSize(i1).y;
    d[4] = imageSize(i2).x;
    d[5] = imageSize(i2).y;
}

//# imageSize_2DMSArray.comp
//! function imageSize(readonly writeonly gimage2DMSArray image)
//! bind 0.0 i32 zeros 9
//! image 0.1 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 0*8
//! image 0.2 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 0*8
//! image 0.3 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 0*8
//! expect 0.0 i32 1 1 2 1 1 2 1 1 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image2DMSArray i0;
layout(set = 0, binding = 2) writeonly uniform iimage2DMSArray i1;
layout(set = 0, binding = 3) writeonly uniform uimage2DMSArray i2;
void main() {
    d[0] = imageSize(i0).x;
    d[1] = imageSize(i0).y;
    d[2] = imageSize(i0).z;
    d[3] = imageSize(i1).x;
    d[4] = imageSize(i1).y;
    d[5] = imageSize(i1).z;
    d[6] = imageSize(i2).x;
    d[7] = imageSize(i2).y;
    d[8] = imageSize(i2).z;
}

//# imageSize_Buffer.comp
//! function imageSize(readonly writeonly gimageBuffer image)
//! bind 0.0 i32 zeros 3
//! image 0.1 R32_SFLOAT buffer 1 f32 0*9
//! image 0.2 R32_SINT buffer 1 i32 0*9
//! image 0.3 R32_UINT buffer 1 u32 0*9
//! expect 0.0 i32 9 9 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform imageBuffer i0;
layout(set = 0, binding = 2) writeonly uniform iimageBuffer i1;
layout(set = 0, binding = 3) writeonly uniform uimageBuffer i2;
void main() {
    d[0] = imageSize(i0);
    d[1] = imageSize(i1);
    d[2] = imageSize(i2);
}

//# imageSamples_2DMS.comp
//! function imageSamples(readonly writeonly gimage2DMS image)
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d 2x1 samples 4 f32 0*8
//! expect 0.0 i32 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image2DMS i;
void main() {
    d[0] = imageSamples(i);
}

//# imageSamples_2DMSArray.comp
//! function imageSamples(readonly writeonly gimage2DMSArray image)
//! bind 0.0 i32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 0*8
//! expect 0.0 i32 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) writeonly uniform image2DMSArray i;
void main() {
    d[0] = imageSamples(i);
}

//# imageLoad.comp
//! function imageLoad(readonly IMAGE_PARAMS)
//! function imageStore(writeonly IMAGE_PARAMS, gvec4 data)
//! bind 0.0 i32 zeros 30
//! image 0.1 R32_SFLOAT 1d 4 f32 1 2 3 4
//! expect image 0.1 f32 1 99 3 4
//! image 0.2 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.2 i32 1 99 3 4
//! image 0.3 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.3 u32 1 99 3 4
//! image 0.4 R32_SFLOAT 2d 4x2 f32 1 2 3 4 5 6 7 8
//! expect image 0.4 f32 1 2 3 4 5 99 7 8
//! image 0.5 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.5 i32 1 2 3 4 5 99 7 8
//! image 0.6 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.6 u32 1 2 3 4 5 99 7 8
//! image 0.7 R32_SFLOAT 3d 4x2x2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.7 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 99 15 16
//! image 0.8 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.8 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 99 15 16
//! image 0.9 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.9 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 99 15 16
//! image 0.10 R32_SFLOAT cube 2x2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.10 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 99 15 16 17 18 19 20 21 22 23 24
//! image 0.11 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.11 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 99 15 16 17 18 19 20 21 22 23 24
//! image 0.12 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.12 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 99 15 16 17 18 19 20 21 22 23 24
//! image 0.13 R32_SFLOAT cube_array 1x1 layers 12 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.13 f32 1 2 3 4 5 6 7 99 9 10 11 12
//! image 0.14 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.14 i32 1 2 3 4 5 6 7 99 9 10 11 12
//! image 0.15 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.15 u32 1 2 3 4 5 6 7 99 9 10 11 12
//! image 0.16 R32_SFLOAT 2d_array 4x2 layers 3 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.16 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 99 23 24
//! image 0.17 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.17 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 99 23 24
//! image 0.18 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.18 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 99 23 24
//! image 0.19 R32_SFLOAT 1d_array 4 layers 3 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.19 f32 1 2 3 4 5 6 7 8 9 99 11 12
//! image 0.20 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.20 i32 1 2 3 4 5 6 7 8 9 99 11 12
//! image 0.21 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.21 u32 1 2 3 4 5 6 7 8 9 99 11 12
//! image 0.22 R32_SFLOAT 2d 2x1 samples 4 f32 1 2 3 4 5 6 7 8
//! expect image 0.22 f32 1 2 3 4 5 99 7 8
//! image 0.23 R32_SINT 2d 2x1 samples 4 i32 1 2 3 4 5 6 7 8
//! expect image 0.23 i32 1 2 3 4 5 99 7 8
//! image 0.24 R32_UINT 2d 2x1 samples 4 u32 1 2 3 4 5 6 7 8
//! expect image 0.24 u32 1 2 3 4 5 99 7 8
//! image 0.25 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 1 2 3 4 5 6 7 8
//! expect image 0.25 f32 1 2 3 4 5 6 99 8
//! image 0.26 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 1 2 3 4 5 6 7 8
//! expect image 0.26 i32 1 2 3 4 5 6 99 8
//! image 0.27 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 1 2 3 4 5 6 7 8
//! expect image 0.27 u32 1 2 3 4 5 6 99 8
//! image 0.28 R32_SFLOAT buffer 1 f32 1 2 3 4 5 6 7 8 9
//! expect 0.28 f32 1 2 3 4 5 99 7 8 9
//! image 0.29 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.29 i32 1 2 3 4 5 99 7 8 9
//! image 0.30 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.30 u32 1 2 3 4 5 99 7 8 9
//! expect 0.0 i32 2 2 2 6 6 6 14 14 14 14 14 14 8 8 8 22 22 22 10 10 10 6 6 6 7 7 7 6 6 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32f) uniform image1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage1D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage1D i3;
layout(set = 0, binding = 4, r32f) uniform image2D i4;
layout(set = 0, binding = 5, r32i) uniform iimage2D i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2D i6;
layout(set = 0, binding = 7, r32f) uniform image3D i7;
layout(set = 0, binding = 8, r32i) uniform iimage3D i8;
layout(set = 0, binding = 9, r32ui) uniform uimage3D i9;
layout(set = 0, binding = 10, r32f) uniform imageCube i10;
layout(set = 0, binding = 11, r32i) uniform iimageCube i11;
layout(set = 0, binding = 12, r32ui) uniform uimageCube i12;
layout(set = 0, binding = 13, r32f) uniform imageCubeArray i13;
layout(set = 0, binding = 14, r32i) uniform iimageCubeArray i14;
layout(set = 0, binding = 15, r32ui) uniform uimageCubeArray i15;
layout(set = 0, binding = 16, r32f) uniform image2DArray i16;
layout(set = 0, binding = 17, r32i) uniform iimage2DArray i17;
layout(set = 0, binding = 18, r32ui) uniform uimage2DArray i18;
layout(set = 0, binding = 19, r32f) uniform image1DArray i19;
layout(set = 0, binding = 20, r32i) uniform iimage1DArray i20;
layout(set = 0, binding = 21, r32ui) uniform uimage1DArray i21;
layout(set = 0, binding = 22, r32f) uniform image2DMS i22;
layout(set = 0, binding = 23, r32i) uniform iimage2DMS i23;
layout(set = 0, binding = 24, r32ui) uniform uimage2DMS i24;
layout(set = 0, binding = 25, r32f) uniform image2DMSArray i25;
layout(set = 0, binding = 26, r32i) uniform iimage2DMSArray i26;
layout(set = 0, binding = 27, r32ui) uniform uimage2DMSArray i27;
layout(set = 0, binding = 28, r32f) uniform imageBuffer i28;
layout(set = 0, binding = 29, r32i) uniform iimageBuffer i29;
layout(set = 0, binding = 30, r32ui) uniform uimageBuffer i30;
void main() {
    d[0] = int(imageLoad(i1, 1).x);
    imageStore(i1, 1, vec4(99));
    d[1] = int(imageLoad(i2, 1).x);
    imageStore(i2, 1, ivec4(99));
    d[2] = int(imageLoad(i3, 1).x);
    imageStore(i3, 1, uvec4(99));
    d[3] = int(imageLoad(i4, ivec2(1, 1)).x);
    imageStore(i4, ivec2(1, 1), vec4(99));
    d[4] = int(imageLoad(i5, ivec2(1, 1)).x);
    imageStore(i5, ivec2(1, 1), ivec4(99));
    d[5] = int(imageLoad(i6, ivec2(1, 1)).x);
    imageStore(i6, ivec2(1, 1), uvec4(99));
    d[6] = int(imageLoad(i7, ivec3(1, 1, 1)).x);
    imageStore(i7, ivec3(1, 1, 1), vec4(99));
    d[7] = int(imageLoad(i8, ivec3(1, 1, 1)).x);
    imageStore(i8, ivec3(1, 1, 1), ivec4(99));
    d[8] = int(imageLoad(i9, ivec3(1, 1, 1)).x);
    imageStore(i9, ivec3(1, 1, 1), uvec4(99));
    d[9] = int(imageLoad(i10, ivec3(1, 0, 3)).x);
    imageStore(i10, ivec3(1, 0, 3), vec4(99));
    d[10] = int(imageLoad(i11, ivec3(1, 0, 3)).x);
    imageStore(i11, ivec3(1, 0, 3), ivec4(99));
    d[11] = int(imageLoad(i12, ivec3(1, 0, 3)).x);
    imageStore(i12, ivec3(1, 0, 3), uvec4(99));
    d[12] = int(imageLoad(i13, ivec3(0, 0, 7)).x);
    imageStore(i13, ivec3(0, 0, 7), vec4(99));
    d[13] = int(imageLoad(i14, ivec3(0, 0, 7)).x);
    imageStore(i14, ivec3(0, 0, 7), ivec4(99));
    d[14] = int(imageLoad(i15, ivec3(0, 0, 7)).x);
    imageStore(i15, ivec3(0, 0, 7), uvec4(99));
    d[15] = int(imageLoad(i16, ivec3(1, 1, 2)).x);
    imageStore(i16, ivec3(1, 1, 2), vec4(99));
    d[16] = int(imageLoad(i17, ivec3(1, 1, 2)).x);
    imageStore(i17, ivec3(1, 1, 2), ivec4(99));
    d[17] = int(imageLoad(i18, ivec3(1, 1, 2)).x);
    imageStore(i18, ivec3(1, 1, 2), uvec4(99));
    d[18] = int(imageLoad(i19, ivec2(1, 2)).x);
    imageStore(i19, ivec2(1, 2), vec4(99));
    d[19] = int(imageLoad(i20, ivec2(1, 2)).x);
    imageStore(i20, ivec2(1, 2), ivec4(99));
    d[20] = int(imageLoad(i21, ivec2(1, 2)).x);
    imageStore(i21, ivec2(1, 2), uvec4(99));
    d[21] = int(imageLoad(i22, ivec2(1, 0), 2).x);
    imageStore(i22, ivec2(1, 0), 2, vec4(99));
    d[22] = int(imageLoad(i23, ivec2(1, 0), 2).x);
    imageStore(i23, ivec2(1, 0), 2, ivec4(99));
    d[23] = int(imageLoad(i24, ivec2(1, 0), 2).x);
    imageStore(i24, ivec2(1, 0), 2, uvec4(99));
    d[24] = int(imageLoad(i25, ivec3(0, 0, 1), 2).x);
    imageStore(i25, ivec3(0, 0, 1), 2, vec4(99));
    d[25] = int(imageLoad(i26, ivec3(0, 0, 1), 2).x);
    imageStore(i26, ivec3(0, 0, 1), 2, ivec4(99));
    d[26] = int(imageLoad(i27, ivec3(0, 0, 1), 2).x);
    imageStore(i27, ivec3(0, 0, 1), 2, uvec4(99));
    d[27] = int(imageLoad(i28, 5).x);
    imageStore(i28, 5, vec4(99));
    d[28] = int(imageLoad(i29, 5).x);
    imageStore(i29, 5, ivec4(99));
    d[29] = int(imageLoad(i30, 5).x);
    imageStore(i30, 5, uvec4(99));
}

//# imageAtomicAdd_uint.comp
//! function imageAtomicAdd(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 13 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 17 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 25 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 25 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 19 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 33 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 21 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 17 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicAdd(i1, 1, 11u));
    d[1] = int(imageAtomicAdd(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicAdd(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicAdd(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicAdd(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicAdd(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicAdd(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicAdd(i8, 5, 11u));
}

//# imageAtomicAdd_int.comp
//! function imageAtomicAdd(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 13 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 17 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 25 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 25 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 19 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 33 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 21 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 17 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicAdd(i1, 1, 11));
    d[1] = int(imageAtomicAdd(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicAdd(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicAdd(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicAdd(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicAdd(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicAdd(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicAdd(i8, 5, 11));
}

//# imageAtomicMin_uint.comp
//! function imageAtomicMin(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 2 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 6 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 6 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicMin(i1, 1, 11u));
    d[1] = int(imageAtomicMin(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicMin(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicMin(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicMin(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicMin(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicMin(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicMin(i8, 5, 11u));
}

//# imageAtomicMin_int.comp
//! function imageAtomicMin(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 2 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 6 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 6 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicMin(i1, 1, 11));
    d[1] = int(imageAtomicMin(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicMin(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicMin(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicMin(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicMin(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicMin(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicMin(i8, 5, 11));
}

//# imageAtomicMax_uint.comp
//! function imageAtomicMax(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 11 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 11 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicMax(i1, 1, 11u));
    d[1] = int(imageAtomicMax(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicMax(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicMax(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicMax(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicMax(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicMax(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicMax(i8, 5, 11u));
}

//# imageAtomicMax_int.comp
//! function imageAtomicMax(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 11 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 11 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicMax(i1, 1, 11));
    d[1] = int(imageAtomicMax(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicMax(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicMax(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicMax(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicMax(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicMax(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicMax(i8, 5, 11));
}

//# imageAtomicAnd_uint.comp
//! function imageAtomicAnd(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 2 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 2 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 10 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 10 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 2 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 2 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicAnd(i1, 1, 11u));
    d[1] = int(imageAtomicAnd(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicAnd(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicAnd(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicAnd(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicAnd(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicAnd(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicAnd(i8, 5, 11u));
}

//# imageAtomicAnd_int.comp
//! function imageAtomicAnd(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 2 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 2 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 10 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 10 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 2 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 2 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicAnd(i1, 1, 11));
    d[1] = int(imageAtomicAnd(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicAnd(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicAnd(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicAnd(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicAnd(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicAnd(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicAnd(i8, 5, 11));
}

//# imageAtomicOr_uint.comp
//! function imageAtomicOr(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 11 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 15 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 15 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 15 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 31 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 15 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicOr(i1, 1, 11u));
    d[1] = int(imageAtomicOr(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicOr(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicOr(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicOr(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicOr(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicOr(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicOr(i8, 5, 11u));
}

//# imageAtomicOr_int.comp
//! function imageAtomicOr(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 11 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 15 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 15 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 15 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 31 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 15 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicOr(i1, 1, 11));
    d[1] = int(imageAtomicOr(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicOr(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicOr(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicOr(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicOr(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicOr(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicOr(i8, 5, 11));
}

//# imageAtomicXor_uint.comp
//! function imageAtomicXor(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 9 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 13 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 5 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 5 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 3 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 29 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 1 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 13 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicXor(i1, 1, 11u));
    d[1] = int(imageAtomicXor(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicXor(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicXor(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicXor(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicXor(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicXor(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicXor(i8, 5, 11u));
}

//# imageAtomicXor_int.comp
//! function imageAtomicXor(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 9 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 13 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 5 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 5 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 3 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 29 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 1 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 13 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicXor(i1, 1, 11));
    d[1] = int(imageAtomicXor(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicXor(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicXor(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicXor(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicXor(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicXor(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicXor(i8, 5, 11));
}

//# imageAtomicExchange_uint.comp
//! function imageAtomicExchange(IMAGE_PARAMS, uint data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 11 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 11 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicExchange(i1, 1, 11u));
    d[1] = int(imageAtomicExchange(i2, ivec2(1, 1), 11u));
    d[2] = int(imageAtomicExchange(i3, ivec3(1, 1, 1), 11u));
    d[3] = int(imageAtomicExchange(i4, ivec3(1, 0, 3), 11u));
    d[4] = int(imageAtomicExchange(i5, ivec3(0, 0, 7), 11u));
    d[5] = int(imageAtomicExchange(i6, ivec3(1, 1, 2), 11u));
    d[6] = int(imageAtomicExchange(i7, ivec2(1, 2), 11u));
    d[7] = int(imageAtomicExchange(i8, 5, 11u));
}

//# imageAtomicExchange_int.comp
//! function imageAtomicExchange(IMAGE_PARAMS, int data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 11 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 11 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicExchange(i1, 1, 11));
    d[1] = int(imageAtomicExchange(i2, ivec2(1, 1), 11));
    d[2] = int(imageAtomicExchange(i3, ivec3(1, 1, 1), 11));
    d[3] = int(imageAtomicExchange(i4, ivec3(1, 0, 3), 11));
    d[4] = int(imageAtomicExchange(i5, ivec3(0, 0, 7), 11));
    d[5] = int(imageAtomicExchange(i6, ivec3(1, 1, 2), 11));
    d[6] = int(imageAtomicExchange(i7, ivec2(1, 2), 11));
    d[7] = int(imageAtomicExchange(i8, 5, 11));
}

//# imageAtomicExchange_float.comp
//! function imageAtomicExchange(IMAGE_PARAMS, float data)
//! bind 0.0 i32 zeros 8
//! image 0.1 R32_SFLOAT 1d 4 f32 1 2 3 4
//! expect image 0.1 f32 1 11 3 4
//! image 0.2 R32_SFLOAT 2d 4x2 f32 1 2 3 4 5 6 7 8
//! expect image 0.2 f32 1 2 3 4 5 11 7 8
//! image 0.3 R32_SFLOAT 3d 4x2x2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_SFLOAT cube 2x2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SFLOAT cube_array 1x1 layers 12 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 f32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_SFLOAT 2d_array 4x2 layers 3 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_SFLOAT 1d_array 4 layers 3 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 f32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_SFLOAT buffer 1 f32 1 2 3 4 5 6 7 8 9
//! expect 0.8 f32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 6 14 14 8 22 10 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32f) uniform image1D i1;
layout(set = 0, binding = 2, r32f) uniform image2D i2;
layout(set = 0, binding = 3, r32f) uniform image3D i3;
layout(set = 0, binding = 4, r32f) uniform imageCube i4;
layout(set = 0, binding = 5, r32f) uniform imageCubeArray i5;
layout(set = 0, binding = 6, r32f) uniform image2DArray i6;
layout(set = 0, binding = 7, r32f) uniform image1DArray i7;
layout(set = 0, binding = 8, r32f) uniform imageBuffer i8;
void main() {
    d[0] = int(imageAtomicExchange(i1, 1, 11.0));
    d[1] = int(imageAtomicExchange(i2, ivec2(1, 1), 11.0));
    d[2] = int(imageAtomicExchange(i3, ivec3(1, 1, 1), 11.0));
    d[3] = int(imageAtomicExchange(i4, ivec3(1, 0, 3), 11.0));
    d[4] = int(imageAtomicExchange(i5, ivec3(0, 0, 7), 11.0));
    d[5] = int(imageAtomicExchange(i6, ivec3(1, 1, 2), 11.0));
    d[6] = int(imageAtomicExchange(i7, ivec2(1, 2), 11.0));
    d[7] = int(imageAtomicExchange(i8, 5, 11.0));
}

//# imageAtomicCompSwap_uint.comp
//! function imageAtomicCompSwap(IMAGE_PARAMS, uint compare, uint data)
//! bind 0.0 i32 zeros 16
//! image 0.1 R32_UINT 1d 4 u32 1 2 3 4
//! expect image 0.1 u32 1 11 3 4
//! image 0.2 R32_UINT 2d 4x2 u32 1 2 3 4 5 6 7 8
//! expect image 0.2 u32 1 2 3 4 5 11 7 8
//! image 0.3 R32_UINT 3d 4x2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_UINT cube 2x2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_UINT cube_array 1x1 layers 12 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 u32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_UINT 2d_array 4x2 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_UINT 1d_array 4 layers 3 u32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 u32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.8 u32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 2 6 6 14 14 14 14 8 8 22 22 10 10 6 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D i1;
layout(set = 0, binding = 2, r32ui) uniform uimage2D i2;
layout(set = 0, binding = 3, r32ui) uniform uimage3D i3;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i4;
layout(set = 0, binding = 5, r32ui) uniform uimageCubeArray i5;
layout(set = 0, binding = 6, r32ui) uniform uimage2DArray i6;
layout(set = 0, binding = 7, r32ui) uniform uimage1DArray i7;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer i8;
void main() {
    d[0] = int(imageAtomicCompSwap(i1, 1, 1000u, 5u));
    d[1] = int(imageAtomicCompSwap(i1, 1, 2u, 11u));
    d[2] = int(imageAtomicCompSwap(i2, ivec2(1, 1), 1000u, 5u));
    d[3] = int(imageAtomicCompSwap(i2, ivec2(1, 1), 6u, 11u));
    d[4] = int(imageAtomicCompSwap(i3, ivec3(1, 1, 1), 1000u, 5u));
    d[5] = int(imageAtomicCompSwap(i3, ivec3(1, 1, 1), 14u, 11u));
    d[6] = int(imageAtomicCompSwap(i4, ivec3(1, 0, 3), 1000u, 5u));
    d[7] = int(imageAtomicCompSwap(i4, ivec3(1, 0, 3), 14u, 11u));
    d[8] = int(imageAtomicCompSwap(i5, ivec3(0, 0, 7), 1000u, 5u));
    d[9] = int(imageAtomicCompSwap(i5, ivec3(0, 0, 7), 8u, 11u));
    d[10] = int(imageAtomicCompSwap(i6, ivec3(1, 1, 2), 1000u, 5u));
    d[11] = int(imageAtomicCompSwap(i6, ivec3(1, 1, 2), 22u, 11u));
    d[12] = int(imageAtomicCompSwap(i7, ivec2(1, 2), 1000u, 5u));
    d[13] = int(imageAtomicCompSwap(i7, ivec2(1, 2), 10u, 11u));
    d[14] = int(imageAtomicCompSwap(i8, 5, 1000u, 5u));
    d[15] = int(imageAtomicCompSwap(i8, 5, 6u, 11u));
}

//# imageAtomicCompSwap_int.comp
//! function imageAtomicCompSwap(IMAGE_PARAMS, int compare, int data)
//! bind 0.0 i32 zeros 16
//! image 0.1 R32_SINT 1d 4 i32 1 2 3 4
//! expect image 0.1 i32 1 11 3 4
//! image 0.2 R32_SINT 2d 4x2 i32 1 2 3 4 5 6 7 8
//! expect image 0.2 i32 1 2 3 4 5 11 7 8
//! image 0.3 R32_SINT 3d 4x2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16
//! expect image 0.3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16
//! image 0.4 R32_SINT cube 2x2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.4 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 11 15 16 17 18 19 20 21 22 23 24
//! image 0.5 R32_SINT cube_array 1x1 layers 12 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.5 i32 1 2 3 4 5 6 7 11 9 10 11 12
//! image 0.6 R32_SINT 2d_array 4x2 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! expect image 0.6 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 11 23 24
//! image 0.7 R32_SINT 1d_array 4 layers 3 i32 1 2 3 4 5 6 7 8 9 10 11 12
//! expect image 0.7 i32 1 2 3 4 5 6 7 8 9 11 11 12
//! image 0.8 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! expect 0.8 i32 1 2 3 4 5 11 7 8 9
//! expect 0.0 i32 2 2 6 6 14 14 14 14 8 8 22 22 10 10 6 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1, r32i) uniform iimage1D i1;
layout(set = 0, binding = 2, r32i) uniform iimage2D i2;
layout(set = 0, binding = 3, r32i) uniform iimage3D i3;
layout(set = 0, binding = 4, r32i) uniform iimageCube i4;
layout(set = 0, binding = 5, r32i) uniform iimageCubeArray i5;
layout(set = 0, binding = 6, r32i) uniform iimage2DArray i6;
layout(set = 0, binding = 7, r32i) uniform iimage1DArray i7;
layout(set = 0, binding = 8, r32i) uniform iimageBuffer i8;
void main() {
    d[0] = int(imageAtomicCompSwap(i1, 1, 1000, 5));
    d[1] = int(imageAtomicCompSwap(i1, 1, 2, 11));
    d[2] = int(imageAtomicCompSwap(i2, ivec2(1, 1), 1000, 5));
    d[3] = int(imageAtomicCompSwap(i2, ivec2(1, 1), 6, 11));
    d[4] = int(imageAtomicCompSwap(i3, ivec3(1, 1, 1), 1000, 5));
    d[5] = int(imageAtomicCompSwap(i3, ivec3(1, 1, 1), 14, 11));
    d[6] = int(imageAtomicCompSwap(i4, ivec3(1, 0, 3), 1000, 5));
    d[7] = int(imageAtomicCompSwap(i4, ivec3(1, 0, 3), 14, 11));
    d[8] = int(imageAtomicCompSwap(i5, ivec3(0, 0, 7), 1000, 5));
    d[9] = int(imageAtomicCompSwap(i5, ivec3(0, 0, 7), 8, 11));
    d[10] = int(imageAtomicCompSwap(i6, ivec3(1, 1, 2), 1000, 5));
    d[11] = int(imageAtomicCompSwap(i6, ivec3(1, 1, 2), 22, 11));
    d[12] = int(imageAtomicCompSwap(i7, ivec2(1, 2), 1000, 5));
    d[13] = int(imageAtomicCompSwap(i7, ivec2(1, 2), 10, 11));
    d[14] = int(imageAtomicCompSwap(i8, 5, 1000, 5));
    d[15] = int(imageAtomicCompSwap(i8, 5, 6, 11));
}

//# atomicAdd_uint.comp
//! function atomicAdd(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 17
//! expect 0.0 u32 6 6 17
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicAdd(m, uint(11));
    s = uint(6);
    d[1] = atomicAdd(s, uint(11));
    d[2] = s;
}

//# atomicAdd_int.comp
//! function atomicAdd(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 5
//! expect 0.0 i32 -6 -6 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicAdd(m, int(11));
    s = int(-6);
    d[1] = atomicAdd(s, int(11));
    d[2] = s;
}

//# atomicMin_uint.comp
//! function atomicMin(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 6
//! expect 0.0 u32 6 6 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicMin(m, uint(11));
    s = uint(6);
    d[1] = atomicMin(s, uint(11));
    d[2] = s;
}

//# atomicMin_int.comp
//! function atomicMin(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 -6
//! expect 0.0 i32 -6 -6 -6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicMin(m, int(11));
    s = int(-6);
    d[1] = atomicMin(s, int(11));
    d[2] = s;
}

//# atomicMax_uint.comp
//! function atomicMax(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 11
//! expect 0.0 u32 6 6 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicMax(m, uint(11));
    s = uint(6);
    d[1] = atomicMax(s, uint(11));
    d[2] = s;
}

//# atomicMax_int.comp
//! function atomicMax(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 11
//! expect 0.0 i32 -6 -6 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicMax(m, int(11));
    s = int(-6);
    d[1] = atomicMax(s, int(11));
    d[2] = s;
}

//# atomicAnd_uint.comp
//! function atomicAnd(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 2
//! expect 0.0 u32 6 6 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicAnd(m, uint(11));
    s = uint(6);
    d[1] = atomicAnd(s, uint(11));
    d[2] = s;
}

//# atomicAnd_int.comp
//! function atomicAnd(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 10
//! expect 0.0 i32 -6 -6 10
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicAnd(m, int(11));
    s = int(-6);
    d[1] = atomicAnd(s, int(11));
    d[2] = s;
}

//# atomicOr_uint.comp
//! function atomicOr(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 15
//! expect 0.0 u32 6 6 15
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicOr(m, uint(11));
    s = uint(6);
    d[1] = atomicOr(s, uint(11));
    d[2] = s;
}

//# atomicOr_int.comp
//! function atomicOr(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 -5
//! expect 0.0 i32 -6 -6 -5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicOr(m, int(11));
    s = int(-6);
    d[1] = atomicOr(s, int(11));
    d[2] = s;
}

//# atomicXor_uint.comp
//! function atomicXor(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 13
//! expect 0.0 u32 6 6 13
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicXor(m, uint(11));
    s = uint(6);
    d[1] = atomicXor(s, uint(11));
    d[2] = s;
}

//# atomicXor_int.comp
//! function atomicXor(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 -15
//! expect 0.0 i32 -6 -6 -15
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicXor(m, int(11));
    s = int(-6);
    d[1] = atomicXor(s, int(11));
    d[2] = s;
}

//# atomicExchange_uint.comp
//! function atomicExchange(inout uint mem, uint data)
//! bind 0.0 u32 zeros 3
//! bind 0.1 u32 6
//! expect 0.1 u32 11
//! expect 0.0 u32 6 6 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicExchange(m, uint(11));
    s = uint(6);
    d[1] = atomicExchange(s, uint(11));
    d[2] = s;
}

//# atomicExchange_int.comp
//! function atomicExchange(inout int mem, int data)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 -6
//! expect 0.1 i32 11
//! expect 0.0 i32 -6 -6 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicExchange(m, int(11));
    s = int(-6);
    d[1] = atomicExchange(s, int(11));
    d[2] = s;
}

//# atomicCompSwap_uint.comp
//! function atomicCompSwap(inout uint mem, uint compare, uint data)
//! bind 0.0 u32 zeros 4
//! bind 0.1 u32 6
//! expect 0.1 u32 11
//! expect 0.0 u32 6 6 6 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(set = 0, binding = 1) buffer M { uint m; };
shared uint s;
void main() {
    d[0] = atomicCompSwap(m, uint(1000), uint(5));
    d[1] = atomicCompSwap(m, uint(6), uint(11));
    s = uint(6);
    d[2] = atomicCompSwap(s, uint(6), uint(11));
    d[3] = s;
}

//# atomicCompSwap_int.comp
//! function atomicCompSwap(inout int mem, int compare, int data)
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 -6
//! expect 0.1 i32 11
//! expect 0.0 i32 -6 -6 -6 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 1) buffer M { int m; };
shared int s;
void main() {
    d[0] = atomicCompSwap(m, int(1000), int(5));
    d[1] = atomicCompSwap(m, int(-6), int(11));
    s = int(-6);
    d[2] = atomicCompSwap(s, int(-6), int(11));
    d[3] = s;
}

//# emit.geom
//! function EmitVertex()
//! function EndPrimitive()
//! primitives 2
//! input 0.0 f32 1 2
//! expect count u32 3 3
//! expect strips u32 1 0 1 1 0 1
//! expect out 0.0 f32 1 2 3 2 3 4
#version 460
layout(points) in;
layout(line_strip, max_vertices = 3) out;
layout(location = 0) in float a[];
layout(location = 0) out float o;
void main() {
    o = a[0]; EmitVertex();
    o = a[0] + 1.0; EmitVertex(); EndPrimitive();
    o = a[0] + 2.0; EmitVertex();
}

//# emit_stream.geom
//! function EmitStreamVertex(int stream)
//! function EndStreamPrimitive(int stream)
//! primitives 2
//! input 0.0 f32 1 2
//! expect count u32 1 1
//! expect count@3 u32 1 1
//! expect out 0.0 f32 1 2
//! expect out 1.0@3 f32 2 3
#version 460
layout(points) in;
layout(points, max_vertices = 3) out;
layout(location = 0) in float a[];
layout(location = 0, stream = 0) out float o;
layout(location = 1, stream = 3) out float p;
void main() {
    o = a[0]; EmitStreamVertex(0); EndStreamPrimitive(0);
    p = a[0] + 1.0; EmitStreamVertex(3); EndStreamPrimitive(3);
}

//# derivatives.frag
//! function dFdx(genFType p)
//! function dFdy(genFType p)
//! function fwidth(genFType p)
//! function dFdxFine(genFType p)
//! function dFdyFine(genFType p)
//! function fwidthFine(genFType p)
//! function dFdxCoarse(genFType p)
//! function dFdyCoarse(genFType p)
//! function fwidthCoarse(genFType p)
//! pixels 8 4
//! plane 0.0 f32 0 1 2
//! plane 0.1 f32 0 3 5
//! plane 0.2 f32 0 7 11
//! plane 0.3 f32 0 13 17
//! expect out 0.0 f32 1*32
//! expect out 1.0 f32 2*32
//! expect out 2.0 f32 3*32
//! expect out 0.1 f32 3*32
//! expect out 1.1 f32 5*32
//! expect out 2.1 f32 8*32
//! expect out 0.2 f32 7*32
//! expect out 1.2 f32 11*32
//! expect out 2.2 f32 18*32
//! expect out 0.3 f32 13*32
//! expect out 1.3 f32 17*32
//! expect out 2.3 f32 30*32
//! expect out 3.0 f32 612*32
#version 460
layout(location = 0) in vec4 v;
layout(location = 0) out vec4 x;
layout(location = 1) out vec4 y;
layout(location = 2) out vec4 w;
layout(location = 3) out float sum;
void main() {
    x = dFdx(v);
    y = dFdy(v);
    w = fwidth(v);
    float total = 0.0;
    total += dot(vec2(dFdx(v.x), 0.0), vec2(1.0));
    total += dot(dFdx(v.xy), vec2(1.0));
    total += dot(dFdx(v.xyz), vec3(1.0));
    total += dot(dFdx(v.xyzw), vec4(1.0));
    total += dot(vec2(dFdxFine(v.x), 0.0), vec2(1.0));
    total += dot(dFdxFine(v.xy), vec2(1.0));
    total += dot(dFdxFine(v.xyz), vec3(1.0));
    total += dot(dFdxFine(v.xyzw), vec4(1.0));
    total += dot(vec2(dFdxCoarse(v.x), 0.0), vec2(1.0));
    total += dot(dFdxCoarse(v.xy), vec2(1.0));
    total += dot(dFdxCoarse(v.xyz), vec3(1.0));
    total += dot(dFdxCoarse(v.xyzw), vec4(1.0));
    total += dot(vec2(dFdy(v.x), 0.0), vec2(1.0));
    total += dot(dFdy(v.xy), vec2(1.0));
    total += dot(dFdy(v.xyz), vec3(1.0));
    total += dot(dFdy(v.xyzw), vec4(1.0));
    total += dot(vec2(dFdyFine(v.x), 0.0), vec2(1.0));
    total += dot(dFdyFine(v.xy), vec2(1.0));
    total += dot(dFdyFine(v.xyz), vec3(1.0));
    total += dot(dFdyFine(v.xyzw), vec4(1.0));
    total += dot(vec2(dFdyCoarse(v.x), 0.0), vec2(1.0));
    total += dot(dFdyCoarse(v.xy), vec2(1.0));
    total += dot(dFdyCoarse(v.xyz), vec3(1.0));
    total += dot(dFdyCoarse(v.xyzw), vec4(1.0));
    total += dot(vec2(fwidth(v.x), 0.0), vec2(1.0));
    total += dot(fwidth(v.xy), vec2(1.0));
    total += dot(fwidth(v.xyz), vec3(1.0));
    total += dot(fwidth(v.xyzw), vec4(1.0));
    total += dot(vec2(fwidthFine(v.x), 0.0), vec2(1.0));
    total += dot(fwidthFine(v.xy), vec2(1.0));
    total += dot(fwidthFine(v.xyz), vec3(1.0));
    total += dot(fwidthFine(v.xyzw), vec4(1.0));
    total += dot(vec2(fwidthCoarse(v.x), 0.0), vec2(1.0));
    total += dot(fwidthCoarse(v.xy), vec2(1.0));
    total += dot(fwidthCoarse(v.xyz), vec3(1.0));
    total += dot(fwidthCoarse(v.xyzw), vec4(1.0));
    sum = total;
}

//# interpolateAt.frag
//! function interpolateAtCentroid(float interpolant)
//! function interpolateAtCentroid(vec2 interpolant)
//! function interpolateAtCentroid(vec3 interpolant)
//! function interpolateAtCentroid(vec4 interpolant)
//! function interpolateAtSample(float interpolant, int sample)
//! function interpolateAtSample(vec2 interpolant, int sample)
//! function interpolateAtSample(vec3 interpolant, int sample)
//! function interpolateAtSample(vec4 interpolant, int sample)
//! function interpolateAtOffset(float interpolant, vec2 offset)
//! function interpolateAtOffset(vec2 interpolant, vec2 offset)
//! function interpolateAtOffset(vec3 interpolant, vec2 offset)
//! function interpolateAtOffset(vec4 interpolant, vec2 offset)
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! plane 1.0 f32 0 1 0
//! plane 1.1 f32 0 2 0
//! plane 2.0 f32 0 1 0
//! plane 2.1 f32 0 2 0
//! plane 2.2 f32 0 3 0
//! plane 3.0 f32 0 1 0
//! plane 3.1 f32 0 2 0
//! plane 3.2 f32 0 3 0
//! plane 3.3 f32 0 4 0
//! expect out 0.0 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
//! expect out 0.1 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
//! expect out 0.2 f32 0.75 1.75 2.75 3.75 4.75 5.75 6.75 7.75
//! expect out 1.0 f32 1.0 3.0 5.0 7.0 9.0 11.0 13.0 15.0
//! expect out 1.1 f32 1.0 3.0 5.0 7.0 9.0 11.0 13.0 15.0
//! expect out 1.2 f32 1.5 3.5 5.5 7.5 9.5 11.5 13.5 15.5
//! expect out 2.0 f32 1.5 4.5 7.5 10.5 13.5 16.5 19.5 22.5
//! expect out 2.1 f32 1.5 4.5 7.5 10.5 13.5 16.5 19.5 22.5
//! expect out 2.2 f32 2.25 5.25 8.25 11.25 14.25 17.25 20.25 23.25
//! expect out 3.0 f32 2.0 6.0 10.0 14.0 18.0 22.0 26.0 30.0
//! expect out 3.1 f32 2.0 6.0 10.0 14.0 18.0 22.0 26.0 30.0
//! expect out 3.2 f32 3.0 7.0 11.0 15.0 19.0 23.0 27.0 31.0
#version 460
layout(location = 0) in float v1;
layout(location = 0) out vec3 o1;
layout(location = 1) in vec2 v2;
layout(location = 1) out vec3 o2;
layout(location = 2) in vec3 v3;
layout(location = 2) out vec3 o3;
layout(location = 3) in vec4 v4;
layout(location = 3) out vec3 o4;
void main() {
    o1 = vec3(interpolateAtCentroid(v1), interpolateAtSample(v1, 0), interpolateAtOffset(v1, vec2(0.25, 0.0)));
    o2 = vec3(interpolateAtCentroid(v2).y, interpolateAtSample(v2, 0).y, interpolateAtOffset(v2, vec2(0.25, 0.0)).y);
    o3 = vec3(interpolateAtCentroid(v3).z, interpolateAtSample(v3, 0).z, interpolateAtOffset(v3, vec2(0.25, 0.0)).z);
    o4 = vec3(interpolateAtCentroid(v4).w, interpolateAtSample(v4, 0).w, interpolateAtOffset(v4, vec2(0.25, 0.0)).w);
}

//# barriers.comp
//! function barrier()
//! function memoryBarrier()
//! function memoryBarrierBuffer()
//! function memoryBarrierShared()
//! function memoryBarrierImage()
//! function groupMemoryBarrier()
//! bind 0.0 i32 zeros 8
//! bind 0.1 i32 9*8
//! expect 0.0 i32 7 6 5 4 3 2 1 0
#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
shared int s[8];
layout(set = 0, binding = 1) coherent buffer B { int b[]; };
void main() {
    uint i = gl_LocalInvocationIndex;
    s[i] = int(i);
    b[i] = 0;
    memoryBarrier();
    memoryBarrierBuffer();
    memoryBarrierShared();
    memoryBarrierImage();
    groupMemoryBarrier();
    barrier();
    d[i] = s[7u - i] + b[7u - i];
}

//# votes.comp
//! function anyInvocation(bool value)
//! function allInvocations(bool value)
//! function allInvocationsEqual(bool value)
//! bind 0.0 i32 zeros 6
//! lanes 8
//! expect 0.0 i32 1 0 0 1 1 0
#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };

void main() {
    int i = int(gl_LocalInvocationIndex);
    bool a = anyInvocation(i == 3), b = anyInvocation(i == 8), c = allInvocations(i != 3), e = allInvocations(i < 8);
    bool f = allInvocationsEqual(i >= 0), g = allInvocationsEqual(i < 3);
    if (i == 0) { d[0] = int(a); d[1] = int(b); d[2] = int(c); d[3] = int(e); d[4] = int(f); d[5] = int(g); }
}
