//! The Vulkan driver: a thin C interface to the `quadrille` device.
//!
//! It converts structures and handles; the device library implements the commands. Files follow the chapters of the
//! Vulkan specification:
//!
//! | file | chapter |
//! |---|---|
//! | `loader`, `lookup`, `table`, `row`, `extensions`, `instance`, `profile` | Initialization; the interface of the loader |
//! | `physical`, `properties`, `heap`, `limits`, `features`, `newer`, `format` | Devices and Queues, Limits, Features, Formats |
//! | `device`, `queue`, `submit` | Devices and Queues, submission |
//! | `command`, `command_*` | Command Buffers, and the commands recorded in them |
//! | `command_address` | Commands by device addresses, of several chapters |
//! | `generated_commands` | Device-Generated Commands |
//! | `sync` | Synchronization and Cache Control |
//! | `render_pass` | Render Pass |
//! | `shader`, `shader_object`, `pipeline`, `graphics_pipeline`, `binary`, `pipeline_binary` | Shaders, Pipelines |
//! | `memory`, `buffer`, `image`, `sampler`, `sparse` | Memory Allocation, Resource Creation, Samplers, Sparse Resources |
//! | `sharing`, `external` | External memory, fences and semaphores |
//! | `host_copy` | Copies of images on the host |
//! | `layouts` | Image Layouts, as commands say them |
//! | `descriptor`, `descriptor_update`, `descriptor_buffer` | Resource Descriptors, Descriptor Buffers |
//! | `descriptor_heap`, `bound_heaps`, `heap_binary`, `border_color` | Descriptor Heaps |
//! | `query` | Queries |
//! | `versions`, `private_data` | Structures that newer versions repeat; Private Data |
//! | `debug_utils`, `messages` | Debugging: names, labels, messengers |
//! | `wsi` | Window System Integration: surfaces, swapchains, X, Wayland |
//!
//! `guard::commands!` defines every command and catches panics. `handle` converts every handle, and `hand` remembers it
//! for messages about errors. `chain` reads chains and arrays. Programs without the loader use [`entry`].

#![expect(unsafe_code, reason = "C interface: callers promise valid handles and pointers")]
#![allow(clippy::missing_safety_doc, reason = "the specification states the valid usage of commands")]

mod binary;
mod border_color;
mod bound_heaps;
mod buffer;
mod chain;
mod command;
mod command_address;
mod command_copy;
mod command_draw;
mod command_feedback;
mod command_render;
mod command_state;
mod command_sync;
mod command_vendor;
mod convert;
mod debug_utils;
mod descriptor;
mod descriptor_buffer;
mod descriptor_heap;
mod descriptor_update;
mod device;
mod extensions;
mod external;
mod features;
mod format;
mod generated_commands;
mod graphics_pipeline;
mod guard;
mod hand;
mod handle;
mod heap;
mod heap_binary;
mod host_copy;
mod image;
mod instance;
mod layouts;
mod limits;
mod loader;
mod lookup;
mod memory;
mod messages;
mod modifier;
mod newer;
mod physical;
mod pipeline;
mod pipeline_binary;
mod pipeline_library;
mod private_data;
mod profile;
mod properties;
mod query;
mod queue;
mod render_pass;
mod row;
mod sampler;
mod shader;
mod shader_object;
mod sharing;
mod sparse;
mod submit;
mod sync;
mod table;
mod versions;
mod wsi;

pub use binary::forge as forge_binary;
pub use loader::{
    entry, vk_icdGetInstanceProcAddr, vk_icdGetPhysicalDeviceProcAddr,
    vk_icdNegotiateLoaderICDInterfaceVersion,
};
