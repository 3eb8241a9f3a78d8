//! Pictures: PNG, JPEG and WebP for textures, Radiance HDR and OpenEXR for panoramas. KTX2 is left to [`super::ktx`].

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader};
use quadrille::error::guard;
use quadrille::{Error, Result};

use super::file::Budget;
use super::picture::{check_size, damaged};
use super::{Limits, ktx};
use crate::model::{Image, Panorama};

/// Decodes the picture of a texture.
pub fn texture(bytes: &[u8], name: &str, limits: &Limits, budget: &Budget) -> Result<Image> {
    if bytes.starts_with(ktx::MAGIC) {
        let (width, height, pixels) = ktx::texture(bytes, limits, budget)?;
        return Ok(Image { name: name.to_owned(), width, height, pixels });
    }
    let formats = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP];
    let decoded = decode(bytes, &formats, 4, limits, budget)?;
    let pixels = decoded.into_rgba8();
    let (width, height) = pixels.dimensions();
    Ok(Image { name: name.to_owned(), width, height, pixels: pixels.into_raw() })
}

/// Decodes a panorama.
pub fn panorama(bytes: &[u8], limits: &Limits) -> Result<Panorama> {
    let budget = Budget::new(limits);
    let formats = [ImageFormat::Hdr, ImageFormat::OpenExr, ImageFormat::Png, ImageFormat::Jpeg];
    let decoded = decode(bytes, &formats, 16, limits, &budget)?;
    let srgb = matches!(decoded, DynamicImage::ImageRgb8(_) | DynamicImage::ImageRgba8(_));
    let pixels = decoded.into_rgb32f();
    let (width, height) = pixels.dimensions();
    let value = |v: f32| if srgb { linear(v) } else { v.clamp(0.0, Panorama::MOST) };
    let mut out = budget.room(width as usize * height as usize)?;
    // Clamping leaves a NaN unchanged, so NaN is replaced.
    out.extend(pixels.pixels().map(|p| p.0.map(|v| if v.is_nan() { 0.0 } else { value(v) })));
    Ok(Panorama { width, height, texels: out })
}

/// Converts a component from sRGB to linear.
fn linear(v: f32) -> f32 {
    if v <= 0.04045 { v / 12.92 } else { libm::powf((v + 0.055) / 1.055, 2.4) }
}

/// Decodes a picture in one of the formats; `texel` is the number of bytes per texel of the result.
fn decode(
    bytes: &[u8],
    formats: &[ImageFormat],
    texel: u64,
    limits: &Limits,
    budget: &Budget,
) -> Result<DynamicImage> {
    let reader = || -> Result<ImageReader<Cursor<&[u8]>>> {
        let mut reader = ImageReader::new(Cursor::new(bytes));
        reader.set_format(format(bytes, formats)?);
        Ok(reader)
    };
    let wrong = |e: image::ImageError| match e {
        image::ImageError::Limits(e) => Error::Limit(e.to_string()),
        image::ImageError::Unsupported(e) => Error::unsupported(e.to_string()),
        e => Error::invalid(e.to_string()),
    };
    let decoded = guard("decoding a picture", || {
        let (width, height) = reader()?.into_dimensions().map_err(wrong)?;
        let most = limits.image_dimension;
        check_size(width, height, limits)?;
        budget.take(u64::from(width) * u64::from(height) * texel)?;
        let mut reader = reader()?;
        let mut bound = image::Limits::default();
        bound.max_image_width = Some(most);
        bound.max_image_height = Some(most);
        // Memory of the decoder: 16 bits per channel, a picture before its rotation, and the file.
        let texels = u64::from(width) * u64::from(height);
        bound.max_alloc = Some(texels * 24 + bytes.len() as u64 + (1 << 20));
        reader.limits(bound);
        reader.decode().map_err(wrong)
    });
    decoded.map_err(damaged)
}

fn format(bytes: &[u8], formats: &[ImageFormat]) -> Result<ImageFormat> {
    let guess = image::guess_format(bytes).ok();
    if let Some(format) = guess.filter(|f| formats.contains(f)) {
        return Ok(format);
    }
    let names = |f: &ImageFormat| format!("{f:?}");
    let known = formats.iter().map(names).collect::<Vec<_>>().join(", ");
    let found = match guess {
        Some(format) => format!("a picture of type {format:?}"),
        None => return Err(Error::invalid(format!("this is not a picture of a supported type ({known})"))),
    };
    Err(Error::unsupported(format!("{found}; supported are {known}")))
}
