//! Pictures: PNG, JPEG and WebP for textures, Radiance HDR and OpenEXR for panoramas. KTX2 is left to [`super::ktx`].

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader};
use quadrille::error::guard;
use quadrille::{Error, Result};

use super::file::Budget;
use super::picture::{check_size, damaged};
use super::{Limits, ktx};
use crate::model::{Image, Panorama};

/// Formats of the pictures of one use.
struct Kinds {
    /// Those that are decoded here.
    formats: &'static [ImageFormat],
    /// Names of those that are decoded elsewhere.
    others: &'static [&'static str],
    /// Bytes per texel of the result.
    texel: u64,
}

const TEXTURES: Kinds =
    Kinds { formats: &[ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::WebP], others: &["KTX2"], texel: 4 };
const PANORAMAS: Kinds = Kinds {
    formats: &[ImageFormat::Hdr, ImageFormat::OpenExr, ImageFormat::Png, ImageFormat::Jpeg],
    others: &[],
    texel: 16,
};

/// Decodes the picture of a texture.
pub fn texture(bytes: &[u8], name: &str, limits: &Limits, budget: &Budget) -> Result<Image> {
    if bytes.starts_with(ktx::MAGIC) {
        let (width, height, pixels) = ktx::texture(bytes, limits, budget)?;
        return Ok(Image { name: name.to_owned(), width, height, pixels });
    }
    let decoded = decode(bytes, &TEXTURES, limits, budget)?;
    let pixels = decoded.into_rgba8();
    let (width, height) = pixels.dimensions();
    Ok(Image { name: name.to_owned(), width, height, pixels: pixels.into_raw() })
}

/// Decodes a panorama.
pub fn panorama(bytes: &[u8], limits: &Limits) -> Result<Panorama> {
    let budget = Budget::new(limits);
    let decoded = decode(bytes, &PANORAMAS, limits, &budget)?;
    let srgb = !matches!(decoded, DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_));
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

/// Decodes a picture.
fn decode(bytes: &[u8], kinds: &Kinds, limits: &Limits, budget: &Budget) -> Result<DynamicImage> {
    let reader = || -> Result<ImageReader<Cursor<&[u8]>>> {
        let mut reader = ImageReader::new(Cursor::new(bytes));
        reader.set_format(format(bytes, kinds)?);
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
        budget.take(u64::from(width) * u64::from(height) * kinds.texel)?;
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

fn format(bytes: &[u8], kinds: &Kinds) -> Result<ImageFormat> {
    let guess = image::guess_format(bytes).ok();
    if let Some(format) = guess.filter(|f| kinds.formats.contains(f)) {
        return Ok(format);
    }
    let own = kinds.formats.iter().map(|f| format!("{f:?}"));
    let known = own.chain(kinds.others.iter().map(|name| (*name).into())).collect::<Vec<_>>().join(", ");
    let found = match guess {
        Some(format) => format!("a picture of type {format:?}"),
        None => return Err(Error::invalid(format!("this is not a picture of a supported type ({known})"))),
    };
    Err(Error::unsupported(format!("{found}; supported are {known}")))
}
