//! Proof: file tests, random differential tests, determinism, benchmarks.
//!
//! ```text
//!   filetests/FAMILY/NAME.test     one instruction and a table of values -> modules -> every variant
//!   filetests/FAMILY/NAME.spvasm   one feature, a whole module with directives -> every variant
//!   filetests/FAMILY/NAME.comp     likewise in GLSL
//!   filetests/FAMILY/NAME.glsl     many small shaders, each after a line `//# NAME.STAGE`
//! ```
//!
//! * [`filetest`]: finds, reads and runs the files; [`table`] and [`program`] are the two kinds.
//! * [`text`]: SPIR-V text written by programs. [`mod@value`]: types and values as files spell them.
//! * [`lanes`]: lane functions run on buffers, in every variant. The only place with `unsafe`.
//! * [`images`]: programs with images, run by the device.
//! * [`random`]: structured random compute modules; [`differential`] runs them in every variant, [`pipelines`] whole pipelines of
//!   them on devices.
//! * [`coverage`]: which rows of the specifications the file tests check.
//! * [`mutate`]: malformed modules. [`calls`]: random calls of the API and of the driver. [`endurance`]: very many
//!   objects, pipelines, devices and frames of the driver.
//! * [`scenes`]: small pictures, compared with golden ones and with other drivers.
//! * [`ulp`]: errors of shader maths. [`oracle`]: the same modules run by other Vulkan drivers.
//! * [`agsl`]: tests of AGSL, a section for each row of its inventory.
//! * [`assets`]: shaders of the benchmarks (`benches`).
//! * [`tools`]: Khronos' assembler and validator as a second opinion, when installed.
//!
//! Everything goes through the public doors of the other crates.

pub mod agsl;
pub mod assets;
pub mod calls;
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
pub mod scenes;
pub mod table;
pub mod text;
pub mod tools;
pub mod ulp;
pub mod value;
