//! What threads are at besides shaders, for those who look at where time goes: see [`quadrille_jit::placed`].

use quadrille_jit::placed::{self, Doing};

/// Activity that has a name of its own. What is none of these, such as what commands copy, is work number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Activity {
    /// Units of the front.
    Front = 1,
    /// Tiles, but for what is named below.
    Tiles,
    /// Output merge.
    Merge,
    /// Attachments, from memory to tiles and back.
    Attachments,
    /// Workgroups, but for their shader.
    Workgroups,
    /// Shaders and kernels become code.
    Compile,
    /// Nothing, while others have not ended.
    Wait,
}

impl Activity {
    /// What each number is called.
    pub const NAMES: [&str; 8] = [
        "commands: copies, state, preparation of draws",
        "front: vertex fetch, assembly, clipping, set-up",
        "rasterization: coverage, tiles",
        "output merge: depth, stencil, blending",
        "attachments: clears, tile loads and stores, resolves",
        "workgroups: their start, their memory",
        "compilation of shaders and kernels",
        "waiting for other threads",
    ];

    /// The thread is at it as long as what is returned lives.
    #[inline]
    pub fn begin(self) -> Doing {
        placed::doing(self as u8)
    }
}
