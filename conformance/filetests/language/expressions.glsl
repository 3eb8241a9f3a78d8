// Operators, constructors, functions, statements; v[i] is i.

//# precedence.comp
//! feature operators: 17 precedence levels; no pointers, no casts, no bit shifts of float
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 14 1 1 6 1 7 12 5 20
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = v[2] + v[3] * v[4];
    d[1] = int(v[1] + v[2] < v[4] == true);
    d[2] = int(v[0] == 1 || v[1] == 1 && v[2] == 2);
    d[3] = v[2] | v[4] & v[6] ^ v[0];
    d[4] = v[8] >> v[1] + v[2];
    d[5] = v[1] == 0 ? 3 : v[2] == 2 ? 7 : 8;
    int a = v[4];
    d[6] = a++ + -(-a) + v[3];
    d[7] = (a = v[5], a);
    d[8] = v[5] - v[3] - v[2] == 0 ? (v[2] + v[3]) * v[4] : 0;
}

//# no_float_shift.comp
//! feature operators: 17 precedence levels; no pointers, no casts, no bit shifts of float
//! error no operation '<<' exists
#version 460
void main() { float a = 1.0; a = a << 1; }

//# no_cast.comp
//! feature operators: 17 precedence levels; no pointers, no casts, no bit shifts of float
//! error explicit typecast
#version 460
void main() { float a = 1.0; int b = (int) a; }

//# no_pointer.comp
//! feature operators: 17 precedence levels; no pointers, no casts, no bit shifts of float
//! error unexpected `*`
#version 460
void main() { int a = 1; int b = *a; }

//# scalar_conversions.comp
//! feature constructors: scalar conversions (20 pairs)
//! bind 0.0 f64 zeros 20
//! bind 0.1 i32 iota 16
//! expect 0.0 f64 3 -3 1 3 2 1 4294967293 3 0 1 1 1 4294967296 3 -3 1 3 4294967293 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    float f = float(v[7]) / 2.0;
    int i = -v[3];
    uint u = uint(v[3]);
    bool b = v[1] == 1;
    double e = double(v[5]) / 2.0lf;
    d[0] = int(f);
    d[1] = int(-f);
    d[2] = int(b);
    d[3] = int(u);
    d[4] = int(e);
    d[5] = uint(b);
    d[6] = uint(i);
    d[7] = uint(f);
    d[8] = int(bool(v[0]));
    d[9] = int(bool(f));
    d[10] = int(bool(u));
    d[11] = int(bool(e));
    d[12] = float(uint(-v[1]));
    d[13] = float(u);
    d[14] = float(i);
    d[15] = float(b);
    d[16] = double(u);
    d[17] = double(uint(i));
    d[18] = double(b);
    d[19] = int(bool(float(v[0])));
}

//# first_component.comp
//! feature constructors: scalar from vector/matrix takes first component
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 5 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = int(vec3(v[3], v[4], v[5]));
    d[1] = int(mat2(v[5], v[6], v[7], v[8]));
    d[2] = int(uint(ivec2(v[7], v[8])));
}

//# vectors.comp
//! feature constructors: vector from mixed scalars/vectors/matrices, shortening
//! bind 0.0 i32 zeros 10
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 2 3 4 3 2 9 8 1 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    vec4 a = vec4(v[1], ivec2(v[2], v[3]), uint(v[4]));
    d[0] = int(a.x); d[1] = int(a.y); d[2] = int(a.z); d[3] = int(a.w);
    vec3 b = vec3(a.wzyx.yz, 9.0);
    d[4] = int(b.x); d[5] = int(b.y); d[6] = int(b.z);
    d[7] = int(vec2(v[8]).y);
    d[8] = ivec2(a).x;
    d[9] = int(vec4(mat2(v[3], v[4], v[5], v[6])).w);
}

//# matrices.comp
//! feature constructors: matrix from scalar (diagonal), from columns, from matrix (identity fill)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 5 0 5 2 3 1 0 4 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    mat3 a = mat3(v[5]);
    d[0] = int(a[0][0]); d[1] = int(a[0][1]); d[2] = int(a[2][2]);
    mat2 b = mat2(vec2(v[1], v[2]), vec2(v[3], v[4]));
    d[3] = int(b[0][1]); d[4] = int(b[1][0]);
    mat4 e = mat4(b);
    d[5] = int(e[3][3]); d[6] = int(e[3][0]); d[7] = int(e[1][1]);
    d[8] = int(mat2(mat3(b))[0][0]);
}

//# matrices_few.comp
//! feature constructors: matrix from scalar (diagonal), from columns, from matrix (identity fill)
//! error not enough data provided for construction
#version 460
void main() { mat2 m = mat2(1.0, 2.0, 3.0); }

//# structures.comp
//! feature constructors: struct constructors
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 2 3 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { int a; vec2 b; };
void main() {
    S s = S(v[2], vec2(v[3], v[4]));
    d[0] = s.a;
    d[1] = int(s.b.x);
    d[2] = S(v[5], s.b).a;
}

//# array_constructors.comp
//! feature constructors: array constructors, sizes deduced, arrays of arrays
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 6 2 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a[3] = int[](v[4], v[5], v[6]);
    d[0] = int[](1, 2, 3).length();
    d[1] = a[v[2]];
    int b[2][2] = int[][](int[](1, 2), int[2](v[4], v[5]));
    d[2] = b.length();
    d[3] = b[1][v[1]];
}

//# swizzles.comp
//! feature expressions: swizzle xyzw/rgba/stpq, on scalars too, l-value swizzles without repeats
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 4 1 3 3 7 8 2 5 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    ivec4 a = ivec4(v[1], v[2], v[3], v[4]);
    d[0] = a.wzyx.x;
    d[1] = a.abgr.a;
    d[2] = a.stpq.p;
    d[3] = a.zz.y;
    a.yx = ivec2(v[7], v[8]);
    d[4] = a.y; d[5] = a.x;
    a.zw.y = v[2];
    d[6] = a.w;
    ivec3 b = v[5].xxx;
    d[7] = b.z;
    d[8] = v[5].r;
}

//# swizzles_repeated.comp
//! feature expressions: swizzle xyzw/rgba/stpq, on scalars too, l-value swizzles without repeats
//! error l-value of swizzle cannot have duplicate components
#version 460
void main() { vec2 a; a.xx = vec2(1.0); }

//# swizzles_mixed.comp
//! feature expressions: swizzle xyzw/rgba/stpq, on scalars too, l-value swizzles without repeats
//! error vector swizzle selectors not from the same set
#version 460
void main() { vec4 a = vec4(1.0); vec2 b = a.xg; }

//# dynamic_index.comp
//! feature expressions: vector dynamic indexing v[i]
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 7 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    ivec3 a = ivec3(v[5], v[6], v[7]);
    d[0] = a[v[2]];
    a[v[1]] = v[9];
    d[1] = a.y;
}

//# vector_length.comp
//! feature expressions: .length() on vectors and matrices (constant)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 2 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    vec3 a = vec3(v[1]);
    mat2x4 m = mat2x4(1.0);
    int b[a.length()];
    d[0] = b.length();
    d[1] = m.length();
    d[2] = m[0].length();
}

//# matrix_index.comp
//! feature expressions: matrix column and element indexing
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 6 8 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    mat3x2 m = mat3x2(v[1], v[2], v[3], v[4], v[5], v[6]);
    d[0] = int(m[v[1]].x);
    d[1] = int(m[2][v[1]]);
    m[v[0]] = vec2(v[8], v[9]);
    d[2] = int(m[0][0]);
    m[1][v[1]] = float(v[9]);
    d[3] = int(m[1].y);
}

//# whole.comp
//! feature expressions: whole struct/array ==, !=, =, ?:, comma
//! bind 0.0 i32 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 0 1 1 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { int a; float f[2]; };
void main() {
    S a = S(v[1], float[2](2.0, 3.0)), b = a;
    d[0] = int(a == b);
    b.f[v[1]] = 4.0;
    d[1] = int(a == b);
    d[2] = int(a.f != b.f);
    S e = v[0] == 0 ? a : b;
    d[3] = int(e == a);
    float g[2] = (a, b.f);
    d[4] = int(g[1]);
}

//# assignment.comp
//! feature expressions: assignment and op-assignment; left evaluated before right
//! bind 0.0 i32 zeros 13
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 5 8 3 12 6 2 3 7 5 20 2 9 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a = v[2];
    a += v[3]; d[0] = a;
    a = v[5]; a += v[3]; d[1] = a;
    a = v[7]; a /= v[2]; d[2] = a;
    a *= v[4]; d[3] = a;
    a >>= 1; d[4] = a;
    a &= 3; d[5] = a;
    a |= 1; d[6] = a;
    a ^= 4; d[7] = a;
    a -= v[2]; d[8] = a;
    a <<= 2; d[9] = a;
    a %= 3; d[10] = a;
    // The index is evaluated before what is assigned.
    int k = 0, list[2] = int[](v[1], v[1]);
    list[k++] = v[8] + k;
    d[11] = list[0];
    d[12] = list[1];
}

//# arithmetic.comp
//! feature expressions: arithmetic incl. vector/matrix forms and implicit conversion
//! bind 0.0 f32 zeros 11
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 5 -1 6 3 7 8 6 1 8 12 2.5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    vec2 a = vec2(v[2], v[3]);
    mat2 m = mat2(v[1], v[2], v[3], v[4]);
    d[0] = (a + vec2(1.0, 2.0)).y;
    d[1] = (a - v[3]).x;
    d[2] = a.x * a.y;
    d[3] = float(v[7] / v[2]);
    d[4] = (v[5] + a).x;
    d[5] = (m + m)[1][1];
    d[6] = (v[2] * m)[1][0];
    d[7] = (m / m)[0][1];
    d[8] = (4.0 * a).x;
    d[9] = (m * v[3])[1].y;
    d[10] = v[1] + a.y / 2.0;
}

//# modulus.comp
//! feature expressions: % on integers (undefined for negatives)
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 3 2 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = v[7] % v[3];
    d[1] = int(uint(v[15]) % 4u);
    d[2] = (ivec2(v[8], v[9]) % ivec2(v[3], v[4])).x;
    d[3] = (ivec2(v[8], v[9]) % v[4]).y;
}

//# modulus_float.comp
//! feature expressions: % on integers (undefined for negatives)
//! error no operation '%' exists
#version 460
void main() { float a = 1.0; a = a % 2.0; }

//# bitwise.comp
//! feature expressions: bitwise ~ & ^ |, shifts (mixed signedness, vector by scalar)
//! bind 0.0 i32 zeros 9
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 -4 4 2 6 40 -2 1 20 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = ~v[3];
    d[1] = v[6] & v[12];
    d[2] = v[6] ^ v[4];
    d[3] = v[2] | v[4];
    d[4] = v[5] << 3u;
    d[5] = -v[4] >> v[1];
    d[6] = int(uint(-v[1]) >> 31);
    d[7] = (ivec2(v[4], v[5]) << v[2]).y;
    d[8] = (ivec2(v[7], v[8]) & v[3]).x;
}

//# relational.comp
//! feature expressions: relational on scalars; ==/!= on all types
//! bind 0.0 i32 zeros 8
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 0 1 1 1 0 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = int(v[1] < v[2]);
    d[1] = int(v[2] > v[2]);
    d[2] = int(v[2] <= v[2]);
    d[3] = int(float(v[3]) >= 2.5);
    d[4] = int(vec2(v[1], v[2]) == vec2(1.0, 2.0));
    d[5] = int(mat2(v[1]) == mat2(2.0));
    d[6] = int(bvec2(v[1] == 1) != bvec2(false, true));
    d[7] = int(uvec3(v[1]) == uvec3(1));
}

//# relational_vectors.comp
//! feature expressions: relational on scalars; ==/!= on all types
//! error no operation '<' exists
#version 460
void main() { bool b = vec2(1.0) < vec2(2.0); }

//# logical.comp
//! feature expressions: && and || short circuit; ^^
//! bind 0.0 i32 zeros 7
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 0 1 1 0 1 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int calls = 0;
bool count() { calls++; return true; }
void main() {
    bool r = v[0] == 1 && count();
    d[0] = calls;
    r = v[0] == 0 && count();
    d[1] = calls;
    d[6] = int(r);
    r = v[0] == 0 || count();
    d[2] = calls;
    d[3] = int((v[1] == 1) ^^ (v[2] == 2));
    d[4] = int((v[1] == 1) ^^ (v[2] == 3));
    d[5] = int(!(v[1] == 2));
}

//# selection.comp
//! feature expressions: ?: evaluates one side; ternary on arrays/structs/void
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 0 3 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { int x; };
int l = 0, r = 0;
int left() { l++; return 1; }
int right() { r++; return 2; }
void main() {
    int a = v[1] == 1 ? left() : right();
    d[0] = l;
    d[1] = r;
    int b[2] = v[1] == 1 ? int[](v[3], v[4]) : int[](v[5], v[6]);
    d[2] = b[0];
    S s = v[1] == 2 ? S(v[6]) : S(v[7]);
    d[3] = s.x;
}

//# increments.comp
//! feature expressions: ++ -- pre and post on vectors and matrices
//! bind 0.0 i32 zeros 7
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 4 3 3 5 6 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a = v[3];
    d[0] = a++;
    d[1] = a;
    d[2] = --a;
    ivec2 b = ivec2(v[4], v[5]);
    d[3] = (--b).x;
    d[4] = (++b, b++).y;
    d[5] = b.y;
    mat2 m = mat2(v[1]);
    m++;
    d[6] = int(m[0][0]);
}

//# sequence.comp
//! feature expressions: sequence operator
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 5 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a;
    d[0] = (a = v[5], a += 2, v[5]);
    d[1] = a;
}

//# products.comp
//! feature expressions: matrix*vector, vector*matrix, matrix*matrix, scalar mixed
//! bind 0.0 f32 zeros 7
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 7 10 5 11 7 22 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    // Columns (1, 2) and (3, 4).
    mat2 m = mat2(v[1], v[2], v[3], v[4]);
    vec2 a = vec2(v[1], v[2]);
    d[0] = (m * a).x;
    d[1] = (m * a).y;
    d[2] = (a * m).x;
    d[3] = (a * m).y;
    d[4] = (m * m)[0].x;
    d[5] = (m * m)[1].y;
    d[6] = (2.0 * m)[0][0];
}

//# out_of_bounds.comp
//! feature expressions: out-of-bounds access is undefined (robust access optional)
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 7 8
//! expect 0.2 i32 7 8
//! expect 0.0 i32 0 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) buffer S { int small[]; };
void main() {
    // Within the buffer or 0: what robust access promises. Nothing is written outside.
    d[0] = small[v[9]];
    small[v[15] * 1000] = 1;
    d[1] = small[0];
}

//# spec_operations.comp
//! feature expressions: specialization constant operations list
//! bind 0.0 i32 zeros 9
//! constant 0 i32 5
//! expect 0.0 i32 14 1 6 2 1 3 -5 40 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(constant_id = 0) const int a = 1;
const int sum = a * 2 + 4;
const bool less = a < 6;
const int chosen = less ? a + 1 : 0;
const ivec2 vector = ivec2(a - 3, a);
const bool both = less && !(a == 1);
const int bits = a & 3 | a >> 1 & 3;
const int negated = -a;
const int shifted = a << 3;
const int rest = a % 3;
void main() {
    d[0] = sum;
    d[1] = int(less);
    d[2] = chosen;
    d[3] = vector.x;
    if (both) d[4] = 1;
    d[5] = bits;
    d[6] = negated;
    d[7] = shifted;
    d[8] = rest;
}

//# overloading.comp
//! feature functions: prototypes, overloading, overload resolution with implicit conversions
//! bind 0.0 i32 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 2 3 2 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int f(int x);
int f(float x);
int f(vec2 x);
int f(float x, float y) { return 4; }
int f(int x) { return 1; }
int f(float x) { return 2; }
int f(vec2 x) { return 3; }
void main() {
    d[0] = f(v[1]);
    d[1] = f(float(v[1]));
    d[2] = f(vec2(v[1]));
    // uint converts to float, not to int or a vector.
    d[3] = f(uint(v[1]));
    d[4] = f(v[1], v[2]);
}

//# overloading_ambiguous.comp
//! feature functions: prototypes, overloading, overload resolution with implicit conversions
//! error ambiguous best function under implicit type conversion
#version 460
int f(float a, int b) { return 1; }
int f(int a, float b) { return 2; }
void main() { int x = f(1, 2); }

//# recursion.comp
//! feature functions: main() required; no recursion
//! error ecursi
#version 460
layout(binding = 0) buffer B { int a; };
int f(int x) { return x == 0 ? 0 : f(x - 1); }
void main() { a = f(a); }

//# no_main.comp
//! feature functions: main() required; no recursion
//! error Missing entry point
#version 460
void other() {}

//# arrays.comp
//! feature functions: array parameters and array return values
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 6 4 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int sum(const int a[3]) { return a[0] + a[1] + a[2]; }
int[3] twice(int a[3]) { for (int i = 0; i < 3; i++) a[i] *= 2; return a; }
void main() {
    int a[3] = int[](v[1], v[2], v[3]);
    d[0] = sum(a);
    d[1] = twice(a)[1];
    d[2] = a[0];
}

//# parameters.comp
//! feature functions: const parameters, unnamed parameters, qualifier matching
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 5 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int f(const in int x);
int f(const int x) { return x; }
int g(in int x, int) { return x; }
void main() {
    d[0] = f(v[5]);
    d[1] = g(v[8], v[1]);
}

//# parameters_const.comp
//! feature functions: const parameters, unnamed parameters, qualifier matching
//! error can't modify a const
#version 460
int f(const int x) { x = 1; return x; }
void main() { int a = f(1); }

//# parameters_differ.comp
//! feature functions: const parameters, unnamed parameters, qualifier matching
//! error same parameter storage qualifiers
#version 460
void f(in int x);
void f(out int x) { x = 1; }
void main() { int a; f(a); }

//# order.comp
//! feature functions: calling convention: arguments evaluated left to right, out copied back in undefined order
//! bind 0.0 i32 zeros 3
//! expect 0.0 i32 12 2 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
int n = 0;
int next() { return ++n; }
int f(int a, int b) { return a * 10 + b; }
void keep(in int x) { x = 9; }
void main() {
    d[0] = f(next(), next());
    d[1] = n;
    int a = 4;
    keep(a);
    d[2] = a;
}

//# if.comp
//! feature statements: if / else
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 2 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    if (v[1] == 1) d[0] = 1; else d[0] = 9;
    if (v[1] == 2) { d[1] = 9; } else if (v[2] == 2) { d[1] = 2; } else { d[1] = 8; }
    if (v[3] == 3) if (v[4] == 0) d[2] = 9; else d[2] = 3;
}

//# switch.comp
//! feature statements: switch / case / default, fall-through, statement required after last label
//! bind 0.0 i32 zeros 6
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 10 120 23 9 3 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    for (int i = 0; i < 4; i++) {
        int r = 0;
        switch (v[i]) {
            case 0: r = 10; break;
            case 1: r = 100;
            case 2: { r += 20; if (i == 1) break; }
            case 5: r += 3; break;
            default: r = 9;
        }
        d[i] = r;
    }
    switch (uint(v[7])) { default: d[4] = 3; break; case 6u: d[4] = 1; }
    switch (v[1]) {}
}

//# switch_twice.comp
//! feature statements: switch / case / default, fall-through, statement required after last label
//! error duplicate
#version 460
layout(binding = 0) buffer B { int a; };
void main() { switch (a) { case 1: a = 1; break; case 1: a = 2; } }

//# for.comp
//! feature statements: for
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 10 4 3 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int s = 0;
    for (int i = 0; i < v[5]; i++) s += i;
    d[0] = s;
    int n = 0;
    for (;;) { if (++n > v[3]) break; }
    d[1] = n;
    // The condition may declare.
    int k = 3, c = 0;
    for (; bool go = k > 0; k--) c += int(go);
    d[2] = c;
    for (int i = 0; i < v[0]; i++) d[3] = 9;
}

//# while.comp
//! feature statements: while
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 5 3 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int i = 0;
    while (i < v[5]) i++;
    d[0] = i;
    int n = v[3], c = 0;
    while (bool more = n-- > 0) c++;
    d[1] = c;
    while (v[0] == 1) d[2] = 9;
}

//# do.comp
//! feature statements: do-while
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int i = 0;
    do i++; while (v[0] == 1);
    d[0] = i;
    do { i++; if (i == 2) continue; } while (i < v[4]);
    d[1] = i;
}

//# break.comp
//! feature statements: break
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int i = 0;
    for (; i < 10; i++) if (i == v[3]) break;
    d[0] = i;
    int s = 0;
    for (int a = 0; a < 3; a++) for (int b = 0; b < 5; b++) { if (b == v[2]) break; s++; }
    d[1] = s;
}

//# continue.comp
//! feature statements: continue
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 6 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int s = 0, n = 0;
    for (int i = 0; i < 5; i++) { if (i % 2 == 1) continue; s += i; }
    d[0] = s;
    int i = 0;
    while (i < 5) { i++; if (i == v[2]) continue; n++; }
    d[1] = n;
}

//# return.comp
//! feature statements: return
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 9 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int f(int x) { for (int i = 0; ; i++) { if (i == x) { if (x == 3) return i; break; } } return 9; }
void main() {
    d[0] = f(v[3]);
    d[1] = f(v[4]);
    d[2] = 1;
    if (v[1] == 1) return;
    d[3] = 7;
}

//# discard.frag
//! feature statements: discard (fragment)
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! expect alive 00001111 00001111 00001111 00001111
//! expect out 0.0 f32 _*4 4.5 5.5 6.5 7.5 _*4 4.5 5.5 6.5 7.5
#version 460
layout(location = 0) in float a;
layout(location = 0) out float o;
void main() {
    if (a < 4.0) discard;
    o = a;
}

//# grammar.comp
//! feature grammar: complete grammar (terminals + productions)
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 9 1 2 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { int a; float f[2]; };
precision highp float;
void main() {
    // Types are names too, until a variable hides them; declarations, expressions and jumps of every kind.
    S S = S(v[9], float[2](1.0, 2.0));
    d[0] = S.a;
    const highp float[2] list = float[](1.0, 2.0);
    for (int i = 0, n = 2; i < n; ++i) {
        if (i == 0) { d[1] = int(S.f[i]); continue; } else d[2] = int(list[i]);
        do { break; } while (true);
        switch (i) { case 0: default: break; }
        while (false) {}
    }
    ;
    ((d))[3] = ((v[1] == 1) ? (7) : -(+(v[1]))), 0;
    return;
}
