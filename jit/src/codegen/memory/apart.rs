//! Loads from buffers and workgroup memory at known distances from the first lane, where an index is split into a block and a
//! place in it, as quantized weights are: an offset that is made of quotients and remainders does not advance by a constant, but
//! its distances are known if the dividend of the first lane is a multiple of the divisor.
//!
//! They are known for what is computed from an index that counts lanes. Otherwise they follow if no dividend carries or wraps
//! behind its value in the first lane, which scalars tell before the loads. Where one does, or a lane is out of range, the load
//! is what it is without this module. Loads at distances are plain loads, which processors foresee; gathers are not.

use smallvec::SmallVec;

use super::{Lanes, Shape};
use crate::Result;
use crate::codegen::{Buffer, Gen};
use crate::ir::{Imm, Inst, Op, Ty, Value};
use crate::lane::apart::Places;
use crate::lane::{ICmp, Lane, Term};
use crate::passes::uniformity::divisor;

/// Distance of each lane from the first.
type Distances = SmallVec<[i64; 16]>;

/// Distances of an access.
pub(super) struct Apart {
    from_first: Vec<u32>,
    tests: Tests,
}

/// A condition on an index in the first lane, without which the distances behind it are others.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    /// The remainder by a power of two is at most this.
    Remainder { of: Value, by: u32, most: u32 },
    /// The index is between these.
    Between { index: Value, least: u32, most: u32 },
}

type Tests = SmallVec<[Test; 4]>;

/// Distances of a value, as the operations that compute it tell.
struct Spread {
    /// Distances modulo 2^32 where the tests of the search hold.
    distances: Distances,
    /// A power of two of which the value in the first lane is a multiple.
    multiple: u64,
}

/// The state of a search.
struct Search {
    /// Instructions that may still be visited.
    left: u32,
    /// Values that do not wrap from lane to lane, by their bounds.
    bounded: SmallVec<[Value; 4]>,
    tests: Tests,
}

/// Most instructions that are visited for an offset.
const MOST_VISITS: u32 = 48;
/// Most conditions that are tested before a load.
const MOST_TESTS: usize = 6;
/// Deepest chain of operations that is followed for a multiple.
const DEPTH: u32 = 6;
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
        Spread { multiple: self.multiple.min(other.multiple), ..self }
    }

    /// The least and the greatest distance.
    fn ends(&self) -> (i64, i64) {
        self.distances.iter().fold((0, 0), |(least, most), &d| (least.min(d), most.max(d)))
    }
}

impl Search {
    fn test(&mut self, test: Test) {
        if !self.tests.contains(&test) {
            self.tests.push(test);
        }
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
        let mut search = Search { left: MOST_VISITS, bounded: SmallVec::new(), tests: Tests::new() };
        let Some(spread) = self.spread(v, &mut search) else { return Ok(None) };
        let near = |d: &i64| u32::try_from(*d).ok().filter(|_| *d <= FAR);
        let Some(from_first) = spread.distances.iter().map(near).collect() else { return Ok(None) };
        for v in search.bounded {
            self.claim_bound(i, v, false)?;
        }
        Ok((search.tests.len() <= MOST_TESTS).then_some(Apart { from_first, tests: search.tests }))
    }

    /// Notes the test that a value does not wrap from lane to lane, unless its bound tells: it is at most 2^31 - 1 in each lane, or
    /// all lanes lie between the multiple that the first is and the next. `None` if it always wraps.
    fn does_not_wrap(&mut self, v: Value, spread: &Spread, search: &mut Search) -> Option<()> {
        let next = spread.multiple.min(1 << 32) as i64;
        if spread.distances.iter().all(|d| (0..next).contains(d)) {
            return Some(());
        }
        // Distances are known modulo 2^32. Between two such values, only one number is both that and less than 2^31.
        let half = i32::MAX as u64;
        if self.ranges.upper(v) <= half && spread.distances.iter().all(|d| d.unsigned_abs() <= half) {
            search.bounded.push(v);
            if !self.verifies() {
                return Some(());
            }
        }
        let (least, most) = spread.ends();
        let least = u32::try_from(-least).ok()?;
        let most = u32::try_from(i64::from(u32::MAX) - most).ok().filter(|most| least <= *most)?;
        search.test(Test::Between { index: v, least, most });
        Some(())
    }

    /// A power of two of which a value is a multiple in the first lane, modulo 2^32.
    fn multiple_of(&self, v: Value, depth: u32) -> u64 {
        let lowest = |k: u64| if k == 0 { ZERO } else { k & k.wrapping_neg() };
        if let Some(k) = self.ranges.bits(v) {
            return lowest(k);
        }
        if self.counts_lanes(v) {
            return self.multiple_of_lanes(v);
        }
        let Some(i) = self.ranges.def(v).filter(|_| depth > 0) else { return 1 };
        let of = |k: usize| self.multiple_of(i.args[k], depth - 1);
        match i.op {
            Op::IMul => of(0).saturating_mul(of(1)).min(ZERO),
            Op::IAdd | Op::ISub => of(0).min(of(1)),
            Op::And => of(0).max(of(1)),
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
            return Some(Spread { distances: (0..lanes).map(|_| 0).collect(), multiple });
        }
        if let Some((_, stride)) = self.b.as_affine(lane) {
            let distances = (0..lanes).map(|l| l * i64::from(stride)).collect();
            return Some(Spread { distances, multiple: self.multiple_of(v, DEPTH) });
        }
        // Behind a barrier, a value that was kept has no operands.
        if self.barriers.kept.contains(&v) {
            return None;
        }
        let i = self.ranges.def(v)?;
        if self.shader.ty(v) != Ty::I32 || i.args.iter().any(|&a| self.shader.ty(a) != Ty::I32) {
            return None;
        }
        // An offset saturates, and only a further offset keeps it out of range.
        let saturates = |&a: &Value| self.ranges.def(a).is_some_and(|of| of.op == Op::Offset);
        if i.op != Op::Offset && i.args.iter().any(saturates) {
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

    /// The sum of products saturates in a lane only if the last byte of the access there is out of range. So it is if an index
    /// wraps to larger ones, since the sum in the first lane and the distances do not.
    fn spread_of_offset(&mut self, i: &Inst, strides: &[u32], search: &mut Search) -> Option<Spread> {
        let lanes = self.b.lanes();
        let mut sum = Spread { distances: (0..lanes).map(|_| 0).collect(), multiple: 1 };
        for (&arg, &stride) in i.args.iter().zip(strides) {
            let a = self.spread(arg, search)?;
            if a.ends().0 < 0 {
                self.does_not_wrap(arg, &a, search)?;
            }
            for (sum, d) in sum.distances.iter_mut().zip(a.distances) {
                *sum = d.checked_mul(i64::from(stride)).and_then(|d| sum.checked_add(d))?;
            }
        }
        Some(sum)
    }

    /// A quotient or a remainder by a power of two: distances are divided likewise where no remainder carries.
    fn spread_of_part(&mut self, i: &Inst, op: Op, constant: u64, search: &mut Search) -> Option<Spread> {
        let by = divisor(op, constant).filter(|by| by.number.is_power_of_two() && by.number <= FAR as u32)?;
        let a = self.spread(i.args[0], search)?;
        let (number, rest) = (u64::from(by.number), i64::from(by.number - 1));
        let most = a.distances.iter().map(|d| d & rest).max().unwrap_or(0);
        if most as u64 >= a.multiple {
            let most = (rest - most) as u32;
            search.test(Test::Remainder { of: i.args[0], by: by.number, most });
        }
        if by.remainder {
            let multiple = if a.multiple < number { a.multiple } else { ZERO };
            return Some(a.map(|d| d & rest, multiple));
        }
        self.does_not_wrap(i.args[0], &a, search)?;
        let multiple = if a.multiple == ZERO { ZERO } else { a.multiple / number };
        Some(a.map(|d| d >> number.trailing_zeros(), multiple))
    }

    /// The power of two of which a value that counts lanes is a multiple in the first.
    fn multiple_of_lanes(&self, v: Value) -> u64 {
        let lanes = self.b.lanes();
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

    /// Bool: a test holds.
    fn holds(&mut self, test: Test) -> Result<Lane> {
        Ok(match test {
            Test::Remainder { of, by, most } => {
                let first = self.in_first_lane(of)?;
                let rest = self.b.u32(by - 1);
                let remainder = self.b.and(first, rest);
                let most = self.b.u32(most);
                self.b.icmp(ICmp::Ule, remainder, most)
            }
            Test::Between { index, least, most } => {
                let first = self.in_first_lane(index)?;
                // Smaller indices wrap, and exceed all others.
                let lowest = self.b.u32(least);
                let first = if least > 0 { self.b.isub(first, lowest) } else { first };
                let most = self.b.u32(most - least);
                self.b.icmp(ICmp::Ule, first, most)
            }
        })
    }

    /// Loads at distances from the first lane where the offsets, the values of `v`, have these.
    pub(super) fn load_apart(&mut self, b: Buffer, v: Value, shape: Shape, apart: &Apart) -> Result<Lanes> {
        let Apart { from_first: ref apart, ref tests } = *apart;
        let offset = self.val(v)?;
        let first = self.in_first_lane(v)?;
        let wide = self.b.wide_offset(first);
        let most = u64::from(apart.iter().copied().max().unwrap_or(0));
        let end = self.b.offset(wide, (most + shape.end(shape.n - 1)) as i64);
        let in_range = self.b.icmp(ICmp::Ule, end, b.size);
        let mut ok: SmallVec<[Lane; 4]> = [in_range].into_iter().collect();
        for &test in tests {
            ok.push(self.holds(test)?);
        }
        Ok(self.load_fast_if(
            &ok,
            shape,
            |g| {
                let words = shape.as_loaded_words().unwrap_or(shape);
                let at = g.b.iadd(b.base, wide);
                g.prefetch_bytes(at, shape, most + shape.end(shape.n - 1) - shape.start(0));
                let loaded: Lanes = if words.is_quad() {
                    let at = g.b.offset(at, words.start(0) as i64);
                    g.b.load_quads_apart(words.ty, at, apart).into_iter().collect()
                } else {
                    (0..words.n)
                        .map(|k| {
                            let start = words.start(k) as i64;
                            let at = g.b.offset(at, start);
                            let readable = -start..(most + shape.end(shape.n - 1)) as i64 - start;
                            g.b.load_apart(words.ty, at, &Places { apart, readable })
                        })
                        .collect()
                };
                if words.ty == shape.ty { loaded } else { g.split_words(&loaded, shape) }
            },
            |g| g.load_from(b, offset, shape),
        ))
    }
}
