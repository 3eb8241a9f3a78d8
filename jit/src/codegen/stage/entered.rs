//! Values that are computed each time a group is entered: at the start of a workgroup, and behind each barrier.
//!
//! Only a value that a barrier separates from a use is; so is what it is made of. It costs less to compute than to save. All
//! other values are computed at their place, if it is reached at all. Tests that differ from lane to lane are
//! computed at each use: as a mask and as a vector they would take two registers until then.

use rustc_hash::FxHashMap;

use super::groups_wait;
use crate::Result;
use crate::codegen::{Gen, Level, barrier};
use crate::ir::op::Sig;
use crate::ir::{Inst, Op, Ty, Value};
use crate::lane::Lane;

/// Most tests that a test which is computed at each use consists of.
const MOST_TESTS: u32 = 3;

impl<'s> Gen<'_, '_, 's> {
    /// Finds the values that stay at [`Level::Group`], and which values are live across barriers.
    pub(in crate::codegen) fn settle_levels(&mut self) -> Result<()> {
        if !self.shader.has_barrier {
            return Ok(());
        }
        let is_entered = |levels: &[Level], i: &Inst| {
            i.op != Op::BuiltIn && i.results.iter().any(|r| levels[r.0 as usize] == Level::Group)
        };
        let mut lowered = self.levels.clone();
        let mut entered: Vec<&'s Inst> = Vec::new();
        for i in self.insts.iter().filter(|i| is_entered(&self.levels, i)) {
            i.results.iter().for_each(|r| lowered[r.0 as usize] = Level::Place);
            entered.push(i);
        }
        let waits = groups_wait(self.shader, self.b.lanes());
        if waits && !entered.is_empty() {
            let crossing = barrier::plan(self.shader, &lowered, &self.uniformity)?.kept;
            for i in entered.iter().rev() {
                let needed = |v: &Value| crossing.contains(v) || lowered[v.0 as usize] == Level::Group;
                if i.results.iter().any(needed) {
                    for v in i.results.iter().chain(&i.args) {
                        let level = &mut lowered[v.0 as usize];
                        *level = self.levels[v.0 as usize];
                    }
                }
            }
        }
        self.levels = lowered;
        self.find_tests(&entered);
        if waits {
            self.barriers = barrier::plan(self.shader, &self.levels, &self.uniformity)?;
        }
        Ok(())
    }

    /// Computes a test at a use.
    pub(in crate::codegen) fn test(&mut self, i: &Inst) -> Result<Lane> {
        let args = i.args.iter().map(|&a| self.val(a)).collect::<Result<Vec<_>>>()?;
        self.computed(i, Ty::Bool, &args)
    }

    /// Finds the tests that are computed at each use.
    fn find_tests(&mut self, entered: &[&'s Inst]) {
        let mut sizes: FxHashMap<Value, u32> = FxHashMap::default();
        for i in entered {
            let [r] = i.results[..] else { continue };
            let at = r.0 as usize;
            let test = self.shader.ty(r) == Ty::Bool && i.op.sig() != Sig::Free && i.op != Op::Const;
            if !test || self.levels[at] != Level::Group || !self.uniformity.varying[at] {
                continue;
            }
            let size = 1 + i.args.iter().filter_map(|a| sizes.get(a)).sum::<u32>();
            if size <= MOST_TESTS {
                sizes.insert(r, size);
                self.tests.insert(r, i);
            }
        }
    }
}
