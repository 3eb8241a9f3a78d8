//! Calls of other shaders of a ray tracing pipeline.

use super::group::Row;
use super::machine::Group;
use crate::abi::{MAX_LANES, RayCallArgs};
use crate::ir::{Inst, RayCall};
use crate::ops;

impl Group<'_> {
    /// Executes a call: one call of the host's routine.
    pub(super) fn ray_call(&mut self, inst: &Inst, call: RayCall) {
        let lanes = self.lanes();
        let mut rows: Vec<u32> = Vec::new();
        for &v in &inst.args {
            let row = self.row(v);
            for part in 0..self.ty(v).bytes().div_ceil(4) {
                rows.extend(row[..lanes].iter().map(|bits| (bits >> (32 * part)) as u32));
            }
        }
        let operands = call.operand_words() as usize;
        let args = RayCallArgs {
            ctx: std::ptr::null(),
            rows: std::ptr::null_mut(),
            call: call as u32,
            mask: self.active,
            lanes: self.program.lanes,
            words: (rows.len() / lanes).saturating_sub(operands) as u32,
        };
        self.host.ray_call(args, &mut rows);
        let mut word = call.results_at() as usize;
        for &v in &inst.results {
            let ty = self.ty(v);
            let mut row: Row = [0; MAX_LANES];
            for part in 0..ty.bytes().div_ceil(4) as usize {
                let new = rows.get(word * lanes..(word + 1) * lanes).unwrap_or_default();
                row.iter_mut().zip(new).for_each(|(bits, &w)| *bits |= u64::from(w) << (32 * part));
                word += 1;
            }
            self.set(v, &row.map(|bits| ops::value::wrap(ty, bits)));
        }
    }
}
