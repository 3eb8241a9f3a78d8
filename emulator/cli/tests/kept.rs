//! Shaders as people keep them: in several files, with macros and uniforms to set, drawn again when they change.

mod common;

use common::{Folder, bad, good};

/// The pixel at the top left of what `args` render.
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
    // 0.6 and 0.2 of 255. Beside the file comes first, in angle brackets the folders of -I do.
    assert_eq!(pixel(&folder, &[&main, "-I", &lib]), [153, 0, 255, 255]);
    folder.write("src/parts/red.glsl", "#include <half.glsl>\nvec3 red() { return vec3(HALF, 0, 0); }\n");
    let once = folder.write(
        "src/once.frag",
        format!("{HEAD}#include \"parts/red.glsl\"\nvoid main() {{ c = vec4(red(), 1); }}"),
    );
    assert_eq!(pixel(&folder, &[&once, "-I", &lib]), [51, 0, 0, 255]);
    let other = folder.path("none");
    assert_eq!(pixel(&folder, &[&once, "-I", &other, "--include", &lib]), [51, 0, 0, 255]);
    // Shadertoy and `run` have them too.
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

    // The file, the line and who includes it.
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
    // Messages still count lines as the file does.
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
