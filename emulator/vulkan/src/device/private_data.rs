//! Private data slots of applications, and the list of active tools (empty). Spec: Vulkan, "Private Data", "Tooling".

use std::sync::Arc;

use ash::vk;

use crate::interface::chain::enumerate;
use crate::interface::guard::commands;
use crate::interface::handle::{attached, create, destroy, get, objects};

/// A slot: the token that identifies it in objects with data for it.
#[derive(Default)]
pub struct PrivateDataSlot(Arc<()>);
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
        _ty: vk::ObjectType,
        object: u64,
        slot: vk::PrivateDataSlot,
        data: u64,
    ) -> vk::Result {
        let slot = Arc::downgrade(&get::<PrivateDataSlot>(slot).0);
        let list = &mut attached(object).data;
        match list.iter_mut().find(|(other, _)| other.ptr_eq(&slot)) {
            Some((_, old)) => *old = data,
            None => {
                list.retain(|(other, _)| other.strong_count() > 0);
                list.push((slot, data));
            }
        }
        Ok(())
    }

    /// Returns 0 if nothing was set since the object was created. Spec: Vulkan, vkGetPrivateData.
    fn get_private_data(
        _d: vk::Device,
        _ty: vk::ObjectType,
        object: u64,
        slot: vk::PrivateDataSlot,
        out: *mut u64,
    ) {
        let slot = Arc::as_ptr(&get::<PrivateDataSlot>(slot).0);
        let attached = attached(object);
        let found = attached.data.iter().find(|(other, _)| other.as_ptr() == slot);
        *out = found.map_or(0, |(_, data)| *data);
    }

    fn get_physical_device_tool_properties(
        _d: vk::PhysicalDevice,
        count: *mut u32,
        out: *mut vk::PhysicalDeviceToolProperties<'_>,
    ) -> vk::Result {
        enumerate(&[], count, out)
    }
}
