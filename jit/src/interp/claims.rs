//! Verifies the claims of the code generator while the shader runs; see [`crate::claims`].
//!
//! The tests of a workgroup are evaluated on the values of its invocation 0, in arithmetic that does not wrap.

use super::checks::address;
use super::group::lanes_of;
use super::machine::Group;
use super::texels::end_of_access;
use crate::claims::{Fact, Line, Test};
use crate::ir::each_inst;
use crate::ir::{Inst, Op, Value};

impl Group<'_> {
    /// Verifies the claims about an instruction that has just run, and records those that fail in an active lane.
    pub fn verify(&self, inst: &Inst) {
        let Some(checks) = &self.program.checks else { return };
        for &k in checks.at.get(&address(inst)).into_iter().flatten() {
            let claim = &checks.claims.list[k as usize];
            if (self.proven || !claim.tested) && !self.holds(&claim.fact) {
                checks.claims.verdict.broken(k);
            }
        }
    }

    fn holds(&self, fact: &Fact) -> bool {
        let all = |f: &dyn Fn(usize) -> bool| lanes_of(self.active).all(f);
        match *fact {
            Fact::AtMost(v, most) => {
                let row = self.row(v);
                all(&|l| row[l] <= u64::from(most))
            }
            Fact::Aligned(v) => {
                let row = self.row(v);
                all(&|l| row[l].is_multiple_of(4) || row[l] == u64::from(u32::MAX))
            }
            Fact::InRange { buffer, offset, bytes } => {
                let (size, offset) = (self.part(buffer, 1), self.row(offset));
                all(&|l| end_of_access(offset[l], bytes) <= size[l])
            }
            Fact::Is(v, truth) => {
                let row = self.row(v);
                all(&|l| (row[l] & 1 == 1) == truth)
            }
            Fact::Same(v, w) => {
                let (v, w) = (self.row(v), self.row(w));
                all(&|l| v[l] == w[l])
            }
        }
    }

    /// Returns true if every test of the workgroup holds. The group must be the workgroup's first one, just started.
    pub fn tests_hold(&mut self) -> bool {
        let program = self.program;
        let Some(checks) = program.checks.as_ref().filter(|c| !c.claims.tests.is_empty()) else {
            return false;
        };
        let mut number = 0;
        each_inst(&program.shader.body, &mut |inst| {
            if checks.needed.contains(&number) {
                self.execute(inst);
            }
            number += 1;
        });
        checks.claims.tests.iter().all(|t| self.test(t))
    }

    fn test(&self, test: &Test) -> bool {
        let first = |v: Value| u128::from(self.row(v)[0]);
        let last = u128::from(self.program.shader.local_size[0].max(1) - 1);
        let greatest = |l: &Line| first(l.value) + u128::from(l.step) * last;
        // The limit, sign-extended for signed comparisons.
        let limit = |v: Value, signed: bool| match signed {
            true => i128::from(self.row(v)[0] as u32 as i32),
            false => first(v) as i128,
        };
        match test {
            Test::Reaches { buffer, terms, bytes } => {
                let size = u128::from(self.part(*buffer, 1)[0].min(u64::from(u32::MAX)));
                let sum: u128 = terms.iter().map(|(l, stride)| greatest(l) * u128::from(*stride)).sum();
                sum + u128::from(*bytes) <= size
            }
            Test::Keeps { op, line, other } => {
                let signed = matches!(op, Op::SMin | Op::SMax);
                let (low, high, k) =
                    (first(line.value) as i128, greatest(line) as i128, limit(*other, signed));
                let most = if signed { i128::from(i32::MAX) } else { i128::from(u32::MAX) };
                match op {
                    Op::SMin | Op::UMin => high <= k,
                    _ => high <= most && low >= k,
                }
            }
            Test::Below { line, other, signed, strict } => {
                let (high, k) = (greatest(line) as i128, limit(*other, *signed));
                if *strict { high < k } else { high <= k }
            }
        }
    }
}
