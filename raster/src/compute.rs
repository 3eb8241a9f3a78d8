//! Dispatch: workgroups over threads.
//!
//! The caller begins alone and hands work to others only when there is enough left to be worth a
//! wake-up, so a dispatch of a few small groups never leaves its thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use quadrille_jit::call::LaneFn;
use quadrille_jit::error::{Error, Result};

use crate::invoke::{BoundResources, call_compute, ctx_for};
use crate::pool::{ALONE, Budget, Items, Pool, Watched};

/// A dispatch.
pub struct ComputeJob<'a> {
    /// The compute stage.
    pub lane_fn: &'a LaneFn,
    /// Name of the entry point, for messages.
    pub name: &'a str,
    /// Descriptors and push constants.
    pub resources: BoundResources<'a>,
    /// Workgroups in each direction.
    pub groups: [u32; 3],
    /// Added to workgroup ids.
    pub base: [u32; 3],
    /// Workgroups run one after the other, ascending.
    pub ordered: bool,
    /// Time it may take.
    pub budget: Budget,
}

/// Time that a range of workgroups aims at, at least and at most.
const RANGE: [Duration; 2] = [Duration::from_micros(4), Duration::from_micros(200)];

/// Runs a dispatch to its end.
///
/// `DeviceLost` when the budget runs out, `Limit` for 2^32 workgroups or more, `OutOfMemory` when there is a
/// budget and no watchdog.
pub fn dispatch(pool: &Pool, job: &ComputeJob<'_>) -> Result<()> {
    let total = job.groups.iter().try_fold(1u32, |n, &g| n.checked_mul(g));
    let total = total.ok_or_else(|| Error::Limit("2^32 or more workgroups in a dispatch".into()))?;
    if total == 0 {
        return Ok(());
    }
    let watched = Watched::begin(job.budget)?;
    let lost = || ended([job.lane_fn], job.name, job.budget);
    let mut ctx = ctx_for(&job.resources, watched.flag());
    ctx.num_workgroups = job.groups;
    ctx.base_workgroup = job.base;

    if total == 1 || job.ordered || pool.threads() == 1 {
        return if call_compute(job.lane_fn, &mut ctx, 0, total) { Ok(()) } else { Err(lost()) };
    }

    let (mut first, mut step) = (0, 1);
    let start = Instant::now();
    let mut spent = Duration::ZERO;
    // Of the quickest step: another may have lost its processor in the middle.
    let mut each = Duration::MAX;
    while first < total && spent < ALONE {
        let n = step.min(total - first);
        if !call_compute(job.lane_fn, &mut ctx, first, n) {
            return Err(lost());
        }
        first += n;
        step *= 2;
        let before = std::mem::replace(&mut spent, start.elapsed());
        each = each.min((spent - before) / n);
    }
    if first == total {
        return Ok(());
    }

    let each = each.max(Duration::from_nanos(1));
    let ranges = RANGE.map(|t| (t.as_nanos() / each.as_nanos()) as u64);
    let items = Items { range: first.into()..total.into(), sizes: ranges, each };
    let (stop, stopped) = (watched.flag(), AtomicBool::new(false));
    pool.share(&watched, items, |range| {
        if stop.load(Ordering::Relaxed) != 0 || stopped.load(Ordering::Relaxed) {
            stopped.store(true, Ordering::Relaxed);
            return;
        }
        let mut ctx = ctx_for(&job.resources, stop);
        ctx.num_workgroups = job.groups;
        ctx.base_workgroup = job.base;
        let (at, n) = (range.start as u32, (range.end - range.start) as u32);
        if !call_compute(job.lane_fn, &mut ctx, at, n) {
            stopped.store(true, Ordering::Relaxed);
        }
    });
    if stopped.into_inner() { Err(lost()) } else { Ok(()) }
}

/// The error of work whose lane functions did not run to their end.
pub(crate) fn ended<'a>(fns: impl IntoIterator<Item = &'a LaneFn>, name: &str, budget: Budget) -> Error {
    match fns.into_iter().find_map(LaneFn::broken_claim) {
        Some(text) => Error::Internal(text),
        None => lost(name, budget),
    }
}

/// The error of work that was stopped.
fn lost(name: &str, budget: Budget) -> Error {
    let seconds = budget.0.map_or(0.0, |d| d.as_secs_f64());
    Error::DeviceLost(format!(
        "entry point `{name}` did not end within its budget of {seconds} s (QUADRILLE_BUDGET)"
    ))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use quadrille_jit::abi::{Ctx, DONE, EntryMeta, STOPPED};

    use super::*;

    /// Counts each workgroup in the array that set 0 points to.
    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn count(ctx: *const Ctx, first: u32, n: u32) -> u32 {
        // SAFETY: the tests bind an array of one counter per workgroup as set 0.
        unsafe {
            let hits = (*ctx).sets[0].cast::<AtomicU32>();
            for i in first..first + n {
                (*hits.add(i as usize)).fetch_add(1, Ordering::Relaxed);
            }
        }
        DONE
    }

    /// Never ends by itself.
    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn spin(ctx: *const Ctx, _: u32, _: u32) -> u32 {
        // SAFETY: the stop flag is valid.
        while unsafe { (*(*ctx).stop.cast::<AtomicU32>()).load(Ordering::Relaxed) } == 0 {
            std::hint::spin_loop();
        }
        STOPPED
    }

    fn lane_fn(f: quadrille_jit::abi::Entry) -> LaneFn {
        let meta = EntryMeta { lanes: 8, scratch_bytes: 100, shared_bytes: 100, ..EntryMeta::default() };
        LaneFn::new(f, std::ptr::null(), meta, Arc::new(()))
    }

    #[test]
    fn every_workgroup_runs_once() {
        for threads in [1, 2, 7] {
            let pool = Pool::new(threads);
            for groups in [[0, 1, 1], [1, 1, 1], [3, 5, 7], [1000, 100, 1]] {
                let total = groups.iter().product::<u32>();
                let hits: Vec<AtomicU32> = (0..total).map(|_| AtomicU32::new(0)).collect();
                let mut sets = [std::ptr::null(); 8];
                sets[0] = hits.as_ptr().cast();
                // SAFETY: set 0 is what `count` expects.
                #[expect(unsafe_code, reason = "binds test memory")]
                let resources = unsafe { BoundResources::new(sets, &[], &[0; 256]) };
                let job = ComputeJob {
                    lane_fn: &lane_fn(count),
                    name: "count",
                    resources,
                    groups,
                    base: [0; 3],
                    ordered: false,
                    budget: Budget::seconds(10),
                };
                dispatch(&pool, &job).unwrap();
                assert!(hits.iter().all(|h| h.load(Ordering::Relaxed) == 1));
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
                budget: Budget(Some(Duration::from_millis(30))),
            };
            let e = dispatch(&Pool::new(threads), &job).unwrap_err();
            assert!(matches!(&e, Error::DeviceLost(m) if m.contains("forever")), "{e}");
        }
    }

    #[test]
    fn too_many_workgroups_is_a_limit() {
        let job = ComputeJob {
            lane_fn: &lane_fn(count),
            name: "count",
            resources: BoundResources::none(),
            groups: [65535, 65535, 2],
            base: [0; 3],
            ordered: false,
            budget: Budget::NONE,
        };
        assert!(matches!(dispatch(&Pool::new(1), &job), Err(Error::Limit(_))));
    }
}
