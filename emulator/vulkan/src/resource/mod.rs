//! Memory and resources: allocation, buffers, images, their views, and samplers.
//!
//! * `memory`, `external`: allocations, and import and export of memory, fences and semaphores.
//! * `buffer`, `image`, `sampler`: the objects of the chapters "Resource Creation" and "Samplers".
//! * `sparse`: sparse resources, and their binding.
//! * `host_copy`: copies between images and host memory without a queue.
//!
//! Left to others: formats and memory types are in `capabilities`; `commands` records copies; images of swapchains
//! belong to `wsi`.

pub(crate) mod buffer;
pub(crate) mod external;
pub(crate) mod host_copy;
pub(crate) mod image;
pub(crate) mod memory;
pub(crate) mod sampler;
pub(crate) mod sparse;
