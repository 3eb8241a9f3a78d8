//! Compute pipelines.

use std::sync::Arc;

use quadrille_jit::ir::{self, Stage};

use super::layout::PipelineLayout;
use crate::device::Device;
use crate::error::Result;
use crate::object::{objects, same_device, shared};
use crate::shader::{ShaderStage, Variant};

/// Creation parameters of a compute pipeline.
#[derive(Clone, Debug)]
pub struct ComputePipelineDesc {
    /// The entry point.
    pub stage: ShaderStage,
    /// Layout of descriptors and push constants.
    pub layout: PipelineLayout,
}

struct Inner {
    device: Device,
    layout: PipelineLayout,
    variant: Arc<Variant>,
}

/// A compiled compute shader. Spec: Vulkan, "Compute Pipelines".
#[derive(Clone)]
pub struct ComputePipeline(Arc<Inner>);

objects! { ComputePipeline: "compute pipeline" = |p| p.0.device.device_id(); }
shared!(ComputePipeline);

impl std::fmt::Debug for ComputePipeline {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "ComputePipeline({})", self.shader().name)
    }
}

impl ComputePipeline {
    pub(crate) fn new(device: &Device, desc: &ComputePipelineDesc) -> Result<Self> {
        same_device(&desc.layout, device)?;
        let variant = device.shaders().variant(device, &desc.stage, Stage::Compute, &desc.layout)?;
        Ok(ComputePipeline(Arc::new(Inner { device: device.clone(), layout: desc.layout.clone(), variant })))
    }

    /// The entry point: workgroup size, bindings and other reflection.
    pub fn shader(&self) -> &ir::Shader {
        &self.0.variant.shader
    }

    /// Layout of the pipeline.
    pub fn layout(&self) -> &PipelineLayout {
        &self.0.layout
    }

    pub(crate) fn variant(&self) -> &Arc<Variant> {
        &self.0.variant
    }
}
