//! Races between commands, ordered by barriers, events, subpass dependencies, semaphores and the host: races that must
//! be found, and correct programs that must have no report.
//!
//! The cases follow those of the synchronization validation of the Khronos validation layers (`sync_val*.cpp`), and
//! keep their names if they test the same. Omitted are: cases that are invalid there and refused here; ray tracing
//! pipelines, video and marker commands, which the driver lacks; builds of acceleration structures, which
//! `acceleration_structures.rs` has; protected and multi-planar formats and views of several layers, which the checker's
//! own tests cover; reports at recording time, because commands are checked when they run; ordering
//! by swapchains, which is treated as ordering after all earlier commands; and features specific to the layer
//! (settings, handles, threads).
//!
//! The tables are in `races/`; this file runs their cases.

#[path = "races/attachments.rs"]
mod attachments;
#[path = "races/buffers.rs"]
mod buffers;
#[path = "races/case.rs"]
mod case;
mod common;
#[path = "races/images.rs"]
mod images;
#[path = "races/queues.rs"]
mod queues;

use std::process::Command;

use case::Case;
use case::Heard::{Nothing, Race};
use common::lab::Lab;

const CHILD: &str = "QUADRILLE_TEST_CHILD";

/// Returns the reports of a case that runs in a separate process with checked commands.
fn heard(test: &str, case: &str) -> Vec<String> {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, case)
        .env("QUADRILLE_CHECK", "1")
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&out.stdout).into_owned();
    println!("{case}");
    common::has_run(&out);
    lines.lines().filter_map(|l| l.split_once("heard ")).map(|(_, heard)| heard.to_owned()).collect()
}

/// Runs every case of a table, by the name of its test.
fn check(test: &str, cases: &[Case]) {
    if let Some(name) = std::env::var_os(CHILD) {
        let name = name.to_string_lossy();
        let case = cases.iter().find(|(n, ..)| *n == name).expect("a case");
        return (case.2)(&std::mem::ManuallyDrop::new(Lab::new()));
    }
    let wrong = cases.iter().filter_map(|(name, expected, _)| {
        let found = heard(test, name);
        let right = match expected {
            Nothing => found.is_empty(),
            Race(words) => found.iter().any(|f| words.iter().all(|w| f.contains(w))),
        };
        (!right).then(|| format!("{name}: {found:#?}"))
    });
    let wrong: Vec<_> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn buffers() {
    check("buffers", buffers::BUFFERS);
}

#[test]
fn fetches() {
    check("fetches", buffers::FETCHES);
}

#[test]
fn images() {
    check("images", images::IMAGES);
}

#[test]
fn chains() {
    check("chains", images::CHAINS);
}

#[test]
fn rendering() {
    check("rendering", attachments::RENDERING);
}

#[test]
fn passes_and_subpasses() {
    check("passes_and_subpasses", attachments::PASSES);
}

#[test]
fn queues() {
    check("queues", queues::QUEUES);
}
