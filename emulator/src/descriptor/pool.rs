//! Descriptor pools: accounting of a driver's sets.

use super::layout::DescriptorSetLayout;
use super::set::DescriptorSet;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::object::{objects, same_device};

/// Counts sets against the maximum of a Vulkan pool. Each set has memory of its own, so a pool needs no numbers of
/// descriptors by type. Applications that exceed these numbers, which most drivers allow, get their sets. Spec: Vulkan,
/// "Allocation of Descriptor Sets": an implementation may fail such an allocation.
#[derive(Debug)]
pub struct DescriptorPool {
    device: Device,
    max_sets: u32,
    used_sets: u32,
}

objects! { DescriptorPool: "descriptor pool" = |p| p.device.device_id(); }

impl DescriptorPool {
    pub(crate) fn new(device: &Device, max_sets: u32) -> Self {
        DescriptorPool { device: device.clone(), max_sets, used_sets: 0 }
    }

    /// Allocates a set that keeps no resource alive.
    ///
    /// # Errors
    /// `OutOfMemory` when all sets of the pool are used, `Invalid` for a layout of another device.
    ///
    /// # Safety
    /// Every resource written to the set must live until no submission can use the descriptor any more. A set in use
    /// must be written only as update-after-bind allows.
    #[expect(unsafe_code, reason = "callers of a driver promise valid usage")]
    pub unsafe fn allocate(&mut self, layout: &DescriptorSetLayout) -> Result<DescriptorSet> {
        // SAFETY: the caller promises the same.
        unsafe { self.allocate_with(layout, u32::MAX) }
    }

    /// Allocates a set like [`Self::allocate`], with only this many elements of the last binding, or bytes of an inline
    /// uniform block, if its count is [variable](super::DescriptorBinding::variable_count). Memory may be rounded up.
    /// Spec: Vulkan, VkDescriptorSetVariableDescriptorCountAllocateInfo.
    ///
    /// # Errors
    /// Those of [`Self::allocate`].
    ///
    /// # Safety
    /// The conditions of [`Self::allocate`] hold.
    #[expect(unsafe_code, reason = "callers of a driver promise valid usage")]
    pub unsafe fn allocate_with(
        &mut self,
        layout: &DescriptorSetLayout,
        elements: u32,
    ) -> Result<DescriptorSet> {
        same_device(layout, self)?;
        if self.used_sets >= self.max_sets {
            return Err(Error::OutOfMemory(format!("descriptor pool: all {} sets used", self.max_sets)));
        }
        let set = DescriptorSet::of_count(layout, elements);
        self.used_sets += 1;
        Ok(set)
    }

    /// Returns a set to the pool.
    pub fn free(&mut self, _set: &DescriptorSet) {
        self.used_sets = self.used_sets.saturating_sub(1);
    }

    /// Returns all sets to the pool.
    pub fn reset(&mut self) {
        self.used_sets = 0;
    }
}
