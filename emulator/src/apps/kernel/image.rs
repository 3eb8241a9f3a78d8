//! Images and samplers of kernels: their creation, and the words that a launch gives the kernel about an image.
//!
//! Spec: OpenCL C, "Image Read and Write Functions"; SPIR-V, "Image Channel Order", "Image Channel Data Type".

use quadrille_jit::ir::{ImageDim, ResourceKind};
use quadrille_jit::spirv::kernel_image::{ImageArgument, ImageWords, LiteralSampler};
use spirv::{ImageChannelDataType as Data, ImageChannelOrder as Order};
use spirv::{SamplerAddressingMode, SamplerFilterMode};

use crate::apps::texture::picture_of;
use crate::{
    AddressMode, Aspects, Buffer, BufferDesc, BufferUsage, BufferView, BufferViewDesc, Device, Error, Filter,
    Format, Image, ImageDesc, ImageType, ImageUsage, ImageView, ImageViewDesc, Numeric, Resource, Result,
    SamplerDesc, ViewDim,
};

/// An image with its contents. Spec: OpenCL API, cl_image_format and cl_image_desc.
#[derive(Clone, Copy, Debug)]
pub struct KernelImage<'a> {
    /// Format of a texel.
    pub format: Format,
    /// Width, height and depth, 1 where the image has no such dimension.
    pub extent: [u32; 3],
    /// Number of layers of an arrayed image.
    pub layers: u32,
    /// Number of levels.
    pub levels: u32,
    /// Texels, by level, layer, depth and row; `None` for an image to which nothing has been written.
    pub texels: Option<&'a [u8]>,
}

impl<'a> KernelImage<'a> {
    /// An image of one level and layer, or a buffer of texels.
    pub fn new(format: Format, extent: [u32; 3], texels: &'a [u8]) -> Self {
        KernelImage { format, extent, layers: 1, levels: 1, texels: Some(texels) }
    }

    /// Number of bytes of all texels.
    pub fn bytes(&self) -> usize {
        let of_level = |level: u32| {
            let sides = self.extent.iter().map(|side| side.checked_shr(level).unwrap_or(0).max(1) as usize);
            sides.fold(self.layers as usize, usize::saturating_mul)
        };
        let texels = (0..self.levels).map(of_level).fold(0, usize::saturating_add);
        texels.saturating_mul(self.format.bytes() as usize)
    }
}

/// An image that is an argument.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    View(ImageView),
    Texels(BufferView, Buffer, usize),
}

impl Bound {
    pub fn format(&self) -> Format {
        match self {
            Bound::View(view) => view.desc().format,
            Bound::Texels(view, ..) => view.desc().format,
        }
    }

    pub fn resource(&self) -> Resource<'_> {
        match self {
            Bound::View(view) => Resource::Image(view),
            Bound::Texels(view, ..) => Resource::TexelBuffer(view),
        }
    }

    /// The texels, in the order of [`KernelImage::texels`].
    pub fn read(&self) -> Result<Vec<u8>> {
        match self {
            Bound::Texels(_, buffer, bytes) => buffer.read(0, *bytes),
            Bound::View(view) => {
                let mut all = Vec::new();
                for (level, layer) in subresources(view.image()) {
                    all.extend(view.image().read_layer(Aspects::COLOR, level, layer)?);
                }
                Ok(all)
            }
        }
    }

    /// The first level as a picture.
    pub fn picture(&self) -> Result<image::RgbaImage> {
        match self {
            Bound::View(view) if view.desc().dim == ViewDim::D2 => picture_of(view.image()),
            Bound::View(_) | Bound::Texels(..) => {
                Err(Error::invalid("only images of two dimensions are pictures"))
            }
        }
    }
}

/// Levels and layers in the order of texels.
fn subresources(image: &Image) -> impl Iterator<Item = (u32, u32)> + use<> {
    let (levels, layers) = (image.desc().levels, image.desc().layers);
    (0..levels).flat_map(move |level| (0..layers).map(move |layer| (level, layer)))
}

/// Dimensionality of the view that an argument needs.
pub(super) fn view_dim(argument: &ImageArgument) -> Result<ViewDim> {
    Ok(match (argument.dim, argument.arrayed) {
        (ImageDim::D1, false) => ViewDim::D1,
        (ImageDim::D1, true) => ViewDim::D1Array,
        (ImageDim::D2, false) => ViewDim::D2,
        (ImageDim::D2, true) => ViewDim::D2Array,
        (ImageDim::D3, false) => ViewDim::D3,
        (ImageDim::Buffer, false) => ViewDim::Buffer,
        (dim, _) => {
            return Err(Error::unsupported(format!("images of dimension {dim:?} as arguments of kernels")));
        }
    })
}

/// Creates an image for an argument.
pub(super) fn create(device: &Device, argument: &ImageArgument, given: &KernelImage<'_>) -> Result<Bound> {
    let dim = view_dim(argument)?;
    if argument.multisampled {
        return Err(Error::invalid("a multisampled image has no texels to give: pass a view of it"));
    }
    words(given.format, argument.depth)?;
    let reads = matches!(argument.kind, ResourceKind::SampledImage | ResourceKind::UniformTexelBuffer);
    if dim == ViewDim::Buffer {
        return create_texels(device, reads, given);
    }
    let image_type = match dim {
        ViewDim::D1 | ViewDim::D1Array => ImageType::D1,
        ViewDim::D3 => ImageType::D3,
        _ => ImageType::D2,
    };
    let usage = if reads { ImageUsage::SAMPLED } else { ImageUsage::STORAGE };
    let &KernelImage { format, extent, layers, levels, .. } = given;
    let desc = ImageDesc::new_2d(format, extent[0], extent[1], usage);
    let image = device.create_bound_image(ImageDesc { image_type, extent, layers, levels, ..desc })?;
    if let Some(mut rest) = given.texels {
        image.keep_zeros();
        for (level, layer) in subresources(&image) {
            let size = image.subresource(Aspects::COLOR, level, layer)?.blocks().into_iter();
            let size = size.fold(format.bytes() as usize, |n, side| n.saturating_mul(side as usize));
            let Some((bytes, after)) = rest.split_at_checked(size) else {
                let missing = size - rest.len();
                return Err(Error::invalid(format!("{missing} bytes of the image's texels are missing")));
            };
            image.write_layer(Aspects::COLOR, level, layer, bytes)?;
            rest = after;
        }
        if !rest.is_empty() {
            return Err(Error::invalid(format!("{} bytes too many for the image's texels", rest.len())));
        }
    }
    let view = ImageViewDesc { dim, layers, levels, ..ImageViewDesc::new_2d(format) };
    Ok(Bound::View(device.create_image_view(&image, view)?))
}

fn create_texels(device: &Device, reads: bool, given: &KernelImage<'_>) -> Result<Bound> {
    let bytes = u64::from(given.extent[0]) * u64::from(given.format.bytes());
    if given.texels.is_some_and(|texels| texels.len() as u64 != bytes) {
        return Err(Error::invalid(format!("the texels of the image are {bytes} bytes")));
    }
    let usage = if reads { BufferUsage::UNIFORM_TEXEL } else { BufferUsage::STORAGE_TEXEL };
    let size = bytes.next_multiple_of(4).max(4);
    let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
    if let Some(texels) = given.texels {
        buffer.write(0, texels)?;
    }
    let desc = BufferViewDesc { format: given.format, offset: 0, range: Some(bytes) };
    Ok(Bound::Texels(device.create_buffer_view(&buffer, desc)?, buffer, bytes as usize))
}

/// Words that a launch gives the kernel about an image of this format; `depth` is true for depth images.
///
/// # Errors
/// `Unsupported` for formats that OpenCL has not.
pub(super) fn words(format: Format, depth: bool) -> Result<ImageWords> {
    let none = || Error::unsupported(format!("{} as the format of an image of a kernel", format.name()));
    let (components, rest) = format.name().split_once('_').ok_or_else(none)?;
    let srgb = rest.starts_with("SRGB");
    let letters: String = components.chars().filter(char::is_ascii_alphabetic).collect();
    let order = match (letters.as_str(), srgb) {
        ("R", false) if depth => Order::Depth,
        ("R", false) => Order::R,
        ("A", false) => Order::A,
        ("RG", false) => Order::RG,
        ("RGB", false) => Order::RGB,
        ("RGB", true) => Order::sRGB,
        // The packed formats name their components from the highest bits.
        ("RGBA" | "ABGR", false) => Order::RGBA,
        ("RGBA" | "ABGR", true) => Order::sRGBA,
        ("BGRA" | "ARGB", false) => Order::BGRA,
        ("BGRA" | "ARGB", true) => Order::sBGRA,
        _ => return Err(none()),
    };
    let bits = format.info().fields.map(|field| field.bits);
    let widest = bits.into_iter().max().unwrap_or(0);
    let same = bits.into_iter().all(|n| n == 0 || n == widest);
    let data = match (format.info().numeric, widest) {
        (Numeric::Unorm, 6) if components == "R5G6B5" => Data::UnormShort565,
        (Numeric::Unorm, 10) if components == "A2B10G10R10" || components == "A2R10G10B10" => {
            Data::UnormInt101010_2
        }
        _ if !same => return Err(none()),
        (Numeric::Snorm, 8) => Data::SnormInt8,
        (Numeric::Snorm, 16) => Data::SnormInt16,
        (Numeric::Unorm, 8) => Data::UnormInt8,
        (Numeric::Unorm, 16) => Data::UnormInt16,
        (Numeric::Sint, 8) => Data::SignedInt8,
        (Numeric::Sint, 16) => Data::SignedInt16,
        (Numeric::Sint, 32) => Data::SignedInt32,
        (Numeric::Uint, 8) => Data::UnsignedInt8,
        (Numeric::Uint, 16) => Data::UnsignedInt16,
        (Numeric::Uint, 32) => Data::UnsignedInt32,
        (Numeric::Sfloat, 16) => Data::HalfFloat,
        (Numeric::Sfloat, 32) => Data::Float,
        (Numeric::Srgb, 8) => Data::UnormInt8,
        _ => return Err(none()),
    };
    let n = u32::from(widest).clamp(1, 32);
    let (flip, least, greatest) = match format.info().numeric {
        Numeric::Uint => (1 << 31, i32::MIN, (u32::MAX >> (32 - n) ^ 1 << 31) as i32),
        _ => (0, i32::MIN >> (32 - n), i32::MAX >> (32 - n)),
    };
    Ok(ImageWords { order: order as u32, data_type: data as u32, flip, least, greatest })
}

/// The state of a sampler that a module states. Spec: SPIR-V, "Sampler Addressing Mode".
pub(super) fn sampler(literal: &LiteralSampler) -> SamplerDesc {
    let address = match literal.address {
        // Coordinates outside of the image are undefined without a mode.
        SamplerAddressingMode::None | SamplerAddressingMode::ClampToEdge => AddressMode::ClampToEdge,
        SamplerAddressingMode::Clamp => AddressMode::ClampToBorder,
        SamplerAddressingMode::Repeat => AddressMode::Repeat,
        SamplerAddressingMode::RepeatMirrored => AddressMode::MirroredRepeat,
    };
    let filter = match literal.filter {
        SamplerFilterMode::Nearest => Filter::Nearest,
        SamplerFilterMode::Linear => Filter::Linear,
    };
    SamplerDesc {
        mag_filter: filter,
        min_filter: filter,
        address: [address; 3],
        unnormalized: !literal.normalized,
        ..SamplerDesc::default()
    }
}
