//! Submissions of hostile programs, the concurrent work of other threads, and the comparison of results.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};

use ash::vk;

use super::super::{SLOTS, WORDS, judge_found, judge_named, judge_unnamed, steps};
use super::client::{Bound, PUSHED, Way};
use super::objects::{Described, Object, PIECE, Place, Thing, Words, Write, end, update};
use super::{TABLE, World};
use crate::calls::Tally;
use crate::calls::heaps::{Heap, Range};

/// Work of other threads while a submission runs.
#[derive(Default)]
struct Meanwhile {
    /// Descriptors that a thread writes into tables repeatedly.
    puts: Vec<(Words, u64, Described)>,
    /// Descriptors that a thread writes into sets repeatedly.
    writes: Vec<Write>,
    /// Resources that a thread destroys.
    ends: Vec<Thing>,
}

/// Parameters of a submission.
struct Submission {
    same: bool,
    steps: Vec<u32>,
    pushed: [u32; PUSHED],
    groups: u32,
}

impl World<'_> {
    /// Runs shaders with one way to bind descriptors, while other threads write descriptors and destroy resources. Then
    /// compares the words.
    pub(super) fn dispatch(&mut self, tally: &mut Tally) -> Result<(), String> {
        let c = self.c;
        let bound = self.r.pick(&c.ways);
        let submission = self.prepare();
        self.steps.words.write(&submission.steps);
        self.results.words.fill(0);
        let meanwhile = self.meanwhile()?;
        // SAFETY: all arguments are valid except for the contents of descriptors, which the driver must tolerate.
        unsafe { self.record_dispatch(bound, &submission)? };
        let lost = self.submit_while(&meanwhile);
        tally.submissions += 1;
        tally.count("dispatch", true, 1);
        tally.count("end while a submission runs", true, meanwhile.ends.len() as u64);
        lost.map_err(|e| format!("{:?}: {e}", bound.way))?;
        let found = self.check(bound.way, &submission.steps, &meanwhile.ends, tally);
        meanwhile.ends.iter().for_each(|thing| self.forget(thing));
        found.map_err(|e| format!("{:?}: {e}", bound.way))
    }

    fn prepare(&mut self) -> Submission {
        let r = &mut self.r;
        let steps = steps(r);
        let index = if r.one_in(4) { r.bits() as u32 } else { r.below(SLOTS as usize) as u32 };
        let address = match r.below(8) {
            0 => r.bits(),
            1 => self.indices.address ^ 1 << r.below(64),
            _ => self.indices.address,
        };
        let pushed = [index, 0, address as u32, (address >> 32) as u32];
        Submission { same: r.one_in(2), steps, pushed, groups: 1 + r.below(16) as u32 }
    }

    /// Chooses the work of other threads. Resources to destroy leave the list first, so that no descriptor write refers
    /// to them.
    fn meanwhile(&mut self) -> Result<Meanwhile, String> {
        let mut all = Meanwhile::default();
        if self.r.one_in(2) {
            return Ok(all);
        }
        for _ in 0..self.r.below(3).min(self.things.len()) {
            all.ends.push(self.things.swap_remove(self.r.below(self.things.len())));
        }
        for _ in 0..self.r.below(5) {
            all.puts.push(self.any_put()?);
        }
        for _ in 0..self.r.below(5) {
            all.writes.push(self.any_write());
        }
        Ok(all)
    }

    /// Records the dispatch of a submission.
    ///
    /// # Safety
    /// The objects of `self` and `bound` must be live, and the command buffer must be idle.
    unsafe fn record_dispatch(&self, bound: &Bound, submission: &Submission) -> Result<(), String> {
        let (c, point) = (self.c, vk::PipelineBindPoint::COMPUTE);
        let pipeline = c.pipeline(bound, submission.same)?;
        // SAFETY: the caller passes live objects of this device; the command buffer is idle.
        unsafe {
            self.record(|d, cmd| {
                d.cmd_bind_pipeline(cmd, point, pipeline);
                match bound.way {
                    Way::Pool(mutable) => {
                        let sets = [self.sets[usize::from(mutable)]];
                        d.cmd_bind_descriptor_sets(cmd, point, bound.layout, 0, &sets, &[]);
                    }
                    Way::Buffer(mutable) => {
                        use vk::BufferUsageFlags as U;
                        let usage = U::RESOURCE_DESCRIPTOR_BUFFER_EXT | U::SAMPLER_DESCRIPTOR_BUFFER_EXT;
                        let address = self.tables[usize::from(mutable)].address;
                        let info =
                            vk::DescriptorBufferBindingInfoEXT::default().address(address).usage(usage);
                        c.buffers.cmd_bind_descriptor_buffers(cmd, &[info]);
                        c.buffers.cmd_set_descriptor_buffer_offsets(cmd, point, bound.layout, 0, &[0], &[0]);
                    }
                    Way::Heap(_) => {
                        let range = |table: usize| Range { address: self.tables[table].address, size: TABLE };
                        c.heaps.bind(cmd, Heap::Resources, range(2));
                        c.heaps.bind(cmd, Heap::Samplers, range(3));
                        c.heaps.push(cmd, &submission.pushed);
                    }
                }
                d.cmd_dispatch(cmd, submission.groups, 1, 1);
            })
        }
    }

    /// Submits the recorded commands and waits, while other threads do their work.
    fn submit_while(&self, meanwhile: &Meanwhile) -> Result<(), String> {
        let (done, begin, d) = (AtomicBool::new(false), Barrier::new(3), &self.c.device);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                begin.wait();
                while !done.load(Ordering::Relaxed) {
                    meanwhile.puts.iter().for_each(|(words, at, descriptor)| words.put(*at, *descriptor));
                    // SAFETY: the objects are live until the threads have joined, and only this thread updates the
                    // sets.
                    meanwhile.writes.iter().for_each(|write| unsafe { update(d, write) });
                    if meanwhile.puts.is_empty() && meanwhile.writes.is_empty() {
                        break;
                    }
                }
            });
            scope.spawn(|| {
                begin.wait();
                // SAFETY: `meanwhile` removed these resources from the list, so that only stale descriptors refer to
                // them.
                meanwhile.ends.iter().for_each(|thing| unsafe { end(d, thing) });
            });
            begin.wait();
            let ran = self.submit();
            done.store(true, Ordering::Relaxed);
            ran
        })
    }

    /// Compares the words that shaders found, and those in resources. `ended`: resources destroyed while the shaders
    /// ran.
    fn check(&self, way: Way, steps: &[u32], ended: &[Thing], tally: &mut Tally) -> Result<(), String> {
        let is_named = |word: u32| self.things.iter().chain(ended).any(|t| t.named && t.word == word);
        let found = self.results.words.read();
        tally.compared += 4 * found.len() as u64;
        tally.count(way.found(), true, judge_found(&found, steps, is_named)?);
        for (piece, word) in self.free.iter().enumerate() {
            let Some(word) = word else { continue };
            tally.compared += 4 * PIECE as u64;
            judge_unnamed(*word, &self.shared.words.part(piece * PIECE, PIECE).read())?;
        }
        if self.indices.words.read() != self.index_words {
            return Err("the indices in memory, which nothing names, have changed".into());
        }
        // Only pieces of the shared memory still exist after the destruction of a resource.
        let pieces = ended.iter().filter(|t| matches!(t.place, Place::Piece(_)));
        for thing in self.things.iter().chain(pieces) {
            let held = self.words_of(thing.place).read();
            tally.compared += 4 * held.len() as u64;
            let (inside, behind) = held.split_at(WORDS.min(held.len()));
            match (thing.named, thing.object) {
                (false, _) => judge_unnamed(thing.word, &held)?,
                (true, Object::Buffer { .. }) => {
                    judge_named(thing.word, inside)?;
                    judge_unnamed(thing.word, behind)?;
                }
                // The memory layout of image texels is unspecified.
                (true, Object::Image { .. }) => judge_named(thing.word, &held)?,
            }
        }
        Ok(())
    }
}
