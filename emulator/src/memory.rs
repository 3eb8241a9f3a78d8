//! Device memory: the one place where the host touches bytes that shaders may touch too.
//!
//! Memory is a pointer and a length. No Rust slice is ever formed over it: the host copies in and
//! out, everything else gets the pointer. Fresh memory is zero. Every allocation is followed by
//! [`abi::PAD_BYTES`] readable bytes and is charged to the device's heap, so that running out is
//! an error and not the end of the process.

#![expect(unsafe_code, reason = "raw memory shared with shaders")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytemuck::Pod;
use memmap2::MmapMut;
use quadrille_jit::abi;
use quadrille_jit::guarded::{self, Guarded};
use quadrille_raster::buffer::BufferRange;
use quadrille_raster::image::{LEVEL_ALIGN, Span};
use quadrille_raster::target::{Target, TargetDesc};

use crate::error::{Error, Result, ensure};
use crate::object::objects;

/// Bytes that a device may allocate, and how many it has.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Number of the device.
    device: u64,
    size: u64,
    used: AtomicU64,
}

impl Heap {
    pub(crate) fn new(device: u64, size: u64) -> Self {
        Heap { device, size, used: AtomicU64::new(0) }
    }
    pub(crate) fn size(&self) -> u64 {
        self.size
    }
    pub(crate) fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }
    fn charge(&self, bytes: u64) -> Result<()> {
        self.used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(bytes).filter(|sum| *sum <= self.size)
            })
            .map(|_| ())
            .map_err(|used| {
                Error::OutOfMemory(format!("{bytes} bytes wanted, {used} of {} in use", self.size))
            })
    }
    fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// What a resource needs of the memory it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRequirements {
    /// Bytes.
    pub size: u64,
    /// Alignment of the offset in bytes.
    pub alignment: u64,
}

/// Allocations from this size on start at a multiple of it and ask for large pages: random reads would
/// otherwise spend their time in page tables.
const HUGE_PAGE: u64 = 2 << 20;

/// What keeps the bytes of an allocation.
enum Map {
    /// Pages of its own.
    Pages(MmapMut),
    /// The same between guard pages, in tests.
    Guarded(Guarded),
    /// Nothing: the memory belongs to the host.
    Host,
}

struct Inner {
    ptr: *mut u8,
    size: u64,
    map: Map,
    heap: Option<Arc<Heap>>,
    /// The heap has the bytes back.
    freed: AtomicBool,
}

impl Inner {
    /// Gives the bytes back to the heap, the first time.
    fn release(&self) {
        if let Some(heap) = self.heap.as_ref().filter(|_| !self.freed.swap(true, Ordering::AcqRel)) {
            heap.release(self.size);
        }
    }

    /// Gives the pages back to the host; the addresses stay and read zero.
    fn discard(&self) {
        if let Map::Guarded(map) = &self.map {
            map.clear();
        }
        #[cfg(target_os = "linux")]
        if let Map::Pages(map) = &self.map {
            // SAFETY: a private anonymous mapping of which no reference exists: its bytes become zeros, which
            // is what whoever reaches them through a pointer has to expect of freed memory. If the host
            // refuses, they stay as they are until the mapping goes.
            let _ = unsafe { map.unchecked_advise(memmap2::UncheckedAdvice::DontNeed) };
        }
    }
}

// SAFETY: the mapping lives as long as the struct and is only reached through raw pointers.
unsafe impl Send for Inner {}
// SAFETY: as above; accesses through the pointer are the callers' to order.
unsafe impl Sync for Inner {}

impl Drop for Inner {
    fn drop(&mut self) {
        self.release();
    }
}

/// An allocation of device memory. Clones share it; it is freed with the last one, or by [`Memory::free`].
///
/// All memory is host-visible and coherent. The host may read and write it at any time; doing so
/// while a submission uses the same bytes gives unspecified bytes and nothing worse.
#[derive(Clone)]
pub struct Memory(Arc<Inner>);

objects! { Memory: "memory" = |m| m.0.heap.as_ref().map(|h| h.device); }

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} bytes)", self.0.size)
    }
}

impl Memory {
    /// Allocates `size` zero bytes. Fails with `OutOfMemory` when the heap or the host is full.
    pub(crate) fn allocate(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        heap.charge(size)?;
        if guarded::on() {
            return Memory::guarded(heap, size).inspect_err(|_| heap.release(size));
        }
        let huge = if size >= HUGE_PAGE { HUGE_PAGE as usize } else { 0 };
        let padded = usize::try_from(size).ok().and_then(|s| s.checked_add(abi::PAD_BYTES + huge));
        let map = padded
            .ok_or_else(|| Error::OutOfMemory(format!("{size} bytes do not fit the address space")))
            .and_then(|len| {
                MmapMut::map_anon(len).map_err(|e| Error::OutOfMemory(format!("{size} bytes: {e}")))
            });
        match map {
            Ok(mut map) => {
                let mut ptr = map.as_mut_ptr();
                if huge != 0 {
                    // The host may have no large pages, or none left: then the usual ones do.
                    #[cfg(target_os = "linux")]
                    let _ = map.advise(memmap2::Advice::HugePage);
                    let skip = ptr.align_offset(huge);
                    ptr = ptr.wrapping_add(if skip < huge { skip } else { 0 });
                }
                Ok(Memory(Arc::new(Inner {
                    ptr,
                    size,
                    map: Map::Pages(map),
                    heap: Some(heap.clone()),
                    freed: AtomicBool::new(false),
                })))
            }
            Err(e) => {
                heap.release(size);
                Err(e)
            }
        }
    }

    /// `size` bytes of the heap, charged already, between guard pages. Images ask for the greatest alignment.
    fn guarded(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        let map = Guarded::new(bytes, abi::PAD_BYTES, LEVEL_ALIGN as usize);
        let map = map.map_err(|e| Error::OutOfMemory(format!("{size} bytes: {e}")))?;
        Ok(Memory(Arc::new(Inner {
            ptr: map.as_ptr(),
            size,
            map: Map::Guarded(map),
            heap: Some(heap.clone()),
            freed: AtomicBool::new(false),
        })))
    }

    /// Wraps memory of the host (VK_EXT_external_memory_host).
    ///
    /// # Safety
    /// `ptr` must be valid for reads of `size + PAD_BYTES` and writes of `size` bytes until the last
    /// clone is gone.
    pub unsafe fn from_raw(ptr: *mut u8, size: u64) -> Memory {
        Memory(Arc::new(Inner { ptr, size, map: Map::Host, heap: None, freed: AtomicBool::new(false) }))
    }

    /// Gives the bytes back at once, although clones live: buffers, images and recorded commands hold some.
    ///
    /// The memory is of no use any more: nothing can be bound to it, and what is bound to it can be used in no
    /// new view, descriptor or command. Where something reaches it nevertheless (a submission that runs, a
    /// command recorded before), it reads zeros, or what was written there after the end; never
    /// bytes of another allocation, since the addresses stay taken until the last clone is gone.
    pub fn free(&self) {
        self.0.release();
        self.0.discard();
    }

    /// `Invalid` if it has been freed.
    pub(crate) fn check_alive(&self, what: &str) -> Result<()> {
        ensure(!self.0.freed.load(Ordering::Acquire), || format!("{what}: the memory has been freed"))
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Address of the first byte; what a driver's map returns. Valid as long as a clone lives.
    pub fn as_ptr(&self) -> *mut u8 {
        self.0.ptr
    }

    fn check(&self, offset: u64, len: u64) -> Result<()> {
        let end = offset.checked_add(len).filter(|end| *end <= self.0.size);
        ensure(end.is_some(), || {
            format!("bytes {offset}..+{len} are outside of memory of {} bytes", self.0.size)
        })
    }

    /// Copies `data` to byte `offset`. `Invalid` when it does not fit.
    pub fn write<T: Pod>(&self, offset: u64, data: &[T]) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        self.check(offset, bytes.len() as u64)?;
        // SAFETY: the range was checked, and `bytes` is a host slice, which never overlaps device memory.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.ptr.add(offset as usize), bytes.len());
        }
        Ok(())
    }

    /// Copies bytes from `offset` to `out`. `Invalid` when there are not that many.
    pub fn read_into<T: Pod>(&self, offset: u64, out: &mut [T]) -> Result<()> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(out);
        self.check(offset, bytes.len() as u64)?;
        // SAFETY: as in `write`.
        unsafe {
            std::ptr::copy_nonoverlapping(self.0.ptr.add(offset as usize), bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }

    /// Reads `count` values at byte `offset`.
    pub fn read<T: Pod>(&self, offset: u64, count: usize) -> Result<Vec<T>> {
        let len = (count as u64).checked_mul(size_of::<T>() as u64);
        let len = len.ok_or_else(|| Error::invalid("read past the end of the address space"))?;
        self.check(offset, len)?;
        let mut out = vec![T::zeroed(); count];
        self.read_into(offset, &mut out)?;
        Ok(out)
    }

    /// The range, for code that checks its accesses itself. Users keep this memory alive.
    pub(crate) fn span(&self, offset: u64, size: u64) -> Result<Span> {
        self.check(offset, size)?;
        // SAFETY: the range was checked; whoever holds a span holds the resource that holds the memory.
        Ok(unsafe { Span::new(self.0.ptr.add(offset as usize), size) })
    }

    /// The range as a vertex or index buffer. Users keep this memory alive.
    pub(crate) fn buffer_range(&self, offset: u64, size: u64) -> Result<BufferRange> {
        self.check(offset, size)?;
        // SAFETY: as in `span`.
        Ok(unsafe { BufferRange::new(self.0.ptr.add(offset as usize), size) })
    }

    /// An attachment within the range. Users keep this memory alive.
    pub(crate) fn target(&self, desc: TargetDesc, offset: u64, size: u64) -> Result<Target> {
        self.check(offset, size)?;
        // SAFETY: as in `span`; the queue runs one pass at a time.
        unsafe { Target::new(desc, self.0.ptr.add(offset as usize), size) }
    }
}

/// Memory of a descriptor set: plain records, read by shaders, written by the host.
pub(crate) struct SetMemory {
    ptr: *mut abi::Descriptor,
    len: usize,
    /// The records' memory where it is not of the process's heap. In a box since there are many sets, which
    /// hardly ever have it.
    guarded: Option<Box<Guarded>>,
}

// SAFETY: the records are plain bytes reached through raw pointers only.
unsafe impl Send for SetMemory {}
// SAFETY: as above; `DescriptorSet` orders the accesses.
unsafe impl Sync for SetMemory {}

impl SetMemory {
    /// A copy of `template`.
    pub(crate) fn new(template: &[abi::Descriptor]) -> Self {
        let len = template.len();
        if guarded::on()
            && let Ok(map) = Guarded::new(size_of_val(template), 0, align_of::<abi::Descriptor>())
        {
            let ptr = map.as_ptr().cast::<abi::Descriptor>();
            // SAFETY: fresh memory with room for so many records, aligned for them.
            unsafe { ptr.copy_from_nonoverlapping(template.as_ptr(), len) };
            return SetMemory { ptr, len, guarded: Some(Box::new(map)) };
        }
        let boxed: Box<[abi::Descriptor]> = template.into();
        SetMemory { ptr: Box::into_raw(boxed).cast(), len, guarded: None }
    }

    /// Address of the first record.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.ptr.cast()
    }

    /// Replaces record `index`; out of range is ignored.
    pub(crate) fn write(&self, index: usize, value: abi::Descriptor) {
        if index < self.len {
            // SAFETY: in range; volatile because a shader of another thread may read the record
            // (update after bind) and must not be assumed away.
            unsafe { self.ptr.add(index).write_volatile(value) };
        }
    }

    /// Record `index`; null out of range.
    pub(crate) fn read(&self, index: usize) -> abi::Descriptor {
        if index < self.len {
            // SAFETY: in range and initialized.
            unsafe { self.ptr.add(index).read_volatile() }
        } else {
            null_buffer()
        }
    }
}

impl Drop for SetMemory {
    fn drop(&mut self) {
        if self.guarded.is_some() {
            return;
        }
        // SAFETY: made by `Box::into_raw` of a boxed slice of this length.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.ptr, self.len)) });
    }
}

/// Zeros that null descriptors point to.
static ZEROS: [u64; 64] = [0; 64];

/// A buffer that reads as zero and drops writes.
pub(crate) fn null_buffer() -> abi::Descriptor {
    abi::Descriptor { ptr: (&raw const ZEROS) as u64, size: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_is_zero_bounded_and_accounted() {
        let heap = Arc::new(Heap::new(0, 1000));
        let m = Memory::allocate(&heap, 600).unwrap();
        assert_eq!(m.read::<u8>(0, 600).unwrap(), vec![0; 600]);
        m.write(596, &[1u32]).unwrap();
        assert!(m.write(597, &[1u32]).is_err());
        assert!(m.read::<u32>(u64::MAX, 1).is_err());
        assert_eq!(m.read::<u32>(596, 1).unwrap(), [1]);
        assert!(matches!(Memory::allocate(&heap, 401), Err(Error::OutOfMemory(_))));
        drop(m);
        assert_eq!(heap.used(), 0);
        assert!(Memory::allocate(&heap, 1000).is_ok());
    }

    #[test]
    fn freed_memory_reads_zero_and_counts_no_more() {
        let size = 3 * HUGE_PAGE;
        let heap = Arc::new(Heap::new(0, size));
        let m = Memory::allocate(&heap, size).unwrap();
        m.write(size - 4, &[7u32]).unwrap();
        let clone = m.clone();
        m.free();
        assert_eq!(heap.used(), 0);
        assert!(clone.check_alive("test").is_err());
        if cfg!(target_os = "linux") {
            assert_eq!(clone.read::<u32>(size - 4, 1).unwrap(), [0]);
        }
        // Neither a second time nor the end of the clones gives anything back.
        let other = Memory::allocate(&heap, size).unwrap();
        m.free();
        drop((m, clone));
        assert_eq!(heap.used(), size);
        drop(other);
        assert_eq!(heap.used(), 0);
    }
}
