//! The trace: reports an event for each command of a list when it has run.
//!
//! `described` has the wording of the objects and state that commands use. If pictures are wanted after each draw, the
//! pass is flushed after the draw, as by a barrier; this does not change the results.

use std::fmt;
use std::time::Instant;

use quadrille_raster::format::Aspects;
use quadrille_raster::pass::Draw;

use super::super::effects::At;
use super::super::list::{
    ByteCount, Command, CommandList, CopyQueryResults, DispatchSnapshot, DrawKind, DrawSnapshot, Indirect,
    Ref, Run, TraceSnapshot,
};
use super::super::note::{Dependency, Note, NotedBarrier, NotedOf};
use super::described::{self, attachment, attachments, clear_value, shaders};
use super::{Observer, decompressions, structures};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::object::Shared;
use crate::object::names::Names;
use crate::render_pass::RenderingInfo;
use crate::resource::buffer::Buffer;
use crate::resource::copies::ClearAttachment;
use crate::trace::{Event, Level, Shot, Trace, TracePictures, accesses, layout, stages, words};

/// The submission whose commands are reported.
#[derive(Clone, Copy)]
pub(crate) struct Told {
    /// Number of the frame that the submission belongs to.
    pub frame: u64,
    /// Number of the submission.
    pub submit: u64,
}

/// Reports the commands of a list to the trace.
pub(super) struct Tracer<'d, 'l> {
    trace: &'d Trace,
    names: &'d Names,
    told: Told,
    /// Nesting depth of events: 2 plus the number of open labels and passes.
    depth: usize,
    /// The open pass and its start time.
    pass: Option<(&'l RenderingInfo, Instant)>,
    /// Start time of the current command.
    came: Instant,
    /// The event of the current command, if its parameters are in memory.
    coming: Option<Event>,
}

impl<'d, 'l> Tracer<'d, 'l> {
    /// `None` unless the device has a trace and the submission is traced.
    pub fn new(device: &'d Device, told: Option<Told>) -> Option<Self> {
        let (trace, names, told) = (device.trace()?, device.names()?, told?);
        Some(Tracer { trace, names, told, depth: 2, pass: None, came: Instant::now(), coming: None })
    }

    fn tell(&self, depth: usize, event: Event) {
        let Told { frame, submit } = self.told;
        self.trace.tell(Event { frame, submit, depth, ..event });
    }

    /// `true` if pictures are wanted right after this command.
    fn wants_pictures(&self, command: &Command) -> bool {
        use Command as C;
        let draws = matches!(
            command,
            C::Draw { .. }
                | C::DrawMeshes { .. }
                | C::DrawIndirect { .. }
                | C::DrawByteCount { .. }
                | C::ClearAttachments { .. }
        );
        draws && self.trace.pictures() == Some(TracePictures::Draw) && self.trace.tells("draw", Level::Info)
    }

    fn tell_done(&mut self, at: &At<'_, 'l>, failed: Option<&Error>) {
        let (took, depth) = (self.came.elapsed(), self.depth);
        let (list, command, skipped) = (at.list, at.command, at.skipped);
        let coming = self.coming.take();
        let Some(mut event) = coming.or_else(|| self.event(list, command)) else { return };
        if skipped {
            event.message += ": skipped by conditional rendering";
        } else if !matches!(command, Command::Note(_) | Command::BeginRendering(_)) {
            event.fields.insert("microseconds", (took.as_micros() as u64).into());
        }
        if let Some(error) = failed {
            event.message += &format!(": {error}");
            event.level = Level::Error;
        }
        if failed.is_none() && !skipped && self.wants_pictures(command) {
            event.shots = self.pass.map_or_else(Vec::new, |(info, _)| self.shots(info, &mut event.message));
        }
        if let Command::EndRendering = command
            && let Some((info, began)) = self.pass.take()
        {
            event.message += &format!(" after {:.3} ms", began.elapsed().as_secs_f64() * 1e3);
            if self.trace.pictures().is_some() && self.trace.tells("pass", Level::Info) {
                event.shots = self.shots(info, &mut event.message);
            }
        }
        // The end of a pass or label has the same indentation as its beginning.
        let closes = matches!(command, Command::EndRendering) || is_end_of_label(list, command);
        self.tell(if closes { self.depth } else { depth }, event);
    }

    /// Takes pictures of the attachments of a pass, or of their resolved images.
    fn shots(&self, info: &RenderingInfo, message: &mut String) -> Vec<Shot> {
        let mut shots = Vec::new();
        for (name, a) in attachments(info) {
            let aspect = match name.as_str() {
                "depth" => Aspects::DEPTH,
                "stencil" => Aspects::STENCIL,
                _ => Aspects::COLOR,
            };
            // The pass has not been resolved before its end; sample 0 is shown.
            let resolved = a.resolve.as_ref().filter(|_| self.pass.is_none());
            let view = resolved.unwrap_or(&a.view);
            let shot = view.read_first_layer(aspect).and_then(|(format, size, bytes)| {
                let caption = self.names.described(view);
                Shot::new(name.clone(), caption, (format, size, &bytes))
            });
            match shot {
                Ok(shot) => shots.push(shot),
                Err(e) => *message += &format!(", no picture of {name}: {e}"),
            }
        }
        shots
    }

    fn event(&mut self, list: &'l CommandList, command: &'l Command) -> Option<Event> {
        use Command as C;
        Some(match command {
            C::Dispatch { snapshot, push, groups, .. } => {
                self.dispatch(list, *snapshot, *push, Some(*groups))
            }
            C::DispatchIndirect { snapshot, push, buffer, offset } => {
                let groups = list.buffers[*buffer].read_array(*offset).ok();
                self.dispatch(list, *snapshot, *push, groups)
            }
            C::TraceRays { snapshot, push, source } => {
                self.trace_rays(list, *snapshot, *push, list[*source].size())
            }
            C::BeginRendering(info) => self.begin_pass(&list[*info]),
            C::EndRendering => {
                self.depth = self.depth.saturating_sub(1);
                Event::new("pass", "end of the pass".into())
            }
            C::Draw { snapshot, push, draw } => self.draw(list, *snapshot, *push, &drawn(draw)),
            C::DrawMeshes { snapshot, push, groups } => {
                self.draw(list, *snapshot, *push, &format!("{} mesh workgroups", times(groups)))
            }
            C::DrawIndirect { snapshot, push, indirect } => {
                self.draw(list, *snapshot, *push, &self.indirect(list, &list[*indirect]))
            }
            C::DrawByteCount { snapshot, push, bytes } => {
                self.draw(list, *snapshot, *push, &counted(list, &list[*bytes]))
            }
            C::ClearAttachments { attachments, rects } => {
                self.clear(list.regions(*attachments), list.regions(*rects).len())
            }
            C::BeginFeedback(_) => Event::new("sync", "begin transform feedback".into()),
            C::EndFeedback(_) => Event::new("sync", "end transform feedback".into()),
            C::ResetQueries { pool, first, count } => {
                self.query(list, *pool, &format!("reset queries {first}..{}", first + count))
            }
            C::BeginQuery { pool, query, .. } => self.query(list, *pool, &format!("begin query {query}")),
            C::EndQuery { pool, query } => self.query(list, *pool, &format!("end query {query}")),
            C::WriteTimestamp { pool, query } => {
                self.query(list, *pool, &format!("write timestamp to query {query}"))
            }
            C::CopyQueryResults(copy) => self.results(list, &list[*copy]),
            C::BuildStructures(builds) => structures::builds(self.names, &list[*builds]),
            C::CopyStructure(copy) => structures::copy(self.names, list, &list[*copy]),
            C::WriteStructureProperties(query) => structures::properties(self.names, list, &list[*query]),
            C::BeginConditional { buffer, offset, inverted } => {
                self.conditional(&list.buffers[*buffer], *offset, *inverted)
            }
            C::EndConditional => Event::new("sync", "end conditional rendering".into()),
            C::SetEvent(event) => self.sync(list, "set", &[*event]),
            C::ResetEvent(event) => self.sync(list, "reset", &[*event]),
            C::WaitEvents(events) => self.sync(list, "wait for", list.regions(*events)),
            C::Note(note) => self.note(list, &list[*note]),
            // Notes have reported the barriers. Nested lists are reported when they begin.
            C::Barrier | C::Execute(_) | C::Generated(_) => return None,
            C::CopyBuffer { .. }
            | C::CopyImage { .. }
            | C::CopyBufferToImage { .. }
            | C::CopyImageToBuffer { .. }
            | C::Blit { .. }
            | C::Resolve { .. }
            | C::CopyIndirect(_)
            | C::Decompress(_)
            | C::DecompressIndirect(_)
            | C::FillBuffer { .. }
            | C::UpdateBuffer { .. }
            | C::ClearImage { .. } => self.transfer(list, command),
        })
    }

    fn dispatch(
        &self,
        list: &CommandList,
        snapshot: Ref<DispatchSnapshot>,
        push: Run,
        groups: Option<[u32; 3]>,
    ) -> Event {
        let snapshot = &list.dispatch_snapshots[snapshot];
        let pipeline = &list.compute[snapshot.pipeline];
        let (shader, name) = (pipeline.shader(), self.names.described(pipeline));
        let groups = groups.unwrap_or_default();
        let message =
            format!("dispatch {} workgroups of {} by {name}", times(&groups), times(&shader.local_size));
        let mut event = Event::new("dispatch", message)
            .with("groups", groups)
            .with("local_size", shader.local_size)
            .with("pipeline", name)
            .with("entry", shader.name.as_str());
        let bindings = &list.bindings[snapshot.bindings];
        event.detail("push", described::push(list, push, shader.push_size));
        let used = std::iter::once(shader);
        event.detail("descriptor", described::descriptors(self.names, list, bindings, used));
        event
    }

    fn trace_rays(
        &self,
        list: &CommandList,
        snapshot: Ref<TraceSnapshot>,
        push: Run,
        size: Option<[u32; 3]>,
    ) -> Event {
        let snapshot = &list.trace_snapshots[snapshot];
        let pipeline = &list.ray_tracing[snapshot.pipeline];
        let name = self.names.described(pipeline);
        let size =
            size.map_or_else(|| "rays, as memory says,".into(), |size| format!("{} rays", times(&size)));
        let shaders = || pipeline.variants().iter().map(|v| &*v.shader);
        let entries: Vec<_> = shaders().map(|s| s.name.as_str()).collect();
        let mut event = Event::new("dispatch", format!("trace {size} by {name}"))
            .with("pipeline", name)
            .with("entries", entries);
        let used = shaders().map(|s| s.push_size).max().unwrap_or(0);
        event.detail("push", described::push(list, push, used));
        let bindings = &list.bindings[snapshot.bindings];
        event.detail("descriptor", described::descriptors(self.names, list, bindings, shaders()));
        event
    }

    fn draw(&self, list: &CommandList, at: Ref<DrawSnapshot>, push: Run, what: &str) -> Event {
        let snapshot = &list.draw_snapshots[at];
        let prepared = &list.prepared[snapshot.prepared];
        let name = self.names.described(&list.graphics[prepared.pipeline]);
        let entries: Vec<_> = shaders(list, at).map(|s| s.name.as_str()).collect();
        let mut event = Event::new("draw", format!("draw {what} by {name}"))
            .with("draws", what)
            .with("pipeline", name)
            .with("entries", entries);
        let state = list.states[prepared.state].desc();
        event.detail("state", described::state(state, &prepared.dynamic));
        let used = shaders(list, at).map(|s| s.push_size).max().unwrap_or(0);
        event.detail("push", described::push(list, push, used));
        event.detail("input", described::inputs(self.names, list, snapshot));
        let bindings = &list.bindings[snapshot.bindings];
        event.detail("descriptor", described::descriptors(self.names, list, bindings, shaders(list, at)));
        event
    }

    fn indirect(&self, list: &CommandList, indirect: &Indirect) -> String {
        let buffer = &list.buffers[indirect.buffer];
        let count = indirect.count.as_ref().and_then(|(buffer, at)| {
            list.buffers[*buffer].read_array::<u32, 1>(*at).ok().map(|[n]| n.min(indirect.max_draws))
        });
        let n = count.unwrap_or(indirect.max_draws);
        let what = match indirect.kind {
            DrawKind::Vertices => "vertices",
            DrawKind::Indexed => "indexed vertices",
            DrawKind::Meshes => "mesh workgroups",
        };
        let mut parameters = Vec::new();
        for i in 0..n.min(4) {
            let Some(words) = indirect.parameters(buffer, i) else { break };
            parameters.push(format!("{words:?}"));
        }
        let more = if n > 4 { ", ..." } else { "" };
        let from = self.names.of(buffer);
        format!("{what}, {n} draws with parameters in {from}: {}{more}", parameters.join(", "))
    }

    fn clear(&self, what: &[ClearAttachment], rects: usize) -> Event {
        let format = |i: u32| {
            let (info, _) = self.pass?;
            Some(info.colors.get(i as usize)?.as_ref()?.view.desc().format)
        };
        let values = what.iter().map(|clear| match clear {
            ClearAttachment::Color(i, value) => match format(*i) {
                Some(format) => format!("color{i} to {}", clear_value("color", format, *value)),
                None => format!("color{i} (no attachment)"),
            },
            ClearAttachment::Depth(depth) => format!("depth to {depth}"),
            ClearAttachment::Stencil(stencil) => format!("stencil to {stencil}"),
        });
        let values: Vec<_> = values.collect();
        Event::new("draw", format!("clear {} in {rects} rectangles", values.join(", ")))
    }

    fn begin_pass(&mut self, info: &'l RenderingInfo) -> Event {
        self.pass = Some((info, Instant::now()));
        self.depth += 1;
        let area = info.area;
        let mut message = format!("pass of {}x{} at {}, {}", area.width, area.height, area.x, area.y);
        if info.layers > 1 {
            message += &format!(", {} layers", info.layers);
        }
        if info.view_mask != 0 {
            message += &format!(", views {:#b}", info.view_mask);
        }
        if let Some(map) = &info.density_map {
            let [width, height] = map.view.size();
            let by_layer = if map.by_layer { " for each layer" } else { "" };
            message += &format!(", density map of {width}x{height}{by_layer}");
        }
        let all: Vec<_> = attachments(info).map(|(name, a)| attachment(self.names, &name, a)).collect();
        for a in &all {
            message += &format!("; {a}");
        }
        Event::new("pass", message).with("attachments", all)
    }

    fn query(&self, list: &CommandList, pool: Ref<crate::query::QueryPool>, what: &str) -> Event {
        let pool = &list.queries[pool];
        Event::new("query", format!("{what} of {} ({})", self.names.of(pool), words(pool.kind())))
    }

    fn results(&self, list: &CommandList, copy: &CopyQueryResults) -> Event {
        let to = self.names.of(&list.buffers[copy.dst]);
        let range = format!("{}..{}", copy.first, copy.first + copy.count);
        self.query(list, copy.pool, &format!("copy results of queries {range} to {to}"))
    }

    fn conditional(&self, buffer: &Buffer, offset: u64, inverted: bool) -> Event {
        let not = if inverted { "" } else { " not" };
        let word = described::bytes(self.names, buffer, offset, 4);
        Event::new("sync", format!("begin conditional rendering, if {word} is{not} 0"))
    }

    fn sync(&self, list: &CommandList, what: &str, events: &[Ref<crate::sync::Event>]) -> Event {
        let events: Vec<_> = events.iter().map(|e| self.names.of(&list.events[*e])).collect();
        Event::new("sync", format!("{what} {}", events.join(", ")))
    }

    fn note(&mut self, list: &CommandList, note: &Note) -> Event {
        match note {
            Note::BeginLabel(label) => {
                self.depth += 1;
                Event::new("label", format!("{label:?}"))
            }
            Note::EndLabel => {
                self.depth = self.depth.saturating_sub(1);
                Event { level: Level::Debug, ..Event::new("label", "end".into()) }
            }
            Note::InsertLabel(label) => Event::new("label", format!("at {label:?}")),
            Note::SetBehind(behind) => {
                Event { level: Level::Debug, ..Event::new("sync", format!("behind {}", stages(*behind))) }
            }
            Note::Layouts(_) => Event { level: Level::Debug, ..Event::new("sync", "layouts".into()) },
            Note::Barriers(barriers) => {
                let texts: Vec<_> = barriers.iter().map(|b| self.barrier(list, b)).collect();
                let message = match texts.as_slice() {
                    [] => "execution barrier".to_owned(),
                    [one] => one.clone(),
                    all => format!("{} barriers: {}", all.len(), all.join("; ")),
                };
                Event::new("barrier", message).with("barriers", texts)
            }
        }
    }

    fn barrier(&self, list: &CommandList, b: &NotedBarrier) -> String {
        let of = match &b.of {
            NotedOf::Memory => "memory".to_owned(),
            NotedOf::Buffer { buffer, offset, size } => {
                described::bytes(self.names, &list.buffers[*buffer], *offset, *size)
            }
            NotedOf::Image { image, range, layouts: [old, new] } => {
                let change = match old == new {
                    true => layout(*old),
                    false => format!("{} to {}", layout(*old), layout(*new)),
                };
                let parts = format!("levels {}.., layers {}..", range.base_level, range.base_layer);
                format!("{} ({parts}), {change}", self.names.of(&list.images[*image]))
            }
        };
        let Dependency { src_stages, src_access, dst_stages, dst_access } = b.dependency;
        let side = |s, a| format!("{} [{}]", stages(s), accesses(a));
        format!("{of}: {} -> {}", side(src_stages, src_access), side(dst_stages, dst_access))
    }

    fn transfer(&self, list: &CommandList, command: &Command) -> Event {
        use Command as C;
        let buffer = |b: &Ref<_>| self.names.of(&list.buffers[*b]);
        let image = |i: &Ref<_>| self.names.of(&list.images[*i]);
        let mut lines = Vec::new();
        let message = match command {
            C::CopyBuffer { src, dst, regions } => {
                lines = texts(list.regions(*regions));
                moved("copy", buffer(src), buffer(dst), lines.len())
            }
            C::CopyImage { src, dst, regions } => {
                lines = texts(list.regions(*regions));
                moved("copy", image(src), image(dst), lines.len())
            }
            C::CopyBufferToImage { src, dst, regions } => {
                lines = texts(list.regions(*regions));
                moved("copy", buffer(src), image(dst), lines.len())
            }
            C::CopyImageToBuffer { src, dst, regions } => {
                lines = texts(list.regions(*regions));
                moved("copy", image(src), buffer(dst), lines.len())
            }
            C::Blit { src, dst, regions, filter } => {
                lines = texts(list.regions(*regions));
                let filter = format!("blit ({})", words(*filter));
                moved(&filter, image(src), image(dst), lines.len())
            }
            C::Resolve { src, dst, regions, .. } => {
                lines = texts(list.regions(*regions));
                moved("resolve", image(src), image(dst), lines.len())
            }
            C::CopyIndirect(copies) => {
                let copies = &list[*copies];
                let to = copies.image.as_ref().map_or_else(|| "memory".into(), |(to, _)| image(to));
                let from = format!("memory (parameters in {})", buffer(&copies.parameters));
                moved("copy", from, to, copies.count as usize)
            }
            C::FillBuffer { dst, offset, size, word } => {
                let to = described::bytes(self.names, &list.buffers[*dst], *offset, *size);
                format!("fill {to} with {word:#x}")
            }
            C::UpdateBuffer { dst, offset, data } => {
                let (buffer, n) = (&list.buffers[*dst], data.len as u64);
                format!("update {}", described::bytes(self.names, buffer, *offset, n))
            }
            C::ClearImage { image: of, value, ranges } => {
                lines = texts(list.regions(*ranges));
                let format = list.images[*of].format();
                let value = match format.is_depth_stencil() {
                    true => format!("depth {}, stencil {}", f32::from_bits(value[0]), value[1]),
                    false => clear_value("color", format, *value),
                };
                format!("clear {} to {value}", image(of))
            }
            C::Decompress(regions) => {
                return decompressions::direct(self.names, list, list.regions(*regions));
            }
            C::DecompressIndirect(indirect) => {
                return decompressions::indirect(self.names, list, &list[*indirect]);
            }
            _ => return Event::new("transfer", "not a transfer".into()),
        };
        let mut event = Event::new("transfer", message);
        event.detail("region", lines);
        event
    }
}

/// The vertices of a draw that transform feedback counts.
fn counted(list: &CommandList, bytes: &ByteCount) -> String {
    let captured = list.buffers[bytes.counter.0].read_array::<u32, 1>(bytes.counter.1);
    let n = captured.map_or(0, |[captured]| bytes.vertices(captured));
    format!("{n} vertices, counted by transform feedback")
}

fn moved(what: &str, from: String, to: String, n: usize) -> String {
    let regions = if n == 1 { String::new() } else { format!(", {n} regions") };
    format!("{what} {from} to {to}{regions}")
}

/// A line for each region.
fn texts<R: fmt::Debug>(regions: &[R]) -> Vec<String> {
    regions.iter().map(|r| format!("{r:?}")).collect()
}

impl<'l> Observer<'l> for Tracer<'_, 'l> {
    fn list_begins(&mut self, list: &'l CommandList, lists: usize) {
        let name = list.name.as_ref().map_or(String::new(), |name| format!(" {name:?}"));
        let second = if lists > 0 { "secondary " } else { "" };
        let n = list.commands.len();
        let event = Event::new("commands", format!("{second}command buffer{name}: {n} commands"));
        let depth = if lists > 0 { self.depth } else { 1 };
        self.tell(depth, event.with("name", list.name.as_deref()).with("commands", n));
    }

    fn comes(&mut self, at: &At<'_, 'l>) {
        let indirect = at.command.is_indirect();
        self.coming = if indirect { self.event(at.list, at.command) } else { None };
        self.came = Instant::now();
    }

    fn done(&mut self, at: &At<'_, 'l>, error: Option<&Error>) -> Result<()> {
        self.tell_done(at, error);
        Ok(())
    }

    fn needs_draws_done(&self, command: &Command) -> bool {
        self.wants_pictures(command)
    }
}

fn is_end_of_label(list: &CommandList, command: &Command) -> bool {
    matches!(command, Command::Note(note) if matches!(list[*note], Note::EndLabel))
}

/// Formats a size: `8x8x1`.
fn times([x, y, z]: &[u32; 3]) -> String {
    format!("{x}x{y}x{z}")
}

/// Describes a draw: `36 vertices`, `36 indexed vertices from 6, 2 instances`.
fn drawn(draw: &Draw) -> String {
    let kind = if draw.indexed { "indexed vertices" } else { "vertices" };
    let mut text = format!("{} {kind}", draw.count);
    if draw.first != 0 {
        text += &format!(" from {}", draw.first);
    }
    if draw.vertex_offset != 0 {
        text += &format!(", vertex offset {}", draw.vertex_offset);
    }
    if draw.instances != 1 || draw.first_instance != 0 {
        text += &format!(", {} instances from {}", draw.instances, draw.first_instance);
    }
    text
}

/// Reports the beginning of a batch: the semaphores that it waits for, its lists, and the semaphores that it signals.
pub(crate) fn tell_submit<'s, S: Shared + 's>(
    device: &Device,
    told: Told,
    n_commands: usize,
    [waits, signals]: [&mut dyn Iterator<Item = &'s S>; 2],
    fence: Option<String>,
) {
    let (Some(trace), Some(names)) = (device.trace(), device.names()) else { return };
    let Told { frame, submit } = told;
    let mut message = format!("submission {submit} of frame {frame}: {n_commands} command buffers");
    for (what, list) in [("waits for", waits), ("signals", signals)] {
        let list: Vec<_> = list.map(|s| names.of(s)).collect();
        if !list.is_empty() {
            message += &format!(", {what} {}", list.join(", "));
        }
    }
    if let Some(fence) = fence {
        message += &format!(", signals {fence}");
    }
    trace.tell(Event { frame, submit, ..Event::new("submit", message) });
}
