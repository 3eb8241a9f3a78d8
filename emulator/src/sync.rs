//! Fences, semaphores and events.
//!
//! Every object keeps its state in an atomic; changes are announced by the device's `signal`. What orders
//! submissions is in `queue`.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::device::Device;
use crate::error::Result;
use crate::object::{objects, same_device, shared};

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

    /// Makes it signaled from the host, in place of a submission.
    pub fn signal(&self) {
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
    use crate::{DeviceOptions, Error};

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
