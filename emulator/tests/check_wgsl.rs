//! Checked WGSL: what WGSL defines is no mistake, though SPIR-V leaves it open; the same in GLSL is found.
#![cfg(feature = "glsl")]

mod checks;

use quadrille::frontend::{self, Options};
use quadrille::{Result, ShaderTest};

/// Kinds that are found when one workgroup of 4 invocations writes 4 words, and the words.
fn run(test: Result<ShaderTest>) -> (Vec<String>, Vec<u32>) {
    let (session, device) = checks::device();
    let run = test.unwrap().on(&device).bind(0, 0, &[31u32, 32, 33, 64]).dispatch([1, 1, 1]).unwrap();
    let found = session.reports.take();
    (found.iter().map(|r| r.kind.id().to_owned()).collect(), run.read::<u32>(0, 0).unwrap())
}

fn wgsl(declared: &str, body: &str) -> (Vec<String>, Vec<u32>) {
    let source = format!(
        "@group(0) @binding(0) var<storage, read_write> a: array<u32, 4>;
        {declared}
        @compute @workgroup_size(4)
        fn main(@builtin(local_invocation_index) i: u32) {{ {body} }}"
    );
    run(ShaderTest::wgsl(&source))
}

fn glsl(declared: &str, body: &str) -> (Vec<String>, Vec<u32>) {
    let source = format!(
        "#version 450
        layout(local_size_x = 4) in;
        layout(set = 0, binding = 0) buffer A {{ uint a[4]; }};
        {declared}
        void main() {{ uint i = gl_LocalInvocationIndex; {body} }}"
    );
    run(ShaderTest::glsl(&source))
}

/// Spec: WGSL, "Bit Expressions": the amount is taken modulo the bit width.
#[test]
fn shifts_of_wgsl_take_the_amount_modulo_the_width() {
    let none: [&str; 0] = [];
    let shifted = vec![1 << 31, 1, 2, 1];
    let (found, words) = wgsl("", "a[i] = 1u << a[i];");
    assert_eq!((found, words), (none.map(String::from).to_vec(), shifted));
    let (found, words) = wgsl("", "a[i] = u32((vec2i(-8) >> vec2u(a[i])).y);");
    assert_eq!((found.len(), words), (0, vec![u32::MAX, -8i32 as u32, -4i32 as u32, -8i32 as u32]));
    let (found, _) = glsl("", "a[i] = 1u << a[i];");
    assert_eq!(found, ["shift-too-wide"]);
    // What naga writes is of WGSL even if nothing says so; of other compilers it is not.
    let source = "@group(0) @binding(0) var<storage, read_write> a: array<u32, 4>;
        @compute @workgroup_size(4)
        fn main(@builtin(local_invocation_index) i: u32) { a[i] = 1u << a[i]; }";
    let bare = Options { debug: false, ..Options::default() };
    let mut words = frontend::compile_wgsl(source, &bare).unwrap();
    assert_eq!(run(Ok(ShaderTest::spirv(&words))).0, none);
    words[2] = 8 << 16;
    assert_eq!(run(Ok(ShaderTest::spirv(&words))).0, ["shift-too-wide"]);
    // Other rules are those of WGSL, too.
    let (found, _) = wgsl("", "a[i] = bitcast<u32>(sqrt(-f32(a[i])));");
    assert_eq!(found, ["sqrt-negative"]);
}

/// Spec: WGSL, "Address Spaces": memory of the workgroup address space is zero when a workgroup begins.
#[test]
fn workgroup_memory_of_wgsl_is_zero() {
    let none: [&str; 0] = [];
    let (found, words) = wgsl("var<workgroup> w: array<vec2u, 4>;", "a[i] = w[i].y;");
    assert_eq!((found, words), (none.map(String::from).to_vec(), vec![0; 4]));
    let counted = wgsl(
        "var<workgroup> n: atomic<u32>;",
        "atomicAdd(&n, 1u); workgroupBarrier(); a[i] = atomicLoad(&n);",
    );
    assert_eq!(counted, (none.map(String::from).to_vec(), vec![4; 4]));
    let (found, _) = glsl("shared uvec2 w[4];", "a[i] = w[i].y;");
    assert_eq!(found, ["uninitialized-workgroup"]);
    // Races are races.
    let (found, _) = wgsl("var<workgroup> n: u32;", "n = i; workgroupBarrier(); a[i] = n;");
    assert_eq!(found, ["race-workgroup"]);
}
