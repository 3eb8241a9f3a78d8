//! Recording of what has no effect, for those who watch the device: labels, and what barriers are about.
//!
//! Devices that nobody watches record none of it.

use super::list::{Command, Ref};
use super::record::CommandBuffer;
use crate::buffer::Buffer;
use crate::copies::SubresourceRange;
use crate::error::Result;
use crate::image::Image;
use crate::sync::Event;

/// What comes before and after a barrier. Spec: Vulkan, VkMemoryBarrier2; the numbers are those of
/// VkPipelineStageFlagBits2 and VkAccessFlagBits2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dependency {
    /// Stages that must be done.
    pub src_stages: u64,
    /// Accesses that are made available.
    pub src_access: u64,
    /// Stages that wait.
    pub dst_stages: u64,
    /// Accesses that they are made visible to.
    pub dst_access: u64,
}

/// A barrier: its dependency and what it is about.
#[derive(Clone, Copy, Debug)]
pub struct Barrier<'a> {
    /// The dependency.
    pub dependency: Dependency,
    /// What it is about.
    pub of: BarrierOf<'a>,
}

/// What a barrier is about.
#[derive(Clone, Copy, Debug)]
pub enum BarrierOf<'a> {
    /// All memory.
    Memory,
    /// Bytes of a buffer.
    Buffer {
        /// The buffer.
        buffer: &'a Buffer,
        /// First byte.
        offset: u64,
        /// Bytes; `u64::MAX` up to the end.
        size: u64,
    },
    /// Texels of an image.
    Image {
        /// The image.
        image: &'a Image,
        /// Which of them.
        range: SubresourceRange,
        /// Layouts before and after: the numbers are those of VkImageLayout.
        layouts: [i32; 2],
    },
}

/// A barrier as a list has it.
pub(crate) struct NotedBarrier {
    pub dependency: Dependency,
    pub of: NotedOf,
    /// It waits for what came before this event was set.
    pub event: Option<Ref<Event>>,
}

/// What it is about.
pub(crate) enum NotedOf {
    Memory,
    Buffer { buffer: Ref<Buffer>, offset: u64, size: u64 },
    Image { image: Ref<Image>, range: SubresourceRange, layouts: [i32; 2] },
}

/// Something without an effect.
pub(crate) enum Note {
    BeginLabel(Box<str>),
    EndLabel,
    InsertLabel(Box<str>),
    Barriers(Vec<NotedBarrier>),
    /// The event that is set next is so behind these stages.
    SetBehind(u64),
}

impl CommandBuffer {
    /// Whether labels and barriers are kept: see [`Device::keeps_notes`](crate::Device::keeps_notes).
    pub fn keeps_notes(&self) -> bool {
        self.device.keeps_notes()
    }

    /// Gives the command buffer the name that errors and traces call it by.
    pub fn set_name(&mut self, name: &str) -> &mut Self {
        self.name = (!name.is_empty()).then(|| name.into());
        self
    }

    /// The commands that follow, up to the end of the label, are for this.
    pub fn begin_label(&mut self, label: &str) -> &mut Self {
        self.note(|_| Ok(Note::BeginLabel(label.into())))
    }

    /// Ends the label that was begun last.
    pub fn end_label(&mut self) -> &mut Self {
        self.note(|_| Ok(Note::EndLabel))
    }

    /// A label for this place.
    pub fn insert_label(&mut self, label: &str) -> &mut Self {
        self.note(|_| Ok(Note::InsertLabel(label.into())))
    }

    /// As [`pipeline_barrier`](Self::pipeline_barrier); tells those who watch what the barriers are about.
    pub fn pipeline_barriers(&mut self, barriers: &[Barrier<'_>]) -> &mut Self {
        self.note(|c| Ok(Note::Barriers(barriers.iter().map(|b| c.noted(b, None)).collect::<Result<_>>()?)));
        self.pipeline_barrier()
    }

    /// As [`set_event`](Self::set_event); tells those who watch which stages of commands before are done then.
    pub fn set_event_behind(&mut self, event: &Event, stages: u64) -> &mut Self {
        self.note(|_| Ok(Note::SetBehind(stages)));
        self.set_event(event)
    }

    /// As [`wait_events`](Self::wait_events); tells those who watch what waits for each of them: its number among the
    /// events, and a barrier.
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
