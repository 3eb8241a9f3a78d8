//! Picture files.

use std::path::Path;

use image::{DynamicImage, RgbaImage};
use quadrille::data::pixels;
use quadrille::{Error, files};

use crate::report::{Failure, Result};
use crate::watch;

/// Maximum width and height of a picture.
pub const MAX_SIDE: u32 = pixels::MAX_SIDE;

/// Parses a size, as in `640x360`.
pub fn parse_size(text: &str) -> std::result::Result<(u32, u32), String> {
    let (w, h) = text.split_once(['x', 'X']).ok_or("give width and height, as in 640x360")?;
    let side = |s: &str| match s.trim().parse::<u32>() {
        Ok(n) if (1..=MAX_SIDE).contains(&n) => Ok(n),
        _ => Err(format!("`{s}` is not a number of pixels from 1 to {MAX_SIDE}")),
    };
    Ok((side(w)?, side(h)?))
}

/// Reads a picture file; floats stay floats.
pub fn load(path: &Path) -> Result<DynamicImage> {
    decode(path, &watch::read(path).map_err(|e| Failure::file("read", path, &e))?)
}

/// Decodes the bytes of a picture file; floats stay floats.
pub fn decode(path: &Path, bytes: &[u8]) -> Result<DynamicImage> {
    pixels::decode(path, bytes).map_err(|e| match e {
        Error::Invalid { message, .. } => Failure::new(message),
        e => Failure::new(e.to_string()),
    })
}

/// Writes a PNG or a JPEG, regardless of the name: the whole file, or nothing.
pub fn save_as(pixels: &RgbaImage, path: &Path, jpeg: bool) -> Result<()> {
    let bytes =
        encode(pixels, jpeg).map_err(|e| Failure::new(format!("cannot write {}: {e}", path.display())))?;
    files::replace(path, &bytes).map_err(|e| Failure::file("write", path, &e))
}

/// Encodes a PNG or a JPEG.
pub fn encode(pixels: &RgbaImage, jpeg: bool) -> image::ImageResult<Vec<u8>> {
    let mut file = std::io::Cursor::new(Vec::new());
    match jpeg {
        true => {
            let rgb = DynamicImage::ImageRgba8(pixels.clone()).into_rgb8();
            rgb.write_to(&mut file, image::ImageFormat::Jpeg)?;
        }
        false => pixels.write_to(&mut file, image::ImageFormat::Png)?,
    }
    Ok(file.into_inner())
}
