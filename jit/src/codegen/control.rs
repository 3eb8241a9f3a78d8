//! Lowers the construct tree to blocks, with masks where lanes diverge.
//!
//! [`Flow::mask`] holds the active lanes. While no construct has missing lanes (see `uniformity`) and the group is
//! full, the mask is known to be all ones and no code computes it. If lanes may leave a construct at different times,
//! each lane takes its results as it leaves. After the construct, the mask is the one from before it, provided that no
//! lane inside can leave for an outer construct. Otherwise the lanes that arrive are collected in an exit mask. A
//! region without active lanes is skipped; [`Flow::some`] records that this has been tested.
//!
//! * `flow`: open constructs and missing lanes
//! * `exits`: exits of a region
//! * `select`: selections
//! * `loops`: blocks and loops

mod exits;
mod flow;
mod loops;
mod select;

use std::mem::offset_of;

use super::Gen;
use crate::Result;
use crate::abi::Ctx;
use crate::ir::{End, Inst, Label, Node, Op, Region, Src, Ty, Value};
use crate::lane::{self, Lane, LaneVar, is_wide};
use exits::node_may_leave;
pub(super) use flow::Flow;
use flow::{EndKind, Leaving, Merge, RegionEnd};

/// In functions with more instructions than this, the code after a test for active lanes follows it in the machine
/// code. Otherwise it is placed out of line. The single-pass register allocator treats values that are used out of line
/// as live in all code in between.
const LARGE: usize = 20_000;

impl Gen<'_, '_, '_> {
    fn any_missing(&self) -> bool {
        self.flow.missing.iter().any(|&m| m)
    }

    /// Returns the active lanes.
    pub(super) fn mask(&mut self) -> Lane {
        if self.flow.full && !self.any_missing() {
            return self.b.bool(true);
        }
        let var = self.flow.mask.clone();
        self.b.get(&var)
    }

    pub(super) fn set_mask(&mut self, m: Lane) {
        self.flow.some = false;
        let var = self.flow.mask.clone();
        self.b.set(&var, m);
    }

    /// Returns the lanes that are not helper invocations.
    pub(super) fn live(&mut self) -> Lane {
        let var = self.flow.live.clone();
        self.b.get(&var)
    }

    /// Returns the lanes whose stores and atomics take effect.
    pub(super) fn store_mask(&mut self) -> Lane {
        let m = self.mask();
        if self.shader.stage == crate::ir::Stage::Fragment {
            let live = self.live();
            return self.b.and(m, live);
        }
        m
    }

    /// Turns the active invocations into helper invocations, or tells which are.
    pub(super) fn helpers(&mut self, i: &Inst) -> Result<()> {
        if i.op == Op::Demote {
            self.demote();
            return Ok(());
        }
        let live = self.live();
        let helpers = self.b.not(live);
        self.def(i.results[0], helpers);
        Ok(())
    }

    fn demote(&mut self) {
        let (m, live) = (self.mask(), self.live());
        let left = self.b.and_not(live, m);
        let var = self.flow.live.clone();
        self.b.set(&var, left);
    }

    /// Sets the alarm flag of the call if the argument is true in an active lane.
    pub(super) fn alarm(&mut self, i: &Inst) -> Result<()> {
        let (when, active) = (self.val(i.args[0])?, self.mask());
        let when = self.b.and(when, active);
        if self.b.as_const(when) == Some(0) {
            return Ok(());
        }
        let any = self.b.any(when);
        let (rings, quiet) = (self.block(), self.block());
        self.branch(any, rings, quiet);
        self.b.set_cold(rings);
        self.start_sealed(rings);
        let (alarm, one) = (self.load_ctx(Ty::I64, offset_of!(Ctx, alarm)), self.b.u32(1));
        self.b.store(one, alarm, 0);
        self.jump(quiet);
        self.start_sealed(quiet);
        Ok(())
    }

    /// Writes the mask to its variable, so that code can read it where lanes may be missing.
    fn materialize_mask(&mut self) {
        if self.flow.full && !self.any_missing() {
            let m = self.b.bool(true);
            self.set_mask(m);
            self.flow.some = true;
        }
    }

    /// Emits the function's body, which ends in jumps to `group_end`.
    pub(super) fn body(&mut self, body: &Region) -> Result<()> {
        let to = self.flow.group_end;
        let done = self.region(body, RegionEnd { to, kind: EndKind::Function });
        self.comes_from(Src::default());
        done
    }

    /// Emits a region and its end; the current block is finished afterwards.
    fn region(&mut self, region: &Region, end: RegionEnd) -> Result<()> {
        self.flow.ends.push(end.clone());
        let known = self.ranges.mark();
        let made = (self.env.fragment.made, self.env.vertices.made);
        for (k, node) in region.nodes.iter().enumerate() {
            self.check_size()?;
            self.store_record(if let Node::Inst(i) = node { Some(i) } else { None })?;
            self.prepare(node);
            match node {
                Node::Inst(i) => self.inst(i)?,
                Node::If(n) => {
                    self.comes_from(n.src);
                    self.if_(n)?;
                    self.comes_from(n.src);
                    self.learn(n);
                }
                Node::Block(n) => self.block_(n)?,
                Node::Loop(n) => {
                    self.comes_from(n.src);
                    self.loop_(n)?;
                    self.comes_from(n.src);
                }
            }
            let rest = region.nodes.len() - k - 1;
            let construct = !matches!(node, Node::Inst(_));
            if construct && rest > 0 && self.any_missing() && node_may_leave(node) {
                self.skip_if_empty();
            }
        }
        self.store_record(None)?;
        self.flow.ends.pop();
        let r = self.finish(&region.end, &end);
        self.ranges.forget(known);
        (self.env.fragment.made, self.env.vertices.made) = made;
        r
    }

    /// Jumps to the end of the region if no lane is active.
    fn skip_if_empty(&mut self) {
        let Some(end) = self.flow.ends.last().cloned() else { return };
        if self.flow.some {
            return;
        }
        let m = self.mask();
        let any = self.b.any(m);
        let (on, skip) = (self.block(), self.block());
        if self.counted > LARGE {
            self.b.branch_unless(any, on, skip);
        } else {
            self.branch(any, on, skip);
        }
        self.start_sealed(skip);
        self.end_empty(&end);
        self.start_sealed(on);
        self.flow.some = true;
    }

    /// True if a path without active lanes leads to the end of an arm, which is not asked again.
    fn ends_empty(&mut self, end: lane::Block) -> bool {
        let before = self.flow.empty_ends.len();
        self.flow.empty_ends.retain(|e| *e != end);
        self.flow.empty_ends.len() < before
    }

    /// Ends the region with no active lanes.
    fn end_empty(&mut self, end: &RegionEnd) {
        let no = self.b.bool(false);
        self.set_mask(no);
        match &end.kind {
            EndKind::Arm { end_mask, .. } => {
                if let Some(var) = end_mask {
                    self.b.set(var, no);
                }
                self.flow.empty_ends.push(end.to);
                self.jump(end.to);
            }
            EndKind::Again { exit, .. } => self.jump(*exit),
            EndKind::Body | EndKind::Function => self.jump(end.to),
        }
    }

    fn finish(&mut self, how: &End, end: &RegionEnd) -> Result<()> {
        match how {
            End::Yield(args) => self.yield_(args, end),
            End::Break(label, args) => {
                let values = self.values(args)?;
                let t = self.target(*label)?;
                let depth = self.flow.targets[t].depth;
                let stay = self.flow.missing[depth + 1..].iter().any(|&m| m);
                self.leave_to(t, &values);
                if stay {
                    self.flow.missing[depth] = true;
                    self.end_empty(end);
                } else {
                    let exit = self.flow.targets[t].exit;
                    self.jump(exit);
                }
                Ok(())
            }
            End::Kill => {
                self.demote();
                self.return_(end);
                Ok(())
            }
            End::Return | End::Unreachable => {
                self.return_(end);
                Ok(())
            }
        }
    }

    fn target(&self, label: Label) -> Result<usize> {
        let t = self.flow.targets.iter().rposition(|t| t.label == label);
        t.ok_or_else(|| crate::Error::Internal(format!("no construct {label:?}")))
    }

    fn return_(&mut self, end: &RegionEnd) {
        if self.any_missing() {
            self.flow.missing[0] = true;
            self.end_empty(end);
        } else {
            let to = self.flow.group_end;
            self.jump(to);
        }
    }

    /// Gives the active lanes their results of a target, and adds them to the lanes that leave for its end.
    fn leave_to(&mut self, t: usize, values: &[Lane]) {
        self.take_results(t, values);
        if let Leaving::Counted(var) = self.flow.targets[t].leaving.clone() {
            let m = self.mask();
            let gone = self.b.get(&var);
            let gone = self.b.or(gone, m);
            self.b.set(&var, gone);
        }
    }

    /// Gives the active lanes these results of a target. Lanes that stay inside get theirs when they leave.
    fn take_results(&mut self, t: usize, values: &[Lane]) {
        let together = matches!(self.flow.targets[t].leaving, Leaving::Together);
        let results = self.flow.targets[t].results.clone();
        let m = if together { None } else { Some(self.mask()) };
        let counters = self.flow.targets[t].counters.clone();
        for (k, (r, &v)) in results.iter().zip(values).enumerate() {
            if counters.get(k).is_some_and(Option::is_some) {
                continue;
            }
            self.set_in(r, v, m);
        }
    }

    /// Sets a variable: in the lanes of `mask` if there is one, otherwise in all lanes.
    fn set_in(&mut self, var: &LaneVar, v: Lane, mask: Option<Lane>) {
        let v = match mask {
            Some(m) => {
                let old = self.b.get(var);
                self.b.select(m, v, old)
            }
            None => v,
        };
        self.b.set(var, v);
    }

    fn values(&mut self, args: &[Value]) -> Result<Vec<Lane>> {
        args.iter().map(|&a| self.val(a)).collect()
    }

    fn yield_(&mut self, args: &[Value], end: &RegionEnd) -> Result<()> {
        let values = self.values(args)?;
        match &end.kind {
            EndKind::Function => self.jump(end.to),
            EndKind::Body => {
                let t = self.flow.targets.len() - 1;
                self.leave_to(t, &values);
                self.jump(end.to);
            }
            EndKind::Arm { results, end_mask, merge } => {
                let m = (*merge == Merge::Blend).then(|| self.mask());
                for (r, &v) in results.iter().zip(&values) {
                    self.set_in(r, v, m);
                }
                if let Some(var) = end_mask {
                    let m = self.mask();
                    self.b.set(var, m);
                }
                self.jump(end.to);
            }
            EndKind::Again { params, exit } => {
                self.count_turn();
                for (p, &v) in params.iter().zip(&values) {
                    self.b.set(p, v);
                }
                if self.any_missing() && !self.flow.some {
                    let m = self.mask();
                    let any = self.b.any(m);
                    let (to, exit) = (end.to, *exit);
                    self.branch(any, to, exit);
                } else {
                    self.jump(end.to);
                }
            }
        }
        Ok(())
    }

    fn result_vars(&mut self, results: &[Value]) -> Vec<LaneVar> {
        results
            .iter()
            .map(|&r| {
                let var = self.b.declare(self.shader.ty(r), !self.uniformity.varying[r.0 as usize]);
                self.flow.state.push(var.clone());
                var
            })
            .collect()
    }

    /// Sets result variables to an arbitrary value, so that they are defined on paths without active lanes. No lane
    /// reads that value.
    fn set_unseen(&mut self, vars: &[LaneVar], mask: Option<Lane>) {
        for var in vars {
            let v = match mask {
                Some(m) if !var.is_uniform() && !is_wide(var.ty()) => self.b.reinterpret(m, var.ty()),
                _ => self.b.bits(var.ty(), 0),
            };
            self.b.set(var, v);
        }
    }

    fn def_results(&mut self, results: &[Value], vars: &[LaneVar]) {
        for (&r, var) in results.iter().zip(vars) {
            let v = self.b.get(var);
            self.def(r, v);
        }
    }

    /// Defines the results of a construct that ends here, and releases their variables.
    fn end_results(&mut self, results: &[Value], vars: Vec<LaneVar>) {
        for (&r, var) in results.iter().zip(vars) {
            let v = self.b.take(var);
            self.def(r, v);
        }
    }
}
