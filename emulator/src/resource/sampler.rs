//! Samplers: the device interns their states, so that shaders use only a number.

use quadrille_check::events::{self, Event};
use quadrille_raster::sampling::SamplerState;

use crate::device::Device;
use crate::error::Result;
use crate::object::objects;

/// State of a sampler. Spec: Vulkan, VkSamplerCreateInfo.
pub type SamplerDesc = SamplerState;

/// A sampler. Equal states are the same sampler; [`Device::release_sampler`] ends its use. Spec: Vulkan, "Samplers".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Sampler {
    number: u32,
    /// Number that identifies the device.
    device: u64,
}

objects! { Sampler: "sampler" = |s| Some(s.device); }

impl Sampler {
    pub(crate) fn new(device: &Device, desc: SamplerDesc) -> Result<Self> {
        let number = device.images().tables().sampler(&desc)?;
        if let Some(watch) = &device.options().watch {
            let state =
                events::SamplerState { compares: desc.compare.is_some(), unnormalized: desc.unnormalized };
            watch.tell(&Event::Sampler { number, state });
        }
        Ok(Sampler { number, device: device.id() })
    }

    /// Releases the number, which the device may reuse for another state after its last use.
    pub(crate) fn release(self, device: &Device) {
        if self.device == device.id() {
            device.images().tables().release_sampler(self.number);
        }
    }

    /// Number of the state, which descriptors hold.
    pub fn number(&self) -> u32 {
        self.number
    }
}
