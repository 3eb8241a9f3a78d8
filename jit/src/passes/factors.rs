//! Shares the loads of cooperative matrices, for shaders with products of them.
//!
//! A product of blocks loads each factor again for each block that it is a part of, from the same rows, with nothing written in
//! between. Three steps make such loads equal: the address is broadcast from the first invocation, which changes
//! nothing where all have the same; constant parts of offsets move to the loads; loads and transpositions of the same
//! arguments in a straight line are one.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::uniformity;
use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{GroupOp, Imm, Inst, MatrixOp, Mem, Node, Op, Region, Shader, Ty, Value};

/// Greatest offset of a load, in bytes, to which constants are added.
const MOST_OFFSET: u64 = 1 << 20;

/// Removes broadcasts of values that are the same in all lanes, if the shader has products of matrices; returns true if so.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn broadcasts(shader: &mut Shader, lanes: u32) -> Result<bool> {
    if shader.subgroup_size.is_none() || !has_products(&shader.body) {
        return Ok(false);
    }
    let found = uniformity::analyse(shader, lanes)?;
    let mut same = FxHashMap::default();
    remove(&mut shader.body, &|v| !found.varying[v.0 as usize], &mut same);
    let resolve = |mut v: Value| {
        while let Some(&of) = same.get(&v) {
            v = of;
        }
        v
    };
    super::map_uses(&mut shader.body, &resolve);
    Ok(true)
}

fn has_products(r: &Region) -> bool {
    r.nodes.iter().any(|node| match node {
        Node::Inst(i) => matches!(i.imm, Imm::Matrix(MatrixOp::MulAdd { .. })),
        Node::If(n) => has_products(&n.then) || has_products(&n.els),
        Node::Block(n) => has_products(&n.body),
        Node::Loop(n) => has_products(&n.body),
    })
}

/// Takes out the broadcasts of uniform values, and notes what their results are.
fn remove(r: &mut Region, is_uniform: &impl Fn(Value) -> bool, same: &mut FxHashMap<Value, Value>) {
    r.nodes.retain_mut(|node| {
        match node {
            Node::Inst(i) => {
                let broadcasts = i.imm == Imm::Group(GroupOp::BroadcastFirst) && is_uniform(i.args[0]);
                if broadcasts {
                    same.insert(i.results[0], i.args[0]);
                }
                return !broadcasts;
            }
            Node::If(n) => {
                remove(&mut n.then, is_uniform, same);
                remove(&mut n.els, is_uniform, same);
            }
            Node::Block(n) => remove(&mut n.body, is_uniform, same),
            Node::Loop(n) => remove(&mut n.body, is_uniform, same),
        }
        true
    });
}

/// Shares loads of memory, and transpositions of what they load.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn loads(shader: &mut Shader) -> Result<()> {
    let mut body = std::mem::take(&mut shader.body);
    let mut share =
        Share { values: &mut shader.values, consts: FxHashMap::default(), offsets: FxHashMap::default() };
    let mut same = FxHashMap::default();
    let result = share.region(&mut body, &mut same);
    super::map_uses(&mut body, &|v| same.get(&v).copied().unwrap_or(v));
    shader.body = body;
    result
}

/// Terms of an offset, and their strides.
type Terms = (SmallVec<[Value; 4]>, SmallVec<[u32; 4]>);

/// Operation, arguments and memory of a load, or operation of a transposition.
type Key = (Op, SmallVec<[Value; 4]>, Imm, Ty);

struct Share<'a> {
    values: &'a mut Vec<Ty>,
    consts: FxHashMap<Value, u64>,
    offsets: FxHashMap<Value, Terms>,
}

impl Share<'_> {
    /// Shares the loads of a region and of those inside it. `same`: what results of loads that are gone are.
    fn region(&mut self, r: &mut Region, same: &mut FxHashMap<Value, Value>) -> Result<()> {
        let mut out = Vec::with_capacity(r.nodes.len());
        // Loads that nothing has overwritten, and offsets, of this region.
        let mut seen: FxHashMap<Key, SmallVec<[Value; 4]>> = FxHashMap::default();
        let mut sums: FxHashMap<Terms, Value> = FxHashMap::default();
        for mut node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    i.args.iter_mut().for_each(|v| *v = same.get(v).copied().unwrap_or(*v));
                    self.note(i);
                    if let Some(offset) = self.without_constants(i, &mut sums) {
                        out.push(Node::Inst(offset));
                    }
                    let key =
                        shareable(i).then(|| (i.op, i.args.clone(), i.imm.clone(), self.ty(i.results[0])));
                    if let Some(values) =
                        key.as_ref().and_then(|key| seen.get(key)).filter(|v| v.len() == i.results.len())
                    {
                        same.extend(i.results.iter().copied().zip(values.iter().copied()));
                        continue;
                    }
                    if let Some(key) = key {
                        seen.insert(key, i.results.clone());
                    } else if writes_memory(i) {
                        seen.clear();
                    }
                }
                Node::If(n) => {
                    self.region(&mut n.then, same)?;
                    self.region(&mut n.els, same)?;
                    seen.clear();
                }
                Node::Block(n) => {
                    self.region(&mut n.body, same)?;
                    seen.clear();
                }
                Node::Loop(n) => {
                    self.region(&mut n.body, same)?;
                    seen.clear();
                }
            }
            out.push(node);
        }
        r.nodes = out;
        Ok(())
    }

    fn ty(&self, v: Value) -> Ty {
        self.values[v.0 as usize]
    }

    fn note(&mut self, i: &Inst) {
        let Some(&result) = i.results.first().filter(|&&r| self.ty(r) == Ty::I32) else { return };
        if let (Op::Const, Imm::Bits(bits)) = (i.op, &i.imm) {
            self.consts.insert(result, *bits);
        }
        if let (Op::Offset, Imm::Strides(strides)) = (i.op, &i.imm) {
            self.offsets.insert(result, (i.args.clone(), strides.clone()));
        }
    }

    /// Moves the constant terms of the offset of a load to its memory. Returns the offset without them, unless `sums` has it.
    fn without_constants(&mut self, i: &mut Inst, sums: &mut FxHashMap<Terms, Value>) -> Option<Inst> {
        let Imm::Mem(mem) = i.imm else { return None };
        if !is_load(i) {
            return None;
        }
        let at = i.args.last_mut()?;
        let (args, strides) = self.offsets.get(at)?;
        let (known, others): (Vec<_>, Vec<_>) =
            args.iter().copied().zip(strides.iter().copied()).partition(|(v, _)| self.consts.contains_key(v));
        if others.is_empty() {
            return None;
        }
        let terms: Terms = others.into_iter().unzip();
        let product = |(v, stride): (Value, u32)| self.consts[&v].saturating_mul(u64::from(stride));
        let sum = known.into_iter().map(product).fold(u64::from(mem.offset), u64::saturating_add);
        if sum > MOST_OFFSET {
            return None;
        }
        i.imm = Imm::Mem(Mem { offset: sum as u32, ..mem });
        if let Some(&same) = sums.get(&terms) {
            *at = same;
            return None;
        }
        self.values.push(Ty::I32);
        let result = Value(self.values.len() as u32 - 1);
        *at = result;
        sums.insert(terms.clone(), result);
        self.offsets.insert(result, terms.clone());
        let (args, strides) = terms;
        Some(Inst {
            op: Op::Offset,
            args,
            imm: Imm::Strides(strides),
            results: SmallVec::from_slice(&[result]),
            src: i.src,
        })
    }
}

/// A load from a buffer or workgroup memory that need not stay where it is.
fn is_load(i: &Inst) -> bool {
    matches!((i.op, &i.imm), (Op::LoadBuffer | Op::LoadShared, Imm::Mem(mem)) if !mem.ordered)
}

fn shareable(i: &Inst) -> bool {
    is_load(i) || matches!(i.imm, Imm::Matrix(MatrixOp::Transpose { .. }))
}

/// True for what may change memory other than that of private variables.
fn writes_memory(i: &Inst) -> bool {
    i.op.effect() == Effect::Write && !matches!(i.op, Op::VarSet | Op::VarSetDyn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BuiltIn, StageKind};

    const LANES: u32 = 8;

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Default::default() })
    }

    /// A shader of these instructions, with a product at the end; all values are words.
    fn shader(nodes: Vec<Node>) -> Shader {
        let values = vec![Ty::I32; 64];
        let mut s =
            Shader { values, subgroup_size: Some(LANES), ..Shader::empty(StageKind::Compute, "main") };
        let product = MatrixOp::MulAdd { rows: 8, columns: 8, inner: 8, saturates: None };
        s.body.nodes = nodes;
        s.body.nodes.push(inst(Op::Matrix, &[], &[], Imm::Matrix(product)));
        s
    }

    fn load(at: u32, offset: u32, result: u32) -> Node {
        inst(Op::LoadShared, &[at], &[result], Imm::Mem(Mem { offset, stride: 2, ordered: false }))
    }

    /// Static offsets and arguments of the loads.
    fn all_loads(s: &Shader) -> Vec<(u32, Value)> {
        let loads = s.body.nodes.iter().filter_map(|node| match node {
            Node::Inst(i) if i.op == Op::LoadShared => match i.imm {
                Imm::Mem(mem) => Some((mem.offset, i.args[0])),
                _ => None,
            },
            _ => None,
        });
        loads.collect()
    }

    #[test]
    fn values_that_are_the_same_are_not_broadcast() {
        let first = Imm::Group(GroupOp::BroadcastFirst);
        let lane = Imm::BuiltIn(BuiltIn::SubgroupLocalInvocationId, 0);
        let mut s = shader(vec![
            inst(Op::Const, &[], &[0], Imm::Bits(7)),
            inst(Op::BuiltIn, &[], &[1], lane),
            inst(Op::Group, &[0], &[2], first.clone()),
            inst(Op::Group, &[1], &[3], first),
            load(2, 0, 4),
            load(3, 0, 5),
        ]);
        assert!(broadcasts(&mut s, LANES).unwrap());
        assert_eq!(all_loads(&s), [(0, Value(0)), (0, Value(3))]);
        s.body.nodes.pop();
        assert!(!broadcasts(&mut s, LANES).unwrap(), "no product");
    }

    #[test]
    fn loads_of_a_factor_are_shared_until_memory_is_written() {
        let sum = |args: &[u32], strides: &[u32], result| {
            inst(Op::Offset, args, &[result], Imm::Strides(strides.iter().copied().collect()))
        };
        let uses = |args: &[u32]| {
            inst(Op::StoreShared, args, &[], Imm::Mem(Mem { offset: 0, stride: 4, ordered: false }))
        };
        let lane = Imm::BuiltIn(BuiltIn::SubgroupLocalInvocationId, 0);
        let mut s = shader(vec![
            inst(Op::BuiltIn, &[], &[0], lane),
            inst(Op::Const, &[], &[1], Imm::Bits(20)),
            sum(&[0], &[2], 2),
            // The second row, twice: 4 * 20 bytes behind the first.
            sum(&[1, 0], &[4, 2], 3),
            sum(&[1, 0], &[4, 2], 4),
            load(2, 16, 10),
            load(3, 16, 11),
            load(4, 16, 12),
            uses(&[2, 11, 12]),
            load(4, 16, 13),
            uses(&[2, 13]),
        ]);
        loads(&mut s).unwrap();
        let found = all_loads(&s);
        assert_eq!(found.iter().map(|l| l.0).collect::<Vec<_>>(), [16, 96, 96]);
        // The offset without the constant is new, and the same for all.
        assert_eq!(found[1].1, found[2].1);
        let stored = s.body.nodes.iter().find_map(|node| match node {
            Node::Inst(i) if i.op == Op::StoreShared => Some(i.args.to_vec()),
            _ => None,
        });
        assert_eq!(stored, Some(vec![Value(2), Value(11), Value(11)]));
    }
}
