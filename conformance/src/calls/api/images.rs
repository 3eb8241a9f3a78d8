//! Images, image views, and render targets.

use quadrille::*;

use super::{MOST, Seen, Target, World};

/// Formats of images, including every class that copies, blits and attachments distinguish.
const FORMATS: &[Format] = &[
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B8G8R8A8_UNORM,
    Format::R8_UNORM,
    Format::R8G8_SNORM,
    Format::R5G6B5_UNORM_PACK16,
    Format::A2B10G10R10_UNORM_PACK32,
    Format::B10G11R11_UFLOAT_PACK32,
    Format::E5B9G9R9_UFLOAT_PACK32,
    Format::R16_UINT,
    Format::R16G16B16A16_SFLOAT,
    Format::R32_UINT,
    Format::R32_SINT,
    Format::R32_SFLOAT,
    Format::R32G32B32A32_SFLOAT,
    Format::R32G32B32A32_UINT,
    Format::BC1_RGBA_UNORM_BLOCK,
    Format::BC7_UNORM_BLOCK,
    Format::ETC2_R8G8B8_UNORM_BLOCK,
    Format::ASTC_5x4_UNORM_BLOCK,
    Format::ASTC_4x4x3_SFLOAT_BLOCK,
    Format::D16_UNORM,
    Format::D32_SFLOAT,
    Format::S8_UINT,
    Format::D32_SFLOAT_S8_UINT,
];

/// Formats of colour attachments.
const COLORS: &[Format] = &[
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_UNORM,
    Format::R8G8B8A8_SRGB,
    Format::B8G8R8A8_UNORM,
    Format::R5G6B5_UNORM_PACK16,
    Format::A2B10G10R10_UNORM_PACK32,
    Format::R16G16B16A16_SFLOAT,
    Format::R32_UINT,
    Format::R32_SINT,
    Format::R32G32B32A32_SFLOAT,
];

const DEPTHS: &[Format] =
    &[Format::D16_UNORM, Format::D32_SFLOAT, Format::D32_SFLOAT_S8_UINT, Format::S8_UINT];

/// Returns every usage that a format supports.
pub(super) fn usages(format: Format) -> ImageUsage {
    let f = format.image_features();
    let mut usage = ImageUsage::NONE;
    for (use_, feature) in [
        (ImageUsage::TRANSFER_SRC, FormatFeatures::TRANSFER_SRC),
        (ImageUsage::TRANSFER_DST, FormatFeatures::TRANSFER_DST),
        (ImageUsage::SAMPLED, FormatFeatures::SAMPLED_IMAGE),
        (ImageUsage::STORAGE, FormatFeatures::STORAGE_IMAGE),
        (ImageUsage::COLOR_ATTACHMENT, FormatFeatures::COLOR_ATTACHMENT),
        (ImageUsage::DEPTH_STENCIL_ATTACHMENT, FormatFeatures::DEPTH_STENCIL_ATTACHMENT),
    ] {
        if f.contains(feature) {
            usage |= use_;
        }
    }
    usage
}

impl World<'_> {
    pub(super) fn make_image(&mut self) {
        if self.images.len() >= MOST {
            return;
        }
        let format = *self.r.pick(FORMATS);
        let image_type = match self.r.below(8) {
            0 => ImageType::D1,
            1 => ImageType::D3,
            _ => ImageType::D2,
        };
        let flat = format.is_depth_stencil() || format.is_compressed();
        let image_type = match format.block()[2] {
            1 if flat => ImageType::D2,
            1 => image_type,
            _ => ImageType::D3,
        };
        let side = [1, 4, 8, 16, 17, 33, 64][self.r.below(7)];
        let tall = if self.r.one_in(3) { 1 + self.r.below(40) as u32 } else { side };
        let extent = match image_type {
            ImageType::D1 => [side, 1, 1],
            ImageType::D2 => [side, tall, 1],
            ImageType::D3 => [side.min(16), tall.min(16), 1 + self.r.below(8) as u32],
        };
        let samples =
            if image_type == ImageType::D2 && !format.is_compressed() && self.r.one_in(6) { 4 } else { 1 };
        let most = 32 - extent.iter().max().map_or(1, |e| *e).leading_zeros();
        let levels = if samples > 1 { 1 } else { 1 + self.r.below(most.min(4) as usize) as u32 };
        let layers = if image_type == ImageType::D3 { 1 } else { [1, 1, 2, 6][self.r.below(4)] };
        let desc = ImageDesc {
            image_type,
            format,
            extent: extent.map(|e| self.num32(e)),
            levels: self.num32(levels),
            layers: self.num32(layers),
            samples: self.num32(samples),
            usage: if self.spoil { ImageUsage(self.r.bits() as u32 & 0xff) } else { usages(format) },
            flags: ImageFlags::default(),
        };
        self.image(desc);
    }

    /// Creates an image in a new allocation, at a random offset.
    fn image(&mut self, desc: ImageDesc) -> Option<Image> {
        let image = self.device().create_image(desc);
        let image = self.judge("create_image", image)?;
        let needs = image.requirements();
        if needs.size > 4 << 20 {
            return None;
        }
        let offset = needs.alignment * self.r.below(3) as u64;
        let size = self.num(needs.size + offset);
        let memory = self.device().allocate(size);
        let memory = self.judge("allocate", memory)?;
        let bound = image.bind(&memory, offset);
        self.judge("bind image", bound)?;
        self.images.push(image.clone());
        Some(image)
    }

    pub(super) fn make_view(&mut self) {
        let Some(i) = self.index(self.images.len()) else { return };
        if self.views.len() >= MOST {
            return;
        }
        let image = self.images[i].clone();
        let of = *image.desc();
        let base_level = self.r.below(of.levels as usize) as u32;
        let base_layer = self.r.below(of.layers as usize) as u32;
        let array = self.r.one_in(3);
        let dim = match of.image_type {
            ImageType::D1 if array => ViewDim::D1Array,
            ImageType::D1 => ViewDim::D1,
            ImageType::D2 if of.layers == 6 && of.extent[0] == of.extent[1] && base_layer == 0 => {
                ViewDim::Cube
            }
            ImageType::D2 if array => ViewDim::D2Array,
            ImageType::D2 => ViewDim::D2,
            ImageType::D3 => ViewDim::D3,
        };
        let layers = match dim {
            ViewDim::Cube => 6,
            d if d.is_array() => of.layers - base_layer,
            _ => 1,
        };
        let aspects: Vec<Aspects> = of.format.aspects().singles().collect();
        let swizzle = |w: &mut Self| Swizzle::from_vk(w.r.below(7) as u32).unwrap_or_default();
        let swizzles = if self.r.one_in(4) { [(); 4].map(|()| swizzle(self)) } else { Default::default() };
        let desc = ImageViewDesc {
            dim,
            format: of.format,
            aspect: *self.r.pick(&aspects),
            swizzle: swizzles,
            base_level: self.num32(base_level),
            levels: self.num32(of.levels - base_level),
            base_layer: self.num32(base_layer),
            layers: self.num32(layers),
            slices: [0, u32::MAX],
            min_lod: 0.0,
        };
        let view = self.device().create_image_view(&image, desc);
        if let Some(view) = self.judge("create_image_view", view) {
            self.views.push(Seen { view, image });
        }
    }

    /// Creates images and views that serve as attachments of one scope.
    pub(super) fn make_target(&mut self) {
        if self.targets.len() >= 6 {
            return;
        }
        let size = [[16, 16], [33, 20], [64, 64], [7, 65]][self.r.below(4)];
        let samples = if self.r.one_in(4) { 4 } else { 1 };
        let n = [1, 1, 1, 2, 0][self.r.below(5)];
        let attachment = |w: &mut Self, format: Format, samples: u32| {
            let mut desc = ImageDesc::new_2d(format, size[0], size[1], usages(format));
            desc.samples = samples;
            let image = w.image(desc)?;
            let mut seen = ImageViewDesc::new_2d(format);
            seen.aspect = format.aspects();
            let view = w.device().create_image_view(&image, seen);
            let view = w.judge("create_image_view", view)?;
            w.views.push(Seen { view: view.clone(), image: image.clone() });
            Some(Seen { view, image })
        };
        let mut target = Target {
            colors: Vec::new(),
            resolve: None,
            depth: None,
            density: None,
            pass: None,
            size,
            samples,
        };
        for _ in 0..n {
            let format = *self.r.pick(COLORS);
            target.colors.extend(attachment(self, format, samples));
        }
        if samples > 1
            && self.r.one_in(2)
            && let Some(first) = target.colors.first()
        {
            let format = first.image.format();
            target.resolve = attachment(self, format, 1);
        }
        if n == 0 || self.r.one_in(2) {
            let format = *self.r.pick(DEPTHS);
            target.depth = attachment(self, format, samples);
        }
        if self.r.one_in(3) {
            target.density = self.density_map();
        }
        if !target.colors.is_empty() || target.depth.is_some() {
            self.targets.push(target);
            let last = self.targets.len() - 1;
            (0..2).for_each(|_| self.make_pipeline_for(last));
        }
    }

    /// Creates a fragment density map of random densities.
    fn density_map(&mut self) -> Option<Seen> {
        let [width, height] = [1 + self.r.below(8) as u32, 1 + self.r.below(8) as u32];
        let format = Format::R8G8_UNORM;
        let usage = usages(format) | ImageUsage::FRAGMENT_DENSITY_MAP;
        let image = self.image(ImageDesc::new_2d(format, width, height, usage))?;
        let densities: Vec<u8> = (0..width * height * 2).map(|_| self.r.below(256) as u8).collect();
        let written = image.write_level(Aspects::COLOR, 0, &densities);
        self.judge("write_level", written)?;
        let view = self.device().create_image_view(&image, ImageViewDesc::new_2d(format));
        let view = self.judge("create_image_view", view)?;
        Some(Seen { view, image })
    }

    /// Reads, writes and copies texels on the host.
    pub(super) fn host_image(&mut self) {
        let Some(i) = self.index(self.images.len()) else { return };
        if self.busy && !self.wild {
            self.wait();
        }
        let image = self.images[i].clone();
        let aspects: Vec<Aspects> = image.format().aspects().singles().collect();
        let aspect = *self.r.pick(&aspects);
        let level = self.r.below(image.desc().levels as usize) as u32;
        let level = self.num32(level);
        if self.r.one_in(2) {
            let read = image.read_level(aspect, level);
            let Some(mut bytes) = self.judge("read level", read) else { return };
            bytes.iter_mut().for_each(|b| *b = b.wrapping_mul(5).wrapping_add(1));
            // The bytes may be floats that no shader store produces, such as NaNs with payloads; copies must preserve
            // them.
            let done = image.write_level(aspect, level, &bytes);
            self.judge("write level", done);
            return;
        }
        let mut region = super::record::buffer_image_region(&mut self.r, &image);
        region.buffer_offset = 0;
        let Ok(n) = image.region_bytes(&region) else { return };
        let mut bytes = vec![7u8; n.min(1 << 20) as usize];
        let device = self.device().clone();
        if self.r.one_in(2) {
            let done = device.copy_image_to_bytes(&image, &mut bytes, &region);
            self.judge("copy_image_to_bytes", done);
        } else {
            let done = device.copy_bytes_to_image(&bytes, &image, &region);
            self.judge("copy_bytes_to_image", done);
        }
    }
}
