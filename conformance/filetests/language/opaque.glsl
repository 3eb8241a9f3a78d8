// Every type of sampler and image, of floats, of signed and of unsigned integers.

//# sampler1D.comp
//! feature types: sampler1D / isampler1D / usampler1D
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 1d 4 f32 0 1 2 3
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 1d 4 i32 10 9 8 7
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 1d 4 u32 20 21 22 23
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 2 8 22
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler1D s0;
layout(set = 0, binding = 3) uniform isampler1D s1;
layout(set = 0, binding = 4) uniform usampler1D s2;
void main() {
    d[0] = int(texelFetch(s0, 2, 0).x);
    d[1] = int(texelFetch(s1, 2, 0).x);
    d[2] = int(texelFetch(s2, 2, 0).x);
}

//# sampler1DArray.comp
//! feature types: sampler1DArray / isampler1DArray / usampler1DArray
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 1d_array 4 layers 3 f32 0 1 2 3 4 5 6 7 8 9 10 11
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 1d_array 4 layers 3 i32 10 9 8 7 6 5 4 3 2 1 0 -1
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 1d_array 4 layers 3 u32 20 21 22 23 24 25 26 27 28 29 30 31
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 9 1 29
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler1DArray s0;
layout(set = 0, binding = 3) uniform isampler1DArray s1;
layout(set = 0, binding = 4) uniform usampler1DArray s2;
void main() {
    d[0] = int(texelFetch(s0, ivec2(1, 2), 0).x);
    d[1] = int(texelFetch(s1, ivec2(1, 2), 0).x);
    d[2] = int(texelFetch(s2, ivec2(1, 2), 0).x);
}

//# sampler2D.comp
//! feature types: sampler2D / isampler2D / usampler2D
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d 4x2 f32 0 1 2 3 4 5 6 7
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 2d 4x2 i32 10 9 8 7 6 5 4 3
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 2d 4x2 u32 20 21 22 23 24 25 26 27
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 6 4 26
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2D s0;
layout(set = 0, binding = 3) uniform isampler2D s1;
layout(set = 0, binding = 4) uniform usampler2D s2;
void main() {
    d[0] = int(textureLod(s0, vec2(0.625, 0.75), 0.0).x);
    d[1] = int(textureLod(s1, vec2(0.625, 0.75), 0.0).x);
    d[2] = int(textureLod(s2, vec2(0.625, 0.75), 0.0).x);
}

//# sampler2DArray.comp
//! feature types: sampler2DArray / isampler2DArray / usampler2DArray
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d_array 2x2 layers 3 f32 0 1 2 3 4 5 6 7 8 9 10 11
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 2d_array 2x2 layers 3 i32 10 9 8 7 6 5 4 3 2 1 0 -1
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 2d_array 2x2 layers 3 u32 20 21 22 23 24 25 26 27 28 29 30 31
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 9 1 29
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2DArray s0;
layout(set = 0, binding = 3) uniform isampler2DArray s1;
layout(set = 0, binding = 4) uniform usampler2DArray s2;
void main() {
    d[0] = int(textureLod(s0, vec3(0.75, 0.25, 2.0), 0.0).x);
    d[1] = int(textureLod(s1, vec3(0.75, 0.25, 2.0), 0.0).x);
    d[2] = int(textureLod(s2, vec3(0.75, 0.25, 2.0), 0.0).x);
}

//# sampler2DMS.comp
//! feature types: sampler2DMS / isampler2DMS / usampler2DMS
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d 2x1 samples 4 f32 0 1 2 3 4 5 6 7
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 2d 2x1 samples 4 i32 10 9 8 7 6 5 4 3
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 2d 2x1 samples 4 u32 20 21 22 23 24 25 26 27
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 5 5 25
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2DMS s0;
layout(set = 0, binding = 3) uniform isampler2DMS s1;
layout(set = 0, binding = 4) uniform usampler2DMS s2;
void main() {
    d[0] = int(texelFetch(s0, ivec2(1, 0), 2).x);
    d[1] = int(texelFetch(s1, ivec2(1, 0), 2).x);
    d[2] = int(texelFetch(s2, ivec2(1, 0), 2).x);
}

//# sampler2DMSArray.comp
//! feature types: sampler2DMSArray / isampler2DMSArray / usampler2DMSArray
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 0 1 2 3 4 5 6 7
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 10 9 8 7 6 5 4 3
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 20 21 22 23 24 25 26 27
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 7 3 27
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2DMSArray s0;
layout(set = 0, binding = 3) uniform isampler2DMSArray s1;
layout(set = 0, binding = 4) uniform usampler2DMSArray s2;
void main() {
    d[0] = int(texelFetch(s0, ivec3(0, 0, 1), 3).x);
    d[1] = int(texelFetch(s1, ivec3(0, 0, 1), 3).x);
    d[2] = int(texelFetch(s2, ivec3(0, 0, 1), 3).x);
}

//# sampler3D.comp
//! feature types: sampler3D / isampler3D / usampler3D
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 3d 2x2x3 f32 0 1 2 3 4 5 6 7 8 9 10 11
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT 3d 2x2x3 i32 10 9 8 7 6 5 4 3 2 1 0 -1
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT 3d 2x2x3 u32 20 21 22 23 24 25 26 27 28 29 30 31
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 10 0 30
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler3D s0;
layout(set = 0, binding = 3) uniform isampler3D s1;
layout(set = 0, binding = 4) uniform usampler3D s2;
void main() {
    d[0] = int(textureLod(s0, vec3(0.25, 0.75, 0.9), 0.0).x);
    d[1] = int(textureLod(s1, vec3(0.25, 0.75, 0.9), 0.0).x);
    d[2] = int(textureLod(s2, vec3(0.25, 0.75, 0.9), 0.0).x);
}

//# samplerCube.comp
//! feature types: samplerCube / isamplerCube / usamplerCube
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT cube 2x2 f32 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT cube 2x2 i32 10 9 8 7 6 5 4 3 2 1 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT cube 2x2 u32 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 3 7 23
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform samplerCube s0;
layout(set = 0, binding = 3) uniform isamplerCube s1;
layout(set = 0, binding = 4) uniform usamplerCube s2;
void main() {
    d[0] = int(textureLod(s0, vec3(1.0, -0.5, -0.5), 0.0).x);
    d[1] = int(textureLod(s1, vec3(1.0, -0.5, -0.5), 0.0).x);
    d[2] = int(textureLod(s2, vec3(1.0, -0.5, -0.5), 0.0).x);
}

//# samplerCubeArray.comp
//! feature types: samplerCubeArray / isamplerCubeArray / usamplerCubeArray
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT cube_array 2x2 layers 12 f32 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47
//! sampler 0.2 nearest clamp
//! image 0.3 R32_SINT cube_array 2x2 layers 12 i32 10 9 8 7 6 5 4 3 2 1 0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -10 -11 -12 -13 -14 -15 -16 -17 -18 -19 -20 -21 -22 -23 -24 -25 -26 -27 -28 -29 -30 -31 -32 -33 -34 -35 -36 -37
//! sampler 0.3 nearest clamp
//! image 0.4 R32_UINT cube_array 2x2 layers 12 u32 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67
//! sampler 0.4 nearest clamp
//! expect 0.0 i32 41 -31 61
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform samplerCubeArray s0;
layout(set = 0, binding = 3) uniform isamplerCubeArray s1;
layout(set = 0, binding = 4) uniform usamplerCubeArray s2;
void main() {
    d[0] = int(textureLod(s0, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x);
    d[1] = int(textureLod(s1, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x);
    d[2] = int(textureLod(s2, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x);
}

//# samplerBuffer.comp
//! feature types: samplerBuffer / isamplerBuffer / usamplerBuffer
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT buffer 1 f32 0 1 2 3 4 5 6 7 8
//! image 0.3 R32_SINT buffer 1 i32 10 9 8 7 6 5 4 3 2
//! image 0.4 R32_UINT buffer 1 u32 20 21 22 23 24 25 26 27 28
//! expect 0.0 i32 5 5 25
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform samplerBuffer s0;
layout(set = 0, binding = 3) uniform isamplerBuffer s1;
layout(set = 0, binding = 4) uniform usamplerBuffer s2;
void main() {
    d[0] = int(texelFetch(s0, 5).x);
    d[1] = int(texelFetch(s1, 5).x);
    d[2] = int(texelFetch(s2, 5).x);
}

//# sampler1DShadow.comp
//! feature types: sampler1DShadow
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 1d 4 f32 1 2 3 4
//! sampler 0.2 nearest clamp less
//! expect 0.0 i32 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler1DShadow s;
void main() {
    d[0] = int(textureLod(s, vec3(0.625, 0.0, 2.5), 0.0));
    d[1] = int(textureLod(s, vec3(0.625, 0.0, 3.0), 0.0));
    d[2] = int(textureLod(s, vec3(0.625, 0.0, 3.5), 0.0));
}

//# sampler1DArrayShadow.comp
//! feature types: sampler1DArrayShadow
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 1d_array 4 layers 3 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! sampler 0.2 nearest clamp less
//! expect 0.0 i32 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler1DArrayShadow s;
void main() {
    d[0] = int(textureLod(s, vec3(0.375, 2.0, 9.5), 0.0));
    d[1] = int(textureLod(s, vec3(0.375, 2.0, 10.0), 0.0));
    d[2] = int(textureLod(s, vec3(0.375, 2.0, 10.5), 0.0));
}

//# sampler2DShadow.comp
//! feature types: sampler2DShadow
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d 4x2 f32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp less
//! expect 0.0 i32 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2DShadow s;
void main() {
    d[0] = int(textureLod(s, vec3(0.625, 0.75, 6.5), 0.0));
    d[1] = int(textureLod(s, vec3(0.625, 0.75, 7.0), 0.0));
    d[2] = int(textureLod(s, vec3(0.625, 0.75, 7.5), 0.0));
}

//# sampler2DArrayShadow.comp
//! feature types: sampler2DArrayShadow
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d_array 2x2 layers 3 f32 1 2 3 4 5 6 7 8 9 10 11 12
//! sampler 0.2 nearest clamp less
//! expect 0.0 i32 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform sampler2DArrayShadow s;
void main() {
    d[0] = int(textureGrad(s, vec4(0.75, 0.25, 2.0, 9.5), vec2(0.0), vec2(0.0)));
    d[1] = int(textureGrad(s, vec4(0.75, 0.25, 2.0, 10.0), vec2(0.0), vec2(0.0)));
    d[2] = int(textureGrad(s, vec4(0.75, 0.25, 2.0, 10.5), vec2(0.0), vec2(0.0)));
}

//# samplerCubeShadow.comp
//! feature types: samplerCubeShadow
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT cube 2x2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24
//! sampler 0.2 nearest clamp less
//! expect 0.0 i32 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform samplerCubeShadow s;
void main() {
    d[0] = int(textureGrad(s, vec4(1.0, -0.5, -0.5, 3.5), vec3(0.0), vec3(0.0)));
    d[1] = int(textureGrad(s, vec4(1.0, -0.5, -0.5, 4.0), vec3(0.0), vec3(0.0)));
    d[2] = int(textureGrad(s, vec4(1.0, -0.5, -0.5, 4.5), vec3(0.0), vec3(0.0)));
}

//# samplerCubeArrayShadow.comp
//! feature types: samplerCubeArrayShadow
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT cube_array 2x2 layers 12 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48
//! sampler 0.2 nearest clamp less
//! expect 0.0 i32 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform samplerCubeArrayShadow s;
void main() {
    d[0] = int(textureGather(s, vec4(1.0, 0.0, 0.0, 1.0), 26.5).x);
    d[1] = int(textureGather(s, vec4(1.0, 0.0, 0.0, 1.0), 27.0).x);
    d[2] = int(textureGather(s, vec4(1.0, 0.0, 0.0, 1.0), 27.5).x);
}

//# image1D.comp
//! feature types: image1D / iimage1D / uimage1D
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT 1d 4 f32 0 1 2 3
//! expect image 0.2 f32 0 1 77 3
//! image 0.3 R32_SINT 1d 4 i32 10 9 8 7
//! expect image 0.3 i32 10 14 -78 7
//! image 0.4 R32_UINT 1d 4 u32 20 21 22 23
//! expect image 0.4 u32 20 26 79 23
//! expect 0.0 i32 1 9 21 9 21
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image1D i0;
layout(set = 0, binding = 3, r32i) uniform iimage1D i1;
layout(set = 0, binding = 4, r32ui) uniform uimage1D i2;
void main() {
    d[0] = int(imageLoad(i0, 1).x);
    imageStore(i0, 2, vec4(77));
    d[1] = int(imageLoad(i1, 1).x);
    imageStore(i1, 2, ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, 1, 5));
    d[2] = int(imageLoad(i2, 1).x);
    imageStore(i2, 2, uvec4(79));
    d[4] = int(imageAtomicAdd(i2, 1, 5u));
}

//# image1DArray.comp
//! feature types: image1DArray / iimage1DArray / uimage1DArray
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT 1d_array 2 layers 3 f32 0 1 2 3 4 5
//! expect image 0.2 f32 0 1 2 3 77 5
//! image 0.3 R32_SINT 1d_array 2 layers 3 i32 10 9 8 7 6 5
//! expect image 0.3 i32 10 9 8 12 -78 5
//! image 0.4 R32_UINT 1d_array 2 layers 3 u32 20 21 22 23 24 25
//! expect image 0.4 u32 20 21 22 28 79 25
//! expect 0.0 i32 3 7 23 7 23
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image1DArray i0;
layout(set = 0, binding = 3, r32i) uniform iimage1DArray i1;
layout(set = 0, binding = 4, r32ui) uniform uimage1DArray i2;
void main() {
    d[0] = int(imageLoad(i0, ivec2(1, 1)).x);
    imageStore(i0, ivec2(0, 2), vec4(77));
    d[1] = int(imageLoad(i1, ivec2(1, 1)).x);
    imageStore(i1, ivec2(0, 2), ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, ivec2(1, 1), 5));
    d[2] = int(imageLoad(i2, ivec2(1, 1)).x);
    imageStore(i2, ivec2(0, 2), uvec4(79));
    d[4] = int(imageAtomicAdd(i2, ivec2(1, 1), 5u));
}

//# image2D.comp
//! feature types: image2D / iimage2D / uimage2D
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT 2d 2x2 f32 0 1 2 3
//! expect image 0.2 f32 0 1 2 77
//! image 0.3 R32_SINT 2d 2x2 i32 10 9 8 7
//! expect image 0.3 i32 10 14 8 -78
//! image 0.4 R32_UINT 2d 2x2 u32 20 21 22 23
//! expect image 0.4 u32 20 26 22 79
//! expect 0.0 i32 1 9 21 9 21
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image2D i0;
layout(set = 0, binding = 3, r32i) uniform iimage2D i1;
layout(set = 0, binding = 4, r32ui) uniform uimage2D i2;
void main() {
    d[0] = int(imageLoad(i0, ivec2(1, 0)).x);
    imageStore(i0, ivec2(1, 1), vec4(77));
    d[1] = int(imageLoad(i1, ivec2(1, 0)).x);
    imageStore(i1, ivec2(1, 1), ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, ivec2(1, 0), 5));
    d[2] = int(imageLoad(i2, ivec2(1, 0)).x);
    imageStore(i2, ivec2(1, 1), uvec4(79));
    d[4] = int(imageAtomicAdd(i2, ivec2(1, 0), 5u));
}

//# image2DArray.comp
//! feature types: image2DArray / iimage2DArray / uimage2DArray
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT 2d_array 2x2 layers 2 f32 0 1 2 3 4 5 6 7
//! expect image 0.2 f32 0 1 2 3 4 5 77 7
//! image 0.3 R32_SINT 2d_array 2x2 layers 2 i32 10 9 8 7 6 5 4 3
//! expect image 0.3 i32 10 9 8 7 6 10 -78 3
//! image 0.4 R32_UINT 2d_array 2x2 layers 2 u32 20 21 22 23 24 25 26 27
//! expect image 0.4 u32 20 21 22 23 24 30 79 27
//! expect 0.0 i32 5 5 25 5 25
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image2DArray i0;
layout(set = 0, binding = 3, r32i) uniform iimage2DArray i1;
layout(set = 0, binding = 4, r32ui) uniform uimage2DArray i2;
void main() {
    d[0] = int(imageLoad(i0, ivec3(1, 0, 1)).x);
    imageStore(i0, ivec3(0, 1, 1), vec4(77));
    d[1] = int(imageLoad(i1, ivec3(1, 0, 1)).x);
    imageStore(i1, ivec3(0, 1, 1), ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, ivec3(1, 0, 1), 5));
    d[2] = int(imageLoad(i2, ivec3(1, 0, 1)).x);
    imageStore(i2, ivec3(0, 1, 1), uvec4(79));
    d[4] = int(imageAtomicAdd(i2, ivec3(1, 0, 1), 5u));
}

//# image2DMS.comp
//! feature types: image2DMS / iimage2DMS / uimage2DMS
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d 2x1 samples 4 f32 0 1 2 3 4 5 6 7
//! expect image 0.2 f32 0 1 2 3 4 5 77 7
//! image 0.3 R32_SINT 2d 2x1 samples 4 i32 10 9 8 7 6 5 4 3
//! expect image 0.3 i32 10 9 8 7 6 5 -78 3
//! image 0.4 R32_UINT 2d 2x1 samples 4 u32 20 21 22 23 24 25 26 27
//! expect image 0.4 u32 20 21 22 23 24 25 79 27
//! expect 0.0 i32 5 5 25
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image2DMS i0;
layout(set = 0, binding = 3, r32i) uniform iimage2DMS i1;
layout(set = 0, binding = 4, r32ui) uniform uimage2DMS i2;
void main() {
    d[0] = int(imageLoad(i0, ivec2(1, 0), 2).x);
    imageStore(i0, ivec2(0, 0), 3, vec4(77));
    d[1] = int(imageLoad(i1, ivec2(1, 0), 2).x);
    imageStore(i1, ivec2(0, 0), 3, ivec4(-78));
    d[2] = int(imageLoad(i2, ivec2(1, 0), 2).x);
    imageStore(i2, ivec2(0, 0), 3, uvec4(79));
}

//# image2DMSArray.comp
//! feature types: image2DMSArray / iimage2DMSArray / uimage2DMSArray
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 0 1 2 3 4 5 6 7
//! expect image 0.2 f32 0 1 77 3 4 5 6 7
//! image 0.3 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 10 9 8 7 6 5 4 3
//! expect image 0.3 i32 10 9 -78 7 6 5 4 3
//! image 0.4 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 20 21 22 23 24 25 26 27
//! expect image 0.4 u32 20 21 79 23 24 25 26 27
//! expect 0.0 i32 5 5 25
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image2DMSArray i0;
layout(set = 0, binding = 3, r32i) uniform iimage2DMSArray i1;
layout(set = 0, binding = 4, r32ui) uniform uimage2DMSArray i2;
void main() {
    d[0] = int(imageLoad(i0, ivec3(0, 0, 1), 1).x);
    imageStore(i0, ivec3(0, 0, 0), 2, vec4(77));
    d[1] = int(imageLoad(i1, ivec3(0, 0, 1), 1).x);
    imageStore(i1, ivec3(0, 0, 0), 2, ivec4(-78));
    d[2] = int(imageLoad(i2, ivec3(0, 0, 1), 1).x);
    imageStore(i2, ivec3(0, 0, 0), 2, uvec4(79));
}

//# image3D.comp
//! feature types: image3D / iimage3D / uimage3D
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT 3d 2x2x2 f32 0 1 2 3 4 5 6 7
//! expect image 0.2 f32 0 1 2 3 4 5 77 7
//! image 0.3 R32_SINT 3d 2x2x2 i32 10 9 8 7 6 5 4 3
//! expect image 0.3 i32 10 9 8 7 6 10 -78 3
//! image 0.4 R32_UINT 3d 2x2x2 u32 20 21 22 23 24 25 26 27
//! expect image 0.4 u32 20 21 22 23 24 30 79 27
//! expect 0.0 i32 5 5 25 5 25
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform image3D i0;
layout(set = 0, binding = 3, r32i) uniform iimage3D i1;
layout(set = 0, binding = 4, r32ui) uniform uimage3D i2;
void main() {
    d[0] = int(imageLoad(i0, ivec3(1, 0, 1)).x);
    imageStore(i0, ivec3(0, 1, 1), vec4(77));
    d[1] = int(imageLoad(i1, ivec3(1, 0, 1)).x);
    imageStore(i1, ivec3(0, 1, 1), ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, ivec3(1, 0, 1), 5));
    d[2] = int(imageLoad(i2, ivec3(1, 0, 1)).x);
    imageStore(i2, ivec3(0, 1, 1), uvec4(79));
    d[4] = int(imageAtomicAdd(i2, ivec3(1, 0, 1), 5u));
}

//# imageCube.comp
//! feature types: imageCube / iimageCube / uimageCube
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT cube 1x1 f32 0 1 2 3 4 5
//! expect image 0.2 f32 0 1 2 3 4 77
//! image 0.3 R32_SINT cube 1x1 i32 10 9 8 7 6 5
//! expect image 0.3 i32 10 9 8 12 6 -78
//! image 0.4 R32_UINT cube 1x1 u32 20 21 22 23 24 25
//! expect image 0.4 u32 20 21 22 28 24 79
//! expect 0.0 i32 3 7 23 7 23
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform imageCube i0;
layout(set = 0, binding = 3, r32i) uniform iimageCube i1;
layout(set = 0, binding = 4, r32ui) uniform uimageCube i2;
void main() {
    d[0] = int(imageLoad(i0, ivec3(0, 0, 3)).x);
    imageStore(i0, ivec3(0, 0, 5), vec4(77));
    d[1] = int(imageLoad(i1, ivec3(0, 0, 3)).x);
    imageStore(i1, ivec3(0, 0, 5), ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, ivec3(0, 0, 3), 5));
    d[2] = int(imageLoad(i2, ivec3(0, 0, 3)).x);
    imageStore(i2, ivec3(0, 0, 5), uvec4(79));
    d[4] = int(imageAtomicAdd(i2, ivec3(0, 0, 3), 5u));
}

//# imageCubeArray.comp
//! feature types: imageCubeArray / iimageCubeArray / uimageCubeArray
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT cube_array 1x1 layers 12 f32 0 1 2 3 4 5 6 7 8 9 10 11
//! expect image 0.2 f32 0 1 2 3 4 5 6 77 8 9 10 11
//! image 0.3 R32_SINT cube_array 1x1 layers 12 i32 10 9 8 7 6 5 4 3 2 1 0 -1
//! expect image 0.3 i32 10 9 8 7 6 5 4 -78 2 6 0 -1
//! image 0.4 R32_UINT cube_array 1x1 layers 12 u32 20 21 22 23 24 25 26 27 28 29 30 31
//! expect image 0.4 u32 20 21 22 23 24 25 26 79 28 34 30 31
//! expect 0.0 i32 9 1 29 1 29
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform imageCubeArray i0;
layout(set = 0, binding = 3, r32i) uniform iimageCubeArray i1;
layout(set = 0, binding = 4, r32ui) uniform uimageCubeArray i2;
void main() {
    d[0] = int(imageLoad(i0, ivec3(0, 0, 9)).x);
    imageStore(i0, ivec3(0, 0, 7), vec4(77));
    d[1] = int(imageLoad(i1, ivec3(0, 0, 9)).x);
    imageStore(i1, ivec3(0, 0, 7), ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, ivec3(0, 0, 9), 5));
    d[2] = int(imageLoad(i2, ivec3(0, 0, 9)).x);
    imageStore(i2, ivec3(0, 0, 7), uvec4(79));
    d[4] = int(imageAtomicAdd(i2, ivec3(0, 0, 9), 5u));
}

//# imageBuffer.comp
//! feature types: imageBuffer / iimageBuffer / uimageBuffer
//! bind 0.0 i32 zeros 5
//! image 0.2 R32_SFLOAT buffer 1 f32 0 1 2 3 4
//! expect 0.2 f32 0 1 2 3 77
//! image 0.3 R32_SINT buffer 1 i32 10 9 8 7 6
//! expect 0.3 i32 10 9 8 12 -78
//! image 0.4 R32_UINT buffer 1 u32 20 21 22 23 24
//! expect 0.4 u32 20 21 22 28 79
//! expect 0.0 i32 3 7 23 7 23
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2, r32f) uniform imageBuffer i0;
layout(set = 0, binding = 3, r32i) uniform iimageBuffer i1;
layout(set = 0, binding = 4, r32ui) uniform uimageBuffer i2;
void main() {
    d[0] = int(imageLoad(i0, 3).x);
    imageStore(i0, 4, vec4(77));
    d[1] = int(imageLoad(i1, 3).x);
    imageStore(i1, 4, ivec4(-78));
    d[3] = int(imageAtomicAdd(i1, 3, 5));
    d[2] = int(imageLoad(i2, 3).x);
    imageStore(i2, 4, uvec4(79));
    d[4] = int(imageAtomicAdd(i2, 3, 5u));
}
