//! The white furnace test: a surface that reflects all light is invisible in uniform light.

use crate::common::{camera, draw, frame, light_at, scene, sphere};
use glam::{Mat4, Vec3, Vec4};
use quadrille_scene::draw::{Environment, Options};
use quadrille_scene::model::{Clearcoat, Material, Sheen};

/// Draws a row of spheres with these materials, and returns the light at the middle and at the edge of each.
fn in_furnace(materials: Vec<Material>) -> Vec<[Vec3; 2]> {
    let n = materials.len();
    let side = 48;
    let mut options = Options::new(side * n as u32, side);
    options.environment = Environment::Uniform([1.0; 3]);
    options.background = Some([0.0; 3]);
    let spheres = (0..n).map(sphere).collect();
    let place =
        |i: usize| Mat4::from_translation(Vec3::new(2.2 * (i as f32 - 0.5 * (n as f32 - 1.0)), 0.0, 0.0));
    let frame = frame(&(0..n).map(|i| (i, place(i))).collect::<Vec<_>>(), Vec::new());
    // The camera is far away, so that all spheres look alike; the height of the picture is 2.2 units.
    let camera = camera(Vec3::new(0.0, 0.0, 200.0), Vec3::ZERO, 2.0 * (1.1f32 / 200.0).atan());
    let picture = draw(&scene(spheres, materials), &options, &frame, &camera);
    (0..n as u32).map(|i| [0, 18].map(|x| light_at(&picture, side * i + side / 2 + x, side / 2))).collect()
}

fn rough(metallic: f32, roughness: f32) -> Material {
    Material { base_color: Vec4::ONE, metallic, roughness, ..Material::default() }
}

#[test]
fn rough_metals_and_dielectrics_reflect_all() {
    let roughness = [0.0, 0.25, 0.5, 0.75, 1.0];
    let materials: Vec<Material> = [0.0, 1.0].iter().flat_map(|m| roughness.map(|r| rough(*m, r))).collect();
    for (i, seen) in in_furnace(materials).into_iter().enumerate() {
        for light in seen {
            assert!(light.min_element() > 0.98 && light.max_element() < 1.02, "sphere {i}: {light}");
        }
    }
}

/// A coat and sheen remove as much light from below as they reflect; a black body reflects only at its surface.
#[test]
fn layers_keep_energy() {
    let coat = Clearcoat { factor: 1.0, roughness: 0.3, ..Clearcoat::default() };
    let sheen = Sheen { color: Vec3::ONE, roughness: 0.5, ..Sheen::default() };
    let black = Material { base_color: Vec4::new(0.0, 0.0, 0.0, 1.0), ..rough(0.0, 0.0) };
    let glass = Material { transmission: 1.0, ..rough(0.0, 0.0) };
    let seen = in_furnace(vec![
        Material { clearcoat: coat, ..rough(0.0, 0.5) },
        Material { sheen, ..rough(0.0, 0.7) },
        black,
        glass,
    ]);
    for light in seen[0].iter().chain(&seen[1]) {
        assert!(light.min_element() > 0.97 && light.max_element() < 1.03, "{light}");
    }
    // A smooth dielectric of index 1.5 reflects 4 %. Behind the glass it is dark.
    for light in [seen[2][0], seen[3][0]] {
        assert!((light - Vec3::splat(0.04)).abs().max_element() < 0.004, "{light}");
    }
}
