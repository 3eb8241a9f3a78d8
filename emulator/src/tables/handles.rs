//! Handles: the table of resources that descriptors name where applications or shaders can write the descriptors.
//!
//! Owns the entries: pointers and sizes are stored here, and in set memory that only the device writes. A handle
//! ([`quadrille_jit::handle`]) leads to an entry as long as the registering object lives. The resource of an entry
//! outlives the submissions that ran when the object was dropped (`execution::running`). `resource::buffer`,
//! `resource::image` and `resource::sampler` decide when their objects register.

#![expect(unsafe_code, reason = "writes the table that shaders read")]

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

use quadrille_jit::abi::{self, Descriptor, ResourceEntry, entries};
use quadrille_jit::handle::{GENERATION, Handle, HandleKind, HandleRecord, MAX_GENERATION};
use quadrille_raster::ResourceTable;
use quadrille_raster::sampling::View;
use rustc_hash::FxHashMap;

use super::slots::{Slot, Slots};
use crate::error::Result;
use crate::execution::running::{Gone, Running};
use crate::limits::LIMITS;
use crate::object::Owner;

/// Table of the handles of a device.
pub(crate) struct Handles {
    slots: Arc<Slots<ResourceEntry>>,
    /// Owners of the handles that lead to parts of an object, by slot.
    owners: Mutex<FxHashMap<u32, Owner>>,
    running: Arc<Running>,
}

/// A registered handle. Dropping it unregisters the handle.
pub(crate) struct Registered {
    of: Arc<Handles>,
    slot: Option<Slot<ResourceEntry>>,
    handle: Handle,
    /// Keeps the memory behind the entry's pointer alive.
    keep: Option<Gone>,
}

/// A slot whose key no new submission can see, and the resource that its entry led to.
struct Unreached {
    slot: Slot<ResourceEntry>,
    _keep: Option<Gone>,
}

impl Drop for Unreached {
    fn drop(&mut self) {
        let entry = self.slot.entry();
        // SAFETY: `Slot::entry` lies within the table, and `self` owns the slot. `Running::outlive` has kept `self`
        // until every submission that may have seen the key was done. The write is volatile because shaders may read
        // the entry, whose kind is 0.
        unsafe {
            (&raw mut (*entry).ptr).write_volatile(abi::zeros() as u64);
            self.slot.retired = Handle((*entry).state).generation() >= MAX_GENERATION;
        }
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let Some(slot) = self.slot.take() else { return };
        self.of.owners().remove(&slot.number());
        let entry = slot.entry();
        // SAFETY: `Slot::entry` lies within the table, and `slot` was taken out of `self`, its only owner. The pointer
        // stays valid, because a shader may have seen the key earlier.
        unsafe { (&raw mut (*entry).state).write_volatile((*entry).state & GENERATION) };
        self.of.running.outlive(Box::new(Unreached { slot, _keep: self.keep.take() }));
    }
}

impl Registered {
    pub fn handle(&self) -> Handle {
        self.handle
    }
}

impl Handles {
    /// An empty table for so many handles, or `LIMITS.max_handles`.
    pub fn new(running: &Arc<Running>, most: u32) -> Arc<Handles> {
        let (slots, owners) = (Slots::new(most.min(LIMITS.max_handles) + 1, 0), Mutex::default());
        Arc::new(Handles { slots, owners, running: running.clone() })
    }

    /// Prepares the table, so that registering fails only for want of room in it.
    pub fn prepare(&self) -> Result<()> {
        self.slots.reserve()
    }

    fn owners(&self) -> MutexGuard<'_, FxHashMap<u32, Owner>> {
        self.owners.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns the table that shaders read.
    pub fn table(&self) -> ResourceTable {
        match self.slots.entries() {
            // SAFETY: `Slots::take` reserves `count` entries and a zero entry behind them, which live as long as the
            // device. `Registered::drop` hands the resource of an entry to `Running::outlive`, so it lives until every
            // submission that may have seen its key is done.
            Some((first, count)) => unsafe { ResourceTable::new(first, count) },
            None => ResourceTable::default(),
        }
    }

    /// Registers a handle of `kind` that leads to `to`, a view or a whole buffer. `keep` keeps the resource alive; `owner` is the object that
    /// [`Handles::owner`] returns.
    pub fn register(
        self: &Arc<Self>,
        kind: HandleKind,
        to: Descriptor,
        keep: Gone,
        owner: Option<Owner>,
    ) -> Result<Registered> {
        let slot = self.slots.take("resources that descriptors name")?;
        let entry = slot.entry();
        // SAFETY: `Slots::take` gave this call alone the slot, and `Slot::entry` lies within the table.
        let handle = unsafe {
            let handle = Handle::new(kind, slot.number(), Handle((*entry).state).generation() + 1);
            entries::publish_resource(entry, to.ptr, to.size, handle.key(kind));
            handle
        };
        if let Some(owner) = owner {
            self.owners().insert(slot.number(), owner);
        }
        Ok(Registered { of: self.clone(), slot: Some(slot), handle, keep: Some(keep) })
    }

    /// Returns what a handle leads to as a resource of `kind`, if it is registered: a view, or a whole buffer. The result
    /// is valid while the registering object lives, or while the caller's submission runs.
    fn entry(&self, handle: Handle, kind: HandleKind) -> Option<Descriptor> {
        let (first, count) = self.slots.entries()?;
        if handle.slot() >= count {
            return None;
        }
        // SAFETY: the slot is less than `count`, which `Slots` reserved.
        unsafe { entries::read_resource(first.add(handle.slot() as usize), handle.key(kind)) }
    }

    /// Returns the view, or the part of a buffer, that a descriptor leads to as a resource of `kind`, if it is registered;
    /// as long valid as [`Handles::entry`].
    pub fn resolve(&self, record: HandleRecord, kind: HandleKind) -> Option<Descriptor> {
        let whole = self.entry(record.handle, kind)?;
        Some(if kind == HandleKind::Buffer { record.cut(whole) } else { whole })
    }

    /// Returns the owner that a handle was registered with, if the owner is alive.
    pub fn owner(&self, handle: Handle) -> Option<Arc<dyn Any + Send + Sync>> {
        let owner = self.owners().get(&handle.slot())?.upgrade();
        // The slot may have been reused for another handle in the meantime.
        owner.filter(|_| HandleKind::ALL.iter().any(|kind| self.entry(handle, *kind).is_some()))
    }
}

/// Returns the handle of a view, registered as `kind` at the first call.
pub(crate) fn registered(
    known: &OnceLock<Registered>,
    handles: &Arc<Handles>,
    kind: HandleKind,
    view: &View,
    keep: impl FnOnce() -> Gone,
) -> Result<Handle> {
    if let Some(known) = known.get() {
        return Ok(known.handle());
    }
    let to = Descriptor { ptr: view.address(), size: 0 };
    let new = handles.register(kind, to, keep(), None)?;
    Ok(known.get_or_init(|| new).handle())
}

#[cfg(test)]
mod tests {
    use quadrille_jit::handle::GENERATION_SHIFT;

    use super::*;

    fn handles() -> (Arc<Running>, Arc<Handles>) {
        let running = Arc::new(Running::default());
        let handles = Handles::new(&running, LIMITS.max_handles);
        (running, handles)
    }

    #[test]
    fn a_handle_leads_to_its_own_resource_alone() {
        let (running, handles) = handles();
        let to = |ptr| Descriptor { ptr, size: 16 };
        let found = |h: Handle, kind| handles.entry(h, kind).map(|d| d.ptr);
        let first = handles.register(HandleKind::Buffer, to(64), Box::new(()), None).unwrap();
        let old = first.handle();
        assert_eq!(found(old, HandleKind::Buffer), Some(64));
        assert_eq!(found(old, HandleKind::Image), None);
        assert_eq!(found(old.with_sampler(9), HandleKind::Buffer), Some(64));
        assert_eq!(found(Handle::NULL, HandleKind::Buffer), None);
        assert_eq!(found(Handle::UNWRITTEN, HandleKind::Image), None);
        assert_eq!(found(Handle(!0), HandleKind::Image), None);
        drop(first);
        assert_eq!(found(old, HandleKind::Buffer), None);
        // The slot is reused, and the old handle still resolves to nothing.
        let second = handles.register(HandleKind::Buffer, to(128), Box::new(()), None).unwrap();
        assert_eq!(second.handle().slot(), old.slot());
        assert_eq!(
            (found(old, HandleKind::Buffer), found(second.handle(), HandleKind::Buffer)),
            (None, Some(128))
        );
        // The slot is not reused while a submission runs that may have seen its key.
        let run = running.enter();
        let slot = second.handle().slot();
        drop(second);
        let third = handles.register(HandleKind::Image, to(192), Box::new(()), None).unwrap();
        assert_ne!(third.handle().slot(), slot);
        drop(run);
        let fourth = handles.register(HandleKind::Image, to(192), Box::new(()), None).unwrap();
        assert_eq!(fourth.handle().slot(), slot);
    }

    #[test]
    fn a_slot_whose_generations_are_used_up_is_given_out_no_more() {
        let (_, handles) = handles();
        let to = Descriptor { ptr: 64, size: 16 };
        let first = handles.register(HandleKind::Buffer, to, Box::new(()), None).unwrap();
        let slot = first.handle().slot();
        // SAFETY: the entry belongs to `first`, which is registered, and no other thread has the table.
        unsafe { (*first.slot.as_ref().unwrap().entry()).state |= MAX_GENERATION << GENERATION_SHIFT };
        drop(first);
        let second = handles.register(HandleKind::Buffer, to, Box::new(()), None).unwrap();
        assert_ne!(second.handle().slot(), slot);
    }
}
