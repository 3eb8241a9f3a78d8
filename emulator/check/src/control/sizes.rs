//! Finds shaders that assume a subgroup size: results of subgroup operations get lost, or a branch selects an
//! invocation that subgroups do not have.
//!
//! A subgroup result is lost if only invocations with certain indices use it, such as those with
//! `gl_LocalInvocationIndex % 32 == 0`, and the subgroup has no such invocation. A shader that reads the subgroup size
//! or the number of subgroups is not checked.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::op::Effect;
use quadrille_jit::ir::{
    BuiltIn, End, GroupOp, If, Imm, Inst, Label, Node, Op, Region, Shader, Src, Stage, Value, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::identity::address;
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place;
use crate::report::Report;

/// Static facts about a shader. The address of an instruction identifies it.
#[derive(Debug, Default)]
pub struct Sizes {
    /// Subgroup operations whose results are used only by invocations that an index selects.
    sums: FxHashMap<usize, (Src, GroupOp)>,
    /// For each instruction with an effect, the operations in `sums` whose results it uses.
    takers: FxHashMap<usize, Vec<usize>>,
    /// Comparisons of SubgroupLocalInvocationId with a constant, on which branches depend, with the constant.
    compared: FxHashMap<usize, u64>,
}

/// A value, or a whole variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Item {
    Value(Value),
    Var(Var),
}

/// Addresses and conditions of the branches around an instruction.
type Guards = Vec<(usize, Value)>;

/// Data flow and operations, collected from a shader.
#[derive(Default)]
struct Flow<'a> {
    /// Data flow from the first item to the second.
    edges: Vec<(Item, Item)>,
    targets: FxHashMap<Label, &'a [Value]>,
    made: FxHashMap<Value, &'a Inst>,
    around: Guards,
    conditions: Vec<Value>,
    sums: Vec<(&'a Inst, GroupOp, Guards)>,
    effects: Vec<(&'a Inst, Guards)>,
}

impl<'a> Flow<'a> {
    fn values(&mut self, from: &[Value], to: &[Value]) {
        let pairs = from.iter().zip(to).map(|(&from, &to)| (Item::Value(from), Item::Value(to)));
        self.edges.extend(pairs);
    }

    fn inst(&mut self, inst: &'a Inst) {
        self.made.extend(inst.results.iter().map(|&r| (r, inst)));
        let var = match (inst.op, &inst.imm) {
            (Op::VarGet | Op::VarGetDyn | Op::VarSet | Op::VarSetDyn, Imm::Var { var, .. }) => {
                Some(Item::Var(*var))
            }
            _ => None,
        };
        let sets = matches!(inst.op, Op::VarSet | Op::VarSetDyn);
        let from = inst.args.iter().map(|&a| Item::Value(a)).chain(var.filter(|_| !sets));
        for from in from {
            let to = inst.results.iter().map(|&r| Item::Value(r)).chain(var.filter(|_| sets));
            self.edges.extend(to.map(|to| (from, to)));
        }
        match (inst.op, &inst.imm) {
            (Op::Group, &Imm::Group(op @ (GroupOp::Reduce(_) | GroupOp::InclusiveScan(_)))) => {
                self.sums.push((inst, op, self.around.clone()));
            }
            (Op::Note | Op::VarSet | Op::VarSetDyn, _) => {}
            (op, _) if op.effect() == Effect::Write => self.effects.push((inst, self.around.clone())),
            _ => {}
        }
    }

    fn arm(&mut self, node: &'a If, arm: &'a Region) {
        self.around.push((address(node), node.cond));
        self.region(arm, &node.results);
        self.around.pop();
    }

    /// Collects a region; the operands of its end flow to `to`.
    fn region(&mut self, region: &'a Region, to: &'a [Value]) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => self.inst(inst),
                Node::If(node) => {
                    self.conditions.push(node.cond);
                    self.arm(node, &node.then);
                    self.arm(node, &node.els);
                }
                Node::Block(node) => {
                    self.targets.insert(node.label, &node.results);
                    self.region(&node.body, &node.results);
                }
                Node::Loop(node) => {
                    self.targets.insert(node.label, &node.results);
                    for &(param, first) in &node.params {
                        self.values(&[first], &[param]);
                    }
                    self.region(&node.body, &[]);
                    if let End::Yield(next) = &node.body.end {
                        let params: Vec<Value> = node.params.iter().map(|p| p.0).collect();
                        self.values(next, &params);
                    }
                }
            }
        }
        match &region.end {
            End::Yield(values) => self.values(values, to),
            End::Break(label, values) => {
                let to = self.targets.get(label).copied().unwrap_or_default();
                self.values(values, to);
            }
            End::Return | End::Kill | End::Unreachable => {}
        }
    }
}

/// Returns the items that the edges reach from an item.
fn reached(edges: &FxHashMap<Item, Vec<Item>>, from: Item) -> FxHashSet<Item> {
    let (mut found, mut open) = (FxHashSet::default(), vec![from]);
    while let Some(item) = open.pop() {
        if found.insert(item) {
            open.extend(edges.get(&item).into_iter().flatten());
        }
    }
    found
}

/// Groups edges by their first item.
fn by_start(edges: impl Iterator<Item = (Item, Item)>) -> FxHashMap<Item, Vec<Item>> {
    let mut found: FxHashMap<Item, Vec<Item>> = FxHashMap::default();
    edges.for_each(|(from, to)| found.entry(from).or_default().push(to));
    found
}

/// Returns `true` for a built-in that identifies the invocation within its workgroup, independently of subgroups.
fn is_index(builtin: BuiltIn) -> bool {
    use BuiltIn::{GlobalInvocationId, LocalInvocationId, LocalInvocationIndex};
    matches!(builtin, LocalInvocationIndex | LocalInvocationId | GlobalInvocationId)
}

impl Sizes {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Sizes {
        let mut sizes = Sizes::default();
        let grouped = matches!(shader.stage, Stage::Compute | Stage::Task | Stage::Mesh);
        if !grouped || !shader.observes_subgroup {
            return sizes;
        }
        let mut flow = Flow::default();
        flow.region(&shader.body, &[]);
        let asks =
            |inst: &&Inst| matches!(inst.imm, Imm::BuiltIn(BuiltIn::SubgroupSize | BuiltIn::NumSubgroups, _));
        if flow.made.values().any(asks) {
            return sizes;
        }
        let back = by_start(flow.edges.iter().map(|&(from, to)| (to, from)));
        sizes.compared = flow.made.values().filter_map(|i| compared(&flow, &back, i)).collect();
        let uses = by_start(flow.edges.iter().copied());
        for (inst, op, around) in &flow.sums {
            if let Some(takers) = takers(&flow, (&uses, &back), inst, around) {
                let sum = address(*inst);
                sizes.sums.insert(sum, (inst.src, *op));
                takers.into_iter().for_each(|t| sizes.takers.entry(t).or_default().push(sum));
            }
        }
        sizes
    }

    fn is_empty(&self) -> bool {
        self.sums.is_empty() && self.compared.is_empty()
    }
}

/// Returns the instructions with effects that use a result, if branches on an invocation index guard all of them.
fn takers(
    flow: &Flow<'_>,
    (uses, back): (&FxHashMap<Item, Vec<Item>>, &FxHashMap<Item, Vec<Item>>),
    inst: &Inst,
    around: &Guards,
) -> Option<Vec<usize>> {
    let of = reached(uses, Item::Value(*inst.results.first()?));
    let is_of = |v: &Value| of.contains(&Item::Value(*v));
    if flow.conditions.iter().any(is_of) {
        return None;
    }
    let mut takers = Vec::new();
    for (effect, guards) in flow.effects.iter().filter(|(e, _)| e.args.iter().any(is_of)) {
        let mut chosen = guards.iter().filter(|(at, _)| around.iter().all(|(of, _)| of != at)).peekable();
        if chosen.peek().is_none() || !chosen.all(|&(_, cond)| is_chosen(flow, back, cond)) {
            return None;
        }
        takers.push(address(*effect));
    }
    (!takers.is_empty()).then_some(takers)
}

/// Returns `true` if a condition depends only on constants, variables and an index of the invocation.
fn is_chosen(flow: &Flow<'_>, back: &FxHashMap<Item, Vec<Item>>, cond: Value) -> bool {
    let mut indexed = false;
    let all = reached(back, Item::Value(cond)).into_iter().all(|item| {
        let Item::Value(value) = item else { return true };
        let Some(inst) = flow.made.get(&value) else { return true };
        match (inst.op, &inst.imm) {
            (Op::BuiltIn, &Imm::BuiltIn(builtin, _)) => {
                indexed |= is_index(builtin);
                is_index(builtin) || builtin == BuiltIn::WorkgroupId
            }
            (Op::Const | Op::VarGet | Op::VarGetDyn, _) => true,
            (_, Imm::Binding { .. }) => false,
            (op, _) => op.effect() == Effect::Pure && !inst.args.is_empty(),
        }
    });
    all && indexed
}

/// Returns a comparison of SubgroupLocalInvocationId with a constant on which a branch depends, and the constant.
fn compared(flow: &Flow<'_>, back: &FxHashMap<Item, Vec<Item>>, inst: &Inst) -> Option<(usize, u64)> {
    let decides = inst.results.iter().any(|r| flow.conditions.contains(r));
    if !matches!(inst.op, Op::IEq | Op::INe) || !decides {
        return None;
    }
    // Follow copies of the value.
    let made = |value: Value| {
        let mut item = Item::Value(value);
        for _ in 0..8 {
            if let Item::Value(v) = item
                && let Some(inst) = flow.made.get(&v)
                && !matches!(inst.op, Op::VarGet | Op::Bitcast)
            {
                return Some(*inst);
            }
            let [from] = back.get(&item)?[..] else { return None };
            item = from;
        }
        None
    };
    let &[a, b] = &inst.args[..] else { return None };
    let (a, b) = (made(a)?, made(b)?);
    let number = |i: &Inst| matches!(i.imm, Imm::BuiltIn(BuiltIn::SubgroupLocalInvocationId, _));
    match (&a.imm, &b.imm) {
        (&Imm::Bits(n), _) if number(b) && a.op == Op::Const => Some((address(inst), n)),
        (_, &Imm::Bits(n)) if number(a) && b.op == Op::Const => Some((address(inst), n)),
        _ => None,
    }
}

/// A subgroup result at run time.
struct Sum {
    value: u64,
    /// Greatest number of lanes that used the result in one instruction.
    taken: u32,
}

/// Use of subgroup results by the lane groups of a unit.
#[derive(Default)]
pub struct Taken {
    groups: u32,
    ended: u32,
    sums: FxHashMap<(usize, u32), Sum>,
}

impl Taken {
    /// Starts a unit with `groups` lane groups.
    pub fn begin(&mut self, groups: u32) {
        *self = Taken { groups, ..Taken::default() };
    }

    /// Observes an instruction before its execution.
    pub fn before(&mut self, pending: &mut Pending, sizes: &Sizes, at: &View<'_>, inst: &Inst) {
        if sizes.is_empty() {
            return;
        }
        let here = address(inst);
        if let Some(&n) = sizes.compared.get(&here).filter(|&&n| n >= at.lanes().into()) {
            let lane = at.active().trailing_zeros() as usize;
            let key = (Where::instruction(inst.src, here), 0, Kind::SubgroupSizeAssumed);
            pending.add(at, lane, key, || {
                let message = format!(
                    "a branch is for invocation {n} of a subgroup, and subgroups have {} invocations",
                    at.lanes()
                );
                report(at, inst.src, message)
            });
        }
        for &sum in sizes.takers.get(&here).into_iter().flatten() {
            if let Some(sum) = self.sums.get_mut(&(sum, at.group())) {
                sum.taken = sum.taken.max(at.active().count_ones());
            }
        }
    }

    /// Observes an instruction after its execution.
    pub fn after(&mut self, sizes: &Sizes, at: &View<'_>, inst: &Inst) {
        if sizes.sums.is_empty() || !sizes.sums.contains_key(&address(inst)) {
            return;
        }
        // The highest active lane has the total of a scan.
        let last = 31 - at.active().leading_zeros().min(31);
        let value = inst.results.first().map_or(0, |&r| at.value(r, last as usize));
        let known = self.sums.entry((address(inst), at.group())).or_insert(Sum { value, taken: 0 });
        known.value = value;
    }

    /// Observes the end of a lane group, and reports lost results at the end of the last one.
    pub fn finish(&mut self, pending: &mut Pending, sizes: &Sizes, at: &View<'_>) {
        self.ended += 1;
        if self.ended < self.groups || sizes.sums.is_empty() {
            return;
        }
        for (&sum, &(src, op)) in &sizes.sums {
            let all = || self.sums.iter().filter(|((of, _), _)| *of == sum).map(|(_, sum)| sum);
            let taken: Vec<u64> = all().filter(|s| s.taken == 1).map(|s| s.value).collect();
            let several = all().any(|s| s.taken > 1);
            // A zero result, or one equal to a used result, does not count as lost.
            let lost = all().filter(|s| s.taken == 0 && s.value != 0 && !taken.contains(&s.value)).count();
            if taken.is_empty() || several || lost == 0 {
                continue;
            }
            let groups = self.groups;
            let key = (Where::instruction(src, sum), 0, Kind::SubgroupSizeAssumed);
            pending.add(at, 0, key, || {
                let name = format!("{op:?}");
                let name = name.split('(').next().unwrap_or_default();
                let message = format!(
                    "{name} over subgroups of {}: what {lost} of the workgroup's {groups} get is lost, as an index chooses who takes it",
                    at.lanes()
                );
                report(at, src, message)
            });
        }
    }
}

fn report(at: &View<'_>, src: Src, message: String) -> Report {
    let (frame, calls) = place::frames(at.shader(), src, "OpGroupNonUniform");
    Report { called_from: calls, ..Report::new(Kind::SubgroupSizeAssumed, message).at(frame) }
}
