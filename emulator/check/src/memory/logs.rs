//! Logs of synchronization under the Vulkan memory model: releases, availability operations and atomic writes of
//! invocations, kept for a whole dispatch or draw.
//!
//! Each event has a time, a number that grows with every event of any invocation. Two simplifications apply: a value
//! passed on by one invocation counts as passed on to every later acquire, and availability that another invocation
//! extends is checked only by time.

use rustc_hash::FxHashMap;

use super::order::Sort;
use super::shadow::{Access, Reach, Thread};

/// Bits of an event.
pub mod does {
    /// Releases earlier accesses.
    pub const RELEASE: u8 = 1;
    /// Makes earlier writes available.
    pub const AVAILABLE: u8 = 2;
    /// Is an atomic write.
    pub const WRITE: u8 = 4;
}

/// An event of invocations of a lane group.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub time: u32,
    pub lanes: u32,
    /// Bits of [`does`].
    pub does: u8,
    /// Bits of the storage sorts that are released or made available.
    pub sorts: u8,
    /// Storage sort that an atomic writes.
    pub location: Sort,
    pub reach: Reach,
}

/// Largest number of events kept for a lane group; further accesses of the group count as ordered.
const MAX_EVENTS: usize = 1 << 14;

/// Events of a lane group.
#[derive(Default)]
struct Log {
    /// Number of invocations of the group.
    lanes: u32,
    events: Vec<Event>,
    full: bool,
}

/// Times of the events of a unit, by sort and reach.
#[derive(Default)]
struct UnitLog {
    /// Times of releases by atomics.
    released: [[Vec<u32>; 3]; 3],
    /// Times of availability operations.
    available: [[Vec<u32>; 3]; 3],
}

/// Events of the running dispatch or draw.
#[derive(Default)]
pub struct Logs {
    groups: FxHashMap<(u32, u32), Log>,
    units: FxHashMap<u32, UnitLog>,
}

/// Times up to which an invocation has acquired the releases of others, for one sort.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// Acquired by workgroup barriers, by reach of the acquire.
    pub barrier: [u32; 3],
    /// Acquired by subgroup barriers.
    pub subgroup: u32,
    /// Acquired by atomics, by reach of the acquire.
    pub atomics: [u32; 3],
}

impl Known {
    /// Takes the later times of both.
    pub fn merge(&mut self, other: &Known) {
        let most = |a: &mut [u32; 3], b: &[u32; 3]| a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).max(*b));
        most(&mut self.barrier, &other.barrier);
        most(&mut self.atomics, &other.atomics);
        self.subgroup = self.subgroup.max(other.subgroup);
    }

    /// True if barriers that include both invocations have ordered this time.
    fn by_barrier(&self, time: u32, need: Reach) -> bool {
        match need {
            Reach::Subgroup => time <= self.subgroup.max(self.barrier[need.index()]),
            Reach::Workgroup => time <= self.barrier[need.index()],
            _ => false,
        }
    }

    fn by_atomics(&self, time: u32, need: Reach) -> bool {
        time <= self.atomics[need.index()]
    }
}

/// Visibility of a write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Yes,
    NotAvailable,
    NotVisible,
}

impl Logs {
    /// Clears the logs for another dispatch or draw.
    pub fn clear(&mut self) {
        *self = Logs::default();
    }

    /// Records an event of lanes of a group. The key is the unit, the group and its number of invocations.
    pub fn put(&mut self, (unit, group, lanes): (u32, u32, u32), event: Event) {
        let of_unit = self.units.entry(unit).or_default();
        for sort in Sort::ALL.into_iter().filter(|s| s.is_in(event.sorts)) {
            if event.does & does::AVAILABLE != 0 {
                push(&mut of_unit.available[sort as usize], event.reach, event.time);
            }
            if event.does & (does::RELEASE | does::WRITE) == does::RELEASE | does::WRITE {
                push(&mut of_unit.released[sort as usize], event.reach, event.time);
            }
        }
        let log = self.groups.entry((unit, group)).or_default();
        log.lanes = lanes;
        match log.events.len() < MAX_EVENTS {
            true => log.events.push(event),
            false => log.full = true,
        }
    }

    /// Records that an atomic write of a unit publishes the releases of an earlier fence.
    pub fn pass_on(&mut self, unit: u32, sorts: u8, reach: Reach, time: u32) {
        let of_unit = self.units.entry(unit).or_default();
        for sort in Sort::ALL.into_iter().filter(|s| s.is_in(sorts)) {
            push(&mut of_unit.released[sort as usize], reach, time);
        }
    }

    /// Returns the events of an invocation from a time on; `None` if not all of them were kept.
    fn events(&self, of: &Thread, from: u32) -> Option<impl Iterator<Item = &Event>> {
        let log = self.groups.get(&(of.unit, of.group));
        let lanes = log.map_or(0, |log| log.lanes);
        let lane = of.local.wrapping_sub(of.group.wrapping_mul(lanes)) & 31;
        let events = log.map_or(&[][..], |log| &log.events);
        let first = events.partition_point(|e| e.time < from);
        let own = events[first..].iter().filter(move |e| e.lanes >> lane & 1 == 1);
        log.is_none_or(|log| !log.full).then_some(own)
    }

    /// True if the actions of an invocation before `from` happen before those of another that has acquired `known`;
    /// `need` is the smallest reach that includes both.
    pub fn happens_before(&self, of: &Thread, sort: Sort, from: u32, need: Reach, known: &Known) -> bool {
        let Some(events) = self.events(of, from) else { return true };
        let mut fenced = [Reach::Invocation; 3];
        let mut first = None;
        for e in events {
            if e.does & does::RELEASE != 0 && sort.is_in(e.sorts) {
                first = first.or(Some(e.time));
                let atomic = e.does & does::WRITE != 0;
                if e.reach >= need
                    && (known.by_barrier(e.time, need) || atomic && known.by_atomics(e.time, need))
                {
                    return true;
                }
                if !atomic {
                    let of = Sort::ALL.into_iter().filter(|s| s.is_in(e.sorts));
                    of.for_each(|s| fenced[s as usize] = fenced[s as usize].max(e.reach));
                }
            }
            let passes = e.does & does::WRITE != 0 && fenced[e.location as usize].min(e.reach) >= need;
            if passes && known.by_atomics(e.time, need) {
                return true;
            }
            if !known.by_atomics(e.time, need) && !known.by_barrier(e.time, need) {
                break;
            }
        }
        // Other invocations of its unit may have passed it on.
        first.is_some_and(|at| self.passed_on(of.unit, sort, at + 1, need, known))
    }

    fn passed_on(&self, unit: u32, sort: Sort, from: u32, need: Reach, known: &Known) -> bool {
        let unit = self.units.get(&unit);
        let next = unit.and_then(|u| next(&u.released[sort as usize][need.index()], from));
        next.is_some_and(|time| known.by_atomics(time, need))
    }

    /// True if a write is known to be available to a scope that includes both invocations.
    pub fn is_available(&self, write: &Access, sort: Sort, need: Reach, known: &Known) -> bool {
        let from = write.time + 1;
        let made = |reach: Reach| {
            if write.says.reach() >= reach {
                return Some(from);
            }
            let Some(mut events) = self.events(&write.thread, from) else { return Some(from) };
            let makes = |e: &&Event| e.does & does::AVAILABLE != 0 && sort.is_in(e.sorts) && e.reach >= reach;
            events.find(makes).map(|e| e.time)
        };
        if made(need).is_some_and(|at| self.happens_before(&write.thread, sort, at, need, known)) {
            return true;
        }
        // A chain: another invocation extends the availability.
        let of_unit = self.units.get(&write.thread.unit);
        let further = made(Reach::Subgroup)
            .and_then(|at| next(&of_unit?.available[sort as usize][need.index()], at + 1));
        further.is_some_and(|at| {
            known.by_barrier(at, need) || self.passed_on(write.thread.unit, sort, at, need, known)
        })
    }
}

/// Appends a time for each reach up to `reach`.
fn push(lists: &mut [Vec<u32>; 3], reach: Reach, time: u32) {
    for list in lists.iter_mut().take(reach as usize) {
        if list.last() != Some(&time) {
            list.push(time);
        }
    }
}

/// Returns the first time that is not before `from`.
fn next(times: &[u32], from: u32) -> Option<u32> {
    times.get(times.partition_point(|&t| t < from)).copied()
}
