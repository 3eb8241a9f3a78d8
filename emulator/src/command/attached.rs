//! What scopes and their draws do to attachments, for those who look at what orders commands.
//! Spec: Vulkan, "Render Pass Load and Store Operations".

use quadrille_jit::interp::events::{Access, Event, Order, Part};
use quadrille_raster::format::Aspects;
use quadrille_raster::pass::LoadOp;
use quadrille_raster::state::Rect;

use super::areas::{Areas, Tell};
use super::list::{Command, DrawCall, Ref};
use super::ordered;
use crate::copies::{ClearAttachment, ClearRect, SubresourceLayers};
use crate::image::ImageView;
use crate::pass_order::ScopeOrder;
use crate::render_pass::{RenderingAttachment, RenderingInfo};

/// How attachments of an aspect are accessed: stages, reads, writes. Bits of VkPipelineStageFlagBits2 and of
/// VkAccessFlagBits2.
const COLOR: (u64, u64, u64) = (1 << 10, 1 << 7, 1 << 8);
const TESTS: (u64, u64, u64) = (1 << 8 | 1 << 9, 1 << 9, 1 << 10);
const EARLY: u64 = 1 << 8;
const LATE: u64 = 1 << 9;
const SHADING_RATE: Access = Access { stages: 1 << 22, access: 1 << 23, writes: false };

fn by((stages, read, write): (u64, u64, u64), reads: bool, writes: bool) -> Access {
    let access = if reads { read } else { 0 } | if writes { write } else { 0 };
    Access { stages, access, writes }
}

/// Attachments of a scope with their numbers and aspects.
fn all(info: &RenderingInfo) -> impl Iterator<Item = (usize, Aspects, &RenderingAttachment)> {
    let n = info.colors.len();
    let colors = info.colors.iter().enumerate().map(|(i, a)| (i, Aspects::COLOR, a));
    let others = [(n, Aspects::DEPTH, &info.depth), (n + 1, Aspects::STENCIL, &info.stencil)];
    colors.chain(others).filter_map(|(i, aspect, a)| Some((i, aspect, a.as_ref()?)))
}

/// Texels of a view that a scope renders to.
fn add_view(
    areas: &mut Areas<'_>,
    info: &RenderingInfo,
    (view, aspects): (&ImageView, Aspects),
    area: Rect,
    by: Access,
) {
    let (image, desc) = (view.image(), view.desc());
    let slices = image.desc().layers == 1 && image.desc().extent[2] > 1;
    let viewed = (0..32).filter(|v| info.view_mask >> v & 1 != 0).map(|v| (v, 1));
    let layered = (info.view_mask == 0).then(|| (0, info.layers.max(1).min(desc.layers)));
    let rect = [area.x, area.y];
    for (first, n) in layered.into_iter().chain(viewed) {
        let base_layer = desc.base_layer + first;
        let of = SubresourceLayers { aspects, level: desc.base_level, base_layer, layers: n };
        let [x, y] = rect;
        match slices {
            true => areas.texels(
                image,
                &SubresourceLayers { base_layer: 0, layers: 1, ..of },
                ([x, y, base_layer as i32], [area.width, area.height, n]),
                by,
            ),
            false => areas.texels(image, &of, ([x, y, 0], [area.width, area.height, 1]), by),
        }
    }
}

/// Tells that a scope begins, and what its load operations do.
pub(super) fn begin(to: &Tell<'_>, info: &RenderingInfo) {
    let plain = ScopeOrder::default();
    let order = info.order.as_deref().unwrap_or(&plain);
    let told = |order| to.watch.0.told(&Event::Order(order));
    if order.bounds[0] {
        told(Order::BeginPass { resumes: info.resuming });
    }
    told(Order::Subpass(order.subpass));
    ordered::edge(to, &order.edges[0]);
    let mut areas = Areas::new(to);
    areas.part = Part::Load;
    for (i, aspect, a) in all(info).filter(|_| !info.resuming) {
        if !order.uses(i).loads {
            continue;
        }
        let (writes, sort) =
            (!matches!(a.load, LoadOp::Load), if aspect == Aspects::COLOR { COLOR } else { TESTS });
        let mut does = by(sort, !writes, writes);
        does.stages &= !LATE;
        add_view(&mut areas, info, (&a.view, aspect), info.area, does);
    }
    if let Some(rate) = &info.shading_rate {
        let [width, height] = rate.texel_px.map(|n| n.max(1));
        let area = Rect {
            x: 0,
            y: 0,
            width: info.area.width.div_ceil(width),
            height: info.area.height.div_ceil(height),
        };
        areas.part = Part::Command;
        add_view(&mut areas, info, (&rate.view, Aspects::COLOR), area, SHADING_RATE);
    }
    to.accessed(areas.found);
}

/// Tells that a scope ends, and what its resolves and store operations do.
pub(super) fn end(to: &Tell<'_>, info: &RenderingInfo) {
    let plain = ScopeOrder::default();
    let order = info.order.as_deref().unwrap_or(&plain);
    let mut areas = Areas::new(to);
    for (i, aspect, a) in all(info).filter(|_| !order.suspends) {
        let sort = if aspect == Aspects::COLOR { COLOR } else { TESTS };
        // Resolves of any aspect are of the stage of colour.
        if let Some(view) = a.resolve.as_ref().filter(|v| v.image().format().aspects().contains(aspect)) {
            areas.part = Part::Command;
            add_view(&mut areas, info, (view, aspect), info.area, by(COLOR, false, true));
            add_view(&mut areas, info, (&a.view, aspect), info.area, by(COLOR, true, false));
        }
        if order.uses(i).stores {
            areas.part = Part::Store;
            let mut does = by(sort, false, true);
            does.stages &= !EARLY;
            add_view(&mut areas, info, (&a.view, aspect), info.area, does);
        }
    }
    to.accessed(areas.found);
    let told = |order| to.watch.0.told(&Event::Order(order));
    ordered::edge(to, &order.edges[1]);
    if order.bounds[1] {
        told(Order::EndPass { suspends: order.suspends });
    }
}

/// What draws and clears put out.
pub(super) fn add(areas: &mut Areas<'_>, command: &Command, info: &RenderingInfo) {
    areas.part = Part::Draw;
    match command {
        Command::Draw { call, .. }
        | Command::DrawMeshes { call, .. }
        | Command::DrawIndirect { call, .. }
        | Command::DrawByteCount { call, .. } => draw(areas, *call, info),
        Command::ClearAttachments { attachments, rects } => {
            let list = areas.tell.list;
            clear(areas, list.regions(*attachments), list.regions(*rects), info);
        }
        _ => {}
    }
    areas.part = Part::Command;
}

fn draw(areas: &mut Areas<'_>, call: Ref<DrawCall>, info: &RenderingInfo) {
    let list = areas.tell.list;
    let (desc, prepared) = (list.state(call).desc(), &list.prepared[list.draw_calls[call].prepared]);
    if desc.rasterizer_discard {
        return;
    }
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
        add_view(areas, info, (&a.view, Aspects::COLOR), info.area, by(COLOR, reads, true));
    }
    let depth = desc.depth;
    if let Some(a) = info.depth.as_ref().filter(|_| depth.test || depth.bounds) {
        let does = by(TESTS, true, depth.test && depth.write);
        add_view(areas, info, (&a.view, Aspects::DEPTH), info.area, does);
    }
    if let Some(a) = info.stencil.as_ref().filter(|_| desc.stencil_test) {
        let faces = desc.stencil.iter().zip(&prepared.dynamic.stencil);
        let writes = faces.into_iter().any(|(face, dynamic)| !face.keeps() && dynamic.write_mask != 0);
        add_view(areas, info, (&a.view, Aspects::STENCIL), info.area, by(TESTS, true, writes));
    }
}

fn clear(areas: &mut Areas<'_>, attachments: &[ClearAttachment], rects: &[ClearRect], info: &RenderingInfo) {
    for clear in attachments {
        let (a, aspect, sort) = match clear {
            ClearAttachment::Color(i, _) => {
                (info.colors.get(*i as usize).and_then(Option::as_ref), Aspects::COLOR, COLOR)
            }
            ClearAttachment::Depth(_) => (info.depth.as_ref(), Aspects::DEPTH, TESTS),
            ClearAttachment::Stencil(_) => (info.stencil.as_ref(), Aspects::STENCIL, TESTS),
        };
        for rect in a.iter().flat_map(|_| rects) {
            let Some(a) = a else { continue };
            let of =
                RenderingInfo { layers: rect.layers, view_mask: info.view_mask, ..RenderingInfo::default() };
            add_view(areas, &of, (&a.view, aspect), rect.rect, by(sort, false, true));
        }
    }
}
