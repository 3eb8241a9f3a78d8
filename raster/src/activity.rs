//! Names of the activities of threads outside shaders, for profilers: see [`quadrille_jit::placed`].

use quadrille_jit::placed::{self, Doing};

/// An activity of a thread with a name. Activities not listed here, such as copies by commands, have number 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Activity {
    /// Runs units of the front.
    Front = 1,
    /// Runs tiles, apart from the activities listed below.
    Tiles,
    /// Runs the output merge.
    Merge,
    /// Loads, stores, clears or resolves attachments.
    Attachments,
    /// Starts workgroups, apart from running their shader.
    Workgroups,
    /// Starts shaders of ray tracing pipelines, apart from running them and from the routines that they call.
    Rays,
    /// Compiles shaders and kernels.
    Compile,
    /// Waits for other threads.
    Wait,
}

impl Activity {
    /// Name of each activity, by number.
    pub const NAMES: [&str; 9] = [
        "commands: copies, state, preparation of draws",
        "front: vertex fetch, assembly, clipping, set-up",
        "rasterization: coverage, tiles",
        "output merge: depth, stencil, blending",
        "attachments: clears, tile loads and stores, resolves",
        "workgroups: their start, their memory",
        "rays: starts of their shaders",
        "compilation of shaders and kernels",
        "waiting for other threads",
    ];

    /// Marks the current thread as engaged in this activity until the returned guard is dropped.
    #[inline]
    pub fn begin(self) -> Doing {
        placed::doing(self as u8)
    }
}
