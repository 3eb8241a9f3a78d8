//! Runs the command, and makes folders for its input and output.

#![allow(dead_code, reason = "not every test file uses every helper")]

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use quadrille::testing::{self, Requirement};

/// A separate folder per test, removed when this value is dropped.
pub struct Folder(PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("quadrille-cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, contents).unwrap();
        path.to_str().unwrap().to_owned()
    }
    /// Writes a shell script that stands in for a program.
    #[cfg(unix)]
    pub fn tool(&self, name: &str, script: &str) {
        use std::os::unix::fs::PermissionsExt;
        let path = self.write(name, format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The browser in `PATH`; the test is skipped without one.
pub fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let folders: Vec<PathBuf> =
        std::env::split_paths(&std::env::var_os("PATH").unwrap_or_default()).collect();
    let found = names.iter().flat_map(|name| folders.iter().map(move |f| f.join(name))).find(|p| p.is_file());
    if found.is_none() {
        testing::skipped(Requirement::Chromium, "no Chromium in PATH");
    }
    found
}

pub fn asset(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/shaders").join(name).to_str().unwrap().to_owned()
}

pub fn quadrille(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_quadrille")).args(args).env("NO_COLOR", "1").output().unwrap()
}

pub fn good(args: &[&str]) -> String {
    let out = quadrille(args);
    assert!(out.status.success(), "{args:?}: {}", String::from_utf8_lossy(&out.stderr));
    String::from_utf8(out.stdout).unwrap()
}

/// The message of a failure, which must be an error and not a panic.
pub fn bad(args: &[&str]) -> String {
    let out = quadrille(args);
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(!out.status.success(), "{args:?} succeeded");
    assert!(out.status.code().is_some_and(|c| c == 1 || c == 2), "{args:?}: {:?}", out.status);
    assert!(!text.contains("panicked"), "{args:?}: {text}");
    assert!(!text.trim().is_empty(), "{args:?} prints no error");
    text
}

/// The message of a wrong command line.
pub fn wrong(args: &[&str]) -> String {
    let out = quadrille(args);
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert_eq!(out.status.code(), Some(2), "{args:?}: {text}");
    text
}

/// A compute shader that doubles the numbers of a buffer.
pub const DOUBLE: &str = "@group(0) @binding(0) var<storage, read_write> v: array<f32>;
@compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }";
