//! What commands write besides what shaders store, for those who watch the device.
//!
//! More is told than is written where that is not known better: whole subresources of images, all memory where
//! addresses are in buffers.

use quadrille_jit::interp::events::Event;
use quadrille_jit::interp::watch::Range;

use super::list::{Command, CopyQueryResults, Recorded, Ref};
use crate::copies::{SubresourceLayers, SubresourceRange};
use crate::image::{Image, ImageView};
use crate::query::QueryPool;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::watching::Watching;

/// Tells what a command of a list writes.
pub(super) fn tell(watch: &Watching, list: &Recorded, command: &Command) {
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
        Command::BeginRendering(info) => attachments(&list[*info]),
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

fn is_in(r: &SubresourceRange, level: u32, layer: u32) -> bool {
    let holds = |first: u32, n: u32, at: u32| (first..first.saturating_add(n)).contains(&at);
    holds(r.base_level, r.levels, level) && holds(r.base_layer, r.layers, layer)
}

/// Attachments count as written from the beginning of their scope, whatever is drawn.
fn attachments(info: &RenderingInfo) {
    let all = info.colors.iter().flatten().chain(&info.depth).chain(&info.stencil);
    all.flat_map(|a: &RenderingAttachment| std::iter::once(&a.view).chain(&a.resolve)).for_each(attachment);
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
