//! Tests `quadrille render` of glTF scenes, from outside.

mod common;
use common::{Folder, asset, bad, good, unwrapped};

const TRIANGLE: &str = r#"{
    "asset": {"version": "2.0"},
    "scene": 0,
    "scenes": [{"nodes": [0, 1]}],
    "nodes": [
        {"mesh": 0},
        {"camera": 0, "translation": [0, 0, 3]}
    ],
    "cameras": [{"type": "orthographic", "orthographic": {"xmag": 1, "ymag": 1, "znear": 0.1, "zfar": 10}}],
    "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "material": 0}]}],
    "materials": [{
        "pbrMetallicRoughness": {"baseColorFactor": [0.5, 1, 0, 1]},
        "extensions": {"KHR_materials_unlit": {}}
    }],
    "extensionsUsed": ["KHR_materials_unlit"],
    "animations": [{
        "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
        "samplers": [{"input": 1, "output": 2}]
    }],
    "accessors": [
        {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [-1, -1, 0], "max": [1, 1, 0]},
        {"bufferView": 1, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1]},
        {"bufferView": 2, "componentType": 5126, "count": 2, "type": "VEC3"}
    ],
    "bufferViews": [
        {"buffer": 0, "byteOffset": 0, "byteLength": 36},
        {"buffer": 0, "byteOffset": 36, "byteLength": 8},
        {"buffer": 0, "byteOffset": 44, "byteLength": 24}
    ],
    "buffers": [{"uri": "triangle.bin", "byteLength": 68}]
}"#;

/// A triangle that an animation of one second moves out of the picture.
fn triangle(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    let floats: [f32; 17] = [
        -1., -1., 0., 1., -1., 0., 0., 1., 0., /* times */ 0., 1., /* places */ 0., 0., 0., 4., 0.,
        0.,
    ];
    folder.write("triangle.bin", floats.iter().flat_map(|f| f.to_le_bytes()).collect::<Vec<u8>>());
    let scene = folder.write("triangle.gltf", TRIANGLE);
    (folder, scene)
}

#[test]
fn a_scene_is_a_picture() {
    let (folder, scene) = triangle("scene");
    let out = folder.path("out/picture.png");
    good(&["render", &scene, "-o", &out, "--size", "8x8", "--background", "#102030"]);
    let picture = image::open(&out).unwrap().into_rgba8();
    // Linear 0.5 is 188 in sRGB.
    assert_eq!(picture.get_pixel(4, 5).0, [188, 255, 0, 255]);
    assert_eq!(picture.get_pixel(0, 0).0, [16, 32, 48, 255]);
}

#[test]
fn frames_follow_the_animation() {
    let (folder, scene) = triangle("scene-frames");
    let out = folder.path("f%d.png");
    let common = ["render", &scene, "-o", &out, "--size", "8x8", "--frames", "1..3", "--fps", "4"];
    good(&[&common[..], &["--background", "#000000"]].concat());
    let covered = |frame: u32| {
        let picture = image::open(folder.path(&format!("f{frame}.png"))).unwrap().into_rgba8();
        picture.pixels().filter(|p| p.0[1] == 255).count()
    };
    // Half of the triangle is in the picture at a quarter of a second, and nothing at half a second.
    assert!((8..20).contains(&covered(1)), "{}", covered(1));
    assert_eq!(covered(2), 0);
    assert!(!std::path::Path::new(&folder.path("f3.png")).exists());
    let still = folder.path("still.png");
    good(&["render", &scene, "-o", &still, "--size", "8x8", "--time", "0.5", "--animation", "none"]);
    assert_eq!(image::open(&still).unwrap().into_rgba8().get_pixel(4, 5).0, [188, 255, 0, 255]);
}

#[test]
fn exr_keeps_light_linear() {
    let (folder, scene) = triangle("scene-exr");
    let out = folder.path("light.exr");
    good(&["render", &scene, "-o", &out, "--size", "8x8", "--background", "#000000"]);
    let light = image::open(&out).unwrap().into_rgb32f();
    assert_eq!(light.get_pixel(4, 5).0, [0.5, 1.0, 0.0]);
    assert_eq!(light.get_pixel(0, 0).0, [0.0; 3]);
}

/// A panorama of one colour is visible, and lights the scene.
#[test]
fn a_panorama_surrounds() {
    let (folder, scene) = triangle("scene-panorama");
    let panorama = folder.path("grey.png");
    image::RgbImage::from_pixel(8, 4, image::Rgb([188, 0, 0])).save(&panorama).unwrap();
    let out = folder.path("light.exr");
    good(&["render", &scene, "-o", &out, "--size", "8x8", "--environment", &panorama, "--exposure", "2"]);
    let light = image::open(&out).unwrap().into_rgb32f();
    let [r, g, b] = light.get_pixel(0, 0).0;
    assert!((r - 1.005_773).abs() < 0.001 && g == 0.0 && b == 0.0, "{r} {g} {b}");
}

#[test]
fn wrong_scenes_and_options_are_refused() {
    let (folder, scene) = triangle("scene-wrong");
    let out = folder.path("x.png");
    let size = ["--size", "8x8", "-o", &out];
    let refused = |args: &[&str]| bad(&[&["render"], args, &size[..]].concat());
    assert!(refused(&[&scene, "--camera", "1"]).contains("there is no camera 1"));
    assert!(refused(&[&scene, "--animation", "7"]).contains("7"));
    assert!(refused(&[&scene, "--exposure=-1"]).contains("exposure"));
    assert!(refused(&[&scene, "--environment", &folder.path("none.hdr")]).contains("none.hdr"));
    assert!(refused(&[&folder.path("none.glb")]).contains("none.glb"));
    assert!(refused(&[&asset("julia.wgsl"), "--camera", "0"]).contains("--camera is an option of scenes"));
    let cut = folder.write("cut.gltf", &TRIANGLE[..300]);
    assert!(refused(&[&cut]).contains("cut.gltf"));
    let required = TRIANGLE.replace("extensionsUsed", "extensionsRequired").replace("unlit\"]", "magic\"]");
    let required = folder.write("required.gltf", required);
    assert!(refused(&[&required]).contains("KHR_materials_magic"));
    assert!(!std::path::Path::new(&out).exists());
}

/// Options that do not apply to a scene are errors, not ignored.
#[test]
fn options_of_shaders_are_errors() {
    let (folder, scene) = triangle("given-in-vain");
    let out = folder.path("picture.png");
    let photo = folder.path("photo.png");
    image::RgbaImage::new(1, 1).save(&photo).unwrap();
    let named = format!("image={photo}");
    for (name, more) in [
        ("a second file", vec![scene.as_str()]),
        ("--uniform", vec!["--uniform", "exposure=2"]),
        ("--texture", vec!["--texture", &photo]),
        ("--shader", vec!["--shader", &named]),
        ("--buffer", vec!["--buffer", &named]),
        ("--tile", vec!["--tile", "image=clamp"]),
        ("--origin", vec!["--origin", "lower-left"]),
        ("--spec", vec!["--spec", "0=1"]),
        ("--entry", vec!["--entry", "main"]),
        ("what a vertex shader draws", vec!["--vertices", "3"]),
        ("--mouse", vec!["--mouse", "1,2"]),
        ("--date", vec!["--date", "2026-02-28"]),
        ("-D", vec!["-D", "A=1"]),
    ] {
        let text = unwrapped(bad(&[&["render", &scene, "-o", &out, "--size", "8x8"], &more[..]].concat()));
        assert!(text.contains(&format!("{name} does not apply to a scene")), "{more:?}: {text}");
    }
    for more in [["--exposure", "nan"], ["--ambient", "inf"], ["--time", "nan"]] {
        let text = bad(&[&["render", &scene, "-o", &out, "--size", "8x8"], &more[..]].concat());
        assert!(text.contains("give a finite number"), "{more:?}: {text}");
    }
    assert!(!std::path::Path::new(&out).exists());
}
