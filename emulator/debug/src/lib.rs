//! The shader debugger.
//!
//! A [`Recorder`] watches the interpreter and records the lane group of the selected invocation. A [`Session`] has a
//! position in the [`Recording`]. It moves forwards and backwards by lines and by instructions, to breakpoints and to
//! changes of variables. It finds variables by their source names in every lane, and evaluates expressions in the
//! shader's language. It has three front ends: [`commands`] at a prompt, [`dap`] for editors, [`page`] in a browser.
//!
//! | file | owns |
//! |---|---|
//! | `target` | selection of the invocation |
//! | `recorder`, `recording`, `rounds` | the recording, and the loop in which it was cut |
//! | `builtins` | built-in variables that the shader does not use |
//! | `lines` | stepping by lines |
//! | `value`, `number` | variables and their parts; scalars as text |
//! | `expression`, `spelling`, `declared` | expressions: their compilation, types and values in the languages, declarations of the shader's text |
//! | `session` | position, motions and stops |
//! | `source` | texts |
//! | `heat` | cost of each pixel |
//! | `commands`, `dap`, `page` | the front ends |
//!
//! Running the shader is left to the caller: whoever creates the device gives it [`Recorder::watch`].

mod builtins;
pub mod commands;
pub mod dap;
mod declared;
mod expression;
mod heat;
mod lines;
mod number;
pub mod page;
mod recorder;
mod recording;
mod rounds;
mod session;
mod source;
mod spelling;
mod target;
mod value;

pub use expression::{Answer, Evaluator};
pub use heat::Heat;
pub use lines::Stride;
pub use recorder::{MAX_BYTES, Recorder};
pub use recording::{Cursor, Recording};
pub use session::{Breakpoint, Frame, Session, Stop, Watchpoint, Way};
pub use source::Sources;
pub use target::{OPTIONS, Target, name_of};
pub use value::{At, Bits, Part};
