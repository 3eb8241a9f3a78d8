//! Moves loads out of loops that only read, where the address is the same in each iteration.
//!
//! Only instructions at the start of a body move, before any other construct: every invocation that enters the loop
//! executes them. A load takes with it the computations of its address that lie in the loop; other computations stay,
//! since a value that lives across a loop takes a register. Ordered loads stay: another invocation may write there.

use rustc_hash::FxHashSet;

use crate::error::Result;
use crate::ir::op::Effect;
use crate::ir::{Imm, Inst, Loop, Node, Op, Region, Shader, Value};

/// Most loads that move out of one loop.
const MOST: usize = 8;

/// Moves loads out of all loops, the innermost ones first.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn invariants(shader: &mut Shader) -> Result<()> {
    region(&mut shader.body)?;
    Ok(())
}

/// Visits a region. Returns true if it only reads.
fn region(r: &mut Region) -> Result<bool> {
    crate::budget::work(r.nodes.len())?;
    let mut reads = true;
    // Nodes that move, by the position of their loop.
    let mut out: Vec<(usize, Vec<Node>)> = Vec::new();
    for (at, node) in r.nodes.iter_mut().enumerate() {
        reads &= match node {
            Node::Inst(i) => only_reads(i),
            Node::If(n) => region(&mut n.then)? & region(&mut n.els)?,
            Node::Block(n) => region(&mut n.body)?,
            Node::Loop(n) => {
                let inner = region(&mut n.body)?;
                let nodes = if inner { moved(n) } else { Vec::new() };
                if !nodes.is_empty() {
                    out.push((at, nodes));
                }
                inner
            }
        };
    }
    if !out.is_empty() {
        let mut out = out.into_iter().peekable();
        for (at, node) in std::mem::take(&mut r.nodes).into_iter().enumerate() {
            if let Some((_, nodes)) = out.next_if(|(to, _)| *to == at) {
                r.nodes.extend(nodes);
            }
            r.nodes.push(node);
        }
    }
    Ok(reads)
}

/// True if an instruction neither writes nor orders memory. Operations across the group may be among them.
pub(super) fn only_reads(i: &Inst) -> bool {
    i.op.effect() != Effect::Write && !matches!(i.imm, Imm::Mem(mem) if mem.ordered)
}

/// Takes the loads with constant addresses from the start of a loop, with the computations that lead to them.
fn moved(n: &mut Loop) -> Vec<Node> {
    let line: Vec<&Inst> = n.body.nodes.iter().map_while(inst).collect();
    // Values that change, or that an instruction computes that stays.
    let mut stays: FxHashSet<Value> = n.params.iter().map(|p| p.0).collect();
    let mut moves: FxHashSet<Value> = FxHashSet::default();
    let mut loads = 0;
    for i in &line {
        let fixed = !i.args.iter().any(|a| stays.contains(a));
        if i.op == Op::LoadBuffer && fixed && loads < MOST {
            loads += 1;
            moves.extend(&i.results);
        } else if !fixed || i.op.effect() != Effect::Pure {
            stays.extend(&i.results);
        }
    }
    if loads == 0 {
        return Vec::new();
    }
    for i in line.iter().rev() {
        if i.results.iter().any(|r| moves.contains(r)) {
            moves.extend(&i.args);
        }
    }
    let nodes = std::mem::take(&mut n.body.nodes);
    let (out, rest) = nodes
        .into_iter()
        .partition(|node| inst(node).is_some_and(|i| i.results.iter().any(|r| moves.contains(r))));
    n.body.nodes = rest;
    out
}

fn inst(node: &Node) -> Option<&Inst> {
    match node {
        Node::Inst(i) => Some(i),
        Node::If(_) | Node::Block(_) | Node::Loop(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{End, HandleKind, Label, Mem, Src, StageKind, Ty};

    fn put(values: &mut Vec<Ty>, op: Op, args: &[Value], imm: Imm, ty: Option<Ty>) -> (Node, Value) {
        let result = Value(values.len() as u32);
        values.extend(ty);
        let results = ty.map(|_| result).into_iter().collect();
        let inst = Inst { op, args: args.into(), results, imm, src: Src::default() };
        (Node::Inst(inst), result)
    }

    /// A loop that loads from a fixed address, of which a part is computed in the loop, from the parameter of the loop,
    /// and from the word loaded first. Returns the operations before the loop, and those in it.
    fn run(mem: Mem, writes: bool) -> [Vec<Op>; 2] {
        let mut values = Vec::new();
        let v = &mut values;
        let binding = Imm::Binding { set: 0, binding: 0, kind: HandleKind::Buffer };
        let (handle, buffer) = put(v, Op::BufferDescriptor, &[], binding, Some(Ty::Buffer));
        let (start, first) = put(v, Op::Const, &[], Imm::Bits(8), Some(Ty::I32));
        let param = Value(v.len() as u32);
        v.push(Ty::I32);
        let (sum, at) = put(v, Op::IAdd, &[first, first], Imm::None, Some(Ty::I32));
        let (fixed, word) = put(v, Op::LoadBuffer, &[buffer, at], Imm::Mem(mem), Some(Ty::I32));
        let (moving, _) = put(v, Op::LoadBuffer, &[buffer, param], Imm::Mem(mem), Some(Ty::I32));
        let (again, _) = put(v, Op::LoadBuffer, &[buffer, word], Imm::Mem(mem), Some(Ty::I32));
        let (other, next) = put(v, Op::IMul, &[first, first], Imm::None, Some(Ty::I32));
        let mut nodes = vec![sum, fixed, moving, again, other];
        if writes {
            nodes.push(put(v, Op::StoreBuffer, &[buffer, at, word], Imm::Mem(mem), None).0);
        }
        let body = Region { nodes, end: End::Yield(vec![next]) };
        let params = vec![(param, first)];
        let node = Loop { label: Label(0), params, body, results: Vec::new(), src: Src::default() };
        let nodes = vec![handle, start, Node::Loop(Box::new(node))];
        let body = Region { nodes, end: End::Return };
        let mut shader = Shader { values, body, ..Shader::empty(StageKind::Compute, "main") };
        invariants(&mut shader).unwrap();
        let ops = |nodes: &[Node]| nodes.iter().filter_map(inst).map(|i| i.op).collect();
        let Some(Node::Loop(n)) = shader.body.nodes.last() else { panic!("no loop: {shader}") };
        [ops(&shader.body.nodes), ops(&n.body.nodes)]
    }

    #[test]
    fn loads_from_fixed_addresses_leave_the_loop() {
        use Op::{BufferDescriptor, Const, IAdd, IMul, LoadBuffer, StoreBuffer};
        let [before, inside] = run(Mem::default(), false);
        assert_eq!(before, [BufferDescriptor, Const, IAdd, LoadBuffer, LoadBuffer]);
        assert_eq!(inside, [LoadBuffer, IMul], "the load at the parameter, and a number that no load needs");
        let stays = [IAdd, LoadBuffer, LoadBuffer, LoadBuffer, IMul];
        let [_, inside] = run(Mem { ordered: true, ..Mem::default() }, false);
        assert_eq!(inside, stays, "ordered loads see the writes of others");
        let [_, inside] = run(Mem::default(), true);
        assert_eq!(inside[..5], stays, "the loop writes");
        assert_eq!(inside[5], StoreBuffer);
    }
}
