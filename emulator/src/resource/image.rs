//! Images and their views.
//!
//! This module gives images memory, usages and an owner. [`quadrille_raster::image`] decides where each texel lies.

use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quadrille_jit::handle::{Handle, HandleKind};
use quadrille_jit::reserve;
use quadrille_raster::format::{Aspects, Format, FormatFeatures};
use quadrille_raster::image::{
    self as layout, ImageLayout, ImageMemory, ImageType, PlaneLayout, SparsePages, Subresource,
};
use quadrille_raster::sampling::{View, ViewDesc, ViewDim};
use quadrille_raster::target::{Target, TargetDesc};
use quadrille_raster::transfer::{self, BufferImageCopy, ImageRef};

use super::residency::{SPARSE_PAGE, SparseImage};
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::ImageUsage;
use crate::memory::{Memory, MemoryRequirements};
use crate::object::{objects, same_device, shared};
use crate::observation::watching::Shown;
use crate::tables::handles::{Registered, registered};

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
    /// Views created for descriptors that name no view, which keep the image alive; `None` after [`Image::destroy`].
    kept: Mutex<Option<Vec<ImageView>>>,
}

/// An image. Clones are the same image. Spec: Vulkan, "Images".
#[derive(Clone)]
pub struct Image(Arc<ImageInner>);

objects! {
    Image: "image" = |i| Some(i.0.device);
    ImageView: "image view" = |v| Some(v.0.image.0.device);
}
shared!(Image, ImageView);

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
            kept: Mutex::new(Some(Vec::new())),
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
        let views = self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        drop(views);
    }

    /// `true` after [`Image::destroy`].
    pub(crate) fn is_destroyed(&self) -> bool {
        self.0.kept.lock().unwrap_or_else(PoisonError::into_inner).is_none()
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

    /// `true` if both are clones of the same image.
    pub(crate) fn is_same(&self, other: &Image) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
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
    pub fn plane_requirements(&self, plane: usize) -> Result<MemoryRequirements> {
        let size = self.0.layout.sizes().get(plane).copied();
        let size = size.ok_or_else(|| Error::invalid(format!("an image has no plane {plane} to bind")))?;
        Ok(MemoryRequirements { size, alignment: self.0.layout.align, sparse: false })
    }

    /// Binds the image to `memory` at byte `offset`. A second call fails.
    pub fn bind(&self, memory: &Memory, offset: u64) -> Result<()> {
        ensure(!self.0.desc.flags.disjoint, || "planes of a disjoint image are bound one by one".into())?;
        self.bind_plane(0, memory, offset)
    }

    /// Binds a plane of a disjoint image to `memory` at byte `offset`. A second call for the plane fails.
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
    pub fn memory(&self) -> Result<(&Memory, u64)> {
        self.plane_memory(0)
    }

    /// Returns the memory and the offset of a plane of a disjoint image; see [`Subresource::memory`].
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
    pub fn subresource(&self, aspect: Aspects, level: u32, layer: u32) -> Result<Subresource> {
        self.0.layout.subresource(aspect, level, layer).ok_or_else(|| {
            Error::invalid(format!(
                "the image has no aspect {aspect:?}, level {level}, layer {layer}: {:?}",
                self.0.desc
            ))
        })
    }

    /// Reads layer 0 of a level as tightly packed rows of texels or blocks in the image's format, on the calling
    /// thread. For programs that look at pictures; commands can copy the same data in a submission.
    pub fn read_level(&self, aspect: Aspects, level: u32) -> Result<Vec<u8>> {
        self.read_layer(aspect, level, 0)
    }

    /// Reads any layer of a level; see [`read_level`](Self::read_level).
    pub fn read_layer(&self, aspect: Aspects, level: u32, layer: u32) -> Result<Vec<u8>> {
        self.read_rows(&self.subresource(aspect, level, layer)?)
    }

    /// Reads sample 0 of all slices of a subresource.
    fn read_rows(&self, s: &Subresource) -> Result<Vec<u8>> {
        self.settle()?;
        let (memory, base) = self.plane_memory(s.memory)?;
        let [w, h, d] = s.blocks();
        let row = w as usize * s.format.bytes() as usize;
        let mut out: Vec<u8> = reserve::zeroed(row * h as usize * d as usize)?;
        let n_rows = h as usize;
        for (i, bytes) in out.chunks_exact_mut(row).enumerate() {
            let (z, y) = ((i / n_rows) as u64, (i % n_rows) as u64);
            memory.read_into(base + s.offset + z * s.slice_pitch + y * s.row_pitch, bytes)?;
        }
        Ok(out)
    }

    /// Writes layer 0 of a level from tightly packed rows.
    pub fn write_level(&self, aspect: Aspects, level: u32, data: &[u8]) -> Result<()> {
        self.write_layer(aspect, level, 0, data)
    }

    /// Writes any layer of a level; see [`write_level`](Self::write_level).
    pub fn write_layer(&self, aspect: Aspects, level: u32, layer: u32, data: &[u8]) -> Result<()> {
        let s = self.subresource(aspect, level, layer)?;
        self.settle()?;
        let (memory, base) = self.plane_memory(s.memory)?;
        let [w, h, d] = s.blocks();
        let row = w as usize * s.format.bytes() as usize;
        let n_rows = h as usize;
        let want = row * n_rows * d as usize;
        ensure(data.len() == want, || format!("{} bytes for a level of {want}", data.len()))?;
        for (i, bytes) in data.chunks_exact(row).enumerate() {
            let (z, y) = ((i / n_rows) as u64, (i % n_rows) as u64);
            memory.write(base + s.offset + z * s.slice_pitch + y * s.row_pitch, bytes)?;
        }
        self.refresh(level, layer)?;
        self.clear_missing(level, layer..layer + 1, [[0; 3], [u32::MAX; 3]])?;
        self.settle()
    }

    /// Declares the zeros of a new image intended: see [`Memory::keep_zeros`].
    pub fn keep_zeros(&self) {
        self.written(|_, _| true);
    }

    /// Tells the device's watcher that the subresources selected by `which` (level, layer) have been written.
    pub(crate) fn written(&self, which: impl Fn(u32, u32) -> bool) {
        let desc = &self.0.desc;
        let all = (0..desc.levels).flat_map(|level| (0..desc.layers).map(move |layer| (level, layer)));
        for (level, layer) in all.filter(|&(level, layer)| which(level, layer)) {
            let layout = &self.0.layout;
            let planes = layout.aspects().filter_map(|aspect| layout.subresource(aspect, level, layer));
            for part in planes.chain(layout.decoded(level, layer)) {
                if let Ok((memory, offset)) = self.plane_memory(part.memory) {
                    memory.written(offset + part.offset, part.size);
                }
            }
        }
    }

    /// Updates data derived from the texels after the host wrote them.
    pub(crate) fn refresh(&self, level: u32, layer: u32) -> Result<()> {
        transfer::refresh_level(&self.transfer()?, level, layer)
    }
}

/// Creation parameters of an image view. Spec: Vulkan, VkImageViewCreateInfo.
pub type ImageViewDesc = ViewDesc;

struct ViewInner {
    /// Keeps the tables alive that the view's header leads to.
    device: Device,
    image: Image,
    desc: ViewDesc,
    view: Arc<View>,
    /// View for storage image descriptors, if it differs from `view`.
    sliced: Option<Arc<View>>,
    /// Handles of `view` and of `sliced`.
    handles: [OnceLock<Registered>; 2],
    _shown: Option<Shown>,
    /// Multisampled attachments that are rendered to in place of this view, by sample count.
    multisampled: Mutex<Vec<(u32, ImageView)>>,
}

/// A view of an image. Clones are the same view. Spec: Vulkan, "Image Views".
#[derive(Clone)]
pub struct ImageView(Arc<ViewInner>);

impl std::fmt::Debug for ImageView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ImageView").field(&self.0.desc).finish()
    }
}

impl ImageView {
    /// Returns a view that the image keeps until [`Image::destroy`]; equal descriptions give the same view.
    pub fn kept(device: &Device, image: &Image, desc: ViewDesc) -> Result<Self> {
        let view = ImageView::new(device, image, desc)?;
        let mut kept = image.0.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(kept) = &mut *kept else { return Ok(view) };
        if !kept.iter().any(|v| v.0.desc == view.0.desc) {
            kept.push(view.clone());
        }
        Ok(kept.iter().find(|v| v.0.desc == view.0.desc).cloned().unwrap_or(view))
    }

    pub(crate) fn new(device: &Device, image: &Image, mut desc: ViewDesc) -> Result<Self> {
        same_device(image, device)?;
        image.check_alive("image view")?;
        let of = image.desc();
        if desc.levels == u32::MAX {
            desc.levels = of.levels.saturating_sub(desc.base_level);
        }
        let slices = of.image_type == ImageType::D3 && desc.dim != ViewDim::D3;
        if desc.layers == u32::MAX {
            let all = if slices { layout::level_extent(of.extent, desc.base_level)[2] } else { of.layers };
            desc.layers = all.saturating_sub(desc.base_layer);
        }
        // A view of both aspects is an attachment; shaders that read it see the depth aspect.
        let mut seen = desc;
        if seen.aspect == Aspects::DEPTH_STENCIL {
            seen.aspect = Aspects::DEPTH;
        }
        let make = |seen: &ViewDesc| -> Result<Arc<View>> {
            let (tables, layout, memory) = (device.images().tables(), image.layout(), image.image_memory()?);
            let view = match image.sparse() {
                Some(sparse) => View::sparse_image(tables, &sparse.pages, layout, memory, seen)?,
                None => View::image(tables, layout, memory, seen)?,
            };
            Ok(view.into())
        };
        // Only storage images are limited to the slices of the view.
        let all = [0, u32::MAX];
        let sliced = if seen.slices == all { None } else { Some(make(&seen)?) };
        let view = make(&ViewDesc { slices: all, ..seen })?;
        let records: Vec<&View> = std::iter::once(&*view).chain(sliced.as_deref()).collect();
        let shown = Shown::new(device.options().watch.as_ref(), &records);
        if shown.is_none() && device.options().watch.is_some() {
            image.keep_zeros();
        }
        let (device, image, multisampled) = (device.clone(), image.clone(), Mutex::default());
        let handles = Default::default();
        let inner = ViewInner { device, image, desc, view, sliced, handles, _shown: shown, multisampled };
        Ok(ImageView(Arc::new(inner)))
    }

    /// The viewed image.
    pub fn image(&self) -> &Image {
        &self.0.image
    }

    /// Creation parameters of the view.
    pub fn desc(&self) -> &ViewDesc {
        &self.0.desc
    }

    /// Host address of the record that descriptors of storage images, or of other kinds, hold.
    pub(crate) fn header(&self, storage: bool) -> u64 {
        let sliced = self.0.sliced.as_ref().filter(|_| storage);
        sliced.unwrap_or(&self.0.view).address()
    }

    /// Returns the handle of the view for storage images, or for other kinds of descriptors.
    pub(crate) fn handle(&self, storage: bool) -> Result<Handle> {
        let ViewInner { device, image, view, sliced, handles: [of_view, of_sliced], .. } = &*self.0;
        let (view, known) = match sliced.as_ref().filter(|_| storage) {
            Some(sliced) => (sliced, of_sliced),
            None => (view, of_view),
        };
        registered(known, device.handles(), HandleKind::Image, view, || {
            Box::new((view.clone(), image.clone()))
        })
    }

    /// Width and height of the first level, in texels.
    pub fn size(&self) -> [u32; 2] {
        let head = &self.0.view.head;
        [head.width, head.height]
    }

    /// Reads sample 0 of the first layer of the view's first level as tightly packed rows; also returns the format of
    /// the texels, and width and height.
    pub(crate) fn read_first_layer(&self, aspect: Aspects) -> Result<(Format, [u32; 2], Vec<u8>)> {
        let (image, desc) = (&self.0.image, &self.0.desc);
        let aspect = if Aspects::PLANES.contains(&desc.aspect) { desc.aspect } else { aspect };
        let slices = image.desc().image_type == ImageType::D3;
        let mut s = image.subresource(aspect, desc.base_level, if slices { 0 } else { desc.base_layer })?;
        if slices {
            s.offset += u64::from(desc.base_layer) * s.slice_pitch;
            s.extent[2] = 1;
        }
        let [width, height, _] = s.blocks();
        let format = desc.format.plane(aspect).unwrap_or(desc.format);
        Ok((format, [width, height], image.read_rows(&s)?))
    }

    /// Returns a multisampled attachment to render to in place of this single-sampled view: a separate image of the
    /// same format, size and layers. The view can keep one image for all users, because work of the queues runs in turn
    /// and uses the contents only within one rendering scope.
    pub(crate) fn multisampled(&self, samples: u32) -> Result<ImageView> {
        let mut all = self.0.multisampled.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(n, _)| *n == samples) {
            return Ok(known.clone());
        }
        let format = self.0.desc.format;
        let (aspect, usage) = match format.is_depth_stencil() {
            true => (format.aspects(), ImageUsage::DEPTH_STENCIL_ATTACHMENT),
            false => (Aspects::COLOR, ImageUsage::COLOR_ATTACHMENT),
        };
        let one = ViewDesc::new_2d(format).aspect;
        let TargetDesc { width, height, layers, .. } = *self.target(one)?.desc();
        let desc = ImageDesc { layers, samples, ..ImageDesc::new_2d(format, width, height, usage) };
        let device = &self.0.device;
        let image = Image::new(device, desc, None)?;
        image.bind(&device.allocate(image.requirements().size)?, 0)?;
        let dim = if layers == 1 { ViewDim::D2 } else { ViewDim::D2Array };
        let view =
            ImageView::new(device, &image, ViewDesc { dim, aspect, layers, ..ViewDesc::new_2d(format) })?;
        all.push((samples, view.clone()));
        Ok(view)
    }

    /// Returns the view's first level as an attachment.
    pub(crate) fn target(&self, aspect: Aspects) -> Result<Target> {
        self.target_layers(aspect, 0, self.0.desc.layers)
    }

    /// Returns some layers of the view's first level as an attachment.
    pub(crate) fn target_layers(&self, aspect: Aspects, first: u32, layers: u32) -> Result<Target> {
        let (image, desc) = (&self.0.image, &self.0.desc);
        let inside = first.checked_add(layers).is_some_and(|end| end <= desc.layers);
        ensure(inside, || format!("layers {first}..+{layers} of a view of {}", desc.layers))?;
        let slices = image.desc().image_type == ImageType::D3;
        let first = desc.base_layer + first;
        // A view of a single plane is a colour attachment.
        let aspect = if Aspects::PLANES.contains(&desc.aspect) { desc.aspect } else { aspect };
        let s = image.subresource(aspect, desc.base_level, if slices { 0 } else { first })?;
        let skip = if slices { u64::from(first) * s.slice_pitch } else { 0 };
        let format = desc.format.plane(aspect).unwrap_or(desc.format);
        // Each block of a compressed image is drawn to as one texel.
        let [width, height, _] = s.blocks();
        let target = TargetDesc {
            format,
            width,
            height,
            layers,
            samples: image.desc().samples,
            row_pitch: s.row_pitch,
            layer_pitch: if slices { s.slice_pitch } else { s.layer_pitch },
            sample_pitch: s.sample_pitch,
        };
        let (memory, offset) = image.plane_memory(s.memory)?;
        let size = image.layout().sizes()[s.memory];
        memory.target(target, offset + s.offset + skip, size - s.offset - skip)
    }
}
