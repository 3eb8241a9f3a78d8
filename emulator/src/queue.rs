//! The queue: submissions in order.
//!
//! One executor thread, started when first needed, works through the list. A small submission that
//! waits for nothing, on an idle queue, runs at once on the submitting thread: handing it over would
//! cost more than it does. So does a large one where the host has no thread for the executor.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use quadrille_jit::reserve::{self, Room};

use crate::command::{CommandBuffer, Recorded, execute};
use crate::device::Device;
use crate::error::{Result, guard};
use crate::object::{objects, same_device};
use crate::sync::{Fence, Semaphore};

/// A batch: waits, command buffers, signals. Spec: Vulkan, VkSubmitInfo2.
#[derive(Clone, Copy, Debug, Default)]
pub struct Submit<'a> {
    /// Waited for before the commands; values are for timeline semaphores.
    pub waits: &'a [(&'a Semaphore, u64)],
    /// Run in order.
    pub commands: &'a [&'a CommandBuffer],
    /// Signaled after the commands; values are for timeline semaphores.
    pub signals: &'a [(&'a Semaphore, u64)],
}

struct Batch {
    waits: Vec<(Semaphore, u64)>,
    commands: Vec<Arc<Recorded>>,
    signals: Vec<(Semaphore, u64)>,
    fence: Option<Fence>,
    device: Device,
}

/// Invocations, pixels and words up to which a submission runs at once.
const INLINE_COST: u64 = 1 << 16;

/// Memory of the host that a submission finds, so that what it allocates in small pieces does not fail.
const ROOM: usize = 4 << 20;

impl Batch {
    fn small(&self) -> bool {
        let cost = self.commands.iter().fold(0u64, |n, c| n.saturating_add(c.cost));
        cost <= INLINE_COST && self.ready()
    }

    /// Nothing that it waits for is still to come.
    fn ready(&self) -> bool {
        !self.commands.iter().any(|c| c.waits) && self.waits.iter().all(|(s, value)| s.reached(*value))
    }

    fn run(&self) {
        let device = &self.device;
        let running = device.addresses().enter();
        let done = device.signal().wait(None, || self.waits.iter().all(|(s, value)| s.reached(*value)));
        self.waits.iter().for_each(|(s, _)| s.consume());
        // What was submitted before the loss does not run after it.
        let done = done.and_then(|_| device.check_lost()).and_then(|()| {
            let _room = Room::quick(ROOM)?;
            for list in &self.commands {
                guard("execution", || execute(device, list))?;
            }
            Ok(())
        });
        for list in &self.commands {
            list.release();
        }
        drop(running);
        if let Err(e) = done {
            device.signal().lose(e);
            return;
        }
        for (s, value) in &self.signals {
            s.signal(*value);
        }
        if let Some(fence) = &self.fence {
            fence.signal();
        }
    }
}

#[derive(Default)]
struct State {
    list: VecDeque<Batch>,
    /// A batch runs, on the executor or on a submitting thread.
    running: bool,
    started: bool,
    closed: bool,
    /// Threads that wait for a change. Waking none would still be a system call.
    waiting: usize,
}

/// What the executor thread and the handles share.
#[derive(Default)]
pub(crate) struct QueueShared {
    state: Mutex<State>,
    changed: Condvar,
}

impl QueueShared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Ends a change: wakes those who wait for it.
    fn announce(&self, state: MutexGuard<'_, State>) {
        let wake = state.waiting > 0;
        drop(state);
        if wake {
            self.changed.notify_all();
        }
    }

    /// Waits for a change, or until `timeout` is over.
    fn wait<'s>(
        &'s self,
        mut state: MutexGuard<'s, State>,
        timeout: Option<Duration>,
    ) -> MutexGuard<'s, State> {
        state.waiting += 1;
        let mut state = match timeout {
            None => self.changed.wait(state).unwrap_or_else(|e| e.into_inner()),
            Some(t) => self.changed.wait_timeout(state, t).unwrap_or_else(|e| e.into_inner()).0,
        };
        state.waiting -= 1;
        state
    }

    /// The device is gone: the executor ends.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.announce(state);
    }

    /// The executor thread.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            if !state.running
                && let Some(batch) = state.list.pop_front()
            {
                state.running = true;
                drop(state);
                batch.run();
                // May be the last holder of the device, whose end takes the lock.
                drop(batch);
                state = self.lock();
                state.running = false;
                self.announce(state);
                state = self.lock();
            } else if state.closed && state.list.is_empty() {
                return;
            } else {
                state = self.wait(state, None);
            }
        }
    }
}

/// Runs a batch on the calling thread; nothing else runs.
fn run_here(shared: &QueueShared, mut state: MutexGuard<'_, State>, batch: &Batch) {
    state.running = true;
    drop(state);
    batch.run();
    let mut state = shared.lock();
    state.running = false;
    shared.announce(state);
}

/// Runs command buffers in the order of submission. Clones are the same queue.
///
/// Commands of a queue follow each other: what one writes, the next sees. Spec: Vulkan, "Queues".
#[derive(Clone, Debug)]
pub struct Queue {
    device: Device,
}

objects! { Queue: "queue" = |q| Some(q.device.id()); }

impl Queue {
    pub(crate) fn new(device: &Device) -> Self {
        Queue { device: device.clone() }
    }

    /// Its device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Submits batches in order; `fence` is signaled when all are done.
    ///
    /// `Invalid` if a command buffer's recording has not ended, or the error by which the device was
    /// lost. Work that fails later loses the device: waiting for it returns the error.
    pub fn submit(&self, submits: &[Submit<'_>], fence: Option<&Fence>) -> Result<()> {
        self.device.check_lost()?;
        let mut batches = Vec::with_capacity(submits.len().max(1));
        for submit in submits {
            let own = |list: &[(&Semaphore, u64)]| -> Result<Vec<_>> {
                list.iter().map(|(s, v)| same_device(*s, self).map(|()| ((*s).clone(), *v))).collect()
            };
            let mut commands = Vec::with_capacity(submit.commands.len());
            for buffer in submit.commands {
                same_device(*buffer, self)?;
                commands.push(buffer.recorded()?.clone());
            }
            let (waits, signals) = (own(submit.waits)?, own(submit.signals)?);
            batches.push(Batch { waits, commands, signals, fence: None, device: self.device.clone() });
        }
        if let Some(fence) = fence {
            same_device(fence, self)?;
            if batches.is_empty() {
                let (waits, signals) = Default::default();
                let device = self.device.clone();
                batches.push(Batch { waits, commands: Vec::new(), signals, fence: None, device });
            }
            if let Some(last) = batches.last_mut() {
                last.fence = Some(fence.clone());
            }
        }
        for batch in batches {
            batch.commands.iter().for_each(|c| c.acquire());
            self.push(batch)?;
        }
        Ok(())
    }

    fn push(&self, batch: Batch) -> Result<()> {
        let shared = self.device.queue_shared();
        let mut state = shared.lock();
        if !state.running && state.list.is_empty() && batch.small() {
            run_here(shared, state, &batch);
            return Ok(());
        }
        if !state.started {
            let of_thread = shared.clone();
            match reserve::thread("quadrille-queue", reserve::STACK_BYTES, move || of_thread.work()) {
                Ok(_) => state.started = true,
                Err(e) => {
                    // Another thread may run its own submission.
                    while state.running {
                        state = shared.wait(state, None);
                    }
                    if batch.ready() {
                        run_here(shared, state, &batch);
                        return Ok(());
                    }
                    drop(state);
                    batch.commands.iter().for_each(|c| c.release());
                    return Err(e);
                }
            }
        }
        state.list.push_back(batch);
        shared.announce(state);
        Ok(())
    }

    /// Submits one command buffer and waits until it is done.
    pub fn run(&self, commands: &CommandBuffer) -> Result<()> {
        let fence = self.device.create_fence(false);
        self.submit(&[Submit { commands: &[commands], ..Submit::default() }], Some(&fence))?;
        fence.wait(None).map(|_| ())
    }

    /// Waits until everything submitted is done; the error by which the device was lost.
    pub fn wait_idle(&self) -> Result<()> {
        let shared = self.device.queue_shared();
        let mut state = shared.lock();
        while state.running || !state.list.is_empty() {
            state = shared.wait(state, Some(Duration::from_millis(100)));
        }
        drop(state);
        self.device.check_lost()
    }
}
