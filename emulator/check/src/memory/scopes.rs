//! Masks of stages and accesses in barriers, and the accesses of shaders.
//! Spec: Vulkan, "Pipeline Stages", "Access Types".

use crate::events::Access;
use quadrille_jit::ir::{ResourceKind, Stage};

/// Bits of VkPipelineStageFlagBits2.
pub mod stages {
    pub const TOP: u64 = 1;
    pub const INDIRECT: u64 = 1 << 1;
    pub const VERTEX_INPUT: u64 = 1 << 2;
    pub const VERTEX: u64 = 1 << 3;
    pub const CONTROL: u64 = 1 << 4;
    pub const EVALUATION: u64 = 1 << 5;
    pub const GEOMETRY: u64 = 1 << 6;
    pub const FRAGMENT: u64 = 1 << 7;
    pub const EARLY_TESTS: u64 = 1 << 8;
    pub const LATE_TESTS: u64 = 1 << 9;
    pub const COLOR: u64 = 1 << 10;
    pub const COMPUTE: u64 = 1 << 11;
    pub const TRANSFER: u64 = 1 << 12;
    pub const BOTTOM: u64 = 1 << 13;
    pub const ALL_GRAPHICS: u64 = 1 << 15;
    pub const ALL: u64 = 1 << 16;
    pub const CONDITIONAL: u64 = 1 << 18;
    pub const TASK: u64 = 1 << 19;
    pub const MESH: u64 = 1 << 20;
    pub const RAY_TRACING: u64 = 1 << 21;
    pub const SHADING_RATE: u64 = 1 << 22;
    /// Earlier than early tests, without an order relative to other stages.
    pub const DENSITY: u64 = 1 << 23;
    pub const FEEDBACK: u64 = 1 << 24;
    /// Copies, resolves, blits, clears.
    pub const TRANSFERS: u64 = 1 << 32 | 1 << 33 | 1 << 34 | 1 << 35;
    /// Copies of acceleration structures.
    pub const STRUCTURE_COPY: u64 = 1 << 28;
    /// Parameters of indirect copies.
    pub const COPY_INDIRECT: u64 = 1 << 46;
    /// Index input and vertex attribute input.
    pub const INPUTS: [u64; 2] = [1 << 36, 1 << 37];
    pub const PRE_RASTERIZATION: u64 = 1 << 38;

    /// Graphics stages in pipeline order; stages of equal position are combined.
    pub const GRAPHICS: [u64; 15] = [
        INDIRECT,
        COPY_INDIRECT,
        TASK,
        VERTEX_INPUT | INPUTS[0] | INPUTS[1],
        VERTEX | MESH,
        CONTROL,
        EVALUATION,
        GEOMETRY,
        FEEDBACK,
        SHADING_RATE,
        EARLY_TESTS,
        FRAGMENT,
        LATE_TESTS,
        COLOR,
        BOTTOM,
    ];

    /// Stages that access attachments.
    pub const ATTACHMENTS: u64 = EARLY_TESTS | LATE_TESTS | COLOR;
}

/// Bits of VkAccessFlagBits2.
pub mod access {
    pub const UNIFORM_READ: u64 = 1 << 3;
    pub const INPUT_ATTACHMENT_READ: u64 = 1 << 4;
    pub const SHADER_READ: u64 = 1 << 5;
    pub const SHADER_WRITE: u64 = 1 << 6;
    pub const COLOR_READ: u64 = 1 << 7;
    pub const DEPTH_STENCIL_READ: u64 = 1 << 9;
    pub const STRUCTURE_READ: u64 = 1 << 21;
    pub const STRUCTURE_WRITE: u64 = 1 << 22;
    pub const MEMORY_READ: u64 = 1 << 15;
    pub const MEMORY_WRITE: u64 = 1 << 16;
    pub const SAMPLED_READ: u64 = 1 << 32;
    pub const STORAGE_READ: u64 = 1 << 33;
    pub const STORAGE_WRITE: u64 = 1 << 34;
    /// Reads of the sampler heap and of the resource heap.
    pub const HEAP_READS: u64 = 1 << 57 | 1 << 58;
    /// All write accesses.
    pub const WRITES: u64 = SHADER_WRITE
        | STORAGE_WRITE
        | STRUCTURE_WRITE
        | 1 << 8
        | 1 << 10
        | 1 << 12
        | 1 << 14
        | 1 << 18
        | 1 << 25
        | 1 << 27
        | 1 << 45
        | 1 << 56
        | MEMORY_WRITE;
}

/// Expands stage bits that stand for several stages.
fn named(mask: u64) -> u64 {
    use stages::*;
    let mut out = mask;
    if mask & ALL != 0 {
        return !0;
    }
    if mask & ALL_GRAPHICS != 0 {
        out |= GRAPHICS.iter().fold(0, |all, s| all | s) | PRE_RASTERIZATION | CONDITIONAL | DENSITY;
    }
    if out & PRE_RASTERIZATION != 0 {
        out |= VERTEX | CONTROL | EVALUATION | GEOMETRY | TASK | MESH;
    }
    if mask & VERTEX_INPUT != 0 {
        out |= INPUTS[0] | INPUTS[1];
    }
    if mask & TRANSFER != 0 {
        out |= TRANSFERS | STRUCTURE_COPY;
    }
    out
}

/// Returns the stages of a mask that access memory; the ends of the pipeline do not.
pub fn accessing(mask: u64) -> u64 {
    named(mask) & !(stages::TOP | stages::BOTTOM)
}

/// Returns the stages that have completed when those of a mask have: includes earlier pipeline stages.
pub fn done(mask: u64) -> u64 {
    if mask & stages::BOTTOM != 0 {
        return !0;
    }
    let mut out = named(mask & !stages::TOP);
    if out & (stages::COMPUTE | stages::RAY_TRACING) != 0 {
        out |= stages::INDIRECT;
    }
    if let Some(last) = stages::GRAPHICS.iter().rposition(|s| s & out != 0) {
        out |= stages::GRAPHICS[..last].iter().fold(0, |all, s| all | s);
    }
    if out & stages::EARLY_TESTS != 0 {
        out |= stages::DENSITY;
    }
    if out & (stages::TRANSFERS | stages::COMPUTE) != 0 {
        out |= stages::COPY_INDIRECT;
    }
    out
}

/// Returns the stages that wait when those of a mask do: includes later pipeline stages.
pub fn waiting(mask: u64) -> u64 {
    if mask & stages::TOP != 0 {
        return !0;
    }
    let mut out = named(mask & !stages::BOTTOM);
    if out & stages::INDIRECT != 0 {
        out |= stages::COMPUTE | stages::RAY_TRACING;
    }
    // Barriers for all graphics stages do not mean copies.
    if mask & stages::COPY_INDIRECT != 0 {
        out |= stages::COMPUTE | stages::TRANSFERS;
    }
    if out & stages::DENSITY != 0 {
        out |= stages::EARLY_TESTS;
    }
    if let Some(first) = stages::GRAPHICS.iter().position(|s| s & out != 0) {
        out |= stages::GRAPHICS[first..].iter().fold(0, |all, s| all | s);
    }
    out
}

/// Expands access bits that stand for several accesses.
pub fn accesses(mask: u64) -> u64 {
    use access::*;
    let mut out = mask;
    if mask & MEMORY_READ != 0 {
        out |= !WRITES;
    }
    if mask & MEMORY_WRITE != 0 {
        out |= WRITES;
    }
    if mask & SHADER_READ != 0 {
        out |= SAMPLED_READ | STORAGE_READ;
    }
    if mask & SHADER_WRITE != 0 {
        out |= STORAGE_WRITE;
    }
    out
}

/// Returns the pipeline stage of a shader.
fn stage(stage: Stage) -> u64 {
    use stages::*;
    match stage {
        Stage::Vertex => VERTEX,
        Stage::TessellationControl => CONTROL,
        Stage::TessellationEvaluation => EVALUATION,
        Stage::Geometry => GEOMETRY,
        Stage::Fragment => FRAGMENT,
        Stage::Task => TASK,
        Stage::Mesh => MESH,
        of if of.is_of_rays() => RAY_TRACING,
        _ => COMPUTE,
    }
}

/// Returns the stage and access of a shader's access to a resource; `None` stands for an unknown kind of resource.
pub fn of_shader(of: Stage, resource: Option<ResourceKind>, writes: bool) -> Access {
    use access::*;
    let reads = match resource {
        Some(ResourceKind::UniformBuffer) => UNIFORM_READ,
        Some(ResourceKind::InputAttachment) => INPUT_ATTACHMENT_READ,
        Some(ResourceKind::AccelerationStructure) => STRUCTURE_READ,
        Some(ResourceKind::StorageBuffer | ResourceKind::StorageImage | ResourceKind::StorageTexelBuffer) => {
            STORAGE_READ
        }
        Some(_) => SAMPLED_READ,
        None => UNIFORM_READ | SAMPLED_READ | STORAGE_READ,
    };
    Access { stages: stage(of), access: if writes { STORAGE_WRITE } else { reads }, writes }
}

/// Returns the stage and access of a shader's read of a descriptor heap: of a descriptor, or of data that a uniform block
/// is mapped to.
pub fn of_heap(of: Stage) -> Access {
    let data = of_shader(of, Some(ResourceKind::UniformBuffer), false);
    Access { access: data.access | access::HEAP_READS, ..data }
}

/// True for an access to an attachment as such.
pub fn is_attachment(by: &Access) -> bool {
    by.stages & stages::ATTACHMENTS != 0
}

/// Returns the stage and access of a read of a tile image: an access in the stages of the attachment if it is in
/// rasterization order. Spec: Vulkan, "Fragment Shader Tile Image Reads".
pub fn of_tile_image(is_color: bool, in_order: bool) -> Access {
    let (own, access) = match is_color {
        true => (stages::COLOR, access::COLOR_READ),
        false => (stages::EARLY_TESTS | stages::LATE_TESTS, access::DEPTH_STENCIL_READ),
    };
    Access { stages: if in_order { own } else { stages::FRAGMENT }, access, writes: false }
}

/// Returns the stage and access of a read of an input attachment in rasterization order, which needs no barrier between
/// draws. Spec: Vulkan, VK_EXT_rasterization_order_attachment_access.
pub fn of_input_in_order() -> Access {
    let stages = stages::FRAGMENT | stages::ATTACHMENTS;
    Access { stages, access: access::INPUT_ATTACHMENT_READ, writes: false }
}

/// True if a shader's access is a read of an input attachment or of a tile image.
pub fn is_input(by: &Access) -> bool {
    matches!(by.access, access::INPUT_ATTACHMENT_READ | access::COLOR_READ | access::DEPTH_STENCIL_READ)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_the_pipeline_access_nothing() {
        assert_eq!((done(stages::TOP), waiting(stages::BOTTOM)), (0, 0));
        assert_eq!((done(stages::BOTTOM), waiting(stages::TOP)), (!0, !0));
        assert_eq!(accessing(stages::TOP | stages::BOTTOM | stages::COMPUTE), stages::COMPUTE);
    }

    /// Spec: Vulkan, "Pipeline Stages": the density map is read earlier than early tests.
    #[test]
    fn density_maps_are_read_before_early_tests() {
        assert_eq!(done(stages::DENSITY), stages::DENSITY);
        assert_eq!(done(stages::VERTEX) & stages::DENSITY, 0);
        assert_ne!(done(stages::FRAGMENT) & stages::DENSITY, 0);
        assert_eq!(waiting(stages::DENSITY) & stages::VERTEX, 0);
        assert_ne!(waiting(stages::DENSITY) & stages::FRAGMENT, 0);
        assert_eq!(waiting(stages::VERTEX) & stages::DENSITY, 0);
        assert_ne!(accessing(stages::ALL_GRAPHICS) & stages::DENSITY, 0);
    }

    /// Spec: Vulkan, "Pipeline Stages": the ray tracing pipeline begins with the parameters of indirect commands.
    #[test]
    fn parameters_are_read_before_shaders_run() {
        for shaders in [stages::COMPUTE, stages::RAY_TRACING, stages::VERTEX, stages::MESH] {
            assert_ne!(done(shaders) & stages::INDIRECT, 0, "{shaders:#x}");
            assert_ne!(waiting(stages::INDIRECT) & shaders, 0, "{shaders:#x}");
        }
    }

    /// Spec: Vulkan, "Pipeline Stages": parameters of indirect copies are read earlier than transfers, which parameters of
    /// draws are not.
    #[test]
    fn parameters_of_copies_are_read_before_copies() {
        let [draw, copy] = [stages::INDIRECT, stages::COPY_INDIRECT];
        for later in [stages::TRANSFERS, stages::COMPUTE, stages::COLOR] {
            assert_ne!(done(later) & copy, 0, "{later:#x}");
            assert_ne!(waiting(copy) & later, 0, "{later:#x}");
        }
        assert_ne!(done(stages::TRANSFER) & copy, 0);
        assert_eq!(waiting(stages::ALL_GRAPHICS) & stages::TRANSFERS, 0);
        assert_eq!((done(stages::TRANSFERS) & draw, waiting(draw) & stages::TRANSFERS), (0, 0));
        assert_ne!(accessing(stages::TRANSFER) & stages::STRUCTURE_COPY, 0);
    }

    /// Writes of preprocessed commands and of micromaps do not read memory.
    #[test]
    fn all_writes_are_writes() {
        for write in [1 << 18, 1 << 45, access::STRUCTURE_WRITE] {
            assert_eq!(accesses(access::MEMORY_READ) & write, 0, "{write:#x}");
            assert_eq!(accesses(access::MEMORY_WRITE) & write, write, "{write:#x}");
        }
    }

    #[test]
    fn reads_of_shaders_are_of_their_sort() {
        let uniform = of_shader(Stage::Fragment, Some(ResourceKind::UniformBuffer), false);
        assert_eq!(
            accesses(access::SHADER_READ) & uniform.access,
            0,
            "VK_ACCESS_UNIFORM_READ_BIT is its own"
        );
        let heap = of_heap(Stage::Fragment);
        for read in [access::UNIFORM_READ, 1 << 57, 1 << 58] {
            assert_ne!(accesses(read) & heap.access, 0, "{read:#x}");
        }
        let stored = of_shader(Stage::Fragment, Some(ResourceKind::StorageBuffer), true);
        assert_ne!(accesses(access::SHADER_WRITE) & stored.access, 0);
        assert_eq!(accesses(access::SHADER_READ) & stored.access, 0);
    }
}
