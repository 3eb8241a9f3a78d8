//! A lane function with the owner of its code, and the only place that calls lane functions.

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::abi::{BROKEN_CLAIM, Ctx, DONE, Entry, EntryMeta};
use crate::abort::{Abort, Aborts};
use crate::claims::Claims;
use crate::placed::PlacedCode;

/// A callable entry: generated code, or the interpreter.
///
/// If it has an [`Upgrade`], [`LaneFn::current`] is the second tier as soon as that exists, even in the middle of a dispatch
/// or draw.
#[derive(Clone)]
pub struct LaneFn {
    entry: Entry,
    program: *const c_void,
    meta: EntryMeta,
    upgrade: Option<Arc<Upgrade>>,
    claims: Option<Arc<Claims>>,
    placed: Option<Arc<PlacedCode>>,
    optimized: bool,
    aborts: Arc<Aborts>,
    _keep: Arc<dyn std::any::Any + Send + Sync>,
}

/// The second tier of a lane function, requested once the first tier has run for some time.
pub struct Upgrade {
    after_ns: u64,
    worked_ns: AtomicU64,
    asked: AtomicBool,
    ask: Box<dyn Fn() + Send + Sync>,
    second: OnceLock<LaneFn>,
}

impl Upgrade {
    /// `ask` is called once, from any thread, after the first tier has run for `after`.
    pub fn new(after: Duration, ask: impl Fn() + Send + Sync + 'static) -> Arc<Self> {
        Arc::new(Upgrade {
            after_ns: after.as_nanos() as u64,
            worked_ns: AtomicU64::new(0),
            asked: AtomicBool::new(false),
            ask: Box::new(ask),
            second: OnceLock::new(),
        })
    }

    /// The second tier, if it exists yet.
    pub fn second(&self) -> Option<&LaneFn> {
        self.second.get()
    }

    /// Adds to the time that the first tier has run.
    fn worked(&self, spent: Duration) {
        let ns = spent.as_nanos() as u64;
        let total = self.worked_ns.fetch_add(ns, Ordering::Relaxed) + ns;
        if total >= self.after_ns && !self.asked.swap(true, Ordering::Relaxed) {
            (self.ask)();
        }
    }
}

// SAFETY: nothing writes through `entry` and `program` after `new`, and `_keep`, which owns their targets, is Send +
// Sync, as all other fields are.
#[expect(unsafe_code, reason = "raw pointers to immutable data")]
unsafe impl Send for LaneFn {}
// SAFETY: nothing writes through `entry` and `program` after `new`, and `_keep`, which owns their targets, is Send +
// Sync, as all other fields are.
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
        LaneFn {
            entry,
            program,
            meta,
            upgrade: None,
            claims: None,
            placed: None,
            optimized: false,
            aborts: Arc::default(),
            _keep: keep,
        }
    }

    /// Returns the function, marked as code of the optimized tier.
    pub(crate) fn with_optimized_code(self) -> Self {
        LaneFn { optimized: true, ..self }
    }

    /// Returns the function with a second tier, which is supplied later.
    pub fn with_upgrade(self, upgrade: Arc<Upgrade>) -> Self {
        LaneFn { upgrade: Some(upgrade), ..self }
    }

    /// Returns the function with claims to verify.
    pub(crate) fn with_claims(self, claims: Arc<Claims>) -> Self {
        LaneFn { claims: Some(claims), ..self }
    }

    /// Returns the function with the source places of its code.
    pub(crate) fn with_places(self, placed: Arc<PlacedCode>) -> Self {
        LaneFn { placed: Some(placed), ..self }
    }

    /// The source places of the code, if the shader has debug information.
    pub fn places(&self) -> Option<&Arc<PlacedCode>> {
        self.placed.as_ref()
    }

    /// The claims that the function verifies.
    pub fn claims(&self) -> Option<&Arc<Claims>> {
        self.claims.as_ref()
    }

    /// The claim that failed, if calls return [`BROKEN_CLAIM`].
    pub fn broken_claim(&self) -> Option<String> {
        let second = self.upgrade.as_ref().and_then(|u| u.second()).and_then(|f| f.broken_claim());
        second.or_else(|| self.claims.as_ref()?.broken())
    }

    /// Takes the abort by which an invocation has ended a call, if calls return [`crate::abi::STOPPED`].
    pub fn take_abort(&self) -> Option<Abort> {
        let second = self.upgrade.as_ref().and_then(|u| u.second()).and_then(|f| f.take_abort());
        second.or_else(|| self.aborts.take())
    }

    /// Makes `second` the [`current`](Self::current) function. Its scratch and shared memory may be larger. Returns `false` if
    /// its inputs, outputs or groups are others, if it needs more stack, if there is no upgrade, or if there is a second
    /// tier already.
    pub fn upgrade(&self, second: LaneFn) -> bool {
        let (first, new) = (self.meta, second.meta);
        let fits = new.lanes == first.lanes
            && new.n_input_words == first.n_input_words
            && new.n_output_words == first.n_output_words
            && new.stack_bytes <= first.stack_bytes;
        fits && self.upgrade.as_ref().is_some_and(|u| u.second.set(second).is_ok())
    }

    /// The second tier if it exists, else this function. Callers provide the memory that its [`meta`](Self::meta) states, and
    /// call it.
    #[inline]
    pub fn current(&self) -> &LaneFn {
        self.upgrade.as_ref().and_then(|u| u.second()).unwrap_or(self)
    }

    /// The function without an upgrade, if its code is of the optimized tier already: large shaders skip the first tier.
    pub fn as_second(&self) -> Option<LaneFn> {
        self.optimized.then(|| LaneFn { upgrade: None, ..self.clone() })
    }

    /// `true` if there is a second tier.
    pub fn is_upgraded(&self) -> bool {
        self.upgrade.as_ref().is_some_and(|u| u.second().is_some())
    }

    /// Requirements on the caller of this tier.
    pub fn meta(&self) -> EntryMeta {
        self.meta
    }

    /// Runs units `first..first + count` by this tier; returns [`crate::abi::DONE`], [`crate::abi::STOPPED`] or
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
            // SAFETY: `call` has the same contract as `enter`, so its caller guarantees the pointers in `ctx`.
            return unsafe { self.enter(ctx, first, count) };
        };
        let start = (!upgrade.asked.load(Ordering::Relaxed)).then(Instant::now);
        // SAFETY: `call` has the same contract as `enter`, so its caller guarantees the pointers in `ctx`.
        let result = unsafe { self.enter(ctx, first, count) };
        if let Some(start) = start {
            upgrade.worked(start.elapsed());
        }
        result
    }

    /// Runs the code of this function, without counting its time.
    ///
    /// # Safety
    /// The same conditions as for [`call`](Self::call).
    #[expect(unsafe_code, reason = "calls generated code")]
    #[inline]
    unsafe fn enter(&self, ctx: &mut Ctx, first: u32, count: u32) -> u32 {
        ctx.program = self.program;
        // SAFETY: `new` received `entry` as an [`Entry`] whose code `_keep` owns, and the caller of `enter` guarantees
        // the pointers in `ctx`.
        let result = unsafe { (self.entry)(ctx, first, count) };
        if result != DONE {
            self.aborts.keep();
        }
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
    #[expect(unsafe_code, reason = "calls lane functions that do not access the context")]
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
        // SAFETY: `Ctx` consists of integers, floats and raw pointers, for which all zeros is a valid value.
        let mut ctx: Ctx = unsafe { std::mem::zeroed() };
        // SAFETY: `first` and `second` do not access the context.
        let mut call = |f: &LaneFn| unsafe { f.current().call(&mut ctx, 0, 1) };
        assert_eq!((call(&f), call(&f)), (STOPPED, STOPPED));
        assert_eq!(asked.load(Ordering::Relaxed), 1);
        let mut other = make(second, 64);
        other.meta.n_input_words = 1;
        assert!(!f.upgrade(other));
        // The second tier needs more scratch memory, which callers provide once it is there.
        let before = f.current();
        assert!(f.upgrade(make(second, 128)) && !f.upgrade(make(second, 64)));
        assert_eq!((call(&f), call(&clone)), (DONE, DONE));
        assert_eq!((f.meta().scratch_bytes, f.current().meta().scratch_bytes), (64, 128));
        // A caller that has provided memory for the first tier runs the first.
        // SAFETY: `first` does not access the context.
        assert_eq!(unsafe { before.call(&mut ctx, 0, 1) }, STOPPED);
        assert!(!make(first, 64).upgrade(make(second, 64)));
    }
}
