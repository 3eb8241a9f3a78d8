//! Helpers that run shaders on checked devices and return the findings.

#![allow(dead_code, reason = "each test uses only part of this module")]

#[cfg(feature = "glsl")]
pub mod descriptors;

use std::sync::Arc;

use quadrille::{Device, DeviceOptions, ShaderTest, Watching};
use quadrille_check::{Checker, Level, Levels, Report, Session, Sources, text};

/// A vertex shader whose triangle covers the image, with two outputs in addition to the position.
pub const VERTEX: &str = "#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec2 b;
void main() {
    vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1;
    gl_Position = vec4(p, 0, 1); a = vec4(p, 1, 1); b = p;
}";

/// A device with checked shaders that reports every kind, notes included.
pub fn device() -> (Arc<Session>, Device) {
    device_with(&DeviceOptions::default())
}

/// Like [`device`], with other options.
pub fn device_with(options: &DeviceOptions) -> (Arc<Session>, Device) {
    let mut levels = Levels::default();
    for &kind in quadrille_check::Kind::ALL {
        if levels.of(kind) == Level::Off {
            levels.set(kind, Level::Note);
        }
    }
    let session = Arc::new(Session::new(levels));
    let watch = Some(Watching::listening(Arc::new(Checker::new(session.clone()))));
    let device = Device::new(DeviceOptions { watch, ..options.clone() }).unwrap();
    (session, device)
}

/// Findings in a test that `run` runs.
pub fn check(
    test: ShaderTest,
    run: impl FnOnce(ShaderTest) -> quadrille::Result<quadrille::TestRun>,
) -> Vec<Report> {
    let (session, device) = device();
    run(test.on(&device)).unwrap_or_else(|e| panic!("{e:?}"));
    session.reports.take()
}

/// `kind:line` of each report.
pub fn kinds(reports: &[Report]) -> Vec<String> {
    reports.iter().map(|r| format!("{}:{}", r.kind, r.at.line)).collect()
}

/// Reports formatted for people.
pub fn shown(reports: &[Report]) -> String {
    text::all(reports, &Sources::default())
}
