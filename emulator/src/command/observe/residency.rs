//! Residency: pages of sparse buffers and images without memory stay zero, whatever commands write to them.
//!
//! Transfers to images, and copies and fills of buffers, skip such pages themselves ([`crate::resource::missing`]), and
//! tiles make them zero between primitives. This module handles the other writes of commands, and resolves.

use std::sync::Arc;

use quadrille_raster::image::ImageType;
use quadrille_raster::pass::Missing;
use quadrille_raster::state::Rect;

use super::super::effects::{At, Place, Wants};
use super::Observer;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::resource::image::ImageView;

/// Clears the missing pages of buffers that a command has written.
pub(super) struct Residency<'d>(pub &'d Device);

impl<'l> Observer<'l> for Residency<'_> {
    fn done(&mut self, at: &At<'_, 'l>, error: Option<&Error>) -> Result<()> {
        if error.is_some() || at.command.waits_for_scope() || !self.0.is_any_page_missing() {
            return Ok(());
        }
        let mut cleared = Ok(());
        at.effects(Wants::Writes, &mut |effect| {
            if let (Place::Bytes { buffer, offset, size }, true, Ok(())) =
                (effect.place, effect.access.writes, &cleared)
            {
                cleared = buffer.clear_missing(offset, size);
            }
        });
        cleared
    }
}

/// The missing texels of an attachment's view, if any texel of the sparse image is missing.
fn shown(view: &ImageView, attachment: usize) -> Option<Missing> {
    let (image, desc) = (view.image(), view.desc());
    let pages = &image.sparse().filter(|s| s.pages.is_any_missing())?.pages;
    let texels = image.format().is_compressed() && !desc.format.is_compressed();
    let [width, height, _] = image.format().block();
    Some(Missing {
        attachment,
        pages: Arc::clone(pages),
        level: desc.base_level,
        first: desc.base_layer,
        of_slices: image.desc().image_type == ImageType::D3,
        block: if texels { [width, height] } else { [1; 2] },
    })
}

fn attachments(info: &RenderingInfo) -> impl Iterator<Item = (usize, &RenderingAttachment)> {
    let colors = info.colors.iter().enumerate().filter_map(|(i, a)| Some((i, a.as_ref()?)));
    colors
        .chain(info.depth.iter().map(|a| (Missing::DEPTH, a)))
        .chain(info.stencil.iter().map(|a| (Missing::STENCIL, a)))
}

/// The missing texels of all attachments of a scope, from layer `first` of their views on.
pub(in crate::command) fn attached(info: &RenderingInfo, first: u32) -> Vec<Missing> {
    let all = attachments(info).filter_map(|(number, a)| shown(&a.view, number));
    all.map(|m| Missing { first: m.first + first, ..m }).collect()
}

/// Clears the missing texels that the resolves of a scope have written. Tiles clear the missing texels of rendered
/// attachments.
pub(in crate::command) fn rendered(info: &RenderingInfo) -> Result<()> {
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
