//! The C interface: entry points, handles and structures between the application and the driver.
//!
//! * `guard`: the wrapper of every entry point, which catches panics, and the codes of errors.
//! * `handle`, `hand`: handles of objects, and the objects passed to the running command.
//! * `chain`, `convert`: chains, arrays and strings; enumerations and small structures.
//! * `messages`: messages to the application.
//!
//! Left to others: structures that the bindings lack are in `newer`; structures of one chapter are converted in the
//! file of that chapter.

pub(crate) mod chain;
pub(crate) mod convert;
pub(crate) mod guard;
mod hand;
pub(crate) mod handle;
pub(crate) mod messages;
