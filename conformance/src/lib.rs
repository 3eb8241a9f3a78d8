//! Conformance tests: file tests, random differential tests, determinism, benchmarks.
//!
//! ```text
//!   filetests/FAMILY/NAME.test     one instruction and a table of values -> modules -> every variant
//!   filetests/FAMILY/NAME.spvasm   one feature, a whole module with directives -> every variant
//!   filetests/FAMILY/NAME.comp     the same in GLSL
//!   filetests/FAMILY/NAME.glsl     many small shaders, each after a line `//# NAME.STAGE`
//! ```
//!
//! * [`filetest`]: finds, reads and runs the files; [`table`] and [`program`] are the two kinds.
//! * [`text`]: generation of SPIR-V text. [`mod@value`]: types and values in the notation of the files.
//! * [`lanes`]: runs lane functions on buffers, in every variant.
//! * [`images`]: runs programs with images on a device.
//! * [`random`]: structured random modules; [`differential`] runs them in every variant, [`pipelines`] runs whole
//!   pipelines of them on devices.
//! * [`coverage`]: rows of the specifications that the file tests check.
//! * [`mutate`]: malformed modules. [`calls`]: random calls of the API and of the driver. [`endurance`]: very many
//!   objects, pipelines, devices and frames of the driver.
//! * [`scenes`]: small pictures, compared with goldens and with other drivers.
//! * [`ulp`]: accuracy of shader maths. [`oracle`]: the same modules on other Vulkan drivers.
//! * [`agsl`]: tests of AGSL, a section for each row of its inventory.
//! * [`client`]: instance and device of every Vulkan client here.
//! * [`targets`]: fuzz targets. [`cost`]: memory and CPU time that an input takes.
//! * [`assets`]: shaders of the benchmarks (`benches`).
//! * [`registry`]: declarations of newer Vulkan, which the driver generates from an excerpt of the registry.
//! * [`tools`]: Khronos' assembler and validator as a second opinion, if they are installed.
//!
//! This crate uses only the public interfaces of the other crates.

/// Listings of the book (book/src/rust.md).
#[cfg(doctest)]
#[doc = include_str!("../../book/src/rust.md")]
pub struct Book;

pub mod agsl;
pub mod assets;
pub mod calls;
pub mod client;
pub mod cost;
pub mod coverage;
pub mod differential;
pub mod endurance;
pub mod filetest;
pub mod images;
pub mod lanes;
pub mod mutate;
pub mod oracle;
pub mod pipelines;
pub mod program;
pub mod random;
pub mod registry;
pub mod scenes;
pub mod size;
pub mod table;
pub mod targets;
pub mod text;
pub mod tools;
pub mod ulp;
pub mod value;
