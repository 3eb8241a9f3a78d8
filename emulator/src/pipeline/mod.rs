//! Pipelines: shaders compiled for a layout, with the fixed-function state.
//!
//! All failures occur at creation: the entry points are compiled in the first tier and the fixed-function state is
//! prepared, so that a draw or dispatch has nothing left to compile. `command` binds and runs pipelines.
//!
//! `compiled` describes compiled stages.
//!
//! `layout` has the pipeline layouts. `compile` creates shader modules and compiled variants once while some object
//! holds them.

mod compile;
mod compiled;
mod compute;
mod graphics;
pub mod layout;
mod ray_tracing;
mod shader_object;
mod stages;
mod states;

pub use compiled::{CompiledStage, StageStatistic, StageText};
pub use compute::{ComputePipeline, ComputePipelineDesc};
pub use graphics::{GraphicsPipeline, GraphicsPipelineDesc};
pub(crate) use graphics::{
    check_discard_rectangles, check_patch_control_points, check_shading_rate, check_vertex_input,
};
pub use ray_tracing::{
    GroupShader, RayTracingPipeline, RayTracingPipelineDesc, SHADER_GROUP_HANDLE_BYTES, ShaderGroup,
};
pub(crate) use shader_object::{BoundObjects, RendersTo, pipeline_of};
pub use shader_object::{ShaderObject, ShaderObjectDesc};
pub use states::{DynamicStates, STATES, StateRow};
