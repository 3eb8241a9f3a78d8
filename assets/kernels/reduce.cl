// Sum of each workgroup's part, by halving in workgroup memory.
kernel void reduce(global const float *values, global float *sums, local float *part) {
    size_t l = get_local_id(0);
    part[l] = values[get_global_id(0)];
    for (size_t half_size = get_local_size(0) / 2; half_size > 0; half_size /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < half_size)
            part[l] += part[l + half_size];
    }
    if (l == 0)
        sums[get_group_id(0)] = part[0];
}
