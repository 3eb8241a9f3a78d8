#version 450
// sum = a + b, element by element.

layout(local_size_x = 64) in;
layout(set = 0, binding = 0) readonly buffer A { float a[]; };
layout(set = 0, binding = 1) readonly buffer B { float b[]; };
layout(set = 0, binding = 2) writeonly buffer Sum { float sum[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < sum.length()) sum[i] = a[i] + b[i];
}
