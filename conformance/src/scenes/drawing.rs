//! Draws through Vulkan: pipeline, descriptors and commands.
#![expect(unsafe_code, reason = "calls Vulkan commands")]

use ash::vk;
use quadrille::Stage;
use quadrille::frontend::{Options, compile_glsl};

use super::draw::{Bind, Draw, opaque};
use super::studio::{Made, Pass, Studio};

impl Studio<'_> {
    /// Records a draw in a pass.
    pub fn draw(&self, pass: &Pass, draw: &Draw) -> Made<()> {
        self.prepare(pass, draw)?;
        self.issue(draw);
        Ok(())
    }

    /// Records everything for a draw except the draw command.
    pub fn prepare(&self, pass: &Pass, draw: &Draw) -> Made<()> {
        let d = &self.client.device;
        let stages = draw.stages();
        // SAFETY: the objects are made right here from the live device, or belong to the draw's resources, which the
        // studio keeps alive; `commands` is recording.
        unsafe {
            let (set, layouts) = self.set(draw.bind)?;
            let push = [vk::PushConstantRange { stage_flags: stages, offset: 0, size: 16 }];
            let info =
                vk::PipelineLayoutCreateInfo::default().set_layouts(&layouts).push_constant_ranges(&push);
            let layout = d.create_pipeline_layout(&info, None)?;
            let pipeline = self.pipeline(pass, draw, layout)?;
            let at = vk::PipelineBindPoint::GRAPHICS;
            d.cmd_bind_pipeline(self.commands, at, pipeline);
            d.cmd_bind_descriptor_sets(self.commands, at, layout, 0, &[set], &[]);
            let push = draw.push.map(f32::to_ne_bytes);
            d.cmd_push_constants(self.commands, layout, stages, 0, push.as_flattened());
            for (i, v) in draw.vertices.iter().enumerate() {
                d.cmd_bind_vertex_buffers(self.commands, i as u32, &[v.buffer], &[0]);
            }
            if let Some((buffer, ty)) = draw.index {
                d.cmd_bind_index_buffer(self.commands, buffer, 0, ty);
            }
        }
        Ok(())
    }

    /// Records the draw command after `prepare`.
    pub fn issue(&self, draw: &Draw) {
        let d = &self.client.device;
        let [count, more] = draw.count;
        let meshes = || ash::ext::mesh_shader::Device::new(&self.client.instance, d);
        // SAFETY: `prepare` bound the pipeline and all resources of this draw in the same pass, and `commands` is still
        // recording.
        unsafe {
            if !draw.mesh.is_empty() {
                let [x, y, z] = draw.groups;
                match (draw.indirect, draw.counted) {
                    (Some(from), Some(counted)) => {
                        let commands = self.commands;
                        meshes().cmd_draw_mesh_tasks_indirect_count(commands, from, 0, counted, 0, more, 12);
                    }
                    (Some(from), None) => {
                        meshes().cmd_draw_mesh_tasks_indirect(self.commands, from, 0, more, 12);
                    }
                    _ => meshes().cmd_draw_mesh_tasks(self.commands, x, y, z),
                }
            } else if draw.index.is_some() {
                match draw.indirect {
                    Some(from) => d.cmd_draw_indexed_indirect(self.commands, from, 0, more, 20),
                    None => d.cmd_draw_indexed(self.commands, count, more, draw.first, draw.base, 0),
                }
            } else {
                match draw.indirect {
                    Some(from) => d.cmd_draw_indirect(self.commands, from, 0, more, 16),
                    None => d.cmd_draw(self.commands, count, more, draw.first, 0),
                }
            }
        }
    }

    /// Makes a descriptor set for the resources, and its layout.
    pub fn set(&self, bind: &[Bind]) -> Made<(vk::DescriptorSet, [vk::DescriptorSetLayout; 1])> {
        let d = &self.client.device;
        let mut stages = vk::ShaderStageFlags::ALL_GRAPHICS;
        if self.client.has.mesh.mesh_shader != 0 {
            stages |= vk::ShaderStageFlags::TASK_EXT | vk::ShaderStageFlags::MESH_EXT;
        }
        let samplers: Vec<[vk::Sampler; 1]> = bind
            .iter()
            .map(|b| if let Bind::Converted(_, s) = b { [*s] } else { [vk::Sampler::null()] })
            .collect();
        let bindings: Vec<_> = (0..)
            .zip(bind)
            .zip(&samplers)
            .map(|((i, b), sampler)| {
                let stage = match b {
                    Bind::Input(_) => vk::ShaderStageFlags::FRAGMENT,
                    _ => stages,
                };
                let info = vk::DescriptorSetLayoutBinding::default()
                    .binding(i)
                    .descriptor_type(b.ty())
                    .descriptor_count(1)
                    .stage_flags(stage);
                if matches!(b, Bind::Converted(..)) { info.immutable_samplers(sampler) } else { info }
            })
            .collect();
        // A Y'CbCr conversion may use several descriptors.
        let mut sizes: Vec<_> =
            bind.iter().map(|b| vk::DescriptorPoolSize { ty: b.ty(), descriptor_count: 3 }).collect();
        if sizes.is_empty() {
            sizes =
                vec![vk::DescriptorPoolSize { ty: vk::DescriptorType::STORAGE_BUFFER, descriptor_count: 1 }];
        }
        // SAFETY: pool, layout and set are made right here from the live device with room for the resources; the
        // structures outlive the calls.
        unsafe {
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let layouts = [d.create_descriptor_set_layout(&info, None)?];
            let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
            let pool = d.create_descriptor_pool(&info, None)?;
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = d.allocate_descriptor_sets(&info)?[0];
            for (i, b) in (0..).zip(bind) {
                let general = vk::ImageLayout::GENERAL;
                let image = |image_view, sampler| {
                    [vk::DescriptorImageInfo { sampler, image_view, image_layout: general }]
                };
                let write =
                    vk::WriteDescriptorSet::default().dst_set(set).dst_binding(i).descriptor_type(b.ty());
                match *b {
                    Bind::Sampled(view, sampler) | Bind::Converted(view, sampler) => {
                        d.update_descriptor_sets(&[write.image_info(&image(view, sampler))], &[]);
                    }
                    Bind::Image(view) | Bind::Input(view) => {
                        d.update_descriptor_sets(&[write.image_info(&image(view, vk::Sampler::null()))], &[]);
                    }
                    Bind::Texels(view) | Bind::StorageTexels(view) => {
                        d.update_descriptor_sets(&[write.texel_buffer_view(&[view])], &[]);
                    }
                    Bind::Buffer(buffer) => {
                        let info = [vk::DescriptorBufferInfo { buffer, offset: 0, range: vk::WHOLE_SIZE }];
                        d.update_descriptor_sets(&[write.buffer_info(&info)], &[]);
                    }
                }
            }
            Ok((set, layouts))
        }
    }

    fn module(&self, source: &str, stage: Stage) -> Made<vk::ShaderModule> {
        let file = match stage {
            Stage::Vertex => "scene.vert",
            Stage::TessellationControl => "scene.tesc",
            Stage::TessellationEvaluation => "scene.tese",
            Stage::Geometry => "scene.geom",
            Stage::Task => "scene.task",
            Stage::Mesh => "scene.mesh",
            _ => "scene.frag",
        };
        let words =
            compile_glsl(source, stage, &Options::named(file)).map_err(|e| format!("{e}\n{source}"))?;
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: glslang compiled `words` above, so they are valid SPIR-V; the structure outlives the call.
        Ok(unsafe { self.client.device.create_shader_module(&info, None)? })
    }

    fn stages(&self, draw: &Draw) -> Made<Vec<vk::PipelineShaderStageCreateInfo<'static>>> {
        let [vertex, fragment] = draw.sources();
        let stage = |module, stage| {
            vk::PipelineShaderStageCreateInfo::default().module(module).stage(stage).name(c"main")
        };
        let mut stages =
            vec![stage(self.module(&fragment, Stage::Fragment)?, vk::ShaderStageFlags::FRAGMENT)];
        if draw.mesh.is_empty() {
            stages.push(stage(self.module(&vertex, Stage::Vertex)?, vk::ShaderStageFlags::VERTEX));
        }
        for (kind, source) in draw.later() {
            let flag = match kind {
                Stage::TessellationControl => vk::ShaderStageFlags::TESSELLATION_CONTROL,
                Stage::TessellationEvaluation => vk::ShaderStageFlags::TESSELLATION_EVALUATION,
                Stage::Task => vk::ShaderStageFlags::TASK_EXT,
                Stage::Mesh => vk::ShaderStageFlags::MESH_EXT,
                _ => vk::ShaderStageFlags::GEOMETRY,
            };
            stages.push(stage(self.module(&source, kind)?, flag));
        }
        Ok(stages)
    }

    fn pipeline(&self, pass: &Pass, draw: &Draw, layout: vk::PipelineLayout) -> Made<vk::Pipeline> {
        let stages = self.stages(draw)?;
        let (bindings, attributes) = vertex_input(draw);
        let divisors = divisors(draw);
        let mut divided =
            vk::PipelineVertexInputDivisorStateCreateInfoEXT::default().vertex_binding_divisors(&divisors);
        let mut input = vk::PipelineVertexInputStateCreateInfo::default()
            .vertex_binding_descriptions(&bindings)
            .vertex_attribute_descriptions(&attributes);
        if !divisors.is_empty() {
            input = input.push_next(&mut divided);
        }
        let assembly = vk::PipelineInputAssemblyStateCreateInfo::default()
            .topology(draw.topology)
            .primitive_restart_enable(draw.restart);
        let mut origin = vk::PipelineTessellationDomainOriginStateCreateInfo::default()
            .domain_origin(vk::TessellationDomainOrigin::LOWER_LEFT);
        let mut patches = vk::PipelineTessellationStateCreateInfo::default().patch_control_points(draw.patch);
        if draw.lower_left {
            patches = patches.push_next(&mut origin);
        }
        let scissors = scissors(draw);
        let mut control =
            vk::PipelineViewportDepthClipControlCreateInfoEXT::default().negative_one_to_one(true);
        let mut viewports =
            vk::PipelineViewportStateCreateInfo::default().viewports(&draw.viewports).scissors(&scissors);
        if draw.from_minus_one {
            viewports = viewports.push_next(&mut control);
        }
        let mut raster = raster(draw);
        let mut lines = lines(draw);
        let mut provoking = vk::PipelineRasterizationProvokingVertexStateCreateInfoEXT::default()
            .provoking_vertex_mode(vk::ProvokingVertexModeEXT::LAST_VERTEX);
        let mut clip = vk::PipelineRasterizationDepthClipStateCreateInfoEXT::default()
            .depth_clip_enable(draw.clip.unwrap_or_default());
        if draw.lines.is_some() || draw.stipple.is_some() {
            raster = raster.push_next(&mut lines);
        }
        if draw.last_provokes {
            raster = raster.push_next(&mut provoking);
        }
        if draw.clip.is_some() {
            raster = raster.push_next(&mut clip);
        }
        let mask = [draw.sample_mask.unwrap_or(u32::MAX)];
        let samples = multisample(draw, &mask);
        let depth = depth_stencil(draw);
        let attachments = blends(draw, pass.colors.len());
        let blend = vk::PipelineColorBlendStateCreateInfo::default()
            .attachments(&attachments)
            .blend_constants(draw.constants)
            .logic_op_enable(draw.logic.is_some())
            .logic_op(draw.logic.unwrap_or(vk::LogicOp::COPY));
        let formats: Vec<_> = pass.colors.iter().map(|c| c.format).collect();
        let mut formats = rendering(pass, &formats);
        let mut info = vk::GraphicsPipelineCreateInfo::default()
            .stages(&stages)
            .viewport_state(&viewports)
            .rasterization_state(&raster)
            .multisample_state(&samples)
            .depth_stencil_state(&depth)
            .color_blend_state(&blend)
            .layout(layout);
        if draw.mesh.is_empty() {
            info = info.vertex_input_state(&input).input_assembly_state(&assembly);
        }
        if !draw.evaluation.is_empty() {
            info = info.tessellation_state(&patches);
        }
        match draw.render_pass {
            Some((pass, subpass)) => info = info.render_pass(pass).subpass(subpass),
            None => info = info.push_next(&mut formats),
        }
        let d = &self.client.device;
        // SAFETY: modules, layout and formats fit each other and belong to the live device; the structures outlive the
        // call.
        let made = unsafe { d.create_graphics_pipelines(vk::PipelineCache::null(), &[info], None) };
        Ok(made.map_err(|(_, e)| e)?[0])
    }
}

/// Descriptions of the vertex buffers and attributes.
fn vertex_input(
    draw: &Draw,
) -> (Vec<vk::VertexInputBindingDescription>, Vec<vk::VertexInputAttributeDescription>) {
    let bindings: Vec<_> = (0..)
        .zip(draw.vertices)
        .map(|(binding, v)| vk::VertexInputBindingDescription {
            binding,
            stride: v.stride,
            input_rate: match v.divisor {
                Some(_) => vk::VertexInputRate::INSTANCE,
                None => vk::VertexInputRate::VERTEX,
            },
        })
        .collect();
    let attributes: Vec<_> = draw
        .attributes
        .iter()
        .map(|&(location, binding, format, offset)| vk::VertexInputAttributeDescription {
            location,
            binding,
            format,
            offset,
        })
        .collect();
    (bindings, attributes)
}

/// Buffers whose elements serve other numbers of instances than one.
fn divisors(draw: &Draw) -> Vec<vk::VertexInputBindingDivisorDescriptionEXT> {
    (0..)
        .zip(draw.vertices)
        .filter_map(|(binding, v)| Some((binding, v.divisor?)))
        .filter(|(_, divisor)| *divisor != 1)
        .map(|(binding, divisor)| vk::VertexInputBindingDivisorDescriptionEXT { binding, divisor })
        .collect()
}

/// Shape and stipple of lines.
fn lines(draw: &Draw) -> vk::PipelineRasterizationLineStateCreateInfoEXT<'static> {
    let mut lines = vk::PipelineRasterizationLineStateCreateInfoEXT::default()
        .line_rasterization_mode(draw.lines.unwrap_or(vk::LineRasterizationModeEXT::DEFAULT))
        .stippled_line_enable(draw.stipple.is_some());
    if let Some((factor, pattern)) = draw.stipple {
        lines = lines.line_stipple_factor(factor).line_stipple_pattern(pattern);
    }
    lines
}

/// Blending of each colour attachment.
fn blends(draw: &Draw, count: usize) -> Vec<vk::PipelineColorBlendAttachmentState> {
    let last = draw.blend.last().copied().unwrap_or_else(opaque);
    (0..count).map(|i| draw.blend.get(i).copied().unwrap_or(last)).collect()
}

/// Views and formats of a pass whose colour attachments have these formats.
fn rendering<'a>(pass: &Pass, colors: &'a [vk::Format]) -> vk::PipelineRenderingCreateInfo<'a> {
    vk::PipelineRenderingCreateInfo::default()
        .view_mask(pass.views)
        .color_attachment_formats(colors)
        .depth_attachment_format(pass.depth.map_or(vk::Format::UNDEFINED, |d| d.format))
        .stencil_attachment_format(pass.stencil.map_or(vk::Format::UNDEFINED, |d| d.format))
}

fn scissors(draw: &Draw) -> Vec<vk::Rect2D> {
    draw.scissors
        .iter()
        .map(|&[x, y, width, height]| vk::Rect2D {
            offset: vk::Offset2D { x: x as i32, y: y as i32 },
            extent: vk::Extent2D { width, height },
        })
        .collect()
}

fn raster(draw: &Draw) -> vk::PipelineRasterizationStateCreateInfo<'static> {
    let [bias, bias_clamp, slope] = draw.bias.unwrap_or_default();
    vk::PipelineRasterizationStateCreateInfo::default()
        .polygon_mode(draw.polygon)
        .cull_mode(draw.cull)
        .front_face(vk::FrontFace::COUNTER_CLOCKWISE)
        .depth_clamp_enable(draw.clamp)
        .depth_bias_enable(draw.bias.is_some())
        .depth_bias_constant_factor(bias)
        .depth_bias_clamp(bias_clamp)
        .depth_bias_slope_factor(slope)
        .line_width(draw.line_width)
}

fn multisample<'a>(draw: &Draw, mask: &'a [u32]) -> vk::PipelineMultisampleStateCreateInfo<'a> {
    vk::PipelineMultisampleStateCreateInfo::default()
        .rasterization_samples(vk::SampleCountFlags::from_raw(draw.samples))
        .sample_mask(mask)
        .alpha_to_coverage_enable(draw.alpha_to_coverage)
        .alpha_to_one_enable(draw.alpha_to_one)
        .sample_shading_enable(draw.sample_shading.is_some())
        .min_sample_shading(draw.sample_shading.unwrap_or(0.0))
}

fn depth_stencil(draw: &Draw) -> vk::PipelineDepthStencilStateCreateInfo<'static> {
    let [low, high] = draw.bounds.unwrap_or_default();
    let [front, back] = draw.stencil.unwrap_or_default();
    vk::PipelineDepthStencilStateCreateInfo::default()
        .depth_test_enable(draw.depth.is_some())
        .depth_write_enable(draw.depth.is_some_and(|d| d.write))
        .depth_compare_op(draw.depth.map_or(vk::CompareOp::ALWAYS, |d| d.compare))
        .depth_bounds_test_enable(draw.bounds.is_some())
        .min_depth_bounds(low)
        .max_depth_bounds(high)
        .stencil_test_enable(draw.stencil.is_some())
        .front(front)
        .back(back)
}
