//! Options that would do nothing, and results that would lose something, are refused: with the exit code of a wrong command line.

use crate::common::{DOUBLE, Folder, asset, bad, good, quadrille, wrong};

const DISPATCH: [&str; 4] = ["--dispatch", "1", "--bind", "0.0=f32:1,2,3"];

#[test]
fn options_of_another_way_to_run_are_refused() {
    let folder = Folder::new("options-run");
    let shader = folder.write("double.wgsl", DOUBLE);
    let run = [&["run", &shader], &DISPATCH[..]].concat();
    assert_eq!(good(&[&run[..], &["--read", "0.0:f32"]].concat()).trim(), "0.0: 2, 4, 6");
    for (more, message) in [
        (&["--local", "4"][..], "--local needs --global"),
        (&["--offset", "4"], "--offset needs --global"),
        (&["--arg", "4"], "--arg needs --global"),
        (&["--group", "a"], "--group needs --launch"),
        (&["--recursion", "5"], "--recursion needs --launch"),
        (&["--stage", "frag"], "--stage: --dispatch runs a compute shader, not a fragment shader"),
        (&["--allow-path", &shader], "this is not a folder"),
        (&["-D", "A"], "WGSL has no preprocessor"),
    ] {
        let text = wrong(&[&run[..], more].concat());
        assert!(text.contains(message), "{text}");
        // The commands that watch a run refuse the same.
        let text = wrong(&[&["check", &shader], &DISPATCH[..], more].concat());
        assert!(text.contains(message), "{text}");
    }
    let kernel = ["run", &shader, "--global", "4"];
    assert!(
        wrong(&[&kernel[..], &["--bind", "0.0=zeros:4"]].concat())
            .contains("--bind needs --dispatch or --launch")
    );
    assert!(wrong(&["run", &shader, &shader, "--global", "4"]).contains("--global runs one kernel"));
    // A missing option is as wrong as one too many.
    assert!(wrong(&["run", &shader]).contains("--dispatch is missing"));
    assert!(wrong(&["check", &folder.write("a.comp", "")]).contains("--dispatch is missing"));
}

#[test]
fn options_of_other_languages_and_stages_are_refused() {
    let folder = Folder::new("options-languages");
    let (shader, out) = (folder.write("double.wgsl", DOUBLE), folder.path("o.png"));
    let strict = [&["run", &shader], &DISPATCH[..], &["--strict"]].concat();
    assert!(bad(&strict).contains("only WGSL as drafted in January 2021"));
    let agsl = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    let render = ["render", &agsl, "-o", &out, "--size", "4x4"];
    good(&[&render[..], &["--stage", "frag"]].concat());
    assert!(wrong(&[&render[..], &["--strict"]].concat()).contains("only WGSL has a draft of January 2021"));
    assert!(wrong(&[&render[..], &["--stage", "comp"]].concat()).contains("drawn by a fragment shader"));
    assert!(wrong(&["inspect", &agsl, "--stage", "vert"]).contains("has no vertex shader"));
    let none = wrong(&["inspect", &shader, "--stage", "frag"]);
    assert!(none.contains("has no fragment shader") && none.contains("main (compute)"), "{none}");
}

/// A name without a stage is not that of a vertex shader.
#[test]
#[cfg(feature = "glsl")]
fn a_missing_vertex_shader_is_named() {
    let folder = Folder::new("options-pair");
    let toy = folder.write("waves.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(p, 0.0, 1.0); }");
    let text = wrong(&["render", &asset("plasma.frag"), &toy, "-o", &folder.path("o.png")]);
    assert!(
        text.contains("neither name is that of a vertex shader") && text.contains("waves.glsl"),
        "{text}"
    );
}

#[test]
fn bytes_that_are_no_whole_element_are_not_dropped() {
    let folder = Folder::new("options-bytes");
    let shader = folder.write("double.wgsl", DOUBLE);
    let read = |what: &str| [&["run", &shader], &DISPATCH[..], &["--read", what]].concat().join("\n");
    let run =
        |what: &str, more: &[&str]| wrong(&[&read(what).split('\n').collect::<Vec<_>>()[..], more].concat());
    let message = "12 bytes are not a whole number of elements of f64: 4 bytes remain";
    for json in [&[][..], &["--json"]] {
        let text = run("0.0:f64", json);
        assert!(text.contains(&format!("--read 0.0: {message}")), "{text}");
    }
    assert!(run(&format!("0.0:f64={}", folder.path("a.npy")), &[]).contains(message));
    // Bytes in a file are complete whatever their type.
    let file = folder.path("a.bin");
    good(&read(&format!("0.0:f64={file}")).split('\n').collect::<Vec<_>>());
    assert_eq!(std::fs::read(file).unwrap().len(), 12);
}

#[test]
#[cfg(feature = "glsl")]
fn sources_begin_with_a_byte_order_mark_or_are_no_text() {
    // Longer than a line of a screen: messages that are not on a screen are not wrapped.
    let folder = Folder::new(&["options-texts"; 8].join("-"));
    let (frag, out) = (
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }",
        folder.path("o.png"),
    );
    let agsl = "half4 main(float2 p) { return half4(1); }";
    let wgsl = "@fragment fn main() -> @location(0) vec4f { return vec4f(1.0); }";
    let toy = "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }";
    for (name, source) in [("a.frag", frag), ("a.agsl", agsl), ("a.wgsl", wgsl), ("a.glsl", toy)] {
        let render = |bytes: &[u8]| {
            ["render", &folder.write(name, bytes), "-o", &out, "--size", "2x2"].map(str::to_owned)
        };
        let marked = render(format!("\u{feff}{source}").as_bytes());
        good(&marked.each_ref().map(String::as_str));
        let not = render(&[source.as_bytes(), b"\xff"].concat());
        let text = bad(&not.each_ref().map(String::as_str));
        assert!(text.contains(&format!("not a text: byte {} is not UTF-8", source.len())), "{name}: {text}");
        let zero = render(&[source.as_bytes(), b"\0"].concat());
        let text = bad(&zero.each_ref().map(String::as_str));
        // A message, not only that the file is wrong.
        assert!(text.contains("zero byte") || text.lines().count() > 3, "{name}: {text}");
    }
}

/// Numbers that an option does not take are an error about this option, also those below 0.
#[test]
fn numbers_below_zero_reach_their_option() {
    let folder = Folder::new("options-minus");
    let toy = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    let out = folder.path("o.png");
    good(&["render", &toy, "-o", &out, "--size", "4x4", "--mouse", "-1,2"]);
    for (option, value) in
        [("--size", "-3x4"), ("--frames", "-1..3"), ("--threads", "-1"), ("--samples", "-2")]
    {
        let text = wrong(&["render", &toy, "-o", &out, option, value]);
        assert!(text.contains(&format!("invalid value '{value}' for '{option}")), "{text}");
    }
    let run = ["run", &toy, "--dispatch", "1"];
    for more in [["--bind", "-1.0=zeros:4"], ["--read", "-1.0:f32"]] {
        let text = wrong(&[&run[..], &more].concat());
        assert!(text.contains("`-1.0` is not SET.BINDING"), "{text}");
    }
    // A name or a value that is missing is not an empty one.
    for (option, pair) in
        [("--uniform", "k="), ("--shader", "image="), ("--shader", "=a.png"), ("--buffer", "=")]
    {
        let text = wrong(&["render", &toy, "-o", &out, option, pair]);
        assert!(text.contains("give NAME=VALUE"), "{text}");
    }
    // A number that is missing is none.
    for (more, message) in [
        (&["--dispatch", "1,"][..], "one to three numbers"),
        (&["--dispatch", "1", "--bind", "0.0=image:8x"], "`8x`: give width and height"),
    ] {
        let text = wrong(&[&["run", &toy], more].concat());
        assert!(text.contains(message) && !text.contains("``"), "{text}");
    }
    let text = wrong(&["debug", &toy, "--pixel", "-1,0,0"]);
    assert!(text.contains("--pixel") && !text.contains("unexpected"), "{text}");
}

/// The debugger's options of the page need the page.
#[test]
fn options_of_the_page_need_it() {
    let folder = Folder::new("options-page");
    let toy = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    let debug = ["debug", &toy, "--pixel", "1,1", "--size", "4x4"];
    for more in [&["--port", "8000"][..], &["--cost"], &["--check"]] {
        let text = wrong(&[&debug[..], more].concat());
        assert!(text.contains(&format!("{} needs --serve", more[0])), "{text}");
    }
    assert!(wrong(&["debug", &toy]).contains("the invocation is missing"));
    assert!(wrong(&[&debug[..], &["--memory", "0"]].concat()).contains("'--memory"));
}

/// Readers of JSON keep one of two results of the same name.
#[test]
fn results_have_names_of_their_own() {
    let folder = Folder::new("options-names");
    let shader = folder.write("double.wgsl", DOUBLE);
    let run = [&["run", &shader], &DISPATCH[..], &["--read", "0.0:f32"]].concat();
    good(&[&run[..], &["--read", "0.0:u32"]].concat());
    let text = wrong(&[&run[..], &["--read", "0.0:u32", "--json"]].concat());
    assert!(text.contains("--read 0.0, twice"), "{text}");
    let file = format!("0.0:u32={}", folder.path("bits.raw"));
    let json = good(&[&run[..], &["--read", &file, "--json"]].concat());
    assert_eq!(json, "{\n  \"0.0\": [2, 4, 6]\n}\n");
}

/// Two formats of one output contradict each other, and the default is none of them.
#[test]
fn one_format_of_results() {
    let folder = Folder::new("options-formats");
    folder.write("double.wgsl", DOUBLE);
    let toml = "shader = \"double.wgsl\"\n[[test]]\nname = \"a\"\ndispatch = [1]\nbind = { \"0.0\" = \"zeros: 16\" }\n";
    let test = folder.write("double.test.toml", toml);
    assert!(good(&["test", &test, "--json"]).starts_with('{'));
    assert!(wrong(&["test", &test, "--json", "--format", "text"]).contains("cannot be used with"));
}

/// Values are neither dropped nor changed to infinity, and uniforms say how many numbers they take.
#[test]
fn values_are_complete() {
    let folder = Folder::new("options-values");
    let shader = folder.write("double.wgsl", DOUBLE);
    let run = |values: &str| {
        let bind = format!("0.0={values}");
        quadrille(&["run", &shader, "--dispatch", "1", "--bind", &bind, "--read", "0.0:f32"])
    };
    for (values, result) in
        [("f32:1,2,", "2, 4"), ("f32: 1 2, 3", "2, 4, 6"), ("f32:inf", "inf"), ("f32:", "")]
    {
        let out = String::from_utf8(run(values).stdout).unwrap();
        assert_eq!(out.trim_end_matches('\n'), format!("0.0: {result}"), "{values}");
    }
    for (values, message) in [
        ("f32:1,2,,4", "there is no value before comma 3"),
        ("f32:,1", "there is no value before comma 1"),
        ("f32:1e39", "`1e39` is not a value of type f32"),
        ("f16:70000,1", "`70000` is not a value of type f16"),
        ("f64:1e999", "`1e999` is not a value of type f64"),
    ] {
        let text = String::from_utf8_lossy(&run(values).stderr).into_owned();
        assert!(text.contains(message), "{values}: {text}");
    }
    let toy = folder
        .write("a.agsl", "uniform float k;\nuniform half4 tint;\nhalf4 main(float2 p) { return tint * k; }");
    let out = folder.path("o.png");
    for (uniform, message) in [
        ("k=1,2", "1 number is expected, not 2"),
        ("tint=1", "4 numbers are expected, not 1"),
        ("k=#ff8000", "only a vec3 or a vec4 takes a colour"),
        ("tint=#ff80", "`#ff80` is not a colour like #ff8000"),
    ] {
        let text = bad(&["render", &toy, "-o", &out, "--size", "4x4", "--uniform", uniform]);
        assert!(text.contains(message), "{uniform}: {text}");
    }
}

/// A value that the shader does not take is a mistake of the command line, not of the shader.
#[test]
#[cfg(feature = "glsl")]
fn values_that_the_shader_does_not_take_are_of_the_command_line() {
    let folder = Folder::new("options-values");
    let shader = folder.write(
        "sized.comp",
        "#version 450\nlayout(local_size_x_id = 0) in;\nlayout(push_constant) uniform P { float k; };\n\
         layout(binding = 0) buffer B { float v[]; };\nvoid main() { v[0] = k; }\n",
    );
    for (option, value, says) in [
        ("--spec", "0=x", "cannot be `x`"),
        ("--spec", "1=1", "no specialization constant has id 1"),
        ("--spec", "0=0", "workgroup of [0, 1, 1]"),
        ("--push", "f32:1,2", "8 bytes of push constants"),
    ] {
        let run = ["run", &shader, "--dispatch", "1", "--bind", "0.0=zeros:4", option, value];
        let text = wrong(&run);
        assert!(text.contains(says), "{text}");
    }
    for emit in ["ir", "asm"] {
        let text = wrong(&["inspect", &shader, "--emit", emit, "--spec", "1=1"]);
        assert!(text.contains("no specialization constant has id 1"), "{text}");
    }
    for emit in ["reflect", "spirv", "spvasm"] {
        let text = wrong(&["inspect", &shader, "--emit", emit, "--spec", "0=2"]);
        assert!(text.contains(&format!("--spec has no effect on --emit {emit}")), "{text}");
    }
    let constant = "override n: u32 = 2;\n@compute @workgroup_size(n) fn main() {}\n";
    let wgsl = folder.write("override.wgsl", constant);
    for (value, says) in [("m=1", "no overridable constant"), ("n=1.5", "cannot be 1.5")] {
        let text = wrong(&["run", &wgsl, "--dispatch", "1", "--spec", value]);
        assert!(text.contains(says) && text.contains("not valid") == (value == "n=1.5"), "{text}");
    }
    // The source alone does not compile.
    let old = "[[constant_id(1)]] const k : f32;\n[[stage(compute)]] fn main() {}\n";
    for (name, source) in
        [("open.wgsl", constant.replace("= 2;", "= 2;\noverride k: f32;")), ("old.wgsl", old.into())]
    {
        let wgsl = folder.write(name, source);
        for (value, says) in [("m=1", "no overridable constant"), ("k=1e99", "cannot be 1")] {
            let text = wrong(&["run", &wgsl, "--dispatch", "1", "--spec", value]);
            assert!(text.contains(says), "{name}: {text}");
        }
    }
    let beyond = ["run", &wgsl, "--dispatch", "4294967295"];
    assert!(wrong(&beyond).contains("workgroups: 4294967295, at most"));
    let picture = folder.write(
        "u.frag",
        "#version 450\nlayout(location = 0) out vec4 c;\nlayout(push_constant) uniform P { vec2 k; };\n\
         void main() { c = vec4(k, 0, 1); }\n",
    );
    for uniform in ["q=1", "k=x", "k=1,2,3"] {
        wrong(&["render", &picture, "-o", &folder.path("a.png"), "--size", "4x4", "--uniform", uniform]);
    }
    // The shader itself is at fault, whatever the values are.
    let broken = folder.write("broken.comp", "#version 450\nvoid main() { x }\n");
    let done = quadrille(&["run", &broken, "--dispatch", "1", "--spec", "0=1", "--push", "f32:1"]);
    assert_eq!(done.status.code(), Some(1));
}

/// Sizes of a launch that the device does not have are a mistake of the command line.
#[test]
fn sizes_of_a_launch_are_within_the_limits() {
    let kernel = asset("vadd.spvasm");
    let data = ["--arg", "zeros:32", "--arg", "zeros:32", "--arg", "1"];
    for (sizes, says) in [
        (&["--global", "8", "--local", "0"][..], "'--local <X,Y,Z>': a workgroup has at least 1 invocation"),
        (&["--global", "8,8", "--local", "4,0"], "'--local <X,Y,Z>': a workgroup has at least 1 invocation"),
        (&["--global", "8", "--local", "1000000"], "--local 1000000,1,1: the limits of the size"),
        (
            &["--global", "8", "--local", "1024,1024"],
            "--local 1024,1024,1: a workgroup of 1048576 invocations",
        ),
        (&["--global", "8,70000"], "workgroups: 70000, at most 65535"),
    ] {
        let text = wrong(&[&["run", &kernel], sizes, &data].concat());
        assert!(text.contains(says), "{sizes:?}: {text}");
    }
}

/// The names of tests need no options of their execution and of its results.
#[test]
fn lists_of_tests_refuse_what_they_ignore() {
    let folder = Folder::new("options-list");
    folder.write("double.wgsl", DOUBLE);
    let toml = "shader = \"double.wgsl\"\n[[test]]\nname = \"a\"\ndispatch = [1]\nbind = { \"0.0\" = \"zeros: 16\" }\n";
    let test = folder.write("double.test.toml", toml);
    let (file, both) = (folder.path("out"), ["--jobs=2", "--timeout=5", "--fail-fast"]);
    let of_file = |option: &str| format!("{option}={file}");
    let files = ["--artifacts", "--junit", "--html"].map(of_file);
    let own = ["--bless".to_owned(), "--resume".to_owned(), of_file("--coverage")];
    let of_check = [of_file("--sarif"), "--allow=atan2-zero".to_owned(), "--deny=race-same-value".to_owned()];
    let shared: Vec<&str> = both.into_iter().chain(files.iter().map(String::as_str)).collect();
    for (command, own) in [("test", &own), ("check", &of_check)] {
        let list = [command, &test, "--list"];
        assert_eq!(good(&[&list[..], &["--filter", "a", "--shard", "1/1"]].concat()).lines().count(), 1);
        for option in shared.iter().copied().chain(own.iter().map(String::as_str)) {
            let text = wrong(&[&list[..], &[option]].concat());
            let name = option.split('=').next().unwrap();
            assert!(text.contains("--list") && text.contains(name), "{command} {option}: {text}");
        }
    }
    assert!(!std::path::Path::new(&file).exists());
    let text = wrong(&["test", &test, "--resume", &file]);
    assert!(text.contains("cannot read") && text.contains("--resume=journal.jsonl"), "{text}");
}

/// The message about a texture that pictures do not have says what the shader may use instead.
#[test]
#[cfg(feature = "glsl")]
fn textures_that_pictures_do_not_have_are_explained() {
    let folder = Folder::new("options-textures");
    for (ty, sampled, says) in [
        ("sampler2DShadow", "texture(t, vec3(0.5))", "use a sampler2D and compare in the shader"),
        ("usampler2D", "texture(t, vec2(0.5))", "textures have floats, not integers"),
        ("sampler3D", "texture(t, vec3(0.5))", "textures are 2D"),
    ] {
        let source = format!(
            "#version 450\nlayout(binding = 0) uniform {ty} t;\nlayout(location = 0) out vec4 c;\n\
             void main() {{ c = vec4({sampled}); }}\n"
        );
        let file = folder.write("a.frag", source);
        let text = bad(&["render", &file, "-o", &folder.path("o.png"), "--size", "4x4"]);
        assert!(text.contains(&format!("a {ty} (")) && text.contains(says), "{text}");
    }
}
