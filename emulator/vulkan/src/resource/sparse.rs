//! Chapter "Sparse Resources": properties of sparse images, and binding.

use ash::vk;
use quadrille::{Buffer, Image, Memory, SPARSE_PAGE, Semaphore, SparseBind, SparsePart, SparseSubmit};

use crate::capabilities::format::{format, granularity, image_properties};
use crate::capabilities::wide_flags;
use crate::command_buffer::submit::{end_frame, ends_frame, semaphores};
use crate::device::queue::Queue;
use crate::interface::chain::{enumerate, enumerate_with, find, slice};
use crate::interface::convert::extent;
use crate::interface::guard::{VkResult, commands, device_code};
use crate::interface::handle::{get, get_opt};
use quadrille::Fence;

fn properties(
    aspect_mask: vk::ImageAspectFlags,
    [width, height, depth]: [u32; 3],
) -> vk::SparseImageFormatProperties {
    vk::SparseImageFormatProperties {
        aspect_mask,
        image_granularity: vk::Extent3D { width, height, depth },
        flags: vk::SparseImageFormatFlags::empty(),
    }
}

/// Returns the only aspect of a format that supports sparse residency.
fn aspect(format: quadrille::Format) -> vk::ImageAspectFlags {
    vk::ImageAspectFlags::from_raw(format.aspects().0)
}

/// Returns the memory requirements of an image with sparse residency.
pub fn requirements(image: &Image) -> Option<vk::SparseImageMemoryRequirements> {
    let pages = image.sparse_pages()?;
    Some(vk::SparseImageMemoryRequirements {
        format_properties: properties(aspect(image.format()), pages.granularity()),
        image_mip_tail_first_lod: pages.tail_level(),
        image_mip_tail_size: pages.tail_size(),
        image_mip_tail_offset: pages.tail_offset(),
        image_mip_tail_stride: pages.tail_size(),
    })
}

fn format_properties(
    info: &vk::PhysicalDeviceSparseImageFormatInfo2<'_>,
) -> Option<vk::SparseImageFormatProperties> {
    let asked = vk::PhysicalDeviceImageFormatInfo2 {
        format: info.format,
        ty: info.ty,
        tiling: info.tiling,
        usage: info.usage,
        flags: vk::ImageCreateFlags::SPARSE_BINDING | vk::ImageCreateFlags::SPARSE_RESIDENCY,
        ..Default::default()
    };
    let _offered = image_properties(&asked).ok()?;
    let of = format(info.format)?;
    Some(properties(aspect(of), granularity(of, info.ty, info.samples)?))
}

/// Returns the memory and offset of a bind; `None` for a null handle.
///
/// # Safety
/// The handle is null or live.
unsafe fn memory<'a>(handle: vk::DeviceMemory, offset: u64) -> Option<(&'a Memory, u64)> {
    // SAFETY: the caller promises that the handle is null or live.
    unsafe { get_opt::<Memory>(handle) }.map(|memory| (memory, offset))
}

/// Converts the binds of a batch.
///
/// # Safety
/// `info` is valid.
unsafe fn binds<'a>(info: &vk::BindSparseInfo<'_>) -> Vec<SparseBind<'a>> {
    let mut all = Vec::new();
    // SAFETY: the caller promises a valid structure, and with it valid arrays and live handles.
    unsafe {
        for of in slice(info.p_buffer_binds, info.buffer_bind_count) {
            for b in slice(of.p_binds, of.bind_count) {
                let range = b.resource_offset..b.resource_offset.saturating_add(b.size);
                let part = SparsePart::Buffer(get::<Buffer>(of.buffer), range);
                all.push((part, memory(b.memory, b.memory_offset)));
            }
        }
        for of in slice(info.p_image_opaque_binds, info.image_opaque_bind_count) {
            for b in slice(of.p_binds, of.bind_count) {
                let range = b.resource_offset..b.resource_offset.saturating_add(b.size);
                let part = SparsePart::Opaque(get::<Image>(of.image), range);
                all.push((part, memory(b.memory, b.memory_offset)));
            }
        }
        for of in slice(info.p_image_binds, info.image_bind_count) {
            for b in slice(of.p_binds, of.bind_count) {
                let part = SparsePart::Blocks {
                    image: get::<Image>(of.image),
                    level: b.subresource.mip_level,
                    layer: b.subresource.array_layer,
                    offset: [b.offset.x, b.offset.y, b.offset.z].map(|v| v as u32),
                    extent: extent(b.extent),
                };
                all.push((part, memory(b.memory, b.memory_offset)));
            }
        }
    }
    all
}

/// A converted batch, with references instead of handles.
struct Batch<'a> {
    waits: Vec<(&'a Semaphore, u64)>,
    binds: Vec<SparseBind<'a>>,
    signals: Vec<(&'a Semaphore, u64)>,
}

/// Converts a batch.
///
/// # Safety
/// `info` and its chain are valid.
unsafe fn batch<'a>(info: &vk::BindSparseInfo<'_>) -> Batch<'a> {
    // SAFETY: the caller promises a valid structure, and with it valid arrays, live handles and a valid chain.
    unsafe {
        let values = find::<vk::TimelineSemaphoreSubmitInfo>(info.p_next);
        let [waits, signals] = match values {
            Some(v) => [
                slice(v.p_wait_semaphore_values, v.wait_semaphore_value_count),
                slice(v.p_signal_semaphore_values, v.signal_semaphore_value_count),
            ],
            None => [&[][..]; 2],
        };
        Batch {
            waits: semaphores(slice(info.p_wait_semaphores, info.wait_semaphore_count), waits),
            binds: binds(info),
            signals: semaphores(slice(info.p_signal_semaphores, info.signal_semaphore_count), signals),
        }
    }
}

const _: () = assert!(SPARSE_PAGE == 1 << 16, "the standard block shapes");

commands! {
    fn get_physical_device_sparse_image_format_properties(
        _d: vk::PhysicalDevice,
        format: vk::Format,
        ty: vk::ImageType,
        samples: vk::SampleCountFlags,
        usage: vk::ImageUsageFlags,
        tiling: vk::ImageTiling,
        count: *mut u32,
        out: *mut vk::SparseImageFormatProperties,
    ) {
        let info =
            vk::PhysicalDeviceSparseImageFormatInfo2 { format, ty, samples, usage, tiling, ..Default::default() };
        let _ = enumerate(format_properties(&info).as_slice(), count, out);
    }

    fn get_physical_device_sparse_image_format_properties2(
        _d: vk::PhysicalDevice,
        info: *const vk::PhysicalDeviceSparseImageFormatInfo2<'_>,
        count: *mut u32,
        out: *mut vk::SparseImageFormatProperties2<'_>,
    ) {
        let usage = wide_flags::usage((*info).p_next, (*info).usage);
        let all = format_properties(&vk::PhysicalDeviceSparseImageFormatInfo2 { usage, ..*info });
        let all = all.as_slice();
        let _ = enumerate_with(all.len(), count, out, |i, p| p.properties = all[i]);
    }

    fn queue_bind_sparse(
        queue: vk::Queue,
        n: u32,
        infos: *const vk::BindSparseInfo<'_>,
        fence: vk::Fence,
    ) -> vk::Result {
        let infos = slice(infos, n);
        let batches: Vec<_> = infos.iter().map(|info| batch(info)).collect();
        let submits: Vec<SparseSubmit<'_>> = batches
            .iter()
            .map(|b| SparseSubmit { waits: &b.waits, binds: &b.binds, signals: &b.signals })
            .collect();
        let of = &get::<Queue>(queue).queue;
        let done: VkResult =
            of.bind_sparse(&submits, get_opt::<Fence>(fence)).map_err(|e| device_code(of.device(), &e));
        done?;
        end_frame(queue, infos.iter().map(|info| ends_frame(info.p_next)));
        Ok(())
    }
}
