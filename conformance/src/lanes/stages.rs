//! Runs the stages between vertices and fragments on plain memory: vertex, tessellation and geometry.
#![expect(unsafe_code, reason = "calls lane functions, which take raw pointers")]

use quadrille_jit::abi::{self, Ctx};
use quadrille_jit::call::LaneFn;
use quadrille_jit::ir::{MAX_STREAMS, Shader, StageKind};
use quadrille_jit::{Error, Result};

use super::in_two;
use super::job::{Emitted, Given, Outcome, Records};
use super::lines::{Lines, bytes_of, dirty};

/// Records as a previous stage might leave them: in another order, with gaps.
struct Linked {
    memory: Lines,
    table: Lines,
    stride: u32,
}

impl Records {
    fn link(&self) -> Linked {
        const GAP: u32 = 0xdead_beef;
        let n = self.there.len();
        let place = |w: usize| 1 + self.there[w + 1..].iter().filter(|t| **t).count() as u32;
        let table = (0..n).map(|w| if self.there[w] { place(w) } else { abi::NO_WORD });
        let stride = 2 + self.there.iter().filter(|t| **t).count();
        let mut memory = vec![GAP; stride * self.words.len().max(1)];
        for (record, words) in memory.chunks_mut(stride).zip(&self.words) {
            for w in (0..n).filter(|w| self.there[*w]) {
                record[place(w) as usize] = words.get(w).copied().unwrap_or(0);
            }
        }
        let table = Lines::of(&bytes_of(table.collect::<Vec<_>>()));
        Linked { memory: Lines::of(&bytes_of(memory)), table, stride: stride as u32 }
    }
}

/// Records in reverse order.
fn reversed(mut linked: Linked) -> Linked {
    let words = linked.memory.words();
    let list: Vec<u32> = words.chunks(linked.stride as usize).rev().flatten().copied().collect();
    linked.memory = Lines::of(&bytes_of(list));
    linked
}

/// Returns the first `count` records.
fn records(mut out: Lines, count: u32, words: usize) -> Vec<Vec<u32>> {
    let all = out.words();
    (0..count as usize).map(|v| all[v * words..(v + 1) * words].to_vec()).collect()
}

/// Runs vertices; `input` contains the words of each vertex.
pub(super) fn vertices(
    f: &LaneFn,
    ctx: &mut Ctx,
    given: &Given,
    count: u32,
    input: &[Vec<u32>],
) -> (u32, Outcome) {
    let (meta, s) = (f.meta(), f.meta().lanes);
    let round = count.next_multiple_of(s);
    let mut ids = Lines::of(&bytes_of(0..round));
    let mut instances = Lines::of(&bytes_of((0..round).map(|_| given.instance)));
    let word = |vertex: u32, row: u32| {
        input.get(vertex as usize).and_then(|v| v.get(row as usize)).copied().unwrap_or(0)
    };
    let mut words = Vec::new();
    for group in (0..round).step_by(s as usize) {
        for row in 0..meta.n_input_words {
            words.extend((0..s).map(|lane| word(group + lane, row)));
        }
    }
    let mut input = Lines::of(&bytes_of(words));
    let record = meta.n_output_words as usize;
    // The shader writes whole groups.
    let mut out = Lines::new(4 * record * round as usize);
    ctx.base_vertex = given.base_vertex;
    ctx.base_instance = given.base_instance;
    ctx.draw_index = given.draw_index;
    ctx.view_index = given.view_index;
    ctx.vertex_ids = ids.pointer().cast();
    ctx.instance_ids = instances.pointer().cast();
    ctx.input = input.pointer();
    ctx.output = out.pointer();
    // SAFETY: `run_until` built `ctx` with memory of the sizes that `meta` states, and the lines above point it to live
    // ids, input rows and output records, with room up to the next multiple of S.
    let status = unsafe { f.call(ctx, 0, count) };
    (status, Outcome { output: records(out, count, record), ..Outcome::default() })
}

/// Lists the records of the stage's vertices: in descending order, because the last vertex has the first record.
fn tell_vertices(ctx: &mut Ctx, linked: &mut Linked, list: &mut Lines, size: u32) {
    ctx.in_records = linked.memory.pointer().cast();
    ctx.in_stride = linked.stride;
    ctx.in_words = linked.table.pointer().cast();
    ctx.in_vertices = list.pointer().cast();
    ctx.in_vertex_count = size;
}

/// Runs `count` patches of `size` control points.
pub(super) fn patches(
    f: &LaneFn,
    ctx: &mut Ctx,
    given: &Given,
    (size, count): (u32, u32),
    vertices: &Records,
) -> Result<(u32, Outcome)> {
    let meta = f.meta();
    let mut linked = reversed(vertices.link());
    let (patch_words, words) = (meta.n_patch_words as usize, meta.n_output_words as usize);
    let n = meta.output_vertices as usize;
    // Room for one word more than the shader writes.
    let stride = patch_words + n * words + 1;
    let mut records = dirty(stride * count as usize);
    let mut list = Lines::of(&bytes_of((0..size * count).rev()));
    let mut ids = Lines::of(&bytes_of((0..count).map(|p| given.primitive_id + p)));
    tell_vertices(ctx, &mut linked, &mut list, size);
    ctx.primitive_ids = ids.pointer().cast();
    ctx.patch_records = records.pointer().cast();
    ctx.patch_stride = stride as u32;
    ctx.view_index = given.view_index;
    let status = in_two(f, ctx, count);
    let mut outcome = Outcome::default();
    for patch in records.words().chunks(stride).take(count as usize) {
        outcome.patches.push(patch[..patch_words].to_vec());
        let one = |v: usize| patch[patch_words + v * words..][..words].to_vec();
        outcome.output.extend((0..n).map(one));
        if patch[stride - 1] != 0xa5a5_a5a5 {
            return Err(Error::Internal("the shader wrote past the end of a patch".into()));
        }
    }
    Ok((status, outcome))
}

/// Runs the points of one patch.
pub(super) fn points(
    f: &LaneFn,
    ctx: &mut Ctx,
    given: &Given,
    (vertices, patch): (&Records, &Records),
    coords: &[[f32; 3]],
) -> (u32, Outcome) {
    let meta = f.meta();
    let (mut linked, mut patch) = (vertices.link(), patch.link());
    let count = coords.len() as u32;
    let round = count.next_multiple_of(meta.lanes) as usize;
    let row = |c: usize| (0..round).map(move |i| coords.get(i).map_or(f32::NAN, |p| p[c]).to_bits());
    let mut rows = [0, 1, 2].map(|c| Lines::of(&bytes_of(row(c))));
    let mut id = Lines::of(&bytes_of([given.primitive_id]));
    let record = meta.n_output_words as usize;
    let mut out = Lines::new(4 * record * round);
    ctx.in_records = linked.memory.pointer().cast();
    ctx.in_stride = linked.stride;
    ctx.in_words = linked.table.pointer().cast();
    ctx.in_vertex_count = vertices.words.len() as u32;
    ctx.primitive_ids = id.pointer().cast();
    ctx.patch_records = patch.memory.pointer().cast();
    ctx.patch_stride = patch.stride;
    ctx.patch_words = patch.table.pointer().cast();
    for (at, row) in ctx.tess_coord.iter_mut().zip(&mut rows) {
        *at = row.pointer().cast();
    }
    ctx.output = out.pointer();
    ctx.view_index = given.view_index;
    // SAFETY: `run_until` built `ctx` with memory of the sizes that `meta` states, and the lines above point it to live
    // coordinates and records, with room up to the next multiple of S.
    let status = unsafe { f.call(ctx, 0, count) };
    (status, Outcome { output: records(out, count, record), ..Outcome::default() })
}

/// Output memory of one stream of geometry units: vertices, starts of strips, and vertex counts.
struct Room {
    vertices: Lines,
    cuts: Lines,
    counts: Lines,
}

impl Room {
    /// Makes room for `units` units, each of which emits up to `most` vertices of `words` words.
    fn new(units: usize, most: usize, words: usize) -> Room {
        let [vertices, cuts, counts] = [words * most, most.div_ceil(32), 1].map(|n| dirty(units * n));
        Room { vertices, cuts, counts }
    }

    /// Collects the vertices that the units emitted.
    fn emitted(mut self, most: usize, words: usize) -> Result<Emitted> {
        if [&mut self.vertices, &mut self.cuts, &mut self.counts].into_iter().any(Lines::was_damaged) {
            return Err(Error::Internal("the shader wrote outside of the emitted vertices".into()));
        }
        let (all, cuts) = (self.vertices.words(), self.cuts.words());
        let mut e = Emitted { counts: self.counts.words(), ..Emitted::default() };
        for (unit, &n) in e.counts.iter().enumerate() {
            for v in 0..(n as usize).min(most) {
                e.vertices.push(all[(unit * most + v) * words..][..words].to_vec());
                e.begins.push(cuts[unit * most.div_ceil(32) + v / 32] >> (v % 32) & 1);
            }
        }
        Ok(e)
    }
}

/// Runs `count` primitives through a geometry shader.
pub(super) fn primitives(
    shader: &Shader,
    f: &LaneFn,
    ctx: &mut Ctx,
    given: &Given,
    (count, vertices): (u32, &Records),
) -> Result<(u32, Outcome)> {
    let meta = f.meta();
    let StageKind::Geometry(modes) = shader.kind else {
        return Err(Error::invalid("no geometry"));
    };
    let size = modes.input.vertices();
    let mut linked = reversed(vertices.link());
    let mut list = Lines::of(&bytes_of((0..size * count).rev()));
    let mut ids = Lines::of(&bytes_of((0..count).map(|p| given.primitive_id + p)));
    tell_vertices(ctx, &mut linked, &mut list, size);
    ctx.primitive_ids = ids.pointer().cast();
    ctx.view_index = given.view_index;
    let units = count * meta.invocations;
    let (most, used) = (meta.max_vertices as usize, |k: usize| meta.streams >> k & 1 == 1);
    let words = |k: usize| meta.stream_words[k] as usize;
    let mut rooms: Vec<Room> = (0..MAX_STREAMS).map(|k| Room::new(units as usize, most, words(k))).collect();
    for (k, room) in rooms.iter_mut().enumerate().filter(|(k, _)| used(*k)) {
        ctx.emitted[k] = room.vertices.pointer().cast();
        ctx.emit_cuts[k] = room.cuts.pointer().cast();
        ctx.emit_counts[k] = room.counts.pointer().cast();
    }
    let status = in_two(f, ctx, units);
    let emitted = rooms.into_iter().enumerate().map(|(k, room)| match used(k) {
        true => room.emitted(most, words(k)),
        false => Ok(Emitted::default()),
    });
    Ok((status, Outcome { streams: emitted.collect::<Result<_>>()?, ..Outcome::default() }))
}
