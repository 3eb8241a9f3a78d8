//! Handles: words by which memory that applications or shaders can write names resources.
//!
//! A handle holds a slot of the device's table of resources ([`crate::abi::Ctx::resources`]), the generation of the
//! slot, the kind of the resource, and the number of a sampler. It is one aligned word, written and read whole, and holds no
//! address. The table is left to the device; how generated code reads it, to `codegen`.
//!
//! A handle leads to a resource if the slot's entry has its generation and the kind that the shader asks for. Any other
//! word is a null descriptor. Generations of a slot rise, so a handle never leads to a later resource than its own.

use crate::abi::MAX_SAMPLERS;

/// Bits of the slot, the lowest ones.
pub const SLOT_BITS: u32 = 24;
/// Place of the sampler number.
pub const SAMPLER_SHIFT: u32 = SLOT_BITS;
/// Bits of the sampler number.
pub const SAMPLER_BITS: u32 = 12;
/// Place of the generation.
pub const GENERATION_SHIFT: u32 = SAMPLER_SHIFT + SAMPLER_BITS;
/// The greatest generation.
pub const MAX_GENERATION: u64 = (1 << (KIND_SHIFT - GENERATION_SHIFT)) - 1;
/// Place of the kind, the highest bits.
pub const KIND_SHIFT: u32 = 60;
/// Slot and generation of a handle.
pub const IDENTITY: u64 = ((1 << SLOT_BITS) - 1) | (MAX_GENERATION << GENERATION_SHIFT);

const _: () = assert!(MAX_SAMPLERS == 1 << SAMPLER_BITS);

/// Kind of a resource that a handle names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleKind {
    /// A range of a buffer.
    Buffer = 1,
    /// A view of an image, or of a buffer as texels.
    View = 2,
}

/// A handle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Handle(pub u64);

impl Handle {
    /// A null descriptor, without a sampler.
    pub const NULL: Handle = Handle(0);
    /// A descriptor that nobody has written: null, and another to those who watch.
    pub const UNWRITTEN: Handle = Handle(0xf << KIND_SHIFT);

    /// The handle of the resource that a slot holds in a generation, which is 1 or more.
    pub fn new(kind: HandleKind, slot: u32, generation: u64) -> Handle {
        Handle(u64::from(slot) | generation << GENERATION_SHIFT | (kind as u64) << KIND_SHIFT)
    }

    /// The same with a sampler, whose number is below [`MAX_SAMPLERS`].
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

    /// What the slot's entry has for a key if the handle leads to a resource of this kind. It is never 0.
    pub fn key(self, kind: HandleKind) -> u64 {
        self.0 & IDENTITY | (kind as u64) << KIND_SHIFT
    }

    /// The descriptor is null by intention.
    pub fn is_null(self) -> bool {
        self.with_sampler(0) == Handle::NULL
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let handle = Handle::new(HandleKind::View, 0xab_cdef, MAX_GENERATION).with_sampler(4095);
        assert_eq!((handle.slot(), handle.generation(), handle.sampler()), (0xab_cdef, MAX_GENERATION, 4095));
        assert_eq!(handle.key(HandleKind::View), handle.with_sampler(0).0);
        assert_ne!(handle.key(HandleKind::Buffer), handle.key(HandleKind::View));
        assert_eq!(handle.with_sampler(7).sampler(), 7);
        assert!(Handle::NULL.with_sampler(9).is_null() && !Handle::UNWRITTEN.is_null());
        assert_ne!(Handle::NULL.key(HandleKind::Buffer), 0);
    }
}
