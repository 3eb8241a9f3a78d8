//! Fences, semaphores and events.
//!
//! Every object keeps its state in an atomic; the device has one lock and one condition variable
//! that announce changes, so that waiting for any or all of several objects is one loop. What orders
//! submissions is in `queue.rs`.
//!
//! A device belongs to the process that made it: in a child of `fork` nothing would end a wait, since
//! the threads of the parent are not there. The child gets an error instead, and makes its own.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, OnceLock};
use std::time::{Duration, Instant};

use quadrille_jit::process::Process;

use crate::device::Device;
use crate::error::{Error, Result};
use crate::object::{objects, same_device, shared};

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

    /// Waits until `done` holds (true), or the time is over (false), or the device is lost.
    pub(crate) fn wait(&self, timeout: Option<Duration>, done: impl Fn() -> bool) -> Result<bool> {
        if done() {
            return Ok(true);
        }
        self.check()?;
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
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
            waiting = match left {
                None => self.changed.wait(waiting).unwrap_or_else(|e| e.into_inner()),
                Some(left) => self.changed.wait_timeout(waiting, left).unwrap_or_else(|e| e.into_inner()).0,
            };
            *waiting -= 1;
        }
    }
}

objects! {
    Fence: "fence" = |f| f.0.device.device_id();
    Semaphore: "semaphore" = |s| s.0.device.device_id();
    Event: "event" = |e| e.0.device.device_id();
}
shared!(Event);

struct FenceInner {
    device: Device,
    signaled: AtomicBool,
}

/// Tells the host that a submission is done. Spec: Vulkan, "Fences".
#[derive(Clone)]
pub struct Fence(Arc<FenceInner>);

impl Fence {
    pub(crate) fn new(device: &Device, signaled: bool) -> Self {
        Fence(Arc::new(FenceInner { device: device.clone(), signaled: AtomicBool::new(signaled) }))
    }

    /// Whether it is signaled; the error if the device is lost.
    pub fn status(&self) -> Result<bool> {
        let signaled = self.0.signaled.load(Ordering::Acquire);
        if !signaled {
            self.0.device.check_lost()?;
        }
        Ok(signaled)
    }

    /// Makes it unsignaled.
    pub fn reset(&self) {
        self.0.signaled.store(false, Ordering::Release);
    }

    /// Waits for it: true when signaled, false when `timeout` is over (`None`: wait forever).
    pub fn wait(&self, timeout: Option<Duration>) -> Result<bool> {
        Self::wait_many(&self.0.device, &[self], true, timeout)
    }

    /// Waits for all of `fences`, or for any of them.
    pub fn wait_many(
        device: &Device,
        fences: &[&Fence],
        all: bool,
        timeout: Option<Duration>,
    ) -> Result<bool> {
        fences.iter().try_for_each(|f| same_device(*f, device))?;
        let signaled = |f: &&Fence| f.0.signaled.load(Ordering::Acquire);
        device.signal().wait(timeout, || match all {
            true => fences.iter().all(signaled),
            false => fences.iter().any(signaled),
        })
    }

    pub(crate) fn signal(&self) {
        self.0.device.signal().announce(|| self.0.signaled.store(true, Ordering::Release));
    }
}

struct SemaphoreInner {
    device: Device,
    timeline: bool,
    value: AtomicU64,
}

/// Orders submissions: binary, or a counter that only grows. Spec: Vulkan, "Semaphores".
#[derive(Clone)]
pub struct Semaphore(Arc<SemaphoreInner>);

impl Semaphore {
    pub(crate) fn new(device: &Device, timeline: Option<u64>) -> Self {
        Semaphore(Arc::new(SemaphoreInner {
            device: device.clone(),
            timeline: timeline.is_some(),
            value: AtomicU64::new(timeline.unwrap_or(0)),
        }))
    }

    /// Whether it is a counter.
    pub fn is_timeline(&self) -> bool {
        self.0.timeline
    }

    /// The counter; of a binary semaphore 1 if it is signaled.
    pub fn value(&self) -> Result<u64> {
        self.0.device.check_lost()?;
        Ok(self.0.value.load(Ordering::Acquire))
    }

    /// Sets the counter from the host, which must not decrease it; `value` is ignored for binary ones.
    pub fn signal(&self, value: u64) {
        self.0.device.signal().announce(|| {
            if self.0.timeline {
                self.0.value.fetch_max(value, Ordering::AcqRel);
            } else {
                self.0.value.store(1, Ordering::Release);
            }
        });
    }

    /// Waits until the counters reach their values: all of them, or any.
    pub fn wait_many(
        device: &Device,
        waits: &[(&Semaphore, u64)],
        all: bool,
        timeout: Option<Duration>,
    ) -> Result<bool> {
        waits.iter().try_for_each(|(s, _)| same_device(*s, device))?;
        let reached = |w: &(&Semaphore, u64)| w.0.reached(w.1);
        device.signal().wait(timeout, || match all {
            true => waits.iter().all(reached),
            false => waits.iter().any(reached),
        })
    }

    /// Waits until the counter is at least `value`.
    pub fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<bool> {
        Self::wait_many(&self.0.device, &[(self, value)], true, timeout)
    }

    pub(crate) fn reached(&self, value: u64) -> bool {
        let now = self.0.value.load(Ordering::Acquire);
        if self.0.timeline { now >= value } else { now != 0 }
    }

    /// A queue has waited for it: binary semaphores become unsignaled.
    pub(crate) fn consume(&self) {
        if !self.0.timeline {
            self.0.value.store(0, Ordering::Release);
        }
    }
}

struct EventInner {
    device: Device,
    set: AtomicBool,
}

/// A flag that host and commands set, reset and wait for. Spec: Vulkan, "Events".
#[derive(Clone)]
pub struct Event(Arc<EventInner>);

impl Event {
    pub(crate) fn new(device: &Device) -> Self {
        Event(Arc::new(EventInner { device: device.clone(), set: AtomicBool::new(false) }))
    }
    /// Whether it is set.
    pub fn status(&self) -> Result<bool> {
        self.0.device.check_lost()?;
        Ok(self.0.set.load(Ordering::Acquire))
    }
    /// Sets it.
    pub fn set(&self) {
        self.0.device.signal().announce(|| self.0.set.store(true, Ordering::Release));
    }
    /// Resets it.
    pub fn reset(&self) {
        self.0.set.store(false, Ordering::Release);
    }
    pub(crate) fn is_set(&self) -> bool {
        self.0.set.load(Ordering::Acquire)
    }
}

macro_rules! opaque_debug {
    ($($name:ident),*) => {$(
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, "{}({:p})", stringify!($name), Arc::as_ptr(&self.0))
            }
        }
    )*};
}
opaque_debug!(Fence, Semaphore, Event);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DeviceOptions;

    #[test]
    fn waits_time_out_and_wake() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        let fence = device.create_fence(false);
        assert!(!fence.wait(Some(Duration::ZERO)).unwrap());
        let other = fence.clone();
        let t = std::thread::spawn(move || other.signal());
        assert!(fence.wait(None).unwrap());
        t.join().unwrap();

        let counter = device.create_timeline_semaphore(3);
        assert!(counter.wait(3, None).unwrap());
        assert!(!counter.wait(4, Some(Duration::from_millis(1))).unwrap());
        counter.signal(7);
        assert_eq!(counter.value().unwrap(), 7);
        let binary = device.create_semaphore();
        assert!(Semaphore::wait_many(&device, &[(&binary, 0), (&counter, 5)], false, None).unwrap());
    }

    #[test]
    fn a_lost_device_wakes_waiters_with_the_reason() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        device.signal().lose(Error::DeviceLost("`main` ran too long".into()));
        let e = device.create_fence(false).wait(None).unwrap_err();
        assert!(matches!(e, Error::DeviceLost(m) if m.contains("main")));
    }
}
