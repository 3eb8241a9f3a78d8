//! Handles: words that name resources in memory which applications or shaders can write.
//!
//! A handle contains a slot of the device's table of resources ([`crate::abi::Ctx::resources`]), the generation of the
//! slot, the kind of the resource, and the number of a sampler. It is one aligned word, written and read as a whole,
//! and contains no address.
//!
//! A handle refers to a resource if the slot's entry has the same generation and the kind that the shader requires. Any
//! other word is a null descriptor. The generation of a slot only increases, so a handle never refers to a later
//! resource in its slot. Leaves the table to the device, and reading it in generated code to `codegen`.

use crate::abi::MAX_SAMPLERS;
pub use crate::ir::HandleKind;

/// Number of bits of the slot, which is in the lowest bits.
pub const SLOT_BITS: u32 = 24;
/// Bit position of the sampler number.
pub const SAMPLER_SHIFT: u32 = SLOT_BITS;
/// Number of bits of the sampler number.
pub const SAMPLER_BITS: u32 = 12;
/// Bit position of the generation.
pub const GENERATION_SHIFT: u32 = SAMPLER_SHIFT + SAMPLER_BITS;
/// Largest generation.
pub const MAX_GENERATION: u64 = (1 << (KIND_SHIFT - GENERATION_SHIFT)) - 1;
/// Bit position of the kind, which is in the highest bits.
pub const KIND_SHIFT: u32 = 60;
/// Mask of the slot and generation of a handle.
pub const IDENTITY: u64 = ((1 << SLOT_BITS) - 1) | (MAX_GENERATION << GENERATION_SHIFT);

const _: () = assert!(MAX_SAMPLERS == 1 << SAMPLER_BITS);

/// A handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Handle(pub u64);

impl Handle {
    /// A null descriptor, without a sampler.
    pub const NULL: Handle = Handle(0);
    /// A descriptor that was never written: null, but distinguishable to observers.
    pub const UNWRITTEN: Handle = Handle(0xf << KIND_SHIFT);

    /// Returns the handle of the resource in a slot with the given generation, which is at least 1.
    pub fn new(kind: HandleKind, slot: u32, generation: u64) -> Handle {
        Handle(u64::from(slot) | generation << GENERATION_SHIFT | (kind as u64) << KIND_SHIFT)
    }

    /// Returns the handle with a sampler, whose number is below [`MAX_SAMPLERS`].
    pub fn with_sampler(self, number: u32) -> Handle {
        let number = u64::from(number) % MAX_SAMPLERS as u64;
        Handle(self.0 & !((MAX_SAMPLERS as u64 - 1) << SAMPLER_SHIFT) | number << SAMPLER_SHIFT)
    }

    /// Number of the sampler.
    pub fn sampler(self) -> u32 {
        (self.0 >> SAMPLER_SHIFT) as u32 % MAX_SAMPLERS as u32
    }

    /// Number of the slot.
    pub fn slot(self) -> u32 {
        self.0 as u32 % (1 << SLOT_BITS)
    }

    /// The generation.
    pub fn generation(self) -> u64 {
        self.0 >> GENERATION_SHIFT & MAX_GENERATION
    }

    /// Key of the slot's entry if the handle refers to a resource of this kind. It is never 0.
    pub fn key(self, kind: HandleKind) -> u64 {
        self.0 & IDENTITY | (kind as u64) << KIND_SHIFT
    }

    /// `true` if the descriptor is intentionally null.
    pub fn is_null(self) -> bool {
        self.with_sampler(0) == Handle::NULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let handle = Handle::new(HandleKind::Image, 0xab_cdef, MAX_GENERATION).with_sampler(4095);
        assert_eq!((handle.slot(), handle.generation(), handle.sampler()), (0xab_cdef, MAX_GENERATION, 4095));
        assert_eq!(handle.key(HandleKind::Image), handle.with_sampler(0).0);
        let keys = HandleKind::ALL.map(|kind| handle.key(kind));
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
        assert_eq!(handle.with_sampler(7).sampler(), 7);
        assert!(Handle::NULL.with_sampler(9).is_null() && !Handle::UNWRITTEN.is_null());
        assert_ne!(Handle::NULL.key(HandleKind::Buffer), 0);
    }
}
