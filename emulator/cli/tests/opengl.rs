//! Pictures of OpenGL GLSL equal those of OpenGL: Mesa's, kept as PNGs beside the shaders in `tests/opengl`.
//!
//! If Python has moderngl and Mesa's llvmpipe is there, Mesa draws the pictures again, which proves that the PNGs are
//! Mesa's. Otherwise this part is skipped. `QUADRILLE_BLESS=1` rewrites them, always with Mesa.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::common::{Folder, bad, good, quadrille};
#[cfg(feature = "glsl")]
use crate::debugger::debug;
use image::RgbaImage;
use quadrille::testing::{self, Requirement};

const SIZE: (u32, u32) = (64, 48);

/// A case; its shader files have its name. If `vertices` is `None` there is no vertex shader, and the picture is
/// covered.
struct Case {
    name: &'static str,
    /// Number and topology of the vertices for a vertex shader.
    vertices: Option<(u32, &'static str)>,
    /// Maximum difference of a component: GLSL leaves precision to drivers.
    tolerance: u8,
}

const fn picture(name: &'static str, tolerance: u8) -> Case {
    Case { name, vertices: None, tolerance }
}

const fn drawn(name: &'static str, count: u32, topology: &'static str, tolerance: u8) -> Case {
    Case { name, vertices: Some((count, topology)), tolerance }
}

const CASES: &[Case] = &[
    picture("gradient", 1),
    picture("letter", 1),
    picture("slopes", 2),
    picture("disc", 1),
    picture("bricks", 1),
    picture("pointer", 1),
    picture("rows", 1),
    picture("spiral", 2),
    picture("photo", 2),
    drawn("facing", 6, "triangles", 0),
    drawn("flat", 6, "triangles", 1),
    drawn("depth", 9, "triangles", 1),
    drawn("points", 3, "points", 1),
];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/opengl")
}

fn file(case: &Case, extension: &str) -> String {
    folder().join(format!("{}.{extension}", case.name)).to_str().unwrap().to_owned()
}

/// A picture without symmetry: no row or column equals another one, even reversed.
fn texels() -> RgbaImage {
    RgbaImage::from_fn(4, 4, |x, y| image::Rgba([60 * x as u8, 80 * y as u8, (40 * (x + 2 * y)) as u8, 255]))
}

/// Our picture, with additional arguments.
fn ours(case: &Case, out: &Folder, more: &[&str]) -> RgbaImage {
    let texture = out.path("texels.png");
    texels().save(&texture).unwrap();
    let picture = out.path(&format!("{}.png", case.name));
    let (fragment, vertex) = (file(case, "frag"), file(case, "vert"));
    let size = format!("{}x{}", SIZE.0, SIZE.1);
    let mut args =
        vec!["render", &fragment, "-o", &picture, "--size", &size, "--time", "1.5", "--mouse", "20,12"];
    let count = case.vertices.map(|(count, _)| count.to_string()).unwrap_or_default();
    if let Some((_, topology)) = case.vertices {
        args.extend([&*vertex, "--vertices", &count, "--topology", topology]);
    }
    // Only this case names its texture, which is clamped, unlike in OpenGL; it samples nothing outside.
    let given = format!("picture={texture}");
    if case.name == "photo" {
        args.extend(["--shader", &given]);
    }
    args.extend(more);
    good(&args);
    image::open(&picture).unwrap().into_rgba8()
}

/// Mesa's picture, or the reason why there is none.
fn mesas(case: &Case, out: &Folder) -> Result<RgbaImage, String> {
    let texture = out.write("texels.raw", texels().into_raw());
    let (count, topology) = case.vertices.unwrap_or((3, "triangles"));
    let numbers = [SIZE.0, SIZE.1, count].map(|n| n.to_string());
    let mut command = Command::new("python3");
    command.arg(folder().join("mesa.py")).args(numbers).args([topology, &texture, &file(case, "frag")]);
    if case.vertices.is_some() {
        command.arg(file(case, "vert"));
    }
    let done = command.output().map_err(|e| format!("python3: {e}"))?;
    let told = String::from_utf8_lossy(&done.stderr).into_owned();
    match done.status.code() {
        Some(0) => Ok(RgbaImage::from_raw(SIZE.0, SIZE.1, done.stdout).unwrap()),
        Some(77) => Err(told),
        _ => panic!("{}: {told}", case.name),
    }
}

fn largest(a: &RgbaImage, b: &RgbaImage) -> u8 {
    assert_eq!(a.dimensions(), b.dimensions());
    a.as_raw().iter().zip(b.as_raw()).map(|(a, b)| a.abs_diff(*b)).max().unwrap()
}

fn turned(picture: &RgbaImage) -> RgbaImage {
    image::imageops::flip_vertical(picture)
}

#[test]
fn pictures_are_those_of_opengl() {
    let out = Folder::new("opengl");
    let mut passed_over = None;
    for case in CASES {
        let kept = file(case, "png");
        match mesas(case, &out) {
            Ok(drawn) if quadrille::env::bless() => drawn.save(&kept).unwrap(),
            Ok(drawn) => {
                let by = largest(&drawn, &image::open(&kept).unwrap().into_rgba8());
                assert!(by <= case.tolerance, "{kept} is not what Mesa draws here: {by}");
            }
            Err(why) => passed_over = Some(why),
        }
        let expected = image::open(&kept).unwrap().into_rgba8();
        assert!(largest(&expected, &turned(&expected)) > 60, "{kept} does not show where up is");
        let by = largest(&ours(case, &out, &[]), &expected);
        assert!(by <= case.tolerance, "{}: differs by {by} from OpenGL's", case.name);
    }
    if let Some(why) = passed_over {
        let why = why.trim().lines().next_back().unwrap_or_default();
        testing::skipped(Requirement::Mesa, &format!("only the stored pictures were compared: {why}"));
    }
}

#[test]
fn the_origin_is_told_and_taken() {
    let out = Folder::new("origin");
    let (letter, rows) = (&CASES[1], &CASES[6]);
    let upright = ours(letter, &out, &[]);
    assert_eq!(ours(letter, &out, &["--origin", "lower-left"]), upright);
    assert_eq!(ours(letter, &out, &["--origin", "upper-left"]), turned(&upright));
    let size = ["--size", "8x4", "-o", &out.path("x.png"), "--verbose"];
    let told = |file: &str, more: &[&str]| {
        let done = quadrille(&[&["render", file], &size[..], more].concat());
        assert!(done.status.success());
        let text = String::from_utf8(done.stderr).unwrap();
        text.lines().find(|line| line.contains("origin ")).unwrap_or(&text).to_owned()
    };
    let of = |case: &Case| told(&file(case, "frag"), &[]);
    assert!(
        of(letter).ends_with(
            "origin lower-left: line 3: `u_resolution` is a uniform outside a block, which only OpenGL has"
        ),
        "{}",
        of(letter)
    );
    assert!(
        of(rows).ends_with("origin lower-left: GLSL 150 without Vulkan constructs is OpenGL's"),
        "{}",
        of(rows)
    );
    let text = told(&file(letter, "frag"), &["--origin", "upper-left"]);
    assert!(text.ends_with("origin upper-left: as --origin says"), "{text}");
    let vulkan = out.write(
        "vulkan.frag",
        "#version 450\nlayout(set = 0, binding = 0) uniform B { vec2 resolution; };\nlayout(location = 0) out vec4 c;\n\
         void main() { c = vec4(gl_FragCoord.xy / resolution, 0, 1); }",
    );
    let text = told(&vulkan, &[]);
    assert!(text.ends_with("origin upper-left: line 2: only Vulkan has `layout(set = ...)`"), "{text}");
    // The debugger counts rows from the top of the picture; the shader sees its own coordinates.
    let mut child = Command::new(env!("CARGO_BIN_EXE_quadrille"))
        .args(["debug", &file(rows, "frag"), "--pixel", "3,0", "--size", "8x4"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"print gl_FragCoord\n").unwrap();
    let told = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(told.contains("gl_FragCoord = vec4(3.5, 3.5, 0.0, 1.0)"), "{told}");

    let text = bad(&["render", &vulkan, "-o", &out.path("x.png"), "--origin", "middle"]);
    assert!(text.contains("`middle` is not lower-left or upper-left"), "{text}");
}

/// Outputs of old versions have the user's names in the debugger, in expressions and stops too.
#[cfg(feature = "glsl")]
#[test]
fn outputs_of_old_versions_have_their_names() {
    let folder = Folder::new("debug-old");
    let source = "#version 120\nvoid main() {\n  gl_FragColor = vec4(0.5);\n  gl_FragColor.x += 0.25;\n}\n";
    let file = folder.write("old.frag", source);
    let script = "watch gl_FragColor\nc\np gl_FragColor.x * 2.0\nend\nquit\n";
    let (out, errors, ok) = debug(&[&file, "--pixel", "3,4", "--size", "16x16"], script);
    assert!(ok, "{errors}");
    let end = "the invocation has ended\ngl_FragColor = vec4(0.75, 0.5, 0.5, 0.5)";
    assert!(out.contains("gl_FragColor.x * 2.0 = 1.0") && out.contains(end), "{out}");
    assert!(!out.contains("qd_"), "{out}");
}

/// The debugger shows the value of `gl_PointCoord` that the source sees, in its own rows and in Vulkan's.
#[test]
#[cfg(feature = "glsl")]
fn point_coordinates_in_the_debugger() {
    let folder = Folder::new("opengl-points");
    let old = "#version 120\nvoid main() {\n    vec2 p = gl_PointCoord;\n    gl_FragColor = vec4(p, 0.0, 1.0);\n}\n";
    let new = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {\n    vec2 p = gl_PointCoord;\n\
               \x20   c = vec4(p, 0.0, 1.0);\n}\n";
    for (name, source, y) in [("old.frag", old, "1.0"), ("new.frag", new, "0.0")] {
        let file = folder.write(name, source);
        let script = "step\nstep\np p\np gl_PointCoord\np gl_PointCoord.y + 0.0\nglobals\n";
        let (out, errors, ok) = debug(&[&file, "--pixel", "1,1", "--size", "4x4"], script);
        assert!(ok, "{errors}");
        for line in [
            format!("\np = vec2(0.0, {y})"),
            format!("gl_PointCoord = vec2(0.0, {y})"),
            format!("gl_PointCoord.y + 0.0 = {y}"),
        ] {
            assert!(out.contains(&line), "{line} is not in:\n{out}");
        }
        assert_eq!(out.matches(&format!("gl_PointCoord = vec2(0.0, {y})")).count(), 2, "{out}");
    }
}
