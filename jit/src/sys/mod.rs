//! The host system: memory, executable memory, clocks, limits, arithmetic, and what a process inherits.
//!
//! The only room that knows how an operating system provides these; the crates above use it too. One file per system
//! implements the same functions, `unix` those that the systems with POSIX calls share, and `aarch64` what this
//! processor needs before it executes new code. Policy is left to the callers: which memory is returned, how long
//! compilation may take, when a thread is interrupted.
//!
//! `PORTING.md` lists what a host must offer.

#![expect(unsafe_code, reason = "calls of the operating system")]

#[cfg(target_arch = "aarch64")]
mod aarch64;
#[cfg(unix)]
mod unix;

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
use linux as host;

#[cfg(target_os = "macos")]
mod macos;
#[cfg(target_os = "macos")]
use macos as host;

#[cfg(windows)]
mod windows;
#[cfg(windows)]
use windows as host;

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
compile_error!("Quadrille does not support this operating system yet: see PORTING.md");

pub mod clock;
pub mod cycles;
pub mod limits;
pub(crate) mod maths;
pub mod memory;

/// Executable memory.
pub(crate) mod code {
    pub(crate) use super::host::CodePages;

    /// Code that jumps to the function `f` with its first argument and the second argument `second`.
    pub(crate) fn jump(f: u64, second: u64) -> Option<Vec<u8>> {
        let (f, second) = (f.to_le_bytes(), second.to_le_bytes());
        if cfg!(target_arch = "x86_64") {
            // mov rsi, second (rdx on Windows); mov rax, f; jmp rax
            let argument = if cfg!(windows) { [0x48, 0xba] } else { [0x48, 0xbe] };
            return Some([&argument[..], &second, &[0x48, 0xb8], &f, &[0xff, 0xe0]].concat());
        }
        if cfg!(target_arch = "aarch64") {
            // ldr x1, second; ldr x16, f; br x16; nop; second; f
            let words = [0x5800_0081u32, 0x5800_00b0, 0xd61f_0200, 0xd503_201f];
            let code: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            return Some([&code[..], &second, &f].concat());
        }
        None
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        extern "C" fn sum(a: u64, b: u64) -> u64 {
            a + b
        }

        /// Code that returns a number.
        fn returns(n: u16) -> Vec<u8> {
            match cfg!(target_arch = "x86_64") {
                // mov eax, n; ret
                true => [&[0xb8][..], &u32::from(n).to_le_bytes(), &[0xc3]].concat(),
                // movz w0, n; ret
                false => {
                    let words = [0x5280_0000 | u32::from(n) << 5, 0xd65f_03c0];
                    words.into_iter().flat_map(u32::to_le_bytes).collect()
                }
            }
        }

        #[test]
        fn new_code_replaces_old_code_on_every_thread() {
            let pages = CodePages::map(4096).unwrap();
            for n in 0..200 {
                // SAFETY: only this test uses the pages, no thread executes them now, and the code is a function of
                // this type.
                let f: extern "C" fn() -> u32 = unsafe {
                    pages.publish(128, &returns(n)).unwrap();
                    std::mem::transmute(pages.entry(128))
                };
                let there = std::thread::spawn(move || f());
                assert_eq!((f(), there.join().unwrap()), (u32::from(n), u32::from(n)));
            }
        }

        #[test]
        fn a_jump_passes_both_arguments() {
            let pages = CodePages::map(4096).unwrap();
            // Space is reused: each publication replaces the code before.
            for second in [1, u64::MAX >> 1, 40] {
                let code = jump(sum as *const () as u64, second).unwrap();
                // SAFETY: only this test uses the pages, and the code is a function of this type.
                let f: extern "C" fn(u64) -> u64 = unsafe {
                    pages.publish(64, &code).unwrap();
                    std::mem::transmute(pages.entry(64))
                };
                assert_eq!(f(2), second + 2);
            }
        }
    }
}

/// Pages that tell a child of `fork` from its parent, and work before a `fork`.
pub(crate) mod inheritance {
    pub(crate) use super::host::{before_forks, drop_mark, new_mark};
}
