//! test OpTypeVector, OpTypeVectorIdEXT
//! newer
// Vectors of 1, 5, 7 and 9 components, and of a number that a specialization constant states, in every class of memory
// that may hold them. Each word of the result is one case: a component, or a sum `h = 31 h + x` over all of them.
//! bind 0.0 u32 5 7924 15843 23762 31681 39600 47519 1000008 1007927 1015846 1023765 1031684 1039603 1047522 2000011 2007930 2015849 2023768 2031687 2039606 2047525 3000014 3007933 3015852 3023771 3031690 3039609 3047528
//! bind 0.1 u32 3 5 7 11 13 17 19
//! bind 0.2 f32 -1.5 -1.0 -0.5 0.0 0.5 1.0 1.5 2.0 2.5 -0.5 0.0 0.5 1.0 1.5 2.0 2.5 3.0 3.5 0.5 1.0 1.5 2.0 2.5 3.0 3.5 4.0 4.5 1.5 2.0 2.5 3.0 3.5 4.0 4.5 5.0 5.5
//! bind 0.3 u32 zeros 80
//! push u32 9 100 200 300 400 500
//! constant 4 u32 7
//! dispatch 1 1 1
//! expect 0.3 +0 u32 2113037786 783080712 1540706819 2890942184 3634241142 370207473 1223152002 3259392538 2261172297 2630314016 0 3171512607 1099563008 5 127240651 82 1359812493 2001947945 7 4066557447
//! expect 0.3 +80 u32 519486205 3484496427 3023620990 3822045940 1805792429 99735868 1432817370 1665840957 3369036431 2658943167 0 2366206239 1108148224 1015846 128194956 1000085 548166653 2378858281 7 688677288
//! expect 0.3 +160 u32 3220901920 1890944846 211567865 3866569506 2633390620 1894092381 2530879156 72289376 181933269 2659866688 13 1015640351 1116635136 2031687 129149261 2000088 2255756975 133546281 7 1605764425
//! expect 0.3 +240 u32 1627350339 297393265 1694482036 3882493743 3603806338 706888648 3628048173 2773705091 1153308163 2659866688 1 4106842399 1123713024 3047528 130103566 3000091 2626242283 3543318317 7 2522851562
#version 450
#extension GL_EXT_long_vector : require
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 4) in;
layout(constant_id = 4) const uint N = 5;
layout(set = 0, binding = 0, scalar) buffer A { vector<uint, 7> a[4]; };
layout(set = 0, binding = 1, scalar) uniform B { vector<uint, 7> b; };
layout(set = 0, binding = 2, scalar) readonly buffer F { vector<float, 9> f[4]; };
layout(set = 0, binding = 3) writeonly buffer R { uint r[4][20]; };
layout(push_constant, scalar) uniform P { uint s; vector<uint, 5> p; };
shared vector<uint, 7> own[4];
vector<int, 9> scaled;

uint fold(vector<uint, N> v) {
    uint h = 1;
    for (int k = 0; k < v.length(); k++) h = h * 31 + v[k];
    return h;
}
uint fold7(vector<uint, 7> v) {
    vector<uint, N> w;
    for (int k = 0; k < 7; k++) w[k] = v[k];
    return fold(w);
}
uint fold9(vector<uint, 9> v) {
    uint h = 1;
    for (int k = 0; k < 9; k++) h = h * 31 + v[k];
    return h;
}
vector<uint, 7> next(vector<uint, 7> v) {
    return v * 3u + vector<uint, 7>(0, 1, 2, 3, 4, 5, 6);
}

void main() {
    uint i = gl_LocalInvocationIndex;
    vector<uint, 7> v = a[i], w = b;
    uint n = 0;
    r[i][n++] = fold7(v + w);
    r[i][n++] = fold7(v - w);
    r[i][n++] = fold7(v * w);
    r[i][n++] = fold7(v / w);
    r[i][n++] = fold7(v % w);
    r[i][n++] = fold7((v & w) | ((v ^ w) << 2u));
    r[i][n++] = fold7(~v >> w);
    r[i][n++] = fold7(v + s);
    own[i] = v;
    barrier();
    r[i][n++] = fold7(own[(i + 1) % 4] * 2u);
    r[i][n++] = fold7(vector<uint, 7>(greaterThan(v & 15u, w)));
    vector<bool, 7> near = equal(v % 5u, a[2] % 3u), same = equal(v, a[2]);
    r[i][n++] = uint(any(near)) + 2 * uint(all(near)) + 4 * uint(any(same)) + 8 * uint(all(same));
    vector<float, 9> x = f[i];
    vector<float, 9> y = clamp(x * 2.0 + 1.0, vector<float, 9>(-1.0), vector<float, 9>(4.0));
    r[i][n++] = fold9(floatBitsToUint(y));
    r[i][n++] = floatBitsToUint(dot(x, x));
    r[i][n++] = v[i * 2 % 7];
    vector<uint, 5> q = p;
    q += i;
    uint h = 1;
    for (int k = 0; k < 5; k++) h = h * 31 + q[k];
    r[i][n++] = h;
    vector<uint, 1> one = vector<uint, 1>(v[0]);
    one += vector<uint, 1>(77);
    r[i][n++] = one[0];
    for (uint turn = 0; turn < i + 2; turn++) v = next(v);
    r[i][n++] = fold7(v);
    scaled = vector<int, 9>(x * 4.0);
    r[i][n++] = fold9(vector<uint, 9>(abs(scaled)));
    vector<uint, N> given = vector<uint, N>(i + 40);
    r[i][n++] = given.length();
    r[i][n++] = fold(given);
}
