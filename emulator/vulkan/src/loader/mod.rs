//! Entry points of the driver: negotiation with the loader, and look-up of commands by name through `lookup`, in the
//! table of `table`.
//!
//! `initial` creates instances. `profile` hides extensions from some engines.

mod initial;
mod lookup;
mod profile;

use std::ffi::{CStr, c_char};
use std::sync::atomic::Ordering;

use ash::vk;

use crate::interface::guard::{Nobody, VkResult, guard};
use crate::registry::row::Level;
use lookup::{command, get_instance_proc_addr};

/// Latest supported version of the interface between loader and driver.
const INTERFACE_VERSION: u32 = 7;

/// Negotiates the version of the loader interface.
///
/// # Safety
/// `version` is valid.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vk_icdNegotiateLoaderICDInterfaceVersion(version: *mut u32) -> vk::Result {
    let negotiate = || -> VkResult {
        crate::sys::stay_loaded();
        crate::interface::messages::LOADER.store(true, Ordering::Relaxed);
        // SAFETY: the caller promises that `version` is valid.
        unsafe { *version = (*version).min(INTERFACE_VERSION) };
        Ok(())
    };
    // SAFETY: nobody is a valid subject.
    unsafe { guard("vk_icdNegotiateLoaderICDInterfaceVersion", Nobody, negotiate) }
}

/// Returns any command to the loader.
///
/// # Safety
/// The valid usage of `vkGetInstanceProcAddr` holds.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vk_icdGetInstanceProcAddr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller promises the valid usage of `vkGetInstanceProcAddr`.
    unsafe { get_instance_proc_addr(instance, name) }
}

/// Returns any command to a program that opens this library instead of a loader, as Chromium opens SwiftShader's.
///
/// # Safety
/// The valid usage of `vkGetInstanceProcAddr` holds.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vkGetInstanceProcAddr(
    instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    // SAFETY: the caller promises the valid usage of `vkGetInstanceProcAddr`.
    unsafe { get_instance_proc_addr(instance, name) }
}

/// Returns commands whose first argument is a physical device to the loader.
///
/// # Safety
/// The valid usage of `vkGetInstanceProcAddr` holds.
#[unsafe(no_mangle)]
pub unsafe extern "system" fn vk_icdGetPhysicalDeviceProcAddr(
    _instance: vk::Instance,
    name: *const c_char,
) -> vk::PFN_vkVoidFunction {
    let find = || {
        // SAFETY: the caller promises the valid usage of `vkGetInstanceProcAddr`, so the name ends with a zero byte.
        let command = command(unsafe { CStr::from_ptr(name) })?;
        (command.level == Level::PhysicalDevice).then_some(command.function)
    };
    // SAFETY: nobody is a valid subject.
    unsafe { guard("vk_icdGetPhysicalDeviceProcAddr", Nobody, find) }
}

/// Returns the driver without the loader, for programs that link this crate.
///
/// Layers, window systems and other drivers are not available this way.
pub fn entry() -> ash::Entry {
    let static_fn = ash::StaticFn { get_instance_proc_addr };
    // SAFETY: the function implements `vkGetInstanceProcAddr` and lives as long as the program.
    unsafe { ash::Entry::from_static_fn(static_fn) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_commands_have_no_address() {
        let entry = entry();
        let get = |name: &CStr| {
            // SAFETY: the instance is null, and the name is a C string.
            unsafe { (entry.static_fn().get_instance_proc_addr)(vk::Instance::null(), name.as_ptr()) }
        };
        assert!(get(c"vkCreateInstance").is_some());
        assert!(get(c"vkGetInstanceProcAddr").is_some());
        assert!(get(c"vkCreateDevice").is_none(), "needs an instance");
        assert!(get(c"vkFoo").is_none());
    }
}
