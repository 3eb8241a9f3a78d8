//! Chapter "Acceleration Structures": objects, their sizes and addresses, builds, copies and properties.
//!
//! * `build`: builds by commands and by the host, and the conversion of geometry.
//! * `copy`: copies and properties, by commands and by the host.
//! * `host`: memory of the host that builds read.
//! * `micromap`: micromaps, which the device library has as structures of another kind.
//!
//! Left to others: the device library owns the trees; `descriptor` writes descriptors; `deferred` has the deferred
//! operations, of which host commands make no use.

pub(crate) mod build;
pub(crate) mod copy;
mod host;
pub(crate) mod micromap;

use ash::vk;
use quadrille::Buffer;
use quadrille::rays::{AccelerationStructure, AccelerationStructureDesc, BuildRange, StructureSizes};

use crate::capabilities::properties::structure_version;
use crate::device::Device;
use crate::interface::chain::slice;
use crate::interface::guard::{VkResult, commands, heap_code, log, report};
use crate::interface::handle::{create, destroy, get, objects};
use crate::newer::{AccelerationStructureCreateInfo2KHR, OPACITY_MICROMAP};

objects!(AccelerationStructure => AccelerationStructureKHR);

/// Creates an acceleration structure in a buffer, from an offset on. A captured address is that of the place, or 0.
pub(crate) fn new_structure(
    device: &Device,
    flags: vk::AccelerationStructureCreateFlagsKHR,
    (buffer, offset): (&Buffer, u64),
    size: u64,
    captured: u64,
) -> VkResult<AccelerationStructure> {
    let known = vk::AccelerationStructureCreateFlagsKHR::DEVICE_ADDRESS_CAPTURE_REPLAY;
    if !known.contains(flags) {
        return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT);
    }
    let place = buffer.capture_address().and_then(|address| address.checked_add(offset));
    if captured != 0 && place != Some(captured) {
        log(&format!("the address {captured:#x} was captured at another place"));
        return Err(vk::Result::ERROR_INVALID_OPAQUE_CAPTURE_ADDRESS);
    }
    let desc = AccelerationStructureDesc { buffer, offset, size };
    device.device.create_acceleration_structure(&desc).map_err(|e| heap_code(&e))
}

commands! {
    fn create_acceleration_structure(
        device: vk::Device,
        info: *const vk::AccelerationStructureCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::AccelerationStructureKHR,
    ) -> vk::Result {
        let (device, info) = (get::<Device>(device), &*info);
        let place = (get::<Buffer>(info.buffer), info.offset);
        *out = create(new_structure(device, info.create_flags, place, info.size, info.device_address)?);
        Ok(())
    }

    fn create_acceleration_structure2(
        device: vk::Device,
        info: *const AccelerationStructureCreateInfo2KHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::AccelerationStructureKHR,
    ) -> vk::Result {
        let info = &*info;
        let device = get::<Device>(device);
        let range = &info.address_range;
        let (buffer, offset) = device.device.buffer_at(range.address).map_err(|e| heap_code(&e))?;
        *out = create(new_structure(device, info.create_flags, (&buffer, offset), range.size, 0)?);
        Ok(())
    }

    fn destroy_acceleration_structure(
        _d: vk::Device,
        structure: vk::AccelerationStructureKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<AccelerationStructure>(structure));
    }

    fn get_acceleration_structure_device_address(
        _d: vk::Device,
        info: *const vk::AccelerationStructureDeviceAddressInfoKHR<'_>,
    ) -> vk::DeviceAddress {
        get::<AccelerationStructure>((*info).acceleration_structure).device_address()
    }

    fn get_acceleration_structure_build_sizes(
        device: vk::Device,
        _type: vk::AccelerationStructureBuildTypeKHR,
        info: *const vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
        counts: *const u32,
        out: *mut vk::AccelerationStructureBuildSizesInfoKHR<'_>,
    ) {
        let counts = slice(counts, (*info).geometry_count).iter();
        let ranges = counts.map(|&primitive_count| BuildRange { primitive_count, ..BuildRange::default() });
        let mut sizes = match build::geometries(&*info, ranges) {
            Ok(geometries) => {
                let geometries: Vec<_> =
                    geometries.into_iter().map(|(geometry, range)| (geometry, range.primitive_count)).collect();
                get::<Device>(device).device.acceleration_structure_sizes(&geometries)
            }
            Err(code) => {
                report(Err(code));
                StructureSizes { structure: 0, build_scratch: 0, update_scratch: 0 }
            }
        };
        if (*info).ty == OPACITY_MICROMAP {
            sizes.update_scratch = 0;
        }
        (*out).acceleration_structure_size = sizes.structure;
        ((*out).build_scratch_size, (*out).update_scratch_size) = (sizes.build_scratch, sizes.update_scratch);
    }

    fn get_device_acceleration_structure_compatibility(
        _d: vk::Device,
        info: *const vk::AccelerationStructureVersionInfoKHR<'_>,
        out: *mut vk::AccelerationStructureCompatibilityKHR,
    ) {
        use vk::AccelerationStructureCompatibilityKHR as C;
        let same = *(*info).p_version_data == structure_version();
        *out = if same { C::COMPATIBLE } else { C::INCOMPATIBLE };
    }

    /// Capture and replay are not supported.
    fn get_acceleration_structure_opaque_capture_descriptor_data(
        _d: vk::Device,
        _info: *const vk::AccelerationStructureCaptureDescriptorDataInfoEXT<'_>,
        _out: *mut std::ffi::c_void,
    ) -> vk::Result {
        Err(vk::Result::ERROR_FEATURE_NOT_PRESENT)
    }
}
