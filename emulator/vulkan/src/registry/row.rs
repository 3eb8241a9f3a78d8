//! Types of the rows of the table of versions and extensions. The rows are in `table`.

use ash::vk;

/// Name of an extension.
pub type Extension = &'static str;

/// Major and minor number of a version.
pub type Version = (u32, u32);

/// Kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A version of Vulkan.
    Version,
    /// An instance extension.
    Instance,
    /// A device extension.
    Device,
}

/// Type of a command's first argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// No handle.
    Global,
    /// An instance.
    Instance,
    /// A physical device.
    PhysicalDevice,
    /// A device, queue or command buffer.
    Device,
}

/// A command, without its type.
pub type Function = unsafe extern "system" fn();

/// The `offered` function of rows without a condition.
pub fn always() -> bool {
    true
}

/// A version or an extension.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Kind of the row.
    pub kind: Kind,
    /// Name, such as `VK_VERSION_1_1` or `VK_KHR_maintenance1`.
    pub name: Extension,
    /// Implemented revision of the extension.
    pub revision: u32,
    /// The version itself, or the version that includes the extension.
    pub core: Option<Version>,
    /// Dependencies that must be enabled too: names with `+` for "and", `,` for "or", and parentheses. Dependencies
    /// that 1.1 satisfies are omitted, because all devices support at least 1.1.
    pub needs: &'static str,
    /// Returns `true` if the host supports the extension; called at least once before a device is enumerated.
    pub offered: fn() -> bool,
    /// Structures that extend VkPhysicalDeviceFeatures2.
    pub features: &'static [vk::StructureType],
    /// Structures that extend VkPhysicalDeviceProperties2.
    pub properties: &'static [vk::StructureType],
    /// Commands: level, name of the type in the bindings, function. The commands of an extension have its suffix,
    /// whatever the suffix of the type.
    pub commands: &'static [(Level, &'static str, Function)],
    /// Extensions whose commands this one also has, with its own suffix.
    pub commands_of: &'static [Extension],
}
