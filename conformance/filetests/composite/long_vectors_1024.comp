//! test OpTypeVector
//! newer
// Vectors of 1024 components: loops that carry them, functions, comparisons, dynamic components, dot products. The result has
// a sum `h = 31 h + x` over all components, the component after the one that is set, a dot product, and `any`.
//! bind 0.0 u32 zeros 12288
//! bind 0.1 u32 zeros 16
//! dispatch 1 1 1
//! expect 0.1 u32 2985306576 1029042675 6815 0 2985380939 3785061054 7825 0 823974704 639872525 10883 0 526239876 1934579199 15989 0
#version 450
#extension GL_EXT_long_vector : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
const int N = 1024;
layout(set = 0, binding = 0, scalar) buffer V { vector<uint, N> a[4]; vector<uint, N> b[4]; vector<uint, N> c[4]; };
layout(set = 0, binding = 1) writeonly buffer R { uvec4 r[4]; };

vector<uint, N> step(vector<uint, N> x, vector<uint, N> y) {
    return (x * 3u + y) ^ (x >> 3u);
}

void main() {
    uint i = gl_LocalInvocationIndex;
    for (int k = 0; k < N; k++) {
        a[i][k] = uint(k) * uint(k) + 7 * i + 1;
        b[i][k] = uint(k) * 2654435761u + i;
    }
    vector<uint, N> v = a[i];
    for (int turn = 0; turn < 5; turn++) v = step(v, b[i]);
    vector<bool, N> less = lessThan(v, a[i]);
    vector<uint, N> s = mix(v, min(v, b[i]), less);
    uint j = (i * 37 + N / 2 + 3) % N;
    s[j] = i + 5;
    c[i] = s;
    uint h = 1;
    for (int k = 0; k < N; k++) h = h * 31 + c[i][k];
    vector<float, N> f;
    for (int k = 0; k < N; k++) f[k] = float(k % 9) - 4.0 + float(i);
    r[i] = uvec4(h, s[(j + 1) % N], uint(dot(f, f)), uint(any(less)));
}
