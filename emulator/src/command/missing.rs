//! What transfers and scopes leave where sparse images and buffers have no memory: nothing.
//!
//! Which texels a command may have written; those that are missing go. Within a scope, tiles make them zero between
//! primitives.

use std::sync::Arc;

use quadrille_raster::image::ImageType;
use quadrille_raster::pass::Missing;
use quadrille_raster::state::Rect;

use super::list::{Command, Recorded};
use crate::error::Result;
use crate::image::ImageView;
use crate::render_pass::{RenderingAttachment, RenderingInfo};

/// After a transfer command; those to images, and copies and fills of buffers, leave nothing of themselves.
pub(super) fn transferred(list: &Recorded, command: &Command) -> Result<()> {
    match command {
        Command::CopyImageToBuffer { src, dst, regions } => list.regions(*regions).iter().try_for_each(|r| {
            let size = list.images[*src].region_bytes(r)?;
            list.buffers[*dst].clear_missing(r.buffer_offset, size)
        }),
        Command::UpdateBuffer { dst, offset, data } => {
            list.buffers[*dst].clear_missing(*offset, list.update(*data).len() as u64)
        }
        _ => Ok(()),
    }
}

/// What a view shows of a sparse image of which something is missing.
fn shown(view: &ImageView, attachment: usize) -> Option<Missing> {
    let (image, desc) = (view.image(), view.desc());
    let pages = &image.sparse().filter(|s| s.pages.is_any_missing())?.pages;
    let texels = image.format().is_compressed() && !desc.format.is_compressed();
    Some(Missing {
        attachment,
        pages: Arc::clone(pages),
        level: desc.base_level,
        first: desc.base_layer,
        of_slices: image.desc().image_type == ImageType::D3,
        block: if texels { image.format().block() } else { [1; 2] },
    })
}

fn attachments(info: &RenderingInfo) -> impl Iterator<Item = (usize, &RenderingAttachment)> {
    let colors = info.colors.iter().enumerate().filter_map(|(i, a)| Some((i, a.as_ref()?)));
    colors
        .chain(info.depth.iter().map(|a| (Missing::DEPTH, a)))
        .chain(info.stencil.iter().map(|a| (Missing::STENCIL, a)))
}

/// The attachments of a scope of which something is missing, from layer `first` of their views on.
pub(super) fn attached(info: &RenderingInfo, first: u32) -> Vec<Missing> {
    let all = attachments(info).filter_map(|(number, a)| shown(&a.view, number));
    all.map(|m| Missing { first: m.first + first, ..m }).collect()
}

/// After a part of a scope: what it resolved. Tiles leave nothing of themselves.
pub(super) fn rendered(info: &RenderingInfo) -> Result<()> {
    for (_, a) in attachments(info) {
        let single = Some(&a.view).filter(|_| info.single_sampled_as > 1);
        for view in single.into_iter().chain(&a.resolve) {
            let Some(missing) = shown(view, 0) else { continue };
            let (Rect { x, y, width, height }, [bw, bh]) = (info.area, missing.block);
            let [x0, y0] = [x, y].map(|v| v.max(0) as u32);
            let [x1, y1] = [x0.saturating_add(width), y0.saturating_add(height)];
            let corner = |x: u32, y: u32, z| [x.saturating_mul(bw), y.saturating_mul(bh), z];
            let (first, end) = (missing.first, missing.first + view.desc().layers);
            let (layers, slices) = if missing.of_slices { (0..1, first..end) } else { (first..end, 0..1) };
            let texels = [corner(x0, y0, slices.start), corner(x1, y1, slices.end)];
            view.image().clear_missing(missing.level, layers, texels)?;
        }
    }
    Ok(())
}
