//! test OpStore
// Spec: GLSL 4.60, 7.3 "Built-In Constants": each is at least the specification's, the least texel offset at most.
//! bind 0.0 u32 zeros 33
//! expect 0.0 u32 1*32 0
#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer Out { uint d[]; };
void at_least(uint i, bool is) { d[i] = is ? 1u : 2u; }
void main() {
    at_least(0u, gl_MaxVertexAttribs >= 16);
    at_least(1u, gl_MaxVertexUniformVectors >= 256);
    at_least(2u, gl_MaxVertexUniformComponents >= 1024);
    at_least(3u, gl_MaxVertexOutputComponents >= 64);
    at_least(4u, gl_MaxVaryingComponents >= 60);
    at_least(5u, gl_MaxVaryingVectors >= 15);
    at_least(6u, gl_MaxVertexTextureImageUnits >= 16);
    at_least(7u, gl_MaxVertexImageUniforms >= 0);
    at_least(8u, gl_MaxFragmentImageUniforms >= 8);
    at_least(9u, gl_MaxFragmentInputComponents >= 128);
    at_least(10u, gl_MaxFragmentUniformVectors >= 256);
    at_least(11u, gl_MaxFragmentUniformComponents >= 1024);
    at_least(12u, gl_MaxDrawBuffers >= 8);
    at_least(13u, gl_MaxTextureImageUnits >= 16);
    at_least(14u, gl_MinProgramTexelOffset <= -8);
    at_least(15u, gl_MaxProgramTexelOffset >= 7);
    at_least(16u, gl_MaxImageUnits >= 8);
    at_least(17u, gl_MaxSamples >= 4);
    at_least(18u, gl_MaxImageSamples >= 0);
    at_least(19u, gl_MaxClipDistances >= 8);
    at_least(20u, gl_MaxCullDistances >= 8);
    at_least(21u, gl_MaxViewports >= 16);
    at_least(22u, gl_MaxComputeImageUniforms >= 8);
    at_least(23u, all(greaterThanEqual(gl_MaxComputeWorkGroupCount, ivec3(65535, 65535, 65535))));
    at_least(24u, all(greaterThanEqual(gl_MaxComputeWorkGroupSize, ivec3(1024, 1024, 64))));
    at_least(25u, gl_MaxComputeUniformComponents >= 1024);
    at_least(26u, gl_MaxComputeTextureImageUnits >= 16);
    at_least(27u, gl_MaxCombinedTextureImageUnits >= 96);
    at_least(28u, gl_MaxCombinedImageUniforms >= 48);
    at_least(29u, gl_MaxCombinedImageUnitsAndFragmentOutputs >= 8);
    at_least(30u, gl_MaxCombinedShaderOutputResources >= 16);
    at_least(31u, gl_MaxCombinedClipAndCullDistances >= 8);
}
