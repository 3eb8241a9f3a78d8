//! Picture files.

use std::path::Path;

use image::{DynamicImage, RgbaImage};
use quadrille::data::pixels;
use quadrille::{Error, files};

use crate::report::{Failure, Result};
use crate::watch;

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
