//! Recording of notes for observers of the device: labels, and the details of barriers. Notes have no effect.
//!
//! A device without observers records no notes.

use super::list::{Command, Ref};
use super::note::{Barrier, BarrierOf, Note, NotedBarrier, NotedLayout, NotedOf};
use super::record::CommandBuffer;
use crate::error::Result;
use crate::image_layouts::LayoutUse;
use crate::sync::Event;

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
