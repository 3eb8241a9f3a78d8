//! Objects: creation, memory, and contents written by the host.

use quadrille::*;

use super::super::model::{Bytes, Range};
use super::{ALL_BUFFER_USAGES, Buf, MOST, TexelView, World};

impl World<'_> {
    /// Returns a random index into a list, or `None` if it is empty.
    pub(super) fn index(&mut self, len: usize) -> Option<usize> {
        if len == 0 { None } else { Some(self.r.below(len)) }
    }

    /// Allocates memory and creates one buffer in it, or several that may alias.
    pub(super) fn make_buffer(&mut self) {
        if self.buffers.len() >= MOST {
            return;
        }
        let several = self.r.one_in(3);
        let n = if several { 2 + self.r.below(3) } else { 1 };
        let sizes: Vec<u64> = (0..n).map(|_| self.buffer_size()).collect();
        let total = sizes.iter().map(|s| s.next_multiple_of(16)).sum::<u64>() + 16 * u64::from(several);
        let size = self.num(total);
        let memory = self.device().allocate(size);
        let Some(memory) = self.judge("allocate", memory) else { return };
        let Some(number) = self.keep_memory(&memory) else { return };
        let mut at = 0;
        for size in sizes {
            let wanted = self.num(size);
            let usage =
                if self.r.one_in(12) { BufferUsage(self.r.bits() as u32 & 0x1ff) } else { ALL_BUFFER_USAGES };
            let buffer = self.device().create_buffer(BufferDesc { size: wanted, usage });
            let Some(buffer) = self.judge("create_buffer", buffer) else { continue };
            let aliases = self.wild && self.r.one_in(3);
            let offset = self.num(if aliases { 0 } else { at });
            let bound = buffer.bind(&memory, offset);
            if self.judge("bind buffer", bound).is_some() {
                let range = Range { memory: number, at: offset as usize, size: buffer.size() as usize };
                if range.at + range.size > self.model[number].len() {
                    self.fail(format!("bound {range:?} in memory of {} bytes", memory.size()));
                    return;
                }
                self.buffers.push(Buf { buffer, range });
                at = at.max(offset + wanted.next_multiple_of(16));
            }
        }
    }

    fn buffer_size(&mut self) -> u64 {
        match self.r.below(8) {
            0 => 1 + self.r.below(64) as u64,
            1 => 4096,
            2 => 16 << 10,
            _ => 64 + 4 * self.r.below(512) as u64,
        }
    }

    /// Returns the index of an allocation in the model. Large allocations are created, but not tracked.
    fn keep_memory(&mut self, memory: &Memory) -> Option<usize> {
        if memory.size() > 1 << 20 {
            return None;
        }
        self.memories.push(Some(memory.clone()));
        self.model.push(Bytes::new(memory.size() as usize));
        Some(self.model.len() - 1)
    }

    pub(super) fn make_texel_view(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        if self.texel_views.len() >= MOST {
            return;
        }
        let of = self.buffers[i].clone();
        let offset = 16 * self.r.below(of.range.size / 16 + 1) as u64;
        let left = (of.range.size as u64).saturating_sub(offset) / 4 * 4;
        let range = if self.r.one_in(2) { left } else { left / 2 / 4 * 4 };
        let (offset, range) = (self.num(offset), self.num(range));
        let desc = BufferViewDesc { format: Format::R32_UINT, offset, range: Some(range) };
        let view = self.device().create_buffer_view(&of.buffer, desc);
        if let Some(view) = self.judge("create_buffer_view", view) {
            let at =
                Range { memory: of.range.memory, at: of.range.at + offset as usize, size: range as usize };
            self.texel_views.push(TexelView { view, range: at });
        }
    }

    pub(super) fn make_sampler(&mut self) {
        if self.samplers.len() >= MOST {
            let last = self.samplers.swap_remove(0);
            // A new sampler may reuse the number: nothing bound or recorded may still use this sampler.
            if self.wild {
                self.device().release_sampler(last);
            }
            return;
        }
        let filter = |w: &mut Self| if w.r.one_in(2) { Filter::Linear } else { Filter::Nearest };
        let modes = [
            AddressMode::Repeat,
            AddressMode::MirroredRepeat,
            AddressMode::ClampToEdge,
            AddressMode::ClampToBorder,
            AddressMode::MirrorClampToEdge,
        ];
        let desc = SamplerDesc {
            mag_filter: if self.r.one_in(6) { Filter::Cubic } else { filter(self) },
            min_filter: filter(self),
            mipmap_mode: filter(self),
            address: [*self.r.pick(&modes), *self.r.pick(&modes), *self.r.pick(&modes)],
            lod_bias: (self.r.below(5) as f32 - 2.0).to_bits(),
            anisotropy: self.r.one_in(4).then_some(4f32.to_bits()),
            border: BorderColor::OpaqueWhite,
            ..SamplerDesc::default()
        };
        let sampler = self.device().create_sampler(desc);
        if let Some(sampler) = self.judge("create_sampler", sampler) {
            self.samplers.push(sampler);
        }
    }

    pub(super) fn make_queries(&mut self) {
        // All counters but CPU time, which differs from run to run, and the statistics of mesh shaders.
        let counters = self.r.bits() as u32 & !Counter::CpuTime.bit() & 0x1_e7ff;
        let kind = match self.r.below(6) {
            5 => QueryKind::Counters(counters),
            0 => QueryKind::Occlusion,
            1 => QueryKind::Timestamp,
            2 => QueryKind::TransformFeedbackStream,
            3 => QueryKind::PrimitivesGenerated,
            _ => QueryKind::PipelineStatistics(self.r.bits() as u32 & 0x7ff),
        };
        let count = 1 + self.r.below(8) as u32;
        let count = self.num32(count);
        let pool = self.device().create_query_pool(kind, count);
        if let Some(pool) = self.judge("create_query_pool", pool)
            && self.queries.len() < 6
            && pool.len() < 100_000
        {
            self.queries.push(pool);
        }
    }

    /// Writes bytes of a buffer on the host.
    pub(super) fn write_buffer(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        if self.busy && !self.wild {
            self.wait();
        }
        let of = self.buffers[i].clone();
        let n = 1 + self.r.below(of.range.size.min(256));
        let at = self.r.below(of.range.size - n + 1);
        let at = self.num(at as u64);
        let small = self.r.one_in(3);
        let bytes: Vec<u8> = (0..n).map(|_| self.r.bits() as u8 & if small { 0x0f } else { 0xff }).collect();
        let done = of.buffer.write(at, &bytes);
        if self.judge("write buffer bytes", done).is_some() {
            self.set_model(&of.range, at, &bytes);
        }
    }

    fn set_model(&mut self, of: &Range, at: u64, bytes: &[u8]) {
        let at = at as usize;
        if at + bytes.len() > of.size {
            self.fail(format!("wrote {} bytes at {at} of {of:?}", bytes.len()));
            return;
        }
        self.model[of.memory].set(of.at + at, bytes);
    }
}
