//! Values that the specifications leave undefined.
//!
//! ```text
//!   rules    which operands of which instruction: pure functions
//!   number   how values look in messages
//! ```

pub mod number;
pub mod rules;
