//! Random shaders of cooperative matrices: products of all shapes, loads and stores of both layouts with any distance of
//! rows and through tensor layouts and views, in buffers and in workgroup memory, arithmetic on elements, reductions,
//! conversions and functions of elements.
//!
//! All subgroups compute the same, also if the workgroup shares the matrices. Only operations whose results do not depend
//! on the size of subgroups occur. Floats stay finite.

use std::fmt::Write;

use quadrille::{Device, ShaderTest};

use super::Random;

/// Words of each buffer.
const WORDS: usize = 4096;

/// Types of factors and sums.
const TYPES: [[&str; 2]; 10] = [
    ["float16_t", "float"],
    ["float16_t", "float16_t"],
    ["float", "float"],
    ["int8_t", "int"],
    ["uint8_t", "uint"],
    ["bfloat16_t", "float"],
    ["bfloat16_t", "bfloat16_t"],
    ["floate4m3_t", "float"],
    ["floate5m2_t", "float"],
    ["floate5m2_t", "float16_t"],
];

/// `true` if the language has arithmetic on numbers of the type.
fn has_arithmetic(ty: &str) -> bool {
    !["bfloat16_t", "floate4m3_t", "floate5m2_t"].contains(&ty)
}

const SIDES: [usize; 6] = [8, 16, 24, 32, 40, 48];
const LAYOUTS: [&str; 2] = ["RowMajor", "ColumnMajor"];

/// Offset, stride and layout of a matrix in an array of [`WORDS`] elements. The stride is a constant or a variable.
fn place(r: &mut Random, rows: usize, columns: usize) -> String {
    let layout = r.below(2);
    let (lines, length) = if layout == 0 { (rows, columns) } else { (columns, rows) };
    let stride = length + r.below(3) * r.below(20);
    let most = WORDS - (lines - 1) * stride - length;
    let offset = r.below(most.min(300));
    let stride = if r.one_in(3) { format!("{stride} + zero") } else { stride.to_string() };
    format!("{offset}, {stride}, gl_CooperativeMatrixLayout{}", LAYOUTS[layout])
}

/// The source of a random shader.
pub fn program(seed: u64) -> String {
    let mut r = Random::new(seed);
    let [factor, sum] = *r.pick(&TYPES);
    let [m, n, k] = [(); 3].map(|()| *r.pick(&SIDES));
    let floats = factor.contains("float");
    let mut body = String::new();
    for i in 0..2 + r.below(4) {
        let from = ["factors", "shared_factors"];
        let (x, y) = (*r.pick(&from), *r.pick(&from));
        let (at_x, at_y) = (place(&mut r, m, k), place(&mut r, k, n));
        let _ = writeln!(body, "    coopMatLoad(x, {x}, {at_x});");
        let _ = writeln!(body, "    coopMatLoad(y, {y}, {at_y});");
        let saturates = !floats && r.one_in(3);
        let operands = if saturates { ", gl_MatrixOperandsSaturatingAccumulation" } else { "" };
        let _ = writeln!(body, "    s = coopMatMulAdd(x, y, s{operands});");
        if r.one_in(4) {
            // The same factor again, for another product.
            let _ = writeln!(body, "    coopMatLoad(y, {y}, {at_y}); s = coopMatMulAdd(x, y, s{operands});");
        }
        let line = match r.below(13) {
            // Sums without arithmetic are converted, stored and loaded.
            0..=2 if !has_arithmetic(sum) => "s = Sum(Half(s));".into(),
            5..=7 | 9..=12 if !has_arithmetic(sum) => "s = Sum(Float(s) * 0.5);".into(),
            0 => format!("s = -s + s * {sum}(2);"),
            1 => format!("s = s * {sum}({}) / Sum({sum}(4));", 1 + r.below(3)),
            2 => format!("for (int i = 0; i < s.length(); i++) {{ s[i] = s[i] * {sum}(2) + {sum}(1); }}"),
            3 if floats => "s = Sum(Half(s));".into(),
            3 => "s = Sum(Float(s) * 0.5);".into(),
            4 => {
                let (to, back) = (place(&mut r, m, n), place(&mut r, m, n));
                format!(
                    "barrier(); coopMatStore(s, shared_sums, {to}); barrier(); Sum t{i}; \
                     coopMatLoad(t{i}, shared_sums, {back}); s = t{i};"
                )
            }
            5 => reduction(&mut r, sum, [m, n], i),
            6 => format!("coopMatPerElementNV(s, s, place, Sum({sum}(2)), {sum}({}));", r.below(5)),
            7 => {
                let [of_x, of_y] = [place(&mut r, m, k), place(&mut r, n, k)];
                format!(
                    "Wide w{i}; coopMatLoad(w{i}, factors, {of_x}); x = X(w{i}); High h{i}; \
                     coopMatLoad(h{i}, factors, {of_y}); coopMatTransposeNV(y, h{i}); s = coopMatMulAdd(x, y, s);"
                )
            }
            8 => tensor(&mut r, sum, [m, n], i),
            9 => format!("if (one > {}u) {{ s += Sum({sum}(3)); }}", r.below(2)),
            // Sums in an array, by a constant index and by one from memory.
            10 => array(i, sum, "uint", &format!("x, y, t{i}[at]{operands}")),
            11 => array(i, sum, "const uint", &format!("x, y, t{i}[at]{operands}")),
            _ if has_arithmetic(factor) => "x = x + x; s = coopMatMulAdd(x, y, s);".into(),
            _ => format!("x = X(FloatX(x) * {}); s = coopMatMulAdd(x, y, s);", *r.pick(&["0.5", "1.5"])),
        };
        let _ = writeln!(body, "    {line}");
        if floats && has_arithmetic(sum) {
            let _ = writeln!(body, "    s = s * {sum}(0.0625);");
        } else if floats {
            let _ = writeln!(body, "    s = Sum(Float(s) * 0.0625);");
        }
    }
    let to = place(&mut r, m, n);
    let scope = *r.pick(&["Subgroup", "Workgroup"]);
    text([factor, sum], [m, n, k], scope, &body, &to)
}

/// Statements that add a product to the elements of an array: its number is in a variable, or is a constant.
fn array(number: usize, sum: &str, index: &str, operands: &str) -> String {
    let t = format!("t{number}");
    let last = if index == "uint" { "one + 1u" } else { "2u" };
    format!(
        "Sum {t}[3]; for (uint k = 0; k < 3u + zero; k++) {{ {t}[k] = s * {sum}(2); }} \
         for (uint k = 0; k < 2u; k++) {{ {index} at = {last}; {t}[at] = coopMatMulAdd({operands}); \
         {t}[0] = coopMatMulAdd({first}); }} s = {t}[0] + {t}[one] + {t}[2];",
        first = operands.replace("[at]", "[0]"),
    )
}

/// A reduction of the sums, whose result has any number of the rows or columns that are reduced.
fn reduction(r: &mut Random, sum: &str, [m, n]: [usize; 2], i: usize) -> String {
    let [other_m, other_n] = [(); 2].map(|()| *r.pick(&SIDES));
    let (mode, [rows, columns]) = match r.below(4) {
        0 => ("Row", [m, other_n]),
        1 => ("Column", [other_m, n]),
        2 => ("RowAndColumn", [other_m, other_n]),
        _ if m % 16 == 0 && n % 16 == 0 => ("2x2", [m / 2, n / 2]),
        _ => ("Row", [m, n]),
    };
    let back = match mode {
        "Row" => "Row",
        "Column" => "Column",
        _ => "RowAndColumn",
    };
    format!(
        "coopmat<{sum}, SCOPE, {rows}, {columns}, gl_MatrixUseAccumulator> r{i}; \
         coopMatReduceNV(r{i}, s, gl_CooperativeMatrixReduce{mode}NV, combine); Sum b{i}; \
         coopMatReduceNV(b{i}, r{i}, gl_CooperativeMatrixReduce{back}NV, least); s = s + b{i} / Sum({sum}(8));"
    )
}

/// A store to a tensor and a load from it, with coordinates out of bounds.
fn tensor(r: &mut Random, sum: &str, [m, n]: [usize; 2], i: usize) -> String {
    let modes = ["Constant", "ClampToEdge", "Repeat", "MirrorRepeat"];
    let (mode, view) = (*r.pick(&modes), r.below(3));
    let [height, width] = [4 + r.below(50), 4 + r.below(50)];
    let [top, left] = [r.below(20) as i64 - 10, r.below(20) as i64 - 10];
    let zero = if r.one_in(2) { " + zero" } else { "" };
    // The span has the size of the matrix, which the view may transpose or clip.
    let [rows, columns] = if view == 1 { [n, m] } else { [m, n] };
    let (make, pass) = match view {
        0 => (String::new(), String::new()),
        1 => (
            format!("tensorViewNV<2, false, 1, 0> v{i} = createTensorViewNV(2, false, 1, 0);"),
            format!(", v{i}"),
        ),
        _ => (
            format!(
                "tensorViewNV<2> v{i} = setTensorViewClipNV(createTensorViewNV(2), {}, {m}, {}{zero}, {n});",
                r.below(m),
                r.below(n)
            ),
            format!(", v{i}"),
        ),
    };
    format!(
        "tensorLayoutNV<2, gl_CooperativeMatrixClampMode{mode}NV> t{i} = \
         createTensorLayoutNV(2, gl_CooperativeMatrixClampMode{mode}NV); \
         t{i} = setTensorLayoutDimensionNV(t{i}, {height}, {width}{zero}); \
         t{i} = sliceTensorLayoutNV(t{i}, {top}, {rows}, {left}, {columns}{zero}); {make} \
         barrier(); coopMatStoreTensorNV(s, shared_sums, 0, t{i}{pass}); barrier(); \
         Sum l{i} = Sum({sum}(3)); coopMatLoadTensorNV(l{i}, shared_sums, 0, t{i}{pass}); s = l{i};"
    )
}

/// Functions of elements for reductions and applications.
fn functions(sum: &str) -> String {
    format!(
        "// Not associative, so that the results show the order.
{sum} combine(const in {sum} a, const in {sum} b) {{ return a / {sum}(2) + b; }}
{sum} least(const in {sum} a, const in {sum} b) {{ return min(a, b); }}
{sum} place(const in uint row, const in uint column, const in {sum} e, const in {sum} two, const in {sum} by) {{
    return e / two + {sum}(row) * by - {sum}(column);
}}
"
    )
}

/// The shader with these statements, which stores the sums to a place.
fn text([factor, sum]: [&str; 2], [m, n, k]: [usize; 3], scope: &str, body: &str, to: &str) -> String {
    let matrix = |ty: &str, rows: usize, columns: usize, usage: &str| {
        format!("coopmat<{ty}, SCOPE, {rows}, {columns}, gl_MatrixUse{usage}>")
    };
    let [x, y, s, half, float, wide, high, float_x] = [
        matrix(factor, m, k, "A"),
        matrix(factor, k, n, "B"),
        matrix(sum, m, n, "Accumulator"),
        matrix("float16_t", m, n, "Accumulator"),
        matrix("float", m, n, "Accumulator"),
        matrix(factor, m, k, "Accumulator"),
        matrix(factor, n, k, "Accumulator"),
        matrix("float", m, k, "A"),
    ];
    let number = if factor.contains("float") {
        format!("{factor}(float(int(hash(i) % 64u) - 31) / 8.0)")
    } else {
        format!("{factor}(hash(i))")
    };
    let functions = if has_arithmetic(sum) { functions(sum) } else { String::new() };
    format!(
        "#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_cooperative_matrix : require
#extension GL_NV_cooperative_matrix2 : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_bfloat16 : require
#extension GL_EXT_float_e4m3 : require
#extension GL_EXT_float_e5m2 : require
#define SCOPE gl_Scope{scope}
#define Sum {s}
#define Half {half}
#define Float {float}
#define X {x}
#define FloatX {float_x}
#define Wide {wide}
#define High {high}
layout(local_size_x = 32) in;
layout(set = 0, binding = 0) buffer Factors {{ {factor} factors[]; }};
layout(set = 0, binding = 1) buffer Sums {{ {sum} sums[]; }};
layout(set = 0, binding = 2) buffer Zero {{ uint zero, one; }};
shared {factor} shared_factors[{WORDS}];
shared {sum} shared_sums[{WORDS}];

uint hash(uint x) {{ x = (x ^ 61u) * 0x9e3779b1u; x ^= x >> 15; x *= 0x85ebca6bu; return x ^ x >> 13; }}

{functions}
void main() {{
    for (uint i = gl_LocalInvocationIndex; i < {WORDS}; i += 32) {{
        factors[i] = {number};
        shared_factors[i] = {number};
        shared_sums[i] = {sum}(i % 17u);
    }}
    barrier();
    {x} x;
    {y} y;
    Sum s = Sum({sum}(one));
{body}    barrier();
    coopMatStore(s, sums, {to});
}}
"
    )
}

/// Runs a random shader, and returns the words of the sums.
///
/// # Errors
/// The errors of the front end and of the device.
pub fn run(source: &str, device: &Device) -> Result<Vec<u32>, quadrille::Error> {
    let test = ShaderTest::glsl(source)?.on(device).lanes(device.options().lanes);
    let test = test.bind_zeros::<u32>(0, 0, WORDS).bind_zeros::<u32>(0, 1, WORDS).bind(0, 2, &[0u32, 1]);
    test.dispatch([1, 1, 1])?.read(0, 1)
}
