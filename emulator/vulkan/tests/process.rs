//! The driver within a process: several instances and devices, forks, and a library that is opened and closed.

#![cfg(unix)]
#![expect(unsafe_code, reason = "a Vulkan client that forks and opens libraries")]

mod common;

use ash::vk;
use common::Gpu;
use common::window::{Windows, pattern};
use libloading::Library;

/// Checks that the device executes commands correctly.
fn works(gpu: &Gpu) {
    let buffer = gpu.buffer(64, vk::BufferUsageFlags::TRANSFER_DST);
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
    gpu.run(|cmd| unsafe { gpu.device.cmd_fill_buffer(cmd, buffer.buffer, 0, vk::WHOLE_SIZE, 0x1234_5678) });
    assert_eq!(buffer.read::<u32>(), [0x1234_5678; 16]);
    buffer.destroy(gpu);
}

#[test]
fn instances_and_devices_know_nothing_of_each_other() {
    let mut all: Vec<Gpu> = (0..6).map(|_| Gpu::new(&[])).collect();
    // Two devices of one instance.
    let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
    let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    let second = unsafe { all[0].instance.create_device(all[0].physical, &info, None) }.unwrap();
    std::thread::scope(|s| all.iter().for_each(|gpu| drop(s.spawn(|| works(gpu)))));
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        second.device_wait_idle().unwrap();
        second.destroy_device(None);
    }
    while !all.is_empty() {
        drop(all.remove(all.len() / 2));
        all.iter().for_each(works);
    }
}

/// In a child of `fork`, the parent's objects are lost and calls return without hanging; a new device works. The parent
/// is unaffected.
#[test]
fn children_make_devices_of_their_own() {
    let of_parent = Windows::new();
    let surface = of_parent.headless();
    let chain = of_parent.chain(&Windows::info(surface, [8, 8])).unwrap();
    chain.show(&pattern([8, 8], 1)).unwrap();
    // SAFETY: the child uses none of the parent's state except the driver, and exits with `_exit`.
    let child = unsafe { libc::fork() };
    assert!(child >= 0, "fork");
    if child == 0 {
        let done = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            // SAFETY: `alarm` does not access memory; it ends a child that hangs.
            unsafe { libc::alarm(60) };
            let lost = vk::Result::ERROR_DEVICE_LOST;
            assert_eq!(chain.acquire().unwrap_err(), lost);
            // Each swapchain has its result. Spec: Vulkan, VkPresentInfoKHR, `pResults`.
            let mut results = [vk::Result::SUCCESS];
            assert_eq!(chain.present_with(0, |info| info.results(&mut results)), Err(lost));
            assert_eq!(results, [lost]);
            // Spec: Vulkan, vkCreateSwapchainKHR, VK_ERROR_DEVICE_LOST.
            assert_eq!(of_parent.chain(&Windows::info(surface, [8, 8])).err(), Some(lost));
            // SAFETY: the swapchain is not used afterwards in this process.
            unsafe { of_parent.swapchain.destroy_swapchain(chain.handle, None) };
            let own = Windows::new();
            works(&own.gpu);
            let surface = own.headless();
            let chain = own.chain(&Windows::info(surface, [8, 8])).unwrap();
            chain.show(&pattern([8, 8], 2)).unwrap();
        }));
        // SAFETY: `_exit` has no preconditions; the child needs no cleanup.
        unsafe { libc::_exit(if done.is_ok() { 0 } else { 1 }) };
    }
    let mut status = 0;
    // SAFETY: `child` is the process forked above, and `status` is live.
    assert_eq!(unsafe { libc::waitpid(child, &mut status, 0) }, child);
    assert_eq!(status, 0, "the child is well");
    chain.show(&pattern([8, 8], 3)).unwrap();
    works(&of_parent.gpu);
    drop(chain);
    // SAFETY: valid usage of Vulkan: the swapchains of the surface are destroyed, and it is not used afterwards.
    unsafe { of_parent.surface.destroy_surface(surface, None) };
}

/// The loader repeatedly opens the driver, queries it, and closes it.
#[test]
fn the_library_is_opened_and_closed() {
    // The library is built beside the tests.
    let path = std::env::current_exe().unwrap().with_file_name("libvk_quadrille.so");
    assert!(path.exists(), "{} is built along with the tests", path.display());
    for _ in 0..3 {
        // SAFETY: the library is the driver; its objects are destroyed before it is closed.
        unsafe {
            let library = Library::new(&path).unwrap();
            let get_instance_proc_addr =
                *library.get::<vk::PFN_vkGetInstanceProcAddr>(b"vk_icdGetInstanceProcAddr\0").unwrap();
            let negotiate = *library
                .get::<unsafe extern "system" fn(*mut u32) -> vk::Result>(
                    b"vk_icdNegotiateLoaderICDInterfaceVersion\0",
                )
                .unwrap();
            let mut version = 5;
            assert_eq!((negotiate(&mut version), version), (vk::Result::SUCCESS, 5));
            let entry = ash::Entry::from_static_fn(ash::StaticFn { get_instance_proc_addr });
            let instance = entry.create_instance(&Default::default(), None).unwrap();
            let physical = instance.enumerate_physical_devices().unwrap()[0];
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
            let device = instance.create_device(physical, &info, None).unwrap();
            let pool = device.create_command_pool(&Default::default(), None).unwrap();
            let gpu = Gpu { queue: device.get_device_queue(0, 0), instance, physical, device, pool };
            works(&gpu);
            drop(gpu);
            library.close().unwrap();
        }
    }
}
