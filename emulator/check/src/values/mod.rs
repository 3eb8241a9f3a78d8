//! Values that the specifications leave undefined.
//!
//! ```text
//!   rules       which operands of which instruction: pure functions
//!   number      what values are, and how they look in messages
//!   taint       which values of a lane group are undefined
//!   origin      what made them so
//!   propagate   what operations do to them
//!   names       what buffers are called
//!   flow        follows them to where they surface
//! ```

mod flow;
mod names;
pub mod number;
mod origin;
mod propagate;
pub mod rules;
mod taint;

pub use flow::Values;
pub use names::Names;
