//! Transparent backgrounds, drawn and path-traced, and the layers of path-traced files.

use std::io::Cursor;

use crate::common::{self, dark, device, draw, flat_camera, frame, scene, square};
use exr::prelude::{FlatSamples, ReadChannels, ReadLayers};
use glam::{Mat4, Vec3, Vec4};
use quadrille_scene::draw::{Options, Picture};
use quadrille_scene::frame::Frame;
use quadrille_scene::model::{AlphaMode, Material, Node, Scene};
use quadrille_scene::trace::{self, Tracer};

fn traced<T>(
    scene: &Scene,
    options: &Options,
    frame: &Frame,
    samples: u32,
    of: impl Fn(&Tracer<'_>) -> T,
) -> T {
    let draw = Options { draft_environment: true, ..options.clone() };
    let options = trace::Options { draw, ..trace::Options::new(1, 1) };
    let mut tracer = Tracer::new(device(), scene, &options).unwrap();
    tracer.begin(frame, &flat_camera()).unwrap();
    tracer.add(0..samples, |_| true).unwrap();
    of(&tracer)
}

fn paint(color: Vec3, alpha: f32) -> Material {
    let mode = if alpha < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
    Material { unlit: true, base_color: color.extend(alpha), alpha: mode, ..Material::default() }
}

/// An opaque orange square at the left, a blue one with coverage 0.25 in the middle, nothing at the right.
fn squares() -> (Scene, Frame) {
    let orange = Vec3::new(1.0, 0.5, 0.0);
    let scene = scene(vec![square(0), square(1)], vec![paint(orange, 1.0), paint(Vec3::Z, 0.25)]);
    let third = |i: f32| {
        Mat4::from_translation(Vec3::new(-2.0 / 3.0 + i * 2.0 / 3.0, 0.0, 0.0))
            * Mat4::from_scale(Vec3::new(1.0 / 3.0, 2.0, 1.0))
    };
    let frame = frame(&[(0, third(0.0)), (1, third(1.0))], Vec::new());
    (scene, frame)
}

fn pixel(picture: &Picture, x: usize) -> ([u8; 4], Vec4) {
    let i = 4 * picture.width as usize + x;
    (picture.pixels[4 * i..4 * i + 4].try_into().unwrap(), Vec4::from_array(picture.light[i]))
}

/// Pixels are not premultiplied; light is.
#[test]
fn what_is_behind_a_scene_is_transparent() {
    let (scene, frame) = squares();
    let transparent = |samples| Options { samples, transparent: true, exposure: 2.0, ..Options::new(24, 8) };
    for samples in [1, 4] {
        let picture = draw(&scene, &transparent(samples), &frame, &flat_camera_of(3.0));
        assert_eq!(pixel(&picture, 3), ([255, 188, 0, 255], Vec4::new(1.0, 0.5, 0.0, 1.0)));
        let (shown, light) = pixel(&picture, 12);
        assert_eq!(shown, [0, 0, 255, 64]);
        assert!((light - Vec4::new(0.0, 0.0, 0.25, 0.25)).abs().max_element() < 1e-5, "{light}");
        assert_eq!(pixel(&picture, 21), ([0; 4], Vec4::ZERO));
        // Other pictures have no alpha.
        let opaque = Options { samples, ..dark(24, 8) };
        assert_eq!(pixel(&draw(&scene, &opaque, &frame, &flat_camera_of(3.0)), 21).0[3], 255);
    }
}

/// The flat camera, for pictures whose width is this multiple of their height.
fn flat_camera_of(aspect: f32) -> quadrille_scene::frame::PlacedCamera {
    let mut camera = flat_camera();
    if let quadrille_scene::model::Projection::Orthographic { ymag, .. } = &mut camera.camera.projection {
        *ymag = 1.0 / aspect;
    }
    camera
}

/// Opaque surfaces and nothing are exact; coverage is decided at random.
#[test]
fn paths_leave_out_what_is_behind() {
    let (scene, frame) = squares();
    let options = Options { transparent: true, ..Options::new(24, 24) };
    let picture = traced(&scene, &options, &frame, 64, |t| t.picture().unwrap());
    assert_eq!(pixel(&picture, 3), ([255, 188, 0, 255], Vec4::new(1.0, 0.5, 0.0, 1.0)));
    assert_eq!(pixel(&picture, 21), ([0; 4], Vec4::ZERO));
    let (shown, light) = pixel(&picture, 12);
    assert!(
        shown[..3] == [0, 0, 255] && (light.w - 0.25).abs() < 0.2 && light.z == light.w,
        "{shown:?} {light}"
    );
    // A thin wall lets the background through: what it does not reflect is transparent.
    let glass = Material { transmission: 1.0, metallic: 0.0, roughness: 0.0, ..Material::default() };
    let (scene, frame) =
        (common::scene(vec![square(0)], vec![glass]), common::frame(&[(0, Mat4::IDENTITY)], Vec::new()));
    let options = Options { transparent: true, ..dark(8, 8) };
    let picture = traced(&scene, &options, &frame, 64, |t| t.picture().unwrap());
    let mean = picture.light.iter().map(|l| l[3]).sum::<f32>() / 64.0;
    assert!((mean - 0.04).abs() < 0.01, "{mean}");
}

/// Of a white background, a thin wall lets through what it does not cover, however rough it is.
#[test]
fn rough_walls_are_as_transparent_as_they_let_light_through() {
    for roughness in [0.0, 0.5, 1.0] {
        let wall = Material { transmission: 1.0, metallic: 0.0, roughness, ..Material::default() };
        let scene = scene(vec![square(0)], vec![wall]);
        let frame = frame(&[(0, Mat4::IDENTITY)], Vec::new());
        let mean = |options: Options, channel: usize| {
            let picture = traced(&scene, &options, &frame, 1024, |t| t.picture().unwrap());
            picture.light.iter().map(|light| light[channel]).sum::<f32>() / 64.0
        };
        let covered = mean(Options { transparent: true, ..dark(8, 8) }, 3);
        let passed = mean(Options { background: Some([1.0; 3]), ..dark(8, 8) }, 0);
        assert!((covered + passed - 1.0).abs() < 0.01, "roughness {roughness}: {covered} and {passed}");
    }
}

/// Names and samples of the channels of an OpenEXR file.
fn channels(bytes: Vec<u8>) -> Vec<(String, FlatSamples)> {
    let image = exr::prelude::read()
        .no_deep_data()
        .largest_resolution_level()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_buffered(Cursor::new(bytes))
        .unwrap();
    let list = image.layer_data.channel_data.list.into_iter();
    list.map(|channel| (channel.name.to_string(), channel.sample_data)).collect()
}

/// Integers of the ray through the middle of the pixel: the same for every part of the samples.
#[test]
fn objects_and_materials_have_layers() {
    let (mut scene, mut frame) = squares();
    // Node 5 is a copy of node 2.
    scene.nodes = vec![Node::default(); 6];
    scene.nodes[5].copy_of = Some(2);
    (frame.draws[0].node, frame.draws[1].node) = (4, 5);
    scene.materials[1].base_color.w = 0.75;
    for samples in [1, 3] {
        let bytes = traced(&scene, &Options::new(24, 24), &frame, samples, |t| t.exr().unwrap());
        let channels = channels(bytes);
        let of = |name: &str| {
            let (_, samples) = channels.iter().find(|(n, _)| n == name).unwrap_or_else(|| panic!("{name}"));
            let FlatSamples::U32(ids) = samples else { panic!("{name} is no integer") };
            [3, 12, 21].map(|x| ids[24 * 5 + x])
        };
        assert_eq!((of("object.id"), of("material.id")), ([5, 3, 0], [1, 2, 0]));
        assert_eq!(channels.len(), 3 + 3 + 3 + 1 + 2);
    }
}

/// Two walls meet in the middle column of pixels, at the depths 9 and 11: the depth of a pixel is one of them or between,
/// whatever part of their samples they cover.
#[test]
fn depths_are_between_those_of_what_is_there() {
    let wall = Material { transmission: 1.0, metallic: 0.0, roughness: 1.0, ..Material::default() };
    let scene = scene(vec![square(0)], vec![wall]);
    let at = |x: f32, z: f32| (0, Mat4::from_translation(Vec3::new(x, 0.0, z)));
    let frame = frame(&[at(-1.0, 1.0), at(1.0, -1.0)], Vec::new());
    for transparent in [true, false] {
        let options = Options { transparent, ..dark(33, 33) };
        let channels = channels(traced(&scene, &options, &frame, 2, |t| t.exr().unwrap()));
        let (_, depths) = channels.iter().find(|(name, _)| name == "depth.Z").unwrap();
        let FlatSamples::F32(depths) = depths else { panic!("depths are floats") };
        for (i, depth) in depths.iter().enumerate() {
            let expected = match i % 33 {
                0..16 => 9.0..=9.0,
                16 => 9.0..=11.0,
                _ => 11.0..=11.0,
            };
            let (least, most) = (expected.start() - 1e-4, expected.end() + 1e-4);
            assert!((least..=most).contains(depth), "{transparent}, pixel {i}: {depth}");
        }
    }
}
