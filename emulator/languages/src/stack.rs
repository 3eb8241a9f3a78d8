//! Large stacks for compilers, which recurse over the syntax tree: a sum of a hundred thousand terms is a deep tree.
//!
//! The calling thread switches to another stack for the duration of the compilation. Stacks are kept and reused,
//! because a new stack or thread costs as much time as compiling a small shader. Where switching is not possible, a new
//! thread with a large stack runs the compiler.

#![expect(unsafe_code, reason = "changes the stack")]

use quadrille_jit::reserve::Room;

use quadrille_jit::reserve::guard;
use quadrille_jit::{Error, Result};

/// Address space of a compiler's stack, in bytes; the system commits pages on first use.
const STACK_BYTES: usize = 1 << 30;
/// Smaller stack, used if address space is short: these bytes plus the next constant for each byte of the source. The
/// sum is several times what the deepest recursion takes.
const LEAST_BYTES: usize = 8 << 20;
const BYTES_PER_SOURCE_BYTE: usize = 4096;
/// Address space for other allocations of the thread and the compiler, in bytes.
const ROOM: usize = 16 << 20;

/// Returns two stack sizes for a source of this length: one that always suffices, and a smaller fallback that usually
/// does.
pub(super) fn sizes(source_bytes: usize) -> [usize; 2] {
    let least = LEAST_BYTES.saturating_add(source_bytes.saturating_mul(BYTES_PER_SOURCE_BYTE));
    [STACK_BYTES, least.min(STACK_BYTES)]
}

/// Runs a compiler on a large stack. A panic becomes `Internal`; without a stack that is safe for a source of this
/// length the result is `OutOfMemory`.
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

/// Takes the function out of `f` and calls it.
fn call<T>(f: &mut Option<impl FnOnce() -> T>) -> Result<T> {
    let f = f.take().ok_or_else(|| Error::Internal("a compiler that has run".into()))?;
    guard("the compiler", || Ok(f()))
}

/// Runs `f` on a new thread. Returns `Err`, with `f` untouched, if no thread can be started.
fn on_thread<T: Send>(stack: usize, f: &mut Option<impl FnOnce() -> T + Send>) -> Result<Result<T>> {
    let _room = Room::new(stack + ROOM)?;
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().name("front end".into()).stack_size(stack);
        let thread = thread.spawn_scoped(scope, || call(f));
        let thread = thread.map_err(|e| Error::OutOfMemory(format!("no thread for the compiler: {e}")))?;
        Ok(thread.join().unwrap_or_else(|_| Err(Error::Internal("the compiler failed".into()))))
    })
}

/// Runs `f` on this thread with another stack. Returns `Err`, with `f` untouched, if no stack can be allocated.
#[cfg(target_arch = "x86_64")]
fn here<T, F: FnOnce() -> T>(bytes: usize, f: &mut Option<F>) -> Result<Result<T>> {
    use std::ffi::c_void;

    struct Call<'a, T, F> {
        f: &'a mut Option<F>,
        result: Option<Result<T>>,
    }
    extern "C" fn enter<T, F: FnOnce() -> T>(data: *mut c_void) {
        // SAFETY: `data` points to the `Call` of `here`, which outlives this call and is not accessed while it runs.
        let data = unsafe { &mut *data.cast::<Call<'_, T, F>>() };
        // `call` catches panics, so this function does not unwind.
        data.result = Some(call(data.f));
    }

    let room = Room::new(bytes + ROOM)?;
    let stack = mapped::Stack::take(bytes)?;
    let mut data = Call::<T, F> { f, result: None };
    // SAFETY: `stack` is owned here, so no other code uses its pages, and `top` is aligned to 16 bytes as the C ABI
    // requires. `enter` follows that ABI, does not unwind, and returns with the stack pointer it got. The ABI makes
    // every callee preserve r12, and `out("r12")` reserves it here. `data` outlives the call.
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
    //! Stacks as memory mappings, some of which are kept for reuse.

    use std::ffi::c_void;
    use std::sync::{Mutex, PoisonError};

    use quadrille_jit::process::PerProcess;
    use rustix::mm::{Advice, MapFlags, MprotectFlags, ProtFlags};

    use quadrille_jit::{Error, Result};

    /// Size of the inaccessible guard page below the stack, and of a page of zeros above it, where stack unwinders find
    /// the end.
    const EDGE: usize = 4096;
    /// Largest number of kept stacks; this many threads can compile at a time without new stacks.
    const KEPT: usize = 16;
    /// Bytes of a kept stack that stay committed; enough for all but deep trees.
    const WARM: usize = 512 << 10;

    static IDLE: PerProcess<Mutex<Vec<Stack>>> = PerProcess::new();

    /// A mapping that this value owns; dropping the value unmaps it.
    pub struct Stack {
        base: *mut c_void,
        bytes: usize,
    }

    // SAFETY: this value alone owns the mapping, and the mapping is not tied to a thread.
    unsafe impl Send for Stack {}

    impl Stack {
        /// Takes a kept stack of this size, or maps a new one.
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
            // SAFETY: a new anonymous mapping at an address that the kernel chooses overlaps no other memory.
            let base =
                unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), bytes + 2 * EDGE, rights, flags) };
            let stack = Stack { base: base.map_err(failed)?, bytes };
            // SAFETY: the page is the first of the mapping just made, which nothing refers to yet.
            unsafe { rustix::mm::mprotect(stack.base, EDGE, MprotectFlags::empty()) }.map_err(failed)?;
            Ok(stack)
        }

        /// Returns the upper end of the stack, where execution on it begins.
        pub fn top(&self) -> *mut u8 {
            self.base.cast::<u8>().wrapping_add(EDGE + self.bytes)
        }

        /// Keeps the stack for the next user and releases the pages that a deep tree committed.
        pub fn keep(self) {
            if let Some(cold) = self.bytes.checked_sub(WARM) {
                // SAFETY: the range lies inside this value's mapping, between the guard page and the warm pages. No
                // code runs on this stack any more, so the pages may become zeros. If the call fails, the pages keep
                // their contents.
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
            // SAFETY: this value owns the mapping, and no code runs on it any more. If the call fails, the address
            // range is leaked.
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
            // Nested calls use two different stacks.
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
