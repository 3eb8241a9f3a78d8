//! Chapter "Resource Creation", images and image views, and their memory.

use ash::vk;
use quadrille::{Image, ImageDesc, ImageFlags, ImageUsage, ImageView, ImageViewDesc, Memory};
use quadrille::{ImageType, Swizzle, ViewDim};

use super::buffer::{requirements, requirements2, told};
use super::{host_copy, sparse};
use crate::capabilities::format::{needed, uncompressed};
use crate::capabilities::{modifier, wide_flags};
use crate::device::Device;
use crate::interface::chain::{each, enumerate, enumerate_with, find, slice};
use crate::interface::convert::{aspects, extent, samples};
use crate::interface::guard::{VkResult, code, commands, heap_code};
use crate::interface::handle::{create, destroy, get, get_opt, objects};
use crate::wsi::swapchain::Swapchain;

objects!(Image => Image, ImageView => ImageView);

/// VK_IMAGE_LAYOUT_ZERO_INITIALIZED_EXT: the texels are the zero bytes of new memory.
const ZERO_INITIALIZED: vk::ImageLayout = vk::ImageLayout::from_raw(1_000_620_000);

/// Converts a create info.
///
/// # Safety
/// The structure and its chain are valid.
unsafe fn desc(info: &vk::ImageCreateInfo<'_>) -> VkResult<ImageDesc> {
    // SAFETY: the caller promises a valid chain.
    let outside = unsafe { find::<vk::ExternalMemoryImageCreateInfo>(info.p_next) };
    Ok(ImageDesc {
        image_type: match info.image_type {
            vk::ImageType::TYPE_1D => ImageType::D1,
            vk::ImageType::TYPE_2D => ImageType::D2,
            vk::ImageType::TYPE_3D => ImageType::D3,
            _ => return Err(vk::Result::ERROR_FORMAT_NOT_SUPPORTED),
        },
        format: needed(info.format)?,
        extent: extent(info.extent),
        levels: info.mip_levels,
        layers: info.array_layers,
        samples: samples(info.samples),
        usage: ImageUsage(info.usage.as_raw()),
        flags: ImageFlags {
            extended_usage: info.flags.contains(vk::ImageCreateFlags::EXTENDED_USAGE),
            disjoint: info.flags.contains(vk::ImageCreateFlags::DISJOINT),
            shared_memory: info.flags.contains(vk::ImageCreateFlags::ALIAS)
                || matches!(info.tiling, vk::ImageTiling::LINEAR | vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT)
                || info.initial_layout == ZERO_INITIALIZED
                || outside.is_some_and(|o| !o.handle_types.is_empty()),
            sparse_binding: info.flags.contains(vk::ImageCreateFlags::SPARSE_BINDING),
            sparse_residency: info.flags.contains(vk::ImageCreateFlags::SPARSE_RESIDENCY),
            sparse_aliased: info.flags.contains(vk::ImageCreateFlags::SPARSE_ALIASED),
        },
    })
}

/// Creates an image, unbound.
///
/// # Safety
/// The structure and its chain are valid.
unsafe fn new(device: &quadrille::Device, info: &vk::ImageCreateInfo<'_>) -> VkResult<Image> {
    // SAFETY: the caller promises that the structure and its chain are valid.
    let info = &unsafe { wide_flags::image(info) };
    // SAFETY: `info` is the caller's valid structure, and wider flags change no pointer of its chain.
    let (desc, planes) = unsafe { (desc(info)?, modifier::planes(info)?) };
    let image = made(device, info, desc, planes)?;
    if device.looks_at_layouts() {
        // It is new: nobody else has said it.
        let _ = image.initial_layout().set(info.initial_layout.as_raw());
    }
    Ok(image)
}

fn made(
    device: &quadrille::Device,
    info: &vk::ImageCreateInfo<'_>,
    desc: ImageDesc,
    planes: Option<Vec<quadrille::PlaneLayout>>,
) -> VkResult<Image> {
    let planes = match planes {
        // An image that imports the reported plane layouts then has the same size.
        None if info.tiling == vk::ImageTiling::DRM_FORMAT_MODIFIER_EXT => {
            Some(modifier::own_planes(&device.create_image(desc).map_err(|e| heap_code(&e))?))
        }
        planes => planes,
    };
    match planes {
        Some(planes) => device.create_image_with_layout(desc, &planes).map_err(|e| match heap_code(&e) {
            vk::Result::ERROR_UNKNOWN => vk::Result::ERROR_INVALID_DRM_FORMAT_MODIFIER_PLANE_LAYOUT_EXT,
            code => code,
        }),
        None => device.create_image(desc).map_err(|e| heap_code(&e)),
    }
}

/// Converts the create info of a view.
///
/// # Safety
/// The chain of `info` is valid.
pub unsafe fn view_desc(info: &vk::ImageViewCreateInfo<'_>) -> VkResult<ImageViewDesc> {
    // SAFETY: the caller promises a valid chain.
    let least = unsafe { find::<vk::ImageViewMinLodCreateInfoEXT>(info.p_next) };
    use vk::ImageViewType as T;
    let dims = [
        (T::TYPE_1D, ViewDim::D1),
        (T::TYPE_2D, ViewDim::D2),
        (T::TYPE_3D, ViewDim::D3),
        (T::CUBE, ViewDim::Cube),
        (T::TYPE_1D_ARRAY, ViewDim::D1Array),
        (T::TYPE_2D_ARRAY, ViewDim::D2Array),
        (T::CUBE_ARRAY, ViewDim::CubeArray),
    ];
    let dim = dims.iter().find(|(t, _)| *t == info.view_type).map(|(_, d)| *d);
    let swizzle = |s: vk::ComponentSwizzle| Swizzle::from_vk(s.as_raw() as u32).unwrap_or_default();
    // SAFETY: the caller promises a valid chain.
    let sliced = unsafe { find::<vk::ImageViewSlicedCreateInfoEXT>(info.p_next) };
    let (c, range) = (info.components, info.subresource_range);
    Ok(ImageViewDesc {
        dim: dim.ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)?,
        format: needed(info.format)?,
        aspect: aspects(range.aspect_mask),
        swizzle: [swizzle(c.r), swizzle(c.g), swizzle(c.b), swizzle(c.a)],
        base_level: range.base_mip_level,
        levels: range.level_count,
        base_layer: range.base_array_layer,
        layers: range.layer_count,
        slices: sliced.map_or([0, u32::MAX], |s| [s.slice_offset, s.slice_count]),
        min_lod: least.map_or(0.0, |l| l.min_lod),
    })
}

/// Binds an image, or one plane of a disjoint image.
///
/// # Safety
/// Both handles are live.
unsafe fn bind(
    device: vk::Device,
    image: vk::Image,
    memory: vk::DeviceMemory,
    offset: u64,
    aspect: Option<vk::ImageAspectFlags>,
) -> VkResult {
    // SAFETY: the caller promises that both handles are live.
    let (image, memory) = unsafe { (get::<Image>(image), get::<Memory>(memory)) };
    match aspect {
        Some(a) => image.bind_plane(plane(a), memory, offset),
        None => image.bind(memory, offset),
    }
    .map_err(|e| code(&e))?;
    // SAFETY: the caller promises that the device is live.
    unsafe { get::<Device>(device) }.device.tell_bound(image);
    Ok(())
}

fn subresource_layout(image: &Image, which: &vk::ImageSubresource) -> vk::SubresourceLayout {
    let aspect = modifier::aspect(which.aspect_mask, image.format());
    let place = image.subresource(aspects(aspect), which.mip_level, which.array_layer);
    place.map_or(Default::default(), |s| vk::SubresourceLayout {
        offset: s.offset,
        size: s.size,
        row_pitch: s.row_pitch,
        array_pitch: s.layer_pitch,
        depth_pitch: s.slice_pitch,
    })
}

/// Fills the layout of a subresource and the structures in its chain. An image that cannot be created, for which `image` is
/// `None`, has zeros.
///
/// # Safety
/// The chain of `out` is valid.
unsafe fn subresource_layout2(
    image: Option<&Image>,
    which: &vk::ImageSubresource,
    out: &mut vk::SubresourceLayout2KHR<'_>,
) {
    out.subresource_layout = image.map(|image| subresource_layout(image, which)).unwrap_or_default();
    // SAFETY: the caller promises a valid chain.
    unsafe {
        each(out.p_next, |link| {
            if let Some(p) = link.get::<vk::SubresourceHostMemcpySizeEXT>() {
                p.size = image.map_or(0, |image| host_copy::subresource_bytes(image, which));
            }
            link.get().map(uncompressed);
        });
    }
}

/// Index of the plane that an aspect names.
fn plane(aspect: vk::ImageAspectFlags) -> usize {
    use vk::ImageAspectFlags as A;
    match aspect {
        A::PLANE_1 | A::MEMORY_PLANE_1_EXT => 1,
        A::PLANE_2 | A::MEMORY_PLANE_2_EXT => 2,
        _ => 0,
    }
}

/// Returns the memory requirements of a plane, or of the whole image if it is not disjoint.
fn plane_requirements(image: &Image, plane: usize) -> quadrille::MemoryRequirements {
    let disjoint = image.desc().flags.disjoint.then(|| image.plane_requirements(plane).ok());
    disjoint.flatten().unwrap_or(image.requirements())
}

commands! {
    fn create_image(
        device: vk::Device,
        info: *const vk::ImageCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Image,
    ) -> vk::Result {
        *out = create(new(&get::<Device>(device).device, &*info)?);
        Ok(())
    }

    fn destroy_image(_d: vk::Device, image: vk::Image, _allocator: *const vk::AllocationCallbacks<'_>) {
        if let Some(image) = destroy::<Image>(image) {
            image.destroy();
        }
    }

    fn get_image_memory_requirements(
        _d: vk::Device,
        image: vk::Image,
        out: *mut vk::MemoryRequirements,
    ) {
        *out = requirements(get::<Image>(image).requirements());
    }

    fn get_image_memory_requirements2(
        _d: vk::Device,
        info: *const vk::ImageMemoryRequirementsInfo2<'_>,
        out: *mut vk::MemoryRequirements2<'_>,
    ) {
        let image = get::<Image>((*info).image);
        let which = find::<vk::ImagePlaneMemoryRequirementsInfo>((*info).p_next);
        let of = which.map_or(0, |p| plane(p.plane_aspect));
        requirements2(Some(plane_requirements(image, of)), out);
    }

    fn get_device_image_memory_requirements(
        device: vk::Device,
        info: *const vk::DeviceImageMemoryRequirements<'_>,
        out: *mut vk::MemoryRequirements2<'_>,
    ) {
        let info = &*info;
        let image = new(&get::<Device>(device).device, &*info.p_create_info).ok();
        let of = plane(info.plane_aspect);
        requirements2(image.map(|image| plane_requirements(&image, of)), out);
    }

    fn get_device_image_sparse_memory_requirements(
        device: vk::Device,
        info: *const vk::DeviceImageMemoryRequirements<'_>,
        count: *mut u32,
        out: *mut vk::SparseImageMemoryRequirements2<'_>,
    ) {
        let image = new(&get::<Device>(device).device, &*(*info).p_create_info);
        let all = image.ok().and_then(|image| sparse::requirements(&image));
        let all = all.as_slice();
        let _ = enumerate_with(all.len(), count, out, |i, r| r.memory_requirements = all[i]);
    }

    fn get_image_subresource_layout2(
        _d: vk::Device,
        image: vk::Image,
        which: *const vk::ImageSubresource2KHR<'_>,
        out: *mut vk::SubresourceLayout2KHR<'_>,
    ) {
        subresource_layout2(Some(get::<Image>(image)), &(*which).image_subresource, &mut *out);
    }

    fn get_device_image_subresource_layout(
        device: vk::Device,
        info: *const vk::DeviceImageSubresourceInfoKHR<'_>,
        out: *mut vk::SubresourceLayout2KHR<'_>,
    ) {
        let info = &*info;
        // `new` says why an image cannot be created.
        let image = new(&get::<Device>(device).device, &*info.p_create_info).ok();
        subresource_layout2(image.as_ref(), &(*info.p_subresource).image_subresource, &mut *out);
    }

    fn get_image_sparse_memory_requirements(
        _d: vk::Device,
        image: vk::Image,
        count: *mut u32,
        out: *mut vk::SparseImageMemoryRequirements,
    ) {
        let _ = enumerate(sparse::requirements(get::<Image>(image)).as_slice(), count, out);
    }

    fn get_image_sparse_memory_requirements2(
        _d: vk::Device,
        info: *const vk::ImageSparseMemoryRequirementsInfo2<'_>,
        count: *mut u32,
        out: *mut vk::SparseImageMemoryRequirements2<'_>,
    ) {
        let all = sparse::requirements(get::<Image>((*info).image));
        let all = all.as_slice();
        let _ = enumerate_with(all.len(), count, out, |i, r| r.memory_requirements = all[i]);
    }

    fn get_image_subresource_layout(
        _d: vk::Device,
        image: vk::Image,
        which: *const vk::ImageSubresource,
        out: *mut vk::SubresourceLayout,
    ) {
        *out = subresource_layout(get::<Image>(image), &*which);
    }

    /// All images have the linear layout.
    fn get_image_drm_format_modifier_properties(
        _d: vk::Device,
        _image: vk::Image,
        out: *mut vk::ImageDrmFormatModifierPropertiesEXT<'_>,
    ) -> vk::Result {
        (*out).drm_format_modifier = modifier::LINEAR;
        Ok(())
    }

    fn bind_image_memory(
        device: vk::Device,
        image: vk::Image,
        memory: vk::DeviceMemory,
        offset: u64,
    ) -> vk::Result {
        bind(device, image, memory, offset, None)
    }

    fn bind_image_memory2(
        device: vk::Device,
        n: u32,
        infos: *const vk::BindImageMemoryInfo<'_>,
    ) -> vk::Result {
        let all = slice(infos, n).iter().map(|i| {
            let plane = find::<vk::BindImagePlaneMemoryInfo>(i.p_next).map(|p| p.plane_aspect);
            let of = find::<vk::BindImageMemorySwapchainInfoKHR>(i.p_next);
            let bound = match of.and_then(|s| Some((get_opt::<Swapchain>(s.swapchain)?, s.image_index))) {
                Some((swapchain, number)) => swapchain
                    .memory(number)
                    .and_then(|m| get::<Image>(i.image).bind(m, 0).map_err(|e| code(&e))),
                None => bind(device, i.image, i.memory, i.memory_offset, plane),
            };
            told(i.p_next, bound)
        });
        all.fold(Ok(()), VkResult::and)
    }

    fn create_image_view(
        device: vk::Device,
        info: *const vk::ImageViewCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::ImageView,
    ) -> vk::Result {
        let image = get::<Image>((*info).image);
        let view = get::<Device>(device).device.create_image_view(image, view_desc(&*info)?);
        *out = create(view.map_err(|e| code(&e))?);
        Ok(())
    }

    fn destroy_image_view(
        _d: vk::Device,
        view: vk::ImageView,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<ImageView>(view));
    }
}
