//! The section about tests in the README: its code runs here exactly as printed there.

mod common;

use common::{Folder, good, quadrille};
use quadrille::{ShaderTest, Tolerance};

/// The first block of a language in the README that contains a text.
fn block(language: &str, with: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");
    let text = std::fs::read_to_string(path).unwrap();
    let blocks = text.split("\n```").skip(1).step_by(2);
    let mut bodies = blocks.filter_map(|b| b.strip_prefix(language)?.strip_prefix('\n').map(str::to_owned));
    bodies.find(|body| body.contains(with)).unwrap_or_else(|| panic!("no {language} with {with}"))
}

#[test]
fn doubles() -> Result<(), Box<dyn std::error::Error>> {
    let doubled: Vec<f32> = ShaderTest::wgsl(
        "
        @group(0) @binding(0) var<storage, read_write> v: array<f32>;
        @compute @workgroup_size(4)
        fn main(@builtin(global_invocation_id) id: vec3u) { v[id.x] *= 2.0; }",
    )?
    .bind(0, 0, &[1.0f32, 2.0, 3.0, 4.0])
    .dispatch([1, 1, 1])?
    .read(0, 0)?;
    assert_eq!(doubled, [2.0, 4.0, 6.0, 8.0]);
    Ok(())
}

#[test]
fn draws_a_ring() -> Result<(), Box<dyn std::error::Error>> {
    // The shader is a file beside this one; the golden is named from the folder of the crate.
    let picture = quadrille::shader_test!("shaders/ring.frag")?.draw(64, 64)?.picture()?;
    picture.check("tests/goldens/ring.png", Tolerance::EXACT)?;
    Ok(())
}

/// The README shows the functions above, except for white space and trailing commas.
#[test]
fn rust() {
    let plain = |text: &str| text.split_whitespace().collect::<String>().replace(",)", ")");
    let (here, there) = (plain(include_str!("readme.rs")), block("rust", "ShaderTest"));
    for part in there.split("\n\n") {
        assert!(here.contains(&plain(part)), "{part}");
    }
}

#[test]
fn toml() {
    let folder = Folder::new("readme-toml");
    let shader = block("rust", "ShaderTest");
    let shader = shader.split('"').nth(1).unwrap();
    folder.write("double.wgsl", shader);
    folder.write("ring.frag", include_str!("shaders/ring.frag"));
    folder.write("ring.png", std::fs::read("tests/goldens/ring.png").unwrap());
    let test = folder.write("double.test.toml", block("toml", "[[test]]"));
    let text = good(&["test", &test]);
    assert!(text.contains("2 tests run: 2 passed"), "{text}");
    let wrong = block("toml", "[[test]]").replace("6, 8", "6, 9");
    let test = folder.write("double.test.toml", wrong);
    assert_eq!(quadrille(&["test", &test]).status.code(), Some(1));
}

#[test]
fn amber() {
    let folder = Folder::new("readme-amber");
    let script = block("text", "#!amber");
    let text = good(&["test", &folder.write("double.amber", &script)]);
    assert!(text.contains("1 test run: 1 passed"), "{text}");
    let test = folder.write("double.amber", script.replace("6.0 8.0", "6.0 9.0"));
    assert_eq!(quadrille(&["test", &test]).status.code(), Some(1));
}

#[test]
fn checked() {
    let folder = Folder::new("readme-check");
    let shader = folder.write("sum.comp", block("glsl", "partial"));
    let out = quadrille(&[
        "check",
        &shader,
        "--dispatch",
        "4",
        "--bind",
        "0.0=f32:1*256",
        "--bind",
        "0.1=zeros:16",
    ]);
    let text = String::from_utf8_lossy(&out.stdout).into_owned() + &String::from_utf8_lossy(&out.stderr);
    for line in block("text", "race-workgroup").lines().filter(|l| !l.contains("-->")) {
        assert!(text.contains(line), "{line}\n{text}");
    }
    assert_eq!(out.status.code(), Some(1));
}
