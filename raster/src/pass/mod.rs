//! A render pass: draws are recorded, then the front and the tiles run in parallel.
//!
//! Owns the order of execution. [`Pass::draw`] only records the draw; [`Pass::end`] (or a flush, when much has been
//! recorded) runs the front unit by unit, then tile by tile.
//!
//! * here: the pass and its bound state;
//! * [`units`]: splits draws into units of work;
//! * [`flush`]: runs the units and tiles, and ends a pass.
//!
//! Left to others: the work of a unit (`front`) and of a tile (`tiles`), and threads ([`crate::pool`]).

mod flush;
mod units;

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use quadrille_jit::abi::{PUSH_BYTES, interface_words};
use quadrille_jit::call::LaneFn;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::StageKind;
use smallvec::SmallVec;

use crate::bins::{Chunk, StampShape, TileGrid, kind};
use crate::draw_state::DrawState;
use crate::feedback::TransformFeedback;
use crate::footprint::Footprint;
use crate::front::bound::FrontBoundState;
use crate::front::setup::ViewTransform;
use crate::front::unit::Unit;
use crate::limits::{MAX_FRAMEBUFFER_PX, MAX_OVERESTIMATION_PX, SUBPIXELS};
use crate::memory::buffer::{BufferRange, IndexBuffer};
use crate::memory::format::Format;
use crate::pool::padded::Padded;
use crate::pool::{Pool, Watched};
use crate::record::DrawRecord;
pub use crate::record::{Draw, MeshDraw, Owner, Stats};
use crate::resources::{BoundResources, KeptResources};
use crate::samples::{Places, reach_fx8};
use crate::state::{ConservativeMode, DrawStateDesc, Dynamic, PreRasterStage, StageInfo};
pub use crate::tiles::attachment::{
    Attachment, LoadOp, Missing, PassDesc, RateAttachment, ResolveMode, StoreOp,
};
use crate::tiles::bound::TileBoundState;
pub use crate::tiles::density_map::{DensityMap, density_texel_px};
use crate::tiles::discards::Discards;
use crate::tiles::rates::Rates;

/// State that stays bound from draw to draw, as it is passed to [`Pass::bind`]. The pass keeps the parts that the front
/// and the tiles read.
pub struct BoundState<'a> {
    /// Prepared fixed-function state.
    pub state: &'a Arc<DrawState>,
    /// Owner of the state and the shaders.
    pub owner: Option<Arc<dyn Owner>>,
    /// The stages before rasterization, in the order of the state's stages.
    pub stages: &'a [&'a LaneFn],
    /// Fragment stage.
    pub fragment: Option<&'a LaneFn>,
    /// The fragment stage compiled for packed groups, in which small primitives are shaded.
    pub packed: Option<&'a LaneFn>,
    /// Measures the size of the primitives that the stage shades.
    pub footprint: Option<&'a Arc<Footprint>>,
    /// Viewports and other state that needs no preparation.
    pub dynamic: &'a Dynamic,
    /// Descriptor sets and push constants.
    pub resources: BoundResources<'a>,
    /// Vertex buffers, by binding number.
    pub vertex_buffers: &'a [BufferRange],
    /// Index buffer.
    pub index: Option<IndexBuffer>,
    /// Transform feedback that captures the primitives.
    pub feedback: Option<&'a Arc<TransformFeedback>>,
    /// Counter of the samples that pass the depth and stencil tests.
    pub occlusion: Option<&'a Arc<AtomicU64>>,
}

/// A bind of a pass, for [`Pass::bind_again`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BindNumber {
    number: u32,
    epoch: u64,
}

/// Bound state of recorded draws, by number of the bind.
#[derive(Default)]
struct Binds {
    front: Vec<FrontBoundState>,
    tiles: Vec<TileBoundState>,
    resources: Vec<KeptResources>,
    /// Number of the bind for the draws that follow.
    current: u32,
    /// Number of the time since binds were dropped, unlike those of all other passes.
    epoch: u64,
}

impl Binds {
    /// The current bind, as the front sees it.
    fn current(&self) -> Option<&FrontBoundState> {
        self.front.get(self.current as usize)
    }

    /// Drops all but the current bind, which becomes the first.
    fn keep_current(&mut self) {
        let at = self.current as usize;
        keep_one(&mut self.front, at);
        keep_one(&mut self.tiles, at);
        keep_one(&mut self.resources, at);
        self.current = 0;
        self.epoch = new_epoch();
    }
}

/// A number that no call has returned before.
fn new_epoch() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Drops all elements but the one at `at`.
fn keep_one<T>(list: &mut Vec<T>, at: usize) {
    if at < list.len() {
        list.swap(0, at);
        list.truncate(1);
    }
}

/// Memory of an ended pass, kept in the pool for the next pass.
#[derive(Default)]
struct Memory {
    /// Neighbours are written by different threads.
    chunks: Vec<Padded<Mutex<Chunk>>>,
    binds: Binds,
    pushes: Vec<[u8; PUSH_BYTES]>,
    draws: Vec<DrawRecord>,
    units: Vec<Unit>,
}

impl Memory {
    /// Empties the memory, and frees chunks that are too large to keep.
    fn emptied(mut self) -> Self {
        for chunk in self.chunks.iter_mut().filter_map(|c| c.get_mut().ok()) {
            chunk.trim();
        }
        self.binds.front.clear();
        self.binds.tiles.clear();
        self.binds.resources.clear();
        self.binds.current = 0;
        self.pushes.clear();
        self.draws.clear();
        self.units.clear();
        self
    }
}

/// A render pass that is being recorded.
pub struct Pass<'p> {
    pool: &'p Pool,
    desc: PassDesc,
    area: [i32; 4],
    grid: TileGrid,
    samples: u32,
    binds: Binds,
    pushes: Vec<[u8; PUSH_BYTES]>,
    draws: Vec<DrawRecord>,
    units: Vec<Unit>,
    /// Range of the small draws gathered for the next unit, and their number of vertices.
    gathering: (Range<u32>, u32),
    /// Budget clock of the command whose draws are being recorded; it continues across flushes.
    watched: Option<Watched>,
    /// Number of draws of nothing so far.
    idle: u32,
    /// `true` if draws of earlier commands are recorded too.
    mixed: bool,
    /// `true` while attachments still have to be cleared or expanded.
    clear: bool,
    chunks: Vec<Padded<Mutex<Chunk>>>,
    stats: Stats,
}

impl<'p> Pass<'p> {
    /// Begins a pass. Fails with `Invalid` if the attachments are incompatible with each other.
    pub fn begin(pool: &'p Pool, desc: PassDesc) -> Result<Self> {
        desc.check()?;
        let layers = desc.layers.max(1);
        let attached = || desc.attached();
        let width = attached().map(|d| d.width).min().unwrap_or(MAX_FRAMEBUFFER_PX);
        let height = attached().map(|d| d.height).min().unwrap_or(MAX_FRAMEBUFFER_PX);
        let end = |from: i32, n: u32, limit: u32| {
            (i64::from(from) + i64::from(n)).clamp(0, i64::from(limit)) as i32
        };
        let r = desc.area;
        let area = [r.x.max(0), r.y.max(0), end(r.x, r.width, width), end(r.y, r.height, height)];
        let grid = TileGrid::new(area, layers)?;
        let clears = |a: &Attachment| matches!(a.load, LoadOp::Clear(_)) || a.expand.is_some();
        let clear = desc.all().any(clears);
        let Memory { chunks, mut binds, pushes, draws, units } = pool.take();
        binds.epoch = new_epoch();
        let samples = desc.n_samples();
        Ok(Pass {
            pool,
            desc,
            area,
            grid,
            samples,
            binds,
            pushes,
            draws,
            units,
            gathering: (0..0, 0),
            watched: None,
            idle: 0,
            mixed: false,
            clear,
            chunks,
            stats: Stats::default(),
        })
    }

    /// Binds state for the draws that follow. Fails with `Invalid` if the state is incompatible with the attachments.
    pub fn bind(&mut self, b: &BoundState<'_>) -> Result<BindNumber> {
        self.check(b)?;
        self.adopt_samples(b.state.desc())?;
        let lanes = b.fragment.map_or(8, |f| f.meta().lanes);
        b.state.tiles.prepare(lanes)?;
        let views = if b.state.front.names_viewports() { b.dynamic.viewports.len() } else { 1 };
        // The samples of larger fragments are anywhere in their pixels.
        let by_map = self.desc.density.is_some();
        let centered = self.samples == 1 && !by_map;
        let view = |i| ViewTransform::new(b.dynamic, i, self.area, b.state.desc(), centered);
        let views: SmallVec<[_; 1]> = (0..views).map(view).collect();
        let shape = StampShape::of(lanes);
        let moved = self.samples > 1 && b.state.desc().sample_locations;
        let places = moved.then(|| Places::new(&b.dynamic.sample_locations));
        let reach_fx8 = if moved || by_map { Places::REACH_FX8 } else { reach_fx8(self.samples) };
        self.pushes.push(*b.resources.push());
        self.binds.resources.push(b.resources.keep());
        self.binds.tiles.push(TileBoundState {
            state: b.state.tiles.clone(),
            fragment: b.fragment.cloned(),
            packed: b.packed.cloned(),
            footprint: b.footprint.cloned(),
            blend_constants: b.dynamic.blend_constants,
            depth_bounds: b.dynamic.depth_bounds,
            stencil: b.dynamic.stencil,
            line_stipple: b.dynamic.line_stipple,
            occlusion: b.occlusion.cloned(),
            shape,
            lanes,
            n_planes: b.state.front.links.len(),
            places: places.map(Box::new),
            rates: Rates::new(&b.dynamic.shading_rate, b.state.front.rate_plane, &self.desc, &b.state.tiles),
            depth_ranges: depth_ranges(b.state.desc(), b.dynamic, &views),
            discards: Discards::new(&b.dynamic.discard_rectangles),
        });
        self.binds.front.push(FrontBoundState {
            state: b.state.front.clone(),
            owner: b.owner.clone(),
            stages: b.stages.iter().map(|&f| f.clone()).collect(),
            patch: b.dynamic.patch_control_points.max(1),
            weight: b.state.front.weight(b.dynamic.patch_control_points.max(1)),
            depth_bias: b.dynamic.depth_bias,
            line_width: b.dynamic.line_width,
            line_stipple: b.dynamic.line_stipple,
            buffers: b.vertex_buffers.into(),
            index: b.index,
            feedback: b.feedback.cloned(),
            shape,
            reach_fx8,
            kind: if b.dynamic.discard_rectangles.used().is_empty() { 0 } else { kind::DISCARDS },
            grow_fx8: grow_fx8(b.state.desc(), b.dynamic),
            views,
        });
        self.binds.current = self.binds.front.len() as u32 - 1;
        Ok(BindNumber { number: self.binds.current, epoch: self.binds.epoch })
    }

    /// Binds the state of an earlier bind of this pass with other push constants. Returns false if that bind has been
    /// dropped.
    pub fn bind_again(&mut self, bind: BindNumber, push: &[u8]) -> bool {
        let kept = bind.epoch == self.binds.epoch;
        if kept {
            self.binds.current = bind.number;
            self.push(push);
        }
        kept
    }

    /// Takes the sample count from the draw state if the pass has no attachments.
    fn adopt_samples(&mut self, d: &DrawStateDesc) -> Result<()> {
        let samples = d.samples.max(1);
        if samples != self.samples && !d.rasterizer_discard && self.desc.attached().next().is_none() {
            self.flush()?;
            self.samples = samples;
            self.binds.keep_current();
        }
        Ok(())
    }

    fn check(&self, b: &BoundState<'_>) -> Result<()> {
        let d = b.state.desc();
        self.desc.accepts(d)?;
        if d.vertex_input_later && !d.has_mesh() {
            return Err(Error::invalid("a draw without vertex input state"));
        }
        let fits = |f: &LaneFn, info: &StageInfo| {
            let m = f.meta();
            matches!(m.lanes, 4 | 8 | 16 | 32)
                && m.n_input_words <= interface_words(&info.inputs)
                && m.n_output_words == interface_words(&info.outputs)
        };
        let stages = b.stages.len() == d.stages.len()
            && b.stages.iter().zip(&d.stages).all(|(f, s)| fits(f, &s.info) && is_of_kind(f, s));
        let fragment = match (b.fragment, &d.fragment) {
            (Some(f), Some(info)) => {
                fits(f, info)
                    && !f.meta().packed
                    && b.packed.is_none_or(|p| fits(p, info) && p.meta().packed && p.meta().lanes >= 8)
            }
            (f, info) => f.is_none() && info.is_none(),
        };
        if !stages || !fragment {
            return Err(Error::Internal("a lane function does not belong to its draw state".into()));
        }
        Ok(())
    }

    /// Changes the push constants for the draws that follow; bytes beyond `bytes` become zero.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut push = [0; PUSH_BYTES];
        let n = bytes.len().min(PUSH_BYTES);
        push[..n].copy_from_slice(&bytes[..n]);
        self.pushes.push(push);
    }
}

/// Range to which depth is clamped in each of these viewports, or nothing if depth is not clamped. Spec: Vulkan, "Depth
/// Clamping and Range Adjustment".
fn depth_ranges(d: &DrawStateDesc, dynamic: &Dynamic, views: &[ViewTransform]) -> SmallVec<[[f32; 2]; 1]> {
    let float = matches!(d.depth_format, Some(Format::D32_SFLOAT | Format::D32_SFLOAT_S8_UINT));
    let zero_one = d.depth_format.is_some() && d.depth_zero_one[usize::from(float)];
    if !d.depth_clamp && !zero_one {
        return SmallVec::new();
    }
    let range = |v: &ViewTransform| {
        let own = dynamic.depth_clamp_range.unwrap_or(v.depth);
        let range = if d.depth_clamp { own } else { [f32::NEG_INFINITY, f32::INFINITY] };
        if zero_one { range.map(|z| z.clamp(0.0, 1.0)) } else { range }
    };
    views.iter().map(range).collect()
}

/// See [`FrontBoundState::grow_fx8`].
fn grow_fx8(d: &DrawStateDesc, dynamic: &Dynamic) -> Option<i32> {
    let half = SUBPIXELS / 2;
    let more = (dynamic.overestimation.clamp(0.0, MAX_OVERESTIMATION_PX) * SUBPIXELS as f32).ceil() as i32;
    match d.conservative {
        ConservativeMode::Disabled => None,
        ConservativeMode::Overestimate => Some(half + more),
        ConservativeMode::Underestimate => Some(-half),
    }
}

/// True if the sizes in the lane function's metadata match the stage's execution modes and patch interface.
fn is_of_kind(f: &LaneFn, s: &PreRasterStage) -> bool {
    let m = f.meta();
    match s.kind {
        StageKind::TessellationControl(_) => m.n_patch_words == interface_words(&s.info.patch_outputs),
        StageKind::TessellationEvaluation(_) => m.n_patch_words <= interface_words(&s.info.patch_inputs),
        StageKind::Geometry(g) => {
            (m.max_vertices, m.invocations.max(1)) == (g.max_vertices, g.invocations.max(1))
        }
        StageKind::Mesh(mesh) => {
            (m.max_vertices, m.max_primitives) == (mesh.max_vertices, mesh.max_primitives)
                && m.n_primitive_words == interface_words(&s.info.primitive_outputs)
        }
        _ => true,
    }
}
