//! Provenance of the bases and sizes of buffers.
//!
//! A memory access is checked against the base and size that its `BufferAt` received. The check is sound only if both
//! come from one look-up (`BufferParts`, `AddressBuffer`, `HandleBuffer`), on every path that values take: selections,
//! results of constructs, variables. A number that a shader loads or computes is never a base. A base and size of
//! constant zeros are a null pointer. Types and scopes are left to `verify`.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{End, Imm, Inst, Label, Node, Op, Region, Shader, Src, Value, Var};

/// The definition of a value.
#[derive(Clone, Copy)]
enum Def<'a> {
    /// A result of an instruction.
    Inst(&'a Inst, usize),
    /// A result or a parameter of a construct: number of the join, and index.
    Join(usize, usize),
}

#[derive(Default)]
struct Provenance<'a> {
    defs: FxHashMap<Value, Def<'a>>,
    /// For each join: the lists of values that merge at a construct.
    joins: Vec<Vec<&'a [Value]>>,
    /// Joins of loop parameters, with their initial values.
    inits: Vec<(usize, Vec<Value>)>,
    /// Values stored to an element of a variable, in order.
    stores: FxHashMap<(Var, u32), Vec<Value>>,
    buffers: Vec<&'a Inst>,
    labels: Vec<(Label, usize)>,
    /// Pairs that are checked or being checked.
    seen: FxHashSet<(Value, Value)>,
}

/// Checks that the base and the size of every buffer come from one look-up; otherwise returns the buffer at fault and
/// its origin.
pub fn check(shader: &Shader) -> Result<(), (String, Src)> {
    let mut all = Provenance::default();
    all.region(&shader.body, None);
    let mut work = Vec::new();
    for i in std::mem::take(&mut all.buffers) {
        work.push((i.args[0], i.args[1]));
        while let Some(pair) = work.pop() {
            if all.seen.insert(pair) && !all.sources(pair, &mut work) {
                let (base, size) = pair;
                return Err((format!("base {base} and size {size} are not those of one buffer"), i.src));
            }
        }
    }
    Ok(())
}

impl<'a> Provenance<'a> {
    /// Adds a construct at which values merge.
    fn join(&mut self, results: impl IntoIterator<Item = Value>) -> usize {
        let number = self.joins.len();
        self.joins.push(Vec::new());
        for (k, v) in results.into_iter().enumerate() {
            self.defs.insert(v, Def::Join(number, k));
        }
        number
    }

    /// Collects the definitions of a region, whose `Yield` goes to join `to`.
    fn region(&mut self, region: &'a Region, to: Option<usize>) {
        for node in &region.nodes {
            match node {
                Node::Inst(i) => self.inst(i),
                Node::If(n) => {
                    let join = self.join(n.results.iter().copied());
                    self.region(&n.then, Some(join));
                    self.region(&n.els, Some(join));
                }
                Node::Block(n) => {
                    let join = self.join(n.results.iter().copied());
                    self.labels.push((n.label, join));
                    self.region(&n.body, Some(join));
                    self.labels.pop();
                }
                Node::Loop(n) => {
                    let (params, join) =
                        (self.join(n.params.iter().map(|p| p.0)), self.join(n.results.iter().copied()));
                    self.inits.push((params, n.params.iter().map(|p| p.1).collect()));
                    self.labels.push((n.label, join));
                    self.region(&n.body, Some(params));
                    self.labels.pop();
                }
            }
        }
        let (to, given) = match &region.end {
            End::Yield(given) => (to, given),
            End::Break(label, given) => {
                (self.labels.iter().rev().find(|l| l.0 == *label).map(|l| l.1), given)
            }
            End::Return | End::Kill | End::Unreachable => return,
        };
        if let Some(to) = to {
            self.joins[to].push(given);
        }
    }

    fn inst(&mut self, i: &'a Inst) {
        for (k, &v) in i.results.iter().enumerate() {
            self.defs.insert(v, Def::Inst(i, k));
        }
        match (i.op, &i.imm) {
            (Op::BufferAt, _) => self.buffers.push(i),
            (Op::VarSet, Imm::Var { var, elem }) => {
                self.stores.entry((*var, *elem)).or_default().push(i.args[0]);
            }
            (Op::VarSetDyn, Imm::Var { var, elem }) => {
                self.stores.entry((*var, *elem)).or_default().push(i.args[1]);
            }
            _ => {}
        }
    }

    /// Pushes the pairs that a pair may come from; returns false if its parts are unrelated.
    fn sources(&self, (base, size): (Value, Value), work: &mut Vec<(Value, Value)>) -> bool {
        let (Some(&b), Some(&s)) = (self.defs.get(&base), self.defs.get(&size)) else { return false };
        match (b, s) {
            (Def::Inst(b, 0), Def::Inst(s, 1)) if is_look_up(b.op) => std::ptr::eq(b, s),
            (Def::Inst(b, _), Def::Inst(s, _)) => match (b.op, s.op) {
                (Op::Const, Op::Const) => [b, s].iter().all(|i| matches!(i.imm, Imm::Bits(0))),
                (Op::Select, Op::Select) if b.args[0] == s.args[0] => {
                    work.extend([(b.args[1], s.args[1]), (b.args[2], s.args[2])]);
                    true
                }
                (Op::VarGet | Op::VarGetDyn, Op::VarGet | Op::VarGetDyn) => self.stored(b, s, work),
                _ => false,
            },
            (Def::Join(b, i), Def::Join(s, j)) if b == s => {
                work.extend(self.joins[b].iter().map(|list| (list[i], list[j])));
                let inits = self.inits.iter().filter(|(join, _)| *join == b);
                work.extend(inits.map(|(_, list)| (list[i], list[j])));
                true
            }
            // If one part is invariant in a loop, the front end keeps it outside, and then the other one as well.
            (Def::Join(..), Def::Inst(..))
            | (Def::Inst(..), Def::Join(..))
            | (Def::Join(..), Def::Join(..)) => false,
        }
    }

    /// Pushes the pairs stored to two elements of variables. The scalars of a pointer are stored together, in the same
    /// order.
    fn stored(&self, base: &Inst, size: &Inst, work: &mut Vec<(Value, Value)>) -> bool {
        let (Imm::Var { var, elem }, Imm::Var { var: of_size, elem: size_elem }) = (&base.imm, &size.imm)
        else {
            return false;
        };
        let none = Vec::new();
        let bases = self.stores.get(&(*var, *elem)).unwrap_or(&none);
        let sizes = self.stores.get(&(*of_size, *size_elem)).unwrap_or(&none);
        work.extend(bases.iter().copied().zip(sizes.iter().copied()));
        bases.len() == sizes.len()
    }
}

/// Returns true if an operation returns the base and the size of a buffer.
fn is_look_up(op: Op) -> bool {
    matches!(op, Op::BufferParts | Op::AddressBuffer | Op::HandleBuffer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{If, StageKind, Ty};

    fn inst(op: Op, args: &[u32], results: &[u32]) -> Inst {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect();
        let imm = if op == Op::Const { Imm::Bits(0) } else { Imm::None };
        Inst { op, args: values(args), results: values(results), imm, src: Src::default() }
    }

    fn checked(nodes: Vec<Node>) -> Result<(), String> {
        let shader = Shader {
            values: vec![Ty::I64; 40],
            body: Region { nodes, end: End::Return },
            ..Shader::empty(StageKind::Compute, "main")
        };
        check(&shader).map_err(|(message, _)| message)
    }

    /// Values: 0 is an address or handle; 1 and 2 are the base and size of one look-up; 3 and 4 those of another.
    fn looked_up() -> Vec<Node> {
        [inst(Op::AddressBuffer, &[0], &[1, 2]), inst(Op::HandleBuffer, &[0, 0], &[3, 4])]
            .map(Node::Inst)
            .into()
    }

    fn with(rest: Vec<Node>) -> Result<(), String> {
        checked(looked_up().into_iter().chain(rest).collect())
    }

    fn at(base: u32, size: u32) -> Node {
        Node::Inst(inst(Op::BufferAt, &[base, size], &[30]))
    }

    #[test]
    fn bases_and_sizes_are_of_one_look_up() {
        assert_eq!(with(vec![at(1, 2)]), Ok(()));
        assert_eq!(with(vec![at(3, 4)]), Ok(()));
        for (base, size) in [(1, 4), (3, 2), (2, 1), (0, 2), (1, 0)] {
            assert!(with(vec![at(base, size)]).is_err(), "{base} {size}");
        }
        let loaded = Node::Inst(inst(Op::LoadBuffer, &[9, 9], &[5, 6]));
        assert!(with(vec![loaded, at(5, 6)]).is_err());
        let moved = Node::Inst(inst(Op::IAdd, &[1, 0], &[5]));
        assert!(with(vec![moved, at(5, 2)]).is_err());
        let null = Node::Inst(inst(Op::Const, &[], &[5]));
        assert_eq!(with(vec![null, at(5, 5)]), Ok(()));
    }

    #[test]
    fn selections_choose_both() {
        let select = |args: &[u32], to: u32| Node::Inst(inst(Op::Select, args, &[to]));
        let both = vec![select(&[9, 1, 3], 5), select(&[9, 2, 4], 6), at(5, 6)];
        assert_eq!(with(both), Ok(()));
        let crossed = vec![select(&[9, 1, 3], 5), select(&[9, 4, 2], 6), at(5, 6)];
        assert!(with(crossed).is_err());
        let other = vec![select(&[9, 1, 3], 5), select(&[8, 2, 4], 6), at(5, 6)];
        assert!(with(other).is_err());
    }

    #[test]
    fn constructs_give_both() {
        let gives = |list: &[u32]| Region {
            nodes: Vec::new(),
            end: End::Yield(list.iter().map(|&v| Value(v)).collect()),
        };
        let choose = |els: &[u32]| {
            let results = vec![Value(5), Value(6)];
            let (cond, then, els) = (Value(9), gives(&[1, 2]), gives(els));
            Node::If(Box::new(If { cond, then, els, results, src: Src::default() }))
        };
        assert_eq!(with(vec![choose(&[3, 4]), at(5, 6)]), Ok(()));
        assert!(with(vec![choose(&[3, 2]), at(5, 6)]).is_err());
        assert!(with(vec![choose(&[3, 4]), at(6, 5)]).is_err());
    }
}
