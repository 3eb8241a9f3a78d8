//! Vulkan's registry: an excerpt of it, and the Rust declarations that the driver generates from the excerpt.
//!
//! * [`excerpt()`]: picks declarations from the registry (`vk.xml`), and writes them as C.
//! * [`declarations`]: from the excerpt to structures, handles and types of commands. [`declared`]: names.
//!
//! Left to others: the driver owns the macros that the declarations call (`emulator/vulkan/src/newer/mod.rs`), and the
//! table of extensions and features.

mod declarations;
mod excerpt;

pub use declarations::{declarations, declared};
pub use excerpt::excerpt;

/// Path of the excerpt from the root of the repository.
pub const EXCERPT: &str = "conformance/inventory/vulkan_newer.txt";

/// Path of the generated file from the root of the repository.
pub const GENERATED: &str = "emulator/vulkan/src/newer/generated.rs";
