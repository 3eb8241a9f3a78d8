//! Acceleration structures of a scene.

use ash::vk;
use quadrille_rays::Point;

use super::device::{Buffer, Gpu};

/// Geometries of a bottom level, each of which has a hit group in a ray tracing pipeline.
pub const GEOMETRIES: usize = 16;

/// Triangles as they are built.
#[derive(Clone, Copy)]
pub struct Shape<'a> {
    pub positions: &'a [Point],
    pub opaque: bool,
    pub fast_build: bool,
    /// A sphere in an AABB in place of each triangle.
    pub spheres: bool,
}

impl<'a> Shape<'a> {
    /// Opaque triangles that are traced fast.
    pub fn opaque(positions: &'a [Point]) -> Shape<'a> {
        Shape { positions, opaque: true, fast_build: false, spheres: false }
    }
}

/// An acceleration structure with all that it is built from, and its commands.
pub struct Structure {
    pub handle: vk::AccelerationStructureKHR,
    build: vk::CommandBuffer,
    update: Option<vk::CommandBuffer>,
    /// Centres and radii of spheres; empty for triangles.
    pub spheres: Buffer,
    _input: Buffer,
    _storage: Buffer,
    _scratch: Buffer,
    _bottom: Option<Box<Structure>>,
    rays: ash::khr::acceleration_structure::Device,
}

impl Drop for Structure {
    fn drop(&mut self) {
        // SAFETY: submissions are waited for, so that nothing uses the structure any more.
        unsafe { self.rays.destroy_acceleration_structure(self.handle, None) };
    }
}

/// Centre and radius of the sphere in place of a triangle.
fn sphere(t: &[Point]) -> [f32; 4] {
    let centre: Point = std::array::from_fn(|i| (t[0][i] + t[1][i] + t[2][i]) / 3.0);
    let d: Point = std::array::from_fn(|i| t[0][i] - centre[i]);
    [centre[0], centre[1], centre[2], (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt() * 0.5]
}

/// First primitive and number of primitives of each geometry.
fn parts(primitives: usize) -> impl Iterator<Item = (usize, usize)> {
    let each = primitives.div_ceil(GEOMETRIES);
    (0..GEOMETRIES).map(move |i| (i * each).min(primitives)).map(move |at| (at, each.min(primitives - at)))
}

impl Structure {
    /// A bottom level that is built.
    pub fn bottom(gpu: &Gpu, shape: &Shape<'_>) -> Structure {
        let spheres: Vec<[f32; 4]> = match shape.spheres {
            true => shape.positions.chunks_exact(3).map(sphere).collect(),
            false => Vec::new(),
        };
        let boxes = |&[x, y, z, r]: &[f32; 4]| [x - r, y - r, z - r, x + r, y + r, z + r];
        let input = match shape.spheres {
            true => gpu.buffer_with(&spheres.iter().map(boxes).collect::<Vec<_>>()),
            false => gpu.buffer_with(shape.positions),
        };
        let flags = if shape.opaque { vk::GeometryFlagsKHR::OPAQUE } else { vk::GeometryFlagsKHR::empty() };
        let (mut geometries, mut ranges) = (Vec::new(), Vec::new());
        for (first, count) in parts(shape.positions.len() / 3) {
            let size = if shape.spheres { 24 } else { 36 };
            let address =
                vk::DeviceOrHostAddressConstKHR { device_address: input.address + (first * size) as u64 };
            geometries.push(geometry(shape, address, count).flags(flags));
            ranges.push(vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(count as u32));
        }
        let spheres = gpu.buffer_with(&spheres);
        let preference = match shape.fast_build {
            true => vk::BuildAccelerationStructureFlagsKHR::PREFER_FAST_BUILD,
            false => vk::BuildAccelerationStructureFlagsKHR::PREFER_FAST_TRACE,
        };
        let info = vk::AccelerationStructureBuildGeometryInfoKHR::default()
            .ty(vk::AccelerationStructureTypeKHR::BOTTOM_LEVEL)
            .flags(preference | vk::BuildAccelerationStructureFlagsKHR::ALLOW_UPDATE)
            .geometries(&geometries);
        Structure::new(gpu, info, &ranges, input, spheres, None)
    }

    /// A top level with one instance of a bottom level.
    pub fn scene(gpu: &Gpu, shape: &Shape<'_>) -> Structure {
        let mut bottom = Structure::bottom(gpu, shape);
        let info =
            vk::AccelerationStructureDeviceAddressInfoKHR::default().acceleration_structure(bottom.handle);
        // SAFETY: the structure is live.
        let address = unsafe { gpu.rays.get_acceleration_structure_device_address(&info) };
        let one = 1f32.to_bits();
        let mut words = [one, 0, 0, 0, 0, one, 0, 0, 0, 0, one, 0, 0xff << 24, 0, 0, 0];
        (words[14], words[15]) = (address as u32, (address >> 32) as u32);
        let input = gpu.buffer_with(&words);
        let instances = vk::AccelerationStructureGeometryInstancesDataKHR::default()
            .data(vk::DeviceOrHostAddressConstKHR { device_address: input.address });
        let geometries = [vk::AccelerationStructureGeometryKHR::default()
            .geometry_type(vk::GeometryTypeKHR::INSTANCES)
            .geometry(vk::AccelerationStructureGeometryDataKHR { instances })];
        let ranges = [vk::AccelerationStructureBuildRangeInfoKHR::default().primitive_count(1)];
        let info = vk::AccelerationStructureBuildGeometryInfoKHR::default()
            .ty(vk::AccelerationStructureTypeKHR::TOP_LEVEL)
            .geometries(&geometries);
        let spheres = std::mem::replace(&mut bottom.spheres, gpu.buffer(4));
        Structure::new(gpu, info, &ranges, input, spheres, Some(Box::new(bottom)))
    }

    fn new(
        gpu: &Gpu,
        info: vk::AccelerationStructureBuildGeometryInfoKHR<'_>,
        ranges: &[vk::AccelerationStructureBuildRangeInfoKHR],
        input: Buffer,
        spheres: Buffer,
        bottom: Option<Box<Structure>>,
    ) -> Structure {
        let counts: Vec<u32> = ranges.iter().map(|range| range.primitive_count).collect();
        let mut sizes = vk::AccelerationStructureBuildSizesInfoKHR::default();
        let place = vk::AccelerationStructureBuildTypeKHR::DEVICE;
        // SAFETY: valid usage of Vulkan: there is a count for each geometry, and the buffers live as long as the
        // structure.
        unsafe {
            gpu.rays.get_acceleration_structure_build_sizes(place, &info, &counts, &mut sizes);
            let storage = gpu.buffer(sizes.acceleration_structure_size);
            let scratch = gpu.buffer(sizes.build_scratch_size.max(sizes.update_scratch_size) + 256);
            let of_structure = vk::AccelerationStructureCreateInfoKHR::default()
                .buffer(storage.buffer)
                .size(sizes.acceleration_structure_size)
                .ty(info.ty);
            let handle = gpu.rays.create_acceleration_structure(&of_structure, None).expect("a structure");
            let scratch_data =
                vk::DeviceOrHostAddressKHR { device_address: scratch.address.next_multiple_of(256) };
            let info = info.dst_acceleration_structure(handle).scratch_data(scratch_data);
            let record = |info: vk::AccelerationStructureBuildGeometryInfoKHR<'_>| {
                gpu.record(|list| gpu.rays.cmd_build_acceleration_structures(list, &[info], &[ranges]))
            };
            let build = record(info);
            let mode = vk::BuildAccelerationStructureModeKHR::UPDATE;
            let update = bottom.is_none().then(|| record(info.mode(mode).src_acceleration_structure(handle)));
            let structure = Structure {
                handle,
                build,
                update,
                spheres,
                _input: input,
                _storage: storage,
                _scratch: scratch,
                _bottom: bottom,
                rays: gpu.rays.clone(),
            };
            structure.build(gpu);
            structure
        }
    }

    /// Builds the structure anew.
    pub fn build(&self, gpu: &Gpu) {
        gpu.submit(self.build);
    }

    /// Updates a bottom level.
    pub fn update(&self, gpu: &Gpu) {
        gpu.submit(self.update.expect("bottom levels are updated"));
    }
}

fn geometry<'a>(
    shape: &Shape<'_>,
    data: vk::DeviceOrHostAddressConstKHR,
    count: usize,
) -> vk::AccelerationStructureGeometryKHR<'a> {
    let (ty, geometry) = if shape.spheres {
        let aabbs = vk::AccelerationStructureGeometryAabbsDataKHR::default().data(data).stride(24);
        (vk::GeometryTypeKHR::AABBS, vk::AccelerationStructureGeometryDataKHR { aabbs })
    } else {
        let triangles = vk::AccelerationStructureGeometryTrianglesDataKHR::default()
            .vertex_format(vk::Format::R32G32B32_SFLOAT)
            .vertex_data(data)
            .vertex_stride(12)
            .max_vertex((3 * count).saturating_sub(1) as u32)
            .index_type(vk::IndexType::NONE_KHR);
        (vk::GeometryTypeKHR::TRIANGLES, vk::AccelerationStructureGeometryDataKHR { triangles })
    };
    vk::AccelerationStructureGeometryKHR::default().geometry_type(ty).geometry(geometry)
}
