//! What a device tells those who watch it besides what shaders do: which memory there is, and who else writes it.

use std::sync::Arc;

use crate::ir::Shader;

/// A range of memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Range {
    /// Address of the first byte.
    pub base: u64,
    /// Size in bytes.
    pub size: u64,
}

/// Something that happens to memory. Addresses are those that accesses of shaders have.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Memory is there, and nobody has written it.
    Fresh(Range),
    /// It is there no more.
    Gone(Range),
    /// The host or a command has written bytes, or may do so at any time.
    Written(Range),
    /// Bytes have become what those from an address on are.
    Copied {
        /// The first of those.
        from: u64,
        /// Bytes that are written.
        to: Range,
    },
    /// Texels of the view whose record is at an address ([`ImageArgs::view`](crate::abi::ImageArgs)) are here.
    Shown {
        /// Address of the record.
        record: u64,
        /// Where they are.
        texels: &'a Arc<Texels>,
    },
    /// The view is there no more.
    Hidden {
        /// Address of its record.
        record: u64,
    },
    /// A sampler has this number from now on ([`ImageArgs::sampler`](crate::abi::ImageArgs)).
    Sampler {
        /// The number.
        number: u32,
        /// What it does.
        state: SamplerState,
    },
    /// A render pass begins with what there is of an attachment.
    Loads {
        /// What the attachment is of: `image 3 "shadows"`.
        what: &'a str,
        /// Where its texels are.
        parts: &'a [Range],
    },
    /// Commands are submitted that use an object which is destroyed.
    Destroyed {
        /// The object: `buffer 3 "vertices"`.
        what: &'a str,
        /// Where the commands are: `command buffer "frame"`.
        place: &'a str,
    },
    /// The view behind descriptors of images that nobody has written has its record there.
    Unwritten {
        /// Address of the record.
        record: u64,
    },
    /// A list of commands begins.
    Begins {
        /// Nothing but barriers orders its commands.
        explicit: bool,
    },
    /// A command of the list comes: what is told up to the next one is of it.
    Command {
        /// What it is called.
        name: &'a str,
        /// Where it is: `command 5 of command buffer "frame"`.
        place: &'a str,
    },
    /// The command accesses memory, other than by shaders.
    Accessed(&'a [Area]),
    /// Something orders commands.
    Order(Order<'a>),
    /// These shaders run together once other work begins.
    Runs(&'a Runs<'a>),
    /// A command takes what is past the end of a buffer, or more than a limit says.
    Exceeds(&'a Exceeds<'a>),
}

/// What a sampler does, as far as it says which instructions may use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SamplerState {
    /// It compares what it reads with a reference.
    pub compares: bool,
    /// Coordinates are in texels.
    pub unnormalized: bool,
}

/// What a command takes too much of.
#[derive(Clone, Copy, Debug)]
pub struct Exceeds<'a> {
    /// The first shader that it runs.
    pub shader: &'a Arc<Shader>,
    /// What it is.
    pub what: Excess,
}

/// See [`Exceeds`]. Sizes and ends are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "where it ends, and where what is there ends")]
pub enum Excess {
    /// An input of a vertex, or of an instance, ends past the vertex buffer.
    Attribute { location: u32, instanced: bool, element: u64, end: u64, size: u64 },
    /// A draw takes more indices than the index buffer holds.
    Indices { first: u32, count: u32, held: u64 },
    /// Parameters of an indirect draw end past their buffer.
    Parameters { end: u64, size: u64 },
    /// A buffer says more workgroups than there may be.
    Workgroups { counts: [u32; 3], most: [u32; 3] },
}

/// How memory is accessed, as barriers name it. Spec: Vulkan, VkPipelineStageFlagBits2 and VkAccessFlagBits2.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Access {
    /// Stages that access it.
    pub stages: u64,
    /// How they do.
    pub access: u64,
    /// They write it.
    pub writes: bool,
}

/// Memory that a command accesses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// Which.
    pub block: Block,
    /// How.
    pub by: Access,
    /// Which part of a render pass does it.
    pub part: Part,
    /// What the memory belongs to: `buffer 3 "vertices"`.
    pub what: Arc<str>,
}

/// Parts of a render pass that access attachments.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Part {
    /// None, or a resolve.
    #[default]
    Command,
    /// A load operation.
    Load,
    /// What a draw puts out, or a clear among draws.
    Draw,
    /// A store operation.
    Store,
}

/// Bytes of rows in slices, or bytes one after another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address that distances are from.
    pub base: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
    /// Bytes between slices.
    pub slice_pitch: u64,
    /// First and end of the bytes of a row.
    pub x: [u64; 2],
    /// First and end of the rows.
    pub y: [u64; 2],
    /// First and end of the slices.
    pub z: [u64; 2],
}

impl Block {
    /// Bytes one after another.
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

    /// From the first byte to the last.
    pub fn bytes(&self) -> Range {
        let at = |x: u64, y: u64, z: u64| {
            x.saturating_add(y.saturating_mul(self.row_pitch))
                .saturating_add(z.saturating_mul(self.slice_pitch))
        };
        let first = at(self.x[0], self.y[0], self.z[0]);
        let end = at(self.x[1], self.y[1].saturating_sub(1), self.z[1].saturating_sub(1));
        Range { base: self.base.saturating_add(first), size: end.saturating_sub(first) }
    }

    /// Whether some of these few bytes are in it.
    pub fn contains(&self, bytes: Range) -> bool {
        let own = self.bytes();
        if bytes.base >= own.base.saturating_add(own.size)
            || own.base >= bytes.base.saturating_add(bytes.size)
        {
            return false;
        }
        // Bytes of a texel are of one row.
        let Some(at) = bytes.base.checked_sub(self.base) else { return true };
        let (z, rest) = (at / self.slice_pitch.max(1), at % self.slice_pitch.max(1));
        let (y, x) = (rest / self.row_pitch.max(1), rest % self.row_pitch.max(1));
        let inside = |[first, end]: [u64; 2], at: u64, n: u64| at < end && first < at.saturating_add(n);
        inside(self.x, x, bytes.size) && inside(self.y, y, 1) && inside(self.z, z, 1)
    }

    /// Whether they have bytes in common: exactly if they are of one image, else by their first and last.
    pub fn overlaps(&self, other: &Block) -> bool {
        let (a, b) = (self.bytes(), other.bytes());
        let near = a.base < b.base.saturating_add(b.size) && b.base < a.base.saturating_add(a.size);
        let same =
            (self.base, self.row_pitch, self.slice_pitch) == (other.base, other.row_pitch, other.slice_pitch);
        let meet = |a: [u64; 2], b: [u64; 2]| a[0] < b[1] && b[0] < a[1];
        near && (!same || meet(self.x, other.x) && meet(self.y, other.y) && meet(self.z, other.z))
    }
}

/// What orders commands. Spec: Vulkan, "Synchronization and Cache Control".
#[derive(Clone, Copy, Debug)]
pub enum Order<'a> {
    /// Dependencies of one command or of the beginning or end of a subpass: none of them is behind another.
    Barrier {
        /// They.
        dependencies: &'a [Dependency],
        /// Layouts of images that change behind the first and before the second half of some of them.
        transitions: &'a [Transition],
    },
    /// A render pass instance begins with its first subpass.
    BeginPass {
        /// It goes on with the one that was suspended last.
        resumes: bool,
    },
    /// The subpass of that number begins.
    Subpass(u32),
    /// The render pass instance ends.
    EndPass {
        /// Another one goes on with it.
        suspends: bool,
    },
    /// An event is set once these stages of commands before are done.
    SetEvent {
        /// Which event.
        event: u64,
        /// The stages.
        stages: u64,
    },
    /// An event is reset.
    ResetEvent(u64),
    /// What is submitted, and what the host knows.
    Submit(Submit),
}

/// Submissions to queues, as the host and the queues see them. Queues, fences and semaphores are numbers that no two of
/// them have at the same time.
#[derive(Clone, Copy, Debug)]
pub enum Submit {
    /// The host submits a batch.
    Submitted {
        /// The queue.
        queue: u64,
        /// The batch.
        batch: u64,
    },
    /// The batch is the one that runs now.
    Runs {
        /// The batch.
        batch: u64,
    },
    /// The batch that runs has waited for a semaphore.
    Waited {
        /// The semaphore.
        semaphore: u64,
        /// Its value, if it is a counter.
        value: Option<u64>,
        /// Stages that have waited.
        stages: u64,
    },
    /// The batch that runs signals a semaphore.
    Signals {
        /// The semaphore.
        semaphore: u64,
        /// Its value, if it is a counter.
        value: Option<u64>,
        /// Stages that are done then.
        stages: u64,
    },
    /// The batch that runs is done, and signals a fence.
    Done {
        /// The fence.
        fence: Option<u64>,
    },
    /// A semaphore is made, with a value if it is a counter.
    Made {
        /// The semaphore.
        semaphore: u64,
        /// Its value.
        value: Option<u64>,
    },
    /// The host signals a semaphore, or whoever else is not a queue of the device.
    Signaled {
        /// The semaphore.
        semaphore: u64,
        /// Its value, if it is a counter.
        value: Option<u64>,
    },
    /// The host has seen that a fence is signaled.
    SeenFence(u64),
    /// The host has seen that a semaphore has a value.
    SeenSemaphore {
        /// The semaphore.
        semaphore: u64,
        /// The value.
        value: u64,
    },
    /// The host has seen that a queue is idle.
    SeenIdle(u64),
}

/// The commands that a dependency waits for, as far as they come before it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum First {
    /// Those of the same subpass; outside of render passes all.
    #[default]
    Here,
    /// Those before the render pass instance.
    BeforePass,
    /// Those of a subpass.
    Subpass(u32),
    /// Those before an event was set.
    Event(u64),
}

/// The commands that wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Second {
    /// Those of the same subpass; outside of render passes all.
    #[default]
    Here,
    /// Those of a subpass.
    Subpass(u32),
    /// Those behind the render pass instance.
    BehindPass,
}

/// What a barrier says. Spec: Vulkan, VkMemoryBarrier2 and its kin.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// Commands that must be done,
    pub first: First,
    /// as to these stages.
    pub src_stages: u64,
    /// Accesses that are made available.
    pub src_access: u64,
    /// Commands that wait,
    pub second: Second,
    /// as to these stages.
    pub dst_stages: u64,
    /// Accesses that they are made visible to.
    pub dst_access: u64,
    /// What memory it is about; `None`: all.
    pub of: Option<Box<[Range]>>,
}

impl Dependency {
    /// All before, all behind.
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

/// The layout of texels changes: they are read and written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// Where they are.
    pub block: Block,
    /// What they belong to.
    pub what: Arc<str>,
    /// Numbers of the dependencies between whose halves it is.
    pub of: Box<[usize]>,
}

/// Shaders of a pipeline, and what they run with.
#[derive(Clone, Copy, Debug)]
pub struct Runs<'a> {
    /// In pipeline order.
    pub stages: &'a [Arc<Shader>],
    /// Bytes of push constants that commands have set.
    pub pushed: u32,
    /// What fixed function takes of what they put out.
    pub fixed: Fixed,
    /// What the vertex stage is given; `None`: nothing fetches vertices.
    pub attributes: Option<&'a [Attribute]>,
}

/// An input of the vertex stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its location.
    pub location: u32,
    /// What the numbers of its format are to shaders.
    pub numeric: Numeric,
}

/// What the components of a format are to shaders. Spec: Vulkan, "Interpretation of Numeric Format".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of SPIR-V")]
pub enum Numeric {
    Float,
    Signed,
    Unsigned,
}

/// What fixed function takes of outputs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Fixed {
    /// Primitives are rasterized.
    pub rasterized: bool,
    /// Stream whose primitives are.
    pub stream: u32,
    /// Transform feedback captures primitives.
    pub captured: bool,
    /// By location, components of colors that attachments take, as bits.
    pub colors: [u8; 8],
    /// By location, what the attachment's components are.
    pub numeric: [Option<Numeric>; 8],
    /// Depth of fragments is tested or written.
    pub depth: bool,
    /// Stencil references are tested or written.
    pub stencil: bool,
}

/// Where the texels of a view are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Texels {
    /// Address that offsets are from.
    pub base: u64,
    /// Bytes of a texel.
    pub bytes: u32,
    /// Layers, or faces.
    pub layers: u32,
    /// Bytes between them.
    pub layer_pitch: u64,
    /// They are depths, which may be compared with.
    pub depth: bool,
    /// Levels.
    pub levels: Vec<TexelLevel>,
}

/// A level of a view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TexelLevel {
    /// Offset of the first texel of the first layer.
    pub offset: u64,
    /// Bytes of a layer.
    pub size: u64,
    /// Bytes between rows.
    pub row_pitch: u64,
    /// Bytes between slices.
    pub slice_pitch: u64,
    /// Bytes between samples.
    pub sample_pitch: u64,
}

impl Texels {
    /// The bytes of a texel, if the view has the level and the layer and the texel is in the layer.
    pub fn texel(&self, level: u32, layer: u32, [x, y, z]: [u32; 3], sample: u32) -> Option<Range> {
        let of = self.levels.get(level as usize).filter(|_| layer < self.layers)?;
        let bytes = u64::from(self.bytes);
        let at = u64::from(x)
            .checked_mul(bytes)?
            .checked_add(u64::from(y).checked_mul(of.row_pitch)?)?
            .checked_add(u64::from(z).checked_mul(of.slice_pitch)?)?
            .checked_add(u64::from(sample).checked_mul(of.sample_pitch)?)?;
        let inside = at.checked_add(bytes).is_some_and(|end| end <= of.size);
        let base =
            self.base.wrapping_add(of.offset).wrapping_add(u64::from(layer).wrapping_mul(self.layer_pitch));
        inside.then(|| Range { base: base.wrapping_add(at), size: bytes })
    }

    /// The bytes of each layer of each level.
    pub fn parts(&self) -> impl Iterator<Item = Range> + '_ {
        let layer = |level: &TexelLevel, layer: u32| Range {
            base: self
                .base
                .wrapping_add(level.offset)
                .wrapping_add(u64::from(layer).wrapping_mul(self.layer_pitch)),
            size: level.size,
        };
        self.levels.iter().flat_map(move |level| (0..self.layers).map(move |n| layer(level, n)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texels_are_in_their_layers() {
        let level =
            TexelLevel { offset: 64, size: 4 * 32, row_pitch: 32, slice_pitch: 128, sample_pitch: 128 };
        let texels =
            Texels { base: 1000, bytes: 4, layers: 2, layer_pitch: 256, depth: false, levels: vec![level] };
        let at = |level, layer, place| texels.texel(level, layer, place, 0).map(|r| (r.base, r.size));
        assert_eq!(at(0, 0, [0; 3]), Some((1064, 4)));
        assert_eq!(at(0, 1, [3, 2, 0]), Some((1064 + 256 + 64 + 12, 4)));
        assert_eq!(at(0, 1, [0, 4, 0]), None);
        assert_eq!(at(0, 2, [0; 3]), None);
        assert_eq!(at(1, 0, [0; 3]), None);
        assert_eq!(at(0, 0, [u32::MAX; 3]), None);
        let parts: Vec<_> = texels.parts().map(|r| (r.base, r.size)).collect();
        assert_eq!(parts, [(1064, 128), (1320, 128)]);
    }
}
