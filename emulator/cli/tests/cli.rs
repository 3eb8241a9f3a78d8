//! Tests the `quadrille` command from outside: its output, its files, its failures.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::common::{Folder, asset, bad, good, quadrille, wrong};

const ADD: &str = "#version 450\nlayout(local_size_x = 4) in;\n\
    layout(constant_id = 3) const float scale = 1.0;\n\
    layout(set = 0, binding = 0) readonly buffer A { float a[]; };\n\
    layout(set = 0, binding = 1) buffer B { float b[]; };\n\
    layout(push_constant) uniform P { float offset; };\n\
    void main() { uint i = gl_GlobalInvocationID.x; b[i] = scale * a[i] + b[i] + offset; }\n";

#[test]
fn run_prints_and_saves() {
    let folder = Folder::new("run");
    let shader = folder.write("add.comp", ADD);
    let add = ["run", &shader, "--dispatch", "1", "--bind", "0.0=f32:1,2,3,4", "--bind", "0.1=f32:10*4"];
    let with = |more: &[&str]| good(&[&add[..], more].concat());
    assert_eq!(with(&["--read", "0.1:f32"]), "0.1: 11, 12, 13, 14\n");
    assert_eq!(with(&["--read", "0.1:f32", "--push", "f32:0.5"]), "0.1: 11.5, 12.5, 13.5, 14.5\n");
    assert_eq!(with(&["--read", "0.1:f32", "--spec", "3=2"]), "0.1: 12, 14, 16, 18\n");
    let json: serde_json::Value = serde_json::from_str(&with(&["--read", "0.1:f32", "--json"])).unwrap();
    assert_eq!(json["0.1"][3], 14.0);

    let raw = folder.path("out.raw");
    assert_eq!(with(&["--read", &format!("0.1:f32={raw}")]), "");
    let bytes = std::fs::read(&raw).unwrap();
    assert_eq!(bytes[..4], 11f32.to_le_bytes());
    // A file as input.
    let again =
        ["run", &shader, "--dispatch", "1", "--bind", &format!("0.0={raw}"), "--bind", "0.1=zeros:16"];
    assert_eq!(good(&[&again[..], &["--read", "0.1:f32"]].concat()), "0.1: 11, 12, 13, 14\n");
}

#[test]
fn run_filters_a_picture() {
    let folder = Folder::new("run-image");
    let picture = folder.path("in.png");
    image::RgbaImage::from_fn(4, 2, |x, y| image::Rgba([60 * x as u8, 100 * y as u8, 7, 255]))
        .save(&picture)
        .unwrap();
    let shader = folder.write(
        "mirror.wgsl",
        "@group(0) @binding(0) var source: texture_2d<f32>;\n\
         @group(0) @binding(1) var mirrored: texture_storage_2d<rgba8unorm, write>;\n\
         @compute @workgroup_size(1) fn main(@builtin(workgroup_id) id: vec3u) {\n\
           let x = textureDimensions(source).x - 1 - id.x;\n\
           textureStore(mirrored, id.xy, textureLoad(source, vec2u(x, id.y), 0));\n}\n",
    );
    let out = folder.path("out.png");
    let run = ["run", &shader, "--dispatch", "4,2"];
    let input = format!("0.0={picture}");
    good(
        &[&run[..], &["--bind", &input, "--bind", "0.1=image:4x2", "--read", &format!("0.1={out}")]].concat(),
    );
    let mirrored = image::open(&out).unwrap().into_rgba8();
    assert_eq!(mirrored.get_pixel(0, 1).0, [180, 100, 7, 255]);
    assert_eq!(mirrored.get_pixel(3, 0).0, [0, 0, 7, 255]);

    assert!(wrong(&[&run[..], &["--bind", &input, "--bind", "0.1=zeros:32"]].concat()).contains("image"));
    // A resource without members is an error before the shader runs, and before anything is written.
    let early = folder.path("early.raw");
    let reads = ["--read", &format!("0.1={early}"), "--read", "0.1:struct"];
    let text = wrong(&[&run[..], &["--bind", &input, "--bind", "0.1=image:4x2"], &reads].concat());
    assert!(text.contains("is not a buffer whose members are known"), "{text}");
    assert!(!Path::new(&early).exists());
    let numbers = folder.write(
        "numbers.wgsl",
        "@group(0) @binding(0) var numbers: texture_storage_2d<r32uint, write>;\n\
         @compute @workgroup_size(1) fn main() { textureStore(numbers, vec2u(0), vec4u(7)); }\n",
    );
    let exr = format!("0.0={}", folder.path("numbers.exr"));
    let reads = ["--read", &format!("0.0={early}"), "--read", &exr];
    let write = ["run", &numbers, "--dispatch", "1", "--bind", "0.0=image:1x1"];
    let text = wrong(&[&write[..], &reads].concat());
    assert!(text.contains("are integers, not floats") && !Path::new(&early).exists(), "{text}");
    assert!(
        bad(&[&run[..], &["--bind", &format!("0.0={shader}")]].concat())
            .contains("cannot be read as a picture")
    );
}

#[test]
fn run_refuses() {
    let folder = Folder::new("run-bad");
    let shader = folder.write("add.comp", ADD);
    let run = |more: &[&str]| bad(&[&["run", &shader, "--dispatch", "1"][..], more].concat());
    let refused = |more: &[&str]| wrong(&[&["run", &shader, "--dispatch", "1"][..], more].concat());
    assert!(refused(&[]).contains("nothing is bound"));
    assert!(refused(&["--bind", "0.0=f32:x"]).contains("`x` is not a value of type f32"));
    assert!(refused(&["--bind", "0.0=vec4:1"]).contains("vec4"));
    assert!(refused(&["--bind", "0.7=f32:1"]).contains("does not use set 0, binding 7"));
    assert!(refused(&["--bind", "0.0=f32:1", "--bind", "0.0=f32:1"]).contains("twice"));
    assert!(refused(&["--bind", "0.0=zeros:4", "--bind", "0.0[7]=zeros:4"]).contains("element 7"));
    assert!(refused(&["--read", "0.5:f32"]).contains("nothing is bound"));
    assert!(refused(&["--push", "f32:x"]).contains("--push f32:x"));
    // A command line is right that names a file which cannot be read.
    let unread = quadrille(&["run", &shader, "--dispatch", "1", "--bind", "0.0=missing.raw"]);
    assert_eq!(unread.status.code(), Some(1));
    assert!(run(&["--spec", "9=1", "--bind", "0.0=f32:1", "--bind", "0.1=f32:1"]).contains("9"));
    assert!(run(&["--entry", "other", "--bind", "0.0=f32:1", "--bind", "0.1=f32:1"]).contains("other"));
    assert!(bad(&["run", &shader, "--dispatch", "1,x"]).contains("`x` is not a number below 2^32"));
    assert!(bad(&["run", "missing.comp", "--dispatch", "1"]).contains("missing.comp"));
    let sized = "#version 450\nlayout(local_size_x_id = 0) in;\nvoid main() {}\n";
    let sized = folder.write("sized.comp", sized);
    let empty = bad(&["run", &sized, "--dispatch", "1", "--spec", "0=0"]);
    assert!(empty.contains("workgroup of [0, 1, 1] invocations, must have 1 to 1024"), "{empty}");
}

#[test]
fn render_three_languages() {
    let folder = Folder::new("render");
    for name in ["still_life.glsl", "julia.wgsl", "ripples.spvasm", "plasma.frag"] {
        let out = folder.path(&format!("{name}.png"));
        good(&["render", &asset(name), "-o", &out, "--size", "48x32"]);
        let picture = image::open(&out).unwrap().into_rgba8();
        assert_eq!(picture.dimensions(), (48, 32), "{name}");
        let mut colors: Vec<_> = picture.pixels().collect();
        colors.sort_by_key(|p| p.0);
        colors.dedup();
        assert!(colors.len() > 100, "{name} has {} colours", colors.len());
    }
}

#[test]
fn render_inputs_frames_and_threads() {
    let folder = Folder::new("frames");
    // Red is the time, green the frame, blue the row. Rows start at the bottom, because uniforms outside blocks mean
    // OpenGL.
    let source = "#version 450\nuniform float time; uniform int frame; uniform vec2 u_resolution;\n\
        layout(location = 0) out vec4 c;\n\
        void main() { c = vec4(time, float(frame) / 255.0, gl_FragCoord.y / u_resolution.y, 1.0); }\n";
    let shader = folder.write("inputs.frag", source);
    let out = folder.path("f%02d.png");
    good(&[
        "render",
        &shader,
        "-o",
        &out,
        "--size",
        "2x2",
        "--frames",
        "3..5",
        "--fps",
        "10",
        "--threads",
        "2",
    ]);
    let picture = image::open(folder.path("f04.png")).unwrap().into_rgba8();
    assert_eq!(picture.get_pixel(0, 0).0, [102, 4, 191, 255]);
    assert_eq!(picture.get_pixel(1, 1).0, [102, 4, 64, 255]);
    assert!(Path::new(&folder.path("f03.png")).exists());
    assert!(!Path::new(&folder.path("f05.png")).exists());
}

#[test]
fn render_shadertoy_from_the_bottom_with_a_texture() {
    let folder = Folder::new("toy");
    let texture = folder.path("t.png");
    // Red at the top, blue at the bottom.
    image::RgbaImage::from_fn(2, 2, |_, y| {
        image::Rgba(if y == 0 { [255, 0, 0, 255] } else { [0, 0, 255, 255] })
    })
    .save(&texture)
    .unwrap();
    let shader = folder.write(
        "toy.glsl",
        "void mainImage(out vec4 c, in vec2 p) {\n vec2 uv = p / iResolution.xy;\n \
         c = vec4(texelFetch(iChannel0, ivec2(uv * 2.0), 0).rb, uv.y, 0.0);\n}\n",
    );
    let out = folder.path("o.png");
    good(&["render", &shader, "-o", &out, "--size", "2x2", "--texture", &texture]);
    let picture = image::open(&out).unwrap().into_rgba8();
    assert_eq!(picture.get_pixel(0, 0).0, [255, 0, 191, 255]);
    assert_eq!(picture.get_pixel(0, 1).0, [0, 255, 64, 255]);
}

#[test]
fn wrong_shaders_show_their_line() {
    let folder = Folder::new("wrong");
    let out = folder.path("o.png");
    let render = |name: &str, source: &[u8]| {
        let file = folder.write(name, source);
        bad(&["render", &file, "-o", &out])
    };
    let text =
        render("a.frag", b"#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = nonsense; }\n");
    assert!(text.contains("a.frag:3:19") && text.contains("nonsense"), "{text}");
    let text = render("a.wgsl", b"@fragment fn main() -> @location(0) vec4f {\n  return vec3f(1.0);\n}\n");
    assert!(text.contains("return vec3f(1.0);"), "{text}");
    let text = render("toy.glsl", b"void mainImage(out vec4 c, in vec2 p) {\n  c = vec4(nonsense);\n}\n");
    assert!(text.contains("toy.glsl:2:12"), "{text}");
    let text = render("a.spvasm", b"               OpCapability Shader\n  %x = OpNonsense\n");
    assert!(text.contains("OpNonsense"), "{text}");

    for (name, bytes) in [
        ("empty.frag", &b""[..]),
        ("empty.wgsl", b""),
        ("empty.spv", b""),
        ("garbage.spv", b"\x03\x02\x23\x07garbage of a module that is not one"),
        ("odd.spv", b"\x03\x02\x23\x07\x01"),
        ("binary.frag", b"\xff\xfe\x00\x01"),
        ("zero.frag", b"void main() {}\0"),
        ("include.frag", b"#include \"x\"\nvoid main() {}"),
        ("compute.wgsl", b"@compute @workgroup_size(1) fn main() {}"),
    ] {
        render(name, bytes);
    }
    let file = folder.write("noext", "x");
    assert!(bad(&["render", &file, "-o", &out]).contains("--lang"));
    assert!(bad(&["render", &folder.path("missing.frag"), "-o", &out]).contains("missing.frag"));
    assert!(bad(&["render", &asset("plasma.frag"), "-o", &folder.path("a.frag/o.png")]).contains("a.frag"));
    assert!(bad(&["render", &asset("plasma.frag"), "-o", &folder.path("o.webp")]).contains(".png"));
    let broken = folder.write("broken.png", b"\x89PNG\r\n\x1a\nbroken");
    assert!(
        bad(&["render", &asset("kaleidoscope.frag"), "-o", &out, "--texture", &broken])
            .contains("broken.png")
    );
}

#[test]
fn inspect_shows_every_form() {
    let text = good(&["inspect", &asset("plasma.frag")]);
    assert!(text.contains("Fragment") && text.contains("Inputs"), "{text}");
    let json: serde_json::Value =
        serde_json::from_str(&good(&["inspect", &asset("add.comp"), "--json"])).unwrap();
    assert_eq!(json["entry_points"][0]["local_size"][0], 64);
    for emit in ["ir", "clif", "asm"] {
        assert!(good(&["inspect", &asset("add.comp"), "--emit", emit]).lines().count() > 10, "{emit}");
    }
    // The output to a pipe is binary.
    let out = quadrille(&["inspect", &asset("ripples.spvasm"), "--emit", "spirv"]);
    assert_eq!(out.stdout[..4], [3, 2, 0x23, 7]);
    let stages = |name: &str| format!("{}/../vulkan/tests/shaders/{name}.spvasm", env!("CARGO_MANIFEST_DIR"));
    for (name, stage) in [
        ("levels.tesc", "tessellation control"),
        ("quad.tese", "tessellation evaluation"),
        ("squares.geom", "geometry"),
        ("stairs.task", "task"),
        ("stairs.mesh", "mesh"),
    ] {
        let file = stages(name);
        let described: serde_json::Value =
            serde_json::from_str(&good(&["inspect", &file, "--json"])).unwrap();
        assert_eq!(described["entry_points"][0]["stage"], stage);
        let has_workgroups = ["task", "mesh"].contains(&stage);
        assert_eq!(described["entry_points"][0]["local_size"].is_array(), has_workgroups);
        for emit in ["ir", "clif", "asm"] {
            assert!(good(&["inspect", &file, "--emit", emit]).lines().count() > 10, "{name} {emit}");
        }
    }
    let folder = Folder::new("inspect");
    let file = folder.write("r.spv", &out.stdout);
    assert!(good(&["inspect", &file]).contains("Fragment"));
    bad(&["inspect", &folder.write("g.spv", "garbage")]);
}

/// Fixed-function kernels are listed, and dumped like shaders, for the requested host instructions.
#[test]
fn kernels_are_listed_and_dumped() {
    let folder = Folder::new("kernels");
    let dump = folder.path("dump");
    for level in ["v2", "v3", "v4"] {
        let args = ["inspect", &asset("kaleidoscope.frag"), "--emit", "kernels", "--json"];
        let out = Command::new(env!("CARGO_BIN_EXE_quadrille"))
            .args(args)
            .env("QUADRILLE_CPU", level)
            .env("QUADRILLE_DUMP", "clif,asm")
            .env("QUADRILLE_DUMP_DIR", &dump)
            .output()
            .unwrap();
        let json: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
        let kernels = json["kernels"].as_array().unwrap();
        let kinds: Vec<_> = kernels.iter().map(|k| k["kind"].as_str().unwrap()).collect();
        assert!(kinds.contains(&"output merge") && kinds.contains(&"sampling"), "{json:#}");
        for kernel in kernels {
            // The host may have fewer instructions than requested.
            let cpu = kernel["cpu"].as_str().unwrap();
            assert!(cpu <= level, "{json:#}");
            assert!(cpu != "v2" || kernel["made"] == "generated", "{json:#}");
        }
    }
    let names: Vec<String> =
        std::fs::read_dir(&dump).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    for end in [".output_merge.kernel.v2.asm", ".sampling.kernel.v2.clif", ".sampling.kernel.v2.asm"] {
        let file = names.iter().find(|n| n.ends_with(end)).unwrap_or_else(|| panic!("{end}: {names:?}"));
        let text = std::fs::read_to_string(format!("{dump}/{file}")).unwrap();
        assert!(text.starts_with("; ") && text.lines().count() > 10, "{text}");
    }
}

#[test]
fn a_closed_pipe_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["inspect", &asset("still_life.glsl"), "--emit", "ir"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success());
}

#[test]
fn info_and_help() {
    let json: serde_json::Value = serde_json::from_str(&good(&["info", "--json"])).unwrap();
    assert!(json["limits"].is_object() && json["environment"].is_array());
    assert!(good(&["info"]).contains("QUADRILLE_THREADS"));
    for command in ["render", "run", "inspect", "info", "vulkan"] {
        assert!(good(&[command, "--help"]).contains("Usage"), "{command}");
    }
    bad(&[]);
    bad(&["nonsense"]);
    bad(&["vulkan"]);
    bad(&["vulkan", "--driver", "missing.so", "--print-env"]);
}

/// A variable that is misspelled has no effect, and the first device says so.
#[test]
fn unknown_variables_are_named() {
    let name = ["QUADRILLE", "CHEK"].join("_");
    let warning =
        format!("warning: the environment variable {name} is unknown; did you mean QUADRILLE_CHECK?");
    let folder = Folder::new("unknown-variables");
    let shader = folder.write("add.comp", ADD);
    let add = ["run", &shader, "--dispatch", "1", "--bind", "0.0=f32:1", "--bind", "0.1=f32:2"];
    for arguments in [&add[..], &["info"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        let out = command.args(arguments).env(&name, "1").output().unwrap();
        let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8(bytes).unwrap()).concat();
        assert!(out.status.success() && text.matches(&warning).count() == 1, "{text}");
    }
}

/// A variable with a wrong value is not a mistake of the shader.
#[test]
fn wrong_variables_are_not_of_a_file() {
    let folder = Folder::new("wrong-variables");
    let shader = folder.write("add.comp", ADD);
    let bound = ["--dispatch", "1", "--bind", "0.0=f32:1", "--bind", "0.1=f32:2"];
    for arguments in [&[&["run", &shader], &bound[..]].concat()[..], &["run", &shader, "--global", "1"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        let out = command.args(arguments).env("QUADRILLE_THREADS", "several").output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr);
        assert!(text.contains("QUADRILLE_THREADS is `several`") && !text.contains("add.comp"), "{text}");
    }
}

/// Dumps that cannot be written do not stop the shader, and are reported once.
#[test]
fn dumps_into_a_file_are_reported() {
    let folder = Folder::new("dump-file");
    let shader = folder.write("add.comp", ADD);
    let bound = ["--dispatch", "1", "--bind", "0.0=f32:1", "--bind", "0.1=f32:2"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["run", &shader]).args(bound);
    let out = command.env("QUADRILLE_DUMP", "spirv,ir").env("QUADRILLE_DUMP_DIR", &shader).output().unwrap();
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && text.matches("dumps cannot be written to").count() == 1, "{text}");
    // Values of other variables are whole.
    for (name, value, message) in [
        ("QUADRILLE_BUDGET", "0.5", "it takes a whole number of seconds"),
        ("QUADRILLE_HEAP", "0", "it takes a whole number of mebibytes, from 1"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        let out = command.args(["run", &shader]).args(bound).env(name, value).output().unwrap();
        let text = String::from_utf8_lossy(&out.stderr);
        assert!(!out.status.success() && text.contains(message), "{text}");
    }
}

/// Interpreter, tiers, host levels, thread counts and lane group sizes all produce the same bytes.
#[test]
fn pictures_are_the_same_in_every_variant() {
    let folder = Folder::new("variants");
    let variants = [
        ("QUADRILLE_INTERP", "1"),
        ("QUADRILLE_OPT", "none"),
        ("QUADRILLE_OPT", "speed"),
        ("QUADRILLE_CPU", "v2"),
        ("QUADRILLE_CPU", "v3"),
        ("QUADRILLE_CPU", "v4"),
        ("QUADRILLE_THREADS", "1"),
        ("QUADRILLE_THREADS", "2"),
        ("QUADRILLE_THREADS", "7"),
        ("QUADRILLE_LANES", "4"),
        ("QUADRILLE_LANES", "16"),
        ("QUADRILLE_LANES", "32"),
    ];
    for shader in ["still_life.glsl", "julia.wgsl", "ripples.spvasm"] {
        let picture = |name: &str, value: &str| {
            let path = folder.path("p.png");
            let out = Command::new(env!("CARGO_BIN_EXE_quadrille"))
                .args(["render", &asset(shader), "-o", &path, "--size", "70x40"])
                .env(name, value)
                .output()
                .unwrap();
            assert!(
                out.status.success(),
                "{shader}, {name}={value}: {}",
                String::from_utf8_lossy(&out.stderr)
            );
            std::fs::read(&path).unwrap()
        };
        let first = picture("NO_COLOR", "1");
        for (name, value) in variants {
            assert!(picture(name, value) == first, "{shader}: {name}={value} gives another picture");
        }
    }
}

/// The commands in `assets/README.md` produce the pictures of the gallery. Every third is drawn, and all with
/// `QUADRILLE_VARIANTS=all`.
#[test]
fn the_gallery_is_what_its_commands_make() {
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let folder = Folder::new("gallery");
    let text = std::fs::read_to_string(assets.join("README.md")).unwrap();
    let (mut found, mut checked) = (0, 0);
    let step = if quadrille::env::is_on(quadrille::env::VARIANTS) { 1 } else { 3 };
    for line in text.lines() {
        let cells: Vec<&str> = line.split('`').collect();
        let [_, picture, between, command, _] = cells[..] else { continue };
        let Some(command) = command.strip_prefix("quadrille ").filter(|_| !between.contains("not checked"))
        else {
            continue;
        };
        found += 1;
        if found % step != 1 % step {
            continue;
        }
        let made = folder.path(&format!("{checked}.png"));
        let root = assets.join("..").display().to_string();
        let mut args: Vec<String> =
            command.split(' ').map(|a| a.replace("assets/", &format!("{root}/assets/"))).collect();
        *args.last_mut().unwrap() = made.clone();
        good(&args.iter().map(String::as_str).collect::<Vec<_>>());
        let pixels = |path: &Path| image::open(path).unwrap().into_rgba8();
        assert!(
            pixels(Path::new(&made)) == pixels(&assets.join(picture)),
            "{picture} is not what `{command}` makes"
        );
        checked += 1;
    }
    assert!(found >= 7 && checked >= found / step, "{checked} of {found} pictures");
}

/// With an invalid variable no device is created; `info`, which needs no device, reports the error.
#[test]
fn a_variable_that_cannot_be_read_is_an_error() {
    let folder = Folder::new("variable");
    let shader = folder.write("add.wgsl", "@compute @workgroup_size(1) fn main() {}");
    for (name, value, says) in [
        ("QUADRILLE_THREADS", "many", "`many`; it takes a number of threads"),
        ("QUADRILLE_THREADS", "-1", "`-1`; it takes a number of threads"),
        ("QUADRILLE_LANES", "12", "`12`; it takes 4, 8, 16, 32"),
        ("QUADRILLE_TRACE", "draw=loud", "`loud` is not a trace level"),
        ("QUADRILLE_TRACE", "paint=info", "`paint` is not a trace target"),
    ] {
        let with = |args: &[&str]| {
            Command::new(env!("CARGO_BIN_EXE_quadrille")).args(args).env(name, value).output().unwrap()
        };
        let out = with(&["run", &shader, "--dispatch", "1"]);
        let text = String::from_utf8_lossy(&out.stderr).replace(['\n', ' ', '│'], "");
        assert!(!out.status.success());
        assert!(text.contains(name) && text.contains(&says.replace(' ', "")), "{text}");
        let info = String::from_utf8(with(&["info"]).stdout).unwrap();
        assert!(info.contains(says), "{info}");
    }
}

#[test]
fn more_threads_than_processors_can_use_are_cut_with_a_warning() {
    let mut info = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    let out = info.arg("info").env("QUADRILLE_THREADS", "100000").output().unwrap();
    let text = String::from_utf8(out.stdout).unwrap();
    let most = 8 * std::thread::available_parallelism().unwrap().get();
    assert!(text.contains(&format!("threads in use {most},")), "{text}");
    assert!(text.contains(&format!("100000 threads are too many, {most} are used")), "{text}");
}

/// WGSL as drafted in January 2021 runs unchanged, and its translation does the same.
#[test]
fn old_wgsl_runs_and_is_translated() {
    let folder = Folder::new("old-wgsl");
    let old = folder.write(
        "old.wgsl",
        "[[block]] struct Data { [[offset(0)]] v : [[stride(4)]] array<i32>; };\n\
         [[group(0), binding(0)]] var<storage> data : [[access(read_write)]] Data;\n\
         [[constant_id(5)]] const by : i32 = 3;\n\
         [[builtin(global_invocation_id)]] var<in> id : vec3<u32>;\n\
         [[stage(compute), workgroup_size(4)]]\n\
         fn main() -> void { data.v[id.x] = select(data.v[id.x] % by, -1, id.x < 3u); }\n",
    );
    let new = folder.path("new.wgsl");
    assert_eq!(good(&["translate", &old, "-o", &new]), "");
    assert_eq!(std::fs::read_to_string(&new).unwrap(), good(&["translate", &old, "--strict"]));
    for file in [&old, &new] {
        let run = ["run", file, "--dispatch", "1", "--bind", "0.0=i32:-7,7,-8,5", "--read", "0.0:i32"];
        let with = |more: &[&str]| good(&[&run[..], more].concat());
        assert_eq!(with(&[]), "0.0: 2, 1, 1, -1\n");
        assert_eq!(with(&["--spec", "5=-4"]), "0.0: -3, -1, 0, -1\n");
        assert_eq!(with(&["--spec", "by=5"]), "0.0: 3, 2, 2, -1\n");
        let unknown = bad(&[&run[..], &["--spec", "to=5"]].concat());
        assert!(unknown.contains("there are: by (id 5)"), "{unknown}");
    }
    let error = bad(&["translate", &new]);
    assert!(error.contains("nothing to translate"), "{error}");
    let shadowed = folder.write("bad.wgsl", "[[stage(compute)]]\nfn main() {\n  var a : u32;\n  a = b;\n}\n");
    let error = bad(&["inspect", &shadowed, "--strict"]);
    assert!(error.contains("write `-> void`") && error.contains("the name `b`"), "{error}");
}

/// Workgroup sizes and values of constants come from the command line, also in today's WGSL.
#[test]
fn overridable_constants_are_given_by_name_or_id() {
    let folder = Folder::new("override");
    let shader = folder.write(
        "override.wgsl",
        "@id(1) override n: u32 = 2;\noverride scale: f32;\n\
         @group(0) @binding(0) var<storage, read_write> data: array<f32>;\n\
         @compute @workgroup_size(n) fn main(@builtin(global_invocation_id) id: vec3u) {\n\
           data[id.x] = scale * f32(n);\n}\n",
    );
    let run = ["run", &shader, "--dispatch", "1", "--bind", "0.0=zeros:16", "--read", "0.0:f32"];
    let with = |more: &[&str]| good(&[&run[..], more].concat());
    assert_eq!(with(&["--spec", "scale=1.5"]), "0.0: 3, 3, 0, 0\n");
    assert_eq!(with(&["--spec", "scale=1", "--spec", "1=3"]), "0.0: 3, 3, 3, 0\n");
    let missing = bad(&run);
    assert!(missing.contains("the constant `scale` has no value"), "{missing}");
    let wrong = bad(&[&run[..], &["--spec", "scale=1", "--spec", "n=1.5"]].concat());
    assert!(wrong.contains("cannot be 1.5: it is a u32"), "{wrong}");
}

#[test]
fn packages_have_completions_and_manual_pages() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = good(&["completions", shell]);
        assert!(text.contains("render") && text.contains("samples"), "{shell}: {text}");
    }
    let folder = Folder::new("manual");
    good(&["manual", &folder.path("pages")]);
    let page = |name: &str| std::fs::read_to_string(folder.path(&format!("pages/{name}.1")));
    assert!(page("quadrille").unwrap().contains(".TH quadrille 1"));
    assert!(page("quadrille-render").unwrap().contains("\\-\\-samples"));
    // Hidden subcommands are for packages.
    assert!(page("quadrille-manual").is_err() && !good(&["help"]).contains("manual"));
}
