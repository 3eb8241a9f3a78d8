//! Fragment density maps: their features and contents, their place in a rendering scope, and ends of scopes that move
//! them. Scopes themselves are left to `scope`.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::ffi::{CStr, c_void};
use std::ptr;

use ash::vk;

use super::record::Recorder;
use super::{TargetKey, View, World};

/// Extensions of density maps and of their offsets.
pub(super) const EXTENSIONS: [&CStr; 2] =
    [ash::ext::fragment_density_map::NAME, c"VK_EXT_fragment_density_map_offset"];
/// Format of maps.
const FORMAT: vk::Format = vk::Format::R8G8_UNORM;
/// Maximum width and height of maps in texels.
const MOST: usize = 8;

/// VkRenderingEndInfoEXT, which the bindings lack.
#[repr(C)]
struct EndInfo {
    ty: i32,
    next: *const c_void,
}

type EndRendering2 = unsafe extern "system" fn(vk::CommandBuffer, *const EndInfo);

/// The command that ends a scope with an offset, and the offsets that it takes.
pub(super) struct Offsets {
    end: EndRendering2,
    /// Width and height in pixels of which offsets are multiples.
    granularity: [u32; 2],
}

impl Offsets {
    pub(super) fn new(
        instance: &ash::Instance,
        physical: vk::PhysicalDevice,
        device: &ash::Device,
    ) -> Option<Offsets> {
        let mut limits = vk::PhysicalDeviceFragmentDensityMapOffsetPropertiesQCOM::default();
        let mut all = vk::PhysicalDeviceProperties2::default().push_next(&mut limits);
        // SAFETY: the handles are live, and the device has the extension, whose command has this type.
        let end = unsafe {
            instance.get_physical_device_properties2(physical, &mut all);
            let found = instance.get_device_proc_addr(device.handle(), c"vkCmdEndRendering2EXT".as_ptr());
            found.map(|end| std::mem::transmute::<unsafe extern "system" fn(), EndRendering2>(end))
        };
        let vk::Extent2D { width, height } = limits.fragment_density_offset_granularity;
        Some(Offsets { end: end?, granularity: [width, height] })
    }
}

pub(super) fn features() -> vk::PhysicalDeviceFragmentDensityMapFeaturesEXT<'static> {
    vk::PhysicalDeviceFragmentDensityMapFeaturesEXT::default()
        .fragment_density_map(true)
        .fragment_density_map_dynamic(true)
        .fragment_density_map_non_subsampled_images(true)
}

pub(super) fn offset_features() -> vk::PhysicalDeviceFragmentDensityMapOffsetFeaturesQCOM<'static> {
    vk::PhysicalDeviceFragmentDensityMapOffsetFeaturesQCOM::default().fragment_density_map_offset(true)
}

/// Flags of pipelines for a target that may have a map.
pub(super) fn pipeline_flags(formats: &TargetKey) -> vk::PipelineCreateFlags {
    match formats.3 {
        true => vk::PipelineCreateFlags::RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_EXT,
        false => vk::PipelineCreateFlags::empty(),
    }
}

impl World<'_> {
    /// Creates a map of random densities.
    pub(super) fn make_density(&mut self) -> Option<View> {
        let [width, height] = [(); 2].map(|()| 1 + self.r.below(MOST) as u32);
        let img = self.image(vk::ImageType::TYPE_2D, FORMAT, [width, height, 1], 1, 1, 1)?;
        self.fill_density(img.image, [width, height])?;
        self.view(&img, vk::ImageViewType::TYPE_2D, WHOLE, true)
    }

    /// Copies random densities to a new image.
    fn fill_density(&mut self, image: vk::Image, [width, height]: [u32; 2]) -> Option<()> {
        let texels: Vec<u8> = (0..2 * width * height).map(|_| self.r.below(256) as u8).collect();
        let d = self.device();
        let info = vk::BufferCreateInfo::default()
            .size(texels.len() as u64)
            .usage(vk::BufferUsageFlags::TRANSFER_SRC);
        // SAFETY: the device is live; size and usage are valid.
        let buffer = unsafe { d.create_buffer(&info, None) };
        let buffer = self.judge("vkCreateBuffer", buffer)?;
        // SAFETY: the buffer was just created.
        let needs = unsafe { d.get_buffer_memory_requirements(buffer) };
        let m = self.allocate(needs.size, false)?;
        let memory = &self.memories[m];
        // SAFETY: the memory is mapped, as large as the buffer needs, and nothing else uses it yet.
        let bound = unsafe {
            memory.mapped.copy_from_nonoverlapping(texels.as_ptr(), texels.len());
            d.bind_buffer_memory(buffer, memory.memory, 0)
        };
        self.judge("vkBindBufferMemory", bound)?;
        let region = vk::BufferImageCopy::default()
            .image_subresource(vk::ImageSubresourceLayers {
                aspect_mask: vk::ImageAspectFlags::COLOR,
                mip_level: 0,
                base_array_layer: 0,
                layer_count: 1,
            })
            .image_extent(vk::Extent3D { width, height, depth: 1 });
        let general = vk::ImageLayout::GENERAL;
        self.run_once(|d, c| {
            // SAFETY: recording has begun, buffer and image are bound, and the image is in the general layout.
            unsafe { d.cmd_copy_buffer_to_image(c, buffer, image, general, &[region]) };
        });
        // SAFETY: the copy has completed.
        unsafe { d.destroy_buffer(buffer, None) };
        Some(())
    }
}

/// The only level and layer of a map.
const WHOLE: vk::ImageSubresourceRange = vk::ImageSubresourceRange {
    aspect_mask: vk::ImageAspectFlags::COLOR,
    base_mip_level: 0,
    level_count: 1,
    base_array_layer: 0,
    layer_count: 1,
};

impl Recorder<'_, '_> {
    /// Returns the map of a rendering scope, none if there is no view.
    pub(super) fn density_map(
        &mut self,
        view: Option<View>,
    ) -> vk::RenderingFragmentDensityMapAttachmentInfoEXT<'static> {
        let map = vk::RenderingFragmentDensityMapAttachmentInfoEXT::default()
            .image_layout(vk::ImageLayout::GENERAL);
        let Some(view) = view else { return map };
        self.uses(&[view.uid, view.image]);
        map.image_view(view.view)
    }

    /// Ends a rendering scope that has a map, and moves the map.
    pub(super) fn end_with_offset(&mut self) {
        let offsets = &self.w.shared.client.density_offsets;
        let [x, y] = offsets.granularity.map(|px| px as i32 * (self.r.below(17) as i32 - 8));
        let moved = [vk::Offset2D { x, y }];
        let moved =
            vk::SubpassFragmentDensityMapOffsetEndInfoQCOM::default().fragment_density_offsets(&moved);
        let info = EndInfo { ty: 1_000_619_003, next: ptr::from_ref(&moved).cast() };
        // SAFETY: the caller has begun a rendering scope with a map. All its images may be used with offsets, and the
        // offset is a multiple of the granularity.
        unsafe { (offsets.end)(self.c, &info) };
        self.did("vkCmdEndRendering2EXT");
    }
}
