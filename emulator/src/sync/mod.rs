//! Fences, semaphores and events.
//!
//! Every object keeps its state in an atomic; the device's `execution::signal` announces changes. `queue` orders
//! submissions. Shared fences and semaphores have an external payload, which may be replaced: see `payload`.

mod payload;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use quadrille_check::events::Submit;
use quadrille_jit::sys::clock::monotonic_nanoseconds;

use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::object::{objects, same_device, shared};
use crate::sys::{BorrowedFd, OwnedFd};
use payload::{Kind, Payload};

objects! {
    Fence: "fence" = |f| f.0.device.device_id();
    Semaphore: "semaphore" = |s| s.0.device.device_id();
    Event: "event" = |e| e.0.device.device_id();
}
shared!(Fence, Semaphore, Event);

/// Way in which a fence or semaphore exports its payload. Spec: Vulkan, "Fence Payloads", "Semaphore Payloads".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// The payload itself, shared by all importers.
    Reference,
    /// A copy of the state: a descriptor that can be polled. Not for timeline semaphores.
    Copy,
}

/// A payload to import.
#[derive(Debug)]
pub enum Import<'a> {
    /// Descriptor exported with [`Sharing::Reference`].
    Reference(BorrowedFd<'a>),
    /// Descriptor exported with [`Sharing::Copy`], or any descriptor that becomes readable; `None` is signaled.
    Copy(Option<BorrowedFd<'a>>),
}

impl Import<'_> {
    fn payload(&self, kind: Kind) -> Result<Arc<Payload>> {
        match self {
            Import::Reference(fd) => Payload::import_words(kind, *fd),
            Import::Copy(fd) => Payload::import_copy(kind, *fd),
        }
    }
}

/// External payloads that replace an object's own state.
#[derive(Default)]
struct Outside {
    /// `true` once an external payload was set. While `false`, `payloads` is not locked.
    any: AtomicBool,
    payloads: Mutex<Payloads>,
}

#[derive(Default)]
struct Payloads {
    permanent: Option<Arc<Payload>>,
    /// Replaces the permanent payload until the next wait or reset.
    temporary: Option<Arc<Payload>>,
}

impl Outside {
    fn new(kind: Kind, value: u64, sharing: Option<Sharing>) -> Result<Outside> {
        let outside = Outside::default();
        let permanent = match sharing {
            None => return Ok(outside),
            Some(Sharing::Reference) => Payload::words(kind, value)?,
            Some(Sharing::Copy) if !kind.is_copied() => return Err(kind.uncopied()),
            Some(Sharing::Copy) => Payload::copied(value),
        };
        outside.set(permanent, false);
        Ok(outside)
    }

    fn lock(&self) -> MutexGuard<'_, Payloads> {
        self.payloads.lock().unwrap_or_else(|e| e.into_inner())
    }

    fn set(&self, payload: Arc<Payload>, temporary: bool) {
        let mut payloads = self.lock();
        match temporary {
            true => payloads.temporary = Some(payload),
            false => *payloads = Payloads { permanent: Some(payload), temporary: None },
        }
        self.any.store(true, Ordering::Release);
    }

    /// Returns the current payload.
    fn get(&self) -> Option<Arc<Payload>> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let payloads = self.lock();
        payloads.temporary.as_ref().or(payloads.permanent.as_ref()).cloned()
    }

    /// Returns the current payload, and makes the permanent one current.
    fn take(&self) -> Option<Arc<Payload>> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let mut payloads = self.lock();
        payloads.temporary.take().or_else(|| payloads.permanent.clone())
    }

    /// Makes a payload current again that `take` has returned.
    fn give_back(&self, payload: &Arc<Payload>) {
        let mut payloads = self.lock();
        let own = payloads.permanent.as_ref().is_some_and(|own| Arc::ptr_eq(own, payload));
        if !own && payloads.temporary.is_none() {
            payloads.temporary = Some(payload.clone());
        }
    }

    /// Makes the permanent payload current and unsignaled.
    fn restore(&self) {
        if self.any.load(Ordering::Acquire) {
            let mut payloads = self.lock();
            payloads.temporary = None;
            payloads.permanent.iter().for_each(|payload| payload.reset());
        }
    }

    /// Returns a copy of the current payload. Afterwards the object is unsignaled, even if pending work signals the old
    /// payload.
    fn copy(&self) -> Result<Option<OwnedFd>> {
        let mut payloads = self.lock();
        let now = payloads.temporary.as_ref().or(payloads.permanent.as_ref());
        let now = now.ok_or_else(|| Error::invalid("the payload is not shareable"))?;
        let copy = now.copy()?;
        if payloads.temporary.take().is_none() {
            match payloads.permanent.as_deref() {
                // All importers share the words, and keep sharing them.
                Some(words @ Payload::Words(..)) => words.reset(),
                _ => payloads.permanent = Some(Payload::copied(0)),
            }
        }
        Ok(copy)
    }

    fn share(&self) -> Result<OwnedFd> {
        self.get().ok_or_else(|| Error::invalid("the payload is not shareable"))?.share()
    }
}

/// Returns `Invalid` for a wait that nothing can end: the wait for any of no objects.
fn check_any(all: bool, count: usize) -> Result<()> {
    ensure(all || count > 0, || "a wait for any of no objects would never end".into())
}

struct FenceInner {
    device: Device,
    signaled: AtomicBool,
    /// Time of the last signal, in nanoseconds; 0 before the first one.
    time: AtomicU64,
    outside: Outside,
}

/// Signals the end of a submission to the host. Spec: Vulkan, "Fences".
#[derive(Clone)]
pub struct Fence(Arc<FenceInner>);

/// A fence in a submission, with its payload at the time of submission.
pub(crate) struct FenceSignal(Fence, Option<Arc<Payload>>);

impl FenceSignal {
    pub(crate) fn new(fence: &Fence) -> Self {
        FenceSignal(fence.clone(), fence.0.outside.get())
    }

    pub(crate) fn fence(&self) -> &Fence {
        &self.0
    }

    pub(crate) fn signal(&self) {
        self.0.signal_payload(self.1.as_deref());
    }
}

impl Fence {
    pub(crate) fn new(device: &Device, signaled: bool) -> Self {
        let (signaled, outside) = (AtomicBool::new(signaled), Outside::default());
        Fence(Arc::new(FenceInner { device: device.clone(), signaled, time: AtomicU64::new(0), outside }))
    }

    pub(crate) fn shared(device: &Device, signaled: bool, sharing: Sharing) -> Result<Self> {
        let outside = Outside::new(Kind::Fence, signaled.into(), Some(sharing))?;
        let (signaled, time) = (AtomicBool::new(false), AtomicU64::new(0));
        Ok(Fence(Arc::new(FenceInner { device: device.clone(), signaled, time, outside })))
    }

    /// Imports the payload of another fence in place of its own, until the next reset or permanently.
    ///
    /// # Errors
    /// `Invalid` for a descriptor of anything else, `OutOfMemory` if the system refuses another descriptor or mapping.
    pub fn import(&self, from: &Import<'_>, temporary: bool) -> Result<()> {
        self.0.outside.set(from.payload(Kind::Fence)?, temporary);
        Ok(())
    }

    /// Returns a descriptor of the payload, for [`Import::Reference`].
    ///
    /// # Errors
    /// `Invalid` unless the fence is shared by reference, `OutOfMemory` if the system refuses a descriptor.
    pub fn share(&self) -> Result<OwnedFd> {
        self.0.outside.share()
    }

    /// Returns a descriptor of the state, for [`Import::Copy`] or for polling; `None` if the fence is signaled. The
    /// fence is unsignaled afterwards.
    ///
    /// # Errors
    /// `Invalid` if the fence is not shared, or is unsignaled and shared by reference. `OutOfMemory` if the system
    /// refuses a descriptor.
    pub fn copy(&self) -> Result<Option<OwnedFd>> {
        self.0.outside.copy()
    }

    fn is_signaled(&self) -> bool {
        match self.0.outside.get() {
            None => self.0.signaled.load(Ordering::Acquire),
            Some(payload) => payload.value() != 0,
        }
    }

    /// Returns `true` if the fence is signaled.
    ///
    /// # Errors
    /// The error by which the device was lost, if the fence is not signaled.
    pub fn status(&self) -> Result<bool> {
        let signaled = self.is_signaled();
        if !signaled {
            self.0.device.check_lost()?;
        } else {
            self.seen();
        }
        Ok(signaled)
    }

    /// Returns [`status`](Self::status) as soon as the fence is signaled, and after `patience` in any case. Does not
    /// wait inside a print sink, for which the work itself waits. Fails like [`status`](Self::status).
    pub fn status_within(&self, patience: Duration) -> Result<bool> {
        let signal = self.0.device.signal();
        if !self.is_signaled() && signal.refuse_in_sink().is_ok() {
            let looking = self.0.outside.any.load(Ordering::Acquire);
            signal.wait_looking(Some(patience), looking, || self.is_signaled())?;
        }
        self.status()
    }

    /// Makes the fence unsignaled.
    pub fn reset(&self) {
        self.0.signaled.store(false, Ordering::Release);
        self.0.outside.restore();
    }

    /// Waits for the fence. Returns `true` when signaled, `false` after `timeout` (`None`: no timeout).
    ///
    /// # Errors
    /// The error by which the device was lost, unless the fence is signaled: errors of shaders arrive here. `Invalid`
    /// in a print sink of the device, whose work waits for the sink.
    pub fn wait(&self, timeout: Option<Duration>) -> Result<bool> {
        Self::wait_many(&self.0.device, &[self], true, timeout)
    }

    /// Waits for all of `fences`, or for any of them. Fails like [`Fence::wait`], and with `Invalid` for a fence of
    /// another device and for any of no fences.
    pub fn wait_many(
        device: &Device,
        fences: &[&Fence],
        all: bool,
        timeout: Option<Duration>,
    ) -> Result<bool> {
        fences.iter().try_for_each(|f| same_device(*f, device))?;
        check_any(all, fences.len())?;
        let looking = fences.iter().any(|f| f.0.outside.any.load(Ordering::Acquire));
        let done = device.signal().wait_looking(timeout, looking, || match all {
            true => fences.iter().all(|f| f.is_signaled()),
            false => fences.iter().any(|f| f.is_signaled()),
        })?;
        if !done {
            device.timed_out(timeout);
        }
        if done && device.is_explicit() {
            fences.iter().filter(|f| f.is_signaled()).for_each(|f| f.seen());
        }
        Ok(done)
    }

    /// Reports to the watcher that the host has seen the fence signaled.
    fn seen(&self) {
        self.0.device.tell_order(|| Submit::SeenFence(self.number()));
    }

    /// Number of the fence, unique among live fences.
    pub(crate) fn number(&self) -> u64 {
        Arc::as_ptr(&self.0).addr() as u64
    }

    /// Signals the fence from the host instead of from a submission.
    pub fn signal(&self) {
        self.signal_payload(self.0.outside.get().as_deref());
    }

    /// Returns the time at which this device last signaled the fence, on the clock of timestamps; 0 if it never has.
    pub fn signaled_at(&self) -> u64 {
        self.0.time.load(Ordering::Relaxed)
    }

    fn signal_payload(&self, outside: Option<&Payload>) {
        // The signal orders the time before what follows it.
        self.0.time.store(monotonic_nanoseconds(), Ordering::Relaxed);
        self.0.device.signal().announce(|| match outside {
            None => self.0.signaled.store(true, Ordering::Release),
            Some(payload) => payload.signal(1),
        });
    }
}

struct SemaphoreInner {
    device: Device,
    timeline: bool,
    value: AtomicU64,
    outside: Outside,
}

/// Orders submissions: a binary semaphore, or a timeline semaphore with a counter that only grows. Spec: Vulkan,
/// "Semaphores".
#[derive(Clone)]
pub struct Semaphore(Arc<SemaphoreInner>);

/// A semaphore and a value in a submission, with the payload at the time of submission.
pub(crate) struct SemaphoreUse {
    semaphore: Semaphore,
    value: u64,
    outside: Option<Arc<Payload>>,
    /// Waiting or completed stages, for the device's watcher.
    stages: u64,
}

impl SemaphoreUse {
    pub(crate) fn semaphore(&self) -> &Semaphore {
        &self.semaphore
    }

    /// A semaphore to wait for. A payload imported for one wait is taken from the semaphore.
    pub(crate) fn wait(semaphore: &Semaphore, value: u64, stages: u64) -> Self {
        SemaphoreUse { semaphore: semaphore.clone(), value, outside: semaphore.0.outside.take(), stages }
    }

    /// A semaphore to signal.
    pub(crate) fn signal(semaphore: &Semaphore, value: u64, stages: u64) -> Self {
        SemaphoreUse { semaphore: semaphore.clone(), value, outside: semaphore.0.outside.get(), stages }
    }

    /// Reports to the watcher that the running batch has waited for the semaphore.
    pub(crate) fn tell_waited(&self) {
        // The batch that signals an external payload is unknown.
        let semaphore = if self.outside.is_some() { 0 } else { self.semaphore.number() };
        let value = self.semaphore.0.timeline.then_some(self.value);
        let stages = self.stages;
        self.semaphore.0.device.tell_order(|| Submit::Waited { semaphore, value, stages });
    }

    /// Reports to the watcher that the running batch signals the semaphore.
    pub(crate) fn tell_signals(&self) {
        let (semaphore, stages) = (self.semaphore.number(), self.stages);
        let value = self.semaphore.0.timeline.then_some(self.value);
        self.semaphore.0.device.tell_order(|| Submit::Signals { semaphore, value, stages });
    }

    /// `true` if the payload is external, so that other devices may signal it.
    pub(crate) fn is_outside(&self) -> bool {
        self.outside.is_some()
    }

    pub(crate) fn is_reached(&self) -> bool {
        self.semaphore.reached(self.outside.as_deref(), self.value)
    }

    /// Returns the payload of a wait that does not take place to the semaphore.
    pub(crate) fn give_back(&self) {
        self.outside.iter().for_each(|payload| self.semaphore.0.outside.give_back(payload));
    }

    /// Makes a binary semaphore unsignaled after a queue has waited for it.
    pub(crate) fn consume(&self) {
        match &self.outside {
            None if !self.semaphore.0.timeline => self.semaphore.0.value.store(0, Ordering::Release),
            None => {}
            Some(payload) => payload.reset(),
        }
    }

    /// Signals the semaphore after the preceding work of the queue.
    pub(crate) fn done(&self) {
        self.semaphore.signal_payload(self.outside.as_deref(), self.value);
    }
}

impl Semaphore {
    pub(crate) fn new(device: &Device, timeline: Option<u64>) -> Self {
        let semaphore = Semaphore(Arc::new(SemaphoreInner {
            device: device.clone(),
            timeline: timeline.is_some(),
            value: AtomicU64::new(timeline.unwrap_or(0)),
            outside: Outside::default(),
        }));
        device.tell_order(|| Submit::Made { semaphore: semaphore.number(), value: timeline });
        semaphore
    }

    /// Number of the semaphore, unique among live semaphores.
    fn number(&self) -> u64 {
        Arc::as_ptr(&self.0).addr() as u64
    }

    /// Reports to the watcher that the host has seen the counter reach a value.
    fn seen(&self, value: u64) {
        let semaphore = self.number();
        self.0.device.tell_order(|| Submit::SeenSemaphore { semaphore, value });
    }

    pub(crate) fn shared(device: &Device, timeline: Option<u64>, sharing: Sharing) -> Result<Self> {
        let kind = if timeline.is_some() { Kind::Timeline } else { Kind::Binary };
        Ok(Semaphore(Arc::new(SemaphoreInner {
            device: device.clone(),
            timeline: timeline.is_some(),
            value: AtomicU64::new(0),
            outside: Outside::new(kind, timeline.unwrap_or(0), Some(sharing))?,
        })))
    }

    /// Imports the payload of another semaphore in place of its own, until the next wait or permanently.
    ///
    /// # Errors
    /// Those of [`Fence::import`]; `Invalid` also for a semaphore of the other type, binary or timeline, and for a copy
    /// of the state in a timeline semaphore.
    pub fn import(&self, from: &Import<'_>, temporary: bool) -> Result<()> {
        let kind = if self.0.timeline { Kind::Timeline } else { Kind::Binary };
        self.0.outside.set(from.payload(kind)?, temporary);
        Ok(())
    }

    /// Returns a descriptor of the payload, for [`Import::Reference`]. Fails like [`Fence::share`].
    pub fn share(&self) -> Result<OwnedFd> {
        self.0.outside.share()
    }

    /// Returns a descriptor of the state, for [`Import::Copy`] or for polling; `None` if the semaphore is signaled.
    /// Afterwards the semaphore is unsignaled, as after a wait. Fails like [`Fence::copy`], and with `Invalid` for a
    /// timeline semaphore.
    pub fn copy(&self) -> Result<Option<OwnedFd>> {
        self.0.outside.copy()
    }

    /// `true` for a timeline semaphore.
    pub fn is_timeline(&self) -> bool {
        self.0.timeline
    }

    /// Returns the counter; for a binary semaphore 1 if it is signaled.
    ///
    /// # Errors
    /// The error by which the device was lost, if it was lost.
    pub fn value(&self) -> Result<u64> {
        self.0.device.check_lost()?;
        let value = self.value_of(self.0.outside.get().as_deref());
        self.seen(value);
        Ok(value)
    }

    fn value_of(&self, outside: Option<&Payload>) -> u64 {
        outside.map_or_else(|| self.0.value.load(Ordering::Acquire), Payload::value)
    }

    /// Sets the counter from the host, which must not decrease it; a binary semaphore ignores `value`.
    pub fn signal(&self, value: u64) {
        let (semaphore, counts) = (self.number(), self.0.timeline.then_some(value));
        self.0.device.tell_order(|| Submit::Signaled { semaphore, value: counts });
        self.signal_payload(self.0.outside.get().as_deref(), value);
    }

    fn signal_payload(&self, outside: Option<&Payload>, value: u64) {
        self.0.device.signal().announce(|| match outside {
            Some(payload) => payload.signal(value),
            None if self.0.timeline => {
                self.0.value.fetch_max(value, Ordering::AcqRel);
            }
            None => self.0.value.store(1, Ordering::Release),
        });
    }

    /// Waits until all of the semaphores, or any, reach their values. Returns `false` after `timeout` (`None`: no
    /// timeout). Fails like [`Fence::wait_many`].
    pub fn wait_many(
        device: &Device,
        waits: &[(&Semaphore, u64)],
        all: bool,
        timeout: Option<Duration>,
    ) -> Result<bool> {
        waits.iter().try_for_each(|(s, _)| same_device(*s, device))?;
        check_any(all, waits.len())?;
        let reached = |w: &(&Semaphore, u64)| w.0.reached(w.0.0.outside.get().as_deref(), w.1);
        let looking = waits.iter().any(|(s, _)| s.0.outside.any.load(Ordering::Acquire));
        let done = device.signal().wait_looking(timeout, looking, || match all {
            true => waits.iter().all(reached),
            false => waits.iter().any(reached),
        })?;
        if !done {
            device.timed_out(timeout);
        }
        if done && device.is_explicit() {
            waits.iter().filter(|w| reached(w)).for_each(|(semaphore, value)| semaphore.seen(*value));
        }
        Ok(done)
    }

    /// Waits until the counter is at least `value`. Returns `false` after `timeout` (`None`: no timeout). Fails like
    /// [`Fence::wait`].
    pub fn wait(&self, value: u64, timeout: Option<Duration>) -> Result<bool> {
        Self::wait_many(&self.0.device, &[(self, value)], true, timeout)
    }

    fn reached(&self, outside: Option<&Payload>, value: u64) -> bool {
        let now = self.value_of(outside);
        if self.0.timeline { now >= value } else { now != 0 }
    }
}

struct EventInner {
    device: Device,
    set: AtomicBool,
}

/// A flag that the host and commands set, reset and wait for. Spec: Vulkan, "Events".
#[derive(Clone)]
pub struct Event(Arc<EventInner>);

impl Event {
    pub(crate) fn new(device: &Device) -> Self {
        Event(Arc::new(EventInner { device: device.clone(), set: AtomicBool::new(false) }))
    }
    /// Returns `true` if the event is set. Fails with the error by which the device was lost, if it was lost.
    pub fn status(&self) -> Result<bool> {
        self.0.device.check_lost()?;
        Ok(self.0.set.load(Ordering::Acquire))
    }
    /// Sets the event.
    pub fn set(&self) {
        self.0.device.signal().announce(|| self.0.set.store(true, Ordering::Release));
    }
    /// Resets the event.
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
