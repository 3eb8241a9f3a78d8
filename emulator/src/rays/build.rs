//! Builds of acceleration structures: descriptions, sizes, and execution.

use std::sync::Arc;

use quadrille_rays::{self as rays, BottomLevel, BuildError, BuildOptions, Kind, Quality, TopLevel};

use super::AccelerationStructure;
use super::decode::{self, Decoded};
use super::geometry::{BuildRange, GeometryData, StructureGeometry};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::BuildFlags;
use crate::tables::structures::Tree;

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
