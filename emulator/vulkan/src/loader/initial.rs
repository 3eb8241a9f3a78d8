//! Creation of instances, and what is known before: versions and extensions are those of the table of commands, so that
//! the table cannot have these commands.

use std::ffi::c_char;

use ash::vk;
use quadrille::reserve::Room;

use super::profile;
use crate::device::instance::Instance;
use crate::interface::chain::text;
use crate::interface::guard::{VkResult, code, commands, guard};
use crate::interface::handle::{ROOM, create};
use crate::interface::messages::Chained;
use crate::registry::row::Kind;

/// Creates an instance.
///
/// # Safety
/// The valid usage of `vkCreateInstance` holds.
unsafe fn make(info: &vk::InstanceCreateInfo<'_>) -> VkResult<vk::Instance> {
    let _room = Room::new(ROOM).map_err(|e| code(&e))?;
    if info.enabled_layer_count != 0 {
        return Err(vk::Result::ERROR_LAYER_NOT_PRESENT);
    }
    // SAFETY: the caller promises a valid structure, with its strings and arrays.
    unsafe {
        let app = info.p_application_info.as_ref();
        let offer = profile::offer(app.map_or("", |app| text(app.p_engine_name)));
        let (names, n) = (info.pp_enabled_extension_names, info.enabled_extension_count);
        let extensions = offer.enable(Kind::Instance, &[], names, n)?;
        // An application without a version, or with version 0, is one for Vulkan 1.0.
        let api_version = app.map_or(0, |app| app.api_version).max(vk::API_VERSION_1_0);
        Ok(create(Instance::new(api_version, offer, extensions)))
    }
}

/// Creates an instance. Messengers in the chain hear of a failure, too, which `guard` reports.
///
/// # Safety
/// The valid usage of the command holds.
pub unsafe extern "system" fn create_instance(
    info: *const vk::InstanceCreateInfo<'_>,
    _allocator: *const vk::AllocationCallbacks<'_>,
    out: *mut vk::Instance,
) -> vk::Result {
    let mut chained = Chained::default();
    let body = || -> VkResult {
        // SAFETY: the caller obeys the valid usage of the command.
        unsafe {
            let info = &*info;
            chained.add(info.p_next);
            *out = make(info)?;
        }
        Ok(())
    };
    // SAFETY: the subject is silent.
    unsafe { guard("create_instance", info, body) }
}

commands! {
    fn enumerate_instance_extension_properties(
        layer: *const c_char,
        count: *mut u32,
        out: *mut vk::ExtensionProperties,
    ) -> vk::Result {
        if !layer.is_null() {
            return Err(vk::Result::ERROR_LAYER_NOT_PRESENT);
        }
        profile::offer("").enumerate(Kind::Instance, count, out)
    }
}
