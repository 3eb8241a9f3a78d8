//! Races between commands, as barriers, events, subpass dependencies, semaphores and the host order them: what must be
//! found, and near misses that must not.
//!
//! Cases are after those of the synchronization validation of the Khronos validation layers (`sync_val*.cpp`), with their
//! names where they say the same. Left out: what is invalid there and refused here, ray tracing, video and marker commands,
//! which the driver lacks; protected and multi-planar formats and views of several layers, whose bytes are told apart by
//! what has its tests in the checker; reports at recording time, since commands are looked at when they run; what swapchains
//! order, which is taken as all that ran before; and single features of the layer's own (settings, handles, threads).
//!
//! The tables are in `races/`; here is what runs their cases.

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

/// What is heard of a case in a process of its own whose commands are checked.
fn heard(test: &str, case: &str) -> Vec<String> {
    let out = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(CHILD, case)
        .env("QUADRILLE_CHECK", "1")
        .output()
        .unwrap();
    let lines = String::from_utf8_lossy(&out.stdout).into_owned();
    assert!(out.status.success(), "{case}: {lines}{}", String::from_utf8_lossy(&out.stderr));
    lines.lines().filter_map(|l| l.split_once("heard ")).map(|(_, heard)| heard.to_owned()).collect()
}

/// Every case of a table, by the name of its test.
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
