//! Memory and images shared with other drivers: dma-bufs and the linear layout. If the kernel cannot make dma-bufs from
//! memory, or offers no dma-buf heap, the tests that need them are skipped.

#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "a Vulkan client")]

mod common;

use std::ffi::CStr;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd, RawFd};

use ash::vk;
use common::outside::{exported, import};
use common::{Gpu, WHOLE};
use quadrille_jit::testing::{self, Requirement};
use rustix::fs::{MemfdFlags, Mode, OFlags, SealFlags};
use rustix::mm::{MapFlags, ProtFlags};

type Kind = vk::ExternalMemoryHandleTypeFlags;

const DMA_BUF: &CStr = c"VK_EXT_external_memory_dma_buf";
const NAMES: [&CStr; 4] = [
    c"VK_KHR_external_memory_fd",
    c"VK_KHR_image_format_list",
    c"VK_EXT_image_drm_format_modifier",
    c"VK_EXT_queue_family_foreign",
];
const REFUSED: vk::Result = vk::Result::ERROR_INVALID_EXTERNAL_HANDLE;
const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;
/// DRM_FORMAT_MOD_LINEAR of `drm/drm_fourcc.h`, and a modifier of one vendor: I915_FORMAT_MOD_X_TILED.
const LINEAR: u64 = 0;
const TILED: u64 = 0x0100_0000_0000_0001;
const SIZE: u64 = 1 << 16;

/// `true` if the kernel lets this process make dma-bufs from memory.
fn kernel_makes_them() -> bool {
    rustix::fs::open("/dev/udmabuf", OFlags::RDWR, Mode::empty()).is_ok()
}

/// Creates a device with dma-bufs; `None` if the kernel does not support them.
fn gpu() -> Option<Gpu> {
    if !kernel_makes_them() {
        testing::skipped(Requirement::DmaBuf, "/dev/udmabuf does not open");
        return None;
    }
    let names: Vec<&CStr> = NAMES.into_iter().chain([DMA_BUF]).collect();
    Some(Gpu::new(&names))
}

fn extensions(gpu: &Gpu) -> Vec<String> {
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let all = unsafe { gpu.instance.enumerate_device_extension_properties(gpu.physical) }.unwrap();
    all.iter().map(|e| e.extension_name_as_c_str().unwrap().to_str().unwrap().into()).collect()
}

/// The bytes behind a descriptor, mapped without Vulkan.
struct Bytes {
    at: *mut u8,
    size: usize,
}

impl Bytes {
    fn of(fd: &OwnedFd, size: u64) -> Bytes {
        let (rights, size) = (ProtFlags::READ | ProtFlags::WRITE, size as usize);
        // SAFETY: without `FIXED` the kernel chooses unused addresses, so no existing mapping changes.
        let at = unsafe { rustix::mm::mmap(std::ptr::null_mut(), size, rights, MapFlags::SHARED, fd, 0) };
        Bytes { at: at.unwrap().cast(), size }
    }

    fn get(&self, at: u64) -> u8 {
        assert!((at as usize) < self.size);
        // SAFETY: the tests pass offsets within the mapping.
        unsafe { self.at.add(at as usize).read_volatile() }
    }

    fn set(&self, at: u64, byte: u8) {
        assert!((at as usize) < self.size);
        // SAFETY: the tests pass offsets within the mapping.
        unsafe { self.at.add(at as usize).write_volatile(byte) }
    }

    fn texel(&self, at: u64) -> [u8; 4] {
        std::array::from_fn(|i| self.get(at + i as u64))
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: `self` owns the mapping, and no pointer to it remains.
        unsafe { rustix::mm::munmap(self.at.cast(), self.size) }.unwrap();
    }
}

/// Fills memory with a word, on the device.
fn fill(gpu: &Gpu, kind: Kind, memory: vk::DeviceMemory, word: u32) {
    let mut outside = vk::ExternalMemoryBufferCreateInfo::default().handle_types(kind);
    let usage = vk::BufferUsageFlags::TRANSFER_DST;
    let info = vk::BufferCreateInfo::default().size(SIZE).usage(usage).push_next(&mut outside);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        gpu.device.bind_buffer_memory(buffer, memory, 0).unwrap();
        gpu.run(|c| gpu.device.cmd_fill_buffer(c, buffer, 0, SIZE, word));
        gpu.device.destroy_buffer(buffer, None);
    }
}

/// Spec: Vulkan, VK_EXT_external_memory_dma_buf.
#[test]
fn dma_bufs_are_offered_where_the_kernel_makes_them() {
    let gpu = Gpu::new(&NAMES);
    let offered = kernel_makes_them();
    assert_eq!(extensions(&gpu).iter().any(|name| name.as_bytes() == DMA_BUF.to_bytes()), offered);
    let usage = vk::BufferUsageFlags::TRANSFER_DST;
    let info = vk::PhysicalDeviceExternalBufferInfo::default().usage(usage).handle_type(Kind::DMA_BUF_EXT);
    let mut out = vk::ExternalBufferProperties::default();
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    unsafe { gpu.instance.get_physical_device_external_buffer_properties(gpu.physical, &info, &mut out) };
    use vk::ExternalMemoryFeatureFlags as F;
    let (out, both) = (out.external_memory_properties, F::EXPORTABLE | F::IMPORTABLE);
    assert_eq!(out.external_memory_features, if offered { both } else { F::empty() });
    assert_eq!(out.compatible_handle_types, Kind::DMA_BUF_EXT);
    assert_eq!(out.export_from_imported_handle_types.is_empty(), !offered);
    let file = rustix::fs::memfd_create("test", MemfdFlags::CLOEXEC).unwrap();
    assert_eq!(import(&gpu, Kind::DMA_BUF_EXT, file.as_raw_fd(), 1), Err(REFUSED));
}

#[test]
fn two_devices_and_the_host_have_the_same_bytes() {
    let (Some(one), Some(two)) = (gpu(), gpu()) else { return };
    let kind = Kind::DMA_BUF_EXT;
    let (mine, fd) = exported(&one, kind, SIZE);
    let host = Bytes::of(&fd, SIZE);
    assert_eq!(host.get(SIZE - 1), 0, "fresh memory is zero");
    let theirs = import(&two, kind, fd.try_clone().unwrap().into_raw_fd(), SIZE).unwrap();
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let map = |gpu: &Gpu, memory| {
            let at = gpu.device.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).unwrap();
            at.cast::<u8>()
        };
        let (here, there) = (map(&one, mine), map(&two, theirs));
        host.set(5, 7);
        assert_eq!((here.add(5).read_volatile(), there.add(5).read_volatile()), (7, 7));
        there.add(6).write_volatile(8);
        assert_eq!((here.add(6).read_volatile(), host.get(6)), (8, 8));
        fill(&one, kind, mine, 0x0101_0101);
        assert!((0..SIZE).all(|at| host.get(at) == 1 && there.add(at as usize).read_volatile() == 1));
        fill(&two, kind, theirs, 0x0202_0202);
        assert!((0..SIZE).all(|at| host.get(at) == 2 && here.add(at as usize).read_volatile() == 2));
        // Imported memory can be exported again; either side may be freed first.
        one.device.free_memory(mine, None);
        let fds = ash::khr::external_memory_fd::Device::new(&two.instance, &two.device);
        let get = vk::MemoryGetFdInfoKHR::default().memory(theirs).handle_type(kind);
        let again = OwnedFd::from_raw_fd(fds.get_memory_fd(&get).unwrap());
        host.set(9, 9);
        assert_eq!(Bytes::of(&again, SIZE).get(9), 9);
        assert_eq!(there.add(9).read_volatile(), 9);
        two.device.free_memory(theirs, None);
    }
}

#[test]
fn descriptors_of_anything_else_are_refused() {
    let Some(gpu) = gpu() else { return };
    let (memory, fd) = exported(&gpu, Kind::DMA_BUF_EXT, SIZE);
    let (opaque, file) = exported(&gpu, Kind::OPAQUE_FD, SIZE);
    let program = std::fs::File::open("/proc/self/exe").unwrap();
    let sealed = rustix::fs::memfd_create("test", MemfdFlags::ALLOW_SEALING).unwrap();
    rustix::fs::ftruncate(&sealed, SIZE).unwrap();
    rustix::fs::fcntl_add_seals(&sealed, SealFlags::SHRINK).unwrap();
    let fds = ash::khr::external_memory_fd::Device::new(&gpu.instance, &gpu.device);
    let asked = |fd: BorrowedFd<'_>| {
        let mut out = vk::MemoryFdPropertiesKHR::default();
        // SAFETY: valid usage of Vulkan, except for foreign descriptors, which the driver checks.
        let told = unsafe { fds.get_memory_fd_properties(Kind::DMA_BUF_EXT, fd.as_raw_fd(), &mut out) };
        told.map(|()| out.memory_type_bits)
    };
    assert!(asked(fd.as_fd()).unwrap() != 0);
    for other in [file.as_fd(), program.as_fd(), sealed.as_fd()] {
        assert_eq!(asked(other), Err(REFUSED));
        assert_eq!(import(&gpu, Kind::DMA_BUF_EXT, other.as_raw_fd(), 4096), Err(REFUSED));
        assert!(rustix::fs::fstat(other).is_ok(), "still open");
    }
    assert_eq!(import(&gpu, Kind::DMA_BUF_EXT, fd.as_raw_fd(), SIZE + 4096), Err(REFUSED), "too large");
    assert_eq!(import(&gpu, Kind::OPAQUE_FD, fd.as_raw_fd(), 4096), Err(REFUSED));
    assert_eq!(import(&gpu, Kind::DMA_BUF_EXT, -1, 4096), Err(REFUSED));
    let of_other_kind = vk::MemoryGetFdInfoKHR::default().memory(opaque).handle_type(Kind::DMA_BUF_EXT);
    // SAFETY: valid usage of Vulkan, except for the handle type, which the driver checks.
    unsafe {
        assert_eq!(fds.get_memory_fd(&of_other_kind), Err(REFUSED));
        gpu.device.free_memory(memory, None);
        gpu.device.free_memory(opaque, None);
    }
}

/// Create info of an image of a size, without its layout.
fn image_info<'a>(width: u32, height: u32) -> vk::ImageCreateInfo<'a> {
    vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(FORMAT)
        .extent(vk::Extent3D { width, height, depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .tiling(vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT)
        .usage(vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST)
}

/// Creates an image with an explicit layout.
fn image_at(gpu: &Gpu, kind: Kind, size: [u32; 2], offset: u64, pitch: u64) -> Result<vk::Image, vk::Result> {
    let layouts = [vk::SubresourceLayout { offset, row_pitch: pitch, ..Default::default() }];
    let mut lies = vk::ImageDrmFormatModifierExplicitCreateInfoEXT::default()
        .drm_format_modifier(LINEAR)
        .plane_layouts(&layouts);
    let mut outside = vk::ExternalMemoryImageCreateInfo::default().handle_types(kind);
    let info = image_info(size[0], size[1]).push_next(&mut lies).push_next(&mut outside);
    // SAFETY: valid usage of Vulkan, except for invalid layouts, which the driver checks.
    unsafe { gpu.device.create_image(&info, None) }
}

/// Gives all texels the first colour, except the last texel of the last row, which gets the second.
fn paint(gpu: &Gpu, image: vk::Image, [width, height]: [u32; 2], colors: [[f32; 4]; 2]) {
    let general = vk::ImageLayout::GENERAL;
    let staging = gpu.buffer(4, vk::BufferUsageFlags::TRANSFER_SRC);
    staging.write(&colors[1].map(|c| (c * 255.0) as u8));
    let layers =
        vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1);
    let last = vk::BufferImageCopy::default()
        .image_subresource(layers)
        .image_offset(vk::Offset3D { x: width as i32 - 1, y: height as i32 - 1, z: 0 })
        .image_extent(vk::Extent3D { width: 1, height: 1, depth: 1 });
    let foreign = vk::QUEUE_FAMILY_FOREIGN_EXT;
    // The next owner of the image sees all writes.
    let barrier = |from, to| {
        [vk::ImageMemoryBarrier::default()
            .image(image)
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .new_layout(general)
            .subresource_range(WHOLE)
            .src_queue_family_index(from)
            .dst_queue_family_index(to)]
    };
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    gpu.run(|c| unsafe {
        let d = &gpu.device;
        d.cmd_pipeline_barrier(c, all, all, Default::default(), &[], &[], &barrier(foreign, 0));
        let color = vk::ClearColorValue { float32: colors[0] };
        d.cmd_clear_color_image(c, image, general, &color, &[WHOLE]);
        gpu.barrier(c);
        d.cmd_copy_buffer_to_image(c, staging.buffer, image, general, &[last]);
        d.cmd_pipeline_barrier(c, all, all, Default::default(), &[], &[], &barrier(0, foreign));
    });
    staging.destroy(gpu);
}

const RED: [f32; 4] = [1.0, 0.0, 0.0, 1.0];
const GREEN: [f32; 4] = [0.0, 1.0, 0.0, 1.0];

/// One device creates an image with a layout of its choice; another device imports it with that layout.
fn shared_image(one: &Gpu, two: &Gpu, kind: Kind) {
    let size @ [width, height] = [37, 11];
    let list = [TILED, LINEAR];
    let mut one_of = vk::ImageDrmFormatModifierListCreateInfoEXT::default().drm_format_modifiers(&list);
    let mut outside = vk::ExternalMemoryImageCreateInfo::default().handle_types(kind);
    let info = image_info(width, height).push_next(&mut one_of).push_next(&mut outside);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let mine = one.device.create_image(&info, None).unwrap();
        let modifiers = ash::ext::image_drm_format_modifier::Device::new(&one.instance, &one.device);
        let mut which = vk::ImageDrmFormatModifierPropertiesEXT::default().drm_format_modifier(99);
        modifiers.get_image_drm_format_modifier_properties(mine, &mut which).unwrap();
        assert_eq!(which.drm_format_modifier, LINEAR);
        let plane = vk::ImageSubresource::default().aspect_mask(vk::ImageAspectFlags::MEMORY_PLANE_0_EXT);
        let lies = one.device.get_image_subresource_layout(mine, plane);
        assert!(lies.row_pitch >= u64::from(width) * 4 && lies.size >= lies.row_pitch * u64::from(height));
        let need = one.device.get_image_memory_requirements(mine);
        let (memory, fd) = exported(one, kind, need.size);
        one.device.bind_image_memory(mine, memory, 0).unwrap();
        let host = Bytes::of(&fd, need.size);
        let theirs = image_at(two, kind, size, lies.offset, lies.row_pitch).unwrap();
        assert_eq!(two.device.get_image_memory_requirements(theirs).size, need.size);
        let imported = import(two, kind, fd.try_clone().unwrap().into_raw_fd(), need.size).unwrap();
        two.device.bind_image_memory(theirs, imported, 0).unwrap();
        let last = lies.offset + u64::from(height - 1) * lies.row_pitch + u64::from(width - 1) * 4;
        for (gpu, image, colors) in [(one, mine, [RED, GREEN]), (two, theirs, [GREEN, RED])] {
            paint(gpu, image, size, colors);
            let bytes = |color: [f32; 4]| color.map(|c| (c * 255.0) as u8);
            assert_eq!(host.texel(last), bytes(colors[1]));
            assert_eq!(host.texel(last - 4), bytes(colors[0]));
            assert_eq!(host.texel(lies.offset + lies.row_pitch), bytes(colors[0]));
        }
        // The device that did not paint sees the same texels.
        let out = one.buffer(u64::from(width * height * 4), vk::BufferUsageFlags::TRANSFER_DST);
        let layers =
            vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1);
        let all = vk::BufferImageCopy::default().image_subresource(layers).image_extent(info.extent);
        let general = vk::ImageLayout::GENERAL;
        one.run(|c| one.device.cmd_copy_image_to_buffer(c, mine, general, out.buffer, &[all]));
        let texels = out.read::<[u8; 4]>();
        assert!(texels[..texels.len() - 1].iter().all(|t| *t == [0, 255, 0, 255]));
        assert_eq!(texels.last(), Some(&[255, 0, 0, 255]));
        out.destroy(one);
        for (gpu, image, memory) in [(one, mine, memory), (two, theirs, imported)] {
            gpu.device.destroy_image(image, None);
            gpu.device.free_memory(memory, None);
        }
    }
}

/// Format modifiers do not require dma-bufs. Spec: Vulkan, VK_EXT_image_drm_format_modifier.
#[test]
fn images_are_shared_with_their_layout() {
    shared_image(&Gpu::new(&NAMES), &Gpu::new(&NAMES), Kind::OPAQUE_FD);
    let (Some(one), Some(two)) = (gpu(), gpu()) else { return };
    shared_image(&one, &two, Kind::DMA_BUF_EXT);
}

/// `struct dma_heap_allocation_data` of `linux/dma-heap.h`.
#[repr(C)]
struct FromHeap {
    len: u64,
    fd: u32,
    fd_flags: u32,
    heap_flags: u64,
}

/// Allocates a dma-buf from the kernel's heap, which no Vulkan driver made.
fn of_the_kernel(size: u64) -> Option<OwnedFd> {
    let heap = rustix::fs::open("/dev/dma_heap/system", OFlags::RDWR, Mode::empty());
    let Ok(heap) = heap else {
        testing::skipped(Requirement::DmaBuf, "/dev/dma_heap/system does not open");
        return None;
    };
    const ALLOC: rustix::ioctl::Opcode = rustix::ioctl::opcode::read_write::<FromHeap>(b'H', 0);
    let flags = (OFlags::RDWR | OFlags::CLOEXEC).bits();
    let mut data = FromHeap { len: size, fd: 0, fd_flags: flags, heap_flags: 0 };
    // SAFETY: the opcode belongs to the structure, and the returned descriptor is new and has no other owner.
    unsafe {
        rustix::ioctl::ioctl(&heap, rustix::ioctl::Updater::<ALLOC, _>::new(&mut data)).unwrap();
        Some(OwnedFd::from_raw_fd(data.fd as RawFd))
    }
}

/// An image in memory of another driver, with the tightest row pitch and no byte behind the last row.
#[test]
fn images_lie_in_memory_of_other_drivers() {
    let size @ [width, height] = [33, 31];
    let (pitch, offset) = (u64::from(width) * 4, 4);
    // 4096 bytes are one page: nothing is left behind the last row.
    assert_eq!(offset + pitch * u64::from(height), 4096);
    let Some(gpu) = gpu() else { return };
    let Some(fd) = of_the_kernel(4096) else { return };
    let (host, kind) = (Bytes::of(&fd, 4096), Kind::DMA_BUF_EXT);
    // SAFETY: valid usage of Vulkan: all objects are live while the calls use them.
    unsafe {
        let image = image_at(&gpu, kind, size, offset, pitch).unwrap();
        assert_eq!(gpu.device.get_image_memory_requirements(image).size, 4096);
        let memory = import(&gpu, kind, fd.into_raw_fd(), 4096).unwrap();
        gpu.device.bind_image_memory(image, memory, 0).unwrap();
        host.set(0, 77);
        paint(&gpu, image, size, [RED, GREEN]);
        assert_eq!((host.get(0), host.texel(4), host.texel(4092)), (77, [255, 0, 0, 255], [0, 255, 0, 255]));
        assert_eq!(host.texel(4 + pitch), [255, 0, 0, 255]);
        gpu.device.destroy_image(image, None);
        gpu.device.free_memory(memory, None);
    }
}

/// Unsupported modifiers, and plane layouts that the format does not allow, are refused.
#[test]
fn other_layouts_are_refused() {
    let gpu = Gpu::new(&NAMES);
    let wrong = Err(vk::Result::ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT);
    for (offset, pitch) in [(0, 124), (2, 128), (0, 130), (0, 1 << 40), (u64::MAX - 3, 128)] {
        assert_eq!(image_at(&gpu, Kind::OPAQUE_FD, [32, 32], offset, pitch), wrong, "{offset} {pitch}");
    }
    let list = [TILED];
    let mut one_of = vk::ImageDrmFormatModifierListCreateInfoEXT::default().drm_format_modifiers(&list);
    let info = image_info(32, 32).push_next(&mut one_of);
    // SAFETY: valid usage of Vulkan, except for the modifier, which the driver checks.
    assert_eq!(unsafe { gpu.device.create_image(&info, None) }, Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED));
    for (modifier, offered) in [(LINEAR, true), (TILED, false)] {
        let mut which =
            vk::PhysicalDeviceImageDrmFormatModifierInfoEXT::default().drm_format_modifier(modifier);
        let info = vk::PhysicalDeviceImageFormatInfo2::default()
            .format(FORMAT)
            .ty(vk::ImageType::TYPE_2D)
            .tiling(vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT)
            .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::SAMPLED)
            .push_next(&mut which);
        let mut out = vk::ImageFormatProperties2::default();
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        let told = unsafe {
            gpu.instance.get_physical_device_image_format_properties2(gpu.physical, &info, &mut out)
        };
        assert_eq!(told.is_ok(), offered);
        let one = vk::SampleCountFlags::TYPE_1;
        let made = out.image_format_properties;
        assert!(!offered || (made.max_extent.width >= 4096 && made.sample_counts == one));
    }
}

/// Returns the modifiers of a format: number of planes and features of the linear layout.
fn layouts(gpu: &Gpu, format: vk::Format) -> Vec<vk::DrmFormatModifierPropertiesEXT> {
    let ask = |list: &mut vk::DrmFormatModifierPropertiesListEXT<'_>| {
        let mut out = vk::FormatProperties2::default().push_next(list);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        unsafe { gpu.instance.get_physical_device_format_properties2(gpu.physical, format, &mut out) };
        out.format_properties.linear_tiling_features
    };
    let mut list = vk::DrmFormatModifierPropertiesListEXT::default();
    let features = ask(&mut list);
    let mut all = vec![Default::default(); list.drm_format_modifier_count as usize];
    let mut list = vk::DrmFormatModifierPropertiesListEXT::default().drm_format_modifier_properties(&mut all);
    ask(&mut list);
    assert!(all.iter().all(|l| l.drm_format_modifier_tiling_features == features));
    all
}

#[test]
fn formats_tell_their_layouts() {
    let gpu = Gpu::new(&NAMES);
    let told = |format| {
        let all = layouts(&gpu, format);
        all.iter().map(|l| (l.drm_format_modifier, l.drm_format_modifier_plane_count)).collect::<Vec<_>>()
    };
    assert_eq!(told(FORMAT), [(LINEAR, 1)]);
    assert_eq!(told(vk::Format::G8_B8R8_2PLANE_420_UNORM), [(LINEAR, 2)]);
    assert_eq!(told(vk::Format::G8_B8_R8_3PLANE_420_UNORM), [(LINEAR, 3)]);
    assert!(told(vk::Format::D32_SFLOAT).is_empty());
}
