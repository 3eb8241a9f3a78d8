#version 450
// Sine, exponential, logarithm, power of each element.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    float x = a[i];
    b[i] = sin(x) + exp2(-abs(x)) + log2(abs(x) + 1.0) + pow(abs(x) + 0.5, 1.7);
}
