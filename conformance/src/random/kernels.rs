//! Random kernels of OpenCL: addresses, generic pointers, private memory by bytes, vectors of up to 16 components,
//! OpenCL.std, group operations, and control flow without merge instructions.
//!
//! Branches lead forwards to any block, and backwards to blocks that dominate their source, so that every graph is
//! reducible; fuel bounds the loops. Invocations write only to their own part of memory, between barriers, and results
//! hold no bits of NaNs.

mod graph;

use std::fmt::Write;

use quadrille_jit::spirv::kernel;

use super::{Made, Random, SPECIAL};
use crate::lanes::{Buffer, Given, Job, Work};

/// Words of the input, and of each invocation's output.
const INPUT: usize = 128;
const OUTPUT: u32 = 80;
/// Words of the output at random indices; the state follows.
const LOOSE: u32 = 32;
/// Words of private memory with random indices.
const PRIVATE: u32 = 8;
/// Times that an invocation passes a branch that may lead backwards.
const FUEL: u32 = 12;

const FRAME: &str = include_str!("kernels/frame.spvasm");

/// Name of a scalar type, and number of components.
type Ty = (&'static str, u32);

const SIZES: [u32; 8] = [1, 1, 1, 2, 3, 4, 8, 16];
const INTS: [&str; 6] = ["u32", "u32", "u32", "u64", "u16", "u8"];
const FLOATS: [&str; 4] = ["f32", "f32", "f64", "f16"];

/// Variables that all blocks read and write.
const STATE: [(&str, Ty); 8] = [
    ("%s0", ("u32", 1)),
    ("%s1", ("u32", 1)),
    ("%s2", ("u64", 1)),
    ("%s3", ("u16", 8)),
    ("%s4", ("u32", 3)),
    ("%s5", ("f32", 1)),
    ("%s6", ("f32", 16)),
    ("%s7", ("f64", 2)),
];

/// Instructions of OpenCL.std with integers of one type, by the number of their operands. Clamps are undefined where the
/// bounds are in the wrong order.
const INT_ROWS: [&str; 3] = [
    "s_abs u_abs clz ctz popcount",
    "s_abs_diff u_abs_diff s_add_sat u_add_sat s_sub_sat u_sub_sat s_hadd u_hadd s_rhadd u_rhadd s_max u_max s_min u_min s_mul_hi u_mul_hi rotate",
    "s_mad_sat u_mad_sat s_mad_hi u_mad_hi bitselect",
];

/// The same for floats. Functions of the sign of a NaN, such as `copysign`, are missing.
const FLOAT_ROWS: [&str; 3] = [
    "fabs ceil floor trunc rint round sqrt rsqrt exp2 exp log2 log1p sin cospi atan tanh cbrt degrees native_exp2",
    "fmax fmin fdim hypot fmod remainder pow atan2 step maxmag",
    "fma mad smoothstep",
];

/// Those that 64-bit floats have.
const WIDE_ROWS: [&str; 3] =
    ["fabs ceil floor trunc rint round sqrt rsqrt", "fmax fmin fdim fmod step maxmag", "fma mad"];

const INT_OPS: [&str; 6] = ["OpIAdd", "OpISub", "OpIMul", "OpBitwiseAnd", "OpBitwiseOr", "OpBitwiseXor"];
const FLOAT_OPS: [&str; 4] = ["OpFAdd", "OpFSub", "OpFMul", "OpFDiv"];
const COMPARED: [&str; 4] = ["OpULessThan", "OpSGreaterThan", "OpIEqual", "OpINotEqual"];

struct Generator {
    r: Random,
    /// Number of statements left.
    left: usize,
    decorations: String,
    types: String,
    body: String,
    ids: u32,
    /// Values of the entry block, then those of the current block.
    values: Vec<(String, Ty)>,
}

fn is_float(ty: Ty) -> bool {
    ty.0.starts_with('f')
}

fn bits(ty: Ty) -> u32 {
    ty.0[1..].parse().unwrap_or(32)
}

impl Generator {
    fn fresh(&mut self) -> String {
        self.ids += 1;
        format!("%r{}", self.ids)
    }

    fn push(&mut self, instruction: &str) -> String {
        let id = self.fresh();
        let _ = writeln!(self.body, "{id} = {instruction}");
        id
    }

    /// Name of a type, which is declared if it is a vector that the frame lacks.
    fn ty(&mut self, (scalar, n): Ty) -> String {
        if n == 1 {
            return format!("%{scalar}");
        }
        let name = format!("%v{n}{scalar}");
        if name != "%v3u64" && !self.types.contains(&format!("{name} = ")) {
            let _ = writeln!(self.types, "{name} = OpTypeVector %{scalar} {n}");
        }
        name
    }

    fn constant(&mut self, ty: Ty) -> String {
        let name = self.ty(ty);
        let value = match (is_float(ty), self.r.below(4)) {
            (true, k) => ["0.5", "-2", "3.75", "100"][k].to_owned(),
            (false, 0) => ((1u64 << (bits(ty) - 1)) - 1).to_string(),
            (false, _) => self.r.below(100).to_string(),
        };
        let scalar = self.fresh();
        let _ = writeln!(self.types, "{scalar} = OpConstant %{} {value}", ty.0);
        if ty.1 == 1 {
            return scalar;
        }
        let id = self.fresh();
        let parts = vec![scalar; ty.1 as usize].join(" ");
        let _ = writeln!(self.types, "{id} = OpConstantComposite {name} {parts}");
        id
    }

    fn random_ty(&mut self) -> Ty {
        let scalar = if self.r.one_in(3) { *self.r.pick(&FLOATS) } else { *self.r.pick(&INTS) };
        (scalar, *self.r.pick(&SIZES))
    }

    /// An operand of a type.
    fn operand(&mut self, ty: Ty) -> String {
        let known: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i].1 == ty).collect();
        if !known.is_empty() && !self.r.one_in(4) {
            return self.values[*self.r.pick(&known)].0.clone();
        }
        let state: Vec<&str> = STATE.iter().filter(|s| s.1 == ty).map(|s| s.0).collect();
        if !state.is_empty() && self.r.one_in(2) {
            let (name, from) = (self.ty(ty), *self.r.pick(&state));
            return self.push(&format!("OpLoad {name} {from}"));
        }
        match self.r.below(3) {
            0 => self.constant(ty),
            1 => self.converted(ty),
            _ => self.shaped(ty),
        }
    }

    /// A value of another scalar type, converted.
    fn converted(&mut self, ty: Ty) -> String {
        let name = self.ty(ty);
        let wide = ("u32", ty.1);
        if ty.0 == "u32" {
            let from = ("f32", ty.1);
            let v = self.known(from);
            let op = *self.r.pick(&["OpConvertFToU", "OpConvertFToS"]);
            let id = self.push(&format!("{op} {name} {v}"));
            let _ = writeln!(self.decorations, "OpDecorate {id} SaturatedConversion");
            return id;
        }
        let v = self.known(wide);
        let op = match is_float(ty) {
            true => *self.r.pick(&["OpConvertUToF", "OpConvertSToF"]),
            false => *self.r.pick(&["OpUConvert", "OpSConvert"]),
        };
        self.push(&format!("{op} {name} {v}"))
    }

    /// A known value or a constant.
    fn known(&mut self, ty: Ty) -> String {
        let known: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i].1 == ty).collect();
        if known.is_empty() { self.constant(ty) } else { self.values[*self.r.pick(&known)].0.clone() }
    }

    /// A value made of components of known values with the same scalar type.
    fn shaped(&mut self, ty: Ty) -> String {
        let (name, wide) = (self.ty(ty), *self.r.pick(&[2, 3, 4, 8, 16]));
        if ty.1 == 1 && self.r.one_in(2) {
            let v = self.known((ty.0, 4));
            let i = self.known(("u32", 1));
            let i = self.push(&format!("OpBitwiseAnd %u32 {i} %u3"));
            return self.push(&format!("OpVectorExtractDynamic {name} {v} {i}"));
        }
        let v = self.known((ty.0, wide));
        if ty.1 == 1 {
            return self.push(&format!("OpCompositeExtract {name} {v} {}", wide - 1));
        }
        let w = self.known((ty.0, wide));
        let parts: Vec<String> = (0..ty.1).map(|_| self.r.below(2 * wide as usize).to_string()).collect();
        self.push(&format!("OpVectorShuffle {name} {v} {w} {}", parts.join(" ")))
    }

    /// An instruction whose operands have the type of its result.
    fn computed(&mut self, ty: Ty) -> String {
        let name = self.ty(ty);
        let (op, n) = match (is_float(ty), self.r.one_in(2)) {
            (true, true) => (format!("{} {name}", self.r.pick(&FLOAT_OPS)), 2),
            (false, true) => (format!("{} {name}", self.r.pick(&INT_OPS)), 2),
            (float, false) => {
                let n = *self.r.pick(&[1, 1, 2, 2, 3]);
                let rows = match (float, ty.0) {
                    (true, "f64") => WIDE_ROWS[n - 1],
                    (true, _) => FLOAT_ROWS[n - 1],
                    (false, _) => INT_ROWS[n - 1],
                };
                let rows: Vec<&str> = rows.split(' ').collect();
                (format!("OpExtInst {name} %cl {}", self.r.pick(&rows)), n)
            }
        };
        let operands: Vec<String> = (0..n).map(|_| self.operand(ty)).collect();
        self.push(&format!("{op} {}", operands.join(" ")))
    }

    /// A 64-bit index of at most `mask`.
    fn index(&mut self, mask: u32) -> String {
        let v = self.known(("u32", 1));
        let mask = self.number(mask);
        let v = self.push(&format!("OpBitwiseAnd %u32 {v} {mask}"));
        self.push(&format!("OpUConvert %u64 {v}"))
    }

    fn number(&mut self, n: u32) -> String {
        let id = self.fresh();
        let _ = writeln!(self.types, "{id} = OpConstant %u32 {n}");
        id
    }

    /// A pointer of the storage class to a word that the invocation may read.
    fn word(&mut self, class: usize) -> String {
        match class {
            0 => {
                let i = self.index(INPUT as u32 - 1);
                self.push(&format!("OpInBoundsPtrAccessChain %gu %a {i}"))
            }
            1 => {
                let i = self.index(PRIVATE - 1);
                self.push(&format!("OpInBoundsAccessChain %pu %private {i}"))
            }
            _ => "%own_tile".into(),
        }
    }

    /// A value from memory.
    fn loaded(&mut self) -> (String, Ty) {
        match self.r.below(5) {
            0 => {
                let class = self.r.below(3);
                let p = self.word(class);
                (self.push(&format!("OpLoad %u32 {p} Aligned 4")), ("u32", 1))
            }
            // Any alignment in private memory and buffers.
            1 => {
                let bytes = [("%pb", "%private", 4 * PRIVATE), ("%gb", "%a", 4 * INPUT as u32)];
                let (ty, of, n) = *self.r.pick(&bytes);
                let (p, i) = (self.push(&format!("OpBitcast {ty} {of}")), self.index(n - 1));
                let p = self.push(&format!("OpInBoundsPtrAccessChain {ty} {p} {i}"));
                (self.push(&format!("OpLoad %u8 {p} Aligned 1")), ("u8", 1))
            }
            2 => {
                let n = *self.r.pick(&[2, 3, 4, 8, 16]);
                let (ty, i) = (self.ty(("u32", n)), self.index(3));
                (self.push(&format!("OpExtInst {ty} %cl vloadn {i} %a {n}")), ("u32", n))
            }
            3 => {
                let n = *self.r.pick(&[2, 3, 4, 8, 16]);
                let (ty, i) = (self.ty(("f32", n)), self.index(3));
                (self.push(&format!("OpExtInst {ty} %cl vloadn {i} %floats {n}")), ("f32", n))
            }
            _ => {
                let condition = self.condition();
                let (one, other) = (self.r.below(3), self.r.below(3));
                let [one, other] = [one, other].map(|class| {
                    let p = self.word(class);
                    self.push(&format!("OpPtrCastToGeneric %genericu {p}"))
                });
                let p = self.push(&format!("OpSelect %genericu {condition} {one} {other}"));
                (self.push(&format!("OpLoad %u32 {p} Aligned 4")), ("u32", 1))
            }
        }
    }

    /// Writes to memory of the invocation.
    fn store(&mut self) {
        let v = self.operand(("u32", 1));
        match self.r.below(5) {
            0 => {
                let p = self.word(1);
                let _ = writeln!(self.body, "OpStore {p} {v} Aligned 4");
            }
            1 => {
                let (p, i) = (self.push("OpBitcast %pb %private"), self.index(4 * PRIVATE - 1));
                let p = self.push(&format!("OpInBoundsPtrAccessChain %pb {p} {i}"));
                let v = self.push(&format!("OpUConvert %u8 {v}"));
                let _ = writeln!(self.body, "OpStore {p} {v} Aligned 1");
            }
            2 => {
                let n = *self.r.pick(&[2, 3, 4, 8]);
                let (v, i) = (self.operand(("u32", n)), self.index(1));
                self.push(&format!("OpExtInst %void %cl vstoren {v} {i} %mine"));
            }
            3 => {
                let (condition, p, i) = (self.condition(), self.word(1), self.index(LOOSE - 1));
                let one = self.push(&format!("OpPtrCastToGeneric %genericu {p}"));
                let q = self.push(&format!("OpInBoundsPtrAccessChain %gu %mine {i}"));
                let other = self.push(&format!("OpPtrCastToGeneric %genericu {q}"));
                let p = self.push(&format!("OpSelect %genericu {condition} {one} {other}"));
                let _ = writeln!(self.body, "OpStore {p} {v} Aligned 4");
            }
            _ => {
                let i = self.index(LOOSE - 1);
                let p = self.push(&format!("OpInBoundsPtrAccessChain %gu %mine {i}"));
                let _ = writeln!(self.body, "OpStore {p} {v} Aligned 4");
            }
        }
    }

    fn condition(&mut self) -> String {
        let op = *self.r.pick(&COMPARED);
        let (a, b) = (self.operand(("u32", 1)), self.operand(("u32", 1)));
        self.push(&format!("{op} %bool {a} {b}"))
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..self.r.below(most) + 1 {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            match self.r.below(6) {
                0 => self.store(),
                1 => {
                    let loaded = self.loaded();
                    self.values.push(loaded);
                }
                2 => {
                    let (name, ty) = *self.r.pick(&STATE);
                    let v = self.computed(ty);
                    let _ = writeln!(self.body, "OpStore {name} {v}");
                }
                _ => {
                    let ty = self.random_ty();
                    let v = self.computed(ty);
                    self.values.push((v, ty));
                }
            }
        }
    }

    /// Operations of the workgroup, in which all invocations take part.
    fn together(&mut self) {
        for _ in 0..self.r.below(3) {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            let v = self.operand(("u32", 1));
            let how = *self.r.pick(&["Reduce", "InclusiveScan", "ExclusiveScan"]);
            let v = match self.r.below(4) {
                0 => self.push(&format!("OpGroupBroadcast %u32 %u2 {v} %l0")),
                1 => self.push(&format!("OpGroupUMax %u32 %u2 {how} {v}")),
                2 => self.push(&format!("OpGroupIAdd %u32 %u2 {how} {v}")),
                _ => {
                    let _ = writeln!(self.body, "OpStore %own_tile {v} Aligned 4");
                    let _ = writeln!(self.body, "OpControlBarrier %u2 %u2 %u272");
                    let v = self.push("OpLoad %u32 %next_tile Aligned 4");
                    let _ = writeln!(self.body, "OpControlBarrier %u2 %u2 %u272");
                    v
                }
            };
            self.values.push((v, ("u32", 1)));
        }
    }

    /// The end of a block. One that may lead backwards takes fuel, and leaves the kernel without it.
    fn branch(&mut self, block: usize, to: &[usize], last: usize) {
        let labels: Vec<String> = to.iter().map(|to| format!("%block{to}")).collect();
        if to.iter().any(|&to| to <= block) {
            let fuel = self.push("OpLoad %u32 %fuel");
            let less = self.push(&format!("OpISub %u32 {fuel} %u1"));
            let _ = writeln!(self.body, "OpStore %fuel {less}");
            let empty = self.push(&format!("OpIEqual %bool {fuel} %u0"));
            let (v, n) = (self.operand(("u32", 1)), self.number(to.len() as u32));
            let v = self.push(&format!("OpUMod %u32 {v} {n}"));
            let v = self.push(&format!("OpSelect %u32 {empty} %u1000 {v}"));
            let cases: Vec<String> = labels.iter().enumerate().map(|(i, to)| format!("{i} {to}")).collect();
            let _ = writeln!(self.body, "OpSwitch {v} %block{last} {}", cases.join(" "));
        } else if let [one] = &labels[..] {
            let _ = writeln!(self.body, "OpBranch {one}");
        } else if let [one, other] = &labels[..] {
            let condition = self.condition();
            let _ = writeln!(self.body, "OpBranchConditional {condition} {one} {other}");
        } else {
            let (v, n) = (self.operand(("u32", 1)), self.number(to.len() as u32));
            let v = self.push(&format!("OpUMod %u32 {v} {n}"));
            let cases: Vec<String> =
                labels.iter().enumerate().skip(1).map(|(i, to)| format!("{i} {to}")).collect();
            let _ = writeln!(self.body, "OpSwitch {v} {} {}", labels[0], cases.join(" "));
        }
    }

    /// All blocks after the entry.
    fn blocks(&mut self) {
        let edges = graph::random(&mut self.r);
        let last = edges.len() - 1;
        let shared = self.values.len();
        // A value of each block, for phis; block 0 is entered from the entry.
        let of = |block: usize| format!("%last{block}");
        for (block, to) in edges.iter().enumerate() {
            self.values.truncate(shared);
            let _ = writeln!(self.body, "%block{block} = OpLabel");
            let mut from: Vec<usize> = (0..edges.len()).filter(|&p| edges[p].contains(&block)).collect();
            if block == last {
                let leaves = |p: &usize| *p < last && edges[*p].iter().any(|to| to <= p);
                from.extend((0..last).filter(leaves));
                from.sort_unstable();
                from.dedup();
            }
            if !from.is_empty() {
                let pairs: Vec<String> = from.iter().map(|&p| format!("{} %block{p}", of(p))).collect();
                let v = self.push(&format!("OpPhi %u32 {}", pairs.join(" ")));
                self.values.push((v, ("u32", 1)));
            }
            self.statements(6);
            let v = self.known(("u32", 1));
            let _ = writeln!(self.body, "{} = OpIAdd %u32 {v} %u1", of(block));
            if block < last {
                self.branch(block, to, last);
            }
        }
        self.results(&of(last));
    }

    /// Stores the state after the part of the output with random indices.
    fn results(&mut self, last: &str) {
        let p = self.push("OpInBoundsPtrAccessChain %gu %mine %loose");
        let _ = writeln!(self.body, "OpStore {p} {last} Aligned 4");
        let mut at = LOOSE + 1;
        for (name, ty) in STATE {
            let narrow = (if is_float(ty) { "f32" } else { "u32" }, ty.1);
            let (from, to) = (self.ty(ty), self.ty(narrow));
            let mut v = self.push(&format!("OpLoad {from} {name}"));
            if from != to {
                let op = if is_float(ty) { "OpFConvert" } else { "OpUConvert" };
                v = self.push(&format!("{op} {to} {v}"));
            }
            if is_float(ty) {
                // Bits of NaNs are not part of the result.
                let test = self.ty(("bool", ty.1));
                let is_nan = self.push(&format!("OpFUnordNotEqual {test} {v} {v}"));
                let instead = self.constant(narrow);
                v = self.push(&format!("OpSelect {to} {is_nan} {instead} {v}"));
                let word = self.ty(("u32", ty.1));
                v = self.push(&format!("OpBitcast {word} {v}"));
            }
            for i in 0..ty.1 {
                let part = match ty.1 {
                    1 => v.clone(),
                    _ => self.push(&format!("OpCompositeExtract %u32 {v} {i}")),
                };
                let offset = self.fresh();
                let _ = writeln!(self.types, "{offset} = OpConstant %u64 {at}");
                let p = self.push(&format!("OpInBoundsPtrAccessChain %gu %mine {offset}"));
                let _ = writeln!(self.body, "OpStore {p} {part} Aligned 4");
                at += 1;
            }
        }
        assert!(at <= OUTPUT, "{at} words of results");
    }

    /// Initial values of the variables.
    fn start(&mut self) {
        for (name, ty) in STATE {
            let v = self.constant(ty);
            let _ = writeln!(self.body, "OpStore {name} {v}");
        }
        for i in 0..PRIVATE {
            let (v, at) = (self.known(("u32", 1)), self.number(i));
            let p = self.push(&format!("OpInBoundsAccessChain %pu %private {at}"));
            let _ = writeln!(self.body, "OpStore {p} {v} Aligned 4");
        }
    }
}

/// Makes the kernel of a seed with at most `limit` statements.
pub fn make(seed: u64, limit: usize) -> Made {
    let r = Random::new(seed ^ 0x6b65_726e_656c);
    let values = [("%k", ("u32", 1)), ("%n", ("u32", 1)), ("%x", ("f32", 1))];
    let mut g = Generator {
        r,
        left: limit,
        decorations: String::new(),
        types: String::new(),
        body: String::new(),
        ids: 0,
        values: values.map(|(id, ty)| (id.to_owned(), ty)).into(),
    };
    let local = *g.r.pick(&[2, 4, 8, 16, 40]);
    let groups = g.r.below(3) as u32 + 1;
    let mut variables = String::new();
    for (name, ty) in STATE {
        let ty = g.ty(ty);
        let pointer = format!("%p{}", &ty[1..]);
        if !g.types.contains(&format!("{pointer} = ")) && pointer != "%pu32" {
            let _ = writeln!(g.types, "{pointer} = OpTypePointer Function {ty}");
        }
        let pointer = if pointer == "%pu32" { "%pu" } else { &pointer };
        let _ = writeln!(variables, "{name} = OpVariable {pointer} Function");
    }
    g.start();
    g.statements(6);
    g.together();
    let _ = writeln!(g.body, "OpBranch %block0");
    g.blocks();
    let text = FRAME
        .replace("; decorations\n", &g.decorations)
        .replace("; types\n", &g.types)
        .replace("; variables\n", &variables)
        .replace("; body\n", &g.body)
        .replace("FUEL", &FUEL.to_string());
    Made {
        text,
        seed,
        statements: limit - g.left,
        ordered: false,
        local,
        groups,
        fragment: false,
        shape: None,
        mesh: None,
        small: false,
        record_bytes: 0,
        kernel: true,
    }
}

impl Made {
    /// Specialization constants for lowering: those of the launch of a kernel.
    pub fn specialization(&self) -> Vec<(u32, u64)> {
        if !self.kernel {
            return Vec::new();
        }
        kernel::launch_constants([self.local, 1, 1], 4 * self.local, None)
    }

    /// Buffers of a kernel: its arguments, its input and its output.
    pub(super) fn kernel_job(&self, k: u64) -> Job {
        let mut r = Random::new(self.seed ^ k.wrapping_mul(0xd134_2543_de82_ef95) ^ 0xaaaa);
        let words: Vec<u8> = (0..INPUT)
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
            .collect();
        // Buffer `i` has the address (i + 1) << 40.
        let mut block = vec![0; kernel::HEADER_BYTES as usize];
        let addresses = [2u64 << 40, 3 << 40, kernel::SHARED_BASE];
        block.extend(addresses.iter().flat_map(|address| address.to_le_bytes()));
        block.extend((r.bits() as u32).to_le_bytes());
        block.extend((r.below(100) as f32 / 8.0 - 4.0).to_le_bytes());
        let out = vec![0; (4 * OUTPUT * self.local * self.groups) as usize];
        let buffer = |binding, bytes| Buffer { set: 0, binding, bytes };
        let buffers = vec![buffer(kernel::ARGUMENT_BINDING, block), buffer(100, words), buffer(101, out)];
        let work = Work::Compute([self.groups, 1, 1]);
        Job { buffers, descriptors: Vec::new(), push: Vec::new(), work, given: Given::default() }
    }
}
