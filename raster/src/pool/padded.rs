//! Values on cache lines of their own, so that threads that write one do not slow down readers of another.

use std::ops::{Deref, DerefMut};

/// A value on cache lines of its own. Processors fetch lines of 64 bytes in pairs, and some have lines of 128 bytes.
#[derive(Debug, Default)]
#[repr(align(128))]
pub(crate) struct Padded<T>(T);

impl<T> Deref for Padded<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Padded<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
