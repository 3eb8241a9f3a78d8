//! Goldens: picture files with which drawn pictures are compared.
//!
//! The comparison is exact, unless a [`Measure`] allows differences. On a mismatch, the expected picture, the actual
//! one and the difference are written to files. Blessing writes the golden itself.

pub mod flip;

use std::path::{Path, PathBuf};

use quadrille::data::pixels::FloatPicture;
use quadrille::files::{Folders, MAX_DATA_BYTES};
use quadrille::{Picture, Tolerance};

use crate::outcome::{Failure, Pictures, Place};

/// Method of comparison of pictures.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Measure {
    /// Components may differ by the tolerance, and a number of pixels by more. By default all bytes must be equal.
    Components(Tolerance),
    /// The mean of [`flip`](flip::flip) must not exceed this; alpha must be equal.
    Flip(f32),
    /// Components as floats may differ by the tolerance, and a number of pixels by more.
    Floats {
        /// Maximum difference of a component.
        tolerance: f32,
        /// Number of pixels that may differ by more.
        pixels: usize,
    },
}

/// Output folder of pictures, and whether goldens are written.
#[derive(Clone, Debug)]
pub struct Keep<'a> {
    /// Folder for differing pictures.
    pub folder: &'a Path,
    /// Name of the test.
    pub test: &'a str,
    /// True to write goldens instead of comparing.
    pub bless: bool,
}

/// Compares with a golden in one of the folders; a failure lists the files that were written.
pub fn check(
    actual: &Picture,
    golden: &Path,
    within: &Folders,
    measure: Measure,
    keep: &Keep<'_>,
    place: Place,
) -> Result<(), Failure> {
    let shown = golden.display();
    let fail = |message: String| Failure::new(message, Some(place.clone()));
    let known = within.read(golden, MAX_DATA_BYTES);
    let known = known
        .map_err(|e| quadrille::Error::invalid(format!("cannot read {shown}: {e}")))
        .and_then(|bytes| Picture::decode(golden, &bytes));
    if keep.bless {
        // A golden that already matches is left unchanged.
        if known.is_ok_and(|known| matches(actual, &known, measure).is_ok()) {
            return Ok(());
        }
        let failed = |e: &dyn std::fmt::Display| fail(format!("cannot write {shown}: {e}"));
        let bytes = png(actual).map_err(|e| failed(&e))?;
        return within.write(golden, &bytes).map_err(|e| failed(&e));
    }
    let (message, expected) = match known {
        Ok(expected) => match matches(actual, &expected, measure) {
            Ok(()) => return Ok(()),
            Err(message) => (format!("differs from {shown}: {message}"), Some(expected)),
        },
        Err(e) if golden.exists() => return Err(fail(e.to_string())),
        Err(_) => (format!("there is no golden {shown} yet"), None),
    };
    let mut failure = fail(format!("{message}\n{BLESS}"));
    match write(actual, expected.as_ref(), golden, measure, keep) {
        Ok(pictures) => failure.pictures = Some(Box::new(pictures)),
        Err(e) => failure.message = format!("{}\n{e}", failure.message),
    }
    Err(failure)
}

/// Advice at the end of a failed comparison.
const BLESS: &str = "look at the pictures; --bless, or QUADRILLE_BLESS=1, writes a new golden";

/// Compares floats with an OpenEXR golden in one of the folders; a failure has the file that was written.
pub fn check_floats(
    actual: &FloatPicture,
    golden: &Path,
    within: &Folders,
    (tolerance, pixels): (f32, usize),
    keep: &Keep<'_>,
    place: Place,
) -> Result<(), Failure> {
    let shown = golden.display();
    let fail = |message: String| Failure::new(message, Some(place.clone()));
    let matches = |known: &FloatPicture| actual.compare(known, tolerance, pixels);
    let known = within.read(golden, MAX_DATA_BYTES).map_err(|e| format!("cannot read {shown}: {e}"));
    let known = known.and_then(|bytes| FloatPicture::decode(golden, &bytes).map_err(|e| e.to_string()));
    let wrong = known.as_ref().map(matches);
    if matches!(wrong, Ok(Ok(()))) {
        return Ok(());
    }
    let bytes = actual.exr().map_err(|e| fail(e.to_string()))?;
    if keep.bless {
        return within.write(golden, &bytes).map_err(|e| fail(format!("cannot write {shown}: {e}")));
    }
    let message = match wrong {
        Ok(Err(message)) => format!("differs from {shown}: {message}"),
        Err(e) if golden.exists() => return Err(fail(e.clone())),
        Ok(Ok(())) | Err(_) => format!("there is no golden {shown} yet"),
    };
    let path = kept(golden, "actual.exr", keep);
    let told = match quadrille::files::replace(&path, &bytes) {
        Ok(()) => format!("the drawn picture is in {}", path.display()),
        Err(e) => format!("cannot write {}: {e}", path.display()),
    };
    Err(fail(format!("{message}\n{told}\n{BLESS}")))
}

/// Path of a file that belongs to a golden.
fn kept(golden: &Path, what: &str, keep: &Keep<'_>) -> PathBuf {
    let plain: String =
        keep.test.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    // The number distinguishes names that become equal in this alphabet.
    let number = keep.test.bytes().fold(0u32, |h, b| h.wrapping_mul(31).wrapping_add(b.into()));
    let stem = golden.file_stem().map_or("picture".into(), |s| s.to_string_lossy());
    keep.folder.join(format!("{plain}-{number:08x}")).join(format!("{stem}.{what}"))
}

/// Fails with a description if the pictures do not match.
fn matches(actual: &Picture, expected: &Picture, measure: Measure) -> Result<(), String> {
    match measure {
        // Floats are compared by `check_floats`.
        Measure::Floats { .. } => Err("an 8-bit picture is compared with a float picture".into()),
        Measure::Components(tolerance) => {
            actual.compare(expected, tolerance, None).map_err(|mismatch| mismatch.to_string())
        }
        Measure::Flip(most) => {
            let size = |p: &Picture| (p.width, p.height);
            if size(actual) != size(expected) {
                return actual.compare(expected, Tolerance::EXACT, None).map_err(|m| m.to_string());
            }
            let both = actual.pixels.iter().zip(&expected.pixels);
            let alpha = both.filter(|(a, b)| a[3] != b[3]).count();
            if alpha > 0 {
                return Err(format!("alpha differs in {alpha} pixels"));
            }
            if actual == expected {
                return Ok(());
            }
            let mean = flip::mean(&flip::flip(expected, actual));
            if mean <= most { Ok(()) } else { Err(format!("FLIP error {mean:.6}, at most {most}")) }
        }
    }
}

/// Writes the actual picture, the expected one and the difference.
fn write(
    actual: &Picture,
    expected: Option<&Picture>,
    golden: &Path,
    measure: Measure,
    keep: &Keep<'_>,
) -> Result<Pictures, String> {
    let put = |picture: &Picture, what: &str| {
        let path = kept(golden, &format!("{what}.png"), keep);
        save(picture, &path).map(|()| path)
    };
    Ok(Pictures {
        expected: expected.map(|picture| put(picture, "expected")).transpose()?,
        actual: put(actual, "actual")?,
        difference: expected
            .filter(|e| (e.width, e.height) == (actual.width, actual.height))
            .map(|expected| put(&difference(actual, expected, measure), "difference"))
            .transpose()?,
    })
}

/// White where the pictures are equal, red in proportion to the difference.
fn difference(actual: &Picture, expected: &Picture, measure: Measure) -> Picture {
    let amounts: Vec<f32> = match measure {
        Measure::Flip(_) => flip::flip(expected, actual),
        Measure::Components(_) | Measure::Floats { .. } => {
            let by = |(a, b): (&[u8; 4], &[u8; 4])| {
                let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
                f32::from(most) / 255.0
            };
            actual.pixels.iter().zip(&expected.pixels).map(by).collect()
        }
    };
    let shade = |by: &f32| {
        // Small differences must be visible, too.
        let rest = if *by == 0.0 { 255 } else { 160 - (by.min(1.0) * 160.0) as u8 };
        [255, rest, rest, 255]
    };
    let pixels = amounts.iter().map(shade).collect();
    Picture { width: actual.width, height: actual.height, pixels }
}

/// Writes a PNG as a whole, or not at all.
fn save(picture: &Picture, path: &Path) -> Result<(), String> {
    let failed = |e: &dyn std::fmt::Display| format!("cannot write {}: {e}", path.display());
    let bytes = png(picture).map_err(|e| failed(&e))?;
    quadrille::files::replace(path, &bytes).map_err(|e| failed(&e))
}

/// Encodes a PNG.
pub(crate) fn png(picture: &Picture) -> Result<Vec<u8>, image::ImageError> {
    let mut bytes = std::io::Cursor::new(Vec::new());
    let (color, format) = (image::ExtendedColorType::Rgba8, image::ImageFormat::Png);
    let (width, height) = (picture.width, picture.height);
    image::write_buffer_with_format(&mut bytes, picture.bytes(), width, height, color, format)?;
    Ok(bytes.into_inner())
}
