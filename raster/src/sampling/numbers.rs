//! Numbers of sampler states: which number a state has, and which numbers may serve again.
//!
//! Owns the states and the counts of their uses. `table` owns the rows of routines, of which only the first numbers have one
//! each: a number with a row is taken first, then one without uses, and then one without a row. The caller keeps the lock
//! of [`Numbers`] while it resets the rows of a number that serves again.
//!
//! A state that is kept for ever never has to stand beside an image, so that its number may be one of the many that do not
//! fit there. The lower half of the others is for such states, too, and the upper half for states that end.

use std::collections::VecDeque;
use std::sync::{OnceLock, PoisonError, RwLock};

use quadrille_jit::abi::{MAX_COMBINED_SAMPLERS, MAX_SAMPLERS, SAMPLER_ROWS};
use quadrille_jit::error::{Error, Result};
use quadrille_jit::reserve;
use rustc_hash::{FxHashMap, FxHashSet};

use super::state::SamplerState;

/// Returns `true` for numbers without a row of their own.
pub(super) fn shares_row(number: u32) -> bool {
    number as usize >= SAMPLER_ROWS - 1
}

/// Numbers and their uses.
pub(super) struct Numbers {
    /// Number of each state that fits beside an image.
    known: FxHashMap<SamplerState, u32>,
    /// Other numbers, of states that are kept for ever.
    alone: FxHashMap<SamplerState, u32>,
    /// Use count of each number of `known`.
    uses: FxHashMap<u32, u32>,
    /// Numbers whose use count fell to 0, in the order of their release.
    released: VecDeque<u32>,
    /// The same numbers.
    waiting: FxHashSet<u32>,
    /// Numbers of `known` are less than this.
    end: u32,
}

/// A number for a state.
pub(super) struct Taken {
    pub number: u32,
    /// `true` if the number had another state until now.
    pub again: bool,
}

impl Taken {
    fn known(number: u32) -> Self {
        Taken { number, again: false }
    }
}

/// Makes room for one more entry.
fn room<V>(map: &mut FxHashMap<SamplerState, V>) -> Result<()> {
    map.try_reserve(1).map_err(|_| Error::OutOfMemory("the table of sampler states".into()))
}

impl Numbers {
    /// No numbers. Those that fit beside an image are going to be less than `end`.
    pub fn new(end: u32) -> Self {
        Numbers {
            known: FxHashMap::default(),
            alone: FxHashMap::default(),
            uses: FxHashMap::default(),
            released: VecDeque::new(),
            waiting: FxHashSet::default(),
            end: end.min(MAX_COMBINED_SAMPLERS as u32),
        }
    }

    /// Begins another use of a state, and returns its number, which fits beside an image. `Limit` if all are in use.
    pub fn take(&mut self, s: &SamplerState, states: &States) -> Result<Taken> {
        if let Some(&n) = self.known.get(s) {
            let uses = self.uses.entry(n).or_default();
            *uses = uses.saturating_add(1);
            return Ok(Taken::known(n));
        }
        room(&mut self.known)?;
        // Every number that was given out has a state.
        let next = self.known.len() as u32 + 1;
        let again = if shares_row(next) || next >= self.end { self.unused() } else { None };
        if let Some(old) = again.and_then(|n| states.get(n)) {
            self.known.remove(&old);
        }
        let number = match again {
            Some(number) => number,
            None if next < self.end => next,
            None => return Err(Error::Limit(format!("more than {} sampler states", self.end - 1))),
        };
        states.set(number, *s)?;
        self.known.insert(*s, number);
        self.uses.insert(number, 1);
        Ok(Taken { number, again: again.is_some() })
    }

    /// Returns the number of a state that is kept for ever. `Limit` if there is none.
    pub fn keep(&mut self, s: &SamplerState, states: &States) -> Result<Taken> {
        // A state that is kept always has the number that it was kept with.
        if let Some(&n) = self.alone.get(s) {
            return Ok(Taken::known(n));
        }
        if self.known.contains_key(s) || (self.known.len() as u32) < self.end / 2 {
            return self.take(s, states);
        }
        let number = MAX_COMBINED_SAMPLERS + self.alone.len();
        if number >= MAX_SAMPLERS {
            return Err(Error::Limit(format!("more than {} sampler states", number - 1)));
        }
        room(&mut self.alone)?;
        states.set(number as u32, *s)?;
        self.alone.insert(*s, number as u32);
        Ok(Taken::known(number as u32))
    }

    /// The number that has been without uses for the longest time.
    fn unused(&mut self) -> Option<u32> {
        while let Some(n) = self.released.pop_front() {
            self.waiting.remove(&n);
            if self.uses.get(&n).is_none_or(|&uses| uses == 0) {
                return Some(n);
            }
        }
        None
    }

    /// Ends one use of a number.
    pub fn release(&mut self, n: u32) {
        let Some(uses) = self.uses.get_mut(&n) else { return };
        *uses = uses.saturating_sub(1);
        if *uses == 0 && self.waiting.insert(n) {
            self.released.push_back(n);
        }
    }
}

/// Number of states in the first block.
const FIRST_BLOCK: usize = 64;

/// Number of blocks for all numbers.
const BLOCKS: usize = (MAX_SAMPLERS / FIRST_BLOCK).ilog2() as usize + 1;

type Block = Box<[RwLock<Option<SamplerState>>]>;

/// Sampler states by number, in blocks allocated on demand, each twice as long as the one before, because few devices have many
/// samplers.
pub(super) struct States {
    /// Numbers that fit beside an image, and the others.
    blocks: [[OnceLock<Block>; BLOCKS]; 2],
}

impl States {
    pub fn new() -> Self {
        States { blocks: [const { [const { OnceLock::new() }; BLOCKS] }; 2] }
    }

    /// Half of the blocks for a number, the block, and the place in it.
    fn place(n: u32) -> (usize, usize, usize) {
        let combined = MAX_COMBINED_SAMPLERS as u32;
        let (half, n) = if n < combined { (0, n) } else { (1, n - combined) };
        let n = n as usize + FIRST_BLOCK;
        let block = (n / FIRST_BLOCK).ilog2() as usize;
        (half, block, n - (FIRST_BLOCK << block))
    }

    /// Sets the state of a number below [`MAX_SAMPLERS`].
    pub fn set(&self, n: u32, s: SamplerState) -> Result<()> {
        let (half, number, at) = Self::place(n);
        let Some(block) = self.blocks[half].get(number) else {
            return Err(Error::Internal(format!("sampler {n}")));
        };
        if block.get().is_none() {
            let mut states = reserve::with_room(FIRST_BLOCK << number)?;
            states.resize_with(FIRST_BLOCK << number, || RwLock::new(None));
            // If two threads get here, the block of the first is used.
            let _ = block.set(states.into_boxed_slice());
        }
        if let Some(state) = block.get().and_then(|block| block.get(at)) {
            *state.write().unwrap_or_else(PoisonError::into_inner) = Some(s);
        }
        Ok(())
    }

    pub fn get(&self, n: u32) -> Option<SamplerState> {
        let (half, block, at) = Self::place(n);
        let state = self.blocks[half].get(block)?.get()?.get(at)?;
        *state.read().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_its_place() {
        let first = MAX_COMBINED_SAMPLERS as u32;
        for (half, from) in [(0, 0), (1, first)] {
            let mut next = (half, 0, 0);
            for n in from..from + first {
                assert_eq!(States::place(n), next, "{n}");
                next = match next.2 + 1 == FIRST_BLOCK << next.1 {
                    true => (half, next.1 + 1, 0),
                    false => (half, next.1, next.2 + 1),
                };
            }
        }
        assert!(States::place(MAX_SAMPLERS as u32 - 1).1 < BLOCKS);
        let states = States::new();
        assert_eq!(states.get(u32::MAX), None);
        for n in [0, 5000, first, first + 70] {
            assert_eq!(states.get(n), None);
            states.set(n, SamplerState::default()).unwrap();
            assert_eq!((states.get(n), states.get(n + 1)), (Some(SamplerState::default()), None));
        }
    }

    #[test]
    fn kept_states_leave_numbers_beside_images() {
        let state = |i: u32| SamplerState { lod_bias: i, ..Default::default() };
        let (mut numbers, states) = (Numbers::new(9), States::new());
        let alone = MAX_COMBINED_SAMPLERS as u32;
        let keep = |numbers: &mut Numbers, i| numbers.keep(&state(i), &states).unwrap().number;
        let kept: Vec<u32> = (0..8).map(|i| keep(&mut numbers, i)).collect();
        assert_eq!(kept, [1, 2, 3, 4, alone, alone + 1, alone + 2, alone + 3]);
        // Equal states are the same, but one that is to stand beside images has a number there.
        assert_eq!([keep(&mut numbers, 2), keep(&mut numbers, 6)], [3, alone + 2]);
        let taken: Vec<u32> = (6..10).map(|i| numbers.take(&state(i), &states).unwrap().number).collect();
        assert_eq!(taken, [5, 6, 7, 8]);
        assert!(matches!(numbers.take(&state(10), &states), Err(Error::Limit(_))));
        assert_eq!([keep(&mut numbers, 10), keep(&mut numbers, 6)], [alone + 4, alone + 2]);
        assert_eq!((states.get(5), states.get(alone + 2)), (Some(state(6)), Some(state(6))));
    }
}
