//! Context of errors of commands: appends the names of pipelines and command buffers to the error's text. Objects
//! without a name are left out, because a number would not help the reader to find them.

use super::list::CommandList;
use crate::device::Device;
use crate::error::Error;
use crate::object::Shared;

/// Adds the pipeline's name to an error of a draw or dispatch.
pub(super) fn of_pipeline(error: Error, device: &Device, pipeline: &impl Shared) -> Error {
    match device.given_names().given(pipeline) {
        Some(name) => error.about(&name),
        None => error,
    }
}

/// Adds context to an error that ended a list and lost the device: the name of the list. The rasterizer has added the pipeline's.
pub(super) fn of_list(error: Error, list: &CommandList) -> Error {
    match &list.name {
        Some(name) if error.is_loss() => error.about(&format!("command buffer {name:?}")),
        _ => error,
    }
}
