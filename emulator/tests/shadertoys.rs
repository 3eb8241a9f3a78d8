//! Whole Shadertoys: what passes read from other passes and from their textures, and errors of invalid Shadertoys.
//!
//! Expected values follow from arithmetic and from the table of cube maps in the specification of OpenGL.

#![cfg(feature = "glsl")]

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use image::{Rgba, RgbaImage};
use quadrille::apps::inputs::Inputs;
use quadrille::apps::shadertoy::{
    PassId, Renderer, RendererDesc, SAMPLE_RATE, ShadertoyError, ShadertoyProject, SoundRenderer,
};
use quadrille::frontend::{Options, SourceText};
use quadrille::{Device, DeviceOptions};

/// A folder that is removed when this value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Folder {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("quadrille-toy-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        let folder = Folder(path);
        for (name, text) in files {
            folder.write(name, text);
        }
        folder
    }
    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    fn picture(&self, name: &str, width: u32, height: u32, of: impl Fn(u32, u32) -> [u8; 4]) {
        let picture = RgbaImage::from_fn(width, height, |x, y| Rgba(of(x, y)));
        picture.save(self.0.join(name)).unwrap();
    }
    fn load(&self) -> quadrille::Result<ShadertoyProject> {
        ShadertoyProject::load(&self.0)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn device() -> Device {
    Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() }).unwrap()
}

fn desc(width: u32, height: u32) -> RendererDesc {
    let options = Options { disk_cache: false, ..Options::default() };
    RendererDesc { options, ..RendererDesc::new(width, height) }
}

fn renderer(project: &ShadertoyProject, width: u32, height: u32) -> Renderer {
    Renderer::new(&device(), project, &desc(width, height)).unwrap_or_else(|e| panic!("{e}"))
}

fn inputs(frame: i32) -> Inputs {
    Inputs::new(9, 9, frame as f32 / 60.0, frame)
}

/// The image after `frames` frames.
fn after(renderer: &mut Renderer, frames: i32) -> RgbaImage {
    for frame in 0..frames - 1 {
        renderer.advance(&inputs(frame)).unwrap();
    }
    renderer.render(&inputs(frames - 1)).unwrap()
}

/// The first texel of buffer A after `frames` frames of a Shadertoy.
fn value(folder: &Folder, frames: i32) -> [f32; 4] {
    let mut renderer = renderer(&folder.load().unwrap(), 2, 2);
    after(&mut renderer, frames);
    renderer.buffer(PassId::Buffer(0)).unwrap().unwrap()[0]
}

const BLACK: &str = "void mainImage(out vec4 c, in vec2 p) { c = vec4(0); }";

/// Source of a pass that writes this colour.
fn writes(color: &str) -> String {
    format!("void mainImage(out vec4 c, in vec2 p) {{ c = {color}; }}")
}

/// Expressions for the lower left texel of each channel.
const FIRST: [&str; 4] = [
    "texelFetch(iChannel0, ivec2(0), 0)",
    "texelFetch(iChannel1, ivec2(0), 0)",
    "texelFetch(iChannel2, ivec2(0), 0)",
    "texelFetch(iChannel3, ivec2(0), 0)",
];

#[test]
fn buffers_count_and_keep_every_float() {
    let counter = "void mainImage(out vec4 c, in vec2 p) {\n\
        c = texelFetch(iChannel0, ivec2(p), 0) + vec4(1, iFrame, 1e30, -0.25);\n\
        if (int(p.x) == 1) c = vec4(uintBitsToFloat(0x7fc00000u), 1.0 / 0.0, -1e-40 * 0.0, float(iFrame) * 1e6);\n}";
    let folder = Folder::new(&[("image.glsl", &writes(FIRST[0])), ("buffer_a.glsl", counter)]);
    let mut renderer = renderer(&folder.load().unwrap(), 2, 1);
    assert!(renderer.feeds_back());
    let picture = after(&mut renderer, 4);
    let texels = renderer.buffer(PassId::Buffer(0)).unwrap().unwrap();
    assert_eq!(texels[0], [4.0, 6.0, 4e30, -1.0]);
    let [nan, infinite, _, large] = texels[1];
    assert!(nan.is_nan() && infinite == f32::INFINITY && large == 3e6, "{:?}", texels[1]);
    // Without a description, channel 0 of the image is buffer A; its alpha is 1.
    assert_eq!(picture.get_pixel(0, 0).0, [255, 255, 255, 255]);
    assert!(renderer.buffer(PassId::Buffer(1)).unwrap().is_none());
}

#[test]
fn two_buffers_make_fibonacci_numbers() {
    // A reads the last two numbers of B: B runs later, so A sees the previous frame.
    let a = writes(&format!("vec4({}.x, {}.x, 0, 0)", FIRST[1], FIRST[0]));
    let b = writes(&format!("vec4(iFrame < 2 ? 1.0 : {0}.x + {0}.y)", FIRST[0]));
    let folder = Folder::new(&[("image.glsl", BLACK), ("Buffer A.glsl", &a), ("bufB.frag", &b)]);
    let mut renderer = renderer(&folder.load().unwrap(), 1, 1);
    let mut numbers = Vec::new();
    for frame in 0..12 {
        renderer.advance(&inputs(frame)).unwrap();
        numbers.push(renderer.buffer(PassId::Buffer(1)).unwrap().unwrap()[0][0]);
    }
    assert_eq!(numbers, [1.0, 1.0, 2.0, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0, 55.0, 89.0, 144.0]);
}

/// A pass sees earlier passes as of this frame, and itself and later passes as of the previous frame.
#[test]
fn passes_run_in_order() {
    let now = "vec4(iFrame + 1)";
    let sees = |channel: usize| writes(FIRST[channel]);
    let cube = "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) {\n\
        c = texelFetch(iChannel0, ivec2(0), 0); }";
    let a = writes(&format!(
        "vec4({}.x, texture(iChannel1, vec3(1, 0, 0)).x, {}.x, iFrame + 1)",
        FIRST[0], FIRST[2]
    ));
    let picture = writes(&format!(
        "vec4({}.w, {}.x, texture(iChannel2, vec3(1, 0, 0)).x, 0) / 255.0",
        FIRST[0], FIRST[1]
    ));
    let folder = Folder::new(&[
        ("buffer_a.glsl", &a),
        ("buffer_b.glsl", &sees(0)),
        ("buffer_c.glsl", &sees(0)),
        ("buffer_d.glsl", &writes(now)),
        ("cube_a.glsl", cube),
        ("image.glsl", &picture),
        (
            "shadertoy.toml",
            "buffer_a = { iChannel0 = \"buffer_d\", iChannel1 = \"cube_a\", iChannel2 = \"buffer_a\" }\n\
             buffer_b = { iChannel0 = \"buffer_d\" }\n\
             buffer_c.iChannel0 = \"buffer_b\"\n\
             [cube_a]\niChannel0 = \"buffer_d\"\n\
             [image]\niChannel0 = \"buffer_a\"\niChannel1.source = \"buffer_c\"\niChannel2 = \"cube_a\"\n",
        ),
    ]);
    let mut renderer = renderer(&folder.load().unwrap(), 1, 1);
    // Frame 6 (the seventh): A is drawn now (7), C shows B, which shows D of frame 5 (6); the cube shows D of frame 6
    // (7).
    let picture = after(&mut renderer, 7);
    assert_eq!(picture.get_pixel(0, 0).0, [7, 6, 7, 255]);
    let a = renderer.buffer(PassId::Buffer(0)).unwrap().unwrap()[0];
    // D and the cube map as of the previous frame; A's first number as of the previous frame, which is D of the frame
    // before that.
    assert_eq!(a, [6.0, 6.0, 5.0, 7.0]);
}

#[test]
fn only_what_depends_on_frames_before_feeds_back() {
    let folder = |channels: &str| {
        Folder::new(&[
            ("image.glsl", &writes(FIRST[0])),
            ("buffer_a.glsl", &writes(FIRST[0])),
            ("buffer_b.glsl", BLACK),
            ("shadertoy.toml", channels),
        ])
    };
    let feeds_back = |channels: &str| renderer(&folder(channels).load().unwrap(), 1, 1).feeds_back();
    assert!(!feeds_back("[image]\niChannel0 = \"buffer_b\""));
    assert!(feeds_back("[buffer_a]\niChannel0 = \"buffer_a\""));
    assert!(feeds_back("[buffer_a]\niChannel0 = \"buffer_b\""));
    // The channel is bound, but not sampled.
    assert!(!feeds_back("[buffer_a]\niChannel1 = \"buffer_a\"\n[buffer_b]\niChannel0 = \"buffer_b\""));
}

#[test]
fn textures_are_turned_filtered_and_repeated_as_told() {
    let sampled = |channel: &str, coordinates: &str| -> [f32; 4] {
        let folder = Folder::new(&[
            ("image.glsl", BLACK),
            ("buffer_a.glsl", &writes(&format!("textureLod(iChannel0, {coordinates})"))),
            ("shadertoy.toml", &format!("[buffer_a]\niChannel0 = {channel}\n")),
        ]);
        // From left to right, red is 0, 51, 102, 153; green is 0 in the upper row and 255 in the lower row.
        folder.picture("t.png", 4, 2, |x, y| [51 * x as u8, 255 * y as u8, 188, 255]);
        value(&folder, 1)
    };
    let near = |a: f32, b: f32| assert!((a - b).abs() < 0.004, "{a} for {b}");
    let table = |more: &str| format!("{{ source = \"t.png\", {more} }}");
    let nearest = table("filter = \"nearest\", wrap = \"clamp\"");
    // The first row is the upper row of the picture, unless the picture is flipped: then y points up.
    assert_eq!(sampled(&nearest, "vec2(0.375, 0.25), 0.0")[..2], [51.0 / 255.0, 1.0]);
    let from_top = table("filter = \"nearest\", vflip = false");
    assert_eq!(sampled(&from_top, "vec2(0.375, 0.25), 0.0")[..2], [51.0 / 255.0, 0.0]);
    // Nearest texel, then the mean of neighbours, then means on smaller levels.
    near(sampled(&nearest, "vec2(0.49, 0.25), 0.0")[0], 0.2);
    let linear = table("filter = \"linear\", wrap = \"clamp\"");
    near(sampled(&linear, "vec2(0.5, 0.5), 0.0")[0], 0.3);
    near(sampled(&linear, "vec2(0.5, 0.5), 0.0")[1], 0.5);
    // Level 1 has 2 texels, the means 0.1 and 0.5; level 2 has one. The other filters only use level 0.
    near(sampled(&linear, "vec2(0.125, 0.25), 1.0")[0], 0.0);
    let mipmap = table("filter = \"mipmap\", wrap = \"clamp\"");
    near(sampled(&mipmap, "vec2(0.25, 0.5), 1.0")[0], 0.1);
    near(sampled(&mipmap, "vec2(0.25, 0.5), 2.0")[0], 0.3);
    near(sampled(&mipmap, "vec2(0.25, 0.5), 2.0")[1], 0.5);
    // Clamping repeats the edge; wrapping continues at the other side.
    near(sampled(&nearest, "vec2(1.125, 0.25), 0.0")[0], 0.6);
    let repeat = table("filter = \"nearest\", wrap = \"repeat\"");
    near(sampled(&repeat, "vec2(1.125, 0.25), 0.0")[0], 0.0);
    near(sampled(&repeat, "vec2(-0.125, 0.25), 0.0")[0], 0.6);
    // The default of a plain picture: mipmaps, repeat, flipped.
    let plain = sampled("\"t.png\"", "vec2(1.125, 0.25), 0.0");
    near(plain[0], 0.0);
    near(plain[1], 1.0);
    near(sampled("\"t.png\"", "vec2(0.25, 0.5), 2.0")[0], 0.3);
    // sRGB: ((188 / 255 + 0.055) / 1.055) ^ 2.4.
    near(sampled(&table("srgb = true"), "vec2(0.125, 0.25), 0.0")[2], 0.5029);
    near(sampled(&table("srgb = false"), "vec2(0.125, 0.25), 0.0")[2], 188.0 / 255.0);
}

/// Buffers have mipmaps if a channel uses them; the mipmaps are updated in every frame.
#[test]
fn buffers_have_levels() {
    let means = "textureLod(iChannel0, vec2(0.5), 10.0)";
    let folder = Folder::new(&[
        ("image.glsl", &writes(&format!("{means} / 255.0"))),
        ("buffer_a.glsl", &writes("vec4(p.x < 2.0 ? 10 * iFrame : 20, p.y, 300.0, 1)")),
        ("shadertoy.toml", "[image]\niChannel0 = { source = \"buffer_a\", filter = \"mipmap\" }"),
    ]);
    let mut renderer = renderer(&folder.load().unwrap(), 4, 4);
    assert!(!renderer.feeds_back());
    // Means of 30 and 20, and of 0.5 to 3.5.
    assert_eq!(after(&mut renderer, 4).get_pixel(0, 0).0, [25, 2, 255, 255]);
}

/// A pass without varying inputs is drawn once and keeps its contents, also for passes that see the previous frame.
#[test]
fn constant_passes_stay() {
    let folder = Folder::new(&[
        ("image.glsl", &writes(&format!("({} + {}) / 255.0", FIRST[0], FIRST[1]))),
        ("buffer_a.glsl", &writes(&format!("{} + vec4(0, iFrame, 0, 0)", FIRST[1]))),
        ("buffer_b.glsl", &writes("vec4(30, p.x, 0, 0)")),
    ]);
    let mut renderer = renderer(&folder.load().unwrap(), 1, 1);
    for frame in 0..6u8 {
        let picture = renderer.render(&inputs(i32::from(frame))).unwrap();
        // Buffer A runs before B, so it sees zeros in the first frame.
        let before = if frame == 0 { 0 } else { 30 };
        assert_eq!(picture.get_pixel(0, 0).0[0], before + 30);
        let seen = renderer.buffer(PassId::Buffer(0)).unwrap().unwrap()[0];
        assert_eq!(seen[..2], [f32::from(before), f32::from(frame) + if frame == 0 { 0.0 } else { 0.5 }]);
    }
}

/// Directions with their cube face, s and t: the table of the specification of OpenGL, for directions whose largest
/// component is 1.
fn directions() -> [([f32; 3], usize, f32, f32); 6] {
    let (a, b) = (0.5, -0.25);
    let st = |sc: f32, tc: f32| ((sc + 1.0) / 2.0, (tc + 1.0) / 2.0);
    let row = |d: [f32; 3], face, (s, t)| (d, face, s, t);
    let [x, y, z] = [[1.0, a, b], [a, 1.0, b], [a, b, 1.0]];
    let [nx, ny, nz] = [[-1.0, a, b], [a, -1.0, b], [a, b, -1.0]];
    [
        row(x, 0, st(-x[2], -x[1])),
        row(nx, 1, st(nx[2], -nx[1])),
        row(y, 2, st(y[0], y[2])),
        row(ny, 3, st(ny[0], -ny[2])),
        row(z, 4, st(z[0], -z[1])),
        row(nz, 5, st(-nz[0], -nz[1])),
    ]
}

#[test]
fn cube_maps_from_files_have_the_faces_of_opengl() {
    for vflip in [false, true] {
        for (d, face, s, t) in directions() {
            let folder = Folder::new(&[
                ("image.glsl", BLACK),
                (
                    "buffer_a.glsl",
                    &writes(&format!("255.0 * texture(iChannel0, vec3({:?}, {:?}, {:?}))", d[0], d[1], d[2])),
                ),
                (
                    "shadertoy.toml",
                    &format!(
                        "[buffer_a]\niChannel0 = {{ filter = \"nearest\", vflip = {vflip}, faces = [\n\
                         \"0.png\", \"1.png\", \"2.png\", \"3.png\", \"4.png\", \"5.png\"] }}"
                    ),
                ),
            ]);
            for n in 0..6 {
                folder.picture(&format!("{n}.png"), 8, 8, |x, y| [x as u8, y as u8, n, 255]);
            }
            let [column, row] = [(8.0 * s).floor(), (8.0 * t).floor()];
            // Flipped vertically: rows count from below, and the upper face is exchanged with the lower face.
            let (row, face) = match (vflip, face) {
                (false, face) => (row, face),
                (true, face) => (7.0 - row, [0, 1, 3, 2, 4, 5][face]),
            };
            assert_eq!(value(&folder, 1), [column, row, face as f32, 255.0], "{d:?}");
        }
    }
}

#[test]
fn cube_passes_write_what_their_direction_reads() {
    for (d, _, s, t) in directions() {
        let cube = "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) {\n\
            c = p.x < 512.0 ? vec4(p / iResolution.xy, iResolution.x, length(o)) : vec4(p / 1024.0, 1024, 0);\n}";
        let direction = "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) { c = vec4(d, 2.5); }";
        let read = |cube: &str| {
            let at = format!("texture(iChannel0, vec3({:?}, {:?}, {:?}))", d[0], d[1], d[2]);
            let folder = Folder::new(&[
                ("image.glsl", BLACK),
                ("buffer_a.glsl", &writes(&at)),
                ("cube_a.glsl", cube),
                ("shadertoy.toml", "[buffer_a]\niChannel0 = \"cube_a\""),
            ]);
            // The buffer runs before the cube map, so it sees the previous frame.
            value(&folder, 2)
        };
        let [x, y, side, origin] = read(cube);
        assert!((x - s).abs() < 0.001 && (y - t).abs() < 0.001, "{d:?}: {x} {y} for {s} {t}");
        assert_eq!((side, origin), (1024.0, 0.0));
        let length = d.iter().map(|v| v * v).sum::<f32>().sqrt();
        let ray = read(direction);
        for (got, want) in ray.into_iter().zip(d) {
            assert!((got - want / length).abs() < 0.002, "{d:?}: {ray:?}");
        }
        assert_eq!(ray[3], 2.5);
    }
}

/// A cube map with a smaller side than on the website.
#[test]
fn cube_passes_have_the_side_that_is_asked_for() {
    let cube =
        "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) { c = vec4(iResolution.xy, d.z, 1); }";
    let folder = Folder::new(&[
        ("image.glsl", &writes("texture(iChannel0, vec3(0, 0, 1)) * vec4(1.0 / 16.0, 1.0 / 8.0, 1, 1)")),
        ("cube_a.glsl", cube),
        ("shadertoy.toml", "[image]\niChannel0 = \"cube_a\""),
    ]);
    let desc = RendererDesc { cube_side: 4, ..desc(1, 1) };
    let mut renderer = Renderer::new(&device(), &folder.load().unwrap(), &desc).unwrap();
    // A quarter and a half; the direction is that of the centres of the four surrounding texels: (1/4, 1/4, 1).
    let [r, g, b, _] = after(&mut renderer, 1).get_pixel(0, 0).0;
    assert_eq!([r, g, b], [64, 128, 240]);
}

#[test]
fn volumes_have_slices() {
    let folder = Folder::new(&[
        ("image.glsl", BLACK),
        (
            "buffer_a.glsl",
            &writes(
                "255.0 * texelFetch(iChannel0, ivec3(1, 0, 2), 0) + vec4(0, 0, iChannelResolution[0].z, 0)",
            ),
        ),
        ("shadertoy.toml", "[buffer_a]\niChannel0 = { source = \"v.png\", depth = 4 }"),
    ]);
    // Slices of 3x2 texels; green holds the row of the picture.
    folder.picture("v.png", 3, 8, |x, y| [x as u8, y as u8, 0, 255]);
    assert_eq!(value(&folder, 1), [1.0, 4.0, 4.0, 255.0]);
    folder.write("shadertoy.toml", "[buffer_a]\niChannel0 = { source = \"v.png\", depth = 3 }");
    assert!(folder.load().unwrap_err().to_string().contains("8 rows do not make 3 slices"));
}

#[test]
fn passes_are_told_about_their_channels() {
    let channels = "[buffer_a]\niChannel0 = \"t.png\"\niChannel1 = \"keyboard\"\niChannel2 = \"music\"\niChannel3 = \"buffer_a\"\n";
    let told = |color: &str| -> [f32; 4] {
        let used = "0.0 * (texelFetch(iChannel0, ivec2(0), 0) + texelFetch(iChannel1, ivec2(0), 0) \
            + texelFetch(iChannel2, ivec2(0), 0) + vec4(iResolution, 0))";
        let folder = Folder::new(&[
            ("image.glsl", BLACK),
            ("buffer_a.glsl", &writes(&format!("{color} + {used}"))),
            ("shadertoy.toml", channels),
        ]);
        folder.picture("t.png", 5, 3, |_, _| [255; 4]);
        let project = folder.load().unwrap();
        assert_eq!(project.warnings.len(), 2, "{:?}", project.warnings);
        value(&folder, 31)
    };
    assert_eq!(told("vec4(iChannelResolution[0], iChannelTime[0])"), [5.0, 3.0, 1.0, 0.0]);
    assert_eq!(told("vec4(iChannelResolution[1], iChannelTime[2])"), [256.0, 3.0, 1.0, 0.5]);
    let own = told(&format!("vec4(iChannelResolution[2].xy, iSampleRate, iFrameRate) + 0.0 * {}", FIRST[3]));
    assert_eq!(own, [512.0, 2.0, 44100.0, 60.0]);
    assert_eq!(told("vec4(iResolution, iTime)"), [2.0, 2.0, 1.0, 0.5]);
    // No key is pressed; the spectrum is zero, and the wave stays at its middle.
    assert_eq!(told("texelFetch(iChannel1, ivec2(65, 0), 0)"), [0.0; 4]);
    assert_eq!(
        told(
            "255.0 * vec4(texelFetch(iChannel2, ivec2(9, 0), 0).x, texelFetch(iChannel2, ivec2(9, 1), 0).x, 0, 0)"
        )[..2],
        [0.0, 128.0]
    );
}

/// JSON in the form of the API, and in the form of exports.
#[test]
fn json_of_the_site() {
    let code = |text: &str| serde_json::Value::from(text).to_string();
    let api = format!(
        r#"{{"Shader": {{"ver": "0.1", "info": {{"id": "x", "name": "Ours"}}, "renderpass": [
            {{"inputs": [{{"id": 30, "src": "/media/a/t.png", "ctype": "texture", "channel": 1,
                "sampler": {{"filter": "nearest", "wrap": "repeat", "vflip": "false", "srgb": "false", "internal": "byte"}}}},
               {{"id": 257, "src": "/media/previz/buffer00.png", "ctype": "buffer", "channel": 0,
                "sampler": {{"filter": "linear", "wrap": "clamp", "vflip": "true", "srgb": "false", "internal": "byte"}}}}],
              "outputs": [{{"id": 37, "channel": 0}}], "code": {}, "name": "Image", "description": "", "type": "image"}},
            {{"inputs": [{{"id": 257, "ctype": "buffer", "channel": 3}}], "outputs": [{{"id": 257, "channel": 0}}],
              "code": {}, "name": "Buf A", "type": "buffer"}},
            {{"inputs": [], "outputs": [], "code": {}, "name": "", "type": "common"}}]}}}}"#,
        code(&writes(&format!("vec4({}.x / 255.0, {}.y, 0, 0)", FIRST[0], FIRST[1]))),
        code(&writes(&format!("{} + STEP", FIRST[3]))),
        code("#define STEP 3.0\n"),
    );
    let export = api.replace("ctype", "type").replace("\"src\"", "\"filepath\"").replace("257", "\"4dXGR8\"");
    let export = export.trim_start_matches("{\"Shader\": ").strip_suffix('}').unwrap();
    for text in [api.clone(), format!("[{export}]")] {
        let folder = Folder::new(&[("toy.json", &text), ("media/a/x", "")]);
        let path = folder.0.join("toy.json");
        let error = ShadertoyProject::load(&path).unwrap_err().to_string();
        assert!(error.contains("/media/a/t.png (Image: iChannel1)"), "{error}");
        for place in ["media/a/t.png", "t.png"] {
            folder.picture(place, 1, 2, |_, y| [0, 255 * (1 - y as u8), 0, 255]);
            let project = ShadertoyProject::load(&path).unwrap();
            assert_eq!((project.name.as_str(), project.warnings.len()), ("Ours", 0));
            let mut renderer = renderer(&project, 1, 1);
            assert_eq!(after(&mut renderer, 5).get_pixel(0, 0).0, [15, 255, 0, 255]);
            std::fs::remove_file(folder.0.join(place)).unwrap();
        }
    }
    // Missing noise is replaced by generated noise, with a warning.
    let noise = "f735bee5b64ef98879dc618b016ecf7939a5756040c2cde21ccb15e69a6e1cfb.png";
    let folder = Folder::new(&[("toy.json", &api.replace("t.png", noise))]);
    let project = ShadertoyProject::load(folder.0.join("toy.json")).unwrap();
    assert!(project.warnings[0].contains("rgba_noise_medium"), "{:?}", project.warnings);
}

#[test]
fn json_that_is_wrong_says_where() {
    let error = |text: &str| {
        let folder = Folder::new(&[("toy.json", text)]);
        let error = ShadertoyProject::load(folder.0.join("toy.json")).unwrap_err().to_string();
        assert!(error.contains("toy.json"), "{error}");
        error
    };
    let pass = |more: &str| format!("{{\"renderpass\": [{{\"code\": \"\", \"type\": \"image\", {more}}}]}}");
    assert!(error("{\n\n oops").contains("toy.json:3"));
    assert!(error("").contains("EOF"));
    assert!(error("{\"Error\": \"Shader not found\"}").contains("Shader not found"));
    assert!(error("[1, 2]").contains("not a Shadertoy"));
    assert!(error("{\"renderpass\": []}").contains("image"));
    assert!(
        error("{\"renderpass\": [{\"type\": \"image\"}]}").contains("renderpass 0: missing field `code`")
    );
    assert!(error("{\"renderpass\": [{\"code\": \"\", \"type\": \"other\"}]}").contains("`other`"));
    let input = |more: &str| pass(&format!("\"inputs\": [{{{more}}}]"));
    assert!(error(&input("\"channel\": 4, \"ctype\": \"keyboard\"")).contains("iChannel4"));
    assert!(error(&input("\"channel\": 0, \"ctype\": \"tape\"")).contains("`tape`"));
    // Paths never lead outside of the folder.
    assert!(
        error(&input("\"channel\": 0, \"ctype\": \"texture\", \"src\": \"/../../../etc/hostname\""))
            .contains("missing")
    );
    assert!(
        error(&input("\"channel\": 0, \"ctype\": \"cubemap\", \"src\": \"/media/a/c.png\""))
            .contains("c.png")
    );
    let shown = input(
        "\"channel\": 0, \"ctype\": \"texture\", \"src\": \"t.bin\", \"sampler\": {\"filter\": \"best\"}",
    );
    assert!(error(&shown).contains("best"));
    // Truncations of a valid file, and copies with one invalid character.
    let good = input("\"channel\": 0, \"ctype\": \"keyboard\", \"sampler\": {\"vflip\": \"true\"}");
    let folder = Folder::new(&[("toy.json", "")]);
    for at in 0..good.len() {
        for damaged in [good[..at].to_owned(), format!("{}\u{1}{}", &good[..at], &good[at + 1..])] {
            folder.write("toy.json", damaged);
            let _ = ShadertoyProject::load(folder.0.join("toy.json"));
        }
    }
}

#[test]
fn folders_that_are_wrong_say_where() {
    let error = |files: &[(&str, &str)]| Folder::new(files).load().unwrap_err().to_string();
    let channels = |text: &str| {
        let error = error(&[("image.glsl", BLACK), ("shadertoy.toml", text)]);
        assert!(error.contains("shadertoy.toml"), "{error}");
        error
    };
    assert!(error(&[]).contains("it has no image.glsl"));
    assert!(error(&[("buffer_a.glsl", BLACK)]).contains("it has no image.glsl"));
    assert!(error(&[("image.glsl", BLACK), ("Image.frag", BLACK)]).contains("the same pass"));
    assert!(channels("[image]\n\niChannel0 = ").contains("shadertoy.toml:3"));
    assert!(channels("[image]\niChannel4 = \"keyboard\"").contains("iChannel4"));
    assert!(channels("[buffer_e]").contains("buffer_e"));
    assert!(channels("[buffer_b]").contains("[buffer_b] has no buffer_b.glsl"));
    assert!(channels("[image]\niChannel0 = 7").contains("a source"));
    assert!(channels("[image]\niChannel0 = {}").contains("neither"));
    assert!(channels("[image]\niChannel0 = { source = \"a\", filter = \"best\" }").contains("best"));
    assert!(channels("[image]\niChannel0 = { source = \"a\", fliter = \"linear\" }").contains("fliter"));
    assert!(channels("[image]\niChannel2 = \"not.png\"").contains("iChannel2 of [image]: cannot read"));
    assert!(channels("[image]\niChannel2 = \"image.glsl\"").contains("image.glsl"));
    assert!(channels("[image]\niChannel2 = \"sound\"").contains("cannot be shown"));
    assert!(channels("[image]\niChannel0 = { faces = [\"a\"] }").contains("array"));
    let missing = error(&[("image.glsl", BLACK), ("shadertoy.toml", "[image]\niChannel1 = \"buffer_c\"")]);
    assert!(missing.contains("iChannel1 of Image shows Buffer C, which is not there"), "{missing}");
    let good = "[image]\niChannel0 = { source = \"keyboard\", filter = \"linear\", vflip = true }\niChannel1 = \"mic\"\n";
    let folder = Folder::new(&[("image.glsl", BLACK)]);
    for at in 0..good.len() {
        for damaged in [good[..at].to_owned(), format!("{}\u{1}{}", &good[..at], &good[at + 1..])] {
            folder.write("shadertoy.toml", damaged);
            let _ = folder.load();
        }
    }
}

#[test]
fn wrong_passes_name_file_and_line() {
    let common = "#define TWO 2.0\nfloat half_of(float x) { return x / TWO; }\n";
    let error = |name: &str, text: &str| {
        let mut files = vec![("common.glsl", common), ("image.glsl", BLACK), ("buffer_c.glsl", BLACK)];
        files.retain(|(n, _)| *n != name);
        files.push((name, text));
        let project = Folder::new(&files).load().unwrap();
        match Renderer::new(&device(), &project, &desc(1, 1)).err().unwrap() {
            ShadertoyError::Compile(e) => {
                (PathBuf::from(&*e.file).file_name().unwrap().to_owned(), e.line, e.message)
            }
            ShadertoyError::Device(e) => panic!("{e}"),
        }
    };
    let place = |name: &str, text: &str| error(name, text).1;
    assert_eq!(place("image.glsl", "\n\nvoid mainImage(out vec4 c, in vec2 p) { c = vec4(half_of(p)); }"), 3);
    assert_eq!(place("buffer_c.glsl", "void mainImage(out vec4 c, in vec2 p) {\n c = TWO;\n}"), 2);
    let (file, line, _) = error("common.glsl", "#define A 1\n\n\nfloat f() { return undeclared; }");
    assert_eq!((file.to_str(), line), (Some("common.glsl"), 4));
    assert!(error("image.glsl", "void main() {}").2.contains("mainImage"));
    let images = "layout(rgba8) uniform image2D i; void mainImage(out vec4 c, in vec2 p) { c = imageLoad(i, ivec2(0)); }";
    assert_eq!(error("buffer_c.glsl", images).0.to_str(), Some("buffer_c.glsl"));
}

#[test]
fn sound_is_what_the_shader_says() {
    let project = |text: &str| {
        let source = SourceText { name: "sound.glsl".into(), text: text.into() };
        ShadertoyProject::single(PassId::Sound, source)
    };
    let options = Options { disk_cache: false, ..Options::default() };
    let mut sine = SoundRenderer::new(
        &device(),
        &project(
            "vec2 mainSound(in int samp, float time) { return vec2(sin(6.2831853 * 441.0 * time), samp); }",
        ),
        &options,
    )
    .unwrap()
    .unwrap();
    assert_eq!(SAMPLE_RATE, 44_100);
    // A period has 100 samples; the request exceeds a block.
    let samples = sine.samples(1_000, 70_000).unwrap();
    assert_eq!(samples.len(), 70_000);
    for (n, [left, right]) in (1_000..).zip(&samples) {
        let want = (std::f64::consts::TAU * f64::from(n % 100) / 100.0).sin();
        assert!((f64::from(*left) - want).abs() < 2e-3, "sample {n}: {left} for {want}");
        assert_eq!(*right, n as f32);
    }
    assert_eq!(sine.samples(500, 1).unwrap()[0][1], 500.0);
    assert!(sine.samples(u32::MAX, 2).is_err());
    // The original signature of `mainSound`, a sound pass without that function, and no sound pass.
    let old = project("vec2 mainSound(float time) { return vec2(time, -time); }");
    let mut old = SoundRenderer::new(&device(), &old, &options).unwrap().unwrap();
    assert_eq!(old.samples(22_050, 1).unwrap(), [[0.5, -0.5]]);
    assert!(SoundRenderer::new(&device(), &project(BLACK), &options).is_err());
    let none = ShadertoyProject::single(PassId::Image, SourceText::default());
    assert!(SoundRenderer::new(&device(), &none, &options).unwrap().is_none());
}
