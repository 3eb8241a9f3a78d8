//! Acceleration structures: the objects, and builds of their trees from geometry in buffers.
//!
//! The device owns the trees. The range of a buffer that a structure is created on only gives the structure its device
//! address and its size: whatever an application or a shader writes there changes no tree. Structures that were created
//! at the same address have the same contents.
//!
//! * `geometry`: descriptions of geometry; `decode`: its vertices, indices, boxes and instances in buffers; `build`: builds
//!   and their execution.
//!
//! Left to others: `quadrille_rays` has the trees; `command` records builds; `tables::structures` lists the top levels
//! that shaders see.

mod build;
mod decode;
mod geometry;

use std::sync::Arc;

pub use build::{StructureBuild, StructureSizes};
pub use geometry::{BuildRange, GeometryData, Indices, StructureGeometry};

use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::BufferUsage;
use crate::object::{objects, same_device, shared};
use crate::resource::buffer::{Buffer, BufferDesc};
use crate::tables::structures::Cell;

/// Description of an acceleration structure. Spec: Vulkan, VkAccelerationStructureCreateInfoKHR.
#[derive(Clone, Debug)]
pub struct AccelerationStructureDesc<'a> {
    /// The buffer, with the usages `ACCELERATION_STRUCTURE_STORAGE` and `SHADER_DEVICE_ADDRESS`.
    pub buffer: &'a Buffer,
    /// First byte in the buffer, a multiple of 256.
    pub offset: u64,
    /// Size in bytes, as [`Device::acceleration_structure_sizes`] returns it.
    pub size: u64,
}

struct Inner {
    device: u64,
    buffer: Buffer,
    size: u64,
    cell: Arc<Cell>,
    /// Eight bytes with the device address, which descriptors refer to.
    reference: Buffer,
}

/// An acceleration structure. Clones are the same structure. Spec: Vulkan, "Acceleration Structures".
#[derive(Clone)]
pub struct AccelerationStructure(Arc<Inner>);

objects! { AccelerationStructure: "acceleration structure" = |s| Some(s.0.device); }
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
        buffer.need(BufferUsage::ACCELERATION_STRUCTURE_STORAGE, "acceleration structure")?;
        buffer.check(offset, size)?;
        ensure(offset.is_multiple_of(ALIGNMENT), || {
            format!("an acceleration structure at byte {offset}, which is not a multiple of {ALIGNMENT}")
        })?;
        let address = buffer.device_address()? + offset;
        let cell = device.structures().cell(address);
        let reference = Buffer::new(device, BufferDesc { size: 8, usage: BufferUsage::UNIFORM })?;
        reference.bind(&device.allocate(reference.requirements().size)?, 0)?;
        reference.write(0, &[address])?;
        let inner = Inner { device: device.id(), buffer: buffer.clone(), size, cell, reference };
        Ok(AccelerationStructure(Arc::new(inner)))
    }

    /// The address by which shaders and instances refer to the structure.
    pub fn device_address(&self) -> u64 {
        self.0.cell.address()
    }

    /// Size in bytes of the range that the structure was created on.
    pub fn size(&self) -> u64 {
        self.0.size
    }

    /// The buffer that the structure was created on.
    pub fn buffer(&self) -> &Buffer {
        &self.0.buffer
    }

    /// The buffer that a descriptor of the structure refers to.
    pub(crate) fn reference(&self) -> &Buffer {
        &self.0.reference
    }

    pub(crate) fn cell(&self) -> &Arc<Cell> {
        &self.0.cell
    }
}
