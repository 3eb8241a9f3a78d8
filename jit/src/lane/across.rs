//! Operations across the lanes of a group: masks as bits, single lanes, swizzles.

use cranelift_codegen::ir::{Inst, InstBuilder, InstructionData, Opcode, Value, types};
use quadrille_wide::intrinsics::Intrinsic;
use smallvec::SmallVec;

use super::{ICmp, Lane, LaneBuilder, Parts, Vecs, is_wide, shape};
use crate::ir::Ty;

/// Number of lanes in a 32-bit mask.
const MASK_LANES: u32 = 32;

impl LaneBuilder<'_> {
    /// Uniform Bool: true if the mask is true in any lane.
    pub fn any(&mut self, mask: Lane) -> Lane {
        if self.is_uniform(mask) {
            return mask;
        }
        let v = self.vecs(mask);
        let mut all = v[0];
        for &x in &v[1..] {
            all = self.fb.ins().bor(all, x);
        }
        let r = self.fb.ins().vany_true(all);
        self.push(Ty::Bool, Parts::Uniform(r))
    }

    /// Uniform Bool: true if the mask is true in all lanes.
    pub fn all(&mut self, mask: Lane) -> Lane {
        if self.is_uniform(mask) {
            return mask;
        }
        let v = self.vecs(mask);
        let mut all = v[0];
        for &x in &v[1..] {
            all = self.fb.ins().band(all, x);
        }
        let r = self.fb.ins().vall_true(all);
        self.push(Ty::Bool, Parts::Uniform(r))
    }

    /// Number of parts of a group, each of which fits in a 32-bit mask; see [`Self::part_of`].
    pub(crate) fn parts(&self) -> u32 {
        self.lanes().div_ceil(MASK_LANES)
    }

    /// A part of a value; only for [`Self::store_row`], [`Self::spill`] and [`Self::mask_bits`].
    pub(crate) fn part_of(&mut self, l: Lane, k: u32) -> Lane {
        if self.parts() == 1 || self.as_const(l).is_some() {
            return l;
        }
        let (ty, v) = (self.ty(l), self.vecs(l));
        let n = v.len() / self.parts() as usize;
        self.push(ty, Parts::Varying(v[n * k as usize..][..n].into()))
    }

    /// Uniform I32: bit i is the Bool of lane i. In a group, or a part of one, with more than 32 lanes: the first 32.
    pub fn mask_bits(&mut self, mask: Lane) -> Lane {
        if let Some(known) = self.as_const(mask) {
            let all = u32::MAX >> (MASK_LANES - self.lanes().min(MASK_LANES));
            return self.u32(if known == 0 { 0 } else { all });
        }
        let (v, per) = (self.vecs(mask), self.per_vec(Ty::Bool));
        let mut bits = None;
        for (i, x) in v.into_iter().enumerate().take((MASK_LANES / per) as usize) {
            let b = self.fb.ins().vhigh_bits(types::I32, x);
            bits = Some(match bits {
                None => b,
                Some(acc) => {
                    let b = self.fb.ins().ishl_imm_u(b, i64::from(per) * i as i64);
                    self.fb.ins().bor(acc, b)
                }
            });
        }
        self.push(Ty::I32, Parts::Uniform(bits.expect("at least one vector")))
    }

    /// Varying Bool: true in lane i if bit i of the uniform I32 is set.
    pub fn mask_from_bits(&mut self, bits: Lane) -> Lane {
        if self.is_wide_code() {
            let (b, per, vt) = (self.scalar(bits), self.per_vec(Ty::Bool), self.vector_type(Ty::Bool));
            let v = (0..self.n_vecs(Ty::Bool) as i64)
                .map(|i| {
                    let b = if i == 0 { b } else { self.fb.ins().ushr_imm_u(b, i64::from(per) * i) };
                    self.intrinsic(Intrinsic::MaskFromBits, &[b], vt)
                })
                .collect();
            return self.push(Ty::Bool, Parts::Varying(v));
        }
        let all = self.splat(bits);
        let words: Vec<u32> = (0..self.lanes()).map(|i| 1 << i).collect();
        let bit = self.row_const(Ty::I32, &words);
        let set = self.and(all, bit);
        self.icmp(ICmp::Eq, set, bit)
    }

    /// Uniform: lane `i` of a value.
    pub fn extract(&mut self, a: Lane, i: u32) -> Lane {
        let ty = self.ty(a);
        if self.is_uniform(a) {
            return a;
        }
        if let (&Parts::Affine { base, .. }, 0) = (&self.repr(a).parts, i) {
            let known = self.fb.func.dfg.value_def(base).inst().and_then(|i| self.constant_of(i));
            return self.push(ty, known.map_or(Parts::Uniform(base), Parts::Const));
        }
        let per = self.per_vec(ty);
        let v = self.vecs(a)[(i / per) as usize];
        let mut x = self.fb.ins().extractlane(v, (i % per) as u8);
        if ty == Ty::Bool {
            x = self.fb.ins().band_imm_u(x, 1);
            x = self.fb.ins().ireduce(types::I8, x);
        }
        self.push(ty, Parts::Uniform(x))
    }

    /// The bits of an I32 constant.
    fn constant_of(&self, i: Inst) -> Option<u64> {
        match self.fb.func.dfg.insts[i] {
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => Some(u64::from(imm.bits() as u32)),
            _ => None,
        }
    }

    /// In each quad (four lanes), lane k takes the value of lane `pick[k]`. 32-bit types.
    pub fn quad_swizzle(&mut self, a: Lane, pick: [u8; 4]) -> Lane {
        let ty = self.ty(a);
        if self.is_uniform(a) {
            return a;
        }
        if is_wide(ty) {
            let s = self.lane_scalars(a);
            let r: Vec<Value> = (0..s.len()).map(|i| s[i / 4 * 4 + pick[i % 4] as usize]).collect();
            return self.from_scalars(ty, &r);
        }
        let v = self.vecs(a).into_iter().map(|v| self.shuffle32(v, v, pick)).collect();
        self.push(ty, Parts::Varying(v))
    }

    /// Builds a 32-bit row by selecting words: lane k of quad i of the result is word `picks[i][k]` of quad `from[i].0`
    /// of `a` (0..4) and quad `from[i].1` of `b` (4..8). Used for transposes between quad order and row order.
    pub fn shuffle_quads(&mut self, a: Lane, b: Lane, from: &[(u8, u8)], picks: &[[u8; 4]]) -> Lane {
        let ty = self.ty(a);
        let in_place = from.iter().enumerate().all(|(i, &(x, y))| usize::from(x) == i && x == y);
        if in_place && picks.iter().all(|p| *p == picks[0]) {
            let (a, b) = (self.vecs(a), self.vecs(b));
            let v = a.into_iter().zip(b).map(|(a, b)| self.shuffle32(a, b, picks[0])).collect();
            return self.push(ty, Parts::Varying(v));
        }
        if self.is_wide_code()
            && let Some(v) = self.permute_quads(a, b, from, picks)
        {
            return v;
        }
        let (va, vb) = (self.quads(a), self.quads(b));
        let v: shape::Quads = from
            .iter()
            .zip(picks)
            .map(|(&(x, y), &p)| self.shuffle32(va[x as usize], vb[y as usize], p))
            .collect();
        self.push_quads(ty, &v)
    }

    /// As [`Self::shuffle_quads`] if each vector of the result has its words from at most two vectors: a permutation for each.
    fn permute_quads(&mut self, a: Lane, b: Lane, from: &[(u8, u8)], picks: &[[u8; 4]]) -> Option<Lane> {
        let ty = self.ty(a);
        let per = self.per_vec(ty) as usize;
        // The vectors of both operands, and the number of the vector and of the word in it for each word of the result.
        let count = self.n_vecs(ty);
        let source = |(x, y): (u8, u8), word: u8| {
            let (quad, word, first) =
                if word < 4 { (x, word, 0) } else { (y, word - 4, if a == b { 0 } else { count }) };
            let lane = 4 * usize::from(quad) + usize::from(word);
            (first + lane / per, lane % per)
        };
        let words: Vec<_> =
            from.iter().zip(picks).flat_map(|(&f, p)| p.map(|word| source(f, word))).collect();
        let orders = words.chunks(per).map(|words| {
            let mut vectors: SmallVec<[usize; 2]> = words.iter().map(|word| word.0).collect();
            vectors.sort_unstable();
            vectors.dedup();
            let place = |&(vector, word): &(usize, usize)| {
                let behind = vectors.iter().position(|&v| v == vector)? * per;
                Some((behind + word) as u32)
            };
            let order: Vec<u32> = words.iter().map(place).collect::<Option<_>>()?;
            (vectors.len() <= 2).then_some((vectors, order))
        });
        let orders: Vec<_> = orders.collect::<Option<_>>()?;
        let (vt, vi) = (self.vector_type(ty), self.int_vector());
        let vectors: Vecs = self.vecs(a).into_iter().chain(self.vecs(b)).collect();
        let permuted = orders.into_iter().map(|(from, order)| {
            let order = self.vconst32(vi, &order);
            match from[..] {
                [one] => self.intrinsic(Intrinsic::Permute, &[vectors[one], order], vt),
                _ => self.intrinsic(Intrinsic::Permute2, &[vectors[from[0]], vectors[from[1]], order], vt),
            }
        });
        let permuted: Vecs = permuted.collect();
        Some(self.push(ty, Parts::Varying(permuted)))
    }
}
