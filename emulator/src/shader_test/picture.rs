//! Pictures and their comparison, exact or within a tolerance, with a picture of the differences.

use std::fmt;
use std::path::Path;

use quadrille_jit::reserve;
use quadrille_languages::files;

use super::mismatch::Mismatch;
use crate::data::pixels;
use crate::error::{Error, Result, ensure};

/// A picture of 8-bit R, G, B, A texels.
#[derive(Clone, PartialEq, Eq)]
pub struct Picture {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Rows from the top, pixels from the left.
    pub pixels: Vec<[u8; 4]>,
}

impl fmt::Debug for Picture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Picture({}x{})", self.width, self.height)
    }
}

/// Largest accepted difference between pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tolerance {
    /// Largest difference of a component.
    pub component: u8,
    /// Number of pixels that may differ by more.
    pub pixels: usize,
}

impl Tolerance {
    /// All bytes must be equal.
    pub const EXACT: Tolerance = Tolerance { component: 0, pixels: 0 };

    /// Allows components to differ by this much.
    pub fn components(component: u8) -> Self {
        Tolerance { component, pixels: 0 }
    }
}

impl Picture {
    /// Creates a picture of one colour.
    ///
    /// # Errors
    /// `OutOfMemory` if the host has too little memory.
    pub fn filled(width: u32, height: u32, color: [u8; 4]) -> Result<Self> {
        let pixels = reserve::filled(color, (width as usize).saturating_mul(height as usize))?;
        Ok(Picture { width, height, pixels })
    }

    /// Creates a picture from rows of R, G, B, A bytes.
    ///
    /// # Errors
    /// `Invalid` unless there are four bytes for each pixel.
    pub fn from_bytes(width: u32, height: u32, bytes: &[u8]) -> Result<Self> {
        let (pixels, rest) = bytes.as_chunks::<4>();
        ensure(rest.is_empty() && pixels.len() == width as usize * height as usize, || {
            format!("{} bytes for a picture of {width}x{height}", bytes.len())
        })?;
        Ok(Picture { width, height, pixels: pixels.to_vec() })
    }

    /// Returns a pixel; outside the picture it is transparent black.
    pub fn pixel(&self, x: u32, y: u32) -> [u8; 4] {
        let inside = x < self.width && y < self.height;
        let at = y as usize * self.width as usize + x as usize;
        if inside { self.pixels.get(at).copied().unwrap_or_default() } else { [0; 4] }
    }

    /// Returns the R, G, B, A bytes, row by row.
    pub fn bytes(&self) -> &[u8] {
        self.pixels.as_flattened()
    }

    /// Longest accepted side of a picture, in pixels.
    pub const MAX_SIDE: u32 = pixels::MAX_SIDE;

    /// Reads a PNG file (feature `png`) or a JPEG file (feature `pictures`). The path is relative to the current folder
    /// of the process, which `cargo test` sets to the folder of the package.
    ///
    /// # Errors
    /// `Invalid`, with the name of the file, if it cannot be read or decoded, for example because the feature is
    /// missing. `Invalid` also for files of floats, and if a side is longer than [`MAX_SIDE`](Self::MAX_SIDE).
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let bytes = files::given(path, files::MAX_DATA_BYTES)
            .map_err(|e| Error::invalid(format!("{}: {e}", path.display())))?;
        Picture::decode(path, &bytes)
    }

    /// Decodes the bytes of a PNG or JPEG file; `path` is for messages.
    ///
    /// # Errors
    /// Those of [`load`](Self::load), except those of reading the file.
    pub fn decode(path: impl AsRef<Path>, bytes: &[u8]) -> Result<Self> {
        let picture = pixels::decode_bytes(path.as_ref(), bytes)?;
        let (width, height) = picture.dimensions();
        Picture::from_bytes(width, height, picture.as_raw())
    }

    /// True if there is one element of `pixels` for each pixel.
    fn is_whole(&self) -> bool {
        self.pixels.len() as u64 == u64::from(self.width) * u64::from(self.height)
    }

    /// Writes a PNG file, and creates its folder. The path is relative as for [`load`](Self::load).
    ///
    /// # Errors
    /// `Invalid`, with the name of the file, if it cannot be written, and without the feature `png`. `Invalid` unless
    /// `pixels` has an element for each pixel. The extension
    /// selects the format, so `Invalid` also for extensions other than `.png`: other formats do not take the 8-bit
    /// components R, G, B, A.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<()> {
        let path = path.as_ref();
        ensure(self.is_whole(), || self.sizes())?;
        if let Some(folder) = path.parent() {
            // If this fails, writing the file reports the reason.
            let _ = std::fs::create_dir_all(folder);
        }
        let color = image::ExtendedColorType::Rgba8;
        let mut file = std::io::Cursor::new(Vec::new());
        image::ImageFormat::from_path(path)
            .and_then(|format| {
                let (width, height) = (self.width, self.height);
                image::write_buffer_with_format(&mut file, self.bytes(), width, height, color, format)
            })
            .and_then(|()| Ok(reserve::write_file(path, file.get_ref())?))
            .map_err(|e| Error::invalid(format!("{}: {e}", path.display())))
    }

    fn sizes(&self) -> String {
        format!("a picture of {}x{} has {} pixels", self.width, self.height, self.pixels.len())
    }

    /// Compares with another picture. If they differ too much, writes the expected, difference and actual pictures side
    /// by side to `diff`, if given.
    ///
    /// # Errors
    /// A [`Mismatch`] if the sizes differ, or if more pixels than the tolerance allows differ by more than it allows.
    pub fn compare(
        &self,
        expected: &Picture,
        tolerance: Tolerance,
        diff: Option<&Path>,
    ) -> Result<(), Mismatch> {
        let mut mismatch = Mismatch::default();
        if (self.width, self.height) != (expected.width, expected.height) {
            mismatch.reason = Some(format!(
                "{}x{} pixels, expected {}x{}",
                self.width, self.height, expected.width, expected.height
            ));
        }
        if let Some(broken) = [self, expected].into_iter().find(|picture| !picture.is_whole()) {
            mismatch.reason = Some(broken.sizes());
        }
        let differences = self.pixels.iter().zip(&expected.pixels).map(|(a, b)| difference(*a, *b));
        for (i, by) in differences.enumerate() {
            mismatch.largest = mismatch.largest.max(by);
            if by > tolerance.component {
                mismatch.pixels += 1;
                let width = self.width.max(1);
                let at = [i as u32 % width, i as u32 / width];
                mismatch.first.get_or_insert(at);
            }
        }
        if mismatch.reason.is_none() && mismatch.pixels <= tolerance.pixels {
            return Ok(());
        }
        if let Some(path) = diff
            && self.side_by_side(expected).and_then(|sides| sides.save(path)).is_ok()
        {
            mismatch.diff = Some(path.to_path_buf());
        }
        Err(mismatch)
    }

    /// Returns the expected, difference (white if equal, red in proportion to the difference) and actual pictures side
    /// by side.
    pub(super) fn side_by_side(&self, expected: &Picture) -> Result<Picture> {
        let (width, height) = (self.width.max(expected.width), self.height.max(expected.height));
        let mut out = Picture::filled(width.saturating_mul(3), height, [0; 4])?;
        for y in 0..height {
            for x in 0..width {
                let (a, b) = (self.pixel(x, y), expected.pixel(x, y));
                let rest = match difference(a, b) {
                    0 => 255,
                    // Small differences must be visible too.
                    by => 160 - (by / 2).min(127) - 32,
                };
                let row = y as usize * out.width as usize + x as usize;
                let step = width as usize;
                out.pixels[row] = b;
                out.pixels[row + step] = [255, rest, rest, 255];
                out.pixels[row + 2 * step] = a;
            }
        }
        Ok(out)
    }
}

fn difference(a: [u8; 4], b: [u8; 4]) -> u8 {
    a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerance_counts_pixels_and_components() {
        let a = Picture::filled(4, 2, [10, 20, 30, 255]).unwrap();
        let mut b = a.clone();
        b.pixels[5] = [13, 20, 30, 255];
        assert!(a.compare(&a, Tolerance::EXACT, None).is_ok());
        assert!(b.compare(&a, Tolerance::components(3), None).is_ok());
        assert!(b.compare(&a, Tolerance { component: 0, pixels: 1 }, None).is_ok());
        let e = b.compare(&a, Tolerance::components(2), None).unwrap_err();
        assert_eq!((e.pixels, e.largest, e.first), (1, 3, Some([1, 1])));
        assert!(a.compare(&Picture::filled(2, 2, [0; 4]).unwrap(), Tolerance::EXACT, None).is_err());
    }

    #[test]
    fn a_picture_that_cannot_be_had_is_an_error() {
        for (width, height) in [(u32::MAX, u32::MAX), (1 << 31, 1 << 31)] {
            let error = Picture::filled(width, height, [0; 4]).unwrap_err();
            assert!(matches!(error, Error::OutOfMemory(_)), "{error}");
        }
    }

    #[test]
    fn a_diff_picture_is_written() {
        let folder = std::env::temp_dir().join(format!("quadrille-picture-{}", std::process::id()));
        let of = |red| Picture::filled(3, 2, [red, 0, 0, 255]).unwrap();
        let (a, b) = (of(0), of(9));
        let path = folder.join("x.diff.png");
        let e = a.compare(&b, Tolerance::EXACT, Some(&path)).unwrap_err();
        assert_eq!(e.diff.as_deref(), Some(&*path));
        let diff = Picture::load(&path).unwrap();
        assert_eq!((diff.width, diff.height), (9, 2));
        assert_eq!(diff.pixel(0, 0), [9, 0, 0, 255]);
        assert_eq!(diff.pixel(6, 0), [0, 0, 0, 255]);
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn encoded(format: image::ImageFormat) -> Vec<u8> {
        let picture = image::RgbImage::from_fn(24, 17, |x, y| image::Rgb([x as u8 * 9, y as u8 * 13, 77]));
        let mut out = std::io::Cursor::new(Vec::new());
        picture.write_to(&mut out, format).unwrap();
        out.into_inner()
    }

    /// A damaged file gives a picture or an error that names the file; a truncated PNG always gives an error.
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
                // The last twelve bytes of a PNG only mark its end.
                bytes.truncate(random(bytes.len() - if png { 12 } else { 0 }));
            } else {
                for _ in 0..=random(4) {
                    let at = random(bytes.len());
                    bytes[at] = if random(2) == 0 { random(256) as u8 } else { bytes[at] ^ (1 << random(8)) };
                }
            }
            match Picture::decode("damaged.png", &bytes) {
                Ok(_) => assert!(!(png && cut), "case {case}: {} bytes", bytes.len()),
                Err(e) => {
                    errors += 1;
                    assert!(e.to_string().contains("damaged.png"), "case {case}: {e}");
                }
            }
        }
        assert!(errors > 5000, "{errors}");
    }
}
