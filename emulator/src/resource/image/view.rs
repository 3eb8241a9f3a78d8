//! Views of images: as descriptors of shaders and as attachments.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quadrille_jit::handle::{Handle, HandleKind};
use quadrille_raster::format::{Aspects, Format};
use quadrille_raster::image::{self as layout, ImageType};
use quadrille_raster::sampling::{View, ViewDesc, ViewDim};
use quadrille_raster::target::{Target, TargetDesc};

use super::{Image, ImageDesc};
use crate::device::Device;
use crate::error::{Result, ensure};
use crate::flags::ImageUsage;
use crate::object::{objects, same_device, shared};
use crate::observation::watching::Shown;
use crate::tables::handles::{Registered, registered};

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

objects! { ImageView: "image view" = |v| Some(v.0.image.0.device); }
shared!(ImageView);

impl std::fmt::Debug for ImageView {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("ImageView").field(&self.0.desc).finish()
    }
}

/// A description with the numbers of levels and layers in place of "all the remaining ones".
fn resolved(image: &Image, mut desc: ViewDesc) -> ViewDesc {
    let of = image.desc();
    if desc.levels == u32::MAX {
        desc.levels = of.levels.saturating_sub(desc.base_level);
    }
    if desc.layers == u32::MAX {
        let slices = of.image_type == ImageType::D3 && desc.dim != ViewDim::D3;
        let all = if slices { layout::level_extent(of.extent, desc.base_level)[2] } else { of.layers };
        desc.layers = all.saturating_sub(desc.base_layer);
    }
    desc
}

impl ImageView {
    /// Returns a view that the image keeps until [`Image::destroy`]; equal descriptions give the same view.
    ///
    /// # Errors
    /// Those of [`Device::create_image_view`].
    pub fn kept(device: &Device, image: &Image, desc: ViewDesc) -> Result<Self> {
        let desc = resolved(image, desc);
        image.0.kept.view(desc.words(), || ImageView::new(device, image, desc))
    }

    pub(crate) fn new(device: &Device, image: &Image, desc: ViewDesc) -> Result<Self> {
        same_device(image, device)?;
        image.check_alive("image view")?;
        let desc = resolved(image, desc);
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

    /// The device of the view.
    pub(crate) fn device(&self) -> &Device {
        &self.0.device
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
