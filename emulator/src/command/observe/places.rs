//! Names and places of commands, for reports about the order of commands: `vkCmdDraw`, `command 5 of command buffer
//! "frame"`.

use std::fmt::Write;

use quadrille_check::events::Event;
use quadrille_raster::format::Aspects;

use super::super::binding_tables::TraceSource;
use super::super::effects::At;
use super::super::list::{Command, CommandList, DrawKind, Note};
use super::super::structure_copy::StructureCopy;
use crate::observation::watching::Watching;

/// Position of a list in a batch, for reports about the order of commands.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct InBatch {
    /// The batch.
    pub batch: u64,
    /// Index of the list in the batch.
    pub list: usize,
    /// Number of lists in the batch.
    pub lists: usize,
}

/// Current place of the execution.
pub(super) struct Places<'l> {
    at: InBatch,
    /// The open lists: name and number of commands so far.
    lists: Vec<(Option<&'l str>, u32)>,
    /// The open labels.
    labels: Vec<&'l str>,
}

impl<'l> Places<'l> {
    /// The place at the beginning of a list of a batch.
    pub fn new(at: InBatch) -> Places<'l> {
        Places { at, lists: Vec::new(), labels: Vec::new() }
    }

    /// Number of the batch.
    pub fn batch(&self) -> u64 {
        self.at.batch
    }

    /// A list begins.
    pub fn begin(&mut self, list: &'l CommandList) {
        self.lists.push((list.name.as_deref(), 0));
    }

    /// The innermost open list ends.
    pub fn end(&mut self) {
        self.lists.pop();
    }

    /// Begins a label for the following commands.
    pub fn begin_label(&mut self, label: &'l str) {
        self.labels.push(label);
    }

    /// Ends the innermost open label.
    pub fn end_label(&mut self) {
        self.labels.pop();
    }

    /// Reports the next command, if it accesses memory or orders other commands.
    pub fn tell(&mut self, watch: &Watching, at: &At<'_, '_>) {
        let (list, command) = (at.list, at.command);
        let order = at.scope.and_then(|info| info.order.as_ref());
        let name = match command {
            Command::EndRendering => Some(order.map_or("vkCmdEndRendering", |order| order.names[1])),
            _ => name(list, command),
        };
        let Some(name) = name else { return };
        let depth = self.lists.len();
        let Some((list, number)) = self.lists.last_mut() else { return };
        *number += 1;
        let mut place = format!("command {number}");
        let written = match list {
            Some(list) => write!(place, " of command buffer {list:?}"),
            None if depth > 1 => write!(place, " of a secondary command buffer"),
            None if self.at.lists > 1 => write!(place, " of command buffer {}", self.at.list + 1),
            None => Ok(()),
        };
        if let Some(label) = self.labels.last() {
            place = format!("{place} in {label:?}");
        }
        if self.at.batch != 0 {
            place = format!("{place} of submission {}", self.at.batch);
        }
        debug_assert!(written.is_ok(), "strings take all text");
        watch.tell(&Event::Command { name, place: &place });
    }
}

/// The name of the Vulkan command.
fn name(list: &CommandList, command: &Command) -> Option<&'static str> {
    use Command as C;
    Some(match command {
        C::Dispatch { .. } => "vkCmdDispatch",
        C::DispatchIndirect { .. } => "vkCmdDispatchIndirect",
        C::TraceRays { source, .. } => match list[*source] {
            TraceSource::Direct(..) => "vkCmdTraceRaysKHR",
            TraceSource::Size(..) => "vkCmdTraceRaysIndirectKHR",
            TraceSource::Everything(_) => "vkCmdTraceRaysIndirect2KHR",
        },
        C::Draw { draw, .. } if draw.indexed => "vkCmdDrawIndexed",
        C::Draw { .. } => "vkCmdDraw",
        C::DrawMeshes { .. } => "vkCmdDrawMeshTasksEXT",
        C::DrawIndirect { indirect, .. } => match (list[*indirect].kind, &list[*indirect].count) {
            (DrawKind::Vertices, None) => "vkCmdDrawIndirect",
            (DrawKind::Vertices, Some(_)) => "vkCmdDrawIndirectCount",
            (DrawKind::Indexed, None) => "vkCmdDrawIndexedIndirect",
            (DrawKind::Indexed, Some(_)) => "vkCmdDrawIndexedIndirectCount",
            (DrawKind::Meshes, None) => "vkCmdDrawMeshTasksIndirectEXT",
            (DrawKind::Meshes, Some(_)) => "vkCmdDrawMeshTasksIndirectCountEXT",
        },
        C::DrawByteCount { .. } => "vkCmdDrawIndirectByteCountEXT",
        C::BeginRendering(info) => list[*info].order.as_ref().map_or("vkCmdBeginRendering", |o| o.names[0]),
        C::BeginFeedback(_) => "vkCmdBeginTransformFeedbackEXT",
        C::EndFeedback(_) => "vkCmdEndTransformFeedbackEXT",
        C::ClearAttachments { .. } => "vkCmdClearAttachments",
        C::CopyBuffer { .. } => "vkCmdCopyBuffer",
        C::CopyImage { .. } => "vkCmdCopyImage",
        C::CopyBufferToImage { .. } => "vkCmdCopyBufferToImage",
        C::CopyImageToBuffer { .. } => "vkCmdCopyImageToBuffer",
        C::Blit { .. } => "vkCmdBlitImage",
        C::Resolve { .. } => "vkCmdResolveImage",
        C::CopyIndirect(_) => "vkCmdCopyMemoryIndirectKHR",
        C::Decompress(_) => "vkCmdDecompressMemoryEXT",
        C::DecompressIndirect(_) => "vkCmdDecompressMemoryIndirectCountEXT",
        C::BuildStructures(builds) if list[*builds].iter().any(|of| of.build.is_micromap_object()) => {
            "vkCmdBuildMicromapsEXT"
        }
        C::BuildStructures(builds) => match list[*builds].iter().any(|build| build.ranges.is_some()) {
            false => "vkCmdBuildAccelerationStructuresKHR",
            true => "vkCmdBuildAccelerationStructuresIndirectKHR",
        },
        C::CopyStructure(copy) => match list[*copy] {
            StructureCopy::Clone { .. } => "vkCmdCopyAccelerationStructureKHR",
            StructureCopy::Serialize { .. } => "vkCmdCopyAccelerationStructureToMemoryKHR",
            StructureCopy::Deserialize { .. } => "vkCmdCopyMemoryToAccelerationStructureKHR",
        },
        C::WriteStructureProperties(_) => "vkCmdWriteAccelerationStructuresPropertiesKHR",
        C::FillBuffer { .. } => "vkCmdFillBuffer",
        C::UpdateBuffer { .. } => "vkCmdUpdateBuffer",
        C::ClearImage { ranges, .. } => match list.regions(*ranges).first() {
            Some(range) if !range.aspects.contains(Aspects::COLOR) => "vkCmdClearDepthStencilImage",
            _ => "vkCmdClearColorImage",
        },
        C::CopyQueryResults(_) => "vkCmdCopyQueryPoolResults",
        C::BeginConditional { .. } => "vkCmdBeginConditionalRenderingEXT",
        C::Note(note) => match &list[*note] {
            Note::Barriers(barriers) if barriers.iter().any(|b| b.event.is_some()) => "vkCmdWaitEvents",
            Note::Barriers(_) => "vkCmdPipelineBarrier",
            _ => return None,
        },
        C::Generated(_) => "vkCmdExecuteGeneratedCommandsEXT",
        C::EndRendering
        | C::Barrier
        | C::WaitEvents(_)
        | C::EndConditional
        | C::ResetQueries { .. }
        | C::BeginQuery { .. }
        | C::EndQuery { .. }
        | C::WriteTimestamp { .. }
        | C::SetEvent(_)
        | C::ResetEvent(_)
        | C::Execute(_) => return None,
    })
}
