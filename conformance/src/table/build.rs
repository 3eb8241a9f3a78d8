//! The modules of a table: one for each section and kind of operand source.

use std::sync::Arc;

use super::{Kind, Section, Table};
use crate::lanes::{Buffer, Given, Job, Work};
use crate::text::{GLSL, Module};
use crate::value::{Scalar, Tolerance, Type};

/// Source of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum From {
    Constant,
    Specialized,
    Uniform,
    /// Operand at the invocation's index plus zero.
    Varying,
}

/// Expected value of an output word.
pub(super) struct Expected {
    pub line: usize,
    pub ty: Scalar,
    pub want: Option<u64>,
    pub tolerance: Tolerance,
    pub form: Arc<str>,
}

const ARGS: u32 = 0;
const OUT: u32 = 1;
/// Index of the output among the buffers of a module.
pub const OUTPUT: usize = OUT as usize;
const BLOCK: u32 = 2;
const ZEROS: u32 = 3;
/// Invocations per workgroup: two lane groups of 8, or half a lane group of 32.
const LOCAL: u32 = 16;
/// Subgroup size of `group` sections.
pub(super) const LANES: usize = 8;

/// Builds the module of a section.
struct Build<'a> {
    table: &'a Table,
    section: &'a Section,
    m: Module,
    args: String,
    out: String,
    block: Option<String>,
    /// Operand words per row.
    stride: usize,
    expected: Vec<Expected>,
    /// Id of the word index of a varying row's first operand, and id of the zero.
    base: String,
}

impl<'a> Build<'a> {
    /// Returns the id of the word type.
    fn word(&mut self) -> String {
        self.m.scalar(WORD)
    }

    /// Loads a word of the operands.
    fn load(&mut self, from: From, row: usize, at: usize) -> String {
        let word = self.word();
        let zero = self.m.u32(0);
        let index = (row * self.stride + at) as u32;
        let pointer = match (from, &self.block) {
            (From::Uniform, Some(block)) => {
                let block = block.clone();
                let ty = self.m.pointer("Uniform", &word);
                let (vector, component) = (self.m.u32(index / 4), self.m.u32(index % 4));
                self.m.push(&format!("OpAccessChain {ty} {block} {zero} {vector} {component}"))
            }
            _ => {
                let ty = self.m.pointer("StorageBuffer", &word);
                let (args, base) = (self.args.clone(), self.base.clone());
                let index = self.m.u32(index);
                let index = self.m.push(&format!("OpIAdd {word} {base} {index}"));
                self.m.push(&format!("OpAccessChain {ty} {args} {zero} {index}"))
            }
        };
        self.m.push(&format!("OpLoad {word} {pointer}"))
    }

    /// Makes a scalar operand from its source.
    fn scalar(&mut self, from: From, s: Scalar, row: usize, at: usize) -> String {
        let low = self.load(from, row, at);
        let ty = self.m.scalar(s);
        match s {
            WORD => low,
            Scalar::Bool => {
                let zero = self.m.u32(0);
                self.m.push(&format!("OpINotEqual {ty} {low} {zero}"))
            }
            Scalar::Int(64, _) | Scalar::Float(64) => {
                let high = self.load(from, row, at + 1);
                let pair = self.m.ty(&Type::Vector(WORD, 2));
                let pair = self.m.push(&format!("OpCompositeConstruct {pair} {low} {high}"));
                self.m.push(&format!("OpBitcast {ty} {pair}"))
            }
            Scalar::Int(32, _) | Scalar::Float(32) => self.m.push(&format!("OpBitcast {ty} {low}")),
            Scalar::Int(_, false) => self.m.push(&format!("OpUConvert {ty} {low}")),
            Scalar::Int(..) => self.m.push(&format!("OpSConvert {ty} {low}")),
            Scalar::Float(_) => {
                let half = self.m.scalar(Scalar::Int(16, false));
                let half = self.m.push(&format!("OpUConvert {half} {low}"));
                self.m.push(&format!("OpBitcast {ty} {half}"))
            }
        }
    }

    /// Makes an operand of any type. `rows` are the rows of the components of widened vectors; `leaf` is the operand's
    /// first scalar in a row.
    fn operand(&mut self, from: From, ty: &Type, rows: &[usize], leaf: &mut usize) -> String {
        let all: Vec<Scalar> = self.section.args.iter().flat_map(Type::leaves).collect();
        let wide = rows.len() > 1;
        let parts: Vec<(Type, usize)> = match ty {
            Type::Vector(s, n) if wide => (0..*n as usize).map(|k| (Type::Scalar(*s), k)).collect(),
            Type::Scalar(s) => {
                let row = rows[0];
                let at = *leaf;
                *leaf += 1;
                let bits = self.section.rows[row].args[at];
                return match from {
                    From::Constant => self.m.constant(*s, bits),
                    From::Specialized => self.specialized(*s, bits),
                    _ => {
                        let offset = all[..at].iter().map(|s| s.words()).sum();
                        self.scalar(from, *s, row, offset)
                    }
                };
            }
            Type::Vector(s, n) => vec![(Type::Scalar(*s), 0); *n as usize],
            Type::Matrix(s, columns, n) => vec![(Type::Vector(*s, *n), 0); *columns as usize],
            Type::Struct(list) => list.iter().map(|t| (t.clone(), 0)).collect(),
        };
        let first = *leaf;
        let ids: Vec<String> = parts
            .iter()
            .map(|(t, k)| {
                if wide {
                    *leaf = first;
                }
                self.operand(from, t, &rows[*k..*k + 1], leaf)
            })
            .collect();
        let id = self.m.ty(ty);
        let ids = ids.join(" ");
        match from {
            From::Constant => self.m.global(&format!("OpConstantComposite {id} {ids}")),
            From::Specialized => self.m.unique(&format!("OpSpecConstantComposite {id} {ids}")),
            _ => self.m.push(&format!("OpCompositeConstruct {id} {ids}")),
        }
    }

    fn specialized(&mut self, s: Scalar, bits: u64) -> String {
        let constant = self.m.constant(s, bits);
        let plain = self.m.instruction_of(&constant);
        self.m.unique(&plain.replacen("OpConstant", "OpSpecConstant", 1))
    }

    /// Applies the instruction to operands from `from`, stores the scalars of its result and records the expected
    /// words. `index` is the id that is added to the word index.
    fn apply(&mut self, from: &[From], rows: &[usize], index: Option<&str>, lanes: usize, form: &str) {
        let n = rows.len() as u32;
        let section = self.section;
        let widen = |t: &Type| if n == 1 { t.clone() } else { t.widen(n).unwrap_or_else(|| t.clone()) };
        let mut leaf = 0;
        let args: Vec<String> = section
            .args
            .iter()
            .zip(from)
            .map(|(t, f)| self.operand(*f, &widen(t), rows, &mut leaf))
            .collect();
        let result = widen(&section.result);
        let ty = self.m.ty(&result);
        let mut operands = section
            .form
            .clone()
            .unwrap_or_else(|| (0..args.len()).map(|i| format!("${i}")).collect::<Vec<_>>().join(" "));
        for (i, a) in args.iter().enumerate() {
            operands = operands.replace(&format!("${i}"), a);
        }
        let words: Vec<String> = operands
            .split_whitespace()
            .map(|w| match w.strip_prefix('@').and_then(|n| n.parse().ok()) {
                Some(n) => self.m.u32(n),
                None => w.into(),
            })
            .collect();
        let operands = words.join(" ");
        let name = &self.table.name;
        let id = match (self.table.extended, from[0]) {
            (true, _) => self.m.push(&format!("OpExtInst {ty} {GLSL} {name} {operands}")),
            (false, From::Specialized) => {
                let name = name.trim_start_matches("Op");
                self.m.unique(&format!("OpSpecConstantOp {ty} {name} {operands}"))
            }
            (false, _) => self.m.push(&format!("{name} {ty} {operands}")),
        };
        if let Some(d) = &section.decorate {
            self.m.decorate(&format!("{id} {d}"));
        }
        self.store(&result, &id, rows, index, lanes, form);
    }

    /// Stores the scalars of a result, one after the other, in blocks of `lanes` words.
    fn store(&mut self, ty: &Type, id: &str, rows: &[usize], index: Option<&str>, lanes: usize, form: &str) {
        let form: Arc<str> = form.into();
        let mut paths = Vec::new();
        leaf_paths(ty, &mut Vec::new(), &mut paths);
        for (k, (s, path)) in paths.iter().enumerate() {
            // Leaf `k` of a widened result is a component of one row.
            let (row, leaf) = match rows.len() {
                1 => (rows[0], k),
                n => (rows[k % n], k / n),
            };
            let scalar = self.m.scalar(*s);
            let value = match path.is_empty() {
                true => id.to_string(),
                false => self.m.push(&format!("OpCompositeExtract {scalar} {id} {}", path.join(" "))),
            };
            let row = &self.section.rows[row];
            let want = row.want.get(leaf).copied().flatten();
            for (half, word) in self.to_words(*s, &value).iter().enumerate() {
                let at = self.expected.len();
                self.store_word(word, at, index);
                let (ty, want) = match s.words() {
                    1 => (*s, want),
                    // The two halves are compared together: see `values` of `run`.
                    _ => (*s, if half == 0 { want } else { None }),
                };
                for _ in 0..lanes {
                    self.expected.push(Expected {
                        line: row.line,
                        ty,
                        want,
                        tolerance: row.tolerance,
                        form: form.clone(),
                    });
                }
            }
        }
    }

    fn to_words(&mut self, s: Scalar, id: &str) -> Vec<String> {
        let word = self.word();
        match s {
            WORD => vec![id.into()],
            Scalar::Bool => {
                let (one, zero) = (self.m.u32(1), self.m.u32(0));
                vec![self.m.push(&format!("OpSelect {word} {id} {one} {zero}"))]
            }
            Scalar::Int(64, _) | Scalar::Float(64) => {
                let pair = self.m.ty(&Type::Vector(WORD, 2));
                let pair = self.m.push(&format!("OpBitcast {pair} {id}"));
                (0..2).map(|k| self.m.push(&format!("OpCompositeExtract {word} {pair} {k}"))).collect()
            }
            Scalar::Int(32, _) | Scalar::Float(32) => vec![self.m.push(&format!("OpBitcast {word} {id}"))],
            Scalar::Int(..) => vec![self.m.push(&format!("OpUConvert {word} {id}"))],
            Scalar::Float(_) => {
                let half = self.m.scalar(Scalar::Int(16, false));
                let half = self.m.push(&format!("OpBitcast {half} {id}"));
                vec![self.m.push(&format!("OpUConvert {word} {half}"))]
            }
        }
    }

    fn store_word(&mut self, word: &str, at: usize, index: Option<&str>) {
        let ty = self.word();
        let pointer = self.m.pointer("StorageBuffer", &ty);
        let (zero, out) = (self.m.u32(0), self.out.clone());
        let mut to = self.m.u32(at as u32);
        if let Some(index) = index {
            to = self.m.push(&format!("OpIAdd {ty} {index} {to}"));
        }
        let pointer = self.m.push(&format!("OpAccessChain {pointer} {out} {zero} {to}"));
        self.m.push_only(&format!("OpStore {pointer} {word}"));
    }
}

/// Number of rows with constant and with uniform operands; varying operands take all rows.
const STRAIGHT_ROWS: usize = 14;
/// Number of rows with operands from different sources.
const MIXED_ROWS: usize = 5;

/// Type of buffer words.
const WORD: Scalar = Scalar::Int(32, false);

/// Collects the scalars of a type, each with the indices that lead to it.
fn leaf_paths(ty: &Type, at: &mut Vec<String>, out: &mut Vec<(Scalar, Vec<String>)>) {
    let parts: Vec<Type> = match ty {
        Type::Scalar(s) => {
            out.push((*s, at.clone()));
            return;
        }
        Type::Vector(s, n) => vec![Type::Scalar(*s); *n as usize],
        Type::Matrix(s, columns, rows) => vec![Type::Vector(*s, *rows); *columns as usize],
        Type::Struct(list) => list.clone(),
    };
    for (i, t) in parts.iter().enumerate() {
        at.push(i.to_string());
        leaf_paths(t, at, out);
        at.pop();
    }
}

/// Capability that a group instruction needs.
fn group_capability(name: &str) -> &'static str {
    let has = |part: &str| name.contains(part);
    if has("All") || has("Any") {
        "GroupNonUniformVote"
    } else if has("Broadcast") && !has("Quad") {
        "GroupNonUniformBallot"
    } else if has("ShuffleUp") || has("ShuffleDown") {
        "GroupNonUniformShuffleRelative"
    } else if has("Shuffle") {
        "GroupNonUniformShuffle"
    } else if has("Quad") {
        "GroupNonUniformQuad"
    } else if has("Rotate") {
        "GroupNonUniformRotateKHR"
    } else {
        "GroupNonUniformArithmetic"
    }
}

/// Instructions that OpSpecConstantOp accepts in shaders.
const SPECIALIZABLE: &[&str] = &[
    "OpSConvert",
    "OpUConvert",
    "OpSNegate",
    "OpNot",
    "OpIAdd",
    "OpISub",
    "OpIMul",
    "OpUDiv",
    "OpSDiv",
    "OpUMod",
    "OpSRem",
    "OpSMod",
    "OpShiftRightLogical",
    "OpShiftRightArithmetic",
    "OpShiftLeftLogical",
    "OpBitwiseOr",
    "OpBitwiseXor",
    "OpBitwiseAnd",
    "OpVectorShuffle",
    "OpCompositeExtract",
    "OpCompositeInsert",
    "OpLogicalOr",
    "OpLogicalAnd",
    "OpLogicalNot",
    "OpLogicalEqual",
    "OpLogicalNotEqual",
    "OpSelect",
    "OpIEqual",
    "OpINotEqual",
    "OpULessThan",
    "OpSLessThan",
    "OpUGreaterThan",
    "OpSGreaterThan",
    "OpULessThanEqual",
    "OpSLessThanEqual",
    "OpUGreaterThanEqual",
    "OpSGreaterThanEqual",
    "OpQuantizeToF16",
];

/// A module of a section, with what is needed to run it.
pub struct Made {
    /// SPIR-V text.
    pub text: String,
    pub(super) job: Job,
    pub(super) expected: Vec<Expected>,
}

/// Makes the module of a section with operands of one kind; `None` if the instruction does not accept them.
pub fn make(table: &Table, section: &Section, kind: Kind) -> Option<Made> {
    let rows = section.rows.len();
    let operands = section.args.len();
    let wide = !section.scalar
        && section.result.widen(2).is_some()
        && section.args.iter().all(|t| t.widen(2).is_some());
    let stride: usize = section.args.iter().flat_map(Type::leaves).map(Scalar::words).sum();
    let local = if matches!(kind, Kind::Varying | Kind::Mixed) { LOCAL } else { 1 };
    let mut m = Module::new([local, 1, 1]);
    let args = m.words_buffer(ARGS);
    let out = m.words_buffer(OUT);
    let mut b = Build {
        table,
        section,
        m,
        args,
        out,
        block: None,
        stride,
        expected: Vec::new(),
        base: String::new(),
    };
    let mut words: Vec<u32> = Vec::new();
    for row in &section.rows {
        for (bits, s) in row.args.iter().zip(section.args.iter().flat_map(Type::leaves)) {
            words.push(*bits as u32);
            if s.words() == 2 {
                words.push((*bits >> 32) as u32);
            }
        }
    }
    let widths: &[usize] = if wide { &[1, 2, 3, 4] } else { &[1] };
    let label = |n: usize| if n == 1 { format!("{kind:?}") } else { format!("{kind:?}, vector of {n}") };
    // The components of a vector are consecutive rows, with wrap-around.
    let step = if section.group { LANES } else { 1 };
    let run = |first: usize, n: usize| (0..n).map(|k| (first + k * step) % rows).collect::<Vec<_>>();
    if section.group && kind != Kind::Varying {
        return None;
    }
    if section.group {
        b.m.capability(group_capability(&table.name));
        if table.name == "OpGroupNonUniformRotateKHR" {
            b.m.extension("SPV_KHR_subgroup_rotate");
        }
    }
    if ["OpSDot", "OpUDot", "OpSUDot"].iter().any(|n| table.name.starts_with(n)) {
        b.m.extension("SPV_KHR_integer_dot_product");
        b.m.capability("DotProduct");
        b.m.capability(match section.args.first() {
            Some(Type::Vector(Scalar::Int(8, _), 4)) => "DotProductInput4x8Bit",
            Some(Type::Scalar(_)) => "DotProductInput4x8BitPacked",
            _ => "DotProductInputAll",
        });
    }
    let mut groups = 1;
    match kind {
        Kind::Constant | Kind::Uniform | Kind::Specialized => {
            let from = match kind {
                Kind::Constant => From::Constant,
                Kind::Specialized => From::Specialized,
                _ => From::Uniform,
            };
            if kind == Kind::Specialized {
                let float = |t: &Type| t.leaves().iter().any(|s| matches!(s, Scalar::Float(_)));
                let quantize = table.name == "OpQuantizeToF16";
                let floats = !quantize && section.args.iter().any(float);
                if table.extended || floats || !SPECIALIZABLE.contains(&table.name.as_str()) {
                    return None;
                }
            }
            if kind == Kind::Uniform {
                b.block = Some(b.m.uniform_buffer(BLOCK, (rows * stride).div_ceil(4) as u32));
            }
            // Rows spread evenly over the table. Vector forms work alike in each component, so one of each is enough.
            for row in (0..rows).step_by(rows.div_ceil(STRAIGHT_ROWS)) {
                b.apply(&vec![from; operands], &[row], None, 1, &label(1));
            }
            for &n in widths.iter().filter(|n| **n > 1) {
                b.apply(&vec![from; operands], &run(n, n), None, 1, &label(n));
            }
        }
        Kind::Varying => {
            let id = b.m.builtin("GlobalInvocationId", &Type::Vector(WORD, 3));
            let (vector, word) = (b.m.ty(&Type::Vector(WORD, 3)), b.word());
            let id = b.m.push(&format!("OpLoad {vector} {id}"));
            let id = b.m.push(&format!("OpCompositeExtract {word} {id} 0"));
            groups = (rows as u32).div_ceil(LOCAL);
            let lanes = (groups * LOCAL) as usize;
            for &n in widths {
                // Component `k` of invocation `i` is row (i + k) mod rows; the rows are stored twice.
                let scale = b.m.u32(stride as u32);
                b.base = b.m.push(&format!("OpIMul {word} {id} {scale}"));
                let before = b.expected.len();
                b.apply(&vec![From::Varying; operands], &run(0, n), Some(&id), lanes, &label(n));
                // `apply` expected the values of the first row in every invocation.
                let per = (b.expected.len() - before) / lanes;
                for k in 0..per {
                    let (component, leaf) = leaf_of(section, k, n);
                    for lane in 0..lanes {
                        let e = &mut b.expected[before + k * lanes + lane];
                        let row = &section.rows[(lane + component * step) % rows];
                        let used = lane < rows && leaf.is_some();
                        e.want = leaf.filter(|_| used).and_then(|leaf| row.want.get(leaf).copied().flatten());
                        (e.line, e.tolerance) = (row.line, row.tolerance);
                    }
                }
            }
            // Invocation `i` reads up to row i + 3 or, in `group` sections, up to 24 rows further.
            let once = words.clone();
            words.extend(once.iter().cycle().take(3 * stride.max(once.len())));
        }
        Kind::Mixed => {
            if operands < 2 {
                return None;
            }
            b.block = Some(b.m.uniform_buffer(BLOCK, (rows * stride).div_ceil(4) as u32));
            let zeros = b.m.words_buffer(ZEROS);
            let lane = b.m.builtin("LocalInvocationIndex", &Type::Scalar(WORD));
            let word = b.word();
            let lane = b.m.push(&format!("OpLoad {word} {lane}"));
            let pointer = b.m.pointer("StorageBuffer", &word);
            let zero = b.m.u32(0);
            let pointer = b.m.push(&format!("OpAccessChain {pointer} {zeros} {zero} {lane}"));
            b.base = b.m.push(&format!("OpLoad {word} {pointer}"));
            for varying in 0..operands {
                for other in [From::Uniform, From::Constant] {
                    let from: Vec<From> =
                        (0..operands).map(|i| if i == varying { From::Varying } else { other }).collect();
                    let form = format!("operand {varying} varying, others {other:?}");
                    for row in 0..rows.min(MIXED_ROWS) {
                        b.apply(&from, &[row], Some(&lane), LOCAL as usize, &form);
                    }
                }
            }
        }
    }
    let bytes = |w: &[u32]| w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
    let mut buffers = vec![
        Buffer { set: 0, binding: ARGS, bytes: bytes(&words) },
        Buffer { set: 0, binding: OUT, bytes: vec![0xcd; 4 * b.expected.len()] },
    ];
    if b.block.is_some() {
        let mut block = bytes(&words);
        block.resize(block.len().next_multiple_of(16), 0);
        buffers.push(Buffer { set: 0, binding: BLOCK, bytes: block });
        buffers.push(Buffer { set: 0, binding: ZEROS, bytes: vec![0; 4 * LOCAL as usize] });
    }
    let job = Job {
        buffers,
        descriptors: Vec::new(),
        push: Vec::new(),
        work: Work::Compute([groups, 1, 1]),
        given: Given::default(),
    };
    Some(Made { text: b.m.finish(), job, expected: b.expected })
}

/// Splits the index of a stored word of a result widened by `n`: component, and scalar (`None` for a high half).
fn leaf_of(section: &Section, k: usize, n: usize) -> (usize, Option<usize>) {
    let mut at = 0;
    for (leaf, s) in section.result.leaves().into_iter().enumerate() {
        for component in 0..n {
            for half in 0..s.words() {
                if at == k {
                    return (component, Some(leaf).filter(|_| half == 0));
                }
                at += 1;
            }
        }
    }
    (0, None)
}

impl Made {
    /// Output words for each stored word of the shader: one per invocation.
    pub(super) fn lanes(&self) -> usize {
        match &self.job.work {
            Work::Compute([n, 1, 1]) if self.text.contains(&format!("LocalSize {LOCAL} 1 1")) => {
                (n * LOCAL) as usize
            }
            _ => 1,
        }
    }
}
