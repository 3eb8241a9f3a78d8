//! Handles: words that name resources in memory which applications or shaders can write.
//!
//! A handle contains a slot of the device's table of resources ([`crate::abi::Ctx::resources`]), the generation of the
//! slot, the kind of the resource, and the number of a sampler. It is one aligned word, written and read as a whole,
//! and contains no address. A handle of a sampler alone has generation and kind 0, and the high bits of a large number
//! where others have their slot.
//!
//! A handle refers to a resource if the slot's entry has the same generation and the kind that the shader requires. Any
//! other word is a null descriptor. The generation of a slot only increases, so a handle never refers to a later
//! resource in its slot.
//!
//! A buffer has one entry, however many of its ranges are described. The range is in the word behind the handle, and
//! where handles of images have their sampler ([`HandleRecord`]). Only the handle decides about the resource: readers
//! cut any range off at the end of the buffer, so a handle beside the range of another one names bytes of its buffer.
//! Leaves the table to the device, and reading it in generated code to `codegen`.

use crate::abi::{Descriptor, MAX_COMBINED_SAMPLERS, MAX_SAMPLERS, RESOURCE_SIZE_BITS};
pub use crate::ir::HandleKind;

/// Number of bits of the slot, which is in the lowest bits.
pub const SLOT_BITS: u32 = 24;
/// Bit position of the sampler number.
pub const SAMPLER_SHIFT: u32 = SLOT_BITS;
/// Number of bits of the sampler number beside an image; the low bits of that of a sampler alone.
pub const SAMPLER_BITS: u32 = 20;
/// Bit position of the generation.
pub const GENERATION_SHIFT: u32 = SAMPLER_SHIFT + SAMPLER_BITS;
/// Largest generation.
pub const MAX_GENERATION: u64 = (1 << (KIND_SHIFT - GENERATION_SHIFT)) - 1;
/// Bit position of the kind, which is in the highest bits.
pub const KIND_SHIFT: u32 = 60;
/// Mask of the generation of a handle.
pub const GENERATION: u64 = MAX_GENERATION << GENERATION_SHIFT;
/// Mask of the key in a table entry: kind and generation, where a handle has them. The other bits are a size.
pub const KEY: u64 = !0 << GENERATION_SHIFT;

/// Mask of the offset in the word behind a handle. It is a multiple of 4, so that no range begins inside of a word.
pub const RANGE_OFFSET: u64 = (1 << RANGE_SIZE_SHIFT) - 4;
/// Bit position of the low bits of the size in the word behind a handle.
pub const RANGE_SIZE_SHIFT: u32 = 40;
/// Mask of the high bits of the size in a handle of a buffer, where they have their value.
pub const RANGE_SIZE_HIGH: u64 = !KEY & !((1 << SAMPLER_SHIFT) - 1);

const _: () = assert!(MAX_COMBINED_SAMPLERS == 1 << SAMPLER_BITS);
const _: () = assert!(MAX_SAMPLERS <= 1 << (SAMPLER_BITS + SLOT_BITS));
const _: () = assert!(GENERATION_SHIFT == RESOURCE_SIZE_BITS);
// The high bits of a size begin where the low ones end.
const _: () = assert!(64 - RANGE_SIZE_SHIFT == SAMPLER_SHIFT);

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

    /// Returns the handle of a sampler alone, whose number is below [`MAX_SAMPLERS`].
    pub fn of_sampler(number: u32) -> Handle {
        Handle(u64::from(number >> SAMPLER_BITS)).with_sampler(number)
    }

    /// Returns the handle with a sampler, whose number is below [`MAX_COMBINED_SAMPLERS`].
    pub fn with_sampler(self, number: u32) -> Handle {
        let number = u64::from(number) % MAX_COMBINED_SAMPLERS as u64;
        Handle(self.0 & !((MAX_COMBINED_SAMPLERS as u64 - 1) << SAMPLER_SHIFT) | number << SAMPLER_SHIFT)
    }

    /// Number of the sampler.
    pub fn sampler(self) -> u32 {
        let low = (self.0 >> SAMPLER_SHIFT) as u32 % MAX_COMBINED_SAMPLERS as u32;
        if self.is_null() { low | self.slot() << SAMPLER_BITS } else { low }
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
        self.0 & GENERATION | (kind as u64) << KIND_SHIFT
    }

    /// `true` if the descriptor is intentionally null, or a sampler alone.
    pub fn is_null(self) -> bool {
        self.0 & KEY == 0
    }
}

/// A descriptor with a handle: the handle, and the range of a buffer that it covers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct HandleRecord {
    /// The handle; that of a buffer has the high bits of the range's size.
    pub handle: Handle,
    /// Offset of the range in the buffer, and the low bits of its size; 0 for other resources.
    pub range: u64,
}

impl From<Handle> for HandleRecord {
    fn from(handle: Handle) -> Self {
        HandleRecord { handle, range: 0 }
    }
}

impl HandleRecord {
    /// Returns the descriptor of `size` bytes at `offset`, a multiple of 4, of the buffer of a handle. Both are at most
    /// the size of the buffer.
    pub fn of_range(buffer: Handle, offset: u64, size: u64) -> Self {
        let high = size & RANGE_SIZE_HIGH;
        let handle = Handle(buffer.0 & !RANGE_SIZE_HIGH | high);
        HandleRecord { handle, range: offset & RANGE_OFFSET | size << RANGE_SIZE_SHIFT }
    }

    /// Returns the bytes that the descriptor covers of `buffer`, the whole buffer of its handle.
    pub fn cut(self, buffer: Descriptor) -> Descriptor {
        let offset = (self.range & RANGE_OFFSET).min(buffer.size);
        let size = self.range >> RANGE_SIZE_SHIFT | self.handle.0 & RANGE_SIZE_HIGH;
        Descriptor { ptr: buffer.ptr + offset, size: size.min(buffer.size - offset) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_come_back() {
        let handle = Handle::new(HandleKind::Image, 0xab_cdef, MAX_GENERATION).with_sampler(0xf_1234);
        assert_eq!(
            (handle.slot(), handle.generation(), handle.sampler()),
            (0xab_cdef, MAX_GENERATION, 0xf_1234)
        );
        assert_eq!(handle.key(HandleKind::Image), handle.0 & KEY);
        let keys = HandleKind::ALL.map(|kind| handle.key(kind));
        assert!(keys[0] != keys[1] && keys[1] != keys[2] && keys[0] != keys[2]);
        assert_eq!(handle.with_sampler(7).sampler(), 7);
        assert!(Handle::NULL.with_sampler(9).is_null() && !Handle::UNWRITTEN.is_null());
        assert_ne!(Handle::NULL.key(HandleKind::Buffer), 0);
        for number in [0, 1, 0xf_ffff, 0x10_0000, MAX_SAMPLERS as u32 - 1] {
            let handle = Handle::of_sampler(number);
            assert!(handle.sampler() == number && handle.is_null());
        }
    }

    #[test]
    fn ranges_are_cut_off_at_the_end_of_their_buffer() {
        let handle = Handle::new(HandleKind::Buffer, 7, 3);
        let whole = Descriptor { ptr: 1 << 20, size: 1 << 38 };
        for (offset, size) in
            [(0, 1 << 38), (16, 5), (0xff_ffff_fffc & (whole.size - 1), 3), (1 << 37, 1 << 37)]
        {
            let record = HandleRecord::of_range(handle, offset, size);
            assert_eq!(record.handle.key(HandleKind::Buffer), handle.key(HandleKind::Buffer));
            assert_eq!(record.handle.slot(), 7);
            let part = record.cut(whole);
            assert_eq!((part.ptr - whole.ptr, part.size), (offset, size));
        }
        let small = Descriptor { ptr: 64, size: 100 };
        let cut = |offset, size| {
            let part = HandleRecord::of_range(handle, offset, size).cut(small);
            (part.ptr - small.ptr, part.size)
        };
        assert_eq!([cut(96, 8), cut(100, 8), cut(104, 8)], [(96, 4), (100, 0), (100, 0)]);
        let any = HandleRecord { handle: Handle(!0), range: !0 }.cut(small);
        assert_eq!((any.ptr, any.size), (164, 0));
    }
}
