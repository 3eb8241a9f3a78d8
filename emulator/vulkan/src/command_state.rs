//! Commands that bind pipelines and descriptor sets and set push constants and dynamic state.

use std::ffi::c_void;

use ash::vk;
use quadrille::{BindPoint, DescriptorSet, PipelineLayout};
use quadrille::{DepthBias, StencilFace};

use crate::chain::slice;
use crate::command::{CommandBuffer, list};
use crate::convert::{compare_op, cull_mode, front_face, rect, stencil_op, topology, viewport};
use crate::guard::{VkResult, commands};
use crate::handle::{get, get_mut, get_opt};
use crate::pipeline::Pipeline;

fn faces(mask: vk::StencilFaceFlags) -> (bool, bool) {
    (mask.contains(vk::StencilFaceFlags::FRONT), mask.contains(vk::StencilFaceFlags::BACK))
}

/// Records with a translated value, or notes that it could not be translated.
unsafe fn with<T>(
    buffer: vk::CommandBuffer,
    value: VkResult<T>,
    record: impl FnOnce(&mut quadrille::CommandBuffer, T),
) {
    // SAFETY: recording is externally synchronized.
    let buffer = unsafe { get_mut::<CommandBuffer>(buffer) };
    let result = value.map(|value| record(&mut buffer.list, value));
    buffer.fail(result);
}

commands! {
    fn cmd_bind_pipeline(
        buffer: vk::CommandBuffer,
        _point: vk::PipelineBindPoint,
        pipeline: vk::Pipeline,
    ) {
        match get_opt::<Pipeline>(pipeline) {
            Some(Pipeline::Compute(p)) => {
                list(buffer).bind_compute_pipeline(p);
            }
            Some(Pipeline::Graphics(p)) => {
                list(buffer).bind_graphics_pipeline(p);
            }
            None => {}
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
        let point = match point {
            vk::PipelineBindPoint::COMPUTE => BindPoint::Compute,
            _ => BindPoint::Graphics,
        };
        let sets: smallvec::SmallVec<[&DescriptorSet; 8]> =
            slice(sets, n).iter().map(|&s| get::<DescriptorSet>(s)).collect();
        let layout = get::<PipelineLayout>(layout);
        list(buffer).bind_descriptor_sets(point, layout, first, &sets, slice(offsets, n_offsets));
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
        let viewports: Vec<_> = slice(viewports, n).iter().map(viewport).collect();
        list(buffer).set_viewports(first, &viewports);
    }

    fn cmd_set_scissor(buffer: vk::CommandBuffer, first: u32, n: u32, scissors: *const vk::Rect2D) {
        let scissors: Vec<_> = slice(scissors, n).iter().map(rect).collect();
        list(buffer).set_scissors(first, &scissors);
    }

    fn cmd_set_viewport_with_count(buffer: vk::CommandBuffer, n: u32, viewports: *const vk::Viewport) {
        let viewports: Vec<_> = slice(viewports, n).iter().map(viewport).collect();
        list(buffer).set_viewports_with_count(&viewports);
    }

    fn cmd_set_scissor_with_count(buffer: vk::CommandBuffer, n: u32, scissors: *const vk::Rect2D) {
        let scissors: Vec<_> = slice(scissors, n).iter().map(rect).collect();
        list(buffer).set_scissors_with_count(&scissors);
    }

    fn cmd_set_line_width(buffer: vk::CommandBuffer, width: f32) {
        list(buffer).set_line_width(width);
    }

    fn cmd_set_depth_bias(buffer: vk::CommandBuffer, constant: f32, clamp: f32, slope: f32) {
        list(buffer).set_depth_bias(DepthBias { constant, clamp, slope });
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

    /// The feature is not offered.
    fn cmd_set_patch_control_points(_buffer: vk::CommandBuffer, _points: u32) {}

    /// The feature is not offered.
    fn cmd_set_logic_op(_buffer: vk::CommandBuffer, _op: vk::LogicOp) {}

    /// There is one device.
    fn cmd_set_device_mask(_buffer: vk::CommandBuffer, _mask: u32) {}
}
