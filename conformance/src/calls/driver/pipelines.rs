//! Graphics pipelines for existing targets.
#![expect(unsafe_code, reason = "a Vulkan client")]

use ash::vk;
use quadrille::Stage;

use super::super::shaders::{self, FRAGMENTS, Fragment, Later};
use super::formats::class;
use super::objects::MOST;
use super::{KINDS, Pipeline, Shared, World};
use crate::random::Random;

impl World<'_> {
    pub(super) fn make_pipeline(&mut self) {
        if let Some(i) = self.index(self.targets.len()) {
            self.make_pipeline_for(i);
        }
    }

    pub(super) fn make_pipeline_for(&mut self, i: usize) {
        if self.pipelines.len() >= MOST {
            return;
        }
        let formats = self.targets[i].formats.clone();
        let layout = self.r.below(KINDS.len());
        let (later, topology) = match self.r.one_in(2) {
            true => (Later::default(), None),
            false => {
                let (later, topology) = Later::random(&mut self.r);
                (later, Some(vk::PrimitiveTopology::from_raw(topology as i32)))
            }
        };
        // The scope does not use the vertex buffers that transform feedback writes as attributes.
        let attributes = self.r.one_in(2) && !later.captures;
        let kind = FRAGMENTS[self.r.below(FRAGMENTS.len())];
        let types: Vec<&str> =
            formats.0.iter().map(|f| ["vec4", "uvec4", "ivec4"][class(*f) as usize]).collect();
        let mut texts = vec![
            (Stage::Vertex, shaders::vertex(attributes, &later)),
            (Stage::Fragment, shaders::fragment(&types, kind)),
        ];
        if later.tessellation.is_some() {
            texts.push((Stage::TessellationControl, later.control()));
            texts.push((Stage::TessellationEvaluation, later.evaluation()));
        }
        if later.geometry.is_some() {
            texts.push((Stage::Geometry, later.geometry()));
        }
        let modules: Result<Vec<_>, _> =
            texts.into_iter().map(|(stage, text)| Ok((stage, self.shared.shader(stage, &text)?))).collect();
        let Some(modules) = self.judge("vkCreateShaderModule", modules) else { return };
        let stride = [8, 12, 20][self.r.below(3)];
        let made = graphics_pipeline(
            self.shared,
            &mut self.r,
            &formats,
            (&modules, topology),
            layout,
            attributes,
            stride,
        );
        if let Some(pipeline) = self.judge("vkCreateGraphicsPipelines", made) {
            if self.r.one_in(8) {
                self.describe(pipeline);
            }
            let uid = self.uid();
            let (samples_image, stores) = (kind == Fragment::Sample, kind == Fragment::Store);
            self.pipelines.push(Pipeline {
                uid,
                pipeline,
                formats,
                layout,
                attributes,
                stride,
                samples_image,
                stores,
                later,
            });
        }
    }

    /// Asks for the executables of a pipeline, and for the numbers of one of them.
    fn describe(&mut self, pipeline: vk::Pipeline) {
        let commands = &self.shared.client.executables;
        // SAFETY: the device is live and has the feature; the pipeline is live.
        let (found, numbers) = unsafe {
            let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
            let found = commands.get_pipeline_executable_properties(&info);
            let n = found.as_ref().map_or(1, Vec::len).max(1);
            let index = self.r.below(n) as u32;
            let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index);
            (found, commands.get_pipeline_executable_statistics(&info))
        };
        let found = self.judge("vkGetPipelineExecutableProperties", found);
        if found.is_some_and(|list| list.len() < 2) {
            self.fail("a pipeline with a vertex and a fragment shader has less than two executables".into());
        }
        let numbers = self.judge("vkGetPipelineExecutableStatistics", numbers);
        if numbers.is_some_and(|list| list.is_empty()) {
            self.fail("an executable has no statistics".into());
        }
    }
}

/// Topologies of pipelines without tessellation; lists of triangles are twice as likely.
const TOPOLOGIES: [vk::PrimitiveTopology; 7] = [
    vk::PrimitiveTopology::TRIANGLE_LIST,
    vk::PrimitiveTopology::TRIANGLE_LIST,
    vk::PrimitiveTopology::TRIANGLE_STRIP,
    vk::PrimitiveTopology::TRIANGLE_FAN,
    vk::PrimitiveTopology::LINE_LIST,
    vk::PrimitiveTopology::LINE_STRIP,
    vk::PrimitiveTopology::POINT_LIST,
];

fn graphics_pipeline(
    shared: &Shared,
    r: &mut Random,
    formats: &super::TargetKey,
    (modules, topology): (&[(Stage, vk::ShaderModule)], Option<vk::PrimitiveTopology>),
    layout: usize,
    attributes: bool,
    stride: u32,
) -> Result<vk::Pipeline, vk::Result> {
    let stages: Vec<_> = modules.iter().map(stage_of).collect();
    let bindings = [vk::VertexInputBindingDescription {
        binding: 0,
        stride,
        input_rate: vk::VertexInputRate::from_raw(r.below(2) as i32),
    }];
    let binding = 0;
    let attribute =
        |location, format, offset| vk::VertexInputAttributeDescription { location, binding, format, offset };
    let list = [attribute(0, vk::Format::R16G16_SNORM, 0), attribute(1, vk::Format::R8G8B8A8_UNORM, 4)];
    let mut input = vk::PipelineVertexInputStateCreateInfo::default();
    if attributes {
        input = input.vertex_binding_descriptions(&bindings).vertex_attribute_descriptions(&list);
    }
    let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
        .topology(topology.unwrap_or(*r.pick(&TOPOLOGIES)));
    let patches =
        vk::PipelineTessellationStateCreateInfo::default().patch_control_points(1 + r.below(5) as u32);
    let viewport = vk::PipelineViewportStateCreateInfo::default().viewport_count(1).scissor_count(1);
    let raster = raster(r);
    let samples = formats.2;
    let multisample = vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(samples))
        .sample_shading_enable(samples > 1 && r.one_in(3))
        .min_sample_shading(1.0);
    let depth = depth_stencil(r);
    let blends = blends(r, &formats.0, samples);
    let blend = vk::PipelineColorBlendStateCreateInfo::default().attachments(&blends);
    let mut states = vec![vk::DynamicState::VIEWPORT, vk::DynamicState::SCISSOR];
    if topology == Some(vk::PrimitiveTopology::PATCH_LIST) {
        states.push(vk::DynamicState::PATCH_CONTROL_POINTS_EXT);
    }
    let dynamic = vk::PipelineDynamicStateCreateInfo::default().dynamic_states(&states);
    let of_depth = formats.1.unwrap_or(vk::Format::UNDEFINED);
    let of_stencil =
        if of_depth == vk::Format::D32_SFLOAT_S8_UINT { of_depth } else { vk::Format::UNDEFINED };
    let mut rendering = vk::PipelineRenderingCreateInfo::default()
        .color_attachment_formats(&formats.0)
        .depth_attachment_format(of_depth)
        .stencil_attachment_format(of_stencil);
    let info = vk::GraphicsPipelineCreateInfo::default()
        .flags(super::density::pipeline_flags(formats))
        .stages(&stages)
        .vertex_input_state(&input)
        .input_assembly_state(&assembly)
        .tessellation_state(&patches)
        .viewport_state(&viewport)
        .rasterization_state(&raster)
        .multisample_state(&multisample)
        .depth_stencil_state(&depth)
        .color_blend_state(&blend)
        .dynamic_state(&dynamic)
        .layout(shared.layouts[layout].layout)
        .push_next(&mut rendering);
    // SAFETY: `shared` keeps the layout and the shader modules alive, and the generator sets valid state.
    let made =
        unsafe { shared.client.device.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
    made.map(|p| p[0]).map_err(|e| e.1)
}

fn stage_of(&(stage, module): &(Stage, vk::ShaderModule)) -> vk::PipelineShaderStageCreateInfo<'static> {
    let stage = match stage {
        Stage::Vertex => vk::ShaderStageFlags::VERTEX,
        Stage::TessellationControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
        Stage::TessellationEvaluation => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
        Stage::Geometry => vk::ShaderStageFlags::GEOMETRY,
        _ => vk::ShaderStageFlags::FRAGMENT,
    };
    vk::PipelineShaderStageCreateInfo::default().module(module).stage(stage).name(c"main")
}

fn raster(r: &mut Random) -> vk::PipelineRasterizationStateCreateInfo<'static> {
    let cull = if r.one_in(4) { vk::CullModeFlags::BACK } else { vk::CullModeFlags::NONE };
    let polygon = if r.one_in(5) { vk::PolygonMode::LINE } else { vk::PolygonMode::FILL };
    vk::PipelineRasterizationStateCreateInfo::default()
        .cull_mode(cull)
        .polygon_mode(polygon)
        .depth_clamp_enable(r.one_in(4))
        .line_width(1.0)
}

fn depth_stencil(r: &mut Random) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let compares = [
        vk::CompareOp::ALWAYS,
        vk::CompareOp::LESS,
        vk::CompareOp::GREATER_OR_EQUAL,
        vk::CompareOp::NOT_EQUAL,
    ];
    let ops = [
        vk::StencilOp::KEEP,
        vk::StencilOp::REPLACE,
        vk::StencilOp::INCREMENT_AND_WRAP,
        vk::StencilOp::INVERT,
    ];
    let mut face = || vk::StencilOpState {
        fail_op: *r.pick(&ops),
        pass_op: *r.pick(&ops),
        depth_fail_op: *r.pick(&ops),
        compare_op: *r.pick(&compares),
        compare_mask: 0xff,
        write_mask: 0xff,
        reference: 3,
    };
    let (front, back) = (face(), face());
    vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(r.one_in(2))
        .depth_write_enable(r.one_in(2))
        .depth_compare_op(*r.pick(&compares))
        .stencil_test_enable(r.one_in(2))
        .front(front)
        .back(back)
        .max_depth_bounds(1.0)
}

fn blends(
    r: &mut Random,
    formats: &[vk::Format],
    samples: u32,
) -> Vec<vk::PipelineColorBlendAttachmentState> {
    formats
        .iter()
        .map(|f| {
            vk::PipelineColorBlendAttachmentState::default()
                .blend_enable(class(*f) == 0 && samples == 1 && r.one_in(2))
                .src_color_blend_factor(vk::BlendFactor::SRC_ALPHA)
                .dst_color_blend_factor(vk::BlendFactor::ONE_MINUS_SRC_ALPHA)
                .src_alpha_blend_factor(vk::BlendFactor::ONE)
                .color_write_mask(if r.one_in(4) {
                    vk::ColorComponentFlags::R | vk::ColorComponentFlags::B
                } else {
                    vk::ColorComponentFlags::RGBA
                })
        })
        .collect()
}
