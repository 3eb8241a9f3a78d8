//! Vertices, nodes, skins, cameras, lights.

use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use quadrille_scene::animate::{self, Play};
use quadrille_scene::load::{self, Limits};
use quadrille_scene::model::{LightKind, Material, Primitive, Projection, Scene, Topology, Transform, Trs};
use serde_json::json;

use crate::files::{F32, File, I8, I16, U8, U16, U32, data_uri, floats, shorts};

pub fn primitive(scene: &Scene) -> &Primitive {
    &scene.meshes[0].primitives[0]
}

#[test]
fn a_triangle_has_what_the_file_has_not() {
    let scene = File::triangle().load().unwrap();
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    assert_eq!((scene.roots, scene.nodes.len(), scene.nodes[0].mesh), (vec![0], 1, Some(0)));
    assert_eq!((scene.materials.len(), &scene.materials[0]), (1, &Material::default()));
    let p = &scene.meshes[0].primitives[0];
    assert_eq!((p.topology, p.material, p.count(), &p.indices), (Topology::Triangles, 0, 3, &None));
    assert_eq!(p.positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
    assert_eq!(p.normals.as_deref(), Some(&[Vec3::Z; 3][..]));
    assert!(p.uv == [None, None] && p.tangents.is_none() && p.colors.is_none() && p.influences.is_empty());
}

/// Spec: "Animations", the equations of normalized integers, which quantized attributes also use.
#[test]
fn components_are_decoded_by_their_type() {
    let rows: [(u32, bool, &[u8], [f32; 3]); 9] = [
        (I8, false, &[1, 0x80, 0xff], [1.0, -128.0, -1.0]),
        (I8, true, &[127, 0x80, 0x81], [1.0, -1.0, -1.0]),
        (U8, false, &[1, 128, 255], [1.0, 128.0, 255.0]),
        (U8, true, &[0, 51, 255], [0.0, 0.2, 1.0]),
        (I16, false, &[1, 0, 0, 0x80, 0xff, 0xff], [1.0, -32768.0, -1.0]),
        (I16, true, &[0xff, 0x7f, 0, 0x80, 1, 0x80], [1.0, -1.0, -1.0]),
        (U16, false, &[1, 0, 0, 0x80, 0xff, 0xff], [1.0, 32768.0, 65535.0]),
        (U16, true, &[0, 0, 0x33, 0x33, 0xff, 0xff], [0.0, 0.2, 1.0]),
        (F32, false, &[0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0, 0, 0, 0, 0x3f], [1.0, -2.0, 0.5]),
    ];
    for (component, normalized, bytes, expected) in rows {
        let mut file = File::triangle();
        let three = [bytes, bytes, bytes].concat();
        let accessor = file.attribute("POSITION", component, "VEC3", 3, &three);
        file.set(&format!("/accessors/{accessor}/normalized"), json!(normalized));
        let scene = file.load().unwrap();
        let got = primitive(&scene).positions[2].to_array();
        assert_eq!(got, expected, "{component} {normalized}");
    }
}

#[test]
fn elements_lie_apart_and_begin_late() {
    let mut file = File::triangle();
    // Three vertices: an unused word, position, texture coordinates.
    let mut bytes = floats(&[9.0; 2]);
    for i in 0..3 {
        let i = i as f32;
        bytes.extend(floats(&[9.0, i, i + 0.25, i + 0.5, i * 10.0, i * 20.0]));
    }
    // The last element may end at the end of the view.
    let view = file.view(&bytes);
    file.set(&format!("/bufferViews/{view}/byteStride"), json!(24));
    for (name, kind, offset) in [("POSITION", "VEC3", 12), ("TEXCOORD_0", "VEC2", 24)] {
        let accessor = json!({ "bufferView": view, "byteOffset": offset, "componentType": F32, "type": kind, "count": 3 });
        let accessor = file.push("accessors", accessor);
        file.set(&format!("/meshes/0/primitives/0/attributes/{name}"), json!(accessor));
    }
    let scene = file.load().unwrap();
    assert_eq!(primitive(&scene).positions[1], Vec3::new(1.0, 1.25, 1.5));
    assert_eq!(primitive(&scene).positions[2], Vec3::new(2.0, 2.25, 2.5));
    let uv = [Vec2::ZERO, Vec2::new(10.0, 20.0), Vec2::new(20.0, 40.0)];
    assert_eq!(primitive(&scene).uv[0].as_deref(), Some(&uv[..]));
    // One byte more is out of range.
    file.set("/accessors/2/byteOffset", json!(25));
    assert!(file.load().is_err());
}

/// Spec: "Sparse Accessors".
#[test]
fn sparse_elements_replace_dense_ones_or_zeros() {
    for (dense, expected) in [
        (true, [Vec3::ZERO, Vec3::new(7.0, 8.0, 9.0), Vec3::Y, Vec3::new(4.0, 5.0, 6.0)]),
        (false, [Vec3::ZERO, Vec3::new(7.0, 8.0, 9.0), Vec3::ZERO, Vec3::new(4.0, 5.0, 6.0)]),
    ] {
        for (component, bytes) in
            [(U8, vec![1, 3]), (U16, shorts(&[1, 3])), (U32, vec![1, 0, 0, 0, 3, 0, 0, 0])]
        {
            let mut file = File::triangle();
            let base = floats(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
            let accessor = file.attribute("POSITION", F32, "VEC3", 4, &base);
            if !dense {
                file.json["accessors"][accessor].as_object_mut().unwrap().remove("bufferView");
            }
            let (indices, values) = (file.view(&bytes), file.view(&floats(&[7.0, 8.0, 9.0, 4.0, 5.0, 6.0])));
            file.set(
                &format!("/accessors/{accessor}/sparse"),
                json!({
                    "count": 2,
                    "indices": { "bufferView": indices, "componentType": component },
                    "values": { "bufferView": values },
                }),
            );
            file.set("/meshes/0/primitives/0/mode", json!(0));
            let scene = file.load().unwrap();
            assert_eq!(primitive(&scene).positions, expected, "{dense} {component}");
        }
    }
}

#[test]
fn vertices_that_no_index_names_are_dropped() {
    let mut file = File::triangle();
    let positions: Vec<f32> = (0..300).map(|i| i as f32).collect();
    file.attribute("POSITION", F32, "VEC3", 100, &floats(&positions));
    file.attribute("NORMAL", F32, "VEC3", 100, &floats(&positions));
    for (component, bytes) in [
        (U8, vec![70, 5, 70, 99]),
        (U16, shorts(&[70, 5, 70, 99])),
        (U32, [70u32, 5, 70, 99].map(u32::to_le_bytes).concat()),
    ] {
        let indices = file.accessor(component, "SCALAR", 4, &bytes);
        file.set("/meshes/0/primitives/0/indices", json!(indices));
        file.set("/meshes/0/primitives/0/mode", json!(5));
        let scene = file.load().unwrap();
        let p = primitive(&scene);
        let at = |i: f32| Vec3::new(i * 3.0, i * 3.0 + 1.0, i * 3.0 + 2.0);
        assert_eq!(p.positions, [at(5.0), at(70.0), at(99.0)]);
        // A strip of four vertices is two triangles, the second with reversed order.
        assert_eq!(p.indices.as_deref(), Some(&[1, 0, 1, 0, 2, 1][..]));
        assert!(p.normals.as_ref().unwrap()[1].abs_diff_eq(at(70.0).normalize(), 1e-6));
    }
}

/// Spec: "Meshes": missing normals become flat ones, also for each morph target; tangents are then ignored.
#[test]
fn flat_normals_are_of_each_face() {
    let mut file = File::triangle();
    file.attribute(
        "POSITION",
        F32,
        "VEC3",
        4,
        &floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0]),
    );
    file.attribute("TANGENT", F32, "VEC4", 4, &floats(&[1.0; 16]));
    let indices = file.accessor(U8, "SCALAR", 6, &[0, 1, 2, 0, 2, 3]);
    // The target moves the second vertex from (2, 0, 0) to (0, 0, -2).
    let moved = [0.0, 0.0, 0.0, -2.0, 0.0, -2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    let target = file.accessor(F32, "VEC3", 4, &floats(&moved));
    file.set("/meshes/0/primitives/0/indices", json!(indices));
    file.set("/meshes/0/primitives/0/targets", json!([{ "POSITION": target }]));
    let scene = file.load().unwrap();
    let p = primitive(&scene);
    assert_eq!(p.normals.as_deref(), Some(&[Vec3::Z, Vec3::Z, Vec3::Z, Vec3::X, Vec3::X, Vec3::X][..]));
    assert!(p.tangents.is_none() && p.indices.is_none() && p.count() == 6);
    // The first face then faces (0, 0, -2) x (0, 2, 0) = (4, 0, 0); the second is unchanged.
    let deltas = p.targets[0].normals.as_deref().unwrap();
    assert_eq!(
        deltas,
        [Vec3::X - Vec3::Z, Vec3::X - Vec3::Z, Vec3::X - Vec3::Z, Vec3::ZERO, Vec3::ZERO, Vec3::ZERO]
    );
    assert_eq!(scene.meshes[0].weights, [0.0]);
    assert_eq!(p.targets[0].positions.as_ref().unwrap()[1], Vec3::new(-2.0, 0.0, -2.0));
}

#[test]
fn attributes_have_the_values_that_drawing_needs() {
    let mut file = File::triangle();
    // The third normal is zero, so that of the triangle replaces it.
    file.attribute("NORMAL", F32, "VEC3", 3, &floats(&[0.0, 0.0, 4.0, 0.0, 3.0, 4.0, 0.0, 0.0, 0.0]));
    let tangents = [2.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0, -1.0, 1.0, 0.0, 0.0, 1.0];
    file.attribute("TANGENT", F32, "VEC4", 3, &floats(&tangents));
    file.attribute("COLOR_0", F32, "VEC3", 3, &floats(&[0.5, 2.0, -1.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0]));
    file.attribute("TEXCOORD_1", U8, "VEC2", 3, &[0, 255, 0, 0, 255, 0]);
    let uv = file.json["accessors"].as_array().unwrap().len() - 1;
    file.set(&format!("/accessors/{uv}/normalized"), json!(true));
    file.attribute("TEXCOORD_2", F32, "VEC2", 3, &floats(&[0.0; 6]));
    file.attribute("_CUSTOM", F32, "SCALAR", 3, &floats(&[0.0; 3]));
    let scene = file.load().unwrap();
    let p = primitive(&scene);
    assert_eq!(p.normals.as_deref(), Some(&[Vec3::Z, Vec3::new(0.0, 0.6, 0.8), Vec3::Z][..]));
    let tangents =
        [Vec4::new(1.0, 0.0, 0.0, 1.0), Vec4::new(0.0, 1.0, 0.0, -1.0), Vec4::new(1.0, 0.0, 0.0, 1.0)];
    assert_eq!(p.tangents.as_deref(), Some(&tangents[..]));
    assert_eq!(p.colors.as_ref().unwrap()[0], Vec4::new(0.5, 1.0, 0.0, 1.0));
    assert_eq!(p.uv[0], None);
    assert_eq!(p.uv[1].as_ref().unwrap()[0], Vec2::new(0.0, 1.0));
    assert_eq!(scene.warnings, ["attribute TEXCOORD_2 is ignored"]);
}

pub fn skinned() -> File {
    let mut file = File::triangle();
    file.attribute("JOINTS_0", U8, "VEC4", 3, &[0, 1, 9, 0, 1, 0, 0, 0, 1, 1, 1, 1]);
    let weights = [0.5, 1.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
    file.attribute("WEIGHTS_0", F32, "VEC4", 3, &floats(&weights));
    file.attribute("JOINTS_1", U16, "VEC4", 3, &shorts(&[0; 12]));
    file.attribute("WEIGHTS_1", U8, "VEC4", 3, &[0, 0, 0, 0, 128, 0, 0, 0, 0, 0, 0, 0]);
    let last = file.json["accessors"].as_array().unwrap().len() - 1;
    file.set(&format!("/accessors/{last}/normalized"), json!(true));
    let mut matrices = Vec::new();
    for x in [1.0, 2.0] {
        matrices.extend(Mat4::from_translation(Vec3::new(x, 0.0, 0.0)).to_cols_array());
    }
    let matrices = file.accessor(F32, "MAT4", 2, &floats(&matrices));
    file.push("nodes", json!({}));
    file.push("nodes", json!({}));
    file.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": matrices }));
    file.set("/nodes/0/skin", json!(0));
    file
}

/// Spec: "Skinned Mesh Attributes". Joints of weight 0 may have any index.
#[test]
fn weights_of_joints_sum_up_to_one() {
    let scene = skinned().load().unwrap();
    let p = primitive(&scene);
    assert_eq!(p.influences.len(), 2);
    assert_eq!(p.influences[0].joints, [[0, 1, 0, 0], [1, 0, 0, 0], [0; 4]]);
    assert_eq!(p.influences[0].weights[0], Vec4::new(0.25, 0.75, 0.0, 0.0));
    let sum = 0.5 + 128.0 / 255.0;
    assert!((p.influences[0].weights[1].x - 0.5 / sum).abs() < 1e-6);
    assert!((p.influences[1].weights[1].x - (128.0 / 255.0) / sum).abs() < 1e-6);
    // A vertex without weights moves with the first joint.
    assert_eq!(p.influences[0].weights[2], Vec4::X);
    assert_eq!(scene.skins[0].joints, [1, 2]);
    assert_eq!(scene.skins[0].inverse_bind[1], Mat4::from_translation(Vec3::new(2.0, 0.0, 0.0)));

    let mut file = skinned();
    file.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    assert_eq!(file.load().unwrap().skins[0].inverse_bind, [Mat4::IDENTITY; 2]);
}

#[test]
fn buffers_are_in_uris_and_files_too() {
    let mut file = File::triangle();
    let length = file.data.len();
    file.set("/buffers", json!([{ "byteLength": length, "uri": data_uri(&file.data) }]));
    let text = file.json.to_string();
    let scene = load::bytes(text.as_bytes(), None, &Limits::default()).unwrap();
    assert_eq!(primitive(&scene).positions[1], Vec3::X);
    // With a byte order mark, and integers with a decimal point.
    let text = format!("\u{feff}{}", text.replace("\"count\":3", "\"count\":3.0"));
    assert!(text.contains("3.0"));
    assert!(load::bytes(text.as_bytes(), None, &Limits::default()).is_ok());
}

/// Spec: "Nodes and Hierarchy", "Transformations".
#[test]
fn nodes_are_trees() {
    let mut file = File::new();
    let matrix = Mat4::from_translation(Vec3::new(1.0, 2.0, 3.0));
    file.push(
        "nodes",
        json!({ "children": [2, 1], "translation": [1, 2, 3], "rotation": [0, 0, 2, 0], "scale": [4, 5, 6] }),
    );
    file.push("nodes", json!({ "matrix": matrix.to_cols_array(), "name": "moved" }));
    file.push("nodes", json!({}));
    file.push("nodes", json!({}));
    let scene = file.load().unwrap();
    assert_eq!(scene.roots, [0, 3], "without a scene all are shown");
    let parents: Vec<_> = scene.nodes.iter().map(|n| n.parent).collect();
    assert_eq!(parents, [None, Some(0), Some(0), None]);
    let trs = Trs {
        translation: Vec3::new(1.0, 2.0, 3.0),
        rotation: Quat::from_xyzw(0.0, 0.0, 1.0, 0.0),
        scale: Vec3::new(4.0, 5.0, 6.0),
    };
    assert_eq!(scene.nodes[0].transform, Transform::Trs(trs));
    // Half a turn about z, after the scale.
    let at = scene.nodes[0].transform.matrix().transform_point3(Vec3::ONE);
    assert!(at.abs_diff_eq(Vec3::new(-3.0, -3.0, 9.0), 1e-5), "{at}");
    assert_eq!(scene.nodes[1].transform, Transform::Matrix(matrix));
    assert_eq!(scene.nodes[2].transform, Transform::Trs(Trs::default()));

    file.push("scenes", json!({ "nodes": [3] }));
    file.push("scenes", json!({ "nodes": [0], "name": "second" }));
    assert_eq!(file.load().unwrap().roots, [3]);
    let scene = file.set("/scene", json!(1)).load().unwrap();
    assert_eq!((scene.roots, &*scene.name), (vec![0], "second"));
    // A very long chain of nodes.
    let mut chain = File::new();
    for i in 0..20_000 {
        chain.push("nodes", if i + 1 < 20_000 { json!({ "children": [i + 1] }) } else { json!({}) });
    }
    assert_eq!(chain.load().unwrap().roots, [0]);
}

/// Spec: "Cameras", KHR_lights_punctual with its defaults.
#[test]
fn cameras_and_lights() {
    let mut file = File::new();
    file.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1.0, "znear": 0.5 } }));
    let full = json!({ "yfov": 0.5, "znear": 1, "zfar": 10, "aspectRatio": 2 });
    file.push("cameras", json!({ "type": "perspective", "perspective": full, "name": "far" }));
    let flat = json!({ "xmag": 3, "ymag": 2, "znear": 0, "zfar": 9 });
    file.push("cameras", json!({ "type": "orthographic", "orthographic": flat }));
    file.set(
        "/extensions",
        json!({ "KHR_lights_punctual": { "lights": [
            { "type": "directional" },
            { "type": "point", "color": [0.5, 0.25, 1.0], "intensity": 20.0, "range": 4.0, "name": "lamp" },
            { "type": "spot" },
            { "type": "spot", "spot": { "innerConeAngle": 0.25, "outerConeAngle": 0.5 } },
        ] } }),
    );
    file.push("nodes", json!({ "camera": 2, "extensions": { "KHR_lights_punctual": { "light": 1 } } }));
    let scene = file.load().unwrap();
    let projections: Vec<_> = scene.cameras.iter().map(|c| c.projection).collect();
    assert_eq!(
        projections,
        [
            Projection::Perspective { aspect: None, yfov: 1.0, near: 0.5, far: None },
            Projection::Perspective { aspect: Some(2.0), yfov: 0.5, near: 1.0, far: Some(10.0) },
            Projection::Orthographic { xmag: 3.0, ymag: 2.0, near: 0.0, far: 9.0 },
        ]
    );
    let kinds: Vec<_> = scene.lights.iter().map(|l| (l.kind, l.color, l.intensity, l.range)).collect();
    let quarter = std::f32::consts::FRAC_PI_4;
    assert_eq!(
        kinds,
        [
            (LightKind::Directional, Vec3::ONE, 1.0, None),
            (LightKind::Point, Vec3::new(0.5, 0.25, 1.0), 20.0, Some(4.0)),
            (LightKind::Spot { inner: 0.0, outer: quarter }, Vec3::ONE, 1.0, None),
            (LightKind::Spot { inner: 0.25, outer: 0.5 }, Vec3::ONE, 1.0, None),
        ]
    );
    assert_eq!((scene.nodes[0].camera, scene.nodes[0].light), (Some(2), Some(1)));
}

/// The scene of the repository contains everything that it demonstrates, and moves.
#[test]
fn the_snail_is_whole() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes/snail.gltf");
    let scene = load::file(&path, &Limits::default()).unwrap();
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    assert_eq!((scene.skins.len(), scene.skins[0].joints.len(), scene.cameras.len()), (1, 9, 1));
    assert_eq!((scene.animations[0].duration, scene.materials.len()), (4.0, 9));
    assert!(scene.meshes.iter().any(|m| m.weights.len() == 1));
    let at = |time| animate::frame(&scene, Play::Together, time).unwrap();
    let (start, later, end) = (at(0.0), at(1.0), at(4.0));
    assert!(
        start.joints != later.joints
            && start.draws.iter().zip(&later.draws).any(|(a, b)| a.weights != b.weights)
    );
    // The animation repeats.
    let near = start.joints.iter().zip(&end.joints).all(|(a, b)| a.abs_diff_eq(*b, 1e-4));
    assert!(near, "{:?} {:?}", start.joints, end.joints);
}
