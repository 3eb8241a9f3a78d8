//! Shaders in practice: in several files, with macros and uniforms to set, drawn again when they change.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::common::{Folder, bad, good, quadrille};

/// The top left pixel of the picture that `args` render.
fn pixel(folder: &Folder, args: &[&str]) -> [u8; 4] {
    let out = folder.path("pixel.png");
    good(&[&["render"], args, &["-o", &out, "--size", "2x2"]].concat());
    image::open(&out).unwrap().into_rgba8().get_pixel(0, 0).0
}

const HEAD: &str = "#version 450\nlayout(location = 0) out vec4 c;\n";

#[test]
fn includes() {
    let folder = Folder::new("includes");
    for sub in ["src/parts", "lib"] {
        std::fs::create_dir_all(folder.path(sub)).unwrap();
    }
    folder.write(
        "src/parts/red.glsl",
        "#pragma once\n#include \"../half.glsl\"\nvec3 red() { return vec3(HALF, 0, 0); }\n",
    );
    folder.write("src/half.glsl", "#define HALF 0.6\n");
    folder.write("lib/half.glsl", "#undef HALF\n#define HALF 0.2\n");
    folder.write(
        "lib/blue.glsl",
        "#ifndef BLUE\n#define BLUE\nvec3 blue() { return vec3(0, 0, 1); }\n#endif\n",
    );
    let (lib, out) = (folder.path("lib"), folder.path("o.png"));
    let body = "#include \"parts/red.glsl\"\n#include \"parts/red.glsl\"\n#include <blue.glsl>\n#include \"blue.glsl\"\n\
                void main() { c = vec4(red() + blue(), 1); }\n";
    let main = folder.write("src/main.frag", format!("{HEAD}{body}"));
    // 0.6 and 0.2 of 255. With quotes the file's own folder comes first, with angle brackets the folders of -I.
    assert_eq!(pixel(&folder, &[&main, "-I", &lib]), [153, 0, 255, 255]);
    folder.write("src/parts/red.glsl", "#include <half.glsl>\nvec3 red() { return vec3(HALF, 0, 0); }\n");
    let once = folder.write(
        "src/once.frag",
        format!("{HEAD}#include \"parts/red.glsl\"\nvoid main() {{ c = vec4(red(), 1); }}"),
    );
    assert_eq!(pixel(&folder, &[&once, "-I", &lib]), [51, 0, 0, 255]);
    folder.write("none/other.glsl", "");
    let other = folder.path("none");
    assert_eq!(pixel(&folder, &[&once, "-I", &other, "--include", &lib]), [51, 0, 0, 255]);
    // Includes also work in Shadertoys and with `run`.
    let toy = folder.write(
        "toy.glsl",
        "#include <blue.glsl>\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(blue(), 1); }",
    );
    assert_eq!(pixel(&folder, &[&toy, "-I", &lib]), [0, 0, 255, 255]);
    folder.write("seven.h", "#define SEVEN 7u\n");
    let comp = folder.write(
        "a.comp",
        "#version 450\n#include \"seven.h\"\nlayout(local_size_x = 1) in;\nlayout(binding = 0) buffer B { uint x; };\n\
         void main() { x = SEVEN * N; }\n",
    );
    let run = ["run", &comp, "-D", "N=6u", "--dispatch", "1", "--bind", "0.0=zeros:4", "--read", "0.0:u32"];
    assert!(good(&run).contains("42"));

    // The message has the file, the line, and the including files.
    folder.write("lib/blue.glsl", "\nvec3 blue() { return nothing; }\n");
    folder.write("lib/sky.glsl", "\n\n#include \"blue.glsl\"\n");
    let sky = folder
        .write("sky.frag", format!("{HEAD}#include <sky.glsl>\nvoid main() {{ c = vec4(blue(), 1); }}"));
    let wrong = bad(&["render", &sky, "-o", &out, "-I", &lib]);
    for part in
        ["lib/blue.glsl:2:22", "'nothing': undeclared", "lib/sky.glsl:3", "sky.frag:3", "return nothing"]
    {
        assert!(wrong.replace('\n', " ").contains(part), "{part}: {wrong}");
    }
    let wrong = bad(&["render", &sky, "-o", &out]);
    assert!(wrong.contains("cannot find `sky.glsl`") && wrong.contains("-I FOLDER"), "{wrong}");
    assert!(wrong.contains("sky.frag:3:1"), "{wrong}");
    let circle = folder.write("circle.frag", "#include \"circle.frag\"\n");
    let wrong = bad(&["render", &circle, "-o", &out]);
    assert!(wrong.contains("includes itself"), "{wrong}");
}

#[test]
fn macros() {
    let folder = Folder::new("macros");
    let out = folder.path("o.png");
    let body = "#ifndef LEVEL\n#define LEVEL 1.0\n#endif\nvoid main() { c = vec4(LEVEL, ON, 0, 1); }\n";
    let frag = folder.write("a.frag", format!("{HEAD}#ifndef ON\n#define ON 0\n#endif\n{body}"));
    assert_eq!(pixel(&folder, &[&frag]), [255, 0, 0, 255]);
    assert_eq!(pixel(&folder, &[&frag, "-D", "LEVEL=0.2"]), [51, 0, 0, 255]);
    assert_eq!(pixel(&folder, &[&frag, "-DLEVEL=(0.2 + 0.4)", "--define", "ON"]), [153, 255, 0, 255]);
    let toy = folder.write("toy.glsl", "void mainImage(out vec4 c, vec2 p) { c = vec4(0, LEVEL, 0, 1); }");
    assert_eq!(pixel(&folder, &[&toy, "-D", "LEVEL=.4"]), [0, 102, 0, 255]);
    // Messages still count the lines of the file itself.
    let wrong = bad(&["render", &frag, "-o", &out, "-D", "LEVEL=nothing"]);
    assert!(wrong.contains("a.frag:9") && wrong.contains("nothing"), "{wrong}");

    for (define, why) in
        [("2X", "NAME=VALUE"), ("=1", "NAME=VALUE"), ("GL_x=1", "reserved"), ("A=1\n2", "NAME=VALUE")]
    {
        let wrong = bad(&["render", &frag, "-o", &out, "-D", define]);
        assert!(wrong.contains(why), "{define}: {wrong}");
    }
    let wgsl = folder.write("a.wgsl", "@fragment fn f() -> @location(0) vec4f { return vec4f(1); }");
    let agsl = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    for (file, help) in [(&wgsl, "--spec NAME=VALUE"), (&agsl, "--uniform NAME=VALUES")] {
        for option in [["-D", "X=1"], ["-I", "."]] {
            let wrong = bad(&["render", file, "-o", &out, option[0], option[1]]);
            assert!(wrong.contains("no preprocessor") && wrong.contains(help), "{wrong}");
        }
    }
}

/// Standard error of `render --verbose`.
fn verbose(folder: &Folder, args: &[&str]) -> String {
    let out = quadrille(
        &[&["render"], args, &["-o", &folder.path("v.png"), "--size", "4x2", "--verbose"]].concat(),
    );
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{args:?}: {text}");
    text
}

#[test]
fn uniforms_of_every_language() {
    let folder = Folder::new("uniforms");
    let glsl = folder.write(
        "a.frag",
        format!(
            "{HEAD}struct Light {{ float power; vec3 color; }};\n\
             layout(binding = 2) uniform Inputs {{ Light lights[2]; mat2 m; bool on; uint n; ivec2 i; float t[3]; }} u;\n\
             void main() {{ c = vec4(u.lights[1].power * u.lights[1].color.g, u.on ? u.m[1][0] : 0, \
             float(u.n) / 255.0 * float(u.i.y), u.t[2]); }}"
        ),
    );
    let given = [
        &*glsl,
        "--uniform",
        "lights[1].power=0.5",
        "--uniform",
        "lights[1].color=0,0.4,0",
        "--uniform",
        "on=true",
        "--uniform",
        "m=0,0,0.6,0",
        "--uniform",
        "n=51",
        "--uniform",
        "i=0,2",
        "--uniform",
        "t=0,0,1",
    ];
    // 0.5 * 0.4 = 51/255, 0.6 = 153/255, 51 * 2 = 102.
    assert_eq!(pixel(&folder, &given), [51, 153, 102, 255]);
    let part = ["--uniform", "m[1]=0.2,0", "--uniform", "t[2]=0.6"];
    assert_eq!(pixel(&folder, &[&given[..], &part].concat()), [51, 51, 102, 153]);
    // std140: an element of `lights` has 32 bytes, `m` is at 64 with 16 bytes per column, `on` is at 96.
    let said = verbose(&folder, &given);
    for line in [
        "uniform lights[1].power: float at set 0, binding 2, byte 32 = 0.5 (given)",
        "uniform lights[1].color: vec3 at set 0, binding 2, byte 48 = 0, 0.4, 0 (given)",
        "uniform m: mat2 at set 0, binding 2, byte 64 = 0, 0, 0.6, 0 (given)",
        "uniform on: uint at set 0, binding 2, byte 96 = 1 (given)",
        "uniform lights[0].power: float at set 0, binding 2, byte 0 = 0 (no value)",
        "uniform t: float[3] at set 0, binding 2, byte 112 = 0, 0, 1 (given)",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }

    // Widths other than 32 bits.
    let wide = folder.write(
        "wide.frag",
        "#version 450\n#extension GL_EXT_shader_explicit_arithmetic_types : require\n\
         #extension GL_EXT_shader_16bit_storage : require\nlayout(location = 0) out vec4 c;\n\
         layout(push_constant) uniform P { float16_t h; u16vec2 s; double d; int64_t l; };\n\
         void main() { c = vec4(float(h), float(s.y) / 65535.0, float(d), float(l + 9223372036854775807L) / 255.0); }",
    );
    let wide = [
        &*wide,
        "--uniform",
        "h=0.5",
        "--uniform",
        "s=0,65535",
        "--uniform",
        "d=0.2",
        "--uniform",
        "l=-9223372036854775653",
    ];
    // The last component is 154.
    assert_eq!(pixel(&folder, &wide), [128, 255, 51, 154]);
    assert!(verbose(&folder, &wide).contains("uniform d: double at push constants, byte 8 = 0.2 (given)"));

    let loose = folder.write(
        "loose.frag",
        "uniform vec2 a[2]; uniform float time; out vec4 c;\nvoid main() { c = vec4(a[1], time, 1); }",
    );
    assert_eq!(pixel(&folder, &[&loose, "--uniform", "a[1]=0.2,0.6", "--time", "0.4"]), [51, 153, 102, 255]);
    assert_eq!(
        pixel(&folder, &[&loose, "--uniform", "a=0,0,1,0", "--uniform", "time=1"]),
        [255, 0, 255, 255]
    );

    let wgsl = folder.write(
        "a.wgsl",
        "struct P { tint: vec3f, m: array<vec4f, 2> }\n@group(0) @binding(1) var<uniform> p: P;\n\
         @group(1) @binding(0) var<uniform> gain: f32;\n@group(1) @binding(3) var<uniform> time: f32;\n\
         @fragment fn f() -> @location(0) vec4f { return vec4f(p.tint * gain, 0) + p.m[1] + time; }",
    );
    let base = [&*wgsl, "--uniform", "gain=0.5", "--uniform", "tint=#660000"];
    assert_eq!(
        pixel(&folder, &[&base[..], &["--uniform", "p.m[1]=0,0.2,0.4,1"]].concat()),
        [51, 51, 102, 255]
    );
    assert_eq!(
        pixel(&folder, &[&base[..], &["--time", "0.2", "--uniform", "m[1].w=1"]].concat()),
        [102, 51, 51, 255]
    );
    let said = verbose(&folder, &base);
    assert!(said.contains("uniform gain: float at set 1, binding 0, byte 0 = 0.5 (given)"), "{said}");
    let old = folder.write(
        "old.wgsl",
        "[[block]] struct P { [[offset(16)]] tint : vec3<f32>; };\n[[group(0), binding(0)]] var<uniform> p : P;\n\
         [[location(0)]] var<out> color : vec4<f32>;\n\
         [[stage(fragment)]] fn main() -> void { color = vec4<f32>(p.tint, 1.0); }",
    );
    assert_eq!(pixel(&folder, &[&old, "--uniform", "tint=0.2,0.4,0.6"]), [51, 102, 153, 255]);
    let agsl = folder.write(
        "a.agsl",
        "uniform float2 a[2]; uniform int n; uniform half3x3 m; half4 main(float2 p) { return half4(a[1].y, half(n) / 255, m[2][1], 1); }",
    );
    let m = "m=0,0,0,0,0,0,0,.6,0";
    assert_eq!(
        pixel(&folder, &[&agsl, "--uniform", "a[1].y=.2", "--uniform", "n=102", "--uniform", m]),
        [51, 102, 153, 255]
    );

    // Initial values in the shader.
    let initial = folder.write(
        "initial.frag",
        "uniform float a = 0.2, time = 9.0; uniform vec2 b = vec2(0.4); uniform float k = sin(1.0); out vec4 c;\n\
         void main() { c = vec4(a, b.y, time + k, 1); }",
    );
    assert_eq!(pixel(&folder, &[&initial, "--time", "0.6"]), [51, 102, 153, 255]);
    assert_eq!(
        pixel(&folder, &[&initial, "--uniform", "a=1", "--uniform", "b.y=0", "--uniform", "k=1"]),
        [255, 0, 255, 255]
    );
    let said = verbose(&folder, &[&initial]);
    assert!(
        said.contains("uniform b: vec2 at set 0, binding 0, byte 8 = 0.4, 0.4 (as the shader says)"),
        "{said}"
    );
    assert!(
        said.contains("the initial value of `k` is neither a number") && said.contains("`k` gets no value"),
        "{said}"
    );
    let text = good(&["inspect", &initial]);
    assert!(text.contains("vec2 b: set 0, binding 0, byte 8; default: 0.4,0.4"), "{text}");

    // Shadertoy's inputs, and additional uniforms.
    let toy = folder.write(
        "toy.glsl",
        "uniform float extra;\nvoid mainImage(out vec4 c, vec2 p) { c = vec4(iMouse.z, extra, iTime, iChannelTime[2]); }",
    );
    let toy = [&*toy, "--uniform", "extra=0.4", "--uniform", "iMouse=0,0,0.2,0", "--time", "0.6"];
    assert_eq!(pixel(&folder, &toy), [51, 102, 153, 255]);
    assert!(
        verbose(&folder, &toy).contains("uniform iTime: float at set 0, binding 0, byte 12 = 0.6 (input)")
    );

    // SPIR-V from another compiler.
    let text = good(&["inspect", &wgsl, "--emit", "spvasm"]);
    let spv = folder.write("a.spvasm", text);
    let spv = [&*spv, "--uniform", "tint=1,0,0", "--uniform", "gain=0.2", "--uniform", "m[1][3]=1"];
    assert_eq!(pixel(&folder, &spv), [51, 0, 0, 255]);

    let out = folder.path("o.png");
    let wrong = |value: &str| bad(&["render", &glsl, "-o", &out, "--uniform", value]).replace("\n  │ ", " ");
    for (value, why) in [
        ("light[1].power=1", "there is no uniform `light[1].power`; did you mean `lights[1].power`?"),
        ("lights[2].power=1", "no [2] in 2 elements"),
        ("lights=1", "lights[0].power="),
        ("i=1.5,0", "`1.5` is not a valid component"),
        ("m=1,2", "4 numbers are expected, not 2"),
        ("t[3]=1", "no [3] in 3 elements"),
        ("brightness=1", "there are: lights[0].power"),
    ] {
        let said: String = wrong(value).split_whitespace().collect::<Vec<_>>().join(" ").replace("│ ", "");
        assert!(said.contains(why), "{value}: {said}");
    }
}

#[test]
fn inspect_lists_uniforms() {
    let folder = Folder::new("listed");
    let frag = folder.write(
        "a.frag",
        "uniform float time; uniform struct L { float power; vec3 at; } light[2]; out vec4 c;\n\
         void main() { c = vec4(light[1].at, time * light[0].power); }",
    );
    let text = good(&["inspect", &frag]);
    for line in [
        "uniforms of fragment \"main\"",
        "float time: set 0, binding 0, byte 0; default: set by `render`",
        "vec3 light[1].at: set 0, binding 0, byte 64; default: 0",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    let json: serde_json::Value = serde_json::from_str(&good(&["inspect", &frag, "--json"])).unwrap();
    let uniforms = json["entry_points"][0]["uniforms"].as_array().unwrap();
    let of = |name: &str| {
        uniforms.iter().find(|u| u["name"] == name).unwrap_or_else(|| panic!("{name}: {json:#}"))
    };
    let at = of("light[1].at");
    assert_eq!((&at["type"], &at["offset"], &at["default"]), (&"vec3".into(), &64.into(), &0.into()));
    assert_eq!((&at["set"], &at["binding"], &at["input"]), (&0.into(), &0.into(), &serde_json::Value::Null));
    assert_eq!(of("time")["input"], "time");
}

/// Waits for a line of the command's output.
fn line(lines: &Receiver<String>, errors: bool) -> String {
    let line = lines.recv_timeout(Duration::from_secs(120)).expect("the command prints nothing");
    assert!(errors || line.starts_with("drawn in "), "{line}");
    line
}

#[test]
fn watching() {
    let folder = Folder::new("watch");
    let (out, texture) = (folder.path("o.png"), folder.path("t.png"));
    let save =
        |color: [u8; 4]| image::RgbaImage::from_pixel(1, 1, image::Rgba(color)).save(&texture).unwrap();
    save([0, 0, 255, 255]);
    folder.write("part.glsl", "#define RED 0.2\n");
    let main = "#include \"part.glsl\"\nlayout(binding = 0) uniform sampler2D t;\n\
                void main() { c = vec4(RED, GREEN, texture(t, vec2(0.5)).b, 1); }\n";
    let shader = folder.write("a.frag", format!("{HEAD}#define GREEN 0.4\n{main}"));
    let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
    command.args(["render", &shader, "-o", &out, "--size", "2x2", "--watch", "--texture", &texture]);
    let mut child =
        command.env("NO_COLOR", "1").stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let (said, lines) = channel();
    let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    let more = said.clone();
    std::thread::spawn(move || {
        BufReader::new(stdout).lines().map_while(Result::ok).try_for_each(|l| said.send(l))
    });
    std::thread::spawn(move || {
        BufReader::new(stderr).lines().map_while(Result::ok).try_for_each(|l| more.send(l))
    });
    let pixel = || image::open(&out).unwrap().into_rgba8().get_pixel(0, 0).0;

    line(&lines, false);
    assert_eq!(pixel(), [51, 102, 255, 255]);
    folder.write("part.glsl", "#define RED 0.6 \n");
    line(&lines, false);
    assert_eq!(pixel(), [153, 102, 255, 255]);
    save([0, 0, 51, 255]);
    line(&lines, false);
    assert_eq!(pixel(), [153, 102, 51, 255]);
    // An error does not end the command, nor does a file that disappears.
    folder.write("a.frag", format!("{HEAD}{main}"));
    let mut text = String::new();
    while !text.contains("undeclared") {
        text += &line(&lines, true);
    }
    std::fs::remove_file(&shader).unwrap();
    while !text.contains("cannot read") {
        text += &line(&lines, true);
    }
    folder.write("a.frag", format!("{HEAD}#define GREEN 0.0\n{main}"));
    while !line(&lines, true).starts_with("drawn in ") {}
    assert_eq!(pixel(), [153, 0, 51, 255]);
    child.kill().unwrap();
    child.wait().unwrap();

    let wrong = bad(&["render", "-", "-o", &out, "--lang", "glsl", "--watch"]);
    assert!(wrong.contains("--watch"), "{wrong}");
    // No change of a file can mend it, so that it is not waited for.
    let wrong = bad(&["render", &shader, "-o", &out, "--watch", "--turntable"]);
    assert!(wrong.contains("--turntable is an option of scenes"), "{wrong}");
    let wrong = bad(&["render", &shader, "-o", &out, "--watch", "--resume"]);
    assert!(wrong.contains("cannot be used with"), "{wrong}");
}
