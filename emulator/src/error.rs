//! Errors of the device: those of the compiler, since both answer the same question: whose fault is it?
//!
//! This module also holds the two doors through which a panic becomes an error.

pub use quadrille_jit::excerpt::{Message, Shown, Source, shown};
pub use quadrille_jit::reserve::caught;
pub use quadrille_jit::{Error, Place, Result};

use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs `f`; a panic inside becomes [`Error::Internal`] with its message, or the error that it carries.
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

/// Apart from what asks, so that asking stays small.
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
