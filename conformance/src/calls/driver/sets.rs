//! Descriptor sets: pools, sets, and their contents.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;

use super::super::kernels::BLOCK_WORDS;
use super::super::model::Range;
use super::{Bound, KINDS, Kind, Pool, Set, Uid, View, World};
use crate::random::Random;

impl World<'_> {
    /// Creates a descriptor pool with room for every kind of set.
    fn make_pool(&mut self) -> Option<()> {
        use vk::DescriptorType as T;
        let sizes: Vec<_> = [
            (T::STORAGE_BUFFER, 24),
            (T::UNIFORM_BUFFER, 8),
            (T::STORAGE_BUFFER_DYNAMIC, 24),
            (T::INLINE_UNIFORM_BLOCK, 8 * 4 * BLOCK_WORDS),
            (T::UNIFORM_TEXEL_BUFFER, 8),
            (T::STORAGE_IMAGE, 8),
            (T::COMBINED_IMAGE_SAMPLER, 8),
            (T::MUTABLE_EXT, 48),
        ]
        .map(|(ty, descriptor_count)| vk::DescriptorPoolSize { ty, descriptor_count })
        .to_vec();
        let mut inline =
            vk::DescriptorPoolInlineUniformBlockCreateInfo::default().max_inline_uniform_block_bindings(8);
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(8)
            .pool_sizes(&sizes)
            .flags(
                vk::DescriptorPoolCreateFlags::FREE_DESCRIPTOR_SET
                    | vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND,
            )
            .push_next(&mut inline);
        // SAFETY: the device is live, and `sizes` and `info` are valid and outlive the call.
        let pool = unsafe { self.shared.client.device.create_descriptor_pool(&info, None) };
        let pool = self.judge("vkCreateDescriptorPool", pool)?;
        self.pools.push(Pool { pool });
        Some(())
    }

    pub(super) fn make_set(&mut self) {
        if self.pools.is_empty() && self.make_pool().is_none() {
            return;
        }
        let pool = self.r.below(self.pools.len());
        if self.sets.iter().filter(|s| s.pool == pool).count() >= 8 {
            if self.pools.len() < 3 {
                self.make_pool();
            }
            return;
        }
        let layout = self.r.below(KINDS.len() - 1);
        let layouts = [self.shared.layouts[layout].set];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(self.pools[pool].pool)
            .set_layouts(&layouts);
        // SAFETY: the pool and the layout are live, and the pool belongs to this program alone.
        let set = unsafe { self.shared.client.device.allocate_descriptor_sets(&info) };
        let Some(set) = self.judge("vkAllocateDescriptorSets", set) else { return };
        let uid = self.uid();
        let inline = vec![0; 4 * BLOCK_WORDS as usize];
        self.sets.push(Set { uid, set: set[0], pool, layout, bindings: Default::default(), inline });
        let last = self.sets.len() - 1;
        for binding in 0..7 {
            if !self.r.one_in(6) {
                self.write_binding(last, binding);
            }
        }
    }

    /// Writes a binding of a set, if Vulkan allows that now.
    pub(super) fn write_set(&mut self) {
        let Some(i) = self.index(self.sets.len()) else { return };
        let binding = self.r.below(7);
        let (uid, layout) = (self.sets[i].uid, self.sets[i].layout);
        if KINDS[layout] == Kind::Late {
            // Update-after-bind permits writes to bindings that no recorded command buffer uses.
            let uses = |r: &super::Recorded| r.statics.iter().any(|(set, used)| *set == uid && used[binding]);
            if self.recorded.iter().any(uses) {
                return;
            }
        } else {
            // The write invalidates command buffers that use the set.
            let users = self.recorded.iter().filter(|r| r.statics.iter().any(|s| s.0 == uid));
            let users = users.map(|r| r.uid).collect();
            self.kill(users);
        }
        let Some(i) = self.sets.iter().position(|s| s.uid == uid) else { return };
        self.write_binding(i, binding);
    }

    fn write_binding(&mut self, i: usize, binding: usize) {
        let kind = KINDS[self.sets[i].layout];
        if kind == Kind::Dynamic && binding == 3 {
            return self.write_inline(i);
        }
        let Some((bound, write)) = self.choose(kind, binding) else { return };
        let (set, device) = (self.sets[i].set, &self.shared.client.device);
        write.with(|w| {
            let w = w.dst_set(set).dst_binding(binding as u32);
            // SAFETY: `write_set` checked that nothing uses the binding, and `choose` returned a live resource of its
            // type.
            unsafe { device.update_descriptor_sets(&[w], &[]) }
        });
        self.tally.count("vkUpdateDescriptorSets", true, 1);
        self.sets[i].bindings[binding] = bound;
    }

    fn write_inline(&mut self, i: usize) {
        let n = 4 * (1 + self.r.below(8));
        let at = 4 * self.r.below((4 * BLOCK_WORDS as usize - n) / 4 + 1);
        let bytes: Vec<u8> = (0..n).map(|_| self.r.bits() as u8).collect();
        let mut block = vk::WriteDescriptorSetInlineUniformBlock::default().data(&bytes);
        let mut write = vk::WriteDescriptorSet::default()
            .dst_set(self.sets[i].set)
            .dst_binding(3)
            .dst_array_element(at as u32)
            .descriptor_type(vk::DescriptorType::INLINE_UNIFORM_BLOCK)
            .push_next(&mut block);
        write.descriptor_count = n as u32;
        // SAFETY: the set is live, `write_set` checked that nothing uses the binding, and the bytes lie within the
        // inline uniform block.
        unsafe { self.shared.client.device.update_descriptor_sets(&[write], &[]) };
        self.tally.count("vkUpdateDescriptorSets", true, 1);
        let set = &mut self.sets[i];
        set.inline[at..at + n].copy_from_slice(&bytes);
        // Bytes that were not written are undefined in Vulkan; the model relies on this driver, where a new set holds
        // zeros.
        set.bindings[3].written = true;
    }

    /// Chooses a live resource for a binding; `None` if there is none.
    pub(super) fn choose(&mut self, kind: Kind, binding: usize) -> Option<(Bound, Write)> {
        choose(self, &mut self.r.fork(7), kind, binding).inspect(|_| {
            self.r.bits();
        })
    }
}

/// Contents of a descriptor write.
pub(super) enum Write {
    Buffer(vk::DescriptorType, vk::DescriptorBufferInfo),
    Texel(vk::BufferView),
    Image(vk::DescriptorType, vk::DescriptorImageInfo),
}

impl Write {
    /// Calls `f` with a write structure whose set and binding are not filled in.
    pub fn with(&self, f: impl FnOnce(vk::WriteDescriptorSet<'_>)) {
        let write = vk::WriteDescriptorSet::default();
        match self {
            Write::Buffer(ty, info) => f(write.descriptor_type(*ty).buffer_info(std::slice::from_ref(info))),
            Write::Image(ty, info) => f(write.descriptor_type(*ty).image_info(std::slice::from_ref(info))),
            Write::Texel(view) => {
                let ty = vk::DescriptorType::UNIFORM_TEXEL_BUFFER;
                f(write.descriptor_type(ty).texel_buffer_view(std::slice::from_ref(view)));
            }
        }
    }
}

/// Chooses a live resource for a binding of a set of this kind.
pub(super) fn choose(w: &World<'_>, r: &mut Random, kind: Kind, binding: usize) -> Option<(Bound, Write)> {
    let ty = kind.written(binding);
    let bound = |uids: Vec<Uid>| Bound { uids, written: true, ..Bound::default() };
    match binding {
        0..=3 => {
            if w.buffers.is_empty() || r.one_in(12) {
                let info =
                    vk::DescriptorBufferInfo { buffer: vk::Buffer::null(), offset: 0, range: vk::WHOLE_SIZE };
                return Some((bound(Vec::new()), Write::Buffer(ty, info)));
            }
            let of = w.buffers[r.below(w.buffers.len())];
            let offset = 16 * r.below(of.range.size.div_ceil(16));
            let offset = if r.one_in(2) { 0 } else { offset };
            let left = of.range.size - offset;
            let size = if r.one_in(3) { left } else { 4 * (1 + r.below(left / 4)) };
            let whole = size == left && r.one_in(2);
            let range = if whole { vk::WHOLE_SIZE } else { size as u64 };
            let info = vk::DescriptorBufferInfo { buffer: of.buffer, offset: offset as u64, range };
            let at = Range { at: of.range.at + offset, size, ..of.range };
            let end = of.range.at + of.range.size;
            let uids = vec![of.uid];
            Some((Bound { range: Some(at), end, ..bound(uids) }, Write::Buffer(ty, info)))
        }
        4 => {
            if w.texel_views.is_empty() || r.one_in(12) {
                return Some((bound(Vec::new()), Write::Texel(vk::BufferView::null())));
            }
            let of = w.texel_views[r.below(w.texel_views.len())];
            let (range, uids) = (Some(of.range), vec![of.uid, of.buffer]);
            Some((Bound { range, ..bound(uids) }, Write::Texel(of.view)))
        }
        _ => {
            let sampler = w.samplers.get(r.below(w.samplers.len().max(1)))?;
            let fits = |v: &&View| if binding == 5 { v.storage } else { v.sampled };
            let views: Vec<&View> = w.views.iter().filter(fits).collect();
            let mut info = vk::DescriptorImageInfo {
                sampler: if binding == 6 { sampler.1 } else { vk::Sampler::null() },
                image_view: vk::ImageView::null(),
                image_layout: vk::ImageLayout::GENERAL,
            };
            let mut uids = if binding == 6 { vec![sampler.0] } else { Vec::new() };
            let mut image = None;
            if let Some(view) = views.get(r.below(views.len().max(1))).filter(|_| !r.one_in(12)) {
                info.image_view = view.view;
                uids.extend([view.uid, view.image]);
                image = Some(view.image);
            }
            Some((Bound { image, ..bound(uids) }, Write::Image(ty, info)))
        }
    }
}
