//! Loading of glTF: expected values are those of the glTF 2.0 specification and its extensions, by hand.

mod files;

use files::{F32, File, I8, I16, U8, U16, U32, data_uri, floats, png, shorts};
use glam::{Mat4, Quat, Vec2, Vec3, Vec4};
use quadrille_scene::Error;
use quadrille_scene::animate::{self, Play};
use quadrille_scene::load::{self, Limits};
use quadrille_scene::model::{
    AlphaMode, Clearcoat, Filter, LightKind, Material, Primitive, Projection, Sampler, Scene, Sheen,
    Specular, TextureRef, Topology, Transform, Trs, Volume, Wrap,
};
use serde_json::{Value, json};

fn primitive(scene: &Scene) -> &Primitive {
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

/// Spec: "Animations", the equations of normalized integers, which quantized attributes use too.
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
    // Three vertices: a word that is not read, position, texture coordinates.
    let mut bytes = floats(&[9.0; 2]);
    for i in 0..3 {
        let i = i as f32;
        bytes.extend(floats(&[9.0, i, i + 0.25, i + 0.5, i * 10.0, i * 20.0]));
    }
    // The last element may end with the view.
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
    // One byte more is too far.
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
        // A strip of four vertices is two triangles, the second turned round.
        assert_eq!(p.indices.as_deref(), Some(&[1, 0, 1, 0, 2, 1][..]));
        assert!(p.normals.as_ref().unwrap()[1].abs_diff_eq(at(70.0).normalize(), 1e-6));
    }
}

/// Spec: "Meshes": flat normals where there are none, for each morph target too; tangents do not count then.
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
    // The first face then looks along (0, 0, -2) x (0, 2, 0) = (4, 0, 0); the second stays.
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
    // The third normal is none: the triangle's is taken.
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

fn skinned() -> File {
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

/// Spec: "Skinned Mesh Attributes". Joints of weight 0 may be anything.
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
    // Without any weight a vertex moves with the first joint.
    assert_eq!(p.influences[0].weights[2], Vec4::X);
    assert_eq!(scene.skins[0].joints, [1, 2]);
    assert_eq!(scene.skins[0].inverse_bind[1], Mat4::from_translation(Vec3::new(2.0, 0.0, 0.0)));

    let mut file = skinned();
    file.json["skins"][0].as_object_mut().unwrap().remove("inverseBindMatrices");
    assert_eq!(file.load().unwrap().skins[0].inverse_bind, [Mat4::IDENTITY; 2]);
}

/// Defaults of the core and of each extension.
#[test]
fn materials_have_defaults() {
    let mut file = File::triangle();
    file.push("materials", json!({}));
    let names = ["clearcoat", "emissive_strength", "ior", "sheen", "specular", "transmission", "volume"];
    let extensions = names.map(|n| (format!("KHR_materials_{n}"), json!({})));
    file.push(
        "materials",
        json!({ "extensions": extensions.into_iter().collect::<serde_json::Map<_, _>>() }),
    );
    let scene = file.load().unwrap();
    let expected = Material {
        name: String::new(),
        base_color: Vec4::ONE,
        base_color_texture: None,
        metallic: 1.0,
        roughness: 1.0,
        metallic_roughness_texture: None,
        normal_texture: None,
        normal_scale: 1.0,
        occlusion_texture: None,
        occlusion_strength: 1.0,
        emissive: Vec3::ZERO,
        emissive_texture: None,
        alpha: AlphaMode::Opaque,
        double_sided: false,
        unlit: false,
        clearcoat: Clearcoat {
            factor: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        },
        transmission: 0.0,
        transmission_texture: None,
        sheen: Sheen { color: Vec3::ZERO, color_texture: None, roughness: 0.0, roughness_texture: None },
        ior: 1.5,
        specular: Specular { factor: 1.0, texture: None, color: Vec3::ONE, color_texture: None },
        volume: Volume {
            thickness: 0.0,
            thickness_texture: None,
            attenuation_distance: None,
            attenuation_color: Vec3::ONE,
        },
    };
    assert_eq!(scene.materials, [expected.clone(), expected.clone(), expected]);
}

/// A file with sixteen textures of one picture.
fn textured() -> File {
    let mut file = File::triangle();
    let view = file.view(&png(2, 1, [1, 2, 3, 4]));
    file.push("images", json!({ "bufferView": view, "mimeType": "image/png", "name": "small" }));
    for _ in 0..16 {
        file.push("textures", json!({ "source": 0 }));
    }
    file
}

fn texture(number: usize) -> Option<TextureRef> {
    let one = TextureRef { texture: number, uv_set: 0, offset: Vec2::ZERO, rotation: 0.0, scale: Vec2::ONE };
    Some(one)
}

#[test]
fn materials_have_what_files_say() {
    let mut file = textured();
    // In the order in which they are met, so that the numbers of the file and of the scene are the same.
    file.push(
        "materials",
        json!({
            "name": "all",
            "pbrMetallicRoughness": {
                "baseColorFactor": [0.1, 0.2, 0.3, 0.4], "baseColorTexture": { "index": 0 },
                "metallicFactor": 0.5, "roughnessFactor": 0.25, "metallicRoughnessTexture": { "index": 1 },
            },
            "normalTexture": { "index": 2, "scale": -2.0 },
            "occlusionTexture": { "index": 3, "strength": 0.75 },
            "emissiveTexture": { "index": 4 }, "emissiveFactor": [1.0, 0.5, 0.25],
            "alphaMode": "MASK", "alphaCutoff": 0.125, "doubleSided": true,
            "extensions": {
                "KHR_materials_unlit": {},
                "KHR_materials_emissive_strength": { "emissiveStrength": 4.0 },
                "KHR_materials_clearcoat": {
                    "clearcoatFactor": 0.9, "clearcoatTexture": { "index": 5 },
                    "clearcoatRoughnessFactor": 0.8, "clearcoatRoughnessTexture": { "index": 6 },
                    "clearcoatNormalTexture": { "index": 7, "scale": 0.7 },
                },
                "KHR_materials_transmission": { "transmissionFactor": 0.6, "transmissionTexture": { "index": 8 } },
                "KHR_materials_sheen": {
                    "sheenColorFactor": [0.5, 0.25, 0.125], "sheenColorTexture": { "index": 9 },
                    "sheenRoughnessFactor": 0.3, "sheenRoughnessTexture": { "index": 10 },
                },
                "KHR_materials_ior": { "ior": 1.33 },
                "KHR_materials_specular": {
                    "specularFactor": 0.2, "specularTexture": { "index": 11 },
                    "specularColorFactor": [2.0, 1.0, 0.5], "specularColorTexture": { "index": 12 },
                },
                "KHR_materials_volume": {
                    "thicknessFactor": 3.0, "thicknessTexture": { "index": 13 },
                    "attenuationDistance": 5.0, "attenuationColor": [0.1, 0.9, 0.8],
                },
            },
        }),
    );
    let scene = file.load().unwrap();
    let expected = Material {
        name: "all".into(),
        base_color: Vec4::new(0.1, 0.2, 0.3, 0.4),
        base_color_texture: texture(0),
        metallic: 0.5,
        roughness: 0.25,
        metallic_roughness_texture: texture(1),
        normal_texture: texture(2),
        normal_scale: -2.0,
        occlusion_texture: texture(3),
        occlusion_strength: 0.75,
        emissive: Vec3::new(4.0, 2.0, 1.0),
        emissive_texture: texture(4),
        alpha: AlphaMode::Mask { cutoff: 0.125 },
        double_sided: true,
        unlit: true,
        clearcoat: Clearcoat {
            factor: 0.9,
            texture: texture(5),
            roughness: 0.8,
            roughness_texture: texture(6),
            normal_texture: texture(7),
            normal_scale: 0.7,
        },
        transmission: 0.6,
        transmission_texture: texture(8),
        sheen: Sheen {
            color: Vec3::new(0.5, 0.25, 0.125),
            color_texture: texture(9),
            roughness: 0.3,
            roughness_texture: texture(10),
        },
        ior: 1.33,
        specular: Specular {
            factor: 0.2,
            texture: texture(11),
            color: Vec3::new(2.0, 1.0, 0.5),
            color_texture: texture(12),
        },
        volume: Volume {
            thickness: 3.0,
            thickness_texture: texture(13),
            attenuation_distance: Some(5.0),
            attenuation_color: Vec3::new(0.1, 0.9, 0.8),
        },
    };
    assert_eq!(scene.materials[0], expected);
    // Textures that no material names are not there, and the picture is there once.
    assert_eq!((scene.textures.len(), scene.images.len()), (14, 1));
    let image = &scene.images[0];
    assert_eq!((&*image.name, image.width, image.height), ("small", 2, 1));
    assert_eq!(image.pixels, [1, 2, 3, 4, 1, 2, 3, 4]);
}

/// Spec: KHR_texture_transform.
#[test]
fn textures_are_moved() {
    let mut file = textured();
    let transform = json!({ "offset": [0.25, -1.0], "rotation": 1.5, "scale": [2.0, 0.5], "texCoord": 1 });
    let info = |extension: Value| json!({ "index": 0, "extensions": { "KHR_texture_transform": extension } });
    file.push("materials", json!({ "emissiveTexture": info(transform), "normalTexture": info(json!({})) }));
    let mut other = info(json!({ "scale": [3.0, 3.0] }));
    other["texCoord"] = json!(1);
    file.push(
        "materials",
        json!({ "emissiveTexture": other, "occlusionTexture": { "index": 0, "texCoord": 2 } }),
    );
    let scene = file.load().unwrap();
    let moved = TextureRef {
        texture: 0,
        uv_set: 1,
        offset: Vec2::new(0.25, -1.0),
        rotation: 1.5,
        scale: Vec2::new(2.0, 0.5),
    };
    assert_eq!(scene.materials[0].emissive_texture, Some(moved));
    assert_eq!(scene.materials[0].normal_texture, texture(0));
    let set = scene.materials[1].emissive_texture.unwrap();
    assert_eq!((set.uv_set, set.scale), (1, Vec2::splat(3.0)));
    assert_eq!(scene.materials[1].occlusion_texture, texture(0));
    assert_eq!(scene.warnings.len(), 1, "{:?}", scene.warnings);
}

/// Spec: "Samplers".
#[test]
fn samplers_have_the_numbers_of_gl() {
    use Filter::{Linear, Nearest};
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 }, "normalTexture": { "index": 1 } }));
    let (repeat, clamp, mirror) = (Wrap::Repeat, Wrap::ClampToEdge, Wrap::MirroredRepeat);
    let rows = [
        (json!({}), Sampler { mag: Linear, min: Linear, mip: Some(Linear), wrap: [repeat; 2] }),
        (
            json!({ "magFilter": 9728, "minFilter": 9728 }),
            Sampler { mag: Nearest, min: Nearest, mip: None, wrap: [repeat; 2] },
        ),
        (
            json!({ "magFilter": 9729, "minFilter": 9729 }),
            Sampler { mag: Linear, min: Linear, mip: None, wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9984 }),
            Sampler { mag: Linear, min: Nearest, mip: Some(Nearest), wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9985 }),
            Sampler { mag: Linear, min: Linear, mip: Some(Nearest), wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9986 }),
            Sampler { mag: Linear, min: Nearest, mip: Some(Linear), wrap: [repeat; 2] },
        ),
        (
            json!({ "minFilter": 9987, "wrapS": 33071, "wrapT": 33648 }),
            Sampler { mag: Linear, min: Linear, mip: Some(Linear), wrap: [clamp, mirror] },
        ),
        (
            json!({ "wrapS": 33648, "wrapT": 10497 }),
            Sampler { mag: Linear, min: Linear, mip: Some(Linear), wrap: [mirror, repeat] },
        ),
    ];
    for (from, _) in &rows {
        file.push("samplers", from.clone());
    }
    file.set("/textures/1/sampler", json!(6));
    let scene = file.load().unwrap();
    for (i, (from, expected)) in rows.iter().enumerate() {
        assert_eq!(scene.samplers[i], *expected, "{from}");
    }
    let sampler = |of: &Option<TextureRef>| scene.textures[of.unwrap().texture].sampler;
    let material = &scene.materials[0];
    assert_eq!((sampler(&material.emissive_texture), sampler(&material.normal_texture)), (8, 6));
    assert_eq!(scene.samplers[8], Sampler::default());
    for wrong in [json!({ "magFilter": 9984 }), json!({ "minFilter": 1 }), json!({ "wrapS": 33070 })] {
        assert!(file.clone().set("/samplers/0", wrong.clone()).load().is_err(), "{wrong}");
    }
}

#[test]
fn pictures_become_rgba_of_8_bits() {
    let encode = |picture: image::DynamicImage, format| {
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    };
    let grey = image::DynamicImage::ImageLuma8(image::GrayImage::from_pixel(1, 1, image::Luma([77])));
    let wide = image::ImageBuffer::from_pixel(1, 1, image::Rgba([0xffffu16, 0x8080, 0x0000, 0x4040]));
    let wide = image::DynamicImage::ImageRgba16(wide);
    let jpeg = image::DynamicImage::ImageRgb8(image::RgbImage::from_pixel(8, 8, image::Rgb([128, 128, 128])));
    let rows = [
        (encode(grey, image::ImageFormat::Png), [77, 77, 77, 255]),
        (encode(wide, image::ImageFormat::Png), [255, 128, 0, 64]),
        (encode(jpeg, image::ImageFormat::Jpeg), [128, 128, 128, 255]),
    ];
    let folder = std::env::temp_dir().join(format!("quadrille-scene-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("t")).unwrap();
    for (bytes, expected) in rows {
        std::fs::write(folder.join("t/a b.img"), &bytes).unwrap();
        for uri in [data_uri(&bytes), "t/a%20b.img".to_owned()] {
            let mut file = textured();
            file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
            file.set("/images/0", json!({ "uri": uri }));
            let scene = load::bytes(&file.glb(), Some(&folder), &Limits::default()).unwrap();
            assert_eq!(scene.images[0].pixels[..4], expected);
        }
    }
    // Of a folder that nobody gave, nothing is read.
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/images/0", json!({ "uri": "t/a%20b.img" }));
    assert!(file.load().is_err());
    std::fs::write(folder.join("scene.glb"), file.glb()).unwrap();
    assert_eq!(
        load::file(&folder.join("scene.glb"), &Limits::default()).unwrap().images[0].name,
        "t/a%20b.img"
    );
    // Pictures of another type, and none at all.
    for (bytes, text) in [
        (&b"RIFF\x1c\0\0\0WEBPVP8L"[..], "WebP"),
        (b"\xabKTX 20\xbb\r\n\x1a\n", "KTX2"),
        (b"hello", "no picture"),
        (b"", "no picture"),
    ] {
        file.set("/images/0", json!({ "uri": data_uri(bytes) }));
        let error = file.load().unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn buffers_are_in_uris_and_files_too() {
    let mut file = File::triangle();
    let length = file.data.len();
    file.set("/buffers", json!([{ "byteLength": length, "uri": data_uri(&file.data) }]));
    let text = file.json.to_string();
    let scene = load::bytes(text.as_bytes(), None, &Limits::default()).unwrap();
    assert_eq!(primitive(&scene).positions[1], Vec3::X);
    // With a byte order mark, and integers with a point.
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
    // Half a turn about z, after scaling.
    let at = scene.nodes[0].transform.matrix().transform_point3(Vec3::ONE);
    assert!(at.abs_diff_eq(Vec3::new(-3.0, -3.0, 9.0), 1e-5), "{at}");
    assert_eq!(scene.nodes[1].transform, Transform::Matrix(matrix));
    assert_eq!(scene.nodes[2].transform, Transform::Trs(Trs::default()));

    file.push("scenes", json!({ "nodes": [3] }));
    file.push("scenes", json!({ "nodes": [0], "name": "second" }));
    assert_eq!(file.load().unwrap().roots, [3]);
    let scene = file.set("/scene", json!(1)).load().unwrap();
    assert_eq!((scene.roots, &*scene.name), (vec![0], "second"));
    // A chain as long as it likes.
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

/// Extensions that are required and not known are refused by name, others are warned of.
#[test]
fn extensions_are_told_by_name() {
    for name in [
        "KHR_texture_basisu",
        "KHR_draco_mesh_compression",
        "EXT_meshopt_compression",
        "KHR_meshopt_compression",
        "EXT_texture_webp",
        "VENDOR_new",
    ] {
        let mut file = File::triangle();
        file.set("/extensionsUsed", json!([name]));
        assert_eq!(file.load().unwrap().warnings, [format!("extension {name} is ignored")]);
        match file.set("/extensionsRequired", json!([name])).load() {
            Err(Error::Unsupported { what, .. }) => assert!(what.contains(name), "{what}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let mut file = File::triangle();
    file.set("/extensionsRequired", json!(["KHR_mesh_quantization", "KHR_texture_transform"]));
    assert!(file.load().unwrap().warnings.is_empty());

    // Not required, but there is nothing else.
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/textures/0", json!({ "extensions": { "KHR_texture_basisu": { "source": 0 } } }));
    let error = file.load().unwrap_err();
    assert!(
        matches!(&error, Error::Unsupported { what, .. } if what.contains("KHR_texture_basisu")),
        "{error}"
    );
    // With another picture that one is taken.
    file.set("/textures/0/source", json!(0));
    assert_eq!(file.load().unwrap().images.len(), 1);

    let mut file = File::triangle();
    file.set(
        "/buffers",
        json!([{ "byteLength": 36, "extensions": { "EXT_meshopt_compression": { "fallback": true } } }]),
    );
    let error = load::bytes(file.json.to_string().as_bytes(), None, &Limits::default()).unwrap_err();
    assert!(matches!(&error, Error::Unsupported { what, .. } if what.contains("EXT_meshopt")), "{error}");

    let mut file = File::triangle();
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    file.set("/extensionsUsed", json!(["KHR_draco_mesh_compression"]));
    let error = file.load().unwrap_err();
    assert!(matches!(&error, Error::Unsupported { what, .. } if what.contains("KHR_draco")), "{error}");
}

/// Each row sets one thing in a file that is right; the error says what is wrong and where.
#[test]
fn errors_say_where() {
    let right = || {
        let mut file = skinned();
        let indices = file.accessor(U8, "SCALAR", 3, &[0, 1, 2]);
        file.set("/meshes/0/primitives/0/indices", json!(indices));
        let view = file.view(&png(1, 1, [0; 4]));
        file.push("images", json!({ "bufferView": view }));
        file.push("textures", json!({ "source": 0, "sampler": 0 }));
        file.push("samplers", json!({}));
        file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
        file.push("cameras", json!({ "type": "perspective", "perspective": { "yfov": 1, "znear": 1 } }));
        file.set(
            "/extensions",
            json!({ "KHR_lights_punctual": { "lights": [{ "type": "spot", "spot": {} }] } }),
        );
        file.push("nodes", json!({ "camera": 0, "extensions": { "KHR_lights_punctual": { "light": 0 } } }));
        let input = file.accessor(F32, "SCALAR", 2, &floats(&[0.0, 1.0]));
        let output = file.accessor(F32, "VEC3", 2, &floats(&[0.0; 6]));
        file.push(
            "animations",
            json!({
                "samplers": [{ "input": input, "output": output }],
                "channels": [{ "sampler": 0, "target": { "node": 1, "path": "scale" } }],
            }),
        );
        let length = file.data.len();
        file.set("/buffers", json!([{ "byteLength": length }]));
        file
    };
    right().load().unwrap();
    let rows: &[(&str, Value, &str)] = &[
        ("/asset/version", json!("1.0"), "version 1.0"),
        ("/asset", json!([]), "asset: "),
        ("/nodes", json!({}), "nodes is not an array"),
        ("/nodes/0", json!(7), "nodes[0]: invalid type: integer `7`, expected an object"),
        ("/nodes/0/mesh", json!(1), "nodes[0]: mesh 1 does not exist, there are 1"),
        ("/nodes/0/mesh", json!(4294967296u64), "nodes[0]: mesh 4294967296"),
        (
            "/nodes/0/mesh",
            json!(-1),
            "nodes[0]: invalid value: integer `-1`, expected an integer that is not negative",
        ),
        ("/nodes/0/skin", json!(1), "nodes[0]: skin 1"),
        ("/nodes/0/children", json!([0]), "node 0 is below itself"),
        ("/nodes/0/children", json!([9]), "nodes[0]: children: node 9"),
        ("/nodes/0/children", json!([1, 1]), "node 1 is a child of node 0 and of node 0"),
        ("/nodes/0/rotation", json!([0, 0, 0, 0]), "nodes[0]: the rotation has no length"),
        (
            "/nodes/0/translation",
            json!([1e39, 0, 0]),
            "nodes[0]: invalid value: floating point `1e+39`, expected a number that a 32-bit float holds",
        ),
        (
            "/nodes/0/matrix",
            json!([1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
            "nodes[0]: the last row",
        ),
        ("/nodes/0/weights", json!([1]), "nodes[0]: there are 1 weights, the mesh has 0 targets"),
        ("/nodes/3/camera", json!(1), "nodes[3]: camera 1"),
        ("/nodes/3/extensions", json!({ "KHR_lights_punctual": { "light": 1 } }), "nodes[3]: light 1"),
        ("/scene", json!(1), "scene 1"),
        ("/scenes/0/nodes", json!([0, 0]), "node 0 is twice"),
        ("/meshes/0/weights", json!([1]), "meshes[0]: there are 1 weights for 0 targets"),
        ("/meshes/0/primitives/0/mode", json!(7), "meshes[0]: primitives[0]: the mode 7"),
        ("/meshes/0/primitives/0/material", json!(2), "meshes[0]: primitives[0]: material 2"),
        ("/meshes/0/primitives/0/indices", json!(0), "indices: accessors[0]: the type is `VEC3`"),
        ("/meshes/0/primitives/0/attributes/NORMAL", json!(99), "primitives[0]: NORMAL: accessor 99"),
        (
            "/meshes/0/primitives/0/attributes/TEXCOORD_0",
            json!(0),
            "TEXCOORD_0: accessors[0]: the type is `VEC3`, not VEC2",
        ),
        ("/accessors/0/count", json!(4), "accessors[0]: 4 elements of 12 bytes"),
        ("/accessors/0/count", json!(2), "index 2 at 2, but there are 2 vertices"),
        ("/accessors/0/count", json!(u64::MAX), "accessors[0]: 18446744073709551615 elements"),
        ("/accessors/1/count", json!(2), "JOINTS_0 has 2 elements, there are 3 vertices"),
        ("/accessors/0/byteOffset", json!(1), "accessors[0]: 3 elements"),
        ("/accessors/0/byteOffset", json!(u64::MAX), "accessors[0]: 3 elements"),
        ("/accessors/0/componentType", json!(5124), "accessors[0]: the component type 5124"),
        ("/accessors/0/bufferView", json!(99), "accessors[0]: buffer view 99"),
        ("/accessors/1/componentType", json!(F32), "JOINTS_0: accessors[1]"),
        ("/bufferViews/0/byteStride", json!(8), "accessors[0]: elements of 12 bytes are 8 bytes apart"),
        ("/bufferViews/0/buffer", json!(1), "bufferViews[0]: buffer 1"),
        (
            "/bufferViews/0/byteLength",
            json!(u64::MAX),
            "bufferViews[0]: 18446744073709551615 bytes from byte 0",
        ),
        ("/bufferViews/0/byteOffset", json!(u64::MAX), "bufferViews[0]: "),
        ("/buffers/0/byteLength", json!(100_000), "buffers[0] is to have 100000 bytes"),
        ("/buffers/0/uri", json!("data:;base64,A"), "buffers[0]: data URI"),
        ("/buffers/0/uri", json!("../secret"), "outside of the folder"),
        ("/buffers/0/uri", json!("https://a/b"), "has a scheme"),
        ("/skins/0/joints", json!([9]), "skins[0]: node 9"),
        ("/skins/0/joints", json!([1]), "nodes[0]: the mesh has joint 1, but the skin has 1 joints"),
        ("/skins/0/joints", json!([1, 2, 0]), "skins[0]: there are 2 inverse bind matrices for 3 joints"),
        ("/images/0", json!({}), "images[0]: an image has a URI or a buffer view"),
        ("/images/0/bufferView", json!(0), "images[0]: this is no picture"),
        ("/textures/0/source", json!(1), "materials[0]: emissiveTexture: image"),
        ("/textures/0/sampler", json!(1), "materials[0]: emissiveTexture: sampler 1"),
        ("/materials/0/emissiveTexture/index", json!(1), "materials[0]: emissiveTexture: texture 1"),
        ("/materials/0/alphaMode", json!("HALF"), "materials[0]: the alpha mode `HALF`"),
        (
            "/materials/0/emissiveFactor",
            json!([1, 1]),
            "materials[0]: invalid length 2, expected an array of length 3",
        ),
        (
            "/materials/0/extensions",
            json!({ "KHR_materials_ior": { "ior": 0.5 } }),
            "materials[0]: the index of refraction",
        ),
        (
            "/materials/0/extensions",
            json!({ "KHR_materials_sheen": 1 }),
            "materials[0]: extensions.KHR_materials_sheen",
        ),
        ("/cameras/0/type", json!("fisheye"), "cameras[0]: the type `fisheye`"),
        ("/cameras/0/perspective/yfov", json!(4), "cameras[0]: "),
        ("/cameras/0/perspective/zfar", json!(1), "cameras[0]: "),
        ("/extensions/KHR_lights_punctual/lights/0/type", json!("area"), "lights[0]: the type `area`"),
        (
            "/extensions/KHR_lights_punctual/lights/0/spot",
            json!({ "outerConeAngle": 2 }),
            "lights[0]: the inner cone",
        ),
        ("/extensions/KHR_lights_punctual/lights/0/range", json!(0), "lights[0]: the range"),
        ("/animations/0/channels/0/sampler", json!(1), "animations[0]: channels[0]: sampler 1"),
        ("/animations/0/channels/0/target/node", json!(9), "animations[0]: channels[0]: node 9"),
        ("/animations/0/channels/0/target/path", json!("colour"), "the path `colour`"),
        ("/animations/0/channels/0/target/path", json!("rotation"), "output: accessors["),
        ("/animations/0/samplers/0/interpolation", json!("SINE"), "the interpolation `SINE`"),
        ("/animations/0/samplers/0/interpolation", json!("CUBICSPLINE"), "there are 2 values, 6 are needed"),
        ("/animations/0/samplers/0/input", json!(0), "input: accessors[0]: the type is `VEC3`"),
    ];
    for (pointer, value, text) in rows {
        let mut file = right();
        let error = file.set(pointer, value.clone()).load().expect_err(&format!("{pointer} = {value}"));
        let error = error.to_string();
        assert!(error.contains(text), "{pointer} = {value}: {error}");
    }
    // What is in the data: a vertex at infinity, an index that is too great, keys that go back.
    let data: [(&str, &[u8], &str); 3] = [
        ("VEC3", &f32::INFINITY.to_le_bytes(), "POSITION: accessors[0]: element 0 is not finite"),
        ("SCALAR", &[3], "index 3 at 0, but there are 3 vertices"),
        ("SCALAR", &2.0f32.to_le_bytes(), "before the one in front of it"),
    ];
    for (i, (_, bytes, text)) in data.iter().enumerate() {
        let mut file = right();
        let accessor = match i {
            0 => 0,
            1 => file.json["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize,
            _ => file.json["animations"][0]["samplers"][0]["input"].as_u64().unwrap() as usize,
        };
        let view = file.json["accessors"][accessor]["bufferView"].as_u64().unwrap() as usize;
        let from = file.json["bufferViews"][view]["byteOffset"].as_u64().unwrap() as usize;
        file.data[from..from + bytes.len()].copy_from_slice(bytes);
        let error = file.load().unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
}

#[test]
fn what_is_not_whole_is_left_out() {
    let mut file = File::triangle();
    let indices = file.accessor(U8, "SCALAR", 5, &[0, 1, 2, 0, 1]);
    file.set("/meshes/0/primitives/0/indices", json!(indices));
    let scene = file.load().unwrap();
    assert_eq!((primitive(&scene).count(), scene.warnings.len()), (3, 1));
    file.set("/meshes/0/primitives/0/attributes", json!({}));
    let scene = file.load().unwrap();
    assert_eq!((scene.meshes[0].primitives.len(), scene.warnings.len()), (0, 1));
    // Points and lines need no normals.
    let mut file = File::triangle();
    let scene = file.set("/meshes/0/primitives/0/mode", json!(2)).load().unwrap();
    assert_eq!((primitive(&scene).topology, primitive(&scene).count()), (Topology::Lines, 6));
    assert!(primitive(&scene).normals.is_none());
}

/// Little text does not take much memory.
#[test]
fn what_is_huge_is_refused() {
    let limit = |file: &File, limits: &Limits| match load::bytes(&file.glb(), None, limits) {
        Err(Error::Limit(_)) => {}
        other => panic!("{other:?}"),
    };
    // A billion zeros of a sparse accessor.
    let mut file = File::triangle();
    let (indices, values) = (file.view(&[0]), file.view(&floats(&[0.0; 3])));
    file.set(
        "/accessors/0",
        json!({
            "componentType": F32, "type": "VEC3", "count": 1_000_000_000,
            "sparse": {
                "count": 1, "indices": { "bufferView": indices, "componentType": U8 },
                "values": { "bufferView": values },
            },
        }),
    );
    limit(&file, &Limits::default());
    // One buffer that very many primitives decode.
    let mut file = File::triangle();
    let positions = file.accessor(F32, "VEC3", 3000, &floats(&[0.0; 9000]));
    let one = json!({ "attributes": { "POSITION": positions } });
    file.set("/meshes/0/primitives", json!(vec![one; 1000]));
    limit(&file, &Limits { bytes: 10 << 20, ..Limits::default() });
    // Pictures larger than an image of the device, and more than may be decoded.
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/images/0", json!({ "uri": data_uri(&png(20, 4000, [0; 4])) }));
    limit(&file, &Limits { image_dimension: 3999, ..Limits::default() });
    limit(&file, &Limits { bytes: 100_000, ..Limits::default() });
    assert!(file.load().is_ok());
}

#[test]
fn panoramas_are_linear() {
    let encode = |picture: image::DynamicImage, format| {
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    };
    let texels = image::Rgb32FImage::from_fn(4, 2, |x, y| image::Rgb([x as f32, y as f32 * 0.5, 1000.0]));
    let bright = image::DynamicImage::ImageRgb32F(texels);
    for format in [image::ImageFormat::Hdr, image::ImageFormat::OpenExr] {
        let got = load::panorama_bytes(&encode(bright.clone(), format), &Limits::default()).unwrap();
        assert_eq!((got.width, got.height, got.texels.len()), (4, 2, 8));
        // Radiance has 8 bits beside the exponent of the greatest component.
        let exact = format == image::ImageFormat::OpenExr;
        let [r, g, b] = got.texels[7];
        assert!((r - 3.0).abs() <= if exact { 0.0 } else { 4.0 }, "{r}");
        assert!((g - 0.5).abs() <= if exact { 0.0 } else { 4.0 }, "{g}");
        assert!((b - 1000.0).abs() <= if exact { 0.0 } else { 4.0 }, "{b}");
    }
    // sRGB 188 is 0.5029 of the light, by its equation.
    let got = load::panorama_bytes(&png(1, 1, [188, 0, 255, 255]), &Limits::default()).unwrap();
    let [r, g, b] = got.texels[0];
    assert!((r - 0.5029).abs() < 1e-4 && g == 0.0 && (b - 1.0).abs() < 1e-6, "{r} {g} {b}");
    // What is not a number is dark, what is brighter than a half float as bright as one.
    let odd = image::Rgb32FImage::from_pixel(1, 1, image::Rgb([f32::NAN, f32::INFINITY, -1.0]));
    let odd = encode(image::DynamicImage::ImageRgb32F(odd), image::ImageFormat::OpenExr);
    let got = load::panorama_bytes(&odd, &Limits::default()).unwrap();
    assert_eq!(got.texels[0], [0.0, 65504.0, 0.0]);
}

/// The scene of the repository has what it shows off, and moves.
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
    // It repeats.
    let near = start.joints.iter().zip(&end.joints).all(|(a, b)| a.abs_diff_eq(*b, 1e-4));
    assert!(near, "{:?} {:?}", start.joints, end.joints);
}
