//! The construct tree to blocks, with masks where lanes diverge.
//!
//! [`Flow::mask`] holds the active lanes. While no construct has lanes away (see `uniformity`) and the
//! group is full, it is known to be all ones and no code is spent on it. A construct that some lanes may
//! leave before others takes each one's results as it leaves. Behind it the mask is what it was before if
//! nothing else can be left from inside; otherwise those that arrive are collected in an exit mask. A
//! region without active lanes is jumped over, and [`Flow::some`] remembers that this was tested.

use cranelift_codegen::ir::{self as cl, InstBuilder};
use rustc_hash::FxHashMap;

use super::Gen;
use crate::Result;
use crate::ir::{Block, End, If, Label, Loop, Node, Region, Ty, Value};
use crate::lane::{Lane, LaneBuilder, LaneVar, is_wide};
use crate::passes::uniformity::outer_exits;
use crate::passes::{FLAT_COST, flat_cost};

/// Loops whose turns are known to be no more than this (instructions counted) do not look at the stop
/// flag: they end soon.
const MAX_UNPOLLED: u64 = 1 << 20;

/// Behind this many instructions what follows a test for active lanes comes next in the machine code, rather
/// than out of line: single-pass allocation of registers takes what is used out of line as live in between.
const LARGE: usize = 20_000;

/// State of control flow.
pub(super) struct Flow {
    /// Active lanes; meaningful while some may be away or the group is not full.
    pub mask: LaneVar,
    /// Lanes that are not helper invocations (fragment).
    pub live: LaneVar,
    /// The group starts with all lanes active.
    pub full: bool,
    /// Some lane is known to be active.
    pub some: bool,
    /// Times that what is emitted runs at most between two looks at the stop flag.
    pub turns: u64,
    /// For each open construct, outermost first (0 is the function): lanes are away until its end.
    pub missing: Vec<bool>,
    pub targets: Vec<Target>,
    pub ends: Vec<RegionEnd>,
    /// Variables of open constructs that a waiting group must keep.
    pub state: Vec<LaneVar>,
    /// Where a group goes when all its lanes are done.
    pub group_end: cl::Block,
    /// Where to go when the stop flag is set.
    pub stopped: cl::Block,
}

/// An open Block or Loop.
pub(super) struct Target {
    label: Label,
    /// Index in `missing`.
    depth: usize,
    exit: cl::Block,
    results: Vec<LaneVar>,
    /// Results that are a counter of the loop, and its step: kept by lane as the turns go on, so that lanes
    /// that leave need not take them.
    counters: Vec<Option<u32>>,
    leaving: Leaving,
    /// Some lane will be active behind it.
    some: bool,
}

/// How lanes leave a target.
#[derive(Clone)]
enum Leaving {
    /// All that are active at once.
    Together,
    /// At different times, to nowhere else: the mask at the end is that of the start, kept here.
    Back(LaneVar),
    /// At different times: those that have left for the target's end.
    Counted(LaneVar),
}

/// What the end of the current region does.
#[derive(Clone)]
pub(super) struct RegionEnd {
    to: cl::Block,
    kind: EndKind,
}

#[derive(Clone)]
enum EndKind {
    /// Sets the results. `end_mask` takes the lanes that reach the end.
    Arm { results: Vec<LaneVar>, end_mask: Option<LaneVar>, merge: Merge },
    /// Innermost target.
    Body,
    /// Back edge to `to`; parameters.
    Again { params: Vec<LaneVar>, exit: cl::Block },
    /// End of the function's body.
    Function,
}

#[derive(Clone, Copy, PartialEq)]
enum Merge {
    /// Sets results.
    Set,
    /// Sets results in active lanes, keeps the others.
    Blend,
}

impl Flow {
    pub fn new(b: &mut LaneBuilder) -> Flow {
        let (group_end, stopped) = (b.fb.create_block(), b.fb.create_block());
        Flow {
            mask: b.declare(Ty::Bool, false),
            live: b.declare(Ty::Bool, false),
            full: true,
            some: false,
            turns: 1,
            missing: vec![false],
            targets: Vec::new(),
            ends: Vec::new(),
            state: Vec::new(),
            group_end,
            stopped,
        }
    }
}

/// Whether control may leave a region other than by its end.
fn may_leave(region: &Region, inner: &mut Vec<Label>) -> bool {
    let nested = region.nodes.iter().any(|n| {
        let (label, body) = match n {
            Node::Inst(_) => return false,
            Node::If(n) => return may_leave(&n.then, inner) || may_leave(&n.els, inner),
            Node::Block(n) => (n.label, &n.body),
            Node::Loop(n) => (n.label, &n.body),
        };
        inner.push(label);
        let leaves = may_leave(body, inner);
        inner.pop();
        leaves
    });
    nested
        || match &region.end {
            End::Yield(_) => false,
            End::Break(l, _) => !inner.contains(l),
            End::Return | End::Kill | End::Unreachable => true,
        }
}

impl Gen<'_, '_, '_> {
    fn any_missing(&self) -> bool {
        self.flow.missing.iter().any(|&m| m)
    }

    /// The active lanes.
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

    /// Lanes that are not helpers.
    pub(super) fn live(&mut self) -> Lane {
        let var = self.flow.live.clone();
        self.b.get(&var)
    }

    /// Lanes whose stores and atomics count.
    pub(super) fn store_mask(&mut self) -> Lane {
        let m = self.mask();
        if self.shader.stage == crate::ir::Stage::Fragment {
            let live = self.live();
            return self.b.and(m, live);
        }
        m
    }

    pub(super) fn demote(&mut self) {
        let (m, live) = (self.mask(), self.live());
        let left = self.b.and_not(live, m);
        let var = self.flow.live.clone();
        self.b.set(&var, left);
    }

    /// The function's body; ends in jumps to `group_end`.
    pub(super) fn body(&mut self, body: &Region) -> Result<()> {
        let to = self.flow.group_end;
        self.region(body, RegionEnd { to, kind: EndKind::Function })
    }

    /// Emits a region and its end; the current block is finished afterwards.
    fn region(&mut self, region: &Region, end: RegionEnd) -> Result<()> {
        self.flow.ends.push(end.clone());
        let known = self.ranges.mark();
        let made = (self.env.fragment.made, self.env.vertices.made);
        for (k, node) in region.nodes.iter().enumerate() {
            self.check_size()?;
            self.store_vertex(if let Node::Inst(i) = node { Some(i) } else { None })?;
            self.prepare(node);
            match node {
                Node::Inst(i) => self.inst(i)?,
                Node::If(n) => {
                    self.if_(n)?;
                    self.learn(n);
                }
                Node::Block(n) => self.block_(n)?,
                Node::Loop(n) => self.loop_(n)?,
            }
            let rest = region.nodes.len() - k - 1;
            let construct = !matches!(node, Node::Inst(_));
            if construct && rest > 0 && self.any_missing() && node_may_leave(node) {
                self.skip_if_empty();
            }
        }
        self.store_vertex(None)?;
        self.flow.ends.pop();
        let r = self.finish(&region.end, &end);
        self.ranges.forget(known);
        (self.env.fragment.made, self.env.vertices.made) = made;
        r
    }

    /// Goes to the end of the region if no lane is active.
    fn skip_if_empty(&mut self) {
        let Some(end) = self.flow.ends.last().cloned() else { return };
        if self.flow.some {
            return;
        }
        let m = self.mask();
        let any = self.b.any(m);
        let (on, skip) = (self.block(), self.block());
        if self.counted > LARGE {
            let any = self.b.scalar(any);
            let none = self.b.fb.ins().icmp_imm_u(cl::condcodes::IntCC::Equal, any, 0);
            self.b.fb.ins().brif(none, skip, &[], on, &[]);
        } else {
            self.branch(any, on, skip);
        }
        self.start_sealed(skip);
        self.end_empty(&end);
        self.start_sealed(on);
        self.flow.some = true;
    }

    /// Ends the region in a state without active lanes.
    fn end_empty(&mut self, end: &RegionEnd) {
        let no = self.b.bool(false);
        self.set_mask(no);
        match &end.kind {
            EndKind::Arm { end_mask, .. } => {
                if let Some(var) = end_mask {
                    self.b.set(var, no);
                }
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

    /// Takes results and lanes that leave for the end of a target.
    fn leave_to(&mut self, t: usize, values: &[Lane]) {
        self.take_results(t, values);
        if let Leaving::Counted(var) = self.flow.targets[t].leaving.clone() {
            let m = self.mask();
            let gone = self.b.get(&var);
            let gone = self.b.or(gone, m);
            self.b.set(&var, gone);
        }
    }

    /// Gives the active lanes these results of a target. Those that stay inside get their own later.
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

    /// Sets a variable, in the lanes of a mask only if there is one.
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

    /// Steps the counters of the innermost loop in the lanes that go on.
    fn count_turn(&mut self) {
        let Some(t) = self.flow.targets.last() else { return };
        let steps: Vec<(LaneVar, u32)> =
            t.results.iter().zip(&t.counters).filter_map(|(r, c)| Some((r.clone(), (*c)?))).collect();
        for (var, step) in steps {
            let m = self.mask();
            let all_ones = self.b.mask_words(m);
            let old = self.b.get(&var);
            let new = if step == 1 {
                self.b.isub(old, all_ones)
            } else {
                let step = self.b.u32(step);
                let step = self.b.and(all_ones, step);
                self.b.iadd(old, step)
            };
            self.b.set(&var, new);
        }
    }

    /// Which results of a loop are counters, see [`Target::counters`]: uniform parameters that every exit
    /// gives and that a constant is added to in every turn. Sets them to their first value.
    fn find_counters(&mut self, n: &Loop, vars: &[LaneVar]) -> Result<()> {
        let t = self.flow.targets.len() - 1;
        let End::Yield(next) = &n.body.end else { return Ok(()) };
        if matches!(self.flow.targets[t].leaving, Leaving::Together) {
            return Ok(());
        }
        let mut given: Vec<Option<Value>> = Vec::new();
        let mut first = true;
        each_break(&n.body, n.label, &mut |args| {
            if first {
                given = args.iter().map(|&a| Some(a)).collect();
                first = false;
            }
            for (g, &a) in given.iter_mut().zip(args) {
                *g = g.filter(|&g| g == a);
            }
        });
        let mut counters = vec![None; vars.len()];
        let positions: FxHashMap<Value, usize> = n.params.iter().enumerate().map(|(k, p)| (p.0, k)).collect();
        for (k, var) in vars.iter().enumerate() {
            let Some(&Some(p)) = given.get(k) else { continue };
            let Some(&at) = positions.get(&p) else { continue };
            let uniform = !self.u.varying[p.0 as usize] && !var.is_uniform() && var.ty() == Ty::I32;
            if let (true, Some(step)) = (uniform, next.get(at).and_then(|&v| self.ranges.step(p, v))) {
                counters[k] = Some(step);
                let init = self.val(n.params[at].1)?;
                self.b.set(var, init);
            }
        }
        self.flow.targets[t].counters = counters;
        Ok(())
    }

    fn result_vars(&mut self, results: &[Value]) -> Vec<LaneVar> {
        results
            .iter()
            .map(|&r| {
                let var = self.b.declare(self.shader.ty(r), !self.u.varying[r.0 as usize]);
                self.flow.state.push(var.clone());
                var
            })
            .collect()
    }

    /// Gives result variables some value, so that paths without active lanes have one too: what it
    /// is is never seen.
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

    /// The results of a construct that ends here: nobody uses their variables any more.
    fn end_results(&mut self, results: &[Value], vars: Vec<LaneVar>) {
        for (&r, var) in results.iter().zip(vars) {
            let v = self.b.take(var);
            self.def(r, v);
        }
    }

    fn if_(&mut self, n: &If) -> Result<()> {
        let cond = self.val(n.cond)?;
        if let Some(c) = self.b.as_const(cond) {
            // Barriers are counted in the order of the tree, those that are left out too.
            if c != 0 {
                self.always(&n.then, &n.results)?;
                self.skip_barriers(&n.els);
            } else {
                self.skip_barriers(&n.then);
                self.always(&n.els, &n.results)?;
            }
            return Ok(());
        }
        let limit = if self.b.is_uniform(cond) { FLAT_COST } else { 14 };
        if let (Some(a), Some(b)) = (flat_cost(&n.then), flat_cost(&n.els))
            && a + b <= limit
        {
            return self.flat_if(n, cond);
        }
        if let Some(then_leaves) = is_guard(n) {
            return self.guard(n, then_leaves);
        }
        if self.b.is_uniform(cond) { self.uniform_if(n, cond) } else { self.divergent_if(n, cond) }
    }

    /// A selection that always goes one way.
    fn always(&mut self, arm: &Region, results: &[Value]) -> Result<()> {
        let n_state = self.flow.state.len();
        let vars = self.result_vars(results);
        let merge = self.block();
        self.flow.missing.push(false);
        self.region(
            arm,
            RegionEnd {
                to: merge,
                kind: EndKind::Arm { results: vars.clone(), end_mask: None, merge: Merge::Set },
            },
        )?;
        self.flow.missing.pop();
        self.flow.state.truncate(n_state);
        self.start_sealed(merge);
        self.end_results(results, vars);
        Ok(())
    }

    fn flat_if(&mut self, n: &If, cond: Lane) -> Result<()> {
        for node in n.then.nodes.iter().chain(&n.els.nodes) {
            if let Node::Inst(i) = node {
                self.inst(i)?;
            }
        }
        if let (End::Yield(a), End::Yield(b)) = (&n.then.end, &n.els.end) {
            for ((&r, &a), &b) in n.results.iter().zip(a).zip(b) {
                let (x, y) = (self.val(a)?, self.val(b)?);
                let v = self.b.select(cond, x, y);
                self.def(r, v);
            }
        }
        Ok(())
    }

    fn uniform_if(&mut self, n: &If, cond: Lane) -> Result<()> {
        let n_state = self.flow.state.len();
        let vars = self.result_vars(&n.results);
        let (yes, no, merge) = (self.block(), self.block(), self.block());
        let mut inner = Vec::new();
        if may_leave(&n.then, &mut inner) || may_leave(&n.els, &mut inner) {
            self.set_unseen(&vars, None);
        }
        match is_guard(n) {
            // A loop's body right behind its test is kinder to register allocation.
            Some(false) => self.branch_on(cond, yes, no),
            _ => self.branch(cond, yes, no),
        }
        let before = self.flow.missing.clone();
        let mut after = before.clone();
        self.flow.missing.push(false);
        let some = self.flow.some;
        let mut some_after = some;
        for (block, arm) in [(yes, &n.then), (no, &n.els)] {
            self.flow.missing[..before.len()].copy_from_slice(&before);
            self.start_sealed(block);
            self.flow.some = some;
            self.materialize_mask();
            let kind = EndKind::Arm { results: vars.clone(), end_mask: None, merge: Merge::Set };
            self.region(arm, RegionEnd { to: merge, kind })?;
            for (a, m) in after.iter_mut().zip(&self.flow.missing) {
                *a |= *m;
            }
            some_after &= self.flow.some;
        }
        self.flow.some = some_after;
        self.flow.missing.pop();
        self.flow.missing = after;
        self.flow.state.truncate(n_state);
        self.start_sealed(merge);
        self.end_results(&n.results, vars);
        Ok(())
    }

    /// Puts the mask in its variable, so that it can be read where lanes may be away.
    fn materialize_mask(&mut self) {
        if self.flow.full && !self.any_missing() {
            let m = self.b.bool(true);
            self.set_mask(m);
            self.flow.some = true;
        }
    }

    fn divergent_if(&mut self, n: &If, cond: Lane) -> Result<()> {
        let n_state = self.flow.state.len();
        let vars = self.result_vars(&n.results);
        let m = self.mask();
        let (then_mask, els_mask) = (self.b.and(m, cond), self.b.and_not(m, cond));
        // What a waiting group must keep goes through variables; elsewhere values will do.
        let keep = |g: &mut Self, v: Lane| {
            let var = g.b.declare(Ty::Bool, false);
            g.b.set(&var, v);
            g.flow.state.push(var.clone());
            var
        };
        let mut inner = Vec::new();
        let leaves = may_leave(&n.then, &mut inner) || may_leave(&n.els, &mut inner);
        let some = self.flow.some;
        let before = keep(self, m);
        let els_var = keep(self, els_mask);
        let end_masks = leaves.then(|| {
            let no = self.b.bool(false);
            (keep(self, no), keep(self, no))
        });

        self.set_unseen(&vars, Some(then_mask));
        let (yes, mid) = (self.block(), self.block());
        let any = self.b.any(then_mask);
        self.flow.missing.push(true);
        self.branch(any, yes, mid);
        self.start_sealed(yes);
        self.set_mask(then_mask);
        self.flow.some = true;
        let kind = EndKind::Arm {
            results: vars.clone(),
            end_mask: end_masks.clone().map(|e| e.0),
            merge: Merge::Set,
        };
        self.region(&n.then, RegionEnd { to: mid, kind })?;
        self.start_sealed(mid);

        let merge = self.block();
        let empty = n.els.nodes.is_empty() && matches!(&n.els.end, End::Yield(_));
        let els_mask = self.b.get(&els_var);
        if empty {
            // Nothing to branch around: just the other arm's values.
            self.set_mask(els_mask);
        } else {
            let no = self.block();
            let any = self.b.any(els_mask);
            self.branch(any, no, merge);
            self.start_sealed(no);
            self.set_mask(els_mask);
            self.flow.some = true;
        }
        let kind = EndKind::Arm {
            results: vars.clone(),
            end_mask: end_masks.clone().map(|e| e.1),
            merge: Merge::Blend,
        };
        self.region(&n.els, RegionEnd { to: merge, kind })?;
        self.start_sealed(merge);
        self.flow.missing.pop();
        let m = match end_masks {
            Some((a, b)) => {
                let (a, b) = (self.b.take(a), self.b.take(b));
                self.b.release(before);
                self.b.or(a, b)
            }
            None => self.b.take(before),
        };
        self.b.release(els_var);
        self.set_mask(m);
        self.flow.some = some && !leaves;
        self.flow.state.truncate(n_state);
        self.end_results(&n.results, vars);
        Ok(())
    }

    /// Where some lanes leave at once and nothing else happens: the others go on under a smaller mask.
    /// What is uniform of the condition is tested first and alone.
    fn guard(&mut self, n: &If, then_leaves: bool) -> Result<()> {
        let leaving = if then_leaves { &n.then } else { &n.els };
        let mut parts = Vec::new();
        // Where groups wait, only the condition itself may be there.
        let depth = if self.shader.has_barrier { 0 } else { 4 };
        self.ranges.conjuncts(n.cond, !then_leaves, depth, &mut parts);
        let mut stay: Option<Lane> = None;
        for (v, want) in parts {
            let c = self.val(v)?;
            if self.b.is_uniform(c) {
                let empty = Region::default();
                let (then, els) = if want { (empty, leaving.clone()) } else { (leaving.clone(), empty) };
                let test = If { cond: v, then, els, results: Vec::new(), src: n.src };
                self.uniform_if(&test, c)?;
                if self.any_missing() {
                    self.skip_if_empty();
                }
                self.ranges.assume(v, want);
                continue;
            }
            let c = if want { c } else { self.b.not(c) };
            stay = Some(match stay {
                Some(s) => self.b.and(s, c),
                None => c,
            });
        }
        let Some(stay) = stay else { return Ok(()) };
        let m = self.mask();
        match &leaving.end {
            End::Break(label, args) => {
                let values = self.values(args)?;
                let t = self.target(*label)?;
                // Those that stay take results too: they leave later, and take others then.
                self.take_results(t, &values);
                if let Leaving::Counted(var) = self.flow.targets[t].leaving.clone() {
                    let (gone, left) = (self.b.get(&var), self.b.and_not(m, stay));
                    let gone = self.b.or(gone, left);
                    self.b.set(&var, gone);
                }
                let depth = self.flow.targets[t].depth;
                self.flow.missing[depth] = true;
            }
            end => {
                if *end == End::Kill {
                    let left = self.b.and_not(m, stay);
                    let live = self.live();
                    let live = self.b.and_not(live, left);
                    let var = self.flow.live.clone();
                    self.b.set(&var, live);
                }
                self.flow.missing[0] = true;
            }
        }
        let stay = self.b.and(m, stay);
        self.set_mask(stay);
        Ok(())
    }

    /// Opens a target; gives its variables.
    fn open(
        &mut self,
        label: Label,
        results: &[Value],
        repeats: bool,
        leaves: bool,
    ) -> (cl::Block, Vec<LaneVar>) {
        let divergent = self.u.divergent_exit.get(&label).copied().unwrap_or(false);
        if divergent {
            self.materialize_mask();
        }
        let some = self.flow.some;
        let vars = self.result_vars(results);
        let exit = self.block();
        let leaving = if divergent {
            let var = self.b.declare(Ty::Bool, false);
            let m = if leaves { self.b.bool(false) } else { self.mask() };
            self.b.set(&var, m);
            self.flow.state.push(var.clone());
            if leaves { Leaving::Counted(var) } else { Leaving::Back(var) }
        } else {
            Leaving::Together
        };
        if divergent || leaves {
            self.set_unseen(&vars, None);
        }
        let depth = self.flow.missing.len();
        self.flow.missing.push(repeats && divergent);
        let some = some && !leaves;
        let (results, counters) = (vars.clone(), Vec::new());
        self.flow.targets.push(Target { label, depth, exit, results, counters, leaving, some });
        (exit, vars)
    }

    fn close(&mut self, n_state: usize, results: &[Value], vars: Vec<LaneVar>) {
        self.flow.missing.pop();
        self.flow.state.truncate(n_state);
        if let Some(t) = self.flow.targets.pop() {
            self.start_sealed(t.exit);
            if let Leaving::Back(var) | Leaving::Counted(var) = t.leaving {
                let m = self.b.take(var);
                self.set_mask(m);
            }
            self.flow.some = t.some;
        }
        self.end_results(results, vars);
    }

    fn block_(&mut self, n: &Block) -> Result<()> {
        let n_state = self.flow.state.len();
        let (exit, vars) = self.open(n.label, &n.results, false, may_leave(&n.body, &mut vec![n.label]));
        self.region(&n.body, RegionEnd { to: exit, kind: EndKind::Body })?;
        self.close(n_state, &n.results, vars);
        Ok(())
    }

    /// Notes that a loop's later rounds may run without lanes that left for an outer construct.
    fn expect_exits(&mut self, n: &Loop) {
        let mut exits = Vec::new();
        outer_exits(&n.body, &mut vec![n.label], &mut exits);
        for exit in exits {
            if !self.u.divergent_exit.get(&exit).copied().unwrap_or(false) {
                continue;
            }
            self.materialize_mask();
            let target = self.flow.targets.iter().rfind(|t| t.label == exit);
            let depth = target.map_or(0, |t| t.depth);
            self.flow.missing[depth] = true;
        }
    }

    fn loop_(&mut self, n: &Loop) -> Result<()> {
        let known = self.ranges.mark();
        self.ranges.enter_loop(n, &self.u);
        let n_state = self.flow.state.len();
        self.expect_exits(n);
        let (exit, vars) = self.open(n.label, &n.results, true, may_leave(&n.body, &mut vec![n.label]));
        let params: Vec<Value> = n.params.iter().map(|p| p.0).collect();
        let param_vars: Vec<LaneVar> = params
            .iter()
            .map(|&p| self.b.declare(self.shader.ty(p), !self.u.varying[p.0 as usize]))
            .collect();
        self.find_counters(n, &vars)?;
        let inits = n.params.iter().map(|p| self.val(p.1)).collect::<Result<Vec<_>>>()?;
        for (var, &v) in param_vars.iter().zip(&inits) {
            self.b.set(var, v);
        }
        let head = self.block();
        self.jump(head);
        self.b.fb.switch_to_block(head);
        let turns = self.flow.turns;
        match self.ranges.work(n) {
            Some(k) if k.saturating_mul(turns) <= MAX_UNPOLLED => self.flow.turns = k * turns,
            _ => {
                self.flow.turns = 1;
                self.poll_stop();
            }
        }
        self.def_results(&params, &param_vars);
        let kind = EndKind::Again { params: param_vars.clone(), exit };
        self.region(&n.body, RegionEnd { to: head, kind })?;
        self.flow.turns = turns;
        self.ranges.forget(known);
        self.b.fb.seal_block(head);
        for var in param_vars {
            self.b.release(var);
        }
        self.close(n_state, &n.results, vars);
        Ok(())
    }

    /// Leaves the function if the stop flag is set.
    pub(super) fn poll_stop(&mut self) {
        // Read anew, so that no register is taken all along.
        let at = self.load_ctx(Ty::I64, std::mem::offset_of!(crate::abi::Ctx, stop));
        let at = self.b.scalar(at);
        let v = self.b.atomic_u32(at);
        let on = self.block();
        let stopped = self.flow.stopped;
        self.b.fb.ins().brif(v, stopped, &[], on, &[]);
        self.start_sealed(on);
    }
}

/// Calls `f` with what each `Break` to a label gives.
fn each_break<'a>(region: &'a Region, label: Label, f: &mut impl FnMut(&'a [Value])) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => {
                each_break(&n.then, label, f);
                each_break(&n.els, label, f);
            }
            Node::Block(n) => each_break(&n.body, label, f),
            Node::Loop(n) => each_break(&n.body, label, f),
        }
    }
    if let End::Break(l, args) = &region.end
        && *l == label
    {
        f(args);
    }
}

/// Whether a selection does nothing but let some lanes leave: then `Some`, true if the first arm leaves.
pub(super) fn is_guard(n: &If) -> Option<bool> {
    let empty = n.results.is_empty() && n.then.nodes.is_empty() && n.els.nodes.is_empty();
    let leaves = |r: &Region| !matches!(r.end, End::Yield(_));
    match (leaves(&n.then), leaves(&n.els)) {
        (true, false) if empty => Some(true),
        (false, true) if empty => Some(false),
        _ => None,
    }
}

fn node_may_leave(node: &Node) -> bool {
    let mut inner = Vec::new();
    match node {
        Node::Inst(_) => false,
        Node::If(n) => may_leave(&n.then, &mut inner) || may_leave(&n.els, &mut inner),
        Node::Block(n) => {
            inner.push(n.label);
            may_leave(&n.body, &mut inner)
        }
        Node::Loop(n) => {
            inner.push(n.label);
            may_leave(&n.body, &mut inner)
        }
    }
}
