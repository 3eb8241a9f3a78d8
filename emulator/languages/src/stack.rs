//! Large stacks for compilers, which recurse over the syntax tree: a sum of a hundred thousand terms is a deep tree.
//!
//! The calling thread switches to another stack for the duration of the compilation. Stacks are kept and reused,
//! because a new stack or thread costs as much time as compiling a small shader. Where switching is not possible, a new
//! thread with a large stack runs the compiler.

#![cfg_attr(unix, expect(unsafe_code, reason = "changes the stack"))]

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
#[cfg(unix)]
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
    // SAFETY: `stack` is owned here, so no other code uses its pages, and `top` is a multiple of 16. `enter` follows
    // the C ABI, does not unwind, and `data` outlives the call.
    unsafe { switch(stack.top(), enter::<T, F>, (&raw mut data).cast()) };
    if !room.is_limited() {
        stack.keep();
    }
    Ok(data.result.unwrap_or_else(|| Err(Error::Internal("the compiler did not run".into()))))
}

/// Calls `enter(data)` with the stack that ends at `top`.
///
/// # Safety
/// `top` is a multiple of 16, as the C ABI requires, and ends memory that nothing else uses. `enter` does not unwind,
/// and may be called with `data`.
#[cfg(all(unix, target_arch = "x86_64"))]
unsafe fn switch(top: *mut u8, enter: extern "C" fn(*mut std::ffi::c_void), data: *mut std::ffi::c_void) {
    // SAFETY: promised by the caller. `enter` returns with the stack pointer it got. The ABI makes every callee
    // preserve r12, and `out("r12")` reserves it here.
    unsafe {
        std::arch::asm!(
            "mov r12, rsp",
            "mov rsp, {top}",
            "call {enter}",
            "mov rsp, r12",
            top = in(reg) top,
            enter = in(reg) enter,
            in("rdi") data,
            out("r12") _,
            clobber_abi("C"),
        );
    }
}

/// As on x86-64.
///
/// # Safety
/// As on x86-64.
#[cfg(all(unix, target_arch = "aarch64"))]
unsafe fn switch(top: *mut u8, enter: extern "C" fn(*mut std::ffi::c_void), data: *mut std::ffi::c_void) {
    // SAFETY: promised by the caller. `enter` returns with the stack pointer it got. The ABI makes every callee
    // preserve x20, and `out("x20")` reserves it here.
    unsafe {
        std::arch::asm!(
            "mov x20, sp",
            "mov sp, {top}",
            "blr {enter}",
            "mov sp, x20",
            top = in(reg) top,
            enter = in(reg) enter,
            in("x0") data,
            out("x20") _,
            clobber_abi("C"),
        );
    }
}

#[cfg(unix)]
mod mapped {
    //! Stacks as memory mappings, some of which are kept for reuse.

    use std::sync::{Mutex, PoisonError};

    use quadrille_jit::process::PerProcess;
    use quadrille_jit::sys::memory::{self, Backing, page_size};
    use quadrille_jit::{Error, Result};

    /// Largest number of kept stacks; this many threads can compile at a time without new stacks.
    const KEPT: usize = 16;
    /// Bytes of a kept stack that stay committed; enough for all but deep trees.
    const WARM: usize = 512 << 10;

    static IDLE: PerProcess<Mutex<Vec<Stack>>> = PerProcess::new();

    /// A mapping that this value owns; dropping the value unmaps it. Its first page is inaccessible, below the stack. Its
    /// last page holds zeros, where stack unwinders find the end.
    pub struct Stack {
        base: *mut u8,
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
            let failed = |e| Error::OutOfMemory(format!("no stack for the compiler: {e}"));
            let edge = page_size();
            let base = memory::map(bytes + 2 * edge, Backing::Untouched).map_err(failed)?;
            let stack = Stack { base, bytes };
            // SAFETY: the page is the first of the mapping just made, which nothing refers to yet.
            unsafe { memory::protect(stack.base, edge, false) }.map_err(failed)?;
            Ok(stack)
        }

        /// Returns the upper end of the stack, where execution on it begins.
        pub fn top(&self) -> *mut u8 {
            self.base.wrapping_add(page_size() + self.bytes)
        }

        /// Keeps the stack for the next user and releases the pages that a deep tree committed.
        pub fn keep(self) {
            if let Some(cold) = self.bytes.checked_sub(WARM) {
                // SAFETY: the range lies inside this value's mapping, between the guard page and the warm pages. No
                // code runs on this stack any more, so the pages may become zeros. If the call fails, the pages keep
                // their contents.
                let _ = unsafe {
                    memory::give_back(self.base.wrapping_add(page_size()), cold / page_size() * page_size())
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
            let _ = unsafe { memory::unmap(self.base, self.bytes + 2 * page_size()) };
        }
    }
}

/// The system keeps the bounds of each thread's stack, so that a thread cannot change its own.
#[cfg(not(unix))]
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
        #[cfg(unix)]
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
