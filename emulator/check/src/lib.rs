//! Finds errors in shaders that no GPU reports: undefined values, races, reads of unwritten memory.
//!
//! ```text
//!   kind      a row for each kind of mistake: its name, its level, what the specification says
//!   report    one report for each cause: where, who, with what value, how often
//!   values    values that the specifications leave undefined, followed to where they surface
//!   control   barriers, derivatives and subgroups where invocations have gone different ways; loops without end
//!   memory    accesses out of bounds, reads of what nobody wrote, data races
//!   stages    stages against each other and what they run with: inputs without outputs, push constants
//!   matching  types where stages, vertex attributes and attachments meet
//!   sampling  samplers and images that an instruction may not be used with
//!   readonly  what a module says is not written, and is
//!   outputs   outputs that invocations do not write and somebody takes
//!   excess    what commands take past the end of a buffer, or past a limit
//!   interface what the variables between stages are called
//!   checker   the watcher of shaders: tells each of them what a call does
//!   alarms    a copy of a shader for compiled code, which says where there is something to check
//!   session   what is checked together
//!   flags     words for the stages and accesses of barriers
//!   layouts   structs of the host against blocks of a shader
//!   allow     comments in the source that turn a kind off
//!   text      reports for people, with the lines of the source
//!   json      reports for programs
//!   sarif     reports for build servers and editors (SARIF 2.1.0)
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
pub mod events;
mod excess;
pub mod flags;
mod interface;
pub mod json;
pub mod kind;
pub mod layouts;
mod matching;
mod memory;
mod outputs;
mod pending;
mod place;
mod readonly;
pub mod report;
mod sampling;
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
