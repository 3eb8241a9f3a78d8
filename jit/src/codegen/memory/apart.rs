//! Loads from buffers and workgroup memory at known distances from the first lane, where an index is split into a block and a
//! place in it, as quantized weights are: an offset that is made of quotients and remainders does not advance by a constant, but
//! its distances are known if the dividend of the first lane is a multiple of the divisor.
//!
//! They are known for what is computed from an index that counts lanes. Otherwise they are guessed from the operations, and
//! compared with the offsets before the loads. If one differs, or a lane is out of range, the load is what it is without this
//! module. Loads at distances are plain loads, which processors foresee; gathers are not.

use smallvec::SmallVec;

use super::{Lanes, Shape};
use crate::Result;
use crate::codegen::{Buffer, Gen};
use crate::ir::{Imm, Inst, Op, Ty, Value};
use crate::lane::{ICmp, Lane, Term};
use crate::passes::uniformity::divisor;

/// Distance of each lane from the first.
type Distances = SmallVec<[i64; 16]>;

/// Distances of an access.
pub(super) struct Apart {
    from_first: Vec<u32>,
    /// They are known, and not only guessed.
    known: bool,
}

/// Distances of a value, as the operations that compute it tell.
struct Spread {
    /// Distances modulo 2^32 if `known`, otherwise those that it has if each dividend of the first lane is a multiple.
    distances: Distances,
    known: bool,
    /// A power of two of which the value in the first lane is a multiple.
    multiple: u64,
}

/// The state of a search.
struct Search {
    /// Instructions that may still be visited.
    left: u32,
    /// Values that do not wrap from lane to lane, by their bounds.
    bounded: SmallVec<[Value; 4]>,
}

/// Most instructions that are visited for an offset.
const MOST_VISITS: u32 = 48;
/// Deepest chain of operations that is followed for a multiple.
const DEPTH: u32 = 4;
/// Most lanes of a group whose loads are changed.
const MOST_LANES: u32 = 16;
/// Greatest distance, in bytes.
const FAR: i64 = 1 << 20;
/// Multiple that stands for zero, of which everything is a divisor.
const ZERO: u64 = 1 << 40;

impl Spread {
    fn map(mut self, f: impl Fn(i64) -> i64, multiple: u64) -> Spread {
        self.distances.iter_mut().for_each(|d| *d = f(*d));
        Spread { multiple: multiple.clamp(1, ZERO), ..self }
    }

    fn with(mut self, other: &Spread, f: impl Fn(i64, i64) -> i64) -> Spread {
        self.distances.iter_mut().zip(&other.distances).for_each(|(d, o)| *d = f(*d, *o));
        let (known, multiple) = (self.known && other.known, self.multiple.min(other.multiple));
        Spread { known, multiple, ..self }
    }

    fn varies(&self) -> bool {
        self.distances.iter().any(|&d| d != 0)
    }
}

impl Gen<'_, '_, '_> {
    /// The distances of the offset of a load, `v`, if it does not advance by a constant; `None` if they are unknown, or if the
    /// scalars are not loaded as words.
    pub(super) fn distances(&mut self, i: &Inst, v: Value, shape: Shape) -> Result<Option<Apart>> {
        let offset = self.val(v)?;
        let words = shape.as_loaded_words().is_some();
        let dense = matches!(shape.ty, Ty::I32 | Ty::F32) && (shape.n == 1 || shape.mem.stride == 4);
        let single = matches!(shape.ty, Ty::I16 | Ty::F16) && shape.n == 1;
        let fits = !shape.mem.ordered && (words || dense || single) && shape.n * shape.ty.bytes() <= 16;
        let apart = self.b.gathers(Ty::I32) && self.b.lanes() <= MOST_LANES && !self.b.is_uniform(offset);
        if !fits || !apart || self.b.as_checked_affine(offset).is_some() {
            return Ok(None);
        }
        let mut search = Search { left: MOST_VISITS, bounded: SmallVec::new() };
        let Some(spread) = self.spread(v, &mut search) else { return Ok(None) };
        let near = |d: &i64| u32::try_from(*d).ok().filter(|_| *d <= FAR);
        let Some(from_first) = spread.distances.iter().map(near).collect() else { return Ok(None) };
        if spread.known {
            for v in search.bounded {
                self.claim_bound(i, v, false)?;
            }
        }
        Ok(Some(Apart { from_first, known: spread.known && !self.verifies() }))
    }

    /// True if a value does not wrap from lane to lane: it is at most 2^31 - 1 in each lane, or all lanes lie between the multiple
    /// that the first is and the next.
    fn is_bounded(&self, v: Value, spread: &Spread, search: &mut Search) -> bool {
        let next = spread.multiple.min(1 << 32) as i64;
        if spread.distances.iter().all(|d| (0..next).contains(d)) {
            return true;
        }
        search.bounded.push(v);
        // Distances are known modulo 2^32. Between two such values, only one number is both that and less than 2^31.
        let most = i32::MAX as u64;
        self.ranges.upper(v) <= most && spread.distances.iter().all(|d| d.unsigned_abs() <= most)
    }

    /// A power of two of which a uniform value is a multiple, modulo 2^32.
    fn multiple_of(&self, v: Value, depth: u32) -> u64 {
        let lowest = |k: u64| if k == 0 { ZERO } else { k & k.wrapping_neg() };
        if let Some(k) = self.ranges.bits(v) {
            return lowest(k);
        }
        let Some(i) = self.ranges.def(v).filter(|_| depth > 0) else { return 1 };
        let of = |k: usize| self.multiple_of(i.args[k], depth - 1);
        match i.op {
            Op::IMul => of(0).saturating_mul(of(1)).min(ZERO),
            Op::IAdd | Op::ISub => of(0).min(of(1)),
            Op::Shl => match self.ranges.bits(i.args[1]) {
                Some(by @ 0..32) => (of(0) << by).min(ZERO),
                _ => 1,
            },
            _ => 1,
        }
    }

    fn spread(&mut self, v: Value, search: &mut Search) -> Option<Spread> {
        search.left = search.left.checked_sub(1)?;
        let lanes = i64::from(self.b.lanes());
        let lane = self.val(v).ok()?;
        if self.b.is_uniform(lane) {
            let multiple = self.multiple_of(v, DEPTH);
            return Some(Spread { distances: (0..lanes).map(|_| 0).collect(), known: true, multiple });
        }
        if let Some((_, stride)) = self.b.as_affine(lane) {
            let distances = (0..lanes).map(|l| l * i64::from(stride)).collect();
            return Some(Spread { distances, known: true, multiple: self.multiple_of_lanes(v) });
        }
        let i = self.ranges.def(v)?;
        if self.shader.ty(v) != Ty::I32 || i.args.iter().any(|&a| self.shader.ty(a) != Ty::I32) {
            return None;
        }
        let constant = |g: &Self, k: usize| i.args.get(k).and_then(|&a| g.ranges.bits(a));
        match (i.op, &i.imm) {
            (Op::IAdd | Op::ISub, _) => {
                let (a, b) = (self.spread(i.args[0], search)?, self.spread(i.args[1], search)?);
                Some(a.with(&b, if i.op == Op::IAdd { i64::wrapping_add } else { i64::wrapping_sub }))
            }
            (Op::IMul, _) => {
                let k = usize::from(constant(self, 1).is_some());
                let by = constant(self, k).filter(|by| (1..=FAR as u64).contains(by))?;
                let a = self.spread(i.args[1 - k], search)?;
                let multiple = a.multiple.saturating_mul(by & by.wrapping_neg());
                Some(a.map(|d| d.wrapping_mul(by as i64), multiple))
            }
            (Op::Shl, _) => {
                let by = constant(self, 1).filter(|by| *by < 32)?;
                let a = self.spread(i.args[0], search)?;
                let multiple = a.multiple.saturating_mul(1 << by);
                Some(a.map(|d| d.wrapping_shl(by as u32), multiple))
            }
            (Op::Offset, Imm::Strides(strides)) => self.spread_of_offset(i, strides, search),
            (op, _) => self.spread_of_part(i, op, constant(self, 1)?, search),
        }
    }

    /// The sum of products saturates in a lane only if the last byte of the access there is out of range.
    fn spread_of_offset(&mut self, i: &Inst, strides: &[u32], search: &mut Search) -> Option<Spread> {
        let lanes = self.b.lanes();
        let none = (0..lanes).map(|_| 0).collect();
        let mut sum = Spread { distances: none, known: true, multiple: 1 };
        for (&arg, &stride) in i.args.iter().zip(strides) {
            let mut a = self.spread(arg, search)?;
            a.known &= !a.varies() || self.is_bounded(arg, &a, search);
            sum = sum.with(&a, |sum, d| sum.wrapping_add(d.wrapping_mul(i64::from(stride))));
        }
        Some(sum)
    }

    /// A quotient or a remainder by a power of two.
    fn spread_of_part(&mut self, i: &Inst, op: Op, constant: u64, search: &mut Search) -> Option<Spread> {
        let by = divisor(op, constant).filter(|by| by.number.is_power_of_two() && by.number <= FAR as u32)?;
        let mut a = self.spread(i.args[0], search)?;
        let number = u64::from(by.number);
        a.known &= a.multiple.is_multiple_of(number);
        if by.remainder {
            return Some(a.map(|d| d & (number as i64 - 1), ZERO));
        }
        a.known &= self.is_bounded(i.args[0], &a, search);
        let multiple = if a.multiple == ZERO { ZERO } else { a.multiple / number };
        Some(a.map(|d| d >> number.trailing_zeros(), multiple))
    }

    /// The power of two of which a value that counts lanes is a multiple in the first.
    fn multiple_of_lanes(&self, v: Value) -> u64 {
        let lanes = self.b.lanes();
        if !self.counts_lanes(v) {
            return 1;
        }
        let in_group = self.ranges.def(v).is_some_and(|i| {
            let number = i.args.get(1).and_then(|&number| self.ranges.bits(number));
            number.and_then(|n| divisor(i.op, n)).is_some_and(|by| by.number == lanes)
        });
        if in_group { ZERO } else { u64::from(lanes) }
    }

    /// The value of an offset with known distances in the first lane, without those of the others.
    fn in_first_lane(&mut self, v: Value) -> Result<Lane> {
        let lane = self.val(v)?;
        let Some(i) =
            self.ranges.def(v).filter(|_| !self.b.is_uniform(lane) && self.b.as_affine(lane).is_none())
        else {
            return Ok(self.b.extract(lane, 0));
        };
        let args = i.args.iter().map(|&a| self.in_first_lane(a)).collect::<Result<SmallVec<[Lane; 4]>>>()?;
        Ok(match &i.imm {
            Imm::Strides(strides) => {
                let terms = args.iter().zip(strides).zip(&i.args);
                let terms: SmallVec<[Term; 4]> = terms
                    .map(|((&index, &stride), &a)| Term { index, stride, bound: self.ranges.upper(a) })
                    .collect();
                self.b.byte_offset(&terms)
            }
            _ => crate::ops::lower(self.b, i.op, self.shader.ty(v), &args),
        })
    }

    /// Loads at distances from the first lane where the offsets, the values of `v`, have these.
    pub(super) fn load_apart(&mut self, b: Buffer, v: Value, shape: Shape, apart: &Apart) -> Result<Lanes> {
        let Apart { from_first: ref apart, known } = *apart;
        let offset = self.val(v)?;
        let first = if known { self.in_first_lane(v)? } else { self.b.extract(offset, 0) };
        let same = (!known).then(|| {
            let row = self.b.row_const(Ty::I32, apart);
            let guessed = self.b.iadd(first, row);
            let differs = self.b.icmp(ICmp::Ne, guessed, offset);
            let differs = self.b.any(differs);
            self.b.not(differs)
        });
        let wide = self.b.wide_offset(first);
        let most = u64::from(apart.iter().copied().max().unwrap_or(0));
        let end = self.b.offset(wide, (most + shape.end(shape.n - 1)) as i64);
        let inside = self.b.icmp(ICmp::Ule, end, b.size);
        let ok = same.map_or(inside, |same| self.b.and(same, inside));
        Ok(self.load_fast_if(
            ok,
            shape,
            |g| {
                let words = shape.as_loaded_words().unwrap_or(shape);
                let at = g.b.iadd(b.base, wide);
                g.prefetch_bytes(at, shape, most + shape.end(shape.n - 1) - shape.start(0));
                if words.is_quad() {
                    let at = g.b.offset(at, words.start(0) as i64);
                    return g.b.load_quads_apart(words.ty, at, apart).into_iter().collect();
                }
                let loaded: Lanes = (0..words.n)
                    .map(|k| {
                        let at = g.b.offset(at, words.start(k) as i64);
                        g.b.load_apart(words.ty, at, apart)
                    })
                    .collect();
                if words.ty == shape.ty { loaded } else { g.split_words(&loaded, shape) }
            },
            |g| g.load_from(b, offset, shape),
        ))
    }
}
