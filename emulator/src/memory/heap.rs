//! The heap of a device: the memory limit, the memory in use, and the places of allocations.
//!
//! A host allows a process some 65,530 mappings, fewer than the allocations that a device allows. So only large
//! allocations have a mapping each; the others are ranges of shared chunks. Free ranges contain zeros.
//!
//! ```text
//!   below 2 MiB                         chunks of up to 32 MiB
//!   2 MiB to 1/16,384 of the heap size  chunks of large pages (empty range for small heaps)
//!   larger                              one mapping of large pages for each allocation
//! ```
//!
//! In tests with guard pages each allocation has its own mapping, see [`Guarded`]. `pages` maps and unmaps.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_jit::abi;
use quadrille_jit::guarded::Guarded;
use quadrille_jit::process::Process;
use quadrille_jit::reserve;
use quadrille_raster::image::LEVEL_ALIGN;

use super::dma_buf;
use super::file::File;
use super::pages::{HUGE_PAGE, Pages, clear};
use crate::error::{Error, Result};

/// Greatest number of mappings for large allocations of one heap.
const OWN_MAPPINGS: u64 = 1 << 14;
/// Sizes of the first and of the largest chunk of small allocations; each chunk is twice as large as the one before.
const CHUNKS: [usize; 2] = [1 << 20, 32 << 20];
/// Alignment of allocations that are smaller than a page; others are aligned to a page.
pub(crate) const LEAST_ALIGNMENT: usize = 64;
const PAGE: usize = 4096;
/// Number of free ranges to try that have enough bytes, but may not have enough after alignment.
const TRIES: usize = 8;

/// Memory of a device: its limit, the bytes in use, and their mappings.
#[derive(Debug)]
pub(crate) struct Heap {
    /// Number that identifies the device.
    device: u64,
    size: u64,
    used: AtomicU64,
    process: Process,
    /// Allocations of at least this size have a mapping each.
    own_from: usize,
    small: Mutex<Chunks>,
    middle: Mutex<Chunks>,
    /// Empty mappings that the host refused to unmap.
    stuck: Mutex<Vec<Pages>>,
    /// Mapped dma-bufs, which other drivers may use.
    dma_bufs: dma_buf::Known,
}

fn lock<T>(m: &Mutex<T>) -> MutexGuard<'_, T> {
    m.lock().unwrap_or_else(|e| e.into_inner())
}

impl Heap {
    pub fn new(device: u64, size: u64) -> Self {
        Heap::with(device, size, OWN_MAPPINGS)
    }

    fn with(device: u64, size: u64, mappings: u64) -> Self {
        let own_from = (size / mappings).next_power_of_two().max(HUGE_PAGE as u64) as usize;
        Heap {
            device,
            size,
            used: AtomicU64::new(0),
            process: Process::current(),
            own_from,
            small: Mutex::new(Chunks::new(CHUNKS, false)),
            middle: Mutex::new(Chunks::new([own_from.saturating_mul(4); 2], true)),
            stuck: Mutex::default(),
            dma_bufs: dma_buf::Known::default(),
        }
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Dma-bufs that the device has mapped.
    pub fn dma_bufs(&self) -> &dma_buf::Known {
        &self.dma_bufs
    }

    pub fn used(&self) -> u64 {
        self.used.load(Ordering::Relaxed)
    }

    pub(super) fn charge(&self, bytes: u64) -> Result<()> {
        reserve::granted()?;
        self.used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
                used.checked_add(bytes).filter(|sum| *sum <= self.size)
            })
            .map(|_| ())
            .map_err(|used| {
                Error::OutOfMemory(format!("{bytes} bytes wanted, {used} of {} in use", self.size))
            })
    }

    pub(super) fn release(&self, bytes: u64) {
        self.used.fetch_sub(bytes, Ordering::Relaxed);
    }

    /// Takes `size` zero bytes, at least 1, followed by [`abi::PAD_BYTES`] readable bytes.
    pub fn take(self: &Arc<Self>, size: u64) -> Result<Block> {
        self.charge(size)?;
        let len = usize::try_from(size).ok().and_then(|len| len.checked_next_multiple_of(LEAST_ALIGNMENT));
        let len = len.filter(|len| *len < isize::MAX as usize - abi::PAD_BYTES - HUGE_PAGE);
        let taken = len
            .ok_or_else(|| Error::OutOfMemory(format!("{size} bytes do not fit the address space")))
            .and_then(|len| {
                self.place(len).or_else(|_| {
                    // Empty mappings kept for reuse may be what exhausts the host; free them and try again.
                    self.trim();
                    self.place(len)
                })
            });
        match taken {
            Ok((ptr, home)) => Ok(Block::new(self, ptr, size, home)),
            Err(e) => {
                self.release(size);
                Err(e)
            }
        }
    }

    /// Maps the first `size` bytes of a file. They count as used only if `charged`.
    pub fn take_file(self: &Arc<Self>, file: File, size: u64, charged: bool) -> Result<Block> {
        let counted = if charged { size } else { 0 };
        self.charge(counted)?;
        match file.map(usize::try_from(size).unwrap_or(usize::MAX)) {
            Ok(pages) => {
                if let Some(fd) = file.dma_buf() {
                    self.dma_bufs.enter(fd);
                }
                let mut block = Block::new(self, pages.as_ptr(), size, Home::File(pages, file));
                block.charged = counted;
                Ok(block)
            }
            Err(e) => {
                self.release(counted);
                Err(e)
            }
        }
    }

    /// Takes `size` zero bytes between guard pages, with the greatest alignment that images need.
    pub fn take_guarded(self: &Arc<Self>, size: u64) -> Result<Block> {
        self.charge(size)?;
        let bytes = usize::try_from(size).unwrap_or(usize::MAX);
        match Guarded::new(bytes, abi::PAD_BYTES, LEVEL_ALIGN as usize) {
            Ok(map) => Ok(Block::new(self, map.as_ptr(), size, Home::Guarded(map))),
            Err(e) => {
                self.release(size);
                Err(Error::OutOfMemory(format!("{size} bytes: {e}")))
            }
        }
    }

    fn place(&self, len: usize) -> Result<(*mut u8, Home)> {
        if len >= self.own_from {
            let pages = huge_pages(len)?;
            return Ok((first_huge(&pages), Home::Own(pages)));
        }
        let (chunks, align) = match len {
            _ if len >= HUGE_PAGE => (&self.middle, HUGE_PAGE),
            _ if len >= PAGE => (&self.small, PAGE),
            _ => (&self.small, LEAST_ALIGNMENT),
        };
        let (ptr, chunk, at) = lock(chunks).take(len, align)?;
        Ok((ptr, Home::Shared { chunk, at, len }))
    }

    /// Unmaps the empty mappings that are kept for reuse.
    fn trim(&self) {
        let keep: Vec<Pages> = std::mem::take(&mut *lock(&self.stuck));
        let still: Vec<Pages> = keep.into_iter().filter_map(|p| p.unmap().err()).collect();
        lock(&self.stuck).extend(still);
        for chunks in [&self.small, &self.middle] {
            lock(chunks).trim();
        }
    }

    fn unmap(&self, pages: Pages) {
        let stays = match pages.unmap() {
            Ok(()) => lock(&self.stuck).pop().and_then(|earlier| earlier.unmap().err()),
            Err(pages) => {
                // Without its pages the mapping occupies only addresses. Each later successful unmap tries again.
                pages.clear();
                Some(pages)
            }
        };
        lock(&self.stuck).extend(stays);
    }
}

/// Returns a mapping with room for `len` bytes that begin at a large page.
fn huge_pages(len: usize) -> Result<Pages> {
    let total = len.checked_add(abi::PAD_BYTES + HUGE_PAGE);
    let total =
        total.ok_or_else(|| Error::OutOfMemory(format!("{len} bytes do not fit the address space")))?;
    let pages = Pages::map(total)?;
    pages.prefer_huge();
    Ok(pages)
}

fn first_huge(pages: &Pages) -> *mut u8 {
    let skip = pages.as_ptr().align_offset(HUGE_PAGE);
    pages.as_ptr().wrapping_add(if skip < HUGE_PAGE { skip } else { 0 })
}

#[derive(Debug)]
enum Home {
    Own(Pages),
    Guarded(Guarded),
    File(Pages, File),
    Shared { chunk: u32, at: usize, len: usize },
}

/// An allocation of a heap; dropping it returns the bytes to the heap.
#[derive(Debug)]
pub(crate) struct Block {
    heap: Arc<Heap>,
    ptr: *mut u8,
    size: u64,
    /// Number of bytes that the heap counts as used for it.
    charged: u64,
    home: Home,
    /// `true` once the heap no longer counts the bytes as used.
    freed: AtomicBool,
}

// SAFETY: the block owns its bytes in mappings that any thread may access, and they are reached only through raw
// pointers, whose users order their accesses.
#[expect(unsafe_code, reason = "the pointer leads to memory that the value owns")]
unsafe impl Send for Block {}
// SAFETY: the block's methods form no references to its bytes, which are reached only through raw pointers, whose users
// order their accesses.
#[expect(unsafe_code, reason = "the pointer leads to memory that the value owns")]
unsafe impl Sync for Block {}

impl Block {
    fn new(heap: &Arc<Heap>, ptr: *mut u8, size: u64, home: Home) -> Block {
        Block { heap: heap.clone(), ptr, size, charged: size, home, freed: AtomicBool::new(false) }
    }

    /// First byte.
    pub fn as_ptr(&self) -> *mut u8 {
        self.ptr
    }

    /// Number that identifies the device.
    pub fn device(&self) -> u64 {
        self.heap.device
    }

    /// File that backs the block, if any.
    pub fn file(&self) -> Option<&File> {
        match &self.home {
            Home::File(_, file) => Some(file),
            _ => None,
        }
    }

    /// `true` after [`Block::free`].
    pub fn is_freed(&self) -> bool {
        self.freed.load(Ordering::Acquire)
    }

    /// Returns the bytes to the heap and the host. The addresses stay reserved and read zero.
    pub fn free(&self) {
        self.release();
        match &self.home {
            Home::Own(pages) => pages.clear(),
            Home::Guarded(map) => map.clear(),
            // Other processes may have the file mapped. If unmapping fails, the bytes stay visible.
            Home::File(pages, _) => drop(pages.hide(0, self.size as usize)),
            // SAFETY: the range belongs to this block until it is dropped, and no reference to the bytes exists. Users
            // of raw pointers to a freed block must expect zeros at any time.
            #[expect(unsafe_code, reason = "freed memory reads zero")]
            Home::Shared { .. } => unsafe { clear(self.ptr, self.size as usize) },
        }
    }

    /// Returns the bytes to the heap, once.
    fn release(&self) {
        if !self.freed.swap(true, Ordering::AcqRel) {
            self.heap.release(self.charged);
        }
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        let heap = &self.heap;
        // In a child of `fork` the locks may be held by threads of the parent, and no code allocates from this heap any
        // more.
        if !heap.process.is_current() {
            return;
        }
        match std::mem::replace(&mut self.home, Home::Shared { chunk: 0, at: 0, len: 0 }) {
            Home::Own(pages) | Home::File(pages, _) => heap.unmap(pages),
            Home::Guarded(map) => drop(map),
            Home::Shared { chunk, at, len } => {
                // SAFETY: the range belongs to this block, which is being dropped, so that no pointer to it is used any
                // more.
                #[expect(unsafe_code, reason = "free ranges are zero")]
                unsafe {
                    clear(self.ptr, len);
                }
                let chunks = if len >= HUGE_PAGE { &heap.middle } else { &heap.small };
                let gone = lock(chunks).give(chunk, at, len);
                if let Some(pages) = gone {
                    heap.unmap(pages);
                }
            }
        }
        self.release();
    }
}

#[derive(Debug)]
struct Chunk {
    pages: Pages,
    /// First usable byte.
    first: *mut u8,
    /// Number of usable bytes.
    len: usize,
}

// SAFETY: `first` points into `pages`, which the chunk owns and any thread may access; the bytes are reached only
// through raw pointers of the blocks in it.
#[expect(unsafe_code, reason = "the pointer leads to memory that the value owns")]
unsafe impl Send for Chunk {}

/// Mappings shared by allocations, and their free ranges. The smallest range that fits is taken.
#[derive(Debug)]
struct Chunks {
    chunks: Vec<Option<Chunk>>,
    /// Indices of chunks that were unmapped.
    holes: Vec<u32>,
    /// Number of chunks without allocations.
    empty: usize,
    /// Size of the next chunk, and greatest size of a chunk, in bytes.
    sizes: [usize; 2],
    huge: bool,
    /// Length of each free range, by chunk and offset; adjacent ranges are merged.
    by_place: BTreeMap<(u32, usize), usize>,
    /// The same ranges, ordered by length.
    by_len: BTreeSet<(usize, u32, usize)>,
}

impl Chunks {
    fn new(sizes: [usize; 2], huge: bool) -> Self {
        Chunks {
            chunks: Vec::new(),
            holes: Vec::new(),
            empty: 0,
            sizes,
            huge,
            by_place: BTreeMap::new(),
            by_len: BTreeSet::new(),
        }
    }

    fn insert(&mut self, chunk: u32, at: usize, len: usize) {
        if len > 0 {
            self.by_place.insert((chunk, at), len);
            self.by_len.insert((len, chunk, at));
        }
    }

    fn remove(&mut self, chunk: u32, at: usize, len: usize) {
        self.by_place.remove(&(chunk, at));
        self.by_len.remove(&(len, chunk, at));
    }

    /// Finds a free range with room for `len` aligned bytes: its length, chunk and offset.
    fn find(&self, len: usize, align: usize) -> Option<(usize, u32, usize)> {
        let fits = |&(free, _, at): &(usize, u32, usize)| at.next_multiple_of(align) + len <= at + free;
        let tight = self.by_len.range((len, 0, 0)..).take(TRIES).copied().find(fits);
        tight.or_else(|| self.by_len.range((len + align - LEAST_ALIGNMENT, 0, 0)..).next().copied())
    }

    /// Takes `len` bytes. Returns their address, their chunk and their offset in it.
    fn take(&mut self, len: usize, align: usize) -> Result<(*mut u8, u32, usize)> {
        let found = match self.find(len, align) {
            Some(found) => found,
            None => self.grow(len)?,
        };
        let (free, chunk, from) = found;
        let owner = self.chunks.get(chunk as usize).and_then(Option::as_ref);
        let owner = owner.ok_or_else(|| Error::Internal("a chunk of the heap is gone".into()))?;
        let (first, whole) = (owner.first, owner.len == free);
        self.remove(chunk, from, free);
        self.empty -= usize::from(whole);
        let at = from.next_multiple_of(align);
        self.insert(chunk, from, at - from);
        self.insert(chunk, at + len, from + free - at - len);
        Ok((first.wrapping_add(at), chunk, at))
    }

    /// Maps a new chunk with room for `len` bytes. Returns its free range.
    fn grow(&mut self, len: usize) -> Result<(usize, u32, usize)> {
        let map = |size: usize| if self.huge { huge_pages(size) } else { Pages::map(size + abi::PAD_BYTES) };
        let wanted = self.sizes[0].max(len.saturating_mul(4)) - abi::PAD_BYTES;
        // If address space is short, a chunk for this allocation alone may still fit.
        let (pages, size) = match map(wanted) {
            Ok(pages) => (pages, wanted),
            Err(_) => (map(len)?, len),
        };
        self.sizes[0] = (2 * self.sizes[0]).min(self.sizes[1]);
        let first = if self.huge { first_huge(&pages) } else { pages.as_ptr() };
        let made = Some(Chunk { pages, first, len: size });
        let chunk = match self.holes.pop() {
            Some(hole) => {
                self.chunks[hole as usize] = made;
                hole
            }
            None => {
                self.chunks.push(made);
                self.chunks.len() as u32 - 1
            }
        };
        self.empty += 1;
        self.insert(chunk, 0, size);
        Ok((size, chunk, 0))
    }

    /// Releases a range. One empty chunk is kept; a second one is returned to be unmapped.
    fn give(&mut self, chunk: u32, mut at: usize, mut len: usize) -> Option<Pages> {
        if let Some((&(c, before), &n)) = self.by_place.range(..(chunk, at)).next_back()
            && c == chunk
            && before + n == at
        {
            self.remove(chunk, before, n);
            (at, len) = (before, len + n);
        }
        if let Some(&n) = self.by_place.get(&(chunk, at + len)) {
            self.remove(chunk, at + len, n);
            len += n;
        }
        self.insert(chunk, at, len);
        if self.chunks[chunk as usize].as_ref().is_none_or(|c| c.len > len) {
            return None;
        }
        self.empty += 1;
        if self.empty > 1 { self.forget(chunk) } else { None }
    }

    /// Removes an empty chunk.
    fn forget(&mut self, chunk: u32) -> Option<Pages> {
        let gone = self.chunks[chunk as usize].take()?;
        self.remove(chunk, 0, gone.len);
        self.holes.push(chunk);
        self.empty -= 1;
        Some(gone.pages)
    }

    /// Unmaps empty chunks.
    fn trim(&mut self) {
        let chunks = 0..self.chunks.len() as u32;
        let empty = |c: &u32| {
            let len = self.chunks[*c as usize].as_ref().map(|c| c.len);
            len.is_some() && self.by_place.get(&(*c, 0)).copied() == len
        };
        let list: Vec<u32> = chunks.filter(empty).collect();
        list.into_iter().for_each(|c| drop(self.forget(c)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A xorshift generator.
    fn random(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        *state
    }

    /// All bytes of a block.
    fn bytes(block: &mut Block) -> &mut [u8] {
        // SAFETY: only the test has the block, which is borrowed mutably here, and its bytes are initialized.
        #[expect(unsafe_code, reason = "reads the bytes of a block")]
        unsafe {
            std::slice::from_raw_parts_mut(block.as_ptr(), block.size as usize)
        }
    }

    /// Takes and releases blocks at random; checks that they are zero, aligned and disjoint, and that no byte is lost.
    fn churn(heap: &Arc<Heap>, sizes: &[u64], steps: u32) {
        let mut seed = 0x9e37_79b9_7f4a_7c15;
        let mut live: Vec<(Block, u8)> = Vec::new();
        for step in 0..steps {
            let r = random(&mut seed);
            if r % 5 < 3 && live.len() < 200 {
                let most = sizes[(r >> 8) as usize % sizes.len()];
                let mut block = heap.take(1 + (r >> 16) % most).unwrap();
                let align = match block.size {
                    s if s >= HUGE_PAGE as u64 => HUGE_PAGE,
                    s if s >= PAGE as u64 => PAGE,
                    _ => LEAST_ALIGNMENT,
                };
                assert_eq!(block.as_ptr() as usize % align, 0);
                assert!(bytes(&mut block).iter().all(|b| *b == 0), "fresh memory is zero");
                let mark = step as u8 | 1;
                bytes(&mut block).fill(mark);
                live.push((block, mark));
            } else if !live.is_empty() {
                let (mut block, mark) = live.swap_remove((r >> 8) as usize % live.len());
                assert!(bytes(&mut block).iter().all(|b| *b == mark), "nobody else writes");
            }
        }
        drop(live);
        assert_eq!(heap.used(), 0);
        for chunks in [&heap.small, &heap.middle] {
            let c = lock(chunks);
            assert!(c.empty <= 1, "empty chunks are unmapped");
            assert_eq!((c.by_place.len(), c.by_len.len()), (c.empty, c.empty));
        }
    }

    #[test]
    fn small_blocks_share_chunks() {
        churn(&Arc::new(Heap::new(0, 1 << 30)), &[100, 5000, 70_000, 300_000], 4000);
    }

    #[test]
    fn blocks_between_share_large_pages() {
        // 1 GiB and 64 mappings: allocations below 16 MiB lie in chunks.
        let heap = Arc::new(Heap::with(0, 1 << 30, 64));
        assert_eq!(heap.own_from, 16 << 20);
        churn(&heap, &[100, 3 << 20, 5 << 20], 60);
        let own = heap.take(16 << 20).unwrap();
        assert!(matches!(own.home, Home::Own(_)));
    }

    #[test]
    fn many_allocations_take_few_mappings() {
        let heap = Arc::new(Heap::new(0, 4 << 30));
        let blocks: Vec<Block> = (0..200_000).map(|_| heap.take(256).unwrap()).collect();
        let maps = lock(&heap.small).chunks.len();
        assert!(maps < 16, "{maps} mappings");
        drop(blocks);
        assert_eq!((heap.used(), lock(&heap.small).empty), (0, 1));
    }

    #[test]
    fn a_heap_of_any_size_takes_few_mappings() {
        for shift in 20..60 {
            let heap = Heap::new(0, 1 << shift);
            assert!(heap.size() / heap.own_from as u64 <= OWN_MAPPINGS);
        }
    }
}
