//! Buffers: ranges of device memory with a usage.

use std::any::Any;
use std::mem::replace;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use bytemuck::Pod;
use quadrille_check::events::Limit;
use quadrille_jit::abi;
use quadrille_jit::handle::{Handle, HandleKind, HandleRecord};
use quadrille_jit::missing::Pages;
use quadrille_raster::format::Format;
use quadrille_raster::image::Span;

use super::kept::Kept;
use super::residency::SPARSE_PAGE;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::BufferUsage;
use crate::limits::{LIMITS, at_most};
use crate::memory::{Memory, MemoryRequirements, null_buffer};
use crate::object::{Owner, objects, same_device, shared};
use crate::tables::address::{Addresses, Reserved};
use crate::tables::handles::{Handles, Registered};

/// Creation parameters of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferDesc {
    /// Size, in bytes.
    pub size: u64,
    /// Allowed usages.
    pub usage: BufferUsage,
}

/// Usages that give a buffer a device address. Acceleration structures and micromaps have addresses, whether or not
/// shaders may use those of the buffer.
const ADDRESSED: BufferUsage = BufferUsage(
    BufferUsage::SHADER_DEVICE_ADDRESS.0
        | BufferUsage::ACCELERATION_STRUCTURE_STORAGE.0
        | BufferUsage::MICROMAP_STORAGE.0,
);

/// A view that is created from a buffer once and kept by it; its type is known only to the module that added it.
pub(super) type Companion = Arc<dyn Any + Send + Sync>;

/// Description of a view: format, first byte, and size in bytes, if it does not end with the buffer.
pub(super) type ViewKey = (Format, u64, Option<u64>);

struct Inner {
    /// Number that identifies the device.
    device: u64,
    desc: BufferDesc,
    /// Residency of a sparse buffer's pages; `None` for other buffers.
    sparse: Option<Arc<Pages>>,
    bound: OnceLock<(Memory, u64)>,
    addresses: Arc<Addresses>,
    /// Device address of a bound buffer with a usage of [`ADDRESSED`].
    address: OnceLock<u64>,
    /// Device address that was reserved for the buffer.
    captured: Option<u64>,
    /// The same before the buffer is bound.
    reserved: Mutex<Option<Reserved>>,
    device_handles: Arc<Handles>,
    /// Greatest number of bytes that a descriptor covers.
    most_described: u64,
    /// Handle of the buffer, registered when a descriptor first needs it. It lives as long as the buffer, because nothing
    /// reports when the last descriptor in an application's memory is gone.
    handle: OnceLock<Box<Registered>>,
    /// Views of [`BufferView::kept`](super::buffer_view::BufferView::kept). New submissions may not use the buffer after
    /// their end.
    views: Kept<ViewKey, Companion>,
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let (Some(&address), Some((memory, _))) = (self.address.get(), self.bound.get()) {
            self.addresses.release(address, memory);
        }
    }
}

/// A buffer. Clones are the same buffer.
///
/// Spec: Vulkan, "Buffers".
#[derive(Clone)]
pub struct Buffer(Arc<Inner>);

objects! { Buffer: "buffer" = |b| Some(b.0.device); }
shared!(Buffer);

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Buffer({} bytes, {:?})", self.size(), self.0.desc.usage)
    }
}

impl Device {
    /// Returns the buffer that a device address belongs to, and the byte offset in it.
    ///
    /// # Errors
    /// `Invalid` if the number is not the device address of a living buffer.
    pub fn buffer_at(&self, address: u64) -> Result<(Buffer, u64)> {
        Buffer::at(self, address)
    }
}

impl Buffer {
    pub(crate) fn new(device: &Device, desc: BufferDesc) -> Result<Buffer> {
        Buffer::with_address(device, desc, None)
    }

    /// Creates a buffer that gets the reserved address when it is bound.
    fn with_address(device: &Device, desc: BufferDesc, reserved: Option<Reserved>) -> Result<Buffer> {
        ensure(desc.size > 0, || "buffer of 0 bytes".into())?;
        at_most("buffer size", desc.size, LIMITS.max_buffer_size)?;
        Ok(Buffer(Arc::new(Inner {
            device: device.id(),
            desc,
            sparse: None,
            bound: OnceLock::new(),
            addresses: device.addresses().clone(),
            address: OnceLock::new(),
            captured: reserved.as_ref().map(Reserved::address),
            reserved: Mutex::new(reserved),
            device_handles: device.handles().clone(),
            most_described: match device.options().long_ranges {
                true => u64::MAX,
                false => LIMITS.max_storage_buffer_range.into(),
            },
            handle: OnceLock::new(),
            views: Kept::default(),
        })))
    }

    /// Creates a sparse buffer: it has host addresses at once, and memory is bound to it page by page.
    pub(crate) fn new_sparse(device: &Device, desc: BufferDesc) -> Result<Buffer> {
        Buffer::new(device, desc)?.sparse(device)
    }

    /// Creates a buffer, which may be sparse, with a reserved address: this one, or any.
    pub(crate) fn new_replayable(
        device: &Device,
        desc: BufferDesc,
        sparse: bool,
        address: Option<u64>,
    ) -> Result<Buffer> {
        let reserved = device.addresses().reserve(address)?;
        let buffer = Buffer::with_address(device, desc, Some(reserved))?;
        if sparse { buffer.sparse(device) } else { Ok(buffer) }
    }

    /// Gives a new buffer host addresses without memory.
    fn sparse(mut self, device: &Device) -> Result<Buffer> {
        let size = self.size();
        let memory = Memory::reserve(size.next_multiple_of(SPARSE_PAGE))?;
        let inner = Arc::get_mut(&mut self.0)
            .ok_or_else(|| Error::Internal("a new buffer with several owners".into()))?;
        inner.sparse = Some(Arc::new(Pages::new(device.missing(), memory.address(), size)));
        self.bind(&memory, 0)?;
        Ok(self)
    }

    /// Returns the residency of a sparse buffer's pages, `None` for other buffers.
    pub(crate) fn pages(&self) -> Option<&Arc<Pages>> {
        self.0.sparse.as_ref()
    }

    /// Returns the parts of a range that have memory, in order.
    pub(crate) fn parts(&self, range: Range<u64>) -> impl Iterator<Item = Range<u64>> {
        let pages = self.pages().filter(|p| p.is_any_missing()).cloned();
        let mut at = range.start;
        let next = move |from: u64| (from / SPARSE_PAGE + 1) * SPARSE_PAGE;
        std::iter::from_fn(move || {
            let Some(pages) = &pages else {
                return (at < range.end).then(|| replace(&mut at, range.end)..range.end);
            };
            while at < range.end && !pages.has(at / SPARSE_PAGE) {
                at = next(at);
            }
            let first = at;
            while at < range.end && pages.has(at / SPARSE_PAGE) {
                at = next(at);
            }
            at = at.min(range.end);
            (first < at).then_some(first..at)
        })
    }

    /// Sets the unbound pages of a range to zero.
    pub(crate) fn clear_missing(&self, offset: u64, size: u64) -> Result<()> {
        let Some(pages) = self.pages().filter(|p| p.is_any_missing() && size > 0) else { return Ok(()) };
        let end = offset.saturating_add(size).min(self.size());
        let (zeros, span) = (vec![0; SPARSE_PAGE as usize], self.span()?);
        for page in (offset / SPARSE_PAGE..end.div_ceil(SPARSE_PAGE)).filter(|page| !pages.has(*page)) {
            let at = page * SPARSE_PAGE;
            let len = (self.size() - at).min(SPARSE_PAGE) as usize;
            let mut held = vec![0; len];
            // The write is skipped where the bytes are zero already: the host may not have allocated untouched pages.
            let done = span.read(at, &mut held) && (held == zeros[..len] || span.write(at, &zeros[..len]));
            ensure(done, || "a sparse buffer exceeds its address range".into())?;
        }
        Ok(())
    }

    /// Size, in bytes.
    pub fn size(&self) -> u64 {
        self.0.desc.size
    }

    /// Allowed usages.
    pub fn usage(&self) -> BufferUsage {
        self.0.desc.usage
    }

    /// Returns the size and alignment that the buffer requires of its memory.
    pub fn requirements(&self) -> MemoryRequirements {
        let alignment = match self.0.sparse {
            Some(_) => SPARSE_PAGE,
            None => u64::from(LIMITS.min_storage_buffer_offset_alignment),
        };
        MemoryRequirements {
            size: self.size().next_multiple_of(alignment),
            alignment,
            sparse: self.0.sparse.is_some(),
        }
    }

    /// Binds the buffer to `memory` at byte `offset`.
    ///
    /// # Errors
    /// `Invalid` if the buffer is bound already or is sparse, and if the memory belongs to another device, has been
    /// freed or is too small. The offset must be a multiple of the alignment in [`Buffer::requirements`]. `Limit` if
    /// too many buffers have device addresses.
    pub fn bind(&self, memory: &Memory, offset: u64) -> Result<()> {
        same_device(memory, self)?;
        memory.check_alive("buffer")?;
        let fits = offset.checked_add(self.size()).is_some_and(|end| end <= memory.size());
        ensure(fits, || format!("{} bytes at {offset} do not fit memory of {}", self.size(), memory.size()))?;
        ensure(offset.is_multiple_of(self.requirements().alignment), || {
            format!("offset {offset} of a buffer in memory is not a multiple of its alignment")
        })?;
        self.0.bound.set((memory.clone(), offset)).map_err(|_| Error::invalid("buffer is bound already"))?;
        if self.usage().intersects(ADDRESSED) {
            let owner = Arc::downgrade(&self.0) as Owner;
            let reserved = self.0.reserved.lock().unwrap_or_else(PoisonError::into_inner).take();
            let first = memory.address() + offset;
            let address = self.0.addresses.register(first, self.size(), owner, reserved)?;
            self.0
                .address
                .set(address)
                .map_err(|_| Error::Internal("the buffer has an address already".into()))?;
        }
        Ok(())
    }

    /// Returns the address through which shaders access the buffer. It is valid as long as the buffer lives, differs
    /// from the address of every other buffer of the device, is never 0, and is not a host address. Through it, shaders
    /// can access only the bytes of this buffer. Command buffers do not keep it alive.
    ///
    /// # Errors
    /// `Invalid` without the usage `SHADER_DEVICE_ADDRESS`, before the buffer is bound, and after its memory was freed.
    pub fn device_address(&self) -> Result<u64> {
        self.need(BufferUsage::SHADER_DEVICE_ADDRESS, "device address")?;
        self.base_address()
    }

    /// Returns the device address that the buffer has, or is to have once it is bound, if it was created by
    /// [`Device::create_replayable_buffer`].
    pub fn capture_address(&self) -> Option<u64> {
        self.0.captured
    }

    /// Returns the device address of the buffer, if it has one: it is bound, and has a usage by address.
    pub fn assigned_address(&self) -> Option<u64> {
        self.0.address.get().copied()
    }

    /// Returns the device address of a bound buffer with a usage of [`ADDRESSED`].
    pub(crate) fn base_address(&self) -> Result<u64> {
        self.0.address.get().copied().ok_or_else(|| Error::invalid("buffer is not bound to memory"))
    }

    /// Returns the buffer that a device address belongs to, and the byte offset in it. `Invalid` if the number is not
    /// an address.
    pub(crate) fn at(device: &Device, address: u64) -> Result<(Buffer, u64)> {
        let found = device.addresses().owner(address);
        let inner = found.and_then(|(owner, offset)| Some((owner.downcast::<Inner>().ok()?, offset)));
        let (inner, offset) =
            inner.ok_or_else(|| Error::invalid(format!("{address:#x} is not a device address")))?;
        Ok((Buffer(inner), offset))
    }

    /// Returns the buffer that [`Shared::weak`](crate::object::Shared::weak) was called on, if it is alive.
    pub(crate) fn of_weak(weak: &Weak<dyn Any + Send + Sync>) -> Option<Buffer> {
        weak.upgrade()?.downcast::<Inner>().ok().map(Buffer)
    }

    /// Views that live until [`Buffer::destroy`] is called.
    pub(super) fn views(&self) -> &Kept<ViewKey, Companion> {
        &self.0.views
    }

    /// Marks the buffer as destroyed: commands that are submitted from now on may not use it. Drops the views that were
    /// created for descriptors that name no view.
    pub fn destroy(&self) {
        self.0.views.end();
    }

    /// `true` after [`Buffer::destroy`].
    pub(crate) fn is_destroyed(&self) -> bool {
        self.0.views.has_ended()
    }

    /// Returns the memory that the buffer is bound to, and the byte offset in it.
    ///
    /// # Errors
    /// `Invalid` if the buffer is not bound.
    #[inline]
    pub fn memory(&self) -> Result<(&Memory, u64)> {
        let (memory, offset) =
            self.0.bound.get().ok_or_else(|| Error::invalid("buffer is not bound to memory"))?;
        Ok((memory, *offset))
    }

    /// Host address of the first byte.
    pub(crate) fn address(&self) -> Result<u64> {
        let (memory, offset) = self.memory()?;
        Ok(memory.address() + offset)
    }

    /// Copies `data` into the buffer at byte `offset`; bytes for unbound pages of a sparse buffer are dropped.
    ///
    /// The host may write at any time, also while a queue runs commands that use the buffer. Bytes that both access
    /// then have unspecified values; nothing else can happen.
    ///
    /// # Errors
    /// `Invalid` if the range is not inside of the buffer, or if the buffer is not bound. Nothing is written then.
    pub fn write<T: Pod>(&self, offset: u64, data: &[T]) -> Result<()> {
        self.check(offset, size_of_val(data) as u64)?;
        let (memory, base) = self.memory()?;
        if !self.pages().is_some_and(|p| p.is_any_missing()) {
            return memory.write(base + offset, data);
        }
        let bytes: &[u8] = bytemuck::cast_slice(data);
        self.parts(offset..offset + bytes.len() as u64).try_for_each(|part| {
            let [first, end] = [part.start, part.end].map(|at| (at - offset) as usize);
            memory.write(base + part.start, &bytes[first..end])
        })
    }

    /// Declares the zeros of a new buffer intended: see [`Memory::keep_zeros`].
    pub fn keep_zeros(&self) {
        self.written(0, self.size());
    }

    /// Says that shaders may only read, or only write, the buffer: checks report other accesses. It changes no result.
    /// Spec: OpenCL API, cl_mem_flags.
    pub fn limit_access(&self, limit: Limit) {
        if let Ok((memory, base)) = self.memory() {
            memory.limited(base, self.size(), limit);
        }
    }

    /// Tells the device's watcher that bytes have been written.
    pub(crate) fn written(&self, offset: u64, size: u64) {
        if let Ok((memory, base)) = self.memory() {
            memory.written(base + offset, size.min(self.size().saturating_sub(offset)));
        }
    }

    /// Reads `count` values at byte `offset`. The host may read at any time: see [`Buffer::write`].
    ///
    /// # Errors
    /// `Invalid` if the range is not inside of the buffer, or if the buffer is not bound. `OutOfMemory` if the host
    /// lacks memory for the values.
    pub fn read<T: Pod>(&self, offset: u64, count: usize) -> Result<Vec<T>> {
        self.check(offset, (count as u64).saturating_mul(size_of::<T>() as u64))?;
        let (memory, base) = self.memory()?;
        memory.read(base + offset, count)
    }

    /// Reads values at byte `offset` to all of `values`. Nothing is allocated, so memory of the host is never missing.
    pub(crate) fn read_into<T: Pod>(&self, offset: u64, values: &mut [T]) -> Result<()> {
        self.check(offset, size_of_val(values) as u64)?;
        let (memory, base) = self.memory()?;
        memory.read_into(base + offset, values)
    }

    /// Reads `N` values at byte `offset`, like [`Buffer::read_into`].
    pub(crate) fn read_array<T: Pod, const N: usize>(&self, offset: u64) -> Result<[T; N]> {
        let mut values = [T::zeroed(); N];
        self.read_into(offset, &mut values)?;
        Ok(values)
    }

    /// Reads like [`Buffer::read`]; `None` if the buffer does not have the whole range. An error is never for the range, so
    /// callers that treat a missing range in a way of their own do not take missing memory of the host for it.
    pub(crate) fn read_within<T: Pod>(&self, offset: u64, count: usize) -> Result<Option<Vec<T>>> {
        match self.read(offset, count) {
            Ok(values) => Ok(Some(values)),
            Err(e @ Error::OutOfMemory(_)) => Err(e),
            Err(_) => Ok(None),
        }
    }

    /// Reads the whole buffer as values of `T`, without trailing bytes that do not fill a value.
    ///
    /// # Errors
    /// `Invalid` if the buffer is not bound. `OutOfMemory` if the host lacks memory for the values.
    pub fn read_all<T: Pod>(&self) -> Result<Vec<T>> {
        self.read(0, (self.size() / size_of::<T>().max(1) as u64) as usize)
    }

    /// Returns the bytes of the whole buffer.
    pub(crate) fn span(&self) -> Result<Span> {
        let (memory, offset) = self.memory()?;
        memory.span(offset, self.size())
    }

    /// Returns `Invalid` unless the range lies inside the buffer.
    #[inline]
    pub(crate) fn check(&self, offset: u64, len: u64) -> Result<()> {
        let inside = offset.checked_add(len).is_some_and(|end| end <= self.size());
        ensure(inside, || format!("bytes {offset}..+{len} of a buffer of {} bytes", self.size()))
    }

    /// Returns `Invalid` unless the buffer has the usage and is bound.
    #[inline]
    pub(crate) fn need(&self, usage: BufferUsage, what: &str) -> Result<()> {
        ensure(self.usage().intersects(usage), || format!("{what}: the buffer lacks usage {usage:?}"))?;
        self.memory()?.0.check_alive(what)
    }

    /// Returns the descriptor of `range` bytes (`None`: up to the end) from `offset`, and the number of bytes from
    /// `offset` to the end of the buffer.
    pub(crate) fn descriptor(&self, offset: u64, range: Option<u64>) -> Result<(abi::Descriptor, u64)> {
        let left = self.size().checked_sub(offset);
        let left = left.ok_or_else(|| {
            Error::invalid(format!("descriptor offset {offset} in a buffer of {}", self.size()))
        })?;
        let size = range.unwrap_or(left);
        self.check(offset, size)?;
        if size == 0 {
            return Ok((null_buffer(), 0));
        }
        let size = size.min(self.0.most_described);
        Ok((abi::Descriptor { ptr: self.address()? + offset, size }, left))
    }

    /// Returns the descriptor of a range as a handle, and the number of bytes from `offset` to the end of the buffer; see
    /// [`Buffer::descriptor`].
    pub(crate) fn handle(&self, offset: u64, range: Option<u64>) -> Result<(HandleRecord, u64)> {
        ensure(offset.is_multiple_of(4), || format!("descriptor offset {offset} is not aligned"))?;
        let (record, left) = self.descriptor(offset, range)?;
        if record.size == 0 {
            return Ok((Handle::NULL.into(), 0));
        }
        Ok((HandleRecord::of_range(self.whole()?, offset, record.size), left))
    }

    /// Returns the handle of the whole buffer.
    fn whole(&self) -> Result<Handle> {
        if let Some(known) = self.0.handle.get() {
            return Ok(known.handle());
        }
        let to = abi::Descriptor { ptr: self.address()?, size: self.size() };
        let (keep, owner) = (self.memory()?.0.clone(), Arc::downgrade(&self.0) as Owner);
        let all = &self.0.device_handles;
        let new = all.register(HandleKind::Buffer, to, Box::new(keep), Some(owner))?;
        Ok(self.0.handle.get_or_init(|| Box::new(new)).handle())
    }

    /// Returns the buffer that a handle of the device belongs to, if it is alive.
    pub(crate) fn of_handle(handles: &Handles, handle: Handle) -> Option<Buffer> {
        Some(Buffer(handles.owner(handle)?.downcast::<Inner>().ok()?))
    }
}
