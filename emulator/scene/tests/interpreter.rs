//! The reference interpreter draws the scenes of the gallery as compiled code does, at a small size and with light that
//! is prepared coarsely. One of them, or all with `QUADRILLE_VARIANTS=all`.

use std::path::Path;

use quadrille::{Device, DeviceOptions, env};
use quadrille_scene::draw::{Options, Renderer};
use quadrille_scene::{animate, load};

#[test]
fn the_gallery_is_the_same_on_the_interpreter() {
    // Time, exposure and ambient light of the commands in `assets/README.md`.
    let scenes =
        [("tabletop.glb", 0.0, 0.9, 1.0), ("lantern.glb", 0.0, 1.0, 0.1), ("snail.gltf", 0.8, 1.0, 1.0)];
    let count = if env::is_on(env::VARIANTS) { scenes.len() } else { 1 };
    for (file, time, exposure, ambient) in scenes.into_iter().take(count) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes").join(file);
        let scene = load::file(&path, &load::Limits::default()).unwrap();
        let frame = animate::frame(&scene, Default::default(), time).unwrap();
        let camera = frame.cameras.first().cloned();
        let camera = camera.unwrap_or_else(|| animate::camera(&scene, &frame, 16.0 / 9.0));
        let options = Options {
            exposure,
            environment_intensity: ambient,
            draft_environment: true,
            samples: 1,
            ..Options::new(24, 14)
        };
        let picture = |interp| {
            let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() }).unwrap();
            let picture = Renderer::new(&device, &scene, &options).unwrap().render(&frame, &camera).unwrap();
            (picture.pixels, picture.light)
        };
        let (compiled, interpreted) = (picture(false), picture(true));
        let first = &compiled.0[..4];
        assert!(compiled.0.chunks_exact(4).any(|pixel| pixel != first), "{file}: a single colour");
        assert!(compiled == interpreted, "{file}: the interpreter draws another picture");
    }
}
