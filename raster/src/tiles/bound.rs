//! What the tiles read of what was bound when a draw was recorded.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use quadrille_jit::abi::SAMPLE_POSITIONS;
use quadrille_jit::call::LaneFn;
use smallvec::SmallVec;

use super::attachment::Attachment;
use super::rates::Rates;
use super::state::TileState;
use crate::bins::StampShape;
use crate::footprint::Footprint;
use crate::samples::{Places, offsets_fx8, table};
use crate::state::{LineStipple, StencilDynamic};

/// What was bound when draws were recorded.
pub(crate) struct Bound {
    pub state: Arc<TileState>,
    pub fragment: Option<LaneFn>,
    /// The fragment stage with packed groups.
    pub packed: Option<LaneFn>,
    pub footprint: Option<Arc<Footprint>>,
    pub blend_constants: [f32; 4],
    pub depth_bounds: [f32; 2],
    /// Of front and back faces.
    pub stencil: [StencilDynamic; 2],
    pub line_stipple: LineStipple,
    pub occlusion: Option<Arc<AtomicU64>>,
    /// Shape of the fragment stage's stamps, and its lanes.
    pub shape: &'static StampShape,
    pub lanes: u32,
    /// Planes of the fragment stage's inputs.
    pub n_planes: usize,
    /// Places of the samples, where they are not the standard ones.
    pub places: Option<Box<Places>>,
    /// Sizes of fragments, where they may have several pixels.
    pub rates: Option<Rates>,
    /// Depth range of each viewport, ascending.
    pub depth_ranges: SmallVec<[[f32; 2]; 1]>,
}

impl Bound {
    /// Drawing does more than write attachments.
    pub fn acts(&self) -> bool {
        self.occlusion.is_some()
            || self.state.desc.fragment.as_ref().is_some_and(|f| f.writes_memory)
            || self.reads_in_order()
    }

    /// Positions of so many samples.
    pub fn positions(&self, samples: u32) -> &[[f32; 2]; SAMPLE_POSITIONS] {
        self.places.as_ref().map_or_else(|| table(samples), |p| &p.positions)
    }

    /// Likewise, from the centre, in 1/256 pixels.
    pub fn offsets_fx8(&self, samples: u32) -> &[[i32; 2]] {
        self.places.as_ref().map_or_else(|| offsets_fx8(samples), |p| &p.offsets_fx8[..samples as usize])
    }

    /// What earlier primitives wrote to attachments is read.
    pub fn reads_in_order(&self) -> bool {
        self.state.desc.reads_in_order != [false; 2]
    }

    /// Every covered texel of every one of these attachments is written, whatever was there.
    pub fn replaces(&self, colors: &[Option<Attachment>]) -> bool {
        let merge = &self.state.merge;
        merge.depth_format.is_none() && merge.stencil.is_none() && self.covers(colors)
    }

    /// Of these attachments, every texel is written that passes early tests, whatever was there.
    pub fn covers(&self, colors: &[Option<Attachment>]) -> bool {
        let (desc, merge) = (&self.state.desc, &self.state.merge);
        let keeps_fragments = self.state.shades
            && !self.state.masked_out()
            && desc.fragment.as_ref().is_some_and(|f| !f.discards)
            && merge.sample_mask.is_none()
            && !desc.alpha_to_coverage;
        let written = |target: usize| {
            merge.colors.iter().any(|c| c.target == target && c.blend.equations.is_none() && c.plain())
        };
        keeps_fragments && colors.iter().enumerate().all(|(i, c)| c.is_none() || written(i))
    }

    /// Nothing but colours is left to do when its fragment stage runs, so that this may wait.
    pub fn defers(&self) -> bool {
        let late = self.state.late_tests();
        self.rates.is_none()
            && !self.acts()
            && self.state.kernels(self.lanes).is_some()
            && !late.test
            && !late.write
    }
}
