//! Whether a shader can see how many invocations a lane group has.

use rustc_hash::FxHashSet;

use crate::ir::{AtomicOp, BuiltIn, End, ImageOpKind, Imm, Inst, Node, Op, Region, Shader, Value, each_inst};

/// Whether results may depend on the size of lane groups, quads apart: by operations across a group, its
/// built-ins, or the order in which atomics and prints of a workgroup are done.
pub fn sees_group_size(shader: &Shader) -> bool {
    let mut used = FxHashSet::default();
    uses(&shader.body, &mut used);
    let mut atomics = FxHashSet::default();
    let mut sees = false;
    each_inst(&shader.body, &mut |i| {
        sees |= sees_size(i);
        if let Some(op) = atomic(i) {
            let result = i.results.iter().any(|r| used.contains(r));
            sees |= result || !commutes(op);
            // Sums and differences commute with each other.
            atomics.insert(if op == AtomicOp::ISub { AtomicOp::IAdd } else { op });
        }
    });
    sees || atomics.len() > 1
}

fn sees_size(i: &Inst) -> bool {
    use BuiltIn::*;
    let built_in = |b| {
        matches!(
            b,
            SubgroupSize
                | SubgroupId
                | NumSubgroups
                | SubgroupLocalInvocationId
                | SubgroupEqMask
                | SubgroupGeMask
                | SubgroupGtMask
                | SubgroupLeMask
                | SubgroupLtMask
        )
    };
    match (i.op, &i.imm) {
        (Op::Group | Op::Printf, _) => true,
        (_, Imm::BuiltIn(b, _)) => built_in(*b),
        _ => false,
    }
}

fn atomic(i: &Inst) -> Option<AtomicOp> {
    match &i.imm {
        Imm::Atomic(op, _) => Some(*op),
        Imm::Image(image) => match image.kind {
            ImageOpKind::Atomic(op) => Some(op),
            _ => None,
        },
        _ => None,
    }
}

/// Whether the order of such operations on a word makes no difference to what it holds in the end.
fn commutes(op: AtomicOp) -> bool {
    use AtomicOp::*;
    matches!(op, IAdd | ISub | SMin | UMin | SMax | UMax | And | Or | Xor)
}

/// The values that anything uses.
fn uses(region: &Region, used: &mut FxHashSet<Value>) {
    for node in &region.nodes {
        match node {
            Node::Inst(i) => used.extend(&i.args),
            Node::If(n) => {
                used.insert(n.cond);
                uses(&n.then, used);
                uses(&n.els, used);
            }
            Node::Block(n) => uses(&n.body, used),
            Node::Loop(n) => {
                used.extend(n.params.iter().map(|p| p.1));
                uses(&n.body, used);
            }
        }
    }
    if let End::Yield(values) | End::Break(_, values) = &region.end {
        used.extend(values);
    }
}
