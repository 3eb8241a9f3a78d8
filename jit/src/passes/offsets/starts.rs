//! Traces the starts of buffers back to the arguments of a kernel, through pointer arithmetic, selections and loops.
//!
//! Pointer arithmetic keeps the start: `start(p) - 2^39 + inside(p + k + 2^39)`, where `start(p)` is `p + 2^39` without its low
//! bits. A value that joins several addresses has a known start if all of them have the same.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Defs, bits, of};
use crate::abi::{HALF_INSIDE, INSIDE};
use crate::error::Result;
use crate::ir::{End, Label, Node, Op, Region, Value};

/// Longest chain of pointer arithmetic that is followed.
const DEPTH: u32 = 64;

/// The start of the buffer that an address leads into.
#[derive(Clone, Copy, PartialEq)]
enum Start {
    /// Nothing is known yet: an address of an earlier iteration.
    Open,
    /// This value.
    At(Value),
    /// It differs, or is not known.
    Any,
}

/// Values that join others, and all that they join.
#[derive(Default)]
struct Joins {
    /// The values that each joined value can be.
    from: FxHashMap<Value, Vec<Value>>,
    /// Results of each label.
    results: FxHashMap<Label, Vec<Value>>,
}

impl Joins {
    fn feed(&mut self, to: &[Value], from: &[Value]) {
        for (&to, &from) in to.iter().zip(from) {
            self.from.entry(to).or_default().push(from);
        }
    }

    /// `yields`: what the region's `Yield` feeds.
    fn region(&mut self, region: &Region, yields: &[Value]) {
        for node in &region.nodes {
            match node {
                Node::Inst(_) => {}
                Node::If(n) => {
                    self.region(&n.then, &n.results);
                    self.region(&n.els, &n.results);
                }
                Node::Block(n) => {
                    self.results.insert(n.label, n.results.clone());
                    self.region(&n.body, &n.results);
                }
                Node::Loop(n) => {
                    self.results.insert(n.label, n.results.clone());
                    let (params, first): (Vec<Value>, Vec<Value>) = n.params.iter().copied().unzip();
                    self.feed(&params, &first);
                    self.region(&n.body, &params);
                }
            }
        }
        match &region.end {
            End::Yield(args) => self.feed(yields, args),
            End::Break(label, args) => {
                let results = self.results.get(label).cloned().unwrap_or_default();
                self.feed(&results, args);
            }
            End::Return | End::Kill | End::Unreachable => {}
        }
    }
}

/// State of the search.
struct Trace<'a> {
    defs: &'a Defs,
    subst: &'a FxHashMap<Value, Value>,
    joins: &'a Joins,
    /// Starts of joined values, as far as they are known.
    known: FxHashMap<Value, Start>,
    /// Values that the whole shader sees. Others may be out of sight where a joined value is used.
    seen: FxHashSet<Value>,
}

/// Replaces each start of a buffer that is the start of an earlier value.
///
/// # Errors
/// `Limit` if the time budget is exhausted.
pub(super) fn trace(body: &Region, defs: &Defs, subst: &mut FxHashMap<Value, Value>) -> Result<()> {
    let mut joins = Joins::default();
    joins.region(body, &[]);
    let insts = body.nodes.iter().filter_map(|node| match node {
        Node::Inst(i) => Some(&i.results),
        Node::If(_) | Node::Block(_) | Node::Loop(_) => None,
    });
    let seen = insts.flatten().copied().collect();
    let mut t = Trace { defs, subst, joins: &joins, known: FxHashMap::default(), seen };
    t.settle()?;
    let starts = defs.keys().copied().filter_map(|v| {
        let (value, mask) = mask_of(v, defs)?;
        match t.start_of(plus_half(value, defs)?, DEPTH) {
            Start::At(start) if mask == !INSIDE && start != v => Some((v, start)),
            _ => None,
        }
    });
    let found: Vec<_> = starts.collect();
    subst.extend(found);
    Ok(())
}

/// The value and the constant that a value is the `And` of.
fn mask_of(v: Value, defs: &Defs) -> Option<(Value, u64)> {
    let [value, mask] = of(defs, v, Op::And)?;
    Some((value, bits(defs, mask)?))
}

impl Trace<'_> {
    /// Finds the starts of all joined values. A start only falls from `Open` over `At` to `Any`, so that each value
    /// changes at most twice.
    fn settle(&mut self) -> Result<()> {
        let mut changed = true;
        while changed {
            changed = false;
            for (&v, from) in &self.joins.from {
                crate::budget::work(1)?;
                let before = self.known.get(&v).copied().unwrap_or(Start::Open);
                let all = from.iter().map(|&a| self.start_of(a, DEPTH));
                let now = all.fold(before, |all, one| match (all, one) {
                    (all, Start::Open) => all,
                    (Start::Open, one) => one,
                    (all, one) if all == one => all,
                    _ => Start::Any,
                });
                if now != before {
                    self.known.insert(v, now);
                    changed = true;
                }
            }
        }
        Ok(())
    }

    fn start_of(&self, v: Value, depth: u32) -> Start {
        let v = self.subst.get(&v).copied().unwrap_or(v);
        let masked = |v: Value, wanted: u64| mask_of(v, self.defs).filter(|&(_, mask)| mask == wanted);
        if depth == 0 {
            return Start::Any;
        }
        if self.joins.from.contains_key(&v) {
            return self.known.get(&v).copied().unwrap_or(Start::Open);
        }
        if let Some((value, _)) = masked(v, !INSIDE) {
            // The start of another address, if that is known, or else a start of its own.
            let other = plus_half(value, self.defs).map_or(Start::Any, |a| self.start_of(a, depth - 1));
            return match other {
                Start::Any if self.seen.contains(&v) => Start::At(v),
                other => other,
            };
        }
        let moved = of(self.defs, v, Op::IAdd).and_then(|[lowest, inside]| {
            let [start, half] = of(self.defs, lowest, Op::ISub)?;
            masked(inside, INSIDE)?;
            (bits(self.defs, half)? == HALF_INSIDE).then_some(start)
        });
        // The start is one by itself, not only of an address.
        match moved.filter(|&start| masked(start, !INSIDE).is_some() || self.joins.from.contains_key(&start))
        {
            Some(start) => self.start_of(start, depth - 1),
            None => Start::Any,
        }
    }
}

/// The address in `address + 2^39`.
fn plus_half(v: Value, defs: &Defs) -> Option<Value> {
    let [address, half] = of(defs, v, Op::IAdd)?;
    (bits(defs, half)? == HALF_INSIDE).then_some(address)
}
