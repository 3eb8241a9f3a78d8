//! Ranges of device memory that the pipeline itself reads: vertex and index buffers.
//!
//! Reads are robust: outside the range they return zeros. No slice is formed over the memory. Conversion of the
//! elements is left to `front`.

/// A range of a buffer.
#[derive(Clone, Copy, Debug)]
pub struct BufferRange {
    ptr: *const u8,
    size: u64,
}

// SAFETY: the caller of `new` promised that any thread may read the bytes, and `EMPTY` has none.
#[expect(unsafe_code, reason = "raw pointer to device memory")]
unsafe impl Send for BufferRange {}
// SAFETY: the caller of `new` promised that any thread may read the bytes, which this type never writes.
#[expect(unsafe_code, reason = "raw pointer to device memory")]
unsafe impl Sync for BufferRange {}

impl BufferRange {
    /// An empty range, from which all reads return zeros.
    pub const EMPTY: BufferRange = BufferRange { ptr: std::ptr::null(), size: 0 };

    /// `size` bytes at `ptr`.
    ///
    /// # Safety
    /// The bytes stay readable, from any thread, until the pass that uses the range has ended.
    #[expect(unsafe_code, reason = "the caller vouches for device memory")]
    pub unsafe fn new(ptr: *const u8, size: u64) -> Self {
        BufferRange { ptr, size }
    }

    /// Size in bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Address of the first byte.
    pub fn address(&self) -> u64 {
        self.ptr as u64
    }

    /// Address of the byte at `offset`.
    pub(crate) fn at(&self, offset: u64) -> *const u8 {
        self.ptr.wrapping_add(offset as usize)
    }

    /// Number of elements of `bytes` bytes, `stride` apart from `offset` on, that lie wholly inside the range and end
    /// less than 2^32 bytes after `offset`; at most `u32::MAX`.
    pub(crate) fn whole_elements(&self, offset: u64, stride: u64, bytes: u32) -> u32 {
        let Some(room) = self.size.checked_sub(offset) else { return 0 };
        let room = room.min(u64::from(u32::MAX));
        let Some(after_first) = room.checked_sub(u64::from(bytes)) else { return 0 };
        let n = after_first.checked_div(stride).map_or(u64::from(u32::MAX), |n| n + 1);
        n.min(u64::from(u32::MAX)) as u32
    }

    /// Reads `N` bytes at `offset`; `None` if they are not all inside the range.
    #[inline]
    pub fn read<const N: usize>(&self, offset: u64) -> Option<[u8; N]> {
        if offset.checked_add(N as u64)? > self.size {
            return None;
        }
        // SAFETY: the check above keeps `offset + N` inside the range, which the caller of `new` promised to be
        // readable. The read is unaligned and copies through a raw pointer, so it needs no alignment and creates no
        // reference to shared memory.
        #[expect(unsafe_code, reason = "reads device memory")]
        Some(unsafe { self.ptr.add(offset as usize).cast::<[u8; N]>().read_unaligned() })
    }
}

/// Width of indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum IndexType {
    /// 8 bits.
    U8,
    /// 16 bits.
    U16,
    /// 32 bits.
    U32,
}

impl IndexType {
    /// Size of an index in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            IndexType::U8 => 1,
            IndexType::U16 => 2,
            IndexType::U32 => 4,
        }
    }

    /// The index value that restarts primitives.
    pub fn restart(self) -> u32 {
        match self {
            IndexType::U8 => 0xff,
            IndexType::U16 => 0xffff,
            IndexType::U32 => u32::MAX,
        }
    }
}

/// A bound index buffer.
#[derive(Clone, Copy, Debug)]
pub struct IndexBuffer {
    /// Memory of the indices.
    pub range: BufferRange,
    /// Width of the indices.
    pub ty: IndexType,
    /// The index value that restarts primitives, if primitive restart is enabled.
    pub restart: u32,
}

impl IndexBuffer {
    /// Reads index number `i`; zero outside the buffer.
    #[inline]
    pub fn get(&self, i: u64) -> u32 {
        match self.ty {
            IndexType::U8 => self.range.read::<1>(i).map_or(0, |b| u32::from(b[0])),
            IndexType::U16 => {
                self.range.read(i.saturating_mul(2)).map_or(0, |b| u32::from(u16::from_le_bytes(b)))
            }
            IndexType::U32 => self.range.read(i.saturating_mul(4)).map_or(0, u32::from_le_bytes),
        }
    }
}
