//! The executor: runs the jobs of a queue, in order.
//!
//! One thread, started when first needed, works through the list. A small job on an idle queue runs at once on the
//! submitting thread, because changing threads would cost more than the job. A large job also runs there if the host
//! cannot start the executor's thread.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use quadrille_jit::reserve;

use crate::error::Result;

/// A unit of work for an executor.
pub(crate) trait Job: Send {
    /// `true` if the job is too short to be worth a change of threads, and waits for nothing.
    fn is_small(&self) -> bool;
    /// `true` if everything that the job waits for has happened.
    fn is_ready(&self) -> bool;
    /// Called when it is certain that the job will run, before `run`, on the submitting thread.
    fn accept(&self);
    /// Runs the job, once. It keeps nothing alive when it tells of its end.
    fn run(&mut self);
    /// Called instead of `accept` and `run` if the job will never run.
    fn refuse(&self);
}

#[derive(Default)]
struct State {
    list: VecDeque<Box<dyn Job>>,
    /// `true` while a job runs, on the executor's thread or on the submitting one.
    running: bool,
    started: bool,
    closed: bool,
    /// Number of jobs that were accepted so far.
    accepted: u64,
    /// Number of accepted jobs that have ended. Jobs end in the order in which they were accepted.
    ended: u64,
    /// Number of threads that wait for a change. At 0 the system call to wake them is skipped.
    waiting: usize,
}

/// State shared by the executor's thread and the submitting threads.
#[derive(Default)]
pub(crate) struct Executor {
    state: Mutex<State>,
    changed: Condvar,
}

impl Executor {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Ends a change of the state: wakes the threads that wait for one.
    fn announce(&self, state: MutexGuard<'_, State>) {
        let wake = state.waiting > 0;
        drop(state);
        if wake {
            self.changed.notify_all();
        }
    }

    /// Waits for a change of the state, or until `timeout` has passed.
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

    /// Ends the thread after the device is dropped.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        self.announce(state);
    }

    /// Body of the executor's thread.
    fn work(&self) {
        let mut state = self.lock();
        loop {
            if !state.running
                && let Some(mut job) = state.list.pop_front()
            {
                state.running = true;
                drop(state);
                job.run();
                // The job may be the last holder of the device, and dropping the device takes the lock.
                drop(job);
                state = self.lock();
                state.running = false;
                state.ended += 1;
                self.announce(state);
                state = self.lock();
            } else if state.closed && state.list.is_empty() {
                return;
            } else {
                state = self.wait(state, None);
            }
        }
    }

    /// Accepts a job, and runs it on the calling thread while no other job runs.
    fn run_here(&self, mut state: MutexGuard<'_, State>, job: &mut impl Job) {
        state.running = true;
        state.accepted += 1;
        drop(state);
        job.accept();
        job.run();
        let mut state = self.lock();
        state.running = false;
        state.ended += 1;
        self.announce(state);
    }

    /// Runs or queues a job behind the earlier ones. Fails where the host cannot start the executor's thread and the
    /// job must wait.
    pub fn push(self: &Arc<Self>, mut job: impl Job + 'static) -> Result<()> {
        let mut state = self.lock();
        if !state.running && state.list.is_empty() && job.is_small() {
            self.run_here(state, &mut job);
            return Ok(());
        }
        if !state.started {
            let of_thread = self.clone();
            match reserve::thread("quadrille-queue", reserve::STACK_BYTES, move || of_thread.work()) {
                Ok(_) => state.started = true,
                Err(e) => {
                    // Another submitting thread may be running its own job, or may have started the thread since.
                    while state.running || !state.list.is_empty() {
                        state = self.wait(state, None);
                    }
                    if job.is_ready() {
                        self.run_here(state, &mut job);
                        return Ok(());
                    }
                    drop(state);
                    job.refuse();
                    return Err(e);
                }
            }
        }
        drop(state);
        job.accept();
        let mut state = self.lock();
        state.accepted += 1;
        state.list.push_back(Box::new(job));
        self.announce(state);
        Ok(())
    }

    /// `true` when no job runs or waits.
    pub fn is_idle(&self) -> bool {
        let state = self.lock();
        !state.running && state.list.is_empty()
    }

    /// Waits until the jobs that were accepted before this call have ended. Other threads may push jobs all the time, and
    /// nobody waits for these.
    pub fn wait_idle(&self) {
        let mut state = self.lock();
        let all = state.accepted;
        while state.ended < all {
            state = self.wait(state, Some(Duration::from_millis(100)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};
    use std::time::Instant;

    use super::*;

    struct Noted {
        is_small: bool,
        to: Arc<Mutex<Vec<&'static str>>>,
    }

    impl Noted {
        fn note(&self, what: &'static str) {
            self.to.lock().unwrap().push(what);
        }
    }

    impl Job for Noted {
        fn is_small(&self) -> bool {
            self.is_small
        }

        fn is_ready(&self) -> bool {
            true
        }

        fn accept(&self) {
            self.note("accept");
        }

        fn run(&mut self) {
            self.note("run");
        }

        fn refuse(&self) {
            self.note("refuse");
        }
    }

    #[test]
    fn jobs_are_accepted_before_they_run() {
        for is_small in [true, false] {
            let (executor, to) = (Arc::new(Executor::default()), Arc::default());
            executor.push(Noted { is_small, to: Arc::clone(&to) }).unwrap();
            executor.wait_idle();
            assert_eq!(*to.lock().unwrap(), ["accept", "run"]);
            executor.close();
        }
    }

    /// A job that ends when a message arrives.
    struct Held(Receiver<()>);

    impl Job for Held {
        fn is_small(&self) -> bool {
            false
        }

        fn is_ready(&self) -> bool {
            true
        }

        fn accept(&self) {}

        fn run(&mut self) {
            self.0.recv().unwrap();
        }

        fn refuse(&self) {}
    }

    /// Spec: Vulkan, vkQueueWaitIdle waits for the submissions that were executed before it; a queue that is synchronized
    /// internally may get more of them all the time.
    #[test]
    fn later_jobs_do_not_prolong_a_wait() {
        let executor = Arc::new(Executor::default());
        let ((end_first, first), (end_second, second)) = (channel(), channel());
        executor.push(Held(first)).unwrap();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| executor.wait_idle());
            let waits = |state: &State| state.running && state.waiting == 1;
            while !waits(&executor.lock()) {
                std::thread::yield_now();
            }
            executor.push(Held(second)).unwrap();
            end_first.send(()).unwrap();
            let end = Instant::now() + Duration::from_secs(20);
            while !waiting.is_finished() && Instant::now() < end {
                std::thread::sleep(Duration::from_millis(1));
            }
            let is_over = waiting.is_finished();
            end_second.send(()).unwrap();
            assert!(is_over, "the wait includes a job that was pushed after its beginning");
        });
        executor.wait_idle();
        assert!(executor.is_idle());
        executor.close();
    }
}
