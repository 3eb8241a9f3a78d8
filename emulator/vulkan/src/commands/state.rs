//! Commands that bind pipelines and descriptor sets, and set push constants and dynamic state.

use std::ffi::c_void;

use ash::vk;
use quadrille::{
    BlendEquation, DepthBias, LineStipple, StencilFace, VertexAttribute, VertexBinding, VertexRate,
};

use crate::capabilities::format::needed;
use crate::command_buffer::{list, with};
use crate::descriptor::update::bind_sets;
use crate::interface::chain::{few, slice};
use crate::interface::convert::{
    advanced_blend, bind_point, blend_factor, blend_op, compare_op, conservative_mode, cull_mode,
    default_advanced, depth_bias_unit, depth_clamp_range, domain_origin, front_face, line_mode, logic_op,
    polygon_mode, rect, sample_locations, samples, shading_rate, stencil_op, topology, viewport,
};
use crate::interface::guard::{VkResult, commands};
use crate::interface::handle::get_opt;
use crate::newer::DepthClampRangeEXT;
use crate::pipeline::{Kind, Pipeline};

fn faces(mask: vk::StencilFaceFlags) -> (bool, bool) {
    (mask.contains(vk::StencilFaceFlags::FRONT), mask.contains(vk::StencilFaceFlags::BACK))
}

commands! {
    fn cmd_bind_pipeline(
        buffer: vk::CommandBuffer,
        _point: vk::PipelineBindPoint,
        pipeline: vk::Pipeline,
    ) {
        match get_opt::<Pipeline>(pipeline).map(|p| &p.kind) {
            Some(Kind::Compute(p)) => {
                list(buffer).bind_compute_pipeline(p);
            }
            Some(Kind::Graphics(p)) => {
                list(buffer).bind_graphics_pipeline(p);
            }
            Some(Kind::RayTracing(p)) => {
                list(buffer).bind_ray_tracing_pipeline(p);
            }
            Some(Kind::Library(_)) | None => {}
        }
    }

    fn cmd_bind_descriptor_sets(
        buffer: vk::CommandBuffer,
        point: vk::PipelineBindPoint,
        layout: vk::PipelineLayout,
        first: u32,
        n: u32,
        sets: *const vk::DescriptorSet,
        n_offsets: u32,
        offsets: *const u32,
    ) {
        bind_sets(buffer, bind_point(point), layout, first, slice(sets, n), slice(offsets, n_offsets));
    }

    fn cmd_push_constants(
        buffer: vk::CommandBuffer,
        _layout: vk::PipelineLayout,
        _stages: vk::ShaderStageFlags,
        offset: u32,
        size: u32,
        data: *const c_void,
    ) {
        list(buffer).push_constants(offset, slice(data.cast::<u8>(), size));
    }

    fn cmd_set_viewport(buffer: vk::CommandBuffer, first: u32, n: u32, viewports: *const vk::Viewport) {
        few!(viewports = slice(viewports, n).iter().map(viewport));
        list(buffer).set_viewports(first, &viewports);
    }

    fn cmd_set_scissor(buffer: vk::CommandBuffer, first: u32, n: u32, scissors: *const vk::Rect2D) {
        few!(scissors = slice(scissors, n).iter().map(rect));
        list(buffer).set_scissors(first, &scissors);
    }

    fn cmd_set_viewport_with_count(buffer: vk::CommandBuffer, n: u32, viewports: *const vk::Viewport) {
        few!(viewports = slice(viewports, n).iter().map(viewport));
        list(buffer).set_viewports_with_count(&viewports);
    }

    fn cmd_set_scissor_with_count(buffer: vk::CommandBuffer, n: u32, scissors: *const vk::Rect2D) {
        few!(scissors = slice(scissors, n).iter().map(rect));
        list(buffer).set_scissors_with_count(&scissors);
    }

    fn cmd_set_line_width(buffer: vk::CommandBuffer, width: f32) {
        list(buffer).set_line_width(width);
    }

    fn cmd_set_fragment_shading_rate(
        buffer: vk::CommandBuffer,
        size: *const vk::Extent2D,
        combiners: *const [vk::FragmentShadingRateCombinerOpKHR; 2],
    ) {
        with(buffer, shading_rate(*size, *combiners), |list, rate| {
            list.set_fragment_shading_rate(rate);
        });
    }

    fn cmd_set_line_stipple(buffer: vk::CommandBuffer, factor: u32, pattern: u16) {
        list(buffer).set_line_stipple(LineStipple { factor, pattern });
    }

    fn cmd_set_depth_bias(buffer: vk::CommandBuffer, constant: f32, clamp: f32, slope: f32) {
        list(buffer).set_depth_bias(DepthBias { constant, clamp, slope, ..DepthBias::default() });
    }

    fn cmd_set_depth_bias2(buffer: vk::CommandBuffer, info: *const vk::DepthBiasInfoEXT<'_>) {
        let info = &*info;
        list(buffer).set_depth_bias(DepthBias {
            constant: info.depth_bias_constant_factor,
            clamp: info.depth_bias_clamp,
            slope: info.depth_bias_slope_factor,
            unit: depth_bias_unit(info.p_next),
        });
    }

    fn cmd_set_depth_clip_negative_one_to_one(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_clip_negative_one_to_one(enable != 0);
    }

    fn cmd_set_blend_constants(buffer: vk::CommandBuffer, constants: *const [f32; 4]) {
        list(buffer).set_blend_constants(*constants);
    }

    fn cmd_set_depth_bounds(buffer: vk::CommandBuffer, min: f32, max: f32) {
        list(buffer).set_depth_bounds(min, max);
    }

    fn cmd_set_stencil_compare_mask(buffer: vk::CommandBuffer, mask: vk::StencilFaceFlags, value: u32) {
        let (front, back) = faces(mask);
        list(buffer).set_stencil_compare_mask(front, back, value);
    }

    fn cmd_set_stencil_write_mask(buffer: vk::CommandBuffer, mask: vk::StencilFaceFlags, value: u32) {
        let (front, back) = faces(mask);
        list(buffer).set_stencil_write_mask(front, back, value);
    }

    fn cmd_set_stencil_reference(buffer: vk::CommandBuffer, mask: vk::StencilFaceFlags, value: u32) {
        let (front, back) = faces(mask);
        list(buffer).set_stencil_reference(front, back, value);
    }

    fn cmd_set_cull_mode(buffer: vk::CommandBuffer, mode: vk::CullModeFlags) {
        list(buffer).set_cull_mode(cull_mode(mode));
    }

    fn cmd_set_front_face(buffer: vk::CommandBuffer, face: vk::FrontFace) {
        with(buffer, front_face(face), |list, face| {
            list.set_front_face(face);
        });
    }

    fn cmd_set_primitive_topology(buffer: vk::CommandBuffer, t: vk::PrimitiveTopology) {
        with(buffer, topology(t), |list, t| {
            list.set_primitive_topology(t);
        });
    }

    fn cmd_set_depth_test_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_test_enable(enable != 0);
    }

    fn cmd_set_depth_write_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_write_enable(enable != 0);
    }

    fn cmd_set_depth_compare_op(buffer: vk::CommandBuffer, op: vk::CompareOp) {
        with(buffer, compare_op(op), |list, op| {
            list.set_depth_compare_op(op);
        });
    }

    fn cmd_set_depth_bounds_test_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_bounds_test_enable(enable != 0);
    }

    fn cmd_set_stencil_test_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_stencil_test_enable(enable != 0);
    }

    fn cmd_set_stencil_op(
        buffer: vk::CommandBuffer,
        mask: vk::StencilFaceFlags,
        fail: vk::StencilOp,
        pass: vk::StencilOp,
        depth_fail: vk::StencilOp,
        compare: vk::CompareOp,
    ) {
        let face = || {
            Ok(StencilFace {
                fail: stencil_op(fail)?,
                pass: stencil_op(pass)?,
                depth_fail: stencil_op(depth_fail)?,
                compare: compare_op(compare)?,
            })
        };
        let (front, back) = faces(mask);
        with(buffer, face(), |list, face| {
            list.set_stencil_op(front, back, face);
        });
    }

    fn cmd_set_rasterizer_discard_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_rasterizer_discard_enable(enable != 0);
    }

    fn cmd_set_depth_bias_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_bias_enable(enable != 0);
    }

    fn cmd_set_primitive_restart_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_primitive_restart_enable(enable != 0);
    }

    fn cmd_set_patch_control_points(buffer: vk::CommandBuffer, points: u32) {
        list(buffer).set_patch_control_points(points);
    }

    fn cmd_set_tessellation_domain_origin(buffer: vk::CommandBuffer, origin: vk::TessellationDomainOrigin) {
        with(buffer, domain_origin(origin), |list, origin| {
            list.set_tessellation_domain_origin(origin);
        });
    }

    fn cmd_set_rasterization_stream(buffer: vk::CommandBuffer, stream: u32) {
        list(buffer).set_rasterization_stream(stream);
    }

    fn cmd_set_conservative_rasterization_mode(
        buffer: vk::CommandBuffer,
        mode: vk::ConservativeRasterizationModeEXT,
    ) {
        with(buffer, conservative_mode(mode), |list, mode| {
            list.set_conservative_rasterization_mode(mode);
        });
    }

    fn cmd_set_extra_primitive_overestimation_size(buffer: vk::CommandBuffer, size: f32) {
        list(buffer).set_extra_primitive_overestimation_size(size);
    }

    fn cmd_set_depth_clamp_range(buffer: vk::CommandBuffer, mode: i32, range: *const DepthClampRangeEXT) {
        list(buffer).set_depth_clamp_range(depth_clamp_range(mode, range));
    }

    fn cmd_set_discard_rectangle(buffer: vk::CommandBuffer, first: u32, n: u32, rects: *const vk::Rect2D) {
        few!(rects = slice(rects, n).iter().map(rect));
        list(buffer).set_discard_rectangles(first, &rects);
    }

    fn cmd_set_discard_rectangle_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_discard_rectangle_enable(enable != 0);
    }

    fn cmd_set_discard_rectangle_mode(buffer: vk::CommandBuffer, mode: vk::DiscardRectangleModeEXT) {
        list(buffer).set_discard_rectangle_exclusive(mode == vk::DiscardRectangleModeEXT::EXCLUSIVE);
    }

    fn cmd_set_sample_locations_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_sample_locations_enable(enable != 0);
    }

    fn cmd_set_sample_locations(buffer: vk::CommandBuffer, info: *const vk::SampleLocationsInfoEXT<'_>) {
        list(buffer).set_sample_locations(&sample_locations(&*info));
    }

    fn cmd_set_provoking_vertex_mode(buffer: vk::CommandBuffer, mode: vk::ProvokingVertexModeEXT) {
        list(buffer).set_provoking_vertex_last(mode == vk::ProvokingVertexModeEXT::LAST_VERTEX);
    }

    fn cmd_set_line_rasterization_mode(buffer: vk::CommandBuffer, mode: vk::LineRasterizationModeEXT) {
        with(buffer, line_mode(mode), |list, mode| {
            list.set_line_rasterization_mode(mode);
        });
    }

    fn cmd_set_line_stipple_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_line_stipple_enable(enable != 0);
    }

    fn cmd_set_primitive_restart_index(buffer: vk::CommandBuffer, index: u32) {
        list(buffer).set_primitive_restart_index(index);
    }

    fn cmd_set_logic_op(buffer: vk::CommandBuffer, op: vk::LogicOp) {
        with(buffer, logic_op(op), |list, op| {
            list.set_logic_op(op);
        });
    }

    fn cmd_set_logic_op_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_logic_op_enable(enable != 0);
    }

    fn cmd_set_color_write_enable(buffer: vk::CommandBuffer, n: u32, enables: *const vk::Bool32) {
        few!(enables = slice(enables, n).iter().map(|&e| e != 0));
        list(buffer).set_color_write_enable(&enables);
    }

    fn cmd_set_vertex_input(
        buffer: vk::CommandBuffer,
        n_bindings: u32,
        bindings: *const vk::VertexInputBindingDescription2EXT<'_>,
        n_attributes: u32,
        attributes: *const vk::VertexInputAttributeDescription2EXT<'_>,
    ) {
        let binding = |b: &vk::VertexInputBindingDescription2EXT<'_>| VertexBinding {
            binding: b.binding,
            stride: b.stride,
            rate: match b.input_rate {
                vk::VertexInputRate::INSTANCE => VertexRate::Instance(b.divisor),
                _ => VertexRate::Vertex,
            },
        };
        let bindings: Vec<_> = slice(bindings, n_bindings).iter().map(binding).collect();
        let attribute = |a: &vk::VertexInputAttributeDescription2EXT<'_>| {
            Ok(VertexAttribute {
                location: a.location,
                binding: a.binding,
                format: needed(a.format)?,
                offset: a.offset,
            })
        };
        let attributes = slice(attributes, n_attributes).iter().map(attribute).collect::<VkResult<Vec<_>>>();
        with(buffer, attributes, |list, attributes| {
            list.set_vertex_input(&bindings, &attributes);
        });
    }

    fn cmd_set_depth_clamp_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_clamp_enable(enable != 0);
    }

    fn cmd_set_depth_clip_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_depth_clip_enable(enable != 0);
    }

    fn cmd_set_polygon_mode(buffer: vk::CommandBuffer, mode: vk::PolygonMode) {
        with(buffer, polygon_mode(mode), |list, mode| {
            list.set_polygon_mode(mode);
        });
    }

    fn cmd_set_rasterization_samples(buffer: vk::CommandBuffer, n: vk::SampleCountFlags) {
        list(buffer).set_rasterization_samples(samples(n));
    }

    fn cmd_set_sample_mask(
        buffer: vk::CommandBuffer,
        _samples: vk::SampleCountFlags,
        mask: *const vk::SampleMask,
    ) {
        list(buffer).set_sample_mask(mask.as_ref().copied().unwrap_or(u32::MAX));
    }

    fn cmd_set_alpha_to_coverage_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_alpha_to_coverage_enable(enable != 0);
    }

    fn cmd_set_alpha_to_one_enable(buffer: vk::CommandBuffer, enable: vk::Bool32) {
        list(buffer).set_alpha_to_one_enable(enable != 0);
    }

    fn cmd_set_color_blend_enable(buffer: vk::CommandBuffer, first: u32, n: u32, enables: *const vk::Bool32) {
        few!(enables = slice(enables, n).iter().map(|&e| e != 0));
        list(buffer).set_color_blend_enable(first, &enables);
    }

    fn cmd_set_color_blend_equation(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        equations: *const vk::ColorBlendEquationEXT,
    ) {
        let equation = |e: &vk::ColorBlendEquationEXT| {
            Ok([
                BlendEquation {
                    src: blend_factor(e.src_color_blend_factor)?,
                    dst: blend_factor(e.dst_color_blend_factor)?,
                    op: blend_op(e.color_blend_op, default_advanced())?,
                },
                BlendEquation {
                    src: blend_factor(e.src_alpha_blend_factor)?,
                    dst: blend_factor(e.dst_alpha_blend_factor)?,
                    op: blend_op(e.alpha_blend_op, default_advanced())?,
                },
            ])
        };
        let equations = slice(equations, n).iter().map(equation).collect::<VkResult<Vec<_>>>();
        with(buffer, equations, |list, equations| {
            list.set_color_blend_equations(first, &equations);
        });
    }

    fn cmd_set_color_blend_advanced(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        all: *const vk::ColorBlendAdvancedEXT,
    ) {
        let equation = |a: &vk::ColorBlendAdvancedEXT| {
            let advanced = advanced_blend(a.src_premultiplied, a.dst_premultiplied, a.blend_overlap);
            let op = blend_op(a.advanced_blend_op, advanced)?;
            Ok([BlendEquation { op, ..BlendEquation::default() }; 2])
        };
        let equations = slice(all, n).iter().map(equation).collect::<VkResult<Vec<_>>>();
        with(buffer, equations, |list, equations| {
            list.set_color_blend_equations(first, &equations);
        });
    }

    fn cmd_set_color_write_mask(
        buffer: vk::CommandBuffer,
        first: u32,
        n: u32,
        masks: *const vk::ColorComponentFlags,
    ) {
        few!(masks = slice(masks, n).iter().map(|m| m.as_raw() as u8));
        list(buffer).set_color_write_masks(first, &masks);
    }

    /// No effect: attachments are always in memory.
    fn cmd_set_attachment_feedback_loop_enable(_buffer: vk::CommandBuffer, _aspects: vk::ImageAspectFlags) {}

    /// No effect: there is one physical device.
    fn cmd_set_device_mask(_buffer: vk::CommandBuffer, _mask: u32) {}
}
