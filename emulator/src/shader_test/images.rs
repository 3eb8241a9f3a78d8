//! Converts texels of tests to device images, and back.

use bytemuck::Pod;
use quadrille_jit::reserve;
use quadrille_raster::format::{Aspects, Format, Numeric};
use quadrille_raster::image::ImageType;
use quadrille_raster::sampling::ViewDim;

use super::TestImage;
use super::picture::Picture;
use crate::data::pixels::FloatPicture;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::flags::ImageUsage;
use crate::memory::Memory;
use crate::resource::image::{Image, ImageDesc};

/// Returns the aspect of a format that tests access: colour, else depth, else stencil.
pub(super) fn aspect(format: Format) -> Aspects {
    let of = format.aspects();
    let all = [Aspects::COLOR, Aspects::DEPTH, Aspects::STENCIL];
    all.into_iter().find(|aspect| of.contains(*aspect)).unwrap_or(Aspects::COLOR)
}

/// Creates an image with its texels.
pub(super) fn make_image(device: &Device, shape: &TestImage, usage: ImageUsage) -> Result<Image> {
    let [width, height, _] = shape.extent;
    let image_type = match shape.dim {
        ViewDim::D1 | ViewDim::D1Array => ImageType::D1,
        ViewDim::D3 => ImageType::D3,
        _ => ImageType::D2,
    };
    let desc = ImageDesc {
        image_type,
        extent: shape.extent,
        levels: shape.levels,
        layers: shape.layers,
        samples: shape.samples,
        ..ImageDesc::new_2d(shape.format, width, height, usage)
    };
    let image = device.create_bound_image(desc)?;
    let mut from = shape.texels.as_slice();
    each_row(&image, aspect(shape.format), |memory, at, row| {
        let (bytes, rest) =
            from.split_at_checked(row).ok_or_else(|| Error::invalid("image with too few texels"))?;
        from = rest;
        memory.write(at, bytes)
    })?;
    ensure(from.is_empty(), || format!("{} bytes too many for the image", from.len()))?;
    for level in 0..shape.levels {
        for layer in 0..shape.layers {
            image.refresh(level, layer)?;
        }
    }
    Ok(image)
}

/// Calls `f` for each row of texels with its memory, offset and size, in the order of [`TestImage::texels`].
fn each_row(
    image: &Image,
    aspect: Aspects,
    mut f: impl FnMut(&Memory, u64, usize) -> Result<()>,
) -> Result<()> {
    let desc = image.desc();
    let (levels, layers, samples) = (desc.levels, desc.layers, u64::from(desc.samples));
    for level in 0..levels {
        for layer in 0..layers {
            let s = image.subresource(aspect, level, layer)?;
            let (memory, base) = image.plane_memory(s.memory)?;
            let [w, h, d] = s.blocks().map(u64::from);
            let row = w as usize * s.format.bytes() as usize;
            for sample in 0..samples {
                for (z, y) in (0..d).flat_map(|z| (0..h).map(move |y| (z, y))) {
                    let within = sample * s.sample_pitch + z * s.slice_pitch + y * s.row_pitch;
                    f(memory, base + s.offset + within, row)?;
                }
            }
        }
    }
    Ok(())
}

/// Reads the texels of an aspect, in the order of [`TestImage::texels`].
pub(super) fn texels<T: Pod>(image: &Image, aspect: Aspects) -> Result<Vec<T>> {
    let mut bytes = Vec::new();
    each_row(image, aspect, |memory, at, row| {
        let start = bytes.len();
        reserve::grow(&mut bytes, row)?;
        bytes.resize(start + row, 0);
        memory.read_into(at, &mut bytes[start..])
    })?;
    let count = bytes.len() / size_of::<T>().max(1);
    let mut out: Vec<T> = reserve::zeroed(count)?;
    let to: &mut [u8] = bytemuck::cast_slice_mut(&mut out);
    let n = to.len();
    to.copy_from_slice(&bytes[..n]);
    Ok(out)
}

/// Reads level 0 as floats.
pub(super) fn to_floats(image: &Image) -> Result<FloatPicture> {
    let [width, height, _] = image.desc().extent;
    FloatPicture::of_texels((width, height), image.format(), &image.read_level(Aspects::COLOR, 0)?)
}

/// Reads level 0 as a picture; components of other formats are converted to 8 bits.
pub(super) fn to_picture(image: &Image) -> Result<Picture> {
    let [width, height, depth] = image.desc().extent;
    // Components in sRGB stay as they are.
    let format = image.format().without_srgb();
    ensure(depth == 1 && !format.is_compressed(), || {
        format!("an image of {} with {depth} slices is not a picture", image.format().name())
    })?;
    let bytes = image.read_level(Aspects::COLOR, 0)?;
    if format == Format::R8G8B8A8_UNORM {
        return Picture::from_bytes(width, height, &bytes);
    }
    let n = format.bytes() as usize;
    let to_u8 = |bits: u32| match format.info().numeric {
        Numeric::Sint => (bits as i32).clamp(0, 255) as u8,
        Numeric::Uint => bits.min(255) as u8,
        _ => (f32::from_bits(bits).clamp(0.0, 1.0) * 255.0 + 0.5) as u8,
    };
    let texels = bytes.chunks_exact(n).flat_map(|texel| format.unpack(texel).map(to_u8));
    Picture::from_bytes(width, height, &texels.collect::<Vec<u8>>())
}
