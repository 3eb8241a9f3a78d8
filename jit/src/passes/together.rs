//! Joins independent reads of one image into one instruction. A filter with several taps then makes a single call,
//! which processes the lanes of all of them. Gathers of several components of the same texels become one gather, so that
//! the texels are loaded once.
//!
//! Works within straight lines without writes: operands of the later reads are computed before the first one.

use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{ImageOp, Imm, Inst, Node, Op, Region, Shader, Ty, Value};

/// Maximum distance between joined reads, in instructions.
const REACH: usize = 256;
/// Maximum number of instructions that move for one read.
const MOST_MOVED: usize = 64;

/// Joins reads in the whole body.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn together(shader: &mut Shader) -> Result<()> {
    region(&mut shader.body, &mut shader.values)
}

fn region(r: &mut Region, values: &mut Vec<Ty>) -> Result<()> {
    let mut out = Vec::with_capacity(r.nodes.len());
    let mut line = Vec::new();
    for node in std::mem::take(&mut r.nodes) {
        crate::budget::work(1)?;
        match node {
            Node::Inst(i) if i.op.effect() != Effect::Write => line.push(i),
            mut node => {
                out.extend(joined(std::mem::take(&mut line), values)?);
                match &mut node {
                    Node::Inst(_) => {}
                    Node::If(n) => {
                        region(&mut n.then, values)?;
                        region(&mut n.els, values)?;
                    }
                    Node::Block(n) => region(&mut n.body, values)?,
                    Node::Loop(n) => region(&mut n.body, values)?,
                }
                out.push(node);
            }
        }
    }
    out.extend(joined(line, values)?);
    r.nodes = out;
    Ok(())
}

/// The operation of an instruction, if it is a read that may be joined with others.
pub(super) fn read(i: &Inst) -> Option<&ImageOp> {
    match (&i.imm, i.op) {
        (Imm::Image(op), Op::ImageOp) if op.is_joinable() => Some(op),
        _ => None,
    }
}

/// A straight line without writes, with its reads joined.
fn joined(line: Vec<Inst>, values: &mut Vec<Ty>) -> Result<impl Iterator<Item = Node> + use<>> {
    let line = match line.iter().filter(|i| read(i).is_some()).count() {
        0 | 1 => line,
        _ => Line::new(line, values).joined()?,
    };
    Ok(line.into_iter().map(Node::Inst))
}

struct Line<'a> {
    /// Types of the shader's values.
    values: &'a mut Vec<Ty>,
    /// Instructions that are not placed yet.
    insts: Vec<Option<Inst>>,
    /// Index of the instruction that defines a value.
    made: FxHashMap<Value, usize>,
    out: Vec<Inst>,
}

impl<'a> Line<'a> {
    fn new(line: Vec<Inst>, values: &'a mut Vec<Ty>) -> Line<'a> {
        let made = line.iter().enumerate().flat_map(|(at, i)| i.results.iter().map(move |&r| (r, at)));
        let made = made.collect();
        let out = Vec::with_capacity(line.len());
        Line { values, out, insts: line.into_iter().map(Some).collect(), made }
    }

    fn joined(mut self) -> Result<Vec<Inst>> {
        for at in 0..self.insts.len() {
            self.gather_more(at)?;
        }
        for at in 0..self.insts.len() {
            let Some(mut first) = self.insts[at].take() else { continue };
            if read(&first).is_some() {
                self.join(at, &mut first)?;
            }
            self.out.push(first);
        }
        Ok(self.out)
    }

    /// Adds to the gather at index `at` the components that later ones gather of the same texels.
    fn gather_more(&mut self, at: usize) -> Result<()> {
        let (before, after) = self.insts.split_at_mut(at + 1);
        let Some(first) = &mut before[at] else { return Ok(()) };
        let Imm::Image(op) = &mut first.imm else { return Ok(()) };
        if !op.gathers_more() {
            return Ok(());
        }
        for place in after.iter_mut().take(REACH) {
            crate::budget::work(1)?;
            let beside = |i: &Inst| {
                i.args == first.args && matches!(&i.imm, Imm::Image(other) if op.gathers_beside(other))
            };
            let Some(Inst { imm: Imm::Image(other), results, .. }) = place.take_if(|i| beside(i)) else {
                continue;
            };
            results.iter().for_each(|&r| _ = self.made.insert(r, at));
            let (mut ours, mut others) = (first.results.chunks(4), results.chunks(4));
            let both = (0..4).filter_map(|c| match op.gathers(c) {
                true => ours.next(),
                false => other.gathers(c).then(|| others.next()).flatten(),
            });
            first.results = both.flatten().copied().collect();
            op.components |= other.components;
        }
        Ok(())
    }

    /// Makes all reads of a gather read these components, among which are its own. Nothing uses the others.
    fn widen(&mut self, gather: &mut Inst, components: u8) {
        let Imm::Image(op) = &mut gather.imm else { return };
        if op.components == components {
            return;
        }
        let mut own = std::mem::take(&mut gather.results).into_iter();
        let wide = ImageOp { components, ..**op };
        while own.len() > 0 {
            for c in wide.gathered() {
                if op.gathers(c) {
                    gather.results.extend(own.by_ref().take(4));
                } else {
                    let first = self.values.len() as u32;
                    self.values.extend([op.texel; 4]);
                    gather.results.extend((first..first + 4).map(Value));
                }
            }
        }
        **op = wide;
    }

    /// Joins later reads to `first`, which was at index `at`.
    fn join(&mut self, at: usize, first: &mut Inst) -> Result<()> {
        let mut n = 1;
        for later in at + 1..self.insts.len().min(at + REACH) {
            crate::budget::work(1)?;
            let both = |i: &Inst| match (read(first), read(i)) {
                (Some(a), Some(b)) if i.args[0] == first.args[0] => a.gathered_with(b),
                _ => None,
            };
            let Some(components) = self.insts[later].as_ref().and_then(both) else { continue };
            let Some(needed) = self.needed(later, first) else { continue };
            crate::budget::work(needed.len())?;
            self.out.extend(needed.into_iter().filter_map(|i| self.insts[i].take()));
            if let Some(mut i) = self.insts[later].take() {
                self.widen(first, components);
                self.widen(&mut i, components);
                first.args.extend_from_slice(&i.args[1..]);
                first.results.extend_from_slice(&i.results);
                n += 1;
            }
            if n == ImageOp::MOST_JOINED {
                break;
            }
        }
        Ok(())
    }

    /// Instructions, in order, that must move before the joined reads so that another read can join them. `None` if the
    /// read depends on one of them or on a read of another image, or if too many would move.
    fn needed(&self, later: usize, first: &Inst) -> Option<Vec<usize>> {
        let mut needed: Vec<usize> = Vec::new();
        let mut work = vec![later];
        while let Some(at) = work.pop() {
            for a in &self.insts[at].as_ref()?.args {
                if first.results.contains(a) {
                    return None;
                }
                let Some(&by) = self.made.get(a) else { continue };
                // Instructions that are already placed come before the read.
                let Some(i) = &self.insts[by] else { continue };
                if i.op == Op::ImageOp || needed.len() == MOST_MOVED {
                    return None;
                }
                if !needed.contains(&by) {
                    needed.push(by);
                    work.push(by);
                }
            }
        }
        needed.sort_unstable();
        Some(needed)
    }
}

#[cfg(test)]
mod tests {
    use smallvec::SmallVec;

    use super::*;
    use crate::ir::{End, HandleKind, ImageOpKind, Src, StageKind};
    use crate::passes::tests::SAMPLE as OP;

    struct Made {
        values: Vec<Ty>,
        nodes: Vec<Node>,
    }

    impl Made {
        fn inst(&mut self, op: Op, args: &[Value], results: &[Ty], imm: Imm) -> SmallVec<[Value; 4]> {
            let first = self.values.len() as u32;
            self.values.extend(results);
            let results: SmallVec<[Value; 4]> = (first..self.values.len() as u32).map(Value).collect();
            let args = SmallVec::from_slice(args);
            self.nodes.push(Node::Inst(Inst {
                op,
                args,
                results: results.clone(),
                imm,
                src: Src::default(),
            }));
            results
        }
        fn float(&mut self, bits: u64) -> Value {
            self.inst(Op::Const, &[], &[Ty::F32], Imm::Bits(bits))[0]
        }
        fn add(&mut self, a: Value, b: Value) -> Value {
            self.inst(Op::FAdd, &[a, b], &[Ty::F32], Imm::None)[0]
        }
        fn image(&mut self, binding: u32) -> Value {
            self.inst(
                Op::ImageDescriptor,
                &[],
                &[Ty::Image],
                Imm::Binding { set: 0, binding, kind: HandleKind::Image },
            )[0]
        }
        fn read(&mut self, image: Value, at: Value, op: ImageOp) -> Value {
            self.inst(Op::ImageOp, &[image, at], &[Ty::F32; 4], Imm::Image(Box::new(op)))[0]
        }
        fn gather(&mut self, image: Value, at: Value, component: u8) -> Value {
            self.read(image, at, ImageOp { kind: ImageOpKind::Gather, components: 1 << component, ..OP })
        }
    }

    /// Number of reads in each image operation after the pass.
    fn reads(make: impl FnOnce(&mut Made)) -> Vec<usize> {
        let mut m = Made { values: Vec::new(), nodes: Vec::new() };
        make(&mut m);
        let values = m.values.len();
        let body = Region { nodes: m.nodes, end: End::Return };
        let mut shader = Shader { values: m.values, body, ..Shader::empty(StageKind::Compute, "main") };
        let before = shader.body.nodes.len();
        together(&mut shader).unwrap();
        let nodes = &shader.body.nodes;
        let images = nodes.iter().filter_map(|n| match n {
            Node::Inst(i) if i.op == Op::ImageOp => Some(i),
            _ => None,
        });
        // Each value is still defined before its uses, and none is lost.
        let mut made = vec![false; shader.values.len()];
        for n in nodes {
            let Node::Inst(i) = n else { continue };
            assert!(i.args.iter().all(|a| made[a.0 as usize]), "{}", shader);
            i.results.iter().for_each(|r| made[r.0 as usize] = true);
        }
        assert!(made.iter().all(|&m| m));
        let reads: Vec<usize> = images.map(|i| i.results.len() / 4).collect();
        let unused = (shader.values.len() - values) / 4;
        assert_eq!(before, nodes.len() - reads.len() + reads.iter().sum::<usize>() - unused);
        reads
    }

    #[test]
    fn reads_of_one_image_are_joined() {
        let sums = |m: &mut Made, n: u32| {
            let (t, mut at) = (m.image(0), m.float(1));
            let mut sum = m.read(t, at, OP);
            for _ in 1..n {
                at = m.add(at, at);
                let r = m.read(t, at, OP);
                sum = m.add(sum, r);
            }
        };
        assert_eq!(reads(|m| sums(m, 2)), [2]);
        assert_eq!(reads(|m| sums(m, 4)), [4]);
        assert_eq!(reads(|m| sums(m, 9)), [4, 4, 1]);
    }

    #[test]
    fn components_of_the_same_texels_are_gathered_at_once() {
        let three = reads(|m| {
            let (t, at) = (m.image(0), m.float(1));
            (0..3).for_each(|c| _ = m.gather(t, at, c));
        });
        assert_eq!(three, [3]);
        // Both components of four places are one read of four gathers.
        let four = reads(|m| {
            let (t, mut at) = (m.image(0), m.float(1));
            for _ in 0..4 {
                let g = m.gather(t, at, 1);
                let r = m.gather(t, at, 0);
                at = m.add(at, at);
                m.add(g, r);
            }
        });
        assert_eq!(four, [8]);
        // A place with fewer components joins one with more, before it or after it.
        for more in [[0, 1], [1, 0]] {
            let places = reads(|m| {
                let (t, mut at) = (m.image(0), m.float(1));
                for more in more {
                    (0..=more).for_each(|c| _ = m.gather(t, at, c));
                    at = m.float(2 + u64::from(more));
                }
            });
            assert_eq!(places, [4]);
        }
        let neither = reads(|m| {
            let (t, at) = (m.image(0), m.float(1));
            m.gather(t, at, 0);
            let at = m.float(2);
            m.gather(t, at, 1);
        });
        assert_eq!(neither, [1, 1]);
        // Other places and comparisons are not the same texels.
        let apart = reads(|m| {
            let (t, u, at) = (m.image(0), m.image(1), m.float(1));
            m.gather(t, at, 0);
            m.gather(u, at, 1);
            m.read(t, at, ImageOp { kind: ImageOpKind::Gather, dref: true, components: 1, ..OP });
        });
        assert_eq!(apart, [1, 1, 1]);
    }

    #[test]
    fn what_differs_or_depends_is_not_joined() {
        // Reads of another image, and other operations.
        let apart = reads(|m| {
            let (t, u, at) = (m.image(0), m.image(1), m.float(1));
            m.read(t, at, OP);
            m.read(u, at, OP);
            m.gather(t, at, 0);
            m.read(t, at, OP);
        });
        assert_eq!(apart, [2, 1, 1]);
        // Reads that depend on another read, directly or indirectly, or on a read of another image.
        let chained = reads(|m| {
            let (t, u, at) = (m.image(0), m.image(1), m.float(1));
            let a = m.read(t, at, OP);
            let b = m.add(a, at);
            m.read(t, b, OP);
            let c = m.read(u, at, OP);
            m.read(t, c, OP);
        });
        assert_eq!(chained, [1, 1, 1, 1]);
        // A write between the reads.
        let written = reads(|m| {
            let (t, at) = (m.image(0), m.float(1));
            m.read(t, at, OP);
            m.inst(Op::MemoryBarrier, &[], &[], Imm::None);
            m.read(t, at, OP);
        });
        assert_eq!(written, [1, 1]);
        // Too many instructions would move.
        let far = reads(|m| {
            let (t, mut at) = (m.image(0), m.float(1));
            m.read(t, at, OP);
            for _ in 0..MOST_MOVED + 1 {
                at = m.add(at, at);
            }
            m.read(t, at, OP);
        });
        assert_eq!(far, [1, 1]);
    }
}
