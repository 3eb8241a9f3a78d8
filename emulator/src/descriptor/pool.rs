//! Descriptor pools: accounting of a driver's sets.

use super::kind::DescriptorKind;
use super::layout::DescriptorSetLayout;
use super::set::DescriptorSet;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::object::{objects, same_device};

/// Counts sets and descriptors as Vulkan's pools do. Spec: Vulkan, "Allocation of Descriptor Sets".
#[derive(Debug)]
pub struct DescriptorPool {
    device: Device,
    max_sets: u32,
    sizes: [u32; DescriptorKind::ALL.len()],
    used_sets: u32,
    used: [u32; DescriptorKind::ALL.len()],
}

objects! { DescriptorPool: "descriptor pool" = |p| p.device.device_id(); }

/// Index of the counter for a kind; uniform and storage texel buffers share one.
fn counted(kind: DescriptorKind) -> usize {
    match kind {
        DescriptorKind::UniformTexelBuffer => DescriptorKind::StorageTexelBuffer as usize,
        other => other as usize,
    }
}

impl DescriptorPool {
    pub(crate) fn new(device: &Device, max_sets: u32, sizes: &[(DescriptorKind, u32)]) -> Self {
        let mut pool = DescriptorPool {
            device: device.clone(),
            max_sets,
            sizes: Default::default(),
            used_sets: 0,
            used: Default::default(),
        };
        for (kind, count) in sizes {
            let size = &mut pool.sizes[counted(*kind)];
            *size = size.saturating_add(*count);
        }
        pool
    }

    /// Allocates a set that keeps no resource alive. `OutOfMemory` when the pool is exhausted.
    ///
    /// # Safety
    /// Every resource written to the set must live until no submission can use the descriptor any more. A set in use
    /// must be written only as update-after-bind allows.
    #[expect(unsafe_code, reason = "callers of a driver promise valid usage")]
    pub unsafe fn allocate(&mut self, layout: &DescriptorSetLayout) -> Result<DescriptorSet> {
        same_device(layout, self)?;
        let mut used = self.used;
        for b in layout.bindings() {
            let n = &mut used[counted(b.kind)];
            *n = n.saturating_add(b.count);
            if *n > self.sizes[counted(b.kind)] {
                return Err(Error::OutOfMemory(format!("descriptor pool: no {:?} left", b.kind)));
            }
        }
        if self.used_sets >= self.max_sets {
            return Err(Error::OutOfMemory(format!("descriptor pool: all {} sets used", self.max_sets)));
        }
        self.used = used;
        self.used_sets += 1;
        Ok(DescriptorSet::new(layout, false))
    }

    /// Returns the descriptors of a set to the pool.
    pub fn free(&mut self, set: &DescriptorSet) {
        self.used_sets = self.used_sets.saturating_sub(1);
        for b in set.layout().bindings() {
            let n = &mut self.used[counted(b.kind)];
            *n = n.saturating_sub(b.count);
        }
    }

    /// Returns all sets to the pool.
    pub fn reset(&mut self) {
        self.used_sets = 0;
        self.used = Default::default();
    }
}
