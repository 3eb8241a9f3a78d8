//! Amber scripts and VkScripts: tests of shaders as text files, run on a Quadrille device.
//!
//! ```text
//!   script    text -> Script, with all checks that need only the text
//!   layout    memory layout of the values of a data type or format
//!   execute   Script -> buffers, images, pipelines, draws and dispatches on a Device
//!   verify    comparison of buffer contents with expectations
//! ```
//!
//! The languages are those of the Amber project (`amber_script.md` and `vk_script.md` there). A script that needs
//! something unavailable (another compiler, ray tracing, an extension) is skipped with the reason; it never passes.
//!
//! ```
//! use quadrille_amber::{Options, Outcome, Script};
//!
//! let text = "#!amber
//! SHADER compute double SPIRV-ASM
//! OpCapability Shader
//! OpMemoryModel Logical GLSL450
//! OpEntryPoint GLCompute %main \"main\" %id
//! OpExecutionMode %main LocalSize 1 1 1
//! OpDecorate %id BuiltIn GlobalInvocationId
//! OpDecorate %numbers ArrayStride 4
//! OpDecorate %block Block
//! OpMemberDecorate %block 0 Offset 0
//! OpDecorate %buffer DescriptorSet 0
//! OpDecorate %buffer Binding 0
//! %void = OpTypeVoid
//! %function = OpTypeFunction %void
//! %int = OpTypeInt 32 1
//! %uint = OpTypeInt 32 0
//! %uvec3 = OpTypeVector %uint 3
//! %in_uvec3 = OpTypePointer Input %uvec3
//! %in_uint = OpTypePointer Input %uint
//! %id = OpVariable %in_uvec3 Input
//! %numbers = OpTypeRuntimeArray %int
//! %block = OpTypeStruct %numbers
//! %in_buffer = OpTypePointer StorageBuffer %block
//! %in_numbers = OpTypePointer StorageBuffer %int
//! %buffer = OpVariable %in_buffer StorageBuffer
//! %zero = OpConstant %int 0
//! %main = OpFunction %void None %function
//! %entry = OpLabel
//! %at_x = OpAccessChain %in_uint %id %zero
//! %x = OpLoad %uint %at_x
//! %at = OpAccessChain %in_numbers %buffer %zero %x
//! %number = OpLoad %int %at
//! %sum = OpIAdd %int %number %number
//! OpStore %at %sum
//! OpReturn
//! OpFunctionEnd
//! END
//! BUFFER numbers DATA_TYPE int32 DATA 1 2 3 END
//! PIPELINE compute doubling
//!   ATTACH double
//!   BIND BUFFER numbers AS storage DESCRIPTOR_SET 0 BINDING 0
//! END
//! RUN doubling 3 1 1
//! EXPECT numbers IDX 0 EQ 2 4 6
//! ";
//! let script = Script::parse("double.amber", text)?;
//! let device = quadrille::Device::new(quadrille::DeviceOptions::default())?;
//! assert_eq!(script.run(&device, &Options::default()), Outcome::Passed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

mod error;
mod execute;
mod layout;
mod offers;
mod outcome;
mod script;
mod verify;

pub use error::{Errors, SyntaxError};
pub use outcome::{Failure, Options, Outcome};
pub use script::Script;
