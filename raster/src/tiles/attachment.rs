//! Attachments of a pass, with their operations at the beginning and the end. Reading and writing their texels is left
//! to `memory::target`.

use std::sync::Arc;

use quadrille_jit::error::{Error, Result};

use super::density_map::DensityMap;
use crate::limits::{
    DENSITY_OFFSET_PX, MAX_COLOR_TARGETS, MAX_DENSITY_TEXEL_PX, MIN_DENSITY_TEXEL_PX, MIN_RATE_TEXEL_PX,
};
pub use crate::memory::combine::ResolveMode;
use crate::memory::format::{Aspects, Format};
use crate::memory::image::SparsePages;
use crate::memory::target::{Target, TargetDesc};
use crate::pool::Budget;
use crate::samples::offered;
use crate::state::{DrawStateDesc, Rect};

/// Contents of an attachment at the beginning of a pass. Spec: VkAttachmentLoadOp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LoadOp {
    /// Keeps the previous contents.
    #[default]
    Load,
    /// Clears to this value: bits of R, G, B, A in the format's numeric type (depth: bits of the `f32` in R; stencil:
    /// the value in R).
    Clear([u32; 4]),
    /// Undefined contents; this implementation keeps the previous contents.
    DontCare,
}

/// Treatment of the contents at the end of a pass. Spec: VkAttachmentStoreOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreOp {
    /// Stores the contents.
    #[default]
    Store,
    /// The contents may be lost; this implementation stores them.
    DontCare,
}

/// An attachment of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Memory of the attachment.
    pub target: Target,
    /// Operation at the beginning.
    pub load: LoadOp,
    /// Single-sampled target from which all samples are initialized; `load` is ignored then.
    pub expand: Option<Target>,
    /// Operation at the end.
    pub store: StoreOp,
    /// Single-sampled target to which the samples are resolved at the end.
    pub resolve: Option<Target>,
    /// Mode of the resolve.
    pub resolve_mode: ResolveMode,
}

impl Attachment {
    /// An attachment that keeps its previous contents and is stored.
    pub fn load(target: Target) -> Self {
        Attachment {
            target,
            load: LoadOp::Load,
            expand: None,
            store: StoreOp::Store,
            resolve: None,
            resolve_mode: ResolveMode::Average,
        }
    }

    /// An attachment that is cleared to `value` and stored.
    pub fn clear(target: Target, value: [u32; 4]) -> Self {
        Attachment { load: LoadOp::Clear(value), ..Attachment::load(target) }
    }
}

/// Attachment that sets fragment sizes. Spec: VkFragmentShadingRateAttachmentInfoKHR.
#[derive(Clone, Copy, Debug)]
pub struct RateAttachment {
    /// Image with texels of one byte.
    pub target: Target,
    /// Width and height in framebuffer pixels of the area of a texel: powers of two, at least [`MIN_RATE_TEXEL_PX`].
    pub texel_px: [u32; 2],
}

/// The subresource of a sparse image that an attachment renders to.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Number of the attachment: a location, [`Missing::DEPTH`] or [`Missing::STENCIL`].
    pub attachment: usize,
    /// Pages of the image.
    pub pages: Arc<SparsePages>,
    /// Mip level.
    pub level: u32,
    /// First layer, or first slice of a 3D image.
    pub first: u32,
    /// `true` if the attachment's layers are slices of a 3D image.
    pub of_slices: bool,
    /// Width and height in image texels of one texel of the attachment.
    pub block: [u32; 2],
}

impl Missing {
    /// Number of the depth attachment.
    pub const DEPTH: usize = MAX_COLOR_TARGETS;
    /// Number of the stencil attachment.
    pub const STENCIL: usize = MAX_COLOR_TARGETS + 1;

    /// Calls `f` with the first texel and the end of each rectangle of a layer that has no memory.
    pub(super) fn each(&self, layer: u32, [x0, y0, x1, y1]: [u32; 4], mut f: impl FnMut([u32; 4])) {
        let [bw, bh] = self.block;
        let at = self.first + layer;
        let (layer, z) = if self.of_slices { (0, at) } else { (at, 0) };
        let (first, end) = ([x0 * bw, y0 * bh, z], [x1 * bw, y1 * bh, z + 1]);
        self.pages.each_missing([self.level, layer], first, end, |[x0, y0, _], [x1, y1, _]| {
            f([x0 / bw, y0 / bh, x1.div_ceil(bw), y1.div_ceil(bh)]);
        });
    }

    /// Calls `f` with rectangles that make up the part of a layer's rectangle that has memory.
    pub(super) fn each_there(&self, layer: u32, [x0, y0, x1, y1]: [u32; 4], mut f: impl FnMut([u32; 4])) {
        let at = self.first + layer;
        let (layer, z) = if self.of_slices { (0, at) } else { (at, 0) };
        for y in y0..y1 {
            // In units of blocks, if the attachment's texels are blocks.
            self.pages.each_there([self.level, layer], [x0, y, z], x1 - x0, |x, n| f([x, y, x + n, y + 1]));
        }
    }
}

/// Attachments and render area of a pass.
#[derive(Clone, Debug, Default)]
pub struct PassDesc {
    /// Colour attachments, by location.
    pub colors: [Option<Attachment>; MAX_COLOR_TARGETS],
    /// Depth attachment.
    pub depth: Option<Attachment>,
    /// Stencil attachment.
    pub stencil: Option<Attachment>,
    /// Shading rate attachment.
    pub shading_rate: Option<RateAttachment>,
    /// Fragment density map. It sets the size of all fragments, so that shading rates have no effect.
    pub density: Option<DensityMap>,
    /// Render area: pixels that may be accessed.
    pub area: Rect,
    /// Number of layers that may be accessed; 0 counts as 1.
    pub layers: u32,
    /// Sample count without attachments, until a draw sets it; 0 counts as 1.
    pub samples: u32,
    /// Time limit of each flush.
    pub budget: Budget,
    /// Attachments of sparse images, parts of which may have no memory.
    pub missing: Vec<Missing>,
}

impl PassDesc {
    /// All attachments, with their numbers: see [`Missing::attachment`].
    pub(super) fn numbered(&self) -> impl Iterator<Item = (usize, &Attachment)> {
        let colors = self.colors.iter().enumerate().filter_map(|(i, a)| Some((i, a.as_ref()?)));
        let depth = self.depth.iter().map(|a| (Missing::DEPTH, a));
        colors.chain(depth).chain(self.stencil.iter().map(|a| (Missing::STENCIL, a)))
    }

    /// All attachments.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Attachment> {
        self.colors.iter().flatten().chain(&self.depth).chain(&self.stencil)
    }

    /// Returns an attachment by its number: see [`Missing::attachment`].
    pub(super) fn attachment(&self, number: usize) -> Option<&Attachment> {
        match number {
            Missing::DEPTH => self.depth.as_ref(),
            Missing::STENCIL => self.stencil.as_ref(),
            n => self.colors.get(n)?.as_ref(),
        }
    }

    pub(crate) fn attached(&self) -> impl Iterator<Item = &TargetDesc> {
        self.all().map(|a| a.target.desc())
    }

    /// Sample count of the attachments, or its substitute if there are none.
    pub(crate) fn n_samples(&self) -> u32 {
        self.attached().next().map_or(self.samples.max(1), |d| d.samples)
    }

    /// Fails with `Invalid` if attachments are incompatible with each other, and with `Unsupported` for unsupported
    /// sample counts.
    pub fn check(&self) -> Result<()> {
        let samples = self.n_samples();
        if self.attached().any(|d| d.samples != samples) {
            return Err(Error::invalid("attachments with different sample counts"));
        }
        if !offered(samples) {
            return Err(Error::unsupported(format!("{samples} rasterization samples")));
        }
        if self.attached().any(|d| d.layers < self.layers.max(1)) {
            return Err(Error::invalid("an attachment has fewer layers than the pass"));
        }
        if let Some(a) = &self.shading_rate {
            let fits = |px: u32| px >= MIN_RATE_TEXEL_PX && px.is_power_of_two();
            if a.target.texel_bytes() != 1 || !a.texel_px.into_iter().all(fits) {
                return Err(Error::invalid(format!(
                    "a shading rate attachment of format {} for {:?} pixels",
                    a.target.format().name(),
                    a.texel_px
                )));
            }
        }
        if let Some(map) = &self.density {
            let DensityMap { target, texel_px, offsets, .. } = map;
            let regions = MIN_DENSITY_TEXEL_PX..=MAX_DENSITY_TEXEL_PX;
            let fits = texel_px.iter().all(|px| px.is_power_of_two() && regions.contains(px));
            let moves =
                offsets.iter().flatten().all(|px| px.unsigned_abs().is_multiple_of(DENSITY_OFFSET_PX));
            if target.format() != Format::R8G8_UNORM || !fits || !moves {
                return Err(Error::invalid(format!(
                    "a fragment density map of format {} with regions of {texel_px:?} pixels, moved by {offsets:?}: the \
                     format must be R8G8_UNORM, and each offset a multiple of {DENSITY_OFFSET_PX}",
                    target.format().name(),
                )));
            }
        }
        for a in self.all() {
            let unlike = |t: &Target| t.format() != a.target.format() || t.desc().samples != 1;
            if a.resolve.iter().chain(&a.expand).any(unlike) {
                return Err(Error::invalid(
                    "a resolve attachment that is multisampled or has another format",
                ));
            }
        }
        Ok(())
    }

    /// Fails with `Invalid` if the state is incompatible with the attachments.
    pub fn accepts(&self, d: &DrawStateDesc) -> Result<()> {
        // Without rasterization, the sample count does not matter.
        let counts = !d.rasterizer_discard && self.attached().next().is_some();
        if counts && d.samples.max(1) != self.n_samples() {
            return Err(Error::invalid(format!(
                "a pipeline with {} samples for attachments with {}",
                d.samples.max(1),
                self.n_samples()
            )));
        }
        for (i, format) in d.color_formats.iter().enumerate() {
            if let (Some(f), Some(a)) = (format, self.colors.get(i).copied().flatten())
                && a.target.format() != *f
            {
                return Err(Error::invalid(format!(
                    "colour attachment {i} does not have the pipeline's format"
                )));
            }
        }
        if let (Some(f), Some(a)) = (d.depth_format, self.depth)
            && f.plane(Aspects::DEPTH) != a.target.format().plane(Aspects::DEPTH)
        {
            return Err(Error::invalid("the depth attachment does not have the pipeline's format"));
        }
        let stencil = self.stencil.map(|a| a.target.format());
        if d.stencil_format.is_some() && stencil.is_some_and(|f| f != Format::S8_UINT) {
            return Err(Error::invalid("the stencil attachment does not have the pipeline's format"));
        }
        Ok(())
    }
}
