//! What commands write besides what shaders store, for those who watch the device.
//!
//! More is told than is written where that is not known better: whole subresources of images, all memory where
//! addresses are in buffers.

use quadrille_jit::interp::events::Event;
use quadrille_jit::interp::watch::Range;
use quadrille_raster::LoadOp;
use quadrille_raster::format::Aspects;

use super::list::{Command, CopyQueryResults, Recorded, Ref};
use crate::copies::{SubresourceLayers, SubresourceRange};
use crate::image::{Image, ImageView};
use crate::names::Names;
use crate::query::QueryPool;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::watching::Watching;

/// Tells what a command of a list writes.
pub(super) fn tell(watch: &Watching, names: Option<&Names>, list: &Recorded, command: &Command) {
    let layers = |image: &Ref<Image>, of: &SubresourceLayers| {
        let end = of.base_layer.saturating_add(of.layers);
        let all = list.images[*image].desc().layers == 1;
        let holds = |layer| all || (of.base_layer..end).contains(&layer);
        list.images[*image].written(|level, layer| level == of.level && holds(layer));
    };
    match command {
        Command::CopyBuffer { src, dst, regions } => {
            for r in list.regions(*regions) {
                let of = |buffer: &Ref<_>| list.buffers[*buffer].address();
                if let (Ok(from), Ok(base)) = (of(src), of(dst)) {
                    let to = Range { base: base + r.dst_offset, size: r.size };
                    watch.0.told(&Event::Copied { from: from + r.src_offset, to });
                }
            }
        }
        Command::CopyImage { dst, regions, .. } => {
            list.regions(*regions).iter().for_each(|r| layers(dst, &r.dst))
        }
        Command::Blit { dst, regions, .. } => list.regions(*regions).iter().for_each(|r| layers(dst, &r.dst)),
        Command::Resolve { dst, regions, .. } => {
            list.regions(*regions).iter().for_each(|r| layers(dst, &r.dst))
        }
        Command::CopyBufferToImage { dst, regions, .. } => {
            list.regions(*regions).iter().for_each(|r| layers(dst, &r.subresource));
        }
        Command::CopyImageToBuffer { src, dst, regions } => {
            for r in list.regions(*regions) {
                let size = list.images[*src].region_bytes(r).unwrap_or(u64::MAX);
                list.buffers[*dst].written(r.buffer_offset, size);
            }
        }
        Command::FillBuffer { dst, offset, size, .. } => list.buffers[*dst].written(*offset, *size),
        Command::UpdateBuffer { dst, offset, data } => {
            list.buffers[*dst].written(*offset, data.len as u64);
        }
        Command::ClearImage { image, ranges, .. } => {
            list.regions(*ranges)
                .iter()
                .for_each(|r| list.images[*image].written(|level, layer| is_in(r, level, layer)));
        }
        Command::BeginRendering(info) => {
            loaded(watch, names, &list[*info]);
            attachments(&list[*info]);
        }
        Command::BeginFeedback(of) => {
            for slice in list[*of].buffers.iter().flatten() {
                list.buffers[slice.buffer].written(slice.offset, slice.size);
            }
        }
        Command::EndFeedback(counters) => {
            list[*counters].iter().flatten().for_each(|(buffer, at)| list.buffers[*buffer].written(*at, 4));
        }
        Command::CopyQueryResults(copy) => query_results(list, &list[*copy]),
        Command::CopyIndirect(copy) => match &list[*copy].image {
            Some((image, _)) => list.images[*image].keep_zeros(),
            None => watch.written(0, u64::MAX),
        },
        Command::Dispatch { .. }
        | Command::DispatchIndirect { .. }
        | Command::EndRendering
        | Command::Draw { .. }
        | Command::DrawMeshes { .. }
        | Command::DrawIndirect { .. }
        | Command::DrawByteCount { .. }
        | Command::ClearAttachments { .. }
        | Command::ResetQueries { .. }
        | Command::BeginQuery { .. }
        | Command::EndQuery { .. }
        | Command::WriteTimestamp { .. }
        | Command::Barrier
        | Command::BeginConditional { .. }
        | Command::EndConditional
        | Command::SetEvent(_)
        | Command::ResetEvent(_)
        | Command::WaitEvents(_)
        | Command::Note(_)
        | Command::Execute(_)
        | Command::Generated(_) => {}
    }
}

/// Tells which objects are destroyed that commands use which are about to be submitted.
pub(crate) fn destroyed(watch: &Watching, names: Option<&Names>, list: &Recorded) {
    let place = list
        .name
        .as_deref()
        .map_or_else(|| "a command buffer".into(), |name| format!("command buffer {name:?}"));
    let tell = |what: Option<String>, kind: &str| {
        let what = what.unwrap_or_else(|| kind.to_owned());
        watch.0.told(&Event::Destroyed { what: &what, place: &place });
    };
    for buffer in list.buffers.objects.0.iter().filter(|b| b.is_destroyed()) {
        tell(names.map(|names| names.of(buffer)), "a buffer");
    }
    for image in list.images.objects.0.iter().filter(|i| i.is_destroyed()) {
        tell(names.map(|names| names.of(image)), "an image");
    }
    list.nested.0.iter().for_each(|list| destroyed(watch, names, list));
}

fn is_in(r: &SubresourceRange, level: u32, layer: u32) -> bool {
    let holds = |first: u32, n: u32, at: u32| (first..first.saturating_add(n)).contains(&at);
    holds(r.base_level, r.levels, level) && holds(r.base_layer, r.layers, layer)
}

/// Attachments count as written from the beginning of their scope, whatever is drawn.
fn attachments(info: &RenderingInfo) {
    let all = info.colors.iter().flatten().chain(&info.depth).chain(&info.stencil);
    all.flat_map(|a: &RenderingAttachment| std::iter::once(&a.view).chain(&a.resolve)).for_each(attachment);
}

/// Tells of attachments that are to keep what is there, before anything comes of it.
fn loaded(watch: &Watching, names: Option<&Names>, info: &RenderingInfo) {
    let kept = |a: &&RenderingAttachment| a.load == LoadOp::Load && a.loaded_views == 0 && !info.resuming;
    let depth = info.depth.iter().map(|a| (a, Aspects::DEPTH));
    let stencil = info.stencil.iter().map(|a| (a, Aspects::STENCIL));
    let colors = info.colors.iter().flatten().map(|a| (a, Aspects::COLOR));
    for (a, aspects) in colors.chain(depth).chain(stencil).filter(|(a, _)| kept(a)) {
        let (image, desc) = (a.view.image(), a.view.desc());
        let layers = if image.desc().layers == 1 {
            0..1
        } else {
            desc.base_layer..desc.base_layer.saturating_add(desc.layers)
        };
        let parts: Vec<Range> = layers
            .filter_map(|layer| {
                let part = image.layout().subresource(aspects, desc.base_level, layer)?;
                let (memory, offset) = image.plane_memory(part.memory).ok()?;
                Some(Range { base: memory.address() + offset + part.offset, size: part.size })
            })
            .collect();
        let name = names.map_or_else(|| "an attachment".to_owned(), |names| names.of(image));
        watch.0.told(&Event::Loads { what: &name, parts: &parts });
    }
}

fn attachment(view: &ImageView) {
    let (image, desc) = (view.image(), view.desc());
    // Layers of views may be slices of an image that has one layer.
    let (all, end) = (image.desc().layers == 1, desc.base_layer.saturating_add(desc.layers));
    let holds = |layer| all || (desc.base_layer..end).contains(&layer);
    image.written(|level, layer| level == desc.base_level && holds(layer));
}

fn query_results(list: &Recorded, copy: &CopyQueryResults) {
    let pool: &QueryPool = &list.queries[copy.pool];
    let width = if copy.wide { 8 } else { 4 };
    let values = pool.kind().values() as u64 + u64::from(copy.availability);
    for i in 0..u64::from(copy.count) {
        list.buffers[copy.dst].written(copy.offset + i * copy.stride, values * width);
    }
}
