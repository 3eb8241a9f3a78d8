//! Pipelines: shaders compiled for a layout, with the fixed-function state.
//!
//! Everything that can fail fails here: at creation both entry points are compiled in the first tier
//! and the fixed-function state is prepared, so that a draw or dispatch has nothing left to compile.

mod compute;
mod graphics;
mod states;

pub use compute::{ComputePipeline, ComputePipelineDesc};
pub(crate) use graphics::check_vertex_input;
pub use graphics::{GraphicsPipeline, GraphicsPipelineDesc};
pub use states::{DynamicStates, STATES, StateRow};
