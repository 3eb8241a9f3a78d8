//! First attempts of users: shaders as they are found on the web, and messages about missing or unexpected arguments.

use std::fs::{File, OpenOptions};
use std::process::{Command, Stdio};

use crate::common::{Folder, asset, bad, good, quadrille, wrong};

/// Standard error of a command that succeeds.
fn warnings(args: &[&str]) -> String {
    let out = quadrille(args);
    let text = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(out.status.success(), "{args:?}: {text}");
    text
}

/// The top left pixel of the picture that `args` render.
fn pixel(folder: &Folder, args: &[&str]) -> [u8; 4] {
    let out = folder.path("pixel.png");
    good(&[&["render"], args, &["-o", &out, "--size", "2x2"]].concat());
    image::open(&out).unwrap().into_rgba8().get_pixel(0, 0).0
}

fn picture(folder: &Folder, name: &str, color: [u8; 4]) -> String {
    let path = folder.path(name);
    image::RgbaImage::from_pixel(2, 2, image::Rgba(color)).save(&path).unwrap();
    path
}

#[test]
fn agsl_with_children() {
    let folder = Folder::new("agsl");
    let photo = picture(&folder, "photo.png", [200, 100, 50, 255]);
    let clear = picture(&folder, "clear.png", [200, 100, 50, 128]);
    let source = "uniform shader image; uniform float3 gain; layout(color) uniform half4 tint;\n\
        half4 main(float2 p) { return half4(image.eval(p).rgb * gain, 1) * tint; }\n";
    let shader = folder.write("gain.agsl", source);
    let given = ["--uniform", "gain=1,0.5,2", "--uniform", "tint=#ff80ffff"];
    let image = format!("image={photo}");
    assert_eq!(
        pixel(&folder, &[&[&*shader], &given[..], &["--shader", &image]].concat()),
        [200, 25, 100, 255]
    );

    // Pictures are premultiplied for the program, and its output is converted back; raw data is unchanged.
    let same =
        folder.write("same.agsl", "uniform shader image; half4 main(float2 p) { return image.eval(p); }");
    let image = format!("image={clear}");
    let got = pixel(&folder, &[&same, "--shader", &image]);
    assert!(got.iter().zip([200u8, 100, 50, 128]).all(|(a, b)| a.abs_diff(b) <= 1), "{got:?}");
    let opaque =
        folder.write("raw.agsl", "uniform shader image; half4 main(float2 p) { return image.eval(p).rgb1; }");
    assert_eq!(pixel(&folder, &[&opaque, "--buffer", &image]), [200, 100, 50, 255]);
    assert_eq!(pixel(&folder, &[&opaque, "--shader", &image]), [100, 50, 25, 255]);

    // Programs as children, also nested, with their own uniforms and pictures.
    let outer = folder.write(
        "outer.agsl",
        "uniform shader inside; uniform colorFilter f; half4 main(float2 p) { return f.eval(inside.eval(p)); }",
    );
    let filter =
        folder.write("f.agsl", "uniform half k; half4 main(half4 c) { return half4(c.rgb * k, c.a); }");
    let (image, inside) = (format!("inside.image={photo}"), format!("inside={same}"));
    let filter = format!("f={filter}");
    let args = [&outer, "--shader", &inside, "--shader", &filter, "--shader", &image, "--uniform", "f.k=0.5"];
    assert_eq!(pixel(&folder, &args), [100, 50, 25, 255]);

    // A colour filter alone: its input is a picture.
    let swap = folder.write("swap.agsl", "half4 main(half4 photo) { return photo.bgra; }");
    assert_eq!(pixel(&folder, &[&swap, "--shader", &format!("photo={photo}")]), [50, 100, 200, 255]);

    let out = folder.path("o.png");
    let wrong = bad(&["render", &outer, "-o", &out, "--shader", &format!("inside={swap}")]);
    assert!(wrong.contains("colorFilter"), "{wrong}");
    let wrong = bad(&["render", &outer, "-o", &out, "--shader", &format!("other={same}")]);
    assert!(wrong.contains("no child `other`") && wrong.contains("inside"), "{wrong}");
    let wrong = bad(&["render", &shader, "-o", &out, "--uniform", "gain=1,2"]);
    assert!(wrong.contains("`gain`") && wrong.contains("3 numbers"), "{wrong}");
    let text = good(&["inspect", &shader]);
    assert!(text.contains("AGSL shader; children: image (shader); colours: tint"), "{text}");
}

#[test]
fn all_errors_are_shown() {
    let folder = Folder::new("errors");
    let wrong: String = (0..8).map(|i| format!("  float x{i} = y{i};\n")).collect();
    let source = format!("half4 main(float2 p) {{\n{wrong}  return half4(1);\n}}\n");
    let text = bad(&["render", &folder.write("a.agsl", source), "-o", &folder.path("o.png")]);
    assert!((0..8).all(|i| text.contains(&format!("`y{i}` is not declared"))), "{text}");
}

#[test]
fn what_is_missing_or_left_over_is_named() {
    let folder = Folder::new("missing");
    let out = folder.path("o.png");
    let photo = picture(&folder, "photo.png", [1, 2, 3, 255]);
    let text = warnings(&["render", &asset("kaleidoscope.frag"), "-o", &out, "--size", "4x4"]);
    assert!(text.contains("warning") && text.contains("no picture is given"), "{text}");
    let text = warnings(&["render", &asset("plasma.frag"), "-o", &out, "--size", "4x4", "--texture", &photo]);
    assert!(text.contains("picture 1 of 1 is not used"), "{text}");
    let glsl = folder.write(
        "a.frag",
        "#version 450\nlayout(location = 1) in vec3 v_normal; uniform vec3 light; uniform float u_time;\n\
         layout(location = 0) out vec4 c;\nvoid main() { c = vec4(v_normal + light, u_time); }\n",
    );
    let text = warnings(&["render", &glsl, "-o", &out, "--size", "4x4"]);
    assert!(text.contains("`v_normal` at location 1 gets no value"), "{text}");
    assert!(text.contains("uniform `light` gets no value") && !text.contains("u_time"), "{text}");
    let text = warnings(&["render", &glsl, "-o", &out, "--size", "4x4", "--uniform", "light=1,1,1"]);
    assert!(!text.contains("light"), "{text}");
    let wgsl = folder.write(
        "both.wgsl",
        "@vertex fn corners(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f { return vec4f(f32(i)); }\n\
         @fragment fn color() -> @location(0) vec4f { return vec4f(1.0); }\n",
    );
    let text = warnings(&["render", &wgsl, "-o", &out, "--size", "4x4"]);
    assert!(text.contains("vertex shader `corners` is not used"), "{text}");
    let toy =
        folder.write("toy.glsl", "void mainImage(out vec4 c, in vec2 p) { c = texture(iChannel2, p); }");
    let text = warnings(&["render", &toy, "-o", &out, "--size", "4x4"]);
    assert!(text.contains("iChannel2") && !text.contains("iChannel0"), "{text}");
    assert_eq!(warnings(&["render", &asset("julia.wgsl"), "-o", &out, "--size", "4x4"]), "");
    for (source, message) in [
        ("void main() {}", "no output at location 0: it draws no colour"),
        ("layout(location = 1) out vec4 c;\nvoid main() { c = vec4(1); }", "no output at location 0"),
        (
            "layout(binding = 3) buffer Lights { float x[]; };\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(x[0]); }",
            "no data is given for the storage buffer at set 0, binding 3 (Lights): it contains zeros",
        ),
    ] {
        let file = folder.write("silent.frag", format!("#version 450\n{source}\n"));
        let text = warnings(&["render", &file, "-o", &out, "--size", "4x4"]);
        assert!(text.contains(message), "{source}: {text}");
    }
    // A buffer that the shader writes begins with zeros.
    let counts = folder.write(
        "counts.frag",
        "#version 450\nlayout(binding = 0) buffer Count { uint n; };\nlayout(location = 0) out vec4 c;\n\
         void main() { c = vec4(atomicAdd(n, 1u)); }\n",
    );
    assert_eq!(warnings(&["render", &counts, "-o", &out, "--size", "4x4"]), "");
}

/// OpenGL counts units of textures apart from bindings of uniform blocks; Vulkan has one count.
#[test]
fn bindings_of_opengl_are_counted_by_class() {
    let folder = Folder::new("classes");
    let photo = picture(&folder, "photo.png", [255, 102, 51, 255]);
    let texture = "layout(binding = 0) uniform sampler2D photo;\nout vec4 c;\n";
    let loose = format!(
        "#version 420\n{texture}uniform float part;\nvoid main() {{ c = texture(photo, vec2(0.5)) * vec4(vec3(part), 1); }}\n"
    );
    let block = format!(
        "#version 420\n{texture}layout(binding = 0) uniform Block {{ float part; }};\n\
         void main() {{ c = texture(photo, vec2(0.5)) * vec4(vec3(part), 1); }}\n"
    );
    for (name, source) in [("loose.frag", &loose), ("block.frag", &block)] {
        let file = folder.write(name, source);
        let drawn = pixel(&folder, &[&file, "--texture", &photo, "--uniform", "part=0.2"]);
        assert_eq!(drawn, [51, 20, 10, 255], "{name}");
    }
    let vulkan = block.replace("420", "450").replace("out vec4", "layout(location = 0) out vec4");
    let vulkan = folder.write("vulkan.frag", vulkan);
    let text = bad(&["render", &vulkan, "-o", &folder.path("o.png"), "--texture", &photo]);
    let (one, other) = ("a uniform buffer (Block)", "a texture with sampler (photo)");
    assert!(text.contains("set 0, binding 0 is") && text.contains(one) && text.contains(other), "{text}");
    // Buffers at one binding are the same buffer in both: their numbers stay as they are.
    let alias = folder.write(
        "alias.comp",
        "#version 430\nlayout(local_size_x = 1) in;\nlayout(binding = 5) buffer A { uint a; };\n\
         layout(binding = 5) buffer B { float b; };\nuniform float t;\nvoid main() { b = float(a) * t; }\n",
    );
    assert!(good(&["inspect", &alias]).contains("set 0 binding 5"));
}

/// A file without a source is an error that says so, in every language.
#[test]
fn empty_files_are_empty() {
    let folder = Folder::new("empty");
    let out = folder.path("o.png");
    for name in ["a.frag", "a.glsl", "a.wgsl", "a.agsl", "a.spv", "a.spvasm"] {
        for text in ["", " \n\t\n"] {
            let said = bad(&["render", &folder.write(name, text), "-o", &out]);
            assert!(said.contains(&format!("{name} is empty")), "{name}: {said}");
        }
    }
    let none = bad(&["render", "-", "-o", &out]);
    assert!(none.contains("standard input is empty"), "{none}");
}

/// A file of another kind is named as what it is, with the option for it.
#[test]
fn files_that_are_not_shaders_are_named() {
    let folder = Folder::new("not-shaders");
    let out = folder.path("o.png");
    for (name, line, message) in [
        ("a.obj", &["render", "-o", &out][..], "is a mesh, not a shader"),
        ("a.png", &["render", "-o", &out], "is a picture, not a shader"),
        ("a.glb", &["inspect"], "is a scene, not a shader"),
        ("a.glb", &["run", "--dispatch", "1"], "is a scene, not a shader"),
        ("a.test.toml", &["profile"], "is a test, not a shader"),
        ("a.amber", &["run", "--dispatch", "1"], "is a test, not a shader"),
        ("a.toml", &["inspect"], "the name does not say the language"),
        ("a.txt", &["render", "-o", &out], "a.txt: the name does not say the language"),
    ] {
        let file = folder.write(name, "v 0 0 0");
        let text = wrong(&[line, &[&file]].concat());
        assert!(text.contains(message), "{name}: {text}");
    }
}

/// The message says what the shader is, and what runs it.
#[test]
fn shaders_of_another_kind_are_named() {
    let (folder, plasma) = (Folder::new("kinds"), asset("plasma.frag"));
    let text = bad(&["run", &plasma]);
    assert!(text.contains("is a fragment shader") && text.contains("quadrille render"), "{text}");
    for (args, message) in [
        (["run", &plasma, "--dispatch", "1"], "the module has: main (Fragment)"),
        (["render", &asset("add.comp"), "-o", &folder.path("a.png")], "the module has: main (Compute)"),
    ] {
        let text = wrong(&args);
        assert!(text.contains(message), "{args:?}: {text}");
    }
    let text = bad(&["run", &asset("vadd.spvasm"), "--dispatch", "1"]);
    assert!(text.contains("is an OpenCL kernel"), "{text}");
    let two = "@compute @workgroup_size(1) fn a() {}\n@compute @workgroup_size(1) fn b() {}\n\
        @fragment fn f() -> @location(0) vec4f { return vec4f(1); }\n\
        @fragment fn g() -> @location(0) vec4f { return vec4f(1); }\n\
        @vertex fn v() -> @builtin(position) vec4f { return vec4f(1); }\n\
        @vertex fn w() -> @builtin(position) vec4f { return vec4f(1); }\n";
    let (two, picture) = (folder.write("two.wgsl", two), folder.path("two.png"));
    for (args, message, option) in [
        (&["run", &two, "--dispatch", "1"][..], "several Compute entry points: `a`, `b`", "--entry"),
        (&["render", &two, "-o", &picture], "several Fragment entry points: `f`, `g`", "--entry"),
        (
            &["render", &two, "--entry", "f", "--vertices", "3", "-o", &picture],
            "several Vertex entry points: `v`, `w`",
            "--vertex-entry",
        ),
    ] {
        let text = wrong(args);
        assert!(text.contains(message) && text.contains(&format!("add {option} NAME")), "{text}");
    }
    let text = wrong(&["inspect", &plasma, "--entry", "none"]);
    assert!(text.contains("there is no such entry point"), "{text}");
    assert!(good(&["inspect", &plasma, "--entry", "main"]).contains("Fragment"));
}

/// Values that the shader or the output does not take.
#[test]
fn values_of_another_kind_are_a_wrong_command_line() {
    let folder = Folder::new("other_values");
    let source = "#version 450
layout(local_size_x = 1) in;
layout(binding = 0, rgba8) uniform image2D i;
void main() { imageStore(i, ivec2(0), vec4(1)); }
";
    let image = folder.write("image.comp", source);
    let text = wrong(&["run", &image, "--dispatch", "1", "--bind", "0.0=f32:1"]);
    assert!(text.contains("the shader has an image there"), "{text}");
    let out = folder.path("a%d.gif");
    let text = wrong(&["render", &asset("plasma.frag"), "-o", &out, "--frames", "0..2", "--size", "4x4"]);
    assert!(text.contains("all frames go to one file"), "{text}");
    let text = wrong(&["run", &image, "--dispatch", "1", "--entry", "other"]);
    assert!(text.contains("no Compute entry point 'other'"), "{text}");
    let (plasma, out) = (asset("plasma.frag"), folder.path("a.png"));
    let text = wrong(&["render", &plasma, "-o", &out, "--size", "4x4", "--entry", "other"]);
    assert!(text.contains("no Fragment entry point 'other'"), "{text}");
}

/// A file that cannot be written is not a mistake of the shader.
#[test]
fn results_that_cannot_be_written() {
    let folder = Folder::new("unwritten");
    let place = folder.path("");
    let read = format!("0.2:f32={place}");
    let binds = ["--bind", "0.0=zeros:4", "--bind", "0.1=zeros:4", "--bind", "0.2=zeros:4", "--read", &read];
    let text = bad(&[&["run", &asset("add.comp"), "--dispatch", "1"][..], &binds].concat());
    assert!(text.contains("cannot write") && !text.contains("invalid"), "{text}");
    assert!(!text.contains("os error"), "{text}");
    let heat = folder.path("heat.txt");
    let text = bad(&["profile", &asset("plasma.frag"), "--heat", &heat]);
    assert!(text.contains("heat.txt: pictures are written as .png or .jpg"), "{text}");
}

/// Only WGSL can be today's WGSL.
#[test]
fn translate_refuses_other_languages() {
    let folder = Folder::new("other-languages");
    let glsl = folder.write("a.wgsl", "void main() { gl_FragColor = vec4(1.0); }\n");
    let text = bad(&["translate", &glsl]);
    assert!(text.contains("is not valid WGSL") && !text.contains("nothing to translate"), "{text}");
    let today = folder.write("b.wgsl", "@compute @workgroup_size(1) fn main() {}\n");
    assert!(bad(&["translate", &today]).contains("nothing to translate"));
}

#[test]
fn glsl_as_it_is_found() {
    let folder = Folder::new("found");
    let book = "#ifdef GL_ES\nprecision mediump float;\n#endif\nuniform vec2 u_resolution;\nuniform float u_time;\n\
        void main() { vec2 st = gl_FragCoord.xy / u_resolution; gl_FragColor = vec4(st, u_time, 1.0); }\n";
    let book = folder.write("book.frag", book);
    assert_eq!(pixel(&folder, &[&book, "--time", "1"]), [64, 191, 255, 255]);
    let es = "#version 300 es\nprecision highp float;\nuniform float u_time;\nout vec4 color;\n\
        void main() { color = vec4(u_time, 0.0, 1.0, 1.0); }\n";
    let es = folder.write("es.frag", es);
    assert_eq!(pixel(&folder, &[&es, "--time", "1"]), [255, 0, 255, 255]);
    // Lighting of both sides turns normals around at back faces: a picture is a front face.
    let sided = "#version 300 es\nprecision highp float;\nuniform float u_time;\nout vec4 color;\n\
        void main() { color = vec4(gl_FrontFacing ? 1.0 : 0.0, u_time, 0.0, 1.0); }\n";
    let sided = folder.write("sided.frag", sided);
    for origin in ["lower-left", "upper-left"] {
        assert_eq!(pixel(&folder, &[&sided, "--origin", origin]), [255, 0, 0, 255], "{origin}");
    }
    let old = "#version 100\nprecision mediump float;\nuniform sampler2D photo;\nvarying vec2 uv;\n\
        void main() { gl_FragColor = texture2D(photo, uv); }\n";
    let old = folder.write("old.frag", old);
    let photo = picture(&folder, "photo.png", [10, 20, 30, 255]);
    assert_eq!(pixel(&folder, &[&old, "--texture", &photo]), [10, 20, 30, 255]);
    let data = "#extension GL_EXT_frag_depth : enable\nprecision mediump float;\n\
        void main() { gl_FragData[0] = vec4(0.0, 1.0, 1.0, 1.0); gl_FragDepthEXT = 0.5; }\n";
    assert_eq!(pixel(&folder, &[&folder.write("data.frag", data)]), [0, 255, 255, 255]);
    // `inspect` shows everything that can be rendered.
    for file in [&book, &es, &old] {
        assert!(good(&["inspect", file]).contains("Fragment"), "{file}");
    }
    let three = folder.write(
        "three.frag",
        "#version 330\nuniform float u_time;\nout vec4 c;\nvoid main() { c = vec4(u_time); }\n",
    );
    assert!(good(&["inspect", &three]).contains("u_time"));
    let wrong = "void main() {\n  gl_FragColor = vec3(1.0);\n}\n";
    let wrong = bad(&["render", &folder.write("wrong.frag", wrong), "-o", &folder.path("o.png")]);
    assert!(wrong.contains("wrong.frag:2") && !wrong.contains("qd_"), "{wrong}");
    let recursion = "#version 450\nlayout(location = 0) out vec4 c;\nfloat odd(float x);\n\
        float even(float x) { return odd(x); }\nfloat odd(float x) { return even(x); }\nvoid main() { c = vec4(even(1.0)); }\n";
    let text = bad(&["render", &folder.write("r.frag", recursion), "-o", &folder.path("o.png")]);
    assert!(text.contains("ecursion") && text.contains("even") && text.contains("odd"), "{text}");
    let sound = folder.write("sound.glsl", "vec2 mainSound(int samp, float time) { return vec2(0.0); }\n");
    let text = bad(&["render", &sound, "-o", &folder.path("o.png")]);
    assert!(text.contains("mainSound") && text.contains("mainImage"), "{text}");
    let mut bomb = "#define L0 1.0\n".to_owned();
    for i in 1..40 {
        bomb += &format!("#define L{i} (L{} + L{})\n", i - 1, i - 1);
    }
    let bomb = folder.write("bomb.glsl", bomb + "void mainImage(out vec4 c, in vec2 p) { c = vec4(L39); }\n");
    let text = bad(&["render", &bomb, "-o", &folder.path("o.png")]);
    assert!(text.contains("L39"), "{text}");
}

/// Functions of a program have names that GLSL ES 3.00 does not define, although later versions do.
#[test]
fn functions_have_names_of_later_versions() {
    let folder = Folder::new("later-names");
    let source = "#version 300 es\nprecision highp float;\nout vec4 color;\n\
        float texture2D(float a) { return a * 2.0; }\nfloat image2D(float a) { return a + 0.25; }\n\
        void atomicAdd(inout float a, float b) { a += b; }\n\
        void main() { float a = texture2D(0.125); atomicAdd(a, 0.75); color = vec4(a, image2D(-0.25), a, image2D(0.75)); }\n";
    assert_eq!(pixel(&folder, &[&folder.write("own.frag", source)]), [255, 0, 255, 255]);
}

/// Fragment Output Interface: components that a shader lacks are undefined. A window shows such a colour, so it is opaque.
#[test]
fn colours_without_alpha_are_opaque() {
    let folder = Folder::new("alpha");
    for (ty, value, want) in [
        ("float", "1.0", [255, 0, 0, 255]),
        ("vec2", "vec2(0.0, 1.0)", [0, 255, 0, 255]),
        ("vec3", "vec3(0.0, 1.0, 1.0)", [0, 255, 255, 255]),
        ("vec4", "vec4(1.0, 0.0, 1.0, 0.0)", [255, 0, 255, 0]),
    ] {
        let source = format!("#version 330 core\nout {ty} color;\nvoid main() {{ color = {value}; }}\n");
        let file = folder.write("out.frag", source);
        for samples in ["1", "4"] {
            assert_eq!(pixel(&folder, &[&file, "--samples", samples]), want, "{ty}, {samples} samples");
        }
    }
    let parts = "#version 450\nlayout(location = 0) out vec3 color;\nlayout(location = 0, component = 3) out float alpha;\n\
        void main() { color = vec3(1.0); alpha = 0.0; }\n";
    assert_eq!(pixel(&folder, &[&folder.write("parts.frag", parts)]), [255, 255, 255, 0]);
    let wgsl = "@fragment fn main() -> @location(0) vec3f { return vec3f(1.0, 0.0, 1.0); }\n";
    assert_eq!(pixel(&folder, &[&folder.write("out.wgsl", wgsl)]), [255, 0, 255, 255]);
}

/// Standard error that is closed, full, or not read does not stop a shader that prints.
#[test]
fn printing_to_nobody() {
    let folder = Folder::new("print");
    let source = "#version 450\n#extension GL_EXT_debug_printf : require\nlayout(local_size_x = 64) in;\n\
        void main() { debugPrintfEXT(\"one\\ttwo\\n\\\"%u\\\"\", gl_LocalInvocationIndex); }\n";
    let shader = folder.write("print.comp", source);
    let out = quadrille(&["run", &shader, "--dispatch", "1"]);
    let text = String::from_utf8_lossy(&out.stderr);
    assert!(out.status.success() && text.contains("[63, 0, 0] one\ttwo\n\"63\""), "{text}");

    let command = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(["run", &shader, "--dispatch", "64"]).stdout(Stdio::null());
        command
    };
    let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
    assert!(command().stderr(full).status().unwrap().success());
    let read_only = File::open("/dev/null").unwrap();
    assert!(command().stderr(read_only).status().unwrap().success());
    let mut child = command().stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stderr.take());
    assert!(child.wait().unwrap().success());
}

#[test]
fn run_binds_what_the_shader_declares() {
    let folder = Folder::new("declared");
    let float = folder.write(
        "float.comp",
        "#version 450\nlayout(local_size_x = 1) in;\nlayout(binding = 0, r32f) uniform image2D i;\n\
         void main() { imageStore(i, ivec2(0), imageLoad(i, ivec2(1, 0)) * 1.0e20 + 0.25); }\n",
    );
    let run = ["run", &float, "--dispatch", "1", "--bind", "0.0=image:2x1"];
    assert_eq!(good(&[&run[..], &["--read", "0.0:f32"]].concat()), "0.0: 0.25, 0\n");
    let photo = picture(&folder, "photo.png", [255, 0, 0, 255]);
    let bound = format!("0.0={photo}");
    let text = good(&["run", &float, "--dispatch", "1", "--bind", &bound, "--read", "0.0:f32"]);
    assert_eq!(text, "0.0: 1e20, 1, 1, 1\n");

    let array = folder.write(
        "array.comp",
        "#version 450\nlayout(local_size_x = 1) in;\nstruct Item { vec2 p; uint n; };\n\
         layout(binding = 0) readonly buffer A { float v[]; } a[2];\n\
         layout(binding = 1) buffer B { float sum; mat2 m; Item items[]; } b;\n\
         layout(push_constant) uniform P { vec4 unused; float k; };\n\
         void main() { b.sum = a[0].v[0] * 10.0 + a[1].v[0] + k; b.m = mat2(1, 2, 3, 4); b.items[1].n = 7u; }\n",
    );
    let run = ["run", &array, "--dispatch", "1", "--bind", "0.1=zeros:64"];
    let elements = ["--bind", "0.0[0]=f32:1", "--bind", "0.0[1]=f32:2"];
    let args = [&run[..], &elements[..], &["--read", "0.1:struct"]].concat();
    let expected = r#"0.1: {"items":[{"n":0,"p":[0.0,0.0]},{"n":7,"p":[0.0,0.0]}],"m":[[1.0,2.0],[3.0,4.0]],"sum":12.0}"#;
    assert_eq!(good(&args).trim(), expected);
    let text = warnings(&args);
    assert!(text.contains("0 of 20 bytes of push constants"), "{text}");
    let text = bad(&[&run[..], &["--bind", "0.0=f32:1"]].concat());
    assert!(text.contains("array of 2") && text.contains("0.0[0]"), "{text}");
    let text = bad(&[&run[..], &["--bind", "0.0[2]=f32:1"]].concat());
    assert!(text.contains("element 2"), "{text}");

    let json = good(&[&run[..], &elements[..], &["--read", "0.1:f32", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["0.1"].as_array().map_or(0, Vec::len), 16);

    let saved = folder.path("new/folder/out.raw");
    good(&[&run[..], &elements[..], &["--read", &format!("0.1:f32={saved}")]].concat());
    assert_eq!(std::fs::read(&saved).unwrap().len(), 64);
}

#[test]
fn spirv_text_goes_through_pipes() {
    let text = good(&["inspect", &asset("add.comp"), "--emit", "spvasm"]);
    assert!(text.contains("OpEntryPoint GLCompute"), "{text}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["inspect", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let out = child.wait_with_output().unwrap();
    assert!(out.status.success() && String::from_utf8_lossy(&out.stdout).contains("Compute"));
}

#[test]
fn two_files_are_a_vertex_and_a_fragment_shader() {
    let folder = Folder::new("two-files");
    let source = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }";
    let (a, b) = (folder.write("a.frag", source), folder.write("b.frag", source));
    let c = folder.write("c.comp", "#version 450\nvoid main() {}");
    let out = folder.path("o.png");
    for more in [&[][..], &["--vertices", "3"]] {
        let text = bad(&[&["render", &a, &b, "-o", &out], more].concat());
        assert!(text.contains("are both fragment shaders"), "{text}");
        let text = bad(&[&["render", &a, &c, "-o", &out], more].concat());
        assert!(text.contains("a compute shader is not used for this picture"), "{text}");
    }
    for (time, what) in [
        ("--time=nan", "a finite number"),
        ("--time=inf", "a finite number"),
        ("--time=-inf", "a finite number"),
        ("--time=1e300", "a number from -3.4e38 to 3.4e38"),
    ] {
        let text = bad(&["render", &a, "-o", &out, time]);
        assert!(text.contains(&format!("give {what}")), "{text}");
    }
    let (positive, samples) =
        ("give a number greater than 0, up to 3.4e38", "give a number from 1 to 4294967295");
    for (option, value, wanted) in [
        ("--time-limit", "1e300", positive),
        ("--focus", "0", positive),
        ("--aperture", "-1", "give a number that is not below 0"),
        ("--exposure", "-1", "give a number that is not below 0"),
        ("--ambient", "-0.5", "give a number that is not below 0"),
        ("--samples", "0", samples),
        ("--samples", "4294967296", samples),
        ("--samples", "5..2", "A..B with A less than B"),
    ] {
        let text = bad(&["render", &a, "-o", &out, option, value]);
        assert!(text.contains(wanted), "{option} {value}: {text}");
    }
}

/// HLSL needs a compiler in PATH; without one, the error says where to get SPIR-V. The stand-ins are shell scripts.
#[cfg(unix)]
#[test]
fn hlsl_goes_through_compilers_of_others() {
    let folder = Folder::new("hlsl");
    let shader = folder.write("red.hlsl", "float4 main() : SV_Target { return float4(1, 0, 0, 1); }");
    let slang =
        folder.write("red.slang", "[shader(\"fragment\")] float4 main() : SV_Target { return float4(1); }");
    let (out, tools) = (folder.path("o.png"), folder.path("tools"));
    std::fs::create_dir_all(&tools).unwrap();
    let render = |file: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_quadrille"));
        command.args(["render", file, "-o", &out, "--size", "2x2"]).env("NO_COLOR", "1");
        let done = command
            .env("PATH", format!("{tools}:/usr/bin:/bin"))
            .env("TMPDIR", folder.path(""))
            .output()
            .unwrap();
        (done.status.success(), String::from_utf8(done.stderr).unwrap())
    };
    for (file, program) in [(&shader, "dxc or slangc"), (&slang, "slangc")] {
        let (done, text) = render(file);
        assert!(
            !done && text.contains(&format!("is compiled by {program}, which is not on the path")),
            "{text}"
        );
        assert!(text.contains("FILE.spv") && !text.contains("--lang"), "{text}");
    }
    // A stand-in compiler that writes a module to the requested path, and one that prints a message.
    let red = folder.write(
        "red.frag",
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1, 0, 0, 1); }",
    );
    let module = folder.write("red.spv", quadrille(&["inspect", &red, "--emit", "spirv"]).stdout);
    let tool = |name: &str, script: &str| folder.tool(&format!("tools/{name}"), script);
    tool("dxc", &format!("[ \"$1 $2 $3 $4 $5\" = '-spirv -T ps_6_0 -E main' ] && cp '{module}' \"$8\""));
    let (done, text) = render(&shader);
    assert!(done, "{text}");
    assert_eq!(image::open(&out).unwrap().into_rgba8().get_pixel(0, 0).0, [255, 0, 0, 255]);
    tool("dxc", "echo 'red.hlsl:1:1: error: not today' >&2; exit 1");
    let (done, text) = render(&shader);
    assert!(!done && text.contains("red.hlsl:1:1: error: not today"), "{text}");
    // Without dxc, slangc compiles both languages.
    std::fs::remove_file(folder.path("tools/dxc")).unwrap();
    let words = "-target spirv -fvk-use-entrypoint-name -entry main -stage fragment -o";
    for file in [&shader, &slang] {
        std::fs::remove_file(&out).unwrap();
        tool("slangc", &format!("[ \"$*\" = \"{file} {words} ${{10}}\" ] && cp '{module}' \"${{10}}\""));
        let (done, text) = render(file);
        assert!(done, "{text}");
        assert_eq!(image::open(&out).unwrap().into_rgba8().get_pixel(0, 0).0, [255, 0, 0, 255]);
        tool("slangc", "echo 'red:1:1: error: not today' >&2; exit 1");
        let (done, text) = render(file);
        assert!(!done && text.contains("slangc: ") && text.contains("red:1:1: error: not today"), "{text}");
    }
    // No temporary folder is left.
    let left = std::fs::read_dir(folder.path("")).unwrap().flatten();
    let left: Vec<_> = left.filter(|e| e.file_name().to_string_lossy().starts_with("quadrille-")).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// Structures with textures, as in OpenGL tutorials: names are those of the source.
#[test]
fn textures_in_structures_have_their_names() {
    let folder = Folder::new("structures");
    let source = "#version 330 core\nstruct Material { sampler2D diffuse; float shininess; };\n\
        uniform Material material;\nout vec4 color;\n\
        void main() { color = texture(material.diffuse, vec2(0.5)) * material.shininess; }\n";
    let shader = folder.write("material.frag", source);
    let text = warnings(&["render", &shader, "-o", &folder.path("o.png"), "--size", "2x2", "--verbose"]);
    assert!(text.contains("material.shininess"), "{text}");
    assert!(!text.contains("/*"), "{text}");
    // Uniforms and textures without a value are named in warnings, also those of three.js.
    let three = "precision highp float;\nstruct PointLight { vec3 position; vec3 color; };\n\
        uniform PointLight pointLights[ 2 ];\nuniform sampler2D map;\nvoid main() {\n\
        gl_FragColor = texture2D( map, pointLights[ 0 ].position.xy ) + vec4( pointLights[ 1 ].color, 0.0 );\n}\n";
    let three = folder.write("three.frag", three);
    for (file, names) in [
        (shader, &["(material.diffuse)", "`material.shininess`"][..]),
        (three, &["(map)", "`pointLights[0].position`", "`pointLights[1].color`"]),
    ] {
        let text = warnings(&["render", &file, "-o", &folder.path("o.png"), "--size", "2x2"]);
        let named = |name: &&str| text.lines().any(|l| l.starts_with("warning: ") && l.contains(*name));
        assert!(names.iter().all(named) && !text.contains("/*"), "{text}");
    }
}
