// Directives and macros; d[] is what comes out, v[i] is i.

//# null.comp
//! feature preprocessor: # (null directive)
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#
    #   
 # // a comment
    d[0] = 1;
#
}

//# object.comp
//! feature preprocessor: #define object-like
//! bind 0.0 i32 zeros 3
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 7 6 5
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
#define SEVEN v[7]
#define EMPTY
    d[0] = EMPTY SEVEN EMPTY;
#define A B
#define B v[6]
    d[1] = A;
#define self self + 1
    int self_ = 4;
#undef self
#define self_ self_ + 1
    d[2] = self_;
}

//# function.comp
//! feature preprocessor: #define function-like
//! bind 0.0 i32 zeros 5
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 14 9 3 5 11
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
#define TWICE(x) ((x) + (x))
#define ADD(a, b) (a + b)
#define NONE() v[3]
#define FIRST(a, b) a
    d[0] = TWICE(v[3] + v[4]);
    d[1] = ADD(ADD(v[1], v[2]), v[6]);
    d[2] = NONE();
    // Commas inside of parentheses separate no arguments.
    d[3] = FIRST(max(v[5], v[4]), 0);
    // Without an argument list it is no call.
    int TWICE = v[11];
    d[4] = TWICE;
}

//# undef.comp
//! feature preprocessor: #undef
//! bind 0.0 i32 zeros 2
//! expect 0.0 i32 5 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#define X 1
#undef X
#undef NEVER_DEFINED
#ifndef X
    d[0] = 5;
#endif
#define X 2
    d[1] = X;
}

//# conditions.comp
//! feature preprocessor: #if / #ifdef / #ifndef / #elif / #else / #endif
//! bind 0.0 i32 zeros 6
//! expect 0.0 i32 1 2 3 4 5 6
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#define A 3
#if A == 3 && (A | 4) == 7 && -A < 0 && ~A == -4 && A << 2 == 12 && A % 2 == 1 && !0
    d[0] = 1;
#else
    d[0] = 9;
#endif
#ifdef A
    d[1] = 2;
#elif 1
    d[1] = 9;
#endif
#if 0
    this is skipped
    #if 1
    so is this
    #else
    #endif
#elif A > 2
    d[2] = 3;
#elif 1
    d[2] = 9;
#else
    d[2] = 8;
#endif
#ifndef A
#else
    d[3] = 4;
#endif
#if 0x10 == 16 && 010 == 8
    d[4] = 5;
#endif
#if A - 3
#else
    d[5] = 6;
#endif
}

//# conditions_float.comp
//! feature preprocessor: #if / #ifdef / #ifndef / #elif / #else / #endif
//! error bad expression
#version 460
#if 1.0
#endif
void main() {}

//# conditions_open.comp
//! feature preprocessor: #if / #ifdef / #ifndef / #elif / #else / #endif
//! error #endif
#version 460
void main() {}
#if 1

//# defined.comp
//! feature preprocessor: defined operator (both spellings)
//! bind 0.0 i32 zeros 3
//! expect 0.0 i32 1 2 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#define A
#if defined A && !defined B
    d[0] = 1;
#endif
#if defined(A) && !defined ( B )
    d[1] = 2;
#endif
#undef A
#if !defined(A)
    d[2] = 3;
#endif
}

//# pasting.comp
//! feature preprocessor: ## token pasting
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 12 3
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
#define PASTE(a, b) a ## b
#define NAMED(n) int value_##n = v[n];
    int ab = 12;
    d[0] = PASTE(a, b);
    NAMED(3)
    d[1] = value_3;
}

//# error.comp
//! feature preprocessor: #error
//! error something is wrong
#version 460
#error something is wrong
void main() {}

//# error_skipped.comp
//! feature preprocessor: #error
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 1
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#if 0
#error not reached
#endif
    d[0] = 1;
}

//# pragma.comp
//! feature preprocessor: #pragma (optimize, debug, STDGL, invariant(all))
//! bind 0.0 i32 zeros 1
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 2
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
#pragma optimize(off)
#pragma optimize(on)
#pragma debug(on)
#pragma debug(off)
#pragma nobody_knows what(this is)
#pragma STDGL nobody(knows)
#pragma
void main() {
    d[0] = v[2];
}

//# pragma_invariant.vert
//! feature preprocessor: #pragma (optimize, debug, STDGL, invariant(all))
//! feature variance: invariant qualifier, invariant redeclaration, #pragma STDGL invariant(all)
//! vertices 2
//! expect out 0.0 f32 0.5 1.5
//! expect out Position.0 f32 0 1
#version 460
#pragma STDGL invariant(all)
layout(location = 0) out float a;
void main() {
    gl_Position = vec4(float(gl_VertexIndex), 0.0, 0.0, 1.0);
    a = float(gl_VertexIndex) + 0.5;
}

//# extension.comp
//! feature preprocessor: #extension name : require|enable|warn|disable
//! bind 0.0 i32 zeros 2
//! bind 0.1 i32 iota 16
//! expect 0.0 i32 1 8
#version 460
#extension GL_ARB_gpu_shader_int64 : require
#extension GL_KHR_shader_subgroup_basic : enable
#extension GL_EXT_nobody_knows_this : enable
#extension GL_EXT_nobody_knows_this : warn
#extension GL_EXT_shader_16bit_storage : warn
#extension all : warn
#extension GL_EXT_scalar_block_layout : disable
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
layout(std430, set = 0, binding = 1) readonly buffer In { int v[]; };
void main() {
#ifdef GL_ARB_gpu_shader_int64
    d[0] = 1;
#endif
    d[1] = int((int64_t(v[8]) << 40) >> 40);
}

//# extension_required.comp
//! feature preprocessor: #extension name : require|enable|warn|disable
//! error GL_EXT_nobody_knows_this
#version 460
#extension GL_EXT_nobody_knows_this : require
void main() {}

//# extension_disabled.comp
//! feature preprocessor: #extension name : require|enable|warn|disable
//! error int64
#version 460
#extension GL_ARB_gpu_shader_int64 : disable
void main() { int64_t a = 1; }

//# version_core.comp
//! feature preprocessor: #version number profile
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 460
#version 460 core
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    d[0] = __VERSION__;
}

//# version_older.comp
//! feature preprocessor: #version number profile
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 450
#version 450
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    d[0] = __VERSION__;
}

//# version_unknown.comp
//! feature preprocessor: #version number profile
//! error version
#version 999
void main() {}

//# line.comp
//! feature preprocessor: #line line [string]
//! feature preprocessor: __LINE__ __FILE__ __VERSION__ (460)
//! bind 0.0 i32 zeros 6
//! expect 0.0 i32 100 103 0 200 7 460
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#line 100
    d[0] = __LINE__;


    d[1] = __LINE__;
    d[2] = __FILE__;
#line 200 7
    d[3] = __LINE__;
    d[4] = __FILE__;
    d[5] = __VERSION__;
}

//# profiles.comp
//! feature preprocessor: GL_core_profile / GL_compatibility_profile / GL_es_profile / GL_SPIRV 100 macros
//! bind 0.0 i32 zeros 4
//! expect 0.0 i32 1 0 0 0
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
#if GL_core_profile == 1
    d[0] = 1;
#endif
#ifdef GL_compatibility_profile
    d[1] = 1;
#endif
#ifdef GL_es_profile
    d[2] = 1;
#endif
    // GL_SPIRV is defined where SPIR-V is made for OpenGL, VULKAN where for Vulkan.
#ifdef GL_SPIRV
    d[3] = 1;
#endif
}

//# vulkan.comp
//! feature vulkan glsl: VULKAN macro (100)
//! bind 0.0 i32 zeros 1
//! expect 0.0 i32 100
#version 460
layout(local_size_x = 1) in;
layout(std430, set = 0, binding = 0) buffer Out { int d[]; };
void main() {
    d[0] = VULKAN;
}
