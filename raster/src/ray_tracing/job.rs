//! A trace command: its invocations over threads.

use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_jit::error::{Error, Result};
use quadrille_jit::ir::Stage;
use quadrille_jit::printf;
use quadrille_jit::reserve::Room;

use super::bad_record::Table;
use super::call::{BadRecords, Call, Frame, Regions, Running};
use super::memory::Worker;
use super::routine::routine;
use super::shaders::{Input, TracePipeline, TraceShader};
use super::table::{Record, Region};
use crate::activity::Activity;
use crate::compute::ended;
use crate::pool::{ALONE, Budget, Items, Pool, Watched};
use crate::rays::Scenes;
use crate::resources::BoundResources;

/// A trace command. Spec: Vulkan, vkCmdTraceRaysKHR.
pub struct TraceJob<'a> {
    /// The pipeline.
    pub pipeline: &'a TracePipeline,
    /// Descriptor sets and push constants.
    pub resources: BoundResources<'a>,
    /// Acceleration structures by device address.
    pub scenes: &'a Scenes,
    /// The ray generation shader.
    pub raygen: Region,
    /// Miss shaders.
    pub miss: Region,
    /// Hit groups.
    pub hit: Region,
    /// Callable shaders.
    pub callable: Region,
    /// Number of invocations in x, y and z.
    pub size: [u32; 3],
    /// Bytes of stack that the application sets for nested shaders, in the measure of
    /// [`TraceShader::stack_bytes`]; 0 if it sets none.
    pub stack: u64,
    /// Runs all invocations on one thread, in ascending order.
    pub ordered: bool,
    /// Time limit of the command.
    pub budget: Budget,
    /// Receiver of selected records that name no suitable shaders.
    pub bad_records: Option<BadRecords<'a>>,
}

/// Target duration of a range of lane groups: minimum and maximum.
const RANGE: [Duration; 2] = [Duration::from_micros(4), Duration::from_micros(200)];
/// Stack that a command may take on any thread. Threads have two mebibytes.
const ANY_STACK_BYTES: usize = 5 << 18;
/// Stack of a thread besides that of nested shaders.
const MORE_STACK_BYTES: usize = 1 << 18;

/// Runs a trace command to completion.
///
/// Fails with `DeviceLost` when the budget runs out, and with `OutOfMemory` when there is no memory for the stack of
/// deeply nested shaders, or when there is a budget but no watchdog thread.
pub fn trace_rays(pool: &Pool, job: &TraceJob<'_>) -> Result<()> {
    let stack = job.pipeline.stack_bytes(job.pipeline.callable_depth(job.stack));
    if stack <= ANY_STACK_BYTES {
        return run(Some(pool), job);
    }
    // The stack of this thread may not suffice, nor that of helpers.
    let stack = stack + MORE_STACK_BYTES;
    let _room = Room::new(stack)?;
    let prints = printf::sink_of_work();
    thread::scope(|scope| {
        let work = || printf::with_sink(prints, || run(None, job));
        let thread = thread::Builder::new().name("quadrille-rays".into()).stack_size(stack);
        let thread = thread.spawn_scoped(scope, work);
        let thread = thread.map_err(|e| Error::OutOfMemory(format!("no thread for nested shaders: {e}")))?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

/// Runs a command on the threads of a pool, or on this one alone.
fn run(pool: Option<&Pool>, job: &TraceJob<'_>) -> Result<()> {
    let total = job.size.iter().map(|&n| u64::from(n)).try_fold(1, u64::checked_mul);
    let total = total.ok_or_else(|| Error::Limit(format!("{:?} rays", job.size)))?;
    let _activity = Activity::Rays.begin();
    let watched = Watched::begin(job.budget)?;
    let running = Running {
        pipeline: job.pipeline,
        resources: job.resources,
        scenes: job.scenes,
        raygen: job.raygen,
        regions: Regions { miss: job.miss, hit: job.hit, callable: job.callable },
        size: job.size,
        callable_depth: job.pipeline.callable_depth(job.stack),
        routine,
        stop: watched.flag(),
        over: AtomicBool::new(false),
        bad_records: job.bad_records,
        panic: Mutex::default(),
    };
    let found = running.general(None, (Table::RayGeneration, 0), Stage::RayGeneration);
    let Some((shader, record)) = found else { return Ok(()) };
    let shader = &job.pipeline.shaders[shader];
    let launch = Launch { running: &running, shader, record, total };
    launch.share(pool.filter(|pool| !job.ordered && pool.threads() > 1), &watched);
    let over = running.is_over();
    if let Some(panic) = running.panic.into_inner().unwrap_or_else(PoisonError::into_inner) {
        resume_unwind(panic);
    }
    if over {
        let fns = job.pipeline.shaders.iter().map(|s| &s.lane_fn);
        return Err(ended(fns, &shader.name, job.budget, &watched));
    }
    Ok(())
}

/// The invocations of the ray generation shader.
struct Launch<'a> {
    running: &'a Running<'a>,
    shader: &'a TraceShader,
    record: Record,
    /// Number of invocations.
    total: u64,
}

impl Launch<'_> {
    fn lanes(&self) -> u64 {
        self.shader.lanes.max(1) as u64
    }

    /// Runs all lane groups, on as many threads as pay off.
    fn share(&self, pool: Option<&Pool>, watched: &Watched) {
        let groups = self.total.div_ceil(self.lanes());
        let Some(pool) = pool else { return self.run(0..groups) };
        let (mut first, mut step) = (0, 1);
        let start = Instant::now();
        let mut spent = Duration::ZERO;
        while first < groups && spent < ALONE {
            let n = step.min(groups - first);
            self.run(first..first + n);
            (first, step) = (first + n, step * 2);
            spent = start.elapsed();
        }
        if first == groups || self.running.is_over() {
            return;
        }
        let each = (spent / first as u32).max(Duration::from_nanos(1));
        let sizes = RANGE.map(|t| (t.as_nanos() / each.as_nanos()).max(1) as u64);
        let items = Items { range: first..groups, sizes, each };
        pool.share_while(watched, items, |range| {
            let _activity = Activity::Rays.begin();
            self.run(range);
            !self.running.is_over()
        });
    }

    /// Runs some lane groups on this thread.
    fn run(&self, groups: Range<u64>) {
        let worker = Worker::new(self.running.scenes);
        let [width, height, _] = self.running.size.map(u64::from);
        let first = groups.start * self.lanes();
        let mut next = match self.total {
            0 => return,
            _ => [first % width, first / width % height, first / (width * height)].map(|n| n as u32),
        };
        for group in groups {
            if self.running.is_over() {
                return;
            }
            self.group(&worker, group, &mut next);
        }
    }

    /// Runs a lane group: invocations that follow each other in x, then in y, then in z. `next` is the LaunchId of the
    /// first one, and becomes that of the first one after them.
    fn group(&self, worker: &Worker<'_>, group: u64, next: &mut [u32; 3]) {
        let count = (self.total - group * self.lanes()).min(self.lanes()) as usize;
        let [width, height, _] = self.running.size;
        let ids = (0..count).map(|_| {
            let id = *next;
            next[0] += 1;
            if next[0] == width {
                (next[0], next[1]) = (0, next[1] + 1);
            }
            if next[1] == height {
                (next[1], next[2]) = (0, next[2] + 1);
            }
            id
        });
        let frame = Frame::new(self.running, worker, ids);
        let mut call = Call::new(&frame, self.shader, count, |_| {
            |of| match of {
                Input::Record(part) => (self.record.data >> (32 * part)) as u32,
                Input::Payload(_) | Input::Attribute(_) | Input::BuiltIn(..) => 0,
            }
        });
        call.run(&frame);
        call.outputs(&frame, |_, _, _| {});
    }
}

#[cfg(test)]
mod tests {
    use quadrille_jit::ir::{Shader, StageKind};

    use super::*;
    use crate::compute::tests::endless;

    #[test]
    fn any_number_of_invocations_ends_with_the_budget() {
        let pipeline = TracePipeline {
            shaders: Vec::new(),
            groups: Vec::new(),
            handles: Default::default(),
            max_depth: 1,
            flags: Default::default(),
        };
        let shader = TraceShader::new(&Shader::empty(StageKind::RayGeneration, "endless"), endless());
        let scenes = Scenes::default();
        for threads in [1, 2] {
            let watched = Watched::begin(Budget::of(Duration::from_millis(30))).unwrap();
            let running = Running {
                pipeline: &pipeline,
                resources: BoundResources::none(),
                scenes: &scenes,
                raygen: Region::default(),
                regions: Regions {
                    miss: Region::default(),
                    hit: Region::default(),
                    callable: Region::default(),
                },
                size: [1 << 22, 1 << 20, 1 << 20],
                callable_depth: 0,
                routine,
                stop: watched.flag(),
                over: AtomicBool::new(false),
                bad_records: None,
                panic: Mutex::default(),
            };
            let launch =
                Launch { running: &running, shader: &shader, record: Record::default(), total: 1 << 62 };
            launch.share(Some(&Pool::new(threads)), &watched);
            assert!(running.is_over(), "{threads} threads");
        }
    }
}
