//! Values that the specifications leave undefined.
//!
//! ```text
//!   rules       which operands of which instruction: pure functions
//!   number      what values are, and how they look in messages
//!   taint       which values of a lane group are undefined
//!   origin      what made them so
//!   propagate   what operations do to them
//!   subgroup    lanes that operations read of each other
//!   surface     where they surface, and what is said then
//!   names       what buffers are called
//!   flow        follows them there
//! ```

mod flow;
mod names;
pub mod number;
mod origin;
mod propagate;
pub mod rules;
mod subgroup;
mod surface;
mod taint;

pub use flow::Values;
pub use names::Names;
