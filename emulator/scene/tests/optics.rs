//! Specular-glossiness, thin films, anisotropy and dispersion, drawn and path-traced: white furnaces, formulas of the
//! extensions in double precision, and materials that must look alike.

use std::f32::consts::FRAC_PI_2;

use crate::common::{dark, device, draw, flat_camera, frame, light, light_at, scene, square};
use glam::{Mat4, Vec3, Vec4};
use quadrille_scene::draw::{Environment, Options, Picture};
use quadrille_scene::frame::{Frame, PlacedCamera};
use quadrille_scene::model::{
    Anisotropy, Iridescence, LightKind, Material, Primitive, Projection, Scene, SpecularGlossiness, Volume,
};
use quadrille_scene::trace::{self, Tracer};

fn traced(scene: &Scene, options: &Options, frame: &Frame, camera: &PlacedCamera, samples: u32) -> Picture {
    let options = trace::Options { draw: options.clone(), ..trace::Options::new(1, 1) };
    let mut tracer = Tracer::new(device(), scene, &options).unwrap();
    tracer.begin(frame, camera).unwrap();
    tracer.add(0..samples, |_| true).unwrap();
    tracer.picture().unwrap()
}

fn draft(options: Options) -> Options {
    Options { draft_environment: true, ..options }
}

fn rough(metallic: f32, roughness: f32) -> Material {
    Material { metallic, roughness, ..Material::default() }
}

fn glossy(diffuse: Vec3, specular: Vec3, roughness: f32) -> Material {
    Material {
        base_color: diffuse.extend(1.0),
        specular_glossiness: Some(SpecularGlossiness {
            specular,
            glossiness: 1.0 - roughness,
            texture: None,
        }),
        ..Material::default()
    }
}

fn brushed(roughness: f32, strength: f32, rotation: f32, color: Vec3) -> Material {
    let anisotropy = Anisotropy { strength, rotation, texture: None };
    Material { base_color: color.extend(1.0), anisotropy, ..rough(1.0, roughness) }
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

/// Horizontal stripes of these materials, with 4 rows of pixels each.
fn stripes(materials: &[Material]) -> (Scene, Frame) {
    let n = materials.len();
    let stripe = |i: usize| {
        let middle = 1.0 - (2 * i + 1) as f32 / n as f32;
        Mat4::from_translation(Vec3::new(0.0, middle, 0.0))
            * Mat4::from_scale(Vec3::new(20.0, 1.0 / n as f32, 1.0))
    };
    let draws: Vec<(usize, Mat4)> = (0..n).map(|i| (i, stripe(i))).collect();
    (scene((0..n).map(square).collect(), materials.to_vec()), frame(&draws, Vec::new()))
}

/// Light of the stripes in uniform light: drawn, and path-traced. Smooth surfaces need no exact tables of albedos.
fn in_furnace(materials: &[Material], angle: f32, smooth: bool) -> Vec<[Vec3; 2]> {
    let (scene, frame) = stripes(materials);
    let n = materials.len() as u32;
    let environment = Environment::Uniform([1.0; 3]);
    let options = Options { environment, samples: 1, draft_environment: smooth, ..Options::new(16, 4 * n) };
    let camera = turned_camera(angle);
    let drawn = draw(&scene, &options, &frame, &camera);
    let seen = traced(&scene, &options, &frame, &camera, 128);
    (0..n).map(|i| [&drawn, &seen].map(|p| mean(p, 4 * i..4 * i + 4))).collect()
}

#[test]
fn white_furnaces_stay_white() {
    let mut materials = Vec::new();
    for (roughness, strength, rotation) in
        [(0.0, 0.7, 0.3), (0.3, 1.0, 0.0), (0.3, 1.0, FRAC_PI_2), (0.6, 0.5, 0.8)]
    {
        materials.push(brushed(roughness, strength, rotation, Vec3::ONE));
        materials.push(Material { metallic: 0.0, ..brushed(roughness, strength, rotation, Vec3::ONE) });
    }
    materials.extend([0.0, 0.5, 1.0].map(|r| glossy(Vec3::ZERO, Vec3::ONE, r)));
    for angle in [0.0, 1.1] {
        for (i, seen) in in_furnace(&materials, angle, false).into_iter().enumerate() {
            for (light, tolerance) in seen.into_iter().zip([0.02, 0.015]) {
                let off = (light - Vec3::ONE).abs().max_element();
                assert!(off < tolerance, "material {i} at {angle}: {light}");
            }
        }
    }
}

/// The diffuse colour is reduced by the largest reflectance; a metal has no diffuse colour.
#[test]
fn glossiness_is_roughness_of_another_name() {
    let color = Vec3::new(0.8, 0.4, 0.1);
    let pairs = [
        [
            glossy(color, Vec3::splat(0.04), 0.4),
            Material { base_color: (color * 0.96).extend(1.0), ..rough(0.0, 0.4) },
        ],
        [glossy(Vec3::ZERO, color, 0.3), Material { base_color: color.extend(1.0), ..rough(1.0, 0.3) }],
    ];
    let lamp = light(LightKind::Point, Vec3::new(0.5, 0.5, 1.0), Vec3::NEG_Z);
    for (i, pair) in pairs.into_iter().enumerate() {
        let [a, b] = pair.map(|material| {
            let scene = scene(vec![square(0)], vec![material]);
            let frame = frame(&[(0, Mat4::IDENTITY)], vec![lamp.clone()]);
            let options = Options { samples: 1, draft_environment: true, ..Options::new(16, 16) };
            let drawn = draw(&scene, &options, &frame, &flat_camera());
            [drawn, traced(&scene, &options, &frame, &flat_camera(), 4)]
        });
        for (a, b) in a.iter().zip(&b) {
            for (a, b) in a.light.as_flattened().iter().zip(b.light.as_flattened()) {
                assert!((a - b).abs() < 1e-3 * (1.0 + b.abs()), "pair {i}: {a} and {b}");
            }
        }
    }
}

/// KHR_materials_iridescence, "Analytic Spectral Integration", for a material below with reflectance `f0`.
fn film(cosine: f64, ior: f64, thickness: f64, f0: f64) -> [f64; 3] {
    use std::f64::consts::PI;
    let schlick = |r: f64, c: f64| r + (1.0 - r) * (1.0 - c).powi(5);
    let inner = (1.0 - (1.0 - cosine * cosine) / (ior * ior)).sqrt();
    let r12 = schlick(((ior - 1.0) / (ior + 1.0)).powi(2), cosine);
    let root = (f0 + 0.0001).sqrt();
    let base = (1.0 + root) / (1.0 - root);
    let r23 = schlick(((base - ior) / (base + ior)).powi(2), inner);
    let shift = PI + if base < ior { PI } else { 0.0 };
    let r123 = (r12 * r23).clamp(1e-5, 0.9999);
    let rs = (1.0 - r12).powi(2) * r23 / (1.0 - r123);
    let sensitivity = |difference: f64, shift: f64| {
        let phase = 2.0 * PI * difference * 1e-9;
        let lobe = |val: f64, pos: f64, var: f64| {
            val * (2.0 * PI * var).sqrt() * (pos * phase + shift).cos() * (-phase * phase * var).exp()
                / 1.0685e-7
        };
        let x = lobe(5.4856e-13, 1.6810e+06, 4.3278e+09) + lobe(9.7470e-14, 2.2399e+06, 4.5282e+09);
        let y = lobe(4.4201e-13, 1.7953e+06, 9.3046e+09);
        let z = lobe(5.2481e-13, 2.2084e+06, 6.6121e+09);
        [
            3.2404542 * x - 1.5371385 * y - 0.4985314 * z,
            -0.9692660 * x + 1.8760108 * y + 0.0415560 * z,
            0.0556434 * x - 0.2040259 * y + 1.0572252 * z,
        ]
    };
    let mut light = [r12 + rs; 3];
    let mut order = rs - (1.0 - r12);
    for m in [1.0, 2.0] {
        order *= r123.sqrt();
        let s = sensitivity(m * 2.0 * ior * thickness * inner, m * shift);
        light = std::array::from_fn(|i| light[i] + order * 2.0 * s[i]);
    }
    light.map(|c| c.clamp(0.0, 1.0))
}

/// Smooth surfaces in uniform light show the reflection of the film, over black, white and metal.
#[test]
fn films_have_the_colours_of_the_formula() {
    let iridescence =
        Iridescence { factor: 1.0, ior: 1.4, thickness_maximum: 450.0, ..Iridescence::default() };
    let of = |metallic, color: f32| Material {
        base_color: Vec3::splat(color).extend(1.0),
        iridescence: iridescence.clone(),
        ..rough(metallic, 0.0)
    };
    let half = Iridescence { factor: 0.5, ..iridescence.clone() };
    let materials =
        [of(0.0, 0.0), of(0.0, 1.0), of(1.0, 0.6), Material { iridescence: half, ..of(0.0, 0.0) }];
    for angle in [0.0f64, 1.1] {
        let cosine = angle.cos();
        let dielectric = Vec3::from_array(film(cosine, 1.4, 450.0, 0.04).map(|c| c as f32));
        let metal = Vec3::from_array(film(cosine, 1.4, 450.0, 0.6).map(|c| c as f32));
        let bare = (0.04 + 0.96 * (1.0 - cosine).powi(5)) as f32;
        let wanted = [
            dielectric,
            dielectric + (1.0 - dielectric.max_element()),
            metal,
            dielectric * 0.5 + Vec3::splat(bare) * 0.5,
        ];
        assert!(dielectric.max_element() - dielectric.min_element() > 0.01, "a grey film: {dielectric}");
        let seen = in_furnace(&materials, angle as f32, true);
        for (i, (seen, wanted)) in seen.into_iter().zip(wanted).enumerate() {
            // Drawings approximate the reflection of a surface without a film.
            for light in seen.into_iter().skip(usize::from(i == 3)) {
                let off = (light - wanted).abs().max_element();
                assert!(off < 0.012, "material {i} at {angle}: {light}, not {wanted}");
            }
        }
    }
}

/// KHR_materials_anisotropy, "Implementation": a metal of reflectance `f0` under a light, times the cosine.
fn stretched(to_light: Vec3, to_eye: Vec3, alphas: [f32; 2], f0: f32) -> f32 {
    let [at, ab] = alphas;
    let h = (to_light + to_eye).normalize();
    let product = at * ab;
    let f = Vec3::new(ab * h.x, at * h.y, product * h.z);
    let w = product / f.length_squared();
    let distribution = product * w * w / std::f32::consts::PI;
    let length = |v: Vec3| Vec3::new(at * v.x, ab * v.y, v.z).length();
    let visibility = 0.5 / (to_light.z * length(to_eye) + to_eye.z * length(to_light));
    let fresnel = f0 + (1.0 - f0) * (1.0 - h.dot(to_eye)).powi(5);
    distribution * visibility * fresnel * to_light.z
}

/// A lamp over brushed metal, in both directions. A dark metal scatters little more than once, as the formula does.
#[test]
fn brushed_metal_follows_the_formula() {
    let (roughness, strength, f0) = (0.5f32, 0.8f32, 0.05f32);
    let (narrow, wide) = (roughness * roughness, 0.25 + 0.75 * strength * strength);
    let position = Vec3::new(0.3, 0.2, 0.8);
    let lamp = light(LightKind::Point, position, Vec3::NEG_Z);
    let mut sums = [Vec4::ZERO; 2];
    for rotation in [0.0, FRAC_PI_2] {
        let scene = scene(vec![square(0)], vec![brushed(roughness, strength, rotation, Vec3::splat(f0))]);
        let frame = frame(&[(0, Mat4::IDENTITY)], vec![lamp.clone()]);
        let drawn = draw(&scene, &dark(16, 16), &frame, &flat_camera());
        let seen = traced(&scene, &draft(dark(16, 16)), &frame, &flat_camera(), 64);
        for (x, y) in [(2, 3), (8, 8), (13, 4), (10, 14)] {
            let at = Vec3::new((2 * x + 1) as f32 / 16.0 - 1.0, 1.0 - (2 * y + 1) as f32 / 16.0, 0.0);
            let way = position - at;
            let local = |v: Vec3| if rotation == 0.0 { v } else { Vec3::new(v.y, -v.x, v.z) };
            let wanted =
                stretched(local(way.normalize()), Vec3::Z, [wide, narrow], f0) / way.length_squared();
            let got = light_at(&drawn, x, y).x;
            assert!((got - wanted).abs() < 2e-3 * wanted, "drawn at {x}, {y}: {got}, not {wanted}");
            let got = light_at(&seen, x, y).x;
            assert!((got - wanted).abs() < 0.06 * wanted, "traced at {x}, {y}: {got}, not {wanted}");
        }
        sums[usize::from(rotation > 0.0)] = drawn.light.iter().map(|l| Vec4::from_array(*l)).sum();
    }
    assert!((sums[0] - sums[1]).abs().max_element() > 1e-3, "the direction makes no difference");
}

fn paint(grey: f32) -> Material {
    Material { unlit: true, base_color: Vec3::splat(grey).extend(1.0), ..Material::default() }
}

fn prism(dispersion: f32, thickness: f32) -> Material {
    let volume = Volume { thickness, ..Volume::default() };
    Material { transmission: 1.0, dispersion, volume, ..rough(0.0, 0.0) }
}

/// A slab from -1 to 1 without its sides.
fn slab(material: usize) -> Primitive {
    let mut p = square(material);
    let back: Vec<Vec3> = p.positions.iter().map(|at| Vec3::new(-at.x, at.y, -1.0)).collect();
    p.positions.iter_mut().for_each(|at| at.z = 1.0);
    p.positions.extend(back);
    p.normals = Some([[Vec3::Z; 4], [Vec3::NEG_Z; 4]].concat());
    p.uv = [None, None];
    p.indices = Some(vec![0, 1, 2, 0, 2, 3, 4, 5, 6, 4, 6, 7]);
    p
}

/// Indices of red, green and blue: KHR_materials_dispersion, "Implementation".
fn indices(index: f32, dispersion: f32) -> [f32; 3] {
    let half = (index - 1.0) * 0.025 * dispersion;
    [index - half, index, index + half]
}

/// A slab moves each colour aside by d sin(a) (1 - cos(a) / sqrt(n^2 - sin^2(a))) with its own n.
#[test]
fn dispersion_moves_colours_apart() {
    let (angle, depth, dispersion) = (0.8f32, 0.5, 12.0);
    let materials = vec![prism(dispersion, 1.0), paint(1.0), paint(0.0)];
    let scene = scene(vec![slab(0), square(1), square(2)], materials);
    let half = |x: f32| {
        Mat4::from_translation(Vec3::new(x, 0.0, -2.0)) * Mat4::from_scale(Vec3::new(10.0, 30.0, 1.0))
    };
    let glass = Mat4::from_scale(Vec3::new(30.0, 30.0, 0.5 * depth));
    let mut camera = turned_camera(angle);
    let beyond = (camera.world * Vec4::new(0.0, 0.0, -1.0, 0.0)).truncate();
    if let Projection::Orthographic { ymag, .. } = &mut camera.camera.projection {
        *ymag = 0.125;
    }
    // The middle of the view, without the slab, is the border between white and black.
    camera.world.w_axis = (Vec3::new(0.0, 0.0, -2.0) - beyond * 20.0).extend(1.0);
    let sum = |white: f32| {
        let draws = [(0, glass), (1, half(10.0 * white)), (2, half(-10.0 * white))];
        let picture = traced(&scene, &draft(dark(32, 4)), &frame(&draws, Vec::new()), &camera, 256);
        picture.light.iter().map(|l| Vec4::from_array(*l).truncate()).sum::<Vec3>()
    };
    let (left, right) = (sum(-1.0), sum(1.0));
    let border = (left - right) / (left + right);
    let (sin, cos) = (angle.sin(), angle.cos());
    let wanted = indices(1.5, dispersion).map(|n| depth * sin * (1.0 - cos / (n * n - sin * sin).sqrt()));
    assert!(wanted[2] - wanted[0] > 0.04, "{wanted:?}");
    for (got, wanted) in border.to_array().into_iter().zip(wanted) {
        assert!((got.abs() - wanted).abs() < 0.02, "{border}, not {wanted:?}");
    }
}

/// Glass with dispersion is invisible in uniform light: each colour keeps its brightness.
#[test]
fn dispersion_keeps_light() {
    let scene = scene(vec![slab(0)], vec![prism(2.0, 1.0)]);
    let place = Mat4::from_rotation_y(0.4) * Mat4::from_scale(Vec3::new(9.0, 9.0, 0.3));
    let options = Options { environment: Environment::Uniform([1.0; 3]), ..Options::new(24, 24) };
    let picture = traced(&scene, &draft(options), &frame(&[(0, place)], Vec::new()), &flat_camera(), 128);
    let seen = mean(&picture, 0..24);
    assert!((seen - Vec3::ONE).abs().max_element() < 0.02, "{seen}");
}

/// Drawn glass shows the backdrop along one refracted path for each colour.
#[test]
fn drawn_dispersion_follows_three_paths() {
    let (angle, thickness, dispersion) = (0.6f32, 0.5f32, 12.0);
    let scene = scene(
        vec![square(0), square(1), square(2)],
        vec![
            Material {
                specular: quadrille_scene::model::Specular { factor: 0.0, ..Default::default() },
                ..prism(dispersion, thickness)
            },
            paint(1.0),
            paint(0.0),
        ],
    );
    let half =
        |x: f32| Mat4::from_translation(Vec3::new(x, 0.0, -3.0)) * Mat4::from_scale(Vec3::new(5.0, 5.0, 1.0));
    let draws = [(0, Mat4::from_rotation_y(angle)), (1, half(-5.0)), (2, half(5.0))];
    let picture = draw(&scene, &dark(256, 256), &frame(&draws, Vec::new()), &flat_camera());
    let normal = Vec3::new(angle.sin(), 0.0, angle.cos());
    for (channel, n) in indices(1.5, dispersion).into_iter().enumerate() {
        let way = Vec3::NEG_Z.refract(normal, 1.0 / n) * thickness;
        // White is seen at x if x + way.x is left of the border at 0.
        let edge = (64..192).find(|x| light_at(&picture, *x, 128)[channel] < 0.5);
        let edge = edge.map(|x| x as f32 / 128.0 - 1.0).unwrap();
        assert!((edge + way.x).abs() < 0.015, "channel {channel}: {edge}, not {}", -way.x);
    }
}
