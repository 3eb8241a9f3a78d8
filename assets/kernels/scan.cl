// Inclusive prefix sums of each workgroup's part, by doubling in workgroup memory.
kernel void scan(global const uint *values, global uint *sums, local uint *part) {
    size_t l = get_local_id(0);
    uint sum = values[get_global_id(0)];
    part[l] = sum;
    for (size_t distance = 1; distance < get_local_size(0); distance *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint before = l >= distance ? part[l - distance] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += before;
        part[l] = sum;
    }
    sums[get_global_id(0)] = sum;
}
