//! Values on cache lines of their own, so that threads that write one do not slow down readers of another.

use std::ops::Deref;

/// A value on cache lines of its own. Processors fetch lines of 64 bytes in pairs, and some have lines of 128 bytes.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(super) struct Padded<T>(T);

impl<T> Deref for Padded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
