//! Errors of the device. The types are those of the compiler, because both classify failures by who is at fault.
//!
//! This module also has the two functions that turn a panic into an error.

pub use quadrille_jit::excerpt::{Message, Shown, Source, shown};
pub use quadrille_jit::reserve::caught;
pub use quadrille_jit::{Error, Place, Result};

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `f`; a panic inside becomes the error that the panic carries, or [`Error::Internal`] with its message.
pub fn guard<T>(doing: &str, f: impl FnOnce() -> Result<T>) -> Result<T> {
    match catch_unwind(AssertUnwindSafe(f)) {
        Ok(result) => result,
        Err(payload) => Err(caught(doing, payload)),
    }
}

/// `Ok` if `ok`, else an [`Error::Invalid`] with the message.
#[inline]
pub(crate) fn ensure(ok: bool, message: impl FnOnce() -> String) -> Result<()> {
    if ok { Ok(()) } else { refused(message) }
}

/// A separate cold function keeps `ensure` small where it is inlined.
#[cold]
fn refused(message: impl FnOnce() -> String) -> Result<()> {
    Err(Error::invalid(message()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_become_internal_errors() {
        let hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {}));
        let got = guard::<()>("testing", || panic!("boom"));
        std::panic::set_hook(hook);
        assert!(matches!(got, Err(Error::Internal(m)) if m == "testing: boom"));
    }
}
