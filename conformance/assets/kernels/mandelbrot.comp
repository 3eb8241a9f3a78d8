#version 450
// Divergent loop: up to 128 iterations.
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer A { float a[]; };
layout(set = 0, binding = 1) buffer B { float b[]; };

void main() {
    uint i = gl_GlobalInvocationID.x;
    vec2 c = vec2(float(i % 256u) / 128.0 - 1.5, float(i / 256u) / 128.0 - 1.0), z = vec2(0.0);
    int n = 0;
    while (n < 128 && dot(z, z) < 4.0) {
        z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
        n++;
    }
    b[i] = float(n);
}
