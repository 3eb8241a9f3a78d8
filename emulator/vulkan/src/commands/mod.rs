//! Commands that are recorded in command buffers, by chapter of the specification.
//!
//! * `copy`, `draw`, `feedback`, `render`, `state`, `sync`: copies and clears; draws and dispatches; transform
//!   feedback; render passes; pipelines, sets and dynamic state; barriers and queries.
//! * `trace_rays`: commands that trace rays.
//! * `address`: commands that take device addresses instead of buffers.
//! * `decompress`: decompression of memory.
//! * `generated`: device-generated commands.
//! * `vendor`: dynamic state of vendor extensions that are not supported.
//!
//! Left to others: `command_buffer` owns the command buffers; `descriptor` has the commands of descriptors; `shader`
//! binds shader objects; `debug_utils` has labels.

pub(crate) mod address;
pub(crate) mod copy;
pub(crate) mod decompress;
pub(crate) mod draw;
pub(crate) mod feedback;
pub(crate) mod generated;
pub(crate) mod render;
pub(crate) mod state;
pub(crate) mod sync;
pub(crate) mod trace_rays;
pub(crate) mod vendor;
