//! What a row of the table of versions and extensions says. The rows are in `table`.

use ash::vk;

/// Name of an extension.
pub type Extension = &'static str;

/// Major and minor number of a version.
pub type Version = (u32, u32);

/// What a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A version of Vulkan.
    Version,
    /// An instance extension.
    Instance,
    /// A device extension.
    Device,
}

/// What a command's first argument is.
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

/// A command, whatever its type.
pub type Function = unsafe extern "system" fn();

/// The condition of rows without one.
pub fn always() -> bool {
    true
}

/// A version or an extension.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What the row is about.
    pub kind: Kind,
    /// Name, as `VK_VERSION_1_1` or `VK_KHR_maintenance1`.
    pub name: Extension,
    /// Revision of the extension that is implemented.
    pub revision: u32,
    /// The version that it became part of, or is.
    pub core: Option<Version>,
    /// What must be enabled too: names with `+` for "and", `,` for "or", and parentheses. What 1.1 satisfies is
    /// left out, since all devices are of 1.1 at least.
    pub needs: &'static str,
    /// Whether the host has what it takes; asked once at least before a device is enumerated.
    pub offered: fn() -> bool,
    /// Structures that extend VkPhysicalDeviceFeatures2.
    pub features: &'static [vk::StructureType],
    /// Structures that extend VkPhysicalDeviceProperties2.
    pub properties: &'static [vk::StructureType],
    /// Commands: first argument, name of the type in the bindings, function. An extension's commands have its
    /// suffix, whatever the type's has.
    pub commands: &'static [(Level, &'static str, Function)],
    /// Extensions whose commands this one has, too, with its own suffix.
    pub commands_of: &'static [Extension],
}
