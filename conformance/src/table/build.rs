//! Text of the modules of a table: operands, the instruction, stores of its results.

use std::sync::Arc;

use super::{Extent, Section, Table};
use crate::text::Module;
use crate::value::{Scalar, Tolerance, Type};

/// Source of one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
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

pub(super) const ARGS: u32 = 0;
pub(super) const OUT: u32 = 1;
/// Index of the output among the buffers of a module.
pub const OUTPUT: usize = OUT as usize;
pub(super) const BLOCK: u32 = 2;
pub(super) const ZEROS: u32 = 3;
/// Invocations per workgroup: two lane groups of 8, or half a lane group of 32.
pub(super) const LOCAL: u32 = 16;
/// Subgroup size of `group` sections.
pub(super) const LANES: usize = 8;

/// Builds the module of a section.
pub(super) struct Build<'a> {
    pub table: &'a Table,
    pub section: &'a Section,
    pub extent: Extent,
    pub m: Module,
    pub args: String,
    pub out: String,
    pub block: Option<String>,
    /// Operand words per row.
    pub stride: usize,
    pub expected: Vec<Expected>,
    /// Id of the word index of a varying row's first operand, and id of the zero.
    pub base: String,
}

impl<'a> Build<'a> {
    /// Returns the id of the word type.
    pub fn word(&mut self) -> String {
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
    pub fn apply(&mut self, from: &[From], rows: &[usize], index: Option<&str>, lanes: usize, form: &str) {
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
            (Some(set), _) => self.m.push(&format!("OpExtInst {ty} {set} {name} {operands}")),
            (None, From::Specialized) => {
                let name = name.trim_start_matches("Op");
                self.m.unique(&format!("OpSpecConstantOp {ty} {name} {operands}"))
            }
            (None, _) => self.m.push(&format!("{name} {ty} {operands}")),
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

/// Type of buffer words.
pub(super) const WORD: Scalar = Scalar::Int(32, false);

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
pub(super) fn group_capability(name: &str) -> &'static str {
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
