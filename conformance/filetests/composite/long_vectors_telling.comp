//! test OpTypeVector
//! newer
// Long vectors whose values tell unsigned from signed, each component from all, a value from its negative, and a store from
// none. Results are sums `h = 31 h + x` over the components.
//! bind 0.0 u32 4026531840 4026532817 4026535748 4026540633 4026547472 4026556265 4026567012
//! bind 0.1 u32 2147483651 5 4294967295 7 2415919104 3 11
//! bind 0.2 f32 3000000000.0 3001048576.0 3002097152.0 3003145728.0 3004194304.0 3005242880.0
//! bind 0.3 u32 100 200 300 400 500
//! bind 0.4 u32 zeros 48
//! dispatch 1 1 1
//! expect 0.4 u32 1599042545 1688047631 2658973951 887533472 1130986305 3895475009 127240651 3789994327 1 549 6 0 1599042576 2605134675 2658973951 887533472 1130986305 3895475009 127240651 1251652308 1 549 3 0 1599042576 3522221812 2658973951 887533472 1130986305 3895475009 127240651 3008277585 1 549 1 0 1627671727 1195898 2658973951 887533472 1130986305 3895475009 127240651 469935566 1 549 0 0
#version 450
#extension GL_EXT_long_vector : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
layout(set = 0, binding = 0, scalar) readonly buffer A { vector<uint, 7> a; };
layout(set = 0, binding = 1, scalar) readonly buffer B { vector<uint, 7> b; };
layout(set = 0, binding = 2, scalar) readonly buffer F { vector<float, 6> f; };
layout(set = 0, binding = 3, scalar) readonly buffer P { vector<uint, 5> p; };
layout(set = 0, binding = 4) writeonly buffer R { uint r[4][12]; };

uint fold7(vector<uint, 7> v) {
    uint h = 1;
    for (int k = 0; k < 7; k++) h = h * 31 + v[k];
    return h;
}
uint fold6(vector<uint, 6> v) {
    uint h = 1;
    for (int k = 0; k < 6; k++) h = h * 31 + v[k];
    return h;
}

void main() {
    uint i = gl_LocalInvocationIndex;
    vector<uint, 7> x = a + i, y = b;
    r[i][0] = fold7(x / y);
    r[i][1] = fold7(x % y);
    r[i][2] = fold7(vector<uint, 7>(greaterThan(x, y)));
    vector<uint, 6> first, second;
    for (int k = 0; k < 6; k++) {
        first[k] = x[k];
        second[k] = y[k];
    }
    r[i][3] = fold6(vector<uint, 6>(lessThan(first, second)));
    r[i][4] = fold6(vector<uint, 6>(f));
    vector<float, 6> floats = vector<float, 6>(first);
    uint h = 1;
    for (int k = 0; k < 6; k++) h = h * 31 + (floatBitsToUint(floats[k]) >> 8);
    r[i][5] = h;
    vector<uint, 5> q = p;
    h = 1;
    for (int k = 0; k < 5; k++) h = h * 31 + q[k];
    r[i][6] = h;

    vector<uint, 1024> v, w;
    vector<float, 1024> g;
    for (int k = 0; k < 1024; k++) {
        v[k] = uint(k) * 2654435761u + i;
        w[k] = 0x7fff0000u + uint(k) * 300007u;
        g[k] = float(k) - 3.0 + float(i);
    }
    vector<bool, 1024> less = lessThan(v, w);
    vector<uint, 1024> smaller = min(v, w);
    vector<float, 1024> copy = g;
    uint count = 0, negative = 0;
    h = 1;
    for (int k = 0; k < 1024; k++) {
        h = h * 31 + smaller[k];
        count += uint(less[k]);
        if (copy[k] < 0.0) negative += k + 1;
    }
    r[i][7] = h;
    r[i][8] = uint(any(less)) + 2 * uint(all(less));
    r[i][9] = count;
    r[i][10] = negative;
}
