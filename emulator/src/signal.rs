//! Announces changes of a device: one lock and one condition variable, so that waiting for any or all of
//! several objects is one loop; the device's loss; and whose turn it is to run.
//!
//! A device belongs to the process that made it: in a child of `fork` nothing would end a wait, since
//! the threads of the parent are not there. The child gets an error instead, and makes its own.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use quadrille_jit::process::Process;

use crate::error::{Error, Result};

/// How long to wait before looking again at what others do: at first, and at last.
const FIRST_LOOK: Duration = Duration::from_micros(20);
const LAST_LOOK: Duration = Duration::from_millis(1);

/// Whose turn it is to run commands: batches of one device run one at a time, whatever their queue.
#[derive(Default)]
pub(crate) struct Turn {
    taken: AtomicBool,
    /// Threads that wait. Waking none would still be a system call.
    waiting: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
}

/// The turn of the thread that has it.
pub(crate) struct InTurn<'a>(&'a Turn);

impl Drop for InTurn<'_> {
    fn drop(&mut self) {
        self.0.give();
    }
}

impl Turn {
    /// Waits for the turn.
    pub fn take(&self) -> InTurn<'_> {
        self.wait();
        InTurn(self)
    }

    /// Nobody has it.
    pub fn is_free(&self) -> bool {
        !self.taken.load(Ordering::Relaxed)
    }

    /// Gives the turn to others while `wait` waits for what they may do. The caller has it.
    pub fn pause<T>(&self, wait: impl FnOnce() -> T) -> T {
        self.give();
        let result = wait();
        self.wait();
        result
    }

    fn try_take(&self) -> bool {
        !self.taken.swap(true, Ordering::SeqCst)
    }

    fn wait(&self) {
        if self.try_take() {
            return;
        }
        let mut lock = self.lock.lock().unwrap_or_else(|e| e.into_inner());
        // Whoever gives the turn after the next attempt sees that somebody waits.
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while !self.try_take() {
            lock = self.changed.wait(lock).unwrap_or_else(|e| e.into_inner());
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    fn give(&self) {
        self.taken.store(false, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            // Who waits has the lock until it sleeps.
            drop(self.lock.lock().unwrap_or_else(|e| e.into_inner()));
            self.changed.notify_one();
        }
    }
}

thread_local! {
    /// The device ([`Signal::number`]) for whose work this thread is in a print sink; 0 if it is in none.
    static PRINTS_FOR: Cell<usize> = const { Cell::new(0) };
}

/// Calls a print sink, for which the work of the device of this number waits: it cannot wait for the device in turn.
pub(crate) fn in_sink(device: usize, sink: impl FnOnce()) {
    struct Restore(usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            PRINTS_FOR.set(self.0);
        }
    }
    let _before = Restore(PRINTS_FOR.replace(device));
    sink();
}

/// Announces changes of any fence, semaphore or event of a device, and its loss.
#[derive(Default)]
pub(crate) struct Signal {
    /// Threads that wait. Waking none would still be a system call.
    waiting: Mutex<usize>,
    changed: Condvar,
    lost: OnceLock<Error>,
    process: Process,
}

impl Signal {
    /// Applies a change and wakes every waiter.
    pub(crate) fn announce(&self, change: impl FnOnce()) {
        if !self.process.is_current() {
            // Nobody waits, and the lock may be held for ever.
            return change();
        }
        let waiting = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
        change();
        let wake = *waiting > 0;
        drop(waiting);
        if wake {
            self.changed.notify_all();
        }
    }

    /// Declares the device lost; the first reason stays, and is logged.
    pub(crate) fn lose(&self, why: Error) {
        self.announce(|| {
            let text = why.to_string();
            if self.lost.set(why).is_ok() {
                tracing::error!("the device is lost: {text}");
            }
        });
    }

    /// `DeviceLost` in a child of the process that made the device.
    pub(crate) fn check_process(&self) -> Result<()> {
        if self.process.is_current() {
            return Ok(());
        }
        let why = "it was made before `fork`, in another process; a child makes a device of its own";
        Err(Error::DeviceLost(why.into()))
    }

    /// The reason of the loss, as an error.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_process()?;
        self.lost.get().map_or(Ok(()), |e| Err(e.clone()))
    }

    /// A number that no other device has while this one lives.
    pub(crate) fn number(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// An error in a print sink of this device, where waiting for its work would last for ever.
    pub(crate) fn refuse_in_sink(&self) -> Result<()> {
        if PRINTS_FOR.get() == self.number() {
            let why = "a print sink waits for its device, whose work waits for the sink to return";
            return Err(Error::invalid(why));
        }
        Ok(())
    }

    /// Waits until `done` holds (true), or the time is over (false), or the device is lost.
    pub(crate) fn wait(&self, timeout: Option<Duration>, done: impl Fn() -> bool) -> Result<bool> {
        self.wait_looking(timeout, false, done)
    }

    /// The same where `done` may depend on what this device does not announce: then it is looked at again and
    /// again, after a longer and longer time.
    pub(crate) fn wait_looking(
        &self,
        timeout: Option<Duration>,
        looking: bool,
        done: impl Fn() -> bool,
    ) -> Result<bool> {
        if done() {
            return Ok(true);
        }
        self.check()?;
        self.refuse_in_sink()?;
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
        let mut pause = looking.then_some(FIRST_LOOK);
        let mut waiting = self.waiting.lock().unwrap_or_else(|e| e.into_inner());
        loop {
            if done() {
                return Ok(true);
            }
            self.check()?;
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Ok(false);
            }
            *waiting += 1;
            let limit = [left, pause].into_iter().flatten().min();
            pause = pause.map(|p| (2 * p).min(LAST_LOOK));
            waiting = match limit {
                None => self.changed.wait(waiting).unwrap_or_else(|e| e.into_inner()),
                Some(limit) => self.changed.wait_timeout(waiting, limit).unwrap_or_else(|e| e.into_inner()).0,
            };
            *waiting -= 1;
        }
    }
}
