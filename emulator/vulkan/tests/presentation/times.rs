//! Times of presentations, and the order and modes in which images are shown, which the times tell.
//!
//! Spec: Vulkan, VK_EXT_present_timing.

use std::ffi::c_void;

use ash::vk;

use crate::common::window::{Chain, Windows, pattern};
use crate::{PresentId2, SIZE, release};

/// VkPresentTimingInfoEXT and VkPresentTimingsInfoEXT.
#[repr(C)]
struct TimingInfo {
    ty: vk::StructureType,
    next: *const c_void,
    flags: u32,
    target: u64,
    domain: u64,
    queries: u32,
    stage: u32,
}

#[repr(C)]
struct TimingInfos {
    ty: vk::StructureType,
    next: *const c_void,
    swapchains: u32,
    infos: *const TimingInfo,
}

/// VkPresentStageTimeEXT.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct StageTime {
    stage: u32,
    time: u64,
}

/// VkPastPresentationTimingEXT, VkPastPresentationTimingInfoEXT and VkPastPresentationTimingPropertiesEXT.
#[repr(C)]
struct PastTiming {
    ty: vk::StructureType,
    next: *mut c_void,
    id: u64,
    target: u64,
    stages: u32,
    times: *mut StageTime,
    domain: vk::TimeDomainKHR,
    domain_id: u64,
    complete: vk::Bool32,
}

#[repr(C)]
struct PastInfo {
    ty: vk::StructureType,
    next: *const c_void,
    flags: u32,
    swapchain: vk::SwapchainKHR,
}

#[repr(C)]
struct PastProperties {
    ty: vk::StructureType,
    next: *mut c_void,
    counters: [u64; 2],
    count: u32,
    timings: *mut PastTiming,
}

type Resize = unsafe extern "system" fn(vk::Device, vk::SwapchainKHR, u32) -> vk::Result;
type Past = unsafe extern "system" fn(vk::Device, *const PastInfo, *mut PastProperties) -> vk::Result;

/// Flags of a swapchain whose presentations have ids and times.
fn flags() -> vk::SwapchainCreateFlagsKHR {
    vk::SwapchainCreateFlagsKHR::from_raw(1 << 6 | 1 << 9)
}

/// Time at which an image is due, in nanoseconds.
#[derive(Clone, Copy)]
enum Due {
    /// After the image before it; 0 for any time.
    After(u64),
    /// On the clock of the stage that [`OUT`] names.
    At(u64),
}

/// VK_PRESENT_STAGE_IMAGE_FIRST_PIXEL_OUT_BIT_EXT, and its index among the times.
const OUT: (u32, usize) = (4, 2);

/// FIFO_LATEST_READY.
const LATEST_READY: vk::PresentModeKHR = vk::PresentModeKHR::from_raw(1_000_361_000);

/// A swapchain whose presentations have times.
struct Timed<'a> {
    device: vk::Device,
    chain: &'a Chain<'a>,
    resize: Resize,
    past: Past,
}

impl<'a> Timed<'a> {
    fn new(on: &Windows, chain: &'a Chain<'a>) -> Timed<'a> {
        let device = on.gpu.device.handle();
        // SAFETY: the commands have the transmuted types in the specification.
        let (resize, past) = unsafe {
            let command =
                |name: &std::ffi::CStr| on.gpu.instance.get_device_proc_addr(device, name.as_ptr()).unwrap();
            let (a, b) = (c"vkSetSwapchainPresentTimingQueueSizeEXT", c"vkGetPastPresentationTimingEXT");
            (
                std::mem::transmute::<unsafe extern "system" fn(), Resize>(command(a)),
                std::mem::transmute::<unsafe extern "system" fn(), Past>(command(b)),
            )
        };
        Timed { device, chain, resize, past }
    }

    /// Makes room for the times of presentations.
    fn room(&self, count: u32) {
        // SAFETY: valid usage of Vulkan: the swapchain is live and was made for times.
        assert_eq!(unsafe { (self.resize)(self.device, self.chain.handle, count) }, vk::Result::SUCCESS);
    }

    /// Presents a drawn image whose id is `frame`, in another mode if one is given. Returns the image and the result.
    fn present(
        &self,
        frame: u64,
        due: Due,
        mode: Option<vk::PresentModeKHR>,
    ) -> (u32, Result<bool, vk::Result>) {
        let (image, _) = self.chain.acquire().unwrap();
        self.chain.draw(image, &pattern(SIZE, frame as u32));
        let ids = [frame];
        let (flags, target) = match due {
            Due::After(time) => (1, time),
            Due::At(time) => (0, time),
        };
        let info = TimingInfo {
            ty: vk::StructureType::from_raw(1_000_208_004),
            next: std::ptr::null(),
            flags,
            target,
            domain: 0,
            queries: 15,
            stage: OUT.0,
        };
        let ty = vk::StructureType::from_raw(1_000_479_001);
        let mut id = PresentId2 { ty, next: std::ptr::null(), swapchains: 1, ids: ids.as_ptr() };
        let ty = vk::StructureType::from_raw(1_000_208_003);
        let mut infos = TimingInfos { ty, next: std::ptr::null(), swapchains: 1, infos: &raw const info };
        let modes = [mode.unwrap_or_default()];
        let mut switch = vk::SwapchainPresentModeInfoEXT::default().present_modes(&modes);
        let result = self.chain.present_with(image, |mut info| {
            if mode.is_some() {
                info = info.push_next(&mut switch);
            }
            id.next = info.p_next;
            infos.next = (&raw const id).cast();
            info.p_next = (&raw const infos).cast();
            info
        });
        (image, result)
    }

    /// Asks for the results of at most `count` presentations, or for their number.
    fn ask(&self, count: u32, timings: *mut PastTiming) -> (vk::Result, u32) {
        let ty = vk::StructureType::from_raw(1_000_208_005);
        let info = PastInfo { ty, next: std::ptr::null(), flags: 0, swapchain: self.chain.handle };
        let ty = vk::StructureType::from_raw(1_000_208_006);
        let mut out = PastProperties { ty, next: std::ptr::null_mut(), counters: [0; 2], count, timings };
        // SAFETY: valid usage of Vulkan: the structures and the lists in them outlive the call.
        (unsafe { (self.past)(self.device, &info, &mut out) }, out.count)
    }

    /// Waits for the results of `N` presentations, and returns them with the times of their stages.
    fn results<const N: usize>(&self) -> ([PastTiming; N], [[StageTime; 4]; N]) {
        while self.ask(0, std::ptr::null_mut()) != (vk::Result::SUCCESS, N as u32) {
            std::thread::yield_now();
        }
        let mut times = [[StageTime::default(); 4]; N];
        let mut timings = times.each_mut().map(|times| PastTiming {
            ty: vk::StructureType::from_raw(1_000_208_007),
            next: std::ptr::null_mut(),
            id: 0,
            target: 0,
            stages: 4,
            times: times.as_mut_ptr(),
            domain: vk::TimeDomainKHR::DEVICE,
            domain_id: 9,
            complete: 0,
        });
        assert_eq!(self.ask(N as u32, timings.as_mut_ptr()), (vk::Result::SUCCESS, N as u32));
        assert_eq!(self.ask(N as u32, timings.as_mut_ptr()), (vk::Result::SUCCESS, 0), "given once");
        (timings, times)
    }
}

/// Times of two presentations, the second 80 ms after the first: the stages are in order, one that the surface does not
/// time is 0, and an image is not shown before its time.
#[test]
fn presentations_have_times() {
    const DELAY: u64 = 80_000_000;
    let on = Windows::new();
    let surface = on.headless();
    let chain = on.chain(&Windows::info(surface, SIZE).flags(flags())).unwrap();
    let timed = Timed::new(&on, &chain);
    let (image, full) = timed.present(9, Due::After(0), None);
    assert_eq!(full, Err(vk::Result::from_raw(-1_000_208_000)), "no place for results");
    release(&on, &chain, &[image]);
    timed.room(2);
    timed.present(1, Due::After(0), None).1.unwrap();
    timed.present(2, Due::After(DELAY), None).1.unwrap();
    let (timings, times) = timed.results::<2>();
    assert_eq!(
        [(timings[0].id, timings[0].target), (timings[1].id, timings[1].target)],
        [(1, 0), (2, DELAY)]
    );
    for (timing, times) in timings.iter().zip(&times) {
        assert_eq!((timing.stages, timing.domain_id, timing.complete), (4, 0, vk::TRUE));
        assert_eq!(times.map(|t| t.stage), [1, 2, 4, 8]);
        let (shown, visible) = (&times[..3], times[3]);
        assert!(shown[0].time > 0 && shown.is_sorted_by_key(|t| t.time), "{:?}", times.map(|t| t.time));
        assert_eq!(visible.time, 0, "a surface does not time this stage");
    }
    assert!(times[1][1].time >= times[0][2].time + DELAY);
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// A presentation without a place for its times fails, but its queue operations take place. Spec: Vulkan,
/// vkQueuePresentKHR, VK_ERROR_PRESENT_TIMING_QUEUE_FULL_EXT.
#[test]
fn fences_are_signaled_without_a_place_for_times() {
    let on = Windows::new();
    let surface = on.headless();
    let chain = on.chain(&Windows::info(surface, SIZE).flags(flags())).unwrap();
    let (image, _) = chain.acquire().unwrap();
    chain.draw(image, &pattern(SIZE, 1));
    let info = TimingInfo {
        ty: vk::StructureType::from_raw(1_000_208_004),
        next: std::ptr::null(),
        flags: 0,
        target: 0,
        domain: 0,
        queries: 1,
        stage: OUT.0,
    };
    let ty = vk::StructureType::from_raw(1_000_208_003);
    let mut infos = TimingInfos { ty, next: std::ptr::null(), swapchains: 1, infos: &raw const info };
    let fences = [chain.fence()];
    let mut done = vk::SwapchainPresentFenceInfoEXT::default().fences(&fences);
    let result = chain.present_with(image, |info| {
        let mut info = info.push_next(&mut done);
        infos.next = info.p_next;
        info.p_next = (&raw const infos).cast();
        info
    });
    assert_eq!(result, Err(vk::Result::from_raw(-1_000_208_000)));
    // SAFETY: valid usage of Vulkan: the fence is live, and signaled when it is destroyed.
    unsafe {
        on.gpu.device.wait_for_fences(&fences, true, 10_000_000_000).unwrap();
        on.gpu.device.destroy_fence(fences[0], None);
    }
    release(&on, &chain, &[image]);
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// A mode holds for the presentation that states it and for later ones, but not for those that are queued already.
/// While the second image waits for its time, two follow in FIFO mode and two in MAILBOX mode, of which the last
/// replaces the one before; one in FIFO mode replaces that. Spec: Vulkan, VkSwapchainPresentModeInfoKHR.
#[test]
fn modes_hold_until_the_next_change() {
    const DELAY: u64 = 500_000_000;
    let on = Windows::new();
    let surface = on.headless();
    let modes = [vk::PresentModeKHR::FIFO, vk::PresentModeKHR::MAILBOX];
    let mut listed = vk::SwapchainPresentModesCreateInfoEXT::default().present_modes(&modes);
    let info = Windows::info(surface, SIZE).min_image_count(7).flags(flags()).push_next(&mut listed);
    let chain = on.chain(&info).unwrap();
    let timed = Timed::new(&on, &chain);
    timed.room(7);
    for frame in 1..=7 {
        let due = Due::After(if frame == 2 { DELAY } else { 0 });
        let mode = match frame {
            5 => Some(modes[1]),
            7 => Some(modes[0]),
            _ => None,
        };
        timed.present(frame, due, mode).1.unwrap();
    }
    let (_, times) = timed.results::<7>();
    let out = times.map(|stages| stages[OUT.1].time);
    assert_eq!(out.map(|time| time != 0), [true, true, true, true, false, false, true], "{out:?}");
    assert!(out[1] >= out[0] + DELAY && out[..4].is_sorted() && out[3] <= out[6], "{out:?}");
    // The queue operations of an image end even if the image is not shown.
    let rendered = times.map(|stages| stages[0].time);
    assert!(rendered.iter().all(|&time| time > 0) && rendered[6] <= out[6], "{rendered:?}");
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// The latest image that is ready is also due: two images whose times are 300 ms apart, both queued before these
/// times, are shown one after the other. Spec: Vulkan, VkPresentModeKHR, VK_PRESENT_MODE_FIFO_LATEST_READY_KHR.
#[test]
fn images_that_are_not_due_replace_none() {
    const DELAY: u64 = 300_000_000;
    let on = Windows::new();
    let surface = on.headless();
    let info = Windows::info(surface, SIZE).present_mode(LATEST_READY).flags(flags());
    let chain = on.chain(&info).unwrap();
    let timed = Timed::new(&on, &chain);
    timed.room(2);
    timed.present(1, Due::After(0), None).1.unwrap();
    let start = timed.results::<1>().1[0][OUT.1].time;
    for frame in 1..=2 {
        timed.present(frame + 1, Due::At(start + frame * DELAY), None).1.unwrap();
    }
    // SAFETY: valid usage of Vulkan: the device is live.
    unsafe { on.gpu.device.device_wait_idle() }.unwrap();
    let idle = quadrille::query::now();
    let (_, times) = timed.results::<2>();
    let out = times.map(|stages| stages[OUT.1].time);
    assert!(out[0] >= start + DELAY && out[1] >= start + 2 * DELAY, "{start} {out:?}");
    // The queue operations of both have ended, although the second waits for the first.
    let rendered = times.map(|stages| stages[0].time);
    assert!(rendered.iter().all(|time| (start..=idle).contains(time)), "{start} {idle} {rendered:?}");
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}
