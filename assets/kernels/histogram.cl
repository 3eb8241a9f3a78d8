// Number of bytes of each value: counted in workgroup memory, then added to the whole.
kernel void histogram(global const uchar *bytes, global uint *counts, uint each) {
    local uint part[256];
    size_t l = get_local_id(0), size = get_local_size(0);
    for (size_t k = l; k < 256; k += size)
        part[k] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t first = get_group_id(0) * size * each + l;
    for (uint k = 0; k < each; k++)
        atomic_add(&part[bytes[first + k * size]], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t k = l; k < 256; k += size)
        atomic_add(&counts[k], part[k]);
}
