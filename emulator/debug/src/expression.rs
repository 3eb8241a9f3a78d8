//! Expressions in the shader's own language.
//!
//! What names a variable or a part of one is looked up in the recording. Anything else is compiled: a compute shader
//! of one invocation in the same language, in which the parts of variables that the expression names are local
//! variables with their recorded bits, runs on the interpreter and says what comes out. So an expression means what it
//! means in the shader, built-in functions included; functions and constants of the shader itself, arrays and
//! structures as operands, and types other than `float`, `int`, `uint`, `bool`, their vectors and matrices of floats are refused.
//! Expressions of AGSL are compiled as GLSL with AGSL's names of types; those of modules without a language as GLSL.

use std::collections::HashMap;

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::frontend::{Language, Options, Stage, compile};
use quadrille::{Device, DeviceOptions};
use quadrille_jit::ir::Ty;
use quadrille_jit::ir::debug::TypeKind;

use crate::value::{At, Bits, Part, scalar_text};

/// Longest expression, in bytes.
const MAX_LENGTH: usize = 4096;
/// Compiled expressions that are kept.
const MAX_KEPT: usize = 256;
/// Deepest nesting of indices.
const MAX_DEPTH: u32 = 8;

/// What an expression is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// As the language writes it.
    pub text: String,
    /// Name of its type.
    pub ty: String,
    /// What it names, if it names a variable or a part of one.
    pub part: Option<Part>,
    /// Its scalars, if it has a few and all are known.
    pub bits: Vec<u64>,
}

impl Answer {
    /// Whether it counts as true: any scalar is not zero.
    pub fn is_true(&self) -> bool {
        self.bits.iter().any(|&b| b != 0)
    }
}

/// The types that an expression may have: name in GLSL and in WGSL, base, scalars of a column, columns.
struct Kind {
    glsl: &'static str,
    wgsl: &'static str,
    base: Ty,
    signed: bool,
    rows: usize,
    columns: usize,
}

const fn kind(
    glsl: &'static str,
    wgsl: &'static str,
    base: Ty,
    signed: bool,
    rows: usize,
    columns: usize,
) -> Kind {
    Kind { glsl, wgsl, base, signed, rows, columns }
}

/// In the order in which they are tried: numbers without a type of their own are integers if they can be.
const KINDS: &[Kind] = &[
    kind("bool", "bool", Ty::Bool, false, 1, 1),
    kind("int", "i32", Ty::I32, true, 1, 1),
    kind("uint", "u32", Ty::I32, false, 1, 1),
    kind("float", "f32", Ty::F32, true, 1, 1),
    kind("ivec2", "vec2<i32>", Ty::I32, true, 2, 1),
    kind("uvec2", "vec2<u32>", Ty::I32, false, 2, 1),
    kind("vec2", "vec2<f32>", Ty::F32, true, 2, 1),
    kind("bvec2", "vec2<bool>", Ty::Bool, false, 2, 1),
    kind("ivec3", "vec3<i32>", Ty::I32, true, 3, 1),
    kind("uvec3", "vec3<u32>", Ty::I32, false, 3, 1),
    kind("vec3", "vec3<f32>", Ty::F32, true, 3, 1),
    kind("bvec3", "vec3<bool>", Ty::Bool, false, 3, 1),
    kind("ivec4", "vec4<i32>", Ty::I32, true, 4, 1),
    kind("uvec4", "vec4<u32>", Ty::I32, false, 4, 1),
    kind("vec4", "vec4<f32>", Ty::F32, true, 4, 1),
    kind("bvec4", "vec4<bool>", Ty::Bool, false, 4, 1),
    kind("mat2", "mat2x2<f32>", Ty::F32, true, 2, 2),
    kind("mat3", "mat3x3<f32>", Ty::F32, true, 3, 3),
    kind("mat4", "mat4x4<f32>", Ty::F32, true, 4, 4),
];

/// AGSL's names in GLSL.
const AGSL: &str = "
#define half float
#define half2 vec2
#define half3 vec3
#define half4 vec4
#define float2 vec2
#define float3 vec3
#define float4 vec4
#define int2 ivec2
#define int3 ivec3
#define int4 ivec4
#define bool2 bvec2
#define bool3 bvec3
#define bool4 bvec4
#define float2x2 mat2
#define float3x3 mat3
#define float4x4 mat4
#define half2x2 mat2
#define half3x3 mat3
#define half4x4 mat4
#define saturate(x) clamp(x, 0.0, 1.0)
";

/// Evaluates expressions of a language.
pub struct Evaluator {
    language: Language,
    device: Option<Device>,
    /// By source: the number of its kind, or why it does not compile.
    kept: HashMap<String, Result<(Compute, usize), String>>,
}

/// What an operand of a compiled expression is.
struct Operand {
    kind: usize,
    bits: Vec<u64>,
}

impl Evaluator {
    /// Of expressions of `language`.
    pub fn new(language: Language) -> Evaluator {
        Evaluator { language, device: None, kept: HashMap::new() }
    }

    /// What an expression is, in the lane and at the step of `at`, in a call that has got to a place.
    ///
    /// # Errors
    /// In words, what is wrong with it.
    pub fn evaluate(&mut self, at: At<'_>, call: u32, place: u32, text: &str) -> Result<Answer, String> {
        self.evaluate_within(at, call, place, text.trim(), 0)
    }

    fn evaluate_within(
        &mut self,
        at: At<'_>,
        call: u32,
        place: u32,
        text: &str,
        depth: u32,
    ) -> Result<Answer, String> {
        if text.is_empty() || text.len() > MAX_LENGTH || depth > MAX_DEPTH {
            return Err(
                if text.is_empty() { "nothing to evaluate" } else { "the expression is too long" }.into()
            );
        }
        let mut operands: Vec<Operand> = Vec::new();
        let mut out = String::new();
        let mut rest = text;
        let mut before = ' ';
        while let Some(c) = rest.chars().next() {
            let starts = (c.is_ascii_alphabetic() || c == '_') && !is_word(before) && before != '.';
            let name: String =
                if starts { rest.chars().take_while(|c| is_word(*c)).collect() } else { String::new() };
            let after = &rest[name.len()..];
            let called = after.trim_start().starts_with('(');
            let found = (starts && !called).then(|| at.find(call, place, &name)).flatten();
            let Some(whole) = found else {
                let taken = if starts { name.len() } else { c.len_utf8() };
                out += &rest[..taken];
                before = rest[..taken].chars().last().unwrap_or(' ');
                rest = &rest[taken..];
                continue;
            };
            let (part, after) = self.follow(at, call, place, whole, after, depth)?;
            if out.is_empty() && after.trim().is_empty() {
                return Ok(answer(at, part));
            }
            out += &format!("quadrille_{}", operands.len());
            operands.push(operand(at, &part)?);
            before = 'x';
            rest = after;
        }
        self.compiled(&out, &operands)
    }

    /// Follows members and indices behind a name as far as they are parts; what is left of the text.
    fn follow<'t>(
        &mut self,
        at: At<'_>,
        call: u32,
        place: u32,
        mut part: Part,
        mut rest: &'t str,
        depth: u32,
    ) -> Result<(Part, &'t str), String> {
        loop {
            let trimmed = rest.trim_start();
            if let Some(inner) = trimmed.strip_prefix('.') {
                let inner = inner.trim_start();
                let length = inner.find(|c| !is_word(c)).unwrap_or(inner.len());
                let name = format!(".{}", &inner[..length]);
                match at.part(&part, &name) {
                    Some(found) => (part, rest) = (found, &inner[length..]),
                    None => return Ok((part, rest)),
                }
            } else if let Some(inner) = trimmed.strip_prefix('[') {
                let end = closing(inner).ok_or("a bracket is not closed")?;
                let index = self.evaluate_within(at, call, place, inner[..end].trim(), depth + 1)?;
                let index = match index.text.trim_end_matches('u').parse::<u32>() {
                    Ok(index) => index,
                    Err(_) => return Err(format!("the index {} is no element's number", index.text)),
                };
                let found = at.part(&part, &format!("[{index}]")).or_else(|| {
                    let vector = at.parts(&part);
                    vector.get(index as usize).cloned()
                });
                part = found.ok_or_else(|| format!("{} has no element {index}", part.path))?;
                rest = &inner[end + 1..];
            } else {
                return Ok((part, rest));
            }
        }
    }

    fn compiled(&mut self, text: &str, operands: &[Operand]) -> Result<Answer, String> {
        let words: Vec<u8> =
            operands.iter().flat_map(|o| &o.bits).flat_map(|&b| (b as u32).to_le_bytes()).collect();
        let words = if words.is_empty() { vec![0; 4] } else { words };
        let sources = self.sources(text, operands);
        let mut problem = None;
        for (n, source) in sources.into_iter().enumerate() {
            if self.kept.len() >= MAX_KEPT {
                self.kept.clear();
            }
            if !self.kept.contains_key(&source) {
                let made = self.pipeline(&source).map(|compute| (compute, n));
                self.kept.insert(source.clone(), made);
            }
            match self.kept.get_mut(&source) {
                Some(Ok((compute, n))) => {
                    let out = run(compute, &words).map_err(|e| e.to_string())?;
                    // Those of GLSL say their kind themselves.
                    let kind = if out[0] == 0 { *n } else { out[0] as usize - 1 };
                    return Ok(result(&KINDS[kind.min(KINDS.len() - 1)], &out[1..], self.language));
                }
                Some(Err(e)) => problem = problem.or(Some(e.clone())),
                None => {}
            }
        }
        Err(problem.unwrap_or_else(|| "it does not compile".into()))
    }

    fn pipeline(&mut self, source: &str) -> Result<Compute, String> {
        let language = if self.language == Language::Wgsl { Language::Wgsl } else { Language::Glsl };
        let options = Options { disk_cache: false, ..Options::named("expression") };
        let words =
            compile(source.as_bytes(), language, Stage::Compute, &options).map_err(|e| match e.cause {
                Some(cause) => cause.to_string(),
                None => e.message,
            })?;
        let device = match &self.device {
            Some(device) => device.clone(),
            None => {
                let options = DeviceOptions { threads: 1, interp: true, ..DeviceOptions::default() };
                let device = Device::new(options).map_err(|e| e.to_string())?;
                self.device.insert(device).clone()
            }
        };
        let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
        Compute::new(&device, &desc).map_err(|e| e.to_string())
    }

    /// The shaders to try: one that takes any type, or one for each.
    fn sources(&self, text: &str, operands: &[Operand]) -> Vec<String> {
        let mut words = 0;
        let mut list = String::new();
        let wgsl = self.language == Language::Wgsl;
        for (i, operand) in operands.iter().enumerate() {
            let kind = &KINDS[operand.kind];
            let scalars: Vec<String> = (0..operand.bits.len())
                .map(|_| {
                    words += 1;
                    from_word(kind, &format!("quadrille_in[{}]", words - 1), wgsl)
                })
                .collect();
            let (name, values) = (if wgsl { kind.wgsl } else { kind.glsl }, scalars.join(", "));
            list += &match wgsl {
                true => format!("  let quadrille_{i} = {name}({values});\n"),
                false => format!("  {name} quadrille_{i} = {name}({values});\n"),
            };
        }
        if wgsl {
            return KINDS.iter().map(|kind| wgsl_source(kind, &list, text)).collect();
        }
        let mut out = String::from("#version 450\nlayout(local_size_x = 1) in;\n");
        out += "layout(std430, set = 0, binding = 0) readonly buffer QuadrilleIn { uint quadrille_in[]; };\n";
        out += "layout(std430, set = 0, binding = 1) buffer QuadrilleOut { uint quadrille_out[]; };\n";
        for (i, kind) in KINDS.iter().enumerate() {
            out += &format!("void quadrille_put({} x) {{ quadrille_out[0] = {}u;", kind.glsl, i + 1);
            for (n, scalar) in scalars_of(kind).iter().enumerate() {
                out += &format!(" quadrille_out[{}] = {};", n + 1, to_word(kind, scalar, false));
            }
            out += " }\n";
        }
        if self.language == Language::Agsl {
            out += AGSL;
        }
        out += &format!(
            "void main() {{\n  quadrille_out[17] = quadrille_in[0];\n{list}  quadrille_put({text});\n}}\n"
        );
        vec![out]
    }
}

fn wgsl_source(kind: &Kind, list: &str, text: &str) -> String {
    let mut out = String::from("@group(0) @binding(0) var<storage> quadrille_in: array<u32>;\n");
    out += "@group(0) @binding(1) var<storage, read_write> quadrille_out: array<u32>;\n";
    out += "@compute @workgroup_size(1) fn main() {\n  quadrille_out[17] = quadrille_in[0];\n";
    out += list;
    out += &format!("  let x: {} = {text};\n", kind.wgsl);
    for (n, scalar) in scalars_of(kind).iter().enumerate() {
        out += &format!("  quadrille_out[{}] = {};\n", n + 1, to_word(kind, scalar, true));
    }
    out + "}\n"
}

/// The scalars of `x`.
fn scalars_of(kind: &Kind) -> Vec<String> {
    let each = |c: usize, r: usize| match (kind.rows, kind.columns) {
        (1, 1) => "x".to_owned(),
        (_, 1) => format!("x[{r}]"),
        _ => format!("x[{c}][{r}]"),
    };
    (0..kind.columns).flat_map(|c| (0..kind.rows).map(move |r| (c, r))).map(|(c, r)| each(c, r)).collect()
}

fn to_word(kind: &Kind, scalar: &str, wgsl: bool) -> String {
    match (kind.base, wgsl) {
        (Ty::Bool, false) => format!("uint({scalar})"),
        (Ty::Bool, true) => format!("u32({scalar})"),
        (Ty::F32, false) => format!("floatBitsToUint({scalar})"),
        (_, false) => format!("uint({scalar})"),
        (_, true) => format!("bitcast<u32>({scalar})"),
    }
}

fn from_word(kind: &Kind, word: &str, wgsl: bool) -> String {
    match (kind.base, kind.signed, wgsl) {
        (Ty::Bool, ..) => format!("({word} != 0u)"),
        (Ty::F32, _, false) => format!("uintBitsToFloat({word})"),
        (Ty::F32, _, true) => format!("bitcast<f32>({word})"),
        (_, true, false) => format!("int({word})"),
        (_, true, true) => format!("bitcast<i32>({word})"),
        _ => word.to_owned(),
    }
}

/// Runs an expression; the words that it puts out.
fn run(compute: &mut Compute, words: &[u8]) -> quadrille::Result<Vec<u32>> {
    compute.bind_at(0, 0, 0, words)?;
    compute.bind_at(0, 1, 0, &[0; 18 * 4])?;
    compute.dispatch([1, 1, 1])?;
    let bytes = compute.read_at(0, 1, 0)?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|&b| u32::from_le_bytes(b)).collect())
}

fn result(kind: &Kind, words: &[u32], language: Language) -> Answer {
    let n = kind.rows * kind.columns;
    let bits: Vec<u64> = words.iter().take(n).map(|&w| u64::from(w)).collect();
    let scalars: Vec<String> = bits.iter().map(|&b| scalar_text(kind.base, kind.signed, b)).collect();
    let ty = if language == Language::Wgsl { kind.wgsl } else { kind.glsl };
    let columns: Vec<String> = scalars.chunks(kind.rows).map(|c| c.join(", ")).collect();
    let text = match (n, kind.columns) {
        (1, _) => scalars[0].clone(),
        (_, 1) => format!("{}({})", kind.glsl, columns[0]),
        _ => format!(
            "{}({})",
            kind.glsl,
            columns.iter().map(|c| format!("vec{}({c})", kind.rows)).collect::<Vec<_>>().join(", ")
        ),
    };
    Answer { text, ty: ty.to_owned(), part: None, bits }
}

/// What names a part.
fn answer(at: At<'_>, part: Part) -> Answer {
    let ty = at.recording.debug.type_name(part.ty);
    let bits = operand(at, &part).map_or_else(|_| Vec::new(), |o| o.bits);
    Answer { text: at.show(&part), ty, part: Some(part), bits }
}

/// A part as an operand of a compiled expression.
fn operand(at: At<'_>, part: &Part) -> Result<Operand, String> {
    let debug = &at.recording.debug;
    let name = debug.type_name(part.ty);
    let Some(kind) = KINDS.iter().position(|k| k.glsl == name) else {
        return Err(format!("{} is {name}, which an expression cannot compute with", part.path));
    };
    let mut bits = Vec::new();
    let mut scalars = |p: &Part| match at.scalar(p) {
        Bits::Known(b) => {
            bits.push(b);
            Ok(())
        }
        Bits::Unset => {
            bits.push(0);
            Ok(())
        }
        Bits::Unknown => Err(format!("{} is not known: the shader has not accessed it yet", p.path)),
    };
    each_scalar(at, part, &mut scalars)?;
    Ok(Operand { kind, bits })
}

fn each_scalar(
    at: At<'_>,
    part: &Part,
    f: &mut impl FnMut(&Part) -> Result<(), String>,
) -> Result<(), String> {
    let scalar = at.recording.debug.types.get(part.ty as usize).map(|t| &t.kind);
    if matches!(scalar, Some(TypeKind::Scalar { .. })) {
        return f(part);
    }
    at.parts(part).iter().try_for_each(|p| each_scalar(at, p, f))
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Where the bracket closes that is open at the start.
fn closing(text: &str) -> Option<usize> {
    let mut open = 1;
    text.char_indices().find_map(|(i, c)| {
        match c {
            '[' => open += 1,
            ']' => open -= 1,
            _ => {}
        }
        (open == 0).then_some(i)
    })
}
