//! Makes the module of a section for one kind of operand source, with its job and the expected results.

use super::build::{ARGS, BLOCK, Build, Expected, From, LANES, LOCAL, OUT, WORD, ZEROS, group_capability};
use super::{Extent, Kind, Section, Table};
use crate::lanes::{Buffer, Given, Job, Work};
use crate::text::Module;
use crate::value::{Scalar, Type};

/// Number of rows with constant and with uniform operands; varying operands take all rows.
const STRAIGHT_ROWS: usize = 14;
/// Number of rows with operands from different sources, in full modules. Short ones take the first row.
const MIXED_ROWS: usize = 5;

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
pub fn make(table: &Table, section: &Section, kind: Kind, extent: Extent) -> Option<Made> {
    if !accepts(table, section, kind) {
        return None;
    }
    let stride: usize = section.args.iter().flat_map(Type::leaves).map(Scalar::words).sum();
    let local = if matches!(kind, Kind::Varying | Kind::Mixed) { LOCAL } else { 1 };
    let mut m = Module::new([local, 1, 1]);
    let args = m.words_buffer(ARGS);
    let out = m.words_buffer(OUT);
    let mut b = Build {
        table,
        section,
        extent,
        m,
        args,
        out,
        block: None,
        stride,
        expected: Vec::new(),
        base: String::new(),
    };
    let mut words = operand_words(section);
    b.require();
    let mut groups = 1;
    match kind {
        Kind::Constant => b.straight(From::Constant, kind),
        Kind::Specialized => b.straight(From::Specialized, kind),
        Kind::Uniform => {
            b.add_block();
            b.straight(From::Uniform, kind);
        }
        Kind::Varying => {
            groups = b.varying(kind);
            // Invocation `i` reads up to row i + 3 or, in `group` sections, up to 24 rows further.
            let once = words.clone();
            words.extend(once.iter().cycle().take(3 * stride.max(once.len())));
        }
        Kind::Mixed => b.mixed(),
    }
    Some(b.finish(&words, groups))
}

/// `true` if the instruction accepts operands of a kind.
fn accepts(table: &Table, section: &Section, kind: Kind) -> bool {
    let of_group = !section.group || kind == Kind::Varying;
    of_group
        && match kind {
            Kind::Constant | Kind::Uniform | Kind::Varying => true,
            Kind::Mixed => section.args.len() >= 2,
            Kind::Specialized => {
                let float = |t: &Type| t.leaves().iter().any(|s| matches!(s, Scalar::Float(_)));
                let floats = table.name != "OpQuantizeToF16" && section.args.iter().any(float);
                table.extended.is_none() && !floats && SPECIALIZABLE.contains(&table.name.as_str())
            }
        }
}

/// Words of the operands of all rows.
fn operand_words(section: &Section) -> Vec<u32> {
    let mut words: Vec<u32> = Vec::new();
    for row in &section.rows {
        for (bits, s) in row.args.iter().zip(section.args.iter().flat_map(Type::leaves)) {
            words.push(*bits as u32);
            if s.words() == 2 {
                words.push((*bits >> 32) as u32);
            }
        }
    }
    words
}

/// Description of operands of a kind, as vectors of `n`.
fn label(kind: Kind, n: usize) -> String {
    if n == 1 { format!("{kind:?}") } else { format!("{kind:?}, vector of {n}") }
}

impl Build<'_> {
    /// Sizes of the vectors to which operands and results are widened.
    fn widths(&self) -> &'static [usize] {
        let section = self.section;
        let wide = self.extent == Extent::Full
            && !section.scalar
            && section.result.widen(2).is_some()
            && section.args.iter().all(|t| t.widen(2).is_some());
        if wide { &[1, 2, 3, 4] } else { &[1] }
    }

    /// Distance between the rows of two components of a vector.
    fn step(&self) -> usize {
        if self.section.group { LANES } else { 1 }
    }

    /// Rows of the components of a vector: consecutive ones, with wrap-around.
    fn run(&self, first: usize, n: usize) -> Vec<usize> {
        (0..n).map(|k| (first + k * self.step()) % self.section.rows.len()).collect()
    }

    /// Adds the uniform buffer of the operands.
    fn add_block(&mut self) {
        let words = self.section.rows.len() * self.stride;
        self.block = Some(self.m.uniform_buffer(BLOCK, words.div_ceil(4) as u32));
    }

    /// Declares the capabilities and extensions of the instruction.
    fn require(&mut self) {
        let (table, section) = (self.table, self.section);
        if section.group {
            self.m.capability(group_capability(&table.name));
            if table.name == "OpGroupNonUniformRotateKHR" {
                self.m.extension("SPV_KHR_subgroup_rotate");
            }
        }
        if table.name.ends_with("INTEL") {
            self.m.extension("SPV_INTEL_shader_integer_functions2");
            self.m.capability("IntegerFunctions2INTEL");
        }
        if ["OpSDot", "OpUDot", "OpSUDot"].iter().any(|n| table.name.starts_with(n)) {
            self.m.extension("SPV_KHR_integer_dot_product");
            self.m.capability("DotProduct");
            self.m.capability(match section.args.first() {
                Some(Type::Vector(Scalar::Int(8, _), 4)) => "DotProductInput4x8Bit",
                Some(Type::Scalar(_)) => "DotProductInput4x8BitPacked",
                _ => "DotProductInputAll",
            });
        }
    }

    /// Applies the instruction to single rows.
    fn straight(&mut self, from: From, kind: Kind) {
        let (rows, from) = (self.section.rows.len(), vec![from; self.section.args.len()]);
        // Rows spread evenly over the table. Vector forms work alike in each component, so one of each is enough.
        for row in (0..rows).step_by(rows.div_ceil(STRAIGHT_ROWS)) {
            self.apply(&from, &[row], None, 1, &label(kind, 1));
        }
        for &n in self.widths().iter().filter(|n| **n > 1) {
            self.apply(&from, &self.run(n, n), None, 1, &label(kind, n));
        }
    }

    /// Applies the instruction to one row per invocation. Returns the number of workgroups.
    fn varying(&mut self, kind: Kind) -> u32 {
        let (section, stride, step) = (self.section, self.stride, self.step());
        let (rows, operands) = (section.rows.len(), section.args.len());
        let id = self.m.builtin("GlobalInvocationId", &Type::Vector(WORD, 3));
        let (vector, word) = (self.m.ty(&Type::Vector(WORD, 3)), self.word());
        let id = self.m.push(&format!("OpLoad {vector} {id}"));
        let id = self.m.push(&format!("OpCompositeExtract {word} {id} 0"));
        let groups = (rows as u32).div_ceil(LOCAL);
        let lanes = (groups * LOCAL) as usize;
        for &n in self.widths() {
            // Component `k` of invocation `i` is row (i + k) mod rows; the rows are stored twice.
            let scale = self.m.u32(stride as u32);
            self.base = self.m.push(&format!("OpIMul {word} {id} {scale}"));
            let before = self.expected.len();
            self.apply(&vec![From::Varying; operands], &self.run(0, n), Some(&id), lanes, &label(kind, n));
            // `apply` expected the values of the first row in every invocation.
            let per = (self.expected.len() - before) / lanes;
            for k in 0..per {
                let (component, leaf) = leaf_of(section, k, n);
                for lane in 0..lanes {
                    let e = &mut self.expected[before + k * lanes + lane];
                    let row = &section.rows[(lane + component * step) % rows];
                    let used = lane < rows && leaf.is_some();
                    e.want = leaf.filter(|_| used).and_then(|leaf| row.want.get(leaf).copied().flatten());
                    (e.line, e.tolerance) = (row.line, row.tolerance);
                }
            }
        }
        groups
    }

    /// Applies the instruction to operands of which one is varying.
    fn mixed(&mut self) {
        let (rows, operands) = (self.section.rows.len(), self.section.args.len());
        let rows = match self.extent {
            Extent::Full => rows.min(MIXED_ROWS),
            Extent::Short => rows.min(1),
        };
        self.add_block();
        let zeros = self.m.words_buffer(ZEROS);
        let lane = self.m.builtin("LocalInvocationIndex", &Type::Scalar(WORD));
        let word = self.word();
        let lane = self.m.push(&format!("OpLoad {word} {lane}"));
        let pointer = self.m.pointer("StorageBuffer", &word);
        let zero = self.m.u32(0);
        let pointer = self.m.push(&format!("OpAccessChain {pointer} {zeros} {zero} {lane}"));
        self.base = self.m.push(&format!("OpLoad {word} {pointer}"));
        for varying in 0..operands {
            for other in [From::Uniform, From::Constant] {
                let from: Vec<From> =
                    (0..operands).map(|i| if i == varying { From::Varying } else { other }).collect();
                let form = format!("operand {varying} varying, others {other:?}");
                for row in 0..rows {
                    self.apply(&from, &[row], Some(&lane), LOCAL as usize, &form);
                }
            }
        }
    }

    /// The finished module, with its buffers.
    fn finish(self, words: &[u32], groups: u32) -> Made {
        let bytes = |w: &[u32]| w.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>();
        let mut buffers = vec![
            Buffer { set: 0, binding: ARGS, bytes: bytes(words) },
            Buffer { set: 0, binding: OUT, bytes: vec![0xcd; 4 * self.expected.len()] },
        ];
        if self.block.is_some() {
            let mut block = bytes(words);
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
        Made { text: self.m.finish(), job, expected: self.expected }
    }
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
