//! Refused files and their error messages.

use quadrille_scene::Error;
use quadrille_scene::load::{self, Limits};
use quadrille_scene::model::Topology;
use serde_json::{Value, json};

use crate::files::{F32, File, U8, data_uri, floats, png};
use crate::geometry::{primitive, skinned};
use crate::materials::textured;

/// Unknown required extensions are refused by name; other unknown extensions cause a warning.
#[test]
fn extensions_are_told_by_name() {
    let mut file = File::triangle();
    file.set("/extensionsUsed", json!(["VENDOR_new"]));
    assert_eq!(file.load().unwrap().warnings, ["extension VENDOR_new is ignored"]);
    match file.set("/extensionsRequired", json!(["VENDOR_new"])).load() {
        Err(Error::Unsupported { what, .. }) => assert!(what.contains("VENDOR_new"), "{what}"),
        other => panic!("{other:?}"),
    }
    let mut file = File::triangle();
    file.set("/extensionsRequired", json!(["KHR_mesh_quantization", "KHR_texture_transform"]));
    assert!(file.load().unwrap().warnings.is_empty());

    // A texture without a picture that is known.
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/textures/0", json!({ "extensions": { "VENDOR_picture": { "source": 0 } } }));
    let error = file.load().unwrap_err();
    assert!(matches!(&error, Error::Unsupported { what, .. } if what.contains("VENDOR_picture")), "{error}");
    // If the texture has another picture, it is used.
    file.set("/textures/0/source", json!(0));
    assert_eq!(file.load().unwrap().images.len(), 1);
}

/// Each row changes one value in a valid file; the error names the mistake and its place.
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
    let mut later = right();
    later.set("/asset", json!({ "version": "2.7", "minVersion": "2.0" }));
    later.load().unwrap();
    let rows: &[(&str, Value, &str)] = &[
        ("/asset/version", json!("1.0"), "version 1.0"),
        ("/asset", json!({ "version": "2.7", "minVersion": "2.1" }), "version 2.1 of glTF"),
        ("/asset", json!({ "version": "3.0", "minVersion": "3.0" }), "version 3.0 of glTF"),
        ("/asset", json!([]), "asset: "),
        ("/nodes", json!({}), "nodes is not an array"),
        ("/nodes/0", json!(7), "nodes[0]: invalid type: integer `7`, expected an object"),
        ("/nodes/0", json!([]), "nodes[0]: invalid type: array, expected an object"),
        ("/nodes/0", json!(null), "nodes[0]: invalid type: null, expected an object"),
        (
            "/nodes/0/mesh",
            json!("expected usize"),
            "nodes[0]: invalid type: string \"expected usize\", expected an integer that is not negative",
        ),
        (
            "/nodes/0/children",
            json!("expected struct a, expected a map"),
            "nodes[0]: invalid type: string \"expected struct a, expected a map\", expected an array",
        ),
        (
            "/nodes/0/children",
            json!([0.5]),
            "nodes[0]: invalid type: floating point `0.5`, expected an integer",
        ),
        ("/nodes/0/matrix", json!([1, 2]), "nodes[0]: invalid length 2, expected an array of length 16"),
        (
            "/nodes/0/scale",
            json!([1, 1, 1, 1]),
            "nodes[0]: invalid length 4, expected fewer elements in array",
        ),
        ("/nodes/0/scale", json!({}), "nodes[0]: invalid type: object, expected an array of length 3"),
        ("/nodes/0/name", json!(true), "nodes[0]: invalid type: boolean `true`, expected a string"),
        ("/meshes/0/primitives/0/attributes", json!([]), "invalid type: array, expected an object"),
        ("/materials/0/doubleSided", json!(1), "materials[0]: invalid type: integer `1`, expected a boolean"),
        ("/animations/0", json!({}), "animations[0]: missing field `channels`"),
        ("/nodes/0/mesh", json!(1), "nodes[0]: mesh 1 does not exist; there are 1"),
        ("/nodes/0/mesh", json!(4294967296u64), "nodes[0]: mesh 4294967296"),
        (
            "/nodes/0/mesh",
            json!(-1),
            "nodes[0]: invalid value: integer `-1`, expected an integer that is not negative",
        ),
        ("/nodes/0/skin", json!(1), "nodes[0]: skin 1"),
        ("/nodes/0/children", json!([0]), "node 0 is below itself"),
        ("/nodes/0/children", json!([9]), "nodes[0]: children: node 9"),
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
        ("/scenes/0/nodes", json!([9]), "scenes: node 9"),
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
        ("/buffers/0/byteLength", json!(100_000), "buffers[0] must have 100000 bytes"),
        ("/buffers/0/uri", json!("data:;base64,A"), "buffers[0]: data URI"),
        ("/buffers/0/uri", json!("../secret"), "outside of the folder"),
        ("/buffers/0/uri", json!("https://a/b"), "has a scheme"),
        ("/skins/0/joints", json!([9]), "skins[0]: node 9"),
        ("/skins/0/joints", json!([1]), "nodes[0]: the mesh has joint 1, but the skin has 1 joints"),
        ("/skins/0/joints", json!([1, 2, 0]), "skins[0]: there are 2 inverse bind matrices for 3 joints"),
        ("/images/0", json!({}), "images[0]: an image must have either a URI or a buffer view"),
        ("/images/0/bufferView", json!(0), "images[0]: this is not a picture"),
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
    // Mistakes in the data: a vertex at infinity, an index that is too large, keys that are not ascending.
    let data: [(&str, &[u8], &str); 3] = [
        ("VEC3", &f32::INFINITY.to_le_bytes(), "POSITION: accessors[0]: element 0 is not finite"),
        ("SCALAR", &[3], "index 3 at 0, but there are 3 vertices"),
        ("SCALAR", &2.0f32.to_le_bytes(), "before the previous key"),
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

/// A small text must not take much memory.
#[test]
fn what_is_huge_is_refused() {
    let limit = |file: &File, limits: &Limits| match load::bytes(&file.glb(), None, limits) {
        Err(Error::Limit(_)) => {}
        other => panic!("{other:?}"),
    };
    // A billion zeros from a sparse accessor.
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
    // One buffer, decoded by very many primitives.
    let mut file = File::triangle();
    let positions = file.accessor(F32, "VEC3", 3000, &floats(&[0.0; 9000]));
    let one = json!({ "attributes": { "POSITION": positions } });
    file.set("/meshes/0/primitives", json!(vec![one; 1000]));
    limit(&file, &Limits { bytes: 10 << 20, ..Limits::default() });
    // Vertices that are zeros in the file, and larger on the device: 12 bytes and 72.
    let mut file = File::triangle();
    file.set("/accessors/0", json!({ "componentType": F32, "type": "VEC3", "count": 1_000_000 }));
    file.set("/meshes/0/primitives/0/mode", json!(0));
    limit(&file, &Limits { bytes: 60 << 20, ..Limits::default() });
    assert!(file.load().is_ok());
    // Targets without attributes, each of which moves every vertex by zero.
    let mut file = File::triangle();
    file.set("/accessors/0", json!({ "componentType": F32, "type": "VEC3", "count": 10_000 }));
    file.set("/meshes/0/primitives/0/mode", json!(0));
    file.set("/meshes/0/primitives/0/targets", json!(vec![json!({}); 1000]));
    limit(&file, &Limits { bytes: 10 << 20, ..Limits::default() });
    // A long name that very many lights share.
    let mut file = File::triangle();
    let light = json!({ "type": "point", "name": "\u{e4}".repeat(1 << 20) });
    file.set("/extensions", json!({ "KHR_lights_punctual": { "lights": [light] } }));
    assert_eq!(file.load().unwrap().lights[0].name, "\u{e4}".repeat(200));
    // Pictures that are larger than an image of the device, or exceed the limit of decoded bytes.
    let mut file = textured();
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/images/0", json!({ "uri": data_uri(&png(20, 4000, [0; 4])) }));
    limit(&file, &Limits { image_dimension: 3999, ..Limits::default() });
    limit(&file, &Limits { bytes: 100_000, ..Limits::default() });
    assert!(file.load().is_ok());
}
