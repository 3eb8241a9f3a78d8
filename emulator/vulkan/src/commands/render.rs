//! Commands of render passes and dynamic rendering, and clears within them.

use std::ffi::c_void;
use std::sync::Arc;

use ash::vk;
use quadrille::image_layouts::LayoutChange;
use quadrille::pass_order::AttachmentLayout;
use quadrille::{
    Aspects, AttachmentUse, BeginRenderPass, ClearAttachment, ClearRect, DensityMapAttachment, Framebuffer,
    ImageView, Rect, RenderPass, RenderingAttachment, RenderingInfo, ScopeOrder, ShadingRateAttachment,
};
use quadrille::{LoadOp, StoreOp};

use crate::command_buffer::list;
use crate::interface::chain::{find, slice};
use crate::interface::convert::{rect, resolve_mode};
use crate::interface::guard::commands;
use crate::interface::handle::{get, get_opt};
use crate::newer::{
    BeginCustomResolveInfoEXT, CUSTOM_RESOLVE, DENSITY_BY_LAYER, RESOLVE_CUSTOM, RenderingEndInfoKHR,
};
use crate::render_pass::{density_offsets, single_sampled_as, uses, views};

/// Returns the words of a clear value: R, G, B, A, or depth and stencil.
fn words(value: &vk::ClearValue) -> [u32; 4] {
    // SAFETY: every member of the union consists of words, for which all bits are valid.
    unsafe { value.color.uint32 }
}

/// Converts a render area, which that of the device in the chain overrides. Spec: Vulkan,
/// VkDeviceGroupRenderPassBeginInfo.
///
/// # Safety
/// The chain is valid.
unsafe fn render_area(next: *const c_void, of_info: &vk::Rect2D) -> Rect {
    // SAFETY: the caller promises a valid chain, whose structure has an area for each device of the group, or none.
    let of_device = unsafe {
        find::<vk::DeviceGroupRenderPassBeginInfo<'_>>(next)
            .and_then(|g| slice(g.p_device_render_areas, g.device_render_area_count).first())
    };
    rect(of_device.unwrap_or(of_info))
}

/// Converts the begin info of a render pass.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live.
unsafe fn begin(info: &vk::RenderPassBeginInfo<'_>) -> BeginRenderPass {
    // SAFETY: the caller promises that the structure, its chain and its handles are valid.
    unsafe {
        let imageless = find::<vk::RenderPassAttachmentBeginInfo>(info.p_next);
        BeginRenderPass {
            render_pass: get::<RenderPass>(info.render_pass).clone(),
            framebuffer: get::<Framebuffer>(info.framebuffer).clone(),
            views: imageless.map_or(Vec::new(), |i| views(i.p_attachments, i.attachment_count)),
            area: render_area(info.p_next, &info.render_area),
            clears: slice(info.p_clear_values, info.clear_value_count).iter().map(words).collect(),
        }
    }
}

/// Converts an attachment of dynamic rendering; `word` is the first relevant word of its clear value.
///
/// # Safety
/// `info` is valid, and its handles are live or null.
unsafe fn attachment(info: &vk::RenderingAttachmentInfo<'_>, word: usize) -> Option<RenderingAttachment> {
    // SAFETY: the caller promises that the structure is valid and its handles are live or null.
    unsafe {
        let view = get_opt::<ImageView>(info.image_view)?.clone();
        let mut clear = words(&info.clear_value);
        clear.rotate_left(word);
        let custom = info.resolve_mode.contains(RESOLVE_CUSTOM);
        let resolve = (!info.resolve_mode.is_empty() && !custom).then_some(info.resolve_image_view);
        Some(RenderingAttachment {
            view,
            load: match info.load_op {
                vk::AttachmentLoadOp::CLEAR => LoadOp::Clear(clear),
                vk::AttachmentLoadOp::DONT_CARE => LoadOp::DontCare,
                _ => LoadOp::Load,
            },
            store: match info.store_op {
                // The custom resolve reads the contents.
                _ if custom => StoreOp::Store,
                vk::AttachmentStoreOp::STORE => StoreOp::Store,
                _ => StoreOp::DontCare,
            },
            resolve: resolve.and_then(|r| get_opt::<ImageView>(r).cloned()),
            resolve_mode: resolve_mode(info.resolve_mode).unwrap_or_default(),
            loaded_views: 0,
        })
    }
}

/// Converts the begin info of dynamic rendering.
///
/// # Safety
/// `info` and its chain are valid, and its handles are live or null.
unsafe fn rendering(info: &vk::RenderingInfo<'_>) -> RenderingInfo {
    // SAFETY: the caller promises that the structure, its chain and its handles are valid.
    unsafe {
        let colors = slice(info.p_color_attachments, info.color_attachment_count).iter();
        RenderingInfo {
            area: render_area(info.p_next, &info.render_area),
            layers: info.layer_count,
            view_mask: info.view_mask,
            colors: colors.map(|a| attachment(a, 0)).collect(),
            depth: info.p_depth_attachment.as_ref().and_then(|a| attachment(a, 0)),
            stencil: info.p_stencil_attachment.as_ref().and_then(|a| attachment(a, 1)),
            single_sampled_as: single_sampled_as(info.p_next),
            shading_rate: find::<vk::RenderingFragmentShadingRateAttachmentInfoKHR>(info.p_next).and_then(
                |a| {
                    let view = get_opt::<ImageView>(a.image_view)?.clone();
                    let vk::Extent2D { width, height } = a.shading_rate_attachment_texel_size;
                    Some(ShadingRateAttachment { view, texel_px: [width, height] })
                },
            ),
            density_map: density_map(info),
            resuming: info.flags.contains(vk::RenderingFlags::RESUMING),
            order: None,
            custom_resolve: info.flags.contains(CUSTOM_RESOLVE).then(|| Box::new(custom_resolve(info))),
        }
    }
}

/// Converts the fragment density map of dynamic rendering, whose framebuffer ends where the render area does.
///
/// # Safety
/// As for [`rendering`].
unsafe fn density_map(info: &vk::RenderingInfo<'_>) -> Option<DensityMapAttachment> {
    // SAFETY: the caller promises a valid chain, whose handles are live or null.
    let (view, area) = unsafe {
        let map = find::<vk::RenderingFragmentDensityMapAttachmentInfoEXT>(info.p_next)?;
        (get_opt::<ImageView>(map.image_view)?.clone(), render_area(info.p_next, &info.render_area))
    };
    let end = |at: i32, size: u32| (i64::from(at) + i64::from(size)).clamp(0, i64::from(u32::MAX)) as u32;
    let framebuffer = [end(area.x, area.width), end(area.y, area.height)];
    let by_layer = info.flags.contains(DENSITY_BY_LAYER);
    Some(DensityMapAttachment { view, framebuffer, by_layer, offsets: Vec::new() })
}

/// Returns the scope of the custom resolve: attachments that are not resolved so have no counterpart in it.
///
/// # Safety
/// As for [`rendering`].
unsafe fn custom_resolve(info: &vk::RenderingInfo<'_>) -> RenderingInfo {
    let resolve = |a: &vk::RenderingAttachmentInfo<'_>| {
        let custom = a.resolve_mode.contains(RESOLVE_CUSTOM);
        // SAFETY: the caller promises that the handles are live or null.
        let view = unsafe { get_opt::<ImageView>(a.resolve_image_view) }.filter(|_| custom)?;
        Some(RenderingAttachment { load: LoadOp::DontCare, ..RenderingAttachment::load(view) })
    };
    // SAFETY: the caller promises that the structure, and with it its arrays, are valid.
    unsafe {
        RenderingInfo {
            area: render_area(info.p_next, &info.render_area),
            layers: info.layer_count,
            view_mask: info.view_mask,
            colors: slice(info.p_color_attachments, info.color_attachment_count)
                .iter()
                .map(resolve)
                .collect(),
            depth: info.p_depth_attachment.as_ref().and_then(resolve),
            stencil: info.p_stencil_attachment.as_ref().and_then(resolve),
            ..RenderingInfo::default()
        }
    }
}

/// The layouts that attachments have to be in.
///
/// # Safety
/// The structure is valid.
unsafe fn attached(info: &vk::RenderingInfo<'_>) -> Vec<AttachmentLayout> {
    // SAFETY: the caller passes a valid structure.
    unsafe {
        let colors = slice(info.p_color_attachments, info.color_attachment_count).iter();
        let colors = colors.map(|a| (a, Aspects::COLOR));
        let depth = info.p_depth_attachment.as_ref().map(|a| (a, Aspects::DEPTH));
        let stencil = info.p_stencil_attachment.as_ref().map(|a| (a, Aspects::STENCIL));
        let of = |(a, aspects): (&vk::RenderingAttachmentInfo<'_>, Aspects)| {
            let resolves = a.resolve_mode != vk::ResolveModeFlags::NONE;
            let resolve = resolves.then_some((a.resolve_image_view, a.resolve_image_layout));
            [Some((a.image_view, a.image_layout)), resolve].into_iter().flatten().filter_map(
                move |(view, layout)| {
                    let view = get_opt::<ImageView>(view)?.clone();
                    let change = LayoutChange::Is(layout.as_raw());
                    Some(AttachmentLayout { view, aspects, change })
                },
            )
        };
        let map = find::<vk::RenderingFragmentDensityMapAttachmentInfoEXT>(info.p_next).and_then(|map| {
            let view = get_opt::<ImageView>(map.image_view)?.clone();
            let change = LayoutChange::Is(map.image_layout.as_raw());
            Some(AttachmentLayout { view, aspects: Aspects::COLOR, change })
        });
        colors.chain(depth).chain(stencil).flat_map(of).chain(map).collect()
    }
}

/// Returns the operations on the attachments for the device's watcher.
///
/// # Safety
/// `info` is valid.
unsafe fn order(info: &vk::RenderingInfo<'_>) -> ScopeOrder {
    let of = |a: &vk::RenderingAttachmentInfo<'_>| uses(a.load_op, a.store_op, a.image_layout);
    // SAFETY: the caller promises that the structure is valid, and with it its arrays.
    unsafe {
        let mut all: Vec<_> =
            slice(info.p_color_attachments, info.color_attachment_count).iter().map(of).collect();
        let none = AttachmentUse { loads: false, stores: false };
        all.extend([info.p_depth_attachment, info.p_stencil_attachment].map(|a| a.as_ref().map_or(none, of)));
        let suspends = info.flags.contains(vk::RenderingFlags::SUSPENDING);
        ScopeOrder::of_rendering(all, suspends).with_layouts(attached(info))
    }
}

fn clears(a: &vk::ClearAttachment, out: &mut Vec<ClearAttachment>) {
    let value = words(&a.clear_value);
    if a.aspect_mask.contains(vk::ImageAspectFlags::COLOR) && a.color_attachment != vk::ATTACHMENT_UNUSED {
        out.push(ClearAttachment::Color(a.color_attachment, value));
    }
    if a.aspect_mask.contains(vk::ImageAspectFlags::DEPTH) {
        out.push(ClearAttachment::Depth(f32::from_bits(value[0])));
    }
    if a.aspect_mask.contains(vk::ImageAspectFlags::STENCIL) {
        out.push(ClearAttachment::Stencil(value[1]));
    }
}

commands! {
    fn cmd_begin_render_pass(
        buffer: vk::CommandBuffer,
        info: *const vk::RenderPassBeginInfo<'_>,
        _contents: vk::SubpassContents,
    ) {
        list(buffer).begin_render_pass(&begin(&*info));
    }

    fn cmd_begin_render_pass2(
        buffer: vk::CommandBuffer,
        info: *const vk::RenderPassBeginInfo<'_>,
        _subpass: *const vk::SubpassBeginInfo<'_>,
    ) {
        list(buffer).begin_render_pass(&begin(&*info));
    }

    fn cmd_next_subpass(buffer: vk::CommandBuffer, _contents: vk::SubpassContents) {
        list(buffer).next_subpass();
    }

    fn cmd_next_subpass2(
        buffer: vk::CommandBuffer,
        _begin: *const vk::SubpassBeginInfo<'_>,
        _end: *const vk::SubpassEndInfo<'_>,
    ) {
        list(buffer).next_subpass();
    }

    fn cmd_end_render_pass(buffer: vk::CommandBuffer) {
        list(buffer).end_render_pass();
    }

    fn cmd_end_render_pass2(buffer: vk::CommandBuffer, end: *const vk::SubpassEndInfo<'_>) {
        let offsets = end.as_ref().map_or(Vec::new(), |end| density_offsets(end.p_next));
        list(buffer).end_render_pass_with_offsets(&offsets);
    }

    fn cmd_begin_rendering(buffer: vk::CommandBuffer, info: *const vk::RenderingInfo<'_>) {
        let (mut list, mut scope) = (list(buffer), rendering(&*info));
        if list.keeps_notes() {
            scope.order = Some(Arc::new(order(&*info)));
        }
        list.begin_rendering(&scope);
    }

    fn cmd_end_rendering(buffer: vk::CommandBuffer) {
        list(buffer).end_rendering();
    }

    fn cmd_end_rendering2(buffer: vk::CommandBuffer, info: *const RenderingEndInfoKHR) {
        let offsets = info.as_ref().map_or(Vec::new(), |info| density_offsets(info.p_next));
        list(buffer).end_rendering_with_offsets(&offsets);
    }

    fn cmd_begin_custom_resolve(buffer: vk::CommandBuffer, _info: *const BeginCustomResolveInfoEXT) {
        list(buffer).begin_custom_resolve();
    }

    /// No effect: input attachments are descriptors.
    fn cmd_set_rendering_input_attachment_indices(
        _buffer: vk::CommandBuffer,
        _info: *const vk::RenderingInputAttachmentIndexInfoKHR<'_>,
    ) {
    }

    fn cmd_clear_attachments(
        buffer: vk::CommandBuffer,
        n: u32,
        attachments: *const vk::ClearAttachment,
        n_rects: u32,
        rects: *const vk::ClearRect,
    ) {
        let mut all = Vec::new();
        slice(attachments, n).iter().for_each(|a| clears(a, &mut all));
        let rects: Vec<_> = slice(rects, n_rects)
            .iter()
            .map(|r| ClearRect { rect: rect(&r.rect), base_layer: r.base_array_layer, layers: r.layer_count })
            .collect();
        list(buffer).clear_attachments(&all, &rects);
    }
}
