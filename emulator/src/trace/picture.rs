//! Converts the texels of attachments to viewable pictures.
//!
//! Normalized colours are shown as stored. Floats are encoded as sRGB, because they usually hold linear light. Values
//! are clamped to 0 to 1. Depth, stencil and integers are scaled to the range of the values present, and grey unless the
//! format has several components. Alpha is not shown, because its meaning depends on the program.

use std::io::Cursor;

use image::{ImageFormat, RgbImage};
use quadrille_jit::reserve;
use quadrille_raster::format::{Aspects, Format, Numeric};

use crate::error::{Error, Result};

/// A picture of an attachment.
pub(crate) struct Shot {
    /// Name of the attachment: `color0`, `depth` or `stencil`.
    pub name: String,
    /// Description of the attachment.
    pub caption: String,
    /// Contents of the PNG file.
    pub png: Vec<u8>,
}

impl Shot {
    /// Creates a picture from tightly packed rows of texels; `caption` describes the attachment.
    pub fn new(name: String, caption: String, texels: (Format, [u32; 2], &[u8])) -> Result<Shot> {
        let (format, [width, height], bytes) = texels;
        let (rgb, note) = shown(format, bytes)?;
        let picture = RgbImage::from_raw(width, height, rgb)
            .ok_or_else(|| Error::Internal("a picture has another size than its texels".into()))?;
        let mut png = Cursor::new(Vec::new());
        picture.write_to(&mut png, ImageFormat::Png).map_err(|e| unwritten("a picture of a trace", &e))?;
        Ok(Shot { name, caption: format!("{caption}{note}"), png: png.into_inner() })
    }
}

/// Error of a picture that is not encoded: `Invalid` if a feature of the library is missing.
fn unwritten(what: &str, error: &image::ImageError) -> Error {
    match error {
        image::ImageError::Unsupported(_) => Error::invalid(format!(
            "{what}: {error}: the features `png` and `pictures` of the library write pictures"
        )),
        _ => Error::Internal(format!("{what}: {error}")),
    }
}

/// Returns red, green and blue of each texel, and a note on how to read them.
fn shown(format: Format, bytes: &[u8]) -> Result<(Vec<u8>, String)> {
    let size = (format.bytes() as usize).max(1);
    let texels = || bytes.chunks_exact(size).map(|texel| format.unpack_f32(texel));
    let mut rgb = Vec::new();
    reserve::more_room(&mut rgb, bytes.len() / size * 3)?;
    let aspects = format.aspects();
    let is_depth = aspects.contains(Aspects::DEPTH) || aspects.contains(Aspects::STENCIL);
    let numeric = format.info().numeric;
    if !is_depth && !numeric.is_integer() {
        let linear =
            matches!(numeric, Numeric::Sfloat | Numeric::Ufloat | Numeric::SharedExp | Numeric::Srgb);
        let byte = |x: f32| {
            let x = if linear { to_srgb(x) } else { x };
            // NaN becomes 0.
            (x.clamp(0.0, 1.0) * 255.0).round() as u8
        };
        rgb.extend(texels().flat_map(|[r, g, b, _]| [r, g, b].map(byte)));
        return Ok((rgb, String::new()));
    }
    // The components that the format has: the others would be zeros among the values.
    let colors = format.info().fields.iter().take(3).filter(|field| field.bits > 0).count();
    let n = if is_depth { 1 } else { colors };
    let finite = || texels().flat_map(move |texel| texel.into_iter().take(n)).filter(|x| x.is_finite());
    let (low, high) = finite().fold((f32::MAX, f32::MIN), |(low, high), x| (low.min(x), high.max(x)));
    // In 64 bits, in which no range of 32-bit values is infinite.
    let [low_end, high_end] = [low, high].map(f64::from);
    let grey = |x: f32| {
        let (x, range) = (f64::from(x), high_end - low_end);
        let x = if range > 0.0 { (x - low_end) / range } else { x };
        (x.clamp(0.0, 1.0) * 255.0).round() as u8
    };
    rgb.extend(texels().flat_map(|texel| match n {
        1 => [grey(texel[0]); 3],
        _ => [0, 1, 2].map(|i| if i < n { grey(texel[i]) } else { 0 }),
    }));
    let note = match () {
        () if low < high => format!(", black {low} to white {high}"),
        () if low == high => format!(", all {low}"),
        () => ", no finite value".into(),
    };
    Ok((rgb, note))
}

/// Encodes a linear component as sRGB. Spec: IEC 61966-2-1.
fn to_srgb(x: f32) -> f32 {
    if x <= 0.003_130_8 { x * 12.92 } else { 1.055 * x.powf(1.0 / 2.4) - 0.055 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(values: &[f32]) -> Vec<u8> {
        values.iter().flat_map(|v| v.to_le_bytes()).collect()
    }

    #[test]
    fn texels_become_colours() {
        let (rgb, note) = shown(Format::B8G8R8A8_UNORM, &[3, 2, 1, 0, 30, 20, 10, 255]).unwrap();
        assert_eq!((rgb.as_slice(), note.as_str()), (&[1, 2, 3, 10, 20, 30][..], ""));
        // Bytes of an sRGB format are shown as stored.
        let (rgb, _) = shown(Format::R8G8B8A8_SRGB, &[0, 128, 255, 9]).unwrap();
        assert_eq!(rgb, [0, 128, 255]);
        let (rgb, _) = shown(Format::R32G32B32A32_SFLOAT, &bytes(&[0.5, -1.0, f32::NAN, 1.0])).unwrap();
        assert_eq!(rgb, [188, 0, 0]);
    }

    #[test]
    fn depth_and_integers_are_stretched() {
        let (rgb, note) = shown(Format::D32_SFLOAT, &bytes(&[0.5, 0.75, 1.0])).unwrap();
        assert_eq!(rgb, [0, 0, 0, 128, 128, 128, 255, 255, 255]);
        assert_eq!(note, ", black 0.5 to white 1");
        let (rgb, note) = shown(Format::S8_UINT, &[7, 7]).unwrap();
        assert_eq!((rgb, note.as_str()), (vec![255; 6], ", all 7"));
        let (rgb, note) = shown(Format::R8_UINT, &[5, 6, 7]).unwrap();
        assert_eq!(rgb, [0, 0, 0, 128, 128, 128, 255, 255, 255]);
        assert_eq!(note, ", black 5 to white 7");
        let (rgb, note) = shown(Format::R8G8_UINT, &[1, 3, 2, 2]).unwrap();
        assert_eq!((rgb.as_slice(), note.as_str()), (&[0, 255, 0, 128, 128, 0][..], ", black 1 to white 3"));
        let (rgb, _) = shown(Format::D32_SFLOAT, &bytes(&[f32::MIN, 0.0, f32::MAX])).unwrap();
        assert_eq!(rgb, [0, 0, 0, 128, 128, 128, 255, 255, 255]);
        let (rgb, note) = shown(Format::D32_SFLOAT, &bytes(&[f32::NAN, f32::INFINITY])).unwrap();
        assert_eq!((rgb, note.as_str()), (vec![0, 0, 0, 255, 255, 255], ", no finite value"));
    }
}
