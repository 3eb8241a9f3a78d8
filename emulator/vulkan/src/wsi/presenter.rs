//! The thread of a swapchain: waits until a presented image is rendered and until its time has come, has it shown,
//! and gives it back.
//!
//! Which image is free, waits to be shown, or is with the application is kept here; what shows it is a [`Screen`].

use std::collections::VecDeque;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ash::vk;
use quadrille::{Device, Fence, Image, Semaphore, reserve};

use super::{Frame, Rect, SHARED, Screen};
use crate::guard::{VkResult, code};
use crate::newer::FIFO_LATEST_READY;

/// An image that was presented.
pub struct Present {
    /// Its number.
    pub image: u32,
    /// It is rendered when the counter of the swapchain is there.
    pub rendered: u64,
    /// When it is shown, and instead of what.
    pub mode: vk::PresentModeKHR,
    /// What differs from the image presented before.
    pub damage: Rect,
    /// Its number for `vkWaitForPresentKHR`; 0 for none.
    pub id: u64,
    /// Signaled when the image is not needed any more.
    pub fence: Option<Fence>,
}

impl Present {
    /// What is shown after this one if nothing else is presented.
    fn again(&self) -> Option<Present> {
        (self.mode == vk::PresentModeKHR::SHARED_CONTINUOUS_REFRESH).then(|| Present {
            fence: None,
            id: 0,
            ..*self
        })
    }
}

struct State {
    /// Images that may be acquired, those free for the longest time first.
    free: VecDeque<u32>,
    /// Presented, in order.
    waiting: VecDeque<Present>,
    /// Whether the window had another size when an image was last shown, or does not show images any more.
    status: VkResult,
    /// Another swapchain has taken the surface.
    retired: bool,
    /// The largest number of an image that was shown or dropped for a later one.
    shown: u64,
    /// The thread has ended.
    ended: bool,
}

struct Inner {
    device: Device,
    images: Vec<Image>,
    swap: bool,
    /// Counts presented images that are rendered.
    rendered: Semaphore,
    state: Mutex<State>,
    changed: Condvar,
    /// The swapchain is about to go: no waits any more.
    closing: AtomicBool,
}

/// Images on their way between the application and a screen.
pub struct Presenter {
    inner: Arc<Inner>,
    process: u32,
}

/// From one time that a shared image is shown to the next, where it is shown again and again.
const REFRESH: Duration = Duration::from_nanos(16_666_667);

/// How long a wait is at most before it looks whether it still makes sense. While the swapchain goes, images that
/// are not rendered by then are not shown; all should be.
const PATIENCE: Duration = Duration::from_millis(100);

impl Presenter {
    /// Images that are all free; the thread that shows them starts. `swap`: red and blue are the other way round.
    pub fn new(device: &Device, images: Vec<Image>, swap: bool, screen: Box<dyn Screen>) -> VkResult<Self> {
        let state = State {
            free: (0..images.len() as u32).collect(),
            waiting: VecDeque::new(),
            status: Ok(()),
            retired: false,
            shown: 0,
            ended: false,
        };
        let inner = Arc::new(Inner {
            device: device.clone(),
            images,
            swap,
            rendered: device.create_timeline_semaphore(0),
            state: Mutex::new(state),
            changed: Condvar::new(),
            closing: AtomicBool::new(false),
        });
        let of_thread = inner.clone();
        let work = move || of_thread.work(screen);
        reserve::thread("quadrille-present", reserve::STACK_BYTES, work).map_err(|e| code(&e))?;
        Ok(Presenter { inner, process: process::id() })
    }

    /// Counts presented images that are rendered: the queue sets it to the number in [`Present::rendered`].
    pub fn rendered(&self) -> &Semaphore {
        &self.inner.rendered
    }

    /// The next image; the code for a time that is over, for a swapchain of no use any more, or `SUBOPTIMAL`
    /// with an image.
    pub fn acquire(&self, timeout: Option<Duration>) -> VkResult<(u32, VkResult)> {
        let over = match timeout {
            Some(Duration::ZERO) => vk::Result::NOT_READY,
            _ => vk::Result::TIMEOUT,
        };
        self.wait(timeout, over, |state| {
            let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            if failed {
                return state.status.err().map(Err);
            }
            if state.retired {
                return Some(Err(vk::Result::ERROR_OUT_OF_DATE_KHR));
            }
            state.free.pop_front().map(|image| Ok((image, state.status)))
        })?
    }

    /// The state of the swapchain.
    pub fn status(&self) -> VkResult {
        let state = self.lock()?;
        if state.retired { Err(vk::Result::ERROR_OUT_OF_DATE_KHR) } else { state.status }
    }

    /// Takes an image of the application's back, unshown.
    pub fn release(&self, image: u32) -> VkResult {
        self.change(|state| state.free.push_back(image))
    }

    /// Has an image shown in its turn. The answer is the state of the swapchain.
    pub fn present(&self, present: Present) -> VkResult {
        if present.image as usize >= self.inner.images.len() {
            return Err(vk::Result::ERROR_UNKNOWN);
        }
        self.change(|state| {
            state.waiting.push_back(present);
            state.status
        })?
    }

    /// Waits until an image of this number or a later one was shown.
    pub fn wait_shown(&self, id: u64, timeout: Option<Duration>) -> VkResult {
        self.wait(timeout, vk::Result::TIMEOUT, |state| {
            let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            (state.shown >= id).then_some(Ok(())).or_else(|| failed.then_some(state.status))
        })?
    }

    /// No image can be acquired any more: another swapchain has the surface.
    pub fn retire(&self) {
        let _ = self.change(|state| state.retired = true);
    }

    /// Shows what is rendered, without further waits, and ends the thread.
    pub fn close(&self) {
        let Ok(mut state) = self.lock() else { return };
        self.inner.closing.store(true, Ordering::Relaxed);
        self.inner.changed.notify_all();
        while !state.ended {
            state = self.inner.sleep(state, None);
        }
    }

    /// The lock; an error in a child of the process that made the swapchain, where it may be held for ever.
    fn lock(&self) -> VkResult<MutexGuard<'_, State>> {
        if process::id() != self.process {
            return Err(vk::Result::ERROR_DEVICE_LOST);
        }
        Ok(self.inner.lock())
    }

    fn change<T>(&self, change: impl FnOnce(&mut State) -> T) -> VkResult<T> {
        let mut state = self.lock()?;
        let answer = change(&mut state);
        drop(state);
        self.inner.changed.notify_all();
        Ok(answer)
    }

    /// Waits for an answer; `over` if there is none in time.
    fn wait<T>(
        &self,
        timeout: Option<Duration>,
        over: vk::Result,
        mut answer: impl FnMut(&mut State) -> Option<T>,
    ) -> VkResult<T> {
        let deadline = timeout.and_then(|t| Instant::now().checked_add(t));
        let mut state = self.lock()?;
        loop {
            if let Some(answer) = answer(&mut state) {
                return Ok(answer);
            }
            let left = deadline.map(|d| d.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return Err(over);
            }
            // A lost device wakes nobody here.
            self.inner.device.check_lost().map_err(|e| code(&e))?;
            state = self.inner.sleep(state, Some(left.map_or(PATIENCE, |left| left.min(PATIENCE))));
        }
    }
}

impl Drop for Presenter {
    fn drop(&mut self) {
        self.close();
    }
}

impl Inner {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Waits for a change, or until the time is over.
    fn sleep<'a>(&self, state: MutexGuard<'a, State>, time: Option<Duration>) -> MutexGuard<'a, State> {
        match time {
            None => self.changed.wait(state).unwrap_or_else(|e| e.into_inner()),
            Some(t) => self.changed.wait_timeout(state, t).unwrap_or_else(|e| e.into_inner()).0,
        }
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// The thread.
    fn work(&self, mut screen: Box<dyn Screen>) {
        let shown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.show_all(screen.as_mut())));
        // The window may go as soon as the thread has ended.
        drop(screen);
        let mut state = self.lock();
        if shown.is_err() {
            state.status = Err(vk::Result::ERROR_DEVICE_LOST);
        }
        state.ended = true;
        drop(state);
        self.changed.notify_all();
    }

    fn show_all(&self, screen: &mut dyn Screen) {
        let mut clock = screen.period().map(Clock::new);
        let mut again = None;
        while let Some(present) = self.next(again) {
            again = present.again();
            let rendered = self.wait_rendered(&present);
            let waits_first = present.mode == FIFO_LATEST_READY;
            if waits_first && let Some(clock) = &mut clock {
                clock.tick(present.mode, |time| self.pause(time));
            }
            let (present, replaced) = self.latest(present);
            let lost = matches!(self.lock().status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            let result = match rendered {
                Ok(true) if !lost => {
                    if let Some(clock) = clock.as_mut().filter(|_| !waits_first) {
                        clock.tick(present.mode, |time| self.pause(time));
                    }
                    screen.show(&self.frame(&present))
                }
                Ok(_) => Ok(true),
                Err(code) => Err(code),
            };
            self.done(replaced.into_iter().chain([present]), result);
        }
    }

    fn frame(&self, present: &Present) -> Frame<'_> {
        use vk::PresentModeKHR as M;
        Frame {
            device: &self.device,
            image: &self.images[present.image as usize],
            swap: self.swap,
            damage: present.damage,
            paced: matches!(present.mode, M::FIFO | M::FIFO_RELAXED | FIFO_LATEST_READY),
            hurry: &self.closing,
        }
    }

    /// The next presented image, or the one that is shown `again` when its time has come; `None` when there is none
    /// left and the swapchain goes.
    fn next(&self, again: Option<Present>) -> Option<Present> {
        let deadline = again.as_ref().map(|_| Instant::now() + REFRESH);
        let mut state = self.lock();
        loop {
            if let Some(present) = state.waiting.pop_front() {
                return Some(present);
            }
            if self.is_closing() {
                return None;
            }
            let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            let left = deadline.filter(|_| !failed).map(|d| d.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return again;
            }
            state = self.sleep(state, left);
        }
    }

    /// Waits until the image is rendered. False if that is not to be expected any more.
    fn wait_rendered(&self, present: &Present) -> VkResult<bool> {
        loop {
            let closing = self.is_closing();
            let done = self.rendered.wait(present.rendered, Some(PATIENCE)).map_err(|e| code(&e))?;
            if done || closing {
                return Ok(done);
            }
        }
    }

    /// What is to be shown in the place of an image: in mailbox mode the latest one that is rendered, and so in
    /// the FIFO mode that takes the latest one when it is time to show one.
    /// Those that are not shown come second.
    fn latest(&self, mut present: Present) -> (Present, Vec<Present>) {
        let mut replaced = Vec::new();
        let mut state = self.lock();
        let ready = |p: &Present| {
            let count = self.rendered.value();
            [vk::PresentModeKHR::MAILBOX, FIFO_LATEST_READY].contains(&p.mode)
                && count.is_ok_and(|n| n >= p.rendered)
        };
        while state.waiting.front().is_some_and(ready)
            && let Some(mut next) = state.waiting.pop_front()
        {
            next.damage = next.damage.around(present.damage);
            replaced.push(std::mem::replace(&mut present, next));
        }
        (present, replaced)
    }

    /// Waits, unless the swapchain goes.
    fn pause(&self, time: Duration) {
        let deadline = Instant::now() + time;
        let mut state = self.lock();
        while !self.is_closing() {
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            state = self.sleep(state, Some(left));
        }
    }

    /// Gives images back to the application.
    fn done(&self, presents: impl Iterator<Item = Present>, result: VkResult<bool>) {
        let mut state = self.lock();
        let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
        match result {
            _ if failed => {}
            Ok(true) => state.status = Ok(()),
            Ok(false) => state.status = Err(vk::Result::SUBOPTIMAL_KHR),
            Err(code) => state.status = Err(code),
        }
        for present in presents {
            state.shown = state.shown.max(present.id);
            // One that is shared stays with the application.
            if !SHARED.contains(&present.mode) {
                state.free.push_back(present.image);
            }
            if let Some(fence) = present.fence {
                fence.signal();
            }
        }
        drop(state);
        self.changed.notify_all();
    }
}

/// Vertical blanks, of which only the period is known.
struct Clock {
    period: Duration,
    /// The blank at which an image was last shown.
    last: Instant,
}

impl Clock {
    fn new(period: Duration) -> Clock {
        let now = Instant::now();
        Clock { period, last: now.checked_sub(period).unwrap_or(now) }
    }

    /// Waits until an image may be shown in this mode.
    fn tick(&mut self, mode: vk::PresentModeKHR, pause: impl FnOnce(Duration)) {
        use vk::PresentModeKHR as M;
        let since = self.last.elapsed();
        let blanks = since.as_nanos() / self.period.as_nanos().max(1);
        // The first blank that is still to come; at least one after that of the last image.
        let next = self.period * u32::try_from(blanks + 1).unwrap_or(u32::MAX);
        match mode {
            // Late already: at once.
            M::FIFO_RELAXED if blanks > 0 => self.last += since,
            M::FIFO | M::FIFO_RELAXED | FIFO_LATEST_READY => {
                pause(next.saturating_sub(since));
                self.last += next;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticks(ago: u32, mode: vk::PresentModeKHR) -> (Option<Duration>, Duration) {
        let period = Duration::from_secs(100);
        let last = Instant::now().checked_sub(period * ago / 2).expect("the host has been up for a while");
        let mut clock = Clock { period, last };
        let mut paused = None;
        clock.tick(mode, |time| paused = Some(time));
        (paused, clock.last - last)
    }

    /// Spec: Vulkan, VkPresentModeKHR.
    #[test]
    fn images_wait_for_blanks() {
        use vk::PresentModeKHR as M;
        let about = |time: Duration, secs: u64| time.as_secs().abs_diff(secs) <= 1;
        let (pause, last) = ticks(1, M::FIFO);
        assert!(about(pause.unwrap(), 50) && about(last, 100), "{pause:?} {last:?}");
        // One blank was missed: the next one.
        let (pause, last) = ticks(3, M::FIFO);
        assert!(about(pause.unwrap(), 50) && about(last, 200), "{pause:?} {last:?}");
        let (pause, last) = ticks(3, M::FIFO_RELAXED);
        assert!(pause.is_none() && about(last, 150), "{pause:?} {last:?}");
        let (pause, last) = ticks(1, M::FIFO_RELAXED);
        assert!(about(pause.unwrap(), 50) && about(last, 100), "{pause:?} {last:?}");
        assert_eq!(ticks(1, M::MAILBOX).0, None);
        assert_eq!(ticks(1, M::IMMEDIATE).0, None);
    }
}
