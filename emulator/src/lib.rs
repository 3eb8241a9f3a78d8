//! A GPU in software: the same bits everywhere, nothing to install.

pub mod frontend;
