// Product of two square matrices, in tiles of 16x16 elements.
#define SIDE 16

kernel void matmul(global const float *a, global const float *b, global float *product, uint n) {
    local float left[SIDE][SIDE];
    local float right[SIDE][SIDE];
    size_t x = get_global_id(0), y = get_global_id(1);
    size_t column = get_local_id(0), row = get_local_id(1);
    float sum = 0.0f;
    for (uint tile = 0; tile < n; tile += SIDE) {
        left[row][column] = a[y * n + tile + column];
        right[row][column] = b[(tile + row) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < SIDE; k++)
            sum += left[row][k] * right[k][column];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    product[y * n + x] = sum;
}
