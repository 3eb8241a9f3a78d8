//! Scenes over time. Expected values are computed by hand from glTF 2.0, "Animations", "Skins" and appendix C.

mod files;

use files::{F32, File, U8, floats};
use glam::{Mat4, Quat, Vec3, Vec4};
use quadrille_scene::animate::{self, Play};
use quadrille_scene::frame::Frame;
use quadrille_scene::model::Scene;
use serde_json::{Value, json};

/// A triangle whose node, 0, a channel animates.
fn moved(path: &str, interpolation: &str, times: &[f32], values: &[f32]) -> File {
    let mut file = File::triangle();
    add(&mut file, path, interpolation, times, values);
    file
}

fn add(file: &mut File, path: &str, interpolation: &str, times: &[f32], values: &[f32]) {
    let (kind, each) = match path {
        "rotation" => ("VEC4", 4),
        "weights" => ("SCALAR", 1),
        _ => ("VEC3", 3),
    };
    let input = file.accessor(F32, "SCALAR", times.len(), &floats(times));
    let output = file.accessor(F32, kind, values.len() / each, &floats(values));
    file.push(
        "animations",
        json!({
            "samplers": [{ "input": input, "output": output, "interpolation": interpolation }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": path } }],
        }),
    );
}

fn frame(scene: &Scene, time: f32) -> Frame {
    animate::frame(scene, Play::Together, time).unwrap()
}

fn world(scene: &Scene, time: f32) -> Mat4 {
    frame(scene, time).draws[0].world
}

fn near(got: Vec3, expected: [f32; 3]) {
    assert!(got.abs_diff_eq(Vec3::from(expected), 1e-5), "{got}, not {expected:?}");
}

#[test]
fn steps_hold_until_the_next_key() {
    let file = moved("translation", "STEP", &[1.0, 2.0, 4.0], &[1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 3.0, 0.0, 0.0]);
    let scene = file.load().unwrap();
    assert_eq!(scene.animations[0].duration, 4.0);
    for (time, x) in [(0.0, 1.0), (1.0, 1.0), (1.99, 1.0), (2.0, 2.0), (3.99, 2.0), (4.0, 3.0)] {
        near(world(&scene, time).w_axis.truncate(), [x, 0.0, 0.0]);
    }
}

/// Spec: "Linear Interpolation". Outside of the keys, the nearest key applies; at the end, the animation restarts.
#[test]
fn lines_are_between_keys() {
    let file = moved("translation", "LINEAR", &[1.0, 3.0], &[1.0, 2.0, 3.0, 5.0, 2.0, -1.0]);
    let scene = file.load().unwrap();
    let rows = [
        (0.0, [1.0, 2.0, 3.0]),
        (1.0, [1.0, 2.0, 3.0]),
        (1.5, [2.0, 2.0, 2.0]),
        (2.0, [3.0, 2.0, 1.0]),
        (3.0, [5.0, 2.0, -1.0]),
        // The animation lasts three seconds.
        (3.5, [1.0, 2.0, 3.0]),
        (5.0, [3.0, 2.0, 1.0]),
    ];
    for (time, expected) in rows {
        near(world(&scene, time).w_axis.truncate(), expected);
    }
    let scene = moved("scale", "LINEAR", &[0.0, 1.0], &[1.0, 1.0, 1.0, 3.0, 1.0, 0.0]).load().unwrap();
    near(world(&scene, 0.25).transform_point3(Vec3::ONE), [1.5, 1.0, 0.75]);
}

/// Spec: "Spherical Linear Interpolation": the shorter arc, at constant speed.
#[test]
fn rotations_are_on_the_shorter_arc() {
    let (s30, c30) = (0.5, 0.75f32.sqrt());
    // From the identity to 120 degrees about z, which is (0, 0, sin 60, cos 60). The second file has the negated
    // quaternion, which is the same rotation.
    for sign in [1.0, -1.0] {
        let to = [0.0, 0.0, sign * c30, sign * s30];
        let values = [0.0, 0.0, 0.0, 1.0, to[0], to[1], to[2], to[3]];
        let scene = moved("rotation", "LINEAR", &[0.0, 2.0], &values).load().unwrap();
        // 60 degrees after half of the time, 30 degrees after a quarter.
        near(world(&scene, 1.0).transform_vector3(Vec3::X), [0.5, c30, 0.0]);
        near(world(&scene, 0.5).transform_vector3(Vec3::X), [c30, 0.5, 0.0]);
        near(world(&scene, 2.0).transform_vector3(Vec3::X), [-0.5, c30, 0.0]);
    }
    // A tiny rotation, and none.
    let tiny = [0.0, 0.0, 0.0, 1.0, 1e-4, 0.0, 0.0, 1.0];
    let scene = moved("rotation", "LINEAR", &[0.0, 1.0], &tiny).load().unwrap();
    near(world(&scene, 0.5).transform_vector3(Vec3::Y), [0.0, 1.0, 1e-4]);
    // Rotations as integers, as in quantized files.
    let mut file = moved("rotation", "STEP", &[0.0], &[0.0; 4]);
    let output = file.accessor(files::I8, "VEC4", 1, &[0, 0, 127, 0]);
    file.set(&format!("/accessors/{output}/normalized"), json!(true));
    file.set("/animations/0/samplers/0/output", json!(output));
    near(world(&file.load().unwrap(), 0.0).transform_vector3(Vec3::X), [-1.0, 0.0, 0.0]);
}

/// Spec: "Cubic Spline Interpolation", by its equation with t = 1/4 of 2 seconds:
/// v = 27/32 v0 + 2 * 9/64 b0 + 5/32 v1 + 2 * -3/64 a1.
#[test]
fn splines_take_tangents_by_seconds() {
    let values = [
        [9.0, 9.0, 9.0],
        [1.0, 0.0, 0.0],
        [0.0, 8.0, 0.0],
        [0.0, 0.0, 16.0],
        [3.0, 0.0, 0.0],
        [9.0, 9.0, 9.0],
    ];
    let scene = moved("translation", "CUBICSPLINE", &[1.0, 3.0], values.as_flattened()).load().unwrap();
    let x = 27.0 / 32.0 + 3.0 * 5.0 / 32.0;
    near(world(&scene, 1.5).w_axis.truncate(), [x, 8.0 * 18.0 / 64.0, 16.0 * -6.0 / 64.0]);
    for (time, expected) in [(0.0, [1.0, 0.0, 0.0]), (1.0, [1.0, 0.0, 0.0]), (3.0, [3.0, 0.0, 0.0])] {
        near(world(&scene, time).w_axis.truncate(), expected);
    }
    // Rotations are normalized afterwards: half way from the identity to half a turn about z is a quarter turn.
    let zero = [0.0; 4];
    let values = [zero, [0.0, 0.0, 0.0, 1.0], zero, zero, [0.0, 0.0, 1.0, 0.0], zero];
    let scene = moved("rotation", "CUBICSPLINE", &[0.0, 1.0], values.as_flattened()).load().unwrap();
    near(world(&scene, 0.5).transform_vector3(Vec3::X), [0.0, 1.0, 0.0]);
}

/// A triangle with two targets, which move its vertices along z by 1 and along x by 10.
fn morphing() -> File {
    let mut file = File::triangle();
    let lift = file.accessor(F32, "VEC3", 3, &floats(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]));
    let push = file.accessor(F32, "VEC3", 3, &floats(&[10.0, 0.0, 0.0, 10.0, 0.0, 0.0, 10.0, 0.0, 0.0]));
    file.set("/meshes/0/primitives/0/targets", json!([{ "POSITION": lift }, { "POSITION": push }]));
    file
}

/// Spec: "Morph Targets", "Instantiation": weights of the animation, otherwise of the node, otherwise of the mesh,
/// otherwise 0.
#[test]
fn weights_come_from_the_nearest() {
    let mut file = morphing();
    let weights = |file: &File, time| frame(&file.load().unwrap(), time).draws[0].weights.clone();
    assert_eq!(weights(&file, 0.0), [0.0, 0.0]);
    file.set("/meshes/0/weights", json!([0.25, 0.5]));
    assert_eq!(weights(&file, 0.0), [0.25, 0.5]);
    let bounds = frame(&file.load().unwrap(), 0.0).bounds.unwrap();
    assert_eq!(bounds, (Vec3::new(5.0, 0.0, 0.25), Vec3::new(6.0, 1.0, 0.25)));
    file.set("/nodes/0/weights", json!([1, 0]));
    assert_eq!(weights(&file, 0.0), [1.0, 0.0]);
    let mut linear = file.clone();
    add(&mut linear, "weights", "LINEAR", &[0.0, 1.0], &[0.0, 1.0, 1.0, 3.0]);
    assert_eq!(weights(&linear, 0.5), [0.5, 2.0]);
    // A key of a spline has all incoming tangents first, then all values, then all outgoing tangents.
    let keys = [[9.0, 9.0, 0.0, 1.0, 8.0, 0.0], [0.0, 8.0, 1.0, 3.0, 9.0, 9.0]];
    add(&mut file, "weights", "CUBICSPLINE", &[0.0, 1.0], keys.as_flattened());
    // At the middle, the value is v0 / 2 + b0 / 8 + v1 / 2 - a1 / 8.
    assert_eq!(weights(&file, 0.5), [0.5 + 1.0, 0.5 + 1.5 - 1.0]);
    // Too few values.
    let output = file.json["animations"][0]["samplers"][0]["output"].as_u64().unwrap();
    file.set(&format!("/accessors/{output}/count"), json!(11));
    assert!(file.load().is_err());
}

/// Spec: "Joint Hierarchy", "Skinned Mesh Attributes": the joints place a mesh, and its node does not.
#[test]
fn joints_place_a_mesh() {
    let mut file = File::triangle();
    file.attribute("JOINTS_0", U8, "VEC4", 3, &[0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
    let weights = [1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0];
    file.attribute("WEIGHTS_0", F32, "VEC4", 3, &floats(&weights));
    let bind = [Mat4::IDENTITY, Mat4::from_translation(Vec3::new(0.0, -1.0, 0.0))];
    let bind = file.accessor(F32, "MAT4", 2, &floats(bind.map(|m| m.to_cols_array()).as_flattened()));
    file.push("nodes", json!({ "children": [2], "translation": [0, 0, 5] }));
    // The second joint has its bind position, but is rotated by half a turn about x, and moves with the first joint.
    file.push("nodes", json!({ "translation": [0, 1, 0], "rotation": [1, 0, 0, 0] }));
    file.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": bind }));
    file.set("/nodes/0/skin", json!(0)).set("/nodes/0/translation", json!([100, 100, 100]));
    file.set("/scenes/0/nodes", json!([0, 1]));
    let scene = file.load().unwrap();
    let frame = frame(&scene, 0.0);
    let draw = &frame.draws[0];
    assert_eq!((draw.world, draw.joints.clone(), frame.joints.len()), (Mat4::IDENTITY, Some(0..2), 2));
    let at = |vertex| animate::place(&scene.meshes[0].primitives[0], vertex, draw, Some(&frame.joints));
    near(at(0), [0.0, 0.0, 5.0]);
    // For (1, 0, 0), half stays there, and half is rotated about (0, 1, 5) to (1, 2, 5).
    near(at(1), [1.0, 1.0, 5.0]);
    // (0, 1, 0) is the position of the second joint.
    near(at(2), [0.0, 1.0, 5.0]);
    let (low, high) = frame.bounds.unwrap();
    near(low, [0.0, 0.0, 5.0]);
    near(high, [1.0, 1.0, 5.0]);
}

#[test]
fn places_multiply_along_the_tree() {
    let mut file = File::new();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // Rotated by a quarter turn about y, and scaled by two.
    file.push("nodes", json!({ "children": [1], "rotation": [0, half, 0, half], "scale": [2, 2, 2] }));
    let here = json!({ "KHR_lights_punctual": { "light": 0 } });
    file.push("nodes", json!({ "translation": [1, 0, 0], "camera": 1, "extensions": here }));
    file.push("nodes", json!({ "translation": [0, 7, 0], "camera": 0 }));
    for _ in 0..2 {
        file.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1, "znear": 1 } }));
    }
    file.set("/extensions", json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot" }] } }));
    let frame = frame(&file.load().unwrap(), 0.0);
    // The rotation maps x to -z, and -z to -x.
    near(frame.lights[0].position, [0.0, 0.0, -2.0]);
    near(frame.lights[0].direction, [-1.0, 0.0, 0.0]);
    // Cameras in the order of the file; scale does not affect them.
    near(frame.cameras[0].world.w_axis.truncate(), [0.0, 7.0, 0.0]);
    let camera = &frame.cameras[1];
    assert!((camera.world.determinant() - 1.0).abs() < 1e-5);
    // A point three metres in front of the camera.
    near(camera.view().transform_point3(Vec3::new(-3.0, 0.5, -2.0)), [0.0, 0.5, -3.0]);
    assert!(frame.bounds.is_none() && frame.draws.is_empty());
}

/// The matrix of an animated node becomes translation, rotation and scale.
#[test]
fn matrices_that_move_become_parts() {
    let mut file = moved("translation", "STEP", &[0.0], &[7.0, 8.0, 9.0]);
    let turn = Quat::from_xyzw(0.0, 0.0, 0.6, 0.8);
    let matrix = Mat4::from_scale_rotation_translation(Vec3::new(1.0, 2.0, 3.0), turn, Vec3::ONE);
    file.set("/nodes/0/matrix", json!(matrix.to_cols_array()));
    let mut expected = matrix;
    expected.w_axis = Vec4::new(7.0, 8.0, 9.0, 1.0);
    assert!(world(&file.load().unwrap(), 0.0).abs_diff_eq(expected, 1e-5));
}

#[test]
fn animations_that_do_not_touch_play_together() {
    let mut file = moved("translation", "STEP", &[0.0], &[1.0, 0.0, 0.0]);
    add(&mut file, "translation", "STEP", &[0.0], &[2.0, 0.0, 0.0]);
    add(&mut file, "scale", "LINEAR", &[0.0, 4.0], &[1.0, 1.0, 1.0, 5.0, 5.0, 5.0]);
    let scene = file.load().unwrap();
    let at = |play| {
        let world = animate::frame(&scene, play, 1.0).unwrap().draws[0].world;
        (world.w_axis.x, world.x_axis.x)
    };
    assert_eq!(at(Play::Together), (1.0, 2.0));
    assert_eq!(at(Play::Only(1)), (2.0, 1.0));
    assert_eq!(at(Play::Only(2)), (0.0, 2.0));
    assert_eq!(at(Play::Rest), (0.0, 1.0));
    assert!(animate::frame(&scene, Play::Only(3), 0.0).is_err());
}

/// Nodes and vertices that are too far away are an error, not an empty picture.
#[test]
fn what_is_too_far_is_refused() {
    let far = |pointer: &str, value: Value| {
        let mut file = File::triangle();
        let scene = file.set(pointer, value).load().unwrap();
        animate::frame(&scene, Play::Together, 0.0).unwrap_err().to_string()
    };
    assert!(far("/nodes/0/translation", json!([1e30, 0, 0])).contains("node 0"));
    assert!(far("/nodes/0/scale", json!([1e38, 1e38, 1e38])).contains("node 0"));
    // Two valid scales whose product is too large.
    let mut file = File::triangle();
    file.set("/nodes/0/scale", json!([1e30, 1, 1]));
    file.push("nodes", json!({ "scale": [1e30, 1, 1], "children": [0] }));
    let scene = file.set("/scenes/0/nodes", json!([1])).load().unwrap();
    assert!(animate::frame(&scene, Play::Together, 0.0).is_err());
}

/// A mesh of many vertices, drawn by very many nodes.
#[test]
fn work_without_end_is_refused() {
    let mut file = File::triangle();
    let indices = file.accessor(U8, "SCALAR", 30_000, &[0; 30_000]);
    file.set("/meshes/0/primitives/0/indices", json!(indices));
    let nodes = vec![json!({ "mesh": 0 }); 10_000];
    file.set("/nodes", json!(nodes.clone())).set("/scenes/0/nodes", json!((0..10_000).collect::<Vec<_>>()));
    let scene = file.load().unwrap();
    let error = animate::frame(&scene, Play::Together, 0.0).unwrap_err();
    assert!(matches!(error, quadrille_scene::Error::Limit(_)), "{error}");

    // A mesh of many sets of joints.
    let mut file = File::triangle();
    let joints = file.accessor(U8, "VEC4", 3, &[0; 12]);
    let weights = file.accessor(F32, "VEC4", 3, &floats(&[0.25; 12]));
    for set in 0..10_000 {
        let attribute = |name: &str| format!("/meshes/0/primitives/0/attributes/{name}_{set}");
        file.set(&attribute("JOINTS"), json!(joints)).set(&attribute("WEIGHTS"), json!(weights));
    }
    file.push("skins", json!({ "joints": [0] }));
    let skinned = vec![json!({ "mesh": 0, "skin": 0 }); 10_000];
    file.set("/nodes", json!(skinned)).set("/scenes/0/nodes", json!((0..10_000).collect::<Vec<_>>()));
    let error = animate::frame(&file.load().unwrap(), Play::Together, 0.0).unwrap_err();
    assert!(matches!(error, quadrille_scene::Error::Limit(_)), "{error}");

    // A mesh of many empty targets.
    let mut file = File::triangle();
    file.set("/meshes/0/primitives/0/targets", json!(vec![json!({}); 10_000]));
    file.set("/nodes", json!(nodes)).set("/scenes/0/nodes", json!((0..10_000).collect::<Vec<_>>()));
    let error = animate::frame(&file.load().unwrap(), Play::Together, 0.0).unwrap_err();
    assert!(matches!(error, quadrille_scene::Error::Limit(_)), "{error}");
}
