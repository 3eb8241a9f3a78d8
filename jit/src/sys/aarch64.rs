//! New code on 64-bit ARM processors, whose instruction caches do not see stores.
//!
//! Three things must happen between a store of an instruction and its execution. The store must leave the data cache
//! for the point where both caches meet (`DC CVAU`), and the instruction caches of all processors must lose what they
//! hold at the address (`IC IVAU`). Both are broadcast to the processors that share memory, and `DSB ISH` waits for
//! them. Then each processor must discard the instructions that it fetched ahead, by a context synchronization event:
//! `ISB` on this one, and on the others what the system does for [`super::code`] (on Linux `membarrier`). A thread that
//! learns the address later needs nothing more: it reads a pointer that was stored with release order, after all of
//! this. Spec: Arm Architecture Reference Manual, B2.7.4 "Concurrent modification and execution of instructions".

use std::arch::asm;

/// Bits of CTR_EL0: no cleaning is needed (IDC), no invalidation is needed (DIC).
const IDC: u64 = 1 << 28;
const DIC: u64 = 1 << 29;

/// Makes the caches agree on bytes, and this processor fetch them anew.
///
/// # Safety
/// The range is mapped and readable, at the address where it will be executed: an instruction cache may hold the same
/// memory once per virtual address.
pub(super) unsafe fn clean_and_invalidate(at: *mut u8, len: usize) {
    let ctr: u64;
    // SAFETY: every system lets programs read the register, which describes the caches.
    unsafe { asm!("mrs {}, ctr_el0", out(reg) ctr, options(nomem, nostack, preserves_flags)) };
    // The fields are logarithms of numbers of words.
    let (code_line, data_line) = (4usize << (ctr & 15), 4usize << (ctr >> 16 & 15));
    let lines = |size: usize| ((at as usize & !(size - 1))..at as usize + len).step_by(size);
    if ctr & IDC == 0 {
        for line in lines(data_line) {
            // SAFETY: the line holds a mapped byte, and cleaning does not change what programs read.
            unsafe { asm!("dc cvau, {}", in(reg) line, options(nostack, preserves_flags)) };
        }
    }
    // SAFETY: barriers change no memory and no register.
    unsafe { asm!("dsb ish", options(nostack, preserves_flags)) };
    if ctr & DIC == 0 {
        for line in lines(code_line) {
            // SAFETY: the line holds a mapped byte, and invalidation does not change what programs read.
            unsafe { asm!("ic ivau, {}", in(reg) line, options(nostack, preserves_flags)) };
        }
    }
    // SAFETY: barriers change no memory and no register.
    unsafe { asm!("dsb ish", "isb", options(nostack, preserves_flags)) };
}
