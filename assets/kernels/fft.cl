// Fourier transforms of rows of 256 complex numbers, by radix 2 in workgroup memory; a workgroup of 128 invocations
// transforms a row.
#define SIZE 256

kernel void fft(global const float2 *values, global float2 *spectra) {
    local float2 row[SIZE];
    uint l = (uint)get_local_id(0);
    size_t first = get_group_id(0) * SIZE;
    for (uint k = l; k < SIZE; k += SIZE / 2) {
        uint reversed = 0;
        for (uint bit = 0; bit < 8; bit++)
            reversed |= (k >> bit & 1u) << (7 - bit);
        row[reversed] = values[first + k];
    }
    for (uint size = 1; size < SIZE; size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint at = l % size, low = 2 * (l - at) + at;
        float angle = -M_PI_F * (float)at / (float)size;
        float c = cos(angle), s = sin(angle);
        float2 a = row[low], b = row[low + size];
        float2 turned = (float2)(b.x * c - b.y * s, b.x * s + b.y * c);
        row[low] = a + turned;
        row[low + size] = a - turned;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    spectra[first + l] = row[l];
    spectra[first + l + SIZE / 2] = row[l + SIZE / 2];
}
