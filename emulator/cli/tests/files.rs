//! Files that data names are only read in allowed folders, and only if they are ordinary files of bounded size.
//! The files that are none are symbolic links, pipes and devices, which other systems have not or keep from users.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::symlink;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::common::{Folder, bad, good, quadrille, wrong};

const COUNT: &str = "#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) buffer B { uint v[]; };
void main() { v[0] += 1; }
";

/// A compute shader whose debug information names another file as its source.
fn from_file(name: &str) -> String {
    format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString \"{name}\"
OpSource GLSL 450 %file
OpDecorate %ra ArrayStride 4
OpDecorate %S Block
OpMemberDecorate %S 0 Offset 0
OpDecorate %buf DescriptorSet 0
OpDecorate %buf Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%u = OpTypeInt 32 0
%c0 = OpConstant %u 0
%c9 = OpConstant %u 5000
%ra = OpTypeRuntimeArray %u
%S = OpTypeStruct %ra
%pS = OpTypePointer StorageBuffer %S
%buf = OpVariable %pS StorageBuffer
%pb = OpTypePointer StorageBuffer %u
%main = OpFunction %void None %fn
%l = OpLabel
OpLine %file 1 1
%o = OpAccessChain %pb %buf %c0 %c9
OpStore %o %c9
OpReturn
OpFunctionEnd
"
    )
}

/// Everything that the tools print and write about a shader with that debug information.
fn said(folder: &Folder, shader: &str, more: &[&str]) -> String {
    let page = folder.path("page.html");
    let counts = folder.path("counts.lcov");
    let of_work = ["--dispatch", "1", "--bind", "0.0=zeros:4"];
    let run = |first: &[&str]| {
        let words = [first, &[shader], &of_work[..], more].concat();
        let out = quadrille(&words);
        String::from_utf8_lossy(&[out.stdout, out.stderr].concat()).into_owned()
    };
    let _ = fs::remove_file(&counts);
    let mut all = run(&["check"]) + &run(&["profile", "--measure", "0"]);
    all += &run(&["run", "--coverage", &counts, "--coverage-html", &page]);
    all + &fs::read_to_string(&page).unwrap()
}

#[test]
fn debug_information_shows_no_file_from_elsewhere() {
    let folder = Folder::new("files-debug");
    folder.write("elsewhere/secret.txt", "a secret of this test\n");
    let secret = folder.path("elsewhere/secret.txt");
    symlink(&secret, folder.path("link.txt")).unwrap();
    let shader = folder.path("data/a.spvasm");
    for name in [&secret, &folder.path("data/../elsewhere/secret.txt"), &folder.path("data/link.txt")] {
        folder.write("data/a.spvasm", from_file(name));
        let _ = symlink(&secret, folder.path("data/link.txt"));
        let text = said(&folder, &shader, &[]);
        assert!(!text.contains("a secret"), "{name}: {text}");
        // A positive control: in an allowed folder the file is read.
        let text = said(&folder, &shader, &["--allow-path", &folder.path("elsewhere")]);
        assert!(text.matches("a secret").count() >= 3, "{name}: {text}");
    }
    // All of them show a file beside the shader.
    folder.write("data/a.spvasm", from_file(&folder.path("data/own.txt")));
    folder.write("data/own.txt", "no secret\n");
    assert!(said(&folder, &shader, &[]).matches("no secret").count() >= 3);
}

#[test]
fn debug_information_names_no_device_without_end() {
    let folder = Folder::new("files-zero");
    let shader = folder.write("a.spvasm", from_file("/dev/zero"));
    let start = Instant::now();
    said(&folder, &shader, &["--allow-path", "/dev"]);
    assert!(start.elapsed() < Duration::from_secs(60));
}

/// The output of `quadrille test` for a folder whose test binds a file.
fn bound(folder: &Folder, file: &str, more: &[&str]) -> (bool, String) {
    folder.write("suite/count.comp", COUNT);
    let test = format!(
        "shader = \"count.comp\"\n[[test]]\nname = \"t\"\ndispatch = [1, 1, 1]\nbind = {{ \"0.0\" = \"{file}\" }}\n\
         expect = {{ \"0.0\" = \"u32: 1\" }}\n"
    );
    folder.write("suite/t.test.toml", &test);
    let out = quadrille(&[&["test", &folder.path("suite")], more].concat());
    (out.status.success(), String::from_utf8_lossy(&out.stdout).into_owned())
}

#[test]
fn tests_read_ordinary_files_of_their_folder() {
    let folder = Folder::new("files-tests");
    folder.write("suite/zero.bin", "\0\0\0\0");
    folder.write("other/zero.bin", "\0\0\0\0");
    symlink("../other/zero.bin", folder.path("suite/link.bin")).unwrap();
    let made = Command::new("mkfifo").arg(folder.path("suite/pipe")).status().unwrap();
    assert!(made.success());
    let start = Instant::now();
    let other = folder.path("other/zero.bin");
    let (passed, text) = bound(&folder, "zero.bin", &[]);
    assert!(passed, "{text}");
    for (file, why) in [
        ("/dev/zero", "outside of"),
        ("../other/zero.bin", "outside of"),
        ("link.bin", "outside of"),
        (other.as_str(), "outside of"),
        ("pipe", "not a regular file"),
    ] {
        let (passed, text) = bound(&folder, file, &[]);
        assert!(!passed && text.contains(why), "{file}: {text}");
    }
    for file in ["../other/zero.bin", "link.bin", other.as_str()] {
        let (passed, text) = bound(&folder, file, &["--allow-path", &folder.path("other")]);
        assert!(passed, "{file}: {text}");
    }
    assert!(start.elapsed() < Duration::from_secs(60));
}

#[test]
fn a_folder_that_the_command_line_names_is_one() {
    let folder = Folder::new("files-named");
    folder.write("suite/shaders/count.comp", COUNT);
    let test = "shader = \"../shaders/count.comp\"\n[[test]]\ndispatch = [1, 1, 1]\n\
        bind = { \"0.0\" = \"u32: 1\" }\nexpect = { \"0.0\" = \"u32: 2\" }\n";
    folder.write("suite/tests/t.test.toml", test);
    good(&["test", &folder.path("suite")]);
    let alone = quadrille(&["test", &folder.path("suite/tests")]);
    assert_eq!(alone.status.code(), Some(1));
    good(&["test", &folder.path("suite/tests"), "--allow-path", &folder.path("suite/shaders")]);
}

#[test]
fn goldens_are_written_inside() {
    let folder = Folder::new("files-goldens");
    folder.write(
        "suite/c.frag",
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }\n",
    );
    let test = |golden: &str| {
        let text = format!("shader = \"c.frag\"\n[[test]]\ndraw = \"2x2\"\ngolden = \"{golden}\"\n");
        folder.write("suite/t.test.toml", &text);
        let artifacts = folder.path("artifacts");
        quadrille(&["test", &folder.path("suite"), "--bless", "--artifacts", &artifacts]).status.success()
    };
    assert!(!test("../away/g.png"));
    assert!(!folder.path("away").parse::<std::path::PathBuf>().unwrap().exists());
    assert!(test("new/g.png"));
    assert!(fs::metadata(folder.path("suite/new/g.png")).is_ok());
}

#[test]
fn includes_stay_in_the_folders_of_the_source_and_of_the_command_line() {
    let folder = Folder::new("files-includes");
    folder.write("lib/one.glsl", "#define ONE 1\n");
    let main = "#version 450\n#extension GL_GOOGLE_include_directive : require\n#include \"../lib/one.glsl\"\n\
        layout(local_size_x = 1) in;\nlayout(set = 0, binding = 0) buffer B { uint v[]; };\n\
        void main() { v[0] = ONE; }\n";
    let main = folder.write("src/main.comp", main);
    let words = ["run", &main, "--dispatch", "1", "--bind", "0.0=zeros:4", "--read", "0.0:u32"];
    assert!(bad(&words).contains("outside of"));
    good(&[&words[..], &["-I", &folder.path("lib")]].concat());
    good(&[&words[..], &["--allow-path", &folder.path("lib")]].concat());
    for (missing, why) in [("no/such", "there is no such folder"), ("lib/one.glsl", "this is not a folder")] {
        let missing = folder.path(missing);
        let text = wrong(&[&words[..], &["-I", &missing]].concat());
        assert!(text.contains(&format!("-I {missing}: {why}")), "{text}");
        let toy = folder.write("toy.glsl", "void mainImage(out vec4 c, in vec2 p) { c = vec4(1.0); }");
        let text = wrong(&["render", &toy, "-o", &folder.path("o.png"), "-I", &missing]);
        assert!(text.contains(&format!("-I {missing}: {why}")), "{text}");
    }
}
