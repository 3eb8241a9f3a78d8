// C = A * B for square matrices of N rows by cooperative matrices: each subgroup computes a block of 2 by 2 matrices
// of SHAPE rows and columns. Benchmarks set N, SHAPE, FACTOR and SUM in front of this text.
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_EXT_shader_explicit_arithmetic_types : require

layout(local_size_x = 32) in;
layout(set = 0, binding = 0) readonly buffer A { FACTOR a[]; };
layout(set = 0, binding = 1) readonly buffer B { FACTOR b[]; };
layout(set = 0, binding = 2) writeonly buffer C { SUM c[]; };

void main() {
    uint tile = gl_WorkGroupID.x * gl_NumSubgroups + gl_SubgroupID;
    uint row = tile / (N / (2 * SHAPE)) * (2 * SHAPE);
    uint column = tile % (N / (2 * SHAPE)) * (2 * SHAPE);
    coopmat<SUM, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseAccumulator> sum[2][2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            sum[i][j] = coopmat<SUM, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseAccumulator>(SUM(0));
        }
    }
    for (uint k = 0; k < N; k += SHAPE) {
        coopmat<FACTOR, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseA> x0, x1;
        coopmat<FACTOR, gl_ScopeSubgroup, SHAPE, SHAPE, gl_MatrixUseB> y0, y1;
        coopMatLoad(x0, a, row * N + k, N, gl_CooperativeMatrixLayoutRowMajor);
        coopMatLoad(x1, a, (row + SHAPE) * N + k, N, gl_CooperativeMatrixLayoutRowMajor);
        coopMatLoad(y0, b, k * N + column, N, gl_CooperativeMatrixLayoutRowMajor);
        coopMatLoad(y1, b, k * N + column + SHAPE, N, gl_CooperativeMatrixLayoutRowMajor);
        sum[0][0] = coopMatMulAdd(x0, y0, sum[0][0]);
        sum[0][1] = coopMatMulAdd(x0, y1, sum[0][1]);
        sum[1][0] = coopMatMulAdd(x1, y0, sum[1][0]);
        sum[1][1] = coopMatMulAdd(x1, y1, sum[1][1]);
    }
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            coopMatStore(sum[i][j], c, (row + SHAPE * i) * N + column + SHAPE * j, N, gl_CooperativeMatrixLayoutRowMajor);
        }
    }
}
