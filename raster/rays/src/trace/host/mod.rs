//! Tests of rays against eight bounds and four triangles side by side, in vectors of the host.
//!
//! [`Plain`] has them for every host, as loops: the slow twin. A token of other instructions exists only if the host has
//! them. The results have the same bits.

mod avx2;
mod plain;
#[cfg(test)]
mod tests;

use once_cell::race::OnceBox;

use crate::layout::{Block, Node};

use super::ray::{Shear, Slabs, Tested};

pub use avx2::Avx2;
pub use plain::Plain;

/// Key of children that the ray misses or that were visited.
pub const NONE: u32 = u32::MAX;

/// Instructions of the host.
///
/// Children that a ray hits have keys: the bits of the distance at which the ray enters their bounds, at least 0,
/// without the lowest three bits, which are the number of the child.
pub trait Host: Copy {
    /// Eight keys.
    type Keys: Copy;

    /// The keys of the children of a node.
    fn keys(self, node: &Node, slabs: &Slabs, tmax: f32) -> Self::Keys;
    /// The smallest key.
    fn least(self, keys: Self::Keys) -> u32;
    /// The keys without all that are equal to `key`.
    fn without(self, keys: Self::Keys, key: u32) -> Self::Keys;
    /// `true` if there is no key other than [`NONE`].
    fn is_empty(self, keys: Self::Keys) -> bool;
    /// Keys from memory.
    fn load(self, keys: &[u32; 8]) -> Self::Keys;
    /// Keys for memory.
    fn store(self, keys: Self::Keys) -> [u32; 8];
    /// Tests the triangles of a block. Fields of triangles that are missed are arbitrary.
    fn triangles(self, block: &Block, shear: &Shear, tmin: f32, tmax: f32) -> Tested;
    /// Runs a function with the instructions enabled.
    fn run<B: Body>(self, body: B) -> B::Output;
}

/// A function for any host. All that it calls is inlined into it, because only there are the instructions enabled.
pub trait Body {
    /// The result.
    type Output;
    /// Runs the function.
    fn run<H: Host>(self, host: H) -> Self::Output;
}

/// Instructions with which rays are traced. Every level gives the same bits.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// Those that every host has.
    Plain(Plain),
    /// AVX2 of x86-64.
    Avx2(Avx2),
}

impl Level {
    /// The instructions that every host has.
    pub const PLAIN: Level = Level::Plain(Plain);

    /// The fastest level of the host.
    pub fn best() -> Level {
        static BEST: OnceBox<Level> = OnceBox::new();
        *BEST.get_or_init(|| Box::new(Level::avx2().unwrap_or(Level::PLAIN)))
    }

    /// Runs a function with these instructions.
    #[inline]
    pub(super) fn run<B: Body>(self, body: B) -> B::Output {
        match self {
            Level::Plain(host) => host.run(body),
            Level::Avx2(host) => host.run(body),
        }
    }

    /// AVX2, if the host has it.
    pub fn avx2() -> Option<Level> {
        Avx2::new().map(Level::Avx2)
    }
}
