//! Chapter "Deferred Host Operations": objects to which commands may defer their work.
//!
//! No command of this driver does: commands with a deferred operation run to their end and return
//! `VK_OPERATION_NOT_DEFERRED_KHR`, so that an operation never has anything to do.

use ash::vk;
use ash::vk::Handle;

use crate::interface::guard::{VkResult, commands};
use crate::interface::handle::{create, destroy, objects};

/// A VkDeferredOperationKHR.
pub struct Deferred;

objects!(Deferred => DeferredOperationKHR);

/// Returns the result of a command that ends before it returns. Spec: Vulkan, "Deferred Host Operations".
pub fn done(deferred: vk::DeferredOperationKHR, result: VkResult) -> VkResult {
    result?;
    if deferred.is_null() { Ok(()) } else { Err(vk::Result::OPERATION_NOT_DEFERRED_KHR) }
}

commands! {
    fn create_deferred_operation(
        _d: vk::Device,
        _allocator: *const vk::AllocationCallbacks<'_>,
        out: *mut vk::DeferredOperationKHR,
    ) -> vk::Result {
        *out = create(Deferred);
        Ok(())
    }

    fn destroy_deferred_operation(
        _d: vk::Device,
        operation: vk::DeferredOperationKHR,
        _allocator: *const vk::AllocationCallbacks<'_>,
    ) {
        destroy::<Deferred>(operation);
    }

    fn get_deferred_operation_max_concurrency(
        _d: vk::Device,
        _operation: vk::DeferredOperationKHR,
    ) -> u32 {
        0
    }

    fn get_deferred_operation_result(_d: vk::Device, _operation: vk::DeferredOperationKHR) -> vk::Result {
        Ok(())
    }

    fn deferred_operation_join(_d: vk::Device, _operation: vk::DeferredOperationKHR) -> vk::Result {
        Ok(())
    }
}
