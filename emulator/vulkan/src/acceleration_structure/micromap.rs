//! Chapter "Micromap": objects, their sizes, builds, copies and properties.
//!
//! The device library has micromaps as acceleration structures, so that the commands here are those of structures with
//! other parameters.

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
use crate::interface::chain::slice;
use crate::interface::guard::{code, commands};
use crate::interface::handle::{create, destroy, get, objects};

/// A VkMicromapEXT.
pub struct Micromap(pub AccelerationStructure);

objects!(Micromap => MicromapEXT);

/// Converts the data of a build, and returns the number of triangles.
///
/// # Safety
/// The build is valid.
unsafe fn data(info: &vk::MicromapBuildInfoEXT<'_>) -> (StructureGeometry, u32) {
    // SAFETY: the caller promises a valid build: one of the arrays has `usage_counts_count` elements, or both are null.
    // Addresses of devices and of the host are numbers of 64 bits.
    unsafe {
        let usages: Vec<vk::MicromapUsageEXT> = match info.p_usage_counts.is_null() {
            false => slice(info.p_usage_counts, info.usage_counts_count).to_vec(),
            true => {
                slice(info.pp_usage_counts, info.usage_counts_count).iter().map(|&usage| *usage).collect()
            }
        };
        let mut states = 0u64;
        let mut count = 0u32;
        for usage in usages {
            let bytes = micromap_states(usage.format, usage.subdivision_level);
            states = states.saturating_add(u64::from(usage.count).saturating_mul(bytes));
            count = count.saturating_add(usage.count);
        }
        let data = GeometryData::Micromap {
            data: info.data.device_address,
            triangles: info.triangle_array.device_address,
            stride: info.triangle_array_stride,
            states,
        };
        (StructureGeometry::new(data, GeometryFlags::NONE), count)
    }
}

/// Converts builds.
///
/// # Safety
/// The builds are valid.
unsafe fn builds(n: u32, infos: *const vk::MicromapBuildInfoEXT<'_>) -> Vec<StructureBuild> {
    // SAFETY: the caller promises `n` valid builds.
    let one = |info: &vk::MicromapBuildInfoEXT<'_>| unsafe {
        let (geometry, primitive_count) = data(info);
        let flags = match info.flags {
            f if f.contains(vk::BuildMicromapFlagsEXT::PREFER_FAST_TRACE) => BuildFlags::PREFER_FAST_TRACE,
            _ => BuildFlags::NONE,
        };
        StructureBuild {
            flags,
            update: None,
            dst: get::<Micromap>(info.dst_micromap).0.clone(),
            geometries: vec![(geometry, BuildRange { primitive_count, ..BuildRange::default() })],
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
        let info = &*info;
        let flags = vk::AccelerationStructureCreateFlagsKHR::from_raw(info.create_flags.as_raw());
        if info.device_address != 0 {
            return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT);
        }
        let place = (get::<Buffer>(info.buffer), info.offset);
        *out = create(Micromap(new_structure(get::<Device>(device), flags, place, info.size)?));
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
        let sizes = get::<Device>(device).device.acceleration_structure_sizes(&[data(&*info)]);
        ((*out).micromap_size, (*out).build_scratch_size) = (sizes.structure, sizes.build_scratch);
        (*out).discardable = vk::TRUE;
    }
}
