//! Runs: adjacent workgroups as one loop over their groups, with one test of the facts for all of them.
//!
//! The stack holds the number of workgroups to try at once: at first, all that are left in the row. It is halved when
//! the test fails, down to one, which then runs the code with all checks. It is doubled when the test succeeds. The
//! edges of buffers thus cost few tests, and the workgroups in between almost none.

use std::mem::offset_of;

use crate::Result;
use crate::abi::Ctx;
use crate::codegen::Gen;
use crate::codegen::proven::MOST_IN_RUN;
use crate::ir::{BuiltIn, Imm, Stage, Ty};
use crate::lane::{ICmp, Lane};

/// Stack offset of the number of workgroups to try, after the state of the current workgroup.
const TRY: i32 = 28;

impl Gen<'_, '_, '_> {
    /// Returns true if the shader reads GlobalInvocationId.x, and nothing that depends on the workgroup's position in
    /// x.
    pub(super) fn has_runs(&mut self) -> bool {
        let (mut alone, mut numbered) = (true, false);
        for i in self.insts.iter() {
            use BuiltIn::*;
            if let Imm::BuiltIn(b, c) = i.imm {
                numbered |= (b, c) == (GlobalInvocationId, 0);
                alone &= !matches!(
                    (b, c),
                    (WorkgroupId | LocalInvocationId, 0) | (LocalInvocationIndex | SubgroupId, _)
                );
            }
        }
        let nothing_kept = self.shader.shared_size == 0 && self.frame_bytes == 0;
        self.shader.stage == Stage::Compute && numbered && alone && nothing_kept && self.is_provable()
    }

    fn most_in_run(&mut self) -> Lane {
        self.b.u32(MOST_IN_RUN / self.shader.local_size[0].max(1))
    }

    /// Initializes the number of workgroups to try, before the first workgroup.
    pub(super) fn prepare_runs(&mut self, at: Lane) {
        let most = self.most_in_run();
        self.b.store(most, at, TRY);
    }

    /// Runs the current workgroup and as many after it as the test allows; steps to the last of them.
    pub(super) fn run_of_workgroups(&mut self, at: Lane, n_groups: u32) -> Result<()> {
        let attempt = self.block();
        self.jump(attempt);
        self.b.go_on_in(attempt);
        let (x, left) = (self.b.load(Ty::I32, at, 0), self.b.load(Ty::I32, at, 12));
        let in_row = self.load_ctx(Ty::I32, offset_of!(Ctx, num_workgroups));
        let in_row = self.b.isub(in_row, x);
        let n = self.b.umin(left, in_row);
        let tried = self.b.load(Ty::I32, at, TRY);
        let n = self.b.umin(n, tried);
        let (one, size) = (self.b.u32(1), self.b.u32(self.shader.local_size[0].max(1)));
        let n = self.b.umax(n, one);
        let invocations = self.b.imul(n, size);
        let last = self.b.isub(invocations, one);
        self.proven.last = Some(self.b.u32_to_i64(last));
        let ok = self.prove();
        self.proven.last = None;
        let Some(ok) = ok else {
            self.b.seal(attempt);
            return self.groups(n_groups);
        };
        let (fast, fails, halve, slow, done) =
            (self.block(), self.block(), self.block(), self.block(), self.block());
        self.branch(ok, fast, fails);
        self.b.set_cold(fails);
        self.start_sealed(fails);
        let several = self.b.icmp(ICmp::Ugt, n, one);
        self.branch(several, halve, slow);
        self.b.set_cold(halve);
        self.start_sealed(halve);
        let half = self.b.ushr(n, one);
        self.b.store(half, at, TRY);
        self.jump(attempt);
        self.b.seal(attempt);

        self.start_sealed(fast);
        let twice = self.b.shl(n, one);
        let most = self.most_in_run();
        let next = self.b.umin(twice, most);
        self.b.store(next, at, TRY);
        self.proven.on = true;
        self.groups_of_run(invocations, n_groups)?;
        self.proven.on = false;
        // The caller steps over the last workgroup, as over any other.
        let before = self.b.isub(n, one);
        let (x, left) = (self.b.iadd(x, before), self.b.isub(left, before));
        self.b.store(x, at, 0);
        self.b.store(left, at, 12);
        self.jump(done);

        self.start_sealed(slow);
        self.groups(n_groups)?;
        self.jump(done);
        self.start_sealed(done);
        Ok(())
    }

    /// Emits one loop over the groups of several workgroups; if they are short, an iteration runs those of one
    /// workgroup.
    fn groups_of_run(&mut self, invocations: Lane, n_groups: u32) -> Result<()> {
        let (size, s) = (self.shader.local_size[0].max(1), self.b.lanes());
        let in_turn = if self.proven.is_tiny() && n_groups <= 8 { n_groups } else { 1 };
        let size = self.b.u32(size);
        let first = self.b.imul(self.env.compute.workgroup[0], size);
        let end = self.b.iadd(first, invocations);
        let at = self.b.declare(Ty::I32, true);
        self.b.set(&at, first);
        let (head, done) = (self.block(), self.block());
        self.jump(head);
        self.b.go_on_in(head);
        self.env.unit = self.b.u32(0);
        for k in 0..in_turn {
            let (first, before) = (self.b.get(&at), self.b.u32(k * s));
            self.env.compute.in_run = Some(self.b.iadd(first, before));
            self.group_of_invocations()?;
        }
        self.env.compute.in_run = None;
        let (v, step) = (self.b.get(&at), self.b.u32(in_turn * s));
        let next = self.b.iadd(v, step);
        self.b.set(&at, next);
        let more = self.b.icmp(ICmp::Ne, next, end);
        self.branch(more, head, done);
        self.b.seal(head);
        self.start_sealed(done);
        self.b.release(at);
        Ok(())
    }
}
