//! Tables of image operations and sampler states of a device.

use std::sync::{Arc, OnceLock};

use quadrille_jit::CpuLevel;
use quadrille_jit::codegen::ImageOps;
use quadrille_raster::KernelInfo;
use quadrille_raster::sampling::Interner;

/// Tables of image operations and sampler states of a device.
pub(crate) struct Images {
    cpu: CpuLevel,
    /// Greatest number of sampler states beside images.
    samplers: u32,
    tables: OnceLock<Arc<Interner>>,
}

impl Images {
    /// Creates no table yet; routines will use host instructions up to this level.
    pub fn new(cpu: CpuLevel, samplers: u32) -> Self {
        Images { cpu, samplers, tables: OnceLock::new() }
    }
    pub fn tables(&self) -> &Arc<Interner> {
        self.tables.get_or_init(|| Interner::with_samplers(self.cpu, self.samplers.saturating_add(1)))
    }
    /// Appends the routines compiled so far to a list.
    pub fn list(&self, list: &mut Vec<KernelInfo>) {
        if let Some(tables) = self.tables.get() {
            tables.list(list);
        }
    }
    pub fn ops(&self) -> Arc<dyn ImageOps + Send + Sync> {
        self.tables().clone()
    }
}
