//! The attachments in a tile, by sample, and the arguments for merging into them.
//!
//! Left to others: the address of their texels ([`crate::memory::target`]), the merge itself ([`super::merge`]).

use smallvec::SmallVec;

use super::attachment::{Attachment, Missing, PassDesc};
use super::bound::TileBoundState;
use super::merge::kernel::Args;
use super::merge::{MergeRun, MergeState};
use super::missing::Holes;
use crate::activity::Activity;
use crate::bins::Prim;
use crate::invoke::Lines;
use crate::limits::MAX_COLOR_TARGETS;
use crate::memory::target::{TileMemory, TileView};

/// Origin for the depth plane. Depth is evaluated at pixel centres, so the origin is moved in the opposite direction to
/// evaluate it at the sample.
#[inline]
pub(super) fn depth_origin(prim: &Prim, position: [f32; 2]) -> [f32; 2] {
    let [ox, oy] = prim.fragment.origin;
    [ox - (position[0] - 0.5), oy - (position[1] - 0.5)]
}

/// Range to which depth is clamped; infinite if depth is not clamped.
pub(super) fn depth_range(bind: &TileBoundState, prim: &Prim) -> [f32; 2] {
    let range = bind.depth_ranges.get(prim.fragment.viewport_index as usize);
    range.copied().unwrap_or([f32::NEG_INFINITY, f32::INFINITY])
}

/// The attachments in a tile.
pub(crate) struct Views {
    samples: SmallVec<[SampleViews; 1]>,
}

/// One sample of the attachments in a tile.
struct SampleViews {
    colors: [Option<TileView>; MAX_COLOR_TARGETS],
    depth: Option<TileView>,
    stencil: Option<TileView>,
    memory_colors: [TileMemory; MAX_COLOR_TARGETS],
    memory_depth: TileMemory,
    memory_stencil: TileMemory,
}

impl Views {
    pub fn new(
        desc: &PassDesc,
        n_samples: u32,
        layer: u32,
        at: [i32; 2],
        rect: [i32; 4],
        copies: &mut Vec<Lines>,
        holes: &Holes,
    ) -> Views {
        let _activity = Activity::Attachments.begin();
        let per_sample = MAX_COLOR_TARGETS + 2;
        copies.resize_with(copies.len().max(per_sample * n_samples as usize), Lines::default);
        let samples = (0..n_samples).map(|sample| {
            let copies = &mut copies[per_sample * sample as usize..];
            let mut view = |a: &Option<Attachment>, i: usize| {
                let kept = !holes.are_all_of(i, rect);
                a.as_ref().and_then(|a| a.target.tile([layer, sample], at, rect, &mut copies[i], kept))
            };
            let colors = std::array::from_fn(|i| view(&desc.colors[i], i));
            let depth = view(&desc.depth, Missing::DEPTH);
            let stencil = view(&desc.stencil, Missing::STENCIL);
            let memory = |v: &Option<TileView>| v.as_ref().map_or(TileMemory::NONE, TileView::memory);
            SampleViews {
                memory_colors: std::array::from_fn(|i| memory(&colors[i])),
                memory_depth: memory(&depth),
                memory_stencil: memory(&stencil),
                colors,
                depth,
                stencil,
            }
        });
        Views { samples: samples.collect() }
    }

    /// Clears the texels without memory, which rendering may have written.
    pub(super) fn clear(&self, holes: &Holes) {
        holes.each(|attachment, [x, y]| {
            for s in &self.samples {
                let view = match attachment {
                    Missing::DEPTH => &s.depth,
                    Missing::STENCIL => &s.stencil,
                    n => &s.colors[n],
                };
                view.iter().for_each(|view| view.write(x, y, 0));
            }
        });
    }

    pub fn finish(&self) {
        let _activity = Activity::Attachments.begin();
        for s in &self.samples {
            s.colors.iter().chain([&s.depth, &s.stencil]).flatten().for_each(TileView::finish);
        }
    }

    /// True if all attachments that a state merges into exist.
    pub fn attached(&self, m: &MergeState) -> bool {
        self.samples.iter().all(|s| {
            (m.depth_format.is_none() || s.depth.is_some())
                && (m.stencil.is_none() || s.stencil.is_some())
                && m.colors.iter().all(|c| s.colors[c.target].is_some())
        })
    }

    /// Arguments of the scalar merge for a primitive and a sample at `position` in the pixel.
    pub fn run<'v>(
        &'v self,
        bind: &TileBoundState,
        prim: &Prim,
        sample: usize,
        position: [f32; 2],
    ) -> MergeRun<'v> {
        let views = &self.samples[sample];
        let back = prim.back();
        MergeRun {
            lanes: bind.lanes,
            z: prim.fragment.z,
            origin: depth_origin(prim, position),
            depth_range: depth_range(bind, prim),
            depth_bounds: bind.depth_bounds,
            back,
            stencil_dynamic: bind.stencil[usize::from(back)],
            constants: bind.blend_constants,
            colors: &views.colors,
            depth: views.depth.as_ref(),
            stencil: views.stencil.as_ref(),
        }
    }

    /// Kernel arguments for each sample.
    pub fn args(&self, bind: &TileBoundState, tile: [i32; 2]) -> SmallVec<[Args; 1]> {
        let args = |s: &SampleViews| Args {
            colors: s.memory_colors,
            depth: s.memory_depth,
            stencil: s.memory_stencil,
            constants: bind.blend_constants,
            depth_bounds: bind.depth_bounds,
            ..Args::new(tile)
        };
        self.samples.iter().map(args).collect()
    }
}
