//! Chapter "Shaders", validation caches. Checking a module is part of parsing it and is never skipped, so that a cache
//! consists only of its header.

use std::ffi::c_void;

use ash::vk;

use crate::capabilities::properties::validation_cache_uuid;
use crate::interface::chain::write_whole;
use crate::interface::guard::commands;
use crate::interface::handle::{create, destroy, objects};

/// A VkValidationCacheEXT.
pub struct ValidationCache;

objects!(ValidationCache => ValidationCacheEXT);

/// Size of the header, in bytes.
const HEADER: usize = 8 + vk::UUID_SIZE;

/// Header of version one.
fn header() -> [u8; HEADER] {
    let version = vk::ValidationCacheHeaderVersionEXT::ONE.as_raw() as u32;
    let mut out = [0; HEADER];
    out[..4].copy_from_slice(&(HEADER as u32).to_le_bytes());
    out[4..8].copy_from_slice(&version.to_le_bytes());
    out[8..].copy_from_slice(&validation_cache_uuid());
    out
}

commands! {
    fn create_validation_cache(
        _d: vk::Device,
        _info: *const vk::ValidationCacheCreateInfoEXT<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::ValidationCacheEXT,
    ) -> vk::Result {
        *out = create(ValidationCache);
        Ok(())
    }

    fn destroy_validation_cache(
        _d: vk::Device,
        cache: vk::ValidationCacheEXT,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        let _ = destroy::<ValidationCache>(cache);
    }

    fn merge_validation_caches(
        _d: vk::Device,
        _to: vk::ValidationCacheEXT,
        _n: u32,
        _from: *const vk::ValidationCacheEXT,
    ) -> vk::Result {
        Ok(())
    }

    fn get_validation_cache_data(
        _d: vk::Device,
        _cache: vk::ValidationCacheEXT,
        size: *mut usize,
        out: *mut c_void,
    ) -> vk::Result {
        write_whole(&header(), size, out)
    }
}
