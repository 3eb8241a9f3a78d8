//! Identity of a picture: a number for everything that its samples depend on, so that sums of different pictures are not
//! added. Machines that render parts of one picture find the same number.

use bytemuck::Pod;
use quadrille::{Buffer, Result};

/// Values and buffers that the samples of a picture depend on.
#[derive(Clone, Default)]
pub(super) struct Identity {
    /// Hash of the values.
    known: u64,
    buffers: Vec<Buffer>,
}

impl Identity {
    /// Adds values.
    pub fn values<T: Pod>(mut self, values: &[T]) -> Identity {
        self.known = mix(self.known, bytemuck::cast_slice(values));
        self
    }

    /// Adds the contents of a buffer, which must not change as long as this is in use.
    pub fn buffer(mut self, buffer: &Buffer) -> Identity {
        self.buffers.push(buffer.clone());
        self
    }

    /// The number. Reads all buffers.
    pub fn number(&self) -> Result<u64> {
        self.buffers.iter().try_fold(self.known, |hash, buffer| Ok(mix(hash, &buffer.read_all::<u8>()?)))
    }
}

/// A hash with these bytes appended. It is part of files: every version has the same.
fn mix(hash: u64, bytes: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| (hash.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let (words, rest) = bytes.as_chunks::<8>();
    let hash =
        words.iter().fold(step(hash, bytes.len() as u64), |h, word| step(h, u64::from_le_bytes(*word)));
    rest.iter().fold(hash, |hash, byte| step(hash, u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_counts() {
        let bytes: Vec<u8> = (0..21).collect();
        let known = mix(1, &bytes);
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            other[at] ^= 0x80;
            assert_ne!(mix(1, &other), known, "{at}");
            assert_ne!(mix(1, &bytes[..at]), known, "{at}");
        }
        assert_ne!(mix(2, &bytes), known);
        // Files have the number.
        assert_eq!(mix(0, b"quadrille"), 0x71cf_e54f_33f6_5750);
    }
}
