//! Versions and extensions of Vulkan: the types of their rows, and queries over them.
//!
//! * `row`: a version or an extension, in the terms of the registry.
//! * `extensions`: lists of extensions, known structures, and checks of the extensions that an application enables.
//!
//! Left to others: the rows are in `table`; `loader` looks up commands in them; `loader::profile` hides some from
//! engines that they break.

pub(crate) mod extensions;
pub(crate) mod row;
