//! Types that products of extensions refuse.

use crate::spirv::{Module, asm};

/// Mixed dot products have vectors of two floats of 16 bits, or four of 8 bits, and accumulators of the type of the result;
/// products with half a word have 32 bits. Spec: SPV_VALVE_mixed_float_dot_product, SPV_INTEL_shader_integer_functions2.
#[test]
fn products_refuse_other_types() {
    let compiled = |code: &str| {
        let text = format!(
            "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u16 = OpTypeInt 16 0
%u32 = OpTypeInt 32 0
%f16 = OpTypeFloat 16
%f32 = OpTypeFloat 32
%bf16 = OpTypeFloat 16 BFloat16KHR
%e4m3 = OpTypeFloat 8 Float8E4M3EXT
%e5m2 = OpTypeFloat 8 Float8E5M2EXT
%h2 = OpTypeVector %f16 2
%h4 = OpTypeVector %f16 4
%f2 = OpTypeVector %f32 2
%b2 = OpTypeVector %bf16 2
%w2 = OpTypeVector %u16 2
%e2 = OpTypeVector %e4m3 2
%e4 = OpTypeVector %e4m3 4
%five4 = OpTypeVector %e5m2 4
%x = OpConstantNull %f32
%x16 = OpConstantNull %f16
%xb = OpConstantNull %bf16
%n16 = OpConstantNull %u16
%vh2 = OpConstantNull %h2
%vh4 = OpConstantNull %h4
%vf2 = OpConstantNull %f2
%vb2 = OpConstantNull %b2
%vw2 = OpConstantNull %w2
%ve2 = OpConstantNull %e2
%ve4 = OpConstantNull %e4
%vfive4 = OpConstantNull %five4
%main = OpFunction %void None %fn
%entry = OpLabel
%r = {code}
OpReturn
OpFunctionEnd
"
        );
        let words = asm::assemble(&text).unwrap_or_else(|e| panic!("{e}: {code}"));
        Module::parse(&words)?.lower("main", crate::ir::Stage::Compute, &[]).map(drop)
    };
    for code in [
        "OpFDot2MixAcc32VALVE %f32 %vh2 %vh2 %x",
        "OpFDot2MixAcc16VALVE %bf16 %vb2 %vb2 %xb",
        "OpFDot4MixAcc32VALVE %f32 %ve4 %vfive4 %x",
    ] {
        compiled(code).unwrap();
    }
    for code in [
        "OpFDot2MixAcc32VALVE %f16 %vh2 %vh2 %x16",
        "OpFDot2MixAcc32VALVE %f32 %vh2 %vb2 %x",
        "OpFDot2MixAcc32VALVE %f32 %vh2 %vh2 %x16",
        "OpFDot2MixAcc32VALVE %f32 %vh4 %vh4 %x",
        "OpFDot2MixAcc32VALVE %f32 %vf2 %vf2 %x",
        "OpFDot2MixAcc32VALVE %f32 %vw2 %vw2 %x",
        "OpFDot2MixAcc32VALVE %f32 %ve2 %ve2 %x",
        "OpFDot2MixAcc32VALVE %f2 %vh2 %vh2 %vf2",
        "OpFDot2MixAcc16VALVE %f32 %vh2 %vh2 %x",
        "OpFDot2MixAcc16VALVE %bf16 %vh2 %vh2 %xb",
        "OpFDot2MixAcc16VALVE %u16 %vb2 %vb2 %n16",
        "OpFDot4MixAcc32VALVE %f32 %vh4 %vh4 %x",
        "OpFDot4MixAcc32VALVE %f32 %ve2 %ve2 %x",
        "OpFDot4MixAcc32VALVE %f32 %ve4 %ve2 %x",
        "OpUMul32x16INTEL %u16 %n16 %n16",
    ] {
        let error = compiled(code).expect_err(code).to_string();
        assert!(
            error.contains("fit each other") || error.contains("of this type") || error.contains("32 bits"),
            "{code}: {error}"
        );
    }
}
