//! Presentations to headless surfaces, with times at which images are due and were shown.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};

use ash::prelude::VkResult;
use ash::vk;

use super::World;
use crate::cost::PATIENCE;

/// Extensions of the instance.
pub(super) const OF_INSTANCE: [&CStr; 3] =
    [ash::khr::surface::NAME, ash::khr::get_surface_capabilities2::NAME, ash::ext::headless_surface::NAME];
pub(super) const EXTENSIONS: [&CStr; 4] = [
    ash::khr::swapchain::NAME,
    c"VK_KHR_present_id2",
    ash::khr::calibrated_timestamps::NAME,
    c"VK_EXT_present_timing",
];

/// Flags of swapchains whose presentations have ids and times.
const FLAGS: vk::SwapchainCreateFlagsKHR = vk::SwapchainCreateFlagsKHR::from_raw(1 << 6 | 1 << 9);
/// Stages of a presentation that headless surfaces time: the end of the queue operations, the request of the image, and its
/// first pixel.
const STAGES: [u32; 3] = [1, 2, 4];
/// Index of the first pixel among them.
const OUT: usize = 2;
/// VK_PRESENT_TIMING_INFO_PRESENT_AT_RELATIVE_TIME_BIT_EXT.
const RELATIVE: u32 = 1;

/// VkPresentTimingInfoEXT.
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

/// VkPresentTimingsInfoEXT and VkPresentId2KHR.
#[repr(C)]
struct Listed<T> {
    ty: vk::StructureType,
    next: *const c_void,
    swapchains: u32,
    list: *const T,
}

/// VkPresentStageTimeEXT.
#[repr(C)]
#[derive(Clone, Copy, Default)]
struct StageTime {
    stage: u32,
    time: u64,
}

/// VkPastPresentationTimingEXT.
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

/// VkPastPresentationTimingInfoEXT.
#[repr(C)]
struct PastInfo {
    ty: vk::StructureType,
    next: *const c_void,
    flags: u32,
    swapchain: vk::SwapchainKHR,
}

/// VkPastPresentationTimingPropertiesEXT.
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

/// Commands of surfaces and swapchains.
pub(super) struct Presentations {
    surface: ash::khr::surface::Instance,
    headless: ash::ext::headless_surface::Instance,
    swapchain: ash::khr::swapchain::Device,
    resize: Resize,
    past: Past,
}

impl Presentations {
    pub(super) fn new(
        entry: &ash::Entry,
        instance: &ash::Instance,
        device: &ash::Device,
    ) -> Option<Presentations> {
        // SAFETY: the handles are live, and the device has the extension, whose commands have these types.
        let (resize, past) = unsafe {
            let get = |name: &CStr| instance.get_device_proc_addr(device.handle(), name.as_ptr());
            let resize = get(c"vkSetSwapchainPresentTimingQueueSizeEXT")?;
            let past = get(c"vkGetPastPresentationTimingEXT")?;
            (
                std::mem::transmute::<unsafe extern "system" fn(), Resize>(resize),
                std::mem::transmute::<unsafe extern "system" fn(), Past>(past),
            )
        };
        Some(Presentations {
            surface: ash::khr::surface::Instance::new(entry, instance),
            headless: ash::ext::headless_surface::Instance::new(entry, instance),
            swapchain: ash::khr::swapchain::Device::new(instance, device),
            resize,
            past,
        })
    }
}

/// A presentation whose results are due.
#[derive(Clone, Copy)]
struct Pending {
    id: u64,
    /// Time after the presentation before it, in nanoseconds; 0 for any time.
    after: u64,
    /// Bits of the stages whose times are wanted.
    queries: u32,
}

/// A swapchain, and what is known of its presentations.
struct Chain {
    handle: vk::SwapchainKHR,
    images: Vec<vk::Image>,
    fence: vk::Fence,
    /// Number of presentations whose results it keeps.
    room: usize,
    pending: Vec<Pending>,
    /// `true` if every image is shown, in order.
    shows_all: bool,
    /// Time of the first pixel of the last image, if it was wanted.
    shown: Option<u64>,
}

impl World<'_> {
    /// Presents some images to a new surface, and checks the times of their stages.
    pub(super) fn present_some(&mut self) {
        let commands = &self.shared.client.presentations;
        let info = vk::HeadlessSurfaceCreateInfoEXT::default();
        // SAFETY: the instance is live and has the extension.
        let surface = unsafe { commands.headless.create_headless_surface(&info, None) };
        let Some(surface) = self.judge("vkCreateHeadlessSurfaceEXT", surface) else { return };
        if let Some(mut chain) = self.chain(surface) {
            for id in 1..=1 + self.r.below(6) as u64 {
                if self.failure.is_some() || !self.present(&mut chain, id) {
                    break;
                }
            }
            if self.failure.is_none() {
                self.drain(&mut chain);
            }
            self.end_chain(&chain);
        }
        // SAFETY: the surface has no swapchain any more.
        unsafe { commands.surface.destroy_surface(surface, None) };
    }

    fn chain(&mut self, surface: vk::SurfaceKHR) -> Option<Chain> {
        let client = &self.shared.client;
        let commands = &client.presentations;
        // SAFETY: the surface is live.
        let modes =
            unsafe { commands.surface.get_physical_device_surface_present_modes(client.physical, surface) };
        let mut modes = self.judge("vkGetPhysicalDeviceSurfacePresentModesKHR", modes)?;
        use vk::PresentModeKHR as M;
        modes.retain(|mode| [M::FIFO, M::FIFO_RELAXED, M::MAILBOX, M::IMMEDIATE].contains(mode));
        let mode = *modes.get(self.index(modes.len())?)?;
        let extent = [(); 2].map(|()| 1 + self.r.below(40) as u32);
        let info = vk::SwapchainCreateInfoKHR::default()
            .flags(FLAGS)
            .surface(surface)
            .min_image_count(2 + self.r.below(3) as u32)
            .image_format(vk::Format::B8G8R8A8_UNORM)
            .image_extent(vk::Extent2D { width: extent[0], height: extent[1] })
            .image_array_layers(1)
            .image_usage(vk::ImageUsageFlags::TRANSFER_DST)
            .pre_transform(vk::SurfaceTransformFlagsKHR::IDENTITY)
            .composite_alpha(vk::CompositeAlphaFlagsKHR::OPAQUE)
            .present_mode(mode);
        // SAFETY: the surface is live, and supports the parameters.
        let handle = unsafe { commands.swapchain.create_swapchain(&info, None) };
        let handle = self.judge("vkCreateSwapchainKHR", handle)?;
        let room = 1 + self.r.below(4);
        let d = self.device();
        // SAFETY: the swapchain is live and was made for times.
        let (images, fence, resized) = unsafe {
            (
                commands.swapchain.get_swapchain_images(handle),
                d.create_fence(&vk::FenceCreateInfo::default(), None),
                (commands.resize)(d.handle(), handle, room as u32).result(),
            )
        };
        let images = self.judge("vkGetSwapchainImagesKHR", images).unwrap_or_default();
        let fence = self.judge("vkCreateFence", fence).unwrap_or_default();
        self.judge("vkSetSwapchainPresentTimingQueueSizeEXT", resized);
        let shows_all = [M::FIFO, M::FIFO_RELAXED].contains(&mode);
        Some(Chain { handle, images, fence, room, pending: Vec::new(), shows_all, shown: None })
    }

    fn end_chain(&mut self, chain: &Chain) {
        let d = self.device();
        // SAFETY: the work of this program is done; the presentation engine ends its own when the swapchain is destroyed.
        unsafe {
            self.shared.client.presentations.swapchain.destroy_swapchain(chain.handle, None);
            d.destroy_fence(chain.fence, None);
        }
    }

    /// Acquires an image.
    fn acquire(&mut self, chain: &Chain) -> Option<u32> {
        let (d, commands) = (self.device(), &self.shared.client.presentations);
        let acquired = patient(|time| {
            let none = vk::Semaphore::null();
            // SAFETY: the swapchain and the fence are live, and the fence is unsignaled.
            match unsafe { commands.swapchain.acquire_next_image(chain.handle, time, none, chain.fence) } {
                Err(vk::Result::TIMEOUT) => Ok(None),
                other => other.map(|(image, _)| Some(image)),
            }
        });
        let image = self.judge("vkAcquireNextImageKHR", acquired)?;
        let signaled = patient(|time| {
            // SAFETY: the fence is live.
            match unsafe { d.wait_for_fences(&[chain.fence], true, time) } {
                Err(vk::Result::TIMEOUT) => Ok(None),
                other => other.map(Some),
            }
        });
        // SAFETY: nothing signals the fence any more.
        let reset = signaled.and_then(|()| unsafe { d.reset_fences(&[chain.fence]) });
        self.judge("vkResetFences", reset).map(|()| image)
    }

    /// Presents a cleared image, for whose results there is room.
    fn present(&mut self, chain: &mut Chain, id: u64) -> bool {
        if chain.pending.len() == chain.room || self.r.one_in(4) {
            self.drain(chain);
        }
        let Some(image) = self.acquire(chain) else { return false };
        self.clear_for_present(chain.images[image as usize]);
        let after = if self.r.one_in(3) { 1 + self.r.below(2_000_000) as u64 } else { 0 };
        let queries = STAGES.iter().filter(|_| self.r.one_in(2)).fold(STAGES[OUT], |all, one| all | one);
        let info = TimingInfo {
            ty: vk::StructureType::from_raw(1_000_208_004),
            next: std::ptr::null(),
            flags: RELATIVE,
            target: after,
            domain: 0,
            queries,
            stage: STAGES[OUT],
        };
        let ids = Listed {
            ty: vk::StructureType::from_raw(1_000_479_001),
            next: std::ptr::null(),
            swapchains: 1,
            list: &raw const id,
        };
        let times = Listed {
            ty: vk::StructureType::from_raw(1_000_208_003),
            next: (&raw const ids).cast(),
            swapchains: 1,
            list: &raw const info,
        };
        let (chains, images) = ([chain.handle], [image]);
        let mut info = vk::PresentInfoKHR::default().swapchains(&chains).image_indices(&images);
        info.p_next = (&raw const times).cast();
        let client = &self.shared.client;
        let lock = client.queue_lock.lock().unwrap_or_else(|e| e.into_inner());
        // SAFETY: the image was acquired and its commands have completed; the lock keeps other threads off the queue.
        let done = unsafe { client.presentations.swapchain.queue_present(client.queue, &info) };
        drop(lock);
        chain.pending.push(Pending { id, after, queries });
        self.judge("vkQueuePresentKHR", done).is_some()
    }

    /// Clears an image, and moves it to the layout of presentations.
    fn clear_for_present(&mut self, image: vk::Image) {
        let color = vk::ClearColorValue { float32: [(); 4].map(|()| self.r.below(256) as f32 / 255.0) };
        let range = vk::ImageSubresourceRange {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            level_count: 1,
            layer_count: 1,
            ..Default::default()
        };
        let write = vk::AccessFlags::TRANSFER_WRITE;
        let (general, shown) = (vk::ImageLayout::GENERAL, vk::ImageLayout::PRESENT_SRC_KHR);
        let barrier = vk::ImageMemoryBarrier::default()
            .src_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .dst_queue_family_index(vk::QUEUE_FAMILY_IGNORED)
            .image(image)
            .subresource_range(range);
        let before = [barrier.dst_access_mask(write).new_layout(general)];
        let after = [barrier.src_access_mask(write).old_layout(general).new_layout(shown)];
        let (all, none) = (vk::PipelineStageFlags::ALL_COMMANDS, vk::DependencyFlags::empty());
        self.run_once(|d, c| {
            // SAFETY: recording has begun, and the image was acquired.
            unsafe {
                d.cmd_pipeline_barrier(c, all, all, none, &[], &[], &before);
                d.cmd_clear_color_image(c, image, general, &color, &[range]);
                d.cmd_pipeline_barrier(c, all, all, none, &[], &[], &after);
            }
        });
    }

    /// Waits for the results of all presentations, and checks them.
    fn drain(&mut self, chain: &mut Chain) {
        let all = chain.pending.len();
        let device = self.device().handle();
        let past = self.shared.client.presentations.past;
        let (ty, swapchain) = (vk::StructureType::from_raw, chain.handle);
        let ask = |timings: &mut [PastTiming]| {
            let info = PastInfo { ty: ty(1_000_208_005), next: std::ptr::null(), flags: 0, swapchain };
            let list = if timings.is_empty() { std::ptr::null_mut() } else { timings.as_mut_ptr() };
            let (next, count) = (std::ptr::null_mut(), timings.len() as u32);
            let mut out =
                PastProperties { ty: ty(1_000_208_006), next, counters: [0; 2], count, timings: list };
            // SAFETY: the swapchain is live, and the list has as many structures as the count says.
            (unsafe { past(device, &info, &mut out) }, out.count as usize)
        };
        let arrived = PATIENCE.wait(|time| match ask(&mut []) {
            (vk::Result::SUCCESS, count) if count >= all => Ok(true),
            (vk::Result::SUCCESS, _) => {
                std::thread::sleep(time.min(std::time::Duration::from_micros(200)));
                Ok(false)
            }
            (code, _) => Err(code),
        });
        let arrived = arrived.and_then(|over| if over { Ok(()) } else { Err(vk::Result::TIMEOUT) });
        if self.judge("vkGetPastPresentationTimingEXT", arrived).is_none() {
            return;
        }
        // All at once, or in two parts.
        let first = if all > 1 && self.r.one_in(2) { 1 + self.r.below(all - 1) } else { all };
        for count in [first, all - first].into_iter().filter(|&count| count > 0) {
            let mut times = vec![[StageTime::default(); STAGES.len()]; count];
            let mut timings: Vec<PastTiming> = times.iter_mut().map(room_for).collect();
            let (code, found) = ask(&mut timings);
            let more = chain.pending.len() > count;
            let wanted = if more { vk::Result::INCOMPLETE } else { vk::Result::SUCCESS };
            if (code, found) != (wanted, count) {
                self.fail(format!(
                    "times of {count} of {} presentations: {found}, {code}",
                    chain.pending.len()
                ));
                return;
            }
            for timing in &timings {
                let of = chain.pending.remove(0);
                if let Some(wrong) = check(chain, &of, timing) {
                    self.fail(format!("presentation {}: {wrong}", of.id));
                }
            }
        }
    }
}

/// A result with room for the times of all stages.
fn room_for(times: &mut [StageTime; STAGES.len()]) -> PastTiming {
    PastTiming {
        ty: vk::StructureType::from_raw(1_000_208_007),
        next: std::ptr::null_mut(),
        id: 0,
        target: 0,
        stages: STAGES.len() as u32,
        times: times.as_mut_ptr(),
        domain: vk::TimeDomainKHR::DEVICE,
        domain_id: 0,
        complete: 0,
    }
}

/// Compares the results of a presentation with what is known of it; returns what is wrong.
fn check(chain: &mut Chain, of: &Pending, timing: &PastTiming) -> Option<String> {
    // SAFETY: the driver has written at most as many times as there is room for.
    let times = unsafe { std::slice::from_raw_parts(timing.times, timing.stages as usize) };
    let wanted: Vec<u32> = STAGES.into_iter().filter(|stage| of.queries & stage != 0).collect();
    let stages: Vec<u32> = times.iter().map(|time| time.stage).collect();
    if (timing.id, timing.target, timing.complete) != (of.id, of.after, vk::TRUE) || stages != wanted {
        let (id, target) = (timing.id, timing.target);
        return Some(format!("id {id}, target {target}, stages {stages:?}, not {wanted:?}"));
    }
    let before = chain.shown.take();
    chain.shown = times.last().map(|time| time.time).filter(|time| *time > 0);
    let list: Vec<u64> = times.iter().map(|time| time.time).collect();
    let complete = list.iter().all(|&time| time > 0);
    let late = match (before, chain.shown) {
        (Some(before), Some(shown)) if chain.shows_all => shown >= before + of.after,
        _ => true,
    };
    let in_order = !complete || list.is_sorted();
    let right = in_order && late && (complete || !chain.shows_all);
    (!right).then(|| format!("times {list:?}, {} ns after {before:?}", of.after))
}

/// Repeats a wait until it returns a value, an error, or hangs.
fn patient<T>(mut wait: impl FnMut(u64) -> VkResult<Option<T>>) -> VkResult<T> {
    let mut found = None;
    PATIENCE.wait(|time| {
        found = wait(time.as_nanos() as u64)?;
        Ok(found.is_some())
    })?;
    found.ok_or(vk::Result::TIMEOUT)
}
