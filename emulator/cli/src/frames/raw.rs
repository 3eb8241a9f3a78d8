//! Uncompressed frames for other programs: pixel bytes row by row from the top, or YUV4MPEG2.
//!
//! YUV4MPEG2 output has full resolution in Cb and Cr. Its values follow ITU-R BT.601, which readers assume by default
//! (Y' from 16 to 235, Cb and Cr from 16 to 240). Conversion to 8 bits may be off by one step. Alpha is dropped.

use std::io::{self, Write};

use image::RgbaImage;
use quadrille::files;

use super::{Encoder, Out};
use crate::report::{Failure, Result};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Pixels {
    Rgba,
    Rgb,
    Ycbcr,
}

pub(super) struct Writer {
    out: Out,
    pixels: Pixels,
    frame: Vec<u8>,
}

impl Writer {
    pub fn new(out: Out, pixels: Pixels) -> Writer {
        Writer { out, pixels, frame: Vec::new() }
    }

    /// Starts a YUV4MPEG2 stream with its header.
    pub fn y4m(mut out: Out, (width, height): (u32, u32), (rate, per): (u16, u16)) -> Result<Writer> {
        let header = format!("YUV4MPEG2 W{width} H{height} F{rate}:{per} Ip A1:1 C444 XCOLORRANGE=LIMITED\n");
        // The header stays in the buffer for now.
        out.write_all(header.as_bytes())
            .map_err(|e| Failure::new(format!("cannot write frames: {}", files::reason(&e))))?;
        Ok(Writer::new(out, Pixels::Ycbcr))
    }
}

impl Encoder for Writer {
    fn put(&mut self, pixels: &RgbaImage) -> io::Result<()> {
        let (texels, _) = pixels.as_raw().as_chunks::<4>();
        self.frame.clear();
        match self.pixels {
            Pixels::Rgba => return self.out.write_all(pixels.as_raw()),
            Pixels::Rgb => self.frame.extend(texels.iter().flat_map(|p| [p[0], p[1], p[2]])),
            Pixels::Ycbcr => {
                self.out.write_all(b"FRAME\n")?;
                for plane in 0..3 {
                    self.frame.extend(texels.iter().map(|p| ycbcr([p[0], p[1], p[2]])[plane]));
                }
            }
        }
        self.out.write_all(&self.frame)
    }

    fn finish(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

/// Y', Cb, Cr of ITU-R BT.601, rounded; the coefficients are in units of 2^-16.
fn ycbcr([r, g, b]: [u8; 3]) -> [u8; 3] {
    let sum = |of: [i32; 3], base: i32| {
        let dot = of[0] * i32::from(r) + of[1] * i32::from(g) + of[2] * i32::from(b);
        (base + ((dot + (1 << 15)) >> 16)) as u8
    };
    // 219 and 224 steps for the full range of 255; the coefficients of Cb and of Cr sum to 0.
    [
        sum([16_829, 33_039, 6_416], 16),
        sum([-9_714, -19_070, 28_784], 128),
        sum([28_784, -24_103, -4_681], 128),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with the definition in floating point.
    #[test]
    fn colours() {
        assert_eq!(ycbcr([0, 0, 0]), [16, 128, 128]);
        assert_eq!(ycbcr([255, 255, 255]), [235, 128, 128]);
        assert_eq!(ycbcr([255, 0, 0])[2], 240);
        assert_eq!(ycbcr([0, 0, 255])[1], 240);
        for n in 0..4096u32 {
            let rgb = [(n & 15) * 17, (n >> 4 & 15) * 17, (n >> 8) * 17].map(|v| v as u8);
            let [r, g, b] = rgb.map(|v| f64::from(v) / 255.0);
            let y = 0.299 * r + 0.587 * g + 0.114 * b;
            let want = [16.0 + 219.0 * y, 128.0 + 224.0 * (b - y) / 1.772, 128.0 + 224.0 * (r - y) / 1.402];
            for (got, want) in ycbcr(rgb).into_iter().zip(want) {
                assert!((f64::from(got) - want).abs() < 0.51, "{rgb:?}: {got} for {want}");
            }
        }
    }
}
