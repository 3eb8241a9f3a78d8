//! Reports of a call before they are added to all: one for each cause, with its first invocation and a count.
//!
//! An invocation counts once each time that it executes a place, however many components go wrong there, and whatever
//! becomes of them: [`Clock`] tells executions apart. What a report says costs more than to find it again: it is put
//! into words for the first invocation only.

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

/// A cause: where, a number that tells causes there apart, the kind.
pub type Key = (Where, u64, Kind);

/// Where a cause is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Where {
    /// In an instruction of the IR, a loop, or wherever its address says.
    Address(usize),
    /// In an instruction of the module, in one of the calls that it is inlined through.
    Instruction(u32),
    /// In a line of a file, in a call.
    Line {
        /// The file.
        file: u32,
        /// The line.
        line: u32,
        /// The call.
        call: u32,
    },
    /// In the shader as a whole: an invocation counts once.
    Shader,
}

impl Where {
    /// The instruction that a place is of.
    pub fn instruction(src: Src, address: usize) -> Where {
        if src.place == 0 { Where::Address(address) } else { Where::Instruction(src.place) }
    }

    /// The line of a place; if it has none, the instruction.
    pub fn line(shader: &Shader, src: Src, address: usize) -> Where {
        match shader.debug.as_ref().and_then(|d| d.place(src)) {
            Some(place) if place.line != 0 => {
                Where::Line { file: place.file, line: place.line, call: place.call }
            }
            _ => Where::instruction(src, address),
        }
    }
}

/// A number for a variable: parts of one have the same.
pub fn of_variable(name: &str) -> u64 {
    let mut hasher = FxHasher::default();
    root(name).hash(&mut hasher);
    hasher.finish()
}

/// Tells executions of places apart, which all parts of a call number alike.
#[derive(Clone, Default)]
pub struct Clock(Rc<Now>);

#[derive(Default)]
struct Now {
    execution: Cell<u64>,
    start: Cell<u64>,
    at: Cell<Option<(u32, Where)>>,
}

impl Clock {
    /// A lane group is about to execute an instruction: another execution, unless it is of the line at hand.
    pub fn tick(&self, at: &View<'_>, src: Src, address: usize) {
        let here = Some((at.group(), Where::line(at.shader(), src, address)));
        if self.0.at.replace(here) != here {
            self.0.execution.set(self.0.execution.get() + 1);
        }
    }

    /// What comes is another execution, even if it is of the line at hand: a round of a loop, the end of an invocation.
    pub fn turn(&self) {
        self.0.at.set(None);
        self.0.execution.set(self.0.execution.get() + 1);
    }

    /// A lane group begins.
    pub fn start(&self) {
        self.turn();
        self.0.start.set(self.0.execution.get());
    }

    /// The number of the execution at hand.
    pub fn now(&self) -> u64 {
        self.0.execution.get()
    }
}

/// See the module.
pub struct Pending {
    session: Arc<Session>,
    clock: Clock,
    found: FxHashMap<Key, Found>,
}

/// What was found of a cause.
struct Found {
    /// The first invocation that it was found in.
    order: Order,
    report: Report,
    /// The last execution that counted, by lane group and lane.
    last: FxHashMap<(u32, usize), u64>,
}

impl Pending {
    /// Nothing yet.
    pub fn new(session: &Arc<Session>, clock: &Clock) -> Pending {
        Pending { session: session.clone(), clock: clock.clone(), found: FxHashMap::default() }
    }

    /// A mistake in a lane, in the execution at hand.
    pub fn add(&mut self, at: &View<'_>, lane: usize, key: Key, report: impl FnOnce() -> Report) {
        let now = if key.0 == Where::Shader { self.clock.0.start.get() } else { self.clock.now() };
        self.add_made(at, lane, now, key, report);
    }

    /// A mistake in a lane that was made in an execution.
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

    /// A mistake in a lane, in the execution at hand, that is told of an invocation of this order.
    pub fn add_as(
        &mut self,
        (at, lane, order): (&View<'_>, usize, Order),
        key: Key,
        report: impl FnOnce() -> Report,
    ) {
        self.put(Some((at.group(), lane, self.clock.now())), order, key, report);
    }

    /// A mistake in an invocation of this order, which counts.
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
        // What was made before counted when it came to light; executions are numbered from 1.
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

    /// What is checked together.
    pub fn session(&self) -> &Arc<Session> {
        &self.session
    }

    /// Numbers executions.
    pub fn clock(&self) -> &Clock {
        &self.clock
    }

    /// Takes back what was found of a cause: there is a better report of it.
    pub fn retract(&mut self, key: Key) {
        self.found.remove(&key);
    }
}

impl Drop for Pending {
    /// The call has ended.
    fn drop(&mut self) {
        for found in std::mem::take(&mut self.found).into_values() {
            self.session.reports.add(found.report);
        }
    }
}
