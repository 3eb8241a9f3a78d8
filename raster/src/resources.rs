//! Resources that a shader can access besides the inputs of its stage: descriptor sets, dynamic buffers, push
//! constants, device addresses, handles.
//!
//! Owns the pointers to set memory; the caller of [`BoundResources::new`] promises their validity. Left to others:
//! calls with these resources ([`crate::invoke`]).

use std::ptr;

use quadrille_jit::abi::{self, Ctx, Descriptor, MAX_SETS, PUSH_BYTES, RayHost, ResourceEntry, entries};
use quadrille_jit::missing::{self, MissingPages};

/// Push constants of a shader that has none.
pub(crate) static NO_PUSH: [u8; PUSH_BYTES] = [0; PUSH_BYTES];

/// Table of the buffers that have device addresses; see [`Ctx::addresses`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressTable {
    entries: *const Descriptor,
    slots: u32,
}

impl AddressTable {
    /// A table of `slots` entries, followed by a null entry.
    ///
    /// # Safety
    /// The entries, and the memory they refer to, must stay valid as long as shaders run with the table.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(entries: *const Descriptor, slots: u32) -> Self {
        AddressTable { entries, slots }
    }

    /// The entry of a number, if there is one.
    #[inline]
    pub(crate) fn entry(&self, slot: u64) -> Option<Descriptor> {
        // SAFETY: the slot is checked, and the caller of `new` vouched for that many entries.
        #[expect(unsafe_code, reason = "reads a table of device memory")]
        (slot < u64::from(self.slots))
            .then(|| unsafe { entries::read_address(self.entries.add(slot as usize)) })
    }
}

impl Default for AddressTable {
    fn default() -> Self {
        AddressTable { entries: abi::null_buffer(), slots: 0 }
    }
}

/// Table that maps handles in descriptors to resources; see [`Ctx::resources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ResourceTable {
    entries: *const ResourceEntry,
    slots: u32,
}

impl ResourceTable {
    /// A table of `slots` entries, followed by a null entry.
    ///
    /// # Safety
    /// The entries must stay valid as long as shaders run with the table, and an entry with a key must lead to a live
    /// resource of the key's kind.
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

/// Pages of buffers that stores must leave alone; see [`Ctx::missing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MissingTable(*const MissingPages);

impl MissingTable {
    /// The missing pages of a device.
    ///
    /// # Safety
    /// They must stay where they are as long as shaders run with the table.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(pages: &MissingPages) -> Self {
        MissingTable(pages)
    }
}

impl Default for MissingTable {
    fn default() -> Self {
        MissingTable(&raw const missing::NONE)
    }
}

/// Acceleration structures that shaders can see; see [`Ctx::rays`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RayTable(*const RayHost);

impl RayTable {
    /// A table.
    ///
    /// # Safety
    /// It must stay where it is as long as shaders run with it.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(host: *const RayHost) -> Self {
        RayTable(host)
    }
}

impl Default for RayTable {
    fn default() -> Self {
        RayTable(quadrille_jit::runtime::no_rays())
    }
}

/// Device tables in which shaders look up addresses, handles, missing pages and acceleration structures.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tables {
    /// Buffers by device address.
    pub addresses: AddressTable,
    /// Resources by handle.
    pub resources: ResourceTable,
    /// Missing pages of sparse buffers.
    pub missing: MissingTable,
    /// Acceleration structures by device address.
    pub rays: RayTable,
}

/// Memory and size in bytes of each descriptor set, by set number.
#[derive(Clone, Copy, Debug)]
pub struct BoundSets {
    memory: [*const u8; MAX_SETS],
    bytes: [u32; MAX_SETS],
}

impl BoundSets {
    /// No sets.
    pub const NONE: BoundSets = BoundSets { memory: [ptr::null(); MAX_SETS], bytes: [0; MAX_SETS] };

    /// Binds a set to a number below [`MAX_SETS`].
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
    /// Returns the original resources with these push constants.
    #[inline]
    pub fn with<'a>(&'a self, push: &'a [u8; PUSH_BYTES]) -> BoundResources<'a> {
        BoundResources { sets: self.sets, dynamic: &self.dynamic, push, tables: self.tables }
    }
}

// SAFETY: `BoundResources::keep` is the only constructor, and the caller of `BoundResources::new` promised that any
// thread may use the memory behind the pointers.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Send for KeptResources {}
// SAFETY: `BoundResources::keep` is the only constructor, and the caller of `BoundResources::new` promised that any
// thread may use the memory behind the pointers.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Sync for KeptResources {}

/// Resources that a shader can access besides the inputs of its stage.
#[derive(Clone, Copy)]
pub struct BoundResources<'a> {
    sets: BoundSets,
    dynamic: &'a [Descriptor],
    push: &'a [u8; PUSH_BYTES],
    tables: Tables,
}

// SAFETY: the caller of `new` promised that any thread may use the device memory behind the pointers.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Send for BoundResources<'_> {}
// SAFETY: the caller of `new` promised that any thread may use the device memory behind the pointers.
#[expect(unsafe_code, reason = "raw pointers to set memory")]
unsafe impl Sync for BoundResources<'_> {}

impl<'a> BoundResources<'a> {
    /// Descriptor sets, dynamic buffers and push constants.
    ///
    /// # Safety
    /// Each set that the shader uses must have memory as its [`Layout`](quadrille_jit::abi::Layout) says. The resolved
    /// descriptors of that memory, and those in `dynamic`, must refer to memory that is live, and usable from any
    /// thread, until the dispatch has returned or the pass has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    #[inline]
    pub unsafe fn new(sets: BoundSets, dynamic: &'a [Descriptor], push: &'a [u8; PUSH_BYTES]) -> Self {
        BoundResources { sets, dynamic, push, tables: Tables::default() }
    }

    /// Adds the tables of a device.
    #[inline]
    pub fn with_tables(self, tables: Tables) -> Self {
        BoundResources { tables, ..self }
    }

    /// Resources of a shader that uses none.
    pub fn none() -> BoundResources<'static> {
        let (sets, tables) = (BoundSets::NONE, Tables::default());
        BoundResources { sets, dynamic: &[], push: &NO_PUSH, tables }
    }

    /// Copies the resources, without push constants, to keep them until recorded draws run.
    pub(crate) fn keep(&self) -> KeptResources {
        KeptResources { sets: self.sets, dynamic: self.dynamic.into(), tables: self.tables }
    }

    /// Makes the resources available to lane functions that are called with `ctx`.
    #[inline]
    pub(crate) fn bind(&self, ctx: &mut Ctx) {
        (ctx.sets, ctx.set_bytes) = (self.sets.memory, self.sets.bytes);
        ctx.dynamic = self.dynamic.as_ptr();
        ctx.push = self.push.as_ptr();
        let Tables { addresses, resources, missing, rays } = self.tables;
        ctx.rays = rays.0;
        ctx.missing = missing.0;
        (ctx.addresses, ctx.address_slots) = (addresses.entries, addresses.slots);
        (ctx.resources, ctx.resource_slots) = (resources.entries, resources.slots);
    }

    /// Buffers by device address.
    pub(crate) fn addresses(&self) -> AddressTable {
        self.tables.addresses
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
