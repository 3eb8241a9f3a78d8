//! Device memory: the only place where the host accesses bytes that shaders may access too.
//!
//! Memory is a pointer and a length. No Rust slice over it ever exists: the host copies bytes in and out, and other
//! code gets the pointer. New memory is zero. Every allocation is followed by [`abi::PAD_BYTES`] readable bytes and is
//! charged to the device's heap, so that exhaustion is an error and does not end the process. `heap` decides where
//! allocations lie.
//!
//! `placed` maps memory at addresses that the caller chooses.
//!
//! `aliases` keeps memory equal that is bound to several places of sparse resources; `resource::sparse` binds it.

#![expect(unsafe_code, reason = "raw memory shared with shaders")]

pub(crate) mod aliases;
mod charge;
mod dma_buf;
mod file;
mod heap;
mod pages;
mod placed;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytemuck::Pod;
use quadrille_check::events::{Event, Limit};
use quadrille_jit::guarded::{self, Guarded};
use quadrille_jit::interp::watch::Range;
use quadrille_jit::{abi, reserve};
use quadrille_raster::buffer::BufferRange;
use quadrille_raster::feedback::FeedbackRange;
use quadrille_raster::image::Span;
use quadrille_raster::target::{Target, TargetDesc};

use crate::error::{Error, Result, ensure};
use crate::object::objects;
use crate::observation::watching::Watching;
use crate::sys::{BorrowedFd, OwnedFd, mapping};
pub(crate) use charge::Charge;
pub(crate) use dma_buf::offered as dma_bufs_offered;
pub(crate) use file::{File, SharedWords};
pub(crate) use heap::{Block, Heap};
pub(crate) use pages::Pages;
pub use placed::{PLACED_MAPS, PlacedMap, placed_map_alignment};

/// Requirements of a resource on the memory that it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRequirements {
    /// Size, in bytes.
    pub size: u64,
    /// Alignment of the offset, in bytes.
    pub alignment: u64,
    /// `true` if memory is bound in pieces, and must be shareable.
    pub sparse: bool,
}

struct Inner {
    ptr: *mut u8,
    size: u64,
    /// Block in a heap; `None` for host memory and for reserved addresses.
    block: Option<Block>,
    /// Address range of a sparse resource.
    addresses: Option<Pages>,
    /// `true` once a piece of this memory has been mapped at another address.
    shown: AtomicBool,
    /// Watcher that receives the writes to this memory; set only if no other device can write the memory.
    watch: Option<Watching>,
}

impl Inner {
    fn range(&self) -> Range {
        Range { base: self.ptr as u64, size: self.size }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(watch) = &self.watch {
            watch.tell(&Event::Gone(self.range()));
        }
    }
}

// SAFETY: `block` and `addresses` own the memory for as long as the struct lives (for host memory, the caller of
// `from_raw` promises it). Only raw pointers to it exist, and these are valid on every thread.
unsafe impl Send for Inner {}
// SAFETY: the memory outlives the struct, and shared access forms no references to its bytes; callers order their reads
// and writes.
unsafe impl Sync for Inner {}

/// An allocation of device memory. Clones share it; it is freed with the last clone, or by [`Memory::free`].
///
/// All memory is host-visible and coherent. The host may read and write it at any time. If a submission uses the same
/// bytes at that time, their values are unspecified; nothing else can happen.
#[derive(Clone)]
pub struct Memory(Arc<Inner>);

objects! { Memory: "memory" = |m| m.0.block.as_ref().map(Block::device); }

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} bytes)", self.0.size)
    }
}

impl Memory {
    /// Allocates `size` bytes of zeroed memory. Fails with `OutOfMemory` when the heap or the host is full.
    pub(crate) fn allocate(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        let block = if guarded::on() { heap.take_guarded(size)? } else { heap.take(size)? };
        Memory::of_block(block, size)
    }

    /// Tells `watch` that the memory is new, and later of every write to it.
    pub(crate) fn watched(mut self, watch: Option<&Watching>) -> Memory {
        if let (Some(watch), Some(inner)) = (watch, Arc::get_mut(&mut self.0)) {
            watch.tell(&Event::Fresh(inner.range()));
            inner.watch = Some(watch.clone());
        }
        self
    }

    /// Declares the zeros of new memory intended: the device's watcher then does not report reads of unwritten bytes.
    pub fn keep_zeros(&self) {
        self.written(0, self.0.size);
    }

    /// Tells the watcher that shaders may make only some accesses to these bytes.
    pub(crate) fn limited(&self, offset: u64, size: u64, limit: Limit) {
        if let Some(watch) = &self.0.watch {
            let range = Range { base: self.0.ptr as u64 + offset, size };
            watch.tell(&Event::Limited(range, limit));
        }
    }

    /// Tells the watcher that bytes have been written.
    pub(crate) fn written(&self, offset: u64, size: u64) {
        if let Some(watch) = &self.0.watch {
            watch.written(self.0.ptr as u64 + offset, size);
        }
    }

    /// Allocates `size` bytes of zeroed memory in a file, which other devices and processes can map too.
    pub(crate) fn allocate_file(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::new(size)?, size, true)?, size)
    }

    /// Imports memory that another device allocated in a file, by a file descriptor.
    pub(crate) fn import(heap: &Arc<Heap>, fd: BorrowedFd<'_>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "import of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::import(fd, size)?, size, false)?, size)
    }

    /// Allocates like [`allocate_file`](Self::allocate_file), as a dma-buf.
    pub(crate) fn allocate_dma_buf(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::new_dma_buf(size)?, size, true)?, size)
    }

    /// Imports the bytes of a dma-buf.
    pub(crate) fn import_dma_buf(heap: &Arc<Heap>, fd: BorrowedFd<'_>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "import of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::import_dma_buf(fd, size)?, size, false)?, size)
    }

    fn of_block(block: Block, size: u64) -> Result<Memory> {
        Ok(Memory(Arc::new(Inner {
            ptr: block.as_ptr(),
            size,
            block: Some(block),
            addresses: None,
            shown: AtomicBool::new(false),
            watch: None,
        })))
    }

    /// Reserves an address range of `size` bytes for a sparse resource; no heap is charged. It reads as zeros until
    /// memory is mapped.
    pub(crate) fn reserve(size: u64) -> Result<Memory> {
        if !mapping::OFFERED {
            return Err(Error::unsupported("sparse resources, which this host cannot map"));
        }
        let len = usize::try_from(size).ok().and_then(|len| len.checked_add(abi::PAD_BYTES));
        let len =
            len.ok_or_else(|| Error::OutOfMemory(format!("{size} bytes do not fit the address space")))?;
        let pages = Pages::reserve(len)?;
        Ok(Memory(Arc::new(Inner {
            ptr: pages.as_ptr(),
            size,
            block: None,
            addresses: Some(pages),
            shown: AtomicBool::new(false),
            watch: None,
        })))
    }

    /// Maps `len` bytes of an allocation at byte `at` of this address range; `None` unmaps the bytes. Offsets are
    /// multiples of the host's page size.
    pub(crate) fn put_piece(&self, at: u64, len: u64, piece: Option<(&Memory, u64)>) -> Result<()> {
        let own = self.0.addresses.as_ref();
        let own = own.ok_or_else(|| Error::Internal("a piece of a resource that is not sparse".into()))?;
        self.check(at, len)?;
        let Some((memory, offset)) = piece else { return own.hide(at as usize, len as usize) };
        memory.check(offset, len)?;
        let file =
            memory.file().ok_or_else(|| Error::invalid("sparse resources require shareable memory"))?;
        own.show(at as usize, len as usize, file.fd(), offset)
    }

    /// `true` once a piece of this memory has been mapped at another address.
    pub(crate) fn is_shown(&self) -> bool {
        self.0.shown.load(Ordering::Acquire)
    }

    /// Records that pieces of this memory are about to be mapped at other addresses.
    pub(crate) fn set_shown(&self) {
        self.0.shown.store(true, Ordering::Release);
    }

    /// File that backs the memory, if any.
    pub(crate) fn file(&self) -> Option<&File> {
        self.0.block.as_ref().and_then(Block::file)
    }

    /// Returns a file descriptor with which another device, of this or another process, imports the memory.
    ///
    /// # Errors
    /// `Invalid` unless the memory was allocated as shareable, or imported. `OutOfMemory` if the system refuses a
    /// descriptor.
    pub fn share(&self) -> Result<OwnedFd> {
        let file = self.file().ok_or_else(|| Error::invalid("the memory is not shareable"))?;
        file.share()
    }

    /// `true` if a file descriptor refers to a dma-buf.
    pub fn is_dma_buf_fd(fd: BorrowedFd<'_>) -> bool {
        dma_buf::is(fd)
    }

    /// `true` if the memory was allocated or imported as a dma-buf.
    pub fn is_dma_buf(&self) -> bool {
        self.file().is_some_and(|file| file.dma_buf().is_some())
    }

    /// Wraps host memory (VK_EXT_external_memory_host). Buffers may use all of it; images with explicit layouts must
    /// end [`abi::PAD_BYTES`] before its end.
    ///
    /// # Safety
    /// `ptr` must be a multiple of [`abi::BASE_BYTES`] and valid for reads and writes of `size` bytes, rounded up to a
    /// multiple of [`abi::BASE_BYTES`], until the last clone is dropped.
    pub unsafe fn from_raw(ptr: *mut u8, size: u64) -> Memory {
        let shown = AtomicBool::new(false);
        Memory(Arc::new(Inner { ptr, size, block: None, addresses: None, shown, watch: None }))
    }

    /// Number of the file that backs the memory, the same for all memory that was imported from it; `None` if the memory
    /// has no file.
    pub fn file_number(&self) -> Option<u64> {
        self.file().and_then(File::number)
    }

    /// `true` if both are clones of the same memory.
    pub(crate) fn is_same(&self, other: &Memory) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Number of bytes that images with explicit layouts may occupy: loads of their last texel may read beyond its end.
    pub(crate) fn room_for_rows(&self) -> u64 {
        match &self.0.block {
            Some(_) => self.0.size,
            None if self.0.addresses.is_some() => self.0.size,
            // Host memory has no readable padding behind it.
            None => self.0.size.saturating_sub(abi::PAD_BYTES as u64),
        }
    }

    /// Frees the bytes at once, even while buffers, images and recorded commands hold clones.
    ///
    /// Afterwards nothing can be bound to the memory, and resources bound to it cannot be used in new views,
    /// descriptors or commands. A running submission, or a command recorded earlier, may still access the addresses. It
    /// reads zeros or bytes written there after `free`, never bytes of another allocation, because the addresses stay
    /// reserved until the last clone is dropped.
    pub fn free(&self) {
        if let Some(block) = &self.0.block {
            self.keep_zeros();
            block.free();
        }
    }

    /// Returns `Invalid` if the memory has been freed.
    #[inline]
    pub(crate) fn check_alive(&self, what: &str) -> Result<()> {
        let freed = self.0.block.as_ref().is_some_and(Block::is_freed);
        ensure(!freed, || format!("{what}: the memory has been freed"))
    }

    /// Size, in bytes.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Host address of the first byte, which a driver returns from a map call. Valid as long as a clone lives.
    pub fn as_ptr(&self) -> *mut u8 {
        // The holder of the pointer may write at any time.
        self.written(0, self.0.size);
        self.0.ptr
    }

    /// Host address of the first byte, for callers that report their writes.
    pub(crate) fn address(&self) -> u64 {
        self.0.ptr as u64
    }

    fn check(&self, offset: u64, len: u64) -> Result<()> {
        let end = offset.checked_add(len).filter(|end| *end <= self.0.size);
        ensure(end.is_some(), || {
            format!("bytes {offset}..+{len} are outside of memory of {} bytes", self.0.size)
        })
    }

    /// Copies `data` to byte `offset`.
    ///
    /// # Errors
    /// `Invalid` when the data does not fit; nothing is written then.
    pub fn write<T: Pod>(&self, offset: u64, data: &[T]) -> Result<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        self.check(offset, bytes.len() as u64)?;
        self.written(offset, bytes.len() as u64);
        // SAFETY: `check` ensured that the range lies in the memory, which `self` keeps alive; `bytes` is a slice of
        // host memory, which never overlaps device memory.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.0.ptr.add(offset as usize), bytes.len());
        }
        Ok(())
    }

    /// Copies bytes from `offset` to `out`.
    ///
    /// # Errors
    /// `Invalid` when fewer bytes follow `offset`.
    pub fn read_into<T: Pod>(&self, offset: u64, out: &mut [T]) -> Result<()> {
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(out);
        self.check(offset, bytes.len() as u64)?;
        // SAFETY: `check` ensured that the range lies in the memory, which `self` keeps alive; `out` is a slice of host
        // memory, which never overlaps device memory.
        unsafe {
            std::ptr::copy_nonoverlapping(self.0.ptr.add(offset as usize), bytes.as_mut_ptr(), bytes.len());
        }
        Ok(())
    }

    /// Reads `count` values at byte `offset`.
    ///
    /// # Errors
    /// `Invalid` when the range is not inside of the memory. `OutOfMemory` if the host lacks memory for the values.
    pub fn read<T: Pod>(&self, offset: u64, count: usize) -> Result<Vec<T>> {
        let len = (count as u64).checked_mul(size_of::<T>() as u64);
        let len = len.ok_or_else(|| Error::invalid("read past the end of the address space"))?;
        self.check(offset, len)?;
        let mut out = reserve::zeroed(count)?;
        self.read_into(offset, &mut out)?;
        Ok(out)
    }

    /// Returns the range for code that checks its own accesses. Users keep this memory alive.
    pub(crate) fn span(&self, offset: u64, size: u64) -> Result<Span> {
        self.check(offset, size)?;
        // SAFETY: `check` ensured that the range lies in the memory. Every holder of a span also holds the resource,
        // which keeps the memory alive.
        Ok(unsafe { Span::new(self.0.ptr.add(offset as usize), size) })
    }

    /// Returns the range as a vertex or index buffer. Users keep this memory alive.
    pub(crate) fn buffer_range(&self, offset: u64, size: u64) -> Result<BufferRange> {
        self.check(offset, size)?;
        // SAFETY: `check` ensured that the range lies in the memory. Recorded commands hold the resource along with the
        // range until the pass has ended.
        Ok(unsafe { BufferRange::new(self.0.ptr.add(offset as usize), size) })
    }

    /// Returns the range as a transform feedback buffer. Users keep this memory alive.
    pub(crate) fn feedback_range(&self, offset: u64, size: u64) -> Result<FeedbackRange> {
        self.check(offset, size)?;
        // SAFETY: `check` ensured that the range lies in the memory. Recorded commands hold the resource along with the
        // range until the last pass that uses it has ended.
        Ok(unsafe { FeedbackRange::new(self.0.ptr.add(offset as usize), size) })
    }

    /// Returns an attachment within the range. Users keep this memory alive.
    pub(crate) fn target(&self, desc: TargetDesc, offset: u64, size: u64) -> Result<Target> {
        self.check(offset, size)?;
        // SAFETY: `check` ensured that the range lies in the memory. Every holder of the target also holds the
        // resource, which keeps the memory alive, and the device runs one pass at a time.
        unsafe { Target::new(desc, self.0.ptr.add(offset as usize), size) }
    }
}

/// Zeroed words in a heap that shaders cannot reach.
pub(crate) struct Words {
    /// `None` if there are no words.
    block: Option<Block>,
    len: usize,
}

impl Words {
    pub(crate) fn new(heap: &Arc<Heap>, count: u64) -> Result<Words> {
        if count == 0 {
            return Ok(Words { block: None, len: 0 });
        }
        let bytes = count.checked_mul(size_of::<AtomicU64>() as u64);
        let bytes = bytes.ok_or_else(|| Error::OutOfMemory(format!("{count} words")))?;
        let block = heap.take(bytes)?;
        Ok(Words { block: Some(block), len: count as usize })
    }

    pub(crate) fn all(&self) -> &[AtomicU64] {
        match &self.block {
            // SAFETY: `new` took a zeroed, aligned block of `len` words from the heap. `self` owns the block, and the
            // words are reached only through slices from here.
            Some(block) => unsafe { std::slice::from_raw_parts(block.as_ptr().cast(), self.len) },
            None => &[],
        }
    }
}

/// Memory of a descriptor set: plain records, which shaders read and the host writes.
pub(crate) struct SetMemory {
    ptr: *mut abi::Descriptor,
    len: usize,
    /// The mapping that holds the records, if they are not in the process heap. Boxed because there are many sets, and
    /// few have one.
    guarded: Option<Box<Guarded>>,
}

// SAFETY: `self` owns the records, which are plain bytes reached only through raw pointers, valid on every thread.
unsafe impl Send for SetMemory {}
// SAFETY: the records are plain bytes reached only through raw pointers, with volatile accesses; `DescriptorSet` orders
// the accesses of the host.
unsafe impl Sync for SetMemory {}

impl SetMemory {
    /// Creates a copy of `template`. If host memory is exhausted, the error unwinds to the next `guard`.
    pub(crate) fn new(template: &[abi::Descriptor]) -> Self {
        let len = template.len();
        if guarded::on()
            && let Ok(map) = Guarded::new(size_of_val(template), 0, align_of::<abi::Descriptor>())
        {
            let ptr = map.as_ptr().cast::<abi::Descriptor>();
            // SAFETY: `Guarded::new` returned new memory with the size of `template`, aligned for its records.
            unsafe { ptr.copy_from_nonoverlapping(template.as_ptr(), len) };
            return SetMemory { ptr, len, guarded: Some(Box::new(map)) };
        }
        let mut copy = reserve::carry(reserve::with_room(len));
        copy.extend_from_slice(template);
        let boxed = copy.into_boxed_slice();
        SetMemory { ptr: Box::into_raw(boxed).cast(), len, guarded: None }
    }

    /// Address of the first record.
    pub(crate) fn as_ptr(&self) -> *const u8 {
        self.ptr.cast()
    }

    /// Number of records.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Replaces record `index`; an index out of range is ignored.
    pub(crate) fn write(&self, index: usize, value: abi::Descriptor) {
        if index < self.len {
            // SAFETY: the index is in range, and `self` owns the memory. The write is volatile because a shader on
            // another thread may read the record at the same time (update after bind).
            unsafe { self.ptr.add(index).write_volatile(value) };
        }
    }

    /// Returns record `index`, or a null record if out of range.
    pub(crate) fn read(&self, index: usize) -> abi::Descriptor {
        if index < self.len {
            // SAFETY: the index is in range, `self` owns the memory, and `new` initialized all records.
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
        // SAFETY: `new` made the pointer with `Box::into_raw` of a boxed slice of `len` records, since `guarded` is
        // `None`.
        drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(self.ptr, self.len)) });
    }
}

/// Record of a null buffer: reads give zero, and writes are dropped.
pub(crate) fn null_buffer() -> abi::Descriptor {
    *abi::null_buffer()
}

/// Record of a buffer descriptor that was never written: reads give zero, and writes are dropped.
pub(crate) fn unwritten_buffer() -> abi::Descriptor {
    *abi::unwritten_buffer()
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
        for size in [100, 100_000, 3 * pages::HUGE_PAGE as u64] {
            freed_memory_reads_zero(size);
        }
    }

    fn freed_memory_reads_zero(size: u64) {
        let heap = Arc::new(Heap::new(0, size));
        let m = Memory::allocate(&heap, size).unwrap();
        m.write(size - 4, &[7u32]).unwrap();
        let clone = m.clone();
        m.free();
        assert_eq!(heap.used(), 0);
        assert!(clone.check_alive("test").is_err());
        assert_eq!(clone.read::<u32>(size - 4, 1).unwrap(), [0]);
        // Neither a second `free` nor dropping the clones returns the bytes to the heap again.
        let other = Memory::allocate(&heap, size).unwrap();
        m.free();
        drop((m, clone));
        assert_eq!(heap.used(), size);
        drop(other);
        assert_eq!(heap.used(), 0);
    }
}
