//! Descriptions of a pipeline's shaders for fixed function. Linking the stages is left to `front`, calls of their code
//! to `invoke`.

use quadrille_jit::ir::{
    BuiltIn, DepthLayout, Imm, Interface, MAX_STREAMS, Shader, Slot, Stage, StageKind, Xfb, each_inst,
};

/// Properties of a shader that the pipeline needs besides its lane function.
#[derive(Clone, Debug, Default)]
pub struct StageInfo {
    /// Name of the entry point, for messages.
    pub name: String,
    /// As `Shader::inputs`.
    pub inputs: Vec<Interface>,
    /// As `Shader::outputs`.
    pub outputs: Vec<Interface>,
    /// As `Shader::patch_inputs`.
    pub patch_inputs: Vec<Interface>,
    /// As `Shader::patch_outputs`.
    pub patch_outputs: Vec<Interface>,
    /// As `Shader::primitive_outputs`.
    pub primitive_outputs: Vec<Interface>,
    /// As `Shader::local_size`.
    pub local_size: [u32; 3],
    /// As `Shader::xfb`.
    pub xfb: Xfb,
    /// As `Shader::sample_shading`.
    pub sample_shading: bool,
    /// As `Shader::centroid`.
    pub centroid: bool,
    /// `true` if the shader reads or writes SampleMask.
    pub sample_mask: bool,
    /// As `Shader::discards`.
    pub discards: bool,
    /// As `Shader::writes_memory`.
    pub writes_memory: bool,
    /// As `Shader::reads_attachments`.
    pub reads_attachments: [bool; 2],
    /// `true` if the shader must run even without any effect on results, because a tool observes it.
    pub always_runs: bool,
    /// As `Shader::early_fragment_tests`.
    pub early_fragment_tests: bool,
    /// As `Shader::post_depth_coverage`.
    pub post_depth_coverage: bool,
    /// As `Shader::depth_layout`.
    pub depth_layout: DepthLayout,
}

impl From<&Shader> for StageInfo {
    fn from(s: &Shader) -> Self {
        StageInfo {
            name: s.name.clone(),
            inputs: s.inputs.clone(),
            outputs: s.outputs.clone(),
            patch_inputs: s.patch_inputs.clone(),
            patch_outputs: s.patch_outputs.clone(),
            primitive_outputs: s.primitive_outputs.clone(),
            local_size: s.local_size,
            xfb: s.xfb.clone(),
            sample_shading: s.sample_shading,
            centroid: s.centroid,
            sample_mask: uses_sample_mask(s),
            discards: s.discards,
            writes_memory: s.writes_memory,
            reads_attachments: s.reads_attachments,
            always_runs: false,
            early_fragment_tests: s.early_fragment_tests,
            post_depth_coverage: s.post_depth_coverage,
            depth_layout: s.depth_layout,
        }
    }
}

fn uses_sample_mask(s: &Shader) -> bool {
    let mut used = s.outputs.iter().any(|o| matches!(o.slot, Slot::BuiltIn(BuiltIn::SampleMask, _)));
    if s.stage == Stage::Fragment {
        each_inst(&s.body, &mut |i| used |= matches!(i.imm, Imm::BuiltIn(BuiltIn::SampleMask, _)));
    }
    used
}

impl StageInfo {
    /// Description of a missing stage.
    pub(super) const NONE: StageInfo = StageInfo {
        always_runs: false,
        name: String::new(),
        inputs: Vec::new(),
        outputs: Vec::new(),
        patch_inputs: Vec::new(),
        patch_outputs: Vec::new(),
        primitive_outputs: Vec::new(),
        local_size: [0; 3],
        xfb: Xfb { outputs: Vec::new(), strides: [0; MAX_STREAMS], streams: [0; MAX_STREAMS] },
        sample_shading: false,
        centroid: false,
        sample_mask: false,
        discards: false,
        writes_memory: false,
        reads_attachments: [false; 2],
        early_fragment_tests: false,
        post_depth_coverage: false,
        depth_layout: DepthLayout::Any,
    };
}

/// A stage before rasterization.
#[derive(Clone, Debug, Default)]
pub struct PreRasterStage {
    /// Kind of the stage, with its execution modes.
    pub kind: StageKind,
    /// Description of the stage's shader.
    pub info: StageInfo,
}

impl PreRasterStage {
    /// The vertex stage.
    pub fn vertex(info: StageInfo) -> Self {
        PreRasterStage { kind: StageKind::Vertex, info }
    }
}
