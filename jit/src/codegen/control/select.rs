//! Selections: both arms for all lanes, one arm for all lanes, or each arm for its own lanes.

use super::exits::{is_guard, may_leave};
use super::flow::{EndKind, Leaving, Merge, RegionEnd};
use crate::Result;
use crate::codegen::Gen;
use crate::ir::{End, If, Node, Region, Ty, Value};
use crate::lane::{Block, Lane, LaneVar};
use crate::passes::{FLAT_COST, flat_cost};

impl Gen<'_, '_, '_> {
    pub(super) fn if_(&mut self, n: &If) -> Result<()> {
        let cond = self.val(n.cond)?;
        if let Some(c) = self.b.as_const(cond) {
            // Barriers are numbered in tree order; barriers of arms that are not emitted count, too.
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

    /// Emits a selection whose condition is a constant.
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
        self.flow.some &= !self.ends_empty(merge);
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
            // Register allocation works better if the body of a loop directly follows its test.
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
        self.flow.some = some_after && !self.ends_empty(merge);
        self.flow.missing.pop();
        self.flow.missing = after;
        self.flow.state.truncate(n_state);
        self.start_sealed(merge);
        self.end_results(&n.results, vars);
        Ok(())
    }

    /// Puts a mask into a variable. A waiting group saves variables, so masks that it needs go through variables;
    /// otherwise values are enough.
    fn keep(&mut self, mask: Lane) -> LaneVar {
        let var = self.b.declare(Ty::Bool, false);
        self.b.set(&var, mask);
        self.flow.state.push(var.clone());
        var
    }

    /// Begins an arm for the lanes in a mask; without any, the code continues at `past`.
    fn begin_arm(&mut self, mask: Lane, past: Block) {
        let arm = self.block();
        let any = self.b.any(mask);
        self.branch(any, arm, past);
        self.start_sealed(arm);
        self.set_mask(mask);
        self.flow.some = true;
    }

    fn divergent_if(&mut self, n: &If, cond: Lane) -> Result<()> {
        let n_state = self.flow.state.len();
        let vars = self.result_vars(&n.results);
        let m = self.mask();
        let (then_mask, els_mask) = (self.b.and(m, cond), self.b.and_not(m, cond));
        let mut inner = Vec::new();
        let leaves = may_leave(&n.then, &mut inner) || may_leave(&n.els, &mut inner);
        let some = self.flow.some;
        let before = self.keep(m);
        let els_var = self.keep(els_mask);
        let end_masks = leaves.then(|| {
            let no = self.b.bool(false);
            (self.keep(no), self.keep(no))
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
            // The arm is empty, so there is no branch: only its results are set.
            self.set_mask(els_mask);
        } else {
            self.begin_arm(els_mask, merge);
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

    /// Emits a selection with an arm that does nothing but leave. The other lanes continue under a smaller mask. The
    /// uniform parts of the condition are tested first, separately.
    fn guard(&mut self, n: &If, then_leaves: bool) -> Result<()> {
        let leaving = if then_leaves { &n.then } else { &n.els };
        let mut parts = Vec::new();
        // In shaders with barriers, only the condition itself is sure to be available here, not its parts.
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
                // Lanes that stay take these results, too; they overwrite them when they leave.
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
}
