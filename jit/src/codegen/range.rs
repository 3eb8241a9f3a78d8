//! Upper bounds of integers, used to omit checks that cannot fail.
//!
//! A bound applies to the bits of a value as an unsigned number, in every lane of the group, active or not, because
//! inactive lanes compute addresses, too. A bound follows from the operation that defines the value, for any arguments,
//! or from a fact. A fact is a uniform condition that holds on the only path to the current position, or is proved by
//! induction over the iterations of a loop (see `turns`). A comment at each rule gives its proof.
//!
//! Everything concluded from a bound is a claim, which tests verify; see [`crate::claims`].

use rustc_hash::FxHashMap;

use super::Gen;
use super::ledger::relied_on;
use crate::Result;
use crate::ir::{BuiltIn, End, If, Imm, Inst, Insts, Op, Region, Shader, Ty, Value};
use crate::lane::Lane;
use crate::passes::low_zeros;
use crate::passes::uniformity::{MOST_REMAINDERS, counts_lanes, divisor, keeps_counting};

/// Number of definitions visited for one bound.
const FUEL: u32 = 48;

/// Definitions, and the facts that are known at the current position.
pub(super) struct Ranges<'s> {
    pub shader: &'s Shader,
    defs: FxHashMap<Value, &'s Inst>,
    /// Facts: in no lane does the value exceed the number.
    known: Vec<(Value, u64)>,
    /// Upper bounds of LocalInvocationId by component, and of LocalInvocationIndex, including lanes that pad a group.
    local: [u64; 4],
}

/// Greatest value of a type as an unsigned number, and as a signed one.
pub(super) fn greatest(ty: Ty) -> (u64, u64) {
    let bits = if ty.is_int() { ty.bits().unwrap_or(64) } else { 64 };
    let most = u64::MAX >> (64 - bits);
    (most, most >> 1)
}

/// Smallest number of the form 2^n - 1 that is at least `x`.
fn filled(x: u64) -> u64 {
    u64::MAX.checked_shr(x.leading_zeros()).unwrap_or(0)
}

impl<'s> Ranges<'s> {
    /// `local_ids`: LocalInvocationId by component, if it is read from a table.
    pub fn new(shader: &'s Shader, insts: &Insts<'s>, lanes: u32, local_ids: &[u32]) -> Ranges<'s> {
        let mut defs = FxHashMap::with_capacity_and_hasher(shader.values.len(), Default::default());
        for i in insts.iter() {
            defs.extend(i.results.iter().map(|&v| (v, i)));
        }
        let third = local_ids.len() / 3;
        let greatest_id = |c: usize| match local_ids.get(c * third..(c + 1) * third) {
            Some(t) if !t.is_empty() => u64::from(t.iter().copied().max().unwrap_or(0)),
            _ => u64::from(shader.local_size[c].max(1) - 1),
        };
        let size: u64 = shader.local_size.iter().map(|&n| u64::from(n.max(1))).product();
        let last = size.next_multiple_of(u64::from(lanes)) - 1;
        let local = [greatest_id(0), greatest_id(1), greatest_id(2), last];
        Ranges { shader, defs, known: Vec::new(), local }
    }

    /// The instruction that defines a value.
    pub fn def(&self, v: Value) -> Option<&'s Inst> {
        self.defs.get(&v).copied()
    }

    pub fn mark(&self) -> usize {
        self.known.len()
    }

    pub fn forget(&mut self, mark: usize) {
        self.known.truncate(mark);
    }

    /// Records the fact that `v` is at most `most` in every lane.
    pub fn know(&mut self, v: Value, most: u64) {
        self.known.push((v, most));
    }

    /// The bits of a constant.
    pub fn bits(&self, v: Value) -> Option<u64> {
        match self.def(v) {
            Some(Inst { op: Op::Const, imm: Imm::Bits(b), .. }) => Some(*b),
            _ => None,
        }
    }

    /// Collects conditions that must all hold (or not hold) for `v` to be `want`.
    pub fn conjuncts(&self, v: Value, want: bool, depth: u32, out: &mut Vec<(Value, bool)>) {
        if depth > 0
            && let Some(i) = self.def(v)
        {
            match (i.op, want) {
                (Op::And, true) | (Op::Or, false) => {
                    self.conjuncts(i.args[0], want, depth - 1, out);
                    return self.conjuncts(i.args[1], want, depth - 1, out);
                }
                (Op::Not, _) => return self.conjuncts(i.args[0], !want, depth - 1, out),
                _ => {}
            }
        }
        out.push((v, want));
    }

    /// Records facts from a condition that equals `holds` in every lane of the group.
    ///
    /// If a conjunction holds, both parts hold in the same lanes. If a disjunction does not hold, neither part does.
    pub fn assume(&mut self, cond: Value, holds: bool) {
        let mut parts = Vec::new();
        self.conjuncts(cond, holds, 4, &mut parts);
        for (v, want) in parts {
            if let Some((v, most)) = self.most(v, want) {
                self.know(v, most);
            }
        }
    }

    /// A value and its upper bound, if a comparison with a constant equals `holds`.
    fn most(&self, cond: Value, holds: bool) -> Option<(Value, u64)> {
        let (v, most, signed) = self.compared(cond, holds)?;
        // A signed comparison bounds only from above: a negative value passes it, and is large as an unsigned number.
        // If neither side can be negative, it equals the unsigned comparison.
        let (_, positive) = greatest(self.shader.ty(v));
        (!signed || (most <= positive && self.upper(v) <= positive)).then_some((v, most))
    }

    /// A value, the constant that it does not exceed if a comparison equals `holds`, and true if the comparison is
    /// signed.
    pub fn compared(&self, cond: Value, holds: bool) -> Option<(Value, u64, bool)> {
        let i = self.def(cond)?;
        // `v < k` is the same as not `k <= v`, and `v <= k` the same as not `k < v`.
        let (v, k, strict) = match (i.op, holds) {
            (Op::ULt | Op::SLt, true) => (i.args[0], i.args[1], true),
            (Op::ULe | Op::SLe, true) => (i.args[0], i.args[1], false),
            (Op::ULt | Op::SLt, false) => (i.args[1], i.args[0], false),
            (Op::ULe | Op::SLe, false) => (i.args[1], i.args[0], true),
            _ => return None,
        };
        let k = self.bits(k)?;
        // No unsigned number is below zero: code under such a condition never runs.
        let most = if strict { k.checked_sub(1)? } else { k };
        Some((v, most, matches!(i.op, Op::SLt | Op::SLe)))
    }

    /// The greatest value that an integer can have in any lane, as an unsigned number.
    pub fn upper(&self, v: Value) -> u64 {
        relied_on(self.upper_within(v, &mut { FUEL }))
    }

    fn upper_within(&self, v: Value, fuel: &mut u32) -> u64 {
        let ty = self.shader.ty(v);
        // No value exceeds the maximum of its type.
        let (most, positive) = greatest(ty);
        if let Some(known) = self.known.iter().filter(|(k, _)| *k == v).map(|k| k.1).min() {
            return known;
        }
        let Some(i) = self.def(v).filter(|_| *fuel > 0 && ty.is_int()) else { return most };
        *fuel -= 1;
        let mut of = |k: usize| self.upper_within(i.args[k], fuel);
        // A result that does not fit in the type wraps, and can be anything.
        let fits = |x: u128| if x <= u128::from(most) { x as u64 } else { most };
        match (i.op, &i.imm) {
            (Op::Const, Imm::Bits(b)) => *b & most,
            // Both results grow with their arguments unless they wrap.
            (Op::IAdd, _) => fits(u128::from(of(0)) + u128::from(of(1))),
            (Op::IMul, _) => fits(u128::from(of(0)) * u128::from(of(1))),
            // The sum saturates instead of wrapping.
            (Op::Offset, Imm::Strides(s)) => {
                fits(s.iter().enumerate().map(|(k, &s)| u128::from(of(k)) * u128::from(s)).sum())
            }
            // The amount counts modulo the width. If bits are shifted out at the top, the rest can be anything. 2^64
            // shifted by 63 fits in 128 bits.
            (Op::Shl, _) => match self.amount(i) {
                Some(n) => fits(u128::from(of(0)) << n),
                None => most,
            },
            // The result grows with the first argument and falls with the amount.
            (Op::ShrU, _) => of(0) >> self.amount(i).unwrap_or(0),
            // A bit of the result is set in both arguments.
            (Op::And, _) => of(0).min(of(1)),
            // The result has no bit above the highest bit of either argument.
            (Op::Or | Op::Xor, _) => filled(of(0)).max(filled(of(1))),
            (Op::UMin, _) => of(0).min(of(1)),
            (Op::UMax, _) => of(0).max(of(1)),
            // Signed order equals unsigned order if neither argument can be negative. A negative argument would be the
            // result, which is large as an unsigned number.
            (Op::SMin, _) => match (of(0), of(1)) {
                (a, b) if a <= positive && b <= positive => a.min(b),
                _ => most,
            },
            // The result is at least each argument, so it is not negative if one of them cannot be.
            (Op::SMax, _) => match (of(0), of(1)) {
                (a, b) if a <= positive && b <= positive => a.max(b),
                (a, b) if a <= positive || b <= positive => positive,
                _ => most,
            },
            // The result is at most the dividend and less than the divisor; 0 if the divisor is 0.
            (Op::UMod, _) => of(0).min(of(1).saturating_sub(1)),
            // The result is at most the dividend; 0 if the divisor is 0.
            (Op::UDiv, _) => of(0) / self.bits(i.args[1]).map_or(1, |k| k.max(1)),
            // The result is one of the two arguments.
            (Op::Select, _) => of(1).max(of(2)),
            // The conversion adds zeros or drops high bits, so the number is the same if it fits.
            (Op::UConvert, _) => fits(u128::from(of(0))),
            // The conversion repeats the sign bit, so the number is the same if it is not negative.
            (Op::SConvert, _) => match of(0) {
                a if a <= greatest(self.shader.ty(i.args[0])).1 => fits(u128::from(a)),
                _ => most,
            },
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::LocalInvocationId, c)) => self.local[*c as usize % 3],
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::LocalInvocationIndex, _)) => self.local[3],
            _ => most,
        }
    }

    /// Number of low bits of an I32 that are zero in every lane.
    pub fn zeros(&self, v: Value) -> u32 {
        self.zeros_within(v, &mut { FUEL })
    }

    fn zeros_within(&self, v: Value, fuel: &mut u32) -> u32 {
        match self.def(v) {
            Some(i) if *fuel > 0 && self.shader.ty(v) == Ty::I32 => {
                *fuel -= 1;
                low_zeros(i, |v| self.bits(v), |v| self.zeros_within(v, fuel))
            }
            _ => 0,
        }
    }

    /// The constant amount of a shift, modulo the width of the shifted value (a power of two).
    fn amount(&self, i: &Inst) -> Option<u32> {
        let width = u64::from(self.shader.ty(i.args[0]).bits()?);
        Some((self.bits(i.args[1])? % width) as u32)
    }
}

fn falls_through(r: &Region) -> bool {
    r.nodes.is_empty() && matches!(r.end, End::Yield(_))
}

fn leaves(r: &Region) -> bool {
    !matches!(r.end, End::Yield(_))
}

impl Gen<'_, '_, '_> {
    /// Computes an operation that depends only on its arguments, with the known bounds of these.
    pub(super) fn computed(&mut self, i: &Inst, ty: Ty, args: &[Lane]) -> Result<Lane> {
        if let Some(v) = self.part_of_index(i, args) {
            return Ok(v);
        }
        let mut op = i.op;
        // Hosts convert signed words, and not all convert unsigned ones.
        if op == Op::UToF
            && self.shader.ty(i.args[0]) == Ty::I32
            && self.ranges.upper(i.args[0]) <= i32::MAX as u64
        {
            self.claim_bound(i, i.args[0], false)?;
            op = if self.verifies() { op } else { Op::SToF };
        }
        Ok(crate::ops::lower(self.b, op, ty, args))
    }

    /// True for an index that counts lanes ([`counts_lanes`]), and for remainders of such an index that do.
    pub(super) fn counts_lanes(&self, v: Value) -> bool {
        let (lanes, mut v) = (self.b.lanes(), v);
        for _ in 0..=MOST_REMAINDERS {
            let Some(i) = self.ranges.def(v) else { return false };
            if i.op == Op::BuiltIn {
                return counts_lanes(self.shader, lanes, i);
            }
            let &[index, number] = &i.args[..] else { return false };
            if !self.ranges.bits(number).is_some_and(|n| keeps_counting(lanes, i.op, n)) {
                return false;
            }
            v = index;
        }
        false
    }

    /// The quotient of an index that counts lanes and a number of whole groups, which is the same in all
    /// lanes, or the remainder, which counts lanes.
    fn part_of_index(&mut self, i: &Inst, args: &[Lane]) -> Option<Lane> {
        let by = divisor(i.op, self.ranges.bits(*i.args.get(1)?)?)?;
        let whole = by.number.is_multiple_of(self.b.lanes());
        if !whole || self.b.is_uniform(args[0]) || !self.counts_lanes(i.args[0]) {
            return None;
        }
        let (first, number) = (self.b.extract(args[0], 0), self.b.u32(by.number));
        Some(if by.remainder {
            let first = self.b.remainder(first, number);
            self.b.lanes_from(first)
        } else {
            self.b.quotient(first, number)
        })
    }

    /// After a selection with an arm that leaves, its condition is known for the rest of the region: no lane comes from
    /// that arm, and without active lanes nothing runs.
    pub(super) fn learn(&mut self, n: &If) {
        let uniform = self.vals[n.cond.0 as usize].is_some_and(|c| self.b.is_uniform(c));
        if !uniform {
            return;
        }
        if falls_through(&n.then) && leaves(&n.els) {
            self.ranges.assume(n.cond, true);
        } else if falls_through(&n.els) && leaves(&n.then) {
            self.ranges.assume(n.cond, false);
        }
    }
}
