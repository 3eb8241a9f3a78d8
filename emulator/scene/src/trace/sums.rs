//! Sums of samples in fixed point, and their noise.

use quadrille::{Error, Result};

/// Sums of a pixel: light, colours without tone mapping and their part, squared brightness, albedo, normal, depth, hits.
pub(super) const PER_PIXEL: u32 = 16;
/// Maximum number of pixels: the sums are one storage buffer.
pub(super) const MAX_PIXELS: u64 = 1 << 24;

/// First sum of each quantity, as `path.wgsl` numbers them.
pub(super) const LIGHT: usize = 0;
pub(super) const PLAIN: usize = 3;
pub(super) const SQUARE: usize = 7;
pub(super) const ALBEDO: usize = 8;
pub(super) const NORMAL: usize = 11;
pub(super) const DEPTH: usize = 14;
pub(super) const HITS: usize = 15;

/// Value of the lowest bit.
const UNIT: f64 = 1.0 / (1u64 << 28) as f64;
/// First bytes of a file.
const MAGIC: &[u8; 8] = b"QSUMS\x01\0\0";

/// Bytes of a file before the sums.
const HEAD: usize = 24;

/// Sums of the samples of a picture. Sums of different samples of the same picture can be added in any order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sums {
    pub(super) width: u32,
    pub(super) height: u32,
    pub(super) samples: u32,
    /// For each pixel and quantity, a signed number in fixed point.
    pub(super) words: Vec<i64>,
}

impl Sums {
    /// Largest size of a file, in bytes.
    pub const MAX_BYTES: u64 = HEAD as u64 + MAX_PIXELS * PER_PIXEL as u64 * 8;

    /// Number of samples per pixel.
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// Width and height in pixels.
    pub fn size(&self) -> (u32, u32) {
        (self.width, self.height)
    }

    /// Adds the sums of other samples.
    ///
    /// Returns `Invalid` if the pictures have different sizes.
    pub fn add(&mut self, other: &Sums) -> Result<()> {
        if self.size() != other.size() || self.words.len() != other.words.len() {
            let ((w, h), (x, y)) = (self.size(), other.size());
            return Err(Error::invalid(format!("sums of a picture of {x}x{y} added to one of {w}x{h}")));
        }
        self.samples = self
            .samples
            .checked_add(other.samples)
            .ok_or_else(|| Error::Limit(format!("{} and {} samples", self.samples, other.samples)))?;
        for (sum, more) in self.words.iter_mut().zip(&other.words) {
            *sum = sum.wrapping_add(*more);
        }
        Ok(())
    }

    /// Mean of a quantity of a pixel over its samples.
    pub(super) fn mean(&self, pixel: usize, quantity: usize) -> f64 {
        let sum = self.words[pixel * PER_PIXEL as usize + quantity];
        sum as f64 * UNIT / f64::from(self.samples.max(1))
    }

    /// Estimate of the standard errors of all pixels, relative to the brightness of the picture; infinite for fewer than
    /// two samples.
    pub fn noise(&self) -> f64 {
        if self.samples < 2 {
            return f64::INFINITY;
        }
        let (mut errors, mut means) = (0.0, 0.0);
        for pixel in 0..self.words.len() / PER_PIXEL as usize {
            let of = |q: usize| self.mean(pixel, q);
            let bright = |q: usize| 0.2126 * of(q) + 0.7152 * of(q + 1) + 0.0722 * of(q + 2);
            let mean = bright(LIGHT) + bright(PLAIN);
            let variance = (of(SQUARE) - mean * mean).max(0.0) / f64::from(self.samples - 1);
            errors += variance.sqrt();
            means += mean;
        }
        if means > 0.0 { errors / means } else { 0.0 }
    }

    /// Bytes of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend([self.width, self.height, self.samples, PER_PIXEL].iter().flat_map(|n| n.to_le_bytes()));
        out.extend(self.words.iter().flat_map(|n| n.to_le_bytes()));
        out
    }

    /// Reads the bytes of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Sums> {
        let wrong = || Error::invalid("the file does not contain the sums of a path-traced picture");
        let (head, rest) = bytes.split_at_checked(HEAD).ok_or_else(wrong)?;
        let word = |i: usize| head[8 + 4 * i..12 + 4 * i].try_into().map(u32::from_le_bytes);
        let [Ok(width), Ok(height), Ok(samples), Ok(per_pixel)] = [0, 1, 2, 3].map(word) else {
            return Err(wrong());
        };
        let size = u64::from(width) * u64::from(height);
        let fits = size <= MAX_PIXELS && rest.len() as u64 == size * u64::from(PER_PIXEL) * 8;
        if !head.starts_with(MAGIC) || per_pixel != PER_PIXEL || !fits {
            return Err(wrong());
        }
        let words = rest.chunks_exact(8).map(|b| i64::from_le_bytes(b.try_into().unwrap_or_default()));
        Ok(Sums { width, height, samples, words: words.collect() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_one(samples: u32, light: f64, square: f64) -> Sums {
        let mut words = vec![0; PER_PIXEL as usize];
        let fixed = |x: f64| (x / UNIT) as i64;
        (words[0], words[1], words[2]) = (fixed(light), fixed(light), fixed(light));
        words[SQUARE] = fixed(square);
        Sums { width: 1, height: 1, samples, words }
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
        for cut in [0, 7, 23, 24, bytes.len() - 1] {
            assert!(Sums::from_bytes(&bytes[..cut]).is_err(), "{cut}");
        }
        let mut wrong = bytes;
        wrong[8] = 2;
        assert!(Sums::from_bytes(&wrong).is_err());
        let mut small = sums.clone();
        assert!(small.add(&Sums { width: 2, ..sums }).is_err());
    }
}
