//! What each subcommand does, a file each.

pub mod coverage;
pub mod random;
pub mod ulp;
