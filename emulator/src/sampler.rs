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
}

impl Sampler {
    pub(crate) fn new(device: &Device, desc: SamplerDesc) -> Result<Self> {
        Ok(Sampler { number: device.images().tables().sampler(&desc)? })
    }

    /// Number of the state, what descriptors hold.
    pub(crate) fn number(&self) -> u32 {
        self.number
    }
}
