//! Descriptors of the attachments of a rendering scope, for fragment shaders that read the attachments. The jit owns the
//! layout of the descriptors ([`ATTACHMENT_SET`](quadrille_jit::ir::ATTACHMENT_SET)).

use quadrille_jit::abi::{Descriptor, MAX_COLORS};
use quadrille_raster::format::Aspects;

use crate::descriptor::null_image;
use crate::error::Result;
use crate::render_pass::{RenderingAttachment, RenderingInfo};
use crate::resource::image::{ImageView, ImageViewDesc};

/// The descriptors, and the views that they refer to.
pub(super) struct AttachmentRecords {
    records: Box<[Descriptor]>,
    _views: Vec<ImageView>,
}

impl AttachmentRecords {
    /// Returns the descriptors of a scope: colours by number, then depth, then stencil. Missing attachments read as zero.
    pub fn new(info: &RenderingInfo) -> Result<Self> {
        let colors = (0..MAX_COLORS).map(|i| (info.colors.get(i).and_then(Option::as_ref), Aspects::COLOR));
        let depth_stencil =
            [(info.depth.as_ref(), Aspects::DEPTH), (info.stencil.as_ref(), Aspects::STENCIL)];
        let (mut records, mut views) = (Vec::new(), Vec::new());
        for (attachment, aspect) in colors.chain(depth_stencil) {
            let view = attachment.map(|a| seen(info, a, aspect)).transpose()?;
            records.push(match &view {
                Some(view) => Descriptor { ptr: view.header(false), size: 0 },
                None => null_image(),
            });
            views.extend(view);
        }
        Ok(AttachmentRecords { records: records.into(), _views: views })
    }

    /// The descriptors.
    pub fn records(&self) -> &[Descriptor] {
        &self.records
    }
}

/// The image view that is rendered to, and the single-sampled view that keeps the result, if it is another one.
pub(super) fn views_of(
    a: &RenderingAttachment,
    info: &RenderingInfo,
) -> Result<(ImageView, Option<ImageView>)> {
    let view = &a.view;
    if info.single_sampled_as <= 1 || view.image().desc().samples != 1 {
        return Ok((view.clone(), None));
    }
    Ok((view.multisampled(info.single_sampled_as)?, Some(view.clone())))
}

/// Returns the view of one aspect of an attachment as shaders read it.
fn seen(info: &RenderingInfo, a: &RenderingAttachment, aspect: Aspects) -> Result<ImageView> {
    let (view, _) = views_of(a, info)?;
    let desc = *view.desc();
    match aspect == Aspects::STENCIL && desc.aspect != aspect {
        true => ImageView::kept(view.device(), view.image(), ImageViewDesc { aspect, ..desc }),
        false => Ok(view),
    }
}
