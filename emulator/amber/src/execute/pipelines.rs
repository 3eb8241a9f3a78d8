//! Creates pipeline layouts, descriptor sets and pipelines for each command. The device caches compiled shaders.

use quadrille::{
    BindPoint, BufferViewDesc, CommandBuffer, ComputePipelineDesc, DescriptorBinding, DescriptorKind,
    DescriptorSet, DynamicStates, GraphicsPipelineDesc, ImageType, ImageViewDesc, PipelineLayout, Rect,
    Resource, Sampler, ShaderStage, Stage, Topology, VertexAttribute, VertexBinding, ViewDim, Viewport,
};

use super::{Run, Step, Stop, fail};
use crate::script::model::{Binding, Bound, BufferId, Pipeline, PipelineId, StageUse, State, SubgroupSize};

/// State that commands have changed on a pipeline.
pub struct Current {
    /// Shaders of the pipeline, with the entry points set by commands.
    pub stages: Vec<StageUse>,
    /// Clear colour.
    pub clear_color: [f32; 4],
    /// Clear depth.
    pub clear_depth: f32,
    /// Clear stencil value.
    pub clear_stencil: u32,
    /// Number of vertices per patch, if a command has set it.
    pub patch_vertices: Option<u32>,
    /// Push constants that commands have set.
    pub pushed: Vec<u8>,
}

impl Current {
    /// Creates the state that the script declares for a pipeline.
    pub fn new(pipeline: &Pipeline) -> Self {
        Current {
            stages: pipeline.stages.clone(),
            clear_color: [0.0; 4],
            clear_depth: 1.0,
            clear_stencil: 0,
            patch_vertices: None,
            pushed: Vec::new(),
        }
    }
}

/// Descriptor sets and push constants of a pipeline.
pub struct Resources {
    pub layout: PipelineLayout,
    sets: Vec<DescriptorSet>,
    dynamic_offsets: Vec<u32>,
    push: Vec<u8>,
}

impl Resources {
    /// Binds the resources for the next draw or dispatch.
    pub fn bind(&self, commands: &mut CommandBuffer, point: BindPoint) {
        if !self.sets.is_empty() {
            let sets: Vec<&DescriptorSet> = self.sets.iter().collect();
            commands.bind_descriptor_sets(point, &self.layout, 0, &sets, &self.dynamic_offsets);
        }
        if !self.push.is_empty() {
            commands.push_constants(0, &self.push);
        }
    }
}

/// Vertex buffers, with their bindings and attributes.
pub struct Vertices {
    pub buffers: Vec<quadrille::Buffer>,
    pub bindings: Vec<VertexBinding>,
    pub attributes: Vec<VertexAttribute>,
}

/// Describes a view of an image that starts at a level.
pub fn view_desc(image: &quadrille::Image, level: u32, levels: u32) -> ImageViewDesc {
    let dim = match image.desc().image_type {
        ImageType::D1 => ViewDim::D1,
        ImageType::D2 => ViewDim::D2,
        ImageType::D3 => ViewDim::D3,
    };
    ImageViewDesc { dim, base_level: level, levels, ..ImageViewDesc::new_2d(image.format()) }
}

impl Run<'_> {
    pub(super) fn pipeline(&self, id: PipelineId) -> &'_ Pipeline {
        &self.script.model.pipelines[id.0]
    }

    /// Creates the descriptors and push constants of a pipeline.
    pub(super) fn resources(&mut self, id: PipelineId) -> Step<Resources> {
        let model = &self.script.model;
        let pipeline = &model.pipelines[id.0];
        let mut bindings: Vec<&Binding> = pipeline.bindings.iter().collect();
        bindings.sort_by_key(|b| (b.set, b.binding));
        let n_sets = bindings.last().map_or(0, |b| b.set.saturating_add(1));
        if n_sets > quadrille::LIMITS.max_bound_descriptor_sets {
            return Err(Stop::Skip(format!("needs {n_sets} descriptor sets")));
        }
        let (mut layouts, mut sets, mut dynamic_offsets) = (Vec::new(), Vec::new(), Vec::new());
        for set in 0..n_sets {
            let bindings: Vec<&Binding> = bindings.iter().copied().filter(|b| b.set == set).collect();
            let declared = bindings.iter().map(|b| DescriptorBinding {
                count: b.bound.len() as u32,
                ..DescriptorBinding::new(b.binding, b.kind)
            });
            let layout = self.device.create_descriptor_set_layout(&declared.collect::<Vec<_>>())?;
            let descriptors = self.device.create_descriptor_set(&layout)?;
            for b in bindings {
                for (element, bound) in b.bound.iter().enumerate() {
                    self.write_descriptor(&descriptors, b, element as u32, bound)?;
                    if b.kind.is_dynamic() {
                        dynamic_offsets.push(bound.dynamic_offset);
                    }
                }
            }
            layouts.push(layout);
            sets.push(descriptors);
        }
        let mut push = match pipeline.push_constants {
            Some(buffer) => self.stores.contents(buffer)?,
            None => self.pipelines[id.0].pushed.clone(),
        };
        push.resize(push.len().next_multiple_of(4), 0);
        let layout = self.device.create_pipeline_layout(&layouts, push.len() as u32)?;
        Ok(Resources { layout, sets, dynamic_offsets, push })
    }

    fn write_descriptor(&mut self, set: &DescriptorSet, b: &Binding, element: u32, bound: &Bound) -> Step {
        use DescriptorKind as K;
        let Some(id) = bound.buffer else {
            let sampler = self.sampler(bound)?;
            return Ok(set.write(b.binding, element, Resource::Sampler(&sampler))?);
        };
        match b.kind {
            K::UniformTexelBuffer | K::StorageTexelBuffer => {
                let buffer = self.stores.buffer(id, b.kind == K::StorageTexelBuffer)?;
                let declared = &self.script.model.buffers[id.0];
                let Some(format) = declared.layout.format().filter(|f| f.bytes() == declared.layout.stride)
                else {
                    return Err(Stop::Skip(format!("the elements of `{}` are not texels", declared.name)));
                };
                let view = BufferViewDesc { format, offset: 0, range: None };
                let view = self.device.create_buffer_view(&buffer, view)?;
                set.write(b.binding, element, Resource::TexelBuffer(&view))?;
            }
            K::StorageImage | K::SampledImage | K::CombinedImageSampler => {
                let image = self.stores.image(id, b.kind == K::StorageImage)?;
                // A storage image view has a single level.
                let levels = if b.kind == K::StorageImage { 1 } else { u32::MAX };
                let view = self.device.create_image_view(&image, view_desc(&image, bound.level, levels))?;
                let sampler = if bound.sampler.is_some() { Some(self.sampler(bound)?) } else { None };
                let resource = match &sampler {
                    Some(sampler) => Resource::Combined(&view, sampler),
                    None => Resource::Image(&view),
                };
                set.write(b.binding, element, resource)?;
            }
            _ => {
                let written = matches!(b.kind, K::StorageBuffer | K::StorageBufferDynamic);
                let buffer = &self.stores.buffer(id, written)?;
                let resource = Resource::Buffer { buffer, offset: bound.offset, range: bound.range };
                set.write(b.binding, element, resource)?;
            }
        }
        Ok(())
    }

    fn sampler(&mut self, bound: &Bound) -> Step<Sampler> {
        let Some(id) = bound.sampler else { return fail("a descriptor has no sampler") };
        if let Some(sampler) = self.samplers[id.0] {
            return Ok(sampler);
        }
        let sampler = self.device.create_sampler(self.script.model.samplers[id.0].1)?;
        self.samplers[id.0] = Some(sampler);
        Ok(sampler)
    }

    /// Creates a stage of a pipeline; `None` if the pipeline does not have the stage.
    fn stage(&mut self, id: PipelineId, stage: Stage) -> Step<Option<ShaderStage>> {
        let Some(used) = self.pipelines[id.0].stages.iter().find(|s| s.stage == stage).cloned() else {
            return Ok(None);
        };
        let module = self.shaders.module(used.shader)?;
        let mut shader = ShaderStage::new(&module, used.entry);
        shader.spec = used.spec.iter().map(|(id, bits)| (*id, u64::from(*bits))).collect();
        shader.lanes = match used.subgroup {
            None => None,
            Some(SubgroupSize::Least) => Some(4),
            Some(SubgroupSize::Greatest) => Some(32),
            Some(SubgroupSize::Exactly(n)) if [4, 8, 16, 32].contains(&n) => Some(n),
            Some(SubgroupSize::Exactly(n)) => {
                return Err(Stop::Skip(format!("needs subgroups of {n} invocations")));
            }
        };
        Ok(Some(shader))
    }

    /// Creates a compute pipeline.
    pub(super) fn compute_pipeline(
        &mut self,
        id: PipelineId,
        layout: &PipelineLayout,
    ) -> Step<quadrille::ComputePipeline> {
        let Some(stage) = self.stage(id, Stage::Compute)? else { return fail("there is no compute shader") };
        Ok(self.device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?)
    }

    /// Creates a graphics pipeline for these vertices.
    pub(super) fn graphics_pipeline(
        &mut self,
        id: PipelineId,
        layout: &PipelineLayout,
        state: &State,
        topology: Topology,
        vertices: &Vertices,
    ) -> Step<quadrille::GraphicsPipeline> {
        let Some(vertex) = self.stage(id, Stage::Vertex)? else { return fail("there is no vertex shader") };
        let fragment = self.stage(id, Stage::Fragment)?;
        let mut desc = GraphicsPipelineDesc::new(layout, vertex, fragment);
        desc.tessellation_control = self.stage(id, Stage::TessellationControl)?;
        desc.tessellation_evaluation = self.stage(id, Stage::TessellationEvaluation)?;
        desc.geometry = self.stage(id, Stage::Geometry)?;
        desc.dynamic = DynamicStates::NONE;
        desc.fixed = state.dynamic.clone();
        let [width, height] = self.pipeline(id).size;
        desc.fixed.viewports = vec![state.viewport.unwrap_or_else(|| Viewport::of_size(width, height))];
        desc.fixed.scissors = vec![Rect::of_size(width, height)];
        if let Some(n) = self.pipelines[id.0].patch_vertices {
            desc.fixed.patch_control_points = n;
        }
        desc.state = state.desc.clone();
        desc.state.topology = topology;
        desc.state.depth_zero_one = self.depth_zero_one();
        desc.state.vertex_bindings.clone_from(&vertices.bindings);
        desc.state.vertex_attributes.clone_from(&vertices.attributes);
        self.attachment_state(id, &mut desc);
        desc.state.blend = vec![state.blend; desc.state.color_formats.len()];
        Ok(self.device.create_graphics_pipeline(&desc)?)
    }

    /// Formats whose depth is clamped to the range from 0 to 1, as a device does on which the script's features are enabled.
    fn depth_zero_one(&self) -> [bool; 2] {
        let needs = &self.script.model.needs;
        let clamps = needs.features.iter().any(|f| f == "DepthClampZeroOneFeatures.depthClampZeroOne");
        let unrestricted = needs.extensions.iter().any(|e| e == "VK_EXT_depth_range_unrestricted");
        [clamps, clamps && !unrestricted]
    }

    /// Sets the formats and sample count of the attachments.
    fn attachment_state(&self, id: PipelineId, desc: &mut GraphicsPipelineDesc) {
        let pipeline = self.pipeline(id);
        let buffer = |id: BufferId| &self.script.model.buffers[id.0];
        for color in &pipeline.colors {
            let (at, buffer) = (color.location as usize, buffer(color.buffer));
            let formats = &mut desc.state.color_formats;
            formats.resize(formats.len().max(at + 1), None);
            formats[at] = buffer.layout.format();
            desc.state.samples = desc.state.samples.max(buffer.samples);
        }
        if let Some(format) = pipeline.depth_stencil.and_then(|b| buffer(b).layout.format()) {
            desc.state.depth_format = format.plane(quadrille::Aspects::DEPTH).map(|_| format);
            desc.state.stencil_format = format.plane(quadrille::Aspects::STENCIL).map(|_| format);
        }
    }
}
