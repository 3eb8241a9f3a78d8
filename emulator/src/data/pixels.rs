//! Picture files with full precision: PNG and JPEG in 8 bits, 16-bit PNG, Radiance HDR and OpenEXR as floats. Writes
//! texels as OpenEXR and as NumPy arrays.
//!
//! Binding, comparing and writing pictures all use this module. [`crate::Picture`] is limited to 8 bits.

use std::path::Path;

use image::{DynamicImage, ImageFormat};
use quadrille_jit::reserve;
use quadrille_raster::format::Format;

use crate::error::{Error, Result, ensure, guard};

/// File extensions of pictures that [`decode`] reads.
pub const ENDINGS: &[&str] = &["png", "jpg", "jpeg", "hdr", "exr"];

/// Longest accepted side of a picture, in pixels.
pub const MAX_SIDE: u32 = 16384;

/// Bytes that decoding a picture may take.
const MAX_BYTES: u64 = 512 << 20;

/// Parses the size of a picture, as in `640x360`.
///
/// # Errors
/// A text of another form, or a side that is not between 1 and [`MAX_SIDE`]; the message states the limit.
pub fn parse_size(text: &str) -> std::result::Result<(u32, u32), String> {
    let sides = text.split_once(['x', 'X']).filter(|(w, h)| !w.trim().is_empty() && !h.trim().is_empty());
    let (w, h) = sides.ok_or_else(|| format!("`{text}`: give width and height, as in 640x360"))?;
    let side = |s: &str| match s.trim().parse::<u32>() {
        Ok(n) if (1..=MAX_SIDE).contains(&n) => Ok(n),
        _ => Err(format!("`{s}` is not a number of pixels from 1 to {MAX_SIDE}")),
    };
    Ok((side(w)?, side(h)?))
}

/// True if the file name has the extension of a picture.
pub fn is_picture(path: impl AsRef<Path>) -> bool {
    let ending = path.as_ref().extension().and_then(|e| e.to_str());
    ending.is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

/// Decodes a picture with the precision of its file; `path` is for messages.
fn decode_as_it_is(path: &Path, bytes: &[u8]) -> Result<DynamicImage> {
    let path = path.display();
    let fail = |e: image::ImageError| match e {
        image::ImageError::Limits(_) => Error::invalid(format!(
            "{path} is too large: pictures have up to {MAX_SIDE}x{MAX_SIDE} pixels and take up to {} MiB",
            MAX_BYTES >> 20
        )),
        e => Error::invalid(format!(
            "{path} cannot be read as a picture: {e} (PNG, JPEG, HDR and EXR are read)"
        )),
    };
    let decoded = guard("decoding a picture", || {
        let reader = image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format();
        let mut reader = reader.map_err(|e| fail(e.into()))?;
        let known = [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Hdr, ImageFormat::OpenExr];
        if let Some(format) = reader.format().filter(|format| !known.contains(format)) {
            return Err(Error::invalid(format!(
                "{path} is a picture of type {format:?}: PNG, JPEG, HDR and EXR are read"
            )));
        }
        let mut limits = image::Limits::default();
        limits.max_image_width = Some(MAX_SIDE);
        limits.max_image_height = Some(MAX_SIDE);
        limits.max_alloc = Some(MAX_BYTES);
        reader.limits(limits);
        if let Some(format) = reader.format().filter(|format| !format.reading_enabled()) {
            return Err(Error::invalid(format!(
                "{path} is a picture of type {format:?}, which the features `png` and `pictures` of the library read"
            )));
        }
        reader.decode().map_err(fail)
    });
    // A panic in a decoder is reported as a damaged picture.
    decoded.map_err(|e| match e {
        Error::Internal(message) => Error::invalid(format!("{path} is damaged: {message}")),
        other => other,
    })
}

/// Decodes the bytes of a picture file: to RGBA in 8 bits if the file has no more precision, else to RGBA floats.
/// `path` is for messages.
///
/// # Errors
/// `Invalid` if the bytes are not a picture, if a side is longer than [`MAX_SIDE`], or if decoding takes more than 512 MiB.
pub fn decode(path: impl AsRef<Path>, bytes: &[u8]) -> Result<DynamicImage> {
    let picture = decode_as_it_is(path.as_ref(), bytes)?;
    Ok(match picture.color().bytes_per_pixel() / picture.color().channel_count() {
        1 => DynamicImage::ImageRgba8(picture.into_rgba8()),
        _ => DynamicImage::ImageRgba32F(picture.into_rgba32f()),
    })
}

/// Decodes a picture to 8 bits; floats are refused because they do not fit.
pub(crate) fn decode_bytes(path: &Path, bytes: &[u8]) -> Result<image::RgbaImage> {
    let picture = decode_as_it_is(path, bytes)?;
    let is_float = matches!(picture, DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_));
    ensure(!is_float, || {
        format!("{} is a picture of floats, but 8 bits per component are required", path.display())
    })?;
    Ok(picture.into_rgba8())
}

/// Texels as floats, rows from the top.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatPicture {
    /// Width in texels.
    pub width: u32,
    /// Height in texels.
    pub height: u32,
    /// Red, green, blue, alpha.
    pub texels: Vec<[f32; 4]>,
}

impl FloatPicture {
    /// Converts texels of a format to floats; missing colours are 0, missing alpha is 1.
    ///
    /// # Errors
    /// `Invalid` for integer formats, and for a wrong number of bytes.
    pub fn of_texels((width, height): (u32, u32), format: Format, bytes: &[u8]) -> Result<FloatPicture> {
        let name = format.name();
        ensure(!format.is_integer(), || format!("texels of {name} are integers, not floats"))?;
        ensure(!format.is_compressed(), || format!("texels of {name} are blocks, not floats"))?;
        let n = (format.bytes() as usize).max(1);
        ensure(bytes.len() == n * width as usize * height as usize, || {
            format!("{} bytes for {width}x{height} texels of {name}", bytes.len())
        })?;
        let mut texels = reserve::zeroed(width as usize * height as usize)?;
        texels.iter_mut().zip(bytes.chunks_exact(n)).for_each(|(to, from)| *to = format.unpack_f32(from));
        Ok(FloatPicture { width, height, texels })
    }

    /// Decodes the bytes of a picture file to floats; `path` is for messages.
    ///
    /// # Errors
    /// Those of [`decode`].
    pub fn decode(path: impl AsRef<Path>, bytes: &[u8]) -> Result<FloatPicture> {
        let picture = decode_as_it_is(path.as_ref(), bytes)?.into_rgba32f();
        let (width, height) = picture.dimensions();
        Ok(FloatPicture { width, height, texels: picture.into_raw().as_chunks::<4>().0.to_vec() })
    }

    /// Encodes the picture as an OpenEXR file.
    ///
    /// # Errors
    /// `Invalid` without the feature `pictures`, and unless there is one texel for each pixel.
    pub fn exr(&self) -> Result<Vec<u8>> {
        exr(self.width, self.height, self.texels.as_flattened(), true)
    }

    /// Number of components that 8 bits cannot hold: values outside 0 to 1, and NaN.
    pub fn beyond_8_bits(&self) -> usize {
        self.texels.as_flattened().iter().filter(|v| !(0.0..=1.0).contains(*v)).count()
    }

    /// Compares with an expected picture. Components may differ by `tolerance`, and `pixels` pixels by more. All NaNs
    /// are equal.
    ///
    /// # Errors
    /// A description of the difference, if sizes or too many pixels differ.
    pub fn compare(
        &self,
        expected: &FloatPicture,
        tolerance: f32,
        pixels: usize,
    ) -> std::result::Result<(), String> {
        if (self.width, self.height) != (expected.width, expected.height) {
            return Err(format!(
                "{}x{} texels, expected {}x{}",
                self.width, self.height, expected.width, expected.height
            ));
        }
        if let Some(broken) = [self, expected]
            .into_iter()
            .find(|p| p.texels.len() as u64 != u64::from(p.width) * u64::from(p.height))
        {
            let (width, height) = (broken.width, broken.height);
            return Err(format!("a picture of {width}x{height} has {} texels", broken.texels.len()));
        }
        let same = |(a, b): (&f32, &f32)| a == b || (a.is_nan() && b.is_nan()) || (a - b).abs() <= tolerance;
        let mut wrong = self.texels.iter().zip(&expected.texels).enumerate();
        let wrong: Vec<usize> =
            wrong.by_ref().filter(|(_, (a, b))| !a.iter().zip(*b).all(same)).map(|(at, _)| at).collect();
        let Some(&first) = wrong.first().filter(|_| wrong.len() > pixels) else { return Ok(()) };
        Err(format!(
            "{} pixels differ, the first at ({}, {}): {:?}, expected {:?}",
            wrong.len(),
            first % self.width as usize,
            first / self.width as usize,
            self.texels[first],
            expected.texels[first]
        ))
    }
}

/// Encodes floats as an OpenEXR file of the channels `R`, `G`, `B` and, if `alpha`, `A`; a texel is that many floats.
///
/// One thread encodes: with several, blocks would stand in the order in which threads end, and the file would have
/// other bytes on each run.
///
/// # Errors
/// `Invalid` unless there are that many floats for each texel.
#[cfg(feature = "pictures")]
pub fn exr(width: u32, height: u32, floats: &[f32], alpha: bool) -> Result<Vec<u8>> {
    use exr::prelude::{Image, SpecificChannels, Vec2, WritableImage};
    let (size, components) = ((width as usize, height as usize), if alpha { 4 } else { 3 });
    if (width as u128 * height as u128 * components as u128) != floats.len() as u128 {
        let length = floats.len();
        return Err(Error::invalid(format!("{length} floats for {width}x{height} texels of {components}")));
    }
    let mut out = std::io::Cursor::new(Vec::new());
    let texel = |at: Vec2<usize>| &floats[(at.y() * size.0 + at.x()) * components..];
    let written = if alpha {
        let rgba = SpecificChannels::rgba(|at| {
            let t = texel(at);
            (t[0], t[1], t[2], t[3])
        });
        Image::from_channels(size, rgba).write().non_parallel().to_buffered(&mut out)
    } else {
        let rgb = SpecificChannels::rgb(|at| {
            let t = texel(at);
            (t[0], t[1], t[2])
        });
        Image::from_channels(size, rgb).write().non_parallel().to_buffered(&mut out)
    };
    written.map_err(|e| Error::Internal(format!("OpenEXR: {e}")))?;
    Ok(out.into_inner())
}

/// Refuses OpenEXR files, which the feature `pictures` writes.
///
/// # Errors
/// `Invalid` always.
#[cfg(not(feature = "pictures"))]
pub fn exr(_: u32, _: u32, _: &[f32], _: bool) -> Result<Vec<u8>> {
    Err(Error::invalid("OpenEXR: the feature `pictures` of the library writes it"))
}

/// Encodes a NumPy file (`.npy`, version 1.0). `kind` is the element type (`f4`, `u1`); elements are little-endian, and
/// the last index varies fastest.
///
/// # Errors
/// `OutOfMemory` if the host lacks memory for the file.
pub fn npy(kind: &str, shape: &[usize], elements: &[u8]) -> Result<Vec<u8>> {
    let order = if kind.ends_with('1') { '|' } else { '<' };
    let sides: Vec<String> = shape.iter().map(|side| format!("{side},")).collect();
    let mut header =
        format!("{{'descr': '{order}{kind}', 'fortran_order': False, 'shape': ({}), }}", sides.join(" "));
    // Magic, version and length take 10 bytes. The header ends with a newline, and elements begin at a multiple of 64.
    let padded = (10 + header.len() + 1).next_multiple_of(64) - 11;
    header = format!("{header:padded$}\n");
    let mut out = Vec::new();
    reserve::more_room(&mut out, 10 + header.len() + elements.len())?;
    out.extend(b"\x93NUMPY\x01\x00");
    out.extend((header.len() as u16).to_le_bytes());
    out.extend(header.as_bytes());
    out.extend(elements);
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Several blocks of lines, so that threads could write them in any order.
    #[cfg(feature = "pictures")]
    #[test]
    fn files_of_exr_have_the_same_bytes() {
        let floats: Vec<f32> = (0..512 * 512 * 3).map(|i| (i % 1021 * 7) as f32).collect();
        let file = exr(512, 512, &floats, false).unwrap();
        for _ in 0..8 {
            assert!(exr(512, 512, &floats, false).unwrap() == file);
        }
        let back = FloatPicture::decode("a.exr", &file).unwrap();
        assert!(back.texels.iter().flat_map(|t| &t[..3]).eq(&floats));
        for (width, height, length) in [(1, 1, 4), (2, 1, 3), (u32::MAX, u32::MAX, 3), (1, 1, 0)] {
            assert!(matches!(exr(width, height, &floats[..length], false), Err(Error::Invalid { .. })));
        }
        let _ = exr(0, 0, &[], true);
    }

    /// The example in NumPy's description of the format, and the output of `numpy.save` for two bytes.
    #[test]
    fn arrays_of_numpy() {
        let file = npy("f4", &[1, 2], &[0; 8]).unwrap();
        assert_eq!(&file[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([file[8], file[9]]));
        assert_eq!((10 + length) % 64, 0);
        let header = std::str::from_utf8(&file[10..10 + length]).unwrap();
        assert_eq!(header.trim_end(), "{'descr': '<f4', 'fortran_order': False, 'shape': (1, 2,), }");
        assert!(header.ends_with('\n'));
        assert_eq!(file.len(), 10 + length + 8);
        assert!(String::from_utf8_lossy(&npy("u1", &[2], &[7, 8]).unwrap()).contains("'|u1'"));
    }

    #[cfg(feature = "pictures")]
    #[test]
    fn floats_go_in_and_out_of_exr() {
        let texels = vec![[0.0, -2.5, 1e6, 1.0], [f32::INFINITY, 1e-7, 0.25, 0.5]];
        let picture = FloatPicture { width: 2, height: 1, texels };
        let file = picture.exr().unwrap();
        assert_eq!(FloatPicture::decode("a.exr", &file).unwrap(), picture);
        let bound = decode("a.exr", &file).unwrap();
        assert_eq!(bound.as_rgba32f().unwrap().as_raw()[..], *picture.texels.as_flattened());
        assert!(decode_bytes(Path::new("a.exr"), &file).unwrap_err().to_string().contains("floats"));
        assert_eq!(picture.beyond_8_bits(), 3);
        let mut other = picture.clone();
        other.texels[1][3] = 0.75;
        let wrong = picture.compare(&other, 0.125, 0).unwrap_err();
        assert!(wrong.starts_with("1 pixels differ, the first at (1, 0)"), "{wrong}");
        picture.compare(&other, 0.25, 0).unwrap();
        picture.compare(&other, 0.0, 1).unwrap();
        picture.compare(&picture, 0.0, 0).unwrap();
    }

    /// A picture beyond the limits is one of a known format, and the error has the limits.
    #[test]
    fn pictures_have_limits() {
        for (width, height) in [(MAX_SIDE + 1, 1), (1, MAX_SIDE + 1)] {
            let mut file = std::io::Cursor::new(Vec::new());
            image::GrayImage::new(width, height).write_to(&mut file, ImageFormat::Png).unwrap();
            let text = decode("long.png", file.get_ref()).unwrap_err().to_string();
            assert!(text.contains("long.png is too large: pictures have up to 16384x16384 pixels"), "{text}");
            assert!(text.contains("512 MiB") && !text.contains("JPEG"), "{text}");
        }
    }

    #[test]
    fn sixteen_bits_are_kept() {
        let mut file = std::io::Cursor::new(Vec::new());
        let deep = image::ImageBuffer::<image::Luma<u16>, _>::from_raw(1, 1, vec![257u16]).unwrap();
        deep.write_to(&mut file, ImageFormat::Png).unwrap();
        let read = decode("deep.png", file.get_ref()).unwrap();
        assert_eq!(
            read.as_rgba32f().unwrap().as_raw()[..],
            [257.0 / 65535.0, 257.0 / 65535.0, 257.0 / 65535.0, 1.0]
        );
    }
}
