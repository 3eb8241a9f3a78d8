//! What a pass renders to: its attachments, and what becomes of them at both ends.

use std::sync::Arc;

use quadrille_jit::error::{Error, Result};

use crate::limits::{MAX_COLOR_TARGETS, MIN_RATE_TEXEL_PX};
pub use crate::memory::combine::ResolveMode;
use crate::memory::format::{Aspects, Format};
use crate::memory::image::SparsePages;
use crate::memory::target::{Target, TargetDesc};
use crate::pool::Budget;
use crate::samples::offered;
use crate::state::{DrawStateDesc, Rect};

/// What an attachment holds when the pass begins. Spec: VkAttachmentLoadOp.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum LoadOp {
    /// What it held before.
    #[default]
    Load,
    /// This value: bits of R, G, B, A as the format's numeric type wants them (depth: bits of the
    /// `f32` in R; stencil: the value in R).
    Clear([u32; 4]),
    /// Anything; here: what it held before.
    DontCare,
}

/// What becomes of the contents. Spec: VkAttachmentStoreOp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StoreOp {
    /// They are kept.
    #[default]
    Store,
    /// They may be lost; here: they are kept.
    DontCare,
}

/// An attachment of a pass.
#[derive(Clone, Copy, Debug)]
pub struct Attachment {
    /// Where it is.
    pub target: Target,
    /// At the beginning.
    pub load: LoadOp,
    /// Single-sampled target whose texels all samples begin with; `load` then says nothing.
    pub expand: Option<Target>,
    /// At the end.
    pub store: StoreOp,
    /// Single-sampled target that the samples are resolved to at the end.
    pub resolve: Option<Target>,
    /// How.
    pub resolve_mode: ResolveMode,
}

impl Attachment {
    /// An attachment that is loaded and stored.
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

    /// An attachment that is cleared and stored.
    pub fn clear(target: Target, value: [u32; 4]) -> Self {
        Attachment { load: LoadOp::Clear(value), ..Attachment::load(target) }
    }
}

/// Says fragment sizes, by texel. Spec: VkFragmentShadingRateAttachmentInfoKHR.
#[derive(Clone, Copy, Debug)]
pub struct RateAttachment {
    /// Texels of one byte.
    pub target: Target,
    /// Pixels of the framebuffer that a texel is for, across and down: powers of two from
    /// [`MIN_RATE_TEXEL_PX`] on.
    pub texel_px: [u32; 2],
}

/// What an attachment shows of a sparse image.
#[derive(Clone, Debug)]
pub struct Missing {
    /// Which attachment: a location, or [`Missing::DEPTH`], or [`Missing::STENCIL`].
    pub attachment: usize,
    /// The image's pages.
    pub pages: Arc<SparsePages>,
    /// The level.
    pub level: u32,
    /// The first layer, or slice of a 3D image.
    pub first: u32,
    /// Layers of the attachment are slices.
    pub of_slices: bool,
    /// Texels of the image that one of the attachment shows.
    pub block: [u32; 2],
}

impl Missing {
    /// The depth attachment.
    pub const DEPTH: usize = MAX_COLOR_TARGETS;
    /// The stencil attachment.
    pub const STENCIL: usize = MAX_COLOR_TARGETS + 1;

    /// Calls `f` with the rectangles of a layer that are missing: first texel and end.
    pub(super) fn each(&self, layer: u32, [x0, y0, x1, y1]: [u32; 4], mut f: impl FnMut([u32; 4])) {
        let [bw, bh] = self.block;
        let at = self.first + layer;
        let (layer, z) = if self.of_slices { (0, at) } else { (at, 0) };
        let (first, end) = ([x0 * bw, y0 * bh, z], [x1 * bw, y1 * bh, z + 1]);
        self.pages.each_missing([self.level, layer], first, end, |[x0, y0, _], [x1, y1, _]| {
            f([x0 / bw, y0 / bh, x1.div_ceil(bw), y1.div_ceil(bh)]);
        });
    }

    /// Calls `f` with rectangles that are all of a rectangle of a layer that is there.
    pub(super) fn each_there(&self, layer: u32, [x0, y0, x1, y1]: [u32; 4], mut f: impl FnMut([u32; 4])) {
        let at = self.first + layer;
        let (layer, z) = if self.of_slices { (0, at) } else { (at, 0) };
        for y in y0..y1 {
            // Blocks, where the attachment shows those as texels.
            self.pages.each_there([self.level, layer], [x0, y, z], x1 - x0, |x, n| f([x, y, x + n, y + 1]));
        }
    }
}

/// What a pass renders to.
#[derive(Clone, Debug, Default)]
pub struct PassDesc {
    /// Colour attachments, by location.
    pub colors: [Option<Attachment>; MAX_COLOR_TARGETS],
    /// Depth attachment.
    pub depth: Option<Attachment>,
    /// Stencil attachment.
    pub stencil: Option<Attachment>,
    /// Says the size of fragments.
    pub shading_rate: Option<RateAttachment>,
    /// Pixels that may be touched.
    pub area: Rect,
    /// Layers that may be touched; 0 counts as 1.
    pub layers: u32,
    /// Samples when there are no attachments and no draw has said how many; 0 counts as 1.
    pub samples: u32,
    /// Time that each flush may take.
    pub budget: Budget,
    /// Attachments of sparse images that may have no memory somewhere.
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

    /// An attachment by its number: see [`Missing::attachment`].
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

    /// Samples of the attachments, or what stands in for them.
    pub(crate) fn n_samples(&self) -> u32 {
        self.attached().next().map_or(self.samples.max(1), |d| d.samples)
    }

    /// `Invalid` if attachments do not fit together, `Unsupported` for what passes do not offer.
    pub fn check(&self) -> Result<()> {
        let samples = self.n_samples();
        if self.attached().any(|d| d.samples != samples) {
            return Err(Error::invalid("attachments with different numbers of samples"));
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
        for a in self.all() {
            let unlike = |t: &Target| t.format() != a.target.format() || t.desc().samples != 1;
            if a.resolve.iter().chain(&a.expand).any(unlike) {
                return Err(Error::invalid("a resolve attachment with samples or of another format"));
            }
        }
        Ok(())
    }

    /// `Invalid` if draws of this state do not fit the attachments.
    pub fn accepts(&self, d: &DrawStateDesc) -> Result<()> {
        // What discards rasterization says nothing about samples.
        let counts = !d.rasterizer_discard && self.attached().next().is_some();
        if counts && d.samples.max(1) != self.n_samples() {
            return Err(Error::invalid(format!(
                "a pipeline of {} samples with attachments of {}",
                d.samples.max(1),
                self.n_samples()
            )));
        }
        for (i, format) in d.color_formats.iter().enumerate() {
            if let (Some(f), Some(a)) = (format, self.colors.get(i).copied().flatten())
                && a.target.format() != *f
            {
                return Err(Error::invalid(format!("colour attachment {i} is not of the pipeline's format")));
            }
        }
        if let (Some(f), Some(a)) = (d.depth_format, self.depth)
            && f.plane(Aspects::DEPTH) != a.target.format().plane(Aspects::DEPTH)
        {
            return Err(Error::invalid("the depth attachment is not of the pipeline's format"));
        }
        let stencil = self.stencil.map(|a| a.target.format());
        if d.stencil_format.is_some() && stencil.is_some_and(|f| f != Format::S8_UINT) {
            return Err(Error::invalid("the stencil attachment is not of the pipeline's format"));
        }
        Ok(())
    }
}
