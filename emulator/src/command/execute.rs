//! Execution: runs the commands of a list.
//!
//! Lists that execute other lists are walked without recursion. Left to other modules: the pointers that commands reach
//! (`resources`), transfers (`transfer`), rendering scopes (`render`), queries (`queries`), and the observers of
//! running commands (`observe`).

mod generated;
mod trace_rays;

use std::sync::Arc;

use quadrille_check::events::Excess;
use quadrille_jit::ir::MAX_STREAMS;
use quadrille_raster::feedback::{FeedbackRange, TransformFeedback};
use quadrille_raster::pass::Draw;
use quadrille_raster::{ComputeJob, Stats, Watched, dispatch};
use smallvec::{SmallVec, smallvec};

use super::blamed::{of_list, of_pipeline};
use super::effects::{At, Captured};
use super::generated::Lists;
use super::list::{
    BufferSlice, Capture, Command, CommandList, CopyQueryResults, Counters, DispatchSnapshot, Ref, Run,
};
use super::observe::{InBatch, Invoked, Observers, Told};
use super::queries::Queries;
use super::render::Scope;
use super::resources::{check_budget, dynamic_records, resources};
use super::{decompress, indirect_copy, structures, transfer};
use crate::device::{Device, Order};
use crate::error::{Error, Result};
use crate::limits::LIMITS;
use crate::observation::check;
use crate::query::{QueryKind, QueryPool};
use crate::render_pass::RenderingInfo;
use crate::resource::buffer::Buffer;

/// Runs a list to its end. `told` is its submission in the device's trace, `at` its position in a batch.
pub(crate) fn execute(
    device: &Device,
    list: &CommandList,
    (told, at): (Option<Told>, InBatch),
) -> Result<()> {
    let generated = Lists::default();
    let working = device.options().sampling.as_ref().map(|sampling| sampling.work());
    let mut executor = Executor {
        device,
        generated: &generated,
        kept: 0,
        observers: Observers::new(device, told, at),
        scope: None,
        queries: Queries::default(),
        feedback: None,
        capturing: SmallVec::new(),
        captured: Captured::default(),
        skips: false,
        ordered: true,
    };
    let done = executor.run(list).and_then(|()| executor.end_scope());
    let done = done.map_err(|e| of_list(e, list));
    drop(working);
    let checked = match device.options().watch {
        Some(_) => check::print(device.print_sink().as_ref(), device.options().report_sink.as_ref()),
        None => Ok(()),
    };
    done.and(checked)
}

struct Executor<'d, 'l> {
    device: &'d Device,
    /// Storage for the next generated list.
    generated: &'l Lists,
    /// Number of commands in the generated lists that are kept.
    kept: usize,
    observers: Observers<'d, 'l>,
    scope: Option<Scope<'d, 'l>>,
    queries: Queries,
    /// Active transform feedback.
    feedback: Option<Arc<TransformFeedback>>,
    /// Buffers that the active transform feedback captures into.
    capturing: SmallVec<[Capturing<'l>; MAX_STREAMS]>,
    /// Vertices that the last section of transform feedback captured.
    captured: Captured<'l>,
    /// `true` if conditional rendering skips conditional commands.
    skips: bool,
    /// `true` if the next dispatch is ordered after all earlier work.
    ordered: bool,
}

/// A buffer that transform feedback captures into.
struct Capturing<'l> {
    number: usize,
    buffer: &'l Buffer,
    slice: BufferSlice,
    /// Offset in the slice, in bytes, at which capturing began.
    start: u64,
}

impl<'d: 'l, 'l> Executor<'d, 'l> {
    fn end_scope(&mut self) -> Result<()> {
        if let Some(scope) = self.scope.take() {
            self.observers.work_begins(true);
            let stats = scope.end()?;
            self.count(&stats);
        }
        Ok(())
    }

    fn count(&mut self, stats: &Stats) {
        self.queries.passed(stats, self.feedback.is_some());
    }

    /// Runs the pending draws of the open scope, and counts their work.
    fn flush_scope(&mut self) -> Result<()> {
        if let Some(scope) = &mut self.scope {
            self.observers.work_begins(true);
            let stats = scope.flush()?;
            self.count(&stats);
        }
        Ok(())
    }

    /// Completes the earlier commands before others learn of it: the pending draws of the open scope, and the copies of
    /// what they wrote to aliased memory.
    fn complete(&mut self) -> Result<()> {
        self.flush_scope()?;
        self.device.aliases().settle()
    }

    /// The open scope and the observers.
    fn scope(&mut self) -> Result<(&mut Scope<'d, 'l>, &mut Observers<'d, 'l>)> {
        let scope =
            self.scope.as_mut().ok_or_else(|| Error::invalid("draw or clear outside of a render pass"));
        Ok((scope?, &mut self.observers))
    }

    fn run(&mut self, list: &'l CommandList) -> Result<()> {
        // Lists that have begun, each with its remaining commands.
        let mut open: SmallVec<[_; 4]> = smallvec![(list, list.commands.iter())];
        self.observers.list_begins(list, 0);
        while let Some((list, commands)) = open.last_mut() {
            let list = *list;
            let Some(command) = commands.next() else {
                open.pop();
                self.observers.list_ends();
                continue;
            };
            let nested = match command {
                Command::Execute(nested) => Some(&**list.nested[*nested]),
                Command::Generated(_) if self.skips => None,
                Command::Generated(maker) => {
                    let ((scope, skipped), captured) = (self.place(command), &self.captured);
                    self.observers.comes(&At { list, command, scope, skipped, captured });
                    self.generate(list, &*list.makers[*maker])?
                }
                _ => {
                    self.command(list, command)?;
                    None
                }
            };
            if let Some(nested) = nested {
                self.observers.list_begins(nested, open.len());
                open.push((nested, nested.commands.iter()));
            }
        }
        Ok(())
    }

    /// The scope that contains a command, and `true` if conditional rendering skips the command.
    fn place(&self, command: &Command) -> (Option<&'l RenderingInfo>, bool) {
        (self.scope.as_ref().map(Scope::info), self.skips && command.is_conditional())
    }

    /// Runs a command and shows it to the observers.
    fn command(&mut self, list: &'l CommandList, command: &'l Command) -> Result<()> {
        // Only consecutive dispatches are unordered.
        if !matches!(
            command,
            Command::Dispatch { .. } | Command::DispatchIndirect { .. } | Command::TraceRays { .. }
        ) {
            self.ordered = true;
        }
        if let Command::BeginRendering(_) = command {
            self.end_scope()?;
        }
        // Most lists have no observers but aliasing: the shortest dispatches notice the others.
        if self.observers.is_quiet() && !self.device.is_any_page_missing() {
            if !(self.skips && command.is_conditional()) {
                self.run_command(list, command)?;
            }
            return if command.waits_for_scope() { Ok(()) } else { self.device.aliases().settle() };
        }
        let (scope, skipped) = self.place(command);
        let captured = &self.captured;
        self.observers.comes(&At { list, command, scope, skipped, captured });
        let mut done = if skipped { Ok(()) } else { self.run_command(list, command) };
        if done.is_ok() && self.observers.needs_draws_done(command) {
            done = self.flush_scope();
        }
        let captured = &self.captured;
        let observed =
            self.observers.done(&At { list, command, scope, skipped, captured }, done.as_ref().err());
        done.and(observed)
    }

    fn run_command(&mut self, list: &'l CommandList, command: &'l Command) -> Result<()> {
        match command {
            Command::BeginConditional { buffer, offset, inverted } => {
                self.skips = (list.buffers[*buffer].read_array::<u32, 1>(*offset)? == [0]) != *inverted;
                Ok(())
            }
            Command::EndConditional => {
                self.skips = false;
                Ok(())
            }
            Command::Dispatch { snapshot, push, groups, base } => {
                self.dispatch(list, *snapshot, *push, *groups, *base)
            }
            Command::DispatchIndirect { snapshot, push, buffer, offset } => {
                let counts = list.buffers[*buffer].read_array::<u32, 3>(*offset)?;
                let most = LIMITS.max_compute_work_group_count;
                let groups: [u32; 3] = std::array::from_fn(|i| counts[i].min(most[i]));
                if groups != counts {
                    let shader = &list.compute[list.dispatch_snapshots[*snapshot].pipeline].variant().shader;
                    self.observers.exceeds(shader, Excess::Workgroups { counts, most });
                }
                self.dispatch(list, *snapshot, *push, groups, [0; 3])
            }
            Command::TraceRays { snapshot, push, source } => {
                self.trace_rays(list, *snapshot, *push, &list[*source])
            }
            Command::BeginRendering(info) => {
                self.scope = Some(Scope::new(self.device, &list[*info], self.queries.counted()));
                Ok(())
            }
            Command::EndRendering => self.end_scope(),
            Command::Draw { snapshot, push, draw } => {
                let (scope, observers) = self.scope()?;
                scope.draw(observers, list, *snapshot, *push, draw)
            }
            Command::DrawMeshes { snapshot, push, groups } => {
                let (scope, observers) = self.scope()?;
                scope.draw_meshes(observers, list, *snapshot, *push, *groups)
            }
            Command::DrawIndirect { snapshot, push, indirect } => {
                let (scope, observers) = self.scope()?;
                scope.draw_indirect(observers, list, *snapshot, *push, &list[*indirect])
            }
            Command::DrawByteCount { snapshot, push, bytes } => {
                let bytes = &list[*bytes];
                let (buffer, offset) = bytes.counter;
                let captured = list.buffers[buffer].read_array::<u32, 1>(offset)?[0];
                let draw = Draw { count: bytes.vertices(captured), ..bytes.draw };
                let (scope, observers) = self.scope()?;
                scope.draw(observers, list, *snapshot, *push, &draw)
            }
            Command::BeginFeedback(of) => self.begin_feedback(list, &list[*of]),
            Command::EndFeedback(counters) => self.end_feedback(list, &list[*counters]),
            Command::ClearAttachments { attachments, rects } => {
                self.scope()?.0.clear(list.regions(*attachments), list.regions(*rects))
            }
            Command::CopyIndirect(copies) => indirect_copy::run(self.device, list, &list[*copies]),
            Command::Decompress(regions) => decompress::run(self.device, list, list.regions(*regions)),
            Command::DecompressIndirect(indirect) => {
                decompress::run_indirect(self.device, list, &list[*indirect])
            }
            Command::BuildStructures(builds) => structures::build(self.device, &list[*builds]),
            Command::CopyStructure(copy) => structures::copy(list, &list[*copy]),
            Command::WriteStructureProperties(query) => {
                structures::write_properties(list, &list[*query]);
                Ok(())
            }
            Command::CopyBuffer { .. }
            | Command::CopyImage { .. }
            | Command::CopyBufferToImage { .. }
            | Command::CopyImageToBuffer { .. }
            | Command::Blit { .. }
            | Command::Resolve { .. }
            | Command::FillBuffer { .. }
            | Command::UpdateBuffer { .. }
            | Command::ClearImage { .. } => transfer::run(self.device, list, command),
            Command::ResetQueries { pool, first, count } => {
                list.queries[*pool].reset(*first, *count);
                Ok(())
            }
            Command::BeginQuery { pool, query, stream } => {
                self.begin_query(&list.queries[*pool], *query, *stream)
            }
            Command::EndQuery { pool, query } => match list.queries[*pool].kind() {
                QueryKind::Occlusion => self.end_occlusion(),
                _ => {
                    self.flush_scope()?;
                    self.queries.end(self.device, &list.queries[*pool], *query);
                    self.tell_scope();
                    Ok(())
                }
            },
            Command::WriteTimestamp { pool, query } => {
                // Draws are deferred to the end of their scope. The flush runs them, so that the timestamp is taken
                // after them.
                self.flush_scope()?;
                let pool = &list.queries[*pool];
                (0..self.n_queries()).for_each(|i| pool.finish(*query + i, &[crate::query::now()]));
                Ok(())
            }
            Command::Barrier => self.flush_scope(),
            Command::CopyQueryResults(copy) => copy_query_results(self.device, list, &list[*copy]),
            Command::SetEvent(event) => {
                self.complete()?;
                list.events[*event].set();
                Ok(())
            }
            Command::ResetEvent(event) => {
                self.complete()?;
                list.events[*event].reset();
                Ok(())
            }
            Command::WaitEvents(events) => {
                let all = || list.regions(*events).iter().all(|e| list.events[*e].is_set());
                if all() {
                    return Ok(());
                }
                // The host may wait for another queue before it sets the events, so this queue gives up its turn. It first
                // runs the draws that it has bound: they have descriptors of objects that others may now release.
                self.flush_scope()?;
                let device = self.device;
                let waits = || device.pause_turn(|| device.signal().wait(None, all));
                self.queries.paused(device, waits).map(|_| ())
            }
            // Notes are only for observers.
            Command::Note(_) => Ok(()),
            Command::Execute(_) | Command::Generated(_) => {
                Err(Error::Internal("a list is not a command".into()))
            }
        }
    }

    /// Number of queries that one query command uses: one per view with multiview, else 1.
    fn n_queries(&self) -> u32 {
        self.scope.as_ref().map_or(1, Scope::n_queries)
    }

    fn begin_query(&mut self, pool: &'l QueryPool, query: u32, stream: u32) -> Result<()> {
        let n_queries = self.n_queries();
        (0..n_queries).for_each(|i| pool.start(query + i));
        if pool.kind() == QueryKind::Occlusion {
            self.end_occlusion()?;
            // Draws that another query counts must not count for this one.
            if self.queries.counted().samples.is_some() {
                self.flush_scope()?;
            }
            self.queries.begin_occlusion(pool, query, n_queries);
        } else {
            self.flush_scope()?;
            self.queries.begin(self.device, pool, query, stream, n_queries);
        }
        self.tell_scope();
        Ok(())
    }

    /// Begins transform feedback: the following draws capture into these buffers, from the offsets that the counters
    /// hold.
    fn begin_feedback(
        &mut self,
        list: &'l CommandList,
        Capture { buffers, counters }: &'l Capture,
    ) -> Result<()> {
        // Earlier draws must not be captured.
        self.flush_scope()?;
        self.capturing.clear();
        let (mut ranges, mut starts) = ([FeedbackRange::EMPTY; MAX_STREAMS], [0; MAX_STREAMS]);
        for number in 0..MAX_STREAMS {
            let Some(slice) = buffers[number] else { continue };
            let (memory, base) = list.buffers[slice.buffer].memory()?;
            let size = slice.size.min(LIMITS.max_transform_feedback_buffer_size);
            ranges[number] = memory.feedback_range(base + slice.offset, size)?;
            if let Some((counter, at)) = counters[number] {
                starts[number] = list.buffers[counter].read_array::<u32, 1>(at)?[0].into();
            }
            let (buffer, start) = (&list.buffers[slice.buffer], starts[number]);
            self.capturing.push(Capturing { number, buffer, slice, start });
        }
        self.captured.resumed = *counters;
        let feedback = Arc::new(TransformFeedback::new(ranges, starts));
        self.scope()?.0.set_feedback(Some(feedback.clone()));
        self.feedback = Some(feedback);
        Ok(())
    }

    fn end_feedback(&mut self, list: &CommandList, counters: &Counters) -> Result<()> {
        self.flush_scope()?;
        if let Some(scope) = &mut self.scope {
            scope.set_feedback(None);
        }
        self.captured.ranges.clear();
        let Some(feedback) = self.feedback.take() else { return Ok(()) };
        let ends = feedback.offsets();
        self.captured.ranges.extend(self.capturing.drain(..).map(|c| {
            let end = ends[c.number].min(c.slice.size);
            (c.buffer, c.slice.offset + c.start, end.saturating_sub(c.start))
        }));
        for (counter, offset) in counters.iter().zip(ends) {
            if let Some((buffer, at)) = counter {
                list.buffers[*buffer].write(*at, &[offset as u32])?;
            }
        }
        Ok(())
    }

    /// Ends the occlusion query, if one is active. Its draws run before its result becomes available.
    fn end_occlusion(&mut self) -> Result<()> {
        if self.queries.is_occlusion_active() {
            self.flush_scope()?;
            self.queries.end_occlusion();
            self.tell_scope();
        }
        Ok(())
    }

    /// Tells the open scope what its draws count from now on.
    fn tell_scope(&mut self) {
        if let Some(scope) = &mut self.scope {
            scope.set_counted(self.queries.counted());
        }
    }

    fn dispatch(
        &mut self,
        list: &'l CommandList,
        snapshot: Ref<DispatchSnapshot>,
        push: Run,
        groups: [u32; 3],
        base: [u32; 3],
    ) -> Result<()> {
        let snapshot = &list.dispatch_snapshots[snapshot];
        let options = self.device.options();
        let (pipeline, bindings) = (&list.compute[snapshot.pipeline], &list.bindings[snapshot.bindings]);
        let variant = pipeline.variant();
        self.observers.invokes(list, Invoked::Dispatch { snapshot, push });
        self.observers.work_begins(std::mem::replace(&mut self.ordered, false));
        let (dynamic, push) = (dynamic_records(list, bindings), list.push(push));
        let job = ComputeJob {
            lane_fn: variant.lane_fn(),
            name: &variant.shader.name,
            resources: resources(self.device, list, bindings, &push, &dynamic, &[]),
            groups,
            base,
            ordered: variant.needs_order && options.order == Order::Strict
                || options.watch.is_some() && variant.shader.writes_memory,
            rivalry: variant.rivalry.as_ref(),
            pace: &variant.pace,
            budget: self.device.budget(),
        };
        dispatch(self.device.pool(), &job).map_err(|e| of_pipeline(e, self.device, pipeline))?;
        let all = groups.iter().chain(&variant.shader.local_size);
        let invocations = all.fold(1u64, |n, &size| n.wrapping_mul(size.into()));
        self.queries.dispatched(invocations);
        Ok(())
    }
}

fn copy_query_results(device: &Device, list: &CommandList, copy: &CopyQueryResults) -> Result<()> {
    let watched = Watched::begin(device.budget())?;
    let (pool, dst) = (&list.queries[copy.pool], &list.buffers[copy.dst]);
    for i in 0..copy.count {
        check_budget(device, &watched, "copy_query_pool_results")?;
        let query = copy.first + i;
        let result = pool.results(query);
        let available = result.is_some();
        let values = result.or_else(|| copy.partial.then(|| pool.partial(query)));
        let at = copy.offset + u64::from(i) * copy.stride;
        let put = |slot: u64, value: u64| match copy.wide {
            true => dst.write(at + slot * 8, &[value]),
            false => dst.write(at + slot * 4, &[value as u32]),
        };
        for (slot, value) in values.iter().flatten().enumerate() {
            put(slot as u64, *value)?;
        }
        if copy.availability {
            put(pool.kind().values() as u64, u64::from(available))?;
        }
    }
    Ok(())
}
