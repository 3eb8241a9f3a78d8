#version 450
// Arithmetic: 512 fused multiply-adds in four chains.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec4 x = vec4(a[i]) + vec4(0.0, 0.1, 0.2, 0.3);
    for (int k = 0; k < 128; k++) x = fma(x, vec4(0.999), vec4(0.001));
    b[i] = x.x + x.y + x.z + x.w;
}
