//! The subcommands, one per file.

pub mod allocations;
pub mod api;
pub mod coverage;
pub mod driver;
pub mod endurance;
pub mod fuzz;
pub mod hostile;
pub mod modules;
pub mod mutate;
pub mod oracle;
pub mod random;
pub mod registry;
pub mod scenes;
mod seeds;
pub mod soak;
pub mod ulp;
