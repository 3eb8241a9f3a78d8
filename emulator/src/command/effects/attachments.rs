//! Effects on attachments: load and store operations, resolves, output of draws, clears within a scope.
//! Spec: Vulkan, "Render Pass Load and Store Operations".

use quadrille_check::events::{Access, Part};
use quadrille_raster::format::Aspects;
use quadrille_raster::pass::LoadOp;
use quadrille_raster::state::Rect;

use super::super::list::{DrawSnapshot, Ref};
use super::Visitor;
use super::access::{Attached, DENSITY_MAP, SHADING_RATE};
use crate::render_pass::order::ScopeOrder;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::resource::copies::{ClearAttachment, ClearRect, SubresourceLayers};
use crate::resource::image::ImageView;

/// Stages and accesses of attachments of an aspect.
fn kind(aspect: Aspects) -> Attached {
    if aspect == Aspects::COLOR { Attached::COLOR } else { Attached::DEPTH_STENCIL }
}

/// Attachments of a scope with their numbers and aspects.
fn all(info: &RenderingInfo) -> impl Iterator<Item = (usize, Aspects, &RenderingAttachment)> {
    let n = info.colors.len();
    let colors = info.colors.iter().enumerate().map(|(i, a)| (i, Aspects::COLOR, a));
    let others = [(n, Aspects::DEPTH, &info.depth), (n + 1, Aspects::STENCIL, &info.stencil)];
    colors.chain(others).filter_map(|(i, aspect, a)| Some((i, aspect, a.as_ref()?)))
}

/// Adds an access to the texels of an attachment's view, except to the multiview views in the mask `without`.
fn add_view(
    to: &mut Visitor<'_, '_>,
    info: &RenderingInfo,
    of: (&ImageView, Aspects),
    (area, without): (Rect, u32),
    access: Access,
) {
    let viewed = (0..32).filter(|v| (info.view_mask & !without) >> v & 1 != 0).map(|v| (v, 1));
    let layered = (info.view_mask == 0).then(|| (0, info.layers.max(1).min(of.0.desc().layers)));
    for layers in layered.into_iter().chain(viewed) {
        add_layers(to, of, (area, layers), access);
    }
}

/// Adds an access to the texels of layers of an attachment's view: from the first one on, and their number.
fn add_layers(
    to: &mut Visitor<'_, '_>,
    (view, aspects): (&ImageView, Aspects),
    (area, (first, layers)): (Rect, (u32, u32)),
    access: Access,
) {
    let (image, desc) = (view.image(), view.desc());
    let slices = image.desc().layers == 1 && image.desc().extent[2] > 1;
    let base_layer = desc.base_layer + first;
    let of = SubresourceLayers { aspects, level: desc.base_level, base_layer, layers };
    let Rect { x, y, width, height } = area;
    match slices {
        true => to.texels(
            image,
            &SubresourceLayers { base_layer: 0, layers: 1, ..of },
            ([x, y, base_layer as i32], [width, height, layers]),
            access,
        ),
        false => to.texels(image, &of, ([x, y, 0], [width, height, 1]), access),
    }
}

/// Effects at the beginning of a scope: load operations, reads of shading rates and of the density map.
pub(super) fn begin(to: &mut Visitor<'_, '_>, info: &RenderingInfo) {
    let plain = ScopeOrder::default();
    let order = info.order.as_deref().unwrap_or(&plain);
    to.part = Part::Load;
    for (_, aspect, a) in all(info).filter(|(i, ..)| !info.resuming && order.uses(*i).loads) {
        let access = kind(aspect).load(!matches!(a.load, LoadOp::Load));
        add_view(to, info, (&a.view, aspect), (info.area, a.loaded_views), access);
    }
    to.part = Part::Command;
    if let Some(rate) = &info.shading_rate {
        let [width, height] = rate.texel_px.map(|n| n.max(1));
        let [width, height] = [info.area.width.div_ceil(width), info.area.height.div_ceil(height)];
        let area = Rect { x: 0, y: 0, width, height };
        add_view(to, info, (&rate.view, Aspects::COLOR), (area, 0), SHADING_RATE);
    }
    if let Some(map) = &info.density_map {
        // Views read a layer of their own only if the map has several layers.
        let view_mask = if map.view.desc().layers > 1 { info.view_mask } else { 0 };
        let layers = if map.by_layer { info.layers.clamp(1, map.view.desc().layers) } else { 1 };
        let of = RenderingInfo { layers, view_mask, ..RenderingInfo::default() };
        let [width, height] = map.view.size();
        add_view(to, &of, (&map.view, Aspects::COLOR), (Rect::of_size(width, height), 0), DENSITY_MAP);
    }
}

/// Effects at the end of a scope: resolves and store operations.
pub(super) fn end(to: &mut Visitor<'_, '_>, info: &RenderingInfo) {
    let plain = ScopeOrder::default();
    let order = info.order.as_deref().unwrap_or(&plain);
    for (i, aspect, a) in all(info).filter(|_| !order.suspends) {
        // Resolves of every aspect belong to the stage of color attachments.
        if let Some(view) = a.resolve.as_ref().filter(|v| v.image().format().aspects().contains(aspect)) {
            to.part = Part::Command;
            add_view(to, info, (view, aspect), (info.area, 0), Attached::COLOR.access(false, true));
            add_view(to, info, (&a.view, aspect), (info.area, 0), Attached::COLOR.access(true, false));
        }
        if order.uses(i).stores {
            to.part = Part::Store;
            add_view(to, info, (&a.view, aspect), (info.area, 0), kind(aspect).store());
        }
    }
    to.part = Part::Command;
}

/// Effects of a draw on the attachments that it reads and writes.
pub(super) fn draw(to: &mut Visitor<'_, '_>, snapshot: Ref<DrawSnapshot>) {
    let (list, Some(info)) = (to.at.list, to.at.scope) else { return };
    let (desc, prepared) =
        (list.state(snapshot).desc(), &list.prepared[list.draw_snapshots[snapshot].prepared]);
    if desc.rasterizer_discard {
        return;
    }
    to.part = Part::Draw;
    for (i, a) in info.colors.iter().enumerate() {
        let Some(a) = a.as_ref().filter(|_| desc.fragment.is_some()) else { continue };
        let blend = desc.blend.get(i);
        let masked = blend.is_some_and(|b| b.write_mask == 0);
        if masked
            || desc.color_write_enable.get(i) == Some(&false)
            || desc.color_locations.get(i) == Some(&None)
        {
            continue;
        }
        let reads = desc.logic_op_enable || blend.is_some_and(|b| b.enable);
        let access = Attached::COLOR.access(reads, true);
        add_view(to, info, (&a.view, Aspects::COLOR), (info.area, 0), access);
    }
    let depth = desc.depth;
    if let Some(a) = info.depth.as_ref().filter(|_| depth.test || depth.bounds) {
        let access = Attached::DEPTH_STENCIL.access(true, depth.test && depth.write);
        add_view(to, info, (&a.view, Aspects::DEPTH), (info.area, 0), access);
    }
    if let Some(a) = info.stencil.as_ref().filter(|_| desc.stencil_test) {
        let faces = desc.stencil.iter().zip(&prepared.dynamic.stencil);
        let writes = faces.into_iter().any(|(face, dynamic)| !face.keeps() && dynamic.write_mask != 0);
        let access = Attached::DEPTH_STENCIL.access(true, writes);
        add_view(to, info, (&a.view, Aspects::STENCIL), (info.area, 0), access);
    }
    to.part = Part::Command;
}

/// Effects of a clear within a scope: writes to rectangles of attachments.
pub(super) fn clear(to: &mut Visitor<'_, '_>, attachments: &[ClearAttachment], rects: &[ClearRect]) {
    let Some(info) = to.at.scope else { return };
    to.part = Part::Draw;
    for clear in attachments {
        let (a, aspect) = match clear {
            ClearAttachment::Color(i, _) => {
                (info.colors.get(*i as usize).and_then(Option::as_ref), Aspects::COLOR)
            }
            ClearAttachment::Depth(_) => (info.depth.as_ref(), Aspects::DEPTH),
            ClearAttachment::Stencil(_) => (info.stencil.as_ref(), Aspects::STENCIL),
        };
        let Some(a) = a else { continue };
        for rect in rects {
            let (of, access) = ((&a.view, aspect), kind(aspect).access(false, true));
            // With multiview, a rectangle clears the layer of each view.
            if info.view_mask != 0 {
                add_view(to, info, of, (rect.rect, 0), access);
                continue;
            }
            let left = a.view.desc().layers.saturating_sub(rect.base_layer);
            if left > 0 {
                add_layers(to, of, (rect.rect, (rect.base_layer, rect.layers.min(left))), access);
            }
        }
    }
    to.part = Part::Command;
}
