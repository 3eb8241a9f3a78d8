//! OpenCL kernels in the command: arguments, results, and mistakes that checks find.

mod common;
use common::{Folder, asset, bad, good, quadrille};

#[test]
fn run_launches_a_kernel() {
    let kernel = asset("vadd.spvasm");
    let run = |more: &[&str]| {
        let first = ["run", &kernel, "--entry", "vadd", "--global", "8", "--local", "4"];
        let data = ["--arg", "f32:1,2,3,4,5*4", "--arg", "zeros:32", "--arg", "3.0"];
        good(&[&first[..], &data, more].concat())
    };
    assert_eq!(run(&["--read", "1:f32"]), "1: 4, 5, 6, 7, 8, 8, 8, 8\n");
    let json: serde_json::Value = serde_json::from_str(&run(&["--read", "1:f32", "--json"])).unwrap();
    assert_eq!(json["1"][0], 4.0);
    let folder = Folder::new("kernel");
    let raw = folder.path("out.raw");
    assert_eq!(run(&["--read", &format!("1:f32={raw}")]), "");
    assert_eq!(std::fs::read(&raw).unwrap()[..4], 4f32.to_le_bytes());
}

#[test]
fn wrong_arguments_are_named() {
    let kernel = asset("vadd.spvasm");
    let run = |more: &[&str]| bad(&[&["run", &kernel, "--global", "8"][..], more].concat());
    assert!(run(&[]).contains("argument 0 'a' is missing"));
    assert!(run(&["--arg", "zeros:32", "--arg", "zeros:32", "--arg", "x"]).contains("argument 2"));
    let four = ["--arg", "zeros:32", "--arg", "zeros:32", "--arg", "1", "--arg", "2"];
    assert!(run(&four).contains("the kernel has 3 arguments"));
    let uneven = ["--local", "3", "--arg", "zeros:32", "--arg", "zeros:32", "--arg", "1"];
    assert!(run(&uneven).contains("do not divide"));
}

/// A buffer that is too short, and a race of all invocations for one element.
#[test]
fn checks_find_mistakes() {
    let kernel = asset("vadd.spvasm");
    let check = |file: &str, b: &str| {
        let args = ["check", file, "--global", "8", "--arg", "f32:1*8", "--arg", b, "--arg", "3.0"];
        let out = quadrille(&args);
        String::from_utf8_lossy(&out.stdout).into_owned()
    };
    let short = check(&kernel, "zeros:16");
    assert!(short.contains("out-of-bounds") || short.contains("bounds"), "{short}");
    let folder = Folder::new("kernel-race");
    let text = std::fs::read_to_string(&kernel).unwrap();
    let racy = text.replace("%pb = OpInBoundsPtrAccessChain %ptr %b %i", "%pb = OpCopyObject %ptr %b");
    let racy = racy.replace("OpFAdd %f32 %x %k", "OpConvertUToF %f32 %i");
    let file = folder.write("racy.spvasm", &racy);
    let race = check(&file, "zeros:32");
    assert!(race.contains("race"), "{race}");
}
