//! Amber scripts and VkScripts: tests of shaders as text files, run on a Quadrille device.
//!
//! ```text
//!   script    text -> Script: what is asked, checked as far as the text tells
//!   layout    where the values of a data type or format lie in a buffer
//!   execute   Script -> buffers, images, pipelines, draws and dispatches on a Device
//!   verify    expectations against the contents of buffers
//! ```
//!
//! The languages are those of the Amber project (`amber_script.md` and `vk_script.md` there). A script that needs what is
//! not there (another compiler, ray tracing, an extension) is skipped with the reason; it never passes.
//!
//! ```
//! use quadrille_amber::{Options, Outcome, Script};
//!
//! let text = "#!amber
//! SHADER compute double SPIRV-ASM
//! ; Adds 1 to nothing.
//! OpCapability Shader
//! OpMemoryModel Logical GLSL450
//! OpEntryPoint GLCompute %main \"main\"
//! OpExecutionMode %main LocalSize 1 1 1
//! %void = OpTypeVoid
//! %function = OpTypeFunction %void
//! %main = OpFunction %void None %function
//! %entry = OpLabel
//! OpReturn
//! OpFunctionEnd
//! END
//! BUFFER numbers DATA_TYPE int32 DATA 1 2 3 END
//! PIPELINE compute doubling
//!   ATTACH double
//! END
//! RUN doubling 1 1 1
//! EXPECT numbers IDX 4 EQ 2 3
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
