//! Recording of notes for observers of the device: labels, and the details of barriers. Notes have no effect.
//!
//! A device without observers records no notes.

use super::list::{Command, Ref};
use super::record::CommandBuffer;
use crate::error::Result;
use crate::image_layouts::{LayoutChange, LayoutUse};
use crate::resource::buffer::Buffer;
use crate::resource::copies::SubresourceRange;
use crate::resource::image::Image;
use crate::sync::Event;

/// Stages and accesses before and after a barrier. The values are bits of VkPipelineStageFlagBits2 and
/// VkAccessFlagBits2. Spec: Vulkan, VkMemoryBarrier2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// First synchronization scope: stages that must complete before the barrier.
    pub src_stages: u64,
    /// First access scope: accesses whose writes become available.
    pub src_access: u64,
    /// Second synchronization scope: stages that wait for the barrier.
    pub dst_stages: u64,
    /// Second access scope: accesses that see the available writes.
    pub dst_access: u64,
}

/// A barrier: its dependency and the memory that it covers.
#[derive(Clone, Copy, Debug)]
pub struct Barrier<'a> {
    /// The stages and accesses.
    pub dependency: Dependency,
    /// The memory that the barrier covers.
    pub of: BarrierOf<'a>,
}

/// The memory that a barrier covers.
#[derive(Clone, Copy, Debug)]
pub enum BarrierOf<'a> {
    /// All memory.
    Memory,
    /// Bytes of a buffer.
    Buffer {
        /// The buffer.
        buffer: &'a Buffer,
        /// Offset of the first byte.
        offset: u64,
        /// Size in bytes; `u64::MAX` means up to the end of the buffer.
        size: u64,
    },
    /// Texels of an image.
    Image {
        /// The image.
        image: &'a Image,
        /// The image subresources.
        range: SubresourceRange,
        /// Layouts before and after the barrier, as values of VkImageLayout.
        layouts: [i32; 2],
    },
}

/// Recorded form of a barrier.
pub(crate) struct NotedBarrier {
    pub dependency: Dependency,
    pub of: NotedOf,
    /// The event that the barrier waits for: its first scope is the commands before the event was set.
    pub event: Option<Ref<Event>>,
}

/// Recorded form of [`BarrierOf`].
pub(crate) enum NotedOf {
    Memory,
    Buffer { buffer: Ref<Buffer>, offset: u64, size: u64 },
    Image { image: Ref<Image>, range: SubresourceRange, layouts: [i32; 2] },
}

/// Texels of an image and the layout of a change or a use, with references into the list.
pub(crate) struct NotedLayout {
    pub image: Ref<Image>,
    pub range: SubresourceRange,
    pub change: LayoutChange,
}

/// Information for observers, without an effect.
pub(crate) enum Note {
    BeginLabel(Box<str>),
    EndLabel,
    InsertLabel(Box<str>),
    Barriers(Vec<NotedBarrier>),
    /// Stages that the next event set waits for, as bits of VkPipelineStageFlagBits2.
    SetBehind(u64),
    /// Layouts that images must have for the next command.
    Layouts(Vec<NotedLayout>),
}

impl CommandBuffer {
    /// `true` if labels and barriers are recorded: see [`Device::keeps_notes`](crate::Device::keeps_notes).
    pub fn keeps_notes(&self) -> bool {
        self.device.keeps_notes()
    }

    /// Sets the name of the command buffer in errors and traces.
    pub fn set_name(&mut self, name: &str) -> &mut Self {
        self.name = (!name.is_empty()).then(|| name.into());
        self
    }

    /// Begins a label for the following commands, up to the end of the label.
    pub fn begin_label(&mut self, label: &str) -> &mut Self {
        self.note(|_| Ok(Note::BeginLabel(label.into())))
    }

    /// Ends the innermost open label.
    pub fn end_label(&mut self) -> &mut Self {
        self.note(|_| Ok(Note::EndLabel))
    }

    /// Inserts a label at this point between two commands.
    pub fn insert_label(&mut self, label: &str) -> &mut Self {
        self.note(|_| Ok(Note::InsertLabel(label.into())))
    }

    /// Like [`pipeline_barrier`](Self::pipeline_barrier), and tells observers the details of the barriers.
    pub fn pipeline_barriers(&mut self, barriers: &[Barrier<'_>]) -> &mut Self {
        self.note(|c| Ok(Note::Barriers(barriers.iter().map(|b| c.noted(b, None)).collect::<Result<_>>()?)));
        self.pipeline_barrier()
    }

    /// Like [`set_event`](Self::set_event), and tells observers the stages of earlier commands that the event waits
    /// for.
    pub fn set_event_behind(&mut self, event: &Event, stages: u64) -> &mut Self {
        self.note(|_| Ok(Note::SetBehind(stages)));
        self.set_event(event)
    }

    /// Like [`wait_events`](Self::wait_events), and tells observers the barriers of the events. Each barrier has the
    /// index of its event in `events`.
    pub fn wait_events_with(&mut self, events: &[&Event], barriers: &[(usize, Barrier<'_>)]) -> &mut Self {
        self.wait_events(events);
        self.note(|c| {
            let noted = |c: &mut CommandBuffer, (i, b): &(usize, Barrier<'_>)| {
                let event = events.get(*i).map(|e| c.keep(*e)).transpose()?;
                c.noted(b, event)
            };
            Ok(Note::Barriers(barriers.iter().map(|b| noted(c, b)).collect::<Result<_>>()?))
        });
        self.pipeline_barrier()
    }

    /// `true` if an observer checks image layouts.
    pub fn looks_at_layouts(&self) -> bool {
        self.device.looks_at_layouts()
    }

    /// Notes, for observers, the layouts that images must have for the next command.
    pub fn uses_layouts(&mut self, uses: &[LayoutUse<'_>]) -> &mut Self {
        if uses.is_empty() || !self.looks_at_layouts() {
            return self;
        }
        self.note(|c| {
            let noted = |c: &mut CommandBuffer, u: &LayoutUse<'_>| {
                Ok(NotedLayout { image: c.keep(u.image)?, range: u.range, change: u.change })
            };
            Ok(Note::Layouts(uses.iter().map(|u| noted(c, u)).collect::<Result<_>>()?))
        })
    }

    fn noted(&mut self, b: &Barrier<'_>, event: Option<Ref<Event>>) -> Result<NotedBarrier> {
        let of = match b.of {
            BarrierOf::Memory => NotedOf::Memory,
            BarrierOf::Buffer { buffer, offset, size } => {
                NotedOf::Buffer { buffer: self.keep(buffer)?, offset, size }
            }
            BarrierOf::Image { image, range, layouts } => {
                NotedOf::Image { image: self.keep(image)?, range, layouts }
            }
        };
        Ok(NotedBarrier { dependency: b.dependency, of, event })
    }

    fn note(&mut self, note: impl FnOnce(&mut Self) -> Result<Note>) -> &mut Self {
        if !self.device.keeps_notes() {
            return self;
        }
        self.step(|c| {
            let note = note(c)?;
            let note = c.list.parameters.put(note);
            c.add(0, Command::Note(note))
        })
    }
}
