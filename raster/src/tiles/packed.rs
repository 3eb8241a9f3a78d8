//! Packed shading: quads of small primitives share lane groups.
//!
//! A small primitive leaves most lanes of its stamps empty. If the fragment stage also has a packed version, covered
//! quads of any primitive wait in the rows of packed groups until there are enough groups to shade at once. The outputs
//! are copied to the place of the stamps' own outputs, so merging is unaffected. Results do not depend on packing: a
//! quad is computed from the same numbers by the same operations at any position in a group. The layout of the rows is
//! left to [`super::packing`].

use quadrille_jit::abi::packed_row;
use quadrille_jit::call::LaneFn;

use super::packing::{Packed, most};
use super::tile::{Primitive, TileDrawContext, TileRun};
use crate::bins::kind;
use crate::invoke::call_packed;
use crate::limits::MAX_RUN_STAMPS;

impl TileDrawContext<'_> {
    /// True if the stamps of a primitive may be shaded in packed groups.
    pub(super) fn packed(&self, p: &Primitive<'_>) -> bool {
        self.packed.is_some() && p.outline.is_none_or(|o| o.kind & kind::SMOOTH == 0)
    }
}

impl TileRun<'_> {
    /// Queues the quads of gathered stamps, starting with number `first`, for packed shading.
    pub(super) fn pack(&mut self, job: &mut TileDrawContext<'_>, p: &Primitive<'_>, first: usize) {
        let Some(f) = job.packed else { return };
        let (lanes, across) = (f.meta().lanes, job.record.shape.log_size[0] - 1);
        // Planes that the fragment stage does not read come last.
        let planes = &p.planes[..f.meta().n_input_words as usize];
        let most = most(planes.len() as u32, lanes);
        for i in first..self.scratch.stamps.len() {
            let stamp = self.scratch.stamps[i];
            self.scratch.masks[i] = 0;
            let (mut left, mut quad) = (stamp.mask, 0);
            while left != 0 {
                if left & 15 != 0 {
                    if self.scratch.packed.places.len() == most {
                        self.shade_packed(job);
                    }
                    let packed = &mut self.scratch.packed;
                    let nth = packed.add([i as u32, 4 * quad], left & 15, lanes);
                    let [x, y] = [quad & ((1 << across) - 1), quad >> across].map(|k| 2 * k as i32);
                    let at = [stamp.x + x, stamp.y + y];
                    let rows =
                        packed.rows.room(most * 4 * 4 * packed_row::count(planes.len() as u32) as usize);
                    match lanes {
                        8 => Packed::put::<8>(rows, nth, at, &p.prim.fragment, planes),
                        16 => Packed::put::<16>(rows, nth, at, &p.prim.fragment, planes),
                        _ => Packed::put::<32>(rows, nth, at, &p.prim.fragment, planes),
                    }
                }
                (left, quad) = (left >> 4, quad + 1);
            }
        }
    }

    /// Shades the waiting quads.
    pub(super) fn shade_packed(&mut self, job: &mut TileDrawContext<'_>) {
        let Some(f) = job.packed.filter(|_| !self.scratch.packed.places.is_empty()) else { return };
        let (meta, words) = (f.meta(), job.state.merge.words as usize);
        let (lanes, stamp_lanes) = (meta.lanes as usize, job.record.lanes as usize);
        self.fill_up(f);
        let scratch = &mut *self.scratch;
        let Packed { rows, groups, places, output, masks } = &mut scratch.packed;
        masks.resize(masks.len().max(groups.len()), 0);
        let from = output.room(most(meta.n_input_words, meta.lanes) * 4 * words * 4);
        if !call_packed(f, &mut job.ctx, rows.words(), groups, from, masks, &mut scratch.lanes) {
            self.stopped = Some(job.called());
            masks.fill(0);
        }
        let to = scratch.output.room(MAX_RUN_STAMPS * words * stamp_lanes * 4);
        for (nth, &[stamp, lane]) in places.iter().enumerate() {
            let (group, in_group) = (nth * 4 / lanes, nth * 4 % lanes);
            let (stamp, first) = (stamp as usize, lane as usize);
            let from = from[group * words * lanes..][..words * lanes].chunks_exact(lanes);
            let to = to[stamp * words * stamp_lanes..][..words * stamp_lanes].chunks_exact_mut(stamp_lanes);
            for (to, from) in to.zip(from) {
                to[first..first + 4].copy_from_slice(&from[in_group..in_group + 4]);
            }
            scratch.masks[stamp] |= (masks[group] >> in_group & 15) << lane;
        }
        scratch.packed.clear();
    }

    /// Fills unused quads of the last group with the values of its first quad, because they are computed, too.
    fn fill_up(&mut self, f: &LaneFn) {
        let Packed { rows, groups, places, .. } = &mut self.scratch.packed;
        let lanes = f.meta().lanes as usize;
        let used = places.len() * 4 % lanes;
        if used == 0 {
            return;
        }
        let n_rows = packed_row::count(f.meta().n_input_words) as usize;
        let rows = rows.room(most(f.meta().n_input_words, f.meta().lanes) * 4 * n_rows * 4);
        for row in rows[(groups.len() - 1) * n_rows * lanes..][..n_rows * lanes].chunks_exact_mut(lanes) {
            let (quads, _) = row.as_chunks_mut::<4>();
            let first = quads[0];
            quads[used / 4..].fill(first);
        }
    }
}
