//! Turns arrays of constants into tables.
//!
//! Compilers copy a constant array into a variable wherever it is indexed dynamically, in loops once per iteration. A
//! variable becomes a table ([`Op::LoadConstant`]), which needs no stores, if it is indexed dynamically and holds the
//! same constants wherever it is read.
//!
//! A single traversal in execution order tracks the constant that each scalar of a variable holds, if it is the same
//! for all invocations that get there. After a construct, and at the start of a loop, a constant is still known if all
//! stores inside store the constant from before.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::{Imm, Node, Op, Region, Shader, Table, Value, Var, VarDecl, each_inst};

/// Index of a scalar among those of all candidates.
type Slot = usize;
/// The constant that a slot holds, or that all stores inside a construct set it to; `None` if there is no single one.
type Known = Option<u64>;

struct Tables<'a> {
    vars: &'a [VarDecl],
    /// First slot of each variable that may become a table.
    first: Vec<Option<Slot>>,
    consts: FxHashMap<Value, u64>,
    /// Contents of slots at the current position.
    holds: Vec<Known>,
    /// Previous contents of slots, latest last.
    before: Vec<(Slot, Known)>,
    /// Stores inside each construct, in tree order, and the index of the next construct.
    stores: Vec<Vec<(Slot, Known)>>,
    next: usize,
    /// Constant that was read from each slot.
    reads: Vec<Known>,
}

/// Replaces variables by tables of constants.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn tables(shader: &mut Shader) -> Result<()> {
    let mut t = Tables {
        vars: &shader.vars,
        first: Vec::new(),
        consts: FxHashMap::default(),
        holds: Vec::new(),
        before: Vec::new(),
        stores: Vec::new(),
        next: 0,
        reads: Vec::new(),
    };
    if !t.find_candidates(&shader.body) {
        return Ok(());
    }
    t.find_stores(&shader.body, &mut Vec::new())?;
    t.region(&shader.body)?;
    let mut made: Vec<Table> = Vec::new();
    let mut numbers: FxHashMap<Table, u32> = FxHashMap::default();
    let mut of_var: Vec<Option<u32>> = vec![None; shader.vars.len()];
    for (var, decl) in shader.vars.iter().enumerate() {
        let Some(first) = t.first[var] else { continue };
        let bits = t.reads[first..][..decl.elems.len()].iter().map(|k| k.unwrap_or(0)).collect();
        let table = Table { elems: decl.elems.clone(), bits };
        of_var[var] = Some(*numbers.entry(table).or_insert_with_key(|table| {
            made.push(table.clone());
            made.len() as u32 - 1
        }));
    }
    shader.tables = made;
    let mut body = std::mem::take(&mut shader.body);
    rewrite(&mut body, &of_var, &shader.tables);
    shader.body = body;
    Ok(())
}

impl Tables<'_> {
    /// Finds the variables that are indexed in loads but not in stores, and hold only constants. Returns false if there
    /// are none.
    fn find_candidates(&mut self, body: &Region) -> bool {
        let mut indexed = vec![false; self.vars.len()];
        each_inst(body, &mut |i| {
            if let (Op::VarGetDyn, Imm::Var { var, .. }) = (i.op, &i.imm) {
                indexed[var.0 as usize] = true;
            }
        });
        if !indexed.contains(&true) {
            return false;
        }
        let consts = &mut self.consts;
        each_inst(body, &mut |i| match (i.op, &i.imm) {
            (Op::Const, Imm::Bits(bits)) => drop(consts.insert(i.results[0], *bits)),
            (Op::VarSetDyn, Imm::Var { var, .. }) => indexed[var.0 as usize] = false,
            (Op::VarSet, Imm::Var { var, .. }) if !consts.contains_key(&i.args[0]) => {
                indexed[var.0 as usize] = false;
            }
            _ => {}
        });
        let mut n = 0;
        for (decl, indexed) in self.vars.iter().zip(indexed) {
            self.first.push(indexed.then_some(n));
            n += if indexed { decl.elems.len() } else { 0 };
        }
        // Variables are initially zero.
        (self.holds, self.reads) = (vec![Some(0); n], vec![None; n]);
        n > 0
    }

    fn slot(&self, var: Var, elem: u32) -> Option<Slot> {
        self.first[var.0 as usize].map(|first| first + elem as usize)
    }

    /// Finds the stores inside each construct, and adds those of the region to `out`.
    fn find_stores(&mut self, region: &Region, out: &mut Vec<(Slot, Known)>) -> Result<()> {
        for node in &region.nodes {
            crate::budget::work(1)?;
            let (first, second) = match node {
                Node::Inst(i) => {
                    if let (Op::VarSet, Imm::Var { var, elem }) = (i.op, &i.imm)
                        && let Some(slot) = self.slot(*var, *elem)
                    {
                        out.push((slot, self.consts.get(&i.args[0]).copied()));
                    }
                    continue;
                }
                Node::If(n) => (&n.then, Some(&n.els)),
                Node::Block(n) => (&n.body, None),
                Node::Loop(n) => (&n.body, None),
            };
            let at = self.stores.len();
            self.stores.push(Vec::new());
            let mut inner = Vec::new();
            for r in std::iter::once(first).chain(second) {
                self.find_stores(r, &mut inner)?;
            }
            inner.sort_unstable();
            inner.dedup_by(|b, a| {
                let same = a.0 == b.0;
                if same && a.1 != b.1 {
                    a.1 = None;
                }
                same
            });
            crate::budget::work(inner.len())?;
            out.extend_from_slice(&inner);
            self.stores[at] = inner;
        }
        Ok(())
    }

    fn set(&mut self, slot: Slot, known: Known) {
        let old = std::mem::replace(&mut self.holds[slot], known);
        self.before.push((slot, old));
    }

    /// Updates slots after stores that only some invocations have made.
    fn meet(&mut self, stores: &[(Slot, Known)]) {
        for &(slot, known) in stores {
            if known.is_none() || self.holds[slot] != known {
                self.set(slot, None);
            }
        }
    }

    /// Records a read of slots. If they hold something other than in earlier reads, the variable cannot become a table.
    fn read(&mut self, var: Var, elem: u32, n: usize) -> Result<()> {
        crate::budget::work(n)?;
        let Some(first) = self.slot(var, elem) else { return Ok(()) };
        for slot in first..first + n {
            let holds = self.holds[slot];
            if holds.is_none() || self.reads[slot].is_some_and(|read| Some(read) != holds) {
                self.first[var.0 as usize] = None;
                break;
            }
            self.reads[slot] = holds;
        }
        Ok(())
    }

    /// Traverses a region inside a construct. Afterwards the slots have their previous contents again.
    fn inside(&mut self, region: &Region) -> Result<()> {
        let mark = self.before.len();
        self.region(region)?;
        for (slot, old) in self.before.split_off(mark).into_iter().rev() {
            self.holds[slot] = old;
        }
        Ok(())
    }

    fn region(&mut self, region: &Region) -> Result<()> {
        for node in &region.nodes {
            crate::budget::work(1)?;
            if let Node::Inst(i) = node {
                if let Imm::Var { var, elem } = i.imm {
                    match i.op {
                        Op::VarGet => self.read(var, elem, 1)?,
                        Op::VarGetDyn => {
                            let n = self.vars[var.0 as usize].elems.len() - elem as usize;
                            self.read(var, elem, n)?;
                        }
                        _ => {
                            if let Some(slot) = self.slot(var, elem) {
                                self.set(slot, self.consts.get(&i.args[0]).copied());
                            }
                        }
                    }
                }
                continue;
            }
            let stores = std::mem::take(&mut self.stores[self.next]);
            self.next += 1;
            match node {
                Node::Inst(_) => {}
                Node::If(n) => {
                    self.inside(&n.then)?;
                    self.inside(&n.els)?;
                }
                Node::Block(n) => self.inside(&n.body)?,
                Node::Loop(n) => {
                    self.meet(&stores);
                    self.inside(&n.body)?;
                }
            }
            self.meet(&stores);
        }
        Ok(())
    }
}

/// Drops stores to variables that became tables, and redirects their reads to the tables.
fn rewrite(region: &mut Region, of_var: &[Option<u32>], tables: &[Table]) {
    region.nodes.retain_mut(|node| {
        match node {
            Node::Inst(i) => {
                let Imm::Var { var, elem } = i.imm else { return true };
                let Some(table) = of_var[var.0 as usize] else { return true };
                match i.op {
                    Op::VarGet => {
                        (i.op, i.args) = (Op::Const, SmallVec::new());
                        i.imm = Imm::Bits(tables[table as usize].bits[elem as usize]);
                    }
                    Op::VarGetDyn => (i.op, i.imm) = (Op::LoadConstant, Imm::Table { table, elem }),
                    _ => return false,
                }
            }
            Node::If(n) => {
                rewrite(&mut n.then, of_var, tables);
                rewrite(&mut n.els, of_var, tables);
            }
            Node::Block(n) => rewrite(&mut n.body, of_var, tables),
            Node::Loop(n) => rewrite(&mut n.body, of_var, tables),
        }
        true
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::{Block, End, If, Inst, Label, Loop, Src, StageKind, Ty};

    const A: Var = Var(0);

    fn inst(op: Op, args: &[u32], results: &[u32], imm: Imm) -> Node {
        let values = |list: &[u32]| list.iter().map(|&v| Value(v)).collect();
        Node::Inst(Inst { op, args: values(args), results: values(results), imm, src: Src::default() })
    }

    /// Stores values `v` to the two elements; values 0 to 2 are the constants 10 to 12.
    fn store(v: [u32; 2]) -> Vec<Node> {
        (0..).zip(v).map(|(elem, v)| inst(Op::VarSet, &[v], &[], Imm::Var { var: A, elem })).collect()
    }

    fn get() -> Vec<Node> {
        vec![inst(Op::VarGetDyn, &[3], &[4], Imm::Var { var: A, elem: 0 })]
    }

    fn region(nodes: impl IntoIterator<Item = Vec<Node>>) -> Region {
        Region { nodes: nodes.into_iter().flatten().collect(), end: End::Yield(vec![]) }
    }

    fn either(then: Region) -> Vec<Node> {
        let (cond, els) = (Value(5), region([]));
        vec![Node::If(Box::new(If { cond, then, els, results: vec![], src: Src::default() }))]
    }

    fn again(body: Region) -> Vec<Node> {
        let (label, params, results) = (Label(0), vec![], vec![]);
        vec![Node::Loop(Box::new(Loop { label, params, body, results, src: Src::default() }))]
    }

    fn block(body: Region) -> Vec<Node> {
        vec![Node::Block(Box::new(Block { label: Label(1), body, results: vec![] }))]
    }

    /// The table that the variable becomes, and the number of instructions that still refer to the variable.
    fn run(nodes: impl IntoIterator<Item = Vec<Node>>) -> (Option<Vec<u64>>, usize) {
        let mut shader = Shader::empty(StageKind::Compute, "main");
        shader.values = vec![Ty::I32; 5];
        shader.values.push(Ty::Bool);
        shader.vars.push(VarDecl { elems: vec![Ty::I32; 2], name: String::new() });
        let known = (0..3).map(|v| inst(Op::Const, &[], &[v], Imm::Bits(10 + u64::from(v))));
        let unknown = inst(Op::BuiltIn, &[], &[3], Imm::BuiltIn(crate::ir::BuiltIn::LocalInvocationIndex, 0));
        shader.body = region([known.collect(), vec![unknown]].into_iter().chain(nodes));
        tables(&mut shader).unwrap();
        let mut left = 0;
        each_inst(&shader.body, &mut |i| left += usize::from(matches!(i.imm, Imm::Var { .. })));
        (shader.tables.first().map(|t| t.bits.clone()), left)
    }

    #[test]
    fn constants_become_a_table() {
        let table = (Some(vec![10, 11]), 0);
        assert_eq!(run([store([0, 1]), get()]), table);
        assert_eq!(run([again(region([store([0, 1]), get()]))]), table);
        assert_eq!(run([store([0, 1]), again(region([get()]))]), table);
        assert_eq!(run([store([0, 1]), either(region([store([0, 1])])), get()]), table);
        // Contents that are never read do not matter.
        assert_eq!(run([store([2, 2]), store([0, 1]), get(), store([1, 1])]), table);
        assert_eq!(run([either(region([store([2, 2])])), store([0, 1]), get()]), table);
        assert_eq!(run([get()]), (Some(vec![0, 0]), 0));
    }

    #[test]
    fn what_may_hold_something_else_stays() {
        for (nodes, left) in [
            (vec![store([0, 3]), get()], 3),
            (vec![store([0, 1]), get(), store([1, 1]), get()], 6),
            (vec![either(region([store([0, 1])])), get()], 3),
            (vec![block(region([store([0, 1])])), get()], 3),
            (vec![again(region([get(), store([0, 1])]))], 3),
            (vec![store([0, 1]), again(region([get(), store([1, 0])]))], 5),
            (vec![store([0, 1]), either(region([store([0, 2])])), get()], 5),
        ] {
            assert_eq!(run(nodes), (None, left));
        }
        let index = inst(Op::VarSetDyn, &[3, 0], &[], Imm::Var { var: A, elem: 0 });
        assert_eq!(run([vec![index], get()]), (None, 2));
    }
}
