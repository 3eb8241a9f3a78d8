//! Detects loops that never end.
//!
//! If a loop neither writes memory nor reads memory that others may write, an iteration depends only on the one before.
//! A lane that starts an iteration in the state of an earlier one repeats forever. Each iteration is compared with the
//! last one whose number is a power of two, which finds cycles of any length.

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{End, Loop, Src};
use rustc_hash::FxHashMap;

use super::identity::address;
use super::shape::{Shape, Work};
use crate::kind::Kind;
use crate::pending::{Pending, Where};
use crate::place::{self, Order};
use crate::report::Report;

/// Iterations after which a loop is reported if the call is ended for taking too long.
const MANY: u64 = 1 << 16;

/// Loops of a lane group.
#[derive(Default)]
pub struct Progress {
    loops: FxHashMap<usize, Rounds>,
    /// Loop to whose start the last region end leads back.
    back: Option<usize>,
}

#[derive(Default)]
struct Rounds {
    count: u64,
    /// State of the lanes at the start of a saved iteration, row by row.
    saved: Vec<u64>,
    lanes: u32,
    /// Report in case the call is ended in this loop.
    long: Option<(Order, Report)>,
}

impl Progress {
    /// Forgets all loops.
    pub fn start(&mut self) {
        self.loops.clear();
        self.back = None;
    }

    /// Called when the active lanes reach the end of a region.
    pub fn end(&mut self, shape: &Shape, end: &End) {
        if let Some(&of) = shape.back_edges.get(&address(end)) {
            self.back = Some(of);
        }
    }

    /// Called at the start of a loop iteration.
    pub fn round(&mut self, pending: &mut Pending, shape: &Shape, at: &View<'_>, node: &Loop) {
        let of = address(node);
        let rounds = self.loops.entry(of).or_default();
        // The loop was entered again.
        if self.back.take() != Some(of) {
            *rounds = Rounds::default();
        }
        rounds.count += 1;
        if rounds.count.is_multiple_of(MANY) && pending.session().reports.wants(Kind::NoProgress) {
            let lane = at.active().trailing_zeros() as usize;
            let message = format!("the loop was in iteration {} when the call was stopped", rounds.count);
            let who = place::who(at, lane, pending.session().step());
            rounds.long = Some((place::order(at, lane), report(at, node.src, message).by(who)));
        }
        let Some(work) = shape.pure.get(&of) else { return };
        let rows = state(at, node, work);
        let n = at.lanes() as usize;
        if !rounds.saved.is_empty() || rows.is_empty() {
            let same = |l: &usize| (0..rows.len() / n).all(|r| rows[r * n + l] == rounds.saved[r * n + l]);
            let stuck = at.active() & rounds.lanes & !at.helpers();
            if let Some(lane) = lanes(if rounds.count > 1 { stuck } else { 0 }).find(same) {
                let message = "the loop returns to an earlier state, so it never ends";
                let key = (Where::Address(of), 0, Kind::NoProgress);
                pending.add(at, lane, key, || report(at, node.src, message.into()));
                at.stop();
            }
        }
        if rounds.count.is_power_of_two() {
            (rounds.saved, rounds.lanes) = (rows, at.active());
        }
    }

    /// Returns the number of the current iteration of a loop.
    pub fn iteration(&self, of: usize) -> u64 {
        self.loops.get(&of).map_or(0, |rounds| rounds.count)
    }

    /// Returns the iteration count and report of the longest-running loop, if the call was ended inside one.
    pub fn unfinished(&mut self) -> Option<(u64, Order, Report)> {
        let longest = self.loops.drain().map(|l| l.1).filter(|l| l.long.is_some()).max_by_key(|l| l.count)?;
        longest.long.map(|(order, report)| (longest.count, order, report))
    }
}

/// Returns the parameters and variables of a loop, row by row.
fn state(at: &View<'_>, node: &Loop, work: &Work) -> Vec<u64> {
    let n = at.lanes() as usize;
    let mut rows = Vec::with_capacity((node.params.len() + work.vars.len()) * n);
    for (param, _) in &node.params {
        rows.extend_from_slice(&at.row(*param)[..n]);
    }
    for &(var, elem) in &work.vars {
        rows.extend((0..n).map(|l| at.var(var, elem, l).unwrap_or(0)));
    }
    rows
}

fn report(at: &View<'_>, src: Src, message: String) -> Report {
    let (frame, calls) = place::frames(at.shader(), src, "OpLoopMerge");
    let mut report = Report::new(Kind::NoProgress, message).at(frame);
    report.called_from = calls;
    report
}
