//! Events that a device reports to the checker besides the execution of shaders: changes of its memory, the commands
//! that access it, and the operations that order them. Stages, accesses and layouts are numbers of Vulkan.
//!
//! The device decides when events happen; the rest of this crate draws the conclusions.

use std::sync::Arc;

use quadrille_jit::interp::watch::{Range, Texels};
use quadrille_jit::ir::Shader;

/// Receiver of the events of a device.
pub trait Listener: Send + Sync {
    /// Called by the device for each event.
    fn told(&self, event: &Event<'_>);

    /// True if the listener needs the order of commands; devices report it only then.
    fn looks_at_order(&self) -> bool {
        false
    }
}

/// Something that happens to memory. Addresses are those of shader accesses.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Memory has been allocated; nothing has been written to it.
    Fresh(Range),
    /// Memory has been freed.
    Gone(Range),
    /// The host or a command has written bytes, or may do so at any time.
    Written(Range),
    /// Shaders may only read, or only write, these bytes, until this is said of them again.
    Limited(Range, Limit),
    /// Bytes have been copied from other memory.
    Copied {
        /// Address of the first byte of the source.
        from: u64,
        /// Destination bytes.
        to: Range,
    },
    /// The texels of a view are at `texels`. The view's record is at the address in
    /// [`ImageArgs::view`](quadrille_jit::abi::ImageArgs).
    Shown {
        /// Address of the record.
        record: u64,
        /// Location of the texels.
        texels: &'a Arc<Texels>,
    },
    /// A view has been destroyed.
    Hidden {
        /// Address of its record.
        record: u64,
    },
    /// Layouts of image subresources are declared or changed, by the latest command or by the host.
    Layouts {
        /// The subresources.
        of: &'a [LayoutOf],
        /// True if the host declares or changes them.
        by_host: bool,
    },
    /// A descriptor declares the layout of its image.
    DescriptorLayout {
        /// Address of the descriptor: see [`View::descriptor_place`](quadrille_jit::interp::watch::View::descriptor_place).
        place: u64,
        /// Value of VkImageLayout; `None` if the descriptor declares no layout.
        layout: Option<i32>,
    },
    /// A descriptor was copied to another one.
    DescriptorCopied {
        /// Address of the source descriptor.
        from: u64,
        /// Address of the destination descriptor.
        to: u64,
    },
    /// A sampler has been assigned this number ([`ImageArgs::sampler`](quadrille_jit::abi::ImageArgs)).
    Sampler {
        /// Number of the sampler.
        number: u32,
        /// State of the sampler.
        state: SamplerState,
    },
    /// A render pass begins, and loads the contents of an attachment.
    Loads {
        /// Name of the attachment's resource: `image 3 "shadows"`.
        what: &'a str,
        /// Location of its texels.
        parts: &'a [Range],
    },
    /// Submitted commands use an object that has been destroyed.
    Destroyed {
        /// Name of the object: `buffer 3 "vertices"`.
        what: &'a str,
        /// Name of the command buffer with the commands: `command buffer "frame"`.
        place: &'a str,
    },
    /// The view for image descriptors that were never written has its record at this address.
    Unwritten {
        /// Address of the record.
        record: u64,
    },
    /// A list of commands begins.
    Begins {
        /// True if only barriers order its commands.
        explicit: bool,
    },
    /// A command of the list begins: the events up to the next command belong to it.
    Command {
        /// Name of the command.
        name: &'a str,
        /// Position of the command: `command 5 of command buffer "frame"`.
        place: &'a str,
    },
    /// The command accesses memory, other than by shaders.
    Accessed(&'a [Area]),
    /// A synchronization command or operation.
    Order(Order<'a>),
    /// The next work runs these shaders together.
    Runs(&'a Runs<'a>),
    /// A command reads past the end of a buffer, or exceeds a limit.
    Exceeds(&'a Exceeds<'a>),
    /// An acceleration structure has changed.
    Structure {
        /// Its device address.
        address: u64,
        /// The change.
        change: StructureChange<'a>,
    },
    /// A trace, or the shader that makes the last call on this thread, selects a record that names no suitable shaders.
    BadRecord(&'a BadRecord),
}

/// Accesses that shaders may make to a buffer. Spec: OpenCL API, cl_mem_flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Limit {
    /// All: CL_MEM_READ_WRITE.
    #[default]
    None,
    /// Only reads: CL_MEM_READ_ONLY.
    ReadOnly,
    /// Only writes: CL_MEM_WRITE_ONLY.
    WriteOnly,
}

/// Change of an acceleration structure.
#[derive(Clone, Copy, Debug)]
pub enum StructureChange<'a> {
    /// It is created on this memory, without contents.
    Created(Option<Range>),
    /// A bottom level is built or copied.
    Bottom,
    /// A top level is built or copied, which refers to bottom levels at these device addresses.
    Top(&'a [u64]),
    /// It is destroyed.
    Destroyed,
}

/// A shader binding table. Spec: Vulkan, "Shader Binding Table".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordTable {
    /// The record of the ray generation shader.
    RayGeneration,
    /// Records of miss shaders.
    Miss,
    /// Records of hit groups.
    Hit,
    /// Records of callable shaders.
    Callable,
}

/// A record of a shader binding table that names no suitable shaders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct BadRecord {
    /// Lane of the shader that selects the record.
    pub lane: Option<usize>,
    /// The table.
    pub table: RecordTable,
    /// Number of the record.
    pub index: u64,
    /// The fault.
    pub fault: RecordFault,
}

/// See [`BadRecord`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordFault {
    /// The table has only this number of records.
    PastEnd {
        /// Number of records.
        count: u64,
    },
    /// The handle is that of no shader group of the pipeline.
    NoGroup,
    /// The shader group has another kind.
    OtherKind {
        /// Kind of the group: `a hit group`.
        is: &'static str,
        /// Kind that the table or the geometry requires.
        must: &'static str,
    },
}

/// Subresources of an image, and the use or change of their layouts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutOf {
    /// The image: `image 3 "shadows"`.
    pub what: Arc<str>,
    /// Addresses of the first bytes of the subresources.
    pub parts: Vec<u64>,
    /// Use or change of the layouts.
    pub change: LayoutChange,
}

/// Use or change of a layout. Layouts are values of VkImageLayout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LayoutChange {
    /// The subresource is in this layout from now on, whatever it was before.
    Begins(i32),
    /// A use that requires this layout.
    Is(i32),
    /// A transition that requires the first layout and sets the second. VK_IMAGE_LAYOUT_UNDEFINED as the first accepts
    /// any layout and discards the contents.
    Becomes(i32, i32),
    /// The layout is unknown from now on.
    Unknown,
}

/// State of a sampler that restricts the instructions that may use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SamplerState {
    /// True if it compares texels with a reference.
    pub compares: bool,
    /// True if coordinates are in texels.
    pub unnormalized: bool,
}

/// A command that reads past the end of a buffer, or exceeds a limit.
#[derive(Clone, Copy, Debug)]
pub struct Exceeds<'a> {
    /// First shader that the command runs.
    pub shader: &'a Arc<Shader>,
    /// Kind and size of the excess.
    pub what: Excess,
}

/// See [`Exceeds`]. Sizes and ends are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the access, its end, and the size or limit that it exceeds")]
pub enum Excess {
    /// A vertex or instance attribute ends past the vertex buffer.
    Attribute { location: u32, instanced: bool, element: u64, end: u64, size: u64 },
    /// A draw reads more indices than the index buffer holds.
    Indices { first: u32, count: u32, held: u64 },
    /// The parameters of an indirect draw end past their buffer.
    Parameters { end: u64, size: u64 },
    /// An indirect dispatch requests more workgroups than the limit.
    Workgroups { counts: [u32; 3], most: [u32; 3] },
}

/// A kind of memory access, as in barriers. Spec: Vulkan, VkPipelineStageFlagBits2 and VkAccessFlagBits2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Pipeline stages of the access.
    pub stages: u64,
    /// Access flags.
    pub access: u64,
    /// True if memory is written.
    pub writes: bool,
}

/// Memory that a command accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Memory that is accessed.
    pub block: Block,
    /// Kind of the access.
    pub by: Access,
    /// Part of the render pass that performs the access.
    pub part: Part,
    /// Name of the resource that owns the memory: `buffer 3 "vertices"`.
    pub what: Arc<str>,
}

/// Parts of a render pass that access attachments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// Outside a render pass, or a resolve operation.
    #[default]
    Command,
    /// A load operation.
    Load,
    /// Fragment output of a draw, or a clear between draws.
    Draw,
    /// A store operation.
    Store,
}

/// A box of bytes in rows and slices, or a linear range of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address that offsets are relative to.
    pub base: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
    /// Bytes between slices.
    pub slice_pitch: u64,
    /// First byte in a row, and one past the last.
    pub x: [u64; 2],
    /// First row, and one past the last.
    pub y: [u64; 2],
    /// First slice, and one past the last.
    pub z: [u64; 2],
}

impl Block {
    /// Returns the block of a linear range.
    pub fn bytes_of(range: Range) -> Block {
        let pitch = u64::MAX;
        Block {
            base: range.base,
            row_pitch: pitch,
            slice_pitch: pitch,
            x: [0, range.size],
            y: [0, 1],
            z: [0, 1],
        }
    }

    /// Returns the range from the first byte of the block to the last.
    pub fn bytes(&self) -> Range {
        let at = |x: u64, y: u64, z: u64| {
            x.saturating_add(y.saturating_mul(self.row_pitch))
                .saturating_add(z.saturating_mul(self.slice_pitch))
        };
        let first = at(self.x[0], self.y[0], self.z[0]);
        let end = at(self.x[1], self.y[1].saturating_sub(1), self.z[1].saturating_sub(1));
        Range { base: self.base.saturating_add(first), size: end.saturating_sub(first) }
    }

    /// True if the block contains some of these bytes, which must be at most one texel.
    pub fn contains(&self, bytes: Range) -> bool {
        let own = self.bytes();
        if bytes.base >= own.base.saturating_add(own.size)
            || own.base >= bytes.base.saturating_add(bytes.size)
        {
            return false;
        }
        // The bytes of a texel are in one row.
        let Some(at) = bytes.base.checked_sub(self.base) else { return true };
        let (z, rest) = (at / self.slice_pitch.max(1), at % self.slice_pitch.max(1));
        let (y, x) = (rest / self.row_pitch.max(1), rest % self.row_pitch.max(1));
        let inside = |[first, end]: [u64; 2], at: u64, n: u64| at < end && first < at.saturating_add(n);
        inside(self.x, x, bytes.size) && inside(self.y, y, 1) && inside(self.z, z, 1)
    }

    /// True if the blocks have bytes in common. The result is exact for blocks of the same image; for other blocks,
    /// only their ranges are compared.
    pub fn overlaps(&self, other: &Block) -> bool {
        let (a, b) = (self.bytes(), other.bytes());
        let near = a.base < b.base.saturating_add(b.size) && b.base < a.base.saturating_add(a.size);
        let same =
            (self.base, self.row_pitch, self.slice_pitch) == (other.base, other.row_pitch, other.slice_pitch);
        let meet = |a: [u64; 2], b: [u64; 2]| a[0] < b[1] && b[0] < a[1];
        near && (!same || meet(self.x, other.x) && meet(self.y, other.y) && meet(self.z, other.z))
    }
}

/// An operation that orders commands. Spec: Vulkan, "Synchronization and Cache Control".
#[derive(Clone, Copy, Debug)]
pub enum Order<'a> {
    /// Dependencies of one barrier, or of the beginning or end of a subpass. They do not order one another.
    Barrier {
        /// The dependencies.
        dependencies: &'a [Dependency],
        /// Layout transitions, each between the first and the second half of some of the dependencies.
        transitions: &'a [Transition],
    },
    /// A render pass instance begins with its first subpass.
    BeginPass {
        /// True if it resumes the instance that was suspended last.
        resumes: bool,
    },
    /// The subpass with this number begins.
    Subpass(u32),
    /// The render pass instance ends.
    EndPass {
        /// True if another render pass instance resumes it.
        suspends: bool,
    },
    /// An event is set once these stages of earlier commands are done.
    SetEvent {
        /// The event.
        event: u64,
        /// The stages.
        stages: u64,
    },
    /// An event is reset.
    ResetEvent(u64),
    /// A submission, or an observation of the host about one.
    Submit(Submit),
}

/// Queue submissions, as seen by the host and the queues. Queues, fences and semaphores are identified by numbers that
/// are unique at any time.
#[derive(Clone, Copy, Debug)]
pub enum Submit {
    /// The host submits a batch.
    Submitted {
        /// The queue.
        queue: u64,
        /// The batch.
        batch: u64,
    },
    /// This batch runs from now on.
    Runs {
        /// The batch.
        batch: u64,
    },
    /// The running batch has waited for a semaphore.
    Waited {
        /// The semaphore.
        semaphore: u64,
        /// The semaphore's value, if it is a timeline semaphore.
        value: Option<u64>,
        /// Stages that waited.
        stages: u64,
    },
    /// The running batch signals a semaphore.
    Signals {
        /// The semaphore.
        semaphore: u64,
        /// The semaphore's value, if it is a timeline semaphore.
        value: Option<u64>,
        /// Stages that are done at that time.
        stages: u64,
    },
    /// The running batch is done, and signals a fence.
    Done {
        /// The fence.
        fence: Option<u64>,
    },
    /// A semaphore is created, with a value if it is a timeline semaphore.
    Made {
        /// The semaphore.
        semaphore: u64,
        /// The semaphore's value, if it is a timeline semaphore.
        value: Option<u64>,
    },
    /// The host signals a semaphore, or something else that is not a queue of the device.
    Signaled {
        /// The semaphore.
        semaphore: u64,
        /// The semaphore's value, if it is a timeline semaphore.
        value: Option<u64>,
    },
    /// The host has seen the fence signaled.
    SeenFence(u64),
    /// The host has seen a value of a semaphore.
    SeenSemaphore {
        /// The semaphore.
        semaphore: u64,
        /// The value.
        value: u64,
    },
    /// The host has seen that a queue is idle.
    SeenIdle(u64),
}

/// The earlier commands that a dependency waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    /// Commands of the same subpass; outside render passes, all earlier commands.
    #[default]
    Here,
    /// Commands before the render pass instance.
    BeforePass,
    /// Commands of the subpass with this number.
    Subpass(u32),
    /// Commands before this event was set.
    Event(u64),
}

/// The later commands that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Second {
    /// Commands of the same subpass; outside render passes, all later commands.
    #[default]
    Here,
    /// Commands of the subpass with this number.
    Subpass(u32),
    /// Commands after the render pass instance.
    BehindPass,
}

/// A dependency of a barrier. Spec: Vulkan, VkMemoryBarrier2 and related structures.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// Commands that must be done.
    pub first: First,
    /// Stages of those commands.
    pub src_stages: u64,
    /// Accesses that are made available.
    pub src_access: u64,
    /// Commands that wait.
    pub second: Second,
    /// Stages of those commands.
    pub dst_stages: u64,
    /// Accesses to which memory is made visible.
    pub dst_access: u64,
    /// Memory that the dependency applies to; `None`: all memory.
    pub of: Option<Box<[Range]>>,
}

impl Dependency {
    /// A dependency of all later commands on all earlier ones.
    pub const FULL: Dependency = {
        let (stages, access) = (1 << 16, 1 << 15 | 1 << 16);
        Dependency {
            first: First::Here,
            src_stages: stages,
            src_access: access,
            second: Second::Here,
            dst_stages: stages,
            dst_access: access,
            of: None,
        }
    };
}

/// A layout transition of texels, which reads and writes them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Location of the texels.
    pub block: Block,
    /// Name of the resource that owns them.
    pub what: Arc<str>,
    /// Indices of the dependencies between whose halves the transition happens.
    pub of: Box<[usize]>,
}

/// Shaders of a pipeline, and the state that they run with.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    /// The shaders, in pipeline order.
    pub stages: &'a [Arc<Shader>],
    /// Number of bytes of push constants that commands have set.
    pub pushed: u32,
    /// Outputs that fixed-function stages consume.
    pub fixed: Fixed,
    /// Attributes of the vertex stage; `None` if no vertices are fetched.
    pub attributes: Option<&'a [Attribute]>,
    /// True if inputs of the vertex stage may have no attribute.
    pub absent_attributes: bool,
    /// True if input attachments are read in rasterization order.
    pub reads_in_order: bool,
}

/// An input of the vertex stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Input location.
    pub location: u32,
    /// Numeric type that its format has in shaders.
    pub numeric: Numeric,
}

/// Numeric type of a format's components in shaders. Spec: Vulkan, "Interpretation of Numeric Format".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of SPIR-V")]
pub enum Numeric {
    Float,
    Signed,
    Unsigned,
}

/// Shader outputs that fixed-function stages consume.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// True if primitives are rasterized.
    pub rasterized: bool,
    /// Stream whose primitives are rasterized.
    pub stream: u32,
    /// True if transform feedback captures primitives.
    pub captured: bool,
    /// For each location: mask of the color components that the attachment receives.
    pub colors: [u8; 8],
    /// For each location: numeric type of the attachment.
    pub numeric: [Option<Numeric>; 8],
    /// True if the depth of fragments is tested or written.
    pub depth: bool,
    /// True if stencil references are tested or written.
    pub stencil: bool,
    /// True if flat inputs come from the last vertex of a primitive instead of the first.
    pub provoking_last: bool,
    /// Greatest number of mesh workgroups that a task workgroup may request: per axis, and in all.
    pub mesh_groups: ([u32; 3], u32),
}
