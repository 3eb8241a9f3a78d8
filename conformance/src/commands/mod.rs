//! What each subcommand does, a file each.

pub mod coverage;
pub mod modules;
pub mod mutate;
pub mod oracle;
pub mod random;
pub mod scenes;
pub mod ulp;
