//! Pipeline libraries: parts of graphics pipelines, and how they make a whole.
//!
//! A [`Draft`] is what some of the four subsets of state say. A library is a draft; linking puts drafts
//! together. Shaders are compiled when a pipeline is complete, and shared among pipelines by the device.

use ash::vk;
use ash::vk::GraphicsPipelineLibraryFlagsEXT as Subsets;
use quadrille::{
    Device, DrawStateDesc, Dynamic, DynamicStates, GraphicsPipelineDesc, PipelineLayout, ShaderStage,
};

use crate::guard::{VkResult, code};

/// Vertex input and input assembly.
pub const INPUT: Subsets = Subsets::VERTEX_INPUT_INTERFACE;
/// The vertex stage and rasterization.
pub const PRE_RASTERIZATION: Subsets = Subsets::PRE_RASTERIZATION_SHADERS;
/// The fragment stage, depth and stencil tests.
pub const FRAGMENT: Subsets = Subsets::FRAGMENT_SHADER;
/// Formats, blending and multisampling.
pub const OUTPUT: Subsets = Subsets::FRAGMENT_OUTPUT_INTERFACE;

/// All subsets.
pub fn all() -> Subsets {
    INPUT | PRE_RASTERIZATION | FRAGMENT | OUTPUT
}

/// Dynamic state that counts for some subsets.
pub fn dynamic_of(subsets: Subsets) -> DynamicStates {
    use DynamicStates as S;
    let lists = [
        (
            INPUT,
            S::PRIMITIVE_TOPOLOGY
                | S::PRIMITIVE_RESTART_ENABLE
                | S::VERTEX_INPUT
                | S::VERTEX_INPUT_BINDING_STRIDE,
        ),
        (
            FRAGMENT,
            S::DEPTH_BOUNDS
                | S::DEPTH_BOUNDS_TEST_ENABLE
                | S::DEPTH_TEST_ENABLE
                | S::DEPTH_WRITE_ENABLE
                | S::DEPTH_COMPARE_OP
                | S::STENCIL_TEST_ENABLE
                | S::STENCIL_OP
                | S::STENCIL_COMPARE_MASK
                | S::STENCIL_WRITE_MASK
                | S::STENCIL_REFERENCE,
        ),
        (
            OUTPUT,
            S::BLEND_CONSTANTS
                | S::LOGIC_OP
                | S::LOGIC_OP_ENABLE
                | S::COLOR_BLEND_ENABLE
                | S::COLOR_BLEND_EQUATION
                | S::COLOR_WRITE_MASK
                | S::COLOR_WRITE_ENABLE
                | S::RASTERIZATION_SAMPLES
                | S::SAMPLE_MASK
                | S::ALPHA_TO_COVERAGE_ENABLE
                | S::ALPHA_TO_ONE_ENABLE,
        ),
    ];
    // The rest is about rasterization.
    let others = lists.iter().fold(S::NONE, |all, (_, s)| all | *s);
    let own = lists.iter().filter(|(subset, _)| subsets.contains(*subset));
    let mut out = own.fold(S::NONE, |all, (_, s)| all | *s);
    if subsets.contains(PRE_RASTERIZATION) {
        out |= S(!others.0);
    }
    out
}

/// What is known of a graphics pipeline.
#[derive(Clone, Default)]
pub struct Draft {
    /// Subsets that have been said.
    pub subsets: Subsets,
    /// The vertex stage.
    pub vertex: Option<ShaderStage>,
    /// The fragment stage.
    pub fragment: Option<ShaderStage>,
    /// Layouts of the stages.
    pub layouts: Vec<PipelineLayout>,
    /// State.
    pub state: DrawStateDesc,
    /// State that need not be prepared.
    pub fixed: Dynamic,
    /// State that commands set.
    pub dynamic: DynamicStates,
    /// Views.
    pub view_mask: u32,
}

impl Draft {
    /// Adds what a library says.
    pub fn add(&mut self, library: &Draft) {
        if library.subsets.contains(PRE_RASTERIZATION) {
            // What no other subset has is the library's.
            let before = std::mem::replace(self, library.clone());
            self.layouts.clear();
            self.dynamic = DynamicStates::NONE;
            self.add_parts(&before);
        }
        self.add_parts(library);
    }

    /// Adds everything but the subset of rasterization, and the stages, layouts and dynamic state.
    fn add_parts(&mut self, from: &Draft) {
        let (to, s) = (&mut self.state, &from.state);
        if from.subsets.contains(INPUT) {
            to.vertex_bindings.clone_from(&s.vertex_bindings);
            to.vertex_attributes.clone_from(&s.vertex_attributes);
            (to.topology, to.primitive_restart) = (s.topology, s.primitive_restart);
        }
        if from.subsets.contains(FRAGMENT) {
            (to.depth, to.stencil) = (s.depth, s.stencil);
            to.view_index_is_zero[1] = s.view_index_is_zero[1];
            to.sample_shading |= s.sample_shading;
            self.fixed.depth_bounds = from.fixed.depth_bounds;
            self.fixed.stencil = from.fixed.stencil;
        }
        if from.subsets.contains(OUTPUT) {
            to.color_formats.clone_from(&s.color_formats);
            to.color_locations.clone_from(&s.color_locations);
            (to.depth_format, to.stencil_format) = (s.depth_format, s.stencil_format);
            to.blend.clone_from(&s.blend);
            to.logic_op = s.logic_op;
            (to.samples, to.sample_mask) = (s.samples, s.sample_mask);
            (to.alpha_to_coverage, to.alpha_to_one) = (s.alpha_to_coverage, s.alpha_to_one);
            to.sample_shading |= s.sample_shading;
            self.fixed.blend_constants = from.fixed.blend_constants;
        }
        if from.vertex.is_some() {
            self.vertex.clone_from(&from.vertex);
        }
        if from.fragment.is_some() {
            self.fragment.clone_from(&from.fragment);
        }
        self.layouts.extend(from.layouts.iter().cloned());
        self.dynamic |= from.dynamic;
        self.view_mask |= from.view_mask;
        self.subsets |= from.subsets;
    }

    /// The pipeline, when everything has been said.
    pub fn complete(self, device: &Device) -> VkResult<GraphicsPipelineDesc> {
        let layout = join(device, &self.layouts)?;
        Ok(GraphicsPipelineDesc {
            vertex: self.vertex.ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)?,
            fragment: self.fragment,
            layout,
            state: self.state,
            fixed: self.fixed,
            dynamic: self.dynamic,
            view_mask: self.view_mask,
        })
    }
}

/// A layout with the sets of all: stages may leave out sets that are another's.
fn join(device: &Device, layouts: &[PipelineLayout]) -> VkResult<PipelineLayout> {
    if let [only] = layouts {
        return Ok(only.clone());
    }
    let n = layouts.iter().map(|l| l.sets().len()).max().unwrap_or(0);
    let mut sets = Vec::with_capacity(n);
    for i in 0..n {
        let mut given = layouts.iter().filter_map(|l| l.sets().get(i));
        let first = given.clone().next();
        sets.extend(given.find(|s| !s.bindings().is_empty()).or(first).cloned());
    }
    let push = layouts.iter().map(PipelineLayout::push_size).max().unwrap_or(0);
    device.create_pipeline_layout(&sets, push).map_err(|e| code(&e))
}
