//! Device addresses: the table in which shaders look them up.
//!
//! An address is the number of an entry and an offset, see [`abi::ADDRESS_SHIFT`]; it is never an address
//! of the host. Shaders may hold any number, so an entry must not lead to memory that is gone: the memory
//! of a buffer that is dropped outlives the submissions that run then (`running`).

#![expect(unsafe_code, reason = "writes the table that shaders read")]

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_jit::abi::{self, Descriptor};
use quadrille_raster::AddressTable;
use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::memory::Memory;
use crate::object::Owner;
use crate::running::Running;
use crate::slots::{Slot, Slots};

/// Buffers with addresses at the same time, and the null entry.
const SLOTS: u32 = 1 << 20;

/// The buffers of a device that have addresses.
pub(crate) struct Addresses {
    slots: Arc<Slots<Descriptor>>,
    taken: Mutex<FxHashMap<u32, Taken>>,
    running: Arc<Running>,
}

/// An entry that is taken.
struct Taken {
    slot: Slot<Descriptor>,
    /// What the addresses are of.
    owner: Owner,
}

impl Addresses {
    pub fn new(running: &Arc<Running>) -> Arc<Addresses> {
        let (slots, taken) = (Slots::new(SLOTS), Mutex::default());
        Arc::new(Addresses { slots, taken, running: running.clone() })
    }

    fn taken(&self) -> MutexGuard<'_, FxHashMap<u32, Taken>> {
        self.taken.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// What shaders get.
    pub fn table(&self) -> AddressTable {
        match self.slots.entries() {
            // SAFETY: the table has so many entries and a null one behind, and lives as long as the device;
            // an entry leads to memory that lives until it is given back and no submission runs that may have seen it.
            Some((first, count)) => unsafe { AddressTable::new(first, count) },
            None => AddressTable::default(),
        }
    }

    /// What the bytes at an address belong to, if that is alive, and how many come before.
    pub fn owner(&self, address: u64) -> Option<(Arc<dyn Any + Send + Sync>, u64)> {
        let slot = (address >> abi::ADDRESS_SHIFT) as u32;
        let owner = self.taken().get(&slot)?.owner.upgrade()?;
        Some((owner, address & ((1 << abi::ADDRESS_SHIFT) - 1)))
    }

    /// Gives `size` bytes at `ptr` an address.
    pub fn register(&self, ptr: u64, size: u64, owner: Owner) -> Result<u64> {
        let slot = self.slots.take("buffers with device addresses")?;
        let (entry, number) = (slot.entry(), slot.number());
        // SAFETY: the slot lies in the table and is this one's; volatile and in this order because shaders may read
        // the entry.
        unsafe {
            (&raw mut (*entry).ptr).write_volatile(ptr);
            (&raw mut (*entry).size).write_volatile(size);
        }
        self.taken().insert(number, Taken { slot, owner });
        Ok(u64::from(number) << abi::ADDRESS_SHIFT)
    }

    /// Takes an address back; `memory` is what is behind it.
    pub fn release(&self, address: u64, memory: &Memory) {
        let number = (address >> abi::ADDRESS_SHIFT) as u32;
        let Some(Taken { slot, .. }) = self.taken().remove(&number) else { return };
        // SAFETY: the slot lies in the table and is this one's; the pointer stays, since a shader may have read the
        // size before.
        unsafe { (&raw mut (*slot.entry()).size).write_volatile(0) };
        self.running.outlive(Box::new((slot, memory.clone())));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::memory::Heap;

    #[test]
    fn memory_outlives_what_runs() {
        let heap = Arc::new(Heap::new(0, 1000));
        let memory = Memory::allocate(&heap, 100).unwrap();
        let running = Arc::new(Running::default());
        let a = Addresses::new(&running);
        let owner = Arc::new(1u32);
        let weak = || Arc::downgrade(&owner) as Owner;
        let first = a.register(memory.as_ptr() as u64, 100, weak()).unwrap();
        let (of, before) = a.owner(first + 7).unwrap();
        assert_eq!((of.downcast_ref(), before), (Some(&1u32), 7));
        assert_eq!(first, 1 << abi::ADDRESS_SHIFT);
        let run = running.enter();
        a.release(first, &memory);
        assert!(a.owner(first).is_none());
        drop(memory);
        assert_eq!(heap.used(), 100);
        assert_ne!(a.register(0, 0, weak()).unwrap(), first);
        drop(run);
        assert_eq!(heap.used(), 0);
        assert_eq!(a.register(0, 0, weak()).unwrap(), first);
        drop((of, owner));
        assert!(a.owner(first).is_none());
    }
}
