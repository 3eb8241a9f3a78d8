//! Events of the compiler and of devices, for subscribers of the crate `tracing`.
//!
//! Without the feature `tracing`, nothing is formatted. Errors for callers are left to [`crate::error`], texts for
//! people to [`crate::terminal`].

use std::fmt::Arguments;

/// Reports a failure that no caller learns of.
pub fn error(text: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    tracing::error!("{text}");
    let _ = text;
}

/// Reports that something works less well than intended.
pub fn warn(text: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    tracing::warn!("{text}");
    let _ = text;
}

/// Reports a decision.
pub fn debug(text: Arguments<'_>) {
    #[cfg(feature = "tracing")]
    tracing::debug!("{text}");
    let _ = text;
}

/// Piece of work, which ends when the span is dropped.
#[must_use]
pub struct Span {
    #[cfg(feature = "tracing")]
    _entered: tracing::span::EnteredSpan,
}

/// Begins a piece of work.
pub fn span(work: Arguments<'_>) -> Span {
    let _ = work;
    Span {
        #[cfg(feature = "tracing")]
        _entered: tracing::debug_span!("quadrille", %work).entered(),
    }
}
