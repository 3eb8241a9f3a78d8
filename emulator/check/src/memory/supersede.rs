//! Forgets effects of commands whose memory a later command writes.
//!
//! An access that is ordered behind the write is ordered behind what the write is ordered behind. So a race with the
//! earlier effect is also one with the write, which is the one to report.

use std::sync::Arc;

use quadrille_jit::interp::watch::Range;

use super::commands::{Commands, Done};
use crate::events::Block;

impl Commands {
    /// Forgets the effects that a write covers and is ordered behind, before it is recorded.
    pub(super) fn supersede(&mut self, now: &Done) {
        if !now.does.writes() {
            return;
        }
        let mut over = vec![false; self.done.len()];
        for (d, over) in self.done.iter().zip(over.iter_mut()).rev() {
            let other = d.place.at != now.place.at || !Arc::ptr_eq(&d.who, &now.who);
            if !other || !covers(&now.block, &d.block) {
                continue;
            }
            // Of many effects that nothing orders, the last one is enough.
            if self.missing(d, (now.does.by(), now.place), now.block.bytes()).is_some() {
                break;
            }
            *over = true;
        }
        if over.contains(&true) {
            remove(&mut self.done, &over);
            self.walks.values_mut().for_each(|walks| remove(walks, &over));
        }
    }
}

/// True if a block has all bytes of another one. False for blocks in several rows of different pitches.
fn covers(block: &Block, other: &Block) -> bool {
    let pitches = |b: &Block| (b.base, b.row_pitch, b.slice_pitch);
    let around = |a: [u64; 2], b: [u64; 2]| a[0] <= b[0] && b[1] <= a[1];
    if pitches(block) == pitches(other) {
        return around(block.x, other.x) && around(block.y, other.y) && around(block.z, other.z);
    }
    let one = |[first, end]: [u64; 2]| end.saturating_sub(first) == 1;
    let range = |r: Range| [r.base, r.base.saturating_add(r.size)];
    one(block.y) && one(block.z) && around(range(block.bytes()), range(other.bytes()))
}

/// Removes the marked elements of a list, which may be shorter than the marks.
fn remove<T>(list: &mut Vec<T>, marked: &[bool]) {
    let mut marks = marked.iter();
    list.retain(|_| marks.next() != Some(&true));
}

#[cfg(test)]
mod tests {
    use super::super::scopes::stages::TRANSFER;
    use super::*;
    use crate::events::{Access, Area, Dependency, Part};

    const WRITE: u64 = 1 << 12;

    fn put(commands: &mut Commands, bytes: Range) {
        commands.command("copy", "");
        let by = Access { stages: TRANSFER, access: WRITE, writes: true };
        let area = Area { block: Block::bytes_of(bytes), by, part: Part::Command, what: "".into() };
        let done = commands.doing(&area);
        commands.put(done);
    }

    /// Otherwise the time of a program that never waits grows with the square of its commands.
    #[test]
    fn a_write_takes_the_place_of_what_it_covers_and_follows() {
        let mut commands = Commands::default();
        commands.begin(true);
        let (whole, half) = (Range { base: 1000, size: 64 }, Range { base: 1000, size: 32 });
        let (src_stages, src_access, dst_stages, dst_access) = (TRANSFER, WRITE, TRANSFER, WRITE);
        let barrier = Dependency { src_stages, src_access, dst_stages, dst_access, ..Dependency::default() };
        for _ in 0..100 {
            put(&mut commands, whole);
            commands.barrier(std::slice::from_ref(&barrier), &[]);
        }
        assert_eq!(commands.done.len(), 1);
        put(&mut commands, half);
        assert_eq!(commands.done.len(), 2, "half of the memory");
        put(&mut commands, whole);
        assert_eq!(commands.done.len(), 3, "without a barrier, the half stays, and what is before it");
        commands.barrier(&[barrier], &[]);
        put(&mut commands, whole);
        assert_eq!(commands.done.len(), 1);
    }

    #[test]
    fn blocks_cover_what_is_inside() {
        let rows = |x, y| Block { base: 1000, row_pitch: 64, slice_pitch: 640, x, y, z: [0, 1] };
        let linear = |base, size| Block::bytes_of(Range { base, size });
        let all = rows([0, 64], [0, 10]);
        let part = rows([8, 16], [2, 3]);
        assert!(covers(&all, &part) && !covers(&part, &all));
        assert!(covers(&linear(1000, 640), &all) && !covers(&linear(1000, 639), &all));
        assert!(!covers(&all, &linear(1000, 64)), "its rows are unknown");
        let bytes = linear(900, 200);
        assert!(covers(&bytes, &linear(1000, 100)) && !covers(&bytes, &linear(1000, 101)));
    }
}
