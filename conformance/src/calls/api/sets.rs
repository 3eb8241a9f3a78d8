//! Descriptor sets: creation and writes.

use quadrille::*;

use super::super::kernels::BLOCK_WORDS;
use super::super::model::Range;
use super::{MOST, Seen, Set, World};

impl World<'_> {
    pub(super) fn make_set(&mut self) {
        if self.sets.len() >= MOST {
            return;
        }
        let layout = self.r.below(self.shared.layouts.len());
        let set = self.device().create_descriptor_set(&self.shared.layouts[layout].set);
        let Some(set) = self.judge("create_descriptor_set", set) else { return };
        self.sets.push(Set {
            set,
            layout,
            buffers: [None; 3],
            ends: [0; 3],
            uniform: None,
            inline: vec![0; 4 * BLOCK_WORDS as usize],
            texels: None,
            storage: None,
            sampled: None,
            recorded: false,
        });
        let last = self.sets.len() - 1;
        for binding in 0..7 {
            if !self.r.one_in(5) {
                self.write_binding(last, binding);
            }
        }
    }

    pub(super) fn write_set(&mut self) {
        let Some(i) = self.index(self.sets.len()) else { return };
        // The model of recorded commands uses the contents that the set had at recording.
        if self.sets[i].recorded && !self.wild {
            return;
        }
        let binding = self.r.below(7) as u32;
        self.write_binding(i, binding);
    }

    /// Writes one binding of a set, if a suitable resource exists.
    fn write_binding(&mut self, i: usize, binding: u32) {
        // In wild programs, the resource need not fit the binding.
        let number = self.num32(binding);
        let set = self.sets[i].set.clone();
        if self.r.one_in(10) {
            let done = set.write(number, 0, Resource::Null);
            if self.judge("write null", done).is_some() {
                self.note(i, number, |s| s.forget(number));
            }
            return;
        }
        match binding {
            0..=3 => self.write_buffer_binding(i, binding, number),
            4 => {
                let Some(v) = self.index(self.texel_views.len()) else { return };
                let view = self.texel_views[v].clone();
                let done = set.write(number, 0, Resource::TexelBuffer(&view.view));
                if self.judge("write texel buffer", done).is_some() {
                    self.note(i, number, |s| s.texels = Some(view.range));
                }
            }
            _ => self.write_image_binding(i, binding, number),
        }
    }

    fn write_buffer_binding(&mut self, i: usize, binding: u32, number: u32) {
        let Some(b) = self.index(self.buffers.len()) else { return };
        let set = self.sets[i].set.clone();
        let of = self.buffers[b].clone();
        let size = of.range.size as u64;
        let offset = if self.r.one_in(2) { 0 } else { 16 * self.r.below((size / 16) as usize + 1) as u64 };
        let offset = offset.min(size.saturating_sub(4) / 16 * 16);
        if binding == 3 && self.sets[i].layout == 1 {
            let bytes: Vec<u8> = (0..4 + 4 * self.r.below(8)).map(|n| n as u8).collect();
            let at = 4 * self.r.below(8) as u32;
            let at = self.num32(at);
            let done = set.write_inline(number, at, &bytes);
            if self.judge("write inline uniform block", done).is_some() {
                let at = at as usize;
                self.note(i, number, |s| s.inline[at..at + bytes.len()].copy_from_slice(&bytes));
            }
            return;
        }
        let (offset, range) = (self.num(offset), self.num((size - offset).min(1 << 16)));
        let range = if self.r.one_in(3) { None } else { Some(range) };
        let done = set.write(number, 0, Resource::Buffer { buffer: &of.buffer, offset, range });
        if self.judge("write buffer", done).is_some() {
            let bytes = range.unwrap_or(size.saturating_sub(offset)) as usize;
            let bound = Range { memory: of.range.memory, at: of.range.at + offset as usize, size: bytes };
            if bound.at + bound.size > of.range.at + of.range.size {
                self.fail(format!("descriptor of {bound:?} in buffer {:?}", of.range));
            }
            self.note(i, number, |s| match number {
                0..=2 => {
                    s.buffers[number as usize] = Some(bound);
                    s.ends[number as usize] = of.range.at + of.range.size;
                }
                _ => s.uniform = Some(bound),
            });
        }
    }

    fn write_image_binding(&mut self, i: usize, binding: u32, number: u32) {
        let storage = binding == 5;
        let usage = if storage { ImageUsage::STORAGE } else { ImageUsage::SAMPLED };
        let fits = |s: &&Seen| {
            let (of, v) = (s.image.desc(), s.view.desc());
            let fits = v.dim == ViewDim::D2 && of.samples == 1 && of.usage.contains(usage);
            fits && if storage { v.format == Format::R8G8B8A8_UNORM } else { !v.format.is_integer() }
        };
        let all: Vec<Seen> = self.views.iter().filter(|s| self.wild || fits(s)).cloned().collect();
        let set = self.sets[i].set.clone();
        let (Some(v), Some(s)) = (self.index(all.len()), self.index(self.samplers.len())) else { return };
        let (seen, sampler) = (all[v].clone(), self.samplers[s]);
        if storage {
            let done = set.write(number, 0, Resource::Image(&seen.view));
            if self.judge("write storage image", done).is_some() {
                self.note(i, number, |s| s.storage = Some(seen.image));
            }
        } else {
            let done = set.write(number, 0, Resource::Combined(&seen.view, &sampler));
            if self.judge("write combined image", done).is_some() {
                self.note(i, number, |s| s.sampled = Some(seen.image));
            }
        }
    }

    /// Records the contents of a binding for the model.
    fn note(&mut self, i: usize, number: u32, f: impl FnOnce(&mut Set)) {
        if number < 7 {
            f(&mut self.sets[i]);
        } else {
            self.fail(format!("binding {number} of a set of 7 was written"));
        }
    }
}

impl Set {
    fn forget(&mut self, number: u32) {
        match number {
            0..=2 => self.buffers[number as usize] = None,
            3 => self.uniform = None,
            4 => self.texels = None,
            5 => self.storage = None,
            _ => self.sampled = None,
        }
    }
}
