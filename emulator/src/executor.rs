//! The executor: jobs of a queue, in order.
//!
//! One thread, started when first needed, works through the list. A small job on an idle queue runs at once
//! on the thread that brings it: handing it over would cost more than it does. So does a large one where the
//! host has no thread for the executor.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use quadrille_jit::reserve;

use crate::error::Result;

/// Something to be done in its turn.
pub(crate) trait Job: Send {
    /// It takes so little that it is not worth a change of threads, and waits for nothing.
    fn is_small(&self) -> bool;
    /// Nothing that it waits for is still to come.
    fn is_ready(&self) -> bool;
    /// Does it.
    fn run(&self);
    /// It will never be run.
    fn refuse(&self);
}

#[derive(Default)]
struct State {
    list: VecDeque<Box<dyn Job>>,
    /// A job runs, on the executor's thread or on the one that brought it.
    running: bool,
    started: bool,
    closed: bool,
    /// Threads that wait for a change. Waking none would still be a system call.
    waiting: usize,
}

/// What the executor's thread and those who bring jobs share.
#[derive(Default)]
pub(crate) struct Executor {
    state: Mutex<State>,
    changed: Condvar,
}

impl Executor {
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

    /// The device is gone: the thread ends.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.announce(state);
    }

    /// The thread.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            if !state.running
                && let Some(job) = state.list.pop_front()
            {
                state.running = true;
                drop(state);
                job.run();
                // May be the last holder of the device, whose end takes the lock.
                drop(job);
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

    /// Runs a job on the calling thread; nothing else runs.
    fn run_here(&self, mut state: MutexGuard<'_, State>, job: &impl Job) {
        state.running = true;
        drop(state);
        job.run();
        let mut state = self.lock();
        state.running = false;
        self.announce(state);
    }

    /// Has a job done after those brought before it. Fails where the host has no thread for it and it has to
    /// wait.
    pub fn push(self: &Arc<Self>, job: impl Job + 'static) -> Result<()> {
        let mut state = self.lock();
        if !state.running && state.list.is_empty() && job.is_small() {
            self.run_here(state, &job);
            return Ok(());
        }
        if !state.started {
            let of_thread = self.clone();
            match reserve::thread("quadrille-queue", reserve::STACK_BYTES, move || of_thread.work()) {
                Ok(_) => state.started = true,
                Err(e) => {
                    // Another thread may run its own job.
                    while state.running {
                        state = self.wait(state, None);
                    }
                    if job.is_ready() {
                        self.run_here(state, &job);
                        return Ok(());
                    }
                    drop(state);
                    job.refuse();
                    return Err(e);
                }
            }
        }
        state.list.push_back(Box::new(job));
        self.announce(state);
        Ok(())
    }

    /// There is nothing left to do.
    pub fn is_idle(&self) -> bool {
        let state = self.lock();
        !state.running && state.list.is_empty()
    }

    /// Waits until there is nothing left to do.
    pub fn wait_idle(&self) {
        let mut state = self.lock();
        while state.running || !state.list.is_empty() {
            state = self.wait(state, Some(Duration::from_millis(100)));
        }
    }
}
