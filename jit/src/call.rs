//! A lane function with what keeps it alive, and the one place that calls it.

use std::ffi::c_void;
use std::sync::Arc;

use crate::abi::{Ctx, Entry, EntryMeta};

/// A callable entry: generated code, or the interpreter.
#[derive(Clone)]
pub struct LaneFn {
    entry: Entry,
    program: *const c_void,
    meta: EntryMeta,
    _keep: Arc<dyn std::any::Any + Send + Sync>,
}

// SAFETY: code and program are immutable after construction, and `_keep` is Send + Sync.
#[expect(unsafe_code, reason = "raw pointers to immutable data")]
unsafe impl Send for LaneFn {}
// SAFETY: as above.
#[expect(unsafe_code, reason = "raw pointers to immutable data")]
unsafe impl Sync for LaneFn {}

impl LaneFn {
    /// Wraps an entry. `keep` owns the code and the program that the pointers refer to.
    pub fn new(
        entry: Entry,
        program: *const c_void,
        meta: EntryMeta,
        keep: Arc<dyn std::any::Any + Send + Sync>,
    ) -> Self {
        LaneFn { entry, program, meta, _keep: keep }
    }

    /// What the caller must provide.
    pub fn meta(&self) -> EntryMeta {
        self.meta
    }

    /// Runs units `first..first + count`; returns [`crate::abi::DONE`] or [`crate::abi::STOPPED`].
    /// Sets `ctx.program`.
    ///
    /// # Safety
    /// Every pointer in `ctx` that the stage uses is valid for what [`Ctx`] and [`EntryMeta`] state,
    /// and stays so during the call; scratch, shared and output are not used by any other thread.
    #[expect(unsafe_code, reason = "calls generated code")]
    pub unsafe fn call(&self, ctx: &mut Ctx, first: u32, count: u32) -> u32 {
        ctx.program = self.program;
        // SAFETY: `entry` was made for this signature and `_keep` holds its code; the caller vouches
        // for the pointers in `ctx`.
        unsafe { (self.entry)(ctx, first, count) }
    }
}
