//! Descriptions for the trace: state, descriptors, buffers and attachments of draws and dispatches, in words.

use quadrille_jit::abi::{Descriptor, sampler_of_word};
use quadrille_jit::ir::Shader;
use quadrille_raster::format::{Format, Numeric};
use quadrille_raster::pass::LoadOp;
use quadrille_raster::state::{ConservativeMode, DrawStateDesc, Dynamic, PolygonMode, Topology};

use super::super::list::{Bindings, BufferSlice, CommandList, DrawSnapshot, Indices, Ref, Run, SetPlace};
use crate::descriptor::{DescriptorKind, Held};
use crate::object::names::Names;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::resource::buffer::Buffer;
use crate::trace::words;

/// Maximum number of array elements of a descriptor binding that are shown.
const ELEMENTS: u32 = 8;

/// Describes a range of a buffer: `buffer 3 "vertices" + 16, 64 bytes`.
pub(super) fn bytes(names: &Names, buffer: &Buffer, offset: u64, size: u64) -> String {
    let size = if size == u64::MAX { buffer.size().saturating_sub(offset) } else { size };
    format!("{} + {offset}, {size} bytes", names.of(buffer))
}

fn slice(names: &Names, list: &CommandList, slice: &BufferSlice) -> String {
    bytes(names, &list.buffers[slice.buffer], slice.offset, slice.size)
}

/// Describes the descriptors that shaders use, one per line.
pub(super) fn descriptors<'s>(
    names: &Names,
    list: &CommandList,
    bindings: &Bindings,
    shaders: impl Iterator<Item = &'s Shader>,
) -> Vec<String> {
    let mut used: Vec<_> = shaders.flat_map(|shader| &shader.bindings).collect();
    used.sort_by_key(|b| (b.set, b.binding));
    used.dedup_by_key(|b| (b.set, b.binding));
    let mut lines = Vec::new();
    for b in used {
        let Some(bound) = bindings.sets.get(b.set as usize).and_then(Option::as_ref) else { continue };
        let held = |element| match bound.set {
            SetPlace::Object(set) => list.sets[set].held(b.binding, element),
            SetPlace::Buffer(set) => list.sets_in_buffers[set].held(b.binding, element),
        };
        let layout = match bound.set {
            SetPlace::Object(set) => list.sets[set].layout(),
            SetPlace::Buffer(set) => list.sets_in_buffers[set].layout(),
        };
        let Some(binding) = layout.binding(b.binding) else { continue };
        let before = layout.bindings().iter().filter(|l| l.kind.is_dynamic() && l.binding < b.binding);
        let first: u32 = before.map(|l| l.count).sum();
        let n = binding.descriptors();
        if binding.kind == DescriptorKind::InlineUniformBlock {
            let (kind, size) = (words(binding.kind), binding.count);
            lines.push(format!("{}.{} {}: {kind}, {size} bytes", b.set, b.binding, b.name));
            continue;
        }
        for element in 0..n.min(ELEMENTS) {
            let Some(held) = held(element) else { break };
            let index = if n > 1 { format!("[{element}]") } else { String::new() };
            let dynamic = list.offsets(bound.offsets).get((first + element) as usize);
            let dynamic = dynamic.copied().filter(|_| held.kind.is_dynamic());
            let (set, number, name) = (b.set, b.binding, &b.name);
            lines.push(format!("{set}.{number} {name}{index}: {}", descriptor(names, &held, dynamic)));
        }
        if n > ELEMENTS {
            lines.push(format!("{}.{} {}: {} more", b.set, b.binding, b.name, n - ELEMENTS));
        }
    }
    lines
}

fn descriptor(names: &Names, held: &Held, dynamic: Option<u32>) -> String {
    let kind = words(held.kind);
    // Read as a type other than its current one, a mutable descriptor is a null descriptor.
    let image = held.image.and_then(|record| {
        let view = names.view(record.ptr);
        let sampled = matches!(held.kind, DescriptorKind::Sampler | DescriptorKind::CombinedImageSampler);
        match (view, sampled) {
            (Some(view), true) => Some(format!("{view}, {}", names.sampler(sampler_of_word(record.size)))),
            (view, false) => view,
            (None, true) => Some(names.sampler(sampler_of_word(record.size))),
        }
    });
    let buffer = |Descriptor { ptr, size }| {
        let (label, offset) = names.buffer(ptr)?;
        if held.kind == DescriptorKind::AccelerationStructure {
            return Some(label);
        }
        let dynamic = dynamic.map_or(String::new(), |offset| format!(" + dynamic {offset}"));
        Some(format!("{label} + {offset}{dynamic}, {size} bytes"))
    };
    match image.or_else(|| held.buffer.and_then(buffer)) {
        Some(what) => format!("{kind}: {what}"),
        None => format!("{kind}: null"),
    }
}

/// Describes push constants as words.
pub(super) fn push(list: &CommandList, run: Run, used: u32) -> Vec<String> {
    let bytes = list.push(run);
    let words = bytes.chunks_exact(4).take(used.div_ceil(4) as usize);
    let words: Vec<String> = words
        .map(|w| {
            let bits = u32::from_le_bytes([w[0], w[1], w[2], w[3]]);
            format!("{bits:#x} ({})", f32::from_bits(bits))
        })
        .collect();
    if words.is_empty() { Vec::new() } else { vec![words.join(" ")] }
}

/// Describes vertex and index buffers, one per line.
pub(super) fn inputs(names: &Names, list: &CommandList, snapshot: &DrawSnapshot) -> Vec<String> {
    let desc = list.states[list.prepared[snapshot.prepared].state].desc();
    let slices = list.vertex_buffers(snapshot.vertex_buffers);
    let mut lines = Vec::new();
    for b in &desc.vertex_bindings {
        let bound = slices.get(b.binding as usize).and_then(Option::as_ref);
        let bound = bound.map_or_else(|| "nothing".into(), |s| slice(names, list, s));
        let (stride, rate) = (desc.stride(b), words(b.rate));
        lines.push(format!("binding {}: {bound}, stride {stride}, per {rate}", b.binding));
    }
    for a in &desc.vertex_attributes {
        let (location, binding, format, offset) = (a.location, a.binding, a.format.name(), a.offset);
        lines.push(format!("location {location}: {format} of binding {binding} at byte {offset}"));
    }
    if let Some(Indices { slice: of, ty, .. }) = &snapshot.index {
        let of = of.as_ref().map_or_else(|| "zeros".into(), |s| slice(names, list, s));
        lines.push(format!("indices: {of}, {}", words(ty)));
    }
    lines
}

/// Describes the fixed-function state. Most disabled state is left out.
pub(super) fn state(desc: &DrawStateDesc, dynamic: &Dynamic) -> Vec<String> {
    let mut lines = Vec::new();
    if !desc.has_mesh() {
        let points = match desc.topology {
            Topology::PatchList => format!(" of {} points", dynamic.patch_control_points),
            _ => String::new(),
        };
        let restart = if desc.primitive_restart { ", restarts" } else { "" };
        lines.push(format!("topology {}{points}{restart}", words(desc.topology)));
    }
    let cull = match (desc.cull.front, desc.cull.back) {
        (false, false) => "nothing",
        (true, false) => "front",
        (false, true) => "back",
        (true, true) => "front and back",
    };
    lines.push(format!("cull {cull}, front {}", words(desc.front_face)));
    if desc.polygon_mode != PolygonMode::default() {
        lines.push(format!("polygons as {}", words(desc.polygon_mode)));
    }
    if desc.rasterizer_discard {
        lines.push("rasterizer discard".into());
    }
    if desc.depth.test {
        let write = if desc.depth.write { "written" } else { "not written" };
        let bounds =
            if desc.depth.bounds { format!(", bounds {:?}", dynamic.depth_bounds) } else { "".into() };
        lines.push(format!("depth test {}, {write}{bounds}", words(desc.depth.compare)));
    }
    if desc.depth_bias {
        lines.push(format!("depth bias {:?}", dynamic.depth_bias));
    }
    if desc.stencil_test {
        for (face, name) in ["front", "back"].into_iter().enumerate() {
            lines.push(format!("stencil {name} {:?} {:?}", desc.stencil[face], dynamic.stencil[face]));
        }
    }
    for (i, blend) in desc.blend.iter().enumerate() {
        if blend.enable {
            lines.push(format!("blend of color{i} {:?} {:?}", blend.equations[0], blend.equations[1]));
        }
        if blend.write_mask != 15 {
            let mask = "RGBA".chars().enumerate().filter(|(c, _)| blend.write_mask >> c & 1 != 0);
            lines.push(format!("written of color{i}: {}", mask.map(|(_, c)| c).collect::<String>()));
        }
    }
    if desc.logic_op_enable {
        lines.push(format!("logic op {}", words(desc.logic_op)));
    }
    if desc.samples > 1 {
        lines.push(format!("{} samples, mask {:?}", desc.samples, desc.sample_mask));
    }
    lines.extend(areas(dynamic));
    if desc.conservative != ConservativeMode::default() {
        lines.push(format!("coverage {}, grown by {}", words(desc.conservative), dynamic.overestimation));
    }
    if let Some([low, high]) = dynamic.depth_clamp_range.filter(|_| desc.depth_clamp) {
        lines.push(format!("depth clamped to {low} to {high}"));
    }
    lines
}

/// Describes viewports, scissors and discard rectangles.
fn areas(dynamic: &Dynamic) -> Vec<String> {
    let mut lines = Vec::new();
    for (i, v) in dynamic.viewports.iter().enumerate() {
        let depth = format!("depth {} to {}", v.min_depth, v.max_depth);
        lines.push(format!("viewport {i}: {}x{} at {}, {}, {depth}", v.width, v.height, v.x, v.y));
    }
    for (i, s) in dynamic.scissors.iter().enumerate() {
        lines.push(format!("scissor {i}: {}x{} at {}, {}", s.width, s.height, s.x, s.y));
    }
    if !dynamic.discard_rectangles.used().is_empty() {
        let side = if dynamic.discard_rectangles.exclusive { "inside" } else { "outside" };
        for r in dynamic.discard_rectangles.used() {
            lines.push(format!("discards {side} of {}x{} at {}, {}", r.width, r.height, r.x, r.y));
        }
    }
    lines
}

/// The attachments of a pass with their names in the trace's pictures: `color0`, `depth`, `stencil`.
pub(super) fn attachments(info: &RenderingInfo) -> impl Iterator<Item = (String, &RenderingAttachment)> {
    let colors = info.colors.iter().enumerate();
    let colors = colors.filter_map(|(i, a)| Some((format!("color{i}"), a.as_ref()?)));
    let rest = [("depth", &info.depth), ("stencil", &info.stencil)];
    colors.chain(rest.into_iter().filter_map(|(name, a)| Some((name.to_owned(), a.as_ref()?))))
}

/// Describes an attachment: `image view 2 (image 1, R8G8B8A8_UNORM 64x64), cleared to 0, 0, 0, 1, stored`.
pub(super) fn attachment(names: &Names, name: &str, a: &RenderingAttachment) -> String {
    let load = match a.load {
        LoadOp::Load => "loaded".into(),
        LoadOp::DontCare => "not loaded".into(),
        LoadOp::Clear(value) => format!("cleared to {}", clear_value(name, a.view.desc().format, value)),
    };
    let resolve = a.resolve.as_ref().map_or(String::new(), |to| {
        format!(", resolved ({}) to {}", words(a.resolve_mode), names.described(to))
    });
    format!("{name}: {}, {load}{resolve}", names.described(&a.view))
}

/// Formats a clear value in the type of the attachment with this name.
pub(super) fn clear_value(name: &str, format: Format, [r, g, b, a]: [u32; 4]) -> String {
    match (name, format.info().numeric) {
        ("stencil", _) => r.to_string(),
        ("depth", _) => f32::from_bits(r).to_string(),
        (_, Numeric::Uint) => format!("{r}, {g}, {b}, {a}"),
        (_, Numeric::Sint) => format!("{}, {}, {}, {}", r as i32, g as i32, b as i32, a as i32),
        _ => {
            let [r, g, b, a] = [r, g, b, a].map(f32::from_bits);
            format!("{r}, {g}, {b}, {a}")
        }
    }
}

/// The shaders of a draw.
pub(super) fn shaders(list: &CommandList, snapshot: Ref<DrawSnapshot>) -> impl Iterator<Item = &Shader> {
    list.graphics[list.prepared[list.draw_snapshots[snapshot].prepared].pipeline].shaders()
}
