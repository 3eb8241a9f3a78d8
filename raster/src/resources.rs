//! What a shader reaches besides its stage's own inputs: sets, dynamic buffers, push constants, addresses.
//!
//! Owns the pointers to set memory; that they are valid is the promise of whoever makes a
//! [`BoundResources`]. Left to others: calls with them ([`crate::invoke`]).

use std::ptr;

use quadrille_jit::abi::{self, Ctx, Descriptor, MAX_SETS, PUSH_BYTES};

/// Push constants of a shader that has none.
pub(crate) static NO_PUSH: [u8; PUSH_BYTES] = [0; PUSH_BYTES];

/// Buffers that have device addresses; see [`Ctx::addresses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressTable {
    entries: *const Descriptor,
    slots: u32,
}

impl AddressTable {
    /// `slots` entries, and a null one behind them.
    ///
    /// # Safety
    /// The entries are there and refer to live memory as long as shaders run that were given the table.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(entries: *const Descriptor, slots: u32) -> Self {
        AddressTable { entries, slots }
    }
}

impl Default for AddressTable {
    fn default() -> Self {
        AddressTable { entries: abi::null_buffer(), slots: 0 }
    }
}

/// Resources of recorded draws, without push constants.
#[derive(Debug)]
pub(crate) struct KeptResources {
    sets: [*const u8; MAX_SETS],
    dynamic: Box<[Descriptor]>,
    addresses: AddressTable,
}

impl KeptResources {
    /// The resources that these were taken from, with these push constants.
    #[inline]
    pub fn with<'a>(&'a self, push: &'a [u8; PUSH_BYTES]) -> BoundResources<'a> {
        BoundResources { sets: self.sets, dynamic: &self.dynamic, push, addresses: self.addresses }
    }
}

// SAFETY: made from a `BoundResources` only, which any thread may use.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Send for KeptResources {}
// SAFETY: made from a `BoundResources` only, which any thread may use.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Sync for KeptResources {}

/// What a shader can reach besides its stage's own inputs.
#[derive(Clone, Copy)]
pub struct BoundResources<'a> {
    sets: [*const u8; MAX_SETS],
    dynamic: &'a [Descriptor],
    push: &'a [u8; PUSH_BYTES],
    addresses: AddressTable,
}

// SAFETY: the pointers refer to device memory that any thread may use, as `new` demands.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Send for BoundResources<'_> {}
// SAFETY: the pointers refer to device memory that any thread may use, as `new` demands.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Sync for BoundResources<'_> {}

impl<'a> BoundResources<'a> {
    /// Sets, dynamic buffers and push constants.
    ///
    /// # Safety
    /// Each pointer in `sets` that the shader uses refers to set memory as its
    /// [`Layout`](quadrille_jit::abi::Layout) says, whose descriptors (and those in `dynamic`) refer
    /// to live memory, from any thread, until the dispatch has returned or the pass has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(
        sets: [*const u8; MAX_SETS],
        dynamic: &'a [Descriptor],
        push: &'a [u8; PUSH_BYTES],
    ) -> Self {
        BoundResources { sets, dynamic, push, addresses: AddressTable::default() }
    }

    /// The same with a table of addresses.
    #[inline]
    pub fn with_addresses(self, addresses: AddressTable) -> Self {
        BoundResources { addresses, ..self }
    }

    /// Resources of a shader that uses none.
    pub fn none() -> BoundResources<'static> {
        let (sets, addresses) = ([ptr::null(); MAX_SETS], AddressTable::default());
        BoundResources { sets, dynamic: &[], push: &NO_PUSH, addresses }
    }

    /// The sets.
    pub fn sets(&self) -> &[*const u8; MAX_SETS] {
        &self.sets
    }

    /// The same to be kept until recorded draws run.
    pub(crate) fn keep(&self) -> KeptResources {
        KeptResources { sets: self.sets, dynamic: self.dynamic.into(), addresses: self.addresses }
    }

    /// Lets lane functions that are called with `ctx` reach them.
    #[inline]
    pub(crate) fn bind(&self, ctx: &mut Ctx) {
        ctx.sets = self.sets;
        ctx.dynamic = self.dynamic.as_ptr();
        ctx.push = self.push.as_ptr();
        ctx.addresses = self.addresses.entries;
        ctx.address_slots = self.addresses.slots;
    }

    /// The dynamic buffers.
    pub fn dynamic(&self) -> &'a [Descriptor] {
        self.dynamic
    }

    /// The push constants.
    pub fn push(&self) -> &'a [u8; PUSH_BYTES] {
        self.push
    }
}
