//! Launches of ray tracing pipelines by hand: scenes, shader groups and shader binding tables from few words.
//!
//! * `parts`: the parts of a scene and their text; `scene`: their acceleration structures.
//! * `groups`: shader groups from the names of shaders; `tables`: the shader binding tables of a pipeline.
//!
//! The applications (`apps`) and shader tests share this module, so that both have the same groups and records. It uses
//! only the public interfaces of the device, which does not depend on it.

mod groups;
mod parts;
mod scene;
mod tables;

pub use groups::{Groups, NamedShader, Record, entries, groups};
pub use parts::{Primitives, ScenePart, fit_records, is_scene, parse_scene};
pub use scene::build_scene;
pub use tables::{Tables, tables};
