#version 450
// Streaming: one multiply and add per element.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = 2.5 * a[i] + b[i];
}
