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

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(format: image::ImageFormat) -> Vec<u8> {
        let picture = image::RgbImage::from_fn(24, 17, |x, y| image::Rgb([x as u8 * 9, y as u8 * 13, 77]));
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    /// Files cut short or with wrong bytes give a picture or an error that names the file; a PNG cut short
    /// always gives an error.
    #[test]
    fn damaged_files_are_errors() {
        let mut state = 1u64;
        let mut random = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as usize) % n
        };
        let mut errors = 0;
        for case in 0..10_000 {
            let png = case % 2 == 0;
            let mut bytes = encoded(if png { image::ImageFormat::Png } else { image::ImageFormat::Jpeg });
            let cut = random(3) == 0;
            if cut {
                // The last twelve bytes of a PNG say only that it ends.
                bytes.truncate(random(bytes.len() - if png { 12 } else { 0 }));
            } else {
                for _ in 0..=random(4) {
                    let at = random(bytes.len());
                    bytes[at] = if random(2) == 0 { random(256) as u8 } else { bytes[at] ^ (1 << random(8)) };
                }
            }
            match decode(Path::new("damaged.png"), &bytes) {
                Ok(_) => assert!(!(png && cut), "case {case}: {} bytes", bytes.len()),
                Err(Failure::Report(e)) => {
                    errors += 1;
                    assert!(e.to_string().contains("damaged.png"), "case {case}: {e}");
                }
                Err(Failure::Quiet) => panic!("case {case}: nothing is said"),
            }
        }
        assert!(errors > 5000, "{errors}");
    }
}
