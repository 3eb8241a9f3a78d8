//! Signaling NaNs among halves: the values that hold none, and those that may lose them because no result depends on them.
//!
//! An instruction of the host that converts halves makes signaling NaNs quiet. Copies keep all bits, so a value that is
//! stored is converted exactly. Arithmetic and conversions make NaNs quiet themselves, and comparisons treat all NaNs
//! alike: a value that only they use, also after a selection, a transposition or the end of a construct, may be quiet
//! from the start. A conversion of a value that is quiet has nothing to do.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Gen;
use crate::ir::{End, Imm, Inst, Insts, Label, MatrixOp, Node, Op, Region, Shader, Sig, Ty, Value};

/// True if an operation makes a NaN among its operands quiet, and keeps the rest of its payload.
fn quiets(op: Op) -> bool {
    matches!(op, Op::FAdd | Op::FSub | Op::FMul | Op::FDiv | Op::Fma | Op::FConvert)
}

/// True if the results of an operation are the same for a signaling NaN as for the quiet NaN with the same payload.
fn ignores_payload(op: Op) -> bool {
    quiets(op) || matches!(op.sig(), Sig::CmpF | Sig::TestF | Sig::FToI)
}

/// True if an instruction makes halves from encodings in memory or in registers.
fn decodes(shader: &Shader, i: &Inst) -> bool {
    matches!(i.op, Op::LoadBuffer | Op::LoadShared | Op::Bitcast)
        && i.results.iter().all(|&r| shader.ty(r) == Ty::F16)
}

/// Halves that hold no signaling NaN or need not keep them, and the results of their conversions.
pub(super) fn quiet_halves(shader: &Shader, insts: &Insts) -> FxHashSet<Value> {
    let mut quiet: FxHashSet<Value> = FxHashSet::default();
    let halves = |i: &&Inst| i.results.iter().any(|&r| shader.ty(r) == Ty::F16);
    for i in insts.iter().filter(halves) {
        if quiets(i.op) || decodes(shader, i) || is_number(i) {
            quiet.extend(&i.results);
        }
    }
    if quiet.is_empty() {
        return quiet;
    }
    let passes = Passes::of(shader, insts);
    let told = passes.told(insts);
    for i in insts.iter().filter(|i| decodes(shader, i)) {
        if i.results.iter().any(|r| told.contains(r)) {
            i.results.iter().for_each(|r| _ = quiet.remove(r));
        }
    }
    passes.add_quiet(&mut quiet);
    for i in insts.iter().filter(|i| i.op == Op::FConvert) {
        if quiet.contains(&i.args[0]) {
            quiet.extend(&i.results);
        }
    }
    quiet
}

/// True for a constant half that is not NaN.
fn is_number(i: &Inst) -> bool {
    matches!((i.op, &i.imm), (Op::Const, Imm::Bits(bits)) if bits & !0x8000 <= 0x7c00)
}

/// True if the results of an instruction are its operands, apart from the condition of a selection.
fn moves(i: &Inst) -> bool {
    i.op == Op::Select || matches!(i.imm, Imm::Matrix(MatrixOp::Transpose { .. }))
}

/// The halves that become others unchanged: where constructs end, in selections and in transpositions.
struct Passes {
    /// Sources of a half, and halves that have it as a source.
    from: FxHashMap<Value, Vec<Value>>,
    to: FxHashMap<Value, Vec<Value>>,
}

impl Passes {
    fn of(shader: &Shader, insts: &Insts) -> Passes {
        let mut pairs = Vec::new();
        passed_on(&shader.body, &[], &mut Vec::new(), &mut pairs);
        for i in insts.iter().filter(|i| moves(i)) {
            let operands = usize::from(i.op == Op::Select);
            // Any element of a matrix may become any other: all go through the first result.
            pairs.extend(i.args[operands..].iter().map(|&a| (a, i.results[0])));
            pairs.extend(i.results[1..].iter().map(|&r| (i.results[0], r)));
        }
        let mut passes = Passes { from: FxHashMap::default(), to: FxHashMap::default() };
        for (source, result) in pairs {
            if shader.ty(result) == Ty::F16 {
                passes.from.entry(result).or_default().push(source);
                passes.to.entry(source).or_default().push(result);
            }
        }
        passes
    }

    /// Values whose payload has an effect, directly or as another value.
    fn told(&self, insts: &Insts) -> FxHashSet<Value> {
        let tell = insts.iter().filter(|i| !ignores_payload(i.op) && !moves(i));
        let mut work: Vec<Value> = tell.flat_map(|i| i.args.iter().copied()).collect();
        let mut told = FxHashSet::default();
        while let Some(v) = work.pop() {
            if told.insert(v) {
                work.extend(self.from.get(&v).into_iter().flatten());
            }
        }
        told
    }

    /// Adds the values whose sources all are quiet.
    fn add_quiet(&self, quiet: &mut FxHashSet<Value>) {
        let is_quiet = |v: &Value| quiet.contains(v) || self.from.contains_key(v);
        let loud = |sources: &Vec<Value>| !sources.iter().all(is_quiet);
        let mut work: Vec<Value> = self.from.iter().filter(|(_, s)| loud(s)).map(|(&v, _)| v).collect();
        let mut others: FxHashSet<Value> = FxHashSet::default();
        while let Some(v) = work.pop() {
            if others.insert(v) {
                work.extend(self.to.get(&v).into_iter().flatten());
            }
        }
        quiet.extend(self.from.keys().filter(|v| !others.contains(v)));
    }
}

impl Gen<'_, '_, '_> {
    /// True if the halves that an instruction makes, or stores, hold no signaling NaN or need not keep them.
    pub(super) fn is_quiet(&self, i: &Inst) -> bool {
        let is_quiet = |v: &Value| self.quiet_halves.contains(v);
        match i.results.is_empty() {
            true => i.args.iter().filter(|&&v| self.shader.ty(v) == Ty::F16).all(is_quiet),
            false => i.results.iter().all(is_quiet),
        }
    }
}

/// Collects the values that constructs pass on, with the values that they become. `yields`: those that the values at the end of
/// the region become; `labels`: those of the constructs around it.
fn passed_on<'s>(
    region: &'s Region,
    yields: &[Value],
    labels: &mut Vec<(Label, &'s [Value])>,
    pairs: &mut Vec<(Value, Value)>,
) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => {
                passed_on(&n.then, &n.results, labels, pairs);
                passed_on(&n.els, &n.results, labels, pairs);
            }
            Node::Block(n) => {
                labels.push((n.label, &n.results));
                passed_on(&n.body, &n.results, labels, pairs);
                labels.pop();
            }
            Node::Loop(n) => {
                pairs.extend(n.params.iter().map(|&(param, init)| (init, param)));
                let params: Vec<Value> = n.params.iter().map(|p| p.0).collect();
                labels.push((n.label, &n.results));
                passed_on(&n.body, &params, labels, pairs);
                labels.pop();
            }
        }
    }
    let mut pass = |values: &[Value], results: &[Value]| {
        pairs.extend(values.iter().copied().zip(results.iter().copied()));
    };
    match &region.end {
        End::Yield(values) => pass(values, yields),
        End::Break(label, values) => {
            if let Some((_, results)) = labels.iter().rev().find(|of| of.0 == *label) {
                pass(values, results);
            }
        }
        End::Return | End::Kill | End::Unreachable => {}
    }
}
