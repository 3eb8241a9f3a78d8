//! Tracks which bytes of a device's memory have been written.
//!
//! Memory that the device reports starts as unwritten. All other memory counts as written, and so do bytes that the
//! host can write at any time: unwritten reads may be missed, but none is reported falsely.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

use crate::events::Event;
use quadrille_jit::interp::watch::Texels;
use quadrille_jit::interp::watch::{Bound, Range};
use rustc_hash::FxHashMap;

/// Bytes per chunk, which share a flag.
const CHUNK: u64 = 4096;
const WORDS: usize = (CHUNK / 64) as usize;

/// Written state of a chunk of bytes.
#[derive(Default)]
struct Chunk {
    all: AtomicBool,
    some: OnceLock<Box<[AtomicU64; WORDS]>>,
}

/// Yields the words of a chunk that contain bytes `from..to`, with the mask of these bytes.
fn words(from: u64, to: u64) -> impl Iterator<Item = (usize, u64)> {
    (from / 64..to.div_ceil(64)).map(move |word| {
        let (first, end) = (from.max(word * 64) % 64, to.min(word * 64 + 64) - word * 64);
        (word as usize, (u64::MAX >> (64 - (end - first))) << first)
    })
}

impl Chunk {
    fn mark(&self, from: u64, to: u64) {
        let some = self.some.get_or_init(|| Box::new([const { AtomicU64::new(0) }; WORDS]));
        for (word, bits) in words(from, to) {
            some[word].fetch_or(bits, Ordering::Relaxed);
        }
    }

    fn has_all(&self, from: u64, to: u64) -> bool {
        let has = |some: &[AtomicU64; WORDS]| {
            words(from, to).all(|(word, bits)| some[word].load(Ordering::Relaxed) & bits == bits)
        };
        self.all.load(Ordering::Relaxed) || self.some.get().is_some_and(|some| has(some))
    }

    fn has_any(&self, from: u64, to: u64) -> bool {
        let has = |some: &[AtomicU64; WORDS]| {
            words(from, to).any(|(word, bits)| some[word].load(Ordering::Relaxed) & bits != 0)
        };
        self.all.load(Ordering::Relaxed) || self.some.get().is_some_and(|some| has(some))
    }
}

/// Written state of an allocation.
pub struct Block {
    range: Range,
    chunks: Box<[Chunk]>,
    all: AtomicBool,
}

impl Block {
    fn new(range: Range) -> Block {
        let n = usize::try_from(range.size.div_ceil(CHUNK)).unwrap_or(0);
        Block { range, chunks: (0..n).map(|_| Chunk::default()).collect(), all: AtomicBool::new(false) }
    }

    fn contains(&self, address: u64) -> bool {
        address.wrapping_sub(self.range.base) < self.range.size
    }

    /// Clips bytes to this block, and returns their start and end relative to it.
    fn part(&self, bytes: Range) -> (u64, u64) {
        let end = self.range.base.saturating_add(self.range.size);
        let clamp = |at: u64| at.clamp(self.range.base, end) - self.range.base;
        (clamp(bytes.base), clamp(bytes.base.saturating_add(bytes.size)))
    }

    /// Yields the chunks that contain bytes `from..to`, with their start and end within each.
    fn pieces(&self, from: u64, to: u64) -> impl Iterator<Item = (&Chunk, u64, u64)> {
        let n = (from / CHUNK) as usize..to.div_ceil(CHUNK).min(self.chunks.len() as u64) as usize;
        n.filter(move |_| from < to).map(move |i| {
            let start = i as u64 * CHUNK;
            (&self.chunks[i], from.max(start) - start, to.min(start + CHUNK) - start)
        })
    }

    /// Marks bytes as written.
    pub fn mark(&self, bytes: Range) {
        let (from, to) = self.part(bytes);
        if self.all.load(Ordering::Relaxed) || from >= to {
            return;
        }
        if to - from == self.range.size {
            return self.all.store(true, Ordering::Relaxed);
        }
        for (chunk, first, end) in self.pieces(from, to) {
            if end - first == CHUNK {
                chunk.all.store(true, Ordering::Relaxed);
            } else if !chunk.all.load(Ordering::Relaxed) {
                chunk.mark(first, end);
            }
        }
    }

    /// True if all of these bytes, clipped to the block, have been written.
    pub fn has_all(&self, bytes: Range) -> bool {
        let (from, to) = self.part(bytes);
        self.all.load(Ordering::Relaxed) || self.pieces(from, to).all(|(chunk, a, b)| chunk.has_all(a, b))
    }

    /// True if any of these bytes has been written.
    pub fn has_any(&self, bytes: Range) -> bool {
        let (from, to) = self.part(bytes);
        self.all.load(Ordering::Relaxed) || self.pieces(from, to).any(|(chunk, a, b)| chunk.has_any(a, b))
    }
}

/// Memory and views that a device has reported.
#[derive(Default)]
pub struct Written {
    blocks: RwLock<BTreeMap<u64, Arc<Block>>>,
    views: RwLock<FxHashMap<u64, Arc<Texels>>>,
    /// Record that stands for image descriptors that nobody has written.
    unwritten: AtomicU64,
}

/// Result of a lookup by address.
#[derive(Clone)]
pub enum Found {
    /// Block that contains the address.
    Block(Arc<Block>),
    /// No block from the first address up to the second, exclusive.
    Nothing(u64, u64),
}

impl Written {
    /// Processes an event of the device.
    pub fn told(&self, event: &Event<'_>) {
        // A panic in another thread leaves the maps consistent.
        let blocks = || self.blocks.write().unwrap_or_else(PoisonError::into_inner);
        let views = || self.views.write().unwrap_or_else(PoisonError::into_inner);
        match *event {
            Event::Fresh(range) => {
                blocks().insert(range.base, Arc::new(Block::new(range)));
            }
            Event::Gone(range) => {
                blocks().remove(&range.base);
            }
            Event::Written(range) => self.mark(range),
            Event::Copied { from, to } => self.copy(from, to),
            Event::Shown { record, texels } => {
                views().insert(record, texels.clone());
            }
            Event::Hidden { record } => {
                views().remove(&record);
            }
            Event::Unwritten { record } => self.unwritten.store(record, Ordering::Relaxed),
            Event::Limited(..)
            | Event::Begins { .. }
            | Event::Command { .. }
            | Event::Accessed(_)
            | Event::Order(_)
            | Event::Runs(_)
            | Event::Sampler { .. }
            | Event::Loads { .. }
            | Event::Layouts { .. }
            | Event::DescriptorLayout { .. }
            | Event::DescriptorCopied { .. }
            | Event::Destroyed { .. }
            | Event::Exceeds(_)
            | Event::Structure { .. }
            | Event::BadRecord(_) => {}
        }
    }

    /// True if everything that is bound has been written, or may have been.
    pub fn has_all(&self, bound: Bound) -> bool {
        let has = |range: Range| match self.find(range.base) {
            Found::Block(block) => block.has_all(range),
            Found::Nothing(..) => true,
        };
        match bound {
            Bound::Buffer(range) => has(range),
            Bound::Image { record, .. } => self.view(record).is_none_or(|texels| texels.parts().all(has)),
            Bound::Sampler { .. } => true,
        }
    }

    /// True if any of the bytes has been written, or may have been.
    pub fn has_any(&self, range: Range) -> bool {
        match self.find(range.base) {
            Found::Block(block) => block.has_any(range),
            Found::Nothing(..) => true,
        }
    }

    /// Looks up the block of an address.
    pub fn find(&self, address: u64) -> Found {
        let blocks = self.blocks.read().unwrap_or_else(PoisonError::into_inner);
        let before = blocks.range(..=address).next_back().map(|(_, block)| block);
        match before {
            Some(block) if block.contains(address) => Found::Block(block.clone()),
            _ => {
                let from = before.map_or(0, |b| b.range.base.saturating_add(b.range.size));
                let after = address.checked_add(1).and_then(|next| blocks.range(next..).next());
                Found::Nothing(from, after.map_or(u64::MAX, |(&base, _)| base))
            }
        }
    }

    /// Returns the texels of the view whose record is at an address.
    pub fn view(&self, record: u64) -> Option<Arc<Texels>> {
        self.views.read().unwrap_or_else(PoisonError::into_inner).get(&record).cloned()
    }

    fn mark(&self, range: Range) {
        let blocks = self.blocks.read().unwrap_or_else(PoisonError::into_inner);
        let end = range.base.saturating_add(range.size);
        // From the last block that begins before the end, go back to the first one that overlaps the range.
        let reached = blocks.range(..end).rev().map(|(_, block)| block);
        let reached = reached.take_while(|b| b.range.base.saturating_add(b.range.size) > range.base);
        reached.for_each(|block| block.mark(range));
    }

    fn copy(&self, from: u64, to: Range) {
        let Found::Block(source) = self.find(from) else { return self.mark(to) };
        let Found::Block(target) = self.find(to.base) else { return };
        if source.has_all(Range { base: from, size: to.size }) {
            return target.mark(to);
        }
        for i in 0..to.size {
            if source.has_all(Range { base: from + i, size: 1 }) {
                target.mark(Range { base: to.base + i, size: 1 });
            }
        }
    }
}

/// Cached lookups of blocks and views of a device during a call.
pub struct Lookup {
    written: Arc<Written>,
    last: Found,
    views: FxHashMap<u64, Option<Arc<Texels>>>,
}

impl Lookup {
    /// Creates the lookups for a device.
    pub fn new(written: &Arc<Written>) -> Lookup {
        Lookup { written: written.clone(), last: Found::Nothing(0, 0), views: FxHashMap::default() }
    }

    /// Returns the block of an address.
    pub fn block(&mut self, address: u64) -> Option<&Block> {
        let known = match &self.last {
            Found::Block(block) => block.contains(address),
            Found::Nothing(from, to) => (*from..*to).contains(&address),
        };
        if !known {
            self.last = self.written.find(address);
        }
        match &self.last {
            Found::Block(block) => Some(block),
            Found::Nothing(..) => None,
        }
    }

    /// True if a record stands for image descriptors that nobody has written.
    pub fn is_unwritten(&self, record: u64) -> bool {
        self.written.unwritten.load(Ordering::Relaxed) == record
    }

    /// Returns the texels of a view by the address of its record.
    pub fn view(&mut self, record: u64) -> Option<Arc<Texels>> {
        self.views.entry(record).or_insert_with(|| self.written.view(record)).clone()
    }

    /// Marks bytes as written.
    pub fn mark(&mut self, bytes: Range) {
        if let Some(block) = self.block(bytes.base) {
            block.mark(bytes);
        }
    }

    /// True if all of the bytes have been written, or may have been.
    pub fn has_all(&mut self, bytes: Range) -> bool {
        self.block(bytes.base).is_none_or(|block| block.has_all(bytes))
    }

    /// True if any of the bytes has been written, or may have been.
    pub fn has_any(&mut self, bytes: Range) -> bool {
        self.block(bytes.base).is_none_or(|block| block.has_any(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn range(base: u64, size: u64) -> Range {
        Range { base, size }
    }

    #[test]
    fn bytes_are_known_one_by_one() {
        let written = Arc::new(Written::default());
        written.told(&Event::Fresh(range(10_000, 9000)));
        let mut lookup = Lookup::new(&written);
        assert!(!lookup.has_any(range(10_000, 9000)));
        assert!(lookup.has_all(range(9_000, 8)) && lookup.has_all(range(19_000, 8)), "other memory");
        lookup.mark(range(10_003, 2));
        assert!(lookup.has_all(range(10_003, 2)) && !lookup.has_all(range(10_003, 3)));
        assert!(!lookup.has_all(range(10_002, 2)) && lookup.has_any(range(10_002, 2)));
        // From one chunk to the next, and through a whole one.
        lookup.mark(range(14_000, 4_900));
        for (bytes, all, any) in [
            (range(14_000, 4_900), true, true),
            (range(13_999, 1), false, false),
            (range(18_899, 2), false, true),
            (range(18_900, 100), false, false),
        ] {
            assert_eq!((lookup.has_all(bytes), lookup.has_any(bytes)), (all, any), "{bytes:?}");
        }
        written.told(&Event::Written(range(0, u64::MAX)));
        assert!(lookup.has_all(range(10_000, 9000)));
        // Memory allocated again is unwritten.
        written.told(&Event::Gone(range(10_000, 9000)));
        written.told(&Event::Fresh(range(10_000, 64)));
        assert!(!Lookup::new(&written).has_any(range(10_000, 64)));
    }

    #[test]
    fn copies_are_as_written_as_what_they_are_of() {
        let written = Arc::new(Written::default());
        written.told(&Event::Fresh(range(1 << 20, 10_000)));
        written.told(&Event::Fresh(range(2 << 20, 10_000)));
        written.told(&Event::Written(range((1 << 20) + 100, 8)));
        written.told(&Event::Copied { from: (1 << 20) + 96, to: range((2 << 20) + 4, 16) });
        let mut lookup = Lookup::new(&written);
        assert!(lookup.has_all(range((2 << 20) + 8, 8)));
        assert!(!lookup.has_any(range(2 << 20, 8)) && !lookup.has_any(range((2 << 20) + 16, 8)));
        written.told(&Event::Copied { from: 77, to: range(2 << 20, 8) });
        assert!(lookup.has_all(range(2 << 20, 16)), "of memory that nothing is known of");
    }

    #[test]
    fn words_have_their_bytes() {
        assert_eq!(words(0, 64).collect::<Vec<_>>(), [(0, u64::MAX)]);
        assert_eq!(words(62, 66).collect::<Vec<_>>(), [(0, 3 << 62), (1, 3)]);
        assert_eq!(words(5, 6).collect::<Vec<_>>(), [(0, 1 << 5)]);
    }
}
