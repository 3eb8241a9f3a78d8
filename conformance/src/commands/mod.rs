//! What each subcommand does, a file each.

pub mod random;
pub mod ulp;
