//! Unrolls loops with a known number of iterations: loops that only read images and compute, whose reads
//! [`super::together`] then joins, loops whose iterations index variables, which [`super::promote`] then turns into
//! values, and short loops that load buffers, whose iterations then load at known distances from each other.
//!
//! Only a test at the top level may leave the loop. `copy` copies an iteration.

use rustc_hash::{FxHashMap, FxHashSet};

use super::copy::Copies;
use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{End, If, Imm, Inst, Loop, Node, Op, Region, Shader, Sig, Ty, Value};

/// Maximum number of iterations of an unrolled loop.
const MOST_TURNS: usize = 16;
/// Maximum number of instructions that an unrolled loop becomes.
const MOST_INSTS: usize = 1024;
/// Maximum number of iterations of a loop that is unrolled for its loads of buffers alone.
const MOST_LOADING_TURNS: usize = 4;
/// Maximum number of instructions and constructs of such a loop.
const MOST_LOADING_NODES: usize = 160;

struct Unroll<'a> {
    values: &'a mut Vec<Ty>,
    labels: &'a mut u32,
    optimized: bool,
    consts: FxHashMap<Value, u64>,
    /// Replacements of results of loops.
    subst: FxHashMap<Value, Value>,
}

/// Unrolls loops in the whole body, those over variables and loads of buffers only if `optimized`; returns true if there
/// was one to unroll.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn unroll(shader: &mut Shader, optimized: bool) -> Result<bool> {
    let Shader { values, n_labels: labels, body, .. } = shader;
    let mut u =
        Unroll { values, labels, optimized, consts: FxHashMap::default(), subst: FxHashMap::default() };
    let before = u.values.len();
    u.region(body)?;
    Ok(u.values.len() > before)
}

/// The results of a test that leaves the loop, and true if it leaves when its condition is true.
fn exit<'a>(n: &'a Loop, test: &'a If) -> Option<(&'a [Value], bool)> {
    let leaves = |r: &'a Region| match &r.end {
        End::Break(label, args) if *label == n.label && r.nodes.is_empty() => Some(&args[..]),
        _ => None,
    };
    let stays = |r: &Region| r.nodes.is_empty() && matches!(&r.end, End::Yield(args) if args.is_empty());
    match (leaves(&test.then), leaves(&test.els)) {
        (Some(args), _) if stays(&test.els) => Some((args, true)),
        (_, Some(args)) if stays(&test.then) => Some((args, false)),
        _ => None,
    }
}

/// The contents of a loop.
#[derive(Default)]
struct Contents {
    /// Instructions and constructs.
    nodes: usize,
    /// Ways out of the loop to its end.
    breaks: usize,
    /// True if all nodes are instructions and tests that leave the loop.
    flat: bool,
    /// True if there is an image read that could be joined with others.
    reads: bool,
    writes: bool,
    /// True if there is a load of a buffer.
    loads: bool,
    /// True if there is a write of anything but a variable.
    stores: bool,
    /// True if invocations wait for each other.
    waits: bool,
    /// True if the index of a variable's element may differ from one iteration to the next.
    indexes: bool,
}

impl Contents {
    fn of(n: &Loop) -> Result<Contents> {
        let mut contents = Contents { flat: true, ..Contents::default() };
        let mut changing = n.params.iter().map(|p| p.0).collect();
        contents.region(n, &n.body, &mut changing)?;
        Ok(contents)
    }

    /// Adds a region; `changing` are the values that may differ from one iteration to the next.
    fn region(&mut self, n: &Loop, region: &Region, changing: &mut FxHashSet<Value>) -> Result<()> {
        crate::budget::work(region.nodes.len())?;
        self.nodes += region.nodes.len();
        self.breaks += usize::from(matches!(&region.end, End::Break(label, _) if *label == n.label));
        for node in &region.nodes {
            match node {
                Node::Inst(i) => self.inst(i, changing),
                Node::If(inner) => {
                    self.flat &= exit(n, inner).is_some();
                    self.region(n, &inner.then, changing)?;
                    self.region(n, &inner.els, changing)?;
                    changing.extend(&inner.results);
                }
                Node::Block(inner) => {
                    self.flat = false;
                    self.region(n, &inner.body, changing)?;
                    changing.extend(&inner.results);
                }
                Node::Loop(inner) => {
                    self.flat = false;
                    let params = inner.params.iter().filter(|(_, init)| changing.contains(init));
                    let params: Vec<Value> = params.map(|p| p.0).collect();
                    changing.extend(params);
                    self.region(n, &inner.body, changing)?;
                    changing.extend(&inner.results);
                }
            }
        }
        Ok(())
    }

    fn inst(&mut self, i: &Inst, changing: &mut FxHashSet<Value>) {
        self.reads |= matches!(&i.imm, Imm::Image(op) if op.is_joinable());
        let writes = i.op.effect() == Effect::Write;
        self.writes |= writes;
        self.loads |= i.op == Op::LoadBuffer;
        self.stores |= writes && !matches!(i.op, Op::VarSet | Op::VarSetDyn);
        self.waits |= i.op == Op::ControlBarrier;
        let by_index = matches!(i.op, Op::VarGetDyn | Op::VarSetDyn);
        self.indexes |= by_index && changing.contains(&i.args[0]);
        if i.args.iter().any(|a| changing.contains(a)) {
            changing.extend(&i.results);
        }
    }

    /// Number of iterations up to which the loop is unrolled, 0 for loops that stay.
    fn most_turns(&self, optimized: bool) -> usize {
        let images = self.reads && self.flat && !self.writes;
        let loads = self.loads && !self.stores && self.nodes <= MOST_LOADING_NODES;
        if self.breaks != 1 || self.waits {
            0
        } else if images || optimized && self.indexes {
            MOST_TURNS
        } else if optimized && loads {
            MOST_LOADING_TURNS
        } else {
            0
        }
    }
}

impl Unroll<'_> {
    fn find(&self, mut v: Value) -> Value {
        while let Some(&to) = self.subst.get(&v) {
            v = to;
        }
        v
    }

    fn region(&mut self, r: &mut Region) -> Result<()> {
        let mut out = Vec::with_capacity(r.nodes.len());
        for mut node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    i.args.iter_mut().for_each(|a| *a = self.find(*a));
                    self.note(i);
                }
                Node::If(n) => {
                    n.cond = self.find(n.cond);
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                }
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => {
                    n.params.iter_mut().for_each(|(_, init)| *init = self.find(*init));
                    self.region(&mut n.body)?;
                    if let Some(turns) = self.turns(n)? {
                        self.straighten(n, turns, &mut out)?;
                        continue;
                    }
                }
            }
            out.push(node);
        }
        r.nodes = out;
        let end = super::end_args_mut(&mut r.end);
        end.iter_mut().for_each(|a| *a = self.find(*a));
        Ok(())
    }

    fn note(&mut self, i: &Inst) {
        if let (Op::Const, Imm::Bits(bits)) = (i.op, &i.imm) {
            self.consts.insert(i.results[0], *bits);
        }
    }

    /// Number of iterations of a loop before it is left, if the loop can be unrolled.
    fn turns(&self, n: &Loop) -> Result<Option<usize>> {
        let contents = Contents::of(n)?;
        let End::Yield(next) = &n.body.end else { return Ok(None) };
        let most = contents.most_turns(self.optimized);
        if most == 0 {
            return Ok(None);
        }
        let most = most.min(MOST_INSTS / contents.nodes);
        let mut known: FxHashMap<Value, u64> = FxHashMap::default();
        for &(p, init) in &n.params {
            known.extend(self.consts.get(&init).map(|&bits| (p, bits)));
        }
        for turn in 0..=most {
            crate::budget::work(n.body.nodes.len())?;
            for node in &n.body.nodes {
                match node {
                    Node::Inst(i) => self.evaluate(i, &mut known),
                    Node::If(test) => {
                        let Some((_, leaves)) = exit(n, test) else { continue };
                        let Some(&holds) = known.get(&test.cond) else { return Ok(None) };
                        if (holds != 0) == leaves {
                            return Ok(Some(turn));
                        }
                    }
                    Node::Block(_) | Node::Loop(_) => {}
                }
            }
            let now: Vec<Option<u64>> =
                next.iter().map(|v| known.get(v).or_else(|| self.consts.get(v)).copied()).collect();
            known.clear();
            let now = n.params.iter().zip(now);
            known.extend(now.filter_map(|(&(p, _), bits)| Some((p, bits?))));
        }
        Ok(None)
    }

    /// Records the value of an instruction whose operands are constants.
    fn evaluate(&self, i: &Inst, known: &mut FxHashMap<Value, u64>) {
        if let (Op::Const, Imm::Bits(bits)) = (i.op, &i.imm) {
            known.insert(i.results[0], *bits);
        }
        if i.op.sig() == Sig::Free || i.results.len() != 1 || !crate::ops::has_row(i.op) {
            return;
        }
        let bits = |a: &Value| known.get(a).or_else(|| self.consts.get(a)).copied();
        let Some(args) = i.args.iter().map(bits).collect::<Option<Vec<u64>>>() else { return };
        let tys: Vec<Ty> = i.args.iter().map(|a| self.values[a.0 as usize]).collect();
        if tys.iter().all(Ty::is_plain) {
            let result = self.values[i.results[0].0 as usize];
            known.insert(i.results[0], crate::ops::eval(i.op, &tys, result, &args));
        }
    }

    /// Emits the iterations of a loop one after another, up to the test that leaves it.
    fn straighten(&mut self, n: &Loop, turns: usize, out: &mut Vec<Node>) -> Result<()> {
        let End::Yield(next) = &n.body.end else { return Ok(()) };
        let mut now: FxHashMap<Value, Value> = n.params.iter().copied().collect();
        for turn in 0..=turns {
            crate::budget::work(n.body.nodes.len())?;
            let mut copies = Copies::new(self.values, self.labels, now);
            for node in &n.body.nodes {
                match node {
                    Node::If(test) if let Some((args, _)) = exit(n, test) => {
                        if turn == turns {
                            self.subst.extend(n.results.iter().copied().zip(copies.all(args)));
                            return Ok(());
                        }
                    }
                    _ => {
                        let node = copies.node(node);
                        if let Node::Inst(i) = &node
                            && let (Op::Const, Imm::Bits(bits)) = (i.op, &i.imm)
                        {
                            self.consts.insert(i.results[0], *bits);
                        }
                        out.push(node);
                    }
                }
            }
            now = n.params.iter().map(|p| p.0).zip(copies.all(next)).collect();
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use smallvec::{SmallVec, smallvec};

    use super::*;
    use crate::ir::{HandleKind, ImageOp, ImageOpKind, Label, Mem, Src, StageKind};
    use crate::passes::tests::SAMPLE;

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
    }

    /// As `of`, for reads of an image in the first tier.
    fn reads(n: u64, step: u64, write: bool) -> (usize, String) {
        of(Op::ImageOp, n, step, write.then_some(Op::MemoryBarrier), false)
    }

    /// Number of reads of `for (i = 0; i < n; i += step) { sum += read(i); write; }` after the pass, and the IR. If `n` is 0,
    /// the limit is an unknown parameter.
    fn of(op: Op, n: u64, step: u64, write: Option<Op>, optimized: bool) -> (usize, String) {
        let binding = |kind| Imm::Binding { set: 0, binding: 0, kind };
        let (read, descriptor, handle, ty) = if op == Op::ImageOp {
            let fetch = ImageOp { kind: ImageOpKind::Fetch, ..SAMPLE };
            (Imm::Image(Box::new(fetch)), Op::ImageDescriptor, binding(HandleKind::Image), Ty::Image)
        } else {
            let mem = Mem { stride: 4, ..Mem::default() };
            (Imm::Mem(mem), Op::BufferDescriptor, binding(HandleKind::Buffer), Ty::Buffer)
        };
        let empty = |end| Region { nodes: Vec::new(), end };
        let test = If {
            cond: Value(7),
            then: empty(End::Yield(Vec::new())),
            els: empty(End::Break(Label(0), vec![Value(6)])),
            results: Vec::new(),
            src: Src::default(),
        };
        let mut nodes = vec![
            inst(Op::ULt, &[5, 2], &[7], Imm::None),
            Node::If(Box::new(test)),
            inst(op, &[4, 5], &[8, 9, 10, 11], read),
            inst(Op::FAdd, &[6, 8], &[12], Imm::None),
            inst(Op::IAdd, &[5, 1], &[13], Imm::None),
        ];
        nodes.extend(write.map(|write| inst(write, &[], &[], Imm::None)));
        let body = Region { nodes, end: End::Yield(vec![Value(13), Value(12)]) };
        let turning = Loop {
            label: Label(0),
            params: vec![(Value(5), Value(0)), (Value(6), Value(3))],
            body,
            results: vec![Value(14)],
            src: Src::default(),
        };
        let limit = match n {
            0 => inst(Op::BuiltIn, &[], &[2], Imm::BuiltIn(crate::ir::BuiltIn::GlobalInvocationId, 0)),
            _ => inst(Op::Const, &[], &[2], Imm::Bits(n)),
        };
        let nodes = vec![
            inst(Op::Const, &[], &[0], Imm::Bits(0)),
            inst(Op::Const, &[], &[1], Imm::Bits(step)),
            limit,
            inst(Op::Const, &[], &[3], Imm::Bits(0)),
            inst(descriptor, &[0], &[4], handle),
            Node::Loop(Box::new(turning)),
            inst(Op::FAdd, &[14, 14], &[15], Imm::None),
        ];
        let (i, f) = (Ty::I32, Ty::F32);
        let values = vec![i, i, i, f, ty, i, f, Ty::Bool, f, f, f, f, f, i, f, f];
        let body = Region { nodes, end: End::Return };
        let mut shader = Shader { values, n_labels: 1, body, ..Shader::empty(StageKind::Compute, "main") };
        let unrolled = unroll(&mut shader, optimized).unwrap();
        let loops = shader.body.nodes.iter().any(|n| matches!(n, Node::Loop(_)));
        assert_eq!(unrolled, !loops);
        let mut reads = 0;
        crate::ir::each_inst(&shader.body, &mut |i| reads += usize::from(i.op == op));
        // The code after the loop uses a computed sum, not the loop's result.
        let made = |v: Value| {
            let mut made = false;
            crate::ir::each_inst(&shader.body, &mut |i| made |= i.results.contains(&v));
            made
        };
        let Some(Node::Inst(last)) = shader.body.nodes.last() else { panic!() };
        let used: SmallVec<[Value; 4]> = smallvec![last.args[0], last.args[1]];
        assert_eq!(used.iter().all(|&v| made(v)), unrolled);
        (if loops { 0 } else { reads }, shader.to_string())
    }

    #[test]
    fn loops_of_taps_become_straight() {
        for (n, step, expected) in [(1, 1, 1), (4, 1, 4), (9, 2, 5), (16, 1, 16), (1, 0x8000_0001, 1)] {
            let (reads, text) = reads(n, step, false);
            assert_eq!(reads, expected, "{n} by {step}\n{text}");
        }
    }

    #[test]
    fn others_stay() {
        // Too many iterations, an endless loop, an unknown limit, a write.
        for (n, step, write) in [(17, 1, false), (4, 0, false), (0, 1, false), (4, 1, true)] {
            assert_eq!(reads(n, step, write).0, 0, "{n} by {step}");
        }
    }
    #[test]
    fn few_loads_of_buffers_become_straight_in_the_optimized_tier() {
        let loads = |n, write, optimized| of(Op::LoadBuffer, n, 1, write, optimized).0;
        for (n, expected) in [(1, 1), (4, 4), (5, 0), (0, 0)] {
            assert_eq!(loads(n, None, true), expected, "{n}");
        }
        assert_eq!(loads(4, None, false), 0, "the first tier");
        assert_eq!(loads(4, Some(Op::VarSet), true), 4, "a variable");
        assert_eq!(loads(4, Some(Op::StoreBuffer), true), 0, "a store");
        assert_eq!(loads(4, Some(Op::ControlBarrier), true), 0, "a barrier");
    }
}
