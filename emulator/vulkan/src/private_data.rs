//! Private data slots of applications, and the tools that watch them (none).
//! Spec: Vulkan, "Private Data", "Tooling".

use std::sync::{Mutex, PoisonError};

use ash::vk;
use rustc_hash::FxHashMap;

use crate::chain::enumerate;
use crate::guard::commands;
use crate::handle::{create, destroy, get, objects};

/// A slot: a number for every object.
#[derive(Default)]
pub struct PrivateDataSlot(Mutex<FxHashMap<(i32, u64), u64>>);
objects!(PrivateDataSlot => PrivateDataSlot);

commands! {
    fn create_private_data_slot(
        _d: vk::Device,
        _info: *const vk::PrivateDataSlotCreateInfo<'_>,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::PrivateDataSlot,
    ) -> vk::Result {
        *out = create(PrivateDataSlot::default());
        Ok(())
    }

    fn destroy_private_data_slot(
        _d: vk::Device,
        slot: vk::PrivateDataSlot,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        drop(destroy::<PrivateDataSlot>(slot));
    }

    fn set_private_data(
        _d: vk::Device,
        ty: vk::ObjectType,
        object: u64,
        slot: vk::PrivateDataSlot,
        data: u64,
    ) -> vk::Result {
        let slot = get::<PrivateDataSlot>(slot);
        slot.0.lock().unwrap_or_else(PoisonError::into_inner).insert((ty.as_raw(), object), data);
        Ok(())
    }

    fn get_private_data(
        _d: vk::Device,
        ty: vk::ObjectType,
        object: u64,
        slot: vk::PrivateDataSlot,
        out: *mut u64,
    ) {
        let data = get::<PrivateDataSlot>(slot).0.lock().unwrap_or_else(PoisonError::into_inner);
        *out = data.get(&(ty.as_raw(), object)).copied().unwrap_or(0);
    }

    fn get_physical_device_tool_properties(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::PhysicalDeviceToolProperties<'_>,
    ) -> vk::Result {
        enumerate(&[], count, out)
    }
}
