//! Joins stores of scalars that follow one another into one store of 8 or 16 bytes per invocation: one range check instead of
//! several, and a vector store instead of scatters.
//!
//! Works on stores between which all instructions are pure. Invocations may store to the same place, and the last of them wins. So
//! that a joined store keeps that, its offset must be a multiple of its size: in one buffer, two invocations then store to the same
//! bytes, or to different ones. Buffers that differ by invocation may overlap otherwise, but programs that store so have a race. For the same reason an index with a small constant does not wrap: the constant only sets bits that are zero.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{Imm, Inst, Node, Op, Region, Shader, Ty, Value};

use super::zeros::low_zeros;

/// Bytes of joined stores, the most first.
const SIZES: [u64; 2] = [16, 8];
/// Most terms of an index.
const MOST_TERMS: usize = 8;

/// Joins stores in the whole body.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn stores(shader: &mut Shader) -> Result<()> {
    let mut count = 0;
    crate::ir::each_inst(&shader.body, &mut |i| {
        count += usize::from(matches!(i.op, Op::StoreBuffer | Op::StoreShared));
    });
    if count < 2 {
        return Ok(());
    }
    let mut body = std::mem::take(&mut shader.body);
    let mut join = Join { shader, defs: FxHashMap::default(), line: Line::default() };
    let result = join.region(&mut body);
    shader.body = body;
    result
}

/// A sum of values and a constant, modulo 2^32.
#[derive(Clone, Default, PartialEq, Eq)]
struct Sum {
    /// In ascending order.
    terms: SmallVec<[Value; 4]>,
    constant: u32,
}

/// Memory, type, and indices with their strides but without small constants: the same for all stores of a line.
#[derive(PartialEq, Eq)]
struct Key {
    op: Op,
    buffer: Option<Value>,
    ty: Ty,
    indices: SmallVec<[(Sum, u32); 2]>,
}

/// A store in the output.
struct Store {
    node: usize,
    /// Position in the line.
    at: usize,
    /// Constant part of the address, and number of bytes.
    from: u64,
    bytes: u64,
    /// Number of low bits of the offset that are zero.
    zeros: u32,
}

/// Stores with the same key, none of which overlap.
#[derive(Default)]
struct Line {
    key: Option<Key>,
    stores: Vec<Store>,
}

/// The definition of an I32.
#[derive(Clone)]
struct Def {
    constant: Option<u32>,
    zeros: u32,
    sum: Sum,
    strides: Option<SmallVec<[(Value, u32); 2]>>,
}

struct Join<'a> {
    shader: &'a Shader,
    defs: FxHashMap<Value, Def>,
    line: Line,
}

impl Join<'_> {
    fn region(&mut self, r: &mut Region) -> Result<()> {
        let mut out: Vec<Option<Node>> = Vec::with_capacity(r.nodes.len());
        for mut node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            if let Node::Inst(i) = &node {
                self.note(i);
                match self.store(i, out.len()) {
                    Some((key, store)) => self.add(key, store, &mut out),
                    None if i.op.effect() == Effect::Pure => {}
                    None => self.join(&mut out),
                }
            } else {
                self.join(&mut out);
                node.regions_mut().into_iter().try_for_each(|inner| self.region(inner))?;
            }
            out.push(Some(node));
        }
        self.join(&mut out);
        r.nodes = out.into_iter().flatten().collect();
        Ok(())
    }

    fn zeros(&self, v: Value) -> u32 {
        self.defs.get(&v).map_or(0, |d| d.zeros)
    }

    fn constant(&self, v: Value) -> Option<u32> {
        self.defs.get(&v).and_then(|d| d.constant)
    }

    fn sum(&self, v: Value) -> Sum {
        let known = self.defs.get(&v).map(|d| &d.sum).filter(|s| s.terms.len() <= MOST_TERMS);
        known.cloned().unwrap_or_else(|| Sum { terms: smallvec![v], constant: 0 })
    }

    fn note(&mut self, i: &Inst) {
        let &[result] = &i.results[..] else { return };
        if self.shader.ty(result) != Ty::I32 {
            return;
        }
        let zeros = low_zeros(i, |v| self.constant(v).map(u64::from), |v| self.zeros(v));
        let constant = match (i.op, &i.imm) {
            (Op::Const, Imm::Bits(bits)) => Some(*bits as u32),
            _ => None,
        };
        let strides = match (i.op, &i.imm) {
            (Op::Offset, Imm::Strides(s)) => Some(i.args.iter().copied().zip(s.iter().copied()).collect()),
            _ => None,
        };
        let sum = match (constant, i.op) {
            (Some(constant), _) => Sum { terms: SmallVec::new(), constant },
            (None, Op::IAdd) => {
                let (mut sum, more) = (self.sum(i.args[0]), self.sum(i.args[1]));
                sum.terms.extend(more.terms);
                sum.terms.sort_unstable_by_key(|v| v.0);
                sum.constant = sum.constant.wrapping_add(more.constant);
                sum
            }
            _ => Sum { terms: smallvec![result], constant: 0 },
        };
        let def = Def { constant, zeros, sum, strides };
        self.defs.insert(result, def);
    }

    /// The key of a store that may be joined with others, and the store.
    fn store(&self, i: &Inst, node: usize) -> Option<(Key, Store)> {
        let (buffer, offset, values) = match (i.op, &i.args[..]) {
            (Op::StoreShared, [offset, values @ ..]) => (None, *offset, values),
            (Op::StoreBuffer, [buffer, offset, values @ ..]) => (Some(*buffer), *offset, values),
            _ => return None,
        };
        let Imm::Mem(mem) = &i.imm else { return None };
        let ty = self.shader.ty(*values.first()?);
        let fits = matches!(ty, Ty::I8 | Ty::I16 | Ty::F16 | Ty::I32 | Ty::F32);
        let dense = values.len() == 1 || mem.stride == ty.bytes();
        if mem.ordered || !dense || !fits || self.shader.ty(offset) != Ty::I32 {
            return None;
        }
        let def = self.defs.get(&offset)?;
        let mut from = u64::from(mem.offset);
        let mut indices = SmallVec::new();
        for &(index, stride) in def.strides.as_ref()? {
            let mut sum = self.sum(index);
            let zeros = sum.terms.iter().map(|&v| self.zeros(v)).min().unwrap_or(32);
            let small = sum.constant & u32::MAX.checked_shl(zeros).map_or(u32::MAX, |high| !high);
            sum.constant -= small;
            from += u64::from(small) * u64::from(stride);
            indices.push((sum, stride));
        }
        let bytes = u64::from(ty.bytes()) * values.len() as u64;
        let key = Key { op: i.op, buffer, ty, indices };
        Some((key, Store { node, at: 0, from, bytes, zeros: def.zeros }))
    }

    fn add(&mut self, key: Key, mut store: Store, out: &mut [Option<Node>]) {
        let overlaps = |s: &Store| s.from < store.from + store.bytes && store.from < s.from + s.bytes;
        if self.line.key.as_ref() != Some(&key) || self.line.stores.iter().any(overlaps) {
            self.join(out);
            self.line.key = Some(key);
        }
        store.at = self.line.stores.len();
        self.line.stores.push(store);
    }

    /// Joins the stores of the line, and ends it.
    fn join(&mut self, out: &mut [Option<Node>]) {
        let Line { key: Some(_), mut stores } = std::mem::take(&mut self.line) else { return };
        stores.sort_unstable_by_key(|s| s.from);
        let mut rest = &stores[..];
        while let Some(first) = rest.first() {
            let taken = SIZES
                .iter()
                .find_map(|&size| run(rest, size).filter(|_| first.zeros >= size.trailing_zeros()));
            let (run, after) = rest.split_at(taken.unwrap_or(1));
            if run.len() > 1 {
                joined(run, out);
            }
            rest = after;
        }
    }
}

/// The number of stores, two or more, that follow one another from the first on and have `size` bytes together. No other store of
/// the line is between them.
fn run(stores: &[Store], size: u64) -> Option<usize> {
    let (mut end, mut from, mut to) = (stores[0].from, usize::MAX, 0);
    for (k, store) in (1..).zip(stores) {
        if store.from != end {
            return None;
        }
        end += store.bytes;
        (from, to) = (from.min(store.at), to.max(store.at));
        if end - stores[0].from >= size {
            let exact = end - stores[0].from == size;
            return (exact && k > 1 && to - from == k - 1).then_some(k);
        }
    }
    None
}

/// Replaces the last store of a run, at which the values of all are known, with one store.
fn joined(run: &[Store], out: &mut [Option<Node>]) {
    let last = run.iter().map(|s| s.node).max().unwrap_or_default();
    let mut made: Option<Inst> = None;
    for store in run {
        let Some(Node::Inst(i)) = out[store.node].take() else { continue };
        match &mut made {
            None => made = Some(i),
            Some(made) => {
                let values = if i.op == Op::StoreShared { 1 } else { 2 };
                made.args.extend_from_slice(&i.args[values..]);
            }
        }
    }
    if let Some(mut made) = made {
        let values = made.args.len() as u64 - if made.op == Op::StoreShared { 1 } else { 2 };
        let bytes: u64 = run.iter().map(|s| s.bytes).sum();
        if let Imm::Mem(mem) = &mut made.imm {
            mem.stride = (bytes / values) as u32;
        }
        out[last] = Some(Node::Inst(made));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{BuiltIn, End, Mem, Src, StageKind};

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
    }

    /// Values of each store after the pass, for stores of words to workgroup memory at `factor * id + k`, in this order; the
    /// value is the constant `k`. `between`: an instruction before each store but the first.
    fn stored(factor: u64, constants: &[u64], between: Option<Op>) -> Vec<Vec<u64>> {
        let mut values = vec![Ty::I32; 3];
        let mut nodes = vec![
            inst(Op::BuiltIn, &[], &[0], Imm::BuiltIn(BuiltIn::LocalInvocationIndex, 0)),
            inst(Op::Const, &[], &[1], Imm::Bits(factor)),
            inst(Op::IMul, &[0, 1], &[2], Imm::None),
        ];
        for (n, &k) in constants.iter().enumerate() {
            if n > 0
                && let Some(op) = between
            {
                nodes.push(inst(op, &[], &[], Imm::None));
            }
            let at = values.len() as u32;
            values.extend([Ty::I32; 3]);
            nodes.push(inst(Op::Const, &[], &[at], Imm::Bits(k)));
            nodes.push(inst(Op::IAdd, &[2, at], &[at + 1], Imm::None));
            nodes.push(inst(Op::Offset, &[at + 1], &[at + 2], Imm::Strides(smallvec![4])));
            let mem = Mem { offset: 64, stride: 4, ordered: false };
            nodes.push(inst(Op::StoreShared, &[at + 2, at], &[], Imm::Mem(mem)));
        }
        let body = Region { nodes, end: End::Return };
        let mut shader = Shader { values, body, ..Shader::empty(StageKind::Compute, "main") };
        stores(&mut shader).unwrap();
        let mut constants = FxHashMap::default();
        let mut found = Vec::new();
        crate::ir::each_inst(&shader.body, &mut |i| {
            if let (Op::Const, Imm::Bits(bits)) = (i.op, &i.imm) {
                constants.insert(i.results[0], *bits);
            } else if i.op == Op::StoreShared {
                found.push(i.args[1..].iter().map(|v| constants[v]).collect());
            }
        });
        found
    }

    #[test]
    fn stores_that_follow_one_another_are_joined() {
        assert_eq!(stored(4, &[0, 1, 2, 3], None), [[0, 1, 2, 3]]);
        assert_eq!(stored(4, &[3, 1, 2, 0], None), [[0, 1, 2, 3]]);
        assert_eq!(stored(20, &[0, 1, 2, 3], None), [[0, 1, 2, 3]]);
        assert_eq!(stored(2, &[0, 1, 2, 3], None), [[0, 1], [2, 3]]);
        assert_eq!(stored(2, &[0, 1, 8, 9], None), [[0, 1], [8, 9]]);
        assert_eq!(stored(8, &[4, 5, 6, 7, 0, 1], None), [vec![4, 5, 6, 7], vec![0, 1]]);
    }

    #[test]
    fn others_stay() {
        // Places that may overlap those of other invocations in part.
        assert_eq!(stored(1, &[0, 1], None), [[0], [1]]);
        assert_eq!(stored(3, &[0, 1], None), [[0], [1]]);
        assert_eq!(stored(4, &[1, 2], None), [[1], [2]]);
        // A gap, a place that is stored to twice, and a store between that may be to the same place.
        assert_eq!(stored(4, &[0, 2], None), [[0], [2]]);
        assert_eq!(stored(4, &[0, 0, 1], None), [vec![0], vec![0, 1]]);
        assert_eq!(stored(4, &[0, 4, 1], None), [[0], [4], [1]]);
        assert_eq!(stored(8, &[0, 4, 1], None), [[0], [4], [1]]);
        // Memory is ordered between.
        assert_eq!(stored(4, &[0, 1], Some(Op::MemoryBarrier)), [[0], [1]]);
    }
}
