//! Stages and accesses of commands, as barriers name them.
//!
//! Owns the bits of VkPipelineStageFlagBits2 and VkAccessFlagBits2 that commands use, and the [`Access`] that each
//! kind of command makes of them. Left to `mod.rs` and its neighbours: the memory that is accessed.

use quadrille_check::events::Access;

/// Bits of VkPipelineStageFlagBits2.
mod stage {
    pub const DRAW_INDIRECT: u64 = 1 << 1;
    pub const EARLY_FRAGMENT_TESTS: u64 = 1 << 8;
    pub const LATE_FRAGMENT_TESTS: u64 = 1 << 9;
    pub const COLOR_ATTACHMENT_OUTPUT: u64 = 1 << 10;
    pub const ALL_TRANSFER: u64 = 1 << 12;
    pub const COMMAND_PREPROCESS: u64 = 1 << 17;
    pub const CONDITIONAL_RENDERING: u64 = 1 << 18;
    pub const FRAGMENT_SHADING_RATE_ATTACHMENT: u64 = 1 << 22;
    pub const FRAGMENT_DENSITY_PROCESS: u64 = 1 << 23;
    pub const TRANSFORM_FEEDBACK: u64 = 1 << 24;
    pub const COPY: u64 = 1 << 32;
    pub const RESOLVE: u64 = 1 << 33;
    pub const BLIT: u64 = 1 << 34;
    pub const RAY_TRACING_SHADER: u64 = 1 << 21;
    pub const ACCELERATION_STRUCTURE_BUILD: u64 = 1 << 25;
    pub const ACCELERATION_STRUCTURE_COPY: u64 = 1 << 28;
    pub const MICROMAP_BUILD: u64 = 1 << 30;
    pub const CLEAR: u64 = 1 << 35;
    pub const INDEX_INPUT: u64 = 1 << 36;
    pub const VERTEX_ATTRIBUTE_INPUT: u64 = 1 << 37;
    pub const MEMORY_DECOMPRESSION: u64 = 1 << 45;
    pub const COPY_INDIRECT: u64 = 1 << 46;
}

/// Bits of VkAccessFlagBits2.
mod bits {
    pub const INDIRECT_COMMAND_READ: u64 = 1;
    pub const INDEX_READ: u64 = 1 << 1;
    pub const VERTEX_ATTRIBUTE_READ: u64 = 1 << 2;
    pub const COLOR_ATTACHMENT_READ: u64 = 1 << 7;
    pub const COLOR_ATTACHMENT_WRITE: u64 = 1 << 8;
    pub const DEPTH_STENCIL_ATTACHMENT_READ: u64 = 1 << 9;
    pub const DEPTH_STENCIL_ATTACHMENT_WRITE: u64 = 1 << 10;
    pub const SHADER_READ: u64 = 1 << 5;
    pub const SHADER_WRITE: u64 = 1 << 6;
    pub const TRANSFER_READ: u64 = 1 << 11;
    pub const TRANSFER_WRITE: u64 = 1 << 12;
    pub const COMMAND_PREPROCESS_READ: u64 = 1 << 17;
    pub const CONDITIONAL_RENDERING_READ: u64 = 1 << 20;
    pub const ACCELERATION_STRUCTURE_READ: u64 = 1 << 21;
    pub const ACCELERATION_STRUCTURE_WRITE: u64 = 1 << 22;
    pub const FRAGMENT_SHADING_RATE_ATTACHMENT_READ: u64 = 1 << 23;
    pub const FRAGMENT_DENSITY_MAP_READ: u64 = 1 << 24;
    pub const TRANSFORM_FEEDBACK_WRITE: u64 = 1 << 25;
    pub const TRANSFORM_FEEDBACK_COUNTER_READ: u64 = 1 << 26;
    pub const TRANSFORM_FEEDBACK_COUNTER_WRITE: u64 = 1 << 27;
    pub const SHADER_BINDING_TABLE_READ: u64 = 1 << 40;
    pub const MICROMAP_READ: u64 = 1 << 44;
    pub const MICROMAP_WRITE: u64 = 1 << 45;
    pub const MEMORY_DECOMPRESSION_READ: u64 = 1 << 55;
    pub const MEMORY_DECOMPRESSION_WRITE: u64 = 1 << 56;
}

/// Stages that an event waits for if it is set without explicit stages: VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT.
pub(in crate::command) const ALL_COMMANDS: u64 = 1 << 16;

const fn reads(stages: u64, access: u64) -> Access {
    Access { stages, access, writes: false }
}

const fn writes(stages: u64, access: u64) -> Access {
    Access { stages, access, writes: true }
}

/// Parameters of indirect draws and dispatches.
pub(super) const INDIRECT: Access = reads(stage::DRAW_INDIRECT, bits::INDIRECT_COMMAND_READ);
/// Parameters of indirect copies. Barriers may name them as parameters of draws.
pub(super) const COPY_PARAMETERS: Access =
    reads(stage::DRAW_INDIRECT | stage::COPY_INDIRECT, bits::INDIRECT_COMMAND_READ);
/// Sequences of generated commands, which are read as parameters of draws or by preprocessing.
pub(super) const SEQUENCES: Access = reads(
    stage::DRAW_INDIRECT | stage::COMMAND_PREPROCESS,
    bits::INDIRECT_COMMAND_READ | bits::COMMAND_PREPROCESS_READ,
);
/// Number and regions of an indirect decompression. Barriers may name them as parameters of draws.
pub(super) const DECOMPRESS_PARAMETERS: Access = reads(
    stage::DRAW_INDIRECT | stage::MEMORY_DECOMPRESSION,
    bits::INDIRECT_COMMAND_READ | bits::MEMORY_DECOMPRESSION_READ,
);
/// Compressed bytes.
pub(super) const DECOMPRESS_READ: Access =
    reads(stage::MEMORY_DECOMPRESSION, bits::MEMORY_DECOMPRESSION_READ);
/// Decompressed bytes.
pub(super) const DECOMPRESS_WRITE: Access =
    writes(stage::MEMORY_DECOMPRESSION, bits::MEMORY_DECOMPRESSION_WRITE);
/// Geometry and instances that a build of acceleration structures reads.
pub(super) const BUILD_INPUT: Access = reads(stage::ACCELERATION_STRUCTURE_BUILD, bits::SHADER_READ);
/// Ranges of a build of acceleration structures in memory.
pub(super) const BUILD_PARAMETERS: Access =
    reads(stage::ACCELERATION_STRUCTURE_BUILD, bits::INDIRECT_COMMAND_READ);
/// Structures that a build reads: the source of an update, or bottom levels.
pub(super) const BUILD_READ: Access =
    reads(stage::ACCELERATION_STRUCTURE_BUILD, bits::ACCELERATION_STRUCTURE_READ);
/// The structure that a build writes.
pub(super) const BUILD_WRITE: Access =
    writes(stage::ACCELERATION_STRUCTURE_BUILD, bits::ACCELERATION_STRUCTURE_WRITE);
/// Micromaps that a build of acceleration structures reads.
pub(super) const MICROMAP_READ: Access =
    reads(stage::ACCELERATION_STRUCTURE_BUILD, bits::ACCELERATION_STRUCTURE_READ | bits::MICROMAP_READ);
/// Triangles and states that a build of micromaps reads. Barriers may name either kind of build.
pub(super) const MICROMAP_INPUT: Access =
    reads(stage::ACCELERATION_STRUCTURE_BUILD | stage::MICROMAP_BUILD, bits::SHADER_READ);
/// The micromap that a build writes.
pub(super) const MICROMAP_WRITE: Access = writes(
    stage::ACCELERATION_STRUCTURE_BUILD | stage::MICROMAP_BUILD,
    bits::ACCELERATION_STRUCTURE_WRITE | bits::MICROMAP_WRITE,
);
/// Stages of copies and queries of acceleration structures and micromaps. Barriers may name each of them.
const STRUCTURE_COPY: u64 =
    stage::ACCELERATION_STRUCTURE_BUILD | stage::ACCELERATION_STRUCTURE_COPY | stage::MICROMAP_BUILD;
/// The source of a copy of an acceleration structure, and structures whose properties are queried.
pub(super) const STRUCTURE_COPY_READ: Access =
    reads(STRUCTURE_COPY, bits::ACCELERATION_STRUCTURE_READ | bits::MICROMAP_READ);
/// The destination of a copy of an acceleration structure.
pub(super) const STRUCTURE_COPY_WRITE: Access =
    writes(STRUCTURE_COPY, bits::ACCELERATION_STRUCTURE_WRITE | bits::MICROMAP_WRITE);
/// Bytes of an acceleration structure that a copy writes.
pub(super) const SERIALIZE: Access = writes(STRUCTURE_COPY, bits::TRANSFER_WRITE);
/// Bytes of an acceleration structure that a copy reads.
pub(super) const DESERIALIZE: Access = reads(STRUCTURE_COPY, bits::TRANSFER_READ);
/// Records of shader binding tables. Barriers may name them as reads by shaders.
pub(super) const BINDING_TABLE: Access =
    reads(stage::RAY_TRACING_SHADER, bits::SHADER_READ | bits::SHADER_BINDING_TABLE_READ);
/// Writes by shaders that trace rays, which no observer sees.
pub(in crate::command) const TRACED: Access = writes(stage::RAY_TRACING_SHADER, bits::SHADER_WRITE);
/// The predicate of conditional rendering.
pub(super) const PREDICATE: Access = reads(stage::CONDITIONAL_RENDERING, bits::CONDITIONAL_RENDERING_READ);
/// Indices of a draw.
pub(super) const INDEX: Access = reads(stage::INDEX_INPUT, bits::INDEX_READ);
/// Vertex attributes of a draw.
pub(super) const ATTRIBUTE: Access = reads(stage::VERTEX_ATTRIBUTE_INPUT, bits::VERTEX_ATTRIBUTE_READ);
/// The fragment shading rate attachment.
pub(super) const SHADING_RATE: Access =
    reads(stage::FRAGMENT_SHADING_RATE_ATTACHMENT, bits::FRAGMENT_SHADING_RATE_ATTACHMENT_READ);
/// The fragment density map.
pub(super) const DENSITY_MAP: Access =
    reads(stage::FRAGMENT_DENSITY_PROCESS, bits::FRAGMENT_DENSITY_MAP_READ);
/// Counters of transform feedback, read as parameters of a draw or at the beginning of capturing.
pub(super) const READ_COUNTER: Access = reads(
    stage::DRAW_INDIRECT | stage::TRANSFORM_FEEDBACK,
    bits::INDIRECT_COMMAND_READ | bits::TRANSFORM_FEEDBACK_COUNTER_READ,
);
/// Counters of transform feedback, written at the end of capturing.
pub(super) const WRITE_COUNTER: Access =
    writes(stage::TRANSFORM_FEEDBACK, bits::TRANSFORM_FEEDBACK_COUNTER_WRITE);
/// Vertices that transform feedback captures.
pub(super) const CAPTURE: Access = writes(stage::TRANSFORM_FEEDBACK, bits::TRANSFORM_FEEDBACK_WRITE);

/// A kind of transfer, as its pipeline stages.
#[derive(Clone, Copy)]
pub(super) struct Transfer(u64);

impl Transfer {
    pub const COPY: Transfer = Transfer(stage::COPY);
    pub const RESOLVE: Transfer = Transfer(stage::RESOLVE);
    pub const BLIT: Transfer = Transfer(stage::BLIT);
    pub const CLEAR: Transfer = Transfer(stage::CLEAR);
    /// Fills and updates of buffers. Barriers may name them as copies or as clears.
    pub const FILL: Transfer = Transfer(stage::COPY | stage::CLEAR);

    /// Access to the source of the transfer.
    pub const fn read(self) -> Access {
        reads(stage::ALL_TRANSFER | self.0, bits::TRANSFER_READ)
    }

    /// Access to the destination of the transfer.
    pub const fn write(self) -> Access {
        writes(stage::ALL_TRANSFER | self.0, bits::TRANSFER_WRITE)
    }
}

/// The stages and accesses of attachments of an aspect.
#[derive(Clone, Copy)]
pub(super) struct Attached {
    stages: u64,
    read: u64,
    write: u64,
}

impl Attached {
    pub const COLOR: Attached = Attached {
        stages: stage::COLOR_ATTACHMENT_OUTPUT,
        read: bits::COLOR_ATTACHMENT_READ,
        write: bits::COLOR_ATTACHMENT_WRITE,
    };
    pub const DEPTH_STENCIL: Attached = Attached {
        stages: stage::EARLY_FRAGMENT_TESTS | stage::LATE_FRAGMENT_TESTS,
        read: bits::DEPTH_STENCIL_ATTACHMENT_READ,
        write: bits::DEPTH_STENCIL_ATTACHMENT_WRITE,
    };

    /// Access of the load operation.
    pub const fn load(self, writes: bool) -> Access {
        let stages = self.stages & !stage::LATE_FRAGMENT_TESTS;
        Access { stages, ..self.access(!writes, writes) }
    }

    /// Access of the store operation.
    pub const fn store(self) -> Access {
        Access { stages: self.stages & !stage::EARLY_FRAGMENT_TESTS, ..self.access(false, true) }
    }

    /// Access of draws (output and tests) and of resolves.
    pub const fn access(self, reads: bool, writes: bool) -> Access {
        let read = if reads { self.read } else { 0 };
        let write = if writes { self.write } else { 0 };
        Access { stages: self.stages, access: read | write, writes }
    }
}
