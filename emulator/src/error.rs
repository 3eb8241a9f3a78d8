//! Errors of the device. The types are those of the compiler, because both classify failures by who is at fault.

pub use quadrille_jit::excerpt::{Message, Shown, Source, shown};
pub use quadrille_jit::reserve::{caught, guard};
pub use quadrille_jit::{Error, Place, Result};

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
