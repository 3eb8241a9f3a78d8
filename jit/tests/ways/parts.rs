//! Text of compute shaders that are put together from parts, such as very many lines of one kind.

use std::fmt::Write;

/// What is put into a compute shader, besides the types of numbers and `%index`, the invocation.
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
    /// Variables of the function.
    pub locals: String,
    /// The body of the function, `%x` being loaded from `%index`.
    pub body: String,
    /// Other functions.
    pub functions: String,
}

impl Parts {
    /// The module, whose workgroups have so many invocations.
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

/// `n` lines.
pub fn lines(n: usize, line: impl Fn(usize) -> String) -> String {
    (0..n).fold(String::new(), |mut out, i| {
        let _ = writeln!(out, "{}", line(i));
        out
    })
}
