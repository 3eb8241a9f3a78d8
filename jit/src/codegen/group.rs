//! Operations across the lanes of a group.

use super::Gen;
use crate::ir::operand::Reduction;
use crate::ir::{GroupOp, Imm, Inst, Op, Ty};
use crate::lane::{ICmp, Lane};
use crate::ops::identity;
use crate::runtime::{abort_rows, print_rows};
use crate::{Error, Result};

impl Gen<'_, '_, '_> {
    /// Difference within the quad; 0 if one of the lanes that it needs is inactive.
    pub(super) fn derivative(&mut self, op: Op, v: Lane) -> Lane {
        let ty = self.b.ty(v);
        let zero = self.b.bits(ty, 0);
        if self.b.is_uniform(v) {
            // The difference is still NaN if the value is.
            let d = crate::ops::lower(self.b, Op::FSub, ty, &[v, v]);
            if self.b.as_const(d) == Some(0) {
                return d;
            }
        }
        let (to, from) = match op {
            Op::DdxFine => ([1, 1, 3, 3], [0, 0, 2, 2]),
            Op::DdyFine => ([2, 3, 2, 3], [0, 1, 0, 1]),
            Op::DdxCoarse => ([1; 4], [0; 4]),
            _ => ([2; 4], [0; 4]),
        };
        let (a, b) = (self.b.quad_swizzle(v, to), self.b.quad_swizzle(v, from));
        let d = crate::ops::lower(self.b, Op::FSub, ty, &[a, b]);
        let m = self.mask();
        if self.b.as_const(m) == Some(1) {
            return d;
        }
        let (x, y) = (self.b.quad_swizzle(m, to), self.b.quad_swizzle(m, from));
        let ok = self.b.and(x, y);
        self.b.select(ok, d, zero)
    }

    /// Prints the arguments of each active invocation, or passes part of the message of the first one that aborts; the
    /// last part leaves the function.
    pub(super) fn message(&mut self, i: &Inst) -> Result<()> {
        // The tables keep the operand alive as long as the code.
        match self.tables.messages.iter().find(|kept| **kept == i.imm) {
            Some(Imm::Printf(format)) => {
                let format = self.b.ptr(std::sync::Arc::as_ptr(format));
                self.pass_rows(i, print_rows as *const u8, format)?;
            }
            Some(Imm::Abort(part)) => {
                let at = self.b.ptr(std::sync::Arc::as_ptr(part));
                let lanes = self.pass_rows(i, abort_rows as *const u8, at)?;
                if matches!(**part, crate::abort::Part::Last(_)) {
                    let on = self.block();
                    let stopped = self.flow.stopped;
                    self.branch(lanes, stopped, on);
                    self.start_sealed(on);
                }
            }
            _ => return Err(Error::Internal("a message missing from the tables".into())),
        }
        Ok(())
    }

    /// Calls a routine with `what` and the arguments of each active invocation, in one row in memory per argument.
    /// Returns the bits of the invocations, which are not helper invocations.
    fn pass_rows(&mut self, i: &Inst, routine: *const u8, what: Lane) -> Result<Lane> {
        let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
        let (s, mask) = (self.b.lanes(), self.store_mask());
        let mark = self.b.mark_temporaries();
        let rows = self.b.temporary(8 * s * args.len().max(1) as u32);
        for (k, v) in args.into_iter().enumerate() {
            let at = (8 * s) as i32 * k as i32;
            let w = self.b.to_word(v);
            let w = self.b.splat(w);
            self.b.store_row(w, rows, at);
        }
        let f = self.b.ptr(routine);
        let bits = self.b.mask_bits(mask);
        let wide = self.b.u32_to_i64(bits);
        let lanes = self.b.i64(i64::from(s));
        self.b.call_values(f, &[what, rows, wide, lanes], None);
        self.b.release_temporaries(mark);
        Ok(bits)
    }

    pub(super) fn read_clock(&mut self, i: &Inst) -> Result<()> {
        let f = self.b.ptr(crate::runtime::read_clock as *const u8);
        let zero = self.b.i64(0);
        let now = self.b.call_values(f, &[zero], Some(Ty::I64)).unwrap_or(zero);
        self.def(i.results[0], now);
        Ok(())
    }

    pub(super) fn group(&mut self, i: &Inst) -> Result<()> {
        let op = match &i.imm {
            Imm::Group(op) => *op,
            Imm::Matrix(op) => return self.matrix(i, *op),
            _ => return Err(Error::Internal("malformed group operation".into())),
        };
        let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
        let mask = self.mask();
        let s = self.b.lanes();
        let bits = self.b.mask_bits(mask);
        let v = match op {
            GroupOp::Elect => self.elect(bits),
            GroupOp::All => {
                let off = self.b.not(mask);
                let v = self.b.or(args[0], off);
                self.b.all(v)
            }
            GroupOp::Any | GroupOp::Anywhere => {
                let v = self.b.and(args[0], mask);
                self.b.any(v)
            }
            GroupOp::AllEqual => self.all_equal(args[0], mask, bits),
            GroupOp::BroadcastFirst => self.first_active(args[0], bits),
            GroupOp::Broadcast | GroupOp::Shuffle => self.shuffle(args[0], args[1], mask),
            GroupOp::ShuffleXor | GroupOp::ShuffleUp | GroupOp::ShuffleDown => {
                let lane = self.b.lane_index();
                let lane = self.b.splat(lane);
                let from = match op {
                    GroupOp::ShuffleXor => self.b.xor(lane, args[1]),
                    GroupOp::ShuffleUp => self.b.isub(lane, args[1]),
                    _ => self.b.iadd(lane, args[1]),
                };
                self.shuffle(args[0], from, mask)
            }
            GroupOp::QuadBroadcast => {
                let from = self.in_quad(args[1]);
                self.shuffle(args[0], from, mask)
            }
            GroupOp::QuadSwap(how) => self.quad_swap(args[0], how, mask),
            GroupOp::Partition => self.partition(args[0], mask),
            GroupOp::Masked(r) => self.masked(args[0], args[1], mask, r),
            GroupOp::Ballot => {
                let m = self.b.and(args[0], mask);
                let b = self.b.mask_bits(m);
                let zero = self.b.u32(0);
                for (k, &r) in i.results.iter().enumerate() {
                    self.def(r, if k == 0 { b } else { zero });
                }
                return Ok(());
            }
            GroupOp::Reduce(r) => {
                let all = self.reduce(args[0], mask, r, s);
                self.b.extract(all, 0)
            }
            GroupOp::Clustered(r, n) => self.reduce(args[0], mask, r, n.clamp(1, s)),
            GroupOp::InclusiveScan(r) => self.scan(args[0], mask, r, true),
            GroupOp::ExclusiveScan(r) => self.scan(args[0], mask, r, false),
        };
        self.def(i.results[0], v);
        Ok(())
    }

    /// True in the first active lane.
    fn elect(&mut self, active: Lane) -> Lane {
        let first = self.b.lowest_bit(active);
        let lane = self.b.lane_index();
        let lane = self.b.splat(lane);
        self.b.icmp(ICmp::Eq, lane, first)
    }

    /// True if the value is the same in all active lanes.
    fn all_equal(&mut self, v: Lane, mask: Lane, active: Lane) -> Lane {
        let first = self.first_active(v, active);
        let same = self.equal(v, first);
        let off = self.b.not(mask);
        let v = self.b.or(same, off);
        self.b.all(v)
    }

    /// The value of the neighbour in the quad: to the side, above or below, or across; 0 if that is inactive.
    fn quad_swap(&mut self, v: Lane, how: u32, mask: Lane) -> Lane {
        let ty = self.b.ty(v);
        let zero = self.b.bits(ty, 0);
        let here = self.b.select(mask, v, zero);
        let here = self.b.splat(here);
        let x = how as u8 + 1;
        self.b.quad_swizzle(here, [x, 1 ^ x, 2 ^ x, 3 ^ x])
    }

    /// Lane `k` modulo 4 of the quad of each lane.
    fn in_quad(&mut self, k: Lane) -> Lane {
        let lane = self.b.lane_index();
        let lane = self.b.splat(lane);
        let (three, not3) = (self.b.u32(3), self.b.u32(!3));
        let quad = self.b.and(lane, not3);
        let k = self.b.and(k, three);
        self.b.or(quad, k)
    }

    fn equal(&mut self, a: Lane, b: Lane) -> Lane {
        match self.b.ty(a) {
            Ty::Bool => {
                let x = self.b.xor(a, b);
                self.b.not(x)
            }
            t if t.is_float() => self.b.fcmp(crate::lane::FCmp::OrdEq, a, b),
            _ => self.b.icmp(ICmp::Eq, a, b),
        }
    }

    pub(super) fn first_active(&mut self, v: Lane, bits: Lane) -> Lane {
        if self.b.is_uniform(v) {
            return v;
        }
        let lane = self.b.lowest_bit(bits);
        self.b.extract_dynamic(v, lane)
    }

    /// The value of lane `from` (chosen per lane); 0 if that lane is inactive or does not exist.
    fn shuffle(&mut self, v: Lane, from: Lane, mask: Lane) -> Lane {
        let s = self.b.lanes();
        let n = self.b.u32(s);
        let ty = self.b.ty(v);
        let zero = self.b.bits(ty, 0);
        // Inactive lanes read as zero.
        let here = self.b.select(mask, v, zero);
        let here = self.b.splat(here);
        let ok = self.b.icmp(ICmp::Ult, from, n);
        let z = self.b.u32(0);
        let safe = self.b.select(ok, from, z);
        let got = if self.b.is_uniform(safe) {
            self.b.extract_dynamic(here, safe)
        } else {
            self.b.pick_lanes(here, safe)
        };
        self.b.select(ok, got, zero)
    }

    /// For each lane: a mask of the active lanes with the same value.
    fn partition(&mut self, v: Lane, mask: Lane) -> Lane {
        let active = self.b.mask_bits(mask);
        if self.b.is_uniform(v) {
            // NaN differs from itself, but a lane always belongs to its own set.
            let same = self.equal(v, v);
            let own = self.lane_bit();
            return self.b.select(same, active, own);
        }
        let zero = self.b.u32(0);
        let mut out = self.lane_bit();
        for k in 0..self.b.lanes() {
            let x = self.b.extract(v, k);
            let same = self.equal(v, x);
            let bit = self.b.u32(1 << k);
            let bit = self.b.and(active, bit);
            let bit = self.b.select(same, bit, zero);
            out = self.b.or(out, bit);
        }
        out
    }

    /// For each lane: a mask with the bit of that lane.
    fn lane_bit(&mut self) -> Lane {
        let bits: Vec<u32> = (0..self.b.lanes()).map(|l| 1 << l).collect();
        self.b.row_const(Ty::I32, &bits)
    }

    /// Reduction over those active lanes that are in each lane's own mask, in ascending order, from the identity.
    fn masked(&mut self, v: Lane, lanes: Lane, mask: Lane, r: Reduction) -> Lane {
        let ty = self.b.ty(v);
        let identity = self.b.bits(ty, identity(r, ty));
        let v = self.b.select(mask, v, identity);
        let v = self.b.splat(v);
        let lanes = self.b.splat(lanes);
        if crate::lane::is_wide(ty) {
            return self.masked_by_helper(v, lanes, r, ty);
        }
        let zero = self.b.u32(0);
        let mut acc = identity;
        for k in 0..self.b.lanes() {
            let x = self.b.extract(v, k);
            let bit = self.b.u32(1 << k);
            let bit = self.b.and(lanes, bit);
            let takes = self.b.icmp(ICmp::Ne, bit, zero);
            let x = self.b.select(takes, x, identity);
            acc = crate::ops::lower(self.b, r.op(), ty, &[acc, x]);
        }
        self.b.splat(acc)
    }

    /// As [`Self::masked`], for 64-bit types, whose inline code would be long. In inactive lanes `v` holds the
    /// identity.
    fn masked_by_helper(&mut self, v: Lane, lanes: Lane, r: Reduction, ty: Ty) -> Lane {
        let mark = self.b.mark_temporaries();
        let (rows, lanes) = (self.b.spill(v), self.b.spill(lanes));
        let f = self.b.ptr(crate::runtime::masked_rows as *const u8);
        let form = u64::from(self.b.lanes()) << 16 | (r as u64) << 8 | u64::from(ty == Ty::F64);
        let form = self.b.i64(form as i64);
        self.b.call_values(f, &[rows, lanes, form], None);
        let out = self.b.load_row(ty, rows, 0);
        self.b.release_temporaries(mark);
        out
    }

    /// Scans the lanes in ascending order, from the identity.
    fn scan(&mut self, v: Lane, mask: Lane, r: Reduction, inclusive: bool) -> Lane {
        let ty = self.b.ty(v);
        let identity = self.b.bits(ty, identity(r, ty));
        let v = self.b.select(mask, v, identity);
        let v = self.b.splat(v);
        let mut out = Vec::with_capacity(self.b.lanes() as usize);
        let mut acc = identity;
        for l in 0..self.b.lanes() {
            let x = self.b.extract(v, l);
            let next = crate::ops::lower(self.b, r.op(), ty, &[acc, x]);
            out.push(if inclusive { next } else { acc });
            acc = next;
        }
        self.b.from_lanes(ty, &out)
    }

    /// Reduces clusters of lanes. First combines lanes at the same position in all quads, in ascending order; then
    /// lanes (0, 1) and (2, 3) of the resulting quad; then both halves.
    fn reduce(&mut self, v: Lane, mask: Lane, r: Reduction, cluster: u32) -> Lane {
        let ty = self.b.ty(v);
        let identity = self.b.bits(ty, identity(r, ty));
        let v = self.b.select(mask, v, identity);
        let v = self.b.splat(v);
        let combine = |g: &mut Self, a: Lane, b: Lane| crate::ops::lower(g.b, r.op(), ty, &[a, b]);
        if crate::lane::is_wide(ty) {
            return self.reduce_scalars(v, identity, r, cluster);
        }
        // Number of quads in a cluster; each quad of the cluster computes the result.
        let quads = (cluster / 4).max(1) as u8;
        let n = (self.b.lanes() / 4) as u8;
        let mut acc = identity;
        for j in 0..quads {
            let quad = if n == 1 || quads == 1 {
                v
            } else {
                let from: Vec<(u8, u8)> = (0..n).map(|i| (i / quads * quads + j, 0)).collect();
                self.b.shuffle_quads(v, v, &from, &vec![[0, 1, 2, 3]; n as usize])
            };
            acc = combine(self, acc, quad);
        }
        if cluster >= 2 {
            let other = self.b.quad_swizzle(acc, [1, 0, 3, 2]);
            acc = combine(self, acc, other);
        }
        if cluster >= 4 {
            let other = self.b.quad_swizzle(acc, [2, 3, 0, 1]);
            acc = combine(self, acc, other);
        }
        // The sign of zero and NaN payloads may depend on the order, so all lanes take the result of the first lane.
        match cluster {
            1 => acc,
            2 => self.b.quad_swizzle(acc, [0, 0, 2, 2]),
            _ => self.b.quad_swizzle(acc, [0; 4]),
        }
    }

    /// As [`Self::reduce`], for 64-bit types.
    fn reduce_scalars(&mut self, v: Lane, identity: Lane, r: Reduction, cluster: u32) -> Lane {
        let (s, ty) = (self.b.lanes(), self.b.ty(v));
        let mut out = Vec::with_capacity(s as usize);
        for start in (0..s).step_by(cluster as usize) {
            let mut columns = Vec::new();
            for k in 0..cluster.min(4) {
                let mut acc = identity;
                for l in (start + k..start + cluster).step_by(4) {
                    let x = self.b.extract(v, l);
                    acc = crate::ops::lower(self.b, r.op(), ty, &[acc, x]);
                }
                columns.push(acc);
            }
            while columns.len() > 1 {
                columns = columns.chunks(2).map(|c| crate::ops::lower(self.b, r.op(), ty, c)).collect();
            }
            out.resize(out.len() + cluster as usize, columns[0]);
        }
        self.b.from_lanes(ty, &out)
    }
}
