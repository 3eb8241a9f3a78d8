//! Contents of a script's buffers and images: bytes in a device buffer, texels in an image, or both.
//!
//! Scripts bind one buffer as different kinds of resources, so each has up to two copies. Data written to one copy is
//! transferred to the other when that one is needed. Multisampled images have only texels.

use quadrille::reserve;
use quadrille::{
    Aspects, BufferDesc, BufferUsage, DescriptorKind, Device, Format, Image, ImageDesc, ImageUsage,
};

use super::files::Files;
use super::{Step, Stop, fail};
use crate::layout::{Layout, Value, stencil_offset};
use crate::outcome::Failure;
use crate::script::elements_of_text;
use crate::script::model::{BufferId, FileKind, Initial, Model};
use crate::verify::Contents;

/// Copy that was written last.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Newer {
    /// Both copies are equal.
    Neither,
    /// The device buffer.
    Bytes,
    /// The image.
    Image,
}

/// A buffer or image of the script.
struct Store {
    initial: Initial,
    elements: u32,
    extent: [u32; 3],
    usage: ImageUsage,
    bytes: Option<quadrille::Buffer>,
    image: Option<Image>,
    newer: Newer,
}

/// All buffers and images of the script.
pub struct Stores<'r> {
    device: &'r Device,
    model: &'r Model,
    list: Vec<Store>,
}

impl<'r> Stores<'r> {
    /// Reads the files with initial data. Device resources are created on first use.
    pub fn new(device: &'r Device, model: &'r Model, files: &Files) -> Result<Self, Failure> {
        let mut list = Vec::new();
        for buffer in &model.buffers {
            let mut store = Store {
                initial: buffer.initial.clone(),
                elements: buffer.elements,
                extent: buffer.extent,
                usage: ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST,
                bytes: None,
                image: None,
                newer: Newer::Neither,
            };
            if let Initial::File(kind, name) = &buffer.initial {
                let loaded =
                    files.read(name).and_then(|bytes| load(&mut store, &buffer.layout, *kind, &bytes));
                loaded.map_err(|e| Failure { line: buffer.line, message: format!("{name}: {e}") })?;
            }
            list.push(store);
        }
        let mut stores = Stores { device, model, list };
        stores.find_uses();
        Ok(stores)
    }

    /// Collects the usages of each image over all pipelines.
    fn find_uses(&mut self) {
        for pipeline in &self.model.pipelines {
            let colors = pipeline.colors.iter().map(|c| &c.buffer).chain(&pipeline.resolves);
            let colors = colors.map(|b| (*b, ImageUsage::COLOR_ATTACHMENT));
            let depth = pipeline.depth_stencil.map(|b| (b, ImageUsage::DEPTH_STENCIL_ATTACHMENT));
            let bound = pipeline.bindings.iter().flat_map(|b| b.bound.iter().map(|d| (b.kind, d.buffer)));
            let bound = bound.filter_map(|(kind, buffer)| match kind {
                DescriptorKind::StorageImage => Some((buffer?, ImageUsage::STORAGE)),
                DescriptorKind::SampledImage | DescriptorKind::CombinedImageSampler => {
                    Some((buffer?, ImageUsage::SAMPLED))
                }
                _ => None,
            });
            for (id, usage) in colors.chain(depth).chain(bound) {
                self.list[id.0].usage |= usage;
            }
        }
    }

    fn layout(&self, id: BufferId) -> &'r Layout {
        &self.model.buffers[id.0].layout
    }

    fn name(&self, id: BufferId) -> &'r str {
        &self.model.buffers[id.0].name
    }

    /// Number of elements.
    pub fn elements(&self, id: BufferId) -> u32 {
        self.list[id.0].elements
    }

    fn size(&self, id: BufferId) -> u64 {
        u64::from(self.elements(id)) * u64::from(self.layout(id).stride)
    }

    /// Returns a device buffer with the current contents. `written` is true if a shader may write to it.
    pub fn buffer(&mut self, id: BufferId, written: bool) -> Step<quadrille::Buffer> {
        if self.list[id.0].newer == Newer::Image {
            let bytes = self.download(id)?;
            self.made(id)?.write(0, &bytes)?;
            self.list[id.0].newer = Newer::Neither;
        }
        let buffer = self.made(id)?;
        if written {
            self.list[id.0].newer = Newer::Bytes;
        }
        Ok(buffer)
    }

    /// Returns the device buffer, whose contents may be outdated.
    fn made(&mut self, id: BufferId) -> Step<quadrille::Buffer> {
        if let Some(buffer) = &self.list[id.0].bytes {
            return Ok(buffer.clone());
        }
        let size = self.size(id);
        if size == 0 {
            return fail(format!("buffer `{}` is empty", self.name(id)));
        }
        use BufferUsage as U;
        let usage = U::UNIFORM | U::STORAGE | U::UNIFORM_TEXEL | U::STORAGE_TEXEL | U::VERTEX | U::INDEX;
        let buffer = self.device.create_bound_buffer(BufferDesc { size, usage })?;
        // Elements without data are zero.
        buffer.keep_zeros();
        fill(&buffer, &self.list[id.0].initial, self.layout(id))?;
        self.list[id.0].bytes = Some(buffer.clone());
        Ok(buffer)
    }

    /// Returns an image with the current contents. `written` is true if a command may write to it.
    pub fn image(&mut self, id: BufferId, written: bool) -> Step<Image> {
        let image = match &self.list[id.0].image {
            Some(image) => image.clone(),
            None => self.new_image(id)?,
        };
        if self.list[id.0].newer == Newer::Bytes {
            self.upload(id, &image)?;
            self.list[id.0].newer = Newer::Neither;
        }
        if written {
            self.list[id.0].newer = Newer::Image;
        }
        Ok(image)
    }

    fn new_image(&mut self, id: BufferId) -> Step<Image> {
        let buffer = &self.model.buffers[id.0];
        let Some(format) = buffer.layout.format() else {
            return fail(format!("`{}` has no image format", buffer.name));
        };
        let store = &self.list[id.0];
        let desc = ImageDesc {
            image_type: buffer.dim,
            levels: buffer.levels,
            samples: buffer.samples,
            extent: store.extent,
            ..ImageDesc::new_2d(format, 1, 1, store.usage)
        };
        let texels: u64 = store.extent.iter().map(|e| u64::from(*e)).product();
        if texels == 0 || texels > u64::from(u32::MAX) {
            return fail(format!("image `{}` is empty or too large", buffer.name));
        }
        if quadrille::LIMITS.sample_counts & desc.samples == 0 {
            return Err(Stop::Skip(format!("needs images of {} samples", desc.samples)));
        }
        let image = self.device.create_bound_image(desc)?;
        image.keep_zeros();
        let store = &mut self.list[id.0];
        store.image = Some(image.clone());
        let has_data = store.bytes.is_some() || !matches!(store.initial, Initial::Zero);
        if has_data && store.newer != Newer::Image && buffer.samples == 1 {
            store.newer = Newer::Bytes;
        }
        Ok(image)
    }

    /// Copies the bytes to level 0, and a prefix of them to each smaller level, which has no data of its own.
    fn upload(&mut self, id: BufferId, image: &Image) -> Step {
        if image.desc().samples > 1 {
            return fail(format!("image `{}` has several samples, and gets no data", self.name(id)));
        }
        let layout = self.layout(id);
        let bytes = self.made(id)?.read_all::<u8>()?;
        let desc = image.desc();
        for level in 0..desc.levels {
            let [w, h, d] = desc.extent.map(|e| (e >> level).max(1) as usize);
            let n = w * h * d * layout.stride as usize;
            // After a copy, the buffer may have another size.
            let Some(bytes) = bytes.get(..n) else {
                return fail(format!("the data of `{}` do not fill the image", self.name(id)));
            };
            for aspect in desc.format.aspects().singles() {
                image.write_level(aspect, level, &plane(layout, desc.format, aspect, bytes)?)?;
            }
        }
        Ok(())
    }

    /// Reads level 0 as bytes.
    fn download(&self, id: BufferId) -> Step<Vec<u8>> {
        let Some(image) = &self.list[id.0].image else { return fail("there is no image") };
        let (layout, desc) = (self.layout(id), image.desc());
        if desc.samples > 1 {
            return fail(format!(
                "image `{}` has several samples: it must be resolved to be read",
                self.name(id)
            ));
        }
        let mut bytes: Vec<u8> = reserve::zeroed(self.size(id) as usize)?;
        for aspect in desc.format.aspects().singles() {
            let texels = image.read_level(aspect, 0)?;
            let (at, n, step) = part(layout, desc.format, aspect);
            if (at, n, step) == (0, layout.stride as usize, n) && bytes.len() == texels.len() {
                return Ok(texels);
            }
            for (element, texel) in
                bytes.chunks_exact_mut(layout.stride as usize).zip(texels.chunks_exact(step))
            {
                element[at..at + n].copy_from_slice(&texel[..n]);
            }
        }
        Ok(bytes)
    }

    /// Returns the bytes of a buffer or image.
    pub fn contents(&mut self, id: BufferId) -> Step<Vec<u8>> {
        if self.list[id.0].newer == Newer::Image {
            return self.download(id);
        }
        Ok(self.made(id)?.read_all()?)
    }

    /// Returns the contents with the layout and size that verification needs.
    pub fn seen<'c>(&self, id: BufferId, bytes: &'c [u8]) -> Contents<'c>
    where
        'r: 'c,
    {
        let [width, height, _] = self.list[id.0].extent;
        Contents { bytes, layout: self.layout(id), size: [width, height] }
    }

    /// Replaces all bytes.
    pub fn replace(&mut self, id: BufferId, bytes: &[u8]) -> Step {
        if bytes.len() as u64 != self.size(id) {
            return fail(format!(
                "{} bytes do not fit buffer `{}` of {}",
                bytes.len(),
                self.name(id),
                self.size(id)
            ));
        }
        self.write(id, 0, bytes)
    }

    /// Writes bytes starting at `offset`.
    pub fn write(&mut self, id: BufferId, offset: u64, bytes: &[u8]) -> Step {
        self.buffer(id, true)?.write(offset, bytes)?;
        Ok(())
    }
}

/// Sets the initial contents of a buffer from a file.
fn load(store: &mut Store, layout: &Layout, kind: FileKind, bytes: &[u8]) -> Result<(), String> {
    match kind {
        FileKind::Text => {
            let text = quadrille::files::decoded(bytes)?;
            (store.elements, store.initial) = elements_of_text(text, layout)?;
        }
        FileKind::Binary => {
            if !bytes.len().is_multiple_of(layout.stride as usize) {
                return Err(format!("{} bytes do not fill elements of {}", bytes.len(), layout.stride));
            }
            store.elements = (bytes.len() / layout.stride as usize) as u32;
            store.initial = Initial::Bytes(bytes.into());
        }
        FileKind::Png => {
            let picture = image::load_from_memory_with_format(bytes, image::ImageFormat::Png);
            let picture = picture.map_err(|e| e.to_string())?.to_rgba8();
            store.extent = [picture.width(), picture.height(), 1];
            store.elements = picture.width() * picture.height();
            let mut texels = picture.into_raw();
            match layout.format() {
                Some(Format::R8G8B8A8_UNORM | Format::R8G8B8A8_SRGB | Format::R8G8B8A8_UINT) => {}
                Some(Format::B8G8R8A8_UNORM | Format::B8G8R8A8_SRGB | Format::B8G8R8A8_UINT) => {
                    texels.chunks_exact_mut(4).for_each(|t| t.swap(0, 2));
                }
                _ => return Err("a picture has four components of eight bits".into()),
            }
            store.initial = Initial::Bytes(texels.into());
        }
    }
    Ok(())
}

/// Writes the initial contents of a buffer in portions.
fn fill(buffer: &quadrille::Buffer, initial: &Initial, layout: &Layout) -> Step {
    const VALUES: usize = 1 << 16;
    let mut next: Box<dyn FnMut() -> Vec<Value>> = match initial {
        Initial::Zero | Initial::File(..) => return Ok(()),
        Initial::Bytes(bytes) => {
            let n = bytes.len().min(buffer.size() as usize);
            return Ok(buffer.write(0, &bytes[..n])?);
        }
        Initial::Fill { int, float } => {
            let value_for = |index: usize| match layout.number(index).is_float() {
                true => Value::Float(*float),
                false => Value::Int(*int),
            };
            let element: Vec<Value> = (0..layout.components.len()).map(value_for).collect();
            Box::new(move || element.clone())
        }
        Initial::Series(start, step) => {
            let mut value = *start;
            Box::new(move || {
                let now = value;
                value = match (value, *step) {
                    (Value::Int(v), Value::Int(step)) => Value::Int(v.wrapping_add(step)),
                    (Value::Float(v), Value::Float(step)) => Value::Float(v + step),
                    (v, _) => v,
                };
                vec![now]
            })
        }
    };
    let at_once = (VALUES / layout.components.len()).max(1) as u64;
    let (stride, mut offset) = (u64::from(layout.stride), 0);
    while offset < buffer.size() {
        let n = ((buffer.size() - offset) / stride).min(at_once);
        let values: Vec<Value> = (0..n).flat_map(|_| next()).collect();
        buffer.write(offset, &layout.bytes(&values))?;
        offset += n * stride;
    }
    Ok(())
}

/// Location of an aspect: first byte in the element, number of bytes, and size of a texel of this aspect in the image.
fn part(layout: &Layout, format: Format, aspect: Aspects) -> (usize, usize, usize) {
    let texel = format.plane(aspect).unwrap_or(format).bytes() as usize;
    match (stencil_offset(format), aspect) {
        (Some(at), Aspects::STENCIL) => (at as usize, 1, texel),
        (Some(at), _) => (0, at as usize, texel),
        _ => (0, texel.min(layout.stride as usize), texel),
    }
}

/// Extracts the tightly packed texels of an aspect from elements.
fn plane(layout: &Layout, format: Format, aspect: Aspects, bytes: &[u8]) -> Step<Vec<u8>> {
    let (at, n, step) = part(layout, format, aspect);
    if (at, n, step) == (0, layout.stride as usize, n) {
        return Ok(bytes.to_vec());
    }
    let mut texels: Vec<u8> = reserve::zeroed(bytes.len() / layout.stride as usize * step)?;
    for (element, texel) in bytes.chunks_exact(layout.stride as usize).zip(texels.chunks_exact_mut(step)) {
        texel[..n].copy_from_slice(&element[at..at + n]);
    }
    Ok(texels)
}
