//! Picture files.

use std::path::Path;

use image::RgbaImage;

use crate::report::{Failure, Result};

/// Longest side of a picture.
pub const MAX_SIDE: u32 = 16384;

/// `640x360`.
pub fn parse_size(text: &str) -> std::result::Result<(u32, u32), String> {
    let (w, h) = text.split_once(['x', 'X']).ok_or("give width and height, as in 640x360")?;
    let side = |s: &str| match s.trim().parse::<u32>() {
        Ok(n) if (1..=MAX_SIDE).contains(&n) => Ok(n),
        _ => Err(format!("`{s}` is not a number of pixels from 1 to {MAX_SIDE}")),
    };
    Ok((side(w)?, side(h)?))
}

/// Reads a PNG or JPEG file.
pub fn load(path: &Path) -> Result<RgbaImage> {
    decode(path, &std::fs::read(path).map_err(|e| Failure::file("read", path, &e))?)
}

/// Reads the bytes of a PNG or JPEG file.
pub fn decode(path: &Path, bytes: &[u8]) -> Result<RgbaImage> {
    let failed = |e: image::ImageError| {
        Failure::new(format!("{} is no picture that can be read: {e}", path.display()))
            .help("PNG and JPEG are read")
    };
    let reader = image::ImageReader::new(std::io::Cursor::new(bytes)).with_guessed_format();
    let mut reader = reader.map_err(|e| failed(e.into()))?;
    let mut limits = image::Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    reader.limits(limits);
    Ok(reader.decode().map_err(failed)?.into_rgba8())
}

/// Writes a PNG or, by extension, a JPEG.
pub fn save(pixels: &RgbaImage, path: &Path) -> Result<()> {
    let jpeg = path.extension().is_some_and(|e| !e.eq_ignore_ascii_case("png"));
    let saved = if jpeg {
        image::DynamicImage::ImageRgba8(pixels.clone()).into_rgb8().save(path)
    } else {
        pixels.save(path)
    };
    saved.map_err(|e| match e {
        image::ImageError::IoError(e) => Failure::file("write", path, &e),
        e => Failure::new(format!("cannot write {}: {e}", path.display())),
    })
}
