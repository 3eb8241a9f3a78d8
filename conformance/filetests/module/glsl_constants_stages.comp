//! test OpStore
// Spec: GLSL 4.60, 7.3 "Built-In Constants": each is at least the specification's.
//! bind 0.0 u32 zeros 24
//! expect 0.0 u32 1*24
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
void at_least(uint i, bool is) { d[i] = is ? 1u : 2u; }
void main() {
    at_least(0u, gl_MaxTessPatchComponents >= 120);
    at_least(1u, gl_MaxPatchVertices >= 32);
    at_least(2u, gl_MaxTessGenLevel >= 64);
    at_least(3u, gl_MaxTessControlInputComponents >= 128);
    at_least(4u, gl_MaxTessControlOutputComponents >= 128);
    at_least(5u, gl_MaxTessControlTextureImageUnits >= 16);
    at_least(6u, gl_MaxTessControlUniformComponents >= 1024);
    at_least(7u, gl_MaxTessControlTotalOutputComponents >= 4096);
    at_least(8u, gl_MaxTessControlImageUniforms >= 0);
    at_least(9u, gl_MaxTessEvaluationInputComponents >= 128);
    at_least(10u, gl_MaxTessEvaluationOutputComponents >= 128);
    at_least(11u, gl_MaxTessEvaluationTextureImageUnits >= 16);
    at_least(12u, gl_MaxTessEvaluationUniformComponents >= 1024);
    at_least(13u, gl_MaxTessEvaluationImageUniforms >= 0);
    at_least(14u, gl_MaxGeometryInputComponents >= 64);
    at_least(15u, gl_MaxGeometryOutputComponents >= 128);
    at_least(16u, gl_MaxGeometryImageUniforms >= 0);
    at_least(17u, gl_MaxGeometryTextureImageUnits >= 16);
    at_least(18u, gl_MaxGeometryOutputVertices >= 256);
    at_least(19u, gl_MaxGeometryTotalOutputComponents >= 1024);
    at_least(20u, gl_MaxGeometryUniformComponents >= 1024);
    at_least(21u, gl_MaxGeometryVaryingComponents >= 64);
    at_least(22u, gl_MaxTransformFeedbackBuffers >= 4);
    at_least(23u, gl_MaxTransformFeedbackInterleavedComponents >= 64);
}
