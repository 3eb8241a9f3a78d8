//! Copies between host memory and images without a queue: VK_EXT_host_image_copy.
//!
//! Texels in host memory are laid out as in buffers, also for copies with the flag MEMCPY, whose layout the driver may
//! choose. Image layouts have no effect, except that watchers of the device are told of them.

use ash::vk;
use quadrille::image_layouts::{LayoutChange, LayoutUse};
use quadrille::{BufferImageCopy, Image, ImageCopy};

use crate::device::Device;
use crate::interface::chain::slice;
use crate::interface::convert::layers;
use crate::interface::convert::range;
use crate::interface::convert::{extent, offset};
use crate::interface::guard::{code, commands};
use crate::interface::handle::get;
use crate::layouts::used;

/// Converts a region of host memory and image; the structures of both directions have the same members.
macro_rules! region {
    ($r:expr) => {
        BufferImageCopy {
            buffer_offset: 0,
            row_length: $r.memory_row_length,
            image_height: $r.memory_image_height,
            subresource: layers(&$r.image_subresource),
            offset: offset($r.image_offset),
            extent: extent($r.image_extent),
        }
    };
}

/// Size of a subresource in a copy with the flag MEMCPY, in bytes.
pub fn subresource_bytes(image: &Image, s: &vk::ImageSubresource) -> u64 {
    let aspects = crate::interface::convert::aspects(s.aspect_mask);
    let place = image.subresource(aspects, s.mip_level, s.array_layer);
    place.map_or(0, |p| {
        p.blocks().iter().map(|&n| u64::from(n)).product::<u64>() * u64::from(p.format.bytes())
    })
}

commands! {
    fn copy_memory_to_image(
        device: vk::Device,
        info: *const vk::CopyMemoryToImageInfoEXT<'_>,
    ) -> vk::Result {
        let (device, info) = (get::<Device>(device), &*info);
        let image = get::<Image>(info.dst_image);
        for r in slice(info.p_regions, info.region_count) {
            let region = region!(r);
            let at = r.p_host_pointer.cast::<u8>();
            device.device.tell_layouts(&[used((image, info.dst_image_layout), region.subresource)]);
            device.device.copy_memory_to_image(at, image, &region).map_err(|e| code(&e))?;
        }
        Ok(())
    }

    fn copy_image_to_memory(
        device: vk::Device,
        info: *const vk::CopyImageToMemoryInfoEXT<'_>,
    ) -> vk::Result {
        let (device, info) = (get::<Device>(device), &*info);
        let image = get::<Image>(info.src_image);
        for r in slice(info.p_regions, info.region_count) {
            let region = region!(r);
            let at = r.p_host_pointer.cast::<u8>();
            device.device.tell_layouts(&[used((image, info.src_image_layout), region.subresource)]);
            device.device.copy_image_to_memory(image, at, &region).map_err(|e| code(&e))?;
        }
        Ok(())
    }

    fn copy_image_to_image(
        device: vk::Device,
        info: *const vk::CopyImageToImageInfoEXT<'_>,
    ) -> vk::Result {
        let (device, info) = (get::<Device>(device), &*info);
        let regions: Vec<ImageCopy> = slice(info.p_regions, info.region_count)
            .iter()
            .map(|r| ImageCopy {
                src: layers(&r.src_subresource),
                src_offset: offset(r.src_offset),
                dst: layers(&r.dst_subresource),
                dst_offset: offset(r.dst_offset),
                extent: extent(r.extent),
            })
            .collect();
        let (src, dst) = (get::<Image>(info.src_image), get::<Image>(info.dst_image));
        let of = |r: &ImageCopy| {
            [used((src, info.src_image_layout), r.src), used((dst, info.dst_image_layout), r.dst)]
        };
        device.device.tell_layouts(&regions.iter().flat_map(of).collect::<Vec<_>>());
        device.device.copy_image_on_host(src, dst, &regions).map_err(|e| code(&e))
    }

    /// No effect, since all layouts are the same; watchers of the device are told.
    fn transition_image_layout(
        device: vk::Device,
        n: u32,
        transitions: *const vk::HostImageLayoutTransitionInfoEXT<'_>,
    ) -> vk::Result {
        let uses: Vec<_> = slice(transitions, n)
            .iter()
            .map(|t| LayoutUse {
                image: get::<Image>(t.image),
                range: range(&t.subresource_range),
                change: LayoutChange::Becomes(t.old_layout.as_raw(), t.new_layout.as_raw()),
            })
            .collect();
        get::<Device>(device).device.tell_layouts(&uses);
        Ok(())
    }
}
