//! Positions of vertices: skins, morph targets, mirrored and culled faces, cameras. Also, a picture does not depend on
//! the number of threads.

use crate::common::{
    camera, dark, device, draw, flat_camera, frame, light, light_at, scene, sphere, square, texture,
};
use glam::{Mat4, Vec2, Vec3, Vec4};
use quadrille::{Device, DeviceOptions, Error};
use quadrille_scene::draw::{Options, Renderer};
use quadrille_scene::frame::{Draw, Frame, PlacedCamera};
use quadrille_scene::model::{
    Camera, Clearcoat, Influences, LightKind, Material, Projection, Sampler, Scene, Sheen, Target, TextureRef,
};
use quadrille_scene::trace::{self, Tracer};

fn unlit() -> Material {
    Material { unlit: true, ..Material::default() }
}

/// For each quarter of the picture (upper left, upper right, lower left, lower right), true if it is covered.
fn covered(scene: &Scene, frame: &Frame) -> [bool; 4] {
    let picture = draw(scene, &dark(8, 8), frame, &flat_camera());
    [(2, 2), (5, 2), (2, 5), (5, 5)].map(|(x, y)| light_at(&picture, x, y) == Vec3::ONE)
}

/// A square over the upper right quarter.
fn quarter() -> quadrille_scene::model::Primitive {
    let mut p = square(0);
    p.positions.iter_mut().for_each(|at| *at = *at * 0.5 + Vec3::new(0.5, 0.5, 0.0));
    p
}

#[test]
fn morph_targets_are_added_by_their_weights() {
    let mut primitive = quarter();
    let to = |by: Vec3| Target { positions: Some(vec![by; 4]), ..Target::default() };
    primitive.targets = vec![to(Vec3::new(-2.0, 0.0, 0.0)), to(Vec3::new(0.0, -1.0, 0.0))];
    let scene = scene(vec![primitive], vec![unlit()]);
    let with = |weights: Vec<f32>| {
        let draw = Draw { node: 0, mesh: 0, world: Mat4::IDENTITY, joints: None, weights };
        covered(&scene, &Frame { draws: vec![draw], ..Frame::default() })
    };
    assert_eq!(with(vec![0.0, 0.0]), [false, true, false, false]);
    assert_eq!(with(vec![0.5, 0.0]), [true, false, false, false]);
    assert_eq!(with(vec![0.0, 1.0]), [false, false, false, true]);
    assert_eq!(with(vec![0.5, 1.0]), [false, false, true, false]);
}

/// Two sets of joints; the joints of the second frame begin in the middle of the list.
#[test]
fn joints_move_vertices() {
    let mut primitive = quarter();
    let set = |joints, weights| Influences { joints: vec![joints; 4], weights: vec![weights; 4] };
    primitive.influences = vec![
        set([0, 0, 0, 1], Vec4::new(0.25, 0.25, 0.0, 0.0)),
        set([2, 1, 0, 0], Vec4::new(0.25, 0.25, 0.0, 0.0)),
    ];
    let scene = scene(vec![primitive], vec![unlit()]);
    let moved = |x, y| Mat4::from_translation(Vec3::new(x, y, 0.0));
    let with = |first: usize| {
        let joints = Some(first..first + 3);
        let draw = Draw { node: 0, mesh: 0, world: Mat4::IDENTITY, joints, weights: Vec::new() };
        let joints = vec![
            // Half of the first joint's movement, and a quarter of each of the others'.
            moved(-1.0, 0.0),
            moved(-2.0, 0.0),
            moved(0.0, 0.0),
            moved(0.0, -2.0),
            moved(0.0, 0.0),
            moved(0.0, 0.0),
        ];
        covered(&scene, &Frame { draws: vec![draw], joints, ..Frame::default() })
    };
    assert_eq!(with(0), [true, false, false, false]);
    assert_eq!(with(3), [false, false, false, true]);
}

#[test]
fn back_faces_are_culled_unless_the_material_has_two_sides() {
    let turned = Mat4::from_rotation_y(std::f32::consts::PI);
    let mirrored = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0));
    let covers = |double_sided, world| {
        let scene = scene(vec![square(0)], vec![Material { double_sided, ..unlit() }]);
        covered(&scene, &frame(&[(0, world)], Vec::new())) == [true; 4]
    };
    assert!(covers(false, Mat4::IDENTITY) && covers(false, mirrored));
    assert!(!covers(false, turned) && !covers(false, turned * mirrored));
    assert!(covers(true, turned) && covers(true, mirrored));
}

/// Back faces of double-sided materials are lit as if their normal pointed to the camera.
#[test]
fn back_faces_turn_their_normals() {
    let scene =
        scene(vec![square(0)], vec![Material { double_sided: true, metallic: 0.0, ..Material::default() }]);
    let lights = || vec![light(LightKind::Directional, Vec3::ZERO, Vec3::NEG_Z)];
    let seen = |world| {
        let mut options = dark(4, 4);
        options.shadows = false;
        light_at(&draw(&scene, &options, &frame(&[(0, world)], lights()), &flat_camera()), 1, 1)
    };
    let front = seen(Mat4::IDENTITY);
    assert!(front.x > 0.3, "{front}");
    let back = seen(Mat4::from_rotation_y(std::f32::consts::PI));
    assert!((front - back).abs().max_element() < 1e-5, "{front} {back}");
}

/// On back faces, tangent, bitangent and normal of a normal texture are reversed: seen from behind, a texel that leans to the
/// right leans to the right again, and one that leans up leans down. Spec: glTF 2.0, `doubleSided`.
#[test]
fn back_faces_turn_their_normal_textures() {
    let turned = Mat4::from_rotation_y(std::f32::consts::PI);
    normal_textures_lean([(Mat4::IDENTITY, [Vec3::X, Vec3::Y]), (turned, [Vec3::X, Vec3::NEG_Y])]);
}

/// A mirrored mesh looks as in a mirror, with tangents or without: the bitangent is the cross product in the space of the
/// mesh. Spec: glTF 2.0, "Meshes", attribute `TANGENT`; "Instantiation".
#[test]
fn mirrored_meshes_mirror_their_normal_textures() {
    let [left, down] = [Vec3::new(-1.0, 1.0, 1.0), Vec3::new(1.0, -1.0, 1.0)].map(Mat4::from_scale);
    normal_textures_lean([(left, [Vec3::NEG_X, Vec3::Y]), (down, [Vec3::X, Vec3::NEG_Y])]);
}

/// Checks where a texel that leans to the right and one that leans up lean in a mesh with these places, drawn and path-traced.
fn normal_textures_lean(places: [(Mat4, [Vec3; 2]); 2]) {
    for (tangents, texel) in [(false, 0), (false, 1), (true, 0), (true, 1)] {
        let mut primitive = square(0);
        primitive.tangents = tangents.then(|| vec![Vec4::new(1.0, 0.0, 0.0, 1.0); 4]);
        let material = Material { double_sided: true, metallic: 0.0, ..Material::default() };
        let mut scene = scene(vec![primitive], vec![material]);
        let texels = [[218, 128, 218, 255], [128, 218, 218, 255]];
        let texture = texture(&mut scene, 1, &texels[texel..=texel], Sampler::default());
        scene.materials[0].normal_texture =
            Some(TextureRef { texture, uv_set: 0, offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE });
        let options = Options { shadows: false, draft_environment: true, ..dark(4, 4) };
        let options = trace::Options { draw: options, max_bounces: Some(0), ..trace::Options::new(1, 1) };
        let mut tracer = Tracer::new(device(), &scene, &options).unwrap();
        for (world, leans) in places {
            let seen = [1.0, -1.0].map(|sign| {
                let way = (sign * -leans[texel] - Vec3::Z).normalize();
                let frame = frame(&[(0, world)], vec![light(LightKind::Directional, Vec3::ZERO, way)]);
                let drawn = draw(&scene, &options.draw, &frame, &flat_camera());
                tracer.begin(&frame, &flat_camera()).unwrap();
                tracer.add(0..1, |_| true).unwrap();
                [drawn, tracer.picture().unwrap()].map(|picture| light_at(&picture, 1, 1).x)
            });
            for (towards, away) in seen[0].into_iter().zip(seen[1]) {
                assert!(towards > 0.25 && away < 0.05, "{tangents} {texel} {world}: {towards} {away}");
            }
        }
    }
}

/// A camera wider than the picture shows its full width, a higher camera its full height.
#[test]
fn cameras_show_what_they_promise() {
    let scene = scene(vec![square(0)], vec![unlit()]);
    let frame = frame(&[(0, Mat4::from_scale(Vec3::new(0.5, 0.5, 1.0)))], Vec::new());
    let lit = |projection, (width, height)| {
        let world = Mat4::from_translation(Vec3::new(0.0, 0.0, 2.0));
        let camera = PlacedCamera { camera: Camera { name: String::new(), projection }, world };
        let picture = draw(&scene, &dark(width, height), &frame, &camera);
        let columns = (0..width).filter(|x| light_at(&picture, *x, height / 2).x > 0.0).count();
        let rows = (0..height).filter(|y| light_at(&picture, width / 2, *y).x > 0.0).count();
        (columns, rows)
    };
    // At distance 2, a field of view of 90 degrees is 4 high: the height of the square is a quarter of it.
    let yfov = std::f32::consts::FRAC_PI_2;
    let perspective = |aspect, far| Projection::Perspective { aspect, yfov, near: 0.5, far };
    assert_eq!(lit(perspective(None, Some(10.0)), (32, 32)), (8, 8));
    assert_eq!(lit(perspective(None, None), (64, 32)), (8, 8));
    assert_eq!(lit(perspective(Some(2.0), None), (64, 32)), (8, 8));
    assert_eq!(lit(perspective(Some(2.0), None), (32, 32)), (4, 4));
    assert_eq!(lit(perspective(None, Some(1.9)), (32, 32)), (0, 0), "beyond the far plane");
    let flat = |xmag, ymag| Projection::Orthographic { xmag, ymag, near: 0.0, far: 3.0 };
    assert_eq!(lit(flat(1.0, 1.0), (32, 32)), (16, 16));
    assert_eq!(lit(flat(2.0, 1.0), (64, 32)), (16, 16));
    assert_eq!(lit(flat(2.0, 1.0), (32, 32)), (8, 8));
}

/// A scene with every property of materials, in all kinds of light.
fn everything() -> (Scene, Frame) {
    let base = |roughness| Material { metallic: 0.0, roughness, ..Material::default() };
    let materials = vec![
        base(0.9),
        Material { clearcoat: Clearcoat { factor: 1.0, ..Clearcoat::default() }, ..base(0.6) },
        Material { sheen: Sheen { color: Vec3::X, roughness: 0.4, ..Sheen::default() }, ..base(0.8) },
        Material { transmission: 0.8, ..base(0.2) },
        Material { metallic: 1.0, ..base(0.3) },
    ];
    let mut primitives: Vec<_> = (1..5).map(sphere).collect();
    primitives.push(square(0));
    let floor = Mat4::from_translation(Vec3::new(0.0, -1.0, 0.0))
        * Mat4::from_rotation_x(-std::f32::consts::FRAC_PI_2)
        * Mat4::from_scale(Vec3::splat(8.0));
    let at = |i: usize| Mat4::from_translation(Vec3::new(2.1 * i as f32 - 3.15, 0.0, 0.0));
    let mut draws: Vec<_> = (0..4).map(|i| (i, at(i))).collect();
    draws.push((4, floor));
    let spot = LightKind::Spot { inner: 0.2, outer: 0.7 };
    let lights = vec![
        light(LightKind::Directional, Vec3::ZERO, Vec3::new(0.3, -0.9, -0.3).normalize()),
        light(LightKind::Point, Vec3::new(0.0, 3.0, 2.0), Vec3::NEG_Y),
        light(spot, Vec3::new(-2.0, 4.0, 3.0), Vec3::new(0.4, -0.8, -0.6).normalize()),
    ];
    (scene(primitives, materials), frame(&draws, lights))
}

#[test]
fn pictures_do_not_depend_on_threads() {
    let (scene, frame) = everything();
    let camera = camera(Vec3::new(0.0, 2.0, 9.0), Vec3::ZERO, 0.6);
    let with = |threads| {
        let device = Device::new(DeviceOptions { threads, ..DeviceOptions::default() }).unwrap();
        let mut renderer = Renderer::new(&device, &scene, &Options::new(96, 54)).unwrap();
        let first = renderer.render(&frame, &camera).unwrap();
        let again = renderer.render(&frame, &camera).unwrap();
        assert!(first.light == again.light, "the second frame differs from the first");
        assert_eq!(renderer.warnings(), [""; 0]);
        first
    };
    let (one, three) = (with(1), with(3));
    assert!(one.light == three.light && one.pixels == three.pixels);
    let mean = one.light.iter().map(|l| l[1]).sum::<f32>() / one.light.len() as f32;
    assert!((0.2..2.0).contains(&mean), "{mean}");
}

#[test]
fn what_cannot_be_drawn_is_refused() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let empty = scene(Vec::new(), vec![Material::default()]);
    let refused = |options: Options| Renderer::new(&device, &empty, &options).err().unwrap();
    assert!(matches!(refused(Options::new(0, 4)), Error::Limit(_)));
    assert!(matches!(refused(Options::new(4, 1 << 20)), Error::Limit(_)));
    assert!(matches!(refused(Options { samples: 3, ..Options::new(4, 4) }), Error::Invalid { .. }));
    assert!(matches!(refused(Options { samples: 64, ..Options::new(4, 4) }), Error::Invalid { .. }));
    assert!(matches!(refused(Options { exposure: f32::NAN, ..Options::new(4, 4) }), Error::Invalid { .. }));
    let small = Device::new(DeviceOptions { heap_bytes: 64 << 20, ..DeviceOptions::default() }).unwrap();
    let large = Renderer::new(&small, &empty, &Options::new(16384, 16384)).err().unwrap();
    assert!(matches!(large, Error::OutOfMemory(_)), "{large}");

    let mut renderer = Renderer::new(&device, &empty, &Options::new(4, 4)).unwrap();
    let wrong = frame(&[(7, Mat4::IDENTITY)], Vec::new());
    assert!(matches!(renderer.render(&wrong, &flat_camera()), Err(Error::Invalid { .. })));
    // More primitives than a frame may have, which a small file could demand.
    let mut many = scene(vec![square(0)], vec![unlit()]);
    many.meshes[0].primitives = vec![many.meshes[0].primitives[0].clone(); 257];
    let mut crowd = Renderer::new(&device, &many, &Options::new(4, 4)).unwrap();
    let places = frame(&vec![(0, Mat4::IDENTITY); 4096], Vec::new());
    assert!(matches!(crowd.render(&places, &flat_camera()), Err(Error::Limit(_))));
    // An empty scene shows its environment.
    let picture = renderer.render(&Frame::default(), &flat_camera()).unwrap();
    assert!(picture.light[0][2] > 0.1);
}

/// A warning counts the lights that exceed the maximum.
#[test]
fn lights_that_are_left_out_are_told_of() {
    let device = Device::new(DeviceOptions::default()).unwrap();
    let scene = scene(vec![square(0)], vec![Material::default()]);
    let lights = vec![light(LightKind::Point, Vec3::Z, Vec3::NEG_Z); 300];
    let mut renderer = Renderer::new(&device, &scene, &Options { samples: 1, ..Options::new(4, 4) }).unwrap();
    renderer.render(&frame(&[(0, Mat4::IDENTITY)], lights), &flat_camera()).unwrap();
    let [lights, shadows] = renderer.warnings() else { panic!("{:?}", renderer.warnings()) };
    assert!(lights.starts_with("44 of") && shadows.starts_with("252 of"), "{lights} {shadows}");
}
