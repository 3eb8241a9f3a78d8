// Extensions of GLSL that shaders use.

//# scalar.comp
//! feature extension: layout(scalar)
//! bind 0.0 i32 zeros 2
//! bind 0.2 i32 1 2 3 4 5 7 8
//! bind 0.3 f32 1 4 5 6
//! expect 0.0 i32 4 7
#version 460
#extension GL_EXT_scalar_block_layout : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
struct S { int x, y, z; };
layout(scalar, set = 0, binding = 2) buffer B { int one; S a[2]; };
layout(scalar, set = 0, binding = 3) uniform U { float u; vec3 b; };
void main() {
    d[0] = int(b.x);
    d[1] = a[1].y;
}

//# nonuniform.comp
//! feature extension: GL_EXT_nonuniform_qualifier (nonuniformEXT, runtime descriptor arrays)
//! bind 0.0 i32 zeros 4
//! bind 0.2[0] i32 5
//! bind 0.2[1] i32 6
//! expect 0.0 i32 5 6 5 6
#version 460
#extension GL_EXT_nonuniform_qualifier : require
layout(local_size_x = 4) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) buffer B { int a; } b[];
void main() {
    int i = int(gl_LocalInvocationIndex);
    d[i] = b[nonuniformEXT(i & 1)].a;
}

//# subgroup.comp
//! feature extension: GL_KHR_shader_subgroup_{basic,vote,arithmetic,ballot,shuffle,shuffle_relative,clustered,quad}
//! bind 0.0 i32 zeros 8
//! lanes 8
//! expect 0.0 i32 28 1 8 15 3 1 6 1
#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_shuffle : require
#extension GL_KHR_shader_subgroup_shuffle_relative : require
#extension GL_KHR_shader_subgroup_clustered : require
#extension GL_KHR_shader_subgroup_quad : require
layout(local_size_x = 8) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    int i = int(gl_SubgroupInvocationID);
    int sum = subgroupAdd(i);
    bool any = subgroupAny(i == 3);
    uint count = subgroupBallotBitCount(subgroupBallot(true));
    int flipped = subgroupShuffleXor(i, 1);
    int up = subgroupShuffleUp(i, 1);
    int four = subgroupClusteredAdd(i, 4);
    int quad = subgroupQuadSwapHorizontal(i);
    bool first = subgroupElect();
    if (i == 0) { d[0] = sum; d[1] = int(any); d[2] = int(count); d[6] = four; d[7] = quad; }
    if (i == 14 - 7) { d[3] = up + sum - 19; }
    if (i == 2) { d[4] = flipped; }
    if (first) d[5] = 1;
}

//# explicit_types.comp
//! feature extension: GL_EXT_shader_explicit_arithmetic_types_* / 8bit_storage / 16bit_storage
//! bind 0.0 f64 zeros 7
//! bind 0.1 i32 iota 16
//! bind 0.2 u32 0x07000000 0x48800000
//! expect 0.0 f64 -128 255 -32768 2.5 4294967297 7 9
#version 460
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { double d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) buffer B { int8_t bytes[4]; float16_t halves[2]; };
void main() {
    int8_t a = int8_t(v[15] * 8 + v[8]);
    d[0] = double(int(a));
    d[1] = double(uint(uint8_t(-v[1])));
    d[2] = double(int(int16_t(32767 + v[1])));
    float16_t h = float16_t(v[5]) / float16_t(2.0);
    d[3] = double(h);
    int64_t l = int64_t(v[1]) << 32;
    d[4] = double(l + 1l);
    d[5] = double(int(bytes[3]));
    d[6] = double(float(halves[1]));
}

//# multiview.vert
//! feature extension: GL_EXT_multiview
//! vertices 2
//! given view_index 3
//! expect out 0.0 i32 3 3
#version 460
#extension GL_EXT_multiview : require
layout(location = 0) flat out int o;
void main() { o = gl_ViewIndex; }

//# demote.frag
//! feature extension: GL_EXT_demote_to_helper_invocation
//! pixels 8 4
//! plane 0.0 f32 0 1 0
//! expect alive 10101010 10101010 10101010 10101010
//! expect out 0.0 f32 1 _ 1 _ 1
#version 460
#extension GL_EXT_demote_to_helper_invocation : require
layout(location = 0) in float a;
layout(location = 0) out float o;
void main() {
    if (int(a) % 2 == 1) demote;
    // Those that were demoted go on as helpers.
    o = dFdx(a);
}

//# samplerless.comp
//! feature extension: GL_EXT_samplerless_texture_functions
//! bind 0.0 i32 zeros 2
//! image 0.2 R32_SFLOAT 4 1 f32 iota 4
//! expect 0.0 i32 3 4
#version 460
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(set = 0, binding = 2) uniform texture2D t;
void main() {
    d[0] = int(texelFetch(t, ivec2(3, 0), 0).x);
    d[1] = textureSize(t, 0).x;
}

//# attributes.comp
//! feature extension: GL_EXT_control_flow_attributes
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 10 1 7
#version 460
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
    int s = 0;
    [[unroll]] for (int i = 0; i < 5; i++) s += i;
    d[0] = s;
    [[branch]] if (v[1] == 1) d[1] = 1;
    [[flatten]] switch (v[2]) { case 2: d[2] = 7; break; default: d[2] = 8; }
    [[dont_unroll]] while (s > 100) s--;
}

//# atomic_float.comp
//! feature extension: GL_EXT_shader_atomic_float
//! bind 0.0 f32 zeros 2
//! bind 0.1 i32 iota 16
//! bind 0.2 f32 1.5 0
//! expect 0.0 f32 2 9
#version 460
#extension GL_EXT_shader_atomic_float : require
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { float d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
layout(set = 0, binding = 2) buffer B { float s; float e; };
void main() {
    atomicAdd(s, float(v[2]) / 4.0);
    atomicExchange(e, 9.0);
    d[0] = s;
    d[1] = e;
}

//# layers.vert
//! feature extension: GL_ARB_shader_viewport_layer_array / stencil export
//! vertices 2
//! expect out Layer.0 u32 2 3
//! expect out ViewportIndex.0 u32 1 2
#version 460
#extension GL_ARB_shader_viewport_layer_array : require
void main() {
    gl_Position = vec4(0.0);
    gl_Layer = 2 + gl_VertexIndex;
    gl_ViewportIndex = 1 + gl_VertexIndex;
}

//# stencil.frag
//! feature extension: GL_ARB_shader_viewport_layer_array / stencil export
//! pixels 8 4
//! expect out FragStencilRef.0 i32 7*32
#version 460
#extension GL_ARB_shader_stencil_export : require
void main() { gl_FragStencilRefARB = 7; }
