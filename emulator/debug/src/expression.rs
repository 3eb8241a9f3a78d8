//! Expressions in the shader's own language.
//!
//! A name of a variable or of a part of one is looked up in the recording. Any other expression is compiled to a
//! compute shader of one invocation in the same language. There, the variables of the expression are local variables
//! with their recorded bits; the interpreter runs the shader and returns the result. An expression therefore has the
//! same meaning as in the shader: operators, built-in functions, constructors, swizzles, indices. Arrays and structures
//! can be operands, too.
//!
//! Functions, constants, structures and macros that the expression names come from the shader's text
//! ([`crate::declared`]); module-scope variables that they read have their recorded values. Results are scalars,
//! vectors and matrices. Image sampling, derivatives and subgroup operations are not available. Expressions of AGSL are
//! compiled as GLSL with AGSL's names; those of modules without a language as GLSL.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::frontend::{Language, Options, Stage, compile};
use quadrille::{Device, DeviceOptions};
use quadrille_jit::ir::Ty;
use quadrille_jit::ir::debug::TypeKind;

use crate::declared::{Declared, declared, is_word, names, reached};
use crate::number::scalar_text;
use crate::source::Sources;
use crate::spelling::{Kind, Speller, kinds};
use crate::value::{At, Bits, Part};

/// Maximum length of an expression in bytes.
const MAX_LENGTH: usize = 4096;
/// Maximum number of cached compiled expressions.
const MAX_KEPT: usize = 256;
/// Maximum nesting of indices.
const MAX_DEPTH: u32 = 8;
/// CPU time of an expression, which is limited because functions of the shader may contain loops.
const BUDGET: Duration = Duration::from_secs(10);
/// Output words of an expression: the kind, and the largest matrix.
const OUT_WORDS: usize = 1 + 32;

/// Result of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Value in the notation of the language.
    pub text: String,
    /// Name of the type.
    pub ty: String,
    /// The part, if the expression names a variable or a part of one.
    pub part: Option<Part>,
    /// Scalars of the value, if there are few and all are known.
    pub bits: Vec<u64>,
}

impl Answer {
    /// True if any scalar is not zero.
    pub fn is_true(&self) -> bool {
        self.bits.iter().any(|&b| b != 0)
    }
}

/// Definitions of AGSL's names in GLSL.
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
vec4 unpremul(vec4 c) { return vec4(c.rgb / max(c.a, 0.0001), c.a); }
vec3 toLinearSrgb(vec3 c) {
  vec3 a = abs(c);
  return sign(c) * mix(pow((a + 0.055) / 1.055, vec3(2.4)), a / 12.92, lessThanEqual(a, vec3(0.04045)));
}
vec3 fromLinearSrgb(vec3 c) {
  vec3 a = abs(c);
  return sign(c) * mix(1.055 * pow(a, vec3(1.0 / 2.4)) - 0.055, a * 12.92, lessThanEqual(a, vec3(0.0031308)));
}
";

/// Evaluates expressions of a language.
pub struct Evaluator {
    language: Language,
    device: Option<Device>,
    sources: Sources,
    /// Declarations of the shader's text, after their first use.
    own: Option<Arc<[Declared]>>,
    /// By source: the compiled shader with the index of its kind, or the compile error.
    kept: HashMap<String, Result<(Compute, usize), String>>,
}

/// An expression whose operands are known.
struct Text {
    /// Text with names for the operands.
    text: String,
    operands: Vec<Part>,
}

/// Prefix for the names of module-scope variables that the shader's functions read.
const MODULE: &str = "quadrille_module_";

impl Evaluator {
    /// Starts an evaluator for `language`.
    pub fn new(language: Language) -> Evaluator {
        Evaluator { language, device: None, sources: Sources::default(), own: None, kept: HashMap::new() }
    }

    /// Sets texts of the shader's files, which take precedence over the files on disk.
    pub fn give(&mut self, sources: Sources) {
        (self.sources, self.own) = (sources, None);
    }

    /// Evaluates an expression in the lane and at the step of `at`, in a call that has reached a place.
    ///
    /// # Errors
    /// A description of the mistake.
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
        let mut operands: Vec<Part> = Vec::new();
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
                match self.builtin(at, &name) {
                    Some((_, value)) => out += &value,
                    None => out += &rest[..taken],
                }
                before = rest[..taken].chars().last().unwrap_or(' ');
                rest = &rest[taken..];
                continue;
            };
            let (part, after) = self.follow(at, call, place, whole, after, depth)?;
            if out.is_empty() && after.trim().is_empty() {
                return Ok(answer(at, part));
            }
            out += &format!("quadrille_{}", operands.len());
            operands.push(part);
            before = 'x';
            rest = after;
        }
        self.compiled(at, &Text { text: out, operands })
    }

    /// Type and value of a built-in that the shader does not use. It is replaced by its value, because it would differ
    /// in the expression's own shader.
    fn builtin(&self, at: At<'_>, name: &str) -> Option<(String, String)> {
        let has = self.language == Language::Glsl && name.starts_with("gl_");
        has.then(|| at.recording.builtins.find(name, at.lane)).flatten()
    }

    /// Follows members and indices after a name while they select parts, and returns the remaining text.
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
                    Err(_) => {
                        return Err(format!("the index {} is not the number of an element", index.text));
                    }
                };
                let kind = at.recording.debug.types.get(part.ty as usize).map(|t| &t.kind);
                let found = match kind {
                    // Components have names, not numbers.
                    Some(TypeKind::Vector { .. }) => at.parts(&part).into_iter().nth(index as usize),
                    _ => at.part(&part, &format!("[{index}]")),
                };
                part = found.ok_or_else(|| format!("{} has no element {index}", part.path))?;
                rest = &inner[end + 1..];
            } else {
                return Ok((part, rest));
            }
        }
    }

    /// Declarations of the shader's text.
    fn own(&mut self, at: At<'_>) -> Arc<[Declared]> {
        let wgsl = self.language == Language::Wgsl;
        let sources = &self.sources;
        let own = self.own.get_or_insert_with(|| {
            let known = matches!(self.language, Language::Glsl | Language::Wgsl | Language::Agsl);
            let files = at.recording.debug.files.iter().filter(|_| known);
            files.flat_map(|file| declared(&sources.text(file), wgsl)).collect()
        });
        own.clone()
    }

    fn compiled(&mut self, at: At<'_>, text: &Text) -> Result<Answer, String> {
        let wgsl = self.language == Language::Wgsl;
        let own = self.own(at);
        let Tries { sources, kinds, words } = tries(at, self.language, &own, text)?;
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
                    let out = match run(compute, &words) {
                        Ok(out) => out,
                        Err(e) => {
                            // The device may be lost, so the next expression gets a new one.
                            (self.device, self.kept) = (None, HashMap::new());
                            return Err(e.to_string());
                        }
                    };
                    // GLSL shaders output their kind themselves.
                    let kind = if out[0] == 0 { *n } else { out[0] as usize - 1 };
                    return Ok(result(&kinds[kind.min(kinds.len() - 1)], &out[1..], wgsl));
                }
                Some(Err(e)) if !is_of_type(e) => problem = problem.or(Some(e.clone())),
                Some(Err(_)) | None => {}
            }
        }
        Err(problem.unwrap_or_else(|| "the value is not a scalar, a vector or a matrix".into()))
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
                let defaults = DeviceOptions::default();
                let options =
                    DeviceOptions { threads: 1, interp: true, budget: BUDGET, watch: None, ..defaults };
                let device = Device::new(options).map_err(|e| e.to_string())?;
                self.device.insert(device).clone()
            }
        };
        let desc = ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] };
        Compute::new(&device, &desc).map_err(|e| e.to_string())
    }
}

/// True if a compile error is that the shader around the expression does not take a value of its type, which says
/// nothing about the expression: see [`Parts`].
fn is_of_type(error: &str) -> bool {
    error.contains("'quadrille_put'") || error.contains("the type of `x`")
}

/// Shaders to try for an expression.
struct Tries {
    /// One source for results of any type, or one source for each type.
    sources: Vec<String>,
    /// Result types.
    kinds: Vec<Kind>,
    /// Words of the operands.
    words: Vec<u8>,
}

fn tries(at: At<'_>, language: Language, own: &[Declared], text: &Text) -> Result<Tries, String> {
    let wgsl = language == Language::Wgsl;
    let mut speller = Speller { at, wgsl, own, words: Vec::new(), structs: Vec::new(), more: false };
    let mut list = String::new();
    let mut types = String::new();
    for (i, part) in text.operands.iter().enumerate() {
        let (ty, value) = speller.spell(part)?;
        list += &match wgsl {
            true => format!("  var quadrille_{i}: {ty} = {value};\n"),
            false => format!("  {ty} quadrille_{i} = {value};\n"),
        };
        types += &(ty + " ");
    }
    let taken = reached(own, &format!("{} {types}", text.text));
    let module = of_module(&mut speller, &taken, &mut list);
    let rare = match wgsl {
        true => &["f16"][..],
        false => &["int64", "int16", "int8", "i64", "u64", "f16", "float16", "double", "dvec", "dmat", "lf"],
    };
    let more = speller.more || rare.iter().any(|rare| text.text.contains(rare));
    let kinds = kinds(wgsl, more);
    let renamed = |item: &&Declared| match item.is_type {
        true => item.text.clone(),
        false => rename(&item.text, &module),
    };
    let (functions, others): (Vec<_>, Vec<_>) = taken.iter().copied().partition(|item| item.is_function);
    let mut declarations: String = others.iter().map(renamed).collect();
    declarations.extend(speller.structs.iter().map(|(_, text)| text.as_str()));
    for (name, ty) in &module {
        declarations += &match wgsl {
            true => format!("var<private> {MODULE}{name}: {ty};\n"),
            false => format!("{ty} {MODULE}{name};\n"),
        };
    }
    declarations.extend(functions.iter().map(renamed));
    let words = if speller.words.is_empty() { vec![0] } else { speller.words };
    let words = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    let parts = Parts { declarations, list, text: &text.text };
    let sources = match wgsl {
        true => kinds.iter().map(|kind| parts.wgsl(kind, more)).collect(),
        false => vec![parts.glsl(&kinds, more, language == Language::Agsl)],
    };
    Ok(Tries { sources, kinds, words })
}

/// Module-scope variables that declarations name, with their types; `list` gets their values. Variables without a known
/// value are left out, so the compiler reports them as undeclared if they are needed.
fn of_module(speller: &mut Speller<'_, '_>, taken: &[&Declared], list: &mut String) -> Vec<(String, String)> {
    let mut out: Vec<(String, String)> = Vec::new();
    for name in taken.iter().filter(|item| !item.is_type).flat_map(|item| names(&item.text)) {
        let declared = taken.iter().any(|item| item.names.iter().any(|n| n == name));
        if declared || out.iter().any(|(known, _)| known == name) {
            continue;
        }
        // The lookup uses no call, because locals of the current place are not visible in the function.
        let Some(part) = speller.at.find(u32::MAX, 0, name) else {
            let builtin = speller.at.recording.builtins.find(name, speller.at.lane);
            if let Some((ty, value)) = builtin.filter(|_| !speller.wgsl) {
                *list += &format!("  {MODULE}{name} = {value};\n");
                out.push((name.to_owned(), ty));
            }
            continue;
        };
        let before = speller.words.len();
        match speller.spell(&part) {
            Ok((ty, value)) => {
                *list += &format!("  {MODULE}{name} = {value};\n");
                out.push((name.to_owned(), ty));
            }
            Err(_) => speller.words.truncate(before),
        }
    }
    out
}

/// Renames the module-scope variables in a text.
fn rename(text: &str, module: &[(String, String)]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for name in names(text) {
        if module.iter().any(|(known, _)| known == name) {
            let start = name.as_ptr() as usize - text.as_ptr() as usize;
            out += &text[copied..start];
            out += MODULE;
            out += name;
            copied = start + name.len();
        }
    }
    out + &text[copied..]
}

/// Ingredients of an expression's shader.
struct Parts<'t> {
    declarations: String,
    /// Declarations of the operands.
    list: String,
    text: &'t str,
}

impl Parts<'_> {
    fn glsl(&self, kinds: &[Kind], more: bool, agsl: bool) -> String {
        let mut out = String::from("#version 450\n");
        if more {
            out += "#extension GL_EXT_shader_explicit_arithmetic_types : enable\n";
        }
        out += "layout(local_size_x = 1) in;\n";
        out += "layout(std430, set = 0, binding = 0) readonly buffer QuadrilleIn { uint quadrille_in[]; };\n";
        out += "layout(std430, set = 0, binding = 1) buffer QuadrilleOut { uint quadrille_out[]; };\n";
        for (i, kind) in kinds.iter().enumerate() {
            let name = kind.name(false).unwrap_or_default();
            let put = kind.put(false);
            out += &format!("void quadrille_put({name} x) {{ quadrille_out[0] = {}u;{put} }}\n", i + 1);
        }
        if agsl {
            out += AGSL;
        }
        out += &self.declarations;
        let (list, text) = (&self.list, self.text);
        out + &format!(
            "void main() {{\n  quadrille_out[{OUT_WORDS}] = quadrille_in[0];\n{list}  quadrille_put({text});\n}}\n"
        )
    }

    fn wgsl(&self, kind: &Kind, more: bool) -> String {
        let mut out = String::from(if more { "enable f16;\n" } else { "" });
        out += "@group(0) @binding(0) var<storage> quadrille_in: array<u32>;\n";
        out += "@group(0) @binding(1) var<storage, read_write> quadrille_out: array<u32>;\n";
        out += &self.declarations;
        let (name, put) = (kind.name(true).unwrap_or_default(), kind.put(true));
        let (list, text) = (&self.list, self.text);
        out += "@compute @workgroup_size(1) fn main() {\n";
        out +=
            &format!("  quadrille_out[{OUT_WORDS}] = quadrille_in[0];\n{list}  let x: {name} = {text};\n ");
        out + &put + "\n}\n"
    }
}

/// Runs an expression and returns its output words.
fn run(compute: &mut Compute, words: &[u8]) -> quadrille::Result<Vec<u32>> {
    compute.bind_at(0, 0, 0, words)?;
    compute.bind_at(0, 1, 0, &[0; (OUT_WORDS + 1) * 4])?;
    compute.dispatch([1, 1, 1])?;
    let bytes = compute.read_at(0, 1, 0)?;
    Ok(bytes.as_chunks::<4>().0.iter().map(|&b| u32::from_le_bytes(b)).collect())
}

fn result(kind: &Kind, words: &[u32], wgsl: bool) -> Answer {
    let bits = kind.bits(words);
    let base = if kind.base == Ty::F16 { Ty::F32 } else { kind.base };
    let scalars: Vec<String> = bits.iter().map(|&b| scalar_text(base, kind.signed, b)).collect();
    let columns: Vec<String> = scalars.chunks(kind.rows).map(|c| c.join(", ")).collect();
    let glsl = kind.name(false).unwrap_or_default();
    let column = Kind { columns: 1, ..*kind }.name(false).unwrap_or_default();
    let text = match (scalars.len(), kind.columns) {
        (1, _) => scalars[0].clone(),
        (_, 1) => format!("{glsl}({})", columns[0]),
        _ => {
            let columns: Vec<String> = columns.iter().map(|c| format!("{column}({c})")).collect();
            format!("{glsl}({})", columns.join(", "))
        }
    };
    Answer { text, ty: kind.name(wgsl).unwrap_or_default(), part: None, bits }
}

/// Answer for a part.
fn answer(at: At<'_>, part: Part) -> Answer {
    let ty = at.recording.debug.type_name(part.ty);
    let bits = bits(at, &part).unwrap_or_default();
    Answer { text: at.show(&part), ty, part: Some(part), bits }
}

/// Scalars of a scalar, vector or matrix, if all are known.
fn bits(at: At<'_>, part: &Part) -> Option<Vec<u64>> {
    let kind = at.recording.debug.types.get(part.ty as usize).map(|t| &t.kind)?;
    match kind {
        TypeKind::Scalar { .. } => match at.scalar(part) {
            Bits::Known(b) => Some(vec![b]),
            Bits::Unset => Some(vec![0]),
            Bits::Unknown => None,
        },
        TypeKind::Vector { .. } | TypeKind::Matrix { .. } => {
            let parts = at.parts(part);
            let all = parts.iter().map(|p| bits(at, p)).collect::<Option<Vec<_>>>()?;
            Some(all.concat())
        }
        _ => None,
    }
}

/// Offset of the bracket that closes the one open at the start.
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
