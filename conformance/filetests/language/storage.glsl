// Scopes, storage qualifiers, blocks, parameters, qualifiers of memory; v[i] is i.

//# scopes.comp
//! feature scoping: nested scopes; for/while/if scopes; functions overloads hide; shared name space for structs
//! bind 0.0 i32 zeros 7
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 2 1 3 1 7 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
struct S { int x; };
int f() { return 99; }
int f(int x) { return x; }
void main() {
    int a = 1;
    d[0] = a;
    { int a = 2; d[1] = a; }
    d[2] = a;
    for (int a = 3; a < 4; a++) d[3] = a;
    d[4] = a;
    // A variable hides functions and structures of its name.
    int f = v[7];
    d[5] = f;
    int S = v[8];
    d[6] = S;
}

//# scopes_twice.comp
//! feature scoping: nested scopes; for/while/if scopes; functions overloads hide; shared name space for structs
//! error redefinition
#version 460
void main() { int a = 1; int a = 2; }

//# built_in_hidden.comp
//! feature scoping: re-declaration of built-in functions hides all overloads
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 42 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int sinh(ivec2 x) { return x.x + x.y + 33; }
int max(int a, int b, int c) { return a + b + c; }
void main() {
    d[0] = sinh(ivec2(v[4], v[5]));
    d[1] = max(v[1], v[2], v[4]);
}

//# const.comp
//! feature storage: const
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 7 3 9
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
const int C = 9;
void main() {
    const int a = 7;
    const ivec2 b = ivec2(3, a);
    d[0] = a;
    d[1] = b.x;
    d[2] = C + v[0];
}

//# const_written.comp
//! feature storage: const
//! error can't modify a const
#version 460
void main() { const int a = 7; a = 8; }

//# in_out.vert
//! feature storage: in | out | vertex inputs (no arrays of struct, no bool/opaque)
//! vertices 2
//! input 0.0 f32 1 2
//! input 1.1 u32 5 6
//! input 2.0 i32 -1 -2
//! expect out 0.0 f32 2 4
//! expect out 1.0 u32 5 6
//! expect out 2.0 i32 -2 -3
#version 460
layout(location = 0) in float a;
layout(location = 1) in uvec2 b;
layout(location = 2) in int n;
layout(location = 0) out float x;
layout(location = 1) flat out uint y;
layout(location = 2) flat out int z;
void main() { x = a * 2.0; y = b.y; z = n - 1; }

//# in_bool.vert
//! feature storage: vertex inputs (no arrays of struct, no bool/opaque)
//! error cannot be bool
#version 460
layout(location = 0) in bool a;
void main() {}

//# in_struct.vert
//! feature storage: vertex inputs (no arrays of struct, no bool/opaque)
//! error cannot be a structure
#version 460
struct S { float x; };
layout(location = 0) in S a[2];
void main() {}

//# uniform.comp
//! feature storage: uniform
//! feature layout block: std140
//! bind 0.0 i32 zeros 7
//! bind 0.2 f32 1 2 3 4 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 27 28 26 27 28 29 30 31 32 33 34 35
//! expect 0.0 i32 1 4 8 12 16 28 32
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
struct S { float x; float y; };
// Offsets by std140, in words: a 0, b 4, e 8 and 12, m 16 and 20, s 24, last 32.
layout(std140, set = 0, binding = 2) uniform U { float a; vec3 b; float e[2]; mat2 m; S s; layout(offset = 128) float last; };
void main() {
    d[0] = int(a);
    d[1] = int(b.x);
    d[2] = int(e[0]);
    d[3] = int(e[1]);
    d[4] = int(m[0][0]);
    d[5] = int(s.y);
    d[6] = int(last);
}

//# buffer.comp
//! feature storage: buffer | buffer variables and SSBO semantics
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 4 9 0 2 0 0 0
//! expect 0.2 i32 4 9 3 2 1 0 1
//! expect 0.0 i32 6 1 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(std430, set = 0, binding = 2) buffer B { int a; ivec2 b; int r[]; };
void main() {
    d[0] = a + b.y;
    // What is written is there for what is read after it.
    r[2] = v[1];
    r[0] = r[2];
    d[1] = r[0];
    b.x += v[3];
    d[2] = b.x;
}

//# shared.comp
//! feature storage: shared | shared variables: compute only, no initializer
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 8
#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
shared int a;
void main() {
    if (gl_LocalInvocationIndex == 0u) a = 0;
    barrier();
    atomicAdd(a, 1);
    barrier();
    d[0] = a;
}

//# shared_initialized.comp
//! feature storage: shared variables: compute only, no initializer
//! error initializer can only be a null initializer ('{}')
#version 460
shared int a = 1;
void main() {}

//# shared_in_vertex.vert
//! feature storage: shared variables: compute only, no initializer
//! error not supported in this stage: vertex
#version 460
shared int a;
void main() {}

//# auxiliary.frag
//! feature storage: auxiliary: centroid, sample, patch
//! feature interpolation: centroid | centroid+sample arbitration rules; patch
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! plane 1.0 f32 5 0 2
//! expect out 0.0 f32 0.5 1.5 2.5 3.5 4.5 5.5 6.5 7.5
//! expect out 0.1 f32 6*8 8*8
#version 460
// One sample, at the centre: where it is covered, the centroid is there too.
layout(location = 0) centroid in float a;
layout(location = 1) sample in float b;
layout(location = 0) out vec2 o;
void main() { o = vec2(a, b); }

//# patch.tesc
//! feature storage: auxiliary: centroid, sample, patch | outputs incl. arrayed per-vertex tess-control outputs, patch out
//! feature interpolation: centroid+sample arbitration rules; patch
//! patches 2 2
//! input 0.0 f32 1 2 3 4
//! expect out 0.0 f32 2 1 0 4 3 0
//! expect patch 1.0 f32 3 7
#version 460
layout(vertices = 3) out;
layout(location = 0) in float a[];
layout(location = 0) out float b[];
layout(location = 1) patch out float sum;
void main() {
    b[gl_InvocationID] = gl_InvocationID < 2 ? a[1 - gl_InvocationID] : 0.0;
    if (gl_InvocationID == 0) sum = a[0] + a[1];
}

//# constant_expressions.comp
//! feature storage: constant expressions (incl. built-in functions folded; not texture/noise)
//! bind 0.0 i32 zeros 5
//! expect 0.0 i32 8 3 5 2 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    int a[int(pow(2.0, 3.0))];
    d[0] = a.length();
    int b[clamp(7, 1, 3)];
    d[1] = b.length();
    int e[int(length(vec2(3.0, 4.0)))];
    d[2] = e.length();
    const vec3 w = vec3(1.0, 2.0, 3.0);
    int f[int(w.y)];
    d[3] = f.length();
    int g[int(dot(w, vec3(1.0)))];
    d[4] = g.length();
}

//# arrayed_inputs.geom
//! feature storage: tess/geometry arrayed inputs gl_in-like
//! feature layout geometry in: input arrays sized by primitive; gl_in.length() | lines
//! primitives 2
//! input Position.0 f32 1 2 3 4
//! input 0.0 f32 10 20 30 40
//! expect count u32 1 1
//! expect out 0.0 f32 2 2
//! expect out 0.1 f32 33 77
#version 460
layout(lines) in;
layout(points, max_vertices = 1) out;
layout(location = 0) in float a[];
layout(location = 0) out vec2 o;
void main() {
    o = vec2(float(gl_in.length()), 0.0);
    for (int i = 0; i < a.length(); i++) o.y += a[i] + gl_in[i].gl_Position.x;
    EmitVertex();
}

//# flat.frag
//! feature storage: fragment inputs: flat required for integers/doubles
//! feature interpolation: flat
//! pixels 8 4
//! plane 0.0 u32 7
//! plane 1.0 f32 3
//! expect out 0.0 u32 7*32
//! expect out 1.0 f32 3*32
#version 460
layout(location = 0) flat in uint n;
layout(location = 1) flat in float f;
layout(location = 0) out uint a;
layout(location = 1) out float b;
void main() { a = n; b = f; }

//# flat_missing.frag
//! feature storage: fragment inputs: flat required for integers/doubles
//! error flat
#version 460
layout(location = 0) in int n;
layout(location = 0) out int o;
void main() { o = n; }

//# fragment_outputs.frag
//! feature storage: fragment outputs (float/int/uint scalars, vectors, arrays)
//! feature layout fragment out: broadcast / FragData style locations
//! feature layout output: location / component on outputs
//! pixels 8 4
//! expect out 0.0 f32 1*32
//! expect out 1.1 i32 -3*32
//! expect out 2.3 u32 9*32
//! expect out 3.0 f32 5*32
//! expect out 4.0 f32 6*32
//! expect out 5.2 f32 8*32
#version 460
layout(location = 0) out float a;
layout(location = 1) out ivec2 b;
layout(location = 2) out uvec4 e;
layout(location = 3) out vec2 f[2];
layout(location = 5, component = 2) out float g;
void main() {
    a = 1.0;
    b = ivec2(2, -3);
    e = uvec4(6u, 7u, 8u, 9u);
    f[0] = vec2(5.0);
    f[1] = vec2(6.0);
    g = 8.0;
}

//# blocks.comp
//! feature storage: interface blocks uniform/buffer/in/out, instance names, arrays of blocks
//! bind 0.0 i32 zeros 4
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 4 0 0 0
//! bind 0.3[0] i32 6 0 0 0
//! bind 0.3[1] i32 9 0 0 0
//! bind 0.4[0] i32 0
//! bind 0.4[1] i32 0
//! expect 0.4[1] i32 5
//! expect 0.0 i32 4 9 6 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) uniform U { int a; } named;
layout(set = 0, binding = 3) uniform W { int n; } all[2];
layout(set = 0, binding = 4) buffer L { int a; } list[2];
void main() {
    d[0] = named.a;
    d[1] = all[v[1]].n;
    d[2] = all[0].n;
    list[1].a = v[5];
    d[3] = list[1].a;
}

//# blocks.vert
//! feature storage: interface blocks uniform/buffer/in/out, instance names, arrays of blocks
//! feature layout input: location on block and on block members
//! vertices 2
//! input 0.0 f32 4 5
//! expect out 1.0 f32 4 5
//! expect out 2.0 f32 0 2
//! expect out 7.0 f32 8 10
//! expect out 9.0 f32 1 1
//! expect out 10.0 f32 2 2
#version 460
layout(location = 0) in float a;
layout(location = 1) out A { float x; vec2 y; };
out B { layout(location = 7) float x; } b;
layout(location = 9) out C { float z; } many[2];
void main() {
    x = a;
    y = vec2(float(gl_VertexIndex) * 2.0);
    b.x = a * 2.0;
    many[0].z = 1.0;
    many[1].z = 2.0;
}

//# global_members.comp
//! feature storage: block members without instance name live at global scope
//! bind 0.0 i32 zeros 2
//! bind 0.2 i32 4 8 0 0
//! expect 0.0 i32 4 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform U { int here; int there; };
void main() {
    d[0] = here;
    int there = 5;
    d[1] = there;
}

//# global_members_twice.comp
//! feature storage: block members without instance name live at global scope
//! error redefinition
#version 460
layout(set = 0, binding = 2) uniform U { int here; };
int here;
void main() {}

//# per_vertex.vert
//! feature storage: block redeclaration of gl_PerVertex
//! feature builtins: gl_PerVertex blocks in/out, redeclaration | gl_ClipDistance / gl_CullDistance sizing rules | redeclaring built-in blocks
//! vertices 2
//! expect out Position.0 f32 0 1
//! expect out ClipDistance.0 f32 5 6
//! expect out ClipDistance.1 f32 7 7
//! expect out CullDistance.0 f32 8 8
#version 460
// Sized by the declaration, and by the largest index.
out gl_PerVertex { vec4 gl_Position; float gl_ClipDistance[2]; float gl_CullDistance[]; };
void main() {
    gl_Position = vec4(float(gl_VertexIndex));
    gl_ClipDistance[0] = 5.0 + float(gl_VertexIndex);
    gl_ClipDistance[1] = 7.0;
    gl_CullDistance[0] = 8.0;
}

//# per_vertex_missing.vert
//! feature builtins: redeclaring built-in blocks
//! error gl_PointSize
#version 460
out gl_PerVertex { vec4 gl_Position; };
void main() { gl_PointSize = 1.0; }

//# coherent.comp
//! feature memory qualifiers: coherent
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 0
//! expect 0.2 i32 36
//! expect 0.0 i32 36
#version 460
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) coherent buffer B { int sum; };
void main() {
    // Each invocation adds what the one before left.
    atomicAdd(sum, v[int(gl_LocalInvocationIndex) + 1]);
    memoryBarrierBuffer();
    barrier();
    if (gl_LocalInvocationIndex == 0u) d[0] = sum;
}

//# volatile.comp
//! feature memory qualifiers: volatile
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 0
//! expect 0.2 i32 4
//! expect 0.0 i32 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) volatile buffer B { int a; };
void main() {
    a = v[3];
    d[0] = a;
    a = v[4];
    d[1] = a;
}

//# restrict.comp
//! feature memory qualifiers: restrict
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 0
//! expect 0.0 i32 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) restrict buffer B { int a; };
void main() {
    a = v[5];
    d[0] = a;
}

//# readonly.comp
//! feature memory qualifiers: readonly
//! bind 0.0 i32 zeros 1
//! bind 0.2 i32 8
//! expect 0.0 i32 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) readonly buffer B { int a; };
void main() {
    d[0] = a;
}

//# readonly_written.comp
//! feature memory qualifiers: readonly
//! error readonly
#version 460
layout(binding = 0) readonly buffer B { int a; };
void main() { a = 1; }

//# writeonly.comp
//! feature memory qualifiers: writeonly
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 8
//! expect 0.2 i32 9
//! expect 0.0 i32 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) writeonly buffer B { int a; };
void main() {
    a = v[9];
    d[0] = 1;
}

//# writeonly_read.comp
//! feature memory qualifiers: writeonly
//! error writeonly
#version 460
layout(binding = 0) writeonly buffer B { int a; int b; };
void main() { b = a; }

//# memory_parameters.comp
//! feature memory qualifiers: qualifiers on blocks apply to all members; parameter matching rules
//! bind 0.0 i32 zeros 1
//! image 0.2 R32_SINT 4 1 i32 iota 4
//! expect image 0.2 i32 0 1 9 3
//! expect 0.0 i32 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) writeonly uniform iimage2D i;
void at(writeonly iimage2D j, int x) { imageStore(j, ivec2(x, 0), ivec4(9)); }
void main() {
    at(i, 2);
    d[0] = 1;
}

//# memory_members.comp
//! feature memory qualifiers: qualifiers on blocks apply to all members; parameter matching rules
//! error readonly
#version 460
layout(binding = 0) readonly buffer B { int a; int b[]; };
void main() { b[1] = 1; }

//# memory_parameters_lost.comp
//! feature memory qualifiers: qualifiers on blocks apply to all members; parameter matching rules
//! error argument cannot drop memory qualifier when passed to formal parameter
#version 460
layout(binding = 0) writeonly uniform iimage2D i;
void at(iimage2D j) { imageStore(j, ivec2(0), ivec4(1)); }
void main() { at(i); }

//# parameters.comp
//! feature parameters: const in / in / out / inout parameters
//! bind 0.0 i32 zeros 6
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 9 3 5 4 7 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
int all(const in int c, in int i, out int o, inout int io) { i += 1; o = io; io = 0; return c + i + 2; }
void move(inout int x, out int k) { k = 1; x = x + 3; }
void both(inout int a, inout int b) { a = 6; b = 6; }
void main() {
    int a = v[3], b = v[4], e = v[5], f[2] = int[2](1, 2);
    d[0] = all(a, a, b, e);
    d[1] = a;
    d[2] = b;
    // Copied in and out: the array element is the one of the index before the call.
    int k = 0;
    move(f[k], k);
    d[3] = f[0];
    d[4] = k + v[6];
    // An argument that is given twice is copied twice.
    int g = v[1];
    both(g, g);
    d[5] = g;
}

//# precision.comp
//! feature precision: lowp / mediump / highp have no effect in GLSL 4.60 | default precision statement
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 16777215 5 100000
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
precision mediump float;
precision lowp int;
precision highp sampler2D;
void main() {
    mediump float a = float(16777214 + v[1]);
    d[0] = int(a);
    lowp int b = v[5];
    d[1] = b;
    mediump int e = 50000 * v[2];
    d[2] = e;
}

//# accuracy.comp
//! feature precision: precision ranges: required accuracy table (ULP) for float and double operations
//! bind 0.0 f32 zeros 8
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 0.1 0.30000001 0.33333334 1.4142135 0.57735026 7.389056 0.6931472 8 ~ 2ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    // Correctly rounded: +, -, *, conversions. Division 2.5 ulp, sqrt by inversesqrt 2 ulp, exp 3 + 2|x|, log 3, pow by both.
    float t = float(v[1]) / 10.0;
    d[0] = t;
    d[1] = t * 3.0;
    d[2] = float(v[1]) / float(v[3]);
    d[3] = sqrt(float(v[2]));
    d[4] = inversesqrt(float(v[3]));
    d[5] = exp(float(v[2]));
    d[6] = log(float(v[2]));
    d[7] = pow(float(v[2]), float(v[3]));
}

//# accuracy_double.comp
//! feature precision: precision ranges: required accuracy table (ULP) for float and double operations
//! bind 0.0 f64 zeros 4
//! bind 0.1 i32 iota 16
//! expect 0.0 f64 0.1 0.30000000000000004 0.3333333333333333 1.4142135623730951 ~ 1ulp
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    double t = double(v[1]) / 10.0lf;
    d[0] = t;
    d[1] = t * 3.0lf;
    d[2] = double(v[1]) / double(v[3]);
    d[3] = sqrt(double(v[2]));
}

//# infinities.comp
//! feature precision: denorm flush and inf/NaN rules
//! bind 0.0 f32 zeros 6
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 inf -inf 0 -0 1 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    float z = float(v[0]), one = float(v[1]);
    d[0] = one / z;
    d[1] = -one / z;
    d[2] = one / (one / z);
    d[3] = z * -one;
    d[4] = isnan(uintBitsToFloat(0x7fc00000u + uint(v[0]))) ? 1.0 : 0.0;
    d[5] = isinf(one / z) ? 1.0 : 0.0;
}

//# invariant.vert
//! feature variance: invariant qualifier, invariant redeclaration, #pragma STDGL invariant(all)
//! vertices 2
//! expect out Position.1 f32 2 3
//! expect out 0.0 f32 1 2
#version 460
invariant gl_Position;
layout(location = 0) invariant out float a;
layout(location = 1) out float b;
invariant b;
void main() {
    gl_Position = vec4(0.0, 2.0 + float(gl_VertexIndex), 0.0, 1.0);
    a = 1.0 + float(gl_VertexIndex);
    b = a;
}

//# constant_invariance.comp
//! feature variance: invariance of constant expressions
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    // The same constant expression has one value wherever it stands.
    const float a = 1.0 / 3.0 + sqrt(2.0);
    d[0] = int(a == 1.0 / 3.0 + sqrt(2.0));
}

//# precise.comp
//! feature variance: precise qualifier and propagation rules (not through control conditions)
//! bind 0.0 f32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 f32 bits:0x33800000 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24; rounded, the last is lost unless the product is fused with the sum.
    float a = 1.0 + float(v[1]) / 4096.0;
    precise float p = a * a - (1.0 + 1.0 / 2048.0);
    d[1] = p;
    d[0] = fma(a, a, -(1.0 + 1.0 / 2048.0));
}

//# specialized.comp
//! feature specialization: layout(constant_id=N) const
//! bind 0.0 i32 zeros 5
//! constant 0 i32 7
//! constant 2 f32 0.5
//! constant 3 bool true
//! expect 0.0 i32 7 -3 2 1 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(constant_id = 0) const int a = 1;
layout(constant_id = 5) const int b = -3;
layout(constant_id = 2) const float e = 0.25;
layout(constant_id = 3) const bool f = false;
layout(constant_id = 4) const int given = 4;
void main() {
    d[0] = a;
    d[1] = b;
    d[2] = int(e * 4.0);
    d[3] = int(f);
    d[4] = given;
}

//# specialized_sizes.comp
//! feature specialization: arrays sized with spec constants; type identity by symbol
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! constant 1 i32 6
//! expect 0.0 i32 6 15
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(constant_id = 1) const int n = 2;
int list[n];
void main() {
    int sum = 0;
    for (int i = 0; i < n; i++) list[i] = v[i];
    for (int i = 0; i < list.length(); i++) sum += list[i];
    d[0] = list.length();
    d[1] = sum;
}

//# WorkgroupSize.comp
//! feature specialization: gl_WorkGroupSize partially specialised
//! feature layout compute in: local_size_x_id/y_id/z_id (SPIR-V generation)
//! bind 0.0 i32 zeros 4
//! constant 9 u32 3
//! constant 8 u32 4
//! expect 0.0 i32 4 2 3 24
#version 460
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(local_size_y = 2, local_size_z_id = 9) in;
layout(local_size_x_id = 8) in;
void main() {
    if (gl_LocalInvocationIndex == 0u) {
        d[0] = int(gl_WorkGroupSize.x);
        d[1] = int(gl_WorkGroupSize.y);
        d[2] = int(gl_WorkGroupSize.z);
    }
    atomicAdd(d[3], 1);
}

//# specialized_built_in.comp
//! feature specialization: respecialised built-in constants (gl_MaxClipDistances ...)
//! bind 0.0 i32 zeros 1
//! constant 31 i32 16
//! expect 0.0 i32 16
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(constant_id = 31) gl_MaxClipDistances;
void main() {
    d[0] = gl_MaxClipDistances;
}

//# qualifier_order.comp
//! feature qualification: order and repetition of qualifiers
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 8
//! expect 0.0 i32 8 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
buffer layout(set = 0) layout(binding = 9) layout(binding = 2) coherent readonly B { int a; };
int get(highp const in int x) { return x; }
void main() {
    d[0] = a;
    d[1] = get(v[2]);
}

//# empty.comp
//! feature qualification: empty declarations
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
int;
struct S { int x; };
;
void main() {
    ;;
    int;
    d[0] = 1;;
}

//# statements_mixed.comp
//! feature statements: declarations as statements; extra semicolons; compound scopes
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 3 4 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int a = v[3]; ;
    { { int b = a + 1; d[1] = b; } ; }
    d[0] = a;
    int e = v[4];
    { d[2] = e; }
}

//# layout_merged.comp
//! feature layout: layout(...) repeated and merged; last wins
//! bind 0.0 i32 zeros 1
//! bind 0.2 i32 8
//! expect 0.0 i32 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430) buffer;
layout(set = 1, binding = 7) layout(set = 0, binding = 2) buffer B { int a; };
void main() {
    d[0] = a;
}

//# layout_constants.comp
//! feature layout: layout values are constant integral expressions (not spec constants)
//! bind 0.0 i32 zeros 1
//! bind 0.2 i32 8
//! expect 0.0 i32 8
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
const int two = 1 + 1;
layout(set = two - 2, binding = two * 1) buffer B { int a; };
void main() {
    d[0] = a;
}

//# layout_specialized.comp
//! feature layout: layout values are constant integral expressions (not spec constants)
//! error needs a literal integer
#version 460
layout(constant_id = 0) const int two = 2;
layout(set = 0, binding = two) buffer B { int a; };
void main() {}

//# locations.vert
//! feature layout input: location (per-type slot counting, dvec3/dvec4 take 2) | component | location aliasing rules
//! feature layout output: location / component on outputs
//! vertices 1
//! input 0.0 f32 1.5
//! input 2.0 f32 7
//! input 3.0 f32 8
//! input 3.2 f32 9
//! input 3.3 u32 4
//! expect out 0.0 f32 1.5
//! expect out 0.1 f32 7
//! expect out 1.0 f32 1
//! expect out 2.0 f32 2
//! expect out 2.1 f32 3
//! expect out 3.0 f32 8
//! expect out 3.2 f32 9
//! expect out 3.3 f32 4
//! expect out 6.0 f64 5
//! expect out 7.0 f64 6
//! expect out 8.0 f32 10
#version 460
// A location may be shared by what does not share components. A matrix takes one for each column, as vertex inputs dvec3
// and dvec4 take one; as outputs they take two.
layout(location = 0) in float a;
layout(location = 2) in float b;
layout(location = 3) in vec2 e;
layout(location = 3, component = 2) in float f;
layout(location = 3, component = 3) in float g;
layout(location = 0) out vec2 o0;
layout(location = 1) out mat2 o1;
layout(location = 3) out float o3;
layout(location = 3, component = 2) out vec2 o3z;
layout(location = 6) flat out dvec3 o6;
layout(location = 8) out float o8;
void main() {
    o0 = vec2(a, b);
    o1 = mat2(1.0, 2.0, 2.0, 3.0);
    o3 = e.x;
    o3z = vec2(f, float(floatBitsToInt(g)));
    o6 = dvec3(5.0, 0.0, 6.0);
    o8 = 10.0;
}

//# locations_overlap.vert
//! feature layout input: location aliasing rules
//! error overlap
#version 460
layout(location = 0) out mat2 a;
layout(location = 1) out vec4 b;
void main() { a = mat2(1.0); b = vec4(1.0); }

//# std430.comp
//! feature layout block: std430 (buffer only)
//! bind 0.0 i32 zeros 4
//! bind 0.2 i32 1 2 3 4 5 6 7 0 0x41100000 0 0 12
//! expect 0.0 i32 2 7 9 12
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
struct S { int x, y; };
layout(std430, set = 0, binding = 2) buffer B { int a[3]; S s[2]; float w3; vec3 w; int last; };
void main() {
    d[0] = a[1];
    d[1] = s[1].y;
    d[2] = int(w.x);
    d[3] = last;
}

//# std430_uniform.comp
//! feature layout block: std430 (buffer only)
//! error std430
#version 460
layout(std430, binding = 0) uniform B { int a[3]; };
void main() {}

//# major.comp
//! feature layout block: row_major / column_major
//! bind 0.0 i32 zeros 2
//! bind 0.2 f32 1 2 3 4 1 2 3 4
//! expect 0.0 i32 2 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, row_major, set = 0, binding = 2) buffer B { mat2 r; layout(column_major) mat2 k; };
void main() {
    d[0] = int(r[1][0]);
    d[1] = int(k[1][0]);
}

//# offset.comp
//! feature layout block: offset = on members
//! bind 0.0 i32 zeros 2
//! bind 0.2 i32 1 2 3 4 5 6
//! expect 0.0 i32 6 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 2) buffer B { layout(offset = 8) int b; layout(offset = 20) int a; };
void main() {
    d[0] = a;
    d[1] = b;
}

//# align.comp
//! feature layout block: align = on block or members
//! bind 0.0 i32 zeros 3
//! bind 0.2 i32 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17
//! expect 0.0 i32 5 9 17
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, align = 16, set = 0, binding = 2) buffer B { layout(offset = 16) int a; int b; layout(align = 32) int e; };
void main() {
    d[0] = a;
    d[1] = b;
    d[2] = e;
}

//# binding.comp
//! feature layout block: binding = on blocks (arrays take consecutive bindings in OpenGL)
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! bind 0.2 i32 8
//! bind 0.3[0] i32 5
//! bind 0.3[1] i32 6
//! expect 0.0 i32 8 5 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) buffer B { int a; } b;
// In Vulkan an array takes one binding.
layout(set = 0, binding = 3) buffer C { int a; } many[2];
void main() {
    d[0] = b.a;
    d[1] = many[0].a;
    d[2] = many[v[1]].a;
}

//# defaults.comp
//! feature layout block: default: std140 uniform, std430 buffer when generating SPIR-V
//! bind 0.0 i32 zeros 2
//! bind 0.2 i32 1 2 3 4 5 6 7 8
//! bind 0.3 i32 1 2 3 4
//! expect 0.0 i32 5 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform U { int u[2]; };
layout(set = 0, binding = 3) buffer B { int b[2]; };
void main() {
    d[0] = u[1];
    d[1] = b[1];
}

//# binding_opaque.comp
//! feature layout opaque: binding = on samplers/images/atomic counters
//! bind 0.0 i32 zeros 2
//! image 0.2 R32_SFLOAT 1 1 f32 3
//! sampler 0.2 nearest
//! image 0.4 R32_SINT 1 1 i32 4
//! expect 0.0 i32 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(binding = 2) uniform sampler2D s;
layout(binding = 4, r32i) uniform iimage2D i;
void main() {
    d[0] = int(texelFetch(s, ivec2(0), 0).x);
    d[1] = imageLoad(i, ivec2(0)).x;
}

//# workgroup.comp
//! feature layout compute in: local_size_x/y/z
//! bind 0.0 i32 zeros 4
//! expect 0.0 i32 24 2 3 4
#version 460
layout(local_size_x = 2) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(local_size_y = 3, local_size_z = 4) in;
void main() {
    atomicAdd(d[0], 1);
    atomicMax(d[1], int(gl_LocalInvocationID.x) + 1);
    atomicMax(d[2], int(gl_LocalInvocationID.y) + 1);
    atomicMax(d[3], int(gl_LocalInvocationID.z) + 1);
}

//# sets.comp
//! feature vulkan glsl: layout(set=N, binding=N)
//! bind 0.0 i32 zeros 2
//! bind 1.0 i32 3
//! bind 3.7 i32 4
//! expect 0.0 i32 3 4
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 1, binding = 0) buffer A { int a; };
layout(set = 3, binding = 7) buffer B { int b; };
void main() {
    d[0] = a;
    d[1] = b;
}

//# push.comp
//! feature vulkan glsl: layout(push_constant) uniform block
//! bind 0.0 i32 zeros 2
//! push i32 3 0 0 0
//! push f32 5 6 7
//! expect 0.0 i32 3 7
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(push_constant) uniform P { int a; vec3 b; };
void main() {
    d[0] = a;
    d[1] = int(b.z);
}

//# separate.comp
//! feature vulkan glsl: separate texture2D/... and sampler/samplerShadow types; sampler2D(t,s) constructor
//! bind 0.0 i32 zeros 3
//! image 0.2 R32_SFLOAT 2 1 f32 1 2
//! sampler 0.3 nearest clamp
//! sampler 0.4 nearest clamp less
//! expect 0.0 i32 2 1 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform texture2D t;
layout(set = 0, binding = 3) uniform sampler s;
layout(set = 0, binding = 4) uniform samplerShadow c;
void main() {
    d[0] = int(textureLod(sampler2D(t, s), vec2(0.75, 0.5), 0.0).x);
    d[1] = int(textureLod(sampler2DShadow(t, c), vec3(0.75, 0.5, 1.5), 0.0));
    d[2] = int(textureLod(sampler2DShadow(t, c), vec3(0.25, 0.5, 1.5), 0.0));
}

//# indices.vert
//! feature vulkan glsl: gl_VertexIndex / gl_InstanceIndex; gl_VertexID/gl_InstanceID removed
//! vertices 3
//! given instance 7
//! expect out 0.0 i32 0 1 2
//! expect out 0.1 i32 7 7 7
#version 460
layout(location = 0) flat out ivec2 o;
void main() { o = ivec2(gl_VertexIndex, gl_InstanceIndex); }

//# indices_vertex_id.vert
//! feature vulkan glsl: gl_VertexIndex / gl_InstanceIndex; gl_VertexID/gl_InstanceID removed
//! error gl_VertexID
#version 460
layout(location = 0) flat out int o;
void main() { o = gl_VertexID; }

//# indices_instance_id.vert
//! feature vulkan glsl: gl_VertexIndex / gl_InstanceIndex; gl_VertexID/gl_InstanceID removed
//! error gl_InstanceID
#version 460
layout(location = 0) flat out int o;
void main() { o = gl_InstanceID; }

//# no_loose.comp
//! feature vulkan glsl: no default-block uniforms, no subroutines, no atomic_uint, no shared/packed
//! error uniform
#version 460
uniform int a;
void main() {}

//# no_subroutine.comp
//! feature vulkan glsl: no default-block uniforms, no subroutines, no atomic_uint, no shared/packed
//! error subroutine
#version 460
subroutine int F();
void main() {}

//# no_counters.comp
//! feature vulkan glsl: no default-block uniforms, no subroutines, no atomic_uint, no shared/packed
//! error atomic
#version 460
layout(binding = 0, offset = 0) uniform atomic_uint a;
void main() { atomicCounterIncrement(a); }

//# no_shared_layout.comp
//! feature vulkan glsl: no default-block uniforms, no subroutines, no atomic_uint, no shared/packed
//! error shared
#version 460
layout(shared, binding = 0) uniform U { int a; };
void main() {}

//# no_packed_layout.comp
//! feature vulkan glsl: no default-block uniforms, no subroutines, no atomic_uint, no shared/packed
//! error packed
#version 460
layout(packed, binding = 0) uniform U { int a; };
void main() {}
