//! Acceleration structures: the objects, and builds of their trees from geometry in buffers.
//!
//! The device owns the trees. The range of a buffer that a structure is created on only gives the structure its device
//! address and its size: whatever an application or a shader writes there changes no tree. Structures that were created
//! at the same address have the same contents. A micromap is a structure too.
//!
//! * `geometry`: descriptions of geometry; `source`: the memory that builds read; `decode`: vertices, indices, boxes and
//!   instances in this memory; `micromap`: micromaps, and opacities of triangles; `build`: builds and their execution.
//! * `copy`: copies, properties, and structures as bytes.
//!
//! Left to others: `quadrille_rays` has the trees; `command` records builds and copies; `tables::structures` lists the
//! top levels that shaders see.

mod build;
mod copy;
mod decode;
mod geometry;
mod micromap;
mod source;

use std::any::Any;
use std::sync::{Arc, OnceLock, Weak};

pub(crate) use build::RecordedBuild;
pub use build::{IndirectRanges, StructureBuild, StructureSizes};
pub(crate) use copy::stored_len;
pub use copy::{StructureVersion, VERSION_BYTES};
pub use decode::is_position;
pub use geometry::{BuildRange, GeometryData, Indices, StructureGeometry, TriangleOpacity};
pub use micromap::micromap_states;
pub use source::HostMemory;

use quadrille_jit::interp::watch::Range;

use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::BufferUsage;
use crate::object::{objects, same_device, shared};
use crate::resource::buffer::{Buffer, BufferDesc};
use crate::tables::structures::{Cell, Share};

/// Description of an acceleration structure. Spec: Vulkan, VkAccelerationStructureCreateInfoKHR.
#[derive(Clone, Debug)]
pub struct AccelerationStructureDesc<'a> {
    /// The buffer, with the usage `ACCELERATION_STRUCTURE_STORAGE`, or `MICROMAP_STORAGE` for micromaps. It must be bound to memory before the structure is
    /// used.
    pub buffer: &'a Buffer,
    /// First byte in the buffer, a multiple of 256.
    pub offset: u64,
    /// Size in bytes, as [`Device::acceleration_structure_sizes`] returns it.
    pub size: u64,
}

struct Inner {
    device: Device,
    buffer: Buffer,
    offset: u64,
    size: u64,
    /// The share in the contents; there is none until the buffer is bound to memory.
    share: OnceLock<Share>,
}

/// An acceleration structure. Clones are the same structure. Spec: Vulkan, "Acceleration Structures".
#[derive(Clone)]
pub struct AccelerationStructure(Arc<Inner>);

objects! { AccelerationStructure: "acceleration structure" = |s| Some(s.0.device.id()); }
shared!(AccelerationStructure);

impl std::fmt::Debug for AccelerationStructure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AccelerationStructure({} bytes)", self.0.size)
    }
}

/// Required alignment of [`AccelerationStructureDesc::offset`]. Spec: Vulkan, VUID-VkAccelerationStructureCreateInfoKHR-offset-03734.
const ALIGNMENT: u64 = 256;

impl AccelerationStructure {
    pub(crate) fn new(device: &Device, desc: &AccelerationStructureDesc<'_>) -> Result<Self> {
        let AccelerationStructureDesc { buffer, offset, size } = *desc;
        same_device(buffer, device)?;
        let usages = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::MICROMAP_STORAGE;
        ensure(buffer.usage().intersects(usages), || {
            "the buffer of an acceleration structure lacks usage ACCELERATION_STRUCTURE_STORAGE, or MICROMAP_STORAGE"
                .into()
        })?;
        buffer.check(offset, size)?;
        ensure(offset.is_multiple_of(ALIGNMENT), || {
            format!("an acceleration structure at byte {offset}, which is not a multiple of {ALIGNMENT}")
        })?;
        let (device, buffer) = (device.clone(), buffer.clone());
        let structure =
            AccelerationStructure(Arc::new(Inner { device, buffer, offset, size, share: OnceLock::new() }));
        if structure.0.buffer.memory().is_ok() {
            structure.reference()?;
        }
        Ok(structure)
    }

    /// The contents. `Invalid` if the buffer is not bound to memory.
    pub(crate) fn cell(&self) -> Result<&Arc<Cell>> {
        let Inner { device, buffer, offset, share, .. } = &*self.0;
        if let Some(share) = share.get() {
            return Ok(share.cell());
        }
        let address = buffer.base_address()? + offset;
        let memory = buffer.address().ok().map(|base| Range { base: base + offset, size: self.0.size });
        let new = || device.structures().share(address, Box::new(buffer.clone()), memory);
        Ok(share.get_or_init(new).cell())
    }

    /// Returns the buffer that a descriptor of the structure refers to.
    pub(crate) fn reference(&self) -> Result<Buffer> {
        reference(&self.0.device, self.cell()?)
    }

    /// The address by which shaders and instances refer to the structure; 0 if its buffer is not bound to memory.
    pub fn device_address(&self) -> u64 {
        self.cell().map_or(0, |cell| cell.address())
    }

    /// Size in bytes of the range that the structure was created on.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The buffer that the structure was created on.
    pub fn buffer(&self) -> &Buffer {
        &self.0.buffer
    }

    /// Returns the structure that [`Shared::weak`](crate::object::Shared::weak) was called on, if it is alive.
    pub(crate) fn of_weak(weak: &Weak<dyn Any + Send + Sync>) -> Option<AccelerationStructure> {
        weak.upgrade()?.downcast::<Inner>().ok().map(AccelerationStructure)
    }

    pub(crate) fn device(&self) -> &Device {
        &self.0.device
    }

    /// First byte of the structure in the buffer.
    pub fn offset(&self) -> u64 {
        self.0.offset
    }

    /// `true` if a build or a copy has written the structure.
    pub fn is_built(&self) -> bool {
        self.cell().is_ok_and(|cell| cell.tree().is_some())
    }
}

/// Returns the buffer that descriptors of the structures at an address refer to: eight bytes with the address.
pub(crate) fn reference(device: &Device, cell: &Cell) -> Result<Buffer> {
    let known = || cell.companion.get()?.downcast_ref::<Buffer>().cloned();
    if let Some(buffer) = known() {
        return Ok(buffer);
    }
    let buffer = Buffer::new(device, BufferDesc { size: 8, usage: BufferUsage::UNIFORM })?;
    buffer.bind(&device.allocate(buffer.requirements().size)?, 0)?;
    buffer.write(0, &[cell.address()])?;
    let first = cell.companion.get_or_init(|| Box::new(buffer.clone()));
    Ok(first.downcast_ref::<Buffer>().cloned().unwrap_or(buffer))
}
