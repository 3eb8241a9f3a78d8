//! Converts pictures on the host to device images, and back.

use image::{DynamicImage, RgbaImage};

use super::texel;

use crate::error::ensure;
use crate::{
    Aspects, Device, Error, Format, Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc, Result, Sampler,
    SamplerDesc,
};

/// Colours as the shader writes them, without a transfer function.
pub(super) const FORMAT: Format = Format::R8G8B8A8_UNORM;

/// The reason why a picture has no textures of a type, and what a shader may use instead.
pub(super) fn refusal(ty: &str) -> &'static str {
    match ty {
        "sampler2DShadow" => {
            "textures have colours, not depths; use a sampler2D and compare in the shader, as in \
             step(reference, texture(t, uv).r)"
        }
        "isampler2D" | "usampler2D" | "itexture2D" | "utexture2D" => {
            "textures have floats, not integers; use a sampler2D, whose values are from 0 to 1 for pictures of 8 bits"
        }
        _ => "textures are 2D",
    }
}

/// Creates a sampler that repeats and filters linearly, between levels too.
pub(super) fn sampler(device: &Device) -> Result<Sampler> {
    use crate::Filter::Linear;
    device.create_sampler(SamplerDesc {
        mag_filter: Linear,
        min_filter: Linear,
        mipmap_mode: Linear,
        ..SamplerDesc::default()
    })
}

/// Format of textures with values beyond 8 bits.
const FLOATS: Format = Format::R32G32B32A32_SFLOAT;

/// Component of an RGBA texel: a byte or a float.
trait Component: bytemuck::Pod {
    /// Mean of four components, rounded if the type is an integer.
    fn mean(of: [Self; 4]) -> Self;
}

impl Component for u8 {
    fn mean(of: [u8; 4]) -> u8 {
        ((of.iter().map(|c| u32::from(*c)).sum::<u32>() + 2) / 4) as u8
    }
}

impl Component for f32 {
    fn mean([a, b, c, d]: [f32; 4]) -> f32 {
        ((a + b) + (c + d)) * 0.25
    }
}

/// Creates a texture with all mip levels: 8-bit colours, or floats if the picture has more precision.
pub(super) fn texture(device: &Device, picture: &DynamicImage, from_bottom: bool) -> Result<ImageView> {
    let size = (picture.width(), picture.height());
    match picture {
        DynamicImage::ImageRgba8(bytes) => levels(device, FORMAT, bytes.as_raw(), size, from_bottom),
        DynamicImage::ImageRgba32F(floats) => levels(device, FLOATS, floats.as_raw(), size, from_bottom),
        other => levels(device, FLOATS, other.to_rgba32f().as_raw(), size, from_bottom),
    }
}

fn levels<T: Component>(
    device: &Device,
    format: Format,
    texels: &[T],
    (width, height): (u32, u32),
    from_bottom: bool,
) -> Result<ImageView> {
    if width == 0 || height == 0 {
        return Err(Error::invalid("a texture without pixels"));
    }
    let levels = width.max(height).ilog2() + 1;
    let usage = ImageUsage::SAMPLED | ImageUsage::TRANSFER_DST;
    let desc = ImageDesc { levels, ..ImageDesc::new_2d(format, width, height, usage) };
    let image = device.create_bound_image(desc)?;
    let mut level = texels.to_vec();
    if from_bottom {
        reverse_rows(&mut level, 4 * width as usize);
    }
    let (mut w, mut h) = (width as usize, height as usize);
    for n in 0..levels {
        image.write_level(Aspects::COLOR, n, bytemuck::cast_slice(&level))?;
        (level, w, h) = half(&level, w, h);
    }
    device.create_image_view(&image, ImageViewDesc { levels, ..ImageViewDesc::new_2d(format) })
}

/// Returns the next mip level: rounded means of 2x2 texels. An odd last row or column is dropped.
fn half<T: Component>(level: &[T], w: usize, h: usize) -> (Vec<T>, usize, usize) {
    let (half_w, half_h) = ((w / 2).max(1), (h / 2).max(1));
    let texel = |x: usize, y: usize, c: usize| level[4 * (y.min(h - 1) * w + x.min(w - 1)) + c];
    let mut next = Vec::with_capacity(4 * half_w * half_h);
    for y in 0..half_h {
        for x in 0..half_w {
            for c in 0..4 {
                let (x, y) = (2 * x, 2 * y);
                let four = [texel(x, y, c), texel(x + 1, y, c), texel(x, y + 1, c), texel(x + 1, y + 1, c)];
                next.push(T::mean(four));
            }
        }
    }
    (next, half_w, half_h)
}

/// Reverses the rows of a picture; `row` is the number of components per row.
pub(super) fn reverse_rows<T>(pixels: &mut [T], row: usize) {
    let n = pixels.len() / row.max(1);
    for y in 0..n / 2 {
        let (top, bottom) = pixels.split_at_mut((n - 1 - y) * row);
        top[y * row..(y + 1) * row].swap_with_slice(&mut bottom[..row]);
    }
}

/// Multiplies colours by their alpha, rounding bytes.
pub(super) fn premultiplied(picture: &DynamicImage) -> DynamicImage {
    let DynamicImage::ImageRgba8(picture) = picture else {
        let mut picture = picture.to_rgba32f();
        picture.pixels_mut().for_each(|pixel| {
            let alpha = pixel[3];
            pixel.0[..3].iter_mut().for_each(|component| *component *= alpha);
        });
        return picture.into();
    };
    let mut picture = picture.clone();
    for pixel in picture.pixels_mut() {
        let alpha = u32::from(pixel[3]);
        for component in &mut pixel.0[..3] {
            *component = ((u32::from(*component) * alpha + 127) / 255) as u8;
        }
    }
    picture.into()
}

/// Divides colours by their alpha and rounds; the results are at most 1, and 0 for transparent pixels.
pub(super) fn unpremultiply(picture: &mut RgbaImage) {
    for pixel in picture.pixels_mut() {
        let alpha = u32::from(pixel[3]);
        for component in &mut pixel.0[..3] {
            let scaled = (u32::from(*component) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0);
            *component = scaled.min(255) as u8;
        }
    }
}

/// Creates an image of one level that a shader may load from and store to.
pub(super) fn storage(device: &Device, picture: &DynamicImage, format: Format) -> Result<(Image, ImageView)> {
    let (width, height) = (picture.width(), picture.height());
    let image = device.create_bound_image(ImageDesc::new_2d(format, width, height, ImageUsage::STORAGE))?;
    image.write_level(Aspects::COLOR, 0, &texel::encode(picture, format)?)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    Ok((image, view))
}

/// Reads the first level of an image.
pub(super) fn picture_of(image: &Image) -> Result<RgbaImage> {
    let [width, height, depth] = image.desc().extent;
    ensure(depth == 1, || format!("an image of {depth} slices is not a picture"))?;
    texel::decode(&image.read_level(Aspects::COLOR, 0)?, image.desc().format, (width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_goes_in_and_out() {
        let picture = RgbaImage::from_raw(2, 1, vec![255, 100, 0, 128, 9, 8, 7, 0]).unwrap();
        let mut there = premultiplied(&picture.into()).into_rgba8();
        assert_eq!(there.as_raw()[..], [128, 50, 0, 128, 0, 0, 0, 0]);
        unpremultiply(&mut there);
        assert_eq!(there.as_raw()[..], [255, 100, 0, 128, 0, 0, 0, 0]);
        // A colour that exceeds its alpha.
        let mut over = RgbaImage::from_raw(1, 1, vec![200, 10, 0, 100]).unwrap();
        unpremultiply(&mut over);
        assert_eq!(over.as_raw()[..], [255, 26, 0, 100]);
    }

    #[test]
    fn rows_and_levels() {
        let mut pixels = vec![1, 2, 3, 4, 5, 6];
        reverse_rows(&mut pixels, 2);
        assert_eq!(pixels, [5, 6, 3, 4, 1, 2]);
        let (level, w, h) = half(&[0u8, 0, 0, 255, 255, 1, 0, 255], 2, 1);
        assert_eq!((w, h), (1, 1));
        assert_eq!(level, [128, 1, 0, 255]);
    }
}
