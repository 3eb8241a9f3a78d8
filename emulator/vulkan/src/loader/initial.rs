//! Creation of instances, and what is known before: versions and extensions are those of the table of commands, so that
//! the table cannot have these commands.

use std::ffi::c_char;

use ash::vk;
use quadrille::reserve::Room;

use super::profile;
use crate::device::instance::Instance;
use crate::interface::chain::text;
use crate::interface::guard::{code, commands};
use crate::interface::handle::{ROOM, create};
use crate::registry::row::Kind;

commands! {
    fn create_instance(
        info: *const vk::InstanceCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::Instance,
    ) -> vk::Result {
        let info = &*info;
        let _room = Room::new(ROOM).map_err(|e| code(&e))?;
        if info.enabled_layer_count != 0 {
            return Err(vk::Result::ERROR_LAYER_NOT_PRESENT);
        }
        let app = info.p_application_info.as_ref();
        let offer = profile::offer(app.map_or("", |app| text(app.p_engine_name)));
        let (names, n) = (info.pp_enabled_extension_names, info.enabled_extension_count);
        let extensions = offer.enable(Kind::Instance, &[], names, n)?;
        // An application without a version, or with version 0, is one for Vulkan 1.0.
        let api_version = app.map_or(0, |app| app.api_version).max(vk::API_VERSION_1_0);
        *out = create(Instance::new(api_version, offer, extensions));
        Ok(())
    }

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
