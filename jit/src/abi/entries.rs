//! Entries of tables that the device changes while shaders run.
//!
//! A key, or a size, says that the pointer beside it is valid. The device therefore writes the pointer first, and
//! readers read it last. Processors of the family x86-64 keep both orders. Others need a fence on each side, which is
//! here for the host, and `LaneBuilder::order_loads` for generated code.

#![expect(unsafe_code, reason = "reads and writes tables that shaders read")]

use std::sync::atomic::{Ordering, fence};

use super::{Descriptor, RESOURCE_SIZE_BITS, ResourceEntry};

/// Bits of an entry of the table of resources that are its size; the others are its key.
const SIZE: u64 = (1 << RESOURCE_SIZE_BITS) - 1;

/// Makes an entry of the table of device addresses valid.
///
/// # Safety
/// `at` is an entry of a table, which no other thread writes. Shaders may read it.
pub unsafe fn publish_address(at: *mut Descriptor, ptr: u64, size: u64) {
    // SAFETY: promised by the caller. The writes are volatile because shaders may read the entry.
    unsafe {
        (&raw mut (*at).ptr).write_volatile(ptr);
        fence(Ordering::Release);
        (&raw mut (*at).size).write_volatile(size);
    }
}

/// Reads an entry of the table of device addresses. If the size is not 0, the pointer belongs to it.
///
/// # Safety
/// `at` is an entry of a table.
pub unsafe fn read_address(at: *const Descriptor) -> Descriptor {
    // SAFETY: promised by the caller. The reads are volatile because the device may write the entry.
    unsafe {
        let size = (&raw const (*at).size).read_volatile();
        fence(Ordering::Acquire);
        Descriptor { ptr: (&raw const (*at).ptr).read_volatile(), size }
    }
}

/// Makes an entry of the table of resources valid. `key` is that of its handle, and `size` has at most
/// [`RESOURCE_SIZE_BITS`].
///
/// # Safety
/// `at` is an entry of a table, which no other thread writes. Shaders may read it.
pub unsafe fn publish_resource(at: *mut ResourceEntry, ptr: u64, size: u64, key: u64) {
    // SAFETY: promised by the caller. The writes are volatile because shaders may read the entry.
    unsafe {
        (&raw mut (*at).ptr).write_volatile(ptr);
        fence(Ordering::Release);
        (&raw mut (*at).state).write_volatile(key | size & SIZE);
    }
}

/// Reads size and pointer of an entry of the table of resources, if it has the key.
///
/// # Safety
/// `at` is an entry of a table.
pub unsafe fn read_resource(at: *const ResourceEntry, key: u64) -> Option<Descriptor> {
    // SAFETY: promised by the caller. The reads are volatile because the device may write the entry.
    unsafe {
        let state = (&raw const (*at).state).read_volatile();
        fence(Ordering::Acquire);
        let ptr = (&raw const (*at).ptr).read_volatile();
        (state & !SIZE == key).then_some(Descriptor { ptr, size: state & SIZE })
    }
}

#[cfg(test)]
mod tests {
    use std::cell::UnsafeCell;
    use std::sync::atomic::AtomicBool;

    use super::*;

    struct Table(UnsafeCell<Descriptor>, UnsafeCell<ResourceEntry>);
    impl Table {
        fn address(&self) -> *mut Descriptor {
            self.0.get()
        }
        fn resource(&self) -> *mut ResourceEntry {
            self.1.get()
        }
    }
    // SAFETY: the test writes the entries on one thread, and only through the functions above.
    unsafe impl Sync for Table {}

    /// Entries are published once per round with rising numbers; a size or key never comes with an older pointer.
    #[test]
    fn a_size_comes_with_its_pointer() {
        let table = Table(
            UnsafeCell::new(Descriptor { ptr: 0, size: 0 }),
            UnsafeCell::new(ResourceEntry { state: 0, ptr: 0 }),
        );
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let reader = || {
                while !done.load(Ordering::Relaxed) {
                    // SAFETY: the entries live as long as the scope.
                    let address = unsafe { read_address(table.address()) };
                    assert!(address.ptr >= address.size, "{address:?}");
                    for key in 1..=8 {
                        // SAFETY: the entries live as long as the scope.
                        let found = unsafe { read_resource(table.resource(), key << RESOURCE_SIZE_BITS) };
                        assert!(found.is_none_or(|d| d.ptr >= key && d.size >= key), "{key}: {found:?}");
                    }
                }
            };
            scope.spawn(reader);
            scope.spawn(reader);
            for n in 1..20_000 {
                // SAFETY: the entries live as long as the scope, and only this thread writes them.
                unsafe {
                    publish_address(table.address(), n, n);
                    publish_resource(table.resource(), n, n, n << RESOURCE_SIZE_BITS);
                }
            }
            done.store(true, Ordering::Relaxed);
        });
    }
}
