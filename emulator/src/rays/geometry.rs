//! Geometry of acceleration structures, as applications describe it: addresses, formats and ranges of primitives.

use quadrille_raster::format::Format;

use crate::flags::GeometryFlags;

/// Indices of triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Indices {
    /// Every three vertices are a triangle.
    None,
    /// 8-bit indices at a device address.
    U8(u64),
    /// 16-bit indices at a device address.
    U16(u64),
    /// 32-bit indices at a device address.
    U32(u64),
}

/// Data of a geometry, at device addresses. Spec: Vulkan, VkAccelerationStructureGeometryDataKHR.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GeometryData {
    /// Triangles.
    Triangles {
        /// Format of the positions; of formats with two components, z is 0.
        format: Format,
        /// Address of the vertices.
        vertices: u64,
        /// Distance between vertices, in bytes.
        stride: u64,
        /// Highest index of a vertex.
        max_vertex: u32,
        /// The indices.
        indices: Indices,
        /// Address of a matrix of three rows of four floats, or 0.
        transform: u64,
    },
    /// Axis-aligned boxes: six floats each, the lower corner first.
    Aabbs {
        /// Address of the boxes.
        data: u64,
        /// Distance between boxes, in bytes.
        stride: u64,
    },
    /// Instances of other structures. Spec: Vulkan, VkAccelerationStructureInstanceKHR.
    Instances {
        /// Address of the instances, 64 bytes each, or of their addresses.
        data: u64,
        /// `true` if `data` leads to addresses of instances.
        pointers: bool,
    },
    /// Triangles of a micromap. Spec: Vulkan, VkAccelerationStructureGeometryMicromapDataKHR.
    Micromap {
        /// Address of the states.
        data: u64,
        /// Address of the triangles, 8 bytes each. Spec: Vulkan, VkMicromapTriangleKHR.
        triangles: u64,
        /// Distance between triangles, in bytes.
        stride: u64,
        /// Number of bytes that the states of all triangles have.
        states: u64,
    },
}

/// Opacities of triangles. Spec: Vulkan, VkAccelerationStructureTrianglesOpacityMicromapKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TriangleOpacity {
    /// Indices of triangles of the micromap, or special indices; `None` for the numbers of the triangles.
    pub indices: Indices,
    /// Distance between indices, in bytes.
    pub stride: u64,
    /// Number that is added to indices that are not special.
    pub base: u32,
    /// Device address of the micromap when the command was recorded; 0 for none.
    pub micromap: u64,
}

/// A geometry of a build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructureGeometry {
    /// The data.
    pub data: GeometryData,
    /// Flags.
    pub flags: GeometryFlags,
    /// Opacities of triangles.
    pub opacity: Option<TriangleOpacity>,
}

impl StructureGeometry {
    /// A geometry without opacities of its triangles.
    pub fn new(data: GeometryData, flags: GeometryFlags) -> StructureGeometry {
        StructureGeometry { data, flags, opacity: None }
    }
}

/// Part of the data that a build uses. Spec: Vulkan, VkAccelerationStructureBuildRangeInfoKHR.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BuildRange {
    /// Number of triangles, boxes or instances.
    pub primitive_count: u32,
    /// Byte offset of the first index, box or instance; of the first vertex if there are no indices.
    pub primitive_offset: u32,
    /// Index of the first vertex, which is added to all indices.
    pub first_vertex: u32,
    /// Byte offset of the matrix.
    pub transform_offset: u32,
}
