//! Pictures of the host as images of the device, and back.

use image::RgbaImage;

use super::texel;

use crate::{
    Aspects, Device, Error, Format, Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc, Result, Sampler,
    SamplerDesc,
};

/// Values as the shader writes them, without a transfer function.
pub(super) const FORMAT: Format = Format::R8G8B8A8_UNORM;

/// Repeats and filters linearly, between levels too.
pub(super) fn sampler(device: &Device) -> Result<Sampler> {
    use crate::Filter::Linear;
    device.create_sampler(SamplerDesc {
        mag_filter: Linear,
        min_filter: Linear,
        mipmap_mode: Linear,
        ..SamplerDesc::default()
    })
}

/// A texture with all its levels.
pub(super) fn texture(device: &Device, picture: &RgbaImage, from_bottom: bool) -> Result<ImageView> {
    let (width, height) = picture.dimensions();
    if width == 0 || height == 0 {
        return Err(Error::invalid("a texture without pixels"));
    }
    let levels = width.max(height).ilog2() + 1;
    let usage = ImageUsage::SAMPLED | ImageUsage::TRANSFER_DST;
    let desc = ImageDesc { levels, ..ImageDesc::new_2d(FORMAT, width, height, usage) };
    let image = device.create_bound_image(desc)?;
    let mut level = picture.as_raw().clone();
    if from_bottom {
        reverse_rows(&mut level, 4 * width as usize);
    }
    let (mut w, mut h) = (width as usize, height as usize);
    for n in 0..levels {
        image.write_level(Aspects::COLOR, n, &level)?;
        (level, w, h) = half(&level, w, h);
    }
    device.create_image_view(&image, ImageViewDesc { levels, ..ImageViewDesc::new_2d(FORMAT) })
}

/// The next level: means of 2x2 texels, rounded. An odd last row or column is left out.
fn half(level: &[u8], w: usize, h: usize) -> (Vec<u8>, usize, usize) {
    let (half_w, half_h) = ((w / 2).max(1), (h / 2).max(1));
    let texel = |x: usize, y: usize, c: usize| u32::from(level[4 * (y.min(h - 1) * w + x.min(w - 1)) + c]);
    let mut next = Vec::with_capacity(4 * half_w * half_h);
    for y in 0..half_h {
        for x in 0..half_w {
            for c in 0..4 {
                let (x, y) = (2 * x, 2 * y);
                let sum = texel(x, y, c) + texel(x + 1, y, c) + texel(x, y + 1, c) + texel(x + 1, y + 1, c);
                next.push(((sum + 2) / 4) as u8);
            }
        }
    }
    (next, half_w, half_h)
}

/// Turns a picture of rows of `row` bytes upside down.
pub(super) fn reverse_rows(pixels: &mut [u8], row: usize) {
    let n = pixels.len() / row.max(1);
    for y in 0..n / 2 {
        let (top, bottom) = pixels.split_at_mut((n - 1 - y) * row);
        top[y * row..(y + 1) * row].swap_with_slice(&mut bottom[..row]);
    }
}

/// Colours multiplied by their alpha, rounded.
pub(super) fn premultiplied(picture: &RgbaImage) -> RgbaImage {
    let mut picture = picture.clone();
    for pixel in picture.pixels_mut() {
        let alpha = u32::from(pixel[3]);
        for component in &mut pixel.0[..3] {
            *component = ((u32::from(*component) * alpha + 127) / 255) as u8;
        }
    }
    picture
}

/// Colours divided by their alpha, rounded; no more than 1, and 0 where all is transparent.
pub(super) fn unpremultiply(picture: &mut RgbaImage) {
    for pixel in picture.pixels_mut() {
        let alpha = u32::from(pixel[3]);
        for component in &mut pixel.0[..3] {
            let scaled = (u32::from(*component) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0);
            *component = scaled.min(255) as u8;
        }
    }
}

/// An image of one level that a shader may load from and store to.
pub(super) fn storage(device: &Device, picture: &RgbaImage, format: Format) -> Result<(Image, ImageView)> {
    let (width, height) = picture.dimensions();
    let image = device.create_bound_image(ImageDesc::new_2d(format, width, height, ImageUsage::STORAGE))?;
    image.write_level(Aspects::COLOR, 0, &texel::encode(picture, format)?)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    Ok((image, view))
}

/// The first level of an image.
pub(super) fn picture_of(image: &Image) -> Result<RgbaImage> {
    let [width, height, _] = image.desc().extent;
    texel::decode(&image.read_level(Aspects::COLOR, 0)?, image.desc().format, (width, height))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alpha_goes_in_and_out() {
        let picture = RgbaImage::from_raw(2, 1, vec![255, 100, 0, 128, 9, 8, 7, 0]).unwrap();
        let mut there = premultiplied(&picture);
        assert_eq!(there.as_raw()[..], [128, 50, 0, 128, 0, 0, 0, 0]);
        unpremultiply(&mut there);
        assert_eq!(there.as_raw()[..], [255, 100, 0, 128, 0, 0, 0, 0]);
        // More than alpha allows.
        let mut over = RgbaImage::from_raw(1, 1, vec![200, 10, 0, 100]).unwrap();
        unpremultiply(&mut over);
        assert_eq!(over.as_raw()[..], [255, 26, 0, 100]);
    }

    #[test]
    fn rows_and_levels() {
        let mut pixels = vec![1, 2, 3, 4, 5, 6];
        reverse_rows(&mut pixels, 2);
        assert_eq!(pixels, [5, 6, 3, 4, 1, 2]);
        let (level, w, h) = half(&[0, 0, 0, 255, 255, 1, 0, 255], 2, 1);
        assert_eq!((w, h), (1, 1));
        assert_eq!(level, [128, 1, 0, 255]);
    }
}
