//! Shaders on checked devices: what is found in them.

#![allow(dead_code, reason = "each test uses some of it")]

#[cfg(feature = "glsl")]
pub mod descriptors;

use std::sync::Arc;

use quadrille::{Device, DeviceOptions, ShaderTest, Watching};
use quadrille_check::{Checker, Level, Levels, Report, Session, Sources, text};

/// Three vertices whose triangle covers the picture, with two outputs besides the position.
pub const VERTEX: &str = "#version 450
layout(location = 0) out vec4 a;
layout(location = 1) out vec2 b;
void main() {
    vec2 p = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4 - 1;
    gl_Position = vec4(p, 0, 1); a = vec4(p, 1, 1); b = p;
}";

/// A device whose shaders are checked; of everything, notes too.
pub fn device() -> (Arc<Session>, Device) {
    device_with(&DeviceOptions::default())
}

/// The same with other options.
pub fn device_with(options: &DeviceOptions) -> (Arc<Session>, Device) {
    let mut levels = Levels::default();
    for &kind in quadrille_check::Kind::ALL {
        if levels.of(kind) == Level::Off {
            levels.set(kind, Level::Note);
        }
    }
    let session = Arc::new(Session::new(levels));
    let watch = Some(Watching(Arc::new(Checker::new(session.clone()))));
    let device = Device::new(DeviceOptions { watch, ..options.clone() }).unwrap();
    (session, device)
}

/// What is found in a test as `run` runs it.
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

/// Reports as people see them.
pub fn shown(reports: &[Report]) -> String {
    text::all(reports, &Sources::default())
}
