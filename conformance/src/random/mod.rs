//! Random structured compute modules: divergent ifs, loops with breaks and continues, switches, calls with
//! early returns, dynamically indexed arrays, workgroup memory with barriers in uniform flow, all kinds of
//! arithmetic. Free of data races and of NaN bits that could be seen, hence with one right outcome.
//!
//! The same seed gives the same module. A limit on the number of statements cuts it short without changing
//! what comes before, so that the shortest failing module can be searched for.

use std::fmt::Write;

use crate::lanes::{Buffer, Given, Job, Work};
use crate::text::{ENTRY, GLSL, Module};
use crate::value::{Scalar, Type};

/// SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence of its own for each seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }
    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.bits() % n.max(1) as u64) as usize
    }
    /// One in `n`.
    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    /// One of a list that is not empty.
    pub fn pick<'a, T>(&mut self, list: &'a [T]) -> &'a T {
        &list[self.below(list.len())]
    }
}

const U: Scalar = Scalar::Int(32, false);
const I: Scalar = Scalar::Int(32, true);
const F: Scalar = Scalar::Float(32);
const B: Scalar = Scalar::Bool;

/// A scalar or a vector of up to four.
type Ty = (Scalar, u32);

/// Result scalar, instruction (lower case: GLSL.std.450), operand scalars; all as wide as the result.
#[rustfmt::skip]
const MAPS: &[(Scalar, &str, &[Scalar])] = &[
    (F, "OpFAdd", &[F, F]), (F, "OpFSub", &[F, F]), (F, "OpFMul", &[F, F]), (F, "OpFDiv", &[F, F]),
    (F, "OpFRem", &[F, F]), (F, "OpFMod", &[F, F]), (F, "OpFNegate", &[F]), (F, "OpSelect", &[B, F, F]),
    (F, "OpConvertUToF", &[U]), (F, "OpConvertSToF", &[I]), (F, "OpQuantizeToF16", &[F]),
    (F, "FAbs", &[F]), (F, "Floor", &[F]), (F, "Ceil", &[F]), (F, "Trunc", &[F]), (F, "Fract", &[F]),
    (F, "RoundEven", &[F]), (F, "FSign", &[F]), (F, "Sqrt", &[F]), (F, "InverseSqrt", &[F]), (F, "FMin", &[F, F]),
    (F, "FMax", &[F, F]), (F, "NMin", &[F, F]), (F, "NMax", &[F, F]), (F, "FClamp", &[F, F, F]),
    (F, "NClamp", &[F, F, F]), (F, "FMix", &[F, F, F]), (F, "Step", &[F, F]), (F, "SmoothStep", &[F, F, F]),
    (F, "Fma", &[F, F, F]), (F, "Sin", &[F]), (F, "Cos", &[F]), (F, "Tan", &[F]), (F, "Exp2", &[F]), (F, "Log2", &[F]),
    (F, "Exp", &[F]), (F, "Log", &[F]), (F, "Pow", &[F, F]), (F, "Atan2", &[F, F]), (F, "Asin", &[F]),
    (F, "Tanh", &[F]), (F, "Asinh", &[F]), (F, "Ldexp", &[F, I]), (F, "Radians", &[F]), (F, "Normalize", &[F]),
    (U, "OpIAdd", &[U, U]), (U, "OpISub", &[U, U]), (U, "OpIMul", &[U, U]), (U, "OpUDiv", &[U, U]),
    (U, "OpUMod", &[U, U]), (U, "OpShiftLeftLogical", &[U, U]), (U, "OpShiftRightLogical", &[U, U]),
    (U, "OpBitwiseAnd", &[U, U]), (U, "OpBitwiseOr", &[U, U]), (U, "OpBitwiseXor", &[U, U]), (U, "OpNot", &[U]),
    (U, "OpBitReverse", &[U]), (U, "OpBitCount", &[U]), (U, "OpConvertFToU", &[F]), (U, "OpSelect", &[B, U, U]),
    (U, "OpBitcast", &[I]), (U, "UMin", &[U, U]), (U, "UMax", &[U, U]), (U, "UClamp", &[U, U, U]),
    (U, "FindUMsb", &[U]), (U, "FindILsb", &[U]),
    (I, "OpIAdd", &[I, I]), (I, "OpISub", &[I, I]), (I, "OpIMul", &[I, I]), (I, "OpSDiv", &[I, I]),
    (I, "OpSRem", &[I, I]), (I, "OpSMod", &[I, I]), (I, "OpSNegate", &[I]), (I, "OpShiftRightArithmetic", &[I, U]),
    (I, "OpConvertFToS", &[F]), (I, "OpSelect", &[B, I, I]), (I, "OpBitcast", &[U]), (I, "SMin", &[I, I]),
    (I, "SMax", &[I, I]), (I, "SClamp", &[I, I, I]), (I, "SAbs", &[I]), (I, "SSign", &[I]), (I, "FindSMsb", &[I]),
    (B, "OpFOrdLessThan", &[F, F]), (B, "OpFOrdGreaterThan", &[F, F]), (B, "OpFUnordLessThan", &[F, F]),
    (B, "OpFOrdEqual", &[F, F]), (B, "OpFUnordNotEqual", &[F, F]), (B, "OpFOrdLessThanEqual", &[F, F]),
    (B, "OpFUnordGreaterThanEqual", &[F, F]), (B, "OpFOrdNotEqual", &[F, F]), (B, "OpIsNan", &[F]), (B, "OpIsInf", &[F]),
    (B, "OpIEqual", &[U, U]), (B, "OpINotEqual", &[I, I]), (B, "OpULessThan", &[U, U]), (B, "OpSLessThan", &[I, I]),
    (B, "OpUGreaterThanEqual", &[U, U]), (B, "OpSGreaterThan", &[I, I]), (B, "OpULessThanEqual", &[U, U]),
    (B, "OpLogicalAnd", &[B, B]), (B, "OpLogicalOr", &[B, B]), (B, "OpLogicalNot", &[B]),
    (B, "OpLogicalEqual", &[B, B]), (B, "OpLogicalNotEqual", &[B, B]), (B, "OpSelect", &[B, B, B]),
];

/// Words that each invocation stores in the end, and words of the input buffers.
const SLOTS: usize = 16;
const INPUTS: usize = 64;
/// Elements of private and workgroup arrays.
const ARRAY: u32 = 8;

/// A function that can be called.
struct Callee {
    id: String,
    result: Ty,
    params: Vec<Ty>,
}

/// Where breaks and continues may go.
#[derive(Clone, Default)]
struct Exits {
    /// Merge and continue block of the innermost loop.
    around: Option<(String, String)>,
    /// Merge block of the innermost switch, if no loop is inside it.
    switch: Option<String>,
    /// The function may be left here.
    returns: bool,
    /// Barriers are allowed.
    uniform: bool,
}

struct Generator {
    m: Module,
    r: Random,
    /// Statements that may still be made.
    left: usize,
    values: Vec<(String, Ty)>,
    variables: Vec<(String, Ty)>,
    /// Function and private arrays of `u32`: variable and storage class.
    arrays: Vec<(String, &'static str)>,
    callees: Vec<Callee>,
    shared: String,
    local_index: String,
    input: String,
    block: String,
    out: String,
    counter: String,
    /// The label of the block that is being written.
    current: String,
    /// What the current function returns.
    returned: Option<Ty>,
}

/// A module and what it is run on.
pub struct Made {
    /// SPIR-V text.
    pub text: String,
    /// What it was made of.
    pub seed: u64,
    /// Statements in it.
    pub statements: usize,
    /// Invocations of a workgroup.
    local: u32,
    groups: u32,
}

impl Made {
    /// Buffers and workgroups: input set `k`.
    pub fn job(&self, k: u64) -> Job {
        let mut r = Random::new(self.seed ^ k.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5555);
        let mut words = |n: usize| -> Vec<u8> {
            (0..n)
                .flat_map(|_| {
                    let bits = r.bits();
                    let word = match r.below(4) {
                        0 => (bits % 16) as u32,
                        1 => ((bits % 4096) as f32 / 64.0 - 32.0).to_bits(),
                        2 => *r.pick(&SPECIAL),
                        _ => bits as u32,
                    };
                    word.to_le_bytes()
                })
                .collect()
        };
        let invocations = (self.local * self.groups) as usize;
        let buffers = vec![
            Buffer { set: 0, binding: 0, bytes: words(INPUTS) },
            Buffer { set: 0, binding: 1, bytes: vec![0; 4 * SLOTS * invocations] },
            Buffer { set: 0, binding: 2, bytes: vec![0; 64] },
            Buffer { set: 0, binding: 3, bytes: words(INPUTS) },
        ];
        Job { buffers, push: Vec::new(), work: Work::Compute([self.groups, 1, 1]), given: Given::default() }
    }
}

/// Words at the edges.
const SPECIAL: [u32; 7] = [0x7f80_0000, 0x8000_0000, 0x3f80_0000, 0xffff_ffff, 1, 0xff80_0000, 0x7f7f_ffff];

/// Makes the module of a seed with at most `limit` statements.
pub fn make(seed: u64, limit: usize) -> Made {
    let mut r = Random::new(seed);
    let local = *r.pick(&[1, 5, 8, 24, 32, 40]);
    let groups = r.below(3) as u32 + 1;
    let mut m = Module::new([local, 1, 1]);
    let input = m.words_buffer(0);
    let out = m.words_buffer(1);
    let counter = m.words_buffer(2);
    let block = m.uniform_buffer(3, INPUTS as u32 / 4);
    let word = m.scalar(U);
    let n = m.u32(64);
    let array = m.global(&format!("OpTypeArray {word} {n}"));
    let pointer = m.pointer("Workgroup", &array);
    let shared = m.unique(&format!("OpVariable {pointer} Workgroup"));
    let mut g = Generator {
        m,
        r,
        left: limit,
        values: Vec::new(),
        variables: Vec::new(),
        arrays: Vec::new(),
        callees: Vec::new(),
        shared,
        local_index: String::new(),
        input,
        block,
        out,
        counter,
        current: ENTRY.into(),
        returned: None,
    };
    for _ in 0..g.r.below(3) {
        g.function();
    }
    g.main();
    let statements = limit - g.left;
    Made { text: g.m.finish(), seed, statements, local, groups }
}

impl Generator {
    fn ty(&mut self, (s, n): Ty) -> String {
        self.m.ty(&if n == 1 { Type::Scalar(s) } else { Type::Vector(s, n) })
    }

    fn random_ty(&mut self) -> Ty {
        let s = *self.r.pick(&[F, F, U, U, I, B]);
        (s, *self.r.pick(&[1, 1, 1, 2, 3, 4]))
    }

    fn constant(&mut self, (s, n): Ty) -> String {
        let bits: Vec<u64> = (0..n)
            .map(|_| match s {
                Scalar::Bool => self.r.bits() & 1,
                Scalar::Float(_) => {
                    let list = [0.0f32, 1.0, -1.0, 0.5, 2.0, 3.75, -7.5, 100.0, 1e-3, 1e30, -0.0, 6.25, 0.1];
                    u64::from(self.r.pick(&list).to_bits())
                }
                Scalar::Int(..) => {
                    *self.r.pick(&[0, 1, 2, 3, 4, 7, 8, 31, 32, 100, 0xffff_ffff, 0x8000_0000, 0x7fff_ffff])
                }
            })
            .collect();
        let ty = if n == 1 { Type::Scalar(s) } else { Type::Vector(s, n) };
        self.m.composite(&ty, &mut bits.iter())
    }

    /// A word at a dynamic or constant place of a buffer, block or workgroup array.
    fn load_word(&mut self, depth: u32) -> String {
        let word = self.m.scalar(U);
        let zero = self.m.u32(0);
        match self.r.below(5) {
            0 | 1 => {
                let pointer = self.m.pointer("StorageBuffer", &word);
                let mut index = self.expression((U, 1), depth + 1);
                // Some are out of range.
                if !self.r.one_in(4) {
                    let mask = self.m.u32(INPUTS as u32 - 1);
                    index = self.m.push(&format!("OpBitwiseAnd {word} {index} {mask}"));
                }
                let input = self.input.clone();
                let p = self.m.push(&format!("OpAccessChain {pointer} {input} {zero} {index}"));
                self.m.push(&format!("OpLoad {word} {p}"))
            }
            2 | 3 => {
                let pointer = self.m.pointer("Uniform", &word);
                let (i, c) = (self.r.below(INPUTS / 4) as u32, self.r.below(4) as u32);
                let (i, c) = (self.m.u32(i), self.m.u32(c));
                let block = self.block.clone();
                let p = self.m.push(&format!("OpAccessChain {pointer} {block} {zero} {i} {c}"));
                self.m.push(&format!("OpLoad {word} {p}"))
            }
            _ => match self.arrays.is_empty() {
                true => self.m.u32(5),
                false => {
                    let p = self.element(depth);
                    self.m.push(&format!("OpLoad {word} {p}"))
                }
            },
        }
    }

    /// A pointer to an element of a private array, mostly in range.
    fn element(&mut self, depth: u32) -> String {
        let word = self.m.scalar(U);
        let (array, class) = self.r.pick(&self.arrays).clone();
        let pointer = self.m.pointer(class, &word);
        let mut index = match self.r.one_in(3) {
            true => self.m.u32(self.r.clone().below(ARRAY as usize) as u32),
            false => self.expression((U, 1), depth + 1),
        };
        if !self.r.one_in(6) {
            let mask = self.m.u32(ARRAY - 1);
            index = self.m.push(&format!("OpBitwiseAnd {word} {index} {mask}"));
        }
        self.m.push(&format!("OpAccessChain {pointer} {array} {index}"))
    }

    /// A float's bits; NaN becomes 0, since its bits are not part of the contract.
    fn observe(&mut self, id: &str) -> String {
        let (word, f, b) = (self.m.scalar(U), self.m.scalar(F), self.m.scalar(B));
        let zero = self.m.constant(F, 0);
        let nan = self.m.push(&format!("OpIsNan {b} {id}"));
        let clean = self.m.push(&format!("OpSelect {f} {nan} {zero} {id}"));
        self.m.push(&format!("OpBitcast {word} {clean}"))
    }

    /// An expression of a type.
    fn expression(&mut self, ty: Ty, depth: u32) -> String {
        let (s, n) = ty;
        let id = self.ty(ty);
        let known: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i].1 == ty).collect();
        let variables: Vec<usize> =
            (0..self.variables.len()).filter(|&i| self.variables[i].1 == ty).collect();
        let choice = if depth > 3 { self.r.below(3) } else { self.r.below(12) };
        match choice {
            0 if !known.is_empty() => self.values[*self.r.pick(&known)].0.clone(),
            1 if !variables.is_empty() => {
                let v = self.variables[*self.r.pick(&variables)].0.clone();
                self.m.push(&format!("OpLoad {id} {v}"))
            }
            0..=2 if !known.is_empty() && !self.r.one_in(3) => self.values[*self.r.pick(&known)].0.clone(),
            0..=2 => self.constant(ty),
            3 if n == 1 && s != B => {
                let w = self.load_word(depth);
                if s == U { w } else { self.m.push(&format!("OpBitcast {id} {w}")) }
            }
            3 | 4 if n > 1 => {
                let parts: Vec<String> = (0..n).map(|_| self.expression((s, 1), depth + 1)).collect();
                self.m.push(&format!("OpCompositeConstruct {id} {}", parts.join(" ")))
            }
            4 if n == 1 => {
                let wide = self.r.below(3) as u32 + 2;
                let v = self.expression((s, wide), depth + 1);
                match self.r.one_in(2) {
                    true => self.m.push(&format!("OpCompositeExtract {id} {v} {}", wide - 1)),
                    false => {
                        let word = self.m.scalar(U);
                        let i = self.expression((U, 1), depth + 1);
                        // Out of range is undefined.
                        let limit = self.m.u32(wide);
                        let i = self.m.push(&format!("OpUMod {word} {i} {limit}"));
                        self.m.push(&format!("OpVectorExtractDynamic {id} {v} {i}"))
                    }
                }
            }
            5 if n == 1 => self.special(s, depth),
            5 => {
                let wide = self.r.below(3) as u32 + 2;
                let (a, b) = (self.expression((s, wide), depth + 1), self.expression((s, n), depth + 1));
                let parts: Vec<String> =
                    (0..n).map(|_| self.r.below((wide + n) as usize).to_string()).collect();
                self.m.push(&format!("OpVectorShuffle {id} {a} {b} {}", parts.join(" ")))
            }
            6 if !self.callees.is_empty() && self.r.one_in(2) => self.call(ty, depth),
            _ => {
                let rows: Vec<_> = MAPS.iter().filter(|r| r.0 == s).collect();
                let (_, name, args) = **self.r.pick(&rows);
                if name == "Normalize" && n == 1 {
                    return self.constant(ty);
                }
                let args: Vec<String> = args.iter().map(|a| self.expression((*a, n), depth + 1)).collect();
                let args = args.join(" ");
                match name.starts_with("Op") {
                    true => self.m.push(&format!("{name} {id} {args}")),
                    false => self.m.push(&format!("OpExtInst {id} {GLSL} {name} {args}")),
                }
            }
        }
    }

    /// Instructions whose operands are not as wide as the result.
    fn special(&mut self, s: Scalar, depth: u32) -> String {
        let id = self.m.scalar(s);
        let wide = self.r.below(3) as u32 + 2;
        match s {
            Scalar::Float(_) => {
                let v = self.expression((F, wide), depth + 1);
                match self.r.below(3) {
                    0 => {
                        let w = self.expression((F, wide), depth + 1);
                        self.m.push(&format!("OpDot {id} {v} {w}"))
                    }
                    1 => self.m.push(&format!("OpExtInst {id} {GLSL} Length {v}")),
                    _ => {
                        let w = self.expression((F, wide), depth + 1);
                        self.m.push(&format!("OpExtInst {id} {GLSL} Distance {v} {w}"))
                    }
                }
            }
            Scalar::Bool => {
                let v = self.expression((B, wide), depth + 1);
                let name = if self.r.one_in(2) { "OpAny" } else { "OpAll" };
                self.m.push(&format!("{name} {id} {v}"))
            }
            Scalar::Int(_, false) => match self.r.below(3) {
                0 => {
                    let v = self.expression((F, 1), depth + 1);
                    self.observe(&v)
                }
                1 => {
                    let v = self.expression((F, 2), depth + 1);
                    let name = *self.r.pick(&["PackUnorm2x16", "PackSnorm2x16"]);
                    self.m.push(&format!("OpExtInst {id} {GLSL} {name} {v}"))
                }
                _ => {
                    let pair = self.m.ty(&Type::Struct(vec![Type::Scalar(U); 2]));
                    let (a, b) = (self.expression((U, 1), depth + 1), self.expression((U, 1), depth + 1));
                    let name = *self.r.pick(&["OpIAddCarry", "OpISubBorrow", "OpUMulExtended"]);
                    let both = self.m.push(&format!("{name} {pair} {a} {b}"));
                    self.m.push(&format!("OpCompositeExtract {id} {both} 1"))
                }
            },
            Scalar::Int(..) => {
                let v = self.expression((I, 1), depth + 1);
                let (o, c) = (self.expression((U, 1), depth + 1), self.expression((U, 1), depth + 1));
                let word = self.m.scalar(U);
                let mask = self.m.u32(15);
                let o = self.m.push(&format!("OpBitwiseAnd {word} {o} {mask}"));
                let c = self.m.push(&format!("OpBitwiseAnd {word} {c} {mask}"));
                self.m.push(&format!("OpBitFieldSExtract {id} {v} {o} {c}"))
            }
        }
    }

    /// A call, or something else of the type if no function gives it.
    fn call(&mut self, ty: Ty, depth: u32) -> String {
        let fitting: Vec<usize> = (0..self.callees.len()).filter(|&i| self.callees[i].result == ty).collect();
        if fitting.is_empty() {
            return self.constant(ty);
        }
        let at = *self.r.pick(&fitting);
        let (id, params) = (self.callees[at].id.clone(), self.callees[at].params.clone());
        let args: Vec<String> = params.iter().map(|p| self.expression(*p, depth + 2)).collect();
        let result = self.ty(ty);
        self.m.push(&format!("OpFunctionCall {result} {id} {}", args.join(" ")))
    }

    fn label(&mut self, id: &str) {
        self.m.push_only(&format!("{id} = OpLabel"));
        self.current = id.into();
    }

    /// Local variables with first values, and an array; text of the declarations goes to `m.variables`.
    fn locals(&mut self) {
        let n = self.r.below(4) + 3;
        let mut stores = Vec::new();
        for _ in 0..n {
            let ty = self.random_ty();
            let id = self.ty(ty);
            let pointer = self.m.pointer("Function", &id);
            let v = self.m.fresh();
            let init = self.constant(ty);
            match self.r.one_in(3) {
                true => {
                    let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function {init}");
                }
                false => {
                    let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function");
                    stores.push(format!("OpStore {v} {init}"));
                }
            }
            self.variables.push((v, ty));
        }
        if self.r.one_in(2) {
            let word = self.m.scalar(U);
            let size = self.m.u32(ARRAY);
            let array = self.m.global(&format!("OpTypeArray {word} {size}"));
            let pointer = self.m.pointer("Function", &array);
            let v = self.m.fresh();
            let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function");
            let element = self.m.pointer("Function", &word);
            for k in 0..ARRAY {
                let k_id = self.m.u32(k);
                let p = self.m.push(&format!("OpAccessChain {element} {v} {k_id}"));
                self.m.push_only(&format!("OpStore {p} {k_id}"));
            }
            self.arrays.push((v, "Function"));
        }
        for s in stores {
            self.m.push_only(&s);
        }
    }

    /// A function of its own, with early returns.
    fn function(&mut self) {
        let result = self.random_ty();
        let params: Vec<Ty> = (0..self.r.below(3) + 1).map(|_| self.random_ty()).collect();
        let outer_body = std::mem::take(&mut self.m.body);
        let outer_variables = std::mem::take(&mut self.m.variables);
        let (values, variables, arrays) = (
            std::mem::take(&mut self.values),
            std::mem::take(&mut self.variables),
            std::mem::take(&mut self.arrays),
        );
        let entry = self.m.fresh();
        self.current = entry.clone();
        let mut head = String::new();
        for p in &params {
            let (id, ty) = (self.m.fresh(), self.ty(*p));
            let _ = writeln!(head, "{id} = OpFunctionParameter {ty}");
            self.values.push((id, *p));
        }
        self.locals();
        self.returned = Some(result);
        let exits = Exits { returns: true, ..Exits::default() };
        if !self.statements(&exits, 1) {
            let v = self.expression(result, 0);
            self.m.push_only(&format!("OpReturnValue {v}"));
        }
        self.returned = None;
        let types: Vec<String> = params.iter().map(|p| self.ty(*p)).collect();
        let ty = self.ty(result);
        let function = self.m.global(&format!("OpTypeFunction {ty} {}", types.join(" ")));
        let id = self.m.fresh();
        let body = std::mem::replace(&mut self.m.body, outer_body);
        let locals = std::mem::replace(&mut self.m.variables, outer_variables);
        let _ = write!(
            self.m.functions,
            "{id} = OpFunction {ty} None {function}\n{head}{entry} = OpLabel\n{locals}{body}OpFunctionEnd\n"
        );
        (self.values, self.variables, self.arrays) = (values, variables, arrays);
        self.callees.push(Callee { id, result, params });
    }

    fn main(&mut self) {
        self.current = ENTRY.into();
        let word = self.m.scalar(U);
        let vector = self.m.ty(&Type::Vector(U, 3));
        let global = self.m.builtin("GlobalInvocationId", &Type::Vector(U, 3));
        let local = self.m.builtin("LocalInvocationIndex", &Type::Scalar(U));
        let global = self.m.push(&format!("OpLoad {vector} {global}"));
        let id = self.m.push(&format!("OpCompositeExtract {word} {global} 0"));
        self.local_index = self.m.push(&format!("OpLoad {word} {local}"));
        self.values.push((id.clone(), (U, 1)));
        let index = self.local_index.clone();
        self.values.push((index, (U, 1)));
        self.locals();
        let before = Exits { uniform: true, ..Exits::default() };
        self.statements(&before, 0);
        // What an invocation computed, first at what it has now, then again where it did not return.
        self.results(&id);
        let after = Exits { returns: true, ..Exits::default() };
        if self.statements(&after, 0) {
            // The text of `main` goes on with its end.
            let dead = self.m.fresh();
            self.label(&dead);
            return;
        }
        self.results(&id);
    }

    fn results(&mut self, id: &str) {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("StorageBuffer", &word);
        let (zero, slots) = (self.m.u32(0), self.m.u32(SLOTS as u32));
        let base = self.m.push(&format!("OpIMul {word} {id} {slots}"));
        let mut words = Vec::new();
        for (v, ty) in self.variables.clone() {
            let id = self.ty(ty);
            let value = self.m.push(&format!("OpLoad {id} {v}"));
            for k in 0..ty.1 {
                let scalar = self.m.scalar(ty.0);
                let part = match ty.1 {
                    1 => value.clone(),
                    _ => self.m.push(&format!("OpCompositeExtract {scalar} {value} {k}")),
                };
                words.push(match ty.0 {
                    Scalar::Float(_) => self.observe(&part),
                    Scalar::Bool => {
                        let one = self.m.u32(1);
                        self.m.push(&format!("OpSelect {word} {part} {one} {zero}"))
                    }
                    U => part,
                    _ => self.m.push(&format!("OpBitcast {word} {part}")),
                });
            }
        }
        for (k, w) in words.iter().enumerate() {
            // More than there are slots are mixed into them.
            let slot = self.m.u32((k % SLOTS) as u32);
            let at = self.m.push(&format!("OpIAdd {word} {base} {slot}"));
            let out = self.out.clone();
            let p = self.m.push(&format!("OpAccessChain {pointer} {out} {zero} {at}"));
            let old = self.m.push(&format!("OpLoad {word} {p}"));
            let odd = self.m.u32(0x9e37_79b1);
            let old = self.m.push(&format!("OpIMul {word} {old} {odd}"));
            let mixed = self.m.push(&format!("OpBitwiseXor {word} {old} {w}"));
            self.m.push_only(&format!("OpStore {p} {mixed}"));
        }
    }

    /// A list of statements; true if it ended with a branch out.
    fn statements(&mut self, exits: &Exits, depth: u32) -> bool {
        let n = self.r.below(if depth == 0 { 10 } else { 5 }) + 1;
        let known = self.values.len();
        let mut ended = false;
        for _ in 0..n {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            if self.statement(exits, depth) {
                ended = true;
                break;
            }
        }
        self.values.truncate(known);
        ended
    }

    fn statement(&mut self, exits: &Exits, depth: u32) -> bool {
        let deep = depth >= 4;
        match self.r.below(14) {
            0..=3 => {
                let (v, ty) = self.r.pick(&self.variables).clone();
                let e = self.expression(ty, 0);
                self.m.push_only(&format!("OpStore {v} {e}"));
            }
            4 => {
                let ty = self.random_ty();
                let e = self.expression(ty, 0);
                self.values.push((e, ty));
            }
            5 if !self.arrays.is_empty() => {
                let p = self.element(0);
                let e = self.expression((U, 1), 0);
                self.m.push_only(&format!("OpStore {p} {e}"));
            }
            6 | 7 if !deep => self.branch(exits, depth),
            8 | 9 if !deep => self.repeat(exits, depth),
            10 if !deep => self.switch(exits, depth),
            11 if exits.uniform => self.exchange(),
            11 if self.r.one_in(3) => self.count(),
            12 | 13 if depth > 1 || !exits.uniform => return self.leave(exits),
            _ => {
                let (v, ty) = self.r.pick(&self.variables).clone();
                let e = self.expression(ty, 1);
                self.m.push_only(&format!("OpStore {v} {e}"));
            }
        }
        false
    }

    /// A jump out of what is around, if there is one.
    fn leave(&mut self, exits: &Exits) -> bool {
        let mut ways: Vec<String> = Vec::new();
        if let Some((merge, next)) = &exits.around {
            ways.extend([merge.clone(), next.clone()]);
        }
        ways.extend(exits.switch.clone());
        if exits.returns && (ways.is_empty() || self.r.one_in(3)) {
            match self.returned {
                Some(ty) => {
                    let v = self.expression(ty, 1);
                    self.m.push_only(&format!("OpReturnValue {v}"));
                }
                None => self.m.push_only("OpReturn"),
            }
            return true;
        }
        if ways.is_empty() {
            return false;
        }
        let to = self.r.pick(&ways).clone();
        self.m.push_only(&format!("OpBranch {to}"));
        true
    }

    /// An if, with a phi if both sides come through.
    fn branch(&mut self, exits: &Exits, depth: u32) {
        let condition = self.expression((B, 1), 0);
        let (then, other, merge) = (self.m.fresh(), self.m.fresh(), self.m.fresh());
        let has_else = !self.r.one_in(3);
        let inner = Exits { uniform: false, ..exits.clone() };
        let ty = self.random_ty();
        let target = if has_else { &other } else { &merge };
        // A value from before, for the phi of an if without else.
        let before = self.expression(ty, 2);
        let head = self.current.clone();
        self.m.push_only(&format!("OpSelectionMerge {merge} None"));
        self.m.push_only(&format!("OpBranchConditional {condition} {then} {target}"));
        let mut sources = Vec::new();
        self.label(&then);
        let known = self.values.len();
        let mut side = |g: &mut Generator| {
            if !g.statements(&inner, depth + 1) {
                let v = g.expression(ty, 2);
                sources.push((v, g.current.clone()));
                g.m.push_only(&format!("OpBranch {merge}"));
            }
            g.values.truncate(known);
        };
        side(self);
        if has_else {
            self.label(&other);
            side(self);
        } else {
            sources.push((before, head));
        }
        self.label(&merge);
        match sources.is_empty() {
            // Nothing comes here, but text follows.
            true => {}
            false => {
                let id = self.ty(ty);
                let parts: Vec<String> = sources.iter().map(|(v, l)| format!("{v} {l}")).collect();
                let phi = self.m.push(&format!("OpPhi {id} {}", parts.join(" ")));
                self.values.push((phi, ty));
            }
        }
    }

    /// A loop with a counter that ends it, tested in the header, after it, or at the end.
    fn repeat(&mut self, exits: &Exits, depth: u32) {
        let (word, b) = (self.m.scalar(U), self.m.scalar(B));
        let pointer = self.m.pointer("Function", &word);
        let counter = self.m.fresh();
        let _ = writeln!(self.m.variables, "{counter} = OpVariable {pointer} Function");
        let zero = self.m.u32(0);
        self.m.push_only(&format!("OpStore {counter} {zero}"));
        // A barrier may be inside if all run it equally often.
        let uniform = exits.uniform && self.r.one_in(2);
        let bound = match uniform || self.r.one_in(3) {
            true => self.m.u32(self.r.clone().below(4) as u32 + 1),
            false => {
                let e = self.expression((U, 1), 1);
                let mask = self.m.u32(if depth > 1 { 3 } else { 7 });
                self.m.push(&format!("OpBitwiseAnd {word} {e} {mask}"))
            }
        };
        let (head, test, body, next, merge) =
            (self.m.fresh(), self.m.fresh(), self.m.fresh(), self.m.fresh(), self.m.fresh());
        let kind = self.r.below(3);
        self.m.push_only(&format!("OpBranch {head}"));
        self.label(&head);
        let condition = |g: &mut Generator| {
            let k = g.m.push(&format!("OpLoad {word} {counter}"));
            g.m.push(&format!("OpULessThan {b} {k} {bound}"))
        };
        match kind {
            0 => {
                let c = condition(self);
                self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
                self.m.push_only(&format!("OpBranchConditional {c} {body} {merge}"));
            }
            1 => {
                self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
                self.m.push_only(&format!("OpBranch {test}"));
                self.label(&test);
                let c = condition(self);
                self.m.push_only(&format!("OpBranchConditional {c} {body} {merge}"));
            }
            _ => {
                self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
                self.m.push_only(&format!("OpBranch {body}"));
            }
        }
        self.label(&body);
        let around = if uniform { None } else { Some((merge.clone(), next.clone())) };
        let inner = Exits { around, switch: None, returns: exits.returns && !uniform, uniform };
        if !self.statements(&inner, depth + 1) {
            self.m.push_only(&format!("OpBranch {next}"));
        }
        self.label(&next);
        let k = self.m.push(&format!("OpLoad {word} {counter}"));
        let one = self.m.u32(1);
        let k = self.m.push(&format!("OpIAdd {word} {k} {one}"));
        self.m.push_only(&format!("OpStore {counter} {k}"));
        if kind == 2 {
            let c = condition(self);
            self.m.push_only(&format!("OpBranchConditional {c} {head} {merge}"));
        } else {
            self.m.push_only(&format!("OpBranch {head}"));
        }
        self.label(&merge);
    }

    /// A switch with fall-through here and there.
    fn switch(&mut self, exits: &Exits, depth: u32) {
        let word = self.m.scalar(U);
        let e = self.expression((U, 1), 0);
        let mask = self.m.u32(7);
        let e = self.m.push(&format!("OpBitwiseAnd {word} {e} {mask}"));
        let n = self.r.below(3) + 1;
        let labels: Vec<String> = (0..n).map(|_| self.m.fresh()).collect();
        let (merge, default) = (self.m.fresh(), self.m.fresh());
        let has_default = self.r.one_in(2);
        let mut text = format!("OpSwitch {e} {}", if has_default { &default } else { &merge });
        let mut literal = self.r.below(2);
        for l in &labels {
            for _ in 0..self.r.below(2) + 1 {
                let _ = write!(text, " {literal} {l}");
                literal += self.r.below(2) + 1;
            }
        }
        self.m.push_only(&format!("OpSelectionMerge {merge} None"));
        self.m.push_only(&text);
        let inner = Exits { switch: Some(merge.clone()), uniform: false, ..exits.clone() };
        for (k, l) in labels.iter().enumerate() {
            self.label(l);
            if !self.statements(&inner, depth + 1) {
                let fall = k + 1 < labels.len() && self.r.one_in(3);
                let to = if fall { &labels[k + 1] } else { &merge };
                self.m.push_only(&format!("OpBranch {to}"));
            }
        }
        if has_default {
            self.label(&default);
            if !self.statements(&inner, depth + 1) {
                self.m.push_only(&format!("OpBranch {merge}"));
            }
        }
        self.label(&merge);
    }

    /// Every invocation puts a word, all wait, every one takes another's.
    fn exchange(&mut self) {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("Workgroup", &word);
        let (shared, index) = (self.shared.clone(), self.local_index.clone());
        let e = self.expression((U, 1), 0);
        let p = self.m.push(&format!("OpAccessChain {pointer} {shared} {index}"));
        self.m.push_only(&format!("OpStore {p} {e}"));
        let (scope, semantics) = (self.m.u32(2), self.m.u32(0x108));
        let barrier = format!("OpControlBarrier {scope} {scope} {semantics}");
        self.m.push_only(&barrier);
        let i = self.expression((U, 1), 0);
        let mask = self.m.u32(63);
        let i = self.m.push(&format!("OpBitwiseAnd {word} {i} {mask}"));
        let p = self.m.push(&format!("OpAccessChain {pointer} {shared} {i}"));
        let v = self.m.push(&format!("OpLoad {word} {p}"));
        self.values.push((v, (U, 1)));
        self.m.push_only(&barrier);
    }

    /// An atomic whose order does not matter.
    fn count(&mut self) {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("StorageBuffer", &word);
        let zero = self.m.u32(0);
        let at = self.m.u32(self.r.clone().below(16) as u32);
        let counter = self.counter.clone();
        let e = self.expression((U, 1), 1);
        let p = self.m.push(&format!("OpAccessChain {pointer} {counter} {zero} {at}"));
        let scope = self.m.u32(1);
        self.m.push(&format!("OpAtomicIAdd {word} {p} {scope} {zero} {e}"));
    }
}
