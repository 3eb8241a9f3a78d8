//! Pipeline libraries: parts of graphics pipelines, and linking.
//!
//! A [`Draft`] has the state of some of the four subsets. A library is a draft; linking merges drafts. Shaders are
//! compiled when a pipeline is complete; the device shares them among pipelines.

use ash::vk;
use ash::vk::GraphicsPipelineLibraryFlagsEXT as Subsets;
use quadrille::{
    Device, DrawStateDesc, Dynamic, DynamicStates, GraphicsPipelineDesc, PipelineLayout, PipelineParts,
    STATES, ShaderStage,
};

use crate::interface::guard::{VkResult, code};

/// The subset with vertex input and input assembly.
pub const VERTEX_INPUT: Subsets = Subsets::VERTEX_INPUT_INTERFACE;
/// The subset with the stages before rasterization, and rasterization.
pub const PRE_RASTERIZATION: Subsets = Subsets::PRE_RASTERIZATION_SHADERS;
/// The subset with the fragment stage, depth and stencil tests.
pub const FRAGMENT_SHADER: Subsets = Subsets::FRAGMENT_SHADER;
/// The subset with formats, blending and multisampling.
pub const FRAGMENT_OUTPUT: Subsets = Subsets::FRAGMENT_OUTPUT_INTERFACE;

/// All subsets.
pub fn all() -> Subsets {
    VERTEX_INPUT | PRE_RASTERIZATION | FRAGMENT_SHADER | FRAGMENT_OUTPUT
}

/// Converts subsets to the parts of the device library.
pub fn parts(subsets: Subsets) -> PipelineParts {
    PipelineParts(subsets.as_raw())
}

/// Known state of a graphics pipeline.
#[derive(Clone, Debug, Default)]
pub struct Draft {
    /// Subsets whose state is known.
    pub subsets: Subsets,
    /// Stages of the known subsets.
    pub stages: Vec<(vk::ShaderStageFlags, ShaderStage)>,
    /// Pipeline layouts of the stages.
    pub layouts: Vec<PipelineLayout>,
    /// State that is prepared.
    pub state: DrawStateDesc,
    /// State that is taken per draw.
    pub fixed: Dynamic,
    /// State that commands set.
    pub dynamic: DynamicStates,
    /// Views rendered at once, one bit each.
    pub view_mask: u32,
}

impl Draft {
    /// Adds the state of a library.
    pub fn add(&mut self, from: &Draft) {
        // Either of the fragment shader and fragment output subsets may enable it.
        let sample_shading = self.state.sample_shading | from.state.sample_shading;
        let sample_shading_enable = self.state.sample_shading_enable | from.state.sample_shading_enable;
        let said = parts(from.subsets);
        for row in STATES.iter().filter(|row| said.contains(row.part)) {
            row.copy((&mut self.state, &mut self.fixed), (&from.state, &from.fixed));
        }
        self.state.sample_shading = sample_shading;
        self.state.sample_shading_enable = sample_shading_enable;
        self.stages.extend(from.stages.iter().cloned());
        self.layouts.extend(from.layouts.iter().cloned());
        self.dynamic |= from.dynamic;
        self.view_mask |= from.view_mask;
        self.subsets |= from.subsets;
    }

    /// Returns the pipeline when all subsets are known.
    pub fn complete(self, device: &Device) -> VkResult<GraphicsPipelineDesc> {
        let layout = PipelineLayout::joined(device, &self.layouts).map_err(|e| code(&e))?;
        let stage = |flag| self.stages.iter().find(|s| s.0 == flag).map(|s| s.1.clone());
        Ok(GraphicsPipelineDesc {
            vertex: stage(vk::ShaderStageFlags::VERTEX),
            tessellation_control: stage(vk::ShaderStageFlags::TESSELLATION_CONTROL),
            tessellation_evaluation: stage(vk::ShaderStageFlags::TESSELLATION_EVALUATION),
            geometry: stage(vk::ShaderStageFlags::GEOMETRY),
            task: stage(vk::ShaderStageFlags::TASK_EXT),
            mesh: stage(vk::ShaderStageFlags::MESH_EXT),
            fragment: stage(vk::ShaderStageFlags::FRAGMENT),
            layout,
            state: self.state,
            fixed: self.fixed,
            dynamic: self.dynamic,
            view_mask: self.view_mask,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values match the specification. Spec: Vulkan, VkGraphicsPipelineLibraryFlagBitsEXT and VkDynamicState.
    #[test]
    fn states_have_the_numbers_of_the_specification() {
        assert_eq!(parts(VERTEX_INPUT), PipelineParts::VERTEX_INPUT);
        assert_eq!(parts(PRE_RASTERIZATION), PipelineParts::PRE_RASTERIZATION);
        assert_eq!(parts(FRAGMENT_SHADER), PipelineParts::FRAGMENT_SHADER);
        assert_eq!(parts(FRAGMENT_OUTPUT), PipelineParts::FRAGMENT_OUTPUT);
        for row in STATES {
            let Some(number) = row.number else { continue };
            let name = match number {
                // VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT, which the bindings lack.
                1_000_582_000 => "DEPTH_CLAMP_RANGE".into(),
                number => format!("{:?}", vk::DynamicState::from_raw(number)),
            };
            let name = name.trim_end_matches("_EXT").trim_end_matches("_KHR");
            assert_eq!(name, row.name);
        }
    }
}
