//! GIF: 256 colours per frame, delays in hundredths of a second.
//!
//! The format loses information. A frame with more than 256 colours gets its own palette (NeuQuant); an ordered dither
//! pattern of small steps hides bands, and is the same in every frame to avoid flicker. Other frames are exact. Pixels
//! with less than half alpha are transparent, all others opaque. Players slow down animations of more than 50 frames
//! per second, so no delay is shorter than that.

use std::collections::HashMap;
use std::io::{self, Write};

use gif::{DisposalMethod, EncodingError, Frame, Repeat};
use image::RgbaImage;

use super::{Encoder, Out};
use crate::report::{Failure, Result};

pub(super) struct Writer {
    /// `None` once the file is finished.
    encoder: Option<gif::Encoder<Out>>,
    size: (u16, u16),
    fps: f64,
    frames: u64,
    /// Time so far, in hundredths of a second.
    time: u64,
    /// The last frame, which is written when it is known if the next one has holes.
    last: Option<Frame<'static>>,
}

impl Writer {
    pub fn new(out: Out, (width, height): (u32, u32), fps: f64) -> Result<Writer> {
        let fail = |what: &dyn std::fmt::Display| Failure::new(format!("cannot write a GIF: {what}"));
        let side = |n: u32| u16::try_from(n).map_err(|_| fail(&"its sides have at most 65535 pixels"));
        let size = (side(width)?, side(height)?);
        let mut encoder = gif::Encoder::new(out, size.0, size.1, &[]).map_err(|e| fail(&e))?;
        encoder.set_repeat(Repeat::Infinite).map_err(|e| fail(&e))?;
        Ok(Writer { encoder: Some(encoder), size, fps, frames: 0, time: 0, last: None })
    }

    /// Writes the last frame, if there is one.
    fn write_last(&mut self) -> io::Result<()> {
        match (&mut self.encoder, self.last.take()) {
            (Some(encoder), Some(frame)) => encoder.write_frame(&frame).map_err(io_error),
            (_, None) | (None, Some(_)) => Ok(()),
        }
    }
}

impl Encoder for Writer {
    fn put(&mut self, pixels: &RgbaImage) -> io::Result<()> {
        // Rounding the end time of each frame keeps errors from adding up.
        self.frames += 1;
        let end = (100.0 * self.frames as f64 / self.fps).round() as u64;
        let delay = end.saturating_sub(self.time).clamp(2, u64::from(u16::MAX));
        self.time += delay;
        let indexed = indexed(pixels);
        // Holes show what the frame before leaves on the screen, which must be nothing.
        if let Some(last) = self.last.as_mut().filter(|_| indexed.transparent.is_some()) {
            last.dispose = DisposalMethod::Background;
        }
        self.write_last()?;
        self.last = Some(Frame {
            delay: delay as u16,
            dispose: match indexed.transparent {
                Some(_) => DisposalMethod::Background,
                None => DisposalMethod::Keep,
            },
            transparent: indexed.transparent,
            width: self.size.0,
            height: self.size.1,
            palette: Some(indexed.palette.into_flattened()),
            buffer: indexed.pixels.into(),
            ..Frame::default()
        });
        Ok(())
    }

    fn finish(&mut self) -> io::Result<()> {
        self.write_last()?;
        let Some(encoder) = self.encoder.take() else { return Ok(()) };
        encoder.into_inner().map_err(io_error)?.flush()
    }
}

fn io_error(error: EncodingError) -> io::Error {
    match error {
        EncodingError::Io(e) => e,
        e => io::Error::other(e.to_string()),
    }
}

/// A picture of at most 256 colours.
struct Indexed {
    palette: Vec<[u8; 3]>,
    pixels: Vec<u8>,
    transparent: Option<u8>,
}

fn indexed(picture: &RgbaImage) -> Indexed {
    let (texels, _) = picture.as_raw().as_chunks::<4>();
    let see_through = texels.iter().any(|p| p[3] < 128);
    let room = if see_through { 255 } else { 256 };
    let (mut palette, pixels) = match exact(texels, room) {
        Some(exact) => exact,
        None => reduced(texels, room, picture.width() as usize),
    };
    let transparent = see_through.then_some(palette.len() as u8);
    if see_through {
        palette.push([0; 3]);
    }
    let pixels = texels.iter().zip(pixels).map(|(p, index)| match transparent {
        Some(transparent) if p[3] < 128 => transparent,
        _ => index,
    });
    Indexed { pixels: pixels.collect(), palette, transparent }
}

/// Palette and indices, if there are at most `room` colours.
fn exact(texels: &[[u8; 4]], room: usize) -> Option<(Vec<[u8; 3]>, Vec<u8>)> {
    let mut palette = Vec::new();
    let mut known = HashMap::new();
    let mut pixels = Vec::with_capacity(texels.len());
    for &[r, g, b, a] in texels {
        let color = if a < 128 { None } else { Some([r, g, b]) };
        let index = *known.entry(color).or_insert_with(|| {
            palette.extend(color);
            palette.len().saturating_sub(1)
        });
        if palette.len() > room {
            return None;
        }
        pixels.push(index as u8);
    }
    Some((palette, pixels))
}

/// A palette that suits the picture, and for each texel the nearest entry after dithering.
fn reduced(texels: &[[u8; 4]], room: usize, width: usize) -> (Vec<[u8; 3]>, Vec<u8>) {
    let opaque: Vec<u8> =
        texels.iter().filter(|p| p[3] >= 128).flat_map(|p| [p[0], p[1], p[2], 255]).collect();
    // About this many texels train the network, regardless of the size of the picture.
    let every = (texels.len() / 50_000).clamp(1, 30);
    let map = color_quant::NeuQuant::new(every as i32, room, &opaque).color_map_rgb();
    let palette = map.as_chunks::<3>().0.to_vec();
    let pixels = texels.iter().enumerate().map(|(n, &[r, g, b, _])| {
        let shift = pattern(n % width.max(1), n / width.max(1));
        let want = [r, g, b].map(|v| (i32::from(v) + shift).clamp(0, 255));
        nearest(&palette, want)
    });
    let pixels = pixels.collect();
    (palette, pixels)
}

/// Bayer's 8x8 pattern, from -4 to 3.
fn pattern(x: usize, y: usize) -> i32 {
    let mut value = 0;
    for bit in 0..3 {
        let (x, y) = (x >> bit & 1, y >> bit & 1);
        value |= ((x ^ y) << 1 | y) << (2 * (2 - bit));
    }
    value as i32 / 8 - 4
}

fn nearest(palette: &[[u8; 3]], want: [i32; 3]) -> u8 {
    let mut best = (i32::MAX, 0);
    for (index, color) in palette.iter().enumerate() {
        let d = [0, 1, 2].map(|c| i32::from(color[c]) - want[c]);
        // The eye is most sensitive to green, and least to blue.
        let distance = 3 * d[0] * d[0] + 6 * d[1] * d[1] + d[2] * d[2];
        if distance < best.0 {
            best = (distance, index);
        }
    }
    best.1 as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_colours_are_exact() {
        let picture = RgbaImage::from_fn(16, 16, |x, y| image::Rgba([16 * x as u8, 16 * y as u8, 7, 255]));
        let indexed = indexed(&picture);
        assert_eq!((indexed.palette.len(), indexed.transparent), (256, None));
        for (n, pixel) in picture.pixels().enumerate() {
            assert_eq!(indexed.palette[usize::from(indexed.pixels[n])], pixel.0[..3]);
        }
    }

    /// The distance by which colours are chosen.
    fn distance(a: [u8; 3], b: [u8; 3]) -> f64 {
        let d: [f64; 3] = std::array::from_fn(|c| f64::from(a[c]) - f64::from(b[c]));
        (3.0 * d[0] * d[0] + 6.0 * d[1] * d[1] + d[2] * d[2]).sqrt()
    }

    /// The colour with equal steps per component that is nearest: 6 * 7 * 6 = 252 colours.
    fn of_fixed_palette(color: [u8; 3]) -> [u8; 3] {
        let nearest = |v: u8, steps: u32| {
            let step = (u32::from(v) * steps + 127) / 255;
            ((step * 255 + steps / 2) / steps) as u8
        };
        [nearest(color[0], 5), nearest(color[1], 6), nearest(color[2], 5)]
    }

    #[test]
    fn many_colours_are_near_and_holes_stay() {
        let picture = RgbaImage::from_fn(64, 64, |x, y| {
            let alpha = if x == 5 { 0 } else { 255 };
            image::Rgba([4 * x as u8, 4 * y as u8, (x * y / 16) as u8, alpha])
        });
        let indexed = indexed(&picture);
        let hole = indexed.transparent.unwrap();
        assert_eq!((indexed.palette.len(), hole), (256, 255));
        let (mut chosen, mut fixed) = (0.0, 0.0);
        for (n, pixel) in picture.pixels().enumerate() {
            assert_eq!(pixel.0[3] == 0, indexed.pixels[n] == hole);
            if pixel.0[3] != 0 {
                let [r, g, b, _] = pixel.0;
                let to = |color| distance([r, g, b], color);
                let far = to(indexed.palette[usize::from(indexed.pixels[n])]);
                let best = indexed.palette[..255].iter().map(|&color| to(color)).fold(f64::MAX, f64::min);
                // The pattern moves each component by at most 4, so the wanted colour by at most 4 * sqrt(3 + 6 + 1).
                // By the triangle inequality, the chosen colour is at most twice as much farther than the best.
                assert!(far <= best + 8.0 * 10f64.sqrt() + 1e-9, "{:?}: {far}, the best {best}", pixel.0);
                chosen += far;
                fixed += to(of_fixed_palette([r, g, b]));
            }
        }
        // The palette of this picture serves it better than a fixed one.
        assert!(chosen < fixed, "{chosen}, with fixed colours {fixed}");
    }

    #[test]
    fn the_pattern_has_every_step_as_often() {
        let mut counts = [0; 8];
        for n in 0..64 {
            counts[(pattern(n % 8, n / 8) + 4) as usize] += 1;
        }
        assert_eq!(counts, [8; 8]);
    }
}
