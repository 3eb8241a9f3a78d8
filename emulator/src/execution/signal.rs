//! Announces changes of a device through one lock and one condition variable, so that waiting for any or all of several
//! objects is one loop. Also holds the loss of the device and the turn to run commands.
//!
//! A device belongs to the process that made it. In a child of `fork`, where the parent's threads do not exist, a wait
//! would never end. There the calls return an error, and the child must make its own device.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use quadrille_jit::events;
use quadrille_jit::process::Process;

use crate::error::{Error, Result};

/// Shortest and longest interval between two polls of payloads that other devices change.
const FIRST_LOOK: Duration = Duration::from_micros(20);
const LAST_LOOK: Duration = Duration::from_millis(1);

/// The turn to run commands: batches of one device run one at a time, whatever their queue.
#[derive(Default)]
pub(crate) struct Turn {
    taken: AtomicBool,
    /// Number of waiting threads. At 0 the system call to wake them is skipped.
    waiting: AtomicUsize,
    lock: Mutex<()>,
    changed: Condvar,
}

/// Guard of the thread that holds the turn.
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

    /// `true` if no thread holds the turn.
    pub fn is_free(&self) -> bool {
        !self.taken.load(Ordering::Relaxed)
    }

    /// Releases the caller's turn while `wait` waits for work of other threads, and takes it again.
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
        // A thread that releases the turn after the next failed attempt sees this count.
        self.waiting.fetch_add(1, Ordering::SeqCst);
        while !self.try_take() {
            lock = self.changed.wait(lock).unwrap_or_else(|e| e.into_inner());
        }
        self.waiting.fetch_sub(1, Ordering::SeqCst);
    }

    fn give(&self) {
        self.taken.store(false, Ordering::SeqCst);
        if self.waiting.load(Ordering::SeqCst) > 0 {
            // A waiting thread holds the lock until it sleeps; taking the lock here ensures that it gets the
            // notification.
            drop(self.lock.lock().unwrap_or_else(|e| e.into_inner()));
            self.changed.notify_one();
        }
    }
}

thread_local! {
    /// Number ([`Signal::number`]) of the device whose print sink this thread is calling; 0 for none.
    static PRINTS_FOR: Cell<usize> = const { Cell::new(0) };
}

/// Calls a print sink while the work of device `device` waits for it; waits for that device inside the sink fail.
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

/// Announces changes of the fences, semaphores and events of a device, and its loss.
#[derive(Default)]
pub(crate) struct Signal {
    /// Number of waiting threads. At 0 the system call to wake them is skipped.
    waiting: Mutex<usize>,
    changed: Condvar,
    lost: OnceLock<Error>,
    process: Process,
}

impl Signal {
    /// Applies a change and wakes every waiter.
    pub(crate) fn announce(&self, change: impl FnOnce()) {
        if !self.process.is_current() {
            // In a child of `fork` no thread waits, and the lock may be held forever.
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

    /// Declares the device lost; the first reason is kept and logged.
    pub(crate) fn lose(&self, why: Error) {
        self.announce(|| {
            let text = why.to_string();
            if self.lost.set(why).is_ok() {
                events::error(format_args!("the device is lost: {text}"));
            }
        });
    }

    /// Returns `DeviceLost` in a child of the process that made the device.
    pub(crate) fn check_process(&self) -> Result<()> {
        if self.process.is_current() {
            return Ok(());
        }
        let why = "it was made before `fork`, in another process; a child must make its own device";
        Err(Error::DeviceLost(why.into()))
    }

    /// Returns the error by which the device was lost, if it was lost.
    pub(crate) fn check(&self) -> Result<()> {
        self.check_process()?;
        self.lost.get().map_or(Ok(()), |e| Err(e.clone()))
    }

    /// Number of the device, unique among live devices.
    pub(crate) fn number(&self) -> usize {
        std::ptr::from_ref(self).addr()
    }

    /// Returns an error inside a print sink of this device, where waiting for the device's work would never end.
    pub(crate) fn refuse_in_sink(&self) -> Result<()> {
        if PRINTS_FOR.get() == self.number() {
            let why = "a print sink waits for its device, whose work waits for the sink to return";
            return Err(Error::invalid(why));
        }
        Ok(())
    }

    /// Waits until `done` holds (`true`), `timeout` has passed (`false`), or the device is lost (an error).
    pub(crate) fn wait(&self, timeout: Option<Duration>, done: impl Fn() -> bool) -> Result<bool> {
        self.wait_looking(timeout, false, done)
    }

    /// Waits like [`Signal::wait`]. If `looking`, `done` may depend on changes that this device does not announce, and
    /// is polled at growing intervals.
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
