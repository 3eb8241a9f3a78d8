//! Blocks and loops: the constructs that lanes leave by a `Break`, possibly at different times.

use rustc_hash::FxHashMap;

use super::exits::{each_break, may_leave};
use super::flow::{EndKind, Leaving, RegionEnd, Target};
use crate::Result;
use crate::codegen::turns::MAX_UNPOLLED;
use crate::codegen::{Gen, barrier};
use crate::ir::{Block, End, Label, Loop, Ty, Value};
use crate::lane::{self, LaneVar};
use crate::passes::uniformity::outer_exits;

impl Gen<'_, '_, '_> {
    /// Opens a target; returns its exit block and its result variables.
    fn open(
        &mut self,
        label: Label,
        results: &[Value],
        repeats: bool,
        leaves: bool,
    ) -> (lane::Block, Vec<LaneVar>) {
        let divergent = self.uniformity.divergent_exit.get(&label).copied().unwrap_or(false);
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

    pub(super) fn block_(&mut self, n: &Block) -> Result<()> {
        let n_state = self.flow.state.len();
        let (exit, vars) = self.open(n.label, &n.results, false, may_leave(&n.body, &mut vec![n.label]));
        self.region(&n.body, RegionEnd { to: exit, kind: EndKind::Body })?;
        self.close(n_state, &n.results, vars);
        Ok(())
    }

    /// Marks the outer constructs that lanes of this loop may leave for: later iterations may run without those
    /// lanes.
    fn expect_exits(&mut self, n: &Loop) {
        let mut exits = Vec::new();
        outer_exits(&n.body, &mut vec![n.label], &mut exits);
        for exit in exits {
            if !self.uniformity.divergent_exit.get(&exit).copied().unwrap_or(false) {
                continue;
            }
            self.materialize_mask();
            let target = self.flow.targets.iter().rfind(|t| t.label == exit);
            let depth = target.map_or(0, |t| t.depth);
            self.flow.missing[depth] = true;
        }
    }

    pub(super) fn loop_(&mut self, n: &Loop) -> Result<()> {
        let known = self.ranges.mark();
        self.ranges.enter_loop(n, &self.uniformity);
        let n_state = self.flow.state.len();
        self.expect_exits(n);
        let (exit, vars) = self.open(n.label, &n.results, true, may_leave(&n.body, &mut vec![n.label]));
        let params: Vec<Value> = n.params.iter().map(|p| p.0).collect();
        let param_vars: Vec<LaneVar> = params
            .iter()
            .map(|&p| self.b.declare(self.shader.ty(p), !self.uniformity.varying[p.0 as usize]))
            .collect();
        self.find_counters(n, &vars)?;
        let inits = n.params.iter().map(|p| self.val(p.1)).collect::<Result<Vec<_>>>()?;
        for (var, &v) in param_vars.iter().zip(&inits) {
            self.b.set(var, v);
        }
        let head = self.block();
        self.jump(head);
        self.b.go_on_in(head);
        let turns = self.flow.turns;
        match self.ranges.work(n) {
            Some(k) if k.saturating_mul(turns) <= MAX_UNPOLLED => self.flow.turns = k * turns,
            _ => {
                self.flow.turns = 1;
                self.poll_stop();
            }
        }
        if self.flow.loops == 0 {
            self.flow.phased = barrier::count(&n.body) > 0;
        }
        self.flow.loops += 1;
        self.def_results(&params, &param_vars);
        let kind = EndKind::Again { params: param_vars.clone(), exit };
        self.region(&n.body, RegionEnd { to: head, kind })?;
        self.flow.turns = turns;
        self.flow.loops -= 1;
        self.flow.phased &= self.flow.loops > 0;
        self.ranges.forget(known);
        self.b.seal(head);
        for var in param_vars {
            self.b.release(var);
        }
        self.close(n_state, &n.results, vars);
        Ok(())
    }

    /// Emits a poll of the stop flag, which leaves the function if the flag is set.
    pub(in crate::codegen) fn poll_stop(&mut self) {
        // The address is loaded at each poll, so that it occupies no register in between.
        let at = self.load_ctx(Ty::I64, std::mem::offset_of!(crate::abi::Ctx, stop));
        let v = self.b.atomic_u32(at);
        let on = self.block();
        let stopped = self.flow.stopped;
        self.branch(v, stopped, on);
        self.start_sealed(on);
    }

    /// Steps the counters of the innermost loop in the lanes that continue.
    pub(super) fn count_turn(&mut self) {
        let Some(t) = self.flow.targets.last() else { return };
        let steps: Vec<(LaneVar, u32)> =
            t.results.iter().zip(&t.counters).filter_map(|(r, c)| Some((r.clone(), (*c)?))).collect();
        for (var, step) in steps {
            let m = self.mask();
            let old = self.b.get(&var);
            if self.b.has_masked_stores() {
                let step = self.b.u32(step);
                let next = self.b.iadd(old, step);
                let new = self.b.select(m, next, old);
                self.b.set(&var, new);
                continue;
            }
            let all_ones = self.b.mask_words(m);
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

    /// Finds the results of a loop that are counters (see [`Target::counters`]): uniform parameters that every exit
    /// returns and to which each iteration adds a constant. Sets their variables to the initial values.
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
            let uniform = !self.uniformity.varying[p.0 as usize] && !var.is_uniform() && var.ty() == Ty::I32;
            if let (true, Some(step)) = (uniform, next.get(at).and_then(|&v| self.ranges.step(p, v))) {
                counters[k] = Some(step);
                let init = self.val(n.params[at].1)?;
                self.b.set(var, init);
            }
        }
        self.flow.targets[t].counters = counters;
        Ok(())
    }
}
