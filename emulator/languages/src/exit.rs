//! The end of the process while a compiler's thread is detached.
//!
//! `exit` runs the destructors of C++ globals. A detached thread of glslang still reads those globals and would crash
//! in them. `patience` counts detached threads; this module ends the process without destructors if there are any.

#![cfg_attr(
    all(target_os = "linux", target_env = "gnu"),
    expect(unsafe_code, reason = "C functions that end the process")
)]

/// Makes `exit` skip the destructors of globals if `any_detached` then returns true. The exit status stays the same,
/// and buffers of C streams are written first. Only the first call has an effect.
///
/// Only the C library of GNU tells its exit functions the status. Other hosts run the destructors.
pub(super) fn skip_destructors_if(any_detached: fn() -> bool) {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    gnu::register(any_detached);
    #[cfg(not(all(target_os = "linux", target_env = "gnu")))]
    let _ = any_detached;
}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    use std::ffi::{c_int, c_void};

    use once_cell::race::OnceBox;

    unsafe extern "C" {
        /// Registers `function`, which `exit` calls before all functions and destructors registered earlier.
        /// Spec: on_exit(3).
        fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
        fn fflush(stream: *mut c_void) -> c_int;
        fn _exit(status: c_int) -> !;
    }

    static ANY_DETACHED: OnceBox<fn() -> bool> = OnceBox::new();

    pub(super) fn register(any_detached: fn() -> bool) {
        ANY_DETACHED.get_or_init(|| {
            // SAFETY: `at_exit` is a function of this type for the whole life of the process and ignores its argument.
            // A failed registration leaves `exit` as it was.
            unsafe { on_exit(at_exit, std::ptr::null_mut()) };
            Box::new(any_detached)
        });
    }

    extern "C" fn at_exit(status: c_int, _: *mut c_void) {
        if ANY_DETACHED.get().is_some_and(|any| any()) {
            // SAFETY: a null stream means all open streams; both functions may be called in an exit function.
            unsafe {
                fflush(std::ptr::null_mut());
                _exit(status)
            }
        }
    }
}
