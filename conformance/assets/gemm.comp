// C = A * B for square matrices of N rows by cooperative matrices: each subgroup computes a block of BLOCK by BLOCK
// matrices of SHAPE rows and columns; BLOCK is 2 or 4. Benchmarks set N, SHAPE, BLOCK, FACTOR and SUM in front of this text.
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_bfloat16 : enable

#define SIDE (BLOCK * SHAPE)
#define Sum coopmat<SUM, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseAccumulator>
#define ROWS gl_CooperativeMatrixLayoutRowMajor

layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { FACTOR a[]; };
layout(set = 0, binding = 1) readonly buffer B { FACTOR b[]; };
layout(set = 0, binding = 2) writeonly buffer C { SUM c[]; };

#define LOAD_A(x, i) coopMatLoad(x, a, (row + SHAPE * i) * N + k, N, ROWS)
#define LOAD_B(y, i) coopMatLoad(y, b, k * N + column + SHAPE * i, N, ROWS)
#define ADD(x, y, i, j) sum[i][j] = coopMatMulAdd(x, y, sum[i][j])
#define ADD_ROW(x, i) ADD(x, y0, i, 0); ADD(x, y1, i, 1)
#define ADD_REST(x, i) ADD(x, y2, i, 2); ADD(x, y3, i, 3)

void main() {
    uint tile = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
    uint row = tile / (N / SIDE) * SIDE;
    uint column = tile % (N / SIDE) * SIDE;
    Sum sum[BLOCK][BLOCK];
    for (int i = 0; i < BLOCK; i++) {
        for (int j = 0; j < BLOCK; j++) {
            sum[i][j] = Sum(SUM(0));
        }
    }
    for (uint k = 0; k < N; k += SHAPE) {
        coopmat<FACTOR, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseA> x0, x1, x2, x3;
        coopmat<FACTOR, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseB> y0, y1, y2, y3;
        LOAD_A(x0, 0);
        LOAD_A(x1, 1);
        LOAD_B(y0, 0);
        LOAD_B(y1, 1);
#if BLOCK == 4
        LOAD_A(x2, 2);
        LOAD_A(x3, 3);
        LOAD_B(y2, 2);
        LOAD_B(y3, 3);
#endif
        ADD_ROW(x0, 0);
        ADD_ROW(x1, 1);
#if BLOCK == 4
        ADD_REST(x0, 0);
        ADD_REST(x1, 1);
        ADD_ROW(x2, 2);
        ADD_REST(x2, 2);
        ADD_ROW(x3, 3);
        ADD_REST(x3, 3);
#endif
    }
    for (int i = 0; i < BLOCK; i++) {
        for (int j = 0; j < BLOCK; j++) {
            coopMatStore(sum[i][j], c, (row + SHAPE * i) * N + column + SHAPE * j, N, ROWS);
        }
    }
}
