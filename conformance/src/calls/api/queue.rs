//! Submissions, waits, destruction, comparisons, and objects of another device.

use std::hash::{DefaultHasher, Hash, Hasher};

use quadrille::*;

use super::super::model::{self, Range};
use super::World;
use crate::cost::PATIENCE;

impl World<'_> {
    pub(super) fn submit(&mut self) {
        self.make_sync();
        let primary: Vec<usize> =
            (0..self.recorded.len()).filter(|&i| self.recorded[i].inside.is_none()).collect();
        if primary.is_empty() {
            return;
        }
        let chosen: Vec<usize> = (0..1 + self.r.below(3)).map(|_| *self.r.pick(&primary)).collect();
        let commands: Vec<&CommandBuffer> = chosen.iter().map(|&i| &self.recorded[i].commands).collect();
        // Submissions wait for a binary semaphore only while it is signaled, and signal it only while it is not.
        let (wait, signal) = (self.r.below(2) == 0, self.r.below(2) == 0);
        let binary = self.binary.first().cloned();
        let waits: Vec<(Semaphore, u64)> =
            binary.iter().filter(|b| wait && b.1).map(|b| (b.0.clone(), 0)).collect();
        let mut signals: Vec<(Semaphore, u64)> = binary
            .iter()
            .filter(|b| signal && (!b.1 || !waits.is_empty()))
            .map(|b| (b.0.clone(), 0))
            .collect();
        let signaled = binary.as_ref().map(|b| (b.1 && waits.is_empty()) || !signals.is_empty());
        // The host signals the semaphore after the submission that waits for it.
        let mut later = None;
        let mut waits = waits;
        if let Some((timeline, value)) = &mut self.timeline {
            if self.r.one_in(3) {
                *value += 1;
                waits.push((timeline.clone(), *value));
                later = Some((timeline.clone(), *value));
            }
            if self.r.one_in(3) {
                *value += 1;
                signals.push((timeline.clone(), *value));
            }
        }
        let fence = self.fences.first().cloned().filter(|_| !self.busy);
        if let Some(fence) = &fence {
            fence.reset();
        }
        let waits: Vec<(&Semaphore, u64)> = waits.iter().map(|(s, v)| (s, *v)).collect();
        let signals: Vec<(&Semaphore, u64)> = signals.iter().map(|(s, v)| (s, *v)).collect();
        let submit = Submit { waits: &waits, commands: &commands, signals: &signals };
        let done = self.device().queue().submit(&[submit], fence.as_ref());
        if let Some((timeline, value)) = later {
            timeline.signal(value);
        }
        self.tally.submissions += 1;
        if self.judge("submit", done).is_none() {
            return;
        }
        if let (Some(first), Some(signaled)) = (self.binary.first_mut(), signaled) {
            first.1 = signaled;
        }
        self.busy = true;
        if !self.wild {
            for i in chosen {
                if let Err(e) = model::apply(&mut self.model, &mut self.structures, &self.recorded[i].effects)
                {
                    self.failure.get_or_insert(format!("model: {e}"));
                }
            }
        }
        if self.r.one_in(4) {
            self.forget();
        }
    }

    fn make_sync(&mut self) {
        let device = self.device();
        if self.binary.is_empty() {
            self.binary.push((device.create_semaphore(), false));
            self.tally.count("create_semaphore", true, 1);
        }
        if self.timeline.is_none() {
            self.timeline = Some((device.create_timeline_semaphore(0), 0));
            self.tally.count("create_timeline_semaphore", true, 1);
        }
        if self.fences.is_empty() {
            self.fences.push(device.create_fence(false));
            self.tally.count("create_fence", true, 1);
        }
        if self.events.len() < 3 {
            self.events.push(device.create_event());
            self.tally.count("create_event", true, 1);
        }
    }

    /// Waits until all submissions of this program have completed.
    pub(super) fn wait(&mut self) {
        // After a request for memory that failed, the next one succeeds.
        for _ in 0..2 {
            let fence = self.device().create_fence(false);
            let submitted = self.device().queue().submit(&[], Some(&fence));
            let done = submitted.and_then(|()| PATIENCE.wait(|time| fence.wait(Some(time))));
            match self.judge("wait", done) {
                Some(true) => {
                    self.busy = false;
                    self.reached.clear();
                    return;
                }
                Some(false) => return self.fail("a submission hangs".into()),
                None if !self.reported => return,
                None => {}
            }
        }
    }

    /// Drops an object, which may be in use.
    pub(super) fn forget(&mut self) {
        fn drop_one<T>(r: &mut crate::random::Random, list: &mut Vec<T>) {
            if !list.is_empty() {
                list.swap_remove(r.below(list.len()));
            }
        }
        let r = &mut self.r;
        match r.below(14) {
            0 => drop_one(r, &mut self.buffers),
            1 => drop_one(r, &mut self.images),
            2 => drop_one(r, &mut self.views),
            3 => drop_one(r, &mut self.texel_views),
            4 => drop_one(r, &mut self.sets),
            5 => drop_one(r, &mut self.targets),
            6 => drop_one(r, &mut self.pipelines),
            7 => drop_one(r, &mut self.queries),
            8 => drop_one(r, &mut self.events),
            9 => self.timeline = None,
            10..13 => return self.forget_level(),
            _ => {
                if !self.recorded.is_empty() {
                    let old = self.recorded.swap_remove(r.below(self.recorded.len()));
                    self.reached.extend(old.reaches);
                }
            }
        }
        self.tally.count("drop", true, 1);
    }

    /// Compares a buffer with the model.
    pub(super) fn read_buffer(&mut self) {
        let Some(i) = self.index(self.buffers.len()) else { return };
        if self.busy && !self.wild {
            self.wait();
        }
        let of = self.buffers[i].clone();
        let n = self.r.below(of.range.size + 1);
        let at = self.r.below(of.range.size - n + 1) as u64;
        let (at, n) = (self.num(at), self.num(n as u64));
        let read = of.buffer.read::<u8>(at, usize::try_from(n).unwrap_or(usize::MAX));
        let Some(bytes) = self.judge("read buffer bytes", read) else { return };
        if at + n > of.range.size as u64 {
            self.fail(format!("read {n} bytes at {at} of {:?}", of.range));
        } else {
            let range = Range { at: of.range.at + at as usize, size: n as usize, ..of.range };
            self.compare(range, &bytes);
        }
    }

    pub(super) fn compare(&mut self, range: Range, bytes: &[u8]) {
        if self.wild {
            return;
        }
        match self.model[range.memory].compare(range.at, bytes) {
            Ok(n) => self.tally.compared += n,
            Err((at, found, want)) => {
                self.fail(format!("memory {}, byte {at}: {found:#x}, not {want:#x}", range.memory))
            }
        }
    }

    /// Compares and digests all contents, except those of a lost device.
    pub(super) fn finish(&mut self) -> u64 {
        self.wait();
        if self.lost {
            return 0;
        }
        let mut hash = DefaultHasher::new();
        for number in 0..self.memories.len() {
            let Some(memory) = self.memories[number].take() else { continue };
            let mut bytes = vec![0u8; memory.size() as usize];
            let read = memory.read_into(0, &mut bytes);
            if self.judge("read memory", read).is_some() {
                self.compare(Range { memory: number, at: 0, size: bytes.len() }, &bytes);
                self.model[number].mask(0, &mut bytes);
                bytes.hash(&mut hash);
            }
        }
        for image in std::mem::take(&mut self.images) {
            for aspect in image.format().aspects().singles() {
                for level in 0..image.desc().levels {
                    let bytes = image.read_level(aspect, level);
                    if let Some(bytes) = self.judge("read whole level", bytes) {
                        bytes.hash(&mut hash);
                    }
                }
            }
        }
        if self.wild { 0 } else { hash.finish() }
    }

    /// Uses objects of another device, which calls must refuse.
    pub(super) fn foreign(&mut self) {
        let (f, device) = (&self.shared.foreign, self.device());
        let mut c = device.create_command_buffer();
        let (what, done): (&str, Result<()>) = match self.r.below(8) {
            0 => {
                let Some(set) = self.sets.first() else { return };
                ("buffer in a set", set.set.write_buffer(0, &f.buffer))
            }
            1 => {
                let Some(set) = self.sets.first() else { return };
                ("image in a set", set.set.write(5, 0, Resource::Image(&f.view)))
            }
            2 => {
                let (Some(set), Some(seen)) = (self.sets.first(), self.views.first()) else { return };
                ("sampler in a set", set.set.write(6, 0, Resource::Combined(&seen.view, &f.sampler)))
            }
            3 => ("set layout in a pipeline layout", {
                device.create_pipeline_layout(std::slice::from_ref(&f.set_layout), 0).map(|_| ())
            }),
            4 => {
                c.bind_compute_set(&f.layout, 0, &f.set);
                ("set in a command buffer", c.end())
            }
            5 => {
                let submit = Submit { commands: &[&f.commands], ..Submit::default() };
                ("command buffer in a queue", device.queue().submit(&[submit], None))
            }
            6 => {
                let submit = Submit { signals: &[(&f.semaphore, 0)], ..Submit::default() };
                ("semaphore in a submission", device.queue().submit(&[submit], None))
            }
            _ => {
                let buffer = device.create_buffer(BufferDesc { size: 64, usage: BufferUsage::STORAGE });
                ("memory behind a buffer", buffer.and_then(|b| b.bind(&f.memory, 0)))
            }
        };
        self.tally.count("of another device", done.is_ok(), 1);
        if done.is_ok() {
            self.fail(format!("accepted: a {what} of another device"));
        }
    }

    /// Makes queries that must always succeed.
    pub(super) fn limits(&mut self) {
        let device = self.device();
        let used = device.heap_used();
        if used > device.heap_size() {
            self.fail(format!("{used} of {} bytes in use", device.heap_size()));
        }
        let foreign = self.shared.foreign.device.check_lost();
        self.judge("check_lost", foreign);
        for pool in &self.queries {
            let _ = pool.results(self.r.below(9) as u32);
            let _ = pool.partial(self.r.below(9) as u32);
        }
        self.tally.count("query results", true, self.queries.len() as u64);
        if !self.busy {
            for event in &self.events {
                event.reset();
            }
        }
    }
}
