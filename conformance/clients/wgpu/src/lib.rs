//! wgpu on Quadrille without the Vulkan loader and without an installed driver. Copy this code into your project.

use std::error::Error;

use ash::vk;

mod picture;

pub use picture::{draw, read};

/// Returns a wgpu instance whose only adapter is Quadrille. Each call creates a separate driver instance.
pub fn instance() -> Result<wgpu::Instance, Box<dyn Error>> {
    let entry = vk_quadrille::entry();
    let flags = wgpu::InstanceFlags::empty();
    let version = vk::API_VERSION_1_1;
    let extensions = wgpu_hal::vulkan::Instance::desired_extensions(&entry, version, flags)?;
    let names: Vec<_> = extensions.iter().map(|e| e.as_ptr()).collect();
    // The driver recognizes wgpu by this engine name.
    let app = vk::ApplicationInfo::default().engine_name(c"wgpu-hal").api_version(version);
    let info = vk::InstanceCreateInfo::default().application_info(&app).enabled_extension_names(&names);
    // SAFETY: the entry comes from the driver, the structures outlive the calls, and `from_raw` takes
    // ownership of the new instance.
    unsafe {
        let raw = entry.create_instance(&info, None)?;
        let hal = wgpu_hal::vulkan::Instance::from_raw(
            entry,
            raw,
            version,
            0,
            None,
            extensions,
            flags,
            wgpu::MemoryBudgetThresholds::default(),
            false,
            None,
        )?;
        Ok(wgpu::Instance::from_hal::<wgpu_hal::api::Vulkan>(hal))
    }
}
