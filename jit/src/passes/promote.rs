//! Promotes variables to SSA values.
//!
//! A variable that is never indexed dynamically becomes values: each construct that assigns one of its scalars gets a
//! result for it, and a loop also a parameter. [`super::dce`] removes those that are never read. Sums of products of matrices
//! stay in variables, which a product adds to in place.

use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::error::{Error, Result};
use crate::ir::{End, Imm, Inst, Label, Loop, MatrixOp, Node, Op, Region, Shader, Src, Ty, Value, Var};

/// Maximum number of values that constructs, and the breaks out of them, carry for assigned variables.
pub const MAX_CARRIED: usize = 4_000_000;

/// Index of a promoted scalar.
type Slot = u32;

struct Promote<'a> {
    shader: &'a mut Shader,
    /// First slot of each promoted variable.
    first: Vec<Option<Slot>>,
    slot_ty: Vec<Ty>,
    /// Replacement of the result of each removed `VarGet`.
    subst: FxHashMap<Value, Value>,
    /// Slots that a label's results carry; they are appended to its `Break`s.
    label_slots: FxHashMap<Label, Rc<[Slot]>>,
    /// Value of each slot at the current position.
    env: Vec<Value>,
    /// Previous values of slots, latest last; see [`Promote::inside`].
    before: Vec<(Slot, Value)>,
    /// Slots that each construct assigns, in tree order, and the index of the next construct.
    assigned: Vec<Rc<[Slot]>>,
    next: usize,
    /// Number of values carried so far.
    carried: usize,
}

/// Marks the variables from which a product of matrices takes its sums, and to which its results go.
fn keep_sums(shader: &Shader, keep: &mut [bool]) {
    let mut products: Vec<&Inst> = Vec::new();
    crate::ir::each_inst(&shader.body, &mut |i| {
        if matches!(i.imm, Imm::Matrix(MatrixOp::MulAdd { .. })) {
            products.push(i);
        }
    });
    if products.is_empty() {
        return;
    }
    let (mut read, mut written) = (FxHashMap::default(), FxHashMap::default());
    crate::ir::each_inst(&shader.body, &mut |i| {
        let Imm::Var { var, .. } = i.imm else { return };
        match i.results.first() {
            Some(&result) => _ = read.insert(result, var),
            None => written.extend(i.args.last().map(|&value| (value, var))),
        }
    });
    for product in products {
        let (Some(sum), Some(result)) = (product.args.last(), product.results.last()) else { continue };
        if let (Some(from), Some(to)) = (read.get(sum), written.get(result))
            && from == to
        {
            keep[to.0 as usize] = true;
        }
    }
}

/// Replaces variables by values if all accesses are static.
///
/// # Errors
/// `Limit` if constructs would carry more than [`MAX_CARRIED`] values, or the time budget is exhausted.
pub fn promote(shader: &mut Shader) -> Result<()> {
    let mut kept = vec![false; shader.vars.len()];
    crate::ir::each_inst(&shader.body, &mut |i| {
        if let (Op::VarGetDyn | Op::VarSetDyn, Imm::Var { var, .. }) = (i.op, &i.imm) {
            kept[var.0 as usize] = true;
        }
    });
    keep_sums(shader, &mut kept);
    let mut slot_ty = Vec::new();
    let first = shader
        .vars
        .iter()
        .zip(&kept)
        .map(|(v, &kept)| {
            if kept {
                return None;
            }
            let at = slot_ty.len() as Slot;
            slot_ty.extend(&v.elems);
            Some(at)
        })
        .collect();
    let mut body = std::mem::take(&mut shader.body);
    let (mut zeros, env) = zeros(shader, &slot_ty);
    let mut p = Promote {
        shader,
        first,
        slot_ty,
        subst: FxHashMap::default(),
        label_slots: FxHashMap::default(),
        env,
        before: Vec::new(),
        assigned: Vec::new(),
        next: 0,
        carried: 0,
    };
    p.find_assigned(&body, &mut Vec::new())?;
    p.region(&mut body, &[])?;
    zeros.append(&mut body.nodes);
    body.nodes = zeros;
    let subst = p.subst;
    super::map_uses(&mut body, &|v| subst.get(&v).copied().unwrap_or(v));
    shader.body = body;
    Ok(())
}

/// Zeros of each type, to be placed at the start of the shader, and the initial value of each slot.
fn zeros(shader: &mut Shader, slot_ty: &[Ty]) -> (Vec<Node>, Vec<Value>) {
    let mut nodes = Vec::new();
    let mut by_ty: FxHashMap<Ty, Value> = FxHashMap::default();
    let mut env = Vec::with_capacity(slot_ty.len());
    for &ty in slot_ty {
        env.push(*by_ty.entry(ty).or_insert_with(|| {
            let v = shader.new_value(ty);
            nodes.push(Node::Inst(Inst {
                op: Op::Const,
                args: SmallVec::new(),
                results: smallvec![v],
                imm: Imm::Bits(0),
                src: Src::default(),
            }));
            v
        }));
    }
    (nodes, env)
}

impl Promote<'_> {
    fn slot(&self, var: Var, elem: u32) -> Option<Slot> {
        self.first[var.0 as usize].map(|s| s + elem)
    }

    /// Finds the slots that each construct assigns, and adds those of the region to `out`.
    fn find_assigned(&mut self, region: &Region, out: &mut Vec<Slot>) -> Result<()> {
        for node in &region.nodes {
            let (first, second) = match node {
                Node::Inst(i) => {
                    if let (Op::VarSet, Imm::Var { var, elem }) = (i.op, &i.imm) {
                        out.extend(self.slot(*var, *elem));
                    }
                    continue;
                }
                Node::If(n) => (&n.then, Some(&n.els)),
                Node::Block(n) => (&n.body, None),
                Node::Loop(n) => (&n.body, None),
            };
            let at = self.assigned.len();
            self.assigned.push(Rc::new([]));
            let mut inner = Vec::new();
            for r in std::iter::once(first).chain(second) {
                self.find_assigned(r, &mut inner)?;
            }
            inner.sort_unstable();
            inner.dedup();
            self.count(inner.len())?;
            out.extend_from_slice(&inner);
            self.assigned[at] = inner.into();
        }
        Ok(())
    }

    /// Slots that the next construct in tree order assigns, in ascending order.
    fn next_assigned(&mut self) -> Rc<[Slot]> {
        self.next += 1;
        self.assigned.get(self.next - 1).cloned().unwrap_or_default()
    }

    fn resolve(&self, v: Value) -> Value {
        self.subst.get(&v).copied().unwrap_or(v)
    }

    fn set(&mut self, slot: Slot, v: Value) {
        let old = std::mem::replace(&mut self.env[slot as usize], v);
        self.before.push((slot, old));
    }

    /// Rewrites a region other than the shader's body. Afterwards the slots have their previous values again.
    fn inside(&mut self, region: &mut Region, yields: &[Slot]) -> Result<()> {
        let mark = self.before.len();
        self.region(region, yields)?;
        self.undo(mark);
        Ok(())
    }

    fn undo(&mut self, mark: usize) {
        while self.before.len() > mark
            && let Some((slot, old)) = self.before.pop()
        {
            self.env[slot as usize] = old;
        }
    }

    /// Rewrites a region; `yields` are the slots that its `Yield` carries.
    fn region(&mut self, region: &mut Region, yields: &[Slot]) -> Result<()> {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    if let (Op::VarGet | Op::VarSet, Imm::Var { var, elem }) = (i.op, &i.imm)
                        && let Some(slot) = self.slot(*var, *elem)
                    {
                        if i.op == Op::VarGet {
                            self.subst.insert(i.results[0], self.env[slot as usize]);
                        } else {
                            self.set(slot, self.resolve(i.args[0]));
                        }
                        continue;
                    }
                }
                Node::If(n) => {
                    let slots = self.next_assigned();
                    self.inside(&mut n.then, &slots)?;
                    self.inside(&mut n.els, &slots)?;
                    self.results(&slots, &mut n.results)?;
                }
                Node::Block(n) => {
                    let slots = self.next_assigned();
                    self.label_slots.insert(n.label, slots.clone());
                    self.inside(&mut n.body, &slots)?;
                    self.results(&slots, &mut n.results)?;
                }
                Node::Loop(n) => self.loop_(n)?,
            }
            nodes.push(node);
        }
        region.nodes = nodes;
        match &mut region.end {
            End::Yield(args) => self.carry(yields, args),
            End::Break(l, args) => match self.label_slots.get(l).cloned() {
                Some(slots) => self.carry(&slots, args),
                None => Ok(()),
            },
            End::Return | End::Kill | End::Unreachable => Ok(()),
        }
    }

    fn loop_(&mut self, n: &mut Loop) -> Result<()> {
        let slots = self.next_assigned();
        self.label_slots.insert(n.label, slots.clone());
        let mark = self.before.len();
        self.count(slots.len())?;
        for &s in &*slots {
            let p = self.shader.new_value(self.slot_ty[s as usize]);
            n.params.push((p, self.env[s as usize]));
            self.set(s, p);
        }
        self.region(&mut n.body, &slots)?;
        self.undo(mark);
        self.results(&slots, &mut n.results)
    }

    fn count(&mut self, n: usize) -> Result<()> {
        self.carried += n;
        if self.carried > MAX_CARRIED {
            let what = "values of variables carried by control flow";
            return Err(Error::Limit(format!("'{}': more than {MAX_CARRIED} {what}", self.shader.name)));
        }
        Ok(())
    }

    /// Appends the values of slots at the end of a region to its arguments.
    fn carry(&mut self, slots: &[Slot], args: &mut Vec<Value>) -> Result<()> {
        self.count(slots.len())?;
        args.extend(slots.iter().map(|&s| self.env[s as usize]));
        Ok(())
    }

    /// Adds results for slots to a construct; after it, the slots have these values.
    fn results(&mut self, slots: &[Slot], results: &mut Vec<Value>) -> Result<()> {
        self.count(slots.len())?;
        for &s in slots {
            let v = self.shader.new_value(self.slot_ty[s as usize]);
            results.push(v);
            self.set(s, v);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{StageKind, VarDecl};

    /// Accesses to variables after the pass, for a product whose sums are in variable 0 and whose results go to `to`.
    fn accesses(to: u32) -> Vec<(Op, u32)> {
        let inst = |op, args: &[u32], results: &[u32], imm| {
            let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect::<SmallVec<[Value; 4]>>();
            Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
        };
        let var = |var| Imm::Var { var: Var(var), elem: 0 };
        let product = MatrixOp::MulAdd { rows: 8, columns: 8, inner: 8, saturates: None };
        let nodes = vec![
            inst(Op::Const, &[], &[0], Imm::Bits(5)),
            inst(Op::VarGet, &[], &[1], var(0)),
            inst(Op::Matrix, &[0, 0, 1], &[2], Imm::Matrix(product)),
            inst(Op::VarSet, &[2], &[], var(to)),
            inst(Op::VarGet, &[], &[3], var(1)),
            inst(Op::VarSet, &[3], &[], var(2)),
        ];
        let decl = || VarDecl { name: "sums".into(), elems: vec![Ty::I32] };
        let mut shader = Shader {
            values: vec![Ty::I32; 4],
            vars: vec![decl(), decl(), decl()],
            body: Region { nodes, end: End::Return },
            ..Shader::empty(StageKind::Compute, "main")
        };
        promote(&mut shader).unwrap();
        let mut accesses = Vec::new();
        crate::ir::each_inst(&shader.body, &mut |i| {
            if let Imm::Var { var, .. } = i.imm {
                accesses.push((i.op, var.0));
            }
        });
        accesses
    }

    #[test]
    fn sums_of_products_stay_in_variables() {
        assert_eq!(accesses(0), [(Op::VarGet, 0), (Op::VarSet, 0)]);
        assert_eq!(accesses(1), []);
    }
}
