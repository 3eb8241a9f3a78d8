//! Device memory: the one place where the host touches bytes that shaders may touch too.
//!
//! Memory is a pointer and a length. No Rust slice is ever formed over it: the host copies in and
//! out, everything else gets the pointer. Fresh memory is zero. Every allocation is followed by
//! [`abi::PAD_BYTES`] readable bytes and is charged to the device's heap, so that running out is
//! an error and not the end of the process. Where allocations lie is the business of `heap`.

#![expect(unsafe_code, reason = "raw memory shared with shaders")]

mod dma_buf;
mod file;
mod heap;
mod pages;

use std::os::fd::{BorrowedFd, OwnedFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use bytemuck::Pod;
use quadrille_jit::guarded::{self, Guarded};
use quadrille_jit::interp::events::Event;
use quadrille_jit::interp::watch::Range;
use quadrille_jit::{abi, reserve};
use quadrille_raster::buffer::BufferRange;
use quadrille_raster::feedback::FeedbackRange;
use quadrille_raster::image::Span;
use quadrille_raster::target::{Target, TargetDesc};

use crate::error::{Error, Result, ensure};
use crate::object::objects;
use crate::watching::Watching;
pub(crate) use dma_buf::offered as dma_bufs_offered;
pub(crate) use file::{File, SharedWords};
pub(crate) use heap::{Block, Heap};
pub(crate) use pages::Pages;

/// What a resource needs of the memory it is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryRequirements {
    /// Bytes.
    pub size: u64,
    /// Alignment of the offset in bytes.
    pub alignment: u64,
    /// It is bound in pieces, of memory that can be shared.
    pub sparse: bool,
}

struct Inner {
    ptr: *mut u8,
    size: u64,
    /// None for memory that belongs to the host, and for addresses.
    block: Option<Block>,
    /// Addresses of a sparse resource.
    addresses: Option<Pages>,
    /// Pieces of it show in other addresses, or have shown there.
    shown: AtomicBool,
    /// Who is told what is written, if nobody else can write it.
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
            watch.0.told(&Event::Gone(self.range()));
        }
    }
}

// SAFETY: the memory lives as long as the struct and is only reached through raw pointers.
unsafe impl Send for Inner {}
// SAFETY: the memory lives as long as the struct; accesses through the pointer are the callers' to order.
unsafe impl Sync for Inner {}

/// An allocation of device memory. Clones share it; it is freed with the last one, or by [`Memory::free`].
///
/// All memory is host-visible and coherent. The host may read and write it at any time; doing so
/// while a submission uses the same bytes gives unspecified bytes and nothing worse.
#[derive(Clone)]
pub struct Memory(Arc<Inner>);

objects! { Memory: "memory" = |m| m.0.block.as_ref().map(Block::device); }

impl std::fmt::Debug for Memory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Memory({} bytes)", self.0.size)
    }
}

impl Memory {
    /// Allocates `size` zero bytes. Fails with `OutOfMemory` when the heap or the host is full.
    pub(crate) fn allocate(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        let block = if guarded::on() { heap.take_guarded(size)? } else { heap.take(size)? };
        Memory::of_block(block, size)
    }

    /// The same, and whoever watches is told that nobody has written it, and who does.
    pub(crate) fn watched(mut self, watch: Option<&Watching>) -> Memory {
        if let (Some(watch), Some(inner)) = (watch, Arc::get_mut(&mut self.0)) {
            watch.0.told(&Event::Fresh(inner.range()));
            inner.watch = Some(watch.clone());
        }
        self
    }

    /// The zeros that fresh memory holds are meant: to those who watch the device, reads of what nobody wrote are no
    /// mistake here.
    pub fn keep_zeros(&self) {
        self.written(0, self.0.size);
    }

    /// Tells whoever watches that bytes have been written.
    pub(crate) fn written(&self, offset: u64, size: u64) {
        if let Some(watch) = &self.0.watch {
            watch.written(self.0.ptr as u64 + offset, size);
        }
    }

    /// The same in a file, which other devices and processes can map too.
    pub(crate) fn allocate_file(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::new(size)?, size, true)?, size)
    }

    /// Memory that another device allocated in a file, by a descriptor of it.
    pub(crate) fn import(heap: &Arc<Heap>, fd: BorrowedFd<'_>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "import of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::import(fd, size)?, size, false)?, size)
    }

    /// The same as [`allocate_file`](Self::allocate_file) as a dma-buf.
    pub(crate) fn allocate_dma_buf(heap: &Arc<Heap>, size: u64) -> Result<Memory> {
        ensure(size > 0, || "memory allocation of 0 bytes".into())?;
        Memory::of_block(heap.take_file(File::new_dma_buf(size)?, size, true)?, size)
    }

    /// The bytes of a dma-buf.
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

    /// Addresses of `size` bytes for a sparse resource, which no heap counts: zeros, until pieces of memory are
    /// put there.
    pub(crate) fn reserve(size: u64) -> Result<Memory> {
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

    /// Puts `len` bytes of a memory at byte `at` of these addresses, or nothing. Offsets are multiples of the
    /// host's pages.
    pub(crate) fn put_piece(&self, at: u64, len: u64, piece: Option<(&Memory, u64)>) -> Result<()> {
        let own = self.0.addresses.as_ref();
        let own = own.ok_or_else(|| Error::Internal("a piece of what is not sparse".into()))?;
        self.check(at, len)?;
        let Some((memory, offset)) = piece else { return own.hide(at as usize, len as usize) };
        memory.check(offset, len)?;
        let file = memory.file().ok_or_else(|| Error::invalid("sparse resources take memory of files"))?;
        own.show(at as usize, len as usize, file.fd(), offset)
    }

    /// Whether pieces of it show in other addresses, or have shown there.
    pub(crate) fn is_shown(&self) -> bool {
        self.0.shown.load(Ordering::Acquire)
    }

    /// Pieces of it are about to show in other addresses.
    pub(crate) fn set_shown(&self) {
        self.0.shown.store(true, Ordering::Release);
    }

    /// The file that it is in.
    pub(crate) fn file(&self) -> Option<&File> {
        self.0.block.as_ref().and_then(Block::file)
    }

    /// A descriptor by which another device, of this or of another process, imports the memory. `Invalid` unless
    /// it was allocated to be shared, or imported.
    pub fn share(&self) -> Result<OwnedFd> {
        let file = self.file().ok_or_else(|| Error::invalid("memory that is not to be shared"))?;
        file.share()
    }

    /// Whether a descriptor is one of a dma-buf.
    pub fn is_dma_buf_fd(fd: BorrowedFd<'_>) -> bool {
        dma_buf::is(fd)
    }

    /// Whether it is a dma-buf, allocated or imported as one.
    pub fn is_dma_buf(&self) -> bool {
        self.file().is_some_and(|file| file.dma_buf().is_some())
    }

    /// Wraps memory of the host (VK_EXT_external_memory_host). What is bound to it ends [`abi::PAD_BYTES`] before
    /// its end: see [`Device::create_buffer_in_host_memory`](crate::Device::create_buffer_in_host_memory).
    ///
    /// # Safety
    /// `ptr` must be valid for reads and writes of `size` bytes until the last clone is gone.
    pub unsafe fn from_raw(ptr: *mut u8, size: u64) -> Memory {
        let shown = AtomicBool::new(false);
        Memory(Arc::new(Inner { ptr, size, block: None, addresses: None, shown, watch: None }))
    }

    /// Clones are the same memory.
    pub(crate) fn is_same(&self, other: &Memory) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// Bytes that resources which are bound to it may take.
    pub(crate) fn room(&self) -> u64 {
        match &self.0.block {
            Some(_) => self.0.size,
            None if self.0.addresses.is_some() => self.0.size,
            // Nothing is readable behind it.
            None => self.0.size.saturating_sub(abi::PAD_BYTES as u64),
        }
    }

    /// Gives the bytes back at once, although clones live: buffers, images and recorded commands hold some.
    ///
    /// The memory is of no use any more: nothing can be bound to it, and what is bound to it can be used in no
    /// new view, descriptor or command. Where something reaches it nevertheless (a submission that runs, a
    /// command recorded before), it reads zeros, or what was written there after the end; never
    /// bytes of another allocation, since the addresses stay taken until the last clone is gone.
    pub fn free(&self) {
        if let Some(block) = &self.0.block {
            self.keep_zeros();
            block.free();
        }
    }

    /// `Invalid` if it has been freed.
    #[inline]
    pub(crate) fn check_alive(&self, what: &str) -> Result<()> {
        let freed = self.0.block.as_ref().is_some_and(Block::is_freed);
        ensure(!freed, || format!("{what}: the memory has been freed"))
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// Address of the first byte; what a driver's map returns. Valid as long as a clone lives.
    pub fn as_ptr(&self) -> *mut u8 {
        // Whoever has it may write at any time.
        self.written(0, self.0.size);
        self.0.ptr
    }

    /// The same as a number, for those who write nothing there without telling.
    pub(crate) fn address(&self) -> u64 {
        self.0.ptr as u64
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
        self.written(offset, bytes.len() as u64);
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
        // SAFETY: the range was checked, and `out` is a host slice, which never overlaps device memory.
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
        let mut out = reserve::zeroed(count)?;
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
        // SAFETY: the range was checked; whoever holds it holds the resource that holds the memory.
        Ok(unsafe { BufferRange::new(self.0.ptr.add(offset as usize), size) })
    }

    /// The range as a buffer of transform feedback. Users keep this memory alive.
    pub(crate) fn feedback_range(&self, offset: u64, size: u64) -> Result<FeedbackRange> {
        self.check(offset, size)?;
        // SAFETY: the range was checked; whoever holds it holds the resource that holds the memory.
        Ok(unsafe { FeedbackRange::new(self.0.ptr.add(offset as usize), size) })
    }

    /// An attachment within the range. Users keep this memory alive.
    pub(crate) fn target(&self, desc: TargetDesc, offset: u64, size: u64) -> Result<Target> {
        self.check(offset, size)?;
        // SAFETY: the range was checked; whoever holds the target holds the resource that holds the memory,
        // and the queue runs one pass at a time.
        unsafe { Target::new(desc, self.0.ptr.add(offset as usize), size) }
    }
}

/// Zero words in a heap that no shader reaches.
pub(crate) struct Words {
    /// None for no words.
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
            // SAFETY: so many zero words, aligned, which nobody reaches but through this slice.
            Some(block) => unsafe { std::slice::from_raw_parts(block.as_ptr().cast(), self.len) },
            None => &[],
        }
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
// SAFETY: the records are plain bytes reached through raw pointers only; `DescriptorSet` orders the accesses.
unsafe impl Sync for SetMemory {}

impl SetMemory {
    /// A copy of `template`. Where memory is out, the error goes to the next guard.
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
        let mut copy = reserve::carry(reserve::with_room(len));
        copy.extend_from_slice(template);
        let boxed = copy.into_boxed_slice();
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

/// A buffer that reads as zero and drops writes.
pub(crate) fn null_buffer() -> abi::Descriptor {
    *abi::null_buffer()
}

/// A buffer of a descriptor that nobody has written: reads as zero and drops writes.
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
        // Neither a second time nor the end of the clones gives anything back.
        let other = Memory::allocate(&heap, size).unwrap();
        m.free();
        drop((m, clone));
        assert_eq!(heap.used(), size);
        drop(other);
        assert_eq!(heap.used(), 0);
    }
}
