//! Random programs: operations on scalars and on vectors of any width, in structured control flow.

use crate::support::Random;

/// The type of a value. A vector fills the width with which a program is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    Bool,
    I32,
    I64,
    F32,
    F64,
    /// Vectors of numeric lanes.
    V8,
    V16,
    V32,
    V64,
    Vf32,
    Vf64,
    /// Boolean vectors with 32- and 64-bit lanes.
    M32,
    M64,
}

use Ty::*;

pub const ALL: [Ty; 13] = [Bool, I32, I64, F32, F64, V8, V16, V32, V64, Vf32, Vf64, M32, M64];

/// An operation by name; [`super::emit`] defines its meaning.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    pub name: &'static str,
    pub args: &'static [Ty],
    pub out: Ty,
}

const fn row(name: &'static str, args: &'static [Ty], out: Ty) -> Row {
    Row { name, args, out }
}

/// All operations.
pub static ROWS: &[Row] = &[
    row("iconst", &[], I32),
    row("iconst", &[], I64),
    row("fconst", &[], F32),
    row("fconst", &[], F64),
    row("iadd", &[I32, I32], I32),
    row("isub", &[I32, I32], I32),
    row("imul", &[I32, I32], I32),
    row("band", &[I32, I32], I32),
    row("bor", &[I32, I32], I32),
    row("bxor", &[I32, I32], I32),
    row("bnot", &[I32], I32),
    row("ineg", &[I32], I32),
    row("ishl", &[I32, I32], I32),
    row("ushr", &[I32, I32], I32),
    row("sshr", &[I32, I32], I32),
    row("rotl", &[I32, I32], I32),
    row("rotr", &[I64, I32], I64),
    row("shift constant", &[I32], I32),
    row("shift constant", &[I64], I64),
    row("umin", &[I32, I32], I32),
    row("smax", &[I32, I32], I32),
    row("smin", &[I64, I64], I64),
    row("umax", &[I64, I64], I64),
    row("umulhi", &[I32, I32], I32),
    row("smulhi", &[I64, I64], I64),
    row("divide", &[I32, I32], I32),
    row("divide", &[I64, I64], I64),
    row("clz", &[I32], I32),
    row("ctz", &[I32], I32),
    row("popcnt", &[I64], I64),
    row("iadd", &[I64, I64], I64),
    row("isub", &[I64, I64], I64),
    row("imul", &[I64, I64], I64),
    row("band", &[I64, I64], I64),
    row("bxor", &[I64, I64], I64),
    row("ishl", &[I64, I64], I64),
    row("ushr", &[I64, I32], I64),
    row("sshr", &[I64, I32], I64),
    row("uextend", &[I32], I64),
    row("sextend", &[I32], I64),
    row("ireduce", &[I64], I32),
    row("bool", &[Bool], I32),
    row("narrow", &[I32], I32),
    row("icmp", &[I32, I32], Bool),
    row("icmp", &[I64, I64], Bool),
    row("fcmp", &[F32, F32], Bool),
    row("fcmp", &[F64, F64], Bool),
    row("band", &[Bool, Bool], Bool),
    row("flip", &[Bool], Bool),
    row("select", &[Bool, I32, I32], I32),
    row("select", &[Bool, I64, I64], I64),
    row("select", &[Bool, F32, F32], F32),
    row("select", &[Bool, V32, V32], V32),
    row("select", &[Bool, Vf64, Vf64], Vf64),
    row("select", &[Bool, M32, M32], M32),
    row("fadd", &[F32, F32], F32),
    row("fmul", &[F32, F32], F32),
    row("fsub", &[F64, F64], F64),
    row("fdiv", &[F64, F64], F64),
    row("fma", &[F32, F32, F32], F32),
    row("fma", &[F64, F64, F64], F64),
    row("sqrt", &[F32], F32),
    row("round", &[F32], F32),
    row("round", &[F64], F64),
    row("fneg", &[F32], F32),
    row("fabs", &[F64], F64),
    row("min max", &[F32, F32], F32),
    row("fpromote", &[F32], F64),
    row("fdemote", &[F64], F32),
    row("fcvt_from_sint", &[I32], F32),
    row("fcvt_from_uint", &[I32], F32),
    row("fcvt_from_sint", &[I64], F64),
    row("fcvt_to_sint_sat", &[F32], I32),
    row("fcvt_to_uint_sat", &[F32], I32),
    row("fcvt_to_sint_sat", &[F32], I64),
    row("fcvt_to_uint_sat", &[F32], I64),
    row("fcvt_to_sint_sat", &[F64], I32),
    row("fcvt_to_uint_sat", &[F64], I32),
    row("fcvt_to_sint_sat", &[F64], I64),
    row("fcvt_to_uint_sat", &[F64], I64),
    row("fcvt_from_sint", &[I64], F32),
    row("fcvt_from_uint", &[I64], F32),
    row("fcvt_from_uint", &[I64], F64),
    row("bits", &[F32], I32),
    row("bits", &[I32], F32),
    row("bits", &[F64], I64),
    row("bits", &[I64], F64),
    row("load", &[], I32),
    row("load", &[], I64),
    row("load", &[], F32),
    row("load", &[], V32),
    row("load", &[], V64),
    row("load", &[], Vf32),
    row("load", &[], Vf64),
    row("load", &[], V16),
    row("load", &[], V8),
    row("load8", &[], I32),
    row("load16", &[], I32),
    row("load at", &[I32], V32),
    row("load at", &[I32], I32),
    row("load at", &[I32], Vf32),
    row("atomic load", &[], I32),
    row("atomic_rmw", &[I32], I32),
    row("atomic_rmw", &[I64], I64),
    row("atomic_cas", &[I32, I32], I32),
    row("slot", &[V32], V32),
    row("slot", &[Vf32], Vf32),
    row("slot", &[I64], I64),
    row("vconst", &[], V32),
    row("vconst", &[], Vf32),
    row("vconst", &[], V64),
    row("vconst", &[], Vf64),
    row("vconst", &[], V16),
    row("vconst", &[], V8),
    row("fadd", &[Vf32, Vf32], Vf32),
    row("fsub", &[Vf32, Vf32], Vf32),
    row("fmul", &[Vf32, Vf32], Vf32),
    row("fdiv", &[Vf32, Vf32], Vf32),
    row("fadd", &[Vf64, Vf64], Vf64),
    row("fsub", &[Vf64, Vf64], Vf64),
    row("fmul", &[Vf64, Vf64], Vf64),
    row("fdiv", &[Vf64, Vf64], Vf64),
    row("fma", &[Vf32, Vf32, Vf32], Vf32),
    row("fma", &[Vf64, Vf64, Vf64], Vf64),
    row("fma neg", &[Vf32, Vf32, Vf32], Vf32),
    row("sqrt", &[Vf32], Vf32),
    row("sqrt", &[Vf64], Vf64),
    row("round", &[Vf32], Vf32),
    row("round", &[Vf64], Vf64),
    row("fneg", &[Vf32], Vf32),
    row("fabs", &[Vf32], Vf32),
    row("fneg", &[Vf64], Vf64),
    row("fabs", &[Vf64], Vf64),
    row("min max", &[Vf32, Vf32], Vf32),
    row("min max", &[Vf64, Vf64], Vf64),
    row("iadd", &[V8, V8], V8),
    row("isub", &[V8, V8], V8),
    row("iadd", &[V16, V16], V16),
    row("isub", &[V16, V16], V16),
    row("imul", &[V16, V16], V16),
    row("iadd", &[V32, V32], V32),
    row("isub", &[V32, V32], V32),
    row("imul", &[V32, V32], V32),
    row("iadd", &[V64, V64], V64),
    row("isub", &[V64, V64], V64),
    row("imul", &[V64, V64], V64),
    row("ineg", &[V32], V32),
    row("ineg", &[V64], V64),
    row("iabs", &[V8], V8),
    row("iabs", &[V16], V16),
    row("iabs", &[V32], V32),
    row("smin", &[V32, V32], V32),
    row("smax", &[V32, V32], V32),
    row("umin", &[V32, V32], V32),
    row("umax", &[V32, V32], V32),
    row("smin", &[V16, V16], V16),
    row("umax", &[V16, V16], V16),
    row("umin", &[V8, V8], V8),
    row("smax", &[V8, V8], V8),
    row("ishl", &[V32, I32], V32),
    row("ushr", &[V32, I32], V32),
    row("sshr", &[V32, I32], V32),
    row("ishl", &[V64, I32], V64),
    row("ushr", &[V64, I32], V64),
    row("sshr", &[V64, I32], V64),
    row("ishl", &[V16, I32], V16),
    row("ushr", &[V16, I32], V16),
    row("sshr", &[V16, I32], V16),
    row("shift constant", &[V32], V32),
    row("shift constant", &[V64], V64),
    row("shift constant", &[V16], V16),
    row("band", &[V32, V32], V32),
    row("bor", &[V32, V32], V32),
    row("bxor", &[V32, V32], V32),
    row("bnot", &[V32], V32),
    row("band", &[V64, V64], V64),
    row("bxor", &[V8, V8], V8),
    row("bnot", &[V16], V16),
    row("band", &[M32, M32], M32),
    row("bor", &[M32, M32], M32),
    row("bxor", &[M32, M32], M32),
    row("bnot", &[M32], M32),
    row("band", &[M64, M64], M64),
    row("bor", &[M64, M64], M64),
    row("bnot", &[M64], M64),
    row("icmp", &[V32, V32], M32),
    row("icmp", &[V64, V64], M64),
    row("icmp zero", &[V32], M32),
    row("fcmp", &[Vf32, Vf32], M32),
    row("fcmp", &[Vf64, Vf64], M64),
    row("icmp", &[V16, V16], V16),
    row("icmp", &[V8, V8], V8),
    row("blend", &[M32, V32, V32], V32),
    row("blend", &[M32, Vf32, Vf32], Vf32),
    row("blend", &[M64, V64, V64], V64),
    row("blend", &[M64, Vf64, Vf64], Vf64),
    row("blend", &[M32, M32, M32], M32),
    row("blend zero", &[M32, V32], V32),
    row("fma kept", &[M32, Vf32, Vf32, Vf32], Vf32),
    row("fma kept", &[M64, Vf64, Vf64, Vf64], Vf64),
    row("compare within", &[M32, Vf32, Vf32], M32),
    row("compare within", &[M32, V32, V32], M32),
    row("compare within", &[M64, Vf64, Vf64], M64),
    row("bitselect", &[V32, V32, V32], V32),
    row("bitselect", &[V8, V8, V8], V8),
    row("vany_true", &[M32], Bool),
    row("vall_true", &[M32], Bool),
    row("vany_true", &[M64], Bool),
    row("vall_true", &[M64], Bool),
    row("vany_true", &[V32], Bool),
    row("vall_true", &[V16], Bool),
    row("vhigh_bits", &[M32], I32),
    row("vhigh_bits", &[M64], I32),
    row("vhigh_bits", &[V32], I32),
    row("vhigh_bits", &[V8], I64),
    row("vhigh_bits", &[V16], I32),
    row("bits", &[M32], V32),
    row("bits", &[M64], V64),
    row("bits", &[M32], V8),
    row("bits", &[V32], V8),
    row("bits", &[V8], V32),
    row("bits", &[V32], V64),
    row("bits", &[V16], V32),
    row("bits", &[V64], V16),
    row("bits", &[Vf32], V32),
    row("bits", &[V32], Vf32),
    row("bits", &[V64], Vf64),
    row("bits", &[Vf64], V64),
    row("splat", &[I32], V32),
    row("splat", &[F32], Vf32),
    row("splat", &[I64], V64),
    row("splat", &[F64], Vf64),
    row("splat narrow", &[I32], V8),
    row("splat narrow", &[I32], V16),
    row("splat load", &[], Vf32),
    row("extractlane", &[V32], I32),
    row("extractlane", &[Vf32], F32),
    row("extractlane", &[V64], I64),
    row("extractlane", &[Vf64], F64),
    row("extractlane narrow", &[V8], I32),
    row("extractlane narrow", &[V16], I32),
    row("insertlane", &[V32, I32], V32),
    row("insertlane", &[Vf32, F32], Vf32),
    row("insertlane", &[V64, I64], V64),
    row("insertlane", &[Vf64, F64], Vf64),
    row("insertlane narrow", &[V8, I32], V8),
    row("insertlane narrow", &[V16, I32], V16),
    row("scalar_to_vector", &[I32], V32),
    row("scalar_to_vector", &[F32], Vf32),
    row("scalar_to_vector", &[I64], V64),
    row("fcvt_from_sint", &[V32], Vf32),
    row("fcvt_from_uint", &[V32], Vf32),
    row("fcvt_to_sint_sat", &[Vf32], V32),
    row("fcvt_to_uint_sat", &[Vf32], V32),
    row("cvtt2dq", &[Vf32], V32),
    row("widen", &[V8], V16),
    row("widen", &[V16], V32),
    row("widen", &[V32], V64),
    row("narrow", &[V16, V16], V8),
    row("narrow", &[V32, V32], V16),
    row("shift lanes", &[V32, V32], V32),
    row("shift lanes", &[V64, V64], V64),
    row("signed field", &[V32], V32),
    row("swizzle", &[V32], V32),
    row("swizzle", &[Vf32], Vf32),
    row("shuffle bytes", &[V32, V32], V32),
    row("permute", &[V32, V32], V32),
    row("permute2", &[V32, V32, V32], V32),
    row("gather", &[V32, M32, Vf32], Vf32),
    row("load masked", &[M32, V32], V32),
    row("store masked", &[M32, V32], I32),
    row("half", &[Vf32], Vf32),
    row("truncate", &[V32], V16),
    row("truncate", &[V32], V8),
    row("mask bits", &[I32], M32),
    row("mask narrow", &[M64, M64], M32),
    row("mask half", &[M32], M64),
    row("call", &[I64, I64], I64),
];

/// Part of a program. Values are numbered.
#[derive(Clone, Debug)]
pub enum Node {
    Op {
        row: usize,
        args: Vec<usize>,
        k: u64,
        out: usize,
    },
    /// Merged values: (value of the first arm, value of the second arm, result).
    If {
        cond: usize,
        then: Vec<Node>,
        other: Vec<Node>,
        merged: Vec<(usize, usize, usize)>,
    },
    /// Number of iterations; carried values: (first, next, result).
    Loop {
        rounds: u32,
        body: Vec<Node>,
        carried: Vec<(usize, usize, usize)>,
    },
    /// Branch by index; merged values: (value of each branch, result).
    Switch {
        index: usize,
        arms: Vec<Vec<Node>>,
        merged: Vec<(Vec<usize>, usize)>,
    },
}

/// Maximum vector width with which an operation may be written: the limit of Cranelift's verifier.
pub fn widest(row: &Row) -> u32 {
    match (row.name, row.args.first()) {
        ("widen" | "narrow", Some(V8)) => 128,
        ("widen", Some(V16)) | ("narrow", Some(V32)) => 256,
        ("narrow", Some(V16)) => 128,
        _ => 512,
    }
}

/// A whole program.
#[derive(Clone, Debug)]
pub struct Program {
    /// Maximum vector width with which the program may be written, in bits.
    pub bits: u32,
    pub nodes: Vec<Node>,
    pub types: Vec<Ty>,
    /// Values stored at the end.
    pub outputs: Vec<usize>,
}

struct Maker {
    r: Random,
    types: Vec<Ty>,
    /// Visible values, by type.
    seen: Vec<Vec<usize>>,
    left: usize,
    bits: u32,
    rows: Vec<usize>,
}

/// Creates a program from a seed; `allowed` selects operations.
pub fn make(seed: u64, size: usize, allowed: impl Fn(&Row) -> bool) -> Program {
    let rows: Vec<usize> = (0..ROWS.len()).filter(|&i| allowed(&ROWS[i])).collect();
    let mut m = Maker {
        r: Random(seed),
        types: Vec::new(),
        seen: vec![Vec::new(); ALL.len()],
        left: size,
        bits: 512,
        rows,
    };
    let mut nodes = Vec::new();
    // Start with one value of each type that can be loaded.
    for &i in &m.rows.clone() {
        if ROWS[i].args.is_empty() && ROWS[i].name == "load" {
            m.op(i, &mut nodes);
        }
    }
    m.block(&mut nodes, 0);
    let outputs = m.seen.iter().flat_map(|s| s.iter().rev().take(4).copied()).collect();
    Program { bits: m.bits, nodes, types: m.types, outputs }
}

impl Maker {
    fn value(&mut self, ty: Ty) -> usize {
        self.types.push(ty);
        let v = self.types.len() - 1;
        self.seen[ty as usize].push(v);
        v
    }

    /// Picks a value; recent values are more likely than old ones.
    fn choose(&mut self, ty: Ty) -> Option<usize> {
        let n = self.seen[ty as usize].len();
        if n == 0 {
            return None;
        }
        let back = if self.r.chance(70) { self.r.below(n.min(6)) } else { self.r.below(n) };
        Some(self.seen[ty as usize][n - 1 - back])
    }

    fn op(&mut self, row: usize, nodes: &mut Vec<Node>) -> bool {
        let mut args = Vec::new();
        for &t in ROWS[row].args {
            match self.choose(t) {
                Some(v) => args.push(v),
                None => return false,
            }
        }
        self.bits = self.bits.min(widest(&ROWS[row]));
        let k = self.r.next();
        let out = self.value(ROWS[row].out);
        nodes.push(Node::Op { row, args, k, out });
        true
    }

    fn block(&mut self, nodes: &mut Vec<Node>, depth: usize) {
        let mut n = 4 + self.r.below(24);
        while n > 0 && self.left > 0 {
            n -= 1;
            self.left -= 1;
            let what = self.r.below(100);
            if depth < 4 && what < 6 {
                self.branch(nodes, depth);
            } else if depth < 3 && what < 10 {
                self.repeat(nodes, depth);
            } else if depth < 3 && what < 12 {
                self.switch(nodes, depth);
            } else {
                let row = self.r.below(self.rows.len());
                let row = self.rows[row];
                self.op(row, nodes);
            }
            if depth == 0 {
                n += 1;
            }
        }
    }

    /// Creates a block whose values are not visible afterwards. Returns one of its values for each requested type.
    fn inner(&mut self, depth: usize, types: &[Ty]) -> (Vec<Node>, Option<Vec<usize>>) {
        let mark: Vec<usize> = self.seen.iter().map(|s| s.len()).collect();
        let mut nodes = Vec::new();
        self.block(&mut nodes, depth + 1);
        let out = types.iter().map(|&t| self.choose(t)).collect();
        for (s, n) in self.seen.iter_mut().zip(mark) {
            s.truncate(n);
        }
        (nodes, out)
    }

    fn types(&mut self) -> Vec<Ty> {
        let n = 1 + self.r.below(5);
        let have: Vec<Ty> = ALL.iter().copied().filter(|&t| !self.seen[t as usize].is_empty()).collect();
        (0..n).map(|_| self.r.pick(&have)).collect()
    }

    fn branch(&mut self, nodes: &mut Vec<Node>, depth: usize) {
        let Some(cond) = self.choose(Bool) else { return };
        let types = self.types();
        let (then, a) = self.inner(depth, &types);
        let (other, b) = self.inner(depth, &types);
        let (a, b) = (a.unwrap_or_default(), b.unwrap_or_default());
        let merged =
            types.iter().zip(a.into_iter().zip(b)).map(|(&t, (a, b))| (a, b, self.value(t))).collect();
        nodes.push(Node::If { cond, then, other, merged });
    }

    fn repeat(&mut self, nodes: &mut Vec<Node>, depth: usize) {
        let types = self.types();
        let first: Vec<usize> = types.iter().filter_map(|&t| self.choose(t)).collect();
        let params: Vec<usize> = types.iter().map(|&t| self.value(t)).collect();
        let (body, next) = self.inner(depth, &types);
        let next = next.unwrap_or_default();
        let carried = (0..types.len()).map(|i| (first[i], next[i], params[i])).collect();
        nodes.push(Node::Loop { rounds: 1 + self.r.below(4) as u32, body, carried });
    }

    fn switch(&mut self, nodes: &mut Vec<Node>, depth: usize) {
        let Some(index) = self.choose(I32) else { return };
        let types = self.types();
        let arms: Vec<(Vec<Node>, Option<Vec<usize>>)> = (0..4).map(|_| self.inner(depth, &types)).collect();
        let of = |i: usize| arms.iter().map(|a| a.1.as_ref().map_or(0, |v| v[i])).collect::<Vec<usize>>();
        let outs: Vec<Vec<usize>> = (0..types.len()).map(of).collect();
        let merged = types.iter().zip(outs).map(|(&t, o)| (o, self.value(t))).collect();
        nodes.push(Node::Switch { index, arms: arms.into_iter().map(|a| a.0).collect(), merged });
    }
}
