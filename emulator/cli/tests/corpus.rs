//! Checks find nothing in everything that we ship: pictures of the gallery, scenes, Shadertoys, tests in files, and the
//! examples, all at small sizes.
//!
//! The interpreter makes the pictures of the gallery, too.
//!
//! `quadrille check` with the commands of `assets/README.md` checks the pictures at full size, and `QUADRILLE_CHECK=1
//! cargo run --release --example NAME` the examples.
#![cfg(feature = "glsl")]

mod common;
mod examples;

use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

use common::{Folder, quadrille};
use quadrille::check::{self, Level, Sources, words};
use quadrille::env;

/// Runs `quadrille check` in the root of the repository; it must find nothing.
fn silent(command: &str) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::new(&format!("corpus-{}", NUMBER.fetch_add(1, Ordering::Relaxed)));
    let words: Vec<String> = command
        .split(' ')
        .map(|word| match word {
            _ if word.starts_with("assets/") || word.starts_with("examples/") => {
                root.join(word).display().to_string()
            }
            _ if word.ends_with(".wav") => folder.path(word),
            _ => ["=", ":"].into_iter().fold(word.to_owned(), |word, before| {
                word.replace(&format!("{before}assets/"), &format!("{before}{}/assets/", root.display()))
            }),
        })
        .collect();
    let all: Vec<&str> = std::iter::once("check").chain(words.iter().map(String::as_str)).collect();
    let out = quadrille(&all);
    let text = [out.stdout, out.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
    assert!(out.status.success(), "{command}:\n{text}");
}

/// The commands for the pictures of the gallery, without their name and output, with other sizes.
fn gallery() -> Vec<String> {
    let list = include_str!("../../../assets/README.md");
    let commands = list.lines().filter_map(|line| {
        let (_, command) = line.split_once("| `quadrille render ")?;
        command.split_once(" -o ").map(|(command, _)| command)
    });
    let small = |command: &str| {
        let mut words: Vec<&str> = command.split(' ').collect();
        for (option, value) in [("--size", "48x27"), ("--samples", "1")] {
            if let Some(at) = words.iter().position(|w| *w == option) {
                words[at + 1] = value;
            }
        }
        if words[0].contains("shadertoys") {
            let at = words.iter().position(|w| *w == "--time").unwrap();
            words[at + 1] = "0.04";
            words.extend(["--cube-side", "64"]);
        }
        words.join(" ")
    };
    let commands: Vec<String> = commands.map(small).collect();
    assert!(commands.len() >= 12, "{} commands", commands.len());
    commands
}

/// Checks the commands for the pictures of the gallery, with other sizes.
#[test]
fn pictures_of_the_gallery() {
    gallery().iter().for_each(|command| silent(command));
}

/// The reference interpreter makes the same pictures as compiled code, except of scenes, which
/// `emulator/scene/tests/interpreter.rs` draws. `QUADRILLE_INTERP=1 cargo test -p quadrille-cli
/// --test command the_gallery` makes the pictures themselves on it, which takes long.
#[test]
fn the_gallery_is_the_same_on_the_interpreter() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folder = Folder::new("gallery-interpreted");
    // The interpreter takes minutes to prepare the light of a scene.
    for command in gallery().into_iter().filter(|command| !command.contains("assets/scenes")) {
        let picture = |interpreted: &str| {
            let path = folder.path("p.png");
            let mut render = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille"));
            render.current_dir(&root).arg("render").args(command.split(' ')).args(["-o", &path]);
            let out = render.env("QUADRILLE_INTERP", interpreted).output().unwrap();
            assert!(out.status.success(), "{command}: {}", String::from_utf8_lossy(&out.stderr));
            image::open(path).unwrap().into_rgba8()
        };
        let (compiled, interpreted) = (picture("0"), picture("1"));
        assert!(compiled.pixels().any(|p| p != compiled.get_pixel(0, 0)), "{command}: a single colour");
        assert!(compiled == interpreted, "{command}: the interpreter makes another picture");
    }
}

/// Checks everything that the gallery does not show.
#[test]
fn what_has_no_picture() {
    silent(
        "assets/shaders/rays.rgen assets/shaders/rays.rchit assets/shaders/rays.rmiss --launch 48x27 \
            --bind 0.0=triangles:assets/meshes/vases.obj --bind 0.1=image:48x27",
    );
    silent(
        "assets/shaders/add.comp --dispatch 4 --bind 0.0=f32:1*256 --bind 0.1=f32:2*256 --bind 0.2=zeros:1024",
    );
    silent("assets/shaders/vadd.spvasm --global 256 --arg f32:1*256 --arg zeros:1024 --arg 3.0");
    silent("assets/shaders/kaleidoscope.frag --texture assets/gallery/julia.png --size 48x27");
    silent("assets/shaders/lights.agsl --size 48x27");
    silent("assets/shadertoys/marbles --size 8x8 --cube-side 8 --sound bells.wav --seconds 1");
    silent("examples/ci/tests --allow-path examples/ci/shaders");
    silent("examples/ci/shaders/sky.agsl --size 48x27");
}

/// Runs an example, which must do some work; the check must find nothing.
fn example<T>(name: &str, run: impl FnOnce() -> Result<T, Box<dyn std::error::Error>>) -> T {
    let session = check::of_environment().expect("the parent requests checks");
    let steps = session.step();
    let made = run().unwrap_or_else(|e| panic!("{name}: {e}"));
    assert!(session.step() > steps, "{name}: nothing was watched");
    let mut found = session.reports.take();
    found.retain(|r| r.level > Level::Note);
    assert!(found.is_empty(), "{name}:\n{}", words::all(&found, &Sources::default()));
    made
}

#[test]
fn examples_are_silent() {
    // Examples make devices with default options, which the environment has checked in a child of this process.
    let test = "examples_are_silent";
    if env::TEST_CHILD.get().as_deref() != Some(test) {
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", test]).env(env::TEST_CHILD.name, test).env(env::CHECK.name, "1");
        let out = child.output().unwrap();
        let text = String::from_utf8_lossy(&out.stdout);
        assert!(out.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let several = |pixels: &[u8]| pixels.chunks_exact(4).any(|p| p != &pixels[..4]);
    example("add_buffers", examples::add_buffers::main);
    example("shader_unit_test", examples::shader_unit_test::main);
    let picture = image::RgbaImage::from_fn(32, 24, |x, y| image::Rgba([x as u8 * 8, y as u8 * 8, 90, 255]));
    assert!(several(&example("image_filter", || examples::image_filter::filter(&picture))));
    assert!(several(&example("triangle", || examples::triangle::draw(64, 48))));
    assert!(several(&example("torus_knot", || examples::torus_knot::draw(48, 32, 64))));
    assert!(several(&example("terrain", || examples::terrain::draw(48, 27, 4))));
    assert!(several(&example("meadow", || examples::meadow::draw(96, 54, 60))));
    assert!(several(&example("ray_query", || examples::ray_query::draw(48, 27))));
    assert!(several(&example("path_tracer", || examples::path_tracer::trace(48, 27, 2))));
    assert!(several(&example("reaction_diffusion", || examples::reaction_diffusion::grow(64, 64, 3))));
    let source = examples::shadertoy::SHADER;
    let circles = example("shadertoy", || examples::shadertoy::draw(source, "circles.glsl", 48, 27));
    assert!(several(circles.as_raw()));
}
