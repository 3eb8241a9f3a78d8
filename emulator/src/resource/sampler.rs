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
        tell(device, number, &desc);
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

/// A sampler for descriptors without an image, which lives as long as its device. There may be more of them than
/// [`Sampler`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeptSampler {
    number: u32,
}

impl KeptSampler {
    pub(crate) fn new(device: &Device, desc: SamplerDesc) -> Result<Self> {
        let number = device.images().tables().kept_sampler(&desc)?;
        tell(device, number, &desc);
        Ok(KeptSampler { number })
    }

    /// Number of the state, which mappings of shaders to descriptor heaps hold.
    pub fn number(&self) -> u32 {
        self.number
    }
}

/// Tells the watcher which state a number has.
fn tell(device: &Device, number: u32, desc: &SamplerDesc) {
    if let Some(watch) = &device.options().watch {
        let state =
            events::SamplerState { compares: desc.compare.is_some(), unnormalized: desc.unnormalized };
        watch.tell(&Event::Sampler { number, state });
    }
}
