//! Compiled stages of pipelines, with their texts at each boundary of the compiler and with numbers
//! about their code. Spec: Vulkan, "Pipeline Executable Properties".
//!
//! Texts and numbers are of the optimized tier, whether it runs yet or not; they are made on demand, so that they cost
//! nothing while pipelines are created. Its code runs from then on.

use std::sync::Arc;

use quadrille_jit::codegen::Listing;
use quadrille_jit::ir::{self, Stage};
use quadrille_jit::spirv::asm;

use super::compute::ComputePipeline;
use super::graphics::GraphicsPipeline;
use super::ray_tracing::RayTracingPipeline;
use crate::error::Result;
use crate::shader::Variant;

/// A compiled stage of a pipeline.
#[derive(Clone)]
pub struct CompiledStage(Arc<Variant>);

impl std::fmt::Debug for CompiledStage {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "CompiledStage({} {})", self.stage().name(), self.name())
    }
}

/// A text of a stage at a boundary of the compiler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageText {
    /// Short name, the same as in `quadrille inspect --emit`.
    pub name: &'static str,
    /// Explanation for people.
    pub description: &'static str,
    /// The text.
    pub text: String,
}

/// A number about the code of a stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StageStatistic {
    /// Short name.
    pub name: &'static str,
    /// Explanation for people.
    pub description: &'static str,
    /// The number.
    pub value: u64,
}

impl CompiledStage {
    /// Stage of the pipeline.
    pub fn stage(&self) -> Stage {
        self.0.shader.stage
    }

    /// Name of the entry point.
    pub fn name(&self) -> &str {
        &self.0.shader.name
    }

    /// Subgroup size.
    pub fn lanes(&self) -> u32 {
        self.0.lanes
    }

    /// Returns the texts at all boundaries of the compiler: SPIR-V, the IR before and after the passes, CLIF, and the
    /// assembly of the host.
    ///
    /// # Errors
    /// Those of the compiler.
    pub fn texts(&self) -> Result<Vec<StageText>> {
        let (listing, _) = self.0.listed()?;
        let Listing { ir, clif, asm: code } = listing;
        let spirv = asm::disassemble(self.0.module.module().words())?;
        let text = |name, description, text| StageText { name, description, text };
        Ok(vec![
            text("spirv", "SPIR-V of the module", spirv),
            text("ir", "shader IR before the passes", self.0.shader.to_string()),
            text("optimized ir", "shader IR after the passes", ir),
            text("clif", "CLIF, the input of the code generator", clif),
            text("asm", "assembly of the host, as it runs when the second tier is ready", code),
        ])
    }

    /// Returns numbers about the code of the optimized tier.
    ///
    /// # Errors
    /// Those of the compiler.
    pub fn statistics(&self) -> Result<Vec<StageStatistic>> {
        let (instructions, meta) = self.0.counted()?;
        let statistic = |name, description, value| StageStatistic { name, description, value };
        Ok(vec![
            statistic(
                "words of SPIR-V",
                "words of the module, with all its entry points",
                self.0.module.module().words().len() as u64,
            ),
            statistic(
                "values",
                "values of the shader IR before the passes",
                self.0.shader.values.len() as u64,
            ),
            statistic("instructions", "lines of the assembly of the host", instructions),
            statistic("scratch memory", "bytes of scratch memory of a call", meta.scratch_bytes as u64),
            statistic("workgroup memory", "bytes of memory of a workgroup", meta.shared_bytes as u64),
            statistic("input words", "32-bit words of input of a group or record", meta.n_input_words.into()),
            statistic(
                "output words",
                "32-bit words of output of a group or record",
                meta.n_output_words.into(),
            ),
        ])
    }

    /// IR of the stage, before the passes.
    pub fn shader(&self) -> &ir::Shader {
        &self.0.shader
    }
}

impl ComputePipeline {
    /// Returns the stage of the pipeline.
    pub fn compiled_stages(&self) -> Vec<CompiledStage> {
        vec![CompiledStage(self.variant().clone())]
    }
}

impl GraphicsPipeline {
    /// Returns the stages of the pipeline, in the order of its stages.
    pub fn compiled_stages(&self) -> Vec<CompiledStage> {
        self.variants().cloned().map(CompiledStage).collect()
    }
}

impl RayTracingPipeline {
    /// Returns the stages of the pipeline, in the order of its stages, then those of its libraries.
    pub fn compiled_stages(&self) -> Vec<CompiledStage> {
        self.variants().iter().cloned().map(CompiledStage).collect()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ComputePipelineDesc, Device, DeviceOptions, ShaderStage, Stage};

    /// Clients ask for the number of statistics first, and some for each pipeline that they create.
    #[test]
    fn statistics_are_of_the_code_that_runs() {
        let device = Device::new(DeviceOptions::default()).unwrap();
        let source = "@compute @workgroup_size(64) fn main() {}";
        let words = crate::frontend::compile_wgsl(source, &Default::default()).unwrap();
        let module = device.create_shader_module(&words).unwrap();
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let stage = ShaderStage::only(&module, Stage::Compute).unwrap();
        let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout }).unwrap();
        let stages = pipeline.compiled_stages();
        assert!(!pipeline.variant().lane_fn().is_upgraded());
        let first = stages[0].statistics().unwrap();
        assert!(first.iter().any(|s| s.name == "instructions" && s.value > 0), "{first:?}");
        assert!(pipeline.variant().lane_fn().is_upgraded());
        assert_eq!(pipeline.variant().counted.get().map(|of| of.0), Some(first[2].value));
        assert_eq!(stages[0].statistics().unwrap(), first);
    }
}
