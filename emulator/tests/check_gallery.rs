//! The shaders of the gallery have no undefined behaviour: checks report nothing.
#![cfg(feature = "glsl")]

use crate::checks;
use std::path::Path;

use quadrille::DeviceOptions;
use quadrille::apps::inputs::Inputs;
use quadrille::apps::picture::{Renderer, RendererDesc};
use quadrille::frontend::{self, Language, Options, Stage};
use quadrille_check::{Level, Report, Sources, allow};

/// Runs two checked frames of a shader. Returns the findings and the sources that they refer to.
fn check(file: &str, [width, height]: [u32; 2], device: &DeviceOptions) -> (Vec<Report>, Sources) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/shaders").join(file);
    let source = std::fs::read(&path).unwrap_or_else(|e| panic!("{file}: {e}"));
    let text = String::from_utf8_lossy(&source).into_owned();
    let folder = path.parent().unwrap_or(Path::new(".")).to_owned();
    let includes = frontend::Includes::in_folders(vec![folder]);
    let options = Options { relaxed: true, includes, ..Options::named(file) };
    let language = Language::of_path(&path).unwrap_or(Language::Glsl);
    let shadertoy = frontend::is_shadertoy(&text);
    let words = match shadertoy {
        true => frontend::compile_shadertoy(&text, &options),
        false => frontend::compile(&source, language, Stage::Fragment, &options),
    };
    let words = words.unwrap_or_else(|e| panic!("{file}: {e:?}"));
    let initial = frontend::initial_values(&text, &options);
    let initial: Vec<(&str, &str)> =
        initial.iter().filter_map(|i| Some((i.name.as_str(), i.value.as_deref()?))).collect();
    let (session, device) = checks::device_with(device);
    let pictures =
        [image::RgbaImage::from_fn(16, 16, |x, y| image::Rgba([x as u8 * 16, y as u8 * 16, 90, 255])).into()];
    let desc = RendererDesc {
        words: &words,
        shadertoy,
        width,
        height,
        textures: &pictures,
        initial: &initial,
        premultiplied: language == Language::Agsl,
        ..RendererDesc::default()
    };
    let mut renderer = Renderer::new(&device, &desc).unwrap_or_else(|e| panic!("{file}: {e:?}"));
    for (frame, time) in [(0, 0.0), (75, 1.25)] {
        renderer.render(&Inputs::new(width, height, time, frame)).unwrap_or_else(|e| panic!("{file}: {e:?}"));
    }
    let mut sources = Sources::default();
    sources.add(file, text);
    (session.reports.take(), sources)
}

const FILES: [&str; 8] = [
    "julia.wgsl",
    "kaleidoscope.frag",
    "lights.agsl",
    "plasma.frag",
    "ribbons_2021.wgsl",
    "ripples.spvasm",
    "still_life.glsl",
    "window.agsl",
];

#[test]
fn the_gallery_is_silent() {
    let mut all = String::new();
    for file in FILES {
        let (mut found, sources) = check(file, [80, 45], &DeviceOptions::default());
        allow::retain(&mut found, &sources);
        found.retain(|r| r.kind.level() >= Level::Warning);
        if !found.is_empty() {
            all += &format!("{file}:\n{}", checks::shown(&found));
        }
    }
    assert!(all.is_empty(), "{all}");
}

/// Compiled code with alarms yields the same reports, counts and invocations as interpretation of everything, on any
/// number of threads.
#[test]
fn alarms_leave_nothing_out() {
    let mut told = 0;
    for file in FILES {
        let find = |interp, threads| {
            let options = DeviceOptions { interp, threads, ..DeviceOptions::default() };
            let found = check(file, [48, 27], &options).0;
            (found.len(), checks::shown(&found))
        };
        let whole = find(true, 1);
        assert_eq!(find(false, 1), whole, "{file}");
        assert_eq!(find(false, 3), whole, "{file}");
        told += whole.0;
    }
    assert!(told > 0, "no shader of these has anything to tell");
}
