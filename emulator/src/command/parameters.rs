//! Parameters of commands that are too large for [`Command`](super::list::Command), or that need dropping: a table or a
//! store for each type of parameter.

use std::marker::PhantomData;

use quadrille_jit::ir::MAX_STREAMS;
use quadrille_raster::pass::Draw;
use smallvec::{SmallVec, smallvec};

use super::binding_tables::TraceSource;
use super::kept::{Ref, Run, Table};
use super::note::Note;
use super::snapshot::BufferSlice;
use super::structure_copy::{StructureCopy, StructureProperties};
use crate::query::{QueryKind, QueryPool};
use crate::rays::RecordedBuild;
use crate::render_pass::RenderingInfo;
use crate::resource::buffer::Buffer;
use crate::resource::copies::{
    BufferCopy, BufferImageCopy, ClearAttachment, ClearRect, ImageBlit, ImageCopy, ImageResolve,
    SubresourceLayers, SubresourceRange,
};
use crate::resource::image::Image;
use crate::sync::Event;

/// Type of parameter of which a command has exactly one.
pub(crate) trait Parameter: Sized {
    /// The table of this type.
    fn table(all: &Parameters) -> &Table<Self>;
    /// The table of this type, for additions.
    fn table_mut(all: &mut Parameters) -> &mut Table<Self>;
}

/// Type of parameter of which a command has any number.
pub(crate) trait Region: Copy {
    /// The store of this type.
    fn store(all: &Parameters) -> &[Self];
    /// The store of this type, for additions.
    fn store_mut(all: &mut Parameters) -> &mut Vec<Self>;
}

macro_rules! parameters {
    (tables: {$($table:ident: $one:ty,)*}, stores: {$($store:ident: $region:ty,)*},) => {
        /// The parameters of a list's commands.
        #[derive(Default)]
        pub(crate) struct Parameters {
            $($table: Table<$one>,)*
            $($store: Vec<$region>,)*
        }

        impl Parameters {
            /// Removes all parameters, but keeps the allocations.
            pub fn clear(&mut self) {
                $(self.$table.0.clear();)*
                $(self.$store.clear();)*
            }
        }

        $(impl Parameter for $one {
            fn table(all: &Parameters) -> &Table<Self> {
                &all.$table
            }
            fn table_mut(all: &mut Parameters) -> &mut Table<Self> {
                &mut all.$table
            }
        })*

        $(impl Region for $region {
            fn store(all: &Parameters) -> &[Self] {
                &all.$store
            }
            fn store_mut(all: &mut Parameters) -> &mut Vec<Self> {
                &mut all.$store
            }
        })*
    };
}
parameters! {
    tables: {
        scopes: RenderingInfo,
        indirect_draws: Indirect,
        byte_counts: ByteCount,
        captures: Capture,
        counters: Counters,
        indirect_copies: CopyIndirect,
        indirect_decompressions: DecompressIndirect,
        builds: Vec<RecordedBuild>,
        structure_copies: StructureCopy,
        structure_queries: StructureProperties,
        query_results: CopyQueryResults,
        notes: Note,
        traces: TraceSource,
    },
    stores: {
        buffer_copies: BufferCopy,
        decompressions: Decompression,
        image_copies: ImageCopy,
        buffer_image_copies: BufferImageCopy,
        blits: ImageBlit,
        resolves: ImageResolve,
        ranges: SubresourceRange,
        cleared: ClearAttachment,
        clear_rects: ClearRect,
        waited: Ref<Event>,
    },
}

impl Parameters {
    /// Stores the parameter of a command.
    pub fn put<T: Parameter>(&mut self, one: T) -> Ref<T> {
        T::table_mut(self).push(one)
    }

    /// Returns a stored parameter for changes.
    pub fn get_mut<T: Parameter>(&mut self, at: Ref<T>) -> &mut T {
        &mut T::table_mut(self)[at]
    }
}

/// The regions of a command: a range of the store of their type.
pub(crate) struct Regions<T> {
    run: Run,
    of: PhantomData<fn() -> T>,
}

impl<T> Clone for Regions<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Regions<T> {}

impl<T: Region> Regions<T> {
    /// Stores the regions of a command.
    pub fn put(all: &mut Parameters, regions: &[T]) -> Self {
        Regions { run: Run::put(T::store_mut(all), regions), of: PhantomData }
    }

    /// The stored regions.
    pub fn of(self, all: &Parameters) -> &[T] {
        &T::store(all)[self.run.range()]
    }
}

/// Kind of a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DrawKind {
    /// Draws vertices.
    Vertices,
    /// Draws vertices that indices select.
    Indexed,
    /// Draws workgroups of the task or mesh stage.
    Meshes,
}

/// Greatest number of words that [`DrawKind::words`] returns.
const MOST_WORDS: usize = 5;

impl DrawKind {
    /// Number of words of the parameters in a buffer. Spec: Vulkan, VkDrawIndirectCommand and its variants.
    pub fn words(self) -> usize {
        match self {
            DrawKind::Vertices => 4,
            DrawKind::Indexed => 5,
            DrawKind::Meshes => 3,
        }
    }

    /// The draw with the parameters `p`, which has as many words as [`DrawKind::words`] says.
    pub fn draw(self, p: &[u32], draw_index: u32) -> IndirectDraw {
        let vertices = |draw: Draw| {
            let (count, instances, first) = (p[0], p[1], p[2]);
            IndirectDraw::Vertices(Draw { count, instances, first, draw_index, ..draw })
        };
        match self {
            DrawKind::Vertices => vertices(Draw { first_instance: p[3], ..Draw::default() }),
            DrawKind::Indexed => {
                let (vertex_offset, first_instance) = (p[3] as i32, p[4]);
                vertices(Draw { indexed: true, vertex_offset, first_instance, ..Draw::default() })
            }
            DrawKind::Meshes => IndirectDraw::Meshes([p[0], p[1], p[2]]),
        }
    }
}

/// A draw whose parameters have been read from a buffer.
pub(crate) enum IndirectDraw {
    /// Draws vertices, indexed or not.
    Vertices(Draw),
    /// Draws workgroups of the task or mesh stage.
    Meshes([u32; 3]),
}

/// Location of the parameters of indirect draws.
pub(crate) struct Indirect {
    pub buffer: Ref<Buffer>,
    pub offset: u64,
    pub stride: u32,
    pub max_draws: u32,
    pub kind: DrawKind,
    /// Buffer and offset of the number of draws, if it is in a buffer.
    pub count: Option<(Ref<Buffer>, u64)>,
}

impl Indirect {
    /// Offset of the parameters of draw `number`, in bytes.
    pub fn at(&self, number: u32) -> u64 {
        u64::from(number).saturating_mul(self.stride.into()).saturating_add(self.offset)
    }

    /// Parameters of draw `number`, which are in `buffer`; `None` if they are not wholly in it.
    pub fn parameters(&self, buffer: &Buffer, number: u32) -> Option<SmallVec<[u32; MOST_WORDS]>> {
        let mut parameters = smallvec![0; self.kind.words()];
        buffer.read_into(self.at(number), &mut parameters).ok().map(|()| parameters)
    }
}

/// Locations of the numbers of captured bytes, by index of the transform feedback buffer.
pub(super) type Counters = [Option<(Ref<Buffer>, u64)>; MAX_STREAMS];

/// Buffers that transform feedback captures into.
pub(crate) struct Capture {
    pub buffers: [Option<BufferSlice>; MAX_STREAMS],
    /// Counters with the initial offset in each buffer.
    pub counters: Counters,
}

/// Parameters of a draw whose number of vertices comes from a counter of transform feedback.
pub(crate) struct ByteCount {
    pub counter: (Ref<Buffer>, u64),
    pub counter_offset: u32,
    pub stride: u32,
    /// The draw; its number of vertices is unused.
    pub draw: Draw,
}

impl ByteCount {
    /// Number of vertices after `captured` bytes have been captured.
    pub fn vertices(&self, captured: u32) -> u32 {
        captured.saturating_sub(self.counter_offset) / self.stride.max(1)
    }
}

/// Size of VkCopyMemoryIndirectCommandKHR, in words.
pub(super) const COPY_WORDS: usize = 6;
/// Size of VkCopyMemoryToImageIndirectCommandKHR, in words.
pub(super) const IMAGE_COPY_WORDS: usize = 14;

/// Parameters of an indirect copy. Spec: Vulkan, vkCmdCopyMemoryIndirectKHR and vkCmdCopyMemoryToImageIndirectKHR.
pub(crate) struct CopyIndirect {
    pub parameters: Ref<Buffer>,
    pub offset: u64,
    pub stride: u64,
    pub count: u32,
    /// Destination image, and the layers that each copy writes; `None` for copies to memory.
    pub image: Option<(Ref<Image>, Vec<SubresourceLayers>)>,
}

impl CopyIndirect {
    /// Size of the parameters of one copy, in words.
    pub fn words(&self) -> usize {
        if self.image.is_some() { IMAGE_COPY_WORDS } else { COPY_WORDS }
    }

    /// Number of bytes from the beginning of the first parameters to the end of the last parameters.
    pub fn parameter_bytes(&self) -> u64 {
        match self.count.checked_sub(1) {
            None => 0,
            Some(others) => u64::from(others).saturating_mul(self.stride) + 4 * self.words() as u64,
        }
    }
}

/// A page of GDeflate, and the bytes that it is decompressed to.
#[derive(Clone, Copy)]
pub(crate) struct Decompression {
    pub src: Ref<Buffer>,
    pub src_offset: u64,
    pub compressed_size: u64,
    pub dst: Ref<Buffer>,
    pub dst_offset: u64,
    pub decompressed_size: u64,
}

/// Size of VkDecompressMemoryRegionEXT, in words.
pub(super) const DECOMPRESS_WORDS: usize = 8;
/// Size of VkDecompressMemoryRegionNV, in words; the last two have the method.
pub(super) const METHOD_WORDS: usize = 10;

/// Parameters of an indirect decompression. Spec: Vulkan, vkCmdDecompressMemoryIndirectCountEXT.
pub(crate) struct DecompressIndirect {
    pub regions: Ref<Buffer>,
    pub offset: u64,
    pub stride: u32,
    /// Buffer and offset of the number of regions.
    pub count: (Ref<Buffer>, u64),
    pub max_count: u32,
    /// `true` if each region has its method.
    pub with_method: bool,
}

impl DecompressIndirect {
    /// Size of a region, in words.
    pub fn words(&self) -> usize {
        if self.with_method { METHOD_WORDS } else { DECOMPRESS_WORDS }
    }

    /// Offset of region `number`, in bytes.
    pub fn at(&self, number: u32) -> u64 {
        (u64::from(number) * u64::from(self.stride)).saturating_add(self.offset)
    }
}

/// Parameters of a copy of query results. Spec: Vulkan, vkCmdCopyQueryPoolResults.
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

impl CopyQueryResults {
    /// Size of the result of one query with its availability, in bytes.
    pub fn result_bytes(&self, kind: QueryKind) -> u64 {
        result_bytes(kind, self.wide, self.availability)
    }
}

/// Size of the result of one query, in bytes: 64-bit words if `wide`, plus a word for `availability`.
pub(super) fn result_bytes(kind: QueryKind, wide: bool, availability: bool) -> u64 {
    let words = kind.values() as u64 + u64::from(availability);
    words * if wide { 8 } else { 4 }
}
