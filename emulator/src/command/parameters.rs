//! Parameters of commands that would make all commands large if they stood in them.

use quadrille_jit::ir::MAX_STREAMS;
use quadrille_raster::pass::Draw;

use super::kept::Ref;
use crate::buffer::Buffer;
use crate::copies::SubresourceLayers;
use crate::image::Image;
use crate::query::QueryPool;

/// What a draw draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawKind {
    /// Vertices.
    Vertices,
    /// Vertices that indices name.
    Indexed,
    /// Workgroups of the task or mesh stage.
    Meshes,
}

impl DrawKind {
    /// Words of its parameters in a buffer. Spec: Vulkan, VkDrawIndirectCommand and its kin.
    pub fn words(self) -> usize {
        match self {
            DrawKind::Vertices => 4,
            DrawKind::Indexed => 5,
            DrawKind::Meshes => 3,
        }
    }
}

/// Parameters of draws in a buffer.
pub(crate) struct Indirect {
    pub buffer: Ref<Buffer>,
    pub offset: u64,
    pub stride: u32,
    pub max_draws: u32,
    pub kind: DrawKind,
    /// Number of draws, if it is in a buffer.
    pub count: Option<(Ref<Buffer>, u64)>,
}

/// Words in buffers that say how much has been captured, by number of the feedback buffer.
pub(super) type Counters = [Option<(Ref<Buffer>, u64)>; MAX_STREAMS];

/// Parameters of a draw whose vertices a counter counts.
pub(crate) struct ByteCount {
    pub counter: (Ref<Buffer>, u64),
    pub counter_offset: u32,
    pub stride: u32,
    /// Without the count of vertices.
    pub draw: Draw,
}

impl ByteCount {
    /// Vertices, when so many bytes have been captured.
    pub fn vertices(&self, captured: u32) -> u32 {
        captured.saturating_sub(self.counter_offset) / self.stride.max(1)
    }
}

/// Spec: Vulkan, vkCmdCopyMemoryIndirectKHR and vkCmdCopyMemoryToImageIndirectKHR.
pub(crate) struct CopyIndirect {
    pub parameters: Ref<Buffer>,
    pub offset: u64,
    pub stride: u64,
    pub count: u32,
    /// The image that is copied to, and in which layers by copy; `None` copies to memory.
    pub image: Option<(Ref<Image>, Vec<SubresourceLayers>)>,
}

/// Spec: Vulkan, vkCmdCopyQueryPoolResults.
pub(crate) struct CopyQueryResults {
    pub pool: Ref<QueryPool>,
    pub first: u32,
    pub count: u32,
    pub dst: Ref<Buffer>,
    pub offset: u64,
    pub stride: u64,
    pub wide: bool,
    pub availability: bool,
    pub partial: bool,
}
