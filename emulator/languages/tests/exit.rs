//! A process ends with its own status while a detached thread still compiles GLSL.
#![cfg(all(feature = "glsl", target_os = "linux", target_env = "gnu"))]
#![expect(unsafe_code, reason = "an exit function of C, registered in the child process")]

use std::fmt::Write;
use std::process::Command;

use quadrille_languages::{Stage, compile_glsl};

/// Variable by which the test starts itself as the child.
const CHILD: &str = "QUADRILLE_TEST_CHILD";

/// Stands for a C++ destructor that runs beside the detached thread.
extern "C" fn destructor() {
    std::process::abort();
}

/// Compiles a source that takes far longer than its budget, then exits.
fn child() -> ! {
    // SAFETY: `destructor` takes no arguments and lives as long as the process.
    assert_eq!(unsafe { libc::atexit(destructor) }, 0);
    // The compile time of functions that are called is quadratic in their number.
    let mut text = "#version 450\nlayout(local_size_x = 1) in;\n".to_owned();
    (0..20_000).for_each(|i| writeln!(text, "void a{i}() {{}}").unwrap());
    text += "void main() {\n";
    (0..20_000).for_each(|i| writeln!(text, "a{i}();").unwrap());
    text += "}\n";
    let error = compile_glsl(&text, Stage::Compute, &Default::default()).unwrap_err();
    assert!(error.to_string().contains("budget"), "{error}");
    std::process::exit(7);
}

#[test]
fn a_detached_compiler_does_not_change_the_exit_status() {
    if std::env::var_os(CHILD).is_some() {
        child();
    }
    let name = "a_detached_compiler_does_not_change_the_exit_status";
    let out = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact", "--nocapture"])
        .env(CHILD, "1")
        .env("QUADRILLE_COMPILE_BUDGET", "1")
        .output()
        .unwrap();
    assert_eq!(out.status.code(), Some(7), "{}", String::from_utf8_lossy(&out.stderr));
}
