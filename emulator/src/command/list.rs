//! What a command buffer holds when it is recorded.

use std::sync::Arc;

use quadrille_jit::abi;
use quadrille_raster::buffer::IndexType;
use quadrille_raster::draw_state::DrawState;
use quadrille_raster::pass::Draw;
use quadrille_raster::state::Dynamic;
use smallvec::SmallVec;

use crate::buffer::Buffer;
use crate::copies::{
    BufferCopy, BufferImageCopy, ClearAttachment, ClearRect, ImageBlit, ImageCopy, ImageResolve,
    SubresourceRange,
};
use crate::descriptor::DescriptorSet;
use crate::image::Image;
use crate::pipeline::{ComputePipeline, GraphicsPipeline};
use crate::query::QueryPool;
use crate::render_pass::RenderingInfo;
use crate::sync::Event;

/// A descriptor set with its dynamic offsets.
#[derive(Clone)]
pub(crate) struct BoundSet {
    pub set: DescriptorSet,
    pub offsets: SmallVec<[u32; 4]>,
}

/// What a shader can reach.
pub(crate) struct Bindings {
    pub sets: [Option<BoundSet>; abi::MAX_SETS],
    /// Number of dynamic buffers of each set of the layout, used or not.
    pub n_dynamic: [u32; abi::MAX_SETS],
}

/// Push constants, those never set are zero.
pub(crate) type Push = [u8; abi::PUSH_BYTES];

/// A compute pipeline with what it can reach.
pub(crate) struct ComputeCall {
    pub pipeline: ComputePipeline,
    pub bindings: Arc<Bindings>,
}

/// A buffer from a byte on.
#[derive(Clone)]
pub(crate) struct BufferSlice {
    pub buffer: Buffer,
    pub offset: u64,
    pub size: u64,
}

/// A graphics pipeline with everything that stays from draw to draw.
pub(crate) struct DrawCall {
    pub pipeline: GraphicsPipeline,
    pub state: Arc<DrawState>,
    pub dynamic: Arc<Dynamic>,
    pub bindings: Arc<Bindings>,
    /// By binding number.
    pub vertex_buffers: Vec<Option<BufferSlice>>,
    /// Without a buffer every index is zero.
    pub index: Option<(Option<BufferSlice>, IndexType)>,
}

/// Parameters of draws in a buffer.
pub(crate) struct Indirect {
    pub buffer: Buffer,
    pub offset: u64,
    pub stride: u32,
    pub max_draws: u32,
    pub indexed: bool,
    /// Number of draws, if it is in a buffer.
    pub count: Option<(Buffer, u64)>,
}

/// A recorded command.
pub(crate) enum Command {
    Dispatch {
        call: Arc<ComputeCall>,
        push: Arc<Push>,
        groups: [u32; 3],
        base: [u32; 3],
    },
    DispatchIndirect {
        call: Arc<ComputeCall>,
        push: Arc<Push>,
        buffer: Buffer,
        offset: u64,
    },
    BeginRendering(Box<RenderingInfo>),
    EndRendering,
    Draw {
        call: Arc<DrawCall>,
        push: Arc<Push>,
        draw: Draw,
    },
    DrawIndirect {
        call: Arc<DrawCall>,
        push: Arc<Push>,
        indirect: Box<Indirect>,
    },
    ClearAttachments {
        attachments: Vec<ClearAttachment>,
        rects: Vec<ClearRect>,
    },
    CopyBuffer {
        src: Buffer,
        dst: Buffer,
        regions: Vec<BufferCopy>,
    },
    CopyImage {
        src: Image,
        dst: Image,
        regions: Vec<ImageCopy>,
    },
    CopyBufferToImage {
        src: Buffer,
        dst: Image,
        regions: Vec<BufferImageCopy>,
    },
    CopyImageToBuffer {
        src: Image,
        dst: Buffer,
        regions: Vec<BufferImageCopy>,
    },
    Blit {
        src: Image,
        dst: Image,
        regions: Vec<ImageBlit>,
        linear: bool,
    },
    Resolve {
        src: Image,
        dst: Image,
        regions: Vec<ImageResolve>,
    },
    FillBuffer {
        dst: Buffer,
        offset: u64,
        size: u64,
        word: u32,
    },
    UpdateBuffer {
        dst: Buffer,
        offset: u64,
        data: Box<[u8]>,
    },
    /// Bits of R, G, B, A; or of depth and stencil.
    ClearImage {
        image: Image,
        value: [u32; 4],
        ranges: Vec<SubresourceRange>,
    },
    ResetQueries {
        pool: QueryPool,
        first: u32,
        count: u32,
    },
    BeginQuery {
        pool: QueryPool,
        query: u32,
    },
    EndQuery {
        pool: QueryPool,
    },
    WriteTimestamp {
        pool: QueryPool,
        query: u32,
    },
    CopyQueryResults(Box<CopyQueryResults>),
    Barrier,
    BeginConditional {
        buffer: Buffer,
        offset: u64,
        inverted: bool,
    },
    EndConditional,
    SetEvent(Event),
    ResetEvent(Event),
    WaitEvents(Vec<Event>),
    Execute(Arc<Recorded>),
}

/// Spec: Vulkan, vkCmdCopyQueryPoolResults.
pub(crate) struct CopyQueryResults {
    pub pool: QueryPool,
    pub first: u32,
    pub count: u32,
    pub dst: Buffer,
    pub offset: u64,
    pub stride: u64,
    pub wide: bool,
    pub availability: bool,
    pub partial: bool,
}

/// A recorded list.
#[derive(Default)]
pub(crate) struct Recorded {
    pub commands: Vec<Command>,
    /// Each set in use once.
    pub sets: Vec<DescriptorSet>,
    /// Rough number of invocations, pixels and words it takes; `u64::MAX` if unknown.
    pub cost: u64,
    /// May wait for the host.
    pub waits: bool,
}

impl Recorded {
    /// A submission starts.
    pub fn acquire(&self) {
        self.sets.iter().for_each(DescriptorSet::acquire);
    }
    /// A submission is done.
    pub fn release(&self) {
        self.sets.iter().for_each(DescriptorSet::release);
    }
}
