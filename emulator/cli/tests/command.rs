//! Tests of the command: one program, because most of the time of a small one is linking.
//!
//! Tests that start processes of themselves, fork, limit the process or read what all devices share are programs of their own,
//! in this package's manifest.

mod common;

#[path = "browser.rs"]
mod browser;
#[path = "check.rs"]
mod check;
#[path = "cli.rs"]
mod cli;
#[path = "debugger.rs"]
mod debugger;
#[path = "endless.rs"]
mod endless;
#[path = "files.rs"]
mod files;
#[path = "first_tries.rs"]
mod first_tries;
#[path = "frames.rs"]
mod frames;
#[path = "input.rs"]
mod input;
#[path = "kept.rs"]
mod kept;
#[path = "launch.rs"]
mod launch;
#[path = "meshes.rs"]
mod meshes;
#[path = "opengl.rs"]
mod opengl;
#[path = "options.rs"]
mod options;
#[path = "outputs.rs"]
mod outputs;
#[path = "page.rs"]
mod page;
#[path = "profile.rs"]
mod profile;
#[path = "scenes.rs"]
mod scenes;
#[path = "script_lines.rs"]
mod script_lines;
#[path = "suite_draws.rs"]
mod suite_draws;
#[path = "suites.rs"]
mod suites;
#[path = "terminal.rs"]
mod terminal;
#[path = "toys.rs"]
mod toys;
#[path = "values.rs"]
mod values;
#[path = "vulkan.rs"]
mod vulkan;
