//! Suites of shader tests in files: finding, running, reporting. `quadrille test` uses this library.
//!
//! ```text
//!   find      files and folders -> tests, in the order of their names
//!   select    selection of tests by filter and shard
//!   native    tests in TOML beside a shader (`NAME.test.toml`)
//!   script    Amber scripts and VkScripts, by `quadrille-amber`
//!   foreign   sources in languages that the caller compiles
//!   picture   goldens: compared exactly, within a tolerance, or by FLIP
//!   run       tests -> reports, on all processors
//!   endless   loops of tests that exceed their time
//!   journal   results of earlier runs
//!   report    text, JSON, JUnit, GitHub annotations, HTML
//! ```
//!
//! A test is a pure function of its files: results do not depend on the number of jobs, the order or the machine. A
//! suite can therefore be distributed ([`select`]) and resumed ([`journal`]).
//!
//! ```
//! use quadrille_suite::{find, run};
//! # let folder = std::env::temp_dir().join(format!("quadrille-suite-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder).unwrap();
//! std::fs::write(folder.join("double.wgsl"), "
//!     @group(0) @binding(0) var<storage, read_write> v: array<f32>;
//!     @compute @workgroup_size(1) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }")?;
//! std::fs::write(folder.join("double.test.toml"), r#"
//!     shader = "double.wgsl"
//!     [[test]]
//!     name = "three values"
//!     dispatch = [3, 1, 1]
//!     bind = { "0.0" = "f32: 1, 2, 3" }
//!     expect = { "0.0" = "f32: 2, 4, 6" }
//! "#)?;
//! let tests = find::find(&[folder.clone()])?;
//! let counts = run::run(tests, run::Options::default(), |_| {});
//! assert_eq!((counts.passed, counts.failed), (1, 0));
//! # std::fs::remove_dir_all(&folder).unwrap();
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![deny(unsafe_code)]

mod endless;
pub mod find;
pub mod foreign;
pub mod journal;
mod native;
pub mod outcome;
pub mod picture;
pub mod report;
pub mod run;
mod script;
pub mod select;
