//! The shaders that scenes are drawn with do nothing that is undefined: checks are silent about them.

use std::path::Path;
use std::sync::Arc;

use quadrille::check::{self, Level, Session, Sources, words};
use quadrille::{Device, DeviceOptions};
use quadrille_scene::draw::{Environment, Options, Renderer};
use quadrille_scene::{animate, load};

/// What is found when a frame of a scene is drawn: reports, and their text.
fn check(file: &str, environment: Environment) -> (usize, String) {
    let session = Arc::new(Session::default());
    let options = DeviceOptions { watch: Some(check::watching(&session)), ..DeviceOptions::default() };
    let device = Device::new(options).unwrap();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes").join(file);
    let scene = load::file(&path, &load::Limits::default()).unwrap();
    let options = Options { environment, samples: 1, ..Options::new(40, 30) };
    let mut renderer = Renderer::new(&device, &scene, &options).unwrap();
    let frame = animate::frame(&scene, Default::default(), 0.5).unwrap();
    let camera = frame.cameras.first().cloned();
    let camera = camera.unwrap_or_else(|| animate::camera(&scene, &frame, 4.0 / 3.0));
    renderer.render(&frame, &camera).unwrap();
    let mut found = session.reports.take();
    found.retain(|r| r.level > Level::Note);
    (found.len(), words::all(&found, &Sources::default()))
}

#[test]
fn scenes_are_silent() {
    for file in ["lantern.glb", "snail.gltf", "tabletop.glb"] {
        let (n, found) = check(file, Environment::Uniform([0.3; 3]));
        assert_eq!(n, 0, "{file}:\n{found}");
    }
}
