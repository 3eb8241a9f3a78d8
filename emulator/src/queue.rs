//! Queues: submissions in order.
//!
//! A submission becomes batches, which the queue's executor runs one after the other. Small batches that wait for
//! nothing run at once, on the submitting thread. Batches of several queues wait concurrently and run in turn, each
//! with all threads of the device.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use quadrille_check::events;
use quadrille_jit::printf;
use quadrille_jit::reserve::Room;

use crate::command::{CommandBuffer, Ended, InBatch, Told, destroyed, execute, tell_submit};
use crate::device::Device;
use crate::error::{Error, Result, guard};
use crate::execution::executor::{Executor, Job};
use crate::object::{objects, same_device};
use crate::resource::sparse;
use crate::resource::sparse::{Bind, SparseBind};
use crate::sync::{Fence, FenceSignal, Semaphore, SemaphoreUse};

/// A batch of a submission: waits, command buffers, signals. Spec: Vulkan, VkSubmitInfo2.
#[derive(Clone, Copy, Debug, Default)]
pub struct Submit<'a> {
    /// Semaphores waited for before the commands; the values are for timeline semaphores.
    pub waits: &'a [(&'a Semaphore, u64)],
    /// Command buffers, which run in order.
    pub commands: &'a [&'a CommandBuffer],
    /// Semaphores signaled after the commands; the values are for timeline semaphores.
    pub signals: &'a [(&'a Semaphore, u64)],
}

/// Stages of the waits and signals of a batch, for the device's watcher, with the bits of VkPipelineStageFlagBits2.
#[derive(Clone, Copy, Debug, Default)]
pub struct SubmitStages<'a> {
    /// Waiting stages, by wait; missing entries mean all stages.
    pub waits: &'a [u64],
    /// Completed stages, by signal; missing entries mean all stages.
    pub signals: &'a [u64],
}

/// A batch of sparse binds: waits, binds, signals. Spec: Vulkan, VkBindSparseInfo.
#[derive(Clone, Copy, Debug, Default)]
pub struct SparseSubmit<'a> {
    /// Semaphores waited for before the binds; the values are for timeline semaphores.
    pub waits: &'a [(&'a Semaphore, u64)],
    /// Binds, which run in order.
    pub binds: &'a [SparseBind<'a>],
    /// Semaphores signaled after the binds; the values are for timeline semaphores.
    pub signals: &'a [(&'a Semaphore, u64)],
}

#[derive(Default)]
struct Work {
    commands: Vec<Arc<Ended>>,
    binds: Vec<Bind>,
}

struct Batch {
    waits: Vec<SemaphoreUse>,
    commands: Vec<Arc<Ended>>,
    binds: Vec<Bind>,
    signals: Vec<SemaphoreUse>,
    fence: Option<FenceSignal>,
    device: Device,
    /// Identity of the batch in the device's trace.
    told: Option<Told>,
    /// Number of the queue, for watchers that check the order of commands.
    queue: u64,
    /// Number of the batch, for the same.
    number: u64,
}

/// Greatest sum of invocations, pixels and words of a submission that runs at once on the submitting thread.
const INLINE_COST: u64 = 1 << 16;

/// Spec: VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT.
const ALL_COMMANDS: u64 = 1 << 16;

/// Host memory reserved before a submission runs, so that its small allocations do not fail, in bytes.
const ROOM: usize = 4 << 20;

impl Job for Batch {
    fn is_small(&self) -> bool {
        let cost = self.commands.iter().fold(0u64, |n, c| n.saturating_add(c.cost));
        // Another user of a dma-buf may hold it for a long time.
        let alone = self.device.heap().dma_bufs().is_empty();
        cost <= INLINE_COST && alone && self.is_ready() && self.device.turn().is_free()
    }

    fn is_ready(&self) -> bool {
        !self.commands.iter().any(|c| c.waits) && self.waits.iter().all(SemaphoreUse::is_reached)
    }

    fn accept(&self) {
        let (queue, batch) = (self.queue, self.number);
        self.device.tell_order(|| events::Submit::Submitted { queue, batch });
    }

    fn run(&mut self) {
        let device = &self.device;
        let looking = self.waits.iter().any(SemaphoreUse::is_outside);
        let reached = || self.waits.iter().all(SemaphoreUse::is_reached);
        let done = device.signal().wait_looking(None, looking, reached);
        self.waits.iter().for_each(SemaphoreUse::consume);
        // Batches submitted before the device was lost do not run afterwards.
        let done = done.and_then(|_| device.check_lost()).and_then(|()| {
            let _access = device.heap().dma_bufs().access();
            let _turn = device.take_turn();
            // Not before: a wait may last, and keeps nothing alive.
            let _running = device.running().enter();
            let _room = Room::quick(ROOM)?;
            self.tell();
            device.tell_order(|| events::Submit::Runs { batch: self.number });
            self.waits.iter().for_each(SemaphoreUse::tell_waited);
            if !self.binds.is_empty() {
                guard("sparse binding", || sparse::run(device.aliases(), &self.binds))?;
            }
            // The host or other batches may have written to aliased memory.
            device.aliases().settle()?;
            printf::with_sink(device.told_sink(), || {
                let lists = self.commands.len();
                self.commands.iter().enumerate().try_for_each(|(list_number, list)| {
                    let at = InBatch { batch: self.number, list: list_number, lists };
                    guard("execution", || execute(device, list, (self.told, at)))
                })
            })?;
            device.aliases().settle()?;
            self.signals.iter().for_each(SemaphoreUse::tell_signals);
            let fence = self.fence.as_ref().map(|f| f.fence().number());
            device.tell_order(|| events::Submit::Done { fence });
            Ok(())
        });
        for list in &self.commands {
            list.release();
        }
        // Whoever learns of the end may destroy what the batch used, and expects it to be gone: its memory, its address.
        self.commands.clear();
        self.binds.clear();
        if let Err(e) = done {
            device.signal().lose(e);
            return;
        }
        self.signals.iter().for_each(SemaphoreUse::done);
        if let Some(fence) = &self.fence {
            fence.signal();
        }
    }

    fn refuse(&self) {
        self.commands.iter().for_each(|c| c.release());
        self.waits.iter().for_each(SemaphoreUse::give_back);
    }
}

impl Batch {
    fn tell(&self) {
        let Some(told) = self.told else { return };
        let names = self.device.names();
        let fence = self.fence.as_ref().zip(names).map(|(fence, names)| names.of(fence.fence()));
        let mut waits = self.waits.iter().map(SemaphoreUse::semaphore);
        let mut signals = self.signals.iter().map(SemaphoreUse::semaphore);
        tell_submit(&self.device, told, self.commands.len(), [&mut waits, &mut signals], fence);
    }
}

/// A queue, which runs command buffers in the order of submission. Clones are the same queue.
///
/// Commands of a queue run one after the other: each command sees the writes of all earlier ones. Spec: Vulkan,
/// "Queues".
#[derive(Clone)]
pub struct Queue {
    device: Device,
    executor: Arc<Executor>,
}

objects! { Queue: "queue" = |q| Some(q.device.id()); }

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Queue({:?})", self.device)
    }
}

impl Queue {
    /// Returns the first queue.
    pub(crate) fn new(device: &Device) -> Self {
        Queue { device: device.clone(), executor: device.executors()[0].clone() }
    }

    /// Returns a queue by its number.
    pub(crate) fn numbered(device: &Device, number: usize) -> Option<Self> {
        let executor = device.executors().get(number)?;
        Some(Queue { device: device.clone(), executor: executor.clone() })
    }

    /// Device of the queue.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Submits batches in order; `fence` is signaled when all are done.
    ///
    /// Work that fails later loses the device: waits for it return the error, and `fence` is not signaled.
    ///
    /// # Errors
    /// The error by which the device was lost, if it was lost. `Invalid` if a command buffer has not ended recording,
    /// or if an object belongs to another device. The error of a command that could not be recorded. `OutOfMemory` if
    /// the system refuses a thread for the queue; if earlier batches of the call run, the device is lost.
    pub fn submit(&self, submits: &[Submit<'_>], fence: Option<&Fence>) -> Result<()> {
        self.submit_staged(submits, &[], fence)
    }

    /// Submits like [`Queue::submit`], with the stages of each batch for the device's watcher; missing entries mean all
    /// stages.
    ///
    /// # Errors
    /// Those of [`Queue::submit`].
    pub fn submit_staged(
        &self,
        submits: &[Submit<'_>],
        stages: &[SubmitStages<'_>],
        fence: Option<&Fence>,
    ) -> Result<()> {
        self.device.check_lost()?;
        self.check(submits.iter().map(|submit| [submit.waits, submit.signals]), fence)?;
        let lists = submits.iter().map(|submit| self.lists(submit.commands)).collect::<Result<Vec<_>>>()?;
        let mut batches = Vec::with_capacity(submits.len().max(1));
        for (i, (submit, commands)) in submits.iter().zip(lists).enumerate() {
            let stages = stages.get(i).copied().unwrap_or_default();
            let work = Work { commands, ..Work::default() };
            batches.push(self.batch(submit.waits, work, submit.signals, stages));
        }
        self.push(batches, fence)
    }

    /// Returns `Invalid` if a semaphore or the fence belongs to another device. A submission checks everything before it
    /// makes batches, which take imported payloads from semaphores.
    fn check<'a>(
        &self,
        semaphores: impl Iterator<Item = [&'a [(&'a Semaphore, u64)]; 2]>,
        fence: Option<&Fence>,
    ) -> Result<()> {
        let mut semaphores = semaphores.flatten().flatten();
        semaphores.try_for_each(|(semaphore, _)| same_device(*semaphore, self))?;
        fence.map_or(Ok(()), |fence| same_device(fence, self))
    }

    /// Returns the lists of command buffers.
    fn lists(&self, buffers: &[&CommandBuffer]) -> Result<Vec<Arc<Ended>>> {
        let mut lists = Vec::with_capacity(buffers.len());
        for buffer in buffers {
            same_device(*buffer, self)?;
            let list = buffer.recorded()?.clone();
            if let Some(watch) = &self.device.options().watch {
                destroyed(watch, self.device.names(), &list);
            }
            lists.push(list);
        }
        Ok(lists)
    }

    /// Binds memory to sparse resources, batch after batch; `fence` is signaled when all are done.
    ///
    /// # Errors
    /// Those of [`Queue::submit`]. `Invalid` also for a resource that is not sparse, for parts outside of the resource
    /// or the memory, and for memory that is freed or not shareable. Offsets must be multiples of
    /// [`SPARSE_PAGE`](crate::SPARSE_PAGE).
    pub fn bind_sparse(&self, submits: &[SparseSubmit<'_>], fence: Option<&Fence>) -> Result<()> {
        self.device.check_lost()?;
        self.check(submits.iter().map(|submit| [submit.waits, submit.signals]), fence)?;
        let of = |submit: &SparseSubmit<'_>| submit.binds.iter().map(Bind::new).collect::<Result<Vec<_>>>();
        let all = submits.iter().map(of).collect::<Result<Vec<_>>>()?;
        let mut batches = Vec::with_capacity(submits.len().max(1));
        for (submit, binds) in submits.iter().zip(all) {
            let work = Work { binds, ..Work::default() };
            batches.push(self.batch(submit.waits, work, submit.signals, SubmitStages::default()));
        }
        self.push(batches, fence)
    }

    fn batch(
        &self,
        waits: &[(&Semaphore, u64)],
        work: Work,
        signals: &[(&Semaphore, u64)],
        stages: SubmitStages<'_>,
    ) -> Batch {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let Work { commands, binds } = work;
        let number = if self.device.is_explicit() { NEXT.fetch_add(1, Ordering::Relaxed) } else { 0 };
        let of = |stages: &[u64], i: usize| stages.get(i).copied().unwrap_or(ALL_COMMANDS);
        let (waits, signals) = (waits.iter().enumerate(), signals.iter().enumerate());
        Batch {
            waits: waits.map(|(i, (s, value))| SemaphoreUse::wait(s, *value, of(stages.waits, i))).collect(),
            commands,
            binds,
            signals: signals
                .map(|(i, (s, value))| SemaphoreUse::signal(s, *value, of(stages.signals, i)))
                .collect(),
            fence: None,
            device: self.device.clone(),
            told: self.device.trace().and_then(|trace| {
                let frame = trace.frame()?;
                Some(Told { frame, submit: trace.next_submit() })
            }),
            queue: self.number(),
            number,
        }
    }

    fn push(&self, mut batches: Vec<Batch>, fence: Option<&Fence>) -> Result<()> {
        if let Some(fence) = fence {
            if batches.is_empty() {
                batches.push(self.batch(&[], Work::default(), &[], SubmitStages::default()));
            }
            if let Some(last) = batches.last_mut() {
                last.fence = Some(FenceSignal::new(fence));
            }
        }
        let mut batches = batches.into_iter();
        let mut earlier = false;
        while let Some(batch) = batches.next() {
            batch.commands.iter().for_each(|c| c.acquire());
            if let Err(error) = self.executor.push(batch) {
                batches.for_each(|batch| batch.waits.iter().for_each(SemaphoreUse::give_back));
                return Err(if earlier { self.lose(&error) } else { error });
            }
            earlier = true;
        }
        Ok(())
    }

    /// Loses the device because only the earlier batches of a submission were accepted, and returns the reason.
    fn lose(&self, error: &Error) -> Error {
        let lost = Error::DeviceLost(format!("the end of a submission cannot follow its beginning: {error}"));
        self.device.signal().lose(lost.clone());
        lost
    }

    /// Submits one command buffer and waits until it is done.
    ///
    /// # Errors
    /// Those of [`Queue::submit`], and the errors of the commands: `DeviceLost` for a shader that exceeds its time
    /// budget, `Aborted` for a shader that aborts itself, `OutOfMemory` or `Internal`. An error while the commands run
    /// loses the device: all later submissions to it return the same error. Its buffers and images can still be read,
    /// with unspecified contents of what the commands wrote.
    ///
    /// `Invalid` in a print sink of the device, whose work waits for the sink.
    pub fn run(&self, commands: &CommandBuffer) -> Result<()> {
        let fence = self.device.create_fence(false);
        self.submit(&[Submit { commands: &[commands], ..Submit::default() }], Some(&fence))?;
        fence.wait(None).map(|_| ())
    }

    /// Waits until all submissions to the queue are done.
    ///
    /// # Errors
    /// The error by which the device was lost, if it was lost; `DeviceLost` in a child of `fork`. `Invalid` in a print
    /// sink of the device, whose work waits for the sink.
    pub fn wait_idle(&self) -> Result<()> {
        self.device.check_process()?;
        if !self.executor.is_idle() {
            self.device.signal().refuse_in_sink()?;
        }
        self.executor.wait_idle();
        self.device.tell_order(|| events::Submit::SeenIdle(self.number()));
        self.device.check_lost()
    }

    /// Number of the queue, unique within the device.
    fn number(&self) -> u64 {
        Arc::as_ptr(&self.executor).addr() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BufferDesc, BufferUsage, DeviceOptions};

    #[test]
    fn a_batch_that_has_ended_keeps_nothing_alive() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        let buffer =
            device.create_bound_buffer(BufferDesc { size: 64, usage: BufferUsage::TRANSFER_DST }).unwrap();
        let mut commands = device.create_command_buffer();
        commands.fill_buffer(&buffer, 0, None, 7);
        commands.end().unwrap();
        let (queue, fence) = (device.queue(), device.create_fence(false));
        let work = Work { commands: vec![commands.recorded().unwrap().clone()], ..Work::default() };
        let mut batch = queue.batch(&[], work, &[], SubmitStages::default());
        batch.commands.iter().for_each(|list| list.acquire());
        batch.fence = Some(FenceSignal::new(&fence));
        batch.run();
        assert_eq!(buffer.read_all::<u32>().unwrap(), [7; 16]);
        drop((buffer, commands));
        // The batch is still there, and so is whatever it holds.
        assert_eq!(device.heap_used(), 0);
        drop(batch);
    }
}
