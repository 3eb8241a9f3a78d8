//! Pipelines, created when a draw first needs them.

use std::collections::HashMap;

use quadrille::{
    BlendEquation, BlendFactor, BlendOp, BlendState, CompareOp, CullMode, DepthState, DescriptorSetLayout,
    Device, DynamicStates, Format, GraphicsPipeline, GraphicsPipelineDesc, PipelineLayout, Result,
    ShaderModule, ShaderStage, Topology,
};

use super::{features, shaders};
use super::{geometry, materials};
use crate::model;

/// Format of the picture during drawing.
pub(super) const COLOR: Format = Format::R32G32B32A32_SFLOAT;
/// Depth format of pictures and of shadow maps.
pub(super) const DEPTH: Format = Format::D32_SFLOAT;

/// Identity of a pipeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    /// A surface: features, textures, topology.
    Surface(u32, u32, model::Topology),
    /// The shadow of a surface.
    Shadow(u32, u32, model::Topology),
    /// The background.
    Background,
}

/// Layouts, and the existing pipelines.
pub(super) struct Pipelines {
    device: Device,
    samples: u32,
    sky: bool,
    pub material: DescriptorSetLayout,
    pub draw: DescriptorSetLayout,
    pub view: DescriptorSetLayout,
    pub light: DescriptorSetLayout,
    /// Layout for the picture: view, material, draw, light.
    pub layout: PipelineLayout,
    /// Layout for shadow maps: view, material, draw.
    pub shadow_layout: PipelineLayout,
    modules: HashMap<(u32, u32), ShaderModule>,
    made: HashMap<Key, GraphicsPipeline>,
}

impl Pipelines {
    pub fn new(device: &Device, samples: u32, sky: bool) -> Result<Self> {
        use quadrille::DescriptorKind::{
            SampledImage, Sampler, StorageBuffer, UniformBuffer, UniformBufferDynamic,
        };
        let view = super::gpu::set_layout(
            device,
            &[UniformBufferDynamic, UniformBuffer, StorageBuffer, StorageBuffer],
        )?;
        let light = super::gpu::set_layout(
            device,
            &[
                StorageBuffer,
                StorageBuffer,
                SampledImage,
                Sampler,
                SampledImage,
                SampledImage,
                SampledImage,
                SampledImage,
                Sampler,
                SampledImage,
                SampledImage,
                Sampler,
            ],
        )?;
        let (material, draw) = (materials::layout(device)?, geometry::layout(device)?);
        let sets = [view.clone(), material.clone(), draw.clone(), light.clone()];
        Ok(Pipelines {
            device: device.clone(),
            samples,
            sky,
            layout: device.create_pipeline_layout(&sets, 0)?,
            shadow_layout: device.create_pipeline_layout(&sets[..3], 0)?,
            material,
            draw,
            view,
            light,
            modules: HashMap::new(),
            made: HashMap::new(),
        })
    }

    fn module(&mut self, features: u32, textures: u32) -> Result<ShaderModule> {
        if let Some(module) = self.modules.get(&(features, textures)) {
            return Ok(module.clone());
        }
        let module = shaders::scene(&self.device, features, textures, self.sky)?;
        self.modules.insert((features, textures), module.clone());
        Ok(module)
    }

    /// Returns a pipeline and creates it if necessary.
    pub fn of(&mut self, key: Key) -> Result<GraphicsPipeline> {
        if let Some(pipeline) = self.made.get(&key) {
            return Ok(pipeline.clone());
        }
        let desc = match key {
            Key::Surface(features, textures, topology) => self.surface(features, textures, topology)?,
            Key::Shadow(features, textures, topology) => self.shadow(features, textures, topology)?,
            Key::Background => self.background()?,
        };
        let pipeline = self.device.create_graphics_pipeline(&desc)?;
        self.made.insert(key, pipeline.clone());
        Ok(pipeline)
    }

    fn surface(
        &mut self,
        features: u32,
        textures: u32,
        topology: model::Topology,
    ) -> Result<GraphicsPipelineDesc> {
        let module = self.module(features, textures)?;
        let stage = |entry: &str| ShaderStage::new(&module, entry);
        let mut desc = GraphicsPipelineDesc::new(&self.layout, stage("vertex"), Some(stage("fragment")));
        let state = &mut desc.state;
        (state.vertex_bindings, state.vertex_attributes) = geometry::vertex_input();
        state.topology = topology_of(topology);
        state.color_formats = vec![Some(COLOR)];
        state.depth_format = Some(DEPTH);
        let blended = features & features::BLEND != 0;
        // Depth is reversed.
        state.depth =
            DepthState { test: true, write: !blended, compare: CompareOp::GreaterOrEqual, bounds: false };
        state.samples = self.samples;
        if blended {
            state.blend = vec![blend(features & features::UNLIT != 0)];
        }
        desc.dynamic = desc.dynamic | DynamicStates::CULL_MODE | DynamicStates::FRONT_FACE;
        Ok(desc)
    }

    fn shadow(
        &mut self,
        features: u32,
        textures: u32,
        topology: model::Topology,
    ) -> Result<GraphicsPipelineDesc> {
        let module = self.module(features, textures)?;
        let stage = |entry: &str| ShaderStage::new(&module, entry);
        let fragment = (features & features::MASK != 0).then(|| stage("shadow_fragment"));
        let mut desc = GraphicsPipelineDesc::new(&self.shadow_layout, stage("vertex"), fragment);
        let state = &mut desc.state;
        (state.vertex_bindings, state.vertex_attributes) = geometry::vertex_input();
        state.topology = topology_of(topology);
        state.depth_format = Some(DEPTH);
        state.depth = DepthState { test: true, write: true, compare: CompareOp::LessOrEqual, bounds: false };
        state.cull = CullMode::default();
        state.depth_bias = true;
        desc.fixed.depth_bias.slope = 1.5;
        Ok(desc)
    }

    fn background(&mut self) -> Result<GraphicsPipelineDesc> {
        let module = self.module(0, 0)?;
        let stage = |entry: &str| ShaderStage::new(&module, entry);
        let mut desc = GraphicsPipelineDesc::new(
            &self.layout,
            stage("background_vertex"),
            Some(stage("background_fragment")),
        );
        desc.state.color_formats = vec![Some(COLOR)];
        desc.state.depth_format = Some(DEPTH);
        desc.state.depth =
            DepthState { test: true, write: false, compare: CompareOp::GreaterOrEqual, bounds: false };
        desc.state.samples = self.samples;
        Ok(desc)
    }
}

fn topology_of(topology: model::Topology) -> Topology {
    match topology {
        model::Topology::Points => Topology::PointList,
        model::Topology::Lines => Topology::LineList,
        model::Topology::Triangles => Topology::TriangleList,
    }
}

/// Blends colours by coverage. Alpha of the picture is the weight of tone mapping: it goes towards 1, or towards 0 for
/// unlit colours.
fn blend(unlit: bool) -> BlendState {
    let over = |src| BlendEquation { src, dst: BlendFactor::OneMinusSrcAlpha, op: BlendOp::Add };
    let alpha = if unlit { BlendFactor::Zero } else { BlendFactor::One };
    BlendState { enable: true, equations: [over(BlendFactor::SrcAlpha), over(alpha)], write_mask: 0xf }
}
