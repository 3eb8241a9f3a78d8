//! Reports of a call before they are added to all: one for each cause, with its first invocation and a count.
//!
//! What a report says costs more than to find it again: it is put into words for the first invocation only.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use quadrille_jit::interp::watch::View;
use rustc_hash::FxHashMap;

use crate::kind::Kind;
use crate::place::{self, Order};
use crate::report::Report;
use crate::session::Session;

/// A cause: address of an instruction, a number that tells its causes apart, the kind.
pub type Key = (usize, u64, Kind);

/// See the module.
pub struct Pending {
    session: Arc<Session>,
    found: FxHashMap<Key, (Order, Report)>,
}

impl Pending {
    /// Nothing yet.
    pub fn new(session: &Arc<Session>) -> Pending {
        Pending { session: session.clone(), found: FxHashMap::default() }
    }

    /// A mistake in a lane.
    pub fn add(&mut self, at: &View<'_>, lane: usize, key: Key, report: impl FnOnce() -> Report) {
        let step = self.session.step();
        self.add_in(place::order(at, lane), key, || report().by(place::who(at, lane, step)));
    }

    /// A mistake in an invocation of this order.
    pub fn add_in(&mut self, order: Order, key: Key, report: impl FnOnce() -> Report) {
        match self.found.entry(key) {
            Entry::Vacant(entry) => {
                entry.insert((order, report()));
            }
            Entry::Occupied(mut entry) => {
                let (first, old) = entry.get_mut();
                old.count = old.count.saturating_add(1);
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

    /// Takes back what was found of a cause: there is a better report of it.
    pub fn retract(&mut self, key: Key) {
        self.found.remove(&key);
    }
}

impl Drop for Pending {
    /// The call has ended.
    fn drop(&mut self) {
        for (_, report) in std::mem::take(&mut self.found).into_values() {
            self.session.reports.add(report);
        }
    }
}
