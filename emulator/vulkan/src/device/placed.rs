//! Chapter "Memory Allocation", maps of memory at addresses of the application. Spec: Vulkan, VkMemoryMapPlacedInfoEXT.
//!
//! On a device with the feature, all memory is shareable, so that its file can be mapped a second time.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use ash::vk::Handle;
use quadrille::{Memory, PlacedMap};

use crate::interface::chain::find;
use crate::interface::guard::{VkResult, code, log};

/// `true` if the host can map memory at addresses of the application.
pub fn offered() -> bool {
    quadrille::PLACED_MAPS
}

/// The placed maps of a device, by the handle of their memory.
#[derive(Default)]
pub struct PlacedMaps {
    /// `true` if the feature is enabled.
    pub on: bool,
    maps: Mutex<HashMap<u64, PlacedMap>>,
}

impl PlacedMaps {
    /// Returns no maps, for a device with this create info.
    ///
    /// # Safety
    /// `info` and its chain are valid.
    pub unsafe fn of(info: &vk::DeviceCreateInfo<'_>) -> PlacedMaps {
        // SAFETY: the caller promises a valid chain.
        let features = unsafe { find::<vk::PhysicalDeviceMapMemoryPlacedFeaturesEXT<'_>>(info.p_next) };
        PlacedMaps { on: features.is_some_and(|f| f.memory_map_placed == vk::TRUE), ..PlacedMaps::default() }
    }

    /// Maps bytes of memory at an address.
    ///
    /// # Safety
    /// The application owns the addresses, which are whole pages, and `offset` is a multiple of the size of a page.
    pub unsafe fn map(
        &self,
        handle: vk::DeviceMemory,
        memory: &Memory,
        at: *mut u8,
        [offset, len]: [u64; 2],
    ) -> VkResult {
        // SAFETY: promised by the caller; the driver forms no references to mapped bytes.
        let map = unsafe { memory.map_at(at, offset, len) }.map_err(|e| {
            log(&e);
            vk::Result::ERROR_MEMORY_MAP_FAILED
        })?;
        self.maps.lock().unwrap_or_else(PoisonError::into_inner).insert(handle.as_raw(), map);
        Ok(())
    }

    /// Removes the map of memory, if it has one. With `reserve`, its addresses stay reserved.
    ///
    /// # Safety
    /// The application does not use the map any more.
    pub unsafe fn unmap(&self, handle: vk::DeviceMemory, reserve: bool) -> VkResult {
        if !self.on {
            return Ok(());
        }
        let map = self.maps.lock().unwrap_or_else(PoisonError::into_inner).remove(&handle.as_raw());
        match map {
            // SAFETY: the caller promises that nobody uses the map, which is still the one that `map` made: the
            // application must not map other pages over it.
            Some(map) => unsafe { map.remove(reserve) }.map_err(|e| code(&e)),
            None => Ok(()),
        }
    }
}
