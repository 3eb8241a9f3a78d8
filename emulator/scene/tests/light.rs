//! Punctual lights compared with closed forms, on a plane that faces the camera: KHR_lights_punctual, glTF 2.0,
//! appendix B. Also their shadows.

use std::f32::consts::{FRAC_1_SQRT_2, FRAC_PI_4, PI};

use crate::common::{dark, device, draw, flat_camera, frame, light, light_at, scene, sphere, square};
use glam::{Mat4, Vec3, Vec4};
use quadrille_scene::draw::{Environment, Options, Picture};
use quadrille_scene::frame::PlacedLight;
use quadrille_scene::model::{Light, LightKind, Material, Panorama, Specular};
use quadrille_scene::trace::{self, Tracer};

const SIDE: u32 = 32;
const COLOR: Vec3 = Vec3::new(0.8, 0.4, 0.1);

/// A rough material; without `specular`, it follows Lambert's law.
fn plane(specular: f32, metallic: f32) -> Material {
    let specular = Specular { factor: specular, ..Specular::default() };
    Material { base_color: COLOR.extend(1.0), metallic, roughness: 1.0, specular, ..Material::default() }
}

fn lit(material: Material, light: PlacedLight) -> Picture {
    let mut options = dark(SIDE, SIDE);
    options.shadows = false;
    let frame = frame(&[(0, Mat4::IDENTITY)], vec![light]);
    draw(&scene(vec![square(0)], vec![material]), &options, &frame, &flat_camera())
}

/// Position of a pixel's centre on the plane.
fn place(x: u32, y: u32) -> Vec3 {
    let at = |i: u32| (2.0 * i as f32 + 1.0) / SIDE as f32 - 1.0;
    Vec3::new(at(x), -at(y), 0.0)
}

#[track_caller]
fn near(got: Vec3, wanted: Vec3) {
    assert!((got - wanted).abs().max_element() <= 2e-4 * wanted.max_element() + 1e-6, "{got}, not {wanted}");
}

#[test]
fn a_directional_light_on_lamberts_plane() {
    for angle in [0.0f32, 0.5, 1.2] {
        let direction = Vec3::new(angle.sin(), 0.0, -angle.cos());
        let picture = lit(plane(0.0, 0.0), light(LightKind::Directional, Vec3::ZERO, direction));
        near(light_at(&picture, 3, 20), COLOR * angle.cos() / PI);
    }
}

/// For roughness 1, the distribution is 1 / pi and the visibility 1 / (2 (n_l + n_v)).
#[test]
fn a_directional_light_on_rough_dielectric_and_metal() {
    for angle in [0.0f32, 0.5, 1.2] {
        let direction = Vec3::new(angle.sin(), 0.0, -angle.cos());
        let (n_l, v_h) = (angle.cos(), (0.5 * angle).cos());
        let brdf = n_l / PI / (2.0 * (n_l + 1.0));
        let fresnel = |f0: Vec3| f0 + (Vec3::ONE - f0) * (1.0 - v_h).powi(5);
        let of = |metallic| {
            let picture = lit(plane(1.0, metallic), light(LightKind::Directional, Vec3::ZERO, direction));
            light_at(&picture, 8, 8)
        };
        let f = fresnel(Vec3::splat(0.04));
        near(of(0.0), (1.0 - f) * COLOR * n_l / PI + f * brdf);
        near(of(1.0), fresnel(COLOR) * brdf);
    }
}

#[test]
fn a_point_light_falls_off_with_the_square() {
    let position = Vec3::new(0.25, -0.5, 1.5);
    let mut point = light(LightKind::Point, position, Vec3::NEG_Z);
    point.light.intensity = 3.0;
    point.light.color = Vec3::new(1.0, 0.5, 0.25);
    let expected = |at: Vec3, window: f32| {
        let way = position - at;
        let cosine = way.normalize().z;
        COLOR * point.light.color * (3.0 * cosine / way.length_squared() / PI * window)
    };
    let picture = lit(plane(0.0, 0.0), point.clone());
    for (x, y) in [(2, 3), (16, 16), (30, 9)] {
        near(light_at(&picture, x, y), expected(place(x, y), 1.0));
    }
    // With a range, the light is multiplied by max(min(1 - (d / range)^4, 1), 0).
    let ranged = PlacedLight { light: Light { range: Some(2.0), ..point.light.clone() }, ..point.clone() };
    let picture = lit(plane(0.0, 0.0), ranged);
    for (x, y) in [(0, 0), (16, 16), (20, 24)] {
        let distance = (position - place(x, y)).length();
        near(
            light_at(&picture, x, y),
            expected(place(x, y), (1.0 - (distance / 2.0).powi(4)).clamp(0.0, 1.0)),
        );
    }
}

#[test]
fn a_spot_is_dark_beyond_its_cone() {
    let (inner, outer) = (0.3f32, 0.6f32);
    let position = Vec3::new(0.0, 0.0, 1.0);
    let picture = lit(plane(0.0, 0.0), light(LightKind::Spot { inner, outer }, position, Vec3::NEG_Z));
    let (mut full, mut between, mut none) = (0, 0, 0);
    for y in 0..SIDE {
        for x in 0..SIDE {
            let way = position - place(x, y);
            let cosine = way.normalize().z;
            let cone = ((cosine - outer.cos()) / (inner.cos() - outer.cos())).clamp(0.0, 1.0);
            near(light_at(&picture, x, y), COLOR * (cone * cone * cosine / way.length_squared() / PI));
            *(if cone == 1.0 {
                &mut full
            } else if cone == 0.0 {
                &mut none
            } else {
                &mut between
            }) += 1;
        }
    }
    assert!(full > 20 && between > 20 && none > 20, "{full} {between} {none}");
}

/// A small square above the plane, which does not hide its shadow from the camera.
fn with_occluder(placed: PlacedLight, shadows: bool) -> Picture {
    let mut options = dark(64, 64);
    options.shadows = shadows;
    let occluder = Mat4::from_translation(Vec3::new(-0.5, 0.0, 0.5)) * Mat4::from_scale(Vec3::splat(0.2));
    let mut frame = frame(&[(0, Mat4::IDENTITY), (1, occluder)], vec![placed]);
    frame.bounds = Some((Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.5)));
    let black = Material { base_color: Vec4::W, ..plane(0.0, 0.0) };
    let scene = scene(vec![square(0), square(1)], vec![plane(0.0, 0.0), black]);
    draw(&scene, &options, &frame, &flat_camera())
}

#[test]
fn shadows_fall_where_light_does_not() {
    // Each light shines from the upper left, so that the shadow of the square's middle falls on the plane's middle.
    let towards = Vec3::new(FRAC_1_SQRT_2, 0.0, -FRAC_1_SQRT_2);
    let position = Vec3::new(-1.5, 0.0, 1.5);
    let spot = LightKind::Spot { inner: 0.6, outer: FRAC_PI_4 };
    for kind in [LightKind::Directional, LightKind::Point, spot] {
        let picture = with_occluder(light(kind, position, towards), true);
        let open = with_occluder(light(kind, position, towards), false);
        // The shadow of parallel light reaches from -0.2 to 0.2, the other shadows from about -0.26 to 0.33.
        let mut shadow = 0;
        for y in 0..64 {
            for x in 0..64 {
                let (got, all) = (light_at(&picture, x, y).x, light_at(&open, x, y).x);
                assert!(got <= all + 1e-6, "{kind:?} {x} {y}");
                shadow += u32::from(got < 0.01 * all);
            }
        }
        assert!(light_at(&picture, 32, 32) == Vec3::ZERO, "{kind:?}");
        for (x, y) in [(32, 48), (32, 16), (50, 32), (60, 60)] {
            assert_eq!(
                light_at(&picture, x, y),
                light_at(&open, x, y),
                "{kind:?}: nothing is before {x}, {y}"
            );
        }
        let expected = if kind == LightKind::Directional { 0.4 * 0.4 } else { 0.6 * 0.6 } * 32.0 * 32.0;
        let part = shadow as f32 / expected;
        assert!((0.6..1.3).contains(&part), "{kind:?}: {shadow} pixels, about {expected} expected");
    }
}

/// A point light in a closed sphere: no light leaves it, not even at the seams of the six shadow maps.
#[test]
fn no_light_leaks_between_the_faces() {
    let mut options = dark(256, 256);
    options.samples = 4;
    let position = Vec3::new(0.05, -0.1, 0.5);
    let around = Mat4::from_translation(position) * Mat4::from_scale(Vec3::splat(0.08));
    let mut frame =
        frame(&[(0, Mat4::IDENTITY), (1, around)], vec![light(LightKind::Point, position, Vec3::NEG_Z)]);
    frame.bounds = Some((Vec3::new(-1.0, -1.0, 0.0), Vec3::new(1.0, 1.0, 0.6)));
    let black = Material { base_color: Vec4::W, double_sided: true, ..plane(0.0, 0.0) };
    let scene = scene(vec![square(0), sphere(1)], vec![plane(0.0, 0.0), black]);
    let picture = draw(&scene, &options, &frame, &flat_camera());
    let leaks = picture.light.iter().filter(|l| l[0] > 0.0).count();
    assert_eq!(leaks, 0, "pixels are lit");
}

/// The factor for the light of the environment is also that of the sun of the built-in sky.
#[test]
fn the_sun_is_part_of_the_sky() {
    let seen = |factor: f32| {
        let options = Options {
            environment: Environment::Sky,
            environment_intensity: factor,
            draft_environment: true,
            shadows: false,
            ..dark(4, 4)
        };
        let (scene, frame) =
            (scene(vec![square(0)], vec![plane(0.0, 0.0)]), frame(&[(0, Mat4::IDENTITY)], Vec::new()));
        let drawn = light_at(&draw(&scene, &options, &frame, &flat_camera()), 1, 1);
        let options = trace::Options { draw: options, ..trace::Options::new(1, 1) };
        let mut tracer = Tracer::new(device(), &scene, &options).unwrap();
        tracer.begin(&frame, &flat_camera()).unwrap();
        tracer.add(0..16, |_| true).unwrap();
        [drawn, light_at(&tracer.picture().unwrap(), 1, 1)]
    };
    let (full, half) = (seen(1.0), seen(0.5));
    for (full, half) in full.into_iter().zip(half) {
        assert!((full * 0.5 - half).abs().max_element() < 1e-3 * full.max_element(), "{full}, {half}");
    }
    assert_eq!(seen(0.0), [Vec3::ZERO; 2]);
}

/// Half of all directions are white. A surface that faces them receives all light, one that faces away none, and one in
/// between half; a mirror shows the direction that it faces.
#[test]
fn a_panorama_lights_what_faces_it() {
    let (width, height) = (64, 32);
    let seen = |material: Material, white: fn(u32, u32) -> bool| {
        let texels = (0..width * height).map(|i| [f32::from(u8::from(white(i % width, i / width))); 3]);
        let environment = Environment::Panorama(Panorama { width, height, texels: texels.collect() });
        let options = Options { environment, ..dark(4, 4) };
        let frame = frame(&[(0, Mat4::IDENTITY)], Vec::new());
        light_at(&draw(&scene(vec![square(0)], vec![material]), &options, &frame, &flat_camera()), 1, 1)
    };
    let mirror = Material { roughness: 0.0, ..plane(1.0, 1.0) };
    // The middle is +X, and to its right is +Z, which the plane faces; the top is +Y.
    let halves: [(fn(u32, u32) -> bool, f32, f32); 4] = [
        (|x, _| x >= 32, 1.0, 1.0),
        (|x, _| x < 32, 0.0, 0.0),
        (|_, y| y < 16, 0.5, 0.5),
        (|x, y| x >= 32 && y >= 16, 0.5, 0.5),
    ];
    for (i, (white, matt, shining)) in halves.into_iter().enumerate() {
        let (d, m) = (seen(plane(0.0, 0.0), white), seen(mirror.clone(), white));
        assert!((d - COLOR * matt).abs().max_element() < 0.03, "half {i}: {d}");
        assert!((m - COLOR * shining).abs().max_element() < 0.03, "half {i}: {m}");
    }
}
