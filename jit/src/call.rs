//! A lane function with what keeps it alive, and the one place that calls it.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::abi::{BROKEN_CLAIM, Ctx, Entry, EntryMeta};
use crate::claims::Claims;
use crate::placed::PlacedCode;

/// A callable entry: generated code, or the interpreter.
///
/// May have an [`Upgrade`]: then calls go to the second tier from the moment it is there, also in the
/// middle of a dispatch or draw.
#[derive(Clone)]
pub struct LaneFn {
    entry: Entry,
    program: *const c_void,
    meta: EntryMeta,
    upgrade: Option<Arc<Upgrade>>,
    claims: Option<Arc<Claims>>,
    placed: Option<Arc<PlacedCode>>,
    _keep: Arc<dyn std::any::Any + Send + Sync>,
}

/// The second tier of a lane function: asked for once the first has worked enough.
pub struct Upgrade {
    after_ns: u64,
    worked_ns: AtomicU64,
    asked: AtomicBool,
    ask: Box<dyn Fn() + Send + Sync>,
    second: OnceLock<LaneFn>,
}

impl Upgrade {
    /// `ask` is called once, from any thread, when the first tier has worked for `after`.
    pub fn new(after: Duration, ask: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Upgrade {
            after_ns: after.as_nanos() as u64,
            worked_ns: AtomicU64::new(0),
            asked: AtomicBool::new(false),
            ask: Box::new(ask),
            second: OnceLock::new(),
        })
    }

    /// The second tier, once it is there.
    pub fn second(&self) -> Option<&LaneFn> {
        self.second.get()
    }

    /// Notes time that the first tier has worked.
    fn worked(&self, spent: Duration) {
        let ns = spent.as_nanos() as u64;
        let total = self.worked_ns.fetch_add(ns, Ordering::Relaxed) + ns;
        if total >= self.after_ns && !self.asked.swap(true, Ordering::Relaxed) {
            (self.ask)();
        }
    }
}

// SAFETY: code and program are immutable after construction, and `_keep` is Send + Sync.
#[expect(unsafe_code, reason = "raw pointers to immutable data")]
unsafe impl Send for LaneFn {}
// SAFETY: code and program are immutable after construction, and `_keep` is Send + Sync.
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
        LaneFn { entry, program, meta, upgrade: None, claims: None, placed: None, _keep: keep }
    }

    /// The same function with a second tier to come.
    pub fn with_upgrade(self, upgrade: Arc<Upgrade>) -> Self {
        LaneFn { upgrade: Some(upgrade), ..self }
    }

    /// The same function, which verifies claims.
    pub(crate) fn with_claims(self, claims: Arc<Claims>) -> Self {
        LaneFn { claims: Some(claims), ..self }
    }

    /// The same function, of which it is known where its code is from.
    pub(crate) fn with_places(self, placed: Arc<PlacedCode>) -> Self {
        LaneFn { placed: Some(placed), ..self }
    }

    /// Where its code is from, if its shader has debug information.
    pub fn places(&self) -> Option<&Arc<PlacedCode>> {
        self.placed.as_ref()
    }

    /// The claims that it verifies.
    pub fn claims(&self) -> Option<&Arc<Claims>> {
        self.claims.as_ref()
    }

    /// The claim that did not hold, if calls give [`BROKEN_CLAIM`].
    pub fn broken_claim(&self) -> Option<String> {
        let second = self.upgrade.as_ref().and_then(|u| u.second()).and_then(|f| f.broken_claim());
        second.or_else(|| self.claims.as_ref()?.broken())
    }

    /// Lets calls go to `second` from now on. Refused (false) if it needs more than callers of this
    /// function provide, or if there is no upgrade or it has been made.
    pub fn upgrade(&self, second: LaneFn) -> bool {
        let (first, new) = (self.meta, second.meta);
        let fits = new.lanes == first.lanes
            && new.n_input_words == first.n_input_words
            && new.n_output_words == first.n_output_words
            && new.scratch_bytes <= first.scratch_bytes
            && new.shared_bytes <= first.shared_bytes;
        fits && self.upgrade.as_ref().is_some_and(|u| u.second.set(second).is_ok())
    }

    /// Calls go to the second tier.
    pub fn is_upgraded(&self) -> bool {
        self.upgrade.as_ref().is_some_and(|u| u.second().is_some())
    }

    /// What the caller must provide.
    pub fn meta(&self) -> EntryMeta {
        self.meta
    }

    /// Runs units `first..first + count`; returns [`crate::abi::DONE`], [`crate::abi::STOPPED`] or
    /// [`BROKEN_CLAIM`].
    /// Sets `ctx.program`.
    ///
    /// # Safety
    /// Every pointer in `ctx` that the stage uses is valid for what [`Ctx`] and [`EntryMeta`] state,
    /// and stays so during the call; scratch, shared and output are not used by any other thread.
    #[expect(unsafe_code, reason = "calls generated code")]
    #[inline]
    pub unsafe fn call(&self, ctx: &mut Ctx, first: u32, count: u32) -> u32 {
        let Some(upgrade) = &self.upgrade else {
            // SAFETY: as the caller vouches.
            return unsafe { self.enter(ctx, first, count) };
        };
        if let Some(second) = upgrade.second.get() {
            // SAFETY: `upgrade` has checked that it needs no more than this function.
            return unsafe { second.enter(ctx, first, count) };
        }
        let start = (!upgrade.asked.load(Ordering::Relaxed)).then(Instant::now);
        // SAFETY: as the caller vouches.
        let result = unsafe { self.enter(ctx, first, count) };
        if let Some(start) = start {
            upgrade.worked(start.elapsed());
        }
        result
    }

    /// # Safety
    /// As [`call`](Self::call).
    #[expect(unsafe_code, reason = "calls generated code")]
    unsafe fn enter(&self, ctx: &mut Ctx, first: u32, count: u32) -> u32 {
        ctx.program = self.program;
        // SAFETY: `entry` was made for this signature and `_keep` holds its code; the caller vouches
        // for the pointers in `ctx`.
        let result = unsafe { (self.entry)(ctx, first, count) };
        match &self.claims {
            Some(claims) if claims.are_broken() => BROKEN_CLAIM,
            _ => result,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::abi::{DONE, STOPPED};

    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn first(_: *const Ctx, _: u32, _: u32) -> u32 {
        STOPPED
    }
    #[expect(unsafe_code, reason = "stands for generated code")]
    unsafe extern "C" fn second(_: *const Ctx, _: u32, _: u32) -> u32 {
        DONE
    }

    #[test]
    #[expect(unsafe_code, reason = "calls lane functions that look at nothing")]
    fn calls_go_to_the_second_tier_once_it_is_there() {
        let asked = Arc::new(AtomicU64::new(0));
        let count = asked.clone();
        let upgrade = Upgrade::new(Duration::ZERO, move || {
            count.fetch_add(1, Ordering::Relaxed);
        });
        let make = |entry, scratch_bytes| {
            let meta = EntryMeta { lanes: 8, scratch_bytes, ..EntryMeta::default() };
            LaneFn::new(entry, std::ptr::null(), meta, Arc::new(()))
        };
        let f = make(first, 64).with_upgrade(upgrade);
        let clone = f.clone();
        // SAFETY: all zeros is a valid context, which the functions do not look at.
        let mut ctx: Ctx = unsafe { std::mem::zeroed() };
        // SAFETY: the functions do not look at the context.
        let mut call = |f: &LaneFn| unsafe { f.call(&mut ctx, 0, 1) };
        assert_eq!((call(&f), call(&f)), (STOPPED, STOPPED));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        assert!(!f.upgrade(make(second, 128)));
        assert!(f.upgrade(make(second, 64)) && !f.upgrade(make(second, 64)));
        assert_eq!((call(&f), call(&clone)), (DONE, DONE));
        assert!(!make(first, 64).upgrade(make(second, 64)));
    }
}
