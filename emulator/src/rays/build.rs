//! Builds of acceleration structures: descriptions, sizes, and execution.

use std::borrow::Cow;
use std::sync::Arc;

use quadrille_jit::reserve;
use quadrille_rays::{self as rays, BottomLevel, BuildError, BuildOptions, Kind, Quality, TopLevel};

use super::AccelerationStructure;
use super::decode::{self, Decoded};
use super::geometry::{BuildRange, GeometryData, StructureGeometry};
use super::micromap;
use super::source::{HostMemory, Source};
use crate::device::Device;
use crate::error::{Error, Result, ensure, guard};
use crate::flags::{BufferUsage, BuildFlags};
use crate::limits::{LIMITS, at_most};
use crate::memory::Charge;
use crate::object::same_device;
use crate::resource::buffer::Buffer;
use crate::tables::structures::{Bottom, References, Top, Tree};

/// A build. Geometries are all triangles or all boxes (bottom level), or a single list of instances (top level) or of
/// triangles of a micromap (micromap).
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

/// Location of the ranges of a build. The ranges that were recorded have the greatest numbers of primitives. Spec:
/// Vulkan, vkCmdBuildAccelerationStructuresIndirectKHR.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IndirectRanges {
    /// Device address of the range of the first geometry, a VkAccelerationStructureBuildRangeInfoKHR.
    pub address: u64,
    /// Distance between ranges, in bytes.
    pub stride: u32,
}

/// A build that was recorded, with the location of its ranges if they are in memory.
#[derive(Clone, Debug)]
pub(crate) struct RecordedBuild {
    pub build: StructureBuild,
    pub ranges: Option<IndirectRanges>,
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

/// `true` for the data of a micromap.
pub(super) fn is_micromap(geometry: &StructureGeometry) -> bool {
    matches!(geometry.data, GeometryData::Micromap { .. })
}

/// `true` for the data of a top level.
fn is_instances(geometry: &StructureGeometry) -> bool {
    matches!(geometry.data, GeometryData::Instances { .. })
}

/// Estimated size of a structure of geometries with so many primitives, in bytes.
fn estimate<'g>(geometries: impl ExactSizeIterator<Item = (&'g StructureGeometry, u32)> + Clone) -> u64 {
    let count = geometries.clone().map(|(_, count)| u64::from(count)).sum();
    let n_geometries = geometries.len();
    let bytes = match geometries.clone().next().map(|(g, _)| g.data) {
        Some(GeometryData::Instances { .. }) => rays::estimate_top(count),
        Some(GeometryData::Micromap { states, .. }) => micromap::estimate(count, states),
        Some(GeometryData::Aabbs { .. }) => rays::estimate_bottom(Kind::Boxes, n_geometries, count),
        Some(GeometryData::Triangles { .. }) | None => {
            rays::estimate_bottom(Kind::Triangles, n_geometries, count)
        }
    };
    bytes.next_multiple_of(super::ALIGNMENT)
}

impl Device {
    /// Returns the memory that a structure needs for geometries with at most so many primitives. Addresses are not used.
    pub fn acceleration_structure_sizes(&self, geometries: &[(StructureGeometry, u32)]) -> StructureSizes {
        let structure = estimate(geometries.iter().map(|(g, count)| (g, *count)));
        StructureSizes { structure, build_scratch: SCRATCH, update_scratch: SCRATCH }
    }

    /// Builds structures now, from memory of the host. Spec: Vulkan, vkBuildAccelerationStructuresKHR.
    ///
    /// # Errors
    /// `Invalid` for a structure of another device or without bound memory, and for geometries that do not go together
    /// or do not fit the structure. `Unsupported` for a format of positions, `Limit` for too many geometries,
    /// primitives or instances. `OutOfMemory` if the host or the heap lacks memory.
    pub fn build_acceleration_structures(
        &self,
        builds: &[StructureBuild],
        memory: &dyn HostMemory,
    ) -> Result<()> {
        self.check_process()?;
        guard("build of acceleration structures", || {
            for build in builds {
                same_device(&build.dst, self)?;
                build.check()?;
                build.run(Source::Host(memory))?;
            }
            Ok(())
        })
    }
}

impl StructureBuild {
    /// Returns `Invalid` unless the geometries go together and fit the destination.
    pub(crate) fn check(&self) -> Result<()> {
        let micromap = self.is_micromap();
        ensure(!micromap || self.geometries.len() == 1, || {
            format!("a micromap of {} geometries", self.geometries.len())
        })?;
        let top = self.geometries.iter().any(|(g, _)| is_instances(g));
        ensure(!top || self.geometries.len() == 1, || {
            format!("a top level of {} geometries, instead of one list of instances", self.geometries.len())
        })?;
        let boxes = |g: &StructureGeometry| matches!(g.data, GeometryData::Aabbs { .. });
        let mixed = self.geometries.iter().any(|(g, _)| boxes(g) != boxes(&self.geometries[0].0));
        ensure(!mixed, || "a bottom level of triangles and boxes".into())?;
        let count = self.geometries.iter().map(|(_, range)| u64::from(range.primitive_count)).sum();
        match top {
            true => at_most("instances of a top level", count, LIMITS.max_instance_count)?,
            false if micromap => at_most("triangles of a micromap", count, LIMITS.max_micromap_triangles)?,
            false => {
                let n = self.geometries.len() as u64;
                at_most("geometries of a bottom level", n, LIMITS.max_geometry_count)?;
                at_most("primitives of a bottom level", count, LIMITS.max_primitive_count)?;
            }
        }
        for (geometry, _) in &self.geometries {
            if let GeometryData::Triangles { format, .. } = geometry.data {
                decode::is_needed(format)?;
            }
        }
        self.dst.cell()?;
        // A compacted structure is large enough for updates.
        if self.update.is_none() { self.fits() } else { Ok(()) }
    }

    /// `true` for builds of micromaps.
    pub(crate) fn is_micromap(&self) -> bool {
        self.geometries.iter().any(|(g, _)| is_micromap(g))
    }

    /// `true` for builds of micromaps in buffers for a VkMicromapEXT, instead of a VkAccelerationStructureKHR.
    pub(crate) fn is_micromap_object(&self) -> bool {
        self.is_micromap() && self.dst.buffer().usage().contains(BufferUsage::MICROMAP_STORAGE)
    }

    /// Returns `Invalid` unless the destination is large enough for a new tree.
    fn fits(&self) -> Result<()> {
        let needed = estimate(self.geometries.iter().map(|(g, range)| (g, range.primitive_count)));
        let size = self.dst.size();
        ensure(needed <= size, || {
            format!("a build that needs {needed} bytes, in an acceleration structure of {size} bytes")
        })
    }

    /// Builds or updates the destination. An update that changes more than positions and transforms builds anew.
    pub(super) fn run(&self, source: Source<'_>) -> Result<()> {
        let device = self.dst.device();
        let old = match &self.update {
            Some(old) => old.cell()?.tree(),
            None => None,
        };
        let tree = match self.geometries.first() {
            Some((StructureGeometry { data: GeometryData::Instances { data, pointers }, .. }, range)) => {
                let instances = decode::instances(source, *data, *pointers, range)?;
                self.on_threads(|| self.top(device, old, instances))?
            }
            Some((
                StructureGeometry { data: GeometryData::Micromap { data, triangles, stride, .. }, .. },
                range,
            )) => micromap::build(device, source, (*data, *triangles, *stride), range)?,
            _ => self.on_threads(|| {
                let geometries = self.geometries.iter().collect();
                let decoded = rays::map(geometries, |(g, range)| decode::geometry(device, source, g, range));
                let decoded: Vec<Decoded> = decoded.into_iter().collect::<Result<_>>()?;
                let geometries: Vec<rays::Geometry<'_>> =
                    decoded.iter().zip(&self.geometries).map(|(d, (g, _))| d.geometry(g.flags)).collect();
                self.bottom(device, old, &geometries)
            })?,
        };
        self.dst.cell()?.set(tree);
        Ok(())
    }

    /// Calls a function in which the builders use all threads, unless the primitives are few.
    fn on_threads<T: Send>(&self, build: impl FnOnce() -> Result<T> + Send) -> Result<T> {
        let primitives: u64 = self.geometries.iter().map(|(_, range)| u64::from(range.primitive_count)).sum();
        if primitives <= rays::FEW_PRIMITIVES as u64 {
            return build();
        }
        self.dst.device().builders()?.run(build)
    }

    fn bottom(&self, device: &Device, old: Option<Tree>, geometries: &[rays::Geometry<'_>]) -> Result<Tree> {
        let updated = match old {
            Some(Tree::Bottom(old)) => old.level.update(geometries).ok(),
            Some(Tree::Top(_) | Tree::Micromap(_)) | None => None,
        };
        let level = match updated {
            Some(level) => level,
            None => {
                self.fits()?;
                BottomLevel::build(geometries, options(self.flags)).map_err(error)?
            }
        };
        let opacities = self.geometries.iter().filter_map(|(geometry, _)| geometry.opacity);
        let micromaps = opacities.map(|opacity| opacity.micromap).filter(|&micromap| micromap != 0);
        bottom(device, level, micromaps.collect())
    }

    fn top(&self, device: &Device, old: Option<Tree>, instances: decode::Instances) -> Result<Tree> {
        let decode::Instances { all, references } = instances;
        let updated = match old {
            Some(Tree::Top(old)) => old.level.update(&all).ok(),
            Some(Tree::Bottom(_) | Tree::Micromap(_)) | None => None,
        };
        let level = match updated {
            Some(level) => level,
            None => {
                self.fits()?;
                TopLevel::build(&all, options(self.flags)).map_err(error)?
            }
        };
        top(device, level, references)
    }
}

/// The contents of a bottom level, which keeps its micromaps; those of the build had these device addresses.
pub(super) fn bottom(device: &Device, level: BottomLevel, micromaps: Arc<[u64]>) -> Result<Tree> {
    let size = level.size().saturating_add(level.micromap_size());
    let charge = Arc::new(Charge::new(device.heap(), size)?);
    Ok(Tree::Bottom(Bottom { level: Arc::new(level), micromaps, charge }))
}

/// The contents of a top level.
pub(super) fn top(device: &Device, level: TopLevel, references: References) -> Result<Tree> {
    let charge = Arc::new(Charge::new(device.heap(), level.size())?);
    Ok(Tree::Top(Top { level: Arc::new(level), references, charge }))
}

/// The error of a build.
pub(super) fn error(e: BuildError) -> Error {
    match e {
        BuildError::OutOfMemory(_) => Error::OutOfMemory(e.to_string()),
        BuildError::TooMany(_) => Error::Limit(e.to_string()),
        BuildError::MixedGeometries | BuildError::NotUpdatable | BuildError::Changed(_) => {
            Error::invalid(e.to_string())
        }
    }
}

/// Size of a VkAccelerationStructureBuildRangeInfoKHR, in bytes.
const RANGE_BYTES: u64 = 16;

impl RecordedBuild {
    /// Returns the build with its ranges. Geometries whose range is in no buffer have no primitives.
    pub fn resolved(&self) -> Cow<'_, StructureBuild> {
        let Some(IndirectRanges { address, stride }) = self.ranges else {
            return Cow::Borrowed(&self.build);
        };
        let mut build = self.build.clone();
        for (i, (_, range)) in (0u64..).zip(&mut build.geometries) {
            let at = address.wrapping_add(i * u64::from(stride));
            let place = Buffer::at(self.build.dst.device(), at).ok();
            let words = place.and_then(|(buffer, at)| buffer.read_array(at).ok());
            let most = range.primitive_count;
            *range = match words {
                Some([count, primitive_offset, first_vertex, transform_offset]) => BuildRange {
                    primitive_count: most.min(count),
                    primitive_offset,
                    first_vertex,
                    transform_offset,
                },
                None => BuildRange::default(),
            };
        }
        Cow::Owned(build)
    }

    /// Runs the build.
    pub fn run(&self) -> Result<()> {
        self.resolved().run(Source::Device(self.build.dst.device()))
    }

    /// Visits the bytes that hold the ranges of the build.
    pub fn parameters(&self, visit: Visit<'_>) {
        let Some(IndirectRanges { address, stride }) = self.ranges else { return };
        for i in 0..self.build.geometries.len() as u64 {
            self.visit(address.wrapping_add(i * u64::from(stride)), RANGE_BYTES, visit);
        }
    }

    /// Visits the bytes of geometry and instances that the build reads.
    pub fn reads(&self, visit: Visit<'_>) {
        let source = Source::Device(self.build.dst.device());
        let build = self.resolved();
        for (geometry, range) in &build.geometries {
            for (address, size) in decode::reads(source, geometry, range) {
                self.visit(address, size, visit);
            }
            if let Some(opacity) = &geometry.opacity {
                let (address, size) = micromap::index_bytes(opacity, range);
                self.visit(address, size, visit);
            }
        }
    }

    /// Visits the first bytes of the micromaps that the build reads.
    pub fn micromaps(&self, visit: Visit<'_>) {
        let all = self.build.geometries.iter().filter_map(|(geometry, _)| geometry.opacity);
        all.for_each(|opacity| self.visit(opacity.micromap, super::ALIGNMENT, visit));
    }

    /// Visits the first bytes of the bottom levels that the build refers to.
    pub fn bottoms(&self, visit: Visit<'_>) {
        let source = Source::Device(self.build.dst.device());
        let build = self.resolved();
        for (geometry, range) in &build.geometries {
            if let GeometryData::Instances { data, pointers } = geometry.data {
                let instances = reserve::carry(decode::instances(source, data, pointers, range));
                instances.references.all.iter().for_each(|b| self.visit(b.address, super::ALIGNMENT, visit));
            }
        }
    }

    fn visit(&self, address: u64, size: u64, visit: Visit<'_>) {
        if let Ok((buffer, offset)) = Buffer::at(self.build.dst.device(), address) {
            visit(&buffer, offset, size);
        }
    }
}

/// Receives a range of a buffer: the buffer, the first byte, and the number of bytes, some of which may be past the end.
pub(crate) type Visit<'a> = &'a mut dyn FnMut(&Buffer, u64, u64);
