// Scalars, vectors, matrices, structures, arrays, conversions, initializers; v[i] is i.

//# void.comp
//! feature types: void
//! feature functions: const parameters, unnamed parameters, qualifier matching
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 4 9 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void set(const int a) { d[0] = a; return; }
int none(void) { return 9; }
int unnamed(int, const in float) { return v[3]; }
void main() {
    set(v[4]);
    d[1] = none();
    d[2] = unnamed(1, 2.0);
}

//# bool.comp
//! feature types: bool, bvec2..4
//! bind 0.0 i32 zeros 6
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 2 5 11 0 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int bits(bvec4 b) { return (b.x ? 1 : 0) + (b.y ? 2 : 0) + (b.z ? 4 : 0) + (b.w ? 8 : 0); }
void main() {
    bool a = v[1] == 1;
    bvec2 b = bvec2(!a, a);
    bvec3 e = bvec3(a, v[2] > 5, true);
    bvec4 f = bvec4(b.yy, false, v[3] < v[4]);
    d[0] = int(a);
    d[1] = bits(bvec4(b, false, false));
    d[2] = bits(bvec4(e, false));
    d[3] = bits(f);
    d[4] = int(bool(v[0]));
    d[5] = int(bool(v[9]));
}

//# int.comp
//! feature types: int, ivec2..4
//! bind 0.0 i32 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 -3 7 -12 15 -2147483648
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a = -v[3];
    ivec2 b = ivec2(v[3], v[4]);
    ivec3 e = -ivec3(b, v[5]);
    ivec4 f = ivec4(v[6], b, v[2]);
    d[0] = a;
    d[1] = b.x + b.y;
    d[2] = e.x + e.y + e.z;
    d[3] = f.x + f.y + f.z + f.w;
    d[4] = 2147483647 + v[1];
}

//# uint.comp
//! feature types: uint, uvec2..4
//! bind 0.0 u32 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 u32 4294967293 7 12 15 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    uint a = uint(-v[3]);
    uvec2 b = uvec2(v[3], v[4]);
    uvec3 e = uvec3(b, v[5]);
    uvec4 f = uvec4(v[6], b, v[2]);
    d[0] = a;
    d[1] = b.x + b.y;
    d[2] = e.x + e.y + e.z;
    d[3] = f.x + f.y + f.z + f.w;
    d[4] = 4294967295u + uint(v[1]);
}

//# float.comp
//! feature types: float, vec2..4
//! bind 0.0 f32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 0.75 3.5 -6 7.5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    float a = float(v[3]) / 4.0;
    vec2 b = vec2(v[3], 0.5);
    vec3 e = -vec3(b, 2.5);
    vec4 f = vec4(b, 3.0, v[1]);
    d[0] = a;
    d[1] = b.x + b.y;
    d[2] = e.x + e.y + e.z;
    d[3] = f.x + f.y + f.z + f.w;
}

//# double.comp
//! feature types: double, dvec2..4
//! bind 0.0 f64 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 f64 0.1 1e300 -6 7.5 9007199254740994
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    double a = double(v[1]) / 10.0lf;
    dvec2 b = dvec2(v[3], 0.5);
    dvec3 e = -dvec3(b, 2.5LF);
    dvec4 f = dvec4(b, 3.0, v[1]);
    d[0] = a;
    d[1] = 1e299lf * double(v[10]);
    d[2] = e.x + e.y + e.z;
    d[3] = f.x + f.y + f.z + f.w;
    d[4] = 9007199254740992.0lf + double(v[2]);
}

//# matrices.comp
//! feature types: mat2..4 and matCxR (9 float matrix types)
//! bind 0.0 f32 zeros 21
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 3 6 4 7 5 8 5 12 7 15 9 18 7 20 10 26 13 32 2 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    mat2x2 m22 = mat2x2(v[1], v[2], v[3], v[4]);
    d[0] = m22[1][0]; d[1] = (m22 * vec2(1)).y;
    mat2x3 m23 = mat2x3(v[1], v[2], v[3], v[4], v[5], v[6]);
    d[2] = m23[1][0]; d[3] = (m23 * vec2(1)).y;
    mat2x4 m24 = mat2x4(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    d[4] = m24[1][0]; d[5] = (m24 * vec2(1)).y;
    mat3x2 m32 = mat3x2(v[1], v[2], v[3], v[4], v[5], v[6]);
    d[6] = m32[2][0]; d[7] = (m32 * vec3(1)).y;
    mat3x3 m33 = mat3x3(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
    d[8] = m33[2][0]; d[9] = (m33 * vec3(1)).y;
    mat3x4 m34 = mat3x4(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]);
    d[10] = m34[2][0]; d[11] = (m34 * vec3(1)).y;
    mat4x2 m42 = mat4x2(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    d[12] = m42[3][0]; d[13] = (m42 * vec4(1)).y;
    mat4x3 m43 = mat4x3(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]);
    d[14] = m43[3][0]; d[15] = (m43 * vec4(1)).y;
    mat4x4 m44 = mat4x4(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], 16);
    d[16] = m44[3][0]; d[17] = (m44 * vec4(1)).y;
    d[18] = (mat2(v[2])[1])[1];
    d[19] = (mat3(v[3])[2])[2];
    d[20] = (mat4(v[4])[3])[3];
}

//# double_matrices.comp
//! feature types: dmat2..4 and dmatCxR (9 double matrix types)
//! bind 0.0 f64 zeros 21
//! bind 0.1 i32 iota 16
//! expect 0.0 f64 3 6 4 7 5 8 5 12 7 15 9 18 7 20 10 26 13 32 2 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    dmat2x2 m22 = dmat2x2(v[1], v[2], v[3], v[4]);
    d[0] = m22[1][0]; d[1] = (m22 * dvec2(1)).y;
    dmat2x3 m23 = dmat2x3(v[1], v[2], v[3], v[4], v[5], v[6]);
    d[2] = m23[1][0]; d[3] = (m23 * dvec2(1)).y;
    dmat2x4 m24 = dmat2x4(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    d[4] = m24[1][0]; d[5] = (m24 * dvec2(1)).y;
    dmat3x2 m32 = dmat3x2(v[1], v[2], v[3], v[4], v[5], v[6]);
    d[6] = m32[2][0]; d[7] = (m32 * dvec3(1)).y;
    dmat3x3 m33 = dmat3x3(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9]);
    d[8] = m33[2][0]; d[9] = (m33 * dvec3(1)).y;
    dmat3x4 m34 = dmat3x4(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]);
    d[10] = m34[2][0]; d[11] = (m34 * dvec3(1)).y;
    dmat4x2 m42 = dmat4x2(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8]);
    d[12] = m42[3][0]; d[13] = (m42 * dvec4(1)).y;
    dmat4x3 m43 = dmat4x3(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12]);
    d[14] = m43[3][0]; d[15] = (m43 * dvec4(1)).y;
    dmat4x4 m44 = dmat4x4(v[1], v[2], v[3], v[4], v[5], v[6], v[7], v[8], v[9], v[10], v[11], v[12], v[13], v[14], v[15], 16);
    d[16] = m44[3][0]; d[17] = (m44 * dvec4(1)).y;
    d[18] = (dmat2(v[2])[1])[1];
    d[19] = (dmat3(v[3])[2])[2];
    d[20] = (dmat4(v[4])[3])[3];
}

//# column_major.comp
//! feature types: matrices column-major, any CxR 2..4
//! bind 0.0 f32 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 3 4 1 4 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    // Arguments fill column after column.
    mat3x2 m = mat3x2(v[1], v[2], v[3], v[4], v[5], v[6]);
    d[0] = m[1].x;
    d[1] = m[1][1];
    d[2] = m[0].x;
    mat2x3 t = transpose(m);
    d[3] = t[1][1];
    d[4] = t[1][2];
}

//# integer_literals.comp
//! feature types: integer literals decimal/octal/hex, u/U suffix
//! bind 0.0 u32 zeros 8
//! bind 0.1 i32 iota 16
//! expect 0.0 u32 10 8 255 4294967295 4294967295 511 0 2147483648
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { uint d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = uint(10);
    d[1] = uint(010);
    d[2] = uint(0xfF);
    d[3] = 4294967295u;
    d[4] = 0xFFFFFFFFU;
    d[5] = 0777u;
    d[6] = uint(0 + v[0]);
    d[7] = uint(-2147483647 - v[1]);
}

//# float_literals.comp
//! feature types: float literals, f/F and lf/LF suffix
//! bind 0.0 f64 zeros 10
//! bind 0.1 i32 iota 16
//! expect 0.0 f64 0.5 2 0.25 150 _ 1 3 1e10 0.1 0.1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    d[0] = .5;
    d[1] = 2.;
    d[2] = 0.25f;
    d[3] = 1.5e+2F;
    d[4] = 1.5E-2;
    d[5] = 1e0;
    d[6] = 3.0lf * v[1];
    d[7] = 1e10LF;
    d[8] = 0.1lf;
    d[9] = 0.1LF;
}

//# opaque.comp
//! feature types: opaque type rules (uniform or parameter only, no l-value, dynamically uniform indexing)
//! bind 0.0 f32 zeros 3
//! bind 0.1 i32 iota 16
//! image 0.2[0] R32_SFLOAT 1 1 f32 11
//! image 0.2[1] R32_SFLOAT 1 1 f32 22
//! image 0.2[2] R32_SFLOAT 1 1 f32 33
//! sampler 0.2 nearest
//! expect 0.0 f32 11 22 33
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) uniform sampler2D t[3];
float at(sampler2D s) { return textureLod(s, vec2(0.5), 0.0).x; }
void main() {
    d[0] = at(t[0]);
    for (int k = 1; k < v[3]; k++) d[k] = at(t[k]);
}

//# opaque_local.comp
//! feature types: opaque type rules (uniform or parameter only, no l-value, dynamically uniform indexing)
//! error sampler
#version 460
void main() { sampler2D s; }

//# opaque_member.comp
//! feature types: opaque type rules (uniform or parameter only, no l-value, dynamically uniform indexing)
//! error can't use with samplers or structs containing samplers
#version 460
layout(binding = 0) uniform sampler2D a;
layout(binding = 1) uniform sampler2D b;
void main() { a = b; }

//# structures.comp
//! feature types: struct declaration, nested named struct, no anonymous/embedded struct
//! feature constructors: struct constructors
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 5 9 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct Inner { vec2 f; ivec2 n; };
struct Outer { int a; Inner i; float f[2]; } unused;
void main() {
    Outer o = Outer(v[1], Inner(vec2(v[2], v[3]), ivec2(v[4], v[5])), float[2](6.0, 7.0)), p;
    p = o;
    p.i.n.x += v[5];
    d[0] = p.a;
    d[1] = p.i.n.y;
    d[2] = p.i.n.x;
    d[3] = int(p.f[0]);
}

//# structures_embedded.comp
//! feature types: struct declaration, nested named struct, no anonymous/embedded struct
//! error cannot nest a structure definition inside a structure or block
#version 460
struct A { struct B { int x; } b; };
void main() {}

//# structures_anonymous.comp
//! feature types: struct declaration, nested named struct, no anonymous/embedded struct
//! error unexpected `;`
#version 460
struct A { int; };
void main() {}

//# member_precision.comp
//! feature types: precision qualifier on members only
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { mediump float a; highp int b; };
void main() {
    S s = S(float(v[3]), v[4]);
    d[0] = int(s.a);
    d[1] = s.b;
}

//# member_qualifier.comp
//! feature types: precision qualifier on members only
//! error cannot use storage or interpolation qualifiers on structure members
#version 460
struct S { uniform float a; };
void main() {}

//# arrays.comp
//! feature types: arrays sized by constant expression
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 4 6 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    const int n = 2;
    int a[n + 1] = int[n + 1](v[4], v[5], v[6]);
    float b[max(n, 3)];
    d[0] = a[v[0]];
    d[1] = a[v[2]];
    d[2] = b.length();
}

//# arrays_not_constant.comp
//! feature types: arrays sized by constant expression
//! error array size must be a constant integer expression
#version 460
layout(binding = 0) buffer B { int n; };
void main() { int a[n]; }

//# arrays_of_arrays.comp
//! feature types: arrays of arrays (C and type-side forms)
//! bind 0.0 i32 zeros 6
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 2 3 6 6 1 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    // The same type in four spellings: two arrays of three.
    int a[2][3] = int[2][3](int[3](v[1], v[2], v[3]), int[3](v[4], v[5], v[6]));
    int[2][3] b = a;
    int[3] e[2] = a;
    d[0] = a.length();
    d[1] = a[0].length();
    d[2] = a[v[1]][v[2]];
    d[3] = b[1][2];
    d[4] = e[v[0]][0];
    int[] f = e[1];
    d[5] = f[0];
}

//# arrays_unsized.comp
//! feature types: unsized array sized by initializer
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 7 2 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a[] = int[](v[5], v[6], v[7]);
    int b[][] = int[][](int[](1, 2), int[](3, 4));
    d[0] = a.length();
    d[1] = a[2];
    d[2] = b.length();
    d[3] = b[0][v[1]];
}

//# arrays_implicit.comp
//! feature types: implicitly sized array (max constant index used)
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 5 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int a[];
void main() {
    a[4] = v[9];
    a[1] = 1;
    d[0] = 5;
    d[1] = a[4];
}

//# arrays_run_time.comp
//! feature types: run-time sized last SSBO member
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 23 zeros 7
//! expect 0.2 i32 23 0*6 5
//! expect 0.0 i32 7 5 24
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) buffer R { int first; int r[]; };
void main() {
    r[v[6]] = v[5];
    d[0] = r.length();
    d[1] = r[6];
    // What is past the end is dropped.
    r[v[7]] = 99;
    d[2] = first + v[1];
}

//# length.comp
//! feature types: .length() on arrays (constant or run time)
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 zeros 6
//! bind 0.3[0] i32 0
//! bind 0.3[1] i32 0 0 0
//! expect 0.0 i32 4 6 3 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) buffer R { int r[]; };
layout(set = 0, binding = 3) buffer S { int r[]; } s[2];
void main() {
    const int n = int[](1, 2, 3, 4).length();
    int a[n];
    d[0] = a.length();
    d[1] = r.length();
    // The array is evaluated at run time: which block it is decides.
    d[2] = s[v[1]].r.length();
    d[3] = s[v[0]].r.length();
}

//# implicit_conversions.comp
//! feature types: implicit conversions (int->uint->float->double and vector/matrix forms)
//! bind 0.0 f64 zeros 8
//! bind 0.1 i32 iota 16
//! expect 0.0 f64 3 4294967295 5.5 2 7 0.5 4 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
float halved(float x) { return x / 2.0; }
void main() {
    uint u = v[3];
    d[0] = u;
    u = -v[1];
    d[1] = u;
    float f = v[5] + 0.5;
    d[2] = f;
    vec2 g = ivec2(v[1], v[2]);
    d[3] = g.y;
    d[4] = halved(14);
    dvec2 h = uvec2(v[1], v[2]) * 0.5;
    d[5] = h.x;
    dmat2 m = mat2(v[4]);
    d[6] = m[1][1];
    d[7] = v[8] + 1u;
}

//# implicit_conversions_none.comp
//! feature types: implicit conversions (int->uint->float->double and vector/matrix forms)
//! error convert
#version 460
void main() { float f = 1.0; int i = f; }

//# initializers.comp
//! feature types: initializers: expressions and nested { } lists, trailing comma
//! bind 0.0 i32 zeros 7
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 4 1 2 6 9 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { int a[2][2]; ivec2 b; };
void main() {
    int a = v[1] + v[2], b = a + 1;
    vec2 e = { v[1], 2.0, };
    S s = { { { 5, v[6] }, { 7, 8 } }, { 9, 10 } };
    int k[2] = { v[7], v[8] };
    d[0] = a;
    d[1] = b;
    d[2] = int(e.x);
    d[3] = int(e.y);
    d[4] = s.a[0][1];
    d[5] = s.b.x;
    d[6] = k[v[1]];
}
