//! Order of commands: reports to watchers that check this order which memory each command accesses, and which barriers,
//! events and submissions order the commands.
//!
//! `places` has the names and places of commands, `barriers` the barriers and events. Not reported: accesses of
//! commands at addresses that are read from memory.

use std::sync::Arc;

use quadrille_check::events::{Access, Area, Block, Event, Part, Submit};
use quadrille_jit::interp::watch::Range;
use quadrille_jit::reserve;

use super::super::effects::{ALL_COMMANDS, At, Effect, Place, Wants};
use super::super::list::{Command, CommandList, Note};
use super::super::note::NotedLayout;
use super::places::{InBatch, Places};
use super::tell::Tell;
use super::{Observer, barriers};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::observation::watching::Watching;
use crate::resource::buffer::Buffer;
use crate::resource::copies::SubresourceLayers;
use crate::resource::image::Image;

/// Reports the order of commands to a watcher.
pub(super) struct Order<'d, 'l> {
    device: &'d Device,
    watch: &'d Watching,
    places: Places<'l>,
    /// Stages that the next event set waits for.
    behind: Option<u64>,
    /// Layouts that the next command requires of images.
    layouts: Option<&'l [NotedLayout]>,
    /// `true` if a note has already reported the next barrier.
    noted: bool,
}

impl<'d, 'l> Order<'d, 'l> {
    pub fn new(device: &'d Device, watch: &'d Watching, at: InBatch) -> Self {
        Order { device, watch, places: Places::new(at), behind: None, layouts: None, noted: false }
    }

    fn note(&mut self, tell: &Tell<'_>, note: &'l Note) {
        match note {
            Note::Barriers(all) => {
                barriers::barriers(tell, all);
                self.noted = true;
            }
            Note::SetBehind(stages) => self.behind = Some(*stages),
            Note::Layouts(uses) => self.layouts = Some(uses),
            Note::BeginLabel(label) => self.places.begin_label(label),
            Note::EndLabel => self.places.end_label(),
            Note::InsertLabel(_) => {}
        }
    }
}

impl<'l> Observer<'l> for Order<'_, 'l> {
    fn list_begins(&mut self, list: &'l CommandList, _: usize) {
        self.places.begin(list);
    }

    fn list_ends(&mut self) {
        self.places.end();
    }

    fn comes(&mut self, at: &At<'_, 'l>) {
        self.places.tell(self.watch, at);
    }

    fn effects(&mut self, at: &At<'_, 'l>) {
        let layouts = self.layouts.take();
        if at.skipped {
            return;
        }
        let tell = Tell { watch: self.watch, names: self.device.names(), list: at.list };
        if let Some(uses) = layouts {
            barriers::layouts(&tell, uses);
        }
        match at.command {
            Command::BeginRendering(info) => barriers::begin_scope(&tell, &at.list[*info]),
            Command::SetEvent(event) => {
                barriers::set_event(&tell, *event, self.behind.take().unwrap_or(ALL_COMMANDS));
            }
            Command::ResetEvent(event) => barriers::reset_event(&tell, *event),
            Command::Barrier if !std::mem::take(&mut self.noted) => barriers::full(&tell),
            Command::Note(note) => self.note(&tell, &at.list[*note]),
            // Neither begins a scope nor orders other commands; `end_scope` is reported after the store operations.
            Command::Barrier
            | Command::EndRendering
            | Command::Dispatch { .. }
            | Command::DispatchIndirect { .. }
            | Command::TraceRays { .. }
            | Command::Draw { .. }
            | Command::DrawMeshes { .. }
            | Command::DrawIndirect { .. }
            | Command::DrawByteCount { .. }
            | Command::BeginFeedback(_)
            | Command::EndFeedback(_)
            | Command::ClearAttachments { .. }
            | Command::CopyBuffer { .. }
            | Command::CopyImage { .. }
            | Command::CopyBufferToImage { .. }
            | Command::CopyImageToBuffer { .. }
            | Command::Blit { .. }
            | Command::Resolve { .. }
            | Command::CopyIndirect(_)
            | Command::Decompress(_)
            | Command::DecompressIndirect(_)
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
            | Command::BeginConditional { .. }
            | Command::EndConditional
            | Command::WaitEvents(_)
            | Command::Execute(_)
            | Command::Generated(_) => {}
        }
        let mut areas = Areas { tell: &tell, found: Vec::new() };
        at.effects(Wants::All, &mut |effect| areas.add(effect));
        areas.found.retain(|a| a.block.bytes().size > 0);
        if !areas.found.is_empty() {
            self.watch.tell(&Event::Accessed(&areas.found));
        }
        if let (Command::EndRendering, Some(info)) = (at.command, at.scope) {
            barriers::end_scope(&tell, info);
        }
    }

    fn done(&mut self, at: &At<'_, 'l>, error: Option<&Error>) -> Result<()> {
        // During the wait, batches of other queues may have run.
        if let (Command::WaitEvents(_), None) = (at.command, error) {
            let batch = self.places.batch();
            self.device.tell_order(|| Submit::Runs { batch });
        }
        Ok(())
    }

    fn needs_draws_done(&self, command: &Command) -> bool {
        // Each draw must run separately, so that accesses of its shaders are attributed to it.
        command.is_conditional()
    }
}

/// Collects the memory that a command accesses, from its effects.
struct Areas<'a> {
    tell: &'a Tell<'a>,
    found: Vec<Area>,
}

impl Areas<'_> {
    fn add(&mut self, effect: &Effect<'_>) {
        let by = (effect.access, effect.part);
        match effect.place {
            Place::Bytes { buffer, offset, size } => self.bytes(buffer, offset, size, by),
            Place::Texels { image, of, corner, extent } => self.texels(image, &of, (corner, extent), by),
            Place::SomeTexels(_) | Place::Addressed => {}
        }
    }

    fn push(&mut self, block: Block, (by, part): (Access, Part), what: Arc<str>) {
        reserve::carry(reserve::grow(&mut self.found, 1));
        self.found.push(Area { block, by, part, what });
    }

    fn bytes(&mut self, buffer: &Buffer, offset: u64, size: u64, by: (Access, Part)) {
        if let Ok(base) = buffer.address() {
            let size = size.min(buffer.size().saturating_sub(offset));
            let block = Block::bytes_of(Range { base: base.saturating_add(offset), size });
            self.push(block, by, self.tell.name(buffer));
        }
    }

    fn texels(
        &mut self,
        image: &Image,
        of: &SubresourceLayers,
        (corner, extent): ([i32; 3], [u32; 3]),
        by: (Access, Part),
    ) {
        let (desc, what) = (image.desc(), self.tell.name(image));
        let end = of.base_layer.saturating_add(of.layers).min(desc.layers);
        for aspect in of.aspects.singles() {
            for layer in of.base_layer.min(end)..end {
                let Some(part) = image.layout().subresource(aspect, of.level, layer) else { continue };
                let Ok((memory, offset)) = image.plane_memory(part.memory) else { continue };
                let base = memory.address() + offset + part.offset;
                // Samples are stored one after the other, and the planes of a multi-planar image have texels of
                // different sizes. These images are reported as plain bytes.
                if desc.samples > 1 || image.format().is_multi_planar() {
                    let block = Block::bytes_of(Range { base, size: part.size });
                    self.push(block, by, what.clone());
                    continue;
                }
                let [bw, bh, bd] = part.format.block().map(u64::from);
                let bytes = u64::from(part.format.bytes());
                let first = corner.map(|c| c.max(0) as u64);
                let behind: [u64; 3] = std::array::from_fn(|i| first[i] + u64::from(extent[i]));
                let (row_pitch, slice_pitch) = (part.row_pitch, part.slice_pitch);
                let x = [first[0] / bw * bytes, behind[0].div_ceil(bw) * bytes];
                let y = [first[1] / bh, behind[1].div_ceil(bh)];
                let z = [first[2] / bd, behind[2].max(first[2] + 1).div_ceil(bd)];
                self.push(Block { base, row_pitch, slice_pitch, x, y, z }, by, what.clone());
            }
        }
    }
}
