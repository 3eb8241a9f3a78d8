//! What invocations did that others may be ordered by, where the module declares the Vulkan memory model: releases,
//! availability operations, atomic writes; kept for a whole dispatch or draw.
//!
//! Everything has a time: a number that grows with each of them, whoever does it. Between invocations, what one has
//! passed on is taken for passed on to all who acquire later, and availability that one invocation widens for what
//! another wrote is looked at by time alone.

use rustc_hash::FxHashMap;

use super::order::Sort;
use super::shadow::{Access, Reach, Thread};

/// What an event is, as bits.
pub mod does {
    /// What was before is released.
    pub const RELEASE: u8 = 1;
    /// What was written before is made available.
    pub const AVAILABLE: u8 = 2;
    /// An atomic write.
    pub const WRITE: u8 = 4;
}

/// Something that invocations of a lane group did together.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    pub time: u32,
    pub lanes: u32,
    /// Bits of [`does`].
    pub does: u8,
    /// Bits of the sorts of memory that are released or made available.
    pub sorts: u8,
    /// The sort of memory that an atomic writes.
    pub location: Sort,
    pub reach: Reach,
}

/// Most events that are kept of a lane group: what it does after more counts as ordered.
const MAX_EVENTS: usize = 1 << 14;

/// Events of a lane group.
#[derive(Default)]
struct Log {
    /// Number of its invocations.
    lanes: u32,
    events: Vec<Event>,
    full: bool,
}

/// Times of what the invocations of a unit did, by sort of memory and by reach.
#[derive(Default)]
struct UnitLog {
    /// Releases by atomics.
    released: [[Vec<u32>; 3]; 3],
    /// Availability operations.
    available: [[Vec<u32>; 3]; 3],
}

/// Events of the dispatch or draw that is running.
#[derive(Default)]
pub struct Logs {
    groups: FxHashMap<(u32, u32), Log>,
    units: FxHashMap<u32, UnitLog>,
}

/// Until when an invocation knows what others have released, for a sort of memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct Known {
    /// By control barriers of the workgroup, by reach of the acquire.
    pub barrier: [u32; 3],
    /// By those of the subgroup.
    pub subgroup: u32,
    /// By atomics, by reach of the acquire.
    pub atomics: [u32; 3],
}

impl Known {
    /// What either knows.
    pub fn merge(&mut self, other: &Known) {
        let most = |a: &mut [u32; 3], b: &[u32; 3]| a.iter_mut().zip(b).for_each(|(a, b)| *a = (*a).max(*b));
        most(&mut self.barrier, &other.barrier);
        most(&mut self.atomics, &other.atomics);
        self.subgroup = self.subgroup.max(other.subgroup);
    }

    /// Whether a time lies before what barriers of both have ordered.
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

/// What a write lacks to be seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seen {
    Yes,
    NotAvailable,
    NotVisible,
}

impl Logs {
    /// Another dispatch or draw.
    pub fn clear(&mut self) {
        *self = Logs::default();
    }

    /// Lanes of a group have done something: unit, group, number of its invocations.
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

    /// An atomic write of a unit passes on what a fence before it has released.
    pub fn pass_on(&mut self, unit: u32, sorts: u8, reach: Reach, time: u32) {
        let of_unit = self.units.entry(unit).or_default();
        for sort in Sort::ALL.into_iter().filter(|s| s.is_in(sorts)) {
            push(&mut of_unit.released[sort as usize], reach, time);
        }
    }

    /// What an invocation has done from a time on, if all of it is kept.
    fn events(&self, of: &Thread, from: u32) -> Option<impl Iterator<Item = &Event>> {
        let log = self.groups.get(&(of.unit, of.group));
        let lanes = log.map_or(0, |log| log.lanes);
        let lane = of.local.wrapping_sub(of.group.wrapping_mul(lanes)) & 31;
        let events = log.map_or(&[][..], |log| &log.events);
        let first = events.partition_point(|e| e.time < from);
        let own = events[first..].iter().filter(move |e| e.lanes >> lane & 1 == 1);
        log.is_none_or(|log| !log.full).then_some(own)
    }

    /// Whether what an invocation did before `from` happens before what another does that knows `known`; `need` is
    /// the least reach that includes both.
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
        // Others of its unit may have passed it on.
        first.is_some_and(|at| self.passed_on(of.unit, sort, at + 1, need, known))
    }

    fn passed_on(&self, unit: u32, sort: Sort, from: u32, need: Reach, known: &Known) -> bool {
        let unit = self.units.get(&unit);
        let next = unit.and_then(|u| next(&u.released[sort as usize][need.index()], from));
        next.is_some_and(|time| known.by_atomics(time, need))
    }

    /// Whether a write before is available to what includes both invocations, and that is known of.
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
        // A chain: somebody else makes it available further on.
        let of_unit = self.units.get(&write.thread.unit);
        let further = made(Reach::Subgroup)
            .and_then(|at| next(&of_unit?.available[sort as usize][need.index()], at + 1));
        further.is_some_and(|at| {
            known.by_barrier(at, need) || self.passed_on(write.thread.unit, sort, at, need, known)
        })
    }
}

/// Notes a time for each reach up to one.
fn push(lists: &mut [Vec<u32>; 3], reach: Reach, time: u32) {
    for list in lists.iter_mut().take(reach as usize) {
        if list.last() != Some(&time) {
            list.push(time);
        }
    }
}

/// The first time from one on.
fn next(times: &[u32], from: u32) -> Option<u32> {
    times.get(times.partition_point(|&t| t < from)).copied()
}
