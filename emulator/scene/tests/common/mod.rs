//! Scenes made by hand, for tests of drawing.

#![allow(dead_code, reason = "no test uses all of these helpers")]

use std::sync::LazyLock;

use glam::{Mat4, Vec2, Vec3, Vec4};
use quadrille::{Device, DeviceOptions};
use quadrille_scene::draw::{Environment, Options, Picture, Renderer};
use quadrille_scene::frame::{Draw, Frame, PlacedCamera, PlacedLight};
use quadrille_scene::model::{
    Camera, Image, Light, LightKind, Material, Mesh, Primitive, Projection, Sampler, Scene, Texture,
};

/// A sphere of radius 1, with normals and texture coordinates.
pub fn sphere(material: usize) -> Primitive {
    let (around, along) = (48u32, 24u32);
    let mut p = Primitive { material, ..Primitive::default() };
    let (mut normals, mut uvs, mut indices) = (Vec::new(), Vec::new(), Vec::new());
    for i in 0..=along {
        let (sin, cos) = (std::f32::consts::PI * i as f32 / along as f32).sin_cos();
        for j in 0..=around {
            let (s, c) = (std::f32::consts::TAU * j as f32 / around as f32).sin_cos();
            p.positions.push(Vec3::new(sin * c, cos, sin * s));
            normals.push(Vec3::new(sin * c, cos, sin * s));
            uvs.push(Vec2::new(j as f32 / around as f32, i as f32 / along as f32));
            if i < along && j < around {
                let at = |i: u32, j: u32| i * (around + 1) + j;
                indices.extend([
                    at(i, j),
                    at(i, j + 1),
                    at(i + 1, j + 1),
                    at(i, j),
                    at(i + 1, j + 1),
                    at(i + 1, j),
                ]);
            }
        }
    }
    p.normals = Some(normals);
    p.uv[0] = Some(uvs);
    p.indices = Some(indices);
    p
}

/// A square from -1 to 1 that faces +Z; texture coordinates begin at the upper left corner.
pub fn square(material: usize) -> Primitive {
    let corner = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    Primitive {
        positions: vec![corner(-1.0, -1.0), corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0)],
        normals: Some(vec![Vec3::Z; 4]),
        uv: [
            Some(vec![Vec2::new(0.0, 1.0), Vec2::new(1.0, 1.0), Vec2::new(1.0, 0.0), Vec2::new(0.0, 0.0)]),
            None,
        ],
        indices: Some(vec![0, 1, 2, 0, 2, 3]),
        material,
        ..Primitive::default()
    }
}

/// A scene of one mesh per primitive.
pub fn scene(primitives: Vec<Primitive>, materials: Vec<Material>) -> Scene {
    let mesh = |p| Mesh { primitives: vec![p], ..Mesh::default() };
    Scene {
        meshes: primitives.into_iter().map(mesh).collect(),
        materials,
        samplers: vec![Sampler::default()],
        ..Scene::default()
    }
}

/// Adds a texture of 8-bit texels.
pub fn texture(scene: &mut Scene, width: u32, texels: &[[u8; 4]], sampler: Sampler) -> usize {
    let height = texels.len() as u32 / width;
    scene.images.push(Image { name: String::new(), width, height, pixels: texels.concat() });
    scene.samplers.push(sampler);
    scene.textures.push(Texture { image: scene.images.len() - 1, sampler: scene.samplers.len() - 1 });
    scene.textures.len() - 1
}

/// A frame of placed meshes.
pub fn frame(draws: &[(usize, Mat4)], lights: Vec<PlacedLight>) -> Frame {
    let draw =
        |&(mesh, world): &(usize, Mat4)| Draw { node: 0, mesh, world, joints: None, weights: Vec::new() };
    Frame {
        draws: draws.iter().map(draw).collect(),
        lights,
        bounds: Some((Vec3::splat(-10.0), Vec3::splat(10.0))),
        ..Frame::default()
    }
}

/// A white light of strength 1; `direction` is the direction in which it shines.
pub fn light(kind: LightKind, position: Vec3, direction: Vec3) -> PlacedLight {
    let light = Light { name: String::new(), kind, color: Vec3::ONE, intensity: 1.0, range: None };
    PlacedLight { light, position, direction }
}

/// An orthographic camera at +Z that sees from -1 to 1 in both directions.
pub fn flat_camera() -> PlacedCamera {
    let projection = Projection::Orthographic { xmag: 1.0, ymag: 1.0, near: 0.1, far: 100.0 };
    let world = Mat4::from_translation(Vec3::new(0.0, 0.0, 10.0));
    PlacedCamera { camera: Camera { name: String::new(), projection }, world }
}

/// A perspective camera that looks from `eye` to `target`.
pub fn camera(eye: Vec3, target: Vec3, yfov: f32) -> PlacedCamera {
    let projection = Projection::Perspective { aspect: None, yfov, near: 0.1, far: None };
    let world = Mat4::look_at_rh(eye, target, Vec3::Y).inverse();
    PlacedCamera { camera: Camera { name: String::new(), projection }, world }
}

/// Options with a black environment.
pub fn dark(width: u32, height: u32) -> Options {
    let environment = Environment::Uniform([0.0; 3]);
    Options { environment, samples: 1, background: Some([0.0; 3]), ..Options::new(width, height) }
}

/// The device of the tests that need no options: shaders that several tests use are compiled once.
pub fn device() -> &'static Device {
    static DEVICE: LazyLock<Device> = LazyLock::new(|| Device::new(DeviceOptions::default()).unwrap());
    &DEVICE
}

pub fn draw(scene: &Scene, options: &Options, frame: &Frame, camera: &PlacedCamera) -> Picture {
    Renderer::new(device(), scene, options).unwrap().render(frame, camera).unwrap()
}

/// Light at a pixel.
pub fn light_at(picture: &Picture, x: u32, y: u32) -> Vec3 {
    Vec4::from_array(picture.light[(y * picture.width + x) as usize]).truncate()
}

/// Displayed colour at a pixel.
pub fn shown_at(picture: &Picture, x: u32, y: u32) -> [u8; 3] {
    let i = ((y * picture.width + x) * 4) as usize;
    [picture.pixels[i], picture.pixels[i + 1], picture.pixels[i + 2]]
}
