//! Context of errors of commands: appends the names of pipelines and command buffers to the error's text. Objects
//! without a name are left out, because a number would not help the reader to find them.

use super::list::Recorded;
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

/// Adds context to a `DeviceLost` error that ended a list: the name of the list, and the names of all graphics
/// pipelines with the shader that ran too long. The draws of a pass run together, so the exact draw is unknown.
pub(super) fn of_list(mut error: Error, device: &Device, list: &Recorded) -> Error {
    let Error::DeviceLost(text) = &error else { return error };
    let names = device.given_names();
    let text = text.clone();
    for pipeline in list.graphics.iter() {
        let has = pipeline.shaders().any(|shader| text.contains(&format!("entry point `{}`", shader.name)));
        if let Some(name) = names.given(pipeline).filter(|_| has) {
            error = error.about(&name);
        }
    }
    match &list.name {
        Some(name) => error.about(&format!("command buffer {name:?}")),
        None => error,
    }
}
