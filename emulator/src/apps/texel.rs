//! Converts pictures to and from texels in the format that a shader declares for a storage image.

use image::{DynamicImage, RgbaImage};
use quadrille_jit::reserve;

use crate::data::fit;
use crate::{Error, Format, Result};

/// Component type of a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unorm,
    Snorm,
    Float,
    Int,
}

/// Layout of a format whose components are alike and have whole bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layout {
    components: usize,
    bytes: usize,
    kind: Kind,
}

/// Returns the format with this name in SPIR-V (`Rgba32f`, `R8ui`); `Unknown` gives 8-bit colour.
///
/// # Errors
/// `Unsupported` for a format that Quadrille's images do not have.
pub(super) fn format(name: &str) -> Result<Format> {
    Ok(fit::declared_format(name)?.unwrap_or(Format::R8G8B8A8_UNORM))
}

fn layout(format: Format) -> Option<Layout> {
    let (components, kind) = format.name().split_once('_')?;
    let kind = match kind {
        "UNORM" => Kind::Unorm,
        "SNORM" => Kind::Snorm,
        "SFLOAT" => Kind::Float,
        "SINT" | "UINT" => Kind::Int,
        _ => return None,
    };
    let n = components.chars().filter(char::is_ascii_alphabetic).count();
    let bytes = (format.bytes() as usize).checked_div(n)?;
    matches!(bytes, 1 | 2 | 4 | 8).then_some(Layout { components: n, bytes, kind })
}

/// Converts a picture to texels. 8-bit components become floats from 0 to 1 or integers from 0 to 255; floats stay as
/// they are.
pub(super) fn encode(picture: &DynamicImage, format: Format) -> Result<Vec<u8>> {
    match picture {
        DynamicImage::ImageRgba8(bytes) => encode_bytes(bytes, format),
        other => encode_floats(other.to_rgba32f().as_raw(), format),
    }
}

fn encode_floats(floats: &[f32], format: Format) -> Result<Vec<u8>> {
    if format.is_integer() {
        return Err(Error::invalid(format!(
            "a picture of floats as texels of {}, which are integers",
            format.name()
        )));
    }
    let mut out = Vec::new();
    reserve::more_room(&mut out, floats.len() / 4 * format.bytes() as usize)?;
    for texel in floats.as_chunks::<4>().0 {
        let word = format.info().pack_word(texel.map(f32::to_bits));
        out.extend_from_slice(&word.to_le_bytes()[..format.bytes() as usize]);
    }
    Ok(out)
}

fn encode_bytes(picture: &RgbaImage, format: Format) -> Result<Vec<u8>> {
    if format == Format::R8G8B8A8_UNORM {
        return Ok(picture.as_raw().clone());
    }
    let Some(layout) = layout(format) else {
        // Black is zero in every format.
        if picture.as_raw().iter().all(|c| *c == 0) {
            return reserve::zeroed(picture.pixels().len() * format.bytes() as usize);
        }
        return Err(Error::unsupported(format!("a picture as texels of {}", format.name())));
    };
    let mut out = Vec::new();
    reserve::more_room(&mut out, picture.pixels().len() * format.bytes() as usize)?;
    for pixel in picture.pixels() {
        for component in &pixel.0[..layout.components] {
            let bytes = texel(*component, layout).to_le_bytes();
            out.extend_from_slice(&bytes[..layout.bytes]);
        }
    }
    Ok(out)
}

fn texel(component: u8, layout: Layout) -> u64 {
    let c = u64::from(component);
    match (layout.kind, layout.bytes) {
        (Kind::Int, _) | (Kind::Unorm, 1) => c,
        // Because 255 * 257 is 65535.
        (Kind::Unorm, _) => c * 257,
        (Kind::Snorm, 1) => (c * 127 + 127) / 255,
        (Kind::Snorm, _) => (c * 32767 + 127) / 255,
        (Kind::Float, 2) => half::f16::from_f32(f32::from(component) / 255.0).to_bits().into(),
        (Kind::Float, 4) => (f32::from(component) / 255.0).to_bits().into(),
        (Kind::Float, _) => (f64::from(component) / 255.0).to_bits(),
    }
}

/// Returns NumPy's name for the component type of a format, and the number of components.
pub(super) fn components(format: Format) -> Result<(&'static str, usize)> {
    let layout = layout(format).ok_or_else(|| {
        Error::unsupported(format!(
            "texels of {} as an array: their components are not whole bytes",
            format.name()
        ))
    })?;
    let signed = layout.kind == Kind::Snorm || format.name().ends_with("SINT");
    let kind = match (layout.kind, signed, layout.bytes) {
        (Kind::Float, _, 2) => "f2",
        (Kind::Float, _, 4) => "f4",
        (Kind::Float, ..) => "f8",
        (_, true, 1) => "i1",
        (_, true, 2) => "i2",
        (_, true, 4) => "i4",
        (_, true, _) => "i8",
        (_, false, 1) => "u1",
        (_, false, 2) => "u2",
        (_, false, 4) => "u4",
        (_, false, _) => "u8",
    };
    Ok((kind, layout.components))
}

/// Converts texels to a picture. Missing colours are 0, missing alpha is 1, and values are clamped to the range of 8
/// bits.
pub(super) fn decode(texels: &[u8], format: Format, (width, height): (u32, u32)) -> Result<RgbaImage> {
    let layout = layout(format).ok_or_else(|| {
        Error::unsupported(format!("texels of {} as a picture: read them as bytes", format.name()))
    })?;
    let mut pixels = reserve::zeroed::<u8>(4 * width as usize * height as usize)?;
    let bytes = layout.bytes * layout.components;
    for (pixel, texel) in pixels.chunks_exact_mut(4).zip(texels.chunks_exact(bytes)) {
        pixel[3] = 255;
        for (to, component) in pixel.iter_mut().zip(texel.chunks_exact(layout.bytes)) {
            let mut word = [0; 8];
            word[..layout.bytes].copy_from_slice(component);
            *to = byte(u64::from_le_bytes(word), layout, format.name().ends_with("SINT"));
        }
    }
    RgbaImage::from_raw(width, height, pixels)
        .ok_or_else(|| Error::Internal("a picture has another size than its pixels".into()))
}

/// Number of integers outside 0 to 255, which [`decode`] clamps; 0 if the format has no integers.
pub(super) fn integers_beyond_8_bits(texels: &[u8], format: Format) -> usize {
    let Some(layout) = layout(format).filter(|layout| layout.kind == Kind::Int) else { return 0 };
    let signed = format.name().ends_with("SINT");
    let is_beyond = |component: &&[u8]| {
        let mut word = [0; 8];
        word[..layout.bytes].copy_from_slice(component);
        let bits = u64::from_le_bytes(word);
        // The highest bit of a signed integer is its sign.
        bits > 255 || signed && bits >> (8 * layout.bytes - 1) == 1
    };
    texels.chunks_exact(layout.bytes).filter(is_beyond).count()
}

fn byte(bits: u64, layout: Layout, signed: bool) -> u8 {
    let unit = |x: f64| (x.clamp(0.0, 1.0) * 255.0).round() as u8;
    let shift = 64 - 8 * layout.bytes as u32;
    let value = ((bits << shift) as i64) >> shift;
    match (layout.kind, layout.bytes) {
        (Kind::Int, _) if signed => value.clamp(0, 255) as u8,
        (Kind::Int, _) => bits.min(255) as u8,
        (Kind::Unorm, 1) => bits as u8,
        (Kind::Unorm, _) => unit(bits as f64 / 65535.0),
        (Kind::Snorm, 1) => unit(value as f64 / 127.0),
        (Kind::Snorm, _) => unit(value as f64 / 32767.0),
        (Kind::Float, 2) => unit(half::f16::from_bits(bits as u16).into()),
        (Kind::Float, 4) => unit(f32::from_bits(bits as u32).into()),
        (Kind::Float, _) => unit(f64::from_bits(bits)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_go_in_and_out() {
        let picture = RgbaImage::from_raw(2, 1, vec![0, 51, 255, 255, 9, 102, 3, 255]).unwrap();
        for name in ["Rgba8", "Rgba16", "Rgba16f", "Rgba32f", "Rgba8ui", "Rgba32i", "Rgba16i"] {
            let format = format(name).unwrap();
            let texels = encode(&picture.clone().into(), format).unwrap();
            assert_eq!(texels.len(), 2 * format.bytes() as usize, "{name}");
            assert_eq!(decode(&texels, format, (2, 1)).unwrap(), picture, "{name}");
        }
        // With one component the other colours are 0 and alpha is 1.
        let texels = encode(&picture.into(), format("R32f").unwrap()).unwrap();
        assert_eq!(texels[4..], (9.0f32 / 255.0).to_le_bytes());
        let red = decode(&texels, format("R32f").unwrap(), (2, 1)).unwrap();
        assert_eq!(red.as_raw()[..], [0, 0, 0, 255, 9, 0, 0, 255]);
    }

    #[test]
    fn formats_by_name() {
        assert_eq!(format("Rg16Snorm").unwrap(), Format::R16G16_SNORM);
        assert_eq!(format("R11fG11fB10f").unwrap(), Format::B10G11R11_UFLOAT_PACK32);
        assert_eq!(format("Unknown").unwrap(), Format::R8G8B8A8_UNORM);
        assert!(format("Nonsense").is_err());
        let blank = RgbaImage::new(2, 2);
        assert_eq!(encode(&blank.into(), format("R11fG11fB10f").unwrap()).unwrap(), [0; 16]);
    }

    #[test]
    fn integers_that_bytes_do_not_hold() {
        let count = |format, texels: &[u8]| integers_beyond_8_bits(texels, format);
        assert_eq!(count(Format::R32_UINT, &[255, 0, 0, 0, 0, 1, 0, 0, 255, 255, 255, 255]), 2);
        assert_eq!(count(Format::R8G8B8A8_SINT, &[127, 128, 255, 0]), 2);
        assert_eq!((count(Format::R8_UINT, &[0, 255]), count(Format::R32_SFLOAT, &[255; 4])), (0, 0));
    }
}
