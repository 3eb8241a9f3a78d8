//! Which places of the source machine code is from, and what threads are at, for those who look at where a processor is.
//!
//! Only shaders with debug information ([`Module::lower_placed`](crate::spirv::Module::lower_placed)) have places. Their
//! code says, too, from where it calls what is not theirs: routines of images, functions of the host ([`calling`]). What
//! else a thread is at it says itself ([`doing`]), by numbers whose meaning is the business of those who use them.

use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};

use crate::ir::debug::Debug;
use crate::ir::{Shader, Stage};
use crate::memory::CodeBlock;

/// The code of a lane function with its places. The code stays where it is as long as this lives.
pub struct PlacedCode {
    code: Arc<CodeBlock>,
    debug: Arc<Debug>,
    stage: Stage,
    number: u32,
    /// Offsets, ascending, and the places from which the code is from there on.
    places: Vec<(u32, u32)>,
}

/// A number for code that is going to be placed: from 1 on, each one once.
pub(crate) fn next_number() -> u32 {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

impl PlacedCode {
    /// `None` if the shader has no debug information.
    pub(crate) fn new(
        code: Arc<CodeBlock>,
        shader: &Shader,
        number: u32,
        places: Vec<(u32, u32)>,
    ) -> Option<PlacedCode> {
        Some(PlacedCode { code, debug: shader.debug.clone()?, stage: shader.stage, number, places })
    }

    /// The number by which its calls name it.
    pub fn number(&self) -> u32 {
        self.number
    }

    /// The stage that it runs.
    pub fn stage(&self) -> Stage {
        self.stage
    }

    /// Where the code is.
    pub fn addresses(&self) -> Range<usize> {
        self.code.addresses()
    }

    /// What its places are of.
    pub fn debug(&self) -> &Arc<Debug> {
        &self.debug
    }

    /// Index into [`Debug::places`] of the instruction at an address; 0: it is from none.
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

/// Is told what code is made, and when a device works.
pub trait Placing: Send + Sync {
    /// Code has been made.
    fn placed(&self, code: &Arc<PlacedCode>);

    /// A device begins to execute commands, or has ended. Several may, and then end as often as they began.
    fn works(&self, begins: bool);
}

/// What a thread is at.
struct Now {
    /// As [`doing`] was told.
    work: AtomicU8,
    /// The [`Caller`] of what runs; 0: no placed code has called.
    caller: AtomicU64,
}

thread_local! {
    static NOW: Now = const { Now { work: AtomicU8::new(0), caller: AtomicU64::new(0) } };
}

/// Code and place from which placed code calls what is not its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Caller {
    /// [`PlacedCode::number`].
    pub code: u32,
    /// Index into [`Debug::places`]; 0: it is from none.
    pub place: u32,
}

impl Caller {
    /// In one word, never 0.
    pub(crate) fn word(self) -> u64 {
        u64::from(self.code) << 32 | u64::from(self.place)
    }

    /// What [`now`] gives; `None` if it is 0.
    pub fn of_word(word: u64) -> Option<Caller> {
        (word != 0).then_some(Caller { code: (word >> 32) as u32, place: word as u32 })
    }
}

/// Where the calling thread keeps the word of its [`Caller`]: placed code writes it before a call and clears it behind.
pub(crate) extern "C" fn calling() -> *mut u64 {
    NOW.with(|now| now.caller.as_ptr())
}

/// The calling thread is at work of this number as long as what is returned lives, and nobody's callee; 0 is what has no
/// name. It takes two loads and two stores.
#[inline]
pub fn doing(work: u8) -> Doing {
    NOW.with(|now| {
        let before = (now.work.load(Ordering::Relaxed), now.caller.load(Ordering::Relaxed));
        now.work.store(work, Ordering::Relaxed);
        now.caller.store(0, Ordering::Relaxed);
        Doing { before, of_thread: PhantomData }
    })
}

/// See [`doing`].
#[must_use = "it ends when this is dropped"]
pub struct Doing {
    before: (u8, u64),
    /// It stays on its thread.
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

/// What the calling thread is at: the number of its work, and the word of its [`Caller`]. Handlers of signals may ask.
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
