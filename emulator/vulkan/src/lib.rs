//! The Vulkan driver: a thin C interface to the `quadrille` device.
//!
//! It converts structures and handles; the device library implements the commands. Folders follow the chapters of
//! the Vulkan specification:
//!
//! | folder or file | chapter |
//! |---|---|
//! | `loader`, `table`, `registry`, `newer` | Initialization; versions and extensions, with their commands; the loader |
//! | `device` | Initialization; Devices and Queues; Private Data |
//! | `capabilities` | Limits, Features, Formats, Additional Capabilities |
//! | `command_buffer`, `commands` | Command Buffers, submission, and the commands recorded in them |
//! | `sync`, `query`, `counters`, `render_pass` | Synchronization and Cache Control, Queries, Render Pass |
//! | `shader`, `pipeline` | Shaders, Pipelines |
//! | `resource` | Memory Allocation, Resource Creation, Samplers, Sparse Resources |
//! | `descriptor` | Resource Descriptors, Descriptor Buffers, Descriptor Heaps |
//! | `acceleration_structure`, `deferred` | Acceleration Structures, Deferred Host Operations |
//! | `debug_utils` | Debugging: names, labels, messengers |
//! | `sys` | the host: descriptors as numbers, window systems that exist |
//! | `wsi` | Window System Integration: surfaces, swapchains, X, Wayland |
//! | `interface` | Fundamentals: entry points, handles, chains of structures, messages |
//!
//! `interface::guard::commands!` defines every command and catches panics. `interface::handle` converts every handle,
//! and `interface::hand` remembers it for messages about errors. `interface::chain` reads chains and arrays. Programs
//! without the loader use [`entry`].

#![expect(unsafe_code, reason = "C interface: callers promise valid handles and pointers")]
#![allow(clippy::missing_safety_doc, reason = "the specification states the valid usage of commands")]

mod acceleration_structure;
mod capabilities;
mod command_buffer;
mod commands;
mod counters;
mod debug_utils;
mod deferred;
mod descriptor;
mod device;
mod interface;
mod layouts;
mod loader;
mod newer;
mod pipeline;
mod query;
mod registry;
mod render_pass;
mod resource;
mod shader;
mod sync;
mod sys;
mod table;
mod wsi;

pub use loader::{
    entry, vk_icdGetInstanceProcAddr, vk_icdGetPhysicalDeviceProcAddr,
    vk_icdNegotiateLoaderICDInterfaceVersion,
};
pub use shader::binary::forge as forge_binary;
