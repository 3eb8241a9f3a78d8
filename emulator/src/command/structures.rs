//! Commands that build acceleration structures.

use super::list::Command;
use super::record::CommandBuffer;
use crate::object::same_device;
use crate::rays::StructureBuild;

impl CommandBuffer {
    /// Builds or updates acceleration structures. The geometry is read when the command runs.
    /// Spec: Vulkan, vkCmdBuildAccelerationStructuresKHR.
    pub fn build_acceleration_structures(&mut self, builds: &[StructureBuild]) -> &mut Self {
        self.step(|c| {
            c.outside("build of acceleration structures")?;
            for build in builds {
                same_device(&build.dst, c)?;
                build.check()?;
            }
            let builds = c.list.parameters.put(builds.to_vec());
            c.add(u64::MAX, Command::BuildStructures(builds))
        })
    }
}
