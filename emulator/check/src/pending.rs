//! Reports of a call before they are added to the session: one per cause, with its first invocation and a count.
//!
//! An invocation counts once for each execution of a place, however many components are wrong there and whatever
//! happens to them; [`Clock`] distinguishes executions. Formatting a report is expensive, so it is done only for the
//! first invocation.

use std::cell::Cell;
use std::collections::hash_map::Entry;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{Shader, Src};
use rustc_hash::{FxHashMap, FxHasher};

use crate::kind::Kind;
use crate::place::{self, Order};
use crate::report::{Report, root};
use crate::session::Session;

/// A cause: place, a number that distinguishes causes there, and kind.
pub type Key = (Where, u64, Kind);

/// Place of a cause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Where {
    /// Address of an IR instruction, a loop, or another object.
    Address(usize),
    /// An instruction of the module, in one of the calls that it is inlined through.
    Instruction(u32),
    /// A line of a file, in a call.
    Line {
        /// Number of the file.
        file: u32,
        /// Line in the file.
        line: u32,
        /// Number of the call.
        call: u32,
    },
    /// The shader as a whole, where an invocation counts once.
    Shader,
}

impl Where {
    /// Returns the instruction of a place.
    pub fn instruction(src: Src, address: usize) -> Where {
        if src.place == 0 { Where::Address(address) } else { Where::Instruction(src.place) }
    }

    /// Returns the line of a place, or its instruction if it has no line.
    pub fn line(shader: &Shader, src: Src, address: usize) -> Where {
        match shader.debug.as_ref().and_then(|d| d.place(src)) {
            Some(place) if place.line != 0 => {
                Where::Line { file: place.file, line: place.line, call: place.call }
            }
            _ => Where::instruction(src, address),
        }
    }
}

/// Returns a number for a variable; all parts of a variable have the same.
pub fn of_variable(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    root(name).hash(&mut hasher);
    hasher.finish()
}

/// Numbers the executions of places; all checks of a call share it.
#[derive(Clone, Default)]
pub struct Clock(Rc<Now>);

#[derive(Default)]
struct Now {
    execution: Cell<u64>,
    start: Cell<u64>,
    at: Cell<Option<(u32, Where)>>,
}

impl Clock {
    /// Called before a lane group executes an instruction. Starts another execution unless the line is the same as
    /// before.
    pub fn tick(&self, at: &View<'_>, src: Src, address: usize) {
        let here = Some((at.group(), Where::line(at.shader(), src, address)));
        if self.0.at.replace(here) != here {
            self.0.execution.set(self.0.execution.get() + 1);
        }
    }

    /// Starts another execution even on the same line, at a loop iteration or the end of an invocation.
    pub fn turn(&self) {
        self.0.at.set(None);
        self.0.execution.set(self.0.execution.get() + 1);
    }

    /// Starts a lane group.
    pub fn start(&self) {
        self.turn();
        self.0.start.set(self.0.execution.get());
    }

    /// Returns the number of the current execution.
    pub fn now(&self) -> u64 {
        self.0.execution.get()
    }
}

/// Reports of a call, by cause.
pub struct Pending {
    session: Arc<Session>,
    clock: Clock,
    found: FxHashMap<Key, Found>,
}

/// Findings of one cause.
struct Found {
    /// First invocation in which it was found.
    order: Order,
    report: Report,
    /// Last execution that was counted, by lane group and lane.
    last: FxHashMap<(u32, usize), u64>,
}

impl Pending {
    /// Creates an empty collection.
    pub fn new(session: &Arc<Session>, clock: &Clock) -> Pending {
        Pending { session: session.clone(), clock: clock.clone(), found: FxHashMap::default() }
    }

    /// Adds an error in a lane during the current execution.
    pub fn add(&mut self, at: &View<'_>, lane: usize, key: Key, report: impl FnOnce() -> Report) {
        let now = if key.0 == Where::Shader { self.clock.0.start.get() } else { self.clock.now() };
        self.add_made(at, lane, now, key, report);
    }

    /// Adds an error in a lane that was made in an earlier execution.
    pub fn add_made(
        &mut self,
        at: &View<'_>,
        lane: usize,
        made: u64,
        key: Key,
        report: impl FnOnce() -> Report,
    ) {
        let step = self.session.step();
        let who = Some((at.group(), lane, made));
        self.put(who, place::order(at, lane), key, || report().by(place::who(at, lane, step)));
    }

    /// Adds an error in a lane during the current execution, attributed to the invocation of this order.
    pub fn add_as(
        &mut self,
        (at, lane, order): (&View<'_>, usize, Order),
        key: Key,
        report: impl FnOnce() -> Report,
    ) {
        self.put(Some((at.group(), lane, self.clock.now())), order, key, report);
    }

    /// Adds an error in an invocation of this order, which always counts.
    pub fn add_in(&mut self, order: Order, key: Key, report: impl FnOnce() -> Report) {
        self.put(None, order, key, report);
    }

    fn put(
        &mut self,
        who: Option<(u32, usize, u64)>,
        order: Order,
        key: Key,
        report: impl FnOnce() -> Report,
    ) {
        // An error of an earlier execution counted when it surfaced. Executions are numbered from 1.
        let counts = |last: &mut FxHashMap<(u32, usize), u64>| {
            who.is_none_or(|(group, lane, execution)| {
                let last = last.entry((group, lane)).or_default();
                let counts = execution > *last;
                *last = execution.max(*last);
                counts
            })
        };
        match self.found.entry(key) {
            Entry::Vacant(entry) => {
                let mut last = FxHashMap::default();
                counts(&mut last);
                entry.insert(Found { order, report: report(), last });
            }
            Entry::Occupied(mut entry) => {
                let Found { order: first, report: old, last } = entry.get_mut();
                old.count = old.count.saturating_add(counts(last).into());
                if order < *first {
                    let count = old.count;
                    (*first, *old) = (order, Report { count, ..report() });
                }
            }
        }
    }

    /// Session that receives the reports.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Clock that numbers executions.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Removes the report of a cause, because a better one exists.
    pub fn retract(&mut self, key: Key) {
        self.found.remove(&key);
    }
}

impl Drop for Pending {
    /// Adds all reports to the session when the call ends.
    fn drop(&mut self) {
        for found in std::mem::take(&mut self.found).into_values() {
            self.session.reports.add(found.report);
        }
    }
}
