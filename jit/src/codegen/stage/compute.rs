//! The workgroups of compute, task and mesh shaders.

use std::mem::offset_of;

use smallvec::SmallVec;

use super::invocations;
use crate::abi::Ctx;
use crate::codegen::{Gen, Level};
use crate::ir::{BuiltIn, Imm, Shader, Stage, Ty};
use crate::lane::{ICmp, Lane};
use crate::{Result, Tier};

/// Values of compute shaders.
pub(in crate::codegen) struct Env {
    pub shared: Lane,
    /// Workgroup id.
    pub workgroup: [Lane; 3],
    /// Stack address of the state of the current workgroup; its id starts at byte 16.
    workgroup_at: Lane,
    /// Components of the id that the shader reads.
    asked: [bool; 3],
    /// Number of a group's first invocation within the dispatch; set in runs of workgroups.
    pub in_run: Option<Lane>,
}

impl Env {
    pub fn new(zero: Lane) -> Env {
        Env { shared: zero, workgroup: [zero; 3], workgroup_at: zero, asked: [false; 3], in_run: None }
    }
}

/// LocalInvocationId by component, then by invocation; empty if code computes it.
pub(super) fn local_ids(shader: &Shader, lanes: u32) -> Vec<u32> {
    if !shader.stage.has_workgroups() || shader.local_size[0].is_multiple_of(lanes) {
        return Vec::new();
    }
    let [x, y, _] = shader.local_size.map(|s| s.max(1));
    let n = invocations(shader).next_multiple_of(lanes);
    let mut ids = Vec::with_capacity(3 * n as usize);
    ids.extend((0..n).map(|i| i % x));
    ids.extend((0..n).map(|i| i / x % y));
    ids.extend((0..n).map(|i| i / x / y));
    ids
}

impl<'s> Gen<'_, '_, 's> {
    pub(super) fn compute_prologue(&mut self) {
        if self.shader.shared_size > 0 {
            self.env.compute.shared = self.load_ctx(Ty::I64, offset_of!(Ctx, shared));
        }
        let asked = &mut self.env.compute.asked;
        for i in self.insts.iter() {
            if let Imm::BuiltIn(BuiltIn::WorkgroupId | BuiltIn::GlobalInvocationId, c) = i.imm {
                asked[c as usize] = true;
            }
        }
        self.mesh_prologue();
    }

    pub(super) fn compute(&mut self, count: Lane) -> Result<()> {
        let s = self.b.lanes();
        let n_groups = invocations(self.shader).div_ceil(s);
        self.flow.full = invocations(self.shader).is_multiple_of(s);
        self.emit_level(Level::Call)?;
        self.prepare_proof();
        let at = self.first_workgroup(count);
        let runs = self.has_runs();
        if runs {
            self.prepare_runs(at);
        }
        let (head, body, done) = (self.block(), self.block(), self.block());
        self.jump(head);
        self.b.go_on_in(head);
        let left = self.b.load(Ty::I32, at, 12);
        self.branch(left, body, done);
        self.start_sealed(body);
        self.poll_stop();
        self.workgroup_id(at);
        if self.shader.stage != Stage::Compute {
            let k = self.b.isub(count, left);
            self.start_mesh(k);
        }
        if self.shader.shared_size > 0 {
            let f = self.b.ptr(crate::runtime::zero_bytes as *const u8);
            let n = self.b.i64(i64::from(self.shader.shared_size));
            self.b.call_values(f, &[self.env.compute.shared, n], None);
        }
        self.emit_level(Level::Workgroup)?;
        if self.shader.has_barrier && n_groups > 1 {
            self.groups_with_barriers(n_groups)?;
        } else {
            self.scratch += self.frame_bytes as usize * (self.most_lanes / s) as usize;
            match if n_groups > 1 && !runs { self.prove() } else { None } {
                Some(ok) => {
                    let (fast, slow, next) = (self.block(), self.block(), self.block());
                    self.branch(ok, fast, slow);
                    for (block, on) in [(fast, true), (slow, false)] {
                        self.start_sealed(block);
                        self.proven.on = on;
                        self.groups(n_groups)?;
                        self.jump(next);
                    }
                    self.start_sealed(next);
                }
                None if runs => self.run_of_workgroups(at, n_groups)?,
                None => self.groups(n_groups)?,
            }
        }
        self.next_workgroup(at);
        self.jump(head);
        self.b.seal(head);
        self.finish_function(done);
        Ok(())
    }

    /// Size of the dispatch in x (0) or y (1), at least 1.
    fn dispatch_size(&mut self, k: usize) -> Lane {
        let n = self.load_ctx(Ty::I32, offset_of!(Ctx, num_workgroups) + 4 * k);
        let one = self.b.u32(1);
        self.b.umax(n, one)
    }

    /// Number of components of the workgroup's id that are tracked: those that the shader reads, and all before them.
    /// The optimized tier tracks all three: the extra instructions per workgroup take no measurable time, but leaving
    /// them out changes the register allocation of the inner loops.
    fn followed(&self) -> usize {
        if self.tier == Tier::Optimized {
            return 3;
        }
        self.env.compute.asked.iter().rposition(|&a| a).map_or(0, |k| k + 1)
    }

    /// Stores the state of the first workgroup of the call on the stack: x, y, z without the dispatch's base, and the
    /// number of workgroups left. Space for the id of the current workgroup follows. On the stack, the state takes no
    /// registers from the computation of a group.
    fn first_workgroup(&mut self, count: Lane) -> Lane {
        let at = self.b.stack(32);
        self.env.compute.workgroup_at = at;
        let mut rest = self.env.first;
        for k in 0..self.followed() {
            let mut v = rest;
            if k < 2 {
                // The divisor is at least one. Cranelift does not remove unused divisions, so they are not emitted.
                let size = self.dispatch_size(k);
                v = self.b.remainder(rest, size);
                if k + 1 < self.followed() {
                    rest = self.b.quotient(rest, size);
                }
            }
            self.b.store(v, at, 4 * k as i32);
        }
        self.b.store(count, at, 12);
        at
    }

    /// Loads the id of the current workgroup, in the components that the shader reads.
    fn workgroup_id(&mut self, at: Lane) {
        let asked = self.env.compute.asked;
        for k in (0..3).filter(|&k| asked[k as usize]) {
            let v = self.b.load(Ty::I32, at, 4 * k);
            let base = self.load_ctx(Ty::I32, offset_of!(Ctx, base_workgroup) + 4 * k as usize);
            let v = self.b.iadd(v, base);
            self.b.store(v, at, 16 + 4 * k);
            self.env.compute.workgroup[k as usize] = v;
        }
    }

    /// Steps to the next workgroup; x advances first.
    fn next_workgroup(&mut self, at: Lane) {
        let (zero, one) = (self.b.u32(0), self.b.u32(1));
        let followed = self.followed();
        let done = (followed > 1).then(|| self.block());
        for k in 0..followed {
            let place = 4 * k as i32;
            let v = self.b.load(Ty::I32, at, place);
            let v = self.b.iadd(v, one);
            if k == 2 {
                self.b.store(v, at, place);
                continue;
            }
            let n = self.load_ctx(Ty::I32, offset_of!(Ctx, num_workgroups) + 4 * k);
            let inside = self.b.icmp(ICmp::Ult, v, n);
            let Some(done) = done.filter(|_| k + 1 < followed) else {
                let v = self.b.select(inside, v, zero);
                self.b.store(v, at, place);
                continue;
            };
            self.b.store(v, at, place);
            let wraps = self.block();
            self.branch(inside, done, wraps);
            self.b.set_cold(wraps);
            self.start_sealed(wraps);
            self.b.store(zero, at, place);
        }
        if let Some(done) = done {
            self.jump(done);
            self.start_sealed(done);
        }
        let left = self.b.load(Ty::I32, at, 12);
        let left = self.b.isub(left, one);
        self.b.store(left, at, 12);
    }

    pub(super) fn compute_builtin(&mut self, b: BuiltIn, c: u32) -> Result<Lane> {
        use BuiltIn::*;
        let s = self.b.lanes();
        Ok(match b {
            NumWorkgroups => self.load_ctx(Ty::I32, offset_of!(Ctx, num_workgroups) + 4 * c as usize),
            WorkgroupId => self.env.compute.workgroup[c as usize],
            LocalInvocationId => self.local_id(c),
            GlobalInvocationId if c == 0 && self.env.compute.in_run.is_some() => {
                let first = self.env.compute.in_run.unwrap_or(self.env.unit);
                self.b.lanes_from(first)
            }
            GlobalInvocationId => {
                let size = self.b.u32(self.shader.local_size[c as usize]);
                // The id is read from the stack, so that it occupies no register between groups.
                let id = self.b.load(Ty::I32, self.env.compute.workgroup_at, 16 + 4 * c as i32);
                let base = self.b.imul(id, size);
                let local = self.local_id(c);
                self.b.iadd(base, local)
            }
            LocalInvocationIndex => {
                let k = self.b.u32(s);
                let base = self.b.imul(self.env.unit, k);
                self.b.lanes_from(base)
            }
            NumSubgroups => self.b.u32(invocations(self.shader).div_ceil(s)),
            SubgroupId => self.env.unit,
            DrawIndex if self.shader.stage != Stage::Compute => {
                self.load_ctx(Ty::I32, offset_of!(Ctx, draw_index))
            }
            other => return self.no_builtin(other),
        })
    }

    fn local_id(&mut self, c: u32) -> Lane {
        if self.shader.local_size[c as usize] <= 1 {
            return self.b.u32(0);
        }
        let s = self.b.lanes();
        let k = self.b.u32(s);
        let base = self.b.imul(self.env.unit, k);
        if self.tables.local_ids.is_empty() {
            // All lanes of a group lie in one row of the workgroup.
            let [x, y, z] = self.shader.local_size.map(|n| n.max(1));
            let (n, rows) = (invocations(self.shader).next_multiple_of(s), y * z);
            return match c {
                0 => {
                    let x0 = if rows == 1 { base } else { self.b.urem_small(base, x, n) };
                    self.b.lanes_from(x0)
                }
                1 => {
                    let row = self.b.udiv_small(base, x, n);
                    if z == 1 { row } else { self.b.urem_small(row, y, n) }
                }
                _ => self.b.udiv_small(base, x * y, n),
            };
        }
        let n = self.tables.local_ids.len() / 3;
        let ids = &self.tables.local_ids[n * c as usize..][..n];
        let table = self.b.ptr(ids.as_ptr());
        let at = self.b.index(table, base, 4);
        // The groups differ only by a constant.
        let steps: SmallVec<[u32; 32]> = ids[..s as usize].iter().map(|x| x.wrapping_sub(ids[0])).collect();
        let mut groups = ids.chunks(s as usize);
        if !groups.all(|g| g.iter().zip(&steps).all(|(x, step)| *x == g[0].wrapping_add(*step))) {
            return self.b.load_row(Ty::I32, at, 0);
        }
        let row = self.b.row_const(Ty::I32, &steps);
        if ids.iter().step_by(s as usize).all(|&x| x == 0) {
            return row;
        }
        let first = self.b.load(Ty::I32, at, 0);
        self.b.iadd(row, first)
    }
}
