//! Chapter "Memory Decompression".
//!
//! The commands of VK_NV_memory_decompression take the method in each region, those of VK_EXT_memory_decompression
//! once.

use ash::vk;
use quadrille::{DecompressRegion, GDEFLATE_1_0, LIMITS};

use crate::command_buffer::{list, with};
use crate::interface::chain::slice;
use crate::interface::guard::{VkResult, code, commands};
use crate::newer::{DecompressMemoryInfoEXT, DecompressMemoryRegionEXT};

fn region(r: &DecompressMemoryRegionEXT) -> DecompressRegion {
    DecompressRegion {
        src_address: r.src_address,
        dst_address: r.dst_address,
        compressed_size: r.compressed_size,
        decompressed_size: r.decompressed_size,
    }
}

/// Checks that a method is supported.
fn supported(method: u64) -> VkResult {
    if method == GDEFLATE_1_0 { Ok(()) } else { Err(vk::Result::ERROR_FEATURE_NOT_PRESENT) }
}

/// Records an indirect decompression.
///
/// # Safety
/// The command buffer is live, and recording is externally synchronized.
unsafe fn indirect(
    buffer: vk::CommandBuffer,
    [regions, count]: [vk::DeviceAddress; 2],
    max_count: u32,
    stride: u32,
    method: Option<u64>,
) {
    // SAFETY: the caller promises the conditions of `list` and `with`.
    unsafe {
        let at = |address| list(buffer).buffer_at(address).map_err(|e| code(&e));
        let method = method.map(supported).transpose();
        let both = method.and_then(|method| Ok((at(regions)?, at(count)?, method.is_none())));
        with(buffer, both, |list, ((regions, from), (count, at), with_method)| {
            let (regions, count) = ((&regions, from), (&count, at));
            list.decompress_memory_indirect_count(regions, count, max_count, stride, with_method);
        });
    }
}

commands! {
    fn cmd_decompress_memory(buffer: vk::CommandBuffer, info: *const DecompressMemoryInfoEXT) {
        let info = &*info;
        with(buffer, supported(info.decompression_method), |list, ()| {
            let regions: Vec<_> = slice(info.p_regions, info.region_count).iter().map(region).collect();
            list.decompress_memory(&regions);
        });
    }

    fn cmd_decompress_memory_indirect_count(
        buffer: vk::CommandBuffer,
        method: u64,
        regions: vk::DeviceAddress,
        count: vk::DeviceAddress,
        max_count: u32,
        stride: u32,
    ) {
        indirect(buffer, [regions, count], max_count, stride, Some(method));
    }

    fn cmd_decompress_memory_nv(
        buffer: vk::CommandBuffer,
        n: u32,
        regions: *const vk::DecompressMemoryRegionNV,
    ) {
        let regions = slice(regions, n);
        let all = regions.iter().try_for_each(|r| supported(r.decompression_method.as_raw()));
        with(buffer, all, |list, ()| {
            let region = |r: &vk::DecompressMemoryRegionNV| DecompressRegion {
                src_address: r.src_address,
                dst_address: r.dst_address,
                compressed_size: r.compressed_size,
                decompressed_size: r.decompressed_size,
            };
            list.decompress_memory(&regions.iter().map(region).collect::<Vec<_>>());
        });
    }

    fn cmd_decompress_memory_indirect_count_nv(
        buffer: vk::CommandBuffer,
        regions: vk::DeviceAddress,
        count: vk::DeviceAddress,
        stride: u32,
    ) {
        let most = u32::try_from(LIMITS.max_decompression_indirect_count).unwrap_or(u32::MAX);
        indirect(buffer, [regions, count], most, stride, None);
    }
}
