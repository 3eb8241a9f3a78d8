//! Who watches the shaders of a device.

use std::sync::Arc;

use quadrille_jit::interp::events::Event;
use quadrille_jit::interp::watch::{Range, Watch};

/// A watcher of shaders: see [`quadrille_jit::interp::watch`].
#[derive(Clone)]
pub struct Watching(pub Arc<dyn Watch>);

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watching")
    }
}

impl Watching {
    /// The host or a command has written bytes, or may do so at any time.
    pub(crate) fn written(&self, base: u64, size: u64) {
        self.0.told(&Event::Written(Range { base, size }));
    }
}
