//! Submissions, waits, comparisons, and destruction of objects.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use ash::vk;

use super::super::Tally;
use super::super::model::{self, Range};
use super::super::structures::Structures;
use super::{Garbage, Img, Recorded, Shared, UNFOLLOWED, Uid, World};
use crate::cost::PATIENCE;
use crate::random::Random;

impl<'s> World<'s> {
    pub(super) fn new(shared: &'s Shared, r: Random) -> Result<World<'s>, String> {
        let d = &shared.client.device;
        let text = |e: vk::Result| e.to_string();
        let semaphore = |ty: vk::SemaphoreType| {
            let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(ty);
            let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
            // SAFETY: the device is live and supports timeline semaphores.
            unsafe { d.create_semaphore(&info, None) }.map_err(text)
        };
        let mut command_pools = Vec::new();
        for _ in 0..2 {
            let flags = vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER;
            let info = vk::CommandPoolCreateInfo::default().flags(flags);
            // SAFETY: the device is live and has this queue family.
            command_pools.push(unsafe { d.create_command_pool(&info, None) }.map_err(text)?);
        }
        let mut events = Vec::new();
        for i in 0..2 {
            // SAFETY: the device is live.
            let event = unsafe { d.create_event(&vk::EventCreateInfo::default(), None) };
            events.push((i + 1, event.map_err(text)?));
        }
        Ok(World {
            shared,
            r,
            tally: Tally { programs: 1, ..Tally::default() },
            failure: None,
            next: 100,
            model: Vec::new(),
            memories: Vec::new(),
            garbage: Vec::new(),
            buffers: Vec::new(),
            images: Vec::new(),
            views: Vec::new(),
            texel_views: Vec::new(),
            samplers: Vec::new(),
            pools: Vec::new(),
            sets: Vec::new(),
            targets: Vec::new(),
            pipelines: Vec::new(),
            queries: Vec::new(),
            scenes: Vec::new(),
            events,
            command_pools,
            recorded: Vec::new(),
            done: semaphore(vk::SemaphoreType::TIMELINE)?,
            submitted: 0,
            waited: 0,
            host: semaphore(vk::SemaphoreType::TIMELINE)?,
            host_value: 0,
            binary: semaphore(vk::SemaphoreType::BINARY)?,
            binary_signaled: false,
        })
    }

    pub(super) fn device(&self) -> &'s ash::Device {
        &self.shared.client.device
    }

    /// Allocates a command buffer from a pool.
    pub(super) fn command_buffer(&mut self, pool: usize, secondary: bool) -> Option<vk::CommandBuffer> {
        let level =
            if secondary { vk::CommandBufferLevel::SECONDARY } else { vk::CommandBufferLevel::PRIMARY };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(self.command_pools[pool])
            .level(level)
            .command_buffer_count(1);
        // SAFETY: the pool is live, and no other thread uses it now.
        let made = unsafe { self.device().allocate_command_buffers(&info) };
        self.judge("vkAllocateCommandBuffers", made).map(|c| c[0])
    }

    /// Transitions an image to the general layout and clears it, in a submission of its own.
    pub(super) fn prepare_image(&mut self, img: &Img) {
        let access = vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE;
        let barrier = vk::ImageMemoryBarrier::default()
            .dst_access_mask(access)
            .old_layout(vk::ImageLayout::UNDEFINED)
            .new_layout(vk::ImageLayout::GENERAL)
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(img.image)
            .subresource_range(vk::ImageSubresourceRange {
                aspect_mask: super::formats::aspects(img.format),
                base_mip_level: 0,
                level_count: vk::REMAINING_MIP_LEVELS,
                base_array_layer: 0,
                layer_count: vk::REMAINING_ARRAY_LAYERS,
            });
        let (top, all) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::ALL_COMMANDS);
        let none = vk::DependencyFlags::empty();
        self.run_once(|d, c| {
            // SAFETY: recording has begun, and the image was just created.
            unsafe { d.cmd_pipeline_barrier(c, top, all, none, &[], &[], &[barrier]) };
        });
    }

    /// Records a command buffer, and waits until it has completed.
    pub(super) fn run_once(&mut self, record: impl FnOnce(&ash::Device, vk::CommandBuffer)) {
        let Some(c) = self.command_buffer(0, false) else { return };
        let d = self.device();
        // SAFETY: the command buffer was just created, and no other thread uses the pool.
        let recorded = unsafe {
            d.begin_command_buffer(c, &vk::CommandBufferBeginInfo::default()).and_then(|()| {
                record(d, c);
                d.end_command_buffer(c)
            })
        };
        self.judge("vkEndCommandBuffer", recorded);
        self.submit_list(&[c], &[], &[], 0);
        self.wait(self.submitted);
        // SAFETY: the command buffer has completed: `wait` has returned.
        unsafe { d.free_command_buffers(self.command_pools[0], &[c]) };
        self.tally.count("vkFreeCommandBuffers", true, 1);
    }

    /// Submits command buffers. Also signals the submission counter, and then the host's semaphore.
    fn submit_list(
        &mut self,
        commands: &[vk::CommandBuffer],
        waits: &[(vk::Semaphore, u64)],
        signals: &[vk::Semaphore],
        host: u64,
    ) {
        self.submitted += 1;
        let mut signal: Vec<vk::Semaphore> = vec![self.done];
        let mut values = vec![self.submitted];
        signal.extend(signals);
        values.resize(signal.len(), 0);
        let wait: Vec<_> = waits.iter().map(|w| w.0).collect();
        let wait_values: Vec<_> = waits.iter().map(|w| w.1).collect();
        let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; wait.len()];
        let mut timeline = vk::TimelineSemaphoreSubmitInfo::default()
            .wait_semaphore_values(&wait_values)
            .signal_semaphore_values(&values);
        let info = vk::SubmitInfo::default()
            .wait_semaphores(&wait)
            .wait_dst_stage_mask(&stages)
            .command_buffers(commands)
            .signal_semaphores(&signal)
            .push_next(&mut timeline);
        let client = &self.shared.client;
        let lock = client.queue_lock.lock().unwrap_or_else(|e| e.into_inner());
        // SAFETY: the command buffers and semaphores are live; the lock keeps other threads off the queue.
        let done = unsafe { self.device().queue_submit(client.queue, &[info], vk::Fence::null()) };
        drop(lock);
        if self.judge("vkQueueSubmit", done).is_none() {
            // Nothing signals the number of the submission.
            self.submitted -= 1;
        }
        self.tally.submissions += 1;
        if host > 0 {
            let info = vk::SemaphoreSignalInfo::default().semaphore(self.host).value(host);
            // SAFETY: the new value is greater than the semaphore's current value.
            let done = unsafe { client.timeline.signal_semaphore(&info) };
            self.judge("vkSignalSemaphoreKHR", done);
        }
    }

    pub(super) fn submit(&mut self) {
        let primary: Vec<usize> = (0..self.recorded.len()).filter(|&i| !self.recorded[i].secondary).collect();
        if primary.is_empty() {
            return;
        }
        let mut chosen = Vec::new();
        for _ in 0..1 + self.r.below(3) {
            chosen.push(*self.r.pick(&primary));
        }
        let commands: Vec<_> = chosen.iter().map(|&i| self.recorded[i].commands).collect();
        let (mut waits, mut signals, mut host) = (Vec::new(), Vec::new(), 0);
        if self.binary_signaled {
            waits.push((self.binary, 0));
            self.binary_signaled = false;
        }
        if self.r.one_in(3) {
            signals.push(self.binary);
            self.binary_signaled = true;
        }
        if self.r.one_in(3) {
            self.host_value += 1;
            host = self.host_value;
            waits.push((self.host, host));
        }
        self.submit_list(&commands, &waits, &signals, host);
        let mut none = Structures::default();
        for i in chosen {
            let uses = self.recorded[i].uses.clone();
            let submitted = self.submitted;
            // Secondary command buffers are in use while their primary one is.
            for r in &mut self.recorded {
                if uses.contains(&r.uid) {
                    r.submitted = submitted;
                }
            }
            self.recorded[i].submitted = submitted;
            if let Err(e) = model::apply(&mut self.model, &mut none, &self.recorded[i].effects) {
                self.failure.get_or_insert(format!("model: {e}"));
            }
        }
    }

    /// Waits until a submission has completed.
    pub(super) fn wait(&mut self, number: u64) {
        if number <= self.waited {
            return;
        }
        let (semaphores, values) = ([self.done], [number]);
        let info = vk::SemaphoreWaitInfo::default().semaphores(&semaphores).values(&values);
        let timeline = &self.shared.client.timeline;
        let done = PATIENCE.wait(|time| {
            // SAFETY: the semaphore is live, and `info` outlives the call.
            match unsafe { timeline.wait_semaphores(&info, time.as_nanos() as u64) } {
                Err(vk::Result::TIMEOUT) => Ok(false),
                other => other.map(|()| true),
            }
        });
        let done = done.and_then(|over| if over { Ok(()) } else { Err(vk::Result::TIMEOUT) });
        self.judge("vkWaitSemaphoresKHR", done);
        self.waited = number;
    }

    pub(super) fn wait_all(&mut self) {
        self.wait(self.submitted);
    }

    pub(super) fn is_alive(&self, uid: Uid) -> bool {
        let memory = |m: Uid| self.memories.iter().any(|x| x.uid == m);
        if let Some(b) = self.buffers.iter().find(|b| b.uid == uid) {
            return memory(b.memory);
        }
        if let Some(i) = self.images.iter().find(|i| i.uid == uid) {
            return memory(i.memory);
        }
        self.views.iter().any(|v| v.uid == uid)
            || self.texel_views.iter().any(|v| v.uid == uid)
            || self.samplers.iter().any(|s| s.0 == uid)
    }

    /// Waits for the command buffers that use any of these objects and frees them, together with primary ones that
    /// execute them.
    pub(super) fn kill(&mut self, uids: Vec<Uid>) {
        let mut dead: HashSet<Uid> = uids.into_iter().collect();
        loop {
            let dies = |r: &Recorded| dead.contains(&r.uid) || r.uses.iter().any(|u| dead.contains(u));
            let Some(i) = self.recorded.iter().position(dies) else { return };
            let gone = self.recorded.swap_remove(i);
            dead.insert(gone.uid);
            self.wait(gone.submitted);
            // SAFETY: the command buffer has completed. Primary ones that execute it become invalid and are freed next.
            unsafe { self.device().free_command_buffers(self.command_pools[gone.pool], &[gone.commands]) };
            self.tally.count("vkFreeCommandBuffers", true, 1);
        }
    }

    /// Destroys an object that nothing uses any more.
    pub(super) fn destroy_one(&mut self) {
        let kind = self.r.below(12);
        self.destroy(kind);
    }

    /// Destroys an object of a kind, if there is one that nothing uses any more.
    fn destroy(&mut self, kind: usize) {
        match kind {
            0 | 1 => {
                let Some(i) = self.index(self.buffers.len()) else { return };
                let of = self.buffers[i];
                self.kill(vec![of.uid]);
                self.buffers.retain(|b| b.uid != of.uid);
                self.bury(Garbage::Buffer(of.buffer));
                let mut orphans = Vec::new();
                self.texel_views.retain(|v| {
                    v.buffer != of.uid || {
                        orphans.push(v.view);
                        false
                    }
                });
                orphans.into_iter().for_each(|v| self.bury(Garbage::TexelView(v)));
            }
            2 => {
                let Some(i) = self.index(self.images.len()) else { return };
                let of = self.images[i];
                self.destroy_image(of);
            }
            3 => {
                let Some(i) = self.index(self.views.len()) else { return };
                if !self.views[i].attachment {
                    let of = self.views[i];
                    self.kill(vec![of.uid]);
                    self.views.retain(|v| v.uid != of.uid);
                    self.bury(Garbage::View(of.view));
                }
            }
            4 => {
                let Some(i) = self.index(self.memories.len()) else { return };
                self.free_memory(i);
            }
            5 => {
                let Some(i) = self.index(self.sets.len()) else { return };
                let of = self.sets[i].clone();
                self.kill(vec![of.uid]);
                // SAFETY: `kill` freed all command buffers that use the set.
                let freed =
                    unsafe { self.device().free_descriptor_sets(self.pools[of.pool].pool, &[of.set]) };
                self.judge("vkFreeDescriptorSets", freed);
                self.sets.retain(|s| s.uid != of.uid);
            }
            6 => {
                let Some(i) = self.index(self.pools.len()) else { return };
                let sets = self.sets.iter().filter(|s| s.pool == i).map(|s| s.uid).collect();
                self.kill(sets);
                let none = vk::DescriptorPoolResetFlags::empty();
                // SAFETY: `kill` freed all command buffers that use sets of the pool.
                let reset = unsafe { self.device().reset_descriptor_pool(self.pools[i].pool, none) };
                self.judge("vkResetDescriptorPool", reset);
                self.sets.retain(|s| s.pool != i);
            }
            7 => {
                let Some(i) = self.index(self.pipelines.len()) else { return };
                let of = self.pipelines[i].clone();
                self.kill(vec![of.uid]);
                self.pipelines.retain(|p| p.uid != of.uid);
                // SAFETY: `kill` freed all command buffers that use the pipeline.
                unsafe { self.device().destroy_pipeline(of.pipeline, None) };
                self.tally.count("vkDestroyPipeline", true, 1);
            }
            8 => {
                let Some(i) = self.index(self.queries.len()) else { return };
                let of = self.queries[i];
                self.kill(vec![of.uid]);
                self.queries.retain(|q| q.uid != of.uid);
                // SAFETY: `kill` freed all command buffers that use the query pool.
                unsafe { self.device().destroy_query_pool(of.pool, None) };
                self.tally.count("vkDestroyQueryPool", true, 1);
            }
            9 => {
                let Some(i) = self.index(self.samplers.len()).filter(|_| self.samplers.len() > 2) else {
                    return;
                };
                let of = self.samplers[i];
                self.kill(vec![of.0]);
                self.samplers.retain(|s| s.0 != of.0);
                // SAFETY: `kill` freed all command buffers that use the sampler.
                unsafe { self.device().destroy_sampler(of.1, None) };
                self.tally.count("vkDestroySampler", true, 1);
            }
            10 => self.destroy_scene(),
            _ => self.collect(1),
        }
    }

    /// Destroys an image. Its views may outlive it for a while, but are not used any more.
    fn destroy_image(&mut self, of: Img) {
        self.kill(vec![of.uid]);
        self.images.retain(|i| i.uid != of.uid);
        self.targets.retain(|t| t.views().all(|v| v.image != of.uid));
        self.bury(Garbage::Image(of.image));
        let mut orphans = Vec::new();
        self.views.retain(|v| {
            v.image != of.uid || {
                orphans.push((v.uid, v.view));
                false
            }
        });
        for (uid, view) in orphans {
            self.kill(vec![uid]);
            self.bury(Garbage::View(view));
        }
    }

    /// Frees memory, before or after the destruction of the resources that are bound to it.
    fn free_memory(&mut self, i: usize) {
        let (uid, bound) = (self.memories[i].uid, self.memories[i].bound.clone());
        let mut uids = bound.clone();
        uids.push(uid);
        self.kill(uids);
        let images: Vec<Img> = self.images.iter().filter(|i| bound.contains(&i.uid)).copied().collect();
        images.into_iter().for_each(|i| self.destroy_image(i));
        let mut orphans = Vec::new();
        self.buffers.retain(|b| {
            !bound.contains(&b.uid) || {
                orphans.push((b.uid, b.buffer));
                false
            }
        });
        for (uid, buffer) in orphans {
            self.bury(Garbage::Buffer(buffer));
            let mut views = Vec::new();
            self.texel_views.retain(|v| {
                v.buffer != uid || {
                    views.push(v.view);
                    false
                }
            });
            views.into_iter().for_each(|v| self.bury(Garbage::TexelView(v)));
        }
        let mut memory = self.memories.swap_remove(i);
        self.leave(&mut memory);
        // SAFETY: no command buffer uses the resources that are bound to the memory.
        unsafe { self.device().free_memory(memory.memory, None) };
        self.tally.count("vkFreeMemory", true, 1);
    }

    /// Queues an object for destruction, and may destroy a queued object at once.
    fn bury(&mut self, garbage: Garbage) {
        self.garbage.push(garbage);
        if self.r.one_in(2) {
            self.collect(1);
        }
    }

    fn collect(&mut self, n: usize) {
        for _ in 0..n.min(self.garbage.len()) {
            let i = self.r.below(self.garbage.len());
            let d = self.device();
            // SAFETY: objects enter `garbage` only when no command buffer uses them, and each leaves it once.
            let kind = unsafe {
                match self.garbage.swap_remove(i) {
                    Garbage::Buffer(b) => {
                        d.destroy_buffer(b, None);
                        "vkDestroyBuffer"
                    }
                    Garbage::Image(i) => {
                        d.destroy_image(i, None);
                        "vkDestroyImage"
                    }
                    Garbage::View(v) => {
                        d.destroy_image_view(v, None);
                        "vkDestroyImageView"
                    }
                    Garbage::TexelView(v) => {
                        d.destroy_buffer_view(v, None);
                        "vkDestroyBufferView"
                    }
                }
            };
            self.tally.count(kind, true, 1);
        }
    }

    /// Resets a command pool and drops its command buffers.
    pub(super) fn reset_commands(&mut self) {
        let pool = self.r.below(self.command_pools.len());
        let uids: Vec<Uid> = self.recorded.iter().filter(|r| r.pool == pool).map(|r| r.uid).collect();
        let numbers = self.recorded.iter().filter(|r| r.pool == pool).map(|r| r.submitted).max();
        self.wait(numbers.unwrap_or(0));
        // Command buffers of the other pool that execute one of these become invalid.
        let others: Vec<Uid> = self
            .recorded
            .iter()
            .filter(|r| r.pool != pool && r.uses.iter().any(|u| uids.contains(u)))
            .map(|r| r.uid)
            .collect();
        self.kill(others);
        let flags = if self.r.one_in(2) {
            vk::CommandPoolResetFlags::RELEASE_RESOURCES
        } else {
            vk::CommandPoolResetFlags::empty()
        };
        // SAFETY: all command buffers of the pool have completed.
        let reset = unsafe { self.device().reset_command_pool(self.command_pools[pool], flags) };
        self.judge("vkResetCommandPool", reset);
        let mut gone = Vec::new();
        self.recorded.retain(|r| {
            r.pool != pool || {
                gone.push(r.commands);
                false
            }
        });
        if !gone.is_empty() {
            // SAFETY: the command buffers have completed and come from this pool.
            unsafe { self.device().free_command_buffers(self.command_pools[pool], &gone) };
            self.tally.count("vkFreeCommandBuffers", true, 1);
        }
    }

    /// Writes bytes of a buffer on the host while nothing is in flight.
    pub(super) fn host_write(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        self.wait_all();
        let of = self.buffers[i].range;
        let n = 1 + self.r.below(of.size.min(256));
        let at = of.at + self.r.below(of.size - n + 1);
        let small = self.r.one_in(3);
        let bytes: Vec<u8> = (0..n).map(|_| self.r.bits() as u8 & if small { 0x0f } else { 0xff }).collect();
        let Some(memory) = self.memories.iter().find(|m| m.number == of.memory) else { return };
        // SAFETY: the range is inside the mapping, and nothing in flight accesses it.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), memory.mapped.add(at), n) };
        self.model[of.memory].set(at, &bytes);
        self.tally.count("host writes", true, 1);
    }

    /// Compares a buffer with the model.
    pub(super) fn host_read(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        self.wait_all();
        let range = self.buffers[i].range;
        self.compare(range);
        self.tally.count("host reads", true, 1);
    }

    fn bytes(&self, range: Range) -> Option<Vec<u8>> {
        let memory = self.memories.iter().find(|m| m.number == range.memory)?;
        let mut bytes = vec![0u8; range.size];
        // SAFETY: the range is inside the mapping, and nothing in flight accesses it.
        unsafe { std::ptr::copy_nonoverlapping(memory.mapped.add(range.at), bytes.as_mut_ptr(), range.size) };
        Some(bytes)
    }

    pub(super) fn compare(&mut self, range: Range) {
        let Some(bytes) = self.bytes(range) else { return };
        match self.model[range.memory].compare(range.at, &bytes) {
            Ok(n) => self.tally.compared += n,
            Err((at, found, want)) => {
                self.fail(format!("memory {}, byte {at}: {found:#x}, not {want:#x}", range.memory));
            }
        }
    }

    /// Compares all buffers with the model, returns a digest of all contents, and destroys all objects.
    pub(super) fn finish(&mut self) -> u64 {
        self.wait_all();
        let mut hash = DefaultHasher::new();
        let followed: Vec<(usize, usize)> =
            self.memories.iter().filter(|m| m.number != UNFOLLOWED).map(|m| (m.number, m.size)).collect();
        for (memory, size) in followed {
            let range = Range { memory, at: 0, size };
            self.compare(range);
            let Some(mut bytes) = self.bytes(range) else { continue };
            self.model[memory].mask(0, &mut bytes);
            bytes.hash(&mut hash);
        }
        // Include the memory of images, which the model does not track.
        for m in self.memories.iter().filter(|m| m.number == UNFOLLOWED) {
            let mut bytes = vec![0u8; m.size];
            // SAFETY: the range is the whole mapping, and nothing in flight accesses it.
            unsafe { std::ptr::copy_nonoverlapping(m.mapped, bytes.as_mut_ptr(), m.size) };
            bytes.hash(&mut hash);
        }
        self.destroy_all();
        self.judge_reports();
        hash.finish()
    }

    /// Destroys all objects, in an order that depends on the program: first one of each kind, as random steps do.
    fn destroy_all(&mut self) {
        let all = self.recorded.iter().map(|r| r.uid).collect();
        self.kill(all);
        (0..12).for_each(|kind| self.destroy(kind));
        let d = self.device();
        let memory_first = self.r.one_in(2);
        while memory_first && !self.memories.is_empty() {
            self.free_memory(0);
        }
        while let Some(of) = self.images.pop() {
            self.destroy_image(of);
        }
        for of in std::mem::take(&mut self.buffers) {
            self.garbage.push(Garbage::Buffer(of.buffer));
        }
        for of in std::mem::take(&mut self.texel_views) {
            self.garbage.push(Garbage::TexelView(of.view));
        }
        for of in std::mem::take(&mut self.views) {
            self.garbage.push(Garbage::View(of.view));
        }
        while !self.scenes.is_empty() {
            self.destroy_scene();
        }
        self.collect(usize::MAX);
        // SAFETY: nothing is in flight, and each object is destroyed once.
        unsafe {
            self.memories.drain(..).for_each(|m| d.free_memory(m.memory, None));
            self.samplers.drain(..).for_each(|s| d.destroy_sampler(s.1, None));
            self.pools.drain(..).for_each(|p| d.destroy_descriptor_pool(p.pool, None));
            self.pipelines.drain(..).for_each(|p| d.destroy_pipeline(p.pipeline, None));
            self.queries.drain(..).for_each(|q| d.destroy_query_pool(q.pool, None));
            self.events.drain(..).for_each(|e| d.destroy_event(e.1, None));
            self.command_pools.drain(..).for_each(|p| d.destroy_command_pool(p, None));
            [self.done, self.host, self.binary].into_iter().for_each(|s| d.destroy_semaphore(s, None));
        }
    }
}
