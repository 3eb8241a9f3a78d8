#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer In { float xs[]; };
layout(set = 0, binding = 1, std430) writeonly buffer Out { uint counts[]; };
shared uint count;
// Workgroup memory is not zero at the start.
//! finds uninitialized-workgroup
//! bind 0.0 f32: 1 2 3 4 5 6 7 8
//! bind 0.1 zeros 1
//! dispatch 1
void main() {
#ifdef MENDED
    if (gl_LocalInvocationIndex == 0) count = 0;
    barrier();
#endif
    if (xs[gl_GlobalInvocationID.x] > 4.0) atomicAdd(count, 1u);
    barrier();
    if (gl_LocalInvocationIndex == 0) counts[0] = count;
}
