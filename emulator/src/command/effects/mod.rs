//! Effects of commands: the memory that each command reads and writes itself, apart from its shaders.
//!
//! Owns [`Command::effects`], a match over all commands without a wildcard: a new command does not compile until its
//! effects are stated. `access` has the stages and accesses, `draws` the indices, vertices and parameters of draws,
//! `attachments` the accesses of rendering scopes, `structures` those of acceleration structures. Only `observe` uses the effects; execution ignores them.

mod access;
mod attachments;
mod draws;
mod elements;
mod structures;

use quadrille_check::events::{Access, Part};

use access::Transfer;
pub(super) use access::{ALL_COMMANDS, TRACED};
pub(super) use elements::Elements;

use super::binding_tables::TraceSource;
use super::list::{
    BufferSlice, Command, CommandList, CopyIndirect, CopyQueryResults, Counters, DecompressIndirect,
    Decompression, Ref,
};
use crate::render_pass::RenderingInfo;
use crate::resource::buffer::Buffer;
use crate::resource::copies::{SubresourceLayers, SubresourceRange};
use crate::resource::image::Image;

/// Memory that a command accesses.
#[derive(Clone, Copy)]
pub(super) enum Place<'a> {
    /// Bytes of a buffer; those past its end are not accessed.
    Bytes { buffer: &'a Buffer, offset: u64, size: u64 },
    /// Texels of layers of an image, from a corner on.
    Texels { image: &'a Image, of: SubresourceLayers, corner: [i32; 3], extent: [u32; 3] },
    /// Some texels of an image; parameters in memory select the texels.
    SomeTexels(&'a Image),
    /// Bytes of any buffer; addresses in memory select the bytes.
    Addressed,
}

/// One access of a command to memory.
#[derive(Clone, Copy)]
pub(super) struct Effect<'a> {
    pub place: Place<'a>,
    pub access: Access,
    /// The part of a rendering scope that makes the access.
    pub part: Part,
    /// For a copy between buffers, the first source byte of the copy to `place`.
    pub source: Option<(&'a Buffer, u64)>,
}

/// Vertices that transform feedback has captured.
#[derive(Default)]
pub(super) struct Captured<'l> {
    /// Buffer, first byte and size of each run of vertices.
    pub ranges: Vec<(&'l Buffer, u64, u64)>,
    /// Counters that held the initial offsets. A section that reads a counter at its beginning may write the same
    /// counter at its end without a race.
    pub resumed: Counters,
}

/// A command of a list, and the state of execution that its effects depend on.
#[derive(Clone, Copy)]
pub(super) struct At<'a, 'l> {
    pub list: &'l CommandList,
    pub command: &'l Command,
    /// The rendering scope that the command is in, or that it ends.
    pub scope: Option<&'l RenderingInfo>,
    /// `true` if conditional rendering skips the command.
    pub skipped: bool,
    /// Vertices that transform feedback has captured; known after [`Command::EndFeedback`] has run.
    pub captured: &'a Captured<'l>,
}

/// The effects that an observer wants.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Wants {
    /// Only writes outside of draws.
    Writes,
    /// All effects: indices of draws are read to find the vertices that the draws fetch.
    All,
}

/// Visits the effects of one command.
pub(super) struct Visitor<'a, 'l> {
    at: &'a At<'a, 'l>,
    wants: Wants,
    part: Part,
    visit: &'a mut dyn FnMut(&Effect<'_>),
}

impl Visitor<'_, '_> {
    fn effect(&mut self, place: Place<'_>, access: Access, source: Option<(&Buffer, u64)>) {
        (self.visit)(&Effect { place, access, part: self.part, source });
    }

    fn bytes(&mut self, buffer: Ref<Buffer>, offset: u64, size: u64, access: Access) {
        let buffer = &self.at.list.buffers[buffer];
        self.effect(Place::Bytes { buffer, offset, size }, access, None);
    }

    fn texels(
        &mut self,
        image: &Image,
        of: &SubresourceLayers,
        (corner, extent): ([i32; 3], [u32; 3]),
        access: Access,
    ) {
        self.effect(Place::Texels { image, of: *of, corner, extent }, access, None);
    }

    fn layers(
        &mut self,
        image: Ref<Image>,
        of: &SubresourceLayers,
        at: ([i32; 3], [u32; 3]),
        access: Access,
    ) {
        let list = self.at.list;
        self.texels(&list.images[image], of, at, access);
    }

    fn range(&mut self, image: Ref<Image>, of: &SubresourceRange, access: Access) {
        let desc = self.at.list.images[image].desc();
        let levels = of.base_level..of.base_level.saturating_add(of.levels).min(desc.levels);
        for level in levels {
            let (aspects, base_layer, layers) = (of.aspects, of.base_layer, of.layers);
            let extent = desc.extent.map(|e| (e >> level).max(1));
            let of = SubresourceLayers { aspects, level, base_layer, layers };
            self.layers(image, &of, ([0; 3], extent), access);
        }
    }

    fn counters(&mut self, counters: &Counters, access: Access) {
        for (buffer, offset) in counters.iter().flatten() {
            self.bytes(*buffer, *offset, 4, access);
        }
    }

    /// Effects at the end of transform feedback: writes to the captured vertices and to the counters.
    fn captured(&mut self, counters: &Counters) {
        let captured = self.at.captured;
        for &(buffer, offset, size) in &captured.ranges {
            self.effect(Place::Bytes { buffer, offset, size }, access::CAPTURE, None);
        }
        let mut written = *counters;
        for (counter, resumed) in written.iter_mut().zip(captured.resumed) {
            counter.take_if(|c| Some(*c) == resumed && self.wants == Wants::All);
        }
        self.counters(&written, access::WRITE_COUNTER);
    }

    fn query_results(&mut self, copy: &CopyQueryResults) {
        let size = copy.result_bytes(self.at.list.queries[copy.pool].kind());
        for i in 0..u64::from(copy.count) {
            self.bytes(copy.dst, copy.offset + i * copy.stride, size, Transfer::COPY.write());
        }
    }

    fn decompressions(&mut self, regions: &[Decompression]) {
        for r in regions {
            self.bytes(r.src, r.src_offset, r.compressed_size, access::DECOMPRESS_READ);
            self.bytes(r.dst, r.dst_offset, r.decompressed_size, access::DECOMPRESS_WRITE);
        }
    }

    fn indirect_decompressions(&mut self, indirect: &DecompressIndirect) {
        let (count, at) = indirect.count;
        self.bytes(count, at, 4, access::DECOMPRESS_PARAMETERS);
        let found = self.at.list.buffers[count].read_array::<u32, 1>(at).map_or(0, |[found]| found);
        if let Some(last) = found.min(indirect.max_count).checked_sub(1) {
            let end = indirect.at(last).saturating_add(4 * indirect.words() as u64);
            let (offset, access) = (indirect.offset, access::DECOMPRESS_PARAMETERS);
            self.bytes(indirect.regions, offset, end - offset, access);
        }
        self.effect(Place::Addressed, access::DECOMPRESS_READ, None);
        self.effect(Place::Addressed, access::DECOMPRESS_WRITE, None);
    }

    fn indirect_copies(&mut self, copies: &CopyIndirect) {
        let list = self.at.list;
        let bytes = copies.parameter_bytes();
        self.bytes(copies.parameters, copies.offset, bytes, access::COPY_PARAMETERS);
        self.effect(Place::Addressed, Transfer::COPY.read(), None);
        let to = match &copies.image {
            Some((image, _)) => Place::SomeTexels(&list.images[*image]),
            None => Place::Addressed,
        };
        self.effect(to, Transfer::COPY.write(), None);
    }
}

/// The box of texels between two corners, which may be in any order: first texel and extent.
fn between(corners: &[[i32; 3]; 2]) -> ([i32; 3], [u32; 3]) {
    let first: [i32; 3] = std::array::from_fn(|i| corners[0][i].min(corners[1][i]));
    (first, std::array::from_fn(|i| corners[0][i].max(corners[1][i]).saturating_sub(first[i]).max(1) as u32))
}

impl At<'_, '_> {
    /// Calls `visit` for each effect of the command, in the order of its accesses.
    pub fn effects(&self, wants: Wants, visit: &mut dyn FnMut(&Effect<'_>)) {
        let (list, command, scope) = (self.list, self.command, self.scope);
        let to = &mut Visitor { at: self, wants, part: Part::Command, visit };
        match command {
            // The shader of a dispatch accesses its buffers and images itself.
            Command::Dispatch { .. } => {}
            Command::DispatchIndirect { buffer, offset, .. } => {
                to.bytes(*buffer, *offset, 12, access::INDIRECT)
            }
            // Addresses select the parameters, the records, and the memory that shaders write.
            Command::TraceRays { source, .. } => {
                match list[*source] {
                    TraceSource::Direct(..) => {}
                    TraceSource::Size(..) | TraceSource::Everything(_) => {
                        to.effect(Place::Addressed, access::INDIRECT, None);
                    }
                }
                to.effect(Place::Addressed, access::BINDING_TABLE, None);
                to.effect(Place::Addressed, TRACED, None);
            }
            Command::BeginRendering(info) => attachments::begin(to, &list[*info]),
            Command::EndRendering => scope.into_iter().for_each(|info| attachments::end(to, info)),
            Command::Draw { snapshot, draw, .. } => draws::direct(to, *snapshot, draw),
            Command::DrawMeshes { snapshot, .. } => draws::meshes(to, *snapshot),
            Command::DrawIndirect { snapshot, indirect, .. } => {
                draws::indirect(to, *snapshot, &list[*indirect])
            }
            Command::DrawByteCount { snapshot, bytes, .. } => draws::byte_count(to, *snapshot, &list[*bytes]),
            Command::BeginFeedback(of) => to.counters(&list[*of].counters, access::READ_COUNTER),
            Command::EndFeedback(counters) => to.captured(&list[*counters]),
            Command::ClearAttachments { attachments, rects } => {
                attachments::clear(to, list.regions(*attachments), list.regions(*rects));
            }
            Command::CopyBuffer { src, dst, regions } => {
                for r in list.regions(*regions) {
                    to.bytes(*src, r.src_offset, r.size, Transfer::COPY.read());
                    let (offset, size) = (r.dst_offset, r.size);
                    let place = Place::Bytes { buffer: &list.buffers[*dst], offset, size };
                    to.effect(place, Transfer::COPY.write(), Some((&list.buffers[*src], r.src_offset)));
                }
            }
            Command::CopyImage { src, dst, regions } => {
                for r in list.regions(*regions) {
                    to.layers(*src, &r.src, (r.src_offset, r.extent), Transfer::COPY.read());
                    to.layers(*dst, &r.dst, (r.dst_offset, r.extent), Transfer::COPY.write());
                }
            }
            Command::CopyBufferToImage { src, dst, regions } => {
                for r in list.regions(*regions) {
                    let size = list.images[*dst].region_bytes(r).unwrap_or(0);
                    to.bytes(*src, r.buffer_offset, size, Transfer::COPY.read());
                    to.layers(*dst, &r.subresource, (r.offset, r.extent), Transfer::COPY.write());
                }
            }
            Command::CopyImageToBuffer { src, dst, regions } => {
                for r in list.regions(*regions) {
                    let size = list.images[*src].region_bytes(r).unwrap_or(0);
                    to.layers(*src, &r.subresource, (r.offset, r.extent), Transfer::COPY.read());
                    to.bytes(*dst, r.buffer_offset, size, Transfer::COPY.write());
                }
            }
            Command::Blit { src, dst, regions, filter: _ } => {
                for r in list.regions(*regions) {
                    to.layers(*src, &r.src, between(&r.src_offsets), Transfer::BLIT.read());
                    to.layers(*dst, &r.dst, between(&r.dst_offsets), Transfer::BLIT.write());
                }
            }
            Command::Resolve { src, dst, regions, mode: _ } => {
                for r in list.regions(*regions) {
                    to.layers(*src, &r.src, (r.src_offset, r.extent), Transfer::RESOLVE.read());
                    to.layers(*dst, &r.dst, (r.dst_offset, r.extent), Transfer::RESOLVE.write());
                }
            }
            Command::CopyIndirect(copies) => to.indirect_copies(&list[*copies]),
            Command::Decompress(regions) => to.decompressions(list.regions(*regions)),
            Command::DecompressIndirect(indirect) => to.indirect_decompressions(&list[*indirect]),
            Command::BuildStructures(builds) => list[*builds].iter().for_each(|build| to.build(build)),
            Command::CopyStructure(copy) => to.structure_copy(&list[*copy]),
            Command::WriteStructureProperties(query) => to.structure_properties(&list[*query]),
            Command::FillBuffer { dst, offset, size, word: _ } => {
                to.bytes(*dst, *offset, *size, Transfer::FILL.write());
            }
            Command::UpdateBuffer { dst, offset, data } => {
                to.bytes(*dst, *offset, data.len as u64, Transfer::FILL.write());
            }
            Command::ClearImage { image, value: _, ranges } => {
                list.regions(*ranges).iter().for_each(|r| to.range(*image, r, Transfer::CLEAR.write()));
            }
            Command::CopyQueryResults(copy) => to.query_results(&list[*copy]),
            Command::BeginConditional { buffer, offset, inverted: _ } => {
                to.bytes(*buffer, *offset, 4, access::PREDICATE);
            }
            Command::Generated(maker) => {
                for BufferSlice { buffer, offset, size } in list.makers[*maker].reads() {
                    to.bytes(buffer, offset, size, access::SEQUENCES);
                }
            }
            // Queries and events are not device memory; the commands of nested lists have their own effects.
            Command::ResetQueries { .. }
            | Command::BeginQuery { .. }
            | Command::EndQuery { .. }
            | Command::WriteTimestamp { .. }
            | Command::Barrier
            | Command::EndConditional
            | Command::SetEvent(_)
            | Command::ResetEvent(_)
            | Command::WaitEvents(_)
            | Command::Note(_)
            | Command::Execute(_) => {}
        }
    }
}
