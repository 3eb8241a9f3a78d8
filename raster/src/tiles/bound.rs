//! Bound state of recorded draws as the tiles read it. The state of stages before rasterization is left to
//! [`crate::front`].

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use quadrille_jit::abi::SAMPLE_POSITIONS;
use quadrille_jit::call::LaneFn;
use smallvec::SmallVec;

use super::attachment::Attachment;
use super::discards::Discards;
use super::rates::Rates;
use super::state::TileState;
use crate::bins::StampShape;
use crate::footprint::Footprint;
use crate::samples::{Places, offsets_fx8, table};
use crate::state::{LineStipple, StencilDynamic};

/// The part of the bound state that the tiles read.
pub(crate) struct TileBoundState {
    pub state: Arc<TileState>,
    pub fragment: Option<LaneFn>,
    /// The fragment stage compiled for packed groups.
    pub packed: Option<LaneFn>,
    pub footprint: Option<Arc<Footprint>>,
    pub blend_constants: [f32; 4],
    pub depth_bounds: [f32; 2],
    /// Dynamic stencil state of front and back faces.
    pub stencil: [StencilDynamic; 2],
    pub line_stipple: LineStipple,
    pub occlusion: Option<Arc<AtomicU64>>,
    /// Shape of the fragment stage's stamps, and its number of lanes.
    pub shape: &'static StampShape,
    pub lanes: u32,
    /// Number of planes of the fragment stage's inputs.
    pub n_planes: usize,
    /// Custom sample locations, if the draw has any.
    pub places: Option<Box<Places>>,
    /// Sources of fragment sizes, if fragments may have several pixels.
    pub rates: Option<Rates>,
    /// Rectangles in which pixels are kept or discarded.
    pub discards: Option<Discards>,
    /// Range to which depth is clamped in each viewport; empty if depth is not clamped.
    pub depth_ranges: SmallVec<[[f32; 2]; 1]>,
}

impl TileBoundState {
    /// True if drawing has effects other than writing attachments, or reads them.
    pub fn acts(&self) -> bool {
        self.occlusion.is_some()
            || self.state.desc.fragment.as_ref().is_some_and(|f| f.writes_memory)
            || self.reads_in_order()
    }

    /// Sample locations within the pixel, for `samples` samples.
    pub fn positions(&self, samples: u32) -> &[[f32; 2]; SAMPLE_POSITIONS] {
        self.places.as_ref().map_or_else(|| table(samples), |p| &p.positions)
    }

    /// Sample locations relative to the pixel centre, in 1/256 pixels.
    pub fn offsets_fx8(&self, samples: u32) -> &[[i32; 2]] {
        self.places.as_ref().map_or_else(|| offsets_fx8(samples), |p| &p.offsets_fx8[..samples as usize])
    }

    /// True if the fragment stage reads what earlier primitives wrote to attachments.
    pub fn reads_in_order(&self) -> bool {
        let desc = &self.state.desc;
        let by_shader = desc.fragment.as_ref().is_some_and(|f| f.reads_attachments != [false; 2]);
        by_shader || desc.reads_in_order != [false; 2]
    }

    /// True if a draw writes every covered texel of all these attachments, and reads none of them.
    pub fn replaces(&self, colors: &[Option<Attachment>]) -> bool {
        let merge = &self.state.merge;
        merge.depth_format.is_none()
            && merge.stencil.is_none()
            && !self.reads_in_order()
            && self.covers(colors)
    }

    /// True if a draw writes every texel of these attachments that passes early tests, regardless of previous contents.
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

    /// True if only colours remain to be written after the fragment stage, so that shading may be deferred.
    pub fn defers(&self) -> bool {
        let late = self.state.late_tests();
        self.rates.is_none()
            && !self.acts()
            && self.state.kernels(self.lanes).is_some()
            && !late.test
            && !late.write
    }
}
