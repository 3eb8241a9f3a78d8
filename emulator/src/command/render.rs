//! Rendering scopes: turns attachments and draws into passes of the rasterizer.
//!
//! A scope is a sequence of passes of the rasterizer, with a pass for each view of multiview. Clears, barriers, timestamps,
//! queries and transform feedback end a pass; the next draw begins another, which loads what was stored.

use std::sync::Arc;

use quadrille_check::events::Excess;
use quadrille_jit::abi::Descriptor;
use quadrille_raster::buffer::{BufferRange, IndexBuffer};
use quadrille_raster::feedback::TransformFeedback;
use quadrille_raster::format::Aspects;
use quadrille_raster::limits::MAX_COLOR_TARGETS;
use quadrille_raster::pass::{
    Attachment, BindNumber, BoundState, Draw, LoadOp, MeshDraw, PassDesc, RateAttachment, StoreOp,
};
use quadrille_raster::state::Rect;
use quadrille_raster::target::Target;
use quadrille_raster::{Budget, Pass, Stats, Watched};
use smallvec::SmallVec;

use super::attachments::{AttachmentRecords, views_of};
use super::list::{BufferSlice, CommandList, DrawSnapshot, Indices, Indirect, IndirectDraw, Push, Ref, Run};
use super::observe::residency as missing;
use super::observe::{Invoked, Observers};
use super::queries::Counted;
use super::resources::{check_budget, dynamic_records, resources};
use super::state::{RECENT, remember};
use crate::device::{Device, Order};
use crate::error::Result;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::resource::copies::{ClearAttachment, ClearRect};
use crate::resource::image::ImageView;

/// A draw snapshot of any list: the list's number, and the place in its table.
type SnapshotKey = (u64, Ref<DrawSnapshot>);

/// A bind in each of the passes.
type PassBinds = SmallVec<[BindNumber; 1]>;

/// One of this many binds has its primitives measured. The number is odd, so that programs that alternate between two
/// pipelines have both measured.
const MEASURED_BINDS: u32 = 7;

/// A scope that is being executed.
pub(super) struct Scope<'d, 'l> {
    device: &'d Device,
    info: &'l RenderingInfo,
    /// One pass, or one per view; empty if no pass is open.
    passes: Vec<Pass<'d>>,
    /// The draw snapshot and push constants that are bound to the passes.
    bound: Option<(SnapshotKey, Run)>,
    /// Calls that were bound lately, and their bind in each pass.
    recent: SmallVec<[(SnapshotKey, PassBinds); RECENT]>,
    /// Number of binds so far.
    binds: u32,
    /// Descriptors of the attachments, once a fragment shader reads them. The passes refer to them.
    attachments: Option<Arc<AttachmentRecords>>,
    /// `true` if the load operations of the attachments are done.
    loaded: bool,
    counted: Counted,
    feedback: Option<Arc<TransformFeedback>>,
    /// `true` if the pass runs on one thread, so that atomics take effect in order.
    ordered: bool,
    /// Statistics of ended passes.
    stats: Stats,
}

/// The memory of an attachment: all layers, or the layer of a multiview view.
fn target(view: &ImageView, aspect: Aspects, layer: Option<u32>) -> Result<Target> {
    layer.map_or_else(|| view.target(aspect), |l| view.target_layers(aspect, l, 1))
}

fn attachment(
    info: &RenderingInfo,
    a: &RenderingAttachment,
    aspect: Aspects,
    layer: Option<u32>,
    loaded: bool,
) -> Result<Attachment> {
    let (view, single) = views_of(a, info)?;
    let loaded_view = layer.is_some_and(|l| a.loaded_views >> l & 1 != 0);
    let load = if loaded || loaded_view { LoadOp::Load } else { a.load };
    let begins_as = single.as_ref().filter(|_| !loaded && !matches!(load, LoadOp::Clear(_)));
    let ends_as = single.as_ref().filter(|_| a.store == StoreOp::Store);
    // The resolve attachment may lack an aspect.
    let resolve = a.resolve.as_ref().filter(|v| v.image().format().aspects().contains(aspect));
    Ok(Attachment {
        target: target(&view, aspect, layer)?,
        load,
        expand: begins_as.map(|v| target(v, aspect, layer)).transpose()?,
        store: a.store,
        resolve: resolve.or(ends_as).map(|v| target(v, aspect, layer)).transpose()?,
        resolve_mode: a.resolve_mode,
    })
}

/// The views of a view mask; one `None` without multiview.
fn views(mask: u32) -> impl Iterator<Item = Option<u32>> {
    let none = (mask == 0).then_some(None);
    none.into_iter().chain((0..32).filter(move |v| mask >> v & 1 != 0).map(Some))
}

fn pass_desc(info: &RenderingInfo, view: Option<u32>, loaded: bool, budget: Budget) -> Result<PassDesc> {
    let mut colors = [None; MAX_COLOR_TARGETS];
    for (to, a) in colors.iter_mut().zip(&info.colors) {
        *to = a.as_ref().map(|a| attachment(info, a, Aspects::COLOR, view, loaded)).transpose()?;
    }
    let of = |a: &Option<RenderingAttachment>, aspect| {
        a.as_ref().map(|a| attachment(info, a, aspect, view, loaded)).transpose()
    };
    // A shading rate attachment with several layers has one per view.
    let rate = info.shading_rate.as_ref().map(|a| -> Result<_> {
        let layer = view.filter(|_| a.view.desc().layers > 1);
        Ok(RateAttachment { target: target(&a.view, Aspects::COLOR, layer)?, texel_px: a.texel_px })
    });
    Ok(PassDesc {
        shading_rate: rate.transpose()?,
        density: info.density_map.as_ref().map(|map| map.of_view(view)).transpose()?,
        colors,
        depth: of(&info.depth, Aspects::DEPTH)?,
        stencil: of(&info.stencil, Aspects::STENCIL)?,
        area: info.area,
        layers: if view.is_some() { 1 } else { info.layers.max(1) },
        samples: info.single_sampled_as,
        budget,
        missing: missing::attached(info, view.unwrap_or(0)),
    })
}

/// The render targets of a scope. Recording checks them here, so that execution cannot fail.
pub(super) fn check(info: &RenderingInfo) -> Result<PassDesc> {
    let mut last = PassDesc::default();
    for view in views(info.view_mask) {
        last = pass_desc(info, view, false, Budget::NONE)?;
        last.check()?;
    }
    Ok(last)
}

impl<'d, 'l> Scope<'d, 'l> {
    pub fn new(device: &'d Device, info: &'l RenderingInfo, counted: Counted) -> Self {
        let stats = Stats::default();
        Scope {
            device,
            info,
            passes: Vec::new(),
            bound: None,
            recent: SmallVec::new(),
            binds: 0,
            attachments: None,
            loaded: info.resuming,
            counted,
            feedback: None,
            ordered: false,
            stats,
        }
    }

    /// The same scope with a longer-lived `info`. The caller has flushed all draws that borrow from the old list.
    pub fn carried<'m>(self, info: &'m RenderingInfo) -> Scope<'d, 'm> {
        Scope {
            device: self.device,
            info,
            passes: self.passes,
            bound: self.bound,
            recent: self.recent,
            binds: self.binds,
            attachments: self.attachments,
            loaded: self.loaded,
            counted: self.counted,
            feedback: self.feedback,
            ordered: self.ordered,
            stats: self.stats,
        }
    }

    /// Parameters of the scope.
    pub fn info(&self) -> &'l RenderingInfo {
        self.info
    }

    /// Number of queries that one command in this scope uses.
    pub fn n_queries(&self) -> u32 {
        self.info.view_mask.count_ones().max(1)
    }

    /// Sets what the draws count. The caller has flushed the draws that the previous queries count.
    pub fn set_counted(&mut self, counted: Counted) {
        self.counted = counted;
        self.unbind();
    }

    /// Begins or ends transform feedback. The caller has flushed earlier draws.
    pub fn set_feedback(&mut self, feedback: Option<Arc<TransformFeedback>>) {
        self.feedback = feedback;
        self.unbind();
    }

    /// Forgets the current and the recent binds.
    fn unbind(&mut self) {
        self.bound = None;
        self.recent.clear();
    }

    fn desc(&self, view: Option<u32>) -> Result<PassDesc> {
        pass_desc(self.info, view, self.loaded, self.device.budget())
    }

    fn passes(&mut self) -> Result<&mut [Pass<'d>]> {
        if self.passes.is_empty() {
            let pool = if self.ordered { self.device.one_thread() } else { self.device.pool() };
            for view in views(self.info.view_mask) {
                let pass = Pass::begin(pool, self.desc(view)?)?;
                self.passes.push(pass);
            }
            self.loaded = true;
        }
        Ok(&mut self.passes)
    }

    /// Ends the pass; the scope may continue with another pass. Returns the statistics since the last flush.
    pub fn flush(&mut self) -> Result<Stats> {
        self.unbind();
        for pass in std::mem::take(&mut self.passes) {
            self.stats.add(&pass.end()?);
        }
        missing::rendered(self.info)?;
        Ok(std::mem::take(&mut self.stats))
    }

    /// Ends the pass, and keeps its statistics for the next flush.
    fn end_passes(&mut self) -> Result<()> {
        self.stats = self.flush()?;
        Ok(())
    }

    /// Ends the scope. Returns the statistics since the last flush.
    pub fn end(mut self) -> Result<Stats> {
        // Load operations happen even if nothing is drawn.
        self.passes()?;
        self.flush()
    }

    pub fn draw(
        &mut self,
        observers: &mut Observers<'_, 'l>,
        list: &'l CommandList,
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        draw: &Draw,
    ) -> Result<()> {
        self.begin_command(observers, list, snapshot, push)?;
        observers.draws(list, snapshot, draw);
        self.draw_next(draw)
    }

    pub fn draw_meshes(
        &mut self,
        observers: &mut Observers<'_, 'l>,
        list: &'l CommandList,
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        groups: [u32; 3],
    ) -> Result<()> {
        self.begin_command(observers, list, snapshot, push)?;
        self.draw_meshes_next(groups, 0)
    }

    /// Binds the state of a draw command, and starts the clock of its budget.
    fn begin_command(
        &mut self,
        observers: &mut Observers<'_, 'l>,
        list: &'l CommandList,
        snapshot: Ref<DrawSnapshot>,
        push: Run,
    ) -> Result<()> {
        observers.invokes(list, Invoked::Draw { snapshot, push, captured: self.feedback.is_some() });
        self.bind(list, snapshot, push)?;
        self.passes()?.iter_mut().for_each(Pass::begin_command);
        Ok(())
    }

    /// Runs a draw of the command that began last.
    fn draw_next(&mut self, draw: &Draw) -> Result<()> {
        let views = views(self.info.view_mask);
        for (pass, view) in self.passes()?.iter_mut().zip(views) {
            pass.draw_next(&Draw { view_index: view.unwrap_or(0), ..*draw })?;
        }
        Ok(())
    }

    /// Runs a mesh draw of the command that began last.
    fn draw_meshes_next(&mut self, groups: [u32; 3], draw_index: u32) -> Result<()> {
        let views = views(self.info.view_mask);
        for (pass, view) in self.passes()?.iter_mut().zip(views) {
            pass.draw_meshes_next(&MeshDraw { groups, draw_index, view_index: view.unwrap_or(0) })?;
        }
        Ok(())
    }

    fn bind(&mut self, list: &'l CommandList, at: Ref<DrawSnapshot>, push: Run) -> Result<()> {
        let key = ((list.number(), at), push);
        if self.bound == Some(key) {
            return Ok(());
        }
        let constants = list.push(push);
        if self.bound.is_some_and(|(bound, _)| bound == key.0) {
            // Only the push constants have changed.
            for pass in self.passes()? {
                pass.push(&constants[..]);
            }
            self.bound = Some(key);
            return Ok(());
        }
        let measured = self.binds.is_multiple_of(MEASURED_BINDS);
        self.binds = self.binds.wrapping_add(1);
        if measured || !self.bind_again(key.0, &constants[..])? {
            self.bind_anew(list, key.0, &constants, measured)?;
        }
        self.bound = Some(key);
        Ok(())
    }

    /// Binds a snapshot with its pipeline, buffers and descriptors. Its primitives are measured if `measured`.
    fn bind_anew(
        &mut self,
        list: &'l CommandList,
        key: SnapshotKey,
        constants: &Push,
        measured: bool,
    ) -> Result<()> {
        let snapshot = &list.draw_snapshots[key.1];
        let (prepared, bindings) = (&list.prepared[snapshot.prepared], &list.bindings[snapshot.bindings]);
        let pipeline = &list.graphics[prepared.pipeline];
        let dynamic: Vec<Descriptor> = dynamic_records(list, bindings);
        let slices = list.vertex_buffers(snapshot.vertex_buffers);
        let vertex_buffers = slices.iter().map(|slice| range_of(list, slice)).collect::<Result<Vec<_>>>()?;
        let index = match &snapshot.index {
            Some(Indices { slice, ty, restart }) => {
                Some(IndexBuffer { range: range_of(list, slice)?, ty: *ty, restart: *restart })
            }
            None => None,
        };
        let (counted, feedback) = (self.counted.clone(), self.feedback.clone());
        let fragment = pipeline.fragment();
        let needs_order = pipeline.variants().any(|v| v.needs_order);
        let stages: SmallVec<[_; 4]> = pipeline.stages().iter().map(|v| v.lane_fn()).collect();
        let ordered = needs_order && self.device.options().order == Order::Strict;
        if ordered != self.ordered {
            self.end_passes()?;
            self.ordered = ordered;
        }
        let state = &list.states[prepared.state];
        let reads = fragment.is_some_and(|f| f.shader.reads_attachments != [false; 2]);
        if reads && self.attachments.is_none() {
            self.attachments = Some(Arc::new(AttachmentRecords::new(self.info)?));
        }
        let attachments = self.attachments.clone().filter(|_| reads);
        let wide = fragment.filter(|_| measured).and_then(|f| f.wide.as_ref());
        let footprint = wide.map(|w| &w.footprint);
        let records = attachments.as_deref().map_or(&[][..], AttachmentRecords::records);
        let bind = BoundState {
            state,
            owner: Some(pipeline.owner()),
            stages: &stages,
            fragment: fragment.map(|f| if counted.texels { f.lane_fn() } else { f.lane_fn_for(state) }),
            packed: fragment.filter(|_| !counted.texels).and_then(|f| f.packed_fn()),
            footprint,
            dynamic: &prepared.dynamic,
            resources: resources(self.device, list, bindings, constants, &dynamic, records),
            vertex_buffers: &vertex_buffers,
            index,
            feedback: feedback.as_ref(),
            occlusion: counted.samples.as_ref(),
        };
        let binds = self.passes()?.iter_mut().map(|pass| pass.bind(&bind)).collect::<Result<PassBinds>>()?;
        if footprint.is_none() {
            self.recent.retain(|(snapshot, _)| *snapshot != key);
            remember(&mut self.recent, (key, binds));
        }
        Ok(())
    }

    /// Binds a snapshot again with other push constants, where every pass still has it.
    fn bind_again(&mut self, snapshot: SnapshotKey, constants: &[u8]) -> Result<bool> {
        let Some((_, binds)) = self.recent.iter().find(|(recent, _)| *recent == snapshot) else {
            return Ok(false);
        };
        let binds = binds.clone();
        let mut passes = self.passes()?.iter_mut().zip(binds);
        Ok(passes.all(|(pass, bind)| pass.bind_again(bind, constants)))
    }

    pub fn draw_indirect(
        &mut self,
        observers: &mut Observers<'_, 'l>,
        list: &'l CommandList,
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        indirect: &Indirect,
    ) -> Result<()> {
        // The parameters in memory are complete: transfers and dispatches cannot run inside of a pass, and a program
        // that stores parameters in an earlier draw must end the pass first.
        let mut draws = indirect.max_draws;
        if let Some((buffer, offset)) = &indirect.count {
            draws = draws.min(list.buffers[*buffer].read_array::<u32, 1>(*offset)?[0]);
        }
        let parameters = &list.buffers[indirect.buffer];
        self.begin_command(observers, list, snapshot, push)?;
        for draw_index in 0..draws {
            // Parameters past the end of the buffer draw nothing.
            let Some(p) = indirect.parameters(parameters, draw_index) else {
                let end = indirect.at(draw_index).saturating_add(indirect.kind.words() as u64 * 4);
                let pipeline = &list.graphics[list.prepared[list.draw_snapshots[snapshot].prepared].pipeline];
                if let Some(first) = pipeline.variants().next() {
                    observers.exceeds(&first.shader, Excess::Parameters { end, size: parameters.size() });
                }
                return Ok(());
            };
            match indirect.kind.draw(&p, draw_index) {
                IndirectDraw::Meshes(groups) => self.draw_meshes_next(groups, draw_index)?,
                IndirectDraw::Vertices(draw) => {
                    observers.draws(list, snapshot, &draw);
                    self.draw_next(&draw)?;
                }
            }
        }
        Ok(())
    }

    /// Clears rectangles of attachments.
    pub fn clear(&mut self, attachments: &[ClearAttachment], rects: &[ClearRect]) -> Result<()> {
        self.passes()?;
        self.end_passes()?;
        let watched = Watched::begin(self.device.budget())?;
        let each = rects.iter().flat_map(|r| views(self.info.view_mask).map(move |view| (r, view)));
        for (rect, view) in each {
            // With multiview, a rectangle's layer 0 stands for the layer of the view.
            let left = self.info.layers.max(1).saturating_sub(rect.base_layer);
            let (base_layer, layers) = view.map_or((rect.base_layer, rect.layers.min(left)), |v| (v, 1));
            let area = intersect(rect.rect, self.info.area);
            let Some(area) = area.filter(|_| layers > 0) else { continue };
            check_budget(self.device, &watched, "clear_attachments")?;
            let missing = missing::attached(self.info, base_layer);
            let mut desc = PassDesc { area, layers, missing, ..PassDesc::default() };
            let cleared = |a: &RenderingAttachment, aspect, value: [u32; 4]| -> Result<Attachment> {
                let (view, _) = views_of(a, self.info)?;
                Ok(Attachment::clear(view.target_layers(aspect, base_layer, layers)?, value))
            };
            for clear in attachments {
                match clear {
                    ClearAttachment::Color(i, value) => {
                        let a = self.info.colors.get(*i as usize).and_then(Option::as_ref);
                        if let (Some(a), Some(to)) = (a, desc.colors.get_mut(*i as usize)) {
                            *to = Some(cleared(a, Aspects::COLOR, *value)?);
                        }
                    }
                    ClearAttachment::Depth(depth) => {
                        if let Some(a) = &self.info.depth {
                            desc.depth = Some(cleared(a, Aspects::DEPTH, [depth.to_bits(), 0, 0, 0])?);
                        }
                    }
                    ClearAttachment::Stencil(stencil) => {
                        if let Some(a) = &self.info.stencil {
                            desc.stencil = Some(cleared(a, Aspects::STENCIL, [*stencil, 0, 0, 0])?);
                        }
                    }
                }
            }
            Pass::begin(self.device.pool(), desc)?.end()?;
        }
        missing::rendered(self.info)
    }
}

fn range_of(list: &CommandList, slice: &Option<BufferSlice>) -> Result<BufferRange> {
    match slice {
        None => Ok(BufferRange::EMPTY),
        Some(slice) => {
            let (memory, base) = list.buffers[slice.buffer].memory()?;
            memory.buffer_range(base + slice.offset, slice.size)
        }
    }
}

fn intersect(a: Rect, b: Rect) -> Option<Rect> {
    let end = |r: Rect| (i64::from(r.x) + i64::from(r.width), i64::from(r.y) + i64::from(r.height));
    let (x, y) = (a.x.max(b.x), a.y.max(b.y));
    let (x1, y1) = (end(a).0.min(end(b).0), end(a).1.min(end(b).1));
    let (width, height) = (x1 - i64::from(x), y1 - i64::from(y));
    (width > 0 && height > 0).then_some(Rect { x, y, width: width as u32, height: height as u32 })
}
