//! The instance, a device, and the resources from which objects of most kinds are made.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::ops::Deref;

use ash::prelude::VkResult;
use ash::vk;

use crate::client;

/// An instance of the driver, without a loader.
pub struct Host {
    host: client::Host,
    pub(super) surface: ash::khr::surface::Instance,
    pub(super) headless: ash::ext::headless_surface::Instance,
    pub(super) debug: ash::ext::debug_utils::Instance,
}

impl Deref for Host {
    type Target = client::Host;

    fn deref(&self) -> &client::Host {
        &self.host
    }
}

impl Host {
    /// Creates an instance with surfaces and messengers.
    ///
    /// # Errors
    /// The error of the driver.
    pub fn new(entry: ash::Entry) -> VkResult<Host> {
        let names = [ash::khr::surface::NAME, ash::ext::headless_surface::NAME, ash::ext::debug_utils::NAME];
        let host = client::Host::new(entry, vk::API_VERSION_1_3, &names)?;
        Ok(Host {
            surface: ash::khr::surface::Instance::new(&host.entry, &host.instance),
            headless: ash::ext::headless_surface::Instance::new(&host.entry, &host.instance),
            debug: ash::ext::debug_utils::Instance::new(&host.entry, &host.instance),
            host,
        })
    }

    /// Creates a device with the features that the objects of this module need.
    ///
    /// # Errors
    /// The error of the driver.
    pub fn device(&self) -> VkResult<ash::Device> {
        let names = [ash::khr::swapchain::NAME, ash::ext::memory_budget::NAME];
        let core = vk::PhysicalDeviceFeatures::default().sparse_binding(true);
        let mut one_one = vk::PhysicalDeviceVulkan11Features::default().sampler_ycbcr_conversion(true);
        let mut one_two = vk::PhysicalDeviceVulkan12Features::default()
            .timeline_semaphore(true)
            .buffer_device_address(true);
        let mut one_three = vk::PhysicalDeviceVulkan13Features::default().private_data(true);
        let info = vk::DeviceCreateInfo::default()
            .enabled_features(&core)
            .push_next(&mut one_one)
            .push_next(&mut one_two)
            .push_next(&mut one_three);
        // SAFETY: the chain of `info` has locals that outlive the call. Each device belongs to a `Stock`, which borrows
        // this host and destroys the device when it is dropped.
        unsafe { self.host.device(&names, info) }
    }

    /// Bytes in use of the only heap, from VK_EXT_memory_budget.
    pub fn heap_used(&self) -> u64 {
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut out = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
        // SAFETY: `physical` belongs to `instance`, which `self` keeps alive; `out` and its chain are locals that
        // outlive the call.
        unsafe { self.instance.get_physical_device_memory_properties2(self.physical, &mut out) };
        budget.heap_usage[0]
    }
}

/// Bytes of the memory that all resources share.
pub(super) const MEMORY: u64 = 1 << 16;
/// Side of the images, in texels.
pub(super) const SIDE: u32 = 4;
pub(super) const FORMAT: vk::Format = vk::Format::R8G8B8A8_UNORM;

/// The whole subresource range of a colour image with one level.
pub(super) const WHOLE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

/// A device, and the resources from which objects are made; the resources share one memory allocation.
pub struct Stock<'a> {
    pub(super) host: &'a Host,
    pub(super) device: ash::Device,
    pub(super) queue: vk::Queue,
    pub(super) swapchain: ash::khr::swapchain::Device,
    pub(super) memory: vk::DeviceMemory,
    pub(super) buffer: vk::Buffer,
    pub(super) image: vk::Image,
    pub(super) view: vk::ImageView,
    pub(super) set_layout: vk::DescriptorSetLayout,
    pub(super) layout: vk::PipelineLayout,
    pub(super) pass: vk::RenderPass,
    pub(super) commands: vk::CommandPool,
    pub(super) sets: vk::DescriptorPool,
    pub(super) slot: vk::PrivateDataSlot,
}

/// Creation parameters of the buffers.
pub(super) fn buffer_info() -> vk::BufferCreateInfo<'static> {
    use vk::BufferUsageFlags as Use;
    let usage = Use::STORAGE_BUFFER | Use::UNIFORM_TEXEL_BUFFER | Use::TRANSFER_DST;
    vk::BufferCreateInfo::default().size(256).usage(usage | Use::SHADER_DEVICE_ADDRESS)
}

pub(super) fn image_info() -> vk::ImageCreateInfo<'static> {
    vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(FORMAT)
        .extent(vk::Extent3D { width: SIDE, height: SIDE, depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::COLOR_ATTACHMENT | vk::ImageUsageFlags::TRANSFER_SRC)
}

/// Creation parameters of a view of a whole image of `image_info`.
pub(super) fn view_info(image: vk::Image) -> vk::ImageViewCreateInfo<'static> {
    vk::ImageViewCreateInfo::default()
        .image(image)
        .view_type(vk::ImageViewType::TYPE_2D)
        .format(FORMAT)
        .subresource_range(WHOLE)
}

/// Bindings of the set layouts: one storage buffer.
pub(super) fn bindings() -> [vk::DescriptorSetLayoutBinding<'static>; 1] {
    [vk::DescriptorSetLayoutBinding::default()
        .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
        .descriptor_count(1)
        .stage_flags(vk::ShaderStageFlags::COMPUTE | vk::ShaderStageFlags::FRAGMENT)]
}

/// The whole area of a picture of this size.
pub(super) fn area([width, height]: [u32; 2]) -> vk::Rect2D {
    vk::Rect2D { offset: vk::Offset2D::default(), extent: vk::Extent2D { width, height } }
}

/// Region of a copy of a whole picture of this size.
pub(super) fn copy_of([width, height]: [u32; 2]) -> vk::BufferImageCopy {
    let layers = vk::ImageSubresourceLayers {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        mip_level: 0,
        base_array_layer: 0,
        layer_count: 1,
    };
    let extent = vk::Extent3D { width, height, depth: 1 };
    vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent)
}

/// Creates a pool for `sets` descriptor sets with these bindings.
pub(super) fn pool(device: &ash::Device, sets: u32) -> VkResult<vk::DescriptorPool> {
    let sizes =
        [vk::DescriptorPoolSize::default().ty(vk::DescriptorType::STORAGE_BUFFER).descriptor_count(sets)];
    let info = vk::DescriptorPoolCreateInfo::default()
        .flags(vk::DescriptorPoolCreateFlags::FREE_DESCRIPTOR_SET)
        .max_sets(sets)
        .pool_sizes(&sizes);
    // SAFETY: `device` is alive; `info` and `sizes` are locals that outlive the call.
    unsafe { device.create_descriptor_pool(&info, None) }
}

/// Allocates a set with a storage buffer at its only binding.
pub(super) fn storage_set(
    device: &ash::Device,
    pool: vk::DescriptorPool,
    layout: vk::DescriptorSetLayout,
    buffer: vk::Buffer,
) -> VkResult<vk::DescriptorSet> {
    let layouts = [layout];
    let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
    let buffers = [vk::DescriptorBufferInfo::default().buffer(buffer).range(vk::WHOLE_SIZE)];
    // SAFETY: the callers pass a pool, a layout of `bindings` and a buffer of `device`, all alive; `info` and `buffers`
    // are locals that outlive the calls.
    unsafe {
        let set = device.allocate_descriptor_sets(&info)?[0];
        let write = vk::WriteDescriptorSet::default().dst_set(set).buffer_info(&buffers);
        let write = write.descriptor_type(vk::DescriptorType::STORAGE_BUFFER);
        device.update_descriptor_sets(&[write], &[]);
        Ok(set)
    }
}

/// Creates a render pass with one attachment of `FORMAT`, which it clears.
pub(super) fn pass(device: &ash::Device, last: vk::ImageLayout) -> VkResult<vk::RenderPass> {
    let attachments = [vk::AttachmentDescription::default()
        .format(FORMAT)
        .samples(vk::SampleCountFlags::TYPE_1)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .final_layout(last)];
    let layout = vk::ImageLayout::COLOR_ATTACHMENT_OPTIMAL;
    let color = [vk::AttachmentReference { attachment: 0, layout }];
    let subpass = [vk::SubpassDescription::default().color_attachments(&color)];
    let info = vk::RenderPassCreateInfo::default().attachments(&attachments).subpasses(&subpass);
    // SAFETY: `device` is alive; `info` and the arrays that it names are locals that outlive the call.
    unsafe { device.create_render_pass(&info, None) }
}

/// Allocates `bytes` of memory for resources of any kind.
pub(super) fn memory(device: &ash::Device, bytes: u64) -> VkResult<vk::DeviceMemory> {
    let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
    let info = vk::MemoryAllocateInfo::default().allocation_size(bytes).push_next(&mut flags);
    // SAFETY: `device` is alive, with `bufferDeviceAddress` enabled by `Host::device`; `info` and `flags` outlive the
    // call.
    unsafe { device.allocate_memory(&info, None) }
}

impl<'a> Stock<'a> {
    /// Creates the resources, with room for `sets` descriptor sets.
    ///
    /// # Errors
    /// The error of the driver.
    pub fn new(host: &'a Host, sets: u32) -> VkResult<Stock<'a>> {
        let device = host.device()?;
        let bindings = bindings();
        let pool_info = vk::CommandPoolCreateInfo::default();
        // SAFETY: every handle is made from `device` right here; buffer and image fit into the two halves of `memory`;
        // the structures are locals that outlive the calls.
        unsafe {
            let memory = memory(&device, MEMORY)?;
            let buffer = device.create_buffer(&buffer_info(), None)?;
            device.bind_buffer_memory(buffer, memory, 0)?;
            let image = device.create_image(&image_info(), None)?;
            device.bind_image_memory(image, memory, MEMORY / 2)?;
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layout = device.create_descriptor_set_layout(&info, None)?;
            let layouts = [set_layout];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts);
            Ok(Stock {
                queue: device.get_device_queue(0, 0),
                swapchain: ash::khr::swapchain::Device::new(&host.instance, &device),
                memory,
                buffer,
                view: device.create_image_view(&view_info(image), None)?,
                image,
                set_layout,
                layout: device.create_pipeline_layout(&info, None)?,
                pass: pass(&device, vk::ImageLayout::GENERAL)?,
                commands: device.create_command_pool(&pool_info, None)?,
                sets: pool(&device, sets)?,
                slot: device.create_private_data_slot(&Default::default(), None)?,
                host,
                device,
            })
        }
    }
}

impl Drop for Stock<'_> {
    fn drop(&mut self) {
        let d = &self.device;
        // SAFETY: the callers wait for the queue and destroy their own objects before they drop the stock; `self` owns
        // the objects that this block destroys.
        unsafe {
            d.destroy_private_data_slot(self.slot, None);
            d.destroy_descriptor_pool(self.sets, None);
            d.destroy_command_pool(self.commands, None);
            d.destroy_render_pass(self.pass, None);
            d.destroy_pipeline_layout(self.layout, None);
            d.destroy_descriptor_set_layout(self.set_layout, None);
            d.destroy_image_view(self.view, None);
            d.destroy_image(self.image, None);
            d.destroy_buffer(self.buffer, None);
            d.free_memory(self.memory, None);
            d.destroy_device(None);
        }
    }
}
