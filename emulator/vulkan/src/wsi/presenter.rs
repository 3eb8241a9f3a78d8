//! The thread of a swapchain: it waits until a presented image is rendered and due, shows it, and releases it.
//!
//! This module tracks which images are free, waiting to be shown, or acquired by the application. A [`Screen`] shows
//! them.

use std::collections::VecDeque;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ash::vk;
use quadrille::query::now;
use quadrille::{Device, Fence, Image, reserve};

use super::times::{Results, Wanted, stage};
use super::{Frame, Rect, SHARED, Screen};
use crate::interface::guard::{VkResult, check_lost, code, device_code};
use crate::newer::FIFO_LATEST_READY;

/// A presented image.
pub struct Present {
    /// Index of the image.
    pub image: u32,
    /// Number of the presentation in its swapchain.
    pub number: u64,
    /// Signaled when the image is rendered. Each presentation has its own, because presentations on several queues end
    /// in any order.
    pub rendered: Fence,
    /// Present mode.
    pub mode: vk::PresentModeKHR,
    /// Area that differs from the image presented before.
    pub damage: Rect,
    /// Present id for `vkWaitForPresentKHR`; 0 for none.
    pub id: u64,
    /// Times that the application asks for, and the time at which the image is due.
    pub timing: Wanted,
}

impl Present {
    /// Returns the next presentation of a continuously refreshed image of this size, if nothing else is presented. The
    /// application may have changed every texel.
    fn again(&self, size: [u32; 2]) -> Option<Present> {
        (self.mode == vk::PresentModeKHR::SHARED_CONTINUOUS_REFRESH).then(|| Present {
            damage: Rect::all(size),
            rendered: self.rendered.clone(),
            id: 0,
            timing: Wanted::default(),
            ..*self
        })
    }
}

struct State {
    /// Images that may be acquired, longest free first.
    free: VecDeque<u32>,
    /// Presented images, in order.
    waiting: VecDeque<Present>,
    /// `true` while the thread has an image that it has not shown yet.
    showing: bool,
    /// Fences of the last presentations, some of which may be unrendered.
    unrendered: VecDeque<Fence>,
    /// Suboptimal if the window had another size when an image was last shown; an error if it shows no more images.
    status: VkResult,
    /// `true` if another swapchain has taken the surface.
    retired: bool,
    /// Greatest present id of an image that was shown or replaced by a later one.
    shown: u64,
    /// Times of presentations.
    results: Results,
    /// `true` once the thread has ended.
    ended: bool,
}

struct Inner {
    device: Device,
    images: Vec<Image>,
    swap: bool,
    /// Time between vertical blanks, if it is known.
    period: Option<Duration>,
    state: Mutex<State>,
    changed: Condvar,
    /// `true` while the swapchain is being destroyed: all waits end.
    closing: AtomicBool,
}

/// The images of a swapchain, between the application and a screen.
pub struct Presenter {
    inner: Arc<Inner>,
    process: u32,
}

/// Interval between two showings of a continuously refreshed image.
const REFRESH: Duration = Duration::from_nanos(16_666_667);

/// Greatest duration of a wait before its condition is checked again. While the swapchain is being destroyed, images
/// that are not rendered after this time are not shown; valid usage ensures that all are.
const PATIENCE: Duration = Duration::from_millis(100);

/// Maximum number of presented images that may be unrendered when a presentation returns. With one, the application
/// prepares a frame while the device renders the frame before it.
const UNRENDERED: usize = 1;

/// Greatest duration of a presentation that waits for earlier images, and the number of times [`PATIENCE`] passes first if
/// the device does not work: then it waits for the host, which may be waiting for the presentation. Spec: Vulkan,
/// vkQueuePresentKHR: calls return in finite time.
const LONGEST: (Duration, u32) = (Duration::from_secs(10), 2);

impl Presenter {
    /// Starts the thread with all images free. `swap` is `true` if red and blue must be swapped.
    pub fn new(device: &Device, images: Vec<Image>, swap: bool, screen: Box<dyn Screen>) -> VkResult<Self> {
        let state = State {
            free: (0..images.len() as u32).collect(),
            waiting: VecDeque::new(),
            showing: false,
            unrendered: VecDeque::new(),
            status: Ok(()),
            retired: false,
            shown: 0,
            results: Results::default(),
            ended: false,
        };
        let inner = Arc::new(Inner {
            device: device.clone(),
            images,
            swap,
            period: screen.period(),
            state: Mutex::new(state),
            changed: Condvar::new(),
            closing: AtomicBool::new(false),
        });
        let of_thread = inner.clone();
        let work = move || of_thread.work(screen);
        reserve::thread("quadrille-present", reserve::STACK_BYTES, work).map_err(|e| code(&e))?;
        Ok(Presenter { inner, process: process::id() })
    }

    /// Time between vertical blanks, if it is known.
    pub fn period(&self) -> Option<Duration> {
        self.inner.period
    }

    /// Reads or changes the times of presentations.
    pub fn results<T>(&self, change: impl FnOnce(&mut Results) -> T) -> VkResult<T> {
        self.change(|state| change(&mut state.results))
    }

    /// Acquires the next image, with `SUBOPTIMAL` if the window has another size. Fails on a timeout and if the
    /// swapchain is retired or lost.
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

    /// Returns the state of the swapchain.
    pub fn status(&self) -> VkResult {
        let state = self.lock()?;
        if state.retired { Err(vk::Result::ERROR_OUT_OF_DATE_KHR) } else { state.status }
    }

    /// Releases an acquired image without showing it.
    pub fn release(&self, image: u32) -> VkResult {
        self.change(|state| state.free.push_back(image))
    }

    /// Queues an image to be shown, and returns the state of the swapchain.
    pub fn present(&self, present: Present) -> VkResult {
        if present.image as usize >= self.inner.images.len() {
            return Err(vk::Result::ERROR_UNKNOWN);
        }
        self.change(|state| {
            state.results.reserve(present.number, present.id, present.timing)?;
            state.unrendered.push_back(present.rendered.clone());
            state.waiting.push_back(present);
            state.status
        })?
    }

    /// Waits until at most [`UNRENDERED`] presented images are unrendered. Without this wait, slow frames would queue
    /// up until an acquisition waits for all of them; programs bound the time of an acquisition, but not of a
    /// presentation. The wait ends after [`LONGEST`].
    pub fn wait_for_room(&self) -> VkResult {
        let (begin, device, mut idle) = (Instant::now(), &self.inner.device, 0);
        while let Some(rendered) = self.excess()? {
            while !rendered.wait(Some(PATIENCE)).map_err(|e| device_code(device, &e))? {
                check_lost(device)?;
                idle = if device.is_working() { 0 } else { idle + 1 };
                if idle == LONGEST.1 || begin.elapsed() >= LONGEST.0 {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Removes and returns the oldest of more than [`UNRENDERED`] fences of presentations.
    fn excess(&self) -> VkResult<Option<Fence>> {
        let mut state = self.lock()?;
        Ok(if state.unrendered.len() > UNRENDERED { state.unrendered.pop_front() } else { None })
    }

    /// Waits until an image with this present id or a later one was shown.
    pub fn wait_shown(&self, id: u64, timeout: Option<Duration>) -> VkResult {
        self.wait(timeout, vk::Result::TIMEOUT, |state| {
            let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            (state.shown >= id).then_some(Ok(())).or_else(|| failed.then_some(state.status))
        })?
    }

    /// Ends acquisition of images, because another swapchain takes the surface.
    pub fn retire(&self) {
        let _ = self.change(|state| state.retired = true);
    }

    /// `true` if no presented image waits to be shown.
    pub fn is_idle(&self) -> bool {
        self.lock().is_ok_and(|state| state.waiting.is_empty() && !state.showing)
    }

    /// `true` if another swapchain has taken the surface, or was to take it.
    pub fn is_retired(&self) -> bool {
        self.lock().is_ok_and(|state| state.retired)
    }

    /// Shows the images that are rendered, without further waits, and ends the thread.
    pub fn close(&self) {
        let Ok(mut state) = self.lock() else { return };
        self.inner.closing.store(true, Ordering::Relaxed);
        self.inner.changed.notify_all();
        while !state.ended {
            state = self.inner.sleep(state, None);
        }
    }

    /// Takes the lock. Fails in a child of the process that made the swapchain, where the lock may be held forever.
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

    /// Waits until `answer` returns a value; fails with `over` after the timeout.
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
            // The loss of the device does not wake this wait.
            check_lost(&self.inner.device)?;
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

    /// Waits for a change of the state, or until `time` has passed.
    fn sleep<'a>(&self, state: MutexGuard<'a, State>, time: Option<Duration>) -> MutexGuard<'a, State> {
        match time {
            None => self.changed.wait(state).unwrap_or_else(|e| e.into_inner()),
            Some(t) => self.changed.wait_timeout(state, t).unwrap_or_else(|e| e.into_inner()).0,
        }
    }

    fn is_closing(&self) -> bool {
        self.closing.load(Ordering::Relaxed)
    }

    /// Body of the thread.
    fn work(&self, mut screen: Box<dyn Screen>) {
        let shown = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| self.show_all(screen.as_mut())));
        // The application may destroy the window as soon as the thread has ended.
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
        let mut clock = self.period.map(Clock::new);
        let (mut again, mut last) = (None, None);
        while let Some(present) = self.next(again) {
            again = present.again(self.frame(&present).size());
            let rendered = self.wait_rendered(&present);
            self.reach(&present, stage::RENDERED, present.rendered.signaled_at());
            self.pause(present.timing.wait(last, self.period));
            let waits_first = present.mode == FIFO_LATEST_READY;
            if waits_first && let Some(clock) = &mut clock {
                clock.tick(present.mode, |time| self.pause(time));
            }
            let (mut present, replaced) = self.latest(present);
            // The images that replace others are rendered, too. A stage is reached once.
            for image in replaced.iter().chain([&present]) {
                self.reach(image, stage::RENDERED, image.rendered.signaled_at());
            }
            let lost = matches!(self.lock().status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            let result = match rendered {
                Ok(true) if !lost => {
                    if let Some(clock) = clock.as_mut().filter(|_| !waits_first) {
                        clock.tick(present.mode, |time| self.pause(time));
                    }
                    if last.is_none() {
                        // No earlier image of the swapchain is shown, from which only a region could differ.
                        present.damage = Rect::all(self.frame(&present).size());
                    }
                    self.reach(&present, stage::DEQUEUED, now());
                    let shown = screen.show(&self.frame(&present));
                    let out = now();
                    self.reach(&present, stage::OUT, out);
                    last = Some(out);
                    shown
                }
                Ok(_) => Ok(true),
                Err(code) => Err(code),
            };
            self.done(replaced.into_iter().chain([present]), result);
        }
    }

    /// Records that a presentation reached a stage.
    fn reach(&self, present: &Present, stage: u32, time: u64) {
        if present.timing.asks() {
            self.lock().results.reach(present.number, stage, time);
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

    /// Returns the next presented image, or `again` when it is due, unless another swapchain has taken the surface;
    /// `None` when there is none and the swapchain is being destroyed.
    fn next(&self, again: Option<Present>) -> Option<Present> {
        let deadline = again.as_ref().map(|_| Instant::now() + REFRESH);
        let mut state = self.lock();
        loop {
            if let Some(present) = state.waiting.pop_front() {
                state.showing = true;
                return Some(present);
            }
            if self.is_closing() {
                return None;
            }
            let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
            let ended = failed || state.retired;
            let left = deadline.filter(|_| !ended).map(|d| d.saturating_duration_since(Instant::now()));
            if left.is_some_and(|left| left.is_zero()) {
                return again;
            }
            state = self.sleep(state, left);
        }
    }

    /// Waits until the image is rendered. Returns `false` if the swapchain is being destroyed first.
    fn wait_rendered(&self, present: &Present) -> VkResult<bool> {
        loop {
            let closing = self.is_closing();
            let done = present.rendered.wait(Some(PATIENCE)).map_err(|e| device_code(&self.device, &e))?;
            if done || closing {
                return Ok(done);
            }
        }
    }

    /// Returns the image to show instead of `present`, and the images it replaces: in mailbox mode, in FIFO_LATEST_READY
    /// mode and in shared modes, the latest one that is rendered and due.
    fn latest(&self, mut present: Present) -> (Present, Vec<Present>) {
        let mut replaced = Vec::new();
        let mut state = self.lock();
        let ready = |p: &Present, of: vk::PresentModeKHR| {
            is_replaced(of, p.mode)
                && p.timing.may_replace(self.period)
                && matches!(p.rendered.status(), Ok(true))
        };
        while state.waiting.front().is_some_and(|p| ready(p, present.mode))
            && let Some(mut next) = state.waiting.pop_front()
        {
            next.damage = next.damage.around(present.damage);
            replaced.push(std::mem::replace(&mut present, next));
        }
        (present, replaced)
    }

    /// Waits, unless the swapchain is being destroyed.
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

    /// Releases images and records the result of showing the last one.
    fn done(&self, presents: impl Iterator<Item = Present>, result: VkResult<bool>) {
        let mut state = self.lock();
        state.showing = false;
        let failed = matches!(state.status, Err(code) if code != vk::Result::SUBOPTIMAL_KHR);
        match result {
            _ if failed => {}
            Ok(true) => state.status = Ok(()),
            Ok(false) => state.status = Err(vk::Result::SUBOPTIMAL_KHR),
            Err(code) => state.status = Err(code),
        }
        for present in presents {
            state.shown = state.shown.max(present.id);
            // Images that were not shown skip the other stages.
            state.results.reach(present.number, stage::ALL, 0);
            // A shared image stays with the application.
            if !SHARED.contains(&present.mode) {
                state.free.push_back(present.image);
            }
        }
        drop(state);
        self.changed.notify_all();
    }
}

/// Returns `true` if a waiting image is not shown when one presented after it, in the mode `by`, is ready. Spec:
/// Vulkan, VkPresentModeKHR and VkSwapchainPresentModeInfoKHR.
fn is_replaced(mode: vk::PresentModeKHR, by: vk::PresentModeKHR) -> bool {
    use vk::PresentModeKHR as M;
    match mode {
        M::MAILBOX => [M::MAILBOX, M::FIFO, M::FIFO_RELAXED, FIFO_LATEST_READY].contains(&by),
        // Images that are queued in FIFO modes are shown before the first of another mode.
        FIFO_LATEST_READY => by == FIFO_LATEST_READY,
        // It is the same image, whose latest contents are shown.
        M::SHARED_DEMAND_REFRESH | M::SHARED_CONTINUOUS_REFRESH => SHARED.contains(&by),
        _ => false,
    }
}

/// A clock of vertical blanks of which only the period is known.
struct Clock {
    period: Duration,
    /// Blank at which an image was last shown.
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
        // Time of the next blank, at least one after that of the last image.
        let next = self.period * u32::try_from(blanks + 1).unwrap_or(u32::MAX);
        match mode {
            // The image missed a blank: it is shown at once.
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

    /// Presentations of a shared image that wait are shown at once; otherwise, a program that presents faster than the window
    /// system shows would make the list of them grow without bound. Spec: Vulkan, VkPresentModeKHR.
    #[test]
    fn shared_images_are_shown_once() {
        use vk::PresentModeKHR as M;
        for mode in SHARED {
            assert!(is_replaced(mode, mode), "{mode:?}");
            assert!(!is_replaced(mode, M::FIFO) && !is_replaced(M::FIFO, mode), "{mode:?}");
        }
        assert!(is_replaced(M::MAILBOX, M::FIFO) && !is_replaced(M::FIFO, M::MAILBOX));
    }

    /// Images wait for blanks in FIFO modes. Spec: Vulkan, VkPresentModeKHR.
    #[test]
    fn images_wait_for_blanks() {
        use vk::PresentModeKHR as M;
        let about = |time: Duration, secs: u64| time.as_secs().abs_diff(secs) <= 1;
        let (pause, last) = ticks(1, M::FIFO);
        assert!(about(pause.unwrap(), 50) && about(last, 100), "{pause:?} {last:?}");
        // After a missed blank, FIFO waits for the next one.
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
