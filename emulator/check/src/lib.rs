//! Finds errors in shaders that no GPU reports: undefined values, races, reads of unwritten memory.
//!
//! ```text
//!   kind      table of the kinds of mistakes: name, level, rule of the specification
//!   report    one report for each cause: place, invocation, values, count
//!   values    values that the specifications leave undefined, followed to where they surface
//!   control   barriers, derivatives and subgroup operations in divergent control flow; endless loops
//!   memory    out-of-bounds accesses, reads of unwritten memory, data races
//!   stages    interfaces of stages: inputs without outputs, unset push constants
//!   matching  types at the interfaces of stages, vertex attributes and attachments
//!   rays      rays, ray queries, acceleration structures, and what shaders of rays exchange
//!   sampling  samplers and images that an instruction does not support
//!   decorations  variables with a decoration, and the instructions that access memory through them
//!   readonly  writes to resources that a module declares read-only
//!   restrict  memory of a restrict variable that other variables access
//!   image_layouts  layouts of images, and the layouts that commands and descriptors name
//!   outputs   outputs that invocations do not write although a later stage uses them
//!   excess    accesses of commands past the end of a buffer or past a limit
//!   interface names of the variables between stages
//!   checker   the watcher of shaders, which passes the events of a call to each check
//!   alarms    copy of a shader for compiled code that detects where a check is needed
//!   session   state that the checks of a device share
//!   flags     names of layouts, and of the stages and accesses of barriers
//!   layouts   comparison of host structs with shader blocks
//!   allow     comments in the source that turn a kind off
//!   text      reports for people, with the lines of the source
//!   json      reports for programs, with the feature `json`
//!   sarif     reports for build servers and editors (SARIF 2.1.0), with the feature `json`
//! ```
//!
//! This crate works on the shader IR and does not depend on a device. `quadrille` runs shaders with checked execution
//! and returns the reports.
//!
//! ```
//! use quadrille_check::{Frame, Kind, Report, Reports};
//!
//! let reports = Reports::default();
//! for _ in 0..3 {
//!     let at = Frame { file: Some("tone.frag".into()), line: 7, ..Frame::default() };
//!     reports.add(Report::new(Kind::PowDomain, "`pow` of -0.25 and 2.2").at(at).value("x", "-0.25"));
//! }
//! let found = reports.found();
//! assert_eq!((found.len(), found[0].count), (1, 3));
//! ```

#![deny(unsafe_code)]

mod alarms;
pub mod allow;
pub mod checker;
mod control;
mod crossing;
mod decorations;
pub mod events;
mod excess;
pub mod flags;
mod image_layouts;
mod interface;
#[cfg(feature = "json")]
pub mod json;
pub mod kind;
pub mod layouts;
mod matching;
mod memory;
mod outputs;
mod pending;
mod place;
mod rays;
mod readonly;
pub mod report;
mod restrict;
mod sampling;
#[cfg(feature = "json")]
pub mod sarif;
pub mod session;
mod stages;
pub mod text;
pub mod values;

pub use checker::Checker;
pub use interface::declared;
pub use kind::{Kind, Level, Levels};
pub use report::{Frame, Invocation, Other, Report, Reports};
pub use session::Session;
pub use text::Sources;
