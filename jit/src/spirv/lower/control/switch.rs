//! OpSwitch, as a block around a chain of `If`s with conditions computed up front.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op as SpvOp;

use super::{Lower, Next, Target, yields};
use crate::error::{Error, Result};
use crate::ir::{End, Imm, Op, Region, Ty, Var};
use crate::spirv::module::{Inst, Merge};

impl Lower<'_> {
    /// OpSwitch: a block around one `If` per target, in an order in which cases fall forward.
    pub(super) fn switch(&mut self, from: u32, inst: &Inst, merge: u32) -> Result<Next> {
        let m = self.m;
        let src = self.src;
        let selector_id = m.operand(inst, 0)?;
        let selector = self.scalar(selector_id)?;
        let ty = self.ty(selector);
        if !ty.is_int() {
            return Err(m.invalid(inst, "selector is not an integer"));
        }
        let default = m.operand(inst, 1)?;
        let words = if ty == Ty::I64 { 3 } else { 2 };
        let pairs = m.operands_from(inst, 2);
        if !pairs.len().is_multiple_of(words) {
            return Err(m.invalid(inst, "a case lacks its label"));
        }
        // Distinct targets in order of appearance, each with its literals.
        let mut cases: Vec<(u32, Vec<u64>)> = Vec::new();
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
                cases.push((target, Vec::new()));
                cases.len() - 1
            });
            cases[at].1.push(literal);
        }
        // Conditions, all before the first case.
        let mut any = None;
        let mut conds = Vec::new();
        for (target, literals) in &cases {
            let mut cond = None;
            for &literal in literals {
                let literal = self.constant(ty, literal);
                let hit = self.op(Op::IEq, Ty::Bool, &[selector, literal]);
                cond = Some(match cond {
                    Some(c) => self.op(Op::Or, Ty::Bool, &[c, hit]),
                    None => hit,
                });
            }
            let Some(cond) = cond else { continue };
            self.work(literals.len())?;
            if *target != default {
                any = Some(match any {
                    Some(a) => self.op(Op::Or, Ty::Bool, &[a, cond]),
                    None => cond,
                });
                conds.push((*target, cond));
            }
        }
        let Some(any) = any else {
            // Only the default.
            return self.only_default(from, default, merge);
        };
        let otherwise = self.op(Op::Not, Ty::Bool, &[any]);
        conds.push((default, otherwise));
        let (order, falls) = self.case_order(&conds.iter().map(|c| c.0).collect::<Vec<_>>(), merge)?;
        let mut flags: FxHashMap<u32, Var> = FxHashMap::default();
        for &target in &falls {
            let flag = self.new_var(vec![Ty::Bool], "fallthrough");
            let no = self.constant(Ty::Bool, 0);
            self.emit(Op::VarSet, &[no], Imm::Var { var: flag, elem: 0 }, &[]);
            flags.insert(target, flag);
            // The edge from here comes first: falling into the case sets the OpPhi again.
            self.edge(from, target)?;
        }
        let label = self.new_label();
        let saved = std::mem::take(&mut self.cur);
        self.frame()?.targets.push((merge, Target::Break(label)));
        for at in order {
            let (target, mut cond) = conds[at];
            if let Some(&flag) = flags.get(&target) {
                let fell = self.emit(Op::VarGet, &[], Imm::Var { var: flag, elem: 0 }, &[Ty::Bool])[0];
                cond = self.op(Op::Or, Ty::Bool, &[cond, fell]);
            }
            let out = self.new_label();
            let n_targets = self.frame()?.targets.len();
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
            self.push_if(cond, Region { nodes, end }, Region::default());
        }
        self.frame()?.targets.pop();
        let nodes = std::mem::replace(&mut self.cur, saved);
        let reached = self.used(label);
        self.wrap(label, Region { nodes, end: yields() }, reached);
        if reached { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
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

    /// Orders switch targets so that each comes before those it falls through to; returns indices and
    /// the targets that are fallen into.
    fn case_order(&mut self, targets: &[u32], merge: u32) -> Result<(Vec<usize>, Vec<u32>)> {
        let m = self.m;
        let frame = self.frame()?;
        let outer: FxHashSet<u32> = frame.targets.iter().map(|t| t.0).collect();
        let function = m.function(frame.function)?;
        let index: FxHashMap<u32, usize> = targets.iter().enumerate().map(|(i, &t)| (t, i)).collect();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); targets.len()];
        let mut owner: FxHashMap<u32, usize> = FxHashMap::default();
        let mut falls = Vec::new();
        for (i, &start) in targets.iter().enumerate() {
            if start == merge || outer.contains(&start) {
                continue;
            }
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                let Some(&b) = function.by_label.get(&at) else { continue };
                if owner.insert(at, i).is_some() {
                    continue;
                }
                self.work(1)?;
                let block = &function.blocks[b];
                let inst = m.inst(block.end);
                let mut go = |to: u32| {
                    if to == merge || outer.contains(&to) {
                        return;
                    }
                    match index.get(&to) {
                        Some(&j) if j != i => {
                            into[i].push(j);
                            if !falls.contains(&to) {
                                falls.push(to);
                            }
                        }
                        _ => stack.push(to),
                    }
                };
                match inst.op {
                    SpvOp::Branch => go(m.operand(inst, 0)?),
                    SpvOp::BranchConditional => {
                        go(m.operand(inst, 1)?);
                        go(m.operand(inst, 2)?);
                    }
                    SpvOp::Switch => {
                        // A literal may have the number of a label: only labels are followed.
                        let selector = m.ty(m.type_of(m.operand(inst, 0)?)?)?;
                        let words = if selector.scalar() == Some(Ty::I64) { 3 } else { 2 };
                        go(m.operand(inst, 1)?);
                        for pair in m.operands_from(inst, 2).chunks_exact(words) {
                            go(pair[words - 1]);
                        }
                    }
                    _ => {}
                }
                if let Some(Merge::Selection(to) | Merge::Loop(to, _)) = block.merge {
                    go(to);
                }
            }
        }
        // Topological order, stable: smallest index first.
        let mut n_before = vec![0; targets.len()];
        for list in &mut into {
            list.sort_unstable();
            list.dedup();
            for &j in list.iter() {
                n_before[j] += 1;
            }
        }
        let mut order = Vec::new();
        let mut done = vec![false; targets.len()];
        while order.len() < targets.len() {
            let Some(i) = (0..targets.len()).find(|&i| !done[i] && n_before[i] == 0) else {
                return Err(Error::invalid("cases fall through in a circle"));
            };
            done[i] = true;
            order.push(i);
            for &j in &into[i] {
                n_before[j] -= 1;
            }
            self.work(targets.len() / 8)?;
        }
        Ok((order, falls))
    }
}
