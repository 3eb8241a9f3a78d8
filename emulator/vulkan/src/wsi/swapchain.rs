//! Chapter "Window System Integration", swapchains: creation, acquisition and presentation of images.

use std::sync::atomic::{AtomicI32, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError};

use ash::vk;
use quadrille::{Fence, Image, ImageDesc, ImageFlags, ImageUsage, Memory, Semaphore, Submit, reserve};

use super::presenter::{Present, Presenter};
use super::surface::Surface;
use super::times::Wanted;
use super::{FORMATS, Looks, Rect, SHARED, Window};
use crate::capabilities::format::needed;
use crate::capabilities::wide_flags;
use crate::device::Device;
use crate::device::queue::Queue;
use crate::interface::chain::{enumerate, find, slice, slice_mut};
use crate::interface::guard::{VkResult, check_lost, code, commands, device_code, heap_code, log};
use crate::interface::handle::{create, destroy, get, get_opt, objects};
use crate::newer::{
    ERROR_PRESENT_TIMING_QUEUE_FULL, PresentId2KHR, PresentTimingInfoEXT, PresentTimingsInfoEXT,
    PresentWait2InfoKHR,
};
use crate::sync::timeout;

/// Greatest number of images of a swapchain. Surfaces state no limit, but each image takes memory of the host, which has none
/// left for programs with billions of small images.
const MOST_IMAGES: u32 = 4096;

/// A VkSwapchainKHR.
pub struct Swapchain {
    images: Vec<vk::Image>,
    memories: Vec<Memory>,
    size: [u32; 2],
    /// Present mode, until a presentation states another.
    mode: AtomicI32,
    presenter: Arc<Presenter>,
    /// Window of the surface.
    window: Arc<dyn Window>,
    /// Number of images presented so far.
    presented: AtomicU64,
}
objects!(Swapchain => SwapchainKHR);

impl Swapchain {
    /// Creates a swapchain.
    ///
    /// # Safety
    /// The structure and its chain are valid.
    unsafe fn new(device: &quadrille::Device, info: &vk::SwapchainCreateInfoKHR<'_>) -> VkResult<Swapchain> {
        // SAFETY: the caller promises a valid structure, with a live surface and a live or null old swapchain.
        let (surface, old) =
            unsafe { (get::<Surface>(info.surface), get_opt::<Swapchain>(info.old_swapchain)) };
        // The old swapchain is retired even if the new one fails.
        if let Some(old) = old {
            old.presenter.retire();
        }
        check_lost(device)?;
        let mut current = surface.swapchain.lock().unwrap_or_else(PoisonError::into_inner);
        let is_other = |p: &Arc<Presenter>| old.is_none_or(|old| !Arc::ptr_eq(&old.presenter, p));
        if current.upgrade().is_some_and(|p| is_other(&p) && !p.is_retired()) {
            return Err(vk::Result::ERROR_NATIVE_WINDOW_IN_USE_KHR);
        }
        let &(_, swap) = FORMATS
            .iter()
            .find(|(format, _)| *format == info.image_format)
            .ok_or(vk::Result::ERROR_INITIALIZATION_FAILED)?;
        if !surface.window.is_supported() || !surface.modes().contains(&info.present_mode) {
            return Err(vk::Result::ERROR_INITIALIZATION_FAILED);
        }
        let size = [info.image_extent.width, info.image_extent.height];
        let screen = surface.window.open(&Looks { size, alpha: info.composite_alpha })?;
        // SAFETY: the caller promises a valid create info.
        let usage = unsafe { wide_flags::usage(info.p_next, info.image_usage) };
        let usage = ImageUsage(usage.as_raw());
        // Images of mutable formats have the usages of their views, too.
        let extended_usage = info.flags.contains(vk::SwapchainCreateFlagsKHR::MUTABLE_FORMAT);
        let desc = ImageDesc {
            layers: info.image_array_layers,
            flags: ImageFlags { extended_usage, ..ImageFlags::default() },
            ..ImageDesc::new_2d(needed(info.image_format)?, size[0], size[1], usage)
        };
        // A swapchain with a shared present mode has one image.
        let shared = SHARED.contains(&info.present_mode);
        let count = if shared { 1 } else { image_count(info.min_image_count)? };
        let mut images: Vec<Image> = reserve::with_room(count).map_err(|e| code(&e))?;
        let mut memories = reserve::with_room(count).map_err(|e| code(&e))?;
        for _ in 0..count {
            let image = device.create_image(desc).map_err(|e| code(&e))?;
            let memory = device.allocate(image.requirements().size).map_err(|e| heap_code(&e))?;
            image.bind(&memory, 0).map_err(|e| code(&e))?;
            images.push(image);
            memories.push(memory);
        }
        let presenter = Arc::new(Presenter::new(device, images.clone(), swap, screen)?);
        *current = Arc::downgrade(&presenter);
        Ok(Swapchain {
            images: images.into_iter().map(create).collect(),
            memories,
            size,
            mode: AtomicI32::new(info.present_mode.as_raw()),
            presenter,
            window: surface.window.clone(),
            presented: AtomicU64::new(0),
        })
    }

    /// The images between the application and the screen.
    pub fn presenter(&self) -> &Presenter {
        &self.presenter
    }

    /// Returns the memory of an image, for other images that are bound to it.
    pub fn memory(&self, image: u32) -> VkResult<&Memory> {
        self.memories.get(image as usize).ok_or(vk::Result::ERROR_UNKNOWN)
    }

    /// Acquires an image.
    ///
    /// # Safety
    /// The semaphore and the fence are live or null.
    unsafe fn acquire(&self, ns: u64, semaphore: vk::Semaphore, fence: vk::Fence, out: &mut u32) -> VkResult {
        let (image, status) = self.presenter.acquire(timeout(ns))?;
        *out = image;
        // SAFETY: the caller promises live or null handles. The acquired image is free already, so both are signaled at
        // once.
        unsafe {
            if let Some(semaphore) = get_opt::<Semaphore>(semaphore) {
                semaphore.signal(0);
            }
            if let Some(fence) = get_opt::<Fence>(fence) {
                fence.signal();
            }
        }
        status.and_then(|()| self.fits())
    }

    /// Fails with `SUBOPTIMAL` if the window has another size than the images. While an image is being shown, the screen finds
    /// that out, and an answer of the window system would take time here.
    fn fits(&self) -> VkResult {
        if !self.presenter.is_idle() {
            return Ok(());
        }
        match self.window.size() {
            Ok(Some(size)) if size != self.size => Err(vk::Result::SUBOPTIMAL_KHR),
            // The loss of the window is noticed when an image is shown.
            Ok(_) | Err(_) => Ok(()),
        }
    }

    /// Returns the area of VkPresentRegionKHR, which differs from the previous image; without it, the whole image.
    ///
    /// # Safety
    /// `region` is valid.
    unsafe fn damage(&self, region: Option<&vk::PresentRegionKHR<'_>>) -> Rect {
        let all = Rect::all(self.size);
        let is_given = |r: &&vk::PresentRegionKHR<'_>| r.rectangle_count != 0 && !r.p_rectangles.is_null();
        let Some(region) = region.filter(is_given) else { return all };
        // SAFETY: the caller promises a valid structure.
        let rectangles = unsafe { slice(region.p_rectangles, region.rectangle_count) };
        let side = |at: i32, len: u32, max: u32| {
            let at = i64::from(at);
            let clamped = |n: i64| n.clamp(0, i64::from(max)) as u32;
            (clamped(at), clamped(at + i64::from(len)))
        };
        rectangles.iter().fold(Rect::all([0; 2]), |sum, r| {
            let (x0, x1) = side(r.offset.x, r.extent.width, all.x1);
            let (y0, y1) = side(r.offset.y, r.extent.height, all.y1);
            sum.around(Rect { x0, y0, x1, y1 })
        })
    }
}

impl Drop for Swapchain {
    fn drop(&mut self) {
        self.presenter.close();
        for &image in &self.images {
            // SAFETY: `new` made the handles, and the application must not use them after the swapchain is destroyed.
            if let Some(image) = unsafe { destroy::<Image>(image) } {
                image.destroy();
            }
        }
        self.memories.iter().for_each(Memory::free);
    }
}

/// Extension structures of a presentation, with an element for each swapchain.
struct Extras<'a> {
    regions: &'a [vk::PresentRegionKHR<'a>],
    ids: &'a [u64],
    fences: &'a [vk::Fence],
    modes: &'a [vk::PresentModeKHR],
    timings: &'a [PresentTimingInfoEXT],
}

impl<'a> Extras<'a> {
    /// Reads the chain of a presentation.
    ///
    /// # Safety
    /// The structure and its chain are valid.
    unsafe fn of(info: &'a vk::PresentInfoKHR<'a>) -> Extras<'a> {
        let next = info.p_next;
        // SAFETY: the caller promises a valid chain; each list has `swapchain_count` elements.
        unsafe {
            let regions = find::<vk::PresentRegionsKHR<'_>>(next);
            let ids = find::<vk::PresentIdKHR<'_>>(next);
            let ids2 = find::<PresentId2KHR>(next);
            let fences = find::<vk::SwapchainPresentFenceInfoEXT<'_>>(next);
            let modes = find::<vk::SwapchainPresentModeInfoEXT<'_>>(next);
            let timings = find::<PresentTimingsInfoEXT>(next);
            Extras {
                timings: timings.map_or(&[], |t| slice(t.p_timing_infos, t.swapchain_count)),
                regions: regions.map_or(&[], |r| slice(r.p_regions, r.swapchain_count)),
                ids: match (ids, ids2) {
                    // Without ids, the structure has no effect.
                    (Some(i), _) if !i.p_present_ids.is_null() => slice(i.p_present_ids, i.swapchain_count),
                    (_, Some(i)) => slice(i.p_present_ids, i.swapchain_count),
                    (_, None) => &[],
                },
                fences: fences.map_or(&[], |f| slice(f.p_fences, f.swapchain_count)),
                modes: modes.map_or(&[], |m| slice(m.p_present_modes, m.swapchain_count)),
            }
        }
    }
}

/// Returns the number of images of a swapchain, or `ERROR_OUT_OF_HOST_MEMORY` for more than [`MOST_IMAGES`].
fn image_count(min: u32) -> VkResult<usize> {
    if min > MOST_IMAGES {
        log(&format!("minImageCount is {min}, but a swapchain has at most {MOST_IMAGES} images"));
        return Err(vk::Result::ERROR_OUT_OF_HOST_MEMORY);
    }
    Ok(min as usize)
}

/// Returns a fence that the queue signals after its earlier work and after `waits`, when the images are rendered.
///
/// # Safety
/// The semaphores are live.
unsafe fn when_rendered(queue: &quadrille::Queue, waits: &[vk::Semaphore]) -> VkResult<Fence> {
    // SAFETY: the caller promises that the semaphores are live.
    let waits: Vec<_> = waits.iter().map(|&s| (unsafe { get::<Semaphore>(s) }, 0)).collect();
    let fence = queue.device().create_fence(false);
    let submit = Submit { waits: &waits, commands: &[], signals: &[] };
    queue.submit(&[submit], Some(&fence)).map_err(|e| device_code(queue.device(), &e))?;
    Ok(fence)
}

/// Signals the fences of a presentation after the earlier work of the queue, which includes the waits of the presentation. The
/// presenter does not signal them, as a wait for an idle queue includes them. A failure loses the device, because the waits are
/// submitted. Spec: Vulkan, VkSwapchainPresentFenceInfoKHR and vkQueueWaitIdle.
///
/// # Safety
/// The fences are live or null.
unsafe fn signal_when_rendered(queue: &quadrille::Queue, fences: &[vk::Fence]) -> VkResult {
    // SAFETY: the caller promises that the fences are live or null.
    for fence in fences.iter().filter_map(|&f| unsafe { get_opt::<Fence>(f) }) {
        if let Err(e) = queue.submit(&[], Some(fence)) {
            queue.device().lose(&format!("a fence of a presentation cannot be signaled: {e}"));
            return Err(vk::Result::ERROR_DEVICE_LOST);
        }
    }
    Ok(())
}

/// Sets the results of all swapchains of a presentation that failed as a whole, and returns the code.
///
/// # Safety
/// The structure is valid.
unsafe fn failed(info: &vk::PresentInfoKHR<'_>, code: vk::Result) -> vk::Result {
    // SAFETY: the caller promises a valid structure, with room for a result for each swapchain if there is any.
    unsafe { slice_mut(info.p_results, info.swapchain_count) }.fill(code);
    code
}

/// Returns the result of two of a presentation that takes precedence. Spec: Vulkan, vkQueuePresentKHR.
fn worst(a: VkResult, b: VkResult) -> VkResult {
    let rank = |r: &VkResult| match r {
        Ok(()) => 0,
        Err(vk::Result::SUBOPTIMAL_KHR) => 1,
        Err(vk::Result::ERROR_OUT_OF_DATE_KHR) => 3,
        Err(vk::Result::ERROR_SURFACE_LOST_KHR) => 4,
        Err(vk::Result::ERROR_DEVICE_LOST) => 6,
        Err(ERROR_PRESENT_TIMING_QUEUE_FULL) => 2,
        Err(_) => 5,
    };
    if rank(&b) > rank(&a) { b } else { a }
}

commands! {
    fn create_swapchain(
        device: vk::Device,
        info: *const vk::SwapchainCreateInfoKHR<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::SwapchainKHR,
    ) -> vk::Result {
        *out = create(Swapchain::new(&get::<Device>(device).device, &*info)?);
        Ok(())
    }

    fn destroy_swapchain(
        _d: vk::Device,
        swapchain: vk::SwapchainKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<Swapchain>(swapchain));
    }

    fn get_swapchain_images(
        _d: vk::Device,
        swapchain: vk::SwapchainKHR,
        count: *mut u32,
        out: *mut vk::Image,
    ) -> vk::Result {
        enumerate(&get::<Swapchain>(swapchain).images, count, out)
    }

    fn acquire_next_image(
        device: vk::Device,
        swapchain: vk::SwapchainKHR,
        ns: u64,
        semaphore: vk::Semaphore,
        fence: vk::Fence,
        out: *mut u32,
    ) -> vk::Result {
        check_lost(&get::<Device>(device).device)?;
        get::<Swapchain>(swapchain).acquire(ns, semaphore, fence, &mut *out)
    }

    fn acquire_next_image2(
        device: vk::Device,
        info: *const vk::AcquireNextImageInfoKHR<'_>,
        out: *mut u32,
    ) -> vk::Result {
        let i = &*info;
        check_lost(&get::<Device>(device).device)?;
        get::<Swapchain>(i.swapchain).acquire(i.timeout, i.semaphore, i.fence, &mut *out)
    }

    fn queue_present(queue: vk::Queue, info: *const vk::PresentInfoKHR<'_>) -> vk::Result {
        let info = &*info;
        let swapchains: Vec<&Swapchain> =
            slice(info.p_swapchains, info.swapchain_count).iter().map(|&s| get::<Swapchain>(s)).collect();
        let images = slice(info.p_image_indices, info.swapchain_count);
        let queue = &get::<Queue>(queue).queue;
        let waits = slice(info.p_wait_semaphores, info.wait_semaphore_count);
        let rendered = when_rendered(queue, waits).map_err(|code| failed(info, code))?;
        let extras = Extras::of(info);
        signal_when_rendered(queue, extras.fences).map_err(|code| failed(info, code))?;
        queue.device().end_frame();
        let (mut presented, mut all) = (Vec::new(), Ok(()));
        for (i, (swapchain, &image)) in swapchains.iter().zip(images).enumerate() {
            if let Some(mode) = extras.modes.get(i) {
                swapchain.mode.store(mode.as_raw(), Ordering::Relaxed);
            }
            let result = swapchain.presenter.present(Present {
                image,
                number: swapchain.presented.fetch_add(1, Ordering::Relaxed) + 1,
                rendered: rendered.clone(),
                mode: vk::PresentModeKHR::from_raw(swapchain.mode.load(Ordering::Relaxed)),
                damage: swapchain.damage(extras.regions.get(i)),
                id: extras.ids.get(i).copied().unwrap_or(0),
                timing: extras.timings.get(i).map(Wanted::of).unwrap_or_default(),
            });
            presented.push(result);
        }
        for (i, swapchain) in swapchains.iter().enumerate() {
            let failed = presented[i].is_err_and(|code| code.as_raw() < 0);
            let room = if failed { Ok(()) } else { swapchain.presenter.wait_for_room() };
            let result = worst(presented[i], room);
            if !info.p_results.is_null() {
                *info.p_results.add(i) = result.err().unwrap_or(vk::Result::SUCCESS);
            }
            all = worst(all, result);
        }
        all
    }

    fn get_swapchain_status(device: vk::Device, swapchain: vk::SwapchainKHR) -> vk::Result {
        check_lost(&get::<Device>(device).device)?;
        get::<Swapchain>(swapchain).presenter.status()
    }

    fn wait_for_present(device: vk::Device, swapchain: vk::SwapchainKHR, id: u64, ns: u64) -> vk::Result {
        check_lost(&get::<Device>(device).device)?;
        get::<Swapchain>(swapchain).presenter.wait_shown(id, timeout(ns))
    }

    fn wait_for_present2(
        device: vk::Device,
        swapchain: vk::SwapchainKHR,
        info: *const PresentWait2InfoKHR,
    ) -> vk::Result {
        let info = &*info;
        check_lost(&get::<Device>(device).device)?;
        get::<Swapchain>(swapchain).presenter.wait_shown(info.present_id, timeout(info.timeout))
    }

    fn release_swapchain_images(
        _d: vk::Device,
        info: *const vk::ReleaseSwapchainImagesInfoEXT<'_>,
    ) -> vk::Result {
        let swapchain = get::<Swapchain>((*info).swapchain);
        let images = slice((*info).p_image_indices, (*info).image_index_count);
        images.iter().try_for_each(|&image| swapchain.presenter.release(image))
    }

    /// No effect: windows have only the range of sRGB.
    fn set_hdr_metadata(
        _d: vk::Device,
        _n: u32,
        _swapchains: *const vk::SwapchainKHR,
        _metadata: *const vk::HdrMetadataEXT<'_>,
    ) {
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Spec: Vulkan, vkQueuePresentKHR, the rules for the result of several swapchains.
    #[test]
    fn results_have_precedence() {
        let in_order = [
            Err(vk::Result::ERROR_DEVICE_LOST),
            Err(vk::Result::ERROR_SURFACE_LOST_KHR),
            Err(vk::Result::ERROR_OUT_OF_DATE_KHR),
            Err(ERROR_PRESENT_TIMING_QUEUE_FULL),
            Err(vk::Result::SUBOPTIMAL_KHR),
            Ok(()),
        ];
        for (i, &first) in in_order.iter().enumerate() {
            for &second in &in_order[i..] {
                assert_eq!([worst(first, second), worst(second, first)], [first; 2]);
            }
        }
    }
}
