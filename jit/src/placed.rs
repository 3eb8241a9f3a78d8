//! Source places of machine code, and the current activity of each thread, for profilers that sample processors.
//!
//! Only shaders with debug information ([`Module::lower_placed`](crate::spirv::Module::lower_placed)) have places.
//! Their code also records the place from which it calls other code: image routines and host functions ([`calling`]). A
//! thread announces any other activity itself ([`doing`]), as a number whose meaning is left to its users.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use crate::ir::debug::Debug;
use crate::ir::{Shader, Stage};
use crate::memory::CodeBlock;

/// The code of a lane function with its source places. The code stays mapped until this is dropped.
pub struct PlacedCode {
    code: Arc<CodeBlock>,
    debug: Arc<Debug>,
    stage: Stage,
    number: u32,
    /// Code offsets, ascending, each with the place of the code from there on.
    places: Vec<(u32, u32)>,
}

/// Returns a unique number, from 1 on, for code that is about to be placed.
pub(crate) fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl PlacedCode {
    /// Adds places to code; `None` if the shader has no debug information.
    pub(crate) fn new(
        code: Arc<CodeBlock>,
        shader: &Shader,
        number: u32,
        places: Vec<(u32, u32)>,
    ) -> Option<PlacedCode> {
        Some(PlacedCode { code, debug: shader.debug.clone()?, stage: shader.stage, number, places })
    }

    /// Number that identifies the code in [`Caller`].
    pub fn number(&self) -> u32 {
        self.number
    }

    /// Stage of the shader.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Address range of the code.
    pub fn addresses(&self) -> Range<usize> {
        self.code.addresses()
    }

    /// Debug information that the places refer to.
    pub fn debug(&self) -> &Arc<Debug> {
        &self.debug
    }

    /// Index into [`Debug::places`] of the instruction at an address; 0 if it has no place.
    pub fn place(&self, address: usize) -> u32 {
        let Some(offset) = address.checked_sub(self.addresses().start) else { return 0 };
        let behind = self.places.partition_point(|(at, _)| *at as usize <= offset);
        behind.checked_sub(1).map_or(0, |i| self.places[i].1)
    }
}

impl std::fmt::Debug for PlacedCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PlacedCode").field("addresses", &self.addresses()).finish_non_exhaustive()
    }
}

/// Observer of compiled code and of devices at work.
pub trait Placing: Send + Sync {
    /// Called after code has been compiled.
    fn placed(&self, code: &Arc<PlacedCode>);

    /// Called when a device begins or ends executing commands. Several devices may overlap; each begin has a matching
    /// end.
    fn works(&self, begins: bool);
}

/// Activity of a thread.
struct Now {
    /// Number of the activity, set by [`doing`].
    work: AtomicU8,
    /// Word of the [`Caller`] of the running code; 0 if it was not called from placed code.
    caller: AtomicU64,
}

thread_local! {
    static NOW: Now = const { Now { work: AtomicU8::new(0), caller: AtomicU64::new(0) } };
}

/// Place from which placed code calls other code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// [`PlacedCode::number`] of the calling code.
    pub code: u32,
    /// Index into [`Debug::places`]; 0 if the call has no place.
    pub place: u32,
}

impl Caller {
    /// Encodes the caller in a word that is never 0.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.code) << 32 | u64::from(self.place)
    }

    /// Decodes a word from [`now`]; `None` if it is 0.
    pub fn of_word(word: u64) -> Option<Caller> {
        (word != 0).then_some(Caller { code: (word >> 32) as u32, place: word as u32 })
    }
}

/// Address of the calling thread's [`Caller`] word: placed code writes the word before a call and clears it afterwards.
pub(crate) extern "C" fn calling() -> *mut u64 {
    NOW.with(|now| now.caller.as_ptr())
}

/// Sets the activity of the calling thread until the returned value is dropped, and clears its caller; 0 is an unnamed
/// activity. Costs two loads and two stores.
#[inline]
pub fn doing(work: u8) -> Doing {
    NOW.with(|now| {
        let before = (now.work.load(Ordering::Relaxed), now.caller.load(Ordering::Relaxed));
        now.work.store(work, Ordering::Relaxed);
        now.caller.store(0, Ordering::Relaxed);
        Doing { before, of_thread: PhantomData }
    })
}

/// Restores the previous activity when dropped; see [`doing`].
#[must_use = "it ends when this is dropped"]
pub struct Doing {
    before: (u8, u64),
    /// Keeps the type on its thread: not `Send`.
    of_thread: PhantomData<*const ()>,
}

impl Drop for Doing {
    #[inline]
    fn drop(&mut self) {
        NOW.with(|now| {
            now.work.store(self.before.0, Ordering::Relaxed);
            now.caller.store(self.before.1, Ordering::Relaxed);
        });
    }
}

/// Activity of the calling thread: its number, and the word of its [`Caller`]. May be called in signal handlers.
pub fn now() -> (u8, u64) {
    NOW.with(|now| (now.work.load(Ordering::Relaxed), now.caller.load(Ordering::Relaxed)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_is_nested() {
        assert_eq!(now(), (0, 0));
        let outer = doing(3);
        let caller = Caller { code: 7, place: 9 };
        NOW.with(|now| now.caller.store(caller.word(), Ordering::Relaxed));
        {
            let _inner = doing(4);
            assert_eq!(now(), (4, 0));
            std::thread::scope(|s| s.spawn(|| assert_eq!(now(), (0, 0))).join().unwrap());
        }
        assert_eq!((now().0, Caller::of_word(now().1)), (3, Some(caller)));
        drop(outer);
        assert_eq!(now(), (0, 0));
    }
}
