//! Cost of each pixel as a picture: the number of instructions that the pixel's invocations executed.

use std::io::Cursor;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use image::{ImageFormat, Rgb, RgbImage};
use quadrille_jit::interp::watch::{Call, Invocation, Observer, View, Watch, lanes};
use quadrille_jit::ir::{Inst, Stage};

/// Counts instructions by pixel.
#[derive(Clone)]
pub struct Heat(Arc<Counts>);

struct Counts {
    size: (u32, u32),
    pixels: Mutex<Vec<u64>>,
}

impl Heat {
    /// Starts with a picture of this size.
    pub fn new(size: (u32, u32)) -> Heat {
        let pixels = Mutex::new(vec![0; size.0 as usize * size.1 as usize]);
        Heat(Arc::new(Counts { size, pixels }))
    }

    /// The watcher, for a device.
    pub fn watch(&self) -> Arc<dyn Watch> {
        Arc::new(self.clone())
    }

    fn pixels(&self) -> MutexGuard<'_, Vec<u64>> {
        self.0.pixels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Number of instructions of a pixel, counted from the top left of the framebuffer.
    pub fn of(&self, x: u32, y: u32) -> u64 {
        let (width, height) = self.0.size;
        if x < width && y < height { self.pixels()[y as usize * width as usize + x as usize] } else { 0 }
    }

    /// The counts as a PNG, from black through red and yellow to white for the maximum. `flipped` starts with the
    /// bottom row.
    pub fn png(&self, flipped: bool) -> Vec<u8> {
        let (width, height) = self.0.size;
        let pixels = self.pixels();
        let most = pixels.iter().copied().max().unwrap_or(0).max(1) as f32;
        let picture = RgbImage::from_fn(width, height, |x, y| {
            let y = if flipped { height - 1 - y } else { y };
            let part = pixels[y as usize * width as usize + x as usize] as f32 / most;
            Rgb([0.0, 1.0, 2.0].map(|first| ((part * 3.0 - first).clamp(0.0, 1.0) * 255.0) as u8))
        });
        let mut bytes = Cursor::new(Vec::new());
        // Writing to memory cannot fail.
        let _ = picture.write_to(&mut bytes, ImageFormat::Png);
        bytes.into_inner()
    }
}

impl Watch for Heat {
    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>> {
        let wanted = call.shader.stage == Stage::Fragment;
        wanted.then(|| Box::new(Counter { heat: self.clone(), counts: [0; 32] }) as Box<dyn Observer>)
    }
}

/// The observer of a call.
struct Counter {
    heat: Heat,
    counts: [u64; 32],
}

impl Observer for Counter {
    fn start(&mut self, _: &View<'_>) {
        self.counts = [0; 32];
    }

    fn before(&mut self, at: &View<'_>, _: &Inst) {
        lanes(at.active()).for_each(|l| self.counts[l] += 1);
    }

    fn finish(&mut self, at: &View<'_>) {
        let (width, height) = self.heat.0.size;
        let mut pixels = self.heat.pixels();
        for l in lanes(at.full()) {
            if let Invocation::Fragment { pixel: [x, y], .. } = at.invocation(l)
                && (0..width as i32).contains(&x)
                && (0..height as i32).contains(&y)
            {
                pixels[y as usize * width as usize + x as usize] += self.counts[l];
            }
        }
    }
}
