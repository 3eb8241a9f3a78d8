//! OpSwitch, lowered to a block around a chain of `If`s whose conditions are computed up front, or to a binary search
//! if there are many cases.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;
use spirv::Op as SpvOp;

use super::{Lower, Next, Target, yields};
use crate::error::{Error, Result};
use crate::ir::{End, Imm, Op, Region, Ty, Value, Var};
use crate::spirv::module::{Inst, Merge};
use crate::spirv::{grammar, newer};

/// Maximum number of cases that are tested one by one.
const MAX_CHAIN: usize = 64;
/// Maximum number of cases that a leaf of the binary search tests one by one.
const LEAF: usize = 4;

/// A target of a switch.
pub(super) struct Case {
    pub(super) target: u32,
    /// Values of the selector that select the target.
    pub(super) literals: Vec<u64>,
}

/// Subtree of a binary search.
struct Search<'s> {
    /// Integer to search for.
    key: Value,
    /// Keys, ascending, each with its case number.
    keys: &'s [(u64, usize)],
}

impl Lower<'_> {
    /// OpSwitch: a block around one `If` per target, ordered so that cases only fall through forward.
    pub(super) fn switch(&mut self, from: u32, inst: &Inst, merge: u32) -> Result<Next> {
        let selector = self.scalar(self.module.operand(inst, 0)?)?;
        let default = self.module.operand(inst, 1)?;
        let mut cases = self.cases(inst, self.ty(selector))?;
        if cases.len() > MAX_CHAIN {
            cases.retain(|case| case.target != default);
            let targets: Vec<u32> = cases.iter().map(|case| case.target).chain([default]).collect();
            let (_, falls) = self.case_order(&targets, merge)?;
            if falls.is_empty() {
                return self.search(from, selector, cases, default, merge);
            }
        }
        let conditions = self.conditions(selector, &cases, default)?;
        if conditions.is_empty() {
            return self.only_default(from, default, merge);
        }
        self.case_chain(from, &conditions, merge)
    }

    /// The distinct targets of a switch in order of appearance, with the literals that select them.
    pub(super) fn cases(&self, inst: &Inst, ty: Ty) -> Result<Vec<Case>> {
        let m = self.module;
        if !ty.is_int() {
            return Err(m.invalid(inst, "selector is not an integer"));
        }
        let words = if ty == Ty::I64 { 3 } else { 2 };
        let pairs = m.operands_from(inst, 2);
        if !pairs.len().is_multiple_of(words) {
            return Err(m.invalid(inst, "a case lacks its label"));
        }
        let mut cases: Vec<Case> = Vec::new();
        let mut index: FxHashMap<u32, usize> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for pair in pairs.chunks_exact(words) {
            let high = if words == 3 { u64::from(pair[1]) << 32 } else { 0 };
            let literal = crate::spirv::consts::mask(ty, u64::from(pair[0]) | high);
            if !seen.insert(literal) {
                return Err(m.invalid(inst, format!("case {literal} appears twice")));
            }
            let target = pair[words - 1];
            let at = *index.entry(target).or_insert_with(|| {
                cases.push(Case { target, literals: Vec::new() });
                cases.len() - 1
            });
            cases[at].literals.push(literal);
        }
        Ok(cases)
    }

    /// Computes the condition of each target, all before the first case. The default is last. The list is empty if the
    /// switch has only a default.
    fn conditions(&mut self, selector: Value, cases: &[Case], default: u32) -> Result<Vec<(u32, Value)>> {
        let ty = self.ty(selector);
        let mut any = None;
        let mut conditions = Vec::new();
        for Case { target, literals } in cases {
            let mut condition = None;
            for &literal in literals {
                let literal = self.constant(ty, literal);
                let hit = self.op(Op::IEq, Ty::Bool, &[selector, literal]);
                condition = Some(self.or(condition, hit));
            }
            let Some(condition) = condition else { continue };
            self.work(literals.len())?;
            if *target != default {
                any = Some(self.or(any, condition));
                conditions.push((*target, condition));
            }
        }
        if let Some(any) = any {
            let otherwise = self.op(Op::Not, Ty::Bool, &[any]);
            conditions.push((default, otherwise));
        }
        Ok(conditions)
    }

    fn or(&mut self, left: Option<Value>, right: Value) -> Value {
        match left {
            Some(left) => self.op(Op::Or, Ty::Bool, &[left, right]),
            None => right,
        }
    }

    /// Lowers the cases of a switch as a chain of `If`s. A flag per case that others fall through to is set where they
    /// do.
    fn case_chain(&mut self, from: u32, conditions: &[(u32, Value)], merge: u32) -> Result<Next> {
        let src = self.src;
        let targets: Vec<u32> = conditions.iter().map(|c| c.0).collect();
        let (order, falls) = self.case_order(&targets, merge)?;
        let mut flags: FxHashMap<u32, Var> = FxHashMap::default();
        for &target in &falls {
            let flag = self.new_var(vec![Ty::Bool], "fallthrough");
            let no = self.constant(Ty::Bool, 0);
            self.emit(Op::VarSet, &[no], Imm::Var { var: flag, elem: 0 }, &[]);
            flags.insert(target, flag);
            // Set the OpPhis for the edge from the switch first: falling through into the case sets them again.
            self.edge(from, target)?;
        }
        let label = self.new_label();
        let saved = std::mem::take(&mut self.cur);
        self.frame()?.targets.push((merge, Target::Break(label)));
        for at in order {
            let (target, mut condition) = conditions[at];
            if let Some(&flag) = flags.get(&target) {
                let fell = self.emit(Op::VarGet, &[], Imm::Var { var: flag, elem: 0 }, &[Ty::Bool])[0];
                condition = self.op(Op::Or, Ty::Bool, &[condition, fell]);
            }
            let out = self.new_label();
            let n_targets = self.frame()?.targets.len();
            self.work(flags.len())?;
            for (&case, &flag) in &flags {
                if case != target {
                    self.frame()?.targets.push((case, Target::Case(out, flag)));
                }
            }
            let direct = (!flags.contains_key(&target)).then_some(from);
            let then = self.region_to(direct, target)?;
            self.frame()?.targets.truncate(n_targets);
            self.src = src;
            let inner = std::mem::take(&mut self.cur);
            let falls_through = self.used(out);
            let end = self.wrap(out, then, falls_through);
            let nodes = std::mem::replace(&mut self.cur, inner);
            self.push_if(condition, Region { nodes, end }, Region::default());
        }
        self.frame()?.targets.pop();
        let nodes = std::mem::replace(&mut self.cur, saved);
        let reached = self.used(label);
        self.wrap(label, Region { nodes, end: yields() }, reached);
        if reached { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
    }

    /// Lowers a switch with many cases, none of which falls through to another. If no case matches, the flag stays
    /// clear and the default runs. Cases exclude each other, so their order does not matter.
    fn search(
        &mut self,
        from: u32,
        selector: Value,
        cases: Vec<Case>,
        default: u32,
        merge: u32,
    ) -> Result<Next> {
        let literals =
            cases.iter().enumerate().flat_map(|(k, case)| case.literals.iter().map(move |&l| (l, k)));
        let mut keys: Vec<(u64, usize)> = literals.collect();
        keys.sort_unstable();
        let mut key = selector;
        if keys.len() > cases.len() {
            // Find the case number first, so that each case body is emitted only once.
            let which = self.new_var(vec![Ty::I32], "case");
            let imm = Imm::Var { var: which, elem: 0 };
            let none = self.i32(cases.len() as u32);
            self.emit(Op::VarSet, &[none], imm.clone(), &[]);
            self.tree(&Search { key, keys: &keys }, &mut |lower, k| {
                let number = lower.i32(k as u32);
                lower.emit(Op::VarSet, &[number], imm.clone(), &[]);
                Ok(yields())
            })?;
            key = self.emit(Op::VarGet, &[], imm, &[Ty::I32])[0];
            keys = (0..cases.len()).map(|k| (k as u64, k)).collect();
        }
        let hit = Imm::Var { var: self.new_var(vec![Ty::Bool], "hit"), elem: 0 };
        let (yes, no) = (self.constant(Ty::Bool, 1), self.constant(Ty::Bool, 0));
        self.emit(Op::VarSet, &[no], hit.clone(), &[]);
        let mut reached = false;
        self.tree(&Search { key, keys: &keys }, &mut |lower, k| {
            lower.emit(Op::VarSet, &[yes], hit.clone(), &[]);
            lower.case(from, cases[k].target, merge, &mut reached)
        })?;
        let hit = self.emit(Op::VarGet, &[], hit, &[Ty::Bool])[0];
        let missed = self.op(Op::Not, Ty::Bool, &[hit]);
        let otherwise = self.in_region(|lower| lower.case(from, default, merge, &mut reached))?;
        self.push_if(missed, otherwise, Region::default());
        if reached { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
    }

    /// Emits a binary search that runs `leaf` for the case whose key matches, if any.
    fn tree(
        &mut self,
        search: &Search<'_>,
        leaf: &mut dyn FnMut(&mut Self, usize) -> Result<End>,
    ) -> Result<()> {
        let &Search { key, keys } = search;
        let ty = self.ty(key);
        self.work(1)?;
        if keys.len() <= LEAF {
            for &(literal, case) in keys {
                let literal = self.constant(ty, literal);
                let is = self.op(Op::IEq, Ty::Bool, &[key, literal]);
                let src = self.src;
                let then = self.in_region(|lower| leaf(lower, case))?;
                self.src = src;
                self.push_if(is, then, Region::default());
            }
            return Ok(());
        }
        let (low, high) = keys.split_at(keys.len() / 2);
        let middle = self.constant(ty, high[0].0);
        let less = self.op(Op::ULt, Ty::Bool, &[key, middle]);
        let mut side = |lower: &mut Self, keys| {
            lower.in_region(|lower| lower.tree(&Search { key, keys }, leaf).map(|()| yields()))
        };
        let then = side(self, low)?;
        let els = side(self, high)?;
        self.push_if(less, then, els);
        Ok(())
    }

    /// Builds a separate region from the nodes that `f` emits and the end that it returns.
    fn in_region(&mut self, f: impl FnOnce(&mut Self) -> Result<End>) -> Result<Region> {
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.depth += 1;
        let end = f(self)?;
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        Ok(Region { nodes, end })
    }

    /// Lowers the body of a case, up to the end of the switch. Sets `reached` if control gets there.
    fn case(&mut self, from: u32, target: u32, merge: u32, reached: &mut bool) -> Result<End> {
        let out = self.new_label();
        let src = self.src;
        self.frame()?.targets.push((merge, Target::Break(out)));
        let body = self.arm(from, target)?;
        self.frame()?.targets.pop();
        self.src = src;
        let here = self.used(out);
        *reached |= here;
        Ok(self.wrap(out, body, here))
    }

    pub(super) fn only_default(&mut self, from: u32, default: u32, merge: u32) -> Result<Next> {
        let label = self.new_label();
        self.frame()?.targets.push((merge, Target::Break(label)));
        let body = self.arm(from, default)?;
        self.frame()?.targets.pop();
        let reached = self.used(label);
        let end = self.wrap(label, body, reached);
        match end == yields() {
            true => self.go_on(merge),
            false => Ok(Next::End(end)),
        }
    }

    /// Orders switch targets so that each precedes its fall-through target. Returns the order as indices, and the
    /// targets that other cases fall through to.
    fn case_order(&mut self, targets: &[u32], merge: u32) -> Result<(Vec<usize>, Vec<u32>)> {
        let index: FxHashMap<u32, usize> = targets.iter().enumerate().map(|(i, &t)| (t, i)).collect();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); targets.len()];
        let mut owner: FxHashMap<u32, usize> = FxHashMap::default();
        let (mut falls, mut fallen) = (Vec::new(), FxHashSet::default());
        let outer: FxHashSet<u32> = self.frame()?.targets.iter().map(|t| t.0).collect();
        let leaves = |to: u32| to == merge || outer.contains(&to);
        for (i, &start) in targets.iter().enumerate().filter(|(_, start)| !leaves(**start)) {
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                if owner.insert(at, i).is_some() {
                    continue;
                }
                self.work(1)?;
                for to in self.successors(at)?.into_iter().filter(|to| !leaves(*to)) {
                    match index.get(&to) {
                        Some(&j) if j != i => {
                            into[i].push(j);
                            if fallen.insert(to) {
                                falls.push(to);
                            }
                        }
                        _ => stack.push(to),
                    }
                }
            }
        }
        let order = topological(into).ok_or_else(|| Error::invalid("cases fall through in a cycle"))?;
        Ok((order, falls))
    }

    /// Labels that follow a block: those of its branch, and its merge block. Empty for an unknown label.
    fn successors(&mut self, label: u32) -> Result<SmallVec<[u32; 4]>> {
        let m = self.module;
        let function = m.function(self.frame()?.function)?;
        let mut next = SmallVec::new();
        let Some(&b) = function.by_label.get(&label) else { return Ok(next) };
        let block = &function.blocks[b];
        let inst = m.inst(block.end);
        match inst.op {
            SpvOp::Branch => next.push(m.operand(inst, 0)?),
            SpvOp::BranchConditional => next.extend([m.operand(inst, 1)?, m.operand(inst, 2)?]),
            SpvOp::Switch => {
                // Skip the literals, which may equal label ids: only labels are followed.
                let selector = m.ty(m.type_of(m.operand(inst, 0)?)?)?;
                let words = if selector.scalar() == Some(Ty::I64) { 3 } else { 2 };
                next.push(m.operand(inst, 1)?);
                next.extend(m.operands_from(inst, 2).chunks_exact(words).map(|pair| pair[words - 1]));
            }
            SpvOp::Return
            | SpvOp::ReturnValue
            | SpvOp::Kill
            | SpvOp::TerminateInvocation
            | newer::ABORT
            | SpvOp::EmitMeshTasksEXT
            | SpvOp::IgnoreIntersectionKHR
            | SpvOp::TerminateRayKHR
            | SpvOp::Unreachable => {}
            _ => return Err(m.unsupported(inst, format!("instruction {}", grammar::name_of(inst.op)))),
        }
        if let Some(Merge::Selection(to) | Merge::Loop(to, _)) = block.merge {
            next.push(to);
        }
        Ok(next)
    }
}

/// Orders nodes so that each precedes those in its list, smallest index first; `None` for a cycle.
fn topological(mut into: Vec<Vec<usize>>) -> Option<Vec<usize>> {
    let mut n_before = vec![0; into.len()];
    for list in &mut into {
        list.sort_unstable();
        list.dedup();
        list.iter().for_each(|&j| n_before[j] += 1);
    }
    let mut ready: BinaryHeap<Reverse<usize>> =
        (0..into.len()).filter(|&i| n_before[i] == 0).map(Reverse).collect();
    let mut order = Vec::new();
    while let Some(Reverse(i)) = ready.pop() {
        order.push(i);
        for &j in &into[i] {
            n_before[j] -= 1;
            if n_before[j] == 0 {
                ready.push(Reverse(j));
            }
        }
    }
    (order.len() == into.len()).then_some(order)
}
