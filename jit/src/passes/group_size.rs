//! Finds whether a shader can observe the number of invocations in a lane group.

use rustc_hash::FxHashSet;

use crate::ir::{
    AtomicOp, BuiltIn, End, GroupOp, ImageOpKind, Imm, Inst, Node, Op, Region, Shader, Value, each_inst,
};

/// Returns true if results may depend on the size of lane groups (other than on quads): through operations across a
/// group, its built-ins, or the order of atomics and prints in a workgroup.
pub fn sees_group_size(shader: &Shader) -> bool {
    let mut atomics: Vec<(AtomicOp, &Inst)> = Vec::new();
    let mut sees = shader.subgroup_size.is_some();
    each_inst(&shader.body, &mut |i| {
        sees |= sees_size(i);
        // Additions and subtractions commute with each other.
        atomics.extend(atomic(i).map(|op| (if op == AtomicOp::ISub { AtomicOp::IAdd } else { op }, i)));
    });
    if sees || atomics.is_empty() {
        return sees;
    }
    let mut used = FxHashSet::default();
    uses(&shader.body, &mut used);
    let first = atomics[0].0;
    let alone = |i: &Inst| i.results.iter().all(|r| !used.contains(r));
    !commutes(first) || atomics.iter().any(|&(op, i)| op != first || !alone(i))
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
        (Op::Group, Imm::Group(GroupOp::Anywhere)) => false,
        (Op::Group | Op::Matrix | Op::Printf | Op::Abort, _) => true,
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

/// Returns true if the final value of a word does not depend on the order of such operations.
fn commutes(op: AtomicOp) -> bool {
    use AtomicOp::*;
    matches!(op, IAdd | ISub | SMin | UMin | SMax | UMax | And | Or | Xor)
}

/// Collects all used values.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::Stage;
    use crate::spirv::{Module, asm};

    /// Tests whether the shader that copies words observes the group size, with these lines before its store.
    fn sees(lines: &str) -> bool {
        let text = include_str!("../codegen/testdata/copy.spvasm");
        let text = text.replace("OpStore %out_at %word", &format!("{lines}\nOpStore %out_at %word"));
        let text = text.replace("%void = OpTypeVoid", "%void = OpTypeVoid\n%u5 = OpConstant %uint 5");
        let text =
            text.replace("%uint = OpTypeInt 32 0\n", "").replace("%u5 = ", "%uint = OpTypeInt 32 0\n%u5 = ");
        let words = asm::assemble(&text).unwrap();
        let mut shader = Module::parse(&words).unwrap().lower("main", Stage::Compute, &[]).unwrap();
        crate::passes::optimize(&mut shader, crate::cpu::Tier::Optimized).unwrap();
        sees_group_size(&shader)
    }

    #[test]
    fn the_order_of_atomics_shows_the_size_of_groups() {
        assert!(!sees(""));
        let add = "%a = OpAtomicIAdd %uint %out_at %u5 %u0 %me";
        assert!(!sees(add));
        assert!(!sees(&format!("{add}\n%b = OpAtomicISub %uint %out_at %u5 %u0 %word")));
        assert!(sees(&format!("{add}\nOpStore %in_at %a")));
        assert!(sees(&format!("{add}\n%b = OpAtomicOr %uint %out_at %u5 %u0 %word")));
        assert!(sees("%a = OpAtomicExchange %uint %out_at %u5 %u0 %me"));
    }
}
