//! Samplers: states interned by the device, so that shaders see only a number.

use quadrille_raster::sampler::SamplerState;

use crate::device::Device;
use crate::error::Result;

/// What a sampler does. Spec: Vulkan, VkSamplerCreateInfo.
pub type SamplerDesc = SamplerState;

/// A sampler. Equal states are the same sampler. Spec: Vulkan, "Samplers".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    number: u32,
    /// Which device it belongs to.
    device: u64,
}

impl Sampler {
    pub(crate) fn new(device: &Device, desc: SamplerDesc) -> Result<Self> {
        Ok(Sampler { number: device.images().tables().sampler(&desc)?, device: device.id() })
    }

    /// Which device it belongs to.
    pub(crate) fn device(&self) -> u64 {
        self.device
    }

    /// Number of the state, what descriptors hold.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }
}
