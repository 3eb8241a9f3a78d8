//! State of graphics pipelines that is in framebuffer coordinates: viewports with their depth, scissors, discard
//! rectangles. All other state is left to [`super::graphics`].

use ash::vk;
use quadrille::DynamicStates;

use super::library::Draft;
use crate::interface::chain::{find, slice};
use crate::interface::convert::{depth_clamp_range, rect, viewport};
use crate::newer;

/// Converts viewports and scissors that are not dynamic.
///
/// # Safety
/// `info` and its chain are valid, except arrays of dynamic state.
pub unsafe fn viewports(info: &vk::PipelineViewportStateCreateInfo<'_>, desc: &mut Draft) {
    use DynamicStates as S;
    // SAFETY: the caller promises a valid structure; arrays of dynamic state are not read.
    unsafe {
        let control = find::<vk::PipelineViewportDepthClipControlCreateInfoEXT>(info.p_next);
        desc.state.negative_one_to_one = control.is_some_and(|c| c.negative_one_to_one != 0);
        let clamp = find::<newer::PipelineViewportDepthClampControlCreateInfoEXT>(info.p_next);
        if let Some(c) = clamp.filter(|_| !desc.dynamic.contains(S::DEPTH_CLAMP_RANGE)) {
            desc.fixed.depth_clamp_range = depth_clamp_range(c.depth_clamp_mode, c.p_depth_clamp_range);
        }
        if !desc.dynamic.intersects(S::VIEWPORT | S::VIEWPORT_WITH_COUNT) {
            desc.fixed.viewports =
                slice(info.p_viewports, info.viewport_count).iter().map(viewport).collect();
        }
        if !desc.dynamic.intersects(S::SCISSOR | S::SCISSOR_WITH_COUNT) {
            desc.fixed.scissors = slice(info.p_scissors, info.scissor_count).iter().map(rect).collect();
        }
    }
}

/// Converts discard rectangles that are not dynamic, and their number.
///
/// # Safety
/// `info` and its chain are valid, except arrays of dynamic state.
pub unsafe fn discard_rectangles(info: &vk::GraphicsPipelineCreateInfo<'_>, desc: &mut Draft) {
    use DynamicStates as S;
    let (dynamic, to) = (desc.dynamic, &mut desc.fixed.discard_rectangles);
    // SAFETY: the caller promises a valid create info; arrays of dynamic state are not read.
    unsafe {
        let Some(d) = find::<vk::PipelineDiscardRectangleStateCreateInfoEXT>(info.p_next) else { return };
        to.enable = d.discard_rectangle_count > 0;
        to.exclusive = d.discard_rectangle_mode == vk::DiscardRectangleModeEXT::EXCLUSIVE;
        to.count = d.discard_rectangle_count;
        if !dynamic.contains(S::DISCARD_RECTANGLE) {
            to.rects = slice(d.p_discard_rectangles, d.discard_rectangle_count).iter().map(rect).collect();
        }
    }
}
