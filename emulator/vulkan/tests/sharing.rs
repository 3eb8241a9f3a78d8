//! Memory, fences and semaphores shared by several devices and processes.

#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::c_void;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

use ash::vk;
use common::Gpu;
use common::outside::{exported, import};
use common::sum::{self, Recipe};
use quadrille::env::TEST_CHILD;
use quadrille_jit::guarded::Guarded;

const NAMES: [&std::ffi::CStr; 7] = [
    c"VK_KHR_external_memory_fd",
    c"VK_KHR_external_fence_fd",
    c"VK_KHR_external_semaphore_fd",
    c"VK_EXT_external_memory_host",
    c"VK_KHR_timeline_semaphore",
    c"VK_EXT_queue_family_foreign",
    c"VK_EXT_external_memory_acquire_unmodified",
];
const OPAQUE: vk::ExternalMemoryHandleTypeFlags = vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD;
const SYNC: vk::ExternalSemaphoreHandleTypeFlags = vk::ExternalSemaphoreHandleTypeFlags::SYNC_FD;
/// Greatest timeout of all tests, in nanoseconds.
const LONG: u64 = 60_000_000_000;
const SIZE: u64 = 100_000;

fn gpu() -> Gpu {
    let mut timeline = vk::PhysicalDeviceTimelineSemaphoreFeatures::default().timeline_semaphore(true);
    Gpu::with(&NAMES, |info| info.push_next(&mut timeline)).unwrap()
}

#[expect(clippy::mut_from_ref, reason = "device memory, which has one user at a time")]
fn words(gpu: &Gpu, memory: vk::DeviceMemory) -> &mut [u32] {
    // SAFETY: the memory stays mapped while it lives, and only the test accesses it.
    unsafe {
        let at = gpu.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).unwrap();
        std::slice::from_raw_parts_mut(at.cast(), SIZE as usize / 4)
    }
}

fn buffer(gpu: &Gpu, memory: vk::DeviceMemory) -> vk::Buffer {
    let usage = vk::BufferUsageFlags::TRANSFER_SRC | vk::BufferUsageFlags::TRANSFER_DST;
    let mut outside = vk::ExternalMemoryBufferCreateInfo::default().handle_types(OPAQUE);
    let info = vk::BufferCreateInfo::default().size(SIZE).usage(usage).push_next(&mut outside);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        gpu.device.bind_buffer_memory(buffer, memory, 0).unwrap();
        buffer
    }
}

#[test]
fn two_devices_have_the_same_memory() {
    let (one, two) = (gpu(), gpu());
    let (mine, fd) = exported(&one, OPAQUE, SIZE);
    let theirs = import(&two, OPAQUE, fd.into_raw_fd(), SIZE).unwrap();
    words(&one, mine)[7] = 42;
    assert_eq!(words(&two, theirs)[7], 42);
    let filled = buffer(&two, theirs);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        two.run(|c| two.device.cmd_fill_buffer(c, filled, 0, SIZE, 9));
        assert!(words(&one, mine).iter().all(|w| *w == 9));
        // Either side may be freed first.
        one.device.free_memory(mine, None);
        assert!(words(&two, theirs).iter().all(|w| *w == 9));
        two.device.destroy_buffer(filled, None);
        two.device.free_memory(theirs, None);
    }
}

/// Passes a buffer from one owner to another; `acquired` is part of the barrier.
fn pass_on(gpu: &Gpu, buffer: vk::Buffer, [from, to]: [u32; 2], acquired: *const c_void) {
    let mut barrier = vk::BufferMemoryBarrier::default()
        .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
        .dst_access_mask(vk::AccessFlags::MEMORY_READ | vk::AccessFlags::MEMORY_WRITE)
        .src_queue_family_index(from)
        .dst_queue_family_index(to)
        .buffer(buffer)
        .size(vk::WHOLE_SIZE);
    barrier.p_next = acquired;
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    // SAFETY: valid usage of Vulkan: recording has begun, and the buffer is live.
    gpu.run(|c| unsafe {
        gpu.device.cmd_pipeline_barrier(c, all, all, Default::default(), &[], &[barrier], &[]);
    });
}

/// Memory that comes back keeps its words if nothing else has written it, and has those of its other owner otherwise. Spec:
/// Vulkan, VkExternalMemoryAcquireUnmodifiedEXT.
#[test]
fn memory_comes_back_modified_or_not() {
    let (one, two) = (gpu(), gpu());
    let (mine, fd) = exported(&one, OPAQUE, SIZE);
    let theirs = import(&two, OPAQUE, fd.into_raw_fd(), SIZE).unwrap();
    let buffers = [buffer(&one, mine), buffer(&two, theirs)];
    let outside = [vk::QUEUE_FAMILY_EXTERNAL, vk::QUEUE_FAMILY_FOREIGN_EXT];
    for (round, family) in (0..).zip(outside.into_iter().cycle().take(4)) {
        let modified = round < 2;
        // SAFETY: valid usage of Vulkan: recording has begun, and the buffer is live.
        one.run(|c| unsafe { one.device.cmd_fill_buffer(c, buffers[0], 0, SIZE, 10 + round) });
        pass_on(&one, buffers[0], [0, family], std::ptr::null());
        if modified {
            pass_on(&two, buffers[1], [family, 0], std::ptr::null());
            // SAFETY: valid usage of Vulkan: recording has begun, and the buffer is live.
            two.run(|c| unsafe { two.device.cmd_fill_buffer(c, buffers[1], 8, 12, 50) });
            pass_on(&two, buffers[1], [0, family], std::ptr::null());
        }
        let acquired = vk::ExternalMemoryAcquireUnmodifiedEXT::default().acquire_unmodified_memory(!modified);
        pass_on(&one, buffers[0], [family, 0], (&raw const acquired).cast());
        let last = if modified { 50 } else { 10 + round };
        let expected: Vec<u32> =
            (0..SIZE / 4).map(|i| if (2..5).contains(&i) { last } else { 10 + round }).collect();
        assert!(*words(&one, mine) == expected, "round {round}");
        // SAFETY: the memory is mapped, and `words` maps it again.
        unsafe { one.device.unmap_memory(mine) };
    }
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    unsafe {
        for (gpu, buffer, memory) in [(&one, buffers[0], mine), (&two, buffers[1], theirs)] {
            gpu.device.destroy_buffer(buffer, None);
            gpu.device.free_memory(memory, None);
        }
    }
}

/// Files that could shrink, or are too short, are refused: an access would end the process.
#[test]
fn descriptors_of_anything_else_are_refused() {
    let gpu = gpu();
    let (memory, fd) = exported(&gpu, OPAQUE, SIZE);
    let refused = Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);
    assert_eq!(import(&gpu, OPAQUE, fd.as_raw_fd(), 1 << 20), refused, "too large");
    let file = std::fs::File::open("/proc/self/exe").unwrap();
    assert_eq!(import(&gpu, OPAQUE, file.as_raw_fd(), 4096), refused);
    let unsealed = rustix::fs::memfd_create("test", rustix::fs::MemfdFlags::ALLOW_SEALING).unwrap();
    rustix::fs::ftruncate(&unsealed, 1 << 20).unwrap();
    assert_eq!(import(&gpu, OPAQUE, unsealed.as_raw_fd(), 4096), refused);
    assert_eq!(import(&gpu, OPAQUE, -1, 4096), refused);
    // Refused descriptors stay open.
    assert!(rustix::fs::fstat(&fd).is_ok() && rustix::fs::fstat(&unsealed).is_ok());
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    unsafe { gpu.device.free_memory(memory, None) };
}

/// Sparse resources are bound to memory of the device only, so that no external memory fits them.
#[test]
fn sparse_images_have_no_external_memory() {
    let gpu = gpu();
    let host = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;
    for (sparse, kind) in [(false, OPAQUE), (false, host), (true, OPAQUE), (true, host)] {
        let flags = if sparse { vk::ImageCreateFlags::SPARSE_BINDING } else { Default::default() };
        let mut outside = vk::PhysicalDeviceExternalImageFormatInfo::default().handle_type(kind);
        let info = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(vk::Format::R8G8B8A8_UNORM)
            .ty(vk::ImageType::TYPE_2D)
            .tiling(vk::ImageTiling::OPTIMAL)
            .usage(vk::ImageUsageFlags::SAMPLED)
            .flags(flags)
            .push_next(&mut outside);
        let mut properties = vk::ImageFormatProperties2::default();
        // SAFETY: valid usage of Vulkan: the instance is live, and the structures outlive the call.
        let answer = unsafe {
            gpu.instance.get_physical_device_image_format_properties2(gpu.physical, &info, &mut properties)
        };
        let wanted = if sparse { Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED) } else { Ok(()) };
        assert_eq!(answer, wanted, "{sparse} {kind:?}");
    }
}

fn semaphore(
    gpu: &Gpu,
    kind: vk::SemaphoreType,
    export: vk::ExternalSemaphoreHandleTypeFlags,
) -> vk::Semaphore {
    let mut export = vk::ExportSemaphoreCreateInfo::default().handle_types(export);
    let mut kind = vk::SemaphoreTypeCreateInfo::default().semaphore_type(kind);
    let info = vk::SemaphoreCreateInfo::default().push_next(&mut export).push_next(&mut kind);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    unsafe { gpu.device.create_semaphore(&info, None) }.unwrap()
}

fn semaphore_fd(gpu: &Gpu, semaphore: vk::Semaphore, kind: vk::ExternalSemaphoreHandleTypeFlags) -> RawFd {
    let fds = ash::khr::external_semaphore_fd::Device::new(&gpu.instance, &gpu.device);
    let get = vk::SemaphoreGetFdInfoKHR::default().semaphore(semaphore).handle_type(kind);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    unsafe { fds.get_semaphore_fd(&get) }.unwrap()
}

fn import_semaphore(
    gpu: &Gpu,
    to: vk::Semaphore,
    fd: RawFd,
    kind: vk::ExternalSemaphoreHandleTypeFlags,
) -> Result<(), vk::Result> {
    let fds = ash::khr::external_semaphore_fd::Device::new(&gpu.instance, &gpu.device);
    let mut info = vk::ImportSemaphoreFdInfoKHR::default().semaphore(to).fd(fd).handle_type(kind);
    if kind == SYNC {
        info = info.flags(vk::SemaphoreImportFlags::TEMPORARY);
    }
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe { fds.import_semaphore_fd(&info) }
}

/// Submits a wait for or a signal of a binary semaphore, and returns the fence of the submission.
fn submit(gpu: &Gpu, wait: Option<vk::Semaphore>, signal: Option<vk::Semaphore>) -> vk::Fence {
    let (waits, signals) = (wait.as_slice(), signal.as_slice());
    let stages = [vk::PipelineStageFlags::ALL_COMMANDS];
    let info = vk::SubmitInfo::default()
        .wait_semaphores(waits)
        .wait_dst_stage_mask(&stages[..waits.len()])
        .signal_semaphores(signals);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let fence = gpu.device.create_fence(&Default::default(), None).unwrap();
        gpu.device.queue_submit(gpu.queue, &[info], fence).unwrap();
        fence
    }
}

fn done(gpu: &Gpu, fence: vk::Fence) {
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        gpu.device.wait_for_fences(&[fence], true, LONG).unwrap();
        gpu.device.destroy_fence(fence, None);
    }
}

#[test]
fn a_semaphore_of_one_device_orders_another() {
    let (one, two) = (gpu(), gpu());
    let opaque = vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD;
    let mine = semaphore(&one, vk::SemaphoreType::BINARY, opaque);
    let theirs = semaphore(&two, vk::SemaphoreType::BINARY, Default::default());
    import_semaphore(&two, theirs, semaphore_fd(&one, mine, opaque), opaque).unwrap();
    for _ in 0..20 {
        let waits = submit(&two, Some(theirs), None);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        assert!(!unsafe { two.device.get_fence_status(waits) }.unwrap(), "nothing is signaled yet");
        done(&one, submit(&one, None, Some(mine)));
        done(&two, waits);
    }
    // A timeline semaphore cannot import the payload of a binary one.
    let fd = semaphore_fd(&one, mine, opaque);
    let counter = semaphore(&two, vk::SemaphoreType::TIMELINE, Default::default());
    let refused = import_semaphore(&two, counter, fd, opaque);
    assert_eq!(refused, Err(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE));
    // SAFETY: valid usage of Vulkan; the refused descriptor still belongs to the application.
    unsafe {
        drop(OwnedFd::from_raw_fd(fd));
        one.device.destroy_semaphore(mine, None);
        two.device.destroy_semaphore(theirs, None);
        two.device.destroy_semaphore(counter, None);
    }
}

/// A copy becomes signaled with the operation that was pending when the copy was made. Spec: Vulkan, "Semaphore
/// Payloads".
#[test]
fn sync_descriptors_are_copies_that_can_be_polled() {
    let (one, two) = (gpu(), gpu());
    let (mine, theirs) =
        (semaphore(&one, vk::SemaphoreType::BINARY, SYNC), semaphore(&two, vk::SemaphoreType::BINARY, SYNC));
    // A signaled semaphore exports no descriptor, and is unsignaled afterwards.
    done(&one, submit(&one, None, Some(mine)));
    assert_eq!(semaphore_fd(&one, mine, SYNC), -1);
    import_semaphore(&two, theirs, -1, SYNC).unwrap();
    done(&two, submit(&two, Some(theirs), None));
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        // A signal that is still pending.
        let event = one.device.create_event(&Default::default(), None).unwrap();
        let info = vk::CommandBufferAllocateInfo::default().command_pool(one.pool).command_buffer_count(1);
        let cmd = one.device.allocate_command_buffers(&info).unwrap();
        one.device.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        let (host, all) = (vk::PipelineStageFlags::HOST, vk::PipelineStageFlags::ALL_COMMANDS);
        one.device.cmd_wait_events(cmd[0], &[event], host, all, &[], &[], &[]);
        one.device.end_command_buffer(cmd[0]).unwrap();
        let signals = [mine];
        let info = vk::SubmitInfo::default().command_buffers(&cmd).signal_semaphores(&signals);
        one.device.queue_submit(one.queue, &[info], vk::Fence::null()).unwrap();
        let fd = OwnedFd::from_raw_fd(semaphore_fd(&one, mine, SYNC));
        let copy = fd.try_clone().unwrap().into_raw_fd();
        import_semaphore(&two, theirs, copy, SYNC).unwrap();
        let waits = submit(&two, Some(theirs), None);
        let readable = |ms| {
            let mut list =
                [rustix::event::PollFd::from_borrowed_fd(fd.as_fd(), rustix::event::PollFlags::IN)];
            let time = rustix::event::Timespec { tv_sec: 0, tv_nsec: 0 };
            let time = if ms { None } else { Some(&time) };
            rustix::event::poll(&mut list, time).unwrap() == 1
        };
        assert!(!readable(false) && !two.device.get_fence_status(waits).unwrap());
        one.device.set_event(event).unwrap();
        assert!(readable(true));
        done(&two, waits);
        one.device.device_wait_idle().unwrap();
        one.device.destroy_event(event, None);
        one.device.destroy_semaphore(mine, None);
        two.device.destroy_semaphore(theirs, None);
    }
}

#[test]
fn fences_are_shared_until_they_are_reset() {
    let (one, two) = (gpu(), gpu());
    let opaque = vk::ExternalFenceHandleTypeFlags::OPAQUE_FD;
    let mut export = vk::ExportFenceCreateInfo::default().handle_types(opaque);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let mine =
            one.device.create_fence(&vk::FenceCreateInfo::default().push_next(&mut export), None).unwrap();
        let theirs = two.device.create_fence(&Default::default(), None).unwrap();
        let fds = ash::khr::external_fence_fd::Device::new(&one.instance, &one.device);
        let get = vk::FenceGetFdInfoKHR::default().fence(mine).handle_type(opaque);
        let fd = fds.get_fence_fd(&get).unwrap();
        let info = vk::ImportFenceFdInfoKHR::default()
            .fence(theirs)
            .fd(fd)
            .handle_type(opaque)
            .flags(vk::FenceImportFlags::TEMPORARY);
        ash::khr::external_fence_fd::Device::new(&two.instance, &two.device).import_fence_fd(&info).unwrap();
        assert!(!two.device.get_fence_status(theirs).unwrap());
        one.device.queue_submit(one.queue, &[], mine).unwrap();
        two.device.wait_for_fences(&[theirs], true, LONG).unwrap();
        // The fence's own payload is restored, and the other fence keeps the shared one.
        two.device.reset_fences(&[theirs]).unwrap();
        assert!(!two.device.get_fence_status(theirs).unwrap());
        assert!(one.device.get_fence_status(mine).unwrap());
        one.device.destroy_fence(mine, None);
        two.device.destroy_fence(theirs, None);
    }
}

/// Has no effect: the signal only interrupts calls of the system.
extern "C" fn interrupt(_: libc::c_int) {}

/// Signals that the program handles fail no import. Spec: Vulkan, vkImportFenceFdKHR.
#[test]
fn signals_fail_no_import() {
    use std::sync::atomic::{AtomicBool, Ordering};

    let gpu = gpu();
    let fds = ash::khr::external_fence_fd::Device::new(&gpu.instance, &gpu.device);
    let (reader, _writer) = std::io::pipe().unwrap();
    let over = AtomicBool::new(false);
    // SAFETY: valid usage of Vulkan: the fence is live, and a successful import owns its descriptor. The handler may run at
    // any time, and this thread lives until the one that sends it signals has ended.
    let failed = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = interrupt as extern "C" fn(libc::c_int) as libc::sighandler_t;
        assert_eq!(libc::sigaction(libc::SIGUSR1, &raw const action, std::ptr::null_mut()), 0);
        let fence = gpu.device.create_fence(&Default::default(), None).unwrap();
        let fails = |_: &u32| {
            let fd = reader.as_fd().try_clone_to_owned().unwrap().into_raw_fd();
            let info = vk::ImportFenceFdInfoKHR::default()
                .fence(fence)
                .fd(fd)
                .handle_type(vk::ExternalFenceHandleTypeFlags::SYNC_FD)
                .flags(vk::FenceImportFlags::TEMPORARY);
            let failed = fds.import_fence_fd(&info).is_err();
            if failed {
                drop(OwnedFd::from_raw_fd(fd));
            }
            failed
        };
        let thread = libc::pthread_self();
        let failed = std::thread::scope(|scope| {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    libc::pthread_kill(thread, libc::SIGUSR1);
                    std::thread::yield_now();
                }
            });
            let failed = (0..20_000).filter(fails).count();
            over.store(true, Ordering::Relaxed);
            failed
        });
        gpu.device.destroy_fence(fence, None);
        failed
    };
    assert_eq!(failed, 0, "imports that failed");
}

#[test]
fn memory_of_the_host_is_memory_of_the_device() {
    let gpu = gpu();
    let host = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;
    let layout = std::alloc::Layout::from_size_align(1 << 17, 4096).unwrap();
    // SAFETY: valid usage of Vulkan: the allocation outlives the memory object.
    unsafe {
        let bytes = std::alloc::alloc_zeroed(layout);
        let mut outside = vk::ExternalMemoryBufferCreateInfo::default().handle_types(host);
        let info = vk::BufferCreateInfo::default()
            .size(SIZE)
            .usage(vk::BufferUsageFlags::TRANSFER_DST | vk::BufferUsageFlags::STORAGE_BUFFER)
            .push_next(&mut outside);
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        let need = gpu.device.get_buffer_memory_requirements(buffer).size;
        // Programs (ffmpeg) bind all of the memory that they import.
        assert_eq!(need, SIZE);
        // Whole pages, as required, and the size that the buffer requires, as some programs do.
        let import = |size| {
            let mut from =
                vk::ImportMemoryHostPointerInfoEXT::default().handle_type(host).host_pointer(bytes.cast());
            let info = vk::MemoryAllocateInfo::default().allocation_size(size).push_next(&mut from);
            gpu.device.allocate_memory(&info, None).unwrap()
        };
        gpu.device.free_memory(import(1 << 17), None);
        let memory = import(need);
        gpu.device.bind_buffer_memory(buffer, memory, 0).unwrap();
        gpu.run(|c| gpu.device.cmd_fill_buffer(c, buffer, 0, SIZE, 0x0101_0101));
        let filled = std::slice::from_raw_parts(bytes, 1 << 17);
        assert!(
            filled[..SIZE as usize].iter().all(|b| *b == 1)
                && filled[SIZE as usize..].iter().all(|b| *b == 0)
        );
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
        std::alloc::dealloc(bytes, layout);
    }
}

/// Shaders read and write the last bytes of imported memory, and nothing behind it: the next page is inaccessible.
/// Accesses past the end of a range read zeros and are dropped.
#[test]
fn shaders_use_memory_of_the_host_to_its_end() {
    const PAGE: u64 = 4096;
    let gpu = gpu();
    let page = Guarded::new(PAGE as usize, 0, PAGE as usize).unwrap();
    let recipe = Recipe::new(&gpu).unwrap();
    let pipeline = recipe.pipeline(&gpu, vk::PipelineCache::null()).unwrap();
    let [a, b, sum] = sum::buffers(&gpu, 1);
    let host = vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;
    // SAFETY: valid usage of Vulkan: the page outlives the memory object, whose commands are done when `run` returns.
    unsafe {
        let d = &gpu.device;
        let words = page.as_ptr().cast::<f32>().add(PAGE as usize / 4 - 4);
        let mut outside = vk::ExternalMemoryBufferCreateInfo::default().handle_types(host);
        let usage = vk::BufferUsageFlags::STORAGE_BUFFER;
        let info = vk::BufferCreateInfo::default().size(PAGE).usage(usage).push_next(&mut outside);
        let buffer = d.create_buffer(&info, None).unwrap();
        let mut from = vk::ImportMemoryHostPointerInfoEXT::default()
            .handle_type(host)
            .host_pointer(page.as_ptr().cast());
        let info = vk::MemoryAllocateInfo::default().allocation_size(PAGE).push_next(&mut from);
        let memory = d.allocate_memory(&info, None).unwrap();
        d.bind_buffer_memory(buffer, memory, 0).unwrap();
        // The last bytes of the page are a factor, then the result. The shader accesses 64 words; the bound range has four
        // words, or one.
        for (binding, size) in [(0, 16), (2, 16), (0, 4), (2, 4)] {
            let kept = [8.0, 16.0, 32.0, 64.0];
            words.cast::<[f32; 4]>().write_unaligned(kept);
            let (pool, set) = recipe.set(&gpu, [a.buffer, b.buffer, sum.buffer]).unwrap();
            let range = [vk::DescriptorBufferInfo { buffer, offset: PAGE - 16, range: size }];
            let write = vk::WriteDescriptorSet::default().dst_set(set).dst_binding(binding);
            let storage = vk::DescriptorType::STORAGE_BUFFER;
            d.update_descriptor_sets(&[write.descriptor_type(storage).buffer_info(&range)], &[]);
            gpu.run(|cmd| recipe.record(&gpu, cmd, pipeline, set, 64));
            let inside = |i: usize| i < size as usize / 4;
            let (first, second) = (a.read::<f32>(), b.read::<f32>());
            if binding == 0 {
                let want: Vec<f32> =
                    (0..64).map(|i| second[i] + if inside(i) { kept[i] } else { 0.0 }).collect();
                assert_eq!(sum.read::<f32>()[..64], want, "{size} bytes");
            } else {
                let want = [0, 1, 2, 3].map(|i| if inside(i) { first[i] + second[i] } else { kept[i] });
                assert_eq!(words.cast::<[f32; 4]>().read_unaligned(), want, "{size} bytes");
            }
            d.destroy_descriptor_pool(pool, None);
        }
        d.destroy_pipeline(pipeline, None);
        d.destroy_pipeline_layout(recipe.layout, None);
        d.destroy_descriptor_set_layout(recipe.set_layout, None);
        d.destroy_shader_module(recipe.module, None);
        d.destroy_buffer(buffer, None);
        d.free_memory(memory, None);
    }
    [a, b, sum].into_iter().for_each(|buffer| buffer.destroy(&gpu));
}

/// Body of the other process: fills the memory, then signals.
fn child(memory: RawFd, counter: RawFd) {
    let gpu = gpu();
    let opaque = vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD;
    let memory = import(&gpu, OPAQUE, memory, SIZE).unwrap();
    let order = semaphore(&gpu, vk::SemaphoreType::TIMELINE, Default::default());
    import_semaphore(&gpu, order, counter, opaque).unwrap();
    let timelines = ash::khr::timeline_semaphore::Device::new(&gpu.instance, &gpu.device);
    let (list, values) = ([order], [1]);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let wait = vk::SemaphoreWaitInfo::default().semaphores(&list).values(&values);
        timelines.wait_semaphores(&wait, LONG).unwrap();
        assert_eq!(words(&gpu, memory)[0], 5);
        let filled = buffer(&gpu, memory);
        gpu.run(|c| gpu.device.cmd_fill_buffer(c, filled, 0, SIZE, 6));
        timelines.signal_semaphore(&vk::SemaphoreSignalInfo::default().semaphore(order).value(2)).unwrap();
        gpu.device.destroy_buffer(filled, None);
        gpu.device.free_memory(memory, None);
        gpu.device.destroy_semaphore(order, None);
    }
}

#[test]
fn two_processes_have_the_same_memory_and_counter() {
    if let Some(fds) = TEST_CHILD.get() {
        let (memory, counter) = fds.split_once(' ').unwrap();
        return child(memory.parse().unwrap(), counter.parse().unwrap());
    }
    let gpu = gpu();
    let opaque = vk::ExternalSemaphoreHandleTypeFlags::OPAQUE_FD;
    let (memory, fd) = exported(&gpu, OPAQUE, SIZE);
    let order = semaphore(&gpu, vk::SemaphoreType::TIMELINE, opaque);
    // SAFETY: the exported descriptor belongs to the application.
    let counter = unsafe { OwnedFd::from_raw_fd(semaphore_fd(&gpu, order, opaque)) };
    for fd in [&fd, &counter] {
        rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty()).unwrap();
    }
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "two_processes_have_the_same_memory_and_counter", "--test-threads=1"]);
    command.env(TEST_CHILD.name, format!("{} {}", fd.as_raw_fd(), counter.as_raw_fd()));
    let mut other = command.spawn().unwrap();
    words(&gpu, memory)[0] = 5;
    let timelines = ash::khr::timeline_semaphore::Device::new(&gpu.instance, &gpu.device);
    let (list, values) = ([order], [2]);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        timelines.signal_semaphore(&vk::SemaphoreSignalInfo::default().semaphore(order).value(1)).unwrap();
        let wait = vk::SemaphoreWaitInfo::default().semaphores(&list).values(&values);
        let waited = timelines.wait_semaphores(&wait, LONG);
        assert!(other.wait().unwrap().success());
        waited.unwrap();
        assert!(words(&gpu, memory).iter().all(|w| *w == 6));
        gpu.device.free_memory(memory, None);
        gpu.device.destroy_semaphore(order, None);
    }
}
