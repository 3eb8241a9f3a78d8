//! Compressed meshes, buffer views and pictures, and mistakes of files that other loaders accept.

use glam::{Vec2, Vec3};
use quadrille_scene::Error;
use quadrille_scene::animate::{self, Play};
use quadrille_scene::load::{self, Limits};
use serde_json::json;

use crate::files::packed::{self, CORNERS, COUNT, INDICES, color, draco, draco_file, element, meshopt, pack};
use crate::files::{F32, File, I16, U16, U32, floats, png};
use crate::geometry::primitive;

/// Corners of a triangle, beginning with the smallest.
fn turned(t: &[u32]) -> [u32; 3] {
    let first = (0..3).min_by_key(|i| t[*i]).unwrap();
    [t[first], t[(first + 1) % 3], t[(first + 2) % 3]]
}

/// Both versions of the codec give the elements of the encoder, and triangles in their order.
#[test]
fn meshopt_streams_are_decoded() {
    let mut grid = Vec::new();
    for (y, x) in (0..9).flat_map(|y| (0..9).map(move |x| (y, x))) {
        let a: u32 = y * 10 + x;
        grid.extend([[a, a + 1, a + 10], [a + 10, a + 1, a + 11]]);
    }
    for version in [0, 1] {
        let mut file = meshopt(version);
        file.set("/extensionsRequired", json!(["EXT_meshopt_compression"]));
        let scene = file.load().unwrap();
        assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
        let p = primitive(&scene);
        assert_eq!(p.count(), CORNERS);
        for (i, triangle) in grid.iter().enumerate() {
            let mut wanted = turned(triangle).map(|i| element(i).map(f32::from));
            let mut got = [0, 1, 2].map(|k| p.positions[3 * i + k].to_array());
            wanted.sort_by(|a, b| a.partial_cmp(b).unwrap());
            got.sort_by(|a, b| a.partial_cmp(b).unwrap());
            assert_eq!(got, wanted.map(|v| [v[0], v[1], v[2]]), "version {version}, triangle {i}");
        }
    }
    // A sequence of indices of 32 bits, by the other extension.
    let mut file = File::triangle();
    file.set("/meshes/0/primitives/0/mode", json!(0));
    let positions = file.accessor(F32, "VEC3", 100, &floats(&[0.5; 300]));
    file.set("/meshes/0/primitives/0/attributes/POSITION", json!(positions));
    let indices = file.accessor(U32, "SCALAR", COUNT, &[0]);
    let view = file.json["accessors"][indices]["bufferView"].as_u64().unwrap() as usize;
    pack(&mut file, view, INDICES, COUNT, 4, "INDICES", "NONE");
    packed::buffers(&mut file);
    let extension = file.json["bufferViews"][view]["extensions"]["EXT_meshopt_compression"].clone();
    file.set(&format!("/bufferViews/{view}/extensions"), json!({ "KHR_meshopt_compression": extension }));
    file.set("/meshes/0/primitives/0/indices", json!(indices));
    let wanted: Vec<u32> = (0..COUNT as u32).map(|i| 3 * i % 100).collect();
    assert_eq!(primitive(&file.load().unwrap()).indices.as_ref(), Some(&wanted));
}

#[test]
fn wrong_meshopt_views_are_refused() {
    let refused = |pointer: &str, value: serde_json::Value| {
        let mut file = meshopt(0);
        file.set(&format!("/bufferViews/0{pointer}"), value);
        file.load().unwrap_err().to_string()
    };
    let name = "/extensions/EXT_meshopt_compression";
    let of = |property: &str| format!("{name}/{property}");
    assert!(refused(&of("mode"), json!("LINES")).contains("bufferViews[0]: the mode `LINES`"));
    assert!(refused(&of("filter"), json!("BLUR")).contains("the filter `BLUR`"));
    assert!(refused(&of("count"), json!(299)).contains("299 elements of 8 bytes in a view of 2400"));
    assert!(refused(&of("count"), json!(u64::MAX)).contains("in a view of"));
    assert!(refused(&of("mode"), json!("TRIANGLES")).contains("TRIANGLES of 300 elements of 8 bytes"));
    assert!(refused(&of("mode"), json!(1)).contains("expected a string"));
    assert!(refused(&of("byteLength"), json!(100)).contains("too early"));
    assert!(refused(&of("byteOffset"), json!(1)).contains("begin with"));
    assert!(refused(&of("buffer"), json!(1)).contains("buffers[1] has no data"));
    // A view of two gigabytes takes no memory if its stream cannot have so many elements.
    let mut file = meshopt(0);
    file.set("/bufferViews/0/byteLength", json!(8u64 << 28));
    file.set(&format!("/bufferViews/0{name}/count"), json!(1u64 << 28));
    assert!(file.load().unwrap_err().to_string().contains("too early"));
}

/// Both methods of Draco, sequential and edgebreaker, and two levels of the reference encoder. Positions have 16 bits.
#[test]
fn draco_meshes_are_decoded() {
    let files = [draco(0), draco(1), draco_file(packed::DRACO[0], 1), draco_file(packed::DRACO[1], 1)];
    for (method, mut file) in files.into_iter().enumerate() {
        file.set("/extensionsRequired", json!(["KHR_draco_mesh_compression"]));
        let scene = file.load().unwrap();
        assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
        let p = primitive(&scene);
        assert_eq!((p.count(), p.positions.len()), (8 * 8 * 6, 8 * 8 * 6));
        let uv = p.uv[0].as_ref().unwrap();
        let mut area = 0.0;
        for (corner, at) in p.positions.iter().enumerate() {
            let [x, y] = [at.x.round(), at.y.round()];
            assert!((*at - Vec3::new(x, y, x * y / 8.0)).abs().max_element() < 1e-3, "{method}: {at}");
            assert!((uv[corner] - Vec2::new(x, y) / 8.0).abs().max_element() < 1e-3, "{method}: {at}");
        }
        for t in p.positions.chunks(3) {
            area += 0.5 * (t[1] - t[0]).cross(t[2] - t[0]).z;
        }
        assert!((area - 64.0).abs() < 0.01, "{method}: {area}");
    }
    let refused = |pointer: &str, value: serde_json::Value| {
        let mut file = draco(1);
        let name = "KHR_draco_mesh_compression";
        file.set(&format!("/meshes/0/primitives/0/extensions/{name}{pointer}"), value);
        file.load().unwrap_err().to_string()
    };
    assert!(refused("/attributes/POSITION", json!(7)).contains("POSITION: there is no attribute 7"));
    assert!(refused("/attributes", json!({})).contains("no positions"));
    assert!(refused("/attributes/POSITION", json!(1)).contains("2 components per vertex"));
    assert!(refused("/bufferView", json!(9)).contains("KHR_draco_mesh_compression: buffer view 9"));
    let mut file = draco(1);
    file.set("/meshes/0/primitives/0/mode", json!(1));
    assert!(file.load().unwrap_err().to_string().contains("only triangles"));
    let limits = Limits { bytes: 20_000, ..Limits::default() };
    assert!(matches!(load::bytes(&draco(1).glb(), None, &limits), Err(Error::Limit(_))));
}

/// A texture whose picture is that of an extension, not the other one.
fn picture(name: &str, bytes: &[u8]) -> File {
    let mut file = File::triangle();
    let (other, view) = (file.view(&png(1, 1, [9; 4])), file.view(bytes));
    file.push("images", json!({ "bufferView": other }));
    file.push("images", json!({ "bufferView": view }));
    file.push("textures", json!({ "source": 0, "extensions": { name: { "source": 1 } } }));
    file.push("materials", json!({ "emissiveTexture": { "index": 0 } }));
    file.set("/extensionsUsed", json!([name]));
    file
}

/// UASTC and ETC1S are lossy: the colours of whole blocks are within some steps.
#[test]
fn pictures_of_extensions_are_decoded() {
    for (name, bytes, most) in [
        ("EXT_texture_webp", packed::webp(), 0),
        ("KHR_texture_basisu", packed::UASTC.to_vec(), 2),
        ("KHR_texture_basisu", packed::ETC1S.to_vec(), 10),
    ] {
        let scene = picture(name, &bytes).load().unwrap();
        assert!(scene.warnings.is_empty() && scene.images.len() == 1, "{:?}", scene.warnings);
        let image = &scene.images[0];
        assert_eq!((image.width, image.height), (16, 12));
        for (i, texel) in image.pixels.chunks(4).enumerate() {
            let (x, y) = (i as u32 % 16, i as u32 / 16);
            // The middle row of blocks has two colours each.
            if most > 0 && (4..8).contains(&y) {
                continue;
            }
            for (got, wanted) in texel.iter().zip(color(x, y)) {
                assert!(got.abs_diff(wanted) <= most, "{name} at {x}, {y}: {texel:?}");
            }
        }
    }
    let refused = |change: fn(&mut Vec<u8>)| {
        let mut bytes = packed::UASTC.to_vec();
        change(&mut bytes);
        picture("KHR_texture_basisu", &bytes).load().unwrap_err().to_string()
    };
    assert!(
        refused(|b| b.truncate(30)).contains("images[1]: KHR_texture_basisu")
            || refused(|b| b.truncate(30)).contains("KTX2: the file ends")
    );
    assert!(refused(|b| b[20..24].fill(0xff)).contains("largest side"));
    assert!(refused(|b| b[36] = 6).contains("two-dimensional"));
    assert!(refused(|b| b[96..104].fill(0x7f)).contains("a level of"));
    let model = refused(|b| {
        let descriptor = u32::from_le_bytes(b[48..52].try_into().unwrap()) as usize;
        b[descriptor + 12] = 169;
    });
    assert!(model.contains("colour model 169"), "{model}");
    assert!(refused(|b| b[48..52].fill(0xff)).contains("KTX2: the file ends"));
    assert!(refused(|b| b[12] = 37).contains("not a texture of Basis Universal"));
    assert!(refused(|b| b.truncate(200)).contains("KTX2"));
}

/// A node with two parents is placed below both, and its animation moves both placements.
#[test]
fn nodes_with_two_parents_are_placed_twice() {
    let mut file = File::triangle();
    // 0: mesh; 1 and 2: parents at x = 10 and x = 20; 3: the root.
    file.push("nodes", json!({ "children": [0], "translation": [10, 0, 0] }));
    file.push("nodes", json!({ "children": [0, 0], "translation": [20, 0, 0] }));
    file.push("nodes", json!({ "children": [1, 2] }));
    file.set("/scenes/0/nodes", json!([3, 3, 1]));
    let input = file.accessor(F32, "SCALAR", 2, &floats(&[0.0, 1.0]));
    let output = file.accessor(F32, "VEC3", 2, &floats(&[0.0, 0.0, 0.0, 0.0, 8.0, 0.0]));
    file.push(
        "animations",
        json!({
            "samplers": [{ "input": input, "output": output }],
            "channels": [{ "sampler": 0, "target": { "node": 0, "path": "translation" } }],
        }),
    );
    let scene = file.load().unwrap();
    assert_eq!(
        scene.warnings,
        [
            "node 2 lists a child more than once",
            "node 0 has 2 parents; it is placed below each",
            "node 3 is twice in the scene",
            "node 1 of the scene is a child of node 3",
        ]
    );
    assert_eq!((scene.roots.as_slice(), scene.nodes.len(), scene.nodes[4].copy_of), (&[3][..], 5, Some(0)));
    let places = |time| {
        let frame = animate::frame(&scene, Play::Together, time).unwrap();
        frame.draws.iter().map(|d| d.world.w_axis.truncate()).collect::<Vec<_>>()
    };
    assert_eq!(places(0.0), [Vec3::X * 10.0, Vec3::X * 20.0]);
    assert_eq!(places(0.5), [Vec3::new(10.0, 4.0, 0.0), Vec3::new(20.0, 4.0, 0.0)]);

    // The copy, node 4, is none of the file's.
    let refused = |pointer: &str, value: serde_json::Value| {
        let mut file = file.clone();
        file.set(pointer, value).load().unwrap_err().to_string()
    };
    let none = "node 4 does not exist; there are 4";
    let animated = refused("/animations/0/channels/0/target/node", json!(4));
    assert!(animated.contains(&format!("animations[0]: channels[0]: {none}")), "{animated}");
    let shown = refused("/scenes/0/nodes", json!([4]));
    assert!(shown.contains(&format!("scenes: {none}")), "{shown}");

    // Thirty nodes, each below the one before twice removed, would be placed very often.
    let mut file = File::triangle();
    for i in 1..60 {
        file.push("nodes", json!({ "children": if i == 1 { vec![0] } else { vec![i - 1, i - 2] } }));
    }
    assert!(matches!(file.load(), Err(Error::Limit(_))));
}

/// The GLB container of another writer: the length of its JSON is not padded.
#[test]
fn unpadded_chunks_are_read() {
    let mut glb = File::triangle().glb();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let text = glb[20..20 + length].iter().rposition(|b| *b != b' ').unwrap() + 1;
    let cut = if text % 4 == 0 { text + 1 } else { text };
    glb.drain(20 + cut..20 + length);
    glb[12..16].copy_from_slice(&(cut as u32).to_le_bytes());
    let all = glb.len() as u32;
    glb[8..12].copy_from_slice(&all.to_le_bytes());
    let scene = load::bytes(&glb, None, &Limits::default());
    if cut == length {
        return;
    }
    let scene = scene.unwrap();
    assert_eq!(scene.warnings, ["GLB: the length of a chunk is not a multiple of 4"]);
    assert_eq!(primitive(&scene).positions, [Vec3::ZERO, Vec3::X, Vec3::Y]);
}

/// Spec: EXT_mesh_gpu_instancing, "Transformation Order".
#[test]
fn instances_are_placed() {
    let mut file = File::triangle();
    let places = file.accessor(F32, "VEC3", 2, &floats(&[1.0, 0.0, 0.0, 0.0, 2.0, 0.0]));
    // A half turn about z, in normalized shorts, and no turn.
    let turns: Vec<u8> = [0i16, 0, 32767, 0, 0, 0, 0, 32767].iter().flat_map(|s| s.to_le_bytes()).collect();
    let turns = file.accessor(I16, "VEC4", 2, &turns);
    file.set(&format!("/accessors/{turns}/normalized"), json!(true));
    let sizes = file.accessor(F32, "VEC3", 2, &floats(&[2.0, 2.0, 2.0, 1.0, 1.0, 1.0]));
    let custom = file.accessor(U16, "SCALAR", 2, &[0; 4]);
    let attributes = json!({ "TRANSLATION": places, "ROTATION": turns, "SCALE": sizes, "_ID": custom });
    file.set("/nodes/0/extensions", json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } }));
    file.set("/nodes/0/translation", json!([0, 0, 5]));
    file.set("/extensionsRequired", json!(["EXT_mesh_gpu_instancing"]));
    let scene = file.load().unwrap();
    assert_eq!(scene.warnings, ["attribute _ID of instances is ignored"]);
    let frame = animate::frame(&scene, Play::Together, 0.0).unwrap();
    let at: Vec<Vec3> = frame.draws.iter().map(|d| d.world.transform_point3(Vec3::X)).collect();
    assert_eq!(at.len(), 2);
    // Twice as large and turned around: 1 - 2 = -1; and in its own place.
    assert!((at[0] - Vec3::new(-1.0, 0.0, 5.0)).length() < 1e-5, "{}", at[0]);
    assert_eq!(at[1], Vec3::new(1.0, 2.0, 5.0));

    file.set(&format!("/accessors/{sizes}/count"), json!(1));
    assert!(file.load().unwrap_err().to_string().contains("there are 2 and 1 instances"));
    // Instances without places of their own are too many for a frame.
    let zeros = json!({ "componentType": F32, "type": "VEC3", "count": 1 << 20 });
    let zeros = file.push("accessors", zeros);
    let attributes = json!({ "TRANSLATION": zeros });
    file.set("/nodes/0/extensions", json!({ "EXT_mesh_gpu_instancing": { "attributes": attributes } }));
    let scene = file.load().unwrap();
    assert!(matches!(animate::frame(&scene, Play::Together, 0.0), Err(Error::Limit(_))));
}
