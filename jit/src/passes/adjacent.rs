//! Joins loads of scalars that follow one another in a buffer or in workgroup memory into one load: one range check instead of
//! several, and vector loads instead of gathers.
//!
//! Works within straight lines without writes. The load of the lowest address takes the scalars of those after it. Addresses
//! are compared as sums of the same indices and different constants; a constant counts only where its sum cannot wrap.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::{Imm, Inst, Node, Op, Region, Shader, Ty, Value};

use super::invariants::only_reads;

/// Most bytes that one load takes.
const MOST_BYTES: u64 = 16;
/// Most definitions that are followed for one index.
const DEPTH: u32 = 4;

/// Buffer (`None`: workgroup memory), type, and indices with their strides: the same for loads that are joined.
#[derive(PartialEq, Eq, Hash, Clone)]
struct Key {
    buffer: Option<Value>,
    ty: Ty,
    indices: SmallVec<[(Value, u32); 3]>,
}

/// A load in a straight line.
#[derive(Clone, Copy)]
struct Load {
    /// Position in the line.
    at: usize,
    /// Constant part of the address.
    from: u64,
    bytes: u64,
}

/// Joins loads in the whole body.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn adjacent(shader: &mut Shader) -> Result<()> {
    let mut body = std::mem::take(&mut shader.body);
    let mut join = Join { shader, defs: FxHashMap::default() };
    let result = join.region(&mut body);
    shader.body = body;
    result
}

struct Join<'a> {
    shader: &'a Shader,
    /// The operations that indices and offsets are made of.
    defs: FxHashMap<Value, (Op, SmallVec<[Value; 4]>, Imm)>,
}

impl Join<'_> {
    fn region(&mut self, r: &mut Region) -> Result<()> {
        let mut out = Vec::with_capacity(r.nodes.len());
        let mut line = Vec::new();
        for node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            match node {
                Node::Inst(i) if only_reads(&i) => {
                    self.note(&i);
                    line.push(i);
                }
                mut node => {
                    out.extend(self.joined(std::mem::take(&mut line)));
                    node.regions_mut().into_iter().try_for_each(|inner| self.region(inner))?;
                    out.push(node);
                }
            }
        }
        out.extend(self.joined(line));
        r.nodes = out;
        Ok(())
    }

    fn note(&mut self, i: &Inst) {
        let index = matches!(i.op, Op::IAdd | Op::IMul | Op::UDiv | Op::UMod | Op::Shl | Op::ShrU | Op::And);
        if index || matches!(i.op, Op::Const | Op::Offset) {
            self.defs.insert(i.results[0], (i.op, i.args.clone(), i.imm.clone()));
        }
    }

    fn constant(&self, v: Value) -> Option<u64> {
        match self.defs.get(&v) {
            Some((Op::Const, _, Imm::Bits(bits))) => Some(*bits),
            _ => None,
        }
    }

    /// Upper bound of an I32.
    fn most(&self, v: Value, depth: u32) -> u64 {
        const ALL: u64 = u32::MAX as u64;
        let Some((op, args, _)) = self.defs.get(&v).filter(|_| depth > 0) else { return ALL };
        let by = |k: usize| args.get(k).and_then(|&a| self.constant(a));
        let of = |k: usize| self.most(args[k], depth - 1);
        // A product that does not fit wraps, and can be anything.
        let product = |a: u64, b: u64| a.checked_mul(b).filter(|&p| p <= ALL).unwrap_or(ALL);
        match (op, by(0), by(1)) {
            (Op::IMul, Some(k), _) => product(k, of(1)),
            (Op::IMul, _, Some(k)) => product(k, of(0)),
            (Op::Shl, _, Some(k @ 0..32)) => product(1 << k, of(0)),
            (Op::UDiv, _, Some(k @ 1..)) => of(0) / k,
            (Op::UMod, _, Some(k @ 1..)) => of(0).min(k - 1),
            (Op::ShrU, _, Some(k @ 0..32)) => of(0) >> k,
            (Op::And, _, Some(k)) => k & ALL,
            _ => ALL,
        }
    }

    /// An index as another one and a constant, whose sum does not wrap.
    fn split(&self, index: Value, depth: u32) -> (Value, u64) {
        let Some((Op::IAdd, args, _)) = self.defs.get(&index).filter(|_| depth > 0) else {
            return (index, 0);
        };
        for (x, k) in [(args[0], args[1]), (args[1], args[0])] {
            let Some(k) = self.constant(k) else { continue };
            let (root, more) = self.split(x, depth - 1);
            if self.most(root, DEPTH) + more + k <= u64::from(u32::MAX) {
                return (root, more + k);
            }
        }
        (index, 0)
    }

    /// The key of a load that may be joined with others, and its address.
    fn address(&self, i: &Inst) -> Option<(Key, u64, u64)> {
        let Imm::Mem(mem) = &i.imm else { return None };
        let (buffer, offset) = match (i.op, &i.args[..]) {
            (Op::LoadBuffer, &[buffer, offset]) => (Some(buffer), offset),
            (Op::LoadShared, &[offset]) => (None, offset),
            _ => return None,
        };
        let ty = self.shader.ty(*i.results.first()?);
        let bytes = u64::from(ty.bytes());
        let dense = i.results.len() == 1 || mem.stride == ty.bytes();
        let fits = matches!(ty, Ty::I8 | Ty::I16 | Ty::F16 | Ty::I32 | Ty::F32);
        let wide = self.shader.ty(offset) != Ty::I32;
        if mem.ordered || !dense || !fits || wide || self.constant(offset).is_some() {
            return None;
        }
        let mut from = u64::from(mem.offset);
        let mut indices = SmallVec::new();
        match self.defs.get(&offset) {
            Some((Op::Offset, args, Imm::Strides(strides)))
                if args.iter().all(|&a| self.shader.ty(a) == Ty::I32) =>
            {
                for (&a, &stride) in args.iter().zip(strides) {
                    let (root, more) = match self.constant(a) {
                        Some(k) => (None, k),
                        None => {
                            let (root, more) = self.split(a, DEPTH);
                            (Some(root), more)
                        }
                    };
                    from = from.checked_add(more.checked_mul(u64::from(stride))?)?;
                    indices.extend(root.map(|root| (root, stride)));
                }
            }
            _ => indices.push((offset, 1)),
        }
        (!indices.is_empty()).then_some((Key { buffer, ty, indices }, from, bytes * i.results.len() as u64))
    }

    /// A straight line with its loads joined.
    fn joined(&self, line: Vec<Inst>) -> Vec<Node> {
        let mut loads: FxHashMap<Key, SmallVec<[Load; 2]>> = FxHashMap::default();
        let mut order: Vec<Key> = Vec::new();
        for (at, i) in line.iter().enumerate() {
            if let Some((key, from, bytes)) = self.address(i) {
                let of = loads.entry(key.clone()).or_default();
                if of.len() == 1 {
                    order.push(key);
                }
                of.push(Load { at, from, bytes });
            }
        }
        let mut line: Vec<Option<Inst>> = line.into_iter().map(Some).collect();
        for key in order {
            let mut of = loads.remove(&key).unwrap_or_default();
            of.sort_by_key(|l| (l.from, l.at));
            let mut rest = &of[..];
            while let Some((first, after)) = rest.split_first() {
                let taken = run(first, after);
                join(&mut line, &rest[..=taken]);
                rest = &after[taken..];
            }
        }
        line.into_iter().flatten().map(Node::Inst).collect()
    }
}

/// Number of loads after the first that it takes. The sum is whole words.
fn run(first: &Load, after: &[Load]) -> usize {
    let (mut bytes, mut taken) = (first.bytes, 0);
    for (k, load) in (1..).zip(after) {
        if load.from != first.from + bytes || load.at < first.at || bytes + load.bytes > MOST_BYTES {
            break;
        }
        bytes += load.bytes;
        if bytes.is_multiple_of(4) {
            taken = k;
        }
    }
    taken
}

/// Makes the first load of a run the only one.
fn join(line: &mut [Option<Inst>], run: &[Load]) {
    let [first, others @ ..] = run else { return };
    let results: Vec<Value> =
        others.iter().filter_map(|l| line[l.at].take()).flat_map(|i| i.results.into_vec()).collect();
    let Some(load) = line[first.at].as_mut().filter(|_| !results.is_empty()) else { return };
    let before = load.results.len() as u64;
    if let Imm::Mem(mem) = &mut load.imm {
        mem.stride = (first.bytes / before) as u32;
    }
    load.results.extend(results);
}

#[cfg(test)]
mod tests {
    use smallvec::smallvec;

    use super::*;
    use crate::ir::{BuiltIn, End, HandleKind, Mem, Src, StageKind};

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
    }

    /// Number of scalars of each load from a buffer after the pass, for loads of words from `index + k`, where the index is divided
    /// by `divisor`.
    fn loads(constants: &[u64], divisor: u64, write: bool) -> Vec<usize> {
        loads_of(Op::LoadBuffer, constants, divisor, write)
    }

    fn loads_of(op: Op, constants: &[u64], divisor: u64, write: bool) -> Vec<usize> {
        let (i, f) = (Ty::I32, Ty::F32);
        let mut values = vec![i, Ty::Buffer, i, i, i];
        let binding = Imm::Binding { set: 0, binding: 0, kind: HandleKind::Buffer };
        let mut nodes = vec![
            inst(Op::Const, &[], &[0], Imm::Bits(0)),
            inst(Op::BufferDescriptor, &[0], &[1], binding),
            inst(Op::BuiltIn, &[], &[2], Imm::BuiltIn(BuiltIn::GlobalInvocationId, 0)),
            inst(Op::Const, &[], &[3], Imm::Bits(divisor)),
            inst(Op::UDiv, &[2, 3], &[4], Imm::None),
        ];
        for &k in constants {
            let at = values.len() as u32;
            values.extend([i, i, i, f]);
            nodes.push(inst(Op::Const, &[], &[at], Imm::Bits(k)));
            nodes.push(inst(Op::IAdd, &[4, at], &[at + 1], Imm::None));
            nodes.push(inst(Op::Offset, &[at + 1], &[at + 2], Imm::Strides(smallvec![4])));
            let mem = Mem { offset: 0, stride: 4, ordered: false };
            let args = if op == Op::LoadBuffer { vec![1, at + 2] } else { vec![at + 2] };
            nodes.push(inst(op, &args, &[at + 3], Imm::Mem(mem)));
            if write {
                nodes.push(inst(Op::MemoryBarrier, &[], &[], Imm::None));
            }
        }
        let body = Region { nodes, end: End::Return };
        let mut shader = Shader { values, body, ..Shader::empty(StageKind::Compute, "main") };
        adjacent(&mut shader).unwrap();
        let mut found = Vec::new();
        crate::ir::each_inst(&shader.body, &mut |i| {
            if i.op == op {
                found.push(i.results.len());
            }
        });
        found
    }

    #[test]
    fn loads_that_follow_one_another_are_joined() {
        assert_eq!(loads(&[0, 1], 2, false), [2]);
        assert_eq!(loads(&[0, 1, 2, 3], 2, false), [4]);
        assert_eq!(loads(&[0, 1, 2, 3, 4, 5], 2, false), [4, 2]);
        assert_eq!(loads(&[5, 9, 6], 2, false), [2, 1]);
        assert_eq!(loads_of(Op::LoadShared, &[0, 1, 2], 2, false), [3]);
    }

    #[test]
    fn others_stay() {
        // An index that may wrap, a gap, a lower address after a higher one, a write between.
        assert_eq!(loads(&[0, 1], 1, false), [1, 1]);
        assert_eq!(loads(&[0, 2], 2, false), [1, 1]);
        assert_eq!(loads(&[1, 0], 2, false), [1, 1]);
        assert_eq!(loads(&[0, 1], 2, true), [1, 1]);
        assert_eq!(loads_of(Op::LoadShared, &[0, 1], 2, true), [1, 1]);
    }
}
