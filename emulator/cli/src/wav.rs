//! WAV files: stereo, 16 bits.

use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use quadrille::files::Unfinished;
use quadrille::reserve::BoundedFile;

use crate::report::{Failure, Result};

/// Maximum number of stereo samples in a file: its lengths have 32 bits.
pub const MAX_SAMPLES: u32 = (u32::MAX - 64) / 4;

/// Number of samples written at a time.
pub const BLOCK: u32 = 1 << 16;

/// Writes a file. Dropped before the end, it removes what it wrote, and an older file stays.
pub struct Writer {
    out: BufWriter<BoundedFile>,
    file: Unfinished,
    path: PathBuf,
}

/// The 44 bytes before the samples.
fn header(samples: u32, rate: u32) -> [u8; 44] {
    let mut header = [0; 44];
    let data = 4 * samples;
    let parts: [&[u8]; 13] = [
        b"RIFF",
        &(36 + data).to_le_bytes(),
        b"WAVE",
        b"fmt ",
        &16u32.to_le_bytes(),
        // PCM, two channels.
        &1u16.to_le_bytes(),
        &2u16.to_le_bytes(),
        &rate.to_le_bytes(),
        &(4 * rate).to_le_bytes(),
        &4u16.to_le_bytes(),
        &16u16.to_le_bytes(),
        b"data",
        &data.to_le_bytes(),
    ];
    for (to, from) in header.iter_mut().zip(parts.concat()) {
        *to = from;
    }
    header
}

impl Writer {
    /// Creates the file, for this number of samples.
    pub fn create(path: &Path, samples: u32, rate: u32) -> Result<Writer> {
        let created = || {
            let file = Unfinished::new(path)?;
            Ok((BufWriter::new(BoundedFile::create(file.name())?), file))
        };
        let (out, file) = created().map_err(|e| Failure::file("write", path, &e))?;
        let mut writer = Writer { out, file, path: path.to_owned() };
        writer.write(&header(samples.min(MAX_SAMPLES), rate))?;
        Ok(writer)
    }

    /// Writes samples, left and right from -1 to 1. Values beyond that are clamped; NaN becomes silence.
    pub fn put(&mut self, samples: &[[f32; 2]]) -> Result<()> {
        let bytes: Vec<u8> =
            samples.as_flattened().iter().flat_map(|v| quantized(*v).to_le_bytes()).collect();
        self.write(&bytes)
    }

    /// Writes the rest of the buffer, and gives the file its name.
    pub fn finish(self) -> Result<()> {
        let Writer { mut out, file, path } = self;
        let done = out.flush();
        drop(out);
        done.and_then(|()| file.finish()).map_err(|e| Failure::file("write", &path, &e))
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.out.write_all(bytes).map_err(|e| Failure::file("write", &self.path, &e))
    }
}

/// Rounds to the nearest of 32767 steps.
fn quantized(value: f32) -> i16 {
    let value = if value.is_nan() { 0.0 } else { value.clamp(-1.0, 1.0) };
    (value * 32767.0).round() as i16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps() {
        let of = [0.0, 1.0, -1.0, 7.0, f32::NEG_INFINITY, f32::NAN, 0.5].map(quantized);
        assert_eq!(of, [0, 32767, -32767, 32767, -32767, 0, 16384]);
    }

    #[test]
    fn headers() {
        let header = header(3, 44_100);
        assert_eq!(&header[..4], b"RIFF");
        assert_eq!(header[4..8], 48u32.to_le_bytes());
        assert_eq!(header[28..32], 176_400u32.to_le_bytes());
        assert_eq!(header[40..44], 12u32.to_le_bytes());
    }
}
