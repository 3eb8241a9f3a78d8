//! Images: their descriptions, their memory and their owners.
//!
//! `texels` reads and writes texels for the host, `view` has the views. [`quadrille_raster::image`] decides where each
//! texel lies.

mod texels;
mod view;

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use quadrille_raster::format::{Aspects, Format, FormatFeatures};
use quadrille_raster::image::{
    self as layout, ImageLayout, ImageMemory, ImageType, PlaneLayout, SparsePages, Subresource,
};
use quadrille_raster::sampling::VIEW_WORDS;
use quadrille_raster::transfer::{self, BufferImageCopy, ImageRef};

use super::kept::Kept;
use super::residency::{SPARSE_PAGE, SparseImage};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::ImageUsage;
use crate::memory::{Memory, MemoryRequirements};
use crate::object::{objects, same_device, shared};

pub use view::{ImageView, ImageViewDesc};

/// Creation parameters of an image. Spec: Vulkan, VkImageCreateInfo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ImageDesc {
    /// Dimensionality.
    pub image_type: ImageType,
    /// Format.
    pub format: Format,
    /// Width, height and depth of level 0.
    pub extent: [u32; 3],
    /// Number of mip levels.
    pub levels: u32,
    /// Number of array layers.
    pub layers: u32,
    /// Samples per texel.
    pub samples: u32,
    /// Allowed usages.
    pub usage: ImageUsage,
    /// Creation flags.
    pub flags: ImageFlags,
}

/// Creation flags that affect an image. Spec: Vulkan, VkImageCreateFlagBits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImageFlags {
    /// Allows usages that only views of other formats support.
    pub extended_usage: bool,
    /// Each plane of a multi-planar image is bound to memory separately.
    pub disjoint: bool,
    /// Memory may be written by other means than this image: by the host (linear tiling), or through an alias.
    pub shared_memory: bool,
    /// Memory is bound in pieces: see [`Queue::bind_sparse`](crate::Queue::bind_sparse).
    pub sparse_binding: bool,
    /// The image can be used while some of its blocks are unbound.
    pub sparse_residency: bool,
    /// Memory of the image may also be bound to other resources, which then show the same data.
    pub sparse_aliased: bool,
}

impl ImageDesc {
    /// A 2D image with one level, layer and sample.
    pub fn new_2d(format: Format, width: u32, height: u32, usage: ImageUsage) -> Self {
        ImageDesc {
            image_type: ImageType::D2,
            format,
            extent: [width, height, 1],
            levels: 1,
            layers: 1,
            samples: 1,
            usage,
            flags: ImageFlags::default(),
        }
    }
}

struct ImageInner {
    /// Number that identifies the device.
    device: u64,
    desc: ImageDesc,
    layout: ImageLayout,
    /// Memory and offset of each plane of a disjoint image; only the first entry for other images.
    bound: [OnceLock<(Memory, u64)>; 3],
    /// Bytes of all planes, computed at the first use.
    bytes: OnceLock<ImageMemory>,
    /// The number of a VkImageLayout.
    initial_layout: OnceLock<i32>,
    /// State of an image with sparse residency.
    sparse: Option<SparseImage>,
    /// Views of [`ImageView::kept`] by the words of their description, until [`Image::destroy`].
    kept: Kept<[u32; VIEW_WORDS], ImageView>,
}

/// An image. Clones are the same image. Spec: Vulkan, "Images".
#[derive(Clone)]
pub struct Image(Arc<ImageInner>);

objects! { Image: "image" = |i| Some(i.0.device); }
shared!(Image);

impl std::fmt::Debug for Image {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Image").field(&self.0.desc).finish()
    }
}

/// Format features that an image usage requires.
fn needed(usage: ImageUsage) -> impl Iterator<Item = (ImageUsage, FormatFeatures)> {
    use FormatFeatures as F;
    [
        (ImageUsage::SAMPLED, F::SAMPLED_IMAGE),
        (ImageUsage::STORAGE, F::STORAGE_IMAGE),
        (ImageUsage::COLOR_ATTACHMENT, F::COLOR_ATTACHMENT),
        (ImageUsage::DEPTH_STENCIL_ATTACHMENT, F::DEPTH_STENCIL_ATTACHMENT),
        (ImageUsage::FRAGMENT_SHADING_RATE_ATTACHMENT, F::FRAGMENT_SHADING_RATE_ATTACHMENT),
        (ImageUsage::FRAGMENT_DENSITY_MAP, F::FRAGMENT_DENSITY_MAP),
        (ImageUsage::TRANSFER_SRC, F::TRANSFER_SRC),
        (ImageUsage::TRANSFER_DST, F::TRANSFER_DST),
    ]
    .into_iter()
    .filter(move |(u, _)| usage.contains(*u))
}

impl Image {
    pub(crate) fn new(device: &Device, desc: ImageDesc, planes: Option<&[PlaneLayout]>) -> Result<Image> {
        let mut desc = desc;
        // An image with a single plane is never disjoint.
        desc.flags.disjoint &= desc.format.is_multi_planar();
        let features = desc.format.image_features();
        // Only transfers write to the compressed blocks of such images: views that could write have uncompressed
        // formats.
        let written = ImageUsage::STORAGE | ImageUsage::COLOR_ATTACHMENT;
        let decoded = desc.usage.contains(ImageUsage::SAMPLED)
            && !desc.usage.intersects(written)
            && !desc.flags.shared_memory
            && planes.is_none()
            && !desc.flags.sparse_binding;
        for (usage, feature) in needed(desc.usage).filter(|_| !desc.flags.extended_usage) {
            if !features.contains(feature) {
                return Err(Error::unsupported(format!("{usage:?} of {} images", desc.format.name())));
            }
        }
        let lies = layout::ImageDesc {
            image_type: desc.image_type,
            format: desc.format,
            extent: desc.extent,
            levels: desc.levels,
            layers: desc.layers,
            samples: desc.samples,
            decoded,
            disjoint: desc.flags.disjoint,
        };
        let layout = match planes {
            Some(_) if desc.flags.sparse_binding => {
                return Err(Error::unsupported("an explicit layout for a sparse image"));
            }
            Some(planes) => ImageLayout::explicit(&lies, planes)?,
            None => ImageLayout::new(&lies)?,
        };
        let flags = desc.flags;
        let sparse = match flags.sparse_residency {
            true => Some(SparseImage::new(
                SparsePages::new(&layout)
                    .ok_or_else(|| Error::unsupported(format!("sparse residency of {desc:?}")))?,
                flags.sparse_aliased.then(|| device.aliases().clone()),
            )),
            false => None,
        };
        let bound = Default::default();
        let image = Image(Arc::new(ImageInner {
            device: device.id(),
            desc,
            layout,
            bound,
            bytes: OnceLock::new(),
            initial_layout: OnceLock::new(),
            sparse,
            kept: Kept::default(),
        }));
        if flags.sparse_binding {
            ensure(!flags.disjoint, || "a sparse image of several planes".into())?;
            let bytes = image.0.layout.size.next_multiple_of(SPARSE_PAGE);
            let _ = image.0.bound[0].set((Memory::reserve(bytes)?, 0));
        }
        Ok(image)
    }

    /// Page table of an image with sparse residency.
    pub fn sparse_pages(&self) -> Option<&SparsePages> {
        self.0.sparse.as_ref().map(|s| &*s.pages)
    }

    /// Marks the image as destroyed: no commands may be submitted that use it. Drops the views of [`ImageView::kept`].
    pub fn destroy(&self) {
        self.0.kept.end();
    }

    /// `true` after [`Image::destroy`].
    pub(crate) fn is_destroyed(&self) -> bool {
        self.0.kept.has_ended()
    }

    pub(crate) fn sparse(&self) -> Option<&SparseImage> {
        self.0.sparse.as_ref()
    }

    /// Makes aliased texels of a sparse image equal to those of the other resources with the same memory.
    pub(crate) fn settle(&self) -> Result<()> {
        self.0.sparse.as_ref().map_or(Ok(()), SparseImage::settle)
    }

    /// Sets unbound texels of some layers of a level to zero, in a box given by its first and end corner.
    pub(crate) fn clear_missing(&self, level: u32, layers: Range<u32>, texels: [[u32; 3]; 2]) -> Result<()> {
        let Some(sparse) = &self.0.sparse else { return Ok(()) };
        sparse.clear_missing(self.memory()?.0, level, layers, texels)
    }

    /// Creation parameters of the image.
    pub fn desc(&self) -> &ImageDesc {
        &self.0.desc
    }

    /// Format of the image.
    pub fn format(&self) -> Format {
        self.0.desc.format
    }

    /// Allowed usages.
    pub fn usage(&self) -> ImageUsage {
        self.0.desc.usage
    }

    /// Layout of the texels in memory.
    pub fn layout(&self) -> &ImageLayout {
        &self.0.layout
    }

    /// Returns the size and alignment that the image requires of its memory; for a disjoint image, those of plane 0.
    pub fn requirements(&self) -> MemoryRequirements {
        let size = match &self.0.sparse {
            _ if !self.0.desc.flags.sparse_binding => {
                let (size, alignment) = (self.0.layout.size, self.0.layout.align);
                return MemoryRequirements { size, alignment, sparse: false };
            }
            Some(sparse) => u64::from(sparse.pages.count()) * SPARSE_PAGE,
            None => self.0.layout.size.next_multiple_of(SPARSE_PAGE),
        };
        MemoryRequirements { size, alignment: SPARSE_PAGE, sparse: true }
    }

    /// Returns the size and alignment that a plane of a disjoint image requires of its memory.
    ///
    /// # Errors
    /// `Invalid` if the image has no such plane to bind.
    pub fn plane_requirements(&self, plane: usize) -> Result<MemoryRequirements> {
        let size = self.0.layout.sizes().get(plane).copied();
        let size = size.ok_or_else(|| Error::invalid(format!("an image has no plane {plane} to bind")))?;
        Ok(MemoryRequirements { size, alignment: self.0.layout.align, sparse: false })
    }

    /// Binds the image to `memory` at byte `offset`.
    ///
    /// # Errors
    /// `Invalid` for an image with disjoint planes, and the errors of [`Image::bind_plane`].
    pub fn bind(&self, memory: &Memory, offset: u64) -> Result<()> {
        ensure(!self.0.desc.flags.disjoint, || "planes of a disjoint image are bound one by one".into())?;
        self.bind_plane(0, memory, offset)
    }

    /// Binds a plane of a disjoint image to `memory` at byte `offset`.
    ///
    /// # Errors
    /// `Invalid` if there is no such plane, or if it is bound already, as sparse images are. `Invalid` also if the
    /// memory belongs to another device, has been freed or is too small, and for an offset that is not a multiple of
    /// the alignment in [`Image::requirements`].
    pub fn bind_plane(&self, plane: usize, memory: &Memory, offset: u64) -> Result<()> {
        same_device(memory, self)?;
        memory.check_alive("image")?;
        let r = self.plane_requirements(plane)?;
        // Layouts chosen by this crate include readable bytes behind the last texel; explicit layouts do not.
        let room = if self.0.layout.is_explicit() { memory.room_for_rows() } else { memory.size() };
        let fits = offset.checked_add(r.size).is_some_and(|end| end <= room);
        ensure(fits, || format!("{} bytes at {offset} do not fit memory of {room}", r.size))?;
        ensure(offset.is_multiple_of(r.alignment), || {
            format!("offset {offset} of an image in memory is not a multiple of {}", r.alignment)
        })?;
        let bound = &self.0.bound[plane];
        bound.set((memory.clone(), offset)).map_err(|_| Error::invalid("image is bound already"))
    }

    /// The layout that it begins in, once whoever made it has said so: see [`Device::looks_at_layouts`].
    pub fn initial_layout(&self) -> &OnceLock<i32> {
        &self.0.initial_layout
    }

    /// Returns the memory that the image is bound to, and the byte offset in it; for a disjoint image, those of plane
    /// 0.
    ///
    /// # Errors
    /// `Invalid` if the image is not bound.
    pub fn memory(&self) -> Result<(&Memory, u64)> {
        self.plane_memory(0)
    }

    /// Returns the memory and the offset of a plane of a disjoint image; see [`Subresource::memory`].
    ///
    /// # Errors
    /// `Invalid` if the plane is not bound, or if there is no such plane.
    pub fn plane_memory(&self, plane: usize) -> Result<(&Memory, u64)> {
        let bound = self.0.bound.get(plane).and_then(OnceLock::get);
        let (memory, offset) = bound.ok_or_else(|| Error::invalid("image is not bound to memory"))?;
        Ok((memory, *offset))
    }

    /// Returns the bytes of the whole image.
    pub(crate) fn image_memory(&self) -> Result<ImageMemory> {
        match self.0.bytes.get() {
            Some(bytes) => Ok(*bytes),
            None => self.find_memory().map(|bytes| *self.0.bytes.get_or_init(|| bytes)),
        }
    }

    #[cold]
    fn find_memory(&self) -> Result<ImageMemory> {
        let mut spans = Vec::new();
        for (plane, &size) in self.0.layout.sizes().iter().enumerate() {
            let (memory, offset) = self.plane_memory(plane)?;
            spans.push(memory.span(offset, size)?);
        }
        Ok(ImageMemory::disjoint(&spans))
    }

    /// Returns layout and memory for transfers.
    pub(crate) fn transfer(&self) -> Result<ImageRef<'_>> {
        let pages = self.sparse_pages().filter(|pages| pages.is_any_missing());
        Ok(ImageRef { layout: self.layout(), memory: self.image_memory()?, pages })
    }

    /// Number of bytes that a region of a copy occupies in the buffer, from its offset on.
    ///
    /// # Errors
    /// `Invalid` if the image is not bound, is multisampled, or does not have the region.
    pub fn region_bytes(&self, region: &BufferImageCopy) -> Result<u64> {
        transfer::region_bytes(&self.transfer()?, region)
    }

    /// Returns `Invalid` unless the image has the usage and is bound.
    pub(crate) fn need(&self, usage: ImageUsage, what: &str) -> Result<()> {
        ensure(self.usage().intersects(usage), || format!("{what}: the image lacks usage {usage:?}"))?;
        self.check_alive(what)
    }

    /// Returns `Invalid` if the image is unbound, or if its memory was freed.
    fn check_alive(&self, what: &str) -> Result<()> {
        let planes = 0..self.0.layout.sizes().len();
        planes.map(|plane| self.plane_memory(plane)).try_for_each(|memory| memory?.0.check_alive(what))
    }

    /// Returns the place of a subresource in the image's memory.
    ///
    /// # Errors
    /// `Invalid` if the image has no such aspect, level or layer.
    pub fn subresource(&self, aspect: Aspects, level: u32, layer: u32) -> Result<Subresource> {
        self.0.layout.subresource(aspect, level, layer).ok_or_else(|| {
            Error::invalid(format!(
                "the image has no aspect {aspect:?}, level {level}, layer {layer}: {:?}",
                self.0.desc
            ))
        })
    }
}
