//! The shaders of scenes do nothing undefined: checks report nothing.

use crate::common;
use std::path::Path;
use std::sync::Arc;

use glam::{Mat4, Vec3, Vec4};
use quadrille::check::{self, Kind, Level, Session, Sources, words};
use quadrille::{Device, DeviceOptions};
use quadrille_scene::draw::{Environment, Options, Renderer};
use quadrille_scene::frame::{Frame, PlacedCamera};
use quadrille_scene::model::{
    Anisotropy, Influences, Iridescence, LightKind, Material, Panorama, Scene, SpecularGlossiness, Volume,
};
use quadrille_scene::trace::{self, Tracer};
use quadrille_scene::{animate, load};

/// Draws frames of a scene under checks, and returns the kinds of the reports and their text.
fn check(scene: &Scene, options: &Options, frames: &[(Frame, PlacedCamera)]) -> (Vec<Kind>, String) {
    let session = Arc::new(Session::default());
    let device = DeviceOptions { watch: Some(check::watching(&session)), ..DeviceOptions::default() };
    let device = Device::new(device).unwrap();
    let options = Options { draft_environment: true, ..options.clone() };
    let mut renderer = Renderer::new(&device, scene, &options).unwrap();
    for (frame, camera) in frames {
        renderer.render(frame, camera).unwrap();
    }
    let mut found = session.reports.take();
    found.retain(|r| r.level > Level::Note);
    (found.iter().map(|r| r.kind).collect(), words::all(&found, &Sources::default()))
}

/// Our scenes contain all kinds of materials, joints, weights and lights.
#[test]
fn scenes_are_silent() {
    let texels = (0..32u8).map(|i| [f32::from(i), 0.5, f32::from(i % 8)]).collect();
    let panorama = Panorama { width: 8, height: 4, texels };
    for (file, environment, samples) in [
        ("lantern.glb", Environment::Sky, 4),
        ("snail.gltf", Environment::Uniform([0.3; 3]), 1),
        ("tabletop.glb", Environment::Panorama(panorama), 1),
    ] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes").join(file);
        let scene = load::file(&path, &load::Limits::default()).unwrap();
        let frames = [0.5, 1.0].map(|time| {
            let frame = animate::frame(&scene, Default::default(), time).unwrap();
            let camera = frame.cameras.first().cloned();
            let camera = camera.unwrap_or_else(|| animate::camera(&scene, &frame, 4.0 / 3.0));
            (frame, camera)
        });
        let options = Options { environment, samples, ..Options::new(32, 24) };
        let (kinds, found) = check(&scene, &options, &frames);
        assert!(kinds.is_empty(), "{file}:\n{found}");
    }
}

/// Paths through our scenes do nothing undefined either.
#[test]
fn paths_are_silent() {
    for file in ["lantern.glb", "snail.gltf", "tabletop.glb"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes").join(file);
        let scene = load::file(&path, &load::Limits::default()).unwrap();
        let frame = animate::frame(&scene, Default::default(), 0.5).unwrap();
        let session = Arc::new(Session::default());
        let device = DeviceOptions { watch: Some(check::watching(&session)), ..DeviceOptions::default() };
        let device = Device::new(device).unwrap();
        let draw = Options { draft_environment: true, ..Options::new(8, 6) };
        let options = trace::Options { draw, ..trace::Options::new(1, 1) };
        let mut tracer = Tracer::new(&device, &scene, &options).unwrap();
        let camera = frame.cameras.first().cloned();
        let camera = camera.unwrap_or_else(|| animate::camera(&scene, &frame, 4.0 / 3.0));
        tracer.begin(&frame, &camera).unwrap();
        tracer.add(0..1, |_| true).unwrap();
        tracer.picture().unwrap();
        let mut found = session.reports.take();
        found.retain(|r| r.level > Level::Note);
        assert!(found.is_empty(), "{file}:\n{}", words::all(&found, &Sources::default()));
    }
}

/// Thin films, anisotropy, specular-glossiness, dispersion, and transparent backgrounds, drawn and path-traced.
#[test]
fn further_materials_are_silent() {
    let anisotropy = Anisotropy { strength: 0.7, rotation: 0.5, texture: None };
    let iridescence = Iridescence { factor: 0.8, ..Iridescence::default() };
    let specular = Vec3::new(0.8, 0.5, 0.3);
    let glossy = SpecularGlossiness { specular, glossiness: 0.6, texture: None };
    let volume = Volume { thickness: 0.5, ..Volume::default() };
    let materials = vec![
        Material { anisotropy, iridescence: iridescence.clone(), roughness: 0.4, ..Material::default() },
        Material { specular_glossiness: Some(glossy), iridescence, ..Material::default() },
        Material { transmission: 1.0, dispersion: 1.0, volume, metallic: 0.0, ..Material::default() },
    ];
    let scene = common::scene((0..3).map(common::sphere).collect(), materials);
    let place = |i: usize| {
        (i, Mat4::from_translation(Vec3::X * (i as f32 - 1.0) * 0.6) * Mat4::from_scale(Vec3::splat(0.5)))
    };
    let lamp = common::light(LightKind::Point, Vec3::new(1.0, 1.0, 2.0), Vec3::NEG_Z);
    let frame = common::frame(&[0, 1, 2].map(place), vec![lamp]);
    let camera = common::flat_camera();
    let options = Options { transparent: true, ..Options::new(24, 16) };
    let (kinds, found) = check(&scene, &options, &[(frame.clone(), camera.clone())]);
    assert!(kinds.is_empty(), "drawn:\n{found}");

    let session = Arc::new(Session::default());
    let device = DeviceOptions { watch: Some(check::watching(&session)), ..DeviceOptions::default() };
    let device = Device::new(device).unwrap();
    let draw = Options { draft_environment: true, transparent: true, ..Options::new(8, 6) };
    let options = trace::Options { draw, ..trace::Options::new(1, 1) };
    let mut tracer = Tracer::new(&device, &scene, &options).unwrap();
    tracer.begin(&frame, &camera).unwrap();
    tracer.add(0..1, |_| true).unwrap();
    tracer.exr().unwrap();
    let mut found = session.reports.take();
    found.retain(|r| r.level > Level::Note);
    assert!(found.is_empty(), "traced:\n{}", words::all(&found, &Sources::default()));
}

/// Loading refuses files with joints that do not exist. Scenes made by hand are not validated, so checks must find the
/// mistake.
#[test]
fn mistakes_of_scenes_are_found() {
    let mut square = common::square(0);
    let influences = Influences { joints: vec![[60_000, 0, 0, 0]; 4], weights: vec![Vec4::X; 4] };
    square.influences = vec![influences];
    let scene = common::scene(vec![square], vec![Material::default()]);
    let mut frame = common::frame(&[(0, Mat4::IDENTITY)], Vec::new());
    (frame.joints, frame.draws[0].joints) = (vec![Mat4::IDENTITY], Some(0..1));
    let (kinds, found) = check(&scene, &Options::new(8, 8), &[(frame, common::flat_camera())]);
    assert!(kinds.contains(&Kind::BufferOutOfBounds), "{found}");
}
