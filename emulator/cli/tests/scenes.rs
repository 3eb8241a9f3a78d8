//! Tests `quadrille render` of glTF scenes, from outside.

use crate::common::{Folder, asset, bad, good, quadrille, wrong};

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
        "name": "slide",
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
    // By its name, or by its number.
    for animation in ["slide", "0"] {
        let moved = folder.path("moved.png");
        let named = ["--size", "8x8", "--background", "#000000", "--time", "0.5", "--animation", animation];
        good(&[&["render", &scene, "-o", &moved], &named[..]].concat());
        let picture = image::open(&moved).unwrap().into_rgba8();
        assert!(picture.pixels().all(|p| p.0 == [0, 0, 0, 255]), "{animation}");
    }
}

/// Without the scene's camera, a view shows everything; on a turntable, it comes to see the back.
#[test]
fn views_are_chosen_and_turned() {
    let (folder, scene) = triangle("scene-views");
    let covered = |args: &[&str]| {
        let out = folder.path("view.png");
        let common = ["-o", &out, "--size", "16x16", "--background", "#000000", "--animation", "none"];
        good(&[&["render", &scene], &common[..], args].concat());
        image::open(&out).unwrap().into_rgba8().pixels().filter(|p| p.0[1] == 255).count()
    };
    let own = covered(&[]);
    assert_eq!(covered(&["--camera", "0"]), own);
    let whole = covered(&["--camera", "none"]);
    assert!((40..128).contains(&whole) && whole != own, "{whole} and {own}");
    // A turn takes two seconds: after one, the view is behind the triangle, which has one side.
    for camera in [&["--camera", "0"][..], &[]] {
        let turned = |time| covered(&[camera, &["--turntable=2", "--time", time]].concat());
        assert!(turned("0") > 0 && turned("2") == turned("0"));
        assert_eq!(turned("1"), 0);
    }
    // Without a number, a turn takes four seconds.
    assert_eq!(covered(&["--turntable", "--time", "2"]), 0);
    assert!(covered(&["--turntable", "--time", "0.2"]) > 0);
    assert_eq!(covered(&["--turntable", "--time", "2", "--path-trace", "--samples", "1"]), 0);
}

#[test]
fn backgrounds_are_transparent() {
    let (folder, scene) = triangle("scene-transparent");
    let size = ["--size", "8x8", "--background", "transparent", "--animation", "none"];
    for more in [&[][..], &["--path-trace", "--samples", "2"]] {
        let out = folder.path("clear.png");
        good(&[&["render", &scene, "-o", &out], &size[..], more].concat());
        let picture = image::open(&out).unwrap().into_rgba8();
        assert_eq!(picture.get_pixel(4, 5).0, [188, 255, 0, 255]);
        assert_eq!(picture.get_pixel(0, 0).0, [0; 4]);
        let out = folder.path("clear.exr");
        good(&[&["render", &scene, "-o", &out], &size[..], more].concat());
        let picture = image::open(&out).unwrap().into_rgba32f();
        assert_eq!(picture.get_pixel(4, 5).0, [0.5, 1.0, 0.0, 1.0]);
        assert_eq!(picture.get_pixel(0, 0).0, [0.0; 4]);
    }
    let out = folder.path("x.jpg");
    let refused = bad(&[&["render", &scene, "-o", &out], &size[..]].concat());
    assert!(refused.contains("--background transparent needs a format with alpha"), "{refused}");
    let refused = bad(&[
        "render",
        &asset("vases.vert"),
        &asset("vases.frag"),
        "-o",
        &out,
        "--vertices",
        "3",
        "--background",
        "transparent",
    ]);
    assert!(refused.contains("--background transparent is for scenes"), "{refused}");
    let refused = bad(&["render", &scene, "-o", &out, "--background", "clear"]);
    assert!(refused.contains("#ff8000, or transparent"), "{refused}");
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

/// A scene without a mesh is drawn, with a warning about that, and not about shadows.
#[test]
fn an_empty_scene_is_a_warning() {
    let folder = Folder::new("scene-empty");
    let scene = folder.write("a.gltf", r#"{ "asset": { "version": "2.0" } }"#);
    let done = quadrille(&["render", &scene, "-o", &folder.path("o.png"), "--size", "4x4"]);
    let text = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success() && text.contains("the scene has no mesh to draw"), "{text}");
    assert!(!text.contains("shadows"), "{text}");
}

#[test]
fn wrong_scenes_and_options_are_refused() {
    let (folder, scene) = triangle("scene-wrong");
    let out = folder.path("x.png");
    let size = ["--size", "8x8", "-o", &out];
    let refused = |args: &[&str]| bad(&[&["render"], args, &size[..]].concat());
    assert!(refused(&[&scene, "--camera", "1"]).contains("there is no camera 1"));
    assert!(refused(&[&scene, "--animation", "7"]).contains("no animation 7: the scene has `slide`"));
    assert!(refused(&[&scene, "--animation", "run"]).contains("no animation run"));
    assert!(refused(&[&scene, "--camera", "x"]).contains("the number of a camera, or none"));
    assert!(refused(&[&scene, "--turntable=0"]).contains("not 0"));
    for files in [[scene.as_str(), "--turntable", "4"], ["--turntable", "2.5", &scene]] {
        let text = wrong(&[&["render"], &files[..], &size].concat());
        assert!(text.contains("there is no file") && text.contains("as in --turntable="), "{text}");
    }
    assert!(refused(&[&asset("julia.wgsl"), "--turntable"]).contains("--turntable is an option of scenes"));
    assert!(refused(&[&scene, "--exposure=-1"]).contains("exposure"));
    assert!(refused(&[&scene, "--environment", &folder.path("none.hdr")]).contains("none.hdr"));
    assert!(refused(&[&folder.path("none.glb")]).contains("none.glb"));
    assert!(refused(&[&asset("julia.wgsl"), "--camera", "0"]).contains("--camera is an option of scenes"));
    let exr = folder.path("x.exr");
    for option in [&["--animated"][..], &["--format", "png"]] {
        let text = wrong(&[&["render", &scene, "-o", &exr], option].concat());
        assert!(text.contains(option[0]) && text.contains("OpenEXR"), "{text}");
    }
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
        ("an option of vertex shaders", vec!["--vertices", "3"]),
        ("--mouse", vec!["--mouse", "1,2"]),
        ("--date", vec!["--date", "2026-02-28"]),
        ("-D", vec!["-D", "A=1"]),
    ] {
        let text = bad(&[&["render", &scene, "-o", &out, "--size", "8x8"], &more[..]].concat());
        assert!(text.contains(&format!("{name} does not apply to a scene")), "{more:?}: {text}");
    }
    for more in [["--exposure", "nan"], ["--ambient", "inf"], ["--time", "nan"]] {
        let text = bad(&[&["render", &scene, "-o", &out, "--size", "8x8"], &more[..]].concat());
        assert!(text.contains("give a finite number"), "{more:?}: {text}");
    }
    assert!(!std::path::Path::new(&out).exists());
}

/// Path tracing shows the same unlit colours as drawing, and writes what the camera sees first.
#[test]
fn scenes_are_path_traced() {
    let (folder, scene) = triangle("path-trace");
    let common = ["render", &scene, "--path-trace", "--size", "8x8", "--background", "#102030"];
    let out = folder.path("out/picture.png");
    good(&[&common[..], &["-o", &out, "--samples", "2", "--aperture", "0"]].concat());
    let picture = image::open(&out).unwrap().into_rgba8();
    assert_eq!(picture.get_pixel(4, 5).0, [188, 255, 0, 255]);
    assert_eq!(picture.get_pixel(0, 0).0, [16, 32, 48, 255]);

    // Two parts of the samples, added in the other order, are the whole.
    let (part, whole, added) = (folder.path("part.sums"), folder.path("whole.exr"), folder.path("added.exr"));
    good(&[&common[..], &["-o", &whole, "--samples", "3"]].concat());
    good(&[&common[..], &["-o", &out, "--samples", "0..1", "--sums", &part]].concat());
    good(&[&common[..], &["-o", &added, "--samples", "1..3", "--add", &part, "--threads", "1"]].concat());
    let bytes = std::fs::read(&whole).unwrap();
    assert!(bytes == std::fs::read(&added).unwrap(), "the sum of the parts is not the whole");
    let holds = |name: &str| bytes.windows(name.len()).any(|w| w == name.as_bytes());
    assert!(["albedo.R", "normal.Z", "depth.Z", "object.id", "material.id"].iter().all(|name| holds(name)));
    let light = image::open(&whole).unwrap().into_rgb32f();
    assert_eq!(light.get_pixel(4, 5).0, [0.5, 1.0, 0.0]);
}

/// An unlit surface has noise only at its edges, so that few of the samples are enough.
#[test]
fn path_tracing_stops_when_it_is_asked_to() {
    let (folder, scene) = triangle("path-trace-stop");
    let sums = folder.path("x.sums");
    let common = ["render", &scene, "-o", &folder.path("x.png"), "--size", "8x8", "--path-trace"];
    for stop in [["--noise", "0.9"], ["--time-limit", "0.01"]] {
        good(&[&common[..], &["--samples", "4000000000", "--sums", &sums], &stop[..]].concat());
        let bytes = std::fs::read(&sums).unwrap();
        // The end of the first range of samples, behind a head of 32 bytes.
        let samples = u32::from_le_bytes(bytes[36..40].try_into().unwrap());
        assert!((1..4096).contains(&samples), "{stop:?}: {samples}");
    }
}

#[test]
fn options_of_path_tracing_are_checked() {
    let (folder, scene) = triangle("path-trace-options");
    let out = folder.path("x.png");
    let refused = |args: &[&str]| bad(&[&["render", "-o", &out, "--size", "8x8"], args].concat());
    for option in ["--noise", "--time-limit", "--max-bounces", "--aperture", "--focus", "--sums", "--add"] {
        assert!(refused(&[&scene, option, "1"]).contains(&format!("{option} needs --path-trace")));
    }
    assert!(refused(&[&scene, "--samples", "0..4"]).contains("--samples A..B needs --path-trace"));
    assert!(refused(&[&scene, "--samples", "3"]).contains("1, 2, 4, 8 or 16"));
    assert!(refused(&[&asset("julia.wgsl"), "--path-trace"]).contains("--path-trace is an option of scenes"));
    let traced = |args: &[&str]| refused(&[&[scene.as_str(), "--path-trace"], args].concat());
    assert!(traced(&["--focus", "1"]).contains("--focus needs --aperture"));
    assert!(
        traced(&["--samples", "0..4", "--noise", "1"]).contains("--samples A..B does not go with --noise")
    );
    let sums = folder.path("x.sums");
    assert!(traced(&["--sums", &sums, "--resume"]).contains("--sums does not go with --resume"));
    assert!(traced(&["--samples", "4..0"]).contains("A..B"));
    let text = folder.write("text.sums", "sums");
    assert!(traced(&["--add", &text]).contains("does not contain the sums"));
    assert!(traced(&["--add", &folder.path("none.sums")]).contains("none.sums"));
    assert!(!std::path::Path::new(&out).exists());
}
