//! Whole Shadertoys with the command: frames before the first, sound, and errors.

#![cfg(feature = "glsl")]

use crate::common::{Folder, bad, good, quadrille, wrong};

const IMAGE: &str =
    "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0) / 255.0; }\n";
/// Red counts frames, green is the number of the frame, blue the row from the bottom.
const BUFFER: &str = "void mainImage(out vec4 c, in vec2 p) {\n\
    c = vec4(texelFetch(iChannel0, ivec2(p), 0).x + ONE, iFrame, floor(p.y), 1);\n}\n";
/// The left channel has a period of 100 samples, the right one a value that is too loud.
const SOUND: &str = "vec2 mainSound(in int samp, float time) {\n return vec2(0.5 * sin(6.2831853 * float(samp % 100) / 100.0), 2);\n}\n";

fn toy(name: &str) -> (Folder, String) {
    let folder = Folder::new(name);
    for (name, text) in [
        ("image.glsl", IMAGE),
        ("buffer_a.glsl", BUFFER),
        ("common.glsl", "#define ONE 1.0\n"),
        ("sound.glsl", SOUND),
    ] {
        folder.write(name, text);
    }
    let path = folder.path("");
    (folder, path)
}

fn pixel(path: &str, x: u32, y: u32) -> [u8; 4] {
    image::open(path).unwrap().into_rgba8().get_pixel(x, y).0
}

/// Tools for tracefiles refuse lines past the end of a file.
#[test]
fn lines_are_those_of_the_file() {
    let folder = Folder::new("toy-lines");
    let code = "float f(vec2 p) {\n return length(p);\n}\nvoid mainImage(out vec4 c, in vec2 p) {\n c = vec4(f(p));\n}\n";
    let toy = folder.write("toy.glsl", code);
    let [out, lcov] = ["a.png", "a.lcov"].map(|name| folder.path(name));
    good(&["render", &toy, "-o", &out, "--size", "4x4", "--coverage", &lcov]);
    let text = std::fs::read_to_string(lcov).unwrap();
    let lines: Vec<&str> = text.lines().filter(|l| l.starts_with("FN:") || l.starts_with("DA:")).collect();
    assert_eq!(lines, ["FN:1,f", "FN:4,mainImage", "DA:2,16", "DA:5,16", "DA:6,16"]);
}

#[test]
fn frames_before_the_first_are_computed() {
    let (folder, toy) = toy("toy-frames");
    let out = folder.path("out/f_%02d.png");
    let render = ["render", &toy, "-o", &out, "--size", "2x3", "--frames", "5..7"];
    let said = quadrille(&render);
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    assert!(said.status.success() && text.contains("frames 0 to 4 are computed first"), "{text}");
    for n in 5..7 {
        assert_eq!(pixel(&folder.path(&format!("out/f_{n:02}.png")), 1, 0), [n + 1, n, 2, 255]);
    }
    // A time is reached frame by frame.
    let out = folder.path("late.png");
    good(&["render", &toy, "-o", &out, "--size", "2x3", "--time", "1.5", "--fps", "4"]);
    assert_eq!(pixel(&out, 0, 2), [7, 6, 0, 255]);
    // Without feedback only the requested frames are computed.
    folder.write("buffer_a.glsl", BUFFER.replace("texelFetch(iChannel0, ivec2(p), 0).x", "0.0"));
    let said = quadrille(&render);
    assert!(said.status.success() && said.stderr.is_empty(), "{}", String::from_utf8_lossy(&said.stderr));
    assert_eq!(pixel(&folder.path("out/f_06.png"), 1, 0), [1, 6, 2, 255]);
}

#[test]
fn sound_to_wav() {
    let (folder, toy) = toy("toy-sound");
    let (alone, beside) = (folder.path("made/alone.wav"), folder.path("beside.wav"));
    good(&["render", &toy, "-o", &alone, "--seconds", "0.01"]);
    let picture = folder.path("p.png");
    good(&[
        "render", &toy, "-o", &picture, "--size", "1x1", "--frames", "1..2", "--fps", "100", "--sound",
        &beside,
    ]);
    assert!(std::path::Path::new(&folder.path("p_0001.png")).exists());
    let file = folder.write("only.glsl", SOUND);
    let single = folder.path("single.wav");
    good(&["render", &file, "-o", &single, "--seconds", "0.01"]);
    assert_eq!(std::fs::read(&alone).unwrap(), std::fs::read(&single).unwrap());

    for (path, first) in [(&alone, 0), (&beside, 441)] {
        let bytes = std::fs::read(path).unwrap();
        assert_eq!(bytes.len(), 44 + 4 * 441, "{path}");
        assert_eq!((&bytes[..4], &bytes[8..16]), (&b"RIFF"[..], &b"WAVEfmt "[..]));
        // PCM, stereo, 44,100 samples per second.
        assert_eq!(bytes[20..28], [1, 0, 2, 0, 0x44, 0xac, 0, 0]);
        let value = |at: usize| i16::from_le_bytes([bytes[at], bytes[at + 1]]);
        for n in 0..441 {
            let phase = f64::from((first + n as i32) % 100) / 100.0;
            let want = 0.5 * 32767.0 * (std::f64::consts::TAU * phase).sin();
            assert!((f64::from(value(44 + 4 * n)) - want).abs() < 2.0, "{path}: sample {n}");
            assert_eq!(value(46 + 4 * n), 32767);
        }
    }
}

#[test]
fn json_and_macros() {
    let folder = Folder::new("toy-json");
    let code =
        serde_json::Value::from("void mainImage(out vec4 c, in vec2 p) { c = vec4(RED, iTime, 0, 1); }");
    let json = folder.write(
        "toy.json",
        format!("{{\"Shader\": {{\"renderpass\": [{{\"type\": \"image\", \"code\": {code}}}]}}}}"),
    );
    let out = folder.path("out.png");
    good(&["render", &json, "-o", &out, "--size", "1x1", "-D", "RED=0.2", "--time", "0.4"]);
    assert_eq!(pixel(&out, 0, 0), [51, 102, 0, 255]);
    let text = bad(&["render", &json, "-o", &out]);
    assert!(text.contains("toy.json: Image:1:") && text.contains("RED"), "{text}");
}

/// The common text and passes include files; messages name them.
#[test]
fn passes_include_files() {
    let (folder, toy) = toy("toy-include");
    folder.write("one.h", "#define ONE 7.0\n");
    folder.write("common.glsl", "#include \"one.h\"\n");
    let out = folder.path("out.png");
    good(&["render", &toy, "-o", &out, "--size", "1x1"]);
    assert_eq!(pixel(&out, 0, 0), [7, 0, 0, 255]);
    folder.write("one.h", "#define ONE 7.0\nfloat two = nothing;\n");
    let text = bad(&["render", &toy, "-o", &out, "--size", "1x1"]);
    assert!(text.contains("one.h:2:13") && text.contains("common.glsl:1"), "{text}");
}

#[test]
fn dates() {
    let folder = Folder::new("toy-date");
    let code = "void mainImage(out vec4 c, in vec2 p) { c = vec4(iDate.xyz - vec3(2000, 0, 0), iDate.w) / 255.0; c.z = c.w; }";
    let toy = folder.write("toy.glsl", code);
    let out = folder.path("out.png");
    let date = ["--date", "2026-03-28T23:59:58", "--time", "3.6"];
    good(&[&["render", &toy, "-o", &out, "--size", "1x1"], &date[..]].concat());
    // Months count from 0; after midnight the seconds start again.
    assert_eq!(pixel(&out, 0, 0), [26, 2, 2, 255]);
    assert!(bad(&["render", &toy, "-o", &out, "--date", "yesterday"]).contains("2026-02-28"));
}

#[test]
fn refusals() {
    let (folder, toy) = toy("toy-bad");
    let out = folder.path("out.png");
    let render = |more: &[&str]| bad(&[&["render", &toy, "-o", &out, "--size", "1x1"], more].concat());
    assert!(render(&["--texture", "x.png"]).contains("shadertoy.toml"));
    assert!(render(&["--uniform", "a=1"]).contains("--uniform"));
    assert!(render(&["--vertices", "3"]).contains("vertex shader"));
    assert!(render(&["--camera", "1"]).contains("--camera"));
    assert!(render(&["--sound", "x.mp3"]).contains(".wav"));
    assert!(render(&["--sound", &folder.path("a.wav"), "--seconds", "1e9"]).contains("lasts"));
    assert!(render(&["--sound", &folder.path("a.wav"), "--seconds", "0"]).contains("sound"));
    let (one, two) = (folder.path("one.wav"), folder.path("two.wav"));
    assert!(wrong(&["render", &toy, "-o", &one, "--sound", &two]).contains("both for the sound"));
    assert!(!std::path::Path::new(&one).exists());
    let plain = folder.write("plain.frag", "void main() {}");
    for file in [&toy, &plain] {
        let text = wrong(&["render", file, "-o", &one, "--format", "png", "--size", "1x1"]);
        assert!(text.contains("--format png") && text.contains("has the extension of sound"), "{text}");
    }
    assert!(!std::path::Path::new(&one).exists());
    assert!(bad(&["render", &plain, "-o", &out, "--seconds", "1"]).contains("--seconds"));
    let sound = folder.path("sound.glsl");
    assert!(bad(&["render", &sound, "-o", &out]).contains(".wav"));
    let limited = std::process::Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quadrille")])
        .args(["render", &sound, "-o", &folder.path("big.wav"), "--seconds", "1"])
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(1), "{}", String::from_utf8_lossy(&limited.stderr));
    assert!(!std::path::Path::new(&folder.path("big.wav")).exists());
    let silent = folder.write("silent.glsl", IMAGE);
    assert!(wrong(&["render", &silent, "-o", &folder.path("a.wav")]).contains("there is no sound"));
    assert!(bad(&["render", &plain, "-o", &folder.path("a.wav")]).contains("mainSound"));

    folder.write("common.glsl", "#define ONE 1.0\nfloat two() {\n  return unknown;\n}\n");
    let text = render(&[]);
    assert!(text.contains("common.glsl:3:10") && text.contains("return unknown;"), "{text}");
    folder.write("common.glsl", "#define ONE 1.0\n");
    folder.write("buffer_a.glsl", format!("\n{BUFFER}").replace("floor", "flor"));
    let text = render(&[]);
    assert!(text.contains("buffer_a.glsl:3:") && text.contains("flor"), "{text}");
    folder.write("shadertoy.toml", "[image]\niChannel0 = \"buffer_a\"\niChannel9 = \"keyboard\"\n");
    assert!(render(&[]).contains("shadertoy.toml:3"));
}
