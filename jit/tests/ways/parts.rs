//! Text of compute shaders assembled from parts, for example from a large number of similar lines.

use std::fmt::Write;

/// Parts of a compute shader, in addition to the number types and the invocation `%index`.
#[derive(Default)]
pub struct Parts {
    /// Capabilities and extensions.
    pub extensions: String,
    /// Execution modes.
    pub modes: String,
    /// Names and decorations.
    pub names: String,
    /// Types, constants and global variables.
    pub types: String,
    /// Function variables.
    pub locals: String,
    /// Body of the function; `%x` is loaded from `%index`.
    pub body: String,
    /// Other functions.
    pub functions: String,
}

impl Parts {
    /// Text of the module, with workgroups of `invocations` invocations.
    pub fn text(&self, invocations: u32) -> String {
        format!(
            "; Version: 1.3
OpCapability Shader
{}OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\" %index
OpExecutionMode %main LocalSize {invocations} 1 1
{}{}OpDecorate %index BuiltIn LocalInvocationIndex
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%u32 = OpTypeInt 32 0
%pin = OpTypePointer Input %u32
%pfun = OpTypePointer Function %u32
%c0 = OpConstant %u32 0
%c1 = OpConstant %u32 1
%index = OpVariable %pin Input
{}%main = OpFunction %void None %fn
%entry = OpLabel
{}%x = OpLoad %u32 %index
{}OpReturn
OpFunctionEnd
{}",
            self.extensions, self.modes, self.names, self.types, self.locals, self.body, self.functions
        )
    }
}

/// Concatenates `n` lines.
pub fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut out, i| {
        let _ = writeln!(out, "{}", line(i));
        out
    })
}
