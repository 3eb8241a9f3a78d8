//! Lists: the contents of a recorded command buffer.
//!
//! Commands are plain records. The objects that they use, and the snapshots of state for draws and dispatches, are in
//! tables of the list: a command has a [`Ref`], an index into such a table. A list keeps each object alive with a
//! single reference, however many commands use it. Therefore command buffers that are recorded on several threads do
//! not contend for the reference counts of shared objects.

use std::ops::{Deref, Index};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_jit::abi;
use quadrille_raster::draw_state::DrawState;
use quadrille_raster::pass::{Draw, ResolveMode};
use quadrille_raster::sampling::Filter;
use rustc_hash::FxHashSet;
use smallvec::{SmallVec, smallvec};

use super::binding_tables::TraceSource;
pub(crate) use super::kept::{Kept, Ref, Run, Table};
pub(super) use super::note::Note;
pub(crate) use super::parameters::{
    ByteCount, CopyIndirect, CopyQueryResults, DecompressIndirect, Decompression, DrawKind, Indirect,
    IndirectDraw, Parameter, Parameters, Region, Regions,
};
pub(super) use super::parameters::{Capture, Counters};
pub(crate) use super::snapshot::{
    Bindings, BoundSet, BufferSlice, DispatchSnapshot, DrawSnapshot, Indices, PreparedPipeline, Push,
    SetPlace, TraceSnapshot,
};
use super::structure_copy::{StructureCopy, StructureProperties};
use crate::descriptor::{DescriptorSet, SetInBuffer};
use crate::device::Device;
use crate::error::Result;
use crate::object::Shared;
use crate::pipeline::{ComputePipeline, GraphicsPipeline, RayTracingPipeline};
use crate::query::QueryPool;
use crate::rays::RecordedBuild;
use crate::render_pass::RenderingInfo;
use crate::resource::buffer::Buffer;
use crate::resource::copies::{
    BufferCopy, BufferImageCopy, ClearAttachment, ClearRect, ImageBlit, ImageCopy, ImageResolve,
    SubresourceRange,
};
use crate::resource::image::Image;
use crate::sync::Event;

#[cfg(test)]
mod tests;

/// Generates a list when the command runs.
pub(crate) trait Maker: Send + Sync {
    /// The memory that determines the generated commands.
    fn reads(&self) -> SmallVec<[BufferSlice; 2]>;

    /// Generates a list of at most `most` sequences of the command, starting with sequence `first`. Also returns the
    /// number of the next sequence, if there are more. `of` is the list that contains the command, and `scope` the
    /// rendering scope in which it runs.
    fn make(
        &self,
        device: &Device,
        of: &CommandList,
        scope: Option<&RenderingInfo>,
        first: u32,
        most: u32,
    ) -> Result<(CommandList, Option<u32>)>;
}

/// Types of objects that lists keep alive.
pub(crate) trait Listed: Shared {
    /// The list's table of objects of this type.
    fn kept(list: &mut CommandList) -> &mut Kept<Self>;
}

macro_rules! listed {
    ($($object:ty: $table:ident),* $(,)?) => {$(
        impl Listed for $object {
            fn kept(list: &mut CommandList) -> &mut Kept<Self> {
                &mut list.$table
            }
        }
    )*};
}
listed! {
    Buffer: buffers,
    Image: images,
    DescriptorSet: sets,
    ComputePipeline: compute,
    GraphicsPipeline: graphics,
    RayTracingPipeline: ray_tracing,
    QueryPool: queries,
    Event: events,
}

/// A recorded command. Runs of push constants are in the list's `pushes`; push constants past the end of a run are
/// zero.
///
/// Data that needs dropping is in tables of the list, so that clearing `commands` takes constant time.
#[derive(Clone, Copy)]
pub(crate) enum Command {
    Dispatch {
        snapshot: Ref<DispatchSnapshot>,
        push: Run,
        groups: [u32; 3],
        base: [u32; 3],
    },
    DispatchIndirect {
        snapshot: Ref<DispatchSnapshot>,
        push: Run,
        buffer: Ref<Buffer>,
        offset: u64,
    },
    TraceRays {
        snapshot: Ref<TraceSnapshot>,
        push: Run,
        source: Ref<TraceSource>,
    },
    BeginRendering(Ref<RenderingInfo>),
    EndRendering,
    Draw {
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        draw: Draw,
    },
    DrawMeshes {
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        groups: [u32; 3],
    },
    DrawIndirect {
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        indirect: Ref<Indirect>,
    },
    DrawByteCount {
        snapshot: Ref<DrawSnapshot>,
        push: Run,
        bytes: Ref<ByteCount>,
    },
    /// Begins transform feedback into these buffers, at the offsets in the counters.
    BeginFeedback(Ref<Capture>),
    /// Ends transform feedback and writes the counters.
    EndFeedback(Ref<Counters>),
    ClearAttachments {
        attachments: Regions<ClearAttachment>,
        rects: Regions<ClearRect>,
    },
    CopyBuffer {
        src: Ref<Buffer>,
        dst: Ref<Buffer>,
        regions: Regions<BufferCopy>,
    },
    CopyImage {
        src: Ref<Image>,
        dst: Ref<Image>,
        regions: Regions<ImageCopy>,
    },
    CopyBufferToImage {
        src: Ref<Buffer>,
        dst: Ref<Image>,
        regions: Regions<BufferImageCopy>,
    },
    CopyImageToBuffer {
        src: Ref<Image>,
        dst: Ref<Buffer>,
        regions: Regions<BufferImageCopy>,
    },
    Blit {
        src: Ref<Image>,
        dst: Ref<Image>,
        regions: Regions<ImageBlit>,
        filter: Filter,
    },
    Resolve {
        src: Ref<Image>,
        dst: Ref<Image>,
        regions: Regions<ImageResolve>,
        mode: Option<ResolveMode>,
    },
    /// Copies with regions that are read from a buffer.
    CopyIndirect(Ref<CopyIndirect>),
    Decompress(Regions<Decompression>),
    /// Decompressions with regions that are read from a buffer.
    DecompressIndirect(Ref<DecompressIndirect>),
    /// Builds of acceleration structures.
    BuildStructures(Ref<Vec<RecordedBuild>>),
    CopyStructure(Ref<StructureCopy>),
    WriteStructureProperties(Ref<StructureProperties>),
    FillBuffer {
        dst: Ref<Buffer>,
        offset: u64,
        size: u64,
        word: u32,
    },
    UpdateBuffer {
        dst: Ref<Buffer>,
        offset: u64,
        data: Run,
    },
    /// `value` holds the bits of R, G, B, A, or of depth and stencil.
    ClearImage {
        image: Ref<Image>,
        value: [u32; 4],
        ranges: Regions<SubresourceRange>,
    },
    ResetQueries {
        pool: Ref<QueryPool>,
        first: u32,
        count: u32,
    },
    BeginQuery {
        pool: Ref<QueryPool>,
        query: u32,
        stream: u32,
    },
    EndQuery {
        pool: Ref<QueryPool>,
        query: u32,
    },
    WriteTimestamp {
        pool: Ref<QueryPool>,
        query: u32,
    },
    CopyQueryResults(Ref<CopyQueryResults>),
    Barrier,
    BeginConditional {
        buffer: Ref<Buffer>,
        offset: u64,
        inverted: bool,
    },
    EndConditional,
    SetEvent(Ref<Event>),
    ResetEvent(Ref<Event>),
    WaitEvents(Regions<Ref<Event>>),
    /// Information for observers, without an effect.
    Note(Ref<Note>),
    Execute(Ref<Arc<Ended>>),
    /// Commands that are generated from sequences in memory.
    Generated(Ref<Box<dyn Maker>>),
}

/// Relation of a command to conditional rendering, to rendering scopes, to sections, and to memory with its parameters.
#[derive(Clone, Copy, Default)]
struct Nature {
    conditional: bool,
    indirect: bool,
    waits_for_scope: bool,
    ends_section: bool,
}

impl Command {
    fn nature(&self) -> Nature {
        let plain = Nature::default();
        match self {
            Command::Dispatch { .. } => Nature { conditional: true, ..plain },
            Command::DispatchIndirect { .. } => Nature { conditional: true, indirect: true, ..plain },
            Command::Draw { .. } | Command::DrawMeshes { .. } | Command::ClearAttachments { .. } => {
                Nature { conditional: true, waits_for_scope: true, ..plain }
            }
            Command::DrawIndirect { .. } | Command::DrawByteCount { .. } => {
                Nature { conditional: true, waits_for_scope: true, indirect: true, ..plain }
            }
            Command::DecompressIndirect(_) => Nature { indirect: true, ..plain },
            Command::Note(_) => Nature { waits_for_scope: true, ..plain },
            Command::EndRendering | Command::EndFeedback(_) => Nature { ends_section: true, ..plain },
            Command::BeginRendering(_)
            | Command::BeginFeedback(_)
            | Command::CopyBuffer { .. }
            | Command::CopyImage { .. }
            | Command::CopyBufferToImage { .. }
            | Command::CopyImageToBuffer { .. }
            | Command::Blit { .. }
            | Command::Resolve { .. }
            | Command::CopyIndirect(_)
            | Command::Decompress(_)
            | Command::TraceRays { .. }
            | Command::BuildStructures(_)
            | Command::CopyStructure(_)
            | Command::WriteStructureProperties(_)
            | Command::FillBuffer { .. }
            | Command::UpdateBuffer { .. }
            | Command::ClearImage { .. }
            | Command::ResetQueries { .. }
            | Command::BeginQuery { .. }
            | Command::EndQuery { .. }
            | Command::WriteTimestamp { .. }
            | Command::CopyQueryResults(_)
            | Command::Barrier
            | Command::BeginConditional { .. }
            | Command::EndConditional
            | Command::SetEvent(_)
            | Command::ResetEvent(_)
            | Command::WaitEvents(_)
            | Command::Execute(_)
            | Command::Generated(_) => plain,
        }
    }

    /// Returns true if conditional rendering can skip the command.
    pub fn is_conditional(&self) -> bool {
        self.nature().conditional
    }

    /// Returns true if a description of the command shows parameters in memory, which the command may overwrite.
    pub fn is_indirect(&self) -> bool {
        self.nature().indirect
    }

    /// Returns true if the command accesses memory at the end of its scope, or not at all.
    pub fn waits_for_scope(&self) -> bool {
        self.nature().waits_for_scope
    }

    /// Returns true if the command ends a section of commands. Its effects occur at the end of the section, and are
    /// known after execution.
    pub fn ends_section(&self) -> bool {
        self.nature().ends_section
    }
}

/// Scopes of other lists in which a list can run.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum RunsIn {
    /// Inside of a scope or outside: no command depends on it.
    #[default]
    Any,
    /// Inside of the scope of another list, for which the list has draws or clears.
    Scope,
    /// Outside of the scopes of other lists.
    NoScope,
}

/// Commands of a command buffer or of a nested list, with the objects and snapshots that they use.
#[derive(Default)]
pub(crate) struct CommandList {
    pub commands: Vec<Command>,
    pub buffers: Kept<Buffer>,
    pub images: Kept<Image>,
    pub sets: Kept<DescriptorSet>,
    pub compute: Kept<ComputePipeline>,
    pub graphics: Kept<GraphicsPipeline>,
    pub ray_tracing: Kept<RayTracingPipeline>,
    pub queries: Kept<QueryPool>,
    pub events: Kept<Event>,
    /// Nested lists that this list executes.
    pub nested: Table<Arc<Ended>>,
    pub sets_in_buffers: Table<SetInBuffer>,
    pub bindings: Table<Bindings>,
    pub dispatch_snapshots: Table<DispatchSnapshot>,
    pub trace_snapshots: Table<TraceSnapshot>,
    pub states: Table<Arc<DrawState>>,
    pub prepared: Table<PreparedPipeline>,
    pub draw_snapshots: Table<DrawSnapshot>,
    pub pushes: Vec<u8>,
    pub offsets: Vec<u32>,
    pub vertex_buffers: Vec<Option<BufferSlice>>,
    pub parameters: Parameters,
    pub makers: Table<Box<dyn Maker>>,
    /// Data of buffer updates.
    pub updates: Vec<u8>,
    /// Descriptor sets that draws and dispatches use, including those of nested lists, each once. Complete when
    /// recording has ended.
    used_sets: Vec<DescriptorSet>,
    /// States of the draws in the scope of another list, including those of nested lists, each once. Complete when
    /// recording has ended.
    pub drawn: Vec<Arc<DrawState>>,
    /// Estimated number of invocations, pixels and words that the list processes; `u64::MAX` if unknown.
    pub cost: u64,
    /// Number of commands that one execution runs, including those of nested lists.
    pub n_commands: u64,
    /// Levels of nested lists below this one.
    pub depth: u32,
    /// `true` if the list may wait for the host.
    pub waits: bool,
    /// Scopes of other lists in which the list can run.
    pub runs_in: RunsIn,
    /// `true` if a scope that the list begins lasts beyond its end.
    pub is_open: bool,
    /// Unique number of the list; 0 during recording.
    number: u64,
    /// Name of the list for observers.
    pub name: Option<Box<str>>,
}

impl CommandList {
    /// Completes the list at the end of recording.
    pub fn close(&mut self) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.number = NEXT.fetch_add(1, Ordering::Relaxed);
        if !self.sets.objects.0.is_empty() || !self.nested.0.is_empty() {
            self.find_used_sets();
        }
        if self.runs_in == RunsIn::Scope {
            let mut seen = FxHashSet::default();
            let nested = self.nested.0.iter().flat_map(|list| &list.drawn);
            let all = self.states.0.iter().chain(nested);
            self.drawn.extend(all.filter(|state| seen.insert(Arc::as_ptr(state))).cloned());
        }
    }

    /// Returns the unique number of a list whose recording has ended.
    pub fn number(&self) -> u64 {
        self.number
    }

    fn find_used_sets(&mut self) {
        let sets = &self.sets.objects.0;
        let mut is_used: SmallVec<[bool; 64]> = smallvec![false; sets.len()];
        for bound in self.bindings.0.iter().flat_map(|b| b.sets.iter().flatten()) {
            if let SetPlace::Object(set) = bound.set {
                is_used[set.at as usize] = true;
            }
        }
        let used = sets.iter().zip(is_used).filter(|(_, used)| *used).map(|(s, _)| s.clone());
        self.used_sets.extend(used);
        if !self.nested.0.is_empty() {
            let mut seen: FxHashSet<_> = self.used_sets.iter().map(Shared::address).collect();
            for list in &self.nested.0 {
                self.used_sets.extend(list.used_sets.iter().filter(|s| seen.insert(s.address())).cloned());
            }
        }
    }

    /// Removes all contents, but keeps the allocations.
    pub fn clear(&mut self) {
        self.drop_nested();
        let CommandList {
            commands,
            buffers,
            images,
            sets,
            compute,
            graphics,
            ray_tracing,
            queries,
            events,
            nested: _,
            sets_in_buffers,
            bindings,
            dispatch_snapshots,
            trace_snapshots,
            states,
            prepared,
            draw_snapshots,
            pushes,
            offsets,
            vertex_buffers,
            parameters,
            makers,
            updates,
            used_sets,
            drawn,
            cost,
            n_commands,
            depth,
            waits,
            runs_in,
            is_open,
            number,
            name,
        } = self;
        commands.clear();
        buffers.clear();
        images.clear();
        sets.clear();
        compute.clear();
        graphics.clear();
        ray_tracing.clear();
        queries.clear();
        events.clear();
        sets_in_buffers.0.clear();
        bindings.0.clear();
        dispatch_snapshots.0.clear();
        trace_snapshots.0.clear();
        states.0.clear();
        prepared.0.clear();
        draw_snapshots.0.clear();
        pushes.clear();
        offsets.clear();
        vertex_buffers.clear();
        parameters.clear();
        makers.0.clear();
        updates.clear();
        used_sets.clear();
        drawn.clear();
        (*cost, *n_commands, *depth, *waits, *number, *name) = (0, 0, 0, false, 0, None);
        (*runs_in, *is_open) = (RunsIn::Any, false);
    }

    /// Drops nested lists in a loop: recursion would use stack for each level.
    fn drop_nested(&mut self) {
        while let Some(list) = self.nested.0.pop() {
            if let Some(mut last) = Arc::into_inner(list) {
                self.nested.0.append(&mut last.0.nested.0);
            }
        }
    }

    /// Marks the used descriptor sets as in use, at the start of a submission.
    pub fn acquire(&self) {
        self.used_sets.iter().for_each(DescriptorSet::acquire);
    }
    /// Marks the used descriptor sets as no longer in use, at the end of a submission.
    pub fn release(&self) {
        self.used_sets.iter().for_each(DescriptorSet::release);
    }

    /// The prepared state of a draw.
    pub fn state(&self, snapshot: Ref<DrawSnapshot>) -> &DrawState {
        &self.states[self.prepared[self.draw_snapshots[snapshot].prepared].state]
    }
    /// Push constants of a draw or dispatch.
    pub fn push(&self, run: Run) -> Push {
        let mut push = [0; abi::PUSH_BYTES];
        push[..run.len].copy_from_slice(&self.pushes[run.range()]);
        push
    }
    /// Dynamic offsets of a descriptor set.
    pub fn offsets(&self, run: Run) -> &[u32] {
        &self.offsets[run.range()]
    }
    /// Regions of a command.
    pub fn regions<T: Region>(&self, regions: Regions<T>) -> &[T] {
        regions.of(&self.parameters)
    }
    /// Data of a buffer update.
    pub fn update(&self, run: Run) -> &[u8] {
        &self.updates[run.range()]
    }
    /// Vertex buffers by binding number.
    pub fn vertex_buffers(&self, run: Run) -> &[Option<BufferSlice>] {
        &self.vertex_buffers[run.range()]
    }
}

impl<T: Parameter> Index<Ref<T>> for CommandList {
    type Output = T;
    fn index(&self, at: Ref<T>) -> &T {
        &T::table(&self.parameters)[at]
    }
}

impl Drop for CommandList {
    fn drop(&mut self) {
        self.drop_nested();
    }
}

/// A list whose recording has ended.
#[derive(Default)]
pub(crate) struct Ended(pub(super) Box<CommandList>);

impl Deref for Ended {
    type Target = CommandList;
    fn deref(&self) -> &CommandList {
        &self.0
    }
}
