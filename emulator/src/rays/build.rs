//! Builds of acceleration structures: descriptions, sizes, and execution.

use std::sync::Arc;

use quadrille_raster::format::Format;
use quadrille_rays::{self as rays, BottomLevel, BuildError, BuildOptions, Kind, Quality, TopLevel};

use super::AccelerationStructure;
use super::decode::{self, Decoded};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::flags;
use crate::tables::structures::Tree;

flags! {
    /// Flags of a geometry. Spec: Vulkan, VkGeometryFlagBitsKHR.
    GeometryFlags: u32 {
        /// Hits need no confirmation.
        OPAQUE = 0x1;
        /// Each primitive is reported at most once for each ray.
        NO_DUPLICATE_ANY_HIT_INVOCATION = 0x2;
    }
}

flags! {
    /// Flags of a build. Spec: Vulkan, VkBuildAccelerationStructureFlagBitsKHR.
    BuildFlags: u32 {
        /// The structure can be updated.
        ALLOW_UPDATE = 0x1;
        /// The structure can be compacted.
        ALLOW_COMPACTION = 0x2;
        /// Rays are fast.
        PREFER_FAST_TRACE = 0x4;
        /// Building is fast.
        PREFER_FAST_BUILD = 0x8;
        /// Memory is small.
        LOW_MEMORY = 0x10;
        /// Shaders can read the positions of vertices.
        ALLOW_DATA_ACCESS = 0x800;
    }
}

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
}

/// A geometry of a build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructureGeometry {
    /// The data.
    pub data: GeometryData,
    /// Flags.
    pub flags: GeometryFlags,
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

/// A build. Geometries are all triangles or all boxes (bottom level), or a single list of instances (top level).
#[derive(Clone, Debug)]
pub struct StructureBuild {
    /// Flags.
    pub flags: BuildFlags,
    /// The structure that is updated, which may be the destination. `None` builds anew.
    pub update: Option<AccelerationStructure>,
    /// The destination.
    pub dst: AccelerationStructure,
    /// The geometries, each with its range.
    pub geometries: Vec<(StructureGeometry, BuildRange)>,
}

/// Sizes of a build's memory, in bytes. Spec: Vulkan, VkAccelerationStructureBuildSizesInfoKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StructureSizes {
    /// The structure.
    pub structure: u64,
    /// Scratch memory of a build, which the device does not use: it has memory of its own.
    pub build_scratch: u64,
    /// Scratch memory of an update, which the device does not use.
    pub update_scratch: u64,
}

/// Scratch memory of a build, in bytes. Not zero, because applications create a buffer of this size.
const SCRATCH: u64 = 64;

fn options(flags: BuildFlags) -> BuildOptions {
    let quality = match flags {
        f if f.contains(BuildFlags::PREFER_FAST_TRACE) => Quality::FastTrace,
        f if f.contains(BuildFlags::PREFER_FAST_BUILD) => Quality::FastBuild,
        _ => Quality::Balanced,
    };
    BuildOptions { quality, allow_update: flags.contains(BuildFlags::ALLOW_UPDATE) }
}

/// `true` for the data of a top level.
fn is_instances(geometry: &StructureGeometry) -> bool {
    matches!(geometry.data, GeometryData::Instances { .. })
}

impl Device {
    /// Returns the memory that a structure needs for geometries with at most so many primitives. Addresses are not used.
    pub fn acceleration_structure_sizes(&self, geometries: &[(StructureGeometry, u32)]) -> StructureSizes {
        let count = geometries.iter().map(|(_, count)| u64::from(*count)).sum();
        let bytes = match geometries.first().map(|(g, _)| g.data) {
            Some(GeometryData::Instances { .. }) => rays::estimate_top(count),
            Some(GeometryData::Aabbs { .. }) => rays::estimate_bottom(Kind::Boxes, geometries.len(), count),
            _ => rays::estimate_bottom(Kind::Triangles, geometries.len(), count),
        };
        let structure = bytes.next_multiple_of(256);
        StructureSizes { structure, build_scratch: SCRATCH, update_scratch: SCRATCH }
    }
}

impl StructureBuild {
    /// Returns `Invalid` unless the geometries go together.
    pub(crate) fn check(&self) -> Result<()> {
        let top = self.geometries.iter().any(|(g, _)| is_instances(g));
        ensure(!top || self.geometries.len() == 1, || {
            format!("a top level of {} geometries, instead of one list of instances", self.geometries.len())
        })?;
        let boxes = |g: &StructureGeometry| matches!(g.data, GeometryData::Aabbs { .. });
        let mixed = self.geometries.iter().any(|(g, _)| boxes(g) != boxes(&self.geometries[0].0));
        ensure(!mixed, || "a bottom level of triangles and boxes".into())
    }

    /// Builds or updates the destination. An update that changes more than positions and transforms builds anew.
    pub(crate) fn run(&self, device: &Device) -> Result<()> {
        let old = self.update.as_ref().and_then(|source| source.cell().tree());
        let tree = match self.geometries.first() {
            Some((StructureGeometry { data: GeometryData::Instances { data, pointers }, .. }, range)) => {
                let instances = decode::instances(device, *data, *pointers, range)?;
                let updated = match old {
                    Some(Tree::Top(old)) => old.update(&instances).ok(),
                    Some(Tree::Bottom(_)) | None => None,
                };
                Tree::Top(Arc::new(made(updated, || TopLevel::build(&instances, options(self.flags)))?))
            }
            _ => {
                let decoded = self.geometries.iter().map(|(g, range)| decode::geometry(device, g, range));
                let decoded: Vec<Decoded> = decoded.collect::<Result<_>>()?;
                let geometries: Vec<rays::Geometry<'_>> =
                    decoded.iter().zip(&self.geometries).map(|(d, (g, _))| d.geometry(g.flags)).collect();
                let updated = match old {
                    Some(Tree::Bottom(old)) => old.update(&geometries).ok(),
                    Some(Tree::Top(_)) | None => None,
                };
                let built = made(updated, || BottomLevel::build(&geometries, options(self.flags)))?;
                Tree::Bottom(Arc::new(built))
            }
        };
        self.dst.cell().set(tree);
        Ok(())
    }
}

/// The updated tree, or else a new one.
fn made<T>(updated: Option<T>, build: impl FnOnce() -> std::result::Result<T, BuildError>) -> Result<T> {
    match updated {
        Some(tree) => Ok(tree),
        None => build().map_err(|e| match e {
            BuildError::OutOfMemory(_) => Error::OutOfMemory(e.to_string()),
            BuildError::TooMany(_) => Error::Limit(e.to_string()),
            BuildError::MixedGeometries | BuildError::NotUpdatable | BuildError::Changed(_) => {
                Error::invalid(e.to_string())
            }
        }),
    }
}
