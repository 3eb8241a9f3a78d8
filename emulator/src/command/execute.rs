//! Execution: the list to the rasterizer.
//!
//! Lists that execute others are walked without recursion. What commands reach is in `resources`.

mod generated;

use std::sync::Arc;
use std::time::Instant;

use quadrille_jit::interp::events::{self, Event, Excess, Submit};
use quadrille_jit::ir::MAX_STREAMS;
use quadrille_raster::feedback::{FeedbackRange, TransformFeedback};
use quadrille_raster::pass::Draw;
use quadrille_raster::{ComputeJob, Stats, Watched, dispatch};
use smallvec::{SmallVec, smallvec};

use super::areas::Tell;
use super::blamed::{of_list, of_pipeline};
use super::generated::Lists;
use super::indirect_copy;
use super::list::{
    BufferSlice, Capture, Command, ComputeCall, CopyQueryResults, Counters, Note, Recorded, Ref, Run,
};
use super::named::{InBatch, Named};
use super::notes::NotedBarrier;
use super::render::{Occlusion, Scope};
use super::resources::{check_budget, dynamic_records, resources};
use super::traced::{Told, Tracer};
use super::{accessed, attached, exceeded, missing, ordered, runs, transfer, written};
use crate::check;
use crate::device::{Device, Order};
use crate::error::{Error, Result};
use crate::limits::LIMITS;
use crate::object::Shared;
use crate::query::{QueryKind, QueryPool, Work};

/// Runs a list to its end; it is told if it is `told` of, and the device is traced.
pub(crate) fn execute(device: &Device, list: &Recorded, (told, at): (Option<Told>, InBatch)) -> Result<()> {
    let generated = Lists::default();
    let mut executor = Executor {
        device,
        generated: &generated,
        kept: 0,
        tracer: Tracer::new(device, told),
        scope: None,
        occlusion: None,
        counting: SmallVec::new(),
        work: Work::default(),
        feedback: None,
        capturing: None,
        skips: false,
        ordered: true,
        explicit: device.is_explicit().then(|| Explicit {
            named: Named::new(at),
            noted: false,
            captures: Vec::new(),
            counted: Counters::default(),
        }),
    };
    let working = device.options().sampling.as_ref().map(|sampling| sampling.work());
    if let Some(watch) = &device.options().watch {
        watch.0.told(&Event::Begins { explicit: executor.explicit.is_some() });
    }
    let done = executor.run(list).and_then(|()| executor.end_scope());
    let done = done.map_err(|e| of_list(e, device, list));
    drop(working);
    let checked = match device.options().watch {
        Some(_) => check::print(device.print_sink().as_ref()),
        None => Ok(()),
    };
    done.and(checked)
}

struct Executor<'d, 'l> {
    device: &'d Device,
    /// Where the next list that is generated goes.
    generated: &'l Lists,
    /// Commands in lists that were generated and are kept.
    kept: usize,
    tracer: Option<Tracer<'d, 'l>>,
    scope: Option<Scope<'d, 'l>>,
    occlusion: Option<Occlusion>,
    /// Queries of work that are running.
    counting: SmallVec<[Counting; 2]>,
    /// What has been done so far.
    work: Work,
    /// Transform feedback that is active.
    feedback: Option<Arc<TransformFeedback>>,
    /// Where it captures.
    capturing: Option<(&'l Recorded, &'l [Option<BufferSlice>; MAX_STREAMS])>,
    /// Conditional commands are left out.
    skips: bool,
    /// The next dispatch is ordered after all that ran before.
    ordered: bool,
    /// Nothing but barriers orders commands, and somebody looks at that.
    explicit: Option<Explicit<'l>>,
}

/// What is told of commands that nothing but barriers orders.
struct Explicit<'l> {
    named: Named<'l>,
    /// What the next barrier is about has been told.
    noted: bool,
    /// Buffers that transform feedback captures into: their numbers, and from which byte on.
    captures: Vec<(usize, BufferSlice, u64)>,
    /// Counters that it goes on from. The section that reads one when it begins writes it when it ends, which is no race.
    counted: Counters,
}

/// A query of work that is running.
struct Counting {
    pool: QueryPool,
    query: u32,
    stream: u32,
    n_queries: u32,
    /// What had been done when it began.
    before: Work,
}

impl<'d, 'l> Executor<'d, 'l> {
    fn end_scope(&mut self) -> Result<()> {
        if let Some(scope) = self.scope.take() {
            self.next(true);
            let stats = scope.end()?;
            self.count(&stats);
        }
        Ok(())
    }

    fn count(&mut self, stats: &Stats) {
        self.work.add(&Work::of_pass(stats, self.feedback.is_some()));
    }

    /// Runs what has been recorded of a scope, and counts it.
    fn flush_scope(&mut self) -> Result<()> {
        if self.scope.is_some() {
            self.next(true);
        }
        if let Some(scope) = &mut self.scope {
            let stats = scope.flush()?;
            self.count(&stats);
        }
        Ok(())
    }

    fn scope(&mut self) -> Result<&mut Scope<'d, 'l>> {
        self.scope.as_mut().ok_or_else(|| Error::invalid("draw or clear outside of a render pass"))
    }

    fn run(&mut self, list: &'l Recorded) -> Result<()> {
        // Lists that have begun, each with the commands that are left.
        let mut open: SmallVec<[_; 4]> = smallvec![(list, list.commands.iter())];
        self.tell_begin(list, 0);
        while let Some((list, commands)) = open.last_mut() {
            match commands.next() {
                Some(Command::Execute(nested)) => {
                    let nested = &*list.nested[*nested];
                    self.tell_begin(nested, open.len());
                    open.push((nested, nested.commands.iter()));
                }
                Some(Command::Generated(_)) if self.skips => {}
                Some(Command::Generated(commands)) => {
                    if let Some(made) = self.generate(list, &*list.makers[*commands])? {
                        self.tell_begin(made, open.len());
                        open.push((made, made.commands.iter()));
                    }
                }
                Some(command) => {
                    match self.tracer.is_some() {
                        true => self.traced(list, command)?,
                        false => self.command(list, command)?,
                    }
                    if !command.waits_for_scope() {
                        self.device.aliases().settle()?;
                    }
                }
                None => {
                    open.pop();
                    if let Some(explicit) = &mut self.explicit {
                        explicit.named.end();
                    }
                }
            }
        }
        Ok(())
    }

    fn tell_begin(&mut self, list: &'l Recorded, lists: usize) {
        if let Some(explicit) = &mut self.explicit {
            explicit.named.begin(list);
        }
        if let Some(tracer) = &self.tracer {
            tracer.begin(list, lists);
        }
    }

    /// As [`Executor::command`], told to the trace.
    fn traced(&mut self, list: &'l Recorded, command: &'l Command) -> Result<()> {
        let (started, skipped) = (Instant::now(), self.skips && command.is_conditional());
        let mut done = self.command(list, command);
        if done.is_ok() && self.tracer.as_ref().is_some_and(|t| t.wants_pictures(command)) {
            done = self.flush_scope();
        }
        if let Some(tracer) = &mut self.tracer {
            tracer.done(list, command, (started.elapsed(), skipped), done.as_ref().err());
        }
        done
    }

    /// Tells whoever watches that other work begins.
    fn next(&mut self, ordered: bool) {
        if let Some(watching) = &self.device.options().watch {
            watching.0.next(ordered && self.explicit.is_none());
        }
    }

    fn command(&mut self, list: &'l Recorded, command: &'l Command) -> Result<()> {
        // Only of dispatches one behind the other is it said that nothing orders them.
        let is_dispatch = matches!(command, Command::Dispatch { .. } | Command::DispatchIndirect { .. });
        if !is_dispatch {
            self.ordered = true;
        }
        if let Some(watch) = &self.device.options().watch {
            written::tell(watch, self.device.names(), list, command);
        }
        if self.explicit.is_some() {
            return self.told_command(list, command);
        }
        self.run_command(list, command)
    }

    /// Runs a command that nothing but barriers orders, and tells of it.
    fn told_command(&mut self, list: &'l Recorded, command: &'l Command) -> Result<()> {
        let (device, skipped) = (self.device, self.skips && command.is_conditional());
        let (Some(watch), Some(explicit)) = (&device.options().watch, &mut self.explicit) else {
            return Ok(());
        };
        let info = self.scope.as_ref().map(Scope::info);
        explicit.named.tell(watch, (list, command), info);
        let tell = Tell { watch, names: device.names(), list };
        match command {
            Command::BeginRendering(info) => {
                self.end_scope()?;
                attached::begin(&tell, &list[*info]);
            }
            Command::EndRendering => {
                // Draws access the attachments before they are stored.
                self.end_scope()?;
                info.into_iter().for_each(|info| attached::end(&tell, info));
                return Ok(());
            }
            Command::SetEvent(event) => {
                let behind = explicit.named.behind.take().unwrap_or(events::Dependency::FULL.src_stages);
                ordered::set_event(&tell, *event, behind);
            }
            Command::ResetEvent(event) => ordered::reset_event(&tell, *event),
            _ if skipped => {}
            _ => accessed::tell(&tell, command, info),
        }
        self.run_command(list, command)?;
        // Each draw is one of its own: its shaders' accesses are told apart from those of others.
        if command.is_conditional() { self.flush_scope() } else { Ok(()) }
    }

    fn run_command(&mut self, list: &'l Recorded, command: &'l Command) -> Result<()> {
        match command {
            Command::BeginConditional { buffer, offset, inverted } => {
                self.skips = (list.buffers[*buffer].read::<u32>(*offset, 1)?[0] == 0) != *inverted;
                Ok(())
            }
            Command::EndConditional => {
                self.skips = false;
                Ok(())
            }
            _ if self.skips && command.is_conditional() => Ok(()),
            Command::Dispatch { call, push, groups, base } => {
                self.dispatch(list, *call, *push, *groups, *base)
            }
            Command::DispatchIndirect { call, push, buffer, offset } => {
                let words = list.buffers[*buffer].read::<u32>(*offset, 3)?;
                let most = LIMITS.max_compute_work_group_count;
                let groups: [u32; 3] = std::array::from_fn(|i| words[i].min(most[i]));
                if let (Some(watch), true) = (&self.device.options().watch, groups[..] != words[..]) {
                    let shader = &list.compute[list.compute_calls[*call].pipeline].variant().shader;
                    let counts = [words[0], words[1], words[2]];
                    exceeded::tell(watch, shader, Excess::Workgroups { counts, most });
                }
                self.dispatch(list, *call, *push, groups, [0; 3])
            }
            Command::BeginRendering(info) => {
                self.end_scope()?;
                self.scope = Some(Scope::new(self.device, &list[*info], self.occlusion.as_ref()));
                Ok(())
            }
            Command::EndRendering => self.end_scope(),
            Command::Draw { call, push, draw } => self.scope()?.draw(list, *call, *push, draw),
            Command::DrawMeshes { call, push, groups } => {
                self.scope()?.draw_meshes(list, *call, *push, *groups)
            }
            Command::DrawIndirect { call, push, indirect } => {
                self.scope()?.draw_indirect(list, *call, *push, &list[*indirect])
            }
            Command::DrawByteCount { call, push, bytes } => {
                let bytes = &list[*bytes];
                let (buffer, offset) = bytes.counter;
                let captured = list.buffers[buffer].read::<u32>(offset, 1)?[0];
                let draw = Draw { count: bytes.vertices(captured), ..bytes.draw };
                self.scope()?.draw(list, *call, *push, &draw)
            }
            Command::BeginFeedback(of) => self.begin_feedback(list, &list[*of]),
            Command::EndFeedback(counters) => self.end_feedback(list, &list[*counters]),
            Command::ClearAttachments { attachments, rects } => {
                self.scope()?.clear(list.regions(*attachments), list.regions(*rects))
            }
            Command::CopyIndirect(copies) => indirect_copy::run(self.device, list, &list[*copies]),
            Command::CopyBuffer { .. }
            | Command::CopyImage { .. }
            | Command::CopyBufferToImage { .. }
            | Command::CopyImageToBuffer { .. }
            | Command::Blit { .. }
            | Command::Resolve { .. }
            | Command::FillBuffer { .. }
            | Command::UpdateBuffer { .. }
            | Command::ClearImage { .. } => {
                transfer::run(self.device, list, command)?;
                missing::transferred(list, command)
            }
            Command::ResetQueries { pool, first, count } => {
                list.queries[*pool].reset(*first, *count);
                Ok(())
            }
            Command::BeginQuery { pool, query, stream } => {
                self.begin_query(&list.queries[*pool], *query, *stream)
            }
            Command::EndQuery { pool, query } => match list.queries[*pool].kind() {
                QueryKind::Occlusion => self.set_occlusion(None),
                _ => self.end_counting(&list.queries[*pool], *query),
            },
            Command::WriteTimestamp { pool, query } => {
                // Draws wait for the end of their scope: the time is that after they have run.
                self.flush_scope()?;
                let pool = &list.queries[*pool];
                (0..self.n_queries()).for_each(|i| pool.finish(*query + i, &[crate::query::now()]));
                Ok(())
            }
            Command::Barrier => self.barrier(None),
            Command::CopyQueryResults(copy) => copy_query_results(self.device, list, &list[*copy]),
            Command::SetEvent(event) => {
                list.events[*event].set();
                Ok(())
            }
            Command::ResetEvent(event) => {
                list.events[*event].reset();
                Ok(())
            }
            Command::WaitEvents(events) => {
                let all = || list.regions(*events).iter().all(|e| list.events[*e].is_set());
                if all() {
                    return Ok(());
                }
                // The host may wait for another queue before it sets them.
                let waited = self.device.pause_turn(|| self.device.signal().wait(None, all)).map(|_| ());
                if let Some(explicit) = &self.explicit {
                    let batch = explicit.named.batch();
                    self.device.tell_order(|| Submit::Runs { batch });
                }
                waited
            }
            Command::Note(note) => self.note(list, &list[*note]),
            Command::Execute(_) | Command::Generated(_) => {
                Err(Error::Internal("a list is not a command".into()))
            }
        }
    }

    fn note(&mut self, list: &'l Recorded, note: &'l Note) -> Result<()> {
        let Some(explicit) = &mut self.explicit else { return Ok(()) };
        match note {
            Note::Barriers(barriers) => self.barrier(Some((list, &barriers[..]))),
            Note::SetBehind(stages) => {
                explicit.named.behind = Some(*stages);
                Ok(())
            }
            Note::BeginLabel(label) => {
                explicit.named.labels.push(label);
                Ok(())
            }
            Note::EndLabel => {
                explicit.named.labels.pop();
                Ok(())
            }
            Note::InsertLabel(_) => Ok(()),
        }
    }

    /// A barrier: what it is about, if that is known, comes before the barrier itself.
    fn barrier(&mut self, about: Option<(&Recorded, &[NotedBarrier])>) -> Result<()> {
        self.flush_scope()?;
        if let (Some(watch), Some(explicit)) = (&self.device.options().watch, &mut self.explicit) {
            match about {
                Some((list, barriers)) => {
                    let tell = Tell { watch, names: self.device.names(), list };
                    ordered::barriers(&tell, barriers);
                }
                None if explicit.noted => {}
                None => {
                    let order = events::Order::Barrier {
                        dependencies: &[events::Dependency::FULL],
                        transitions: &[],
                    };
                    watch.0.told(&Event::Order(order));
                }
            }
            explicit.noted = about.is_some();
        }
        Ok(())
    }

    /// Queries that a command takes: with multiview one per view.
    fn n_queries(&self) -> u32 {
        self.scope.as_ref().map_or(1, Scope::n_queries)
    }

    fn begin_query(&mut self, pool: &'l QueryPool, query: u32, stream: u32) -> Result<()> {
        let n_queries = self.n_queries();
        (0..n_queries).for_each(|i| pool.start(query + i));
        if pool.kind() == QueryKind::Occlusion {
            return self.set_occlusion(Some(Occlusion::new(pool, query, n_queries)));
        }
        self.flush_scope()?;
        let (pool, before) = (pool.clone(), self.work);
        self.counting.push(Counting { pool, query, stream, n_queries, before });
        Ok(())
    }

    fn end_counting(&mut self, pool: &QueryPool, query: u32) -> Result<()> {
        self.flush_scope()?;
        let running =
            self.counting.iter().position(|c| c.query == query && c.pool.address() == pool.address());
        let Some(c) = running.map(|at| self.counting.swap_remove(at)) else { return Ok(()) };
        let values = self.work.since(&c.before).values(pool.kind(), c.stream);
        pool.finish(query, &values);
        // With multiview the first query has it all.
        let nothing = vec![0; values.len()];
        (1..c.n_queries).for_each(|i| pool.finish(query + i, &nothing));
        Ok(())
    }

    /// Draws capture into these buffers, from where the counters say.
    fn begin_feedback(
        &mut self,
        list: &'l Recorded,
        Capture { buffers, counters }: &'l Capture,
    ) -> Result<()> {
        // What has been recorded before does not count as needed.
        self.flush_scope()?;
        let (mut ranges, mut starts) = ([FeedbackRange::EMPTY; MAX_STREAMS], [0; MAX_STREAMS]);
        for number in 0..MAX_STREAMS {
            let Some(slice) = &buffers[number] else { continue };
            let (memory, base) = list.buffers[slice.buffer].memory()?;
            let size = slice.size.min(LIMITS.max_transform_feedback_buffer_size);
            ranges[number] = memory.feedback_range(base + slice.offset, size)?;
            if let Some((counter, at)) = counters[number] {
                starts[number] = list.buffers[counter].read::<u32>(at, 1)?[0].into();
            }
        }
        if let Some(explicit) = &mut self.explicit {
            let slices = buffers.iter().enumerate().filter_map(|(i, slice)| Some((i, (*slice)?, starts[i])));
            explicit.captures = slices.collect();
            explicit.counted = *counters;
        }
        self.capturing = Some((list, buffers));
        let feedback = Arc::new(TransformFeedback::new(ranges, starts));
        self.scope()?.set_feedback(Some(feedback.clone()));
        self.feedback = Some(feedback);
        Ok(())
    }

    fn end_feedback(&mut self, list: &Recorded, counters: &Counters) -> Result<()> {
        self.flush_scope()?;
        if let Some(scope) = &mut self.scope {
            scope.set_feedback(None);
        }
        let (capturing, feedback) = (self.capturing.take(), self.feedback.take());
        let Some(feedback) = feedback else { return Ok(()) };
        if let Some((list, slices)) = capturing {
            for (slice, end) in slices.iter().zip(feedback.offsets()) {
                let Some(slice) = slice else { continue };
                list.buffers[slice.buffer].clear_missing(slice.offset, end.min(slice.size))?;
            }
        }
        if let (Some(watch), Some(explicit)) = (&self.device.options().watch, &mut self.explicit) {
            let ends: Vec<u64> = feedback.offsets().into_iter().collect();
            let captures = std::mem::take(&mut explicit.captures).into_iter();
            let ranges: Vec<_> = captures.map(|(i, slice, start)| (slice, [start, ends[i]])).collect();
            let mut written = *counters;
            for (counter, read) in written.iter_mut().zip(explicit.counted) {
                counter.take_if(|c| Some(*c) == read);
            }
            accessed::captured(&Tell { watch, names: self.device.names(), list }, &ranges, &written);
        }
        for (counter, offset) in counters.iter().zip(feedback.offsets()) {
            if let Some((buffer, at)) = counter {
                list.buffers[*buffer].write(*at, &[offset as u32])?;
            }
        }
        Ok(())
    }

    /// Begins or ends an occlusion query. Its draws have run when its result becomes available.
    fn set_occlusion(&mut self, next: Option<Occlusion>) -> Result<()> {
        if self.occlusion.is_some() {
            self.flush_scope()?;
        }
        if let Some(scope) = &mut self.scope {
            scope.set_occlusion(next.as_ref());
        }
        if let Some(last) = std::mem::replace(&mut self.occlusion, next) {
            last.finish();
        }
        Ok(())
    }

    fn dispatch(
        &mut self,
        list: &Recorded,
        call: Ref<ComputeCall>,
        push: Run,
        groups: [u32; 3],
        base: [u32; 3],
    ) -> Result<()> {
        let call = &list.compute_calls[call];
        let options = self.device.options();
        let (pipeline, bindings) = (&list.compute[call.pipeline], &list.bindings[call.bindings]);
        let variant = pipeline.variant();
        if let Some(watch) = &options.watch {
            runs::dispatch(watch, list, call, push);
        }
        let ordered = std::mem::replace(&mut self.ordered, false);
        self.next(ordered);
        let (dynamic, push) = (dynamic_records(list, bindings), list.push(push));
        let job = ComputeJob {
            lane_fn: variant.lane_fn(),
            name: &variant.shader.name,
            resources: resources(self.device, list, bindings, &push, &dynamic),
            groups,
            base,
            ordered: variant.needs_order && options.order == Order::Strict
                || options.watch.is_some() && variant.shader.writes_memory,
            rivalry: variant.rivalry.as_ref(),
            budget: self.device.budget(),
        };
        dispatch(self.device.pool(), &job).map_err(|e| of_pipeline(e, self.device, pipeline))?;
        let all = groups.iter().chain(&variant.shader.local_size);
        let invocations = all.fold(1u64, |n, &size| n.wrapping_mul(size.into()));
        self.work.add(&Work::of_dispatch(invocations));
        Ok(())
    }
}

fn copy_query_results(device: &Device, list: &Recorded, copy: &CopyQueryResults) -> Result<()> {
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
