//! Takes assembled primitives through culling, clipping and set-up to the bins. Clipping itself is left to
//! [`super::clip`], the computation of edges and planes to [`super::setup`]. Ordinary triangles wait in a [`Batch`], which
//! sets up many at once.

mod batch;

use quadrille_jit::abi::Plane;
use smallvec::SmallVec;

use self::batch::Batch;
use super::bound::FrontBoundState;
use super::clip::Clipper;
use super::lines::{line, point};
use super::output::{Output, Progress};
use super::setup::{Face, ScreenVertex, SetupState, ViewTransform, code, conservative, face, triangle};
use super::stages::Primitives;
use super::state::{Barycentric, FrontState};
use crate::bins::{Chunk, Prim, TileGrid};
use crate::feedback::Capture;
use crate::limits::SUBPIXELS;
use crate::record::{RecordedDraws, Stats};
use crate::state::PolygonMode;

/// Position in clip space; components that the shader does not write are zero.
#[inline(always)]
fn position(state: &FrontState, record: &[u32]) -> [f32; 4] {
    let layout = &state.record;
    let whole = layout.whole_position.and_then(|w| record.get(w as usize..)?.first_chunk());
    let component = |c: usize| layout.position[c].map_or(0, |w| record[w as usize]);
    // Written without `map` on arrays, which may compile to a call that passes the array through memory.
    let [x, y, z, w] = match whole {
        Some(words) => *words,
        None => [component(0), component(1), component(2), component(3)],
    };
    let (x, y, z, w) = (f32::from_bits(x), f32::from_bits(y), f32::from_bits(z), f32::from_bits(w));
    [x, y, if state.desc.negative_one_to_one { (z + w) * 0.5 } else { z }, w]
}

/// Memory for the steps from vertex records to binned primitives.
#[derive(Default)]
pub(super) struct RasterScratch {
    pub screen: Vec<ScreenVertex>,
    clipper: Clipper,
    batch: Batch,
}

/// Takes assembled primitives through clipping and set-up to the bins.
pub(super) struct Emitter<'a> {
    /// Set-up state of primitives that select neither layer nor viewport.
    setup: SetupState<'a>,
    views: &'a [ViewTransform],
    records: &'a [u32],
    words: usize,
    screen: &'a [ScreenVertex],
    clipper: &'a mut Clipper,
    /// Triangles that have been taken but not counted; see `batches`.
    batch: &'a mut Batch,
    grid: &'a TileGrid,
    chunk: &'a mut Chunk,
    stats: &'a mut Stats,
    at: &'a mut Progress,
    /// `true` if nothing is rasterized.
    discards: bool,
    /// `true` if triangles are filled and need no barycentric coordinates.
    plain: bool,
    /// `true` if triangles are plain and take no other way than set-up.
    batches: bool,
    /// Outputs to capture, if transform feedback is active.
    capture: Option<&'a Capture>,
    bind: u32,
    /// Planes with per-primitive values, as pairs of plane number and word number; and the words of the primitive.
    planes: &'a [[u32; 2]],
    of_primitive: &'a [u32],
}

/// The draw that primitives belong to.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub rec: &'a RecordedDraws<'a, FrontBoundState>,
    pub bound: &'a FrontBoundState,
    /// Number of the draw.
    pub draw: u32,
}

/// Captures a primitive of a stream, whose vertices are indices of records. The provoking vertex of a triangle comes
/// first in `v`. The captured order is that of the primitive: the provoking vertex comes first or, with `last`, last.
pub(super) fn capture_primitive(
    capture: &Capture,
    chunk: &mut Chunk,
    (bind, stream): (u32, u32),
    (records, words): (&[u32], usize),
    kind: Primitives,
    v: [u32; 3],
    last: bool,
) {
    let outputs = &capture.outputs[stream as usize];
    if outputs.is_empty() {
        return;
    }
    let v = if last && kind == Primitives::Triangles { [v[1], v[2], v[0]] } else { v };
    chunk.captured.begin(bind, stream);
    for &v in &v[..kind.vertices() as usize] {
        let record = &records[v as usize * words..(v as usize + 1) * words];
        outputs.iter().for_each(|o| chunk.captured.word(record.get(o.word as usize).copied().unwrap_or(0)));
    }
}

impl<'a> Place<'a> {
    /// Outputs to capture, if transform feedback is active.
    pub fn capture(&self) -> Option<&'a Capture> {
        self.bound.state.capture.as_ref().filter(|_| self.bound.feedback.is_some())
    }

    /// True if nothing is rasterized.
    pub fn discards(&self) -> bool {
        let state = &self.bound.state;
        let discards = state.desc.rasterizer_discard || state.desc.rasterization_stream != state.stream;
        discards || self.bound.views.is_empty()
    }

    /// Transforms the first `n` records to the first viewport; leaves `to` empty if nothing is rasterized.
    pub fn to_screen(&self, records: &[u32], n: usize, to: &mut Vec<ScreenVertex>) {
        to.clear();
        let Some(view) = self.bound.views.first().filter(|_| !self.discards()) else { return };
        let state = &*self.bound.state;
        let words = state.record.words as usize;
        for i in 0..n {
            to.push(screen_vertex(state, view, &records[i * words..(i + 1) * words]));
        }
    }

    /// Transforms a vertex to the first viewport.
    #[inline]
    pub fn screen(&self, record: &[u32]) -> ScreenVertex {
        match self.bound.views.first() {
            Some(view) => screen_vertex(&self.bound.state, view, record),
            None => ScreenVertex::default(),
        }
    }
}

impl<'a> Emitter<'a> {
    /// Returns an emitter for primitives of `records`. `screen` holds the same vertices in the first viewport.
    pub fn new(
        place: &Place<'a>,
        records: &'a [u32],
        raster: &'a mut RasterScratch,
        to: &'a mut Output<'_>,
    ) -> Self {
        let (rec, bound) = (place.rec, place.bound);
        let state = &*bound.state;
        let RasterScratch { screen, clipper, batch } = raster;
        batch.clear();
        let (capture, discards) = (place.capture(), place.discards());
        let plain = state.desc.polygon_mode == PolygonMode::Fill && !state.barycentric;
        let straight = !state.record.selects() && state.record.cull.is_empty() && bound.grow_fx8.is_none();
        let setup = SetupState {
            state,
            view: bound.views.first().unwrap_or(const { &ViewTransform::NONE }),
            bias: bound.depth_bias,
            line_width: bound.line_width,
            line_stipple: bound.line_stipple,
            draw: place.draw,
            layer: 0,
            viewport_index: 0,
            reach_fx8: bound.reach_fx8,
            kind: bound.kind,
            grow_fx8: bound.grow_fx8,
            blocks: (bound.reach_fx8 == 0 && bound.kind == 0).then_some(bound.shape),
        };
        Emitter {
            setup,
            views: &bound.views,
            records,
            words: state.record.words as usize,
            screen,
            clipper,
            batch,
            grid: &rec.grid,
            chunk: to.chunk,
            stats: to.stats,
            at: &mut to.at,
            discards,
            plain,
            batches: plain && straight && !discards && capture.is_none(),
            capture,
            bind: rec.draws[place.draw as usize].bind,
            planes: &[],
            of_primitive: &[],
        }
    }

    /// Sets layer, viewport and per-primitive planes of the primitives that follow. Returns false if there is no such
    /// viewport.
    pub fn of_primitive(
        &mut self,
        [layer, viewport]: [u32; 2],
        planes: &'a [[u32; 2]],
        words: &'a [u32],
    ) -> bool {
        self.batches = false;
        let Some(view) = self.views.get(viewport as usize) else { return false };
        self.setup = SetupState { view, layer, viewport_index: viewport, ..self.setup };
        (self.planes, self.of_primitive) = (planes, words);
        true
    }

    /// Fills in the planes with per-primitive values of a primitive whose first plane has this number.
    #[cold]
    fn fill_planes(&mut self, first: u32) {
        for &[plane, word] in self.planes {
            let a0 = f32::from_bits(self.of_primitive[word as usize]);
            self.chunk.parts.planes[(first + plane) as usize] = Plane { a0, dadx: 0.0, dady: 0.0 };
        }
    }

    /// Captures a primitive for transform feedback.
    #[cold]
    fn capture(&mut self, kind: Primitives, v: [u32; 3], last: bool) {
        if let Some(capture) = self.capture {
            let of = (self.bind, self.setup.state.stream);
            capture_primitive(capture, self.chunk, of, (self.records, self.words), kind, v, last);
        }
    }

    /// Emits the next primitive, unless the chunk is full. The provoking vertex of a triangle comes first; with `last`, the
    /// second vertex of a line is provoking. A stipple pattern begins anew unless the primitive continues a strip.
    ///
    /// Triangles may wait until [`Emitter::finish`] or a later call.
    #[inline(always)]
    pub fn next(&mut self, kind: Primitives, v: [u32; 3], last: bool, number: u32, begins: bool) {
        if self.batches && kind == Primitives::Triangles {
            if self.batch.add(v, number) {
                self.emit_batch();
            }
        } else if self.at.takes(self.chunk) {
            if begins {
                self.at.stipple_at = 0.0;
            }
            self.primitive(kind, v, last, number);
        }
    }

    /// Counts the next primitive without emitting it, unless the chunk is full.
    pub fn pass_over(&mut self) {
        self.at.takes(self.chunk);
    }

    /// Emits the triangles that wait. Returns the number of primitives that have been emitted for the current inputs.
    pub fn finish(mut self) -> u64 {
        self.emit_batch();
        self.at.primitives
    }

    /// True if the chunk is full and takes no more primitives.
    pub fn is_full(&self) -> bool {
        self.at.full
    }

    /// Emits a primitive.
    #[inline(always)]
    fn primitive(&mut self, kind: Primitives, v: [u32; 3], last: bool, number: u32) {
        if self.capture.is_some() {
            self.capture(kind, v, last);
        }
        if self.discards {
            return;
        }
        match kind {
            Primitives::Triangles if self.plain => self.triangle(v, number),
            Primitives::Triangles => self.other_triangle(v, last, number),
            Primitives::Lines => self.line([v[0], v[1]], last, number),
            Primitives::Points => self.point(v[0], number),
        }
    }

    #[inline(always)]
    fn record(&self, v: u32) -> &'a [u32] {
        &self.records[v as usize * self.words..(v as usize + 1) * self.words]
    }

    /// Set-up state of a primitive with this provoking vertex; `None` if its ViewportIndex is out of range.
    #[inline(always)]
    fn setup(&self, provoking: u32) -> Option<SetupState<'a>> {
        let mut setup = self.setup;
        let layout = &setup.state.record;
        if layout.selects() {
            let record = self.record(provoking);
            let word = |w: Option<u32>| w.map_or(0, |w| record[w as usize]);
            (setup.viewport_index, setup.layer) = (word(layout.viewport), word(layout.layer));
            setup.view = self.views.get(setup.viewport_index as usize)?;
        }
        Some(setup)
    }

    #[inline(always)]
    fn put(&mut self, prim: Option<Prim>, before: [usize; 2]) {
        match prim {
            Some(p) => {
                if !self.planes.is_empty() {
                    self.fill_planes(p.planes);
                }
                self.chunk.push(self.grid, p, self.setup.reach_fx8);
            }
            None => self.chunk.parts.back_to(before),
        }
    }

    /// True if all vertices have a negative value of the same cull distance.
    fn culled(&self, r: &[&[u32]]) -> bool {
        let beyond = |w: u32| r.iter().all(|r| f32::from_bits(r[w as usize]) < 0.0);
        self.setup.state.record.cull.iter().any(|&w| beyond(w))
    }

    /// A vertex in the viewport of `setup`.
    #[inline(always)]
    fn screen(&self, setup: &SetupState<'a>, v: u32) -> ScreenVertex {
        if setup.viewport_index == 0 {
            return self.screen[v as usize];
        }
        screen_vertex(setup.state, setup.view, self.record(v))
    }

    #[inline(always)]
    fn triangle(&mut self, v: [u32; 3], primitive: u32) {
        self.triangle_with::<false>(v, [0, 1, 2], primitive);
    }

    /// Emits a triangle that is not filled, or whose fragments need barycentric coordinates.
    #[cold]
    fn other_triangle(&mut self, v: [u32; 3], last: bool, primitive: u32) {
        // The provoking vertex comes first in `v`; with `last`, it is the last one of the primitive.
        let numbers = if last { [2, 0, 1] } else { [0, 1, 2] };
        match self.setup.state.desc.polygon_mode {
            PolygonMode::Fill => self.triangle_with::<true>(v, numbers, primitive),
            _ => self.unfilled(v, numbers, primitive),
        }
    }

    /// Emits a filled triangle; with `LONG`, always through the clipper. `numbers` are the indices of the vertices in
    /// the primitive.
    #[inline(always)]
    fn triangle_with<const LONG: bool>(&mut self, v: [u32; 3], numbers: [usize; 3], primitive: u32) {
        self.stats.clipping_invocations += 1;
        // Nothing here is copied that need not be: the copies would be loaded in larger pieces than they are stored in.
        let (own_setup, own_vertices);
        let setup = if self.setup.state.record.selects() {
            let Some(selected) = self.setup(v[0]) else { return };
            own_setup = selected;
            &own_setup
        } else {
            &self.setup
        };
        let r = [self.record(v[0]), self.record(v[1]), self.record(v[2])];
        if !setup.state.record.cull.is_empty() && self.culled(&r) {
            return;
        }
        let screen = self.screen;
        let sv = if setup.viewport_index == 0 {
            [&screen[v[0] as usize], &screen[v[1] as usize], &screen[v[2] as usize]]
        } else {
            own_vertices = r.map(|r| screen_vertex(setup.state, setup.view, r));
            own_vertices.each_ref()
        };
        let (any, all) = (sv[0].code | sv[1].code | sv[2].code, sv[0].code & sv[1].code & sv[2].code);
        if all & code::VIEW != 0 || any & code::BAD != 0 {
            return;
        }
        if LONG || any & code::CLIP != 0 {
            let setup = *setup;
            return self.clipped(&setup, r, numbers, primitive);
        }
        self.stats.clipping_primitives += 1;
        let before = self.chunk.parts.mark();
        let prim = triangle(setup, sv, &r, r[0], primitive, &mut self.chunk.parts);
        self.put(prim, before);
    }

    /// Emits a triangle as its edges or corners. Spec: Vulkan, "Polygon Mode".
    fn unfilled(&mut self, v: [u32; 3], numbers: [usize; 3], primitive: u32) {
        self.stats.clipping_invocations += 1;
        let r = v.map(|v| self.record(v));
        let Some(setup) = self.setup(v[0]) else { return };
        if self.culled(&r) || v.iter().any(|&v| self.screen(&setup, v).code & code::BAD != 0) {
            return;
        }
        // The facing is determined from the clipped polygon.
        let n = self.clipper.clip(
            self.setup.state,
            setup.view,
            r.map(|r| position(self.setup.state, r)),
            r,
            numbers,
            false,
        );
        let left = |i| setup.view.transform(self.clipper.vertex(self.setup.state, i).0, 0);
        let left: SmallVec<[ScreenVertex; 12]> = (0..n).map(left).collect();
        let Some(face) = face(&setup, &left) else { return };
        self.stats.clipping_primitives += 1;
        self.at.stipple_at = 0.0;
        let (long, flat) = (self.flat(r[0], in_order(r, numbers)), r[0]);
        let flat = long.as_deref().unwrap_or(flat);
        for i in 0..3 {
            if self.setup.state.desc.polygon_mode == PolygonMode::Line {
                let ends = [i, (i + 1) % 3];
                self.segment(&setup, ends.map(|e| v[e]), ends.map(|e| numbers[e]), flat, face, primitive);
            } else {
                self.dot(&setup, v[i], numbers[i], flat, face, primitive);
            }
        }
    }

    /// Clips a triangle, and emits a fan of the resulting polygon.
    #[cold]
    fn clipped(&mut self, setup: &SetupState<'a>, r: [&[u32]; 3], numbers: [usize; 3], primitive: u32) {
        let positions = r.map(|r| position(self.setup.state, r));
        let n = self.clipper.clip(self.setup.state, setup.view, positions, r, numbers, false);
        let long = self.flat(r[0], in_order(r, numbers));
        let flat = long.as_deref().unwrap_or(r[0]);
        let state = self.setup.state;
        let screen = |c: &Clipper, i: usize| setup.view.transform(c.vertex(state, i).0, 0);
        if let Some(grow_fx8) = setup.grow_fx8.filter(|_| n > 3) {
            let corners: SmallVec<[ScreenVertex; 12]> = (0..n).map(|i| screen(self.clipper, i)).collect();
            return self.conservative_polygon(setup, &corners, flat, primitive, grow_fx8);
        }
        for i in 2..n {
            let corners = [0, i - 1, i];
            let sv = corners.map(|i| screen(self.clipper, i));
            let cr = corners.map(|i| self.clipper.vertex(self.setup.state, i).1);
            self.stats.clipping_primitives += 1;
            let before = self.chunk.parts.mark();
            let [a, b, c] = &sv;
            let prim = triangle(setup, [a, b, c], &cr, flat, primitive, &mut self.chunk.parts);
            self.put(prim, before);
        }
    }

    /// Emits a clipped polygon, of which pixels are covered as a whole, in parts without a common pixel: one, unless it has many
    /// edges. Two triangles would both cover the pixels between them.
    fn conservative_polygon(
        &mut self,
        setup: &SetupState<'_>,
        all: &[ScreenVertex],
        flat: &[u32],
        primitive: u32,
        grow_fx8: i32,
    ) {
        let mut at: SmallVec<[[i32; 2]; 12]> = all.iter().map(|v| [v.x_fx8, v.y_fx8]).collect();
        let area = |i: usize| {
            let d = |k: usize, c: usize| i64::from(at[k][c] - at[0][c]);
            d(i, 0) * d(i + 1, 1) - d(i + 1, 0) * d(i, 1)
        };
        // The planes are those of the largest triangle, wherever it lies.
        let i = (1..all.len() - 1).rev().max_by_key(|&i| area(i).abs()).unwrap_or(1);
        if area(i) < 0 {
            at[1..].reverse();
        }
        let mut everywhere = *setup.view;
        everywhere.bounds = [i32::MIN, i32::MIN, i32::MAX, i32::MAX];
        let larger = SetupState { view: &everywhere, grow_fx8: Some(grow_fx8.max(SUBPIXELS / 2)), ..*setup };
        let corners = [0, i, i + 1];
        let [a, b, c] = corners.map(|i| self.clipper.vertex(self.setup.state, i).1);
        let before = self.chunk.parts.mark();
        let sv = [&all[0], &all[i], &all[i + 1]];
        let prim = triangle(&larger, sv, &[a, b, c], flat, primitive, &mut self.chunk.parts);
        self.stats.clipping_primitives += 1;
        let Some(prim) = prim else { return self.put(None, before) };
        self.chunk.parts.outlines.pop();
        let mut visible = false;
        conservative(setup, &at, grow_fx8, &mut |outline| {
            visible = true;
            let shape = self.chunk.parts.outline(outline);
            self.put(Some(Prim { shape, ..prim }), before);
        });
        if !visible {
            self.put(None, before);
        }
    }

    /// The provoking vertex's record followed by the records of all vertices, if the fragment stage needs them.
    fn flat(&self, flat: &[u32], all: [&[u32]; 3]) -> Option<Vec<u32>> {
        self.setup.state.barycentric.then(|| Barycentric::flat(flat, all))
    }

    /// Emits a line; with `last`, the second vertex is provoking.
    fn line(&mut self, v: [u32; 2], last: bool, primitive: u32) {
        self.stats.clipping_invocations += 1;
        let r = v.map(|v| self.record(v));
        let flat = r[usize::from(last)];
        let Some(setup) = self.setup(v[usize::from(last)]) else { return };
        // A line has no third vertex, so the second one is repeated.
        let long = self.flat(flat, [r[0], r[1], r[1]]);
        let flat = long.as_deref().unwrap_or(flat);
        if !self.culled(&r) && self.segment(&setup, v, [0, 1], flat, Face::NONE, primitive) {
            self.stats.clipping_primitives += 1;
        }
    }

    /// Emits a line, or an edge of a polygon; returns false if it is clipped away entirely.
    fn segment(
        &mut self,
        setup: &SetupState<'a>,
        v: [u32; 2],
        numbers: [usize; 2],
        flat: &[u32],
        face: Face,
        primitive: u32,
    ) -> bool {
        let mut records = v.map(|v| self.record(v));
        let mut sv = v.map(|v| self.screen(setup, v));
        let (any, all) = (sv[0].code | sv[1].code, sv[0].code & sv[1].code);
        if any & code::BAD != 0 || all & code::VIEW != 0 {
            return false;
        }
        // A line wider than a pixel must be clipped to the view volume: its outer part could reach into it.
        let wide = setup.line_width > 1.0;
        if any & code::CLIP != 0 || (wide && any & code::VIEW != 0) || self.setup.state.barycentric {
            let positions = records.map(|r| position(self.setup.state, r));
            if self.clipper.clip(self.setup.state, setup.view, positions, records, numbers, wide) != 2 {
                return false;
            }
            let ends = [0, 1].map(|i| self.clipper.vertex(self.setup.state, i));
            sv = ends.map(|e| setup.view.transform(e.0, any));
            records = ends.map(|e| e.1);
        }
        let before = self.chunk.parts.mark();
        let [a, b] = &sv;
        let (at, parts) = (&mut self.at.stipple_at, &mut self.chunk.parts);
        let prim = line(setup, [a, b], records, flat, face, primitive, at, parts);
        self.put(prim, before);
        true
    }

    fn point(&mut self, v: u32, primitive: u32) {
        self.stats.clipping_invocations += 1;
        let r = self.record(v);
        let Some(setup) = self.setup(v) else { return };
        let long = self.flat(r, [r; 3]);
        let flat = long.as_deref().unwrap_or(r);
        if !self.culled(&[r]) && self.dot(&setup, v, 0, flat, Face::NONE, primitive) {
            self.stats.clipping_primitives += 1;
        }
    }

    /// Emits a point, or a corner of a polygon; returns false if it is clipped away.
    fn dot(
        &mut self,
        setup: &SetupState<'a>,
        v: u32,
        number: usize,
        flat: &[u32],
        face: Face,
        primitive: u32,
    ) -> bool {
        let (r, sv) = (self.record(v), self.screen(setup, v));
        if sv.code & (code::VIEW | code::CLIP | code::BAD) != 0 {
            return false;
        }
        let size = self.setup.state.record.point_size.map_or(1.0, |w| f32::from_bits(r[w as usize]));
        let before = self.chunk.parts.mark();
        let long = setup.state.barycentric.then(|| [r, &Barycentric::weights(number)].concat());
        let r = long.as_deref().unwrap_or(r);
        let prim = point(setup, &sv, size, r, flat, face, primitive, &mut self.chunk.parts);
        self.put(prim, before);
        true
    }
}

/// Reorders per-vertex values by the indices of the vertices in the primitive.
fn in_order<T: Copy>(of: [T; 3], numbers: [usize; 3]) -> [T; 3] {
    let mut all = of;
    numbers.iter().zip(of).for_each(|(&n, one)| all[n] = one);
    all
}

/// Transforms a vertex to framebuffer space, or only computes its outcode if the position is outside the guard band or
/// not finite.
#[inline(always)]
fn screen_vertex(state: &FrontState, view: &ViewTransform, record: &[u32]) -> ScreenVertex {
    let p = position(state, record);
    let mut code = view.outcode(p);
    let outside = |d: f32| d < 0.0 || d.is_nan();
    if state.record.clip.iter().any(|&w| outside(f32::from_bits(record[w as usize]))) {
        code |= code::USER;
    }
    if code & (code::GUARD | code::BAD) == 0 {
        return view.transform(p, code);
    }
    ScreenVertex { code, ..ScreenVertex::default() }
}
