//! What a shader reaches besides its stage's own inputs: sets, dynamic buffers, push constants, addresses, handles.
//!
//! Owns the pointers to set memory; that they are valid is the promise of whoever makes a
//! [`BoundResources`]. Left to others: calls with them ([`crate::invoke`]).

use std::ptr;

use quadrille_jit::abi::{self, Ctx, Descriptor, MAX_SETS, PUSH_BYTES, ResourceEntry};

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

/// What handles in descriptors lead to; see [`Ctx::resources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceTable {
    entries: *const ResourceEntry,
    slots: u32,
}

impl ResourceTable {
    /// `slots` entries, and a null one behind them.
    ///
    /// # Safety
    /// The entries are there, and an entry with a key leads to a live resource of the key's kind as long as shaders run
    /// that were given the table.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(entries: *const ResourceEntry, slots: u32) -> Self {
        ResourceTable { entries, slots }
    }
}

impl Default for ResourceTable {
    fn default() -> Self {
        ResourceTable { entries: abi::null_resource(), slots: 0 }
    }
}

/// The tables of a device in which shaders look up numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables {
    /// By device address.
    pub addresses: AddressTable,
    /// By handle.
    pub resources: ResourceTable,
}

/// Descriptor sets by number: their memory, and how many bytes are there.
#[derive(Clone, Copy, Debug)]
pub struct BoundSets {
    memory: [*const u8; MAX_SETS],
    bytes: [u32; MAX_SETS],
}

impl BoundSets {
    /// No sets.
    pub const NONE: BoundSets = BoundSets { memory: [ptr::null(); MAX_SETS], bytes: [0; MAX_SETS] };

    /// Puts a set at a number below [`MAX_SETS`].
    #[inline]
    pub fn put(&mut self, number: usize, memory: *const u8, bytes: u32) {
        (self.memory[number], self.bytes[number]) = (memory, bytes);
    }
}

/// Resources of recorded draws, without push constants.
#[derive(Debug)]
pub(crate) struct KeptResources {
    sets: BoundSets,
    dynamic: Box<[Descriptor]>,
    tables: Tables,
}

impl KeptResources {
    /// The resources that these were taken from, with these push constants.
    #[inline]
    pub fn with<'a>(&'a self, push: &'a [u8; PUSH_BYTES]) -> BoundResources<'a> {
        BoundResources { sets: self.sets, dynamic: &self.dynamic, push, tables: self.tables }
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
    sets: BoundSets,
    dynamic: &'a [Descriptor],
    push: &'a [u8; PUSH_BYTES],
    tables: Tables,
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
    /// Each set that the shader uses has memory as its [`Layout`](quadrille_jit::abi::Layout) says, whose resolved
    /// descriptors (and those in `dynamic`) refer to live memory, from any thread, until the dispatch has returned or
    /// the pass has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(sets: BoundSets, dynamic: &'a [Descriptor], push: &'a [u8; PUSH_BYTES]) -> Self {
        BoundResources { sets, dynamic, push, tables: Tables::default() }
    }

    /// The same with the tables of a device.
    #[inline]
    pub fn with_tables(self, tables: Tables) -> Self {
        BoundResources { tables, ..self }
    }

    /// Resources of a shader that uses none.
    pub fn none() -> BoundResources<'static> {
        let (sets, tables) = (BoundSets::NONE, Tables::default());
        BoundResources { sets, dynamic: &[], push: &NO_PUSH, tables }
    }

    /// The same to be kept until recorded draws run.
    pub(crate) fn keep(&self) -> KeptResources {
        KeptResources { sets: self.sets, dynamic: self.dynamic.into(), tables: self.tables }
    }

    /// Lets lane functions that are called with `ctx` reach them.
    #[inline]
    pub(crate) fn bind(&self, ctx: &mut Ctx) {
        (ctx.sets, ctx.set_bytes) = (self.sets.memory, self.sets.bytes);
        ctx.dynamic = self.dynamic.as_ptr();
        ctx.push = self.push.as_ptr();
        let Tables { addresses, resources } = self.tables;
        (ctx.addresses, ctx.address_slots) = (addresses.entries, addresses.slots);
        (ctx.resources, ctx.resource_slots) = (resources.entries, resources.slots);
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
