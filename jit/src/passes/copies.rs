//! Half floats that are only copied become integers of 16 bits.
//!
//! Lanes hold half floats as F32, so that a copy from memory to memory converts each of them twice, exactly, signaling NaNs
//! too. As integers they stay in the words in which they were loaded.

use rustc_hash::FxHashSet;

use crate::error::Result;
use crate::ir::{End, Imm, Inst, Node, Op, Region, Shader, Ty, Value};

/// Changes the types of half floats that loads bring and only stores use.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn copies(shader: &mut Shader) -> Result<()> {
    if !shader.values.contains(&Ty::F16) {
        return Ok(());
    }
    let mut found = Found::default();
    found.region(shader, &shader.body)?;
    // A store has values of one type, and so has a load: either all of them change, or none.
    loop {
        let before = found.copied.len();
        for group in &found.groups {
            if !group.iter().all(|v| found.copied.contains(v)) {
                group.iter().for_each(|v| {
                    found.copied.remove(v);
                });
            }
        }
        crate::budget::work(found.groups.len())?;
        if found.copied.len() == before {
            break;
        }
    }
    for v in found.copied {
        shader.values[v.0 as usize] = Ty::I16;
    }
    Ok(())
}

#[derive(Default)]
struct Found {
    /// Half floats from loads, without those that something else than a store uses.
    copied: FxHashSet<Value>,
    /// Half floats of one load, or of one store.
    groups: Vec<Vec<Value>>,
}

impl Found {
    fn region(&mut self, shader: &Shader, r: &Region) -> Result<()> {
        for node in &r.nodes {
            crate::budget::work(1)?;
            match node {
                Node::Inst(i) => self.inst(shader, i),
                Node::If(n) => {
                    self.region(shader, &n.then)?;
                    self.region(shader, &n.els)?;
                }
                Node::Block(n) => self.region(shader, &n.body)?,
                Node::Loop(n) => {
                    n.params.iter().for_each(|(_, init)| self.stays(*init));
                    self.region(shader, &n.body)?;
                }
            }
        }
        match &r.end {
            End::Yield(values) | End::Break(_, values) => values.iter().for_each(|v| self.stays(*v)),
            End::Return | End::Kill | End::Unreachable => {}
        }
        Ok(())
    }

    fn inst(&mut self, shader: &Shader, i: &Inst) {
        let halves = |values: &[Value]| -> Vec<Value> {
            values.iter().copied().filter(|&v| shader.ty(v) == Ty::F16).collect()
        };
        match (i.op, &i.imm) {
            (Op::LoadBuffer | Op::LoadShared, Imm::Mem(_)) => {
                let loaded = halves(&i.results);
                self.copied.extend(&loaded);
                self.groups.push(loaded);
            }
            (Op::StoreBuffer | Op::StoreShared, Imm::Mem(_)) => self.groups.push(halves(&i.args)),
            _ => i.args.iter().for_each(|v| self.stays(*v)),
        }
    }

    /// The value is more than copied.
    fn stays(&mut self, v: Value) {
        self.copied.remove(&v);
    }
}

#[cfg(test)]
mod tests {
    use smallvec::SmallVec;

    use super::*;
    use crate::ir::{Mem, StageKind};

    fn inst(op: Op, args: &[u32], results: &[u32]) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
        let imm = match op {
            Op::FAdd => Imm::None,
            _ => Imm::Mem(Mem { offset: 0, stride: 2, ordered: false }),
        };
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Default::default() })
    }

    #[test]
    fn only_what_is_copied_as_a_whole_changes() {
        let mut shader = Shader::empty(StageKind::Compute, "main");
        shader.values = vec![Ty::F16; 12];
        shader.values[0] = Ty::I32;
        shader.body.nodes = vec![
            // A copy of two, by two stores.
            inst(Op::LoadShared, &[0], &[1, 2]),
            inst(Op::StoreShared, &[0, 1], &[]),
            inst(Op::StoreShared, &[0, 2], &[]),
            // One half of a load is added, so that both keep their type, and what is stored with the other.
            inst(Op::LoadShared, &[0], &[3, 4]),
            inst(Op::FAdd, &[3, 3], &[5]),
            inst(Op::LoadShared, &[0], &[6]),
            inst(Op::StoreShared, &[0, 4, 6], &[]),
            inst(Op::StoreShared, &[0, 5], &[]),
        ];
        copies(&mut shader).unwrap();
        let changed: Vec<_> = (0..12).filter(|&v| shader.values[v] == Ty::I16).collect();
        assert_eq!(changed, [1, 2]);
    }
}
