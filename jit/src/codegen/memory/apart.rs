//! Loads from buffers at known distances from the first lane, where an index is split into a block and a place in it, as
//! quantized weights are: an offset that is made of quotients and remainders does not advance by a constant, but its
//! distances are known if the dividend of the first lane is a multiple of the divisor.
//!
//! The distances are guessed from the operations, and compared with the offsets before the loads. If one differs, or a lane is
//! out of range, the load is what it is without this module. Loads at distances are plain loads, which processors foresee;
//! gathers are not.

use smallvec::SmallVec;

use super::{Lanes, Shape};
use crate::codegen::{Buffer, Gen};
use crate::ir::{Imm, Op, Ty, Value};
use crate::lane::{ICmp, Lane};

/// Distance of each lane from the first.
type Distances = SmallVec<[i64; 16]>;

/// Deepest chain of operations that is followed.
const DEPTH: u32 = 8;
/// Most lanes of a group whose loads are changed.
const MOST_LANES: u32 = 16;
/// Greatest distance, in bytes.
const FAR: i64 = 1 << 20;

impl Gen<'_, '_, '_> {
    /// The distances of an offset that does not advance by a constant; `None` if they are unknown, or if the scalars are
    /// not loaded as words.
    pub(super) fn distances(&mut self, v: Value, offset: Lane, shape: Shape) -> Option<Vec<u32>> {
        let words = shape.as_loaded_words().is_some();
        let dense = matches!(shape.ty, Ty::I32 | Ty::F32) && (shape.n == 1 || shape.mem.stride == 4);
        let single = matches!(shape.ty, Ty::I16 | Ty::F16) && shape.n == 1;
        let fits = !shape.mem.ordered && (words || dense || single) && shape.n * shape.ty.bytes() <= 16;
        let apart = self.b.gathers(Ty::I32) && self.b.lanes() <= MOST_LANES && !self.b.is_uniform(offset);
        if !fits || !apart || self.b.as_checked_affine(offset).is_some() {
            return None;
        }
        let all = self.distances_of(v, DEPTH)?;
        all.into_iter().map(|d| u32::try_from(d).ok().filter(|_| d <= FAR)).collect()
    }

    /// Distances of a value if the first lane's dividends are multiples of their divisors.
    fn distances_of(&mut self, v: Value, depth: u32) -> Option<Distances> {
        let lanes = i64::from(self.b.lanes());
        let lane = self.val(v).ok()?;
        if self.b.is_uniform(lane) {
            return Some((0..lanes).map(|_| 0).collect());
        }
        if let Some((_, stride)) = self.b.as_affine(lane) {
            return Some((0..lanes).map(|l| l * i64::from(stride)).collect());
        }
        let i = self.ranges.def(v).filter(|_| depth > 0)?;
        if self.shader.ty(v) != Ty::I32 || i.args.iter().any(|&a| self.shader.ty(a) != Ty::I32) {
            return None;
        }
        let constant = |g: &Self, k: usize| i.args.get(k).and_then(|&a| g.ranges.bits(a));
        let power = |g: &Self| constant(g, 1).filter(|k| k.is_power_of_two() && *k <= FAR as u64);
        let mut of = |k: usize| self.distances_of(i.args[k], depth - 1);
        let each = |d: Distances, f: &dyn Fn(i64) -> i64| -> Distances { d.into_iter().map(f).collect() };
        let both = |a: Distances, b: Distances, f: &dyn Fn(i64, i64) -> i64| -> Distances {
            a.into_iter().zip(b).map(|(a, b)| f(a, b)).collect()
        };
        match (i.op, &i.imm) {
            (Op::IAdd, _) => Some(both(of(0)?, of(1)?, &i64::wrapping_add)),
            (Op::ISub, _) => Some(both(of(0)?, of(1)?, &i64::wrapping_sub)),
            (Op::Offset, Imm::Strides(strides)) => {
                let mut sum: Distances = (0..lanes).map(|_| 0).collect();
                for (k, &stride) in strides.iter().enumerate() {
                    sum = both(sum, of(k)?, &|a, b| a.wrapping_add(b.wrapping_mul(i64::from(stride))));
                }
                Some(sum)
            }
            (Op::IMul, _) => {
                let by = constant(self, 1).filter(|k| *k <= FAR as u64)?;
                Some(each(self.distances_of(i.args[0], depth - 1)?, &|a| a.wrapping_mul(by as i64)))
            }
            (Op::Shl | Op::ShrU, _) => {
                let by = constant(self, 1).filter(|k| *k < 32)?;
                let d = self.distances_of(i.args[0], depth - 1)?;
                Some(each(d, &|a| if i.op == Op::Shl { a.wrapping_shl(by as u32) } else { a >> by }))
            }
            (Op::UDiv, _) => {
                let by = power(self)?.trailing_zeros();
                Some(each(self.distances_of(i.args[0], depth - 1)?, &|a| a >> by))
            }
            (Op::UMod, _) => {
                let rest = power(self)? as i64 - 1;
                Some(each(self.distances_of(i.args[0], depth - 1)?, &|a| a & rest))
            }
            (Op::And, _) => {
                let rest = constant(self, 1).filter(|k| (k + 1).is_power_of_two())? as i64;
                Some(each(self.distances_of(i.args[0], depth - 1)?, &|a| a & rest))
            }
            _ => None,
        }
    }

    /// Loads at distances from the first lane where the offsets have these.
    pub(super) fn load_apart(&mut self, b: Buffer, offset: Lane, shape: Shape, apart: &[u32]) -> Lanes {
        let first = self.b.extract(offset, 0);
        let row = self.b.row_const(Ty::I32, apart);
        let guessed = self.b.iadd(first, row);
        let differs = self.b.icmp(ICmp::Ne, guessed, offset);
        let differs = self.b.any(differs);
        let same = self.b.not(differs);
        let wide = self.b.wide_offset(first);
        let most = u64::from(apart.iter().copied().max().unwrap_or(0));
        let end = self.b.offset(wide, (most + shape.end(shape.n - 1)) as i64);
        let inside = self.b.icmp(ICmp::Ule, end, b.size);
        let ok = self.b.and(same, inside);
        self.load_fast_if(
            ok,
            shape,
            |g| {
                let words = shape.as_loaded_words().unwrap_or(shape);
                let at = g.b.iadd(b.base, wide);
                let loaded: Lanes = (0..words.n)
                    .map(|k| {
                        let at = g.b.offset(at, words.start(k) as i64);
                        g.b.load_apart(words.ty, at, apart)
                    })
                    .collect();
                if words.ty == shape.ty { loaded } else { g.split_words(&loaded, shape) }
            },
            |g| g.load_from(b, offset, shape),
        )
    }
}
