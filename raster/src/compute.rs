//! Dispatch: distributes workgroups over threads.
//!
//! The caller starts alone and wakes other threads only when the remaining work is worth a wake-up. A dispatch of a few
//! small groups therefore never leaves its thread. Left to others: threads and their wake-ups ([`crate::pool`]), and
//! calls of lane functions (`invoke`).

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use quadrille_jit::abi::Ctx;
use quadrille_jit::call::LaneFn;
use quadrille_jit::error::{Error, Result};

use crate::activity::Activity;
use crate::invoke::{call_compute, ctx_for};
use crate::pace::Pace;
use crate::pool::{ALONE, Budget, Items, Pool, Timed, Watched};
use crate::resources::BoundResources;
use crate::rivalry::Rivalry;

/// A dispatch.
pub struct ComputeJob<'a> {
    /// The compute stage.
    pub lane_fn: &'a LaneFn,
    /// Name of the entry point, for messages.
    pub name: &'a str,
    /// Descriptor sets and push constants.
    pub resources: BoundResources<'a>,
    /// Number of workgroups in x, y and z.
    pub groups: [u32; 3],
    /// Base workgroup, added to workgroup ids.
    pub base: [u32; 3],
    /// Runs the workgroups one after the other, in ascending order.
    pub ordered: bool,
    /// Contention measured for the shader, if its workgroups use atomics on shared memory words.
    pub rivalry: Option<&'a Rivalry>,
    /// Time that workgroups of the shader take.
    pub pace: &'a Pace,
    /// Time limit of the dispatch.
    pub budget: Budget,
}

/// Target duration of a range of workgroups: minimum and maximum.
const RANGE: [Duration; 2] = [Duration::from_micros(4), Duration::from_micros(200)];

/// The first step of a dispatch has at most this part of its workgroups.
const FIRST_PART: u32 = 16;

/// Runs a dispatch to completion.
///
/// Fails with `DeviceLost` when the budget runs out, and with `OutOfMemory` when there is a budget but no watchdog
/// thread.
pub fn dispatch(pool: &Pool, job: &ComputeJob<'_>) -> Result<()> {
    if job.groups.contains(&0) {
        return Ok(());
    }
    let _activity = Activity::Workgroups.begin();
    let watched = Watched::begin(job.budget)?;
    let total = job.groups.iter().map(|&n| u64::from(n)).reduce(u64::saturating_mul);
    if let Some(total) = total.and_then(|total| u32::try_from(total).ok()) {
        return run_part(pool, job, &watched, job.base, total);
    }
    parts(job.groups).try_for_each(|(origin, total)| {
        let base = std::array::from_fn(|i| job.base[i].wrapping_add(origin[i]));
        run_part(pool, job, &watched, base, total)
    })
}

/// Splits a dispatch into parts with fewer than 2^32 workgroups. Returns the first workgroup of each part and its
/// number of workgroups, which are numbered x first.
fn parts(groups: [u32; 3]) -> impl Iterator<Item = ([u32; 3], u32)> {
    let [x, y, z] = groups.map(|n| n.max(1));
    let plane = u64::from(x) * u64::from(y);
    let most = u64::from(u32::MAX);
    // Parts are whole planes where a plane fits, else whole rows of one plane.
    let (rows, planes) = if plane <= most { (y, (most / plane) as u32) } else { (u32::MAX / x, 1) };
    (0..z).step_by(planes as usize).flat_map(move |at_z| {
        (0..y).step_by(rows as usize).map(move |at_y| {
            let (ny, nz) = (rows.min(y - at_y), planes.min(z - at_z));
            ([0, at_y, at_z], x * ny * nz)
        })
    })
}

/// Runs `total` workgroups from `base` on.
fn run_part(pool: &Pool, job: &ComputeJob<'_>, watched: &Watched, base: [u32; 3], total: u32) -> Result<()> {
    let lost = || ended([job.lane_fn], job.name, job.budget, watched);
    let mut ctx = ctx_for(&job.resources, watched.flag());
    ctx.num_workgroups = job.groups;
    ctx.base_workgroup = base;

    if total == 1 || job.ordered || pool.threads() == 1 {
        return if call_compute(job.lane_fn, &mut ctx, 0, total) { Ok(()) } else { Err(lost()) };
    }

    let (first, each) = match begin(job, &mut ctx, total) {
        Some(begun) => begun,
        None => return Err(lost()),
    };
    if first == total {
        return Ok(());
    }
    let rest = Rest { pool, watched, job, base, each, stopped: AtomicBool::new(false) };
    match job.rivalry {
        Some(rivalry) => rest.run_rivals(rivalry, first..total),
        None => rest.share(first..total, None),
    }
    if rest.stopped.into_inner() { Err(lost()) } else { Ok(()) }
}

/// Runs the first workgroups on the calling thread: as many as tell whether others are to help. Returns how many they
/// are, and the time per workgroup; `None` if the dispatch is stopped.
fn begin(job: &ComputeJob<'_>, ctx: &mut Ctx, total: u32) -> Option<(u32, Duration)> {
    let known = job.pace.known();
    let most = known.map_or(ALONE, |_| RANGE[0]);
    // These workgroups may take much longer than those of earlier dispatches, so few of them run before there is a look at
    // the time.
    let few = (total / FIRST_PART).max(1);
    let (mut first, mut step) = (0, known.map_or(1, |each| groups_in(RANGE[0], each).min(few)));
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    // Time per workgroup in the fastest step; the thread may have been preempted during other steps.
    let mut each = Duration::MAX;
    while first < total && spent < most {
        let n = step.min(total - first);
        if !call_compute(job.lane_fn, ctx, first, n) {
            return None;
        }
        first += n;
        step = step.saturating_mul(2);
        let before = std::mem::replace(&mut spent, start.elapsed());
        each = each.min((spent - before) / n);
    }
    let each = each.max(Duration::from_nanos(1));
    job.pace.learn(each);
    Some((first, each))
}

/// Number of workgroups in a time, at least 1.
fn groups_in(time: Duration, each: Duration) -> u32 {
    (time.as_nanos() / each.as_nanos().max(1)).clamp(1, u32::MAX.into()) as u32
}

/// Least number of workgroups, and least total time, for which contention is measured.
const RIVALS: (u32, Duration) = (64, Duration::from_micros(500));

/// Cost of workgroups that ran on several threads.
#[derive(Default)]
struct Measured {
    /// CPU time of all workgroups, in nanoseconds.
    nanos: AtomicU64,
    /// Number of workgroups that helper threads ran.
    helped: AtomicU64,
}

/// Remainder of a dispatch after the caller's first steps.
struct Rest<'a> {
    pool: &'a Pool,
    watched: &'a Watched,
    job: &'a ComputeJob<'a>,
    /// Id of the first workgroup.
    base: [u32; 3],
    /// Estimated time per workgroup.
    each: Duration,
    stopped: AtomicBool,
}

impl Rest<'_> {
    /// Runs workgroups on the calling thread. Returns false if the dispatch is stopped.
    fn run(&self, groups: Range<u32>) -> bool {
        let _activity = Activity::Workgroups.begin();
        let stop = self.watched.flag();
        if stop.load(Ordering::Relaxed) != 0 || self.stopped.load(Ordering::Relaxed) {
            self.stopped.store(true, Ordering::Relaxed);
            return false;
        }
        let mut ctx = ctx_for(&self.job.resources, stop);
        ctx.num_workgroups = self.job.groups;
        ctx.base_workgroup = self.base;
        let goes_on = call_compute(self.job.lane_fn, &mut ctx, groups.start, groups.len() as u32);
        if !goes_on {
            self.stopped.store(true, Ordering::Relaxed);
        }
        goes_on
    }

    /// Runs workgroups on as many threads as pay off.
    fn share(&self, groups: Range<u32>, measured: Option<&Measured>) {
        let sizes = RANGE.map(|t| (t.as_nanos() / self.each.as_nanos()) as u64);
        let items = Items { range: groups.start.into()..groups.end.into(), sizes, each: self.each };
        let caller = measured.map(|_| thread::current().id());
        self.pool.share_while(self.watched, items, |range| {
            let n = range.end - range.start;
            let timed = measured.map(|m| (m, Timed::start()));
            let goes_on = self.run(range.start as u32..range.end as u32);
            if let Some((m, timed)) = timed {
                m.nanos.fetch_add(timed.end().1.as_nanos() as u64, Ordering::Relaxed);
                if Some(thread::current().id()) != caller {
                    m.helped.fetch_add(n, Ordering::Relaxed);
                }
            }
            goes_on
        });
    }

    /// Runs workgroups that use atomics on shared memory words: on one thread if more threads would slow each other
    /// down.
    fn run_rivals(&self, rivalry: &Rivalry, groups: Range<u32>) {
        let n = groups.len() as u32;
        if n < RIVALS.0 || self.each.saturating_mul(n) < RIVALS.1 {
            return self.share(groups, None);
        }
        let (found, rest) = match rivalry.known() {
            Some(found) => (found, groups),
            None => self.compare(rivalry, groups),
        };
        match found {
            true => {
                self.run(rest);
            }
            false => self.share(rest, None),
        }
    }

    /// Runs one part of the workgroups on this thread and another on all threads. Returns whether the threads slow each
    /// other down, and the workgroups that remain.
    fn compare(&self, rivalry: &Rivalry, groups: Range<u32>) -> (bool, Range<u32>) {
        let (n, threads) = (groups.len() as u32, self.pool.threads());
        let first = groups.start + (n / 16 / threads as u32).max(1);
        let second = first + (groups.end - first) / 4;
        let timed = Timed::start();
        self.run(groups.start..first);
        let alone = timed.end().1 / (first - groups.start);
        let (n, m) = (second - first, Measured::default());
        self.share(first..second, Some(&m));
        let found = match m.helped.into_inner() {
            // Too few workgroups ran on helper threads to measure contention.
            helped if helped < u64::from(n / 4) => rivalry.last(),
            _ => rivalry.learn(threads, alone, Duration::from_nanos(m.nanos.into_inner()) / n.max(1)),
        };
        (found, second..groups.end)
    }
}

/// Error for work whose lane functions did not complete: a lane function's claim was broken, an invocation aborted, the
/// budget was spent, or
/// an observer (a debugger or profiler) ended the call.
pub(crate) fn ended<'a>(
    fns: impl IntoIterator<Item = &'a LaneFn>,
    name: &str,
    budget: Budget,
    watched: &Watched,
) -> Error {
    for lane_fn in fns {
        if let Some(text) = lane_fn.broken_claim() {
            return Error::Internal(text);
        }
        if let Some(abort) = lane_fn.take_abort() {
            return Error::Aborted { text: abort.text, message: abort.message };
        }
    }
    Error::DeviceLost(match budget.limit.filter(|_| watched.stopped()) {
        Some(limit) => format!(
            "entry point `{name}` did not end within its budget of {} s ({})",
            limit.as_secs_f64(),
            budget.set_by
        ),
        None => format!("an observer ended entry point `{name}`"),
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use quadrille_jit::abi::{Ctx, DONE, EntryMeta, STOPPED};

    use super::*;
    use crate::resources::BoundSets;

    /// Counts each workgroup in the array that set 0 points to.
    ///
    /// # Safety
    /// `ctx` must be valid, with an array of at least `first + n` counters as set 0.
    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn count(ctx: *const Ctx, first: u32, n: u32) -> u32 {
        // SAFETY: `counting` binds an array with one counter per workgroup as set 0, and the array outlives the
        // dispatch.
        unsafe {
            let hits = (*ctx).sets[0].cast::<AtomicU32>();
            for i in first..first + n {
                (*hits.add(i as usize)).fetch_add(1, Ordering::Relaxed);
            }
        }
        DONE
    }

    /// Runs until the stop flag is set.
    ///
    /// # Safety
    /// `ctx` must be valid, with a live `AtomicU32` as its stop flag.
    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn spin(ctx: *const Ctx, _: u32, _: u32) -> u32 {
        // SAFETY: `ctx_for` sets `stop` to a flag that outlives the call.
        while unsafe { (*(*ctx).stop.cast::<AtomicU32>()).load(Ordering::Relaxed) } == 0 {
            std::hint::spin_loop();
        }
        STOPPED
    }

    /// A shader that runs until its budget is spent.
    pub(crate) fn endless() -> LaneFn {
        lane_fn(spin)
    }

    fn lane_fn(f: quadrille_jit::abi::Entry) -> LaneFn {
        let meta = EntryMeta { lanes: 8, scratch_bytes: 100, shared_bytes: 100, ..EntryMeta::default() };
        LaneFn::new(f, std::ptr::null(), meta, Arc::new(()))
    }

    /// A dispatch of `count`, which counts its workgroups in `hits`.
    fn counting<'a>(
        lane_fn: &'a LaneFn,
        pace: &'a Pace,
        hits: &'a [AtomicU32],
        groups: [u32; 3],
    ) -> ComputeJob<'a> {
        let mut sets = BoundSets::NONE;
        sets.put(0, hits.as_ptr().cast(), size_of_val(hits) as u32);
        // SAFETY: set 0 is the array of counters that `count` expects, and the borrow of `hits` for `'a` keeps it alive
        // as long as the job.
        #[expect(unsafe_code, reason = "binds test memory")]
        let resources = unsafe { BoundResources::new(sets, &[], &[0; 256]) };
        ComputeJob {
            lane_fn,
            name: "count",
            resources,
            groups,
            base: [0; 3],
            ordered: false,
            rivalry: None,
            pace,
            budget: Budget::seconds(10),
        }
    }

    #[test]
    fn every_workgroup_runs_once() {
        for threads in [1, 2, 7] {
            let (pool, function, pace) = (Pool::new(threads), lane_fn(count), Pace::default());
            for groups in [[0, 1, 1], [1, 1, 1], [3, 5, 7], [1000, 100, 1]] {
                let total = groups.iter().product::<u32>();
                let hits: Vec<AtomicU32> = (0..total).map(|_| AtomicU32::new(0)).collect();
                // The second dispatch knows how long workgroups take, or believes a time that is far off.
                for (round, told) in [None, None, Some(1), Some(1 << 30)].into_iter().enumerate() {
                    told.into_iter().for_each(|nanos| pace.learn(Duration::from_nanos(nanos)));
                    dispatch(&pool, &counting(&function, &pace, &hits, groups)).unwrap();
                    assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == round as u32 + 1));
                }
            }
        }
    }

    #[test]
    fn parts_make_up_the_dispatch() {
        let all = |groups| parts(groups).collect::<Vec<_>>();
        assert_eq!(all([3, 5, 7]), [([0; 3], 105)]);
        assert_eq!(all([u32::MAX, 1, 1]), [([0; 3], u32::MAX)]);
        // Two planes fit into one part, a third does not.
        assert_eq!(
            all([1 << 16, (1 << 15) - 1, 3]),
            [([0; 3], (1 << 17) * ((1 << 15) - 1)), ([0, 0, 2], (1 << 16) * ((1 << 15) - 1))]
        );
        // At most 65535 rows of 2^17 workgroups fit, all in one plane.
        assert_eq!(
            all([1 << 17, 40_000, 1]),
            [([0; 3], (1 << 17) * 32767), ([0, 32767, 0], (1 << 17) * 7233)]
        );
        for groups in [[4_194_303, 65535, 3], [65535, 65535, 5], [1, 70_000, 70_000]] {
            let total: u64 = parts(groups).map(|part| u64::from(part.1)).sum();
            assert_eq!(total, groups.iter().map(|n| u64::from(*n)).product::<u64>(), "{groups:?}");
        }
    }

    /// Runs with unknown contention, then on one thread, then on several.
    #[test]
    fn every_workgroup_of_rivals_runs_once() {
        for threads in [2, 7] {
            let (pool, watched, pace) = (Pool::new(threads), Watched::NONE, Pace::default());
            let hits: Vec<AtomicU32> = (0..5000).map(|_| AtomicU32::new(0)).collect();
            let function = lane_fn(count);
            let job = counting(&function, &pace, &hits, [5000, 1, 1]);
            // Pretends that workgroups take long enough to share.
            let each = Duration::from_micros(10);
            let rest = Rest {
                pool: &pool,
                watched: &watched,
                job: &job,
                base: [0; 3],
                each,
                stopped: AtomicBool::new(false),
            };
            let rivalry = Rivalry::default();
            for (round, shared) in [None, Some(100), Some(1)].into_iter().enumerate() {
                if let Some(shared) = shared {
                    rivalry.learn(threads, Duration::from_nanos(10), Duration::from_nanos(shared));
                }
                rest.run_rivals(&rivalry, 0..5000);
                assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == round as u32 + 1));
            }
        }
    }

    #[test]
    fn endless_shader_is_device_lost() {
        for threads in [1, 2] {
            let job = ComputeJob {
                lane_fn: &lane_fn(spin),
                name: "forever",
                resources: BoundResources::none(),
                groups: [4, 1, 1],
                base: [0; 3],
                ordered: false,
                rivalry: None,
                pace: &Pace::default(),
                budget: Budget { set_by: "a knob", ..Budget::of(Duration::from_millis(30)) },
            };
            let e = dispatch(&Pool::new(threads), &job).unwrap_err();
            assert!(
                matches!(&e, Error::DeviceLost(m) if m.contains("`forever`") && m.ends_with(" 0.03 s (a knob)")),
                "{e}"
            );
            assert!(e.to_string().contains("budget of 0.03 s"), "{e}");
        }
    }

    /// Stops at once, before any budget is spent.
    ///
    /// # Safety
    /// The function has no requirements, because it uses none of its arguments.
    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn give_up(_: *const Ctx, _: u32, _: u32) -> u32 {
        STOPPED
    }

    #[test]
    fn what_was_ended_before_its_budget_was_spent_says_so() {
        for budget in [Budget::NONE, Budget::seconds(100)] {
            let job = ComputeJob {
                lane_fn: &lane_fn(give_up),
                name: "watched",
                resources: BoundResources::none(),
                groups: [4, 1, 1],
                base: [0; 3],
                ordered: false,
                rivalry: None,
                pace: &Pace::default(),
                budget,
            };
            let e = dispatch(&Pool::new(1), &job).unwrap_err().to_string();
            assert!(e.contains("ended entry point `watched`") && !e.contains("budget"), "{e}");
        }
    }

    #[test]
    fn any_number_of_workgroups_ends_with_its_budget() {
        for threads in [1, 2] {
            let job = ComputeJob {
                lane_fn: &lane_fn(spin),
                name: "very many",
                resources: BoundResources::none(),
                groups: [4_194_303, 65535, 65535],
                base: [0; 3],
                ordered: false,
                rivalry: None,
                pace: &Pace::default(),
                budget: Budget::of(Duration::from_millis(30)),
            };
            let e = dispatch(&Pool::new(threads), &job).unwrap_err();
            assert!(matches!(&e, Error::DeviceLost(m) if m.contains("very many")), "{e}");
        }
    }
}
