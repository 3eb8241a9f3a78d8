//! Signaling NaNs among halves: the values that hold none, and those that may lose them because nothing can tell.
//!
//! Where the host converts halves by an instruction, it makes signaling NaNs quiet. Copies keep all bits, so a value that
//! is stored, selected, or passed on is converted exactly. Arithmetic and conversions make NaNs quiet themselves, and
//! comparisons treat all NaNs alike: a value that only they use may be quiet from the start. A conversion of a value
//! that is quiet has nothing to do.

use rustc_hash::FxHashSet;

use super::Gen;
use crate::ir::{End, Inst, Insts, Node, Op, Region, Shader, Sig, Ty, Value};

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
    let halves = |i: &&Inst| i.results.iter().any(|&r| shader.ty(r) == Ty::F16);
    let mut quiet = FxHashSet::default();
    for i in insts.iter().filter(halves) {
        if quiets(i.op) || decodes(shader, i) {
            quiet.extend(&i.results);
        }
    }
    if quiet.is_empty() {
        return quiet;
    }
    let mut told = FxHashSet::default();
    passed_on(&shader.body, &mut told);
    for i in insts.iter().filter(|i| !ignores_payload(i.op)) {
        told.extend(&i.args);
    }
    for i in insts.iter().filter(|i| decodes(shader, i)) {
        if i.results.iter().any(|r| told.contains(r)) {
            i.results.iter().for_each(|r| _ = quiet.remove(r));
        }
    }
    for i in insts.iter().filter(|i| i.op == Op::FConvert) {
        if quiet.contains(&i.args[0]) {
            quiet.extend(&i.results);
        }
    }
    quiet
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

/// Collects the values that constructs use.
fn passed_on(region: &Region, told: &mut FxHashSet<Value>) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => {
                passed_on(&n.then, told);
                passed_on(&n.els, told);
            }
            Node::Block(n) => passed_on(&n.body, told),
            Node::Loop(n) => {
                told.extend(n.params.iter().map(|p| p.1));
                passed_on(&n.body, told);
            }
        }
    }
    match &region.end {
        End::Yield(values) | End::Break(_, values) => told.extend(values),
        End::Return | End::Kill | End::Unreachable => {}
    }
}
