//! Large stacks for compilers, which recurse over the syntax tree: a sum of a hundred thousand terms is a deep
//! tree. The calling thread changes to another stack for the time, one of those that are kept, since a new one, or a
//! new thread, costs as much as a small shader takes to compile; where that cannot be, a thread has one.

#![expect(unsafe_code, reason = "changes the stack")]

use quadrille_jit::reserve::Room;

use crate::error::{Error, Result, guard};

/// Address space for a compiler's stack; pages come as they are used.
const STACK_BYTES: usize = 1 << 30;
/// Where less has to do: this and so much for each byte of the source, which is several times what the
/// deepest recursion takes.
const LEAST_BYTES: usize = 8 << 20;
const BYTES_PER_SOURCE_BYTE: usize = 4096;
/// What a thread and a compiler allocate besides.
const ROOM: usize = 16 << 20;

/// Stacks for a source of this length: one that is enough for anything, and one that is enough for most where there is
/// no room for that.
pub(super) fn sizes(source_bytes: usize) -> [usize; 2] {
    let least = LEAST_BYTES.saturating_add(source_bytes.saturating_mul(BYTES_PER_SOURCE_BYTE));
    [STACK_BYTES, least.min(STACK_BYTES)]
}

/// Runs a compiler on a large stack. A panic becomes `Internal`; `OutOfMemory` when there is no stack that
/// is safe for a source of this length.
pub(super) fn on_large_stack<T: Send>(source_bytes: usize, f: impl FnOnce() -> T + Send) -> Result<T> {
    let mut f = Some(f);
    let mut failed = None;
    for stack in sizes(source_bytes) {
        match here(stack, &mut f).or_else(|_| on_thread(stack, &mut f)) {
            Ok(result) => return result,
            Err(e) => failed = Some(e),
        }
    }
    Err(failed.unwrap_or_else(|| Error::Internal("no stack was tried".into())))
}

/// Calls what is in `f` and empties it.
fn call<T>(f: &mut Option<impl FnOnce() -> T>) -> Result<T> {
    let f = f.take().ok_or_else(|| Error::Internal("a compiler that has run".into()))?;
    guard("the compiler", || Ok(f()))
}

/// Runs `f` on a thread; `Err` when there is none, and `f` is still there.
fn on_thread<T: Send>(stack: usize, f: &mut Option<impl FnOnce() -> T + Send>) -> Result<Result<T>> {
    let _room = Room::new(stack + ROOM)?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("front end".into()).stack_size(stack);
        let thread = thread.spawn_scoped(scope, || call(f));
        let thread = thread.map_err(|e| Error::OutOfMemory(format!("no thread for the compiler: {e}")))?;
        Ok(thread.join().unwrap_or_else(|_| Err(Error::Internal("the compiler failed".into()))))
    })
}

/// Runs `f` on this thread with another stack; `Err` when there is none, and `f` is still there.
#[cfg(target_arch = "x86_64")]
fn here<T, F: FnOnce() -> T>(bytes: usize, f: &mut Option<F>) -> Result<Result<T>> {
    use std::ffi::c_void;

    struct Call<'a, T, F> {
        f: &'a mut Option<F>,
        result: Option<Result<T>>,
    }
    extern "C" fn enter<T, F: FnOnce() -> T>(data: *mut c_void) {
        // SAFETY: the `Call` below, which waits for this to return.
        let data = unsafe { &mut *data.cast::<Call<'_, T, F>>() };
        // No panic leaves `call`.
        data.result = Some(call(data.f));
    }

    let room = Room::new(bytes + ROOM)?;
    let stack = mapped::Stack::take(bytes)?;
    let mut data = Call::<T, F> { f, result: None };
    // SAFETY: `top` is aligned to 16 bytes, and below it are pages that nobody else stands on; `enter` is called as
    // the C convention says, does not unwind, and returns with the stack pointer as it was. r12 is kept by every
    // callee and by nothing else here.
    unsafe {
        std::arch::asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {enter}",
            "mov rsp, r12",
            top = in(reg) stack.top(),
            enter = in(reg) enter::<T, F> as extern "C" fn(*mut c_void),
            in("rdi") (&raw mut data).cast::<c_void>(),
            out("r12") _,
            clobber_abi("C"),
        );
    }
    if !room.is_limited() {
        stack.keep();
    }
    Ok(data.result.unwrap_or_else(|| Err(Error::Internal("the compiler did not run".into()))))
}

#[cfg(target_arch = "x86_64")]
mod mapped {
    //! Stacks as mappings, some of which are kept.

    use std::ffi::c_void;
    use std::sync::{Mutex, PoisonError};

    use quadrille_jit::process::PerProcess;
    use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

    use crate::error::{Error, Result};

    /// A page that cannot be touched below the stack, and a page of zeros above it, where whoever walks the
    /// frames finds an end.
    const EDGE: usize = 4096;
    /// Stacks that are kept: so many threads compile at a time without new ones.
    const KEPT: usize = 16;
    /// What a kept stack keeps of its pages: what all but deep trees take.
    const WARM: usize = 512 << 10;

    static IDLE: PerProcess<Mutex<Vec<Stack>>> = PerProcess::new();

    /// A mapping that nobody else has; unmapped when it is dropped.
    pub struct Stack {
        base: *mut c_void,
        bytes: usize,
    }

    // SAFETY: memory that belongs to this value alone, whichever thread has it.
    unsafe impl Send for Stack {}

    impl Stack {
        /// One that was kept, or a new one.
        pub fn take(bytes: usize) -> Result<Stack> {
            let mut idle = IDLE.get().lock().unwrap_or_else(PoisonError::into_inner);
            match idle.iter().position(|s| s.bytes == bytes) {
                Some(at) => Ok(idle.swap_remove(at)),
                None => {
                    drop(idle);
                    Stack::new(bytes)
                }
            }
        }

        fn new(bytes: usize) -> Result<Stack> {
            let rights = ProtFlags::READ | ProtFlags::WRITE;
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::STACK;
            let failed = |e| Error::OutOfMemory(format!("no stack for the compiler: {e}"));
            // SAFETY: a new mapping where the kernel likes.
            let base =
                unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), bytes + 2 * EDGE, rights, flags) };
            let stack = Stack { base: base.map_err(failed)?, bytes };
            // SAFETY: the first page of the mapping.
            unsafe { rustix::mm::mprotect(stack.base, EDGE, MprotectFlags::empty()) }.map_err(failed)?;
            Ok(stack)
        }

        /// The end of the stack, where it begins.
        pub fn top(&self) -> *mut u8 {
            self.base.cast::<u8>().wrapping_add(EDGE + self.bytes)
        }

        /// Leaves it to the next one, without the pages that a deep tree has taken.
        pub fn keep(self) {
            if let Some(cold) = self.bytes.checked_sub(WARM) {
                // SAFETY: pages of the mapping between its first one and the warm ones, on which nobody stands: they
                // become zeros. Where they cannot, they stay as they are.
                let _ = unsafe {
                    let first = self.base.cast::<u8>().wrapping_add(EDGE).cast();
                    rustix::mm::madvise(first, cold, Advice::LinuxDontNeed)
                };
            }
            let mut idle = IDLE.get().lock().unwrap_or_else(PoisonError::into_inner);
            if idle.len() < KEPT {
                idle.push(self);
            }
        }
    }

    impl Drop for Stack {
        fn drop(&mut self) {
            // SAFETY: the mapping of this value, which nobody stands on any more. Where it cannot be unmapped, its
            // addresses are lost.
            let _ = unsafe { rustix::mm::munmap(self.base, self.bytes + 2 * EDGE) };
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn here<T, F: FnOnce() -> T>(_stack: usize, _f: &mut Option<F>) -> Result<Result<T>> {
    Err(Error::OutOfMemory("no thread for the compiler".into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Uses about `kib` KiB of stack.
    fn deep(kib: u32) -> u32 {
        let frame = std::hint::black_box([kib as u8; 1024]);
        if kib == 0 { 0 } else { deep(kib - 1) + u32::from(frame[kib as usize % 1024] == kib as u8) }
    }

    #[test]
    fn both_stacks_are_deep_and_give_results_and_panics_back() {
        let mut f = Some(|| deep(40 << 10));
        assert_eq!(on_thread(256 << 20, &mut f).unwrap().unwrap(), 40 << 10);
        assert!(f.is_none());
        #[cfg(target_arch = "x86_64")]
        {
            assert_eq!(here(256 << 20, &mut Some(|| deep(40 << 10))).unwrap().unwrap(), 40 << 10);
            let text = String::from("carried");
            let failed = here(1 << 20, &mut Some(|| std::panic::resume_unwind(Box::new(text)))).unwrap();
            assert!(matches!(failed, Err(Error::Internal(m)) if m.contains("carried")));
            // Inside of each other they are two.
            let place = || {
                let local = 0u8;
                std::hint::black_box(&raw const local) as usize
            };
            let both = || (here(2 << 20, &mut Some(place)).unwrap().unwrap(), place());
            let (inner, outer) = here(2 << 20, &mut Some(both)).unwrap().unwrap();
            assert!(inner.abs_diff(outer) > 1 << 20, "{inner:x} {outer:x}");
        }
    }
}
