//! Greatest values that integers can have, so that checks which cannot fail are not emitted.
//!
//! A bound is that of the value's bits as an unsigned number, in every lane of the group, active or not:
//! lanes that are away compute addresses too. It follows from the operation that makes the value, whatever
//! the arguments are, or from a fact: a uniform condition that held on the only way to here, or an induction
//! over the turns of a loop (see `turns`). Above each rule stands why it is so.
//!
//! Whatever is concluded from a bound is a claim that tests verify, see [`crate::claims`].

use rustc_hash::FxHashMap;

use super::Gen;
use super::ledger::relied_on;
use crate::ir::{BuiltIn, End, If, Imm, Inst, Op, Region, Shader, Ty, Value};

/// Definitions looked at for one bound.
const FUEL: u32 = 48;

/// Definitions, and what is known where code is being emitted.
pub(super) struct Ranges<'s> {
    pub shader: &'s Shader,
    defs: FxHashMap<Value, &'s Inst>,
    /// Facts: no lane of the value has more than this.
    known: Vec<(Value, u64)>,
    /// Greatest LocalInvocationId by component, and LocalInvocationIndex, of groups that may be filled up.
    local: [u64; 4],
}

/// The greatest value of a type as an unsigned number, and as a signed one.
pub(super) fn greatest(ty: Ty) -> (u64, u64) {
    let bits = if ty.is_int() { ty.bits().unwrap_or(64) } else { 64 };
    let most = u64::MAX >> (64 - bits);
    (most, most >> 1)
}

/// The least number of the form 2^n - 1 that is no less.
fn filled(x: u64) -> u64 {
    u64::MAX.checked_shr(x.leading_zeros()).unwrap_or(0)
}

impl<'s> Ranges<'s> {
    /// `local_ids`: LocalInvocationId by component where it is looked up in a table.
    pub fn new(shader: &'s Shader, lanes: u32, local_ids: &[u32]) -> Ranges<'s> {
        let mut defs = FxHashMap::with_capacity_and_hasher(shader.values.len(), Default::default());
        crate::ir::each_inst(&shader.body, &mut |i| {
            for &v in &i.results {
                defs.insert(v, i);
            }
        });
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

    /// What makes a value.
    pub fn def(&self, v: Value) -> Option<&'s Inst> {
        self.defs.get(&v).copied()
    }

    pub fn mark(&self) -> usize {
        self.known.len()
    }

    pub fn forget(&mut self, mark: usize) {
        self.known.truncate(mark);
    }

    /// Takes for known that no lane of `v` has more than `most`.
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

    /// What must hold (or not) for `v` to be `want`: all of it.
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

    /// Learns from a condition that is `holds` in every lane of the group.
    ///
    /// A conjunction that holds has both parts hold, in the same lanes; a disjunction that does not, neither.
    pub fn assume(&mut self, cond: Value, holds: bool) {
        let mut parts = Vec::new();
        self.conjuncts(cond, holds, 4, &mut parts);
        for (v, want) in parts {
            if let Some((v, most)) = self.most(v, want) {
                self.know(v, most);
            }
        }
    }

    /// A value, and the most that it can be if a comparison with a constant is `holds`.
    fn most(&self, cond: Value, holds: bool) -> Option<(Value, u64)> {
        let (v, most, signed) = self.compared(cond, holds)?;
        // A signed comparison bounds from above only: a negative value passes it, and is a great unsigned
        // number. Where neither side can be negative it is the unsigned comparison.
        let (_, positive) = greatest(self.shader.ty(v));
        (!signed || (most <= positive && self.upper(v) <= positive)).then_some((v, most))
    }

    /// A value, the constant that it is no more than if a comparison is `holds`, and whether both are signed.
    pub fn compared(&self, cond: Value, holds: bool) -> Option<(Value, u64, bool)> {
        let i = self.def(cond)?;
        // `v < k` and not `k <= v` are one thing, as are `v <= k` and not `k < v`.
        let (v, k, strict) = match (i.op, holds) {
            (Op::ULt | Op::SLt, true) => (i.args[0], i.args[1], true),
            (Op::ULe | Op::SLe, true) => (i.args[0], i.args[1], false),
            (Op::ULt | Op::SLt, false) => (i.args[1], i.args[0], false),
            (Op::ULe | Op::SLe, false) => (i.args[1], i.args[0], true),
            _ => return None,
        };
        let k = self.bits(k)?;
        // Nothing is below zero: where that is asked nobody comes.
        let most = if strict { k.checked_sub(1)? } else { k };
        Some((v, most, matches!(i.op, Op::SLt | Op::SLe)))
    }

    /// The greatest value that an integer can have in any lane, as an unsigned number.
    pub fn upper(&self, v: Value) -> u64 {
        relied_on(self.upper_within(v, &mut { FUEL }))
    }

    fn upper_within(&self, v: Value, fuel: &mut u32) -> u64 {
        let ty = self.shader.ty(v);
        // Nothing is greater than what the type holds.
        let (most, positive) = greatest(ty);
        if let Some(known) = self.known.iter().filter(|(k, _)| *k == v).map(|k| k.1).min() {
            return known;
        }
        let Some(i) = self.def(v).filter(|_| *fuel > 0 && ty.is_int()) else { return most };
        *fuel -= 1;
        let mut of = |k: usize| self.upper_within(i.args[k], fuel);
        // What does not fit in the type wraps, and can be anything.
        let fits = |x: u128| if x <= u128::from(most) { x as u64 } else { most };
        match (i.op, &i.imm) {
            (Op::Const, Imm::Bits(b)) => *b & most,
            // Both grow with their arguments while they do not wrap.
            (Op::IAdd, _) => fits(u128::from(of(0)) + u128::from(of(1))),
            (Op::IMul, _) => fits(u128::from(of(0)) * u128::from(of(1))),
            // Saturates instead of wrapping.
            (Op::Offset, Imm::Strides(s)) => {
                fits(s.iter().enumerate().map(|(k, &s)| u128::from(of(k)) * u128::from(s)).sum())
            }
            // The amount counts modulo the width; bits that leave at the top are lost, what is left can be
            // anything. 2^64 shifted by 63 fits in 128 bits.
            (Op::Shl, _) => match self.amount(i) {
                Some(n) => fits(u128::from(of(0)) << n),
                None => most,
            },
            // Grows with its first argument, falls with the amount.
            (Op::ShrU, _) => of(0) >> self.amount(i).unwrap_or(0),
            // Has no bit that one of them has not.
            (Op::And, _) => of(0).min(of(1)),
            // Has no bit above the highest of both.
            (Op::Or | Op::Xor, _) => filled(of(0)).max(filled(of(1))),
            (Op::UMin, _) => of(0).min(of(1)),
            (Op::UMax, _) => of(0).max(of(1)),
            // Signed order is unsigned order if neither can be negative. A negative value is the less one,
            // and a great unsigned number.
            (Op::SMin, _) => match (of(0), of(1)) {
                (a, b) if a <= positive && b <= positive => a.min(b),
                _ => most,
            },
            // No less than either of them: not negative if one cannot be.
            (Op::SMax, _) => match (of(0), of(1)) {
                (a, b) if a <= positive && b <= positive => a.max(b),
                (a, b) if a <= positive || b <= positive => positive,
                _ => most,
            },
            // No more than the dividend, less than the divisor; 0 if that is 0.
            (Op::UMod, _) => of(0).min(of(1).saturating_sub(1)),
            // No more than the dividend; 0 if the divisor is 0.
            (Op::UDiv, _) => of(0) / self.bits(i.args[1]).map_or(1, |k| k.max(1)),
            // One of them.
            (Op::Select, _) => of(1).max(of(2)),
            // Zeros are added, or bits above are lost: the same number if it fits.
            (Op::UConvert, _) => fits(u128::from(of(0))),
            // Likewise if it is not negative.
            (Op::SConvert, _) => match of(0) {
                a if a <= greatest(self.shader.ty(i.args[0])).1 => fits(u128::from(a)),
                _ => most,
            },
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::LocalInvocationId, c)) => self.local[*c as usize % 3],
            (Op::BuiltIn, Imm::BuiltIn(BuiltIn::LocalInvocationIndex, _)) => self.local[3],
            _ => most,
        }
    }

    /// The constant amount of a shift, modulo the width of what is shifted (a power of two).
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
    /// After a selection whose one arm leaves, its condition is known for the rest of the region: there no
    /// lane comes from that arm, and without active lanes nothing runs.
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
