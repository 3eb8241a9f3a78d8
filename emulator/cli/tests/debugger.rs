//! `quadrille debug`, at its prompt and in a browser, and `quadrille dap`.
#![cfg(feature = "glsl")]

mod common;

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use common::Folder;

/// A picture of stripes; the lines are counted on.
const PICTURE: &str = "#version 450
layout(location = 0) out vec4 color;
float stripe(float x) {
    float wave = sin(x * 0.5);
    return wave * 0.5 + 0.5;
}
void main() {
    vec2 at = gl_FragCoord.xy;
    vec3 sum = vec3(0.0);
    for (int i = 0; i < 3; i++) {
        sum[i] = stripe(at.x + at.y * float(i));
    }
    color = vec4(sum, 1.0);
}
";

/// What the command prints for a script.
fn debug(arguments: &[&str], script: &str) -> (String, String, bool) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("debug")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended already.
    let _ = child.stdin.take().unwrap().write_all(script.as_bytes());
    let out = child.wait_with_output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&out.stdout), text(&out.stderr), out.status.success())
}

#[test]
fn a_pixel_at_the_prompt() {
    let folder = Folder::new("debug-pixel");
    let file = folder.write("stripes.frag", PICTURE);
    let script = "break 11 if i == 1\nc\np at\np at.x + at.y * float(i)\ns\nbt\nrc\nend\nquit\n";
    let (out, errors, ok) = debug(&[&file, "--pixel", "3,4", "--size", "16x16"], script);
    assert!(ok, "{errors}");
    for part in [
        "pixel (3, 4): lane ",
        "at = vec2(3.5, 4.5)",
        "at.x + at.y * float(i) = 8.0",
        ">#0 stripe ",
        "the invocation has ended\ncolor = vec4(",
    ] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
}

#[test]
fn an_invocation_and_a_vertex() {
    let folder = Folder::new("debug-compute");
    let compute = folder.write(
        "add.comp",
        "#version 450\nlayout(local_size_x = 4) in;\nlayout(set = 0, binding = 0) buffer B { int n[]; };\n\
         void main() {\n    int mine = n[gl_GlobalInvocationID.x];\n    n[gl_GlobalInvocationID.x] = mine * 2;\n}\n",
    );
    let run = ["--dispatch", "1", "--bind", "0.0=i32:5,6,7,8"];
    let arguments = [&[compute.as_str(), "--invocation", "2"], &run[..]].concat();
    let (out, errors, ok) = debug(&arguments, "n\np mine\np @lanes mine\nend\np n[2]\n");
    assert!(ok, "{errors}");
    for part in ["mine = 7", "*  3  8", "n[2] = 14"] {
        assert!(out.contains(part), "{part:?} is not in:\n{out}");
    }
    let vertex = folder.write(
        "points.vert",
        "#version 450\nvoid main() {\n    float x = float(gl_VertexIndex);\n    gl_Position = vec4(x, 0.0, 0.0, 1.0);\n}\n",
    );
    let fragment = folder.write(
        "white.frag",
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1.0); }\n",
    );
    let arguments = [&vertex, &fragment, "--vertices", "3", "--vertex", "2", "--size", "8x8"];
    let (out, errors, ok) = debug(&arguments, "n\np x\n");
    assert!(ok && out.contains("x = 2.0"), "{out}{errors}");
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::new("debug-mistakes");
    let file = folder.write("stripes.frag", PICTURE);
    for (arguments, part) in [
        (vec![file.as_str()], "which invocation?"),
        (vec![&file, "--pixel", "99,99", "--size", "8x8"], "pixel (99, 99): the shader did not run there"),
        (vec![&file, "--pixel", "3"], "give numbers"),
        (vec![&file, "--pixel", "3,3", "--nonsense"], "--nonsense"),
        (vec!["nowhere.frag", "--pixel", "3,3"], "nowhere.frag"),
    ] {
        let (_, errors, ok) = debug(&arguments, "");
        assert!(!ok && errors.contains(part), "{arguments:?}: {errors}");
    }
}

#[test]
fn an_editor_launches_a_pixel() {
    let folder = Folder::new("debug-dap");
    let file = folder.write("stripes.frag", PICTURE);
    let mut input = Vec::new();
    for (seq, body) in [
        r#""command":"initialize","arguments":{}"#.to_owned(),
        format!(
            r#""command":"launch","arguments":{{"program":"{file}","pixel":[3,4],"args":["--size","16x16"]}}"#
        ),
        r#""command":"configurationDone""#.to_owned(),
        r#""command":"evaluate","arguments":{"expression":"gl_FragCoord.xy"}"#.to_owned(),
        r#""command":"disconnect""#.to_owned(),
    ]
    .iter()
    .enumerate()
    {
        let text = format!(r#"{{"seq":{seq},"type":"request",{body}}}"#);
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).unwrap();
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .arg("dap")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(&input).unwrap();
    let out = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&out.stdout);
    assert!(out.contains(r#""result":"vec2(3.5, 4.5)""#), "{out}");
}

fn chromium() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    let found = names.iter().flat_map(|name| folders.iter().map(move |f| f.join(name))).find(|p| p.is_file());
    if found.is_none() {
        eprintln!("passed over: there is no Chromium on this machine");
    }
    found
}

/// A server that ends with this value.
struct Served(std::process::Child);

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn the_page_in_a_browser() {
    let Some(browser) = chromium() else { return };
    let folder = Folder::new("debug-page");
    let file = folder.write("stripes.frag", PICTURE);
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["debug", &file, "--size", "64x36", "--serve", "--cost", "--check"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut url = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut url).unwrap();
    let _served = Served(child);
    let url = url.trim();
    assert!(url.starts_with("http://127.0.0.1:") && url.contains("?token="), "{url}");
    let browse = |url: &str, arguments: &[&str]| {
        let out = Command::new(&browser)
            .args([
                "--headless",
                "--no-sandbox",
                "--disable-gpu",
                "--hide-scrollbars",
                "--virtual-time-budget=20000",
            ])
            .arg(format!("--user-data-dir={}", folder.path("profile")))
            .args(arguments)
            .arg(url)
            .output()
            .unwrap();
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    // Whoever has not the address sees nothing.
    let dom = browse(url.split('?').next().unwrap(), &["--dump-dom"]);
    assert!(dom.contains("not the address that was printed") && !dom.contains("stripe("), "{dom}");

    let page = format!(
        "{url}&pixel=3,4&break=11&motion=continue&motion=continue&watch=at.x+*+2.0&history=sum&all=1&zoom=3"
    );
    let dom = browse(&page, &["--dump-dom"]);
    for part in
        ["data-ready=\"yes\"", "pixel (3, 4)", "float stripe(float x)", "at.x * 2.0", "7.0", "History of sum"]
    {
        assert!(dom.contains(part), "{part:?} is not in:\n{dom}");
    }
    // The breakpoint is there still.
    let page = page.replace("&break=11", "");
    let shot = folder.path("shot.png");
    browse(&page, &[&format!("--screenshot={shot}"), "--window-size=1500,900"]);
    let picture = image::open(&shot).unwrap().into_rgb8();
    // The stripes are there, enlarged: many colours in the upper left part.
    let mut colors: Vec<[u8; 3]> = (50..400)
        .flat_map(|x| (100..250).map(move |y| (x, y)))
        .map(|(x, y)| picture.get_pixel(x, y).0)
        .collect();
    colors.sort_unstable();
    colors.dedup();
    assert!(colors.len() > 20, "{} colours", colors.len());
    if let Some(keep) = option_env!("CARGO_TARGET_TMPDIR") {
        picture.save(Path::new(keep).join("debug_page.png")).unwrap();
    }
}
