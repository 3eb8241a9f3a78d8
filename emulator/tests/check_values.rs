//! Undefined values are reported where they surface, and nowhere else.
#![cfg(feature = "glsl")]

use crate::checks::{self, check, kinds, shown};
use quadrille::frontend::{Options, compile_glsl};
use quadrille::{ShaderTest, Stage};

/// A compute shader of eight invocations: `x` and `n` are the bound elements `i`; `r` and `k` are written.
fn source(body: &str) -> String {
    format!(
        "#version 450
layout(local_size_x = 8) in;
layout(set = 0, binding = 0, std430) readonly buffer Floats {{ float xs[]; }};
layout(set = 0, binding = 1, std430) readonly buffer Ints {{ int ns[]; }};
layout(set = 0, binding = 2, std430) buffer Out {{ float rs[]; }};
layout(set = 0, binding = 3, std430) buffer OutInts {{ int ks[]; }};
void main() {{
uint i = gl_GlobalInvocationID.x; float x = xs[i]; int n = ns[i]; float r = 0; int k = 0;
{body}
rs[i] = r; ks[i] = k;
}}"
    )
}

/// `kind:line` of each finding; the body begins in line 9.
fn found(body: &str, x: f32, n: i32) -> Vec<String> {
    // Only one invocation has the values under test.
    let (mut xs, mut ns) = ([0.5f32; 8], [2i32; 8]);
    (xs[3], ns[3]) = (x, n);
    let test = ShaderTest::glsl(&source(body)).unwrap_or_else(|e| panic!("{body}: {e:?}"));
    let test = test.bind(0, 0, &xs).bind(0, 1, &ns).bind(0, 2, &[0f32; 8]).bind(0, 3, &[0i32; 8]);
    let reports = check(test, |t| t.dispatch([1, 1, 1]));
    let kinds = kinds(&reports);
    for report in &reports {
        let who = report.invocation.as_ref().expect("somebody did it");
        assert_eq!(who.ids[1], ("local invocation", vec![3, 0, 0]), "{body}\n{}", shown(&reports));
        assert_eq!(report.count, 1, "{body}\n{}", shown(&reports));
    }
    kinds
}

#[track_caller]
fn finds(kind: &str, rows: &[(&str, f32, i32)]) {
    for &(body, x, n) in rows {
        assert_eq!(found(body, x, n), [format!("{kind}:9")], "{body}, x = {x}, n = {n}");
    }
}

#[track_caller]
fn silent(rows: &[(&str, f32, i32)]) {
    for &(body, x, n) in rows {
        assert_eq!(found(body, x, n), [""; 0], "{body}, x = {x}, n = {n}");
    }
}

#[test]
fn integer_division() {
    finds(
        "division-by-zero",
        &[
            ("k = 7 / n;", 0.0, 0),
            ("k = 7 % n;", 0.0, 0),
            ("k = int(7u / uint(n));", 0.0, 0),
            ("k = int(7u % uint(n));", 0.0, 0),
            // The operation itself is an error, even if its result is unused.
            ("int unused = 7 / n; if (unused == 12345) k = 1;", 0.0, 0),
        ],
    );
    finds("division-overflow", &[("k = (-2147483647 - 1) / n;", 0.0, -1)]);
    silent(&[
        ("k = n != 0 ? 7 / n : 0;", 0.0, 0),
        ("if (n != 0) k = 7 / n;", 0.0, 0),
        ("k = -2147483647 / n;", 0.0, -1),
    ]);
}

#[test]
fn conversions_and_bits() {
    finds(
        "conversion-out-of-range",
        &[("k = int(x);", 3e9, 0), ("k = int(uint(x));", -1.0, 0), ("k = int(x);", f32::NAN, 0)],
    );
    finds("shift-too-wide", &[("k = 1 << n;", 0.0, 32), ("k = n >> n;", 0.0, -1)]);
    finds("bit-field-out-of-range", &[("k = bitfieldExtract(n, 30, n);", 0.0, 3)]);
    silent(&[
        ("k = int(x);", -2147483648.0, 0),
        ("k = int(uint(x));", -0.5, 0),
        ("k = 1 << n;", 0.0, 31),
        // The undefined value is not used.
        ("int s = 1 << n; k = n < 32 ? s : 0;", 0.0, 32),
        ("k = bitfieldExtract(n, 30, n);", 0.0, 2),
    ]);
}

#[test]
fn domains_of_functions() {
    finds("pow-domain", &[("r = pow(x, 2.2);", -0.25, 0), ("r = clamp(pow(x, 2.0), 0.0, 1.0);", -2.0, 0)]);
    finds("sqrt-negative", &[("r = sqrt(x);", -1e-6, 0), ("r = 1.0 + 2.0 * sqrt(x);", -1.0, 0)]);
    finds("inversesqrt-domain", &[("r = inversesqrt(x);", 0.0, 0)]);
    finds("log-domain", &[("r = log(x);", 0.0, 0), ("r = log2(x) * 2.0;", -1.0, 0)]);
    finds("asin-domain", &[("r = acos(x);", 1.000_001, 0), ("r = asin(x);", -2.0, 0)]);
    finds("acosh-domain", &[("r = acosh(x + 1.0);", -0.5, 0)]);
    finds("atanh-domain", &[("r = atanh(x);", 1.0, 0)]);
    finds("atan2-zero", &[("r = atan(x, x);", 0.0, 0)]);
    finds("normalize-zero", &[("r = normalize(vec3(x)).y;", 0.0, 0)]);
    finds("smoothstep-edges", &[("r = smoothstep(0.25, x, 0.3);", 0.25, 0)]);
    finds("smoothstep-reversed", &[("r = smoothstep(0.25, x, 0.3);", 0.0, 0)]);
    finds("clamp-order", &[("r = clamp(0.3, 0.4, x);", 0.25, 0), ("k = clamp(5, 1, n);", 0.0, 0)]);
    // The other operand of the comparison is an infinity.
    finds("clamp-order", &[("if (1.0 / x < clamp(0.3, 0.4, x)) k = 1;", 0.0, 0)]);
    finds("remainder-by-zero", &[("r = mod(1.0, x);", 0.0, 0)]);
    finds("singular-matrix", &[("r = inverse(mat2(x, 1.0, 1.0, 4.0))[0][0];", 0.25, 0)]);
    finds("ldexp-overflow", &[("r = ldexp(1.0, n);", 0.0, 200)]);
    silent(&[
        ("r = pow(abs(x), 2.2);", -0.25, 0),
        ("r = sqrt(max(x, 0.0));", -1.0, 0),
        ("r = acos(clamp(x, -1.0, 1.0));", 1.000_001, 0),
        ("r = x == 0.0 ? 0.0 : atan(x, x);", 0.0, 0),
        ("vec3 v = vec3(x); float l = dot(v, v); r = l > 0.0 ? (v * inversesqrt(l)).x : 0.0;", 0.0, 0),
        ("r = x > 0.0 ? normalize(vec3(x)).y : 1.0;", 0.0, 0),
        ("r = clamp(0.3, 0.4, x);", 0.4, 0),
        ("r = smoothstep(0.0, x, 0.3);", 0.25, 0),
        // log(0) is minus infinity, and its exponential is 0.
        ("r = exp(log(x) * 2.0);", 0.0, 0),
        ("r = atanh(x);", 0.999, 0),
        ("r = mod(1.0, x);", 0.1, 0),
    ]);
}

#[test]
fn nans_and_infinities_are_followed_to_where_they_surface() {
    finds(
        "nan-surfaced",
        &[
            ("r = (x - 1.0) / (x - 1.0);", 1.0, 0),
            ("float q = 1.0 / (x - 1.0); r = q - q;", 1.0, 0),
            ("float a[4] = float[](0, 0, 0, 0); a[n] = (x - 1.0) / (x - 1.0); r = a[n] + 1.0;", 1.0, 1),
            ("float q = (x - 1.0) / (x - 1.0); if (q < 2.0) k = 1;", 1.0, 0),
            ("r = sign((x - 1.0) / (x - 1.0));", 1.0, 0),
        ],
    );
    finds(
        "infinity-surfaced",
        &[("r = 1.0 / x;", 0.0, 0), ("r = exp(x);", 100.0, 0), ("r = x * x;", 1e30, 0)],
    );
    finds(
        "nan-in-min-max",
        &[
            ("r = min(x, 1.0);", f32::NAN, 0),
            // It clamps.
            ("r = smoothstep(0.0, 1.0, x);", f32::NAN, 0),
            ("r = smoothstep(0.0, 1.0, (x - 1.0) / (x - 1.0));", 1.0, 0),
        ],
    );
    silent(&[
        // Infinities and NaNs that do not surface: in finite results, in box intersections, and in tests for them.
        ("r = 1.0 / (1.0 / x);", 0.0, 0),
        ("r = 1.0 / (1.0 + exp(x));", 100.0, 0),
        ("float t = 1.0 / x; if (t > 3.0) k = 1;", 0.0, 0),
        ("uint b = floatBitsToUint(1.0 / x); if ((b & 0x7fffffffu) == 0x7f800000u) k = 1;", 0.0, 0),
        ("int b = floatBitsToInt(1.0 / x); r = b > 0x7f000000 ? 1.0 : 0.0;", 0.0, 0),
        ("float q = (x - x) / (x - x); r = isnan(q) ? 0.0 : q;", 1.0, 0),
        ("float q = (x - x) / (x - x); r = q != q ? 0.0 : q;", 1.0, 0),
        ("r = mix(1.0 / x, 0.0, x == 0.0);", 0.0, 0),
        ("float unused = 1.0 / x;", 0.0, 0),
        // Values from memory were not computed by this shader.
        ("r = x;", f32::NAN, 0),
        ("r = sign(x);", f32::NAN, 0),
        ("r = sign(1.0 / x);", 0.0, 0),
        ("r = x + 1.0;", f32::INFINITY, 0),
        ("r = uintBitsToFloat(0x7f800000u) * x;", 2.0, 0),
    ]);
}

/// A report says what the operation made, whatever became of it: a NaN stays the cause of what a comparison selects.
#[test]
fn reports_name_the_number_that_was_made() {
    let rows = [
        ("r = (x - 1.0) / (x - 1.0);", "nan-surfaced", "0 / 0 is NaN, written to buffer `Out`"),
        (
            "float q = 1.0 / (x - 1.0); r = q - q;",
            "nan-surfaced",
            "1 / 0 is an infinity, then NaN, written to buffer `Out`",
        ),
        (
            "float q = (x - 1.0) / (x - 1.0); r = mix(2.0, 3.0, q > 0.5);",
            "nan-surfaced",
            "0 / 0 is NaN, written to buffer `Out`",
        ),
        ("r = step((x - 1.0) / (x - 1.0), 0.5);", "nan-surfaced", "0 / 0 is NaN, written to buffer `Out`"),
        ("r = 1.0 / (x - 1.0);", "infinity-surfaced", "1 / 0 is an infinity, written to buffer `Out`"),
        (
            "k = floatBitsToInt(1.0 / (x - 1.0));",
            "infinity-surfaced",
            "1 / 0 is an infinity, written to buffer `OutInts`",
        ),
    ];
    for (body, kind, message) in rows {
        let test = ShaderTest::glsl(&source(body)).unwrap();
        let test = test.bind(0, 0, &[1f32; 8]).bind(0, 1, &[0i32; 8]);
        let reports = check(test.bind(0, 2, &[0f32; 8]).bind(0, 3, &[0i32; 8]), |t| t.dispatch([1, 1, 1]));
        assert_eq!(kinds(&reports), [format!("{kind}:9")], "{body}");
        assert_eq!(reports[0].message, message, "{body}");
    }
}

/// The report names the operation, the values, and the place where the value surfaced.
#[test]
fn reports_tell_the_whole_way() {
    let body = "float root = sqrt(x);\nfloat half_of_it = 0.5 * root;\nr = half_of_it + 1.0;";
    let test = ShaderTest::glsl(&source(body)).unwrap();
    let test =
        test.bind(0, 0, &[-4f32; 8]).bind(0, 1, &[0i32; 8]).bind(0, 2, &[0f32; 8]).bind(0, 3, &[0i32; 8]);
    let reports = check(test, |t| t.dispatch([1, 1, 1]));
    assert_eq!(kinds(&reports), ["sqrt-negative:9"]);
    let report = &reports[0];
    assert_eq!(report.message, "`sqrt` of -4, written to buffer `Out`");
    assert_eq!((report.count, report.values[0].clone()), (8, ("x".to_owned(), "-4".to_owned())));
    assert_eq!((report.others[0].at.line, report.others.len()), (12, 1));
    let who = report.invocation.as_ref().unwrap().to_string();
    assert_eq!(who, "compute shader main, workgroup (0, 0, 0), local invocation (0, 0, 0)");
}

#[test]
fn outputs_are_written_where_the_source_says() {
    let source = "#version 450
layout(location = 0) out vec4 color;
void main() {
    float z = gl_FragCoord.x - 0.5;
    if (gl_FragCoord.y < 1.0) {
        color = vec4(1.0 / z, 0.0, 0.0, 1.0);
    } else {
        float q = 1.0 / z;
        color = vec4(0.0, q, 0.0, 1.0);
    }
}";
    let reports = check(ShaderTest::glsl_fragment(source).unwrap(), |t| t.draw(2, 2));
    let mut places: Vec<_> =
        reports.iter().map(|r| (r.at.line, r.others.last().map(|other| other.at.line))).collect();
    places.sort_unstable();
    assert_eq!(places, [(6, Some(6)), (8, Some(9))]);
}

/// The value of a variable may be known where it is copied to the output, and an element may be chosen at run time.
#[test]
fn outputs_of_straight_lines_are_written_where_the_source_says() {
    for (body, written) in [
        ("color = vec4(q);\nfloat other = q; if (other < 0.0) discard;", 6),
        ("color = vec4(q);\ncolor[int(gl_FragCoord.y)] = q + 1.0;", 7),
    ] {
        let source = format!(
            "#version 450
layout(location = 0) out vec4 color;
void main() {{
    float z = gl_FragCoord.x - 0.5;
    float q = 1.0 / z;
{body}
}}"
        );
        let reports = check(ShaderTest::glsl_fragment(&source).unwrap(), |t| t.draw(2, 2));
        assert_eq!(kinds(&reports), ["infinity-surfaced:5"], "{body}");
        assert_eq!(reports[0].others.last().map(|other| other.at.line), Some(written), "{body}");
    }
}

/// Reports do not depend on the number of threads or lanes.
#[test]
fn reports_are_the_same_everywhere() {
    let body = "r = pow(x - float(i) * 0.01, 1.5); if (i % 3u == 0u) r = 1.0;";
    let xs: Vec<f32> = (0..4096).map(|i| (i % 7) as f32).collect();
    let run = |threads: usize, lanes: u32| {
        let options = quadrille::DeviceOptions { threads, lanes, ..Default::default() };
        let (session, device) = checks::device_with(&options);
        let test = ShaderTest::glsl(&source(body)).unwrap().on(&device);
        let test = test.bind(0, 0, &xs).bind(0, 1, &[0i32; 4096]).bind(0, 2, &[0f32; 4096]);
        test.bind(0, 3, &[0i32; 4096]).dispatch([512, 1, 1]).unwrap();
        shown(&session.reports.take())
    };
    let one = run(1, 8);
    assert!(one.contains("pow-domain"), "{one}");
    for (threads, lanes) in [(2, 8), (7, 8), (3, 4), (2, 32)] {
        assert_eq!(run(threads, lanes), one, "{threads} threads, {lanes} lanes");
    }
}

#[test]
fn significands() {
    finds("frexp-non-finite", &[("int e; r = frexp(x, e);", f32::INFINITY, 0)]);
    silent(&[("int e; r = frexp(x, e); k = e;", 0.0, 0)]);
}

/// Findings in a module of one invocation that stores `%value`, with these constants and this body.
fn module(body: &str) -> Vec<String> {
    let text = format!(
        "OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 0
%void = OpTypeVoid
%fn = OpTypeFunction %void
%bool = OpTypeBool
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%one = OpConstant %uint 1
%nowhere = OpUndef %uint
%block = OpTypeStruct %uint
%pblock = OpTypePointer StorageBuffer %block
%puint = OpTypePointer StorageBuffer %uint
%buffer = OpVariable %pblock StorageBuffer
%main = OpFunction %void None %fn
%entry = OpLabel
%at = OpAccessChain %puint %buffer %zero
%old = OpLoad %uint %at
%is_one = OpIEqual %bool %old %one
{body}
OpStore %at %value
OpReturn
OpFunctionEnd
"
    );
    let test = ShaderTest::spirv_text(&text).unwrap_or_else(|e| panic!("{body}: {e:?}")).bind(0, 0, &[1u32]);
    check(test, |t| t.dispatch([1, 1, 1])).iter().map(|r| r.kind.id().to_owned()).collect()
}

/// The value of a function that ends without one is undefined from the end of its body on.
#[test]
fn a_missing_return_has_its_line() {
    let source = "#version 450
layout(local_size_x = 1) in;
layout(set = 0, binding = 0, std430) buffer Out { float r; };
float half_of(float x) {
    if (x > 0.0) return x / 2.0;
}
void main() { r = half_of(r); }";
    let reports = |r: f32| {
        let test = ShaderTest::glsl(source).unwrap().bind(0, 0, &[r]);
        kinds(&check(test, |t| t.dispatch([1, 1, 1])))
    };
    assert_eq!(reports(-1.0), ["undef-used:6"]);
    assert_eq!(reports(1.0), [""; 0]);
}

#[test]
fn values_that_nothing_defines() {
    assert_eq!(module("%value = OpIAdd %uint %nowhere %one"), ["undef-used"]);
    assert_eq!(module("%here = OpUndef %uint\n%value = OpSelect %uint %is_one %here %old"), ["undef-used"]);
    assert_eq!(module("%value = OpSelect %uint %is_one %old %nowhere"), [""; 0]);
    assert_eq!(module("%value = OpIMul %uint %nowhere %zero"), [""; 0]);
}

#[test]
fn places_that_are_never_reached() {
    let branch = |to: &str, other: &str| {
        module(&format!(
            "OpSelectionMerge %merge None
OpBranchConditional %is_one %{to} %{other}
%never = OpLabel
OpUnreachable
%merge = OpLabel
%value = OpIAdd %uint %old %one"
        ))
    };
    assert_eq!(branch("merge", "never"), [""; 0]);
    let found = module(
        "OpSelectionMerge %merge None
OpSwitch %old %merge 1 %never
%never = OpLabel
OpUnreachable
%merge = OpLabel
%value = OpIAdd %uint %old %one",
    );
    assert_eq!(found, ["unreachable-reached"]);
}

/// Without lines, a report names the instruction of its place; the condition of a branch surfaces at a branch.
#[test]
fn a_branch_without_a_line_is_named() {
    let body = "float y = sqrt(x - 1.0); if (y > 0.5) { r = 1.0; }";
    let options = Options { debug: false, ..Options::named("branch.comp") };
    let words = compile_glsl(&source(body), Stage::Compute, &options).unwrap();
    let test = ShaderTest::spirv(&words).bind(0, 0, &[0.5f32; 8]).bind(0, 1, &[2i32; 8]);
    let test = test.bind(0, 2, &[0f32; 8]).bind(0, 3, &[0i32; 8]);
    let reports = check(test, |t| t.dispatch([1, 1, 1]));
    assert_eq!(kinds(&reports), ["sqrt-negative:0"], "{}", shown(&reports));
    let surfaced = reports[0].others.last().and_then(|o| o.at.instruction.as_deref());
    assert_eq!(surfaced, Some("a branch"), "{}", shown(&reports));
}
