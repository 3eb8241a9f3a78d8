//! The shader debugger.
//!
//! A [`Recorder`] watches the interpreter and keeps what the lane group does that holds the invocation that somebody
//! wants to look at. A [`Session`] stands somewhere in the [`Recording`] and moves, forwards and backwards, by lines and
//! by instructions, to breakpoints, to where a variable changes; it finds variables by the names that the source has
//! for them, in every lane, and evaluates expressions in the shader's language. Three faces of it: [`commands`] at a
//! prompt, [`dap`] for editors, [`page`] in a browser.
//!
//! | file | owns |
//! |---|---|
//! | `target` | which invocation |
//! | `recorder`, `recording`, `rounds` | what it did, and the loop in which that was cut |
//! | `builtins` | built-in variables that the shader does not use |
//! | `lines` | stepping by lines |
//! | `value` | variables and their parts |
//! | `expression`, `spelling`, `declared` | expressions: what they are compiled of, types and values in the languages, what the shader's text declares |
//! | `session` | where it stands, how it moves and stops |
//! | `source`, `assembly` | texts |
//! | `heat` | what each pixel cost |
//! | `commands`, `dap`, `page` | the faces |
//!
//! What it leaves to others: running the shader. Whoever makes the device gives it [`Recorder::watch`].

mod assembly;
mod builtins;
pub mod commands;
pub mod dap;
mod declared;
mod expression;
mod heat;
mod lines;
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
