//! Recording of transform feedback. Spec: Vulkan, "Transform Feedback".

use quadrille_raster::pass::Draw;

use super::list::{BufferSlice, ByteCount, Capture, Command, Counters, DrawKind};
use super::record::CommandBuffer;
use crate::error::{Result, ensure};
use crate::flags::BufferUsage;
use crate::limits::{LIMITS, at_most};
use crate::resource::buffer::Buffer;

impl CommandBuffer {
    /// Binds transform feedback buffers from number `first` on: buffer, offset and size in bytes. A size of `None`
    /// means up to the end of the buffer.
    pub fn bind_transform_feedback_buffers(
        &mut self,
        first: u32,
        buffers: &[(&Buffer, u64, Option<u64>)],
    ) -> &mut Self {
        self.step(|c| {
            c.ends_feedback("binding of transform feedback buffers")?;
            let end = u64::from(first) + buffers.len() as u64;
            at_most("transform feedback buffers", end, LIMITS.max_transform_feedback_buffers.into())?;
            for (number, (buffer, offset, size)) in (first as usize..).zip(buffers) {
                buffer.need(BufferUsage::TRANSFORM_FEEDBACK, "transform feedback")?;
                ensure(offset.is_multiple_of(4), || {
                    "transform feedback at an offset that is not a multiple of 4".into()
                })?;
                let size = size.unwrap_or(buffer.size().saturating_sub(*offset));
                buffer.check(*offset, size)?;
                let slice = BufferSlice { buffer: c.keep(*buffer)?, offset: *offset, size };
                c.state.feedback_buffers[number] = Some(slice);
            }
            Ok(())
        })
    }

    /// Begins transform feedback: the bound buffers capture the vertices that the following draws output. `counters`
    /// belong to the buffers from number `first` on and hold the offset where capturing continues; without a counter it
    /// begins at the start.
    pub fn begin_transform_feedback(&mut self, first: u32, counters: &[Option<(&Buffer, u64)>]) -> &mut Self {
        self.step(|c| {
            c.inside("transform feedback")?;
            c.ends_feedback("transform feedback")?;
            let counters = c.counters(first, counters)?;
            c.state.feedback = true;
            let buffers = c.state.feedback_buffers;
            let capture = c.list.parameters.put(Capture { buffers, counters });
            c.add(0, Command::BeginFeedback(capture))
        })
    }

    /// Ends transform feedback and writes the number of captured bytes to the counters.
    pub fn end_transform_feedback(&mut self, first: u32, counters: &[Option<(&Buffer, u64)>]) -> &mut Self {
        self.step(|c| {
            c.inside("end of transform feedback")?;
            ensure(c.state.feedback, || "transform feedback ends, but has not begun".into())?;
            c.state.feedback = false;
            let counters = c.counters(first, counters)?;
            let counters = c.list.parameters.put(counters);
            c.add(0, Command::EndFeedback(counters))
        })
    }

    fn counters(&mut self, first: u32, counters: &[Option<(&Buffer, u64)>]) -> Result<Counters> {
        let end = u64::from(first) + counters.len() as u64;
        at_most("transform feedback counters", end, LIMITS.max_transform_feedback_buffers.into())?;
        let mut out = Counters::default();
        for (out, counter) in out[first as usize..].iter_mut().zip(counters) {
            let Some((buffer, offset)) = counter else { continue };
            buffer.need(BufferUsage::TRANSFORM_FEEDBACK_COUNTER, "transform feedback counter")?;
            buffer.check(*offset, 4)?;
            *out = Some((self.keep(*buffer)?, *offset));
        }
        Ok(out)
    }

    /// `Invalid` if transform feedback is active.
    pub(super) fn ends_feedback(&self, what: &str) -> Result<()> {
        ensure(!self.state.feedback, || format!("{what} while transform feedback is active"))
    }

    /// Draws `instances` instances. The number of vertices is the value of the counter minus `counter_offset`, divided
    /// by `stride` (all in bytes).
    pub fn draw_indirect_byte_count(
        &mut self,
        (instances, first_instance): (u32, u32),
        (counter, offset): (&Buffer, u64),
        counter_offset: u32,
        stride: u32,
    ) -> &mut Self {
        self.step(|c| {
            counter.need(BufferUsage::INDIRECT, "indirect draw")?;
            counter.check(offset, 4)?;
            ensure(stride > 0, || "the vertex stride of an indirect draw is 0".into())?;
            at_most("vertex stride", stride.into(), LIMITS.max_transform_feedback_buffer_data_stride.into())?;
            let snapshot = c.draw_snapshot(DrawKind::Vertices)?;
            let counter = (c.keep(counter)?, offset);
            let push = c.state.pushed(&mut c.list);
            let draw = Draw { instances, first_instance, ..Draw::default() };
            let bytes = c.list.parameters.put(ByteCount { counter, counter_offset, stride, draw });
            c.add(u64::MAX, Command::DrawByteCount { snapshot, push, bytes })
        })
    }
}
