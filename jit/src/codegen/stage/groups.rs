//! The groups of a workgroup or a patch, run one after another, or from barrier to barrier.
//!
//! At a barrier a group writes the values that it still needs ([`crate::codegen::barrier`] finds them) to its frame and
//! yields. When all groups have arrived, each is re-entered and reads the values back.

use super::invocations;
use crate::codegen::{Gen, Level};
use crate::ir::{Region, Shader, Ty};
use crate::lane::{Block, ICmp, Lane, LaneVar};
use crate::{Error, Result};

/// State of groups with barriers.
pub(super) struct Resume {
    /// Blocks to resume at, in barrier order.
    points: Vec<Block>,
    /// Block that a waiting group jumps to.
    wait: Block,
    /// Byte offset of the saved values in the frame.
    kept_at: u32,
    kept_bytes: u32,
    /// Resume points of barriers in code that never runs.
    left_out: Vec<Block>,
}

/// Sizes of the frames of groups that wait for each other, in bytes.
struct Frames {
    /// Distance between the frames of two groups.
    stride: u32,
    /// Offset of the saved values in a frame.
    kept_at: u32,
    /// Room for the saved values.
    kept_most: usize,
}

impl<'s> Gen<'_, '_, 's> {
    /// Sets the mask of a partly filled last group.
    fn start_mask(&mut self) {
        if self.flow.full {
            return;
        }
        let s = self.b.lanes();
        let n = self.b.u32(invocations(self.shader));
        let k = self.b.u32(s);
        let base = self.b.imul(self.env.unit, k);
        let lane = self.b.lane_index();
        let i = self.b.iadd(base, lane);
        let i = self.b.splat(i);
        let m = self.b.icmp(ICmp::Ult, i, n);
        self.set_mask(m);
    }

    /// Runs the groups of a workgroup without barriers.
    pub(super) fn groups(&mut self, n_groups: u32) -> Result<()> {
        let (zero, n) = (self.b.u32(0), self.b.u32(n_groups));
        if n_groups == 1 {
            self.env.unit = zero;
            return self.group_of_invocations();
        }
        if self.proven.on && self.proven.is_tiny() && n_groups <= 8 {
            for k in 0..n_groups {
                self.env.unit = self.b.u32(k);
                self.group_of_invocations()?;
            }
            return Ok(());
        }
        // There is at least one group, so the test is at the end of the loop.
        let g = self.b.declare(Ty::I32, true);
        self.b.set(&g, zero);
        let (head, done) = (self.block(), self.block());
        self.jump(head);
        self.b.go_on_in(head);
        self.env.unit = self.b.get(&g);
        self.group_of_invocations()?;
        let (i, one) = (self.b.get(&g), self.b.u32(1));
        let next = self.b.iadd(i, one);
        self.b.set(&g, next);
        let more = self.b.icmp(ICmp::Ult, next, n);
        self.branch(more, head, done);
        self.b.seal(head);
        self.start_sealed(done);
        Ok(())
    }

    pub(super) fn group_of_invocations(&mut self) -> Result<()> {
        self.flow.group_end = self.block();
        // No lane of this group has left yet.
        self.flow.missing = vec![false];
        self.flow.some = false;
        self.start_mask();
        self.zero_frame();
        self.emit_level(Level::Group)?;
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        Ok(())
    }

    /// Runs all groups from barrier to barrier. The first word of a group's frame holds its state: 0 at the start, k at
    /// barrier k, all ones when it is done.
    pub(super) fn groups_with_barriers(&mut self, n_groups: u32) -> Result<()> {
        let done_mark = u32::MAX;
        let n_points = self.barriers.live.len();
        // Space for the values saved at any barrier; grows while the body is emitted.
        let points: Vec<_> = (0..n_points).map(|_| self.block()).collect();
        let wait = self.block();
        let frames = self.env.frame;
        let Frames { stride, kept_at, kept_most } = self.frames_of_groups(n_groups)?;
        self.env.resume =
            Some(Resume { points: points.clone(), wait, kept_at, kept_bytes: 0, left_out: Vec::new() });

        let (zero, n) = (self.b.u32(0), self.b.u32(n_groups));
        let (g, h, x) = self.open_units(zero, n);
        let i = self.b.get(&g);
        let frame = self.b.index(frames, i, stride);
        self.b.store(zero, frame, 0);
        self.close_units(&g, h, 1);
        self.start_sealed(x);

        let (phase, all_done) = (self.block(), self.block());
        let waiting = self.b.declare(Ty::I32, true);
        self.jump(phase);
        self.b.go_on_in(phase);
        self.poll_stop();
        self.b.set(&waiting, zero);
        let (g, ghead, gdone) = self.open_units(zero, n);
        self.env.unit = self.b.get(&g);
        let latch = self.block();
        let unit_frame = self.b.index(frames, self.env.unit, stride);
        self.env.frame = self.b.offset(unit_frame, 64);
        self.start_mask();
        if self.flow.full {
            let yes = self.b.bool(true);
            self.set_mask(yes);
        }
        self.emit_level(Level::Group)?;
        let state = self.b.load(Ty::I32, unit_frame, 0);
        self.dispatch_on(state, &points, latch);
        self.zero_frame();
        let shader: &'s Shader = self.shader;
        self.body(&shader.body)?;
        let end = self.flow.group_end;
        self.start_sealed(end);
        let mark = self.b.u32(done_mark);
        self.b.store(mark, unit_frame, 0);
        self.jump(latch);
        for point in self.env.resume.as_mut().map(|r| std::mem::take(&mut r.left_out)).unwrap_or_default() {
            self.start_sealed(point);
            self.jump(latch);
        }
        self.start_sealed(wait);
        let one = self.b.u32(1);
        self.b.set(&waiting, one);
        self.jump(latch);
        self.start_sealed(latch);
        self.close_units(&g, ghead, 1);
        self.start_sealed(gdone);
        let w = self.b.get(&waiting);
        let again = self.b.icmp(ICmp::Ne, w, zero);
        self.branch(again, phase, all_done);
        self.b.seal(phase);
        self.start_sealed(all_done);
        let used = self.env.resume.as_ref().map_or(0, |r| r.kept_bytes) as usize;
        if used > kept_most {
            return Err(Error::Limit("constructs open at a barrier".into()));
        }
        Ok(())
    }

    /// Sizes of the frames of groups that wait for each other. Adds the frames to the scratch memory of the call.
    fn frames_of_groups(&mut self, n_groups: u32) -> Result<Frames> {
        let kept_at = 64 + self.frame_bytes.next_multiple_of(64);
        let bytes = |ty: Ty| self.b.row_bytes(ty).max(8).next_multiple_of(self.b.vector_bytes()) as usize;
        // The saved values never exceed all values kept anywhere, what the open constructs hold and the mask.
        let open = crate::codegen::barrier::most_open(&self.shader.body).unwrap_or_default();
        let kept = self.barriers.kept.iter().map(|v| bytes(self.shader.ty(*v))).sum::<usize>();
        let kept_most = kept + (open + 1) * bytes(Ty::I64);
        let stride = (kept_at as usize + kept_most).next_multiple_of(64);
        self.scratch += stride * n_groups as usize;
        if self.scratch > 256 << 20 {
            return Err(Error::Limit(format!(
                "{} bytes of frames for lane groups that wait for each other",
                self.scratch
            )));
        }
        Ok(Frames { stride: stride as u32, kept_at, kept_most })
    }

    /// Continues a group at the barrier that its state numbers, or in a new block for state 0. A group that is done
    /// goes to `latch`.
    fn dispatch_on(&mut self, state: Lane, points: &[Block], latch: Block) {
        let start = self.block();
        let mut next = self.block();
        self.b.if_to(state, 0, start, next);
        for (k, &point) in points.iter().enumerate() {
            self.start_sealed(next);
            next = self.block();
            self.b.if_to(state, k as u32 + 1, point, next);
        }
        self.start_sealed(next);
        self.jump(latch);
        self.start_sealed(start);
    }

    /// Skips the numbers of the barriers in a region that is not emitted; no group waits at them.
    pub(in crate::codegen) fn skip_barriers(&mut self, region: &Region) {
        let n = crate::codegen::barrier::count(region);
        let skipped = self.barriers.next..self.barriers.next + n;
        self.barriers.next += n;
        if let Some(r) = &mut self.env.resume {
            r.left_out.extend_from_slice(&r.points[skipped]);
        }
    }

    /// Yields to the other groups of the workgroup; emission continues in a new block.
    pub(in crate::codegen) fn control_barrier(&mut self) -> Result<()> {
        let k = self.barriers.next;
        self.barriers.next += 1;
        let Some(resume) = &self.env.resume else {
            // There is no other group to wait for: the workgroup is one group, or the stage has no barriers between
            // groups.
            if !self.shader.stage.has_workgroups() {
                self.b.fence();
            }
            return Ok(());
        };
        let (point, wait, kept_at) = (resume.points[k], resume.wait, resume.kept_at);
        let mut vars: Vec<LaneVar> = Vec::new();
        for v in self.barriers.live[k].clone() {
            if let Some(var) = self.backed.get(&v) {
                vars.push(var.clone());
            }
        }
        vars.extend(self.flow.state.iter().cloned());
        vars.push(self.flow.mask.clone());
        if self.flow.full && !self.flow.missing.iter().any(|&m| m) {
            vars.pop();
        }
        let unit_frame = self.b.offset(self.env.frame, -64);
        let mut at = kept_at as i32;
        let mut places = Vec::new();
        for var in &vars {
            let v = self.b.get(var);
            at = (at as u32).next_multiple_of(self.b.vector_bytes()) as i32;
            if var.is_uniform() {
                self.b.store(v, unit_frame, at);
                places.push(at);
                at += 8;
            } else {
                self.b.store_row(v, unit_frame, at);
                places.push(at);
                at += self.b.row_bytes(var.ty()) as i32;
            }
        }
        let state = self.b.u32(k as u32 + 1);
        self.b.store(state, unit_frame, 0);
        self.jump(wait);
        if let Some(r) = &mut self.env.resume {
            r.kept_bytes = r.kept_bytes.max(at as u32 - kept_at);
        }
        self.start_sealed(point);
        let unit_frame = self.b.offset(self.env.frame, -64);
        for (var, &at) in vars.iter().zip(&places) {
            let v = if var.is_uniform() {
                self.b.load(var.ty(), unit_frame, at)
            } else {
                self.b.load_row(var.ty(), unit_frame, at)
            };
            self.b.set(var, v);
        }
        Ok(())
    }
}
