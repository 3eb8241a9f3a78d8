//! Animated PNG: whole frames with 8 bits of red, green, blue and alpha; lossless.

use std::io;

use image::RgbaImage;

use super::{Encoder, Out};
use crate::report::{Failure, Result};

pub(super) struct Writer(Option<png::Writer<Out>>);

impl Writer {
    /// Writes the header; frames last `delay` seconds and loop forever.
    pub fn new(out: Out, size: (u32, u32), frames: u32, delay: (u16, u16)) -> Result<Writer> {
        let writer = || {
            let mut encoder = png::Encoder::new(out, size.0, size.1);
            encoder.set_color(png::ColorType::Rgba);
            encoder.set_depth(png::BitDepth::Eight);
            encoder.set_adaptive_filter(png::AdaptiveFilterType::Adaptive);
            encoder.set_animated(frames, 0)?;
            encoder.set_frame_delay(delay.0, delay.1)?;
            encoder.write_header()
        };
        let writer = writer().map_err(|e| Failure::new(format!("cannot write an animated PNG: {e}")))?;
        Ok(Writer(Some(writer)))
    }
}

fn io_error(error: png::EncodingError) -> io::Error {
    match error {
        png::EncodingError::IoError(e) => e,
        e => io::Error::other(e.to_string()),
    }
}

impl Encoder for Writer {
    fn put(&mut self, pixels: &RgbaImage) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |writer| writer.write_image_data(pixels.as_raw()).map_err(io_error))
    }
    fn finish(&mut self) -> io::Result<()> {
        self.0.take().map_or(Ok(()), |writer| writer.finish().map_err(io_error))
    }
}
