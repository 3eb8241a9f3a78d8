//! Vulkan's registry: an excerpt of it, and the Rust declarations that the driver generates from the excerpt.
//!
//! * [`excerpt()`]: picks declarations from the registry (`vk.xml`), and writes them as C.
//! * [`rows`], [`table`], [`page`]: the extensions of the registry, and why the driver does not offer some of them.
//!   [`differences`]: what a table lacks.
//! * [`witnesses`]: tests of the extensions that the driver offers, and of Roadmap 2026.
//! * [`declarations`]: from the excerpt to structures, handles and types of commands. [`declared`]: names.
//!
//! Left to others: the driver owns the macros that the declarations call (`emulator/vulkan/src/newer/mod.rs`), and the
//! table of extensions and features.

mod declarations;
mod excerpt;
mod extensions;
mod witnesses;

pub use declarations::{declarations, declared};
pub use excerpt::excerpt;
pub use extensions::{EXTENSIONS, EXTENSIONS_PAGE, Row, VERSION, differences, page, rows, table, version};
pub use witnesses::{TESTS, Witness, witnesses};

/// Path of the excerpt from the root of the repository.
pub const EXCERPT: &str = "conformance/inventory/vulkan_newer.txt";

/// Path of the generated file from the root of the repository.
pub const GENERATED: &str = "emulator/vulkan/src/newer/generated.rs";
