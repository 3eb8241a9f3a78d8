//! Builds, by commands and by the host, and the conversion of geometry.

use ash::vk;
use quadrille::rays::{
    AccelerationStructure, BuildRange, GeometryData, Indices, IndirectRanges, StructureBuild,
    StructureGeometry, TriangleOpacity,
};
use quadrille::{BuildFlags, GeometryFlags};

use super::host::Host;
use super::micromap::{self, Micromap};
use crate::capabilities::format::needed;
use crate::command_buffer::with;
use crate::deferred::done;
use crate::device::Device;
use crate::interface::chain::{find, slice, slice_or_pointers};
use crate::interface::guard::{VkResult, code, commands, log};
use crate::interface::handle::{get, get_opt};
use crate::newer::{AccelerationStructureTrianglesOpacityMicromapKHR, OPACITY_MICROMAP};

/// Converts the indices of triangles at an address.
fn indices(ty: vk::IndexType, address: u64) -> VkResult<Indices> {
    Ok(match ty {
        vk::IndexType::NONE_KHR => Indices::None,
        vk::IndexType::UINT8_KHR => Indices::U8(address),
        vk::IndexType::UINT16 => Indices::U16(address),
        vk::IndexType::UINT32 => Indices::U32(address),
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

/// Converts the opacities of triangles.
///
/// # Safety
/// The triangles are valid.
unsafe fn opacity(
    t: &vk::AccelerationStructureGeometryTrianglesDataKHR<'_>,
) -> VkResult<Option<TriangleOpacity>> {
    // SAFETY: the caller promises a valid chain, in which the micromap lives or is null. Addresses of devices and of the
    // host are numbers of 64 bits.
    unsafe {
        if let Some(of) = find::<vk::AccelerationStructureTrianglesOpacityMicromapEXT<'_>>(t.p_next) {
            return Ok(Some(TriangleOpacity {
                indices: indices(of.index_type, of.index_buffer.device_address)?,
                stride: of.index_stride,
                base: of.base_triangle,
                micromap: get_opt::<Micromap>(of.micromap).map_or(0, |micromap| micromap.0.device_address()),
            }));
        }
        let found = find::<AccelerationStructureTrianglesOpacityMicromapKHR>(t.p_next);
        let Some(of) = found else { return Ok(None) };
        Ok(Some(TriangleOpacity {
            indices: indices(of.index_type, of.index_buffer)?,
            stride: of.index_stride,
            base: of.base_triangle,
            micromap: get_opt::<AccelerationStructure>(of.micromap).map_or(0, |map| map.device_address()),
        }))
    }
}

/// Converts a geometry. Addresses of the host are their numbers.
///
/// # Safety
/// The geometry is valid: its type selects the member of the union.
unsafe fn geometry(g: &vk::AccelerationStructureGeometryKHR<'_>) -> VkResult<StructureGeometry> {
    // SAFETY: the caller promises that the type selects the member of the union. Addresses of devices and of the host
    // are numbers of 64 bits.
    let data = unsafe {
        match g.geometry_type {
            vk::GeometryTypeKHR::TRIANGLES => {
                let t = &g.geometry.triangles;
                GeometryData::Triangles {
                    format: needed(t.vertex_format)?,
                    vertices: t.vertex_data.device_address,
                    stride: t.vertex_stride,
                    max_vertex: t.max_vertex,
                    indices: indices(t.index_type, t.index_data.device_address)?,
                    transform: t.transform_data.device_address,
                }
            }
            vk::GeometryTypeKHR::AABBS => {
                let a = &g.geometry.aabbs;
                GeometryData::Aabbs { data: a.data.device_address, stride: a.stride }
            }
            vk::GeometryTypeKHR::INSTANCES => {
                let i = &g.geometry.instances;
                GeometryData::Instances { data: i.data.device_address, pointers: i.array_of_pointers != 0 }
            }
            _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
        }
    };
    let opacity = match data {
        // SAFETY: the caller promises that the type selects the member of the union.
        GeometryData::Triangles { .. } => unsafe { opacity(&g.geometry.triangles)? },
        GeometryData::Aabbs { .. } | GeometryData::Instances { .. } | GeometryData::Micromap { .. } => None,
    };
    Ok(StructureGeometry { data, flags: GeometryFlags(g.flags.as_raw()), opacity })
}

/// Converts the geometries of a build with their ranges. A micromap has its range in its geometry.
///
/// # Safety
/// The build is valid.
pub unsafe fn geometries(
    info: &vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
    ranges: impl Iterator<Item = BuildRange>,
) -> VkResult<Vec<(StructureGeometry, BuildRange)>> {
    // SAFETY: the caller promises a valid build: one of the arrays has `geometry_count` elements.
    unsafe {
        let all = slice_or_pointers(info.p_geometries, info.pp_geometries, info.geometry_count);
        match info.ty {
            OPACITY_MICROMAP => all.map(|g| micromap::of_geometry(g)).collect(),
            _ => all.zip(ranges).map(|(g, range)| Ok((geometry(g)?, range))).collect(),
        }
    }
}

/// Converts a build with its ranges.
///
/// # Safety
/// The build is valid.
unsafe fn build(
    info: &vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
    ranges: impl Iterator<Item = BuildRange>,
) -> VkResult<StructureBuild> {
    // SAFETY: the caller promises a valid build. Its source is read only for updates.
    unsafe {
        let update = match info.mode {
            vk::BuildAccelerationStructureModeKHR::UPDATE if info.ty != OPACITY_MICROMAP => {
                get_opt::<AccelerationStructure>(info.src_acceleration_structure).cloned()
            }
            _ => None,
        };
        Ok(StructureBuild {
            flags: BuildFlags(info.flags.as_raw()),
            update,
            dst: get::<AccelerationStructure>(info.dst_acceleration_structure).clone(),
            geometries: geometries(info, ranges)?,
        })
    }
}

fn range(r: &vk::AccelerationStructureBuildRangeInfoKHR) -> BuildRange {
    BuildRange {
        primitive_count: r.primitive_count,
        primitive_offset: r.primitive_offset,
        first_vertex: r.first_vertex,
        transform_offset: r.transform_offset,
    }
}

/// Converts builds with their ranges.
///
/// # Safety
/// The builds are valid, and each but those of micromaps has an array of ranges with an element for each geometry.
unsafe fn builds(
    n: u32,
    infos: *const vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
    ranges: *const *const vk::AccelerationStructureBuildRangeInfoKHR,
) -> VkResult<Vec<StructureBuild>> {
    // SAFETY: the caller promises valid builds with arrays of ranges.
    unsafe {
        let all = slice(infos, n).iter().zip(slice(ranges, n));
        all.map(|(info, &r)| build(info, slice(r, info.geometry_count).iter().map(range))).collect()
    }
}

commands! {
    fn cmd_build_acceleration_structures(
        buffer: vk::CommandBuffer,
        n: u32,
        infos: *const vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
        ranges: *const *const vk::AccelerationStructureBuildRangeInfoKHR,
    ) {
        with(buffer, builds(n, infos, ranges), |list, builds| {
            list.build_acceleration_structures(&builds);
        });
    }

    fn cmd_build_acceleration_structures_indirect(
        buffer: vk::CommandBuffer,
        n: u32,
        infos: *const vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
        addresses: *const vk::DeviceAddress,
        strides: *const u32,
        most: *const *const u32,
    ) {
        let places = slice(addresses, n).iter().zip(slice(strides, n)).zip(slice(most, n));
        let one = |(info, ((&address, &stride), &most)): (&vk::AccelerationStructureBuildGeometryInfoKHR<'_>, _)| {
            let greatest = |&primitive_count: &u32| BuildRange { primitive_count, ..BuildRange::default() };
            let ranges = slice::<u32>(most, info.geometry_count).iter().map(greatest);
            Ok((build(info, ranges)?, IndirectRanges { address, stride }))
        };
        let builds: VkResult<Vec<_>> = slice(infos, n).iter().zip(places).map(one).collect();
        with(buffer, builds, |list, builds| {
            list.build_acceleration_structures_indirect(&builds);
        });
    }

    fn build_acceleration_structures(
        device: vk::Device,
        deferred: vk::DeferredOperationKHR,
        n: u32,
        infos: *const vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
        ranges: *const *const vk::AccelerationStructureBuildRangeInfoKHR,
    ) -> vk::Result {
        if slice(infos, n).iter().any(|info| info.ty == OPACITY_MICROMAP) {
            log(&"VK_KHR_opacity_micromap has no builds by the host");
            return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT);
        }
        let builds = builds(n, infos, ranges)?;
        let built = get::<Device>(device).device.build_acceleration_structures(&builds, &Host);
        done(deferred, built.map_err(|e| code(&e)))
    }
}
