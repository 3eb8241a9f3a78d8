//! Headless surfaces: behaviour of presentation that is independent of the window system.
//!
//! Spec: Vulkan, "Window System Integration (WSI)".

#![expect(unsafe_code, reason = "a Vulkan client")]

#[path = "presentation/answers.rs"]
mod answers;
mod common;
#[path = "presentation/times.rs"]
mod times;
#[path = "presentation/usages.rs"]
mod usages;

use std::ffi::c_void;

use ash::vk;
use common::window::{Chain, SHARED, Windows, pattern};

const SIZE: [u32; 2] = [19, 7];

/// Returns the result code of an acquisition without an image.
fn refused(on: &Windows, chain: &Chain<'_>, timeout: u64) -> vk::Result {
    // SAFETY: valid usage of Vulkan: no image is acquired, so the fence stays unused.
    unsafe {
        let fence = chain.fence();
        let result = on.swapchain.acquire_next_image(chain.handle, timeout, vk::Semaphore::null(), fence);
        on.gpu.device.destroy_fence(fence, None);
        result.expect_err("there is no image")
    }
}

/// Acquires an image, with a fence that is signaled at once.
fn acquired(on: &Windows, chain: &Chain<'_>) -> u32 {
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let fence = chain.fence();
        let (image, suboptimal) =
            on.swapchain.acquire_next_image(chain.handle, u64::MAX, vk::Semaphore::null(), fence).unwrap();
        assert!(!suboptimal);
        on.gpu.device.wait_for_fences(&[fence], true, u64::MAX).unwrap();
        on.gpu.device.destroy_fence(fence, None);
        image
    }
}

fn release(on: &Windows, chain: &Chain<'_>, images: &[u32]) {
    let info = vk::ReleaseSwapchainImagesInfoEXT::default().swapchain(chain.handle).image_indices(images);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe { on.maintenance1.release_swapchain_images(&info) }.unwrap();
}

#[test]
fn surfaces_answer() {
    let on = Windows::new();
    let surface = on.headless();
    let physical = on.gpu.physical;
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        assert!(on.surface.get_physical_device_surface_support(physical, 0, surface).unwrap());
        let c = on.surface.get_physical_device_surface_capabilities(physical, surface).unwrap();
        assert_eq!((c.current_extent.width, c.current_extent.height), (u32::MAX, u32::MAX));
        assert!(c.min_image_count >= 1 && c.max_image_extent.width >= 4096);
        assert!(c.supported_usage_flags.contains(vk::ImageUsageFlags::COLOR_ATTACHMENT));
        let modes = on.surface.get_physical_device_surface_present_modes(physical, surface).unwrap();
        assert!(modes.contains(&vk::PresentModeKHR::FIFO), "FIFO is required");
        let formats = on.surface.get_physical_device_surface_formats(physical, surface).unwrap();
        for f in formats {
            // Images support every usage that a surface reports.
            let tiling = vk::ImageTiling::OPTIMAL;
            let usage = vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::SAMPLED;
            let ty = vk::ImageType::TYPE_2D;
            let flags = Default::default();
            let i = &on.gpu.instance;
            let images =
                i.get_physical_device_image_format_properties(physical, f.format, ty, tiling, usage, flags);
            assert!(images.is_ok(), "{f:?}");
        }
        // The compatible modes of a mode include the mode itself.
        for mode in modes {
            let mut asked = vk::SurfacePresentModeEXT::default().present_mode(mode);
            let info = vk::PhysicalDeviceSurfaceInfo2KHR::default().surface(surface).push_next(&mut asked);
            let mut room = [vk::PresentModeKHR::default(); 8];
            let mut others = vk::SurfacePresentModeCompatibilityEXT::default().present_modes(&mut room);
            let mut out = vk::SurfaceCapabilities2KHR::default().push_next(&mut others);
            on.capabilities2.get_physical_device_surface_capabilities2(physical, &info, &mut out).unwrap();
            let n = others.present_mode_count as usize;
            assert!(room[..n].contains(&mode), "{mode:?}: {:?}", &room[..n]);
            // With room for one mode, it is the mode itself.
            let mut room = [vk::PresentModeKHR::default()];
            let mut first = vk::SurfacePresentModeCompatibilityEXT::default().present_modes(&mut room);
            let mut out = vk::SurfaceCapabilities2KHR::default().push_next(&mut first);
            on.capabilities2.get_physical_device_surface_capabilities2(physical, &info, &mut out).unwrap();
            assert_eq!((first.present_mode_count, room[0]), (1, mode));
            // Room for no mode is not an error, because the other structures in the chain are filled.
            let mut others = vk::SurfacePresentModeCompatibilityEXT::default().present_modes(&mut []);
            let mut out = vk::SurfaceCapabilities2KHR::default().push_next(&mut others);
            on.capabilities2.get_physical_device_surface_capabilities2(physical, &info, &mut out).unwrap();
        }
        on.surface.destroy_surface(surface, None);
    }
}

/// In every mode all images are reused, and each presentation shows the drawn pixels.
#[test]
fn images_come_round() {
    let on = Windows::new();
    let surface = on.headless();
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let modes = unsafe { on.surface.get_physical_device_surface_present_modes(on.gpu.physical, surface) };
    for mode in modes.unwrap().into_iter().filter(|mode| !SHARED.contains(mode)) {
        let chain = on.chain(&Windows::info(surface, SIZE).present_mode(mode)).unwrap();
        assert_eq!(chain.images.len(), 3);
        let mut seen = [0; 3];
        for frame in 0..12 {
            let (image, suboptimal) = chain.acquire().unwrap();
            assert!(!suboptimal);
            chain.draw(image, &pattern(SIZE, frame));
            assert!(!chain.present(image).unwrap());
            seen[image as usize] += 1;
        }
        assert!(seen.iter().all(|&n| n > 0), "{mode:?}: {seen:?}");
    }
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// A presentation returns when the frame before it is rendered, so that slow frames do not queue up until an acquisition
/// exceeds the time that programs allow for it.
#[test]
fn presentations_wait_for_slow_frames() {
    const BYTES: u64 = 32 << 20;
    let on = Windows::new();
    let (surface, gpu) = (on.headless(), &on.gpu);
    let slow = gpu.buffer(BYTES, vk::BufferUsageFlags::TRANSFER_DST);
    {
        let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
        let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
        // SAFETY: valid usage of Vulkan: all objects are live while the calls use them, and the images are rendered
        // before the swapchain is destroyed.
        unsafe {
            let d = &gpu.device;
            let commands = d.allocate_command_buffers(&info).unwrap();
            let again =
                vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::SIMULTANEOUS_USE);
            d.begin_command_buffer(commands[0], &again).unwrap();
            for value in 0..32 {
                d.cmd_fill_buffer(commands[0], slow.buffer, 0, BYTES, value);
            }
            d.end_command_buffer(commands[0]).unwrap();
            let mut before: Option<vk::Fence> = None;
            for frame in 0..4 {
                let image = acquired(&on, &chain);
                let fence = chain.submit(&commands);
                chain.present(image).unwrap();
                if let Some(fence) = before.replace(fence) {
                    assert!(d.get_fence_status(fence).unwrap(), "frame {} is not rendered", frame - 1);
                    d.destroy_fence(fence, None);
                }
            }
            d.device_wait_idle().unwrap();
            before.into_iter().for_each(|fence| d.destroy_fence(fence, None));
            d.free_command_buffers(gpu.pool, &commands);
        }
    }
    slow.destroy(gpu);
    // SAFETY: valid usage of Vulkan: the swapchain of the surface is destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// A presentation returns although its queue waits for the host, which presents first and sets the event later. Spec:
/// Vulkan, vkQueuePresentKHR: calls return in finite time.
#[test]
fn presentations_return_while_the_device_waits_for_the_host() {
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::{Duration, Instant};

    let on = Windows::new();
    let (surface, gpu) = (on.headless(), &on.gpu);
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
    let (start, returned) = (Instant::now(), AtomicBool::new(false));
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let d = &gpu.device;
        let event = d.create_event(&Default::default(), None).unwrap();
        let commands = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(commands[0], &Default::default()).unwrap();
        let (host, all) = (vk::PipelineStageFlags::HOST, vk::PipelineStageFlags::ALL_COMMANDS);
        d.cmd_wait_events(commands[0], &[event], host, all, &[], &[], &[]);
        d.end_command_buffer(commands[0]).unwrap();
        let (fences, time) = std::thread::scope(|scope| {
            scope.spawn(|| {
                // Ends the test if the presentations do not return.
                while !returned.load(Ordering::SeqCst) && start.elapsed() < Duration::from_secs(30) {
                    std::thread::sleep(Duration::from_millis(1));
                }
                d.set_event(event).unwrap();
            });
            let fences = [&commands[..], &[]].map(|commands| {
                let image = acquired(&on, &chain);
                let fence = chain.submit(commands);
                chain.present(image).unwrap();
                fence
            });
            let time = start.elapsed();
            returned.store(true, Ordering::SeqCst);
            (fences, time)
        });
        assert!(time < Duration::from_secs(20), "{time:?}");
        d.wait_for_fences(&fences, true, u64::MAX).unwrap();
        d.device_wait_idle().unwrap();
        fences.iter().for_each(|&fence| d.destroy_fence(fence, None));
        d.free_command_buffers(gpu.pool, &commands);
        d.destroy_event(event, None);
    }
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// The read of an image happens after the waits of its own presentation, even if a later presentation on another queue
/// is done earlier. The fence of a presentation is signaled once its queue is idle, although its image is not shown before
/// the earlier one. Spec: Vulkan, vkQueuePresentKHR, VkSwapchainPresentFenceInfoKHR and vkQueueWaitIdle.
#[cfg(target_os = "linux")]
#[test]
fn presentations_of_two_queues_end_in_any_order() {
    use std::io::Write;
    use std::os::fd::{IntoRawFd, OwnedFd};
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;

    let on = Windows::new();
    let (surface, d) = (on.headless(), &on.gpu.device);
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let present = |queue: vk::Queue, waits: &[vk::Semaphore], image: u32, id: u64, fence: vk::Fence| {
        let (chains, images, fences, ids) = ([chain.handle], [image], [fence], [id]);
        let mut fences = vk::SwapchainPresentFenceInfoEXT::default().fences(&fences);
        let mut ids = vk::PresentIdKHR::default().present_ids(&ids);
        let info = vk::PresentInfoKHR::default()
            .wait_semaphores(waits)
            .swapchains(&chains)
            .image_indices(&images)
            .push_next(&mut ids)
            .push_next(&mut fences);
        // SAFETY: valid usage of Vulkan: the arrays live until the call returns.
        unsafe { on.swapchain.queue_present(queue, &info) }.unwrap();
    };
    // The work of another device is done when a descriptor becomes readable.
    let (reader, mut writer) = std::io::pipe().unwrap();
    let done = AtomicBool::new(false);
    let fds = ash::khr::external_semaphore_fd::Device::new(&on.gpu.instance, d);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them; the import owns the descriptor.
    unsafe {
        let work = d.create_semaphore(&Default::default(), None).unwrap();
        let import = vk::ImportSemaphoreFdInfoKHR::default()
            .semaphore(work)
            .flags(vk::SemaphoreImportFlags::TEMPORARY)
            .handle_type(vk::ExternalSemaphoreHandleTypeFlags::SYNC_FD)
            .fd(OwnedFd::from(reader).into_raw_fd());
        fds.import_semaphore_fd(&import).unwrap();
        let (images, fences) = ([(); 2].map(|()| acquired(&on, &chain)), [(); 2].map(|()| chain.fence()));
        std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_secs(1));
                done.store(true, Ordering::SeqCst);
                writer.write_all(&[1]).unwrap();
            });
            present(on.gpu.queue, &[work], images[0], 1, fences[0]);
            let second = d.get_device_queue(0, 1);
            present(second, &[], images[1], 2, fences[1]);
            d.queue_wait_idle(second).unwrap();
            assert!(d.get_fence_status(fences[1]).unwrap(), "the wait includes the fence");
            on.present_wait.wait_for_present(chain.handle, 1, u64::MAX).unwrap();
            assert!(done.load(Ordering::SeqCst), "the presentation engine read an image before its wait");
        });
        d.wait_for_fences(&fences, true, u64::MAX).unwrap();
        on.present_wait.wait_for_present(chain.handle, 2, u64::MAX).unwrap();
        fences.iter().for_each(|&fence| d.destroy_fence(fence, None));
        d.destroy_semaphore(work, None);
    }
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// The only image is acquired once, and presented repeatedly. Spec: VK_KHR_shared_presentable_image.
#[test]
fn a_shared_image_stays_with_the_application() {
    let on = Windows::new();
    let surface = on.headless();
    for mode in SHARED {
        let mut asked = vk::SurfacePresentModeEXT::default().present_mode(mode);
        let info = vk::PhysicalDeviceSurfaceInfo2KHR::default().surface(surface).push_next(&mut asked);
        let mut shared = vk::SharedPresentSurfaceCapabilitiesKHR::default();
        let mut out = vk::SurfaceCapabilities2KHR::default().push_next(&mut shared);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        unsafe {
            let physical = on.gpu.physical;
            on.capabilities2.get_physical_device_surface_capabilities2(physical, &info, &mut out).unwrap();
        }
        let count = out.surface_capabilities.min_image_count;
        assert_eq!((count, out.surface_capabilities.max_image_count), (1, 1));
        assert!(shared.shared_present_supported_usage_flags.contains(vk::ImageUsageFlags::TRANSFER_DST));
        let info = Windows::info(surface, SIZE).present_mode(mode).min_image_count(1);
        let chain = on.chain(&info).unwrap();
        assert_eq!(chain.images.len(), 1);
        let image = acquired(&on, &chain);
        assert_eq!(refused(&on, &chain, 0), vk::Result::NOT_READY, "there is no other image");
        for frame in 0..5 {
            chain.draw_shared(image, &pattern(SIZE, frame));
            let fences = [chain.fence()];
            let mut shown = vk::SwapchainPresentFenceInfoEXT::default().fences(&fences);
            chain.present_with(image, |info| info.push_next(&mut shown)).unwrap();
            // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
            unsafe {
                on.gpu.device.wait_for_fences(&fences, true, u64::MAX).unwrap();
                on.gpu.device.destroy_fence(fences[0], None);
                (on.shared.fp().get_swapchain_status_khr)(on.gpu.device.handle(), chain.handle)
                    .result()
                    .unwrap();
            }
        }
        assert_eq!(refused(&on, &chain, 0), vk::Result::NOT_READY, "it is still the application's");
    }
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Spec: vkAcquireNextImageKHR, VK_NOT_READY and VK_TIMEOUT; vkReleaseSwapchainImagesEXT.
#[test]
fn acquisition_without_a_free_image_ends_in_time() {
    let on = Windows::new();
    let surface = on.headless();
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let mut all: Vec<u32> = (0..3).map(|_| acquired(&on, &chain)).collect();
    assert_eq!(refused(&on, &chain, 0), vk::Result::NOT_READY);
    assert_eq!(refused(&on, &chain, 1_000_000), vk::Result::TIMEOUT);
    release(&on, &chain, &all[1..2]);
    assert_eq!(acquired(&on, &chain), all[1], "the one that is free");
    all.sort();
    assert_eq!(all, [0, 1, 2]);
    release(&on, &chain, &all);
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Spec: VkSwapchainCreateInfoKHR, `oldSwapchain`, and VK_ERROR_NATIVE_WINDOW_IN_USE_KHR.
#[test]
fn a_new_swapchain_retires_the_old_one() {
    let on = Windows::new();
    let surface = on.headless();
    let old = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let in_use = on.chain(&Windows::info(surface, SIZE)).err().expect("the surface has a swapchain");
    assert_eq!(in_use, vk::Result::ERROR_NATIVE_WINDOW_IN_USE_KHR);
    let (image, _) = old.acquire().unwrap();
    let new = on.chain(&Windows::info(surface, [31, 5]).old_swapchain(old.handle)).unwrap();
    assert_eq!(refused(&on, &old, 0), vk::Result::ERROR_OUT_OF_DATE_KHR);
    // Images that were acquired earlier may be presented.
    old.draw(image, &pattern(SIZE, 1));
    old.present(image).unwrap();
    let (image, _) = new.acquire().unwrap();
    new.draw(image, &pattern([31, 5], 2));
    new.present(image).unwrap();
    drop((old, new));
    // The surface is no longer in use.
    drop(on.chain(&Windows::info(surface, SIZE)).unwrap());
    // Nor is it after a new swapchain has failed, which retires the old one, too.
    let old = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let huge = Windows::info(surface, [16384; 2]).min_image_count(4096).old_swapchain(old.handle);
    assert!(on.chain(&huge).is_err(), "4 TiB");
    drop(on.chain(&Windows::info(surface, SIZE)).unwrap());
    drop(old);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Spec: VK_KHR_present_id, VK_KHR_present_wait, VkSwapchainPresentModeInfoEXT, VkPresentRegionsKHR.
#[test]
fn presentations_have_numbers_fences_modes_and_regions() {
    let on = Windows::new();
    let surface = on.headless();
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    for id in 1..=5_u64 {
        let (image, _) = chain.acquire().unwrap();
        chain.draw(image, &pattern(SIZE, id as u32));
        let early = if id == 1 {
            // SAFETY: valid usage of Vulkan: the objects to wait for are live.
            unsafe { on.present_wait.wait_for_present(chain.handle, 1, 0) }
        } else {
            Err(vk::Result::TIMEOUT)
        };
        assert_eq!(early, Err(vk::Result::TIMEOUT), "nothing was presented");
        let (ids, fences, modes) = ([id], [chain.fence()], [vk::PresentModeKHR::MAILBOX]);
        let rectangle = vk::RectLayerKHR::default().extent(vk::Extent2D { width: 4, height: 4 });
        let rectangles = [rectangle];
        let regions = [vk::PresentRegionKHR::default().rectangles(&rectangles)];
        let mut a = vk::PresentIdKHR::default().present_ids(&ids);
        let mut b = vk::SwapchainPresentFenceInfoEXT::default().fences(&fences);
        let mut c = vk::SwapchainPresentModeInfoEXT::default().present_modes(&modes);
        let mut d = vk::PresentRegionsKHR::default().regions(&regions);
        chain
            .present_with(image, |info| {
                info.push_next(&mut a).push_next(&mut b).push_next(&mut c).push_next(&mut d)
            })
            .unwrap();
        // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
        unsafe {
            on.present_wait.wait_for_present(chain.handle, id, u64::MAX).unwrap();
            on.gpu.device.wait_for_fences(&fences, true, u64::MAX).unwrap();
            on.gpu.device.destroy_fence(fences[0], None);
        }
    }
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Structures of VK_KHR_present_id2 and VK_KHR_present_wait2, which the bindings lack.
#[repr(C)]
struct PresentId2 {
    ty: vk::StructureType,
    next: *const c_void,
    swapchains: u32,
    ids: *const u64,
}

#[repr(C)]
struct PresentWait2 {
    ty: vk::StructureType,
    next: *const c_void,
    id: u64,
    timeout: u64,
}

/// In FIFO_LATEST_READY mode, an image counts as shown when a later one was shown. Spec: VK_KHR_present_id2,
/// VK_KHR_present_wait2, VK_KHR_present_mode_fifo_latest_ready.
#[test]
fn numbers_are_waited_for_where_the_latest_image_is_shown() {
    let on = Windows::new();
    let surface = on.headless();
    let mode = vk::PresentModeKHR::from_raw(1_000_361_000);
    // Enables the second versions of present id and present wait.
    let flags = vk::SwapchainCreateFlagsKHR::from_raw(0x40 | 0x80);
    let chain = on.chain(&Windows::info(surface, SIZE).present_mode(mode).flags(flags)).unwrap();
    type Wait = unsafe extern "system" fn(vk::Device, vk::SwapchainKHR, *const PresentWait2) -> vk::Result;
    // SAFETY: the command has the transmuted type in the specification.
    let command: Wait = unsafe {
        let name = c"vkWaitForPresent2KHR";
        let command = on.gpu.instance.get_device_proc_addr(on.gpu.device.handle(), name.as_ptr());
        std::mem::transmute::<unsafe extern "system" fn(), Wait>(command.expect("the command is available"))
    };
    let wait = |id, timeout| {
        let ty = vk::StructureType::from_raw(1_000_480_002);
        let info = PresentWait2 { ty, next: std::ptr::null(), id, timeout };
        // SAFETY: valid usage of Vulkan: all handles are live, and the structures outlive the call.
        unsafe { command(on.gpu.device.handle(), chain.handle, &raw const info) }
    };
    assert_eq!(wait(10, 0), vk::Result::TIMEOUT, "nothing was presented");
    for frame in 1..=4_u64 {
        let (image, _) = chain.acquire().unwrap();
        chain.draw(image, &pattern(SIZE, frame as u32));
        let ids = [frame * 10];
        let ty = vk::StructureType::from_raw(1_000_479_001);
        let mut id = PresentId2 { ty, next: std::ptr::null(), swapchains: 1, ids: ids.as_ptr() };
        // Has no effect. Spec: Vulkan, VkPresentIdKHR.
        let mut none = vk::PresentIdKHR { swapchain_count: 1, ..Default::default() };
        chain
            .present_with(image, |info| {
                let mut info = info.push_next(&mut none);
                id.next = info.p_next;
                info.p_next = (&raw const id).cast();
                info
            })
            .unwrap();
    }
    assert_eq!(wait(40, u64::MAX), vk::Result::SUCCESS);
    assert_eq!([wait(10, 0), wait(31, 0)], [vk::Result::SUCCESS; 2], "earlier ones");
    assert_eq!(wait(41, 1_000_000), vk::Result::TIMEOUT, "a later one");
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// VkSwapchainFlagsSurfaceCapabilitiesEXT.
#[repr(C)]
struct SupportedFlags {
    ty: vk::StructureType,
    next: *mut c_void,
    flags: vk::SwapchainCreateFlagsKHR,
}

/// Spec: VK_EXT_multisampled_render_to_swapchain.
#[test]
fn surfaces_tell_the_flags_of_their_swapchains() {
    let on = Windows::new();
    let surface = on.headless();
    let ty = vk::StructureType::from_raw(1_000_616_001);
    let mut told = SupportedFlags { ty, next: std::ptr::null_mut(), flags: Default::default() };
    let mut out = vk::SurfaceCapabilities2KHR { p_next: (&raw mut told).cast(), ..Default::default() };
    let info = vk::PhysicalDeviceSurfaceInfo2KHR::default().surface(surface);
    // SAFETY: valid usage of Vulkan: the structure that the bindings lack has the layout of the specification.
    unsafe { on.capabilities2.get_physical_device_surface_capabilities2(on.gpu.physical, &info, &mut out) }
        .unwrap();
    let samples = vk::SwapchainCreateFlagsKHR::from_raw(1 << 8);
    assert!(told.flags.contains(vk::SwapchainCreateFlagsKHR::MUTABLE_FORMAT | samples));
    assert!(!told.flags.contains(vk::SwapchainCreateFlagsKHR::PROTECTED));
    let chain = on.chain(&Windows::info(surface, SIZE).flags(samples)).unwrap();
    let (image, _) = chain.acquire().unwrap();
    chain.draw(image, &pattern(SIZE, 1));
    chain.present(image).unwrap();
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Another image bound to the same memory shows the drawn pixels. Spec: VkBindImageMemorySwapchainInfoKHR.
#[test]
fn images_alias_those_of_a_swapchain() {
    let on = Windows::new();
    let d = &on.gpu.device;
    let surface = on.headless();
    let chain = on.chain(&Windows::info(surface, SIZE)).unwrap();
    let mut of = vk::ImageSwapchainCreateInfoKHR::default().swapchain(chain.handle);
    let extent = vk::Extent3D { width: SIZE[0], height: SIZE[1], depth: 1 };
    let info = vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(vk::Format::B8G8R8A8_UNORM)
        .extent(extent)
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::TRANSFER_SRC)
        .push_next(&mut of);
    let bytes = u64::from(SIZE[0] * SIZE[1] * 4);
    let out = on.gpu.buffer(bytes, vk::BufferUsageFlags::TRANSFER_DST);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let alias = d.create_image(&info, None).unwrap();
        let (image, _) = chain.acquire().unwrap();
        let mut of =
            vk::BindImageMemorySwapchainInfoKHR::default().swapchain(chain.handle).image_index(image);
        d.bind_image_memory2(&[vk::BindImageMemoryInfo::default().image(alias).push_next(&mut of)]).unwrap();
        let pixels = pattern(SIZE, 3);
        chain.draw(image, &pixels);
        let layers = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: 1,
        };
        let region = vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent);
        let layout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
        on.gpu.run(|cmd| d.cmd_copy_image_to_buffer(cmd, alias, layout, out.buffer, &[region]));
        assert_eq!(out.read::<u32>(), pixels);
        chain.present(image).unwrap();
        d.device_wait_idle().unwrap();
        d.destroy_image(alias, None);
    }
    drop(chain);
    out.destroy(&on.gpu);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}

/// Swapchains, some destroyed with images acquired or waiting to be shown.
#[test]
fn swapchains_come_and_go() {
    let on = Windows::new();
    let surface = on.headless();
    for i in 0..300 {
        let chain = on.chain(&Windows::info(surface, [8, 8])).unwrap();
        for _ in 0..i % 4 {
            let (image, _) = chain.acquire().unwrap();
            if i % 5 != 0 {
                chain.draw(image, &pattern([8, 8], i));
                chain.present(image).unwrap();
            } else {
                break;
            }
        }
    }
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { on.surface.destroy_surface(surface, None) };
}
