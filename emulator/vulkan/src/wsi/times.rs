//! Times of presentations: when each stage of a presented image was reached, and when images are due. The commands that
//! ask for them are left to [`super::timing`].
//!
//! All time domains are the monotonic clock of the host, in nanoseconds. An image leaves the device when it is handed to
//! the window system, which does not say when it becomes visible. Spec: Vulkan, VK_EXT_present_timing.

use std::collections::VecDeque;
use std::time::Duration;

use ash::vk;

use crate::interface::chain::slice_mut;
use crate::interface::guard::VkResult;
use crate::newer::{
    ERROR_PRESENT_TIMING_QUEUE_FULL, PRESENT_STAGE_LOCAL, PastPresentationTimingEXT, PresentStageTimeEXT,
    PresentTimingInfoEXT,
};
use crate::sys;

/// The time domains, each with its id as its index. The values of the host's clock may be others.
pub const DOMAINS: &[vk::TimeDomainKHR] = match sys::HOST_IN_NANOSECONDS {
    true => &[PRESENT_STAGE_LOCAL, sys::HOST_CLOCK],
    false => &[PRESENT_STAGE_LOCAL],
};

/// Stages of a presentation, as bits. Spec: Vulkan, VkPresentStageFlagBitsEXT.
pub mod stage {
    /// The image is rendered.
    pub const RENDERED: u32 = 1;
    /// The image is next to be shown.
    pub const DEQUEUED: u32 = 1 << 1;
    /// The image has been handed to the window system.
    pub const OUT: u32 = 1 << 2;
    /// The image is visible, of which the window system does not tell the time.
    const VISIBLE: u32 = 1 << 3;
    /// The stages with times.
    pub const TIMED: u32 = RENDERED | DEQUEUED | OUT;
    /// All stages. Spec: Vulkan, VkPresentTimingInfoEXT: `presentStageQueries` may name stages without times.
    pub const ALL: u32 = TIMED | VISIBLE;
}

/// PRESENT_AT_RELATIVE_TIME of VkPresentTimingInfoFlagBitsEXT.
const RELATIVE: u32 = 1;
/// PRESENT_AT_NEAREST_REFRESH_CYCLE of VkPresentTimingInfoFlagBitsEXT.
const NEAREST: u32 = 1 << 1;
/// ALLOW_PARTIAL_RESULTS of VkPastPresentationTimingFlagBitsEXT.
const PARTIAL: u32 = 1;
/// ALLOW_OUT_OF_ORDER_RESULTS of VkPastPresentationTimingFlagBitsEXT.
const OUT_OF_ORDER: u32 = 1 << 1;

/// The times that a presentation asks for, and the time at which its image is due.
#[derive(Clone, Copy, Default)]
pub struct Wanted {
    flags: u32,
    target: u64,
    domain: u64,
    queries: u32,
}

impl Wanted {
    /// Reads the structure of one swapchain.
    pub fn of(info: &PresentTimingInfoEXT) -> Wanted {
        Wanted {
            flags: info.flags,
            target: info.target_time,
            domain: info.time_domain_id,
            queries: info.present_stage_queries,
        }
    }

    /// Returns true if the application asks for times.
    pub fn asks(&self) -> bool {
        self.queries != 0
    }

    /// Time from now until the image is due, where `last` is the time of the image before it, if there is one.
    pub fn wait(&self, last: Option<u64>, period: Option<Duration>) -> Duration {
        let due = match (self.target, self.flags & RELATIVE != 0, last) {
            (0, _, _) | (_, true, None) => return Duration::ZERO,
            (target, true, Some(last)) => last.saturating_add(target),
            (target, false, _) => target,
        };
        let early = match period {
            Some(period) if self.flags & NEAREST != 0 => period.as_nanos() as u64 / 2,
            _ => 0,
        };
        Duration::from_nanos(due.saturating_sub(early).saturating_sub(quadrille::query::now()))
    }

    /// Returns `true` if the image is due although the one before it was not shown.
    pub fn may_replace(&self, period: Option<Duration>) -> bool {
        // A time after that of the image before it has not begun.
        let relative = self.target != 0 && self.flags & RELATIVE != 0;
        !relative && self.wait(None, period).is_zero()
    }
}

/// Times of one presentation.
struct Times {
    /// Number of the presentation in its swapchain.
    number: u64,
    id: u64,
    wanted: Wanted,
    /// Time of each stage, by its bit; 0 for a stage that the image skipped, or that has no time.
    at: [u64; stage::ALL.count_ones() as usize],
    /// Stages that were reached or skipped.
    reached: u32,
}

impl Times {
    fn is_complete(&self) -> bool {
        self.wanted.queries & stage::ALL & !self.reached == 0
    }

    fn is_begun(&self) -> bool {
        self.wanted.queries & self.reached != 0
    }

    /// The stages that were asked for. Those that are not reached yet are listed with time 0, so a query that reuses its
    /// structures after a partial result has room for the complete one.
    fn stages(&self) -> impl Iterator<Item = PresentStageTimeEXT> {
        let (queries, at) = (self.wanted.queries, self.at);
        (0..at.len())
            .filter(move |bit| queries >> bit & 1 != 0)
            .map(move |bit| PresentStageTimeEXT { stage: 1 << bit, time: at[bit] })
    }
}

/// The results that a swapchain keeps until the application takes them.
#[derive(Default)]
pub struct Results {
    room: usize,
    kept: VecDeque<Times>,
}

impl Results {
    /// Makes room for `room` results. Fails if more are kept.
    pub fn resize(&mut self, room: usize) -> VkResult {
        if room < self.kept.len() {
            return Err(vk::Result::NOT_READY);
        }
        self.room = room;
        Ok(())
    }

    /// Reserves a place for a presentation that asks for times. Fails if there is none.
    pub fn reserve(&mut self, number: u64, id: u64, wanted: Wanted) -> VkResult {
        if wanted.queries == 0 {
            return Ok(());
        }
        if self.kept.len() >= self.room {
            return Err(ERROR_PRESENT_TIMING_QUEUE_FULL);
        }
        self.kept.push_back(Times { number, id, wanted, at: Default::default(), reached: 0 });
        Ok(())
    }

    /// Records that a presentation has reached stages at `time`; 0 if it skips them.
    pub fn reach(&mut self, number: u64, stages: u32, time: u64) {
        // Presentations have ascending numbers, and the application may leave very many.
        let Ok(place) = self.kept.binary_search_by_key(&number, |times| times.number) else { return };
        let times = &mut self.kept[place];
        for (bit, at) in times.at.iter_mut().enumerate() {
            if stages >> bit & 1 != 0 && times.reached >> bit & 1 == 0 {
                *at = time;
            }
        }
        times.reached |= stages;
    }

    /// Indices of the results that a query with these flags may take, in order.
    pub fn available(&self, flags: u32) -> Vec<usize> {
        let mut list = Vec::new();
        for (i, times) in self.kept.iter().enumerate() {
            let partly = flags & PARTIAL != 0 && times.is_begun();
            if times.is_complete() || partly {
                list.push(i);
            } else if flags & OUT_OF_ORDER == 0 {
                break;
            }
        }
        list
    }

    /// Writes results to `out`, and forgets those that are complete. Returns the number of results, and true if more are
    /// available.
    ///
    /// # Safety
    /// Each structure has room for the number of stages that it states.
    pub unsafe fn take(&mut self, flags: u32, out: &mut [PastPresentationTimingEXT]) -> (usize, bool) {
        let available = self.available(flags);
        for (out, &i) in out.iter_mut().zip(&available) {
            let times = &self.kept[i];
            // SAFETY: the caller promises room for this many stages.
            let room = unsafe { slice_mut(out.p_present_stages, out.present_stage_count) };
            let mut n = 0;
            for (place, stage) in room.iter_mut().zip(times.stages()) {
                *place = stage;
                n += 1;
            }
            out.present_stage_count = n;
            (out.present_id, out.target_time) = (times.id, times.wanted.target);
            let domain = (times.wanted.domain as usize).min(DOMAINS.len() - 1);
            (out.time_domain, out.time_domain_id) = (DOMAINS[domain], domain as u64);
            out.report_complete = times.is_complete().into();
        }
        let n = available.len().min(out.len());
        for &i in available[..n].iter().rev().filter(|&&i| self.kept[i].is_complete()).collect::<Vec<_>>() {
            self.kept.remove(i);
        }
        (n, available.len() > n)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(queries: u32) -> Wanted {
        Wanted { queries, ..Wanted::default() }
    }

    /// Each presentation that asks for times needs a place. Spec: Vulkan, VkPresentTimingInfoEXT.
    #[test]
    fn results_need_room() {
        let mut results = Results::default();
        assert_eq!(results.reserve(1, 0, wanted(0)), Ok(()));
        assert_eq!(results.reserve(1, 0, wanted(1)), Err(ERROR_PRESENT_TIMING_QUEUE_FULL));
        results.resize(2).unwrap();
        results.reserve(1, 0, wanted(1)).unwrap();
        results.reserve(2, 0, wanted(1)).unwrap();
        assert_eq!(results.reserve(3, 0, wanted(1)), Err(ERROR_PRESENT_TIMING_QUEUE_FULL));
        assert_eq!(results.resize(1), Err(vk::Result::NOT_READY));
    }

    /// Results come in order and whole, unless the query allows others.
    #[test]
    fn results_come_in_order() {
        let mut results = Results::default();
        results.resize(3).unwrap();
        for number in 1..4 {
            results.reserve(number, number, wanted(stage::RENDERED | stage::OUT)).unwrap();
        }
        results.reach(1, stage::RENDERED, 10);
        results.reach(2, stage::ALL, 20);
        assert_eq!(results.available(0), Vec::<usize>::new());
        assert_eq!(results.available(PARTIAL), [0, 1]);
        assert_eq!(results.available(OUT_OF_ORDER), [1]);
        let times =
            |results: &Results| results.kept[0].stages().map(|s| (s.stage, s.time)).collect::<Vec<_>>();
        assert_eq!(times(&results), [(stage::RENDERED, 10), (stage::OUT, 0)]);
        results.reach(1, stage::OUT, 30);
        // A stage is reached once.
        results.reach(1, stage::RENDERED, 40);
        assert_eq!(results.available(0), [0, 1]);
        assert_eq!(times(&results), [(stage::RENDERED, 10), (stage::OUT, 30)]);
    }

    /// Results that the application never takes cost later presentations no time: with a search through all of them, this
    /// takes minutes.
    #[test]
    fn results_may_be_many() {
        const MANY: u64 = 300_000;
        let mut results = Results::default();
        results.resize(MANY as usize).unwrap();
        for number in 0..MANY {
            results.reserve(number, number, wanted(stage::ALL)).unwrap();
            results.reach(number, stage::RENDERED, number);
            results.reach(number, stage::ALL, number);
            // A presentation that asks for no times.
            results.reach(MANY + number, stage::ALL, number);
        }
        assert_eq!(results.available(0).len(), MANY as usize);
    }

    /// Spec: Vulkan, VkPresentTimingInfoFlagBitsEXT.
    #[test]
    fn images_are_due() {
        let now = quadrille::query::now();
        let at = |flags, target| Wanted { flags, target, ..Wanted::default() };
        let second = 1_000_000_000;
        let close = |wait: Duration, secs: f64| (wait.as_secs_f64() - secs).abs() < 0.5;
        assert!(close(at(0, now + 10 * second).wait(None, None), 10.0));
        assert!(close(at(RELATIVE, 5 * second).wait(Some(now), None), 5.0));
        assert_eq!(at(RELATIVE, 5 * second).wait(None, None), Duration::ZERO);
        assert_eq!(at(0, 1).wait(None, None), Duration::ZERO);
        assert_eq!(at(0, 0).wait(Some(now), None), Duration::ZERO);
        let period = Some(Duration::from_secs(4));
        assert!(close(at(NEAREST, now + 10 * second).wait(None, period), 8.0));
        let replaces = |flags, target| at(flags, target).may_replace(None);
        assert!(replaces(0, 0) && replaces(RELATIVE, 0) && replaces(0, now));
        assert!(!replaces(0, now + 10 * second) && !replaces(RELATIVE, 1));
    }
}
