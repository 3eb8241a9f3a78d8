//! Sums of samples in fixed point, and their noise.

use quadrille::{Error, Result};

use super::parts::{MAX_PARTS, Parts};

/// Sums of a pixel: light, colours without tone mapping and their part, squared brightness, albedo, normal, depth, covered
/// part, number of samples with a depth.
pub(super) const PER_PIXEL: u32 = 17;
/// Maximum number of pixels: the sums are one storage buffer.
pub(super) const MAX_PIXELS: u64 = 1 << 24;

/// First sum of each quantity, as `path.wgsl` numbers them.
pub(super) const LIGHT: usize = 0;
pub(super) const PLAIN: usize = 3;
pub(super) const SQUARE: usize = 7;
pub(super) const ALBEDO: usize = 8;
pub(super) const NORMAL: usize = 11;
pub(super) const DEPTH: usize = 14;
pub(super) const SEEN: usize = 16;

/// Value of the lowest bit.
const UNIT: f64 = 1.0 / (1u64 << 28) as f64;
/// First bytes of a file.
const MAGIC: &[u8; 8] = b"QSUMS\x02\0\0";
/// First bytes of a file that says neither which samples it contains nor of what picture.
const OLD_MAGIC: &[u8; 8] = b"QSUMS\x01\0\0";

/// Bytes of a file before the ranges of samples, which the sums follow.
const HEAD: usize = 32;

/// Sums of the samples of a picture. Sums of different samples of the same picture can be added in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    pub(super) width: u32,
    pub(super) height: u32,
    /// Number of the picture; see [`Identity`](super::identity::Identity).
    pub(super) picture: u64,
    pub(super) parts: Parts,
    /// For each pixel and quantity, a signed number in fixed point.
    pub(super) words: Vec<i64>,
}

impl Sums {
    /// Largest size of a file, in bytes.
    pub const MAX_BYTES: u64 = HEAD as u64 + MAX_PARTS as u64 * 8 + MAX_PIXELS * PER_PIXEL as u64 * 8;

    /// Number of samples per pixel.
    pub fn samples(&self) -> u32 {
        self.parts.count()
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Adds the sums of other samples.
    ///
    /// Returns `Invalid` if the pictures differ (in size, scene, camera or light), or if a sample is in both. The exposure
    /// is that of the picture that is made of the sums.
    pub fn add(&mut self, other: &Sums) -> Result<()> {
        if self.size() != other.size() || self.words.len() != other.words.len() {
            let ((w, h), (x, y)) = (self.size(), other.size());
            return Err(Error::invalid(format!("sums of a picture of {x}x{y} added to one of {w}x{h}")));
        }
        if self.picture != other.picture {
            return Err(Error::invalid(
                "the sums are of another picture: its scene, camera or light differs",
            ));
        }
        self.parts.add_all(&other.parts)?;
        for (sum, more) in self.words.iter_mut().zip(&other.words) {
            *sum = sum.wrapping_add(*more);
        }
        Ok(())
    }

    /// Mean of a quantity of a pixel over its samples.
    pub(super) fn mean(&self, pixel: usize, quantity: usize) -> f64 {
        mean(self.words[pixel * PER_PIXEL as usize + quantity], self.samples())
    }

    /// Estimate of the standard errors of all pixels, relative to the brightness of the picture; infinite for fewer than
    /// two samples.
    pub fn noise(&self) -> f64 {
        noise(&self.words, self.samples())
    }

    /// Bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        let parts = self.parts.ranges();
        let head = [self.width, self.height, PER_PIXEL, parts.len() as u32];
        out.extend(head.iter().flat_map(|n| n.to_le_bytes()));
        out.extend(self.picture.to_le_bytes());
        out.extend(parts.iter().flat_map(|part| [part.start, part.end]).flat_map(u32::to_le_bytes));
        out.extend(self.words.iter().flat_map(|n| n.to_le_bytes()));
        out
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Sums> {
        let other = || Error::invalid("the sums are from another version: render them again");
        if bytes.starts_with(OLD_MAGIC) {
            return Err(other());
        }
        let wrong = || Error::invalid("the file does not contain the sums of a path-traced picture");
        let (head, rest) = bytes.split_first_chunk::<HEAD>().ok_or_else(wrong)?;
        let words = head.as_chunks::<4>().0;
        let [width, height, per_pixel, count, low, high] =
            [2, 3, 4, 5, 6, 7].map(|i| u32::from_le_bytes(words[i]));
        // Versions differ in the quantities of a pixel.
        if head.starts_with(MAGIC) && per_pixel != PER_PIXEL {
            return Err(other());
        }
        let size = u64::from(width) * u64::from(height);
        let fits = size <= MAX_PIXELS
            && count as usize <= MAX_PARTS
            && rest.len() as u64 == u64::from(count) * 8 + size * u64::from(PER_PIXEL) * 8;
        if !head.starts_with(MAGIC) || !fits {
            return Err(wrong());
        }
        let (ranges, words) = rest.as_chunks::<8>().0.split_at(count as usize);
        let mut parts = Parts::default();
        for range in ranges {
            let range = u64::from_le_bytes(*range);
            let part = range as u32..(range >> 32) as u32;
            // Without it, the sums would count for fewer samples than they have.
            if part.is_empty() {
                return Err(wrong());
            }
            parts.add(&part)?;
        }
        let words = words.iter().map(|word| i64::from_le_bytes(*word)).collect();
        Ok(Sums { width, height, picture: u64::from(low) | u64::from(high) << 32, parts, words })
    }
}

/// Mean of a sum over `samples`.
fn mean(sum: i64, samples: u32) -> f64 {
    sum as f64 * UNIT / f64::from(samples.max(1))
}

/// [`Sums::noise`] of these sums.
pub(super) fn noise(words: &[i64], samples: u32) -> f64 {
    if samples < 2 {
        return f64::INFINITY;
    }
    let (mut errors, mut means) = (0.0, 0.0);
    for pixel in words.chunks_exact(PER_PIXEL as usize) {
        let of = |q: usize| mean(pixel[q], samples);
        let bright = |q: usize| 0.2126 * of(q) + 0.7152 * of(q + 1) + 0.0722 * of(q + 2);
        let mean = bright(LIGHT) + bright(PLAIN);
        let variance = (of(SQUARE) - mean * mean).max(0.0) / f64::from(samples - 1);
        errors += variance.sqrt();
        means += mean;
    }
    if means > 0.0 { errors / means } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_one(samples: u32, light: f64, square: f64) -> Sums {
        let mut words = vec![0; PER_PIXEL as usize];
        let fixed = |x: f64| (x / UNIT) as i64;
        (words[0], words[1], words[2]) = (fixed(light), fixed(light), fixed(light));
        words[SQUARE] = fixed(square);
        let mut parts = Parts::default();
        parts.add(&(0..samples)).unwrap();
        Sums { width: 1, height: 1, picture: 5, parts, words }
    }

    /// Samples 1 and 3 have the mean 2 and the standard error 1.
    #[test]
    fn noise_is_the_relative_standard_error() {
        let sums = of_one(2, 4.0, 10.0);
        assert!((sums.noise() - 0.5).abs() < 1e-6, "{}", sums.noise());
        assert_eq!(of_one(1, 1.0, 1.0).noise(), f64::INFINITY);
        assert_eq!(of_one(2, 0.0, 0.0).noise(), 0.0);
    }

    #[test]
    fn files_keep_sums() {
        let sums = of_one(7, -1.5, 3.25);
        let bytes = sums.to_bytes();
        assert_eq!(Sums::from_bytes(&bytes).unwrap(), sums);
        for cut in [0, 7, 31, 32, 40, bytes.len() - 1] {
            assert!(Sums::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        // The width, the number of ranges, the version, the end of the only range.
        for (at, value) in [(8, 2), (20, 2), (5, 1), (36, 0)] {
            let mut wrong = bytes.clone();
            wrong[at] = value;
            assert!(Sums::from_bytes(&wrong).is_err(), "{at}");
        }
    }

    /// Files of version 1, and those with other quantities of a pixel.
    #[test]
    fn files_of_other_versions_are_named() {
        for (at, value) in [(5, 1), (16, PER_PIXEL as u8 - 1)] {
            let mut bytes = of_one(7, -1.5, 3.25).to_bytes();
            bytes[at] = value;
            let error = Sums::from_bytes(&bytes).unwrap_err();
            assert!(error.to_string().contains("from another version"), "{at}: {error}");
        }
    }

    #[test]
    fn sizes_beyond_the_limits_are_refused() {
        let mut bytes = of_one(7, -1.5, 3.25).to_bytes();
        bytes[8..16].fill(0xff);
        assert!(Sums::from_bytes(&bytes).is_err());
        bytes[20..24].fill(0xff);
        assert!(Sums::from_bytes(&bytes).is_err());
    }

    #[test]
    fn only_other_samples_of_the_same_picture_are_added() {
        let one = of_one(3, 1.0, 1.0);
        let mut parts = Parts::default();
        parts.add(&(3..5)).unwrap();
        let other = Sums { parts, ..of_one(2, 0.5, 0.5) };
        let mut sums = one.clone();
        for wrong in [&one, &Sums { picture: 6, ..other.clone() }, &Sums { width: 2, ..other.clone() }] {
            assert!(sums.add(wrong).is_err());
            assert_eq!(sums, one);
        }
        sums.add(&other).unwrap();
        assert_eq!(sums, of_one(5, 1.5, 1.5));
    }
}
