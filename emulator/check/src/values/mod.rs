//! Values that the specifications leave undefined.
//!
//! ```text
//!   rules       operands for which an instruction is undefined, as pure functions
//!   number      classes of values, and their text in messages
//!   taint       undefined values of a lane group
//!   origin      operations that made values undefined
//!   propagate   propagation of undefined values through operations
//!   subgroup    lanes that subgroup operations read
//!   surface     places where undefined values surface, and the reports
//!   names       names of buffers in reports
//!   flow        the observer that follows undefined values
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
