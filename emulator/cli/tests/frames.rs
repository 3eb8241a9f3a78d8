//! Output of frames: numbered files, animations, raw frames on standard output.

use std::path::Path;
use std::process::{Command, Stdio};

use image::AnimationDecoder;

use crate::common::{Folder, bad, good, quadrille};

/// Red is 10 times the frame; green and blue are the pixel's column and its row from the top.
const COUNTED: &str = "#version 450\nlayout(push_constant) uniform Told { int frame; };\nlayout(location = 0) out vec4 c;\n\
    void main() { c = vec4(10 * frame, floor(gl_FragCoord.xy), 255.0) / 255.0; }\n";

fn pixel(frame: u8, x: u8, y: u8) -> [u8; 4] {
    [10 * frame, x, y, 255]
}

fn render<'a>(shader: &'a str, output: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["render", shader, "--size", "3x2", "--frames", "4..7", "-o", output], more].concat()
}

#[test]
fn numbered_files() {
    let folder = Folder::new("numbered");
    let shader = folder.write("counted.frag", COUNTED);
    good(&render(&shader, &folder.path("made/out.png"), &[]));
    good(&render(&shader, &folder.path("f%02d.x"), &["--format", "png"]));
    for n in 4..7u8 {
        for name in [format!("made/out_{n:04}.png"), format!("f{n:02}.x")] {
            let bytes = std::fs::read(folder.path(&name)).unwrap();
            let picture =
                image::load_from_memory_with_format(&bytes, image::ImageFormat::Png).unwrap().into_rgba8();
            assert_eq!(picture.get_pixel(2, 1).0, pixel(n, 2, 1), "{name}");
        }
    }
    assert!(!Path::new(&folder.path("made/out_0003.png")).exists());
    assert!(!Path::new(&folder.path("made/out_0007.png")).exists());
}

#[test]
fn animated_png() {
    let folder = Folder::new("apng");
    let shader = folder.write("counted.frag", COUNTED);
    for (name, more) in [("a.apng", &["--fps", "12.5"][..]), ("a.png", &["--animated", "--fps", "12.5"])] {
        good(&render(&shader, &folder.path(name), more));
        let file = std::io::BufReader::new(std::fs::File::open(folder.path(name)).unwrap());
        let decoder = image::codecs::png::PngDecoder::new(file).unwrap();
        let frames = decoder.apng().unwrap().into_frames().collect_frames().unwrap();
        assert_eq!(frames.len(), 3);
        for (n, frame) in (4..7).zip(&frames) {
            let (milliseconds, per) = frame.delay().numer_denom_ms();
            assert_eq!(milliseconds, 80 * per);
            assert_eq!(frame.buffer().get_pixel(1, 1).0, pixel(n, 1, 1));
        }
    }
}

/// Frames of few colours are exact; the end times of frames are rounded to hundredths of a second.
#[test]
fn gif() {
    let folder = Folder::new("gif");
    let shader = folder.write("counted.frag", COUNTED);
    let out = folder.path("a.gif");
    good(&render(&shader, &out, &["--fps", "30"]));
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(std::fs::File::open(&out).unwrap()).unwrap();
    for (n, delay) in [(4, 3), (5, 4), (6, 3)] {
        let frame = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!((frame.width, frame.height, frame.delay), (3, 2, delay));
        assert_eq!(frame.buffer[4 * 5..], pixel(n, 2, 1));
    }
    assert!(decoder.read_next_frame().unwrap().is_none());
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);

    let fast = quadrille(&render(&shader, &out, &["--fps", "60"]));
    assert!(String::from_utf8_lossy(&fast.stderr).contains("50 frames"));
}

/// A hole shows no earlier frame, also if that had none.
#[test]
fn holes_in_a_gif() {
    let folder = Folder::new("gif-holes");
    let shader = folder.write(
        "hole.frag",
        "#version 450\nlayout(push_constant) uniform Told { int frame; };\nlayout(location = 0) out vec4 c;\n\
         void main() { c = frame < 2 || gl_FragCoord.x < 1.0 ? vec4(1, 0, 0, 1) : vec4(0); }\n",
    );
    let out = folder.path("a.gif");
    good(&["render", &shader, "-o", &out, "--frames", "0..4", "--fps", "10", "--size", "2x1"]);
    let file = std::io::BufReader::new(std::fs::File::open(&out).unwrap());
    let mut decoder = gif::DecodeOptions::new().read_info(file).unwrap();
    let mut left = Vec::new();
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        left.push((frame.dispose, frame.transparent.is_some()));
    }
    let (keep, nothing) = (gif::DisposalMethod::Keep, gif::DisposalMethod::Background);
    assert_eq!(left, [(keep, false), (nothing, false), (nothing, true), (nothing, true)]);
}

#[test]
fn raw_frames() {
    let folder = Folder::new("raw");
    let shader = folder.write("counted.frag", COUNTED);
    let stdout = |format: &str| {
        let out = quadrille(&render(&shader, "-", &["--format", format, "--fps", "24"]));
        assert!(out.status.success() && out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
        out.stdout
    };
    let want: Vec<[u8; 4]> = (4..7).flat_map(|n| (0..6).map(move |i| pixel(n, i % 3, i / 3))).collect();
    assert_eq!(stdout("rgba"), want.as_flattened());
    let rgb: Vec<u8> = want.iter().flat_map(|p| [p[0], p[1], p[2]]).collect();
    assert_eq!(stdout("rgb24"), rgb);
    // The same in a file; the extension selects the format.
    let file = folder.path("a.rgb");
    good(&render(&shader, &file, &[]));
    assert_eq!(std::fs::read(&file).unwrap(), rgb);

    let y4m = stdout("y4m");
    let header = b"YUV4MPEG2 W3 H2 F24:1 Ip A1:1 C444 XCOLORRANGE=LIMITED\n";
    assert_eq!(y4m[..header.len()], *header);
    assert_eq!(y4m.len(), header.len() + 3 * (6 + 18));
    // BT.601 of (40, 0, 0): 16 + 219 * 0.299 * 40 / 255, and so on.
    let first = &y4m[header.len()..];
    assert_eq!(first[..6], *b"FRAME\n");
    assert_eq!([first[6], first[12], first[18]], [26, 122, 146]);
}

/// If the reader stops early, that is not an error, and nothing is printed.
#[test]
fn a_closed_pipe_ends_frames_quietly() {
    let folder = Folder::new("pipe");
    let shader = folder.write("counted.frag", COUNTED);
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["render", &shader, "--size", "64x64", "--frames", "0..100000", "-o", "-", "--format", "rgba"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 4];
    std::io::Read::read_exact(child.stdout.as_mut().unwrap(), &mut first).unwrap();
    assert_eq!(first, pixel(0, 0, 0));
    drop(child.stdout.take());
    let out = child.wait_with_output().unwrap();
    assert!(out.stderr.is_empty(), "{}", String::from_utf8_lossy(&out.stderr));
    assert!(out.status.success());
}

#[test]
fn refusals() {
    let folder = Folder::new("frames-bad");
    let shader = folder.write("counted.frag", COUNTED);
    let render = |output: &str, more: &[&str]| bad(&render(&shader, output, more));
    assert!(render("-", &[]).contains("--format"));
    assert!(render("-", &["--format", "png"]).contains("several"));
    assert!(render(&folder.path("a.webp"), &[]).contains(".gif"));
    assert!(render(&folder.path("a%02d.gif"), &[]).contains("one file"));
    assert!(render(&folder.path("a.jpg"), &["--animated"]).contains("animated PNG"));
    assert!(render(&folder.path("a.gif"), &["--fps", "0"]).contains("fps"));
    assert!(render(&folder.path("counted.frag/a.gif"), &[]).contains("counted.frag"));

    // A failure before or during the output leaves an older file unchanged, and no partial file.
    let old = folder.write("old.gif", "old");
    let wrong = folder.write("wrong.frag", "void main() { nonsense; }");
    bad(&["render", &wrong, "-o", &old]);
    assert_eq!(std::fs::read(&old).unwrap(), b"old");
    let big = folder.write("big.rgba", "old");
    let limited = Command::new("sh")
        .args(["-c", "ulimit -f 1; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_quadrille")])
        .args(["render", &shader, "--size", "64x64", "--frames", "0..9", "-o", &big])
        .output()
        .unwrap();
    assert_eq!(limited.status.code(), Some(1), "{}", String::from_utf8_lossy(&limited.stderr));
    assert!(String::from_utf8_lossy(&limited.stderr).contains("big.rgba"));
    assert_eq!(std::fs::read(&big).unwrap(), b"old");
    let names = std::fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(names.into_iter().all(|name| !name.to_string_lossy().ends_with(".part")));
}

/// Existing frames are kept, all others are drawn. No unfinished file is left.
#[test]
fn frames_are_resumed() {
    let folder = Folder::new("resumed");
    let shader = folder.write("counted.frag", COUNTED);
    let out = folder.path("f_%02d.png");
    good(&render(&shader, &out, &[]));
    let expected: Vec<Vec<u8>> =
        (4..7).map(|n| std::fs::read(folder.path(&format!("f_{n:02}.png"))).unwrap()).collect();
    std::fs::remove_file(folder.path("f_05.png")).unwrap();
    folder.write("f_06.png", "as it is");
    good(&render(&shader, &out, &["--resume"]));
    assert_eq!(std::fs::read(folder.path("f_05.png")).unwrap(), expected[1]);
    assert_eq!(std::fs::read(folder.path("f_06.png")).unwrap(), b"as it is");
    good(&render(&shader, &out, &[]));
    assert_eq!(std::fs::read(folder.path("f_06.png")).unwrap(), expected[2]);
    let names =
        std::fs::read_dir(folder.path("")).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["counted.frag", "f_04.png", "f_05.png", "f_06.png"]);
    let text = bad(&render(&shader, &folder.path("a.gif"), &["--resume"]));
    assert!(text.contains("files of their own"), "{text}");
}

/// If frames depend on earlier ones, these are computed, but only missing files are written.
#[test]
fn frames_that_feed_back_are_resumed() {
    let folder = Folder::new("resumed-toy");
    let toy = folder.path("toy");
    std::fs::create_dir_all(&toy).unwrap();
    folder.write(
        "toy/buffer_a.glsl",
        "void mainImage(out vec4 c, in vec2 p) { c = texelFetch(iChannel0, ivec2(p), 0) + 0.1; }",
    );
    folder.write(
        "toy/image.glsl",
        "void mainImage(out vec4 c, in vec2 p) { c = vec4(texelFetch(iChannel0, ivec2(p), 0).rgb, 1.0); }",
    );
    folder.write(
        "toy/shadertoy.toml",
        "[buffer_a]\niChannel0 = \"buffer_a\"\n[image]\niChannel0 = \"buffer_a\"\n",
    );
    let out = folder.path("f_%02d.png");
    let args = |more: &[&'static str]| -> Vec<String> {
        let all = ["render", &toy, "--size", "2x2", "--frames", "0..4", "-o", &out];
        all.iter().chain(more).map(|s| (*s).to_owned()).collect()
    };
    let run = |more: &[&'static str]| {
        let args = args(more);
        good(&args.iter().map(String::as_str).collect::<Vec<_>>());
    };
    run(&[]);
    let read = |n: u32| std::fs::read(folder.path(&format!("f_{n:02}.png"))).unwrap();
    let expected = read(2);
    assert_ne!(expected, read(1));
    std::fs::remove_file(folder.path("f_02.png")).unwrap();
    run(&["--resume"]);
    assert_eq!(read(2), expected);
}

/// Each picture is in the folder of its name, and no folder has the name with the placeholder.
#[test]
fn numbers_are_in_names_of_folders() {
    let folder = Folder::new("frames-folders");
    let shader = folder.write("a.agsl", "half4 main(float2 p) { return half4(1); }");
    let out = folder.path("frame%d/picture.png");
    good(&["render", &shader, "--size", "2x2", "--frames", "1..3", "-o", &out]);
    let exists = |name: &str| Path::new(&folder.path(name)).exists();
    assert!(exists("frame1/picture.png") && exists("frame2/picture.png") && !exists("frame%d"));
}
