//! test OpCooperativeMatrixConvertNV, OpCooperativeMatrixTransposeNV, OpFConvert
// An accumulator becomes a matrix A or B, also with another component type, or transposed. Products with the identity show
// the elements. Spec: SPV_NV_cooperative_matrix2, OpCooperativeMatrixConvertNV, OpCooperativeMatrixTransposeNV.
//! newer
//! bind 0.0 f32 2 0 6 8 8 2 -5 -6 -1 7 1 -6 -3 -6 0 1 -2 -4 8 7 7 5 -6 8 -4 -1 4 2 -6 -6 -7 -3 -5 4 7 4 2 3 5 -5 5 5 2 4 7 8 4 -3 -2 -7 7 5 7 5 7 -4 -2 4 4 5 -1 -1 -1 -6 7 6 4 -6 -5 8 2 -4 4 -1 -6 5 -3 -7 8 -2 -5 -2 -3 -6 6 -7 0 -2 -8 1 -7 -3 7 -3 -3 -5 3 -3 4 -8 -3 6 3 4 0 7 6 -2 -6 4 7 5 -8 -5 -6 6 0 0 -7 5 -6 -5 -3 -1 7 -7 -1 -5 7 2 0 3 0 8 3 -1 -8 -2 6 2 2 -7 0 -2 -6 -4 1 8 3 2 6 8 -1 7 5 -1 -1 -7 -8 -2 2 6 7 -7 -7 2 -5 -3 -3 6 -8 -1 -8 -4 1 1 -1 -3 1 4 -1 2 -2 -7 -7 -1 -3 -8 -2 -5 1 -3 -8 8 4 -1 -3 -2 -6 -5 5 8 4 7 -5 -6 6 -1 0 -6 -3 2 5 -2 -4 -6 4 -7 -5 4 3 -1 -5 3 5 -6 -1 6 -5 -6 4 -7 4 1 -8 7 3 3 -1 3 3 -2 0 2 7 0 -5 -1 8 6 7 -4 -5 6 2 -6 -1 -4 5 -2 6 0 6 5 0 -4 8 -2 2 -1 1 -7 -3 -3 8 0 0 8 8 -7 8 3 5 -7 3 7 0 -5 0 8 0 -2 4 6 6 -4 -6 6 -5 -4 5 -7 0 1 3 7 -5 0 -5 5 3 2 -4 5 -8 3 2 1 -6 8 -5 7 -5 -5 6 4 -3 0 -2 2 -1 -1 -5 8 -1 -6 -8 0 -2 2 -8 5 -6 -5 -6 -1 -2 8 -6 -6 7 0 7 -6 -6 7 0 -5 8 7 -6 0 5 6 -7 4 -7 1 -1 -5 -7 3 -8 5 -3 3 -8 -5 4 -7 5 -4 -6 5
//! bind 0.1 f16 2 0 6 8 8 2 -5 -6 -1 7 1 -6 -3 -6 0 1 -2 -4 8 7 7 5 -6 8 -4 -1 4 2 -6 -6 -7 -3 -5 4 7 4 2 3 5 -5 5 5 2 4 7 8 4 -3 -2 -7 7 5 7 5 7 -4 -2 4 4 5 -1 -1 -1 -6 7 6 4 -6 -5 8 2 -4 4 -1 -6 5 -3 -7 8 -2 -5 -2 -3 -6 6 -7 0 -2 -8 1 -7 -3 7 -3 -3 -5 3 -3 4 -8 -3 6 3 4 0 7 6 -2 -6 4 7 5 -8 -5 -6 6 0 0 -7 5 -6 -5 -3 -1 7 -7 -1 -5 7 2 0 3 0 8 3 -1 -8 -2 6 2 2 -7 0 -2 -6 -4 1 8 3 2 6 8 -1 7 5 -1 -1 -7 -8 -2 2 6 7 -7 -7 2 -5 -3 -3 6 -8 -1 -8 -4 1 1 -1 -3 1 4 -1 2 -2 -7 -7 -1 -3 -8 -2 -5 1 -3 -8 8 4 -1 -3 -2 -6 -5 5 8 4 7 -5 -6 6 -1 0 -6 -3 2 5 -2 -4 -6 4 -7 -5 4 3 -1 -5 3 5 -6 -1 6 -5 -6 4 -7 4 1 -8 7 3 3 -1 3 3 -2 0 2 7 0 -5 -1 8 6 7 -4 -5 6 2 -6 -1 -4 5 -2 6 0 6 5 0 -4 8 -2 2 -1 1 -7 -3 -3 8 0 0 8 8 -7 8 3 5 -7 3 7 0 -5 0 8 0 -2 4 6 6 -4 -6 6 -5 -4 5 -7 0 1 3 7 -5 0 -5 5 3 2 -4 5 -8 3 2 1 -6 8 -5 7 -5 -5 6 4 -3 0 -2 2 -1 -1 -5 8 -1 -6 -8 0 -2 2 -8 5 -6 -5 -6 -1 -2 8 -6 -6 7 0 7 -6 -6 7 0 -5 8 7 -6 0 5 6 -7 4 -7 1 -1 -5 -7 3 -8 5 -3 3 -8 -5 4 -7 5 -4 -6 5
//! bind 0.2 f32 zeros 384
//! bind 0.3 f32 zeros 384
//! bind 0.4 f32 zeros 384
//! bind 0.5 f32 zeros 384
//! bind 0.6 f32 zeros 384
//! lanes 8 4 16 32
//! dispatch 1 1 1
//! expect 0.2 f32 2 0 6 8 8 2 -5 -6 -1 7 1 -6 -3 -6 0 1 -2 -4 8 7 7 5 -6 8 -4 -1 4 2 -6 -6 -7 -3 -5 4 7 4 2 3 5 -5 5 5 2 4 7 8 4 -3 -2 -7 7 5 7 5 7 -4 -2 4 4 5 -1 -1 -1 -6 7 6 4 -6 -5 8 2 -4 4 -1 -6 5 -3 -7 8 -2 -5 -2 -3 -6 6 -7 0 -2 -8 1 -7 -3 7 -3 -3 -5 3 -3 4 -8 -3 6 3 4 0 7 6 -2 -6 4 7 5 -8 -5 -6 6 0 0 -7 5 -6 -5 -3 -1 7 -7 -1 -5 7 2 0 3 0 8 3 -1 -8 -2 6 2 2 -7 0 -2 -6 -4 1 8 3 2 6 8 -1 7 5 -1 -1 -7 -8 -2 2 6 7 -7 -7 2 -5 -3 -3 6 -8 -1 -8 -4 1 1 -1 -3 1 4 -1 2 -2 -7 -7 -1 -3 -8 -2 -5 1 -3 -8 8 4 -1 -3 -2 -6 -5 5 8 4 7 -5 -6 6 -1 0 -6 -3 2 5 -2 -4 -6 4 -7 -5 4 3 -1 -5 3 5 -6 -1 6 -5 -6 4 -7 4 1 -8 7 3 3 -1 3 3 -2 0 2 7 0 -5 -1 8 6 7 -4 -5 6 2 -6 -1 -4 5 -2 6 0 6 5 0 -4 8 -2 2 -1 1 -7 -3 -3 8 0 0 8 8 -7 8 3 5 -7 3 7 0 -5 0 8 0 -2 4 6 6 -4 -6 6 -5 -4 5 -7 0 1 3 7 -5 0 -5 5 3 2 -4 5 -8 3 2 1 -6 8 -5 7 -5 -5 6 4 -3 0 -2 2 -1 -1 -5 8 -1 -6 -8 0 -2 2 -8 5 -6 -5 -6 -1 -2 8 -6 -6 7 0 7 -6 -6 7 0 -5 8 7 -6 0 5 6 -7 4 -7 1 -1 -5 -7 3 -8 5 -3 3 -8 -5 4 -7 5 -4 -6 5
//! expect 0.3 f32 2 0 6 8 8 2 -5 -6 -1 7 1 -6 -3 -6 0 1 -2 -4 8 7 7 5 -6 8 -4 -1 4 2 -6 -6 -7 -3 -5 4 7 4 2 3 5 -5 5 5 2 4 7 8 4 -3 -2 -7 7 5 7 5 7 -4 -2 4 4 5 -1 -1 -1 -6 7 6 4 -6 -5 8 2 -4 4 -1 -6 5 -3 -7 8 -2 -5 -2 -3 -6 6 -7 0 -2 -8 1 -7 -3 7 -3 -3 -5 3 -3 4 -8 -3 6 3 4 0 7 6 -2 -6 4 7 5 -8 -5 -6 6 0 0 -7 5 -6 -5 -3 -1 7 -7 -1 -5 7 2 0 3 0 8 3 -1 -8 -2 6 2 2 -7 0 -2 -6 -4 1 8 3 2 6 8 -1 7 5 -1 -1 -7 -8 -2 2 6 7 -7 -7 2 -5 -3 -3 6 -8 -1 -8 -4 1 1 -1 -3 1 4 -1 2 -2 -7 -7 -1 -3 -8 -2 -5 1 -3 -8 8 4 -1 -3 -2 -6 -5 5 8 4 7 -5 -6 6 -1 0 -6 -3 2 5 -2 -4 -6 4 -7 -5 4 3 -1 -5 3 5 -6 -1 6 -5 -6 4 -7 4 1 -8 7 3 3 -1 3 3 -2 0 2 7 0 -5 -1 8 6 7 -4 -5 6 2 -6 -1 -4 5 -2 6 0 6 5 0 -4 8 -2 2 -1 1 -7 -3 -3 8 0 0 8 8 -7 8 3 5 -7 3 7 0 -5 0 8 0 -2 4 6 6 -4 -6 6 -5 -4 5 -7 0 1 3 7 -5 0 -5 5 3 2 -4 5 -8 3 2 1 -6 8 -5 7 -5 -5 6 4 -3 0 -2 2 -1 -1 -5 8 -1 -6 -8 0 -2 2 -8 5 -6 -5 -6 -1 -2 8 -6 -6 7 0 7 -6 -6 7 0 -5 8 7 -6 0 5 6 -7 4 -7 1 -1 -5 -7 3 -8 5 -3 3 -8 -5 4 -7 5 -4 -6 5
//! expect 0.4 f32 2 -4 -2 4 3 -6 -6 -3 -8 4 3 0 0 -4 -8 -6 0 -1 -7 -1 -3 -5 -4 6 8 -7 -2 -4 8 5 0 0 6 4 7 -6 4 -3 1 -8 4 -5 0 8 0 -8 -2 5 8 2 5 5 -8 -1 8 -1 -1 4 2 -2 -2 3 2 6 8 -6 7 -3 -3 7 3 -8 -3 3 7 2 4 2 -8 -7 2 -6 5 -7 6 -7 2 -4 -2 -1 0 -1 6 1 5 4 -5 -7 7 8 3 -1 6 1 -6 -5 -5 1 6 -6 -6 -7 -6 -3 -4 -2 4 -5 8 1 -5 3 -1 -7 -4 8 -5 1 -1 -5 -2 -5 0 7 -1 -1 5 5 8 -3 -6 -5 -6 -1 7 4 4 -2 7 2 7 -3 8 -6 6 -3 6 7 -1 -5 1 7 4 -3 6 0 5 1 4 -1 7 8 -5 -5 -2 -7 -6 4 5 -6 -2 3 -1 4 7 6 -4 0 -4 -5 8 3 -3 2 -1 6 -6 0 -1 -1 -5 -5 -5 0 5 6 -6 -8 -6 3 -1 -7 4 8 -7 2 -6 -6 6 8 -7 4 -6 5 0 5 -1 0 7 3 -8 -2 6 4 2 8 0 -3 7 -3 1 -5 -6 -2 5 -1 -2 -7 -1 -7 -6 -7 1 0 0 3 -2 5 7 -8 -8 -8 2 -7 0 4 -1 8 3 -2 7 -8 -4 5 6 1 -5 -2 6 -1 -6 1 -4 3 7 2 -6 -5 8 2 4 -7 -6 6 7 -3 -3 -8 5 5 -5 -1 -6 4 7 4 -6 -3 6 2 -7 -8 2 7 -2 -7 0 -1 7 -7 7 7 -5 7 0 2 -7 -2 5 3 6 3 -5 -5 0 5 5 8 8 -3 0 -7 2 -5 -2 3 0 7 5 8 -5 -4 -6 4 2 -3 -7 0 -5 1 -4 -1 6 0 3 -1 8 -6 8 -3 -4 -5 5 -2 -3 -3 -6 3 5 -5 2 -6 7 5
//! expect 0.5 f32 2 -4 -2 4 3 -6 -6 -3 -8 4 3 0 0 -4 -8 -6 0 -1 -7 -1 -3 -5 -4 6 8 -7 -2 -4 8 5 0 0 6 4 7 -6 4 -3 1 -8 4 -5 0 8 0 -8 -2 5 8 2 5 5 -8 -1 8 -1 -1 4 2 -2 -2 3 2 6 8 -6 7 -3 -3 7 3 -8 -3 3 7 2 4 2 -8 -7 2 -6 5 -7 6 -7 2 -4 -2 -1 0 -1 6 1 5 4 -5 -7 7 8 3 -1 6 1 -6 -5 -5 1 6 -6 -6 -7 -6 -3 -4 -2 4 -5 8 1 -5 3 -1 -7 -4 8 -5 1 -1 -5 -2 -5 0 7 -1 -1 5 5 8 -3 -6 -5 -6 -1 7 4 4 -2 7 2 7 -3 8 -6 6 -3 6 7 -1 -5 1 7 4 -3 6 0 5 1 4 -1 7 8 -5 -5 -2 -7 -6 4 5 -6 -2 3 -1 4 7 6 -4 0 -4 -5 8 3 -3 2 -1 6 -6 0 -1 -1 -5 -5 -5 0 5 6 -6 -8 -6 3 -1 -7 4 8 -7 2 -6 -6 6 8 -7 4 -6 5 0 5 -1 0 7 3 -8 -2 6 4 2 8 0 -3 7 -3 1 -5 -6 -2 5 -1 -2 -7 -1 -7 -6 -7 1 0 0 3 -2 5 7 -8 -8 -8 2 -7 0 4 -1 8 3 -2 7 -8 -4 5 6 1 -5 -2 6 -1 -6 1 -4 3 7 2 -6 -5 8 2 4 -7 -6 6 7 -3 -3 -8 5 5 -5 -1 -6 4 7 4 -6 -3 6 2 -7 -8 2 7 -2 -7 0 -1 7 -7 7 7 -5 7 0 2 -7 -2 5 3 6 3 -5 -5 0 5 5 8 8 -3 0 -7 2 -5 -2 3 0 7 5 8 -5 -4 -6 4 2 -3 -7 0 -5 1 -4 -1 6 0 3 -1 8 -6 8 -3 -4 -5 5 -2 -3 -3 -6 3 5 -5 2 -6 7 5
//! expect 0.6 f32 2 -4 -2 4 3 -6 -6 -3 -8 4 3 0 0 -4 -8 -6 0 -1 -7 -1 -3 -5 -4 6 8 -7 -2 -4 8 5 0 0 6 4 7 -6 4 -3 1 -8 4 -5 0 8 0 -8 -2 5 8 2 5 5 -8 -1 8 -1 -1 4 2 -2 -2 3 2 6 8 -6 7 -3 -3 7 3 -8 -3 3 7 2 4 2 -8 -7 2 -6 5 -7 6 -7 2 -4 -2 -1 0 -1 6 1 5 4 -5 -7 7 8 3 -1 6 1 -6 -5 -5 1 6 -6 -6 -7 -6 -3 -4 -2 4 -5 8 1 -5 3 -1 -7 -4 8 -5 1 -1 -5 -2 -5 0 7 -1 -1 5 5 8 -3 -6 -5 -6 -1 7 4 4 -2 7 2 7 -3 8 -6 6 -3 6 7 -1 -5 1 7 4 -3 6 0 5 1 4 -1 7 8 -5 -5 -2 -7 -6 4 5 -6 -2 3 -1 4 7 6 -4 0 -4 -5 8 3 -3 2 -1 6 -6 0 -1 -1 -5 -5 -5 0 5 6 -6 -8 -6 3 -1 -7 4 8 -7 2 -6 -6 6 8 -7 4 -6 5 0 5 -1 0 7 3 -8 -2 6 4 2 8 0 -3 7 -3 1 -5 -6 -2 5 -1 -2 -7 -1 -7 -6 -7 1 0 0 3 -2 5 7 -8 -8 -8 2 -7 0 4 -1 8 3 -2 7 -8 -4 5 6 1 -5 -2 6 -1 -6 1 -4 3 7 2 -6 -5 8 2 4 -7 -6 6 7 -3 -3 -8 5 5 -5 -1 -6 4 7 4 -6 -3 6 2 -7 -8 2 7 -2 -7 0 -1 7 -7 7 7 -5 7 0 2 -7 -2 5 3 6 3 -5 -5 0 5 5 8 8 -3 0 -7 2 -5 -2 3 0 7 5 8 -5 -4 -6 4 2 -3 -7 0 -5 1 -4 -1 6 0 3 -1 8 -6 8 -3 -4 -5 5 -2 -3 -3 -6 3 5 -5 2 -6 7 5
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_buffer_reference : require

#define MAT(T, M, N, U) coopmat<T, gl_ScopeSubgroup, M, N, gl_MatrixUse##U>
#define ROWS gl_CooperativeMatrixLayoutRowMajor
#define COLUMNS gl_CooperativeMatrixLayoutColumnMajor

layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer In { float x[]; };
layout(set = 0, binding = 1) buffer Halves { float16_t h[]; };
layout(set = 0, binding = 2) buffer OutA { float out_a[]; };
layout(set = 0, binding = 3) buffer OutB { float out_b[]; };
layout(set = 0, binding = 4) buffer OutT { float out_t[]; };
layout(set = 0, binding = 5) buffer OutNarrow { float out_n[]; };
layout(set = 0, binding = 6) buffer OutIntegers { float out_i[]; };

float16_t identity(const in uint row, const in uint column, const in float16_t old) {
    return row == column ? float16_t(1) : float16_t(0);
}

int8_t identity_i(const in uint row, const in uint column, const in int8_t old) {
    return row == column ? int8_t(1) : int8_t(0);
}

void main() {
    MAT(float, 16, 24, Accumulator) m;
    coopMatLoad(m, x, 0, 24, ROWS);
    MAT(float16_t, 24, 24, Accumulator) one = MAT(float16_t, 24, 24, Accumulator)(0.0);
    coopMatPerElementNV(one, one, identity);
    // The component type changes too.
    MAT(float16_t, 16, 24, A) ma = MAT(float16_t, 16, 24, A)(m);
    MAT(float, 16, 24, Accumulator) zero = MAT(float, 16, 24, Accumulator)(0.0);
    coopMatStore(coopMatMulAdd(ma, MAT(float16_t, 24, 24, B)(one), zero), out_a, 0, 24, ROWS);
    MAT(float16_t, 16, 24, Accumulator) mh;
    coopMatLoad(mh, h, 0, 24, ROWS);
    MAT(float16_t, 16, 16, Accumulator) small = MAT(float16_t, 16, 16, Accumulator)(0.0);
    coopMatPerElementNV(small, small, identity);
    coopMatStore(coopMatMulAdd(MAT(float16_t, 16, 16, A)(small), MAT(float16_t, 16, 24, B)(mh), zero), out_b, 0, 24, ROWS);
    MAT(float16_t, 24, 16, B) mt;
    coopMatTransposeNV(mt, mh);
    MAT(float, 24, 16, Accumulator) t = MAT(float, 24, 16, Accumulator)(0.0);
    coopMatStore(coopMatMulAdd(MAT(float16_t, 24, 24, A)(one), mt, t), out_t, 0, 16, ROWS);
    // The same, with another component type.
    MAT(float16_t, 24, 16, B) narrow;
    coopMatTransposeNV(narrow, m);
    coopMatStore(coopMatMulAdd(MAT(float16_t, 24, 24, A)(one), narrow, t), out_n, 0, 16, ROWS);
    MAT(int, 16, 24, Accumulator) mi = MAT(int, 16, 24, Accumulator)(m);
    MAT(int8_t, 24, 16, B) bytes;
    coopMatTransposeNV(bytes, mi);
    MAT(int8_t, 24, 24, Accumulator) one_i = MAT(int8_t, 24, 24, Accumulator)(int8_t(0));
    coopMatPerElementNV(one_i, one_i, identity_i);
    MAT(int, 24, 16, Accumulator) ti = MAT(int, 24, 16, Accumulator)(0);
    ti = coopMatMulAdd(MAT(int8_t, 24, 24, A)(one_i), bytes, ti);
    coopMatStore(MAT(float, 24, 16, Accumulator)(ti), out_i, 0, 16, ROWS);
}
