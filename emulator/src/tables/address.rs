//! Device addresses: the table in which shaders look up a device address.
//!
//! A device address consists of a table index and a byte offset, see [`abi::ADDRESS_SHIFT`]; it is never a host
//! address. A shader may use any number as an address, so an entry must never lead to freed memory: the memory of a
//! dropped buffer outlives the submissions that run when the buffer is dropped (`execution::running`). The slots
//! themselves are managed by `slots`; `resource::buffer` decides when a buffer gets an address.

#![expect(unsafe_code, reason = "writes the table that shaders read")]

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_jit::abi::{self, Descriptor, entries};
use quadrille_raster::AddressTable;
use rustc_hash::FxHashMap;

use super::slots::{Slot, Slots};
use crate::error::{Error, Result};
use crate::execution::running::Running;
use crate::memory::Memory;
use crate::object::Owner;

/// Number of buffers that can have addresses at the same time, plus the null entry.
const SLOTS: u32 = 1 << 20;

/// Number of buffers that can have reserved addresses at the same time.
const RESERVED: u32 = 1 << 20;

/// Table of the buffers of a device that have addresses.
pub(crate) struct Addresses {
    slots: Arc<Slots<Descriptor>>,
    taken: Mutex<FxHashMap<u32, Taken>>,
    running: Arc<Running>,
}

/// An address that a buffer is to have, and no other buffer can have.
pub(crate) struct Reserved(Slot<Descriptor>);

impl Reserved {
    /// The address.
    pub fn address(&self) -> u64 {
        u64::from(self.0.number()) << abi::ADDRESS_SHIFT
    }
}

/// An entry in use.
struct Taken {
    slot: Slot<Descriptor>,
    /// The buffer that the addresses belong to.
    owner: Owner,
}

impl Addresses {
    pub fn new(running: &Arc<Running>) -> Arc<Addresses> {
        let (slots, taken) = (Slots::new(SLOTS, RESERVED), Mutex::default());
        Arc::new(Addresses { slots, taken, running: running.clone() })
    }

    fn taken(&self) -> MutexGuard<'_, FxHashMap<u32, Taken>> {
        self.taken.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Returns the table that shaders read.
    pub fn table(&self) -> AddressTable {
        match self.slots.entries() {
            // SAFETY: `Slots::take` reserves `count` entries and a zero entry behind them, which live as long as the
            // device. `release` hands the memory of an entry to `Running::outlive`, so it lives until every submission
            // that may have seen the entry is done.
            Some((first, count)) => unsafe { AddressTable::new(first, count) },
            None => AddressTable::default(),
        }
    }

    /// Returns the object that an address belongs to, if it is alive, and the byte offset of the address in it.
    pub fn owner(&self, address: u64) -> Option<(Arc<dyn Any + Send + Sync>, u64)> {
        let slot = (address >> abi::ADDRESS_SHIFT) as u32;
        let owner = self.taken().get(&slot)?.owner.upgrade()?;
        Some((owner, address & abi::INSIDE))
    }

    /// Reserves an address, which is one that only reserved addresses can be, so that the same numbers are free in another
    /// run. `address` requests a certain one. `Invalid` if it is in use or no such address, `Limit` if none is left.
    pub fn reserve(&self, address: Option<u64>) -> Result<Reserved> {
        let number = address.map(|address| match address & abi::INSIDE {
            0 => (address >> abi::ADDRESS_SHIFT) as u32,
            _ => 0,
        });
        match (self.slots.choose(number)?, address) {
            (Some(slot), _) => Ok(Reserved(slot)),
            (None, Some(address)) => {
                Err(Error::invalid(format!("{address:#x} is in use, or was not captured")))
            }
            (None, None) => Err(Error::Limit(format!("{RESERVED} buffers with reserved device addresses"))),
        }
    }

    /// Assigns an address to the `size` bytes at `ptr`: the reserved one, if there is one.
    pub fn register(&self, ptr: u64, size: u64, owner: Owner, reserved: Option<Reserved>) -> Result<u64> {
        let slot = match reserved {
            Some(Reserved(slot)) => slot,
            None => self.slots.take("buffers with device addresses")?,
        };
        let (entry, number) = (slot.entry(), slot.number());
        // SAFETY: `Slots` gave this call alone the slot, and `Slot::entry` lies within the table.
        unsafe { entries::publish_address(entry, ptr, size) };
        self.taken().insert(number, Taken { slot, owner });
        Ok(u64::from(number) << abi::ADDRESS_SHIFT)
    }

    /// Releases an address; `memory` is the memory that the address led to.
    pub fn release(&self, address: u64, memory: &Memory) {
        let number = (address >> abi::ADDRESS_SHIFT) as u32;
        let Some(Taken { slot, .. }) = self.taken().remove(&number) else { return };
        // SAFETY: the slot was removed from `taken`, so this call alone owns it, and `Slot::entry` lies within the
        // table. The pointer stays valid because a shader may have read the size earlier.
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
        let first = a.register(memory.as_ptr() as u64, 100, weak(), None).unwrap();
        let (of, before) = a.owner(first + 7).unwrap();
        assert_eq!((of.downcast_ref(), before), (Some(&1u32), 7));
        assert_eq!(first, 1 << abi::ADDRESS_SHIFT);
        let run = running.enter();
        a.release(first, &memory);
        assert!(a.owner(first).is_none());
        drop(memory);
        assert_eq!(heap.used(), 100);
        assert_ne!(a.register(0, 0, weak(), None).unwrap(), first);
        drop(run);
        assert_eq!(heap.used(), 0);
        assert_eq!(a.register(0, 0, weak(), None).unwrap(), first);
        drop((of, owner));
        assert!(a.owner(first).is_none());
    }

    #[test]
    fn reserved_addresses_are_those_of_no_other_buffer() {
        let a = Addresses::new(&Arc::default());
        let owner = Arc::new(1u32);
        let weak = || Arc::downgrade(&owner) as Owner;
        let [first, second] = [0, 1].map(|_| a.reserve(None).unwrap());
        let (captured, other) = (first.address(), second.address());
        let ordinary = a.register(0, 0, weak(), None).unwrap();
        assert!(ordinary < captured && captured < other);
        // In use, inside a buffer, of an ordinary buffer, and past the end.
        for wrong in [captured, other, captured + 1, ordinary, 2 * ordinary, u64::MAX, u64::MAX << 40] {
            assert!(a.reserve(Some(wrong)).is_err(), "{wrong:#x}");
        }
        assert_eq!(a.register(0, 0, weak(), Some(second)).unwrap(), other);
        assert!(a.owner(other).is_some() && a.owner(captured).is_none());
        drop(first);
        assert_eq!(a.reserve(Some(captured)).unwrap().address(), captured);
        // Numbers that were released come last.
        assert!(a.reserve(None).unwrap().address() > other);
        assert_eq!(a.register(0, 0, weak(), None).unwrap(), 2 * ordinary);
    }
}
