//! What errors of commands are about: the names of pipelines and of command buffers, behind their text. Objects without a name
//! are left out: nothing here would tell them from others.

use super::list::Recorded;
use crate::device::Device;
use crate::error::Error;
use crate::object::Shared;

/// An error of a draw or dispatch, with the name of its pipeline.
pub(super) fn of_pipeline(error: Error, device: &Device, pipeline: &impl Shared) -> Error {
    match device.given_names().given(pipeline) {
        Some(name) => error.about(&name),
        None => error,
    }
}

/// The error that ended a list. Where a shader ran too long, with the names of the pipelines that have it: draws of one pass run
/// together.
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
