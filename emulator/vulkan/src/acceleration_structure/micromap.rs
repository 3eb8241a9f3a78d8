//! Chapter "Micromap": objects, their sizes, builds, copies and properties.
//!
//! The device library has micromaps as acceleration structures, and so has VK_KHR_opacity_micromap, of which only the
//! geometry is converted here. The commands of VK_EXT_opacity_micromap are those of structures with other parameters.

use std::ffi::c_void;

use ash::vk;
use quadrille::rays::{
    AccelerationStructure, BuildRange, GeometryData, StructureBuild, StructureGeometry, micromap_states,
};
use quadrille::{Buffer, BuildFlags, GeometryFlags, QueryPool};

use super::copy::{at, deserialize, properties, serialize};
use super::host::Host;
use super::new_structure;
use crate::capabilities::properties::structure_version;
use crate::command_buffer::{list, with};
use crate::deferred::done;
use crate::device::Device;
use crate::interface::chain::{find, slice, slice_or_pointers};
use crate::interface::guard::{VkResult, code, commands};
use crate::interface::handle::{create, destroy, get, objects};
use crate::newer::{AccelerationStructureGeometryMicromapDataKHR, MicromapUsageKHR};

/// A VkMicromapEXT.
pub struct Micromap(pub AccelerationStructure);

objects!(Micromap => MicromapEXT);

/// The geometry of a micromap at these addresses, and the range of all its triangles. Each usage is a number of triangles,
/// their level of subdivision and their format.
fn geometry(
    [data, triangles, stride]: [u64; 3],
    usages: impl Iterator<Item = [u32; 3]>,
) -> (StructureGeometry, BuildRange) {
    let (mut states, mut primitive_count) = (0u64, 0u32);
    for [count, level, format] in usages {
        states = states.saturating_add(u64::from(count).saturating_mul(micromap_states(format, level)));
        primitive_count = primitive_count.saturating_add(count);
    }
    let data = GeometryData::Micromap { data, triangles, stride, states };
    let range = BuildRange { primitive_count, ..BuildRange::default() };
    (StructureGeometry::new(data, GeometryFlags::NONE), range)
}

/// Converts the data of the build of a VkMicromapEXT.
///
/// # Safety
/// The build is valid.
unsafe fn data(info: &vk::MicromapBuildInfoEXT<'_>) -> (StructureGeometry, BuildRange) {
    let of = |u: &vk::MicromapUsageEXT| [u.count, u.subdivision_level, u.format];
    // SAFETY: the caller promises a valid build: one of the arrays has `usage_counts_count` elements, or both are null.
    // Addresses of devices and of the host are numbers of 64 bits.
    unsafe {
        let places =
            [info.data.device_address, info.triangle_array.device_address, info.triangle_array_stride];
        let usages = slice_or_pointers(info.p_usage_counts, info.pp_usage_counts, info.usage_counts_count);
        geometry(places, usages.map(of))
    }
}

/// Converts the geometry of a VkAccelerationStructureKHR that is a micromap. An error unless its chain has the data.
///
/// # Safety
/// The geometry is valid.
pub(super) unsafe fn of_geometry(
    g: &vk::AccelerationStructureGeometryKHR<'_>,
) -> VkResult<(StructureGeometry, BuildRange)> {
    let of = |u: &MicromapUsageKHR| [u.count, u.subdivision_level, u.format.as_raw() as u32];
    // SAFETY: the caller promises a valid geometry: one of the arrays has `usage_counts_count` elements, or both are
    // null.
    unsafe {
        let found = find::<AccelerationStructureGeometryMicromapDataKHR>(g.p_next);
        let info = found.ok_or(vk::Result::ERROR_VALIDATION_FAILED_EXT)?;
        let usages = slice_or_pointers(info.p_usage_counts, info.pp_usage_counts, info.usage_counts_count);
        Ok(geometry([info.data, info.triangle_array, info.triangle_array_stride], usages.map(of)))
    }
}

/// Converts builds.
///
/// # Safety
/// The builds are valid.
unsafe fn builds(n: u32, infos: *const vk::MicromapBuildInfoEXT<'_>) -> Vec<StructureBuild> {
    // SAFETY: the caller promises `n` valid builds.
    let one = |info: &vk::MicromapBuildInfoEXT<'_>| unsafe {
        let flags = match info.flags {
            f if f.contains(vk::BuildMicromapFlagsEXT::PREFER_FAST_TRACE) => BuildFlags::PREFER_FAST_TRACE,
            _ => BuildFlags::NONE,
        };
        StructureBuild {
            flags,
            update: None,
            dst: get::<Micromap>(info.dst_micromap).0.clone(),
            geometries: vec![data(info)],
        }
    };
    // SAFETY: the caller promises `n` valid builds.
    unsafe { slice(infos, n).iter().map(one).collect() }
}

/// Returns the micromaps behind handles.
///
/// # Safety
/// The handles are `n` live micromaps.
unsafe fn micromaps(n: u32, handles: *const vk::MicromapEXT) -> Vec<AccelerationStructure> {
    // SAFETY: the caller promises `n` live micromaps.
    unsafe { slice(handles, n).iter().map(|&m| get::<Micromap>(m).0.clone()).collect() }
}

commands! {
    fn create_micromap(
        device: vk::Device,
        info: *const vk::MicromapCreateInfoEXT<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::MicromapEXT,
    ) -> vk::Result {
        let (device, info) = (get::<Device>(device), &*info);
        // The flag of capture and replay is the same bit.
        let flags = vk::AccelerationStructureCreateFlagsKHR::from_raw(info.create_flags.as_raw());
        let place = (get::<Buffer>(info.buffer), info.offset);
        *out = create(Micromap(new_structure(device, flags, place, info.size, info.device_address)?));
        Ok(())
    }

    fn destroy_micromap(
        _d: vk::Device,
        micromap: vk::MicromapEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Micromap>(micromap));
    }

    fn cmd_build_micromaps(buffer: vk::CommandBuffer, n: u32, infos: *const vk::MicromapBuildInfoEXT<'_>) {
        with(buffer, Ok(builds(n, infos)), |list, builds| {
            list.build_acceleration_structures(&builds);
        });
    }

    fn build_micromaps(
        device: vk::Device,
        deferred: vk::DeferredOperationKHR,
        n: u32,
        infos: *const vk::MicromapBuildInfoEXT<'_>,
    ) -> vk::Result {
        let builds = builds(n, infos);
        let built = get::<Device>(device).device.build_acceleration_structures(&builds, &Host);
        done(deferred, built.map_err(|e| code(&e)))
    }

    fn cmd_copy_micromap(buffer: vk::CommandBuffer, info: *const vk::CopyMicromapInfoEXT<'_>) {
        let (src, dst) = (&get::<Micromap>((*info).src).0, &get::<Micromap>((*info).dst).0);
        list(buffer).copy_acceleration_structure(src, dst);
    }

    fn cmd_copy_micromap_to_memory(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyMicromapToMemoryInfoEXT<'_>,
    ) {
        let info = &*info;
        let src = &get::<Micromap>(info.src).0;
        with(buffer, at(buffer, info.dst.device_address), |list, (dst, to)| {
            list.serialize_acceleration_structure(src, (&dst, to), structure_version());
        });
    }

    fn cmd_copy_memory_to_micromap(
        buffer: vk::CommandBuffer,
        info: *const vk::CopyMemoryToMicromapInfoEXT<'_>,
    ) {
        let info = &*info;
        let dst = &get::<Micromap>(info.dst).0;
        with(buffer, at(buffer, info.src.device_address), |list, (src, from)| {
            list.deserialize_acceleration_structure((&src, from), dst, structure_version());
        });
    }

    fn cmd_write_micromaps_properties(
        buffer: vk::CommandBuffer,
        n: u32,
        handles: *const vk::MicromapEXT,
        _type: vk::QueryType,
        pool: vk::QueryPool,
        first: u32,
    ) {
        let pool = get::<QueryPool>(pool);
        list(buffer).write_acceleration_structures_properties(&micromaps(n, handles), pool, first);
    }

    fn copy_micromap(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyMicromapInfoEXT<'_>,
    ) -> vk::Result {
        let (src, dst) = (&get::<Micromap>((*info).src).0, &get::<Micromap>((*info).dst).0);
        done(deferred, dst.copy_from(src).map_err(|e| code(&e)))
    }

    fn copy_micromap_to_memory(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyMicromapToMemoryInfoEXT<'_>,
    ) -> vk::Result {
        let info = &*info;
        done(deferred, serialize(&get::<Micromap>(info.src).0, info.dst.host_address))
    }

    fn copy_memory_to_micromap(
        _d: vk::Device,
        deferred: vk::DeferredOperationKHR,
        info: *const vk::CopyMemoryToMicromapInfoEXT<'_>,
    ) -> vk::Result {
        let info = &*info;
        done(deferred, deserialize(info.src.host_address, &get::<Micromap>(info.dst).0))
    }

    fn write_micromaps_properties(
        _d: vk::Device,
        n: u32,
        handles: *const vk::MicromapEXT,
        ty: vk::QueryType,
        size: usize,
        out: *mut c_void,
        stride: usize,
    ) -> vk::Result {
        properties(&micromaps(n, handles), ty, (out, size), stride)
    }

    fn get_device_micromap_compatibility(
        _d: vk::Device,
        info: *const vk::MicromapVersionInfoEXT<'_>,
        out: *mut vk::AccelerationStructureCompatibilityKHR,
    ) {
        use vk::AccelerationStructureCompatibilityKHR as C;
        let same = *(*info).p_version_data == structure_version();
        *out = if same { C::COMPATIBLE } else { C::INCOMPATIBLE };
    }

    /// Bottom levels keep the micromaps of their builds, so that the objects may be destroyed before.
    fn get_micromap_build_sizes(
        device: vk::Device,
        _type: vk::AccelerationStructureBuildTypeKHR,
        info: *const vk::MicromapBuildInfoEXT<'_>,
        out: *mut vk::MicromapBuildSizesInfoEXT<'_>,
    ) {
        let (geometry, range) = data(&*info);
        let all = [(geometry, range.primitive_count)];
        let sizes = get::<Device>(device).device.acceleration_structure_sizes(&all);
        ((*out).micromap_size, (*out).build_scratch_size) = (sizes.structure, sizes.build_scratch);
        (*out).discardable = vk::TRUE;
    }
}
