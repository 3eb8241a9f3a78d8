//! Who watches the shaders of a device.

use std::sync::Arc;

use quadrille_jit::interp::watch::Watch;

/// A watcher of shaders: see [`quadrille_jit::interp::watch`].
#[derive(Clone)]
pub struct Watching(pub Arc<dyn Watch>);

impl std::fmt::Debug for Watching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Watching")
    }
}
