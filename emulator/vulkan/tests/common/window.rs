//! Surfaces and swapchains, and images to present.

use std::cell::Cell;
use std::ffi::{CStr, c_void};

use ash::prelude::VkResult;
use ash::vk;

use super::{Gpu, Mapped};

/// Present modes of swapchains with a shared image, which is acquired once.
pub const SHARED: [vk::PresentModeKHR; 2] =
    [vk::PresentModeKHR::SHARED_DEMAND_REFRESH, vk::PresentModeKHR::SHARED_CONTINUOUS_REFRESH];

/// VkPhysicalDevicePresentTimingFeaturesEXT.
#[repr(C)]
struct Timing {
    ty: vk::StructureType,
    next: *const c_void,
    on: [vk::Bool32; 3],
}

/// A feature structure that the bindings lack, with its only feature enabled.
#[repr(C)]
struct Newer {
    ty: vk::StructureType,
    next: *const c_void,
    on: vk::Bool32,
}

/// Extensions for the window systems of this host.
const SYSTEMS: &[&CStr] = if cfg!(windows) {
    &[c"VK_KHR_win32_surface"]
} else if cfg!(target_os = "linux") {
    &[c"VK_KHR_xcb_surface", c"VK_KHR_xlib_surface", c"VK_KHR_wayland_surface"]
} else {
    &[]
};

/// Extensions for semaphores of other devices.
const OUTSIDE: &[&CStr] = if cfg!(target_os = "linux") { &[c"VK_KHR_external_semaphore_fd"] } else { &[] };

/// A device with presentation enabled and with two queues, and the commands for it.
pub struct Windows {
    pub gpu: Gpu,
    pub surface: ash::khr::surface::Instance,
    pub capabilities2: ash::khr::get_surface_capabilities2::Instance,
    pub swapchain: ash::khr::swapchain::Device,
    pub present_wait: ash::khr::present_wait::Device,
    pub maintenance1: ash::ext::swapchain_maintenance1::Device,
    pub shared: ash::khr::shared_presentable_image::Device,
}

impl Windows {
    /// Enables all extensions for presentation.
    pub fn new() -> Windows {
        let of_instance = [
            c"VK_KHR_surface",
            c"VK_KHR_get_surface_capabilities2",
            c"VK_EXT_surface_maintenance1",
            c"VK_KHR_surface_protected_capabilities",
            c"VK_EXT_swapchain_colorspace",
            c"VK_EXT_headless_surface",
        ];
        let of_instance = [&of_instance, SYSTEMS].concat();
        let extensions = [
            c"VK_KHR_swapchain",
            c"VK_KHR_swapchain_mutable_format",
            c"VK_KHR_image_format_list",
            c"VK_KHR_maintenance2",
            c"VK_KHR_incremental_present",
            c"VK_KHR_present_id",
            c"VK_KHR_present_wait",
            c"VK_EXT_swapchain_maintenance1",
            c"VK_EXT_hdr_metadata",
            c"VK_EXT_image_compression_control",
            c"VK_EXT_image_compression_control_swapchain",
            c"VK_KHR_shared_presentable_image",
            c"VK_KHR_present_id2",
            c"VK_KHR_present_wait2",
            c"VK_KHR_present_mode_fifo_latest_ready",
            c"VK_KHR_calibrated_timestamps",
            c"VK_EXT_present_timing",
            c"VK_KHR_create_renderpass2",
            c"VK_KHR_depth_stencil_resolve",
            c"VK_EXT_multisampled_render_to_single_sampled",
            c"VK_EXT_multisampled_render_to_swapchain",
        ];
        let extensions = [&extensions, OUTSIDE].concat();
        let mut id = vk::PhysicalDevicePresentIdFeaturesKHR::default().present_id(true);
        let mut wait = vk::PhysicalDevicePresentWaitFeaturesKHR::default().present_wait(true);
        let mut maintenance =
            vk::PhysicalDeviceSwapchainMaintenance1FeaturesEXT::default().swapchain_maintenance1(true);
        let mut compression =
            vk::PhysicalDeviceImageCompressionControlFeaturesEXT::default().image_compression_control(true);
        let mut of_swapchain = vk::PhysicalDeviceImageCompressionControlSwapchainFeaturesEXT::default()
            .image_compression_control_swapchain(true);
        // Features that the bindings lack.
        let mut newer = [1_000_479_002, 1_000_480_001, 1_000_361_000, 1_000_616_000].map(|ty| {
            let (ty, next) = (vk::StructureType::from_raw(ty), std::ptr::null());
            Newer { ty, next, on: vk::TRUE }
        });
        let mut timing = Timing {
            ty: vk::StructureType::from_raw(1_000_208_000),
            next: std::ptr::null(),
            on: [vk::TRUE; 3],
        };
        let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0; 2])];
        let gpu = Gpu::with_all(&queues, &of_instance, &extensions, |info| {
            let info = info.push_next(&mut id).push_next(&mut wait).push_next(&mut maintenance);
            let mut info = info.push_next(&mut compression).push_next(&mut of_swapchain);
            for one in &mut newer {
                one.next = info.p_next;
                info.p_next = (&raw const *one).cast();
            }
            timing.next = info.p_next;
            info.p_next = (&raw const timing).cast();
            info
        });
        let gpu = gpu.expect("the extensions are supported");
        let entry = vk_quadrille::entry();
        let (i, d) = (&gpu.instance, &gpu.device);
        Windows {
            surface: ash::khr::surface::Instance::new(&entry, i),
            capabilities2: ash::khr::get_surface_capabilities2::Instance::new(&entry, i),
            swapchain: ash::khr::swapchain::Device::new(i, d),
            present_wait: ash::khr::present_wait::Device::new(i, d),
            maintenance1: ash::ext::swapchain_maintenance1::Device::new(i, d),
            shared: ash::khr::shared_presentable_image::Device::new(i, d),
            gpu,
        }
    }

    /// Creates a headless surface.
    pub fn headless(&self) -> vk::SurfaceKHR {
        let commands = ash::ext::headless_surface::Instance::new(&vk_quadrille::entry(), &self.gpu.instance);
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { commands.create_headless_surface(&Default::default(), None) }.unwrap()
    }

    /// Create info of most swapchains here: three images that can be copied to and from.
    pub fn info<'a>(surface: vk::SurfaceKHR, [width, height]: [u32; 2]) -> vk::SwapchainCreateInfoKHR<'a> {
        vk::SwapchainCreateInfoKHR::default()
            .surface(surface)
            .min_image_count(3)
            .image_format(vk::Format::B8G8R8A8_UNORM)
            .image_extent(vk::Extent2D { width, height })
            .image_array_layers(1)
            .image_usage(vk::ImageUsageFlags::TRANSFER_DST | vk::ImageUsageFlags::TRANSFER_SRC)
            .pre_transform(vk::SurfaceTransformFlagsKHR::IDENTITY)
            .composite_alpha(vk::CompositeAlphaFlagsKHR::OPAQUE)
            .present_mode(vk::PresentModeKHR::FIFO)
            .clipped(true)
    }

    pub fn chain(&self, info: &vk::SwapchainCreateInfoKHR<'_>) -> VkResult<Chain<'_>> {
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            let handle = self.swapchain.create_swapchain(info, None)?;
            let images = self.swapchain.get_swapchain_images(handle)?;
            let size = info.image_extent;
            let bytes = u64::from(size.width * size.height * 4);
            let pixels = self.gpu.buffer(bytes, vk::BufferUsageFlags::TRANSFER_SRC);
            let acquired = self.gpu.device.create_semaphore(&Default::default(), None)?;
            let rendered = self.gpu.device.create_semaphore(&Default::default(), None)?;
            let (pixels, id) = (Some(pixels), Cell::new(0));
            Ok(Chain { on: self, handle, images, size, pixels, acquired, rendered, id })
        }
    }
}

/// A swapchain, with a buffer for the pixels to show.
pub struct Chain<'a> {
    on: &'a Windows,
    pub handle: vk::SwapchainKHR,
    pub images: Vec<vk::Image>,
    pub size: vk::Extent2D,
    pixels: Option<Mapped>,
    acquired: vk::Semaphore,
    rendered: vk::Semaphore,
    /// Last present id.
    id: Cell<u64>,
}

impl Chain<'_> {
    /// Acquires the next image. Also returns `true` if the swapchain is suboptimal.
    pub fn acquire(&self) -> VkResult<(u32, bool)> {
        // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
        unsafe {
            self.on.swapchain.acquire_next_image(self.handle, u64::MAX, self.acquired, vk::Fence::null())
        }
    }

    /// Copies pixels to an acquired image.
    pub fn draw(&self, image: u32, pixels: &[u32]) {
        self.draw_after(&[self.acquired], image, pixels);
    }

    /// Copies pixels to a shared image that was acquired earlier.
    pub fn draw_shared(&self, image: u32, pixels: &[u32]) {
        self.draw_after(&[], image, pixels);
    }

    fn draw_after(&self, waits: &[vk::Semaphore], image: u32, pixels: &[u32]) {
        let (gpu, buffer) = (&self.on.gpu, self.pixels.as_ref().unwrap());
        buffer.write(pixels);
        let layers = vk::ImageSubresourceLayers {
            aspect_mask: vk::ImageAspectFlags::COLOR,
            mip_level: 0,
            base_array_layer: 0,
            layer_count: 1,
        };
        let extent = vk::Extent3D { width: self.size.width, height: self.size.height, depth: 1 };
        let region = vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent);
        let (image, layout) = (self.images[image as usize], vk::ImageLayout::TRANSFER_DST_OPTIMAL);
        let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
        // SAFETY: valid usage of Vulkan: the commands are done before this returns.
        unsafe {
            let d = &gpu.device;
            let cmd = d.allocate_command_buffers(&info).unwrap();
            d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
            d.cmd_copy_buffer_to_image(cmd[0], buffer.buffer, image, layout, &[region]);
            d.end_command_buffer(cmd[0]).unwrap();
            let signals = [self.rendered];
            let submit = vk::SubmitInfo::default()
                .command_buffers(&cmd)
                .wait_semaphores(waits)
                .wait_dst_stage_mask(&[vk::PipelineStageFlags::TRANSFER; 1][..waits.len()])
                .signal_semaphores(&signals);
            d.queue_submit(gpu.queue, &[submit], vk::Fence::null()).unwrap();
            d.queue_wait_idle(gpu.queue).unwrap();
            d.free_command_buffers(gpu.pool, &cmd);
        }
    }

    /// Submits commands that a presentation waits for, and returns their fence.
    pub fn submit(&self, commands: &[vk::CommandBuffer]) -> vk::Fence {
        let (fence, signals) = (self.fence(), [self.rendered]);
        let submit = vk::SubmitInfo::default().command_buffers(commands).signal_semaphores(&signals);
        // SAFETY: valid usage of Vulkan: callers keep the objects until the device is idle.
        unsafe { self.on.gpu.device.queue_submit(self.on.gpu.queue, &[submit], fence) }.unwrap();
        fence
    }

    /// Presents an image after `draw` or `submit`. Returns `true` if the swapchain is suboptimal.
    pub fn present(&self, image: u32) -> VkResult<bool> {
        self.present_with(image, |info| info)
    }

    /// Presents an image; `ask` adds to the present info.
    pub fn present_with<'a>(
        &self,
        image: u32,
        ask: impl FnOnce(vk::PresentInfoKHR<'a>) -> vk::PresentInfoKHR<'a>,
    ) -> VkResult<bool> {
        let (waits, chains, images) = ([self.rendered], [self.handle], [image]);
        let mut info = ask(vk::PresentInfoKHR::default());
        (info.wait_semaphore_count, info.p_wait_semaphores) = (1, waits.as_ptr());
        (info.swapchain_count, info.p_swapchains) = (1, chains.as_ptr());
        info.p_image_indices = images.as_ptr();
        // SAFETY: valid usage of Vulkan: the arrays live until the call returns.
        unsafe { self.on.swapchain.queue_present(self.on.gpu.queue, &info) }
    }

    /// Presents pixels, and waits until they are shown. Returns `true` if the swapchain is suboptimal.
    pub fn show(&self, pixels: &[u32]) -> VkResult<bool> {
        let (image, _) = self.acquire()?;
        self.draw(image, pixels);
        let id = self.next_id();
        let ids = [id];
        let mut ids = vk::PresentIdKHR::default().present_ids(&ids);
        let result = self.present_with(image, |info| info.push_next(&mut ids))?;
        // SAFETY: valid usage of Vulkan: the swapchain is live, and an image was presented with this id.
        unsafe { self.on.present_wait.wait_for_present(self.handle, id, u64::MAX) }?;
        Ok(result)
    }

    /// Presents an image of which a region has changed, and waits until it is shown.
    pub fn show_region(&self, image: u32, region: vk::PresentRegionKHR<'_>) {
        let id = self.next_id();
        let (regions, ids) = ([region], [id]);
        let mut regions = vk::PresentRegionsKHR::default().regions(&regions);
        let mut ids = vk::PresentIdKHR::default().present_ids(&ids);
        self.present_with(image, |info| info.push_next(&mut regions).push_next(&mut ids)).unwrap();
        // SAFETY: valid usage of Vulkan: the swapchain is live, and an image was presented with this id.
        unsafe { self.on.present_wait.wait_for_present(self.handle, id, u64::MAX) }.unwrap();
    }

    /// Returns an id for the next presentation.
    fn next_id(&self) -> u64 {
        self.id.set(self.id.get() + 1);
        self.id.get()
    }

    pub fn fence(&self) -> vk::Fence {
        // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
        unsafe { self.on.gpu.device.create_fence(&Default::default(), None) }.unwrap()
    }
}

impl Drop for Chain<'_> {
    fn drop(&mut self) {
        let gpu = &self.on.gpu;
        // SAFETY: the device is idle, and the objects are not used afterwards.
        unsafe {
            gpu.device.device_wait_idle().unwrap();
            self.on.swapchain.destroy_swapchain(self.handle, None);
            gpu.device.destroy_semaphore(self.acquired, None);
            gpu.device.destroy_semaphore(self.rendered, None);
        }
        self.pixels.take().unwrap().destroy(gpu);
    }
}

/// Pixels that are all different, so that a wrong stride or place shows.
pub fn pattern([width, height]: [u32; 2], seed: u32) -> Vec<u32> {
    (0..width * height).map(|i| (i + seed * 0x1_0001).wrapping_mul(0x9e37_79b1) | 0xff00_0000).collect()
}
