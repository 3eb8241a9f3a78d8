//! A render pass: draws are recorded, then the front and the tiles run in parallel.
//!
//! Owns the order of things. [`Pass::draw`] only notes what to draw; [`Pass::end`] (or a flush, when
//! much has been recorded) runs the front unit by unit, then tile by tile.

use std::ops::Range;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::abi::{Descriptor, PUSH_BYTES, interface_words};
use quadrille_jit::call::LaneFn;
use quadrille_jit::error::{Error, Result};
use smallvec::SmallVec;

use crate::bins::{Chunk, StampShape, TileGrid, intersect};
use crate::compute::ended;
use crate::draw_state::DrawState;
use crate::front::assembly::{Span, split};
use crate::front::setup::ViewTransform;
use crate::front::unit::{Unit, run_unit};
use crate::invoke::{BoundResources, SetPointers};
use crate::limits::{
    FLUSH_TILES, FLUSH_UNITS, MAX_COLOR_TARGETS, MAX_FRAMEBUFFER_PX, STIPPLED_STRIP_VERTICES, TILE_PX,
    UNIT_DRAWS, UNIT_VERTICES,
};
use crate::memory::buffer::{BufferRange, IndexBuffer};
use crate::memory::format::{Aspects, Format};
use crate::memory::target::{Target, TargetDesc};
use crate::pool::{Budget, Pool, Watched};
use crate::samples::offered;
use crate::state::{DepthBias, DrawStateDesc, Dynamic, LineStipple, Rect, StageInfo, StencilDynamic};
use crate::tiles::resolve::resolve;
use crate::tiles::tile::{clear_tile, run_tile};

/// What an attachment holds when the pass begins. Spec: VkAttachmentLoadOp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LoadOp {
    /// What it held before.
    #[default]
    Load,
    /// This value: bits of R, G, B, A as the format's numeric type wants them (depth: bits of the
    /// `f32` in R; stencil: the value in R).
    Clear([u32; 4]),
    /// Anything; here: what it held before.
    DontCare,
}

/// What becomes of the contents. Spec: VkAttachmentStoreOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreOp {
    /// They are kept.
    #[default]
    Store,
    /// They may be lost; here: they are kept.
    DontCare,
}

/// What becomes of the samples of a pixel. Spec: VkResolveModeFlagBits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ResolveMode {
    /// Sample 0.
    SampleZero,
    /// Their average; of integers sample 0.
    #[default]
    Average,
    /// The least.
    Min,
    /// The greatest.
    Max,
}

/// An attachment of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Where it is.
    pub target: Target,
    /// At the beginning.
    pub load: LoadOp,
    /// At the end.
    pub store: StoreOp,
    /// Single-sampled target that the samples are resolved to at the end.
    pub resolve: Option<Target>,
    /// How.
    pub resolve_mode: ResolveMode,
}

impl Attachment {
    /// An attachment that is loaded and stored.
    pub fn load(target: Target) -> Self {
        Attachment {
            target,
            load: LoadOp::Load,
            store: StoreOp::Store,
            resolve: None,
            resolve_mode: ResolveMode::Average,
        }
    }

    /// An attachment that is cleared and stored.
    pub fn clear(target: Target, value: [u32; 4]) -> Self {
        Attachment { load: LoadOp::Clear(value), ..Attachment::load(target) }
    }
}

/// What a pass renders to.
#[derive(Clone, Debug, Default)]
pub struct PassDesc {
    /// Colour attachments, by location.
    pub colors: [Option<Attachment>; MAX_COLOR_TARGETS],
    /// Depth attachment.
    pub depth: Option<Attachment>,
    /// Stencil attachment.
    pub stencil: Option<Attachment>,
    /// Pixels that may be touched.
    pub area: Rect,
    /// Layers that may be touched; 0 counts as 1.
    pub layers: u32,
    /// Samples when there are no attachments; 0 counts as 1.
    pub samples: u32,
    /// Time that each flush may take.
    pub budget: Budget,
}

impl PassDesc {
    /// All attachments.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Attachment> {
        self.colors.iter().flatten().chain(&self.depth).chain(&self.stencil)
    }

    fn attached(&self) -> impl Iterator<Item = &TargetDesc> {
        self.all().map(|a| a.target.desc())
    }

    /// Samples of the attachments, or what stands in for them.
    fn n_samples(&self) -> u32 {
        self.attached().next().map_or(self.samples.max(1), |d| d.samples)
    }

    /// `Invalid` if attachments do not fit together, `Unsupported` for what passes do not offer.
    pub fn check(&self) -> Result<()> {
        let samples = self.n_samples();
        if self.attached().any(|d| d.samples != samples) {
            return Err(Error::invalid("attachments with different numbers of samples"));
        }
        if !offered(samples) {
            return Err(Error::unsupported(format!("{samples} rasterization samples")));
        }
        if self.attached().any(|d| d.layers < self.layers.max(1)) {
            return Err(Error::invalid("an attachment has fewer layers than the pass"));
        }
        for a in self.all() {
            if a.resolve.is_some_and(|r| r.format() != a.target.format() || r.desc().samples != 1) {
                return Err(Error::invalid("a resolve attachment with samples or of another format"));
            }
        }
        Ok(())
    }

    /// `Invalid` if draws of this state do not fit the attachments.
    pub fn accepts(&self, d: &DrawStateDesc) -> Result<()> {
        if self.attached().next().is_some() && d.samples.max(1) != self.n_samples() {
            return Err(Error::invalid(format!(
                "a pipeline of {} samples with attachments of {}",
                d.samples.max(1),
                self.n_samples()
            )));
        }
        for (i, format) in d.color_formats.iter().enumerate() {
            if let (Some(f), Some(a)) = (format, self.colors.get(i).copied().flatten())
                && a.target.format() != *f
            {
                return Err(Error::invalid(format!("colour attachment {i} is not of the pipeline's format")));
            }
        }
        if let (Some(f), Some(a)) = (d.depth_format, self.depth)
            && f.plane(Aspects::DEPTH) != a.target.format().plane(Aspects::DEPTH)
        {
            return Err(Error::invalid("the depth attachment is not of the pipeline's format"));
        }
        let stencil = self.stencil.map(|a| a.target.format());
        if d.stencil_format.is_some() && stencil.is_some_and(|f| f != Format::S8_UINT) {
            return Err(Error::invalid("the stencil attachment is not of the pipeline's format"));
        }
        Ok(())
    }
}

/// State that stays bound from draw to draw.
pub struct Bind<'a> {
    /// Prepared fixed-function state.
    pub state: &'a Arc<DrawState>,
    /// Vertex stage.
    pub vertex: &'a LaneFn,
    /// Fragment stage.
    pub fragment: Option<&'a LaneFn>,
    /// Viewports and other state that needs no preparation.
    pub dynamic: &'a Dynamic,
    /// Descriptor sets and push constants.
    pub resources: BoundResources<'a>,
    /// Vertex buffers, by binding number.
    pub vertex_buffers: &'a [BufferRange],
    /// Index buffer.
    pub index: Option<IndexBuffer>,
    /// Counts samples that pass.
    pub occlusion: Option<&'a Arc<AtomicU64>>,
}

/// A draw. Spec: vkCmdDraw, vkCmdDrawIndexed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Draw {
    /// Takes its vertices from the index buffer.
    pub indexed: bool,
    /// firstVertex or firstIndex.
    pub first: u32,
    /// vertexCount or indexCount.
    pub count: u32,
    /// firstInstance.
    pub first_instance: u32,
    /// instanceCount.
    pub instances: u32,
    /// vertexOffset, added to indices.
    pub vertex_offset: i32,
    /// DrawIndex.
    pub draw_index: u32,
    /// ViewIndex.
    pub view_index: u32,
}

/// What a pass has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Vertices that draws asked for.
    pub input_vertices: u64,
    /// Primitives that draws asked for.
    pub input_primitives: u64,
    /// Invocations of the vertex stage.
    pub vertex_invocations: u64,
    /// Primitives that reached clipping.
    pub clipping_invocations: u64,
    /// Primitives that clipping put out.
    pub clipping_primitives: u64,
    /// Invocations of the fragment stage, without helpers.
    pub fragment_invocations: u64,
}

/// What was bound when draws were recorded.
pub(crate) struct BindRecord {
    pub state: Arc<DrawState>,
    pub vertex: LaneFn,
    pub fragment: Option<LaneFn>,
    pub blend_constants: [f32; 4],
    pub depth_bias: DepthBias,
    pub depth_bounds: [f32; 2],
    /// Of front and back faces.
    pub stencil: [StencilDynamic; 2],
    pub line_width: f32,
    pub line_stipple: LineStipple,
    sets: SetPointers,
    descriptors: Box<[Descriptor]>,
    pub buffers: Box<[BufferRange]>,
    pub index: Option<IndexBuffer>,
    pub occlusion: Option<Arc<AtomicU64>>,
    /// Shape of the fragment stage's stamps, and its lanes.
    pub shape: StampShape,
    pub lanes: u32,
    /// Viewports that primitives can be in.
    pub views: SmallVec<[ViewTransform; 1]>,
}

impl BindRecord {
    /// What shaders can reach, with these push constants.
    pub fn resources<'a>(&'a self, push: &'a [u8; PUSH_BYTES]) -> BoundResources<'a> {
        self.sets.with(&self.descriptors, push)
    }

    /// Drawing does more than write attachments.
    pub fn acts(&self) -> bool {
        self.occlusion.is_some() || self.state.desc.fragment.as_ref().is_some_and(|f| f.writes_memory)
    }

    /// Every covered texel of every one of these attachments is written, whatever was there.
    pub fn replaces(&self, colors: &[Option<Attachment>]) -> bool {
        let (desc, merge) = (&self.state.desc, &self.state.merge);
        let keeps_fragments = self.state.shades
            && !self.state.masked_out()
            && desc.fragment.as_ref().is_some_and(|f| !f.discards)
            && merge.depth_format.is_none()
            && merge.stencil.is_none()
            && merge.sample_mask.is_none()
            && !desc.alpha_to_coverage;
        let written = |target: usize| {
            merge.colors.iter().any(|c| c.target == target && c.blend.equations.is_none() && c.plain())
        };
        keeps_fragments && colors.iter().enumerate().all(|(i, c)| c.is_none() || written(i))
    }
}

/// A recorded draw.
pub(crate) struct DrawRecord {
    pub bind: u32,
    /// Number of the push constants.
    pub push: u32,
    pub draw: Draw,
}

/// What the front and the tiles read while a pass is flushed.
pub(crate) struct Recorded<'a> {
    pub desc: &'a PassDesc,
    /// Render area, clipped to the attachments: x0, y0, x1, y1.
    pub area: [i32; 4],
    pub grid: TileGrid,
    pub samples: u32,
    pub binds: &'a [BindRecord],
    pub pushes: &'a [[u8; PUSH_BYTES]],
    pub draws: &'a [DrawRecord],
    pub stop: &'a AtomicU32,
}

/// A render pass that is being recorded.
pub struct Pass<'p> {
    pool: &'p Pool,
    desc: PassDesc,
    area: [i32; 4],
    grid: TileGrid,
    samples: u32,
    binds: Vec<BindRecord>,
    pushes: Vec<[u8; PUSH_BYTES]>,
    draws: Vec<DrawRecord>,
    units: Vec<Unit>,
    /// Draws and vertices of the unit that small draws are being gathered in.
    gathering: (Range<u32>, u32),
    /// The clock of the command whose draws are being recorded: it runs on from flush to flush.
    watched: Option<Watched>,
    /// What is recorded includes draws of earlier commands.
    mixed: bool,
    /// Attachments still have to be cleared.
    clear: bool,
    chunks: Vec<Mutex<Chunk>>,
    stats: Stats,
}

impl<'p> Pass<'p> {
    /// Begins a pass. `Invalid` if attachments do not fit together.
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
        let clears = |a: &Attachment| matches!(a.load, LoadOp::Clear(_));
        let clear = desc.all().any(clears);
        let chunks = pool.take();
        let samples = desc.n_samples();
        Ok(Pass {
            pool,
            desc,
            area,
            grid,
            samples,
            binds: Vec::new(),
            pushes: Vec::new(),
            draws: Vec::new(),
            units: Vec::new(),
            gathering: (0..0, 0),
            watched: None,
            mixed: false,
            clear,
            chunks,
            stats: Stats::default(),
        })
    }

    /// Binds state for the draws that follow. `Invalid` if it does not fit the attachments.
    pub fn bind(&mut self, b: &Bind<'_>) -> Result<()> {
        self.check(b)?;
        let lanes = b.fragment.map_or(8, |f| f.meta().lanes);
        b.state.prepare(lanes)?;
        let views = if b.state.record.viewport.is_some() { b.dynamic.viewports.len() } else { 1 };
        let view = |i| ViewTransform::new(b.dynamic, i, self.area, &b.state.desc, self.samples);
        let views = (0..views).map(view).collect();
        self.pushes.push(*b.resources.push());
        self.binds.push(BindRecord {
            state: b.state.clone(),
            vertex: b.vertex.clone(),
            fragment: b.fragment.cloned(),
            blend_constants: b.dynamic.blend_constants,
            depth_bias: b.dynamic.depth_bias,
            depth_bounds: b.dynamic.depth_bounds,
            stencil: b.dynamic.stencil,
            line_width: b.dynamic.line_width,
            line_stipple: b.dynamic.line_stipple,
            sets: b.resources.set_pointers(),
            descriptors: b.resources.dynamic().into(),
            buffers: b.vertex_buffers.into(),
            index: b.index,
            occlusion: b.occlusion.cloned(),
            shape: StampShape::new(lanes),
            lanes,
            views,
        });
        Ok(())
    }

    fn check(&self, b: &Bind<'_>) -> Result<()> {
        let d = b.state.desc();
        self.desc.accepts(d)?;
        if d.vertex_input_later {
            return Err(Error::invalid("a draw without vertex input state"));
        }
        let fits = |f: &LaneFn, info: &StageInfo| {
            let m = f.meta();
            matches!(m.lanes, 4 | 8 | 16 | 32)
                && m.n_input_words <= interface_words(&info.inputs)
                && m.n_output_words == interface_words(&info.outputs)
        };
        let vertex = fits(b.vertex, &d.vertex);
        let fragment = match (b.fragment, &d.fragment) {
            (Some(f), Some(info)) => fits(f, info),
            (f, info) => f.is_none() && info.is_none(),
        };
        if !vertex || !fragment {
            return Err(Error::Internal("a lane function does not belong to its draw state".into()));
        }
        Ok(())
    }

    /// Changes the push constants for the draws that follow; bytes not given become zero.
    pub fn push(&mut self, bytes: &[u8]) {
        let mut push = [0; PUSH_BYTES];
        let n = bytes.len().min(PUSH_BYTES);
        push[..n].copy_from_slice(&bytes[..n]);
        self.pushes.push(push);
    }

    /// Draws with what is bound. `DeviceLost` if work recorded before had to run, and was stopped.
    pub fn draw(&mut self, draw: &Draw) -> Result<()> {
        self.begin_command();
        self.draw_next(draw)
    }

    /// Begins a command: the draws that follow, by [`Pass::draw_next`], share a budget.
    pub fn begin_command(&mut self) {
        self.watched = None;
        self.mixed = !self.units.is_empty() || !self.gathering.0.is_empty();
    }

    /// As [`Pass::draw`], for another draw of the same command.
    pub fn draw_next(&mut self, draw: &Draw) -> Result<()> {
        let Some(bind) = self.binds.last() else {
            return Err(Error::invalid("a draw without bound state"));
        };
        if draw.indexed && bind.index.is_none() {
            return Err(Error::invalid("an indexed draw without index buffer"));
        }
        if draw.count == 0 || draw.instances == 0 {
            return Ok(());
        }
        let state = bind.state.desc();
        let (topology, restart) = (state.topology, state.primitive_restart && draw.indexed);
        let index = bind.index;
        self.stats.input_vertices += u64::from(draw.count) * u64::from(draw.instances);
        let number = self.draws.len() as u32;
        self.draws.push(DrawRecord {
            bind: self.binds.len() as u32 - 1,
            push: self.pushes.len() as u32 - 1,
            draw: *draw,
        });

        // A stipple goes on along a strip.
        let stippled = state.line_stipple && topology.is_line_strip();
        let unit_vertices = if stippled { STIPPLED_STRIP_VERTICES } else { UNIT_VERTICES };
        let vertices = draw.count.saturating_mul(draw.instances);
        if vertices <= UNIT_VERTICES / 2 {
            if self.gathering.1 + vertices > UNIT_VERTICES || self.gathering.0.len() >= UNIT_DRAWS {
                self.close_gathering();
            }
            if self.gathering.0.is_empty() {
                self.gathering = (number..number, 0);
            }
            self.gathering.0.end = number + 1;
            self.gathering.1 += vertices;
            return if self.units.len() >= self.flush_units() { self.flush() } else { Ok(()) };
        }
        self.close_gathering();
        if draw.count <= UNIT_VERTICES {
            let span = Span { first: 0, end: draw.count, start: 0, primitive: 0 };
            let step = (UNIT_VERTICES / draw.count).max(1);
            let mut first = 0;
            while first < draw.instances {
                let end = first.saturating_add(step).min(draw.instances);
                self.unit(Unit::Part { draw: self.last_draw(), instances: first..end, span })?;
                first = end;
            }
            return Ok(());
        }
        for i in 0..draw.instances {
            let is_restart =
                |p: u32| index.is_some_and(|b| b.get(u64::from(draw.first) + u64::from(p)) == b.ty.restart());
            let is_restart: Option<&dyn Fn(u32) -> bool> = if restart { Some(&is_restart) } else { None };
            let mut result = Ok(());
            split(topology, draw.count, unit_vertices, is_restart, |span| {
                result = self.unit(Unit::Part { draw: self.last_draw(), instances: i..i + 1, span });
                result.is_ok()
            });
            result?;
        }
        Ok(())
    }

    fn last_draw(&self) -> u32 {
        self.draws.len() as u32 - 1
    }

    fn unit(&mut self, unit: Unit) -> Result<()> {
        self.units.push(unit);
        if self.units.len() >= self.flush_units() { self.flush() } else { Ok(()) }
    }

    /// Units recorded before a flush: fewer where the list of tiles alone is large.
    fn flush_units(&self) -> usize {
        (FLUSH_TILES / self.grid.len().max(1)).clamp(1, FLUSH_UNITS)
    }

    fn close_gathering(&mut self) {
        let (draws, _) = std::mem::take(&mut self.gathering);
        if !draws.is_empty() {
            self.units.push(Unit::Draws(draws));
        }
    }

    /// Runs what has been recorded. What is bound stays bound.
    fn flush(&mut self) -> Result<()> {
        self.close_gathering();
        if self.units.is_empty() && !self.clear {
            return Ok(());
        }
        // A command that began with nothing recorded goes on under the clock of its first flush.
        let watched = match self.watched.take() {
            Some(watched) => watched,
            None => Watched::begin(self.desc.budget)?,
        };
        let rec = Recorded {
            desc: &self.desc,
            area: self.area,
            grid: self.grid,
            samples: self.samples,
            binds: &self.binds,
            pushes: &self.pushes,
            draws: &self.draws,
            stop: watched.flag(),
        };
        let stats = Mutex::new(self.stats);
        let stopped: Mutex<Option<String>> = Mutex::new(None);
        let run = |f: &mut dyn FnMut(&mut Stats) -> Result<(), String>| {
            if rec.stop.load(Ordering::Relaxed) != 0 {
                let name = || rec.binds.last().map_or(String::new(), |b| b.state.desc.vertex.name.clone());
                lock(&stopped).get_or_insert_with(name);
                return;
            }
            let mut own = Stats::default();
            if let Err(name) = f(&mut own) {
                lock(&stopped).get_or_insert(name);
            }
            lock(&stats).add(&own);
        };

        let n = self.units.len();
        self.chunks.resize_with(self.chunks.len().max(n), Mutex::default);
        let rows = rec.grid.size[1] as usize;
        if n == 0 {
            self.pool.run_watched(&watched, rows * rec.grid.layers as usize, |i| {
                clear_tile(&rec, (i / rows) as u32, band(&rec.grid, rec.area, i % rows));
            });
        }
        // Where each unit left off because its chunk was full; 0 if it did not.
        let left_off: Vec<AtomicU64> = (0..n).map(|_| AtomicU64::new(0)).collect();
        let front = |i: usize, resume: u64| {
            let mut chunk = lock(&self.chunks[i]);
            chunk.reset(rec.grid.len());
            run(&mut |stats| {
                let at = run_unit(&rec, &self.units[i], resume, &mut chunk, stats)?;
                left_off[i].store(at, Ordering::Relaxed);
                Ok(())
            });
        };
        self.pool.run_watched(&watched, n, |i| front(i, 0));
        let (mut first, mut clear) = (0, self.clear);
        while first < n && lock(&stopped).is_none() {
            // Tiles, up to the first unit that is not complete.
            let full = (first..n).find(|&i| left_off[i].load(Ordering::Relaxed) != 0);
            let end = full.map_or(n, |i| i + 1);
            let guards: Vec<_> = self.chunks[first..end].iter().map(lock).collect();
            let chunks: Vec<&Chunk> = guards.iter().map(|g| &**g).collect();
            let tiles = if clear { (0..rec.grid.len() as u32).collect() } else { touched(&chunks) };
            self.pool.run_watched(&watched, tiles.len(), |i| {
                run(&mut |stats| run_tile(&rec, &chunks, tiles[i] as usize, clear, stats));
            });
            clear = false;
            drop(guards);
            first = end;
            if let Some(i) = full {
                first = i;
                front(i, left_off[i].swap(0, Ordering::Relaxed));
            }
        }
        self.stats = stats.into_inner().unwrap_or_default();
        self.clear = false;
        self.units.clear();
        if let Some(name) = stopped.into_inner().unwrap_or_default() {
            let fns = self.binds.iter().flat_map(|b| [Some(&b.vertex), b.fragment.as_ref()]).flatten();
            return Err(ended(fns, &name, self.desc.budget));
        }
        self.forget();
        self.watched = Some(watched).filter(|_| !self.mixed);
        self.mixed = false;
        Ok(())
    }

    /// Drops recorded draws; the last bound state, push constants and draw stay.
    fn forget(&mut self) {
        keep_last(&mut self.binds);
        keep_last(&mut self.pushes);
        keep_last(&mut self.draws);
        if let Some(d) = self.draws.last_mut() {
            (d.bind, d.push) = (0, 0);
        }
    }

    /// Runs what has been recorded and ends the pass. `DeviceLost` if a shader exceeds the budget.
    pub fn end(mut self) -> Result<Stats> {
        self.flush()?;
        self.resolve();
        for chunk in self.chunks.iter_mut().filter_map(|c| c.get_mut().ok()) {
            chunk.trim();
        }
        self.pool.give(std::mem::take(&mut self.chunks));
        Ok(self.stats)
    }
}

impl Pass<'_> {
    /// Resolves the attachments that ask for it.
    fn resolve(&self) {
        let rows = self.grid.size[1] as usize;
        for a in self.desc.all() {
            let Some(to) = &a.resolve else { continue };
            self.pool.run(rows * self.grid.layers as usize, |i| {
                let rect = band(&self.grid, self.area, i % rows).map(|v| v.max(0) as u32);
                resolve(&a.target, to, a.resolve_mode, (i / rows) as u32, rect);
            });
        }
    }
}

fn keep_last<T>(list: &mut Vec<T>) {
    let n = list.len();
    if n > 1 {
        list.swap(0, n - 1);
        list.truncate(1);
    }
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Tiles that some chunk has a list for, ascending.
fn touched(chunks: &[&Chunk]) -> Vec<u32> {
    let mut all: Vec<u32> = chunks.iter().flat_map(|c| c.touched.iter().copied()).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// The pixels of a row of tiles.
fn band(grid: &TileGrid, area: [i32; 4], row: usize) -> [i32; 4] {
    let y = (grid.origin[1] + row as u32) * TILE_PX;
    intersect(area, [0, y as i32, i32::MAX, (y + TILE_PX) as i32])
}

impl Stats {
    /// Adds what another pass has done.
    pub fn add(&mut self, other: &Stats) {
        self.input_vertices += other.input_vertices;
        self.input_primitives += other.input_primitives;
        self.vertex_invocations += other.vertex_invocations;
        self.clipping_invocations += other.clipping_invocations;
        self.clipping_primitives += other.clipping_primitives;
        self.fragment_invocations += other.fragment_invocations;
    }
}
