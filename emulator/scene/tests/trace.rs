//! Path tracing compared with closed forms: white furnaces, direct light of points and of surfaces, refraction; with the
//! rasterizing renderer; and with itself, for other numbers of threads and for samples in several ranges.

use std::f32::consts::PI;

use crate::common::{
    dark, device, draw, flat_camera, frame, light, light_at, scene, sphere, square, texture,
};
use glam::{Mat4, Quat, Vec3, Vec4};
use quadrille::{Device, DeviceOptions};
use quadrille_scene::draw::{self, Environment, Picture};
use quadrille_scene::frame::{Frame, PlacedCamera};
use quadrille_scene::model::{
    AlphaMode, Clearcoat, LightKind, Material, Panorama, Primitive, Sampler, Scene, Sheen, Specular,
    TextureRef, Volume,
};
use quadrille_scene::trace::{Options, Sums, Tracer};

fn traced(scene: &Scene, options: &Options, frame: &Frame, camera: &PlacedCamera, samples: u32) -> Picture {
    let mut tracer = Tracer::new(device(), scene, options).unwrap();
    tracer.begin(frame, camera).unwrap();
    assert_eq!(tracer.add(0..samples, |_| true).unwrap(), samples);
    tracer.picture().unwrap()
}

fn options(draw: draw::Options) -> Options {
    Options { draw, ..Options::new(1, 1) }
}

/// Options with uniform light around.
fn white(width: u32, height: u32) -> Options {
    let environment = Environment::Uniform([1.0; 3]);
    options(draw::Options { environment, ..draw::Options::new(width, height) })
}

/// A camera that sees from -1 to 1, turned by an angle around the vertical axis.
fn turned_camera(angle: f32) -> PlacedCamera {
    let mut camera = flat_camera();
    camera.world = Mat4::from_rotation_y(angle) * camera.world;
    camera
}

/// Mean light of the rows of a picture from one to another.
fn mean(picture: &Picture, rows: std::ops::Range<u32>) -> Vec3 {
    let sum: Vec3 = rows.clone().flat_map(|y| (0..picture.width).map(move |x| light_at(picture, x, y))).sum();
    sum / (rows.len() as u32 * picture.width) as f32
}

/// A diffuse surface without reflection.
fn matt(color: Vec3) -> Material {
    let specular = Specular { factor: 0.0, ..Specular::default() };
    Material { base_color: color.extend(1.0), metallic: 0.0, specular, ..Material::default() }
}

fn rough(metallic: f32, roughness: f32) -> Material {
    Material { metallic, roughness, ..Material::default() }
}

/// A cuboid from -1 to 1.
fn cuboid(material: usize) -> Primitive {
    let mut p = Primitive { material, ..Primitive::default() };
    let (mut normals, mut indices) = (Vec::new(), Vec::new());
    let turns = [
        Quat::IDENTITY,
        Quat::from_rotation_y(PI),
        Quat::from_rotation_y(0.5 * PI),
        Quat::from_rotation_y(-0.5 * PI),
        Quat::from_rotation_x(0.5 * PI),
        Quat::from_rotation_x(-0.5 * PI),
    ];
    for turn in turns {
        let first = p.positions.len() as u32;
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
            p.positions.push(turn * Vec3::new(x, y, 1.0));
            normals.push(turn * Vec3::Z);
        }
        indices.extend([0, 1, 2, 0, 2, 3].map(|i| first + i));
    }
    p.normals = Some(normals);
    p.indices = Some(indices);
    p
}

/// Traces horizontal stripes of these materials in uniform light, and returns the mean light of each.
fn in_furnace(materials: &[Material], angle: f32) -> Vec<Vec3> {
    of_stripes(materials, &white(16, 4 * materials.len() as u32), angle)
}

/// Traces horizontal stripes of these materials with 4 rows of pixels each, and returns the mean light of each.
fn of_stripes(materials: &[Material], options: &Options, angle: f32) -> Vec<Vec3> {
    let n = materials.len();
    let stripe = |i: usize| {
        let middle = 1.0 - (2 * i + 1) as f32 / n as f32;
        Mat4::from_translation(Vec3::new(0.0, middle, 0.0))
            * Mat4::from_scale(Vec3::new(20.0, 1.0 / n as f32, 1.0))
    };
    let draws: Vec<(usize, Mat4)> = (0..n).map(|i| (i, stripe(i))).collect();
    let scene = scene((0..n).map(square).collect(), materials.to_vec());
    let picture = traced(&scene, options, &frame(&draws, Vec::new()), &turned_camera(angle), 128);
    (0..n as u32).map(|i| mean(&picture, 4 * i..4 * i + 4)).collect()
}

#[test]
fn white_furnaces_stay_white() {
    let coat = Clearcoat { factor: 1.0, roughness: 0.3, ..Clearcoat::default() };
    let sheen = Sheen { color: Vec3::ONE, roughness: 0.5, ..Sheen::default() };
    let glass = Material { transmission: 1.0, ..rough(0.0, 0.3) };
    let blend =
        Material { base_color: Vec4::new(1.0, 1.0, 1.0, 0.4), alpha: AlphaMode::Blend, ..rough(0.0, 0.5) };
    let mut materials = vec![matt(Vec3::ONE)];
    materials.extend([0.0, 0.3, 0.6, 1.0].map(|r| rough(0.0, r)));
    materials.extend([0.0, 0.3, 0.6, 1.0].map(|r| rough(1.0, r)));
    materials.extend([
        rough(0.5, 0.5),
        Material { clearcoat: coat, ..rough(0.0, 0.5) },
        Material { sheen, ..rough(0.0, 0.7) },
        glass.clone(),
        Material { transmission: 0.5, roughness: 0.0, ..glass },
        blend,
    ]);
    for angle in [0.0, 1.1] {
        for (i, seen) in in_furnace(&materials, angle).into_iter().enumerate() {
            assert!((seen - Vec3::ONE).abs().max_element() < 0.012, "material {i} at {angle}: {seen}");
        }
    }
}

/// A thin wall reflects light from around, and lets that of the background through: of white light, one or the other.
#[test]
fn walls_show_the_background_instead_of_the_environment() {
    let walls = [0.0, 0.5, 1.0].map(|roughness| Material { transmission: 1.0, ..rough(0.0, roughness) });
    let (mut around, mut behind) = (white(16, 12), options(dark(16, 12)));
    around.draw.background = Some([0.0; 3]);
    behind.draw.background = Some([1.0; 3]);
    for angle in [0.0, 1.1] {
        let [reflected, passed] = [&around, &behind].map(|options| of_stripes(&walls, options, angle));
        for (i, (reflected, passed)) in reflected.into_iter().zip(passed).enumerate() {
            let off = (reflected + passed - Vec3::ONE).abs().max_element();
            assert!(off < 0.015, "wall {i} at {angle}: {reflected} and {passed}");
        }
    }
}

/// Solid glass, smooth and rough, and a panorama of one colour.
#[test]
fn glass_in_a_furnace_is_invisible() {
    let volume = Volume { thickness: 1.0, ..Volume::default() };
    let panorama = Panorama { width: 8, height: 4, texels: vec![[1.0; 3]; 32] };
    for (roughness, tolerance) in [(0.0, 0.006), (0.4, 0.01)] {
        let glass = Material { transmission: 1.0, volume: volume.clone(), ..rough(0.0, roughness) };
        let scene = scene(vec![cuboid(0)], vec![glass]);
        let place =
            Mat4::from_rotation_x(0.5) * Mat4::from_rotation_y(0.4) * Mat4::from_scale(Vec3::splat(0.6));
        let mut options = white(24, 24);
        options.draw.environment = Environment::Panorama(panorama.clone());
        let picture = traced(&scene, &options, &frame(&[(0, place)], Vec::new()), &flat_camera(), 64);
        let seen = mean(&picture, 4..20);
        assert!((seen - Vec3::ONE).abs().max_element() < tolerance, "roughness {roughness}: {seen}");
    }
}

/// White lines, one texel of four high, between 45 degrees below and above the horizon: cells of the environment have 32
/// rows and are sampled at every fourth one. A wall sees 0.818 of its light, by the cosine, between these angles.
#[test]
fn light_between_the_points_of_cells_counts() {
    let (width, height) = (8, 16384);
    let lines = |y: u32| y.is_multiple_of(4) && (height / 4..height / 4 * 3).contains(&y);
    let texels = (0..width * height).map(|i| [if lines(i / width) { 1.0 } else { 0.0 }; 3]).collect();
    let mut options = white(16, 4);
    options.draw.environment = Environment::Panorama(Panorama { width, height, texels });
    let seen = of_stripes(&[matt(Vec3::ONE)], &options, 0.0)[0];
    assert!((seen - Vec3::splat(0.25 * 0.818)).abs().max_element() < 0.03, "{seen}");
}

const COLOR: Vec3 = Vec3::new(0.8, 0.4, 0.1);

/// Position of a pixel's centre on the plane at z = 0.
fn place(side: u32, x: u32, y: u32) -> Vec3 {
    let at = |i: u32| (2.0 * i as f32 + 1.0) / side as f32 - 1.0;
    Vec3::new(at(x), -at(y), 0.0)
}

#[test]
fn a_point_light_falls_off_with_the_square() {
    let position = Vec3::new(0.25, -0.5, 1.5);
    let mut point = light(LightKind::Point, position, Vec3::NEG_Z);
    point.light.intensity = 3.0;
    let scene = scene(vec![square(0)], vec![matt(COLOR)]);
    let frame = frame(&[(0, Mat4::IDENTITY)], vec![point]);
    let picture = traced(&scene, &options(dark(64, 64)), &frame, &flat_camera(), 4);
    for (x, y) in [(4, 6), (32, 32), (60, 18)] {
        let way = position - place(64, x, y);
        let wanted = COLOR * (3.0 * way.normalize().z / way.length_squared() / PI);
        let got = light_at(&picture, x, y);
        assert!((got - wanted).abs().max_element() < 0.02 * wanted.max_element(), "{got}, not {wanted}");
    }
}

/// Part of the light of a rectangle of half sides `a`, `b` at distance `h` that a parallel surface below its middle
/// receives. Siegel and Howell, "Thermal Radiation Heat Transfer": four times the factor of a corner.
fn form_factor(a: f32, b: f32, h: f32) -> f32 {
    let (x, y) = (a / h, b / h);
    let (p, q) = ((1.0 + x * x).sqrt(), (1.0 + y * y).sqrt());
    2.0 / PI * (x / p * (y / p).atan() + y / q * (x / q).atan())
}

#[test]
fn surfaces_that_emit_light_others() {
    let lamp = Material { emissive: Vec3::new(5.0, 4.0, 3.0), ..matt(Vec3::ZERO) };
    let mut options = options(dark(8, 8));
    options.max_bounces = Some(0);
    // The camera sees a small part of the floor from the side; the lamp shines downwards.
    let mut camera = turned_camera(1.2);
    if let quadrille_scene::model::Projection::Orthographic { xmag, ymag, .. } = &mut camera.camera.projection
    {
        (*xmag, *ymag) = (0.01, 0.01);
    }
    let floor = (0, Mat4::from_scale(Vec3::splat(3.0)));
    let rectangle = Mat4::from_translation(Vec3::Z)
        * Mat4::from_rotation_x(PI)
        * Mat4::from_scale(Vec3::new(0.5, 0.8, 1.0));
    let ball = Mat4::from_translation(Vec3::Z * 2.0) * Mat4::from_scale(Vec3::splat(0.5));
    let shapes = [(square(1), rectangle, form_factor(0.5, 0.8, 1.0)), (sphere(1), ball, 0.25 * 0.25)];
    for (i, (shape, place, factor)) in shapes.into_iter().enumerate() {
        let scene = scene(vec![square(0), shape], vec![matt(COLOR), lamp.clone()]);
        let picture = traced(&scene, &options, &frame(&[floor, (1, place)], Vec::new()), &camera, 128);
        let (seen, wanted) = (mean(&picture, 0..8), COLOR * lamp.emissive * factor);
        let tolerance = 0.015 * wanted.max_element();
        assert!((seen - wanted).abs().max_element() < tolerance, "shape {i}: {seen}, not {wanted}");
    }
}

/// A lamp, glass, a mirror, a texture with holes, a sky.
fn still_life() -> (Scene, Frame) {
    let volume = Volume {
        thickness: 1.0,
        attenuation_distance: Some(0.5),
        attenuation_color: Vec3::new(0.9, 0.5, 0.2),
        ..Volume::default()
    };
    let glass = Material { transmission: 1.0, volume, ..rough(0.0, 0.1) };
    let lamp = Material { emissive: Vec3::splat(8.0), double_sided: true, ..matt(Vec3::ZERO) };
    let shapes = vec![square(0), sphere(1), sphere(2), square(3), square(4)];
    let mut scene = scene(
        shapes,
        vec![matt(COLOR), glass, rough(1.0, 0.2), lamp, Material { double_sided: true, ..rough(0.0, 0.5) }],
    );
    let texels = [[255, 0, 0, 255], [0, 255, 0, 0], [0, 0, 255, 0], [255, 255, 0, 255]];
    let holes = texture(&mut scene, 2, &texels, Sampler::default());
    let whole = TextureRef {
        texture: holes,
        uv_set: 0,
        offset: glam::Vec2::ZERO,
        rotation: 0.3,
        scale: glam::Vec2::splat(3.0),
    };
    scene.materials[4].base_color_texture = Some(whole);
    scene.materials[4].alpha = AlphaMode::Mask { cutoff: 0.5 };
    let at = |x, y, z, s| Mat4::from_translation(Vec3::new(x, y, z)) * Mat4::from_scale(Vec3::splat(s));
    let lamp_at = at(0.0, 0.8, 1.0, 0.2) * Mat4::from_rotation_x(1.5);
    let draws = [
        (0, at(0.0, 0.0, 0.0, 1.0)),
        (1, at(-0.4, 0.0, 0.5, 0.3)),
        (2, at(0.4, 0.2, 0.4, 0.3)),
        (3, lamp_at),
        (4, at(0.0, -0.6, 0.6, 0.3)),
    ];
    let sun = light(LightKind::Directional, Vec3::ZERO, Vec3::new(0.3, -0.5, -0.8).normalize());
    (scene, frame(&draws, vec![sun]))
}

#[test]
fn threads_and_ranges_give_the_same_bytes() {
    let (scene, frame) = still_life();
    let options = Options::new(70, 20);
    let of = |threads: usize, ranges: &[std::ops::Range<u32>]| {
        let device = Device::new(DeviceOptions { threads, ..DeviceOptions::default() }).unwrap();
        let mut tracer = Tracer::new(&device, &scene, &options).unwrap();
        let mut all: Option<Sums> = None;
        for range in ranges {
            tracer.begin(&frame, &flat_camera()).unwrap();
            tracer.add(range.clone(), |_| true).unwrap();
            let sums = Sums::from_bytes(&tracer.sums().unwrap().to_bytes()).unwrap();
            match &mut all {
                Some(all) => all.add(&sums).unwrap(),
                none => *none = Some(sums),
            }
        }
        tracer.clear().unwrap();
        tracer.add_sums(&all.unwrap()).unwrap();
        let picture = tracer.picture().unwrap();
        (tracer.sums().unwrap(), picture.pixels, tracer.exr().unwrap())
    };
    let whole = 0..7;
    let whole = std::slice::from_ref(&whole);
    let one = of(1, whole);
    assert!(one.1.chunks_exact(4).any(|p| p != &one.1[..4]), "a single colour");
    assert!(one == of(3, whole), "three threads");
    assert!(one == of(2, &[4..7, 0..1, 1..4]), "three ranges");
}

#[test]
fn sums_of_other_pictures_and_of_the_same_samples_are_refused() {
    let (scene, still) = still_life();
    let device = Device::new(DeviceOptions::default()).unwrap();
    let of_frame = |options: &Options, scene: &Scene, frame: &Frame, range: std::ops::Range<u32>| {
        let mut tracer = Tracer::new(&device, scene, options).unwrap();
        tracer.begin(frame, &flat_camera()).unwrap();
        tracer.add(range, |_| true).unwrap();
        tracer.sums().unwrap()
    };
    let of = |options: &Options, scene: &Scene, range| of_frame(options, scene, &still, range);
    let options = Options::new(8, 8);
    let sums = of(&options, &scene, 0..2);
    let refused = |other: &Sums| sums.clone().add(other).unwrap_err().to_string();
    assert!(refused(&of(&options, &scene, 1..3)).contains("samples 1..2 would count twice"));
    let mut light = options.clone();
    light.draw.environment_intensity = 2.0;
    let mut repainted = scene.clone();
    repainted.materials[0].base_color[0] *= 0.5;
    // The bounds of the scene stay as they are.
    let mut moved = still.clone();
    moved.draws[1].world *= Mat4::from_translation(Vec3::X * 0.1);
    let moved = of_frame(&options, &scene, &moved, 2..3);
    for other in [of(&light, &scene, 2..3), of(&options, &repainted, 2..3), moved] {
        assert!(refused(&other).contains("of another picture"));
    }
    // Light of one colour from everywhere, as one colour or as a panorama.
    let around = |environment| {
        let draw = draw::Options { environment, draft_environment: true, ..draw::Options::new(8, 8) };
        self::options(draw)
    };
    let panorama = |color| Environment::Panorama(Panorama { width: 2, height: 1, texels: vec![color; 2] });
    for of_color in [&Environment::Uniform as &dyn Fn([f32; 3]) -> Environment, &panorama] {
        let [red, blue] = [[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]].map(|color| around(of_color(color)));
        let mut red = of(&red, &scene, 0..1);
        assert!(red.add(&of(&blue, &scene, 1..2)).unwrap_err().to_string().contains("of another picture"));
    }
    sums.clone().add(&of(&options, &scene, 2..3)).unwrap();
    // Samples do not depend on the exposure.
    let mut exposed = options.clone();
    exposed.draw.exposure = 2.0;
    sums.clone().add(&of(&exposed, &scene, 2..3)).unwrap();
    let mut tracer = Tracer::new(&device, &scene, &options).unwrap();
    tracer.begin(&still, &flat_camera()).unwrap();
    tracer.add(0..2, |_| true).unwrap();
    assert!(tracer.add(1..4, |_| true).is_err());
    assert!(tracer.add_sums(&sums).is_err());
    assert_eq!(tracer.sums().unwrap(), sums);
}

#[test]
fn the_interpreter_traces_the_same_paths() {
    let (scene, frame) = still_life();
    let of = |interp| {
        let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() }).unwrap();
        let draw = draw::Options { draft_environment: true, ..draw::Options::new(8, 4) };
        let mut tracer = Tracer::new(&device, &scene, &options(draw)).unwrap();
        tracer.begin(&frame, &flat_camera()).unwrap();
        tracer.add(0..1, |_| true).unwrap();
        tracer.sums().unwrap()
    };
    assert!(of(false) == of(true));
}

/// Diffuse surfaces under one light, without light between them.
#[test]
fn direct_light_is_that_of_drawings() {
    let towards = Vec3::new(0.4, -0.3, -0.8).normalize();
    let frame = frame(
        &[(0, Mat4::IDENTITY), (1, Mat4::from_scale(Vec3::splat(0.4)))],
        vec![light(LightKind::Directional, Vec3::ZERO, towards)],
    );
    let mut frame = frame;
    frame.bounds = Some((Vec3::new(-1.0, -1.0, -0.4), Vec3::new(1.0, 1.0, 0.4)));
    let scene = scene(vec![square(0), sphere(1)], vec![matt(COLOR), matt(Vec3::ONE)]);
    let drawn = draw(&scene, &draw::Options { samples: 16, ..dark(64, 64) }, &frame, &flat_camera());
    let mut options = options(dark(64, 64));
    options.max_bounces = Some(0);
    let seen = traced(&scene, &options, &frame, &flat_camera(), 16);
    let mut far = 0;
    let mut difference = Vec3::ZERO;
    for y in 0..64 {
        for x in 0..64 {
            let (a, b) = (light_at(&drawn, x, y), light_at(&seen, x, y));
            difference += a - b;
            far += u32::from((a - b).abs().max_element() > 0.02);
        }
    }
    // Pixels at the edges of the sphere and of its shadow differ.
    assert!(far < 300, "{far} pixels differ");
    assert!((difference / 4096.0).abs().max_element() < 0.003, "{}", difference / 4096.0);
}

/// A slab moves what is behind it aside by d sin(a) (1 - cos(a) / sqrt(n^2 - sin^2(a))).
#[test]
fn a_slab_moves_what_is_behind() {
    let (angle, depth, index) = (0.8f32, 0.5, 1.5f32);
    let paint = |color: Vec3| Material { unlit: true, base_color: color.extend(1.0), ..Material::default() };
    let glass = Material {
        transmission: 1.0,
        volume: Volume { thickness: 1.0, ..Volume::default() },
        ..rough(0.0, 0.0)
    };
    let scene = scene(vec![cuboid(0), square(1), square(2)], vec![glass, paint(Vec3::X), paint(Vec3::Y)]);
    let half = |x: f32| {
        Mat4::from_translation(Vec3::new(x, 0.0, -2.0)) * Mat4::from_scale(Vec3::new(10.0, 30.0, 1.0))
    };
    let slab = Mat4::from_scale(Vec3::new(30.0, 30.0, 0.5 * depth));
    // Place of the border between both colours in the picture, from -1 at the left to 1 at the right.
    let border = |draws: &[(usize, Mat4)]| {
        let mut camera = turned_camera(angle);
        let beyond = camera.world * Vec4::new(0.0, 0.0, -1.0, 0.0);
        // The middle of the view, without the slab, is the border.
        if let quadrille_scene::model::Projection::Orthographic { ymag, .. } = &mut camera.camera.projection {
            *ymag = 0.125;
        }
        let back = Vec3::new(0.0, 0.0, -2.0) - beyond.truncate() * 20.0;
        camera.world.w_axis = back.extend(1.0);
        let picture = traced(&scene, &options(dark(32, 4)), &frame(draws, Vec::new()), &camera, 64);
        let sum = picture
            .pixels
            .chunks_exact(4)
            .zip(&picture.light)
            .fold(Vec4::ZERO, |sum, (_, l)| sum + Vec4::from_array(*l));
        2.0 * sum.x / (sum.x + sum.y) - 1.0
    };
    let bare = border(&[(1, half(-10.0)), (2, half(10.0))]);
    assert!(bare.abs() < 0.01, "{bare}");
    let moved = border(&[(0, slab), (1, half(-10.0)), (2, half(10.0))]);
    let (sin, cos) = (angle.sin(), angle.cos());
    let wanted = depth * sin * (1.0 - cos / (index * index - sin * sin).sqrt());
    assert!((moved.abs() - wanted).abs() < 0.015, "{moved}, not {wanted}");
}

/// Light that passes a slab straight: (1 - F)^2 a / (1 - F^2 a^2), where a is left of it after the way through.
#[test]
fn a_slab_absorbs() {
    let volume = Volume {
        thickness: 1.0,
        attenuation_distance: Some(1.0),
        attenuation_color: Vec3::new(0.5, 0.9, 0.1),
        ..Volume::default()
    };
    let glass = Material { transmission: 1.0, volume, ..rough(0.0, 0.0) };
    let paint = Material { unlit: true, ..Material::default() };
    let scene = scene(vec![cuboid(0), square(1)], vec![glass, paint]);
    let draws = [
        (0, Mat4::from_scale(Vec3::new(30.0, 30.0, 0.75))),
        (1, Mat4::from_translation(Vec3::Z * -3.0) * Mat4::from_scale(Vec3::splat(30.0))),
    ];
    let picture = traced(&scene, &options(dark(16, 16)), &frame(&draws, Vec::new()), &flat_camera(), 128);
    let left = Vec3::new(0.5f32.powf(1.5), 0.9f32.powf(1.5), 0.1f32.powf(1.5));
    let f = 0.04;
    let wanted = left.map(|a| (1.0 - f) * (1.0 - f) * a / (1.0 - f * f * a * a));
    let seen = mean(&picture, 0..16);
    assert!((seen - wanted).abs().max_element() < 0.01, "{seen}, not {wanted}");
}

/// A lamp or a point of light below a pane that absorbs to the floor: light is left of all of its way to the pane.
#[test]
fn a_volume_absorbs_the_light_of_what_is_inside() {
    let color = Vec3::new(0.5, 0.9, 0.1);
    let volume = Volume {
        thickness: 1.0,
        attenuation_distance: Some(1.0),
        attenuation_color: color,
        ..Volume::default()
    };
    // With an index of 1 the pane neither reflects nor refracts.
    let pane = Material { transmission: 1.0, volume, ior: 1.0, ..rough(0.0, 0.0) };
    let (position, half, emitted, intensity) = (Vec3::new(0.25, -0.5, 0.75), 0.03, 400.0, 3.0);
    let lamp = Material { emissive: Vec3::splat(emitted), ..matt(Vec3::ZERO) };
    let scene = scene(vec![square(0), square(1), square(2)], vec![matt(COLOR), pane, lamp]);
    let draws = [
        (0, Mat4::from_scale(Vec3::splat(3.0))),
        (1, Mat4::from_translation(Vec3::Z) * Mat4::from_scale(Vec3::new(30.0, 30.0, 1.0))),
        (
            2,
            Mat4::from_translation(position)
                * Mat4::from_rotation_x(PI)
                * Mat4::from_scale(Vec3::new(half, half, 1.0)),
        ),
    ];
    let mut point = light(LightKind::Point, position, Vec3::NEG_Z);
    point.light.intensity = intensity;
    let mut options = options(dark(64, 64));
    options.max_bounces = Some(1);
    for (i, frame) in [frame(&draws, Vec::new()), frame(&draws[..2], vec![point])].iter().enumerate() {
        let picture = traced(&scene, &options, frame, &flat_camera(), 16);
        for (x, y) in [(4, 6), (32, 32), (60, 18)] {
            let way = position - place(64, x, y);
            let (distance, cosine) = (way.length(), way.normalize().z);
            let strength = [emitted * 4.0 * half * half * cosine, intensity][i];
            let left = color.map(|c| c.powf(distance + 1.0));
            let wanted = COLOR * left * (strength * cosine / (distance * distance) / PI);
            let off = (light_at(&picture, x, y) - wanted).abs().max_element();
            assert!(off < 0.03 * wanted.max_element(), "source {i} at {x}, {y}: off by {off} of {wanted}");
        }
    }
}

#[test]
fn wrong_options_are_refused() {
    let scene = scene(vec![square(0)], vec![Material::default()]);
    let refused = |change: fn(&mut Options)| {
        let mut options = Options::new(8, 8);
        change(&mut options);
        Tracer::new(device(), &scene, &options).map(drop).unwrap_err().to_string()
    };
    assert!(refused(|o| o.aperture = -1.0).contains("aperture"));
    assert!(refused(|o| o.focus = Some(0.0)).contains("focal distance"));
    assert!(refused(|o| (o.draw.width, o.draw.height) = (8192, 8192)).contains("pixels"));
    let mut tracer = Tracer::new(device(), &scene, &Options::new(8, 8)).unwrap();
    let other = frame(&[(3, Mat4::IDENTITY)], Vec::new());
    assert!(tracer.begin(&other, &flat_camera()).unwrap_err().to_string().contains("another scene"));
}
