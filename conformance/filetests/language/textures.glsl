// Functions of textures: every signature; texels are numbered from 1, those of the second level from 101.

//# textureSize_1D.comp
//! function textureSize(gsampler1D sampler, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 2 4 2 4 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureSize(t0, 0));
    d[1] = float(textureSize(t0, 1));
    d[2] = float(textureSize(t1, 0));
    d[3] = float(textureSize(t1, 1));
    d[4] = float(textureSize(t2, 0));
    d[5] = float(textureSize(t2, 1));
}

//# textureSize_2D.comp
//! function textureSize(gsampler2D sampler, int lod)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 2 2 1 4 2 2 1 4 2 2 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 1).x);
    d[3] = float(textureSize(t0, 1).y);
    d[4] = float(textureSize(t1, 0).x);
    d[5] = float(textureSize(t1, 0).y);
    d[6] = float(textureSize(t1, 1).x);
    d[7] = float(textureSize(t1, 1).y);
    d[8] = float(textureSize(t2, 0).x);
    d[9] = float(textureSize(t2, 0).y);
    d[10] = float(textureSize(t2, 1).x);
    d[11] = float(textureSize(t2, 1).y);
}

//# textureSize_3D.comp
//! function textureSize(gsampler3D sampler, int lod)
//! bind 0.0 f32 zeros 18
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 2 2 2 1 1 4 2 2 2 1 1 4 2 2 2 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 0).z);
    d[3] = float(textureSize(t0, 1).x);
    d[4] = float(textureSize(t0, 1).y);
    d[5] = float(textureSize(t0, 1).z);
    d[6] = float(textureSize(t1, 0).x);
    d[7] = float(textureSize(t1, 0).y);
    d[8] = float(textureSize(t1, 0).z);
    d[9] = float(textureSize(t1, 1).x);
    d[10] = float(textureSize(t1, 1).y);
    d[11] = float(textureSize(t1, 1).z);
    d[12] = float(textureSize(t2, 0).x);
    d[13] = float(textureSize(t2, 0).y);
    d[14] = float(textureSize(t2, 0).z);
    d[15] = float(textureSize(t2, 1).x);
    d[16] = float(textureSize(t2, 1).y);
    d[17] = float(textureSize(t2, 1).z);
}

//# textureSize_Cube.comp
//! function textureSize(gsamplerCube sampler, int lod)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 1 1 2 2 1 1 2 2 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 1).x);
    d[3] = float(textureSize(t0, 1).y);
    d[4] = float(textureSize(t1, 0).x);
    d[5] = float(textureSize(t1, 0).y);
    d[6] = float(textureSize(t1, 1).x);
    d[7] = float(textureSize(t1, 1).y);
    d[8] = float(textureSize(t2, 0).x);
    d[9] = float(textureSize(t2, 0).y);
    d[10] = float(textureSize(t2, 1).x);
    d[11] = float(textureSize(t2, 1).y);
}

//# textureSize_1DShadow.comp
//! function textureSize(sampler1DShadow sampler, int lod)
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 4 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureSize(t0, 0));
    d[1] = float(textureSize(t0, 1));
}

//# textureSize_2DShadow.comp
//! function textureSize(sampler2DShadow sampler, int lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 4 2 2 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 1).x);
    d[3] = float(textureSize(t0, 1).y);
}

//# textureSize_CubeShadow.comp
//! function textureSize(samplerCubeShadow sampler, int lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2 2 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeShadow t0;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 1).x);
    d[3] = float(textureSize(t0, 1).y);
}

//# textureSize_CubeArray.comp
//! function textureSize(gsamplerCubeArray sampler, int lod)
//! bind 0.0 f32 zeros 18
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 2x2 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 2x2 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2 1 1 2 2 2 2 1 1 2 2 2 2 1 1 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 0).z);
    d[3] = float(textureSize(t0, 1).x);
    d[4] = float(textureSize(t0, 1).y);
    d[5] = float(textureSize(t0, 1).z);
    d[6] = float(textureSize(t1, 0).x);
    d[7] = float(textureSize(t1, 0).y);
    d[8] = float(textureSize(t1, 0).z);
    d[9] = float(textureSize(t1, 1).x);
    d[10] = float(textureSize(t1, 1).y);
    d[11] = float(textureSize(t1, 1).z);
    d[12] = float(textureSize(t2, 0).x);
    d[13] = float(textureSize(t2, 0).y);
    d[14] = float(textureSize(t2, 0).z);
    d[15] = float(textureSize(t2, 1).x);
    d[16] = float(textureSize(t2, 1).y);
    d[17] = float(textureSize(t2, 1).z);
}

//# textureSize_CubeArrayShadow.comp
//! function textureSize(samplerCubeArrayShadow sampler, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2 2 2 1 1 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow t0;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 0).z);
    d[3] = float(textureSize(t0, 1).x);
    d[4] = float(textureSize(t0, 1).y);
    d[5] = float(textureSize(t0, 1).z);
}

//# textureSize_1DArray.comp
//! function textureSize(gsampler1DArray sampler, int lod)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 3 2 3 4 3 2 3 4 3 2 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 1).x);
    d[3] = float(textureSize(t0, 1).y);
    d[4] = float(textureSize(t1, 0).x);
    d[5] = float(textureSize(t1, 0).y);
    d[6] = float(textureSize(t1, 1).x);
    d[7] = float(textureSize(t1, 1).y);
    d[8] = float(textureSize(t2, 0).x);
    d[9] = float(textureSize(t2, 0).y);
    d[10] = float(textureSize(t2, 1).x);
    d[11] = float(textureSize(t2, 1).y);
}

//# textureSize_1DArrayShadow.comp
//! function textureSize(sampler1DArrayShadow sampler, int lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 4 3 2 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 1).x);
    d[3] = float(textureSize(t0, 1).y);
}

//# textureSize_2DArray.comp
//! function textureSize(gsampler2DArray sampler, int lod)
//! bind 0.0 f32 zeros 18
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 2 3 2 1 3 4 2 3 2 1 3 4 2 3 2 1 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 0).z);
    d[3] = float(textureSize(t0, 1).x);
    d[4] = float(textureSize(t0, 1).y);
    d[5] = float(textureSize(t0, 1).z);
    d[6] = float(textureSize(t1, 0).x);
    d[7] = float(textureSize(t1, 0).y);
    d[8] = float(textureSize(t1, 0).z);
    d[9] = float(textureSize(t1, 1).x);
    d[10] = float(textureSize(t1, 1).y);
    d[11] = float(textureSize(t1, 1).z);
    d[12] = float(textureSize(t2, 0).x);
    d[13] = float(textureSize(t2, 0).y);
    d[14] = float(textureSize(t2, 0).z);
    d[15] = float(textureSize(t2, 1).x);
    d[16] = float(textureSize(t2, 1).y);
    d[17] = float(textureSize(t2, 1).z);
}

//# textureSize_2DArrayShadow.comp
//! function textureSize(sampler2DArrayShadow sampler, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 4 2 3 2 1 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = float(textureSize(t0, 0).x);
    d[1] = float(textureSize(t0, 0).y);
    d[2] = float(textureSize(t0, 0).z);
    d[3] = float(textureSize(t0, 1).x);
    d[4] = float(textureSize(t0, 1).y);
    d[5] = float(textureSize(t0, 1).z);
}

//# textureSize_Buffer.comp
//! function textureSize(gsamplerBuffer sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT buffer 1 f32 1 2 3 4 5 6 7 8 9
//! image 0.2 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! image 0.3 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.0 f32 9 9 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerBuffer t0;
layout(set = 0, binding = 2) uniform isamplerBuffer t1;
layout(set = 0, binding = 3) uniform usamplerBuffer t2;
void main() {
    d[0] = float(textureSize(t0));
    d[1] = float(textureSize(t1));
    d[2] = float(textureSize(t2));
}

//# textureSize_2DMS.comp
//! function textureSize(gsampler2DMS sampler)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 2x1 samples 4 f32 1 2 3 4 5 6 7 8
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 2x1 samples 4 i32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 2x1 samples 4 u32 1 2 3 4 5 6 7 8
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 1 2 1 2 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DMS t0;
layout(set = 0, binding = 2) uniform isampler2DMS t1;
layout(set = 0, binding = 3) uniform usampler2DMS t2;
void main() {
    d[0] = float(textureSize(t0).x);
    d[1] = float(textureSize(t0).y);
    d[2] = float(textureSize(t1).x);
    d[3] = float(textureSize(t1).y);
    d[4] = float(textureSize(t2).x);
    d[5] = float(textureSize(t2).y);
}

//# textureSize_2DMSArray.comp
//! function textureSize(gsampler2DMSArray sampler)
//! bind 0.0 f32 zeros 9
//! image 0.1 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 1 2 3 4 5 6 7 8
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 1 2 3 4 5 6 7 8
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 2 1 1 2 1 1 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DMSArray t0;
layout(set = 0, binding = 2) uniform isampler2DMSArray t1;
layout(set = 0, binding = 3) uniform usampler2DMSArray t2;
void main() {
    d[0] = float(textureSize(t0).x);
    d[1] = float(textureSize(t0).y);
    d[2] = float(textureSize(t0).z);
    d[3] = float(textureSize(t1).x);
    d[4] = float(textureSize(t1).y);
    d[5] = float(textureSize(t1).z);
    d[6] = float(textureSize(t2).x);
    d[7] = float(textureSize(t2).y);
    d[8] = float(textureSize(t2).z);
}

//# textureQueryLod_1D.frag
//! function textureQueryLod(gsampler1D sampler, float P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = textureQueryLod(t0, gl_FragCoord.x * 0.5).x;
    d[1] = textureQueryLod(t0, gl_FragCoord.x * 0.5).y;
    d[2] = textureQueryLod(t1, gl_FragCoord.x * 0.5).x;
    d[3] = textureQueryLod(t1, gl_FragCoord.x * 0.5).y;
    d[4] = textureQueryLod(t2, gl_FragCoord.x * 0.5).x;
    d[5] = textureQueryLod(t2, gl_FragCoord.x * 0.5).y;
}

//# textureQueryLod_2D.frag
//! function textureQueryLod(gsampler2D sampler, vec2 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[1] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
    d[2] = textureQueryLod(t1, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[3] = textureQueryLod(t1, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
    d[4] = textureQueryLod(t2, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[5] = textureQueryLod(t2, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
}

//# textureQueryLod_3D.frag
//! function textureQueryLod(gsampler3D sampler, vec3 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = textureQueryLod(t0, vec3(gl_FragCoord.x * 0.5, 0.5, 0.5)).x;
    d[1] = textureQueryLod(t0, vec3(gl_FragCoord.x * 0.5, 0.5, 0.5)).y;
    d[2] = textureQueryLod(t1, vec3(gl_FragCoord.x * 0.5, 0.5, 0.5)).x;
    d[3] = textureQueryLod(t1, vec3(gl_FragCoord.x * 0.5, 0.5, 0.5)).y;
    d[4] = textureQueryLod(t2, vec3(gl_FragCoord.x * 0.5, 0.5, 0.5)).x;
    d[5] = textureQueryLod(t2, vec3(gl_FragCoord.x * 0.5, 0.5, 0.5)).y;
}

//# textureQueryLod_Cube.frag
//! function textureQueryLod(gsamplerCube sampler, vec3 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube 32x32 levels 2 f32 0*7680
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 32x32 levels 2 i32 0*7680
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 32x32 levels 2 u32 0*7680
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[1] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
    d[2] = textureQueryLod(t1, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[3] = textureQueryLod(t1, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
    d[4] = textureQueryLod(t2, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[5] = textureQueryLod(t2, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
}

//# textureQueryLod_1DArray.frag
//! function textureQueryLod(gsampler1DArray sampler, float P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = textureQueryLod(t0, gl_FragCoord.x * 0.5).x;
    d[1] = textureQueryLod(t0, gl_FragCoord.x * 0.5).y;
    d[2] = textureQueryLod(t1, gl_FragCoord.x * 0.5).x;
    d[3] = textureQueryLod(t1, gl_FragCoord.x * 0.5).y;
    d[4] = textureQueryLod(t2, gl_FragCoord.x * 0.5).x;
    d[5] = textureQueryLod(t2, gl_FragCoord.x * 0.5).y;
}

//# textureQueryLod_2DArray.frag
//! function textureQueryLod(gsampler2DArray sampler, vec2 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[1] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
    d[2] = textureQueryLod(t1, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[3] = textureQueryLod(t1, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
    d[4] = textureQueryLod(t2, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[5] = textureQueryLod(t2, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
}

//# textureQueryLod_CubeArray.frag
//! function textureQueryLod(gsamplerCubeArray sampler, vec3 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube_array 32x32 layers 12 levels 2 f32 0*15360
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 32x32 layers 12 levels 2 i32 0*15360
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 32x32 layers 12 levels 2 u32 0*15360
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 1 1 1 1 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[1] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
    d[2] = textureQueryLod(t1, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[3] = textureQueryLod(t1, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
    d[4] = textureQueryLod(t2, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[5] = textureQueryLod(t2, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
}

//# textureQueryLod_1DShadow.frag
//! function textureQueryLod(sampler1DShadow sampler, float P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = textureQueryLod(t0, gl_FragCoord.x * 0.5).x;
    d[1] = textureQueryLod(t0, gl_FragCoord.x * 0.5).y;
}

//# textureQueryLod_2DShadow.frag
//! function textureQueryLod(sampler2DShadow sampler, vec2 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[1] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
}

//# textureQueryLod_CubeShadow.frag
//! function textureQueryLod(samplerCubeShadow sampler, vec3 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube 32x32 levels 2 f32 0*7680
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeShadow t0;
void main() {
    d[0] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[1] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
}

//# textureQueryLod_1DArrayShadow.frag
//! function textureQueryLod(sampler1DArrayShadow sampler, float P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = textureQueryLod(t0, gl_FragCoord.x * 0.5).x;
    d[1] = textureQueryLod(t0, gl_FragCoord.x * 0.5).y;
}

//# textureQueryLod_2DArrayShadow.frag
//! function textureQueryLod(sampler2DArrayShadow sampler, vec2 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).x;
    d[1] = textureQueryLod(t0, vec2(gl_FragCoord.x * 0.5, 0.5)).y;
}

//# textureQueryLod_CubeArrayShadow.frag
//! function textureQueryLod(samplerCubeArrayShadow sampler, vec3 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube_array 32x32 layers 12 levels 2 f32 0*15360
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow t0;
void main() {
    d[0] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).x;
    d[1] = textureQueryLod(t0, vec3(1.0, gl_FragCoord.x * 0.125, 0.0)).y;
}

//# textureQueryLevels_1D.comp
//! function textureQueryLevels(gsampler1D sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_2D.comp
//! function textureQueryLevels(gsampler2D sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_3D.comp
//! function textureQueryLevels(gsampler3D sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_Cube.comp
//! function textureQueryLevels(gsamplerCube sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_1DArray.comp
//! function textureQueryLevels(gsampler1DArray sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_2DArray.comp
//! function textureQueryLevels(gsampler2DArray sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_CubeArray.comp
//! function textureQueryLevels(gsamplerCubeArray sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 2x2 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 2x2 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = float(textureQueryLevels(t0));
    d[1] = float(textureQueryLevels(t1));
    d[2] = float(textureQueryLevels(t2));
}

//# textureQueryLevels_1DShadow.comp
//! function textureQueryLevels(sampler1DShadow sampler)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureQueryLevels(t0));
}

//# textureQueryLevels_2DShadow.comp
//! function textureQueryLevels(sampler2DShadow sampler)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureQueryLevels(t0));
}

//# textureQueryLevels_CubeShadow.comp
//! function textureQueryLevels(samplerCubeShadow sampler)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeShadow t0;
void main() {
    d[0] = float(textureQueryLevels(t0));
}

//# textureQueryLevels_1DArrayShadow.comp
//! function textureQueryLevels(sampler1DArrayShadow sampler)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureQueryLevels(t0));
}

//# textureQueryLevels_2DArrayShadow.comp
//! function textureQueryLevels(sampler2DArrayShadow sampler)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = float(textureQueryLevels(t0));
}

//# textureQueryLevels_CubeArrayShadow.comp
//! function textureQueryLevels(samplerCubeArrayShadow sampler)
//! bind 0.0 f32 zeros 1
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow t0;
void main() {
    d[0] = float(textureQueryLevels(t0));
}

//# textureSamples_2DMS.comp
//! function textureSamples(gsampler2DMS sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d 2x1 samples 4 f32 1 2 3 4 5 6 7 8
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 2x1 samples 4 i32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 2x1 samples 4 u32 1 2 3 4 5 6 7 8
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 4 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DMS t0;
layout(set = 0, binding = 2) uniform isampler2DMS t1;
layout(set = 0, binding = 3) uniform usampler2DMS t2;
void main() {
    d[0] = float(textureSamples(t0));
    d[1] = float(textureSamples(t1));
    d[2] = float(textureSamples(t2));
}

//# textureSamples_2DMSArray.comp
//! function textureSamples(gsampler2DMSArray sampler)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 1 2 3 4 5 6 7 8
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 1 2 3 4 5 6 7 8
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 4 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DMSArray t0;
layout(set = 0, binding = 2) uniform isampler2DMSArray t1;
layout(set = 0, binding = 3) uniform usampler2DMSArray t2;
void main() {
    d[0] = float(textureSamples(t0));
    d[1] = float(textureSamples(t1));
    d[2] = float(textureSamples(t2));
}

//# texture_1D.frag
//! function texture(gsampler1D sampler, float P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(texture(t0, 0.375).x);
    d[1] = float(texture(t1, 0.375).x);
    d[2] = float(texture(t2, 0.375).x);
}

//# texture_2D.frag
//! function texture(gsampler2D sampler, vec2 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 6 6
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(texture(t0, vec2(0.375, 0.75)).x);
    d[1] = float(texture(t1, vec2(0.375, 0.75)).x);
    d[2] = float(texture(t2, vec2(0.375, 0.75)).x);
}

//# texture_3D.frag
//! function texture(gsampler3D sampler, vec3 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 14 14
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(texture(t0, vec3(0.375, 0.75, 0.75)).x);
    d[1] = float(texture(t1, vec3(0.375, 0.75, 0.75)).x);
    d[2] = float(texture(t2, vec3(0.375, 0.75, 0.75)).x);
}

//# texture_Cube.frag
//! function texture(gsamplerCube sampler, vec3 P[, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 4 4
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = float(texture(t0, vec3(1.0, -0.5, -0.5)).x);
    d[1] = float(texture(t1, vec3(1.0, -0.5, -0.5)).x);
    d[2] = float(texture(t2, vec3(1.0, -0.5, -0.5)).x);
}

//# texture_1DShadow.frag
//! function texture(sampler1DShadow sampler, vec3 _P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(texture(t0, vec3(0.375, 0.0, 1.5)));
    d[1] = float(texture(t0, vec3(0.375, 0.0, 2.5)));
}

//# texture_2DShadow.frag
//! function texture(sampler2DShadow sampler, vec3 _P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(texture(t0, vec3(0.375, 0.75, 5.5)));
    d[1] = float(texture(t0, vec3(0.375, 0.75, 6.5)));
}

//# texture_CubeShadow.frag
//! function texture(samplerCubeShadow sampler, vec4 _P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeShadow t0;
void main() {
    d[0] = float(texture(t0, vec4(1.0, -0.5, -0.5, 3.5)));
    d[1] = float(texture(t0, vec4(1.0, -0.5, -0.5, 4.5)));
}

//# texture_2DArray.frag
//! function texture(gsampler2DArray sampler, vec3 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 14 14
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(texture(t0, vec3(0.375, 0.75, 1.0)).x);
    d[1] = float(texture(t1, vec3(0.375, 0.75, 1.0)).x);
    d[2] = float(texture(t2, vec3(0.375, 0.75, 1.0)).x);
}

//# texture_CubeArray.frag
//! function texture(gsamplerCubeArray sampler, vec4 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 2x2 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 2x2 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 42 42 42
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = float(texture(t0, vec4(0.5, 0.5, 1.0, 1.0)).x);
    d[1] = float(texture(t1, vec4(0.5, 0.5, 1.0, 1.0)).x);
    d[2] = float(texture(t2, vec4(0.5, 0.5, 1.0, 1.0)).x);
}

//# texture_1DArray.frag
//! function texture(gsampler1DArray sampler, vec2 _P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 10 10 10
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(texture(t0, vec2(0.375, 2.0)).x);
    d[1] = float(texture(t1, vec2(0.375, 2.0)).x);
    d[2] = float(texture(t2, vec2(0.375, 2.0)).x);
}

//# texture_1DArrayShadow.frag
//! function texture(sampler1DArrayShadow sampler, P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(texture(t0, vec3(0.375, 2.0, 9.5)));
    d[1] = float(texture(t0, vec3(0.375, 2.0, 10.5)));
}

//# texture_2DArrayShadow.frag
//! function texture(sampler2DArrayShadow sampler, vec4 P)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = float(texture(t0, vec4(0.375, 0.75, 1.0, 13.5)));
    d[1] = float(texture(t0, vec4(0.375, 0.75, 1.0, 14.5)));
}

//# texture_CubeArrayShadow.frag
//! function texture(samplerCubeArrayShadow sampler, vec4 P, float compare)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow t0;
void main() {
    d[0] = float(texture(t0, vec4(0.5, 0.5, 1.0, 1.0), 41.5));
    d[1] = float(texture(t0, vec4(0.5, 0.5, 1.0, 1.0), 42.5));
}

//# textureProj_1D.frag
//! function textureProj(gsampler1D sampler, vec2 P [, float bias])
//! function textureProj(gsampler1D sampler, vec4 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 2 2 2 2 2
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureProj(t0, vec2((0.375) * 2.0, 2.0)).x);
    d[1] = float(textureProj(t1, vec2((0.375) * 2.0, 2.0)).x);
    d[2] = float(textureProj(t2, vec2((0.375) * 2.0, 2.0)).x);
    d[3] = float(textureProj(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0)).x);
    d[4] = float(textureProj(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0)).x);
    d[5] = float(textureProj(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0)).x);
}

//# textureProj_2D.frag
//! function textureProj(gsampler2D sampler, vec3 P [, float bias])
//! function textureProj(gsampler2D sampler, vec4 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 6 6 6 6 6
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureProj(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0)).x);
    d[1] = float(textureProj(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0)).x);
    d[2] = float(textureProj(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0)).x);
    d[3] = float(textureProj(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0)).x);
    d[4] = float(textureProj(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0)).x);
    d[5] = float(textureProj(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0)).x);
}

//# textureProj_3D.frag
//! function textureProj(gsampler3D sampler, vec4 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 14 14
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureProj(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0)).x);
    d[1] = float(textureProj(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0)).x);
    d[2] = float(textureProj(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0)).x);
}

//# textureProj_1DShadow.frag
//! function textureProj(sampler1DShadow sampler, vec4 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureProj(t0, vec4((0.375) * 2.0, 0.0, 1.5 * 2.0, 2.0)));
    d[1] = float(textureProj(t0, vec4((0.375) * 2.0, 0.0, 2.5 * 2.0, 2.0)));
}

//# textureProj_2DShadow.frag
//! function textureProj(sampler2DShadow sampler, vec4 P [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureProj(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 5.5 * 2.0, 2.0)));
    d[1] = float(textureProj(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 6.5 * 2.0, 2.0)));
}

//# textureLod_1D.comp
//! function textureLod(gsampler1D sampler, float P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 101 2 101 2 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureLod(t0, 0.375, 0.0).x);
    d[1] = float(textureLod(t0, 0.375, 1.0).x);
    d[2] = float(textureLod(t1, 0.375, 0.0).x);
    d[3] = float(textureLod(t1, 0.375, 1.0).x);
    d[4] = float(textureLod(t2, 0.375, 0.0).x);
    d[5] = float(textureLod(t2, 0.375, 1.0).x);
}

//# textureLod_2D.comp
//! function textureLod(gsampler2D sampler, vec2 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 101 6 101 6 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureLod(t0, vec2(0.375, 0.75), 0.0).x);
    d[1] = float(textureLod(t0, vec2(0.375, 0.75), 1.0).x);
    d[2] = float(textureLod(t1, vec2(0.375, 0.75), 0.0).x);
    d[3] = float(textureLod(t1, vec2(0.375, 0.75), 1.0).x);
    d[4] = float(textureLod(t2, vec2(0.375, 0.75), 0.0).x);
    d[5] = float(textureLod(t2, vec2(0.375, 0.75), 1.0).x);
}

//# textureLod_3D.comp
//! function textureLod(gsampler3D sampler, vec3 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 101 14 101 14 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureLod(t0, vec3(0.375, 0.75, 0.75), 0.0).x);
    d[1] = float(textureLod(t0, vec3(0.375, 0.75, 0.75), 1.0).x);
    d[2] = float(textureLod(t1, vec3(0.375, 0.75, 0.75), 0.0).x);
    d[3] = float(textureLod(t1, vec3(0.375, 0.75, 0.75), 1.0).x);
    d[4] = float(textureLod(t2, vec3(0.375, 0.75, 0.75), 0.0).x);
    d[5] = float(textureLod(t2, vec3(0.375, 0.75, 0.75), 1.0).x);
}

//# textureLod_Cube.comp
//! function textureLod(gsamplerCube sampler, vec3 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 101 4 101 4 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = float(textureLod(t0, vec3(1.0, -0.5, -0.5), 0.0).x);
    d[1] = float(textureLod(t0, vec3(1.0, -0.5, -0.5), 1.0).x);
    d[2] = float(textureLod(t1, vec3(1.0, -0.5, -0.5), 0.0).x);
    d[3] = float(textureLod(t1, vec3(1.0, -0.5, -0.5), 1.0).x);
    d[4] = float(textureLod(t2, vec3(1.0, -0.5, -0.5), 0.0).x);
    d[5] = float(textureLod(t2, vec3(1.0, -0.5, -0.5), 1.0).x);
}

//# textureLod_2DShadow.comp
//! function textureLod(sampler2DShadow sampler, vec3 P, float lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureLod(t0, vec3(0.375, 0.75, 5.5), 0.0));
    d[1] = float(textureLod(t0, vec3(0.375, 0.75, 6.5), 0.0));
    d[2] = float(textureLod(t0, vec3(0.375, 0.75, 100.5), 1.0));
    d[3] = float(textureLod(t0, vec3(0.375, 0.75, 101.5), 1.0));
}

//# textureLod_1DShadow.comp
//! function textureLod(sampler1DShadow sampler, vec3 P, float lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureLod(t0, vec3(0.375, 0.0, 1.5), 0.0));
    d[1] = float(textureLod(t0, vec3(0.375, 0.0, 2.5), 0.0));
    d[2] = float(textureLod(t0, vec3(0.375, 0.0, 100.5), 1.0));
    d[3] = float(textureLod(t0, vec3(0.375, 0.0, 101.5), 1.0));
}

//# textureLod_1DArray.comp
//! function textureLod(gsampler1DArray sampler, vec2 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 10 105 10 105 10 105
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureLod(t0, vec2(0.375, 2.0), 0.0).x);
    d[1] = float(textureLod(t0, vec2(0.375, 2.0), 1.0).x);
    d[2] = float(textureLod(t1, vec2(0.375, 2.0), 0.0).x);
    d[3] = float(textureLod(t1, vec2(0.375, 2.0), 1.0).x);
    d[4] = float(textureLod(t2, vec2(0.375, 2.0), 0.0).x);
    d[5] = float(textureLod(t2, vec2(0.375, 2.0), 1.0).x);
}

//# textureLod_1DArrayShadow.comp
//! function textureLod(sampler1DArrayShadow sampler, P, float lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureLod(t0, vec3(0.375, 2.0, 9.5), 0.0));
    d[1] = float(textureLod(t0, vec3(0.375, 2.0, 10.5), 0.0));
    d[2] = float(textureLod(t0, vec3(0.375, 2.0, 104.5), 1.0));
    d[3] = float(textureLod(t0, vec3(0.375, 2.0, 105.5), 1.0));
}

//# textureLod_2DArray.comp
//! function textureLod(gsampler2DArray sampler, vec3 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 103 14 103 14 103
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureLod(t0, vec3(0.375, 0.75, 1.0), 0.0).x);
    d[1] = float(textureLod(t0, vec3(0.375, 0.75, 1.0), 1.0).x);
    d[2] = float(textureLod(t1, vec3(0.375, 0.75, 1.0), 0.0).x);
    d[3] = float(textureLod(t1, vec3(0.375, 0.75, 1.0), 1.0).x);
    d[4] = float(textureLod(t2, vec3(0.375, 0.75, 1.0), 0.0).x);
    d[5] = float(textureLod(t2, vec3(0.375, 0.75, 1.0), 1.0).x);
}

//# textureLod_CubeArray.comp
//! function textureLod(gsamplerCubeArray sampler, vec4 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 2x2 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 2x2 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 42 111 42 111 42 111
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = float(textureLod(t0, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x);
    d[1] = float(textureLod(t0, vec4(0.5, 0.5, 1.0, 1.0), 1.0).x);
    d[2] = float(textureLod(t1, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x);
    d[3] = float(textureLod(t1, vec4(0.5, 0.5, 1.0, 1.0), 1.0).x);
    d[4] = float(textureLod(t2, vec4(0.5, 0.5, 1.0, 1.0), 0.0).x);
    d[5] = float(textureLod(t2, vec4(0.5, 0.5, 1.0, 1.0), 1.0).x);
}

//# textureOffset_1D.frag
//! function textureOffset(gsampler1D sampler, float P, int offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 3 3
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureOffset(t0, 0.375, 1).x);
    d[1] = float(textureOffset(t1, 0.375, 1).x);
    d[2] = float(textureOffset(t2, 0.375, 1).x);
}

//# textureOffset_2D.frag
//! function textureOffset(gsampler2D sampler, vec2 P, ivec2 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 3 3
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureOffset(t0, vec2(0.375, 0.75), ivec2(1, -1)).x);
    d[1] = float(textureOffset(t1, vec2(0.375, 0.75), ivec2(1, -1)).x);
    d[2] = float(textureOffset(t2, vec2(0.375, 0.75), ivec2(1, -1)).x);
}

//# textureOffset_3D.frag
//! function textureOffset(gsampler3D sampler, vec3 P, ivec3 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 3 3
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureOffset(t0, vec3(0.375, 0.75, 0.75), ivec3(1, -1, -1)).x);
    d[1] = float(textureOffset(t1, vec3(0.375, 0.75, 0.75), ivec3(1, -1, -1)).x);
    d[2] = float(textureOffset(t2, vec3(0.375, 0.75, 0.75), ivec3(1, -1, -1)).x);
}

//# textureOffset_2DShadow.frag
//! function textureOffset(sampler2DShadow sampler, vec3 P, ivec2 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureOffset(t0, vec3(0.375, 0.75, 2.5), ivec2(1, -1)));
    d[1] = float(textureOffset(t0, vec3(0.375, 0.75, 3.5), ivec2(1, -1)));
}

//# textureOffset_1DShadow.frag
//! function textureOffset(sampler1DShadow sampler, vec3 P, int offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureOffset(t0, vec3(0.375, 0.0, 2.5), 1));
    d[1] = float(textureOffset(t0, vec3(0.375, 0.0, 3.5), 1));
}

//# textureOffset_1DArray.frag
//! function textureOffset(gsampler1DArray sampler, vec2 P, int offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 11 11
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureOffset(t0, vec2(0.375, 2.0), 1).x);
    d[1] = float(textureOffset(t1, vec2(0.375, 2.0), 1).x);
    d[2] = float(textureOffset(t2, vec2(0.375, 2.0), 1).x);
}

//# textureOffset_2DArray.frag
//! function textureOffset(gsampler2DArray sampler, vec3 P, ivec2 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 11 11
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureOffset(t0, vec3(0.375, 0.75, 1.0), ivec2(1, -1)).x);
    d[1] = float(textureOffset(t1, vec3(0.375, 0.75, 1.0), ivec2(1, -1)).x);
    d[2] = float(textureOffset(t2, vec3(0.375, 0.75, 1.0), ivec2(1, -1)).x);
}

//# textureOffset_1DArrayShadow.frag
//! function textureOffset(sampler1DArrayShadow sampler, vec3 P, int offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureOffset(t0, vec3(0.375, 2.0, 10.5), 1));
    d[1] = float(textureOffset(t0, vec3(0.375, 2.0, 11.5), 1));
}

//# textureOffset_2DArrayShadow.frag
//! function textureOffset(sampler2DArrayShadow sampler, vec4 P, ivec2 offset)
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = float(textureOffset(t0, vec4(0.375, 0.75, 1.0, 10.5), ivec2(1, -1)));
    d[1] = float(textureOffset(t0, vec4(0.375, 0.75, 1.0, 11.5), ivec2(1, -1)));
}

//# texelFetch_1D.comp
//! function texelFetch(gsampler1D sampler, int P, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 102 2 102 2 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(texelFetch(t0, 1, 0).x);
    d[1] = float(texelFetch(t0, 1, 1).x);
    d[2] = float(texelFetch(t1, 1, 0).x);
    d[3] = float(texelFetch(t1, 1, 1).x);
    d[4] = float(texelFetch(t2, 1, 0).x);
    d[5] = float(texelFetch(t2, 1, 1).x);
}

//# texelFetch_2D.comp
//! function texelFetch(gsampler2D sampler, ivec2 P, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 102 6 102 6 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(texelFetch(t0, ivec2(1, 1), 0).x);
    d[1] = float(texelFetch(t0, ivec2(1, 0), 1).x);
    d[2] = float(texelFetch(t1, ivec2(1, 1), 0).x);
    d[3] = float(texelFetch(t1, ivec2(1, 0), 1).x);
    d[4] = float(texelFetch(t2, ivec2(1, 1), 0).x);
    d[5] = float(texelFetch(t2, ivec2(1, 0), 1).x);
}

//# texelFetch_3D.comp
//! function texelFetch(gsampler3D sampler, ivec3 P, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 102 14 102 14 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(texelFetch(t0, ivec3(1, 1, 1), 0).x);
    d[1] = float(texelFetch(t0, ivec3(1, 0, 0), 1).x);
    d[2] = float(texelFetch(t1, ivec3(1, 1, 1), 0).x);
    d[3] = float(texelFetch(t1, ivec3(1, 0, 0), 1).x);
    d[4] = float(texelFetch(t2, ivec3(1, 1, 1), 0).x);
    d[5] = float(texelFetch(t2, ivec3(1, 0, 0), 1).x);
}

//# texelFetch_1DArray.comp
//! function texelFetch(gsampler1DArray sampler, ivec2 P, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 10 106 10 106 10 106
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(texelFetch(t0, ivec2(1, 2), 0).x);
    d[1] = float(texelFetch(t0, ivec2(1, 2), 1).x);
    d[2] = float(texelFetch(t1, ivec2(1, 2), 0).x);
    d[3] = float(texelFetch(t1, ivec2(1, 2), 1).x);
    d[4] = float(texelFetch(t2, ivec2(1, 2), 0).x);
    d[5] = float(texelFetch(t2, ivec2(1, 2), 1).x);
}

//# texelFetch_2DArray.comp
//! function texelFetch(gsampler2DArray sampler, ivec3 P, int lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 104 14 104 14 104
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(texelFetch(t0, ivec3(1, 1, 1), 0).x);
    d[1] = float(texelFetch(t0, ivec3(1, 0, 1), 1).x);
    d[2] = float(texelFetch(t1, ivec3(1, 1, 1), 0).x);
    d[3] = float(texelFetch(t1, ivec3(1, 0, 1), 1).x);
    d[4] = float(texelFetch(t2, ivec3(1, 1, 1), 0).x);
    d[5] = float(texelFetch(t2, ivec3(1, 0, 1), 1).x);
}

//# texelFetch_Buffer.comp
//! function texelFetch(gsamplerBuffer sampler, int P)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT buffer 1 f32 1 2 3 4 5 6 7 8 9
//! image 0.2 R32_SINT buffer 1 i32 1 2 3 4 5 6 7 8 9
//! image 0.3 R32_UINT buffer 1 u32 1 2 3 4 5 6 7 8 9
//! expect 0.0 f32 6 6 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerBuffer t0;
layout(set = 0, binding = 2) uniform isamplerBuffer t1;
layout(set = 0, binding = 3) uniform usamplerBuffer t2;
void main() {
    d[0] = float(texelFetch(t0, 5).x);
    d[1] = float(texelFetch(t1, 5).x);
    d[2] = float(texelFetch(t2, 5).x);
}

//# texelFetch_2DMS.comp
//! function texelFetch(gsampler2DMS sampler, ivec2 P, int sample)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d 2x1 samples 4 f32 1 2 3 4 5 6 7 8
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 2x1 samples 4 i32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 2x1 samples 4 u32 1 2 3 4 5 6 7 8
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 6 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DMS t0;
layout(set = 0, binding = 2) uniform isampler2DMS t1;
layout(set = 0, binding = 3) uniform usampler2DMS t2;
void main() {
    d[0] = float(texelFetch(t0, ivec2(1, 0), 2).x);
    d[1] = float(texelFetch(t1, ivec2(1, 0), 2).x);
    d[2] = float(texelFetch(t2, ivec2(1, 0), 2).x);
}

//# texelFetch_2DMSArray.comp
//! function texelFetch(gsampler2DMSArray sampler, ivec3 P, int sample)
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 2d_array 1x1 layers 2 samples 4 f32 1 2 3 4 5 6 7 8
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 1x1 layers 2 samples 4 i32 1 2 3 4 5 6 7 8
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 1x1 layers 2 samples 4 u32 1 2 3 4 5 6 7 8
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 7 7 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DMSArray t0;
layout(set = 0, binding = 2) uniform isampler2DMSArray t1;
layout(set = 0, binding = 3) uniform usampler2DMSArray t2;
void main() {
    d[0] = float(texelFetch(t0, ivec3(0, 0, 1), 2).x);
    d[1] = float(texelFetch(t1, ivec3(0, 0, 1), 2).x);
    d[2] = float(texelFetch(t2, ivec3(0, 0, 1), 2).x);
}

//# texelFetchOffset_1D.comp
//! function texelFetchOffset(gsampler1D sampler, int P, int lod, int offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(texelFetchOffset(t0, 1, 0, 1).x);
    d[1] = float(texelFetchOffset(t0, 0, 1, 1).x);
    d[2] = float(texelFetchOffset(t1, 1, 0, 1).x);
    d[3] = float(texelFetchOffset(t1, 0, 1, 1).x);
    d[4] = float(texelFetchOffset(t2, 1, 0, 1).x);
    d[5] = float(texelFetchOffset(t2, 0, 1, 1).x);
}

//# texelFetchOffset_2D.comp
//! function texelFetchOffset(gsampler2D sampler, ivec2 P, int lod, ivec2 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(texelFetchOffset(t0, ivec2(1, 1), 0, ivec2(1, -1)).x);
    d[1] = float(texelFetchOffset(t0, ivec2(0, 0), 1, ivec2(1, 0)).x);
    d[2] = float(texelFetchOffset(t1, ivec2(1, 1), 0, ivec2(1, -1)).x);
    d[3] = float(texelFetchOffset(t1, ivec2(0, 0), 1, ivec2(1, 0)).x);
    d[4] = float(texelFetchOffset(t2, ivec2(1, 1), 0, ivec2(1, -1)).x);
    d[5] = float(texelFetchOffset(t2, ivec2(0, 0), 1, ivec2(1, 0)).x);
}

//# texelFetchOffset_3D.comp
//! function texelFetchOffset(gsampler3D sampler, ivec3 P, int lod, ivec3 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(texelFetchOffset(t0, ivec3(1, 1, 1), 0, ivec3(1, -1, -1)).x);
    d[1] = float(texelFetchOffset(t0, ivec3(0, 0, 0), 1, ivec3(1, 0, 0)).x);
    d[2] = float(texelFetchOffset(t1, ivec3(1, 1, 1), 0, ivec3(1, -1, -1)).x);
    d[3] = float(texelFetchOffset(t1, ivec3(0, 0, 0), 1, ivec3(1, 0, 0)).x);
    d[4] = float(texelFetchOffset(t2, ivec3(1, 1, 1), 0, ivec3(1, -1, -1)).x);
    d[5] = float(texelFetchOffset(t2, ivec3(0, 0, 0), 1, ivec3(1, 0, 0)).x);
}

//# texelFetchOffset_1DArray.comp
//! function texelFetchOffset(gsampler1DArray sampler, ivec2 P, int lod, int offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 106 11 106 11 106
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(texelFetchOffset(t0, ivec2(1, 2), 0, 1).x);
    d[1] = float(texelFetchOffset(t0, ivec2(0, 2), 1, 1).x);
    d[2] = float(texelFetchOffset(t1, ivec2(1, 2), 0, 1).x);
    d[3] = float(texelFetchOffset(t1, ivec2(0, 2), 1, 1).x);
    d[4] = float(texelFetchOffset(t2, ivec2(1, 2), 0, 1).x);
    d[5] = float(texelFetchOffset(t2, ivec2(0, 2), 1, 1).x);
}

//# texelFetchOffset_2DArray.comp
//! function texelFetchOffset(gsampler2DArray sampler, ivec3 P, int lod, ivec2 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 104 11 104 11 104
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(texelFetchOffset(t0, ivec3(1, 1, 1), 0, ivec2(1, -1)).x);
    d[1] = float(texelFetchOffset(t0, ivec3(0, 0, 1), 1, ivec2(1, 0)).x);
    d[2] = float(texelFetchOffset(t1, ivec3(1, 1, 1), 0, ivec2(1, -1)).x);
    d[3] = float(texelFetchOffset(t1, ivec3(0, 0, 1), 1, ivec2(1, 0)).x);
    d[4] = float(texelFetchOffset(t2, ivec3(1, 1, 1), 0, ivec2(1, -1)).x);
    d[5] = float(texelFetchOffset(t2, ivec3(0, 0, 1), 1, ivec2(1, 0)).x);
}

//# textureProjOffset_1D.frag
//! function textureProjOffset(gsampler1D sampler, vec2 P, int offset [, float bias])
//! function textureProjOffset(gsampler1D sampler, vec4 P, int offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 3 3 3 3 3
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureProjOffset(t0, vec2((0.375) * 2.0, 2.0), 1).x);
    d[1] = float(textureProjOffset(t1, vec2((0.375) * 2.0, 2.0), 1).x);
    d[2] = float(textureProjOffset(t2, vec2((0.375) * 2.0, 2.0), 1).x);
    d[3] = float(textureProjOffset(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1).x);
    d[4] = float(textureProjOffset(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1).x);
    d[5] = float(textureProjOffset(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1).x);
}

//# textureProjOffset_2D.frag
//! function textureProjOffset(gsampler2D sampler, vec3 P, ivec2 offset [, float bias])
//! function textureProjOffset(gsampler2D sampler, vec4 P, ivec2 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 3 3 3 3 3
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureProjOffset(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), ivec2(1, -1)).x);
    d[1] = float(textureProjOffset(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), ivec2(1, -1)).x);
    d[2] = float(textureProjOffset(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), ivec2(1, -1)).x);
    d[3] = float(textureProjOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), ivec2(1, -1)).x);
    d[4] = float(textureProjOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), ivec2(1, -1)).x);
    d[5] = float(textureProjOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), ivec2(1, -1)).x);
}

//# textureProjOffset_3D.frag
//! function textureProjOffset(gsampler3D sampler, vec4 P, ivec3 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 3
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 3 3
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureProjOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), ivec3(1, -1, -1)).x);
    d[1] = float(textureProjOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), ivec3(1, -1, -1)).x);
    d[2] = float(textureProjOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), ivec3(1, -1, -1)).x);
}

//# textureProjOffset_1DShadow.frag
//! function textureProjOffset(sampler1DShadow sampler, vec4 P, int offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureProjOffset(t0, vec4((0.375) * 2.0, 0.0, 2.5 * 2.0, 2.0), 1));
    d[1] = float(textureProjOffset(t0, vec4((0.375) * 2.0, 0.0, 3.5 * 2.0, 2.0), 1));
}

//# textureProjOffset_2DShadow.frag
//! function textureProjOffset(sampler2DShadow sampler, vec4 P, ivec2 offset [, float bias])
//! pixels 8 4
//! bind 0.0 f32 zeros 2
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0
#version 460
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureProjOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 2.5 * 2.0, 2.0), ivec2(1, -1)));
    d[1] = float(textureProjOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 3.5 * 2.0, 2.0), ivec2(1, -1)));
}

//# textureLodOffset_1D.comp
//! function textureLodOffset(gsampler1D sampler, float P, float lod, int offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureLodOffset(t0, 0.375, 0.0, 1).x);
    d[1] = float(textureLodOffset(t0, 0.375, 1.0, 1).x);
    d[2] = float(textureLodOffset(t1, 0.375, 0.0, 1).x);
    d[3] = float(textureLodOffset(t1, 0.375, 1.0, 1).x);
    d[4] = float(textureLodOffset(t2, 0.375, 0.0, 1).x);
    d[5] = float(textureLodOffset(t2, 0.375, 1.0, 1).x);
}

//# textureLodOffset_2D.comp
//! function textureLodOffset(gsampler2D sampler, vec2 P, float lod, ivec2 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureLodOffset(t0, vec2(0.375, 0.75), 0.0, ivec2(1, -1)).x);
    d[1] = float(textureLodOffset(t0, vec2(0.375, 0.75), 1.0, ivec2(1, -1)).x);
    d[2] = float(textureLodOffset(t1, vec2(0.375, 0.75), 0.0, ivec2(1, -1)).x);
    d[3] = float(textureLodOffset(t1, vec2(0.375, 0.75), 1.0, ivec2(1, -1)).x);
    d[4] = float(textureLodOffset(t2, vec2(0.375, 0.75), 0.0, ivec2(1, -1)).x);
    d[5] = float(textureLodOffset(t2, vec2(0.375, 0.75), 1.0, ivec2(1, -1)).x);
}

//# textureLodOffset_3D.comp
//! function textureLodOffset(gsampler3D sampler, vec3 P, float lod, ivec3 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureLodOffset(t0, vec3(0.375, 0.75, 0.75), 0.0, ivec3(1, -1, -1)).x);
    d[1] = float(textureLodOffset(t0, vec3(0.375, 0.75, 0.75), 1.0, ivec3(1, -1, -1)).x);
    d[2] = float(textureLodOffset(t1, vec3(0.375, 0.75, 0.75), 0.0, ivec3(1, -1, -1)).x);
    d[3] = float(textureLodOffset(t1, vec3(0.375, 0.75, 0.75), 1.0, ivec3(1, -1, -1)).x);
    d[4] = float(textureLodOffset(t2, vec3(0.375, 0.75, 0.75), 0.0, ivec3(1, -1, -1)).x);
    d[5] = float(textureLodOffset(t2, vec3(0.375, 0.75, 0.75), 1.0, ivec3(1, -1, -1)).x);
}

//# textureLodOffset_1DShadow.comp
//! function textureLodOffset(sampler1DShadow sampler, P, float lod, int offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureLodOffset(t0, vec3(0.375, 0.0, 2.5), 0.0, 1));
    d[1] = float(textureLodOffset(t0, vec3(0.375, 0.0, 3.5), 0.0, 1));
    d[2] = float(textureLodOffset(t0, vec3(0.375, 0.0, 101.5), 1.0, 1));
    d[3] = float(textureLodOffset(t0, vec3(0.375, 0.0, 102.5), 1.0, 1));
}

//# textureLodOffset_2DShadow.comp
//! function textureLodOffset(sampler2DShadow sampler, P, float lod, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureLodOffset(t0, vec3(0.375, 0.75, 2.5), 0.0, ivec2(1, -1)));
    d[1] = float(textureLodOffset(t0, vec3(0.375, 0.75, 3.5), 0.0, ivec2(1, -1)));
    d[2] = float(textureLodOffset(t0, vec3(0.375, 0.75, 101.5), 1.0, ivec2(1, -1)));
    d[3] = float(textureLodOffset(t0, vec3(0.375, 0.75, 102.5), 1.0, ivec2(1, -1)));
}

//# textureLodOffset_1DArray.comp
//! function textureLodOffset(gsampler1DArray sampler, vec2 P, float lod, int offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 106 11 106 11 106
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureLodOffset(t0, vec2(0.375, 2.0), 0.0, 1).x);
    d[1] = float(textureLodOffset(t0, vec2(0.375, 2.0), 1.0, 1).x);
    d[2] = float(textureLodOffset(t1, vec2(0.375, 2.0), 0.0, 1).x);
    d[3] = float(textureLodOffset(t1, vec2(0.375, 2.0), 1.0, 1).x);
    d[4] = float(textureLodOffset(t2, vec2(0.375, 2.0), 0.0, 1).x);
    d[5] = float(textureLodOffset(t2, vec2(0.375, 2.0), 1.0, 1).x);
}

//# textureLodOffset_2DArray.comp
//! function textureLodOffset(gsampler2DArray sampler, vec3 P, float lod, ivec2 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 104 11 104 11 104
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureLodOffset(t0, vec3(0.375, 0.75, 1.0), 0.0, ivec2(1, -1)).x);
    d[1] = float(textureLodOffset(t0, vec3(0.375, 0.75, 1.0), 1.0, ivec2(1, -1)).x);
    d[2] = float(textureLodOffset(t1, vec3(0.375, 0.75, 1.0), 0.0, ivec2(1, -1)).x);
    d[3] = float(textureLodOffset(t1, vec3(0.375, 0.75, 1.0), 1.0, ivec2(1, -1)).x);
    d[4] = float(textureLodOffset(t2, vec3(0.375, 0.75, 1.0), 0.0, ivec2(1, -1)).x);
    d[5] = float(textureLodOffset(t2, vec3(0.375, 0.75, 1.0), 1.0, ivec2(1, -1)).x);
}

//# textureLodOffset_1DArrayShadow.comp
//! function textureLodOffset(sampler1DArrayShadow sampler, P, float lod, int offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureLodOffset(t0, vec3(0.375, 2.0, 10.5), 0.0, 1));
    d[1] = float(textureLodOffset(t0, vec3(0.375, 2.0, 11.5), 0.0, 1));
    d[2] = float(textureLodOffset(t0, vec3(0.375, 2.0, 105.5), 1.0, 1));
    d[3] = float(textureLodOffset(t0, vec3(0.375, 2.0, 106.5), 1.0, 1));
}

//# textureProjLod_1D.comp
//! function textureProjLod(gsampler1D sampler, vec2 P, float lod)
//! function textureProjLod(gsampler1D sampler, vec4 P, float lod)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 101 2 101 2 101 2 101 2 101 2 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureProjLod(t0, vec2((0.375) * 2.0, 2.0), 0.0).x);
    d[1] = float(textureProjLod(t0, vec2((0.375) * 2.0, 2.0), 1.0).x);
    d[2] = float(textureProjLod(t1, vec2((0.375) * 2.0, 2.0), 0.0).x);
    d[3] = float(textureProjLod(t1, vec2((0.375) * 2.0, 2.0), 1.0).x);
    d[4] = float(textureProjLod(t2, vec2((0.375) * 2.0, 2.0), 0.0).x);
    d[5] = float(textureProjLod(t2, vec2((0.375) * 2.0, 2.0), 1.0).x);
    d[6] = float(textureProjLod(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0).x);
    d[7] = float(textureProjLod(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1.0).x);
    d[8] = float(textureProjLod(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0).x);
    d[9] = float(textureProjLod(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1.0).x);
    d[10] = float(textureProjLod(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0).x);
    d[11] = float(textureProjLod(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1.0).x);
}

//# textureProjLod_2D.comp
//! function textureProjLod(gsampler2D sampler, vec3 P, float lod)
//! function textureProjLod(gsampler2D sampler, vec4 P, float lod)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 101 6 101 6 101 6 101 6 101 6 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureProjLod(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 0.0).x);
    d[1] = float(textureProjLod(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 1.0).x);
    d[2] = float(textureProjLod(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 0.0).x);
    d[3] = float(textureProjLod(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 1.0).x);
    d[4] = float(textureProjLod(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 0.0).x);
    d[5] = float(textureProjLod(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 1.0).x);
    d[6] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 0.0).x);
    d[7] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 1.0).x);
    d[8] = float(textureProjLod(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 0.0).x);
    d[9] = float(textureProjLod(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 1.0).x);
    d[10] = float(textureProjLod(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 0.0).x);
    d[11] = float(textureProjLod(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 1.0).x);
}

//# textureProjLod_3D.comp
//! function textureProjLod(gsampler3D sampler, vec4 P, float lod)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 101 14 101 14 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 0.0).x);
    d[1] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 1.0).x);
    d[2] = float(textureProjLod(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 0.0).x);
    d[3] = float(textureProjLod(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 1.0).x);
    d[4] = float(textureProjLod(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 0.0).x);
    d[5] = float(textureProjLod(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 1.0).x);
}

//# textureProjLod_1DShadow.comp
//! function textureProjLod(sampler1DShadow sampler, vec4 P, float lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureProjLod(t0, vec4((0.375) * 2.0, 0.0, 1.5 * 2.0, 2.0), 0.0));
    d[1] = float(textureProjLod(t0, vec4((0.375) * 2.0, 0.0, 2.5 * 2.0, 2.0), 0.0));
    d[2] = float(textureProjLod(t0, vec4((0.375) * 2.0, 0.0, 100.5 * 2.0, 2.0), 1.0));
    d[3] = float(textureProjLod(t0, vec4((0.375) * 2.0, 0.0, 101.5 * 2.0, 2.0), 1.0));
}

//# textureProjLod_2DShadow.comp
//! function textureProjLod(sampler2DShadow sampler, vec4 P, float lod)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 5.5 * 2.0, 2.0), 0.0));
    d[1] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 6.5 * 2.0, 2.0), 0.0));
    d[2] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 100.5 * 2.0, 2.0), 1.0));
    d[3] = float(textureProjLod(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 101.5 * 2.0, 2.0), 1.0));
}

//# textureProjLodOffset_1D.comp
//! function textureProjLodOffset(gsampler1D sampler, vec2 P, float lod, int offset)
//! function textureProjLodOffset(gsampler1D sampler, vec4 P, float lod, int offset)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureProjLodOffset(t0, vec2((0.375) * 2.0, 2.0), 0.0, 1).x);
    d[1] = float(textureProjLodOffset(t0, vec2((0.375) * 2.0, 2.0), 1.0, 1).x);
    d[2] = float(textureProjLodOffset(t1, vec2((0.375) * 2.0, 2.0), 0.0, 1).x);
    d[3] = float(textureProjLodOffset(t1, vec2((0.375) * 2.0, 2.0), 1.0, 1).x);
    d[4] = float(textureProjLodOffset(t2, vec2((0.375) * 2.0, 2.0), 0.0, 1).x);
    d[5] = float(textureProjLodOffset(t2, vec2((0.375) * 2.0, 2.0), 1.0, 1).x);
    d[6] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 1).x);
    d[7] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1.0, 1).x);
    d[8] = float(textureProjLodOffset(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 1).x);
    d[9] = float(textureProjLodOffset(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1.0, 1).x);
    d[10] = float(textureProjLodOffset(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 1).x);
    d[11] = float(textureProjLodOffset(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 1.0, 1).x);
}

//# textureProjLodOffset_2D.comp
//! function textureProjLodOffset(gsampler2D sampler, vec3 P, float lod, ivec2 offset)
//! function textureProjLodOffset(gsampler2D sampler, vec4 P, float lod, ivec2 offset)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureProjLodOffset(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 0.0, ivec2(1, -1)).x);
    d[1] = float(textureProjLodOffset(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 1.0, ivec2(1, -1)).x);
    d[2] = float(textureProjLodOffset(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 0.0, ivec2(1, -1)).x);
    d[3] = float(textureProjLodOffset(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 1.0, ivec2(1, -1)).x);
    d[4] = float(textureProjLodOffset(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 0.0, ivec2(1, -1)).x);
    d[5] = float(textureProjLodOffset(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), 1.0, ivec2(1, -1)).x);
    d[6] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 0.0, ivec2(1, -1)).x);
    d[7] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 1.0, ivec2(1, -1)).x);
    d[8] = float(textureProjLodOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 0.0, ivec2(1, -1)).x);
    d[9] = float(textureProjLodOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 1.0, ivec2(1, -1)).x);
    d[10] = float(textureProjLodOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 0.0, ivec2(1, -1)).x);
    d[11] = float(textureProjLodOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), 1.0, ivec2(1, -1)).x);
}

//# textureProjLodOffset_3D.comp
//! function textureProjLodOffset(gsampler3D sampler, vec4 P, float lod, ivec3 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 0.0, ivec3(1, -1, -1)).x);
    d[1] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 1.0, ivec3(1, -1, -1)).x);
    d[2] = float(textureProjLodOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 0.0, ivec3(1, -1, -1)).x);
    d[3] = float(textureProjLodOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 1.0, ivec3(1, -1, -1)).x);
    d[4] = float(textureProjLodOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 0.0, ivec3(1, -1, -1)).x);
    d[5] = float(textureProjLodOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), 1.0, ivec3(1, -1, -1)).x);
}

//# textureProjLodOffset_1DShadow.comp
//! function textureProjLodOffset(sampler1DShadow sampler, vec4 P, float lod, int offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, 0.0, 2.5 * 2.0, 2.0), 0.0, 1));
    d[1] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, 0.0, 3.5 * 2.0, 2.0), 0.0, 1));
    d[2] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, 0.0, 101.5 * 2.0, 2.0), 1.0, 1));
    d[3] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, 0.0, 102.5 * 2.0, 2.0), 1.0, 1));
}

//# textureProjLodOffset_2DShadow.comp
//! function textureProjLodOffset(sampler2DShadow sampler, vec4 P, float lod, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 2.5 * 2.0, 2.0), 0.0, ivec2(1, -1)));
    d[1] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 3.5 * 2.0, 2.0), 0.0, ivec2(1, -1)));
    d[2] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 101.5 * 2.0, 2.0), 1.0, ivec2(1, -1)));
    d[3] = float(textureProjLodOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 102.5 * 2.0, 2.0), 1.0, ivec2(1, -1)));
}

//# textureGrad_1D.comp
//! function textureGrad(gsampler1D sampler, float _P, float dPdx, float dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 101 2 101 2 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureGrad(t0, 0.375, 0.0, 0.0).x);
    d[1] = float(textureGrad(t0, 0.375, 4.0, 4.0).x);
    d[2] = float(textureGrad(t1, 0.375, 0.0, 0.0).x);
    d[3] = float(textureGrad(t1, 0.375, 4.0, 4.0).x);
    d[4] = float(textureGrad(t2, 0.375, 0.0, 0.0).x);
    d[5] = float(textureGrad(t2, 0.375, 4.0, 4.0).x);
}

//# textureGrad_2D.comp
//! function textureGrad(gsampler2D sampler, vec2 P, vec2 dPdx, vec2 dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 101 6 101 6 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureGrad(t0, vec2(0.375, 0.75), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[1] = float(textureGrad(t0, vec2(0.375, 0.75), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[2] = float(textureGrad(t1, vec2(0.375, 0.75), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[3] = float(textureGrad(t1, vec2(0.375, 0.75), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[4] = float(textureGrad(t2, vec2(0.375, 0.75), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[5] = float(textureGrad(t2, vec2(0.375, 0.75), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
}

//# textureGrad_3D.comp
//! function textureGrad(gsampler3D sampler, P, vec3 dPdx, vec3 dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 101 14 101 14 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureGrad(t0, vec3(0.375, 0.75, 0.75), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[1] = float(textureGrad(t0, vec3(0.375, 0.75, 0.75), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0)).x);
    d[2] = float(textureGrad(t1, vec3(0.375, 0.75, 0.75), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[3] = float(textureGrad(t1, vec3(0.375, 0.75, 0.75), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0)).x);
    d[4] = float(textureGrad(t2, vec3(0.375, 0.75, 0.75), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[5] = float(textureGrad(t2, vec3(0.375, 0.75, 0.75), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0)).x);
}

//# textureGrad_Cube.comp
//! function textureGrad(gsamplerCube sampler, vec3 P, vec3 dPdx, vec3 dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 4 101 4 101 4 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = float(textureGrad(t0, vec3(1.0, -0.5, -0.5), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[1] = float(textureGrad(t0, vec3(1.0, -0.5, -0.5), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)).x);
    d[2] = float(textureGrad(t1, vec3(1.0, -0.5, -0.5), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[3] = float(textureGrad(t1, vec3(1.0, -0.5, -0.5), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)).x);
    d[4] = float(textureGrad(t2, vec3(1.0, -0.5, -0.5), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[5] = float(textureGrad(t2, vec3(1.0, -0.5, -0.5), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)).x);
}

//# textureGrad_1DShadow.comp
//! function textureGrad(sampler1DShadow sampler, vec3 P, float dPdx, float dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureGrad(t0, vec3(0.375, 0.0, 1.5), 0.0, 0.0));
    d[1] = float(textureGrad(t0, vec3(0.375, 0.0, 2.5), 0.0, 0.0));
    d[2] = float(textureGrad(t0, vec3(0.375, 0.0, 100.5), 4.0, 4.0));
    d[3] = float(textureGrad(t0, vec3(0.375, 0.0, 101.5), 4.0, 4.0));
}

//# textureGrad_1DArray.comp
//! function textureGrad(gsampler1DArray sampler, vec2 P, float dPdx, float dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 10 105 10 105 10 105
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureGrad(t0, vec2(0.375, 2.0), 0.0, 0.0).x);
    d[1] = float(textureGrad(t0, vec2(0.375, 2.0), 4.0, 4.0).x);
    d[2] = float(textureGrad(t1, vec2(0.375, 2.0), 0.0, 0.0).x);
    d[3] = float(textureGrad(t1, vec2(0.375, 2.0), 4.0, 4.0).x);
    d[4] = float(textureGrad(t2, vec2(0.375, 2.0), 0.0, 0.0).x);
    d[5] = float(textureGrad(t2, vec2(0.375, 2.0), 4.0, 4.0).x);
}

//# textureGrad_2DArray.comp
//! function textureGrad(gsampler2DArray sampler, P, vec2 dPdx, vec2 dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 103 14 103 14 103
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureGrad(t0, vec3(0.375, 0.75, 1.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[1] = float(textureGrad(t0, vec3(0.375, 0.75, 1.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[2] = float(textureGrad(t1, vec3(0.375, 0.75, 1.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[3] = float(textureGrad(t1, vec3(0.375, 0.75, 1.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[4] = float(textureGrad(t2, vec3(0.375, 0.75, 1.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[5] = float(textureGrad(t2, vec3(0.375, 0.75, 1.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
}

//# textureGrad_1DArrayShadow.comp
//! function textureGrad(sampler1DArrayShadow sampler, vec3 P, float dPdx, float dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureGrad(t0, vec3(0.375, 2.0, 9.5), 0.0, 0.0));
    d[1] = float(textureGrad(t0, vec3(0.375, 2.0, 10.5), 0.0, 0.0));
    d[2] = float(textureGrad(t0, vec3(0.375, 2.0, 104.5), 4.0, 4.0));
    d[3] = float(textureGrad(t0, vec3(0.375, 2.0, 105.5), 4.0, 4.0));
}

//# textureGrad_2DShadow.comp
//! function textureGrad(sampler2DShadow sampler, vec3 P, vec2 dPdx, vec2 dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureGrad(t0, vec3(0.375, 0.75, 5.5), vec2(0.0, 0.0), vec2(0.0, 0.0)));
    d[1] = float(textureGrad(t0, vec3(0.375, 0.75, 6.5), vec2(0.0, 0.0), vec2(0.0, 0.0)));
    d[2] = float(textureGrad(t0, vec3(0.375, 0.75, 100.5), vec2(4.0, 4.0), vec2(4.0, 4.0)));
    d[3] = float(textureGrad(t0, vec3(0.375, 0.75, 101.5), vec2(4.0, 4.0), vec2(4.0, 4.0)));
}

//# textureGrad_CubeShadow.comp
//! function textureGrad(samplerCubeShadow sampler, vec4 P, vec3 dPdx, vec3 dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeShadow t0;
void main() {
    d[0] = float(textureGrad(t0, vec4(1.0, -0.5, -0.5, 3.5), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    d[1] = float(textureGrad(t0, vec4(1.0, -0.5, -0.5, 4.5), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)));
    d[2] = float(textureGrad(t0, vec4(1.0, -0.5, -0.5, 100.5), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)));
    d[3] = float(textureGrad(t0, vec4(1.0, -0.5, -0.5, 101.5), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)));
}

//# textureGrad_2DArrayShadow.comp
//! function textureGrad(sampler2DArrayShadow sampler, vec4 P, vec2 dPdx, vec2 dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = float(textureGrad(t0, vec4(0.375, 0.75, 1.0, 13.5), vec2(0.0, 0.0), vec2(0.0, 0.0)));
    d[1] = float(textureGrad(t0, vec4(0.375, 0.75, 1.0, 14.5), vec2(0.0, 0.0), vec2(0.0, 0.0)));
    d[2] = float(textureGrad(t0, vec4(0.375, 0.75, 1.0, 102.5), vec2(4.0, 4.0), vec2(4.0, 4.0)));
    d[3] = float(textureGrad(t0, vec4(0.375, 0.75, 1.0, 103.5), vec2(4.0, 4.0), vec2(4.0, 4.0)));
}

//# textureGrad_CubeArray.comp
//! function textureGrad(gsamplerCubeArray sampler, vec4 P, vec3 dPdx, vec3 dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 2x2 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 2x2 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 42 111 42 111 42 111
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = float(textureGrad(t0, vec4(0.5, 0.5, 1.0, 1.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[1] = float(textureGrad(t0, vec4(0.5, 0.5, 1.0, 1.0), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)).x);
    d[2] = float(textureGrad(t1, vec4(0.5, 0.5, 1.0, 1.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[3] = float(textureGrad(t1, vec4(0.5, 0.5, 1.0, 1.0), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)).x);
    d[4] = float(textureGrad(t2, vec4(0.5, 0.5, 1.0, 1.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[5] = float(textureGrad(t2, vec4(0.5, 0.5, 1.0, 1.0), vec3(0.0, 8.0, 8.0), vec3(0.0, 8.0, 8.0)).x);
}

//# textureGradOffset_1D.comp
//! function textureGradOffset(gsampler1D sampler, float P, float dPdx, float dPdy, int offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureGradOffset(t0, 0.375, 0.0, 0.0, 1).x);
    d[1] = float(textureGradOffset(t0, 0.375, 4.0, 4.0, 1).x);
    d[2] = float(textureGradOffset(t1, 0.375, 0.0, 0.0, 1).x);
    d[3] = float(textureGradOffset(t1, 0.375, 4.0, 4.0, 1).x);
    d[4] = float(textureGradOffset(t2, 0.375, 0.0, 0.0, 1).x);
    d[5] = float(textureGradOffset(t2, 0.375, 4.0, 4.0, 1).x);
}

//# textureGradOffset_2D.comp
//! function textureGradOffset(gsampler2D sampler, vec2 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureGradOffset(t0, vec2(0.375, 0.75), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[1] = float(textureGradOffset(t0, vec2(0.375, 0.75), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[2] = float(textureGradOffset(t1, vec2(0.375, 0.75), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[3] = float(textureGradOffset(t1, vec2(0.375, 0.75), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[4] = float(textureGradOffset(t2, vec2(0.375, 0.75), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[5] = float(textureGradOffset(t2, vec2(0.375, 0.75), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
}

//# textureGradOffset_3D.comp
//! function textureGradOffset(gsampler3D sampler, vec3 P, vec3 dPdx, vec3 dPdy, ivec3 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureGradOffset(t0, vec3(0.375, 0.75, 0.75), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), ivec3(1, -1, -1)).x);
    d[1] = float(textureGradOffset(t0, vec3(0.375, 0.75, 0.75), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0), ivec3(1, -1, -1)).x);
    d[2] = float(textureGradOffset(t1, vec3(0.375, 0.75, 0.75), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), ivec3(1, -1, -1)).x);
    d[3] = float(textureGradOffset(t1, vec3(0.375, 0.75, 0.75), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0), ivec3(1, -1, -1)).x);
    d[4] = float(textureGradOffset(t2, vec3(0.375, 0.75, 0.75), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), ivec3(1, -1, -1)).x);
    d[5] = float(textureGradOffset(t2, vec3(0.375, 0.75, 0.75), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0), ivec3(1, -1, -1)).x);
}

//# textureGradOffset_1DShadow.comp
//! function textureGradOffset(sampler1DShadow sampler, vec3 P, float dPdx, float dPdy, int offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureGradOffset(t0, vec3(0.375, 0.0, 2.5), 0.0, 0.0, 1));
    d[1] = float(textureGradOffset(t0, vec3(0.375, 0.0, 3.5), 0.0, 0.0, 1));
    d[2] = float(textureGradOffset(t0, vec3(0.375, 0.0, 101.5), 4.0, 4.0, 1));
    d[3] = float(textureGradOffset(t0, vec3(0.375, 0.0, 102.5), 4.0, 4.0, 1));
}

//# textureGradOffset_2DShadow.comp
//! function textureGradOffset(sampler2DShadow sampler, vec3 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureGradOffset(t0, vec3(0.375, 0.75, 2.5), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)));
    d[1] = float(textureGradOffset(t0, vec3(0.375, 0.75, 3.5), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)));
    d[2] = float(textureGradOffset(t0, vec3(0.375, 0.75, 101.5), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)));
    d[3] = float(textureGradOffset(t0, vec3(0.375, 0.75, 102.5), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)));
}

//# textureGradOffset_2DArray.comp
//! function textureGradOffset(gsampler2DArray sampler, vec3 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 104 11 104 11 104
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureGradOffset(t0, vec3(0.375, 0.75, 1.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[1] = float(textureGradOffset(t0, vec3(0.375, 0.75, 1.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[2] = float(textureGradOffset(t1, vec3(0.375, 0.75, 1.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[3] = float(textureGradOffset(t1, vec3(0.375, 0.75, 1.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[4] = float(textureGradOffset(t2, vec3(0.375, 0.75, 1.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[5] = float(textureGradOffset(t2, vec3(0.375, 0.75, 1.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
}

//# textureGradOffset_1DArray.comp
//! function textureGradOffset(gsampler1DArray sampler, vec2 P, float dPdx, float dPdy, int offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d_array 4 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d_array 4 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 106 11 106 11 106
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArray t0;
layout(set = 0, binding = 2) uniform isampler1DArray t1;
layout(set = 0, binding = 3) uniform usampler1DArray t2;
void main() {
    d[0] = float(textureGradOffset(t0, vec2(0.375, 2.0), 0.0, 0.0, 1).x);
    d[1] = float(textureGradOffset(t0, vec2(0.375, 2.0), 4.0, 4.0, 1).x);
    d[2] = float(textureGradOffset(t1, vec2(0.375, 2.0), 0.0, 0.0, 1).x);
    d[3] = float(textureGradOffset(t1, vec2(0.375, 2.0), 4.0, 4.0, 1).x);
    d[4] = float(textureGradOffset(t2, vec2(0.375, 2.0), 0.0, 0.0, 1).x);
    d[5] = float(textureGradOffset(t2, vec2(0.375, 2.0), 4.0, 4.0, 1).x);
}

//# textureGradOffset_1DArrayShadow.comp
//! function textureGradOffset(sampler1DArrayShadow sampler, vec3 P, float dPdx, float dPdy, int offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d_array 4 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DArrayShadow t0;
void main() {
    d[0] = float(textureGradOffset(t0, vec3(0.375, 2.0, 10.5), 0.0, 0.0, 1));
    d[1] = float(textureGradOffset(t0, vec3(0.375, 2.0, 11.5), 0.0, 0.0, 1));
    d[2] = float(textureGradOffset(t0, vec3(0.375, 2.0, 105.5), 4.0, 4.0, 1));
    d[3] = float(textureGradOffset(t0, vec3(0.375, 2.0, 106.5), 4.0, 4.0, 1));
}

//# textureGradOffset_2DArrayShadow.comp
//! function textureGradOffset(sampler2DArrayShadow sampler, vec4 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = float(textureGradOffset(t0, vec4(0.375, 0.75, 1.0, 10.5), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)));
    d[1] = float(textureGradOffset(t0, vec4(0.375, 0.75, 1.0, 11.5), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)));
    d[2] = float(textureGradOffset(t0, vec4(0.375, 0.75, 1.0, 103.5), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)));
    d[3] = float(textureGradOffset(t0, vec4(0.375, 0.75, 1.0, 104.5), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)));
}

//# textureProjGrad_1D.comp
//! function textureProjGrad(gsampler1D sampler, vec2 P, float dPdx, float dPdy)
//! function textureProjGrad(gsampler1D sampler, vec4 P, float dPdx, float dPdy)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 101 2 101 2 101 2 101 2 101 2 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureProjGrad(t0, vec2((0.375) * 2.0, 2.0), 0.0, 0.0).x);
    d[1] = float(textureProjGrad(t0, vec2((0.375) * 2.0, 2.0), 4.0, 4.0).x);
    d[2] = float(textureProjGrad(t1, vec2((0.375) * 2.0, 2.0), 0.0, 0.0).x);
    d[3] = float(textureProjGrad(t1, vec2((0.375) * 2.0, 2.0), 4.0, 4.0).x);
    d[4] = float(textureProjGrad(t2, vec2((0.375) * 2.0, 2.0), 0.0, 0.0).x);
    d[5] = float(textureProjGrad(t2, vec2((0.375) * 2.0, 2.0), 4.0, 4.0).x);
    d[6] = float(textureProjGrad(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 0.0).x);
    d[7] = float(textureProjGrad(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 4.0, 4.0).x);
    d[8] = float(textureProjGrad(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 0.0).x);
    d[9] = float(textureProjGrad(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 4.0, 4.0).x);
    d[10] = float(textureProjGrad(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 0.0).x);
    d[11] = float(textureProjGrad(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 4.0, 4.0).x);
}

//# textureProjGrad_2D.comp
//! function textureProjGrad(gsampler2D sampler, vec3 P, vec2 dPdx, vec2 dPdy)
//! function textureProjGrad(gsampler2D sampler, vec4 P, vec2 dPdx, vec2 dPdy)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 101 6 101 6 101 6 101 6 101 6 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureProjGrad(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[1] = float(textureProjGrad(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[2] = float(textureProjGrad(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[3] = float(textureProjGrad(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[4] = float(textureProjGrad(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[5] = float(textureProjGrad(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[6] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[7] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[8] = float(textureProjGrad(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[9] = float(textureProjGrad(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
    d[10] = float(textureProjGrad(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)).x);
    d[11] = float(textureProjGrad(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)).x);
}

//# textureProjGrad_3D.comp
//! function textureProjGrad(gsampler3D sampler, vec4 P, vec3 dPdx, vec3 dPdy)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 101 14 101 14 101
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[1] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0)).x);
    d[2] = float(textureProjGrad(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[3] = float(textureProjGrad(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0)).x);
    d[4] = float(textureProjGrad(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0)).x);
    d[5] = float(textureProjGrad(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0)).x);
}

//# textureProjGrad_1DShadow.comp
//! function textureProjGrad(sampler1DShadow sampler, vec4 P, float dPdx, float dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureProjGrad(t0, vec4((0.375) * 2.0, 0.0, 1.5 * 2.0, 2.0), 0.0, 0.0));
    d[1] = float(textureProjGrad(t0, vec4((0.375) * 2.0, 0.0, 2.5 * 2.0, 2.0), 0.0, 0.0));
    d[2] = float(textureProjGrad(t0, vec4((0.375) * 2.0, 0.0, 100.5 * 2.0, 2.0), 4.0, 4.0));
    d[3] = float(textureProjGrad(t0, vec4((0.375) * 2.0, 0.0, 101.5 * 2.0, 2.0), 4.0, 4.0));
}

//# textureProjGrad_2DShadow.comp
//! function textureProjGrad(sampler2DShadow sampler, vec4 P, vec2 dPdx, vec2 dPdy)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 5.5 * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)));
    d[1] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 6.5 * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0)));
    d[2] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 100.5 * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)));
    d[3] = float(textureProjGrad(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 101.5 * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0)));
}

//# textureProjGradOffset_1D.comp
//! function textureProjGradOffset(gsampler1D sampler, vec2 P, float dPdx, float dPdy, int offset)
//! function textureProjGradOffset(gsampler1D sampler, vec4 P, float dPdx, float dPdy, int offset)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 1d 4 levels 2 i32 1 2 3 4 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 1d 4 levels 2 u32 1 2 3 4 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1D t0;
layout(set = 0, binding = 2) uniform isampler1D t1;
layout(set = 0, binding = 3) uniform usampler1D t2;
void main() {
    d[0] = float(textureProjGradOffset(t0, vec2((0.375) * 2.0, 2.0), 0.0, 0.0, 1).x);
    d[1] = float(textureProjGradOffset(t0, vec2((0.375) * 2.0, 2.0), 4.0, 4.0, 1).x);
    d[2] = float(textureProjGradOffset(t1, vec2((0.375) * 2.0, 2.0), 0.0, 0.0, 1).x);
    d[3] = float(textureProjGradOffset(t1, vec2((0.375) * 2.0, 2.0), 4.0, 4.0, 1).x);
    d[4] = float(textureProjGradOffset(t2, vec2((0.375) * 2.0, 2.0), 0.0, 0.0, 1).x);
    d[5] = float(textureProjGradOffset(t2, vec2((0.375) * 2.0, 2.0), 4.0, 4.0, 1).x);
    d[6] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 0.0, 1).x);
    d[7] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 4.0, 4.0, 1).x);
    d[8] = float(textureProjGradOffset(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 0.0, 1).x);
    d[9] = float(textureProjGradOffset(t1, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 4.0, 4.0, 1).x);
    d[10] = float(textureProjGradOffset(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 0.0, 0.0, 1).x);
    d[11] = float(textureProjGradOffset(t2, vec4((0.375) * 2.0, 0.0, 0.0, 2.0), 4.0, 4.0, 1).x);
}

//# textureProjGradOffset_2D.comp
//! function textureProjGradOffset(gsampler2D sampler, vec3 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! function textureProjGradOffset(gsampler2D sampler, vec4 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! bind 0.0 f32 zeros 12
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureProjGradOffset(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[1] = float(textureProjGradOffset(t0, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[2] = float(textureProjGradOffset(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[3] = float(textureProjGradOffset(t1, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[4] = float(textureProjGradOffset(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[5] = float(textureProjGradOffset(t2, vec3((0.375) * 2.0, (0.75) * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[6] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[7] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[8] = float(textureProjGradOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[9] = float(textureProjGradOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
    d[10] = float(textureProjGradOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)).x);
    d[11] = float(textureProjGradOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, 0.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)).x);
}

//# textureProjGradOffset_3D.comp
//! function textureProjGradOffset(gsampler3D sampler, vec4 P, vec3 dPdx, vec3 dPdy, ivec3 offset)
//! bind 0.0 f32 zeros 6
//! image 0.1 R32_SFLOAT 3d 4x2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 3d 4x2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 3d 4x2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 102 3 102 3 102
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler3D t0;
layout(set = 0, binding = 2) uniform isampler3D t1;
layout(set = 0, binding = 3) uniform usampler3D t2;
void main() {
    d[0] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), ivec3(1, -1, -1)).x);
    d[1] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0), ivec3(1, -1, -1)).x);
    d[2] = float(textureProjGradOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), ivec3(1, -1, -1)).x);
    d[3] = float(textureProjGradOffset(t1, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0), ivec3(1, -1, -1)).x);
    d[4] = float(textureProjGradOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(0.0, 0.0, 0.0), vec3(0.0, 0.0, 0.0), ivec3(1, -1, -1)).x);
    d[5] = float(textureProjGradOffset(t2, vec4((0.375) * 2.0, (0.75) * 2.0, (0.75) * 2.0, 2.0), vec3(4.0, 4.0, 4.0), vec3(4.0, 4.0, 4.0), ivec3(1, -1, -1)).x);
}

//# textureProjGradOffset_1DShadow.comp
//! function textureProjGradOffset(sampler1DShadow sampler, vec4 P, float dPdx, float dPdy, int offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 1d 4 levels 2 f32 1 2 3 4 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler1DShadow t0;
void main() {
    d[0] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, 0.0, 2.5 * 2.0, 2.0), 0.0, 0.0, 1));
    d[1] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, 0.0, 3.5 * 2.0, 2.0), 0.0, 0.0, 1));
    d[2] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, 0.0, 101.5 * 2.0, 2.0), 4.0, 4.0, 1));
    d[3] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, 0.0, 102.5 * 2.0, 2.0), 4.0, 4.0, 1));
}

//# textureProjGradOffset_2DShadow.comp
//! function textureProjGradOffset(sampler2DShadow sampler, vec4 P, vec2 dPdx, vec2 dPdy, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 0 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 2.5 * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)));
    d[1] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 3.5 * 2.0, 2.0), vec2(0.0, 0.0), vec2(0.0, 0.0), ivec2(1, -1)));
    d[2] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 101.5 * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)));
    d[3] = float(textureProjGradOffset(t0, vec4((0.375) * 2.0, (0.75) * 2.0, 102.5 * 2.0, 2.0), vec2(4.0, 4.0), vec2(4.0, 4.0), ivec2(1, -1)));
}

//# textureGather_2D.comp
//! function textureGather(gsampler2D sampler, vec2 P [, int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 6 7 3 2 0 6 7 3 2 0 6 7 3 2 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureGather(t0, vec2(0.5, 0.5))[0]);
    d[1] = float(textureGather(t0, vec2(0.5, 0.5))[1]);
    d[2] = float(textureGather(t0, vec2(0.5, 0.5))[2]);
    d[3] = float(textureGather(t0, vec2(0.5, 0.5))[3]);
    d[4] = float(textureGather(t0, vec2(0.5, 0.5), 1)[0]);
    d[5] = float(textureGather(t1, vec2(0.5, 0.5))[0]);
    d[6] = float(textureGather(t1, vec2(0.5, 0.5))[1]);
    d[7] = float(textureGather(t1, vec2(0.5, 0.5))[2]);
    d[8] = float(textureGather(t1, vec2(0.5, 0.5))[3]);
    d[9] = float(textureGather(t1, vec2(0.5, 0.5), 1)[0]);
    d[10] = float(textureGather(t2, vec2(0.5, 0.5))[0]);
    d[11] = float(textureGather(t2, vec2(0.5, 0.5))[1]);
    d[12] = float(textureGather(t2, vec2(0.5, 0.5))[2]);
    d[13] = float(textureGather(t2, vec2(0.5, 0.5))[3]);
    d[14] = float(textureGather(t2, vec2(0.5, 0.5), 1)[0]);
}

//# textureGather_2DArray.comp
//! function textureGather(gsampler2DArray sampler, vec3 P [, int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 14 15 11 10 0 14 15 11 10 0 14 15 11 10 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureGather(t0, vec3(0.5, 0.5, 1.0))[0]);
    d[1] = float(textureGather(t0, vec3(0.5, 0.5, 1.0))[1]);
    d[2] = float(textureGather(t0, vec3(0.5, 0.5, 1.0))[2]);
    d[3] = float(textureGather(t0, vec3(0.5, 0.5, 1.0))[3]);
    d[4] = float(textureGather(t0, vec3(0.5, 0.5, 1.0), 1)[0]);
    d[5] = float(textureGather(t1, vec3(0.5, 0.5, 1.0))[0]);
    d[6] = float(textureGather(t1, vec3(0.5, 0.5, 1.0))[1]);
    d[7] = float(textureGather(t1, vec3(0.5, 0.5, 1.0))[2]);
    d[8] = float(textureGather(t1, vec3(0.5, 0.5, 1.0))[3]);
    d[9] = float(textureGather(t1, vec3(0.5, 0.5, 1.0), 1)[0]);
    d[10] = float(textureGather(t2, vec3(0.5, 0.5, 1.0))[0]);
    d[11] = float(textureGather(t2, vec3(0.5, 0.5, 1.0))[1]);
    d[12] = float(textureGather(t2, vec3(0.5, 0.5, 1.0))[2]);
    d[13] = float(textureGather(t2, vec3(0.5, 0.5, 1.0))[3]);
    d[14] = float(textureGather(t2, vec3(0.5, 0.5, 1.0), 1)[0]);
}

//# textureGather_Cube.comp
//! function textureGather(gsamplerCube sampler, vec3 P [, int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube 2x2 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube 2x2 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 4 2 1 0 3 4 2 1 0 3 4 2 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCube t0;
layout(set = 0, binding = 2) uniform isamplerCube t1;
layout(set = 0, binding = 3) uniform usamplerCube t2;
void main() {
    d[0] = float(textureGather(t0, vec3(1.0, 0.0, 0.0))[0]);
    d[1] = float(textureGather(t0, vec3(1.0, 0.0, 0.0))[1]);
    d[2] = float(textureGather(t0, vec3(1.0, 0.0, 0.0))[2]);
    d[3] = float(textureGather(t0, vec3(1.0, 0.0, 0.0))[3]);
    d[4] = float(textureGather(t0, vec3(1.0, 0.0, 0.0), 1)[0]);
    d[5] = float(textureGather(t1, vec3(1.0, 0.0, 0.0))[0]);
    d[6] = float(textureGather(t1, vec3(1.0, 0.0, 0.0))[1]);
    d[7] = float(textureGather(t1, vec3(1.0, 0.0, 0.0))[2]);
    d[8] = float(textureGather(t1, vec3(1.0, 0.0, 0.0))[3]);
    d[9] = float(textureGather(t1, vec3(1.0, 0.0, 0.0), 1)[0]);
    d[10] = float(textureGather(t2, vec3(1.0, 0.0, 0.0))[0]);
    d[11] = float(textureGather(t2, vec3(1.0, 0.0, 0.0))[1]);
    d[12] = float(textureGather(t2, vec3(1.0, 0.0, 0.0))[2]);
    d[13] = float(textureGather(t2, vec3(1.0, 0.0, 0.0))[3]);
    d[14] = float(textureGather(t2, vec3(1.0, 0.0, 0.0), 1)[0]);
}

//# textureGather_CubeArray.comp
//! function textureGather(gsamplerCubeArray sampler, vec4 P[, int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT cube_array 2x2 layers 12 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT cube_array 2x2 layers 12 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 27 28 26 25 0 27 28 26 25 0 27 28 26 25 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArray t0;
layout(set = 0, binding = 2) uniform isamplerCubeArray t1;
layout(set = 0, binding = 3) uniform usamplerCubeArray t2;
void main() {
    d[0] = float(textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0))[0]);
    d[1] = float(textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0))[1]);
    d[2] = float(textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0))[2]);
    d[3] = float(textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0))[3]);
    d[4] = float(textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0), 1)[0]);
    d[5] = float(textureGather(t1, vec4(1.0, 0.0, 0.0, 1.0))[0]);
    d[6] = float(textureGather(t1, vec4(1.0, 0.0, 0.0, 1.0))[1]);
    d[7] = float(textureGather(t1, vec4(1.0, 0.0, 0.0, 1.0))[2]);
    d[8] = float(textureGather(t1, vec4(1.0, 0.0, 0.0, 1.0))[3]);
    d[9] = float(textureGather(t1, vec4(1.0, 0.0, 0.0, 1.0), 1)[0]);
    d[10] = float(textureGather(t2, vec4(1.0, 0.0, 0.0, 1.0))[0]);
    d[11] = float(textureGather(t2, vec4(1.0, 0.0, 0.0, 1.0))[1]);
    d[12] = float(textureGather(t2, vec4(1.0, 0.0, 0.0, 1.0))[2]);
    d[13] = float(textureGather(t2, vec4(1.0, 0.0, 0.0, 1.0))[3]);
    d[14] = float(textureGather(t2, vec4(1.0, 0.0, 0.0, 1.0), 1)[0]);
}

//# textureGather_2DShadow.comp
//! function textureGather(sampler2DShadow sampler, vec2 P, float refZ)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = textureGather(t0, vec2(0.5, 0.5), 3.5)[0];
    d[1] = textureGather(t0, vec2(0.5, 0.5), 3.5)[1];
    d[2] = textureGather(t0, vec2(0.5, 0.5), 3.5)[2];
    d[3] = textureGather(t0, vec2(0.5, 0.5), 3.5)[3];
}

//# textureGather_2DArrayShadow.comp
//! function textureGather(sampler2DArrayShadow sampler, vec3 P, float refZ)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = textureGather(t0, vec3(0.5, 0.5, 1.0), 11.5)[0];
    d[1] = textureGather(t0, vec3(0.5, 0.5, 1.0), 11.5)[1];
    d[2] = textureGather(t0, vec3(0.5, 0.5, 1.0), 11.5)[2];
    d[3] = textureGather(t0, vec3(0.5, 0.5, 1.0), 11.5)[3];
}

//# textureGather_CubeShadow.comp
//! function textureGather(samplerCubeShadow sampler, vec3 P, float refZ)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT cube 2x2 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeShadow t0;
void main() {
    d[0] = textureGather(t0, vec3(1.0, 0.0, 0.0), 2.5)[0];
    d[1] = textureGather(t0, vec3(1.0, 0.0, 0.0), 2.5)[1];
    d[2] = textureGather(t0, vec3(1.0, 0.0, 0.0), 2.5)[2];
    d[3] = textureGather(t0, vec3(1.0, 0.0, 0.0), 2.5)[3];
}

//# textureGather_CubeArrayShadow.comp
//! function textureGather(samplerCubeArrayShadow sampler, vec4 P, float refZ)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT cube_array 2x2 layers 12 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 101 102 103 104 105 106 107 108 109 110 111 112
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 1 1 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform samplerCubeArrayShadow t0;
void main() {
    d[0] = textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0), 26.5)[0];
    d[1] = textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0), 26.5)[1];
    d[2] = textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0), 26.5)[2];
    d[3] = textureGather(t0, vec4(1.0, 0.0, 0.0, 1.0), 26.5)[3];
}

//# textureGatherOffset_2D.comp
//! function textureGatherOffset(gsampler2D sampler, vec2 P, ivec2 offset, [ int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 3 4 4 3 0 3 4 4 3 0 3 4 4 3 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureGatherOffset(t0, vec2(0.5, 0.5), ivec2(1, -1))[0]);
    d[1] = float(textureGatherOffset(t0, vec2(0.5, 0.5), ivec2(1, -1))[1]);
    d[2] = float(textureGatherOffset(t0, vec2(0.5, 0.5), ivec2(1, -1))[2]);
    d[3] = float(textureGatherOffset(t0, vec2(0.5, 0.5), ivec2(1, -1))[3]);
    d[4] = float(textureGatherOffset(t0, vec2(0.5, 0.5), ivec2(1, -1), 1)[0]);
    d[5] = float(textureGatherOffset(t1, vec2(0.5, 0.5), ivec2(1, -1))[0]);
    d[6] = float(textureGatherOffset(t1, vec2(0.5, 0.5), ivec2(1, -1))[1]);
    d[7] = float(textureGatherOffset(t1, vec2(0.5, 0.5), ivec2(1, -1))[2]);
    d[8] = float(textureGatherOffset(t1, vec2(0.5, 0.5), ivec2(1, -1))[3]);
    d[9] = float(textureGatherOffset(t1, vec2(0.5, 0.5), ivec2(1, -1), 1)[0]);
    d[10] = float(textureGatherOffset(t2, vec2(0.5, 0.5), ivec2(1, -1))[0]);
    d[11] = float(textureGatherOffset(t2, vec2(0.5, 0.5), ivec2(1, -1))[1]);
    d[12] = float(textureGatherOffset(t2, vec2(0.5, 0.5), ivec2(1, -1))[2]);
    d[13] = float(textureGatherOffset(t2, vec2(0.5, 0.5), ivec2(1, -1))[3]);
    d[14] = float(textureGatherOffset(t2, vec2(0.5, 0.5), ivec2(1, -1), 1)[0]);
}

//# textureGatherOffset_2DArray.comp
//! function textureGatherOffset(gsampler2DArray sampler, vec3 P, ivec2 offset [ int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 11 12 12 11 0 11 12 12 11 0 11 12 12 11 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[0]);
    d[1] = float(textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[1]);
    d[2] = float(textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[2]);
    d[3] = float(textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[3]);
    d[4] = float(textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), ivec2(1, -1), 1)[0]);
    d[5] = float(textureGatherOffset(t1, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[0]);
    d[6] = float(textureGatherOffset(t1, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[1]);
    d[7] = float(textureGatherOffset(t1, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[2]);
    d[8] = float(textureGatherOffset(t1, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[3]);
    d[9] = float(textureGatherOffset(t1, vec3(0.5, 0.5, 1.0), ivec2(1, -1), 1)[0]);
    d[10] = float(textureGatherOffset(t2, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[0]);
    d[11] = float(textureGatherOffset(t2, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[1]);
    d[12] = float(textureGatherOffset(t2, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[2]);
    d[13] = float(textureGatherOffset(t2, vec3(0.5, 0.5, 1.0), ivec2(1, -1))[3]);
    d[14] = float(textureGatherOffset(t2, vec3(0.5, 0.5, 1.0), ivec2(1, -1), 1)[0]);
}

//# textureGatherOffset_2DShadow.comp
//! function textureGatherOffset(sampler2DShadow sampler, vec2 P, float refZ, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = textureGatherOffset(t0, vec2(0.5, 0.5), 3.5, ivec2(1, -1))[0];
    d[1] = textureGatherOffset(t0, vec2(0.5, 0.5), 3.5, ivec2(1, -1))[1];
    d[2] = textureGatherOffset(t0, vec2(0.5, 0.5), 3.5, ivec2(1, -1))[2];
    d[3] = textureGatherOffset(t0, vec2(0.5, 0.5), 3.5, ivec2(1, -1))[3];
}

//# textureGatherOffset_2DArrayShadow.comp
//! function textureGatherOffset(sampler2DArrayShadow sampler, vec3 P, float refZ, ivec2 offset)
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), 11.5, ivec2(1, -1))[0];
    d[1] = textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), 11.5, ivec2(1, -1))[1];
    d[2] = textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), 11.5, ivec2(1, -1))[2];
    d[3] = textureGatherOffset(t0, vec3(0.5, 0.5, 1.0), 11.5, ivec2(1, -1))[3];
}

//# textureGatherOffsets_2D.comp
//! function textureGatherOffsets(gsampler2D sampler, vec2 P, ivec2 offsets[4] [, int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d 4x2 levels 2 i32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d 4x2 levels 2 u32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 2 3 6 1 0 2 3 6 1 0 2 3 6 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2D t0;
layout(set = 0, binding = 2) uniform isampler2D t1;
layout(set = 0, binding = 3) uniform usampler2D t2;
void main() {
    d[0] = float(textureGatherOffsets(t0, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0]);
    d[1] = float(textureGatherOffsets(t0, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1]);
    d[2] = float(textureGatherOffsets(t0, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2]);
    d[3] = float(textureGatherOffsets(t0, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3]);
    d[4] = float(textureGatherOffsets(t0, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)), 1)[0]);
    d[5] = float(textureGatherOffsets(t1, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0]);
    d[6] = float(textureGatherOffsets(t1, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1]);
    d[7] = float(textureGatherOffsets(t1, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2]);
    d[8] = float(textureGatherOffsets(t1, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3]);
    d[9] = float(textureGatherOffsets(t1, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)), 1)[0]);
    d[10] = float(textureGatherOffsets(t2, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0]);
    d[11] = float(textureGatherOffsets(t2, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1]);
    d[12] = float(textureGatherOffsets(t2, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2]);
    d[13] = float(textureGatherOffsets(t2, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3]);
    d[14] = float(textureGatherOffsets(t2, vec2(0.5, 0.5), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)), 1)[0]);
}

//# textureGatherOffsets_2DArray.comp
//! function textureGatherOffsets(gsampler2DArray sampler, vec3 P, ivec2 offsets[4] [, int comp])
//! bind 0.0 f32 zeros 15
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp
//! image 0.2 R32_SINT 2d_array 4x2 layers 3 levels 2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.2 nearest clamp
//! image 0.3 R32_UINT 2d_array 4x2 layers 3 levels 2 u32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.3 nearest clamp
//! expect 0.0 f32 10 11 14 9 0 10 11 14 9 0 10 11 14 9 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArray t0;
layout(set = 0, binding = 2) uniform isampler2DArray t1;
layout(set = 0, binding = 3) uniform usampler2DArray t2;
void main() {
    d[0] = float(textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0]);
    d[1] = float(textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1]);
    d[2] = float(textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2]);
    d[3] = float(textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3]);
    d[4] = float(textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)), 1)[0]);
    d[5] = float(textureGatherOffsets(t1, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0]);
    d[6] = float(textureGatherOffsets(t1, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1]);
    d[7] = float(textureGatherOffsets(t1, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2]);
    d[8] = float(textureGatherOffsets(t1, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3]);
    d[9] = float(textureGatherOffsets(t1, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)), 1)[0]);
    d[10] = float(textureGatherOffsets(t2, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0]);
    d[11] = float(textureGatherOffsets(t2, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1]);
    d[12] = float(textureGatherOffsets(t2, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2]);
    d[13] = float(textureGatherOffsets(t2, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3]);
    d[14] = float(textureGatherOffsets(t2, vec3(0.5, 0.5, 1.0), ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)), 1)[0]);
}

//# textureGatherOffsets_2DShadow.comp
//! function textureGatherOffsets(sampler2DShadow sampler, vec2 P, float refZ, ivec2 offsets[4])
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d 4x2 levels 2 f32 1 2 3 4 5 6 7 8 101 102
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DShadow t0;
void main() {
    d[0] = textureGatherOffsets(t0, vec2(0.5, 0.5), 2.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0];
    d[1] = textureGatherOffsets(t0, vec2(0.5, 0.5), 2.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1];
    d[2] = textureGatherOffsets(t0, vec2(0.5, 0.5), 2.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2];
    d[3] = textureGatherOffsets(t0, vec2(0.5, 0.5), 2.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3];
}

//# textureGatherOffsets_2DArrayShadow.comp
//! function textureGatherOffsets(sampler2DArrayShadow sampler, vec3 P, float refZ, ivec2 offsets[4])
//! bind 0.0 f32 zeros 4
//! image 0.1 R32_SFLOAT 2d_array 4x2 layers 3 levels 2 f32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 101 102 103 104 105 106
//! sampler 0.1 nearest clamp less
//! expect 0.0 f32 0 1 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(set = 0, binding = 1) uniform sampler2DArrayShadow t0;
void main() {
    d[0] = textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), 10.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[0];
    d[1] = textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), 10.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[1];
    d[2] = textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), 10.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[2];
    d[3] = textureGatherOffsets(t0, vec3(0.5, 0.5, 1.0), 10.5, ivec2[4](ivec2(0, 0), ivec2(1, 0), ivec2(0, 1), ivec2(-1, 0)))[3];
}
