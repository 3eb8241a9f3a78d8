// Product of a sparse matrix in compressed rows and a vector.
kernel void spmv(global const uint *rows, global const uint *columns, global const float *values,
                 global const float *vector, global float *product) {
    size_t i = get_global_id(0);
    float sum = 0.0f;
    for (uint k = rows[i]; k < rows[i + 1]; k++)
        sum += values[k] * vector[columns[k]];
    product[i] = sum;
}
