//! Commands of acceleration structures: builds, copies and queries of properties.

use quadrille_raster::Watched;

use super::list::{Command, CommandList};
use super::record::CommandBuffer;
use super::resources::check_budget;
use super::structure_copy::{StructureCopy, StructureProperties};
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::object::same_device;
use crate::query::QueryPool;
use crate::rays::{AccelerationStructure, IndirectRanges, RecordedBuild, StructureBuild, StructureVersion};
use crate::resource::buffer::Buffer;

impl CommandBuffer {
    /// Builds or updates acceleration structures. The geometry is read when the command runs.
    /// Spec: Vulkan, vkCmdBuildAccelerationStructuresKHR.
    pub fn build_acceleration_structures(&mut self, builds: &[StructureBuild]) -> &mut Self {
        self.build(builds.iter().map(|build| RecordedBuild { build: build.clone(), ranges: None }))
    }

    /// Builds or updates acceleration structures, with ranges that are read when the command runs. The recorded ranges
    /// have the greatest numbers of primitives. Spec: Vulkan, vkCmdBuildAccelerationStructuresIndirectKHR.
    pub fn build_acceleration_structures_indirect(
        &mut self,
        builds: &[(StructureBuild, IndirectRanges)],
    ) -> &mut Self {
        let recorded = |(build, ranges): &(StructureBuild, IndirectRanges)| RecordedBuild {
            build: build.clone(),
            ranges: Some(*ranges),
        };
        self.build(builds.iter().map(recorded))
    }

    fn build(&mut self, builds: impl Iterator<Item = RecordedBuild>) -> &mut Self {
        self.step(|c| {
            c.outside("build of acceleration structures")?;
            let builds: Vec<RecordedBuild> = builds.collect();
            for RecordedBuild { build, .. } in &builds {
                same_device(&build.dst, c)?;
                build.update.iter().try_for_each(|src| same_device(src, c))?;
                build.check()?;
            }
            let builds = c.list.parameters.put(builds);
            c.add(u64::MAX, Command::BuildStructures(builds))
        })
    }

    /// Copies an acceleration structure; the copy may be compact. Spec: Vulkan, vkCmdCopyAccelerationStructureKHR.
    pub fn copy_acceleration_structure(
        &mut self,
        src: &AccelerationStructure,
        dst: &AccelerationStructure,
    ) -> &mut Self {
        self.step(|c| {
            same_device(src, c)?;
            same_device(dst, c)?;
            dst.cell()?;
            c.copy_structure(StructureCopy::Clone { src: src.clone(), dst: dst.clone() })
        })
    }

    /// Writes an acceleration structure as bytes to a buffer. Spec: Vulkan, vkCmdCopyAccelerationStructureToMemoryKHR.
    pub fn serialize_acceleration_structure(
        &mut self,
        src: &AccelerationStructure,
        (dst, offset): (&Buffer, u64),
        version: StructureVersion,
    ) -> &mut Self {
        self.step(|c| {
            same_device(src, c)?;
            let (src, dst) = (src.clone(), c.keep(dst)?);
            c.copy_structure(StructureCopy::Serialize { src, dst, offset, version })
        })
    }

    /// Writes an acceleration structure from its bytes in a buffer. Spec: Vulkan,
    /// vkCmdCopyMemoryToAccelerationStructureKHR.
    pub fn deserialize_acceleration_structure(
        &mut self,
        (src, offset): (&Buffer, u64),
        dst: &AccelerationStructure,
        version: StructureVersion,
    ) -> &mut Self {
        self.step(|c| {
            same_device(dst, c)?;
            dst.cell()?;
            let (src, dst) = (c.keep(src)?, dst.clone());
            c.copy_structure(StructureCopy::Deserialize { src, offset, dst, version })
        })
    }

    fn copy_structure(&mut self, copy: StructureCopy) -> Result<()> {
        self.outside("copy of an acceleration structure")?;
        let copy = self.list.parameters.put(copy);
        self.add(u64::MAX, Command::CopyStructure(copy))
    }

    /// Writes a property of acceleration structures, which the kind of the pool selects, to queries from `first` on.
    /// Spec: Vulkan, vkCmdWriteAccelerationStructuresPropertiesKHR.
    pub fn write_acceleration_structures_properties(
        &mut self,
        structures: &[AccelerationStructure],
        pool: &QueryPool,
        first: u32,
    ) -> &mut Self {
        self.step(|c| {
            c.outside("query of acceleration structures")?;
            pool.check(first, u32::try_from(structures.len()).unwrap_or(u32::MAX))?;
            ensure(pool.kind().is_of_structure(), || {
                format!("properties of acceleration structures in queries of {:?}", pool.kind())
            })?;
            structures.iter().try_for_each(|structure| same_device(structure, c))?;
            let (structures, pool) = (structures.to_vec(), c.keep(pool)?);
            let query = c.list.parameters.put(StructureProperties { structures, pool, first });
            c.add(0, Command::WriteStructureProperties(query))
        })
    }
}

/// Runs the builds of a command.
pub(super) fn build(device: &Device, builds: &[RecordedBuild]) -> Result<()> {
    let watched = Watched::begin(device.budget())?;
    for build in builds {
        check_budget(device, &watched, "build_acceleration_structures")?;
        build.run()?;
    }
    Ok(())
}

/// Runs a copy.
pub(super) fn copy(list: &CommandList, copy: &StructureCopy) -> Result<()> {
    match copy {
        StructureCopy::Clone { src, dst } => dst.copy_from(src),
        StructureCopy::Serialize { src, dst, offset, version } => {
            src.write_bytes(version, &list.buffers[*dst], *offset)
        }
        StructureCopy::Deserialize { src, offset, dst, version } => {
            dst.read_bytes(version, &list.buffers[*src], *offset)
        }
    }
}

/// Writes the properties of a query. The property of a structure that was not built is 0.
pub(super) fn write_properties(list: &CommandList, query: &StructureProperties) {
    let pool = &list.queries[query.pool];
    for (number, structure) in (query.first..).zip(&query.structures) {
        pool.finish(number, &[structure.property(pool.kind()).unwrap_or(0)]);
    }
}
