//! Loop analysis: the blocks of each loop, their layout, and constants that stay in registers during a loop.

use cranelift_codegen::ir::{Block, Function, Opcode, Value};
use regalloc2::{RegClass, VReg};
use rustc_hash::FxHashMap;

use super::{Lower, class, successors};
use crate::Level;

/// Maximum number of blocks visited to find loops, per block of the function.
const MOST_VISITS: usize = 32;
/// Maximum number of blocks of a loop that is rotated.
const MOST_BLOCKS: usize = 64;
/// Vector registers reserved for values that this analysis does not see.
const SPARE: usize = 4;
/// Marks blocks outside of loops.
const NONE: u32 = u32::MAX;

/// A loop with its header as the only entry.
pub(crate) struct Loop {
    header: Block,
    blocks: Vec<Block>,
    /// The block before the header, if there is only one.
    before: Option<Block>,
    /// Blocks that branch back to the header.
    latches: Vec<Block>,
    /// `true` if the loop contains no other loop.
    innermost: bool,
    /// Number of vector registers available for constants.
    room: usize,
    /// Constants that are loaded before the loop.
    held: Vec<(Box<[u8]>, VReg)>,
}

/// The loops of a function, outer loops first.
#[derive(Default)]
pub(crate) struct Loops {
    all: Vec<Loop>,
    /// The innermost loop around each block, by block number.
    around: Vec<u32>,
    /// The constant-holding loop around each block.
    holding: FxHashMap<Block, usize>,
    /// Constant-holding loops, by the block before their header.
    behind: FxHashMap<Block, Vec<usize>>,
    /// The constant-holding loop around the current block.
    here: Option<usize>,
}

/// Finds the loops. In `order`, each block precedes the blocks that it dominates.
pub(crate) fn find(f: &Function, order: &[Block]) -> Loops {
    let mut position = vec![u32::MAX; f.dfg.num_blocks()];
    order.iter().enumerate().for_each(|(i, b)| position[b.as_u32() as usize] = i as u32);
    let at = |b: Block| position[b.as_u32() as usize];
    let mut latches: FxHashMap<Block, Vec<Block>> = FxHashMap::default();
    for &b in order {
        for s in successors(f, b).filter(|&s| at(s) <= at(b)) {
            latches.entry(s).or_default().push(b);
        }
    }
    if latches.is_empty() {
        return Loops::default();
    }
    let mut preds: Vec<Vec<Block>> = vec![Vec::new(); f.dfg.num_blocks()];
    for &b in order {
        successors(f, b).for_each(|s| preds[s.as_u32() as usize].push(b));
    }
    let mut left = MOST_VISITS * order.len();
    let mut around = vec![NONE; f.dfg.num_blocks()];
    let mut all: Vec<Loop> = Vec::new();
    for &header in order {
        let Some(latches) = latches.remove(&header) else { continue };
        let Some(blocks) = body(header, &latches, &preds, at, &mut left) else { continue };
        // Outer loops come first: the loop around the header is the next outer loop.
        if let Some(outer) = all.get_mut(around[header.as_u32() as usize] as usize) {
            outer.innermost = false;
        }
        let me = all.len() as u32;
        blocks.iter().for_each(|b| around[b.as_u32() as usize] = me);
        let preds = preds[header.as_u32() as usize].iter().copied();
        let mut outside = preds.filter(|p| around[p.as_u32() as usize] != me);
        let before = outside.next().filter(|_| outside.next().is_none());
        all.push(Loop { header, blocks, before, latches, innermost: true, room: 0, held: Vec::new() });
    }
    Loops { all, around, ..Loops::default() }
}

/// The blocks of a loop; `None` if the loop has another entry, or too many blocks.
fn body(
    header: Block,
    latches: &[Block],
    preds: &[Vec<Block>],
    at: impl Fn(Block) -> u32,
    left: &mut usize,
) -> Option<Vec<Block>> {
    let mut found = rustc_hash::FxHashSet::default();
    found.insert(header);
    let mut stack = latches.to_vec();
    while let Some(b) = stack.pop() {
        if !found.insert(b) {
            continue;
        }
        *left = left.checked_sub(1)?;
        if at(b) < at(header) {
            return None;
        }
        stack.extend(&preds[b.as_u32() as usize]);
    }
    let mut blocks: Vec<Block> = found.into_iter().collect();
    blocks.sort_unstable_by_key(|&b| at(b));
    Some(blocks)
}

impl Loops {
    /// Rotates small innermost loops so that the last exit test is at the end: the blocks after the test move to the
    /// front, and each iteration takes a single jump.
    pub fn rotate(&self, f: &Function, laid: &mut [Block]) {
        if self.all.is_empty() {
            return;
        }
        let mut place = vec![usize::MAX; self.around.len()];
        laid.iter().enumerate().for_each(|(i, b)| place[b.as_u32() as usize] = i);
        let place = |b: Block| place[b.as_u32() as usize];
        for (i, l) in self.all.iter().enumerate() {
            if !l.innermost || l.blocks.len() > MOST_BLOCKS {
                continue;
            }
            // Cold blocks have no position yet.
            let (first, last) = (place(l.header), l.latches.iter().map(|&b| place(b)).max().unwrap_or(0));
            if first == 0 || first >= last || last >= laid.len() || last - first > 2 * MOST_BLOCKS {
                continue;
            }
            let inside = |b: Block| self.around[b.as_u32() as usize] == i as u32;
            let leaves =
                |b: Block| inside(b) && successors(f, b).count() == 2 && successors(f, b).any(|s| !inside(s));
            let jumps = f.layout.last_inst(laid[last]).map(|i| f.dfg.insts[i].opcode()) == Some(Opcode::Jump);
            let Some(test) = (first..last).rev().find(|&p| leaves(laid[p])) else { continue };
            if jumps && inside(laid[last]) {
                laid[first..=last].rotate_left(test + 1 - first);
            }
        }
    }
}

impl Lower<'_> {
    /// Decides how many constants each innermost loop may hold.
    pub(super) fn plan_loops(&mut self) {
        let mut loops = std::mem::take(&mut self.loops);
        let registers = if self.level == Level::Avx512 { 32 } else { 16 };
        for (i, l) in loops.all.iter_mut().enumerate().filter(|(_, l)| l.innermost && l.before.is_some()) {
            let Some(live) = self.live_vectors(&l.blocks) else { continue };
            l.room = usize::saturating_sub(registers, live + SPARE);
            l.before.iter().for_each(|&b| loops.behind.entry(b).or_default().push(i));
            l.blocks.iter().for_each(|&b| _ = loops.holding.insert(b, i));
        }
        self.loops = loops;
    }

    /// Maximum number of simultaneously live vectors in these blocks. `None` if the blocks contain calls, which
    /// preserve no vectors.
    fn live_vectors(&self, blocks: &[Block]) -> Option<usize> {
        let mut at = 0u32;
        let mut spans: FxHashMap<Value, (u32, u32)> = FxHashMap::default();
        let vector = |v: Value| class(self.ty(v)) == RegClass::Float && !self.in_mask(v);
        for &b in blocks {
            let first = b == blocks[0];
            for &p in self.function.dfg.block_params(b) {
                if vector(p) {
                    spans.insert(p, (at, if first { u32::MAX } else { at }));
                }
            }
            for inst in self.function.layout.block_insts(b) {
                at += 1;
                let called = self.function.dfg.insts[inst].opcode().is_call();
                if called && crate::intrinsics::Intrinsic::called(self.function, inst).is_none() {
                    return None;
                }
                for v in self.function.dfg.inst_values(inst) {
                    let v = self.root(v);
                    if vector(v) && self.const_bytes(v).is_none() {
                        // Values from outside stay live throughout the loop.
                        let span = spans.entry(v).or_insert((0, u32::MAX));
                        span.1 = span.1.max(at);
                    }
                }
                for &v in self.function.dfg.inst_results(inst) {
                    if self.root(v) == v && vector(v) && self.uses[v.as_u32() as usize] > 0 {
                        spans.insert(v, (at, at));
                    }
                }
            }
        }
        let mut change = vec![0i64; at as usize + 2];
        for (from, to) in spans.into_values() {
            change[from as usize] += 1;
            change[(to.min(at) + 1) as usize] -= 1;
        }
        let mut live = 0;
        let most = change.into_iter().map(|c| {
            live += c;
            live
        });
        Some(most.max().unwrap_or(0) as usize)
    }

    /// Makes the constant-holding loop around block `b` the current loop.
    pub(super) fn enter_block(&mut self, b: Block) {
        self.loops.here = self.loops.holding.get(&b).copied();
    }

    /// Register of a constant in the current loop; reserves one if there is room.
    pub(super) fn held(&mut self, bytes: &[u8]) -> Option<VReg> {
        if bytes.len() < 16 || bytes.iter().all(|&b| b == 0) {
            return None;
        }
        let i = self.loops.here?;
        let l = &self.loops.all[i];
        if let Some((_, r)) = l.held.iter().find(|(b, _)| **b == *bytes) {
            return Some(*r);
        }
        if l.held.len() >= l.room {
            return None;
        }
        let r = self.vec();
        self.loops.all[i].held.push((bytes.into(), r));
        Some(r)
    }

    /// `true` if a constant is, or would be, in a register here.
    pub(super) fn is_held(&self, v: Value) -> bool {
        let Some(l) = self.loops.here.map(|i| &self.loops.all[i]) else { return false };
        let Some(bytes) = self.const_bytes(self.root(v)) else { return false };
        bytes.len() >= 16 && (l.held.len() < l.room || l.held.iter().any(|(b, _)| **b == *bytes))
    }

    /// Loads the held constants of the loops that start after block `b`.
    pub(super) fn load_held(&mut self, b: Block) {
        for i in self.loops.behind.remove(&b).unwrap_or_default() {
            for (bytes, r) in std::mem::take(&mut self.loops.all[i].held) {
                self.load_vector(r, &bytes);
            }
        }
    }
}
