//! Properties of materials, pixel by pixel: unlit colours, alpha, texture coordinates, emission and tone mapping.

use std::f32::consts::FRAC_PI_2;

use crate::common::{dark, draw, flat_camera, frame, light_at, scene, shown_at, square, texture};
use glam::{Mat4, Vec2, Vec3, Vec4};
use quadrille_scene::draw::{Options, Picture};
use quadrille_scene::model::{
    AlphaMode, Filter, Material, Primitive, Sampler, Scene, Specular, TextureRef, Topology, Wrap,
};

const NEAREST: Sampler =
    Sampler { mag: Filter::Nearest, min: Filter::Nearest, mip: None, wrap: [Wrap::Repeat; 2] };

fn unlit(texture: Option<TextureRef>) -> Material {
    Material { unlit: true, base_color_texture: texture, ..Material::default() }
}

fn whole(texture: usize) -> TextureRef {
    TextureRef { texture, uv_set: 0, offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE }
}

fn picture(scene: &Scene, options: &Options) -> Picture {
    let draws: Vec<_> = (0..scene.meshes.len()).map(|i| (i, Mat4::IDENTITY)).collect();
    draw(scene, options, &frame(&draws, Vec::new()), &flat_camera())
}

/// All bytes of red, green and blue are shown unchanged, whatever the lights and the samples.
#[test]
fn unlit_colours_are_exact() {
    let texels: Vec<[u8; 4]> = (0..=255).map(|i: u8| [i, 255 - i, i.wrapping_mul(7), 255]).collect();
    for samples in [1, 4] {
        let mut scene = scene(vec![square(0)], vec![unlit(None)]);
        let t = texture(&mut scene, 16, &texels, NEAREST);
        scene.materials[0].base_color_texture = Some(whole(t));
        // Unlit materials ignore emission.
        scene.materials[0].emissive = Vec3::ONE;
        let options = Options { samples, exposure: 3.0, ..Options::new(16, 16) };
        let picture = picture(&scene, &options);
        for (i, [r, g, b, _]) in texels.iter().enumerate() {
            assert_eq!(shown_at(&picture, i as u32 % 16, i as u32 / 16), [*r, *g, *b], "{samples} samples");
        }
    }
}

#[test]
fn masks_cut_and_blending_covers() {
    let texels = [[255, 255, 255, 100], [255, 255, 255, 200]];
    let shown = |alpha: AlphaMode| {
        let mut scene = scene(vec![square(0)], vec![Material { alpha, ..unlit(None) }]);
        let t = texture(&mut scene, 2, &texels, NEAREST);
        scene.materials[0].base_color_texture = Some(whole(t));
        let picture = picture(&scene, &dark(2, 2));
        [light_at(&picture, 0, 0).x, light_at(&picture, 1, 0).x]
    };
    assert_eq!(shown(AlphaMode::Opaque), [1.0, 1.0]);
    assert_eq!(shown(AlphaMode::Mask { cutoff: 0.5 }), [0.0, 1.0]);
    // Alpha equal to the cutoff is drawn.
    assert_eq!(shown(AlphaMode::Mask { cutoff: 200.0 / 255.0 }), [0.0, 1.0]);
    assert_eq!(shown(AlphaMode::Mask { cutoff: 0.9 }), [0.0, 0.0]);
    let blended = shown(AlphaMode::Blend);
    assert!(
        (blended[0] - 100.0 / 255.0).abs() < 1e-5 && (blended[1] - 200.0 / 255.0).abs() < 1e-5,
        "{blended:?}"
    );
}

/// The nearer of two blended surfaces covers the farther one, whatever their order in the file.
#[test]
fn blended_surfaces_are_drawn_from_back_to_front() {
    let material = |color: Vec3| Material {
        base_color: color.extend(0.5),
        alpha: AlphaMode::Blend,
        double_sided: true,
        ..unlit(None)
    };
    let scene = scene(vec![square(0), square(1)], vec![material(Vec3::X), material(Vec3::Y)]);
    for near_first in [false, true] {
        let z = |near: bool| Mat4::from_translation(Vec3::new(0.0, 0.0, if near { 1.0 } else { -1.0 }));
        let mut draws = vec![(0, z(true)), (1, z(false))];
        if !near_first {
            draws.reverse();
        }
        let picture = draw(&scene, &dark(4, 4), &frame(&draws, Vec::new()), &flat_camera());
        assert_eq!(light_at(&picture, 1, 1), Vec3::new(0.5, 0.25, 0.0));
    }
}

/// The lower left quarter of the texture, rotated clockwise: the example of KHR_texture_transform.
#[test]
fn texture_coordinates_are_transformed() {
    // Red encodes the column, green the row.
    let texels: Vec<[u8; 4]> = (0..16).map(|i| [i % 4 * 60, i / 4 * 60, 0, 255]).collect();
    let shown = |reference: fn(usize) -> TextureRef| {
        let mut scene = scene(vec![square(0)], vec![unlit(None)]);
        let t = texture(&mut scene, 4, &texels, NEAREST);
        scene.materials[0].base_color_texture = Some(reference(t));
        let picture = picture(&scene, &dark(2, 2));
        [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(x, y)| {
            let [r, g, _] = shown_at(&picture, x, y);
            (r / 60, g / 60)
        })
    };
    let quarter = |texture| TextureRef {
        offset: Vec2::new(0.0, 1.0),
        rotation: FRAC_PI_2,
        scale: Vec2::splat(0.5),
        ..whole(texture)
    };
    // Column and row: the texel at the lower left moves to the upper left.
    assert_eq!(shown(quarter), [(0, 3), (0, 2), (1, 3), (1, 2)]);
    // Moved by a texel and repeated, then upside down.
    let moved =
        |texture| TextureRef { offset: Vec2::new(0.625, 0.125), scale: Vec2::splat(0.5), ..whole(texture) };
    assert_eq!(shown(moved), [(3, 1), (0, 1), (3, 2), (0, 2)]);
    let flipped =
        |texture| TextureRef { offset: Vec2::new(0.0, 1.0), scale: Vec2::new(1.0, -1.0), ..whole(texture) };
    assert_eq!(shown(flipped), [(1, 3), (3, 3), (1, 1), (3, 1)]);
}

/// The second set of coordinates differs from the first.
#[test]
fn either_set_of_coordinates_can_be_used() {
    let texels = [[0, 0, 0, 255], [255, 255, 255, 255]];
    let mut primitive = square(0);
    primitive.uv[1] = Some(vec![Vec2::new(0.75, 0.5); 4]);
    let mut scene = scene(vec![primitive], vec![unlit(None)]);
    let t = texture(&mut scene, 2, &texels, NEAREST);
    scene.materials[0].base_color_texture = Some(TextureRef { uv_set: 1, ..whole(t) });
    assert_eq!(shown_at(&picture(&scene, &dark(2, 2)), 0, 0), [255; 3]);
    scene.materials[0].base_color_texture = Some(whole(t));
    assert_eq!(shown_at(&picture(&scene, &dark(2, 2)), 0, 0), [0; 3]);
}

/// Khronos PBR Neutral and sRGB, in double precision.
fn neutral(light: [f64; 3]) -> [f64; 3] {
    let least = light.iter().copied().fold(f64::INFINITY, f64::min);
    let offset = if least < 0.08 { least - 6.25 * least * least } else { 0.04 };
    let color = light.map(|c| c - offset);
    let peak = color.iter().copied().fold(0.0, f64::max);
    let mapped = if peak < 0.76 {
        color
    } else {
        let d = 1.0 - 0.76;
        let new = 1.0 - d * d / (peak + d - 0.76);
        let g = 1.0 - 1.0 / (0.15 * (peak - new) + 1.0);
        color.map(|c| c * new / peak * (1.0 - g) + new * g)
    };
    mapped.map(|c| if c <= 0.003_130_8 { c * 12.92 } else { 1.055 * c.powf(1.0 / 2.4) - 0.055 })
}

#[test]
fn light_is_tone_mapped_as_khronos_pbr_neutral() {
    let shining = |light: [f64; 3], exposure: f32| {
        let material = Material {
            base_color: Vec4::W,
            metallic: 0.0,
            emissive: Vec3::from_array(light.map(|c| c as f32)),
            specular: Specular { factor: 0.0, ..Specular::default() },
            ..Material::default()
        };
        let options = Options { exposure, ..dark(1, 1) };
        picture(&scene(vec![square(0)], vec![material]), &options)
    };
    let lights = [
        [0.0, 0.0, 0.0],
        [0.05, 0.05, 0.05],
        [0.5, 0.5, 0.5],
        [0.8, 0.8, 0.8],
        [1.0, 1.0, 1.0],
        [10.0, 10.0, 10.0],
        [0.9, 0.1, 0.02],
        [0.0, 4.0, 0.5],
        [1000.0, 0.0, 0.0],
    ];
    for light in lights {
        let shown = shown_at(&shining(light, 1.0), 0, 0);
        for (got, wanted) in shown.into_iter().zip(neutral(light)) {
            assert!((f64::from(got) - wanted * 255.0).abs() < 0.51, "{light:?}: {shown:?}, not {wanted}");
        }
    }
    // 0.5 is 0.46 without the reflection of dielectrics: by hand, 180.6 in sRGB.
    assert_eq!(shown_at(&shining([0.5; 3], 1.0), 0, 0), [181; 3]);
    // Exposure applies before tone mapping, and also to the returned light.
    let bright = shining([0.25; 3], 2.0);
    assert_eq!(shown_at(&bright, 0, 0), [181; 3]);
    assert_eq!(light_at(&bright, 0, 0), Vec3::splat(0.5));
}

/// Lines and points without normals are unlit and show base colour and emission.
#[test]
fn points_and_lines_shine_by_themselves() {
    let material = Material {
        base_color: Vec4::new(0.25, 0.0, 0.0, 1.0),
        emissive: Vec3::new(0.0, 0.5, 0.0),
        ..Material::default()
    };
    let strip = |topology, positions: Vec<Vec3>| Primitive { topology, positions, ..Primitive::default() };
    let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    let line = strip(Topology::Lines, vec![at(-1.0, 0.125), at(1.0, 0.125)]);
    let point = strip(Topology::Points, vec![at(-0.875, -0.375)]);
    let picture = picture(&scene(vec![line, point], vec![material]), &dark(8, 8));
    let lit: Vec<(u32, u32)> = (0..8)
        .flat_map(|y| (0..8).map(move |x| (x, y)))
        .filter(|&(x, y)| light_at(&picture, x, y) == Vec3::new(0.25, 0.5, 0.0))
        .collect();
    let mut expected: Vec<(u32, u32)> = (0..8).map(|x| (x, 3)).collect();
    expected.push((0, 5));
    assert_eq!(lit, expected);
}

/// A surface behind glass has the colour of the glass; a surface behind rough glass is blurred.
#[test]
fn surfaces_transmit() {
    let glass = |roughness, color: Vec3| Material {
        base_color: color.extend(1.0),
        metallic: 0.0,
        roughness,
        transmission: 1.0,
        specular: Specular { factor: 0.0, ..Specular::default() },
        ..Material::default()
    };
    let stripes: Vec<[u8; 4]> = (0..16).map(|i| if i % 2 == 0 { [0, 0, 0, 255] } else { [255; 4] }).collect();
    for samples in [1, 4] {
        let through = |material| {
            let mut scene = scene(vec![square(0), square(1)], vec![unlit(None), material]);
            let t = texture(&mut scene, 16, &stripes, NEAREST);
            scene.materials[0].base_color_texture = Some(whole(t));
            let before = Mat4::from_translation(Vec3::Z);
            let frame = frame(&[(0, Mat4::IDENTITY), (1, before)], Vec::new());
            draw(&scene, &Options { samples, ..dark(64, 64) }, &frame, &flat_camera())
        };
        let clear = through(glass(0.0, Vec3::new(0.5, 1.0, 0.25)));
        assert_eq!(light_at(&clear, 2, 10), Vec3::ZERO);
        let seen = light_at(&clear, 6, 10);
        assert!((seen - Vec3::new(0.5, 1.0, 0.25)).abs().max_element() < 1e-5, "{seen}");
        let frosted = through(glass(0.8, Vec3::ONE));
        for x in [2, 6, 30, 34] {
            let seen = light_at(&frosted, x, 32).x;
            assert!((seen - 0.5).abs() < 0.15, "{samples} samples, at {x}: {seen}");
        }
    }
}
