//! Ray queries: one call of the host's routine per operation.

use super::group::Row;
use super::machine::Group;
use crate::abi::{MAX_LANES, RAY_OPERANDS, RAY_RESULTS, RayArgs};
use crate::ir::{Inst, RayOp};
use crate::ops;

impl Group<'_> {
    /// Executes an operation of ray queries.
    pub(super) fn ray(&mut self, inst: &Inst, op: RayOp) {
        let words = |row: &Row, shift: u32| row.map(|bits| (bits >> shift) as u32);
        let zero = [0; MAX_LANES];
        let mut args = Box::new(RayArgs {
            host: self.host.ctx().rays,
            states: self.queries.as_mut_ptr().cast(),
            op: op as u32,
            mask: self.active,
            lanes: self.program.lanes,
            queries: self.program.shader.ray_queries,
            query: words(&self.row(inst.args[0]), 0),
            operands: [zero; RAY_OPERANDS],
            results: [zero; RAY_RESULTS],
        });
        let mut operands = args.operands.iter_mut();
        for &v in &inst.args[1..] {
            let row = self.row(v);
            let rows = if self.ty(v).bytes() == 8 { 2 } else { 1 };
            for (part, operand) in operands.by_ref().take(rows).enumerate() {
                *operand = words(&row, 32 * part as u32);
            }
        }
        self.host.rays(&mut args);
        for (&v, words) in inst.results.iter().zip(&args.results) {
            let ty = self.ty(v);
            self.set(v, &words.map(|word| ops::value::wrap(ty, u64::from(word))));
        }
    }

    /// First word of a read of a query. The operation works on a copy of the state.
    pub(super) fn word_of_query(&self, op: RayOp, query: u32, lane: usize, committed: bool) -> u32 {
        let queries = self.program.shader.ray_queries as usize;
        let at = lane * queries + query as usize;
        let Some(mut state) = self.queries.get(at).copied().filter(|_| (query as usize) < queries) else {
            return 0;
        };
        let mut args = Box::new(RayArgs {
            host: self.host.ctx().rays,
            states: (&raw mut state).cast(),
            op: op as u32,
            mask: 1,
            lanes: 1,
            queries: 1,
            query: [0; MAX_LANES],
            operands: [[0; MAX_LANES]; RAY_OPERANDS],
            results: [[0; MAX_LANES]; RAY_RESULTS],
        });
        args.operands[0][0] = committed.into();
        self.host.rays(&mut args);
        args.results[0][0]
    }
}
