//! Large stacks for compilers, which recurse over the syntax tree: a sum of a hundred thousand terms is a deep
//! tree. On a thread of its own where there is one to be had, else on the calling thread, which changes
//! to another stack for the time.

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

/// Runs a compiler on a large stack. A panic becomes `Internal`; `OutOfMemory` when there is no stack that
/// is safe for a source of this length.
pub(super) fn on_large_stack<T: Send>(source_bytes: usize, f: impl FnOnce() -> T + Send) -> Result<T> {
    let least = LEAST_BYTES.saturating_add(source_bytes.saturating_mul(BYTES_PER_SOURCE_BYTE));
    let mut f = Some(f);
    let mut failed = None;
    for stack in [STACK_BYTES, least.min(STACK_BYTES)] {
        match on_thread(stack, &mut f).or_else(|_| here(stack, &mut f)) {
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
fn here<T, F: FnOnce() -> T>(stack: usize, f: &mut Option<F>) -> Result<Result<T>> {
    use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};
    use std::ffi::c_void;

    /// A page that cannot be touched below the stack, and a page of zeros above it, where whoever walks the
    /// frames finds an end.
    const EDGE: usize = 4096;

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

    let room = Room::new(stack + ROOM)?;
    let len = stack + 2 * EDGE;
    let failed = |e| Error::OutOfMemory(format!("no stack for the compiler: {e}"));
    let rights = ProtFlags::READ | ProtFlags::WRITE;
    let flags = MapFlags::PRIVATE | MapFlags::NORESERVE | MapFlags::STACK;
    // SAFETY: a new mapping where the kernel likes.
    let base = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, rights, flags) };
    let base = base.map_err(failed)?;
    // SAFETY: the first page of the mapping.
    let edge = unsafe { rustix::mm::mprotect(base, EDGE, MprotectFlags::empty()) };
    let mut data = Call::<T, F> { f, result: None };
    if edge.is_ok() {
        let top = base.cast::<u8>().wrapping_add(len - EDGE);
        // SAFETY: `top` is aligned to 16 bytes with the mapping's pages below; `enter` is called as the C
        // convention says, does not unwind, and returns with the stack pointer as it was. r12 is kept by
        // every callee and by nothing else here.
        unsafe {
            std::arch::asm!(
                "mov r12, rsp",
                "mov rsp, {top}",
                "call {enter}",
                "mov rsp, r12",
                top = in(reg) top,
                enter = in(reg) enter::<T, F> as extern "C" fn(*mut c_void),
                in("rdi") (&raw mut data).cast::<c_void>(),
                out("r12") _,
                clobber_abi("C"),
            );
        }
    }
    // SAFETY: the mapping made above, which nobody stands on any more. Where it cannot be unmapped, its
    // addresses are lost.
    let _ = unsafe { rustix::mm::munmap(base, len) };
    drop(room);
    edge.map_err(failed)?;
    Ok(data.result.unwrap_or_else(|| Err(Error::Internal("the compiler did not run".into()))))
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
        }
    }
}
