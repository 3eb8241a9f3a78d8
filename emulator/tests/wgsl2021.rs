//! WGSL as drafted in January 2021, through the device.

use std::fmt::Write;

use quadrille::frontend::{Options, compile_wgsl, translate_wgsl};
use quadrille::{Result, ShaderTest};

/// A compute shader with these functions and statements, and a buffer `b` of 32 words each as `u`, `i` and `f`.
fn shader(functions: &str, body: &str) -> String {
    format!(
        "[[block]] struct B {{
           [[offset(0)]] u : [[stride(4)]] array<u32, 32>;
           [[offset(128)]] i : [[stride(4)]] array<i32, 32>;
           [[offset(256)]] f : [[stride(4)]] array<f32, 32>;
         }};
         [[group(0), binding(0)]] var<storage> b : [[access(read_write)]] B;
         {functions}
         [[stage(compute)]] fn main() -> void {{ {body} }}"
    )
}

/// Runs a shader directly and after translation to current WGSL, and returns its words, which must agree.
fn run(source: &str, before: &[u32]) -> Result<Vec<u32>> {
    let mut words = before.to_vec();
    words.resize(96, 0);
    let translated = translate_wgsl(source, &Options::named("translated.wgsl"))?;
    let run =
        |source: &str| ShaderTest::wgsl(source)?.bind(0, 0, &words).dispatch([1, 1, 1])?.read::<u32>(0, 0);
    let old = run(source)?;
    assert_eq!(old, run(&translated)?, "{translated}");
    Ok(old)
}

fn strict(source: &str) -> Result<(), String> {
    let options = Options { strict: true, ..Options::named("strict.wgsl") };
    compile_wgsl(source, &options).map(|_| ()).map_err(|e| {
        e.diagnostics().fold(String::new(), |mut all, d| {
            let _ = writeln!(all, "{}:{}: {}", d.line, d.column, d.message);
            all
        })
    })
}

#[test]
fn constructs_that_mean_something_else_today() -> Result<()> {
    let nan = 0x7fc0_0000;
    let source = shader(
        "",
        "const nan : f32 = bitcast<f32>(b.u[31]);
         var minus : i32 = -7;
         var minus_f : f32 = -7.5;
         b.u[0] = select(1u, 2u, true);
         b.i[0] = minus % 3; b.i[1] = 7 % -3; b.i[2] = minus % -3;
         b.f[0] = minus_f % 2.0; b.f[1] = 7.5 % -2.0;
         b.u[1] = select(1u, 0u, nan != 1.0); b.u[2] = select(1u, 0u, nan != nan);
         b.u[3] = select(1u, 0u, 2.0 != 1.0);
         b.f[2] = min(nan, 1.0); b.f[3] = max(2.0, nan); b.f[4] = clamp(nan, 3.0, 4.0);
         b.i[4] = minus / 0; b.i[5] = 1 % (1 - 1); b.u[5] = (vec2<u32>(1u, 2u) / vec2<u32>(1u, 0u)).x;
         b.f[5] = 1.0 / 0.0; b.u[4] = 4294967295u + 2u; b.i[3] = 2147483647 + 1;",
    );
    let mut before = [0; 96];
    before[31] = nan;
    let words = run(&source, &before)?;
    assert_eq!(words[..6], [1, 0, 0, 1, 1, 1]);
    // Remainders have the sign of the divisor.
    assert_eq!(words[32..36].iter().map(|w| w.cast_signed()).collect::<Vec<_>>(), [2, -2, -1, i32::MIN]);
    let floats: Vec<f32> = words[64..70].iter().map(|w| f32::from_bits(*w)).collect();
    assert_eq!(floats, [0.5, -0.5, 1.0, 2.0, 3.0, f32::INFINITY]);
    Ok(())
}

#[test]
fn the_draft_is_taken_by_its_letter() {
    let source = shader(
        "fn f(p : ptr<storage, i32>, q : ptr<function, u32>) -> i32 { q = q + 1u; p = p + 1; return p; }",
        "var n : u32 = 1u; const m : i32 = f(b.i[n], n); b.u[0] = n;",
    );
    assert_eq!(strict(&source), Ok(()));
    let literals =
        shader("", "b.u[0] = 0u; b.u[1] = 0x0fu; b.i[0] = -0x10; b.i[1] = 0; b.i[2] = 10; b.f[0] = 00.5;");
    assert_eq!(strict(&literals), Ok(()));
    for (source, message) in [
        ("fn f() -> void {}", "no entry point"),
        ("[[stage(compute)]] fn main() {}", "write `-> void`"),
        ("[[stage(compute)]] fn main() -> void { var a = 1; }", "type of `a` is missing"),
        (
            "[[stage(compute)]] fn main() -> void { var a : u32 = 1; }",
            "expected a value of type `u32`, found one of type `i32`",
        ),
        ("[[stage(compute)]] fn main() -> void { var a : i32; { var a : i32; } }", "is already declared"),
        ("/* no */ [[stage(compute)]] fn main() -> void {}", "comments begin with `//`"),
        // Spec: 2.3 Literals.
        (
            "[[stage(compute)]] fn main() -> void { var a : i32 = 01; }",
            "1:54: an integer literal has no leading",
        ),
        (
            "[[stage(compute)]] fn main() -> void { var a : u32 = 010u; }",
            "1:54: an integer literal has no leading",
        ),
        ("[[stage(compute)]] fn main() -> void { var a : i32 = 0X1; }", "begins with `0x` in hexadecimal"),
    ] {
        let errors = strict(source).expect_err(source);
        assert!(errors.contains(message), "{source}: {errors}");
    }
}

#[test]
fn errors_come_together_each_with_its_place() {
    let source = "[[stage(fragment)]]\nfn main() -> void {\n  var a : f32 = 1.0 +;\n  b = 2.0;\n  var c : vec9<f32>; var e : i32;\n  \
                  e = true;\n}\nfn g( -> void {}\n[[location(0)]] var<out> o : vec4<f32>\n";
    let error = compile_wgsl(source, &Options::named("bad.wgsl")).unwrap_err();
    let places: Vec<(u32, u32)> = error.diagnostics().map(|d| (d.line, d.column)).collect();
    assert_eq!(places, [(3, 22), (4, 3), (5, 11), (6, 7), (8, 7), (9, 38)], "{error:?}");
}

#[test]
fn what_is_nested_too_deeply_or_too_long_is_an_error() {
    let deep = 100_000;
    let end = "[[stage(compute)]] fn main() -> void {}";
    for source in [
        format!("fn f() -> i32 {{ return {}1{}; }} {end}", "(".repeat(deep), ")".repeat(deep)),
        format!("fn f() -> i32 {{ return {}1; }} {end}", "-".repeat(deep)),
        format!("fn f() -> void {{ {} }} {end}", "{".repeat(deep)),
        format!("fn f() -> void {{ {} }} {end}", "if (true) {} else ".repeat(deep)),
        format!("fn f() -> void {{ {} }} {end}", "loop { ".repeat(deep)),
        format!("var<private> a : {}f32; {end}", "array<".repeat(deep / 2)),
        format!("fn f() -> void {{ {} }} {end}", "a[".repeat(deep)),
        format!("fn f() -> void {{ f({} }} {end}", "f(".repeat(deep)),
        format!("[[stage(compute)]] fn main() -> void {{}} {}", "[[".repeat(deep)),
    ] {
        let error = compile_wgsl(&source, &Options::named("deep.wgsl")).expect_err(&source[..60]);
        assert!(error.line > 0 || error.message.contains("bytes"), "{error}");
    }
    // A long sum does not count as deep nesting.
    let sum = shader("", &format!("var a : u32 = 1u; b.u[0] = a{};", " + a".repeat(20_000)));
    assert!(compile_wgsl(&sum, &Options::named("sum.wgsl")).is_ok());
}

#[test]
fn what_would_take_too_much_is_refused() {
    let end = "[[stage(compute)]] fn main() -> void {}";
    let body = "x = x + 1.0;".repeat(2000);
    let cases: String = (0..400).map(|i| format!("case {i}: {{ fallthrough; }}")).collect();
    let places: String = (0..3000).map(|i| format!("p(a[{i}]);")).collect();
    let variables: String = (0..2000).map(|i| format!("var<private> v{i} : f32;")).collect();
    for (source, message) in [
        (
            format!(
                "fn f(a : i32) -> void {{ var x : f32; switch (a) {{ {cases} default: {{ {body} }} }} }} {end}"
            ),
            "too many statements follow a `fallthrough`",
        ),
        (
            format!(
                "var<private> a : array<f32, 3000>; fn p(x : ptr<private, f32>) -> void {{ {body} }}
                 fn q() -> void {{ {places} }} {end}"
            ),
            "called with too many different places",
        ),
        (format!("{variables} {end}"), "at most 1024 variables"),
        (format!("var<private> a : array<f32, 2147483647>; {end}"), "larger than 1 GiB"),
        (format!("[[location(2147483647)]] var<in> a : f32; {end}"), "locations go up to 1023"),
    ] {
        let error = compile_wgsl(&source, &Options::named("large.wgsl")).expect_err(message);
        assert!(error.message.contains(message) && error.line > 0, "{error}");
    }
}

#[test]
fn constants_of_both_kinds_of_wgsl_are_given_to_tests() -> Result<()> {
    let old = shader(
        "[[constant_id(3)]] const n : u32; [[constant_id(4)]] const x : f32 = 0.5;",
        "b.u[0] = n; b.f[0] = x;",
    );
    let new = "@id(3) override n: u32; override x = 0.5;
        struct B { u: array<u32, 32>, i: array<i32, 32>, f: array<f32, 32> }
        @group(0) @binding(0) var<storage, read_write> b: B;
        @compute @workgroup_size(n) fn main(@builtin(local_invocation_index) i: u32) { b.u[0] = n; b.f[0] = x; }";
    for source in [old.as_str(), new] {
        for (constants, words) in [(&[("3", 7.0)][..], (7, 0.5f32)), (&[("n", 5.0), ("x", -2.5)], (5, -2.5))]
        {
            let test = ShaderTest::wgsl_with(source, constants)?.bind(0, 0, &[0u32; 96]);
            let out = test.dispatch([1, 1, 1])?.read::<u32>(0, 0)?;
            assert_eq!((out[0], f32::from_bits(out[64])), words);
        }
        for wrong in [&[][..], &[("n", -1.0)], &[("n", 1.0), ("y", 1.0)], &[("n", 1.5)]] {
            assert!(ShaderTest::wgsl_with(source, wrong).is_err(), "{wrong:?}");
        }
    }
    Ok(())
}
