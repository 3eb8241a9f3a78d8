#version 450
// Random reads within 64 Ki elements.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    b[i] = a[(i * 2654435761u >> 8) & 65535u];
}
